//! The decoder of rows into states.

use std::fs::File;

use goalspec_core::ids::ObjectId;
use goalspec_core::state::{AttributeChange, Delta, FactChange, FluentChange, ObjectArguments};
use goalspec_core::value::{Value, ValueKind};
use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;
use parquet::data_type::ByteArray;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};

use super::table::{Row, Table, not_a_trace};
use super::{METADATA_KEY, damaged, row_kind};
use crate::codes;
use crate::error::{Result, TraceError};
use crate::lines::{check_header, read_header};
use crate::names::TextInterner;
use crate::pool::SetPool;
use crate::reader::{Decoder, Format, Header};
use crate::source::Compression;
use crate::vocabulary::{self, NameError};

/// A Parquet file with its header.
pub(crate) struct ParquetSource {
    file: Box<dyn FileReader>,
    header: Header,
}

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
        let file = SerializedFileReader::new(input).map_err(|error| damaged(&error))?;
        let metadata = file.metadata().file_metadata().key_value_metadata();
        let entry = metadata.into_iter().flatten().find(|entry| entry.key == METADATA_KEY);
        let Some(text) = entry.and_then(|entry| entry.value.as_ref()) else {
            return Err(not_a_trace(&format!("its metadata has no `{METADATA_KEY}`")));
        };
        let mut header = Header::new(Format::Parquet, Compression::None);
        read_header(text.as_bytes(), 1, &mut header)?;
        Ok(Self { file: Box::new(file), header })
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }
}

/// A reader of states from the rows of a table.
pub(crate) struct ParquetReader<'w> {
    source: ParquetSource,
    world: &'w World,
    remarks: Vec<Diagnostic>,
    next_group: usize,
    rows: Box<dyn Iterator<Item = Option<Row>> + Send>,
    /// The row that begins the next state.
    ahead: Option<Row>,
    states: u64,
    row: u64,
    pool: SetPool,
    actions: TextInterner,
}

impl<'w> ParquetReader<'w> {
    pub(crate) fn new(source: ParquetSource, world: &'w World, any_world: bool) -> Result<Self> {
        let remarks = check_header(source.header(), world, any_world)?;
        Ok(Self {
            source,
            world,
            remarks,
            next_group: 0,
            rows: Box::new(std::iter::empty()),
            ahead: None,
            states: 0,
            row: 0,
            pool: SetPool::default(),
            actions: TextInterner::default(),
        })
    }

    fn next_row(&mut self) -> Result<Option<Row>> {
        loop {
            if let Some(row) = self.rows.next() {
                self.row += 1;
                let incomplete =
                    || not_a_trace(&format!("row {} has no `state`, `index`, `clock` or `kind`", self.row - 1));
                return row.map(Some).ok_or_else(incomplete);
            }
            if self.next_group == self.source.file.num_row_groups() {
                return Ok(None);
            }
            self.rows = Box::new(Table::read(&*self.source.file, self.next_group)?.into_rows());
            self.next_group += 1;
        }
    }

    /// Returns the current position for messages.
    fn place(&self) -> String {
        format!("in state {}, row {}", self.states + 1, self.row.saturating_sub(1))
    }

    fn wrong(&self, message: &str) -> TraceError {
        TraceError::new(codes::WRONG_TYPE, format!("{message} {}", self.place()))
    }

    fn resolve<T>(&self, result: std::result::Result<T, NameError>) -> Result<T> {
        result.map_err(|error| error.into_error(&self.place()))
    }

    /// Returns the text of a column that must have a value.
    fn text<'a>(&self, value: Option<&'a ByteArray>, column: &str) -> Result<&'a str> {
        let text = value.and_then(|value| value.as_utf8().ok());
        text.ok_or_else(|| self.wrong(&format!("`{column}` must be a string")))
    }

    fn number(&self, value: Option<f64>, column: &str) -> Result<f64> {
        let number = value.ok_or_else(|| self.wrong(&format!("`{column}` must be a number")))?;
        if number.is_finite() {
            return Ok(number);
        }
        Err(TraceError::new(codes::NOT_FINITE, format!("`{column}` is not finite {}", self.place())))
    }

    fn object(&self, name: &str) -> Result<ObjectId> {
        self.resolve(vocabulary::object(self.world, name))
    }

    fn objects(&self, value: Option<&ByteArray>, column: &str, objects: &mut impl Extend<ObjectId>) -> Result<()> {
        let text = self.text(value, column)?;
        let Ok(names) = serde_json::from_str::<Vec<String>>(text) else {
            return Err(self.wrong(&format!("`{column}` must be a JSON list of strings")));
        };
        for name in names {
            objects.extend([self.object(&name)?]);
        }
        Ok(())
    }

    fn begin(&mut self, row: &Row, delta: &mut Delta) -> Result<()> {
        let count = |number: i64, column: &str| {
            u64::try_from(number).map_err(|_| self.wrong(&format!("`{column}` must be a non-negative number")))
        };
        delta.index = count(row.index, "index")?;
        delta.clock = count(row.clock, "clock")?;
        delta.time = row.time.map(|time| self.number(Some(time), "time")).transpose()?;
        let foreign = u32::try_from(row.int.unwrap_or(0)).ok();
        delta.unknown_objects = foreign.ok_or_else(|| self.wrong("`int` must be a number of objects"))?;
        if let Some(action) = &row.text {
            let action = self.text(Some(action), "text")?;
            delta.action = Some(self.actions.share(action));
        }
        Ok(())
    }

    fn apply_row(&mut self, row: &Row, delta: &mut Delta) -> Result<()> {
        match self.text(Some(&row.kind), "kind")? {
            row_kind::LISTED => delta.listed_objects.push(self.object(self.text(row.object.as_ref(), "object")?)?),
            row_kind::REMOVED => delta.removed.push(self.object(self.text(row.object.as_ref(), "object")?)?),
            row_kind::SET => {
                let object = self.object(self.text(row.object.as_ref(), "object")?)?;
                let name = self.text(row.name.as_ref(), "name")?;
                let (attribute, kind) = self.resolve(vocabulary::attribute(self.world, name, object))?;
                let value = self.value(row, kind)?;
                delta.changes.push(AttributeChange { object, attribute, value });
            }
            fact @ (row_kind::FACT | row_kind::NOT) => {
                let name = self.text(row.name.as_ref(), "name")?;
                let predicate = self.resolve(vocabulary::predicate(self.world, name))?;
                let mut arguments = ObjectArguments::new();
                self.objects(row.object.as_ref(), "object", &mut arguments)?;
                let parameters = &self.world.predicate(predicate).parameters;
                self.resolve(vocabulary::check_arguments(self.world, name, parameters, &arguments))?;
                delta.facts.push(FactChange { predicate, arguments, holds: fact == row_kind::FACT });
            }
            row_kind::FLUENT => {
                let name = self.text(row.name.as_ref(), "name")?;
                let function = self.resolve(vocabulary::function(self.world, name))?;
                let mut arguments = ObjectArguments::new();
                self.objects(row.object.as_ref(), "object", &mut arguments)?;
                let parameters = &self.world.function(function).parameters;
                self.resolve(vocabulary::check_arguments(self.world, name, parameters, &arguments))?;
                delta.fluents.push(FluentChange { function, arguments, value: self.number(row.number, "number")? });
            }
            other => return Err(self.wrong(&format!("unknown kind of row `{other}` in `kind`"))),
        }
        Ok(())
    }

    fn value(&mut self, row: &Row, kind: ValueKind) -> Result<Value> {
        Ok(match kind {
            ValueKind::Bool => match row.int {
                Some(flag @ 0..=1) => Value::Bool(flag == 1),
                _ => return Err(self.wrong("`int` must be 0 or 1")),
            },
            ValueKind::Int => Value::Int(row.int.ok_or_else(|| self.wrong("`int` must be an integer"))?),
            ValueKind::Real => Value::Real(self.number(row.number, "number")?),
            ValueKind::Vec3 | ValueKind::Orientation => {
                let vector = row.vector.ok_or_else(|| self.wrong("`x`, `y` and `z` must be numbers"))?;
                for (number, column) in vector.to_array().into_iter().zip(["x", "y", "z"]) {
                    self.number(Some(number), column)?;
                }
                Value::Vec3(vector)
            }
            ValueKind::Object if row.text.is_none() => Value::Object(None),
            ValueKind::Object => Value::Object(Some(self.object(self.text(row.text.as_ref(), "text")?)?)),
            ValueKind::Set => {
                let mut set = self.pool.set();
                self.objects(row.text.as_ref(), "text", &mut set)?;
                set.sort_unstable();
                set.dedup();
                Value::Set(set)
            }
            ValueKind::Text => Value::Text(self.text(row.text.as_ref(), "text")?.into()),
        })
    }
}

impl Decoder for ParquetReader<'_> {
    fn header(&self) -> &Header {
        self.source.header()
    }

    fn next(&mut self, delta: &mut Delta) -> Result<bool> {
        self.pool.clear(delta);
        let first = match self.ahead.take() {
            Some(row) => row,
            None => match self.next_row()? {
                Some(row) => row,
                None => return Ok(false),
            },
        };
        if first.kind.data() != row_kind::STATE.as_bytes() {
            return Err(self.wrong("a state must begin with a row whose `kind` is `state`"));
        }
        self.begin(&first, delta)?;
        while let Some(row) = self.next_row()? {
            if row.kind.data() == row_kind::STATE.as_bytes() {
                self.ahead = Some(row);
                break;
            }
            if row.state != first.state {
                return Err(self.wrong("the value of `state` changes without a row whose `kind` is `state`"));
            }
            self.apply_row(&row, delta)?;
        }
        self.states += 1;
        Ok(true)
    }

    fn remarks(&self) -> Vec<Diagnostic> {
        self.remarks.clone()
    }

    fn offset(&self) -> u64 {
        self.row
    }
}
