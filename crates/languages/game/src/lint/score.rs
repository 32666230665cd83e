//! Lints for scores, terminal conditions, and their use of preferences.

use std::cell::OnceCell;

use goalspec_core::program::CountOperator;
use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::{Diagnostic, Fix, suggest};
use rustc_hash::{FxHashMap, FxHashSet};

use super::duplicates::first_equal;
use super::formula::PropVariables;
use super::interval::{EvaluationTime, IntervalAnalysis, PreferenceBounds};
use super::{Linter, codes, edit};
use crate::ast::visit::{self, Visitor};
use crate::ast::{
    Constraint, PatternBody, Preference, PreferenceReference, Score, SequenceOperator, Terminal, TypedVariables,
};
use crate::resolve::{MAX_SUGGESTIONS, span_of};

/// The use of a preference by the score and the terminal condition.
#[derive(Debug, Default, Clone, Copy)]
struct PreferenceUse {
    counted: bool,
    measured: bool,
    /// Whether some use distinguishes the bindings of the external variables.
    distinguished: bool,
}

impl<'a> Linter<'a> {
    pub(super) fn scores(&mut self) {
        let game = self.game;
        let mut table: FxHashMap<&'a str, PreferenceBounds<'a>> = FxHashMap::default();
        for (external, preference) in game.preferences() {
            let known = self.known(external, preference);
            table.entry(&preference.name.text).or_insert(known);
        }
        let known = |reference: &PreferenceReference| table.get(&*reference.name.text).copied();
        if let Some(score) = &game.scoring {
            let ranges = IntervalAnalysis {
                known: &known,
                score: None,
                when: EvaluationTime::End,
                dialect: self.dialect,
                total: OnceCell::new(),
            };
            // This error comes first: it is more severe than the warning about the same divisor.
            self.check_always_undefined(score);
            self.score(score, &ranges);
            self.total(score, &ranges);
        }
        if let Some(terminal) = &game.terminal {
            self.terminal(terminal, &known);
        }
        self.uses();
    }

    fn known(&self, external: &'a [TypedVariables], preference: &'a Preference) -> PreferenceBounds<'a> {
        let inner = preference.quantifier.as_ref().map_or(&[][..], |quantifier| &quantifier.variables);
        let product = |groups: &[TypedVariables]| {
            let sizes = self.domain_sizes(groups)?;
            let open = groups.iter().any(|group| self.is_open(group));
            (!open).then(|| sizes.iter().map(|&size| size as f64).product())
        };
        let has_externals = !external.is_empty();
        let external: Option<f64> = product(external);
        let bindings = external.zip(product(inner)).map(|(external, inner)| external * inner);
        let operators = match &preference.body {
            PatternBody::Then(operators, _) => &operators[..],
            PatternBody::AtEnd(..) => &[],
        };
        let never_negative = operators.iter().all(|operator| match operator {
            SequenceOperator::OnceMeasure(_, function, _) => {
                self.world.function_named(&function.name.text).is_some_and(|id| self.world.is_non_negative(id))
            }
            _ => true,
        });
        PreferenceBounds { preference, bindings, external, has_externals, never_negative }
    }

    /// Reports findings in a score and its subexpressions.
    fn score(&mut self, score: &Score, ranges: &IntervalAnalysis<'_, '_>) {
        score.operands().iter().for_each(|part| self.score(part, ranges));
        let span = span_of(score.origin());
        match score {
            Score::Add(parts, _) | Score::Multiply(parts, _) | Score::AllEqual(parts, _) if parts.len() == 1 => {
                let operator = match score {
                    Score::Add(..) => "+",
                    Score::Multiply(..) => "*",
                    _ => "=",
                };
                if operator == "=" {
                    let message = "`=` with a single operand is always true";
                    self.report(Diagnostic::note(codes::SINGLE_OPERAND, span, message));
                } else {
                    self.single(operator, span, span_of(parts[0].origin()));
                }
            }
            Score::Add(parts, _) => self.identical(parts),
            Score::Multiply(parts, _) => {
                if let Some(zero) = parts.iter().find(|part| matches!(part, Score::Number(number, _) if *number == 0.0))
                {
                    let message = "this product is always 0: its other factors have no effect";
                    self.report(Diagnostic::warning(codes::ZERO_FACTOR, span_of(zero.origin()), message));
                }
            }
            Score::Divide(sides, _) => self.divisor(&sides[1], ranges),
            Score::Compare(comparison, sides, _) => {
                if let Some(holds) = ranges.compare(*comparison, sides) {
                    let message = format!("this comparison is always {holds}");
                    self.report(
                        Diagnostic::warning(codes::CONSTANT_COMPARISON, span, message)
                            .with_help(format!("its value is always {}", u8::from(holds))),
                    );
                }
            }
            Score::Count(kind, reference, _) => self.plain_count(*kind, reference, ranges),
            _ => {}
        }
        self.constant_operation(score, ranges);
    }

    /// Reports an operation whose operands are all numbers.
    fn constant_operation(&mut self, score: &Score, ranges: &IntervalAnalysis<'_, '_>) {
        let numbers =
            score.operands().len() > 1 && score.operands().iter().all(|part| matches!(part, Score::Number(..)));
        if !numbers || matches!(score, Score::Compare(..)) {
            return;
        }
        let Some(value) = ranges.of(score).value().filter(|value| value.is_finite()) else { return };
        let span = span_of(score.origin());
        let fix = Fix::replace(format!("replace with `{value}`"), Applicability::Unsafe, span, value.to_string());
        self.report(
            Diagnostic::note(codes::CONSTANT_OPERATION, span, format!("this expression is always {value}"))
                .with_fix(fix),
        );
    }

    fn identical(&mut self, parts: &[Score]) {
        let firsts = first_equal(parts);
        for (index, part) in parts.iter().enumerate() {
            if firsts[index] != index {
                let first = &parts[firsts[index]];
                let span = span_of(part.origin());
                let before = span_of(parts[index - 1].origin());
                self.report(
                    Diagnostic::note(codes::IDENTICAL_SCORES, span, "duplicate operand of `+`")
                        .with_related(span_of(first.origin()), "first occurrence")
                        .with_help("use another preference, or multiply by 2")
                        .with_fix(edit::remove_after("add it once", before, span)),
                );
            }
        }
    }

    fn divisor(&mut self, divisor: &Score, ranges: &IntervalAnalysis<'_, '_>) {
        let (range, span) = (ranges.of(divisor), span_of(divisor.origin()));
        if range.value() == Some(0.0) {
            self.report(Diagnostic::warning(codes::DIVISION_BY_ZERO, span, "this divisor is always 0"));
        } else if range.min <= 0.0 && range.max >= 0.0 {
            self.report(
                Diagnostic::note(codes::ZERO_DIVISOR, span, "this divisor can be 0, which leaves the score undefined")
                    .with_help("add a number to the divisor: counts are 0 at first"),
            );
        }
    }

    /// Reports a score that is undefined in every play because it always divides by zero.
    fn check_always_undefined(&mut self, score: &Score) {
        match score {
            // Without any binding, these operators have the value 0.
            Score::ExternalMaximum(..) | Score::ExternalMinimum(..) => return,
            Score::Divide(sides, _) if constant(&sides[1]) == Some(0.0) => {
                let span = span_of(sides[1].origin());
                let message = "this divisor is always 0, so the score is always undefined";
                self.report(Diagnostic::error(codes::DIVISION_BY_ZERO, span, message));
            }
            _ => {}
        }
        score.operands().iter().for_each(|part| self.check_always_undefined(part));
    }

    fn plain_count(&mut self, kind: CountOperator, reference: &PreferenceReference, ranges: &IntervalAnalysis<'_, '_>) {
        let Some(known) = (ranges.known)(reference) else { return };
        let no_external = !known.has_externals;
        let (keyword, counted) = match kind {
            CountOperator::OncePerObjects if no_external && known.preference.quantifier.is_none() => {
                ("count-once-per-objects", "variables")
            }
            CountOperator::OncePerExternalObjects if no_external => {
                ("count-once-per-external-objects", "external variables")
            }
            _ => return,
        };
        let name = &reference.name.text;
        self.report(
            Diagnostic::note(
                codes::REDUNDANT_PER_OBJECTS,
                span_of(reference.name.origin),
                format!("`{name}` has no {counted}, so `{keyword}` is 0 or 1"),
            )
            .with_help("use `count-once`"),
        );
    }

    fn total(&mut self, score: &Score, ranges: &IntervalAnalysis<'_, '_>) {
        let (range, span) = (ranges.of(score), span_of(score.origin()));
        if let Some(value) = range.value() {
            let message = format!("the score is always {value}");
            self.report(Diagnostic::warning(codes::CONSTANT_SCORE, span, message));
        } else if range.max <= 0.0 {
            self.report(
                Diagnostic::warning(codes::NEVER_POSITIVE, span, "the score is never positive")
                    .with_help("check the signs: doing nothing is optimal"),
            );
        }
    }

    fn terminal(
        &mut self,
        terminal: &'a Terminal,
        known: &dyn Fn(&PreferenceReference) -> Option<PreferenceBounds<'a>>,
    ) {
        let score = self.game.scoring.as_ref();
        let analysis = IntervalAnalysis {
            known,
            score,
            when: EvaluationTime::During,
            dialect: self.dialect,
            total: OnceCell::new(),
        };
        let first = IntervalAnalysis {
            known,
            score,
            when: EvaluationTime::First,
            dialect: self.dialect,
            total: OnceCell::new(),
        };
        let mut parts = TerminalParts::default();
        parts.terminal(terminal);
        for part in parts.0 {
            self.check_connectives(part);
            if let Terminal::Compare(_, sides, _) = part {
                sides.iter().for_each(|side| self.score(side, &analysis));
            }
        }
        let span = span_of(terminal.origin());
        if constant_value(terminal, &first) == Some(true) {
            self.report(
                Diagnostic::warning(codes::TERMINAL_IMMEDIATE, span, "the game always ends in its first state")
                    .with_help("check the direction of the comparison: all counts are 0 in the first state"),
            );
        } else if constant_value(terminal, &analysis) == Some(false) {
            let at_end = counts_at_end(terminal, &analysis);
            let message = if at_end {
                "this condition can only be true when the game is over, so it never ends the game"
            } else {
                "this condition is never true, so it never ends the game"
            };
            let mut diagnostic = Diagnostic::warning(codes::TERMINAL_NEVER, span, message);
            if at_end {
                diagnostic = diagnostic.with_help("`at-end` preferences are counted when the game is over, not before");
            }
            self.report(diagnostic);
        } else {
            let decided = self.constant_comparisons(terminal, &analysis);
            let range = |score: &Score| {
                let range = analysis.of(score);
                (range.min, range.max)
            };
            if !decided && let Some(letters) = PropVariables::of_terminal(terminal, self.reasoning_budget, range) {
                self.terminal_truth(terminal, &letters);
                self.charge_reasoning(&letters, span);
            }
        }
    }

    /// Reports comparisons whose outcome is certain, in a condition that as a whole is open. Returns whether there is one.
    fn constant_comparisons(&mut self, terminal: &Terminal, ranges: &IntervalAnalysis<'_, '_>) -> bool {
        let mut parts = TerminalParts::default();
        parts.terminal(terminal);
        let mut found = false;
        for part in parts.0 {
            let Terminal::Compare(comparison, sides, origin) = part else { continue };
            let Some(holds) = ranges.compare(*comparison, sides) else { continue };
            found = true;
            let message = format!("this comparison is always {holds}");
            let mut diagnostic = Diagnostic::warning(codes::CONSTANT_COMPARISON, span_of(*origin), message);
            if counts_at_end(part, ranges) {
                diagnostic = diagnostic.with_help("`at-end` preferences are counted when the game is over, not before");
            }
            self.report(diagnostic);
        }
        found
    }

    /// Reports preferences that are defined but unused. Reports nothing if the scoring section is missing.
    fn uses(&mut self) {
        let Some(score) = &self.game.scoring else { return };
        let mut names: Vec<&str> = self.game.preferences().map(|(_, preference)| &*preference.name.text).collect();
        names.sort_unstable();
        let mut uses: FxHashMap<&str, PreferenceUse> = FxHashMap::default();
        let mut unknown: FxHashSet<&str> = FxHashSet::default();
        let mut counts = Counts::new(|kind: CountOperator, reference: &'a PreferenceReference, maximized: bool| {
            let name = &*reference.name.text;
            // An unknown name is reported elsewhere; the preference suggested for it counts as used.
            let known = names.binary_search(&name).is_ok();
            let guess = !known && unknown.insert(name) && unknown.len() <= MAX_SUGGESTIONS;
            let candidate = if guess { suggest::nearest(name, names.iter().copied()) } else { Some(name) };
            let entry = uses.entry(candidate.unwrap_or(name)).or_default();
            entry.counted = true;
            entry.measured |= kind == CountOperator::Measure;
            entry.distinguished |=
                maximized || !reference.types.is_empty() || kind == CountOperator::OncePerExternalObjects;
        });
        counts.score(score);
        if let Some(terminal) = &self.game.terminal {
            counts.terminal(terminal);
        }
        for constraint in &self.game.constraints {
            match constraint {
                Constraint::Preference(preference) => {
                    self.preference_use(preference, uses.get(&*preference.name.text).copied());
                }
                Constraint::Forall { variables, preferences, origin } => {
                    for preference in preferences {
                        self.preference_use(preference, uses.get(&*preference.name.text).copied());
                    }
                    let [only] = &preferences[..] else { continue };
                    if uses.get(&*only.name.text).is_some_and(|found| !found.distinguished) {
                        let names: Vec<_> =
                            TypedVariables::names_of(variables).map(|name| format!("`{}`", name.text)).collect();
                        let span =
                            variables.iter().map(|group| span_of(group.origin)).reduce(goalspec_syntax::Span::to);
                        let message = format!("the score does not distinguish the bindings of {}", names.join(" and "));
                        self.report(
                            Diagnostic::note(codes::REDUNDANT_EXTERNALS, span.unwrap_or(span_of(*origin)), message)
                                .with_help(
                                    "declare them in an `exists` inside the preference, which gives the same count",
                                ),
                        );
                    }
                }
            }
        }
        self.same_preferences();
    }

    fn preference_use(&mut self, preference: &Preference, found: Option<PreferenceUse>) {
        let name = &preference.name;
        let Some(found) = found else {
            let message =
                format!("unused preference `{}`: neither the score nor the terminal condition counts it", name.text);
            self.report(
                Diagnostic::warning(codes::UNUSED_PREFERENCE, span_of(name.origin), message)
                    .with_help(format!("add `(count {})` to the score, or remove the preference", name.text)),
            );
            return;
        };
        if let (PatternBody::Then(operators, _), false) = (&preference.body, found.measured) {
            for operator in operators {
                if let SequenceOperator::OnceMeasure(_, _, origin) = operator {
                    let message = format!("unused measure: the game has no `(count-measure {})`", name.text);
                    self.report(Diagnostic::note(codes::UNUSED_MEASURE, span_of(*origin), message));
                }
            }
        }
    }

    fn same_preferences(&mut self) {
        let all: Vec<(&[TypedVariables], &Preference)> = self.game.preferences().collect();
        let firsts = first_equal(
            all.iter().map(|(external, preference)| (*external, preference.quantifier.as_ref(), &preference.body)),
        );
        let mut names = FxHashSet::default();
        for (place_of_first, (_, preference)) in firsts.into_iter().zip(&all) {
            let (_, first) = all[place_of_first];
            if !std::ptr::eq(first, *preference)
                && names.insert(&preference.name.text)
                && first.name.text != preference.name.text
            {
                let message = format!("`{}` has the same definition as `{}`", preference.name.text, first.name.text);
                self.report(
                    Diagnostic::warning(codes::SAME_PREFERENCE, span_of(preference.name.origin), message)
                        .with_related(span_of(first.name.origin), "the other preference"),
                );
            }
        }
    }
}

/// Returns the value of an expression of numbers alone. Returns `None` for other expressions and for a division by 0.
fn constant(score: &Score) -> Option<f64> {
    let parts: Option<Vec<f64>> = score.operands().iter().map(constant).collect();
    let parts = parts?;
    match score {
        Score::Number(number, _) => Some(*number),
        Score::Add(..) => Some(parts.iter().sum()),
        Score::Multiply(..) => Some(parts.iter().product()),
        Score::Subtract(..) => Some(parts[0] - parts[1]),
        Score::Divide(..) if parts[1] != 0.0 => Some(parts[0] / parts[1]),
        Score::Negate(..) => Some(-parts[0]),
        _ => None,
    }
}

/// Returns the outcome of a terminal condition, if it is certain. Visits every part once.
fn constant_value(terminal: &Terminal, ranges: &IntervalAnalysis<'_, '_>) -> Option<bool> {
    let combine = |parts: &[Terminal], decisive: bool| {
        let mut open = false;
        for part in parts {
            match constant_value(part, ranges) {
                Some(outcome) if outcome == decisive => return Some(decisive),
                Some(_) => {}
                None => open = true,
            }
        }
        (!open).then_some(!decisive)
    };
    match terminal {
        Terminal::And(parts, _) => combine(parts, false),
        Terminal::Or(parts, _) => combine(parts, true),
        Terminal::Not(part, _) => constant_value(part, ranges).map(|holds| !holds),
        Terminal::Compare(comparison, sides, _) => ranges.compare(*comparison, sides),
    }
}

/// Returns whether the condition counts an `at-end` preference.
fn counts_at_end(terminal: &Terminal, ranges: &IntervalAnalysis<'_, '_>) -> bool {
    let mut found = false;
    Counts::new(|_, reference, _| {
        found |= (ranges.known)(reference).is_some_and(|known| matches!(known.preference.body, PatternBody::AtEnd(..)));
    })
    .terminal(terminal);
    found
}

/// A terminal condition and its parts, without scoring expressions.
#[derive(Default)]
struct TerminalParts<'a>(Vec<&'a Terminal>);

impl<'a> Visitor<'a> for TerminalParts<'a> {
    fn terminal(&mut self, terminal: &'a Terminal) {
        self.0.push(terminal);
        visit::walk_terminal(self, terminal);
    }

    fn score(&mut self, _: &'a Score) {}
}

/// Visits counts of satisfactions. The last argument of `visit` is whether the count is inside an external-forall operator.
struct Counts<F> {
    visit: F,
    maximized: bool,
}

impl<F> Counts<F> {
    fn new<'a>(visit: F) -> Self
    where
        F: FnMut(CountOperator, &'a PreferenceReference, bool),
    {
        Self { visit, maximized: false }
    }
}

impl<'a, F: FnMut(CountOperator, &'a PreferenceReference, bool)> Visitor<'a> for Counts<F> {
    fn score(&mut self, score: &'a Score) {
        if let Score::Count(kind, reference, _) = score {
            (self.visit)(*kind, reference, self.maximized);
        }
        let outside = self.maximized;
        self.maximized |= matches!(score, Score::ExternalMaximum(..) | Score::ExternalMinimum(..));
        visit::walk_score(self, score);
        self.maximized = outside;
    }
}
