//! The encoder of states as rows.

use std::io::Write;
use std::sync::Arc;

use goalspec_core::state::Delta;
use goalspec_core::world::World;
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};

use super::table::{Column, Table, schema};
use crate::codes;
use crate::error::{Result, TraceError};
use crate::lines::header_text;
use crate::reader::Header;
use crate::rows::{METADATA_KEY, encode_state};
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
}

/// Writes the rows that were collected as a row group.
fn flush<W: Write + Send>(file: &mut SerializedFileWriter<W>, table: &mut Table) -> Result<()> {
    if table.rows() == 0 {
        return Ok(());
    }
    write_group(file, table).map_err(|error| failed(&error))?;
    table.clear();
    Ok(())
}

fn write_group<W: Write + Send>(
    file: &mut SerializedFileWriter<W>,
    table: &Table,
) -> std::result::Result<(), ParquetError> {
    let mut group = file.next_row_group()?;
    let Table { ints: [state, index, clock, int], reals: [time, number, x, y, z], texts: [kind, object, name, text] } =
        table;
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
        encode_state(self.world, self.states + 1, delta, &mut |row| {
            self.table.push(row);
            if self.table.rows() >= GROUP_ROWS { flush(&mut self.file, &mut self.table) } else { Ok(()) }
        })?;
        self.states += 1;
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        flush(&mut self.file, &mut self.table)?;
        self.file.finish().map(|_| ()).map_err(|error| failed(&error))
    }
}
