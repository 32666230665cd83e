//! The interpreter of the register machine.

#![allow(clippy::trivially_copy_pass_by_ref, reason = "fields are read one by one from where instructions are")]

mod functions;
mod heap;
mod heaps;
mod list_methods;
mod statistics;
mod tables;
mod uncommon;

use std::sync::Arc;

use std::cmp::Ordering;

use super::frame::PreparedFrame;
use super::native::NativeMemory;
use heap::{Heap, next_element};
#[cfg(feature = "native")]
pub(super) use {
    functions::{bisect, bits, compute, power_of_floats, power_of_ints},
    heaps::arrange_heap,
    list_methods::clamped_index,
    statistics::{statistic, statistic_cost},
    tables::{find, search_cost},
    uncommon::{class_name, contains_text, is_equal_object, overlap, rare_attribute, sort_cost, square, text_result},
};

use super::op::{
    ArithmeticOp, CompareOp, ElementOrder, JumpTable, KeyShape, KeyWord, MAX_EXACT_INT, MAX_KEYS, NONE, Op, Reg, Tag,
    UNBOUND,
};
use super::state::StateLayout;
use crate::inference::types::Kinds;
use crate::machine::{CallError, ReturnValue, Reward};
use crate::scene::ScreenEquality;

/// The code of a function: its instructions and the tables that they refer to.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "they are independent facts about the function")]
pub(super) struct RegisterCode {
    pub(super) ops: Vec<Op>,
    /// The bits of the constants; a number for [`Op::MinMaxK`] or [`Op::MinMaxFloatK`] is followed by its tag.
    pub(super) constants: Vec<u64>,
    /// Bit sets of classes.
    pub(super) masks: Vec<u64>,
    pub(super) tables: Vec<JumpTable>,
    /// The shapes of the keys of dicts and sets.
    pub(super) key_shapes: Vec<KeyShape>,
    /// The orders of the elements of heaps.
    pub(super) orders: Vec<ElementOrder>,
    /// The results of functions of texts, a table for each function; `None` where a text would be too long.
    pub(super) text_tables: Vec<Vec<Option<u64>>>,
    /// The index of each class's name among the texts.
    pub(super) class_names: Vec<u64>,
    pub(super) equality: Vec<ScreenEquality>,
    /// The index of the empty text.
    pub(super) empty_text: u64,
    /// The names of the components of rewards with their values; a list for each return.
    pub(super) components: Vec<Vec<(String, Component)>>,
    pub(super) errors: Vec<Arc<CallError>>,
    /// The reasons for handing calls over, those of [`FallbackReason`] first.
    pub(super) reasons: Vec<String>,
    /// Whether the function modifies objects, so that it runs on a copy of the frame.
    pub(super) mutates_objects: bool,
    /// Whether the function modifies the list of objects.
    pub(super) mutates_scene: bool,
    /// Whether the function reads [rare attributes](super::frame::RareAttributes).
    pub(super) reads_rare: bool,
    /// Whether the function may change the state of the module.
    pub(super) mutates_state: bool,
    /// The state of the module that the function uses.
    pub(super) state: StateLayout,
    /// The number of stack instructions of the function and of all inlined functions, without repetition by loops.
    pub(super) cost: u64,
    /// The maximum number of nested calls.
    pub(super) call_depth: usize,
}

/// The value of a component of a reward.
#[derive(Debug, Clone, Copy)]
pub(super) enum Component {
    Constant(f64),
    /// The index of its word in the list of the components, with its kinds.
    Word(u16, Kinds),
}

/// A reason for handing a call over that is not specific to the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum FallbackReason {
    Overflow,
    OutOfFuel,
    MissingAttribute,
    DivisionByZero,
    Unordered,
    TypeMismatch,
    LongText,
    FewValues,
    /// Not a reason: the run reached an instruction that ends it.
    Finished,
}

impl FallbackReason {
    pub(super) const MESSAGES: [&'static str; 9] = [
        "a number that is too large",
        "the work limit",
        "an attribute that the fast engine does not store",
        "a division by zero",
        "numbers without an order",
        "a value of another type than inferred",
        "a text that is too long",
        "a function of too few values",
        "nothing",
    ];
}

/// The result of a run; two words, so that it is passed in registers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Exit {
    Int(i64),
    Float(f64),
    Bool(bool),
    None,
    /// A number with components, which [`RegisterMachine::reward`] returns, by the index of their names.
    Components(u16),
    Raised(u16),
    Fallback(u16),
}

impl From<FallbackReason> for Exit {
    fn from(reason: FallbackReason) -> Self {
        Self::Fallback(reason as u16)
    }
}

type OpResult<T> = Result<T, FallbackReason>;

/// The 256 untagged registers.
#[derive(Debug)]
pub(super) struct Registers([u64; 256]);

impl Registers {
    fn int(&self, a: Reg) -> i64 {
        self.0[a as usize].cast_signed()
    }

    /// Returns an integer that fits into a row of a frame.
    fn row_value(&self, a: Reg) -> OpResult<i32> {
        i32::try_from(self.int(a)).map_err(|_| FallbackReason::Overflow)
    }

    fn float(&self, a: Reg) -> f64 {
        f64::from_bits(self.0[a as usize])
    }

    fn set_int(&mut self, d: Reg, value: i64) {
        self.0[d as usize] = value.cast_unsigned();
    }

    fn set_float(&mut self, d: Reg, value: f64) {
        self.0[d as usize] = value.to_bits();
    }

    fn set_checked(&mut self, d: Reg, value: Option<i64>) -> OpResult<()> {
        self.set_int(d, value.ok_or(FallbackReason::Overflow)?);
        Ok(())
    }

    fn tag(&self, a: Reg) -> OpResult<Tag> {
        Tag::ALL.get(self.0[a.wrapping_add(1) as usize] as usize).copied().ok_or(FallbackReason::TypeMismatch)
    }
}

/// The registers, lists and frame of calls.
#[derive(Debug)]
pub(super) struct RegisterMachine {
    registers: Registers,
    heap: Heap,
    /// The copy of the frame for functions that modify objects.
    frame_copy: PreparedFrame,
    pub(super) native: NativeMemory,
    /// Whether machine code ran the last call, so that its lists are in the memory of machine code.
    is_native: bool,
    /// The number with its tag, and the list of the components that the last call in registers returned.
    returned: [u64; 3],
}

impl Default for RegisterMachine {
    fn default() -> Self {
        let heap =
            Heap { lists: vec![Vec::new()], live_lists: 1, fuel: 0, sort_order: Vec::new(), sort_buffer: Vec::new() };
        Self {
            registers: Registers([0; 256]),
            heap,
            frame_copy: PreparedFrame::default(),
            native: NativeMemory::default(),
            is_native: false,
            returned: [0; 3],
        }
    }
}

impl RegisterMachine {
    /// Returns the size of the lists in bytes.
    pub(super) fn size(&self) -> usize {
        self.heap.size()
    }

    /// Runs a function on a frame.
    #[inline(never)]
    pub(super) fn run(&mut self, code: &RegisterCode, frame: &PreparedFrame, fuel: i64, state: &[Vec<u64>]) -> Exit {
        self.is_native = false;
        self.heap.reset(fuel, state);
        let count = frame.rows.len();
        let scene = &mut self.heap.lists[0];
        if code.mutates_scene {
            scene.clear();
        }
        if scene.len() != count {
            scene.clear();
            scene.extend(0..count as u64);
        }
        self.registers.0[0] = 0;
        let end = if code.mutates_objects {
            self.frame_copy.copy_from(frame);
            run_mutating(code, &mut self.frame_copy, &mut self.registers, &mut self.heap)
        } else {
            run_to_exit(code, frame, &mut self.registers, &mut self.heap)
        };
        if let Ok(&Op::ReturnComponents { a, l, .. }) = end {
            self.returned = [a, a.wrapping_add(1), l].map(|register| self.registers.0[usize::from(register)]);
        }
        match end {
            Ok(op) => self.registers.exit(op).unwrap_or_else(Exit::from),
            Err(reason) => reason.into(),
        }
    }

    /// Records that machine code ran a call in the memory of the machine.
    pub(super) fn set_native_run(&mut self) {
        self.is_native = true;
    }
}

impl RegisterMachine {
    /// Returns the fuel that the last run, which started with `fuel`, has used.
    pub(super) fn used_fuel(&self, fuel: i64) -> u64 {
        u64::try_from(fuel.saturating_sub(self.heap.fuel)).unwrap_or(0)
    }

    /// Returns a list of the last run: that of the scene first, then those of the state. An index without a list yields an empty one.
    pub(super) fn list(&self, list: usize) -> &[u64] {
        if self.is_native {
            return super::native::list(&self.native, list);
        }
        self.heap.lists.get(list).map_or(&[], Vec::as_slice)
    }

    /// Returns the reward of the last run, which ended with [`Exit::Components`].
    pub(super) fn reward(&self, code: &RegisterCode, k: u16) -> Option<Reward> {
        let [total, tag, list] = if self.is_native { super::native::values(&self.native) } else { self.returned };
        let total = number(total, *Tag::ALL.get(tag as usize)?)?;
        let list = self.list(list as usize);
        let mut components = Vec::new();
        for (name, component) in code.components.get(k as usize)? {
            let value = match *component {
                Component::Constant(value) => value,
                Component::Word(place, kinds) => {
                    let place = usize::from(place);
                    let tag = match kinds {
                        Kinds::BOOL => Tag::Bool,
                        Kinds::INT => Tag::Int,
                        Kinds::FLOAT => Tag::Float,
                        _ => *Tag::ALL.get(*list.get(place + 1)? as usize)?,
                    };
                    Reward::from(number(*list.get(place)?, tag)?).value()
                }
            };
            components.push((name.clone(), value));
        }
        Some(Reward { total, components })
    }
}

/// Returns the number with this word and tag.
fn number(bits: u64, tag: Tag) -> Option<ReturnValue> {
    Some(match tag {
        Tag::Int => ReturnValue::Int(bits.cast_signed()),
        Tag::Float => ReturnValue::Float(f64::from_bits(bits)),
        Tag::Bool => ReturnValue::Bool(bits != 0),
        _ => return None,
    })
}

impl Registers {
    /// Returns the result of a run that ends with this instruction.
    fn exit(&self, op: &Op) -> OpResult<Exit> {
        Ok(match *op {
            Op::ReturnInt { a } => Exit::Int(self.int(a)),
            Op::ReturnFloat { a } => Exit::Float(self.float(a)),
            Op::ReturnBool { a } => Exit::Bool(self.0[a as usize] != 0),
            Op::ReturnAny { a } => match self.tag(a)? {
                Tag::Int => Exit::Int(self.int(a)),
                Tag::Float => Exit::Float(self.float(a)),
                Tag::Bool => Exit::Bool(self.0[a as usize] != 0),
                Tag::None => Exit::None,
                _ => return Err(FallbackReason::TypeMismatch),
            },
            Op::ReturnNone => Exit::None,
            Op::ReturnComponents { k, .. } => Exit::Components(k),
            Op::Raise { error } => Exit::Raised(error),
            Op::Fallback { reason } => Exit::Fallback(reason),
            _ => return Err(FallbackReason::TypeMismatch),
        })
    }
}

/// Runs the function to its end; returns the last instruction.
fn run_to_exit<'c>(
    code: &'c RegisterCode,
    frame: &PreparedFrame,
    r: &mut Registers,
    heap: &mut Heap,
) -> OpResult<&'c Op> {
    let ops = code.ops.as_slice();
    let mut at = 0;
    while let Some(op) = ops.get(at) {
        match step(code, frame, r, heap, op, at + 1) {
            Ok(next) => at = next,
            Err(FallbackReason::Finished) => return Ok(op),
            Err(reason) => return Err(reason),
        }
    }
    Err(FallbackReason::TypeMismatch)
}

/// Like [`run_to_exit`], for functions that modify objects.
fn run_mutating<'c>(
    code: &'c RegisterCode,
    frame: &mut PreparedFrame,
    r: &mut Registers,
    heap: &mut Heap,
) -> OpResult<&'c Op> {
    let mut at = 0;
    while let Some(op) = code.ops.get(at) {
        let next = match *op {
            Op::SetField { o, f, a } => {
                let value = r.row_value(a)?;
                let row = frame.rows.get_mut(r.0[o as usize] as usize).ok_or(FallbackReason::TypeMismatch)?;
                row[(f & 7) as usize] = value;
                if f < 2 && row[PreparedFrame::FLAGS] & PreparedFrame::HAS_PREVIOUS == 0 {
                    row[(f + 4) as usize] = value;
                }
                Ok(at + 1)
            }
            Op::SetValue { o, a } => {
                let row = frame.rows.get_mut(r.0[o as usize] as usize).ok_or(FallbackReason::TypeMismatch)?;
                if row[PreparedFrame::FLAGS] & PreparedFrame::HAS_VALUE == 0 {
                    return Err(FallbackReason::MissingAttribute);
                }
                row[PreparedFrame::VALUE] = r.row_value(a)?;
                Ok(at + 1)
            }
            _ => step(code, frame, r, heap, op, at + 1),
        };
        match next {
            Ok(next) => at = next,
            Err(FallbackReason::Finished) => return Ok(op),
            Err(reason) => return Err(reason),
        }
    }
    Err(FallbackReason::TypeMismatch)
}

/// Runs an instruction; returns the index of the next one.
#[inline(always)]
#[allow(clippy::too_many_lines, clippy::inline_always, reason = "one place for what is run all the time")]
fn step(
    code: &RegisterCode,
    frame: &PreparedFrame,
    r: &mut Registers,
    heap: &mut Heap,
    op: &Op,
    next: usize,
) -> OpResult<usize> {
    macro_rules! field {
        ($o:expr, $f:expr) => {
            match frame.rows.get(r.0[$o as usize] as usize) {
                Some(row) => i64::from(row[($f & 7) as usize]),
                None => return Err(FallbackReason::TypeMismatch),
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
            match frame.classes.get(r.0[$o as usize] as usize) {
                Some(&class) => 1u64 << (class & 63),
                None => 0,
            }
        };
    }
    match *op {
        Op::Const { d, k } => r.0[d as usize] = code.constants[k as usize],
        Op::Move { d, a } => r.0[d as usize] = r.0[a as usize],
        Op::Field { d, o, f } => r.set_int(d, field!(o, f)),
        Op::AddFields { d, o, f, p, g } => r.set_int(d, field!(o, f) + field!(p, g)),
        Op::SubFields { d, o, f, p, g } => r.set_int(d, field!(o, f) - field!(p, g)),
        Op::AddField { d, a, o, f } => r.set_checked(d, r.int(a).checked_add(field!(o, f)))?,
        Op::SubField { d, a, o, f } => r.set_checked(d, r.int(a).checked_sub(field!(o, f)))?,
        Op::Value { d, o } => {
            let row = uncommon::row(r, frame, o)?;
            if row[PreparedFrame::FLAGS] & PreparedFrame::HAS_VALUE == 0 {
                return Err(FallbackReason::MissingAttribute);
            }
            r.set_int(d, row[PreparedFrame::VALUE].into());
        }
        Op::Add { d, a, b } => r.set_checked(d, r.int(a).checked_add(r.int(b)))?,
        Op::AddK { d, a, k } => r.set_checked(d, r.int(a).checked_add(k.into()))?,
        Op::AddF { d, a, b } => r.set_float(d, r.float(a) + r.float(b)),
        Op::AddFK { d, a, k } => r.set_float(d, r.float(a) + f64::from_bits(code.constants[k as usize])),
        Op::SubFK { d, a, k } => r.set_float(d, r.float(a) - f64::from_bits(code.constants[k as usize])),
        Op::Jump { t } => return Ok(t as usize),
        Op::ConstJump { d, k, t } => {
            r.0[d as usize] = code.constants[k as usize];
            return Ok(t as usize);
        }
        Op::MoveJump { d, a, t } => {
            r.0[d as usize] = r.0[a as usize];
            return Ok(t as usize);
        }
        Op::AppendJump { l, a, t } => {
            let value = r.0[a as usize];
            heap.list_mut(r, l)?.push(value);
            return Ok(t as usize);
        }
        Op::Loop { t, cost } => {
            heap.consume_fuel(cost.into())?;
            return Ok(t as usize);
        }
        Op::IfLess { a, b, t } => jump!(r.int(a) < r.int(b), t),
        Op::IfLessEqual { a, b, t } => jump!(r.int(a) <= r.int(b), t),
        Op::IfEqual { a, b, t } => jump!(r.int(a) == r.int(b), t),
        Op::IfUnequal { a, b, t } => jump!(r.int(a) != r.int(b), t),
        Op::IfLessK { a, k, t } => jump!(r.int(a) < k.into(), t),
        Op::IfNotLessK { a, k, t } => jump!(r.int(a) >= k.into(), t),
        Op::IfEqualK { a, k, t } => jump!(r.int(a) == i64::from(k), t),
        Op::IfUnequalK { a, k, t } => jump!(r.int(a) != i64::from(k), t),
        Op::IfFieldLess { o, f, b, t } => jump!(field!(o, f) < r.int(b), t),
        Op::IfFieldLessEqual { o, f, b, t } => jump!(field!(o, f) <= r.int(b), t),
        Op::IfLessField { a, o, f, t } => jump!(r.int(a) < field!(o, f), t),
        Op::IfLessEqualField { a, o, f, t } => jump!(r.int(a) <= field!(o, f), t),
        Op::IfFieldEqual { o, f, b, t } => jump!(field!(o, f) == r.int(b), t),
        Op::IfFieldUnequal { o, f, b, t } => jump!(field!(o, f) != r.int(b), t),
        Op::IfFieldsLess { o, f, p, g, t } => jump!(field!(o, f) < field!(p, g), t),
        Op::IfFieldsLessEqual { o, f, p, g, t } => jump!(field!(o, f) <= field!(p, g), t),
        Op::IfFieldsEqual { o, f, p, g, t } => jump!(field!(o, f) == field!(p, g), t),
        Op::IfFieldsUnequal { o, f, p, g, t } => jump!(field!(o, f) != field!(p, g), t),
        Op::IfFieldLessK { o, f, k, t } => jump!(field!(o, f) < k.into(), t),
        Op::IfFieldNotLessK { o, f, k, t } => jump!(field!(o, f) >= k.into(), t),
        Op::IfFieldEqualK { o, f, k, t } => jump!(field!(o, f) == i64::from(k), t),
        Op::IfFieldUnequalK { o, f, k, t } => jump!(field!(o, f) != i64::from(k), t),
        Op::IfNone { a, t } => jump!(r.0[a as usize] == NONE, t),
        Op::IfSome { a, t } => jump!(r.0[a as usize] != NONE, t),
        Op::IfUnbound { a, t } => jump!(r.0[a as usize] == UNBOUND, t),
        Op::IfTag { a, tag, when, t } => {
            jump!((r.0[a.wrapping_add(1) as usize] == tag as u64) == when, t);
        }
        Op::IfClass { o, k, t } => jump!(class!(o) & code.masks[k as usize] != 0, t),
        Op::IfNotClass { o, k, t } => jump!(class!(o) & code.masks[k as usize] == 0, t),
        Op::IfVisible { o, when, t } => {
            let flags = frame.rows.get(r.0[o as usize] as usize).map_or(0, |row| row[PreparedFrame::FLAGS]);
            jump!((flags & PreparedFrame::VISIBLE != 0) == when, t);
        }
        Op::IfOnTop { o, p, when, t } => {
            let (x, y) = (field!(o, 0), field!(o, 1));
            let (left, top) = (field!(p, 0), field!(p, 1));
            let within = left <= x && x <= left + field!(p, 2) && top <= y && y <= top + field!(p, 3);
            jump!(within == when, t);
        }
        Op::NewList { d } => {
            heap.new_list(r, d);
        }
        Op::Append { l, a } => {
            let value = r.0[a as usize];
            heap.list_mut(r, l)?.push(value);
        }
        Op::Next { d, it, cost, t } => {
            heap.consume_fuel(cost.into())?;
            match next_element(r, heap, it)? {
                Some(item) => r.0[d as usize] = item,
                None => return Ok(t as usize),
            }
        }
        Op::NextByClass { d, it, table, cost } => {
            let Some(table) = code.tables.get(table as usize) else { return Err(FallbackReason::TypeMismatch) };
            let mut last = r.0[d as usize];
            loop {
                heap.consume_fuel(cost.into())?;
                let Some(item) = next_element(r, heap, it)? else {
                    r.0[d as usize] = last;
                    return Ok(table.exit_target as usize);
                };
                let Some(&class) = frame.classes.get(item as usize) else { return Err(FallbackReason::TypeMismatch) };
                let target = table.targets[(class & 63) as usize] as usize;
                if target + 1 != next {
                    r.0[d as usize] = item;
                    return Ok(target);
                }
                last = item;
            }
        }
        Op::NextIndexedByClass { d, i, it, table, cost } => {
            let Some(table) = code.tables.get(table as usize) else { return Err(FallbackReason::TypeMismatch) };
            loop {
                heap.consume_fuel(cost.into())?;
                let Some(item) = next_element(r, heap, it)? else { return Ok(table.exit_target as usize) };
                let Some(&class) = frame.classes.get(item as usize) else { return Err(FallbackReason::TypeMismatch) };
                r.0[d as usize] = item;
                r.0[i as usize] = r.0[it.wrapping_add(1) as usize] - 1;
                let target = table.targets[(class & 63) as usize] as usize;
                if target + 1 != next {
                    return Ok(target);
                }
            }
        }
        Op::Filter { l, it, d, k, t } => {
            filter(r, heap, code, frame, (l, it, d, k))?;
            return Ok(t as usize);
        }
        Op::Index { d, l, a, t } => {
            let place = r.int(a);
            let list = heap.list(r, l)?;
            let place = if place < 0 { place + list.len().cast_signed() as i64 } else { place };
            let item = usize::try_from(place).ok().and_then(|place| list.get(place));
            match item {
                Some(&item) => r.0[d as usize] = item,
                None => return Ok(t as usize),
            }
        }
        Op::GetState { d, list, k } => r.0[d as usize] = heap.slot(u64::from(list), k)?,
        Op::GetSlot { d, l, k } => r.0[d as usize] = heap.slot(r.0[l as usize], k)?,
        Op::SetState { a, list, k } => heap.set_slot(u64::from(list), k, r.0[a as usize])?,
        Op::SetSlot { l, a, k } => heap.set_slot(r.0[l as usize], k, r.0[a as usize])?,
        Op::Length { d, l } => r.0[d as usize] = heap.list(r, l)?.len() as u64,
        Op::IfNonEmpty { l, when, t } => {
            // `None` is not a list.
            let filled = heap.lists.get(r.0[l as usize] as usize).is_some_and(|list| !list.is_empty());
            jump!(filled == when, t);
        }
        Op::ReturnInt { .. }
        | Op::ReturnFloat { .. }
        | Op::ReturnBool { .. }
        | Op::ReturnAny { .. }
        | Op::ReturnNone
        | Op::ReturnComponents { .. }
        | Op::Raise { .. }
        | Op::Fallback { .. } => return Err(FallbackReason::Finished),
        Op::ToFloat { d, a } => r.set_float(d, uncommon::exact_float(r.int(a))?),
        Op::MulFK { d, a, k } => r.set_float(d, r.float(a) * f64::from_bits(code.constants[k as usize])),
        Op::DivFK { d, a, k } => {
            r.set_float(d, r.float(a) / uncommon::check_divisor(f64::from_bits(code.constants[k as usize]))?);
        }
        Op::Abs { d, a } => r.set_checked(d, r.int(a).checked_abs())?,
        Op::MinMaxFloatK { is_max, is_constant_first: first, d, a, k } => {
            let number = (r.0[a as usize], Tag::Float as u64, uncommon::Number::Float(r.float(a)));
            uncommon::min_max_constant(r, code, (is_max, first), d, number, k)?;
        }
        Op::MinMaxK { is_max, is_constant_first: first, d, a, k } => {
            let tag = r.0[a.wrapping_add(1) as usize];
            let number = (r.0[a as usize], tag, r.number(a)?);
            uncommon::min_max_constant(r, code, (is_max, first), d, number, k)?;
        }
        Op::Distance { d, o, p } => {
            let (one, two) = (uncommon::row(r, frame, o)?, uncommon::row(r, frame, p)?);
            let across = (uncommon::center(one, 0, 2) - uncommon::center(two, 0, 2)).abs();
            let down = (uncommon::center(one, 1, 3) - uncommon::center(two, 1, 3)).abs();
            r.set_float(d, across + down);
        }
        _ => return uncommon::step_uncommon(r, heap, code, frame, op, next),
    }
    Ok(next)
}

/// Appends the iterator's remaining objects of certain classes to a list.
fn filter(
    r: &mut Registers,
    heap: &mut Heap,
    code: &RegisterCode,
    frame: &PreparedFrame,
    (l, it, d, k): (Reg, Reg, Reg, u16),
) -> OpResult<()> {
    let mask = code.masks[k as usize];
    let from = r.0[it as usize] as usize;
    let start = r.0[it.wrapping_add(1) as usize] as usize;
    let to = r.0[l as usize] as usize;
    if from == to {
        // The loop would append to the list over which it iterates.
        return Err(FallbackReason::OutOfFuel);
    }
    let Some(mut filtered) = heap.lists.get_mut(to).map(std::mem::take) else {
        return Err(FallbackReason::TypeMismatch);
    };
    let list = heap.lists.get(from).ok_or(FallbackReason::TypeMismatch)?;
    let rest = list.get(start..).unwrap_or_default();
    let (looked_at, latest) = (rest.len() as i64, rest.last().copied());
    if from == 0 && !code.mutates_scene && rest.len() == frame.classes.len() {
        // The list holds all objects of the frame in order: the objects to keep are selected as a bit set, 64 at a time.
        for (start, classes) in (0..).step_by(64).zip(frame.classes.chunks(64)) {
            let wanted = |class: &u8| mask >> (class & 63) & 1;
            let mut left = (0..).zip(classes).fold(0, |bits, (place, class)| bits | wanted(class) << place);
            while left != 0 {
                filtered.push(start + u64::from(left.trailing_zeros()));
                left &= left - 1;
            }
        }
    } else {
        let of_class =
            |object: &u64| frame.classes.get(*object as usize).is_some_and(|class| mask >> (class & 63) & 1 != 0);
        filtered.extend(rest.iter().copied().filter(of_class));
    }
    heap.lists[to] = filtered;
    if let Some(object) = latest {
        r.0[d as usize] = object;
    }
    r.0[it.wrapping_add(1) as usize] = u64::MAX >> 1;
    heap.consume_fuel(looked_at * 16)
}
