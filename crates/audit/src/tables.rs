//! Rows of the reports for people, beside the findings.

use goalspec_python_runtime::code::SourceRange;
use goalspec_python_runtime::observe::{Range, TermStatistics};
use rustc_hash::FxHashSet;

use crate::{Audit, FrameGroup, Recording, format_number};

/// A row for a condition of the program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ConditionRow {
    /// The line number.
    pub(crate) line: usize,
    /// The source text.
    pub(crate) text: String,
    /// The number of times it was true.
    pub(crate) held: u64,
    /// The number of times it was evaluated.
    pub(crate) evaluations: u64,
    /// The ranges of the operands, if the condition compares numbers: `17 to 187 against 0`.
    pub(crate) ranges: String,
}

/// Returns branches and comparisons in source order; a comparison that is a whole branch appears once.
pub(crate) fn condition_rows(audit: &Audit) -> Vec<ConditionRow> {
    let comparisons = audit.statistics.comparisons.iter();
    let mut ranges: FxHashSet<SourceRange> = comparisons.clone().map(|statistics| statistics.range).collect();
    let mut found: Vec<(SourceRange, u64, u64, String)> = comparisons
        .map(|statistics| {
            (statistics.range, statistics.held, statistics.failed, format_operands(statistics.left, statistics.right))
        })
        .collect();
    for branch in &audit.statistics.branches {
        if ranges.insert(branch.range) {
            found.push((branch.range, branch.held, branch.failed, String::new()));
        }
    }
    found.sort_by_key(|(range, ..)| (range.start, std::cmp::Reverse(range.end)));
    let condition = |(range, held, failed, ranges): (SourceRange, u64, u64, String)| ConditionRow {
        line: audit.line_column(audit.span(range)).0,
        text: audit.source_excerpt(audit.span(range)),
        held,
        evaluations: held + failed,
        ranges,
    };
    found.into_iter().map(condition).collect()
}

fn format_operands(left: Option<Range>, right: Option<Range>) -> String {
    match (left, right) {
        (Some(left), Some(right)) => format!("left {}, right {}", format_range(Some(left)), format_range(Some(right))),
        _ => String::new(),
    }
}

/// Formats a range of numbers.
pub(crate) fn format_range(range: Option<Range>) -> String {
    match range {
        None => "-".to_owned(),
        Some(Range { min, max }) if min < max => {
            format!("{} to {}", format_number(min), format_number(max))
        }
        Some(Range { min, .. }) => format_number(min),
    }
}

/// A row for a term or component of the reward.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ContributionRow {
    /// The position where the term is added; empty for the program's own components.
    pub(crate) id: String,
    /// The name.
    pub(crate) name: String,
    /// The sum of the contributions.
    pub(crate) sum: f64,
    /// The number of frames with a non-zero contribution.
    pub(crate) nonzero_frames: u64,
    /// The range of the contributions per frame.
    pub(crate) range: Option<Range>,
}

/// Returns the rows of the program's own components.
pub(crate) fn component_rows(audit: &Audit) -> Vec<ContributionRow> {
    audit.components().iter().map(|(name, statistics)| contribution_row(String::new(), name, statistics)).collect()
}

/// The terms of the reward.
pub(crate) fn term_rows(audit: &Audit) -> Vec<ContributionRow> {
    let terms = audit.terms.terms.iter().zip(&audit.statistics.terms);
    terms.map(|(term, statistics)| contribution_row(term.id.clone(), &term.name, statistics)).collect()
}

fn contribution_row(id: String, name: &str, statistics: &TermStatistics) -> ContributionRow {
    ContributionRow {
        id,
        name: one_line(name),
        sum: statistics.sum,
        nonzero_frames: statistics.nonzero_calls,
        range: statistics.range,
    }
}

/// Returns the idle and repetitive stretches of a recording, with their descriptions.
pub(crate) fn frame_groups(recording: &Recording) -> Vec<(String, &FrameGroup)> {
    let idle = &recording.idle;
    let mut groups = vec![
        ("no motion".to_owned(), &idle.screen_still),
        ("player still".to_owned(), &idle.player_still),
        ("player hovers".to_owned(), &idle.player_hovering),
    ];
    groups.extend(idle.motions.iter().map(|(motion, frames)| (format!("player {motion}"), frames)));
    let name = |action: u32| format!("action {}", action_name(recording, action));
    groups.extend(idle.actions.iter().map(|(action, frames)| (name(*action), frames)));
    groups.retain(|(_, frames)| frames.inside.frames > 0);
    groups
}

/// Returns the meaning of an action if the recording has it, or else its number.
pub(crate) fn action_name(recording: &Recording, action: u32) -> String {
    recording.actions.get(action as usize).map_or_else(|| action.to_string(), |name| one_line(name))
}

/// Replaces control characters by spaces, so that a text fits on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Truncates a text to `max_chars` characters, with a mark if it was longer.
pub(crate) fn truncate(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Formats the reason why frames have no reward.
pub(crate) fn format_failure(kind: &str, message: &str) -> String {
    one_line(&if message.is_empty() { kind.to_owned() } else { format!("{kind}: {message}") })
}

/// Formats the mean reward per frame.
pub(crate) fn format_mean(totals: &crate::RewardTotals) -> String {
    totals.mean().map_or_else(|| "-".to_owned(), format_number)
}

/// Formats a sum, or `-` if there is none.
pub(crate) fn format_sum(sum: Option<f64>) -> String {
    sum.map_or_else(|| "-".to_owned(), format_number)
}

/// Formats a share as a percentage.
pub(crate) fn format_percent(part: u64, all: u64) -> String {
    if all == 0 { "-".to_owned() } else { format!("{:.1} %", 100.0 * part as f64 / all as f64) }
}

/// Formats a correlation, or `-` if there is none.
pub(crate) fn format_correlation(correlation: Option<f64>) -> String {
    correlation.map_or_else(|| "-".to_owned(), |number| format!("{number:.2}"))
}
