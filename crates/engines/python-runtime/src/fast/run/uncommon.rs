//! Execution of the less frequent instructions.

#![allow(clippy::inline_always, reason = "parts of one decision by the instruction")]

use super::{
    ArithmeticOp, CompareOp, FallbackReason, Heap, MAX_EXACT_INT, MAX_KEYS, NONE, Op, OpResult, Ordering,
    PreparedFrame, Reg, RegisterCode, Registers, ScreenEquality, Tag, UNBOUND, functions, list_methods, next_element,
    tables,
};
use crate::machine::{MATH_FUNCTIONS, euclidean_norm, float_floor_division};

/// The number of bytes of a text that are searched per unit of fuel.
const BYTES_PER_FUEL: usize = 64;

/// A number whose kind is known only at run time.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Int(i64),
    Float(f64),
}

/// Converts an integer to a float if its magnitude is at most [`MAX_EXACT_INT`].
pub(super) fn exact_float(number: i64) -> OpResult<f64> {
    if (-MAX_EXACT_INT..=MAX_EXACT_INT).contains(&number) { Ok(number as f64) } else { Err(FallbackReason::Overflow) }
}

fn floor_division(left: i64, right: i64) -> OpResult<(i64, i64)> {
    if right == 0 {
        return Err(FallbackReason::DivisionByZero);
    }
    let (Some(quotient), Some(rest)) = (left.checked_div(right), left.checked_rem(right)) else {
        return Err(FallbackReason::Overflow);
    };
    if rest != 0 && (rest < 0) != (right < 0) { Ok((quotient - 1, rest + right)) } else { Ok((quotient, rest)) }
}

/// Returns the divisor if it is not zero.
pub(super) fn check_divisor(number: f64) -> OpResult<f64> {
    if number == 0.0 { Err(FallbackReason::DivisionByZero) } else { Ok(number) }
}

impl Number {
    /// Returns the number with this word and tag.
    pub(super) fn new(bits: u64, tag: u64) -> OpResult<Self> {
        Ok(match Tag::ALL.get(tag as usize) {
            Some(Tag::Bool | Tag::Int) => Self::Int(bits.cast_signed()),
            Some(Tag::Float) => Self::Float(f64::from_bits(bits)),
            _ => return Err(FallbackReason::TypeMismatch),
        })
    }

    fn float(self) -> OpResult<f64> {
        match self {
            Self::Int(number) => exact_float(number),
            Self::Float(number) => Ok(number),
        }
    }

    pub(super) fn compare(self, other: Self) -> OpResult<Option<Ordering>> {
        match (self, other) {
            (Self::Int(one), Self::Int(two)) => Ok(Some(one.cmp(&two))),
            (one, two) => Ok(one.float()?.partial_cmp(&two.float()?)),
        }
    }

    fn arithmetic(self, operator: ArithmeticOp, other: Self) -> OpResult<Self> {
        if let (Self::Int(left), Self::Int(right)) = (self, other)
            && operator != ArithmeticOp::Div
        {
            let value = match operator {
                ArithmeticOp::Add => left.checked_add(right),
                ArithmeticOp::Sub => left.checked_sub(right),
                ArithmeticOp::Mul => left.checked_mul(right),
                ArithmeticOp::FloorDiv => Some(floor_division(left, right)?.0),
                ArithmeticOp::Mod | ArithmeticOp::Div => Some(floor_division(left, right)?.1),
            };
            return value.map(Self::Int).ok_or(FallbackReason::Overflow);
        }
        let (left, right) = (self.float()?, other.float()?);
        Ok(Self::Float(match operator {
            ArithmeticOp::Add => left + right,
            ArithmeticOp::Sub => left - right,
            ArithmeticOp::Mul => left * right,
            ArithmeticOp::Div => left / check_divisor(right)?,
            ArithmeticOp::FloorDiv => float_floor_division(left, check_divisor(right)?).0,
            ArithmeticOp::Mod => float_floor_division(left, check_divisor(right)?).1,
        }))
    }
}

fn is_satisfied(order: CompareOp, found: Option<Ordering>) -> bool {
    found.is_some_and(|found| match order {
        CompareOp::Lt => found.is_lt(),
        CompareOp::Le => found.is_le(),
        CompareOp::Eq => found.is_eq(),
    })
}

/// Computes a function of `math`, by its index in [`MATH_FUNCTIONS`].
fn math(function: u8, number: f64) -> OpResult<f64> {
    let Some(compute) = MATH_FUNCTIONS[usize::from(function)].float_function() else {
        return Err(FallbackReason::TypeMismatch);
    };
    check_finite(compute(number))
}

/// Returns the square of a number, rounded as `powf` rounds it. The product may be rounded differently if the number has many digits.
pub(in crate::fast) fn square(number: f64) -> f64 {
    const MAX_EXACT_SQUARE_ROOT: f64 = (1 << 25) as f64;
    let doubled = number * 2.0;
    let is_short = doubled.abs() < MAX_EXACT_SQUARE_ROOT && doubled.fract() == 0.0;
    if is_short { number * number } else { number.powf(2.0) }
}

/// Returns the value if it is finite; Python may raise an exception for other values.
fn check_finite(value: f64) -> OpResult<f64> {
    if value.is_finite() { Ok(value) } else { Err(FallbackReason::Overflow) }
}

impl Registers {
    pub(super) fn number(&self, a: Reg) -> OpResult<Number> {
        Number::new(self.0[a as usize], self.0[a.wrapping_add(1) as usize])
    }

    fn set_number(&mut self, d: Reg, number: Number) {
        let tag = match number {
            Number::Int(number) => {
                self.set_int(d, number);
                Tag::Int
            }
            Number::Float(number) => {
                self.set_float(d, number);
                Tag::Float
            }
        };
        self.0[d.wrapping_add(1) as usize] = tag as u64;
    }

    fn set_pair(&mut self, d: Reg, payload: u64, tag: u64) {
        self.0[d as usize] = payload;
        self.0[d.wrapping_add(1) as usize] = tag;
    }
}

pub(super) fn row<'f>(r: &Registers, frame: &'f PreparedFrame, o: Reg) -> OpResult<&'f [i32; 8]> {
    frame.rows.get(r.0[o as usize] as usize).ok_or(FallbackReason::TypeMismatch)
}

/// Runs a less frequent instruction; returns the index of the next one.
pub(super) fn step_uncommon(
    r: &mut Registers,
    heap: &mut Heap,
    code: &RegisterCode,
    frame: &PreparedFrame,
    op: &Op,
    next: usize,
) -> OpResult<usize> {
    match *op {
        Op::FloatField { d, o, f } => {
            let value = row(r, frame, o)?[(f & 7) as usize];
            r.set_float(d, value.into());
        }
        Op::Rare { d, o, k } => {
            r.set_int(d, rare_attribute(frame, r.0[o as usize], k)?);
        }
        Op::Overlap { d, o, p } => {
            let (value, tag) = overlap(code, frame, r.0[o as usize], r.0[p as usize])?;
            r.set_pair(d, value, tag as u64);
        }
        Op::Bits { operator, d, a, b } => r.set_int(d, functions::bits(operator, r.int(a), r.int(b))?),
        Op::PowInt { d, a, b } => r.set_int(d, functions::power_of_ints(r.int(a), r.int(b))?),
        Op::PowF { d, a, b } => r.set_float(d, functions::power_of_floats(r.float(a), r.float(b))?),
        Op::Function { d, a, b, function } => {
            r.0[d as usize] = functions::compute(function, r.0[a as usize], r.0[b as usize])?;
        }
        Op::Flag { d, o, bit } => {
            let flags = row(r, frame, o)?[PreparedFrame::FLAGS];
            r.set_int(d, (flags >> (bit & 7) & 1).into());
        }
        Op::ClassName { d, o } => {
            r.0[d as usize] = class_name(code, frame, r.0[o as usize])?;
        }
        Op::Center { d, o, f, g } => {
            let row = row(r, frame, o)?;
            r.set_float(d, center(row, f, g));
        }
        Op::Sub { d, a, b } => r.set_checked(d, r.int(a).checked_sub(r.int(b)))?,
        Op::Mul { d, a, b } => r.set_checked(d, r.int(a).checked_mul(r.int(b)))?,
        Op::FloorDiv { d, a, b } => r.set_int(d, floor_division(r.int(a), r.int(b))?.0),
        Op::Mod { d, a, b } => r.set_int(d, floor_division(r.int(a), r.int(b))?.1),
        Op::Neg { d, a } => r.set_checked(d, r.int(a).checked_neg())?,
        Op::Min { d, a, b } => {
            r.set_int(d, if r.int(b) < r.int(a) { r.int(b) } else { r.int(a) });
        }
        Op::Max { d, a, b } => {
            r.set_int(d, if r.int(b) > r.int(a) { r.int(b) } else { r.int(a) });
        }
        _ => return step_floats(r, heap, code, frame, op, next),
    }
    Ok(next)
}

#[inline(always)]
fn step_floats(
    r: &mut Registers,
    heap: &mut Heap,
    code: &RegisterCode,
    frame: &PreparedFrame,
    op: &Op,
    next: usize,
) -> OpResult<usize> {
    match *op {
        Op::SubF { d, a, b } => r.set_float(d, r.float(a) - r.float(b)),
        Op::MulF { d, a, b } => r.set_float(d, r.float(a) * r.float(b)),
        Op::DivF { d, a, b } => r.set_float(d, r.float(a) / check_divisor(r.float(b))?),
        Op::FloorDivF { d, a, b } => {
            r.set_float(d, float_floor_division(r.float(a), check_divisor(r.float(b))?).0);
        }
        Op::ModF { d, a, b } => r.set_float(d, float_floor_division(r.float(a), check_divisor(r.float(b))?).1),
        Op::NegF { d, a } => r.set_float(d, -r.float(a)),
        Op::AbsF { d, a } => r.set_float(d, r.float(a).abs()),
        Op::SquareF { d, a } => r.set_float(d, check_finite(square(r.float(a)))?),
        Op::MinF { d, a, b } => {
            r.set_float(d, if r.float(b) < r.float(a) { r.float(b) } else { r.float(a) });
        }
        Op::MaxF { d, a, b } => {
            r.set_float(d, if r.float(b) > r.float(a) { r.float(b) } else { r.float(a) });
        }
        Op::ToInt { d, a } => {
            let whole = r.float(a).trunc();
            if whole.is_nan() || whole.abs() > MAX_EXACT_INT as f64 {
                return Err(FallbackReason::Overflow);
            }
            r.set_int(d, whole as i64);
        }
        Op::Math { d, a, function } => r.set_float(d, math(function, r.float(a))?),
        Op::Hypot { d, a, b } => {
            r.set_float(d, check_finite(euclidean_norm(&[r.float(a), r.float(b)]))?);
        }
        Op::Arith { operator, d, a, b } => {
            let value = r.number(a)?.arithmetic(operator, r.number(b)?)?;
            r.set_number(d, value);
        }
        _ => return step_min_max(r, heap, code, frame, op, next),
    }
    Ok(next)
}

#[inline(always)]
fn step_min_max(
    r: &mut Registers,
    heap: &mut Heap,
    code: &RegisterCode,
    frame: &PreparedFrame,
    op: &Op,
    next: usize,
) -> OpResult<usize> {
    match *op {
        Op::MinMax { is_max, d, a, b } => {
            let better = is_better(is_max, r.number(b)?.compare(r.number(a)?)?);
            let from = if better { b } else { a };
            let (payload, tag) = (r.0[from as usize], r.0[from.wrapping_add(1) as usize]);
            r.set_pair(d, payload, tag);
        }
        _ => return step_branch(r, heap, code, frame, op, next),
    }
    Ok(next)
}

/// Stores the smaller or the larger of a number and a constant, with its tag; the first argument if they are equal or unordered.
#[inline(always)]
pub(super) fn min_max_constant(
    r: &mut Registers,
    code: &RegisterCode,
    (is_max, first): (bool, bool),
    d: Reg,
    number: (u64, u64, Number),
    k: u16,
) -> OpResult<()> {
    let (payload, tag) = (code.constants[k as usize], code.constants[k as usize + 1]);
    let constant = if tag == Tag::Float as u64 {
        Number::Float(f64::from_bits(payload))
    } else {
        Number::Int(payload.cast_signed())
    };
    let takes_constant = if first {
        !is_better(is_max, number.2.compare(constant)?)
    } else {
        is_better(is_max, constant.compare(number.2)?)
    };
    let (payload, tag) = if takes_constant { (payload, tag) } else { (number.0, number.1) };
    r.set_pair(d, payload, tag);
    Ok(())
}

#[inline(always)]
fn step_branch(
    r: &mut Registers,
    heap: &mut Heap,
    code: &RegisterCode,
    frame: &PreparedFrame,
    op: &Op,
    next: usize,
) -> OpResult<usize> {
    let (holds, t) = match *op {
        Op::IfFloat { order, when, a, b, t } => (is_satisfied(order, r.float(a).partial_cmp(&r.float(b))) == when, t),
        Op::IfAny { order, when, a, b, t } => {
            let found = r.number(a)?.compare(r.number(b)?)?;
            (is_satisfied(order, found) == when, t)
        }
        Op::IfEqualObjects { o, p, when, t } => {
            let same = is_equal_object(code, frame, r.0[o as usize], r.0[p as usize])?;
            (same == when, t)
        }
        Op::IfTruthyFloat { a, when, t } => ((r.float(a) != 0.0) == when, t),
        Op::IfTruthyText { a, when, t } => {
            let text = r.0[a as usize];
            ((text != NONE && text != code.empty_text) == when, t)
        }
        Op::IfTruthyAny { a, when, t } => {
            let payload = r.0[a as usize];
            let truth = match r.tag(a)? {
                Tag::None => false,
                Tag::Bool | Tag::Int => payload != 0,
                Tag::Float => f64::from_bits(payload) != 0.0,
                Tag::Text => payload != code.empty_text,
                Tag::Object => {
                    let row = frame.rows.get(payload as usize).ok_or(FallbackReason::TypeMismatch)?;
                    row[PreparedFrame::FLAGS] & PreparedFrame::VISIBLE != 0
                }
                _ => return Err(FallbackReason::TypeMismatch),
            };
            (truth == when, t)
        }
        _ => return step_lists(r, heap, code, frame, op, next),
    };
    Ok(if holds { t as usize } else { next })
}

#[inline(always)]
fn step_lists(
    r: &mut Registers,
    heap: &mut Heap,
    code: &RegisterCode,
    frame: &PreparedFrame,
    op: &Op,
    next: usize,
) -> OpResult<usize> {
    match *op {
        Op::RemoveObject { l, a, t } | Op::RemoveEqual { l, a, t } => {
            let value = r.0[a as usize];
            let list = heap.list(r, l)?;
            let mut place = None;
            for (at, &item) in list.iter().enumerate() {
                let same = match *op {
                    Op::RemoveObject { .. } => is_equal_object(code, frame, item, value)?,
                    _ => item == value,
                };
                if same {
                    place = Some(at);
                    break;
                }
            }
            let looked_at = list.len() as i64;
            heap.consume_fuel(looked_at * 4)?;
            let Some(place) = place else { return Ok(t as usize) };
            heap.list_mut(r, l)?.remove(place);
        }
        Op::Concat { d, l, m } => {
            let (one, two) = (r.0[l as usize] as usize, r.0[m as usize] as usize);
            let place = heap.new_list(r, d);
            let mut joined = std::mem::take(&mut heap.lists[place]);
            for part in [one, two] {
                joined.extend_from_slice(heap.lists.get(part).ok_or(FallbackReason::TypeMismatch)?);
            }
            let length = joined.len() as i64;
            heap.lists[place] = joined;
            heap.consume_fuel(length)?;
        }
        Op::NewRecord { d, count } => {
            let place = heap.new_list(r, d);
            heap.lists[place].resize(count.into(), 0);
        }
        Op::SetIndex { l, a, b, t } => {
            let (place, value) = (r.int(a), r.0[b as usize]);
            let list = heap.list_mut(r, l)?;
            let place = if place < 0 { place + list.len().cast_signed() as i64 } else { place };
            match usize::try_from(place).ok().and_then(|place| list.get_mut(place)) {
                Some(item) => *item = value,
                None => return Ok(t as usize),
            }
        }
        Op::Find { d, l, a, k, t } => {
            let shape = code.key_shapes.get(usize::from(k)).ok_or(FallbackReason::TypeMismatch)?;
            let list = heap.list(r, l)?;
            let place = tables::find(list, &r.0[usize::from(a)..], shape)?;
            let cost = tables::search_cost(list.len());
            heap.consume_fuel(cost)?;
            match place {
                Some(place) => r.set_int(d, place as i64),
                None => return Ok(t as usize),
            }
        }
        Op::TextContains { d, a, b } => {
            let (is_part, cost) = contains_text(code, r.0[a as usize], r.0[b as usize])?;
            heap.consume_fuel(cost)?;
            r.set_int(d, is_part.into());
        }
        Op::TextTable { d, a, k } => r.0[d as usize] = text_result(code, k, r.0[a as usize])?,
        Op::Sort { d, l, keys, count, floats } => sort(r, heap, d, l, keys, count, floats)?,
        Op::NextIndexed { d, i, it, cost, t } => {
            heap.consume_fuel(cost.into())?;
            let Some(item) = next_element(r, heap, it)? else { return Ok(t as usize) };
            r.0[d as usize] = item;
            r.0[i as usize] = r.0[it.wrapping_add(1) as usize] - 1;
        }
        Op::NextNumber { d, it, cost, t } => {
            heap.consume_fuel(cost.into())?;
            let (number, end, step) = (r.int(it), r.int(it.wrapping_add(1)), r.int(it.wrapping_add(2)));
            if if step > 0 { number >= end } else { number <= end } {
                return Ok(t as usize);
            }
            r.set_int(d, number);
            r.set_checked(it, number.checked_add(step))?;
        }
        _ => return list_methods::step_list_methods(r, heap, code, op, next),
    }
    Ok(next)
}

/// Returns whether a text is part of another one, with the fuel for the search.
pub(in crate::fast) fn contains_text(code: &RegisterCode, part: u64, whole: u64) -> OpResult<(bool, i64)> {
    let text = |place: u64| code.state.texts.get(place as usize).ok_or(FallbackReason::TypeMismatch);
    let (part, whole) = (text(part)?, text(whole)?);
    Ok((whole.contains(&**part), (whole.len() / BYTES_PER_FUEL) as i64))
}

/// Looks up the result of a function of a text.
pub(in crate::fast) fn text_result(code: &RegisterCode, table: u16, text: u64) -> OpResult<u64> {
    let result = code.text_tables.get(usize::from(table)).and_then(|table| table.get(text as usize));
    result.ok_or(FallbackReason::TypeMismatch)?.ok_or(FallbackReason::LongText)
}

/// Returns the index of the name of an object's class among the texts.
pub(in crate::fast) fn class_name(code: &RegisterCode, frame: &PreparedFrame, object: u64) -> OpResult<u64> {
    let class = frame.classes.get(object as usize);
    let name = class.and_then(|class| code.class_names.get(usize::from(*class)));
    name.copied().ok_or(FallbackReason::TypeMismatch)
}

/// Returns a [rare attribute](super::super::frame::RareAttributes) of an object.
pub(in crate::fast) fn rare_attribute(frame: &PreparedFrame, object: u64, attribute: u8) -> OpResult<i64> {
    let attributes = frame.rare.get(object as usize);
    attributes.and_then(|attributes| attributes.get(attribute)).ok_or(FallbackReason::MissingAttribute)
}

/// Returns the intersection over union of the boxes of two objects, with its kind: 1 if both are `NoObject`, 0 if the union is empty.
pub(in crate::fast) fn overlap(code: &RegisterCode, frame: &PreparedFrame, one: u64, two: u64) -> OpResult<(u64, Tag)> {
    let row = |object: u64| frame.rows.get(object as usize).ok_or(FallbackReason::TypeMismatch);
    let is_none = |object: u64| {
        let name = class_name(code, frame, object)? as usize;
        Ok(code.state.texts.get(name).is_some_and(|name| **name == *"NoObject"))
    };
    if is_none(one)? && is_none(two)? {
        return Ok((1, Tag::Int));
    }
    let (one, two) = (row(one)?, row(two)?);
    let (mut shared, mut either) = (1i64, 0i64);
    for (place, size) in [(0, 2), (1, 3)] {
        let end = |row: &[i32; 8]| i64::from(row[place]) + i64::from(row[size]);
        let length = end(one).min(end(two)) - i64::from(one[place].max(two[place]));
        shared = shared.checked_mul(length.max(0)).ok_or(FallbackReason::Overflow)?;
    }
    for row in [one, two] {
        either += i64::from(row[2]) * i64::from(row[3]);
    }
    let either = either.checked_sub(shared).ok_or(FallbackReason::Overflow)?;
    if either == 0 {
        return Ok((0, Tag::Int));
    }
    Ok(((exact_float(shared)? / exact_float(either)?).to_bits(), Tag::Float))
}

/// Returns whether two objects are equal by the definitions of their classes.
pub(in crate::fast) fn is_equal_object(
    code: &RegisterCode,
    frame: &PreparedFrame,
    one: u64,
    two: u64,
) -> OpResult<bool> {
    if one == two {
        return Ok(true);
    }
    if one >= UNBOUND || two >= UNBOUND {
        return Ok(false);
    }
    match equals_by_class(code, frame, one, two)? {
        Some(equal) => Ok(equal),
        None => Ok(equals_by_class(code, frame, two, one)?.unwrap_or(false)),
    }
}

fn sort(r: &mut Registers, heap: &mut Heap, d: Reg, l: Reg, keys: Reg, count: u8, floats: bool) -> OpResult<()> {
    let from = r.0[l as usize] as usize;
    let key = |place: u8| r.0[keys.wrapping_add(place) as usize] as usize;
    let mut places = [0; MAX_KEYS];
    let Some(places) = places.get_mut(..count as usize) else { return Err(FallbackReason::TypeMismatch) };
    (0..).zip(&mut *places).for_each(|(place, at)| *at = key(place));
    let keys = &*places;
    let length = heap.lists.get(from).ok_or(FallbackReason::TypeMismatch)?.len();
    let mut order = std::mem::take(&mut heap.sort_order);
    order.clear();
    order.extend(0..length as u32);
    let lists = &heap.lists;
    for &key in keys {
        let Some(key) = lists.get(key).filter(|key| key.len() == length) else {
            return Err(FallbackReason::TypeMismatch);
        };
        if floats && key.iter().any(|bits| f64::from_bits(*bits).is_nan()) {
            return Err(FallbackReason::Unordered);
        }
    }
    order.sort_by(|&one, &two| {
        let compare = |key: &usize| {
            let (one, two) = (lists[*key][one as usize], lists[*key][two as usize]);
            if floats {
                f64::from_bits(one).partial_cmp(&f64::from_bits(two)).unwrap_or(Ordering::Equal)
            } else {
                one.cast_signed().cmp(&two.cast_signed())
            }
        };
        keys.iter().map(compare).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    });
    let mut sorted = std::mem::take(&mut heap.sort_buffer);
    sorted.clear();
    sorted.extend(order.iter().map(|&place| heap.lists[from][place as usize]));
    let place = heap.new_list(r, d);
    heap.lists[place].extend_from_slice(&sorted);
    (heap.sort_order, heap.sort_buffer) = (order, sorted);
    heap.consume_fuel(sort_cost(length as i64))
}

/// Returns the fuel for sorting a list of this length.
pub(in crate::fast) fn sort_cost(length: i64) -> i64 {
    length * (64 - i64::from(length.leading_zeros())) * 8
}

/// Whether a candidate replaces the current choice, by the order of the candidate relative to that choice.
fn is_better(is_max: bool, order: Option<Ordering>) -> bool {
    order == Some(if is_max { Ordering::Greater } else { Ordering::Less })
}

/// Returns the centre of an object along one axis, from the fields of its position and size.
pub(super) fn center(row: &[i32; 8], place: u8, size: u8) -> f64 {
    f64::from(row[(place & 7) as usize]) + f64::from(row[(size & 7) as usize]) / 2.0
}

/// Returns whether an object equals another one by the definition of its class; `None` if the definition of the other object decides.
fn equals_by_class(code: &RegisterCode, frame: &PreparedFrame, own: u64, other: u64) -> OpResult<Option<bool>> {
    let of = |object: u64| match (frame.classes.get(object as usize), frame.rows.get(object as usize)) {
        (Some(class), Some(row)) => Ok((*class, row)),
        _ => Err(FallbackReason::TypeMismatch),
    };
    let ((class, row), (other, other_row)) = (of(own)?, of(other)?);
    let equality = |class: u8| code.equality.get(class as usize).ok_or(FallbackReason::TypeMismatch);
    Ok(match *equality(class)? {
        ScreenEquality::Identity => None,
        ScreenEquality::Always => Some(*equality(other)? == ScreenEquality::Always),
        ScreenEquality::SimilarRow { row_tolerance: rows, same_color } => {
            let close = class == other && (i64::from(row[1]) - i64::from(other_row[1])).abs() < rows;
            if close && same_color {
                return Err(FallbackReason::MissingAttribute);
            }
            Some(close)
        }
        ScreenEquality::SamePosition { class: wanted } => {
            Some(u16::from(other) == wanted && row[..2] == other_row[..2])
        }
    })
}
