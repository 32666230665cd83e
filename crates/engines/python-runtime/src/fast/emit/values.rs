//! Values and their registers.

use super::conditions::Condition;
use super::{EmitResult, Emitter, Label, Op, Reg};
use crate::fast::op::{NONE, Tag, UNBOUND};
use crate::inference::text_functions::TextFunction;
use crate::inference::types::{Kinds, Type, TypeDetail};

/// A value in the emitted code, with its type and location.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Value {
    pub(super) ty: Type,
    pub(super) location: Location,
}

/// The location of a value, or the deferred computation that yields it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Location {
    /// No location: the value is known at compile time.
    Constant,
    /// A register.
    Register(Reg),
    /// A register, followed by a register with the tag of the value's kind.
    Pair(Reg),
    /// A field of an object.
    Field(Reg, u8),
    /// The result of functions of the name of the class of an object, each of which takes the result of the one before.
    ClassName(Reg, Vec<TextFunction>),
    /// An iterator in three registers.
    Iterator(Reg),
    /// The bounds of a range.
    Range(Box<[Value; 2]>),
    Tuple(Vec<Value>),
    /// The receiver of a method, the object whose class this is, or the iterable of a generator.
    Base(Box<Value>),
    Condition(Box<Condition>),
}

/// The registers that hold the values of a variable.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Layout {
    /// No registers: the value is always the constant of this type.
    Constant(Type),
    Scalar(Kinds),
    Tuple(Vec<Layout>),
    /// The object whose class the value is.
    ClassOf,
    /// The word of one of several fixed values.
    OneOf,
    /// No common representation: the values have several layouts, which is not supported.
    Unsupported,
}

/// The representation of a variable.
#[derive(Debug, Clone)]
pub(super) enum VariableLocation {
    /// An alias of a value that does not change.
    Alias(Value),
    /// Registers of this layout, from this one on.
    Registers(Layout, Reg),
}

/// Whether the register of a value also encodes its absence, by [`NONE`] or [`UNBOUND`]: true for objects, lists, records and texts.
fn is_self_tagged(kinds: Kinds) -> bool {
    let rest = kinds.difference(Kinds::NONE.union(Kinds::UNBOUND));
    matches!(rest, Kinds::OBJECT | Kinds::LIST | Kinds::TEXT | Kinds::RECORD)
}

/// Returns the number of registers of a value of these kinds.
pub(in crate::fast) fn width(kinds: Kinds) -> u8 {
    if kinds.is_single() || is_self_tagged(kinds) { 1 } else { 2 }
}

impl Layout {
    /// Returns the number of registers. It saturates at a number that is never available.
    pub(super) fn width(&self) -> u8 {
        match self {
            Self::Constant(_) | Self::Unsupported => 0,
            Self::ClassOf | Self::OneOf => 1,
            Self::Scalar(kinds) => width(*kinds),
            Self::Tuple(parts) => parts.iter().map(Self::width).fold(0, u8::saturating_add),
        }
    }

    /// Returns the layout that holds the values of both layouts.
    pub(super) fn join(self, other: Self) -> Self {
        match (self, other) {
            (one, two) if one == two => one,
            (Self::Constant(_), Self::OneOf) | (Self::OneOf, Self::Constant(_)) => Self::OneOf,
            // What is known at compile time needs no registers.
            (Self::Constant(known), other) | (other, Self::Constant(known)) if known.kinds == Kinds::DETAILED => other,
            (Self::Constant(one), Self::Constant(two)) => Self::scalar(one, two.kinds),
            (Self::Constant(one), Self::Scalar(kinds)) | (Self::Scalar(kinds), Self::Constant(one)) => {
                Self::scalar(one, kinds)
            }
            (Self::Scalar(one), Self::Scalar(two)) => Self::Scalar(one.union(two)),
            (Self::Tuple(one), Self::Tuple(two)) if one.len() == two.len() => {
                Self::Tuple(one.into_iter().zip(two).map(|(one, two)| one.join(two)).collect())
            }
            _ => Self::Unsupported,
        }
    }

    /// Whether the layout, or that of an element of a tuple, is not supported.
    pub(super) fn is_unsupported(&self) -> bool {
        match self {
            Self::Unsupported => true,
            Self::Tuple(parts) => parts.iter().any(Self::is_unsupported),
            _ => false,
        }
    }

    fn scalar(one: Type, kinds: Kinds) -> Self {
        let all = one.kinds.union(kinds);
        if all.intersects(Kinds::DETAILED.union(Kinds::ANY)) { Self::Unsupported } else { Self::Scalar(all) }
    }
}

impl Value {
    pub(super) fn in_register(holds: Type, at: Reg) -> Self {
        Self { ty: holds, location: Location::Register(at) }
    }

    pub(super) fn constant(holds: Type) -> Self {
        Self { ty: holds, location: Location::Constant }
    }

    pub(super) fn kinds(&self) -> Kinds {
        self.ty.kinds
    }

    /// Returns the last register that holds the value or an input of its computation; 0 if there is none.
    pub(super) fn last_register(&self) -> Reg {
        match &self.location {
            Location::Constant => 0,
            Location::Register(r) | Location::Field(r, _) | Location::ClassName(r, _) => *r,
            Location::Pair(r) => r + 1,
            Location::Iterator(r) => r + 2,
            Location::Range(ends) => ends.iter().map(Self::last_register).max().unwrap_or(0),
            Location::Tuple(parts) => parts.iter().map(Self::last_register).max().unwrap_or(0),
            Location::Base(value) => value.last_register(),
            Location::Condition(condition) => condition.registers().into_iter().max().unwrap_or(0),
        }
    }

    /// Whether the register holds the value or an input of its computation.
    pub(super) fn uses_register(&self, register: Reg) -> bool {
        match &self.location {
            Location::Constant => false,
            Location::Register(r) | Location::Field(r, _) | Location::ClassName(r, _) => *r == register,
            Location::Pair(r) => *r == register || r + 1 == register,
            Location::Iterator(r) => (*r..=r + 2).contains(&register),
            Location::Range(ends) => ends.iter().any(|end| end.uses_register(register)),
            Location::Tuple(parts) => parts.iter().any(|part| part.uses_register(register)),
            Location::Base(value) => value.uses_register(register),
            Location::Condition(condition) => condition.registers().contains(&register),
        }
    }

    /// Whether the location of the value or of one of its parts passes the test.
    fn has_location(&self, test: fn(&Location) -> bool) -> bool {
        match &self.location {
            Location::Range(ends) => ends.iter().any(|end| end.has_location(test)),
            Location::Tuple(parts) => parts.iter().any(|part| part.has_location(test)),
            Location::Base(value) => value.has_location(test),
            at => test(at),
        }
    }
}

impl Emitter<'_> {
    /// Frees the registers above those of the variables and of the values on the stack.
    pub(super) fn release_temporaries(&mut self) -> EmitResult<()> {
        let open = self.frame_mut();
        let above = open.stack.iter().map(Value::last_register).max().map_or(0, |last| last.saturating_add(1));
        let free = open.first_temporary.max(above);
        if free > 250 {
            return Err("too many variables at once".to_owned());
        }
        self.next_register = free;
        Ok(())
    }

    /// Allocates consecutive temporary registers and returns the first one.
    pub(super) fn allocate(&mut self, count: u8) -> EmitResult<Reg> {
        let at = self.next_register;
        match at.checked_add(count) {
            Some(free) if free < 255 => {
                self.next_register = free;
                Ok(at)
            }
            _ => Err("too many variables at once".to_owned()),
        }
    }

    /// Whether a type has a single value, which needs no register.
    pub(super) fn is_known(&self, holds: Type) -> bool {
        let types = &self.inference.types;
        holds.kinds == Kinds::NONE || types.constant(holds).is_some() || types.known_object(holds).is_some()
    }

    /// Returns the type of a value that is known at compile time and is neither a number, a text nor an object, if a type has no other.
    pub(super) fn known_detail(&self, holds: Type) -> Option<Type> {
        match self.layout(holds) {
            Layout::Constant(known) if known.kinds == Kinds::DETAILED => Some(known),
            _ => None,
        }
    }

    /// Returns the layout that holds all values of a type.
    pub(super) fn layout(&self, holds: Type) -> Layout {
        if holds.kinds.intersects(Kinds::ANY) {
            return Layout::Unsupported;
        }
        if self.is_known(holds) {
            return Layout::Constant(holds);
        }
        if holds.kinds != Kinds::DETAILED {
            return Layout::Scalar(holds.kinds);
        }
        match self.inference.types.detail(holds) {
            Some(TypeDetail::Tuple(parts)) => Layout::Tuple(parts.iter().map(|&part| self.layout(part)).collect()),
            Some(
                TypeDetail::Iterator(_)
                | TypeDetail::Range(_)
                | TypeDetail::Method(..)
                | TypeDetail::BoundFunction(..)
                | TypeDetail::BinaryDigits
                | TypeDetail::CountDigits
                | TypeDetail::Slice(_)
                | TypeDetail::View(..)
                | TypeDetail::Generator(..),
            ) => Layout::Unsupported,
            Some(TypeDetail::ClassOf(_)) => Layout::ClassOf,
            Some(TypeDetail::OneOf(_)) => Layout::OneOf,
            _ => Layout::Constant(holds),
        }
    }

    /// Returns the value of this type in the registers of a layout.
    pub(super) fn value_in(&self, shape: &Layout, r: Reg, holds: Type) -> EmitResult<Value> {
        if self.is_known(holds) {
            return Ok(Value::constant(holds));
        }
        if let Some(known) = self.known_detail(holds) {
            return Ok(Value::constant(known));
        }
        match shape {
            Layout::Constant(known) => Ok(Value::constant(*known)),
            Layout::Scalar(kinds) if width(*kinds) == 1 || holds.kinds.is_single() => Ok(Value::in_register(holds, r)),
            Layout::Scalar(_) => Ok(Value { ty: holds, location: Location::Pair(r) }),
            Layout::Tuple(shapes) => {
                let Some(TypeDetail::Tuple(parts)) = self.inference.types.detail(holds) else {
                    return Err("a tuple that is not always one".to_owned());
                };
                let mut at = r;
                let mut values = Vec::with_capacity(parts.len());
                for (shape, &part) in shapes.iter().zip(parts) {
                    values.push(self.value_in(shape, at, part)?);
                    at += shape.width();
                }
                Ok(Value { ty: holds, location: Location::Tuple(values) })
            }
            Layout::ClassOf => match self.inference.types.detail(holds) {
                Some(&TypeDetail::ClassOf(objects)) => {
                    let object = Value::in_register(objects, r);
                    Ok(Value { ty: holds, location: Location::Base(Box::new(object)) })
                }
                _ => Err("a variable of several types".to_owned()),
            },
            Layout::OneOf => Ok(Value::in_register(holds, r)),
            Layout::Unsupported => Err("a variable of several types".to_owned()),
        }
    }

    /// Returns the bits of a value that is known at compile time.
    pub(super) fn constant_bits(&self, holds: Type) -> EmitResult<u64> {
        if holds.kinds == Kinds::NONE {
            return Ok(NONE);
        }
        if let Some(at) = self.inference.types.known_object(holds) {
            return Ok(self.state_list(at)?.into());
        }
        match self.inference.types.constant(holds) {
            Some(TypeDetail::Bool(truth)) => Ok((*truth).into()),
            Some(TypeDetail::Int(number)) => Ok(number.cast_unsigned()),
            Some(TypeDetail::Float(bits)) => Ok(*bits),
            Some(TypeDetail::Text(place)) => Ok((*place).into()),
            _ => Err("a function or a class as a value".to_owned()),
        }
    }

    /// Loads a constant into a register.
    pub(super) fn load_bits(&mut self, d: Reg, bits: u64) {
        let k = self.constant(&[bits]);
        self.push_op(Op::Const { d, k });
    }

    /// Loads a value of one kind, or an optional object, list or text, into a register.
    pub(super) fn load(&mut self, d: Reg, value: &Value) -> EmitResult<()> {
        match &value.location {
            Location::Constant => {
                let bits = self.constant_bits(value.ty)?;
                self.load_bits(d, bits);
            }
            Location::Register(a) | Location::Pair(a) if *a == d => {}
            Location::Register(a) => self.push_op(Op::Move { d, a: *a }),
            Location::Pair(a) if value.kinds().is_single() => self.push_op(Op::Move { d, a: *a }),
            Location::Field(o, f) => self.push_op(Op::Field { d, o: *o, f: *f }),
            Location::ClassName(o, conversions) => {
                self.push_op(Op::ClassName { d, o: *o });
                for conversion in conversions {
                    let k = self.text_table(conversion.clone());
                    self.push_op(Op::TextTable { d, a: d, k });
                }
            }
            Location::Condition(condition) => self.load_truth(d, condition),
            _ => return Err("a value that cannot be stored".to_owned()),
        }
        Ok(())
    }

    /// Returns a register that holds a value of one kind, or an optional object, list or text.
    pub(super) fn register(&mut self, value: &Value) -> EmitResult<Reg> {
        match value.location {
            Location::Register(r) => return Ok(r),
            Location::Pair(r) if value.kinds().is_single() => return Ok(r),
            _ => {}
        }
        let d = self.allocate(1)?;
        self.load(d, value)?;
        Ok(d)
    }

    /// Returns a register that holds a number as a float.
    pub(super) fn float(&mut self, value: &Value) -> EmitResult<Reg> {
        if value.kinds() == Kinds::FLOAT {
            return self.register(value);
        }
        if let Some(number) = self.inference.types.int(value.ty) {
            if number.unsigned_abs() > 1 << 53 {
                return Err("a number that is not a float".to_owned());
            }
            let d = self.allocate(1)?;
            self.load_bits(d, (number as f64).to_bits());
            return Ok(d);
        }
        if let Location::Field(o, f) = value.location {
            let d = self.allocate(1)?;
            self.push_op(Op::FloatField { d, o, f });
            return Ok(d);
        }
        if !value.kinds().is_single() {
            return self.convert_any(value, |d, a| Op::Move { d, a }, |d, a| Op::ToFloat { d, a });
        }
        let a = self.register(value)?;
        let d = self.allocate(1)?;
        self.push_op(Op::ToFloat { d, a });
        Ok(d)
    }

    /// Emits one instruction for a number that is a float and another one for an integer; returns the register of the result.
    pub(super) fn convert_any(
        &mut self,
        value: &Value,
        of_float: fn(Reg, Reg) -> Op,
        of_int: fn(Reg, Reg) -> Op,
    ) -> EmitResult<Reg> {
        let (a, d) = (self.pair(value)?, self.allocate(1)?);
        let (float, end) = (self.label(), self.label());
        self.push_op(Op::IfTag { a, tag: Tag::Float, when: true, t: float.0 });
        self.push_op(of_int(d, a));
        self.jump(end);
        self.place_label(float);
        self.push_op(of_float(d, a));
        self.place_label(end);
        Ok(d)
    }

    /// Emits one instruction for a number that is a float and another one for an integer; the result has the same kind as the number.
    pub(super) fn transform_any(
        &mut self,
        value: &Value,
        of_float: fn(Reg, Reg) -> Op,
        of_int: fn(Reg, Reg) -> Op,
        holds: Type,
    ) -> EmitResult<Value> {
        let (a, to) = (self.pair(value)?, self.allocate(2)?);
        let pair = Value { ty: value.ty, location: Location::Pair(a) };
        let d = self.convert_any(&pair, of_float, of_int)?;
        self.push_op(Op::Move { d: to, a: d });
        self.push_op(Op::Move { d: to + 1, a: a + 1 });
        // The result for a truth value is an integer.
        if value.kinds().intersects(Kinds::BOOL) {
            let end = self.label();
            self.push_op(Op::IfTag { a, tag: Tag::Bool, when: false, t: end.0 });
            self.load_bits(to + 1, Tag::Int as u64);
            self.place_label(end);
        }
        Ok(Value { ty: holds, location: Location::Pair(to) })
    }

    /// Returns the first of two registers that hold a value and its tag.
    pub(super) fn pair(&mut self, value: &Value) -> EmitResult<Reg> {
        if let Location::Pair(r) = value.location {
            return Ok(r);
        }
        let d = self.allocate(2)?;
        self.load_pair(d, value)?;
        Ok(d)
    }

    pub(super) fn load_pair(&mut self, d: Reg, value: &Value) -> EmitResult<()> {
        if let Location::Pair(a) = value.location {
            if a != d {
                self.push_op(Op::Move { d, a });
                self.push_op(Op::Move { d: d + 1, a: a + 1 });
            }
            return Ok(());
        }
        let kinds = value.kinds();
        if kinds == Kinds::NONE {
            self.load_bits(d, 0);
        } else {
            self.load(d, value)?;
        }
        let present = kinds.difference(Kinds::NONE);
        let tag = tag(if present == Kinds::NEVER { kinds } else { present })?;
        self.load_bits(d + 1, tag as u64);
        if kinds.intersects(Kinds::NONE) && present != Kinds::NEVER {
            let there = self.label();
            self.push_op(Op::IfSome { a: d, t: there.0 });
            self.load_bits(d + 1, Tag::None as u64);
            self.place_label(there);
        }
        Ok(())
    }

    /// Stores a value in the registers of a layout.
    pub(super) fn store_value(&mut self, shape: &Layout, r: Reg, value: &Value) -> EmitResult<()> {
        match shape {
            Layout::Constant(_) | Layout::Unsupported => Ok(()),
            Layout::Scalar(kinds) if width(*kinds) == 2 => self.load_pair(r, value),
            Layout::Scalar(_) => self.load(r, value),
            Layout::ClassOf => match &value.location {
                Location::Base(object) => self.load(r, object),
                _ => Err("a class that is known at compile time".to_owned()),
            },
            Layout::OneOf if self.inference.types.is_fixed(value.ty) => {
                self.load_bits(r, value.ty.fixed_word());
                Ok(())
            }
            Layout::OneOf => match value.location {
                Location::Register(_) => self.load(r, value),
                _ => Err("a value of several types".to_owned()),
            },
            Layout::Tuple(shapes) => {
                let Location::Tuple(parts) = &value.location else {
                    return Err("a tuple that is not always one".to_owned());
                };
                let mut at = r;
                for (shape, part) in shapes.iter().zip(parts) {
                    self.store_value(shape, at, part)?;
                    at += shape.width();
                }
                Ok(())
            }
        }
    }

    /// Evaluates a value into registers of its own, so that later assignments to variables and objects do not affect it.
    pub(super) fn materialize(&mut self, value: Value) -> EmitResult<Value> {
        let holds = value.ty;
        let at = match value.location {
            Location::Constant | Location::Iterator(_) => return Ok(value),
            Location::Pair(_) if !holds.kinds.is_single() => {
                let d = self.allocate(2)?;
                self.load_pair(d, &value)?;
                Location::Pair(d)
            }
            Location::Tuple(parts) => {
                Location::Tuple(parts.into_iter().map(|part| self.materialize(part)).collect::<EmitResult<Vec<_>>>()?)
            }
            Location::Base(inner) => Location::Base(Box::new(self.materialize(*inner)?)),
            Location::Range(ends) => {
                let [start, end] = *ends;
                Location::Range(Box::new([self.materialize(start)?, self.materialize(end)?]))
            }
            _ => {
                let d = self.allocate(1)?;
                self.load(d, &value)?;
                Location::Register(d)
            }
        };
        Ok(Value { ty: holds, location: at })
    }

    /// Evaluates the values on the stack that depend on these registers.
    pub(super) fn materialize_stack(&mut self, from: Reg, count: u8) -> EmitResult<()> {
        for place in 0..self.frame_mut().stack.len() {
            let value = self.frame_mut().stack[place].clone();
            if (from..from + count).any(|register| value.uses_register(register)) {
                let settled = self.materialize(value)?;
                self.frame_mut().stack[place] = settled;
            }
        }
        Ok(())
    }

    /// Evaluates deferred fields and conditions on the stack before an object is modified.
    pub(super) fn materialize_fields(&mut self) -> EmitResult<()> {
        self.materialize_where(|at| matches!(at, Location::Field(..) | Location::Condition(_)))
    }

    /// Evaluates deferred tests of whether a list is empty before a list is modified.
    pub(super) fn materialize_list_tests(&mut self) -> EmitResult<()> {
        self.materialize_where(|at| matches!(at, Location::Condition(condition) if condition.is_list_test()))
    }

    /// Evaluates the deferred values on the stack whose location passes the test; fails if a calling function has one on its stack.
    fn materialize_where(&mut self, test: fn(&Location) -> bool) -> EmitResult<()> {
        for open in 0..self.frames.len() {
            for place in 0..self.frames[open].stack.len() {
                let value = self.frames[open].stack[place].clone();
                if value.has_location(test) {
                    if open + 1 < self.frames.len() {
                        return Err("a value that changes during its use".to_owned());
                    }
                    let settled = self.materialize(value)?;
                    self.frames[open].stack[place] = settled;
                }
            }
        }
        Ok(())
    }

    /// Restricts a value to these kinds; a value of another kind ends the call with the instruction `otherwise`.
    pub(super) fn restrict_kinds(&mut self, value: Value, kinds: Kinds, otherwise: Op) -> EmitResult<Value> {
        if value.kinds().is_subset(kinds) {
            return Ok(value);
        }
        let holds = value.ty.restrict(kinds);
        let exit = self.exit_label(otherwise);
        match value.location {
            Location::Register(a) if is_self_tagged(value.kinds()) => {
                self.push_op(Op::IfNone { a, t: exit.0 });
                Ok(Value::in_register(holds, a))
            }
            Location::Pair(a) => {
                for (kind, tag) in TAGS {
                    if value.kinds().intersects(kind) && !kinds.intersects(kind) {
                        self.push_op(Op::IfTag { a, tag, when: true, t: exit.0 });
                    }
                }
                let at = if holds.kinds.is_single() { Location::Register(a) } else { Location::Pair(a) };
                Ok(Value { ty: holds, location: at })
            }
            _ => Err("a value of another type".to_owned()),
        }
    }

    /// Marks the variable in the registers of a layout as unbound.
    pub(super) fn mark_unbound(&mut self, shape: &Layout, r: Reg) {
        if let Layout::Scalar(kinds) = shape {
            if width(*kinds) == 2 {
                self.load_bits(r + 1, Tag::Unbound as u64);
            } else {
                self.load_bits(r, UNBOUND);
            }
        }
    }

    /// Emits a jump that is taken if the value in the registers of a layout is missing.
    pub(super) fn branch_if_unbound(&mut self, shape: &Layout, r: Reg, label: Label) {
        let Layout::Scalar(kinds) = shape else { return };
        self.push_op(if width(*kinds) == 2 {
            Op::IfTag { a: r, tag: Tag::Unbound, when: true, t: label.0 }
        } else {
            Op::IfUnbound { a: r, t: label.0 }
        });
    }

    /// Emits a check that hands the call over if the variable is unbound.
    pub(super) fn check_bound(&mut self, shape: &Layout, r: Reg) {
        let Layout::Scalar(kinds) = shape else { return };
        let op = self.fallback("an unassigned variable");
        let exit: Label = self.exit_label(op);
        if width(*kinds) == 2 {
            self.push_op(Op::IfTag { a: r, tag: Tag::Unbound, when: true, t: exit.0 });
        } else {
            self.push_op(Op::IfUnbound { a: r, t: exit.0 });
        }
    }
}

/// The kinds with their tags.
const TAGS: [(Kinds, Tag); 9] = [
    (Kinds::UNBOUND, Tag::Unbound),
    (Kinds::NONE, Tag::None),
    (Kinds::BOOL, Tag::Bool),
    (Kinds::INT, Tag::Int),
    (Kinds::FLOAT, Tag::Float),
    (Kinds::TEXT, Tag::Text),
    (Kinds::OBJECT, Tag::Object),
    (Kinds::LIST, Tag::List),
    (Kinds::RECORD, Tag::Record),
];

fn tag(kind: Kinds) -> EmitResult<Tag> {
    let found = TAGS.iter().find(|(other, _)| *other == kind);
    found.map(|(_, tag)| *tag).ok_or_else(|| "a value of several types".to_owned())
}
