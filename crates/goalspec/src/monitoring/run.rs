//! The run of one program over the states of a trace, by any engine.

use std::num::NonZeroU32;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use goalspec_bddl::notation::BddlNotation;
use goalspec_core::budget::Budget;
use goalspec_core::engine::Engine;
use goalspec_core::evaluate::Context;
use goalspec_core::explain;
use goalspec_core::goal::{GoalInterpreter, GoalMonitor, GoalReport};
use goalspec_core::interpret::GameInterpreter;
use goalspec_core::limits::{MAX_BINDINGS, MAX_RUN_BYTES};
use goalspec_core::monitor::{
    self, ElapsedTime, Evidence, GameMonitor, GameReport, MonitorError, ScoreError, StateUpdate,
};
use goalspec_core::program::{Game, Goal};
use goalspec_core::score::uses_total_time;
use goalspec_core::state::State;
use goalspec_core::state_part::StatePart;
use goalspec_core::work::WorkBudget;
use goalspec_core::world::World;
use goalspec_game::reference::RewardMachine;
use goalspec_monitor::goal::{CompiledGoal, GoalRun};
use goalspec_monitor::{CompileLimits, CompiledGame, GameBatch, GameFeatures, GameRun, RunOptions};

use super::features::ProgramFeatures;
use crate::limits;
use crate::program::{Activity, Program, ProgramContent};
use crate::progress::{Progress, ProgressMeter};
use crate::report::{GoalScoreReport, ProgramReport, ProgramVerdict};
use crate::scoring::{ScoringOptions, Semantics};

/// A run of a program.
#[derive(Debug, Clone)]
pub(crate) enum ProgramRun {
    Game(Box<ScoredGame>),
    Goal(Box<ScoredGoal>),
}

impl ProgramRun {
    /// Prepares a run of a program before its first state, with at most `work` units of work; `None` if the program has errors or is
    /// neither a game nor an activity.
    pub(crate) fn prepare(
        program: &Program,
        world: &Arc<World>,
        options: &ScoringOptions,
        work: u64,
    ) -> Result<Option<Self>, MonitorError> {
        Ok(match &program.content {
            ProgramContent::Game(game) if options.semantics == Semantics::Reference => game.is_parsed.then(|| {
                Self::game(GameEngine::Reference(Box::new(RewardMachine::new(&game.ast, world))), None, options)
            }),
            ProgramContent::Game(program) => match &program.game {
                Some(game) => Some(Self::game(GameEngine::new(world, game, options, work)?, Some(game), options)),
                None => None,
            },
            ProgramContent::Activity(activity @ Activity { goal: Some(goal), .. }) => {
                Some(Self::Goal(Box::new(ScoredGoal {
                    engine: match options.engine {
                        Engine::Fast => GoalEngine::Fast(CompiledGoal::new(Arc::clone(world), goal)?.start()),
                        Engine::Interpreter => {
                            GoalEngine::Interpreter(GoalInterpreter::new(Arc::clone(world), Arc::clone(goal)))
                        }
                    },
                    meter: Arc::new(ProgressMeter::new(activity, world)),
                    world: Arc::clone(world),
                    goal: Arc::clone(goal),
                    progress: 0.0,
                    held: FixedBitSet::new(),
                    first: None,
                    explain: options.explain,
                })))
            }
            ProgramContent::Activity(_)
            | ProgramContent::Resource(_)
            | ProgramContent::Planning(_)
            | ProgramContent::Reward(_) => None,
        })
    }

    fn game(engine: GameEngine, game: Option<&Arc<Game>>, options: &ScoringOptions) -> Self {
        Self::Game(Box::new(ScoredGame {
            engine,
            elapsed: game.filter(|game| uses_total_time(game)).map(|_| ElapsedTime::default()),
            game: game.cloned(),
            setup_held: false,
            setup_holds: false,
            explain: options.explain,
        }))
    }

    pub(crate) fn step(&mut self, step: &StateUpdate<'_>) -> ProgramVerdict {
        match self {
            Self::Game(run) => ProgramVerdict::Game(run.step(step)),
            Self::Goal(run) => run.step(step),
        }
    }

    pub(crate) fn finish(&mut self, state: &State) -> ProgramReport {
        match self {
            Self::Game(run) => ProgramReport::Game(run.finish(state)),
            Self::Goal(run) => ProgramReport::Goal(run.finish(state)),
        }
    }

    /// Returns the work counter of the run, with its limit.
    pub(crate) fn work(&self) -> &WorkBudget {
        match self {
            Self::Game(run) => run.engine.monitor().work(),
            Self::Goal(run) => run.engine.monitor().work(),
        }
    }

    /// Returns the report on a run that was stopped in a state for this reason. It has no score and no findings.
    pub(crate) fn stopped(&self, state: u64, reason: String) -> ProgramReport {
        match self {
            Self::Game(run) => ProgramReport::stopped_game(state, run.setup_held, reason),
            Self::Goal(_) => ProgramReport::Goal(GoalScoreReport {
                report: GoalReport { states: state, ..GoalReport::default() },
                progress: Progress::default(),
                challenge_score: None,
                evidence: Vec::new(),
                remarks: Vec::new(),
                missing_score: Some(ScoreError::Undefined(reason.into())),
            }),
        }
    }

    /// Returns the layout of the features, for episodes of at most `horizon` states.
    pub(super) fn feature_layout(&self, horizon: Option<NonZeroU32>) -> ProgramFeatures {
        match self {
            Self::Game(run) => match (&run.engine, &run.game) {
                (GameEngine::Fast(engine), _) => ProgramFeatures::Game(GameFeatures::new(engine.compiled(), horizon)),
                (_, game) => ProgramFeatures::attempts(game.as_deref()),
            },
            Self::Goal(run) => ProgramFeatures::goal(&run.goal, &run.world),
        }
    }

    /// Returns runs of many environments side by side, whose rows have columns for these parts, if the program is a game that can be run so
    /// within the budget. The run itself is before its first state.
    pub(super) fn side_by_side(&self, parts: &[StatePart], count: usize, budget: Budget) -> Option<GameBatch> {
        let Self::Game(run) = self else { return None };
        let GameEngine::Fast(engine) = &run.engine else { return None };
        let batch = GameBatch::new(engine.compiled(), parts, count).filter(|_| !run.explain)?;
        // The work of no state exceeds what the state adds to the budget.
        let per_state = budget.limit(1).saturating_sub(budget.limit(0));
        (budget == Budget::UNLIMITED || batch.work_per_state() <= per_state).then_some(batch)
    }

    /// Completes the report on a game of [runs side by side](Self::side_by_side).
    pub(super) fn completed(&self, report: GameReport) -> ProgramReport {
        match self {
            Self::Game(run) => ProgramReport::Game(run.completed(report)),
            Self::Goal(_) => ProgramReport::Game(report),
        }
    }

    /// Returns the goal of an activity.
    pub(crate) fn goal(&self) -> Option<&Arc<Goal>> {
        match self {
            Self::Game(_) => None,
            Self::Goal(run) => Some(&run.goal),
        }
    }

    pub(super) fn part_names(&self) -> Vec<String> {
        match self {
            Self::Game(run) => {
                let preferences = run.game.iter().flat_map(|game| &game.preferences);
                preferences.map(|preference| preference.name.to_string()).collect()
            }
            Self::Goal(run) => (0..run.goal.conjuncts.len()).map(|index| index.to_string()).collect(),
        }
    }

    /// Writes the features of this layout.
    pub(super) fn write_features(&self, layout: &ProgramFeatures, features: &mut [f32]) {
        assert_eq!(features.len(), layout.names().len(), "the number of features");
        match self {
            Self::Game(run) => match (&run.engine, layout) {
                (GameEngine::Fast(engine), ProgramFeatures::Game(layout)) => engine.write_features(layout, features),
                (engine, _) => {
                    features[0] = f32::from(u8::from(run.setup_holds));
                    for (feature, index) in features[1..].iter_mut().zip(layout.preferences()) {
                        *feature = engine.monitor().attempt_progress(*index) as f32;
                    }
                }
            },
            Self::Goal(run) => {
                features[0] = run.progress as f32;
                for (index, feature) in features[1..].iter_mut().enumerate() {
                    *feature = f32::from(u8::from(run.held.contains(index)));
                }
            }
        }
    }
}

/// The engine of a game.
#[derive(Debug, Clone)]
enum GameEngine {
    Fast(GameRun),
    Interpreter(GameInterpreter),
    /// The authors' reward machine.
    Reference(Box<RewardMachine>),
}

impl GameEngine {
    fn new(world: &Arc<World>, game: &Arc<Game>, options: &ScoringOptions, work: u64) -> Result<Self, MonitorError> {
        let bindings = options.max_bindings.unwrap_or(MAX_BINDINGS);
        let memory_bytes = options.max_run_bytes.unwrap_or(MAX_RUN_BYTES);
        let limits = CompileLimits { work, bindings, memory_bytes, ..CompileLimits::default() };
        Ok(match options.engine {
            Engine::Fast => {
                let compiled = CompiledGame::with_limits(Arc::clone(world), Arc::clone(game), &limits)?;
                Self::Fast(compiled.start(RunOptions { explain: options.explain }))
            }
            Engine::Interpreter => {
                Self::Interpreter(GameInterpreter::with_max_bindings(Arc::clone(world), Arc::clone(game), bindings)?)
            }
        })
    }

    fn monitor(&self) -> &dyn GameMonitor {
        match self {
            Self::Fast(run) => run,
            Self::Interpreter(run) => run,
            Self::Reference(run) => &**run,
        }
    }

    fn monitor_mut(&mut self) -> &mut dyn GameMonitor {
        match self {
            Self::Fast(run) => run,
            Self::Interpreter(run) => run,
            Self::Reference(run) => &mut **run,
        }
    }
}

/// The run of a game.
#[derive(Debug, Clone)]
pub(crate) struct ScoredGame {
    engine: GameEngine,
    /// The elapsed time of the trace, if the game asks for it.
    elapsed: Option<ElapsedTime>,
    /// The lowered game; `None` under reference semantics.
    game: Option<Arc<Game>>,
    /// Whether the setup has held in a state.
    setup_held: bool,
    /// Whether the setup holds in the latest state.
    setup_holds: bool,
    /// Whether the report has attempts.
    explain: bool,
}

impl ScoredGame {
    /// Returns the run of the fast engine, if it is the engine.
    pub(crate) fn fast(&self) -> Option<&GameRun> {
        match &self.engine {
            GameEngine::Fast(run) => Some(run),
            GameEngine::Interpreter(_) | GameEngine::Reference(_) => None,
        }
    }

    /// Returns the run of the fast engine for changes, if it is the engine.
    pub(crate) fn fast_mut(&mut self) -> Option<&mut GameRun> {
        match &mut self.engine {
            GameEngine::Fast(run) => Some(run),
            GameEngine::Interpreter(_) | GameEngine::Reference(_) => None,
        }
    }

    fn step(&mut self, step: &StateUpdate<'_>) -> monitor::Verdict {
        if let Some(elapsed) = &mut self.elapsed {
            elapsed.advance(step.time);
        }
        let verdict = self.engine.monitor_mut().step(step);
        self.setup_holds = verdict.setup_holds;
        self.setup_held |= verdict.setup_holds && !self.engine.monitor().work().is_exceeded();
        verdict
    }

    fn finish(&mut self, state: &State) -> GameReport {
        let report = self.engine.monitor_mut().finish(state);
        self.completed(report)
    }

    /// Adds to a report what engines do not know. If the game asks for the time, a remark names the unit that was counted.
    fn completed(&self, mut report: GameReport) -> GameReport {
        let unit = self.elapsed.as_ref().map(|elapsed| match elapsed.seconds() {
            Some(_) => "`(total-time)` is in seconds, from the trace",
            None => "`(total-time)` is in states: the first state of the trace has no time",
        });
        report.remarks.extend(unit.map(str::to_owned));
        if !self.explain {
            // Some engines record attempts even if they are not asked to explain.
            report.preferences.iter_mut().for_each(|preference| preference.attempt = None);
        }
        // Engines do not know the command-line options.
        if let Err(ScoreError::Undefined(reason)) = &mut report.score
            && let Some(remedy) = limits::remedy_of(reason)
        {
            *reason = format!("{reason}; {remedy}").into();
        }
        report
    }
}

/// The engine of a goal.
#[derive(Debug, Clone)]
enum GoalEngine {
    Fast(GoalRun),
    Interpreter(GoalInterpreter),
}

impl GoalEngine {
    fn monitor(&self) -> &dyn GoalMonitor {
        match self {
            Self::Fast(run) => run,
            Self::Interpreter(run) => run,
        }
    }

    fn monitor_mut(&mut self) -> &mut dyn GoalMonitor {
        match self {
            Self::Fast(run) => run,
            Self::Interpreter(run) => run,
        }
    }
}

/// The run of a goal, with its progress.
#[derive(Debug, Clone)]
pub(crate) struct ScoredGoal {
    engine: GoalEngine,
    meter: Arc<ProgressMeter>,
    world: Arc<World>,
    goal: Arc<Goal>,
    progress: f64,
    /// The conjuncts that hold in the latest state.
    held: FixedBitSet,
    /// The truth values of the goal's atoms in the first state.
    first: Option<Vec<bool>>,
    explain: bool,
}

impl ScoredGoal {
    fn step(&mut self, step: &StateUpdate<'_>) -> ProgramVerdict {
        let verdict = self.engine.monitor_mut().step(step).clone();
        self.first.get_or_insert_with(|| self.meter.atom_values(step.state));
        let previous = std::mem::replace(&mut self.progress, self.meter.progress(&verdict, step.state).fraction);
        self.held.clone_from(&verdict.conjuncts);
        ProgramVerdict::Goal { progress: self.progress, reward: self.progress - previous, verdict }
    }

    fn finish(&mut self, state: &State) -> GoalScoreReport {
        let report = self.engine.monitor_mut().finish(state);
        let progress = self.meter.progress(&report.last, state);
        self.progress = progress.fraction;
        self.held.clone_from(&report.last.conjuncts);
        let challenge = self.first.as_ref().and_then(|first| self.meter.challenge(&report.last, first, state));
        let evidence = if self.explain { self.evidence(&report, state) } else { Vec::new() };
        let remarks = self.meter.remarks(state, self.first.is_some() && challenge.is_none());
        GoalScoreReport { report, progress, challenge_score: challenge, evidence, remarks, missing_score: None }
    }

    fn evidence(&self, report: &GoalReport, state: &State) -> Vec<Vec<Evidence>> {
        let no_objects = FixedBitSet::new();
        let ctx = Context {
            world: &self.world,
            state,
            first: report.states == 1,
            last: true,
            setup_objects: &no_objects,
            work: None,
        };
        explain::explain_goal(&ctx, &self.goal, &BddlNotation)
    }
}
