//! The hash table layout of CPython's sets, whose slots determine their iteration order.

/// The number of following slots that a search probes linearly before it jumps.
const PROBES: usize = 9;
/// The number of slots of the smallest table.
const LEAST: usize = 8;
/// The number of members above which a table doubles when it grows; smaller tables quadruple.
const MANY: usize = 50_000;

/// A slot of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Empty,
    /// A deleted member.
    Gone,
    /// A member: its hash, and its index among the entries.
    Taken(u64, u32),
}

/// The slots of a set whose members have the hashes that CPython computes.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    slots: Vec<Slot>,
    /// The number of slots that are not empty, deleted members included.
    fill: usize,
    used: usize,
    /// The slot at which the next `pop` starts its search.
    finger: usize,
}

impl Default for Table {
    fn default() -> Self {
        Self { slots: vec![Slot::Empty; LEAST], fill: 0, used: 0, finger: 0 }
    }
}

impl Table {
    /// Returns the size of the table in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.slots.capacity() * size_of::<Slot>()
    }

    /// Renumbers the members after their entries have moved; `places` maps each old index to the new one.
    pub(crate) fn move_places(&mut self, places: &[u32]) {
        for slot in &mut self.slots {
            if let Slot::Taken(_, place) = slot {
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
            let probes = if at + PROBES <= mask { PROBES } else { 0 };
            if let Some(found) = (at..=at + probes).find(|&slot| test(slot, self.slots[slot])) {
                return found;
            }
            perturb >>= 5;
            at = at.wrapping_mul(5).wrapping_add(1).wrapping_add(perturb as usize) & mask;
        }
    }

    fn put(&mut self, hash: u64, place: u32) {
        let slot = self.search(hash, |_, slot| slot == Slot::Empty);
        self.slots[slot] = Slot::Taken(hash, place);
        self.fill += 1;
        self.used += 1;
    }

    /// Adds a member that the table does not contain. Reuses the last deleted slot on the probe sequence, if there is one.
    pub(crate) fn add(&mut self, hash: u64, place: u32) {
        let mut last = None;
        self.search(hash, |at, slot| {
            if slot == Slot::Gone {
                last = Some(at);
            }
            slot == Slot::Empty
        });
        if let Some(slot) = last {
            self.slots[slot] = Slot::Taken(hash, place);
            self.used += 1;
            return;
        }
        self.put(hash, place);
        if self.fill * 5 >= self.mask() * 3 {
            self.resize(self.used * if self.used > MANY { 2 } else { 4 });
        }
    }

    pub(crate) fn remove(&mut self, hash: u64, place: u32) {
        let slot = self.search(hash, |_, slot| slot == Slot::Empty || slot == Slot::Taken(hash, place));
        if self.slots[slot] != Slot::Empty {
            self.slots[slot] = Slot::Gone;
            self.used -= 1;
        }
    }

    fn resize(&mut self, least: usize) {
        let mut length = LEAST;
        while length <= least {
            length *= 2;
        }
        let before = std::mem::replace(&mut self.slots, vec![Slot::Empty; length]);
        (self.fill, self.used) = (0, 0);
        for slot in before {
            if let Slot::Taken(hash, place) = slot {
                self.put(hash, place);
            }
        }
    }

    /// Grows the table before `others` members of another set are added.
    pub(crate) fn expect(&mut self, others: usize) {
        if (self.fill + others) * 5 >= self.mask() * 3 {
            self.resize((self.used + others) * 2);
        }
    }

    /// Whether the table has never had a member since it was last resized.
    pub(crate) fn is_fresh(&self) -> bool {
        self.fill == 0
    }

    /// Takes over all members of another table and numbers them in slot order, from 0.
    pub(crate) fn begin_as(&mut self, other: &Self) {
        self.expect(other.used);
        if self.mask() == other.mask() && other.fill == other.used {
            let mut next = 0;
            self.slots = other.slots.iter().map(|&slot| renumbered(slot, &mut next)).collect();
            (self.fill, self.used) = (other.fill, other.used);
            return;
        }
        let mut next = 0;
        for &slot in &other.slots {
            if let Slot::Taken(hash, place) = renumbered(slot, &mut next) {
                self.put(hash, place);
            }
        }
    }

    /// Returns the indices of the members, in slot order.
    pub(crate) fn places(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.slots.iter().filter_map(|slot| if let Slot::Taken(_, place) = slot { Some(*place) } else { None })
    }

    /// Returns the first member at this slot or a later one, as slot and index.
    pub(crate) fn next_from(&self, slot: usize) -> Option<(usize, u32)> {
        self.slots.get(slot..)?.iter().enumerate().find_map(|(offset, found)| match found {
            Slot::Taken(_, place) => Some((slot + offset, *place)),
            _ => None,
        })
    }

    /// Returns the index of the member that `pop` removes next, and moves the finger past it.
    pub(crate) fn popped(&mut self) -> Option<u32> {
        let (slot, place) = self.next_from(self.finger & self.mask()).or_else(|| self.next_from(0))?;
        self.finger = slot + 1;
        Some(place)
    }
}

fn renumbered(slot: Slot, next: &mut u32) -> Slot {
    match slot {
        Slot::Taken(hash, _) => {
            *next += 1;
            Slot::Taken(hash, *next - 1)
        }
        other => other,
    }
}
