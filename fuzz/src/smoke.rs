//! Deterministic inputs: each depends only on the corpus and its number.

use std::io;
use std::path::Path;

/// The maximum length of an input, in bytes.
const MAX_INPUT_BYTES: usize = 4096;

/// The maximum number of mutations of an input.
const MAX_MUTATIONS: usize = 6;

/// Tokens with a meaning in the languages, and numbers at the limits of their types.
const DICTIONARY: &[&[u8]] = &[
    b"(",
    b")",
    b"))",
    b"()",
    b" ",
    b"\n",
    b"\n\n",
    b"\n    ",
    b"\r\n",
    b"\t",
    b"\"",
    b"\\",
    b"?",
    b":",
    b"-",
    b";",
    b"; x\n",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"0",
    b"1",
    b"-1",
    b".5",
    b"1e999",
    b"18446744073709551616",
    b"(define",
    b"(not ",
    b"(and ",
    b"(or ",
    b"(forall (?x - x) ",
    b"(exists (?x - x) ",
    "\u{a0}".as_bytes(),
    "\u{feff}".as_bytes(),
    "ö".as_bytes(),
    b"\0",
    b"\xff",
    b"\xff\xff\xff\xff",
    b"\0\0\0\0",
];

/// A sequence of inputs derived from a corpus.
pub struct Inputs {
    corpus: Vec<Vec<u8>>,
}

impl Inputs {
    /// Reads the corpus from the files of a folder.
    ///
    /// # Errors
    /// If the folder cannot be read or contains no file.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let mut corpus = Vec::new();
        for entry in folder.read_dir()? {
            corpus.push(std::fs::read(entry?.path())?);
        }
        if corpus.is_empty() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "the folder holds no file"));
        }
        // The order of files in a folder is unspecified.
        corpus.sort();
        Ok(Self { corpus })
    }

    /// Returns the input with this number: first the files of the corpus, then an unlimited number of mutations of them.
    pub fn get(&self, number: usize) -> Vec<u8> {
        if let Some(input) = self.corpus.get(number) {
            return input.clone();
        }
        let mut random = Random(number as u64);
        let mut input = self.any(&mut random).to_vec();
        for _ in 0..=random.below(MAX_MUTATIONS) {
            self.mutate(&mut input, &mut random);
        }
        input.truncate(MAX_INPUT_BYTES);
        input
    }

    fn any(&self, random: &mut Random) -> &[u8] {
        &self.corpus[random.below(self.corpus.len())]
    }

    /// Replaces a range with another one; either may be empty.
    fn mutate(&self, input: &mut Vec<u8>, random: &mut Random) {
        let old = random_range(input.len(), random);
        let new = match random.below(5) {
            0 => Vec::new(),
            1 => DICTIONARY[random.below(DICTIONARY.len())].to_vec(),
            2 => input[random_range(input.len(), random)].to_vec(),
            3 => {
                let other = self.any(random);
                other[random_range(other.len(), random)].to_vec()
            }
            _ => input[old.clone()].iter().map(|byte| byte ^ (1 << random.below(8))).collect(),
        };
        // Half of the time, insert before the range instead.
        let end = if random.below(2) == 0 { old.start } else { old.end };
        input.splice(old.start..end, new);
    }
}

/// Returns a random range within a length, usually a short one.
fn random_range(length: usize, random: &mut Random) -> std::ops::Range<usize> {
    let longest = [1, 4, 16, 64, length][random.below(5)];
    let start = random.below(length + 1);
    start..(start + random.below(longest + 1)).min(length)
}

/// The `SplitMix64` generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ (word >> 31)) % bound.max(1) as u64) as usize
    }
}
