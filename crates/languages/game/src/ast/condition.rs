//! Conditions: their nodes and keywords, traversal, and their text in the notation of the language.

use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::mem::discriminant;

use goalspec_core::condition::ComparisonOperator;
use goalspec_syntax::Span;

use super::visit::{Node as _, Visitor, walk_error, within};
use super::{ErrorNode, Name, NodeSpan, NodeStatus, TypedVariables, hash_number};

/// The keywords that may start a condition.
pub const CONDITION_KEYWORDS: [&str; 10] = ["and", "or", "not", "exists", "forall", "<", "<=", "=", ">=", ">"];

/// A condition over a single state ("super-predicate" in the grammar of the language).
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Condition {
    /// A conjunction: `(and ..)`.
    And(Vec<Condition>, NodeSpan),
    /// A disjunction: `(or ..)`.
    Or(Vec<Condition>, NodeSpan),
    /// A negation: `(not ..)`.
    Not(Box<Condition>, NodeSpan),
    /// An existential quantifier: `(exists (..) ..)`.
    Exists(Vec<TypedVariables>, Box<Condition>, NodeSpan),
    /// A universal quantifier: `(forall (..) ..)`.
    Forall(Vec<TypedVariables>, Box<Condition>, NodeSpan),
    /// A comparison of two operands: `(< a b)`, also with `<=`, `=`, `>=` or `>`.
    Compare(ComparisonOperator, Box<[Operand; 2]>, NodeSpan),
    /// An equality of one operand or of more than two: `(= a ..)`.
    AllEqual(Vec<Operand>, NodeSpan),
    /// A predicate application: `(predicate term ..)`.
    Predicate(Application),
    /// A condition that could not be parsed.
    Error(ErrorNode<Condition>),
}

/// A predicate or function applied to arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Application {
    /// The name of the predicate or function.
    pub name: Name,
    /// The arguments: variables or the names of objects, types, colours, orientations or sides.
    pub arguments: Vec<Name>,
    /// Whether an error was reported about the application as a whole.
    pub status: NodeStatus,
    /// The span of the application.
    pub span: NodeSpan,
}

/// An operand of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A numeric literal.
    Number(f64, NodeSpan),
    /// A function application.
    Function(Application),
}

impl Condition {
    /// Returns whether an error was reported about the condition as a whole.
    pub fn is_erroneous(&self) -> bool {
        match self {
            Self::Predicate(application) => application.is_erroneous(),
            Self::Error(_) => true,
            _ => false,
        }
    }

    /// Returns the source span.
    pub fn span(&self) -> Span {
        match self {
            Self::And(_, span)
            | Self::Or(_, span)
            | Self::Not(_, span)
            | Self::Exists(_, _, span)
            | Self::Forall(_, _, span)
            | Self::Compare(_, _, span)
            | Self::AllEqual(_, span) => span.0,
            Self::Predicate(application) => application.span(),
            Self::Error(node) => node.span,
        }
    }
}

impl Hash for Operand {
    fn hash<H: Hasher>(&self, state: &mut H) {
        discriminant(self).hash(state);
        match self {
            Self::Number(number, _) => hash_number(*number, state),
            Self::Function(application) => application.hash(state),
        }
    }
}

impl Operand {
    /// Returns the source span.
    pub fn span(&self) -> Span {
        match self {
            Self::Number(_, span) => span.0,
            Self::Function(application) => application.span(),
        }
    }
}

impl Application {
    /// Returns whether an error was reported about the application as a whole.
    pub fn is_erroneous(&self) -> bool {
        matches!(self.status, NodeStatus::Erroneous)
    }

    /// Returns the source span.
    pub fn span(&self) -> Span {
        self.span.0
    }
}

/// Visits the parts of a condition.
pub fn walk_condition<'a, V: Visitor<'a> + ?Sized>(visitor: &mut V, condition: &'a Condition) {
    let operands = match condition {
        Condition::And(parts, _) | Condition::Or(parts, _) => return parts.accept(visitor),
        Condition::Not(part, _) => return visitor.condition(part),
        Condition::Exists(variables, body, _) | Condition::Forall(variables, body, _) => {
            return within(visitor, variables, &**body);
        }
        Condition::Predicate(application) => return visitor.predicate(application),
        Condition::Error(node) => return walk_error(visitor, node),
        Condition::Compare(_, sides, _) => &sides[..],
        Condition::AllEqual(operands, _) => operands,
    };
    for operand in operands {
        if let Operand::Function(application) = operand {
            visitor.function(application);
        }
    }
}

/// The text for a node that could not be parsed.
pub(crate) const UNPARSED: &str = "(part with a syntax error)";

/// Returns a condition in the notation of the language, on one line.
pub(crate) fn condition_text(condition: &Condition) -> String {
    let mut text = String::new();
    write_condition(&mut text, condition);
    text
}

/// Appends a condition to a single buffer. Concatenating the texts of nested parts would take time proportional to depth times
/// length.
fn write_condition(text: &mut String, condition: &Condition) {
    let list = |text: &mut String, operator: &str, parts: &[Condition]| {
        let _ = write!(text, "({operator}");
        for part in parts {
            text.push(' ');
            write_condition(text, part);
        }
        text.push(')');
    };
    let mut quantifier = |operator: &str, groups: &[TypedVariables], body: &Condition| {
        let _ = write!(text, "({operator} ({}) ", variables_text(groups));
        write_condition(text, body);
        text.push(')');
    };
    match condition {
        Condition::And(parts, _) => list(text, "and", parts),
        Condition::Or(parts, _) => list(text, "or", parts),
        Condition::Not(part, _) => list(text, "not", std::slice::from_ref(&**part)),
        Condition::Exists(groups, body, _) => quantifier("exists", groups, body),
        Condition::Forall(groups, body, _) => quantifier("forall", groups, body),
        Condition::Compare(comparison, sides, _) => {
            text.push_str(&form(comparison.symbol(), sides.iter().map(operand)));
        }
        Condition::AllEqual(operands, _) => text.push_str(&form("=", operands.iter().map(operand))),
        Condition::Predicate(application) => text.push_str(&application_text(application)),
        Condition::Error(_) => text.push_str(UNPARSED),
    }
}

/// Returns an application in the notation of the language.
pub(crate) fn application_text(application: &Application) -> String {
    form(&application.name.text, application.arguments.iter().map(text))
}

fn operand(operand: &Operand) -> String {
    match operand {
        Operand::Number(number, _) => number.to_string(),
        Operand::Function(application) => application_text(application),
    }
}

/// Renders a variable list: `?a ?b - ball ?c - (either bed desk)`.
pub(crate) fn variables_text(groups: &[TypedVariables]) -> String {
    let group = |group: &TypedVariables| {
        let names: Vec<_> = group.names.iter().map(text).collect();
        let types: Vec<_> = group.types.iter().map(text).collect();
        let types = if let [only] = &types[..] { only.clone() } else { form("either", types) };
        format!("{} - {types}", names.join(" "))
    };
    groups.iter().map(group).collect::<Vec<_>>().join(" ")
}

fn text(name: &Name) -> String {
    name.text.to_string()
}

fn form(operator: &str, parts: impl IntoIterator<Item = String>) -> String {
    let mut text = format!("({operator}");
    for part in parts {
        text.push(' ');
        text.push_str(&part);
    }
    text.push(')');
    text
}
