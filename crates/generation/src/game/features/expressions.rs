//! Conditions and scores as Boolean expressions, and the features about redundancy.

use goalspec_generator::grammar::Symbol;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::FeatureVector;
use super::logic::{Expression, MAX_SIMPLIFIED_ATOMS};
use super::names::Feature;
use super::view::View;
use crate::game::rules::Rule;

/// The symbols of an atom. Within one expression, the name of a variable identifies it, since a quantified condition is one atom.
type AtomKey = Vec<Symbol>;

/// Converts parts of a game to Boolean expressions.
pub(super) struct Converter<'v, 'a> {
    view: &'v View<'a>,
    atoms: FxHashMap<AtomKey, u32>,
}

impl<'v, 'a> Converter<'v, 'a> {
    pub(super) fn new(view: &'v View<'a>) -> Self {
        Self { view, atoms: FxHashMap::default() }
    }

    /// Returns the atom for the text of an entry, with the numbers below it if `with_numbers`.
    fn atom(&mut self, entry: usize, with_numbers: bool) -> Expression {
        let view = self.view;
        let mut key = AtomKey::new();
        let mut entries = view.within(entry);
        while let Some(part) = entries.next() {
            if !with_numbers && view.rule(part) == Some(Rule::ComparisonNumber) {
                entries.next();
                continue;
            }
            key.push(view.tree.symbol(part));
        }
        self.intern(key)
    }

    fn intern(&mut self, key: AtomKey) -> Expression {
        let next = self.atoms.len() as u32;
        Expression::Atom(*self.atoms.entry(key).or_insert(next))
    }

    /// Returns the expression of a condition, a statement of the setup or a terminal condition.
    pub(super) fn logic(&mut self, entry: usize) -> Expression {
        let view = self.view;
        let Some(rule) = view.rule(entry) else { return self.atom(entry, true) };
        let inner = view.inner(entry).unwrap_or(entry);
        match rule {
            Rule::Condition
            | Rule::Predicate
            | Rule::FunctionComparison
            | Rule::Setup
            | Rule::SetupStatement
            | Rule::GameConserved
            | Rule::GameOptional
            | Rule::Terminal
            | Rule::TerminalComp
                if inner != entry =>
            {
                self.logic(inner)
            }
            Rule::And | Rule::SetupAnd | Rule::TerminalAnd => self.operator(true, entry),
            Rule::Or | Rule::SetupOr | Rule::TerminalOr => self.operator(false, entry),
            Rule::Not | Rule::SetupNot | Rule::TerminalNot => Expression::Not(Box::new(self.logic(inner))),
            Rule::TwoArgComparison | Rule::MultipleArgsEqual => self.comparison(entry),
            Rule::CountComp | Rule::TimeComp | Rule::ScoreComp => self.terminal_comparison(entry),
            Rule::ScoringExpr => self.score(entry),
            _ => self.atom(entry, true),
        }
    }

    fn operator(&mut self, is_and: bool, entry: usize) -> Expression {
        let view = self.view;
        Expression::Nary(is_and, view.tree.children(entry).map(|child| self.logic(child)).collect())
    }

    /// Returns the constant value of a comparison, or its atom.
    fn comparison(&mut self, entry: usize) -> Expression {
        let view = self.view;
        let operands: Vec<usize> =
            view.tree.children(entry).filter(|&child| !view.tree.symbol(child).is_token()).collect();
        let operator = view.tree.symbol(entry + 1);
        let operator = if operator.is_token() { view.text(operator) } else { "=" };
        if let Some(value) = constant_comparison(view, operator, &operands) {
            return Expression::Constant(value);
        }
        self.atom(entry, false)
    }

    fn terminal_comparison(&mut self, entry: usize) -> Expression {
        let view = self.view;
        let operands: Vec<usize> = view.tree.children(entry).skip(1).collect();
        let operator = view.text(view.tree.symbol(entry + 1));
        if let Some(value) = constant_comparison(view, operator, &operands) {
            return Expression::Constant(value);
        }
        // The number on the right side is not part of the atom.
        let mut key: AtomKey = vec![view.tree.symbol(entry), view.tree.symbol(entry + 1)];
        if let Some(&left) = operands.first() {
            key.extend(view.within(left).map(|part| view.tree.symbol(part)));
        }
        self.intern(key)
    }

    /// Returns the expression of a score: arithmetic is a conjunction, unless it combines only counts, comparisons and numbers.
    pub(super) fn score(&mut self, entry: usize) -> Expression {
        let view = self.view;
        let inner = view.inner(entry).unwrap_or(entry);
        match view.rule(entry) {
            Some(
                Rule::ScoringExpr
                | Rule::ScoringExprOrNumber
                | Rule::ScoringComparison
                | Rule::ExternalMaximize
                | Rule::ExternalMinimize,
            ) if inner != entry => self.score(inner),
            Some(Rule::NegExpr) if inner != entry => Expression::Not(Box::new(self.score(inner))),
            Some(Rule::ScoringNumber) => self.intern(vec![Rule::ScoringNumber.symbol()]),
            Some(Rule::MultiExpr | Rule::BinaryExpr) => {
                let operands: Vec<usize> = view.tree.children(entry).skip(1).collect();
                let is_simple = |&operand: &usize| {
                    let (kind, _) = unwrapped(view, operand);
                    matches!(kind, Some(Rule::PreferenceEval | Rule::ScoringComparison | Rule::ScoringNumber))
                };
                if operands.iter().all(is_simple) {
                    return self.simple_arithmetic(&operands);
                }
                Expression::Nary(true, operands.into_iter().map(|operand| self.score(operand)).collect())
            }
            Some(Rule::ScoringComp) => {
                let operands: Vec<usize> = view.tree.children(entry).skip(1).collect();
                let operator = view.text(view.tree.symbol(entry + 1));
                constant_comparison(view, operator, &operands)
                    .map_or_else(|| self.numberless(entry), Expression::Constant)
            }
            Some(Rule::ScoringEquals) => {
                let operands: Vec<usize> = view.tree.children(entry).collect();
                constant_comparison(view, "=", &operands).map_or_else(|| self.atom(entry, true), Expression::Constant)
            }
            _ => self.atom(entry, true),
        }
    }

    /// Returns the atom of arithmetic that combines only counts, comparisons and numbers: its operands in order, whose numbers are alike.
    fn simple_arithmetic(&mut self, operands: &[usize]) -> Expression {
        let mut key = vec![Rule::MultiExpr.symbol()];
        for &operand in operands {
            let (_, entry) = unwrapped(self.view, operand);
            match self.view.inner(entry).filter(|&inner| self.view.rule(inner) == Some(Rule::ScoringEquals)) {
                Some(equality) => key.extend(self.view.within(equality).map(|part| self.view.tree.symbol(part))),
                None => self.add_numberless(entry, &mut key),
            }
        }
        self.intern(key)
    }

    /// Returns the atom of a comparison of scores, without its numbers.
    fn numberless(&mut self, entry: usize) -> Expression {
        let mut key = AtomKey::new();
        self.add_numberless(entry, &mut key);
        self.intern(key)
    }

    /// Adds the symbols of a part of a score to an atom, without the values of its numbers.
    fn add_numberless(&self, entry: usize, key: &mut AtomKey) {
        let mut entries = self.view.within(entry);
        while let Some(part) = entries.next() {
            key.push(self.view.tree.symbol(part));
            if self.view.rule(part) == Some(Rule::ScoringNumber) {
                entries.next();
            }
        }
    }
}

/// Returns the rule of an operand below its wrappers, with its entry.
pub(super) fn unwrapped(view: &View<'_>, mut entry: usize) -> (Option<Rule>, usize) {
    while matches!(view.rule(entry), Some(Rule::ScoringExpr | Rule::ScoringExprOrNumber | Rule::ComparisonArg)) {
        match view.inner(entry) {
            Some(inner) => entry = inner,
            None => break,
        }
    }
    (view.rule(entry), entry)
}

/// Returns the number that an operand is.
pub(super) fn number(view: &View<'_>, operand: usize) -> Option<f64> {
    let (rule, entry) = unwrapped(view, operand);
    let is_number = matches!(
        rule,
        Some(Rule::ComparisonNumber | Rule::ScoringNumber | Rule::CountNumber | Rule::ScoreNumber | Rule::TimeNumber)
    );
    if is_number { view.text(view.tree.symbol(entry + 1)).parse().ok() } else { None }
}

/// Returns the value of a comparison of equal operands or of numbers.
fn constant_comparison(view: &View<'_>, operator: &str, operands: &[usize]) -> Option<bool> {
    let (&first, rest) = operands.split_first().filter(|(_, rest)| !rest.is_empty())?;
    let has_equality = operator.contains('=');
    if rest.iter().all(|&other| view.tree.subtree(first) == view.tree.subtree(other)) {
        return Some(has_equality);
    }
    let numbers = operands.iter().map(|&operand| number(view, operand)).collect::<Option<SmallVec<[f64; 4]>>>()?;
    if operator == "=" {
        return Some(numbers.windows(2).all(|pair| (pair[0] - pair[1]).abs() == 0.0));
    }
    let [one, other] = numbers[..] else { return None };
    Some(match operator {
        "<" => one < other,
        "<=" => one <= other,
        ">" => one > other,
        _ => one >= other,
    })
}

/// The predicates whose arguments may be exchanged.
const SYMMETRIC: [&str; 9] =
    ["above", "in", "on", "adjacent", "opposite", "touch", "same_color", "same_object", "same_type"];

/// Sets the features about redundancy of conditions, of the setup, of the terminal condition and of the score.
pub(super) fn set(view: &View<'_>, features: &mut FeatureVector) {
    let mut converter = Converter::new(view);
    for section in [0, 1].into_iter().filter_map(|section| view.sections[section]) {
        for entry in view.within(section) {
            let is_operator = matches!(view.rule(entry), Some(Rule::And | Rule::Or | Rule::SetupAnd | Rule::SetupOr));
            if is_operator {
                let expression = converter.logic(entry);
                let [is_redundant, is_unnecessary] = judge(expression, features);
                features.raise(Feature::RedundantCondition, is_redundant);
                features.raise(Feature::UnnecessaryCondition, is_unnecessary || has_mirrored_atoms(view, entry));
            }
        }
    }
    for section in [2, 3].into_iter().filter_map(|section| view.sections[section]) {
        for entry in view.within(section) {
            let expression = match view.rule(entry) {
                Some(Rule::TerminalAnd | Rule::TerminalOr | Rule::TerminalNot | Rule::TerminalComp) => {
                    converter.logic(entry)
                }
                Some(Rule::MultiExpr | Rule::BinaryExpr | Rule::NegExpr | Rule::ScoringComparison) => {
                    converter.score(entry)
                }
                _ => continue,
            };
            let [is_redundant, is_unnecessary] = judge(expression, features);
            features.raise(Feature::RedundantScore, is_redundant);
            features.raise(Feature::UnnecessaryScore, is_unnecessary);
        }
    }
}

/// Returns whether simplification shortens an expression without more operands, and whether it makes it constant.
fn judge(expression: Expression, features: &mut FeatureVector) -> [bool; 2] {
    if expression.atoms() > MAX_SIMPLIFIED_ATOMS {
        return [false, false];
    }
    features.raise(Feature::Tautology, expression.operands() > 1 && expression.is_constant());
    let (length, operands) = (expression.printed_length(), expression.operands());
    let simple = expression.simplify();
    let is_constant = matches!(simple, Expression::Constant(_));
    [simple.printed_length() < length && simple.operands() <= operands, is_constant]
}

/// Returns whether an operator has two operands that are a symmetric predicate with exchanged arguments.
fn has_mirrored_atoms(view: &View<'_>, entry: usize) -> bool {
    let atoms: Vec<(Symbol, Symbol, Symbol)> = view
        .tree
        .children(entry)
        .map(|condition| below_wrappers(view, condition))
        .filter(|&predicate| view.rule(predicate) == Some(Rule::Predicate))
        .filter_map(|predicate| view.inner(predicate))
        .filter_map(|application| {
            let symbol = view.tree.symbol(application);
            let name = view.games.vocabulary().signature(symbol).map(|signature| &*signature.name)?;
            let mut terms = view.tree.children(application);
            let pair = (terms.next()?, terms.next()?);
            SYMMETRIC.contains(&name).then(|| (symbol, view.argument(pair.0), view.argument(pair.1)))
        })
        .collect();
    atoms.iter().any(|&(symbol, one, other)| one != other && atoms.contains(&(symbol, other, one)))
}

/// Returns the entry of a condition or a statement of the setup below the nodes around it.
fn below_wrappers(view: &View<'_>, mut entry: usize) -> usize {
    while matches!(
        view.rule(entry),
        Some(Rule::Condition | Rule::Setup | Rule::SetupStatement | Rule::GameConserved | Rule::GameOptional)
    ) {
        match view.inner(entry) {
            Some(inner) => entry = inner,
            None => break,
        }
    }
    entry
}

/// Returns the simplified expression of a condition, which compares the conditions of consecutive operators.
pub(super) fn normal_form(converter: &mut Converter<'_, '_>, condition: usize) -> Option<Expression> {
    let expression = converter.logic(condition);
    (expression.atoms() <= MAX_SIMPLIFIED_ATOMS).then(|| expression.simplify())
}
