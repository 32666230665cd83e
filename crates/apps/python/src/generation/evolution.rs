//! The evolution of archives of games.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use goalspec::game_generation::archive_folder::{ArchiveFolder, ArchiveSummary, games_json, setting};
use goalspec::generation::game::characteristics::Characteristics;
use goalspec::generation::game::evolution::{Evolution, EvolutionOptions, MAX_GENERATION_SIZE};
use goalspec::generator::tree::Tree;
use pyo3::prelude::*;
use rayon::ThreadPool;
use serde_json::{Map, Value, json};

use super::{State, thread_pool};
use crate::background;
use crate::errors::value_error;
use crate::json;

/// The time after which an archive with a folder is saved again.
const SAVED_EVERY: Duration = Duration::from_secs(30);

/// The time that an interrupted evolution has to save its archive.
const SAVING_PERIOD: Duration = Duration::from_secs(10);

/// The options of an evolution.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct EvolutionArguments {
    generations: u64,
    initial: Option<u32>,
    pairs: Option<u32>,
    seed: u64,
    /// The folder in which the archive is saved, and from which a saved one continues.
    folder: Option<PathBuf>,
    /// The specification of the cells, as TOML; the published one by default.
    archive: Option<String>,
    jobs: Option<usize>,
}

/// An evolution that runs on a thread of its own.
struct Run {
    state: Arc<State>,
    characteristics: Characteristics,
    options: EvolutionOptions,
    generations: u64,
    folder: Option<ArchiveFolder>,
    pool: ThreadPool,
    /// The number of the last finished generation.
    generation: Arc<AtomicU64>,
    /// Whether the caller has given up waiting: then the archive is not saved any more. The lock is held while it is saved.
    is_abandoned: Arc<Mutex<bool>>,
}

/// Evolves an archive of games. `progress` is called with the numbers of finished and of all generations. Returns the summary of the
/// archive and its games.
pub(super) fn evolve<'py>(
    state: &Arc<State>,
    py: Python<'py>,
    arguments: EvolutionArguments,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let defaults = EvolutionOptions::default();
    let size = |name: &str, given: Option<u32>, default: u32| match given {
        Some(number) if !(1..=MAX_GENERATION_SIZE).contains(&number) => {
            Err(value_error(format!("{name}={number}: expected a number from 1 to {MAX_GENERATION_SIZE}")))
        }
        given => Ok(given.unwrap_or(default)),
    };
    let options = EvolutionOptions {
        seed: arguments.seed,
        initial: size("initial", arguments.initial, defaults.initial)?,
        pairs: size("pairs", arguments.pairs, defaults.pairs)?,
    };
    let characteristics =
        arguments.archive.as_deref().map_or_else(|| Ok(Characteristics::davidson()), characteristics)?;
    let (generation, is_abandoned) = (Arc::new(AtomicU64::new(0)), Arc::new(Mutex::new(false)));
    let run = Run {
        state: Arc::clone(state),
        characteristics,
        options,
        generations: arguments.generations,
        folder: arguments.folder.as_deref().map(ArchiveFolder::new),
        pool: thread_pool(arguments.jobs)?,
        generation: Arc::clone(&generation),
        is_abandoned: Arc::clone(&is_abandoned),
    };
    let mut reported = u64::MAX;
    let mut report = |_: Python<'_>| {
        let finished = generation.load(Ordering::Relaxed);
        if let Some(progress) = &progress
            && std::mem::replace(&mut reported, finished) != finished
        {
            progress.call1((finished, arguments.generations))?;
        }
        Ok(())
    };
    let grace_period = || if arguments.folder.is_some() { SAVING_PERIOD } else { background::GRACE_PERIOD };
    let result = background::run_polled(py, &mut report, &grace_period, move |cancelled| run.run(cancelled));
    if result.is_err() {
        // A save that has begun is waited for, since another call may use the folder next.
        py.detach(|| *is_abandoned.lock().unwrap_or_else(PoisonError::into_inner) = true);
    }
    let result = background::after_report(report(py), result)?;
    json::to_python(py, &result.map_err(value_error)?)
}

/// Reads the specification of an archive.
pub(super) fn characteristics(text: &str) -> PyResult<Characteristics> {
    let read = Characteristics::from_toml(text);
    read.map_err(|error| value_error(format!("the specification of the archive is invalid: {error}")))
}

impl Run {
    /// Runs the remaining generations, and returns the document of the archive.
    fn run(self, cancelled: &AtomicBool) -> Result<Value, String> {
        // What a saved archive names is added to a copy.
        let mut generation = self.state.generation.clone();
        let mut judge = self.state.judge.clone();
        judge.characteristics = self.characteristics.clone();
        let setting = setting(&generation, &judge, &self.state.options);
        let saved = match &self.folder {
            Some(folder) => folder.load(&mut generation, &judge, (&self.options, &setting)),
            None => Ok(None),
        };
        let saved = saved.map_err(|error| error.to_string())?;
        let identity = |tree: &Tree| generation.identity(tree);
        let mut evolution = Evolution::new(generation.generator(), &judge, self.options).with_identity(&identity);
        if let Some(saved) = saved {
            evolution.resume(saved.archive, saved.generation, saved.success);
        }
        // A folder that cannot be written is reported before any work.
        self.save(&evolution, &setting)?;
        let mut saved_at = Instant::now();
        while evolution.generation() < self.generations && !cancelled.load(Ordering::Relaxed) {
            self.pool.install(|| evolution.step());
            self.generation.store(evolution.generation(), Ordering::Relaxed);
            if saved_at.elapsed() >= SAVED_EVERY {
                self.save(&evolution, &setting)?;
                saved_at = Instant::now();
            }
        }
        self.save(&evolution, &setting)?;
        let summary = ArchiveSummary::of(evolution.archive(), &self.characteristics);
        Ok(json!({
            "world": generation.world().name(),
            "generation": evolution.generation(),
            "cells": summary.cells,
            "clean_cells": summary.clean,
            "mean_fitness": summary.mean_fitness,
            "best_fitness": summary.best_fitness,
            "games": games_json(&evolution),
        }))
    }

    fn save(&self, evolution: &Evolution<'_>, setting: &Map<String, Value>) -> Result<(), String> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let is_abandoned = self.is_abandoned.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_abandoned {
            return Ok(());
        }
        folder.save(evolution, setting).map_err(|error| format!("{}: {error}", folder.archive_path().display()))
    }
}
