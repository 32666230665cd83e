//! Named tuples, and `TypedDict` classes made by a call.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::code::Symbol;
use crate::machine::Machine;
use crate::machine::call::{KeywordArguments, too_many_arguments_message};
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library_function::LibraryFunction as Function;
use crate::machine::methods::MethodParameters::{None as NoParameters, One};
use crate::machine::methods::{MethodRow as Row, bound_receiver};
use crate::machine::parameters::{BoundArguments, NamedParameters, Origin};
use crate::machine::value::{AttributeMap, Class, ClassKind, FieldDefault, HeapObject, HeapRef, Type, Value};

/// The functions of `collections`.
pub(super) static FUNCTIONS: [Function; 1] = [Function::named(
    "collections.namedtuple",
    NamedParameters::new(Origin::Python, &["typename", "field_names", "rename", "defaults", "module"])
        .with_required(2)
        .with_keyword_only(3),
    Machine::namedtuple,
)];

impl Machine {
    fn namedtuple(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let rename = bound.get(2).map_or(Ok(false), |rename| self.truth(rename))?;
        let name = self.str(bound.required(0))?;
        let fields = bound.required(1);
        let mut parts: Vec<Arc<str>> = Vec::new();
        if let Some(text) = self.as_text(fields) {
            parts.extend(text.replace(',', " ").split_whitespace().map(Arc::from));
        } else {
            for value in self.collect_values(fields)? {
                parts.push(self.str(value)?.into());
            }
        }
        let defaults = bound.given(3).map_or(Ok(Vec::new()), |all| self.collect_values(all))?;
        self.charge((parts.len() * parts.len()) as u64 / crate::machine::ELEMENTS_PER_UNIT)?;
        self.charge(crate::machine::cost::CLASS * (1 + parts.len() as u64))?;
        if rename {
            for place in 0..parts.len() {
                let (before, [part, ..]) = parts.split_at(place) else { break };
                if !is_identifier(part) || is_keyword(part) || part.starts_with('_') || before.contains(part) {
                    parts[place] = format!("_{place}").into();
                }
            }
        }
        for part in std::iter::once(&Arc::from(name.as_str())).chain(&parts) {
            let problem = if !is_identifier(part) {
                format!("Type names and field names must be valid identifiers: '{part}'")
            } else if is_keyword(part) {
                format!("Type names and field names cannot be a keyword: '{part}'")
            } else {
                continue;
            };
            return Err(self.raise(ExceptionKind::ValueError, &problem));
        }
        for (place, name) in parts.iter().enumerate() {
            let problem = if name.starts_with('_') && !rename {
                format!("Field names cannot start with an underscore: '{name}'")
            } else if parts[..place].contains(name) {
                format!("Encountered duplicate field name: '{name}'")
            } else {
                continue;
            };
            return Err(self.raise(ExceptionKind::ValueError, &problem));
        }
        if defaults.len() > parts.len() {
            return Err(self.type_error("Got more default values than field names"));
        }
        let first = parts.len() - defaults.len();
        let fields = parts
            .iter()
            .enumerate()
            .map(|(place, name)| (self.intern(name), place.checked_sub(first).map(|at| defaults[at])))
            .collect();
        Ok(Value::Ref(self.new_named_tuple_class(&name, fields, AttributeMap::default())))
    }

    /// Creates a named tuple class from pairs: `NamedTuple("P", [("x", int)])`.
    pub(in crate::machine) fn named_tuple_class_from_pairs(
        &mut self,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let Some((&name, rest)) = arguments.split_first() else {
            return Err(self.type_error("NamedTuple() missing 1 required positional argument: 'typename'"));
        };
        let name = self.str(name)?;
        let mut fields: Vec<FieldDefault> = Vec::new();
        if let [pairs] = *rest {
            for pair in self.collect_values(pairs)? {
                let parts = self.unpack_exact(pair, 2)?;
                let field = self.str(parts[0])?;
                fields.push((self.intern(&field), None));
            }
        } else if !rest.is_empty() {
            let message =
                format!("NamedTuple() takes from 1 to 2 positional arguments but {} were given", arguments.len());
            return Err(self.type_error(&message));
        }
        fields.extend(named.iter().map(|&(name, _)| (name, None)));
        self.charge(crate::machine::cost::CLASS * (1 + fields.len() as u64))?;
        Ok(Value::Ref(self.new_named_tuple_class(&name, fields, AttributeMap::default())))
    }

    /// Creates a `TypedDict` class by a call: `TypedDict("T", {"x": int})`.
    pub(in crate::machine) fn new_typed_dict_class(
        &mut self,
        arguments: &[Value],
        _: KeywordArguments<'_>,
    ) -> ExecResult {
        let Some(&name) = arguments.first() else {
            return Err(self.type_error("TypedDict() missing 1 required positional argument: 'typename'"));
        };
        let name = self.str(name)?;
        let class = Class {
            name: name.as_str().into(),
            qualified_name: name.as_str().into(),
            attributes: AttributeMap::default(),
            mro: Vec::new(),
            kind: ClassKind::TypedDict,
            abstract_methods: Vec::new(),
            slots: None,
        };
        let class = self.heap.add(HeapObject::Class(Box::new(class)));
        if let HeapObject::Class(cell) = self.heap.get_mut(class) {
            cell.mro = vec![Value::Ref(class), Value::Type(Type::Dict), Value::Type(Type::Object)];
        }
        Ok(Value::Ref(class))
    }

    pub(in crate::machine) fn new_named_tuple_class(
        &mut self,
        name: &str,
        fields: Vec<FieldDefault>,
        mut others: AttributeMap,
    ) -> HeapRef {
        for (place, &(symbol, _)) in fields.iter().enumerate() {
            let field = Value::Ref(self.heap.add(HeapObject::NamedTupleField(place)));
            others.insert(symbol, field);
        }
        let names: Vec<Value> =
            fields.iter().map(|&(symbol, _)| Value::Ref(self.heap.add(HeapObject::Text(self.name(symbol))))).collect();
        let names = self.heap.tuple(names);
        for name in ["_fields", "__match_args__"] {
            let symbol = self.intern(name);
            others.insert(symbol, names);
        }
        let defaults = self.empty_dict();
        for &(symbol, default) in &fields {
            if let Some(default) = default {
                let key = Value::Ref(self.heap.add(HeapObject::Text(self.name(symbol))));
                // Texts are always hashable.
                let _ = self.set_entry(defaults, key, default);
            }
        }
        let symbol = self.intern("_field_defaults");
        others.insert(symbol, Value::Ref(defaults));
        let class = Class {
            name: name.into(),
            qualified_name: name.into(),
            attributes: others,
            mro: Vec::new(),
            kind: ClassKind::NamedTuple(fields),
            abstract_methods: Vec::new(),
            slots: Some(FxHashSet::default()),
        };
        let class = self.heap.add(HeapObject::Class(Box::new(class)));
        if let HeapObject::Class(cell) = self.heap.get_mut(class) {
            cell.mro = vec![Value::Ref(class), Value::Type(Type::Tuple), Value::Type(Type::Object)];
        }
        class
    }

    /// Creates an instance of a named tuple class: `Point(1, 2)`.
    pub(in crate::machine) fn new_named_tuple(
        &mut self,
        class: HeapRef,
        of: HeapRef,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let ClassKind::NamedTuple(fields) = &self.class_cell(of).kind else { unreachable!("called with such classes") };
        let fields = fields.clone();
        let function = format!("{}.__new__", self.class_cell(of).name);
        let values = self.bind_named_tuple_fields(&function, &fields, arguments, named)?;
        let base = self.heap.tuple(values);
        Ok(Value::Ref(self.heap.add(HeapObject::Instance {
            class,
            attributes: Box::default(),
            base_value: Some(base),
        })))
    }

    /// Returns the named tuple class that a class is or derives from.
    pub(in crate::machine) fn named_tuple_base(&self, class: HeapRef) -> Option<HeapRef> {
        self.class_cell(class).mro.iter().find_map(|&base| match base {
            Value::Ref(at) if matches!(self.class_cell(at).kind, ClassKind::NamedTuple(_)) => Some(at),
            _ => None,
        })
    }

    /// Binds arguments to fields, as a function with these parameters and defaults does.
    pub(in crate::machine) fn bind_named_tuple_fields(
        &mut self,
        function: &str,
        fields: &[(Symbol, Option<Value>)],
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult<Vec<Value>> {
        let mut bound: Vec<Option<Value>> = arguments.iter().copied().map(Some).take(fields.len()).collect();
        bound.resize(fields.len(), None);
        for &(symbol, value) in named {
            let name = self.name(symbol);
            let Some(place) = fields.iter().position(|&(field, _)| field == symbol) else {
                return Err(self.type_error(&format!("{function}() got an unexpected keyword argument '{name}'")));
            };
            if bound[place].replace(value).is_some() {
                return Err(self.type_error(&format!("{function}() got multiple values for argument '{name}'")));
            }
        }
        let defaults = fields.iter().filter(|(_, default)| default.is_some()).count();
        if arguments.len() > fields.len() {
            let message = crate::machine::call::too_many_arguments_message(
                function,
                fields.len() + 1,
                defaults,
                arguments.len() + 1,
                0,
            );
            return Err(self.type_error(&message));
        }
        let missing: Vec<Symbol> = fields
            .iter()
            .zip(&bound)
            .filter(|((_, default), bound)| default.is_none() && bound.is_none())
            .map(|(&(symbol, _), _)| symbol)
            .collect();
        if !missing.is_empty() {
            return Err(self.missing_arguments_error(function, "positional", &missing));
        }
        Ok(fields.iter().zip(bound).map(|(&(_, default), bound)| bound.or(default).unwrap_or(Value::None)).collect())
    }

    /// Returns the class of a named tuple, or the class itself, with the base that has the fields.
    fn named_tuple_parts(&mut self, receiver: Value) -> Option<(HeapRef, HeapRef, Vec<FieldDefault>)> {
        let at = bound_receiver(receiver);
        let class = match self.heap.get(at) {
            HeapObject::Instance { class, .. } => *class,
            _ => at,
        };
        let of = self.named_tuple_base(class)?;
        match &self.class_cell(of).kind {
            ClassKind::NamedTuple(fields) => Some((class, of, fields.clone())),
            _ => None,
        }
    }

    /// Implements `_make(values)`.
    fn make_named_tuple(&mut self, receiver: Value, values: Value) -> ExecResult {
        let Some((class, of, fields)) = self.named_tuple_parts(receiver) else { return Ok(Value::None) };
        let values = self.collect_values(values)?;
        if values.len() != fields.len() {
            let message = format!("Expected {} arguments, got {}", fields.len(), values.len());
            return Err(self.type_error(&message));
        }
        self.new_named_tuple(class, of, &values, &[])
    }

    /// Implements `_asdict()`.
    fn named_tuple_as_dict(&mut self, receiver: Value) -> ExecResult {
        let Some((_, _, fields)) = self.named_tuple_parts(receiver) else { return Ok(Value::None) };
        let values = self.collect_values(receiver)?;
        let dict = self.empty_dict();
        for (&(symbol, _), value) in fields.iter().zip(values) {
            let key = self.name_text(symbol);
            self.set_entry(dict, key, value)?;
        }
        Ok(Value::Ref(dict))
    }

    /// Implements `_replace(..)`.
    fn replace_in_named_tuple(
        &mut self,
        receiver: Value,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let Some((class, of, fields)) = self.named_tuple_parts(receiver) else { return Ok(Value::None) };
        if !arguments.is_empty() {
            let name = format!("{}._replace", self.class_name(receiver));
            let message = too_many_arguments_message(&name, 1, 0, arguments.len() + 1, 0);
            return Err(self.type_error(&message));
        }
        let mut values = self.collect_values(receiver)?;
        let mut unknown = Vec::new();
        for &(symbol, value) in named {
            match fields.iter().position(|&(field, _)| field == symbol) {
                Some(place) => values[place] = value,
                None => unknown.push(format!("'{}'", self.name(symbol))),
            }
        }
        if !unknown.is_empty() {
            let message = format!("Got unexpected field names: [{}]", unknown.join(", "));
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        self.new_named_tuple(class, of, &values, &[])
    }
}

/// The methods of named tuples and of their classes, in addition to those of `tuple`.
pub(in crate::machine) static METHODS: [Row; 3] = [
    Row::of_value("NamedTuple._asdict", NoParameters, |m, receiver, _| m.named_tuple_as_dict(receiver)),
    Row::of_value("NamedTuple._make", One, |m, receiver, a| m.make_named_tuple(receiver, a[0])),
    Row::custom("NamedTuple._replace", Machine::replace_in_named_tuple),
];

fn is_identifier(name: &str) -> bool {
    let letter = |one: char| one.is_alphabetic() || one == '_';
    name.chars().next().is_some_and(letter) && name.chars().all(|one| letter(one) || one.is_alphanumeric())
}

/// Returns whether a name is a Python keyword.
fn is_keyword(name: &str) -> bool {
    const KEYWORDS: [&str; 35] = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
        "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
        "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    ];
    KEYWORDS.contains(&name)
}
