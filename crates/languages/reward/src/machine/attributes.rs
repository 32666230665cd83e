//! Attribute access: `a.b`.

use super::builtins::Builtin;
use super::exceptions::{ExceptionKind, Fault, Outcome};
use super::methods::Method;
use super::screen::ScreenMethod;
use super::value::{Cell, ClassKind, Ref, Type, Value};
use super::{BULK, Machine};
use crate::code::Symbol;

impl Machine<'_> {
    pub(super) fn attribute(&mut self, object: Value, symbol: Symbol) -> Outcome {
        match self.find_attribute(object, symbol)? {
            Some(value) => Ok(value),
            None => Err(self.no_attribute(object, symbol)),
        }
    }

    /// Creates the `AttributeError` of a missing attribute.
    pub(super) fn no_attribute(&mut self, object: Value, symbol: Symbol) -> Fault {
        let name = self.name(symbol);
        let owner = match object {
            Value::Type(kind) => format!("type object '{}'", self.type_name(kind)),
            Value::Ref(at) => match self.heap.get(at) {
                Cell::Class(class) if matches!(class.kind, ClassKind::Enum(_)) => {
                    return self.raise(ExceptionKind::AttributeError, &name);
                }
                Cell::Class(class) => format!("type object '{}'", class.name),
                Cell::Module(_, name) => format!("module '{}'", self.name(*name)),
                _ => format!("'{}' object", self.class_name(object)),
            },
            _ => format!("'{}' object", self.class_name(object)),
        };
        self.raise(ExceptionKind::AttributeError, &format!("{owner} has no attribute '{name}'"))
    }

    /// Returns an attribute; `None` if it does not exist.
    pub(super) fn find_attribute(&mut self, object: Value, symbol: Symbol) -> Outcome<Option<Value>> {
        let name = self.name(symbol);
        if &*name == "__class__" {
            return Ok(Some(self.class_of(object)));
        }
        if self.is_numpy(object)
            && let Some(value) = self.numpy_attribute(object, &name)?
        {
            return Ok(Some(value));
        }
        if let Value::Dtype(kind) = object {
            return Ok(self.dtype_attribute(kind, &name));
        }
        let Value::Ref(at) = object else { return Ok(self.attribute_of_simple(object, &name)) };
        match self.heap.get(at) {
            Cell::Entity(_) => Ok(self.entity_attribute(at, symbol, &name)),
            Cell::State(_) => self.state_attribute(at, symbol, &name),
            Cell::Screen(_) => {
                if let Some(value) = self.screen_attribute(at, symbol, &name)? {
                    return Ok(Some(value));
                }
                let method = ScreenMethod::ALL.iter().find(|(other, _)| *other == &*name);
                Ok(method.map(|&(_, method)| self.bound_method(object, Method::Screen(method))))
            }
            Cell::Instance { .. } => self.attribute_of_instance(at, symbol, &name),
            Cell::Class(_) => self.attribute_of_class(at, symbol, &name),
            Cell::Function(_) => Ok(self.attribute_of_function(at, symbol, &name)),
            Cell::Exception(_) => self.attribute_of_exception(at, symbol, &name),
            Cell::Super { class, object } => {
                let (class, object) = (*class, *object);
                self.attribute_behind(class, object, symbol, &name)
            }
            Cell::Deque(deque) if &*name == "maxlen" => {
                Ok(Some(deque.most.map_or(Value::None, |most| Value::Int(most as i64))))
            }
            Cell::Partial { function, arguments, named } => {
                let (function, arguments, named) = (*function, arguments.clone(), named.clone());
                self.part_of_partial(function, &arguments, &named, &name)
            }
            Cell::Method(_, method) | Cell::MethodOf(_, method) if &*name == "__name__" => {
                let method = method.name();
                Ok(Some(self.heap.text(method)))
            }
            Cell::Bound { function, .. } | Cell::Cached { function, .. }
                if matches!(&*name, "__name__" | "__qualname__") =>
            {
                let function = *function;
                self.nested(|machine| machine.find_attribute(function, symbol))
            }
            Cell::Marker(marker) if &*name == "__name__" => {
                let name = marker.name.clone();
                Ok(Some(self.heap.text(&name)))
            }
            Cell::Alias { origin, .. } => {
                let origin = *origin;
                self.nested(|machine| machine.find_attribute(origin, symbol))
            }
            Cell::Module(module, path) => {
                let (module, path) = (*module, *path);
                Ok(self.module_value(module, path, &name))
            }
            Cell::Range { .. } | Cell::Slice(_) | Cell::Big(_)
                if let Some(part) = self.part_of_value(object, &name) =>
            {
                Ok(Some(part))
            }
            _ => {
                if let Some(function) = self.class_function(object, &name) {
                    return Ok(Some(Value::Builtin(Builtin::Library(function))));
                }
                let kind = self.type_of(object);
                Ok(Method::find(kind, &name).map(|method| self.bound_method(object, method)))
            }
        }
    }

    fn attribute_of_function(&mut self, at: Ref, symbol: Symbol, name: &str) -> Option<Value> {
        let Cell::Function(function) = self.heap.get(at) else { return None };
        let code = self.program.code(function.code);
        match (function.fields.get(&symbol), name) {
            (Some(&given), _) => Some(given),
            (None, "__name__") => Some(self.heap.text(&code.name)),
            (None, "__qualname__") => Some(self.heap.text(&code.qualified)),
            (None, _) => None,
        }
    }

    /// Returns an attribute of an instance of a user-defined class.
    fn attribute_of_instance(&mut self, at: Ref, symbol: Symbol, name: &str) -> Outcome<Option<Value>> {
        let Cell::Instance { class, fields, base } = self.heap.get(at) else { return Ok(None) };
        let object = Value::Ref(at);
        let (class, mut own, base) = (*class, fields.get(&symbol).copied(), *base);
        self.spend(self.class_cell(class).order.len() as u64 / BULK)?;
        let found = self.class_field(class, symbol);
        if found.is_some()
            && let Some(screen) = self.screen_beside(base)
        {
            own = self.own_beside(screen, symbol, name)?;
        }
        if let Some(Value::Ref(at)) = found {
            let described = self.described(object, at);
            if let Some(value) = self.or_instead(object, name, described)? {
                return Ok(Some(value));
            }
        }
        match (own, found) {
            (Some(own), _) => Ok(Some(own)),
            (None, None) if matches!(name, "name" | "value") && self.is_enum(class) => {
                let symbol = self.symbol(if name == "name" { "_name_" } else { "_value_" });
                self.attribute_of_instance(at, symbol, "")
            }
            (None, Some(value)) => {
                let bound = self.bound_field(object, class, value).map(Some);
                self.or_instead(object, name, bound)
            }
            (None, None) => self.attribute_of_base(object, class, base, symbol, name),
        }
    }

    /// Passes on the result of a property or a descriptor, but on an `AttributeError` returns the result of `__getattr__` if that method
    /// exists.
    pub(super) fn or_instead(
        &mut self,
        object: Value,
        name: &str,
        found: Outcome<Option<Value>>,
    ) -> Outcome<Option<Value>> {
        match found {
            Err(Fault::Raised(raised)) if self.is_raised(raised, ExceptionKind::AttributeError) => {
                let Some(method) = self.special(object, "__getattr__") else { return Err(Fault::Raised(raised)) };
                let text = self.heap.text(name);
                self.call_value(method, &[text], &[]).map(Some)
            }
            found => found,
        }
    }

    /// Returns an attribute of a user-defined class.
    fn attribute_of_class(&mut self, at: Ref, symbol: Symbol, name: &str) -> Outcome<Option<Value>> {
        let object = Value::Ref(at);
        if name == "__name__" {
            let name = self.class_cell(at).name.clone();
            return Ok(Some(self.heap.text(&name)));
        }
        if name == "__qualname__" {
            let name = self.class_cell(at).qualified.clone();
            return Ok(Some(self.heap.text(&name)));
        }
        if name == "register"
            && self.class_field(at, symbol).is_none()
            && self.class_cell(at).order.iter().any(|&base| matches!(base, Value::Type(Type::Library("ABC"))))
        {
            let register = Value::Builtin(Builtin::Library("abc.register"));
            return Ok(Some(self.new_partial(register, vec![object], Vec::new())));
        }
        if name.starts_with('_')
            && let Some(value) = self.attribute_of_enum(at, name)?
        {
            return Ok(Some(value));
        }
        let found = self.class_field(at, symbol);
        if let Some(field) = found
            && let Some(get) = self.special(field, "__get__")
        {
            return self.call_value(get, &[Value::None, object], &[]).map(Some);
        }
        if found.is_none() && name == "__new__" {
            let kind = self.built_in_base(at).unwrap_or(Type::Object);
            return Ok(Some(self.bound_method(Value::Type(kind), Method::Base("__new__"))));
        }
        if found.is_none() && name == "__init__" {
            return Ok(Some(Value::Builtin(Builtin::Library("object.__init__"))));
        }
        if found.is_none() && name == "_make" && self.named_tuple_base(at).is_some() {
            return Ok(Some(self.bound_method(object, Method::NamedTuple("_make"))));
        }
        match found {
            Some(value) => self.unbound(object, value).map(Some),
            None => Ok(self.built_in_base(at).and_then(|kind| self.method_of(kind, name))),
        }
    }

    /// Returns an attribute of an exception.
    fn attribute_of_exception(&mut self, at: Ref, symbol: Symbol, name: &str) -> Outcome<Option<Value>> {
        let Cell::Exception(exception) = self.heap.get(at) else { return Ok(None) };
        let (object, class, own) = (Value::Ref(at), exception.class, exception.fields.get(&symbol).copied());
        let found = class.and_then(|class| self.class_field(class, symbol));
        if let Some(Value::Ref(field)) = found {
            let described = self.described(object, field);
            if let Some(value) = self.or_instead(object, name, described)? {
                return Ok(Some(value));
            }
        }
        if found.is_none()
            && let Some(part) = self.part_of_exception(at, name)
        {
            return Ok(Some(part));
        }
        match (own, class, found) {
            (Some(own), ..) => Ok(Some(own)),
            (None, Some(class), Some(value)) => {
                let bound = self.bound_field(object, class, value).map(Some);
                self.or_instead(object, name, bound)
            }
            (None, Some(class), None) => self.attribute_of_base(object, class, None, symbol, name),
            (None, None, _) => Ok(None),
        }
    }

    /// Returns a built-in attribute of an exception: `args`, and the fields of Unicode errors.
    fn part_of_exception(&mut self, at: Ref, name: &str) -> Option<Value> {
        let Cell::Exception(exception) = self.heap.get(at) else { return None };
        if name == "args" {
            let arguments = exception.arguments.clone();
            return Some(self.heap.tuple(arguments));
        }
        let is_of_encoding = exception.kind.is_a(ExceptionKind::UnicodeError);
        let place = super::bytes::encoding::part_of_error(name).filter(|_| is_of_encoding)?;
        exception.arguments.get(place).copied()
    }

    /// Returns a built-in attribute of a range or a slice, or the numeric attributes of a big integer.
    fn part_of_value(&self, object: Value, name: &str) -> Option<Value> {
        let Value::Ref(at) = object else { return None };
        Some(match (self.heap.get(at), name) {
            (Cell::Range { start, .. }, "start") => Value::Int(*start),
            (Cell::Range { stop, .. }, "stop") => Value::Int(*stop),
            (Cell::Range { step, .. }, "step") => Value::Int(*step),
            (Cell::Slice([start, _, _]), "start") => *start,
            (Cell::Slice([_, stop, _]), "stop") => *stop,
            (Cell::Slice([_, _, step]), "step") => *step,
            (Cell::Big(_), "real" | "numerator") => object,
            (Cell::Big(_), "imag") => Value::Int(0),
            (Cell::Big(_), "denominator") => Value::Int(1),
            _ => return None,
        })
    }

    fn attribute_of_simple(&mut self, object: Value, name: &str) -> Option<Value> {
        match (object, name) {
            (Value::Type(kind), "__name__" | "__qualname__") => {
                let name = self.type_name(kind);
                Some(self.heap.text(name.rsplit('.').next().unwrap_or(&name)))
            }
            (Value::Type(_), "__new__") => Some(self.bound_method(object, Method::Base("__new__"))),
            (Value::Type(_), "__init__") => Some(Value::Builtin(Builtin::Library("object.__init__"))),
            (Value::Builtin(Builtin::Library("itertools.chain")), "from_iterable") => {
                Some(Value::Builtin(Builtin::Library("itertools.chain.from_iterable")))
            }
            (Value::Int(_), "real" | "numerator") | (Value::Float(_), "real") => Some(object),
            (Value::Bool(truth), "real" | "numerator") => Some(Value::Int(truth.into())),
            (Value::Int(_) | Value::Bool(_), "denominator") => Some(Value::Int(1)),
            (Value::Int(_) | Value::Bool(_), "imag") => Some(Value::Int(0)),
            (Value::Type(_) | Value::Int(_) | Value::Bool(_), _)
                if let Some(function) = self.class_function(object, name) =>
            {
                Some(Value::Builtin(Builtin::Library(function)))
            }
            (Value::Type(kind), "fromkeys") if let Some(function) = keys_function(kind) => {
                Some(Value::Builtin(Builtin::Library(function)))
            }
            (Value::Float(_), "imag") => Some(Value::Float(0.0)),
            (Value::Builtin(builtin), "__name__" | "__qualname__") => {
                Some(self.heap.text(super::library::short_name(builtin.name())))
            }
            _ => {
                if let Some(method) = Method::find(self.type_of(object), name) {
                    return Some(self.bound_method(object, method));
                }
                let Value::Type(kind) = object else { return None };
                self.method_of(kind, name)
            }
        }
    }

    /// Returns a method of a built-in class as a function that takes the object as its first argument.
    fn method_of(&mut self, kind: Type, name: &str) -> Option<Value> {
        let method = Method::find(kind, name)?;
        Some(Value::Ref(self.heap.add(Cell::MethodOf(kind, method))))
    }

    pub(super) fn bound_method(&mut self, receiver: Value, method: Method) -> Value {
        Value::Ref(self.heap.add(Cell::Method(receiver, method)))
    }

    /// Returns an attribute of a class or of the first base that has it.
    pub(super) fn class_field(&self, class: Ref, symbol: Symbol) -> Option<Value> {
        self.class_cell(class).order.iter().find_map(|&base| match base {
            Value::Ref(at) => self.class_cell(at).fields.get(&symbol).copied(),
            _ => None,
        })
    }

    /// Returns an attribute; `None` if it does not exist or computing it raises an `AttributeError`.
    pub(super) fn attribute_if_any(&mut self, object: Value, symbol: Symbol) -> Outcome<Option<Value>> {
        match self.find_attribute(object, symbol) {
            Err(Fault::Raised(at)) if self.is_raised(at, ExceptionKind::AttributeError) => Ok(None),
            other => other,
        }
    }

    /// Binds an attribute of a class to an object, as access through the object does.
    pub(super) fn bound(&mut self, object: Value, class: Value, value: Value) -> Value {
        let Value::Ref(at) = value else { return value };
        match *self.heap.get(at) {
            Cell::Function(_) | Cell::Generated(..) | Cell::Cached { .. } => {
                Value::Ref(self.heap.add(Cell::Bound { receiver: object, function: value }))
            }
            Cell::StaticMethod(function) => function,
            Cell::ClassMethod(function) => Value::Ref(self.heap.add(Cell::Bound { receiver: class, function })),
            _ => value,
        }
    }

    /// Binds an attribute of a class to the class, as access through the class does.
    fn unbound(&mut self, class: Value, value: Value) -> Outcome {
        let Value::Ref(at) = value else { return Ok(value) };
        match *self.heap.get(at) {
            Cell::StaticMethod(function) => Ok(function),
            Cell::ClassMethod(function) => self.bound_to_class(class, function),
            _ => Ok(value),
        }
    }

    /// Returns the screen object that backs an instance of a user-defined class, if its base is a screen class.
    pub(super) fn screen_beside(&self, base: Option<Value>) -> Option<Ref> {
        match base? {
            Value::Ref(at) if matches!(self.heap.get(at), Cell::Screen(_)) => Some(at),
            _ => None,
        }
    }

    /// Returns a special method that a user-defined class defines, bound to the object.
    pub(super) fn special(&mut self, object: Value, name: &str) -> Option<Value> {
        let Value::Ref(at) = object else { return None };
        let class = match self.heap.get(at) {
            Cell::Instance { class, .. } => *class,
            Cell::Exception(exception) => exception.class?,
            _ => return None,
        };
        let symbol = self.symbol(name);
        let found = self.class_field(class, symbol);
        found.map(|value| self.bound(object, Value::Ref(class), value))
    }
}

/// Returns the name of the `fromkeys` function of a dict class.
fn keys_function(kind: Type) -> Option<&'static str> {
    Some(match kind {
        Type::Dict => "dict.fromkeys",
        Type::Library("collections.defaultdict") => "defaultdict.fromkeys",
        Type::Library("collections.OrderedDict") => "OrderedDict.fromkeys",
        Type::Library("Counter") => "Counter.fromkeys",
        _ => return None,
    })
}
