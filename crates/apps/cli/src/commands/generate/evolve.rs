//! The `goalspec generate evolve` command.

use std::io::Write;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use goalspec::game_generation::GameGeneration;
use goalspec::game_generation::archive_folder::{ArchiveFolder, ArchiveSummary, setting};
use goalspec::generation::game::characteristics::Characteristics;
use goalspec::generation::game::evolution::{Evolution, EvolutionOptions};
use goalspec::generator::tree::Tree;
use goalspec::syntax::Sources;
use serde_json::{Map, Value, json};

use super::{corpus, fail, generation, load_examples, model, read_evidence, refuse};
use crate::args::EvolveArgs;
use crate::interrupt::{self, INTERRUPTED};
use crate::output::{CommandError, CommandResult, Output, plural};
use crate::progress::Progress;
use crate::threads::thread_pool;

/// The time after which the archive is saved again.
const SAVED_EVERY: Duration = Duration::from_secs(30);

pub(crate) fn run(args: &EvolveArgs, output: &mut Output) -> CommandResult {
    let world = args.generator.world.as_ref();
    let library = load_examples(&args.corpus, world, output)?;
    let games = corpus(&library, &args.corpus)?;
    let generator_options = args.generator.options();
    let mut generation = generation(&games, world, (&library, &generator_options), output)?;
    let mut judge = generation.judge(model(args.model.as_deref(), output)?);
    judge.characteristics = characteristics(args, &generation, output)?;
    judge.evidence = read_evidence(args.evidence.as_deref(), output)?.map(|shown| generation.evidence(&shown));
    let setting = setting(&generation, &judge, &generator_options);
    let options = EvolutionOptions { seed: args.seed, initial: args.initial, pairs: args.pairs };
    let folder = ArchiveFolder::new(&args.output);
    let saved = folder.load(&mut generation, &judge, (&options, &setting)).map_err(|error| refuse(&error))?;
    let identity = |tree: &Tree| generation.identity(tree);
    let mut evolution = Evolution::new(generation.generator(), &judge, options).with_identity(&identity);
    if let Some(saved) = saved {
        evolution.resume(saved.archive, saved.generation, saved.success);
        let cells = plural(evolution.archive().len(), "cell");
        output.note(&format!("continuing after {} with {cells}", plural(saved.generation as usize, "generation")));
    }
    let is_interrupted = evolve(args, &mut evolution, (&folder, &setting), &judge.characteristics)?;
    if args.files {
        folder.write_games(&evolution).map_err(|error| CommandError::File(args.output.clone(), error))?;
    }
    let state = ArchiveSummary::of(evolution.archive(), &judge.characteristics);
    summarise(args, (&evolution, &state), &folder, output)?;
    if is_interrupted {
        output.note(&format!(
            "interrupted after {}; the same command continues",
            plural(evolution.generation() as usize, "generation")
        ));
        output.flush()?;
        return Err(CommandError::ExitCode(INTERRUPTED));
    }
    Ok(true)
}

/// Returns the characteristics of the archive. Names that the world does not have are reported, since no game uses them.
fn characteristics(
    args: &EvolveArgs,
    generation: &GameGeneration,
    output: &Output,
) -> Result<Characteristics, CommandError> {
    let Some(path) = &args.archive else { return Ok(Characteristics::davidson()) };
    let text = goalspec::files::read_text(path).map_err(|error| fail(&[*error], &Sources::new(), output))?;
    let characteristics = Characteristics::from_toml(&text)
        .map_err(|error| refuse(&format!("`{}` is not an archive specification: {error}", path.display())))?;
    let vocabulary = generation.generator().games().vocabulary();
    let world = generation.world().name();
    for (group, name) in characteristics.unknown_names(vocabulary) {
        output.note(&format!("goalspec: group `{group}`: the world `{world}` has no `{name}`"));
    }
    Ok(characteristics)
}

/// Runs the remaining generations and saves the archive. Returns whether it was interrupted.
fn evolve(
    args: &EvolveArgs,
    evolution: &mut Evolution<'_>,
    (folder, setting): (&ArchiveFolder, &Map<String, Value>),
    characteristics: &Characteristics,
) -> Result<bool, CommandError> {
    let interrupted = interrupt::flag()
        .map_err(|error| CommandError::Usage(format!("cannot install the handler of Ctrl-C: {error}")))?;
    let save = |evolution: &Evolution<'_>| {
        folder.save(evolution, setting).map_err(|error| CommandError::File(folder.archive_path(), error))
    };
    // A folder that cannot be written is reported before any work.
    save(evolution)?;
    let pool = thread_pool(args.threads)?;
    let progress = Progress::analysis();
    let begin = Instant::now();
    let (mut saved, mut children) = (begin, 0);
    while evolution.generation() < args.generations && !interrupted.load(Ordering::Relaxed) {
        children += pool.install(|| evolution.step()).children;
        progress.set_message(|| {
            let summary = ArchiveSummary::of(evolution.archive(), characteristics);
            let rate = children as f64 / begin.elapsed().as_secs_f64();
            format!(
                "generation {} of {}: {}, {} without mistakes, mean fitness {}, {rate:.0} games/s",
                evolution.generation(),
                args.generations,
                plural(summary.cells, "cell"),
                summary.clean,
                fitness(summary.mean_fitness)
            )
        });
        if saved.elapsed() >= SAVED_EVERY {
            save(evolution)?;
            saved = Instant::now();
        }
    }
    progress.finish();
    save(evolution)?;
    Ok(evolution.generation() < args.generations)
}

fn fitness(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
}

fn summarise(
    args: &EvolveArgs,
    (evolution, summary): (&Evolution<'_>, &ArchiveSummary),
    folder: &ArchiveFolder,
    output: &mut Output,
) -> std::io::Result<()> {
    let path = folder.archive_path();
    if args.report.is_json() {
        let document = json!({
            "format": "goalspec-evolution-1",
            "archive": path.display().to_string(),
            "generation": evolution.generation(),
            "cells": summary.cells,
            "clean_cells": summary.clean,
            "mean_fitness": summary.mean_fitness,
            "best_fitness": summary.best_fitness,
        });
        return writeln!(output, "{document:#}");
    }
    writeln!(
        output,
        "{} after {}, {} without mistakes: mean fitness {}, best {}",
        plural(summary.cells, "cell"),
        plural(evolution.generation() as usize, "generation"),
        summary.clean,
        fitness(summary.mean_fitness),
        fitness(summary.best_fitness)
    )?;
    writeln!(output, "the archive is in `{}`", path.display())
}
