//! Shards of a collection of traces, each scored by a process of its own and written as one Parquet file.
//!
//! The traces of a collection are numbered in the order of the paths, those of a Parquet table in the order of its rows. Shard `i` of `n` has
//! those from number `(i - 1) * total / n` up to `i * total / n`, so that the sizes of two shards differ by at most one trace and depend on the
//! collection alone.

mod collection;
mod manifest;

use std::fmt;
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use goalspec_syntax::Diagnostic;
use goalspec_table::{Cell, TableParquetWriter, read_parquet_metadata};
use goalspec_trace::atomic_file::AtomicFile;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::table::{TableBatch, TableScorer};

pub use collection::{ShardTrace, TraceCollection};
pub use manifest::ShardManifest;

/// One of the parts into which a collection of traces is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: u64,
    count: u64,
}

impl Shard {
    /// Returns the number of the shard, from 1.
    pub fn number(self) -> u64 {
        self.number
    }

    /// Returns the number of shards.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Returns the numbers, from 0, of its traces among `total`.
    pub fn range(self, total: u64) -> Range<u64> {
        let end = |number: u64| {
            let end = u128::from(number) * u128::from(total) / u128::from(self.count);
            u64::try_from(end).unwrap_or(total)
        };
        end(self.number - 1)..end(self.number)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, count)| Some((digits(number)?, digits(count)?)));
        match numbers {
            Some((_, 0)) => Err("expected at least one shard".to_owned()),
            Some((number, count)) if (1..=count).contains(&number) => Ok(Self { number, count }),
            Some((number, count)) => {
                Err(format!("expected a number from 1 to {count} before the slash, found {number}"))
            }
            None => Err("expected the number of the shard and the number of shards, such as 3/100".to_owned()),
        }
    }
}

/// Returns a number that is written with digits alone.
fn digits(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// The key of the metadata of a shard's file under which its [`ShardManifest`] is stored.
pub const METADATA_KEY: &str = "goalspec.shard";

/// The maximum number of traces that are scored before their rows are written.
const BATCH_TRACES: usize = 1 << 12;

/// The number of rows of tables above which no further traces are read before those that were read are scored.
const BATCH_ROWS: usize = 1 << 20;

/// The state of the file of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShardState {
    /// There is no file.
    Missing,
    /// The file is that of this shard, complete.
    Finished,
    /// There is another file, for this reason.
    Other(String),
}

/// Returns the state of the file of a shard with this manifest.
///
/// # Errors
/// If the file exists and cannot be opened.
pub fn shard_state(path: &Path, manifest: &ShardManifest) -> io::Result<ShardState> {
    let found = match read_parquet_metadata(path, METADATA_KEY) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(ShardState::Missing),
        found => found?,
    };
    let Some(text) = found else { return Ok(ShardState::Other("it is not the file of a shard".to_owned())) };
    Ok(match ShardManifest::parse(&text) {
        None => ShardState::Other("its metadata are of another version of goalspec".to_owned()),
        Some(other) => manifest.difference(&other).map_or(ShardState::Finished, ShardState::Other),
    })
}

/// The numbers of a shard that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShardSummary {
    /// The number of traces.
    pub traces: u64,
    /// The number of rows.
    pub rows: u64,
    /// The number of rows with an error.
    pub errors: u64,
}

/// The error of a shard that could not be written.
#[derive(Debug)]
pub enum ShardError {
    /// A table of traces cannot be read, or differs from when the collection was opened.
    Collection(Box<Diagnostic>),
    /// The file cannot be written.
    Output(io::Error),
}

impl fmt::Display for ShardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Collection(error) => f.write_str(&error.message),
            Self::Output(error) => write!(f, "cannot write the shard: {error}"),
        }
    }
}

impl std::error::Error for ShardError {}

impl From<io::Error> for ShardError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<Box<Diagnostic>> for ShardError {
    fn from(error: Box<Diagnostic>) -> Self {
        Self::Collection(error)
    }
}

/// Progress in a shard.
pub trait ShardObserver: Sync {
    /// Called with the number of bytes read since the last call.
    fn read(&self, bytes: u64);
    /// Called after a trace.
    fn scored(&self);
}

/// Scores the traces of a shard on the threads of a pool, and writes their rows to a Parquet file, in the order of the traces. The file appears
/// when it is complete.
///
/// # Errors
/// If a table of the collection cannot be read, or the file cannot be written. There is no file then.
pub fn write_shard(
    path: &Path,
    scorer: &TableScorer,
    collection: &TraceCollection,
    manifest: &ShardManifest,
    pool: &ThreadPool,
    observer: &dyn ShardObserver,
) -> Result<ShardSummary, ShardError> {
    let mut file = io::BufWriter::new(AtomicFile::create(path)?);
    let metadata = [(METADATA_KEY, manifest.to_json())];
    let mut writer = TableParquetWriter::with_metadata(&mut file, scorer.columns(), &metadata)?;
    let batch = scorer.batch();
    let mut summary = ShardSummary::default();
    let mut traces = collection.traces(manifest.shard().range(collection.total()))?;
    loop {
        let next = next_batch(&mut traces)?;
        if next.is_empty() {
            break;
        }
        summary.traces += next.len() as u64;
        let score = |trace: ShardTrace| score(&batch, trace, observer);
        let by_trace: Vec<Vec<Vec<Cell>>> = pool.install(|| next.into_par_iter().map(score).collect());
        for rows in by_trace {
            summary.rows += rows.len() as u64;
            summary.errors += rows.iter().filter(|row| row.last() != Some(&Cell::Empty)).count() as u64;
            writer.append(&rows)?;
        }
    }
    writer.finish()?;
    file.flush()?;
    let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.finish()?;
    Ok(summary)
}

/// Returns the next traces that are scored together.
fn next_batch(
    traces: &mut dyn Iterator<Item = Result<ShardTrace, Box<Diagnostic>>>,
) -> Result<Vec<ShardTrace>, Box<Diagnostic>> {
    let (mut batch, mut rows) = (Vec::new(), 0);
    while batch.len() < BATCH_TRACES && rows < BATCH_ROWS {
        let Some(trace) = traces.next().transpose()? else { break };
        rows += trace.row_count();
        batch.push(trace);
    }
    Ok(batch)
}

fn score(batch: &TableBatch<'_>, trace: ShardTrace, observer: &dyn ShardObserver) -> Vec<Vec<Cell>> {
    let key = trace.key().to_owned();
    let rows = batch.score(&key, || trace.open(batch), &|bytes| observer.read(bytes));
    observer.scored();
    rows
}

/// Returns the path of a shard's file: `{i}` in the path stands for the number of the shard, with as many digits as the number of shards.
pub fn shard_path(path: &Path, shard: Shard) -> PathBuf {
    let width = shard.count.to_string().len();
    let Some(text) = path.to_str() else { return path.to_owned() };
    text.replace("{i}", &format!("{:0width$}", shard.number)).into()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Shard, shard_path};

    #[test]
    fn shards_are_nearly_equal_and_cover_every_trace_once() {
        for (count, total) in [(1, 0), (1, 7), (3, 7), (7, 3), (100, 1_000_000_007), (u64::MAX, u64::MAX)] {
            let mut end = 0;
            for number in (1..=count.min(200)).chain([count]).collect::<std::collections::BTreeSet<_>>() {
                let range = Shard { number, count }.range(total);
                assert!(range.start == end || count > 200, "{number}/{count} of {total}");
                let size = range.end - range.start;
                assert!((total / count..=total.div_ceil(count)).contains(&size), "{number}/{count} of {total}");
                end = range.end;
            }
            assert_eq!(end, total);
        }
    }

    #[test]
    fn shards_are_read_as_they_are_written() {
        for text in ["1/1", "3/100", "18446744073709551615/18446744073709551615"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in ["", "/", "1", "0/1", "2/1", "1/0", "-1/2", "+1/2", "1 / 2", "1/2/3", "1/99999999999999999999"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_in_names_have_equal_widths() {
        let shard = "3/100".parse().unwrap();
        assert_eq!(shard_path(Path::new("out/part-{i}.parquet"), shard), Path::new("out/part-003.parquet"));
        assert_eq!(shard_path(Path::new("part.parquet"), shard), Path::new("part.parquet"));
    }
}
