//! The `goalspec generate dedup` command.

use std::io::Write;

use goalspec::game_generation::duplicates::Duplicates;

use super::{corpus, load_games, refuse};
use crate::args::DedupArgs;
use crate::output::{CommandResult, Output, plural};

pub(crate) fn run(args: &DedupArgs, output: &mut Output) -> CommandResult {
    let library = load_games(&args.games, args.world.as_ref(), output)?;
    corpus(&library, &args.games)?;
    let mut found = Duplicates::by_normal_form(&library);
    if args.prove {
        found = found.by_meaning().map_err(|error| refuse(&error))?;
    }
    if args.report.is_json() {
        writeln!(output, "{:#}", found.json())?;
        return Ok(true);
    }
    for group in found.repeated() {
        let names: Vec<&str> = group.names.iter().map(|name| &**name).collect();
        writeln!(output, "equal: {}", names.join(", "))?;
    }
    for [one, other] in found.undecided_names() {
        writeln!(output, "undecided: {one}, {other}")?;
    }
    writeln!(output, "{}, {} different", plural(found.games(), "game"), found.groups.len())?;
    Ok(true)
}
