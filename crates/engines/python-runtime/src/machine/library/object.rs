//! Instances of library classes that have no form of their own in the heap.

use std::sync::Arc;

use indexmap::IndexMap;

use super::operator::Getter;
use super::random::Generator;
use super::regex::{MatchObject, Regex};
use crate::code::Symbol;
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::ExecResult;
use crate::machine::library_class::LibraryClass;
use crate::machine::numpy::{Dtype, GENERATOR, NumpyGenerator, RANDOM_STATE};
use crate::machine::value::{HeapObject, HeapRef, Type, Value};

/// An instance of a library class.
#[derive(Debug, Clone)]
pub(crate) enum LibraryObject {
    /// `object.__dict__`, with the object
    AttributeDict(Value),
    /// `collections.ChainMap`, with the list of its maps
    ChainMap(Value),
    /// `operator.itemgetter`, `operator.attrgetter` or `operator.methodcaller`
    Getter(Getter),
    /// `logging.Logger`, with its name and its level
    Logger(Symbol, i64),
    /// `re.Match`
    Match(Box<MatchObject>),
    /// `types.SimpleNamespace`, with its attributes
    Namespace(IndexMap<Symbol, Value>),
    /// `numpy.finfo` or `numpy.iinfo`
    NumberLimits(Dtype),
    /// `numpy.random.RandomState` or `numpy.random.Generator`
    NumpyRandom(Box<NumpyGenerator>),
    /// `re.Pattern`, with its text
    Pattern(Arc<Regex>, Value),
    /// `random.Random`
    Random(Box<Generator>),
    /// `string.Template`, with its text
    Template(Value),
}

pub(in crate::machine) static ITEM_GETTER: LibraryClass = LibraryClass {
    name: "operator.itemgetter",
    is_callable: true,
    construct: Machine::new_item_getter,
    ..LibraryClass::DEFAULT
};
pub(in crate::machine) static ATTRIBUTE_GETTER: LibraryClass = LibraryClass {
    name: "operator.attrgetter",
    is_callable: true,
    construct: Machine::new_attribute_getter,
    ..LibraryClass::DEFAULT
};
pub(in crate::machine) static METHOD_CALLER: LibraryClass = LibraryClass {
    name: "operator.methodcaller",
    is_callable: true,
    construct: Machine::new_method_caller,
    ..LibraryClass::DEFAULT
};
pub(in crate::machine) static ATTRIBUTE_DICT: LibraryClass = LibraryClass {
    name: "dict",
    bases: &[Type::Dict],
    is_hashable: false,
    methods: &[&super::attribute_dict::METHODS],
    ..LibraryClass::DEFAULT
};
pub(in crate::machine) static CHAIN_MAP: LibraryClass = LibraryClass {
    name: "ChainMap",
    module: "collections.",
    is_hashable: false,
    methods: &[&super::chain_map::METHODS],
    construct: Machine::new_chain_map,
    ..LibraryClass::DEFAULT
};
pub(in crate::machine) static FLOAT_LIMITS: LibraryClass = LibraryClass {
    name: "numpy.finfo",
    construct: |m, a, named| m.new_number_limits(a, named, true),
    ..LibraryClass::DEFAULT
};
pub(in crate::machine) static INTEGER_LIMITS: LibraryClass = LibraryClass {
    name: "numpy.iinfo",
    construct: |m, a, named| m.new_number_limits(a, named, false),
    ..LibraryClass::DEFAULT
};
pub(in crate::machine) static LOGGER: LibraryClass = LibraryClass {
    name: "Logger",
    module: "logging.",
    methods: &[&super::logging::LOGGER_METHODS],
    ..LibraryClass::DEFAULT
};
pub(in crate::machine) static NAMESPACE: LibraryClass = LibraryClass {
    name: "types.SimpleNamespace",
    is_hashable: false,
    construct: Machine::new_namespace,
    ..LibraryClass::DEFAULT
};
pub(in crate::machine) static MATCH: LibraryClass =
    LibraryClass { name: "re.Match", methods: &[&super::regex::MATCH_METHODS], ..LibraryClass::DEFAULT };
pub(in crate::machine) static PATTERN: LibraryClass =
    LibraryClass { name: "re.Pattern", methods: &[&super::regex::PATTERN_METHODS], ..LibraryClass::DEFAULT };
pub(in crate::machine) static RANDOM: LibraryClass = LibraryClass {
    name: "Random",
    module: "random.",
    methods: &[&super::random::METHODS],
    construct: Machine::new_random,
    ..LibraryClass::DEFAULT
};
pub(in crate::machine) static TEMPLATE: LibraryClass = LibraryClass {
    name: "Template",
    module: "string.",
    methods: &[&super::string::TEMPLATE_METHODS],
    construct: Machine::new_template,
    ..LibraryClass::DEFAULT
};

impl LibraryObject {
    /// Returns the class of the object.
    pub(in crate::machine) fn class(&self) -> &'static LibraryClass {
        match self {
            Self::AttributeDict(_) => &ATTRIBUTE_DICT,
            Self::ChainMap(_) => &CHAIN_MAP,
            Self::NumberLimits(kind) if kind.is_float() => &FLOAT_LIMITS,
            Self::NumberLimits(_) => &INTEGER_LIMITS,
            Self::Getter(Getter::Items(_)) => &ITEM_GETTER,
            Self::Getter(Getter::Attributes(_)) => &ATTRIBUTE_GETTER,
            Self::Getter(Getter::Method { .. }) => &METHOD_CALLER,
            Self::Logger(..) => &LOGGER,
            Self::Match(_) => &MATCH,
            Self::Namespace(_) => &NAMESPACE,
            Self::NumpyRandom(generator) => match **generator {
                NumpyGenerator::Legacy(..) => &RANDOM_STATE,
                NumpyGenerator::Pcg64(_) => &GENERATOR,
            },
            Self::Pattern(..) => &PATTERN,
            Self::Random(_) => &RANDOM,
            Self::Template(_) => &TEMPLATE,
        }
    }

    /// Whether the object is a match of a regular expression.
    pub(in crate::machine) fn is_match(&self) -> bool {
        matches!(self, Self::Match(_))
    }

    /// Returns the attributes of an object that has its own ones.
    pub(super) fn attributes(&self) -> Option<&IndexMap<Symbol, Value>> {
        match self {
            Self::Namespace(attributes) => Some(attributes),
            _ => None,
        }
    }

    /// Returns the attributes of an object that has its own ones.
    pub(super) fn attributes_mut(&mut self) -> Option<&mut IndexMap<Symbol, Value>> {
        match self {
            Self::Namespace(attributes) => Some(attributes),
            _ => None,
        }
    }

    /// Whether the object is a mapping: a `ChainMap` or a dict of attributes.
    pub(in crate::machine) fn is_mapping(&self) -> bool {
        matches!(self, Self::ChainMap(_) | Self::AttributeDict(_))
    }

    /// Whether copies of the object are the object itself.
    pub(super) fn is_immutable(&self) -> bool {
        matches!(self, Self::Logger(..) | Self::Match(_) | Self::NumberLimits(_) | Self::Pattern(..))
    }

    /// Passes every value that the object refers to to `visit`.
    pub(in crate::machine) fn visit_references(&self, visit: &mut dyn FnMut(Value)) {
        match self {
            Self::Getter(getter) => getter.visit_references(visit),
            Self::Namespace(attributes) => attributes.values().copied().for_each(visit),
            Self::Template(text) | Self::Pattern(_, text) | Self::ChainMap(text) | Self::AttributeDict(text) => {
                visit(*text);
            }
            Self::Match(found) => [found.pattern, found.text].into_iter().for_each(visit),
            Self::Logger(..) | Self::NumberLimits(_) | Self::NumpyRandom(_) | Self::Random(_) => {}
        }
    }

    /// Replaces every value that the object refers to, in the order of [`Self::visit_references`].
    pub(super) fn replace_references(&mut self, next: &mut dyn FnMut() -> Value) {
        match self {
            Self::Getter(Getter::Items(items)) => items.iter_mut().for_each(|item| *item = next()),
            Self::Getter(Getter::Method { arguments, named, .. }) => {
                arguments.iter_mut().chain(named.iter_mut().map(|(_, value)| value)).for_each(|value| *value = next());
            }
            Self::Namespace(attributes) => attributes.values_mut().for_each(|value| *value = next()),
            Self::Template(text) | Self::ChainMap(text) | Self::AttributeDict(text) => *text = next(),
            Self::Getter(Getter::Attributes(_))
            | Self::Logger(..)
            | Self::Match(_)
            | Self::NumberLimits(_)
            | Self::NumpyRandom(_)
            | Self::Pattern(..)
            | Self::Random(_) => {}
        }
    }

    /// Removes an attribute and returns its value.
    pub(in crate::machine) fn remove_attribute(&mut self, symbol: Symbol) -> Option<Value> {
        match self {
            Self::Namespace(attributes) => attributes.shift_remove(&symbol),
            _ => None,
        }
    }

    /// Returns the estimated bytes of the contents.
    pub(in crate::machine) fn bytes(&self) -> usize {
        match self {
            Self::AttributeDict(_)
            | Self::ChainMap(_)
            | Self::Getter(_)
            | Self::Template(_)
            | Self::Logger(..)
            | Self::NumberLimits(_)
            | Self::Pattern(..) => size_of::<Self>(),
            Self::Match(found) => found.bytes(),
            Self::Namespace(attributes) => 64 * attributes.len(),
            Self::Random(_) | Self::NumpyRandom(_) => size_of::<Generator>(),
        }
    }
}

impl Machine {
    pub(in crate::machine) fn new_library_object(&mut self, object: LibraryObject) -> Value {
        Value::Ref(self.heap.add(HeapObject::Library(Box::new(object))))
    }

    pub(in crate::machine) fn library_object(&self, at: HeapRef) -> Option<&LibraryObject> {
        match self.heap.get(at) {
            HeapObject::Library(object) => Some(object),
            _ => None,
        }
    }

    pub(in crate::machine) fn library_object_mut(&mut self, at: HeapRef) -> Option<&mut LibraryObject> {
        match self.heap.get_mut(at) {
            HeapObject::Library(object) => Some(object),
            _ => None,
        }
    }

    /// Calls a library object that is callable.
    pub(in crate::machine) fn call_library_object(
        &mut self,
        at: HeapRef,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        if let Some(LibraryObject::Getter(getter)) = self.library_object(at) {
            let getter = getter.clone();
            return self.nested(|machine| machine.call_getter(&getter, arguments, named));
        }
        let message = format!("'{}' object is not callable", self.class_name(Value::Ref(at)));
        Err(self.type_error(&message))
    }

    /// Returns an attribute of a library object; methods are not included.
    pub(in crate::machine) fn library_object_attribute(&mut self, at: HeapRef, symbol: Symbol) -> Option<Value> {
        match self.library_object(at)? {
            LibraryObject::Namespace(attributes) => attributes.get(&symbol).copied(),
            LibraryObject::Logger(name, level) => {
                let (name, level) = (*name, *level);
                self.logger_attribute(name, level, symbol)
            }
            LibraryObject::Template(text) => {
                let text = *text;
                (&*self.name(symbol) == "template").then_some(text)
            }
            &LibraryObject::ChainMap(maps) => {
                let name = self.name(symbol);
                self.chain_map_attribute(maps, &name)
            }
            &LibraryObject::NumberLimits(kind) => {
                let name = self.name(symbol);
                self.number_limit(kind, &name)
            }
            LibraryObject::Match(_) | LibraryObject::Pattern(..) => {
                let name = self.name(symbol);
                self.regex_attribute(at, &name)
            }
            LibraryObject::AttributeDict(_)
            | LibraryObject::Getter(_)
            | LibraryObject::NumpyRandom(_)
            | LibraryObject::Random(_) => None,
        }
    }

    /// Sets an attribute of a library object; returns false if it has no attributes of its own.
    pub(in crate::machine) fn set_library_object_attribute(
        &mut self,
        at: HeapRef,
        symbol: Symbol,
        value: Value,
    ) -> bool {
        let Some(LibraryObject::Namespace(attributes)) = self.library_object_mut(at) else { return false };
        if attributes.insert(symbol, value).is_none() {
            self.heap.record_growth(4);
        }
        true
    }

    /// Returns the representation of a library object; `None` for the one that all objects have.
    pub(in crate::machine) fn library_object_repr(&mut self, at: HeapRef) -> ExecResult<Option<String>> {
        Ok(match self.library_object(at).cloned() {
            Some(LibraryObject::Getter(getter)) => Some(self.getter_repr(&getter)?),
            Some(LibraryObject::Namespace(attributes)) => {
                let mut parts = Vec::new();
                for (symbol, value) in attributes {
                    parts.push(format!("{}={}", self.name(symbol), self.repr(value)?));
                }
                Some(format!("namespace({})", parts.join(", ")))
            }
            Some(LibraryObject::Match(_) | LibraryObject::Pattern(..)) => self.regex_repr(at)?,
            Some(LibraryObject::AttributeDict(_)) => match self.merged_maps(at)? {
                Some(copy) => Some(self.repr(Value::Ref(copy))?),
                None => None,
            },
            Some(LibraryObject::ChainMap(maps)) => {
                let mut parts = Vec::new();
                for map in self.collect_values(maps)? {
                    parts.push(self.repr(map)?);
                }
                Some(format!("ChainMap({})", parts.join(", ")))
            }
            Some(LibraryObject::Logger(name, level)) => {
                Some(format!("<Logger {} ({})>", self.name(name), super::logging::level_name(level)))
            }
            _ => None,
        })
    }

    /// Returns whether two library objects are equal.
    pub(in crate::machine) fn library_objects_equal(&mut self, one: HeapRef, other: HeapRef) -> ExecResult<bool> {
        if let (Some(LibraryObject::Pattern(one, _)), Some(LibraryObject::Pattern(other, _))) =
            (self.library_object(one), self.library_object(other))
        {
            return Ok(Arc::ptr_eq(one, other));
        }
        if let (Some(LibraryObject::ChainMap(_)), Some(LibraryObject::ChainMap(_)))
        | (Some(LibraryObject::AttributeDict(_)), Some(LibraryObject::AttributeDict(_))) =
            (self.library_object(one), self.library_object(other))
        {
            let (one, other) = (self.merged_maps(one)?, self.merged_maps(other)?);
            let [one, other] = [one, other].map(|merged| merged.map_or(Value::None, Value::Ref));
            return self.equal(one, other);
        }
        let (Some(LibraryObject::Namespace(first)), Some(LibraryObject::Namespace(second))) =
            (self.library_object(one), self.library_object(other))
        else {
            return Ok(one == other);
        };
        let (first, second) = (first.clone(), second.clone());
        if first.len() != second.len() {
            return Ok(false);
        }
        for (symbol, value) in first {
            let Some(&other) = second.get(&symbol) else { return Ok(false) };
            if !self.nested(|machine| machine.equal_or_same(value, other))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Implements `types.SimpleNamespace(..)`.
    fn new_namespace(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        if !arguments.is_empty() {
            return Err(self.type_error("no positional arguments expected"));
        }
        self.heap.record_growth(4 * named.len());
        Ok(self.new_library_object(LibraryObject::Namespace(named.iter().copied().collect())))
    }

    /// Implements `np.finfo(..)`, and `np.iinfo(..)` for integers.
    fn new_number_limits(&mut self, arguments: &[Value], named: KeywordArguments<'_>, is_float: bool) -> ExecResult {
        let name = if is_float { "finfo" } else { "iinfo" };
        let value = self.single_argument(name, arguments, named)?;
        let kind = match (self.as_dtype(value), value) {
            (Some(kind), _) => Some(kind),
            (None, Value::Float(_)) => Some(Dtype::Float),
            (None, Value::Int(_)) => Some(Dtype::Int),
            _ => None,
        };
        match kind.filter(|kind| kind.is_float() == is_float && *kind != Dtype::Bool) {
            Some(kind) => Ok(self.new_library_object(LibraryObject::NumberLimits(kind))),
            None if is_float => {
                let message = "data type not inexact";
                Err(self.raise(crate::machine::exceptions::ExceptionKind::ValueError, message))
            }
            None => {
                Err(self.raise(crate::machine::exceptions::ExceptionKind::ValueError, "Invalid integer data type."))
            }
        }
    }
}
