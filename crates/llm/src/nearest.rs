//! The nearest recorded question, for replays of a question that is not recorded.

use std::sync::OnceLock;

use similar::TextDiff;

use crate::error::{ErrorKind, ModelError};
use crate::store::{Question, Store, read_entry};

/// The number of recorded exchanges among which the nearest is searched.
const MAX_SEARCHED: usize = 20_000;

/// The number of lines of a difference that are shown.
const MAX_LINES: usize = 40;

/// The recorded questions, read when the first miss occurs.
#[derive(Debug, Default)]
pub(crate) struct RecordedQuestions(OnceLock<Vec<String>>);

impl RecordedQuestions {
    /// Returns the error for a question that is not recorded, with the difference to the nearest recorded one.
    pub(crate) fn miss(&self, store: &Store, question: &Question) -> ModelError {
        let recorded = self.0.get_or_init(|| {
            let paths = store.entries().into_iter().take(MAX_SEARCHED);
            paths.filter_map(|path| read_entry(&path).ok().flatten()).map(|entry| entry.question().lines()).collect()
        });
        let asked = question.lines();
        let nearest = recorded.iter().max_by_key(|text| shared_bytes(text, &asked));
        let mut message = "the reply is not recorded, and --llm replay forbids the network".to_owned();
        match nearest {
            None => message += "; no exchange is recorded in this folder",
            Some(nearest) => {
                message += "; the nearest recorded request differs so (- recorded, + asked):\n";
                message += &difference(nearest, &asked);
            }
        }
        ModelError::new(ErrorKind::NotRecorded, message)
    }
}

/// The number of bytes that two texts share at their beginnings and ends.
fn shared_bytes(left: &str, right: &str) -> usize {
    let prefix = left.bytes().zip(right.bytes()).take_while(|(left, right)| left == right).count();
    let (left, right) = (&left.as_bytes()[prefix..], &right.as_bytes()[prefix..]);
    prefix + left.iter().rev().zip(right.iter().rev()).take_while(|(left, right)| left == right).count()
}

fn difference(recorded: &str, asked: &str) -> String {
    let diff = TextDiff::from_lines(recorded, asked);
    let text = diff.unified_diff().context_radius(1).to_string();
    let mut lines: Vec<&str> = text.lines().collect();
    let hidden = lines.len().saturating_sub(MAX_LINES);
    lines.truncate(MAX_LINES);
    let more = if hidden > 0 { format!("\n.. {hidden} more lines") } else { String::new() };
    lines.join("\n") + &more
}
