//! The compiled form of a game. Everything is an index into the words of a state or into the tables of [`CompiledResourceGame`].

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use goalspec_resource::board::{NodeId, ResourceId, SlotId};
use goalspec_resource::compare::{ComparisonOperator, SignedZero};
use goalspec_resource::compute::Computation;
use goalspec_resource::field::{Endpoint, Field, Place};
use goalspec_resource::filter::{Filter, ValueFilter};
use goalspec_resource::function::{AggregateFunction, BinaryFunction, UnaryFunction};
use goalspec_resource::game::{ActionId, Game, VectorSelection};
use goalspec_resource::rules::Perspective;
use goalspec_resource::space::Space;
use goalspec_resource::value::{Labels, Value};
use rustc_hash::FxBuildHasher;

use crate::cell::Cell;

/// A compiled game.
#[derive(Debug)]
pub(crate) struct CompiledResourceGame {
    /// The source, used for names and for whatever has no compiled form.
    pub(crate) game: Arc<Game>,
    /// The slots: those of the board first, followed by those that only vectors or custom results access.
    pub(crate) slots: Vec<Slot>,
    /// For each resource accessed at ends of vectors, the slot of each node.
    pub(crate) tables: Vec<Option<Box<[u32]>>>,
    /// The slot of each pair of resource and node.
    pub(crate) index: SlotIndex,
    /// The constants that do not fit into a word.
    pub(crate) pool: Vec<Value>,
    /// The constants that tests compare with.
    pub(crate) bounds: Vec<Value>,
    /// The treatment of signed zeros.
    pub(crate) zeros: SignedZero,
    /// Whether values outside their spaces are only counted.
    pub(crate) unbounded: bool,
    /// The representation of the observers of nodes.
    pub(crate) sight: ObserverStorage,
    /// The first of the words of [`ObserverStorage::Masks`], one for each node.
    pub(crate) seen: u32,
    /// The first of the words with a bit for each bare node, 64 nodes per word; `None` if bare nodes are permitted.
    pub(crate) bare: Option<u32>,
    /// The first of the words with the current odds of consequences that have a discount.
    pub(crate) odds: u32,
    /// The node tests that select vectors.
    pub(crate) tests: Vec<DecisionGraph>,
    /// The tests to re-evaluate after writes; slots and nodes have ranges in this table.
    pub(crate) deps: Vec<Dependency>,
    /// The tests to evaluate once at the beginning; empty after compilation.
    pub(crate) first: Vec<Dependency>,
    /// For each node, the range of tests to re-evaluate when its observers change.
    pub(crate) node_deps: Vec<[u32; 2]>,
    /// Words with the bits that belong to one end of the vectors of a node.
    pub(crate) bits: Vec<(u32, u64)>,
    /// The sets of vectors that consequences apply to.
    pub(crate) vector_sets: Vec<VectorSet>,
    /// The nodes at the ends of each vector.
    pub(crate) vectors: Vec<[NodeId; 2]>,
    /// For each node, its outgoing and its incoming vectors.
    pub(crate) at_node: Vec<[Box<[u32]>; 2]>,
    /// For each team, its resolved choices.
    pub(crate) choices: Vec<Box<[CompiledChoice]>>,
    /// The actions.
    pub(crate) actions: Vec<Action>,
    /// The rewards of the teams.
    pub(crate) rewards: Vec<Option<Expr>>,
    /// For each team, whether its reward may not be a number and therefore has to be checked after every turn.
    pub(crate) reward_checks: Vec<bool>,
    /// For each team, the bit of its label in [`ObserverStorage::Masks`].
    pub(crate) team_bits: Vec<u64>,
    /// The termination condition.
    pub(crate) completed: DecisionGraph,
    /// The words of the initial state.
    pub(crate) words: Box<[u64]>,
    /// The tags of the initial state.
    pub(crate) tags: Box<[u8]>,
    /// The initial values that teams expect of unobserved nodes; `None` if they are those of this game.
    pub(crate) expected: Option<ExpectedState>,
}

/// The initial state of the game that a variant is derived from.
#[derive(Debug)]
pub(crate) struct ExpectedState {
    /// The words of the slots.
    pub(crate) words: Box<[u64]>,
    /// The tags of the slots.
    pub(crate) tags: Box<[u8]>,
    /// The labels of the observers of each node.
    pub(crate) labels: Vec<Arc<Labels>>,
}

/// The absence of a slot.
pub(crate) const NO_SLOT: u32 = u32::MAX;

impl CompiledResourceGame {
    /// Returns the slot of a resource of a node.
    #[inline]
    pub(crate) fn slot_at(&self, resource: u32, node: NodeId) -> Option<u32> {
        match self.tables.get(resource as usize) {
            Some(Some(table)) => Some(table[node.index()]).filter(|&slot| slot != NO_SLOT),
            _ => self.index.get(&(resource, node.0)).copied(),
        }
    }

    /// Converts labels to bits of [`ObserverStorage::Masks`].
    pub(crate) fn bits_of(&self, labels: &Labels) -> u64 {
        let ObserverStorage::Masks(known) = &self.sight else { return 0 };
        labels.iter().filter_map(|label| known.get_index_of(label)).fold(0, |all, bit| all | 1 << bit)
    }

    /// Returns the word and the tag that teams expect of an unobserved slot.
    #[inline]
    pub(crate) fn expected(&self, slot: usize) -> (u64, u8) {
        match &self.expected {
            Some(expected) => (expected.words[slot], expected.tags[slot]),
            None => (self.words[slot], self.tags[slot]),
        }
    }

    /// Returns the declared space of a slot.
    pub(crate) fn space(&self, slot: u32) -> Option<&Space> {
        let board = &self.game.board;
        let declared = (slot as usize) < board.slots().len();
        let declaration = if declared { board.slot(SlotId(slot)).declaration.as_ref() } else { None };
        declaration.map(|declaration| &declaration.space)
    }

    /// Returns the name of a slot as written in games.
    pub(crate) fn slot_name(&self, slot: u32) -> String {
        let Slot { node, resource, .. } = self.slots[slot as usize];
        format!("{}.{}", self.game.board.node(node).name, self.game.board.resource(ResourceId(resource)))
    }

    /// Returns the name of a place as written in games.
    pub(crate) fn place_name(&self, place: Place) -> String {
        let end = |end| if end == Endpoint::Source { "_source" } else { "_target" };
        match place {
            Place::Resource(slot) => self.slot_name(slot.0),
            Place::Observers(node) => format!("{}.observable", self.game.board.node(node).name),
            Place::EndpointResource(at, resource) => format!("{}.{}", end(at), self.game.board.resource(resource)),
            Place::EndpointObservers(at) => format!("{}.observable", end(at)),
        }
    }

    /// Whether rewards are computed from the observation of the team.
    pub(crate) fn rewards_observe(&self) -> bool {
        self.game.rules.reward_view == Perspective::Observation
    }
}

/// A map from pairs of resource and node to slots.
pub(crate) type SlotIndex = HashMap<(u32, u32), u32, FxBuildHasher>;

/// The representation of the observers of nodes.
#[derive(Debug)]
pub(crate) enum ObserverStorage {
    /// Bit masks over these labels, which are all that can occur; nothing depends on their order.
    Masks(Labels),
    /// Sets in each state; these are the initial ones.
    Sets(Vec<Arc<Labels>>),
}

/// The storage of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SlotStorage {
    /// Always an integer.
    Int,
    /// Always a real number.
    Real,
    /// Always an integer or a real number; the word encodes a real number, and the tag distinguishes the two.
    Number,
    /// Always a Boolean.
    Bool,
    /// Any value or none, distinguished by the tag.
    Tagged,
}

impl SlotStorage {
    /// Whether a slot with this storage can hold a value.
    pub(crate) fn holds(self, cell: Cell) -> bool {
        match self {
            Self::Int => matches!(cell, Cell::Int(_)),
            Self::Real => matches!(cell, Cell::Real(_)),
            Self::Number => matches!(cell, Cell::Int(_) | Cell::Real(_)),
            Self::Bool => matches!(cell, Cell::Bool(_)),
            Self::Tagged => true,
        }
    }
}

/// The declared space of a slot, as far as it is checked without its declaration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum SlotRange {
    /// No declared space.
    Free,
    /// A range of integers.
    Range(i32, i32),
    /// A range of real numbers.
    Span(f64, f64),
    /// Any other declared space.
    Declared,
}

impl SlotRange {
    /// Whether a number is in the range; `None` if the space is not a range.
    #[inline]
    pub(crate) fn has(self, number: f64) -> Option<bool> {
        match self {
            // The comparison with the truncated number rejects fractions.
            Self::Range(min, max) => {
                let whole = f64::from(number as i32);
                Some(f64::from(min) <= number && number <= f64::from(max) && whole >= number && whole <= number)
            }
            Self::Span(min, max) => Some(min <= number && number <= max),
            Self::Free | Self::Declared => None,
        }
    }
}

/// A resource of a node.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    pub(crate) node: NodeId,
    pub(crate) resource: u32,
    pub(crate) store: SlotStorage,
    pub(crate) bounds: SlotRange,
    /// The range of [`CompiledResourceGame::deps`] to re-evaluate when it is written.
    pub(crate) deps: [u32; 2],
}

/// The source of a value.
#[derive(Debug, Clone)]
pub(crate) enum ValueSource {
    Constant(Cell),
    Int(u32),
    Real(u32),
    Number(u32),
    Bool(u32),
    Tagged(u32),
    /// A resource of an end of the selected vector.
    End(Endpoint, u32),
    /// An intermediate value.
    Computed(u32),
    /// A slot as a team observes it: `initial` unless the node has the team's label.
    Seen {
        slot: u32,
        node: u32,
        label: u64,
        initial: Cell,
    },
    /// Any other field.
    Field(Box<Field>),
}

/// A test as a decision graph: each branch has a successor for a true and for a false atom.
#[derive(Debug, Clone)]
pub(crate) struct DecisionGraph {
    pub(crate) code: Box<[Branch]>,
    pub(crate) entry: u32,
}

/// The successor at which a test that holds ends.
pub(crate) const ACCEPT: u32 = u32::MAX;
/// The successor at which a test that does not hold ends.
pub(crate) const REJECT: u32 = u32::MAX - 1;

impl DecisionGraph {
    /// Returns the value of a test without branches.
    pub(crate) fn constant(&self) -> Option<bool> {
        (self.entry >= REJECT).then_some(self.entry == ACCEPT)
    }
}

/// A branch of a decision graph.
#[derive(Debug, Clone)]
pub(crate) struct Branch {
    pub(crate) atom: Atom,
    pub(crate) yes: u32,
    pub(crate) no: u32,
}

/// A set of orderings, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OrderingSet(u8);

impl OrderingSet {
    /// Returns the orderings for which a comparison holds.
    pub(crate) fn of(comparison: ComparisonOperator) -> Self {
        Self(match comparison {
            ComparisonOperator::Less => 0b001,
            ComparisonOperator::Equal => 0b010,
            ComparisonOperator::LessOrEqual => 0b011,
            ComparisonOperator::Greater => 0b100,
            ComparisonOperator::NotEqual => 0b101,
            ComparisonOperator::GreaterOrEqual => 0b110,
        })
    }

    /// Returns the integers with one of these orderings relative to `bound`: a range, and whether they are inside or outside it.
    pub(crate) fn range(self, bound: i32) -> (i32, i32, bool) {
        match self.0 {
            0b001 => (bound, i32::MAX, false),
            0b010 => (bound, bound, true),
            0b011 => (i32::MIN, bound, true),
            0b100 => (i32::MIN, bound, false),
            0b101 => (bound, bound, false),
            _ => (bound, i32::MAX, true),
        }
    }

    /// Whether the set contains an ordering.
    #[inline]
    pub(crate) fn has(self, order: Ordering) -> bool {
        self.0 >> (order as i8 + 1) & 1 != 0
    }
}

/// Returns the order of two real numbers under [`goalspec_resource::compare::compare`].
#[inline]
pub(crate) fn order(one: f64, other: f64, zeros: SignedZero) -> Ordering {
    match one.partial_cmp(&other) {
        Some(Ordering::Equal) if zeros == SignedZero::Ordered => other.is_sign_negative().cmp(&one.is_sign_negative()),
        Some(order) => order,
        None => one.is_nan().cmp(&other.is_nan()),
    }
}

/// An atomic test.
#[derive(Debug, Clone)]
pub(crate) enum Atom {
    /// Whether an integer slot is inside a range, or outside if `inside` is `false`.
    Int { slot: u32, min: i32, max: i32, inside: bool },
    /// A comparison of an integer slot with a real constant.
    IntReal { slot: u32, orders: OrderingSet, bound: f64 },
    /// A comparison of a real or numeric slot with a constant.
    Real { slot: u32, orders: OrderingSet, bound: f64 },
    /// A test of a Boolean slot.
    Bool { slot: u32, truth: bool },
    /// A comparison of any value with a constant in [`CompiledResourceGame::bounds`].
    Compare { source: ValueSource, comparison: ComparisonOperator, bound: u32 },
    /// Whether a node has one of these labels.
    Seen { node: u32, labels: u64 },
    /// Any other test of a value.
    Value { source: ValueSource, filter: Box<ValueFilter> },
    /// A computation that yields a Boolean.
    Truth(Box<Filter>),
}

/// A computation.
#[derive(Debug, Clone)]
pub(crate) enum Expr {
    Source(ValueSource),
    Calculate(Box<RegisterExpression>),
    /// The value of the first case that holds.
    Condition(Box<[(DecisionGraph, Self)]>),
    /// Any other computation.
    General(Box<Computation>),
}

/// A numeric expression over registers: first the fields, then the constants, then the results of the operations, of which the
/// last is the root.
#[derive(Debug, Clone)]
pub(crate) struct RegisterExpression {
    pub(crate) loads: Box<[ValueSource]>,
    pub(crate) constants: Box<[f64]>,
    pub(crate) operations: Box<[Operation]>,
    /// The number of registers.
    pub(crate) registers: usize,
    /// The register of the root.
    pub(crate) whole: u16,
}

/// An operation on registers.
#[derive(Debug, Clone)]
pub(crate) enum Operation {
    Negate(u16),
    Add(u16, u16),
    Subtract(u16, u16),
    Multiply(u16, u16),
    Divide(u16, u16),
    Unary(UnaryFunction, u16),
    Binary(BinaryFunction, u16, u16),
    Aggregate(AggregateFunction, Box<[u16]>),
    Random,
    Between(u16, u16),
}

/// A write to a place.
#[derive(Debug, Clone)]
pub(crate) struct CompiledWrite {
    pub(crate) target: Target,
    pub(crate) value: Expr,
    /// Whether a missing value removes the resource.
    pub(crate) removes: bool,
    /// The place in the game, for messages.
    pub(crate) place: Place,
}

/// The target of a write.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    Slot(u32),
    End(Endpoint, u32),
    Sight(u32),
    EndSight(Endpoint),
}

/// An action.
#[derive(Debug)]
pub(crate) struct Action {
    pub(crate) cost: Box<[CompiledWrite]>,
    /// The cost as plain effects, if it has this form.
    pub(crate) plain: Option<RegisterEffects>,
    pub(crate) requires: DecisionGraph,
    pub(crate) consequences: Box<[Consequence]>,
}

/// A consequence.
#[derive(Debug)]
pub(crate) struct Consequence {
    pub(crate) odds: f64,
    /// The index of its current odds among those with a discount, and the discount.
    pub(crate) discount: Option<(u32, f64)>,
    /// Whether it begins a group, for which a random number is drawn.
    pub(crate) opens: bool,
    pub(crate) outcome: CompiledEffect,
}

/// The effect of a consequence. It is `direct` if no value reads a place written before it, so that each value can be written as
/// soon as it is computed.
#[derive(Debug)]
pub(crate) enum CompiledEffect {
    Resources {
        compute: Box<[Expr]>,
        add: Box<[CompiledWrite]>,
        put: Box<[CompiledWrite]>,
        direct: bool,
        plain: Option<RegisterEffects>,
    },
    Show {
        label: Arc<str>,
        bit: u64,
        set: u32,
    },
    Vectors {
        pick: VectorSelection,
        set: u32,
        compute: Box<[Expr]>,
        add: Box<[CompiledWrite]>,
        direct: bool,
        plain: Option<RegisterEffects>,
    },
    Custom {
        name: Arc<str>,
        parameters: Box<[(Arc<str>, Option<Value>)]>,
    },
}

/// Effects that write numbers or constants to slots that are certain to exist: all values are computed in registers and then
/// written. The registers contain first the loaded numbers and then the results of the operations.
#[derive(Debug)]
pub(crate) struct RegisterEffects {
    pub(crate) loads: Box<[Load]>,
    pub(crate) operations: Box<[Operation]>,
    pub(crate) writes: Box<[Write]>,
}

/// The maximum number of registers of plain effects.
pub(crate) const PLAIN_REGISTERS: usize = 32;

/// An operand of plain effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Load {
    /// The number with these bits.
    Constant(u64),
    /// An integer slot.
    Int(u32),
    /// A real or numeric slot.
    Real(u32),
    /// A resource of an end of the selected vector that is an integer slot at every end.
    EndInt(Endpoint, u32),
    /// A resource of an end of the selected vector that is a real or numeric slot at every end.
    EndReal(Endpoint, u32),
}

/// A write of plain effects.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Write {
    /// Adds a constant to an integer slot; a sum outside the range is counted at most.
    AddInt { slot: u32, added: i32, min: i32, max: i32 },
    /// Adds a register to a real or numeric slot.
    AddReal { slot: u32, added: u16 },
    /// Any other addition.
    Add { target: Target, value: WriteOperand },
    /// Replaces a value.
    Put { target: Target, value: WriteOperand },
}

/// A value written by plain effects.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WriteOperand {
    /// A constant, which is not missing.
    Fixed(Cell),
    /// The integer in a register.
    Int(u16),
    /// The real number in a register.
    Real(u16),
}

/// A resolved choice of a team.
#[derive(Debug)]
pub(crate) struct CompiledChoice {
    pub(crate) what: ChoiceMeaning,
    /// The role of each parameter in the selection of vectors.
    pub(crate) roles: Box<[Role]>,
    /// The assignments to try in order to determine whether the choice is valid, computed when they are first needed.
    pub(crate) validity: OnceLock<crate::lookahead::ValidityCheck>,
}

/// The meaning of a choice.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ChoiceMeaning {
    /// A pass.
    Pass,
    /// An action.
    Action(ActionId),
    /// A choice that the game names but does not define.
    Undefined,
}

/// The role of a parameter in the selection of vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It restricts the source.
    Source,
    /// It restricts the target.
    Target,
    /// It does not restrict vectors.
    None,
}

/// The vectors that pass a filter.
#[derive(Debug, Clone)]
pub(crate) enum VectorSet {
    /// Two bit masks, kept up to date with every write; a vector passes if its bit is set in both.
    Masks { source: u32, target: u32, words: u32 },
    /// Filters that are evaluated on each use: they can fail, draw random numbers, or read parameters.
    Evaluated(Box<[Filter; 2]>),
}

/// A test to re-evaluate after a write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dependency {
    /// The index of the test in [`CompiledResourceGame::tests`].
    pub(crate) test: u32,
    /// The nonempty range of [`CompiledResourceGame::bits`] that mirrors its value.
    pub(crate) bits: [u32; 2],
}

/// The maximum number of registers of an expression that is evaluated without a heap allocation.
pub(crate) const REGISTERS: usize = 24;

#[cfg(test)]
mod tests {
    use super::{ComparisonOperator, OrderingSet};

    #[test]
    fn orders_are_ranges() {
        use ComparisonOperator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        let numbers = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX - 1, i32::MAX];
        for orders in [Less, Equal, LessOrEqual, Greater, NotEqual, GreaterOrEqual].map(OrderingSet::of) {
            for bound in numbers {
                let (min, max, inside) = orders.range(bound);
                for number in numbers {
                    let expected = orders.has(number.cmp(&bound));
                    assert_eq!((min <= number && number <= max) == inside, expected, "{orders:?}: {number}, {bound}");
                }
            }
        }
    }
}
