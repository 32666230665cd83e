//! States as rows of numbers, the form in which environments give their observations.

use goalspec_core::ids::{AttributeId, FunctionId, ObjectId, PredicateId};
use goalspec_core::state::{AttributeChange, Delta, FactChange, FluentChange, ObjectArguments};
use goalspec_core::value::{Value, ValueKind};
use goalspec_core::world::operation::{FunctionDefinition, PredicateDefinition};
use goalspec_core::world::{Parameter, World};
use goalspec_syntax::suggest::did_you_mean;

use crate::codes;
use crate::error::{Result, TraceError};
use crate::store::{Trace, TraceBuilder, world_fingerprint};

/// One column of numbers that describes a state.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Column {
    /// A bool, int or real attribute; for a vector, the index of the component.
    Attribute(ObjectId, AttributeId, ValueKind, usize),
    /// A stored fact: it holds if the number is not 0.
    Fact(PredicateId, ObjectArguments),
    /// A stored function.
    Fluent(FunctionId, ObjectArguments),
}

/// The columns of a matrix whose rows are states, as environments give their observations.
#[derive(Debug, Clone)]
pub struct StateColumns {
    columns: Vec<Column>,
    /// The fingerprint of the world.
    world: u64,
}

impl StateColumns {
    /// Resolves the names of columns:
    ///
    /// | column | meaning | number |
    /// |---|---|---|
    /// | `ball_1.holding` | a bool, int or real attribute of an object | the value; a bool is `true` unless 0 |
    /// | `ball_1.position.x`, `.y`, `.z` | a component of a vector; the three are consecutive columns | the value |
    /// | `(on ball_1 table_1)` | a stored fact | it holds unless 0 |
    /// | `(fuel truck_1)` | a stored function | the value |
    ///
    /// # Errors
    /// The first column that is not one of these.
    pub fn new(world: &World, names: &[&str]) -> Result<Self> {
        let columns = names.iter().enumerate().map(|(index, name)| column(world, names, index, name));
        let columns = columns.collect::<std::result::Result<_, _>>();
        Ok(Self {
            world: world_fingerprint(world),
            columns: columns.map_err(|message| TraceError::new(codes::UNKNOWN_COLUMN, message))?,
        })
    }

    /// Returns the number of columns.
    pub fn count(&self) -> usize {
        self.columns.len()
    }

    /// Returns a trace of a world whose states are the rows of a matrix: `states[row * count + column]`.
    ///
    /// # Errors
    /// If a number is infinite, not a number, or outside the range of an int column.
    ///
    /// # Panics
    /// If the length of the matrix is not a multiple of the number of columns, or the columns are those of another world.
    pub fn trace(&self, world: &World, states: &[f64]) -> Result<Trace> {
        let width = self.count().max(1);
        assert!(self.is_of(world), "the columns are those of another world");
        assert!(states.len().is_multiple_of(width), "{} numbers are not rows of {width}", states.len());
        let mut builder = TraceBuilder::new(world);
        let mut delta = Delta::default();
        for (index, row) in states.chunks_exact(width).enumerate() {
            self.fill(row, index as u64, &mut delta)?;
            builder.push(&delta)?;
        }
        Ok(builder.finish())
    }

    /// Whether the columns are those of this world.
    pub fn is_of(&self, world: &World) -> bool {
        self.world == world_fingerprint(world)
    }

    /// Checks that the numbers of a row are values of the columns.
    ///
    /// # Errors
    /// The first number that is infinite, not a number, or outside the range of an int column.
    pub fn check(&self, row: &[f64]) -> Result<()> {
        let is_value = |column: &Column, number: f64| match column {
            // The bounds are the nearest numbers to those of 64-bit integers.
            Column::Attribute(_, _, ValueKind::Int, _) => (i64::MIN as f64..i64::MAX as f64).contains(&number),
            _ => number.is_finite(),
        };
        let wrong = self.columns.iter().zip(row).position(|(column, &number)| !is_value(column, number));
        wrong.map_or(Ok(()), |at| {
            Err(TraceError::new(codes::NOT_OF_WORLD, format!("the number {} in column {at} is not a value", row[at])))
        })
    }

    /// Replaces a delta by the state in a row, with this index. An int is the number without its fraction.
    ///
    /// # Errors
    /// As [`check`](Self::check). The delta is then unchanged.
    ///
    /// # Panics
    /// If the row is shorter than the number of columns.
    pub fn fill(&self, row: &[f64], index: u64, delta: &mut Delta) -> Result<()> {
        assert!(row.len() >= self.count(), "{} numbers for {} columns", row.len(), self.count());
        self.check(row)?;
        delta.clear();
        delta.index = index;
        delta.clock = index;
        for (column, &number) in self.columns.iter().zip(row) {
            match column {
                Column::Attribute(object, attribute, kind, component) => match kind {
                    ValueKind::Vec3 | ValueKind::Orientation if *component > 0 => {
                        if let Some(AttributeChange { value: Value::Vec3(vector), .. }) = delta.changes.last_mut() {
                            vector[*component] = number;
                        }
                    }
                    _ => delta.changes.push(AttributeChange {
                        object: *object,
                        attribute: *attribute,
                        value: match kind {
                            ValueKind::Bool => Value::Bool(number != 0.0),
                            ValueKind::Int => Value::Int(number as i64),
                            ValueKind::Vec3 | ValueKind::Orientation => Value::Vec3([number, 0.0, 0.0].into()),
                            _ => Value::Real(number),
                        },
                    }),
                },
                Column::Fact(predicate, arguments) => delta.facts.push(FactChange {
                    predicate: *predicate,
                    arguments: arguments.clone(),
                    holds: number != 0.0,
                }),
                Column::Fluent(function, arguments) => delta.fluents.push(FluentChange {
                    function: *function,
                    arguments: arguments.clone(),
                    value: number,
                }),
            }
        }
        Ok(())
    }
}

/// Resolves the name of a column.
fn column(world: &World, names: &[&str], index: usize, name: &str) -> std::result::Result<Column, String> {
    let Some(inner) = name.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return attribute_column(world, names, index, name);
    };
    let mut words = inner.split_whitespace();
    let callee = words.next().ok_or_else(|| format!("the column `{name}` is empty"))?;
    let arguments =
        words.map(|word| object_named(world, name, word)).collect::<std::result::Result<ObjectArguments, _>>()?;
    let check = |parameters: &[Parameter], is_stored: bool| {
        let (min, max) = Parameter::arity(parameters);
        if !(min..=max).contains(&arguments.len()) {
            let parameters = max;
            return Err(format!(
                "column `{name}`: `{callee}` has {parameters} parameters, but {} arguments",
                arguments.len()
            ));
        }
        if is_stored { Ok(()) } else { Err(format!("column `{name}`: `{callee}` is computed from attributes")) }
    };
    if let Some(id) = world.predicate_named(callee) {
        let predicate = world.predicate(id);
        check(&predicate.parameters, matches!(predicate.definition, PredicateDefinition::Stored))?;
        return Ok(Column::Fact(id, arguments));
    }
    if let Some(id) = world.function_named(callee) {
        let function = world.function(id);
        check(&function.parameters, matches!(function.definition, FunctionDefinition::Stored))?;
        return Ok(Column::Fluent(id, arguments));
    }
    let names = world.predicates().iter().map(|predicate| &*predicate.name);
    let names = names.chain(world.functions().iter().map(|function| &*function.name));
    Err(unknown(format!("column `{name}`: unknown predicate or function `{callee}`"), callee, names))
}

/// Resolves the name of a column of an attribute: `OBJECT.ATTRIBUTE` or `OBJECT.ATTRIBUTE.COMPONENT`.
fn attribute_column(world: &World, names: &[&str], index: usize, name: &str) -> std::result::Result<Column, String> {
    let mut parts = name.split('.');
    let (Some(object_name), Some(attribute_name)) = (parts.next(), parts.next()) else {
        return Err(format!("the column `{name}` is neither `OBJECT.ATTRIBUTE` nor `(PREDICATE OBJECT ..)`"));
    };
    let component = parts.next();
    let object = object_named(world, name, object_name)?;
    let attribute = world.attribute_named(attribute_name).ok_or_else(|| {
        let names = world.attributes().iter().map(|attribute| &*attribute.name);
        unknown(format!("column `{name}`: unknown attribute `{attribute_name}`"), attribute_name, names)
    })?;
    if !world.has_attribute(object, attribute) {
        return Err(format!("column `{name}`: `{object_name}` has no attribute `{attribute_name}`"));
    }
    let kind = world.attributes()[attribute.index()].kind;
    let component = match (kind, component) {
        (ValueKind::Bool | ValueKind::Int | ValueKind::Real, None) => 0,
        (ValueKind::Vec3 | ValueKind::Orientation, Some(axis @ ("x" | "y" | "z"))) => {
            let component = ["x", "y", "z"].iter().position(|other| *other == axis).unwrap_or(0);
            let first = index.wrapping_sub(component);
            let is_in_order = ["x", "y", "z"].iter().enumerate().all(|(offset, axis)| {
                names
                    .get(first.wrapping_add(offset))
                    .is_some_and(|other| *other == format!("{object_name}.{attribute_name}.{axis}"))
            });
            if !is_in_order {
                return Err(format!("column `{name}`: the columns x, y and z of a vector must follow each other"));
            }
            component
        }
        (ValueKind::Vec3 | ValueKind::Orientation, _) => {
            return Err(format!("column `{name}`: `{attribute_name}` is a vector with the components x, y and z"));
        }
        (ValueKind::Bool | ValueKind::Int | ValueKind::Real, Some(_)) => {
            return Err(format!("column `{name}`: `{attribute_name}` is a number and has no components"));
        }
        _ => return Err(format!("column `{name}`: an attribute of kind {} is not a number", kind.name())),
    };
    Ok(Column::Attribute(object, attribute, kind, component))
}

fn object_named(world: &World, column: &str, name: &str) -> std::result::Result<ObjectId, String> {
    world.object_with_recorded_name(name).or_else(|| world.object_named(name)).ok_or_else(|| {
        let names = world.objects().iter().map(|object| &*object.id);
        unknown(format!("column `{column}`: unknown object `{name}`"), name, names)
    })
}

fn unknown<'n>(message: String, name: &str, names: impl Iterator<Item = &'n str>) -> String {
    match did_you_mean(name, names) {
        Some(suggestion) => format!("{message}; {suggestion}"),
        None => message,
    }
}
