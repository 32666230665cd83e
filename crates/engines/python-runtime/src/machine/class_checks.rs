//! Classes of values, subclass checks, and unions of classes (`int | str`).

use rustc_hash::FxHashSet;

use super::exceptions::{ExecError, ExecResult, LimitedResource};
use super::value::{ClassKind, HeapObject, HeapRef, Type, Value};
use super::{ELEMENTS_PER_UNIT, Machine, cost, numpy};
use crate::limits::MAX_UNION_PARTS;

/// The components by which two annotations are compared.
pub(super) enum AnnotationKey {
    /// The classes of a union; their order does not matter.
    Union(Vec<Value>),
    /// The origin of a parameterized name, followed by its parameters.
    Alias(Vec<Value>),
}

impl Machine {
    /// Returns the class of a value.
    pub(super) fn class_of(&self, value: Value) -> Value {
        if let Value::Ref(at) = value {
            match self.heap.get(at) {
                HeapObject::Instance { class, .. } => return Value::Ref(*class),
                HeapObject::Exception(exception) => {
                    if let Some(class) = exception.class {
                        return Value::Ref(class);
                    }
                }
                _ => {}
            }
        }
        Value::Type(self.type_of(value))
    }

    /// Returns the result of `isinstance(value, class)`.
    pub(super) fn is_instance(&mut self, value: Value, class: Value) -> ExecResult<bool> {
        self.charge(cost::OPERATION)?;
        let own = self.class_of(value);
        if let Value::Ref(at) = class
            && let Some(parts) = self.union_members(at)
        {
            return self.is_any_instance(value, parts);
        }
        self.check_isinstance_class(class, "isinstance")?;
        match class {
            Value::Type(Type::Typing(&"typing.Callable")) => Ok(self.is_callable(value)),
            Value::Type(Type::Typing(name)) if name.starts_with("typing.") || name.starts_with("numbers.") => {
                // The number protocols of `typing` require a method, which the class itself has as well.
                let has = name.starts_with("typing.Supports") && self.is_class(value);
                Ok(self.is_subclass_of_abc(own, name, "isinstance")?
                    || has && self.is_subclass_of_abc(value, name, "isinstance")?)
            }
            Value::Ref(at) if self.is_protocol(at) => {
                Ok(self.is_subclass(own, class)? || self.satisfies_protocol(value, at)?)
            }
            Value::Type(_) => self.is_subclass(own, class),
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Instance { base_value: Some(base), .. } => {
                    let base = *base;
                    if !matches!(base, Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Tuple(_))) {
                        return Err(self.invalid_class_info_error());
                    }
                    self.nested(|machine| machine.is_instance(value, base))
                }
                HeapObject::Class(_) => self.is_subclass(own, class),
                HeapObject::Tuple(classes) => {
                    let classes = classes.to_vec();
                    self.is_any_instance(value, classes)
                }
                _ => Err(self.invalid_class_info_error()),
            },
            _ => Err(self.invalid_class_info_error()),
        }
    }

    /// Returns the result of `isinstance(value, class)` for classes, or a tuple of classes, whose check runs no code of the program, and its
    /// work; `None` if the general code has to check.
    #[inline]
    pub(super) fn quick_instance_check(&self, value: Value, class: Value) -> Option<(bool, u64)> {
        if let Some(checked) = self.is_screen_instance(value, class) {
            return Some(checked);
        }
        let own = self.class_of(value);
        if matches!(own, Value::Ref(at) if self.class_cell(at).mro.len() as u64 >= ELEMENTS_PER_UNIT) {
            return None;
        }
        let work = 2 * cost::OPERATION;
        let Value::Ref(at) = class else { return Some((self.quick_class_check(own, class)?, work)) };
        let HeapObject::Tuple(classes) = self.heap.get(at) else {
            return Some((self.quick_class_check(own, class)?, work));
        };
        // The general code nests the checks of a tuple, which the depth of calls limits.
        if self.nesting >= self.budget.call_depth {
            return None;
        }
        let mut total = cost::OPERATION;
        for &class in classes {
            total += work;
            if self.quick_class_check(own, class)? {
                return Some((true, total));
            }
        }
        Some((false, total))
    }

    /// Returns whether a class is another one or derived from it, for classes that have no further, virtual subclasses.
    fn quick_class_check(&self, own: Value, class: Value) -> Option<bool> {
        let has_virtual_subclasses = match class {
            Value::Type(Type::Typing(_)) => true,
            Value::Type(_) => false,
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Class(cell) => matches!(cell.kind, ClassKind::TypedDict | ClassKind::Protocol { .. }),
                _ => true,
            },
            _ => true,
        };
        if has_virtual_subclasses {
            return None;
        }
        let is_derived = self.has_in_mro(own, class);
        (is_derived || self.registered_classes(class).is_empty()).then_some(is_derived)
    }

    fn is_any_instance(&mut self, value: Value, classes: Vec<Value>) -> ExecResult<bool> {
        for class in classes {
            if self.nested(|machine| machine.is_instance(value, class))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_protocol(&self, class: HeapRef) -> bool {
        matches!(self.heap.get(class), HeapObject::Class(class) if matches!(class.kind, ClassKind::Protocol { .. }))
    }

    /// Returns the result of `issubclass(class, other)`.
    pub(super) fn issubclass(&mut self, class: Value, other: Value) -> ExecResult<bool> {
        self.charge(cost::OPERATION)?;
        if !self.is_class(class) {
            return Err(self.type_error("issubclass() arg 1 must be a class"));
        }
        let other = self.base_value(other);
        let parts = match other {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Tuple(classes) => Some(classes.to_vec()),
                _ => self.union_members(at),
            },
            _ => None,
        };
        if let Some(parts) = parts {
            for part in parts {
                if self.nested(|machine| machine.issubclass(class, part))? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        self.check_isinstance_class(other, "issubclass")?;
        match other {
            Value::Type(Type::Typing(name)) if name.starts_with("typing.") || name.starts_with("numbers.") => {
                self.is_subclass_of_abc(class, name, "issubclass")
            }
            Value::Ref(at) if self.is_protocol(at) => {
                Ok(self.is_subclass(class, other)? || self.class_satisfies_protocol(class, at)?)
            }
            _ if self.is_class(other) => self.is_subclass(class, other),
            _ => {
                let message = "issubclass() arg 2 must be a class, a tuple of classes, or a union";
                Err(self.type_error(message))
            }
        }
    }

    /// Returns whether a value is a class.
    pub(super) fn is_class(&self, value: Value) -> bool {
        match value {
            Value::Type(_) => true,
            Value::Ref(at) => matches!(self.heap.get(at), HeapObject::Class(_)),
            _ => false,
        }
    }

    fn invalid_class_info_error(&mut self) -> ExecError {
        self.type_error("isinstance() arg 2 must be a type, a tuple of types, or a union")
    }

    /// Returns whether a class is `other`, derives from it, or is a virtual subclass by `register`.
    pub(super) fn is_subclass(&mut self, class: Value, other: Value) -> ExecResult<bool> {
        if !matches!(other, Value::Ref(_)) {
            return self.is_derived_class(class, other);
        }
        let mut visited = FxHashSet::default();
        let mut open = vec![other];
        while let Some(other) = open.pop() {
            if self.is_derived_class(class, other)? {
                return Ok(true);
            }
            if let Value::Ref(at) = other
                && visited.insert(at)
            {
                let registered = self.registered_classes(other);
                let count = registered.len() as u64;
                open.extend(registered);
                self.charge(count / ELEMENTS_PER_UNIT)?;
            }
        }
        Ok(false)
    }

    /// Returns whether a class is `other` or derives from it; virtual subclasses do not count.
    pub(super) fn is_derived_class(&mut self, class: Value, other: Value) -> ExecResult<bool> {
        let order = match class {
            Value::Ref(at) => self.class_cell(at).mro.len(),
            _ => 0,
        };
        self.charge(cost::OPERATION + order as u64 / ELEMENTS_PER_UNIT)?;
        Ok(self.has_in_mro(class, other))
    }

    fn has_in_mro(&self, class: Value, other: Value) -> bool {
        match (class, other) {
            (Value::Ref(at), _) => {
                let order = &self.class_cell(at).mro;
                order.iter().any(|&base| match base {
                    Value::Ref(_) => super::compare::is_identical(base, other),
                    _ => self.has_in_mro(base, other),
                })
            }
            (Value::Type(one), Value::Type(two)) => {
                one == two
                    || match (one, two) {
                        (_, Type::Object)
                        | (Type::Bool, Type::Int)
                        | (Type::Numpy(numpy::Dtype::Float), Type::Float) => true,
                        (Type::Numpy(kind), Type::Library(_)) if numpy::is_scalar_of(kind, two) => true,
                        (Type::Library(class), _) if class.bases.contains(&two) => true,
                        (Type::Exception(one), Type::Exception(two)) => one.is_subclass_of(two),
                        (Type::Screen(one), Type::Screen(two)) => self.screen_class_is(one, two),
                        (Type::Entity(one), Type::Entity(two)) => self.is_entity_subclass(one, two),
                        _ => false,
                    }
            }
            _ => false,
        }
    }

    /// Creates the union `left | right` of two classes; `None` if the operands do not form one.
    pub(super) fn new_union(&mut self, left: Value, right: Value) -> ExecResult<Option<Value>> {
        // `None` denotes `NoneType` next to a class.
        if matches!((left, right), (Value::None, Value::None))
            || !self.is_annotation(left)
            || !self.is_annotation(right)
        {
            return Ok(None);
        }
        if self.is_typing_form(left) || self.is_typing_form(right) {
            return self.typing_union(&[left, right]).map(Some);
        }
        let parts = self.distinct_union_members(&[left, right])?;
        if let [only] = *parts {
            return Ok(Some(only));
        }
        Ok(Some(Value::Ref(self.heap.add(HeapObject::Union(parts.into())))))
    }

    fn is_annotation(&self, value: Value) -> bool {
        match value {
            Value::None | Value::Type(_) => true,
            Value::Ref(at) => {
                matches!(
                    self.heap.get(at),
                    HeapObject::Class(_)
                        | HeapObject::GenericAlias { .. }
                        | HeapObject::TypingMarker(_)
                        | HeapObject::Union(_)
                )
            }
            _ => false,
        }
    }

    /// Returns the distinct parts of the union of the given annotations, with nested unions flattened in place.
    pub(super) fn distinct_union_members(&mut self, annotations: &[Value]) -> ExecResult<Vec<Value>> {
        let distinct = self.empty_dict();
        for &annotation in annotations {
            let parts = match annotation {
                Value::None => vec![Value::Type(Type::NoneType)],
                Value::Ref(at) => self.union_members(at).unwrap_or_else(|| vec![annotation]),
                _ => vec![annotation],
            };
            for part in parts {
                self.set_entry(distinct, part, Value::None)?;
            }
            if self.dict(distinct).len() > MAX_UNION_PARTS {
                return Err(ExecError::Exhausted(LimitedResource::Memory));
            }
        }
        Ok(self.dict(distinct).iter().map(|(part, _)| part).collect())
    }

    /// Returns the comparison key of a union or a parameterized name.
    pub(super) fn annotation_key(&mut self, at: HeapRef) -> AnnotationKey {
        if let Some(parts) = self.union_members(at) {
            return AnnotationKey::Union(parts);
        }
        let HeapObject::GenericAlias { origin, arguments } = *self.heap.get(at) else {
            return AnnotationKey::Alias(Vec::new());
        };
        let mut parts = vec![origin];
        match arguments {
            Value::Ref(at) if let HeapObject::Tuple(arguments) = self.heap.get(at) => parts.extend(arguments.iter()),
            _ => parts.push(arguments),
        }
        // The parameters of a `Callable` are a list, which is not hashable.
        let parts = parts.into_iter().map(|part| match part {
            Value::Ref(at) if let HeapObject::List(parameters) = self.heap.get(at) => {
                let parameters = parameters.clone();
                self.heap.tuple(parameters)
            }
            _ => part,
        });
        AnnotationKey::Alias(parts.collect())
    }

    /// Returns whether two unions have the same parts in any order, or two parameterized names the same origin and parameters.
    pub(super) fn annotations_equal(&mut self, one: HeapRef, two: HeapRef) -> ExecResult<bool> {
        match (self.annotation_key(one), self.annotation_key(two)) {
            (AnnotationKey::Union(ones), AnnotationKey::Union(twos)) => {
                self.charge((ones.len() + twos.len()) as u64)?;
                if ones.len() != twos.len() {
                    return Ok(false);
                }
                let others = self.empty_dict();
                for part in twos {
                    self.set_entry(others, part, Value::None)?;
                }
                for part in ones {
                    if self.entry(others, part)?.is_none() {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (AnnotationKey::Alias(ones), AnnotationKey::Alias(twos)) => {
                self.charge(ones.len() as u64)?;
                let pairs: Vec<(Value, Value)> = ones.iter().copied().zip(twos.iter().copied()).collect();
                Ok(ones.len() == twos.len() && self.all_equal(&pairs)?)
            }
            _ => Ok(false),
        }
    }

    pub(super) fn union_text(&mut self, classes: &[Value]) -> ExecResult<String> {
        let mut names = Vec::with_capacity(classes.len());
        for &class in classes {
            names.push(match class {
                Value::Type(Type::NoneType) => "None".to_owned(),
                Value::Type(kind) => self.type_name(kind).to_string(),
                Value::Ref(at) => format!("{}.{}", self.program.module, self.class_cell(at).qualified_name),
                _ => self.repr(class)?,
            });
        }
        Ok(names.join(" | "))
    }
}
