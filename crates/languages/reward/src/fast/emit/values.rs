//! Values and their registers.

use super::conditions::Condition;
use super::{Emitter, Label, Laid, Op, R};
use crate::fast::op::{NONE, Tag, UNBOUND};
use crate::typed::types::{Kinds, Thing, Type};

/// A value in the emitted code, with its type and location.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Value {
    pub(super) holds: Type,
    pub(super) at: Place,
}

/// The location of a value, or the deferred computation that yields it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Place {
    /// No location: the value is known at compile time.
    Known,
    /// A register.
    One(R),
    /// A register, followed by a register with the tag of the value's kind.
    Pair(R),
    /// A field of an object.
    Field(R, u8),
    /// The name of the class of an object.
    ClassName(R),
    /// An iterator in three registers.
    Iterator(R),
    /// The bounds of a range.
    Range(Box<[Value; 2]>),
    Parts(Vec<Value>),
    /// The receiver of a method, the object whose class this is, or the iterable of a generator.
    On(Box<Value>),
    Condition(Box<Condition>),
}

/// The registers that hold the values of a variable.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    /// No registers: the value is always the constant of this type.
    Known(Type),
    Scalar(Kinds),
    Parts(Vec<Shape>),
    /// No common representation: the values have several shapes, which is not supported.
    None,
}

/// The representation of a variable.
#[derive(Debug, Clone)]
pub(super) enum Binding {
    /// An alias of a value that does not change.
    Same(Value),
    /// Registers of this shape, from this one on.
    Kept(Shape, R),
}

/// Whether the register of a value also encodes its absence, by [`NONE`] or [`UNBOUND`]: true for objects, lists and texts.
fn says_itself(kinds: Kinds) -> bool {
    let rest = kinds.without(Kinds::NONE.with(Kinds::UNBOUND));
    matches!(rest, Kinds::OBJECT | Kinds::LIST | Kinds::TEXT)
}

/// Returns the number of registers of a value of these kinds.
pub(super) fn width(kinds: Kinds) -> u8 {
    if kinds.is_one() || says_itself(kinds) { 1 } else { 2 }
}

impl Shape {
    /// Returns the number of registers. It saturates at a number that is never available.
    pub(super) fn width(&self) -> u8 {
        match self {
            Self::Known(_) | Self::None => 0,
            Self::Scalar(kinds) => width(*kinds),
            Self::Parts(parts) => parts.iter().map(Self::width).fold(0, u8::saturating_add),
        }
    }

    /// Returns the shape that holds the values of both shapes.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (one, two) if one == two => one,
            (Self::Known(one), Self::Known(two)) => Self::scalar(one, two.kinds),
            (Self::Known(one), Self::Scalar(kinds)) | (Self::Scalar(kinds), Self::Known(one)) => {
                Self::scalar(one, kinds)
            }
            (Self::Scalar(one), Self::Scalar(two)) => Self::Scalar(one.with(two)),
            (Self::Parts(one), Self::Parts(two)) if one.len() == two.len() => {
                Self::Parts(one.into_iter().zip(two).map(|(one, two)| one.or(two)).collect())
            }
            _ => Self::None,
        }
    }

    fn scalar(one: Type, kinds: Kinds) -> Self {
        let all = one.kinds.with(kinds);
        if all.has(Kinds::THING.with(Kinds::ANY)) { Self::None } else { Self::Scalar(all) }
    }
}

impl Value {
    pub(super) fn one(holds: Type, at: R) -> Self {
        Self { holds, at: Place::One(at) }
    }

    pub(super) fn known(holds: Type) -> Self {
        Self { holds, at: Place::Known }
    }

    pub(super) fn kinds(&self) -> Kinds {
        self.holds.kinds
    }

    /// Returns the last register that holds the value or an input of its computation; 0 if there is none.
    pub(super) fn last(&self) -> R {
        match &self.at {
            Place::Known => 0,
            Place::One(r) | Place::Field(r, _) | Place::ClassName(r) => *r,
            Place::Pair(r) => r + 1,
            Place::Iterator(r) => r + 2,
            Place::Range(ends) => ends.iter().map(Self::last).max().unwrap_or(0),
            Place::Parts(parts) => parts.iter().map(Self::last).max().unwrap_or(0),
            Place::On(value) => value.last(),
            Place::Condition(condition) => condition.registers().into_iter().max().unwrap_or(0),
        }
    }

    /// Whether the register holds the value or an input of its computation.
    pub(super) fn uses(&self, register: R) -> bool {
        match &self.at {
            Place::Known => false,
            Place::One(r) | Place::Field(r, _) | Place::ClassName(r) => *r == register,
            Place::Pair(r) => *r == register || r + 1 == register,
            Place::Iterator(r) => (*r..=r + 2).contains(&register),
            Place::Range(ends) => ends.iter().any(|end| end.uses(register)),
            Place::Parts(parts) => parts.iter().any(|part| part.uses(register)),
            Place::On(value) => value.uses(register),
            Place::Condition(condition) => condition.registers().contains(&register),
        }
    }

    /// Whether the location of the value or of one of its parts passes the test.
    fn any(&self, test: fn(&Place) -> bool) -> bool {
        match &self.at {
            Place::Range(ends) => ends.iter().any(|end| end.any(test)),
            Place::Parts(parts) => parts.iter().any(|part| part.any(test)),
            Place::On(value) => value.any(test),
            at => test(at),
        }
    }
}

impl Emitter<'_> {
    /// Frees the registers above those of the variables and of the values on the stack.
    pub(super) fn settle_free(&mut self) -> Laid<()> {
        let open = self.top();
        let above = open.stack.iter().map(Value::last).max().map_or(0, |last| last.saturating_add(1));
        let free = open.floor.max(above);
        if free > 250 {
            return Err("too many variables at once".to_owned());
        }
        self.free = free;
        Ok(())
    }

    /// Allocates consecutive temporary registers and returns the first one.
    pub(super) fn room(&mut self, count: u8) -> Laid<R> {
        let at = self.free;
        match at.checked_add(count) {
            Some(free) if free < 255 => {
                self.free = free;
                Ok(at)
            }
            _ => Err("too many variables at once".to_owned()),
        }
    }

    /// Returns the shape that holds all values of a type.
    pub(super) fn shape(&self, holds: Type) -> Shape {
        if holds.kinds.has(Kinds::ANY) {
            return Shape::None;
        }
        if holds.kinds == Kinds::NONE || self.types.types.constant(holds).is_some() {
            return Shape::Known(holds);
        }
        if holds.kinds != Kinds::THING {
            return Shape::Scalar(holds.kinds);
        }
        match self.types.types.detail(holds) {
            Some(Thing::Tuple(parts)) => Shape::Parts(parts.iter().map(|&part| self.shape(part)).collect()),
            Some(
                Thing::Iterator(_) | Thing::Range(_) | Thing::Method(..) | Thing::ClassOf(_) | Thing::Generator(..),
            ) => Shape::None,
            _ => Shape::Known(holds),
        }
    }

    /// Returns the value of this type in the registers of a shape.
    pub(super) fn value_in(&self, shape: &Shape, r: R, holds: Type) -> Laid<Value> {
        if holds.kinds == Kinds::NONE || self.types.types.constant(holds).is_some() {
            return Ok(Value::known(holds));
        }
        match shape {
            Shape::Known(known) => Ok(Value::known(*known)),
            Shape::Scalar(kinds) if width(*kinds) == 1 || holds.kinds.is_one() => Ok(Value::one(holds, r)),
            Shape::Scalar(_) => Ok(Value { holds, at: Place::Pair(r) }),
            Shape::Parts(shapes) => {
                let Some(Thing::Tuple(parts)) = self.types.types.detail(holds) else {
                    return Err("a tuple that is not always one".to_owned());
                };
                let mut at = r;
                let mut values = Vec::with_capacity(parts.len());
                for (shape, &part) in shapes.iter().zip(parts) {
                    values.push(self.value_in(shape, at, part)?);
                    at += shape.width();
                }
                Ok(Value { holds, at: Place::Parts(values) })
            }
            Shape::None => Err("a variable of several types".to_owned()),
        }
    }

    /// Returns the bits of a value that is known at compile time.
    pub(super) fn bits(&self, holds: Type) -> Laid<u64> {
        if holds.kinds == Kinds::NONE {
            return Ok(NONE);
        }
        match self.types.types.constant(holds) {
            Some(Thing::Bool(truth)) => Ok((*truth).into()),
            Some(Thing::Int(number)) => Ok(number.cast_unsigned()),
            Some(Thing::Float(bits)) => Ok(*bits),
            Some(Thing::Text(place)) => Ok((*place).into()),
            _ => Err("a function or a class as a value".to_owned()),
        }
    }

    /// Loads a constant into a register.
    pub(super) fn load_bits(&mut self, d: R, bits: u64) {
        let k = self.constant(&[bits]);
        self.op(Op::Const { d, k });
    }

    /// Loads a value of one kind, or an optional object, list or text, into a register.
    pub(super) fn load(&mut self, d: R, value: &Value) -> Laid<()> {
        match &value.at {
            Place::Known => {
                let bits = self.bits(value.holds)?;
                self.load_bits(d, bits);
            }
            Place::One(a) | Place::Pair(a) if *a == d => {}
            Place::One(a) => self.op(Op::Move { d, a: *a }),
            Place::Pair(a) if value.kinds().is_one() => self.op(Op::Move { d, a: *a }),
            Place::Field(o, f) => self.op(Op::Field { d, o: *o, f: *f }),
            Place::ClassName(o) => self.op(Op::ClassName { d, o: *o }),
            Place::Condition(condition) => self.load_truth(d, condition),
            _ => return Err("a value that cannot be stored".to_owned()),
        }
        Ok(())
    }

    /// Returns a register that holds a value of one kind, or an optional object, list or text.
    pub(super) fn register(&mut self, value: &Value) -> Laid<R> {
        match value.at {
            Place::One(r) => return Ok(r),
            Place::Pair(r) if value.kinds().is_one() => return Ok(r),
            _ => {}
        }
        let d = self.room(1)?;
        self.load(d, value)?;
        Ok(d)
    }

    /// Returns a register that holds a number as a float.
    pub(super) fn float(&mut self, value: &Value) -> Laid<R> {
        if value.kinds() == Kinds::FLOAT {
            return self.register(value);
        }
        if let Some(number) = self.types.types.int(value.holds) {
            if number.unsigned_abs() > 1 << 53 {
                return Err("a number that is not a float".to_owned());
            }
            let d = self.room(1)?;
            self.load_bits(d, (number as f64).to_bits());
            return Ok(d);
        }
        if let Place::Field(o, f) = value.at {
            let d = self.room(1)?;
            self.op(Op::FloatField { d, o, f });
            return Ok(d);
        }
        if !value.kinds().is_one() {
            return Err("a number of several types as a float".to_owned());
        }
        let a = self.register(value)?;
        let d = self.room(1)?;
        self.op(Op::ToFloat { d, a });
        Ok(d)
    }

    /// Returns the first of two registers that hold a value and its tag.
    pub(super) fn pair(&mut self, value: &Value) -> Laid<R> {
        if let Place::Pair(r) = value.at {
            return Ok(r);
        }
        let d = self.room(2)?;
        self.load_pair(d, value)?;
        Ok(d)
    }

    pub(super) fn load_pair(&mut self, d: R, value: &Value) -> Laid<()> {
        if let Place::Pair(a) = value.at {
            if a != d {
                self.op(Op::Move { d, a });
                self.op(Op::Move { d: d + 1, a: a + 1 });
            }
            return Ok(());
        }
        let kinds = value.kinds();
        if kinds == Kinds::NONE {
            self.load_bits(d, 0);
        } else {
            self.load(d, value)?;
        }
        let present = kinds.without(Kinds::NONE);
        let tag = tag(if present == Kinds::NEVER { kinds } else { present })?;
        self.load_bits(d + 1, tag as u64);
        if kinds.has(Kinds::NONE) && present != Kinds::NEVER {
            let there = self.label();
            self.op(Op::IfSome { a: d, t: there.0 });
            self.load_bits(d + 1, Tag::None as u64);
            self.land(there);
        }
        Ok(())
    }

    /// Stores a value in the registers of a shape.
    pub(super) fn keep(&mut self, shape: &Shape, r: R, value: &Value) -> Laid<()> {
        match shape {
            Shape::Known(_) | Shape::None => Ok(()),
            Shape::Scalar(kinds) if width(*kinds) == 2 => self.load_pair(r, value),
            Shape::Scalar(_) => self.load(r, value),
            Shape::Parts(shapes) => {
                let Place::Parts(parts) = &value.at else { return Err("a tuple that is not always one".to_owned()) };
                let mut at = r;
                for (shape, part) in shapes.iter().zip(parts) {
                    self.keep(shape, at, part)?;
                    at += shape.width();
                }
                Ok(())
            }
        }
    }

    /// Evaluates a value into registers of its own, so that later assignments to variables and objects do not affect it.
    pub(super) fn settled(&mut self, value: Value) -> Laid<Value> {
        let holds = value.holds;
        let at = match value.at {
            Place::Known | Place::Iterator(_) => return Ok(value),
            Place::Pair(_) if !holds.kinds.is_one() => {
                let d = self.room(2)?;
                self.load_pair(d, &value)?;
                Place::Pair(d)
            }
            Place::Parts(parts) => {
                Place::Parts(parts.into_iter().map(|part| self.settled(part)).collect::<Laid<Vec<_>>>()?)
            }
            Place::On(inner) => Place::On(Box::new(self.settled(*inner)?)),
            Place::Range(ends) => {
                let [start, end] = *ends;
                Place::Range(Box::new([self.settled(start)?, self.settled(end)?]))
            }
            _ => {
                let d = self.room(1)?;
                self.load(d, &value)?;
                Place::One(d)
            }
        };
        Ok(Value { holds, at })
    }

    /// Evaluates the values on the stack that depend on these registers.
    pub(super) fn settle_stack(&mut self, from: R, count: u8) -> Laid<()> {
        for place in 0..self.top().stack.len() {
            let value = self.top().stack[place].clone();
            if (from..from + count).any(|register| value.uses(register)) {
                let settled = self.settled(value)?;
                self.top().stack[place] = settled;
            }
        }
        Ok(())
    }

    /// Evaluates deferred fields and conditions on the stack before an object is modified.
    pub(super) fn settle_had(&mut self) -> Laid<()> {
        self.settle_such(|at| matches!(at, Place::Field(..) | Place::Condition(_)))
    }

    /// Evaluates deferred tests of whether a list is empty before a list is modified.
    pub(super) fn settle_filled(&mut self) -> Laid<()> {
        self.settle_such(|at| matches!(at, Place::Condition(condition) if condition.asks_list()))
    }

    /// Evaluates the deferred values on the stack whose location passes the test; fails if a calling function has one on its stack.
    fn settle_such(&mut self, test: fn(&Place) -> bool) -> Laid<()> {
        for open in 0..self.open.len() {
            for place in 0..self.open[open].stack.len() {
                let value = self.open[open].stack[place].clone();
                if value.any(test) {
                    if open + 1 < self.open.len() {
                        return Err("a value that changes during its use".to_owned());
                    }
                    let settled = self.settled(value)?;
                    self.open[open].stack[place] = settled;
                }
            }
        }
        Ok(())
    }

    /// Restricts a value to these kinds; a value of another kind ends the call with the instruction `otherwise`.
    pub(super) fn only(&mut self, value: Value, kinds: Kinds, otherwise: Op) -> Laid<Value> {
        if value.kinds().within(kinds) {
            return Ok(value);
        }
        let holds = value.holds.only(kinds);
        let exit = self.exit(otherwise);
        match value.at {
            Place::One(a) if says_itself(value.kinds()) => {
                self.op(Op::IfNone { a, t: exit.0 });
                Ok(Value::one(holds, a))
            }
            Place::Pair(a) => {
                for (kind, tag) in TAGS {
                    if value.kinds().has(kind) && !kinds.has(kind) {
                        self.op(Op::IfTag { a, tag, when: true, t: exit.0 });
                    }
                }
                let at = if holds.kinds.is_one() { Place::One(a) } else { Place::Pair(a) };
                Ok(Value { holds, at })
            }
            _ => Err("a value of another type".to_owned()),
        }
    }

    /// Marks the variable in the registers of a shape as unbound.
    pub(super) fn unbind(&mut self, shape: &Shape, r: R) {
        if let Shape::Scalar(kinds) = shape {
            if width(*kinds) == 2 {
                self.load_bits(r + 1, Tag::Unbound as u64);
            } else {
                self.load_bits(r, UNBOUND);
            }
        }
    }

    /// Emits a check that hands the call over if the variable is unbound.
    pub(super) fn check_bound(&mut self, shape: &Shape, r: R) {
        let Shape::Scalar(kinds) = shape else { return };
        let op = self.hand_over("an unassigned variable");
        let exit: Label = self.exit(op);
        if width(*kinds) == 2 {
            self.op(Op::IfTag { a: r, tag: Tag::Unbound, when: true, t: exit.0 });
        } else {
            self.op(Op::IfUnbound { a: r, t: exit.0 });
        }
    }
}

/// The kinds with their tags.
const TAGS: [(Kinds, Tag); 8] = [
    (Kinds::UNBOUND, Tag::Unbound),
    (Kinds::NONE, Tag::None),
    (Kinds::BOOL, Tag::Bool),
    (Kinds::INT, Tag::Int),
    (Kinds::FLOAT, Tag::Float),
    (Kinds::TEXT, Tag::Text),
    (Kinds::OBJECT, Tag::Object),
    (Kinds::LIST, Tag::List),
];

fn tag(kind: Kinds) -> Laid<Tag> {
    let found = TAGS.iter().find(|(other, _)| *other == kind);
    found.map(|(_, tag)| *tag).ok_or_else(|| "a value of several types".to_owned())
}
