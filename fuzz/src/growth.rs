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

/// Work that no pass over a text of [`LARGEST`] bytes may exceed, whatever stops it: some seconds.
pub const MOST: u64 = 1_000_000_000;

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
    /// Bytes read and written and work in comparisons, size by size.
    pub sizes: Vec<(usize, u64)>,
    /// The last text, over which it took too much.
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
        let mut stream =
            Stream::new(file.bytes().fold(7, |sum: u64, byte| sum.wrapping_mul(31) ^ u64::from(byte)), number);
        let direction = Direction::draw(&tokens, &mut stream)?;
        Some(Self { file: file.to_owned(), language, tokens, direction })
    }

    /// Measures all passes at sizes that double. Returns those that take more than [`MOST`] comparisons, and those that still grow too fast
    /// at the last size and that no declared limit has stopped.
    pub fn excesses(&self) -> Vec<Excess> {
        let mut measured: Vec<Measured> = Vec::new();
        let mut last = 0;
        for doubling in 0..DOUBLINGS {
            let text = self.tokens.grown(&self.direction, 1 << doubling);
            // What no longer grows, as a literal at the edge of its type, has been measured.
            if text.len() > LARGEST || (doubling > 1 && text.len() == last && !self.direction.keeps_length()) {
                break;
            }
            last = text.len();
            for taken in passes::all(self.language, &text) {
                let place = measured.iter().position(|known| known.pass == taken.pass).unwrap_or_else(|| {
                    measured.push(Measured { pass: taken.pass, sizes: Vec::new(), text: String::new(), steep: false });
                    measured.len() - 1
                });
                measured[place].add(&text, &taken, &self.direction);
            }
            if measured.iter().any(Measured::is_too_much) {
                break;
            }
        }
        measured.into_iter().filter_map(Measured::excess).collect()
    }
}

/// What is known of a pass over one text that grows.
struct Measured {
    pass: &'static str,
    sizes: Vec<(usize, u64)>,
    /// The last text.
    text: String,
    /// Whether it grew too fast to the last size, and no limit stopped it.
    steep: bool,
}

impl Measured {
    /// What counts is how it grows in the end: some passes have a bound that a few steep steps lead up to.
    fn add(&mut self, text: &str, taken: &passes::Pass, direction: &Direction) {
        self.sizes.push((text.len() + taken.written, taken.work));
        text.clone_into(&mut self.text);
        self.steep = taken.limit.is_none() && is_too_steep(&self.sizes, direction);
    }

    fn is_too_much(&self) -> bool {
        self.sizes.last().is_some_and(|(_, work)| *work > MOST)
    }

    fn excess(self) -> Option<Excess> {
        let exceeds = self.steep || self.is_too_much();
        exceeds.then_some(Excess { pass: self.pass, sizes: self.sizes, text: self.text })
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.tokens.named(&self.direction))
    }
}

/// Whether work grows faster than n log n between the last sizes, counted from the program as it stands in the corpus: what that takes says
/// nothing of what grows. Of a literal whose value doubles, the text stays as long as it is, so any growth counts.
fn is_too_steep(sizes: &[(usize, u64)], direction: &Direction) -> bool {
    let &[(bytes, work), .., (before, some), (after, more)] = sizes else { return false };
    if more < FREE {
        return false;
    }
    let longer = after.saturating_sub(bytes) as f64 / before.saturating_sub(bytes).max(1) as f64;
    let ratio = if direction.keeps_length() { 1.0 } else { longer };
    (more.saturating_sub(work) as f64) > (some.saturating_sub(work).max(1) as f64) * ratio.powf(STEEPEST) * 1.1
}
