//! New planning problems, household activities and resource graph games: `goalspec generate sample` and `vary` with such examples.

use goalspec::example_generation::{ExampleGeneration, ExampleLanguage, ExampleOptions, GeneratedGoal};
use goalspec::library::{Library, LibraryOptions};
use goalspec::problem_generation::left_out;
use goalspec::syntax::Sources;

use super::refuse;
use super::series::{GoalKind, Record, Series};
use crate::args::{ActivityArgs, GeneratorArgs, SampleArgs, SeriesArgs, VaryArgs};
use crate::library::settings;
use crate::output::{CommandError, CommandResult, Output};

/// Returns the goals of a language, as a series.
fn kind(language: ExampleLanguage) -> GoalKind {
    match language {
        ExampleLanguage::Game => super::GAME,
        ExampleLanguage::Problem => GoalKind { nouns: ["problem", "problems"], ending: "pddl" },
        ExampleLanguage::Activity => GoalKind { nouns: ["activity", "activities"], ending: "bddl" },
        ExampleLanguage::ResourceGame => GoalKind { nouns: ["game", "games"], ending: "yaml" },
    }
}

/// Examples of a language, and the options by which they were loaded.
pub(super) struct Examples<'l> {
    pub(super) library: &'l Library,
    pub(super) language: ExampleLanguage,
    pub(super) reading: LibraryOptions,
}

/// Makes goals like the examples.
pub(super) fn sample(args: &SampleArgs, examples: Examples<'_>, output: &mut Output) -> CommandResult {
    let language = examples.language;
    reject(language, &[("--preset", args.preset.is_some())], (&args.generator, &args.series))?;
    let generation = generation(examples, args.steps, false, output)?;
    let mut series = Series::new(&args.series, kind(language), 1)?;
    let sample = |index| generation.sample((args.series.seed, index));
    series.write(&|index| record(&args.series, sample(index)), output)?;
    Ok(series.is_complete(&generation.failure(), output))
}

/// Varies each of the examples.
pub(super) fn vary(args: &VaryArgs, examples: Examples<'_>, output: &mut Output) -> CommandResult {
    let language = examples.language;
    let own = [
        ("--operator", !args.operator.is_empty()),
        ("--preset", args.preset.is_some()),
        ("--corpus", !args.corpus.is_empty()),
    ];
    reject(language, &own, (&args.generator, &args.series))?;
    let generation = generation(examples, args.steps, true, output)?;
    if !generation.has_sizes() {
        reject_options(&[("--simpler", args.simpler), ("--harder", args.harder)], subject(language))?;
    }
    let mut series = Series::new(&args.series, kind(language), generation.example_count())?;
    for example in 0..generation.example_count() {
        let vary = |index| generation.vary(example, args.size(), (args.series.seed, index));
        series.write(&|index| record(&args.series, vary(index)), output)?;
    }
    Ok(series.is_complete(&generation.failure(), output))
}

/// Returns the generator of examples.
fn generation(
    examples: Examples<'_>,
    steps: Option<u32>,
    is_variation: bool,
    output: &Output,
) -> Result<ExampleGeneration, CommandError> {
    let Examples { library, language, reading } = examples;
    if language == ExampleLanguage::Problem {
        for left_out in left_out(library) {
            output.note(&format!("goalspec: `{}` is left out of the examples: {}", left_out.name, left_out.reason));
        }
    }
    let options = ExampleOptions { library: reading, steps, is_variation };
    let generation = ExampleGeneration::new(library, language, options).map_err(|error| refuse(&error))?;
    if let ExampleGeneration::ResourceGames(games) = &generation {
        for (name, reason) in games.unsupported() {
            output.note(&format!("goalspec: `{name}` is left out of the examples: {reason}"));
        }
    }
    Ok(generation)
}

/// Returns the options by which activities are read and checked.
pub(super) fn reading(args: &ActivityArgs, output: &Output) -> Result<LibraryOptions, CommandError> {
    let (reading, diagnostics) = args.reading(&settings()?)?;
    output.report(&diagnostics, &Sources::new());
    Ok(reading)
}

/// Refuses the options that only other languages have.
pub(super) fn reject_foreign(
    language: ExampleLanguage,
    steps: Option<u32>,
    activities: &ActivityArgs,
) -> Result<(), CommandError> {
    if language != ExampleLanguage::Problem {
        reject_options(&[("--steps", steps.is_some())], "applies to planning problems")?;
    }
    match activities.given().filter(|_| language != ExampleLanguage::Activity) {
        Some(option) => reject_options(&[(option, true)], "applies to activities"),
        None => Ok(()),
    }
}

fn record(args: &SeriesArgs, made: Option<GeneratedGoal>) -> Option<Record> {
    let GeneratedGoal { name, text, plan, record } = made?;
    if args.is_json() {
        return Some(Record { name, text: format!("{record}\n"), plan: None });
    }
    let plan = plan.map(|plan| plan.iter().map(|step| format!("{step}\n")).collect());
    Some(Record { name, text, plan })
}

/// Returns the end of the message about an option that only games have.
fn subject(language: ExampleLanguage) -> &'static str {
    match language {
        ExampleLanguage::Problem => "applies to games; the size of problems is set by --steps",
        ExampleLanguage::ResourceGame => "applies to games of the game language, not to resource graph games",
        ExampleLanguage::Activity | ExampleLanguage::Game => "applies to games, not to activities",
    }
}

/// Refuses the options that only games have.
fn reject(
    language: ExampleLanguage,
    own: &[(&str, bool)],
    (generator, series): (&GeneratorArgs, &SeriesArgs),
) -> Result<(), CommandError> {
    reject_options(own, subject(language))?;
    reject_options(&generator.given(), subject(language))?;
    reject_options(&[("--model", series.model.is_some())], subject(language))
}

/// Refuses options that are given and do not apply.
fn reject_options(options: &[(&str, bool)], subject: &str) -> Result<(), CommandError> {
    match options.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(CommandError::Usage(format!("{option} {subject}"))),
        None => Ok(()),
    }
}
