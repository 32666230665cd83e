//! New planning problems, activities and resource graph games.

use std::sync::Arc;

use goalspec::example_generation::{ExampleGeneration, ExampleLanguage, ExampleOptions, GeneratedGoal};
use goalspec::generation::problem::MAX_WALK_STEPS;
use goalspec::problem_generation::left_out;
use pyo3::prelude::*;

use super::{Game, Record, games, size_change};
use crate::background;
use crate::errors::{check_error, value_error};
use crate::library::Library;

/// A generator of planning problems, activities or resource graph games like those of a library.
#[pyclass(frozen, module = "goalspec._core")]
pub(crate) struct Examples {
    generation: Arc<ExampleGeneration>,
    language: ExampleLanguage,
    /// The other languages that the library has.
    others: Vec<ExampleLanguage>,
    left_out: Vec<(String, String)>,
}

#[pymethods]
impl Examples {
    /// Creates a generator. The examples are the programs of the first language besides games that the library has.
    #[new]
    fn new(py: Python<'_>, library: &Library, steps: Option<u32>, is_variation: bool) -> PyResult<Self> {
        if let Some(steps) = steps.filter(|steps| !(1..=MAX_WALK_STEPS).contains(steps)) {
            return Err(value_error(format!("steps={steps}: expected a number from 1 to {MAX_WALK_STEPS}")));
        }
        let shared = Arc::clone(library.shared());
        if shared.diagnostics().iter().any(goalspec::syntax::Diagnostic::is_error) {
            return Err(check_error(py, shared.diagnostics(), shared.sources()));
        }
        let mut languages =
            ExampleLanguage::of(&shared).into_iter().filter(|language| *language != ExampleLanguage::Game);
        let language = languages.next().ok_or_else(|| value_error("there is no example among the programs"))?;
        let others = languages.collect();
        if steps.is_some() && language != ExampleLanguage::Problem {
            return Err(value_error("`steps` applies to planning problems"));
        }
        let left_out = if language == ExampleLanguage::Problem { left_out(&shared) } else { Vec::new() };
        let options = ExampleOptions { library: library.options().clone(), steps, is_variation };
        let generation = background::run(py, move |_| ExampleGeneration::new(&shared, language, options))?;
        let generation = generation.map_err(|error| value_error(error.to_string()))?;
        let left_out = left_out.into_iter().map(|problem| (problem.name.to_string(), problem.reason)).collect();
        Ok(Self { generation: Arc::new(generation), language, others, left_out })
    }

    /// Returns the language of the examples, as a word for several programs.
    fn language(&self) -> &'static str {
        self.language.plural()
    }

    /// Returns the other languages of the programs, which are left out.
    fn others(&self) -> Vec<&'static str> {
        self.others.iter().map(|language| language.plural()).collect()
    }

    /// Returns the names of the problems that are no examples, each with the reason.
    fn left_out(&self) -> Vec<(String, String)> {
        self.left_out.clone()
    }

    /// Returns the number of examples.
    fn count(&self) -> usize {
        self.generation.example_count()
    }

    /// Makes the goals with the indices from the first one on. Returns them, and why one was not found.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
        indices: (u64, u64),
    ) -> PyResult<(Vec<Option<Game<'py>>>, String)> {
        let generation = Arc::clone(&self.generation);
        self.series(py, indices, move |index| generation.sample((seed, index)))
    }

    /// Varies one of the examples. Returns the variations, and why one was not found.
    fn vary<'py>(
        &self,
        py: Python<'py>,
        place: usize,
        size: Option<&str>,
        seed: u64,
        indices: (u64, u64),
    ) -> PyResult<(Vec<Option<Game<'py>>>, String)> {
        if size.is_some() && !self.generation.has_sizes() {
            return Err(value_error("`size` does not apply to planning problems: their size is set by `steps`"));
        }
        let (size, generation) = (size_change(size)?, Arc::clone(&self.generation));
        self.series(py, indices, move |index| generation.vary(place, size, (seed, index)))
    }
}

impl Examples {
    fn series<'py>(
        &self,
        py: Python<'py>,
        (first, count): (u64, u64),
        make: impl Fn(u64) -> Option<GeneratedGoal> + Send + 'static,
    ) -> PyResult<(Vec<Option<Game<'py>>>, String)> {
        let records: Vec<Record> = background::run(py, move |cancelled| {
            // There is no goal beyond the largest index.
            let one = |offset: u64| {
                background::checkpoint(cancelled);
                first.checked_add(offset).and_then(&make).map(|goal| (goal.text, goal.record))
            };
            (0..count).map(one).collect()
        })?;
        Ok((games(py, records)?, self.generation.failure()))
    }
}
