//! The `goalspec options` command.

use std::cell::Cell;
use std::io::Write;

use goalspec::goal_options::{self, DOCUMENTED_READING_HELP, OptionCount, OptionsRecord};
use serde::ser::Serializer;

use crate::args::{ListingFormat, OptionsArgs};
use crate::library::DiscoveredFiles;
use crate::output::{CommandError, CommandResult, Output, plural};

pub(crate) fn run(args: &OptionsArgs, output: &mut Output) -> CommandResult {
    let loaded = DiscoveredFiles::with_activities(&args.paths, &args.activities).load(&args.activities)?;
    let is_valid = loaded.report(output);
    let activities = || loaded.library.programs().iter().filter_map(|program| Some((program, program.as_activity()?)));
    if is_valid && activities().next().is_none() {
        return Err(CommandError::Usage("no activity among the paths".to_owned()));
    }
    let is_complete = Cell::new(true);
    // Errors in activities have been reported.
    let records =
        activities().filter(|(_, activity)| activity.goal.is_some()).map(|(program, activity)| OptionsRecord {
            program: &program.name,
            listing: goal_options::list(activity, args.limit),
            is_complete: &is_complete,
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
    Ok(is_complete.get() && is_valid)
}

fn text(record: &OptionsRecord<'_>, limit: usize, output: &mut Output) -> std::io::Result<()> {
    let name = record.program;
    let listing = match &record.listing {
        Ok(listing) => listing,
        Err(failure) => {
            record.is_complete.set(false);
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
                writeln!(output, "  help: {DOCUMENTED_READING_HELP}")?;
            }
        }
    }
    let options = match listing.options() {
        Ok(options) => options,
        Err(reason) => {
            record.is_complete.set(false);
            return writeln!(output, "  not listed: {reason}");
        }
    };
    let mut printed_count = 0;
    for option in options {
        let literals: Vec<String> = option.iter().map(|item| listing.bddl(*item)).collect();
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
