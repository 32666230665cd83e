//! Lanes: the progress of single bindings of preferences over the states of a trace, and the states in which conditions hold.
//!
//! The fast engine's [`LaneRecorder`] observes all bindings in the pass that scores them. For the best lanes of each preference, a second
//! pass evaluates every condition and finds the states that each operator takes in each satisfaction.

use std::sync::Arc;

use goalspec_core::automaton::PhaseInterval;
use goalspec_core::budget::BUDGET_OPTION;
use goalspec_core::ids::ObjectId;
use goalspec_core::playback::Playback;
use goalspec_core::program::{Game, Goal, Preference};
use goalspec_core::state::Delta;
use goalspec_core::truth::{BindingTruth, MAX_TRUTH_RUNS, RecordedBinding, StateRuns, TruthRecorder};
use goalspec_core::work::WorkBudget;
use goalspec_core::world::World;
use goalspec_monitor::{CompiledGame, GameRun, Lane, LaneRecorder, MAX_LANE_EVENTS};
use goalspec_syntax::Diagnostic;
use goalspec_trace::TraceReader;

use crate::monitoring::ProgramRun;
use crate::report::{ProgramReport, ProgramVerdict};
use crate::scoring::{Pass, ProgramOutcome};

/// The lanes of a program over a trace.
#[derive(Debug, Clone)]
pub enum ProgramLanes {
    /// The lanes of a game.
    Game(GameLanes),
    /// The truth of an activity's goal.
    Goal(GoalLanes),
}

/// The lanes of the preferences of a game.
#[derive(Debug, Clone)]
pub struct GameLanes {
    /// The states in which the setup holds; `None` if the second pass was not completed, for a reason in the remarks of the report.
    pub setup: Option<StateRuns>,
    /// The lanes of each preference, in order of definition.
    pub preferences: Vec<PreferenceLanes>,
    /// The state, counted from 1, from which on no progress is recorded, because there are more than [`MAX_LANE_EVENTS`] events.
    pub stopped: Option<u64>,
}

/// The lanes of one preference.
#[derive(Debug, Clone)]
pub struct PreferenceLanes {
    /// The preference.
    pub preference: Arc<Preference>,
    /// For each level of a [`Lane`], from the first, the index of the operator of its position.
    pub level_operators: Vec<usize>,
    /// The number of bindings, without those that could not begin in any state.
    pub bindings: u64,
    /// The number of bindings that had an attempt or a satisfaction.
    pub begun: u64,
    /// The listed lanes: satisfied ones first, then by the furthest level, the earliest beginning and the binding.
    pub lanes: Vec<BindingLane>,
}

/// The lane of one binding.
#[derive(Debug, Clone)]
pub struct BindingLane {
    /// The variables and the objects bound to them, external ones first.
    pub binding: Vec<(Arc<str>, ObjectId)>,
    /// The levels, satisfactions and breaks of the binding by itself. Under `forall`, these are not yet satisfactions of the preference.
    pub lane: Lane,
    /// For each satisfaction of the lane, the states of its operators; `None` if the pattern has no operators, or without a second pass.
    pub divisions: Vec<Option<Vec<PhaseInterval>>>,
    /// For each of the [`pattern_conditions`](goalspec_core::truth::pattern_conditions) of the preference, the states in which it holds;
    /// `None` if the second pass was not completed.
    pub conditions: Option<Vec<StateRuns>>,
}

/// The states in which an activity's goal and its conjuncts hold.
#[derive(Debug, Clone)]
pub struct GoalLanes {
    /// The goal.
    pub definition: Arc<Goal>,
    /// The states in which the goal holds.
    pub goal: StateRuns,
    /// For each conjunct, the states in which it holds.
    pub conjuncts: Vec<StateRuns>,
}

/// The observer of a run.
#[derive(Debug, Clone)]
pub(crate) enum RunRecorder {
    Game(LaneRecorder, Arc<CompiledGame>),
    Goal(GoalLanes),
}

impl RunRecorder {
    /// Prepares a run to be observed, before its first state; `None` if its engine cannot be.
    pub(crate) fn new(run: &mut ProgramRun) -> Option<Self> {
        if let Some(run) = run.fast_game_mut() {
            run.log_matches();
            let compiled = Arc::clone(run.compiled());
            return Some(Self::Game(LaneRecorder::new(&compiled), compiled));
        }
        let goal = run.goal()?;
        Some(Self::Goal(GoalLanes {
            definition: Arc::clone(goal),
            goal: StateRuns::default(),
            conjuncts: vec![StateRuns::default(); goal.conjuncts.len()],
        }))
    }

    /// Records a state with its verdict.
    pub(crate) fn record(&mut self, run: &ProgramRun, state: u64, verdict: &ProgramVerdict) {
        match (self, verdict) {
            (Self::Goal(lanes), ProgramVerdict::Goal { verdict, .. }) => {
                if verdict.satisfied {
                    lanes.goal.push(state);
                }
                verdict.conjuncts.ones().for_each(|conjunct| lanes.conjuncts[conjunct].push(state));
            }
            (recorder, _) => recorder.finish(run),
        }
    }

    /// Records the end of a run, which may change the verdict on the last state of a game.
    pub(crate) fn finish(&mut self, run: &ProgramRun) {
        if let (Self::Game(recorder, _), Some(run)) = (self, run.fast_game()) {
            recorder.record(run);
        }
    }
}

/// A game whose conditions the second pass evaluates.
struct OpenGame<'a> {
    outcome: &'a mut ProgramOutcome,
    game: Arc<Game>,
    lanes: GameLanes,
}

/// Fills in the lanes of the outcomes of one pass, at most `limit` for each preference. The recorders have the places of their outcomes.
pub(crate) fn fill_in(
    pass: &Pass<'_>,
    world: &Arc<World>,
    limit: usize,
    recorders: Vec<(usize, RunRecorder)>,
    outcomes: &mut [ProgramOutcome],
) -> Result<(), Box<Diagnostic>> {
    let mut recorders: Vec<Option<RunRecorder>> = {
        let mut places: Vec<Option<RunRecorder>> = outcomes.iter().map(|_| None).collect();
        for (place, recorder) in recorders {
            places[place] = Some(recorder);
        }
        places
    };
    let mut games = Vec::new();
    for (outcome, recorder) in outcomes.iter_mut().zip(&mut recorders) {
        match recorder.take() {
            Some(RunRecorder::Goal(lanes)) => outcome.lanes = Some(Box::new(ProgramLanes::Goal(lanes))),
            Some(RunRecorder::Game(recorder, compiled)) => {
                let game = Arc::clone(compiled.game());
                games.push(OpenGame { outcome, lanes: listed(&recorder, &compiled, limit), game });
            }
            None => {}
        }
    }
    evaluate_conditions(pass, world, &mut games)?;
    for OpenGame { outcome, lanes, .. } in games {
        if let (Some(state), ProgramReport::Game(report)) = (lanes.stopped, &mut outcome.report) {
            report.remarks.push(format!(
                "progress is recorded up to state {}: the lanes exceed the limit of {MAX_LANE_EVENTS} events",
                state.saturating_sub(1)
            ));
        }
        outcome.lanes = Some(Box::new(ProgramLanes::Game(lanes)));
    }
    Ok(())
}

/// Returns the lanes of a run, at most `limit` for each preference.
fn listed(recorder: &LaneRecorder, compiled: &CompiledGame, limit: usize) -> GameLanes {
    let preferences = compiled.game().preferences.iter().enumerate().map(|(index, preference)| {
        let all = recorder.lanes(index);
        let variables = preference.external.iter().chain(&preference.inner);
        let names: Vec<&Arc<str>> = variables.map(|&variable| &preference.scope.get(variable).name).collect();
        let lane = |&(binding, lane): &(usize, &Lane)| BindingLane {
            binding: names.iter().map(|&name| name.clone()).zip(compiled.binding_objects(index, binding)).collect(),
            lane: lane.clone(),
            divisions: vec![None; lane.satisfied.len()],
            conditions: None,
        };
        PreferenceLanes {
            preference: Arc::clone(preference),
            level_operators: compiled.level_phases(index),
            bindings: compiled.binding_count(index),
            begun: all.len() as u64,
            lanes: all.iter().take(limit).map(lane).collect(),
        }
    });
    GameLanes { setup: None, preferences: preferences.collect(), stopped: recorder.stopped().map(u64::from) }
}

/// Evaluates the conditions of the listed lanes of all games, in one pass over the trace.
fn evaluate_conditions(pass: &Pass<'_>, world: &Arc<World>, games: &mut [OpenGame<'_>]) -> Result<(), Box<Diagnostic>> {
    let cores: Vec<Arc<Game>> = games.iter().map(|open| Arc::clone(&open.game)).collect();
    let mut recorders: Vec<TruthRecorder<'_>> = Vec::new();
    for (open, game) in games.iter().zip(&cores) {
        let states = open.outcome.report.states();
        let recorder = TruthRecorder::new(world, game, states, recorded_bindings(&open.lanes));
        recorder.work().set_limit(pass.options.budget.limit(states));
        recorders.push(recorder);
    }
    let source = pass.input.open()?;
    let mut reader = source.read(world, pass.read)?;
    let mut playback = Playback::new(world.clone());
    let mut delta = Delta::default();
    while recorders.iter().any(|recorder| !recorder.done())
        && !pass.options.is_cancelled()
        && reader.next(&mut delta)?
    {
        playback.advance(&delta);
        // A recorder determines the last state from the report.
        let step = playback.update(&delta, false);
        recorders.iter_mut().filter(|recorder| !recorder.done()).for_each(|recorder| recorder.step(&step));
    }
    for (open, recorder) in games.iter_mut().zip(recorders) {
        add_conditions(open, recorder);
    }
    Ok(())
}

fn recorded_bindings(lanes: &GameLanes) -> Vec<RecordedBinding> {
    let of_preference = |(preference, lanes): (usize, &PreferenceLanes)| {
        let objects = |lane: &BindingLane| lane.binding.iter().map(|&(_, object)| object).collect();
        lanes.lanes.iter().map(|lane| RecordedBinding { preference, objects: objects(lane) }).collect::<Vec<_>>()
    };
    lanes.preferences.iter().enumerate().flat_map(of_preference).collect()
}

/// Adds the truth of the conditions to the lanes of a game, and the states of the operators; or a remark that they exceed a limit.
fn add_conditions(open: &mut OpenGame<'_>, recorder: TruthRecorder<'_>) {
    let limit = recorder.work().limit();
    let work = WorkBudget::with_limit(limit);
    work.spend(recorder.work().spent());
    let mut reason = recorder.is_full().then(|| format!("the limit of {MAX_TRUTH_RUNS} runs of states"));
    let (setup, columns) = recorder.finish();
    let mut columns = columns.into_iter();
    for preference in &mut open.lanes.preferences {
        for (lane, truth) in preference.lanes.iter_mut().zip(&mut columns) {
            divide(&preference.preference, lane, &setup, truth, &work);
        }
    }
    if work.is_exceeded() {
        reason = Some(format!("the budget of {limit} units of work, which `{BUDGET_OPTION} none` lifts"));
    }
    match reason {
        None => open.lanes.setup = Some(setup),
        Some(reason) => {
            for lane in open.lanes.preferences.iter_mut().flat_map(|preference| &mut preference.lanes) {
                lane.conditions = None;
                lane.divisions.fill(None);
            }
            if let ProgramReport::Game(report) = &mut open.outcome.report {
                report.remarks.push(format!("the conditions of lanes are left out: their evaluation exceeds {reason}"));
            }
        }
    }
}

fn divide(preference: &Preference, lane: &mut BindingLane, setup: &StateRuns, truth: BindingTruth, work: &WorkBudget) {
    for (&(start, end), division) in lane.lane.satisfied.iter().zip(&mut lane.divisions) {
        *division = truth.division(&preference.pattern, setup, (u64::from(start), u64::from(end)), work);
    }
    lane.conditions = Some(truth.conditions);
}

impl ProgramRun {
    /// Returns the run of the fast engine, if it runs a game.
    fn fast_game(&self) -> Option<&GameRun> {
        match self {
            Self::Game(run) => run.fast(),
            Self::Goal(_) => None,
        }
    }

    fn fast_game_mut(&mut self) -> Option<&mut GameRun> {
        match self {
            Self::Game(run) => run.fast_mut(),
            Self::Goal(_) => None,
        }
    }
}
