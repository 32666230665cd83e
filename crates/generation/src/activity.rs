//! New household activities from examples: goals with the initial states that they are about.
//!
//! An activity takes its scene from an example: its objects with their places. Some categories of things are exchanged for others that play
//! the same roles in the examples, and some things are added or removed with their places. The goal has conjuncts of the shapes that goals
//! of the examples have, about the categories of the scene.
//!
//! A category plays a role if some example has it as the argument of a predicate at a position. So new activities say nothing of a thing
//! that no example says of things of its category, whether or not there is a knowledge base.
//!
//! Drafts can still violate the rules of the language, such as those about placement; the caller checks each one and makes another.
//!
//! | module | contents |
//! |---|---|
//! | `goals` | conjuncts of goals with other categories |
//! | `roles` | the roles that categories play |
//! | `scene` | objects and their places |
//! | `text` | activities as texts |

mod goals;
mod roles;
mod scene;
mod text;

use std::fmt;
use std::sync::Arc;

use goalspec_bddl::ast::{Expr, Problem};
use goalspec_generator::RandomStream;

use self::goals::conjuncts;
use self::roles::Roles;
use self::scene::Scene;

/// The number of drafts that are made for one activity.
pub const MAX_DRAFTS: u32 = 400;

/// The number of conjuncts that are tried for each conjunct of a goal.
const MAX_TRIES: u32 = 24;

/// An activity from which new ones take their scenes and conjuncts.
#[derive(Debug, Clone)]
pub struct ActivityExample {
    /// The name of its program.
    pub name: Arc<str>,
    /// The syntax tree, without wildcards.
    pub problem: Arc<Problem>,
}

/// The reason why no activities can be made from examples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActivityGenerationError {
    /// There is no example.
    NoExample,
    /// An example has sections of LIBERO's problems, which are not made.
    Libero(Arc<str>),
    /// The examples have different domains.
    Domains(Vec<String>),
}

impl fmt::Display for ActivityGenerationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoExample => f.write_str("the examples contain no activity with a goal"),
            Self::Libero(name) => {
                write!(f, "`{name}` cannot be an example: problems of LIBERO, whose regions are measured, are not made")
            }
            Self::Domains(names) => {
                write!(f, "the examples have several domains: {}; pass those of one domain", names.join(", "))
            }
        }
    }
}

impl std::error::Error for ActivityGenerationError {}

/// The way in which a variation differs from its example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoalChange {
    /// A conjunct is replaced by another.
    Replace,
    /// A conjunct is added.
    Add,
    /// A conjunct is removed.
    Remove,
    /// A category of things is exchanged for another, in the whole activity.
    Exchange,
}

impl GoalChange {
    /// All changes.
    pub const ALL: [Self; 4] = [Self::Replace, Self::Add, Self::Remove, Self::Exchange];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Replace => "replace",
            Self::Add => "add",
            Self::Remove => "remove",
            Self::Exchange => "exchange",
        }
    }
}

/// A new activity that has not been checked yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivityDraft {
    /// Its text.
    pub text: String,
    /// The name of the example that it is made from.
    pub example: Arc<str>,
    /// The change by which it differs from the example; `None` for a new goal.
    pub change: Option<GoalChange>,
}

/// A generator of activities.
#[derive(Debug, Clone)]
pub struct ActivityGenerator {
    examples: Vec<ActivityExample>,
    roles: Roles,
}

impl ActivityGenerator {
    /// Creates a generator from examples.
    ///
    /// # Errors
    /// If there are no examples with goals, or if they have several domains.
    pub fn new(examples: Vec<ActivityExample>) -> Result<Self, ActivityGenerationError> {
        if let Some(libero) = examples.iter().find(|example| example.problem.libero.is_some()) {
            return Err(ActivityGenerationError::Libero(libero.name.clone()));
        }
        let examples: Vec<ActivityExample> =
            examples.into_iter().filter(|example| !example.problem.goal.is_empty()).collect();
        if examples.is_empty() {
            return Err(ActivityGenerationError::NoExample);
        }
        let domain = |example: &ActivityExample| {
            example.problem.domain.as_ref().map_or_else(String::new, |domain| format!("`{}`", domain.text))
        };
        let mut domains: Vec<String> = examples.iter().map(domain).collect();
        domains.sort_unstable();
        domains.dedup();
        if domains.len() > 1 {
            return Err(ActivityGenerationError::Domains(domains));
        }
        let roles = Roles::of(examples.iter().map(|example| &*example.problem));
        Ok(Self { examples, roles })
    }

    /// Returns the number of examples.
    pub fn example_count(&self) -> usize {
        self.examples.len()
    }

    /// Drafts a new activity with this name; `None` if no conjunct fits the scene.
    pub fn draft(&self, name: &str, stream: &mut RandomStream) -> Option<ActivityDraft> {
        let example = &self.examples[stream.below(self.examples.len() as u64) as usize];
        let mut scene = Scene::of(&example.problem);
        scene.exchange_some(&self.roles, stream);
        scene.resize_some(stream);
        let length = self.examples[stream.below(self.examples.len() as u64) as usize].problem.goal.len();
        let mut goal: Vec<Expr> = Vec::new();
        for _ in 0..length {
            goal.extend(self.conjunct(&scene, &goal, stream));
        }
        let is_new = !goal.is_empty() && goal != example.problem.goal;
        is_new.then(|| finished(name, (example, &scene), &goal, None))
    }

    /// Drafts a variation of an example, by its index, with one of some changes; `None` if the change is not possible.
    pub fn draft_variation(
        &self,
        name: &str,
        example: usize,
        changes: &[GoalChange],
        stream: &mut RandomStream,
    ) -> Option<ActivityDraft> {
        let example = self.examples.get(example)?;
        let change = *changes.get(stream.below(changes.len() as u64) as usize)?;
        let mut scene = Scene::of(&example.problem);
        let mut goal = example.problem.goal.clone();
        let place = stream.below(goal.len() as u64) as usize;
        match change {
            GoalChange::Replace => {
                goal.remove(place);
                let new = self.conjunct(&scene, &goal, stream)?;
                goal.insert(place, new);
            }
            GoalChange::Add => {
                let new = self.conjunct(&scene, &goal, stream)?;
                goal.push(new);
            }
            GoalChange::Remove => {
                goal.remove(place);
            }
            GoalChange::Exchange => {
                let (old, new) = scene.exchange_one(&self.roles, stream)?;
                for conjunct in &mut goal {
                    goals::exchange(conjunct, &old, &new);
                }
            }
        }
        let is_new = !goal.is_empty() && goal != example.problem.goal;
        is_new.then(|| finished(name, (example, &scene), &goal, Some(change)))
    }

    /// Returns a conjunct about a scene that the goal does not have yet.
    fn conjunct(&self, scene: &Scene, goal: &[Expr], stream: &mut RandomStream) -> Option<Expr> {
        (0..MAX_TRIES).find_map(|_| {
            let example = &self.examples[stream.below(self.examples.len() as u64) as usize].problem;
            let place = stream.below(example.goal.len() as u64) as usize;
            let made = conjuncts::fitted(&example.goal[place], example, scene, &self.roles, stream)?;
            (!goal.contains(&made)).then_some(made)
        })
    }
}

/// Returns a draft.
fn finished(
    name: &str,
    (example, scene): (&ActivityExample, &Scene),
    goal: &[Expr],
    change: Option<GoalChange>,
) -> ActivityDraft {
    let domain = example.problem.domain.as_ref().map_or("", |domain| &*domain.text);
    let text = text::activity(name, domain, scene, goal);
    ActivityDraft { text, example: example.name.clone(), change }
}
