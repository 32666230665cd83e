//! The heap: cells that values refer to, freed by mark and sweep.

use std::sync::Arc;

use super::exceptions::{Exception, Place};
use super::frame::Frame;
use super::value::{Cell, Class, Function, Ref, Value};

/// The cells, indexed by [`Ref`].
#[derive(Debug, Default)]
pub(crate) struct Heap {
    cells: Vec<Cell>,
    free: Vec<u32>,
    /// Estimated bytes of all live cells, at the time when they were allocated or grew.
    bytes: usize,
    /// Live bytes after the last collection.
    kept: usize,
    /// Units of work for the cells allocated since the last call of [`take_work`](Self::take_work).
    work: u64,
}

/// Bytes of a cell, excluding its contents.
const CELL: usize = size_of::<Cell>();

/// Minimum and maximum growth in bytes since the last collection that makes the next one worthwhile. In between, the threshold is a quarter
/// of the live bytes, so that collecting costs no more than allocating did.
const WORTHWHILE: [usize; 2] = [1 << 20, 8 << 20];

/// The number of bytes of a new cell's contents per unit of work.
const BYTES_OF_UNIT: usize = 256;

impl Heap {
    /// Returns the estimated bytes of all live cells.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns whether the heap has grown enough since the last collection for the next one to be worthwhile.
    pub(crate) fn has_grown(&self) -> bool {
        let [least, most] = WORTHWHILE;
        self.bytes > self.kept + (self.kept / 4).clamp(least, most)
    }

    /// Returns the units of work for the cells allocated since the last call.
    pub(crate) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// Returns whether the heap has grown by half of the space that was left below a limit at the last collection, and by at least 1 MiB.
    pub(crate) fn is_crowded(&self, limit: usize) -> bool {
        self.bytes > self.kept + (limit.saturating_sub(self.kept) / 2).max(WORTHWHILE[0])
    }

    /// Returns the number of cells, including free ones.
    pub(crate) fn cells(&self) -> usize {
        self.cells.len()
    }

    /// Stores a cell, in a free slot if there is one.
    pub(crate) fn add(&mut self, cell: Cell) -> Ref {
        let contents = contents(&cell);
        self.bytes += CELL + contents;
        self.work += 1 + (contents / BYTES_OF_UNIT) as u64;
        if let Some(place) = self.free.pop() {
            self.cells[place as usize] = cell;
            return Ref(place);
        }
        self.cells.push(cell);
        Ref(self.cells.len() as u32 - 1)
    }

    pub(crate) fn get(&self, at: Ref) -> &Cell {
        &self.cells[at.0 as usize]
    }

    pub(crate) fn get_mut(&mut self, at: Ref) -> &mut Cell {
        &mut self.cells[at.0 as usize]
    }

    /// Records that a cell has grown by a number of values.
    pub(crate) fn grew(&mut self, values: usize) {
        self.bytes += values * size_of::<Value>();
    }

    /// Records that the size of a cell's contents changed, in bytes.
    pub(crate) fn resized(&mut self, before: usize, after: usize) {
        self.bytes = (self.bytes + after).saturating_sub(before);
    }

    pub(crate) fn text(&mut self, text: &str) -> Value {
        Value::Ref(self.add(Cell::Text(Arc::from(text))))
    }

    pub(crate) fn list(&mut self, values: Vec<Value>) -> Value {
        Value::Ref(self.add(Cell::List(values)))
    }

    pub(crate) fn tuple(&mut self, values: impl Into<Box<[Value]>>) -> Value {
        Value::Ref(self.add(Cell::Tuple(values.into())))
    }

    /// Frees all cells that cannot be reached from `roots`.
    pub(crate) fn free_all_but(&mut self, roots: impl IntoIterator<Item = Value>) {
        let mut marked = vec![false; self.cells.len()];
        let mut open: Vec<Ref> = Vec::new();
        let mut mark = |value: Value, open: &mut Vec<Ref>| {
            if let Value::Ref(at) = value
                && !std::mem::replace(&mut marked[at.0 as usize], true)
            {
                open.push(at);
            }
        };
        roots.into_iter().for_each(|root| mark(root, &mut open));
        while let Some(at) = open.pop() {
            super::trace::parts(&self.cells[at.0 as usize], &mut |value| mark(value, &mut open));
        }
        self.bytes = 0;
        self.free.clear();
        for (place, (cell, marked)) in self.cells.iter_mut().zip(marked).enumerate() {
            if marked {
                self.bytes += CELL + contents(cell);
            } else {
                *cell = Cell::Free;
                self.free.push(place as u32);
            }
        }
        self.kept = self.bytes;
    }
}

/// Returns the estimated bytes of a cell's contents.
fn contents(cell: &Cell) -> usize {
    match cell {
        Cell::Text(text) => text.len(),
        Cell::Bytes(bytes) => bytes.len(),
        Cell::Big(number) => number.bits() as usize / 8,
        Cell::List(values) => values.capacity() * size_of::<Value>(),
        Cell::Buffer(values) => values.capacity() * size_of::<super::numpy::Scalar>(),
        Cell::Deque(deque) => deque.values.len() * size_of::<Value>(),
        Cell::Partial { arguments, named, .. } => (arguments.len() + 2 * named.len()) * size_of::<Value>(),
        Cell::Tuple(values) | Cell::Union(values) => values.len() * size_of::<Value>(),
        Cell::Dict(dict) | Cell::Set(dict) => dict.bytes(),
        Cell::Instance { fields, .. } => fields.len() * 64,
        Cell::Class(class) => size_of::<Class>() + class.fields.len() * 64 + class.order.len() * size_of::<Value>(),
        Cell::Function(function) => {
            size_of::<Function>() + function.closure.len() * size_of::<Ref>() + function.fields.len() * 64
        }
        Cell::Generator(Some(frame)) => {
            size_of::<Frame>() + (frame.locals.len() + frame.stack.len() + frame.cells.len()) * size_of::<Value>()
        }
        Cell::Exception(exception) => size_of::<Exception>() + exception.traceback.len() * size_of::<Place>(),
        _ => 0,
    }
}
