//! The reachable states of a game, and what leads from one to another.

use std::collections::{HashMap, HashSet};

use goalspec_core::resource::game::TeamId;
use goalspec_core::resource::random::Stream;
use goalspec_core::resource::turn::{Failure, Move};
use rustc_hash::FxBuildHasher;

use super::draws;
use super::key::{Key, Numbers};
use super::plan::{Plan, Player};
use super::refusal::{Draw, Refusal};
use crate::policy::greedy::compute_draws;
use crate::simulator::Simulator;
use crate::state::State;

/// How large a model may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// States.
    pub states: usize,
    /// Transitions; also how many futures a single decision may have before those that lead to the same state are put together.
    pub transitions: usize,
    /// Bytes of states, keys and transitions together, shared texts aside.
    pub bytes: usize,
    /// What cannot be reached in fewer turns is left without decisions, as if it led nowhere: a model for games of at most so many
    /// turns, which may be finite where the game is not.
    pub turns: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { states: 1_000_000, transitions: 10_000_000, bytes: 2 << 30, turns: None }
    }
}

/// How many states are looked at between two reports.
const WATCHED: usize = 1024;

/// The states that can be reached, in the order in which a search in breadth finds them; the first one is the beginning.
///
/// In a state where a team is to move that plays as it likes, there is a decision for each of its moves; in the others where the
/// game goes on there is one. A decision leads to states with probabilities.
#[derive(Debug)]
pub struct Model {
    pub(crate) simulator: Simulator,
    pub(crate) states: Vec<State>,
    pub(crate) over: Vec<bool>,
    /// Where the decisions of each state begin; one more for where the last ones end.
    pub(crate) first: Vec<u32>,
    pub(crate) decisions: Vec<Arm>,
    pub(crate) transitions: Vec<(u32, f64)>,
    /// For each team that plays as it likes, its moves.
    pub(crate) moves: Vec<Option<Vec<Move>>>,
    /// The [limit of turns](Limits::turns) that it was explored with.
    pub(crate) turns: Option<u32>,
}

/// A decision of a state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arm {
    /// The place of the move among those of the team; `None` where there is nothing to decide.
    pub(crate) place: Option<u32>,
    /// Its transitions.
    pub(crate) range: [u32; 2],
}

impl Model {
    /// Explores a game. There is a plan for each team, in the order of the teams.
    ///
    /// # Errors
    /// If the game has no finite model under these plans, or only a larger one; the refusal says why.
    pub fn explore(simulator: &Simulator, plans: &[Plan], limits: Limits) -> Result<Self, Refusal> {
        Self::explore_watched(simulator, plans, limits, &mut |_| {})
    }

    /// As [`explore`](Self::explore); `watch` hears now and then how many states there are so far.
    ///
    /// # Errors
    /// Likewise.
    pub fn explore_watched(
        simulator: &Simulator,
        plans: &[Plan],
        limits: Limits,
        watch: &mut dyn FnMut(usize),
    ) -> Result<Self, Refusal> {
        let teams = &simulator.game().teams;
        if teams.len() != plans.len() {
            return Err(Refusal::Plans { expected: teams.len(), found: plans.len() });
        }
        if let Some(team) = teams.iter().find(|team| team.reward.as_ref().is_some_and(compute_draws)) {
            return Err(Refusal::Draw(Draw::Reward(team.name.clone())));
        }
        let players = plans.iter().enumerate().map(|(team, plan)| Player::new(simulator, team.into(), plan));
        let mut players: Vec<Player> = players.collect::<Result<_, _>>()?;
        let mut search = Search::new(simulator, limits);
        search.add(&mut simulator.start(0, 0))?;
        let (mut at, mut turn, mut turn_ends) = (0, 0, 1);
        while at < search.model.states.len() {
            // Who is found in breadth is found in as few turns as can be.
            if at == turn_ends {
                (turn, turn_ends) = (turn + 1, search.model.states.len());
            }
            search.expand(at, limits.turns.is_none_or(|turns| turn < turns), &mut players)?;
            at += 1;
            if at % WATCHED == 0 {
                watch(search.model.states.len());
            }
        }
        watch(search.model.states.len());
        search.model.moves = players.into_iter().map(|player| player.is_free().then_some(player.moves)).collect();
        Ok(search.model)
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there are none: never, as the beginning is one.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// How many transitions there are.
    pub fn transitions(&self) -> usize {
        self.transitions.len()
    }

    /// A state, to be asked through the [`Simulator`].
    ///
    /// # Panics
    /// If there is none at this place.
    pub fn state(&self, place: usize) -> &State {
        &self.states[place]
    }

    /// Whether the game is over in a state.
    ///
    /// # Panics
    /// If there is none at this place.
    pub fn is_over(&self, place: usize) -> bool {
        self.over[place]
    }

    /// Whether the game would go on in a state, but the [limit of turns](Limits::turns) leaves it without decisions.
    ///
    /// # Panics
    /// If there is none at this place.
    pub fn is_cut(&self, place: usize) -> bool {
        !self.over[place] && self.arms(place).is_empty()
    }

    /// The states where there is something to decide, or the game at least goes on.
    pub(crate) fn going_on(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(|&state| !self.arms(state).is_empty())
    }

    /// The simulator of the game.
    pub fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    /// What a state has for decisions: for each the move, where the team to move plays as it likes, and where it leads.
    ///
    /// # Panics
    /// If there is no state at this place.
    pub fn decisions(&self, place: usize) -> impl Iterator<Item = (Option<&Move>, &[(u32, f64)])> {
        let moves = &self.moves[self.simulator.team(&self.states[place]).index()];
        self.arms(place).iter().map(move |arm| {
            let chosen = arm.place.and_then(|at| moves.as_ref()?.get(at as usize));
            (chosen, self.targets(*arm))
        })
    }

    pub(crate) fn arms(&self, state: usize) -> &[Arm] {
        &self.decisions[self.first[state] as usize..self.first[state + 1] as usize]
    }

    /// The decisions that are taken in a state: all that there are, or the one among several that is given for it.
    pub(crate) fn decided(&self, state: usize, decisions: Option<&[u32]>) -> &[Arm] {
        let arms = self.arms(state);
        match decisions.and_then(|decisions| arms.get(decisions[state] as usize)) {
            Some(arm) if arms.len() > 1 => std::slice::from_ref(arm),
            _ => arms,
        }
    }

    pub(crate) fn targets(&self, arm: Arm) -> &[(u32, f64)] {
        &self.transitions[arm.range[0] as usize..arm.range[1] as usize]
    }

    /// A team that plays as it likes.
    pub(crate) fn free_team(&self) -> Option<TeamId> {
        self.moves.iter().position(Option::is_some).map(Into::into)
    }

    /// What a team has earned in a state; `None` if that is no number.
    ///
    /// # Panics
    /// If there is no state at this place, or no such team.
    pub fn reward(&self, place: usize, team: TeamId) -> Option<f64> {
        self.simulator.reward(&mut self.states[place].clone(), team).ok()
    }
}

/// A search in breadth.
struct Search {
    model: Model,
    limits: Limits,
    known: HashMap<Key, u32, FxBuildHasher>,
    numbers: Numbers,
    bytes: usize,
}

impl Search {
    fn new(simulator: &Simulator, limits: Limits) -> Self {
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
        Self { model, limits, known: HashMap::default(), numbers: Numbers::default(), bytes: 0 }
    }

    /// The place of a state, which is added if it is new.
    fn add(&mut self, state: &mut State) -> Result<u32, Refusal> {
        let key = self.numbers.key(self.model.simulator.compiled(), state);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let place = self.model.states.len();
        if place >= self.limits.states.min(u32::MAX as usize) {
            return Err(Refusal::States { limit: self.limits.states, widest: self.widest() });
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

    fn check_bytes(&self) -> Result<(), Refusal> {
        let (model, limits) = (&self.model, &self.limits);
        if model.transitions.len() > limits.transitions.min(u32::MAX as usize) {
            return Err(Refusal::Transitions { limit: limits.transitions });
        }
        let tables = size_of_val(&*model.transitions) + size_of_val(&*model.decisions);
        if self.bytes + self.numbers.bytes() + tables > limits.bytes {
            return Err(Refusal::Bytes { limit: limits.bytes });
        }
        Ok(())
    }

    /// The resource that takes most values.
    fn widest(&self) -> Option<(String, usize)> {
        let c = self.model.simulator.compiled();
        let count = |slot: u32| {
            let words: HashSet<_, FxBuildHasher> =
                self.model.states.iter().map(|state| (state.tags[slot as usize], state.words[slot as usize])).collect();
            words.len()
        };
        let slots = (0..c.slots.len() as u32).map(|slot| (count(slot), slot));
        // The first of several.
        let (count, slot) = slots.rev().max_by_key(|(count, _)| *count)?;
        Some((c.slot_name(slot), count))
    }

    /// Adds what a state leads to, or only whether the game is over there.
    fn expand(&mut self, at: usize, on: bool, players: &mut [Player]) -> Result<(), Refusal> {
        let mut state = self.model.states[at].clone();
        let over = self.model.simulator.is_over(&mut state).map_err(fails)?;
        if state.stream != Stream::new(0, 0) {
            return Err(Refusal::Draw(Draw::Completed));
        }
        self.model.over.push(over);
        if on && !over {
            let team = self.model.simulator.team(&state);
            for decision in players[team.index()].decisions(&self.model.simulator, &state)? {
                let mut targets: Vec<(u32, f64)> = Vec::new();
                for (chosen, weight) in decision.mix {
                    self.follow(&state, team, &chosen, weight, &mut targets)?;
                }
                self.decide(decision.place, targets);
            }
            self.check_bytes()?;
        }
        self.model.first.push(self.model.decisions.len() as u32);
        Ok(())
    }

    /// Adds a decision; what leads to the same state is put together.
    fn decide(&mut self, place: Option<u32>, mut targets: Vec<(u32, f64)>) {
        targets.sort_by_key(|(target, _)| *target);
        let begin = self.model.transitions.len();
        for (target, weight) in targets {
            match self.model.transitions[begin..].last_mut() {
                Some((last, sum)) if *last == target => *sum += weight,
                _ => self.model.transitions.push((target, weight)),
            }
        }
        let range = [begin as u32, self.model.transitions.len() as u32];
        self.model.decisions.push(Arm { place, range });
    }

    /// Adds everything that may come of a move.
    fn follow(
        &mut self,
        state: &State,
        team: TeamId,
        chosen: &Move,
        weight: f64,
        targets: &mut Vec<(u32, f64)>,
    ) -> Result<(), Refusal> {
        let simulator = self.model.simulator.clone();
        let mut refused = None;
        let (c, registry) = (simulator.compiled(), simulator.registry());
        let done = state.clone().futures(c, registry, team, chosen, &mut |next, share| {
            // A reward that is no number ends the game with an error.
            simulator.check_reward(next, team)?;
            let added = if next.stream == state.stream {
                self.add(next)
            } else {
                Err(Refusal::Draw(drawn(&simulator, team, chosen)))
            };
            match added {
                Ok(_) if targets.len() >= self.limits.transitions => {
                    refused = Some(Refusal::Transitions { limit: self.limits.transitions });
                }
                Ok(place) => targets.push((place, weight * share)),
                Err(refusal) => refused = Some(refusal),
            }
            Ok(refused.is_none())
        });
        match refused {
            Some(refusal) => Err(refusal),
            None => done.map(drop).map_err(fails),
        }
    }
}

fn fails(failure: Failure) -> Refusal {
    Refusal::Fails(Box::new(failure))
}

/// Where a move draws that was seen to do so.
fn drawn(simulator: &Simulator, team: TeamId, chosen: &Move) -> Draw {
    let game = simulator.game();
    let action = match chosen {
        Move::Choose(choice, _) => game.teams[team.index()].choices[choice.index()].action,
        Move::Pass => None,
    };
    match action {
        Some(action) => draws::of_action(&game.actions[action.index()]),
        // Passing draws nothing.
        None => Draw::Policy(game.teams[team.index()].name.clone()),
    }
}
