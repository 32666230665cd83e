//! Methods of lists, deques, dicts, numbers, texts and screen objects.

use super::calls::Arguments;
use super::conditions::Condition;
use super::values::{Layout, Location, Value};
use super::{EmitResult, Emitter, Label, Op, Reg};
use crate::fast::op::NumberFunction;
use crate::inference::containers::Container;
use crate::inference::text_functions::TextFunction;
use crate::inference::types::{Kinds, Type, TypeDetail};
use crate::library::{FastMethod, MethodRow};

impl Emitter<'_> {
    pub(super) fn call_method(
        &mut self,
        pc: usize,
        called: &Value,
        method: &'static MethodRow,
        arguments: &Arguments,
    ) -> EmitResult<Value> {
        let Location::Base(receiver) = &called.location else {
            return Err("a method that is not called immediately".to_owned());
        };
        match (receiver.kinds(), method.fast, arguments.positional.as_slice()) {
            (Kinds::LIST, ..) if self.inference.types.is_table(receiver.ty) => {
                self.table_method(pc, receiver, method.name, &arguments.positional)
            }
            (Kinds::LIST, ..) => self.list_method(pc, receiver, method.name, arguments),
            (Kinds::RECORD, ..) => self.dict_method(pc, receiver, method.name, &arguments.positional),
            (Kinds::TEXT, ..) => {
                let types: Vec<Type> = arguments.positional.iter().map(|argument| argument.ty).collect();
                let function = TextFunction::of_method(&self.inference.types, method.name, &types);
                self.text_function(receiver, function.ok_or_else(|| format!("the method `{}`", method.name))?)
            }
            (Kinds::INT, ..) => {
                let function = match method.name {
                    "bit_length" => NumberFunction::BitLength,
                    _ => NumberFunction::BitCount,
                };
                let a = self.register(receiver)?;
                self.number_function(function, (a, a), Type::INT)
            }
            (_, Some(form @ (FastMethod::IsOnTop | FastMethod::Distance | FastMethod::Overlap)), [argument]) => {
                let op = self.fallback("a method of a value that is not an object");
                let other = self.restrict_kinds(argument.clone(), Kinds::OBJECT, op)?;
                let (o, p) = (self.register(receiver)?, self.register(&other)?);
                if form == FastMethod::IsOnTop {
                    let location = Location::Condition(Box::new(Condition::OnTop(o, p)));
                    return Ok(Value { ty: Type::BOOL, location });
                }
                if form == FastMethod::Overlap {
                    let d = self.allocate(2)?;
                    self.push_op(Op::Overlap { d, o, p });
                    return Ok(Value { ty: self.result_type(), location: Location::Pair(d) });
                }
                let d = self.allocate(1)?;
                self.push_op(Op::Distance { d, o, p });
                Ok(Value::in_register(Type::FLOAT, d))
            }
            _ => Err(format!("the method `{}`", method.name)),
        }
    }

    /// Emits the computation of a function of numbers.
    pub(super) fn number_function(
        &mut self,
        function: NumberFunction,
        (a, b): (Reg, Reg),
        ty: Type,
    ) -> EmitResult<Value> {
        let d = self.allocate(1)?;
        self.push_op(Op::Function { d, a, b, function });
        Ok(Value::in_register(ty, d))
    }

    fn list_method(&mut self, pc: usize, list: &Value, name: &str, arguments: &Arguments) -> EmitResult<Value> {
        self.materialize_list_tests()?;
        let shape = self.element_layout(list.ty)?;
        let width = shape.width();
        let l = self.register(list)?;
        let none = Ok(Value::constant(Type::NONE));
        self.code.mutates_state = true;
        match (name, arguments.positional.as_slice()) {
            ("append", [value]) => {
                self.append(l, &shape, value)?;
                self.limit_deque(list.ty, l, width)?;
                none
            }
            ("appendleft", [value]) => {
                if matches!(self.inference.types.site_of(list.ty).container, Container::Deque(Some(_))) {
                    return Err("`appendleft` of a deque with a maximum length".to_owned());
                }
                let start = self.allocate(1)?;
                self.load_bits(start, 0);
                self.insert(l, start, &shape, value)?;
                none
            }
            ("insert", [index, value]) => {
                let op = self.fallback("an index that is not an integer");
                let index = self.restrict_kinds(index.clone(), Kinds::INT.union(Kinds::BOOL), op)?;
                let a = self.word_index(&index, width)?;
                self.insert(l, a, &shape, value)?;
                none
            }
            ("extend", [iterable]) => {
                self.extend(list, iterable.clone())?;
                none
            }
            ("clear", []) => {
                self.push_op(Op::Clear { l });
                none
            }
            ("reverse", []) => {
                self.push_op(Op::Reverse { l, width });
                none
            }
            ("rotate", _) => none,
            ("pop", [] | [_]) | ("popleft", []) => {
                let index = if let Some(index) = arguments.positional.first() {
                    index.clone()
                } else {
                    let place = if name == "pop" { -1 } else { 0 };
                    Value::constant(self.inference.types.detailed(TypeDetail::Int(place)))
                };
                self.pop_element(list, l, &shape, &index)
            }
            ("copy", []) => {
                let (copy, d, _) = self.new_numbered_list(pc, 0)?;
                self.require_same_layout(list.ty, copy.ty)?;
                self.append_words(d, l)?;
                Ok(copy)
            }
            ("sort", []) => {
                let program = self.inference.program;
                let keyword = |name: &str| {
                    let mut keywords = arguments.keywords.iter();
                    keywords.find(|(symbol, _)| program.name(*symbol) == name).map(|(_, value)| value)
                };
                let key = keyword("key").filter(|key| key.kinds() != Kinds::NONE);
                let is_reversed = keyword("reverse").and_then(|value| self.inference.types.truth(value.ty));
                let sorted = self.sorted(pc, list, (key, false), is_reversed == Some(true))?;
                self.require_same_layout(sorted.ty, list.ty)?;
                let m = self.register(&sorted)?;
                self.push_op(Op::Clear { l });
                self.append_words(l, m)?;
                none
            }
            ("index" | "count", [value]) => self.search(list, value, name == "index"),
            ("remove", [argument]) if width == 1 => {
                let a = self.register(argument)?;
                let op = self.raise("ValueError", "list.remove(x): x not in list");
                let t = self.exit_label(op).0;
                let objects = argument.kinds() == Kinds::OBJECT;
                self.push_op(if objects { Op::RemoveObject { l, a, t } } else { Op::RemoveEqual { l, a, t } });
                none
            }
            _ => Err(format!("the method `{name}`")),
        }
    }

    /// Translates `del list[index]`.
    pub(super) fn delete_item(&mut self) -> EmitResult<()> {
        let (index, list) = (self.pop(), self.pop());
        self.materialize_list_tests()?;
        if self.inference.types.is_table(list.ty) {
            return self.delete_entry(&list, &index);
        }
        let shape = self.element_layout(list.ty)?;
        let l = self.register(&list)?;
        self.code.mutates_state = true;
        if let (Some(TypeDetail::Slice(_)), Location::Tuple(bounds)) =
            (self.inference.types.detail(index.ty), &index.location)
        {
            let a = self.slice_bounds(bounds, shape.width())?;
            self.push_op(Op::RemoveSlice { l, a });
            return Ok(());
        }
        self.pop_element(&list, l, &shape, &index)?;
        Ok(())
    }

    /// Emits the removal of an element of a list, which is the result.
    pub(super) fn pop_element(&mut self, list: &Value, l: Reg, shape: &Layout, index: &Value) -> EmitResult<Value> {
        let width = shape.width();
        let op = self.fallback("an index that is not an integer");
        let index = self.restrict_kinds(index.clone(), Kinds::INT.union(Kinds::BOOL), op)?;
        let a = self.word_index(&index, width)?;
        let d = self.allocate(width)?;
        let op = self.fallback("an element that does not exist");
        let t = self.exit_label(op).0;
        self.push_op(Op::Pop { d, l, a, width, t });
        self.value_in(shape, d, self.inference.types.element(list.ty))
    }

    /// Appends all words of a list to another one.
    pub(super) fn append_words(&mut self, l: Reg, m: Reg) -> EmitResult<()> {
        let bounds = self.allocate(2)?;
        self.load_bits(bounds, 0);
        self.load_bits(bounds + 1, i64::MAX.cast_unsigned());
        self.push_op(Op::ExtendSlice { l, m, a: bounds });
        Ok(())
    }

    /// Appends the values of an iterable to a list.
    pub(super) fn extend(&mut self, list: &Value, iterable: Value) -> EmitResult<()> {
        let shape = self.element_layout(list.ty)?;
        let l = self.register(list)?;
        self.code.mutates_state = true;
        if self.inference.types.is_sequence(iterable.ty) && self.element_layout(iterable.ty)? == shape {
            let m = self.register(&iterable)?;
            return self.append_words(l, m);
        }
        self.append_all(iterable, l, &shape)
    }

    pub(super) fn insert(&mut self, l: Reg, a: Reg, shape: &Layout, value: &Value) -> EmitResult<()> {
        let width = shape.width();
        let b = self.allocate(width)?;
        self.store_value(shape, b, value)?;
        self.push_op(Op::Insert { l, a, b, width });
        Ok(())
    }

    /// Removes the first elements of a deque beyond its maximum length.
    fn limit_deque(&mut self, list: Type, l: Reg, width: u8) -> EmitResult<()> {
        if let Container::Deque(Some(limit)) = self.inference.types.site_of(list).container {
            let k = limit.checked_mul(width.into()).ok_or_else(|| "a deque with many elements".to_owned())?;
            self.push_op(Op::KeepLast { l, k });
        }
        Ok(())
    }

    /// Emits the search for a value in a list: its index, or the number of equal elements.
    fn search(&mut self, list: &Value, value: &Value, is_index: bool) -> EmitResult<Value> {
        let value = self.materialize(value.clone())?;
        let d = self.allocate(1)?;
        self.load_bits(d, 0);
        let found = self.label();
        let iterator = self.iterator(list.clone())?;
        if self.inference.types.element(list.ty).is_never() {
            self.place_label(found);
            return Ok(Value::in_register(Type::INT, d));
        }
        self.for_each(&iterator, |emitter, item| {
            let other = emitter.label();
            emitter.branch_unless_values_equal(&value, &item, other)?;
            if is_index {
                emitter.jump(found);
            } else {
                emitter.push_op(Op::AddK { d, a: d, k: 1 });
            }
            emitter.place_label(other);
            if is_index {
                emitter.push_op(Op::AddK { d, a: d, k: 1 });
            }
            Ok(())
        })?;
        if is_index {
            let op = self.fallback("a value that is not in the list");
            self.push_op(op);
        }
        self.place_label(found);
        Ok(Value::in_register(Type::INT, d))
    }

    /// Translates `value in values`, where the values are those of a list or a tuple.
    pub(super) fn contains(&mut self, values: &Value, value: &Value) -> EmitResult<Value> {
        let value = self.materialize(value.clone())?;
        let d = self.allocate(1)?;
        let (found, end) = (self.label(), self.label());
        if values.kinds() == Kinds::LIST {
            if !self.inference.types.element(values.ty).is_never() {
                let iterator = self.iterator(values.clone())?;
                self.for_each(&iterator, |emitter, item| emitter.jump_if_equal(&value, &item, found))?;
            }
        } else {
            let values =
                if values.location == Location::Constant { self.constant_value(values.ty)? } else { values.clone() };
            let Location::Tuple(parts) = values.location else { return Err("`in` with these operands".to_owned()) };
            for part in &parts {
                self.jump_if_equal(&value, part, found)?;
            }
        }
        self.load_bits(d, 0);
        self.jump(end);
        self.place_label(found);
        self.load_bits(d, 1);
        self.place_label(end);
        Ok(Value::in_register(Type::BOOL, d))
    }

    fn jump_if_equal(&mut self, one: &Value, two: &Value, found: Label) -> EmitResult<()> {
        let other = self.label();
        self.branch_unless_values_equal(one, two, other)?;
        self.jump(found);
        self.place_label(other);
        Ok(())
    }

    /// Jumps to `other` unless two values are equal.
    pub(super) fn branch_unless_values_equal(&mut self, one: &Value, two: &Value, other: Label) -> EmitResult<()> {
        let one = if one.location == Location::Constant { self.constant_value(one.ty)? } else { one.clone() };
        let two = if two.location == Location::Constant { self.constant_value(two.ty)? } else { two.clone() };
        if let (Location::Tuple(left), Location::Tuple(right)) = (&one.location, &two.location) {
            if left.len() != right.len() {
                self.jump(other);
                return Ok(());
            }
            for (left, right) in left.iter().zip(right) {
                self.branch_unless_values_equal(left, right, other)?;
            }
            return Ok(());
        }
        let end = self.label();
        let (is_optional, is_other_optional) =
            (one.kinds().intersects(Kinds::NONE), two.kinds().intersects(Kinds::NONE));
        if is_optional || is_other_optional {
            let none = Value::constant(Type::NONE);
            let (first, second) = (self.is_none(&one, &none)?, self.is_none(&two, &none)?);
            let present = self.label();
            self.branch(&first, false, present);
            self.branch(&second, false, other);
            self.jump(end);
            self.place_label(present);
            self.branch(&second, true, other);
        }
        let (left, right) = (one.kinds().exclude_none(), two.kinds().exclude_none());
        let (one, two) = (assume_kinds(one, left), assume_kinds(two, right));
        let are_numbers = left.is_subset(Kinds::NUMBER) && right.is_subset(Kinds::NUMBER);
        let condition = if left == Kinds::NEVER || right == Kinds::NEVER {
            Condition::Constant(false)
        } else if are_numbers || (left == right && left.is_single()) {
            self.equality(&one, &two)?
        } else if left.intersects(right) || (left.intersects(Kinds::NUMBER) && right.intersects(Kinds::NUMBER)) {
            return Err("equality of values of several types".to_owned());
        } else {
            Condition::Constant(false)
        };
        self.branch(&condition, false, other);
        self.place_label(end);
        Ok(())
    }

    fn is_none(&mut self, value: &Value, none: &Value) -> EmitResult<Condition> {
        match value.kinds() {
            Kinds::NONE => Ok(Condition::Constant(true)),
            kinds if kinds.intersects(Kinds::NONE) => self.identity(value, none),
            _ => Ok(Condition::Constant(false)),
        }
    }

    fn dict_method(&mut self, pc: usize, dict: &Value, name: &str, arguments: &[Value]) -> EmitResult<Value> {
        let holds = self.result_type();
        match (name, arguments) {
            ("get", [key]) => self.dict_item(dict, key, Some(&Value::constant(Type::NONE)), holds),
            ("get", [key, otherwise]) => {
                let otherwise = self.materialize(otherwise.clone())?;
                let otherwise = if otherwise.location == Location::Constant {
                    self.constant_value(otherwise.ty)?
                } else {
                    otherwise
                };
                self.dict_item(dict, key, Some(&otherwise), holds)
            }
            ("setdefault", [key, value]) => {
                self.set_default(dict, key, value)?;
                self.dict_item(dict, key, None, holds)
            }
            ("items" | "keys" | "values", []) => {
                let (list, l, shape) = self.new_numbered_list(pc, 0)?;
                for (key, entry) in self.dict_entries(dict)? {
                    let saved = self.next_register;
                    let key_value = self.constant_value(key)?;
                    let item = match name {
                        "keys" => key_value,
                        "values" => self.load_entry(dict, &entry)?,
                        _ => {
                            let value = self.load_entry(dict, &entry)?;
                            let ty = self.inference.types.detailed(TypeDetail::Tuple(vec![key, value.ty]));
                            Value { ty, location: Location::Tuple(vec![key_value, value]) }
                        }
                    };
                    self.append(l, &shape, &item)?;
                    self.next_register = saved;
                }
                Ok(list)
            }
            _ => Err(format!("the method `{name}`")),
        }
    }
}

/// Returns a value as one of these kinds, which it has.
fn assume_kinds(value: Value, kinds: Kinds) -> Value {
    if value.kinds() == kinds || kinds == Kinds::NEVER {
        return value;
    }
    let ty = value.ty.restrict(kinds);
    let location = match value.location {
        Location::Pair(r) if kinds.is_single() => Location::Register(r),
        other => other,
    };
    Value { ty, location }
}
