//! The hash table layout of CPython's sets, whose slots determine their iteration order.

/// The number of following slots that a search probes linearly before it jumps.
const LINEAR_PROBES: usize = 9;
/// The number of slots of the smallest table.
const MIN_SLOTS: usize = 8;
/// The number of members above which a table doubles when it grows; smaller tables quadruple.
const LARGE_SET_MEMBERS: usize = 50_000;

/// A slot of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Empty,
    /// A deleted member.
    Deleted,
    /// A member: its hash, and its index among the entries.
    Occupied(u64, u32),
}

/// The slots of a set whose members have the hashes that CPython computes.
#[derive(Debug, Clone)]
pub(crate) struct SetTable {
    slots: Vec<Slot>,
    /// The number of slots that are not empty, deleted members included.
    fill: usize,
    used: usize,
    /// The slot at which the next `pop` starts its search.
    finger: usize,
}

impl Default for SetTable {
    fn default() -> Self {
        Self { slots: vec![Slot::Empty; MIN_SLOTS], fill: 0, used: 0, finger: 0 }
    }
}

impl SetTable {
    /// Returns the size of the table in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.slots.capacity() * size_of::<Slot>()
    }

    /// Renumbers the members after their entries have moved; `places` maps each old index to the new one.
    pub(crate) fn renumber_entries(&mut self, places: &[u32]) {
        for slot in &mut self.slots {
            if let Slot::Occupied(_, place) = slot {
                *place = places[*place as usize];
            }
        }
    }

    fn mask(&self) -> usize {
        self.slots.len() - 1
    }

    /// Returns the first slot on the probe sequence of a hash that passes a test.
    fn search(&self, hash: u64, mut test: impl FnMut(usize, Slot) -> bool) -> usize {
        let mask = self.mask();
        let mut perturb = hash;
        let mut at = hash as usize & mask;
        loop {
            let probes = if at + LINEAR_PROBES <= mask { LINEAR_PROBES } else { 0 };
            if let Some(found) = (at..=at + probes).find(|&slot| test(slot, self.slots[slot])) {
                return found;
            }
            perturb >>= 5;
            at = at.wrapping_mul(5).wrapping_add(1).wrapping_add(perturb as usize) & mask;
        }
    }

    fn insert_new(&mut self, hash: u64, place: u32) {
        let slot = self.search(hash, |_, slot| slot == Slot::Empty);
        self.slots[slot] = Slot::Occupied(hash, place);
        self.fill += 1;
        self.used += 1;
    }

    /// Adds a member that the table does not contain. Reuses the last deleted slot on the probe sequence, if there is one.
    pub(crate) fn add(&mut self, hash: u64, place: u32) {
        let mut last = None;
        self.search(hash, |at, slot| {
            if slot == Slot::Deleted {
                last = Some(at);
            }
            slot == Slot::Empty
        });
        if let Some(slot) = last {
            self.slots[slot] = Slot::Occupied(hash, place);
            self.used += 1;
            return;
        }
        self.insert_new(hash, place);
        if self.fill * 5 >= self.mask() * 3 {
            self.resize(self.used * if self.used > LARGE_SET_MEMBERS { 2 } else { 4 });
        }
    }

    pub(crate) fn remove(&mut self, hash: u64, place: u32) {
        let slot = self.search(hash, |_, slot| slot == Slot::Empty || slot == Slot::Occupied(hash, place));
        if self.slots[slot] != Slot::Empty {
            self.slots[slot] = Slot::Deleted;
            self.used -= 1;
        }
    }

    fn resize(&mut self, min_slots: usize) {
        let mut length = MIN_SLOTS;
        while length <= min_slots {
            length *= 2;
        }
        let before = std::mem::replace(&mut self.slots, vec![Slot::Empty; length]);
        (self.fill, self.used) = (0, 0);
        for slot in before {
            if let Slot::Occupied(hash, place) = slot {
                self.insert_new(hash, place);
            }
        }
    }

    /// Grows the table before `others` members of another set are added.
    pub(crate) fn reserve(&mut self, others: usize) {
        if (self.fill + others) * 5 >= self.mask() * 3 {
            self.resize((self.used + others) * 2);
        }
    }

    /// Whether the table has never had a member since it was last resized.
    pub(crate) fn is_unused(&self) -> bool {
        self.fill == 0
    }

    /// Takes over all members of another table and numbers them in slot order, from 0.
    pub(crate) fn copy_members(&mut self, other: &Self) {
        self.reserve(other.used);
        if self.mask() == other.mask() && other.fill == other.used {
            let mut next = 0;
            self.slots = other.slots.iter().map(|&slot| renumber_slot(slot, &mut next)).collect();
            (self.fill, self.used) = (other.fill, other.used);
            return;
        }
        let mut next = 0;
        for &slot in &other.slots {
            if let Slot::Occupied(hash, place) = renumber_slot(slot, &mut next) {
                self.insert_new(hash, place);
            }
        }
    }

    /// Returns the indices of the members, in slot order.
    pub(crate) fn indices(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.slots.iter().filter_map(|slot| if let Slot::Occupied(_, place) = slot { Some(*place) } else { None })
    }

    /// Returns the first member at this slot or a later one, as slot and index.
    pub(crate) fn next_from(&self, slot: usize) -> Option<(usize, u32)> {
        self.slots.get(slot..)?.iter().enumerate().find_map(|(offset, found)| match found {
            Slot::Occupied(_, place) => Some((slot + offset, *place)),
            _ => None,
        })
    }

    /// Returns the index of the member that `pop` removes next, and moves the finger past it.
    pub(crate) fn next_popped(&mut self) -> Option<u32> {
        let (slot, place) = self.next_from(self.finger & self.mask()).or_else(|| self.next_from(0))?;
        self.finger = slot + 1;
        Some(place)
    }
}

fn renumber_slot(slot: Slot, next: &mut u32) -> Slot {
    match slot {
        Slot::Occupied(hash, _) => {
            *next += 1;
            Slot::Occupied(hash, *next - 1)
        }
        other => other,
    }
}
