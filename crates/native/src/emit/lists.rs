//! Translation of instructions on lists, and on rows by class.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};

use super::{Continuation, Emitter, I64, Region};
use crate::data_flow::Fact;
use crate::lists::LIST_STRIDE;
use crate::machine_code;
use crate::op::{JumpTarget, MAX_KEYS, MAX_LENGTH, MAX_LISTS, Op, Register, SET_ROWS, Trap};

/// Maximum number of classes whose bit sets of rows one instruction combines. For more classes, rows are visited one by one.
const MAX_COMBINED_CLASSES: u32 = 12;

impl Emitter<'_> {
    pub(super) fn emit_list_op(&mut self, op: Op) {
        match op {
            Op::NewList { d } => self.new_list(d, 0),
            Op::NewZeros { d, count } => self.new_list(d, count),
            Op::Push { l, a } => {
                let list = self.mutable_list(l);
                let value = self.get(a);
                let length = self.length(list);
                let more = self.push_element(list, length, value);
                self.set_length(list, more);
            }
            Op::Length { d, l } => {
                let value = if self.fact(l) == Fact::ROWS {
                    self.row_count
                } else {
                    let list = self.list(l);
                    self.length(list)
                };
                self.set(d, value);
            }
            Op::Remove { l, a } => {
                self.mutable_list(l);
                let arguments = [self.lists, self.get(l), self.get(a)];
                self.call_checked(machine_code::remove as *const () as usize, &arguments);
            }
            Op::Extend { l, m } => {
                self.mutable_list(l);
                let rows = self.fact(m) == Fact::ROWS;
                if !rows {
                    self.list(m);
                }
                let arguments = [self.lists, self.get(l), self.get(m)];
                self.call_checked(machine_code::extend as *const () as usize, &arguments);
            }
            Op::Sort { l, keys, count, floats } => {
                self.mutable_list(l);
                let last = keys + u16::from(count) - 1;
                let mut arguments = vec![self.lists, self.get(l)];
                for place in 0..MAX_KEYS as Register {
                    let key = (keys + place).min(last);
                    self.check_list(key);
                    arguments.push(self.get(key));
                }
                let flags = self.number(i64::from(count) | i64::from(floats) << 8);
                arguments.insert(2, flags);
                self.call_checked(machine_code::sort as *const () as usize, &arguments);
            }
            Op::PushOfClass { l, m, place, set } => self.push_of_class(l, m, place, set),
            // Other instructions are translated elsewhere.
            _ => {}
        }
    }

    /// Calls a function, and stops the run if it returns a nonzero status.
    pub(super) fn call_checked(&mut self, address: usize, arguments: &[Value]) {
        let status = self.call(address, arguments);
        let (stop, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(stop);
        self.builder.ins().brif(status, stop, &[], next, &[]);
        self.builder.switch_to_block(stop);
        self.builder.ins().return_(&[status]);
        self.builder.switch_to_block(next);
    }

    /// Creates a list of zeros.
    fn new_list(&mut self, d: Register, zeros: u8) {
        let list = self.builder.use_var(self.list_count);
        let room = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, list, MAX_LISTS as i64);
        self.check(room, Trap::Bailout);
        let count = self.builder.ins().iadd_imm_u(list, 1);
        self.builder.def_var(self.list_count, count);
        self.set(d, list);
        let address = self.address(list);
        let (length, zero) = (self.number(zeros.into()), self.number(0));
        self.set_length(address, length);
        for place in 1..=i32::from(zeros) {
            let flags = self.flags(Region::Lists);
            self.builder.ins().store(flags, zero, address, place * 8);
        }
    }

    /// Whether a register contains the index of a list other than list 0 on every path.
    fn is_created_list(&self, l: Register) -> bool {
        match self.fact(l) {
            Fact::CreatedList => true,
            Fact::Bits(list) => (1..=self.initial_lists).contains(&list),
            _ => false,
        }
    }

    /// Returns the address of an existing list.
    fn address(&mut self, list: Value) -> Value {
        let offset = self.builder.ins().imul_imm_u(list, LIST_STRIDE as i64 * 8);
        self.builder.ins().iadd(self.lists, offset)
    }

    fn check_list(&mut self, l: Register) {
        if matches!(self.fact(l), Fact::List | Fact::ROWS) || self.is_created_list(l) {
            return;
        }
        let (list, count) = (self.get(l), self.builder.use_var(self.list_count));
        let is_list = self.builder.ins().icmp(IntCC::UnsignedLessThan, list, count);
        self.check(is_list, Trap::OutOfBounds);
    }

    /// Returns the address of a list after checking that it exists.
    fn list(&mut self, l: Register) -> Value {
        self.check_list(l);
        let list = self.get(l);
        self.address(list)
    }

    /// Returns the address of a list after checking that it exists and may be changed.
    fn mutable_list(&mut self, l: Register) -> Value {
        self.check_list(l);
        let list = self.get(l);
        if !self.is_created_list(l) {
            self.check(list, Trap::Bailout);
        }
        self.address(list)
    }

    fn length(&mut self, list: Value) -> Value {
        let flags = self.flags(Region::Lists);
        self.builder.ins().load(I64, flags, list, 0)
    }

    fn set_length(&mut self, list: Value, length: Value) {
        let flags = self.flags(Region::Lists);
        self.builder.ins().store(flags, length, list, 0);
    }

    /// Loads the element at a valid index.
    fn element(&mut self, list: Value, place: Value) -> Value {
        let offset = self.builder.ins().ishl_imm_u(place, 3);
        let address = self.builder.ins().iadd(list, offset);
        let flags = self.flags(Region::Lists);
        self.builder.ins().load(I64, flags, address, 8)
    }

    /// Appends an element and returns the new length.
    fn push_element(&mut self, list: Value, length: Value, value: Value) -> Value {
        let room = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, length, MAX_LENGTH as i64);
        self.check(room, Trap::Bailout);
        let offset = self.builder.ins().ishl_imm_u(length, 3);
        let address = self.builder.ins().iadd(list, offset);
        let flags = self.flags(Region::Lists);
        self.builder.ins().store(flags, value, address, 8);
        self.builder.ins().iadd_imm_u(length, 1)
    }

    pub(super) fn get_element(
        &mut self,
        d: Register,
        l: Register,
        a: Register,
        t: JumpTarget,
        at: usize,
    ) -> Continuation {
        let place = self.get(a);
        let (target, next) = (self.block(t), self.blocks[self.basic_blocks.block_index(at + 1)]);
        let inside = self.builder.create_block();
        if self.fact(l) == Fact::ROWS {
            let within = self.is_row(place);
            self.builder.ins().brif(within, inside, &[], target, &[]);
            self.builder.switch_to_block(inside);
            self.set(d, place);
        } else {
            let list = self.list(l);
            let length = self.length(list);
            let within = self.builder.ins().icmp(IntCC::UnsignedLessThan, place, length);
            self.builder.ins().brif(within, inside, &[], target, &[]);
            self.builder.switch_to_block(inside);
            let value = self.element(list, place);
            self.set(d, value);
        }
        self.builder.ins().jump(next, &[]);
        Continuation::Terminated
    }

    pub(super) fn set_element(
        &mut self,
        l: Register,
        a: Register,
        b: Register,
        t: JumpTarget,
        at: usize,
    ) -> Continuation {
        let (target, next) = (self.block(t), self.blocks[self.basic_blocks.block_index(at + 1)]);
        let list = self.mutable_list(l);
        let (place, value, length) = (self.get(a), self.get(b), self.length(list));
        let within = self.builder.ins().icmp(IntCC::UnsignedLessThan, place, length);
        let inside = self.builder.create_block();
        self.builder.ins().brif(within, inside, &[], target, &[]);
        self.builder.switch_to_block(inside);
        let offset = self.builder.ins().ishl_imm_u(place, 3);
        let address = self.builder.ins().iadd(list, offset);
        let flags = self.flags(Region::Lists);
        self.builder.ins().store(flags, value, address, 8);
        self.builder.ins().jump(next, &[]);
        Continuation::Terminated
    }

    /// Emits a branch to a new block if the bit sets of the classes do not hold all rows, and returns that block.
    fn branch_on_set_rows(&mut self) -> Block {
        let (few, many) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(many);
        let holds = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, self.row_count, SET_ROWS as i64);
        self.builder.ins().brif(holds, few, &[], many, &[]);
        self.builder.switch_to_block(few);
        many
    }

    /// Returns whether an instruction enumerates all rows by the bit sets of their classes.
    fn is_class_row_scan(&self, l: Register, set: u64) -> bool {
        self.fact(l) == Fact::ROWS && set.count_ones().min(set.count_zeros()) <= MAX_COMBINED_CLASSES
    }

    /// Returns the bit set of the rows whose class is in a set, computed from the set or from its complement, whichever has fewer
    /// classes.
    fn rows_of_classes(&mut self, set: u64) -> Value {
        if set.count_ones() <= set.count_zeros() {
            return self.union_of_class_rows(set);
        }
        // One bit for each row. The value is not used if there are no rows.
        let (all, max_rows) = (self.number(-1), self.number(SET_ROWS as i64));
        let rest = self.builder.ins().isub(max_rows, self.row_count);
        let all = self.builder.ins().ushr(all, rest);
        if set == u64::MAX {
            return all;
        }
        let others = self.union_of_class_rows(!set);
        self.builder.ins().band_not(all, others)
    }

    /// Returns the union of the bit sets of the rows of the classes in a set.
    fn union_of_class_rows(&mut self, set: u64) -> Value {
        let mut rows = None;
        for class in (0..64).filter(|class| set >> class & 1 != 0) {
            let more = self.load_constant_word(self.class_rows, class * 8);
            rows = Some(match rows {
                Some(rows) => self.builder.ins().bor(rows, more),
                None => more,
            });
        }
        rows.unwrap_or_else(|| self.number(0))
    }

    pub(super) fn next_of_class(
        &mut self,
        (d, l, place): (Register, Register, Register),
        set: u64,
        cost: u16,
        t: JumpTarget,
        at: usize,
    ) -> Continuation {
        let (target_block, next) = (self.block(t), self.blocks[self.basic_blocks.block_index(at + 1)]);
        if self.is_class_row_scan(l, set) {
            let others = self.branch_on_set_rows();
            self.next_row((d, place), set, cost, (target_block, next));
            self.builder.switch_to_block(others);
        }
        let list = self.list(l);
        let length = self.length(list);
        let [again, inside, row, found, end] = std::array::from_fn(|_| self.builder.create_block());
        // The index and the element remain outside of their registers until the end, because both may be the same register.
        let (index, last) = (self.builder.append_block_param(again, I64), self.builder.append_block_param(again, I64));
        let (from, previous) = (self.get(place), self.get(d));
        self.builder.ins().jump(again, &[from.into(), previous.into()]);
        self.builder.switch_to_block(again);
        let cost = self.number(cost.into());
        self.consume_fuel(cost);
        let within = self.builder.ins().icmp(IntCC::UnsignedLessThan, index, length);
        self.builder.ins().brif(within, inside, &[], end, &[]);
        self.builder.switch_to_block(inside);
        let value = self.element(list, index);
        let next_index = self.builder.ins().iadd_imm_u(index, 1);
        let is_row = self.is_row(value);
        let stop = self.trap_block(Trap::OutOfBounds);
        self.builder.ins().brif(is_row, row, &[], stop, &[]);
        self.builder.switch_to_block(row);
        let holds = self.is_in_classes(value, set);
        self.builder.ins().brif(holds, found, &[], again, &[next_index.into(), value.into()]);
        for (block, at, value, target) in [(found, next_index, value, next), (end, index, last, target_block)] {
            self.builder.switch_to_block(block);
            self.set(place, at);
            self.set(d, value);
            self.builder.ins().jump(target, &[]);
        }
        Continuation::Terminated
    }

    /// Emits [`Op::NextOfClass`] for the list of all rows.
    fn next_row(&mut self, (d, place): (Register, Register), set: u64, cost: u16, (target, next): (Block, Block)) {
        let rows = self.rows_of_classes(set);
        let from = self.get(place);
        let shifted = self.builder.ins().ushr(rows, from);
        let zeros = self.builder.ins().ctz(shifted);
        // Without a set bit, the index is out of range.
        let row = self.builder.ins().iadd(from, zeros);
        let passed = self.builder.ins().icmp(IntCC::UnsignedLessThan, from, self.row_count);
        let is_row = self.is_row(row);
        let found = self.builder.ins().band(passed, is_row);
        let (inside, done) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(found, inside, &[], done, &[]);

        self.builder.switch_to_block(done);
        let end = self.builder.ins().select(passed, self.row_count, from);
        let looked_at = self.builder.ins().isub(end, from);
        self.consume_fuel_times(looked_at, cost);
        let last = self.builder.ins().iadd_imm_s(self.row_count, -1);
        let previous = self.get(d);
        let last = self.builder.ins().select(passed, last, previous);
        self.set(place, end);
        self.set(d, last);
        self.builder.ins().jump(target, &[]);

        self.builder.switch_to_block(inside);
        self.consume_fuel_times(zeros, cost);
        let next_index = self.builder.ins().iadd_imm_u(row, 1);
        self.set(place, next_index);
        self.set(d, row);
        self.builder.ins().jump(next, &[]);
    }

    /// Uses fuel for `count` elements and for the end of the list.
    fn consume_fuel_times(&mut self, count: Value, cost: u16) {
        let more = self.builder.ins().imul_imm_u(count, i64::from(cost));
        let more = self.builder.ins().iadd_imm_u(more, i64::from(cost));
        self.consume_fuel(more);
    }

    fn push_of_class(&mut self, l: Register, m: Register, place: Register, set: u64) {
        let to = self.mutable_list(l);
        let from = self.get(place);
        let length = self.length(to);
        let done = self.builder.create_block();
        self.builder.append_block_param(done, I64);
        if self.is_class_row_scan(m, set) {
            let others = self.branch_on_set_rows();
            let again = self.builder.create_block();
            let (longer, left) =
                (self.builder.append_block_param(again, I64), self.builder.append_block_param(again, I64));
            let rows = self.rows_of_classes(set);
            let shifted = self.builder.ins().ushr(rows, from);
            let rest = self.builder.ins().ishl(shifted, from);
            let inside = self.builder.ins().icmp(IntCC::UnsignedLessThan, from, self.row_count);
            let none = self.number(0);
            let rest = self.builder.ins().select(inside, rest, none);
            self.builder.ins().jump(again, &[length.into(), rest.into()]);
            self.builder.switch_to_block(again);
            let next = self.builder.create_block();
            self.builder.ins().brif(left, next, &[], done, &[longer.into()]);
            self.builder.switch_to_block(next);
            let row = self.builder.ins().ctz(left);
            let more = self.push_element(to, longer, row);
            let less = self.builder.ins().iadd_imm_s(left, -1);
            let less = self.builder.ins().band(left, less);
            self.builder.ins().jump(again, &[more.into(), less.into()]);
            self.builder.switch_to_block(others);
        }
        let source = self.list(m);
        let same = self.builder.ins().icmp(IntCC::Equal, source, to);
        self.check_not(same, Trap::Bailout);
        let end = self.length(source);
        let again = self.builder.create_block();
        let (longer, index) =
            (self.builder.append_block_param(again, I64), self.builder.append_block_param(again, I64));
        self.builder.ins().jump(again, &[length.into(), from.into()]);
        self.builder.switch_to_block(again);
        self.push_of_class_from_list(to, source, set, (longer, index, end), (again, done));
        self.builder.switch_to_block(done);
        let length = self.builder.block_params(done)[0];
        self.set_length(to, length);
    }

    /// Emits one iteration of [`Op::PushOfClass`] for a list that is not enumerated by bit sets. `longer` is the current length of the
    /// growing list, `index` the index in the other one, and `end` its length.
    fn push_of_class_from_list(
        &mut self,
        to: Value,
        source: Value,
        set: u64,
        (longer, index, end): (Value, Value, Value),
        (again, done): (Block, Block),
    ) {
        let (inside, row, in_set) =
            (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        let within = self.builder.ins().icmp(IntCC::UnsignedLessThan, index, end);
        self.builder.ins().brif(within, inside, &[], done, &[longer.into()]);
        self.builder.switch_to_block(inside);
        let value = self.element(source, index);
        let next_index = self.builder.ins().iadd_imm_u(index, 1);
        let is_row = self.is_row(value);
        self.builder.ins().brif(is_row, row, &[], again, &[longer.into(), next_index.into()]);
        self.builder.switch_to_block(row);
        let holds = self.is_in_classes(value, set);
        self.builder.ins().brif(holds, in_set, &[], again, &[longer.into(), next_index.into()]);
        self.builder.switch_to_block(in_set);
        let more = self.push_element(to, longer, value);
        self.builder.ins().jump(again, &[more.into(), next_index.into()]);
    }
}
