//! The inputs of a viewer, and runs of their programs over their traces.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use goalspec::files::{self, FileAccess, Inputs, TextFiles};
use goalspec::json;
use goalspec::languages::{Language, detect_language};
use goalspec::library::{Library, LibraryOptions};
use goalspec::rewards::score::{RewardOutcome, ScoreOptions};
use goalspec::scoring::{LibraryScorer, LibraryScores, ScoringOptions};
use goalspec::syntax::render;
use goalspec::syntax::{Diagnostic, Sources};
use goalspec::trace::TraceInput;
use serde_json::{Value, json};

use crate::follow;
use crate::lanes::{TileLanes, with_lane_ids};
use crate::names::{file_name, without_paths};
use crate::plan_runs::PlanRun;
use crate::resource_runs::{ResourceRun, SimulationRequest};
use crate::results;
use crate::reward_runs::{self, RewardRun};
use crate::save::{self, SaveOutcome};
use crate::scenes::SceneSource;
use crate::tiles::TileLane;

/// The format of all documents of the viewer.
pub const FORMAT: &str = "goalspec-view-1";

/// The programs, traces and worlds of a viewer, with the options under which they are read and scored. They are fixed when the viewer starts.
#[derive(Debug)]
pub struct Session {
    inputs: Inputs,
    /// The programs that can be shown: all but plans, and domains that come with a problem.
    programs: Vec<PathBuf>,
    plans: Vec<PathBuf>,
    library: LibraryOptions,
    scoring: ScoringOptions,
    rewards: ScoreOptions,
    simulation: SimulationRequest,
    /// Held while a program is saved; `None` if programs must not be saved.
    saving: Option<Mutex<()>>,
    /// Whether traces may grow.
    is_following: bool,
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
    /// The source of the states, if a program was run.
    pub scenes: Option<SceneSource>,
    pub(crate) rewards: RewardRun,
    pub(crate) simulation: Option<ResourceRun>,
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
    /// Programs must not be saved.
    ReadOnly,
}

impl std::fmt::Display for SessionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UnknownInput(kind, number) => write!(f, "there is no {kind} with the id {number}"),
            Self::Unreadable(diagnostic) => f.write_str(&diagnostic.message),
            Self::ReadOnly => f.write_str("programs are saved only if `goalspec view` is started with --write"),
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
    /// Creates a viewer of these files. Scoring explains results, keeps the reward of every state and its terms, and lists at most
    /// `lanes` bindings of each preference, whatever the options say.
    pub fn new(
        inputs: Inputs,
        library: LibraryOptions,
        scoring: ScoringOptions,
        rewards: ScoreOptions,
        lanes: usize,
    ) -> Self {
        let ProgramFiles { programs, plans, domain } = ProgramFiles::new(&inputs);
        let planning_domain = domain.as_ref().map(|path| path.display().to_string());
        let planning_domain = planning_domain.or_else(|| library.planning_domain.clone());
        Self {
            inputs,
            programs,
            plans,
            library: LibraryOptions { planning_domain, ..library },
            scoring: ScoringOptions { explain: true, per_step: true, lanes: Some(lanes), ..scoring },
            rewards: ScoreOptions { keep_frames: true, terms: true, ..rewards },
            simulation: SimulationRequest::default(),
            saving: None,
            is_following: false,
        }
    }

    /// Returns the viewer with the experiment on resource graph games that [`run`](Self::run) plays.
    #[must_use]
    pub fn with_simulation(self, simulation: SimulationRequest) -> Self {
        Self { simulation, ..self }
    }

    /// Returns the viewer with permission to save changed programs.
    #[must_use]
    pub fn with_saving(self) -> Self {
        Self { saving: Some(Mutex::default()), ..self }
    }

    /// Returns the viewer of traces that may grow: runs read the states that a file has at that moment, without an incomplete last line.
    #[must_use]
    pub fn with_following(self) -> Self {
        Self { is_following: true, ..self }
    }

    /// Returns the number of programs.
    pub fn program_count(&self) -> usize {
        self.programs.len()
    }

    /// Returns the number of traces.
    pub fn trace_count(&self) -> usize {
        self.inputs.traces.len()
    }

    /// Returns the number of plans.
    pub fn plan_count(&self) -> usize {
        self.plans.len()
    }

    /// Whether a program is a planning problem, which is run with a plan instead of a trace.
    pub fn is_planning_problem(&self, program: usize) -> bool {
        self.programs.get(program).and_then(|path| language_of(path)) == Some(Language::Pddl)
    }

    /// Whether a program is a resource graph game, which is simulated without a trace.
    pub fn is_resource_game(&self, program: usize) -> bool {
        self.programs.get(program).and_then(|path| language_of(path)) == Some(Language::Rgg)
    }

    /// Returns the document with which the page starts: the inputs by id.
    pub fn start(&self) -> Value {
        let input = |(id, path): (usize, &PathBuf)| json!({"id": id, "name": file_name(path)});
        let program = |(id, path): (usize, &PathBuf)| json!({"id": id, "name": file_name(path), "language": language_of(path).and_then(language_name)});
        json!({
            "format": FORMAT,
            "version": env!("CARGO_PKG_VERSION"),
            "programs": self.programs.iter().enumerate().map(program).collect::<Vec<_>>(),
            "traces": self.inputs.traces.iter().enumerate().map(input).collect::<Vec<_>>(),
            "plans": self.plans.iter().enumerate().map(input).collect::<Vec<_>>(),
            "may": {"edit": true, "write": self.saving.is_some(), "follow": self.is_following},
        })
    }

    /// Returns the trace with this id.
    ///
    /// # Errors
    /// If there is none, or it cannot be opened.
    pub fn trace(&self, id: usize) -> Result<TraceInput, SessionError> {
        let path = self.trace_path(id)?;
        Ok(if self.is_following { follow::snapshot(path)? } else { files::trace_input(path)? })
    }

    fn trace_path(&self, id: usize) -> Result<&Path, SessionError> {
        Ok(self.inputs.traces.get(id).ok_or(SessionError::UnknownInput("trace", id))?)
    }

    /// Returns a text that changes whenever the file of a trace does.
    ///
    /// # Errors
    /// If there is no such trace, or it cannot be read.
    pub fn trace_version(&self, id: usize) -> Result<String, SessionError> {
        Ok(follow::version(self.trace_path(id)?)?)
    }

    /// Checks a program, or another text in its place, and returns its diagnostics as `goalspec check --format json` prints them.
    ///
    /// # Errors
    /// If there is no program with this id.
    pub fn check(&self, program: usize, text: Option<&str>) -> Result<Value, SessionError> {
        let (library, _) = self.load(program, text)?;
        let diagnostics = library.diagnostics().iter().map(|found| render::json::value(found, library.sources()));
        let mut document = json!({"format": FORMAT, "diagnostics": diagnostics.collect::<Vec<_>>()});
        without_paths(&mut document, &self.inputs, library.sources());
        Ok(document)
    }

    /// Runs a program, or another text in its place, over a trace; a planning problem with the plan that has this id; a resource graph game
    /// without any, as [`with_simulation`](Self::with_simulation) says. With `cancelled`, the run ends without outcomes once the flag is set.
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
        if self.is_planning_problem(program) {
            return self.run_plan(program, trace, text);
        }
        if self.is_resource_game(program) {
            return self.simulate(program, text, &self.simulation, cancelled);
        }
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
        let found = RunParts {
            trace: json!({"id": trace, "name": input.name()}),
            numbering: numbering(&scores),
            diagnostics: &scores.diagnostics,
            results: json!({
                "outcomes": outcomes,
                "rewards": scores.rewards.iter().map(reward_runs::document).collect::<Vec<_>>(),
            }),
        };
        let document = self.document(&library, (program, &path), text, found, library.sources())?;
        let states = scores.outcomes.iter().map(|outcome| outcome.report.states());
        let frames = scores.rewards.iter().map(RewardOutcome::frames);
        Ok(ViewRun {
            document,
            states: states.chain(frames).max().unwrap_or(0),
            scenes: scene_source(&scores, &input),
            lanes: lanes.into_lanes(),
            sources: library.sources().clone(),
            rewards: RewardRun::new(library, input, &scores.rewards),
            simulation: None,
            diagnostics: scores.diagnostics,
        })
    }

    /// Judges a plan for a planning problem.
    fn run_plan(&self, program: usize, plan: usize, text: Option<&str>) -> Result<ViewRun, SessionError> {
        let plan_path = self.plans.get(plan).ok_or(SessionError::UnknownInput("plan", plan))?;
        let (library, path) = self.load(program, text)?;
        let plan_text = self.library.files.read_text(plan_path)?;
        let plan_name = plan_path.display().to_string();
        let judged = PlanRun::new(&library, &path.display().to_string(), &plan_name, plan_text.clone());
        let found = RunParts {
            trace: json!({"id": plan, "name": plan_name, "text": plan_text}),
            numbering: json!({"word": "step", "first": 0}),
            diagnostics: &judged.diagnostics,
            results: json!({"outcomes": [], "rewards": [], "plan": judged.document}),
        };
        let document = self.document(&library, (program, &path), text, found, &judged.sources)?;
        Ok(ViewRun {
            document,
            states: judged.states,
            scenes: judged.scenes,
            lanes: judged.lanes.into_lanes(),
            rewards: RewardRun::default(),
            simulation: None,
            diagnostics: judged.diagnostics,
            sources: judged.sources,
        })
    }

    /// Simulates a resource graph game, or another text in its place. The flag `cancelled` ends the experiment.
    ///
    /// # Errors
    /// If there is no such program, the request exceeds a limit, or a policy is invalid. Errors in the program are diagnostics of the
    /// document.
    pub fn simulate(
        &self,
        program: usize,
        text: Option<&str>,
        request: &SimulationRequest,
        cancelled: Option<Arc<AtomicBool>>,
    ) -> Result<ViewRun, SessionError> {
        let (library, path) = self.load(program, text)?;
        let simulation = ResourceRun::new(&library, request, cancelled)?;
        let results = simulation.as_ref().map(|run| &run.document);
        let found = RunParts {
            trace: json!({"id": 0, "name": format!("{} simulated games", request.games)}),
            numbering: json!({"word": "turn", "first": 0}),
            diagnostics: &[],
            results: json!({"outcomes": [], "rewards": [], "simulation": results}),
        };
        let document = self.document(&library, (program, &path), text, found, library.sources())?;
        Ok(ViewRun {
            document,
            states: simulation.as_ref().map_or(0, |run| run.states),
            scenes: None,
            lanes: Vec::new(),
            rewards: RewardRun::default(),
            simulation,
            diagnostics: Vec::new(),
            sources: library.sources().clone(),
        })
    }

    /// Returns a game of an experiment turn by turn, by its index under the seed; `None` if the run is no experiment.
    ///
    /// # Errors
    /// If the game cannot be played.
    pub fn game(&self, run: &ViewRun, index: u64) -> Result<Option<Value>, SessionError> {
        let game = run.simulation.as_ref().map(|simulation| simulation.game(index)).transpose()?;
        Ok(game.flatten())
    }

    /// Returns the games of an experiment turn by turn, from the first one on, as far as they take at most `max_bytes` of JSON.
    ///
    /// # Errors
    /// If a game cannot be played.
    pub fn games(&self, run: &ViewRun, max_bytes: usize) -> Result<Vec<Value>, SessionError> {
        let games = run.simulation.as_ref().map(|simulation| simulation.games(max_bytes)).transpose()?;
        Ok(games.unwrap_or_default())
    }

    /// Returns the document of a run of a program, or of another text in its place.
    fn document(
        &self,
        library: &Library,
        (program, path): (usize, &Path),
        text: Option<&str>,
        found: RunParts<'_>,
        sources: &Sources,
    ) -> Result<Value, SessionError> {
        let shown = match text {
            Some(text) => text.to_owned(),
            None => self.library.files.read_text(path)?,
        };
        let all = library.diagnostics().iter().chain(found.diagnostics);
        let mut document = json!({
            "format": FORMAT,
            "version": env!("CARGO_PKG_VERSION"),
            "program": {
                "id": program,
                "name": path.display().to_string(),
                "language": language_name(language(path, shown.clone())),
                "hash": text.is_none().then(|| save::hash(&shown)),
                "text": shown,
            },
            "trace": found.trace,
            "numbering": found.numbering,
            "diagnostics": all.map(|found| render::json::value(found, sources)).collect::<Vec<_>>(),
        });
        if let (Some(document), Value::Object(results)) = (document.as_object_mut(), found.results) {
            document.extend(results);
        }
        without_paths(&mut document, &self.inputs, sources);
        Ok(document)
    }

    /// Explains the reward of a frame, counted from 0, as `goalspec score --why` does; `None` if there is no such outcome of a reward
    /// function, or no such frame.
    ///
    /// # Errors
    /// If the recording can no longer be read.
    pub fn why(&self, run: &ViewRun, outcome: usize, at: usize) -> Result<Option<Value>, SessionError> {
        let mut reason = run.rewards.why(outcome, at)?;
        if let Some(reason) = &mut reason {
            without_paths(reason, &self.inputs, &run.sources);
        }
        Ok(reason)
    }

    /// Audits the reward functions of a run on its recording, and returns the audits by outcome, as `goalspec audit --format json` prints them.
    pub fn audits(&self, run: &ViewRun) -> Value {
        let mut audits = json!(run.rewards.audits());
        without_paths(&mut audits, &self.inputs, &run.sources);
        audits
    }

    /// Explains the rewards of all frames, by outcome; `None` if that takes more than `max_bytes` of JSON.
    ///
    /// # Errors
    /// If the recording can no longer be read.
    pub fn all_reasons(&self, run: &ViewRun, max_bytes: usize) -> Result<Option<Value>, SessionError> {
        let Some(reasons) = run.rewards.all_reasons(max_bytes)? else { return Ok(None) };
        let mut reasons = json!(reasons);
        without_paths(&mut reasons, &self.inputs, &run.sources);
        Ok(Some(reasons))
    }

    /// Scores a trace by all programs, and returns the results as `goalspec score --format json` prints them for these files, without what
    /// takes space in proportion to the trace.
    ///
    /// # Errors
    /// If there is no such trace, or it cannot be opened.
    pub fn results(&self, trace: usize) -> Result<Value, SessionError> {
        let input = self.trace(trace)?;
        let inputs = Inputs { programs: self.programs.clone(), traces: Vec::new(), worlds: self.inputs.worlds.clone() };
        let library = Library::load(&inputs, self.library.clone(), &|| ());
        let scoring = ScoringOptions { explain: false, per_step: false, lanes: None, ..self.scoring.clone() };
        let rewards = ScoreOptions { keep_frames: false, terms: false, ..self.rewards.clone() };
        let scores = LibraryScorer::new(&library, &scoring, rewards).score(&input, &|_| ());
        let mut document = results::document(&scores, &library, &self.programs);
        document["format"] = json!(FORMAT);
        document["trace"] = json!({"id": trace, "name": input.name()});
        without_paths(&mut document, &self.inputs, library.sources());
        Ok(document)
    }

    /// Saves another text of a program, if its file still has the text with this hash, which is that of the document of a run.
    ///
    /// # Errors
    /// If programs must not be saved, there is no program with this id, or its file cannot be written.
    pub fn save(&self, program: usize, text: &str, hash: &str) -> Result<SaveOutcome, SessionError> {
        let saving = self.saving.as_ref().ok_or(SessionError::ReadOnly)?;
        let path = self.programs.get(program).ok_or(SessionError::UnknownInput("program", program))?;
        let _one_at_a_time = saving.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(save::save(path, text, hash)?)
    }

    /// Loads a program with the worlds, and returns it with the path of the program.
    fn load(&self, program: usize, text: Option<&str>) -> Result<(Library, PathBuf), SessionError> {
        let path = self.programs.get(program).ok_or(SessionError::UnknownInput("program", program))?.clone();
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

/// Returns how the states are counted: frames from 0 if only reward functions were run, and states from 1 otherwise.
fn numbering(scores: &LibraryScores) -> Value {
    if scores.outcomes.is_empty() && !scores.rewards.is_empty() {
        json!({"word": "frame", "first": 0})
    } else {
        json!({"word": "state", "first": 1})
    }
}

/// Returns the source of the states: with the world of a game or an activity if there is one, and of a reward function otherwise.
fn scene_source(scores: &LibraryScores, input: &TraceInput) -> Option<SceneSource> {
    let of_programs = scores.outcomes.first();
    let of_programs = of_programs.map(|outcome| SceneSource::Trace(input.clone(), Arc::clone(&outcome.world)));
    of_programs.or_else(|| Some(SceneSource::of_frames(input, &scores.rewards.first()?.world)))
}

/// Whether a file contains a plan, which is shown with a planning problem and is no program by itself.
pub fn is_plan(path: &Path) -> bool {
    language_of(path) == Some(Language::Plan)
}

/// The programs among the inputs of a viewer, by their part in it.
struct ProgramFiles {
    programs: Vec<PathBuf>,
    plans: Vec<PathBuf>,
    domain: Option<PathBuf>,
}

impl ProgramFiles {
    fn new(inputs: &Inputs) -> Self {
        let (plans, programs): (Vec<_>, Vec<_>) = inputs.programs.iter().cloned().partition(|path| is_plan(path));
        let is_domain = |path: &PathBuf| planning_parts(path).is_some_and(|(domains, problems)| domains && !problems);
        let has_problem = programs.iter().any(|path| planning_parts(path).is_some_and(|(_, problems)| problems));
        if !has_problem {
            return Self { programs, plans, domain: None };
        }
        let (mut domains, programs): (Vec<_>, Vec<_>) = programs.into_iter().partition(is_domain);
        let domain = domains.pop().filter(|_| domains.is_empty());
        Self { programs, plans, domain }
    }
}

/// Whether a text in PDDL contains domains, and problems; `None` for other languages.
fn planning_parts(path: &Path) -> Option<(bool, bool)> {
    let text = files::read_text(path).ok()?;
    let mut sources = Sources::new();
    let id = sources.add(path.display().to_string(), text);
    let file = sources.file(id);
    if detect_language(file, false) != Language::Pddl {
        return None;
    }
    let parsed = goalspec::pddl::parse(file);
    Some((!parsed.domains.is_empty(), !parsed.problems.is_empty()))
}

/// The parts of the document of a run that depend on the language.
struct RunParts<'r> {
    trace: Value,
    numbering: Value,
    /// The diagnostics beyond those of the library.
    diagnostics: &'r [Diagnostic],
    results: Value,
}

/// Returns the language of a file; `None` if it cannot be read.
fn language_of(path: &Path) -> Option<Language> {
    files::read_text(path).ok().map(|text| language(path, text))
}

fn language(path: &Path, text: String) -> Language {
    let mut sources = Sources::new();
    let id = sources.add(path.display().to_string(), text);
    detect_language(sources.file(id), false)
}

/// Returns the name of a language of programs.
fn language_name(language: Language) -> Option<&'static str> {
    Some(match language {
        Language::Game => "game",
        Language::Bddl => "bddl",
        Language::Pddl => "pddl",
        Language::Rgg => "rgg",
        Language::Reward => "reward",
        Language::Plan => return None,
    })
}
