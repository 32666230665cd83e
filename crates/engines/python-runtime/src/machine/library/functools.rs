//! Functions of `functools`.

mod descriptors;
mod dispatch;

use std::sync::Arc;

use crate::code::Symbol;
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::ExecResult;
use crate::machine::library_function::Implementation::Values;
use crate::machine::library_function::LibraryFunction as Function;
use crate::machine::parameters::{BoundArguments, NamedParameters, Origin};
use crate::machine::value::{AttributeMap, HeapObject, HeapRef, Value};

/// The field with the qualified name of a function, set if `update_wrapper` copied it from another function.
const QUALIFIED_NAME_ATTRIBUTE: &str = "__qualname__";

/// The default `maxsize` of `lru_cache`.
const DEFAULT_CACHE_SIZE: i64 = 128;

/// The functions of `functools`, in the order of their names.
pub(in crate::machine) static FUNCTIONS: [Function; 11] = [
    Function::named("functools.cache", NamedParameters::new(Origin::Python, &["user_function"]), |m, b| {
        Ok(m.new_lru_cache(b.required(0), None, false))
    }),
    Function::named("functools.cached_property", NamedParameters::new(Origin::Python, &["func"]), |m, b| {
        Ok(m.new_cached_property(b.required(0)))
    }),
    Function::named("functools.cmp_to_key", NamedParameters::new(Origin::C, &["mycmp"]), |m, b| {
        Ok(Value::Ref(m.heap.add(HeapObject::ComparisonKey { function: b.required(0), value: None })))
    }),
    Function::named(
        "functools.lru_cache",
        NamedParameters::new(Origin::Python, &["maxsize", "typed"]).with_required(0),
        Machine::lru_cache,
    ),
    Function::custom("functools.partialmethod", Machine::partial_method),
    Function::named(
        "functools.reduce",
        NamedParameters::new(Origin::PositionalC, &["function", "iterable", "initial"]).with_required(2),
        Machine::reduce,
    ),
    Function::named("functools.singledispatch", NamedParameters::new(Origin::Python, &["func"]), |m, b| {
        m.single_dispatch(b.required(0), 0)
    }),
    Function::named("functools.singledispatchmethod", NamedParameters::new(Origin::Python, &["func"]), |m, b| {
        m.single_dispatch(b.required(0), 1)
    }),
    Function::named("functools.total_ordering", NamedParameters::new(Origin::Python, &["cls"]), |m, b| {
        m.total_ordering(b.required(0))
    }),
    Function::named(
        "functools.update_wrapper",
        NamedParameters::new(Origin::Python, &["wrapper", "wrapped", "assigned", "updated"]).with_required(2),
        |m, b| {
            let [assigned, updated] = [2, 3].map(|index| b.get(index).unwrap_or(Value::Ellipsis));
            m.update_wrapper(&[b.required(1), assigned, updated, b.required(0)])
        },
    ),
    Function::named(
        "functools.wraps",
        NamedParameters::new(Origin::Python, &["wrapped", "assigned", "updated"]).with_required(1),
        |m, b| Ok(m.wraps(b)),
    ),
];

/// The function that `lru_cache(..)` returns, with its two arguments before the decorated function.
static LRU_CACHE_DECORATOR: Function = Function::new(
    "functools.lru_cache.decorator",
    3,
    3,
    Values(|m, a, _| {
        let max_size = if let Value::Int(max_size) = a[0] { Some(max_size) } else { None };
        Ok(m.new_lru_cache(a[2], max_size, matches!(a[1], Value::Bool(true))))
    }),
);

/// The function that `wraps(..)` returns, with its three arguments before the decorated function.
static UPDATE_WRAPPER: Function =
    Function::new("functools.update_wrapper", 4, 4, Values(|m, a, _| m.update_wrapper(a)));

impl Machine {
    fn reduce(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let Some(iterator) = self.try_iterator(bound.required(1))? else {
            return Err(self.type_error("reduce() arg 2 must support iteration"));
        };
        let first = match bound.get(2) {
            Some(first) => Some(first),
            None => self.advance(iterator)?,
        };
        let Some(mut total) = first else {
            return Err(self.type_error("reduce() of empty iterable with no initial value"));
        };
        while let Some(item) = self.advance(iterator)? {
            total = self.call_value(bound.required(0), &[total, item], &[])?;
        }
        Ok(total)
    }

    fn lru_cache(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let typed = bound.get(1).map_or(Ok(false), |typed| self.truth(typed))?;
        let max_size = match bound.get(0) {
            Some(Value::None) => Value::None,
            None => Value::Int(DEFAULT_CACHE_SIZE),
            Some(max_size) if self.as_integer(max_size)?.is_some() => Value::Int(self.as_index(max_size)?.max(0)),
            Some(function) if self.is_callable(function) => {
                return Ok(self.new_lru_cache(function, Some(DEFAULT_CACHE_SIZE), typed));
            }
            Some(_) => {
                let message = "Expected first argument to be an integer, a callable, or None";
                return Err(self.type_error(message));
            }
        };
        let decorator = Value::Builtin(&LRU_CACHE_DECORATOR);
        Ok(self.new_partial(decorator, vec![max_size, Value::Bool(typed)], Vec::new()))
    }

    fn wraps(&mut self, bound: &BoundArguments<'_>) -> Value {
        let [assigned, updated] = [1, 2].map(|index| bound.get(index).unwrap_or(Value::Ellipsis));
        let update = Value::Builtin(&UPDATE_WRAPPER);
        self.new_partial(update, vec![bound.required(0), assigned, updated], Vec::new())
    }

    fn update_wrapper(&mut self, arguments: &[Value]) -> ExecResult {
        let mut listed = [None, None];
        for (names, &given) in listed.iter_mut().zip(&arguments[1..3]) {
            if !matches!(given, Value::Ellipsis) {
                let mut all = Vec::new();
                for name in self.collect_values(given)? {
                    all.push(self.str(name)?);
                }
                *names = Some(all);
            }
        }
        self.copy_wrapper_attributes(arguments[3], arguments[0], &listed)?;
        Ok(arguments[3])
    }

    /// Copies the name and the attributes of `model` to a function: the listed ones, or all.
    fn copy_wrapper_attributes(
        &mut self,
        function: Value,
        model: Value,
        [assigned, updated]: &[Option<Vec<String>>; 2],
    ) -> ExecResult<()> {
        let takes = |name: &str| assigned.as_ref().is_none_or(|names| names.iter().any(|one| one == name));
        let takes_fields = updated.as_ref().is_none_or(|names| names.iter().any(|one| one == "__dict__"));
        let name = self.intern("__name__");
        let qualified = self.intern(QUALIFIED_NAME_ATTRIBUTE);
        let mut fields = Vec::new();
        let full = match model {
            Value::Ref(at) if let HeapObject::Function(function) = self.heap.get(at) => {
                let own = function.attributes.iter().filter(|_| takes_fields);
                fields.extend(own.map(|(&symbol, &value)| (symbol, value)));
                Some(self.qualified_name(at))
            }
            _ => None,
        };
        let documentation = self.intern("__doc__");
        if let Some(text) = self.try_attribute(model, documentation)? {
            fields.extend(takes("__doc__").then_some((documentation, text)));
        }
        if let Some(own) = self.try_attribute(model, name)? {
            let full = full.map_or(own, |full| self.heap.text(&full));
            fields.extend(takes("__name__").then_some((name, own)));
            fields.extend(takes("__qualname__").then_some((qualified, full)));
        }
        fields.push((self.intern("__wrapped__"), model));
        let Value::Ref(at) = function else { return Ok(()) };
        match self.heap.get_mut(at) {
            HeapObject::Function(function) => function.attributes.extend(fields),
            HeapObject::Wrapper(wrapper) => wrapper.attributes.extend(fields),
            HeapObject::Instance { attributes, .. } => {
                let before = attributes.len();
                attributes.extend(fields);
                let added = attributes.len() - before;
                self.heap.record_growth(4 * added);
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the qualified name of a function, as messages show it.
    pub(in crate::machine) fn qualified_name(&self, function: HeapRef) -> Arc<str> {
        let HeapObject::Function(function) = self.heap.get(function) else { unreachable!("called with functions") };
        let symbol = self.names.find(QUALIFIED_NAME_ATTRIBUTE);
        let own_name = symbol.and_then(|symbol| function.attributes.get(&symbol)).and_then(|&name| self.as_text(name));
        own_name.unwrap_or_else(|| self.program.code(function.code).qualified_name.clone())
    }

    fn new_lru_cache(&mut self, function: Value, max_size: Option<i64>, typed: bool) -> Value {
        let memo = self.empty_dict();
        Value::Ref(self.heap.add(HeapObject::LruCache { function, memo, max_size, typed, hits_and_misses: [0; 2] }))
    }

    /// Implements `cache_info`, `cache_parameters` and `cache_clear` of a cached function.
    /// Implements `cache_info()`.
    pub(in crate::machine) fn cache_info(&mut self, at: HeapRef) -> ExecResult {
        let HeapObject::LruCache { memo, max_size, hits_and_misses: [hits, misses], .. } = *self.heap.get(at) else {
            return Ok(Value::None);
        };
        let size = self.dict_mut(memo).len() as i64;
        let max_size = max_size.map_or(Value::None, Value::Int);
        let names = ["hits", "misses", "maxsize", "currsize"].map(|name| (self.intern(name), None));
        let class = self.new_named_tuple_class("CacheInfo", names.to_vec(), AttributeMap::default());
        let values = [Value::Int(hits), Value::Int(misses), max_size, Value::Int(size)];
        self.new_named_tuple(class, class, &values, &[])
    }

    /// Implements `cache_parameters()`.
    pub(in crate::machine) fn cache_parameters(&mut self, at: HeapRef) -> ExecResult {
        let HeapObject::LruCache { max_size, typed, .. } = *self.heap.get(at) else { return Ok(Value::None) };
        let dict = self.empty_dict();
        let max_size = max_size.map_or(Value::None, Value::Int);
        for (name, value) in [("maxsize", max_size), ("typed", Value::Bool(typed))] {
            let key = self.heap.text(name);
            self.set_entry(dict, key, value)?;
        }
        Ok(Value::Ref(dict))
    }

    /// Implements `cache_clear()`.
    pub(in crate::machine) fn clear_cache(&mut self, at: HeapRef) -> Value {
        if let HeapObject::LruCache { memo, hits_and_misses, .. } = self.heap.get_mut(at) {
            *hits_and_misses = [0; 2];
            let memo = *memo;
            self.dict_mut(memo).clear();
        }
        Value::None
    }

    fn count_cache_lookup(&mut self, at: HeapRef, place: usize) {
        if let HeapObject::LruCache { hits_and_misses, .. } = self.heap.get_mut(at) {
            hits_and_misses[place] += 1;
        }
    }

    /// Calls a cached function.
    pub(in crate::machine) fn call_lru_cache(
        &mut self,
        at: HeapRef,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let HeapObject::LruCache { function, memo, max_size, typed, .. } = *self.heap.get(at) else {
            return Ok(Value::None);
        };
        let key = match *arguments {
            [one @ Value::Int(_)] if named.is_empty() && !typed => one,
            [one] if named.is_empty() && !typed && self.as_text(one).is_some() => one,
            _ => {
                let mut parts = arguments.to_vec();
                if typed {
                    let all: Vec<Value> =
                        arguments.iter().chain(named.iter().map(|(_, value)| value)).copied().collect();
                    parts.extend(all.into_iter().map(|value| self.class_of(value)));
                }
                for &(symbol, value) in named {
                    let name = Value::Ref(self.heap.add(HeapObject::Text(self.name(symbol))));
                    parts.extend([Value::Ellipsis, name, value]);
                }
                self.heap.tuple(parts)
            }
        };
        if let Some(value) = self.entry(memo, key)? {
            self.count_cache_lookup(at, 0);
            if max_size.is_some() {
                // Reinsertion moves the entry to the end: the least recently used one is evicted first.
                self.remove_entry(memo, key)?;
                self.set_entry(memo, key, value)?;
            }
            return Ok(value);
        }
        self.count_cache_lookup(at, 1);
        let value = self.call_value(function, arguments, named)?;
        if let Some(max_size) = max_size {
            let full = self.dict_mut(memo).len() as i64 >= max_size;
            let oldest = self.dict_mut(memo).next_from(0).filter(|_| full);
            if let Some((place, _, _)) = oldest {
                self.dict_mut(memo).remove_at(place);
            }
            if max_size == 0 {
                return Ok(value);
            }
        }
        self.set_entry(memo, key, value)?;
        Ok(value)
    }

    pub(in crate::machine) fn partial(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let [function, arguments @ ..] = arguments else {
            return Err(self.type_error("type 'partial' takes at least one argument"));
        };
        if !self.is_callable(*function) {
            return Err(self.type_error("the first argument must be callable"));
        }
        Ok(self.new_partial(*function, arguments.to_vec(), named.to_vec()))
    }

    pub(in crate::machine) fn new_partial(
        &mut self,
        function: Value,
        arguments: Vec<Value>,
        named: Vec<(Symbol, Value)>,
    ) -> Value {
        let (mut function, mut arguments, mut named) = (function, arguments, named);
        // A partial of a partial is flattened.
        if let Value::Ref(at) = function
            && let HeapObject::Partial { function: inner, arguments: first, named: before } = self.heap.get(at)
        {
            arguments.splice(0..0, first.iter().copied());
            named = override_keywords(before, &named);
            function = *inner;
        }
        let partial = HeapObject::Partial { function, arguments: arguments.into(), named: named.into() };
        Value::Ref(self.heap.add(partial))
    }

    /// Returns an attribute of a partial object: `func`, `args` or `keywords`.
    pub(in crate::machine) fn partial_attribute(
        &mut self,
        function: Value,
        arguments: &[Value],
        named: KeywordArguments<'_>,
        name: &str,
    ) -> ExecResult<Option<Value>> {
        Ok(Some(match name {
            "func" => function,
            "args" => self.heap.tuple(arguments),
            "keywords" => {
                let dict = self.empty_dict();
                self.fill_dict(dict, &[], named)?;
                Value::Ref(dict)
            }
            _ => return Ok(None),
        }))
    }

    pub(in crate::machine) fn call_partial(
        &mut self,
        at: HeapRef,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let HeapObject::Partial { function, arguments: first, named: before } = self.heap.get(at) else {
            return Ok(Value::None);
        };
        let function = *function;
        let all = [first, arguments].concat();
        let named = override_keywords(before, named);
        self.nested(|machine| machine.call_value(function, &all, &named))
    }
}

/// Merges keyword arguments; later ones override earlier ones of the same name.
fn override_keywords(before: &[(Symbol, Value)], named: KeywordArguments<'_>) -> Vec<(Symbol, Value)> {
    let mut merged = before.to_vec();
    for &(symbol, value) in named {
        match merged.iter_mut().find(|(other, _)| *other == symbol) {
            Some(slot) => slot.1 = value,
            None => merged.push((symbol, value)),
        }
    }
    merged
}
