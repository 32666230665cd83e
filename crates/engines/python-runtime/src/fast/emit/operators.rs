//! Arithmetic and comparisons.

use super::conditions::{Condition, IntOperand};
use super::instructions::{arithmetic_operator, compare_operator, int_operand, is_negation};
use super::values::{Location, Value};
use super::{EmitResult, Emitter, Op};
use crate::fast::op::{ArithmeticOp, BitOperator, CompareOp, Tag};
use crate::inference::text_functions::converted;
use crate::inference::types::{IterationSource, Kinds, Type, TypeDetail};
use crate::operators::{BinaryOperator, ComparisonOperator, UnaryOperator};

const NOT_NUMBERS: &str = "arithmetic on values that are not numbers";

impl Emitter<'_> {
    /// Restricts a value to numbers; the call is handed over for a value of another kind.
    pub(super) fn require_number(&mut self, value: Value) -> EmitResult<Value> {
        let op = self.fallback(NOT_NUMBERS);
        self.restrict_kinds(value, Kinds::NUMBER, op)
    }

    pub(super) fn unary(&mut self, operator: UnaryOperator) -> EmitResult<Value> {
        let value = self.pop();
        let holds = self.result_type();
        if operator == UnaryOperator::Not {
            let condition = self.truth_condition(&value)?.not();
            return Ok(Value { ty: holds, location: Location::Condition(Box::new(condition)) });
        }
        if self.inference.types.constant(holds).is_some() {
            return Ok(Value::constant(holds));
        }
        let value = self.require_number(value)?;
        if operator == UnaryOperator::Invert {
            let a = self.register(&value)?;
            let (d, all) = (self.allocate(1)?, self.allocate(1)?);
            self.load_bits(all, u64::MAX);
            self.push_op(Op::Bits { operator: BitOperator::Xor, d, a, b: all });
            return Ok(Value::in_register(holds, d));
        }
        if !is_negation(operator) {
            return Ok(value);
        }
        let d = self.allocate(1)?;
        match value.kinds() {
            Kinds::FLOAT => {
                let a = self.register(&value)?;
                self.push_op(Op::NegF { d, a });
            }
            kinds if kinds.is_subset(Kinds::INT.union(Kinds::BOOL)) && kinds.is_single() => {
                let a = self.register(&value)?;
                self.push_op(Op::Neg { d, a });
            }
            _ => return self.transform_any(&value, |d, a| Op::NegF { d, a }, |d, a| Op::Neg { d, a }, holds),
        }
        Ok(Value::in_register(holds, d))
    }

    pub(super) fn binary(&mut self, operator: BinaryOperator, is_in_place: bool) -> EmitResult<Value> {
        let (right, left) = (self.pop(), self.pop());
        let holds = self.result_type();
        if let Some(value) = self.special_binary(operator, &left, &right, is_in_place)? {
            return Ok(value);
        }
        if self.inference.types.constant(holds).is_some() {
            return Ok(Value::constant(holds));
        }
        if holds.kinds == Kinds::LIST && right.kinds() != Kinds::LIST && operator == BinaryOperator::Mult {
            return self.repeat(&left, &right, holds);
        }
        if self.inference.types.is_table(holds) {
            return self.set_operation(operator, &left, &right, holds);
        }
        if holds.kinds == Kinds::LIST && is_in_place {
            self.materialize_list_tests()?;
            self.extend(&left, right)?;
            return Ok(left);
        }
        if holds.kinds == Kinds::LIST {
            let shape = self.element_layout(holds)?;
            for part in [&left, &right] {
                let element = self.inference.types.element(part.ty);
                if !element.is_never() && self.element_layout(part.ty)? != shape {
                    return Err("a list of values of several types".to_owned());
                }
            }
            let (l, m) = (self.register(&left)?, self.register(&right)?);
            let d = self.allocate(1)?;
            self.push_op(Op::Concat { d, l, m });
            return Ok(Value::in_register(holds, d));
        }
        let (left, right) = (self.require_number(left)?, self.require_number(right)?);
        let is_square = self.inference.types.int(right.ty) == Some(2);
        let (operator, right) = match (operator, left.kinds()) {
            (BinaryOperator::Pow, _) if !is_square => return self.power(&left, &right, holds),
            (
                BinaryOperator::BitAnd
                | BinaryOperator::BitOr
                | BinaryOperator::BitXor
                | BinaryOperator::LShift
                | BinaryOperator::RShift,
                _,
            ) => return self.bits(operator, &left, &right, holds),
            (BinaryOperator::Pow, Kinds::FLOAT) => {
                let a = self.register(&left)?;
                let d = self.allocate(1)?;
                self.push_op(Op::SquareF { d, a });
                return Ok(Value::in_register(holds, d));
            }
            (BinaryOperator::Pow, kinds) if kinds.intersects(Kinds::FLOAT) => {
                let square = |d, a| Op::Mul { d, a, b: a };
                return self.transform_any(&left, |d, a| Op::SquareF { d, a }, square, holds);
            }
            (BinaryOperator::Pow, _) => (BinaryOperator::Mult, left.clone()),
            _ => (operator, right),
        };
        let Some(operator) = arithmetic_operator(operator) else { return Err("this operator".to_owned()) };
        let whole = |value: &Value| value.kinds().is_single() && value.kinds() != Kinds::FLOAT;
        if whole(&left) && whole(&right) && operator != ArithmeticOp::Div {
            return self.int_arithmetic(operator, &left, &right, holds);
        }
        if left.kinds().is_single() && right.kinds().is_single() {
            return self.float_arithmetic(operator, &left, &right, holds);
        }
        let (a, b) = (self.pair(&left)?, self.pair(&right)?);
        let d = self.allocate(2)?;
        self.push_op(Op::Arith { operator, d, a, b });
        let at = if holds.kinds.is_single() { Location::Register(d) } else { Location::Pair(d) };
        Ok(Value { ty: holds, location: at })
    }

    fn power(&mut self, base: &Value, exponent: &Value, holds: Type) -> EmitResult<Value> {
        let is_int = holds.kinds == Kinds::INT;
        let (a, b) = if is_int {
            (self.register(base)?, self.register(exponent)?)
        } else {
            (self.float(base)?, self.float(exponent)?)
        };
        let d = self.allocate(1)?;
        self.push_op(if is_int { Op::PowInt { d, a, b } } else { Op::PowF { d, a, b } });
        Ok(Value::in_register(holds, d))
    }

    fn bits(&mut self, operator: BinaryOperator, left: &Value, right: &Value, holds: Type) -> EmitResult<Value> {
        let operator = match operator {
            BinaryOperator::BitAnd => BitOperator::And,
            BinaryOperator::BitOr => BitOperator::Or,
            BinaryOperator::BitXor => BitOperator::Xor,
            BinaryOperator::LShift => BitOperator::ShiftLeft,
            _ => BitOperator::ShiftRight,
        };
        let whole = |emitter: &mut Self, value: &Value| {
            if value.kinds().is_single() { emitter.register(value) } else { emitter.pair(value) }
        };
        let (a, b) = (whole(self, left)?, whole(self, right)?);
        let d = self.allocate(1)?;
        self.push_op(Op::Bits { operator, d, a, b });
        Ok(Value::in_register(holds, d))
    }

    /// Emits the repetition of a list.
    fn repeat(&mut self, list: &Value, count: &Value, holds: Type) -> EmitResult<Value> {
        self.require_same_layout(list.ty, holds)?;
        let (l, b) = (self.register(list)?, self.register(count)?);
        let d = self.allocate(1)?;
        self.push_op(Op::NewList { d });
        let range = self.allocate(3)?;
        self.load_bits(range, 0);
        self.push_op(Op::Move { d: range + 1, a: b });
        self.load_bits(range + 2, 1);
        let ty = self.inference.types.detailed(TypeDetail::Iterator(IterationSource::Range(1)));
        let iterator = Value { ty, location: Location::Iterator(range) };
        self.for_each(&iterator, |emitter, _| emitter.append_words(d, l))?;
        Ok(Value::in_register(holds, d))
    }

    fn int_arithmetic(
        &mut self,
        operator: ArithmeticOp,
        left: &Value,
        right: &Value,
        holds: Type,
    ) -> EmitResult<Value> {
        let constant = |emitter: &Self, value: &Value| {
            emitter.inference.types.int(value.ty).and_then(|number| i16::try_from(number).ok())
        };
        let d = self.allocate(1)?;
        let op = match (operator, &left.location, &right.location) {
            (ArithmeticOp::Add, &Location::Field(o, f), &Location::Field(p, g)) => Op::AddFields { d, o, f, p, g },
            (ArithmeticOp::Sub, &Location::Field(o, f), &Location::Field(p, g)) => Op::SubFields { d, o, f, p, g },
            (ArithmeticOp::Add, _, &Location::Field(o, f)) => Op::AddField { d, a: self.register(left)?, o, f },
            (ArithmeticOp::Add, &Location::Field(o, f), _) if constant(self, right).is_none() => {
                Op::AddField { d, a: self.register(right)?, o, f }
            }
            (ArithmeticOp::Sub, _, &Location::Field(o, f)) => Op::SubField { d, a: self.register(left)?, o, f },
            _ => {
                if let (ArithmeticOp::Add, Some(k)) = (operator, constant(self, right)) {
                    Op::AddK { d, a: self.register(left)?, k }
                } else if let (ArithmeticOp::Sub, Some(k)) =
                    (operator, constant(self, right).and_then(i16::checked_neg))
                {
                    Op::AddK { d, a: self.register(left)?, k }
                } else {
                    let (a, b) = (self.register(left)?, self.register(right)?);
                    match operator {
                        ArithmeticOp::Add => Op::Add { d, a, b },
                        ArithmeticOp::Sub => Op::Sub { d, a, b },
                        ArithmeticOp::Mul => Op::Mul { d, a, b },
                        ArithmeticOp::FloorDiv => Op::FloorDiv { d, a, b },
                        ArithmeticOp::Mod | ArithmeticOp::Div => Op::Mod { d, a, b },
                    }
                }
            }
        };
        self.push_op(op);
        Ok(Value::in_register(holds, d))
    }

    /// Returns a number that is known at compile time as a float, if that is exact.
    pub(super) fn constant_float(&self, value: &Value) -> Option<f64> {
        match self.inference.types.constant(value.ty)? {
            TypeDetail::Float(bits) => Some(f64::from_bits(*bits)),
            TypeDetail::Int(number) if number.unsigned_abs() <= 1 << 53 => Some(*number as f64),
            _ => None,
        }
    }

    fn float_arithmetic(
        &mut self,
        operator: ArithmeticOp,
        left: &Value,
        right: &Value,
        holds: Type,
    ) -> EmitResult<Value> {
        let (known_left, known_right) = (self.constant_float(left), self.constant_float(right));
        let commutes = matches!(operator, ArithmeticOp::Add | ArithmeticOp::Mul);
        let (d, op) = match (known_left, known_right) {
            (Some(number), None) if commutes => {
                let (a, k) = (self.float(right)?, self.constant(&[number.to_bits()]));
                let d = self.allocate(1)?;
                (d, if operator == ArithmeticOp::Add { Op::AddFK { d, a, k } } else { Op::MulFK { d, a, k } })
            }
            (None, Some(number)) if !matches!(operator, ArithmeticOp::FloorDiv | ArithmeticOp::Mod) => {
                let (a, k) = (self.float(left)?, self.constant(&[number.to_bits()]));
                let d = self.allocate(1)?;
                let op = match operator {
                    ArithmeticOp::Add => Op::AddFK { d, a, k },
                    ArithmeticOp::Sub => Op::SubFK { d, a, k },
                    ArithmeticOp::Mul => Op::MulFK { d, a, k },
                    _ => Op::DivFK { d, a, k },
                };
                (d, op)
            }
            _ => {
                let (a, b) = (self.float(left)?, self.float(right)?);
                let d = self.allocate(1)?;
                let op = match operator {
                    ArithmeticOp::Add => Op::AddF { d, a, b },
                    ArithmeticOp::Sub => Op::SubF { d, a, b },
                    ArithmeticOp::Mul => Op::MulF { d, a, b },
                    ArithmeticOp::Div => Op::DivF { d, a, b },
                    ArithmeticOp::FloorDiv => Op::FloorDivF { d, a, b },
                    ArithmeticOp::Mod => Op::ModF { d, a, b },
                };
                (d, op)
            }
        };
        self.push_op(op);
        Ok(Value::in_register(holds, d))
    }

    pub(super) fn compare(&mut self, operator: ComparisonOperator) -> EmitResult<Value> {
        let (right, left) = (self.pop(), self.pop());
        let holds = self.result_type();
        if let Some(value) = self.special_comparison(operator, &left, &right)? {
            return Ok(value);
        }
        if self.inference.types.constant(holds).is_some() {
            return Ok(Value::constant(holds));
        }
        let condition = match operator {
            ComparisonOperator::Is | ComparisonOperator::IsNot => {
                let condition = self.identity(&left, &right)?;
                if operator == ComparisonOperator::Is { condition } else { condition.not() }
            }
            ComparisonOperator::In | ComparisonOperator::NotIn if self.searched_table(&right).is_some() => {
                let table = self.searched_table(&right).unwrap_or(right);
                let found = self.table_contains(&table, &left)?;
                let condition = self.truth_condition(&found)?;
                if operator == ComparisonOperator::In { condition } else { condition.not() }
            }
            ComparisonOperator::In | ComparisonOperator::NotIn if right.kinds() == Kinds::RECORD => {
                let found = self.dict_contains(&right, &left)?;
                let condition = self.truth_condition(&found)?;
                if operator == ComparisonOperator::In { condition } else { condition.not() }
            }
            ComparisonOperator::In | ComparisonOperator::NotIn
                if left.kinds() == Kinds::TEXT && right.kinds() == Kinds::TEXT =>
            {
                let found = self.part_of_text(&left, &right)?;
                let condition = self.truth_condition(&found)?;
                if operator == ComparisonOperator::In { condition } else { condition.not() }
            }
            ComparisonOperator::In | ComparisonOperator::NotIn => {
                let condition = if let Some(condition) = self.class_condition(&left, &right) {
                    condition
                } else {
                    let found = self.contains(&right, &left)?;
                    self.truth_condition(&found)?
                };
                if operator == ComparisonOperator::In { condition } else { condition.not() }
            }
            _ => {
                let Some((order, swapped, denied)) = compare_operator(operator) else {
                    return Err("this comparison".to_owned());
                };
                let (left, right) = if swapped { (right, left) } else { (left, right) };
                let condition = if order == CompareOp::Eq {
                    self.equality_of(&left, &right)?
                } else if let (Some(TypeDetail::Tuple(_)), Some(TypeDetail::Tuple(_))) =
                    (self.inference.types.detail(left.ty), self.inference.types.detail(right.ty))
                {
                    self.tuple_order(order, left, right)?
                } else if left.kinds() == Kinds::TEXT && right.kinds() == Kinds::TEXT {
                    self.number_comparison(order, &left, &right)?
                } else {
                    let (left, right) = (self.require_number(left)?, self.require_number(right)?);
                    self.number_comparison(order, &left, &right)?
                };
                if denied { condition.not() } else { condition }
            }
        };
        Ok(Value { ty: holds, location: Location::Condition(Box::new(condition)) })
    }

    /// Returns the condition that the name of an object's class is one of the texts of a tuple.
    fn class_condition(&self, name: &Value, texts: &Value) -> Option<Condition> {
        let names: Vec<Type> = match (&texts.location, self.inference.types.detail(texts.ty)) {
            (Location::Tuple(parts), _) => parts.iter().map(|part| part.ty).collect(),
            (_, Some(TypeDetail::Tuple(parts))) => parts.clone(),
            _ => return None,
        };
        self.class_membership(name, &names)
    }

    /// Returns the condition that a class name is one of these texts; `None` unless it is the name of an object's class and the texts are
    /// known at compile time.
    pub(super) fn class_membership(&self, name: &Value, names: &[Type]) -> Option<Condition> {
        let Location::ClassName(o, conversions) = &name.location else { return None };
        let mut texts = Vec::new();
        for &name in names {
            let Some(TypeDetail::Text(place)) = self.inference.types.constant(name) else { return None };
            texts.push(&*self.inference.types.texts[*place as usize]);
        }
        let mut classes = 0;
        for (place, class) in self.inference.world.screen_classes.iter().enumerate() {
            let is_one = texts.contains(&&*converted(&class.name, conversions)?);
            classes |= u64::from(is_one) << place;
        }
        Some(Condition::Class(*o, classes))
    }

    /// Returns the condition that two values are equal.
    fn equality_of(&mut self, left: &Value, right: &Value) -> EmitResult<Condition> {
        if self.inference.are_enum_members([left.ty, right.ty]) {
            return self.identity(left, right);
        }
        if let Ok(condition) = self.equality(left, right) {
            return Ok(condition);
        }
        let d = self.allocate(1)?;
        let (other, end) = (self.label(), self.label());
        self.branch_unless_values_equal(left, right, other)?;
        self.load_bits(d, 1);
        self.jump(end);
        self.place_label(other);
        self.load_bits(d, 0);
        self.place_label(end);
        Ok(Condition::NotZero(d))
    }

    /// Returns the condition that a tuple of numbers precedes another one.
    fn tuple_order(&mut self, order: CompareOp, left: Value, right: Value) -> EmitResult<Condition> {
        let left = if left.location == Location::Constant { self.constant_value(left.ty)? } else { left };
        let right = if right.location == Location::Constant { self.constant_value(right.ty)? } else { right };
        let d = self.allocate(1)?;
        let (less, other, end) = (self.label(), self.label(), self.label());
        // `a <= b` is the negation of `b < a` if no part is a NaN.
        let is_less = order == CompareOp::Lt;
        let (one, two) = if is_less { (&left, &right) } else { (&right, &left) };
        for value in [one, two] {
            self.reject_nan(value)?;
        }
        self.branch_less(one, two, less, other)?;
        self.place_label(less);
        self.load_bits(d, is_less.into());
        self.jump(end);
        self.place_label(other);
        self.load_bits(d, (!is_less).into());
        self.place_label(end);
        Ok(Condition::NotZero(d))
    }

    /// Hands the call over if a part of a tuple is a NaN.
    fn reject_nan(&mut self, tuple: &Value) -> EmitResult<()> {
        let Location::Tuple(parts) = &tuple.location else { return Ok(()) };
        let op = self.fallback("numbers without an order");
        let exit = self.exit_label(op);
        for part in parts {
            if part.kinds() == Kinds::FLOAT {
                let a = self.register(part)?;
                self.branch(&Condition::Floats(CompareOp::Eq, a, a), false, exit);
            } else if part.kinds().intersects(Kinds::FLOAT) {
                return Err("an order of numbers of several types".to_owned());
            }
        }
        Ok(())
    }

    pub(super) fn identity(&mut self, left: &Value, right: &Value) -> EmitResult<Condition> {
        let value = match (left.kinds(), right.kinds()) {
            (_, Kinds::NONE) => left,
            (Kinds::NONE, _) => right,
            (Kinds::DETAILED, Kinds::DETAILED) => return self.class_identity(left, right),
            _ => {
                let (a, b) = (self.register(left)?, self.register(right)?);
                let (a, b) = (IntOperand::Register(a), IntOperand::Register(b));
                return Ok(Condition::Ints(CompareOp::Eq, a, b));
            }
        };
        match value.location {
            Location::Pair(a) => Ok(Condition::IsTag(a, Tag::None)),
            _ => Ok(Condition::None(self.register(value)?)),
        }
    }

    /// Returns the condition that the class of an object is a class.
    fn class_identity(&mut self, left: &Value, right: &Value) -> EmitResult<Condition> {
        let (object, class) = match &left.location {
            Location::Base(object) => (object, right),
            _ => match &right.location {
                Location::Base(object) => (object, left),
                _ => return Err("`is` with these operands".to_owned()),
            },
        };
        let Some(TypeDetail::Class(class)) = self.inference.types.detail(class.ty) else {
            return Err("`is` with these operands".to_owned());
        };
        let classes = 1 << class;
        Ok(Condition::Class(self.register(object)?, classes))
    }

    pub(super) fn number_comparison(&mut self, order: CompareOp, left: &Value, right: &Value) -> EmitResult<Condition> {
        if order != CompareOp::Eq && left.kinds() == Kinds::TEXT && right.kinds() == Kinds::TEXT {
            let (one, two) = (self.text_rank(left)?, self.text_rank(right)?);
            return Ok(Condition::Ints(order, IntOperand::Register(one), IntOperand::Register(two)));
        }
        let (one, two) = (left.kinds(), right.kinds());
        if one.is_single() && two.is_single() {
            if one != Kinds::FLOAT && two != Kinds::FLOAT {
                return Ok(Condition::Ints(order, int_operand(self, left)?, int_operand(self, right)?));
            }
            return Ok(Condition::Floats(order, self.float(left)?, self.float(right)?));
        }
        Ok(Condition::Numbers(order, self.pair(left)?, self.pair(right)?))
    }

    pub(super) fn equality(&mut self, left: &Value, right: &Value) -> EmitResult<Condition> {
        for (name, other) in [(left, right), (right, left)] {
            if let Some(condition) = self.class_membership(name, &[other.ty]) {
                return Ok(condition);
            }
        }
        let (one, two) = (left.kinds(), right.kinds());
        if one.is_subset(Kinds::NUMBER) && two.is_subset(Kinds::NUMBER) {
            return self.number_comparison(CompareOp::Eq, left, right);
        }
        let maybe = |kind: Kinds| kind.union(Kinds::NONE);
        for (kind, objects) in [(Kinds::TEXT, false), (Kinds::OBJECT, true)] {
            if one.is_subset(maybe(kind)) && two.is_subset(maybe(kind)) {
                if !objects {
                    let (one, two) = (self.text_operand(left)?, self.text_operand(right)?);
                    return Ok(Condition::Ints(CompareOp::Eq, one, two));
                }
                let (a, b) = (self.register(left)?, self.register(right)?);
                return Ok(Condition::EqualObjects(a, b));
            }
        }
        Err("equality of values of several types".to_owned())
    }

    /// Returns a text as an operand of a comparison, by its index.
    pub(super) fn text_operand(&mut self, value: &Value) -> EmitResult<IntOperand> {
        match self.inference.types.constant(value.ty) {
            Some(TypeDetail::Text(place)) => Ok(IntOperand::Constant((*place).into())),
            _ => Ok(IntOperand::Register(self.register(value)?)),
        }
    }
}
