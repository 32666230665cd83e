//! Normal forms of conditions, preferences and games, as texts: equal texts have equal meanings.
//!
//! Negations are at atoms, implications are disjunctions, the parts of conjunctions and disjunctions are flat, sorted and without
//! duplicates, and the variables of quantifiers are numbered. A universal quantifier is the negation of an existential one.

use std::collections::BTreeSet;

use goalspec_core::condition::{Cardinality, ComparisonOperator, Condition, Expression, PairingRule, Scope, Term};
use goalspec_core::ids::{TypeId, VarId};
use goalspec_core::pattern::{Formula, Pattern, Phase};
use goalspec_core::program::{Game, Preference, Quantifier, ScopedSetup, ScoreExpression, Setup, TerminalCondition};
use goalspec_core::world::World;

/// Maximum number of orders of variables that are tried for one part of a condition: the product over the quantifiers around it. All
/// orders of two nested quantifiers with three variables each fit.
const MAX_ORDERS: usize = 36;

/// A writer of normal forms of conditions over one scope.
pub(crate) struct NormalForm<'s> {
    world: &'s World,
    scope: &'s Scope,
    /// The names of the variables that are bound, by variable.
    names: Vec<Option<String>>,
    /// The number of variables bound by quantifiers around the current part.
    level: usize,
    /// The number of orders in which the quantifiers around the current part are written.
    orders: usize,
}

impl<'s> NormalForm<'s> {
    pub(crate) fn new(world: &'s World, scope: &'s Scope) -> Self {
        Self { world, scope, names: vec![None; scope.variables.len()], level: 0, orders: 1 }
    }

    /// Sets the name of a variable.
    pub(crate) fn name(&mut self, variable: VarId, name: String) {
        self.names[variable.index()] = Some(name);
    }

    /// Returns the text of a condition, or of its negation.
    pub(crate) fn condition(&mut self, condition: &Condition, positive: bool) -> String {
        match condition {
            Condition::Constant(value) => constant(*value == positive),
            Condition::Not(part) => self.condition(part, !positive),
            Condition::And(_) => self.junction(condition, positive, positive),
            Condition::Or(_) | Condition::Imply(_) => self.junction(condition, positive, !positive),
            Condition::Exists(variables, body) => self.quantified(positive, variables, body, positive),
            Condition::Forall(variables, body) => self.quantified(!positive, variables, body, positive),
            Condition::Atom(atom) => {
                let arguments: Vec<String> = atom.arguments.iter().map(|&term| self.term(term)).collect();
                signed(list(&self.world.predicate(atom.predicate).name, &arguments), positive)
            }
            Condition::Compare { comparison, sides, .. } => {
                let [left, right] = [&sides[0], &sides[1]].map(|side| self.expression(side));
                signed(comparison_text(*comparison, left, right), positive)
            }
            Condition::AllEqual(parts, _) => {
                let parts: Vec<String> = parts.iter().map(|part| self.expression(part)).collect();
                signed(list("all-equal", &parts), positive)
            }
            Condition::Distinct(one, other) => {
                let mut terms = [self.term(*one), self.term(*other)];
                terms.sort();
                signed(list("distinct", &terms), positive)
            }
            Condition::FirstState => signed("(first-state)".to_owned(), positive),
            Condition::LastState => signed("(last-state)".to_owned(), positive),
            Condition::InSetup(term, _) => signed(list("in-setup", &[self.term(*term)]), positive),
            Condition::Count(cardinality, variables, body) => {
                let kind = match cardinality {
                    Cardinality::AtLeast(amount) => format!("at-least {amount}"),
                    Cardinality::Exactly(amount) => format!("exactly {amount}"),
                };
                signed(self.smallest(&kind, variables, body, true), positive)
            }
            Condition::Pairing { rule, amount, left, right, body } => {
                let rule = match rule {
                    PairingRule::Matching => "matching",
                    PairingRule::Covering => "covering",
                };
                let kind = format!("{rule} {amount:?}");
                signed(self.bound(&kind, &[*left, *right], body, true), positive)
            }
        }
    }

    /// Returns the text of a conjunction (`is_and`) or disjunction.
    fn junction(&mut self, condition: &Condition, positive: bool, is_and: bool) -> String {
        let mut parts = Vec::new();
        flatten(condition, positive, is_and, &mut parts);
        let texts = parts.into_iter().map(|(part, positive)| self.condition(part, positive));
        joined(texts.collect(), is_and)
    }

    fn quantified(&mut self, is_exists: bool, variables: &[VarId], body: &Condition, positive: bool) -> String {
        let mut variables = variables.to_vec();
        let (mut body, mut positive) = (body, positive);
        loop {
            match body {
                Condition::Not(part) => (body, positive) = (part, !positive),
                Condition::Exists(more, part) if positive == is_exists => {
                    variables.extend(more);
                    body = part;
                }
                Condition::Forall(more, part) if positive != is_exists => {
                    variables.extend(more);
                    body = part;
                }
                _ => break,
            }
        }
        // A universal quantifier is the negation of an existential one.
        signed(self.smallest("exists", &variables, body, positive == is_exists), is_exists)
    }

    /// Returns the first text, in alphabetical order, over all orders of the variables, or the text of one order where all would be more
    /// than [`MAX_ORDERS`] with those of the quantifiers around.
    fn smallest(&mut self, kind: &str, variables: &[VarId], body: &Condition, positive: bool) -> String {
        let mut sorted = variables.to_vec();
        sorted.sort_by_key(|&variable| self.types(&self.scope.get(variable).types));
        let outside = self.orders;
        let all = (1..=sorted.len())
            .try_fold(outside, |all, factor| all.checked_mul(factor).filter(|&all| all <= MAX_ORDERS));
        let Some(all) = all else {
            return self.bound(kind, &sorted, body, positive);
        };
        self.orders = all;
        let text = orders(&sorted).into_iter().map(|order| self.bound(kind, &order, body, positive)).min();
        self.orders = outside;
        text.unwrap_or_default()
    }

    fn bound(&mut self, kind: &str, variables: &[VarId], body: &Condition, positive: bool) -> String {
        let outside: Vec<Option<String>> = variables.iter().map(|of| self.names[of.index()].clone()).collect();
        for (index, &variable) in variables.iter().enumerate() {
            self.name(variable, format!("?{}", self.level + index));
        }
        self.level += variables.len();
        let body = self.condition(body, positive);
        self.level -= variables.len();
        for (&variable, name) in variables.iter().zip(outside) {
            self.names[variable.index()] = name;
        }
        if kind == "exists" && body == "false" {
            return body;
        }
        let types = variables.iter().map(|&variable| self.types(&self.scope.get(variable).types));
        format!("({kind} ({}) {body})", types.collect::<Vec<_>>().join(" "))
    }

    fn types(&self, types: &[TypeId]) -> String {
        type_names(self.world, types)
    }

    fn term(&self, term: Term) -> String {
        match term {
            Term::Object(object) => self.world.object_decl(object).id.to_string(),
            Term::Type(id) => format!("type:{}", self.world.type_decl(id).name),
            Term::Variable(variable) => match &self.names[variable.index()] {
                Some(name) => name.clone(),
                None => self.scope.get(variable).name.to_string(),
            },
        }
    }

    /// Returns the text of an expression.
    pub(crate) fn expression(&self, expression: &Expression) -> String {
        let parts = |parts: &[Expression]| parts.iter().map(|part| self.expression(part)).collect::<Vec<_>>();
        match expression {
            Expression::Number(number) => number.to_string(),
            Expression::Call { function, arguments, .. } => {
                let arguments: Vec<String> = arguments.iter().map(|&term| self.term(term)).collect();
                list(&self.world.function(*function).name, &arguments)
            }
            Expression::Add(of) => list("+", &commuted(parts(of))),
            Expression::Multiply(of) => list("*", &commuted(parts(of))),
            Expression::Subtract(sides) => list("-", &parts(&sides[..])),
            Expression::Divide(sides) => list("/", &parts(&sides[..])),
            Expression::Absolute(part) => list("abs", &[self.expression(part)]),
        }
    }

    fn formula(&mut self, formula: &Formula) -> String {
        match formula {
            Formula::Proposition(condition) => self.condition(condition, true),
            Formula::Not(part) => list("not", &[self.formula(part)]),
            Formula::And(parts) => joined(parts.iter().map(|part| self.formula(part)).collect(), true),
            Formula::Or(parts) => joined(parts.iter().map(|part| self.formula(part)).collect(), false),
            Formula::Next(part) => list("next", &[self.formula(part)]),
            Formula::WeakNext(part) => list("weak-next", &[self.formula(part)]),
            Formula::Eventually(part) => list("eventually", &[self.formula(part)]),
            Formula::Always(part) => list("always", &[self.formula(part)]),
            Formula::Until(sides) => list("until", &[self.formula(&sides[0]), self.formula(&sides[1])]),
            Formula::Release(sides) => list("release", &[self.formula(&sides[0]), self.formula(&sides[1])]),
        }
    }

    fn pattern(&mut self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::AtEnd(condition) => list("at-end", &[self.condition(condition, true)]),
            Pattern::Formula(formula) => list("formula", &[self.formula(formula)]),
            Pattern::Sequence(phases) => {
                let last = phases.len() - 1;
                let phases = phases.iter().enumerate();
                let phases = phases.map(|(index, phase)| self.phase(phase, index == 0 || index == last));
                list("sequence", &phases.collect::<Vec<_>>())
            }
        }
    }

    fn phase(&mut self, phase: &Phase, at_edge: bool) -> String {
        match phase {
            Phase::Once { condition, measure, .. } => {
                let measure = measure.iter().map(|measure| self.expression(measure)).collect::<Vec<_>>();
                list("once", &[vec![self.condition(condition, true)], measure].concat())
            }
            Phase::Hold { condition, may_be_empty, .. } => {
                let kind = if *may_be_empty && !at_edge { "hold-any" } else { "hold" };
                list(kind, &[self.condition(condition, true)])
            }
            Phase::HoldWhile { condition, events, .. } => {
                let kind = if events.is_empty() { "hold" } else { "hold-while" };
                let all = std::iter::once(condition).chain(events);
                list(kind, &all.map(|condition| self.condition(condition, true)).collect::<Vec<_>>())
            }
        }
    }

    fn setup(&mut self, setup: &Setup) -> String {
        match setup {
            Setup::And(parts) => joined(parts.iter().map(|part| self.setup(part)).collect(), true),
            Setup::Or(parts) => joined(parts.iter().map(|part| self.setup(part)).collect(), false),
            Setup::Not(part) => list("not", &[self.setup(part)]),
            Setup::Exists(variables, body) => self.setup_quantifier("exists", variables, body),
            Setup::Forall(variables, body) => self.setup_quantifier("forall", variables, body),
            Setup::Conserved(condition, _) => list("conserved", &[self.condition(condition, true)]),
            Setup::Optional(condition, _) => list("optional", &[self.condition(condition, true)]),
        }
    }

    fn setup_quantifier(&mut self, kind: &str, variables: &[VarId], body: &Setup) -> String {
        for (index, &variable) in variables.iter().enumerate() {
            self.name(variable, format!("?{}", self.level + index));
        }
        self.level += variables.len();
        let body = self.setup(body);
        self.level -= variables.len();
        let types = variables.iter().map(|&variable| self.types(&self.scope.get(variable).types));
        format!("({kind} ({}) {body})", types.collect::<Vec<_>>().join(" "))
    }
}

/// Returns the text of the variables of a preference: their types, the quantifier, and the pairs that never bind the same object.
/// Preferences with equal texts have the same bindings.
pub(crate) fn bindings(world: &World, preference: &Preference) -> String {
    let types = |variables: &[VarId]| {
        let types = variables.iter().map(|&variable| type_names(world, &preference.scope.get(variable).types));
        types.collect::<Vec<_>>().join(" ")
    };
    let variables: Vec<VarId> = preference.external.iter().chain(&preference.inner).copied().collect();
    let place = |variable: VarId| variables.iter().position(|&other| other == variable);
    let pair = |&(one, other): &(VarId, VarId)| {
        let (one, other) = (place(one), place(other));
        (one.min(other), one.max(other))
    };
    let distinct: BTreeSet<_> = preference.distinct.iter().map(pair).collect();
    let quantifier = match preference.quantifier {
        Quantifier::Exists => "exists",
        Quantifier::Forall => "forall",
    };
    format!("({}) {quantifier} ({}) {distinct:?}", types(&preference.external), types(&preference.inner))
}

/// Returns the text of a preference without its name.
pub(crate) fn preference(world: &World, preference: &Preference) -> String {
    let mut form = NormalForm::new(world, &preference.scope);
    for (index, &variable) in preference.external.iter().chain(&preference.inner).enumerate() {
        form.name(variable, format!("${index}"));
    }
    format!("{} {}", bindings(world, preference), form.pattern(&preference.pattern))
}

/// Returns the text of a setup; empty without a setup.
pub(crate) fn setup(world: &World, setup: Option<&ScopedSetup>) -> String {
    setup.map_or_else(String::new, |setup| NormalForm::new(world, &setup.scope).setup(&setup.setup))
}

/// Returns the text of a score. `preferences` are the names of the preferences in it.
pub(crate) fn score(world: &World, preferences: &[String], score_expression: &ScoreExpression) -> String {
    let of = |part: &ScoreExpression| score(world, preferences, part);
    let all = |parts: &[ScoreExpression]| parts.iter().map(of).collect::<Vec<_>>();
    match score_expression {
        ScoreExpression::Number(number) => number.to_string(),
        ScoreExpression::Count { kind, preference, types, .. } => {
            let types = types.iter().map(|&id| world.type_decl(id).name.to_string()).collect::<Vec<_>>().join(" ");
            format!("({kind:?} {} {types})", preferences[preference.index()])
        }
        ScoreExpression::Add(parts) => list("+", &commuted(all(parts))),
        ScoreExpression::Multiply(parts) => list("*", &commuted(all(parts))),
        ScoreExpression::Subtract(sides) => list("-", &all(&sides[..])),
        ScoreExpression::Divide(sides, _) => list("/", &all(&sides[..])),
        ScoreExpression::Negate(part) => list("-", &[of(part)]),
        ScoreExpression::Compare(comparison, sides) => comparison_text(*comparison, of(&sides[0]), of(&sides[1])),
        ScoreExpression::AllEqual(parts) => list("all-equal", &all(parts)),
        ScoreExpression::ExternalMaximum(part, _) => list("external-maximum", &[of(part)]),
        ScoreExpression::ExternalMinimum(part, _) => list("external-minimum", &[of(part)]),
        ScoreExpression::TotalTime => "(total-time)".to_owned(),
        ScoreExpression::TotalScore => "(total-score)".to_owned(),
    }
}

/// Returns the text of a terminal condition; empty without one.
pub(crate) fn terminal(
    world: &World,
    preferences: &[String],
    terminal_condition: Option<&TerminalCondition>,
) -> String {
    let of = |part: &TerminalCondition| terminal(world, preferences, Some(part));
    match terminal_condition {
        None => String::new(),
        Some(TerminalCondition::And(parts)) => joined(parts.iter().map(of).collect(), true),
        Some(TerminalCondition::Or(parts)) => joined(parts.iter().map(of).collect(), false),
        Some(TerminalCondition::Not(part)) => list("not", &[of(part)]),
        Some(TerminalCondition::Compare(comparison, sides, _)) => {
            let [left, right] = [&sides[0], &sides[1]].map(|side| score(world, preferences, side));
            comparison_text(*comparison, left, right)
        }
    }
}

/// Returns the names by which the texts of scores refer to the preferences of a game: equal names for preferences with equal texts.
pub(crate) fn preference_names(world: &World, game: &Game) -> Vec<String> {
    game.preferences.iter().map(|of| preference(world, of)).collect()
}

fn flatten<'c>(condition: &'c Condition, positive: bool, is_and: bool, parts: &mut Vec<(&'c Condition, bool)>) {
    match condition {
        Condition::Not(part) => flatten(part, !positive, is_and, parts),
        Condition::And(all) if positive == is_and => {
            for part in all {
                flatten(part, positive, is_and, parts);
            }
        }
        Condition::Or(all) if positive != is_and => {
            for part in all {
                flatten(part, positive, is_and, parts);
            }
        }
        Condition::Imply(sides) if positive != is_and => {
            flatten(&sides[0], !positive, is_and, parts);
            flatten(&sides[1], positive, is_and, parts);
        }
        _ => parts.push((condition, positive)),
    }
}

/// Joins the texts of the parts of a conjunction (`is_and`) or disjunction.
fn joined(texts: Vec<String>, is_and: bool) -> String {
    let (neutral, decisive) = (constant(is_and), constant(!is_and));
    let texts: BTreeSet<String> = texts.into_iter().filter(|text| *text != neutral).collect();
    if texts.contains(&decisive) || texts.iter().any(|text| texts.contains(&format!("(not {text})"))) {
        return decisive;
    }
    match texts.len() {
        0 => neutral,
        1 => texts.into_iter().collect(),
        _ => list(if is_and { "and" } else { "or" }, &texts.into_iter().collect::<Vec<_>>()),
    }
}

fn constant(value: bool) -> String {
    if value { "true".to_owned() } else { "false".to_owned() }
}

fn signed(text: String, positive: bool) -> String {
    match text.as_str() {
        _ if positive => text,
        "true" | "false" => constant(text == "false"),
        _ => format!("(not {text})"),
    }
}

fn list(head: &str, parts: &[String]) -> String {
    let parts: String = parts.iter().map(|part| format!(" {part}")).collect();
    format!("({head}{parts})")
}

/// Sorts two operands. More are not sorted, because the order of additions of floating-point numbers matters.
fn commuted(mut parts: Vec<String>) -> Vec<String> {
    if parts.len() == 2 {
        parts.sort();
    }
    parts
}

fn comparison_text(comparison: ComparisonOperator, left: String, right: String) -> String {
    match comparison {
        ComparisonOperator::Greater | ComparisonOperator::GreaterEqual => {
            list(comparison.mirrored().symbol(), &[right, left])
        }
        _ => list(comparison.symbol(), &[left, right]),
    }
}

fn type_names(world: &World, types: &[TypeId]) -> String {
    let names: BTreeSet<&str> = types.iter().map(|&id| &*world.type_decl(id).name).collect();
    names.into_iter().collect::<Vec<_>>().join("|")
}

/// Returns all orders of a few variables whose types have the same text as those of the given order.
fn orders(variables: &[VarId]) -> Vec<Vec<VarId>> {
    let Some((&first, rest)) = variables.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for order in orders(rest) {
        for place in 0..=order.len() {
            let mut longer = order.clone();
            longer.insert(place, first);
            all.push(longer);
        }
    }
    all
}
