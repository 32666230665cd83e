//! Rules about parts of the program: terms that never contribute, comparisons with a constant outcome.

use std::collections::BTreeSet;

use goalspec_python_runtime::entry::Entry;
use goalspec_python_runtime::observe::{ComparisonStatistics, Range, Relation};
use goalspec_reward::lint;
use goalspec_reward::terms::{Term, TermKind};
use goalspec_syntax::{Severity, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::tables::{self, format_percent};
use crate::{Audit, Finding, codes, format_number};

/// The minimum number of evaluations for which a constant outcome of a comparison is significant.
const MIN_EVALUATIONS: u64 = 50;

/// The minimum share of the total contribution that makes a term the only relevant one.
pub(super) const DOMINANT_SHARE: f64 = 0.99;

/// Whether a term adds a contribution of its own.
pub(super) fn is_additive(term: &Term) -> bool {
    matches!(term.kind, TermKind::Summand | TermKind::Assignment | TermKind::ReturnValue)
}

fn term_label(term: &Term) -> String {
    let sign = if term.is_subtracted() { "-" } else { "" };
    format!("`{}` ({sign}{})", term.name, term.text)
}

/// Reports terms that are never added, or always 0.
pub(super) fn dead_terms(audit: &Audit) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut failed = FailedComparisons::new(audit);
    for (term, statistics) in audit.terms.terms.iter().zip(&audit.statistics.terms) {
        if statistics.nonzero_calls > 0 || !is_additive(term) || audit.statistics.calls == 0 {
            continue;
        }
        let how = if statistics.calls == 0 { "is never added" } else { "is always 0" };
        let message = format!("the term {} {how} in {} frames", term_label(term), audit.statistics.calls);
        let help = "use a condition that the game can satisfy, or remove the term";
        let finding = Finding::new(codes::DEAD_TERM, Severity::Warning, message, help).with_span(term.span);
        let condition =
            term.truncated_condition().into_iter().map(|condition| format!("its condition is `{condition}`"));
        let reasons = failed.for_condition(term).into_iter().map(|statistics| describe_comparison(audit, statistics));
        let reasons: Vec<String> = reasons.collect();
        // A dead term with a known reason can be fixed.
        let weight = if reasons.is_empty() { 10.0 } else { 10.5 };
        found.push(
            finding
                .with_evidence(condition)
                .with_evidence(reasons)
                .with_number("frames", audit.statistics.calls as f64)
                .with_weight(weight),
        );
    }
    found
}

/// The maximum number of comparisons that are named as the reason for a dead term.
const MAX_CAUSES: usize = 8;

/// The maximum number of characters of a comparison that is named as a reason.
const MAX_COMPARISON_CHARS: usize = 100;

/// The maximum size in bytes of the part of a condition that is searched for comparisons.
const MAX_CONDITION_BYTES: usize = 4_096;

/// The comparisons that never held, indexed to explain dead terms.
pub(super) struct FailedComparisons<'a> {
    comparisons: Vec<&'a ComparisonStatistics>,
    /// Indices of the comparisons by their text, in source order.
    by_text: FxHashMap<String, Vec<usize>>,
    /// The lengths of the texts.
    lengths: Vec<usize>,
    /// Indices of the comparisons whose line assigns a variable, by the name of the variable.
    by_variable: FxHashMap<&'a str, Vec<usize>>,
    /// The functions of the program by name.
    functions: FxHashMap<String, Vec<Span>>,
    /// Indices of the comparisons behind conditions, by the address of the text that terms of one condition share.
    by_condition: FxHashMap<*const u8, Vec<usize>>,
}

impl<'a> FailedComparisons<'a> {
    pub(super) fn new(audit: &'a Audit) -> Self {
        let failed =
            audit.statistics.comparisons.iter().filter(|statistics| statistics.held == 0 && statistics.failed > 0);
        let mut list: Vec<&ComparisonStatistics> = failed.collect();
        list.sort_by_key(|statistics| statistics.range.start);
        let mut by_text: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        let mut by_variable: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (place, statistics) in list.iter().enumerate() {
            by_text.entry(audit.source_excerpt(audit.span(statistics.range))).or_default().push(place);
            let line = audit.line_text(audit.span(statistics.range));
            if line.contains('=') {
                let variable = line.split(['=', ':']).next().map_or("", str::trim);
                by_variable.entry(variable).or_default().push(place);
            }
        }
        let mut lengths: Vec<usize> = by_text.keys().map(String::len).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let mut functions: FxHashMap<String, Vec<Span>> = FxHashMap::default();
        for (name, span) in lint::functions(&audit.source) {
            functions.entry(name).or_default().push(span);
        }
        Self { comparisons: list, by_text, lengths, by_variable, functions, by_condition: FxHashMap::default() }
    }

    /// Returns the failed comparisons on which a term's condition depends: in the condition, in assignments to its variables, or in a
    /// function that it calls. Of several with the same text, the last one before the first term of the condition is taken.
    pub(super) fn for_condition(&mut self, term: &'a Term) -> Vec<&'a ComparisonStatistics> {
        let Some(condition) = &term.condition else { return Vec::new() };
        let key = condition.as_ptr();
        if !self.by_condition.contains_key(&key) {
            let found = self.search_condition(term, condition);
            self.by_condition.insert(key, found);
        }
        self.by_condition[&key].iter().map(|&place| self.comparisons[place]).collect()
    }

    /// Returns the indices of the comparisons on which a term's condition depends.
    fn search_condition(&self, term: &Term, condition: &str) -> Vec<usize> {
        let condition = &condition[..condition.floor_char_boundary(MAX_CONDITION_BYTES)];
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        // The number of these comparisons before the term.
        let before =
            |places: &[usize]| places.partition_point(|&place| self.comparisons[place].range.end < term.span.start);
        let mut found: BTreeSet<usize> = BTreeSet::new();
        let starts = condition.char_indices().filter(|&(start, _)| !condition[..start].ends_with(is_word));
        for (start, _) in starts {
            for length in &self.lengths {
                let Some(places) = condition.get(start..start + length).and_then(|text| self.by_text.get(text)) else {
                    continue;
                };
                if !condition[start + length..].starts_with(is_word) {
                    found.extend(before(places).checked_sub(1).map(|nearest| places[nearest]));
                }
            }
        }
        for word in condition.split(|c| !is_word(c)).filter(|word| !word.is_empty()) {
            if let Some(places) = self.by_variable.get(word) {
                found.extend(places[..before(places)].last());
            }
            for span in self.functions.get(word).into_iter().flatten() {
                let first = self.comparisons.partition_point(|statistics| statistics.range.start < span.start);
                let within =
                    (first..self.comparisons.len()).take_while(|&place| self.comparisons[place].range.end <= span.end);
                found.extend(within.take(MAX_CAUSES));
            }
        }
        found.into_iter().take(MAX_CAUSES).collect()
    }
}

/// Describes the operands of a comparison whose outcome was constant.
fn describe_comparison(audit: &Audit, statistics: &ComparisonStatistics) -> String {
    let written = tables::truncate(&audit.source_excerpt(audit.span(statistics.range)), MAX_COMPARISON_CHARS);
    let line = audit.line_column(audit.span(statistics.range)).0;
    let (way, count) = if statistics.held == 0 { ("never", statistics.failed) } else { ("always", statistics.held) };
    let text = format!("`{written}` in line {line} is {way} true ({count} times)");
    if let Some(near) = statistics.near_miss() {
        let at = audit.frame_label(near.position);
        return format!(
            "{text}: nearest values {} and {}, in {at}",
            format_number(near.left),
            format_number(near.right)
        );
    }
    if !statistics.left_texts.is_empty() {
        let texts: Vec<&str> = statistics.left_texts.iter().map(|text| &**text).collect();
        return format!("{text}: the left side is one of {}", texts.join(", "));
    }
    text
}

fn format_operand_range(range: Option<Range>) -> String {
    match range {
        Some(range) if range.is_single() => format_number(range.min),
        Some(range) => format!("{} to {}", format_number(range.min), format_number(range.max)),
        None => "not a number".to_owned(),
    }
}

/// Reports comparisons of numbers with a constant outcome: dead thresholds.
pub(super) fn comparisons(audit: &Audit) -> Vec<Finding> {
    let mut found = Vec::new();
    for statistics in
        audit.statistics.comparisons.iter().filter(|statistics| statistics.held + statistics.failed >= MIN_EVALUATIONS)
    {
        let written = audit.source_excerpt(audit.span(statistics.range));
        let never = statistics.held == 0;
        let Some(near) = statistics.near_miss() else {
            found.extend(text_comparison(audit, statistics, &written));
            continue;
        };
        let count = statistics.held + statistics.failed;
        let way = if never { "never" } else { "always" };
        let nearest = format!(
            "nearest values {} and {}, in {}",
            format_number(near.left),
            format_number(near.right),
            audit.frame_label(near.position)
        );
        let message = format!("`{written}` is {way} true in {count} evaluations: {nearest}");
        let severity = if never { Severity::Warning } else { Severity::Note };
        let help = match (never, statistics.right.filter(|right| right.is_single())) {
            (true, Some(_)) if statistics.left.is_some_and(Range::is_single) => {
                format!(
                    "compare a value that changes: the left side is always {}",
                    format_operand_range(statistics.left)
                )
            }
            (true, Some(_)) => {
                format!("compare with a value in the range of the left side: {}", format_operand_range(statistics.left))
            }
            (true, None) => "check the comparison: the two sides never meet".to_owned(),
            (false, _) => "remove the comparison if it is only a safeguard".to_owned(),
        };
        let mut finding = Finding::new(goalspec_reward::codes::DEAD_THRESHOLD, severity, message, &help)
            .with_span(audit.span(statistics.range))
            .with_evidence([
                format!("left: {}", format_operand_range(statistics.left)),
                format!("right: {}", format_operand_range(statistics.right)),
            ])
            .with_number("evaluations", count as f64)
            .with_number("nearest_left", near.left)
            .with_number("nearest_right", near.right)
            .with_number("frame", near.position.frame as f64)
            .with_weight(if statistics.relation == Some(Relation::Equal) { 6.0 } else { 8.0 });
        for (side, names) in
            [(statistics.left, ["left_min", "left_max"]), (statistics.right, ["right_min", "right_max"])]
        {
            if let Some(side) = side {
                finding = finding.with_number(names[0], side.min).with_number(names[1], side.max);
            }
        }
        found.push(finding);
    }
    found
}

/// Reports a comparison of texts that never holds.
fn text_comparison(audit: &Audit, statistics: &ComparisonStatistics, written: &str) -> Option<Finding> {
    let dead = statistics.held == 0 && statistics.relation == Some(Relation::Equal) && statistics.left.is_none();
    if !dead || statistics.right_texts.is_empty() {
        return None;
    }
    let mut left: Vec<&str> = statistics.left_texts.iter().map(|text| &**text).collect();
    if left.is_empty() {
        left.push("no string");
    }
    let message = format!("`{written}` is never true in {} evaluations", statistics.failed);
    let help = "compare with a value of the left side, or remove the branch";
    let finding = Finding::new(codes::DEAD_COMPARISON, Severity::Warning, message, help)
        .with_span(audit.span(statistics.range))
        .with_weight(5.0);
    Some(
        finding
            .with_evidence([format!("left: {}", left.join(", "))])
            .with_number("evaluations", statistics.failed as f64),
    )
    .filter(|_| audit.statistics.calls > 0)
}

/// Reports a single term that makes up almost the whole reward.
pub(super) fn dominant_term(audit: &Audit) -> Option<Finding> {
    let terms = || audit.terms.terms.iter().zip(&audit.statistics.terms).filter(|(term, _)| is_additive(term));
    let all: f64 = terms().map(|(_, statistics)| statistics.absolute_sum).sum();
    let (term, statistics) = terms().max_by(|one, other| one.1.absolute_sum.total_cmp(&other.1.absolute_sum))?;
    let dead = terms().filter(|(_, statistics)| statistics.nonzero_calls == 0).count();
    if terms().count() < 2 || all == 0.0 || !all.is_finite() || statistics.absolute_sum < DOMINANT_SHARE * all {
        return None;
    }
    let share = 100.0 * statistics.absolute_sum / all;
    let message = format!("{} dominates the reward: {share:.1} % of the sum of all terms", term_label(term));
    let finding = Finding::new(codes::DOMINANT_TERM, Severity::Warning, message, "check why the other terms are 0");
    let others = format!("{dead} of {} terms are always 0", terms().count());
    let paid = format!("it is non-zero in {} of {} frames", statistics.nonzero_calls, audit.statistics.calls);
    Some(finding.with_span(term.span).with_evidence([others, paid]).with_number("share", share).with_weight(11.0))
}

/// Reports clamps that change the reward.
pub(super) fn clamps(audit: &Audit) -> Vec<Finding> {
    let terms = audit.terms.terms.iter().zip(&audit.statistics.terms);
    let clamps = terms.filter(|(term, statistics)| term.kind == TermKind::Clamp && statistics.nonzero_calls > 0);
    let report = |(term, statistics): (&Term, &goalspec_python_runtime::observe::TermStatistics)| {
        let always = statistics.nonzero_calls == statistics.calls;
        let often = 2 * statistics.nonzero_calls > statistics.calls;
        let how = if always {
            "in every frame".to_owned()
        } else {
            format!("in {} of frames", format_percent(statistics.nonzero_calls, statistics.calls))
        };
        let message = format!("the clamp `{}` changes the reward {how}", term.text);
        let severity = if often { Severity::Warning } else { Severity::Note };
        let finding =
            Finding::new(codes::CLAMP, severity, message, "scale the terms so that distinct rewards stay distinct");
        let sum = format!("its total change of the reward is {}", format_number(statistics.sum));
        finding
            .with_span(term.span)
            .with_evidence([sum])
            .with_number("frames", statistics.nonzero_calls as f64)
            .with_number("sum", statistics.sum)
            .with_weight(4.0)
    };
    clamps.map(report).collect()
}

/// Reports divisors that were 0 or had both signs.
pub(super) fn divisors(audit: &Audit) -> Vec<Finding> {
    let zero = |range: &Range| range.min <= 0.0 && range.max >= 0.0;
    let statistics =
        audit.statistics.divisors.iter().filter_map(|statistics| Some((statistics, statistics.values.filter(zero)?)));
    let report = |(statistics, found): (&goalspec_python_runtime::observe::DivisorStatistics, Range)| {
        let written = audit.source_excerpt(audit.span(statistics.range));
        let message =
            format!("the divisor `{written}` is 0 or changes its sign: it is {}", format_operand_range(Some(found)));
        let help = "divide only if the divisor is not 0";
        Finding::new(codes::DIVISION, Severity::Warning, message, help)
            .with_span(audit.span(statistics.range))
            .with_weight(3.0)
    };
    statistics.map(report).collect()
}

/// Returns the lints of the source text. Omits divisors that were constant in the recordings.
pub(super) fn lints(audit: &Audit, entry: &Entry) -> Vec<Finding> {
    let divisors =
        audit.statistics.divisors.iter().filter(|statistics| statistics.values.is_some_and(Range::is_single));
    let divisors: FxHashSet<(u32, u32)> =
        divisors.map(|statistics| (statistics.range.start, statistics.range.end)).collect();
    let constant = |span: Span| divisors.contains(&(span.start, span.end));
    let found = lint::lint(&audit.source, Some(entry), Some(audit.world.scene()), None).into_iter();
    let found = found.filter(|finding| !finding.span.is_some_and(constant));
    let report = |finding: goalspec_syntax::Diagnostic| {
        let related = finding.related.iter().map(|related| related.message.clone());
        let related: Vec<String> = related.collect();
        Finding {
            span: finding.span,
            weight: 7.0,
            help: finding.help,
            ..Finding::new(finding.code, finding.severity, finding.message, "").with_evidence(related)
        }
    };
    found.map(report).collect()
}
