//! The `goalspec options` command.

use std::cell::Cell;
use std::io::Write;

use goalspec::goal_options::{self, GoalOptions, Literal, OptionCount, OptionsError as Unlisted};
use goalspec::program::Program;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use crate::args::{ListingFormat, OptionsArgs};
use crate::library::DiscoveredFiles;
use crate::output::{CommandError, CommandResult, Output, plural};

/// The remark on a goal that can be met only with the documented reading.
const DOCUMENTED_READING_REMARK: &str = "use `--quantifiers documented`, with which the goal has options: at least N for `forn`, one-to-one \
    pairs";

pub(crate) fn run(args: &OptionsArgs, output: &mut Output) -> CommandResult {
    let loaded = DiscoveredFiles::with_activities(&args.paths, &args.activities).load(&args.activities)?;
    let is_valid = loaded.report(output);
    let activities = || loaded.library.programs().iter().filter_map(|program| Some((program, program.as_activity()?)));
    if is_valid && activities().next().is_none() {
        return Err(CommandError::Usage("no activity among the paths".to_owned()));
    }
    let complete = Cell::new(true);
    // Errors in activities have been reported.
    let records = activities().filter(|(_, activity)| activity.goal.is_some()).map(|(program, activity)| {
        ListingRecord { program, listing: goal_options::list(activity, args.limit), complete: &complete }
    });
    match args.format {
        ListingFormat::Text => {
            for record in records {
                text(&record, args.limit, output)?;
            }
        }
        ListingFormat::Jsonl => {
            for record in records {
                serde_json::to_writer(&mut *output, &record).map_err(std::io::Error::from)?;
                writeln!(output)?;
            }
        }
        ListingFormat::Json => {
            let mut serializer = serde_json::Serializer::pretty(&mut *output);
            serializer.collect_seq(records).map_err(std::io::Error::from)?;
            writeln!(output)?;
        }
    }
    Ok(complete.get() && is_valid)
}

/// The record of an activity. Options are printed one by one as they are found, since there may be many.
struct ListingRecord<'r> {
    program: &'r Program,
    listing: Result<GoalOptions, Unlisted>,
    /// Whether all requested options of all activities have been printed.
    complete: &'r Cell<bool>,
}

fn text(record: &ListingRecord<'_>, limit: usize, output: &mut Output) -> std::io::Result<()> {
    let name = &record.program.name;
    let listing = match &record.listing {
        Ok(listing) => listing,
        Err(failure) => {
            record.complete.set(false);
            return writeln!(output, "{name}: options not listed: {failure}");
        }
    };
    match listing.count {
        OptionCount::Exactly(1) => write!(output, "{name}: 1 option")?,
        OptionCount::Exactly(count) => write!(output, "{name}: {count} options")?,
        OptionCount::Overflow => write!(output, "{name}: more than {} options", u128::MAX)?,
        OptionCount::Unknown => write!(output, "{name}: an unknown number of options")?,
    }
    match listing.min_missing {
        Some(0) => writeln!(output, "; the goal holds in the initial state")?,
        Some(missing) => {
            writeln!(output, "; at least {} in the initial state", plural(missing, "unsatisfied literal"))?;
        }
        None => {
            writeln!(output, ": no state satisfies the goal")?;
            if listing.has_documented_options {
                writeln!(output, "  help: {DOCUMENTED_READING_REMARK}")?;
            }
        }
    }
    let options = match listing.options() {
        Ok(options) => options,
        Err(reason) => {
            record.complete.set(false);
            return writeln!(output, "  not listed: {reason}");
        }
    };
    let mut printed_count = 0;
    for option in options {
        let literals: Vec<String> = option.iter().map(|item| literal(listing, *item)).collect();
        printed_count += 1;
        writeln!(output, "  {printed_count}: {}", literals.join(" "))?;
    }
    match listing.count {
        OptionCount::Exactly(count) if count == printed_count => Ok(()),
        _ if limit == 0 => Ok(()),
        OptionCount::Exactly(count) => writeln!(output, "  and {} more", count - printed_count),
        OptionCount::Overflow | OptionCount::Unknown => writeln!(output, "  and more"),
    }
}

fn literal(listing: &GoalOptions, literal: Literal) -> String {
    let atom = listing.atom(literal);
    let mut text = format!("({} {})", atom.predicate, atom.arguments.join(" "));
    for _ in 0..literal.negations {
        text = format!("(not {text})");
    }
    text
}

impl Serialize for ListingRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("program", &*self.program.name)?;
        let error = match &self.listing {
            Ok(listing) => {
                map.serialize_entry("count", &count(listing))?;
                map.serialize_entry("unsatisfied_in_initial_state", &listing.min_missing)?;
                if listing.has_documented_options {
                    map.serialize_entry("help", &[DOCUMENTED_READING_REMARK])?;
                }
                match listing.options() {
                    Ok(options) => {
                        let option = |option: Vec<Literal>| -> Value {
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
        self.complete.set(false);
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
fn literal_value(listing: &GoalOptions, literal: Literal) -> Value {
    let atom = listing.atom(literal);
    let words = std::iter::once(&atom.predicate).chain(&atom.arguments);
    let mut value: Value = words.map(|word| json!(&**word)).collect();
    for _ in 0..literal.negations {
        value = json!(["not", value]);
    }
    value
}
