//! Rules about parts of the program: terms that never contribute, comparisons with a constant outcome.

use std::collections::BTreeSet;

use goalspec_reward::entry::Entry;
use goalspec_reward::lint;
use goalspec_reward::observe::{ComparisonSeen, Range, Relation};
use goalspec_reward::terms::{Term, TermKind};
use goalspec_syntax::{Severity, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::tables::{self, percent};
use super::super::{Audit, Finding, codes, shown};

/// The minimum number of evaluations for which a constant outcome of a comparison is significant.
const OFTEN: u64 = 50;

/// The minimum share of the total contribution that makes a term the only relevant one.
pub(super) const ALL_BUT_ALONE: f64 = 0.99;

/// Whether a term adds a contribution of its own.
pub(super) fn adds(term: &Term) -> bool {
    matches!(term.kind, TermKind::Added | TermKind::Set | TermKind::Returned)
}

fn called(term: &Term) -> String {
    let sign = if term.negative { "-" } else { "" };
    format!("`{}` ({sign}{})", term.name, term.text)
}

/// Reports terms that are never added, or always 0.
pub(super) fn dead_terms(audit: &Audit) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut failed = FailedComparisons::of(audit);
    for (term, seen) in audit.terms.list.iter().zip(&audit.seen.terms) {
        if seen.paid > 0 || !adds(term) || audit.seen.calls == 0 {
            continue;
        }
        let how = if seen.calls == 0 { "is never added" } else { "is always 0" };
        let message = format!("the term {} {how} in {} frames", called(term), audit.seen.calls);
        let mend = "use a condition that the game can satisfy, or remove the term";
        let finding = Finding::new(codes::DEAD_TERM, Severity::Warning, message, mend).at(term.span);
        let condition = term.condition_shown().into_iter().map(|condition| format!("its condition is `{condition}`"));
        let why = failed.behind(term).into_iter().map(|seen| why(audit, seen));
        let why: Vec<String> = why.collect();
        // A dead term with a known reason can be fixed.
        let weight = if why.is_empty() { 10.0 } else { 10.5 };
        found.push(finding.evidence(condition).evidence(why).number("frames", audit.seen.calls as f64).weight(weight));
    }
    found
}

/// The maximum number of comparisons that are named as the reason for a dead term.
const MAX_CAUSES: usize = 8;

/// The maximum number of characters of a comparison that is named as a reason.
const MAX_SHOWN: usize = 100;

/// The maximum size in bytes of the part of a condition that is searched for comparisons.
const MAX_CONDITION: usize = 4_096;

/// The comparisons that never held, indexed to explain dead terms.
pub(super) struct FailedComparisons<'a> {
    list: Vec<&'a ComparisonSeen>,
    /// Indices of the comparisons by their text, in source order.
    by_text: FxHashMap<String, Vec<usize>>,
    /// The lengths of the texts.
    lengths: Vec<usize>,
    /// Indices of the comparisons whose line assigns a variable, by the name of the variable.
    by_variable: FxHashMap<&'a str, Vec<usize>>,
    /// The functions of the program by name.
    functions: FxHashMap<String, Vec<Span>>,
    /// Indices of the comparisons behind conditions, by the address of the text that terms of one condition share.
    behind: FxHashMap<*const u8, Vec<usize>>,
}

impl<'a> FailedComparisons<'a> {
    pub(super) fn of(audit: &'a Audit) -> Self {
        let failed = audit.seen.comparisons.iter().filter(|seen| seen.held == 0 && seen.failed > 0);
        let mut list: Vec<&ComparisonSeen> = failed.collect();
        list.sort_by_key(|seen| seen.span.start);
        let mut by_text: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        let mut by_variable: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (place, seen) in list.iter().enumerate() {
            by_text.entry(audit.written(seen.span)).or_default().push(place);
            let line = audit.line_of(seen.span);
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
        Self { list, by_text, lengths, by_variable, functions, behind: FxHashMap::default() }
    }

    /// Returns the failed comparisons on which a term's condition depends: in the condition, in assignments to its variables, or in a
    /// function that it calls. Of several with the same text, the last one before the first term of the condition is taken.
    pub(super) fn behind(&mut self, term: &'a Term) -> Vec<&'a ComparisonSeen> {
        let Some(condition) = &term.condition else { return Vec::new() };
        let key = condition.as_ptr();
        if !self.behind.contains_key(&key) {
            let found = self.search(term, condition);
            self.behind.insert(key, found);
        }
        self.behind[&key].iter().map(|&place| self.list[place]).collect()
    }

    /// Returns the indices of the comparisons on which a term's condition depends.
    fn search(&self, term: &Term, condition: &str) -> Vec<usize> {
        let condition = &condition[..condition.floor_char_boundary(MAX_CONDITION)];
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        // The number of these comparisons before the term.
        let before = |places: &[usize]| places.partition_point(|&place| self.list[place].span.end < term.span.start);
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
                let first = self.list.partition_point(|seen| seen.span.start < span.start);
                let within = (first..self.list.len()).take_while(|&place| self.list[place].span.end <= span.end);
                found.extend(within.take(MAX_CAUSES));
            }
        }
        found.into_iter().take(MAX_CAUSES).collect()
    }
}

/// Describes the operands of a comparison whose outcome was constant.
fn why(audit: &Audit, seen: &ComparisonSeen) -> String {
    let written = tables::cut(&audit.written(seen.span), MAX_SHOWN);
    let line = audit.place(seen.span).0;
    let (way, count) = if seen.held == 0 { ("never", seen.failed) } else { ("always", seen.held) };
    let text = format!("`{written}` in line {line} is {way} true ({count} times)");
    if let Some(near) = seen.near_miss() {
        let at = audit.moment(near.moment);
        return format!("{text}: nearest values {} and {}, in {at}", shown(near.left), shown(near.right));
    }
    if !seen.left_texts.is_empty() {
        let texts: Vec<&str> = seen.left_texts.iter().map(|text| &**text).collect();
        return format!("{text}: the left side is one of {}", texts.join(", "));
    }
    text
}

fn range(range: Option<Range>) -> String {
    match range {
        Some(range) if range.is_one() => shown(range.least),
        Some(range) => format!("{} to {}", shown(range.least), shown(range.greatest)),
        None => "not a number".to_owned(),
    }
}

/// Reports comparisons of numbers with a constant outcome: dead thresholds.
pub(super) fn comparisons(audit: &Audit) -> Vec<Finding> {
    let mut found = Vec::new();
    for seen in audit.seen.comparisons.iter().filter(|seen| seen.held + seen.failed >= OFTEN) {
        let written = audit.written(seen.span);
        let never = seen.held == 0;
        let Some(near) = seen.near_miss() else {
            found.extend(texts(audit, seen, &written));
            continue;
        };
        let count = seen.held + seen.failed;
        let way = if never { "never" } else { "always" };
        let nearest =
            format!("nearest values {} and {}, in {}", shown(near.left), shown(near.right), audit.moment(near.moment));
        let message = format!("`{written}` is {way} true in {count} evaluations: {nearest}");
        let severity = if never { Severity::Warning } else { Severity::Note };
        let mend = match (never, seen.right.filter(|right| right.is_one())) {
            (true, Some(_)) if seen.left.is_some_and(Range::is_one) => {
                format!("compare a value that changes: the left side is always {}", range(seen.left))
            }
            (true, Some(_)) => format!("compare with a value in the range of the left side: {}", range(seen.left)),
            (true, None) => "check the comparison: the two sides never meet".to_owned(),
            (false, _) => "remove the comparison if it is only a safeguard".to_owned(),
        };
        let mut finding = Finding::new(goalspec_reward::codes::DEAD_THRESHOLD, severity, message, &mend)
            .at(seen.span)
            .evidence([format!("left: {}", range(seen.left)), format!("right: {}", range(seen.right))])
            .number("evaluations", count as f64)
            .number("nearest_left", near.left)
            .number("nearest_right", near.right)
            .number("frame", near.moment.frame as f64)
            .weight(if seen.relation == Some(Relation::Equal) { 6.0 } else { 8.0 });
        for (side, names) in [(seen.left, ["left_min", "left_max"]), (seen.right, ["right_min", "right_max"])] {
            if let Some(side) = side {
                finding = finding.number(names[0], side.least).number(names[1], side.greatest);
            }
        }
        found.push(finding);
    }
    found
}

/// Reports a comparison of texts that never holds.
fn texts(audit: &Audit, seen: &ComparisonSeen, written: &str) -> Option<Finding> {
    let dead = seen.held == 0 && seen.relation == Some(Relation::Equal) && seen.left.is_none();
    if !dead || seen.right_texts.is_empty() {
        return None;
    }
    let mut left: Vec<&str> = seen.left_texts.iter().map(|text| &**text).collect();
    if left.is_empty() {
        left.push("no string");
    }
    let message = format!("`{written}` is never true in {} evaluations", seen.failed);
    let mend = "compare with a value of the left side, or remove the branch";
    let finding = Finding::new(codes::DEAD_COMPARISON, Severity::Warning, message, mend).at(seen.span).weight(5.0);
    Some(finding.evidence([format!("left: {}", left.join(", "))]).number("evaluations", seen.failed as f64))
        .filter(|_| audit.seen.calls > 0)
}

/// Reports a single term that makes up almost the whole reward.
pub(super) fn only_term(audit: &Audit) -> Option<Finding> {
    let terms = || audit.terms.list.iter().zip(&audit.seen.terms).filter(|(term, _)| adds(term));
    let all: f64 = terms().map(|(_, seen)| seen.size).sum();
    let (term, seen) = terms().max_by(|one, other| one.1.size.total_cmp(&other.1.size))?;
    let dead = terms().filter(|(_, seen)| seen.paid == 0).count();
    if terms().count() < 2 || all == 0.0 || !all.is_finite() || seen.size < ALL_BUT_ALONE * all {
        return None;
    }
    let share = 100.0 * seen.size / all;
    let message = format!("{} dominates the reward: {share:.1} % of the sum of all terms", called(term));
    let finding = Finding::new(codes::DOMINANT_TERM, Severity::Warning, message, "check why the other terms are 0");
    let others = format!("{dead} of {} terms are always 0", terms().count());
    let paid = format!("it is non-zero in {} of {} frames", seen.paid, audit.seen.calls);
    Some(finding.at(term.span).evidence([others, paid]).number("share", share).weight(11.0))
}

/// Reports clamps that change the reward.
pub(super) fn clamps(audit: &Audit) -> Vec<Finding> {
    let terms = audit.terms.list.iter().zip(&audit.seen.terms);
    let clamps = terms.filter(|(term, seen)| term.kind == TermKind::Clamp && seen.paid > 0);
    let report = |(term, seen): (&Term, &goalspec_reward::observe::TermSeen)| {
        let always = seen.paid == seen.calls;
        let often = 2 * seen.paid > seen.calls;
        let how = if always {
            "in every frame".to_owned()
        } else {
            format!("in {} of frames", percent(seen.paid, seen.calls))
        };
        let message = format!("the clamp `{}` changes the reward {how}", term.text);
        let severity = if often { Severity::Warning } else { Severity::Note };
        let finding =
            Finding::new(codes::CLAMP, severity, message, "scale the terms so that distinct rewards stay distinct");
        let sum = format!("its total change of the reward is {}", shown(seen.sum));
        finding.at(term.span).evidence([sum]).number("frames", seen.paid as f64).number("sum", seen.sum).weight(4.0)
    };
    clamps.map(report).collect()
}

/// Reports divisors that were 0 or had both signs.
pub(super) fn divisors(audit: &Audit) -> Vec<Finding> {
    let zero = |range: &Range| range.least <= 0.0 && range.greatest >= 0.0;
    let seen = audit.seen.divisors.iter().filter_map(|seen| Some((seen, seen.range.filter(zero)?)));
    let report = |(seen, found): (&goalspec_reward::observe::DivisorSeen, Range)| {
        let written = audit.written(seen.span);
        let message = format!("the divisor `{written}` is 0 or changes its sign: it is {}", range(Some(found)));
        let mend = "divide only if the divisor is not 0";
        Finding::new(codes::DIVISION, Severity::Warning, message, mend).at(seen.span).weight(3.0)
    };
    seen.map(report).collect()
}

/// Returns the lints of the source text. Omits divisors that were constant in the recordings.
pub(super) fn lints(audit: &Audit, entry: &Entry) -> Vec<Finding> {
    let divisors = audit.seen.divisors.iter().filter(|seen| seen.range.is_some_and(Range::is_one));
    let divisors: FxHashSet<(u32, u32)> = divisors.map(|seen| (seen.span.start, seen.span.end)).collect();
    let constant = |span: Span| divisors.contains(&(span.start, span.end));
    let found = lint::lint(&audit.source, Some(entry), Some(audit.world.scene()), None).into_iter();
    let found = found.filter(|finding| !finding.span.is_some_and(constant));
    let report = |finding: goalspec_syntax::Diagnostic| {
        let related = finding.related.iter().map(|related| related.message.clone());
        let related: Vec<String> = related.collect();
        let mend = finding.help.join("; ");
        Finding {
            span: finding.span,
            weight: 7.0,
            ..Finding::new(finding.code, finding.severity, finding.message, &mend).evidence(related)
        }
    };
    found.map(report).collect()
}
