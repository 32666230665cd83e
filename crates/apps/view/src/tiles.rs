//! Lanes at any level of detail, as binary tiles.
//!
//! A cell of level `L` covers `4^L` states, and a tile has at most [`TILE_CELLS`] cells. No event disappears at a higher level: a cell says
//! what happens in any of its states.
//!
//! | bytes | contents (little endian) |
//! |---|---|
//! | 4 | `GSTL` |
//! | 2 | the version of the format, 1 |
//! | 1 | the level |
//! | 1 | 0 |
//! | 4 | the number of lanes |
//! | 8 | the first state, from 0 |
//! | 4 | the number of cells |
//! | per lane | id (4), kind (1), coding (1), 0 (2), the length of the data (4), the data |
//!
//! | kind | a cell |
//! |---|---|
//! | 0, progress | the highest level of progress, at most 62, in the low six bits; 64 if a satisfaction ends in it, 128 if an attempt breaks |
//! | 1, truth | at level 0, one bit; above, the share of states in which it holds: 0 for none, 255 for all, else 1 to 254 |
//!
//! | coding | data |
//! |---|---|
//! | 0 | one byte, the value of every byte |
//! | 1 | the bytes |
//! | 2 | runs: the value (1) and the number of bytes (4) |

/// Maximum number of cells of a tile.
pub const TILE_CELLS: u64 = 1 << 16;

/// The highest level: a cell of it covers more states than a trace can have.
pub const MAX_LEVEL: u8 = 16;

/// The bit of a progress cell in which a satisfaction ends.
const SATISFIED: u8 = 64;
/// The bit of a progress cell in which the furthest attempt breaks.
const BROKEN: u8 = 128;
/// The maximum of the six bits that say how far an attempt got.
const FURTHEST: u64 = 62;

/// The contents of a lane, with states counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TileLane {
    /// The progress of a binding.
    Progress {
        /// The stretches of states with the same level: the first state, the last state and the level, in order.
        levels: Vec<(u64, u64, u64)>,
        /// The states in which satisfactions end, in order.
        satisfied: Vec<u64>,
        /// The states in which the furthest attempt breaks, in order.
        broken: Vec<u64>,
    },
    /// The states in which a condition holds, as runs, in order.
    Truth(Vec<(u64, u64)>),
}

/// The cells of one tile.
#[derive(Debug, Clone, Copy)]
struct Window {
    /// The first state, from 0.
    first: u64,
    /// The number of states.
    states: u64,
    /// The number of states of a cell, as a power of two.
    shift: u32,
    cells: usize,
}

impl Window {
    /// Returns the cells that states from 1 touch, if any.
    fn cells_of(&self, start: u64, end: u64) -> Option<std::ops::RangeInclusive<usize>> {
        let first = start.saturating_sub(1).max(self.first);
        let last = end.saturating_sub(1).min((self.first + self.states).checked_sub(1)?);
        (first <= last)
            .then(|| ((first - self.first) >> self.shift) as usize..=((last - self.first) >> self.shift) as usize)
    }

    /// Returns the number of states of a cell, which is smaller for the last cell of a trace.
    fn size(&self, cell: usize) -> u64 {
        let start = (cell as u64) << self.shift;
        (self.states - start).min(1 << self.shift)
    }
}

/// Returns a tile of lanes with these ids, over a play of this many states; `None` if the level or the tile does not exist.
pub fn tile(lanes: &[(u32, &TileLane)], states: u64, level: u8, tile: u64) -> Option<Vec<u8>> {
    if level > MAX_LEVEL {
        return None;
    }
    let shift = 2 * u32::from(level);
    let first = tile.checked_mul(TILE_CELLS << shift).filter(|&first| first < states)?;
    let cells = (states - first).div_ceil(1 << shift).min(TILE_CELLS);
    let window = Window { first, states: (states - first).min(cells << shift), shift, cells: cells as usize };
    let mut bytes = Vec::from(*b"GSTL");
    bytes.extend(1_u16.to_le_bytes());
    bytes.extend([level, 0]);
    bytes.extend((lanes.len() as u32).to_le_bytes());
    bytes.extend(first.to_le_bytes());
    bytes.extend((cells as u32).to_le_bytes());
    for &(id, lane) in lanes {
        let (kind, cells) = match lane {
            TileLane::Progress { levels, satisfied, broken } => (0, progress(window, levels, satisfied, broken)),
            TileLane::Truth(runs) if level == 0 => (1, bits(window, runs)),
            TileLane::Truth(runs) => (1, shares(window, runs)),
        };
        let (coding, data) = encode(&cells);
        bytes.extend(id.to_le_bytes());
        bytes.extend([kind, coding, 0, 0]);
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend(data);
    }
    Some(bytes)
}

fn progress(window: Window, levels: &[(u64, u64, u64)], satisfied: &[u64], broken: &[u64]) -> Vec<u8> {
    let mut cells = vec![0_u8; window.cells];
    for &(start, end, level) in levels {
        for cell in window.cells_of(start, end).into_iter().flatten() {
            cells[cell] = cells[cell].max(level.min(FURTHEST) as u8);
        }
    }
    for (states, bit) in [(satisfied, SATISFIED), (broken, BROKEN)] {
        for &state in states {
            window.cells_of(state, state).into_iter().flatten().for_each(|cell| cells[cell] |= bit);
        }
    }
    cells
}

fn bits(window: Window, runs: &[(u64, u64)]) -> Vec<u8> {
    let mut cells = vec![0_u8; window.cells.div_ceil(8)];
    for &(start, end) in runs {
        for cell in window.cells_of(start, end).into_iter().flatten() {
            cells[cell / 8] |= 1 << (cell % 8);
        }
    }
    cells
}

fn shares(window: Window, runs: &[(u64, u64)]) -> Vec<u8> {
    let mut counts = vec![0_u64; window.cells];
    for &(start, end) in runs {
        for cell in window.cells_of(start, end).into_iter().flatten() {
            let begin = window.first + ((cell as u64) << window.shift);
            let last = begin + window.size(cell) - 1;
            counts[cell] += (end - 1).min(last) - (start - 1).max(begin) + 1;
        }
    }
    let share = |(cell, count): (usize, u64)| match (count, window.size(cell)) {
        (0, _) => 0,
        (count, size) if count == size => 255,
        (count, size) => (255 * count / size).clamp(1, 254) as u8,
    };
    counts.into_iter().enumerate().map(share).collect()
}

/// Returns the shortest coding of the bytes, and its data.
fn encode(bytes: &[u8]) -> (u8, Vec<u8>) {
    let runs: Vec<&[u8]> = bytes.chunk_by(|left, right| left == right).collect();
    match &runs[..] {
        [] => (1, Vec::new()),
        [run] => (0, vec![run[0]]),
        runs if 5 * runs.len() < bytes.len() => {
            let run = |run: &&[u8]| [&run[..1], &(run.len() as u32).to_le_bytes()].concat();
            (2, runs.iter().flat_map(run).collect())
        }
        _ => (1, bytes.to_vec()),
    }
}
