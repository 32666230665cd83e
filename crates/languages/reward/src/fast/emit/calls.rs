//! Calls of functions of the program, which are inlined, and iteration of generators.

use super::values::{Place, Shape, Value};
use super::{Each, Emitter, Ends, InstanceId, Laid, Op, StackCode, returns};
use crate::code::{CodeId, Instruction, Symbol, Variable};
use crate::fast::op::Tag;
use crate::typed::calls::bound;
use crate::typed::flow::branch;
use crate::typed::types::{Kinds, Thing, Type};

/// The minimum fuel that a library function uses per element of a list.
const LIBRARY_COST: u16 = 256;

/// The arguments of a call.
pub(super) struct Arguments {
    pub(super) places: Vec<Value>,
    pub(super) named: Vec<(Symbol, Value)>,
}

impl Emitter<'_> {
    /// Translates a call; returns whether execution continues with the next instruction.
    pub(super) fn call(&mut self, pc: usize, instruction: Instruction) -> Laid<bool> {
        let (instance, _) = self.instance();
        let (count, keywords) = match instruction {
            Instruction::CallNamed(count, place) => (count, self.types.names(instance, place)),
            Instruction::Call(count) => (count, Vec::new()),
            _ => return Err("a call with `*`".to_owned()),
        };
        let open = self.top();
        let mut places = open.stack.split_off(open.stack.len() - count as usize);
        let named = places.split_off(places.len() - keywords.len());
        let arguments = Arguments { places, named: keywords.into_iter().zip(named).collect() };
        let called = self.pop();
        let Some(thing) = self.types.types.detail(called.holds).cloned() else {
            return Err("a call of an unknown function".to_owned());
        };
        let value = match thing {
            Thing::Function(code, _, defaults) => {
                if let Some(iterator) = self.generator(code, &arguments) {
                    let holds = self.leaves();
                    self.push(Value { holds, at: Place::On(Box::new(iterator)) });
                    return Ok(true);
                }
                return self.call_function(pc, code, &defaults, arguments);
            }
            Thing::Builtin(name) => self.call_builtin(pc, &name, arguments)?,
            Thing::Math(name) => self.call_math(name, &arguments)?,
            Thing::Method(_, symbol) => self.call_method(&called, symbol, &arguments)?,
            _ => return Err("the creation of objects".to_owned()),
        };
        self.push(value);
        Ok(self.types.before(instance, pc + 1).is_some())
    }

    fn generator(&self, code: CodeId, arguments: &Arguments) -> Option<Value> {
        let kind = self.types.program.code(code).kind;
        (kind == crate::code::CodeKind::Generator).then(|| arguments.places.first().cloned()).flatten()
    }

    fn call_function(&mut self, pc: usize, code: CodeId, defaults: &[Type], arguments: Arguments) -> Laid<bool> {
        let (instance, _) = self.instance();
        let Some(child) = self.types.child(instance, pc, code) else {
            return Err("an unsupported call".to_owned());
        };
        let bound = self.bound_arguments(child, arguments, defaults)?;
        let gives = self.types.get(child).gives;
        let decides = branch(self.stack_code(instance), pc + 1)
            .is_some_and(|edges| gives.kinds == Kinds::BOOL || edges.iter().all(|edge| !edge.keeps));
        if decides && self.top().arrivals[pc + 1] == 1 {
            self.lay_out(child, &bound, Ends::Decides { at: pc + 1 })?;
            return Ok(false);
        }
        let value = self.in_place(child, &bound)?;
        self.push(value);
        Ok(self.types.before(instance, pc + 1).is_some())
    }

    /// Inlines a function and returns the value that it returns.
    fn in_place(&mut self, child: InstanceId, bound: &[(u32, Value)]) -> Laid<Value> {
        let then = self.label();
        if self.returns(child) == 1 {
            let value = self.lay_out(child, bound, Ends::Single { then })?;
            self.land(then);
            let value = value.ok_or_else(|| "a function that does not return".to_owned())?;
            self.free = self.free.max(value.last().saturating_add(1));
            return Ok(value);
        }
        let gives = self.types.get(child).gives;
        let shape = self.shape(gives);
        if shape == Shape::None {
            return Err("a function that returns values of several types".to_owned());
        }
        let to = self.room(shape.width())?;
        self.lay_out(child, bound, Ends::Value { shape: shape.clone(), to, then })?;
        self.land(then);
        self.value_in(&shape, to, gives)
    }

    /// Binds arguments and defaults to the variables of the parameters.
    fn bound_arguments(
        &mut self,
        child: InstanceId,
        arguments: Arguments,
        defaults: &[Type],
    ) -> Laid<Vec<(u32, Value)>> {
        // Deferred values are evaluated once, before the call.
        let mut values = Vec::new();
        for value in arguments.places {
            values.push(self.once(value)?);
        }
        let count = values.len();
        let mut keywords = Vec::new();
        for (symbol, value) in arguments.named {
            keywords.push((symbol, values.len()));
            values.push(self.once(value)?);
        }
        let first_default = values.len();
        values.extend(defaults.iter().map(|&holds| Value::known(holds)));
        let places: Vec<usize> = (0..count).collect();
        let defaults: Vec<usize> = (first_default..values.len()).collect();
        let signature = &self.stack_code(child).signature;
        let given = bound(&signature.positional, signature.positional_only, &places, &keywords, &defaults)
            .ok_or_else(|| "a call with unsuitable arguments".to_owned())?;
        let code = self.stack_code(child);
        let variables = code.signature.positional.iter().map(|parameter| match parameter.place {
            Variable::Local(place) => place,
            Variable::Cell(place) => code.locals.len() as u32 + place,
        });
        Ok(variables.zip(given.into_iter().map(|place| values[place].clone())).collect())
    }

    fn once(&mut self, value: Value) -> Laid<Value> {
        match value.at {
            Place::Field(..) | Place::ClassName(_) | Place::Condition(_) | Place::Parts(_) | Place::Range(_) => {
                self.settled(value)
            }
            _ => Ok(value),
        }
    }

    /// Returns the number of returns of a function in the emitted code.
    fn returns(&self, child: InstanceId) -> usize {
        let code = self.stack_code(child);
        let arrivals = self.arrivals(child);
        let given = |pc: usize| match code.instructions[pc] {
            Instruction::Return => usize::from(arrivals[pc] > 0),
            Instruction::Jump(target) if returns(code, target as usize) => 1,
            // A jump to a conditional jump is replaced by a copy of it.
            Instruction::Jump(target) => edges_that_return(code, target as usize),
            _ => edges_that_return(code, pc),
        };
        let reached = |pc: &usize| self.types.before(child, *pc).is_some();
        (0..code.instructions.len()).filter(reached).map(given).sum()
    }

    /// Inlines a call of a function of the program by a library function, and returns the result.
    pub(super) fn apply(&mut self, pc: usize, function: &Value, argument: &Value) -> Laid<Value> {
        let Some(Thing::Function(code, _, defaults)) = self.types.types.detail(function.holds).cloned() else {
            return Err("a `key` that is not a function of the program".to_owned());
        };
        let (instance, _) = self.instance();
        let Some(child) = self.types.child(instance, pc, code) else {
            return Err("an unsupported call".to_owned());
        };
        let arguments = Arguments { places: vec![argument.clone()], named: Vec::new() };
        let bound = self.bound_arguments(child, arguments, &defaults)?;
        self.in_place(child, &bound)
    }

    /// Inlines a generator, with `each` applied to its values; execution continues at `then` after the last one.
    fn generate(&mut self, pc: usize, generator: &Value, each: Each, then: super::Label) -> Laid<()> {
        let Some(Thing::Generator(code, ..)) = self.types.types.detail(generator.holds).cloned() else {
            return Err("a value that is not a generator expression".to_owned());
        };
        let Place::On(iterator) = &generator.at else { return Err("a generator that is created elsewhere".to_owned()) };
        let (instance, _) = self.instance();
        let Some(child) = self.types.child(instance, pc, code) else {
            return Err("an unsupported call".to_owned());
        };
        let arguments = Arguments { places: vec![(**iterator).clone()], named: Vec::new() };
        let bound = self.bound_arguments(child, arguments, &[])?;
        self.lay_out(child, &bound, Ends::Generator { each, then })?;
        Ok(())
    }

    /// Translates `next(generator)` or `next(generator, otherwise)`.
    pub(super) fn first_of(&mut self, pc: usize, generator: &Value, otherwise: Option<&Value>) -> Laid<Value> {
        let gives = self.leaves();
        let shape = self.shape(gives);
        let to = self.room(shape.width())?;
        let (then, over) = (self.label(), self.label());
        // The default is stored first; the generator's first value replaces it.
        if let Some(otherwise) = otherwise {
            self.keep(&shape, to, otherwise)?;
        }
        self.generate(pc, generator, Each::First { shape: shape.clone(), to, then }, over)?;
        self.land(over);
        if otherwise.is_none() {
            let op = self.raised("StopIteration", "");
            self.op(op);
        }
        self.land(then);
        self.value_in(&shape, to, gives)
    }

    /// Translates `any(generator)` or `all(generator)`.
    pub(super) fn any_of(&mut self, pc: usize, generator: &Value, any: bool) -> Laid<Value> {
        let d = self.room(1)?;
        let (found, over, end) = (self.label(), self.label(), self.label());
        self.generate(pc, generator, Each::Decides { when: any, then: found }, over)?;
        self.land(over);
        self.load_bits(d, (!any).into());
        self.jump(end);
        self.land(found);
        self.load_bits(d, any.into());
        self.land(end);
        Ok(Value::one(Type::BOOL, d))
    }

    /// Translates `sum` of a generator or a list.
    pub(super) fn sum_of(&mut self, pc: usize, values: Value) -> Laid<Value> {
        let holds = self.leaves();
        if self.types.types.constant(holds).is_some() {
            return Ok(Value::known(holds));
        }
        let floats = holds.kinds.has(Kinds::FLOAT);
        let to = self.room(2)?;
        self.load_bits(to, 0);
        self.load_bits(to + 1, Tag::Int as u64);
        if let Place::On(_) = values.at {
            let over = self.label();
            self.generate(pc, &values, Each::Sum { to, floats }, over)?;
            self.land(over);
        } else {
            let shape = self.element_shape(values.holds)?;
            let element = self.types.types.element(values.holds);
            let iterator = self.iterator(values)?;
            let (again, over) = (self.label(), self.label());
            self.land(again);
            let item = self.item_of(&iterator, &shape, element, over)?;
            let b = self.register(&item)?;
            if floats {
                self.op(Op::AddF { d: to, a: to, b });
                self.load_bits(to + 1, Tag::Float as u64);
            } else {
                self.op(Op::Add { d: to, a: to, b });
            }
            self.jump(again);
            self.land(over);
        }
        Ok(if floats { Value { holds, at: Place::Pair(to) } } else { Value::one(holds, to) })
    }

    /// Emits the loop start of a library function over a list: the next element, or a jump to `over` at the end.
    pub(super) fn item_of(
        &mut self,
        iterator: &Value,
        shape: &Shape,
        element: Type,
        over: super::Label,
    ) -> Laid<Value> {
        let Place::Iterator(it) = iterator.at else { return Err("a value that is not an iterator".to_owned()) };
        let d = self.room(1)?;
        self.note_missing(element);
        self.op(Op::Next { d, it, cost: LIBRARY_COST, t: over.0 });
        self.value_in(shape, d, element)
    }
}

/// Returns the number of edges of a conditional jump that lead to a return other than the next instruction.
fn edges_that_return(code: &StackCode, pc: usize) -> usize {
    let edges = branch(code, pc).into_iter().flatten();
    edges.filter(|edge| edge.target != pc + 1 && returns(code, edge.target)).count()
}
