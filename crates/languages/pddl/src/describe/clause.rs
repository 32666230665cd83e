//! Descriptions of conditions and effects: nested lists with one entry per line.

use goalspec_core::condition::ComparisonOperator;
use goalspec_core::planning::task::AssignmentOperator;

use crate::ast::{
    Atom, Effect, EffectKind, Expr, ExprKind, Formula, FormulaKind, Name, TimeSpecifier, TrajectoryOperator, TypedNames,
};

/// Binary predicates that read as English prepositions between their arguments.
const PREPOSITIONS: [&str; 14] = [
    "on", "in", "at", "above", "below", "under", "near", "inside", "behind", "beside", "left-of", "right-of",
    "next-to", "part-of",
];

/// A nested list under construction.
#[derive(Debug, Default)]
pub(super) struct NestedList {
    /// The text.
    pub(super) text: String,
}

impl NestedList {
    /// Adds an entry at a nesting depth.
    pub(super) fn add(&mut self, depth: usize, line: &str) {
        self.text.extend(std::iter::repeat_n("  ", depth));
        self.text.extend(["- ", line, "\n"]);
    }

    /// Adds a condition. The conjuncts of a conjunction become separate entries.
    pub(super) fn condition(&mut self, formula: &Formula, depth: usize) {
        match &formula.kind {
            FormulaKind::Atom(one) => self.add(depth, &atom(one, true)),
            FormulaKind::Compare(comparison, sides) => self.add(depth, &compare(*comparison, sides, true)),
            FormulaKind::Not(body) => self.negation(body, depth),
            FormulaKind::And(parts) => parts.iter().for_each(|part| self.condition(part, depth)),
            FormulaKind::Or(parts) => {
                self.add(depth, "at least one of:");
                for part in parts {
                    self.grouped(part, depth + 1);
                }
            }
            FormulaKind::Imply(parts) => {
                self.under("if", &parts[0], depth);
                self.under("then", &parts[1], depth);
            }
            FormulaKind::Forall(groups, body) => self.under(&format!("for every {}", variables(groups)), body, depth),
            FormulaKind::Exists(groups, body) => {
                self.under(&format!("for some {}", variables(groups)), body, depth);
            }
            FormulaKind::Preference(name, body) => {
                let name = name.as_ref().map(|name| format!(" ({})", name.written())).unwrap_or_default();
                self.under(&format!("preference{name}"), body, depth);
            }
            FormulaKind::Timed(time, body) => self.under(when(*time), body, depth),
            FormulaKind::Trajectory(operator, times, parts) => self.trajectory(*operator, times, parts, depth),
        }
    }

    /// Adds a condition as a single entry.
    fn grouped(&mut self, formula: &Formula, depth: usize) {
        match &formula.kind {
            FormulaKind::And(parts) if parts.len() != 1 => self.under("all of", formula, depth),
            _ => self.condition(formula, depth),
        }
    }

    fn under(&mut self, heading: &str, body: &Formula, depth: usize) {
        self.add(depth, &format!("{heading}:"));
        self.condition(body, depth + 1);
    }

    fn negation(&mut self, body: &Formula, depth: usize) {
        match &body.kind {
            FormulaKind::Atom(one) => self.add(depth, &atom(one, false)),
            FormulaKind::Compare(comparison, sides) => self.add(depth, &compare(*comparison, sides, false)),
            _ => self.under("not", body, depth),
        }
    }

    fn trajectory(&mut self, operator: TrajectoryOperator, times: &[f64], parts: &[Formula], depth: usize) {
        let time = |index: usize| times.get(index).copied().unwrap_or_default();
        let (first, second) = match operator {
            TrajectoryOperator::Always => ("always".to_owned(), ""),
            TrajectoryOperator::Sometime | TrajectoryOperator::Eventually => ("at some time".to_owned(), ""),
            TrajectoryOperator::Within => (format!("at some time within {}", time(0)), ""),
            TrajectoryOperator::AtMostOnce => ("during at most one uninterrupted interval".to_owned(), ""),
            TrajectoryOperator::SometimeAfter => ("whenever".to_owned(), "at that time or later"),
            TrajectoryOperator::SometimeBefore => ("whenever".to_owned(), "before that"),
            TrajectoryOperator::AlwaysWithin => ("whenever".to_owned(), "at that time or"),
            TrajectoryOperator::HoldDuring => (format!("from time {} up to {}", time(0), time(1)), ""),
            TrajectoryOperator::HoldAfter => (format!("from time {} on", time(0)), ""),
            TrajectoryOperator::Next => ("in the next state".to_owned(), ""),
            TrajectoryOperator::WeakNext => ("in the next state, if there is one".to_owned(), ""),
            TrajectoryOperator::Until => ("in every state".to_owned(), "until, at some time"),
            TrajectoryOperator::Release => {
                ("up to and including the first state with".to_owned(), "or forever if there is none")
            }
        };
        if let Some(body) = parts.first() {
            self.under(&first, body, depth);
        }
        if let Some(body) = parts.get(1) {
            let limit = if operator == TrajectoryOperator::AlwaysWithin {
                format!(" at most {} later", time(0))
            } else {
                String::new()
            };
            self.under(&format!("{second}{limit}"), body, depth);
        }
    }

    /// Adds an effect.
    pub(super) fn effect(&mut self, effect: &Effect, depth: usize) {
        match &effect.kind {
            EffectKind::And(parts) => parts.iter().for_each(|part| self.effect(part, depth)),
            EffectKind::Forall(groups, body) => {
                self.add(depth, &format!("for every {}:", variables(groups)));
                self.effect(body, depth + 1);
            }
            EffectKind::When(condition, body) => {
                self.under("if", condition, depth);
                self.add(depth, "then:");
                self.effect(body, depth + 1);
            }
            EffectKind::Add(one) => self.add(depth, &atom(one, true)),
            EffectKind::Delete(one) => self.add(depth, &atom(one, false)),
            EffectKind::Assign(operator, function, value) => {
                let verb = match operator {
                    AssignmentOperator::Set => "becomes",
                    AssignmentOperator::Increase => "increases by",
                    AssignmentOperator::Decrease => "decreases by",
                    AssignmentOperator::ScaleUp => "is multiplied by",
                    AssignmentOperator::ScaleDown => "is divided by",
                };
                self.add(depth, &format!("{} {verb} {}", call(function), number(value)));
            }
            EffectKind::Timed(time, body) => {
                self.add(depth, &format!("{}:", when(*time)));
                self.effect(body, depth + 1);
            }
        }
    }
}

fn when(time: TimeSpecifier) -> &'static str {
    match time {
        TimeSpecifier::Start => "at start",
        TimeSpecifier::End => "at end",
        TimeSpecifier::OverAll => "over all",
    }
}

/// Replaces dashes and underscores by blanks.
pub(super) fn spaced(name: &str) -> String {
    name.replace(['-', '_'], " ")
}

/// Joins names: `a, b and c`.
pub(super) fn listed(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// Describes an atom or its negation.
pub(super) fn atom(atom: &Atom, holds: bool) -> String {
    let name = spaced(atom.name.written());
    let arguments: Vec<&str> = atom.arguments.iter().map(Name::written).collect();
    let verb = if holds { "is" } else { "is not" };
    match arguments[..] {
        [] => {
            if holds {
                name
            } else {
                format!("not {name}")
            }
        }
        [one] => format!("{one} {verb} {name}"),
        [one, other] if PREPOSITIONS.contains(&atom.name.text()) => format!("{one} {verb} {name} {other}"),
        _ => {
            let negation = if holds { "" } else { "not " };
            format!("{negation}({} {})", atom.name.written(), arguments.join(" "))
        }
    }
}

fn compare(comparison: ComparisonOperator, sides: &[Expr; 2], holds: bool) -> String {
    let verb = if holds { "is" } else { "is not" };
    let relation = match comparison {
        ComparisonOperator::Less => "less than ",
        ComparisonOperator::LessEqual => "at most ",
        ComparisonOperator::Equal => "",
        ComparisonOperator::GreaterEqual => "at least ",
        ComparisonOperator::Greater => "more than ",
    };
    format!("{} {verb} {relation}{}", number(&sides[0]), number(&sides[1]))
}

/// Returns a function with its arguments as written.
pub(super) fn call(function: &Atom) -> String {
    let names = std::iter::once(&function.name).chain(&function.arguments).map(Name::written);
    format!("({})", names.collect::<Vec<_>>().join(" "))
}

/// Describes a numeric expression.
pub(super) fn number(expr: &Expr) -> String {
    let joined = |parts: &[Expr], sign: &str| {
        let parts: Vec<String> = parts.iter().map(number).collect();
        format!("({})", parts.join(sign))
    };
    match &expr.kind {
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Name(name) => name.written().to_owned(),
        ExprKind::Call(function) => call(function),
        ExprKind::Add(parts) => joined(parts, " + "),
        ExprKind::Multiply(parts) => joined(parts, " * "),
        ExprKind::Subtract(parts) => joined(&parts[..], " - "),
        ExprKind::Divide(parts) => joined(&parts[..], " / "),
        ExprKind::Negate(part) => format!("-{}", number(part)),
        ExprKind::IsViolated(name) => format!("violations of {}", name.written()),
    }
}

/// Describes variables: `block ?x, block ?y and table ?t`.
fn variables(groups: &[TypedNames]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for group in groups {
        let names: Vec<&str> = group.type_ref.iter().flat_map(|type_ref| &type_ref.names).map(Name::written).collect();
        let types = if names.is_empty() { String::new() } else { format!("{} ", names.join(" or ")) };
        texts.extend(group.names.iter().map(|name| format!("{types}{}", name.written())));
    }
    listed(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}
