//! Methods of built-in types.

use super::call::KeywordArguments;
use super::dict::DictKind;
use super::exceptions::{ExceptionKind, ExecResult};
use super::iterators::EntryPart;
use super::numpy::ArrayMethod;
use super::screen::ScreenMethod;
use super::value::{HeapObject, HeapRef, Type, Value};
use super::{ELEMENTS_PER_UNIT, Machine, cost};

/// A method of a built-in type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Method {
    List(&'static str),
    Tuple(&'static str),
    Range(&'static str),
    Dict(&'static str),
    Set(&'static str),
    Text(&'static str),
    Bytes(&'static str),
    /// A method of `int`, `bool` or `float`.
    Number(&'static str),
    Property(&'static str),
    Screen(ScreenMethod),
    Deque(&'static str),
    Counter(&'static str),
    OrderedDict(&'static str),
    LruCache(&'static str),
    /// A method of an instance of a library class.
    Library(&'static str),
    /// A method of a named tuple class and its instances.
    NamedTuple(&'static str),
    /// A method of a built-in base class, found through `super()`.
    Base(&'static str),
    Generator(&'static str),
    /// A special method that the class of a value does not define in the program.
    Special(&'static str),
    /// A method of a context manager of `contextlib`.
    Context(&'static str),
    /// A method of numpy arrays and scalars.
    Array(ArrayMethod),
}

const LIST_METHODS: [&str; 11] =
    ["append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse", "sort"];
const TUPLE_METHODS: [&str; 2] = ["count", "index"];
const RANGE_METHODS: [&str; 2] = ["count", "index"];
const DICT_METHODS: [&str; 11] =
    ["clear", "copy", "fromkeys", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values"];
const SET_METHODS: [&str; 17] = [
    "add",
    "clear",
    "copy",
    "difference",
    "difference_update",
    "discard",
    "intersection",
    "intersection_update",
    "isdisjoint",
    "issubset",
    "issuperset",
    "pop",
    "remove",
    "symmetric_difference",
    "symmetric_difference_update",
    "union",
    "update",
];
const FLOAT_METHODS: [&str; 4] = ["as_integer_ratio", "conjugate", "hex", "is_integer"];
const INT_METHODS: [&str; 5] = ["as_integer_ratio", "bit_count", "bit_length", "conjugate", "to_bytes"];
const COUNTER_METHODS: [&str; 5] = ["elements", "most_common", "subtract", "total", "update"];
const ORDERED_DICT_METHODS: [&str; 3] = ["move_to_end", "pop", "popitem"];
const FROZENSET_METHODS: [&str; 8] =
    ["copy", "difference", "intersection", "isdisjoint", "issubset", "issuperset", "symmetric_difference", "union"];
const LRU_CACHE_METHODS: [&str; 3] = ["cache_clear", "cache_info", "cache_parameters"];
const PROPERTY_METHODS: [&str; 3] = ["deleter", "getter", "setter"];

/// Returns the name among those of a table.
fn find_name(names: &'static [&'static str], name: &str) -> Option<&'static str> {
    names.iter().find(|other| **other == name).copied()
}

impl Method {
    /// Returns the method of a built-in class with the given name.
    pub(super) fn find(kind: Type, name: &str) -> Option<Self> {
        let named = |names: &'static [&'static str]| find_name(names, name);
        match kind {
            Type::List => named(&LIST_METHODS).map(Self::List),
            Type::Tuple => named(&TUPLE_METHODS).map(Self::Tuple),
            Type::Range => named(&RANGE_METHODS).map(Self::Range),
            Type::Dict => Self::of_dict(name),
            Type::Set => named(&SET_METHODS).map(Self::Set),
            Type::Str => named(&super::strings::STR_METHODS).map(Self::Text),
            Type::Bytes => named(&super::bytes::METHODS).map(Self::Bytes),
            Type::Float => named(&FLOAT_METHODS).map(Self::Number),
            Type::Int | Type::Bool => named(&INT_METHODS).map(Self::Number),
            Type::Library(class) => (class.find_method)(name),
            Type::Iterator(&"functools._lru_cache_wrapper") => named(&LRU_CACHE_METHODS).map(Self::LruCache),
            Type::Array => ArrayMethod::find(name, false).map(Self::Array),
            Type::Numpy(_) => ArrayMethod::find(name, true).map(Self::Array),
            Type::Screen(_) => {
                let method = ScreenMethod::ALL.iter().find(|(other, _)| *other == name);
                method.map(|&(_, method)| Self::Screen(method))
            }
            Type::Property => named(&PROPERTY_METHODS).map(Self::Property),
            Type::Generator => named(&super::generators::GENERATOR_METHODS).map(Self::Generator),
            _ => None,
        }
    }

    /// Returns the method of dicts with the given name.
    pub(super) fn of_dict(name: &str) -> Option<Self> {
        find_name(&DICT_METHODS, name).map(Self::Dict)
    }

    /// Returns the method of counters with the given name.
    pub(super) fn of_counter(name: &str) -> Option<Self> {
        find_name(&COUNTER_METHODS, name).map(Self::Counter).or_else(|| Self::of_dict(name))
    }

    /// Returns the method of ordered dicts with the given name.
    pub(super) fn of_ordered_dict(name: &str) -> Option<Self> {
        find_name(&ORDERED_DICT_METHODS, name).map(Self::OrderedDict).or_else(|| Self::of_dict(name))
    }

    /// Returns the method of deques with the given name.
    pub(super) fn of_deque(name: &str) -> Option<Self> {
        find_name(&super::library::DEQUE_METHODS, name).map(Self::Deque)
    }

    /// Returns the method of frozen sets with the given name.
    pub(super) fn of_frozen_set(name: &str) -> Option<Self> {
        find_name(&FROZENSET_METHODS, name).map(Self::Set)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::List(name)
            | Self::Tuple(name)
            | Self::Range(name)
            | Self::Dict(name)
            | Self::Set(name)
            | Self::Text(name)
            | Self::Bytes(name)
            | Self::Number(name)
            | Self::Property(name)
            | Self::Deque(name)
            | Self::Counter(name)
            | Self::OrderedDict(name)
            | Self::LruCache(name)
            | Self::Library(name)
            | Self::NamedTuple(name)
            | Self::Generator(name)
            | Self::Special(name)
            | Self::Context(name)
            | Self::Base(name) => name,
            Self::Array(method) => method.name(),
            Self::Screen(method) => {
                ScreenMethod::ALL.iter().find(|(_, other)| *other == method).map_or("", |(name, _)| name)
            }
        }
    }
}

impl Machine {
    /// Calls an unbound method: the first argument is the receiver.
    pub(super) fn call_unbound_method(
        &mut self,
        kind: Type,
        method: Method,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let (owner, name) = (self.type_name(kind), method.name());
        let [receiver, rest @ ..] = arguments else {
            return Err(self.type_error(&format!("unbound method {owner}.{name}() needs an argument")));
        };
        // Methods of screen classes accept any object and read its attributes.
        if let Method::Screen(method) = method {
            self.reject_keywords("GameObject", named)?;
            self.charge(cost::BUILTIN)?;
            return self.call_screen_method(*receiver, method, rest);
        }
        if !self.is_derived_class(self.class_of(*receiver), Value::Type(kind))? {
            let class_name = self.class_name(*receiver);
            let message = format!("descriptor '{name}' for '{owner}' objects doesn't apply to a '{class_name}' object");
            return Err(self.type_error(&message));
        }
        self.call_method(self.base_value(*receiver), method, rest, named)
    }

    pub(super) fn call_method(
        &mut self,
        receiver: Value,
        method: Method,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        self.charge(cost::BUILTIN)?;
        if method == Method::List("sort") {
            return self.sort(receiver, arguments, named);
        }
        if let Method::Array(method) = method {
            return self.call_array_method(receiver, method, arguments, named);
        }
        if let Method::Special(name) = method {
            return self.call_special_method(receiver, name, arguments, named);
        }
        if let Method::Number(name) = method {
            return self.number_method(receiver, name, arguments, named);
        }
        if method == Method::Base("__new__") {
            return self.call_builtin_new(receiver, arguments, named);
        }
        let Value::Ref(at) = receiver else { unreachable!("methods have objects") };
        match method {
            Method::Screen(method) => {
                self.reject_keywords("GameObject", named)?;
                self.call_screen_method(receiver, method, arguments)
            }
            Method::List(name) => {
                self.reject_keywords(&format!("list.{name}"), named)?;
                self.list_method(at, name, arguments)
            }
            Method::Tuple(name) => {
                self.reject_keywords(&format!("tuple.{name}"), named)?;
                self.count_or_index(at, "tuple", name, arguments)
            }
            Method::Range(name) => {
                self.reject_keywords(&format!("range.{name}"), named)?;
                self.range_method(at, name, arguments)
            }
            Method::Dict("update") => {
                if let &[other] = arguments {
                    self.update_dict(at, other)?;
                }
                for &(symbol, value) in named {
                    let key = Value::Ref(self.heap.add(HeapObject::Text(self.name(symbol))));
                    self.set_entry(at, key, value)?;
                }
                Ok(Value::None)
            }
            Method::Dict(name) => {
                self.reject_keywords(&format!("dict.{name}"), named)?;
                self.dict_method(at, name, arguments)
            }
            Method::Set(name) => {
                self.reject_keywords(&format!("set.{name}"), named)?;
                self.set_method(at, name, arguments)
            }
            Method::Text(name) => match self.as_text(receiver) {
                Some(text) => self.text_method(&text, name, arguments, named),
                None => Ok(Value::None),
            },
            Method::Bytes(name) => self.bytes_method(at, name, arguments, named),
            Method::Property(name) => {
                let function = self.single_argument(name, arguments, named)?;
                let HeapObject::Property { mut get, mut set, mut delete } = *self.heap.get(at) else {
                    return Ok(Value::None);
                };
                match name {
                    "getter" => get = function,
                    "setter" => set = Some(function),
                    _ => delete = Some(function),
                }
                Ok(Value::Ref(self.heap.add(HeapObject::Property { get, set, delete })))
            }
            Method::Deque(name) => {
                self.reject_keywords(&format!("deque.{name}"), named)?;
                self.deque_method(at, name, arguments)
            }
            Method::Library(name) => self.call_library_method(at, name, arguments, named),
            Method::Counter(name) => self.counter_method(at, name, arguments, named),
            Method::OrderedDict(name) => self.ordered_dict_method(at, name, arguments, named),
            Method::LruCache(name) => {
                self.reject_keywords(name, named)?;
                self.check_arity(name, arguments.len(), 0, 0)?;
                self.lru_cache_method(at, name)
            }
            Method::NamedTuple(name) => {
                let class = match self.heap.get(at) {
                    HeapObject::Instance { class, .. } => *class,
                    _ => at,
                };
                self.named_tuple_method(receiver, class, name, arguments, named)
            }
            Method::Generator(name) => self.generator_method(at, name, arguments, named),
            Method::Context(name) => self.context_method(at, name, arguments, named),
            Method::Base(name) => self.base_method(receiver, name, arguments, named),
            Method::Number(_) | Method::Array(_) | Method::Special(_) => Ok(Value::None),
        }
    }

    fn list(&self, at: HeapRef) -> &[Value] {
        match self.heap.get(at) {
            HeapObject::List(values) => values,
            _ => &[],
        }
    }

    fn list_mut(&mut self, at: HeapRef) -> &mut Vec<Value> {
        match self.heap.get_mut(at) {
            HeapObject::List(values) => values,
            _ => unreachable!("called with lists"),
        }
    }

    fn list_method(&mut self, at: HeapRef, name: &str, arguments: &[Value]) -> ExecResult {
        let full = format!("list.{name}");
        match name {
            "append" => {
                let value = self.single_argument(&full, arguments, &[])?;
                self.append(at, value);
            }
            "extend" => {
                let values = self.single_argument(&full, arguments, &[])?;
                self.extend(at, values)?;
            }
            "insert" => {
                self.check_arity("insert", arguments.len(), 2, 2)?;
                let place = self.as_index(arguments[0])?;
                self.heap.record_growth(1);
                self.charge_list_shift(at)?;
                let list = self.list_mut(at);
                let length = list.len() as i64;
                let place = if place < 0 { place.saturating_add(length) } else { place }.clamp(0, length);
                list.insert(place as usize, arguments[1]);
            }
            "remove" => {
                let value = self.single_argument(&full, arguments, &[])?;
                let Some(place) = self.find_in_list(at, value)? else {
                    return Err(self.raise(ExceptionKind::ValueError, "list.remove(x): x not in list"));
                };
                self.charge_list_shift(at)?;
                // Comparisons during the search may have shortened the list.
                if place < self.list(at).len() {
                    self.list_mut(at).remove(place);
                }
            }
            "pop" => return self.pop_from_list(at, arguments),
            "clear" => self.list_mut(at).clear(),
            "copy" => {
                self.reserve_values(self.list(at).len())?;
                let values = self.list(at).to_vec();
                return Ok(self.heap.list(values));
            }
            "reverse" => {
                self.charge_list_shift(at)?;
                self.list_mut(at).reverse();
            }
            _ => return self.count_or_index(at, "list", name, arguments),
        }
        Ok(Value::None)
    }

    /// Charges the budget for moving the elements of a list.
    fn charge_list_shift(&mut self, at: HeapRef) -> ExecResult<()> {
        let length = self.list(at).len() as u64;
        self.charge(length / ELEMENTS_PER_UNIT)
    }

    /// Returns the position of a value in a list, which comparisons may change during the search.
    fn find_in_list(&mut self, at: HeapRef, value: Value) -> ExecResult<Option<usize>> {
        let mut place = 0;
        while let Some(&other) = self.list(at).get(place) {
            self.charge(1)?;
            if super::compare::is_identical(other, value) || self.equal(other, value)? {
                return Ok(Some(place));
            }
            place += 1;
        }
        Ok(None)
    }

    fn pop_from_list(&mut self, at: HeapRef, arguments: &[Value]) -> ExecResult {
        self.check_arity("pop", arguments.len(), 0, 1)?;
        let place = match arguments.first() {
            Some(&place) => self.as_index(place)?,
            None => -1,
        };
        if self.list(at).is_empty() {
            return Err(self.raise(ExceptionKind::IndexError, "pop from empty list"));
        }
        if place != -1 {
            self.charge_list_shift(at)?;
        }
        let length = self.list(at).len();
        let place = if place < 0 { place.saturating_add(length as i64) } else { place };
        match usize::try_from(place) {
            Ok(place) if place < length => Ok(self.list_mut(at).remove(place)),
            _ => Err(self.raise(ExceptionKind::IndexError, "pop index out of range")),
        }
    }

    fn count_or_index(&mut self, at: HeapRef, kind: &str, name: &str, arguments: &[Value]) -> ExecResult {
        if name == "count" {
            let value = self.single_argument(&format!("{kind}.count"), arguments, &[])?;
            let (mut count, mut place) = (0, 0);
            while let Some(other) = self.current_element(at, place) {
                self.charge(1)?;
                count += i64::from(self.equal_or_same(other, value)?);
                place += 1;
            }
            return Ok(Value::Int(count));
        }
        self.check_arity("index", arguments.len(), 1, 3)?;
        let mut bounds = [0, i64::MAX];
        for (bound, &given) in bounds.iter_mut().zip(&arguments[1..]) {
            let given = self.slice_index(given)?.unwrap_or(0);
            let length = self.length(Value::Ref(at))? as i64;
            *bound = if given < 0 { given.saturating_add(length).max(0) } else { given };
        }
        for place in bounds[0]..bounds[1] {
            let Some(other) = self.current_element(at, place as usize) else { break };
            self.charge(1)?;
            if self.equal_or_same(other, arguments[0])? {
                return Ok(Value::Int(place));
            }
        }
        let message = if kind == "list" {
            format!("{} is not in list", self.repr(arguments[0])?)
        } else {
            "tuple.index(x): x not in tuple".to_owned()
        };
        Err(self.raise(ExceptionKind::ValueError, &message))
    }

    fn sort(&mut self, receiver: Value, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        if !arguments.is_empty() {
            return Err(self.type_error("sort() takes no positional arguments"));
        }
        let mut key = None;
        let mut reverse = None;
        for &(symbol, value) in named {
            match &*self.name(symbol) {
                "key" => key = Some(value),
                "reverse" => reverse = Some(value),
                other => {
                    let message = format!("'{other}' is an invalid keyword argument for sort()");
                    return Err(self.type_error(&message));
                }
            }
        }
        let Value::Ref(at) = receiver else { return Ok(Value::None) };
        let values = std::mem::take(self.list_mut(at));
        let before = values.clone();
        let sorted = self.sort_values(values, key, reverse);
        let changed = !self.list(at).is_empty();
        match sorted {
            Ok(sorted) => *self.list_mut(at) = sorted,
            Err(fault) => {
                *self.list_mut(at) = before;
                return Err(fault);
            }
        }
        if changed {
            return Err(self.raise(ExceptionKind::ValueError, "list modified during sort"));
        }
        Ok(Value::None)
    }

    fn dict_method(&mut self, at: HeapRef, name: &str, arguments: &[Value]) -> ExecResult {
        let HeapObject::Dict(dict) = self.heap.get(at) else { return Ok(Value::None) };
        let part = match name {
            "keys" => Some(EntryPart::Keys),
            "values" => Some(EntryPart::Values),
            "items" => Some(EntryPart::Items),
            _ => None,
        };
        if let Some(part) = part {
            return Ok(Value::Ref(self.heap.add(HeapObject::DictView(Value::Ref(at), part))));
        }
        match name {
            "get" | "setdefault" => {
                self.check_arity(name, arguments.len(), 1, 2)?;
                let default = arguments.get(1).copied().unwrap_or(Value::None);
                if let Some(value) = self.entry(at, arguments[0])? {
                    return Ok(value);
                }
                if name == "setdefault" {
                    self.set_entry(at, arguments[0], default)?;
                }
                Ok(default)
            }
            "pop" => {
                self.check_arity(name, arguments.len(), 1, 2)?;
                match (self.remove_entry(at, arguments[0])?, arguments.get(1)) {
                    (Some(value), _) | (None, Some(&value)) => Ok(value),
                    (None, None) => Err(self.raise_with(ExceptionKind::KeyError, vec![arguments[0]])),
                }
            }
            "popitem" => {
                if let Some((key, value)) = self.dict_mut(at).pop_last() {
                    Ok(self.heap.tuple([key, value]))
                } else {
                    let text = self.heap.text("popitem(): dictionary is empty");
                    Err(self.raise_with(ExceptionKind::KeyError, vec![text]))
                }
            }
            "clear" => {
                self.dict_mut(at).clear();
                Ok(Value::None)
            }
            "fromkeys" => {
                let flavor = match dict.kind {
                    DictKind::Default(_) => DictKind::Default(Value::None),
                    other => other,
                };
                self.dict_fromkeys(flavor, arguments)
            }
            _ => {
                self.reserve_values(dict.len() * 4)?;
                let HeapObject::Dict(dict) = self.heap.get(at) else { return Ok(Value::None) };
                let copy = HeapObject::Dict(dict.clone());
                Ok(Value::Ref(self.heap.add(copy)))
            }
        }
    }
}
