//! Dict subclasses of `collections`: `defaultdict`, `OrderedDict` and `Counter`.

use crate::machine::Machine;
use crate::machine::call::{KeywordArguments, too_many_arguments_message};
use crate::machine::dict::{Dict, DictKind};
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library::ItertoolsState;
use crate::machine::library_function::ResultType;
use crate::machine::methods::{MethodEffect, MethodRow as Row, bound_receiver};
use crate::machine::parameters::{NamedParameters, Origin};
use crate::machine::value::{HeapObject, HeapRef, Value};
use crate::operators::{BinaryOperator, ComparisonOperator, UnaryOperator};

/// The methods that `Counter` adds to those of `dict` or overrides.
pub(in crate::machine) static COUNTER_METHODS: [Row; 5] = [
    Row::named("Counter.elements", METHOD, |m, receiver, _| m.elements_of_counter(bound_receiver(receiver))),
    Row::named("Counter.most_common", METHOD_WITH_N, |m, receiver, b| {
        m.most_common_entries(bound_receiver(receiver), b.given(0))
    }),
    Row::custom("Counter.subtract", |m, receiver, arguments, named| {
        m.change_counter(receiver, arguments, named, (BinaryOperator::Sub, "Counter.subtract"))
    })
    .with_effect(MethodEffect::Changes)
    .with_result(ResultType::None),
    Row::named("Counter.total", METHOD, |m, receiver, _| m.total_of_counter(bound_receiver(receiver))),
    Row::custom("Counter.update", |m, receiver, arguments, named| {
        m.change_counter(receiver, arguments, named, (BinaryOperator::Add, "Counter.update"))
    })
    .with_effect(MethodEffect::Adds)
    .with_result(ResultType::None),
];

const METHOD: NamedParameters<'static> = NamedParameters::new(Origin::Python, &[]).with_receiver();
const METHOD_WITH_N: NamedParameters<'static> =
    NamedParameters::new(Origin::Python, &["n"]).with_required(0).with_receiver();

/// The methods that `OrderedDict` adds to those of `dict` or overrides.
pub(in crate::machine) static ORDERED_DICT_METHODS: [Row; 3] = [
    Row::named("OrderedDict.move_to_end", of_c(&["key", "last"], 1), |m, receiver, b| {
        m.move_to_end(bound_receiver(receiver), b.required(0), b.get(1))
    })
    .with_effect(MethodEffect::Reorders)
    .with_result(ResultType::None),
    Row::named("OrderedDict.pop", of_c(&["key", "default"], 1), |m, receiver, b| {
        match m.remove_entry(bound_receiver(receiver), b.required(0))?.or(b.get(1)) {
            Some(value) => Ok(value),
            None => Err(m.raise_with(ExceptionKind::KeyError, vec![b.required(0)])),
        }
    })
    .with_effect(MethodEffect::Removes),
    Row::named("OrderedDict.popitem", of_c(&["last"], 0), |m, receiver, b| {
        m.pop_item_at_end(bound_receiver(receiver), b.get(0))
    })
    .with_effect(MethodEffect::Removes),
];

const fn of_c(names: &'static [&'static str], required: usize) -> NamedParameters<'static> {
    NamedParameters::new(Origin::C, names).with_required(required)
}

impl Machine {
    /// Implements `defaultdict(..)`.
    pub(in crate::machine) fn new_default_dict(
        &mut self,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let factory = arguments.first().copied().unwrap_or(Value::None);
        if !matches!(factory, Value::None) && !self.is_callable(factory) {
            return Err(self.type_error("first argument must be callable or None"));
        }
        self.new_dict_subclass(DictKind::Default(factory), arguments.get(1..).unwrap_or_default(), named)
    }

    pub(in crate::machine) fn new_dict_subclass(
        &mut self,
        kind: DictKind,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let at = self.heap.add(HeapObject::Dict(Box::new(Dict::new(kind))));
        if matches!(kind, DictKind::Counter) {
            self.update_counter(at, arguments, named, BinaryOperator::Add)?;
        } else {
            self.fill_dict(at, arguments, named)?;
        }
        Ok(Value::Ref(at))
    }

    /// Updates a counter with the values of an iterable or the counts of a dict, as `Counter(..)`, `update` and `subtract` do.
    pub(in crate::machine) fn update_counter(
        &mut self,
        at: HeapRef,
        arguments: &[Value],
        named: KeywordArguments<'_>,
        operator: BinaryOperator,
    ) -> ExecResult<()> {
        let mut counts: Vec<(Value, Value)> = Vec::new();
        if let Some(&other) = arguments.first().filter(|other| !matches!(other, Value::None)) {
            let plain = self.base_value(other);
            match plain {
                Value::Ref(other) if let HeapObject::Dict(dict) = self.heap.get(other) => counts.extend(dict.iter()),
                _ => counts.extend(self.collect_values(other)?.into_iter().map(|value| (value, Value::Int(1)))),
            }
        }
        for &(symbol, value) in named {
            let key = Value::Ref(self.heap.add(HeapObject::Text(self.name(symbol))));
            counts.push((key, value));
        }
        for (key, count) in counts {
            let before = self.entry(at, key)?;
            let sum = match (before, operator) {
                (None, BinaryOperator::Add) => count,
                _ => self.binary(operator, before.unwrap_or(Value::Int(0)), count)?,
            };
            self.set_entry(at, key, sum)?;
        }
        Ok(())
    }

    /// Returns the entries of a counter in descending order of their counts, ties in insertion order.
    pub(in crate::machine) fn most_common(&mut self, at: HeapRef) -> ExecResult<Vec<Value>> {
        let HeapObject::Dict(dict) = self.heap.get(at) else { return Ok(Vec::new()) };
        let entries: Vec<(Value, Value)> = dict.iter().collect();
        let (counts, entries): (Vec<Value>, Vec<Value>) =
            entries.into_iter().map(|(key, count)| (count, self.heap.tuple([key, count]))).unzip();
        self.sort_by_keys(counts, entries, true)
    }

    /// Implements `Counter.most_common(n)`.
    fn most_common_entries(&mut self, at: HeapRef, limit: Option<Value>) -> ExecResult {
        let mut entries = self.most_common(at)?;
        if let Some(limit) = limit {
            entries.truncate(usize::try_from(self.as_index(limit)?).unwrap_or(0));
        }
        Ok(self.heap.list(entries))
    }

    /// Implements `Counter.total()`.
    fn total_of_counter(&mut self, at: HeapRef) -> ExecResult {
        let counts: Vec<Value> = self.dict(at).iter().map(|(_, count)| count).collect();
        counts.into_iter().try_fold(Value::Int(0), |total, count| self.binary(BinaryOperator::Add, total, count))
    }

    /// Implements `Counter.elements()`.
    fn elements_of_counter(&mut self, at: HeapRef) -> ExecResult {
        let mut all = Vec::new();
        for (key, count) in self.dict(at).iter().collect::<Vec<_>>() {
            let count = usize::try_from(self.as_index(count)?).unwrap_or(0);
            self.reserve_values(count)?;
            all.extend(std::iter::repeat_n(key, count));
        }
        let list = self.heap.list(all);
        let lists = self.heap.list(vec![list]);
        let lists = self.iterator(lists)?;
        Ok(self.new_library_iterator(ItertoolsState::Chain(lists, None)))
    }

    fn change_counter(
        &mut self,
        receiver: Value,
        arguments: &[Value],
        named: KeywordArguments<'_>,
        (operator, name): (BinaryOperator, &str),
    ) -> ExecResult {
        if arguments.len() > 1 {
            let message = too_many_arguments_message(name, 2, 1, arguments.len() + 1, 0);
            return Err(self.type_error(&message));
        }
        self.update_counter(bound_receiver(receiver), arguments, named, operator)?;
        Ok(Value::None)
    }

    /// Evaluates `+`, `-`, `&` or `|` of two counters, keeping positive counts only; `None` for other operands.
    pub(in crate::machine) fn counter_operator(
        &mut self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
    ) -> ExecResult<Option<Value>> {
        let (Value::Ref(one), Value::Ref(two)) = (left, right) else { return Ok(None) };
        let both = [one, two].map(|at| match self.heap.get(at) {
            HeapObject::Dict(dict) if matches!(dict.kind, DictKind::Counter) => Some(dict.iter().collect::<Vec<_>>()),
            _ => None,
        });
        let [Some(ones), Some(twos)] = both else { return Ok(None) };
        let result = self.heap.add(HeapObject::Dict(Box::new(Dict::new(DictKind::Counter))));
        let zero = Value::Int(0);
        for (key, count) in ones {
            let other = self.entry(two, key)?.unwrap_or(zero);
            let count = match operator {
                BinaryOperator::BitAnd | BinaryOperator::BitOr => {
                    let less = self.compare(ComparisonOperator::Lt, count, other)?;
                    if self.truth(less)? == (operator == BinaryOperator::BitAnd) { count } else { other }
                }
                _ => self.binary(operator, count, other)?,
            };
            self.add_positive_count(result, key, count)?;
        }
        for (key, count) in twos {
            if operator == BinaryOperator::BitAnd || self.entry(one, key)?.is_some() {
                continue;
            }
            if operator != BinaryOperator::Sub {
                self.add_positive_count(result, key, count)?;
                continue;
            }
            let negative = self.compare(ComparisonOperator::Lt, count, zero)?;
            if self.truth(negative)? {
                let count = self.binary(operator, zero, count)?;
                self.set_entry(result, key, count)?;
            }
        }
        Ok(Some(Value::Ref(result)))
    }

    /// Evaluates `+=`, `-=`, `|=` or `&=` of a counter; `None` for other values and operators.
    pub(in crate::machine) fn counter_operator_in_place(
        &mut self,
        operator: BinaryOperator,
        left: Value,
        right: Value,
    ) -> ExecResult<Option<Value>> {
        let Value::Ref(at) = left else { return Ok(None) };
        let HeapObject::Dict(dict) = self.heap.get(at) else { return Ok(None) };
        let changes = matches!(
            operator,
            BinaryOperator::Add | BinaryOperator::Sub | BinaryOperator::BitOr | BinaryOperator::BitAnd
        );
        if !changes || !matches!(dict.kind, DictKind::Counter) {
            return Ok(None);
        }
        let own: Vec<(Value, Value)> = dict.iter().collect();
        let others = match self.base_value(right) {
            Value::Ref(other) if let HeapObject::Dict(dict) = self.heap.get(other) => {
                Some(dict.iter().collect::<Vec<_>>())
            }
            _ => None,
        };
        let zero = Value::Int(0);
        if operator == BinaryOperator::BitAnd {
            for (key, count) in own {
                let other = self.get_item(right, key)?;
                let less = self.compare(ComparisonOperator::Lt, other, count)?;
                if self.truth(less)? {
                    self.set_entry(at, key, other)?;
                }
            }
            return self.remove_nonpositive_counts(at).map(|()| Some(left));
        }
        let Some(others) = others else {
            let message = format!("'{}' object has no attribute 'items'", self.class_name(right));
            return Err(self.raise(ExceptionKind::AttributeError, &message));
        };
        for (key, other) in others {
            let count = self.entry(at, key)?.unwrap_or(zero);
            let value = match operator {
                BinaryOperator::BitOr => {
                    let more = self.compare(ComparisonOperator::Gt, other, count)?;
                    if !self.truth(more)? {
                        continue;
                    }
                    other
                }
                _ => self.operator_in_place(operator, count, other)?,
            };
            self.set_entry(at, key, value)?;
        }
        self.remove_nonpositive_counts(at).map(|()| Some(left))
    }

    /// Adds an entry to a counter if its count is positive.
    fn add_positive_count(&mut self, counter: HeapRef, key: Value, count: Value) -> ExecResult<()> {
        let positive = self.compare(ComparisonOperator::Gt, count, Value::Int(0))?;
        if self.truth(positive)? { self.set_entry(counter, key, count) } else { Ok(()) }
    }

    /// Removes the entries of a counter whose counts are not positive.
    fn remove_nonpositive_counts(&mut self, at: HeapRef) -> ExecResult<()> {
        for (key, count) in self.dict_mut(at).iter().collect::<Vec<_>>() {
            let positive = self.compare(ComparisonOperator::Gt, count, Value::Int(0))?;
            if !self.truth(positive)? {
                self.remove_entry(at, key)?;
            }
        }
        Ok(())
    }

    /// Evaluates `+counter` (the positive counts) or `-counter` (the negative counts, negated); `None` for other values.
    pub(in crate::machine) fn counter_unary(
        &mut self,
        operator: UnaryOperator,
        value: Value,
    ) -> ExecResult<Option<Value>> {
        let value = self.base_value(value);
        let nothing = Value::Ref(self.heap.add(HeapObject::Dict(Box::new(Dict::new(DictKind::Counter)))));
        match operator {
            UnaryOperator::UAdd => self.counter_operator(BinaryOperator::Add, nothing, value),
            _ => self.counter_operator(BinaryOperator::Sub, nothing, value),
        }
    }

    /// Implements `OrderedDict.popitem(last)`.
    fn pop_item_at_end(&mut self, at: HeapRef, last: Option<Value>) -> ExecResult {
        let from_end = last.map_or(Ok(true), |last| self.truth(last))?;
        let dict = self.dict_mut(at);
        let popped =
            if from_end { dict.pop_last() } else { dict.next_from(0).and_then(|(place, ..)| dict.remove_at(place)) };
        match popped {
            Some((key, value)) => Ok(self.heap.tuple([key, value])),
            None => Err(self.raise(ExceptionKind::KeyError, "dictionary is empty")),
        }
    }

    /// Implements `OrderedDict.move_to_end(key, last)`.
    fn move_to_end(&mut self, at: HeapRef, key: Value, last: Option<Value>) -> ExecResult {
        let to_end = last.map_or(Ok(true), |last| self.truth(last))?;
        let (hash, place) = self.find_entry(at, key)?;
        let Some(entry) = place.and_then(|place| self.dict_mut(at).remove_at(place)) else {
            return Err(self.raise_with(ExceptionKind::KeyError, vec![key]));
        };
        if to_end {
            self.change_dict(at, |dict| dict.insert_new(hash, entry.0, entry.1));
            return Ok(Value::None);
        }
        let others = self.dict_mut(at).len() as u64;
        self.charge(others)?;
        self.change_dict(at, |dict| dict.insert_new_first(hash, entry.0, entry.1));
        Ok(Value::None)
    }

    /// Implements `fromkeys` of dicts and their subclasses.
    pub(in crate::machine) fn dict_fromkeys(&mut self, flavor: DictKind, arguments: &[Value]) -> ExecResult {
        if matches!(flavor, DictKind::Counter) {
            let message = "Counter.fromkeys() is undefined.  Use Counter(iterable) instead.";
            return Err(self.raise(ExceptionKind::NotImplementedError, message));
        }
        self.check_arity("fromkeys", arguments.len(), 1, 2)?;
        let value = arguments.get(1).copied().unwrap_or(Value::None);
        let dict = self.heap.add(HeapObject::Dict(Box::new(Dict::new(flavor))));
        for key in self.collect_values(arguments[0])? {
            self.set_entry(dict, key, value)?;
        }
        Ok(Value::Ref(dict))
    }

    /// Returns the value of a missing key, from `__missing__`, the default factory or a counter; raises `KeyError` otherwise.
    pub(in crate::machine) fn missing_key_value(&mut self, object: Value, at: HeapRef, key: Value) -> ExecResult {
        if let Some(method) = self.special_method(object, "__missing__") {
            return self.call_value(method, &[key], &[]);
        }
        let flavor = match self.heap.get(at) {
            HeapObject::Dict(dict) => dict.kind,
            _ => DictKind::Plain,
        };
        match flavor {
            DictKind::Default(factory) if !matches!(factory, Value::None) => {
                let value = self.call_value(factory, &[], &[])?;
                self.set_entry(at, key, value)?;
                Ok(value)
            }
            DictKind::Counter => Ok(Value::Int(0)),
            _ => Err(self.raise_with(ExceptionKind::KeyError, vec![key])),
        }
    }
}
