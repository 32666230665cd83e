//! The heap: cells that values refer to, freed by mark and sweep.

use std::sync::Arc;

use super::exceptions::{Exception, TracebackEntry};
use super::library::ContextManager;
use super::screen::ScreenObject;
use super::value::{Class, Function, HeapObject, HeapRef, Value};
use super::wrappers::Wrapper;

/// The cells, indexed by [`HeapRef`].
#[derive(Debug, Default)]
pub(crate) struct Heap {
    cells: Vec<HeapObject>,
    free_list: Vec<u32>,
    /// Freed screen objects, whose memory the next scene reuses.
    #[allow(clippy::vec_box, reason = "the boxes themselves are reused")]
    free_screen_objects: Vec<Box<ScreenObject>>,
    /// Estimated bytes of all live cells, at the time when they were allocated or grew.
    bytes: usize,
    /// Live bytes after the last collection.
    live_bytes: usize,
    /// Units of work for the cells allocated since the last call of [`take_work`](Self::take_work).
    allocation_work: u64,
}

/// Bytes of a cell, excluding its contents.
const CELL_BYTES: usize = size_of::<HeapObject>();

/// Minimum and maximum growth in bytes since the last collection that makes the next one worthwhile. In between, the threshold is a quarter
/// of the live bytes, so that collecting costs no more than allocating did.
const COLLECTION_THRESHOLD: [usize; 2] = [1 << 20, 8 << 20];

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

    /// Stores a cell, in a free slot if there is one.
    pub(crate) fn add(&mut self, cell: HeapObject) -> HeapRef {
        let contents = content_bytes(&cell);
        self.bytes += CELL_BYTES + contents;
        self.allocation_work += 1 + (contents / ALLOCATED_BYTES_PER_UNIT) as u64;
        if let Some(place) = self.free_list.pop() {
            self.cells[place as usize] = cell;
            return HeapRef(place);
        }
        self.cells.push(cell);
        HeapRef(self.cells.len() as u32 - 1)
    }

    /// Stores a cell that all later calls share, so that none of them is charged for it.
    pub(crate) fn add_shared(&mut self, cell: HeapObject) -> HeapRef {
        let work = self.allocation_work;
        let added = self.add(cell);
        self.allocation_work = work;
        added
    }

    /// Stores a screen object.
    pub(crate) fn add_screen_object(&mut self, object: ScreenObject) -> HeapRef {
        let boxed = match self.free_screen_objects.pop() {
            Some(mut reused) => {
                *reused = object;
                reused
            }
            None => Box::new(object),
        };
        self.add(HeapObject::Screen(boxed))
    }

    #[inline]
    pub(crate) fn get(&self, at: HeapRef) -> &HeapObject {
        &self.cells[at.0 as usize]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, at: HeapRef) -> &mut HeapObject {
        &mut self.cells[at.0 as usize]
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

    pub(crate) fn list(&mut self, values: Vec<Value>) -> Value {
        Value::Ref(self.add(HeapObject::List(values)))
    }

    pub(crate) fn tuple(&mut self, values: impl Into<Box<[Value]>>) -> Value {
        Value::Ref(self.add(HeapObject::Tuple(values.into())))
    }

    /// Frees all cells that cannot be reached from `roots`.
    pub(crate) fn collect(&mut self, roots: impl IntoIterator<Item = Value>) {
        let mut marked = vec![false; self.cells.len()];
        let mut open: Vec<HeapRef> = Vec::new();
        let mut mark = |value: Value, open: &mut Vec<HeapRef>| {
            if let Value::Ref(at) = value
                && !std::mem::replace(&mut marked[at.0 as usize], true)
            {
                open.push(at);
            }
        };
        roots.into_iter().for_each(|root| mark(root, &mut open));
        while let Some(at) = open.pop() {
            super::heap_references::visit_references(&self.cells[at.0 as usize], &mut |value| mark(value, &mut open));
        }
        self.bytes = 0;
        self.free_list.clear();
        for (place, (cell, marked)) in self.cells.iter_mut().zip(marked).enumerate() {
            if marked {
                self.bytes += CELL_BYTES + content_bytes(cell);
            } else {
                if let HeapObject::Screen(object) = std::mem::replace(cell, HeapObject::Free) {
                    self.free_screen_objects.push(object);
                }
                self.free_list.push(place as u32);
            }
        }
        self.live_bytes = self.bytes;
    }
}

/// Returns the estimated bytes of a cell's contents.
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
        HeapObject::Tuple(values) | HeapObject::Union(values) => values.len() * size_of::<Value>(),
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
