//! The register machine.

use std::cmp::Ordering;

use super::frame::Frame;
use super::op::{Arith, EXACT, FIELD_LIMIT, NONE, Op, Order, R, Table, Tag, UNBOUND};
use crate::machine::{Error, Given};
use crate::scene::Equality;

/// A function as instructions, with what they refer to.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) ops: Vec<Op>,
    /// By their bits; behind a number for [`Op::PickK`] stands its tag.
    pub(super) constants: Vec<u64>,
    /// Classes, as bits.
    pub(super) masks: Vec<u64>,
    pub(super) tables: Vec<Table>,
    /// The place of every class's name among the texts.
    pub(super) names: Vec<u64>,
    pub(super) equality: Vec<Equality>,
    /// Where the empty text is.
    pub(super) empty: u64,
    pub(super) errors: Vec<Error>,
    /// Why calls are handed over; those of [`Why`] first.
    pub(super) reasons: Vec<String>,
    /// Whether objects change, so that the frame is copied.
    pub(super) changes_objects: bool,
    /// Whether the list of objects changes.
    pub(super) changes_scene: bool,
    /// Instructions of the program without those that loops repeat.
    pub(super) cost: u64,
    /// Most calls that are open at once.
    pub(super) depth: usize,
}

/// Why a call is handed over while it runs, beside what the program has of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum Why {
    Number,
    Budget,
    Missing,
    Division,
    Order,
    Inner,
}

impl Why {
    pub(super) const REASONS: [&'static str; 6] = [
        "a number that is too large",
        "the budget",
        "an attribute that rows do not have",
        "a division by zero",
        "numbers without an order",
        "a value that the types do not have",
    ];
}

/// How a run ends.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Exit {
    Given(Given),
    Raised(u16),
    HandedOver(u16),
}

impl From<Why> for Exit {
    fn from(why: Why) -> Self {
        Self::HandedOver(why as u16)
    }
}

type Checked<T> = Result<T, Exit>;

/// What a run works on.
#[derive(Debug)]
pub(super) struct State {
    pub(super) registers: Box<[u64; 256]>,
    /// Used again by every call; the first one is that of the scene.
    lists: Vec<Vec<u64>>,
    made: usize,
    /// How much of the budget loops may still use.
    fuel: i64,
    /// The frame, if objects change.
    own: Frame,
    order: Vec<u32>,
    sorted: Vec<u64>,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            registers: Box::new([0; 256]),
            lists: vec![Vec::new()],
            made: 1,
            fuel: 0,
            own: Frame::default(),
            order: Vec::new(),
            sorted: Vec::new(),
        }
    }

    /// Runs a function on a frame.
    pub(super) fn run(&mut self, code: &Code, frame: &Frame, fuel: i64) -> Exit {
        let count = frame.rows.len();
        let scene = &mut self.lists[0];
        if code.changes_scene {
            scene.clear();
        }
        if scene.len() != count {
            scene.clear();
            scene.extend(0..count as u64);
        }
        self.made = 1;
        self.fuel = fuel;
        self.registers[0] = 0;
        let exit = if code.changes_objects {
            let mut own = std::mem::take(&mut self.own);
            own.copy(frame);
            let exit = self.go(code, &mut own);
            self.own = own;
            exit
        } else {
            self.go_shared(code, frame)
        };
        exit.unwrap_or_else(|exit| exit)
    }

    fn int(&self, a: R) -> i64 {
        self.registers[a as usize].cast_signed()
    }

    fn float(&self, a: R) -> f64 {
        f64::from_bits(self.registers[a as usize])
    }

    fn set_int(&mut self, d: R, value: i64) {
        self.registers[d as usize] = value.cast_unsigned();
    }

    fn set_float(&mut self, d: R, value: f64) {
        self.registers[d as usize] = value.to_bits();
    }

    fn set_checked(&mut self, d: R, value: Option<i64>) -> Checked<()> {
        self.set_int(d, value.ok_or(Why::Number)?);
        Ok(())
    }

    fn list(&self, l: R) -> Checked<&Vec<u64>> {
        self.lists.get(self.registers[l as usize] as usize).ok_or(Exit::from(Why::Inner))
    }

    fn list_mut(&mut self, l: R) -> Checked<&mut Vec<u64>> {
        self.lists.get_mut(self.registers[l as usize] as usize).ok_or(Exit::from(Why::Inner))
    }

    fn new_list(&mut self, d: R) -> usize {
        let place = self.made;
        match self.lists.get_mut(place) {
            Some(list) => list.clear(),
            None => self.lists.push(Vec::new()),
        }
        self.made += 1;
        self.registers[d as usize] = place as u64;
        place
    }

    fn burn(&mut self, fuel: i64) -> Checked<()> {
        self.fuel -= fuel;
        if self.fuel < 0 { Err(Why::Budget.into()) } else { Ok(()) }
    }

    /// The next element of a list that is gone through.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is run all the time")]
    fn next(&mut self, it: R) -> Checked<Option<u64>> {
        let list = self.registers[it as usize] as usize;
        let place = self.registers[it.wrapping_add(1) as usize];
        let list = self.lists.get(list).ok_or(Exit::from(Why::Inner))?;
        let item = list.get(place as usize).copied();
        self.registers[it.wrapping_add(1) as usize] = place + 1;
        Ok(item)
    }

    fn go_shared(&mut self, code: &Code, frame: &Frame) -> Checked<Exit> {
        let mut at = 0;
        loop {
            let Some(&op) = code.ops.get(at) else { return Err(Why::Inner.into()) };
            at = self.step(code, frame, op, at + 1)?;
            if at == OVER {
                return self.given(op);
            }
        }
    }

    fn go(&mut self, code: &Code, frame: &mut Frame) -> Checked<Exit> {
        let mut at = 0;
        loop {
            let Some(&op) = code.ops.get(at) else { return Err(Why::Inner.into()) };
            match op {
                Op::SetField { o, f, a } => {
                    let value = self.int(a);
                    if value.abs() > FIELD_LIMIT {
                        return Err(Why::Number.into());
                    }
                    let row = frame.rows.get_mut(self.registers[o as usize] as usize).ok_or(Exit::from(Why::Inner))?;
                    row[(f & 7) as usize] = value;
                    at += 1;
                }
                Op::SetValue { o, a } => {
                    let value = self.int(a);
                    let row = frame.rows.get_mut(self.registers[o as usize] as usize).ok_or(Exit::from(Why::Inner))?;
                    if row[Frame::FLAGS] & Frame::HAS_VALUE == 0 {
                        return Err(Why::Missing.into());
                    }
                    row[Frame::VALUE] = value;
                    at += 1;
                }
                _ => {
                    at = self.step(code, frame, op, at + 1)?;
                    if at == OVER {
                        return self.given(op);
                    }
                }
            }
        }
    }

    fn given(&self, op: Op) -> Checked<Exit> {
        Ok(Exit::Given(match op {
            Op::GiveInt { a } => Given::Int(self.int(a)),
            Op::GiveFloat { a } => Given::Float(self.float(a)),
            Op::GiveBool { a } => Given::Bool(self.registers[a as usize] != 0),
            Op::GiveAny { a } => match self.tag(a)? {
                Tag::Int => Given::Int(self.int(a)),
                Tag::Float => Given::Float(self.float(a)),
                Tag::Bool => Given::Bool(self.registers[a as usize] != 0),
                Tag::None => Given::Other("None".to_owned()),
                _ => return Err(Why::Inner.into()),
            },
            Op::GiveNone => Given::Other("None".to_owned()),
            Op::Raise { error } => return Ok(Exit::Raised(error)),
            Op::HandOver { why } => return Err(Exit::HandedOver(why)),
            _ => return Err(Why::Inner.into()),
        }))
    }

    fn tag(&self, a: R) -> Checked<Tag> {
        let tag = self.registers[a.wrapping_add(1) as usize];
        Tag::ALL.get(tag as usize).copied().ok_or(Exit::from(Why::Inner))
    }

    /// Runs an instruction. Where the next one is; [`OVER`] at the end.
    #[inline(always)]
    #[allow(clippy::too_many_lines, clippy::inline_always, reason = "one place for what is run all the time")]
    fn step(&mut self, code: &Code, frame: &Frame, op: Op, next: usize) -> Checked<usize> {
        macro_rules! field {
            ($o:expr, $f:expr) => {
                match frame.rows.get(self.registers[$o as usize] as usize) {
                    Some(row) => row[($f & 7) as usize],
                    None => return Err(Why::Inner.into()),
                }
            };
        }
        macro_rules! jump {
            ($condition:expr, $t:expr) => {
                if $condition {
                    return Ok($t as usize);
                }
            };
        }
        macro_rules! class {
            ($o:expr) => {
                match frame.classes.get(self.registers[$o as usize] as usize) {
                    Some(&class) => 1u64 << (class & 63),
                    None => 0,
                }
            };
        }
        match op {
            Op::Const { d, k } => self.registers[d as usize] = code.constants[k as usize],
            Op::Move { d, a } => self.registers[d as usize] = self.registers[a as usize],
            Op::Field { d, o, f } => self.set_int(d, field!(o, f)),
            Op::AddFields { d, o, f, p, g } => self.set_int(d, field!(o, f) + field!(p, g)),
            Op::SubFields { d, o, f, p, g } => self.set_int(d, field!(o, f) - field!(p, g)),
            Op::AddField { d, a, o, f } => self.set_checked(d, self.int(a).checked_add(field!(o, f)))?,
            Op::SubField { d, a, o, f } => self.set_checked(d, self.int(a).checked_sub(field!(o, f)))?,
            Op::Value { d, o } => {
                if field!(o, Frame::FLAGS as u8) & Frame::HAS_VALUE == 0 {
                    return Err(Why::Missing.into());
                }
                self.set_int(d, field!(o, Frame::VALUE as u8));
            }
            Op::Add { d, a, b } => self.set_checked(d, self.int(a).checked_add(self.int(b)))?,
            Op::AddK { d, a, k } => self.set_checked(d, self.int(a).checked_add(k.into()))?,
            Op::AddF { d, a, b } => self.set_float(d, self.float(a) + self.float(b)),
            Op::AddFK { d, a, k } => self.set_float(d, self.float(a) + f64::from_bits(code.constants[k as usize])),
            Op::SubFK { d, a, k } => self.set_float(d, self.float(a) - f64::from_bits(code.constants[k as usize])),
            Op::Jump { t } => return Ok(t as usize),
            Op::Loop { t, cost } => {
                self.burn(cost.into())?;
                return Ok(t as usize);
            }
            Op::IfLess { a, b, t } => jump!(self.int(a) < self.int(b), t),
            Op::IfLessEqual { a, b, t } => jump!(self.int(a) <= self.int(b), t),
            Op::IfEqual { a, b, t } => jump!(self.int(a) == self.int(b), t),
            Op::IfUnequal { a, b, t } => jump!(self.int(a) != self.int(b), t),
            Op::IfLessK { a, k, t } => jump!(self.int(a) < k.into(), t),
            Op::IfNotLessK { a, k, t } => jump!(self.int(a) >= k.into(), t),
            Op::IfEqualK { a, k, t } => jump!(self.int(a) == i64::from(k), t),
            Op::IfUnequalK { a, k, t } => jump!(self.int(a) != i64::from(k), t),
            Op::IfFieldLess { o, f, b, t } => jump!(field!(o, f) < self.int(b), t),
            Op::IfFieldLessEqual { o, f, b, t } => jump!(field!(o, f) <= self.int(b), t),
            Op::IfLessField { a, o, f, t } => jump!(self.int(a) < field!(o, f), t),
            Op::IfLessEqualField { a, o, f, t } => jump!(self.int(a) <= field!(o, f), t),
            Op::IfFieldEqual { o, f, b, t } => jump!(field!(o, f) == self.int(b), t),
            Op::IfFieldUnequal { o, f, b, t } => jump!(field!(o, f) != self.int(b), t),
            Op::IfFieldsLess { o, f, p, g, t } => jump!(field!(o, f) < field!(p, g), t),
            Op::IfFieldsLessEqual { o, f, p, g, t } => jump!(field!(o, f) <= field!(p, g), t),
            Op::IfFieldsEqual { o, f, p, g, t } => jump!(field!(o, f) == field!(p, g), t),
            Op::IfFieldsUnequal { o, f, p, g, t } => jump!(field!(o, f) != field!(p, g), t),
            Op::IfFieldLessK { o, f, k, t } => jump!(field!(o, f) < k.into(), t),
            Op::IfFieldNotLessK { o, f, k, t } => jump!(field!(o, f) >= k.into(), t),
            Op::IfFieldEqualK { o, f, k, t } => jump!(field!(o, f) == i64::from(k), t),
            Op::IfFieldUnequalK { o, f, k, t } => jump!(field!(o, f) != i64::from(k), t),
            Op::IfNone { a, t } => jump!(self.registers[a as usize] == NONE, t),
            Op::IfSome { a, t } => jump!(self.registers[a as usize] != NONE, t),
            Op::IfUnbound { a, t } => jump!(self.registers[a as usize] == UNBOUND, t),
            Op::IfTag { a, tag, when, t } => {
                jump!((self.registers[a.wrapping_add(1) as usize] == tag as u64) == when, t);
            }
            Op::IfClass { o, k, t } => jump!(class!(o) & code.masks[k as usize] != 0, t),
            Op::IfNotClass { o, k, t } => jump!(class!(o) & code.masks[k as usize] == 0, t),
            Op::IfVisible { o, when, t } => {
                let flags = frame.rows.get(self.registers[o as usize] as usize).map_or(0, |row| row[Frame::FLAGS]);
                jump!((flags & Frame::VISIBLE != 0) == when, t);
            }
            Op::IfOnTop { o, p, when, t } => {
                let (x, y) = (field!(o, 0), field!(o, 1));
                let (left, top) = (field!(p, 0), field!(p, 1));
                let within = left <= x && x <= left + field!(p, 2) && top <= y && y <= top + field!(p, 3);
                jump!(within == when, t);
            }
            Op::NewList { d } => {
                self.new_list(d);
            }
            Op::Append { l, a } => {
                let value = self.registers[a as usize];
                self.list_mut(l)?.push(value);
            }
            Op::Next { d, it, cost, t } => {
                self.burn(cost.into())?;
                match self.next(it)? {
                    Some(item) => self.registers[d as usize] = item,
                    None => return Ok(t as usize),
                }
            }
            Op::NextByClass { d, it, table, cost } => {
                let Some(table) = code.tables.get(table as usize) else { return Err(Why::Inner.into()) };
                let mut last = self.registers[d as usize];
                loop {
                    self.burn(cost.into())?;
                    let Some(item) = self.next(it)? else {
                        self.registers[d as usize] = last;
                        return Ok(table.over as usize);
                    };
                    let Some(&class) = frame.classes.get(item as usize) else { return Err(Why::Inner.into()) };
                    let target = table.targets[(class & 63) as usize] as usize;
                    if target + 1 != next {
                        self.registers[d as usize] = item;
                        return Ok(target);
                    }
                    last = item;
                }
            }
            Op::NextPlaceByClass { d, i, it, table, cost } => {
                let Some(table) = code.tables.get(table as usize) else { return Err(Why::Inner.into()) };
                loop {
                    self.burn(cost.into())?;
                    let Some(item) = self.next(it)? else { return Ok(table.over as usize) };
                    let Some(&class) = frame.classes.get(item as usize) else { return Err(Why::Inner.into()) };
                    self.registers[d as usize] = item;
                    self.registers[i as usize] = self.registers[it.wrapping_add(1) as usize] - 1;
                    let target = table.targets[(class & 63) as usize] as usize;
                    if target + 1 != next {
                        return Ok(target);
                    }
                }
            }
            Op::Filter { l, it, d, k, t } => {
                self.filter(code.masks[k as usize], frame, (l, it, d))?;
                return Ok(t as usize);
            }
            Op::Index { d, l, a, t } => {
                let place = self.int(a);
                let list = self.list(l)?;
                let place = if place < 0 { place + list.len().cast_signed() as i64 } else { place };
                let item = usize::try_from(place).ok().and_then(|place| list.get(place));
                match item {
                    Some(&item) => self.registers[d as usize] = item,
                    None => return Ok(t as usize),
                }
            }
            Op::Length { d, l } => self.registers[d as usize] = self.list(l)?.len() as u64,
            Op::IfFilled { l, when, t } => {
                // What is `None` is no list.
                let filled = self.lists.get(self.registers[l as usize] as usize).is_some_and(|list| !list.is_empty());
                jump!(filled == when, t);
            }
            Op::GiveInt { .. }
            | Op::GiveFloat { .. }
            | Op::GiveBool { .. }
            | Op::GiveAny { .. }
            | Op::GiveNone
            | Op::Raise { .. }
            | Op::HandOver { .. } => return Ok(OVER),
            _ => return self.rest(code, frame, op, next),
        }
        Ok(next)
    }

    /// What is left of an iterator's objects that are of some classes.
    fn filter(&mut self, mask: u64, frame: &Frame, (l, it, d): (R, R, R)) -> Checked<()> {
        let from = self.registers[it as usize] as usize;
        let start = self.registers[it.wrapping_add(1) as usize] as usize;
        let to = self.registers[l as usize] as usize;
        let Some(mut kept) = self.lists.get_mut(to).map(std::mem::take) else { return Err(Why::Inner.into()) };
        let list = self.lists.get(from).ok_or(Exit::from(Why::Inner))?;
        let rest = list.get(start..).unwrap_or_default();
        let (looked_at, latest) = (rest.len() as i64, rest.last().copied());
        if from == 0 && rest.len() == frame.classes.len() {
            // The scene as it was given: object by object.
            kept.extend((0..).zip(&frame.classes).filter(|(_, class)| mask >> (**class & 63) & 1 != 0).map(|(o, _)| o));
        } else {
            let of_class =
                |object: &u64| frame.classes.get(*object as usize).is_some_and(|class| mask >> (class & 63) & 1 != 0);
            kept.extend(rest.iter().copied().filter(of_class));
        }
        self.lists[to] = kept;
        if let Some(object) = latest {
            self.registers[d as usize] = object;
        }
        self.registers[it.wrapping_add(1) as usize] = u64::MAX >> 1;
        self.burn(looked_at * 16)
    }
}

/// Where there is no next instruction.
pub(super) const OVER: usize = usize::MAX;

mod rest;
