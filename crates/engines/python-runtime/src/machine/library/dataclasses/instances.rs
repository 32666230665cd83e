//! Instances of dataclasses: the generated methods, and the functions that convert and replace instances.

use smallvec::SmallVec;

use super::{FieldSpec, GeneratedMethod};
use crate::code::Symbol;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::value::{ClassKind, HeapObject, HeapRef, Value};
use crate::machine::{Machine, cost};

impl Machine {
    pub(in crate::machine) fn call_generated(
        &mut self,
        class: HeapRef,
        generated: GeneratedMethod,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let Some((&object, rest)) = arguments.split_first() else {
            return Err(self.type_error("a method requires the object that it is called on"));
        };
        let fields = match &self.class_cell(class).kind {
            ClassKind::Dataclass(dataclass) => dataclass.fields.clone(),
            _ => Vec::new(),
        };
        self.charge(cost::CALL * (1 + fields.len() as u64))?;
        match (generated, rest) {
            (GeneratedMethod::Init, _) => self.init_dataclass(class, &fields, object, rest, named),
            (GeneratedMethod::Repr, _) => self.dataclass_repr(&fields, object),
            (GeneratedMethod::Hash, _) => {
                let hashed: Vec<FieldSpec> = fields
                    .iter()
                    .map(|field| FieldSpec { compare: field.hash.unwrap_or(field.compare), ..*field })
                    .collect();
                let values = self.comparison_tuple(&hashed, object)?;
                self.hash_value(values).map(|hashed| Value::Int(hashed.to_python()))
            }
            (GeneratedMethod::CompareFields(operator), &[other]) => {
                if !crate::machine::compare::is_identical(self.class_of(object), self.class_of(other)) {
                    return Ok(Value::NotImplemented);
                }
                let (one, two) = (self.comparison_tuple(&fields, object)?, self.comparison_tuple(&fields, other)?);
                self.compare(operator, one, two)
            }
            (GeneratedMethod::DerivedComparison(operator, defined), &[other]) => {
                self.derived_comparison(operator, defined, object, other)
            }
            _ => Err(self.type_error("a comparison requires one other object")),
        }
    }

    fn dataclass_repr(&mut self, fields: &[FieldSpec], object: Value) -> ExecResult {
        let Value::Ref(at) = object else { return Ok(self.heap.text("")) };
        if self.repr_stack.contains(&at) {
            return Ok(self.heap.text("..."));
        }
        let parts = self.while_writing(at, |machine| {
            let mut parts = Vec::new();
            for field in fields.iter().filter(|field| field.repr) {
                let value = machine.attribute(object, field.name)?;
                parts.push(format!("{}={}", machine.name(field.name), machine.repr(value)?));
            }
            Ok(parts.join(", "))
        })?;
        let class = self.qualified_class(object);
        Ok(self.heap.text(&format!("{class}({parts})")))
    }

    fn comparison_tuple(&mut self, fields: &[FieldSpec], object: Value) -> ExecResult {
        let mut values = Vec::new();
        for field in fields.iter().filter(|field| field.compare) {
            values.push(self.attribute(object, field.name)?);
        }
        Ok(self.heap.tuple(values))
    }

    fn init_dataclass(
        &mut self,
        class: HeapRef,
        fields: &[FieldSpec],
        object: Value,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        if let Some(values) = plain_field_values(fields, arguments, named) {
            return self.set_fields(object, fields.iter().zip(values).map(|(field, value)| (field.name, value)));
        }
        let function = format!("{}.__init__", self.class_cell(class).qualified_name);
        // A factory is called only if the argument is omitted.
        let default = |field: &FieldSpec| field.default.or(field.default_factory.map(|_| Value::NotImplemented));
        let parameter = |field: &&FieldSpec| (field.name, default(field));
        // Keyword-only parameters follow the positional ones.
        let by_place = fields.iter().filter(|field| field.init && field.kw_only != Some(true));
        let by_name = fields.iter().filter(|field| field.init && field.kw_only == Some(true));
        let places = by_place.clone().count();
        if arguments.len() > places && by_name.clone().next().is_some() {
            let required = by_place.clone().filter(|field| default(field).is_none()).count();
            let message = crate::machine::call::too_many_arguments_message(
                &function,
                places + 1,
                places - required,
                arguments.len() + 1,
                0,
            );
            return Err(self.type_error(&message));
        }
        let parameters: Vec<(Symbol, Option<Value>)> = by_place.chain(by_name).map(|field| parameter(&field)).collect();
        let bound = self.bind_named_tuple_fields(&function, &parameters, arguments, named)?;
        let bound: Vec<(Symbol, Value)> = parameters.iter().map(|&(name, _)| name).zip(bound).collect();
        for field in fields {
            let value = bound.iter().find(|(name, _)| *name == field.name).map(|&(_, value)| value);
            let value = if field.init { value } else { default(field) };
            let value = match (value, field.default_factory) {
                (Some(Value::NotImplemented), Some(factory)) => Some(self.call_value(factory, &[], &[])?),
                (value, _) => value,
            };
            if let Some(value) = value {
                self.set_field(object, field.name, value);
            }
        }
        self.call_post_init(object)
    }

    /// Sets all fields of a new object.
    fn set_fields(&mut self, object: Value, fields: impl Iterator<Item = (Symbol, Value)>) -> ExecResult {
        for (name, value) in fields {
            self.set_field(object, name, value);
        }
        self.call_post_init(object)
    }

    fn set_field(&mut self, object: Value, name: Symbol, value: Value) {
        let Value::Ref(at) = object else { return };
        let fields = match self.heap.get_mut(at) {
            HeapObject::Instance { attributes: fields, .. } => fields,
            HeapObject::Exception(exception) => &mut exception.fields,
            _ => return,
        };
        let is_new = fields.insert(name, value).is_none();
        self.heap.record_growth(if is_new { 4 } else { 0 });
    }

    fn call_post_init(&mut self, object: Value) -> ExecResult {
        if let Some(method) = self.special_method(object, "__post_init__") {
            self.call_value(method, &[], &[])?;
        }
        Ok(Value::None)
    }

    /// Implements `asdict` and `astuple`, which convert nested dataclasses, too.
    pub(super) fn asdict_or_astuple(&mut self, value: Value, as_dict: bool) -> ExecResult {
        if self.dataclass_of(value).is_none() {
            let name = if as_dict { "asdict" } else { "astuple" };
            return Err(self.type_error(&format!("{name}() should be called on dataclass instances")));
        }
        self.convert_dataclass(value, as_dict)
    }

    fn convert_dataclass(&mut self, value: Value, as_dict: bool) -> ExecResult {
        self.charge(cost::OPERATION)?;
        if let Some(dataclass) = self.dataclass_of(value) {
            let names: Vec<Symbol> = dataclass.fields.iter().map(|field| field.name).collect();
            let dict = self.empty_dict();
            let mut values = Vec::new();
            for name in names {
                let field = self.attribute(value, name)?;
                let field = self.nested(|machine| machine.convert_dataclass(field, as_dict))?;
                let key = Value::Ref(self.heap.add(HeapObject::Text(self.name(name))));
                self.set_entry(dict, key, field)?;
                values.push(field);
            }
            return Ok(if as_dict { Value::Ref(dict) } else { self.heap.tuple(values) });
        }
        let Value::Ref(at) = value else { return Ok(value) };
        let (values, is_list) = match self.heap.get(at) {
            HeapObject::List(values) => (values.clone(), true),
            HeapObject::Tuple(values) => (values.to_vec(), false),
            HeapObject::Dict(dict) => {
                let entries: Vec<_> = dict.iter().collect();
                let mut pairs = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    let pair = [key, value].map(|part| self.nested(|machine| machine.convert_dataclass(part, as_dict)));
                    let [key, value] = pair;
                    pairs.push(self.heap.tuple([key?, value?]));
                }
                let pairs = self.heap.list(pairs);
                return self.construct(self.type_of(value), &[pairs], &[]);
            }
            HeapObject::Instance { class, base_value: Some(base), .. } if self.named_tuple_base(*class).is_some() => {
                let (class, base) = (*class, *base);
                let values = self.collect_values(base)?;
                let parts = self.convert_dataclasses(values, as_dict)?;
                return self.call_value(Value::Ref(class), &parts, &[]);
            }
            _ => return Ok(value),
        };
        let parts = self.convert_dataclasses(values, as_dict)?;
        Ok(if is_list { self.heap.list(parts) } else { self.heap.tuple(parts) })
    }

    fn convert_dataclasses(&mut self, values: Vec<Value>, as_dict: bool) -> ExecResult<Vec<Value>> {
        let mut parts = Vec::with_capacity(values.len());
        for value in values {
            parts.push(self.nested(|machine| machine.convert_dataclass(value, as_dict))?);
        }
        Ok(parts)
    }

    pub(super) fn replace_dataclass_fields(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let object = self.single_argument("replace", arguments, &[])?;
        let Some(dataclass) = self.dataclass_of(object) else {
            return Err(self.type_error("replace() should be called on dataclass instances"));
        };
        let fixed: Vec<Symbol> = dataclass.fields.iter().filter(|field| !field.init).map(|field| field.name).collect();
        let own: Vec<Symbol> = dataclass.fields.iter().filter(|field| field.init).map(|field| field.name).collect();
        if let Some((name, _)) = named.iter().find(|(name, _)| fixed.contains(name)) {
            let message = format!(
                "field {} is declared with init=False, it cannot be specified with replace()",
                self.name(*name)
            );
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        let mut all: Vec<(Symbol, Value)> = named.to_vec();
        for name in own {
            if !all.iter().any(|(other, _)| *other == name) {
                all.push((name, self.attribute(object, name)?));
            }
        }
        let class = self.class_of(object);
        self.call_value(class, &[], &all)
    }
}

/// Returns the value of every field of a new object, if all are arguments or defaults that need no call.
fn plain_field_values(
    fields: &[FieldSpec],
    arguments: &[Value],
    named: KeywordArguments<'_>,
) -> Option<SmallVec<[Value; 8]>> {
    if arguments.len() > fields.len() {
        return None;
    }
    let mut by_name = 0;
    let mut value_of = |(place, field): (usize, &FieldSpec)| {
        if !field.init || field.kw_only == Some(true) || field.default_factory.is_some() {
            return None;
        }
        if let Some(&argument) = arguments.get(place) {
            return Some(argument);
        }
        match named.iter().find(|(name, _)| *name == field.name) {
            Some(&(_, argument)) => {
                by_name += 1;
                Some(argument)
            }
            None => field.default,
        }
    };
    let values: Option<SmallVec<[Value; 8]>> = fields.iter().enumerate().map(&mut value_of).collect();
    values.filter(|_| by_name == named.len())
}
