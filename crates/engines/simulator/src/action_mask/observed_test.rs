//! Tests of the observation of a team after the cost of an action.

use goalspec_resource::compare::ComparisonOperator;
use goalspec_resource::game::TeamId;

use super::sight;
use crate::cell::Cell;
use crate::program::CompiledResourceGame;
use crate::program::decisions::{ACCEPT, Atom, DecisionGraph, OrderingSet, order};
use crate::program::effects::{Action, Target};
use crate::program::expressions::{Expr, ValueSource};
use crate::program::slots::{SlotRange, SlotStorage};
use crate::state::State;

/// The numbers and Booleans that an action adds to slots, each slot once.
pub(super) type Costs = Vec<(u32, Cell)>;

/// Returns the cost of an action; `None` if it may fail, or is more than numbers and Booleans added to different slots without a
/// limit on their range.
pub(super) fn costs(c: &CompiledResourceGame, action: &Action) -> Option<Costs> {
    let mut costs = Costs::new();
    for write in &action.cost {
        let (Target::Slot(slot), Expr::Source(ValueSource::Constant(cell))) = (write.target, &write.value) else {
            return None;
        };
        let info = c.slots.get(slot);
        let is_limited = !c.numbers.unbounded && info.range != SlotRange::Free;
        let is_bare = c.layout.bare_node(info.node).is_some_and(|(word, bit)| c.initial.words()[word] & bit != 0);
        let is_plain = matches!(cell, Cell::Int(_) | Cell::Real(_) | Cell::Bool(_));
        if is_limited || is_bare || !is_plain || costs.iter().any(|(other, _)| *other == slot) {
            return None;
        }
        costs.push((slot, *cell));
    }
    Some(costs)
}

/// A decision graph over the observation of a team, as [`DecisionGraph`] is over the true state.
#[derive(Debug)]
pub(super) struct ObservedTest {
    branches: Box<[Branch]>,
    entry: u32,
}

/// A branch of the graph.
#[derive(Debug)]
struct Branch {
    atom: ObservedAtom,
    if_true: u32,
    if_false: u32,
}

/// A slot as a team observes it.
#[derive(Debug, Clone, Copy)]
struct ObservedSlot {
    slot: u32,
    /// The word of the observers of the node.
    observers: u32,
    /// The bit of the team among them.
    team: u64,
}

impl ObservedSlot {
    fn new(c: &CompiledResourceGame, team: TeamId, slot: u32) -> Self {
        let (observers, team) = sight(c, team, c.slots.get(slot).node);
        Self { slot, observers, team }
    }

    /// Whether the team sees the node.
    #[inline]
    fn is_seen(self, state: &State) -> bool {
        state.words[self.observers as usize] & self.team != 0
    }

    /// Returns the word of the slot, or `hidden` if the team does not see it.
    #[inline]
    fn word(self, state: &State, hidden: u64) -> u64 {
        if self.is_seen(state) { state.words[self.slot as usize] } else { hidden }
    }
}

/// An atomic test.
#[derive(Debug)]
enum ObservedAtom {
    /// Whether the team sees a node.
    Seen { observers: u32, team: u64 },
    /// Whether an integer slot plus a cost is inside a range, or outside if `inside` is `false`.
    Int { slot: ObservedSlot, hidden: u64, cost: i32, min: i32, max: i32, inside: bool },
    /// A comparison of a real slot plus a cost with a constant.
    Real { slot: ObservedSlot, hidden: u64, cost: Option<f64>, orders: OrderingSet, bound: f64 },
    /// Any other test of a slot.
    Cell { slot: ObservedSlot, hidden: Cell, cost: Option<Cell>, test: CellTest },
}

/// A test of a value.
#[derive(Debug)]
enum CellTest {
    /// Whether an integer is inside a range, or outside if `inside` is `false`.
    Int { min: i32, max: i32, inside: bool },
    /// A comparison of a number with a constant.
    Number { orders: OrderingSet, bound: f64 },
    /// A test of a Boolean.
    Bool { truth: bool },
    /// A comparison with a [bound](crate::program::constants::Constants::bound).
    Compare { comparison: ComparisonOperator, bound: u32 },
}

impl ObservedTest {
    /// Returns a test of a state as a test of the observation of a team after a cost; `None` if an atom depends on more than single
    /// slots and observers.
    pub(super) fn new(c: &CompiledResourceGame, team: TeamId, test: &DecisionGraph, costs: &Costs) -> Option<Self> {
        let branches = test.branches().iter().map(|branch| {
            let (mut if_true, mut if_false) = (branch.if_true, branch.if_false);
            let atom = match &branch.atom {
                Atom::HasObserver { node, bits } => {
                    let (observers, team) = sight(c, team, *node);
                    let initial = match c.initial.expected_observers(*node) {
                        Some(expected) => c.observers.mask_of(expected),
                        None => c.initial.words()[c.layout.observers(*node)],
                    };
                    // The team knows of no other observers than the initial ones and itself.
                    let next = |known: u64| if known & bits != 0 { branch.if_true } else { branch.if_false };
                    (if_true, if_false) = (next(initial | team), next(initial & !team));
                    ObservedAtom::Seen { observers, team }
                }
                atom => ObservedAtom::of_slot(c, team, atom, costs)?,
            };
            Some(Branch { atom, if_true, if_false })
        });
        Some(Self { branches: branches.collect::<Option<_>>()?, entry: test.entry() })
    }

    /// Evaluates the test.
    #[inline]
    pub(super) fn holds(&self, c: &CompiledResourceGame, state: &State) -> bool {
        let mut at = self.entry;
        while let Some(branch) = self.branches.get(at as usize) {
            at = if branch.atom.holds(c, state) { branch.if_true } else { branch.if_false };
        }
        at == ACCEPT
    }
}

impl ObservedAtom {
    /// Returns the atom for an atomic test of a slot.
    fn of_slot(c: &CompiledResourceGame, team: TeamId, atom: &Atom, costs: &Costs) -> Option<Self> {
        let (slot, test) = match *atom {
            Atom::Int { slot, min, max, inside } => (slot, CellTest::Int { min, max, inside }),
            Atom::IntReal { slot, orders, bound } | Atom::Real { slot, orders, bound } => {
                (slot, CellTest::Number { orders, bound })
            }
            Atom::Bool { slot, truth } => (slot, CellTest::Bool { truth }),
            Atom::Compare { ref source, comparison, bound } => match *source {
                ValueSource::Int(slot)
                | ValueSource::Real(slot)
                | ValueSource::Bool(slot)
                | ValueSource::Number(slot)
                | ValueSource::Tagged(slot) => (slot, CellTest::Compare { comparison, bound }),
                _ => return None,
            },
            Atom::HasObserver { .. } | Atom::Value { .. } | Atom::Truth(_) => return None,
        };
        let (word, tag) = c.initial.expected_slot(slot);
        let cost = costs.iter().find(|(other, _)| *other == slot).map(|(_, cost)| *cost);
        let storage = c.slots.get(slot).storage;
        let slot = ObservedSlot::new(c, team, slot);
        Some(match (test, storage, cost) {
            (CellTest::Int { min, max, inside }, SlotStorage::Int, None) => {
                Self::Int { slot, hidden: word, cost: 0, min, max, inside }
            }
            (CellTest::Int { min, max, inside }, SlotStorage::Int, Some(Cell::Int(cost))) => {
                Self::Int { slot, hidden: word, cost, min, max, inside }
            }
            // Without a cost, the words of real and of numeric slots are compared alike.
            (CellTest::Number { orders, bound }, SlotStorage::Real | SlotStorage::Number, None) => {
                Self::Real { slot, hidden: word, cost: None, orders, bound }
            }
            (CellTest::Number { orders, bound }, SlotStorage::Real, Some(cost @ (Cell::Int(_) | Cell::Real(_)))) => {
                Self::Real { slot, hidden: word, cost: cost.as_f64(), orders, bound }
            }
            (test, _, cost) => Self::Cell { slot, hidden: Cell::from_parts(tag, word), cost, test },
        })
    }

    #[inline]
    fn holds(&self, c: &CompiledResourceGame, state: &State) -> bool {
        match *self {
            Self::Seen { observers, team } => state.words[observers as usize] & team != 0,
            Self::Int { slot, hidden, cost, min, max, inside } => {
                let number = (slot.word(state, hidden) as i32).wrapping_add(cost);
                (min <= number && number <= max) == inside
            }
            Self::Real { slot, hidden, cost, orders, bound } => {
                let number = f64::from_bits(slot.word(state, hidden));
                let number = cost.map_or(number, |cost| number + cost);
                orders.has(order(number, bound, c.numbers.zeros))
            }
            Self::Cell { slot, hidden, cost, ref test } => {
                let cell = if slot.is_seen(state) { state.cell(slot.slot) } else { hidden };
                let cell = cost.map_or(cell, |cost| cell.plus(cost));
                test.holds(c, state, cell)
            }
        }
    }
}

impl CellTest {
    fn holds(&self, c: &CompiledResourceGame, state: &State, cell: Cell) -> bool {
        match *self {
            Self::Int { min, max, inside } => {
                let Cell::Int(number) = cell else { return false };
                (min <= number && number <= max) == inside
            }
            Self::Number { orders, bound } => {
                cell.as_f64().is_some_and(|number| orders.has(order(number, bound, c.numbers.zeros)))
            }
            Self::Bool { truth } => cell == Cell::Bool(truth),
            Self::Compare { comparison, bound } => state.compare(c, cell, comparison, c.constants.bound(bound)),
        }
    }
}
