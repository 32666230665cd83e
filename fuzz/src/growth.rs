//! The work that each pass over a program takes, measured while the program grows in one direction after the other.
//!
//! A *case* is a program of the corpus and a [`Direction`](pump::Direction) in which it grows: a stretch repeated side by side, with the same
//! or with numbered names, a construct nested in itself, a literal with a larger value, a longer name. The program is taken at sizes that
//! double, and every pass that a command would make over it is measured in comparisons that the compiled code carries out, which is the same
//! number on every run. Growth above n log n times a constant fails, unless a declared limit stopped the pass.
//!
//! | module | what lives there |
//! |---|---|
//! | [`pump`] | texts that grow |
//! | [`passes`] | the passes over a program, by language |
//! | [`work`] | the counter of comparisons |

pub mod passes;
pub mod pump;
pub mod work;

use std::fmt;

use goalspec::core::resource::random::Stream;

use passes::Language;
use pump::{Direction, Tokens};

/// Longest text, in bytes, that a case grows to.
const LARGEST: usize = 48 << 10;

/// Most doublings of a case: enough to reach every limit on nesting and to show exponential growth.
const DOUBLINGS: u32 = 13;

/// Work below this many comparisons is never too much.
const FREE: u64 = 20_000_000;

/// Work that no pass over a text of [`LARGEST`] bytes may exceed, whatever stops it.
pub const MOST: u64 = 4_000_000_000;

/// The exponent of growth between two sizes above which a pass is too slow: n log n over texts of these sizes stays below it.
const STEEPEST: f64 = 1.4;

/// A program that grows in one direction.
#[derive(Debug, Clone)]
pub struct Case {
    /// The file of the corpus.
    pub file: String,
    /// Its language.
    pub language: Language,
    /// The tokens of its text.
    tokens: Tokens,
    /// How it grows.
    pub direction: Direction,
}

/// A pass whose work grows too fast.
#[derive(Debug, Clone)]
pub struct Excess {
    /// The name of the pass.
    pub pass: &'static str,
    /// Text length in bytes and work in comparisons, size by size.
    pub sizes: Vec<(usize, u64)>,
    /// The largest text that was tried.
    pub text: String,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.pass)?;
        self.sizes.iter().try_for_each(|(bytes, work)| write!(f, " {bytes} bytes {work}"))
    }
}

impl Case {
    /// The case of this number among those of a program.
    pub fn new(file: &str, text: &str, number: u64) -> Option<Self> {
        let language = Language::of(file)?;
        let tokens = Tokens::new(text, language.is_indented());
        let mut stream = Stream::new(file.bytes().fold(7, |sum, byte| sum * 31 + u64::from(byte)), number);
        let direction = Direction::draw(&tokens, &mut stream)?;
        Some(Self { file: file.to_owned(), language, tokens, direction })
    }

    /// Measures all passes at sizes that double. Returns those that grow too fast.
    pub fn excesses(&self) -> Vec<Excess> {
        let mut measured: Vec<(&'static str, Vec<(usize, u64)>, bool)> = Vec::new();
        let mut excesses: Vec<Excess> = Vec::new();
        let mut last = 0;
        for doubling in 0..DOUBLINGS {
            let text = self.tokens.grown(&self.direction, 1 << doubling);
            // What no longer grows, as a literal at the edge of its type, has been measured.
            if text.len() > LARGEST || (doubling > 1 && text.len() == last && !self.direction.keeps_length()) {
                break;
            }
            last = text.len();
            for taken in passes::all(self.language, &text) {
                let place = measured.iter().position(|(pass, ..)| *pass == taken.pass).unwrap_or_else(|| {
                    measured.push((taken.pass, Vec::new(), false));
                    measured.len() - 1
                });
                let (pass, sizes, reported) = &mut measured[place];
                sizes.push((text.len(), taken.work));
                if !*reported && taken.limit.is_none() && is_too_steep(sizes, &self.direction) {
                    *reported = true;
                    excesses.push(Excess { pass, sizes: sizes.clone(), text: text.clone() });
                }
            }
            if !excesses.is_empty() {
                break;
            }
        }
        excesses
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.tokens.named(&self.direction))
    }
}

/// Whether work grows faster than n log n between the last sizes. Of a literal whose value doubles, the text stays as long as it is, so
/// any growth counts.
fn is_too_steep(sizes: &[(usize, u64)], direction: &Direction) -> bool {
    let &[.., (before, some), (after, more)] = sizes else { return false };
    if more < FREE {
        return false;
    }
    let ratio = if direction.keeps_length() { 1.0 } else { after as f64 / before as f64 };
    (more as f64) > (some.max(1) as f64) * ratio.powf(STEEPEST) * 1.1
}
