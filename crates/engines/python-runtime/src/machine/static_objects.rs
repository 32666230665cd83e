//! Objects of the module for the typed fast path: their contents after the top level, and the transfer of state between the machine and
//! the fast engine.

use std::sync::Arc;

use super::Machine;
use super::constant_value::{ConstantValue, FunctionConstant};
use super::dict::{Dict, DictKind};
use super::library::{Deque, GeneratedMethod};
use super::screen::ClassId;
use super::value::{ClassKind, FieldDefault, HeapObject, HeapRef, Type, Value};
use crate::code::Symbol;
use crate::inference::containers::{DefaultValue, MissingKey};
use crate::operators::ComparisonOperator;

/// The contents of an object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum StaticObject {
    /// An instance of a class of the program, with its class and attributes.
    Instance(HeapRef, Vec<(Arc<str>, ConstantValue)>),
    /// A dict with its entries and what a missing key yields.
    Dict(Vec<(ConstantValue, ConstantValue)>, MissingKey),
    /// A set with its members.
    Set(Vec<ConstantValue>),
    List(Vec<ConstantValue>),
    /// A deque with its maximum length.
    Deque(Vec<ConstantValue>, Option<usize>),
    /// The attributes of a class of the program.
    Class(Vec<(Arc<str>, ConstantValue)>),
    /// A variable that functions capture; `None` if it has no value.
    Cell(Option<ConstantValue>),
}

/// An attribute that instances find in their class.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ClassMember {
    /// A function that receives the instance.
    Method(FunctionConstant),
    /// A function that receives the class.
    ClassMethod(FunctionConstant),
    /// A function that receives no instance.
    Static(FunctionConstant),
    /// The getter and the setter of a property.
    Property(FunctionConstant, Option<FunctionConstant>),
    Value(ConstantValue),
    /// Any other descriptor.
    Other,
}

/// The creation of an instance.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Construction {
    /// A call of `__init__`.
    Init(FunctionConstant),
    /// Assignments to the fields of a dataclass or a named tuple in order, with their defaults.
    Fields(Vec<(Arc<str>, Option<DefaultField>)>),
    /// Nothing: the class has no `__init__`.
    Empty,
}

/// The default of a field.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DefaultField {
    Value(ConstantValue),
    /// A new empty list.
    NewList,
    /// A new empty dict.
    NewDict,
}

/// Special methods that change how attributes are found, or how instances are created.
const INTERCEPTORS: [&str; 5] = ["__getattr__", "__getattribute__", "__setattr__", "__new__", "__post_init__"];

impl Machine {
    /// Whether the program imports a library.
    pub(crate) fn has_random_state(&self) -> bool {
        self.random.is_some() || self.numpy_random.is_some()
    }

    /// Returns the contents of an object of the module, if the fast engine may keep them.
    pub(crate) fn static_object(&self, at: HeapRef) -> Option<StaticObject> {
        Some(match self.heap.get(at) {
            HeapObject::Instance { class, attributes, base_value: None }
                if self.is_simple_class(*class) || self.is_plain_enum(*class) =>
            {
                let values = attributes.iter().map(|(&symbol, &value)| (self.name(symbol), self.constant_value(value)));
                StaticObject::Instance(*class, values.collect())
            }
            HeapObject::Dict(dict) => {
                let missing = match dict.kind {
                    DictKind::Plain => MissingKey::Absent,
                    DictKind::Counter => MissingKey::Zero,
                    DictKind::Default(factory) => match self.constant_value(factory) {
                        ConstantValue::Builtin(factory) => MissingKey::New(DefaultValue::of_factory(&factory)?),
                        _ => return None,
                    },
                    DictKind::Frozen | DictKind::Ordered => return None,
                };
                let entries = dict.iter().map(|(key, value)| (self.constant_value(key), self.constant_value(value)));
                StaticObject::Dict(entries.collect(), missing)
            }
            HeapObject::Set(set) => {
                StaticObject::Set(set.iter().map(|(member, _)| self.constant_value(member)).collect())
            }
            HeapObject::List(values) => {
                StaticObject::List(values.iter().map(|&value| self.constant_value(value)).collect())
            }
            HeapObject::Deque(deque) => {
                let values = deque.values.iter().map(|&value| self.constant_value(value)).collect();
                StaticObject::Deque(values, deque.max_length)
            }
            HeapObject::Class(class) => {
                let attributes = class.attributes.iter();
                let values = attributes.map(|(&symbol, &value)| (self.name(symbol), self.constant_value(value)));
                StaticObject::Class(values.collect())
            }
            HeapObject::ClosureCell(value) => StaticObject::Cell(value.map(|value| self.constant_value(value))),
            _ => return None,
        })
    }

    /// Returns the class of a class's attribute: the class itself, or the base that defines it.
    pub(crate) fn attribute_owner(&self, class: HeapRef, name: &str) -> Option<HeapRef> {
        let symbol = self.names.find(name)?;
        self.class_cell(class).mro.iter().find_map(|&base| match base {
            Value::Ref(at) => self.class_cell(at).attributes.contains_key(&symbol).then_some(at),
            _ => None,
        })
    }

    /// Whether the attributes of a class's instances are found without calls of the program.
    pub(crate) fn is_simple_class(&self, class: HeapRef) -> bool {
        let cell = self.class_cell(class);
        let bases = cell.mro.iter().all(|&base| match base {
            Value::Ref(at) => {
                let kind = &self.class_cell(at).kind;
                matches!(kind, ClassKind::Plain | ClassKind::Dataclass(_))
            }
            Value::Type(kind) => kind == Type::Object || super::classes::has_no_instance_value(kind),
            _ => false,
        });
        bases && INTERCEPTORS.iter().all(|name| self.program_class_field(class, name).is_none())
    }

    /// Whether a class is an enumeration whose members have no value of a built-in class, and are compared by their identity.
    pub(crate) fn is_plain_enum(&self, class: HeapRef) -> bool {
        let mut special = INTERCEPTORS.iter().chain(&["__eq__", "__ne__", "__hash__"]);
        matches!(self.class_cell(class).kind, ClassKind::Enum(_))
            && special.all(|name| self.program_class_field(class, name).is_none())
    }

    /// Returns the fields that the generated `__eq__` of a dataclass compares; `None` if the class has another one.
    pub(crate) fn compared_fields(&self, class: HeapRef) -> Option<Vec<Arc<str>>> {
        let Value::Ref(method) = self.program_class_field(class, "__eq__")? else { return None };
        match (self.heap.get(method), &self.class_cell(class).kind) {
            (
                HeapObject::GeneratedMethod(owner, GeneratedMethod::CompareFields(ComparisonOperator::Eq)),
                ClassKind::Dataclass(dataclass),
            ) if *owner == class => {
                let fields = dataclass.fields.iter().filter(|field| field.is_compared());
                Some(fields.map(|field| self.name(field.name)).collect())
            }
            _ => None,
        }
    }

    /// Whether a class of the program is another one or is derived from it.
    pub(crate) fn is_program_subclass(&self, class: HeapRef, other: HeapRef) -> bool {
        self.class_cell(class).mro.iter().any(|base| matches!(base, Value::Ref(base) if *base == other))
    }

    /// Returns an attribute of a class or of its bases of the program.
    fn program_class_field(&self, class: HeapRef, name: &str) -> Option<Value> {
        let symbol = self.names.find(name)?;
        self.class_cell(class).mro.iter().find_map(|&base| match base {
            Value::Ref(at) => self.class_cell(at).attributes.get(&symbol).copied(),
            _ => None,
        })
    }

    /// Returns an attribute that instances of a class find in it; `None` if there is none.
    pub(crate) fn class_member(&self, class: HeapRef, name: &str) -> Option<ClassMember> {
        let value = self.program_class_field(class, name)?;
        let Value::Ref(at) = value else { return Some(self.class_value(value)) };
        Some(match self.heap.get(at) {
            // Instances have the fields of their class.
            HeapObject::NamedTupleField(_) => return None,
            HeapObject::Function(_) => self.plain_function(value).map_or(ClassMember::Other, ClassMember::Method),
            HeapObject::StaticMethod(function) => {
                self.plain_function(*function).map_or(ClassMember::Other, ClassMember::Static)
            }
            HeapObject::ClassMethod(function) => {
                self.plain_function(*function).map_or(ClassMember::Other, ClassMember::ClassMethod)
            }
            HeapObject::Property { get, set, .. } => {
                let set = set.and_then(|set| self.plain_function(set));
                self.plain_function(*get).map_or(ClassMember::Other, |get| ClassMember::Property(get, set))
            }
            HeapObject::Text(_) | HeapObject::Tuple(_) | HeapObject::List(_) | HeapObject::Dict(_) => {
                self.class_value(value)
            }
            HeapObject::Instance { class, .. }
                if ["__get__", "__set__"].iter().all(|name| self.program_class_field(*class, name).is_none()) =>
            {
                self.class_value(value)
            }
            _ => ClassMember::Other,
        })
    }

    fn class_value(&self, value: Value) -> ClassMember {
        ClassMember::Value(self.constant_value(value))
    }

    /// Returns how instances of a class are created; `None` if the fast engine does not create them.
    pub(crate) fn construction(&self, class: HeapRef) -> Option<Construction> {
        let cell = self.class_cell(class);
        if let ClassKind::NamedTuple(fields) = &cell.kind {
            return self.named_tuple_construction(class, fields);
        }
        if !self.is_simple_class(class) || !cell.abstract_methods.is_empty() {
            return None;
        }
        let Some(init) = self.program_class_field(class, "__init__") else { return Some(Construction::Empty) };
        let Value::Ref(at) = init else { return None };
        match (self.heap.get(at), &cell.kind) {
            (HeapObject::GeneratedMethod(owner, GeneratedMethod::Init), ClassKind::Dataclass(dataclass))
                if *owner == class =>
            {
                let field = |field: &super::library::FieldSpec| {
                    let default = match (field.default_factory, field.default) {
                        (None, default) => default.map(|value| DefaultField::Value(self.constant_value(value))),
                        (Some(Value::Type(Type::List)), _) => Some(DefaultField::NewList),
                        (Some(Value::Type(Type::Dict)), _) => Some(DefaultField::NewDict),
                        (Some(_), _) => return None,
                    };
                    field.is_plain_parameter().then(|| (self.name(field.name), default))
                };
                dataclass.fields.iter().map(field).collect::<Option<Vec<_>>>().map(Construction::Fields)
            }
            _ => self.plain_function(init).map(Construction::Init),
        }
    }

    /// Returns how instances of a class of named tuples are created.
    fn named_tuple_construction(&self, class: HeapRef, fields: &[FieldDefault]) -> Option<Construction> {
        let mut special = INTERCEPTORS.iter().chain(&["__init__", "__eq__", "__hash__", "__iter__", "__len__"]);
        let is_plain = special.all(|name| {
            let found = self.program_class_field(class, name);
            !matches!(found, Some(Value::Ref(at)) if matches!(self.heap.get(at), HeapObject::Function(_)))
        });
        let is_own = self.class_cell(class).mro.iter().all(|&base| match base {
            Value::Ref(base) => base == class,
            _ => true,
        });
        let default = |value: Option<Value>| value.map(|value| DefaultField::Value(self.constant_value(value)));
        let field = |&(name, value): &FieldDefault| (self.name(name), default(value));
        // Without fields they are not truthy, unlike other instances.
        (is_plain && is_own && !fields.is_empty()).then(|| Construction::Fields(fields.iter().map(field).collect()))
    }

    /// Whether a class is one of named tuples.
    pub(crate) fn is_named_tuple_class(&self, class: HeapRef) -> bool {
        matches!(self.class_cell(class).kind, ClassKind::NamedTuple(_))
    }

    /// Returns the name of a class of the program.
    pub(crate) fn program_class_name(&self, class: HeapRef) -> Arc<str> {
        Arc::clone(&self.class_cell(class).name)
    }

    /// Whether the attributes of instances of a class stay the same: those of frozen dataclasses and of enumerations.
    pub(crate) fn is_frozen(&self, class: HeapRef) -> bool {
        match &self.class_cell(class).kind {
            ClassKind::Dataclass(dataclass) => dataclass.frozen,
            kind => matches!(kind, ClassKind::Enum(_) | ClassKind::NamedTuple(_)),
        }
    }

    /// Sets a global variable to a value that the fast engine computed, between calls.
    pub(crate) fn restore_global(&mut self, symbol: Symbol, value: &ConstantValue) {
        if let Some(value) = self.value_of_constant(value) {
            self.globals.insert(symbol, value);
        }
    }

    /// Creates an empty list, between calls.
    pub(crate) fn new_state_list(&mut self) -> HeapRef {
        self.heap.add(HeapObject::List(Vec::new()))
    }

    /// Creates an empty deque with its maximum length, between calls.
    pub(crate) fn new_state_deque(&mut self, limit: Option<u16>) -> HeapRef {
        let deque = Deque { max_length: limit.map(usize::from), ..Deque::default() };
        self.heap.add(HeapObject::Deque(Box::new(deque)))
    }

    /// Creates an empty dict, between calls.
    pub(crate) fn new_state_dict(&mut self, missing: MissingKey) -> HeapRef {
        let kind = match missing {
            MissingKey::Absent => DictKind::Plain,
            MissingKey::Zero => DictKind::Counter,
            MissingKey::New(default) => DictKind::Default(Value::Type(match default {
                DefaultValue::Int => Type::Int,
                DefaultValue::Float => Type::Float,
                DefaultValue::List => Type::List,
            })),
        };
        self.heap.add(HeapObject::Dict(Box::new(Dict::new(kind))))
    }

    /// Replaces the entries of a dict, which are pairs, by those that the fast engine computed, between calls.
    pub(crate) fn restore_dict(&mut self, at: HeapRef, entries: &[ConstantValue]) {
        if !matches!(self.heap.get(at), HeapObject::Dict(_)) {
            return;
        }
        self.change_dict(at, Dict::clear);
        for entry in entries {
            let ConstantValue::Tuple(parts) = entry else { continue };
            if let [key, value] = parts.as_slice()
                && let Some(value) = self.value_of_constant(value)
            {
                self.add_entry(at, key, value);
            }
        }
    }

    /// Creates an instance without attributes, or an empty dict, between calls.
    pub(crate) fn new_state_record(&mut self, class: Option<HeapRef>) -> HeapRef {
        match class {
            Some(class) => self.heap.add(HeapObject::Instance { class, attributes: Box::default(), base_value: None }),
            None => self.empty_dict(),
        }
    }

    /// Sets an attribute of an instance or of a class, an entry of a dict, by its place if it exists, or a captured variable to a value that
    /// the fast engine computed, between calls.
    pub(crate) fn restore_field(&mut self, at: HeapRef, place: usize, key: &ConstantValue, value: &ConstantValue) {
        let Some(value) = self.value_of_constant(value) else { return };
        let symbol = match key {
            ConstantValue::Text(name) => Some(self.intern(name)),
            _ => None,
        };
        match (self.heap.get_mut(at), symbol) {
            (HeapObject::Instance { attributes, .. }, Some(symbol)) => {
                attributes.insert(symbol, value);
            }
            (HeapObject::Class(class), Some(symbol)) => {
                if let Some(field) = class.attributes.get_mut(&symbol) {
                    *field = value;
                }
            }
            (HeapObject::Dict(dict), _) => match nth_entry(dict, place) {
                Some(place) => dict.set_value(place, value),
                None => self.add_entry(at, key, value),
            },
            (HeapObject::ClosureCell(cell), _) => *cell = Some(value),
            _ => {}
        }
    }

    /// Adds an entry to a dict, between calls.
    fn add_entry(&mut self, at: HeapRef, key: &ConstantValue, value: Value) {
        self.remaining_work = self.budget.work;
        let key = self.value_of_constant(key);
        let hash = key.and_then(|key| Some((key, self.hash_bits(key).ok()?)));
        if let Some((key, hash)) = hash {
            self.change_dict(at, |dict| dict.insert_new(hash, key, value));
        }
    }

    /// Replaces the elements of a list or deque by values that the fast engine computed, between calls.
    pub(crate) fn restore_list(&mut self, at: HeapRef, values: &[ConstantValue]) {
        let values: Vec<Value> = values.iter().filter_map(|value| self.value_of_constant(value)).collect();
        let count = values.len();
        let before = match self.heap.get_mut(at) {
            HeapObject::List(list) => std::mem::replace(list, values).len(),
            HeapObject::Deque(deque) => {
                deque.mutation_count += 1;
                std::mem::replace(&mut deque.values, values.into()).len()
            }
            _ => return,
        };
        self.heap.record_growth_of(at, count.saturating_sub(before));
    }

    /// Returns the value of a constant; `None` if it is not data.
    fn value_of_constant(&mut self, constant: &ConstantValue) -> Option<Value> {
        Some(match constant {
            ConstantValue::None => Value::None,
            ConstantValue::Bool(truth) => Value::Bool(*truth),
            ConstantValue::Int(number) => Value::Int(*number),
            ConstantValue::Float(number) => Value::Float(*number),
            ConstantValue::Text(text) => match self.names.find(text).filter(|symbol| self.is_program_name(*symbol)) {
                Some(symbol) => self.name_text(symbol),
                None => self.heap.text(text),
            },
            ConstantValue::Tuple(parts) => {
                let parts: Option<Vec<Value>> = parts.iter().map(|part| self.value_of_constant(part)).collect();
                self.heap.tuple(parts?)
            }
            ConstantValue::Object(at) | ConstantValue::ProgramClass(at) => Value::Ref(*at),
            ConstantValue::Class(class) => Value::Type(Type::Screen(ClassId(*class))),
            ConstantValue::LibraryFunction(function) => Value::Builtin(function),
            ConstantValue::Function(_)
            | ConstantValue::CachedFunction(_)
            | ConstantValue::Builtin(_)
            | ConstantValue::Module(_)
            | ConstantValue::Other => return None,
        })
    }

    fn is_program_name(&self, symbol: Symbol) -> bool {
        (symbol.0 as usize) < self.program.names.len()
    }
}

/// Returns the index of the entry at a place in the order of the entries.
fn nth_entry(dict: &super::dict::Dict, place: usize) -> Option<usize> {
    let mut next = 0;
    for _ in 0..place {
        next = dict.next_from(next)?.0 + 1;
    }
    dict.next_from(next).map(|(index, ..)| index)
}
