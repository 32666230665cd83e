//! Execution of one program over the states of a trace: a [`ProgramVerdict`] on each state and a [`ProgramReport`] at the end.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use goalspec_bddl::notation::BddlNotation;
use goalspec_core::evaluate::Context;
use goalspec_core::explain;
use goalspec_core::goal::{GoalInterpreter, GoalMonitor, GoalReport, GoalVerdict};
use goalspec_core::interpret::GameInterpreter;
use goalspec_core::monitor::{self, ElapsedTime, Evidence, GameReport, Monitor, MonitorError, ScoreError, StateUpdate};
use goalspec_core::program::{Game, Goal};
use goalspec_core::score::uses_total_time;
use goalspec_core::state::State;
use goalspec_core::work::WorkBudget;
use goalspec_core::world::World;
use goalspec_game::reference::RewardMachine;
use goalspec_monitor::goal::CompiledGoal;
use goalspec_monitor::{CompileLimits, CompiledGame};

use crate::limits;
use crate::program::{Activity, Program, ProgramContent};
use crate::progress::{Progress, ProgressMeter};
use crate::scoring::{Engine, ScoringOptions, Semantics};

/// The verdict of a program on one state.
#[derive(Debug, Clone)]
pub enum ProgramVerdict {
    /// The verdict of a game.
    Game(monitor::Verdict),
    /// The verdict of a goal.
    Goal {
        /// The truth values of the goal and its conjuncts in this state.
        verdict: GoalVerdict,
        /// The fraction of the goal that is reached, from 0 to 1.
        progress: f64,
        /// The change in progress since the previous state; in the first state, the progress itself.
        reward: f64,
    },
}

impl ProgramVerdict {
    /// Returns the reward of the state.
    pub fn reward(&self) -> f64 {
        match self {
            Self::Game(verdict) => verdict.reward,
            Self::Goal { reward, .. } => *reward,
        }
    }

    /// Whether later states cannot change the result. Always `false` for goals.
    pub fn done(&self) -> bool {
        match self {
            Self::Game(verdict) => verdict.done,
            Self::Goal { .. } => false,
        }
    }
}

/// The result of a program over a whole trace.
#[derive(Debug, Clone)]
pub enum ProgramReport {
    /// The report of a game, with its score.
    Game(GameReport),
    /// The result of a goal.
    Goal(GoalScoreReport),
}

impl ProgramReport {
    /// Returns the number of states seen.
    pub fn states(&self) -> u64 {
        match self {
            Self::Game(report) => report.states,
            Self::Goal(judgement) => judgement.report.states,
        }
    }

    /// Returns the score. The score of a goal is the fraction of it that is reached in the last state.
    ///
    /// # Errors
    /// If there is no score: there were no states, the setup was never met, or the evaluation failed or was stopped.
    pub fn score(&self) -> Result<f64, &ScoreError> {
        match self {
            Self::Game(report) => report.score.as_ref().copied(),
            Self::Goal(GoalScoreReport { missing_score: Some(error), .. }) => Err(error),
            Self::Goal(judgement) if judgement.report.states == 0 => Err(&ScoreError::NoStates),
            Self::Goal(judgement) => Ok(judgement.progress.fraction),
        }
    }

    /// Returns the judgement of a game that was stopped in a state for this reason.
    pub(crate) fn stopped_game(state: u64, setup_met: bool, reason: String) -> Self {
        Self::Game(GameReport {
            score: Err(ScoreError::Undefined(reason.into())),
            states: state,
            setup_met,
            terminal: None,
            preferences: Vec::new(),
            remarks: Vec::new(),
        })
    }

    /// Returns remarks on the parts that were left out or could not be evaluated, as text.
    pub fn remarks(&self) -> &[String] {
        match self {
            Self::Game(report) => &report.remarks,
            Self::Goal(judgement) => &judgement.remarks,
        }
    }
}

/// The result of a goal over a whole trace.
#[derive(Debug, Clone)]
pub struct GoalScoreReport {
    /// The states in which the goal and its conjuncts held.
    pub report: GoalReport,
    /// The progress towards the goal in the last state.
    pub progress: Progress,
    /// The score of the BEHAVIOR challenge: 1 if the goal holds in the last state; otherwise the largest fraction, over the
    /// options of the goal, of literals that hold in the last state but did not hold in the first. `None` without states, and if
    /// the options of the goal are not known well enough.
    pub challenge_score: Option<f64>,
    /// The atoms that determine the value of each conjunct in the last state; empty unless [`ScoringOptions::explain`] is set.
    pub evidence: Vec<Vec<Evidence>>,
    /// Remarks on deviations from the usual measure of progress, as text.
    pub remarks: Vec<String>,
    /// The reason for a missing score, if the run was stopped before its end.
    pub missing_score: Option<ScoreError>,
}

pub(crate) struct PreparedGoal<'w> {
    world: &'w World,
    goal: &'w Goal,
    compiled: Option<CompiledGoal<'w>>,
    meter: ProgressMeter,
}

/// A program prepared for any number of runs.
pub(crate) enum PreparedProgram<'w> {
    /// A game under the definition of the language, for either engine.
    Game { world: &'w World, game: &'w Game, compiled: Option<Arc<CompiledGame<'w>>> },
    /// A game for the authors' reward machine.
    Reference { world: &'w World, game: &'w goalspec_game::ast::Game },
    /// A goal for either engine.
    Goal(Box<PreparedGoal<'w>>),
}

impl<'w> PreparedProgram<'w> {
    /// Prepares a program; `None` if it has errors.
    pub(crate) fn new(
        program: &'w Program,
        world: &'w World,
        options: &ScoringOptions,
    ) -> Result<Option<Self>, MonitorError> {
        Self::with_work_limit(program, world, options, u64::MAX)
    }

    /// Prepares a program with at most `work` units of work; `None` if it has errors.
    pub(crate) fn with_work_limit(
        program: &'w Program,
        world: &'w World,
        options: &ScoringOptions,
        work: u64,
    ) -> Result<Option<Self>, MonitorError> {
        let limits = CompileLimits { work, ..CompileLimits::default() };
        let fast = options.engine == Engine::Fast;
        Ok(match &program.content {
            ProgramContent::Game(game) if options.semantics == Semantics::Reference => {
                game.is_parsed.then_some(Self::Reference { world, game: &game.ast })
            }
            ProgramContent::Game(program) => match &program.game {
                Some(game) => {
                    let compiled =
                        if fast { Some(Arc::new(CompiledGame::with_limits(world, game, &limits)?)) } else { None };
                    Some(Self::Game { world, game, compiled })
                }
                None => None,
            },
            ProgramContent::Activity(activity @ Activity { goal: Some(goal), .. }) => {
                let compiled = if fast { Some(CompiledGoal::new(world, goal)?) } else { None };
                Some(Self::Goal(Box::new(PreparedGoal {
                    world,
                    goal,
                    compiled,
                    meter: ProgressMeter::new(activity, world),
                })))
            }
            ProgramContent::Activity(_)
            | ProgramContent::Resource(_)
            | ProgramContent::Planning(_)
            | ProgramContent::Reward(_) => None,
        })
    }

    /// Starts a run before the first state.
    pub(crate) fn start(&self, options: &ScoringOptions) -> Result<Runner<'_>, MonitorError> {
        Ok(match self {
            Self::Game { world, game, compiled } => {
                let explain = options.explain;
                let monitor: Box<dyn Monitor> = match compiled {
                    Some(compiled) => Box::new(compiled.start(goalspec_monitor::RunOptions { explain })),
                    None => Box::new(GameInterpreter::new(world, game)?),
                };
                Runner::Game(GameRunner {
                    monitor,
                    clock: uses_total_time(game).then(ElapsedTime::default),
                    setup_held: false,
                })
            }
            Self::Reference { world, game } => Runner::Game(GameRunner {
                monitor: Box::new(RewardMachine::new(game, world)),
                clock: None,
                setup_held: false,
            }),
            Self::Goal(prepared) => {
                let PreparedGoal { world, goal, compiled, meter } = &**prepared;
                let monitor: Box<dyn GoalMonitor> = match compiled {
                    Some(compiled) => Box::new(compiled.start()),
                    None => Box::new(GoalInterpreter::new(world, goal)),
                };
                Runner::Goal(Box::new(GoalRunner {
                    world,
                    goal,
                    monitor,
                    meter,
                    progress: 0.0,
                    first: None,
                    explain: options.explain,
                }))
            }
        })
    }
}

/// A run of a program.
pub(crate) enum Runner<'r> {
    Game(GameRunner<'r>),
    Goal(Box<GoalRunner<'r>>),
}

impl Runner<'_> {
    pub(crate) fn step(&mut self, step: &StateUpdate<'_>) -> ProgramVerdict {
        match self {
            Self::Game(runner) => ProgramVerdict::Game(runner.step(step)),
            Self::Goal(runner) => runner.step(step),
        }
    }

    pub(crate) fn finish(&mut self, state: &State) -> ProgramReport {
        match self {
            Self::Game(runner) => ProgramReport::Game(runner.finish(state)),
            Self::Goal(runner) => ProgramReport::Goal(runner.finish(state)),
        }
    }

    /// Returns the work counter of the run, with its limit.
    pub(crate) fn work(&self) -> &WorkBudget {
        match self {
            Self::Game(runner) => runner.monitor.work(),
            Self::Goal(runner) => runner.monitor.work(),
        }
    }

    /// Returns the judgement of a run that was stopped in a state for this reason. It has no score and no findings.
    pub(crate) fn stopped(&self, state: u64, reason: String) -> ProgramReport {
        match self {
            Self::Game(runner) => ProgramReport::stopped_game(state, runner.setup_held, reason),
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
}

pub(crate) struct GameRunner<'r> {
    monitor: Box<dyn Monitor + 'r>,
    /// The elapsed time of the trace, if the game asks for it.
    clock: Option<ElapsedTime>,
    /// Whether the setup has held in a state.
    setup_held: bool,
}

impl GameRunner<'_> {
    fn step(&mut self, step: &StateUpdate<'_>) -> monitor::Verdict {
        if let Some(clock) = &mut self.clock {
            clock.advance(step.time);
        }
        let verdict = self.monitor.step(step);
        self.setup_held |= verdict.setup_holds && !self.monitor.work().is_exceeded();
        verdict
    }

    /// Returns the report. If the game asks for the time, a remark names the unit that was counted.
    fn finish(&mut self, state: &State) -> GameReport {
        let mut report = self.monitor.finish(state);
        let counted = self.clock.as_ref().map(|clock| match clock.seconds() {
            Some(_) => "`(total-time)` is in seconds, from the trace",
            None => "`(total-time)` is in states: the first state of the trace has no time",
        });
        report.remarks.extend(counted.map(str::to_owned));
        // Engines do not know the command-line options.
        if let Err(ScoreError::Undefined(reason)) = &mut report.score
            && let Some(remedy) = limits::remedy_of(reason)
        {
            *reason = format!("{reason}; {remedy}").into();
        }
        report
    }
}

pub(crate) struct GoalRunner<'r> {
    world: &'r World,
    goal: &'r Goal,
    monitor: Box<dyn GoalMonitor + 'r>,
    meter: &'r ProgressMeter,
    progress: f64,
    /// The truth values of the goal's atoms in the first state.
    first: Option<Vec<bool>>,
    explain: bool,
}

impl GoalRunner<'_> {
    fn step(&mut self, step: &StateUpdate<'_>) -> ProgramVerdict {
        let verdict = self.monitor.step(step).clone();
        self.first.get_or_insert_with(|| self.meter.atom_values(step.state));
        let before = std::mem::replace(&mut self.progress, self.meter.progress(&verdict, step.state).fraction);
        ProgramVerdict::Goal { progress: self.progress, reward: self.progress - before, verdict }
    }

    fn finish(&mut self, state: &State) -> GoalScoreReport {
        let report = self.monitor.finish(state);
        let progress = self.meter.progress(&report.last, state);
        let challenge = self.first.as_ref().and_then(|first| self.meter.challenge(&report.last, first, state));
        let reasons = if self.explain { self.reasons(&report, state) } else { Vec::new() };
        let remarks = self.meter.remarks(state, self.first.is_some() && challenge.is_none());
        GoalScoreReport {
            report,
            progress,
            challenge_score: challenge,
            evidence: reasons,
            remarks,
            missing_score: None,
        }
    }

    fn reasons(&self, report: &GoalReport, state: &State) -> Vec<Vec<Evidence>> {
        let nothing = FixedBitSet::new();
        let ctx = Context {
            world: self.world,
            state,
            first: report.states == 1,
            last: true,
            setup_objects: &nothing,
            work: None,
        };
        explain::explain_goal(&ctx, self.goal, &BddlNotation)
    }
}
