//! Instances of classes of the program.

use super::calls::Arguments;
use super::values::{Layout, Location, Value};
use super::{EmitResult, Emitter, Op, Reg};
use crate::code::{CodeId, Symbol};
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

    pub(super) fn load_slots(&mut self, place: RecordPlace, slot: u16, r: Reg, width: u8) {
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
    pub(super) fn new_record(&mut self, ty: Type) -> EmitResult<(Value, Reg)> {
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
}
