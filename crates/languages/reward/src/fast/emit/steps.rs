//! Instructions, one by one.

use ruff_python_ast::{CmpOp, Operator, UnaryOp};

use super::conditions::Int;
use super::values::{Binding, Place, Shape, Value, width};
use super::{Each, Emitter, Ends, InstanceId, Laid, Op, R, returns};
use crate::code::{Instruction, Variable};
use crate::fast::op::{Arith, Order, Tag};
use crate::typed::flow::branch;
use crate::typed::types::{Iterated, Kinds, Thing, Type};

impl Emitter<'_> {
    /// Gives variables their registers, and parameters their values.
    pub(super) fn begin(&mut self, arguments: &[(u32, Value)]) -> Laid<()> {
        let (instance, _) = self.instance();
        let Some(entry) = self.types.before(instance, 0) else { return Err("nothing is reached".to_owned()) };
        let count = entry.variables.len();
        let (stores, unsure) = self.uses(instance, count);
        let mut bindings = Vec::with_capacity(count);
        for place in 0..count {
            let argument = arguments.iter().find(|(variable, _)| *variable as usize == place).map(|(_, value)| value);
            if let (Some(value), 0) = (argument, stores[place]) {
                bindings.push(Binding::Same(value.clone()));
                continue;
            }
            let mut shape = self.shape_of_variable(instance, place);
            if let (true, Some(known)) = (unsure[place], &shape) {
                shape = Some(known.clone().or(Shape::Known(Type::UNBOUND)));
            }
            let shape = shape.unwrap_or(Shape::None);
            let r = self.room(shape.width())?;
            bindings.push(Binding::Kept(shape, r));
        }
        let depth = self.deepest_stack(instance);
        let home = self.room(u8::try_from(2 * depth).unwrap_or(u8::MAX))?;
        let floor = self.free;
        for (place, binding) in bindings.iter().enumerate() {
            let Binding::Kept(shape, r) = binding else { continue };
            match arguments.iter().find(|(variable, _)| *variable as usize == place) {
                Some((_, value)) => self.keep(shape, *r, value)?,
                None if unsure[place] => self.unbind(shape, *r),
                None => {}
            }
        }
        let is_argument = |place: usize| arguments.iter().any(|(variable, _)| *variable as usize == place);
        let once = (0..count).map(|place| stores[place] == 1 && !unsure[place] && !is_argument(place)).collect();
        let open = self.top();
        (open.variables, open.once, open.home, open.floor) = (bindings, once, home, floor);
        Ok(())
    }

    /// At how many places variables are assigned, and which may have no value where they are used.
    fn uses(&self, instance: InstanceId, count: usize) -> (Vec<usize>, Vec<bool>) {
        let (mut stores, mut unsure) = (vec![0; count], vec![false; count]);
        for (pc, instruction) in self.stack_code(instance).instructions.iter().enumerate() {
            match instruction {
                Instruction::Store(variable) | Instruction::Delete(variable) => {
                    if let Ok(place) = self.types.variable(instance, *variable) {
                        stores[place as usize] += 1;
                    }
                }
                Instruction::Load(variable) => {
                    if let (Ok(place), Some(state)) =
                        (self.types.variable(instance, *variable), self.types.before(instance, pc))
                    {
                        let kinds = state.variables[place as usize].kinds;
                        unsure[place as usize] |= kinds.has(Kinds::UNBOUND) && kinds != Kinds::UNBOUND;
                    }
                }
                _ => {}
            }
        }
        (stores, unsure)
    }

    /// What holds all values of a variable.
    fn shape_of_variable(&self, instance: InstanceId, place: usize) -> Option<Shape> {
        let length = self.stack_code(instance).instructions.len();
        let states = (0..length).filter_map(|pc| self.types.before(instance, pc));
        let held = states.map(|state| state.variables[place].without(Kinds::UNBOUND));
        let kept = held.filter(|holds| !holds.is_never() && !holds.kinds.has(Kinds::ANY));
        let shapes = kept.map(|holds| self.shape(holds));
        shapes.reduce(Shape::or)
    }

    fn deepest_stack(&self, instance: InstanceId) -> usize {
        let length = self.stack_code(instance).instructions.len();
        (0..length).filter_map(|pc| self.types.before(instance, pc)).map(|state| state.stack.len()).max().unwrap_or(0)
    }

    /// Lays out an instruction. Whether it goes on with the next one.
    pub(super) fn step(&mut self, pc: usize) -> Laid<bool> {
        let (instance, _) = self.instance();
        let program = self.types.program;
        let code = program.code(self.types.get(instance).code);
        if let Some(edges) = branch(code, pc) {
            return self.decide(edges);
        }
        match code.instructions[pc] {
            Instruction::Jump(target) => {
                let target = target as usize;
                if returns(code, target) {
                    return self.give();
                }
                if let Some(edges) = branch(code, target) {
                    return self.decide(edges);
                }
                self.go(target)?;
                Ok(false)
            }
            Instruction::Return => self.give(),
            Instruction::Next(target) => self.next(pc, target as usize),
            Instruction::Call(_) | Instruction::CallNamed(..) => self.call(pc, code.instructions[pc]),
            instruction => self.plain(pc, instruction).map(|()| true),
        }
    }

    /// Goes on at an instruction.
    pub(super) fn go(&mut self, target: usize) -> Laid<()> {
        let stack = self.top().stack.clone();
        self.arrive(target, stack)?;
        let label = self.label_of(target);
        let (instance, pc) = self.instance();
        if target > pc {
            self.jump(label);
            return Ok(());
        }
        let cost = self.counted - self.top().counted[target] + 1;
        let cost = u16::try_from(cost).map_err(|_| "a loop of too many instructions".to_owned())?;
        match self.loops.get(&(instance, target)) {
            Some(&at) => {
                if let Op::Next { cost: old, .. } | Op::NextPlace { cost: old, .. } | Op::NextNumber { cost: old, .. } =
                    &mut self.code.ops[at]
                {
                    *old = cost.max(*old);
                }
                self.jump(label);
            }
            None => self.op(Op::Loop { t: label.0, cost }),
        }
        Ok(())
    }

    /// Has the stack be what is expected where paths meet.
    pub(super) fn arrive(&mut self, target: usize, stack: Vec<Value>) -> Laid<()> {
        let open = self.top();
        if open.arrivals[target] <= 1 {
            return match &open.entries[target] {
                Some(entry) if *entry != stack => Err("paths that meet with different stacks".to_owned()),
                _ => {
                    open.entries[target] = Some(stack);
                    Ok(())
                }
            };
        }
        if open.entries[target].is_none() {
            let entry = self.meeting(target, &stack)?;
            self.top().entries[target] = Some(entry);
        }
        let Some(entry) = self.top().entries[target].clone() else { return Ok(()) };
        // What lies where something else will is taken away first.
        let mut moves = Vec::new();
        for (place, (value, wanted)) in stack.into_iter().zip(&entry).enumerate() {
            if value.at == wanted.at {
                continue;
            }
            let (Place::One(_) | Place::Pair(_)) = wanted.at else {
                if wanted.at == Place::Known {
                    continue;
                }
                return Err("paths that meet with different stacks".to_owned());
            };
            moves.push((place, value));
        }
        let homes: Vec<R> = moves.iter().flat_map(|(place, _)| self.home(*place)).collect();
        for (place, value) in &mut moves {
            let own = self.home(*place);
            if homes.iter().any(|home| !own.contains(home) && value.uses(*home)) {
                *value = self.settled(value.clone())?;
            }
        }
        for (place, value) in moves {
            let [r, _] = self.home(place);
            match entry[place].at {
                Place::Pair(_) => self.load_pair(r, &value)?,
                _ => self.load(r, &value)?,
            }
        }
        Ok(())
    }

    /// The registers of a value on the stack where paths meet.
    fn home(&self, place: usize) -> [R; 2] {
        let home = self.open.last().map_or(0, |open| open.home) + 2 * place as R;
        [home, home + 1]
    }

    /// What is on the stack where paths meet.
    fn meeting(&mut self, target: usize, stack: &[Value]) -> Laid<Vec<Value>> {
        let (instance, _) = self.instance();
        let Some(state) = self.types.before(instance, target) else { return Err("nothing gets there".to_owned()) };
        let slots: Vec<Type> = state.stack.iter().map(|slot| slot.holds).collect();
        let mut entry = Vec::with_capacity(slots.len());
        for (place, (&holds, value)) in slots.iter().zip(stack).enumerate() {
            let [r, _] = self.home(place);
            entry.push(match (self.shape(holds), &value.at) {
                (_, Place::Iterator(_)) => value.clone(),
                (Shape::Known(known), _) => Value::known(known),
                (Shape::Scalar(kinds), _) if width(kinds) == 1 => Value::one(holds, r),
                (Shape::Scalar(_), _) => Value { holds, at: Place::Pair(r) },
                _ => return Err("paths that meet with a tuple or such on the stack".to_owned()),
            });
        }
        Ok(entry)
    }

    /// The next value of an iterator.
    fn next(&mut self, pc: usize, target: usize) -> Laid<bool> {
        let (instance, _) = self.instance();
        let iterator = self.top().stack.last().cloned();
        let Some(Value { holds, at: Place::Iterator(it) }) = iterator else {
            return Err("an iterator that is not always the same".to_owned());
        };
        let Some(&Thing::Iterator(iterated)) = self.types.types.detail(holds) else {
            return Err("something else than an iterator".to_owned());
        };
        let mut below = self.top().stack.clone();
        below.pop();
        // Where the loop is over there is nothing to be moved: what is below stays where it is.
        let before = self.code.ops.len();
        self.arrive(target, below)?;
        if self.code.ops.len() != before {
            return Err("a loop within an expression".to_owned());
        }
        let t = self.label_of(target).0;
        let cost = 1;
        self.loops.insert((instance, pc), self.code.ops.len());
        let value = match iterated {
            Iterated::Range(_) => {
                let d = self.room(1)?;
                self.op(Op::NextNumber { d, it, cost, t });
                Value::one(Type::INT, d)
            }
            Iterated::List(list) | Iterated::Enumerated(list, _) => {
                let element = self.types.types.element(list);
                let shape = self.element_shape(list)?;
                self.note_missing(element);
                let d = self.room(1)?;
                let item =
                    if element.is_never() { Value::known(Type::NONE) } else { self.value_in(&shape, d, element)? };
                if let Iterated::Enumerated(..) = iterated {
                    let i = self.room(1)?;
                    self.op(Op::NextPlace { d, i, it, cost, t });
                    let parts = vec![Value::one(Type::INT, i), item];
                    let holds = self.types.types.thing(Thing::Tuple(vec![Type::INT, element]));
                    Value { holds, at: Place::Parts(parts) }
                } else {
                    self.op(Op::Next { d, it, cost, t });
                    item
                }
            }
        };
        self.push(value);
        Ok(self.types.before(instance, pc + 1).is_some())
    }

    /// How elements of a list are kept: each in one register.
    pub(super) fn element_shape(&self, list: Type) -> Laid<Shape> {
        let kinds = self.types.types.element(list).kinds;
        if kinds == Kinds::NEVER {
            return Ok(Shape::Scalar(Kinds::INT));
        }
        if kinds.has(Kinds::THING.with(Kinds::ANY)) || width(kinds) != 1 {
            return Err("a list of values of several kinds, or of tuples".to_owned());
        }
        Ok(Shape::Scalar(kinds))
    }

    /// Instructions that go on with the next one.
    fn plain(&mut self, pc: usize, instruction: Instruction) -> Laid<()> {
        match instruction {
            Instruction::Constant(_)
            | Instruction::LoadGlobal(_)
            | Instruction::LoadCell(_)
            | Instruction::Function(..) => self.known(instruction),
            Instruction::Load(variable) => {
                let value = self.variable(variable)?;
                self.push(value);
            }
            Instruction::Store(variable) => self.store(variable)?,
            Instruction::Pop => {
                self.pop();
            }
            Instruction::Copy => {
                let value = self.pop();
                self.push(value.clone());
                self.push(value);
            }
            Instruction::CopyTwo => {
                let (two, one) = (self.pop(), self.pop());
                self.top().stack.extend([one.clone(), two.clone(), one, two]);
            }
            Instruction::Swap => {
                let (two, one) = (self.pop(), self.pop());
                self.top().stack.extend([two, one]);
            }
            Instruction::RotateThree => {
                let (three, two, one) = (self.pop(), self.pop(), self.pop());
                self.top().stack.extend([three, one, two]);
            }
            Instruction::Yield => self.yielded()?,
            _ => self.on_values(pc, instruction)?,
        }
        Ok(())
    }

    /// What is known without running.
    fn known(&mut self, instruction: Instruction) {
        if let Instruction::Function(_, extras) = instruction {
            let open = self.top();
            let length = open.stack.len() - extras.closure as usize - usize::from(extras.defaults);
            open.stack.truncate(length);
        }
        let holds = self.leaves();
        self.push(Value::known(holds));
    }

    fn variable(&mut self, variable: Variable) -> Laid<Value> {
        let (instance, pc) = self.instance();
        match self.types.variable(instance, variable) {
            Ok(place) => {
                let holds = self.types.before(instance, pc).map_or(Type::ANY, |state| state.variables[place as usize]);
                let bound = holds.without(Kinds::UNBOUND);
                let binding = self.top().variables[place as usize].clone();
                if let Binding::Kept(shape, r) = &binding
                    && bound != holds
                {
                    self.check_bound(shape, *r);
                }
                self.bound(&binding, bound)
            }
            Err(captured) => {
                let Some(open) = self.open.iter().position(|open| open.instance == captured.instance) else {
                    return Err("a variable of a function that is over".to_owned());
                };
                let binding = self.open[open].variables[captured.variable as usize].clone();
                let holds = self.leaves();
                self.bound(&binding, holds)
            }
        }
    }

    fn bound(&mut self, binding: &Binding, holds: Type) -> Laid<Value> {
        match binding {
            Binding::Kept(shape, r) => self.value_in(shape, *r, holds),
            Binding::Same(value) => {
                let mut value = value.clone();
                if let Place::One(_) | Place::Pair(_) = value.at {
                    if self.types.types.constant(holds).is_some() || holds.kinds == Kinds::NONE {
                        return Ok(Value::known(holds));
                    }
                    value.holds = holds;
                }
                Ok(value)
            }
        }
    }

    fn store(&mut self, variable: Variable) -> Laid<()> {
        let (instance, _) = self.instance();
        let value = self.pop();
        let Ok(place) = self.types.variable(instance, variable) else { return Err("`nonlocal` variables".to_owned()) };
        let Binding::Kept(shape, r) = self.top().variables[place as usize].clone() else {
            return Err("a parameter that changes".to_owned());
        };
        // A field of an object that stays the same as long as this function runs is what it is each time.
        let open = self.top();
        if let Place::Field(o, _) = value.at
            && o < open.base
            && open.once[place as usize]
            && !self.sets_fields
        {
            self.top().variables[place as usize] = Binding::Same(value);
            return Ok(());
        }
        self.settle_stack(r, shape.width())?;
        if let (Shape::Scalar(kinds), Place::One(from)) = (&shape, &value.at)
            && self.redirect(*from, r)
        {
            if width(*kinds) == 2 {
                let value = Value::one(value.holds, r);
                return self.load_pair(r, &value);
            }
            return Ok(());
        }
        self.keep(&shape, r, &value)
    }

    /// Has the last instruction put its result elsewhere, if it is nowhere else needed.
    fn redirect(&mut self, from: R, to: R) -> bool {
        let open = self.top();
        let needed = from < open.floor || open.stack.iter().any(|value| value.uses(from));
        if needed || self.sealed >= self.code.ops.len() {
            return false;
        }
        self.code.ops.last_mut().is_some_and(|op| op.redirect(from, to))
    }

    /// Uses a value of a generator.
    fn yielded(&mut self) -> Laid<()> {
        let value = self.pop();
        let Ends::Generator { each, .. } = self.top().ends.clone() else {
            return Err("a generator by itself".to_owned());
        };
        match each {
            Each::First { shape, to, then } => {
                self.keep(&shape, to, &value)?;
                self.jump(then);
            }
            Each::Decides { when, then } => {
                let condition = self.truth(&value)?;
                self.branch(&condition, when, then);
            }
            Each::Sum { to, floats: true } => {
                let b = self.float(&value)?;
                self.op(Op::AddF { d: to, a: to, b });
                self.load_bits(to + 1, Tag::Float as u64);
            }
            Each::Sum { to, floats: false } => {
                let b = self.register(&value)?;
                self.op(Op::Add { d: to, a: to, b });
            }
        }
        Ok(())
    }

    /// Instructions on values.
    fn on_values(&mut self, pc: usize, instruction: Instruction) -> Laid<()> {
        let value = match instruction {
            Instruction::LoadAttribute(symbol) => self.attribute(symbol)?,
            Instruction::StoreAttribute(symbol) => return self.set_attribute(symbol),
            Instruction::Unary(operator) => self.unary(operator)?,
            Instruction::Binary(operator) | Instruction::InPlace(operator) => self.binary(operator)?,
            Instruction::Compare(operator) => self.compare(operator)?,
            Instruction::LoadItem => self.item()?,
            Instruction::Tuple(count) => self.tuple(count),
            Instruction::List(count) => {
                let holds = self.leaves();
                if holds.kinds == Kinds::THING { self.tuple(count) } else { self.list(pc, count)? }
            }
            Instruction::Append(between) => return self.append_below(between),
            Instruction::Unpack(_) => {
                let Place::Parts(parts) = self.pop().at else { return Err("something else than a tuple".to_owned()) };
                self.top().stack.extend(parts.into_iter().rev());
                return Ok(());
            }
            Instruction::Iterate => self.iterate()?,
            _ => return Err("this instruction".to_owned()),
        };
        self.push(value);
        Ok(())
    }
}

/// A number as comparisons take it, if it is a whole one.
pub(super) fn int(emitter: &mut Emitter<'_>, value: &Value) -> Laid<Int> {
    if let Some(number) = emitter.types.types.int(value.holds) {
        return Ok(Int::Known(number));
    }
    Ok(match value.at {
        Place::Field(o, f) => Int::Field(o, f),
        _ => Int::Register(emitter.register(value)?),
    })
}

/// The order that a comparison asks for, whether its sides are swapped, and whether it is denied.
pub(super) fn order(operator: CmpOp) -> Option<(Order, bool, bool)> {
    Some(match operator {
        CmpOp::Lt => (Order::Lt, false, false),
        CmpOp::Gt => (Order::Lt, true, false),
        CmpOp::LtE => (Order::Le, false, false),
        CmpOp::GtE => (Order::Le, true, false),
        CmpOp::Eq => (Order::Eq, false, false),
        CmpOp::NotEq => (Order::Eq, false, true),
        _ => return None,
    })
}

/// Operators as the machine has them.
pub(super) fn arithmetic(operator: Operator) -> Option<Arith> {
    Some(match operator {
        Operator::Add => Arith::Add,
        Operator::Sub => Arith::Sub,
        Operator::Mult => Arith::Mul,
        Operator::Div => Arith::Div,
        Operator::FloorDiv => Arith::FloorDiv,
        Operator::Mod => Arith::Mod,
        _ => return None,
    })
}

/// Whether an operator changes the sign.
pub(super) fn negates(operator: UnaryOp) -> bool {
    operator == UnaryOp::USub
}
