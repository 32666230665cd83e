//! New household activities: `goalspec generate sample` and `vary` with activities as examples.

use goalspec::activity_generation::{ActivityGeneration, GeneratedActivity, json};
use goalspec::game_generation::SizeChange;
use goalspec::generation::activity::{GoalChange, MAX_DRAFTS};
use goalspec::library::{Library, LibraryOptions};
use goalspec::program::ProgramContent;

use super::problems::reject;
use super::series::{GoalKind, Record, Series, is_json};
use super::{load_with, refuse};
use crate::args::{ActivityArgs, SampleArgs, SeriesArgs, VaryArgs};
use crate::library::settings;
use crate::output::{CommandError, CommandResult, Output};

/// Activities, as a series.
const ACTIVITY: GoalKind = GoalKind { nouns: ["activity", "activities"], ending: "bddl" };

/// What options of games are about.
const SUBJECT: &str = "applies to games, not to activities";

/// Whether a library has household activities.
pub(super) fn has_activities(library: &Library) -> bool {
    library.programs().iter().any(|program| matches!(program.content, ProgramContent::Activity(_)))
}

/// Returns the options by which activities are read and checked.
fn reading(args: &ActivityArgs, output: &Output) -> Result<LibraryOptions, CommandError> {
    let (reading, diagnostics) = args.reading(&settings()?)?;
    output.report(&diagnostics, &goalspec::syntax::Sources::new());
    Ok(reading)
}

/// Makes activities like those of a corpus.
pub(super) fn sample(args: &SampleArgs, output: &mut Output) -> CommandResult {
    let game_options = [
        ("--world", args.generator.world.is_some()),
        ("--preset", args.preset.is_some()),
        ("--model", args.series.model.is_some()),
    ];
    reject(&game_options, SUBJECT)?;
    let options = reading(&args.activities, output)?;
    let library = load_with(options.clone(), &[], &args.corpus, None, output)?;
    let generation = ActivityGeneration::new(&library, options).map_err(|error| refuse(&error))?;
    let mut series = Series::new(&args.series, ACTIVITY)?;
    let seed = args.series.seed;
    let make = |index| generation.sample(seed, index).map(|activity| record(&args.series, &activity, index));
    series.write(&make, output)?;
    Ok(is_complete(&series, output))
}

/// Varies activities.
pub(super) fn vary(args: &VaryArgs, output: &mut Output) -> CommandResult {
    let game_options = [
        ("--world", args.generator.world.is_some()),
        ("--operator", !args.operator.is_empty()),
        ("--corpus", !args.corpus.is_empty()),
        ("--model", args.series.model.is_some()),
    ];
    reject(&game_options, SUBJECT)?;
    let changes = match args.size() {
        SizeChange::Any => &GoalChange::ALL[..],
        SizeChange::Smaller => &[GoalChange::Remove],
        SizeChange::Larger => &[GoalChange::Add],
    };
    let options = reading(&args.activities, output)?;
    let library = load_with(options.clone(), &[], &args.games, None, output)?;
    let generation = ActivityGeneration::new(&library, options).map_err(|error| refuse(&error))?;
    let mut series = Series::new(&args.series, ACTIVITY)?;
    let seed = args.series.seed;
    for example in 0..generation.example_count() {
        let vary = |index| generation.vary(example, changes, (seed, index));
        series.write(&|index| vary(index).map(|activity| record(&args.series, &activity, index)), output)?;
    }
    Ok(is_complete(&series, output))
}

fn is_complete(series: &Series<'_>, output: &mut Output) -> bool {
    series.is_complete(&format!("each of {MAX_DRAFTS} drafts violates a rule or has nothing to do"), output)
}

fn record(args: &SeriesArgs, activity: &GeneratedActivity, index: u64) -> Record {
    let text = if is_json(args) { format!("{}\n", json(activity, (args.seed, index))) } else { activity.text.clone() };
    Record { name: activity.name.clone(), text, plan: None }
}
