//! Attributes, items, lists and iterators.

use super::conditions::Condition;
use super::values::{Layout, Location, Value};
use super::{EmitResult, Emitter, Op, Reg};
use crate::code::Symbol;
use crate::fast::frame::{PreparedFrame, RareAttributes};
use crate::inference::operators::Attribute;
use crate::inference::text_functions::TextFunction;
use crate::inference::types::{IterationSource, Kinds, Type, TypeDetail};

impl Emitter<'_> {
    pub(super) fn tuple(&mut self, count: u32) -> Value {
        let open = self.frame_mut();
        let parts = open.stack.split_off(open.stack.len() - count as usize);
        let holds = TypeDetail::Tuple(parts.iter().map(|part| part.ty).collect());
        Value { ty: self.inference.types.detailed(holds), location: Location::Tuple(parts) }
    }

    pub(super) fn list(&mut self, pc: usize, count: u32) -> EmitResult<Value> {
        let (instance, _) = self.current_instruction();
        let holds = self.inference.created_list(instance, pc).ok_or_else(|| "an unsupported list".to_owned())?;
        let shape = self.element_layout(holds)?;
        let open = self.frame_mut();
        let parts = open.stack.split_off(open.stack.len() - count as usize);
        let d = self.allocate(1)?;
        self.push_op(Op::NewList { d });
        for part in &parts {
            self.append(d, &shape, part)?;
        }
        Ok(Value::in_register(holds, d))
    }

    /// Appends an element, which may take several words.
    pub(super) fn append(&mut self, l: Reg, shape: &Layout, value: &Value) -> EmitResult<()> {
        let width = shape.width();
        let r = match value.location {
            Location::Register(r) if width == 1 => r,
            _ => {
                let d = self.allocate(width)?;
                self.store_value(shape, d, value)?;
                d
            }
        };
        for a in r..r + width {
            self.push_op(Op::Append { l, a });
        }
        self.code.mutates_state = true;
        Ok(())
    }

    /// Returns the number of elements of a list.
    pub(super) fn length(&mut self, list: &Value) -> EmitResult<Value> {
        if let (Some(TypeDetail::View(..)), Location::Base(dict)) =
            (self.inference.types.detail(list.ty), &list.location)
        {
            return self.length(&dict.clone());
        }
        if list.kinds() == Kinds::RECORD {
            return self.dict_length(list);
        }
        if list.kinds() == Kinds::TEXT {
            return self.text_function(list, TextFunction::Length);
        }
        let width = self.element_layout(list.ty)?.width();
        let l = self.register(list)?;
        let d = self.allocate(1)?;
        self.push_op(Op::Length { d, l });
        if width > 1 {
            let b = self.allocate(1)?;
            self.load_bits(b, width.into());
            self.push_op(Op::FloorDiv { d, a: d, b });
        }
        Ok(Value::in_register(Type::INT, d))
    }

    /// Returns the register of the index of an element's first word.
    pub(super) fn word_index(&mut self, index: &Value, width: u8) -> EmitResult<Reg> {
        let a = self.register(index)?;
        if width == 1 {
            return Ok(a);
        }
        let (d, b) = (self.allocate(1)?, self.allocate(1)?);
        self.load_bits(b, width.into());
        self.push_op(Op::Mul { d, a, b });
        Ok(d)
    }

    /// Loads the element at an index, or raises `beyond` if there is none.
    pub(super) fn element_at(&mut self, list: &Value, index: &Value, beyond: Op) -> EmitResult<Value> {
        let element = self.inference.types.element(list.ty);
        let shape = self.element_layout(list.ty)?;
        let l = self.register(list)?;
        let width = shape.width();
        let a = self.word_index(index, width)?;
        let d = self.allocate(width)?;
        let t = self.exit_label(beyond).0;
        self.push_op(Op::Index { d, l, a, t });
        for place in 1..width {
            let next = self.allocate(1)?;
            self.push_op(Op::AddK { d: next, a, k: place.into() });
            self.push_op(Op::Index { d: d + place, l, a: next, t });
        }
        self.value_in(&shape, d, element)
    }

    /// Translates an assignment to an item of a list or dict.
    pub(super) fn set_item(&mut self) -> EmitResult<()> {
        let (index, object, value) = (self.pop(), self.pop(), self.pop());
        if self.call_special("__setitem__", &object, &[&index, &value])?.is_some() {
            return Ok(());
        }
        if object.kinds() == Kinds::RECORD || self.inference.types.is_table(object.ty) {
            return self.set_dict_item(&object, &index, &value);
        }
        let op = self.fallback("an index that is not an integer");
        let index = self.restrict_kinds(index, Kinds::INT.union(Kinds::BOOL), op)?;
        let shape = self.element_layout(object.ty)?;
        let width = shape.width();
        let (l, a) = (self.register(&object)?, self.word_index(&index, width)?);
        let r = self.allocate(width)?;
        self.store_value(&shape, r, &value)?;
        let beyond = self.raise("IndexError", "list assignment index out of range");
        let t = self.exit_label(beyond).0;
        for place in 0..width {
            let at = self.allocate(1)?;
            self.push_op(Op::AddK { d: at, a, k: place.into() });
            self.push_op(Op::SetIndex { l, a: at, b: r + place, t });
        }
        self.code.mutates_state = true;
        Ok(())
    }

    pub(super) fn translate_append(&mut self, between: u32) -> EmitResult<()> {
        let value = self.pop();
        let open = self.frame_mut();
        let place = open.stack.len() - 1 - between as usize;
        let list = open.stack[place].clone();
        if let Location::Tuple(mut parts) = list.location {
            parts.push(value);
            let ty = TypeDetail::Tuple(parts.iter().map(|part| part.ty).collect());
            let ty = self.inference.types.detailed(ty);
            self.frame_mut().stack[place] = Value { ty, location: Location::Tuple(parts) };
            return Ok(());
        }
        let shape = self.element_layout(list.ty)?;
        let l = self.register(&list)?;
        self.append(l, &shape, &value)
    }

    /// Adds the values of an iterable to a list or tuple under construction.
    pub(super) fn extend_display(&mut self, pc: usize) -> EmitResult<Value> {
        let (iterable, whole) = (self.pop(), self.pop());
        let Location::Tuple(mut parts) = whole.location.clone() else {
            self.extend(&whole, iterable)?;
            return Ok(whole);
        };
        let iterable =
            if iterable.location == Location::Constant { self.constant_value(iterable.ty)? } else { iterable };
        if let Location::Tuple(more) = iterable.location {
            parts.extend(more);
        } else {
            let called = self.frame_mut().stack.last().map_or(Type::NEVER, |called| called.ty);
            let (instance, _) = self.current_instruction();
            let spread = self.inference.spread_list(instance, pc, called, whole.ty, iterable.ty);
            let count = spread.ok_or_else(|| "`*` before a value of variable length".to_owned())?.len();
            parts.extend(self.list_elements(&iterable, count)?);
        }
        let ty = TypeDetail::Tuple(parts.iter().map(|part| part.ty).collect());
        Ok(Value { ty: self.inference.types.detailed(ty), location: Location::Tuple(parts) })
    }

    pub(super) fn translate_iterate(&mut self) -> EmitResult<Value> {
        let value = self.pop();
        self.iterator(value)
    }

    /// Returns an iterator over a list or a range; a value that is an iterator already is returned as it is.
    pub(super) fn iterator(&mut self, value: Value) -> EmitResult<Value> {
        if let Location::Iterator(_) = value.location {
            return Ok(value);
        }
        let it = self.allocate(3)?;
        let iterated = match (&value.location, self.inference.types.detail(value.ty)) {
            (Location::Range(ends), Some(&TypeDetail::Range(step))) => {
                let [start, end] = (**ends).clone();
                self.load(it, &start)?;
                self.load(it + 1, &end)?;
                self.load_bits(it + 2, step.cast_unsigned());
                IterationSource::Range(step)
            }
            _ if self.inference.entries_of(value.ty).is_some() => self.start_entries(it, &value)?,
            _ if value.kinds() == Kinds::LIST => {
                self.load(it, &value)?;
                self.load_bits(it + 1, 0);
                IterationSource::List(value.ty)
            }
            _ => {
                let (_, pc) = self.current_instruction();
                let list = self.list_of(pc, 0, value)?;
                self.load(it, &list)?;
                self.load_bits(it + 1, 0);
                IterationSource::List(list.ty)
            }
        };
        let holds = self.inference.types.detailed(TypeDetail::Iterator(iterated));
        Ok(Value { ty: holds, location: Location::Iterator(it) })
    }

    pub(super) fn subscript(&mut self) -> EmitResult<Value> {
        let (index, object) = (self.pop(), self.pop());
        if let Some(TypeDetail::Slice(_)) = self.inference.types.detail(index.ty) {
            return self.slice(object, &index);
        }
        if let Some(value) = self.call_special("__getitem__", &object, &[&index])? {
            return Ok(value);
        }
        if object.kinds() == Kinds::RECORD {
            let holds = self.result_type();
            return self.dict_item(&object, &index, None, holds);
        }
        if self.inference.types.is_table(object.ty) {
            return self.table_item(&object, &index);
        }
        let object = if let (Location::Constant, Some(TypeDetail::Tuple(_))) =
            (&object.location, self.inference.types.detail(object.ty))
        {
            self.constant_value(object.ty)?
        } else {
            object
        };
        if let Location::Tuple(parts) = &object.location {
            let place = self.inference.types.int(index.ty).unwrap_or(0);
            let place = if place < 0 { place + parts.len().cast_signed() as i64 } else { place };
            let part = usize::try_from(place).ok().and_then(|place| parts.get(place));
            return part.cloned().ok_or_else(|| "an index out of range of a tuple".to_owned());
        }
        let otherwise = if index.kinds().is_subset(Kinds::INT.union(Kinds::BOOL).union(Kinds::NONE)) {
            self.raise("TypeError", "list indices must be integers or slices, not NoneType")
        } else {
            self.fallback("an index that is not an integer")
        };
        let index = self.restrict_kinds(index, Kinds::INT.union(Kinds::BOOL), otherwise)?;
        let beyond = self.raise("IndexError", "list index out of range");
        self.element_at(&object, &index, beyond)
    }

    pub(super) fn attribute(&mut self, symbol: Symbol) -> EmitResult<Value> {
        let object = self.pop();
        let program = self.inference.program;
        let name = &*program.names[symbol.0 as usize];
        let holds = self.result_type();
        if object.kinds().intersects(Kinds::RECORD) {
            return self.record_attribute(object, name);
        }
        if let Some(TypeDetail::ProgramClass(_)) = self.inference.types.detail(object.ty) {
            return self.class_attribute(&object, name, holds);
        }
        if let (Some(TypeDetail::Method(..)), Kinds::LIST | Kinds::INT | Kinds::TEXT) =
            (self.inference.types.detail(holds), object.kinds())
        {
            let object = if object.kinds() == Kinds::INT { self.evaluate_once(object)? } else { object };
            return Ok(Value { ty: holds, location: Location::Base(Box::new(object)) });
        }
        if let Some(TypeDetail::CountDigits) = self.inference.types.detail(holds) {
            return Ok(Value { ty: holds, location: object.location });
        }
        if object.kinds() == Kinds::DETAILED {
            return match object.location {
                Location::Base(of) => Ok(self.class_name(&of, holds)),
                _ => Ok(Value::constant(holds)),
            };
        }
        let otherwise = if object.kinds().is_subset(Kinds::OBJECT.union(Kinds::NONE)) {
            self.raise("AttributeError", &format!("'NoneType' object has no attribute '{name}'"))
        } else {
            self.fallback("an attribute of a value that is not an object")
        };
        let object = self.restrict_kinds(object, Kinds::OBJECT, otherwise)?;
        let o = self.register(&object)?;
        let object = Value::in_register(object.ty, o);
        let at = match Attribute::named(name) {
            None if name == "__class__" => Location::Base(Box::new(object)),
            None if name == "rgb" => {
                self.code.reads_rare = true;
                let d = self.allocate(3)?;
                let numbers = RareAttributes::COLOR..RareAttributes::EXTRA;
                let mut parts = Vec::new();
                for (d, k) in (d..).zip(numbers) {
                    self.push_op(Op::Rare { d, o, k });
                    parts.push(Value::in_register(Type::INT, d));
                }
                Location::Tuple(parts)
            }
            None if self.inference.rare_attribute(object.ty, name).is_some() => {
                self.rare_attribute(&object, o, name)?
            }
            None => return Err(format!("the attribute `{name}`")),
            Some(Attribute::Field(f)) => Location::Field(o, f),
            Some(Attribute::Difference(f, g)) => {
                let d = self.allocate(1)?;
                self.push_op(Op::SubFields { d, o, f, p: o, g });
                Location::Register(d)
            }
            Some(Attribute::Value) => {
                let d = self.allocate(1)?;
                self.push_op(Op::Value { d, o });
                Location::Register(d)
            }
            Some(Attribute::Visible) => {
                let d = self.allocate(1)?;
                self.push_op(Op::Flag { d, o, bit: PreparedFrame::SHOWN_BIT });
                Location::Register(d)
            }
            Some(Attribute::Hud) => {
                let d = self.allocate(1)?;
                self.push_op(Op::Flag { d, o, bit: 1 });
                Location::Register(d)
            }
            Some(Attribute::ClassName) => return Ok(self.class_name(&object, holds)),
            Some(Attribute::Fields(fields)) => {
                let field = |&f: &u8| Value { ty: Type::INT, location: Location::Field(o, f) };
                Location::Tuple(fields.iter().map(field).collect())
            }
            Some(Attribute::Center) => {
                let mut parts = Vec::new();
                for (f, g) in [(0, 2), (1, 3)] {
                    let d = self.allocate(1)?;
                    self.push_op(Op::Center { d, o, f, g });
                    parts.push(Value::in_register(Type::FLOAT, d));
                }
                Location::Tuple(parts)
            }
            Some(Attribute::Method(_)) => Location::Base(Box::new(object)),
        };
        Ok(Value { ty: holds, location: at })
    }

    /// Reads a rare attribute; the call is handed over if the object lacks it.
    fn rare_attribute(&mut self, object: &Value, o: Reg, name: &str) -> EmitResult<Location> {
        let found = self.inference.rare_attribute(object.ty, name);
        let (k, classes) = found.ok_or_else(|| format!("the attribute `{name}`"))?;
        self.code.reads_rare = true;
        if object.ty.classes & !classes != 0 {
            let op = self.fallback("an attribute that the object lacks");
            let exit = self.exit_label(op);
            self.branch(&Condition::Class(o, classes), false, exit);
        }
        let d = self.allocate(1)?;
        self.push_op(Op::Rare { d, o, k });
        Ok(Location::Register(d))
    }

    fn class_name(&mut self, object: &Value, holds: Type) -> Value {
        match object.location {
            Location::Register(o) if self.inference.types.constant(holds).is_none() => {
                Value { ty: holds, location: Location::ClassName(o, Vec::new()) }
            }
            _ => Value::constant(holds),
        }
    }

    pub(super) fn set_attribute(&mut self, symbol: Symbol) -> EmitResult<()> {
        let (object, value) = (self.pop(), self.pop());
        if !object.kinds().intersects(Kinds::RECORD) {
            self.materialize_fields()?;
        }
        let program = self.inference.program;
        let name = &*program.names[symbol.0 as usize];
        if object.kinds().intersects(Kinds::RECORD) {
            return self.set_record_attribute(object, name, &value);
        }
        if let Some(&TypeDetail::ProgramClass(class)) = self.inference.types.detail(object.ty) {
            return self.set_class_attribute(class, name, &value);
        }
        let otherwise = self.fallback("an attribute of a value that is not an object");
        let object = self.restrict_kinds(object, Kinds::OBJECT, otherwise)?;
        let o = self.register(&object)?;
        self.code.mutates_objects = true;
        match (Attribute::named(name), value.location.clone()) {
            (Some(Attribute::Field(f)), _) => {
                let a = self.register(&value)?;
                self.push_op(Op::SetField { o, f, a });
            }
            (Some(Attribute::Value), _) => {
                let a = self.register(&value)?;
                self.push_op(Op::SetValue { o, a });
            }
            (Some(Attribute::Fields(fields)), Location::Tuple(parts)) => {
                let mut registers = Vec::new();
                for part in &parts {
                    registers.push(self.register(part)?);
                }
                for (&f, a) in fields.iter().zip(registers) {
                    self.push_op(Op::SetField { o, f, a });
                }
            }
            _ => return Err(format!("an assignment to the attribute `{name}`")),
        }
        Ok(())
    }
}
