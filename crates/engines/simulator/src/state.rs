//! The state of one game: an array of words, and the values that do not fit into words.

use std::sync::Arc;

use goalspec_resource::board::{NodeId, SlotId};
use goalspec_resource::game::TeamId;
use goalspec_resource::random::RandomStream;
use goalspec_resource::rules;
use goalspec_resource::turn::{GameErrorKind, Overflow};
use goalspec_resource::value::{Labels, Value};

use crate::cell::Cell;
use crate::eval::EvalContext;
use crate::program::CompiledResourceGame;
use crate::program::node_tests::TestRange;
use crate::program::observers::ObserverStorage;
use crate::program::slots::{Slot, SlotRange, SlotStorage};

/// The cause of a failure, boxed to keep successful results small.
pub(crate) type BoxedErrorKind = Box<GameErrorKind>;

/// The number of values per slot that the pool of a state may contain before unreferenced ones are dropped.
const POOL_PER_SLOT: usize = 2;
/// The number of values that the pool may contain in addition.
const POOL_SLACK: usize = 64;

/// The state of a running game, queried through the [`Simulator`](crate::Simulator) that created it.
#[derive(Debug, PartialEq)]
pub struct State {
    /// The slots, bit masks and odds: see [`WordLayout`](crate::program::words::WordLayout).
    pub(crate) words: Box<[u64]>,
    /// The tags of the slots; those of slots with a single kind never change.
    pub(crate) tags: Box<[u8]>,
    /// The strings, sets, lists and maps created by the game.
    pub(crate) pool: Vec<Value>,
    /// The observers of the nodes, if [`ObserverStorage::Sets`] represents them.
    pub(crate) observer_sets: Vec<Arc<Labels>>,
    /// The resources that custom results created outside the slots of the game.
    pub(crate) extra_resources: Vec<(NodeId, Arc<str>, Value)>,
    /// The source of random numbers.
    pub(crate) stream: RandomStream,
    /// The number of turns played.
    pub(crate) turns: u32,
    /// The index of the current turn in the turn order of the game.
    pub(crate) turn_index: u32,
    /// The slots of the values outside their spaces in this turn.
    pub(crate) outside: Vec<SlotId>,
    /// The locations of integer overflows in this turn.
    pub(crate) overflows: Vec<Overflow>,
}

// Implemented by hand so that `clone_from` reuses the memory.
impl Clone for State {
    fn clone(&self) -> Self {
        Self {
            words: self.words.clone(),
            tags: self.tags.clone(),
            pool: self.pool.clone(),
            observer_sets: self.observer_sets.clone(),
            extra_resources: self.extra_resources.clone(),
            stream: self.stream.clone(),
            turns: self.turns,
            turn_index: self.turn_index,
            outside: self.outside.clone(),
            overflows: self.overflows.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.words.clone_from(&source.words);
        self.tags.clone_from(&source.tags);
        self.pool.clone_from(&source.pool);
        self.observer_sets.clone_from(&source.observer_sets);
        self.extra_resources.clone_from(&source.extra_resources);
        self.stream.clone_from(&source.stream);
        self.turns = source.turns;
        self.turn_index = source.turn_index;
        self.outside.clone_from(&source.outside);
        self.overflows.clone_from(&source.overflows);
    }
}

impl State {
    /// Creates the initial state.
    pub(crate) fn new(c: &CompiledResourceGame, seed: u64, index: u64) -> Self {
        Self {
            words: c.initial.words().into(),
            tags: c.initial.tags().into(),
            pool: Vec::new(),
            observer_sets: c.observers.initial_sets().to_vec(),
            extra_resources: Vec::new(),
            stream: RandomStream::new(seed, index),
            turns: 0,
            turn_index: 0,
            outside: Vec::new(),
            overflows: Vec::new(),
        }
    }

    /// Resets the state to the initial state of another game.
    pub(crate) fn reset(&mut self, c: &CompiledResourceGame, seed: u64, index: u64) {
        self.words.copy_from_slice(c.initial.words());
        self.tags.copy_from_slice(c.initial.tags());
        self.pool.clear();
        self.extra_resources.clear();
        self.observer_sets.clone_from_slice(c.observers.initial_sets());
        self.stream = RandomStream::new(seed, index);
        self.turns = 0;
        self.turn_index = 0;
        self.outside.clear();
        self.overflows.clear();
    }

    /// Advances to the next turn.
    #[inline]
    pub(crate) fn end_turn(&mut self, c: &CompiledResourceGame) {
        self.turns += 1;
        self.turn_index += 1;
        if self.turn_index as usize == c.game.turns.len() {
            self.turn_index = 0;
        }
    }

    /// Returns the number of turns played.
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// Returns the source of random numbers.
    pub fn stream(&mut self) -> &mut RandomStream {
        &mut self.stream
    }

    /// Returns the size of the state in bytes, without shared strings.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.words)
            + size_of_val(&*self.tags)
            + self.pool.capacity() * size_of::<Value>()
            + self.observer_sets.capacity() * size_of::<Arc<Labels>>()
            + self.extra_resources.capacity() * size_of::<(NodeId, Arc<str>, Value)>()
    }

    /// Returns the content of a slot.
    #[inline]
    pub(crate) fn cell(&self, slot: u32) -> Cell {
        Cell::from_parts(self.tags[slot as usize], self.words[slot as usize])
    }

    /// Returns a value of the pools.
    pub(crate) fn pooled<'a>(&'a self, c: &'a CompiledResourceGame, place: u32) -> &'a Value {
        let place = place as usize;
        c.constants.pooled(place).unwrap_or_else(|| &self.pool[place - c.constants.pool_len()])
    }

    /// Returns the value of a cell.
    pub(crate) fn value(&self, c: &CompiledResourceGame, cell: Cell) -> Option<Value> {
        Some(match cell {
            Cell::Missing => return None,
            Cell::Int(value) => Value::Int(value),
            Cell::Real(value) => Value::Real(value),
            Cell::Bool(value) => Value::Bool(value),
            Cell::Pooled(place) => self.pooled(c, place).clone(),
        })
    }

    /// Returns the cell of a value, adding the value to the pool if necessary.
    pub(crate) fn cell_of(&mut self, c: &CompiledResourceGame, value: Option<Value>) -> Cell {
        match (Cell::plain(value.as_ref()), value) {
            (Some(cell), _) => cell,
            (None, None) => Cell::Missing,
            (None, Some(value)) => {
                self.pool.push(value);
                Cell::Pooled((c.constants.pool_len() + self.pool.len() - 1) as u32)
            }
        }
    }

    /// Drops the unreferenced values of the pool if it has grown beyond its limit. Cells other than those in slots become
    /// invalid.
    pub(crate) fn compact_if_full(&mut self, c: &CompiledResourceGame) {
        if self.pool.len() <= POOL_PER_SLOT * c.slots.len() + POOL_SLACK {
            return;
        }
        self.compact(c);
    }

    /// Drops the unreferenced values of the pool. Cells other than those in slots become invalid.
    pub(crate) fn compact(&mut self, c: &CompiledResourceGame) {
        let old = std::mem::take(&mut self.pool);
        for slot in 0..c.slots.len() as u32 {
            if let Cell::Pooled(place) = self.cell(slot)
                && let Some(own) = (place as usize).checked_sub(c.constants.pool_len())
            {
                let cell = self.cell_of(c, Some(old[own].clone()));
                self.words[slot as usize] = cell.word();
            }
        }
    }

    /// Replaces the value of a slot.
    #[inline]
    pub(crate) fn put(&mut self, c: &CompiledResourceGame, slot: u32, cell: Cell) -> Result<(), BoxedErrorKind> {
        let info = c.slots.get(slot);
        let cell = match (info.range, cell) {
            (SlotRange::Free, _) => cell,
            (SlotRange::Range(min, max), Cell::Int(value)) if min <= value && value <= max => cell,
            (SlotRange::Span(min, max), Cell::Real(value)) if min <= value && value <= max => cell,
            _ => self.checked(c, slot, cell)?,
        };
        let (tag, word) = cell.parts(info.storage);
        self.words[slot as usize] = word;
        if matches!(info.storage, SlotStorage::Tagged | SlotStorage::Number) {
            self.tags[slot as usize] = tag;
        }
        self.written(c, info);
        Ok(())
    }

    /// Adds to the value of a slot.
    #[inline]
    pub(crate) fn add(&mut self, c: &CompiledResourceGame, slot: u32, added: Cell) -> Result<(), BoxedErrorKind> {
        let info = c.slots.get(slot);
        // The common cases, without decoding and encoding cells.
        match (info.storage, added) {
            (SlotStorage::Int, Cell::Int(added)) => {
                let (sum, overflows) = (self.words[slot as usize] as i32).overflowing_add(added);
                if overflows {
                    self.overflowed(info);
                }
                if !self.fits(c, slot, info, f64::from(sum)) {
                    return self.put(c, slot, Cell::Int(sum));
                }
                self.words[slot as usize] = u64::from(sum.cast_unsigned());
            }
            (SlotStorage::Real | SlotStorage::Number, Cell::Real(added)) => return self.add_real(c, slot, added),
            (SlotStorage::Bool, Cell::Bool(added)) if info.range == SlotRange::Free => {
                self.words[slot as usize] = u64::from(added);
            }
            _ => {
                let existing = self.cell(slot);
                if existing.plus_overflows(added) {
                    self.overflowed(info);
                }
                return self.put(c, slot, existing.plus(added));
            }
        }
        self.written(c, info);
        Ok(())
    }

    /// Adds a real number to a real or numeric slot.
    #[inline]
    pub(crate) fn add_real(&mut self, c: &CompiledResourceGame, slot: u32, added: f64) -> Result<(), BoxedErrorKind> {
        let info = c.slots.get(slot);
        let sum = f64::from_bits(self.words[slot as usize]) + added;
        if !self.fits(c, slot, info, sum) {
            return self.put(c, slot, Cell::Real(sum));
        }
        self.words[slot as usize] = sum.to_bits();
        if info.storage == SlotStorage::Number {
            self.tags[slot as usize] = Cell::Real(sum).tag();
        }
        self.written(c, info);
        Ok(())
    }

    /// Whether a number can be stored in a slot unchanged; counts it if it is outside a range where that is permitted.
    #[inline]
    fn fits(&mut self, c: &CompiledResourceGame, slot: u32, info: &Slot, number: f64) -> bool {
        match info.range.has(number) {
            Some(true) => true,
            Some(false) if c.numbers.unbounded => {
                self.outside.push(SlotId(slot));
                true
            }
            Some(false) => false,
            None => info.range == SlotRange::Free,
        }
    }

    /// Records an integer overflow in a slot.
    #[cold]
    pub(crate) fn overflowed(&mut self, info: &Slot) {
        self.overflows.push(Overflow::Resource(info.node, info.resource));
    }

    /// Re-evaluates the tests that depend on a slot.
    #[inline]
    pub(crate) fn written(&mut self, c: &CompiledResourceGame, info: &Slot) {
        if !info.dependents.is_empty() {
            self.reevaluate_tests(c, info.dependents);
        }
    }

    /// Returns the value to store in a slot for `cell`; counts values outside the slot's space and applies the rules to them.
    fn checked(&mut self, c: &CompiledResourceGame, slot: u32, cell: Cell) -> Result<Cell, BoxedErrorKind> {
        if c.numbers.unbounded
            && let Some(number) = cell.as_f64()
            && let Some(inside) = c.slots.get(slot).range.has(number)
        {
            if !inside {
                self.outside.push(SlotId(slot));
            }
            return Ok(cell);
        }
        let Some(space) = c.space(slot) else { return Ok(cell) };
        let Some(value) = self.value(c, cell) else { return Ok(cell) };
        if space.contains(&value) {
            return Ok(cell);
        }
        self.outside.push(SlotId(slot));
        match c.game.rules.bounds {
            rules::SpaceBoundsRule::Ignore => Ok(cell),
            rules::SpaceBoundsRule::Clamp => Ok(self.cell_of(c, Some(space.clamp(value)))),
            rules::SpaceBoundsRule::Error => {
                Err(Box::new(GameErrorKind::OutOfBounds { place: c.slot_name(slot), value }))
            }
        }
    }

    /// Re-evaluates tests of nodes, and updates the bits that mirror their values.
    fn reevaluate_tests(&mut self, c: &CompiledResourceGame, tests: TestRange) {
        for test in c.node_tests.dependents(tests) {
            let bits = c.node_tests.bits(test);
            let before = bits.first().is_some_and(|&(word, bit)| self.words[word as usize] & bit != 0);
            // Tests that can fail are not mirrored but evaluated on each use, so none of these fails.
            let is = self.holds(c, &test.graph, &EvalContext::default()).unwrap_or(before);
            if before != is {
                for &(word, bit) in bits {
                    self.words[word as usize] ^= bit;
                }
            }
        }
    }

    /// Returns the bit mask of the observers of a node.
    #[inline]
    pub(crate) fn observer_mask(&self, c: &CompiledResourceGame, node: NodeId) -> u64 {
        self.words[c.layout.observers(node)]
    }

    /// Returns the labels of the observers of a node.
    pub(crate) fn labels(&self, c: &CompiledResourceGame, node: NodeId) -> Arc<Labels> {
        match c.observers.storage() {
            ObserverStorage::Masks(known) => {
                let bits = self.observer_mask(c, node);
                let labels = known.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 != 0);
                Arc::new(labels.map(|(_, label)| label.clone()).collect())
            }
            ObserverStorage::Sets(_) => self.observer_sets[node.index()].clone(),
        }
    }

    /// Replaces the labels of the observers of a node.
    pub(crate) fn set_labels(&mut self, c: &CompiledResourceGame, node: NodeId, labels: Labels) {
        match c.observers.storage() {
            // Bit masks are used only if all possible labels are known.
            ObserverStorage::Masks(_) => self.set_observer_mask(c, node, c.observers.mask_of(&labels)),
            ObserverStorage::Sets(_) => self.replace_sets(c, node, Arc::new(labels)),
        }
    }

    /// Replaces the labels of a node that are represented as a set.
    pub(crate) fn replace_sets(&mut self, c: &CompiledResourceGame, node: NodeId, labels: Arc<Labels>) {
        self.observer_sets[node.index()] = labels;
        self.reevaluate_tests(c, c.node_tests.of_node(node));
    }

    /// Adds a label to the observers of a node.
    pub(crate) fn add_observer(&mut self, c: &CompiledResourceGame, node: NodeId, label: &Arc<str>, bit: u64) {
        match c.observers.storage() {
            ObserverStorage::Masks(_) => self.set_observer_mask(c, node, self.observer_mask(c, node) | bit),
            ObserverStorage::Sets(_) => {
                Arc::make_mut(&mut self.observer_sets[node.index()]).insert(label.clone());
                self.reevaluate_tests(c, c.node_tests.of_node(node));
            }
        }
    }

    pub(crate) fn set_observer_mask(&mut self, c: &CompiledResourceGame, node: NodeId, mask: u64) {
        self.words[c.layout.observers(node)] = mask;
        self.reevaluate_tests(c, c.node_tests.of_node(node));
    }

    /// Whether a team sees a node.
    pub(crate) fn sees(&self, c: &CompiledResourceGame, team: TeamId, node: NodeId) -> bool {
        match c.observers.storage() {
            ObserverStorage::Masks(_) => self.observer_mask(c, node) & c.observers.team_bit(team) != 0,
            ObserverStorage::Sets(_) => self.observer_sets[node.index()].contains(&c.game.teams[team.index()].name),
        }
    }

    /// Whether a node is bare, where the rules treat this as an error.
    #[inline]
    pub(crate) fn is_bare(&self, c: &CompiledResourceGame, node: NodeId) -> bool {
        c.layout.bare_node(node).is_some_and(|(word, bit)| self.words[word] & bit != 0)
    }

    /// Records that a node is no longer bare.
    #[inline]
    pub(crate) fn mark_not_bare(&mut self, c: &CompiledResourceGame, node: NodeId) {
        if let Some((word, bit)) = c.layout.bare_node(node) {
            self.words[word] &= !bit;
        }
    }
}
