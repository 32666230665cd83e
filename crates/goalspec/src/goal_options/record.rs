//! The options of an activity as JSON.

use std::cell::Cell;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use super::{DOCUMENTED_READING_HELP, GoalOptions, NamedLiteral, OptionCount, OptionsError};

/// The options of an activity as a JSON object.
///
/// | key | contents |
/// |---|---|
/// | `program` | the name of the activity |
/// | `count` | the number of options, a string if it exceeds 32 bits, null if it is unknown |
/// | `unsatisfied_in_initial_state` | the minimum number of literals that are false in the initial state, null if no option is known |
/// | `options` | lists of literals in the format of the releases: `["not", ["open", "box.n.01_1"]]` |
/// | `help` | present if the goal has options only with another reading of quantifiers |
/// | `error` | the reason why the options are not listed, instead of `options` |
///
/// Options are serialized one by one as they are found, since there may be many.
#[derive(Debug)]
pub struct OptionsRecord<'r> {
    /// The name of the activity.
    pub program: &'r str,
    /// The options, or the reason why there are none.
    pub listing: Result<GoalOptions, OptionsError>,
    /// Set to false by a serialization that could not list the options.
    pub is_complete: &'r Cell<bool>,
}

impl Serialize for OptionsRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("program", self.program)?;
        let error = match &self.listing {
            Ok(listing) => {
                map.serialize_entry("count", &count(listing))?;
                map.serialize_entry("unsatisfied_in_initial_state", &listing.min_missing)?;
                if listing.has_documented_options {
                    map.serialize_entry("help", &[DOCUMENTED_READING_HELP])?;
                }
                match listing.options() {
                    Ok(options) => {
                        let option = |option: Vec<NamedLiteral>| -> Value {
                            option.into_iter().map(|item| literal_value(listing, item)).collect()
                        };
                        map.serialize_entry("options", &StreamedSequence(Cell::new(Some(options.map(option)))))?;
                        return map.end();
                    }
                    Err(reason) => format!("options not listed: {reason}"),
                }
            }
            Err(failure) => format!("options not listed: {failure}"),
        };
        self.is_complete.set(false);
        map.serialize_entry("error", &error)?;
        map.end()
    }
}

/// A sequence of values that is serialized as it is produced.
struct StreamedSequence<I>(Cell<Option<I>>);

impl<I: Iterator<Item = Value>> Serialize for StreamedSequence<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.take().into_iter().flatten())
    }
}

/// Returns the exact count, as a string if most JSON readers would lose digits of the number.
fn count(listing: &GoalOptions) -> Option<Value> {
    match listing.count {
        OptionCount::Exactly(count) => {
            Some(u32::try_from(count).map_or_else(|_| json!(count.to_string()), |count| json!(count)))
        }
        OptionCount::Overflow | OptionCount::Unknown => None,
    }
}

/// Returns a literal in the format of the releases: `["not", ["open", "box.n.01_1"]]`.
fn literal_value(listing: &GoalOptions, literal: NamedLiteral) -> Value {
    let atom = listing.atom(literal);
    let words = std::iter::once(&atom.predicate).chain(&atom.arguments);
    let mut value: Value = words.map(|word| json!(&**word)).collect();
    for _ in 0..literal.negations {
        value = json!(["not", value]);
    }
    value
}
