//! The run of one program over the states of a trace, by any engine.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use goalspec_bddl::notation::BddlNotation;
use goalspec_core::engine::Engine;
use goalspec_core::evaluate::Context;
use goalspec_core::explain;
use goalspec_core::goal::{GoalInterpreter, GoalMonitor, GoalReport};
use goalspec_core::interpret::GameInterpreter;
use goalspec_core::monitor::{
    self, ElapsedTime, Evidence, GameMonitor, GameReport, MonitorError, ScoreError, StateUpdate,
};
use goalspec_core::pattern::Pattern;
use goalspec_core::program::{Game, Goal};
use goalspec_core::score::uses_total_time;
use goalspec_core::state::State;
use goalspec_core::work::WorkBudget;
use goalspec_core::world::World;
use goalspec_game::reference::RewardMachine;
use goalspec_monitor::goal::{CompiledGoal, GoalRun};
use goalspec_monitor::{CompileLimits, CompiledGame, GameRun, RunOptions};

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
                Self::game(GameEngine::Reference(Box::new(RewardMachine::new(&game.ast, world))), world, None, options)
            }),
            ProgramContent::Game(program) => match &program.game {
                Some(game) => {
                    Some(Self::game(GameEngine::new(world, game, options, work)?, world, Some(game), options))
                }
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

    fn game(engine: GameEngine, world: &Arc<World>, game: Option<&Arc<Game>>, options: &ScoringOptions) -> Self {
        Self::Game(Box::new(ScoredGame {
            world: Arc::clone(world),
            engine,
            elapsed: game.filter(|game| uses_total_time(game)).map(|_| ElapsedTime::default()),
            game: game.cloned(),
            setup_held: false,
            setup_holds: false,
            satisfactions: vec![0; game.map_or(0, |game| game.preferences.len())],
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

    pub(super) fn feature_count(&self) -> usize {
        match self {
            Self::Game(run) => 1 + 2 * run.satisfactions.len(),
            Self::Goal(run) => 1 + run.goal.conjuncts.len(),
        }
    }

    pub(super) fn feature_names(&self) -> Vec<String> {
        let parts = self.part_names().into_iter();
        match self {
            Self::Game(_) => {
                let of_part = |name: String| [format!("{name}.attempt"), format!("{name}.satisfactions")];
                std::iter::once("setup".to_owned()).chain(parts.flat_map(of_part)).collect()
            }
            Self::Goal(_) => {
                let conjuncts = parts.map(|index| format!("conjunct.{index}"));
                std::iter::once("progress".to_owned()).chain(conjuncts).collect()
            }
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

    pub(super) fn has_exact_features(&self) -> bool {
        match self {
            Self::Game(run) => run.game.as_ref().is_some_and(|game| {
                game.setup.is_none()
                    && !uses_total_time(game)
                    && run.world.trackers().is_empty()
                    && game.preferences.iter().all(|preference| matches!(preference.pattern, Pattern::AtEnd(_)))
            }),
            Self::Goal(run) => run.world.trackers().is_empty(),
        }
    }

    pub(super) fn features(&self, features: &mut [f32]) {
        assert_eq!(features.len(), self.feature_count(), "the number of features");
        match self {
            Self::Game(run) => {
                features[0] = f32::from(u8::from(run.setup_holds));
                for (index, pair) in features[1..].chunks_exact_mut(2).enumerate() {
                    pair[0] = run.engine.monitor().attempt_progress(index) as f32;
                    let satisfactions = run.satisfactions[index] as f32;
                    pair[1] = satisfactions / (satisfactions + 1.0);
                }
            }
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
        let limits = CompileLimits { work, ..CompileLimits::default() };
        Ok(match options.engine {
            Engine::Fast => {
                let compiled = CompiledGame::with_limits(Arc::clone(world), Arc::clone(game), &limits)?;
                Self::Fast(compiled.start(RunOptions { explain: options.explain }))
            }
            Engine::Interpreter => Self::Interpreter(GameInterpreter::new(Arc::clone(world), Arc::clone(game))?),
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
    world: Arc<World>,
    /// The elapsed time of the trace, if the game asks for it.
    elapsed: Option<ElapsedTime>,
    /// The lowered game; `None` under reference semantics.
    game: Option<Arc<Game>>,
    /// Whether the setup has held in a state.
    setup_held: bool,
    /// Whether the setup holds in the latest state.
    setup_holds: bool,
    /// The number of satisfactions of each preference so far.
    satisfactions: Vec<u64>,
    /// Whether the report has attempts.
    explain: bool,
}

impl ScoredGame {
    fn step(&mut self, step: &StateUpdate<'_>) -> monitor::Verdict {
        if let Some(elapsed) = &mut self.elapsed {
            elapsed.advance(step.time);
        }
        let verdict = self.engine.monitor_mut().step(step);
        self.setup_holds = verdict.setup_holds;
        self.setup_held |= verdict.setup_holds && !self.engine.monitor().work().is_exceeded();
        for (index, _) in &verdict.satisfied {
            if let Some(count) = self.satisfactions.get_mut(*index) {
                *count += 1;
            }
        }
        verdict
    }

    /// Returns the report. If the game asks for the time, a remark names the unit that was counted.
    fn finish(&mut self, state: &State) -> GameReport {
        let mut report = self.engine.monitor_mut().finish(state);
        for (count, preference) in self.satisfactions.iter_mut().zip(&report.preferences) {
            *count = preference.satisfactions.len() as u64 + preference.unlisted;
        }
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
