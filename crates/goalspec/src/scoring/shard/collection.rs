//! The traces of a collection, in a fixed order: files, and the traces in Parquet tables.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec_syntax::Diagnostic;
use goalspec_trace::{KeyedRows, TraceInput, TraceTableReader};

use crate::examples;
use crate::files;
use crate::scoring::table::TableBatch;

/// The traces of paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceCollection {
    parts: Vec<CollectionPart>,
    total: u64,
}

/// A file of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CollectionPart {
    pub(super) path: PathBuf,
    /// The size of the file; `None` if it cannot be read.
    pub(super) bytes: Option<u64>,
    /// The number of traces.
    pub(super) traces: u64,
    /// Whether the file is a table whose traces have keys.
    is_table: bool,
}

impl CollectionPart {
    /// Opens a file. One that cannot be read is a trace with an error.
    fn open(path: &Path) -> Result<Self, Box<Diagnostic>> {
        let bytes = match examples::read(path) {
            Some(text) => Some(text.len() as u64),
            None => path.metadata().ok().map(|metadata| metadata.len()),
        };
        let mut part = Self { path: path.to_owned(), bytes, traces: 1, is_table: false };
        if let Ok(table) = TraceTableReader::open(path)
            && table.has_keys()
        {
            part.is_table = true;
            part.traces = table.count().map_err(|error| in_file(path, error.into()))?;
        }
        Ok(part)
    }
}

/// Adds the path of a file to an error.
fn in_file(path: &Path, mut error: Box<Diagnostic>) -> Box<Diagnostic> {
    error.message = format!("`{}`: {}", path.display(), error.message);
    error
}

impl TraceCollection {
    /// Opens the files at these paths: each is a trace or a Parquet table with a column `trace`, of which each key is a trace. `progress` is called
    /// for each of them.
    ///
    /// # Errors
    /// If the keys of a table cannot be read.
    pub fn open(paths: &[PathBuf], progress: &dyn Fn()) -> Result<Self, Box<Diagnostic>> {
        let mut parts = Vec::with_capacity(paths.len());
        for path in paths {
            progress();
            parts.push(CollectionPart::open(path)?);
        }
        let total = parts.iter().map(|part| part.traces).sum();
        Ok(Self { parts, total })
    }

    /// Returns the number of traces.
    pub fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn parts(&self) -> &[CollectionPart] {
        &self.parts
    }

    /// Iterates over the traces with these numbers, from 0, in order. Of tables, only the keys of other traces are read.
    ///
    /// # Errors
    /// If a table cannot be read, or has fewer traces than when the collection was opened.
    pub(super) fn traces(&self, range: Range<u64>) -> Result<ShardTraces<'_>, Box<Diagnostic>> {
        let mut parts = self.parts.iter();
        let mut before = 0;
        while let Some(part) = parts.as_slice().first()
            && before + part.traces <= range.start
        {
            before += part.traces;
            parts.next();
        }
        let left = range.end - range.start;
        let mut traces = ShardTraces { parts, table: None, left, keys: BTreeSet::new() };
        if left > 0 && range.start > before {
            traces.open_next(range.start - before)?;
        }
        Ok(traces)
    }
}

/// An input with the key under which its rows are written.
pub enum ShardTrace {
    /// A file.
    File(PathBuf, String),
    /// A trace of a table, with its key.
    Rows(String, Box<KeyedRows>),
}

impl ShardTrace {
    /// Returns the key: the path of a file, or the key in the table.
    pub fn key(&self) -> &str {
        match self {
            Self::File(_, key) | Self::Rows(key, _) => key,
        }
    }

    /// Returns the number of rows of tables that it has in memory.
    pub(super) fn row_count(&self) -> usize {
        match self {
            Self::File(..) => 0,
            Self::Rows(_, rows) => rows.len(),
        }
    }

    /// Returns the trace, read in the world of the programs.
    pub(super) fn open(self, batch: &TableBatch<'_>) -> Result<TraceInput, Box<Diagnostic>> {
        match self {
            Self::File(path, _) => files::trace_input(&path),
            Self::Rows(key, rows) => {
                let name = rows.world_name()?;
                let trace = rows.read(batch.world_of_table(name.as_deref())?)?.trace;
                Ok(TraceInput::Trace(key.into(), Arc::new(trace)))
            }
        }
    }
}

/// An iterator over the traces of a shard.
pub(super) struct ShardTraces<'c> {
    parts: std::slice::Iter<'c, CollectionPart>,
    /// The table that is being read, with its path and the number of traces that are left in it.
    table: Option<(TraceTableReader, &'c Path, u64)>,
    /// The number of traces that are left.
    left: u64,
    /// The keys of the traces so far.
    keys: BTreeSet<String>,
}

impl ShardTraces<'_> {
    /// Opens the next file, a table whose first `skip` traces are skipped.
    fn open_next(&mut self, skip: u64) -> Result<(), Box<Diagnostic>> {
        let Some(part) = self.parts.next() else { return Ok(()) };
        let open = || {
            let mut reader = TraceTableReader::open(&part.path)?;
            reader.skip(skip)?;
            Ok(reader)
        };
        let reader = open().map_err(|error: goalspec_trace::TraceError| in_file(&part.path, error.into()))?;
        self.table = Some((reader, &part.path, part.traces - skip));
        Ok(())
    }

    /// Returns the next trace, whose key no trace before it may have.
    fn next_trace(&mut self) -> Result<Option<ShardTrace>, Box<Diagnostic>> {
        loop {
            if let Some((reader, path, left)) = &mut self.table {
                if *left > 0 {
                    *left -= 1;
                    let rows = reader.next_rows().map_err(|error| in_file(path, error.into()))?;
                    return match rows.and_then(|mut rows| Some((rows.key.take()?, rows))) {
                        Some((key, rows)) => Ok(Some(ShardTrace::Rows(key, Box::new(rows)))),
                        None => Err(changed(path)),
                    };
                }
                self.table = None;
            }
            match self.parts.as_slice().first() {
                None => return Ok(None),
                Some(part) if part.is_table => self.open_next(0)?,
                Some(part) => {
                    self.parts.next();
                    return Ok(Some(ShardTrace::File(part.path.clone(), part.path.display().to_string())));
                }
            }
        }
    }
}

/// Returns the error of a table that was replaced while it was read.
fn changed(path: &Path) -> Box<Diagnostic> {
    let message = format!("`{}` has changed: it has fewer traces than when it was opened", path.display());
    goalspec_trace::TraceError::new(goalspec_trace::codes::DAMAGED, message).into()
}

/// Returns the error of two traces with the same key.
fn doubled(key: &str) -> Box<Diagnostic> {
    let message = format!("two traces have the key `{key}`, so their rows could not be told apart");
    let error = goalspec_trace::TraceError::new(goalspec_trace::codes::DAMAGED, message);
    error.with_help("give the traces of all tables of a collection different keys").into()
}

impl Iterator for ShardTraces<'_> {
    type Item = Result<ShardTrace, Box<Diagnostic>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let next = self.next_trace().and_then(|trace| match trace {
            Some(trace) if !self.keys.insert(trace.key().to_owned()) => Err(doubled(trace.key())),
            trace => Ok(trace),
        });
        next.transpose()
    }
}
