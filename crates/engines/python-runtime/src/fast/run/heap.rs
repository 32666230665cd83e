//! The lists of a run.

use super::{FallbackReason, OpResult, Reg, Registers};

/// The lists of a run, which later runs reuse; the first one is the list of the scene's objects.
#[derive(Debug)]
pub(super) struct Heap {
    pub(super) lists: Vec<Vec<u64>>,
    pub(super) live_lists: usize,
    /// The fuel that is left for loops.
    pub(super) fuel: i64,
    pub(super) sort_order: Vec<u32>,
    pub(super) sort_buffer: Vec<u64>,
}

impl Heap {
    /// The maximum number of lists that are kept between runs.
    const MAX_CACHED_LISTS: usize = 128;
    /// The maximum capacity of a list that is kept between runs, in elements.
    const MAX_CACHED_CAPACITY: usize = 1024;

    /// Starts a run on copies of the lists of the state: frees the memory of the last run beyond the limits on kept lists.
    pub(super) fn reset(&mut self, fuel: i64, state: &[Vec<u64>]) {
        // Only the scene and the lists that the last run created can have grown.
        for list in
            self.lists.iter_mut().take(self.live_lists).filter(|list| list.capacity() > Self::MAX_CACHED_CAPACITY)
        {
            *list = Vec::new();
        }
        if self.lists.len() > Self::MAX_CACHED_LISTS {
            self.lists.truncate(Self::MAX_CACHED_LISTS);
            self.lists.shrink_to_fit();
        }
        if self.sort_buffer.capacity() > Self::MAX_CACHED_CAPACITY {
            (self.sort_order, self.sort_buffer) = (Vec::new(), Vec::new());
        }
        self.live_lists = 1 + state.len();
        if self.lists.len() < self.live_lists {
            self.lists.resize(self.live_lists, Vec::new());
        }
        for (copy, list) in self.lists[1..].iter_mut().zip(state) {
            copy.clone_from(list);
        }
        self.fuel = fuel;
    }

    /// Returns the size of the lists in bytes.
    pub(super) fn size(&self) -> usize {
        let room = self.lists.iter().chain([&self.sort_buffer]).map(Vec::capacity).sum::<usize>() * size_of::<u64>();
        room + self.sort_order.capacity() * size_of::<u32>() + self.lists.capacity() * size_of::<Vec<u64>>()
    }

    pub(super) fn list(&self, r: &Registers, l: Reg) -> OpResult<&Vec<u64>> {
        self.lists.get(r.0[l as usize] as usize).ok_or(FallbackReason::TypeMismatch)
    }

    pub(super) fn list_mut(&mut self, r: &Registers, l: Reg) -> OpResult<&mut Vec<u64>> {
        self.lists.get_mut(r.0[l as usize] as usize).ok_or(FallbackReason::TypeMismatch)
    }

    pub(super) fn new_list(&mut self, r: &mut Registers, d: Reg) -> usize {
        let place = self.live_lists;
        match self.lists.get_mut(place) {
            Some(list) => list.clear(),
            None => self.lists.push(Vec::new()),
        }
        self.live_lists += 1;
        r.0[d as usize] = place as u64;
        place
    }

    /// Returns a slot of a record.
    pub(super) fn slot(&self, list: u64, place: u16) -> OpResult<u64> {
        let slot = self.lists.get(list as usize).and_then(|list| list.get(place as usize));
        slot.copied().ok_or(FallbackReason::TypeMismatch)
    }

    /// Replaces a slot of a record.
    pub(super) fn set_slot(&mut self, list: u64, place: u16, bits: u64) -> OpResult<()> {
        let slot = self.lists.get_mut(list as usize).and_then(|list| list.get_mut(place as usize));
        *slot.ok_or(FallbackReason::TypeMismatch)? = bits;
        Ok(())
    }

    pub(super) fn consume_fuel(&mut self, fuel: i64) -> OpResult<()> {
        self.fuel -= fuel;
        if self.fuel < 0 { Err(FallbackReason::OutOfFuel) } else { Ok(()) }
    }
}

/// Advances the iterator over a list and returns the next element; `None` at the end.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is run all the time")]
pub(super) fn next_element(r: &mut Registers, heap: &Heap, it: Reg) -> OpResult<Option<u64>> {
    let place = r.0[it.wrapping_add(1) as usize];
    let item = heap.list(r, it)?.get(place as usize).copied();
    r.0[it.wrapping_add(1) as usize] = place + 1;
    Ok(item)
}
