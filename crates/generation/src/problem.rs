//! New planning problems from examples over one domain: solvable by construction.
//!
//! A problem takes its objects from an example. Its initial state is the end of a random walk from the initial state of the example, so
//! that whatever the actions preserve still holds, and its goal holds in the state that a further walk reaches: the walk is a plan. The
//! goal has the literals of the example's goal with other arguments, each of the same kind as in some example: of the same type, with the
//! same predicates that no action changes.
//!
//! | module | contents |
//! |---|---|
//! | `shape` | the literals of goals, and the kinds of objects in them |
//! | `walk` | random walks that avoid states they have seen |
//! | `text` | problems as texts |

mod shape;
mod text;
mod walk;

use std::fmt;
use std::sync::Arc;

use goalspec_core::explain::CoreNotation;
use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::plan::{Plan, PlanStep};
use goalspec_core::planning::task::Task;
use goalspec_core::planning::validate::validate;
use goalspec_core::program::Goal;
use goalspec_generator::RandomStream;
use goalspec_planner::ground::GroundError;
use goalspec_planner::walk::Walk;

use self::shape::{GoalKinds, GoalLiteral, GoalShape};
pub use self::text::ProblemNames;
use self::walk::random_walk;

/// The number of walks that are tried for one problem.
pub const MAX_WALKS: u32 = 32;

/// Maximum number of joins by which the steps of the walks for one problem are found: some seconds of work.
pub const MAX_PROBLEM_JOINS: u64 = 20_000_000;

/// The number of walks without a goal after which walks become twice as long.
const WALKS_OF_A_LENGTH: u32 = 8;

/// Maximum number of steps of a walk.
pub const MAX_WALK_STEPS: u32 = 10_000;

/// A problem from which new ones take their objects and the literals of their goals.
#[derive(Debug, Clone)]
pub struct ProblemExample {
    /// The name of its program.
    pub name: Arc<str>,
    /// The task.
    pub task: Arc<Task>,
    /// The spelling of its names, and the parts of its text that new problems keep.
    pub names: ProblemNames,
    /// The functions that conditions and effects of actions read, by index; set by the generator.
    needed_functions: Vec<bool>,
}

impl ProblemExample {
    /// Creates an example. Trajectory constraints and preferences of the task are left out: new problems have none.
    pub fn new(name: Arc<str>, task: &Task, names: ProblemNames) -> Self {
        let task = Task { constraints: Vec::new(), preferences: Vec::new(), ..task.clone() };
        Self { name, task: Arc::new(task), names, needed_functions: Vec::new() }
    }

    /// Returns what the domain is known by: its name, and the names of its predicates and actions.
    fn domain(&self) -> (String, Vec<&str>) {
        let predicates = self.task.world.predicates().iter().map(|own| &*own.name);
        let actions = self.task.actions.iter().map(|own| &*own.name);
        (self.names.domain.to_ascii_lowercase(), predicates.chain(actions).collect())
    }
}

/// The size of new problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProblemOptions {
    /// The maximum number of steps from the new initial state to the goal, and from the example's initial state to the new one. It is doubled
    /// whenever eight walks have reached no goal.
    pub steps: u32,
    /// Whether the initial state is that of the example.
    pub keeps_initial_state: bool,
}

impl Default for ProblemOptions {
    fn default() -> Self {
        Self { steps: 20, keeps_initial_state: false }
    }
}

/// The reason why no problems can be made from examples.
#[derive(Debug, Clone, PartialEq)]
pub enum ProblemGenerationError {
    /// There is no example.
    NoExample,
    /// The examples have different domains.
    Domains(Vec<String>),
    /// The steps of an example cannot be enumerated.
    Steps {
        /// The name of the example.
        name: String,
        /// The reason.
        reason: GroundError,
    },
    /// No action is applicable in the initial state of an example, or none changes anything.
    NoChange {
        /// The name of the example.
        name: String,
    },
}

impl fmt::Display for ProblemGenerationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoExample => f.write_str("the examples contain no planning problem"),
            Self::Domains(names) => {
                write!(f, "the examples have several domains: {}; pass those of one domain", names.join(", "))
            }
            Self::Steps { name, reason } => write!(f, "`{name}` cannot be an example: {reason}"),
            Self::NoChange { name } => {
                write!(f, "`{name}` cannot be an example: no action changes anything in its initial state")
            }
        }
    }
}

impl std::error::Error for ProblemGenerationError {}

/// A new problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedProblem {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// A plan, as text: the end of the walk by which it was made.
    pub plan: Vec<String>,
    /// The name of the example that it is made from.
    pub example: Arc<str>,
}

/// A generator of problems over one domain.
#[derive(Debug, Clone)]
pub struct ProblemGenerator {
    examples: Vec<(ProblemExample, GoalShape)>,
    kinds: GoalKinds,
    options: ProblemOptions,
}

impl ProblemGenerator {
    /// Creates a generator from examples.
    ///
    /// # Errors
    /// If there are no examples, if they have several domains, or if nothing happens in one of them.
    pub fn new(examples: Vec<ProblemExample>, options: ProblemOptions) -> Result<Self, ProblemGenerationError> {
        let Some(first) = examples.first() else { return Err(ProblemGenerationError::NoExample) };
        if examples.iter().any(|example| example.domain() != first.domain()) {
            let mut names: Vec<String> = examples.iter().map(|example| format!("`{}`", example.names.domain)).collect();
            names.sort_unstable();
            names.dedup();
            return Err(ProblemGenerationError::Domains(names));
        }
        let mut kinds = GoalKinds::default();
        let mut shaped = Vec::new();
        for mut example in examples {
            let name = || example.name.to_string();
            let begin = |mut walk: Walk<'_, '_, '_>| {
                let changes_nothing =
                    !walk.applicable().iter().any(|(_, effects)| walk::changes_anything(&walk, effects));
                (changes_nothing, walk.changing().to_vec(), walk.needed_functions().to_vec())
            };
            let (changes_nothing, changing, needed_functions) = Walk::with(&example.task, begin)
                .map_err(|reason| ProblemGenerationError::Steps { name: name(), reason })?;
            if changes_nothing {
                return Err(ProblemGenerationError::NoChange { name: name() });
            }
            example.needed_functions = needed_functions;
            let shape = GoalShape::of(&example.task, &changing);
            kinds.add(&example.task, &shape);
            shaped.push((example, shape));
        }
        let options = ProblemOptions { steps: options.steps.clamp(1, MAX_WALK_STEPS), ..options };
        Ok(Self { examples: shaped, kinds, options })
    }

    /// Makes the problem with an index. The seed and the index determine it. Returns `None` if no walk reaches a state with a goal like those
    /// of the examples.
    pub fn sample(&self, seed: u64, index: u64) -> Option<GeneratedProblem> {
        let mut stream = RandomStream::new(seed, index);
        let place = stream.below(self.examples.len() as u64) as usize;
        self.made(&format!("sample-{seed}-{index}"), place, &mut stream)
    }

    /// Returns the number of examples.
    pub fn example_count(&self) -> usize {
        self.examples.len()
    }

    /// Makes the problem with an index from one example. Returns `None` if no walk reaches a state with a goal like those of the examples.
    pub fn vary(&self, example: usize, (seed, index): (u64, u64)) -> Option<GeneratedProblem> {
        let name = &self.examples.get(example)?.0.task.name;
        self.made(&format!("{name}-{seed}-{index}"), example, &mut RandomStream::new(seed, index))
    }

    fn made(&self, name: &str, place: usize, stream: &mut RandomStream) -> Option<GeneratedProblem> {
        let (example, shape) = &self.examples[place];
        let made = Walk::with(&example.task, |mut walk| {
            let origin = walk.execution().clone();
            (0..MAX_WALKS).find_map(|number| {
                if walk.joins() > MAX_PROBLEM_JOINS {
                    return None;
                }
                walk.set_execution(origin.clone());
                let longest = u64::from(self.options.steps) << (number / WALKS_OF_A_LENGTH);
                self.attempt((example, shape), longest, &mut walk, stream)
            })
        });
        let (initial, literals, steps) = made.ok()??;
        let text = text::problem(name, example, &initial, &literals);
        let plan = steps.iter().map(|step| example.names.step_text(&example.task, step)).collect();
        Some(GeneratedProblem { name: name.to_owned(), text, plan, example: example.name.clone() })
    }

    /// Makes a problem by one walk: its initial state, its goal and a plan.
    fn attempt<'t>(
        &self,
        (example, shape): (&'t ProblemExample, &GoalShape),
        longest: u64,
        walk: &mut Walk<'_, '_, 't>,
        stream: &mut RandomStream,
    ) -> Option<(Execution<'t>, Vec<GoalLiteral>, Vec<PlanStep>)> {
        if !self.options.keeps_initial_state {
            let count = stream.below(longest + 1) as usize;
            random_walk(walk, count, stream);
        }
        let initial = walk.execution().clone();
        let count = 1 + stream.below(longest) as usize;
        let steps = random_walk(walk, count, stream);
        let literals = self.kinds.goal(&example.task, shape, (&initial, walk.execution()), stream)?;
        if shape.has_literals(&literals) && text::is_initial(example, &initial) {
            return None;
        }
        let plan = shortened(example, &initial, &literals, steps)?;
        Some((initial, literals, plan))
    }
}

/// Returns the shortest beginning of a walk that reaches a goal, confirmed by the validation of plans; `None` if the goal holds at once.
fn shortened(
    example: &ProblemExample,
    initial: &Execution<'_>,
    literals: &[GoalLiteral],
    mut steps: Vec<PlanStep>,
) -> Option<Vec<PlanStep>> {
    let task = &*example.task;
    let mut execution = initial.clone();
    let holds = |execution: &Execution<'_>| literals.iter().all(|literal| literal.holds(execution.state()));
    if holds(&execution) {
        return None;
    }
    let length = steps.iter().position(|step| {
        let effects = execution.step_effects(step);
        if let Some(effects) = &effects {
            execution.restore(effects);
        }
        holds(&execution)
    })? + 1;
    steps.truncate(length);
    let goal = Goal { conjuncts: literals.iter().map(GoalLiteral::conjunct).collect(), ..task.goal.clone() };
    let task = Task {
        initial: text::initial_delta(example, initial),
        goal,
        constraints: Vec::new(),
        preferences: Vec::new(),
        metric: None,
        ..task.clone()
    };
    let plan = Plan { steps };
    let is_valid = validate(&task, &plan, &CoreNotation).is_ok_and(|validation| validation.is_valid());
    is_valid.then_some(plan.steps)
}
