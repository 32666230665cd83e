//! How much of a goal is reached.

use goalspec_bddl::ground::GroundGoal;
use goalspec_bddl::options::Structure;
use goalspec_bddl::options::release::{self, Conjunction};
use goalspec_bddl::progress::{self, Share};
use goalspec_core::goal::GoalVerdict;
use goalspec_core::ids::{ObjectId, PredicateId};
use goalspec_core::state::State;
use goalspec_core::world::World;

use crate::program::Activity;

/// How much of a goal is reached in a state.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Progress {
    /// From 0 to 1. By the dialects that follow a release, the largest share of true literals among the options that the release
    /// lists; by the others, 1 exactly where the goal holds: the share of true literals in the option that lacks the fewest. Where
    /// that is not known for certain, it is the share of an option that lacks as few, and where no option is known, the share of
    /// conjuncts that hold; a remark says so.
    pub fraction: f64,
    /// How many literals have to change, at the least, until the goal holds; none where that is not known.
    pub missing: Option<u32>,
}

/// Reads off states how much of one goal is reached in them.
#[derive(Debug)]
pub(crate) struct Meter {
    /// The atoms of the goal; none of those of which the world does not know.
    atoms: Vec<Option<(PredicateId, Vec<ObjectId>)>>,
    scale: Scale,
}

#[derive(Debug)]
enum Scale {
    /// The literals of the nearest option.
    Options(Structure),
    /// Those of the options that a release lists.
    Release(Vec<Conjunction>),
    /// The conjuncts, and why: of the goals that cannot be taken apart, or whose options are too varied.
    Conjuncts(String),
}

impl Meter {
    /// The meter of an activity's goal.
    pub(crate) fn new(activity: &Activity, world: &World) -> Self {
        let goal = match GroundGoal::new(&activity.problem) {
            Ok(goal) => goal,
            Err(error) => return Self { atoms: Vec::new(), scale: Scale::Conjuncts(error.to_string()) },
        };
        let scale = match activity.dialect.release() {
            Some(release) => release::of_goal(&goal, release).map(Scale::Release).map_err(|error| error.to_string()),
            None => Structure::of(&goal, activity.dialect).map(Scale::Options).map_err(|error| error.to_string()),
        };
        let scale = scale.unwrap_or_else(Scale::Conjuncts);
        let atom = |atom: &goalspec_bddl::ground::GroundAtom| {
            let objects = atom.arguments.iter().map(|name| world.object_named(name)).collect::<Option<_>>()?;
            Some((world.predicate_named(&atom.predicate)?, objects))
        };
        Self { atoms: goal.atoms.iter().map(atom).collect(), scale }
    }

    /// What is to be said of the measure itself in a state, and of the score of the challenge if that should be known and is not.
    pub(crate) fn remarks(&self, state: &State, unknown: bool) -> Vec<String> {
        match &self.scale {
            Scale::Release(_) => Vec::new(),
            Scale::Options(options) => {
                let open = options.nearest(&self.truths(state)).is_some_and(|nearest| !nearest.proven);
                let score = "the score is the share of one of the options that lack the fewest literals: \
                    whether a longer one lacks no more is not known";
                let challenge = "the score of the challenge is not known: the options are too varied";
                let said = [(open, score), (unknown, challenge)].into_iter().filter(|(said, _)| *said);
                said.map(|(_, remark)| remark.to_owned()).collect()
            }
            Scale::Conjuncts(reason) => vec![format!("the score is the share of conjuncts that hold: {reason}")],
        }
    }

    /// Which atoms of the goal hold in a state; none where options are not counted.
    pub(crate) fn truths(&self, state: &State) -> Vec<bool> {
        let holds = |(predicate, objects): &(PredicateId, Vec<ObjectId>)| state.fact(*predicate, objects);
        self.atoms.iter().map(|atom| atom.as_ref().is_some_and(holds)).collect()
    }

    /// The score of the BEHAVIOR challenge for a state on which the verdict is known, given the atoms that held at the start; none
    /// where the options of the goal are not known.
    pub(crate) fn challenge(&self, verdict: &GoalVerdict, start: &[bool], state: &State) -> Option<f64> {
        let share = match &self.scale {
            _ if verdict.satisfied => Share::ALL,
            Scale::Options(options) => progress::challenge(options, start, &self.truths(state))?,
            Scale::Release(options) => progress::release_challenge(options, start, &self.truths(state)),
            Scale::Conjuncts(_) => return None,
        };
        Some(share.value())
    }

    /// How much is reached in a state on which the verdict is known.
    pub(crate) fn read(&self, verdict: &GoalVerdict, state: &State) -> Progress {
        let known = verdict.satisfied.then_some(0);
        match &self.scale {
            Scale::Options(options) => {
                let Some(nearest) = options.nearest(&self.truths(state)) else { return Progress::default() };
                let share = Share::new(nearest.counted, nearest.counted + nearest.others);
                Progress { fraction: share.value(), missing: Some(nearest.others as u32) }
            }
            Scale::Release(options) => {
                Progress { fraction: progress::release_reward(options, &self.truths(state)).value(), missing: known }
            }
            Scale::Conjuncts(_) => {
                let fraction = match verdict.conjuncts.len() {
                    0 => f64::from(u8::from(verdict.satisfied)),
                    all => verdict.conjuncts.count_ones(..) as f64 / all as f64,
                };
                Progress { fraction, missing: known }
            }
        }
    }
}
