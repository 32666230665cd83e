//! Grading of goals by difficulty, for curricula: easy goals first, and each with the nearest of those before it.
//!
//! A difficulty is told with what it is based on; difficulties of different bases are not comparable.

use std::cmp::Ordering;
use std::sync::Arc;

use goalspec_generator::tree::Tree;
use goalspec_trace::TraceInput;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::game_generation::novelty::{nearest_tree, structures};
use crate::library::Library;
use crate::playability::{
    PartVerdict, Playability, PlayabilityOptions, Possibility, Witness, episodes, is_judged, judge_programs,
};
use crate::program::{Program, ProgramContent};

/// The difficulty of a goal, by what it is based on. Goals are listed in this order.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub enum Difficulty {
    /// Recorded plays about the world: 1 minus the share of them that achieve a part, on average over the parts.
    Plays(f64),
    /// Plans: the number of steps, of a game for all of its preferences together.
    Plan(usize),
    /// Simulated games with random choices: the mean number of turns of those that end.
    Simulation(f64),
}

impl Difficulty {
    /// Returns the value and the name of what it is based on as JSON.
    fn json(self) -> (Value, &'static str) {
        match self {
            Self::Plays(value) => (json!(value), "plays"),
            Self::Plan(steps) => (json!(steps), "plan"),
            Self::Simulation(turns) => (json!(turns), "simulations"),
        }
    }
}

/// An easier goal of similar structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearestGoal {
    /// The name of its program.
    pub program: Arc<str>,
    /// The number of parts to insert, delete or replace in order to make the goal from it.
    pub edits: u32,
}

/// A goal in its place in the order.
#[derive(Debug, Clone, PartialEq)]
pub struct GradedGoal {
    /// The name of its program.
    pub program: Arc<str>,
    /// Whether it can be achieved.
    pub possibility: Possibility,
    /// The difficulty; `None` for an impossible goal, and for one of which nothing shows that it can be achieved even in part.
    pub difficulty: Option<Difficulty>,
    /// Of games, the nearest one of those before it that have a difficulty.
    pub nearest: Option<NearestGoal>,
}

/// Goals in the order of their difficulty.
#[derive(Debug, Clone, PartialEq)]
pub struct Grading {
    /// The goals.
    pub goals: Vec<GradedGoal>,
    /// The reasons why plays were scored by none of the games.
    pub unscored: Vec<String>,
}

/// Grades the programs of a library, without reward functions. `progress` is called with the number of programs that were judged since the
/// previous call.
///
/// Goals with a difficulty come first, the easiest of each basis first; then those of which nothing is shown, the ones first that are nearest to a
/// goal with a difficulty; then impossible ones.
pub fn grade(
    library: &Library,
    plays: &[TraceInput],
    options: &PlayabilityOptions,
    progress: &(dyn Fn(u64) + Sync),
) -> Grading {
    let programs = library.programs().iter().filter(|program| is_judged(program));
    let (games, others): (Vec<&Program>, Vec<&Program>) = programs.partition(|program| program.game().is_some());
    let mut judged = judge_programs(library, &games, plays, options, progress);
    let unscored = (0..plays.len()).filter_map(|play| unscored(play, &judged)).collect();
    // Recorded plays of an activity say less about it than the length of a plan.
    judged.extend(judge_programs(library, &others, &[], options, progress));
    let programs: Vec<&Program> = games.into_iter().chain(others).collect();
    let search = || ordered(library, &programs, &judged, options);
    let goals = match &options.scoring.pool {
        Some(pool) => pool.install(search),
        None => search(),
    };
    Grading { goals, unscored }
}

/// Returns the reason why a play was scored by none of some games; `None` if it was scored, or there are no games.
fn unscored(play: usize, games: &[Playability]) -> Option<String> {
    let reason =
        |game: &Playability| game.unscored.iter().find(|(own, _)| *own == play).map(|(_, reason)| reason.clone());
    let reasons = games.iter().map(reason).collect::<Option<Vec<String>>>()?;
    reasons.into_iter().next()
}

/// Returns judged programs in their order.
fn ordered(
    library: &Library,
    programs: &[&Program],
    judged: &[Playability],
    options: &PlayabilityOptions,
) -> Vec<GradedGoal> {
    let difficulties: Vec<Option<Difficulty>> =
        programs.par_iter().zip(judged).map(|(program, own)| difficulty(library, program, own, options)).collect();
    let is_impossible = |place: &usize| judged[*place].possibility() == Possibility::Impossible;
    let mut order: Vec<usize> = (0..judged.len()).collect();
    order.sort_by(|one, other| {
        let (first, second) = (difficulties[*one], difficulties[*other]);
        first
            .is_none()
            .cmp(&second.is_none())
            .then_with(|| is_impossible(one).cmp(&is_impossible(other)))
            .then_with(|| first.partial_cmp(&second).unwrap_or(Ordering::Equal))
            .then_with(|| judged[*one].program.cmp(&judged[*other].program))
    });
    let graded = difficulties.iter().flatten().count();
    let trees = structures(programs);
    let nearest = |place: usize| {
        let (world, tree) = trees[order[place]].as_ref()?;
        let easier = order[..place.min(graded)].iter().filter_map(|&easier| {
            let (of, other) = trees[easier].as_ref()?;
            (of == world).then_some((easier, other))
        });
        let (places, others): (Vec<usize>, Vec<&Tree>) = easier.unzip();
        let (index, edits) = nearest_tree(tree, &others)?;
        Some(NearestGoal { program: judged[places[index]].program.clone(), edits })
    };
    let nearest: Vec<_> = (0..order.len()).into_par_iter().map(nearest).collect();
    let goal = |(&place, nearest): (&usize, Option<NearestGoal>)| GradedGoal {
        program: judged[place].program.clone(),
        possibility: judged[place].possibility(),
        difficulty: difficulties[place],
        nearest,
    };
    let mut ordered: Vec<GradedGoal> = order.iter().zip(nearest).map(goal).collect();
    let edits = |goal: &GradedGoal| goal.nearest.as_ref().map_or(u32::MAX, |nearest| nearest.edits);
    ordered[graded..].sort_by_key(|goal| (goal.possibility == Possibility::Impossible, edits(goal)));
    ordered
}

/// Returns the difficulty of a program.
fn difficulty(
    library: &Library,
    program: &Program,
    judged: &Playability,
    options: &PlayabilityOptions,
) -> Option<Difficulty> {
    if judged.possibility() == Possibility::Impossible {
        return None;
    }
    if matches!(program.content, ProgramContent::Resource(_)) {
        return episodes::mean_turns(library, program, options).map(Difficulty::Simulation);
    }
    let achieved: u64 = judged.parts.iter().map(|part| part.plays).sum();
    if achieved > 0 {
        let all = (judged.parts.len() * judged.scored) as f64;
        return Some(Difficulty::Plays(1.0 - achieved as f64 / all));
    }
    let steps = judged.parts.iter().map(|part| match &part.verdict {
        PartVerdict::Possible(Witness::Plan { steps, .. }) => Some(steps.len()),
        _ => None,
    });
    let steps: Option<usize> = steps.sum();
    steps.filter(|_| !judged.parts.is_empty()).map(Difficulty::Plan)
}

/// Returns graded goals as JSON.
pub fn document(grading: &Grading) -> Value {
    let goal = |own: &GradedGoal| {
        json!({
            "program": &*own.program,
            "possibility": own.possibility.name(),
            "difficulty": own.difficulty.map(|own| own.json().0),
            "basis": own.difficulty.map(|own| own.json().1),
            "nearest": own.nearest.as_ref().map(|nearest| json!({ "program": &*nearest.program, "edits": nearest.edits })),
        })
    };
    json!({
        "format": "goalspec-grading-1",
        "goals": grading.goals.iter().map(goal).collect::<Vec<_>>(),
        "unscored": grading.unscored,
    })
}
