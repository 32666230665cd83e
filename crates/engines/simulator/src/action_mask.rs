//! Masks of the actions of teams, written into arrays.
//!
//! An action is masked in if its requirement holds after its cost and, if its consequences pick vectors, one of them matches a vector that
//! agrees with the parameters: it is then neither invalid nor without effect. For the observation of a team, this is compiled to tests of
//! words of the state, each with the initial value that stands for an unseen one, and with the cost already added. Actions with
//! requirements or filters that have no such form are tried on a copy of the state.

use goalspec_resource::board::NodeId;
use goalspec_resource::game::TeamId;
use goalspec_resource::rules::Perspective;
use goalspec_resource::turn::Move;
use goalspec_resource::value::Value;

use self::observed_test::ObservedTest;
use crate::actions::{ActionSpace, ChoiceActions, TeamActions};
use crate::lookahead::MoveSuitability;
use crate::program::CompiledResourceGame;
use crate::program::choices::{ChoiceMeaning, Role};
use crate::program::observers::ObserverStorage;
use crate::program::vectors::VectorSet;
use crate::simulator::Simulator;
use crate::state::State;

mod observed_test;

/// The tests that decide the masks of the actions of each team.
#[derive(Debug)]
pub struct ActionMasks {
    view: Perspective,
    teams: Vec<Vec<ChoiceMask>>,
}

/// The test of the actions with a choice.
#[derive(Debug)]
struct ChoiceMask {
    actions: ChoiceActions,
    validity: Validity,
}

/// The way in which it is decided whether actions are valid.
#[derive(Debug)]
enum Validity {
    /// It is known.
    Known(bool),
    /// By tests of the words of the state.
    Tested { requires: ObservedTest, vectors: Vec<MatchingVectors> },
    /// On a copy of the state, action by action.
    Tried,
}

/// The vectors that a consequence picks from, after the cost of the action.
#[derive(Debug)]
struct MatchingVectors {
    /// The vectors that match unless a test fails, as a bit mask.
    constant: Box<[u64]>,
    tests: Vec<NodeTest>,
    /// For each action, the vectors that its parameters permit; one bit mask after the other. Empty if all actions permit all vectors.
    permitted: Box<[u64]>,
}

/// A test of a node, with words of the mask of vectors and the bits in them that it decides.
#[derive(Debug)]
struct NodeTest {
    test: ObservedTest,
    bits: Box<[(u32, u64)]>,
}

/// The memory for computing masks, reused from call to call.
#[derive(Debug, Clone)]
pub struct MaskBuffer {
    observed: State,
    trial: State,
    vectors: Vec<u64>,
}

impl MaskBuffer {
    /// Creates a buffer for the states of a game.
    pub fn new(simulator: &Simulator) -> Self {
        let state = simulator.initial_state(0, 0);
        Self { observed: state.clone(), trial: state, vectors: Vec::new() }
    }
}

impl ActionMasks {
    /// Compiles the masks of actions, as the teams observe the state or in the true state.
    pub fn new(simulator: &Simulator, actions: &ActionSpace, view: Perspective) -> Self {
        let c = simulator.compiled();
        let teams = (0..c.game.teams.len()).map(TeamId::from).map(|team| {
            let own = actions.of_team(team);
            let masks = own.choices().iter().map(|choice| ChoiceMask {
                actions: choice.clone(),
                validity: Validity::new(c, team, own, choice, view),
            });
            masks.collect()
        });
        Self { view, teams: teams.collect() }
    }

    /// Returns the state on which masks are based.
    pub fn view(&self) -> Perspective {
        self.view
    }
}

impl Validity {
    fn new(
        c: &CompiledResourceGame,
        team: TeamId,
        actions: &TeamActions,
        choice: &ChoiceActions,
        view: Perspective,
    ) -> Self {
        let Some(place) = choice.choice else { return Self::Known(true) };
        match c.choices.at(team, place).meaning() {
            ChoiceMeaning::Pass => Self::Known(true),
            ChoiceMeaning::Undefined => Self::Known(false),
            ChoiceMeaning::Action(_) if view == Perspective::TrueState => Self::Tried,
            ChoiceMeaning::Action(id) => {
                let moves = &actions.moves()[choice.actions.clone()];
                Self::tested(c, team, id.index(), c.choices.at(team, place).roles(), moves).unwrap_or(Self::Tried)
            }
        }
    }

    /// Returns the tests of an action; `None` if its requirement or a filter has no form as a test of words.
    fn tested(c: &CompiledResourceGame, team: TeamId, action: usize, roles: &[Role], moves: &[Move]) -> Option<Self> {
        let ObserverStorage::Masks(_) = c.observers.storage() else { return None };
        let action = &c.actions[action];
        let costs = observed_test::costs(c, action)?;
        let requires = ObservedTest::new(c, team, &action.requires, &costs)?;
        let sets = action.consequences.iter().filter_map(|consequence| consequence.effect.picked_set());
        let mut vectors = Vec::new();
        for set in sets {
            let VectorSet::Masks { source, target, words } = c.vectors.set(set) else { return None };
            let mut matching = MatchingVectors {
                constant: vec![u64::MAX; *words as usize].into(),
                tests: Vec::new(),
                permitted: permitted(c, *words as usize, roles, moves),
            };
            for first in [*source, *target] {
                matching.add_end(c, team, first, &costs)?;
            }
            vectors.push(matching);
        }
        Some(Self::Tested { requires, vectors })
    }
}

/// Returns for each move the vectors that its parameters permit; nothing if no parameter restricts vectors.
fn permitted(c: &CompiledResourceGame, words: usize, roles: &[Role], moves: &[Move]) -> Box<[u64]> {
    if roles.iter().all(|role| *role == Role::None) {
        return Box::default();
    }
    let mut permitted = vec![0; words * moves.len()];
    for (mask, chosen) in permitted.chunks_exact_mut(words.max(1)).zip(moves) {
        let Move::Choose(_, values) = chosen else { continue };
        let node = |value: &Value| match value {
            Value::Text(name) => c.game.board.node_named(name),
            _ => None,
        };
        for vector in c.vectors.ids() {
            let [source, target] = c.vectors.ends(vector);
            let meets = |(role, value): (&Role, &Value)| match role {
                Role::Source => node(value) == Some(source),
                Role::Target => node(value) == Some(target),
                Role::None => true,
            };
            if roles.iter().zip(values).all(meets) {
                mask[vector.index() / 64] |= 1 << (vector.index() % 64);
            }
        }
    }
    permitted.into()
}

impl MatchingVectors {
    /// Adds the tests of the nodes at one end of the vectors, whose results are mirrored from the word `first` on.
    fn add_end(
        &mut self,
        c: &CompiledResourceGame,
        team: TeamId,
        first: u32,
        costs: &observed_test::Costs,
    ) -> Option<()> {
        let words = first..first + self.constant.len() as u32;
        let mut tested = vec![0; self.constant.len()];
        for test in c.node_tests.iter() {
            let bits = c.node_tests.bits(test).iter().filter(|(word, _)| words.contains(word));
            let bits: Box<[(u32, u64)]> = bits.map(|&(word, bits)| (word - first, bits)).collect();
            if bits.is_empty() {
                continue;
            }
            for &(word, bits) in &bits {
                tested[word as usize] |= bits;
            }
            self.tests.push(NodeTest { test: ObservedTest::new(c, team, &test.graph, costs)?, bits });
        }
        let initial = &c.initial.words()[words.start as usize..words.end as usize];
        for (constant, (initial, tested)) in self.constant.iter_mut().zip(initial.iter().zip(tested)) {
            // The bits without a test are the same in all states.
            *constant &= initial | tested;
        }
        Some(())
    }

    /// Adds each action with a matching vector to `mask`; the requirement holds. `buffer` is overwritten.
    #[inline]
    fn write(&self, c: &CompiledResourceGame, state: &State, buffer: &mut Vec<u64>, mask: &mut [i8]) {
        // Most boards have at most 64 vectors.
        if let [constant] = *self.constant {
            let mut matching = constant;
            for NodeTest { test, bits } in &self.tests {
                let decided = bits[0].1;
                if matching & decided != 0 && !test.holds(c, state) {
                    matching &= !decided;
                }
            }
            if self.permitted.is_empty() {
                add_to_all(mask, matching != 0);
            }
            for (valid, permitted) in mask.iter_mut().zip(&self.permitted) {
                *valid |= i8::from(permitted & matching != 0);
            }
            return;
        }
        buffer.clear();
        buffer.extend_from_slice(&self.constant);
        for NodeTest { test, bits } in &self.tests {
            if !test.holds(c, state) {
                for &(word, bits) in bits {
                    buffer[word as usize] &= !bits;
                }
            }
        }
        if self.permitted.is_empty() {
            return add_to_all(mask, buffer.iter().any(|&word| word != 0));
        }
        for (valid, permitted) in mask.iter_mut().zip(self.permitted.chunks_exact(buffer.len())) {
            let any = permitted.iter().zip(&*buffer).any(|(permitted, matching)| permitted & matching != 0);
            *valid |= i8::from(any);
        }
    }
}

/// Adds all actions to a mask if `valid`.
fn add_to_all(mask: &mut [i8], valid: bool) {
    for action in mask {
        *action |= i8::from(valid);
    }
}

impl Simulator {
    /// Writes for each action of a team 1 if it is valid and, where its consequences pick vectors, a vector is left for one of them;
    /// otherwise 0. It reuses the memory of the buffer.
    ///
    /// # Panics
    /// If the length of `mask` is not the number of the team's actions, or the masks or the buffer are those of another game.
    pub fn write_mask(
        &self,
        masks: &ActionMasks,
        actions: &ActionSpace,
        state: &State,
        team: TeamId,
        buffer: &mut MaskBuffer,
        mask: &mut [i8],
    ) {
        let c = self.compiled();
        let moves = actions.of_team(team).moves();
        assert_eq!(mask.len(), moves.len(), "the number of actions");
        let mut is_observed = false;
        for ChoiceMask { actions: ChoiceActions { actions, .. }, validity } in &masks.teams[team.index()] {
            let MaskBuffer { observed, trial, vectors: buffer } = &mut *buffer;
            let mask = &mut mask[actions.clone()];
            match validity {
                Validity::Known(valid) => mask.fill(i8::from(*valid)),
                Validity::Tested { requires, vectors } => {
                    let holds = requires.holds(c, state);
                    mask.fill(i8::from(holds && vectors.is_empty()));
                    if holds {
                        for vectors in vectors {
                            vectors.write(c, state, buffer, mask);
                        }
                    }
                }
                Validity::Tried => {
                    let state = match masks.view {
                        Perspective::TrueState => state,
                        Perspective::Observation => {
                            if !std::mem::replace(&mut is_observed, true) {
                                state.observe_into(c, team, observed);
                            }
                            observed
                        }
                    };
                    for (valid, chosen) in mask.iter_mut().zip(&moves[actions.clone()]) {
                        let suits = state.suits_in(c, team, chosen, trial);
                        *valid = i8::from(suits == MoveSuitability::Effective);
                    }
                }
            }
        }
    }
}

/// Returns the word of the observers of a node, and the bits of a team in it.
fn sight(c: &CompiledResourceGame, team: TeamId, node: NodeId) -> (u32, u64) {
    (c.layout.observers(node) as u32, c.observers.team_bit(team))
}
