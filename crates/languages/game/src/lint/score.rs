//! Lints for scores, terminal conditions, and their use of preferences.

use std::cell::OnceCell;

use goalspec_core::program::CountOperator;
use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::{Diagnostic, Fix, Span, suggest};
use rustc_hash::{FxHashMap, FxHashSet};

use super::duplicates::first_equal;
use super::formula::PropVariables;
use super::interval::{EvaluationTime, IntervalAnalysis, PreferenceBounds};
use super::{Linter, edit};
use crate::ast::visit::{self, Node as _, Visitor};
use crate::ast::{
    Constraint, Name, PatternBody, Preference, PreferenceReference, Score, SequenceOperator, Terminal, TypedVariables,
};
use crate::codes::lint as codes;
use crate::resolve::MAX_SUGGESTIONS;

/// The use of a preference by the score and the terminal condition.
#[derive(Debug, Default, Clone, Copy)]
struct PreferenceUse {
    counted: bool,
    measured: bool,
    /// Whether some use distinguishes the bindings of the external variables.
    distinguished: bool,
}

/// The plays in which the value of the game's score requires the value of a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Defined {
    /// In every play.
    Always,
    /// Not in every play, or never.
    IfBound,
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
        let ranges = IntervalAnalysis {
            known: &known,
            score: None,
            when: EvaluationTime::End,
            dialect: self.dialect,
            total: OnceCell::new(),
        };
        ScoreLinter { linter: self, ranges: &ranges, defined: Defined::Always }.score(&game.scoring);
        self.total(&game.scoring, &ranges);
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
        let lacks_externals = self.game.unparsed_names.has_externals;
        let has_externals = lacks_externals || !external.is_empty();
        let external: Option<f64> = product(external).filter(|_| !lacks_externals);
        let bindings = external.zip(product(inner)).map(|(external, inner)| external * inner);
        let (operators, is_parsed) = match &preference.body {
            PatternBody::Then(operators, _) => (&operators[..], true),
            PatternBody::AtEnd(..) => (&[][..], true),
            PatternBody::Error(_) => (&[][..], false),
        };
        let is_non_negative = |operator: &SequenceOperator| match operator {
            SequenceOperator::OnceMeasure(_, function, _) => {
                self.world.function_named(&function.name.text).is_some_and(|id| self.world.is_non_negative(id))
            }
            SequenceOperator::Error(_) => false,
            _ => true,
        };
        let never_negative = is_parsed && operators.iter().all(is_non_negative);
        // Without a pattern, the quantifier may be missing too.
        let bindings = bindings.filter(|_| is_parsed);
        PreferenceBounds { preference, bindings, external, has_externals, never_negative }
    }

    /// Reports findings about a score, apart from those in its subexpressions.
    fn check_score(&mut self, score: &Score, ranges: &IntervalAnalysis<'_, '_>) {
        let span = score.span();
        match score {
            Score::Add(parts, _) | Score::Multiply(parts, _) | Score::AllEqual(parts, _)
                if matches!(parts[..], [Score::Error(_)]) => {}
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
                    self.single(operator, span, parts[0].span());
                }
            }
            Score::Add(parts, _) => self.identical(parts),
            Score::Multiply(parts, _) => {
                if let Some(zero) = parts.iter().find(|part| matches!(part, Score::Number(number, _) if *number == 0.0))
                {
                    let message = "this product is always 0: its other factors have no effect";
                    self.report(Diagnostic::warning(codes::ZERO_FACTOR, zero.span(), message));
                }
            }
            Score::Divide(sides, _) if !matches!(sides[1], Score::Error(_)) => self.divisor(&sides[1], ranges),
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
        let span = score.span();
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
                let span = part.span();
                let before = parts[index - 1].span();
                self.report(
                    Diagnostic::note(codes::IDENTICAL_SCORES, span, "duplicate operand of `+`")
                        .with_related(first.span(), "first occurrence")
                        .with_help("use another preference, or multiply by 2")
                        .with_fix(edit::remove_after("add it once", before, span)),
                );
            }
        }
    }

    fn divisor(&mut self, divisor: &Score, ranges: &IntervalAnalysis<'_, '_>) {
        let (range, span) = (ranges.of(divisor), divisor.span());
        if range.value() == Some(0.0) {
            self.report(Diagnostic::warning(codes::DIVISION_BY_ZERO, span, "this divisor is always 0"));
        } else if range.min <= 0.0 && range.max >= 0.0 {
            self.report(
                Diagnostic::note(codes::ZERO_DIVISOR, span, "this divisor can be 0, which leaves the score undefined")
                    .with_help("add a number to the divisor: counts are 0 at first"),
            );
        }
    }

    fn plain_count(&mut self, kind: CountOperator, reference: &PreferenceReference, ranges: &IntervalAnalysis<'_, '_>) {
        let Some(known) = (ranges.known)(reference).filter(|_| !reference.name.is_erroneous()) else { return };
        let no_external = !known.has_externals;
        let (keyword, counted) = match kind {
            CountOperator::OncePerObjects
                if no_external
                    && known.preference.quantifier.is_none()
                    && !matches!(known.preference.body, PatternBody::Error(_)) =>
            {
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
                reference.name.span(),
                format!("`{name}` has no {counted}, so `{keyword}` is 0 or 1"),
            )
            .with_help("use `count-once`"),
        );
    }

    fn total(&mut self, score: &Score, ranges: &IntervalAnalysis<'_, '_>) {
        let (range, span) = (ranges.of(score), score.span());
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
        let score = Some(&self.game.scoring);
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
                let mut sides_linter = ScoreLinter { linter: self, ranges: &analysis, defined: Defined::IfBound };
                sides.accept(&mut sides_linter);
            }
        }
        let span = terminal.span();
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
            if !decided && let Some(variables) = PropVariables::of_terminal(terminal, self.reasoning_budget, range) {
                self.terminal_truth(terminal, &variables);
                self.charge_reasoning(&variables, span);
            }
        }
    }

    /// Reports comparisons whose outcome is certain, in a condition that as a whole is open. Returns whether there is one.
    fn constant_comparisons(&mut self, terminal: &Terminal, ranges: &IntervalAnalysis<'_, '_>) -> bool {
        let mut parts = TerminalParts::default();
        parts.terminal(terminal);
        let mut found = false;
        for part in parts.0 {
            let Terminal::Compare(comparison, sides, span) = part else { continue };
            let Some(holds) = ranges.compare(*comparison, sides) else { continue };
            found = true;
            let message = format!("this comparison is always {holds}");
            let mut diagnostic = Diagnostic::warning(codes::CONSTANT_COMPARISON, span.0, message);
            if counts_at_end(part, ranges) {
                diagnostic = diagnostic.with_help("`at-end` preferences are counted when the game is over, not before");
            }
            self.report(diagnostic);
        }
        found
    }

    /// Reports preferences that are defined but unused, and preferences with the same definition.
    fn uses(&mut self) {
        let is_parsed = !visit::has_unparsed_part(&self.game.scoring)
            && !self.game.terminal.as_ref().is_some_and(visit::has_unparsed_part);
        // Otherwise the text that could not be parsed may count any preference.
        if is_parsed {
            self.unused_preferences();
        }
        self.same_preferences();
    }

    fn unused_preferences(&mut self) {
        let mut names: Vec<&str> = self.game.preferences().map(|(_, preference)| &*preference.name.text).collect();
        names.sort_unstable();
        let mut uses: FxHashMap<&str, PreferenceUse> = FxHashMap::default();
        let mut unknown: FxHashSet<&str> = FxHashSet::default();
        // Whether a reference may stand for any preference, since its name is unknown and similar to none.
        let mut has_open_reference = false;
        let mut counts = Counts::new(|kind: CountOperator, reference: &'a PreferenceReference, maximized: bool| {
            let name = &*reference.name.text;
            // An unknown name is reported elsewhere; the preference suggested for it counts as used.
            let known = names.binary_search(&name).is_ok();
            let guess = !known && unknown.insert(name) && unknown.len() <= MAX_SUGGESTIONS;
            let candidate = if guess { suggest::nearest(name, names.iter().copied()) } else { Some(name) };
            has_open_reference |= candidate.is_none() || !known && !guess && unknown.len() > MAX_SUGGESTIONS;
            let entry = uses.entry(candidate.unwrap_or(name)).or_default();
            entry.counted = true;
            entry.measured |= kind == CountOperator::Measure;
            entry.distinguished |=
                maximized || !reference.types.is_empty() || kind == CountOperator::OncePerExternalObjects;
        });
        counts.score(&self.game.scoring);
        if let Some(terminal) = &self.game.terminal {
            counts.terminal(terminal);
        }
        for constraint in &self.game.constraints {
            match constraint {
                Constraint::Preference(preference) => {
                    self.preference_use(preference, uses.get(&*preference.name.text).copied(), has_open_reference);
                }
                Constraint::Error(_) => {}
                Constraint::Forall { variables, preferences, span } => {
                    for preference in preferences {
                        self.preference_use(preference, uses.get(&*preference.name.text).copied(), has_open_reference);
                    }
                    let [only] = &preferences[..] else { continue };
                    if uses.get(&*only.name.text).is_some_and(|found| !found.distinguished)
                        && !TypedVariables::names_of(variables).any(Name::is_erroneous)
                    {
                        let names: Vec<_> =
                            TypedVariables::names_of(variables).map(|name| format!("`{}`", name.text)).collect();
                        let span_of_variables = variables.iter().map(TypedVariables::span).reduce(Span::to);
                        let message = format!("the score does not distinguish the bindings of {}", names.join(" and "));
                        self.report(
                            Diagnostic::note(codes::REDUNDANT_EXTERNALS, span_of_variables.unwrap_or(span.0), message)
                                .with_help(
                                    "declare them in an `exists` inside the preference, which gives the same count",
                                ),
                        );
                    }
                }
            }
        }
    }

    /// Returns whether the use of a preference is not examined, because an error was reported about the preference as a whole.
    fn is_excluded(&self, preference: &Preference) -> bool {
        preference.name.is_erroneous()
            || matches!(preference.body, PatternBody::Error(_))
            || self.oversized.contains(&*preference.name.text)
    }

    /// Reports a preference that is not counted, unless `may_be_counted`, and a measure that is not counted.
    fn preference_use(&mut self, preference: &Preference, found: Option<PreferenceUse>, may_be_counted: bool) {
        let name = &preference.name;
        if self.is_excluded(preference) || found.is_none() && may_be_counted {
            return;
        }
        let Some(found) = found else {
            let message =
                format!("unused preference `{}`: neither the score nor the terminal condition counts it", name.text);
            self.report(
                Diagnostic::warning(codes::UNUSED_PREFERENCE, name.span(), message)
                    .with_help(format!("add `(count {})` to the score, or remove the preference", name.text)),
            );
            return;
        };
        if let (PatternBody::Then(operators, _), false) = (&preference.body, found.measured) {
            for operator in operators {
                if let SequenceOperator::OnceMeasure(_, _, span) = operator {
                    let message = format!("unused measure: the game has no `(count-measure {})`", name.text);
                    self.report(Diagnostic::note(codes::UNUSED_MEASURE, span.0, message));
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
                && !self.is_excluded(preference)
            {
                let message = format!("`{}` has the same definition as `{}`", preference.name.text, first.name.text);
                self.report(
                    Diagnostic::warning(codes::SAME_PREFERENCE, preference.name.span(), message)
                        .with_related(first.name.span(), "the other preference"),
                );
            }
        }
    }
}

/// Reports findings in a score and its subexpressions.
struct ScoreLinter<'l, 'a, 'r> {
    linter: &'l mut Linter<'a>,
    ranges: &'r IntervalAnalysis<'a, 'r>,
    defined: Defined,
}

impl<'s> Visitor<'s> for ScoreLinter<'_, '_, '_> {
    fn score(&mut self, score: &'s Score) {
        let outside = self.defined;
        match score {
            Score::Error(_) => return,
            // Without any binding, these operators have the value 0.
            Score::ExternalMaximum(..) | Score::ExternalMinimum(..) => self.defined = Defined::IfBound,
            Score::Divide(sides, _) if outside == Defined::Always && constant(&sides[1]) == Some(0.0) => {
                let [dividend, divisor] = &**sides;
                let message = "this divisor is always 0, so the score is always undefined";
                self.linter.report(Diagnostic::error(codes::DIVISION_BY_ZERO, divisor.span(), message));
                self.score(dividend);
                // Further findings about the divisor as a whole would be consequences.
                return visit::walk_score(self, divisor);
            }
            _ => {}
        }
        visit::walk_score(self, score);
        self.defined = outside;
        self.linter.check_score(score, self.ranges);
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
        Terminal::Error(_) => None,
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
        if !matches!(terminal, Terminal::Error(_)) {
            visit::walk_terminal(self, terminal);
        }
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
