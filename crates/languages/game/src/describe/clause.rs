//! Conditions in English.

use goalspec_core::condition::ComparisonOperator;
use goalspec_core::world::World;
use rustc_hash::FxHashMap;

use super::inflection::{list, negated, number_word, plural, substitute, with_article, words};
use crate::ast::condition::{UNPARSED, application_text};
use crate::ast::visit::Visitor;
use crate::ast::{Application, Condition, Name, Operand, Preference, SetupStatement, TypedVariables};

/// Renders the conditions of one preference or setup in English, with consistent nouns for its variables.
pub(super) struct ClauseRenderer<'a> {
    world: &'a World,
    /// The nouns of all variables, by name. If several quantifiers declare the same name, the first noun is used.
    nouns: FxHashMap<&'a str, String>,
    /// The number of variables that share a noun.
    noun_counts: FxHashMap<String, usize>,
}

impl<'a> ClauseRenderer<'a> {
    fn new(world: &'a World) -> Self {
        Self { world, nouns: FxHashMap::default(), noun_counts: FxHashMap::default() }
    }

    /// Creates a renderer for a setup.
    pub(super) fn of_setup(world: &'a World, setup: &'a SetupStatement) -> Self {
        let mut renderer = Self::new(world);
        renderer.setup(setup);
        renderer
    }

    /// Creates a renderer for a preference.
    pub(super) fn of_preference(world: &'a World, external: &'a [TypedVariables], preference: &'a Preference) -> Self {
        let mut renderer = Self::new(world);
        renderer.declare(external);
        renderer.preference(preference);
        renderer
    }

    fn declare(&mut self, groups: &'a [TypedVariables]) {
        for group in groups {
            let noun = noun(group);
            for name in &group.names {
                self.nouns.entry(&name.text).or_insert_with(|| noun.clone());
            }
            *self.noun_counts.entry(noun).or_default() += group.names.len();
        }
    }

    /// Returns whether the noun alone identifies the variable.
    fn is_clear(&self, group: &TypedVariables) -> bool {
        group.types.len() == 1 && self.noun_counts.get(&noun(group)) == Some(&1)
    }

    /// Renders the declaration of variables, such as `a bin and two balls ?a and ?b`. `article` adds an article to a singular noun.
    pub(super) fn introduce(&self, groups: &[TypedVariables], article: &dyn Fn(&str) -> String) -> String {
        let phrase = |group: &TypedVariables| {
            let noun = noun(group);
            let names: Vec<_> = group.names.iter().map(|name| name.text.to_string()).collect();
            match &names[..] {
                [_] if self.is_clear(group) => article(&noun),
                [name] => format!("{} {name}", article(&noun)),
                several => {
                    let nouns: Vec<_> = group.types.iter().map(|name| plural(&words(&name.text))).collect();
                    format!("{} {} {}", number_word(several.len()), list(&nouns, "or"), list(several, "and"))
                }
            }
        };
        list(&groups.iter().map(phrase).collect::<Vec<_>>(), "and")
    }

    /// Renders a condition, or its negation if `holds` is false, as a clause.
    pub(super) fn clause(&self, condition: &Condition, holds: bool) -> String {
        match condition {
            Condition::And(parts, _) if holds => self.all(parts, true),
            Condition::Or(parts, _) if !holds => self.all(parts, false),
            Condition::And(parts, _) | Condition::Or(parts, _) => self.any(parts, holds),
            Condition::Not(part, _) => self.clause(part, !holds),
            Condition::Exists(groups, body, _) if holds => {
                let introduced = self.introduce(groups, &with_article);
                format!("there {} {introduced} such that {}", copula(groups), self.clause(body, true))
            }
            Condition::Exists(groups, body, _) => {
                let introduced = self.introduce(groups, &|noun| format!("no {noun}"));
                format!("there {} {introduced} such that {}", copula(groups), self.clause(body, true))
            }
            Condition::Forall(groups, body, _) if holds => {
                format!("for every choice of {}, {}", self.introduce(groups, &with_article), self.clause(body, true))
            }
            Condition::Forall(groups, body, _) => {
                let introduced = self.introduce(groups, &with_article);
                format!("there {} {introduced} such that {}", copula(groups), self.clause(body, false))
            }
            Condition::Compare(comparison, sides, _) => self.comparison(*comparison, sides, holds),
            Condition::AllEqual(operands, _) => {
                let operands: Vec<_> = operands.iter().map(|operand| self.operand(operand)).collect();
                format!("{} are {}equal", list(&operands, "and"), if holds { "" } else { "not all " })
            }
            Condition::Predicate(application) => self.predicate(application, holds),
            Condition::Error(_) => UNPARSED.to_owned(),
        }
    }

    fn all(&self, parts: &[Condition], holds: bool) -> String {
        let mut conjuncts = Vec::new();
        for part in parts {
            flatten(part, holds, &mut conjuncts);
        }
        let clauses: Vec<_> = conjuncts.iter().map(|&(part, holds)| self.clause(part, holds)).collect();
        // Clauses that are compound themselves are separated by semicolons.
        if conjuncts.iter().all(|(part, _)| is_plain(part)) { list(&clauses, "and") } else { clauses.join("; and ") }
    }

    fn any(&self, parts: &[Condition], holds: bool) -> String {
        let clauses: Vec<_> = parts.iter().map(|part| self.clause(part, holds)).collect();
        match clauses.len() {
            1 => clauses.concat(),
            _ => format!("either {}", clauses.join(", or ")),
        }
    }

    fn comparison(&self, comparison: ComparisonOperator, sides: &[Operand; 2], holds: bool) -> String {
        let [left, right] = sides;
        let (left, right, comparison) = match (left, right) {
            (Operand::Number(..), Operand::Function(_)) => (right, left, comparison.mirrored()),
            _ => (left, right, comparison),
        };
        format!("{} is {} {}", self.operand(left), comparison_words(comparison, holds), self.operand(right))
    }

    fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Number(number, _) => number.to_string(),
            Operand::Function(application) => self.function(application),
        }
    }

    /// Renders a function application as a noun phrase.
    pub(super) fn function(&self, application: &Application) -> String {
        let function = self.world.function_named(&application.name.text).map(|id| self.world.function(id));
        match function.filter(|decl| !decl.phrase.is_empty()) {
            Some(decl) => substitute(&decl.phrase, &self.arguments(application)),
            None => application_text(application),
        }
    }

    fn predicate(&self, application: &Application, holds: bool) -> String {
        let predicate = self.world.predicate_named(&application.name.text).map(|id| self.world.predicate(id));
        let phrase = match predicate {
            Some(decl) => &*decl.phrase,
            None => match &*application.name.text {
                "same_object" => "{0} is the same object as {1}",
                "game_start" => "this is the first state",
                "game_over" => "this is the last state",
                "is_setup_object" => "{0} is used in the setup",
                _ => "",
            },
        };
        match (phrase, holds) {
            ("", true) => format!("{} holds", application_text(application)),
            ("", false) => format!("{} does not hold", application_text(application)),
            (phrase, true) => substitute(phrase, &self.arguments(application)),
            (phrase, false) => substitute(&negated(phrase), &self.arguments(application)),
        }
    }

    fn arguments(&self, application: &Application) -> Vec<String> {
        application.arguments.iter().map(|name| self.argument(name)).collect()
    }

    fn argument(&self, name: &Name) -> String {
        let text = &*name.text;
        if text.starts_with('?') {
            return match self.nouns.get(text) {
                Some(noun) if self.noun_counts.get(noun) == Some(&1) && !noun.contains(" or ") => format!("the {noun}"),
                _ => text.to_owned(),
            };
        }
        match self.world.object_named(text) {
            Some(object) => {
                let symbol =
                    self.world.object_decl(object).types.iter().all(|&id| self.world.is_without_attributes(id));
                if symbol { words(text) } else { format!("the {}", words(text)) }
            }
            None if self.world.type_named(text).is_some() => with_article(&words(text)),
            None => text.to_owned(),
        }
    }
}

/// Collects the declarations of variables.
impl<'a> Visitor<'a> for ClauseRenderer<'a> {
    fn enter(&mut self, variables: &'a [TypedVariables]) {
        self.declare(variables);
    }
}

/// Collects the conjuncts, with the truth value that each must have, for `condition` to have the value `holds`.
fn flatten<'c>(condition: &'c Condition, holds: bool, into: &mut Vec<(&'c Condition, bool)>) {
    match condition {
        Condition::And(parts, _) if holds => parts.iter().for_each(|part| flatten(part, holds, into)),
        Condition::Or(parts, _) if !holds => parts.iter().for_each(|part| flatten(part, holds, into)),
        Condition::Not(part, _) => flatten(part, !holds, into),
        other => into.push((other, holds)),
    }
}

/// Returns whether a condition renders as a simple clause.
fn is_plain(condition: &Condition) -> bool {
    matches!(condition, Condition::Predicate(_) | Condition::Compare(..) | Condition::Error(_))
}

/// Returns `is` or `are`, to agree in number with the variables.
fn copula(groups: &[TypedVariables]) -> &'static str {
    match groups {
        [group, ..] if group.names.len() > 1 => "are",
        _ => "is",
    }
}

fn noun(group: &TypedVariables) -> String {
    let nouns: Vec<_> = group.types.iter().map(|name| words(&name.text)).collect();
    list(&nouns, "or")
}

/// Returns the adjective of a comparison, or of its negation, to follow `is`.
pub(super) fn comparison_words(comparison: ComparisonOperator, holds: bool) -> &'static str {
    match (comparison, holds) {
        (ComparisonOperator::Less, true) | (ComparisonOperator::GreaterEqual, false) => "less than",
        (ComparisonOperator::LessEqual, true) | (ComparisonOperator::Greater, false) => "at most",
        (ComparisonOperator::Equal, true) => "equal to",
        (ComparisonOperator::Equal, false) => "not equal to",
        (ComparisonOperator::GreaterEqual, true) | (ComparisonOperator::Less, false) => "at least",
        (ComparisonOperator::Greater, true) | (ComparisonOperator::LessEqual, false) => "more than",
    }
}
