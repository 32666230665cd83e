//! Unions of annotations: `Union[..]`, `Optional[..]`, `X | Y`, and unions as the second argument of `isinstance`.

use super::{OPTIONAL, UNION};
use crate::machine::exceptions::ExecResult;
use crate::machine::value::{ClassKind, HeapObject, HeapRef, Type, Value};
use crate::machine::{ELEMENTS_PER_UNIT, Machine};

impl Machine {
    /// Checks that a class can be the second argument of `isinstance` or `issubclass`.
    ///
    /// # Errors
    /// `TypeError` if it cannot.
    pub(in crate::machine) fn check_isinstance_class(&mut self, class: Value, checked_by: &str) -> ExecResult<()> {
        let Value::Ref(at) = class else { return Ok(()) };
        let message = match self.heap.get(at) {
            HeapObject::Class(cell) => match cell.kind {
                ClassKind::TypedDict => "TypedDict does not support instance and class checks",
                ClassKind::Protocol { checkable: false } => {
                    "Instance and class checks can only be used with @runtime_checkable protocols"
                }
                _ => return Ok(()),
            },
            HeapObject::GenericAlias { origin: Value::Type(Type::Typing(name)), .. } if name.starts_with("typing.") => {
                "Subscripted generics cannot be used with class and instance checks"
            }
            HeapObject::GenericAlias { origin: Value::Ref(_), .. } => {
                "Subscripted generics cannot be used with class and instance checks"
            }
            HeapObject::GenericAlias { .. } => {
                return Err(self.type_error(&format!("{checked_by}() argument 2 cannot be a parameterized generic")));
            }
            _ => return Ok(()),
        };
        Err(self.type_error(message))
    }

    /// Returns the members of a union that was written with `|` or `typing.Union[..]`; `None` for other values.
    pub(in crate::machine) fn union_members(&self, at: HeapRef) -> Option<Vec<Value>> {
        let parts: &[Value] = match *self.heap.get(at) {
            HeapObject::Union(ref parts) => parts,
            HeapObject::GenericAlias { origin: Value::Type(Type::Typing(&UNION)), arguments: Value::Ref(at) }
                if let HeapObject::Tuple(parts) = self.heap.get(at) =>
            {
                parts
            }
            _ => return None,
        };
        Some(parts.to_vec())
    }

    /// Returns `typing.Union[..]` of the distinct annotations, or the only one.
    pub(in crate::machine) fn typing_union(&mut self, annotations: &[Value]) -> ExecResult {
        let parts = self.distinct_union_members(annotations)?;
        if let [only] = *parts {
            return Ok(only);
        }
        let parts = self.heap.tuple(parts);
        Ok(self.new_alias(Value::Type(Type::Typing(&UNION)), parts))
    }

    /// Evaluates `Union[..]` and `Optional[..]`; `None` for other names.
    pub(in crate::machine) fn union_from_subscript(
        &mut self,
        kind: Type,
        arguments: Value,
    ) -> ExecResult<Option<Value>> {
        let parts = match arguments {
            Value::Ref(at) if let HeapObject::Tuple(parts) = self.heap.get(at) => Some(parts.to_vec()),
            _ => None,
        };
        let (parts, expected) = match (kind, parts) {
            (Type::Typing(&UNION), Some(parts)) if parts.is_empty() => {
                return Err(self.type_error("Cannot take a Union of no types."));
            }
            (Type::Typing(&UNION), parts) => {
                (parts.unwrap_or_else(|| vec![arguments]), "Union[arg, ...]: each arg must be a type.")
            }
            (Type::Typing(&OPTIONAL), _) => (vec![arguments, Value::None], "typing.Optional requires a single type."),
            _ => return Ok(None),
        };
        self.charge(parts.len() as u64 / ELEMENTS_PER_UNIT)?;
        let is_tuple =
            |value: Value| matches!(value, Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Tuple(_)));
        if let Some(&tuple) = parts.iter().find(|&&part| is_tuple(part)) {
            let repr: String = self.repr(tuple)?.chars().take(100).collect();
            return Err(self.type_error(&format!("{expected} Got {repr}.")));
        }
        self.typing_union(&parts).map(Some)
    }
}
