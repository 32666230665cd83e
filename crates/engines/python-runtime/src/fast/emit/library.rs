//! Built-in functions.

use super::calls::Arguments;
use super::conditions::Condition;
use super::values::{Location, Value};
use super::{EmitResult, Emitter, Op};
use crate::code::Symbol;
use crate::fast::op::{NumberFunction, Reg, Tag};
use crate::inference::library::CONSUMED;
use crate::inference::types::{IterationSource, Kinds, Type, TypeDetail};
use crate::library::BuiltinForm;
use crate::machine::BuiltinConstant;

impl Emitter<'_> {
    pub(super) fn call_builtin(
        &mut self,
        pc: usize,
        builtin: &BuiltinConstant,
        arguments: Arguments,
    ) -> EmitResult<Value> {
        let ty = self.result_type();
        let unsupported = || Err(format!("`{}` with these arguments", builtin.name));
        let Arguments { positional: mut values, keywords } = arguments;
        // The computation of a constant from an instance or a generator expression may end the call.
        let runs_code = values.iter().any(|value| {
            let is_generator = matches!(self.inference.types.detail(value.ty), Some(TypeDetail::Generator(..)));
            value.kinds() == Kinds::RECORD || is_generator
        });
        if self.inference.types.constant(ty).is_some() && !runs_code {
            return Ok(Value::constant(ty));
        }
        if (builtin.form, values.is_empty()) == (Some(BuiltinForm::ToList), true) {
            return Ok(self.new_numbered_list(pc, 0)?.0);
        }
        if let Some(iterator) = self.call_consumed(pc, builtin, &values)? {
            return Ok(iterator);
        }
        if builtin.form == Some(BuiltinForm::ToDict) && !keywords.is_empty() {
            return self.dict_of_keywords(keywords);
        }
        if let Some(container) = self.call_container(builtin, &values)? {
            return Ok(container);
        }
        let special = match builtin.form {
            Some(BuiltinForm::Length) => "__len__",
            Some(BuiltinForm::ToFloat) => "__float__",
            Some(BuiltinForm::ToInt) => "__int__",
            Some(BuiltinForm::Absolute) => "__abs__",
            _ => "",
        };
        if let Some(object) = values.first().filter(|_| !special.is_empty()).cloned()
            && let Some(value) = self.call_special(special, &object, &[])?
        {
            return Ok(value);
        }
        let Some(form) = builtin.form else { return self.call_other_builtin(&builtin.name, &values) };
        if values.is_empty() {
            return unsupported();
        }
        let (count, first) = (values.len(), values.remove(0));
        let program = self.inference.program;
        let keyword =
            |name: &str| keywords.iter().find(|(symbol, _)| program.name(*symbol) == name).map(|(_, value)| value);
        let key = keyword("key").filter(|key| key.kinds() != Kinds::NONE);
        match (form, count) {
            (BuiltinForm::IsInstance, 2) => self.is_instance(&first, values[0].ty, ty),
            (BuiltinForm::ClassOf, 1) => {
                let op = self.fallback("`type` of a value that is not an object");
                let object = self.restrict_kinds(first, Kinds::OBJECT, op)?;
                let o = self.register(&object)?;
                Ok(Value { ty, location: Location::Base(Box::new(Value::in_register(object.ty, o))) })
            }
            (BuiltinForm::Length, 1) => self.length(&first),
            (BuiltinForm::Absolute | BuiltinForm::ToFloat | BuiltinForm::ToInt, 1) => {
                let number = self.require_number(first)?;
                self.convert_number(builtin, form, &number, ty)
            }
            (BuiltinForm::ToBool, 1) => {
                let condition = self.truth_condition(&first)?;
                Ok(Value { ty, location: Location::Condition(Box::new(condition)) })
            }
            (BuiltinForm::Range, 1) => {
                let zero = Value::constant(self.inference.types.detailed(TypeDetail::Int(0)));
                Ok(Value { ty, location: Location::Range(Box::new([zero, first])) })
            }
            (BuiltinForm::Range, _) => Ok(Value { ty, location: Location::Range(Box::new([first, values.remove(0)])) }),
            (BuiltinForm::Enumerate, _) => {
                let list = self.list_of(pc, 1, first)?;
                let iterator = self.iterator(list)?;
                Ok(Value { ty, location: iterator.location })
            }
            (BuiltinForm::Zip, _) => {
                values.insert(0, first);
                self.zip(pc, values)
            }
            (BuiltinForm::ToList, 1) => {
                let (list, l, shape) = self.new_numbered_list(pc, 0)?;
                self.append_all(first, l, &shape)?;
                Ok(list)
            }
            (BuiltinForm::Next, 1 | 2) => self.first_of(&first, values.first()),
            (BuiltinForm::Quantifier { is_any }, 1) => self.any_of(pc, &first, is_any),
            (BuiltinForm::Sum, 1) => self.sum_of(pc, first),
            (BuiltinForm::Extreme { is_max }, 1) => self.extreme_element(pc, is_max, first, key, keyword("default")),
            (BuiltinForm::Extreme { is_max }, _) => {
                values.insert(0, first);
                self.min_or_max(is_max, values, ty)
            }
            (BuiltinForm::Sorted, 1) => {
                let is_reversed = keyword("reverse").and_then(|value| self.inference.types.truth(value.ty));
                let by_key = self.inference.key_of_items(first.ty).is_some();
                let list = self.list_of(pc, 1, first)?;
                self.sorted(pc, &list, (key, by_key), is_reversed == Some(true))
            }
            _ => unsupported(),
        }
    }

    /// Translates a call of a built-in function without a form.
    fn call_other_builtin(&mut self, name: &str, values: &[Value]) -> EmitResult<Value> {
        let holds = self.result_type();
        match (name, values) {
            ("round", [number]) if number.kinds() == Kinds::FLOAT => {
                let a = self.register(number)?;
                self.number_function(NumberFunction::Round, (a, a), holds)
            }
            ("round", [number, digits]) if !number.kinds().is_single() => self.round_any(number, digits, holds),
            ("round", [number] | [number, _]) if number.kinds() != Kinds::FLOAT => {
                Ok(Value::in_register(holds, self.register(number)?))
            }
            ("round", [number, digits]) => {
                let (a, b) = (self.register(number)?, self.register(digits)?);
                self.number_function(NumberFunction::RoundTo, (a, b), holds)
            }
            ("bin", [number]) => {
                let number = self.evaluate_once(number.clone())?;
                Ok(Value { ty: holds, location: Location::Base(Box::new(number)) })
            }
            ("divmod", [left, right]) => {
                let (a, b) = (self.register(left)?, self.register(right)?);
                let (quotient, rest) = (self.allocate(1)?, self.allocate(1)?);
                self.push_op(Op::FloorDiv { d: quotient, a, b });
                self.push_op(Op::Mod { d: rest, a, b });
                let parts = vec![Value::in_register(Type::INT, quotient), Value::in_register(Type::INT, rest)];
                Ok(Value { ty: holds, location: Location::Tuple(parts) })
            }
            ("getattr", [object, attribute, otherwise @ ..]) => {
                if let (Kinds::NONE, [otherwise]) = (object.kinds(), otherwise) {
                    return Ok(otherwise.clone());
                }
                let Some(&TypeDetail::Text(place)) = self.inference.types.constant(attribute.ty) else {
                    return Err("`getattr` with a variable name".to_owned());
                };
                self.push(object.clone());
                self.attribute(Symbol(place))
            }
            _ => Err(format!("`{name}` with these arguments")),
        }
    }

    /// Emits the rounding of a number that may be an integer, which stays as it is.
    fn round_any(&mut self, number: &Value, digits: &Value, holds: Type) -> EmitResult<Value> {
        let (a, b) = (self.pair(number)?, self.register(digits)?);
        let d = self.allocate(2)?;
        self.load_pair(d, &Value { ty: number.ty, location: Location::Pair(a) })?;
        let end = self.label();
        self.push_op(Op::IfTag { a, tag: Tag::Float, when: false, t: end.0 });
        self.push_op(Op::Function { d, a, b, function: NumberFunction::RoundTo });
        self.place_label(end);
        Ok(Value { ty: holds, location: Location::Pair(d) })
    }

    /// Translates `map`, `filter` or `reversed` to an iterator over a list of the values; `None` for other functions.
    fn call_consumed(&mut self, pc: usize, builtin: &BuiltinConstant, values: &[Value]) -> EmitResult<Option<Value>> {
        let holds = self.result_type();
        let Some(&TypeDetail::Iterator(IterationSource::List(_))) = self.inference.types.detail(holds) else {
            return Ok(None);
        };
        let (list, l, shape) = self.new_numbered_list(pc, CONSUMED)?;
        match (builtin.form, values) {
            (Some(BuiltinForm::Reversed), [iterable]) => {
                self.require_same_layout(iterable.ty, list.ty)?;
                let m = self.register(iterable)?;
                self.append_words(l, m)?;
                self.push_op(Op::Reverse { l, width: shape.width() });
            }
            (Some(BuiltinForm::Iterator), [iterable]) => self.append_all(iterable.clone(), l, &shape)?,
            (form, [function, iterable]) => {
                let iterator = self.iterator(iterable.clone())?;
                let is_map = form != Some(BuiltinForm::Filter);
                self.for_each(&iterator, |emitter, item| {
                    if is_map {
                        let result = emitter.apply(function, &item)?;
                        return emitter.append(l, &shape, &result);
                    }
                    let condition = if function.kinds() == Kinds::NONE {
                        emitter.truth_condition(&item)?
                    } else {
                        let result = emitter.apply(function, &item)?;
                        emitter.truth_condition(&result)?
                    };
                    let skip = emitter.label();
                    emitter.branch(&condition, false, skip);
                    emitter.append(l, &shape, &item)?;
                    emitter.place_label(skip);
                    Ok(())
                })?;
            }
            _ => return Ok(None),
        }
        self.iterator(list).map(Some)
    }

    /// Calls a function with an element earlier than CPython may do: it must have no effects, and exceptions hand the call over.
    fn apply(&mut self, function: &Value, item: &Value) -> EmitResult<Value> {
        let start = self.code.ops.len();
        self.deferred_exceptions += 1;
        let result = self.call_with(function, item);
        self.deferred_exceptions -= 1;
        let has_effects = |op: &Op| {
            let changes =
                matches!(op, Op::SetState { .. } | Op::SetSlot { .. } | Op::SetField { .. } | Op::SetValue { .. });
            changes || op.mutates_list()
        };
        if self.code.ops[start..].iter().any(has_effects) {
            return Err("`map` or `filter` with a function that changes objects".to_owned());
        }
        result
    }

    /// Emits a call of a built-in function, or of the method `get` of a dict, by a library function.
    pub(super) fn call_library_with(&mut self, function: &Value, argument: &Value) -> EmitResult<Value> {
        let unsupported = || "a function that is not one of the program".to_owned();
        let holds = self.inference.applied_library_type(function.ty, argument.ty).ok_or_else(unsupported)?;
        match (self.inference.types.detail(function.ty).cloned(), &function.location) {
            (Some(TypeDetail::Builtin(builtin)), _) => match builtin.form.ok_or_else(unsupported)? {
                BuiltinForm::Length => self.length(argument),
                BuiltinForm::ToBool => {
                    let condition = self.truth_condition(argument)?;
                    Ok(Value { ty: holds, location: Location::Condition(Box::new(condition)) })
                }
                form => self.convert_number(&builtin, form, argument, holds),
            },
            (_, Location::Base(dict)) => self.entry_or(dict, argument, holds, None),
            _ => Err(unsupported()),
        }
    }

    /// Emits `isinstance(object, class)`.
    pub(super) fn is_instance(&mut self, object: &Value, class: Type, ty: Type) -> EmitResult<Value> {
        if self.inference.types.constant(ty).is_some() {
            return Ok(Value::constant(ty));
        }
        let parts = match self.inference.types.detail(class) {
            Some(TypeDetail::Tuple(parts)) => parts.clone(),
            _ => vec![class],
        };
        let mut classes = 0;
        for part in parts {
            if let Some(TypeDetail::Class(class)) = self.inference.types.detail(part) {
                classes |= self.inference.with_subclasses(*class);
            }
        }
        let o = self.register(object)?;
        Ok(Value { ty, location: Location::Condition(Box::new(Condition::Class(o, classes))) })
    }

    fn convert_number(
        &mut self,
        builtin: &BuiltinConstant,
        form: BuiltinForm,
        number: &Value,
        holds: Type,
    ) -> EmitResult<Value> {
        if !number.kinds().is_single() {
            return match form {
                BuiltinForm::ToFloat => Ok(Value::in_register(holds, self.float(number)?)),
                BuiltinForm::ToInt => {
                    let d = self.convert_any(number, |d, a| Op::ToInt { d, a }, |d, a| Op::Move { d, a })?;
                    Ok(Value::in_register(holds, d))
                }
                BuiltinForm::Absolute => {
                    self.transform_any(number, |d, a| Op::AbsF { d, a }, |d, a| Op::Abs { d, a }, holds)
                }
                _ => Err(format!("`{}` of a number of several types", builtin.name)),
            };
        }
        let is_float = number.kinds() == Kinds::FLOAT;
        match (form, is_float) {
            (BuiltinForm::ToFloat, _) => return Ok(Value::in_register(holds, self.float(number)?)),
            (BuiltinForm::ToInt, false) => {
                return Ok(Value { ty: holds, location: Location::Register(self.register(number)?) });
            }
            _ => {}
        }
        let a = self.register(number)?;
        let d = self.allocate(1)?;
        self.push_op(match (form, is_float) {
            (BuiltinForm::ToInt, _) => Op::ToInt { d, a },
            (_, true) => Op::AbsF { d, a },
            (_, false) => Op::Abs { d, a },
        });
        Ok(Value::in_register(holds, d))
    }

    /// Emits the minimum or maximum of several numbers.
    fn min_or_max(&mut self, is_max: bool, values: Vec<Value>, holds: Type) -> EmitResult<Value> {
        let mut best: Option<Value> = None;
        for value in values {
            let value = self.require_number(value)?;
            best = Some(match best {
                None => value,
                Some(best) => self.select_extreme(is_max, &best, &value)?,
            });
        }
        let mut best = best.ok_or_else(|| "no values to compare".to_owned())?;
        if holds.kinds.is_single() {
            best.ty = holds;
        }
        Ok(best)
    }

    fn select_extreme(&mut self, is_max: bool, best: &Value, value: &Value) -> EmitResult<Value> {
        let kinds = best.kinds().union(value.kinds());
        if kinds.is_single() && kinds != Kinds::BOOL {
            let (a, b) = (self.register(best)?, self.register(value)?);
            let d = self.allocate(1)?;
            self.push_op(match (kinds == Kinds::FLOAT, is_max) {
                (true, true) => Op::MaxF { d, a, b },
                (true, false) => Op::MinF { d, a, b },
                (false, true) => Op::Max { d, a, b },
                (false, false) => Op::Min { d, a, b },
            });
            return Ok(Value::in_register(Type::of(kinds), d));
        }
        let holds = Type::of(kinds);
        let known = |value: &Value| value.kinds() != Kinds::BOOL && self.inference.types.constant(value.ty).is_some();
        let constants = (known(best), known(value));
        let pick = match constants {
            (false, true) => Some((best, value, false)),
            (true, false) => Some((value, best, true)),
            _ => None,
        };
        if let Some((number, constant, first)) = pick {
            let tag = if constant.kinds() == Kinds::FLOAT { Tag::Float } else { Tag::Int };
            let k = self.constant(&[self.constant_bits(constant.ty)?, tag as u64]);
            let op = |a: Reg, d: Reg, floats: bool| {
                if floats {
                    Op::MinMaxFloatK { is_max, is_constant_first: first, d, a, k }
                } else {
                    Op::MinMaxK { is_max, is_constant_first: first, d, a, k }
                }
            };
            let floats = number.kinds() == Kinds::FLOAT;
            let a = if floats { self.register(number)? } else { self.pair(number)? };
            let d = self.allocate(2)?;
            let op = op(a, d, floats);
            self.push_op(op);
            return Ok(Value { ty: holds, location: Location::Pair(d) });
        }
        let (a, b) = (self.pair(best)?, self.pair(value)?);
        let d = self.allocate(2)?;
        self.push_op(Op::MinMax { is_max, d, a, b });
        Ok(Value { ty: holds, location: Location::Pair(d) })
    }
}
