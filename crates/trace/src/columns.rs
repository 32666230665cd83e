//! States as rows of numbers, the form in which environments give their observations.

use goalspec_core::ids::{AttributeId, ObjectId};
use goalspec_core::state::{Delta, ObjectArguments};
use goalspec_core::state_part::StatePart;
use goalspec_core::value::ValueKind;
use goalspec_core::world::operation::{FunctionDefinition, PredicateDefinition};
use goalspec_core::world::{Parameter, World};
use goalspec_syntax::suggest::did_you_mean;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::error::{Result, TraceError};
use crate::store::{ColumnBuilder, Trace, world_fingerprint};

/// The names of the components of a vector, in the order of their columns.
const COMPONENTS: [&str; StatePart::VECTOR_WIDTH] = ["x", "y", "z"];

/// The columns of a matrix whose rows are states, as environments give their observations.
#[derive(Debug, Clone)]
pub struct StateColumns {
    /// The parts of the state, in the order of their columns.
    parts: Vec<StatePart>,
    /// For each part the column with the presence of its object, if there is one.
    presence: Vec<Option<usize>>,
    /// For each column its part.
    part_of: Vec<u32>,
    /// The names of the columns, at least one.
    names: Vec<Box<str>>,
    /// The fingerprint of the world.
    world: u64,
    /// Whether numbers have to be values without rounding.
    is_exact: bool,
    /// Whether numbers may be missing.
    has_missing: bool,
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
    /// | `ball_1` | the presence of an object | it is present unless 0; if it is not, the numbers of its attributes are not read |
    ///
    /// # Errors
    /// The first column that is not one of these or describes the same as an earlier one, or that there are no columns.
    pub fn new(world: &World, names: &[&str]) -> Result<Self> {
        let parts = resolve(world, names).map_err(|message| TraceError::new(codes::UNKNOWN_COLUMN, message))?;
        let presence = presence_columns(&parts);
        let names = names.iter().map(|&name| name.into()).collect();
        let part_of = (0..).zip(&parts).flat_map(|(index, part)| std::iter::repeat_n(index, part.width())).collect();
        Ok(Self {
            parts,
            presence,
            part_of,
            names,
            world: world_fingerprint(world),
            is_exact: false,
            has_missing: false,
        })
    }

    /// Accepts only numbers that need no rounding: ints without a fraction, and 0 or 1 for bools and facts.
    #[must_use]
    pub fn exact(mut self) -> Self {
        self.is_exact = true;
        self
    }

    /// Accepts numbers that are missing, written NaN: the value is as in the previous state, and unknown if no state before had one. All
    /// components of a vector are missing, or none.
    #[must_use]
    pub fn with_missing(mut self) -> Self {
        self.has_missing = true;
        self
    }

    /// Returns the names of the columns.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// Returns the number of columns, at least 1.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// Returns a trace of a world whose states are the rows of a matrix: `states[row * count + column]`.
    ///
    /// # Errors
    /// If a number is infinite, not a number, or outside the range of an int column.
    ///
    /// # Panics
    /// If the length of the matrix is not a multiple of the number of columns, or the columns are those of another world.
    pub fn trace(&self, world: &World, states: &[f64]) -> Result<Trace> {
        assert!(self.is_of(world), "the columns are those of another world");
        assert!(states.len().is_multiple_of(self.count()), "{} numbers are not rows of {}", states.len(), self.count());
        let mut builder = ColumnBuilder::new(world);
        let mut delta = Delta::default();
        let mut previous = None;
        for (index, row) in states.chunks_exact(self.count()).enumerate() {
            self.fill(row, previous, index as u64, &mut delta)?;
            debug_assert!(delta.check(world).is_ok(), "the columns are those of the world");
            builder.push(&delta);
            previous = Some(row);
        }
        Ok(builder.finish())
    }

    /// Returns the parts of the state, in the order of their columns, if every number of a row is the value of its part: if no int is
    /// [rounded](Self::exact), no number may be missing, and no object absent.
    pub fn complete_parts(&self) -> Option<&[StatePart]> {
        let is_value = |part: &StatePart| match part {
            StatePart::Number(_, _, ValueKind::Int) => self.is_exact,
            StatePart::Presence(_) => false,
            StatePart::Number(..) | StatePart::Vector(..) | StatePart::Fact(..) | StatePart::Fluent(..) => true,
        };
        (!self.has_missing && self.parts.iter().all(is_value)).then_some(&self.parts)
    }

    /// Whether the columns are those of this world.
    pub fn is_of(&self, world: &World) -> bool {
        self.world == world_fingerprint(world)
    }

    /// Checks that the numbers of a row are values of the columns.
    ///
    /// # Errors
    /// The first number that is infinite, not a number unless it may be [missing](Self::with_missing), or outside the range of an int
    /// column. If the columns are [exact](Self::exact), also one that would be rounded.
    ///
    /// # Panics
    /// If the length of the row is not the number of columns.
    pub fn check(&self, row: &[f64]) -> Result<()> {
        assert_eq!(row.len(), self.count(), "the number of columns");
        let mut start = 0;
        for (part, presence) in self.parts.iter().zip(&self.presence) {
            let numbers = &row[start..][..part.width()];
            let is_absent = presence.is_some_and(|column| row[column] == 0.0);
            let is_missing = is_absent || (self.has_missing && numbers.iter().all(|number| number.is_nan()));
            let is_wrong = |&number: &f64| !part.accepts(number, self.is_exact);
            if let (false, Some(wrong)) = (is_missing, numbers.iter().position(is_wrong)) {
                let (name, expected) = (&self.names[start + wrong], part.values(self.is_exact));
                let message = format!("column `{name}`: expected {expected}, found {}", numbers[wrong]);
                return Err(TraceError::new(codes::NOT_OF_WORLD, message));
            }
            start += part.width();
        }
        Ok(())
    }

    /// Checks the numbers of a row that differ from those of another row, which was checked. For columns of
    /// [complete parts](Self::complete_parts).
    ///
    /// # Errors
    /// As [`check`](Self::check).
    ///
    /// # Panics
    /// If the length of a row is not the number of columns.
    pub fn check_changes(&self, row: &[f64], checked: &[f64]) -> Result<()> {
        assert_eq!((row.len(), checked.len()), (self.count(), self.count()), "the number of columns");
        // The check of a whole row finds the number again.
        let is_wrong = |((new, old), &part): ((&f64, &f64), &u32)| {
            new.to_bits() != old.to_bits() && !self.parts[part as usize].accepts(*new, self.is_exact)
        };
        if row.iter().zip(checked).zip(&self.part_of).any(is_wrong) { self.check(row) } else { Ok(()) }
    }

    /// Replaces a delta by the changes from the previous row to a row, the state with this index. Without a previous row, as in the
    /// first state, all columns are changes. An int is the number without its fraction. Missing numbers are no changes.
    ///
    /// # Errors
    /// As [`check`](Self::check). The delta is then unchanged.
    ///
    /// # Panics
    /// If the length of a row is not the number of columns.
    pub fn fill(&self, row: &[f64], previous: Option<&[f64]>, index: u64, delta: &mut Delta) -> Result<()> {
        self.check(row)?;
        assert!(previous.is_none_or(|previous| previous.len() == self.count()), "the number of columns");
        delta.clear();
        delta.index = index;
        delta.clock = index;
        let mut start = 0;
        for (part, presence) in self.parts.iter().zip(&self.presence) {
            let columns = start..start + part.width();
            start = columns.end;
            if presence.is_some_and(|column| row[column] == 0.0) {
                continue;
            }
            let numbers = &row[columns.clone()];
            let is_change = previous.is_none_or(|previous| {
                let appears = presence.is_some_and(|column| previous[column] == 0.0);
                appears || numbers.iter().zip(&previous[columns]).any(|(new, old)| new.to_bits() != old.to_bits())
            });
            // Numbers that were checked are missing together.
            if is_change && !numbers[0].is_nan() {
                part.add_change(numbers, delta);
            }
        }
        Ok(())
    }
}

/// Returns for each part the column with the presence of its object.
fn presence_columns(parts: &[StatePart]) -> Vec<Option<usize>> {
    let (mut columns, mut start) = (FxHashMap::default(), 0);
    for part in parts {
        if let StatePart::Presence(object) = part {
            columns.insert(*object, start);
        }
        start += part.width();
    }
    parts.iter().map(|part| columns.get(&part.object()?).copied()).collect()
}

/// Resolves the names of columns.
fn resolve(world: &World, names: &[&str]) -> std::result::Result<Vec<StatePart>, String> {
    let (mut parts, mut seen) = (Vec::new(), FxHashSet::default());
    let mut index = 0;
    while let Some(name) = names.get(index) {
        let part = match name.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            Some(inner) => stored_part(world, name, inner)?,
            None => match find_object(world, name).filter(|_| find_attribute(world, name).is_none()) {
                Some(object) => StatePart::Presence(object),
                None => attribute_part(world, &names[index..])?,
            },
        };
        if !seen.insert(part.clone()) {
            return Err(format!("the column `{name}` is given twice"));
        }
        index += part.width();
        parts.push(part);
    }
    if parts.is_empty() { Err("there are no columns".to_owned()) } else { Ok(parts) }
}

/// Resolves the name of a column of a stored fact or function, `(NAME OBJECT ..)`, with the text between its parentheses.
fn stored_part(world: &World, name: &str, inner: &str) -> std::result::Result<StatePart, String> {
    let mut words = inner.split_whitespace();
    let callee = words.next().ok_or_else(|| format!("the column `{name}` is empty"))?;
    let arguments =
        words.map(|word| object_named(world, name, word)).collect::<std::result::Result<ObjectArguments, _>>()?;
    let check = |parameters: &[Parameter], is_stored: bool| {
        let (min, max) = Parameter::arity(parameters);
        if !(min..=max).contains(&arguments.len()) {
            let expected = if min == max { max.to_string() } else { format!("{min} to {max}") };
            return Err(format!(
                "column `{name}`: number of arguments of `{callee}`: expected {expected}, found {}",
                arguments.len()
            ));
        }
        if is_stored { Ok(()) } else { Err(format!("column `{name}`: `{callee}` is computed from attributes")) }
    };
    if let Some(id) = world.predicate_named(callee) {
        let predicate = world.predicate(id);
        check(&predicate.parameters, matches!(predicate.definition, PredicateDefinition::Stored))?;
        return Ok(StatePart::Fact(id, arguments));
    }
    if let Some(id) = world.function_named(callee) {
        let function = world.function(id);
        check(&function.parameters, matches!(function.definition, FunctionDefinition::Stored))?;
        return Ok(StatePart::Fluent(id, arguments));
    }
    let names = world.predicates().iter().map(|predicate| &*predicate.name);
    let names = names.chain(world.functions().iter().map(|function| &*function.name));
    Err(unknown(format!("column `{name}`: unknown predicate or function `{callee}`"), callee, names))
}

/// Resolves the first of these names, a column of an attribute: `OBJECT.ATTRIBUTE`, or `OBJECT.ATTRIBUTE.x` if the next two names are
/// those of the other components. Ids of objects may contain dots.
fn attribute_part(world: &World, names: &[&str]) -> std::result::Result<StatePart, String> {
    let name = names[0];
    let component = name.rsplit_once('.').filter(|(vector, last)| COMPONENTS.contains(last) && vector.contains('.'));
    // An attribute may have the name of a component.
    let component = component.filter(|_| find_attribute(world, name).is_none());
    let (object, attribute) = attribute_named(world, name, component.map_or(name, |(vector, _)| vector))?;
    let attribute_name = &world.attributes()[attribute.index()].name;
    let kind = world.attributes()[attribute.index()].kind;
    match (kind, component) {
        (ValueKind::Bool | ValueKind::Int | ValueKind::Real, None) => Ok(StatePart::Number(object, attribute, kind)),
        (ValueKind::Vec3 | ValueKind::Orientation, Some((vector, _))) => {
            let expected = COMPONENTS.map(|component| format!("{vector}.{component}"));
            let in_order =
                names.len() >= expected.len() && names.iter().zip(&expected).all(|(name, other)| name == other);
            let error = || format!("column `{name}`: the columns x, y and z of a vector must follow each other");
            in_order.then_some(StatePart::Vector(object, attribute)).ok_or_else(error)
        }
        (ValueKind::Vec3 | ValueKind::Orientation, None) => {
            Err(format!("column `{name}`: `{attribute_name}` is a vector with the components x, y and z"))
        }
        (ValueKind::Bool | ValueKind::Int | ValueKind::Real, Some(_)) => {
            Err(format!("column `{name}`: `{attribute_name}` is a number and has no components"))
        }
        _ => Err(format!("column `{name}`: an attribute of kind {} is not a number", kind.name())),
    }
}

/// Returns the object and its attribute that `OBJECT.ATTRIBUTE` names.
fn find_attribute(world: &World, text: &str) -> Option<(ObjectId, AttributeId)> {
    let (object, attribute) = text.rsplit_once('.')?;
    let (object, attribute) = (find_object(world, object)?, world.attribute_named(attribute)?);
    world.has_attribute(object, attribute).then_some((object, attribute))
}

/// Resolves `OBJECT.ATTRIBUTE` in the name of a column.
fn attribute_named(world: &World, column: &str, text: &str) -> std::result::Result<(ObjectId, AttributeId), String> {
    let Some((object_name, attribute_name)) = text.rsplit_once('.') else {
        return Err(format!(
            "the column `{column}` is neither `OBJECT.ATTRIBUTE`, nor `(PREDICATE OBJECT ..)`, nor an object"
        ));
    };
    let object = object_named(world, column, object_name)?;
    let attribute = world.attribute_named(attribute_name).ok_or_else(|| {
        let names = world.attributes().iter().map(|attribute| &*attribute.name);
        unknown(format!("column `{column}`: unknown attribute `{attribute_name}`"), attribute_name, names)
    })?;
    if !world.has_attribute(object, attribute) {
        return Err(format!("column `{column}`: `{object_name}` has no attribute `{attribute_name}`"));
    }
    Ok((object, attribute))
}

fn find_object(world: &World, name: &str) -> Option<ObjectId> {
    world.object_with_recorded_name(name).or_else(|| world.object_named(name))
}

fn object_named(world: &World, column: &str, name: &str) -> std::result::Result<ObjectId, String> {
    find_object(world, name).ok_or_else(|| {
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
