//! The inputs of a viewer, and runs of their programs over their traces.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use goalspec::core::world::World;
use goalspec::files::{self, FileAccess, Inputs, TextFiles};
use goalspec::json;
use goalspec::languages::{Language, detect_language};
use goalspec::library::{Library, LibraryOptions};
use goalspec::rewards::score::{self as rewards, ScoreOptions};
use goalspec::scoring::{LibraryScorer, ScoringOptions};
use goalspec::syntax::render;
use goalspec::syntax::{Diagnostic, SourceFile, Sources};
use goalspec::trace::TraceInput;
use serde_json::{Value, json};

use crate::lanes::{TileLanes, with_lane_ids};
use crate::names::{file_name, without_paths};
use crate::tiles::TileLane;

/// The format of all documents of the viewer.
pub const FORMAT: &str = "goalspec-view-1";

/// The programs, traces and worlds of a viewer, with the options under which they are read and scored. They are fixed when the viewer starts.
#[derive(Debug)]
pub struct Session {
    inputs: Inputs,
    library: LibraryOptions,
    scoring: ScoringOptions,
    rewards: ScoreOptions,
}

/// A program over a trace.
#[derive(Debug)]
pub struct ViewRun {
    /// The document that the page shows: the program, its diagnostics, and the outcomes as `goalspec score --format json` prints them.
    pub document: Value,
    /// The lanes of the document, by id.
    pub lanes: Vec<TileLane>,
    /// The number of states of the longest outcome.
    pub states: u64,
    /// The world of the first outcome, with the objects of the trace.
    pub world: Option<Arc<World>>,
    /// The diagnostics of the run, beyond those of the program itself.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts to which they refer.
    pub sources: Sources,
}

/// The reason why there is no answer.
#[derive(Debug)]
pub enum SessionError {
    /// There is no input of this kind with this number.
    UnknownInput(&'static str, usize),
    /// An input cannot be read.
    Unreadable(Box<Diagnostic>),
}

impl std::fmt::Display for SessionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UnknownInput(kind, number) => write!(f, "there is no {kind} with the id {number}"),
            Self::Unreadable(diagnostic) => f.write_str(&diagnostic.message),
        }
    }
}

impl std::error::Error for SessionError {}

impl From<Box<Diagnostic>> for SessionError {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self::Unreadable(diagnostic)
    }
}

impl Session {
    /// Creates a viewer of these files. Scoring explains results, keeps the reward of every state, and lists at most `lanes` bindings of
    /// each preference, whatever the options say.
    pub fn new(
        inputs: Inputs,
        library: LibraryOptions,
        scoring: ScoringOptions,
        rewards: ScoreOptions,
        lanes: usize,
    ) -> Self {
        Self {
            inputs,
            library,
            scoring: ScoringOptions { explain: true, per_step: true, lanes: Some(lanes), ..scoring },
            rewards: ScoreOptions { keep_frames: true, ..rewards },
        }
    }

    /// Returns the number of programs.
    pub fn program_count(&self) -> usize {
        self.inputs.programs.len()
    }

    /// Returns the number of traces.
    pub fn trace_count(&self) -> usize {
        self.inputs.traces.len()
    }

    /// Returns the document with which the page starts: the inputs by id.
    pub fn start(&self) -> Value {
        let input = |(id, path): (usize, &PathBuf)| json!({"id": id, "name": file_name(path)});
        let program = |(id, path): (usize, &PathBuf)| {
            let language = files::read_text(path).ok().and_then(|text| language_name(path, text));
            json!({"id": id, "name": file_name(path), "language": language})
        };
        json!({
            "format": FORMAT,
            "version": env!("CARGO_PKG_VERSION"),
            "programs": self.inputs.programs.iter().enumerate().map(program).collect::<Vec<_>>(),
            "traces": self.inputs.traces.iter().enumerate().map(input).collect::<Vec<_>>(),
            "may": {"edit": true, "write": false},
        })
    }

    /// Returns the trace with this id.
    ///
    /// # Errors
    /// If there is none, or it cannot be opened.
    pub fn trace(&self, id: usize) -> Result<TraceInput, SessionError> {
        let path = self.inputs.traces.get(id).ok_or(SessionError::UnknownInput("trace", id))?;
        Ok(files::trace_input(path)?)
    }

    /// Checks a program, or another text in its place, and returns its diagnostics as `goalspec check --format json` prints them.
    ///
    /// # Errors
    /// If there is no program with this id.
    pub fn check(&self, program: usize, text: Option<&str>) -> Result<Value, SessionError> {
        let (library, _) = self.load(program, text)?;
        let mut document = json!({"format": FORMAT, "diagnostics": diagnostics(&library, &[])});
        without_paths(&mut document, &self.inputs);
        Ok(document)
    }

    /// Runs a program, or another text in its place, over a trace. With `cancelled`, the run ends without outcomes once the flag is set.
    ///
    /// # Errors
    /// If there is no such program or trace, or one cannot be read. Errors in a program or a trace are diagnostics of the document.
    pub fn run(
        &self,
        program: usize,
        trace: usize,
        text: Option<&str>,
        cancelled: Option<Arc<AtomicBool>>,
    ) -> Result<ViewRun, SessionError> {
        let input = self.trace(trace)?;
        let (library, path) = self.load(program, text)?;
        let options = ScoringOptions { cancelled, ..self.scoring.clone() };
        let scores = LibraryScorer::new(&library, &options, self.rewards.clone()).score(&input, &|_| ());
        let mut lanes = TileLanes::default();
        let mut outcomes = Vec::new();
        for outcome in &scores.outcomes {
            let mut value = json::outcome(outcome, library.sources());
            with_lane_ids(outcome, &mut value, &mut lanes);
            outcomes.push(value);
        }
        let shown = match text {
            Some(text) => text.to_owned(),
            None => self.library.files.read_text(&path)?,
        };
        let mut document = json!({
            "format": FORMAT,
            "version": env!("CARGO_PKG_VERSION"),
            "program": {
                "id": program,
                "name": path.display().to_string(),
                "language": language_name(&path, shown.clone()),
                "text": shown,
            },
            "trace": {"id": trace, "name": input.name()},
            "numbering": {"word": "state", "first": 1},
            "diagnostics": diagnostics(&library, &scores.diagnostics),
            "outcomes": outcomes,
            "rewards": scores.rewards.iter().map(rewards_json).collect::<Vec<_>>(),
        });
        without_paths(&mut document, &self.inputs);
        Ok(ViewRun {
            document,
            states: scores.outcomes.iter().map(|outcome| outcome.report.states()).max().unwrap_or(0),
            world: scores.outcomes.first().map(|outcome| Arc::clone(&outcome.world)),
            lanes: lanes.into_lanes(),
            diagnostics: scores.diagnostics,
            sources: library.sources().clone(),
        })
    }

    /// Loads a program with the worlds, and returns it with the path of the program.
    fn load(&self, program: usize, text: Option<&str>) -> Result<(Library, PathBuf), SessionError> {
        let path = self.inputs.programs.get(program).ok_or(SessionError::UnknownInput("program", program))?.clone();
        let mut options = self.library.clone();
        if let Some(text) = text {
            let edited = EditedText { path: path.clone(), text: text.to_owned(), files: options.files.clone() };
            options.files = FileAccess::new(Arc::new(edited));
        }
        let inputs = Inputs {
            programs: vec![path.clone()],
            traces: self.inputs.traces.clone(),
            worlds: self.inputs.worlds.clone(),
        };
        Ok((Library::load(&inputs, options, &|| ()), path))
    }
}

/// The files, with another text in the place of one of them.
#[derive(Debug)]
struct EditedText {
    path: PathBuf,
    text: String,
    files: FileAccess,
}

impl TextFiles for EditedText {
    fn read_text(&self, path: &Path) -> Result<String, Box<Diagnostic>> {
        if path == self.path { Ok(self.text.clone()) } else { self.files.read_text(path) }
    }

    fn is_file(&self, path: &Path) -> bool {
        path == self.path || self.files.is_file(path)
    }

    fn files_in(&self, folder: &Path) -> Vec<PathBuf> {
        self.files.files_in(folder)
    }
}

fn rewards_json(outcome: &rewards::RewardOutcome) -> Value {
    goalspec::rewards::score_json::outcome(outcome)
}

/// Returns the diagnostics of a library and of a run, as `goalspec check --format json` prints them.
fn diagnostics(library: &Library, others: &[Diagnostic]) -> Vec<Value> {
    let all = library.diagnostics().iter().chain(others);
    all.map(|diagnostic| render::json::value(diagnostic, library.sources())).collect()
}

/// Returns the name of the language of a program.
fn language_name(path: &Path, text: String) -> Option<&'static str> {
    let mut sources = Sources::new();
    let id = sources.add(path.display().to_string(), text);
    let file: &SourceFile = sources.file(id);
    Some(match detect_language(file, false) {
        Language::Game => "game",
        Language::Bddl => "bddl",
        Language::Pddl => "pddl",
        Language::Rgg => "rgg",
        Language::Reward => "reward",
        Language::Plan => return None,
    })
}
