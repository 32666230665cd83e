//! Translation of arithmetic, fields of rows, fuel, and external calls.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::immediates::Ieee64;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, Value};

use super::{Emitter, F64, I64, Region};
use crate::data_flow::Fact;
use crate::op::{BitOp, FIELDS, FloatOp, IntOp, Op, Register, Trap, UnaryOp};

impl Emitter<'_> {
    /// Returns a register as a float.
    pub(super) fn float(&mut self, register: Register) -> Value {
        if let Fact::Bits(bits) = self.fact(register) {
            return self.builder.ins().f64const(Ieee64::with_bits(bits));
        }
        let bits = self.get(register);
        match self.floats.get(&bits) {
            Some(float) => *float,
            None => self.builder.ins().bitcast(F64, MemFlagsData::new(), bits),
        }
    }

    fn set_float(&mut self, register: Register, value: Value) {
        let bits = self.builder.ins().bitcast(I64, MemFlagsData::new(), value);
        self.floats.insert(bits, value);
        self.set(register, bits);
    }

    fn bits(&mut self, op: BitOp, a: Value, b: Value) -> Value {
        let ins = self.builder.ins();
        match op {
            BitOp::Add => ins.iadd(a, b),
            BitOp::Sub => ins.isub(a, b),
            BitOp::And => ins.band(a, b),
            BitOp::Or => ins.bor(a, b),
            BitOp::Xor => ins.bxor(a, b),
            BitOp::ShiftRight => ins.ushr(a, b),
        }
    }

    fn arithmetic(&mut self, op: FloatOp, a: Value, b: Value) -> Value {
        let ins = self.builder.ins();
        match op {
            FloatOp::Add => ins.fadd(a, b),
            FloatOp::Sub => ins.fsub(a, b),
            FloatOp::Mul => ins.fmul(a, b),
            FloatOp::Div => ins.fdiv(a, b),
        }
    }

    pub(super) fn emit_value_op(&mut self, op: Op) {
        match op {
            Op::Const { d, bits } => {
                let value = self.number(bits.cast_signed());
                self.set(d, value);
            }
            Op::Copy { d, a } => {
                let value = self.get(a);
                self.set(d, value);
            }
            Op::Int { op, d, a, b } => {
                let (a, b) = (self.get(a), self.get(b));
                let value = self.int(op, a, b);
                self.set(d, value);
            }
            Op::Bits { op, d, a, b } => {
                let (a, b) = (self.get(a), self.get(b));
                let value = self.bits(op, a, b);
                self.set(d, value);
            }
            Op::Float { op, d, a, b } => {
                let (a, b) = (self.float(a), self.float(b));
                let value = self.arithmetic(op, a, b);
                self.set_float(d, value);
            }
            Op::Unary { op, d, a } => self.unary(op, d, a),
            Op::Select { test, x, y, d, a, b } => {
                let holds = self.test(test, x, y);
                let (a, b) = (self.get(a), self.get(b));
                let value = self.builder.ins().select(holds, a, b);
                self.set(d, value);
            }
            Op::Field { d, o, field } => {
                let value = self.field(o, field);
                self.set(d, value);
            }
            Op::ConsumeFuel { cost } => {
                let cost = self.number(cost.into());
                self.consume_fuel(cost);
            }
            Op::ConsumeFuelBy { a, cost } => {
                let times = self.get(a);
                let times = self.builder.ins().band_imm_u(times, i64::from(u32::MAX));
                let cost = self.builder.ins().imul_imm_u(times, i64::from(cost));
                self.consume_fuel(cost);
            }
            Op::Call { d, function, a, b } => {
                let arguments = [self.get(a), self.get(b)];
                let value = self.call(function as usize, &arguments);
                self.set(d, value);
            }
            // Other instructions are translated elsewhere.
            _ => {}
        }
    }

    /// Calls a function that returns a word.
    pub(super) fn call(&mut self, address: usize, arguments: &[Value]) -> Value {
        let mut signature = Signature::new(self.convention);
        signature.params.extend(arguments.iter().map(|_| AbiParam::new(I64)));
        signature.returns.push(AbiParam::new(I64));
        let signature = self.builder.import_signature(signature);
        let address = self.number(address as i64);
        let call = self.builder.ins().call_indirect(signature, address, arguments);
        self.builder.inst_results(call)[0]
    }

    pub(super) fn consume_fuel(&mut self, cost: Value) {
        let fuel = self.builder.use_var(self.fuel);
        let fuel = self.builder.ins().isub(fuel, cost);
        self.builder.def_var(self.fuel, fuel);
        let used_up = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, fuel, 0);
        self.check_not(used_up, Trap::OutOfFuel);
    }

    fn field(&mut self, o: Register, field: u8) -> Value {
        let row = self.get(o);
        if self.fact(o) != Fact::Row {
            let is_row = self.is_row(row);
            self.check(is_row, Trap::OutOfBounds);
        }
        let offset = self.builder.ins().ishl_imm_u(row, 5);
        let address = self.builder.ins().iadd(self.rows, offset);
        let flags = self.flags(Region::Rows);
        let place = usize::from(field) % FIELDS;
        self.builder.ins().sload32(flags, address, place as i32 * 4)
    }

    fn unary(&mut self, op: UnaryOp, d: Register, a: Register) {
        let value = match op {
            UnaryOp::ToFloat => {
                let number = self.get(a);
                self.builder.ins().fcvt_from_sint(F64, number)
            }
            UnaryOp::ToInt => {
                let float = self.float(a);
                let number = self.builder.ins().fcvt_to_sint_sat(I64, float);
                self.set(d, number);
                return;
            }
            UnaryOp::Neg => {
                let float = self.float(a);
                self.builder.ins().fneg(float)
            }
            UnaryOp::Abs => {
                let float = self.float(a);
                self.builder.ins().fabs(float)
            }
            UnaryOp::Sqrt => {
                let float = self.float(a);
                self.builder.ins().sqrt(float)
            }
        };
        self.set_float(d, value);
    }

    fn int(&mut self, op: IntOp, a: Value, b: Value) -> Value {
        let ins = self.builder.ins();
        let (value, overflow) = match op {
            IntOp::Add => ins.sadd_overflow(a, b),
            IntOp::Sub => ins.ssub_overflow(a, b),
            IntOp::Mul => ins.smul_overflow(a, b),
            IntOp::FloorDiv | IntOp::Mod => return self.divide(op, a, b),
        };
        self.check_not(overflow, Trap::Overflow);
        value
    }

    fn divide(&mut self, op: IntOp, a: Value, b: Value) -> Value {
        let by_zero = self.builder.ins().icmp_imm_s(IntCC::Equal, b, 0);
        self.check_not(by_zero, Trap::DivisionByZero);
        // The minimum integer has no negation.
        let is_min = self.builder.ins().icmp_imm_s(IntCC::Equal, a, i64::MIN);
        let negated = self.builder.ins().icmp_imm_s(IntCC::Equal, b, -1);
        let overflow = self.builder.ins().band(is_min, negated);
        self.check_not(overflow, Trap::Overflow);
        let quotient = self.builder.ins().sdiv(a, b);
        let product = self.builder.ins().imul(quotient, b);
        let rest = self.builder.ins().isub(a, product);
        // The quotient is rounded towards negative infinity: it decreases by one if the signs differ and the remainder is not zero.
        let left = self.builder.ins().icmp_imm_s(IntCC::NotEqual, rest, 0);
        let signs = self.builder.ins().bxor(rest, b);
        let differ = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, signs, 0);
        let down = self.builder.ins().band(left, differ);
        let (plain, corrected) = if op == IntOp::FloorDiv {
            let less = self.builder.ins().iadd_imm_s(quotient, -1);
            (quotient, less)
        } else {
            let more = self.builder.ins().iadd(rest, b);
            (rest, more)
        };
        self.builder.ins().select(down, corrected, plain)
    }
}
