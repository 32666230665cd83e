//! Attribute access: `a.b`.

use super::abstract_bases::is_inherited_method;
use super::class_methods::{OBJECT_INIT, OBJECT_SETATTR, class_method};
use super::compare::is_identical;
use super::dict::DictKind;
use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::library::{CHAIN_FROM_ITERABLE, NAMED_TUPLE_METHODS, REGISTER};
use super::library_class::ABC;
use super::methods::{Method, find_method, find_row, refused_method_reason};
use super::screen::SCREEN_METHODS;
use super::value::{ClassKind, HeapObject, HeapRef, Type, Value};
use super::{ELEMENTS_PER_UNIT, Machine};
use crate::code::Symbol;

impl Machine {
    pub(super) fn attribute(&mut self, object: Value, symbol: Symbol) -> ExecResult {
        match self.find_attribute(object, symbol)? {
            Some(value) => Ok(value),
            None => Err(self.attribute_error(object, symbol)),
        }
    }

    /// Creates the `AttributeError` of a missing attribute.
    pub(super) fn attribute_error(&mut self, object: Value, symbol: Symbol) -> ExecError {
        let name = self.name(symbol);
        let owner = match object {
            Value::Type(kind) => format!("type object '{}'", self.type_name(kind)),
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Class(class) if matches!(class.kind, ClassKind::Enum(_)) => {
                    return self.raise(ExceptionKind::AttributeError, &name);
                }
                HeapObject::Class(class) => format!("type object '{}'", class.name),
                HeapObject::Module(_, name) => format!("module '{}'", self.name(*name)),
                _ => format!("'{}' object", self.class_name(object)),
            },
            _ => format!("'{}' object", self.class_name(object)),
        };
        let class = self.class_name(object);
        if let Some(reason) = refused_method_reason(&class, &name) {
            let message = format!("reward functions do not support the attribute '{name}' of '{class}': {reason}");
            return self.raise(ExceptionKind::AttributeError, &message);
        }
        self.raise(ExceptionKind::AttributeError, &format!("{owner} has no attribute '{name}'"))
    }

    /// Returns an attribute; `None` if it does not exist.
    pub(super) fn find_attribute(&mut self, object: Value, symbol: Symbol) -> ExecResult<Option<Value>> {
        if let Some((value, work)) = self.plain_attribute(object, symbol) {
            return self.charge(work).map(|()| Some(value));
        }
        let found = self.find_ordinary_attribute(object, symbol)?;
        if found.is_some() {
            return Ok(found);
        }
        let name = self.name(symbol);
        if !name.starts_with("__") || self.is_class(object) {
            return Ok(None);
        }
        Ok(self.built_in_special_method(object, &name))
    }

    /// Returns an attribute other than a special method that the program does not define.
    fn find_ordinary_attribute(&mut self, object: Value, symbol: Symbol) -> ExecResult<Option<Value>> {
        let name = self.name(symbol);
        if &*name == "__class__" {
            return Ok(Some(self.class_of(object)));
        }
        if &*name == "__dict__"
            && let Ok(attributes) = self.attribute_dict(object)
        {
            return Ok(Some(attributes));
        }
        if self.is_numpy(object)
            && let Some(value) = self.numpy_attribute(object, &name)?
        {
            return Ok(Some(value));
        }
        if let Value::Dtype(kind) = object {
            return Ok(self.dtype_attribute(kind, &name));
        }
        let Value::Ref(at) = object else { return Ok(self.attribute_of_scalar(object, &name)) };
        match self.heap.get(at) {
            HeapObject::Entity(_) => Ok(self.entity_attribute(at, symbol, &name)),
            HeapObject::State(_) => self.state_attribute(at, symbol, &name),
            HeapObject::Screen(_) => {
                if let Some(value) = self.screen_attribute(at, symbol, &name)? {
                    return Ok(Some(value));
                }
                Ok(find_row(&SCREEN_METHODS, &name).map(|method| self.bound_method(object, method)))
            }
            HeapObject::Instance { .. } => self.attribute_of_instance(at, symbol, &name),
            HeapObject::Class(_) => self.attribute_of_class(at, symbol, &name),
            HeapObject::Function(_) => Ok(self.attribute_of_function(at, symbol, &name)),
            HeapObject::Exception(_) => self.attribute_of_exception(at, symbol, &name),
            HeapObject::Super { class, object } => {
                let (class, object) = (*class, *object);
                self.super_attribute(class, object, symbol, &name)
            }
            HeapObject::Deque(deque) if &*name == "maxlen" => {
                Ok(Some(deque.max_length.map_or(Value::None, |max_length| Value::Int(max_length as i64))))
            }
            HeapObject::Dict(dict)
                if let DictKind::Default(factory) = dict.kind
                    && &*name == "default_factory" =>
            {
                Ok(Some(factory))
            }
            HeapObject::Partial { function, arguments, named } => {
                let (function, arguments, named) = (*function, arguments.clone(), named.clone());
                self.partial_attribute(function, &arguments, &named, &name)
            }
            HeapObject::Wrapper(_) => self.attribute_of_wrapper(at, symbol),
            HeapObject::DataclassField(field) => {
                let field = **field;
                Ok(self.attribute_of_field(field, &name))
            }
            HeapObject::BuiltinMethod(_, method) | HeapObject::UnboundMethod(_, method) if &*name == "__name__" => {
                let method = method.name;
                Ok(Some(self.heap.text(method)))
            }
            HeapObject::BoundMethod { function, .. } | HeapObject::LruCache { function, .. }
                if matches!(&*name, "__name__" | "__qualname__" | "__doc__") =>
            {
                let function = *function;
                self.nested(|machine| machine.find_attribute(function, symbol))
            }
            HeapObject::TypingMarker(marker) if &*name == "__name__" => {
                let name = marker.name.clone();
                Ok(Some(self.heap.text(&name)))
            }
            HeapObject::GenericAlias { origin, .. } => {
                let origin = *origin;
                self.nested(|machine| machine.find_attribute(origin, symbol))
            }
            HeapObject::Module(..) => Ok(self.module_attribute(at, symbol)),
            HeapObject::Range { .. } | HeapObject::Slice(_) | HeapObject::BigInt(_)
                if let Some(part) = self.value_field(object, &name) =>
            {
                Ok(Some(part))
            }
            _ => {
                if let Some(value) = self.library_object_attribute(at, symbol) {
                    return Ok(Some(value));
                }
                let kind = self.type_of(object);
                let method = find_method(kind, &name).map(|method| self.bound_method(object, method));
                Ok(method.or_else(|| class_method(kind, &name).map(Value::Builtin)))
            }
        }
    }

    fn attribute_of_function(&mut self, at: HeapRef, symbol: Symbol, name: &str) -> Option<Value> {
        let HeapObject::Function(function) = self.heap.get(at) else { return None };
        let code = self.program.code(function.code);
        match (function.attributes.get(&symbol), name) {
            (Some(&value), _) => Some(value),
            (None, "__name__") => Some(self.heap.text(&code.name)),
            (None, "__qualname__") => Some(self.heap.text(&code.qualified_name)),
            (None, "__doc__") => Some(match code.documentation {
                Some(text) => Value::Ref(self.heap.add(HeapObject::Text(self.name(text)))),
                None => Value::None,
            }),
            (None, _) => None,
        }
    }

    /// Returns an attribute of an instance of a user-defined class.
    fn attribute_of_instance(&mut self, at: HeapRef, symbol: Symbol, name: &str) -> ExecResult<Option<Value>> {
        let HeapObject::Instance { class, attributes: fields, base_value: base } = self.heap.get(at) else {
            return Ok(None);
        };
        if name == "__doc__" && fields.get(&symbol).is_none() {
            let class = *class;
            return self.attribute_of_class(class, symbol, name);
        }
        let object = Value::Ref(at);
        let (class, mut own, base) = (*class, fields.get(&symbol).copied(), *base);
        self.charge(self.class_cell(class).mro.len() as u64 / ELEMENTS_PER_UNIT)?;
        let found = self.class_field(class, symbol);
        if found.is_some()
            && let Some(screen) = self.backing_screen_object(base)
        {
            own = self.own_derived_attribute(screen, symbol, name)?;
        }
        if let Some(Value::Ref(at)) = found {
            let described = self.data_descriptor_value(object, at);
            if let Some(value) = self.or_getattr(object, name, described)? {
                return Ok(Some(value));
            }
        }
        match (own, found) {
            (Some(own), _) => Ok(Some(own)),
            (None, None) if matches!(name, "name" | "value") && self.is_enum(class) => {
                let symbol = self.intern(if name == "name" { "_name_" } else { "_value_" });
                self.attribute_of_instance(at, symbol, "")
            }
            (None, Some(value)) => {
                let bound = self.bind_class_field(object, class, value).map(Some);
                self.or_getattr(object, name, bound)
            }
            (None, None) => self.fallback_attribute(object, class, base, symbol, name),
        }
    }

    /// Passes on the result of a property or a descriptor, but on an `AttributeError` returns the result of `__getattr__` if that method
    /// exists.
    pub(super) fn or_getattr(
        &mut self,
        object: Value,
        name: &str,
        found: ExecResult<Option<Value>>,
    ) -> ExecResult<Option<Value>> {
        match found {
            Err(ExecError::Raised(raised)) if self.is_exception_of_kind(raised, ExceptionKind::AttributeError) => {
                let Some(method) = self.special_method(object, "__getattr__") else {
                    return Err(ExecError::Raised(raised));
                };
                let text = self.heap.text(name);
                self.call_value(method, &[text], &[]).map(Some)
            }
            found => found,
        }
    }

    /// Returns an attribute of a user-defined class.
    fn attribute_of_class(&mut self, at: HeapRef, symbol: Symbol, name: &str) -> ExecResult<Option<Value>> {
        let object = Value::Ref(at);
        if name == "__name__" {
            let name = self.class_cell(at).name.clone();
            return Ok(Some(self.heap.text(&name)));
        }
        if name == "__qualname__" {
            let name = self.class_cell(at).qualified_name.clone();
            return Ok(Some(self.heap.text(&name)));
        }
        if matches!(name, "__mro__" | "__bases__") {
            return Ok(Some(self.ancestor_classes(object, name)));
        }
        if name == "__doc__" {
            return Ok(Some(self.class_cell(at).attributes.get(&symbol).copied().unwrap_or(Value::None)));
        }
        if name == "register"
            && self.class_field(at, symbol).is_none()
            && self.has_builtin_base(at, Type::Library(&ABC))
        {
            let register = Value::Builtin(&REGISTER);
            return Ok(Some(self.new_partial(register, vec![object], Vec::new())));
        }
        if name.starts_with('_')
            && let Some(value) = self.attribute_of_enum(at, name)?
        {
            return Ok(Some(value));
        }
        let found = self.class_field(at, symbol);
        if let Some(field) = found
            && let Some(get) = self.special_method(field, "__get__")
        {
            return self.call_value(get, &[Value::None, object], &[]).map(Some);
        }
        if found.is_none() && name == "__new__" {
            let kind = self.built_in_base(at).unwrap_or(Type::Object);
            return Ok(Some(self.bound_new(Value::Type(kind))));
        }
        if found.is_none() && name == "__init__" {
            return Ok(Some(Value::Builtin(&OBJECT_INIT)));
        }
        if found.is_none()
            && name == "_make"
            && let Some(method) = find_row(&NAMED_TUPLE_METHODS, name)
            && self.named_tuple_base(at).is_some()
        {
            return Ok(Some(self.bound_method(object, method)));
        }
        match found {
            Some(value) => self.bind_to_class(object, value).map(Some),
            None => Ok(self.built_in_base(at).and_then(|kind| self.unbound_method(kind, name))),
        }
    }

    /// Returns an attribute of an exception.
    fn attribute_of_exception(&mut self, at: HeapRef, symbol: Symbol, name: &str) -> ExecResult<Option<Value>> {
        let HeapObject::Exception(exception) = self.heap.get(at) else { return Ok(None) };
        let (object, class, own) = (Value::Ref(at), exception.class, exception.fields.get(&symbol).copied());
        let found = class.and_then(|class| self.class_field(class, symbol));
        if let Some(Value::Ref(field)) = found {
            let described = self.data_descriptor_value(object, field);
            if let Some(value) = self.or_getattr(object, name, described)? {
                return Ok(Some(value));
            }
        }
        if found.is_none()
            && let Some(part) = self.exception_field(at, name)
        {
            return Ok(Some(part));
        }
        match (own, class, found) {
            (Some(own), ..) => Ok(Some(own)),
            (None, Some(class), Some(value)) => {
                let bound = self.bind_class_field(object, class, value).map(Some);
                self.or_getattr(object, name, bound)
            }
            (None, Some(class), None) => self.fallback_attribute(object, class, None, symbol, name),
            (None, None, _) => Ok(None),
        }
    }

    /// Returns a built-in attribute of an exception: `args`, and the fields of Unicode errors.
    fn exception_field(&mut self, at: HeapRef, name: &str) -> Option<Value> {
        let HeapObject::Exception(exception) = self.heap.get(at) else { return None };
        if name == "args" {
            let arguments = exception.arguments.clone();
            return Some(self.heap.tuple(arguments));
        }
        if name == "value" && exception.kind == ExceptionKind::StopIteration {
            return Some(self.stop_iteration_value(at));
        }
        let is_of_encoding = exception.kind.is_subclass_of(ExceptionKind::UnicodeError);
        let place = super::bytes::encoding::unicode_error_field(name).filter(|_| is_of_encoding)?;
        exception.arguments.get(place).copied()
    }

    /// Returns a built-in attribute of a range or a slice, or the numeric attributes of a big integer.
    fn value_field(&self, object: Value, name: &str) -> Option<Value> {
        let Value::Ref(at) = object else { return None };
        Some(match (self.heap.get(at), name) {
            (HeapObject::Range { start, .. }, "start") => Value::Int(*start),
            (HeapObject::Range { stop, .. }, "stop") => Value::Int(*stop),
            (HeapObject::Range { step, .. }, "step") => Value::Int(*step),
            (HeapObject::Slice([start, _, _]), "start") => *start,
            (HeapObject::Slice([_, stop, _]), "stop") => *stop,
            (HeapObject::Slice([_, _, step]), "step") => *step,
            (HeapObject::BigInt(_), "real" | "numerator") => object,
            (HeapObject::BigInt(_), "imag") => Value::Int(0),
            (HeapObject::BigInt(_), "denominator") => Value::Int(1),
            _ => return None,
        })
    }

    fn attribute_of_scalar(&mut self, object: Value, name: &str) -> Option<Value> {
        match (object, name) {
            (Value::Type(kind), "__name__" | "__qualname__") => {
                let name = self.type_name(kind);
                Some(self.heap.text(name.rsplit('.').next().unwrap_or(&name)))
            }
            (Value::Type(_), "__mro__" | "__bases__") => Some(self.ancestor_classes(object, name)),
            (Value::Type(_), "__new__") => Some(self.bound_new(object)),
            (Value::Type(_), "__init__") => Some(Value::Builtin(&OBJECT_INIT)),
            (Value::Type(Type::Object), "__setattr__") => Some(Value::Builtin(&OBJECT_SETATTR)),
            (Value::Builtin(function), "from_iterable") if function.name == "itertools.chain" => {
                Some(Value::Builtin(&CHAIN_FROM_ITERABLE))
            }
            (Value::Builtin(function), _) if let Some(method) = self.ufunc_method(function, name) => Some(method),
            (Value::Int(_), "real" | "numerator") | (Value::Float(_), "real") => Some(object),
            (Value::Bool(truth), "real" | "numerator") => Some(Value::Int(truth.into())),
            (Value::Int(_) | Value::Bool(_), "denominator") => Some(Value::Int(1)),
            (Value::Int(_) | Value::Bool(_), "imag") => Some(Value::Int(0)),
            (Value::Type(kind), _) if let Some(function) = class_method(kind, name) => Some(Value::Builtin(function)),
            (Value::Int(_), "from_bytes") => class_method(Type::Int, name).map(Value::Builtin),
            (Value::Bool(_), "from_bytes") => class_method(Type::Bool, name).map(Value::Builtin),
            (Value::Float(_), "imag") => Some(Value::Float(0.0)),
            (Value::Builtin(builtin), "__name__" | "__qualname__") => Some(self.heap.text(builtin.short_name())),
            _ => {
                if let Some(method) = find_method(self.type_of(object), name) {
                    return Some(self.bound_method(object, method));
                }
                let Value::Type(kind) = object else { return None };
                self.unbound_method(kind, name)
            }
        }
    }

    /// Returns the tuple of the classes of a class: itself and those from which it inherits, or its bases only.
    fn ancestor_classes(&mut self, class: Value, name: &str) -> Value {
        let mut order = match class {
            Value::Ref(at) if !self.class_cell(at).mro.is_empty() => self.class_cell(at).mro.clone(),
            // Named tuples inherit from `tuple` only.
            Value::Ref(_) => vec![class, Value::Type(Type::Tuple)],
            _ => Vec::new(),
        };
        if let Value::Type(kind) = class {
            order.push(class);
            match kind {
                Type::Bool => order.push(Value::Type(Type::Int)),
                Type::Library(library) => order.extend(library.bases.iter().map(|&base| Value::Type(base))),
                Type::Exception(kind) => {
                    let bases = std::iter::successors(kind.base(), |kind| kind.base());
                    order.extend(bases.map(|base| Value::Type(Type::Exception(base))));
                }
                Type::Screen(class) => {
                    let classes = &self.world.screen_classes;
                    let parents = std::iter::successors(classes[class.0 as usize].parent, |&class| {
                        classes[class as usize].parent
                    });
                    order.extend(parents.map(|parent| Value::Type(Type::Screen(super::screen::ClassId(parent)))));
                }
                _ => {}
            }
        }
        if !order.iter().any(|&base| matches!(base, Value::Type(Type::Object))) {
            order.push(Value::Type(Type::Object));
        }
        if name == "__bases__" {
            order = match class {
                Value::Type(Type::Object) => Vec::new(),
                _ => self.direct_bases(&order),
            };
        }
        self.heap.tuple(order)
    }

    /// Returns the classes of an order of attribute lookup from which no class before them inherits, after the first one.
    fn direct_bases(&self, order: &[Value]) -> Vec<Value> {
        let is_inherited = |base: Value, before: &[Value]| {
            before.iter().any(|&other| match other {
                Value::Ref(at) => self.class_cell(at).mro.iter().any(|&ancestor| is_identical(ancestor, base)),
                _ => false,
            })
        };
        let mut bases: Vec<Value> = Vec::new();
        for &base in order.iter().skip(1) {
            let is_object = matches!(base, Value::Type(Type::Object));
            if !(is_inherited(base, &bases) || is_object && !bases.is_empty()) {
                bases.push(base);
            }
        }
        bases
    }

    /// Returns a method of a built-in class as a function that takes the object as its first argument.
    fn unbound_method(&mut self, kind: Type, name: &str) -> Option<Value> {
        let method = find_method(kind, name)?;
        Some(Value::Ref(self.heap.add(HeapObject::UnboundMethod(kind, method))))
    }

    pub(super) fn bound_method(&mut self, receiver: Value, method: Method) -> Value {
        Value::Ref(self.heap.add(HeapObject::BuiltinMethod(receiver, method)))
    }

    /// Returns an attribute of a class or of the first base that has it.
    pub(super) fn class_field(&self, class: HeapRef, symbol: Symbol) -> Option<Value> {
        self.class_cell(class).mro.iter().find_map(|&base| match base {
            Value::Ref(at) => self.class_cell(at).attributes.get(&symbol).copied(),
            _ => None,
        })
    }

    /// Returns an attribute of a class or of the first base that has it, by its name.
    pub(super) fn class_field_named(&self, class: HeapRef, name: &str) -> Option<Value> {
        self.class_field(class, self.names.find(name)?)
    }

    /// Returns an attribute; `None` if it does not exist or computing it raises an `AttributeError`.
    pub(super) fn try_attribute(&mut self, object: Value, symbol: Symbol) -> ExecResult<Option<Value>> {
        match self.find_attribute(object, symbol) {
            Err(ExecError::Raised(at)) if self.is_exception_of_kind(at, ExceptionKind::AttributeError) => Ok(None),
            other => other,
        }
    }

    /// Binds an attribute of a class to an object, as access through the object does.
    pub(super) fn bind_to_instance(&mut self, object: Value, class: Value, value: Value) -> Value {
        let Value::Ref(at) = value else {
            return match value {
                Value::Builtin(function) if is_inherited_method(function) => {
                    Value::Ref(self.heap.add(HeapObject::BoundMethod { receiver: object, function: value }))
                }
                _ => value,
            };
        };
        match *self.heap.get(at) {
            HeapObject::Function(_)
            | HeapObject::GeneratedMethod(..)
            | HeapObject::LruCache { .. }
            | HeapObject::Wrapper(_) => {
                Value::Ref(self.heap.add(HeapObject::BoundMethod { receiver: object, function: value }))
            }
            HeapObject::StaticMethod(function) => function,
            HeapObject::ClassMethod(function) => {
                Value::Ref(self.heap.add(HeapObject::BoundMethod { receiver: class, function }))
            }
            _ => value,
        }
    }

    /// Binds an attribute of a class to the class, as access through the class does.
    fn bind_to_class(&mut self, class: Value, value: Value) -> ExecResult {
        let Value::Ref(at) = value else { return Ok(value) };
        match *self.heap.get(at) {
            HeapObject::StaticMethod(function) => Ok(function),
            HeapObject::ClassMethod(function) => self.bind_class_method(class, function),
            _ => Ok(value),
        }
    }

    /// Returns the screen object that backs an instance of a user-defined class, if its base is a screen class.
    pub(super) fn backing_screen_object(&self, base: Option<Value>) -> Option<HeapRef> {
        match base? {
            Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Screen(_)) => Some(at),
            _ => None,
        }
    }

    /// Returns a special method that a user-defined class defines, bound to the object, for [a call](Self::call_value).
    pub(super) fn special_method(&mut self, object: Value, name: &str) -> Option<Value> {
        let Value::Ref(at) = object else { return None };
        let class = match self.heap.get(at) {
            HeapObject::Instance { class, .. } => *class,
            HeapObject::Exception(exception) => exception.class?,
            _ => return None,
        };
        let symbol = self.intern(name);
        let found = self.class_field(class, symbol)?;
        // The method of a value that is called at once needs no cell.
        Some(match found {
            Value::Ref(function) if matches!(self.heap.get(function), HeapObject::Function(_)) => {
                Value::Method { receiver: at, function }
            }
            value => self.bind_to_instance(object, Value::Ref(class), value),
        })
    }
}
