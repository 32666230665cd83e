//! The registry of visited states: each packed state is stored once.

/// The index of a state in a [`Registry`].
pub(crate) type StateId = u32;

/// States per chunk. Chunks never move, so growing copies no states.
const CHUNK: usize = 1 << 12;

/// A set of packed states with consecutive ids.
#[derive(Debug)]
pub(crate) struct Registry {
    words: usize,
    chunks: Vec<Vec<u64>>,
    /// Open-addressing hash table. An entry holds the upper half of the hash and, in the lower half, the id plus one; zero is
    /// free.
    table: Vec<u64>,
    len: usize,
}

fn hash(words: &[u64]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
    for &word in words {
        hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
        hash ^= hash >> 32;
    }
    hash
}

impl Registry {
    /// Creates an empty registry for states of `words` words.
    pub(crate) fn new(words: usize) -> Self {
        Self { words, chunks: Vec::new(), table: vec![0; 256], len: 0 }
    }

    /// Returns the number of states.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns the words of a state.
    #[inline]
    pub(crate) fn get(&self, id: StateId) -> &[u64] {
        let place = id as usize;
        let start = place % CHUNK * self.words;
        &self.chunks[place / CHUNK][start..start + self.words]
    }

    /// Inserts a state. Returns its id and whether it is new.
    pub(crate) fn insert(&mut self, words: &[u64]) -> (StateId, bool) {
        if self.len * 2 >= self.table.len() {
            self.grow();
        }
        let hash = hash(words);
        let tag = hash & !u64::from(u32::MAX);
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.table[slot];
            if entry == 0 {
                break;
            }
            if entry & !u64::from(u32::MAX) == tag {
                let id = entry as u32 - 1;
                if self.get(id) == words {
                    return (id, false);
                }
            }
            slot = (slot + 1) & mask;
        }
        let id = self.len as u32;
        self.table[slot] = tag | u64::from(id + 1);
        if self.len.is_multiple_of(CHUNK) {
            // The first chunk starts small to keep small searches cheap.
            let states = if self.len == 0 { 64 } else { CHUNK };
            self.chunks.push(Vec::with_capacity(states * self.words));
        }
        let last = self.chunks.len() - 1;
        self.chunks[last].extend_from_slice(words);
        self.len += 1;
        (id, true)
    }

    fn grow(&mut self) {
        let size = self.table.len() * 2;
        let mut table = vec![0; size];
        for id in 0..self.len as u32 {
            let hash = hash(self.get(id));
            let mut slot = hash as usize & (size - 1);
            while table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            table[slot] = hash & !u64::from(u32::MAX) | u64::from(id + 1);
        }
        self.table = table;
    }

    /// Returns the memory in bytes. If the table is about to grow, its old and its new allocation count.
    pub(crate) fn bytes(&self) -> usize {
        let states: usize = self.chunks.iter().map(Vec::capacity).sum();
        let grows = self.table.len() > 4 * CHUNK && self.len * 2 + 2 * CHUNK >= self.table.len();
        (states + self.table.len() * if grows { 3 } else { 1 }) * 8
    }
}

#[cfg(test)]
mod tests {
    use super::Registry;

    #[test]
    fn a_state_is_kept_once() {
        let mut registry = Registry::new(2);
        for number in 0..10_000u64 {
            assert_eq!(registry.insert(&[number % 100, number / 100]), (number as u32, true));
        }
        for number in (0..10_000u64).rev() {
            assert_eq!(registry.insert(&[number % 100, number / 100]), (number as u32, false));
        }
        assert_eq!(registry.len(), 10_000);
        assert_eq!(registry.get(1234), [34, 12]);
    }
}
