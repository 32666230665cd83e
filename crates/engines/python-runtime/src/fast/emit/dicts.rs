//! Dicts with known keys.

use super::conditions::{Condition, IntOperand};
use super::records::{Field, RecordPlace};
use super::values::{Layout, Location, Value};
use super::{EmitResult, Emitter, Label, Op, Reg};
use crate::code::Symbol;
use crate::fast::op::CompareOp;
use crate::inference::types::{Kinds, Type, TypeDetail};

impl Emitter<'_> {
    /// Translates the creation of an empty dict.
    pub(super) fn new_dict(&mut self) -> EmitResult<Value> {
        let ty = self.result_type();
        if ty.kinds == Kinds::LIST {
            return self.new_container(ty);
        }
        self.new_record(ty).map(|(record, _)| record)
    }

    /// Translates `dict` with keyword arguments.
    pub(super) fn dict_of_keywords(&mut self, keywords: Vec<(Symbol, Value)>) -> EmitResult<Value> {
        let dict = self.new_dict()?;
        for (symbol, value) in keywords {
            let program = self.inference.program;
            let key = self.inference.types.text(program.name(symbol));
            self.set_dict_item(&dict, &Value::constant(key), &value)?;
        }
        Ok(dict)
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
