//! Built-in operators, functions and methods.

use super::calls::Arguments;
use super::conditions::{Condition, IntOperand};
use super::instructions::{arithmetic_operator, compare_operator, int_operand, is_negation};
use super::values::{Location, Value};
use super::{EmitResult, Emitter, Op};
use crate::fast::op::{ArithmeticOp, CompareOp, Reg, Tag};
use crate::inference::types::{IterationSource, Kinds, Type, TypeDetail};
use crate::library::{BuiltinForm, FastForm, FastMethod, LibraryFunction, MethodRow};
use crate::machine::{BuiltinConstant, MATH_FUNCTIONS};
use crate::operators::{BinaryOperator, ComparisonOperator, UnaryOperator};

const NOT_NUMBERS: &str = "arithmetic on values that are not numbers";

impl Emitter<'_> {
    /// Restricts a value to numbers; the call is handed over for a value of another kind.
    fn require_number(&mut self, value: Value) -> EmitResult<Value> {
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
            _ => return Err("the sign of a number of several types".to_owned()),
        }
        Ok(Value::in_register(holds, d))
    }

    pub(super) fn binary(&mut self, operator: BinaryOperator) -> EmitResult<Value> {
        let (right, left) = (self.pop(), self.pop());
        let holds = self.result_type();
        if self.inference.types.constant(holds).is_some() {
            return Ok(Value::constant(holds));
        }
        if holds.kinds == Kinds::LIST {
            self.element_layout(holds)?;
            let (l, m) = (self.register(&left)?, self.register(&right)?);
            let d = self.allocate(1)?;
            self.push_op(Op::Concat { d, l, m });
            return Ok(Value::in_register(holds, d));
        }
        let (left, right) = (self.require_number(left)?, self.require_number(right)?);
        let (operator, right) = match (operator, left.kinds()) {
            (BinaryOperator::Pow, Kinds::FLOAT) => {
                let a = self.register(&left)?;
                let d = self.allocate(1)?;
                self.push_op(Op::SquareF { d, a });
                return Ok(Value::in_register(holds, d));
            }
            (BinaryOperator::Pow, kinds) if kinds.intersects(Kinds::FLOAT) => {
                return Err("the square of a number of several types".to_owned());
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
    fn constant_float(&self, value: &Value) -> Option<f64> {
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
        if self.inference.types.constant(holds).is_some() {
            return Ok(Value::constant(holds));
        }
        let condition = match operator {
            ComparisonOperator::Is | ComparisonOperator::IsNot => {
                let condition = self.identity(&left, &right)?;
                if operator == ComparisonOperator::Is { condition } else { condition.not() }
            }
            ComparisonOperator::In | ComparisonOperator::NotIn => {
                let Location::Tuple(parts) = &right.location else {
                    return self.membership(operator, &left, &right, holds);
                };
                let names: Vec<Type> = parts.iter().map(|part| part.ty).collect();
                let condition =
                    self.class_membership(&left, &names).ok_or_else(|| "`in` with these operands".to_owned())?;
                if operator == ComparisonOperator::In { condition } else { condition.not() }
            }
            _ => {
                let Some((order, swapped, denied)) = compare_operator(operator) else {
                    return Err("this comparison".to_owned());
                };
                let (left, right) = if swapped { (right, left) } else { (left, right) };
                let condition = if order == CompareOp::Eq {
                    self.equality(&left, &right)?
                } else {
                    let (left, right) = (self.require_number(left)?, self.require_number(right)?);
                    self.number_comparison(order, &left, &right)?
                };
                if denied { condition.not() } else { condition }
            }
        };
        Ok(Value { ty: holds, location: Location::Condition(Box::new(condition)) })
    }

    fn membership(
        &mut self,
        operator: ComparisonOperator,
        left: &Value,
        right: &Value,
        holds: Type,
    ) -> EmitResult<Value> {
        let Some(TypeDetail::Tuple(names)) = self.inference.types.detail(right.ty).cloned() else {
            return Err("`in` with a right side that is not a tuple".to_owned());
        };
        let condition = self.class_membership(left, &names).ok_or_else(|| "`in` with these operands".to_owned())?;
        let condition = if operator == ComparisonOperator::In { condition } else { condition.not() };
        Ok(Value { ty: holds, location: Location::Condition(Box::new(condition)) })
    }

    /// Returns the condition that a class name is one of these texts; `None` unless it is the name of an object's class and the texts are
    /// known at compile time.
    fn class_membership(&self, name: &Value, names: &[Type]) -> Option<Condition> {
        let Location::ClassName(o) = name.location else { return None };
        let mut classes = 0;
        for &name in names {
            let Some(TypeDetail::Text(place)) = self.inference.types.constant(name) else { return None };
            let text = &self.inference.types.texts[*place as usize];
            let found = self.inference.world.screen_classes.iter().position(|class| class.name == *text);
            classes |= found.map_or(0, |place| 1u64 << place);
        }
        Some(Condition::Class(o, classes))
    }

    fn identity(&mut self, left: &Value, right: &Value) -> EmitResult<Condition> {
        let value = match (left.kinds(), right.kinds()) {
            (_, Kinds::NONE) => left,
            (Kinds::NONE, _) => right,
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

    fn number_comparison(&mut self, order: CompareOp, left: &Value, right: &Value) -> EmitResult<Condition> {
        let (one, two) = (left.kinds(), right.kinds());
        if one.is_single() && two.is_single() {
            if one != Kinds::FLOAT && two != Kinds::FLOAT {
                return Ok(Condition::Ints(order, int_operand(self, left)?, int_operand(self, right)?));
            }
            return Ok(Condition::Floats(order, self.float(left)?, self.float(right)?));
        }
        Ok(Condition::Numbers(order, self.pair(left)?, self.pair(right)?))
    }

    fn equality(&mut self, left: &Value, right: &Value) -> EmitResult<Condition> {
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
    fn text_operand(&mut self, value: &Value) -> EmitResult<IntOperand> {
        match self.inference.types.constant(value.ty) {
            Some(TypeDetail::Text(place)) => Ok(IntOperand::Constant((*place).into())),
            _ => Ok(IntOperand::Register(self.register(value)?)),
        }
    }

    pub(super) fn call_builtin(
        &mut self,
        pc: usize,
        builtin: &BuiltinConstant,
        arguments: Arguments,
    ) -> EmitResult<Value> {
        let ty = self.result_type();
        if self.inference.types.constant(ty).is_some() {
            return Ok(Value::constant(ty));
        }
        let unsupported = || Err(format!("`{}` with these arguments", builtin.name));
        let Arguments { positional: mut values, keywords } = arguments;
        let Some(form) = builtin.form.filter(|_| !values.is_empty()) else { return unsupported() };
        let (count, first) = (values.len(), values.remove(0));
        let key = keywords.first().map(|(_, key)| key);
        match (form, count) {
            (BuiltinForm::IsInstance, 2) => self.is_instance(&first, values[0].ty, ty),
            (BuiltinForm::ClassOf, 1) => {
                let op = self.fallback("`type` of a value that is not an object");
                let object = self.restrict_kinds(first, Kinds::OBJECT, op)?;
                let o = self.register(&object)?;
                Ok(Value { ty, location: Location::Base(Box::new(Value::in_register(object.ty, o))) })
            }
            (BuiltinForm::Length, 1) => {
                let l = self.register(&first)?;
                let d = self.allocate(1)?;
                self.push_op(Op::Length { d, l });
                Ok(Value::in_register(ty, d))
            }
            (BuiltinForm::Absolute | BuiltinForm::ToFloat | BuiltinForm::ToInt, 1) => {
                let number = self.require_number(first)?;
                self.convert_number(builtin, form, &number, ty)
            }
            (BuiltinForm::ToBool, 1) => {
                let condition = self.truth_condition(&first)?;
                Ok(Value { ty, location: Location::Condition(Box::new(condition)) })
            }
            (BuiltinForm::Range, 1) => {
                let zero = Value::constant(self.inference.types.detailed(TypeDetail::Int(0)));
                Ok(Value { ty, location: Location::Range(Box::new([zero, first])) })
            }
            (BuiltinForm::Range, _) => Ok(Value { ty, location: Location::Range(Box::new([first, values.remove(0)])) }),
            (BuiltinForm::Enumerate, 1) => {
                let iterated = IterationSource::Enumerate(first.ty, 0);
                let iterator = self.iterator(first)?;
                let ty = self.inference.types.detailed(TypeDetail::Iterator(iterated));
                Ok(Value { ty, location: iterator.location })
            }
            (BuiltinForm::Next, 1 | 2) => self.first_of(pc, &first, values.first()),
            (BuiltinForm::Quantifier { is_any }, 1) => self.any_of(pc, &first, is_any),
            (BuiltinForm::Sum, 1) => self.sum_of(pc, first),
            (BuiltinForm::Extreme { is_max }, 1) => self.extreme_element(pc, is_max, first, key, ty),
            (BuiltinForm::Extreme { is_max }, _) => {
                values.insert(0, first);
                self.min_or_max(is_max, values, ty)
            }
            (BuiltinForm::Sorted, 1) => self.sorted(pc, &first, key, ty),
            _ => unsupported(),
        }
    }

    /// Emits `isinstance(object, class)`.
    pub(super) fn is_instance(&mut self, object: &Value, class: Type, ty: Type) -> EmitResult<Value> {
        let parts = match self.inference.types.detail(class) {
            Some(TypeDetail::Tuple(parts)) => parts.clone(),
            _ => vec![class],
        };
        let mut classes = 0;
        for part in parts {
            if let Some(TypeDetail::Class(class)) = self.inference.types.detail(part) {
                classes |= self.inference.with_subclasses(*class);
            }
        }
        let o = self.register(object)?;
        Ok(Value { ty, location: Location::Condition(Box::new(Condition::Class(o, classes))) })
    }

    fn convert_number(
        &mut self,
        builtin: &BuiltinConstant,
        form: BuiltinForm,
        number: &Value,
        holds: Type,
    ) -> EmitResult<Value> {
        if !number.kinds().is_single() {
            return Err(format!("`{}` of a number of several types", builtin.name));
        }
        let is_float = number.kinds() == Kinds::FLOAT;
        match (form, is_float) {
            (BuiltinForm::ToFloat, _) => return Ok(Value::in_register(holds, self.float(number)?)),
            (BuiltinForm::ToInt, false) => {
                return Ok(Value { ty: holds, location: Location::Register(self.register(number)?) });
            }
            _ => {}
        }
        let a = self.register(number)?;
        let d = self.allocate(1)?;
        self.push_op(match (form, is_float) {
            (BuiltinForm::ToInt, _) => Op::ToInt { d, a },
            (_, true) => Op::AbsF { d, a },
            (_, false) => Op::Abs { d, a },
        });
        Ok(Value::in_register(holds, d))
    }

    /// Emits the minimum or maximum of several numbers.
    fn min_or_max(&mut self, is_max: bool, values: Vec<Value>, holds: Type) -> EmitResult<Value> {
        let mut best: Option<Value> = None;
        for value in values {
            let value = self.require_number(value)?;
            best = Some(match best {
                None => value,
                Some(best) => self.select_extreme(is_max, &best, &value)?,
            });
        }
        let mut best = best.ok_or_else(|| "no values to compare".to_owned())?;
        if holds.kinds.is_single() {
            best.ty = holds;
        }
        Ok(best)
    }

    fn select_extreme(&mut self, is_max: bool, best: &Value, value: &Value) -> EmitResult<Value> {
        let kinds = best.kinds().union(value.kinds());
        if kinds.is_single() && kinds != Kinds::BOOL {
            let (a, b) = (self.register(best)?, self.register(value)?);
            let d = self.allocate(1)?;
            self.push_op(match (kinds == Kinds::FLOAT, is_max) {
                (true, true) => Op::MaxF { d, a, b },
                (true, false) => Op::MinF { d, a, b },
                (false, true) => Op::Max { d, a, b },
                (false, false) => Op::Min { d, a, b },
            });
            return Ok(Value::in_register(Type::of(kinds), d));
        }
        let holds = Type::of(kinds);
        let known = |value: &Value| value.kinds() != Kinds::BOOL && self.inference.types.constant(value.ty).is_some();
        let constants = (known(best), known(value));
        let pick = match constants {
            (false, true) => Some((best, value, false)),
            (true, false) => Some((value, best, true)),
            _ => None,
        };
        if let Some((number, constant, first)) = pick {
            let tag = if constant.kinds() == Kinds::FLOAT { Tag::Float } else { Tag::Int };
            let k = self.constant(&[self.constant_bits(constant.ty)?, tag as u64]);
            let op = |a: Reg, d: Reg, floats: bool| {
                if floats {
                    Op::MinMaxFloatK { is_max, is_constant_first: first, d, a, k }
                } else {
                    Op::MinMaxK { is_max, is_constant_first: first, d, a, k }
                }
            };
            let floats = number.kinds() == Kinds::FLOAT;
            let a = if floats { self.register(number)? } else { self.pair(number)? };
            let d = self.allocate(2)?;
            let op = op(a, d, floats);
            self.push_op(op);
            return Ok(Value { ty: holds, location: Location::Pair(d) });
        }
        let (a, b) = (self.pair(best)?, self.pair(value)?);
        let d = self.allocate(2)?;
        self.push_op(Op::MinMax { is_max, d, a, b });
        Ok(Value { ty: holds, location: Location::Pair(d) })
    }

    pub(super) fn call_library_function(
        &mut self,
        function: &'static LibraryFunction,
        arguments: &Arguments,
    ) -> EmitResult<Value> {
        let mut registers = Vec::new();
        for value in &arguments.positional {
            let number = self.require_number(value.clone())?;
            registers.push(self.float(&number)?);
        }
        let d = self.allocate(1)?;
        let unsupported = || format!("`{}`", function.name);
        let op = match (function.fast, registers.as_slice()) {
            (Some(FastForm::Hypot), &[a, b]) => Op::Hypot { d, a, b },
            (Some(form), &[a]) if !matches!(form, FastForm::Hypot) => {
                let index = MATH_FUNCTIONS.iter().position(|other| other == function);
                let index = index.and_then(|index| u8::try_from(index).ok());
                Op::Math { d, a, function: index.ok_or_else(unsupported)? }
            }
            _ => return Err(unsupported()),
        };
        self.push_op(op);
        Ok(Value::in_register(Type::FLOAT, d))
    }

    pub(super) fn call_method(
        &mut self,
        called: &Value,
        method: &'static MethodRow,
        arguments: &Arguments,
    ) -> EmitResult<Value> {
        let Location::Base(receiver) = &called.location else {
            return Err("a method that is not called immediately".to_owned());
        };
        let [argument] = arguments.positional.as_slice() else {
            return Err(format!("the method `{}`", method.name));
        };
        match method.fast {
            Some(FastMethod::Append) => {
                self.materialize_list_tests()?;
                let shape = self.element_layout(receiver.ty)?;
                let l = self.register(receiver)?;
                self.append(l, &shape, argument)?;
                Ok(Value::constant(Type::NONE))
            }
            Some(FastMethod::Remove) => {
                self.materialize_list_tests()?;
                let (l, a) = (self.register(receiver)?, self.register(argument)?);
                let op = self.raise("ValueError", "list.remove(x): x not in list");
                let t = self.exit_label(op).0;
                let objects = argument.kinds() == Kinds::OBJECT;
                self.push_op(if objects { Op::RemoveObject { l, a, t } } else { Op::RemoveEqual { l, a, t } });
                Ok(Value::constant(Type::NONE))
            }
            Some(form @ (FastMethod::IsOnTop | FastMethod::Distance)) => {
                let op = self.fallback("a method of a value that is not an object");
                let other = self.restrict_kinds(argument.clone(), Kinds::OBJECT, op)?;
                let (o, p) = (self.register(receiver)?, self.register(&other)?);
                if form == FastMethod::IsOnTop {
                    let location = Location::Condition(Box::new(Condition::OnTop(o, p)));
                    return Ok(Value { ty: Type::BOOL, location });
                }
                let d = self.allocate(1)?;
                self.push_op(Op::Distance { d, o, p });
                Ok(Value::in_register(Type::FLOAT, d))
            }
            None => Err(format!("the method `{}`", method.name)),
        }
    }
}
