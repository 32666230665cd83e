//! New resource graph games: `goalspec generate sample` and `vary` with such games as examples.

use goalspec::game_generation::SizeChange;
use goalspec::generation::resource_game::{GameEdit, MAX_DRAFTS};
use goalspec::library::{Library, LibraryOptions};
use goalspec::resource_game_generation::{GeneratedResourceGame, ResourceGameGeneration, json};

use super::series::{
    GoalKind, Record, reject_game_options, reject_game_options_of_vary, write_samples, write_variations,
};
use super::{refuse, reject_steps};
use crate::args::{SampleArgs, VaryArgs};
use crate::output::{CommandResult, Output};

/// Resource graph games, as a series.
const RESOURCE_GAME: GoalKind = GoalKind { nouns: ["game", "games"], ending: "yaml" };

/// The end of the message about options that only games have.
const SUBJECT: &str = "applies to games of the game language, not to resource graph games";

/// Makes games like those of a library.
pub(super) fn sample(args: &SampleArgs, library: &Library, output: &mut Output) -> CommandResult {
    reject_game_options(args, SUBJECT)?;
    reject_steps(args.steps)?;
    let generation = ResourceGameGeneration::new(library, LibraryOptions::default()).map_err(|error| refuse(&error))?;
    let sample = |origin: (u64, u64)| {
        generation.sample(origin.0, origin.1).map(|made| record(args.series.is_json(), made, origin))
    };
    write_samples(&args.series, RESOURCE_GAME, &reason(), &sample, output)
}

/// Varies games.
pub(super) fn vary(args: &VaryArgs, library: &Library, output: &mut Output) -> CommandResult {
    reject_game_options_of_vary(args, SUBJECT)?;
    reject_steps(args.steps)?;
    let edits = match args.size() {
        SizeChange::Any => &GameEdit::ALL[..],
        SizeChange::Smaller => &[GameEdit::Remove],
        SizeChange::Larger => &[GameEdit::Copy],
    };
    let generation = ResourceGameGeneration::new(library, LibraryOptions::default()).map_err(|error| refuse(&error))?;
    let vary = |example, origin| {
        generation.vary(example, edits, origin).map(|made| record(args.series.is_json(), made, origin))
    };
    write_variations(&args.series, RESOURCE_GAME, (generation.example_count(), &reason()), &vary, output)
}

fn reason() -> String {
    format!("in {MAX_DRAFTS} attempts, there was no place to edit, or the result had errors or could not be played")
}

fn record(is_json: bool, game: GeneratedResourceGame, origin: (u64, u64)) -> Record {
    let text = if is_json { format!("{}\n", json(&game, origin)) } else { game.text };
    Record { name: game.name, text, plan: None }
}
