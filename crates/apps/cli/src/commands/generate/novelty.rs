//! The `goalspec generate novelty` command.

use std::io::Write;

use goalspec::game_generation::novelty::{GameNovelty, NearestGame, document, novelty};

use super::{corpus, load_examples, load_games, refuse_generation};
use crate::args::NoveltyArgs;
use crate::output::{CommandResult, Output, plural};
use crate::progress::Progress;

pub(crate) fn run(args: &NoveltyArgs, output: &mut Output) -> CommandResult {
    let library = load_games(&args.games, args.world.as_ref(), output)?;
    corpus(&library, &args.games)?;
    let others = load_examples(&args.against, args.world.as_ref(), output)?;
    corpus(&others, &args.against)?;
    let progress = Progress::games(library.programs().len() as u64);
    let games = novelty(&library, &others, args.prove, &|| progress.advance());
    progress.finish();
    let games = games.map_err(|error| refuse_generation(&error))?;
    if args.report.is_json() {
        writeln!(output, "{:#}", document(&games))?;
        return Ok(true);
    }
    games.iter().try_for_each(|game| text(args, game, output))?;
    let equal = |game: &&GameNovelty| {
        !game.equal.is_empty() || game.nearest.as_ref().is_some_and(|nearest| nearest.is_equal == Some(true))
    };
    let repeated = games.iter().filter(equal).count();
    writeln!(output, "{} of {} games have the meaning of a game of the corpus", repeated, games.len())?;
    Ok(true)
}

fn text(args: &NoveltyArgs, game: &GameNovelty, output: &mut Output) -> std::io::Result<()> {
    write!(output, "{}: ", game.name)?;
    if !game.equal.is_empty() {
        let names: Vec<&str> = game.equal.iter().map(|name| &**name).collect();
        return writeln!(output, "equal to {}", names.join(", "));
    }
    let Some(nearest) = &game.nearest else {
        return writeln!(output, "no game of the corpus is about its world and small enough to compare");
    };
    let NearestGame { name, parts, edits, removed, added, is_equal } = nearest;
    let edits = plural(*edits as usize, "edit");
    write!(output, "nearest to {name}, {edits} between {} and {parts} parts", game.parts)?;
    match (args.prove, is_equal) {
        (true, Some(true)) => write!(output, ", the same meaning")?,
        (true, Some(false)) => write!(output, ", another meaning")?,
        (true, None) => write!(output, ", perhaps the same meaning")?,
        (false, _) => {}
    }
    writeln!(output)?;
    if args.explain {
        for line in removed {
            writeln!(output, "  - {line}")?;
        }
        for line in added {
            writeln!(output, "  + {line}")?;
        }
    }
    Ok(())
}
