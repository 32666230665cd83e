//! The `goalspec options` command.

use std::cell::Cell;
use std::io::Write;

use goalspec::options::{self, Count, Failure as Unlisted, Listing, Literal};
use goalspec::program::Program;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use crate::args::{Listings, OptionsArgs};
use crate::loading::Found;
use crate::output::{Failure, Outcome, Output, plural};

/// The remark on a goal that can be met only with the documented reading.
const DOCUMENTED: &str = "use `--quantifiers documented`, with which the goal has options: at least N for `forn`, one-to-one \
    pairs";

pub(crate) fn run(args: &OptionsArgs, output: &mut Output) -> Outcome {
    let loaded = Found::among(&args.paths, &args.activities).load(&args.activities)?;
    let sound = loaded.report(output);
    let activities = || loaded.library.programs().iter().filter_map(|program| Some((program, program.as_activity()?)));
    if sound && activities().next().is_none() {
        return Err(Failure::Usage("no activity among the paths".to_owned()));
    }
    let complete = Cell::new(true);
    // Errors in activities have been reported.
    let records = activities().filter(|(_, activity)| activity.goal.is_some()).map(|(program, activity)| Record {
        program,
        listing: options::list(activity, args.limit),
        complete: &complete,
    });
    match args.format {
        Listings::Text => {
            for record in records {
                text(&record, args.limit, output)?;
            }
        }
        Listings::Jsonl => {
            for record in records {
                serde_json::to_writer(&mut *output, &record).map_err(std::io::Error::from)?;
                writeln!(output)?;
            }
        }
        Listings::Json => {
            let mut serializer = serde_json::Serializer::pretty(&mut *output);
            serializer.collect_seq(records).map_err(std::io::Error::from)?;
            writeln!(output)?;
        }
    }
    Ok(complete.get() && sound)
}

/// The record of an activity. Options are printed one by one as they are found, since there may be many.
struct Record<'r> {
    program: &'r Program,
    listing: Result<Listing, Unlisted>,
    /// Whether all requested options of all activities have been printed.
    complete: &'r Cell<bool>,
}

fn text(record: &Record<'_>, limit: usize, output: &mut Output) -> std::io::Result<()> {
    let name = &record.program.name;
    let listing = match &record.listing {
        Ok(listing) => listing,
        Err(failure) => {
            record.complete.set(false);
            return writeln!(output, "{name}: options not listed: {failure}");
        }
    };
    match listing.count {
        Count::Exactly(1) => write!(output, "{name}: 1 option")?,
        Count::Exactly(count) => write!(output, "{name}: {count} options")?,
        Count::More => write!(output, "{name}: more than {} options", u128::MAX)?,
        Count::Unknown => write!(output, "{name}: an unknown number of options")?,
    }
    match listing.missing {
        Some(0) => writeln!(output, "; the goal holds in the initial state")?,
        Some(missing) => {
            writeln!(output, "; at least {} in the initial state", plural(missing, "unsatisfied literal"))?
        }
        None => {
            writeln!(output, ": no state satisfies the goal")?;
            if listing.documented {
                writeln!(output, "  help: {DOCUMENTED}")?;
            }
        }
    }
    let options = match listing.first() {
        Ok(options) => options,
        Err(reason) => {
            record.complete.set(false);
            return writeln!(output, "  not listed: {reason}");
        }
    };
    let mut printed = 0;
    for option in options {
        let literals: Vec<String> = option.iter().map(|one| literal(listing, *one)).collect();
        printed += 1;
        writeln!(output, "  {printed}: {}", literals.join(" "))?;
    }
    match listing.count {
        Count::Exactly(count) if count == printed => Ok(()),
        _ if limit == 0 => Ok(()),
        Count::Exactly(count) => writeln!(output, "  and {} more", count - printed),
        Count::More | Count::Unknown => writeln!(output, "  and more"),
    }
}

fn literal(listing: &Listing, literal: Literal) -> String {
    let atom = listing.atom(literal);
    let mut text = format!("({} {})", atom.predicate, atom.arguments.join(" "));
    for _ in 0..literal.negations {
        text = format!("(not {text})");
    }
    text
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("program", &*self.program.name)?;
        let error = match &self.listing {
            Ok(listing) => {
                map.serialize_entry("count", &count(listing))?;
                map.serialize_entry("unsatisfied_in_initial_state", &listing.missing)?;
                if listing.documented {
                    map.serialize_entry("help", DOCUMENTED)?;
                }
                match listing.first() {
                    Ok(options) => {
                        let option = |option: Vec<Literal>| -> Value {
                            option.into_iter().map(|one| literal_value(listing, one)).collect()
                        };
                        map.serialize_entry("options", &OneByOne(Cell::new(Some(options.map(option)))))?;
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
struct OneByOne<I>(Cell<Option<I>>);

impl<I: Iterator<Item = Value>> Serialize for OneByOne<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.take().into_iter().flatten())
    }
}

/// Returns the exact count, as a string if most JSON readers would lose digits of the number.
fn count(listing: &Listing) -> Option<Value> {
    match listing.count {
        Count::Exactly(count) => {
            Some(u32::try_from(count).map_or_else(|_| json!(count.to_string()), |count| json!(count)))
        }
        Count::More | Count::Unknown => None,
    }
}

/// Returns a literal in the format of the releases: `["not", ["open", "box.n.01_1"]]`.
fn literal_value(listing: &Listing, literal: Literal) -> Value {
    let atom = listing.atom(literal);
    let words = std::iter::once(&atom.predicate).chain(&atom.arguments);
    let mut value: Value = words.map(|word| json!(&**word)).collect();
    for _ in 0..literal.negations {
        value = json!(["not", value]);
    }
    value
}
