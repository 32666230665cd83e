//! Translation of single instructions.

use ruff_python_ast::{CmpOp, Operator, UnaryOp};

use super::conditions::Int;
use super::values::{Binding, Place, Shape, Value, width};
use super::{Each, Emitter, Ends, InstanceId, Laid, Op, R, returns};
use crate::code::{Instruction, Variable};
use crate::fast::op::{Arith, Order, Tag};
use crate::typed::flow::branch;
use crate::typed::types::{Iterated, Kinds, Thing, Type};

impl Emitter<'_> {
    /// Assigns registers to the variables of the current function, and stores its arguments.
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

    /// Returns, for each variable, the number of instructions that assign or delete it, and whether it may be unbound where it is used.
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

    /// Returns the shape that holds all values of a variable; `None` if no value is known.
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

    /// Translates an instruction; returns whether execution continues with the next one.
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

    /// Emits a jump to an instruction; a jump back uses fuel.
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
        let cost = u16::try_from(cost).map_err(|_| "a loop with too many instructions".to_owned())?;
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

    /// Moves the values on the stack to the locations that are expected at a jump target.
    pub(super) fn arrive(&mut self, target: usize, stack: Vec<Value>) -> Laid<()> {
        let open = self.top();
        if open.arrivals[target] <= 1 {
            return match &open.entries[target] {
                Some(entry) if *entry != stack => Err("paths that join with different stacks".to_owned()),
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
        // Values in registers that other values are moved to are copied first.
        let mut moves = Vec::new();
        for (place, (value, wanted)) in stack.into_iter().zip(&entry).enumerate() {
            if value.at == wanted.at {
                continue;
            }
            let (Place::One(_) | Place::Pair(_)) = wanted.at else {
                if wanted.at == Place::Known {
                    continue;
                }
                return Err("paths that join with different stacks".to_owned());
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

    /// Returns the two registers of a stack position where paths join.
    fn home(&self, place: usize) -> [R; 2] {
        let home = self.open.last().map_or(0, |open| open.home) + 2 * place as R;
        [home, home + 1]
    }

    /// Returns the values on the stack, with their locations, at an instruction where paths join.
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
                _ => return Err("paths that join with a tuple or similar value on the stack".to_owned()),
            });
        }
        Ok(entry)
    }

    /// Translates the start of a loop, which pushes the next value of the iterator on top of the stack.
    fn next(&mut self, pc: usize, target: usize) -> Laid<bool> {
        let (instance, _) = self.instance();
        let iterator = self.top().stack.last().cloned();
        let Some(Value { holds, at: Place::Iterator(it) }) = iterator else {
            return Err("an iterator that is not always the same".to_owned());
        };
        let Some(&Thing::Iterator(iterated)) = self.types.types.detail(holds) else {
            return Err("a value that is not an iterator".to_owned());
        };
        let mut below = self.top().stack.clone();
        below.pop();
        // The exit of the loop has no room for moves: the values below the iterator must stay where they are.
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

    /// Returns the shape of a list's elements, each of which takes one register.
    pub(super) fn element_shape(&self, list: Type) -> Laid<Shape> {
        let kinds = self.types.types.element(list).kinds;
        if kinds == Kinds::NEVER {
            return Ok(Shape::Scalar(Kinds::INT));
        }
        if kinds.has(Kinds::THING.with(Kinds::ANY)) || width(kinds) != 1 {
            return Err("a list of values of several types, or of tuples".to_owned());
        }
        Ok(Shape::Scalar(kinds))
    }

    /// Translates an instruction after which execution continues with the next one.
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

    /// Pushes a value that is known at compile time.
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
                    return Err("a variable of a function that has returned".to_owned());
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
            return Err("an assignment to a parameter".to_owned());
        };
        // If the object and its fields stay the same while this function runs, the field can be read again at each use.
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

    /// Redirects the result of the last instruction to another register, unless the original one is still needed; returns whether it did.
    fn redirect(&mut self, from: R, to: R) -> bool {
        let open = self.top();
        let needed = from < open.floor || open.stack.iter().any(|value| value.uses(from));
        if needed || self.sealed >= self.code.ops.len() {
            return false;
        }
        self.code.ops.last_mut().is_some_and(|op| op.redirect(from, to))
    }

    /// Translates a `yield`: uses the value as the consumer of the generator requires.
    fn yielded(&mut self) -> Laid<()> {
        let value = self.pop();
        let Ends::Generator { each, .. } = self.top().ends.clone() else {
            return Err("a generator outside of a call".to_owned());
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

    /// Translates an instruction that operates on values.
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
                let Place::Parts(parts) = self.pop().at else { return Err("a value that is not a tuple".to_owned()) };
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

/// Returns an integer as an operand of a comparison.
pub(super) fn int(emitter: &mut Emitter<'_>, value: &Value) -> Laid<Int> {
    if let Some(number) = emitter.types.types.int(value.holds) {
        return Ok(Int::Known(number));
    }
    Ok(match value.at {
        Place::Field(o, f) => Int::Field(o, f),
        _ => Int::Register(emitter.register(value)?),
    })
}

/// Returns the register machine's comparison, whether its operands are swapped, and whether its result is negated.
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

/// Returns the register machine's arithmetic operator, if there is one.
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

/// Whether the operator negates a number.
pub(super) fn negates(operator: UnaryOp) -> bool {
    operator == UnaryOp::USub
}
