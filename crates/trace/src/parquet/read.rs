//! The readers of Parquet files: of one trace, and of many traces in one table.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use goalspec_core::world::World;
use parquet::data_type::ByteArray;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use rustc_hash::FxHashSet;

use super::damaged;
use super::table::{Row, Table, group_rows, has_keys, not_a_trace, read_keys};
use crate::codes;
use crate::error::{Result, TraceError};
use crate::reader::{Format, Header};
use crate::rows::{self, METADATA_KEY, RowDecoder, parse_header, read_rows};
use crate::source::open_file;
use crate::store::Trace;

/// A Parquet file with its header.
pub(crate) struct ParquetSource {
    file: Box<dyn FileReader>,
    header: Header,
}

/// A reader of states from the rows of a file.
pub(crate) type ParquetReader<'w> = RowDecoder<'w, ByteArray, FileRows>;

impl ParquetSource {
    /// Opens a file; its contents are read on demand.
    pub(crate) fn open(file: File) -> Result<Self> {
        Self::new(file)
    }

    /// Opens a table from the whole contents of a file.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        Self::new(bytes::Bytes::from(bytes))
    }

    fn new(input: impl ChunkReader + 'static) -> Result<Self> {
        let file = open_table(input)?;
        let Some(text) = header_text(&*file) else {
            return Err(not_a_trace(&format!("its metadata has no `{METADATA_KEY}`")));
        };
        let header = parse_header(Some(text.as_bytes()), Format::Parquet)?;
        Ok(Self { file, header })
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the number of bytes of all columns before compression, as the metadata of the file say.
    pub(crate) fn uncompressed_bytes(&self) -> u64 {
        let groups = self.file.metadata().row_groups();
        groups
            .iter()
            .map(|group| u64::try_from(group.total_byte_size()).unwrap_or(u64::MAX))
            .fold(0, u64::saturating_add)
    }

    /// Starts reading states of a world.
    pub(crate) fn read(self, world: &World, any_world: bool) -> Result<ParquetReader<'_>> {
        let rows = FileRows { file: self.file, next_group: 0, rows: Box::new(std::iter::empty()) };
        RowDecoder::new(self.header, rows, world, any_world)
    }
}

fn open_table(input: impl ChunkReader + 'static) -> Result<Box<dyn FileReader>> {
    Ok(Box::new(SerializedFileReader::new(input).map_err(|error| damaged(&error))?))
}

/// Returns the header in the metadata of a file.
fn header_text(file: &dyn FileReader) -> Option<String> {
    let metadata = file.metadata().file_metadata().key_value_metadata();
    let entry = metadata.into_iter().flatten().find(|entry| entry.key == METADATA_KEY);
    entry.and_then(|entry| entry.value.clone())
}

/// The rows of a file; one row group is in memory at a time.
pub(crate) struct FileRows {
    file: Box<dyn FileReader>,
    next_group: usize,
    rows: Box<dyn Iterator<Item = Option<Row>> + Send>,
}

impl Iterator for FileRows {
    type Item = Result<Option<Row>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.rows.next() {
                return Some(Ok(row));
            }
            if self.next_group == self.file.num_row_groups() {
                return None;
            }
            match Table::read(&*self.file, self.next_group) {
                Ok(table) => self.rows = Box::new(table.into_rows()),
                Err(error) => return Some(Err(error)),
            }
            self.next_group += 1;
        }
    }
}

/// A reader of many traces in one Parquet table: its column `trace`, a text or an integer, is the key of the trace of each row, and the rows of
/// a trace follow one another. A table without this column has one trace. One row group and one trace are in memory at a time.
pub struct TraceTableReader {
    file: Box<dyn FileReader>,
    header: Option<Arc<str>>,
    next_group: usize,
    rows: Box<dyn Iterator<Item = KeyedRow> + Send>,
    /// The first row of the next trace.
    ahead: Option<KeyedRow>,
    /// The keys of the traces so far.
    keys: FxHashSet<String>,
}

/// The key of the trace of a row, if there is one, and the row; `None` if it lacks a column that every row has.
type KeyedRow = (Option<String>, Option<Row>);

/// The rows of one of the traces in a table, before they are read as states.
pub struct KeyedRows {
    /// The key; `None` in a table without keys.
    pub key: Option<String>,
    header: Option<Arc<str>>,
    rows: Vec<Option<Row>>,
}

impl KeyedRows {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the name of the world in the metadata of the file, if there is one.
    ///
    /// # Errors
    /// If the metadata is damaged.
    pub fn world_name(&self) -> Result<Option<String>> {
        rows::world_name(self.header.as_deref())
    }

    /// Reads the states.
    ///
    /// # Errors
    /// If the rows are not a trace of the world.
    pub fn read(self, world: &Arc<World>) -> Result<KeyedTrace> {
        let read = read_rows(world, self.header.as_deref().map(str::as_bytes), self.rows.into_iter().map(Ok));
        let (world, trace) = read.map_err(|error| match &self.key {
            Some(key) => error.with_help(format!("the trace is `{key}`")),
            None => error,
        })?;
        Ok(KeyedTrace { key: self.key, world, trace })
    }
}

/// One of the traces in a table.
#[derive(Debug)]
pub struct KeyedTrace {
    /// The key; `None` in a table without keys.
    pub key: Option<String>,
    /// The world, with the objects that the header of the table declares.
    pub world: Arc<World>,
    /// The states.
    pub trace: Trace,
}

impl TraceTableReader {
    /// Opens a file; its contents are read on demand.
    ///
    /// # Errors
    /// If the file cannot be read or is not a Parquet file.
    pub fn open(path: &Path) -> Result<Self> {
        let file = open_table(open_file(path)?).map_err(|error| named(&error, path))?;
        let header = header_text(&*file).map(Arc::from);
        Ok(Self {
            file,
            header,
            next_group: 0,
            rows: Box::new(std::iter::empty()),
            ahead: None,
            keys: FxHashSet::default(),
        })
    }

    /// Returns the name of the world in the metadata of the file, if there is one.
    ///
    /// # Errors
    /// If the metadata is damaged.
    pub fn world_name(&self) -> Result<Option<String>> {
        rows::world_name(self.header.as_deref())
    }

    /// Reads the next trace; `None` at the end.
    ///
    /// # Errors
    /// If the file is damaged or is not a trace of the world.
    pub fn next_trace(&mut self, world: &Arc<World>) -> Result<Option<KeyedTrace>> {
        self.next_rows()?.map(|rows| rows.read(world)).transpose()
    }

    /// Reads the rows of the next trace; `None` at the end.
    ///
    /// # Errors
    /// If the file is damaged, or the rows of a trace do not follow one another.
    pub fn next_rows(&mut self) -> Result<Option<KeyedRows>> {
        let first = match self.ahead.take() {
            Some(row) => row,
            None => match self.next_row().transpose()? {
                Some(row) => row,
                None => return Ok(None),
            },
        };
        let key = first.0.clone();
        key.as_deref().map_or(Ok(()), |key| self.mark(key))?;
        let mut rows = vec![first.1];
        while let Some(row) = self.next_row().transpose()? {
            if row.0 != key {
                self.ahead = Some(row);
                break;
            }
            rows.push(row.1);
        }
        Ok(Some(KeyedRows { key, header: self.header.clone(), rows }))
    }

    /// Whether the table has keys, and so may have many traces.
    pub fn has_keys(&self) -> bool {
        has_keys(&*self.file)
    }

    /// Reads the keys of all traces that have not been read, of which no other column is read, and returns their number.
    ///
    /// # Errors
    /// If the file is damaged, or the rows of a trace do not follow one another.
    pub fn count(mut self) -> Result<u64> {
        self.skip(u64::MAX)
    }

    /// Skips the next `count` traces, or all that are left if there are fewer, and returns the number of skipped traces. Of row groups whose
    /// traces are all skipped, only the keys are read.
    ///
    /// # Errors
    /// As [`next_rows`](Self::next_rows).
    pub fn skip(&mut self, count: u64) -> Result<u64> {
        let mut skipped = 0;
        while skipped < count {
            if self.ahead.is_none() && !self.has_buffered_row() {
                skipped += self.skip_groups(count - skipped)?;
                if skipped == count {
                    break;
                }
            }
            if self.next_rows()?.is_none() {
                break;
            }
            skipped += 1;
        }
        Ok(skipped)
    }

    /// Moves the next row of the current row group, if there is one, to where the next trace begins.
    fn has_buffered_row(&mut self) -> bool {
        self.ahead = self.rows.next();
        self.ahead.is_some()
    }

    /// Skips whole row groups as long as at most `count` traces begin in them. A trace at the end of a group may continue in the next one, so
    /// the last trace of a group is skipped only with the group after it.
    fn skip_groups(&mut self, count: u64) -> Result<u64> {
        let mut skipped = 0;
        // The key of the trace that reaches the end of the last skipped group, which is not counted yet.
        let mut open: Option<String> = None;
        while self.next_group < self.file.num_row_groups() {
            let rows = group_rows(&*self.file, self.next_group)?;
            let Some(keys) = read_keys(&*self.file, self.next_group, rows)? else { break };
            let mut runs: Vec<String> = Vec::new();
            for key in keys {
                if runs.last() != Some(&key) {
                    runs.push(key);
                }
            }
            if open.is_some() && open.as_ref() == runs.first() {
                runs.remove(0);
            }
            let Some(last) = runs.pop() else {
                // All rows belong to the trace that is not at its end.
                self.next_group += 1;
                continue;
            };
            let ended = u64::from(open.is_some()) + runs.len() as u64;
            if skipped + ended >= count {
                break;
            }
            for key in open.iter().chain(&runs) {
                self.mark(key)?;
            }
            skipped += ended;
            open = Some(last);
            self.next_group += 1;
        }
        if let Some(open) = open {
            skipped += 1;
            self.mark(&open)?;
            self.skip_rest(&open)?;
        }
        Ok(skipped)
    }

    /// Records the key of a trace.
    fn mark(&mut self, key: &str) -> Result<()> {
        if self.keys.insert(key.to_owned()) {
            return Ok(());
        }
        Err(TraceError::new(codes::DAMAGED, format!("the rows of the trace `{key}` do not follow one another")))
    }

    /// Skips the rows of the trace with this key, which began in an earlier row group.
    fn skip_rest(&mut self, key: &str) -> Result<()> {
        while let Some(row) = self.next_row().transpose()? {
            if row.0.as_deref() != Some(key) {
                self.ahead = Some(row);
                break;
            }
        }
        Ok(())
    }

    fn next_row(&mut self) -> Option<Result<KeyedRow>> {
        loop {
            if let Some(row) = self.rows.next() {
                return Some(Ok(row));
            }
            if self.next_group == self.file.num_row_groups() {
                return None;
            }
            if let Err(error) = self.read_group() {
                return Some(Err(error));
            }
        }
    }

    fn read_group(&mut self) -> Result<()> {
        let table = Table::read(&*self.file, self.next_group)?;
        let keys = read_keys(&*self.file, self.next_group, table.rows())?;
        self.next_group += 1;
        self.rows = match keys {
            None => Box::new(table.into_rows().map(|row| (None, row))),
            Some(keys) => Box::new(keys.into_iter().map(Some).zip(table.into_rows())),
        };
        Ok(())
    }
}

/// Adds the path of a file to an error.
fn named(error: &TraceError, path: &Path) -> TraceError {
    TraceError::new(codes::UNKNOWN_FORMAT, format!("`{}`: {}", path.display(), error.diagnostic().message))
}
