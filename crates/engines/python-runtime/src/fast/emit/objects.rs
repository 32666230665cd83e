//! Attributes, items, lists and iterators.

use super::values::{Layout, Location, Value};
use super::{EmitResult, Emitter, Op, Reg};
use crate::code::Symbol;
use crate::fast::frame::PreparedFrame;
use crate::inference::operators::Attribute;
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

    pub(super) fn append(&mut self, l: Reg, shape: &Layout, value: &Value) -> EmitResult<()> {
        let a = if let Location::Register(r) = value.location {
            r
        } else {
            let d = self.allocate(1)?;
            self.store_value(shape, d, value)?;
            d
        };
        self.push_op(Op::Append { l, a });
        Ok(())
    }

    pub(super) fn translate_append(&mut self, between: u32) -> EmitResult<()> {
        let value = self.pop();
        let open = self.frame_mut();
        let list = open.stack[open.stack.len() - 1 - between as usize].clone();
        let shape = self.element_layout(list.ty)?;
        let l = self.register(&list)?;
        self.append(l, &shape, &value)
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
            _ if value.kinds() == Kinds::LIST => {
                self.load(it, &value)?;
                self.load_bits(it + 1, 0);
                IterationSource::List(value.ty)
            }
            _ => return Err("a loop over a value that is not a list or a range".to_owned()),
        };
        let holds = self.inference.types.detailed(TypeDetail::Iterator(iterated));
        Ok(Value { ty: holds, location: Location::Iterator(it) })
    }

    pub(super) fn subscript(&mut self) -> EmitResult<Value> {
        let (index, object) = (self.pop(), self.pop());
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
        let element = self.inference.types.element(object.ty);
        let shape = self.element_layout(object.ty)?;
        let l = self.register(&object)?;
        let a = self.register(&index)?;
        let d = self.allocate(1)?;
        let beyond = self.raise("IndexError", "list index out of range");
        let t = self.exit_label(beyond).0;
        self.push_op(Op::Index { d, l, a, t });
        self.value_in(&shape, d, element)
    }

    pub(super) fn attribute(&mut self, symbol: Symbol) -> EmitResult<Value> {
        let object = self.pop();
        let program = self.inference.program;
        let name = &*program.names[symbol.0 as usize];
        let holds = self.result_type();
        if object.kinds() == Kinds::LIST {
            return Ok(Value { ty: holds, location: Location::Base(Box::new(object)) });
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

    fn class_name(&mut self, object: &Value, holds: Type) -> Value {
        match object.location {
            Location::Register(o) if self.inference.types.constant(holds).is_none() => {
                Value { ty: holds, location: Location::ClassName(o) }
            }
            _ => Value::constant(holds),
        }
    }

    pub(super) fn set_attribute(&mut self, symbol: Symbol) -> EmitResult<()> {
        let (object, value) = (self.pop(), self.pop());
        self.materialize_fields()?;
        let program = self.inference.program;
        let name = &*program.names[symbol.0 as usize];
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
