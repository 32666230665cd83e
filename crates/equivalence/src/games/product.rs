//! The product of the automata of two games: a breadth-first search for the shortest trace on which they differ.
//!
//! A product state has the states of the machines of both games, with the weak order of the times that they remember. Its transitions are
//! the joint truths of the guards on which the machines depend in that state, enumerated on decision diagrams.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::letters::Letters;
use super::machine::{Emission, FIRST, Machine, MachineState, Moment, Time};
use super::scores::{ExactScore, LinearScores, ScoreBits};
use crate::diagram::Diagram;
use crate::limits::{LimitExceeded, MAX_COUNT, MAX_GUARDS, MAX_PRODUCT_STATES, MAX_PRODUCT_WORK};
use crate::ratio::Ratio;

/// One of the two games of a product.
#[derive(Clone)]
pub(crate) struct Side {
    pub(crate) machines: Vec<Machine>,
    /// The condition under which states count.
    pub(crate) setup: Diagram,
}

/// The relation between two games that the search refutes.
pub(crate) enum Relation {
    /// Machines with the same number have the same satisfactions, with the same measures.
    SameSatisfactions,
    /// Machines with the same number are satisfied on the same traces.
    SameTruth,
    /// On each trace on which a machine of the first game is satisfied, so is that of the second; or the other way round.
    Implication { is_reversed: bool },
    /// The difference of the scores is zero.
    LinearScores(LinearScores),
    /// The scores, or the ends, are the same.
    ExactScores(Box<[ExactScore; 2]>, ExactAspects),
}

/// The aspects of games with scores that are compared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExactAspects {
    pub(crate) score: bool,
    pub(crate) end: bool,
}

/// The result of the search.
pub(crate) enum SearchResult {
    /// The relation holds on all traces.
    Holds,
    /// The relation holds on all traces on which no count exceeds [`MAX_COUNT`].
    HoldsWithinCounts,
    /// The relation does not hold on the shortest traces with states of these letters.
    Differs(Vec<Diagram>),
}

/// The counts of a machine, as far as the relation depends on them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Account {
    /// The end of the latest satisfaction that is disjoint from those before; 0 if there is none.
    last_end: Time,
    disjoint: u8,
    all: u8,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct GameState {
    machines: Vec<MachineState>,
    accounts: Vec<Account>,
    setup_met: bool,
    /// The score at the end of the game, if its terminal condition has held.
    ended: Option<ScoreBits>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ProductState {
    games: [GameState; 2],
    has_begun: bool,
    /// Whether the satisfactions have differed.
    differs: bool,
    difference: Ratio,
}

/// A search over the product of two games.
pub(crate) struct Product<'p, 'w> {
    letters: &'p mut Letters<'w>,
    sides: [Side; 2],
    relation: Relation,
    /// Letters that are excluded.
    axioms: Diagram,
    remembers_first: bool,
    work_left: usize,
    is_bounded: bool,
}

/// The truth of the guards in one state of the trace.
type Truth = FxHashMap<Diagram, bool>;

impl<'p, 'w> Product<'p, 'w> {
    /// Creates the product. `blocked` are letters that no state has.
    pub(crate) fn new(
        letters: &'p mut Letters<'w>,
        sides: [Side; 2],
        relation: Relation,
        blocked: &[Diagram],
    ) -> Result<Self, LimitExceeded> {
        let mut axioms = letters.consistency()?;
        for &letter in blocked {
            let other = letters.diagrams.not(letter)?;
            axioms = letters.diagrams.and(axioms, other)?;
        }
        let remembers_first = sides.iter().flat_map(|side| &side.machines).any(Machine::is_formula);
        Ok(Self { letters, sides, relation, axioms, remembers_first, work_left: MAX_PRODUCT_WORK, is_bounded: false })
    }

    /// Searches for the shortest trace that refutes the relation.
    pub(crate) fn search(mut self) -> Result<SearchResult, LimitExceeded> {
        let start = Rc::new(self.start());
        let mut numbers: FxHashSet<Rc<ProductState>> = FxHashSet::from_iter([Rc::clone(&start)]);
        let mut states = vec![(start, usize::MAX, Diagram::TRUE)];
        let depends_on_last = self.depends_on_last()?;
        // The state that ends a game is played as the last one, but has the letter of another.
        self.is_bounded = depends_on_last && matches!(self.relation, Relation::ExactScores(..));
        let mut index = 0;
        while index < states.len() {
            let state = Rc::clone(&states[index].0);
            let is_last = if depends_on_last { &[true, false][..] } else { &[true] };
            for &is_last in is_last {
                for (truth, letter) in self.letters_of(&state, is_last, depends_on_last)? {
                    if is_last && self.step(&state, &truth, true)?.is_some_and(|(_, differs)| differs) {
                        return Ok(SearchResult::Differs(path(&states, index, letter)));
                    }
                    if is_last && depends_on_last {
                        continue;
                    }
                    let Some((next, _)) = self.step(&state, &truth, false)? else { continue };
                    if numbers.contains(&next) {
                        continue;
                    }
                    if states.len() >= MAX_PRODUCT_STATES {
                        return Err(LimitExceeded::ProductStates);
                    }
                    let next = Rc::new(next);
                    numbers.insert(Rc::clone(&next));
                    states.push((next, index, letter));
                }
            }
            index += 1;
        }
        Ok(if self.is_bounded { SearchResult::HoldsWithinCounts } else { SearchResult::Holds })
    }

    fn start(&self) -> ProductState {
        let games = [0, 1].map(|side| {
            let machines = &self.sides[side].machines;
            GameState {
                machines: machines.iter().map(Machine::start).collect(),
                accounts: vec![Account::default(); machines.len()],
                setup_met: false,
                ended: None,
            }
        });
        let difference = match &self.relation {
            Relation::LinearScores(scores) => scores.constant,
            _ => Ratio::ZERO,
        };
        ProductState { games, has_begun: false, differs: false, difference }
    }

    fn depends_on_last(&mut self) -> Result<bool, LimitExceeded> {
        let last = self.letters.edge(false)?;
        let Some((last, ..)) = self.letters.diagrams.decision(last) else { return Ok(false) };
        let sides = &self.sides;
        let guards = sides.iter().flat_map(|side| side.machines.iter().flat_map(|machine| &machine.guards));
        let mut all = guards.chain(sides.iter().map(|side| &side.setup));
        Ok(all.any(|&guard| self.letters.diagrams.support(guard).contains(&last)))
    }

    /// Returns the joint truths of the guards that matter in a product state, each with its letter.
    fn letters_of(
        &mut self,
        state: &ProductState,
        is_last: bool,
        depends_on_last: bool,
    ) -> Result<Vec<(Truth, Diagram)>, LimitExceeded> {
        let mut needed: BTreeSet<Diagram> = self.sides.iter().map(|side| side.setup).collect();
        for (side, game) in self.sides.iter().zip(&state.games) {
            for (machine, machine_state) in side.machines.iter().zip(&game.machines) {
                needed.extend(machine.needed_guards(machine_state, is_last || !depends_on_last));
            }
        }
        needed.retain(|guard| ![Diagram::TRUE, Diagram::FALSE].contains(guard));
        if needed.len() > MAX_GUARDS {
            return Err(LimitExceeded::Guards);
        }
        let mut edges = vec![(true, !state.has_begun)];
        if depends_on_last {
            edges.push((false, is_last));
        }
        let mut within = self.axioms;
        for (is_first, value) in edges {
            let edge = self.letters.edge(is_first)?;
            let edge = if value { edge } else { self.letters.diagrams.not(edge)? };
            within = self.letters.diagrams.and(within, edge)?;
        }
        let mut cubes = vec![(Truth::default(), within)];
        cubes.retain(|&(_, cube)| cube != Diagram::FALSE);
        for guard in needed {
            let inverse = self.letters.diagrams.not(guard)?;
            let mut split = Vec::with_capacity(cubes.len());
            for (truth, cube) in cubes {
                for (value, part) in [(false, inverse), (true, guard)] {
                    let cube = self.letters.diagrams.and(cube, part)?;
                    if cube != Diagram::FALSE {
                        let mut truth = truth.clone();
                        truth.insert(guard, value);
                        split.push((truth, cube));
                    }
                }
            }
            cubes = split;
            if cubes.len() > self.work_left {
                return Err(LimitExceeded::ProductWork);
            }
        }
        let positions: usize = state.games.iter().map(GameState::size).sum();
        let work = cubes.len().saturating_mul(positions);
        self.work_left = self.work_left.checked_sub(work).ok_or(LimitExceeded::ProductWork)?;
        Ok(cubes)
    }

    /// Returns the next product state, and whether the games differ if the trace ends with this state. `None` if a count exceeds its limit.
    fn step(
        &mut self,
        state: &ProductState,
        truth: &Truth,
        is_last: bool,
    ) -> Result<Option<(ProductState, bool)>, LimitExceeded> {
        let mut next = state.clone();
        next.has_begun = true;
        let now = next.latest().max(if self.remembers_first && state.has_begun { FIRST } else { 0 }) + 1;
        let mut emissions: [Vec<Option<Emission>>; 2] = Default::default();
        for side in 0..2 {
            if next.games[side].ended.is_some() {
                continue;
            }
            emissions[side] = self.play(side, &mut next.games[side], (truth, now, is_last))?;
            let Relation::ExactScores(scores, _) = &self.relation else { continue };
            let is_terminal = scores[side].is_terminal(&next.games[side].counts());
            if is_terminal && !is_last {
                next.games[side] = state.games[side].clone();
                emissions[side] = self.play(side, &mut next.games[side], (truth, now, true))?;
            }
            let game = &mut next.games[side];
            if game.accounts.iter().any(|account| account.disjoint.max(account.all) > MAX_COUNT) {
                self.is_bounded = true;
                return Ok(None);
            }
            let Relation::ExactScores(scores, _) = &self.relation else { continue };
            if is_terminal {
                game.ended = Some(scores[side].score(&game.counts(), game.setup_met));
            }
        }
        let Some(differs) = self.observe(&mut next, &emissions, is_last) else {
            self.is_bounded = true;
            return Ok(None);
        };
        next.normalize(self.remembers_first);
        Ok(Some((next, differs)))
    }

    /// Plays one state in one game. Returns the satisfactions that end there, by machine.
    fn play(
        &mut self,
        side: usize,
        game: &mut GameState,
        (truth, now, is_last): (&Truth, Time, bool),
    ) -> Result<Vec<Option<Emission>>, LimitExceeded> {
        let holds = |guard: Diagram| guard == Diagram::TRUE || truth.get(&guard) == Some(&true);
        let setup_holds = holds(self.sides[side].setup);
        game.setup_met |= setup_holds;
        let mut found = Vec::new();
        for (index, machine) in self.sides[side].machines.iter_mut().enumerate() {
            let state = &mut game.machines[index];
            let moment = Moment { now, is_last, holds: &holds };
            let mut emission = if setup_holds { machine.advance(state, moment)? } else { None };
            if is_last && game.setup_met {
                emission = emission.or_else(|| machine.finish(state));
            }
            if let Some(emission) = &emission {
                let tracked = match &self.relation {
                    Relation::SameSatisfactions => (false, 0),
                    Relation::SameTruth | Relation::Implication { .. } => (false, 1),
                    Relation::LinearScores(scores) => scores.tracked(side, index),
                    Relation::ExactScores(..) => (true, MAX_COUNT + 1),
                };
                game.accounts[index].add(emission.start, now, tracked);
            }
            found.push(emission);
        }
        Ok(found)
    }

    /// Updates the observed differences. Returns whether the games differ if the trace ends here; `None` if a number is too large.
    fn observe(&self, next: &mut ProductState, emissions: &[Vec<Option<Emission>>; 2], is_last: bool) -> Option<bool> {
        let [one, other] = &next.games;
        let differs = match &self.relation {
            Relation::SameSatisfactions => {
                next.differs |= emissions[0] != emissions[1];
                next.differs
            }
            Relation::SameTruth => {
                let mut pairs = one.accounts.iter().zip(&other.accounts);
                pairs.any(|(one, other)| (one.all > 0) != (other.all > 0))
            }
            Relation::Implication { is_reversed } => {
                let (one, other) = if *is_reversed { (other, one) } else { (one, other) };
                let mut pairs = one.accounts.iter().zip(&other.accounts);
                pairs.any(|(one, other)| one.all > 0 && other.all == 0)
            }
            Relation::LinearScores(scores) => {
                let satisfied = |side: usize, machine: usize| emissions[side][machine].is_some();
                let is_counted = |side: usize, machine: usize| next.games[side].accounts[machine].disjoint > 0;
                let is_first = |side: usize, machine: usize| next.games[side].accounts[machine].all == 1;
                next.difference = scores.advance(next.difference, satisfied, is_counted, is_first)?;
                // Marks of the current state only.
                for account in next.games.iter_mut().flat_map(|game| &mut game.accounts) {
                    account.disjoint = 0;
                    account.all = account.all.min(2) + u8::from(account.all == 1);
                }
                let [one, other] = [0, 1].map(|side: usize| next.games[side].setup_met);
                one != other || one && next.difference != Ratio::ZERO
            }
            Relation::ExactScores(scores, aspects) => {
                let [one, other] = [0, 1].map(|side: usize| {
                    let game = &next.games[side];
                    game.ended.unwrap_or_else(|| scores[side].score(&game.counts(), game.setup_met))
                });
                let ends_differ = next.games[0].ended.is_some() != next.games[1].ended.is_some();
                let scores_differ = aspects.score && is_last && !one.is_same(other);
                next.differs |= aspects.end && ends_differ;
                next.differs || scores_differ
            }
        };
        Some(differs)
    }
}

/// Returns the letters of the trace to a product state, followed by one more.
fn path(states: &[(Rc<ProductState>, usize, Diagram)], end: usize, last: Diagram) -> Vec<Diagram> {
    let mut letters = vec![last];
    let mut index = end;
    while states[index].1 != usize::MAX {
        letters.push(states[index].2);
        index = states[index].1;
    }
    letters.reverse();
    letters
}

impl Account {
    /// Adds a satisfaction. `tracked` is whether disjoint satisfactions are counted, and the number up to which all are.
    fn add(&mut self, start: Time, end: Time, (disjoint, limit): (bool, u8)) {
        self.all = (self.all + 1).min(limit.max(self.all));
        if disjoint && start > self.last_end {
            self.last_end = end;
            self.disjoint = (self.disjoint + 1).min(MAX_COUNT + 1);
        }
    }
}

impl GameState {
    /// Returns the numbers of disjoint and of all satisfactions of each machine.
    fn counts(&self) -> Vec<(u8, u8)> {
        self.accounts.iter().map(|account| (account.disjoint, account.all)).collect()
    }

    /// Returns the number of positions whose attempts are remembered, and of machines.
    fn size(&self) -> usize {
        self.machines.iter().map(MachineState::size).sum()
    }

    fn visit_times(&mut self, visit: &mut dyn FnMut(&mut Time)) {
        self.machines.iter_mut().for_each(|machine| machine.visit_times(visit));
        let ends = self.accounts.iter_mut().map(|account| &mut account.last_end);
        ends.filter(|end| **end > 0).for_each(visit);
    }
}

impl ProductState {
    /// Returns the latest time that is remembered.
    fn latest(&mut self) -> Time {
        let mut latest = 0;
        self.games.iter_mut().for_each(|game| game.visit_times(&mut |time| latest = latest.max(*time)));
        latest
    }

    /// Replaces the times by their ranks.
    fn normalize(&mut self, remembers_first: bool) {
        let mut times: BTreeSet<Time> = BTreeSet::new();
        times.extend(remembers_first.then_some(FIRST));
        self.games.iter_mut().for_each(|game| {
            game.visit_times(&mut |time| {
                times.insert(*time);
            });
        });
        let ranks: FxHashMap<Time, Time> = times.into_iter().zip(1..).collect();
        self.games.iter_mut().for_each(|game| game.visit_times(&mut |time| *time = ranks[time]));
    }
}
