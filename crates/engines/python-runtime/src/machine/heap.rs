//! The heap: cells that values refer to.
//!
//! Most cells are of no use after the call that allocated them. A call in which no reference to such a young cell was stored in an older
//! cell or in a global variable frees all young cells at its end. All other cells are freed by mark and sweep.

use std::sync::Arc;

use super::exceptions::{Exception, TracebackEntry};
use super::library::ContextManager;
use super::screen::ScreenObject;
use super::value::{Class, Function, HeapObject, HeapRef, TupleElements, Value};
use super::wrappers::Wrapper;

/// The cells, indexed by [`HeapRef`].
#[derive(Debug, Default)]
pub(crate) struct Heap {
    cells: Vec<HeapObject>,
    /// For each cell, the call during which it was allocated.
    calls: Vec<u32>,
    /// The unused cells at the start of the current call. The first `free_count` of them are still unused; the others are young.
    free_list: Vec<u32>,
    free_count: usize,
    /// The number of cells at the start of the current call; those from here on are young.
    first_new: usize,
    /// The number of the current call.
    call: u32,
    /// The cells of the objects of the screen, which are not freed between calls but written anew. The first `screen_count` of them are in
    /// use.
    screen_cells: Vec<HeapRef>,
    screen_count: usize,
    /// Whether a cell from before the current call, or a variable that outlives the call, may refer to a young cell.
    young_escape: bool,
    /// The cells from before the current call that were changed, with the estimated bytes of their contents before: each may refer to a
    /// young cell. At most [`MAX_CHANGED`].
    changed: Vec<(HeapRef, usize)>,
    /// The estimated bytes at the start of the current call, with what older cells have grown since.
    old_bytes: usize,
    /// The number of changes that classes may have undergone.
    class_version: u32,
    /// Estimated bytes of all live cells, at the time when they were allocated or grew.
    bytes: usize,
    /// Live bytes after the last collection.
    live_bytes: usize,
    /// Units of work for the cells allocated since the last call of [`take_work`](Self::take_work).
    allocation_work: u64,
    /// The texts of the ASCII characters; none before the first of them is asked for.
    ascii_texts: Vec<Arc<str>>,
}

/// Bytes of a cell, excluding its contents.
const CELL_BYTES: usize = size_of::<HeapObject>();

/// Minimum and maximum growth in bytes since the last collection that makes the next one worthwhile. In between, the threshold is a quarter
/// of the live bytes, so that collecting costs no more than allocating did.
const COLLECTION_THRESHOLD: [usize; 2] = [1 << 20, 8 << 20];

/// The maximum number of changed cells, and of their references, that are examined at the end of a call.
const MAX_CHANGED: usize = 16;
const MAX_EXAMINED: usize = 256;

/// The number of bytes of a new cell's contents per unit of work.
const ALLOCATED_BYTES_PER_UNIT: usize = 256;

impl Heap {
    /// Returns the estimated bytes of all live cells.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns whether the heap has grown enough since the last collection for the next one to be worthwhile.
    #[inline]
    pub(crate) fn should_collect(&self) -> bool {
        let [min, max] = COLLECTION_THRESHOLD;
        self.bytes > self.live_bytes + (self.live_bytes / 4).clamp(min, max)
    }

    /// Returns the units of work for the cells allocated since the last call.
    #[inline]
    pub(crate) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.allocation_work)
    }

    /// Returns whether the heap has grown by half of the space that was left below a limit at the last collection, and by at least 1 MiB.
    #[inline]
    pub(crate) fn is_near_limit(&self, limit: usize) -> bool {
        self.bytes > self.live_bytes + (limit.saturating_sub(self.live_bytes) / 2).max(COLLECTION_THRESHOLD[0])
    }

    /// Returns the number of cells, including free ones.
    pub(crate) fn cell_count(&self) -> usize {
        self.cells.len()
    }

    /// Begins a call: all cells become old.
    pub(crate) fn begin_call(&mut self) {
        self.allocation_work = 0;
        self.end_young_generation();
    }

    fn end_young_generation(&mut self) {
        self.free_list.truncate(self.free_count);
        self.first_new = self.cells.len();
        self.call = self.call.wrapping_add(1);
        self.young_escape = false;
        self.changed.clear();
        self.old_bytes = self.bytes;
        self.screen_count = 0;
    }

    /// Returns a cell with a plain object of the screen, whose attributes are to be overwritten.
    #[inline]
    pub(crate) fn screen_cell(&mut self) -> (HeapRef, &mut ScreenObject) {
        let at = match self.screen_cells.get(self.screen_count) {
            Some(&at) => {
                self.bytes += CELL_BYTES;
                self.allocation_work += 1;
                self.calls[at.0 as usize] = self.call;
                at
            }
            None => self.new_screen_cell(),
        };
        self.screen_count = self.screen_count.wrapping_add(1);
        match &mut self.cells[at.0 as usize] {
            HeapObject::Screen(object) => {
                if matches!(object, ScreenObject::Full(_)) {
                    *object = ScreenObject::UNSET;
                }
                (at, object)
            }
            _ => unreachable!("these cells hold objects of the screen"),
        }
    }

    /// Creates a cell that is kept between calls.
    #[cold]
    fn new_screen_cell(&mut self) -> HeapRef {
        let at = self.add(HeapObject::Screen(ScreenObject::UNSET));
        if let Some(place) = self.free_list[self.free_count..].iter().position(|&free| free == at.0) {
            self.free_list.remove(self.free_count + place);
            self.screen_cells.push(at);
        } else if at.0 as usize == self.first_new {
            self.first_new += 1;
            self.screen_cells.push(at);
        } else {
            // The cell is freed with the other young ones at the end of the call.
            self.screen_count = self.screen_count.wrapping_sub(1);
        }
        at
    }

    /// Records a change after which a cell from before the current call may refer to young cells.
    fn record_change(&mut self, at: HeapRef) {
        if self.young_escape || self.changed.iter().any(|&(changed, _)| changed == at) {
            return;
        }
        if self.changed.len() < MAX_CHANGED {
            self.changed.push((at, content_bytes(&self.cells[at.0 as usize])));
        } else {
            self.young_escape = true;
        }
    }

    /// Returns whether one of the changed cells refers to a young cell, or whether they are too many to tell.
    fn changed_cells_refer_to_young(&self) -> bool {
        let (mut examined, mut found) = (0, false);
        for &(at, _) in &self.changed {
            if content_bytes(&self.cells[at.0 as usize]) > MAX_EXAMINED * size_of::<Value>() {
                return true;
            }
            super::heap_references::visit_references(&self.cells[at.0 as usize], &mut |value| {
                examined += 1;
                found |= match value {
                    Value::Ref(at) | Value::BuiltinMethod { receiver: at, .. } => self.is_young(at),
                    Value::Method { receiver, function } => self.is_young(receiver) || self.is_young(function),
                    _ => false,
                };
            });
            if found || examined > MAX_EXAMINED {
                return true;
            }
        }
        false
    }

    /// Frees the young cells if nothing that outlives the call refers to one of them. Returns whether it did.
    pub(crate) fn free_young(&mut self) -> bool {
        if self.young_escape || self.changed_cells_refer_to_young() {
            // One of the objects of the screen may live on.
            self.screen_cells.clear();
            return false;
        }
        for &(at, before) in &self.changed {
            let after = content_bytes(&self.cells[at.0 as usize]);
            self.old_bytes = (self.old_bytes + after).saturating_sub(before);
        }
        for &place in &self.free_list[self.free_count..] {
            self.cells[place as usize] = HeapObject::Free;
        }
        for place in self.first_new..self.cells.len() {
            self.cells[place] = HeapObject::Free;
            self.free_list.push(place as u32);
        }
        self.free_count = self.free_list.len();
        self.bytes = self.old_bytes;
        true
    }

    /// Stores a cell, in a free slot if there is one.
    pub(crate) fn add(&mut self, cell: HeapObject) -> HeapRef {
        self.add_in_place(cell)
    }

    /// Stores a cell of a known variant like [`add`](Self::add), without a copy of it.
    ///
    /// A processor delays a read that is wider than the writes before it, and the copy of a new cell is one.
    #[allow(clippy::inline_always, reason = "a call would copy the cell")]
    #[inline(always)]
    pub(crate) fn add_in_place(&mut self, cell: HeapObject) -> HeapRef {
        if matches!(cell, HeapObject::Class(_)) {
            self.class_version = self.class_version.wrapping_add(1);
        }
        let at = self.allocate(content_bytes(&cell));
        let unused = std::mem::replace(&mut self.cells[at.0 as usize], cell);
        debug_assert!(matches!(unused, HeapObject::Free), "only unused cells are allocated");
        // An unused cell owns nothing.
        std::mem::forget(unused);
        at
    }

    /// Returns an unused cell for contents of an estimated size in bytes.
    #[inline]
    fn allocate(&mut self, contents: usize) -> HeapRef {
        self.bytes += CELL_BYTES + contents;
        self.allocation_work += 1 + (contents / ALLOCATED_BYTES_PER_UNIT) as u64;
        let Some(left) = self.free_count.checked_sub(1) else { return self.new_cell() };
        self.free_count = left;
        let place = self.free_list[left];
        self.calls[place as usize] = self.call;
        HeapRef(place)
    }

    #[cold]
    fn new_cell(&mut self) -> HeapRef {
        self.cells.push(HeapObject::Free);
        self.calls.push(self.call);
        HeapRef(self.cells.len() as u32 - 1)
    }

    /// Stores a cell that all later calls share, so that none of them is charged for it.
    pub(crate) fn add_shared(&mut self, cell: HeapObject) -> HeapRef {
        let added = self.add_paid(cell);
        self.keep_young();
        added
    }

    /// Stores a cell whose work was deducted before.
    pub(crate) fn add_paid(&mut self, cell: HeapObject) -> HeapRef {
        let work = self.allocation_work;
        let added = self.add(cell);
        self.allocation_work = work;
        added
    }

    #[inline]
    pub(crate) fn get(&self, at: HeapRef) -> &HeapObject {
        &self.cells[at.0 as usize]
    }

    /// Returns a cell for a change after which it may refer to other cells.
    #[inline]
    pub(crate) fn get_mut(&mut self, at: HeapRef) -> &mut HeapObject {
        if !self.is_young(at) {
            self.record_change(at);
        }
        let cell = &mut self.cells[at.0 as usize];
        if matches!(cell, HeapObject::Class(_)) {
            self.class_version = self.class_version.wrapping_add(1);
        }
        cell
    }

    /// Returns a cell that is no class for a change after which it refers to no cell but `stored` and those that it already refers to.
    #[inline]
    pub(crate) fn get_mut_to_store(&mut self, at: HeapRef, stored: Value) -> &mut HeapObject {
        if !self.is_young(at) {
            self.keep(stored);
        }
        &mut self.cells[at.0 as usize]
    }

    /// Records that a value is stored in a cell.
    #[inline]
    pub(crate) fn keep_in(&mut self, at: HeapRef, value: Value) {
        if !self.is_young(at) {
            self.keep(value);
        }
    }

    /// Records that a value is stored where it outlives the call.
    #[inline]
    pub(crate) fn keep(&mut self, value: Value) {
        match value {
            Value::Ref(at) if self.is_young(at) => self.young_escape = true,
            _ => {}
        }
    }

    /// Records that young cells may be referred to from outside the heap after the call.
    #[inline]
    pub(crate) fn keep_young(&mut self) {
        self.young_escape = true;
    }

    /// Returns whether a cell was allocated during the current call.
    #[inline]
    pub(crate) fn is_young(&self, at: HeapRef) -> bool {
        self.calls[at.0 as usize] == self.call
    }

    /// Returns a number that differs from earlier ones if a class may have changed since.
    #[inline]
    pub(crate) fn class_version(&self) -> u32 {
        self.class_version
    }

    /// Records that a cell has grown by a number of values, without an [escape](Self::get_mut) of young cells if it is old.
    pub(crate) fn record_growth_of(&mut self, at: HeapRef, values: usize) {
        self.record_growth(values);
        if !self.is_young(at) {
            self.old_bytes += values * size_of::<Value>();
        }
    }

    /// Records that a cell has grown by a number of values.
    pub(crate) fn record_growth(&mut self, values: usize) {
        self.bytes += values * size_of::<Value>();
    }

    /// Records that the size of a cell's contents changed, in bytes.
    pub(crate) fn record_resize(&mut self, before: usize, after: usize) {
        self.bytes = (self.bytes + after).saturating_sub(before);
    }

    pub(crate) fn text(&mut self, text: &str) -> Value {
        Value::Ref(self.add(HeapObject::Text(Arc::from(text))))
    }

    /// Adds the text of a character.
    pub(crate) fn character(&mut self, character: char) -> Value {
        let text = match self.ascii_texts.get(character as usize) {
            Some(text) => Arc::clone(text),
            None if character.is_ascii() => {
                // Most programs take no text apart.
                self.ascii_texts = (0..128u8).map(|code| Arc::from(&*char::from(code).to_string())).collect();
                Arc::clone(&self.ascii_texts[character as usize])
            }
            None => Arc::from(&*character.to_string()),
        };
        Value::Ref(self.add(HeapObject::Text(text)))
    }

    pub(crate) fn list(&mut self, values: Vec<Value>) -> Value {
        Value::Ref(self.add_in_place(HeapObject::List(values)))
    }

    #[inline]
    pub(crate) fn tuple(&mut self, elements: impl AsRef<[Value]>) -> Value {
        let elements = elements.as_ref();
        if elements.len() > TupleElements::new().inline_size() {
            return Value::Ref(self.add(HeapObject::Tuple(TupleElements::from_slice(elements))));
        }
        let at = self.allocate(size_of_val(elements));
        let cell = &mut self.cells[at.0 as usize];
        *cell = HeapObject::Tuple(TupleElements::new());
        if let HeapObject::Tuple(stored) = cell {
            for element in elements {
                stored.push(Value::None);
                if let Some(target) = stored.last_mut() {
                    element.copy_to(target);
                }
            }
        }
        Value::Ref(at)
    }

    /// Returns for each cell whether it can be reached from `roots`.
    fn reachable(&self, roots: impl IntoIterator<Item = Value>) -> Vec<bool> {
        let mut marked = vec![false; self.cells.len()];
        let mut open: Vec<HeapRef> = Vec::new();
        let mut mark = |value: Value, open: &mut Vec<HeapRef>| {
            let (at, function) = match value {
                Value::Ref(at) | Value::BuiltinMethod { receiver: at, .. } => (at, None),
                Value::Method { receiver, function } => (receiver, Some(function)),
                _ => return,
            };
            for at in std::iter::once(at).chain(function) {
                if !std::mem::replace(&mut marked[at.0 as usize], true) {
                    open.push(at);
                }
            }
        };
        roots.into_iter().for_each(|root| mark(root, &mut open));
        while let Some(at) = open.pop() {
            super::heap_references::visit_references(&self.cells[at.0 as usize], &mut |value| mark(value, &mut open));
        }
        marked
    }

    /// Returns whether no cell that can be reached from `roots` is free.
    pub(crate) fn is_consistent(&self, roots: impl IntoIterator<Item = Value>) -> bool {
        let marked = self.reachable(roots);
        !self.cells.iter().zip(marked).any(|(cell, marked)| marked && matches!(cell, HeapObject::Free))
    }

    /// Frees all cells that cannot be reached from `roots`.
    pub(crate) fn collect(&mut self, roots: impl IntoIterator<Item = Value>) {
        let marked = self.reachable(roots);
        self.screen_cells.clear();
        self.bytes = 0;
        self.free_list.clear();
        for (place, (cell, marked)) in self.cells.iter_mut().zip(marked).enumerate() {
            if marked {
                self.bytes += CELL_BYTES + content_bytes(cell);
            } else {
                *cell = HeapObject::Free;
                self.free_list.push(place as u32);
            }
        }
        self.free_count = self.free_list.len();
        self.live_bytes = self.bytes;
        // A class of the program that was freed may have been remembered.
        self.class_version = self.class_version.wrapping_add(1);
        // The call that goes on frees none of the cells that it has allocated so far.
        self.end_young_generation();
        self.young_escape = true;
    }
}

/// Returns the estimated bytes of a cell's contents.
#[allow(clippy::inline_always, reason = "the variant is known where cells are created")]
#[inline(always)]
fn content_bytes(cell: &HeapObject) -> usize {
    match cell {
        HeapObject::Text(text) => text.len(),
        HeapObject::Bytes(bytes) => bytes.len(),
        HeapObject::BigInt(number) => number.bits() as usize / 8,
        HeapObject::List(values) => values.capacity() * size_of::<Value>(),
        HeapObject::Buffer(values) => values.capacity() * size_of::<super::numpy::Scalar>(),
        HeapObject::Deque(deque) => deque.values.len() * size_of::<Value>(),
        HeapObject::Library(object) => object.bytes(),
        HeapObject::Partial { arguments, named, .. } => (arguments.len() + 2 * named.len()) * size_of::<Value>(),
        HeapObject::Tuple(values) => values.len() * size_of::<Value>(),
        HeapObject::Union(classes) => classes.len() * size_of::<Value>(),
        HeapObject::Dict(dict) | HeapObject::Set(dict) => dict.bytes(),
        HeapObject::Instance { attributes: fields, .. } => fields.len() * 64,
        HeapObject::Class(class) => {
            size_of::<Class>() + class.attributes.len() * 64 + class.mro.len() * size_of::<Value>()
        }
        HeapObject::Function(function) => {
            size_of::<Function>() + function.closure.len() * size_of::<HeapRef>() + function.attributes.len() * 64
        }
        HeapObject::Generator(Some(frame)) => frame.bytes(),
        HeapObject::Wrapper(wrapper) => size_of::<Wrapper>() + wrapper.attributes.len() * 64,
        HeapObject::ContextManager(manager) => {
            size_of::<ContextManager>() + manager.value_count() * 2 * size_of::<Value>()
        }
        HeapObject::Exception(exception) => {
            size_of::<Exception>() + exception.traceback.len() * size_of::<TracebackEntry>()
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a heap with an old list, at the start of a call.
    fn heap_with_old_list() -> (Heap, HeapRef) {
        let mut heap = Heap::default();
        let Value::Ref(list) = heap.list(Vec::new()) else { unreachable!("lists are cells") };
        heap.begin_call();
        (heap, list)
    }

    #[test]
    fn young_cells_are_freed_at_the_end_of_a_call() {
        let (mut heap, list) = heap_with_old_list();
        let bytes = heap.bytes();
        for _ in 0..3 {
            for _ in 0..5 {
                heap.text("young");
            }
            assert!(heap.free_young());
            assert_eq!((heap.bytes(), heap.cell_count()), (bytes, 6));
            heap.begin_call();
        }
        assert!(matches!(heap.get(list), HeapObject::List(_)));
    }

    #[test]
    fn young_cells_live_on_if_an_older_cell_refers_to_one() {
        let (mut heap, list) = heap_with_old_list();
        let text = heap.text("young");
        if let HeapObject::List(values) = heap.get_mut_to_store(list, text) {
            values.push(text);
        }
        assert!(!heap.free_young());
        heap.begin_call();
        heap.text("freed");
        assert!(heap.free_young());
        assert!(heap.is_consistent([Value::Ref(list)]));
    }

    #[test]
    fn changed_older_cells_keep_the_young_cells_that_they_refer_to() {
        let (mut heap, list) = heap_with_old_list();
        let bytes = heap.bytes();
        let text = heap.text("young");
        if let HeapObject::List(values) = heap.get_mut(list) {
            values.extend([text, Value::Int(1)]);
            values.remove(0);
        }
        assert!(heap.free_young());
        assert!(heap.bytes() > bytes);
        heap.begin_call();
        let text = heap.text("young");
        if let HeapObject::List(values) = heap.get_mut(list) {
            values.push(text);
        }
        assert!(!heap.free_young());
        assert!(heap.is_consistent([Value::Ref(list)]));
    }

    #[test]
    fn numbers_in_older_cells_keep_no_young_cell() {
        let (mut heap, list) = heap_with_old_list();
        let bytes = heap.bytes();
        heap.text("young");
        if let HeapObject::List(values) = heap.get_mut_to_store(list, Value::Int(1)) {
            values.push(Value::Int(1));
        }
        heap.record_growth_of(list, 1);
        assert!(heap.free_young());
        assert_eq!(heap.bytes(), bytes + size_of::<Value>());
    }

    #[test]
    fn a_collection_during_a_call_keeps_the_cells_in_use() {
        let (mut heap, list) = heap_with_old_list();
        let text = heap.text("in use");
        heap.text("unused");
        heap.collect([Value::Ref(list), text]);
        assert!(!heap.free_young());
        assert!(heap.is_consistent([Value::Ref(list), text]));
        heap.begin_call();
        heap.text("freed");
        assert!(heap.free_young());
        assert!(heap.is_consistent([Value::Ref(list), text]));
    }
}
