//! The abstract base classes of `collections.abc` that programs derive classes from: their abstract methods, and the methods that derived
//! classes inherit.

use super::Machine;
use super::exceptions::{ExceptionKind, ExecError, ExecResult};
use super::iterators::{EntryPart, IteratorState};
use super::library_function::Implementation::Values;
use super::library_function::LibraryFunction as Function;
use super::value::{HeapObject, HeapRef, Type, Value};
use crate::code::Symbol;

/// An abstract base class.
struct AbstractBase {
    /// The name of the class in `typing`.
    name: &'static str,
    /// The abstract base classes from which it is derived, among those whose instances are not recognized by their methods.
    ancestors: &'static [&'static str],
    abstract_methods: &'static [&'static str],
    /// The methods that derived classes inherit.
    methods: &'static [&'static [Function]],
}

static BASES: [AbstractBase; 11] = [
    AbstractBase::without_methods("typing.Callable", &["__call__"]),
    AbstractBase::without_methods("typing.Collection", &["__contains__", "__iter__", "__len__"]),
    AbstractBase::without_methods("typing.Container", &["__contains__"]),
    AbstractBase::without_methods("typing.Hashable", &["__hash__"]),
    AbstractBase::without_methods("typing.Iterable", &["__iter__"]),
    AbstractBase { methods: &[&ITERATOR], ..AbstractBase::without_methods("typing.Iterator", &["__next__"]) },
    AbstractBase {
        methods: &[&MAPPING],
        ..AbstractBase::without_methods("typing.Mapping", &["__getitem__", "__iter__", "__len__"])
    },
    AbstractBase {
        name: "typing.MutableMapping",
        ancestors: &["typing.Mapping"],
        abstract_methods: &["__delitem__", "__getitem__", "__iter__", "__len__", "__setitem__"],
        methods: &[&MUTABLE_MAPPING, &MAPPING],
    },
    AbstractBase::without_methods("typing.Reversible", &["__iter__", "__reversed__"]),
    AbstractBase {
        methods: &[&SEQUENCE],
        ..AbstractBase::without_methods("typing.Sequence", &["__getitem__", "__len__"])
    },
    AbstractBase::without_methods("typing.Sized", &["__len__"]),
];

static ITERATOR: [Function; 1] = [Function::unary("Iterator.__iter__", |_, a, _| Ok(a[0]))];

static SEQUENCE: [Function; 5] = [
    Function::new("Sequence.__contains__", 2, 2, Values(|m, a, _| Ok(Value::Bool(m.find_element(a)?.is_some())))),
    Function::unary("Sequence.__iter__", |m, a, _| Ok(m.new_iterator(IteratorState::GetItem(a[0], 0)))),
    Function::unary("Sequence.__reversed__", |m, a, _| {
        let mut values = m.elements(a[0])?;
        values.reverse();
        let list = m.heap.list(values);
        m.iterator(list)
    }),
    Function::new(
        "Sequence.count",
        2,
        2,
        Values(|m, a, _| {
            let mut count = 0;
            for value in m.elements(a[0])? {
                count += i64::from(m.equal_or_same(value, a[1])?);
            }
            Ok(Value::Int(count))
        }),
    ),
    Function::new(
        "Sequence.index",
        2,
        2,
        Values(|m, a, _| match m.find_element(a)? {
            Some(place) => Ok(Value::Int(place)),
            None => Err(m.raise_with(ExceptionKind::ValueError, Vec::new())),
        }),
    ),
];

static MAPPING: [Function; 6] = [
    Function::new(
        "Mapping.__contains__",
        2,
        2,
        Values(|m, a, _| Ok(Value::Bool(m.mapping_item(a[0], a[1])?.is_some()))),
    ),
    Function::new(
        "Mapping.__eq__",
        2,
        2,
        Values(|m, a, _| {
            let (Some(one), Some(two)) = (m.entries_of_mapping(a[0])?, m.entries_of_mapping(a[1])?) else {
                return Ok(Value::NotImplemented);
            };
            let [one, two] = [one, two].map(|entries| m.dict_of_entries(entries));
            m.equal(one?, two?).map(Value::Bool)
        }),
    ),
    Function::new(
        "Mapping.get",
        2,
        3,
        Values(|m, a, _| Ok(m.mapping_item(a[0], a[1])?.unwrap_or(a.get(2).copied().unwrap_or(Value::None)))),
    ),
    Function::unary("Mapping.items", |m, a, _| m.mapping_view(a[0], EntryPart::Items)),
    Function::unary("Mapping.keys", |m, a, _| m.mapping_view(a[0], EntryPart::Keys)),
    Function::unary("Mapping.values", |m, a, _| m.mapping_view(a[0], EntryPart::Values)),
];

static MUTABLE_MAPPING: [Function; 5] = [
    Function::unary("MutableMapping.clear", |m, a, _| {
        let keys = m.collect_values(a[0])?;
        keys.into_iter().try_for_each(|key| m.delete_item(a[0], key))?;
        Ok(Value::None)
    }),
    Function::new(
        "MutableMapping.pop",
        2,
        3,
        Values(|m, a, _| match (m.mapping_item(a[0], a[1])?, a.get(2)) {
            (Some(value), _) => m.delete_item(a[0], a[1]).map(|()| value),
            (None, Some(&default)) => Ok(default),
            (None, None) => Err(m.raise_with(ExceptionKind::KeyError, vec![a[1]])),
        }),
    ),
    Function::unary("MutableMapping.popitem", |m, a, _| {
        let iterator = m.iterator(a[0])?;
        let Some(key) = m.advance(iterator)? else {
            return Err(m.raise_with(ExceptionKind::KeyError, Vec::new()));
        };
        let value = m.get_item(a[0], key)?;
        m.delete_item(a[0], key)?;
        Ok(m.heap.tuple([key, value]))
    }),
    Function::new(
        "MutableMapping.setdefault",
        2,
        3,
        Values(|m, a, _| {
            if let Some(value) = m.mapping_item(a[0], a[1])? {
                return Ok(value);
            }
            let default = a.get(2).copied().unwrap_or(Value::None);
            m.set_item(a[0], a[1], default).map(|()| default)
        }),
    ),
    Function::custom("MutableMapping.update", |m, a, named| {
        let [mapping, others @ ..] = a else {
            return Err(m.type_error("MutableMapping.update() missing 1 required positional argument: 'self'"));
        };
        let added = m.empty_dict();
        m.fill_dict(added, others, named)?;
        let entries: Vec<(Value, Value)> = m.dict(added).iter().collect();
        for (key, value) in entries {
            m.set_item(*mapping, key, value)?;
        }
        Ok(Value::None)
    }),
];

impl AbstractBase {
    const fn without_methods(name: &'static str, abstract_methods: &'static [&'static str]) -> Self {
        Self { name, ancestors: &[], abstract_methods, methods: &[] }
    }
}

fn abstract_base(kind: Type) -> Option<&'static AbstractBase> {
    let Type::Typing(name) = kind else { return None };
    BASES.iter().find(|base| base.name == *name)
}

/// Returns the message for a call of an abstract base class itself.
pub(super) fn instantiation_message(name: &str) -> Option<String> {
    let base = BASES.iter().find(|base| base.name == name)?;
    let plural = if base.abstract_methods.len() == 1 { "" } else { "s" };
    let class = name.trim_start_matches("typing.");
    let methods = base.abstract_methods.join(", ");
    Some(format!("Can't instantiate abstract class {class} with abstract method{plural} {methods}"))
}

/// Returns whether programs may derive classes from an abstract base class.
pub(super) fn is_abstract_base(kind: Type) -> bool {
    abstract_base(kind).is_some()
}

/// Returns whether an abstract base class is another one, or is derived from it.
pub(super) fn is_derived_abstract_base(kind: Type, name: &str) -> bool {
    abstract_base(kind).is_some_and(|base| base.name == name || base.ancestors.contains(&name))
}

/// Returns whether a function is a method that classes inherit from an abstract base class.
pub(super) fn is_inherited_method(function: &'static Function) -> bool {
    let mut methods = BASES.iter().flat_map(|base| base.methods.iter().copied().flatten());
    methods.any(|method| std::ptr::eq(method, function))
}

impl Machine {
    /// Adds the methods that a class inherits from abstract base classes and that no other class before them defines.
    pub(super) fn inherit_methods(&mut self, class: HeapRef) -> ExecResult<()> {
        for base in self.class_cell(class).mro.clone() {
            let Value::Type(kind) = base else { continue };
            let Some(base) = abstract_base(kind) else { continue };
            for method in base.methods.iter().copied().flatten() {
                self.charge(1)?;
                let symbol = self.intern(method.short_name());
                if self.class_field(class, symbol).is_none()
                    && let HeapObject::Class(cell) = self.heap.get_mut(class)
                {
                    cell.attributes.insert(symbol, Value::Builtin(method));
                }
            }
        }
        Ok(())
    }

    /// Returns the abstract methods of the abstract base classes of a class that no class defines.
    pub(super) fn undefined_methods(&mut self, class: HeapRef) -> Vec<Symbol> {
        let bases = self.class_cell(class).mro.clone();
        let bases = bases.into_iter().filter_map(|base| match base {
            Value::Type(kind) => abstract_base(kind),
            _ => None,
        });
        let names: Vec<Symbol> = bases.flat_map(|base| base.abstract_methods).map(|name| self.intern(name)).collect();
        names.into_iter().filter(|&name| self.class_field(class, name).is_none()).collect()
    }

    /// Returns the elements of a sequence, which `__getitem__` gives.
    fn elements(&mut self, sequence: Value) -> ExecResult<Vec<Value>> {
        let iterator = self.new_iterator(IteratorState::GetItem(sequence, 0));
        self.collect_values(iterator)
    }

    /// Returns the index of a value in a sequence, the second argument in the first.
    fn find_element(&mut self, arguments: &[Value]) -> ExecResult<Option<i64>> {
        let iterator = self.new_iterator(IteratorState::GetItem(arguments[0], 0));
        let mut place = 0;
        while let Some(value) = self.advance(iterator)? {
            if self.equal_or_same(value, arguments[1])? {
                return Ok(Some(place));
            }
            place += 1;
        }
        Ok(None)
    }

    /// Returns an item of a mapping; `None` if `__getitem__` raises `KeyError`.
    pub(super) fn mapping_item(&mut self, mapping: Value, key: Value) -> ExecResult<Option<Value>> {
        match self.get_item(mapping, key) {
            Ok(value) => Ok(Some(value)),
            Err(ExecError::Raised(raised)) if self.is_exception_of_kind(raised, ExceptionKind::KeyError) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    fn dict_of_entries(&mut self, entries: Vec<(Value, Value)>) -> ExecResult {
        let dict = self.empty_dict();
        entries.into_iter().try_for_each(|(key, value)| self.set_entry(dict, key, value))?;
        Ok(Value::Ref(dict))
    }

    /// Returns a view of the present entries of a mapping.
    fn mapping_view(&mut self, mapping: Value, part: EntryPart) -> ExecResult {
        let mut entries = Vec::new();
        for key in self.collect_values(mapping)? {
            entries.push((key, self.get_item(mapping, key)?));
        }
        let dict = self.dict_of_entries(entries)?;
        Ok(Value::Ref(self.heap.add(HeapObject::DictView(dict, part))))
    }
}
