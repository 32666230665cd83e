//! `functools`

use std::sync::Arc;

use crate::code::Symbol;
use crate::machine::Machine;
use crate::machine::builtins::Builtin;
use crate::machine::call::Named;
use crate::machine::exceptions::Outcome;
use crate::machine::value::{Cell, Ref, Value};

/// The field of a function that has its name with those of what is around it, if another function gave it.
const QUALIFIED: &str = "__qualname__";

/// How many results `lru_cache` keeps if it is not said.
const KEPT: i64 = 128;

impl Machine<'_> {
    pub(super) fn functools(&mut self, name: &'static str, arguments: &[Value], named: Named<'_>) -> Outcome {
        match name {
            "functools.reduce" => {
                self.no_named("reduce", named)?;
                self.between("reduce", arguments.len(), 2, 3)?;
                let Some(iterator) = self.try_iterator(arguments[1])? else {
                    return Err(self.type_error("reduce() arg 2 must support iteration"));
                };
                let first = match arguments.get(2) {
                    Some(&first) => Some(first),
                    None => self.advance(iterator)?,
                };
                let Some(mut total) = first else {
                    return Err(self.type_error("reduce() of empty iterable with no initial value"));
                };
                while let Some(item) = self.advance(iterator)? {
                    total = self.call_value(arguments[0], &[total, item], &[])?;
                }
                Ok(total)
            }
            "functools.cache" => {
                let function = self.one("cache", arguments, named)?;
                Ok(self.cached(function, None))
            }
            "functools.lru_cache" => {
                let [most, _] = self.library_arguments("lru_cache", ["maxsize", "typed"], 0, arguments, named)?;
                match most {
                    Some(function) if self.is_callable(function) => Ok(self.cached(function, Some(KEPT))),
                    Some(Value::None) => Ok(Value::Builtin(Builtin::Library("functools.cache"))),
                    other => {
                        let most = other.map_or(Ok(KEPT), |most| self.index(most))?.max(0);
                        let maker = Value::Builtin(Builtin::Library("functools.kept"));
                        Ok(self.new_partial(maker, vec![Value::Int(most)], Vec::new()))
                    }
                }
            }
            "functools.kept" => {
                self.between("lru_cache", arguments.len(), 2, 2)?;
                let most = self.index(arguments[0])?;
                Ok(self.cached(arguments[1], Some(most)))
            }
            "functools.wraps" => {
                let wrapped = self.one("wraps", arguments, named)?;
                let update = Value::Builtin(Builtin::Library("functools.update_wrapper"));
                Ok(self.new_partial(update, vec![wrapped], Vec::new()))
            }
            "functools.update_wrapper" => {
                self.between("update_wrapper", arguments.len(), 2, 2)?;
                self.name_as(arguments[1], arguments[0])?;
                Ok(arguments[1])
            }
            _ => {
                let class = self.one("total_ordering", arguments, named)?;
                self.total_ordering(class)
            }
        }
    }

    /// Gives a function the name and the attributes of another one.
    fn name_as(&mut self, function: Value, model: Value) -> Outcome<()> {
        let name = self.symbol("__name__");
        let qualified = self.symbol(QUALIFIED);
        let mut fields = Vec::new();
        let full = match model {
            Value::Ref(at) if let Cell::Function(function) = self.heap.get(at) => {
                fields.extend(function.fields.iter().map(|(&symbol, &value)| (symbol, value)));
                Some(self.qualified_name(at))
            }
            _ => None,
        };
        if let Some(own) = self.attribute_if_any(model, name)? {
            let full = full.map_or(own, |full| self.heap.text(&full));
            fields.extend([(name, own), (qualified, full)]);
        }
        if let Value::Ref(at) = function
            && let Cell::Function(function) = self.heap.get_mut(at)
        {
            function.fields.extend(fields);
        }
        Ok(())
    }

    /// What messages call a function.
    pub(in crate::machine) fn qualified_name(&self, function: Ref) -> Arc<str> {
        let Cell::Function(function) = self.heap.get(function) else { unreachable!("called with functions") };
        let symbol = self.names.get_index_of(QUALIFIED).map(|place| Symbol(place as u32));
        let given = symbol.and_then(|symbol| function.fields.get(&symbol)).and_then(|&name| self.as_text(name));
        given.unwrap_or_else(|| self.program.code(function.code).qualified.clone())
    }

    fn cached(&mut self, function: Value, most: Option<i64>) -> Value {
        let memo = self.empty_dict();
        Value::Ref(self.heap.add(Cell::Cached { function, memo, most }))
    }

    /// Calls a function that remembers what it gave.
    pub(in crate::machine) fn call_cached(&mut self, at: Ref, arguments: &[Value], named: Named<'_>) -> Outcome {
        let Cell::Cached { function, memo, most } = *self.heap.get(at) else { return Ok(Value::None) };
        let key = match *arguments {
            [one @ Value::Int(_)] if named.is_empty() => one,
            [one] if named.is_empty() && self.as_text(one).is_some() => one,
            _ => {
                let mut parts = arguments.to_vec();
                for &(symbol, value) in named {
                    let name = Value::Ref(self.heap.add(Cell::Text(self.name(symbol))));
                    parts.extend([Value::Ellipsis, name, value]);
                }
                self.heap.tuple(parts)
            }
        };
        if let Some(value) = self.entry(memo, key)? {
            if most.is_some() {
                // What was used last is forgotten last.
                self.remove_entry(memo, key)?;
                self.set_entry(memo, key, value)?;
            }
            return Ok(value);
        }
        let value = self.call_value(function, arguments, named)?;
        if let Some(most) = most {
            let full = self.dict_mut(memo).len() as i64 >= most;
            let oldest = self.dict_mut(memo).next_from(0).filter(|_| full);
            if let Some((place, _, _)) = oldest {
                self.dict_mut(memo).remove(place);
            }
            if most == 0 {
                return Ok(value);
            }
        }
        self.set_entry(memo, key, value)?;
        Ok(value)
    }

    pub(super) fn partial(&mut self, arguments: &[Value], named: Named<'_>) -> Outcome {
        let [function, arguments @ ..] = arguments else {
            return Err(self.type_error("type 'partial' takes at least one argument"));
        };
        if !self.is_callable(*function) {
            return Err(self.type_error("the first argument must be callable"));
        }
        Ok(self.new_partial(*function, arguments.to_vec(), named.to_vec()))
    }

    fn new_partial(&mut self, function: Value, arguments: Vec<Value>, named: Vec<(Symbol, Value)>) -> Value {
        let (mut function, mut arguments, mut named) = (function, arguments, named);
        // What is already partial is taken apart.
        if let Value::Ref(at) = function
            && let Cell::Partial { function: inner, arguments: first, named: before } = self.heap.get(at)
        {
            arguments.splice(0..0, first.iter().copied());
            named = merged(before, &named);
            function = *inner;
        }
        let partial = Cell::Partial { function, arguments: arguments.into(), named: named.into() };
        Value::Ref(self.heap.add(partial))
    }

    /// An attribute of a partial call.
    pub(in crate::machine) fn part_of_partial(
        &mut self,
        function: Value,
        arguments: &[Value],
        named: Named<'_>,
        name: &str,
    ) -> Outcome<Option<Value>> {
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

    pub(in crate::machine) fn call_partial(&mut self, at: Ref, arguments: &[Value], named: Named<'_>) -> Outcome {
        let Cell::Partial { function, arguments: first, named: before } = self.heap.get(at) else {
            return Ok(Value::None);
        };
        let function = *function;
        let all = [first, arguments].concat();
        let named = merged(before, named);
        self.nested(|machine| machine.call_value(function, &all, &named))
    }
}

/// Named arguments with others that take their places.
fn merged(before: &[(Symbol, Value)], named: Named<'_>) -> Vec<(Symbol, Value)> {
    let mut merged = before.to_vec();
    for &(symbol, value) in named {
        match merged.iter_mut().find(|(other, _)| *other == symbol) {
            Some(slot) => slot.1 = value,
            None => merged.push((symbol, value)),
        }
    }
    merged
}
