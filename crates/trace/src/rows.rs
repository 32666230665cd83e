//! States as rows of a table: the layout of Parquet files, and of tables in memory such as those of Arrow. The book's chapter on traces
//! specifies it.

use std::sync::Arc;

use glam::DVec3;
use goalspec_core::ids::ObjectId;
use goalspec_core::state::{AttributeChange, Delta, FactChange, FluentChange, ObjectArguments};
use goalspec_core::value::{Value, ValueKind};
use goalspec_core::world::World;
use goalspec_syntax::Diagnostic;

use crate::codes;
use crate::error::{Result, TraceError};
use crate::lines::{check_header, extend, header_text, read_header};
use crate::names::TextInterner;
use crate::pool::SetPool;
use crate::reader::{CheckedReader, Decoder, Format, Header};
use crate::source::Compression;
use crate::store::Trace;
use crate::vocabulary::{self, NameError};

/// The key of the metadata of a table under which the header of the trace is stored.
pub const METADATA_KEY: &str = "goalspec";

/// The values of the `kind` column: the kinds of rows.
mod row_kind {
    pub(super) const STATE: &str = "state";
    pub(super) const LISTED: &str = "listed";
    pub(super) const SET: &str = "set";
    pub(super) const FACT: &str = "fact";
    pub(super) const NOT: &str = "not";
    pub(super) const FLUENT: &str = "fluent";
    pub(super) const REMOVED: &str = "removed";
}

/// A text in a row: UTF-8 in any buffer.
pub trait RowText: AsRef<[u8]> + for<'t> From<&'t str> + From<Vec<u8>> {}

impl<T: AsRef<[u8]> + for<'t> From<&'t str> + From<Vec<u8>>> RowText for T {}

/// One row of a table: an entry of a state.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TraceRow<T> {
    /// The number of the state, from 1.
    pub state: i64,
    /// The index of the state.
    pub index: i64,
    /// The clock of the recording.
    pub clock: i64,
    /// The time in seconds.
    pub time: Option<f64>,
    /// The kind of the row.
    pub kind: T,
    /// The object; for facts and fluents, their objects as a JSON list.
    pub object: Option<T>,
    /// The attribute, predicate or function.
    pub name: Option<T>,
    /// The value of a `real` or a fluent.
    pub number: Option<f64>,
    /// The value of an `int` or a `bool`; in `state` rows, the number of unknown objects.
    pub int: Option<i64>,
    /// The value of a `vec3` or an `orientation`.
    pub vector: Option<DVec3>,
    /// The value of a `text`, an `object` or a `set`; in `state` rows, the action.
    pub text: Option<T>,
}

/// Returns the header of a trace as the text that the metadata of a table contain.
///
/// # Errors
/// If the header declares objects that the world does not have.
pub fn metadata(world: &World, header: &Header) -> Result<String> {
    header_text(world, header)
}

/// Reads the rows of one trace into memory. `header` is the [metadata](METADATA_KEY) of the table, if there are any. A row that is `None`
/// lacks a column that every row has. Returns the trace and its world: `world` with the objects that the header declares.
///
/// # Errors
/// As [`TraceReader::next`](crate::TraceReader::next), or if a row cannot be read.
pub fn read_rows<T: RowText + Send>(
    world: &Arc<World>,
    header: Option<&[u8]>,
    rows: impl Iterator<Item = Result<Option<TraceRow<T>>>> + Send,
) -> Result<(Arc<World>, Trace)> {
    let header = parse_header(header, Format::Memory)?;
    let world = extend(&header, world)?.map_or_else(|| Arc::clone(world), Arc::new);
    let trace = Trace::read(&mut CheckedReader::new(RowDecoder::new(header, rows, &world, false)?, false), &world)?;
    Ok((world, trace))
}

/// Returns the name of the world in the [metadata](METADATA_KEY) of a table, if it names one.
///
/// # Errors
/// If the metadata are not a header.
pub fn world_name(metadata: Option<&str>) -> Result<Option<String>> {
    Ok(parse_header(metadata.map(str::as_bytes), Format::Memory)?.world)
}

/// Returns the header in the metadata of a table.
pub(crate) fn parse_header(text: Option<&[u8]>, format: Format) -> Result<Header> {
    let mut header = Header::new(format, Compression::None);
    text.map_or(Ok(()), |text| read_header(text, 1, &mut header))?;
    Ok(header)
}

/// Calls `push` with the rows of a state, the one of this number, counted from 1.
///
/// # Errors
/// If the state has a number that is not finite or does not fit 64 bits with a sign; the first error of `push`.
pub fn encode_state<T: RowText>(
    world: &World,
    number: u64,
    delta: &Delta,
    push: &mut dyn FnMut(TraceRow<T>) -> Result<()>,
) -> Result<()> {
    let encoder = RowEncoder { world, number, delta };
    let mut push = |row: TraceRow<T>| {
        encoder.check(&row)?;
        push(row)
    };
    push(TraceRow {
        text: delta.action.as_ref().map(|action| T::from(&**action)),
        int: Some(i64::from(delta.unknown_objects)),
        ..encoder.row(row_kind::STATE)?
    })?;
    for &object in &delta.removed {
        push(TraceRow { object: Some(encoder.object(object)), ..encoder.row(row_kind::REMOVED)? })?;
    }
    for &object in &delta.listed_objects {
        push(TraceRow { object: Some(encoder.object(object)), ..encoder.row(row_kind::LISTED)? })?;
    }
    for change in &delta.changes {
        let mut row = encoder.row(row_kind::SET)?;
        row.object = Some(encoder.object(change.object));
        row.name = Some(T::from(&*world.attributes()[change.attribute.index()].name));
        encoder.set(&mut row, &change.value);
        push(row)?;
    }
    for fact in &delta.facts {
        let mut row = encoder.row(if fact.holds { row_kind::FACT } else { row_kind::NOT })?;
        row.object = Some(encoder.objects(&fact.arguments));
        row.name = Some(T::from(&*world.predicate(fact.predicate).name));
        push(row)?;
    }
    for fluent in &delta.fluents {
        let mut row = encoder.row(row_kind::FLUENT)?;
        row.object = Some(encoder.objects(&fluent.arguments));
        row.name = Some(T::from(&*world.function(fluent.function).name));
        row.number = Some(fluent.value);
        push(row)?;
    }
    Ok(())
}

/// The encoder of one state.
struct RowEncoder<'d> {
    world: &'d World,
    number: u64,
    delta: &'d Delta,
}

impl RowEncoder<'_> {
    /// Returns a row of the state.
    fn row<T: RowText>(&self, kind: &'static str) -> Result<TraceRow<T>> {
        let number = |number: u64| {
            i64::try_from(number).map_err(|_| {
                let message =
                    format!("state {} contains the number {number}, which is too large for a table", self.number);
                TraceError::new(codes::WRONG_TYPE, message)
            })
        };
        Ok(TraceRow {
            state: number(self.number)?,
            index: number(self.delta.index)?,
            clock: number(self.delta.clock)?,
            time: self.delta.time,
            kind: T::from(kind),
            object: None,
            name: None,
            number: None,
            int: None,
            vector: None,
            text: None,
        })
    }

    /// Checks that the numbers of a row are finite.
    fn check<T>(&self, row: &TraceRow<T>) -> Result<()> {
        let numbers = row.vector.map_or([0.0; 3], |vector| vector.to_array());
        if numbers.into_iter().chain(row.number).chain(row.time).all(f64::is_finite) {
            return Ok(());
        }
        let message = format!("state {} contains a number that is not finite", self.number);
        Err(TraceError::new(codes::NOT_FINITE, message))
    }

    fn object<T: RowText>(&self, object: ObjectId) -> T {
        T::from(&*self.world.object_decl(object).id)
    }

    /// Encodes objects as a JSON list of their ids.
    fn objects<T: RowText>(&self, objects: &[ObjectId]) -> T {
        let ids: Vec<&str> = objects.iter().map(|&object| &*self.world.object_decl(object).id).collect();
        T::from(serde_json::Value::from(ids).to_string().into_bytes())
    }

    fn set<T: RowText>(&self, row: &mut TraceRow<T>, value: &Value) {
        match value {
            Value::Bool(value) => row.int = Some(i64::from(*value)),
            Value::Int(value) => row.int = Some(*value),
            Value::Real(value) => row.number = Some(*value),
            Value::Vec3(value) => row.vector = Some(*value),
            Value::Object(value) => row.text = value.map(|object| self.object(object)),
            Value::Set(value) => row.text = Some(self.objects(value)),
            Value::Text(value) => row.text = Some(T::from(&**value)),
        }
    }
}

/// A decoder of the rows of a trace into states.
pub(crate) struct RowDecoder<'w, T, R> {
    header: Header,
    world: &'w World,
    remarks: Vec<Diagnostic>,
    rows: R,
    /// The row that begins the next state.
    ahead: Option<TraceRow<T>>,
    states: u64,
    row: u64,
    pool: SetPool,
    actions: TextInterner,
}

impl<'w, T: RowText, R: Iterator<Item = Result<Option<TraceRow<T>>>>> RowDecoder<'w, T, R> {
    pub(crate) fn new(header: Header, rows: R, world: &'w World, any_world: bool) -> Result<Self> {
        let remarks = check_header(&header, world, any_world)?;
        Ok(Self {
            header,
            world,
            remarks,
            rows,
            ahead: None,
            states: 0,
            row: 0,
            pool: SetPool::default(),
            actions: TextInterner::default(),
        })
    }

    fn next_row(&mut self) -> Result<Option<TraceRow<T>>> {
        let Some(row) = self.rows.next().transpose()? else { return Ok(None) };
        self.row += 1;
        let incomplete = || not_a_trace(&format!("row {} has no `state`, `index`, `clock` or `kind`", self.row - 1));
        row.map(Some).ok_or_else(incomplete)
    }

    /// Returns the current position for messages.
    fn place(&self) -> String {
        format!("in state {}, row {}", self.states + 1, self.row.saturating_sub(1))
    }

    fn wrong(&self, message: &str) -> TraceError {
        TraceError::new(codes::WRONG_TYPE, format!("{message} {}", self.place()))
    }

    fn resolve<V>(&self, result: std::result::Result<V, NameError>) -> Result<V> {
        result.map_err(|error| error.into_error(&self.place()))
    }

    /// Returns the text of a column that must have a value.
    fn text<'a>(&self, value: Option<&'a T>, column: &str) -> Result<&'a str> {
        let text = value.and_then(|value| std::str::from_utf8(value.as_ref()).ok());
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

    fn objects(&self, value: Option<&T>, column: &str, objects: &mut impl Extend<ObjectId>) -> Result<()> {
        let text = self.text(value, column)?;
        let Ok(names) = serde_json::from_str::<Vec<String>>(text) else {
            return Err(self.wrong(&format!("`{column}` must be a JSON list of strings")));
        };
        for name in names {
            objects.extend([self.object(&name)?]);
        }
        Ok(())
    }

    fn begin(&mut self, row: &TraceRow<T>, delta: &mut Delta) -> Result<()> {
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

    fn apply_row(&mut self, row: &TraceRow<T>, delta: &mut Delta) -> Result<()> {
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

    fn value(&mut self, row: &TraceRow<T>, kind: ValueKind) -> Result<Value> {
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

impl<T: RowText + Send, R: Iterator<Item = Result<Option<TraceRow<T>>>> + Send> Decoder for RowDecoder<'_, T, R> {
    fn header(&self) -> &Header {
        &self.header
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
        if first.kind.as_ref() != row_kind::STATE.as_bytes() {
            return Err(self.wrong("a state must begin with a row whose `kind` is `state`"));
        }
        self.begin(&first, delta)?;
        while let Some(row) = self.next_row()? {
            if row.kind.as_ref() == row_kind::STATE.as_bytes() {
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

/// Returns the error for a table that is not a trace.
pub(crate) fn not_a_trace(reason: &str) -> TraceError {
    TraceError::new(codes::UNKNOWN_FORMAT, format!("the table is not a trace: {reason}"))
}
