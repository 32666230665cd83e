//! What a game is compiled into. Everything is an index: into the words of a state, or into the tables of [`Compiled`].

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use goalspec_core::resource::board::{NodeId, ResourceId, SlotId};
use goalspec_core::resource::compare::{Comparison, Zeros};
use goalspec_core::resource::compute::Compute;
use goalspec_core::resource::field::{End, Field, Place};
use goalspec_core::resource::filter::{Filter, ValueFilter};
use goalspec_core::resource::function::{Aggregate, Binary, Unary};
use goalspec_core::resource::game::{ActionId, Game, Pick};
use goalspec_core::resource::rules::View;
use goalspec_core::resource::space::Space;
use goalspec_core::resource::value::{Labels, Value};
use rustc_hash::FxBuildHasher;

use crate::cell::Cell;

/// A compiled game.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// The game, for names and for what stays general.
    pub(crate) game: Arc<Game>,
    /// The resources of nodes: those of the board first, then those that only a vector leads to.
    pub(crate) slots: Vec<Slot>,
    /// For each resource that ends of vectors are asked for, the slot of each node.
    pub(crate) tables: Vec<Option<Box<[u32]>>>,
    /// The slot of each resource and node.
    pub(crate) index: SlotIndex,
    /// Values that fit into no word and are known from the start.
    pub(crate) pool: Vec<Value>,
    /// Fixed values that tests compare with.
    pub(crate) bounds: Vec<Value>,
    /// How numbers are compared.
    pub(crate) zeros: Zeros,
    /// Whether values outside of their spaces are only counted.
    pub(crate) unbounded: bool,
    /// Who sees what: how it is kept.
    pub(crate) sight: Sight,
    /// Where the words of [`Sight::Masks`] begin, one for each node.
    pub(crate) seen: u32,
    /// Where the bits of nodes without resources begin, 64 nodes to a word; `None` if that is no matter.
    pub(crate) bare: Option<u32>,
    /// Where the present odds of consequences with a discount begin.
    pub(crate) odds: u32,
    /// Tests of nodes that vectors are chosen by.
    pub(crate) tests: Vec<Test>,
    /// What has to be asked again when something is written; slots and nodes have ranges in it.
    pub(crate) deps: Vec<Dep>,
    /// What has to be asked once, at the beginning; empty from then on.
    pub(crate) first: Vec<Dep>,
    /// For each node, what has to be asked again when somebody else sees it.
    pub(crate) node_deps: Vec<[u32; 2]>,
    /// Words and bits that belong to one end of the vectors of a node.
    pub(crate) bits: Vec<(u32, u64)>,
    /// Which vectors a consequence may be for.
    pub(crate) vector_sets: Vec<VectorSet>,
    /// The vectors: nodes at their ends.
    pub(crate) vectors: Vec<[NodeId; 2]>,
    /// For each node the vectors from it, and those to it.
    pub(crate) at_node: Vec<[Box<[u32]>; 2]>,
    /// For each team, what its choices come to.
    pub(crate) choices: Vec<Box<[Offer]>>,
    /// The actions.
    pub(crate) actions: Vec<Action>,
    /// What each team earns.
    pub(crate) rewards: Vec<Option<Expr>>,
    /// For each team, whether its reward can fail to be a number, and has to be looked at in every turn.
    pub(crate) reward_checks: Vec<bool>,
    /// For each team, its own bit in [`Sight::Masks`].
    pub(crate) team_bits: Vec<u64>,
    /// When the game is over.
    pub(crate) completed: Test,
    /// The words and tags of every state at its beginning.
    pub(crate) words: Box<[u64]>,
    pub(crate) tags: Box<[u8]>,
    /// What teams expect of what they do not observe; `None` if that is the beginning of this game.
    pub(crate) expected: Option<Expected>,
}

/// The beginning of a game of which another one is a variant.
#[derive(Debug)]
pub(crate) struct Expected {
    /// The words of slots.
    pub(crate) words: Box<[u64]>,
    /// Their tags.
    pub(crate) tags: Box<[u8]>,
    /// Who sees each node.
    pub(crate) labels: Vec<Arc<Labels>>,
}

/// No slot.
pub(crate) const NO_SLOT: u32 = u32::MAX;

impl Compiled {
    /// The slot of a resource of a node.
    #[inline]
    pub(crate) fn slot_at(&self, resource: u32, node: NodeId) -> Option<u32> {
        match self.tables.get(resource as usize) {
            Some(Some(table)) => Some(table[node.index()]).filter(|&slot| slot != NO_SLOT),
            _ => self.index.get(&(resource, node.0)).copied(),
        }
    }

    /// Labels as bits of [`Sight::Masks`].
    pub(crate) fn bits_of(&self, labels: &Labels) -> u64 {
        let Sight::Masks(known) = &self.sight else { return 0 };
        labels.iter().filter_map(|label| known.get_index_of(label)).fold(0, |all, bit| all | 1 << bit)
    }

    /// The word and the tag of a slot that no team has observed.
    #[inline]
    pub(crate) fn expected(&self, slot: usize) -> (u64, u8) {
        match &self.expected {
            Some(expected) => (expected.words[slot], expected.tags[slot]),
            None => (self.words[slot], self.tags[slot]),
        }
    }

    /// What a slot is declared to range over.
    pub(crate) fn space(&self, slot: u32) -> Option<&Space> {
        let board = &self.game.board;
        let declared = (slot as usize) < board.slots().len();
        let declaration = if declared { board.slot(SlotId(slot)).declaration.as_ref() } else { None };
        declaration.map(|declaration| &declaration.space)
    }

    /// The name of a slot as it is written.
    pub(crate) fn slot_name(&self, slot: u32) -> String {
        let Slot { node, resource, .. } = self.slots[slot as usize];
        format!("{}.{}", self.game.board.node(node).name, self.game.board.resource(ResourceId(resource)))
    }

    /// The name of a place as it is written.
    pub(crate) fn place_name(&self, place: Place) -> String {
        let end = |end| if end == End::Source { "_source" } else { "_target" };
        match place {
            Place::Resource(slot) => self.slot_name(slot.0),
            Place::Observable(node) => format!("{}.observable", self.game.board.node(node).name),
            Place::End(at, resource) => format!("{}.{}", end(at), self.game.board.resource(resource)),
            Place::EndObservable(at) => format!("{}.observable", end(at)),
        }
    }

    /// Whether rewards are computed from what a team observes.
    pub(crate) fn rewards_observe(&self) -> bool {
        self.game.rules.reward_view == View::Observation
    }
}

/// From a resource and a node to a slot.
pub(crate) type SlotIndex = HashMap<(u32, u32), u32, FxBuildHasher>;

/// How it is kept who sees a node.
#[derive(Debug)]
pub(crate) enum Sight {
    /// A bit for each of these labels: all that the game can give, and nothing asks for their order.
    Masks(Labels),
    /// As sets, in each state; these are those of the beginning.
    Sets(Vec<Arc<Labels>>),
}

/// How the value of a slot is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Store {
    /// Always a whole number.
    Int,
    /// Always a real number.
    Real,
    /// Always a whole or a real number; the word is that of a real number, and the tag says which it is.
    Number,
    /// Always a truth value.
    Bool,
    /// Of any kind, or missing: the tag says so.
    Tagged,
}

impl Store {
    /// Whether a slot of this kind can hold a value.
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

/// What a slot may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bounds {
    /// Whatever is ever put there.
    Free,
    /// Whole numbers of a range.
    Range(i32, i32),
    /// Real numbers of a range.
    Span(f64, f64),
    /// What the declaration says.
    Declared,
}

impl Bounds {
    /// Whether a number is among what a slot may take, if that is a range.
    #[inline]
    pub(crate) fn has(self, number: f64) -> Option<bool> {
        match self {
            // Without a fraction: real numbers of 32 bits stay the same when they are cut off.
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
    pub(crate) store: Store,
    pub(crate) bounds: Bounds,
    /// What has to be asked again when it is written: a range of [`Compiled::deps`].
    pub(crate) deps: [u32; 2],
}

/// Where a value comes from.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    Constant(Cell),
    Int(u32),
    Real(u32),
    Number(u32),
    Bool(u32),
    Tagged(u32),
    /// A resource of an end of the chosen vector.
    End(End, u32),
    /// An intermediate value.
    Computed(u32),
    /// The slot as a team observes it: `initial` while its label is not on the node.
    Seen {
        slot: u32,
        node: u32,
        label: u64,
        initial: Cell,
    },
    /// Anything else.
    Field(Box<Field>),
}

/// A test, as a graph of decisions: each has a place to go to for yes and one for no.
#[derive(Debug, Clone)]
pub(crate) struct Test {
    pub(crate) code: Box<[Branch]>,
    pub(crate) entry: u32,
}

/// Where a test ends that holds.
pub(crate) const YES: u32 = u32::MAX;
/// Where a test ends that does not hold.
pub(crate) const NO: u32 = u32::MAX - 1;

impl Test {
    /// The truth of a test without decisions.
    pub(crate) fn constant(&self) -> Option<bool> {
        (self.entry >= NO).then_some(self.entry == YES)
    }
}

/// A decision.
#[derive(Debug, Clone)]
pub(crate) struct Branch {
    pub(crate) atom: Atom,
    pub(crate) yes: u32,
    pub(crate) no: u32,
}

/// A set of orders, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Orders(u8);

impl Orders {
    /// Those that a comparison holds for.
    pub(crate) fn of(comparison: Comparison) -> Self {
        Self(match comparison {
            Comparison::Less => 0b001,
            Comparison::Equal => 0b010,
            Comparison::LessOrEqual => 0b011,
            Comparison::Greater => 0b100,
            Comparison::NotEqual => 0b101,
            Comparison::GreaterOrEqual => 0b110,
        })
    }

    /// The whole numbers that have one of these orders to a bound: those of a range, or all others.
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

    /// Whether this is one of them.
    #[inline]
    pub(crate) fn has(self, order: Ordering) -> bool {
        self.0 >> (order as i8 + 1) & 1 != 0
    }
}

/// The order of two real numbers, as [`goalspec_core::resource::compare::compare`] has it.
#[inline]
pub(crate) fn order(one: f64, other: f64, zeros: Zeros) -> Ordering {
    match one.partial_cmp(&other) {
        Some(Ordering::Equal) if zeros == Zeros::Signed => other.is_sign_negative().cmp(&one.is_sign_negative()),
        Some(order) => order,
        None => one.is_nan().cmp(&other.is_nan()),
    }
}

/// What is decided at once.
#[derive(Debug, Clone)]
pub(crate) enum Atom {
    /// A whole number: whether being one of a range is as it should be.
    Int { slot: u32, min: i32, max: i32, inside: bool },
    /// A whole number and a fixed real one.
    Wide { slot: u32, orders: Orders, bound: f64 },
    /// A real or any number and a fixed one.
    Real { slot: u32, orders: Orders, bound: f64 },
    /// A truth value.
    Bool { slot: u32, truth: bool },
    /// Any value and a fixed one of [`Compiled::bounds`].
    Compare { source: Source, comparison: Comparison, bound: u32 },
    /// Whether a node has one of these labels.
    Seen { node: u32, labels: u64 },
    /// Any test of a value.
    Value { source: Source, filter: Box<ValueFilter> },
    /// A computation that yields a truth value.
    Truth(Box<Filter>),
}

/// A computation.
#[derive(Debug, Clone)]
pub(crate) enum Expr {
    Source(Source),
    Calculate(Box<Numeric>),
    /// The value of the first case that holds.
    Condition(Box<[(Test, Self)]>),
    /// Anything else.
    General(Box<Compute>),
}

/// A numeric expression: registers hold first the fields, then the constants, then what is computed, the last one the whole.
#[derive(Debug, Clone)]
pub(crate) struct Numeric {
    pub(crate) loads: Box<[Source]>,
    pub(crate) constants: Box<[f64]>,
    pub(crate) operations: Box<[Operation]>,
    /// How many registers there are.
    pub(crate) registers: usize,
    /// The register of the whole.
    pub(crate) whole: u16,
}

/// Something computed from registers.
#[derive(Debug, Clone)]
pub(crate) enum Operation {
    Negate(u16),
    Add(u16, u16),
    Subtract(u16, u16),
    Multiply(u16, u16),
    Divide(u16, u16),
    Unary(Unary, u16),
    Binary(Binary, u16, u16),
    Aggregate(Aggregate, Box<[u16]>),
    Random,
    Between(u16, u16),
}

/// Something written.
#[derive(Debug, Clone)]
pub(crate) struct Effect {
    pub(crate) target: Target,
    pub(crate) value: Expr,
    /// Whether it may remove what is there, should the value be missing.
    pub(crate) removes: bool,
    /// The place as the game has it, for messages.
    pub(crate) place: Place,
}

/// Where something is written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    Slot(u32),
    End(End, u32),
    Sight(u32),
    EndSight(End),
}

/// An action.
#[derive(Debug)]
pub(crate) struct Action {
    pub(crate) cost: Box<[Effect]>,
    /// The cost as plain writes, if it is.
    pub(crate) plain: Option<Plain>,
    pub(crate) requires: Test,
    pub(crate) consequences: Box<[Consequence]>,
}

/// A consequence.
#[derive(Debug)]
pub(crate) struct Consequence {
    pub(crate) odds: f64,
    /// The place of its present odds among those with a discount, and the discount.
    pub(crate) discount: Option<(u32, f64)>,
    /// Whether a number is drawn before it.
    pub(crate) opens: bool,
    pub(crate) outcome: Outcome,
}

/// What a consequence does. It is `direct` if no value reads what is written before it, so that each can be written as soon as it is
/// computed.
#[derive(Debug)]
pub(crate) enum Outcome {
    Resources { compute: Box<[Expr]>, add: Box<[Effect]>, put: Box<[Effect]>, direct: bool, plain: Option<Plain> },
    Show { label: Arc<str>, bit: u64, set: u32 },
    Vectors { pick: Pick, set: u32, compute: Box<[Expr]>, add: Box<[Effect]>, direct: bool, plain: Option<Plain> },
    Custom { name: Arc<str>, parameters: Box<[(Arc<str>, Option<Value>)]> },
}

/// Effects that write numbers, or values that are fixed, to slots that are certain to be there: all values are computed in
/// registers, then all are written. Registers hold first what is loaded, then what is computed.
#[derive(Debug)]
pub(crate) struct Plain {
    pub(crate) loads: Box<[Load]>,
    pub(crate) operations: Box<[Operation]>,
    pub(crate) writes: Box<[Write]>,
}

/// How many registers plain effects may have.
pub(crate) const PLAIN_REGISTERS: usize = 32;

/// A number that plain effects begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Load {
    /// The one of these bits.
    Constant(u64),
    /// That of a slot for whole numbers.
    Int(u32),
    /// That of a slot for real or any numbers.
    Real(u32),
    /// That of a resource of an end of the chosen vector, which is whole at each of them.
    EndInt(End, u32),
    /// And which is real or any number at each of them.
    EndReal(End, u32),
}

/// A plain effect.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Write {
    /// Adds to a whole number; whether the sum is in the range is at most counted.
    Count { slot: u32, added: i32, min: i32, max: i32 },
    /// Adds the number of a register to a real or any number.
    Grow { slot: u32, added: u16 },
    /// Adds anything else.
    Add { target: Target, value: Written },
    /// Puts a value in the place of what is there.
    Put { target: Target, value: Written },
}

/// What a plain effect writes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Written {
    /// This value, which is not missing.
    Fixed(Cell),
    /// The whole number in a register.
    Int(u16),
    /// The real number in a register.
    Real(u16),
}

/// What a choice of a team comes to.
#[derive(Debug)]
pub(crate) struct Offer {
    pub(crate) what: What,
    /// What each parameter is to the vectors.
    pub(crate) roles: Box<[Role]>,
}

/// What is chosen.
#[derive(Debug, Clone, Copy)]
pub(crate) enum What {
    /// The free pass.
    Pass,
    /// An action.
    Action(ActionId),
    /// Nothing that the game defines.
    Undefined,
}

/// What a parameter is to the vectors that consequences pick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It says where they come from.
    Source,
    /// It says where they go.
    Target,
    /// Nothing.
    None,
}

/// Which vectors match, kept up to date with every write: two stretches of words, a bit for each vector.
#[derive(Debug, Clone)]
pub(crate) enum VectorSet {
    /// A vector matches where both words have its bit.
    Masks { source: u32, target: u32, words: u32 },
    /// Both ends are asked each time: tests that can fail, draw, or read parameters.
    Asked(Box<[Filter; 2]>),
}

/// A test to be asked again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dep {
    /// The test, in [`Compiled::tests`].
    pub(crate) test: u32,
    /// The words and bits that follow its truth: a range of [`Compiled::bits`], not empty.
    pub(crate) bits: [u32; 2],
}

/// How many registers an expression may have without a list of its own for them.
pub(crate) const REGISTERS: usize = 24;

#[cfg(test)]
mod tests {
    use super::{Comparison, Orders};

    #[test]
    fn orders_are_ranges() {
        use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        let numbers = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX - 1, i32::MAX];
        for orders in [Less, Equal, LessOrEqual, Greater, NotEqual, GreaterOrEqual].map(Orders::of) {
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
