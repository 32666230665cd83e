//! What reports for people list, beside the findings.

use goalspec_reward::observe::{Range, TermSeen};
use goalspec_syntax::Span;

use super::{Audit, Pocket, Recording, shown};

/// A condition of the program.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Condition {
    /// Its line.
    pub(super) line: usize,
    /// As the program has it.
    pub(super) text: String,
    /// How often it held.
    pub(super) held: u64,
    /// How often it was looked at.
    pub(super) asked: u64,
    /// If it compares numbers, from where to where they went: `17 to 187 against 0`.
    pub(super) ranges: String,
}

/// Branches and comparisons in the order of the text; what is both is there once.
pub(super) fn conditions(audit: &Audit) -> Vec<Condition> {
    let comparisons = audit.seen.comparisons.iter();
    let mut found: Vec<(Span, u64, u64, String)> =
        comparisons.map(|seen| (seen.span, seen.held, seen.failed, against(seen.left, seen.right))).collect();
    for branch in &audit.seen.branches {
        if !found.iter().any(|(span, ..)| *span == branch.span) {
            found.push((branch.span, branch.held, branch.failed, String::new()));
        }
    }
    found.sort_by_key(|(span, ..)| (span.start, std::cmp::Reverse(span.end)));
    let condition = |(span, held, failed, ranges): (Span, u64, u64, String)| Condition {
        line: audit.place(span).0,
        text: audit.written(span),
        held,
        asked: held + failed,
        ranges,
    };
    found.into_iter().map(condition).collect()
}

fn against(left: Option<Range>, right: Option<Range>) -> String {
    match (left, right) {
        (Some(left), Some(right)) => format!("{} against {}", range(Some(left)), range(Some(right))),
        _ => String::new(),
    }
}

/// From where to where numbers went.
pub(super) fn range(range: Option<Range>) -> String {
    match range {
        None => "-".to_owned(),
        Some(Range { least, greatest }) if least < greatest => format!("{} to {}", shown(least), shown(greatest)),
        Some(Range { least, .. }) => shown(least),
    }
}

/// A part of the reward.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    /// Where it is added; nothing for components that the program itself tells.
    pub(super) id: String,
    /// Its name.
    pub(super) name: String,
    /// What it came to.
    pub(super) sum: f64,
    /// In how many frames it came to something other than 0.
    pub(super) paid: u64,
    /// From where to where it went, frame by frame.
    pub(super) range: Option<Range>,
}

/// The parts that the program itself tells.
pub(super) fn components(audit: &Audit) -> Vec<Part> {
    audit.components().iter().map(|(name, seen)| part(String::new(), name, seen)).collect()
}

/// The terms of the reward.
pub(super) fn terms(audit: &Audit) -> Vec<Part> {
    let terms = audit.terms.list.iter().zip(&audit.seen.terms);
    terms.map(|(term, seen)| part(term.id.clone(), &term.name, seen)).collect()
}

fn part(id: String, name: &str, seen: &TermSeen) -> Part {
    Part { id, name: one_line(name), sum: seen.sum, paid: seen.paid, range: seen.range }
}

/// Stretches of play that a recording has, each with what it is.
pub(super) fn stretches(recording: &Recording) -> Vec<(String, &Pocket)> {
    let pockets = &recording.pockets;
    let mut stretches = vec![
        ("nothing moves".to_owned(), &pockets.screen_still),
        ("player still".to_owned(), &pockets.player_still),
        ("player hovers".to_owned(), &pockets.player_hovers),
    ];
    stretches.extend(pockets.motions.iter().map(|(motion, pocket)| (format!("player {motion}"), pocket)));
    let name = |action: u32| format!("action {}", action_name(recording, action));
    stretches.extend(pockets.actions.iter().map(|(action, pocket)| (name(*action), pocket)));
    stretches.retain(|(_, pocket)| pocket.inside.frames > 0);
    stretches
}

/// What an action means, if the recording says so.
pub(super) fn action_name(recording: &Recording, action: u32) -> String {
    recording.actions.get(action as usize).map_or_else(|| action.to_string(), |name| one_line(name))
}

/// Text of a program or a recording, on one line.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// At most so many characters of a text, with a mark where it was longer.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Why frames have no reward: the exception, with what it says.
pub(super) fn reason(kind: &str, message: &str) -> String {
    one_line(&if message.is_empty() { kind.to_owned() } else { format!("{kind}: {message}") })
}

/// What frames earn on average.
pub(super) fn mean(tally: &super::Tally) -> String {
    tally.mean().map_or_else(|| "-".to_owned(), shown)
}

/// A sum, if there is one.
pub(super) fn sum(sum: Option<f64>) -> String {
    sum.map_or_else(|| "-".to_owned(), shown)
}

/// A share in percent.
pub(super) fn percent(part: u64, all: u64) -> String {
    if all == 0 { "-".to_owned() } else { format!("{:.1} %", 100.0 * part as f64 / all as f64) }
}

/// A correlation, if there is one.
pub(super) fn correlation(correlation: Option<f64>) -> String {
    correlation.map_or_else(|| "-".to_owned(), |number| format!("{number:.2}"))
}
