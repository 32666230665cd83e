//! Calls of functions of the program, which are inlined, and of library functions that read generators.

use super::values::{Layout, Location, Value};
use super::{EmitResult, Emitter, InstanceId, Op, Reg, ReturnUse, StackCode, YieldUse, is_return};
use crate::code::{CodeId, Instruction, Symbol, Variable};
use crate::fast::op::{ArithmeticOp, NumberFunction, Tag};
use crate::inference::branches::branch;
use crate::inference::calls::{all_parameters, bind_arguments};
use crate::inference::types::{Kinds, Type, TypeDetail};

/// The arguments of a call.
pub(super) struct Arguments {
    pub(super) positional: Vec<Value>,
    pub(super) keywords: Vec<(Symbol, Value)>,
}

impl Emitter<'_> {
    /// Translates a call; returns whether execution continues with the next instruction.
    pub(super) fn call(&mut self, pc: usize, instruction: Instruction) -> EmitResult<bool> {
        let (instance, _) = self.current_instruction();
        let arguments = self.arguments(instruction)?;
        let mut called = self.pop();
        if called.kinds() == Kinds::RECORD {
            called = self.callable(called)?;
        }
        let Some(detail) = self.inference.types.detail(called.ty).cloned() else {
            return Err("a call of an unknown function".to_owned());
        };
        let value = match detail {
            TypeDetail::Function(code, _, defaults) => {
                return self.call_function(pc, code, &defaults, arguments);
            }
            TypeDetail::CachedFunction(code) => return self.call_function(pc, code, &[], arguments),
            TypeDetail::Builtin(builtin) => self.call_builtin(pc, &builtin, arguments)?,
            TypeDetail::LibraryFunction(function) => self.call_library_function(function, &arguments)?,
            TypeDetail::Method(_, method) => self.call_method(pc, &called, method, &arguments)?,
            TypeDetail::BoundFunction(_, code, defaults) => {
                let Location::Base(receiver) = called.location else {
                    return Err("a method that is not called immediately".to_owned());
                };
                let mut arguments = arguments;
                arguments.positional.insert(0, *receiver);
                return self.call_function(pc, code, &defaults, arguments);
            }
            TypeDetail::ProgramClass(class) => self.call_class(pc, class, arguments)?,
            TypeDetail::CountDigits => {
                let Location::Base(number) = called.location else { return Err("the number of digits".to_owned()) };
                let a = self.register(&number)?;
                self.number_function(NumberFunction::BitCount, (a, a), Type::INT)?
            }
            _ => return Err("the creation of objects".to_owned()),
        };
        self.push(value);
        Ok(self.inference.state_before(instance, pc + 1).is_some())
    }

    /// Takes the arguments of a call from the stack.
    fn arguments(&mut self, instruction: Instruction) -> EmitResult<Arguments> {
        let (instance, _) = self.current_instruction();
        let (count, keywords) = match instruction {
            Instruction::CallKeywords(count, place) => (count, self.inference.keyword_names(instance, place)),
            Instruction::Call(count) => (count, Vec::new()),
            Instruction::CallUnpacked(has_keywords) => {
                let mut keywords = Vec::new();
                if has_keywords {
                    let dict = self.pop();
                    for (key, entry) in self.dict_entries(&dict)? {
                        let symbol = self.inference.keyword_symbol(key).map_err(|_| "a call with `**`".to_owned())?;
                        keywords.push((symbol, self.load_entry(&dict, &entry)?));
                    }
                }
                let tuple = self.pop();
                let tuple = if tuple.location == Location::Constant { self.constant_value(tuple.ty)? } else { tuple };
                let Location::Tuple(positional) = tuple.location else { return Err("a call with `*`".to_owned()) };
                return Ok(Arguments { positional, keywords });
            }
            _ => return Err("a call with `*`".to_owned()),
        };
        let open = self.frame_mut();
        let mut positional = open.stack.split_off(open.stack.len() - count as usize);
        let named = positional.split_off(positional.len() - keywords.len());
        Ok(Arguments { positional, keywords: keywords.into_iter().zip(named).collect() })
    }

    fn call_function(&mut self, pc: usize, code: CodeId, defaults: &[Type], arguments: Arguments) -> EmitResult<bool> {
        if let Some(generator) = self.generator_value(code, defaults, &arguments)? {
            self.push(generator);
            return Ok(true);
        }
        let Some(child) = self.callee(code) else {
            return Err("an unsupported call".to_owned());
        };
        let (instance, _) = self.current_instruction();
        let bound = self.bind_arguments(child, arguments, defaults)?;
        let gives = self.inference.instance_at(child).return_type;
        let decides = branch(self.stack_code(instance), pc + 1)
            .is_some_and(|edges| gives.kinds == Kinds::BOOL || edges.iter().all(|edge| !edge.keeps_value));
        if decides && self.frame_mut().edge_counts[pc + 1] == 1 && self.current_alternative().is_none() {
            self.inline_function(child, &bound, ReturnUse::Branch { at: pc + 1 })?;
            return Ok(false);
        }
        let value = self.inline_call(child, &bound)?;
        self.push(value);
        Ok(self.inference.state_before(instance, pc + 1).is_some())
    }

    /// Inlines a function and returns the value that it returns.
    pub(super) fn inline_call(&mut self, child: InstanceId, bound: &[(u32, Value)]) -> EmitResult<Value> {
        let then = self.label();
        if self.count_returns(child) == 1 {
            let value = self.inline_function(child, bound, ReturnUse::SingleReturn { then })?;
            self.place_label(then);
            let value = value.ok_or_else(|| "a function that does not return".to_owned())?;
            self.next_register = self.next_register.max(value.last_register().saturating_add(1));
            return Ok(value);
        }
        let gives = self.inference.instance_at(child).return_type;
        let shape = self.layout(gives);
        if shape == Layout::Unsupported {
            return Err("a function that returns values of several types".to_owned());
        }
        let to = self.allocate(shape.width())?;
        self.inline_function(child, bound, ReturnUse::Value { shape: shape.clone(), to, then })?;
        self.place_label(then);
        self.value_in(&shape, to, gives)
    }

    /// Binds arguments and defaults to the variables of the parameters.
    pub(super) fn bind_arguments(
        &mut self,
        child: InstanceId,
        arguments: Arguments,
        defaults: &[Type],
    ) -> EmitResult<Vec<(u32, Value)>> {
        // Deferred values are evaluated once, before the call.
        let mut values = Vec::new();
        for value in arguments.positional {
            values.push(self.evaluate_once(value)?);
        }
        let count = values.len();
        let mut keywords = Vec::new();
        for (symbol, value) in arguments.keywords {
            keywords.push((symbol, values.len()));
            values.push(self.evaluate_once(value)?);
        }
        let first_default = values.len();
        values.extend(defaults.iter().map(|&holds| Value::constant(holds)));
        let places: Vec<usize> = (0..count).collect();
        let defaults: Vec<usize> = (first_default..values.len()).collect();
        let signature = self.stack_code(child).signature.clone();
        let bound = bind_arguments(&signature, &places, &keywords, &defaults)
            .ok_or_else(|| "a call with unsuitable arguments".to_owned())?;
        let value = |place: usize| values[place].clone();
        let mut all: Vec<Value> = bound.parameters.into_iter().map(value).collect();
        if signature.var_positional.is_some() {
            let rest: Vec<Value> = bound.rest.into_iter().map(value).collect();
            let ty = self.inference.types.detailed(TypeDetail::Tuple(rest.iter().map(|value| value.ty).collect()));
            all.push(Value { ty, location: Location::Tuple(rest) });
        }
        if signature.var_keyword.is_some() {
            let ty = self.inference.keyword_dict(child).ok_or_else(|| "a call with `**`".to_owned())?;
            let entries = bound.keywords.into_iter().map(|(symbol, place)| (symbol, value(place))).collect();
            all.push(self.keyword_dict(ty, entries)?);
        }
        let locals = self.stack_code(child).locals.len() as u32;
        let variables = all_parameters(&signature).map(|parameter| match parameter.variable {
            Variable::Local(place) => place,
            Variable::Cell(place) => locals + place,
        });
        Ok(variables.zip(all).collect())
    }

    pub(super) fn evaluate_once(&mut self, value: Value) -> EmitResult<Value> {
        match value.location {
            Location::Field(..)
            | Location::ClassName(..)
            | Location::Condition(_)
            | Location::Tuple(_)
            | Location::Range(_) => self.materialize(value),
            _ => Ok(value),
        }
    }

    /// Returns the number of returns of a function in the emitted code.
    fn count_returns(&self, child: InstanceId) -> usize {
        let code = self.stack_code(child);
        let arrivals = self.edge_counts(child);
        let returns = |pc: usize| match code.instructions[pc] {
            Instruction::Return => usize::from(arrivals[pc] > 0),
            Instruction::Jump(target) if is_return(code, target as usize) => 1,
            // A jump to a conditional jump is replaced by a copy of it.
            Instruction::Jump(target) => count_return_edges(code, target as usize),
            _ => count_return_edges(code, pc),
        };
        let reached = |pc: &usize| self.inference.state_before(child, *pc).is_some();
        (0..code.instructions.len()).filter(reached).map(returns).sum()
    }

    /// Inlines a call of a function of the program by a library function, and returns the result.
    pub(super) fn call_with(&mut self, function: &Value, argument: &Value) -> EmitResult<Value> {
        let Some(TypeDetail::Function(code, _, defaults)) = self.inference.types.detail(function.ty).cloned() else {
            return self.call_library_with(function, argument);
        };
        let Some(child) = self.callee(code) else {
            return Err("an unsupported call".to_owned());
        };
        let arguments = Arguments { positional: vec![argument.clone()], keywords: Vec::new() };
        let bound = self.bind_arguments(child, arguments, &defaults)?;
        self.inline_call(child, &bound)
    }

    /// Translates `next(generator)` or `next(generator, otherwise)`.
    pub(super) fn first_of(&mut self, generator: &Value, otherwise: Option<&Value>) -> EmitResult<Value> {
        let gives = self.result_type();
        let shape = self.layout(gives);
        let to = self.allocate(shape.width())?;
        let (then, end) = (self.label(), self.label());
        // The default is stored first; the generator's first value replaces it.
        if let Some(otherwise) = otherwise {
            self.store_value(&shape, to, otherwise)?;
        }
        if let Location::Iterator(_) = generator.location {
            let item = self.next_value(generator, end.0)?;
            self.store_value(&shape, to, &item)?;
            self.jump(then);
        } else {
            self.inline_generator(generator, YieldUse::First { shape: shape.clone(), to, then }, end)?;
        }
        self.place_label(end);
        if otherwise.is_none() {
            let op = self.raise("StopIteration", "");
            self.push_op(op);
        }
        self.place_label(then);
        self.value_in(&shape, to, gives)
    }

    /// Translates `any(generator)` or `all(generator)`.
    pub(super) fn any_of(&mut self, pc: usize, generator: &Value, any: bool) -> EmitResult<Value> {
        let d = self.allocate(1)?;
        let (found, done, end) = (self.label(), self.label(), self.label());
        if let Some(TypeDetail::Generator(..)) = self.inference.types.detail(generator.ty) {
            self.inline_generator(generator, YieldUse::Branch { when: any, then: found }, done)?;
        } else {
            let list = self.list_of(pc, 1, generator.clone())?;
            let iterator = self.iterator(list)?;
            self.for_each(&iterator, |emitter, item| {
                let condition = emitter.truth_condition(&item)?;
                emitter.branch(&condition, any, found);
                Ok(())
            })?;
        }
        self.place_label(done);
        self.load_bits(d, (!any).into());
        self.jump(end);
        self.place_label(found);
        self.load_bits(d, any.into());
        self.place_label(end);
        Ok(Value::in_register(Type::BOOL, d))
    }

    /// Translates `sum` of a generator or a list.
    pub(super) fn sum_of(&mut self, pc: usize, values: Value) -> EmitResult<Value> {
        let holds = self.result_type();
        if self.inference.types.constant(holds).is_some() {
            return Ok(Value::constant(holds));
        }
        let to = self.allocate(2)?;
        self.load_bits(to, 0);
        self.load_bits(to + 1, Tag::Int as u64);
        if let Some(TypeDetail::Generator(code, ..)) = self.inference.types.detail(values.ty) {
            let child = self.callee(*code).ok_or_else(|| "an unsupported call".to_owned())?;
            let kinds = self.inference.instance_at(child).return_type.kinds;
            let end = self.label();
            self.inline_generator(&values, YieldUse::Sum { to, kinds }, end)?;
            self.place_label(end);
        } else {
            let list = self.list_of(pc, 1, values)?;
            let kinds = self.inference.types.element(list.ty).kinds;
            let iterator = self.iterator(list)?;
            self.for_each(&iterator, |emitter, item| emitter.add_to_sum(to, kinds, &item))?;
        }
        let is_float = holds.kinds.intersects(Kinds::FLOAT);
        Ok(if is_float { Value { ty: holds, location: Location::Pair(to) } } else { Value::in_register(holds, to) })
    }

    /// Adds a value to the number in a pair of registers, which is the sum of values of these kinds.
    pub(super) fn add_to_sum(&mut self, to: Reg, kinds: Kinds, value: &Value) -> EmitResult<()> {
        if kinds == Kinds::FLOAT {
            // The words of the integer 0 and of the float 0.0 are equal.
            let b = self.register(value)?;
            self.push_op(Op::AddF { d: to, a: to, b });
            self.load_bits(to + 1, Tag::Float as u64);
        } else if kinds.is_subset(Kinds::INT.union(Kinds::BOOL)) {
            let b = if value.kinds().is_single() { self.register(value)? } else { self.pair(value)? };
            self.push_op(Op::Add { d: to, a: to, b });
        } else {
            let b = self.pair(value)?;
            self.push_op(Op::Arith { operator: ArithmeticOp::Add, d: to, a: to, b });
        }
        Ok(())
    }
}

/// Returns the number of edges of a conditional jump that lead to a return other than the next instruction.
fn count_return_edges(code: &StackCode, pc: usize) -> usize {
    let edges = branch(code, pc).into_iter().flatten();
    edges.filter(|edge| edge.target != pc + 1 && is_return(code, edge.target)).count()
}
