//! User-defined classes.

mod bases;
mod instances;

use indexmap::IndexSet;

use super::abstract_bases::is_abstract_base;
use super::call::KeywordArguments;
use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::frame::ReturnTarget;
use super::library::NAMED_TUPLE_METHODS;
use super::library_class::{ABC, ABC_META, NAMED_TUPLE};
use super::methods::find_row;
use super::value::{AttributeMap, Class, ClassKind, HeapObject, HeapRef, Type, Value};
use super::wrappers::WrapperKind;
use super::{ELEMENTS_PER_UNIT, Machine, cost};
use crate::code::Symbol;
use crate::library::Library;

/// The attribute of a class that holds the classes registered with it.
const REGISTERED: &str = " registered";

/// Returns the method resolution order of a built-in class if classes may be derived from it.
fn built_in_mro(kind: Type) -> Option<Vec<Type>> {
    Some(match kind {
        Type::Object => vec![kind],
        Type::Exception(_)
        | Type::Int
        | Type::Float
        | Type::Str
        | Type::Bytes
        | Type::List
        | Type::Tuple
        | Type::Dict
        | Type::Set
        | Type::Typing(&"typing.Generic") => vec![kind, Type::Object],
        Type::Typing(&"typing.Protocol") => vec![kind, Type::Typing(&"typing.Generic"), Type::Object],
        _ if is_abstract_base(kind) => vec![kind, Type::Object],
        Type::Library(class) if class.can_be_base => [&[kind], class.bases, &[Type::Object]].concat(),
        _ => return None,
    })
}

/// Returns whether instances of classes derived from a built-in class hold no value besides their attributes.
pub(super) fn has_no_instance_value(kind: Type) -> bool {
    match kind {
        Type::Object | Type::Typing(&"typing.Generic" | &"typing.Protocol") => true,
        Type::Library(class) => !class.has_value,
        _ => is_abstract_base(kind),
    }
}

/// Returns whether classes may be derived from the value of a library's name, or of a built-in name if `library` is `None`. Returns `None`
/// if the name does not exist.
pub fn is_base(library: Option<Library>, name: &str) -> Option<bool> {
    let found = match library {
        None => Machine::builtin(name)?,
        Some(library) => super::library::library_member(library, name)?,
    };
    let Value::Type(kind) = found else { return Some(false) };
    let kind = super::typing::aliased_class(kind).unwrap_or(kind);
    Some(kind == Type::Typing(&"typing.TypedDict") || built_in_mro(kind).is_some())
}

impl Machine {
    /// Executes a class body and creates the class; the keyword arguments are those of `__init_subclass__`.
    pub(super) fn make_class(&mut self, body: Value, bases: &[Value], keywords: KeywordArguments<'_>) -> ExecResult {
        let Value::Ref(at) = body else { unreachable!("class bodies are functions") };
        let HeapObject::Function(function) = self.heap.get(at) else { unreachable!("class bodies are functions") };
        let (code, closure) = (function.code, function.closure.clone());
        let (name, qualified) = (self.program.code(code).name.clone(), self.program.code(code).qualified_name.clone());
        let plain: Vec<Value> = bases
            .iter()
            .map(|&base| match self.resolved_base(base) {
                Value::Type(kind) if kind == Type::Library(&ABC_META) => Value::Type(Type::Library(&ABC)),
                base => base,
            })
            .collect();
        let frame = self.new_frame(code, &closure, ReturnTarget::Host, Some(at));
        let names = frame.namespace;
        let members = self.begin_enum_body(&name, &plain)?.map(|body| body.with_namespace(names));
        let is_enum = members.is_some();
        self.enum_bodies.extend(members);
        let ran = self.run_frame(frame);
        let members = if is_enum { self.enum_bodies.pop() } else { None };
        ran?;
        let entries = names.map(|names| self.keyword_entries(Value::Ref(names))).unwrap_or_default();
        let mut fields: AttributeMap = entries.into_iter().collect();
        self.charge(cost::CLASS * (1 + fields.len() as u64))?;
        let methods: Vec<Value> = fields.values().copied().collect();
        self.wrap_implicit_class_methods(&mut fields);
        let names: Vec<(Symbol, Value)> = fields.iter().map(|(&symbol, &value)| (symbol, value)).collect();
        let slots = self.declared_slots(&fields)?;
        let (kind, missing, order) = (ClassKind::Plain, Vec::new(), Vec::new());
        let class = Class {
            name,
            qualified_name: qualified,
            attributes: fields,
            kind,
            abstract_methods: missing,
            mro: order,
            slots,
        };
        let class = self.heap.add(HeapObject::Class(Box::new(class)));
        let class = self.set_kind_and_mro(class, &plain)?;
        for value in methods {
            self.set_owner(value, class)?;
        }
        self.check_slots(class)?;
        if let Some(members) = members {
            self.make_enum_members(class, members)?;
        }
        self.call_class_hooks(class, &names, keywords)?;
        self.record_abstract_methods(class)?;
        Ok(Value::Ref(class))
    }

    /// Sets the kind and the method resolution order of a class according to its bases; a named tuple is replaced by a new class.
    fn set_kind_and_mro(&mut self, class: HeapRef, bases: &[Value]) -> ExecResult<HeapRef> {
        let has = |kind: Type| bases.iter().any(|&base| matches!(base, Value::Type(other) if other == kind));
        let is_typed_dict = has(Type::Typing(&"typing.TypedDict"))
            || bases.iter().any(|&base| matches!(base, Value::Ref(at) if self.is_typed_dict(at)));
        let (is_named_tuple, is_protocol) = (has(Type::Library(&NAMED_TUPLE)), has(Type::Typing(&"typing.Protocol")));
        if is_named_tuple {
            self.check_named_tuple_fields(class)?;
            return self.typed_named_tuple(class);
        }
        if is_typed_dict {
            if let HeapObject::Class(cell) = self.heap.get_mut(class) {
                cell.mro = vec![Value::Ref(class), Value::Type(Type::Dict), Value::Type(Type::Object)];
                cell.kind = ClassKind::TypedDict;
            }
        } else {
            if is_protocol && let HeapObject::Class(cell) = self.heap.get_mut(class) {
                cell.kind = ClassKind::Protocol { checkable: false };
            }
            let order = self.resolution_order(class, bases)?;
            if let HeapObject::Class(cell) = self.heap.get_mut(class) {
                cell.mro = order;
            }
            self.inherit_methods(class)?;
        }
        self.disable_hash(class);
        Ok(class)
    }

    /// Makes the instances of a class unhashable if it defines `__eq__` but not `__hash__`.
    pub(super) fn disable_hash(&mut self, class: HeapRef) {
        let (equal, hash) = (self.intern("__eq__"), self.intern("__hash__"));
        if let HeapObject::Class(cell) = self.heap.get_mut(class)
            && cell.attributes.contains_key(&equal)
        {
            cell.attributes.entry(hash).or_insert(Value::None);
        }
    }

    /// Rejects definitions that are not permitted in a class of named tuples.
    fn check_named_tuple_fields(&mut self, class: HeapRef) -> ExecResult<()> {
        let fixed = ["__new__", "__init__", "__slots__", "_fields", "_make", "_replace", "_asdict"];
        for name in fixed {
            let symbol = self.intern(name);
            if self.class_cell(class).attributes.contains_key(&symbol) {
                let message = format!("Cannot overwrite NamedTuple attribute {name}");
                return Err(self.raise(ExceptionKind::AttributeError, &message));
            }
        }
        Ok(())
    }

    /// Creates the class of named tuples that a class derived from `typing.NamedTuple` describes by its annotated names.
    fn typed_named_tuple(&mut self, class: HeapRef) -> ExecResult<HeapRef> {
        let names = self.annotated_names(class);
        let mut defaulted: Option<Symbol> = None;
        for &name in &names {
            let text = self.name(name);
            if text.starts_with('_') {
                let message = format!("Field names cannot start with an underscore: '{text}'");
                return Err(self.raise(ExceptionKind::ValueError, &message));
            }
            match defaulted {
                _ if self.class_cell(class).attributes.contains_key(&name) => defaulted = Some(name),
                Some(before) => {
                    let before = self.name(before);
                    let message = format!("Non-default namedtuple field {text} cannot follow default field {before}");
                    return Err(self.type_error(&message));
                }
                None => {}
            }
        }
        let mut others = self.class_cell(class).attributes.clone();
        let fields = names.into_iter().map(|name| (name, others.shift_remove(&name))).collect();
        let name = self.class_cell(class).name.clone();
        Ok(self.new_named_tuple_class(&name, fields, others))
    }

    /// Records a name with an annotation in the namespace of a class body.
    pub(super) fn annotate(&mut self, symbol: Symbol) -> ExecResult<()> {
        let Some(names) = self.top_frame().namespace else { return Ok(()) };
        let key = self.heap.text("__annotations__");
        let annotations = if let Some(Value::Ref(at)) = self.entry(names, key)? {
            at
        } else {
            let dict = self.empty_dict();
            self.set_entry(names, key, Value::Ref(dict))?;
            dict
        };
        let name = Value::Ref(self.heap.add(HeapObject::Text(self.name(symbol))));
        self.set_entry(annotations, name, Value::None)
    }

    /// Creates the error for a call of an abstract class.
    pub(super) fn abstract_class_error(&mut self, class: &str) -> ExecError {
        self.type_error(&format!("{class}() is an abstract base class; create objects of its subclasses"))
    }

    pub(super) fn mark_abstract(&mut self, function: Value) {
        let symbol = self.intern("__isabstractmethod__");
        if let Value::Ref(at) = function
            && let HeapObject::Function(function) = self.heap.get_mut(at)
        {
            function.attributes.insert(symbol, Value::Bool(true));
        }
    }

    /// Evaluates `Base.register(class)`: the class becomes a virtual subclass of the base and of all its bases.
    pub(super) fn register(&mut self, base: Value, class: Value) -> ExecResult<()> {
        if !self.is_class(class) {
            return Err(self.type_error("Can only register classes"));
        }
        let Value::Ref(at) = base else { return Ok(()) };
        if self.is_subclass(class, base)? {
            return Ok(());
        }
        if self.is_subclass(base, class)? {
            let message = "Refusing to create an inheritance cycle";
            return Err(self.raise(ExceptionKind::RuntimeError, message));
        }
        let symbol = self.intern(REGISTERED);
        for base in self.class_cell(at).mro.clone() {
            let Value::Ref(at) = base else { continue };
            self.charge(cost::CLASS)?;
            let mut all = match self.class_cell(at).attributes.get(&symbol) {
                Some(&Value::Ref(all)) if let HeapObject::Tuple(all) = self.heap.get(all) => all.to_vec(),
                _ => Vec::new(),
            };
            self.charge(all.len() as u64 / ELEMENTS_PER_UNIT)?;
            all.push(class);
            let all = self.heap.tuple(all);
            if let HeapObject::Class(cell) = self.heap.get_mut(at) {
                cell.attributes.insert(symbol, all);
            }
        }
        Ok(())
    }

    /// Returns the classes registered with a class.
    pub(super) fn registered_classes(&self, class: Value) -> &[Value] {
        let Value::Ref(at) = class else { return &[] };
        let HeapObject::Class(cell) = self.heap.get(at) else { return &[] };
        let symbol = self.names.find(REGISTERED);
        match symbol.and_then(|symbol| cell.attributes.get(&symbol)) {
            Some(&Value::Ref(all)) if let HeapObject::Tuple(all) = self.heap.get(all) => all,
            _ => &[],
        }
    }

    fn is_abstract(&mut self, value: Value) -> ExecResult<bool> {
        let symbol = self.intern("__isabstractmethod__");
        let wrapped = self.wrapped_functions(value)?;
        Ok(wrapped.into_iter().any(|at| match self.heap.get(at) {
            HeapObject::Function(function) => function.attributes.contains_key(&symbol),
            _ => false,
        }))
    }

    /// Returns an attribute of a class with all functions that it wraps, without duplicates.
    fn wrapped_functions(&mut self, value: Value) -> ExecResult<IndexSet<HeapRef>> {
        let mut found = IndexSet::new();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            let Value::Ref(at) = value else { continue };
            if !found.insert(at) {
                continue;
            }
            self.charge(1)?;
            match *self.heap.get(at) {
                HeapObject::LruCache { function: inner, .. }
                | HeapObject::StaticMethod(inner)
                | HeapObject::ClassMethod(inner)
                | HeapObject::CachedProperty { function: inner, .. }
                | HeapObject::PartialMethod(inner) => {
                    open.push(inner);
                }
                HeapObject::Wrapper(ref wrapper) => {
                    open.push(wrapper.function);
                    if let WrapperKind::Dispatch { functions, .. } = wrapper.kind {
                        open.extend(self.dict(functions).iter().map(|(_, function)| function));
                    }
                }
                HeapObject::Property { get, set, delete } => open.extend(set.into_iter().chain(delete).chain([get])),
                _ => {}
            }
        }
        Ok(found)
    }

    /// Records the abstract methods that a class does not implement, if it is derived from `ABC` or `Protocol`.
    fn record_abstract_methods(&mut self, class: HeapRef) -> ExecResult<()> {
        let order = self.class_cell(class).mro.clone();
        let can_be_abstract = |kind: Type| kind == Type::Library(&ABC) || kind == Type::Typing(&"typing.Protocol");
        let undefined = self.undefined_methods(class);
        if undefined.is_empty() && !order.iter().any(|&base| matches!(base, Value::Type(kind) if can_be_abstract(kind)))
        {
            return Ok(());
        }
        let mut symbols: IndexSet<Symbol> = IndexSet::new();
        for base in order {
            let Value::Ref(at) = base else { continue };
            let fields = &self.class_cell(at).attributes;
            symbols.extend(fields.keys().copied());
            let count = fields.len() as u64;
            self.charge(count)?;
        }
        let mut missing: Vec<Symbol> = undefined.into_iter().filter(|symbol| !symbols.contains(symbol)).collect();
        for symbol in symbols {
            let found = self.class_field(class, symbol).unwrap_or(Value::None);
            if self.is_abstract(found)? {
                missing.push(symbol);
            }
        }
        let count = missing.len() as u64;
        self.charge(count * u64::from(1 + count.checked_ilog2().unwrap_or(0)))?;
        missing.sort_by_cached_key(|&symbol| self.name(symbol));
        missing.dedup();
        if let HeapObject::Class(cell) = self.heap.get_mut(class) {
            cell.abstract_methods = missing;
        }
        Ok(())
    }

    /// Records in all functions of an attribute the class that defines them.
    fn set_owner(&mut self, value: Value, class: HeapRef) -> ExecResult<()> {
        for at in self.wrapped_functions(value)? {
            if let HeapObject::Function(function) = self.heap.get_mut(at) {
                function.defining_class = Some(class);
            }
        }
        Ok(())
    }

    /// Returns the method resolution order of a class (C3 linearization).
    pub(super) fn resolution_order(&mut self, class: HeapRef, bases: &[Value]) -> ExecResult<Vec<Value>> {
        let object = [Value::Type(Type::Object)];
        let bases = if bases.is_empty() { &object[..] } else { bases };
        let mut lists: Vec<Vec<Value>> = Vec::new();
        for &base in bases {
            lists.push(match base {
                Value::Type(Type::Screen(screen)) => self.screen_class_mro(screen),
                Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Class(_)) => self.class_cell(at).mro.clone(),
                Value::Type(kind) if let Some(line) = built_in_mro(kind) => {
                    line.iter().map(|&kind| Value::Type(kind)).collect()
                }
                _ => {
                    let message = format!("type '{}' is not an acceptable base type", self.owner_name(base));
                    return Err(self.type_error(&message));
                }
            });
        }
        lists.push(bases.to_vec());
        // C3 searches for every class in the tails of all other lists.
        let length = lists.iter().map(Vec::len).sum::<usize>() as u64;
        self.charge(length * length / 4)?;
        let mut order = vec![Value::Ref(class)];
        lists.retain(|list| !list.is_empty());
        while !lists.is_empty() {
            let in_tail = |value: Value| {
                lists.iter().any(|list| list[1..].iter().any(|&other| super::compare::is_identical(value, other)))
            };
            let Some(next) = lists.iter().map(|list| list[0]).find(|&value| !in_tail(value)) else {
                let message = "Cannot create a consistent method resolution\norder (MRO) for bases";
                return Err(self.type_error(message));
            };
            order.push(next);
            for list in &mut lists {
                list.retain(|&value| !super::compare::is_identical(value, next));
            }
            lists.retain(|list| !list.is_empty());
        }
        Ok(order)
    }

    /// Returns the qualified name of an object's class.
    pub(super) fn qualified_class(&self, value: Value) -> std::sync::Arc<str> {
        match self.class_of(value) {
            Value::Ref(class) => self.class_cell(class).qualified_name.clone(),
            _ => self.class_name(value),
        }
    }

    /// Returns the value of a data descriptor of the class, such as a property, which takes precedence over the object's own attributes;
    /// `None` if the attribute of the class is not a data descriptor.
    pub(super) fn data_descriptor_value(&mut self, object: Value, field: HeapRef) -> ExecResult<Option<Value>> {
        if self.class_of_program(Value::Ref(field)).is_some() {
            return if self.is_data_descriptor(field) { self.call_descriptor_get(object, field) } else { Ok(None) };
        }
        match *self.heap.get(field) {
            HeapObject::Property { get: Value::None, .. } => {
                let owner = self.qualified_class(object);
                let name = self.property_name(object, field)?;
                let message = format!("property '{name}' of '{owner}' object has no getter");
                Err(self.raise(ExceptionKind::AttributeError, &message))
            }
            HeapObject::Property { get, .. } => self.call_value(get, &[object], &[]).map(Some),
            HeapObject::NamedTupleField(place) => {
                let values = self.collect_values(self.base_value(object))?;
                Ok(values.get(place).copied())
            }
            _ => Ok(None),
        }
    }

    /// Returns the name under which the class of an object defines a property.
    fn property_name(&mut self, object: Value, property: HeapRef) -> ExecResult<std::sync::Arc<str>> {
        let Value::Ref(class) = self.class_of(object) else { return Ok("".into()) };
        let count: usize = self
            .class_cell(class)
            .mro
            .iter()
            .map(|&base| match base {
                Value::Ref(at) => self.class_cell(at).attributes.len(),
                _ => 1,
            })
            .sum();
        self.charge(count as u64)?;
        let fields = self.class_cell(class).mro.iter().filter_map(|&base| match base {
            Value::Ref(at) => Some(&self.class_cell(at).attributes),
            _ => None,
        });
        let is_it = |value: Value| super::compare::is_identical(value, Value::Ref(property));
        let found = fields.flatten().find(|&(_, &value)| is_it(value));
        Ok(found.map_or_else(|| "".into(), |(&symbol, _)| self.name(symbol)))
    }

    /// Checks that an attribute may be set or deleted, which a frozen dataclass rejects.
    pub(super) fn check_not_frozen(&mut self, object: Value, name: &str, doing: &str) -> ExecResult<()> {
        if self.dataclass_of(object).is_some_and(|dataclass| dataclass.frozen) {
            let message = format!("cannot {doing} field '{name}'");
            return Err(self.raise(ExceptionKind::FrozenInstanceError, &message));
        }
        Ok(())
    }

    /// Returns an attribute that neither an object nor its class has: from the value of its built-in base, or from `__getattr__`.
    pub(super) fn fallback_attribute(
        &mut self,
        object: Value,
        class: HeapRef,
        base: Option<Value>,
        symbol: Symbol,
        name: &str,
    ) -> ExecResult<Option<Value>> {
        if let Some(base) = base {
            if let Some(method) = find_row(&NAMED_TUPLE_METHODS, name)
                && self.named_tuple_base(class).is_some()
            {
                return Ok(Some(self.bound_method(object, method)));
            }
            let found = match self.backing_screen_object(Some(base)) {
                Some(screen) => {
                    let found = self.derived_attribute(object, screen, symbol, name);
                    self.or_getattr(object, name, found)?
                }
                None => self.find_attribute(base, symbol)?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        match self.special_method(object, "__getattr__") {
            Some(method) if !name.starts_with("__") => {
                let text = self.heap.text(name);
                self.call_value(method, &[text], &[]).map(Some)
            }
            _ => Ok(None),
        }
    }
}
