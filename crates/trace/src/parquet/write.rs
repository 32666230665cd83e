//! The encoder of states as rows.

use std::io::Write;
use std::sync::Arc;

use goalspec_core::ids::ObjectId;
use goalspec_core::state::Delta;
use goalspec_core::value::Value;
use goalspec_core::world::World;
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};

use super::table::{Column, Row, Table, schema};
use super::{METADATA_KEY, row_kind};
use crate::codes;
use crate::error::{Result, TraceError};
use crate::lines::header_text;
use crate::reader::Header;
use crate::write::TraceWriter;

/// Number of rows in a row group; a reader holds one group in memory.
const GROUP_ROWS: usize = 1 << 14;

/// A writer of traces as Parquet tables.
pub struct ParquetWriter<'w, W: Write + Send> {
    world: &'w World,
    file: SerializedFileWriter<W>,
    table: Table,
    states: u64,
}

impl<'w, W: Write + Send> ParquetWriter<'w, W> {
    /// Starts a table. The recording's metadata and the objects that only the trace declares are copied from `header`.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn new(output: W, world: &'w World, header: &Header) -> Result<Self> {
        let text = header_text(world, header)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_key_value_metadata(Some(vec![KeyValue::new(METADATA_KEY.to_owned(), text)]))
            .build();
        let file = schema().and_then(|schema| SerializedFileWriter::new(output, schema, Arc::new(properties)));
        let file = file.map_err(|error| failed(&error))?;
        Ok(Self { world, file, table: Table::default(), states: 0 })
    }

    /// Returns the output.
    pub(crate) fn output(&mut self) -> &mut W {
        self.file.inner_mut()
    }

    /// Returns a row of the current state.
    fn row(&self, delta: &Delta, kind: &'static str) -> Result<Row> {
        let number = |number: u64| {
            i64::try_from(number).map_err(|_| {
                let message =
                    format!("state {} contains the number {number}, which is too large for Parquet", self.states + 1);
                TraceError::new(codes::WRONG_TYPE, message)
            })
        };
        Ok(Row {
            state: number(self.states + 1)?,
            index: number(delta.index)?,
            clock: number(delta.clock)?,
            time: delta.time,
            kind: ByteArray::from(kind),
            ..Row::default()
        })
    }

    fn push(&mut self, row: Row) -> Result<()> {
        let numbers = row.vector.map_or([0.0; 3], |vector| vector.to_array());
        let finite = numbers.into_iter().chain(row.number).chain(row.time).all(f64::is_finite);
        if !finite {
            let message = format!("state {} contains a number that is not finite", self.states + 1);
            return Err(TraceError::new(codes::NOT_FINITE, message));
        }
        self.table.push(row);
        if self.table.rows() >= GROUP_ROWS { self.flush() } else { Ok(()) }
    }

    fn object(&self, object: ObjectId) -> ByteArray {
        ByteArray::from(&*self.world.object_decl(object).id)
    }

    /// Encodes objects as a JSON list of their ids.
    fn objects(&self, objects: &[ObjectId]) -> ByteArray {
        let ids: Vec<&str> = objects.iter().map(|&object| &*self.world.object_decl(object).id).collect();
        ByteArray::from(serde_json::Value::from(ids).to_string().into_bytes())
    }

    fn set(&self, row: &mut Row, value: &Value) {
        match value {
            Value::Bool(value) => row.int = Some(i64::from(*value)),
            Value::Int(value) => row.int = Some(*value),
            Value::Real(value) => row.number = Some(*value),
            Value::Vec3(value) => row.vector = Some(*value),
            Value::Object(value) => row.text = value.map(|object| self.object(object)),
            Value::Set(value) => row.text = Some(self.objects(value)),
            Value::Text(value) => row.text = Some(ByteArray::from(&**value)),
        }
    }

    fn flush(&mut self) -> Result<()> {
        if self.table.rows() == 0 {
            return Ok(());
        }
        self.write_group().map_err(|error| failed(&error))?;
        self.table.clear();
        Ok(())
    }

    fn write_group(&mut self) -> std::result::Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        let Table {
            ints: [state, index, clock, int],
            reals: [time, number, x, y, z],
            texts: [kind, object, name, text],
        } = &self.table;
        write_column::<Int64Type, _>(&mut group, state)?;
        write_column::<Int64Type, _>(&mut group, index)?;
        write_column::<Int64Type, _>(&mut group, clock)?;
        write_column::<DoubleType, _>(&mut group, time)?;
        write_column::<ByteArrayType, _>(&mut group, kind)?;
        write_column::<ByteArrayType, _>(&mut group, object)?;
        write_column::<ByteArrayType, _>(&mut group, name)?;
        write_column::<DoubleType, _>(&mut group, number)?;
        write_column::<Int64Type, _>(&mut group, int)?;
        write_column::<DoubleType, _>(&mut group, x)?;
        write_column::<DoubleType, _>(&mut group, y)?;
        write_column::<DoubleType, _>(&mut group, z)?;
        write_column::<ByteArrayType, _>(&mut group, text)?;
        group.close()?;
        Ok(())
    }
}

/// Writes the next column of a row group.
fn write_column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    column: &Column<T::T>,
) -> std::result::Result<(), ParquetError> {
    let Some(mut writer) = group.next_column()? else {
        return Err(ParquetError::General("the schema has fewer columns than the table".to_owned()));
    };
    writer.typed::<T>().write_batch(&column.values, Some(&column.levels), None)?;
    writer.close()
}

fn failed(error: &ParquetError) -> TraceError {
    TraceError::new(codes::IO, format!("cannot write the trace: {error}"))
}

impl<W: Write + Send> TraceWriter for ParquetWriter<'_, W> {
    fn write(&mut self, delta: &Delta) -> Result<()> {
        let mut row = self.row(delta, row_kind::STATE)?;
        row.text = delta.action.as_ref().map(|action| ByteArray::from(&**action));
        row.int = Some(i64::from(delta.unknown_objects));
        self.push(row)?;
        for &object in &delta.removed {
            let row = Row { object: Some(self.object(object)), ..self.row(delta, row_kind::REMOVED)? };
            self.push(row)?;
        }
        for &object in &delta.listed_objects {
            let row = Row { object: Some(self.object(object)), ..self.row(delta, row_kind::LISTED)? };
            self.push(row)?;
        }
        for change in &delta.changes {
            let mut row = self.row(delta, row_kind::SET)?;
            row.object = Some(self.object(change.object));
            row.name = Some(ByteArray::from(&*self.world.attributes()[change.attribute.index()].name));
            self.set(&mut row, &change.value);
            self.push(row)?;
        }
        for fact in &delta.facts {
            let mut row = self.row(delta, if fact.holds { row_kind::FACT } else { row_kind::NOT })?;
            row.object = Some(self.objects(&fact.arguments));
            row.name = Some(ByteArray::from(&*self.world.predicate(fact.predicate).name));
            self.push(row)?;
        }
        for fluent in &delta.fluents {
            let mut row = self.row(delta, row_kind::FLUENT)?;
            row.object = Some(self.objects(&fluent.arguments));
            row.name = Some(ByteArray::from(&*self.world.function(fluent.function).name));
            row.number = Some(fluent.value);
            self.push(row)?;
        }
        self.states += 1;
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.flush()?;
        self.file.finish().map(|_| ()).map_err(|error| failed(&error))
    }
}
