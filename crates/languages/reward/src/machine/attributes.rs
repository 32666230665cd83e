//! `a.b`, classes of the program, and exceptions as objects.

use std::sync::Arc;

use super::builtins::Builtin;
use super::exceptions::{ExceptionKind, Fault, Outcome};
use super::methods::Method;
use super::numpy;
use super::screen::ScreenMethod;
use super::value::{Cell, ClassKind, Ref, Type, Value};
use super::{BULK, Machine};
use crate::code::{Instruction, Symbol};
use crate::library::Library;

impl Machine<'_> {
    pub(super) fn attribute(&mut self, object: Value, symbol: Symbol) -> Outcome {
        match self.find_attribute(object, symbol)? {
            Some(value) => Ok(value),
            None => Err(self.no_attribute(object, symbol)),
        }
    }

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

    /// An attribute; `None` if there is no such.
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
            Cell::Function(function) => {
                let given = function.fields.get(&symbol).copied();
                if &*name == "__name__" && given.is_none() {
                    let name = self.program.code(function.code).name.clone();
                    return Ok(Some(self.heap.text(&name)));
                }
                if &*name == "__qualname__" && given.is_none() {
                    let name = self.program.code(function.code).qualified.clone();
                    return Ok(Some(self.heap.text(&name)));
                }
                Ok(given)
            }
            Cell::Exception(exception) if &*name == "args" => {
                let arguments = exception.arguments.clone();
                Ok(Some(self.heap.tuple(arguments)))
            }
            Cell::Exception(exception)
                if exception.kind.is_a(ExceptionKind::UnicodeError)
                    && let Some(&part) =
                        super::bytes::encoding::part_of_error(&name).and_then(|at| exception.arguments.get(at)) =>
            {
                Ok(Some(part))
            }
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

    /// An attribute of an object of a class of the program.
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
            (None, None) if name == "category" && self.screen_beside(base).is_some() => {
                let name = self.class_cell(class).name.clone();
                Ok(Some(self.heap.text(&name)))
            }
            (None, Some(value)) => {
                let bound = self.bound_field(object, class, value).map(Some);
                self.or_instead(object, name, bound)
            }
            (None, None) => self.attribute_of_base(object, class, base, symbol, name),
        }
    }

    /// What a property or a descriptor gives; where it raised an `AttributeError`, what `__getattr__` gives, if there is that method.
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

    /// An attribute of a class of the program.
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
        if let Some(Value::Ref(field)) = found
            && matches!(self.heap.get(field), Cell::Instance { .. })
            && let Some(get) = self.special(Value::Ref(field), "__get__")
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
        found.map(|value| self.unbound(object, value)).transpose()
    }

    /// An attribute of an exception, other than its arguments.
    fn attribute_of_exception(&mut self, at: Ref, symbol: Symbol, name: &str) -> Outcome<Option<Value>> {
        let Cell::Exception(exception) = self.heap.get(at) else { return Ok(None) };
        let object = Value::Ref(at);
        if let Some(&own) = exception.fields.get(&symbol) {
            return Ok(Some(own));
        }
        let Some(class) = exception.class else { return Ok(None) };
        let Some(value) = self.class_field(class, symbol) else {
            return self.attribute_of_base(object, class, None, symbol, name);
        };
        if let Value::Ref(field) = value
            && let Some(value) = self.described(object, field)?
        {
            return Ok(Some(value));
        }
        self.bound_field(object, class, value).map(Some)
    }

    /// What ranges and slices are made of, and whole numbers of any size as fractions.
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
                let method = Method::find(kind, name)?;
                Some(Value::Ref(self.heap.add(Cell::MethodOf(kind, method))))
            }
        }
    }

    pub(super) fn bound_method(&mut self, receiver: Value, method: Method) -> Value {
        Value::Ref(self.heap.add(Cell::Method(receiver, method)))
    }

    /// A field of a class or of one of its bases.
    pub(super) fn class_field(&self, class: Ref, symbol: Symbol) -> Option<Value> {
        self.class_cell(class).order.iter().find_map(|&base| match base {
            Value::Ref(at) => self.class_cell(at).fields.get(&symbol).copied(),
            _ => None,
        })
    }

    /// An attribute; `None` if there is no such, or if what computes it says so.
    pub(super) fn attribute_if_any(&mut self, object: Value, symbol: Symbol) -> Outcome<Option<Value>> {
        match self.find_attribute(object, symbol) {
            Err(Fault::Raised(at)) if self.is_raised(at, ExceptionKind::AttributeError) => Ok(None),
            other => other,
        }
    }

    /// What a field of a class is as an attribute of an object.
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

    /// What a field of a class is as an attribute of the class.
    fn unbound(&mut self, class: Value, value: Value) -> Outcome {
        let Value::Ref(at) = value else { return Ok(value) };
        match *self.heap.get(at) {
            Cell::StaticMethod(function) => Ok(function),
            Cell::ClassMethod(function) => self.bound_to_class(class, function),
            _ => Ok(value),
        }
    }

    /// The object of the screen that an object of a class of the program is beside.
    pub(super) fn screen_beside(&self, base: Option<Value>) -> Option<Ref> {
        match base? {
            Value::Ref(at) if matches!(self.heap.get(at), Cell::Screen(_)) => Some(at),
            _ => None,
        }
    }

    /// A method that a class of the program defines for an operator or such.
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

    pub(super) fn set_attribute(&mut self, object: Value, symbol: Symbol, value: Value) -> Outcome<()> {
        if self.class_of_program(object).is_some()
            && let Some(method) = self.special(object, "__setattr__")
        {
            let name = Value::Ref(self.heap.add(Cell::Text(self.name(symbol))));
            return self.call_value(method, &[name, value], &[]).map(|_| ());
        }
        self.set_own_attribute(object, symbol, value)
    }

    /// Sets an attribute as objects do whose classes have no `__setattr__`.
    pub(super) fn set_own_attribute(&mut self, object: Value, symbol: Symbol, value: Value) -> Outcome<()> {
        let name = self.name(symbol);
        let Value::Ref(at) = object else { return Err(self.no_attribute(object, symbol)) };
        if &*name == "__class__" {
            return Err(self.type_error("the class of an object does not change in a reward function"));
        }
        if let Some(class) = self.class_of_program(object)
            && let Some(Value::Ref(field)) = self.class_field(class, symbol)
            && matches!(self.heap.get(field), Cell::Instance { .. })
            && self.is_data_descriptor(field)
        {
            let Some(method) = self.special(Value::Ref(field), "__set__") else {
                return Err(self.raise(ExceptionKind::AttributeError, "__set__"));
            };
            return self.call_value(method, &[object, value], &[]).map(|_| ());
        }
        match self.heap.get_mut(at) {
            Cell::Screen(_) => return self.set_screen_attribute(object, at, symbol, &name, value),
            Cell::Function(function) => {
                function.fields.insert(symbol, value);
            }
            Cell::Entity(object) => {
                object.fields.insert(symbol, value);
            }
            Cell::Exception(exception) => {
                exception.fields.insert(symbol, value);
            }
            Cell::Class(_) if matches!(&*name, "__name__" | "__qualname__") => {
                return self.rename_class(at, &name, value);
            }
            Cell::Class(_) => {
                self.refuse_member(at, &name, "cannot reassign member")?;
                if let Cell::Class(class) = self.heap.get_mut(at) {
                    class.fields.insert(symbol, value);
                }
            }
            Cell::Instance { class, .. } => {
                let class = *class;
                self.refuse_fixed(object, class, symbol, "set")?;
                if let Some(Value::Ref(property)) = self.class_field(class, symbol)
                    && let Cell::Property { set, .. } = *self.heap.get(property)
                {
                    let Some(set) = set else {
                        let owner = self.qualified_class(object);
                        let message = format!("property '{name}' of '{owner}' object has no setter");
                        return Err(self.raise(ExceptionKind::AttributeError, &message));
                    };
                    return self.call_value(set, &[object, value], &[]).map(|_| ());
                }
                self.may_be_set(object, &name, "assign to")?;
                if let Cell::Instance { base, .. } = *self.heap.get(at)
                    && let Some(screen) = self.screen_beside(base)
                {
                    return self.set_screen_attribute(object, screen, symbol, &name, value);
                }
                self.has_slot(object, class, symbol)?;
                if let Cell::Instance { fields, .. } = self.heap.get_mut(at)
                    && fields.insert(symbol, value).is_none()
                {
                    self.heap.grew(4);
                }
            }
            _ => return Err(self.no_attribute(object, symbol)),
        }
        Ok(())
    }

    pub(super) fn delete_attribute(&mut self, object: Value, symbol: Symbol) -> Outcome<()> {
        if self.class_of_program(object).is_some()
            && let Some(method) = self.special(object, "__delattr__")
        {
            let name = Value::Ref(self.heap.add(Cell::Text(self.name(symbol))));
            return self.call_value(method, &[name], &[]).map(|_| ());
        }
        self.delete_own_attribute(object, symbol)
    }

    /// Deletes an attribute as objects do whose classes have no `__delattr__`.
    pub(super) fn delete_own_attribute(&mut self, object: Value, symbol: Symbol) -> Outcome<()> {
        if let Some(class) = self.class_of_program(object)
            && let Some(Value::Ref(field)) = self.class_field(class, symbol)
            && matches!(self.heap.get(field), Cell::Instance { .. })
            && self.is_data_descriptor(field)
        {
            let Some(method) = self.special(Value::Ref(field), "__delete__") else {
                return Err(self.raise(ExceptionKind::AttributeError, "__delete__"));
            };
            return self.call_value(method, &[object], &[]).map(|_| ());
        }
        if let Some(class) = self.class_of_program(object)
            && let Some(Value::Ref(field)) = self.class_field(class, symbol)
            && let Cell::Property { delete: Some(delete), .. } = *self.heap.get(field)
        {
            return self.call_value(delete, &[object], &[]).map(|_| ());
        }
        if let Value::Ref(at) = object {
            let name = self.name(symbol);
            match self.heap.get(at) {
                Cell::Class(class) => {
                    let doing = format!("'{}' cannot delete member", class.name);
                    self.refuse_member(at, &name, &doing)?;
                }
                Cell::Instance { class, .. } => {
                    let class = *class;
                    self.refuse_fixed(object, class, symbol, "delete")?;
                    self.may_be_set(object, &name, "delete")?;
                }
                _ => {}
            }
        }
        // Of objects beside one of the screen, that one has the attributes.
        let holder = match self.plain(object) {
            Value::Ref(at) if matches!(self.heap.get(at), Cell::Screen(_)) => Value::Ref(at),
            _ => object,
        };
        let removed = match holder {
            Value::Ref(at) => match self.heap.get_mut(at) {
                Cell::Screen(object) => object.fields.shift_remove(&symbol),
                Cell::Function(function) => function.fields.shift_remove(&symbol),
                Cell::Class(class) => class.fields.shift_remove(&symbol),
                Cell::Exception(exception) => exception.fields.shift_remove(&symbol),
                Cell::Instance { fields, .. } => fields.shift_remove(&symbol),
                _ => None,
            },
            _ => None,
        };
        if removed.is_some() {
            return Ok(());
        }
        // A slot that holds nothing is told by its name alone.
        let is_slot = self.class_of_program(object).is_some_and(|class| {
            self.class_cell(class).order.iter().any(|&base| match base {
                Value::Ref(at) => self.class_cell(at).slots.as_ref().is_some_and(|slots| slots.contains(&symbol)),
                _ => false,
            })
        });
        if is_slot {
            let name = self.name(symbol);
            return Err(self.raise(ExceptionKind::AttributeError, &name));
        }
        Err(self.no_attribute(object, symbol))
    }

    /// Refuses to change attributes of objects whose classes say what they are: named tuples, members.
    fn refuse_fixed(&mut self, object: Value, class: Ref, symbol: Symbol, doing: &str) -> Outcome<()> {
        let name = self.name(symbol);
        let found = self.class_field(class, symbol);
        let property = matches!(found, Some(Value::Ref(at)) if matches!(self.heap.get(at), Cell::Property { .. }));
        let message = if property && doing == "delete" {
            format!("property '{name}' of '{}' object has no deleter", self.qualified_class(object))
        } else if matches!(found, Some(Value::Ref(at)) if matches!(self.heap.get(at), Cell::TupleField(_))) {
            format!("can't {doing} attribute")
        } else if matches!(self.class_cell(class).kind, ClassKind::NamedTuple(_)) {
            let owner = self.class_name(object);
            match found {
                Some(_) => format!("'{owner}' object attribute '{name}' is read-only"),
                None => format!("'{owner}' object has no attribute '{name}'"),
            }
        } else if matches!(&*name, "name" | "value") && self.is_enum(class) {
            format!("<enum 'Enum'> cannot {doing} attribute '{name}'")
        } else {
            return Ok(());
        };
        Err(self.raise(ExceptionKind::AttributeError, &message))
    }

    pub(super) fn import(&mut self, instruction: Instruction) -> Outcome<()> {
        match instruction {
            Instruction::Import(symbol) => {
                let name = self.name(symbol);
                let Some(module) = Library::named(&name) else {
                    let message = format!("No module named '{name}'");
                    return Err(self.raise(ExceptionKind::ModuleNotFoundError, &message));
                };
                let module = self.heap.add(Cell::Module(module, symbol));
                self.push(Value::Ref(module));
            }
            Instruction::ImportFrom(symbol) => {
                let value = self.pop();
                self.push(value);
                let Some(found) = self.find_attribute(value, symbol)? else {
                    let (name, (_, path)) = (self.name(symbol), self.module_of(value));
                    let message = format!("cannot import name '{name}' from '{}'", self.name(path));
                    return Err(self.raise(ExceptionKind::ImportError, &message));
                };
                self.push(found);
            }
            _ => {
                let value = self.pop();
                let (module, path) = self.module_of(value);
                let names = match module {
                    Library::World => self.world_names(),
                    module => module
                        .names()
                        .into_iter()
                        .filter_map(|name| Some((Arc::from(name), self.module_value(module, path, name)?)))
                        .collect(),
                };
                for (name, value) in names {
                    let symbol = self.symbol(&name);
                    self.globals.insert(symbol, value);
                }
            }
        }
        Ok(())
    }

    /// A library, and the name that it is imported by.
    fn module_of(&self, value: Value) -> (Library, Symbol) {
        match value {
            Value::Ref(at) => match self.heap.get(at) {
                Cell::Module(module, path) => (*module, *path),
                _ => unreachable!("names are imported from modules"),
            },
            _ => unreachable!("names are imported from modules"),
        }
    }

    fn module_value(&mut self, module: Library, path: Symbol, name: &str) -> Option<Value> {
        let inner = format!("{}.{name}", self.name(path));
        if let Some(inner_module) = Library::within(module, &inner) {
            let symbol = self.symbol(&inner);
            return Some(Value::Ref(self.heap.add(Cell::Module(inner_module, symbol))));
        }
        match module {
            Library::World => self.world_name(name),
            Library::Math => super::math::math(name),
            Library::Collections
            | Library::Itertools
            | Library::Functools
            | Library::Dataclasses
            | Library::Enum
            | Library::Abc
            | Library::Typing
            | Library::Abstract => super::library::value(module, name),

            Library::Numpy => {
                numpy::constant(name).or_else(|| super::builtins::Builtin::numpy(name).map(Value::Builtin))
            }
            Library::Linalg => super::builtins::Builtin::numpy(&format!("linalg.{name}")).map(Value::Builtin),
        }
    }
}

/// What makes dicts of a kind from their keys.
fn keys_function(kind: Type) -> Option<&'static str> {
    Some(match kind {
        Type::Dict => "dict.fromkeys",
        Type::Library("collections.defaultdict") => "defaultdict.fromkeys",
        Type::Library("collections.OrderedDict") => "OrderedDict.fromkeys",
        Type::Library("Counter") => "Counter.fromkeys",
        _ => return None,
    })
}
