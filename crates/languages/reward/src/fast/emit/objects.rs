//! Attributes, items, lists and iterators.

use super::values::{Place, Shape, Value};
use super::{Emitter, Laid, Op, R};
use crate::code::Symbol;
use crate::fast::frame::Frame;
use crate::typed::operators::Attribute;
use crate::typed::types::{Iterated, Kinds, Thing, Type};

impl Emitter<'_> {
    pub(super) fn tuple(&mut self, count: u32) -> Value {
        let open = self.top();
        let parts = open.stack.split_off(open.stack.len() - count as usize);
        let holds = Thing::Tuple(parts.iter().map(|part| part.holds).collect());
        Value { holds: self.types.types.thing(holds), at: Place::Parts(parts) }
    }

    pub(super) fn list(&mut self, pc: usize, count: u32) -> Laid<Value> {
        let (instance, _) = self.instance();
        let holds = self.types.made(instance, pc).ok_or_else(|| "an unsupported list".to_owned())?;
        let shape = self.element_shape(holds)?;
        let open = self.top();
        let parts = open.stack.split_off(open.stack.len() - count as usize);
        let d = self.room(1)?;
        self.op(Op::NewList { d });
        for part in &parts {
            self.append(d, &shape, part)?;
        }
        Ok(Value::one(holds, d))
    }

    pub(super) fn append(&mut self, l: R, shape: &Shape, value: &Value) -> Laid<()> {
        let a = if let Place::One(r) = value.at {
            r
        } else {
            let d = self.room(1)?;
            self.keep(shape, d, value)?;
            d
        };
        self.op(Op::Append { l, a });
        Ok(())
    }

    pub(super) fn append_below(&mut self, between: u32) -> Laid<()> {
        let value = self.pop();
        let open = self.top();
        let list = open.stack[open.stack.len() - 1 - between as usize].clone();
        let shape = self.element_shape(list.holds)?;
        let l = self.register(&list)?;
        self.append(l, &shape, &value)
    }

    pub(super) fn iterate(&mut self) -> Laid<Value> {
        let value = self.pop();
        self.iterator(value)
    }

    /// Returns an iterator over a list or a range; a value that is an iterator already is returned as it is.
    pub(super) fn iterator(&mut self, value: Value) -> Laid<Value> {
        if let Place::Iterator(_) = value.at {
            return Ok(value);
        }
        let it = self.room(3)?;
        let iterated = match (&value.at, self.types.types.detail(value.holds)) {
            (Place::Range(ends), Some(&Thing::Range(step))) => {
                let [start, end] = (**ends).clone();
                self.load(it, &start)?;
                self.load(it + 1, &end)?;
                self.load_bits(it + 2, step.cast_unsigned());
                Iterated::Range(step)
            }
            _ if value.kinds() == Kinds::LIST => {
                self.load(it, &value)?;
                self.load_bits(it + 1, 0);
                Iterated::List(value.holds)
            }
            _ => return Err("a loop over a value that is not a list or a range".to_owned()),
        };
        let holds = self.types.types.thing(Thing::Iterator(iterated));
        Ok(Value { holds, at: Place::Iterator(it) })
    }

    pub(super) fn item(&mut self) -> Laid<Value> {
        let (index, object) = (self.pop(), self.pop());
        if let Place::Parts(parts) = &object.at {
            let place = self.types.types.int(index.holds).unwrap_or(0);
            let place = if place < 0 { place + parts.len().cast_signed() as i64 } else { place };
            let part = usize::try_from(place).ok().and_then(|place| parts.get(place));
            return part.cloned().ok_or_else(|| "an index out of range of a tuple".to_owned());
        }
        let otherwise = if index.kinds().within(Kinds::INT.with(Kinds::BOOL).with(Kinds::NONE)) {
            self.raised("TypeError", "list indices must be integers or slices, not NoneType")
        } else {
            self.hand_over("an index that is not an integer")
        };
        let index = self.only(index, Kinds::INT.with(Kinds::BOOL), otherwise)?;
        let element = self.types.types.element(object.holds);
        let shape = self.element_shape(object.holds)?;
        let l = self.register(&object)?;
        let a = self.register(&index)?;
        let d = self.room(1)?;
        let beyond = self.raised("IndexError", "list index out of range");
        let t = self.exit(beyond).0;
        self.op(Op::Index { d, l, a, t });
        self.value_in(&shape, d, element)
    }

    pub(super) fn attribute(&mut self, symbol: Symbol) -> Laid<Value> {
        let object = self.pop();
        let program = self.types.program;
        let name = &*program.names[symbol.0 as usize];
        let holds = self.leaves();
        if object.kinds() == Kinds::LIST {
            return Ok(Value { holds, at: Place::On(Box::new(object)) });
        }
        if object.kinds() == Kinds::THING {
            return match object.at {
                Place::On(of) => Ok(self.class_name(&of, holds)),
                _ => Ok(Value::known(holds)),
            };
        }
        let otherwise = if object.kinds().within(Kinds::OBJECT.with(Kinds::NONE)) {
            self.raised("AttributeError", &format!("'NoneType' object has no attribute '{name}'"))
        } else {
            self.hand_over("an attribute of a value that is not an object")
        };
        let object = self.only(object, Kinds::OBJECT, otherwise)?;
        let o = self.register(&object)?;
        let object = Value::one(object.holds, o);
        let at = match Attribute::named(name) {
            None if name == "__class__" => Place::On(Box::new(object)),
            None => return Err(format!("the attribute `{name}`")),
            Some(Attribute::Field(f)) => Place::Field(o, f),
            Some(Attribute::Difference(f, g)) => {
                let d = self.room(1)?;
                self.op(Op::SubFields { d, o, f, p: o, g });
                Place::One(d)
            }
            Some(Attribute::Value) => {
                let d = self.room(1)?;
                self.op(Op::Value { d, o });
                Place::One(d)
            }
            Some(Attribute::Visible) => {
                let d = self.room(1)?;
                self.op(Op::Flag { d, o, bit: Frame::SHOWN });
                Place::One(d)
            }
            Some(Attribute::Hud) => {
                let d = self.room(1)?;
                self.op(Op::Flag { d, o, bit: 1 });
                Place::One(d)
            }
            Some(Attribute::ClassName) => return Ok(self.class_name(&object, holds)),
            Some(Attribute::Fields(fields)) => {
                let field = |&f: &u8| Value { holds: Type::INT, at: Place::Field(o, f) };
                Place::Parts(fields.iter().map(field).collect())
            }
            Some(Attribute::Center) => {
                let mut parts = Vec::new();
                for (f, g) in [(0, 2), (1, 3)] {
                    let d = self.room(1)?;
                    self.op(Op::Center { d, o, f, g });
                    parts.push(Value::one(Type::FLOAT, d));
                }
                Place::Parts(parts)
            }
            Some(Attribute::Method) => Place::On(Box::new(object)),
        };
        Ok(Value { holds, at })
    }

    fn class_name(&mut self, object: &Value, holds: Type) -> Value {
        match object.at {
            Place::One(o) if self.types.types.constant(holds).is_none() => Value { holds, at: Place::ClassName(o) },
            _ => Value::known(holds),
        }
    }

    pub(super) fn set_attribute(&mut self, symbol: Symbol) -> Laid<()> {
        let (object, value) = (self.pop(), self.pop());
        self.settle_had()?;
        let program = self.types.program;
        let name = &*program.names[symbol.0 as usize];
        let otherwise = self.hand_over("an attribute of a value that is not an object");
        let object = self.only(object, Kinds::OBJECT, otherwise)?;
        let o = self.register(&object)?;
        self.code.changes_objects = true;
        match (Attribute::named(name), value.at.clone()) {
            (Some(Attribute::Field(f)), _) => {
                let a = self.register(&value)?;
                self.op(Op::SetField { o, f, a });
            }
            (Some(Attribute::Value), _) => {
                let a = self.register(&value)?;
                self.op(Op::SetValue { o, a });
            }
            (Some(Attribute::Fields(fields)), Place::Parts(parts)) => {
                let mut registers = Vec::new();
                for part in &parts {
                    registers.push(self.register(part)?);
                }
                for (&f, a) in fields.iter().zip(registers) {
                    self.op(Op::SetField { o, f, a });
                }
            }
            _ => return Err(format!("an assignment to the attribute `{name}`")),
        }
        Ok(())
    }
}
