//! Methods of `dict`.

use super::row::MethodParameters::{None as NoParameters, Unpacked};
use super::{MethodEffect, MethodRow as Row, bound_receiver};
use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::dict::DictKind;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::iterators::EntryPart;
use crate::machine::library_function::ResultType;
use crate::machine::value::{HeapObject, HeapRef, Value};

/// The methods of `dict`.
pub(in crate::machine) static DICT: [Row; 11] = [
    Row::of_object("dict.clear", NoParameters, |m, at, _| {
        m.dict_mut(at).clear();
        Ok(Value::None)
    })
    .with_effect(MethodEffect::Clears)
    .with_result(ResultType::None),
    Row::of_object("dict.copy", NoParameters, |m, at, _| m.copy_dict(at)).with_result(ResultType::Copy),
    Row::of_object("dict.fromkeys", Unpacked { min: 1, max: 2 }, |m, at, a| {
        let kind = match m.dict_mut(at).kind {
            DictKind::Default(_) => DictKind::Default(Value::None),
            other => other,
        };
        m.dict_fromkeys(kind, a)
    }),
    Row::of_object("dict.get", Unpacked { min: 1, max: 2 }, |m, at, a| {
        Ok(m.entry(at, a[0])?.or(a.get(1).copied()).unwrap_or(Value::None))
    })
    .with_result(ResultType::ElementOrDefault),
    Row::of_object("dict.items", NoParameters, |m, at, _| Ok(m.dict_view(at, EntryPart::Items)))
        .with_result(ResultType::Entries),
    Row::of_object("dict.keys", NoParameters, |m, at, _| Ok(m.dict_view(at, EntryPart::Keys))),
    Row::of_object("dict.pop", Unpacked { min: 1, max: 2 }, |m, at, a| {
        match m.remove_entry(at, a[0])?.or(a.get(1).copied()) {
            Some(value) => Ok(value),
            None => Err(m.raise_with(ExceptionKind::KeyError, vec![a[0]])),
        }
    })
    .with_effect(MethodEffect::Removes),
    Row::of_object("dict.popitem", NoParameters, |m, at, _| m.pop_item(at)).with_effect(MethodEffect::Removes),
    Row::of_object("dict.setdefault", Unpacked { min: 1, max: 2 }, |m, at, a| {
        if let Some(value) = m.entry(at, a[0])? {
            return Ok(value);
        }
        let default = a.get(1).copied().unwrap_or(Value::None);
        m.set_entry(at, a[0], default)?;
        Ok(default)
    })
    .with_effect(MethodEffect::Adds),
    Row::custom("dict.update", Machine::update_dict_method)
        .with_effect(MethodEffect::Adds)
        .with_result(ResultType::None),
    Row::of_object("dict.values", NoParameters, |m, at, _| Ok(m.dict_view(at, EntryPart::Values)))
        .with_result(ResultType::Elements),
];

impl Machine {
    fn dict_view(&mut self, at: HeapRef, part: EntryPart) -> Value {
        Value::Ref(self.heap.add(HeapObject::DictView(Value::Ref(at), part)))
    }

    fn copy_dict(&mut self, at: HeapRef) -> ExecResult {
        let length = self.dict_mut(at).len();
        self.reserve_values(length * 4)?;
        let HeapObject::Dict(dict) = self.heap.get(at) else { return Ok(Value::None) };
        let copy = HeapObject::Dict(dict.clone());
        Ok(Value::Ref(self.heap.add(copy)))
    }

    fn pop_item(&mut self, at: HeapRef) -> ExecResult {
        if let Some((key, value)) = self.dict_mut(at).pop_last() {
            return Ok(self.heap.tuple([key, value]));
        }
        let text = self.heap.text("popitem(): dictionary is empty");
        Err(self.raise_with(ExceptionKind::KeyError, vec![text]))
    }

    fn update_dict_method(&mut self, receiver: Value, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        self.check_arity("update", arguments.len(), 0, 1)?;
        let at = bound_receiver(receiver);
        if let Some(&other) = arguments.first() {
            self.update_dict(at, other)?;
        }
        for &(symbol, value) in named {
            let key = self.name_text(symbol);
            self.set_entry(at, key, value)?;
        }
        Ok(Value::None)
    }
}
