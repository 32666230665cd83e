//! Constraints on the replies of a task.
//!
//! A constraint is sent only if the profile of the server has an option for it, and every constrained reply is checked again: servers drop
//! options that they do not know.

use std::sync::Arc;

use goalspec_constraints::constraint::ReplyChecker;
use goalspec_constraints::{CheckedNotation, OutputConstraint};
use goalspec_llm::{Constraint, ConstraintKind, ConstraintStatus, Matcher, Reply, Request};

use crate::candidate::Stage;
use crate::codes;
use crate::finding::{Finding, Weight};

/// The notation in which replies are constrained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConstraintMode {
    /// A grammar, in GBNF or Lark's notation.
    Grammar,
    /// A JSON schema.
    Schema,
}

impl ConstraintMode {
    /// Returns the name on the command line and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grammar => "grammar",
            Self::Schema => "schema",
        }
    }
}

/// A constraint with its notation, as a task sends it.
#[derive(Debug, Clone)]
pub struct ReplyConstraint {
    /// The mode.
    pub mode: ConstraintMode,
    constraint: Arc<OutputConstraint>,
    checker: Arc<ReplyChecker>,
}

impl ReplyConstraint {
    /// Creates the constraint on the replies of a task.
    pub fn new(constraint: OutputConstraint, mode: ConstraintMode) -> Self {
        let checker = Arc::new(constraint.checker());
        Self { mode, constraint: Arc::new(constraint), checker }
    }

    /// Returns the request with the constraint. The beginning of a reply is not given, since a grammar derives whole replies.
    pub fn apply(&self, request: Request) -> Request {
        let constraints = match self.mode {
            ConstraintMode::Grammar => {
                let texts =
                    [self.constraint.gbnf().map(Constraint::Gbnf), self.constraint.lark().map(Constraint::Lark)];
                texts.into_iter().flatten().collect()
            }
            ConstraintMode::Schema => vec![Constraint::JsonSchema {
                name: self.constraint.name().to_owned(),
                schema: self.constraint.schema().value().clone(),
            }],
        };
        let matcher: Arc<dyn Matcher> = Arc::new(Checker(Arc::clone(&self.checker)));
        Request { constraints, matcher: Some(matcher), prefill: None, ..request }
    }

    /// Returns the program in a reply: the text, or that of a JSON value. Replies that are no values of the schema are left as they are.
    pub fn program(&self, reply: &str) -> String {
        let value = match self.mode {
            ConstraintMode::Grammar => None,
            ConstraintMode::Schema => serde_json::from_str(reply).ok(),
        };
        value.and_then(|value| self.constraint.program(&value).ok()).unwrap_or_else(|| reply.to_owned())
    }
}

struct Checker(Arc<ReplyChecker>);

impl Matcher for Checker {
    fn check(&self, kind: ConstraintKind, text: &str) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let notation = match kind {
            ConstraintKind::JsonSchema => CheckedNotation::Schema,
            ConstraintKind::Gbnf | ConstraintKind::Lark => CheckedNotation::Grammar,
        };
        Ok(self.0.check(notation, text)?)
    }
}

/// Returns the finding about a reply that does not match the constraint that was sent. No repair helps: the server ignores constraints.
pub(crate) fn violation(reply: &Reply) -> Option<Finding> {
    let ConstraintStatus::Violated(kind, reason) = &reply.constraint else { return None };
    let message = format!("constraint not honoured: the reply does not match the {kind} constraint: {reason}");
    let finding = Finding::new(Stage::Replied, codes::CONSTRAINT_IGNORED.0, Weight::Note, message);
    Some(finding.with_help("`goalspec llm probe` shows which constraints the server honours"))
}
