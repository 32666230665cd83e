//! The work that each pass over a program takes, measured while the program grows in one direction after the other.
//!
//! A *case* is a program of the corpus and the [directions](pump::Direction) in which it grows, one or two at once: a stretch repeated side by
//! side, with the same or with numbered names, a construct nested in itself, a literal with a larger value, a longer name. Games whose world
//! is in the corpus grow together with it in half of the cases. The program is taken at sizes that double, and every pass that a command
//! would make over it is measured in comparisons that the compiled code carries out, which is the same number on every run. Where work grows
//! faster than its input, larger texts are tried. Growth above n log n times a constant fails, unless a declared limit stopped the pass; what
//! a limit stops grows no faster than that either once the limit is reached.
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

/// Longest program, in bytes, that every case grows to.
const LARGEST: usize = 48 << 10;

/// Longest program, in bytes, that a case grows to while the work of a pass grows faster than its input: over shorter ones what is
/// quadratic in lines or declarations hides behind what is linear in bytes.
const FARTHEST: usize = 384 << 10;

/// Most doublings of a case: enough to reach every limit on nesting and to show exponential growth.
const DOUBLINGS: u32 = 15;

/// Work below this many comparisons is never too much.
const FREE: u64 = 3_000_000;

/// Work that no pass over a program of [`LARGEST`] bytes may exceed, whatever stops it: some seconds. Larger ones may take more, in
/// proportion.
pub const MOST: u64 = 1_000_000_000;

/// The exponent of growth between two sizes above which a pass is too slow: n log n over texts of these sizes stays below it.
const STEEPEST: f64 = 1.4;

/// The exponent of growth above which larger programs are tried.
const SUSPICIOUS: f64 = 1.15;

/// Two directions are drawn for one program in every so many.
const DOUBLE: u64 = 3;

/// A program that grows, alone or with its world.
#[derive(Debug, Clone)]
pub struct Case {
    /// The file of the corpus.
    pub file: String,
    /// Its language.
    pub language: Language,
    program: Growing,
    /// The world that grows with it.
    world: Option<Growing>,
}

/// A pass whose work grows too fast.
#[derive(Debug, Clone)]
pub struct Excess {
    /// The name of the pass.
    pub pass: &'static str,
    /// Bytes read and written and work in comparisons, size by size.
    pub sizes: Vec<(usize, u64)>,
    /// The limit that stopped it at the last size.
    pub limit: Option<&'static str>,
    /// The last program, over which it took too much.
    pub program: String,
    /// The world of that program, if it grows too.
    pub world: Option<String>,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.pass)?;
        self.sizes.iter().try_for_each(|(bytes, work)| write!(f, " {bytes} bytes {work}"))?;
        self.limit.map_or(Ok(()), |limit| write!(f, ", although {limit} stopped it"))
    }
}

/// A text and the directions in which it grows, none within another, the last place first.
#[derive(Debug, Clone)]
struct Growing {
    tokens: Tokens,
    directions: Vec<Direction>,
}

impl Growing {
    fn draw(text: &str, indented: bool, stream: &mut Stream) -> Option<Self> {
        let tokens = Tokens::new(text, indented);
        let mut directions = vec![Direction::draw(&tokens, stream)?];
        if stream.below(DOUBLE) == 0 {
            let other = Direction::draw(&tokens, stream)?;
            match directions[0].is_before(&other) {
                Some(true) => directions.insert(0, other),
                Some(false) => directions.push(other),
                None => {}
            }
        }
        Some(Self { tokens, directions })
    }

    /// The text grown so many times in every direction.
    fn grown(&self, times: u64) -> String {
        // The tokens before a place that has grown are what they were.
        self.directions.iter().fold(self.tokens.text().to_owned(), |text, direction| {
            self.tokens.of_text(&text).grown(direction, times)
        })
    }

    /// Whether the text stays about as long while what it says grows.
    fn keeps_length(&self) -> bool {
        self.directions.iter().all(Direction::keeps_length)
    }
}

impl fmt::Display for Growing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named: Vec<String> = self.directions.iter().map(|direction| self.tokens.named(direction)).collect();
        f.write_str(&named.join("; "))
    }
}

impl Case {
    /// The case of this number among those of a program, which may be written for a world of the corpus. The world grows, too, in every
    /// other case.
    pub fn new(file: &str, text: &str, world: Option<&str>, number: u64) -> Option<Self> {
        let language = Language::of(file)?;
        let mut stream =
            Stream::new(file.bytes().fold(7, |sum: u64, byte| sum.wrapping_mul(31) ^ u64::from(byte)), number);
        let program = Growing::draw(text, language.is_indented(), &mut stream)?;
        let world = match world {
            Some(world) => {
                let growing = Growing::draw(world, Language::World.is_indented(), &mut stream)?;
                let stays = stream.below(2) == 0;
                Some(if stays { Growing { directions: Vec::new(), ..growing } } else { growing })
            }
            None => None,
        };
        Some(Self { file: file.to_owned(), language, program, world })
    }

    /// Measures all passes at sizes that double. Returns those that take more than [`MOST`] comparisons, and those that still grow too fast
    /// at the last size and that no declared limit has stopped there.
    pub fn excesses(&self) -> Vec<Excess> {
        let keeps_length = self.program.keeps_length() && self.world.as_ref().is_none_or(Growing::keeps_length);
        let mut measured: Vec<Measured> = Vec::new();
        let mut last = 0;
        for doubling in 0..DOUBLINGS {
            let program = self.program.grown(1 << doubling);
            let world = self.world.as_ref().map(|world| world.grown(1 << doubling));
            let bytes = program.len() + world.as_ref().map_or(0, String::len);
            let most = if measured.iter().any(Measured::is_suspicious) { FARTHEST } else { LARGEST };
            // What no longer grows, as a literal at the edge of its type, has been measured.
            if bytes > most || (doubling > 1 && bytes == last && !keeps_length) {
                break;
            }
            last = bytes;
            let all = passes::all(self.language, &program, world.as_deref());
            // What a limit stops earlier is not gone on with.
            if let Some(limit) = all.iter().find_map(|taken| taken.limit) {
                let left_out = |known: &&mut Measured| all.iter().all(|taken| taken.pass != known.pass);
                measured.iter_mut().filter(left_out).for_each(|known| known.end(limit));
            }
            for taken in all {
                let place = measured.iter().position(|known| known.pass == taken.pass).unwrap_or_else(|| {
                    measured.push(Measured::new(taken.pass, keeps_length));
                    measured.len() - 1
                });
                measured[place].add(bytes, &taken);
            }
            if measured.iter().any(Measured::is_too_much) {
                break;
            }
        }
        let doublings = measured.iter().map(|measured| measured.sizes.len()).max().unwrap_or(1) - 1;
        let excess = |measured: Measured| Excess {
            pass: measured.pass,
            sizes: measured.sizes,
            limit: measured.limit,
            program: self.program.grown(1 << doublings),
            world: self.world.as_ref().map(|world| world.grown(1 << doublings)),
        };
        measured.into_iter().filter(Measured::is_excessive).map(excess).collect()
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.program)?;
        let world = self.world.as_ref().filter(|world| !world.directions.is_empty());
        world.map_or(Ok(()), |world| write!(f, "; its world: {world}"))
    }
}

/// What is known of a pass over one program that grows.
struct Measured {
    pass: &'static str,
    sizes: Vec<(usize, u64)>,
    /// The bytes of the last program.
    bytes: usize,
    /// The limit that stopped it at the last size.
    limit: Option<&'static str>,
    /// The exponent of its growth to the last size; 0 below [`FREE`] and where a limit is reached that was not reached before.
    exponent: f64,
    /// Whether the program stays about as long while what it says grows.
    keeps_length: bool,
}

impl Measured {
    fn new(pass: &'static str, keeps_length: bool) -> Self {
        Self { pass, sizes: Vec::new(), bytes: 0, limit: None, exponent: 0.0, keeps_length }
    }

    /// What counts is how it grows in the end: some passes have a bound that a few steep steps lead up to.
    fn add(&mut self, bytes: usize, taken: &passes::Pass) {
        self.bytes = bytes;
        self.sizes.push((bytes + taken.written, taken.work));
        let just_reached = taken.limit.is_some() && self.limit.is_none();
        self.limit = taken.limit;
        self.exponent = if just_reached { 0.0 } else { exponent(&self.sizes, self.keeps_length) };
    }

    /// A limit has stopped the program before it came to this pass.
    fn end(&mut self, limit: &'static str) {
        self.limit = Some(limit);
        self.exponent = 0.0;
    }

    fn is_too_much(&self) -> bool {
        let most = MOST * (self.bytes / LARGEST).max(1) as u64;
        self.sizes.last().is_some_and(|(_, work)| *work > most)
    }

    fn is_suspicious(&self) -> bool {
        self.exponent > SUSPICIOUS
    }

    fn is_excessive(&self) -> bool {
        self.exponent > STEEPEST || self.is_too_much()
    }
}

/// The exponent of growth between the last sizes, counted from the program as it stands in the corpus: what that takes says nothing of what
/// grows. Of a literal whose value doubles, the text stays as long as it is, so any growth counts.
fn exponent(sizes: &[(usize, u64)], keeps_length: bool) -> f64 {
    let &[.., (before, some), (after, more)] = sizes else { return 0.0 };
    // Once a text has errors, passes may end early.
    let Some(&(bytes, work)) = sizes[..sizes.len() - 2].iter().min_by_key(|(_, work)| *work) else { return 0.0 };
    if more < FREE {
        return 0.0;
    }
    let longer = after.saturating_sub(bytes) as f64 / before.saturating_sub(bytes).max(1) as f64;
    let harder = more.saturating_sub(work) as f64 / some.saturating_sub(work).max(1) as f64;
    // A tenth more is noise of tables that double.
    let (longer, harder) = (if keeps_length { 1.01 } else { longer.max(1.01) }, harder / 1.1);
    harder.ln() / longer.ln()
}
