//! Enumerations (`enum`).
//!
//! | module | contents |
//! |---|---|
//! | `functional` | enumerations without a class body |
//! | `members` | lookup, checks and text of members |

mod functional;
mod members;

use std::sync::Arc;

use crate::code::Symbol;
use crate::machine::exceptions::{ExceptionKind, ExecError, ExecResult};
use crate::machine::library_class::{ENUM, STR_ENUM};
use crate::machine::library_function::LibraryFunction as Function;
use crate::machine::parameters::{NamedParameters, Origin};
use crate::machine::value::{ClassKind, HeapObject, HeapRef, Type, Value};
use crate::machine::{ELEMENTS_PER_UNIT, Machine, cost};
use crate::operators::BinaryOperator;

/// The field with the lookup value of a member, set if `__init__` replaced its `_value_`.
const LOOKUP_VALUE_FIELD: &str = " value before __init__";

/// The functions of `enum`.
pub(super) static FUNCTIONS: [Function; 1] =
    [Function::named("enum.unique", NamedParameters::new(Origin::Python, &["enumeration"]), |m, b| {
        m.unique(b.required(0))
    })];

/// The state of an enumeration's class body during its execution.
#[derive(Debug, Default)]
pub(in crate::machine) struct EnumBody {
    /// The name of the class.
    class_name: Arc<str>,
    /// The namespace of the body.
    pub(in crate::machine) namespace: Option<HeapRef>,
    /// The names of members, in order.
    members: Vec<Symbol>,
    /// The values that `auto` continues from, in order: those of members, or the parts of them made by `auto`.
    auto_values: Vec<Value>,
    /// `_generate_next_value_` of the class or of a base.
    generate_next_value: Option<Value>,
    /// Whether `auto` produces the name in lower case.
    is_auto_lowercase: bool,
    is_auto_called: bool,
    /// `_ignore_`
    ignored: Vec<Arc<str>>,
    /// `_order_`
    order: Option<Vec<Arc<str>>>,
    /// The value of the first member, if specified.
    start: Option<i64>,
}

impl EnumBody {
    /// Returns the state with another namespace.
    pub(in crate::machine) fn with_namespace(self, names: Option<HeapRef>) -> Self {
        Self { namespace: names, ..self }
    }
}

/// The role of a name in the body of an enumeration, determined by its underscores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameKind {
    /// A member, unless its value is a descriptor.
    Plain,
    /// A private name of the class, such as `_Color__name`.
    Private,
    /// A name with one underscore on both sides.
    Sunder,
    /// A name with two underscores on both sides.
    Dunder,
}

impl NameKind {
    fn classify(name: &str, class: &str) -> Self {
        let within = |count: usize| {
            let mark = &"__"[..count];
            let inner = name.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
            inner.is_some_and(|inner| !inner.is_empty() && !inner.starts_with('_') && !inner.ends_with('_'))
        };
        let private = name.strip_prefix('_').and_then(|rest| rest.strip_prefix(class)?.strip_prefix("__"));
        if private.is_some_and(|rest| !rest.is_empty()) && !name.ends_with("__") {
            Self::Private
        } else if within(1) {
            Self::Sunder
        } else if within(2) {
            Self::Dunder
        } else {
            Self::Plain
        }
    }
}

/// Whether a built-in class is `Enum` or derives from it.
pub(in crate::machine) fn is_enum_class(kind: Type) -> bool {
    let base = Type::Library(&ENUM);
    kind == base || matches!(kind, Type::Library(class) if class.bases.contains(&base))
}

impl Machine {
    /// Returns whether a class derives from `Enum`.
    pub(in crate::machine) fn is_enum(&self, class: HeapRef) -> bool {
        self.has_builtin_base(class, Type::Library(&ENUM))
    }

    pub(in crate::machine) fn has_builtin_base(&self, class: HeapRef, kind: Type) -> bool {
        self.class_cell(class).mro.iter().any(|&base| matches!(base, Value::Type(other) if other == kind))
    }

    /// Returns the initial state of a class body; `None` if no base is an enumeration. Raises `TypeError` for invalid bases.
    pub(in crate::machine) fn begin_enum_body(
        &mut self,
        name: &Arc<str>,
        bases: &[Value],
    ) -> ExecResult<Option<EnumBody>> {
        let is_base = |machine: &Self, base: Value| match base {
            Value::Type(kind) => is_enum_class(kind),
            Value::Ref(at) => matches!(machine.heap.get(at), HeapObject::Class(_)) && machine.is_enum(at),
            _ => false,
        };
        let Some(&last) = bases.last() else { return Ok(None) };
        if !bases.iter().any(|&base| is_base(self, base)) {
            return Ok(None);
        }
        for &base in bases {
            if let Value::Ref(at) = base
                && self.enum_members(at).is_some_and(|members| !members.is_empty())
            {
                let message = format!("<enum '{name}'> cannot extend {}", self.repr(base)?);
                return Err(self.type_error(&message));
            }
        }
        if !is_base(self, last) {
            let message = "new enumerations should be created as `EnumName([mixin_type, ...] [data_type,] enum_type)`";
            return Err(self.type_error(message));
        }
        let next = self.intern("_generate_next_value_");
        let (next, lowers) = match last {
            Value::Ref(at) => (self.class_field(at, next), self.has_builtin_base(at, Type::Library(&STR_ENUM))),
            _ => (None, matches!(last, Value::Type(kind) if kind == Type::Library(&STR_ENUM))),
        };
        let class = name.clone();
        let next = next.map(|next| self.unwrap_static_method(next));
        Ok(Some(EnumBody {
            class_name: class,
            generate_next_value: next,
            is_auto_lowercase: lowers,
            ..EnumBody::default()
        }))
    }

    fn unwrap_static_method(&self, value: Value) -> Value {
        match value {
            Value::Ref(at) if let HeapObject::StaticMethod(function) = *self.heap.get(at) => function,
            _ => value,
        }
    }

    /// Records an assignment in the body of an enumeration and returns the value to store.
    pub(in crate::machine) fn assign_in_enum_body(
        &mut self,
        body: &mut EnumBody,
        names: HeapRef,
        symbol: Symbol,
        value: Value,
    ) -> ExecResult {
        self.charge(cost::CLASS)?;
        let name = self.name(symbol);
        match NameKind::classify(&name, &body.class_name) {
            NameKind::Private | NameKind::Dunder => return Ok(value),
            NameKind::Sunder => return self.assign_reserved_enum_name(body, &name, value),
            NameKind::Plain => {}
        }
        let key = Value::Ref(self.heap.add(HeapObject::Text(name.clone())));
        let before = self.entry(names, key)?;
        self.charge((body.members.len() + body.ignored.len()) as u64 / ELEMENTS_PER_UNIT)?;
        let is_ignored = body.ignored.contains(&name);
        if body.members.contains(&symbol) || (before.is_some() && !is_ignored && !self.is_descriptor(value)) {
            let message = format!("'{name}' already defined as {}", self.repr(before.unwrap_or(Value::None))?);
            return Err(self.type_error(&message));
        }
        if is_ignored || self.is_descriptor(value) {
            return Ok(value);
        }
        let parts = match value {
            Value::Ref(at) if let HeapObject::Tuple(parts) = self.heap.get(at) => parts.to_vec(),
            _ => vec![value],
        };
        let is_auto = |machine: &Self, value: Value| matches!(value, Value::Ref(at) if matches!(machine.heap.get(at), HeapObject::EnumAuto));
        let value = if parts.iter().any(|&part| is_auto(self, part)) {
            let mut made = Vec::with_capacity(parts.len());
            for part in parts {
                made.push(if is_auto(self, part) {
                    body.is_auto_called = true;
                    let next = self.auto_value(body, &name)?;
                    body.auto_values.push(next);
                    next
                } else {
                    part
                });
            }
            if is_auto(self, value) { made[0] } else { self.heap.tuple(made) }
        } else {
            body.auto_values.push(value);
            value
        };
        body.members.push(symbol);
        Ok(value)
    }

    /// Records an assignment to a name that Python reserves in enumerations.
    fn assign_reserved_enum_name(&mut self, body: &mut EnumBody, name: &str, value: Value) -> ExecResult {
        match name {
            "_generate_next_value_" => {
                if body.is_auto_called {
                    return Err(self.type_error("_generate_next_value_ must be defined before members"));
                }
                body.generate_next_value = Some(self.unwrap_static_method(value));
            }
            "_ignore_" => {
                body.ignored = self.parse_name_list(value)?;
                let already: Vec<&Symbol> =
                    body.members.iter().filter(|&&member| body.ignored.contains(&self.name(member))).collect();
                if let Some(&&first) = already.first() {
                    let message = format!("_ignore_ cannot specify already set names: {{'{}'}}", self.name(first));
                    return Err(self.raise(ExceptionKind::ValueError, &message));
                }
            }
            "_order_" => body.order = Some(self.parse_name_list(value)?),
            "_missing_" => {}
            _ => {
                let message = format!("_sunder_ names, such as '{name}', are reserved for future Enum use");
                return Err(self.raise(ExceptionKind::ValueError, &message));
            }
        }
        Ok(value)
    }

    /// Returns the names in a text, separated by commas or spaces, or in an iterable.
    fn parse_name_list(&mut self, value: Value) -> ExecResult<Vec<Arc<str>>> {
        if let Some(text) = self.as_text(value) {
            self.charge_text(text.len())?;
            return Ok(text.replace(',', " ").split_whitespace().map(Arc::from).collect());
        }
        let values = self.collect_values(value)?;
        let mut names = Vec::with_capacity(values.len());
        for value in values {
            names.push(match self.as_text(value) {
                Some(name) => name,
                None => self.repr(value)?.into(),
            });
        }
        Ok(names)
    }

    /// Computes the value of `auto`.
    fn auto_value(&mut self, body: &EnumBody, name: &str) -> ExecResult {
        self.charge(body.auto_values.len() as u64)?;
        if let Some(next) = body.generate_next_value {
            let (name, last) = (self.heap.text(name), self.heap.list(body.auto_values.clone()));
            let start = Value::Int(body.start.unwrap_or(1));
            return self.call_value(next, &[name, start, Value::Int(body.members.len() as i64), last], &[]);
        }
        if body.is_auto_lowercase {
            return Ok(self.heap.text(&name.to_lowercase()));
        }
        // The largest value plus 1; if the values have no order, the last one to which 1 can be added.
        let list = self.heap.list(body.auto_values.clone());
        let candidates = match self.charge(cost::BUILTIN).and_then(|()| self.sorted(&[list], &[])) {
            Ok(sorted) => self.collect_values(sorted)?,
            Err(ExecError::Raised(at)) if self.is_exception_of_kind(at, ExceptionKind::TypeError) => {
                body.auto_values.clone()
            }
            Err(fault) => return Err(fault),
        };
        for &candidate in candidates.iter().rev() {
            match self.binary(BinaryOperator::Add, candidate, Value::Int(1)) {
                Err(ExecError::Raised(at)) if self.is_exception_of_kind(at, ExceptionKind::TypeError) => {}
                other => return other,
            }
        }
        Ok(Value::Int(body.start.unwrap_or(1)))
    }

    /// Returns the data type of an enumeration's members: a built-in type or a dataclass among its bases.
    fn enum_data_type(&self, class: HeapRef) -> Option<Value> {
        self.class_cell(class).mro.iter().skip(1).copied().find(|&base| match base {
            Value::Type(kind) => !crate::machine::classes::has_no_instance_value(kind),
            Value::Ref(at) => matches!(self.class_cell(at).kind, ClassKind::Dataclass(_)),
            _ => false,
        })
    }

    /// Creates the members that a class body defines.
    pub(in crate::machine) fn make_enum_members(&mut self, class: HeapRef, body: EnumBody) -> ExecResult<()> {
        let EnumBody { members, ignored, order, .. } = body;
        let hidden = ["_ignore_", "_order_", "__order__"].map(|name| self.intern(name));
        let ignored: Vec<Symbol> = ignored.iter().map(|name| self.intern(name)).collect();
        let (new, new_member) = (self.intern("__new__"), self.intern("__new_member__"));
        if let HeapObject::Class(cell) = self.heap.get_mut(class) {
            for symbol in hidden.iter().chain(&ignored) {
                cell.attributes.shift_remove(symbol);
            }
            // Calls of the class look members up; only this function creates them.
            if let Some(own) = cell.attributes.shift_remove(&new) {
                cell.attributes.insert(new_member, own);
            }
            cell.kind = ClassKind::Enum(Vec::new());
        }
        for &symbol in members.iter().filter(|&symbol| !ignored.contains(symbol)) {
            self.charge(cost::CLASS)?;
            let name = self.name(symbol);
            if &*name == "mro" {
                return Err(self.raise(ExceptionKind::ValueError, "invalid enum member name(s) 'mro'"));
            }
            let Some(&value) = self.class_cell(class).attributes.get(&symbol) else { continue };
            let made = self.new_enum_member(class, &name, value)?;
            let own = match self.enum_member_attribute(made, LOOKUP_VALUE_FIELD) {
                Value::None => self.enum_member_attribute(made, "_value_"),
                key => key,
            };
            let others = self.enum_members(class).map(<[HeapRef]>::to_vec).unwrap_or_default();
            let before = self.find_member_by_value(&others, own)?;
            let place = self.intern("_sort_order_");
            if let HeapObject::Instance { attributes: fields, .. } = self.heap.get_mut(made) {
                fields.insert(place, Value::Int(others.len() as i64));
            }
            if let HeapObject::Class(cell) = self.heap.get_mut(class) {
                cell.attributes.insert(symbol, Value::Ref(before.unwrap_or(made)));
                if let ClassKind::Enum(members) = &mut cell.kind
                    && before.is_none()
                {
                    members.push(made);
                }
            }
        }
        match order {
            Some(order) => self.check_member_order(class, &order),
            None => Ok(()),
        }
    }

    /// Raises an error if the order of the members differs from `_order_`.
    fn check_member_order(&mut self, class: HeapRef, order: &[Arc<str>]) -> ExecResult<()> {
        let members = self.enum_members(class).map(<[HeapRef]>::to_vec).unwrap_or_default();
        let mut names = Vec::with_capacity(members.len());
        for member in members {
            let name = self.enum_member_attribute(member, "_name_");
            names.push(self.str(name)?);
        }
        let all = self.members_with_names(class);
        let is_alias = |machine: &Self, name: &str| {
            !names.iter().any(|other| other == name) && all.iter().any(|&(symbol, _)| &*machine.name(symbol) == name)
        };
        let order: Vec<&str> = order.iter().map(|name| &**name).filter(|name| !is_alias(self, name)).collect();
        if order.is_empty() || order == names {
            return Ok(());
        }
        let listed = |names: &mut dyn Iterator<Item = String>| names.collect::<Vec<_>>().join(", ");
        let message = format!(
            "member order does not match _order_:\n  [{}]\n  [{}]",
            listed(&mut names.iter().map(|name| format!("'{name}'"))),
            listed(&mut order.iter().map(|name| format!("'{name}'")))
        );
        Err(self.type_error(&message))
    }

    /// Returns the names of an enumeration's members, including aliases, with their members.
    fn members_with_names(&self, class: HeapRef) -> Vec<(Symbol, HeapRef)> {
        let fields = &self.class_cell(class).attributes;
        let named = fields.iter().filter_map(|(&symbol, &value)| match value {
            Value::Ref(at) if self.is_enum_member(class, at) => Some((symbol, at)),
            _ => None,
        });
        named.collect()
    }

    /// Returns a copy of an attribute that lists the members, such as `__members__`; `None` for other attributes.
    pub(in crate::machine) fn attribute_of_enum(&mut self, class: HeapRef, name: &str) -> ExecResult<Option<Value>> {
        let known = ["__members__", "_member_map_", "_member_names_", "_value2member_map_"].contains(&name);
        if !known || self.enum_members(class).is_none() {
            return Ok(None);
        }
        self.charge(cost::CLASS + self.class_cell(class).attributes.len() as u64)?;
        let named = self.members_with_names(class);
        if name == "_member_names_" {
            let members = self.enum_members(class).map(<[HeapRef]>::to_vec).unwrap_or_default();
            let listed = members.into_iter().map(|member| self.enum_member_attribute(member, "_name_")).collect();
            return Ok(Some(self.heap.list(listed)));
        }
        let dict = self.empty_dict();
        for (symbol, member) in named {
            let key = if name == "_value2member_map_" {
                self.enum_member_attribute(member, "_value_")
            } else {
                Value::Ref(self.heap.add(HeapObject::Text(self.name(symbol))))
            };
            if !self.is_of_unhashable_class(key) {
                self.set_entry(dict, key, Value::Ref(member))?;
            }
        }
        Ok(Some(Value::Ref(dict)))
    }

    /// Returns whether a value in the body of an enumeration is a descriptor, which defines an attribute and not a member.
    fn is_descriptor(&mut self, value: Value) -> bool {
        let Value::Ref(at) = value else { return false };
        match self.heap.get(at) {
            HeapObject::Function(_)
            | HeapObject::Property { .. }
            | HeapObject::StaticMethod(_)
            | HeapObject::ClassMethod(_)
            | HeapObject::LruCache { .. }
            | HeapObject::Wrapper(_)
            | HeapObject::CachedProperty { .. }
            | HeapObject::PartialMethod(_)
            | HeapObject::GeneratedMethod(..)
            | HeapObject::UnboundMethod(..)
            | HeapObject::BoundMethod { .. } => true,
            HeapObject::Instance { .. } => {
                ["__get__", "__set__", "__delete__"].into_iter().any(|name| self.special_method(value, name).is_some())
            }
            _ => false,
        }
    }

    /// Creates a member without adding it to the enumeration.
    fn new_enum_member(&mut self, class: HeapRef, name: &Arc<str>, value: Value) -> ExecResult<HeapRef> {
        let data = self.enum_data_type(class);
        let mut arguments = match value {
            Value::Ref(at) if let HeapObject::Tuple(values) = self.heap.get(at) => values.to_vec(),
            _ => vec![value],
        };
        if matches!(data, Some(Value::Type(Type::Tuple))) {
            arguments = vec![self.heap.tuple(arguments)];
        }
        let new = self.intern("__new_member__");
        let own = self.class_field(class, new).or_else(|| {
            let symbol = self.names.find("__new__")?;
            self.class_field(class, symbol)
        });
        let object = if let Some(new) = own {
            let new = self.bind_to_instance(Value::Ref(class), Value::Ref(class), new);
            let with_class = [&[Value::Ref(class)], &arguments[..]].concat();
            self.call_value(new, &with_class, &[])?
        } else if self.has_builtin_base(class, Type::Library(&STR_ENUM)) {
            self.check_str_enum_arguments(&arguments)?;
            self.allocate_instance(class, &arguments, &[], true)?
        } else if matches!(data, Some(Value::Type(_))) {
            self.allocate_instance(class, &arguments, &[], true)?
        } else {
            Value::Ref(self.heap.add(HeapObject::Instance { class, attributes: Box::default(), base_value: None }))
        };
        let value_symbol = self.intern("_value_");
        let member = match object {
            Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Instance { .. }) => at,
            _ => return Err(self.attribute_error(object, value_symbol)),
        };
        let has_value = matches!(self.heap.get(member), HeapObject::Instance { attributes, .. } if attributes.contains_key(&value_symbol));
        if !has_value {
            let value = match data {
                Some(data) => self.call_value(data, &arguments, &[])?,
                None => value,
            };
            if let HeapObject::Instance { attributes: fields, .. } = self.heap.get_mut(member) {
                fields.insert(value_symbol, value);
            }
        }
        let name_symbol = self.intern("_name_");
        let text = Value::Ref(self.heap.add(HeapObject::Text(name.clone())));
        if let HeapObject::Instance { attributes: fields, .. } = self.heap.get_mut(member) {
            fields.insert(name_symbol, text);
        }
        if let Some(init) = self.special_method(object, "__init__") {
            let before = self.enum_member_attribute(member, "_value_");
            let result = self.call_value(init, &arguments, &[])?;
            self.check_init_result(result)?;
            let now = self.enum_member_attribute(member, "_value_");
            if !crate::machine::compare::is_identical(before, now) {
                let key = self.intern(LOOKUP_VALUE_FIELD);
                if let HeapObject::Instance { attributes: fields, .. } = self.heap.get_mut(member) {
                    fields.insert(key, before);
                }
            }
        }
        Ok(member)
    }

    /// Raises `TypeError` for arguments that a member of a `StrEnum` does not accept.
    fn check_str_enum_arguments(&mut self, arguments: &[Value]) -> ExecResult<()> {
        if let [only] = *arguments
            && self.as_text(only).is_none()
        {
            let message = format!("{} is not a string", self.repr(only)?);
            return Err(self.type_error(&message));
        }
        for (&argument, parameter) in arguments.iter().skip(1).zip(["encoding", "errors"]) {
            if self.as_text(argument).is_none() {
                let message = format!("{parameter} must be a string, not {}", self.repr(argument)?);
                return Err(self.type_error(&message));
            }
        }
        if arguments.len() > 3 {
            let tuple = self.heap.tuple(arguments);
            let message = format!("too many arguments for str(): {}", self.repr(tuple)?);
            return Err(self.type_error(&message));
        }
        Ok(())
    }

    pub(in crate::machine) fn enum_members(&self, class: HeapRef) -> Option<&[HeapRef]> {
        match self.heap.get(class) {
            HeapObject::Class(class) => match &class.kind {
                ClassKind::Enum(members) => Some(members),
                _ => None,
            },
            _ => None,
        }
    }
}
