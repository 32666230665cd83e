//! The readers of Parquet files: of one trace, and of many traces in one table.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use goalspec_core::world::World;
use parquet::data_type::ByteArray;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use rustc_hash::FxHashSet;

use super::damaged;
use super::table::{Row, Table, not_a_trace, read_keys};
use crate::codes;
use crate::error::{Result, TraceError};
use crate::reader::{Format, Header};
use crate::rows::{METADATA_KEY, RowDecoder, parse_header, read_rows};
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
    header: Option<String>,
    next_group: usize,
    rows: Box<dyn Iterator<Item = KeyedRow> + Send>,
    /// The first row of the next trace.
    ahead: Option<KeyedRow>,
    /// The keys of the traces so far.
    keys: FxHashSet<String>,
}

/// The key of the trace of a row, if there is one, and the row; `None` if it lacks a column that every row has.
type KeyedRow = (Option<String>, Option<Row>);

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
        let header = header_text(&*file);
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
        Ok(parse_header(self.header.as_deref().map(str::as_bytes), Format::Parquet)?.world)
    }

    /// Reads the next trace; `None` at the end.
    ///
    /// # Errors
    /// If the file is damaged or is not a trace of the world.
    pub fn next_trace(&mut self, world: &Arc<World>) -> Result<Option<KeyedTrace>> {
        let first = match self.ahead.take() {
            Some(row) => row,
            None => match self.next_row().transpose()? {
                Some(row) => row,
                None => return Ok(None),
            },
        };
        let key = first.0.clone();
        if let Some(key) = key.as_ref().filter(|key| !self.keys.insert((*key).clone())) {
            let message = format!("the rows of the trace `{key}` do not follow one another");
            return Err(TraceError::new(codes::DAMAGED, message));
        }
        let mut rows = vec![first.1];
        while let Some(row) = self.next_row().transpose()? {
            if row.0 != key {
                self.ahead = Some(row);
                break;
            }
            rows.push(row.1);
        }
        let read = read_rows(world, self.header.as_deref().map(str::as_bytes), rows.into_iter().map(Ok));
        let (world, trace) = read.map_err(|error| match &key {
            Some(key) => error.with_help(format!("the trace is `{key}`")),
            None => error,
        })?;
        Ok(Some(KeyedTrace { key, world, trace }))
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
