//! The passes that commands make over a program, by language.

use std::sync::Arc;

use goalspec::core::engine::Engine;
use goalspec::library::{Library, LibraryOptions};
use goalspec::limits::Limit;
use goalspec::planning_problems::unreachable_parts;
use goalspec::program::{Activity, GameProgram, Program, ProgramContent, ResourceProgram};
use goalspec::python_runtime::fast::CompiledFunction;
use goalspec::python_runtime::limits::CallBudget;
use goalspec::python_runtime::machine::{CallError, Machine};
use goalspec::python_runtime::scene::SceneObject;
use goalspec::reward::terms::Terms;
use goalspec::reward_lints;
use goalspec::rewards::program::RewardProgram;
use goalspec::scoring::{self, ScoringOptions, Semantics};
use goalspec::syntax::diagnostic::Applicability;
use goalspec::syntax::{Diagnostic, fix};
use goalspec::trace::TraceInput;
use goalspec::{bddl, game, goal_options, library, monitor, pddl};
use goalspec_testing::resource;

use super::counter;

/// The maximum number of options listed per goal.
const MAX_LISTED_OPTIONS: usize = 64;

/// The maximum number of turns per resource graph game.
const MAX_TURNS: usize = 4;

/// The budget of a Python program, at its top level and per call.
const BUDGET: CallBudget = CallBudget {
    work: 100_000,
    slow_call_work: 100_000,
    reserve_work: 1_000_000,
    frame_work: 10_000,
    memory: 24 << 20,
    call_depth: 60,
    output_characters: 1 << 12,
};

/// The codes of the diagnostics with which a pass reports that it skipped a part of its work.
const INCOMPLETE_CODES: &[&str] = &["rgg/lint-limit", "game/analysis-limit", "reward/analysis-limit"];

/// The budget of a game over a play, in units of work: below [`ACCEPTED_WORK`](super::ACCEPTED_WORK), so that growth within the budget is
/// accepted.
const GAME_BUDGET: u64 = 200_000;

/// The plays that games are scored on, each with the name of its world.
const PLAYS: &[(&str, &[u8])] = &[
    ("few-objects-room-v1", include_bytes!("../../corpus/play.jsonl")),
    ("kitchen-v1", include_bytes!("../../corpus/kitchen.jsonl")),
];

/// A language, determined by the extension of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// The game language.
    Game,
    /// BDDL.
    Bddl,
    /// PDDL, with the domain and its problems in one text.
    Pddl,
    /// Resource graph games.
    Rgg,
    /// Reward functions.
    Reward,
    /// World files.
    World,
}

/// The measurement of a pass over a program.
#[derive(Debug, Clone)]
pub struct PassMeasurement {
    /// The name of the pass.
    pub name: &'static str,
    /// The number of comparisons.
    pub work: u64,
    /// The number of bytes written: indentation enlarges a deeply nested text, and a counting circuit grows with the number of its inputs.
    pub bytes_written: usize,
    /// The declared limit that stopped the pass: the name of its constant, or the code of the diagnostic that reports it.
    pub limit: Option<&'static str>,
}

impl Language {
    /// Returns the language of a file of the corpus.
    pub fn of(file: &str) -> Option<Self> {
        Some(match file.rsplit_once('.')?.1 {
            "game" => Self::Game,
            "bddl" => Self::Bddl,
            "pddl" => Self::Pddl,
            "yaml" => Self::Rgg,
            "py" => Self::Reward,
            "toml" => Self::World,
            _ => return None,
        })
    }

    /// Whether line breaks and indentation are significant.
    pub fn is_indented(self) -> bool {
        matches!(self, Self::Rgg | Self::Reward | Self::World)
    }

    /// Returns a file name for a text of the language.
    fn file_name(self) -> &'static str {
        match self {
            Self::Game => "grown.game",
            Self::Bddl => "grown.bddl",
            Self::Pddl => "grown.pddl",
            Self::Rgg => "grown.yaml",
            Self::Reward => "grown.py",
            Self::World => "grown.world.toml",
        }
    }
}

/// Measures every pass over a program, which may refer to a world.
pub fn measure_all(language: Language, text: &str, world: Option<&str>) -> Vec<PassMeasurement> {
    let mut passes = Passes::default();
    let mut library = Library::with_options(LibraryOptions::default());
    passes.measure("check", || {
        if let Some(world) = world {
            library.add_world(Language::World.file_name(), world, &mut |_| None);
        }
        if language == Language::World {
            library.add_world(language.file_name(), text, &mut |_| None);
        } else {
            library.add_program(language.file_name(), text);
        }
        limit_of(library.diagnostics())
    });
    passes.texts(&library);
    for program in library.programs() {
        match &program.content {
            ProgramContent::Game(game) => passes.game(program, game),
            ProgramContent::Activity(activity) => passes.activity(program, activity, &library),
            ProgramContent::Resource(resource) => passes.resource(resource),
            ProgramContent::Planning(problem) => {
                passes.unlimited("describe", || pddl::describe::problem(&problem.problem))
            }
            ProgramContent::Reward(reward) => passes.reward(reward),
        }
    }
    for domain in library.planning_domains() {
        passes.unlimited("describe domain", || pddl::describe::domain(&domain.domain));
    }
    for world in library.worlds() {
        passes.unlimited("describe world", || game::describe::vocabulary(world));
    }
    if language == Language::Pddl {
        passes.measure("reach", || limit_of(&unreachable_parts(&library)));
    }
    passes.0
}

/// Returns the limit that a diagnostic names.
fn limit_of(diagnostics: &[Diagnostic]) -> Option<&'static str> {
    diagnostics.iter().find_map(|diagnostic| {
        let incomplete = INCOMPLETE_CODES.iter().copied().find(|code| diagnostic.code.0 == *code);
        incomplete.or_else(|| Limit::of_diagnostic(diagnostic).map(|limit| limit.constant))
    })
}

/// Returns the limit that a message without a code names.
fn named_limit(message: &str) -> Option<&'static str> {
    Limit::of_message(message).map(|limit| limit.constant)
}

#[derive(Default)]
struct Passes(Vec<PassMeasurement>);

impl Passes {
    fn measure(&mut self, pass: &'static str, run: impl FnOnce() -> Option<&'static str>) {
        self.measure_writing(pass, || (0, run()));
    }

    /// Measures a pass that returns the number of bytes written and the limit that stopped it.
    fn measure_writing(&mut self, pass: &'static str, run: impl FnOnce() -> (usize, Option<&'static str>)) {
        let before = counter::count();
        let (written, limit) = run();
        let work = counter::count() - before;
        // Several programs in one text are added up.
        match self.0.iter_mut().find(|measurement| measurement.name == pass) {
            Some(measurement) => {
                measurement.work += work;
                measurement.bytes_written += written;
                measurement.limit = measurement.limit.or(limit);
            }
            None => self.0.push(PassMeasurement { name: pass, work, bytes_written: written, limit }),
        }
    }

    /// Measures a pass without a limit.
    fn unlimited<T>(&mut self, pass: &'static str, run: impl FnOnce() -> T) {
        self.measure(pass, || {
            drop(run());
            None
        });
    }

    /// Measures the passes over the text of any language.
    fn texts(&mut self, library: &Library) {
        for source in library.sources().iter() {
            self.measure_writing("format", || match library::format(source) {
                Ok(text) => (text.len(), None),
                Err(diagnostics) => (0, limit_of(&diagnostics)),
            });
            self.unlimited("fix", || fix::apply(source, library.diagnostics(), Applicability::Unsafe));
        }
        self.measure("lint rewards", || limit_of(&reward_lints::diagnostics(library)));
    }

    fn game(&mut self, program: &Program, game: &GameProgram) {
        let Some(world) = &program.world else { return };
        self.unlimited("describe", || game::describe::english(&game.ast, world, game.dialect));
        self.unlimited("describe --ltl", || {
            game::describe::ltl(&game.ast, game.dialect, game::describe::LtlSyntax::Standard)
        });
        let Some(game) = &game.game else { return };
        if let Some(preference) = game.preferences.last() {
            self.unlimited("describe --dot", || game::describe::automaton_dot(game, &preference.name, world));
        }
        self.measure("compile", || {
            named_limit(&monitor::CompiledGame::new(world.clone(), game.clone()).err()?.to_string())
        });
        for (pass, semantics, engine) in [
            ("score", Semantics::Spec, Engine::Fast),
            ("score --engine interpreter", Semantics::Spec, Engine::Interpreter),
            ("score --semantics reference", Semantics::Reference, Engine::Fast),
        ] {
            let budget = goalspec::core::budget::Budget::new(GAME_BUDGET);
            let options = ScoringOptions { semantics, engine, explain: true, budget, ..ScoringOptions::default() };
            self.measure(pass, || score(program, &options));
        }
    }

    fn activity(&mut self, program: &Program, activity: &Activity, library: &Library) {
        self.unlimited("describe", || bddl::describe::text(&activity.problem, activity.dialect));
        self.measure("options", || match goal_options::list(activity, MAX_LISTED_OPTIONS) {
            Ok(options) => {
                let _ = options.options().map(Iterator::count);
                None
            }
            Err(error) => named_limit(&error.to_string()),
        });
        self.measure_writing("export", || {
            let options = bddl::export::ExportOptions::default();
            match bddl::export::pddl(&activity.problem, library.bddl_domain(activity), activity.dialect, options, None)
            {
                Ok(export) => (export.domain.len() + export.problem.len(), None),
                Err(error) => (0, named_limit(&error.to_string())),
            }
        });
        self.measure_writing("export --actions", || {
            let (options, placements) = (bddl::export::ExportOptions::default(), bddl::planning::PlacementScope::Named);
            let domain = library.bddl_domain(activity);
            match bddl::export::pddl_with_actions(
                &activity.problem,
                domain,
                activity.dialect,
                options,
                None,
                placements,
            ) {
                Ok(export) => (export.domain.len() + export.problem.len(), None),
                Err(error) => (0, named_limit(&error.to_string())),
            }
        });
        self.measure("planning task", || {
            let task = bddl::planning::PlanningTask::new(
                &activity.problem,
                library.bddl_domain(activity),
                activity.dialect,
                None,
            );
            named_limit(&task.err()?.to_string())
        });
        if let (Some(world), Some(goal)) = (&program.world, &activity.goal) {
            self.measure("compile", || {
                named_limit(&monitor::goal::CompiledGoal::new(world.clone(), goal).err()?.to_string())
            });
        }
    }

    fn resource(&mut self, resource: &ResourceProgram) {
        let (Some(ast), Some(playable)) = (&resource.ast, &resource.playable) else { return };
        self.unlimited("describe", || goalspec_rgg::describe::describe(ast, &playable.game));
        self.measure("play", || {
            let registry = goalspec::resource::custom::ResultRegistry::default();
            named_limit(&resource::play(&playable.game, &registry, 1, MAX_TURNS).err()?.to_string())
        });
    }

    fn reward(&mut self, reward: &RewardProgram) {
        self.unlimited("describe", || reward.describe());
        let (Some(program), Some(world)) = (&reward.program, &reward.world) else { return };
        let Some(Ok(entry)) = reward.entry(world) else { return };
        self.unlimited("terms", || Terms::of(reward.source(), &entry.function));
        let scene: Vec<SceneObject> = (0..world.scene().screen_classes.len().min(4))
            .map(|class| SceneObject {
                position: (7, 9),
                size: (4, 4),
                visible: true,
                ..world.scene().new_object(class as u16)
            })
            .collect();
        self.measure("call, reference machine", || {
            let mut machine = Machine::new(program.clone(), world.scene().clone(), BUDGET).ok()?;
            exhausted(&machine.call(&entry.function, &scene).err()?)
        });
        self.measure("call, fast engine", || {
            let compiled =
                CompiledFunction::new(program.clone(), world.scene().clone(), &entry.function, BUDGET).ok()?;
            exhausted(compiled.instance().call(&scene).err()?.as_ref())
        });
        self.measure("compile", || {
            let compiled =
                CompiledFunction::new(program.clone(), world.scene().clone(), &entry.function, BUDGET).ok()?;
            compiled.compile().is_err().then_some("machine code")
        });
    }
}

/// Returns the name of the budget if the error is its exhaustion.
fn exhausted(error: &CallError) -> Option<&'static str> {
    matches!(error, CallError::Exhausted { .. }).then_some("the budget of calls")
}

/// Scores a game over a play of its world; returns the limit that stopped it.
fn score(program: &Program, options: &ScoringOptions) -> Option<&'static str> {
    let world = program.world.as_ref()?;
    let (_, play) = PLAYS.iter().find(|(name, _)| *name == world.name())?;
    let input = TraceInput::Bytes("play".into(), Arc::from(*play));
    let result = scoring::score(&[program], &input, options, &|_| ());
    limit_of(&result.diagnostics)
        .or_else(|| result.outcomes.iter().find_map(|outcome| named_limit(&outcome.report.score().err()?.to_string())))
}
