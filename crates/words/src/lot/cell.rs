//! The result of a method on a view of a problem.

use std::fmt;

use goalspec_lot::View;
use goalspec_lot::plan::Move;
use serde::{Deserialize, Serialize};

/// A way to use a language model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The model translates the initial state and the goal; a planner plans.
    Translate,
    /// The model plans.
    Direct,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 2] = [Self::Translate, Self::Direct];

    /// Returns the name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Translate => "translate",
            Self::Direct => "direct",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The comparison of a translated goal with the true one, as sets of facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GoalComparison {
    /// The same facts.
    #[serde(rename = "=")]
    Exact,
    /// Additional facts.
    #[serde(rename = ">")]
    Superset,
    /// A part of the facts.
    #[serde(rename = "<")]
    Subset,
    /// Other facts.
    #[serde(rename = "#")]
    Other,
}

impl GoalComparison {
    /// Returns the sign in results.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Exact => "=",
            Self::Superset => ">",
            Self::Subset => "<",
            Self::Other => "#",
        }
    }
}

/// The first kind of fault that a translation or plan has, in the order of the variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The reply was cut or refused.
    IncompleteReply,
    /// The reply is not a list of facts.
    Unreadable,
    /// An object is not declared.
    UndeclaredObject,
    /// The initial state is not an arrangement.
    NotAnArrangement,
    /// The goal contradicts itself.
    ContradictoryGoal,
    /// The number of facts differs from the number of sentences.
    FactCount,
    /// The facts differ from the text otherwise.
    DifferentFacts,
    /// A line of a plan is skipped: it is not an action, or not applicable.
    SkippedLine,
    /// The goal does not hold after the plan.
    GoalNotReached,
}

impl Fault {
    /// Returns the description in tables.
    pub fn description(self) -> &'static str {
        match self {
            Self::IncompleteReply => "reply cut or refused",
            Self::Unreadable => "reply not a list of facts",
            Self::UndeclaredObject => "object not declared",
            Self::NotAnArrangement => "initial state no arrangement",
            Self::ContradictoryGoal => "goal contradicts itself",
            Self::FactCount => "number of facts differs",
            Self::DifferentFacts => "other facts than the text",
            Self::SkippedLine => "line of the plan skipped",
            Self::GoalNotReached => "goal not reached",
        }
    }
}

/// The comparison of a translation with the true facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranslationMeasures {
    /// Whether the initial state has the true facts.
    pub initial_exact: bool,
    /// The comparison of the goal with the true one.
    pub goal: GoalComparison,
    /// Whether the initial state is exact, and the same arrangements satisfy the goal as the true one.
    pub equivalent: bool,
    /// The findings of the checks, in words; empty for an exact translation.
    pub finding: String,
}

impl TranslationMeasures {
    /// Whether state and goal have the true facts.
    pub fn is_exact(&self) -> bool {
        self.initial_exact && self.goal == GoalComparison::Exact
    }
}

/// The numbers of lines of an executed plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PlanLineCounts {
    /// Executed actions.
    pub applied: usize,
    /// Actions that are not applicable.
    pub inapplicable: usize,
    /// Actions that name unknown objects.
    pub unknown: usize,
    /// Lines that are not actions.
    pub unparsed: usize,
}

impl PlanLineCounts {
    /// Returns the number of actions.
    pub fn actions(self) -> usize {
        self.applied + self.ignored()
    }

    /// Returns the number of actions that were skipped.
    pub fn ignored(self) -> usize {
        self.inapplicable + self.unknown
    }
}

/// The verdict on the replies for a view of a problem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether the goal holds after the plan.
    pub solved: bool,
    /// Whether it does if the first skipped line fails the plan.
    pub solved_strictly: bool,
    /// The plan; of a direct plan, its actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Vec<Move>>,
    /// The lines of the plan.
    pub lines: PlanLineCounts,
    /// Measures of the translation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translation: Option<TranslationMeasures>,
    /// The first kind of fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// The reason why there is no plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_plan: Option<String>,
}

/// The result of a method on a view of a problem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The id of the problem.
    pub id: String,
    /// The digest of the problem ([`StackingProblem::digest`](goalspec_lot::StackingProblem::digest)), as different sets number their
    /// problems alike.
    pub problem: String,
    /// The view.
    pub view: View,
    /// The method.
    pub method: Method,
    /// The model.
    pub model: String,
    /// Whether the replies were constrained by a grammar.
    pub constrained: bool,
    /// The maximum number of repair turns of a reply.
    pub max_repairs: usize,
    /// The length of the shortest plan of the true problem, if known.
    pub optimal_length: Option<usize>,
    /// Whether the goal holds at the start, so that doing nothing succeeds.
    pub holds_initially: bool,
    /// The verdict on the first replies; `None` if a call failed.
    pub first: Option<Verdict>,
    /// The verdict on the last replies, after repairs.
    pub last: Option<Verdict>,
    /// The number of replies that ended at the limit of tokens.
    pub cut: usize,
    /// The number of repair turns.
    pub repairs: usize,
    /// The number of tokens of all prompts.
    pub input_tokens: u64,
    /// The number of tokens of all replies.
    pub output_tokens: u64,
    /// The cost, if prices are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// The error of a call that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Cell {
    /// Whether the goal holds after the plan.
    pub fn is_solved(&self) -> bool {
        self.last.as_ref().is_some_and(|verdict| verdict.solved)
    }

    /// Returns the result by strict rules, under which the first skipped line of a plan fails it.
    #[must_use]
    pub fn strictly(mut self) -> Self {
        for verdict in [&mut self.first, &mut self.last].into_iter().flatten() {
            verdict.solved = verdict.solved_strictly;
        }
        self
    }

    /// Whether the problem was solved although its translation is not exact.
    pub fn is_lucky(&self) -> bool {
        self.is_solved() && self.translation().is_some_and(|translation| !translation.is_exact())
    }

    /// Returns the measures of the translation.
    pub fn translation(&self) -> Option<&TranslationMeasures> {
        self.last.as_ref()?.translation.as_ref()
    }
}
