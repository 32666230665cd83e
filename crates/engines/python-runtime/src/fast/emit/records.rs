//! Instances of classes of the program, and dicts with known keys.

use super::calls::Arguments;
use super::conditions::{Condition, IntOperand};
use super::values::{Layout, Location, Value};
use super::{EmitResult, Emitter, Label, Op, Reg};
use crate::code::{CodeId, Symbol};
use crate::fast::op::CompareOp;
use crate::fast::state::FIRST_OBJECT;
use crate::inference::operators::{special_comparison, special_operator};
use crate::inference::types::{Kinds, Type, TypeDetail};
use crate::machine::{Construction, DefaultField, FunctionConstant, HeapRef};
use crate::operators::{BinaryOperator, ComparisonOperator};

/// The place of a record's fields.
#[derive(Debug, Clone, Copy)]
pub(super) enum RecordPlace {
    /// A list of the module's state.
    State(u16),
    /// The list in a register.
    Register(Reg),
}

/// A field of a record.
pub(super) struct Field {
    pub(super) layout: Layout,
    /// The index of its first slot.
    pub(super) slot: u16,
    pub(super) ty: Type,
}

impl Emitter<'_> {
    /// Returns the index of the list of an object of the module.
    pub(super) fn state_list(&self, at: HeapRef) -> EmitResult<u16> {
        let place = self.inference.object_index(at).and_then(|place| u16::try_from(place + FIRST_OBJECT).ok());
        place.ok_or_else(|| "too many objects of the module".to_owned())
    }

    pub(super) fn record_place(&mut self, record: &Value) -> EmitResult<RecordPlace> {
        match self.inference.types.known_object(record.ty) {
            Some(at) => Ok(RecordPlace::State(self.state_list(at)?)),
            None => Ok(RecordPlace::Register(self.register(record)?)),
        }
    }

    /// Returns the fields of records of a type, with their keys.
    pub(super) fn fields(&self, record: Type) -> EmitResult<Vec<(Type, Field)>> {
        let Some(found) = self.inference.types.record(record) else { return Err("an unknown object".to_owned()) };
        let mut slot = 0u16;
        let mut fields = Vec::with_capacity(found.fields.len());
        for (&key, &ty) in &found.fields {
            let layout = self.layout(ty);
            if layout.is_unsupported() {
                return Err("an attribute or entry with values of several types".to_owned());
            }
            let width = layout.width();
            fields.push((key, Field { layout, slot, ty }));
            slot += u16::from(width);
        }
        Ok(fields)
    }

    pub(super) fn field(&self, record: Type, key: Type) -> EmitResult<Field> {
        let found = self.fields(record)?.into_iter().find(|(known, _)| *known == key);
        found.map(|(_, field)| field).ok_or_else(|| "a missing attribute or key".to_owned())
    }

    /// Loads the value of a field.
    pub(super) fn load_field(&mut self, place: RecordPlace, field: &Field, holds: Type) -> EmitResult<Value> {
        let width = field.layout.width();
        let r = self.allocate(width)?;
        self.load_slots(place, field.slot, r, width);
        if field.ty.kinds.intersects(Kinds::UNBOUND) {
            self.check_bound(&field.layout, r);
        }
        self.value_in(&field.layout, r, holds)
    }

    fn load_slots(&mut self, place: RecordPlace, slot: u16, r: Reg, width: u8) {
        for offset in 0..width {
            let (d, k) = (r + offset, slot + u16::from(offset));
            self.push_op(match place {
                RecordPlace::State(list) => Op::GetState { d, list, k },
                RecordPlace::Register(l) => Op::GetSlot { d, l, k },
            });
        }
    }

    pub(super) fn store_field(&mut self, place: RecordPlace, field: &Field, value: &Value) -> EmitResult<()> {
        let width = field.layout.width();
        let r = match (value.location.clone(), &field.layout) {
            (Location::Register(r), Layout::Scalar(_)) if width == 1 => r,
            (Location::Pair(r), Layout::Scalar(_)) if width == 2 => r,
            _ => {
                let r = self.allocate(width)?;
                self.store_value(&field.layout, r, value)?;
                r
            }
        };
        for offset in 0..width {
            let (a, k) = (r + offset, field.slot + u16::from(offset));
            self.push_op(match place {
                RecordPlace::State(list) => Op::SetState { a, list, k },
                RecordPlace::Register(l) => Op::SetSlot { l, a, k },
            });
        }
        self.code.mutates_state |= width > 0;
        Ok(())
    }

    /// Translates the reading of an attribute of a record.
    pub(super) fn record_attribute(&mut self, object: Value, name: &str) -> EmitResult<Value> {
        let holds = self.result_type();
        let otherwise = if object.kinds().is_subset(Kinds::RECORD.union(Kinds::NONE)) {
            self.raise("AttributeError", &format!("'NoneType' object has no attribute '{name}'"))
        } else {
            self.fallback("an attribute of a value that is not an object")
        };
        let object = self.restrict_kinds(object, Kinds::RECORD, otherwise)?;
        if let Some(code) = self.inference.property(object.ty, name) {
            return self.call_getter(object, code);
        }
        match self.inference.types.detail(holds) {
            Some(&TypeDetail::BoundFunction(receiver, ..)) if receiver.kinds == Kinds::DETAILED => {
                return self.class_attribute(&object, name, holds);
            }
            Some(TypeDetail::BoundFunction(..) | TypeDetail::Method(..)) => {
                return Ok(Value { ty: holds, location: Location::Base(Box::new(object)) });
            }
            _ => {}
        }
        let key = self.attribute_key(object.ty, name);
        if !self.inference.types.record(object.ty).is_some_and(|found| found.fields.contains_key(&key)) {
            return self.class_attribute(&object, name, holds);
        }
        let field = self.field(object.ty, key)?;
        let place = self.record_place(&object)?;
        self.load_field(place, &field, holds)
    }

    /// Returns the value of an attribute of a class of the program, or of that of an instance.
    pub(super) fn class_attribute(&mut self, object: &Value, name: &str, holds: Type) -> EmitResult<Value> {
        if let Some(&TypeDetail::BoundFunction(receiver, ..)) = self.inference.types.detail(holds) {
            return Ok(Value { ty: holds, location: Location::Base(Box::new(Value::constant(receiver))) });
        }
        let class = match self.inference.types.detail(object.ty) {
            Some(&TypeDetail::ProgramClass(class)) => Some(class),
            _ => self.inference.types.record(object.ty).and_then(|found| found.class),
        };
        let class = class.ok_or_else(|| "an attribute of a class".to_owned())?;
        if !self.inference.is_changing_class_attribute(class, name) {
            return self.constant_value(holds);
        }
        let (record, key) =
            self.inference.class_field(class, name).map_err(|_| "an attribute of a class".to_owned())?;
        let field = self.field(record, key)?;
        let place = self.record_place(&Value::constant(record))?;
        self.load_field(place, &field, holds)
    }

    /// Translates an assignment to an attribute of a class of the program.
    pub(super) fn set_class_attribute(&mut self, class: HeapRef, name: &str, value: &Value) -> EmitResult<()> {
        let (record, key) =
            self.inference.class_field(class, name).map_err(|_| "an attribute of a class".to_owned())?;
        let field = self.field(record, key)?;
        let place = self.record_place(&Value::constant(record))?;
        self.store_field(place, &field, value)
    }

    /// Calls a special method of an instance; `None` if its class does not define it.
    pub(super) fn call_special(
        &mut self,
        name: &str,
        object: &Value,
        arguments: &[&Value],
    ) -> EmitResult<Option<Value>> {
        match self.inference.special_method(object.ty, name) {
            Some(function) => self.call_function_of_object(&function, object, arguments).map(Some),
            None => Ok(None),
        }
    }

    fn call_function_of_object(
        &mut self,
        function: &FunctionConstant,
        object: &Value,
        arguments: &[&Value],
    ) -> EmitResult<Value> {
        let child = self.callee(function.code).ok_or_else(|| "an unsupported call".to_owned())?;
        let (_, defaults) = self.inference.function_parts(function);
        let positional = std::iter::once(object).chain(arguments.iter().copied()).cloned().collect();
        let bound = self.bind_arguments(child, Arguments { positional, keywords: Vec::new() }, &defaults)?;
        self.inline_call(child, &bound)
    }

    /// Translates a comparison that a class of the program defines; `None` if the operands are no instances of one.
    pub(super) fn special_comparison(
        &mut self,
        operator: ComparisonOperator,
        left: &Value,
        right: &Value,
    ) -> EmitResult<Option<Value>> {
        let Some((name, swapped)) = special_comparison(operator) else { return Ok(None) };
        if operator == ComparisonOperator::Eq
            && let Some(keys) = self.inference.compared_fields(left.ty, right.ty)
        {
            return self.equality_of_fields(&keys, left, right).map(Some);
        }
        let (object, argument) = if swapped { (right, left) } else { (left, right) };
        self.call_special(name, object, &[argument])
    }

    /// Emits the comparison of fields of two records.
    fn equality_of_fields(&mut self, keys: &[Type], left: &Value, right: &Value) -> EmitResult<Value> {
        let d = self.allocate(1)?;
        let (other, end) = (self.label(), self.label());
        for &key in keys {
            let mut sides = Vec::with_capacity(2);
            for record in [left, right] {
                let (place, field) = (self.record_place(record)?, self.field(record.ty, key)?);
                sides.push(self.load_field(place, &field, field.ty)?);
            }
            self.branch_unless_values_equal(&sides[0], &sides[1], other)?;
        }
        self.load_bits(d, 1);
        self.jump(end);
        self.place_label(other);
        self.load_bits(d, 0);
        self.place_label(end);
        Ok(Value::in_register(Type::BOOL, d))
    }

    /// Returns the key of the field that an attribute reads.
    fn attribute_key(&mut self, record: Type, name: &str) -> Type {
        match self.inference.types.record(record).and_then(|found| found.class) {
            Some(class) => self.inference.field_key(class, name),
            None => self.inference.types.text(name),
        }
    }

    /// Translates a binary operator that a class of the program defines; `None` if the operands are no instances of one.
    pub(super) fn special_binary(
        &mut self,
        operator: BinaryOperator,
        left: &Value,
        right: &Value,
        is_in_place: bool,
    ) -> EmitResult<Option<Value>> {
        let found = special_operator(&self.inference, operator, (left.ty, right.ty), is_in_place);
        match found.map_err(|_| "an operator of a class".to_owned())? {
            Some((name, true)) => self.call_special(&name, left, &[right]),
            Some((name, false)) => self.call_special(&name, right, &[left]),
            None => Ok(None),
        }
    }

    /// Returns the method `__call__` of an instance.
    pub(super) fn callable(&mut self, object: Value) -> EmitResult<Value> {
        let found = self.inference.callable(object.ty).ok_or_else(|| "a call of an object".to_owned())?;
        Ok(Value { ty: found, location: Location::Base(Box::new(object)) })
    }

    /// Creates the dict of a function's other keyword arguments.
    pub(super) fn keyword_dict(&mut self, ty: Type, entries: Vec<(Symbol, Value)>) -> EmitResult<Value> {
        let (record, d) = self.new_record(ty)?;
        for (symbol, value) in entries {
            let program = self.inference.program;
            let key = self.inference.types.text(program.name(symbol));
            let field = self.field(ty, key)?;
            self.store_field(RecordPlace::Register(d), &field, &value)?;
        }
        Ok(record)
    }

    /// Translates the addition of the entries of a dict to the keyword arguments of a call.
    pub(super) fn merge_keywords(&mut self) -> EmitResult<()> {
        let mapping = self.pop();
        let Some(top) = self.frame_mut().stack.last().cloned() else { return Err("a call with `**`".to_owned()) };
        for (key, entry) in self.dict_entries(&mapping)? {
            let value = self.load_entry(&mapping, &entry)?;
            self.set_dict_item(&top, &Value::constant(key), &value)?;
        }
        Ok(())
    }

    /// Returns a value that is known at compile time, with the elements of tuples.
    pub(super) fn constant_value(&mut self, holds: Type) -> EmitResult<Value> {
        Ok(match self.inference.types.detail(holds).cloned() {
            Some(TypeDetail::Tuple(parts)) => {
                let parts = parts.into_iter().map(|part| self.constant_value(part)).collect::<EmitResult<Vec<_>>>()?;
                Value { ty: holds, location: Location::Tuple(parts) }
            }
            _ => Value::constant(holds),
        })
    }

    fn call_getter(&mut self, object: Value, code: CodeId) -> EmitResult<Value> {
        let Some(child) = self.callee(code) else {
            return Err("an unsupported call".to_owned());
        };
        let arguments = Arguments { positional: vec![object], keywords: Vec::new() };
        let bound = self.bind_arguments(child, arguments, &[])?;
        self.inline_call(child, &bound)
    }

    pub(super) fn set_record_attribute(&mut self, object: Value, name: &str, value: &Value) -> EmitResult<()> {
        let otherwise = self.fallback("an attribute of a value that is not an object");
        let object = self.restrict_kinds(object, Kinds::RECORD, otherwise)?;
        if let Some(setter) = self.inference.property_setter(object.ty, name) {
            return self.call_function_of_object(&setter, &object, &[value]).map(|_| ());
        }
        let key = self.inference.types.text(name);
        let field = self.field(object.ty, key)?;
        let place = self.record_place(&object)?;
        self.store_field(place, &field, value)
    }

    /// Creates a record without values.
    fn new_record(&mut self, ty: Type) -> EmitResult<(Value, Reg)> {
        let fields = self.fields(ty)?;
        let count = fields.iter().map(|(_, field)| u16::from(field.layout.width())).sum();
        let d = self.allocate(1)?;
        self.push_op(Op::NewRecord { d, count });
        for (_, field) in fields {
            if field.ty.kinds.intersects(Kinds::UNBOUND) {
                self.store_unbound(RecordPlace::Register(d), &field)?;
            }
        }
        Ok((Value::in_register(ty, d), d))
    }

    /// Marks a field as missing.
    fn store_unbound(&mut self, place: RecordPlace, field: &Field) -> EmitResult<()> {
        let width = field.layout.width();
        let r = self.allocate(width)?;
        self.mark_unbound(&field.layout, r);
        let offsets = if width == 2 { 1..2 } else { 0..width };
        for offset in offsets {
            let (a, k) = (r + offset, field.slot + u16::from(offset));
            self.push_op(match place {
                RecordPlace::State(list) => Op::SetState { a, list, k },
                RecordPlace::Register(l) => Op::SetSlot { l, a, k },
            });
        }
        Ok(())
    }

    /// Translates the creation of an instance of a class of the program.
    pub(super) fn call_class(&mut self, pc: usize, class: HeapRef, mut arguments: Arguments) -> EmitResult<Value> {
        let (instance, _) = self.current_instruction();
        let ty = self.inference.created_list(instance, pc).ok_or_else(|| "an unsupported object".to_owned())?;
        let mut values = Vec::new();
        for value in arguments.positional {
            values.push(self.evaluate_once(value)?);
        }
        for (_, value) in &mut arguments.keywords {
            *value = self.evaluate_once(value.clone())?;
        }
        arguments.positional = values;
        let (record, d) = self.new_record(ty)?;
        match self.inference.construction(class) {
            Some(Construction::Empty) => {}
            Some(Construction::Init(init)) => {
                let (_, defaults) = self.inference.function_parts(&init);
                let Some(child) = self.callee(init.code) else {
                    return Err("an unsupported call".to_owned());
                };
                arguments.positional.insert(0, record.clone());
                let bound = self.bind_arguments(child, arguments, &defaults)?;
                self.inline_call(child, &bound)?;
            }
            Some(Construction::Fields(fields)) => {
                let Arguments { positional, keywords } = arguments;
                let values = self.inference.bind_fields(&fields, &positional, &keywords);
                let values = values.ok_or_else(|| "a call with unsuitable arguments".to_owned())?;
                for (place, ((name, default), value)) in (1..).zip(fields.iter().zip(values)) {
                    let key = self.inference.types.text(name);
                    let field = self.field(ty, key)?;
                    let value = match (value, default) {
                        (Some(value), _) => value,
                        (None, Some(default)) => self.default_field(pc, place, default)?,
                        (None, None) => return Err("a call with unsuitable arguments".to_owned()),
                    };
                    let value =
                        if value.location == Location::Constant { self.constant_value(value.ty)? } else { value };
                    self.store_field(RecordPlace::Register(d), &field, &value)?;
                }
            }
            None => return Err("an unsupported object".to_owned()),
        }
        Ok(record)
    }

    /// Returns the default of a field of a new instance.
    fn default_field(&mut self, pc: usize, place: u32, default: &DefaultField) -> EmitResult<Value> {
        let (instance, _) = self.current_instruction();
        match default {
            DefaultField::Value(value) => Ok(Value::constant(self.inference.constant_type(value))),
            DefaultField::NewList => Ok(self.new_numbered_list(pc, place)?.0),
            DefaultField::NewDict => {
                let ty = self.inference.created_numbered_list(instance, pc, place);
                let ty = ty.ok_or_else(|| "an unsupported dict".to_owned())?;
                if ty.kinds == Kinds::LIST { self.new_container(ty) } else { Ok(self.new_record(ty)?.0) }
            }
        }
    }

    /// Translates the creation of an empty dict.
    pub(super) fn new_dict(&mut self) -> EmitResult<Value> {
        let ty = self.result_type();
        if ty.kinds == Kinds::LIST {
            return self.new_container(ty);
        }
        self.new_record(ty).map(|(record, _)| record)
    }

    /// Translates an assignment to an entry of a dict.
    pub(super) fn set_dict_item(&mut self, record: &Value, key: &Value, value: &Value) -> EmitResult<()> {
        if self.inference.types.is_table(record.ty) {
            return self.set_entry(record, key, value);
        }
        self.store_by_key(record, key, value, Self::store_field)
    }

    /// Emits a store to the field of a key, which may be known only at run time; a key without a field hands the call over.
    fn store_by_key(
        &mut self,
        record: &Value,
        key: &Value,
        value: &Value,
        store: impl Fn(&mut Self, RecordPlace, &Field, &Value) -> EmitResult<()>,
    ) -> EmitResult<()> {
        let fields = self.fields(record.ty)?;
        let place = self.record_place(record)?;
        if let Some((_, field)) = fields.iter().find(|(known, _)| *known == key.ty) {
            return store(self, place, field, value);
        }
        let (key, value) = (self.evaluate_once(key.clone())?, self.materialize(value.clone())?);
        let end = self.label();
        // Entries of other types belong to other keys.
        for (known, field) in fields.iter().filter(|(_, field)| value.kinds().is_subset(field.ty.kinds)) {
            let other = self.label();
            self.branch_unless_equal(&key, *known, other)?;
            store(self, place, field, &value)?;
            self.jump(end);
            self.place_label(other);
        }
        let op = self.fallback("a new key of a dict");
        self.push_op(op);
        self.place_label(end);
        Ok(())
    }

    /// Translates the reading of an entry of a dict; `otherwise` is the value of a missing key, which raises an exception without it.
    pub(super) fn dict_item(
        &mut self,
        record: &Value,
        key: &Value,
        otherwise: Option<&Value>,
        holds: Type,
    ) -> EmitResult<Value> {
        let fields = self.fields(record.ty)?;
        let place = self.record_place(record)?;
        let shape = self.layout(holds);
        if shape.is_unsupported() {
            return Err("an entry of a dict with values of several types".to_owned());
        }
        let to = self.allocate(shape.width())?;
        let end = self.label();
        let is_known_key = fields.iter().any(|(known, _)| *known == key.ty);
        let key = if is_known_key { key.clone() } else { self.evaluate_once(key.clone())? };
        for (known, field) in &fields {
            if is_known_key && *known != key.ty {
                continue;
            }
            let other = self.label();
            if !is_known_key {
                self.branch_unless_equal(&key, *known, other)?;
            }
            self.copy_entry(place, field, (&shape, to), other)?;
            self.jump(end);
            self.place_label(other);
        }
        if let Some(value) = otherwise {
            self.store_value(&shape, to, value)?;
        } else {
            let op = self.missing_key(key.ty);
            self.push_op(op);
        }
        self.place_label(end);
        self.value_in(&shape, to, holds)
    }

    /// Returns the instruction for a key that a dict lacks.
    fn missing_key(&mut self, key: Type) -> Op {
        if let Some(TypeDetail::Text(place)) = self.inference.types.detail(key) {
            let text = self.inference.types.texts[*place as usize].clone();
            // The message contains the representation of the key.
            if text.chars().all(|character| character.is_ascii_alphanumeric() || "_ -".contains(character)) {
                return self.raise("KeyError", &format!("'{text}'"));
            }
        }
        self.fallback("a missing key")
    }

    /// Returns the entries of a dict with their keys.
    pub(super) fn dict_entries(&self, dict: &Value) -> EmitResult<Vec<(Type, Field)>> {
        self.fields(dict.ty)
    }

    /// Loads the value of an entry.
    pub(super) fn load_entry(&mut self, dict: &Value, entry: &Field) -> EmitResult<Value> {
        let place = self.record_place(dict)?;
        let value = self.load_field(place, entry, entry.ty)?;
        if value.location == Location::Constant { self.constant_value(value.ty) } else { Ok(value) }
    }

    /// Sets an entry that a dict does not have yet.
    pub(super) fn set_default(&mut self, dict: &Value, key: &Value, value: &Value) -> EmitResult<()> {
        let value = self.materialize(value.clone())?;
        self.store_by_key(dict, key, &value, Self::store_if_absent)
    }

    /// Stores a value in a field that has none.
    fn store_if_absent(&mut self, place: RecordPlace, field: &Field, value: &Value) -> EmitResult<()> {
        if !field.ty.kinds.intersects(Kinds::UNBOUND) {
            return Ok(());
        }
        let width = field.layout.width();
        let r = self.allocate(width)?;
        self.load_slots(place, field.slot, r, width);
        let (absent, end) = (self.label(), self.label());
        self.branch_if_unbound(&field.layout, r, absent);
        self.jump(end);
        self.place_label(absent);
        self.store_field(place, field, value)?;
        self.place_label(end);
        Ok(())
    }

    /// Copies the value of an entry to registers, or jumps to `absent` if the dict lacks it.
    fn copy_entry(
        &mut self,
        place: RecordPlace,
        field: &Field,
        (shape, to): (&Layout, Reg),
        absent: Label,
    ) -> EmitResult<()> {
        let width = field.layout.width();
        let r = self.allocate(width)?;
        self.load_slots(place, field.slot, r, width);
        if field.ty.kinds.intersects(Kinds::UNBOUND) {
            self.branch_if_unbound(&field.layout, r, absent);
        }
        let value = self.value_in(&field.layout, r, field.ty.exclude(Kinds::UNBOUND))?;
        let value = if value.location == Location::Constant { self.constant_value(value.ty)? } else { value };
        self.store_value(shape, to, &value)
    }

    /// Emits the number of entries of a dict some of which may be missing.
    pub(super) fn dict_length(&mut self, dict: &Value) -> EmitResult<Value> {
        let (fields, place) = (self.fields(dict.ty)?, self.record_place(dict)?);
        let (optional, definite): (Vec<_>, Vec<_>) =
            fields.into_iter().partition(|(_, field)| field.ty.kinds.intersects(Kinds::UNBOUND));
        let d = self.allocate(1)?;
        self.load_bits(d, definite.len() as u64);
        for (_, field) in optional {
            let (width, absent) = (field.layout.width(), self.label());
            let r = self.allocate(width)?;
            self.load_slots(place, field.slot, r, width);
            self.branch_if_unbound(&field.layout, r, absent);
            self.push_op(Op::AddK { d, a: d, k: 1 });
            self.place_label(absent);
        }
        Ok(Value::in_register(Type::INT, d))
    }

    /// Translates `key in dict`.
    pub(super) fn dict_contains(&mut self, record: &Value, key: &Value) -> EmitResult<Value> {
        let fields = self.fields(record.ty)?;
        let place = self.record_place(record)?;
        let d = self.allocate(1)?;
        let (end, key) = (self.label(), self.evaluate_once(key.clone())?);
        for (known, field) in &fields {
            let other = self.label();
            self.branch_unless_equal(&key, *known, other)?;
            if field.ty.kinds.intersects(Kinds::UNBOUND) {
                let width = field.layout.width();
                let r = self.allocate(width)?;
                self.load_slots(place, field.slot, r, width);
                self.branch_if_unbound(&field.layout, r, other);
            }
            self.load_bits(d, 1);
            self.jump(end);
            self.place_label(other);
        }
        self.load_bits(d, 0);
        self.place_label(end);
        Ok(Value::in_register(Type::BOOL, d))
    }

    /// Jumps to `other` unless a value equals a constant.
    pub(super) fn branch_unless_equal(&mut self, value: &Value, constant: Type, other: Label) -> EmitResult<()> {
        if value.ty == constant {
            return Ok(());
        }
        if let Some(TypeDetail::Tuple(parts)) = self.inference.types.detail(constant).cloned() {
            let Location::Tuple(values) = &value.location else { return Err("a key of another type".to_owned()) };
            if values.len() != parts.len() {
                self.jump(other);
                return Ok(());
            }
            for (value, part) in values.iter().zip(parts) {
                self.branch_unless_equal(value, part, other)?;
            }
            return Ok(());
        }
        let condition = self.constant_test(value, constant)?;
        self.branch(&condition, false, other);
        Ok(())
    }

    /// Returns the condition that a value equals a constant text, number or `None`.
    fn constant_test(&mut self, value: &Value, constant: Type) -> EmitResult<Condition> {
        if constant.kinds == Kinds::NONE {
            return self.identity(value, &Value::constant(Type::NONE));
        }
        let present = value.kinds().exclude_none();
        if present != constant.kinds && !(present == Kinds::BOOL && constant.kinds == Kinds::BOOL) {
            if present.is_single() && present.union(constant.kinds).intersects(Kinds::TEXT) {
                return Ok(Condition::Constant(false));
            }
            return Err("a key of several types".to_owned());
        }
        let is_optional = value.kinds().intersects(Kinds::NONE);
        if is_optional && present != Kinds::TEXT {
            return Err("a key of several types".to_owned());
        }
        if constant.kinds == Kinds::TEXT {
            return self.equality(value, &Value::constant(constant));
        }
        let known = self.inference.types.int(constant).ok_or_else(|| "a key of another type".to_owned())?;
        let r = self.register(value)?;
        Ok(Condition::Ints(CompareOp::Eq, IntOperand::Register(r), IntOperand::Constant(known)))
    }
}
