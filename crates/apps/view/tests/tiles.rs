//! Tiles against a naive reading of them.

use goalspec_testing::random::Random;
use goalspec_view::tiles::{TILE_CELLS, TileLane, tile};

/// The cells of a tile, one byte each; truth at level 0 as 0 and 255.
fn read(bytes: &[u8], lane: usize) -> (u64, Vec<u8>) {
    assert_eq!(&bytes[..8], [b'G', b'S', b'T', b'L', 1, 0, bytes[6], 0]);
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let first = u64::from_le_bytes(bytes[12..20].try_into().unwrap());
    let cells = number(20);
    let mut at = 24;
    for _ in 0..lane {
        at += 12 + number(at + 8);
    }
    let (kind, coding, data) = (bytes[at + 4], bytes[at + 5], &bytes[at + 12..][..number(at + 8)]);
    let is_packed = kind == 1 && bytes[6] == 0;
    let length = if is_packed { cells.div_ceil(8) } else { cells };
    let plain: Vec<u8> = match coding {
        0 => vec![data[0]; length],
        1 => data.to_vec(),
        _ => data
            .chunks(5)
            .flat_map(|run| vec![run[0]; u32::from_le_bytes(run[1..].try_into().unwrap()) as usize])
            .collect(),
    };
    assert_eq!(plain.len(), length);
    let unpacked = |cell: usize| if plain[cell / 8] >> (cell % 8) & 1 == 1 { 255 } else { 0 };
    (first, if is_packed { (0..cells).map(unpacked).collect() } else { plain })
}

/// A random set of states as runs, which may be single states.
fn runs(random: &mut Random, states: u64) -> Vec<(u64, u64)> {
    let (mut runs, mut state) = (Vec::new(), 1);
    while state <= states {
        let start = state + random.below(1 + states as usize / 3) as u64;
        let end = start + random.below(1 + states as usize / 5) as u64;
        if end <= states {
            runs.push((start, end));
        }
        state = end + 2;
    }
    runs
}

#[test]
fn cells_agree_with_their_states_at_every_level() {
    let mut random = Random::new(1);
    for states in [1, 2, 63, 64, 257, 4_099, TILE_CELLS - 1, TILE_CELLS, TILE_CELLS + 1] {
        let truth = runs(&mut random, states);
        let levels: Vec<_> =
            runs(&mut random, states).into_iter().map(|(start, end)| (start, end, end % 70 + 1)).collect();
        let satisfied: Vec<u64> = (1..=states).filter(|_| random.below(50) == 0).collect();
        let broken: Vec<u64> = (1..=states).filter(|_| random.below(50) == 0).collect();
        let progress =
            TileLane::Progress { levels: levels.clone(), satisfied: satisfied.clone(), broken: broken.clone() };
        let lanes = [(7, &TileLane::Truth(truth.clone())), (9, &progress)];
        for level in 0..=9 {
            let size = 1_u64 << (2 * level);
            for number in 0..=(states - 1) / (size * TILE_CELLS) {
                let bytes = tile(&lanes, states, level, number).unwrap();
                let (first, shares) = read(&bytes, 0);
                let (_, marks) = read(&bytes, 1);
                assert_eq!(first, number * size * TILE_CELLS);
                for (cell, (share, mark)) in shares.iter().zip(marks).enumerate() {
                    let begin = first + cell as u64 * size + 1;
                    let end = states.min(begin + size - 1);
                    let inside = |start: u64, last: u64| (last.min(end) + 1).saturating_sub(start.max(begin));
                    let count: u64 = truth.iter().map(|&(start, last)| inside(start, last)).sum();
                    assert_eq!(
                        (*share == 0, *share == 255),
                        (count == 0, count == end - begin + 1),
                        "{states} {level} {cell}"
                    );
                    let furthest = levels.iter().filter(|run| inside(run.0, run.1) > 0).map(|run| run.2.min(62)).max();
                    let ends = |states: &[u64]| states.iter().any(|state| (begin..=end).contains(state));
                    let expected = furthest.unwrap_or(0) as u8
                        | if ends(&satisfied) { 64 } else { 0 }
                        | if ends(&broken) { 128 } else { 0 };
                    assert_eq!(mark, expected, "{states} states, level {level}, cell {cell}");
                }
            }
        }
    }
}

#[test]
fn a_single_true_state_never_disappears() {
    let states = 1_000_003;
    let lane = TileLane::Truth(vec![(777_777, 777_777)]);
    for level in 0..=10 {
        let size = TILE_CELLS << (2 * level);
        let bytes = tile(&[(0, &lane)], states, level, 777_776 / size).unwrap();
        let (first, cells) = read(&bytes, 0);
        let cell = ((777_776 - first) >> (2 * level)) as usize;
        assert!(cells[cell] > 0, "level {level}");
        assert_eq!(cells.iter().filter(|&&share| share > 0).count(), 1);
    }
}

#[test]
fn tiles_that_do_not_exist_have_no_bytes() {
    let lane = TileLane::Truth(Vec::new());
    assert!(tile(&[(0, &lane)], 10, 17, 0).is_none());
    assert!(tile(&[(0, &lane)], 10, 0, 1).is_none());
    assert!(tile(&[(0, &lane)], 0, 0, 0).is_none());
    assert!(tile(&[(0, &lane)], 10, 16, u64::MAX).is_none());
}
