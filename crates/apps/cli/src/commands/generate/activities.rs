//! New household activities: `goalspec generate sample` and `vary` with activities as examples.

use goalspec::activity_generation::{ActivityGeneration, GeneratedActivity, json};
use goalspec::game_generation::SizeChange;
use goalspec::generation::activity::{GoalChange, MAX_DRAFTS};
use goalspec::library::LibraryOptions;

use super::series::{
    GoalKind, Record, reject_game_options, reject_game_options_of_vary, write_samples, write_variations,
};
use super::{load_with, refuse, reject_steps};
use crate::args::{ActivityArgs, SampleArgs, VaryArgs};
use crate::library::settings;
use crate::output::{CommandError, CommandResult, Output};

/// Activities, as a series.
const ACTIVITY: GoalKind = GoalKind { nouns: ["activity", "activities"], ending: "bddl" };

/// The end of the message about options that only games have.
const SUBJECT: &str = "applies to games, not to activities";

/// Returns the options by which activities are read and checked.
fn reading(args: &ActivityArgs, output: &Output) -> Result<LibraryOptions, CommandError> {
    let (reading, diagnostics) = args.reading(&settings()?)?;
    output.report(&diagnostics, &goalspec::syntax::Sources::new());
    Ok(reading)
}

/// Makes activities like those of a corpus.
pub(super) fn sample(args: &SampleArgs, output: &mut Output) -> CommandResult {
    reject_game_options(args, SUBJECT)?;
    reject_steps(args.steps)?;
    let options = reading(&args.activities, output)?;
    let library = load_with(options.clone(), &[], &args.corpus, None, output)?;
    let generation = ActivityGeneration::new(&library, options).map_err(|error| refuse(&error))?;
    let sample = |origin: (u64, u64)| {
        generation.sample(origin.0, origin.1).map(|made| record(args.series.is_json(), made, origin))
    };
    write_samples(&args.series, ACTIVITY, &reason(), &sample, output)
}

/// Varies activities.
pub(super) fn vary(args: &VaryArgs, output: &mut Output) -> CommandResult {
    reject_game_options_of_vary(args, SUBJECT)?;
    reject_steps(args.steps)?;
    let changes = match args.size() {
        SizeChange::Any => &GoalChange::ALL[..],
        SizeChange::Smaller => &[GoalChange::Remove],
        SizeChange::Larger => &[GoalChange::Add],
    };
    let options = reading(&args.activities, output)?;
    let library = load_with(options.clone(), &[], &args.games, None, output)?;
    let generation = ActivityGeneration::new(&library, options).map_err(|error| refuse(&error))?;
    let vary = |example, origin| {
        generation.vary(example, changes, origin).map(|made| record(args.series.is_json(), made, origin))
    };
    write_variations(&args.series, ACTIVITY, (generation.example_count(), &reason()), &vary, output)
}

fn reason() -> String {
    format!("in {MAX_DRAFTS} attempts, nothing fitted, or the result violated a rule or had nothing to do")
}

fn record(is_json: bool, activity: GeneratedActivity, origin: (u64, u64)) -> Record {
    let text = if is_json { format!("{}\n", json(&activity, origin)) } else { activity.text };
    Record { name: activity.name, text, plan: None }
}
