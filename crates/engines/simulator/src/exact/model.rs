//! The reachable states of a game, and the transitions between them.

use std::collections::{HashMap, HashSet};

use goalspec_resource::game::TeamId;
use goalspec_resource::random::RandomStream;
use goalspec_resource::turn::{GameError, Move};
use rustc_hash::FxBuildHasher;

use super::draws;
use super::error::{AnalysisError, DrawLocation};
use super::key::{Key, ValueNumbering};
use super::team_policy::{PolicyModel, TeamPolicy};
use crate::draws::computation_draws;
use crate::simulator::Simulator;
use crate::state::State;

/// The size limits of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelLimits {
    /// The maximum number of states.
    pub states: usize,
    /// The maximum number of transitions; also the maximum number of outcomes of a decision before equal states are merged.
    pub transitions: usize,
    /// The maximum total size of states, keys and transitions in bytes, without shared strings.
    pub bytes: usize,
    /// The maximum number of turns. States that are not reachable in fewer turns have no decisions, so the model may be finite
    /// where the game is not. `None` for no limit.
    pub turns: Option<u32>,
}

impl Default for ModelLimits {
    fn default() -> Self {
        Self { states: 1_000_000, transitions: 10_000_000, bytes: 2 << 30, turns: None }
    }
}

/// The number of states expanded between two progress reports.
const PROGRESS_INTERVAL: usize = 1024;

/// The reachable states of a game in the order of a breadth-first search, beginning with the initial state.
///
/// The model is a Markov decision process. In a state where a team without a plan is to move, there is one decision for each of
/// its moves; in other states where the game continues there is one decision. A decision leads to states with probabilities.
#[derive(Debug)]
pub struct Model {
    pub(crate) simulator: Simulator,
    pub(crate) states: Vec<State>,
    pub(crate) over: Vec<bool>,
    /// The index of the first decision of each state, followed by the total number of decisions.
    pub(crate) first: Vec<u32>,
    pub(crate) decisions: Vec<DecisionArm>,
    pub(crate) transitions: Vec<(u32, f64)>,
    /// For each team without a plan, its moves.
    pub(crate) moves: Vec<Option<Vec<Move>>>,
    /// The [limit of turns](ModelLimits::turns) of the exploration.
    pub(crate) turns: Option<u32>,
}

/// A decision in a state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DecisionArm {
    /// The index of the move among those of the team; `None` if the move is not free to choose.
    pub(crate) place: Option<u32>,
    /// The range of its transitions.
    pub(crate) range: [u32; 2],
}

impl Model {
    /// Explores a game with a plan for each team, in the order of the teams.
    ///
    /// # Errors
    /// If the game has no finite model under these plans, or only one that exceeds the limits.
    pub fn explore(simulator: &Simulator, plans: &[TeamPolicy], limits: ModelLimits) -> Result<Self, AnalysisError> {
        Self::explore_with_progress(simulator, plans, limits, &mut |_| {})
    }

    /// Explores a game as [`explore`](Self::explore) does; `progress` periodically receives the number of states found so far.
    ///
    /// # Errors
    /// As [`explore`](Self::explore).
    pub fn explore_with_progress(
        simulator: &Simulator,
        plans: &[TeamPolicy],
        limits: ModelLimits,
        progress: &mut dyn FnMut(usize),
    ) -> Result<Self, AnalysisError> {
        let teams = &simulator.game().teams;
        if teams.len() != plans.len() {
            return Err(AnalysisError::PlanCount { expected: teams.len(), found: plans.len() });
        }
        if let Some(team) = teams.iter().find(|team| team.reward.as_ref().is_some_and(computation_draws)) {
            return Err(AnalysisError::UnsupportedDraw(DrawLocation::Reward(team.name.clone())));
        }
        let players = plans.iter().enumerate().map(|(team, plan)| PolicyModel::new(simulator, team.into(), plan));
        let mut players: Vec<PolicyModel> = players.collect::<Result<_, _>>()?;
        let mut search = Search::new(simulator, limits);
        search.add(&mut simulator.initial_state(0, 0))?;
        let (mut at, mut turn, mut turn_ends) = (0, 0, 1);
        while at < search.model.states.len() {
            // Breadth-first search finds each state after the minimum number of turns.
            if at == turn_ends {
                (turn, turn_ends) = (turn + 1, search.model.states.len());
            }
            search.expand(at, limits.turns.is_none_or(|turns| turn < turns), &mut players)?;
            at += 1;
            if at % PROGRESS_INTERVAL == 0 {
                progress(search.model.states.len());
            }
        }
        progress(search.model.states.len());
        search.model.moves = players.into_iter().map(|player| player.is_free().then_some(player.moves)).collect();
        Ok(search.model)
    }

    /// Returns the number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there are no states; always `false`, since the initial state is one.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Returns the number of transitions.
    pub fn transitions(&self) -> usize {
        self.transitions.len()
    }

    /// Returns a state, to be queried through the [`Simulator`].
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn state(&self, index: usize) -> &State {
        &self.states[index]
    }

    /// Whether the game is over in a state.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn is_over(&self, place: usize) -> bool {
        self.over[place]
    }

    /// Whether the game would continue in a state that the [limit of turns](ModelLimits::turns) leaves without decisions.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn is_frontier(&self, place: usize) -> bool {
        !self.over[place] && self.arms(place).is_empty()
    }

    /// Returns the states with decisions.
    pub(crate) fn nonterminal_states(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(|&state| !self.arms(state).is_empty())
    }

    /// Returns the simulator of the game.
    pub fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    /// Returns the decisions of a state: for each the move, if the team to move has no plan, and the target states with their
    /// probabilities.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn decisions(&self, place: usize) -> impl Iterator<Item = (Option<&Move>, &[(u32, f64)])> {
        let moves = &self.moves[self.simulator.team(&self.states[place]).index()];
        self.arms(place).iter().map(move |arm| {
            let chosen = arm.place.and_then(|at| moves.as_ref()?.get(at as usize));
            (chosen, self.targets(*arm))
        })
    }

    pub(crate) fn arms(&self, state: usize) -> &[DecisionArm] {
        &self.decisions[self.first[state] as usize..self.first[state + 1] as usize]
    }

    /// Returns the decisions taken in a state: all of them, or only the one selected by `decisions` if there are several.
    pub(crate) fn decided(&self, state: usize, decisions: Option<&[u32]>) -> &[DecisionArm] {
        let arms = self.arms(state);
        match decisions.and_then(|decisions| arms.get(decisions[state] as usize)) {
            Some(arm) if arms.len() > 1 => std::slice::from_ref(arm),
            _ => arms,
        }
    }

    pub(crate) fn targets(&self, arm: DecisionArm) -> &[(u32, f64)] {
        &self.transitions[arm.range[0] as usize..arm.range[1] as usize]
    }

    /// Returns a team without a plan, if any.
    pub(crate) fn free_team(&self) -> Option<TeamId> {
        self.moves.iter().position(Option::is_some).map(Into::into)
    }

    /// Returns the reward of a team in a state; `None` if it is not a number or the game defines none.
    ///
    /// # Panics
    /// If the index of the state or the team is out of range.
    pub fn reward(&self, place: usize, team: TeamId) -> Option<f64> {
        self.simulator.reward(&mut self.states[place].clone(), team).ok()
    }
}

/// A breadth-first search.
struct Search {
    model: Model,
    limits: ModelLimits,
    known: HashMap<Key, u32, FxBuildHasher>,
    numbers: ValueNumbering,
    bytes: usize,
}

impl Search {
    fn new(simulator: &Simulator, limits: ModelLimits) -> Self {
        let model = Model {
            simulator: simulator.clone(),
            states: Vec::new(),
            over: Vec::new(),
            first: vec![0],
            decisions: Vec::new(),
            transitions: Vec::new(),
            moves: Vec::new(),
            turns: limits.turns,
        };
        Self { model, limits, known: HashMap::default(), numbers: ValueNumbering::default(), bytes: 0 }
    }

    /// Returns the index of a state, adding the state if it is new.
    fn add(&mut self, state: &mut State) -> Result<u32, AnalysisError> {
        let key = self.numbers.key(self.model.simulator.compiled(), state);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let place = self.model.states.len();
        if place >= self.limits.states.min(u32::MAX as usize) {
            return Err(AnalysisError::TooManyStates { limit: self.limits.states, widest: self.widest() });
        }
        state.compact(self.model.simulator.compiled());
        state.turns = 0;
        state.outside = Vec::new();
        state.overflows = Vec::new();
        self.bytes += state.bytes() + size_of_val(&*key) + size_of::<(Key, u32)>();
        self.known.insert(key, place as u32);
        self.model.states.push(state.clone());
        self.check_bytes()?;
        Ok(place as u32)
    }

    fn check_bytes(&self) -> Result<(), AnalysisError> {
        let (model, limits) = (&self.model, &self.limits);
        if model.transitions.len() > limits.transitions.min(u32::MAX as usize) {
            return Err(AnalysisError::TooManyTransitions { limit: limits.transitions });
        }
        let tables = size_of_val(&*model.transitions) + size_of_val(&*model.decisions);
        if self.bytes + self.numbers.bytes() + tables > limits.bytes {
            return Err(AnalysisError::TooManyBytes { limit: limits.bytes });
        }
        Ok(())
    }

    /// Returns the resource with the most distinct values, and their number.
    fn widest(&self) -> Option<(String, usize)> {
        let c = self.model.simulator.compiled();
        let count = |slot: u32| {
            let words: HashSet<_, FxBuildHasher> =
                self.model.states.iter().map(|state| (state.tags[slot as usize], state.words[slot as usize])).collect();
            words.len()
        };
        let slots = (0..c.slots.len() as u32).map(|slot| (count(slot), slot));
        // The first of equal maxima.
        let (count, slot) = slots.rev().max_by_key(|(count, _)| *count)?;
        Some((c.slot_name(slot), count))
    }

    /// Adds the decisions of a state, or with `recurse` unset only whether the game is over in it.
    fn expand(&mut self, at: usize, recurse: bool, players: &mut [PolicyModel]) -> Result<(), AnalysisError> {
        let mut state = self.model.states[at].clone();
        let is_over = self.model.simulator.is_over(&mut state).map_err(fails)?;
        if state.stream != RandomStream::new(0, 0) {
            return Err(AnalysisError::UnsupportedDraw(DrawLocation::Completed));
        }
        self.model.over.push(is_over);
        if recurse && !is_over {
            let team = self.model.simulator.team(&state);
            for decision in players[team.index()].decisions(&self.model.simulator, &state)? {
                let mut targets: Vec<(u32, f64)> = Vec::new();
                for (chosen, weight) in decision.mix {
                    self.follow(&state, team, &chosen, weight, &mut targets)?;
                }
                self.decide(decision.move_index, targets);
            }
            self.check_bytes()?;
        }
        self.model.first.push(self.model.decisions.len() as u32);
        Ok(())
    }

    /// Adds a decision, merging transitions to the same state.
    fn decide(&mut self, place: Option<u32>, mut targets: Vec<(u32, f64)>) {
        targets.sort_by_key(|(target, _)| *target);
        let start = self.model.transitions.len();
        for (target, weight) in targets {
            match self.model.transitions[start..].last_mut() {
                Some((last, sum)) if *last == target => *sum += weight,
                _ => self.model.transitions.push((target, weight)),
            }
        }
        let range = [start as u32, self.model.transitions.len() as u32];
        self.model.decisions.push(DecisionArm { place, range });
    }

    /// Adds all outcomes of a move to `targets`.
    fn follow(
        &mut self,
        state: &State,
        team: TeamId,
        chosen: &Move,
        weight: f64,
        targets: &mut Vec<(u32, f64)>,
    ) -> Result<(), AnalysisError> {
        let simulator = self.model.simulator.clone();
        let mut first_error = None;
        let (c, registry) = (simulator.compiled(), simulator.registry());
        let done = state.clone().for_each_outcome(c, registry, team, chosen, &mut |next, share| {
            // A reward that is not a number ends the game with an error.
            simulator.check_reward(next, team)?;
            let added = if next.stream == state.stream {
                self.add(next)
            } else {
                Err(AnalysisError::UnsupportedDraw(drawn(&simulator, team, chosen)))
            };
            match added {
                Ok(_) if targets.len() >= self.limits.transitions => {
                    first_error = Some(AnalysisError::TooManyTransitions { limit: self.limits.transitions });
                }
                Ok(place) => targets.push((place, weight * share)),
                Err(error) => first_error = Some(error),
            }
            Ok(first_error.is_none())
        });
        match first_error {
            Some(error) => Err(error),
            None => done.map(drop).map_err(fails),
        }
    }
}

fn fails(failure: GameError) -> AnalysisError {
    AnalysisError::GameFailed(Box::new(failure))
}

/// Returns the location of the draw of a move that is known to draw.
fn drawn(simulator: &Simulator, team: TeamId, chosen: &Move) -> DrawLocation {
    let game = simulator.game();
    let action = match chosen {
        Move::Choose(choice, _) => game.teams[team.index()].choices[choice.index()].action,
        Move::Pass => None,
    };
    match action {
        Some(action) => draws::of_action(&game.actions[action.index()]),
        // A pass draws nothing.
        None => DrawLocation::Policy(game.teams[team.index()].name.clone()),
    }
}
