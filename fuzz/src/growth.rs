//! The work of each pass over a program, measured as the program grows.
//!
//! A *case* is a program of the corpus with one or two [directions](direction::Direction) of growth: a part repeated in sequence, with the
//! same or with numbered names, a construct nested in itself, a literal with a larger value, a longer name. For half of the cases of games
//! whose world is in the corpus, the world grows as well. The size of the program is doubled repeatedly, and every pass that a command
//! would make over it is measured in comparisons executed by the compiled code, a deterministic measure. If the work grows faster than the
//! input, larger texts are tried. Growth faster than O(n log n) is a failure, unless a declared limit stopped the pass; a pass stopped by a
//! limit must not grow faster once the limit is reached.
//!
//! | module | contents |
//! |---|---|
//! | [`direction`] | growing texts |
//! | [`passes`] | the passes over a program, by language |
//! | [`counter`] | the counter of comparisons |

pub mod counter;
pub mod direction;
pub mod passes;

use std::fmt;

use goalspec::resource::random::RandomStream;

use direction::{Direction, Tokens};
use passes::Language;

/// The maximum length of a program in every case, in bytes.
const MAX_PROGRAM_BYTES: usize = 48 << 10;

/// The maximum length of a program in a case in which the work of a pass grows faster than its input, in bytes: in shorter programs, a
/// part that is quadratic in lines or declarations is hidden by one that is linear in bytes.
const MAX_STEEP_PROGRAM_BYTES: usize = 384 << 10;

/// The maximum number of doublings of a case: enough to reach every nesting limit and to reveal exponential growth.
const MAX_DOUBLINGS: u32 = 15;

/// The number of comparisons below which work is always accepted.
const ACCEPTED_WORK: u64 = 3_000_000;

/// The maximum number of comparisons of a pass over a program of [`MAX_PROGRAM_BYTES`] bytes, whether or not a limit stops it: a few
/// seconds. For larger programs, the maximum is proportional.
pub const MAX_WORK: u64 = 1_000_000_000;

/// The exponent of growth between two sizes above which a pass is too slow: O(n log n) stays below it at these sizes.
const MAX_EXPONENT: f64 = 1.4;

/// The exponent of growth above which larger programs are tried.
const SUSPICIOUS_EXPONENT: f64 = 1.15;

/// The period of cases with two directions: one in this many programs.
const TWO_DIRECTIONS_PERIOD: u64 = 3;

/// A growing program, alone or with its world.
#[derive(Debug, Clone)]
pub struct Case {
    /// The file name in the corpus.
    pub file: String,
    /// The language.
    pub language: Language,
    program: GrowingText,
    /// The growing world, if any.
    world: Option<GrowingText>,
}

/// A pass whose work grows too fast.
#[derive(Debug, Clone)]
pub struct GrowthFailure {
    /// The name of the pass.
    pub pass: &'static str,
    /// For each size, the bytes read and written, and the work in comparisons.
    pub sizes: Vec<(usize, u64)>,
    /// The limit that stopped the pass at the last size.
    pub limit: Option<&'static str>,
    /// The last program.
    pub program: String,
    /// The world of the last program, if it grows.
    pub world: Option<String>,
}

impl fmt::Display for GrowthFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.pass)?;
        self.sizes.iter().try_for_each(|(bytes, work)| write!(f, " {bytes} bytes {work}"))?;
        self.limit.map_or(Ok(()), |limit| write!(f, ", although {limit} stopped it"))
    }
}

/// A text with directions of growth, which do not overlap and are ordered from the last position to the first.
#[derive(Debug, Clone)]
struct GrowingText {
    tokens: Tokens,
    directions: Vec<Direction>,
}

impl GrowingText {
    fn draw(text: &str, indented: bool, stream: &mut RandomStream) -> Option<Self> {
        let tokens = Tokens::new(text, indented);
        let mut directions = vec![Direction::draw(&tokens, stream)?];
        if stream.below(TWO_DIRECTIONS_PERIOD) == 0 {
            let other = Direction::draw(&tokens, stream)?;
            match directions[0].is_before(&other) {
                Some(true) => directions.insert(0, other),
                Some(false) => directions.push(other),
                None => {}
            }
        }
        Some(Self { tokens, directions })
    }

    /// Returns the text grown `times` times in every direction.
    fn grown(&self, times: u64) -> String {
        // Growth at a later position leaves the preceding tokens unchanged.
        self.directions
            .iter()
            .fold(self.tokens.text().to_owned(), |text, direction| self.tokens.of_text(&text).grown(direction, times))
    }

    /// Whether the length of the text stays about the same.
    fn keeps_length(&self) -> bool {
        self.directions.iter().all(Direction::keeps_length)
    }
}

impl fmt::Display for GrowingText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named: Vec<String> = self.directions.iter().map(|direction| self.tokens.describe(direction)).collect();
        f.write_str(&named.join("; "))
    }
}

impl Case {
    /// Creates the case with this number for a program, which may refer to a world of the corpus. In every other case, the world grows as
    /// well.
    pub fn new(file: &str, text: &str, world: Option<&str>, number: u64) -> Option<Self> {
        let language = Language::of(file)?;
        let mut stream =
            RandomStream::new(file.bytes().fold(7, |sum: u64, byte| sum.wrapping_mul(31) ^ u64::from(byte)), number);
        let program = GrowingText::draw(text, language.is_indented(), &mut stream)?;
        let world = match world {
            Some(world) => {
                let growing = GrowingText::draw(world, Language::World.is_indented(), &mut stream)?;
                let stays = stream.below(2) == 0;
                Some(if stays { GrowingText { directions: Vec::new(), ..growing } } else { growing })
            }
            None => None,
        };
        Some(Self { file: file.to_owned(), language, program, world })
    }

    /// Measures all passes at doubling sizes. Returns those that exceed [`MAX_WORK`] comparisons, and those that still grow too fast at the
    /// last size without being stopped there by a declared limit.
    pub fn failures(&self) -> Vec<GrowthFailure> {
        let keeps_length = self.program.keeps_length() && self.world.as_ref().is_none_or(GrowingText::keeps_length);
        let mut growths: Vec<PassGrowth> = Vec::new();
        let mut last = 0;
        for doubling in 0..MAX_DOUBLINGS {
            let program = self.program.grown(1 << doubling);
            let world = self.world.as_ref().map(|world| world.grown(1 << doubling));
            let bytes = program.len() + world.as_ref().map_or(0, String::len);
            let max_bytes =
                if growths.iter().any(PassGrowth::is_suspicious) { MAX_STEEP_PROGRAM_BYTES } else { MAX_PROGRAM_BYTES };
            // A text that no longer grows, such as a literal at the limit of its type, has been measured.
            if bytes > max_bytes || (doubling > 1 && bytes == last && !keeps_length) {
                break;
            }
            last = bytes;
            let all = passes::measure_all(self.language, &program, world.as_deref());
            // Passes after one that a limit stopped are not run.
            if let Some(limit) = all.iter().find_map(|measurement| measurement.limit) {
                let not_run = |growth: &&mut PassGrowth| all.iter().all(|measurement| measurement.name != growth.pass);
                growths.iter_mut().filter(not_run).for_each(|growth| growth.stop_at_limit(limit));
            }
            for measurement in all {
                let index = growths.iter().position(|growth| growth.pass == measurement.name).unwrap_or_else(|| {
                    growths.push(PassGrowth::new(measurement.name, keeps_length));
                    growths.len() - 1
                });
                growths[index].add(bytes, &measurement);
            }
            if growths.iter().any(PassGrowth::exceeds_max_work) {
                break;
            }
        }
        let doublings = growths.iter().map(|growth| growth.sizes.len()).max().unwrap_or(1) - 1;
        let failure = |growth: PassGrowth| GrowthFailure {
            pass: growth.pass,
            sizes: growth.sizes,
            limit: growth.limit,
            program: self.program.grown(1 << doublings),
            world: self.world.as_ref().map(|world| world.grown(1 << doublings)),
        };
        growths.into_iter().filter(PassGrowth::is_failure).map(failure).collect()
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.program)?;
        let world = self.world.as_ref().filter(|world| !world.directions.is_empty());
        world.map_or(Ok(()), |world| write!(f, "; its world: {world}"))
    }
}

/// The measurements of a pass over a growing program.
struct PassGrowth {
    pass: &'static str,
    sizes: Vec<(usize, u64)>,
    /// The length of the last program, in bytes.
    bytes: usize,
    /// The limit that stopped the pass at the last size.
    limit: Option<&'static str>,
    /// The exponent of growth to the last size; 0 below [`ACCEPTED_WORK`], and at the size where a limit is first reached.
    exponent: f64,
    /// Whether the length of the text stays about the same.
    keeps_length: bool,
}

impl PassGrowth {
    fn new(pass: &'static str, keeps_length: bool) -> Self {
        Self { pass, sizes: Vec::new(), bytes: 0, limit: None, exponent: 0.0, keeps_length }
    }

    /// Adds a measurement. Only the latest growth counts, since some passes approach their bound in a few steep steps.
    fn add(&mut self, bytes: usize, measurement: &passes::PassMeasurement) {
        self.bytes = bytes;
        self.sizes.push((bytes + measurement.bytes_written, measurement.work));
        let just_reached = measurement.limit.is_some() && self.limit.is_none();
        self.limit = measurement.limit;
        self.exponent = if just_reached { 0.0 } else { exponent(&self.sizes, self.keeps_length) };
    }

    /// Records that a limit stopped the program before this pass.
    fn stop_at_limit(&mut self, limit: &'static str) {
        self.limit = Some(limit);
        self.exponent = 0.0;
    }

    fn exceeds_max_work(&self) -> bool {
        let max_work = MAX_WORK * (self.bytes / MAX_PROGRAM_BYTES).max(1) as u64;
        self.sizes.last().is_some_and(|(_, work)| *work > max_work)
    }

    fn is_suspicious(&self) -> bool {
        self.exponent > SUSPICIOUS_EXPONENT
    }

    fn is_failure(&self) -> bool {
        self.exponent > MAX_EXPONENT || self.exceeds_max_work()
    }
}

/// Returns the exponent of growth between the last two sizes, after subtracting the size and work of the original program. If the text
/// keeps its length, as with a literal whose value doubles, any growth counts.
fn exponent(sizes: &[(usize, u64)], keeps_length: bool) -> f64 {
    let &[.., (before, earlier_work), (after, later_work)] = sizes else { return 0.0 };
    // Passes may end early once a text has errors.
    let Some(&(bytes, work)) = sizes[..sizes.len() - 2].iter().min_by_key(|(_, work)| *work) else { return 0.0 };
    if later_work < ACCEPTED_WORK {
        return 0.0;
    }
    let longer = after.saturating_sub(bytes) as f64 / before.saturating_sub(bytes).max(1) as f64;
    let harder = later_work.saturating_sub(work) as f64 / earlier_work.saturating_sub(work).max(1) as f64;
    // Doubling tables cause up to 10% of noise.
    let (longer, harder) = (if keeps_length { 1.01 } else { longer.max(1.01) }, harder / 1.1);
    harder.ln() / longer.ln()
}
