//! Built-in operators, functions and methods.

use ruff_python_ast::{CmpOp, Operator, UnaryOp};

use super::calls::Arguments;
use super::conditions::{Condition, Int};
use super::steps::{arithmetic, int, negates, order};
use super::values::{Place, Value};
use super::{Emitter, Laid, Op};
use crate::code::Symbol;
use crate::fast::op::{Arith, Order, R, Tag};
use crate::typed::calls::MATH;
use crate::typed::types::{Iterated, Kinds, Thing, Type};

const NOT_NUMBERS: &str = "arithmetic on values that are not numbers";

impl Emitter<'_> {
    /// Restricts a value to numbers; the call is handed over for a value of another kind.
    fn numeric(&mut self, value: Value) -> Laid<Value> {
        let op = self.hand_over(NOT_NUMBERS);
        self.only(value, Kinds::NUMBER, op)
    }

    pub(super) fn unary(&mut self, operator: UnaryOp) -> Laid<Value> {
        let value = self.pop();
        let holds = self.leaves();
        if operator == UnaryOp::Not {
            let condition = self.truth(&value)?.not();
            return Ok(Value { holds, at: Place::Condition(Box::new(condition)) });
        }
        if self.types.types.constant(holds).is_some() {
            return Ok(Value::known(holds));
        }
        let value = self.numeric(value)?;
        if !negates(operator) {
            return Ok(value);
        }
        let d = self.room(1)?;
        match value.kinds() {
            Kinds::FLOAT => {
                let a = self.register(&value)?;
                self.op(Op::NegF { d, a });
            }
            kinds if kinds.within(Kinds::INT.with(Kinds::BOOL)) && kinds.is_one() => {
                let a = self.register(&value)?;
                self.op(Op::Neg { d, a });
            }
            _ => return Err("the sign of a number of several types".to_owned()),
        }
        Ok(Value::one(holds, d))
    }

    pub(super) fn binary(&mut self, operator: Operator) -> Laid<Value> {
        let (right, left) = (self.pop(), self.pop());
        let holds = self.leaves();
        if self.types.types.constant(holds).is_some() {
            return Ok(Value::known(holds));
        }
        if holds.kinds == Kinds::LIST {
            self.element_shape(holds)?;
            let (l, m) = (self.register(&left)?, self.register(&right)?);
            let d = self.room(1)?;
            self.op(Op::Concat { d, l, m });
            return Ok(Value::one(holds, d));
        }
        let (left, right) = (self.numeric(left)?, self.numeric(right)?);
        let (operator, right) = match (operator, left.kinds()) {
            (Operator::Pow, Kinds::FLOAT) => {
                let a = self.register(&left)?;
                let d = self.room(1)?;
                self.op(Op::SquareF { d, a });
                return Ok(Value::one(holds, d));
            }
            (Operator::Pow, kinds) if kinds.has(Kinds::FLOAT) => {
                return Err("the square of a number of several types".to_owned());
            }
            (Operator::Pow, _) => (Operator::Mult, left.clone()),
            _ => (operator, right),
        };
        let Some(operator) = arithmetic(operator) else { return Err("this operator".to_owned()) };
        let whole = |value: &Value| value.kinds().is_one() && value.kinds() != Kinds::FLOAT;
        if whole(&left) && whole(&right) && operator != Arith::Div {
            return self.whole_numbers(operator, &left, &right, holds);
        }
        if left.kinds().is_one() && right.kinds().is_one() {
            return self.floats(operator, &left, &right, holds);
        }
        let (a, b) = (self.pair(&left)?, self.pair(&right)?);
        let d = self.room(2)?;
        self.op(Op::Arith { operator, d, a, b });
        let at = if holds.kinds.is_one() { Place::One(d) } else { Place::Pair(d) };
        Ok(Value { holds, at })
    }

    fn whole_numbers(&mut self, operator: Arith, left: &Value, right: &Value, holds: Type) -> Laid<Value> {
        let constant = |emitter: &Self, value: &Value| {
            emitter.types.types.int(value.holds).and_then(|number| i16::try_from(number).ok())
        };
        let d = self.room(1)?;
        let op = match (operator, &left.at, &right.at) {
            (Arith::Add, &Place::Field(o, f), &Place::Field(p, g)) => Op::AddFields { d, o, f, p, g },
            (Arith::Sub, &Place::Field(o, f), &Place::Field(p, g)) => Op::SubFields { d, o, f, p, g },
            (Arith::Add, _, &Place::Field(o, f)) => Op::AddField { d, a: self.register(left)?, o, f },
            (Arith::Add, &Place::Field(o, f), _) if constant(self, right).is_none() => {
                Op::AddField { d, a: self.register(right)?, o, f }
            }
            (Arith::Sub, _, &Place::Field(o, f)) => Op::SubField { d, a: self.register(left)?, o, f },
            _ => {
                if let (Arith::Add, Some(k)) = (operator, constant(self, right)) {
                    Op::AddK { d, a: self.register(left)?, k }
                } else if let (Arith::Sub, Some(k)) = (operator, constant(self, right).and_then(i16::checked_neg)) {
                    Op::AddK { d, a: self.register(left)?, k }
                } else {
                    let (a, b) = (self.register(left)?, self.register(right)?);
                    match operator {
                        Arith::Add => Op::Add { d, a, b },
                        Arith::Sub => Op::Sub { d, a, b },
                        Arith::Mul => Op::Mul { d, a, b },
                        Arith::FloorDiv => Op::FloorDiv { d, a, b },
                        Arith::Mod | Arith::Div => Op::Mod { d, a, b },
                    }
                }
            }
        };
        self.op(op);
        Ok(Value::one(holds, d))
    }

    /// Returns a number that is known at compile time as a float, if that is exact.
    fn known_float(&self, value: &Value) -> Option<f64> {
        match self.types.types.constant(value.holds)? {
            Thing::Float(bits) => Some(f64::from_bits(*bits)),
            Thing::Int(number) if number.unsigned_abs() <= 1 << 53 => Some(*number as f64),
            _ => None,
        }
    }

    fn floats(&mut self, operator: Arith, left: &Value, right: &Value, holds: Type) -> Laid<Value> {
        let (known_left, known_right) = (self.known_float(left), self.known_float(right));
        let commutes = matches!(operator, Arith::Add | Arith::Mul);
        let (d, op) = match (known_left, known_right) {
            (Some(number), None) if commutes => {
                let (a, k) = (self.float(right)?, self.constant(&[number.to_bits()]));
                let d = self.room(1)?;
                (d, if operator == Arith::Add { Op::AddFK { d, a, k } } else { Op::MulFK { d, a, k } })
            }
            (None, Some(number)) if !matches!(operator, Arith::FloorDiv | Arith::Mod) => {
                let (a, k) = (self.float(left)?, self.constant(&[number.to_bits()]));
                let d = self.room(1)?;
                let op = match operator {
                    Arith::Add => Op::AddFK { d, a, k },
                    Arith::Sub => Op::SubFK { d, a, k },
                    Arith::Mul => Op::MulFK { d, a, k },
                    _ => Op::DivFK { d, a, k },
                };
                (d, op)
            }
            _ => {
                let (a, b) = (self.float(left)?, self.float(right)?);
                let d = self.room(1)?;
                let op = match operator {
                    Arith::Add => Op::AddF { d, a, b },
                    Arith::Sub => Op::SubF { d, a, b },
                    Arith::Mul => Op::MulF { d, a, b },
                    Arith::Div => Op::DivF { d, a, b },
                    Arith::FloorDiv => Op::FloorDivF { d, a, b },
                    Arith::Mod => Op::ModF { d, a, b },
                };
                (d, op)
            }
        };
        self.op(op);
        Ok(Value::one(holds, d))
    }

    pub(super) fn compare(&mut self, operator: CmpOp) -> Laid<Value> {
        let (right, left) = (self.pop(), self.pop());
        let holds = self.leaves();
        if self.types.types.constant(holds).is_some() {
            return Ok(Value::known(holds));
        }
        let condition = match operator {
            CmpOp::Is | CmpOp::IsNot => {
                let condition = self.identity(&left, &right)?;
                if operator == CmpOp::Is { condition } else { condition.not() }
            }
            CmpOp::In | CmpOp::NotIn => {
                let Place::Parts(parts) = &right.at else {
                    return self.among_known(operator, &left, &right, holds);
                };
                let names: Vec<Type> = parts.iter().map(|part| part.holds).collect();
                let condition = self.class_among(&left, &names).ok_or_else(|| "`in` with these operands".to_owned())?;
                if operator == CmpOp::In { condition } else { condition.not() }
            }
            _ => {
                let Some((order, swapped, denied)) = order(operator) else { return Err("this comparison".to_owned()) };
                let (left, right) = if swapped { (right, left) } else { (left, right) };
                let condition = if order == Order::Eq {
                    self.equal(&left, &right)?
                } else {
                    let (left, right) = (self.numeric(left)?, self.numeric(right)?);
                    self.numbers(order, &left, &right)?
                };
                if denied { condition.not() } else { condition }
            }
        };
        Ok(Value { holds, at: Place::Condition(Box::new(condition)) })
    }

    fn among_known(&mut self, operator: CmpOp, left: &Value, right: &Value, holds: Type) -> Laid<Value> {
        let Some(Thing::Tuple(names)) = self.types.types.detail(right.holds).cloned() else {
            return Err("`in` with a right side that is not a tuple".to_owned());
        };
        let condition = self.class_among(left, &names).ok_or_else(|| "`in` with these operands".to_owned())?;
        let condition = if operator == CmpOp::In { condition } else { condition.not() };
        Ok(Value { holds, at: Place::Condition(Box::new(condition)) })
    }

    /// Returns the condition that a class name is one of these texts; `None` unless it is the name of an object's class and the texts are
    /// known at compile time.
    fn class_among(&self, name: &Value, names: &[Type]) -> Option<Condition> {
        let Place::ClassName(o) = name.at else { return None };
        let mut classes = 0;
        for &name in names {
            let Some(Thing::Text(place)) = self.types.types.constant(name) else { return None };
            let text = &self.types.types.texts[*place as usize];
            let found = self.types.world.classes.iter().position(|class| class.name == *text);
            classes |= found.map_or(0, |place| 1u64 << place);
        }
        Some(Condition::Class(o, classes))
    }

    fn identity(&mut self, left: &Value, right: &Value) -> Laid<Condition> {
        let value = match (left.kinds(), right.kinds()) {
            (_, Kinds::NONE) => left,
            (Kinds::NONE, _) => right,
            _ => {
                let (a, b) = (self.register(left)?, self.register(right)?);
                let (a, b) = (Int::Register(a), Int::Register(b));
                return Ok(Condition::Ints(Order::Eq, a, b));
            }
        };
        match value.at {
            Place::Pair(a) => Ok(Condition::IsTag(a, Tag::None)),
            _ => Ok(Condition::None(self.register(value)?)),
        }
    }

    fn numbers(&mut self, order: Order, left: &Value, right: &Value) -> Laid<Condition> {
        let (one, two) = (left.kinds(), right.kinds());
        if one.is_one() && two.is_one() {
            if one != Kinds::FLOAT && two != Kinds::FLOAT {
                return Ok(Condition::Ints(order, int(self, left)?, int(self, right)?));
            }
            return Ok(Condition::Floats(order, self.float(left)?, self.float(right)?));
        }
        Ok(Condition::Any(order, self.pair(left)?, self.pair(right)?))
    }

    fn equal(&mut self, left: &Value, right: &Value) -> Laid<Condition> {
        for (name, other) in [(left, right), (right, left)] {
            if let Some(condition) = self.class_among(name, &[other.holds]) {
                return Ok(condition);
            }
        }
        let (one, two) = (left.kinds(), right.kinds());
        if one.within(Kinds::NUMBER) && two.within(Kinds::NUMBER) {
            return self.numbers(Order::Eq, left, right);
        }
        let maybe = |kind: Kinds| kind.with(Kinds::NONE);
        for (kind, objects) in [(Kinds::TEXT, false), (Kinds::OBJECT, true)] {
            if one.within(maybe(kind)) && two.within(maybe(kind)) {
                if !objects {
                    let (one, two) = (self.text(left)?, self.text(right)?);
                    return Ok(Condition::Ints(Order::Eq, one, two));
                }
                let (a, b) = (self.register(left)?, self.register(right)?);
                return Ok(Condition::Same(a, b));
            }
        }
        Err("equality of values of several types".to_owned())
    }

    /// Returns a text as an operand of a comparison, by its index.
    fn text(&mut self, value: &Value) -> Laid<Int> {
        match self.types.types.constant(value.holds) {
            Some(Thing::Text(place)) => Ok(Int::Known((*place).into())),
            _ => Ok(Int::Register(self.register(value)?)),
        }
    }

    pub(super) fn call_builtin(&mut self, pc: usize, name: &str, arguments: Arguments) -> Laid<Value> {
        let holds = self.leaves();
        if self.types.types.constant(holds).is_some() {
            return Ok(Value::known(holds));
        }
        let Arguments { mut places, named } = arguments;
        match (name, places.len()) {
            ("isinstance", 2) => {
                let class = places[1].holds;
                let parts = match self.types.types.detail(class) {
                    Some(Thing::Tuple(parts)) => parts.clone(),
                    _ => vec![class],
                };
                let mut classes = 0;
                for part in parts {
                    if let Some(Thing::Class(class)) = self.types.types.detail(part) {
                        classes |= self.types.with_subclasses(*class);
                    }
                }
                let o = self.register(&places[0])?;
                Ok(Value { holds, at: Place::Condition(Box::new(Condition::Class(o, classes))) })
            }
            ("type", 1) => {
                let op = self.hand_over("`type` of a value that is not an object");
                let object = self.only(places.remove(0), Kinds::OBJECT, op)?;
                let o = self.register(&object)?;
                Ok(Value { holds, at: Place::On(Box::new(Value::one(object.holds, o))) })
            }
            ("len", 1) => {
                let l = self.register(&places[0])?;
                let d = self.room(1)?;
                self.op(Op::Length { d, l });
                Ok(Value::one(holds, d))
            }
            ("abs" | "float" | "int", 1) => {
                let number = self.numeric(places.remove(0))?;
                self.converted(name, &number, holds)
            }
            ("bool", 1) => {
                let condition = self.truth(&places[0])?;
                Ok(Value { holds, at: Place::Condition(Box::new(condition)) })
            }
            ("range", 1) => {
                let zero = Value::known(self.types.types.thing(Thing::Int(0)));
                Ok(Value { holds, at: Place::Range(Box::new([zero, places.remove(0)])) })
            }
            ("range", _) => Ok(Value { holds, at: Place::Range(Box::new([places.remove(0), places.remove(0)])) }),
            ("enumerate", 1) => {
                let list = places.remove(0);
                let iterated = Iterated::Enumerated(list.holds, 0);
                let iterator = self.iterator(list)?;
                Ok(Value { holds: self.types.types.thing(Thing::Iterator(iterated)), at: iterator.at })
            }
            ("next", 1 | 2) => self.first_of(pc, &places[0], places.get(1)),
            ("any" | "all", 1) => self.any_of(pc, &places[0], name == "any"),
            ("sum", 1) => self.sum_of(pc, places.remove(0)),
            ("min" | "max", 2..) => self.extreme_of(name == "max", places, holds),
            ("min" | "max", 1) => {
                let key = named.first().map(|(_, key)| key.clone());
                self.extreme_element(pc, name == "max", places.remove(0), key.as_ref(), holds)
            }
            ("sorted", 1) => {
                let key = named.first().map(|(_, key)| key.clone());
                self.sorted(pc, &places[0], key.as_ref(), holds)
            }
            _ => Err(format!("`{name}` with these arguments")),
        }
    }

    fn converted(&mut self, name: &str, number: &Value, holds: Type) -> Laid<Value> {
        if !number.kinds().is_one() {
            return Err(format!("`{name}` of a number of several types"));
        }
        let is_float = number.kinds() == Kinds::FLOAT;
        match (name, is_float) {
            ("float", _) => return Ok(Value::one(holds, self.float(number)?)),
            ("int", false) => return Ok(Value { holds, at: Place::One(self.register(number)?) }),
            _ => {}
        }
        let a = self.register(number)?;
        let d = self.room(1)?;
        self.op(match (name, is_float) {
            ("int", _) => Op::ToInt { d, a },
            (_, true) => Op::AbsF { d, a },
            (_, false) => Op::Abs { d, a },
        });
        Ok(Value::one(holds, d))
    }

    /// Emits the minimum or maximum of several numbers.
    fn extreme_of(&mut self, greatest: bool, values: Vec<Value>, holds: Type) -> Laid<Value> {
        let mut best: Option<Value> = None;
        for value in values {
            let value = self.numeric(value)?;
            best = Some(match best {
                None => value,
                Some(best) => self.better(greatest, &best, &value)?,
            });
        }
        let mut best = best.ok_or_else(|| "no values to compare".to_owned())?;
        if holds.kinds.is_one() {
            best.holds = holds;
        }
        Ok(best)
    }

    fn better(&mut self, greatest: bool, best: &Value, value: &Value) -> Laid<Value> {
        let kinds = best.kinds().with(value.kinds());
        if kinds.is_one() && kinds != Kinds::BOOL {
            let (a, b) = (self.register(best)?, self.register(value)?);
            let d = self.room(1)?;
            self.op(match (kinds == Kinds::FLOAT, greatest) {
                (true, true) => Op::GreatestF { d, a, b },
                (true, false) => Op::LeastF { d, a, b },
                (false, true) => Op::Greatest { d, a, b },
                (false, false) => Op::Least { d, a, b },
            });
            return Ok(Value::one(Type::of(kinds), d));
        }
        let holds = Type::of(kinds);
        let known = |value: &Value| value.kinds() != Kinds::BOOL && self.types.types.constant(value.holds).is_some();
        let constants = (known(best), known(value));
        let pick = match constants {
            (false, true) => Some((best, value, false)),
            (true, false) => Some((value, best, true)),
            _ => None,
        };
        if let Some((number, constant, first)) = pick {
            let tag = if constant.kinds() == Kinds::FLOAT { Tag::Float } else { Tag::Int };
            let k = self.constant(&[self.bits(constant.holds)?, tag as u64]);
            let op = |a: R, d: R, floats: bool| {
                if floats {
                    Op::PickFloatK { greatest, first, d, a, k }
                } else {
                    Op::PickK { greatest, first, d, a, k }
                }
            };
            let floats = number.kinds() == Kinds::FLOAT;
            let a = if floats { self.register(number)? } else { self.pair(number)? };
            let d = self.room(2)?;
            let op = op(a, d, floats);
            self.op(op);
            return Ok(Value { holds, at: Place::Pair(d) });
        }
        let (a, b) = (self.pair(best)?, self.pair(value)?);
        let d = self.room(2)?;
        self.op(Op::Pick { greatest, d, a, b });
        Ok(Value { holds, at: Place::Pair(d) })
    }

    pub(super) fn call_math(&mut self, name: &str, arguments: &Arguments) -> Laid<Value> {
        let mut registers = Vec::new();
        for value in &arguments.places {
            let number = self.numeric(value.clone())?;
            registers.push(self.float(&number)?);
        }
        let d = self.room(1)?;
        let op = match (MATH.iter().position(|other| *other == name), registers.as_slice()) {
            (Some(function), &[a]) => Op::Math { d, a, function: function as u8 },
            (None, &[a, b]) => Op::Hypot { d, a, b },
            _ => return Err(format!("`math.{name}`")),
        };
        self.op(op);
        Ok(Value::one(Type::FLOAT, d))
    }

    pub(super) fn call_method(&mut self, method: &Value, symbol: Symbol, arguments: &Arguments) -> Laid<Value> {
        let Place::On(receiver) = &method.at else { return Err("a method that is not called immediately".to_owned()) };
        let program = self.types.program;
        let name = &*program.names[symbol.0 as usize];
        let [argument] = arguments.places.as_slice() else { return Err(format!("the method `{name}`")) };
        match name {
            "append" => {
                self.settle_filled()?;
                let shape = self.element_shape(receiver.holds)?;
                let l = self.register(receiver)?;
                self.append(l, &shape, argument)?;
                Ok(Value::known(Type::NONE))
            }
            "remove" => {
                self.settle_filled()?;
                let (l, a) = (self.register(receiver)?, self.register(argument)?);
                let op = self.raised("ValueError", "list.remove(x): x not in list");
                let t = self.exit(op).0;
                let objects = argument.kinds() == Kinds::OBJECT;
                self.op(if objects { Op::RemoveObject { l, a, t } } else { Op::RemoveEqual { l, a, t } });
                Ok(Value::known(Type::NONE))
            }
            _ => {
                let op = self.hand_over("a method of a value that is not an object");
                let other = self.only(argument.clone(), Kinds::OBJECT, op)?;
                let (o, p) = (self.register(receiver)?, self.register(&other)?);
                if name == "is_on_top" {
                    return Ok(Value { holds: Type::BOOL, at: Place::Condition(Box::new(Condition::OnTop(o, p))) });
                }
                let d = self.room(1)?;
                self.op(Op::Distance { d, o, p });
                Ok(Value::one(Type::FLOAT, d))
            }
        }
    }
}
