//! Descriptions of scores and terminal conditions in English.

use std::fmt::Write as _;

use goalspec_core::condition::ComparisonOperator;
use goalspec_core::program::CountOperator;

use super::clause::comparison_words;
use super::inflection::{capitalized, list, with_article, words};
use crate::ast::condition::UNPARSED;
use crate::ast::{PreferenceReference, Score, Terminal};

/// Describes the scoring section.
pub(super) fn scoring(score: &Score, text: &mut String) {
    let Score::Add(..) = score else {
        let _ = writeln!(text, "    {}.", capitalized(&points(score)));
        return;
    };
    text.push_str("    The sum of:\n");
    for part in summands(score) {
        let _ = writeln!(text, "    - {}", points(part));
    }
}

/// Returns the summands of a score, with nested sums flattened.
fn summands(score: &Score) -> Vec<&Score> {
    match score {
        Score::Add(parts, _) => parts.iter().flat_map(summands).collect(),
        other => vec![other],
    }
}

/// Renders a summand as points for an event, or otherwise as an expression.
fn points(score: &Score) -> String {
    let mut factors = Factors { number: 1.0, others: Vec::new(), conditions: Vec::new() };
    factors.collect(score);
    let Factors { number, others, conditions } = factors;
    let (text, only) = match others[..] {
        [] if conditions.is_empty() => return value(score),
        [] => (points_phrase(number), ""),
        [Score::Count(kind, reference, _)] if reason(*kind, reference).is_some() => {
            (format!("{} {}", points_phrase(number), reason(*kind, reference).unwrap_or_default()), "")
        }
        [other] => (format!("{}{}", times(number), value(other)), ", but only"),
        [..] => return value(score),
    };
    if conditions.is_empty() { text } else { format!("{text}{only} if {}", list(&conditions, "and")) }
}

/// Returns the prefix for multiplication by a number.
fn times(number: f64) -> String {
    match number {
        1.0 => String::new(),
        -1.0 => "minus ".to_owned(),
        number => format!("{number} times "),
    }
}

/// Renders a number of points: `1 point`, `minus 3 points`.
fn points_phrase(number: f64) -> String {
    let sign = if number < 0.0 { "minus " } else { "" };
    let number = number.abs();
    let noun = if number.to_bits() == 1.0_f64.to_bits() { "point" } else { "points" };
    format!("{sign}{number} {noun}")
}

/// The factors of a product.
struct Factors<'a> {
    number: f64,
    /// The factors that are neither constants nor indicators.
    others: Vec<&'a Score>,
    /// The factors whose value is 0 or 1, as clauses.
    conditions: Vec<String>,
}

impl<'a> Factors<'a> {
    fn collect(&mut self, score: &'a Score) {
        match score {
            Score::Number(number, _) => self.number *= number,
            Score::Negate(part, _) => {
                self.number = -self.number;
                self.collect(part);
            }
            Score::Multiply(parts, _) => parts.iter().for_each(|part| self.collect(part)),
            Score::Compare(comparison, sides, _) => self.conditions.push(comparison_clause(*comparison, sides, true)),
            Score::Count(CountOperator::Once, reference, _) => {
                self.conditions.push(format!("{} has happened", event_phrase(reference)));
            }
            other => self.others.push(other),
        }
    }
}

/// Returns the event for which points are awarded, or `None` if the count is not a number of events.
fn reason(kind: CountOperator, reference: &PreferenceReference) -> Option<String> {
    let event = event_phrase(reference);
    Some(match kind {
        CountOperator::Disjoint => format!("for each time that {event} happens"),
        CountOperator::Overlapping => format!("for each time that {event} happens, overlapping times included"),
        CountOperator::OncePerObjects => format!("for each different choice of objects with which {event} happens"),
        CountOperator::OncePerExternalObjects => {
            format!("for each different choice of the outer objects with which {event} happens")
        }
        CountOperator::UniquePositions => format!("for each time that {event} happens in a new place"),
        CountOperator::Once | CountOperator::Measure | CountOperator::SamePositions => return None,
    })
}

/// Names the preference with the types of its external variables.
fn event_phrase(reference: &PreferenceReference) -> String {
    let types: Vec<_> = reference.types.iter().map(|name| with_article(&words(&name.text))).collect();
    match types.len() {
        0 => reference.name.text.to_string(),
        _ => format!("{} with {}", reference.name.text, list(&types, "and")),
    }
}

/// Renders a score as a noun phrase.
fn value(score: &Score) -> String {
    let values = |parts: &[Score]| parts.iter().map(value).collect::<Vec<_>>();
    match score {
        Score::Number(number, _) => number.to_string(),
        Score::Add(parts, _) => format!("the sum of {}", list(&values(parts), "and")),
        Score::Multiply(parts, _) => format!("the product of {}", list(&values(parts), "and")),
        Score::Subtract(sides, _) => format!("{} minus {}", value(&sides[0]), value(&sides[1])),
        Score::Divide(sides, _) => format!("{} divided by {}", value(&sides[0]), value(&sides[1])),
        Score::Negate(part, _) => format!("minus {}", value(part)),
        Score::Compare(comparison, sides, _) => format!("1 if {}, else 0", comparison_clause(*comparison, sides, true)),
        Score::AllEqual(parts, _) => format!("1 if {} are equal, else 0", list(&values(parts), "and")),
        Score::ExternalMaximum(part, _) => {
            format!("the maximum over all choices of the outer objects: {}", points(part))
        }
        Score::ExternalMinimum(part, _) => {
            format!("the minimum over all choices of the outer objects: {}", points(part))
        }
        Score::TotalTime(_) => "the time played".to_owned(),
        Score::TotalScore(_) => "the score so far".to_owned(),
        Score::Count(kind, reference, _) => count(*kind, reference),
        Score::Error(_) => UNPARSED.to_owned(),
    }
}

fn count(kind: CountOperator, reference: &PreferenceReference) -> String {
    let event = event_phrase(reference);
    match kind {
        CountOperator::Disjoint => format!("the number of times that {event} has happened"),
        CountOperator::Overlapping => {
            format!("the number of times that {event} has happened, overlapping times included,")
        }
        CountOperator::Once => format!("1 if {event} has happened, else 0"),
        CountOperator::OncePerObjects => {
            format!("the number of different choices of objects with which {event} has happened")
        }
        CountOperator::OncePerExternalObjects => {
            format!("the number of different choices of the outer objects with which {event} has happened")
        }
        CountOperator::Measure => format!("the sum of the values measured each time that {event} happened"),
        CountOperator::UniquePositions => format!("the number of times that {event} has happened in a new place"),
        CountOperator::SamePositions => {
            format!("the largest number of times that {event} has happened in the same place")
        }
    }
}

/// Renders a comparison, or its negation if `holds` is false, as a clause.
fn comparison_clause(comparison: ComparisonOperator, sides: &[Score; 2], holds: bool) -> String {
    match sides {
        [Score::Count(CountOperator::Once, reference, _), Score::Number(1.0, _)]
            if matches!(comparison, ComparisonOperator::GreaterEqual | ComparisonOperator::Equal) =>
        {
            format!("{} has {}happened", event_phrase(reference), if holds { "" } else { "not " })
        }
        [Score::Count(CountOperator::Disjoint, reference, _), Score::Number(number, _)] => {
            let times = if (*number - 1.0).abs() < f64::EPSILON { "time" } else { "times" };
            let words = match comparison_words(comparison, holds) {
                "equal to" => "exactly",
                "not equal to" => "a number of times other than",
                words => words,
            };
            let times = if words == "a number of times other than" { "" } else { times };
            let text = format!("{} has happened {words} {number} {times}", event_phrase(reference));
            text.trim_end().to_owned()
        }
        [left, right] => format!("{} is {} {}", value(left), comparison_words(comparison, holds), value(right)),
    }
}

/// Renders a terminal condition, or its negation if `holds` is false, as a clause.
pub(super) fn terminal(terminal: &Terminal, holds: bool) -> String {
    match terminal {
        Terminal::And(parts, _) if holds => joined(parts, true, "and"),
        Terminal::Or(parts, _) if !holds => joined(parts, false, "and"),
        Terminal::And(parts, _) | Terminal::Or(parts, _) => joined(parts, holds, "or"),
        Terminal::Not(part, _) => self::terminal(part, !holds),
        Terminal::Compare(comparison, sides, _) => comparison_clause(*comparison, sides, holds),
        Terminal::Error(_) => UNPARSED.to_owned(),
    }
}

fn joined(parts: &[Terminal], holds: bool, word: &str) -> String {
    let clauses: Vec<_> = parts.iter().map(|part| terminal(part, holds)).collect();
    match (clauses.len(), word) {
        (2.., "or") => format!("either {}", clauses.join(", or ")),
        _ => list(&clauses, word),
    }
}
