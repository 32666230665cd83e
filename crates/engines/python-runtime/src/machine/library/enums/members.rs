//! Enumeration members: lookup by value and name, checks, and text.

use crate::code::Symbol;
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecError, ExecResult};
use crate::machine::library_class::{INT_ENUM, STR_ENUM};
use crate::machine::value::{HeapObject, HeapRef, Type, Value};

use super::LOOKUP_VALUE_FIELD;

impl Machine {
    /// Raises `AttributeError` if a name that is assigned or deleted denotes a member.
    pub(in crate::machine) fn check_not_enum_member(
        &mut self,
        class: HeapRef,
        name: &str,
        doing: &str,
    ) -> ExecResult<()> {
        if self.enum_members(class).is_none() {
            return Ok(());
        }
        let value = self.names.find(name).and_then(|symbol| self.class_cell(class).attributes.get(&symbol).copied());
        let is_member = matches!(value, Some(Value::Ref(at)) if self.is_enum_member(class, at));
        if !is_member {
            return Ok(());
        }
        let full_stop = if doing.contains("delete") { "." } else { "" };
        Err(self.raise(ExceptionKind::AttributeError, &format!("{doing} '{name}'{full_stop}")))
    }

    /// Returns whether an object is a member of an enumeration; its class has no other instances.
    pub(super) fn is_enum_member(&self, class: HeapRef, object: HeapRef) -> bool {
        matches!(self.heap.get(object), HeapObject::Instance { class: own, .. } if *own == class)
            && self.enum_members(class).is_some()
    }

    pub(super) fn enum_member_attribute(&mut self, member: HeapRef, name: &str) -> Value {
        let symbol = self.intern(name);
        match self.heap.get(member) {
            HeapObject::Instance { attributes: fields, .. } => fields.get(&symbol).copied().unwrap_or(Value::None),
            _ => Value::None,
        }
    }

    pub(super) fn find_member_by_value(&mut self, members: &[HeapRef], value: Value) -> ExecResult<Option<HeapRef>> {
        for &member in members {
            self.charge(1)?;
            let own = match self.enum_member_attribute(member, LOOKUP_VALUE_FIELD) {
                Value::None => self.enum_member_attribute(member, "_value_"),
                key => key,
            };
            if self.equal(own, value)? {
                return Ok(Some(member));
            }
        }
        Ok(None)
    }

    /// Looks up a member by value: `Color(1)`.
    pub(in crate::machine) fn member_by_value(&mut self, class: HeapRef, value: Value) -> ExecResult {
        let members = self.enum_members(class).map(<[HeapRef]>::to_vec).unwrap_or_default();
        if crate::machine::compare::is_identical(self.class_of(value), Value::Ref(class)) {
            return Ok(value);
        }
        if let Some(member) = self.find_member_by_value(&members, value)? {
            return Ok(Value::Ref(member));
        }
        if members.is_empty() {
            let message = format!("{} has no members defined", self.repr(Value::Ref(class))?);
            return Err(self.type_error(&message));
        }
        let missing = self.intern("_missing_");
        let found = if self.class_field(class, missing).is_some() {
            let missing = self.attribute(Value::Ref(class), missing)?;
            self.call_value(missing, &[value], &[])
        } else {
            Ok(Value::None)
        };
        let found = match found {
            Err(ExecError::Raised(raised)) if self.is_exception_of_kind(raised, ExceptionKind::Exception) => {
                if !self.is_exception_of_kind(raised, ExceptionKind::ValueError) {
                    let context = self.invalid_enum_value_error(class, value)?;
                    if let (HeapObject::Exception(exception), ExecError::Raised(context)) =
                        (self.heap.get_mut(raised), context)
                    {
                        exception.context = Some(context);
                    }
                }
                return Err(ExecError::Raised(raised));
            }
            other => other?,
        };
        if self.is_subclass(self.class_of(found), Value::Ref(class))? {
            return Ok(found);
        }
        let fault = self.invalid_enum_value_error(class, value)?;
        if matches!(found, Value::None) {
            return Err(fault);
        }
        let (name, repr) = (self.class_cell(class).name.clone(), self.repr(found)?);
        let message = format!("error in {name}._missing_: returned {repr} instead of None or a valid member");
        let wrong = self.type_error(&message);
        if let (ExecError::Raised(at), ExecError::Raised(context)) = (&wrong, fault)
            && let HeapObject::Exception(exception) = self.heap.get_mut(*at)
        {
            exception.context = Some(context);
        }
        Err(wrong)
    }

    fn invalid_enum_value_error(&mut self, class: HeapRef, value: Value) -> ExecResult<ExecError> {
        let repr = self.repr(value)?;
        let message = format!("{repr} is not a valid {}", self.class_cell(class).qualified_name);
        Ok(self.raise(ExceptionKind::ValueError, &message))
    }

    /// Looks up a member by name: `Color['RED']`.
    pub(in crate::machine) fn member_by_name(&mut self, class: HeapRef, name: Value) -> ExecResult {
        let found = self.as_text(name).and_then(|text| {
            let symbol = self.intern(&text);
            self.class_cell(class).attributes.get(&symbol).copied()
        });
        match found {
            Some(Value::Ref(at)) if self.is_enum_member(class, at) => Ok(Value::Ref(at)),
            _ => Err(self.raise_with(ExceptionKind::KeyError, vec![name])),
        }
    }

    fn enum_class_of(&self, value: Value) -> Option<HeapRef> {
        let Value::Ref(at) = value else { return None };
        match self.heap.get(at) {
            HeapObject::Instance { class, .. } if self.is_enum(*class) => Some(*class),
            _ => None,
        }
    }

    /// Returns whether a value is a member that is formatted by its name, not as its built-in value.
    pub(in crate::machine) fn is_formatted_by_member_name(&self, value: Value) -> bool {
        self.enum_class_of(value).is_some_and(|class| {
            ![&INT_ENUM, &STR_ENUM].into_iter().any(|base| self.has_builtin_base(class, Type::Library(base)))
        })
    }

    /// Returns whether a member inherits a text method from its dataclass; the text of members takes precedence over it.
    pub(in crate::machine) fn has_dataclass_text_method(&self, value: Value, method: &str) -> bool {
        let Some(class) = self.enum_class_of(value) else { return false };
        let Some(Value::Ref(data)) = self.enum_data_type(class) else { return false };
        let symbol = self.names.find(method);
        let of = |class: HeapRef| symbol.and_then(|symbol| self.class_field(class, symbol));
        matches!((of(class), of(data)), (Some(one), Some(other)) if crate::machine::compare::is_identical(one, other))
    }

    /// Formats a member as `<Color.RED: 1>` (`repr`) or `Color.RED` (`str`); `None` for other values.
    pub(in crate::machine) fn member_text(&mut self, value: Value, is_repr: bool) -> ExecResult<Option<String>> {
        let (Value::Ref(at), Some(class)) = (value, self.enum_class_of(value)) else { return Ok(None) };
        if !is_repr && !self.is_formatted_by_member_name(value) {
            let base = self.base_value(value);
            return self.str(base).map(Some);
        }
        let name = self.enum_member_attribute(at, "_name_");
        let name = self.str(name)?;
        let class = self.class_cell(class).name.clone();
        if !is_repr {
            return Ok(Some(format!("{class}.{name}")));
        }
        let value = self.enum_member_attribute(at, "_value_");
        Ok(Some(format!("<{class}.{name}: {}>", self.repr(value)?)))
    }

    pub(in crate::machine) fn unique(&mut self, class: Value) -> ExecResult {
        let found = match class {
            Value::Ref(at) if self.enum_members(at).is_some() => Some(at),
            _ => None,
        };
        let Some(at) = found else {
            let symbol = self.intern("__members__");
            return Err(self.attribute_error(class, symbol));
        };
        let fields: Vec<(Symbol, Value)> =
            self.class_cell(at).attributes.iter().map(|(&symbol, &value)| (symbol, value)).collect();
        self.charge(fields.len() as u64)?;
        let mut aliases = Vec::new();
        for (symbol, value) in fields {
            let Value::Ref(member) = value else { continue };
            if self.is_enum_member(at, member) {
                let own = self.enum_member_attribute(member, "_name_");
                let own = self.str(own)?;
                let name = self.name(symbol);
                if *own != *name {
                    aliases.push(format!("{name} -> {own}"));
                }
            }
        }
        if aliases.is_empty() {
            return Ok(class);
        }
        let repr = self.repr(class)?;
        let message = format!("duplicate values found in {repr}: {}", aliases.join(", "));
        Err(self.raise(ExceptionKind::ValueError, &message))
    }
}
