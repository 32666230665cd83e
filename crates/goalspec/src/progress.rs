//! Progress towards goals.

use std::sync::Arc;

use goalspec_bddl::ground::GroundGoal;
use goalspec_bddl::options::{self, OptionSolver};
use goalspec_bddl::progress::{self, Fraction};
use goalspec_core::goal::GoalVerdict;
use goalspec_core::ids::{ObjectId, PredicateId};
use goalspec_core::state::State;
use goalspec_core::world::World;

use crate::program::Activity;

/// The progress towards a goal in a state.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Progress {
    /// The fraction of the goal that is reached, from 0 to 1.
    ///
    /// In dialects that follow a release, it is the largest fraction of true literals among the options that the release lists.
    /// In the other dialects, it is the fraction of true literals in the option with the fewest false ones, which is 1 exactly if
    /// the goal holds; of several such options, the one with the most true literals counts. If that option is not known
    /// for certain, it is the fraction of any option with the fewest false literals, and if no option is known, the fraction of
    /// conjuncts that hold. A remark reports these two cases.
    pub fraction: f64,
    /// The minimum number of literals that must change for the goal to hold; `None` if it is not known.
    pub unsatisfied_literals: Option<u32>,
}

/// A meter of the progress towards one goal.
#[derive(Debug, Clone)]
pub(crate) struct ProgressMeter {
    /// The atoms of the goal; `None` for atoms that the world does not have.
    atoms: Vec<Option<(PredicateId, Vec<ObjectId>)>>,
    scale: ProgressMeasure,
}

/// The quantity by which progress is measured.
#[derive(Debug, Clone)]
enum ProgressMeasure {
    /// The literals of the options.
    Options(Arc<dyn OptionSolver>),
    /// The conjuncts, for goals that cannot be grounded or whose options are too varied, with the reason.
    Conjuncts(String),
}

impl ProgressMeter {
    /// Creates the meter of an activity's goal.
    pub(crate) fn new(activity: &Activity, world: &World) -> Self {
        let goal = match GroundGoal::new(&activity.problem) {
            Ok(goal) => goal,
            Err(error) => return Self { atoms: Vec::new(), scale: ProgressMeasure::Conjuncts(error.to_string()) },
        };
        let scale = match options::solver(&goal, activity.dialect) {
            Ok(options) => ProgressMeasure::Options(options),
            Err(error) => ProgressMeasure::Conjuncts(error.to_string()),
        };
        let atom = |atom: &goalspec_bddl::ground::GroundAtom| {
            let objects = atom.arguments.iter().map(|name| world.object_named(name)).collect::<Option<_>>()?;
            Some((world.predicate_named(&atom.predicate)?, objects))
        };
        Self { atoms: goal.atoms.iter().map(atom).collect(), scale }
    }

    /// Returns remarks on the measure in a state, and a remark that the score of the challenge is not known if `unknown` is set.
    pub(crate) fn remarks(&self, state: &State, unknown: bool) -> Vec<String> {
        match &self.scale {
            ProgressMeasure::Options(options) if !options.is_exact() => Vec::new(),
            ProgressMeasure::Options(options) => {
                let open = options.nearest(&self.atom_values(state)).is_some_and(|nearest| !nearest.proven);
                let score = "the score is that of one of the options with the fewest unsatisfied literals: \
                    a longer option may have as few";
                let challenge = "the score of the challenge is unknown: the options are too varied";
                let remarks = [(open, score), (unknown, challenge)].into_iter().filter(|(applies, _)| *applies);
                remarks.map(|(_, remark)| remark.to_owned()).collect()
            }
            ProgressMeasure::Conjuncts(reason) => {
                vec![format!("the score is the proportion of satisfied conjuncts: {reason}")]
            }
        }
    }

    /// Returns the truth values of the goal's atoms in a state; empty if the goal could not be grounded.
    pub(crate) fn atom_values(&self, state: &State) -> Vec<bool> {
        let holds = |(predicate, objects): &(PredicateId, Vec<ObjectId>)| state.fact(*predicate, objects);
        self.atoms.iter().map(|atom| atom.as_ref().is_some_and(holds)).collect()
    }

    /// Returns the score of the BEHAVIOR challenge in a state with this verdict, given the truth values of the atoms at the
    /// start; `None` if the options of the goal are not known.
    pub(crate) fn challenge(&self, verdict: &GoalVerdict, start: &[bool], state: &State) -> Option<f64> {
        let proportion = match &self.scale {
            _ if verdict.satisfied => Fraction::ONE,
            ProgressMeasure::Options(options) => {
                progress::challenge_score(&**options, start, &self.atom_values(state))?
            }
            ProgressMeasure::Conjuncts(_) => return None,
        };
        Some(proportion.value())
    }

    /// Returns the progress in a state with this verdict.
    pub(crate) fn progress(&self, verdict: &GoalVerdict, state: &State) -> Progress {
        let distance = verdict.satisfied.then_some(0);
        match &self.scale {
            ProgressMeasure::Options(options) => {
                let atoms = self.atom_values(state);
                if !options.is_exact() {
                    // The options of a release do not determine how many literals must change.
                    let fraction = progress::progress(&**options, &atoms).value();
                    return Progress { fraction, unsatisfied_literals: distance };
                }
                let Some(nearest) = options.nearest(&atoms) else { return Progress::default() };
                let proportion = Fraction::new(nearest.counted, nearest.counted + nearest.others);
                Progress { fraction: proportion.value(), unsatisfied_literals: Some(nearest.others as u32) }
            }
            ProgressMeasure::Conjuncts(_) => {
                let fraction = match verdict.conjuncts.len() {
                    0 => f64::from(u8::from(verdict.satisfied)),
                    total => verdict.conjuncts.count_ones(..) as f64 / total as f64,
                };
                Progress { fraction, unsatisfied_literals: distance }
            }
        }
    }
}
