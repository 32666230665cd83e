//! `goalspec options`

use std::io::Write;

use goalspec::options::{self, Failure as Unlisted, Listing, Literal};
use goalspec::program::Program;
use serde_json::{Value, json};

use crate::args::{Listings, OptionsArgs};
use crate::loading::Found;
use crate::output::{Failure, Outcome, Output, plural};

pub(crate) fn run(args: &OptionsArgs, output: &mut Output) -> Outcome {
    let loaded = Found::new(&args.paths).load(&args.activities);
    let sound = loaded.report(output);
    let activities = || loaded.library.programs().iter().filter_map(|program| Some((program, program.as_activity()?)));
    if sound && activities().next().is_none() {
        return Err(Failure::Usage("there is no activity among the paths".to_owned()));
    }
    let mut listed = true;
    let mut records = Vec::new();
    // What has errors has been reported.
    for (program, activity) in activities().filter(|(_, activity)| activity.goal.is_some()) {
        let listing = options::list(activity, args.limit);
        listed &= listing.is_ok();
        match args.format {
            Listings::Text => text(program, &listing, args.limit, output)?,
            Listings::Json => records.push(record(program, &listing)),
            Listings::Jsonl => writeln!(output, "{}", record(program, &listing))?,
        }
    }
    if args.format == Listings::Json {
        serde_json::to_writer_pretty(&mut *output, &records).map_err(std::io::Error::from)?;
        writeln!(output)?;
    }
    Ok(listed && sound)
}

fn text(
    program: &Program,
    listing: &Result<Listing, Unlisted>,
    limit: usize,
    output: &mut Output,
) -> std::io::Result<()> {
    let listing = match listing {
        Ok(listing) => listing,
        Err(failure) => return writeln!(output, "{}: no options: {failure}", program.name),
    };
    let count = match listing.count {
        Some(1) => "1 option".to_owned(),
        Some(count) => format!("{count} options"),
        None => format!("more than {} options", u128::MAX),
    };
    write!(output, "{}: {count}", program.name)?;
    match listing.missing {
        Some(0) => writeln!(output, "; the goal holds at the start")?,
        Some(missing) => writeln!(output, "; at the start {} missing at the least", plural(missing, "literal"))?,
        None => writeln!(output, ": no state meets the goal")?,
    }
    for (place, option) in listing.first.iter().enumerate() {
        let literals: Vec<String> = option.iter().map(|one| literal(listing, *one)).collect();
        writeln!(output, "  {}: {}", place + 1, literals.join(" "))?;
    }
    let left = listing.count.map(|count| count - listing.first.len() as u128);
    match left {
        Some(0) => Ok(()),
        _ if limit == 0 => Ok(()),
        Some(left) => writeln!(output, "  and {left} more"),
        None => writeln!(output, "  and more"),
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

fn record(program: &Program, listing: &Result<Listing, Unlisted>) -> Value {
    let listing = match listing {
        Ok(listing) => listing,
        Err(failure) => return json!({"program": &*program.name, "error": failure.to_string()}),
    };
    let option = |option: &Vec<Literal>| option.iter().map(|one| literal_value(listing, *one)).collect::<Value>();
    json!({
        "program": &*program.name,
        // As text where a number would lose digits in most readers.
        "count": listing.count.map(|count| u32::try_from(count).map_or_else(|_| json!(count.to_string()), |count| json!(count))),
        "missing_at_start": listing.missing,
        "options": listing.first.iter().map(option).collect::<Value>(),
    })
}

/// As the releases write literals: `["not", ["open", "box.n.01_1"]]`.
fn literal_value(listing: &Listing, literal: Literal) -> Value {
    let atom = listing.atom(literal);
    let words = std::iter::once(&atom.predicate).chain(&atom.arguments);
    let mut value: Value = words.map(|word| json!(&**word)).collect();
    for _ in 0..literal.negations {
        value = json!(["not", value]);
    }
    value
}
