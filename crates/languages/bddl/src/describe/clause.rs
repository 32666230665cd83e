//! Sentences for conditions.

use std::fmt::Write as _;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::words::{self, ObjectKind};
use crate::ast::{Atom, Declaration, Expr, ExprKind, Literal, Problem, REGION, Variable};
use crate::dialect::{Counting, Dialect, Pairing};
use crate::resolve::WILDCARD;

/// Generates sentences about the objects of one problem.
pub(super) struct SentenceWriter<'a> {
    dialect: Dialect,
    /// The number of instances of each category, in order of declaration.
    categories: IndexMap<&'a str, usize>,
    /// The number of categories that share a noun.
    nouns: FxHashMap<String, usize>,
    /// The category of each instance.
    instances: FxHashMap<&'a str, &'a str>,
    /// The categories that `:init` uses as substances.
    substances: FxHashSet<&'a str>,
    /// The variables in scope with the phrases that refer to them, innermost last.
    variables: Vec<(&'a str, String)>,
    out: String,
}

impl<'a> SentenceWriter<'a> {
    pub(super) fn new(problem: &'a Problem, dialect: Dialect) -> Self {
        let mut writer = Self {
            dialect,
            categories: IndexMap::new(),
            nouns: FxHashMap::default(),
            instances: FxHashMap::default(),
            substances: FxHashSet::default(),
            variables: Vec::new(),
            out: String::new(),
        };
        let objects = problem.declarations().filter(|declaration| declaration.category != REGION);
        for Declaration { name: instance, category, .. } in objects {
            if writer.instances.insert(&instance.text, category).is_none() {
                *writer.categories.entry(category).or_default() += 1;
            }
        }
        for category in writer.categories.keys() {
            *writer.nouns.entry(words::noun(category)).or_default() += 1;
        }
        for Literal { atom, .. } in &problem.init {
            if let [_, second] = &atom.arguments[..]
                && words::predicate_phrase(&atom.predicate.text).object == ObjectKind::Substance
            {
                writer.substances.extend(writer.instances.get(&*second.text));
            }
        }
        writer
    }

    /// Adds a name that is referred to by the phrase `called`.
    pub(super) fn call(&mut self, name: &'a str, called: String) {
        self.variables.push((name, called));
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    /// Returns a list of the objects, such as `2 socks and a hamper`; `None` if there are none besides the agent.
    pub(super) fn object_list(&self) -> Option<String> {
        let others = self.categories.iter().filter(|(category, _)| self.noun(category) != "agent");
        let objects: Vec<String> = others.map(|(category, &count)| self.counted(count, category)).collect();
        (!objects.is_empty()).then(|| words::listed(&objects))
    }

    /// Returns a count and the noun of a category, or only the noun of a substance.
    fn counted(&self, count: usize, category: &str) -> String {
        let noun = self.noun(category);
        if count == 1 && self.substances.contains(category) { noun } else { words::counted(count, &noun) }
    }

    /// Returns the noun of a category, with its sense if another category has the same noun.
    fn noun(&self, category: &str) -> String {
        let noun = words::noun(category);
        let others = self.nouns.get(&noun).copied().unwrap_or_default();
        let ambiguous = others > usize::from(self.categories.contains_key(category));
        match category.split_once('.').filter(|_| ambiguous) {
            Some((_, sense)) => format!("{noun} ({})", sense.trim_start_matches("n.")),
            None => noun,
        }
    }

    /// Returns the phrase for a variable or an instance.
    fn term(&self, name: &str, object: ObjectKind) -> String {
        if object == ObjectKind::Room {
            return format!("the {}", words::noun(name));
        }
        if let Some((_, called)) = self.variables.iter().rev().find(|(variable, _)| *variable == name) {
            let bare = called.strip_prefix("the ").filter(|_| object == ObjectKind::Substance);
            return bare.unwrap_or(called).to_owned();
        }
        let Some(category) = self.instances.get(name) else { return words::noun(name) };
        let noun = self.noun(category);
        if object == ObjectKind::Substance {
            return noun;
        }
        match name.rsplit_once('_') {
            Some(_) if name.ends_with(WILDCARD) => format!("each further {noun}"),
            Some((_, number)) if self.categories.get(category).is_some_and(|&count| count > 1) => {
                format!("{noun} {number}")
            }
            _ => format!("the {noun}"),
        }
    }

    pub(super) fn literal(&self, literal: &Literal) -> String {
        match literal.atom.arguments.first() {
            Some(subject) => {
                let subject = self.term(&subject.text, ObjectKind::Object);
                format!("{subject} {}", self.predicate(&literal.atom, literal.positive, false))
            }
            None => format!("{}{}", if literal.positive { "" } else { "not " }, literal.atom.predicate.text),
        }
    }

    /// Returns the predicate phrase of an atom, without its first argument.
    fn predicate(&self, atom: &Atom, positive: bool, is_plural: bool) -> String {
        let phrase = words::predicate_phrase(&atom.predicate.text);
        let objects: Vec<String> =
            atom.arguments.iter().skip(1).map(|object| self.term(&object.text, phrase.object)).collect();
        let phrase = phrase.phrase(positive, is_plural);
        if objects.is_empty() { phrase } else { format!("{phrase} {}", words::listed(&objects)) }
    }

    /// Describes a condition in a single sentence, if possible.
    fn sentence(&self, condition: &Expr) -> Option<String> {
        if let Some(literal) = as_literal(condition) {
            return Some(self.literal(&literal));
        }
        match &condition.kind {
            ExprKind::And(parts) | ExprKind::Or(parts) => match &parts[..] {
                [part] => self.sentence(part),
                _ => None,
            },
            ExprKind::Imply(parts) => {
                let [condition, consequence] = [&parts[0], &parts[1]].map(|part| self.sentence(part));
                Some(format!("if {}, then {}", condition?, consequence?))
            }
            ExprKind::Forall(variable, body) => {
                let (atom, positive) = about(variable, body)?;
                let every = if positive { "every" } else { "no" };
                Some(format!("{every} {} {}", self.noun(&variable.category.text), self.predicate(&atom, true, false)))
            }
            ExprKind::Exists(variable, body) => {
                let (atom, positive) = about(variable, body)?;
                let noun = self.noun(&variable.category.text);
                Some(format!("at least one {noun} {}", self.predicate(&atom, positive, false)))
            }
            ExprKind::ForN { amount, variable, body } => {
                let (atom, positive) = about(variable, body)?;
                let is_plural = *amount != 1;
                Some(format!("{} {}", self.amount(*amount, variable), self.predicate(&atom, positive, is_plural)))
            }
            ExprKind::Not(inner) => match &inner.kind {
                ExprKind::Exists(variable, body) => {
                    let (atom, _) = about(variable, body).filter(|(_, positive)| *positive)?;
                    let noun = self.noun(&variable.category.text);
                    Some(format!("no {noun} {}", self.predicate(&atom, true, false)))
                }
                ExprKind::Forall(variable, body) => {
                    let (atom, _) = about(variable, body).filter(|(_, positive)| *positive)?;
                    let noun = self.noun(&variable.category.text);
                    Some(format!("not every {noun} {}", self.predicate(&atom, true, false)))
                }
                _ => None,
            },
            ExprKind::Atom(_) | ExprKind::ForPairs { .. } => None,
        }
    }

    /// Returns a count phrase such as `exactly 2 socks`.
    fn amount(&self, amount: u32, variable: &Variable) -> String {
        let noun = self.noun(&variable.category.text);
        let noun = if amount == 1 { noun } else { words::plural(&noun) };
        let phrase = match self.dialect.counting {
            Counting::Exactly => "exactly",
            Counting::AtLeast => "at least",
        };
        format!("{phrase} {amount} {noun}")
    }

    /// Writes a condition as a list; the first line is indented by `depth` levels.
    pub(super) fn lines(&mut self, condition: &'a Expr, depth: usize) {
        if let Some(sentence) = self.sentence(condition) {
            return self.line(depth, &sentence);
        }
        match &condition.kind {
            ExprKind::Atom(_) => {}
            ExprKind::Not(part) => self.list(depth, "not:", [&**part]),
            ExprKind::And(parts) => self.list(depth, "all of:", parts),
            ExprKind::Or(parts) => self.list(depth, "at least one of:", parts),
            ExprKind::Imply(parts) => {
                self.list(depth, "if:", [&parts[0]]);
                self.list(depth, "then:", [&parts[1]]);
            }
            ExprKind::Forall(variable, body) => self.over(depth, "for every", variable, body),
            ExprKind::Exists(variable, body) => self.over(depth, "for at least one", variable, body),
            ExprKind::ForN { amount, variable, body } => {
                let amount = self.amount(*amount, variable);
                self.within(&[variable], body, |writer| {
                    writer.line(depth, &format!("for {amount}:"));
                    writer.body(depth, body);
                });
            }
            ExprKind::ForPairs { amount, left, right, body } => {
                let heading = self.pairs(*amount, left, right);
                self.within(&[left, right], body, |writer| {
                    writer.line(depth, &heading);
                    writer.body(depth, body);
                });
            }
        }
    }

    pub(super) fn line(&mut self, depth: usize, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{}- {text}", "  ".repeat(depth));
    }

    fn list(&mut self, depth: usize, heading: &str, parts: impl IntoIterator<Item = &'a Expr>) {
        self.line(depth, heading);
        parts.into_iter().for_each(|part| self.lines(part, depth + 1));
    }

    fn over(&mut self, depth: usize, every: &str, variable: &'a Variable, body: &'a Expr) {
        let noun = self.noun(&variable.category.text);
        self.within(&[variable], body, |writer| {
            let called = writer.variables.last().map(|(_, called)| called.clone()).unwrap_or_default();
            let called = if called.starts_with("the ") { noun } else { called };
            writer.line(depth, &format!("{every} {called}:"));
            writer.body(depth, body);
        });
    }

    /// Writes the body of a quantifier; a conjunction needs no heading.
    pub(super) fn body(&mut self, depth: usize, body: &'a Expr) {
        match &body.kind {
            ExprKind::And(parts) => parts.iter().for_each(|part| self.lines(part, depth + 1)),
            _ => self.lines(body, depth + 1),
        }
    }

    /// Runs `inside` with additional variables in scope. A variable is referred to by its noun, and also by its name if another
    /// variable over the same category is nearby.
    fn within(&mut self, variables: &[&'a Variable], body: &Expr, inside: impl FnOnce(&mut Self)) {
        let mark = self.variables.len();
        for variable in variables {
            let noun = self.noun(&variable.category.text);
            let taken = self
                .variables
                .iter()
                .any(|(_, called)| called.strip_prefix("the ").unwrap_or(called).starts_with(&noun));
            let same = variables.iter().filter(|other| other.category == variable.category).count() > 1;
            let own = words::noun(&variable.name.text);
            // A variable that is named after its category cannot be distinguished by its name.
            let called = if own != noun && (taken || same || ranges_over(body, &variable.category.text)) {
                format!("{noun} {own}")
            } else {
                format!("the {noun}")
            };
            self.variables.push((&variable.name.text, called));
        }
        inside(self);
        self.variables.truncate(mark);
    }

    /// Returns the heading of `forpairs` and `fornpairs`.
    fn pairs(&self, amount: Option<u32>, left: &Variable, right: &Variable) -> String {
        let count = |variable: &Variable| self.categories.get(&*variable.category.text).copied().unwrap_or_default();
        let amount = amount.map_or_else(|| count(left).min(count(right)), |amount| amount as usize);
        let [left, right] = [left, right].map(|variable| self.noun(&variable.category.text));
        let (lefts, rights) = (words::plural(&left), words::plural(&right));
        match self.dialect.pairing {
            Pairing::Covering => format!(
                "for each of at least {amount} of the {lefts} at least one of the {rights}, and for each of at least {amount} of \
                 the {rights} at least one of the {lefts}:"
            ),
            Pairing::Matching => {
                let pairs = if amount == 1 { "pair" } else { "pairs" };
                let (left, right) = (words::indefinite(&left), words::indefinite(&right));
                format!("for at least {amount} disjoint {pairs} of {left} and {right}:")
            }
        }
    }
}

/// Returns a condition as a literal, if it is one.
fn as_literal(condition: &Expr) -> Option<Literal> {
    match &condition.kind {
        ExprKind::Atom(atom) => Some(Literal { positive: true, atom: atom.clone() }),
        ExprKind::Not(inner) => match &inner.kind {
            ExprKind::Atom(atom) => Some(Literal { positive: false, atom: atom.clone() }),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the atom in the body of a quantifier, and whether it is positive, if the first argument alone is the variable.
fn about(variable: &Variable, body: &Expr) -> Option<(Atom, bool)> {
    let literal = as_literal(body)?;
    let is_variable = |index: usize| literal.atom.arguments.get(index).is_some_and(|name| *name == variable.name);
    let is_subject = is_variable(0) && !(1..literal.atom.arguments.len()).any(is_variable);
    is_subject.then_some((literal.atom, literal.positive))
}

/// Whether a quantifier in a condition ranges over a category.
fn ranges_over(condition: &Expr, category: &str) -> bool {
    let is_category = |variable: &Variable| &*variable.category.text == category;
    match &condition.kind {
        ExprKind::Atom(_) => false,
        ExprKind::Not(part) => ranges_over(part, category),
        ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().any(|part| ranges_over(part, category)),
        ExprKind::Imply(parts) => parts.iter().any(|part| ranges_over(part, category)),
        ExprKind::Forall(variable, body) | ExprKind::Exists(variable, body) | ExprKind::ForN { variable, body, .. } => {
            is_category(variable) || ranges_over(body, category)
        }
        ExprKind::ForPairs { left, right, body, .. } => {
            is_category(left) || is_category(right) || ranges_over(body, category)
        }
    }
}
