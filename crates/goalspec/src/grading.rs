//! Grading of goals by difficulty, for curricula: easy goals first, and each with the nearest of those before it.
//!
//! A difficulty is told with what it is based on; difficulties of different bases are not comparable.

use std::cmp::Ordering;
use std::sync::Arc;

use goalspec_generator::tree::Tree;
use goalspec_trace::TraceInput;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::game_generation::GenerationError;
use crate::game_generation::novelty::{nearest_tree, structures};
use crate::library::Library;
use crate::playability::{self, PartVerdict, Playability, PlayabilityOptions, ProgramPart, Witness};

/// The difficulty of a goal, by what it is based on. Goals are listed in this order.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub enum Difficulty {
    /// Recorded plays: 1 minus the share of them that achieve a part, on average over the parts.
    Plays(f64),
    /// A plan: its number of steps.
    Plan(usize),
    /// A simulated game with random choices: the number of turns until it ends.
    Simulation(u32),
}

impl Difficulty {
    /// Returns the value and the name of what it is based on as JSON.
    fn json(self) -> (Value, &'static str) {
        match self {
            Self::Plays(value) => (json!(value), "plays"),
            Self::Plan(steps) => (json!(steps), "plan"),
            Self::Simulation(turns) => (json!(turns), "simulation"),
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
    /// The difficulty; `None` if nothing shows that it can be achieved at all.
    pub difficulty: Option<Difficulty>,
    /// Of games, the nearest one of those before it that have a difficulty.
    pub nearest: Option<NearestGoal>,
}

/// Grades the programs of a library, without reward functions. `progress` is called with the number of programs that were judged since the
/// previous call.
///
/// Goals with a difficulty come first, the easiest of each basis first; then the others, those first that are nearest to a goal with a
/// difficulty.
///
/// # Errors
/// If a game has a construct that the generator does not represent, so that its structure cannot be compared.
pub fn grade(
    library: &Library,
    plays: &[TraceInput],
    options: &PlayabilityOptions,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<GradedGoal>, GenerationError> {
    let judged = playability::judge(library, plays, options, progress);
    let mut goals: Vec<(Option<Difficulty>, Arc<str>)> =
        judged.iter().map(|own| (difficulty(own, plays.len()), own.program.clone())).collect();
    goals.sort_by(|(one, first), (other, second)| {
        let by_value = || one.partial_cmp(other).unwrap_or(Ordering::Equal);
        one.is_none().cmp(&other.is_none()).then_with(by_value).then_with(|| first.cmp(second))
    });
    let trees = structures(library)?;
    let structure = |name: &Arc<str>| trees.get(name);
    let graded = goals.iter().take_while(|(own, _)| own.is_some()).count();
    let nearest = |place: usize| {
        let (world, tree) = structure(&goals[place].1)?;
        let easier = goals[..place.min(graded)].iter().filter_map(|(_, name)| {
            let (of, other) = structure(name)?;
            (of == world).then_some((name, other))
        });
        let easier: Vec<(&Arc<str>, &Tree)> = easier.collect();
        let others: Vec<&Tree> = easier.iter().map(|(_, tree)| *tree).collect();
        let (index, edits) = nearest_tree(tree, &others)?;
        Some(NearestGoal { program: easier[index].0.clone(), edits })
    };
    let search = || (0..goals.len()).into_par_iter().map(nearest).collect::<Vec<_>>();
    let nearest = match &options.scoring.pool {
        Some(pool) => pool.install(search),
        None => search(),
    };
    let mut ordered: Vec<GradedGoal> = goals
        .into_iter()
        .zip(nearest)
        .map(|((difficulty, program), nearest)| GradedGoal { program, difficulty, nearest })
        .collect();
    ordered[graded..].sort_by_key(|goal| goal.nearest.as_ref().map_or(u32::MAX, |nearest| nearest.edits));
    Ok(ordered)
}

/// Returns the difficulty of a program, given the number of recorded plays.
fn difficulty(judged: &Playability, plays: usize) -> Option<Difficulty> {
    let witnesses = judged.parts.iter().filter_map(|part| match &part.verdict {
        PartVerdict::Possible(witness) => Some((&part.part, witness)),
        _ => None,
    });
    let (part, witness) = witnesses.reduce(|known, own| if *own.0 == ProgramPart::End { own } else { known })?;
    match witness {
        // A plan for one preference of a game says nothing about the others.
        Witness::Plan { steps, .. } if *part == ProgramPart::Goal => Some(Difficulty::Plan(steps.len())),
        Witness::Simulation { turn, .. } if *part == ProgramPart::End => Some(Difficulty::Simulation(*turn)),
        Witness::Play { .. } | Witness::Plan { .. } | Witness::Simulation { .. } => {
            let achieved: u64 = judged.parts.iter().map(|part| part.plays).sum();
            let possible = (judged.parts.len() * plays) as f64;
            (achieved > 0).then(|| Difficulty::Plays(1.0 - achieved as f64 / possible))
        }
    }
}

/// Returns the document of graded goals.
pub fn document(goals: &[GradedGoal]) -> Value {
    let goal = |own: &GradedGoal| {
        json!({
            "program": &*own.program,
            "difficulty": own.difficulty.map(|own| own.json().0),
            "basis": own.difficulty.map(|own| own.json().1),
            "nearest": own.nearest.as_ref().map(|nearest| json!({ "program": &*nearest.program, "edits": nearest.edits })),
        })
    };
    json!({ "format": "goalspec-grading-1", "goals": goals.iter().map(goal).collect::<Vec<_>>() })
}
