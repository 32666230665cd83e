//! User-defined classes.

mod bases;
mod instances;

use indexmap::{IndexMap, IndexSet};

use super::exceptions::{ExceptionKind, Outcome};
use super::frame::Purpose;
use super::methods::Method;
use super::value::{Cell, Class, ClassKind, Ref, Type, Value};
use super::{BULK, Machine, cost};
use crate::code::Symbol;
use crate::library::Library;

/// The attribute of a class that holds the classes registered with it.
const REGISTERED: &str = " registered";

/// Returns the method resolution order of a built-in class if classes may be derived from it.
fn line_of(kind: Type) -> Option<Vec<Type>> {
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
        | Type::Library("NamedTuple" | "Enum" | "typing.Generic") => vec![kind, Type::Object],
        Type::Library("ABC" | "ABCMeta") => vec![Type::Library("ABC"), Type::Object],
        Type::Library("typing.Protocol") => vec![kind, Type::Library("typing.Generic"), Type::Object],
        Type::Library("IntEnum") => vec![kind, Type::Int, Type::Library("Enum"), Type::Object],
        Type::Library("StrEnum") => vec![kind, Type::Str, Type::Library("Enum"), Type::Object],
        Type::Library("collections.defaultdict" | "Counter" | "collections.OrderedDict") => {
            vec![kind, Type::Dict, Type::Object]
        }
        _ => return None,
    })
}

/// Returns whether instances of classes derived from a built-in class hold no value besides their attributes.
pub(super) fn is_without_value(kind: Type) -> bool {
    matches!(
        kind,
        Type::Object | Type::Library("ABC" | "Enum" | "IntEnum" | "StrEnum" | "typing.Generic" | "typing.Protocol")
    )
}

/// Returns whether classes may be derived from the value of a library's name, or of a built-in name if `library` is `None`. Returns `None`
/// if the name does not exist.
pub(crate) fn is_base(library: Option<Library>, name: &str) -> Option<bool> {
    let found = match library {
        None => Machine::builtin(name)?,
        Some(Library::Numpy) => super::numpy::constant(name)?,
        Some(library) => super::library::value(library, name)?,
    };
    let Value::Type(kind) = found else { return Some(false) };
    let kind = super::typing::class_behind(kind).unwrap_or(kind);
    Some(kind == Type::Library("typing.TypedDict") || line_of(kind).is_some())
}

impl Machine<'_> {
    /// Executes a class body and creates the class.
    pub(super) fn make_class(&mut self, body: Value, bases: &[Value]) -> Outcome {
        let Value::Ref(at) = body else { unreachable!("class bodies are functions") };
        let Cell::Function(function) = self.heap.get(at) else { unreachable!("class bodies are functions") };
        let (code, closure) = (function.code, function.closure.clone());
        let (name, qualified) = (self.program.code(code).name.clone(), self.program.code(code).qualified.clone());
        let plain: Vec<Value> = bases
            .iter()
            .map(|&base| match self.base_behind(base) {
                Value::Type(Type::Library("ABCMeta")) => Value::Type(Type::Library("ABC")),
                base => base,
            })
            .collect();
        let frame = self.frame(code, closure, Purpose::Callback, Some(at));
        let names = frame.names;
        let members = self.begin_members(&name, &plain)?.map(|body| body.with_names(names));
        let is_enum = members.is_some();
        self.enum_bodies.extend(members);
        let ran = self.run_frame(frame);
        let members = if is_enum { self.enum_bodies.pop() } else { None };
        ran?;
        let entries = names.map(|names| self.named_entries(Value::Ref(names))).unwrap_or_default();
        let mut fields: IndexMap<Symbol, Value> = entries.into_iter().collect();
        self.spend(cost::CLASS * (1 + fields.len() as u64))?;
        let methods: Vec<Value> = fields.values().copied().collect();
        self.bind_by_class(&mut fields);
        let names: Vec<(Symbol, Value)> = fields.iter().map(|(&symbol, &value)| (symbol, value)).collect();
        let slots = self.declared_slots(&fields)?;
        let (kind, missing, order) = (ClassKind::Plain, Vec::new(), Vec::new());
        let class = Class { name, qualified, fields, kind, missing, order, slots };
        let class = self.heap.add(Cell::Class(Box::new(class)));
        let class = self.derive(class, &plain)?;
        for value in methods {
            self.belongs_to(value, class)?;
        }
        self.check_slots(class)?;
        if let Some(members) = members {
            self.make_members(class, members)?;
        }
        self.announce_class(class, &names)?;
        self.note_abstract(class)?;
        Ok(Value::Ref(class))
    }

    /// Sets the kind and the method resolution order of a class according to its bases; a named tuple is replaced by a new class.
    fn derive(&mut self, class: Ref, bases: &[Value]) -> Outcome<Ref> {
        let has =
            |name: &str| bases.iter().any(|&base| matches!(base, Value::Type(Type::Library(other)) if other == name));
        let is_typed_dict = has("typing.TypedDict")
            || bases.iter().any(|&base| matches!(base, Value::Ref(at) if self.is_typed_dict(at)));
        let (is_named_tuple, is_protocol) = (has("NamedTuple"), has("typing.Protocol"));
        if is_named_tuple {
            self.refuse_in_named_tuple(class)?;
            return self.typed_named_tuple(class);
        }
        if is_typed_dict {
            if let Cell::Class(cell) = self.heap.get_mut(class) {
                cell.order = vec![Value::Ref(class), Value::Type(Type::Dict), Value::Type(Type::Object)];
                cell.kind = ClassKind::TypedDict;
            }
        } else {
            if is_protocol && let Cell::Class(cell) = self.heap.get_mut(class) {
                cell.kind = ClassKind::Protocol { checkable: false };
            }
            let order = self.resolution_order(class, bases)?;
            if let Cell::Class(cell) = self.heap.get_mut(class) {
                cell.order = order;
            }
        }
        self.withhold_hash(class);
        Ok(class)
    }

    /// Makes the instances of a class unhashable if it defines `__eq__` but not `__hash__`.
    pub(super) fn withhold_hash(&mut self, class: Ref) {
        let (equal, hash) = (self.symbol("__eq__"), self.symbol("__hash__"));
        if let Cell::Class(cell) = self.heap.get_mut(class)
            && cell.fields.contains_key(&equal)
        {
            cell.fields.entry(hash).or_insert(Value::None);
        }
    }

    /// Rejects definitions that are not permitted in a class of named tuples.
    fn refuse_in_named_tuple(&mut self, class: Ref) -> Outcome<()> {
        let fixed = ["__new__", "__init__", "__slots__", "_fields", "_make", "_replace", "_asdict"];
        for name in fixed {
            let symbol = self.symbol(name);
            if self.class_cell(class).fields.contains_key(&symbol) {
                let message = format!("Cannot overwrite NamedTuple attribute {name}");
                return Err(self.raise(ExceptionKind::AttributeError, &message));
            }
        }
        Ok(())
    }

    /// Creates the class of named tuples that a class derived from `typing.NamedTuple` describes by its annotated names.
    fn typed_named_tuple(&mut self, class: Ref) -> Outcome<Ref> {
        let names = self.annotated(class);
        let mut defaulted: Option<Symbol> = None;
        for &name in &names {
            let text = self.name(name);
            if text.starts_with('_') {
                let message = format!("Field names cannot start with an underscore: '{text}'");
                return Err(self.raise(ExceptionKind::ValueError, &message));
            }
            match defaulted {
                _ if self.class_cell(class).fields.contains_key(&name) => defaulted = Some(name),
                Some(before) => {
                    let before = self.name(before);
                    let message = format!("Non-default namedtuple field {text} cannot follow default field {before}");
                    return Err(self.type_error(&message));
                }
                None => {}
            }
        }
        let mut others = self.class_cell(class).fields.clone();
        let fields = names.into_iter().map(|name| (name, others.shift_remove(&name))).collect();
        let name = self.class_cell(class).name.clone();
        Ok(self.named_tuple_class(&name, fields, others))
    }

    /// Records a name with an annotation in the namespace of a class body.
    pub(super) fn annotate(&mut self, symbol: Symbol) -> Outcome<()> {
        let Some(names) = self.top().names else { return Ok(()) };
        let key = self.heap.text("__annotations__");
        let annotations = if let Some(Value::Ref(at)) = self.entry(names, key)? {
            at
        } else {
            let made = self.empty_dict();
            self.set_entry(names, key, Value::Ref(made))?;
            made
        };
        let name = Value::Ref(self.heap.add(Cell::Text(self.name(symbol))));
        self.set_entry(annotations, name, Value::None)
    }

    pub(super) fn mark_abstract(&mut self, function: Value) {
        let symbol = self.symbol("__isabstractmethod__");
        if let Value::Ref(at) = function
            && let Cell::Function(function) = self.heap.get_mut(at)
        {
            function.fields.insert(symbol, Value::Bool(true));
        }
    }

    /// Evaluates `Base.register(class)`: the class becomes a virtual subclass of the base and of all its bases.
    pub(super) fn register(&mut self, base: Value, class: Value) -> Outcome<()> {
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
        let symbol = self.symbol(REGISTERED);
        for base in self.class_cell(at).order.clone() {
            let Value::Ref(at) = base else { continue };
            self.spend(cost::CLASS)?;
            let mut all = match self.class_cell(at).fields.get(&symbol) {
                Some(&Value::Ref(all)) if let Cell::Tuple(all) = self.heap.get(all) => all.to_vec(),
                _ => Vec::new(),
            };
            self.spend(all.len() as u64 / BULK)?;
            all.push(class);
            let all = self.heap.tuple(all);
            if let Cell::Class(cell) = self.heap.get_mut(at) {
                cell.fields.insert(symbol, all);
            }
        }
        Ok(())
    }

    /// Returns the classes registered with a class.
    pub(super) fn registered(&self, class: Value) -> &[Value] {
        let Value::Ref(at) = class else { return &[] };
        let Cell::Class(cell) = self.heap.get(at) else { return &[] };
        let symbol = self.names.get_index_of(REGISTERED).map(|place| Symbol(place as u32));
        match symbol.and_then(|symbol| cell.fields.get(&symbol)) {
            Some(&Value::Ref(all)) if let Cell::Tuple(all) = self.heap.get(all) => all,
            _ => &[],
        }
    }

    fn is_abstract(&mut self, value: Value) -> Outcome<bool> {
        let symbol = self.symbol("__isabstractmethod__");
        let wrapped = self.wrapped(value)?;
        Ok(wrapped.into_iter().any(|at| match self.heap.get(at) {
            Cell::Function(function) => function.fields.contains_key(&symbol),
            _ => false,
        }))
    }

    /// Returns an attribute of a class with all functions that it wraps, without duplicates.
    fn wrapped(&mut self, value: Value) -> Outcome<IndexSet<Ref>> {
        let mut found = IndexSet::new();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            let Value::Ref(at) = value else { continue };
            if !found.insert(at) {
                continue;
            }
            self.spend(1)?;
            match *self.heap.get(at) {
                Cell::Cached { function: inner, .. } | Cell::StaticMethod(inner) | Cell::ClassMethod(inner) => {
                    open.push(inner);
                }
                Cell::Property { get, set, delete } => open.extend(set.into_iter().chain(delete).chain([get])),
                _ => {}
            }
        }
        Ok(found)
    }

    /// Records the abstract methods that a class does not implement, if it is derived from `ABC` or `Protocol`.
    fn note_abstract(&mut self, class: Ref) -> Outcome<()> {
        let order = self.class_cell(class).order.clone();
        if !order.iter().any(|&base| matches!(base, Value::Type(Type::Library("ABC" | "typing.Protocol")))) {
            return Ok(());
        }
        let mut symbols: IndexSet<Symbol> = IndexSet::new();
        for base in order {
            let Value::Ref(at) = base else { continue };
            let fields = &self.class_cell(at).fields;
            symbols.extend(fields.keys().copied());
            let count = fields.len() as u64;
            self.spend(count)?;
        }
        let mut missing: Vec<Symbol> = Vec::new();
        for symbol in symbols {
            let found = self.class_field(class, symbol).unwrap_or(Value::None);
            if self.is_abstract(found)? {
                missing.push(symbol);
            }
        }
        let count = missing.len() as u64;
        self.spend(count * u64::from(1 + count.checked_ilog2().unwrap_or(0)))?;
        missing.sort_by_cached_key(|&symbol| self.name(symbol));
        if let Cell::Class(cell) = self.heap.get_mut(class) {
            cell.missing = missing;
        }
        Ok(())
    }

    /// Records in all functions of an attribute the class that defines them.
    fn belongs_to(&mut self, value: Value, class: Ref) -> Outcome<()> {
        for at in self.wrapped(value)? {
            if let Cell::Function(function) = self.heap.get_mut(at) {
                function.owner = Some(class);
            }
        }
        Ok(())
    }

    /// Returns the method resolution order of a class (C3 linearization).
    pub(super) fn resolution_order(&mut self, class: Ref, bases: &[Value]) -> Outcome<Vec<Value>> {
        let object = [Value::Type(Type::Object)];
        let bases = if bases.is_empty() { &object[..] } else { bases };
        let mut lists: Vec<Vec<Value>> = Vec::new();
        for &base in bases {
            lists.push(match base {
                Value::Type(Type::Screen(screen)) => self.line_of_screen(screen),
                Value::Ref(at) if matches!(self.heap.get(at), Cell::Class(_)) => self.class_cell(at).order.clone(),
                Value::Type(kind) if let Some(line) = line_of(kind) => {
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
        self.spend(length * length / 4)?;
        let mut order = vec![Value::Ref(class)];
        lists.retain(|list| !list.is_empty());
        while !lists.is_empty() {
            let in_tail = |value: Value| {
                lists.iter().any(|list| list[1..].iter().any(|&other| super::compare::same(value, other)))
            };
            let Some(next) = lists.iter().map(|list| list[0]).find(|&value| !in_tail(value)) else {
                let message = "Cannot create a consistent method resolution\norder (MRO) for bases";
                return Err(self.type_error(message));
            };
            order.push(next);
            for list in &mut lists {
                list.retain(|&value| !super::compare::same(value, next));
            }
            lists.retain(|list| !list.is_empty());
        }
        Ok(order)
    }

    /// Returns the qualified name of an object's class.
    pub(super) fn qualified_class(&self, value: Value) -> std::sync::Arc<str> {
        match self.class_of(value) {
            Value::Ref(class) => self.class_cell(class).qualified.clone(),
            _ => self.class_name(value),
        }
    }

    /// Returns the value of a data descriptor of the class, such as a property, which takes precedence over the object's own attributes;
    /// `None` if the attribute of the class is not a data descriptor.
    pub(super) fn described(&mut self, object: Value, field: Ref) -> Outcome<Option<Value>> {
        if self.class_of_program(Value::Ref(field)).is_some() {
            return if self.is_data_descriptor(field) { self.descriptor_value(object, field) } else { Ok(None) };
        }
        match *self.heap.get(field) {
            Cell::Property { get: Value::None, .. } => {
                let owner = self.qualified_class(object);
                let name = self.property_name(object, field)?;
                let message = format!("property '{name}' of '{owner}' object has no getter");
                Err(self.raise(ExceptionKind::AttributeError, &message))
            }
            Cell::Property { get, .. } => self.call_value(get, &[object], &[]).map(Some),
            Cell::TupleField(place) => {
                let values = self.collected(self.plain(object))?;
                Ok(values.get(place).copied())
            }
            _ => Ok(None),
        }
    }

    /// Returns the name under which the class of an object defines a property.
    fn property_name(&mut self, object: Value, property: Ref) -> Outcome<std::sync::Arc<str>> {
        let Value::Ref(class) = self.class_of(object) else { return Ok("".into()) };
        let count: usize = self
            .class_cell(class)
            .order
            .iter()
            .map(|&base| match base {
                Value::Ref(at) => self.class_cell(at).fields.len(),
                _ => 1,
            })
            .sum();
        self.spend(count as u64)?;
        let fields = self.class_cell(class).order.iter().filter_map(|&base| match base {
            Value::Ref(at) => Some(&self.class_cell(at).fields),
            _ => None,
        });
        let is_it = |value: Value| super::compare::same(value, Value::Ref(property));
        let found = fields.flatten().find(|&(_, &value)| is_it(value));
        Ok(found.map_or_else(|| "".into(), |(&symbol, _)| self.name(symbol)))
    }

    /// Checks that an attribute may be set or deleted, which a frozen dataclass rejects.
    pub(super) fn may_be_set(&mut self, object: Value, name: &str, doing: &str) -> Outcome<()> {
        if self.dataclass_of(object).is_some_and(|dataclass| dataclass.frozen) {
            let message = format!("cannot {doing} field '{name}'");
            return Err(self.raise(ExceptionKind::FrozenInstanceError, &message));
        }
        Ok(())
    }

    /// Returns an attribute that neither an object nor its class has: from the value of its built-in base, or from `__getattr__`.
    pub(super) fn attribute_of_base(
        &mut self,
        object: Value,
        class: Ref,
        base: Option<Value>,
        symbol: Symbol,
        name: &str,
    ) -> Outcome<Option<Value>> {
        if let Some(base) = base {
            let of_tuples = ["_asdict", "_make", "_replace"].iter().find(|other| **other == name);
            if let Some(method) = of_tuples
                && self.named_tuple_base(class).is_some()
            {
                return Ok(Some(self.bound_method(object, Method::NamedTuple(method))));
            }
            let found = match self.screen_beside(Some(base)) {
                Some(screen) => {
                    let found = self.attribute_beside(object, screen, symbol, name);
                    self.or_instead(object, name, found)?
                }
                None => self.find_attribute(base, symbol)?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        match self.special(object, "__getattr__") {
            Some(method) if !name.starts_with("__") => {
                let text = self.heap.text(name);
                self.call_value(method, &[text], &[]).map(Some)
            }
            _ => Ok(None),
        }
    }
}
