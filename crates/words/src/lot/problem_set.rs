//! A problem set with its training plans.

use std::path::{Path, PathBuf};

use goalspec_lot::plan::Move;
use goalspec_lot::specs::ProblemSpecs;
use goalspec_lot::vocabulary::{Vocabularies, Vocabulary};
use goalspec_lot::{Problem, View};
use goalspec_syntax::source::decode;
use goalspec_syntax::{Diagnostic, SourceFile, Sources};

/// A problem with its id and its use as test or training example.
#[derive(Debug, Clone)]
pub struct SetProblem {
    /// The id, such as `003`.
    pub id: String,
    /// Whether the problem is a test; otherwise it is a training example.
    pub is_test: bool,
    /// The problem.
    pub problem: Problem,
}

/// The problems of a set, in order.
#[derive(Debug, Clone)]
pub struct ProblemSet {
    /// The problems.
    pub problems: Vec<SetProblem>,
    /// The folder with the plans of training examples, `VIEW/NAME.json`. Without one, or without a file, plans are searched for.
    pub plans: Option<PathBuf>,
}

impl ProblemSet {
    /// Combines specs with their problems.
    pub fn new(specs: &ProblemSpecs, problems: Vec<Problem>) -> Self {
        let problems = specs.specs().iter().zip(problems).enumerate().map(|(index, (spec, problem))| SetProblem {
            id: ProblemSpecs::id(index),
            is_test: spec.is_test,
            problem,
        });
        Self { problems: problems.collect(), plans: None }
    }

    /// Loads a set: the specs, and a problem file for each of them.
    ///
    /// # Errors
    /// The diagnostics of files that cannot be read or are invalid; their texts are added to `sources`.
    pub fn load(specs: &Path, problems: &Path, sources: &mut Sources) -> Result<Self, Vec<Diagnostic>> {
        let specs = load_specs(specs, sources)?;
        let mut loaded = Vec::new();
        let mut diagnostics = Vec::new();
        for index in 0..specs.specs().len() {
            let path = problems.join(format!("{}.json", ProblemSpecs::name(index)));
            match read(&path, sources).map_err(|error| vec![*error]).and_then(|file| Problem::from_json(&file)) {
                Ok(problem) => loaded.push(problem),
                Err(errors) => diagnostics.extend(errors),
            }
            if diagnostics.len() > MAX_REPORTED {
                break;
            }
        }
        if diagnostics.is_empty() { Ok(Self::new(&specs, loaded)) } else { Err(diagnostics) }
    }

    /// Iterates over the training examples.
    pub fn training(&self) -> impl Iterator<Item = &SetProblem> {
        self.problems.iter().filter(|problem| !problem.is_test)
    }

    /// Iterates over the tests.
    pub fn tests(&self) -> impl Iterator<Item = &SetProblem> {
        self.problems.iter().filter(|problem| problem.is_test)
    }

    /// Reads the plan of a training example; `None` if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read or is no plan.
    pub fn recorded_plan(&self, problem: &SetProblem, view: View) -> Result<Option<Vec<Move>>, Box<Diagnostic>> {
        let Some(folder) = &self.plans else { return Ok(None) };
        let path = folder.join(view.name()).join(format!("problem_{}.json", problem.id));
        if !path.exists() {
            return Ok(None);
        }
        let file = read(&path, &mut Sources::new())?;
        let plan = serde_json::from_str(file.text());
        plan.map(Some).map_err(|error| {
            Diagnostic::invalid_argument(format!(
                "`{}` is not a plan, a JSON list of `[x, y]` and `x`: {error}",
                path.display()
            ))
        })
    }
}

/// The number of diagnostics after which loading ends.
const MAX_REPORTED: usize = 20;

/// Loads a spec file.
///
/// # Errors
/// The diagnostics of a file that cannot be read or is invalid; its text is added to `sources`.
pub fn load_specs(path: &Path, sources: &mut Sources) -> Result<ProblemSpecs, Vec<Diagnostic>> {
    let file = read(path, sources).map_err(|error| vec![*error])?;
    ProblemSpecs::from_yaml(&file)
}

/// Loads vocabularies; a missing path stands for the bundled vocabulary.
///
/// # Errors
/// The diagnostics of files that cannot be read or are invalid; their texts are added to `sources`.
pub fn load_vocabularies(
    simple: Option<&Path>,
    complex: Option<&Path>,
    sources: &mut Sources,
) -> Result<Vocabularies, Vec<Diagnostic>> {
    let mut load = |path: Option<&Path>, bundled: fn() -> Vocabulary| match path {
        None => Ok(bundled()),
        Some(path) => {
            let file = read(path, sources).map_err(|error| vec![*error])?;
            Vocabulary::from_json(&file)
        }
    };
    let (simple, complex) = (load(simple, Vocabulary::simple)?, load(complex, Vocabulary::complex)?);
    Vocabularies::new(simple, complex).map_err(|error| vec![*error])
}

/// Reads a text file into the sources.
///
/// # Errors
/// If the file cannot be read, or is not a text.
pub fn read(path: &Path, sources: &mut Sources) -> Result<SourceFile, Box<Diagnostic>> {
    let name = path.display().to_string();
    let bytes =
        std::fs::read(path).map_err(|error| Diagnostic::invalid_argument(format!("cannot read `{name}`: {error}")))?;
    let text = decode(&name, bytes)?;
    let id = sources.add(name, text);
    Ok(sources.file(id).clone())
}
