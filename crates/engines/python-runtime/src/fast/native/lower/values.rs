//! Lowering of object fields and arithmetic.

use goalspec_native::{BitOp, ExternFunction, FloatOp, IntOp, Op as To, Register, Test, UnaryOp};

use super::{Lowering, PreparedFrame};
use crate::fast::op::{ArithmeticOp, MAX_EXACT_INT, Op, Reg, Tag};
use crate::fast::run::{FallbackReason, square};
use crate::library::FastForm;
use crate::machine::{MATH_FUNCTIONS, euclidean_norm, float_floor_division};

extern "C" fn squared(a: u64, _: u64) -> u64 {
    square(f64::from_bits(a)).to_bits()
}

extern "C" fn floor_quotient(a: u64, b: u64) -> u64 {
    float_floor_division(f64::from_bits(a), f64::from_bits(b)).0.to_bits()
}

extern "C" fn floor_remainder(a: u64, b: u64) -> u64 {
    float_floor_division(f64::from_bits(a), f64::from_bits(b)).1.to_bits()
}

extern "C" fn hypotenuse(a: u64, b: u64) -> u64 {
    euclidean_norm(&[f64::from_bits(a), f64::from_bits(b)]).to_bits()
}

impl Lowering<'_> {
    /// Lowers an instruction that computes a value; returns whether `op` is one.
    pub(super) fn lower_value(&mut self, op: Op) -> bool {
        match op {
            Op::Const { d, k } => self.set(d.into(), self.code.constants[k as usize]),
            Op::Move { d, a } => self.copy(d.into(), a.into()),
            _ => return self.lower_object_op(op) || self.lower_int_op(op) || self.lower_float_op(op),
        }
        true
    }

    fn lower_object_op(&mut self, op: Op) -> bool {
        match op {
            Op::Field { d, o, f } => {
                let d = self.invalidate(d.into());
                self.emit(To::Field { d, o: o.into(), field: f });
            }
            Op::FloatField { d, o, f } => {
                let a = self.field(o, f);
                self.unary(UnaryOp::ToFloat, d, a);
            }
            // Sums and differences of two fields never overflow.
            Op::AddFields { d, o, f, p, g } => self.fields(BitOp::Add, d, (o, f), (p, g)),
            Op::SubFields { d, o, f, p, g } => self.fields(BitOp::Sub, d, (o, f), (p, g)),
            Op::AddField { d, a, o, f } => {
                let b = self.field(o, f);
                self.int(IntOp::Add, d, a.into(), b);
            }
            Op::SubField { d, a, o, f } => {
                let b = self.field(o, f);
                self.int(IntOp::Sub, d, a.into(), b);
            }
            Op::Value { d, o } => {
                let (flags, missing) =
                    (self.flag(o, PreparedFrame::HAS_VALUE), self.fallback(FallbackReason::MissingAttribute));
                let zero = self.bits(0);
                self.branch(Test::Equal, flags, zero, true, missing);
                let d = self.invalidate(d.into());
                self.emit(To::Field { d, o: o.into(), field: PreparedFrame::VALUE as u8 });
            }
            Op::Flag { d, o, bit } => {
                let flags = self.field(o, PreparedFrame::FLAGS as u8);
                let (places, one) = (self.bits((bit & 7).into()), self.bits(1));
                let shifted = self.temporary();
                self.emit(To::Bits { op: BitOp::ShiftRight, d: shifted, a: flags, b: places });
                let d = self.invalidate(d.into());
                self.emit(To::Bits { op: BitOp::And, d, a: shifted, b: one });
            }
            Op::Center { d, o, f, g } => {
                let center = self.center(o, f, g);
                self.copy(d.into(), center);
            }
            Op::Distance { d, o, p } => {
                let mut parts = [0; 2];
                for (part, (f, g)) in parts.iter_mut().zip([(0, 2), (1, 3)]) {
                    let (one, two) = (self.center(o, f, g), self.center(p, f, g));
                    let difference = self.temporary();
                    self.emit(To::Float { op: FloatOp::Sub, d: difference, a: one, b: two });
                    *part = self.temporary();
                    self.emit(To::Unary { op: UnaryOp::Abs, d: *part, a: difference });
                }
                self.float(FloatOp::Add, d, parts[0], parts[1]);
            }
            _ => return false,
        }
        true
    }

    /// Returns a flag of an object as an unshifted bit.
    pub(super) fn flag(&mut self, o: Reg, flag: i32) -> Register {
        let flags = self.field(o, PreparedFrame::FLAGS as u8);
        let (mask, d) = (self.int_bits(flag.into()), self.temporary());
        self.emit(To::Bits { op: BitOp::And, d, a: flags, b: mask });
        d
    }

    fn fields(&mut self, op: BitOp, d: Reg, (o, f): (Reg, u8), (p, g): (Reg, u8)) {
        let (a, b) = (self.field(o, f), self.field(p, g));
        let d = self.invalidate(d.into());
        self.emit(To::Bits { op, d, a, b });
    }

    fn center(&mut self, o: Reg, f: u8, g: u8) -> Register {
        let two = self.float_bits(2.0);
        let (place, size) = (self.field(o, f), self.field(o, g));
        let [place_float, size_float, half, d] = std::array::from_fn(|_| self.temporary());
        self.emit(To::Unary { op: UnaryOp::ToFloat, d: place_float, a: place });
        self.emit(To::Unary { op: UnaryOp::ToFloat, d: size_float, a: size });
        self.emit(To::Float { op: FloatOp::Div, d: half, a: size_float, b: two });
        self.emit(To::Float { op: FloatOp::Add, d, a: place_float, b: half });
        d
    }

    fn int(&mut self, op: IntOp, d: Reg, a: Register, b: Register) {
        let d = self.invalidate(d.into());
        self.emit(To::Int { op, d, a, b });
    }

    fn float(&mut self, op: FloatOp, d: Reg, a: Register, b: Register) {
        let d = self.invalidate(d.into());
        self.emit(To::Float { op, d, a, b });
    }

    fn unary(&mut self, op: UnaryOp, d: Reg, a: Register) {
        let d = self.invalidate(d.into());
        self.emit(To::Unary { op, d, a });
    }

    /// Selects one of two values by a test.
    pub(super) fn select(&mut self, d: Reg, test: Test, (x, y): (Register, Register), a: Register, b: Register) {
        let d = self.invalidate(d.into());
        self.emit(To::Select { test, x, y, d, a, b });
    }

    fn lower_int_op(&mut self, op: Op) -> bool {
        match op {
            Op::Add { d, a, b } => self.int(IntOp::Add, d, a.into(), b.into()),
            Op::AddK { d, a, k } => {
                let b = self.int_bits(k.into());
                self.int(IntOp::Add, d, a.into(), b);
            }
            Op::Sub { d, a, b } => self.int(IntOp::Sub, d, a.into(), b.into()),
            Op::Mul { d, a, b } => self.int(IntOp::Mul, d, a.into(), b.into()),
            Op::FloorDiv { d, a, b } => self.int(IntOp::FloorDiv, d, a.into(), b.into()),
            Op::Mod { d, a, b } => self.int(IntOp::Mod, d, a.into(), b.into()),
            Op::Neg { d, a } => {
                let zero = self.bits(0);
                self.int(IntOp::Sub, d, zero, a.into());
            }
            Op::Abs { d, a } => {
                let (zero, opposite) = (self.bits(0), self.temporary());
                self.emit(To::Int { op: IntOp::Sub, d: opposite, a: zero, b: a.into() });
                self.select(d, Test::Less, (a.into(), zero), opposite, a.into());
            }
            Op::Min { d, a, b } => {
                let (a, b) = (a.into(), b.into());
                self.select(d, Test::Less, (b, a), b, a);
            }
            Op::Max { d, a, b } => {
                let (a, b) = (a.into(), b.into());
                self.select(d, Test::Less, (a, b), b, a);
            }
            Op::ToInt { d, a } => {
                let (max, absolute) = (self.float_bits(MAX_EXACT_INT as f64), self.temporary());
                self.emit(To::Unary { op: UnaryOp::Abs, d: absolute, a: a.into() });
                let too_large = self.fallback(FallbackReason::Overflow);
                self.branch(Test::FloatLessEqual, absolute, max, false, too_large);
                self.unary(UnaryOp::ToInt, d, a.into());
            }
            _ => return false,
        }
        true
    }

    fn lower_float_op(&mut self, op: Op) -> bool {
        match op {
            Op::AddF { d, a, b } => self.float(FloatOp::Add, d, a.into(), b.into()),
            Op::SubF { d, a, b } => self.float(FloatOp::Sub, d, a.into(), b.into()),
            Op::MulF { d, a, b } => self.float(FloatOp::Mul, d, a.into(), b.into()),
            Op::DivF { d, a, b } => {
                self.check_divisor(b.into());
                self.float(FloatOp::Div, d, a.into(), b.into());
            }
            Op::AddFK { d, a, k } => self.float_with_constant(FloatOp::Add, d, a, k),
            Op::SubFK { d, a, k } => self.float_with_constant(FloatOp::Sub, d, a, k),
            Op::MulFK { d, a, k } => self.float_with_constant(FloatOp::Mul, d, a, k),
            Op::DivFK { d, a, k } => {
                if f64::from_bits(self.code.constants[k as usize]) == 0.0 {
                    let by_zero = self.fallback(FallbackReason::DivisionByZero);
                    self.jump(by_zero);
                } else {
                    self.float_with_constant(FloatOp::Div, d, a, k);
                }
            }
            Op::FloorDivF { d, a, b } => {
                self.check_divisor(b.into());
                self.call(d, floor_quotient, a.into(), b.into());
            }
            Op::ModF { d, a, b } => {
                self.check_divisor(b.into());
                self.call(d, floor_remainder, a.into(), b.into());
            }
            Op::NegF { d, a } => self.unary(UnaryOp::Neg, d, a.into()),
            Op::AbsF { d, a } => self.unary(UnaryOp::Abs, d, a.into()),
            Op::SquareF { d, a } => {
                self.call(d, squared, a.into(), a.into());
                self.check_finite(d.into());
            }
            Op::MinF { d, a, b } => {
                let (a, b) = (a.into(), b.into());
                self.select(d, Test::FloatLess, (b, a), b, a);
            }
            Op::MaxF { d, a, b } => {
                let (a, b) = (a.into(), b.into());
                self.select(d, Test::FloatLess, (a, b), b, a);
            }
            Op::ToFloat { d, a } => {
                let value = self.exact_float(a.into());
                self.copy(d.into(), value);
            }
            Op::Math { d, a, function } => self.math(d, a.into(), function),
            Op::Hypot { d, a, b } => {
                self.call(d, hypotenuse, a.into(), b.into());
                self.check_finite(d.into());
            }
            Op::Arith { operator, d, a, b } => self.arithmetic(operator, d, a, b),
            _ => return false,
        }
        true
    }

    fn float_with_constant(&mut self, op: FloatOp, d: Reg, a: Reg, k: u16) {
        let b = self.bits(self.code.constants[k as usize]);
        self.float(op, d, a.into(), b);
    }

    fn call(&mut self, d: Reg, function: ExternFunction, a: Register, b: Register) {
        let d = self.invalidate(d.into());
        self.emit(To::Call { d, function, a, b });
    }

    fn check_divisor(&mut self, b: Register) {
        let (zero, by_zero) = (self.float_bits(0.0), self.fallback(FallbackReason::DivisionByZero));
        self.branch(Test::FloatEqual, b, zero, true, by_zero);
    }

    fn check_finite(&mut self, a: Register) {
        let (infinite, absolute) = (self.float_bits(f64::INFINITY), self.temporary());
        self.emit(To::Unary { op: UnaryOp::Abs, d: absolute, a });
        let not = self.fallback(FallbackReason::Overflow);
        self.branch(Test::FloatLess, absolute, infinite, false, not);
    }

    fn math(&mut self, d: Reg, a: Register, function: u8) {
        match MATH_FUNCTIONS[usize::from(function)].fast {
            Some(FastForm::Sqrt) => self.unary(UnaryOp::Sqrt, d, a),
            Some(FastForm::Abs) => self.unary(UnaryOp::Abs, d, a),
            Some(FastForm::Call(call)) => self.call(d, call, a, a),
            Some(FastForm::Factor(factor)) => {
                let factor = self.float_bits(factor);
                self.float(FloatOp::Mul, d, a, factor);
            }
            Some(FastForm::Hypot) | None => unreachable!("only functions of one float are emitted"),
        }
        self.check_finite(d.into());
    }

    fn arithmetic(&mut self, operator: ArithmeticOp, d: Reg, a: Reg, b: Reg) {
        let numbers = (self.number_in_pair(a), self.number_in_pair(b));
        let (value, tag, done) = (Register::from(d), Register::from(d.wrapping_add(1)), self.label());
        let ints = |lower: &mut Self, left, right| {
            let op = match operator {
                ArithmeticOp::Add => IntOp::Add,
                ArithmeticOp::Sub => IntOp::Sub,
                ArithmeticOp::Mul => IntOp::Mul,
                ArithmeticOp::FloorDiv => IntOp::FloorDiv,
                ArithmeticOp::Mod | ArithmeticOp::Div => IntOp::Mod,
            };
            lower.emit(To::Int { op, d: value, a: left, b: right });
            lower.set(tag, Tag::Int as u64);
            lower.jump(done);
        };
        let floats = |lower: &mut Self, left, right| {
            if matches!(operator, ArithmeticOp::Div | ArithmeticOp::FloorDiv | ArithmeticOp::Mod) {
                lower.check_divisor(right);
            }
            match operator {
                ArithmeticOp::Add => lower.float(FloatOp::Add, d, left, right),
                ArithmeticOp::Sub => lower.float(FloatOp::Sub, d, left, right),
                ArithmeticOp::Mul => lower.float(FloatOp::Mul, d, left, right),
                ArithmeticOp::Div => lower.float(FloatOp::Div, d, left, right),
                ArithmeticOp::FloorDiv => lower.call(d, floor_quotient, left, right),
                ArithmeticOp::Mod => lower.call(d, floor_remainder, left, right),
            }
            lower.set(tag, Tag::Float as u64);
        };
        self.apply_to_numbers(numbers, operator != ArithmeticOp::Div, ints, floats);
        self.place_label(done);
    }
}
