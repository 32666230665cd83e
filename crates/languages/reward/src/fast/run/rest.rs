//! What is run less often.

use super::{
    Arith, Checked, Code, EXACT, Equality, Exit, Frame, NONE, Op, Order, Ordering, R, State, Tag, UNBOUND, Why,
};
use crate::machine::float_floor_division;

/// A number of a kind that is not known before.
#[derive(Clone, Copy)]
enum Number {
    Int(i64),
    Float(f64),
}

/// A whole number as the float that it is.
fn exact(number: i64) -> Checked<f64> {
    if (-EXACT..=EXACT).contains(&number) { Ok(number as f64) } else { Err(Why::Number.into()) }
}

fn floor_division(left: i64, right: i64) -> Checked<(i64, i64)> {
    if right == 0 {
        return Err(Why::Division.into());
    }
    let (Some(quotient), Some(rest)) = (left.checked_div(right), left.checked_rem(right)) else {
        return Err(Why::Number.into());
    };
    if rest != 0 && (rest < 0) != (right < 0) { Ok((quotient - 1, rest + right)) } else { Ok((quotient, rest)) }
}

/// What is divided by, which is not zero.
fn divisor(number: f64) -> Checked<f64> {
    if number == 0.0 { Err(Why::Division.into()) } else { Ok(number) }
}

impl Number {
    fn float(self) -> Checked<f64> {
        match self {
            Self::Int(number) => exact(number),
            Self::Float(number) => Ok(number),
        }
    }

    fn order(self, other: Self) -> Checked<Option<Ordering>> {
        match (self, other) {
            (Self::Int(one), Self::Int(two)) => Ok(Some(one.cmp(&two))),
            (one, two) => Ok(one.float()?.partial_cmp(&two.float()?)),
        }
    }

    fn arithmetic(self, operator: Arith, other: Self) -> Checked<Self> {
        if let (Self::Int(left), Self::Int(right)) = (self, other)
            && operator != Arith::Div
        {
            let value = match operator {
                Arith::Add => left.checked_add(right),
                Arith::Sub => left.checked_sub(right),
                Arith::Mul => left.checked_mul(right),
                Arith::FloorDiv => Some(floor_division(left, right)?.0),
                Arith::Mod | Arith::Div => Some(floor_division(left, right)?.1),
            };
            return value.map(Self::Int).ok_or(Why::Number.into());
        }
        let (left, right) = (self.float()?, other.float()?);
        Ok(Self::Float(match operator {
            Arith::Add => left + right,
            Arith::Sub => left - right,
            Arith::Mul => left * right,
            Arith::Div => left / divisor(right)?,
            Arith::FloorDiv => float_floor_division(left, divisor(right)?).0,
            Arith::Mod => float_floor_division(left, divisor(right)?).1,
        }))
    }
}

fn holds(order: Order, found: Option<Ordering>) -> bool {
    found.is_some_and(|found| match order {
        Order::Lt => found.is_lt(),
        Order::Le => found.is_le(),
        Order::Eq => found.is_eq(),
    })
}

/// Functions of `math`, in the order of their names in the types.
fn math(function: u8, number: f64) -> Checked<f64> {
    let value = match function {
        0 => number.sqrt(),
        1 => number.abs(),
        2 => number.exp(),
        3 => number.tanh(),
        4 => number.sin(),
        5 => number.cos(),
        6 => number.atan(),
        7 => number * (180.0 / std::f64::consts::PI),
        _ => number * (std::f64::consts::PI / 180.0),
    };
    finite(value)
}

/// What is infinite or no number may be an exception.
fn finite(value: f64) -> Checked<f64> {
    if value.is_finite() { Ok(value) } else { Err(Why::Number.into()) }
}

impl State {
    fn number(&self, a: R) -> Checked<Number> {
        Ok(match self.tag(a)? {
            Tag::Bool | Tag::Int => Number::Int(self.int(a)),
            Tag::Float => Number::Float(self.float(a)),
            _ => return Err(Why::Inner.into()),
        })
    }

    fn set_number(&mut self, d: R, number: Number) {
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
        self.registers[d.wrapping_add(1) as usize] = tag as u64;
    }

    fn set_pair(&mut self, d: R, payload: u64, tag: u64) {
        self.registers[d as usize] = payload;
        self.registers[d.wrapping_add(1) as usize] = tag;
    }

    fn row<'f>(&self, frame: &'f Frame, o: R) -> Checked<&'f [i64; 8]> {
        frame.rows.get(self.registers[o as usize] as usize).ok_or(Why::Inner.into())
    }

    /// Runs an instruction. Where the next one is.
    pub(super) fn rest(&mut self, code: &Code, frame: &Frame, op: Op, next: usize) -> Checked<usize> {
        match op {
            Op::FloatField { d, o, f } => {
                let value = self.row(frame, o)?[(f & 7) as usize];
                self.set_float(d, value as f64);
            }
            Op::Flag { d, o, bit } => {
                let flags = self.row(frame, o)?[Frame::FLAGS];
                self.set_int(d, flags >> (bit & 7) & 1);
            }
            Op::ClassName { d, o } => {
                let class = frame.classes.get(self.registers[o as usize] as usize);
                let name = class.and_then(|class| code.names.get(*class as usize));
                self.registers[d as usize] = *name.ok_or(Exit::from(Why::Inner))?;
            }
            Op::Center { d, o, f, g } => {
                let row = self.row(frame, o)?;
                self.set_float(d, center(row, f, g));
            }
            Op::Distance { d, o, p } => {
                let (one, two) = (self.row(frame, o)?, self.row(frame, p)?);
                let across = (center(one, 0, 2) - center(two, 0, 2)).abs();
                let down = (center(one, 1, 3) - center(two, 1, 3)).abs();
                self.set_float(d, across + down);
            }
            Op::Sub { d, a, b } => self.set_checked(d, self.int(a).checked_sub(self.int(b)))?,
            Op::Mul { d, a, b } => self.set_checked(d, self.int(a).checked_mul(self.int(b)))?,
            Op::FloorDiv { d, a, b } => self.set_int(d, floor_division(self.int(a), self.int(b))?.0),
            Op::Mod { d, a, b } => self.set_int(d, floor_division(self.int(a), self.int(b))?.1),
            Op::Neg { d, a } => self.set_checked(d, self.int(a).checked_neg())?,
            Op::Abs { d, a } => self.set_checked(d, self.int(a).checked_abs())?,
            Op::Least { d, a, b } => {
                self.set_int(d, if self.int(b) < self.int(a) { self.int(b) } else { self.int(a) });
            }
            Op::Greatest { d, a, b } => {
                self.set_int(d, if self.int(b) > self.int(a) { self.int(b) } else { self.int(a) });
            }
            _ => return self.floats(code, frame, op, next),
        }
        Ok(next)
    }

    fn floats(&mut self, code: &Code, frame: &Frame, op: Op, next: usize) -> Checked<usize> {
        let constant = |k: u16| f64::from_bits(code.constants[k as usize]);
        match op {
            Op::SubF { d, a, b } => self.set_float(d, self.float(a) - self.float(b)),
            Op::MulF { d, a, b } => self.set_float(d, self.float(a) * self.float(b)),
            Op::DivF { d, a, b } => self.set_float(d, self.float(a) / divisor(self.float(b))?),
            Op::MulFK { d, a, k } => self.set_float(d, self.float(a) * constant(k)),
            Op::DivFK { d, a, k } => self.set_float(d, self.float(a) / divisor(constant(k))?),
            Op::FloorDivF { d, a, b } => {
                self.set_float(d, float_floor_division(self.float(a), divisor(self.float(b))?).0);
            }
            Op::ModF { d, a, b } => self.set_float(d, float_floor_division(self.float(a), divisor(self.float(b))?).1),
            Op::NegF { d, a } => self.set_float(d, -self.float(a)),
            Op::AbsF { d, a } => self.set_float(d, self.float(a).abs()),
            Op::LeastF { d, a, b } => {
                self.set_float(d, if self.float(b) < self.float(a) { self.float(b) } else { self.float(a) });
            }
            Op::GreatestF { d, a, b } => {
                self.set_float(d, if self.float(b) > self.float(a) { self.float(b) } else { self.float(a) });
            }
            Op::ToFloat { d, a } => self.set_float(d, exact(self.int(a))?),
            Op::ToInt { d, a } => {
                let whole = self.float(a).trunc();
                if whole.is_nan() || whole.abs() > EXACT as f64 {
                    return Err(Why::Number.into());
                }
                self.set_int(d, whole as i64);
            }
            Op::Math { d, a, function } => self.set_float(d, math(function, self.float(a))?),
            Op::Hypot { d, a, b } => {
                self.set_float(d, finite(0.0f64.hypot(self.float(a)).hypot(self.float(b)))?);
            }
            Op::Arith { operator, d, a, b } => {
                let value = self.number(a)?.arithmetic(operator, self.number(b)?)?;
                self.set_number(d, value);
            }
            _ => return self.choices(code, frame, op, next),
        }
        Ok(next)
    }

    fn choices(&mut self, code: &Code, frame: &Frame, op: Op, next: usize) -> Checked<usize> {
        match op {
            Op::Pick { greatest, d, a, b } => {
                let better = better(greatest, self.number(b)?.order(self.number(a)?)?);
                let from = if better { b } else { a };
                let (payload, tag) = (self.registers[from as usize], self.registers[from.wrapping_add(1) as usize]);
                self.set_pair(d, payload, tag);
            }
            Op::PickFloatK { greatest, first, d, a, k } => {
                let number = (self.registers[a as usize], Tag::Float as u64, Number::Float(self.float(a)));
                self.pick(code, (greatest, first), d, number, k)?;
            }
            Op::PickK { greatest, first, d, a, k } => {
                let tag = self.registers[a.wrapping_add(1) as usize];
                let number = (self.registers[a as usize], tag, self.number(a)?);
                self.pick(code, (greatest, first), d, number, k)?;
            }
            _ => return self.decide(code, frame, op, next),
        }
        Ok(next)
    }

    /// The less or greater one of a number and a constant.
    fn pick(
        &mut self,
        code: &Code,
        (greatest, first): (bool, bool),
        d: R,
        number: (u64, u64, Number),
        k: u16,
    ) -> Checked<()> {
        let (payload, tag) = (code.constants[k as usize], code.constants[k as usize + 1]);
        let constant = if tag == Tag::Float as u64 {
            Number::Float(f64::from_bits(payload))
        } else {
            Number::Int(payload.cast_signed())
        };
        let takes_constant = if first {
            !better(greatest, number.2.order(constant)?)
        } else {
            better(greatest, constant.order(number.2)?)
        };
        let (payload, tag) = if takes_constant { (payload, tag) } else { (number.0, number.1) };
        self.set_pair(d, payload, tag);
        Ok(())
    }

    fn decide(&mut self, code: &Code, frame: &Frame, op: Op, next: usize) -> Checked<usize> {
        let (holds, t) = match op {
            Op::IfFloat { order, when, a, b, t } => {
                (holds(order, self.float(a).partial_cmp(&self.float(b))) == when, t)
            }
            Op::IfAny { order, when, a, b, t } => {
                let found = self.number(a)?.order(self.number(b)?)?;
                (holds(order, found) == when, t)
            }
            Op::IfSame { o, p, when, t } => {
                let same = Self::same(code, frame, self.registers[o as usize], self.registers[p as usize])?;
                (same == when, t)
            }
            Op::IfTrueFloat { a, when, t } => ((self.float(a) != 0.0) == when, t),
            Op::IfTrueText { a, when, t } => {
                let text = self.registers[a as usize];
                ((text != NONE && text != code.empty) == when, t)
            }
            Op::IfTrueAny { a, when, t } => {
                let payload = self.registers[a as usize];
                let truth = match self.tag(a)? {
                    Tag::None => false,
                    Tag::Bool | Tag::Int => payload != 0,
                    Tag::Float => f64::from_bits(payload) != 0.0,
                    Tag::Text => payload != code.empty,
                    _ => return Err(Why::Inner.into()),
                };
                (truth == when, t)
            }
            _ => return self.lists(code, frame, op, next),
        };
        Ok(if holds { t as usize } else { next })
    }

    fn lists(&mut self, code: &Code, frame: &Frame, op: Op, next: usize) -> Checked<usize> {
        match op {
            Op::RemoveObject { l, a, t } | Op::RemoveEqual { l, a, t } => {
                let value = self.registers[a as usize];
                let list = self.list(l)?;
                let mut place = None;
                for (at, &item) in list.iter().enumerate() {
                    let same = match op {
                        Op::RemoveObject { .. } => Self::same(code, frame, item, value)?,
                        _ => item == value,
                    };
                    if same {
                        place = Some(at);
                        break;
                    }
                }
                let looked_at = list.len() as i64;
                let Some(place) = place else { return Ok(t as usize) };
                self.list_mut(l)?.remove(place);
                self.burn(looked_at * 4)?;
            }
            Op::Concat { d, l, m } => {
                let (one, two) = (self.registers[l as usize] as usize, self.registers[m as usize] as usize);
                let place = self.new_list(d);
                let mut joined = std::mem::take(&mut self.lists[place]);
                for part in [one, two] {
                    joined.extend_from_slice(self.lists.get(part).ok_or(Exit::from(Why::Inner))?);
                }
                let length = joined.len() as i64;
                self.lists[place] = joined;
                self.burn(length)?;
            }
            Op::Sort { d, l, keys, count, floats } => self.sort(d, l, keys, count, floats)?,
            Op::NextPlace { d, i, it, cost, t } => {
                self.burn(cost.into())?;
                let Some(item) = self.next(it)? else { return Ok(t as usize) };
                self.registers[d as usize] = item;
                self.registers[i as usize] = self.registers[it.wrapping_add(1) as usize] - 1;
            }
            Op::NextNumber { d, it, cost, t } => {
                self.burn(cost.into())?;
                let (number, end, step) = (self.int(it), self.int(it.wrapping_add(1)), self.int(it.wrapping_add(2)));
                if if step > 0 { number >= end } else { number <= end } {
                    return Ok(t as usize);
                }
                self.set_int(d, number);
                self.set_checked(it, number.checked_add(step))?;
            }
            _ => return Err(Why::Inner.into()),
        }
        Ok(next)
    }

    /// Whether two objects are equal, as the classes have it.
    fn same(code: &Code, frame: &Frame, one: u64, two: u64) -> Checked<bool> {
        if one == two {
            return Ok(true);
        }
        if one >= UNBOUND || two >= UNBOUND {
            return Ok(false);
        }
        match says_equal(code, frame, one, two)? {
            Some(equal) => Ok(equal),
            None => Ok(says_equal(code, frame, two, one)?.unwrap_or(false)),
        }
    }

    fn sort(&mut self, d: R, l: R, keys: R, count: u8, floats: bool) -> Checked<()> {
        let from = self.registers[l as usize] as usize;
        let key = |place: u8| self.registers[keys.wrapping_add(place) as usize] as usize;
        let keys: Vec<usize> = (0..count).map(key).collect();
        let length = self.lists.get(from).ok_or(Exit::from(Why::Inner))?.len();
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(0..length as u32);
        let lists = &self.lists;
        for &key in &keys {
            let Some(key) = lists.get(key).filter(|key| key.len() == length) else { return Err(Why::Inner.into()) };
            if floats && key.iter().any(|bits| f64::from_bits(*bits).is_nan()) {
                return Err(Why::Order.into());
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
        let mut sorted = std::mem::take(&mut self.sorted);
        sorted.clear();
        sorted.extend(order.iter().map(|&place| self.lists[from][place as usize]));
        let place = self.new_list(d);
        self.lists[place].extend_from_slice(&sorted);
        (self.order, self.sorted) = (order, sorted);
        let length = length as i64;
        self.burn(length * (64 - i64::from(length.leading_zeros())) * 8)
    }
}

/// Whether an order says that the other one is taken.
fn better(greatest: bool, order: Option<Ordering>) -> bool {
    order == Some(if greatest { Ordering::Greater } else { Ordering::Less })
}

/// The middle of an object, across or down.
fn center(row: &[i64; 8], place: u8, size: u8) -> f64 {
    row[(place & 7) as usize] as f64 + row[(size & 7) as usize] as f64 / 2.0
}

/// What an object's class says about a comparison with another object; `None` if it leaves that to the other.
fn says_equal(code: &Code, frame: &Frame, own: u64, other: u64) -> Checked<Option<bool>> {
    let of = |object: u64| match (frame.classes.get(object as usize), frame.rows.get(object as usize)) {
        (Some(class), Some(row)) => Ok((*class, row)),
        _ => Err(Exit::from(Why::Inner)),
    };
    let ((class, row), (other, other_row)) = (of(own)?, of(other)?);
    let equality = |class: u8| code.equality.get(class as usize).ok_or(Exit::from(Why::Inner));
    Ok(match *equality(class)? {
        Equality::Identity => None,
        Equality::Always => Some(*equality(other)? == Equality::Always),
        Equality::Close { rows, same_color } => {
            let close = class == other && (row[1] - other_row[1]).abs() < rows;
            if close && same_color {
                return Err(Why::Missing.into());
            }
            Some(close)
        }
        Equality::Place { class: wanted } => Some(u16::from(other) == wanted && row[..2] == other_row[..2]),
    })
}
