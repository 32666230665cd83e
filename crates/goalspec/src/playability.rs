//! Playability of programs: for each part, a witness that it can be achieved, a proof that it cannot, or neither.
//!
//! | language | parts | witnesses | proofs |
//! |---|---|---|---|
//! | games | setup, preferences | states of a recorded play; a plan, if a planning problem has the world of the game | automata of the preference |
//! | activities | goal | states of a recorded play, a plan | - |
//! | planning problems | goal | a plan | the planner |
//! | resource graph games | each choice of each team, the end | a simulated game, replayed by its seed and index | - |
//!
//! Every witness has been replayed: the states of a play are those in which a second pass over the play finds the operators of the
//! preference, plans pass the reference interpreter, and games are simulated again. The setup and each preference of a game are judged by
//! themselves; whether one play achieves all of them at once is told too.

pub(crate) mod episodes;
mod games;
mod json;
mod plans;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use goalspec_trace::TraceInput;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::library::Library;
use crate::program::{Program, ProgramContent};
use crate::scoring::ScoringOptions;

pub use json::report;

/// Options for judging whether programs can be achieved.
#[derive(Debug, Clone)]
pub struct PlayabilityOptions {
    /// The options for scoring recorded plays.
    pub scoring: ScoringOptions,
    /// The time limit of each search for a plan.
    pub plan_time: Duration,
    /// The memory limit of each search for a plan, in bytes.
    pub plan_memory: u64,
    /// The number of simulated games of each resource graph game.
    pub simulations: u64,
    /// The maximum number of turns of a simulated game.
    pub max_turns: u32,
    /// The seed of simulated games.
    pub seed: u64,
    /// A flag that ends the work when another thread sets it; what was not shown until then stays so.
    pub cancelled: Arc<AtomicBool>,
}

impl Default for PlayabilityOptions {
    fn default() -> Self {
        Self {
            scoring: ScoringOptions::default(),
            plan_time: Duration::from_secs(10),
            plan_memory: 4 << 30,
            simulations: 100,
            max_turns: 1000,
            seed: 0,
            cancelled: Arc::default(),
        }
    }
}

/// A part of a program that can be achieved by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramPart {
    /// The setup of a game.
    Setup,
    /// A preference of a game.
    Preference(Arc<str>),
    /// The goal of an activity or a planning problem.
    Goal,
    /// A choice of a team of a resource graph game: the team and the choice.
    Choice(Arc<str>, Arc<str>),
    /// The end of a resource graph game by its own condition.
    End,
}

impl fmt::Display for ProgramPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setup => f.write_str("setup"),
            Self::Preference(name) => f.write_str(name),
            Self::Goal => f.write_str("goal"),
            Self::Choice(team, choice) => write!(f, "{team}: {choice}"),
            Self::End => f.write_str("end"),
        }
    }
}

/// The states of one operator of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperatorStates {
    /// The index of the operator.
    pub operator: usize,
    /// The first state, counted from 1.
    pub start: u64,
    /// The last state.
    pub end: u64,
}

/// The evidence that a part of a program can be achieved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Witness {
    /// States of a recorded play.
    Play {
        /// The name of the trace.
        trace: Arc<str>,
        /// The first state, counted from 1.
        start: u64,
        /// The last state.
        end: u64,
        /// The variables and the objects bound to them.
        binding: Vec<(Arc<str>, Arc<str>)>,
        /// The states of each operator of a sequence; empty for other parts.
        operators: Vec<OperatorStates>,
    },
    /// A plan for a planning problem.
    Plan {
        /// The name of the program with the problem.
        problem: Arc<str>,
        /// The steps, as text.
        steps: Vec<String>,
    },
    /// A turn of a simulated game.
    Simulation {
        /// The policies of the teams.
        policies: String,
        /// The seed.
        seed: u64,
        /// The index of the game.
        index: u64,
        /// The turn, counted from 1.
        turn: u32,
    },
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Play { trace, start, end, binding, .. } => {
                if start == end {
                    write!(f, "state {start} of {trace}")?;
                } else {
                    write!(f, "states {start} to {end} of {trace}")?;
                }
                for (place, (variable, object)) in binding.iter().enumerate() {
                    write!(f, "{} {variable} = {object}", if place == 0 { " with" } else { "," })?;
                }
                Ok(())
            }
            Self::Plan { problem, steps } => {
                let plural = if steps.len() == 1 { "" } else { "s" };
                write!(f, "a plan of {} step{plural} for {problem}", steps.len())
            }
            Self::Simulation { policies, seed, index, turn } => {
                write!(f, "turn {turn} of game {index} with seed {seed} and policy {policies}")
            }
        }
    }
}

/// Whether a part of a program can be achieved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartVerdict {
    /// It can: this is how.
    Possible(Witness),
    /// It cannot: this is proved, as a sentence says.
    Impossible(String),
    /// Neither is shown, for these reasons.
    NotShown(Vec<String>),
}

/// The judgement of a part of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayablePart {
    /// The part.
    pub part: ProgramPart,
    /// Whether it can be achieved.
    pub verdict: PartVerdict,
    /// The number of recorded plays that achieve it.
    pub plays: u64,
}

/// The judgement of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Playability {
    /// The name of the program.
    pub program: Arc<str>,
    /// The parts, in the order of the program; empty if the program has errors or its language is not judged.
    pub parts: Vec<PlayablePart>,
    /// The number of recorded plays that were scored: those about the world of the program.
    pub scored: usize,
    /// The indices of the other plays of a game, each with the reason.
    pub unscored: Vec<(usize, String)>,
    /// The first recorded play in which the setup of a game holds and every preference is satisfied before the end of the game.
    pub complete_play: Option<Arc<str>>,
}

/// A judgement as a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Possibility {
    /// Every part can be achieved.
    Possible,
    /// A part cannot be achieved.
    Impossible,
    /// Neither is shown.
    NotShown,
}

impl Possibility {
    /// Returns the judgement in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Possible => "possible",
            Self::Impossible => "impossible",
            Self::NotShown => "not shown",
        }
    }
}

impl Playability {
    /// Returns the judgement of a program that is not scored on plays.
    fn without_plays(program: &Program, parts: Vec<PlayablePart>) -> Self {
        Self { program: program.name.clone(), parts, scored: 0, unscored: Vec::new(), complete_play: None }
    }

    /// Returns the judgement of the whole program.
    pub fn possibility(&self) -> Possibility {
        if self.parts.iter().any(|part| matches!(part.verdict, PartVerdict::Impossible(_))) {
            return Possibility::Impossible;
        }
        let is_possible = |part: &PlayablePart| matches!(part.verdict, PartVerdict::Possible(_));
        if self.parts.is_empty() || !self.parts.iter().all(is_possible) {
            return Possibility::NotShown;
        }
        Possibility::Possible
    }
}

/// Judges whether the programs of a library can be achieved, with recorded plays, plans and simulations. Reward functions are left out.
///
/// `progress` is called with the number of programs that were judged since the previous call. Programs are judged on the threads of
/// [`ScoringOptions::pool`]; the result is the same on any number of them, apart from plans that are found just within their limits.
pub fn judge(
    library: &Library,
    plays: &[TraceInput],
    options: &PlayabilityOptions,
    progress: &(dyn Fn(u64) + Sync),
) -> Vec<Playability> {
    let programs: Vec<&Program> = library.programs().iter().filter(|program| is_judged(program)).collect();
    judge_programs(library, &programs, plays, options, progress)
}

/// Judges some programs of a library, as [`judge`] does.
pub(crate) fn judge_programs(
    library: &Library,
    programs: &[&Program],
    plays: &[TraceInput],
    options: &PlayabilityOptions,
    progress: &(dyn Fn(u64) + Sync),
) -> Vec<Playability> {
    let judged = |chunk: &[&Program]| {
        let judged: Vec<Playability> = match chunk {
            [program] if program.game().is_none() => vec![judge_one(library, program, plays, options)],
            games => games::judge(library, games, plays, options),
        };
        progress(chunk.len() as u64);
        judged
    };
    let chunks = chunks(programs);
    match &options.scoring.pool {
        Some(pool) => pool.install(|| chunks.par_iter().flat_map_iter(|chunk| judged(chunk)).collect()),
        None => chunks.iter().flat_map(|chunk| judged(chunk)).collect(),
    }
}

/// Maximum number of games that are judged in one pass over each play.
const CHUNK: usize = 16;

/// Returns consecutive games in chunks, and every other program by itself. The games of a chunk have different names, by which their outcomes are
/// told apart.
fn chunks<'p, 'l>(programs: &'p [&'l Program]) -> Vec<&'p [&'l Program]> {
    let mut chunks = Vec::new();
    let mut names: FxHashSet<&str> = FxHashSet::default();
    let mut start = 0;
    for (place, program) in programs.iter().enumerate() {
        let is_game = program.game().is_some();
        let follows_game = place > start && programs[place - 1].game().is_some();
        let joins = is_game && follows_game && place - start < CHUNK && !names.contains(&*program.name);
        if !joins {
            chunks.extend((start < place).then(|| &programs[start..place]));
            names.clear();
            start = place;
        }
        names.insert(&program.name);
    }
    chunks.extend((start < programs.len()).then(|| &programs[start..]));
    chunks
}

/// Returns the reasons why recorded plays do not show a part: how many were scored, and why others were not.
fn unshown_reasons(plays: usize, scored: usize, problems: &[String]) -> Vec<String> {
    let searched = match (plays, scored) {
        (0, _) => "no recorded play was given".to_owned(),
        (_, 0) => "no recorded play was scored".to_owned(),
        (_, 1) => "the recorded play does not achieve it".to_owned(),
        (_, count) => format!("none of {count} recorded plays achieves it"),
    };
    std::iter::once(searched).chain(problems.iter().cloned()).collect()
}

/// Whether a program is judged: reward functions are not.
pub(crate) fn is_judged(program: &Program) -> bool {
    !matches!(program.content, ProgramContent::Reward(_))
}

fn judge_one(library: &Library, program: &Program, plays: &[TraceInput], options: &PlayabilityOptions) -> Playability {
    match &program.content {
        ProgramContent::Resource(_) => episodes::judge(library, program, options),
        ProgramContent::Activity(_) | ProgramContent::Planning(_) => plans::judge(library, program, plays, options),
        ProgramContent::Game(_) | ProgramContent::Reward(_) => Playability::without_plays(program, Vec::new()),
    }
}
