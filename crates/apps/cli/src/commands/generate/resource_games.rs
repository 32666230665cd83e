//! New resource graph games: `goalspec generate sample` and `vary` with such games as examples.

use goalspec::game_generation::SizeChange;
use goalspec::generation::resource_game::{GameEdit, MAX_DRAFTS};
use goalspec::library::{Library, LibraryOptions};
use goalspec::program::ProgramContent;
use goalspec::resource_game_generation::{GeneratedResourceGame, ResourceGameGeneration, json};

use super::problems::reject;
use super::refuse;
use super::series::{GoalKind, Record, Series, is_json};
use crate::args::{SampleArgs, SeriesArgs, VaryArgs};
use crate::output::{CommandResult, Output};

/// Resource graph games, as a series.
const RESOURCE_GAME: GoalKind = GoalKind { nouns: ["game", "games"], ending: "yaml" };

/// What options of games in the game language are about.
const SUBJECT: &str = "applies to games of the game language, not to resource graph games";

/// Whether a library has resource graph games.
pub(super) fn has_resource_games(library: &Library) -> bool {
    library.programs().iter().any(|program| matches!(program.content, ProgramContent::Resource(_)))
}

/// Makes games like those of a library.
pub(super) fn sample(args: &SampleArgs, library: &Library, output: &mut Output) -> CommandResult {
    let game_options = [
        ("--world", args.generator.world.is_some()),
        ("--preset", args.preset.is_some()),
        ("--model", args.series.model.is_some()),
    ];
    reject(&game_options, SUBJECT)?;
    let generation = ResourceGameGeneration::new(library, LibraryOptions::default()).map_err(|error| refuse(&error))?;
    let mut series = Series::new(&args.series, RESOURCE_GAME)?;
    let seed = args.series.seed;
    let make = |index| generation.sample(seed, index).map(|game| record(&args.series, &game, index));
    series.write(&make, output)?;
    Ok(is_complete(&series, output))
}

/// Varies games.
pub(super) fn vary(args: &VaryArgs, library: &Library, output: &mut Output) -> CommandResult {
    let game_options = [
        ("--world", args.generator.world.is_some()),
        ("--operator", !args.operator.is_empty()),
        ("--corpus", !args.corpus.is_empty()),
        ("--model", args.series.model.is_some()),
    ];
    reject(&game_options, SUBJECT)?;
    let edits = match args.size() {
        SizeChange::Any => &GameEdit::ALL[..],
        SizeChange::Smaller => &[GameEdit::Remove],
        SizeChange::Larger => &[GameEdit::Copy],
    };
    let generation = ResourceGameGeneration::new(library, LibraryOptions::default()).map_err(|error| refuse(&error))?;
    let mut series = Series::new(&args.series, RESOURCE_GAME)?;
    let seed = args.series.seed;
    for example in 0..generation.example_count() {
        let vary = |index| generation.vary(example, edits, (seed, index));
        series.write(&|index| vary(index).map(|game| record(&args.series, &game, index)), output)?;
    }
    Ok(is_complete(&series, output))
}

fn is_complete(series: &Series<'_>, output: &mut Output) -> bool {
    series.is_complete(&format!("each of {MAX_DRAFTS} drafts has errors or cannot be played"), output)
}

fn record(args: &SeriesArgs, game: &GeneratedResourceGame, index: u64) -> Record {
    let text = if is_json(args) { format!("{}\n", json(game, (args.seed, index))) } else { game.text.clone() };
    Record { name: game.name.clone(), text, plan: None }
}
