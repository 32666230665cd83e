//! Translation of programs to Cranelift IR.
//!
//! Registers become Cranelift variables, so values that are never read are never computed. Every access to a row, list or element is
//! checked, unless [`data_flow`](crate::data_flow) proves that an equal check precedes it on every path.

mod lists;
mod values;

use std::collections::HashMap;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    AbiParam, AliasRegion, AliasRegionData, Block, Function as Body, InstBuilder, MemFlagsData, Signature, Type, Value,
    types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};

use crate::data_flow::{BasicBlocks, Fact, transfer};
use crate::lists::{FIRST_ARGUMENT, TOTAL_LIST_WORDS};
use crate::machine_code;
use crate::op::{Arguments, JumpTarget, Op, Register, Test, Trap};
use crate::program::Program;

const I64: Type = types::I64;
const F64: Type = types::F64;

/// The target of compilation.
#[derive(Clone, Copy)]
pub(crate) struct HostTarget {
    pub(crate) convention: CallConv,
    pub(crate) config: TargetFrontendConfig,
}

/// The control flow that remains to be emitted after an instruction.
enum Continuation {
    /// Continue with the next instruction.
    Next,
    /// Nothing: the block is terminated.
    Terminated,
}

struct Emitter<'e> {
    builder: FunctionBuilder<'e>,
    basic_blocks: &'e BasicBlocks,
    convention: CallConv,
    registers: Vec<Variable>,
    /// The remaining fuel.
    fuel: Variable,
    /// The number of lists.
    list_count: Variable,
    row_count: Value,
    rows: Value,
    classes: Value,
    class_rows: Value,
    lists: Value,
    host: Value,
    /// The number of lists that exist before the run, without list 0.
    initial_lists: u64,
    /// The Cranelift block of each basic block.
    blocks: Vec<Block>,
    /// The block for each reason to stop, if it is used.
    trap_blocks: [Option<Block>; Trap::ALL.len()],
    regions: [AliasRegion; 3],
    facts: Box<[Fact]>,
    /// The float of each word that was converted from one.
    floats: HashMap<Value, Value>,
}

/// The memory region of an access, for alias analysis.
#[derive(Clone, Copy)]
enum Region {
    Rows,
    Lists,
    Values,
}

/// Emits a function with the signature that [`MachineCode::run`](crate::MachineCode::run) calls.
pub(crate) fn emit(program: &Program, basic_blocks: &BasicBlocks, target: HostTarget, body: &mut Body) {
    let mut context = FunctionBuilderContext::new();
    body.signature = Signature::new(target.convention);
    body.signature.params.extend([AbiParam::new(I64); 8]);
    body.signature.returns.push(AbiParam::new(I64));
    let region = |body: &mut Body, user_id: u32, description: &'static str| {
        body.dfg.alias_regions.insert(AliasRegionData { user_id, description: description.into() })
    };
    let regions = [region(body, 0, "rows"), region(body, 1, "lists"), region(body, 2, "values")];
    let mut b = FunctionBuilder::new(body, &mut context);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let [rows, count, classes, planes, lists, starts_with, starts_with_lists, host] =
        std::array::from_fn(|place| b.block_params(entry)[place]);
    let fuel = b.declare_var(I64);
    let list_count = b.declare_var(I64);
    let registers: Vec<Variable> = (0..program.registers()).map(|_| b.declare_var(I64)).collect();
    let blocks = basic_blocks.starts.iter().map(|_| b.create_block()).collect();
    let mut emitter = Emitter {
        builder: b,
        basic_blocks,
        convention: target.convention,
        registers,
        fuel,
        list_count,
        row_count: count,
        rows,
        classes,
        class_rows: planes,
        lists,
        host,
        initial_lists: program.initial_lists() as u64,
        blocks,
        trap_blocks: [None; Trap::ALL.len()],
        regions,
        facts: Box::default(),
        floats: HashMap::new(),
    };
    emitter.initialize_variables(starts_with, starts_with_lists);
    emitter.emit_program(program);
    emitter.emit_trap_blocks();
    emitter.builder.seal_all_blocks();
    emitter.builder.finalize(target.config);
}

impl Emitter<'_> {
    /// Initializes the variables.
    fn initialize_variables(&mut self, fuel: Value, list_count: Value) {
        self.builder.def_var(self.fuel, fuel);
        self.builder.def_var(self.list_count, list_count);
        let zero = self.number(0);
        for register in self.registers.clone() {
            self.builder.def_var(register, zero);
        }
        self.builder.ins().jump(self.blocks[0], &[]);
    }

    fn emit_program(&mut self, program: &Program) {
        for block in 0..self.blocks.len() {
            let Some(facts) = &self.basic_blocks.facts[block] else { continue };
            self.facts.clone_from(facts);
            self.builder.switch_to_block(self.blocks[block]);
            let end = self.basic_blocks.starts.get(block + 1).copied().unwrap_or(program.ops().len());
            let mut then = Continuation::Next;
            for at in self.basic_blocks.starts[block]..end {
                let op = program.ops()[at];
                then = self.emit_op(op, at);
                transfer(&mut self.facts, op, false);
            }
            if matches!(then, Continuation::Next) {
                self.builder.ins().jump(self.blocks[block + 1], &[]);
            }
        }
    }

    /// Emits the blocks that stop the run.
    fn emit_trap_blocks(&mut self) {
        for stop in Trap::ALL {
            let Some(block) = self.trap_blocks[stop as usize] else { continue };
            self.builder.switch_to_block(block);
            let number = self.number(stop as i64 + 1);
            self.builder.ins().return_(&[number]);
        }
    }

    fn emit_op(&mut self, op: Op, at: usize) -> Continuation {
        match op {
            Op::Jump { t } => {
                let block = self.block(t);
                self.builder.ins().jump(block, &[]);
                return Continuation::Terminated;
            }
            Op::JumpIf { test, when, a, b, t } => {
                let holds = self.test(test, a, b);
                return self.branch(holds, when, t, at);
            }
            Op::JumpIfClass { o, set, when, t } => return self.emit_class_jump(o, set, when, t, at),
            Op::End { code, values } => {
                self.store_words(&values, TOTAL_LIST_WORDS);
                let code = self.number(i64::from(code) << 8);
                self.builder.ins().return_(&[code]);
                return Continuation::Terminated;
            }
            Op::Bailout => {
                let stop = self.trap_block(Trap::Bailout);
                self.builder.ins().jump(stop, &[]);
                return Continuation::Terminated;
            }
            Op::Get { d, l, a, t } => return self.get_element(d, l, a, t, at),
            Op::Set { l, a, b, t } => return self.set_element(l, a, b, t, at),
            Op::CallHost { d, e, function, arguments } => self.call_host([d, e], function, arguments),
            Op::NextOfClass { d, l, place, set, cost, t } => {
                return self.next_of_class((d, l, place), set, cost, t, at);
            }
            Op::NewList { .. }
            | Op::NewZeros { .. }
            | Op::Push { .. }
            | Op::Length { .. }
            | Op::Remove { .. }
            | Op::Extend { .. }
            | Op::Sort { .. }
            | Op::PushOfClass { .. } => self.emit_list_op(op),
            _ => self.emit_value_op(op),
        }
        Continuation::Next
    }

    /// Stores registers in consecutive words of the memory outside of lists.
    fn store_words(&mut self, registers: &[Register], first: usize) {
        for (place, &register) in registers.iter().enumerate() {
            let (value, flags) = (self.get(register), self.flags(Region::Values));
            self.builder.ins().store(flags, value, self.lists, (first + place) as i32 * 8);
        }
    }

    fn call_host(&mut self, results: [Register; 2], function: u32, arguments: Arguments) {
        self.store_words(arguments.registers(), FIRST_ARGUMENT);
        let (function, list_count) = (self.number(function.into()), self.builder.use_var(self.list_count));
        let values = [self.lists, self.host, function, list_count];
        self.call_checked(machine_code::call_host as *const () as usize, &values);
        let flags = self.flags(Region::Values);
        let [first, second, cost] = [0, 1, 2]
            .map(|place| self.builder.ins().load(I64, flags, self.lists, (TOTAL_LIST_WORDS + place) as i32 * 8));
        self.consume_fuel(cost);
        for (register, value) in results.into_iter().zip([first, second]) {
            self.set(register, value);
        }
    }

    // Helpers.

    fn number(&mut self, number: i64) -> Value {
        self.builder.ins().iconst(I64, number)
    }

    fn get(&mut self, register: Register) -> Value {
        self.builder.use_var(self.registers[register as usize])
    }

    fn set(&mut self, register: Register, value: Value) {
        self.builder.def_var(self.registers[register as usize], value);
    }

    fn fact(&self, register: Register) -> Fact {
        self.facts[register as usize]
    }

    fn block(&self, target: JumpTarget) -> Block {
        self.blocks[self.basic_blocks.block_index(target as usize)]
    }

    fn flags(&self, region: Region) -> MemFlagsData {
        // All addresses have been checked, so no access traps.
        let flags = MemFlagsData::new().with_notrap().with_aligned();
        flags.with_alias_region(Some(self.regions[region as usize]))
    }

    /// Loads a word that is constant during the whole run.
    fn load_constant_word(&mut self, at: Value, offset: i32) -> Value {
        let flags = MemFlagsData::new().with_notrap().with_aligned().with_readonly().with_can_move();
        self.builder.ins().load(I64, flags, at, offset)
    }

    /// Returns the block that stops the run for a reason.
    fn trap_block(&mut self, stop: Trap) -> Block {
        if let Some(block) = self.trap_blocks[stop as usize] {
            return block;
        }
        let block = self.builder.create_block();
        self.builder.set_cold_block(block);
        self.trap_blocks[stop as usize] = Some(block);
        block
    }

    /// Stops the run unless a condition holds.
    fn check(&mut self, holds: Value, otherwise: Trap) {
        let stop = self.trap_block(otherwise);
        let next = self.builder.create_block();
        self.builder.ins().brif(holds, next, &[], stop, &[]);
        self.builder.switch_to_block(next);
    }

    /// Stops the run if a condition holds.
    fn check_not(&mut self, holds: Value, otherwise: Trap) {
        let stop = self.trap_block(otherwise);
        let next = self.builder.create_block();
        self.builder.ins().brif(holds, stop, &[], next, &[]);
        self.builder.switch_to_block(next);
    }

    /// Emits a conditional jump to the target or to the next block.
    fn branch(&mut self, holds: Value, when: bool, t: JumpTarget, at: usize) -> Continuation {
        let (target, next) = (self.block(t), self.blocks[self.basic_blocks.block_index(at + 1)]);
        let (yes, no) = if when { (target, next) } else { (next, target) };
        self.builder.ins().brif(holds, yes, &[], no, &[]);
        Continuation::Terminated
    }

    fn test(&mut self, test: Test, a: Register, b: Register) -> Value {
        match test {
            Test::Equal | Test::Less | Test::LessEqual => {
                let condition = match test {
                    Test::Equal => IntCC::Equal,
                    Test::Less => IntCC::SignedLessThan,
                    _ => IntCC::SignedLessThanOrEqual,
                };
                let (a, b) = (self.get(a), self.get(b));
                self.builder.ins().icmp(condition, a, b)
            }
            Test::FloatEqual | Test::FloatLess | Test::FloatLessEqual => {
                let condition = match test {
                    Test::FloatEqual => FloatCC::Equal,
                    Test::FloatLess => FloatCC::LessThan,
                    _ => FloatCC::LessThanOrEqual,
                };
                let (a, b) = (self.float(a), self.float(b));
                self.builder.ins().fcmp(condition, a, b)
            }
        }
    }

    fn emit_class_jump(&mut self, o: Register, set: u64, when: bool, t: JumpTarget, at: usize) -> Continuation {
        let row = self.get(o);
        if self.fact(o) != Fact::Row {
            let is_row = self.is_row(row);
            // A row that does not exist is in no set.
            let otherwise = if when { self.blocks[self.basic_blocks.block_index(at + 1)] } else { self.block(t) };
            let inside = self.builder.create_block();
            self.builder.ins().brif(is_row, inside, &[], otherwise, &[]);
            self.builder.switch_to_block(inside);
        }
        let holds = self.is_in_classes(row, set);
        self.branch(holds, when, t, at)
    }

    fn is_row(&mut self, row: Value) -> Value {
        self.builder.ins().icmp(IntCC::UnsignedLessThan, row, self.row_count)
    }

    /// Tests whether the class of an existing row is in a set.
    fn is_in_classes(&mut self, row: Value, set: u64) -> Value {
        let flags = self.flags(Region::Rows);
        let address = self.builder.ins().iadd(self.classes, row);
        let class = self.builder.ins().uload8(I64, flags, address, 0);
        let class = self.builder.ins().band_imm_u(class, 63);
        if set.is_power_of_two() {
            return self.builder.ins().icmp_imm_u(IntCC::Equal, class, i64::from(set.trailing_zeros()));
        }
        let set = self.number(set.cast_signed());
        let shifted = self.builder.ins().ushr(set, class);
        self.builder.ins().band_imm_u(shifted, 1)
    }
}
