//! The transfer function of a single instruction on types.

use crate::code::{CodeKind, Constant, Instruction, Variable};

use super::branches::{Edge, branch};
use super::types::{CapturedVariable, IterationSource, Kinds, Type, TypeDetail};
use super::{AbstractState, Inference, InstanceId, Origin, StackValue, Test};

/// The reason why a path ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PathEnd {
    /// No value reaches the instruction yet.
    Unreachable,
    /// A construct that the inference does not support.
    Unsupported(String),
}

pub(crate) type StepResult<T> = Result<T, PathEnd>;

pub(super) fn unsupported<T>(description: impl Into<String>) -> StepResult<T> {
    Err(PathEnd::Unsupported(description.into()))
}

impl AbstractState {
    pub(super) fn push(&mut self, holds: Type) {
        self.stack.push(StackValue { ty: holds, origin: Origin::Unknown });
    }

    pub(super) fn pop(&mut self) -> StackValue {
        self.stack.pop().expect("instructions find what they take")
    }

    pub(super) fn pop_many(&mut self, count: u32) -> Vec<StackValue> {
        self.stack.split_off(self.stack.len() - count as usize)
    }

    /// Discards what the stack says about a variable.
    fn forget_variable(&mut self, variable: u32) {
        for slot in &mut self.stack {
            match slot.origin {
                Origin::Variable(other) | Origin::ClassName(other) | Origin::Test(other, ..) if other == variable => {
                    slot.origin = Origin::Unknown;
                }
                _ => {}
            }
        }
    }
}

impl Inference<'_> {
    /// Interprets an instruction and joins the state into those of its successors.
    pub(super) fn step(&mut self, instance: InstanceId, pc: usize, state: AbstractState) {
        match self.interpret(instance, pc, state) {
            Ok(()) | Err(PathEnd::Unreachable) => {}
            Err(PathEnd::Unsupported(description)) => self.record_unsupported(instance, pc, description),
        }
    }

    fn interpret(&mut self, instance: InstanceId, pc: usize, mut state: AbstractState) -> StepResult<()> {
        let program = self.program;
        let code = program.code(self.instance_at(instance).code);
        if let Some(edges) = branch(code, pc) {
            return self.interpret_branch(instance, edges, &state);
        }
        match code.instructions[pc] {
            Instruction::Jump(target) => {
                // Paths that jump to a conditional jump stay apart there, as in the emitted code: a known condition decides for one of them.
                if let Some(edges) = branch(code, target as usize) {
                    return self.interpret_branch(instance, edges, &state);
                }
                self.join_into(instance, target as usize, state);
                return Ok(());
            }
            Instruction::Return => {
                let value = state.pop().ty;
                if !code.kind.is_generator() {
                    self.join_return_type(instance, value);
                }
                return Ok(());
            }
            Instruction::Yield => {
                let value = state.pop().ty;
                self.join_return_type(instance, value);
            }
            // The consumers of generators here send them no values.
            Instruction::YieldExpression if code.kind == CodeKind::GeneratorFunction => {
                let value = state.pop().ty;
                self.join_return_type(instance, value);
                state.push(Type::NONE);
            }
            Instruction::Delegate(target) if code.kind == CodeKind::GeneratorFunction => {
                let (_, iterator) = (state.pop(), state.pop());
                let Some(&TypeDetail::Iterator(source)) = self.types.detail(iterator.ty) else {
                    return unsupported("`yield from` this value");
                };
                let item = self.element_type(source);
                self.join_return_type(instance, item);
                state.push(Type::NONE);
                self.join_into(instance, target as usize, state);
                return Ok(());
            }
            Instruction::Next(target) => return self.interpret_next(instance, pc, target, state),
            instruction => match dispatched_operand(instruction, state.stack.len()) {
                Some(place) if matches!(self.types.detail(state.stack[place].ty), Some(TypeDetail::OneOf(_))) => {
                    self.interpret_alternatives(instance, pc, place, &mut state)?;
                }
                _ => self.interpret_sequential(instance, pc, instruction, &mut state)?,
            },
        }
        if let Some(top) = state.stack.last() {
            if top.ty.is_never() {
                return Err(PathEnd::Unreachable);
            }
            self.instances[instance.0 as usize].result_types[pc] = top.ty;
        }
        self.join_into(instance, pc + 1, state);
        Ok(())
    }

    /// Interprets an instruction once for each value that an operand may be, and joins the results.
    fn interpret_alternatives(
        &mut self,
        instance: InstanceId,
        pc: usize,
        place: usize,
        state: &mut AbstractState,
    ) -> StepResult<()> {
        let instruction = self.program.code(self.instance_at(instance).code).instructions[pc];
        let Some(TypeDetail::OneOf(alternatives)) = self.types.detail(state.stack[place].ty).cloned() else {
            return Ok(());
        };
        let mut results = Vec::new();
        for (number, alternative) in (0..).zip(alternatives) {
            let mut own = state.clone();
            own.stack[place] = StackValue { ty: alternative, origin: Origin::Unknown };
            self.alternative = number;
            let interpreted = self.interpret_sequential(instance, pc, instruction, &mut own);
            self.alternative = 0;
            match interpreted {
                Err(PathEnd::Unreachable) => continue,
                other => other?,
            }
            let result = own.pop().ty;
            self.alternative_results.insert((instance, pc as u32, number), result);
            results.push(result);
        }
        // Methods of several objects stay apart.
        let joined = match self.types.one_of(&results) {
            Some(joined) => joined,
            None => self.types.join_values(&results),
        };
        if joined.kinds.intersects(Kinds::ANY) {
            return unsupported("a result with values of several types");
        }
        state.stack.truncate(place);
        state.push(joined);
        Ok(())
    }

    fn join_return_type(&mut self, instance: InstanceId, value: Type) {
        let old = self.instance_at(instance).return_type;
        let joined = self.types.join(old, value);
        self.changed |= joined != old;
        self.instances[instance.0 as usize].return_type = joined;
    }

    fn interpret_next(
        &mut self,
        instance: InstanceId,
        pc: usize,
        target: u32,
        mut state: AbstractState,
    ) -> StepResult<()> {
        let iterator = state.pop();
        let Some(&TypeDetail::Iterator(iterated)) = self.types.detail(iterator.ty) else {
            return unsupported("a loop over a value that is not a list, a range or `enumerate`");
        };
        self.join_into(instance, target as usize, state.clone());
        let item = self.element_type(iterated);
        if item.is_never() {
            return Err(PathEnd::Unreachable);
        }
        state.stack.push(iterator);
        state.push(item);
        self.join_into(instance, pc + 1, state);
        Ok(())
    }

    /// Returns the type of an iterator's values.
    pub(super) fn element_type(&mut self, iterated: IterationSource) -> Type {
        match iterated {
            IterationSource::List(list) => self.types.element(list),
            IterationSource::Enumerate(list, _) => {
                let element = self.types.element(list);
                if element.is_never() {
                    element
                } else {
                    self.types.detailed(TypeDetail::Tuple(vec![Type::INT, element]))
                }
            }
            IterationSource::Entries(dict, part) => self.part_type(dict, part),
            IterationSource::Range(_) => Type::INT,
        }
    }

    /// Joins the state into both successors of a conditional jump, narrowed by the test.
    fn interpret_branch(&mut self, instance: InstanceId, edges: [Edge; 2], state: &AbstractState) -> StepResult<()> {
        let slot = *state.stack.last().expect("instructions find what they take");
        if slot.ty.kinds.intersects(Kinds::ANY) {
            return unsupported("a condition on a value of several types");
        }
        let known = self.types.truth(slot.ty);
        for (edge, truth) in edges.into_iter().zip([true, false]) {
            if known == Some(!truth) {
                continue;
            }
            let mut state = state.clone();
            let mut value = state.pop();
            if let Some((variable, narrowed)) = narrow(&state, slot, truth) {
                if narrowed.is_never() {
                    continue;
                }
                state.variables[variable as usize] = narrowed;
            }
            let below = state.stack.len() - edge.popped;
            state.stack.truncate(below);
            if edge.keeps_value {
                if value.ty.kinds == Kinds::BOOL {
                    value.ty = self.types.bool(Some(truth));
                } else if truth {
                    value.ty = value.ty.exclude(Kinds::NONE);
                }
                value.origin = Origin::Unknown;
                state.stack.push(value);
            }
            self.join_into(instance, edge.target, state);
        }
        Ok(())
    }

    /// Interprets an instruction that continues with the next one.
    fn interpret_sequential(
        &mut self,
        at: InstanceId,
        pc: usize,
        instruction: Instruction,
        state: &mut AbstractState,
    ) -> StepResult<()> {
        match instruction {
            Instruction::Constant(place) => {
                let constant = self.constant_of(at, place)?;
                state.push(constant);
            }
            Instruction::Load(variable) => self.load(at, variable, state)?,
            Instruction::Store(variable) => {
                let slot = state.pop();
                match self.variable_index(at, variable) {
                    Ok(variable) => {
                        state.forget_variable(variable);
                        state.variables[variable as usize] = slot.ty;
                    }
                    Err(captured) => self.set_module_cell(captured, slot.ty)?,
                }
            }
            Instruction::LoadGlobal(symbol) => {
                let value = self.global(symbol)?;
                state.push(value);
            }
            Instruction::StoreGlobal(symbol) => {
                let value = state.pop().ty;
                self.store_global(symbol, value)?;
            }
            Instruction::LoadCell(place) => {
                let captured = match self.variable_index(at, Variable::Cell(place)) {
                    Ok(variable) => CapturedVariable { instance: at, variable },
                    Err(captured) => captured,
                };
                let cell = self.types.detailed(TypeDetail::Cell(captured));
                state.push(cell);
            }
            Instruction::Function(code, extras) => {
                let cells = state.pop_many(extras.cell_count);
                if extras.keyword_defaults {
                    return unsupported("defaults of keyword-only parameters of an inner function");
                }
                let defaults = if extras.defaults { self.tuple_types(state.pop().ty) } else { Some(Vec::new()) };
                let defaults = defaults.unwrap_or_default();
                let captured = cells.iter().filter_map(|cell| match self.types.detail(cell.ty) {
                    Some(TypeDetail::Cell(captured)) => Some(*captured),
                    _ => None,
                });
                let function = TypeDetail::Function(code, captured.collect(), defaults);
                let function = self.types.detailed(function);
                state.push(function);
            }
            Instruction::Pop => {
                state.pop();
            }
            Instruction::Copy => {
                let top = *state.stack.last().expect("instructions find what they take");
                state.stack.push(top);
            }
            Instruction::CopyTwo => {
                let pair = state.pop_many(2);
                state.stack.extend([pair[0], pair[1], pair[0], pair[1]]);
            }
            Instruction::Swap => {
                let pair = state.pop_many(2);
                state.stack.extend([pair[1], pair[0]]);
            }
            Instruction::RotateThree => {
                let three = state.pop_many(3);
                state.stack.extend([three[2], three[0], three[1]]);
            }
            _ => self.interpret_value_op(at, pc, instruction, state)?,
        }
        Ok(())
    }

    fn constant_of(&mut self, at: InstanceId, place: u32) -> StepResult<Type> {
        let program = self.program;
        Ok(match &program.code(self.instance_at(at).code).constants[place as usize] {
            Constant::None => Type::NONE,
            Constant::Bool(truth) => self.types.bool(Some(*truth)),
            Constant::Int(number) => self.types.detailed(TypeDetail::Int(*number)),
            Constant::Float(number) => self.types.detailed(TypeDetail::Float(number.to_bits())),
            Constant::Text(symbol) => self.types.detailed(TypeDetail::Text(symbol.0)),
            Constant::Bytes(_) => return unsupported("bytes"),
            Constant::Ellipsis | Constant::BigInt(_) | Constant::Names(_) => {
                return unsupported("large integers and `...`");
            }
        })
    }

    /// Returns the type of a variable of an enclosing function at the call that it waits for.
    pub(crate) fn enclosing_type(&self, captured: CapturedVariable) -> Option<Type> {
        let active = self.active_calls.iter().rev().find(|active| active.instance == captured.instance)?;
        active.variables.get(captured.variable as usize).copied()
    }

    fn load(&mut self, at: InstanceId, variable: Variable, state: &mut AbstractState) -> StepResult<()> {
        let (holds, origin) = match self.variable_index(at, variable) {
            Ok(variable) => (state.variables[variable as usize], Origin::Variable(variable)),
            Err(captured) => match self.enclosing_type(captured).or_else(|| self.module_cell_type(captured)) {
                Some(holds) => (holds, Origin::Unknown),
                None => return unsupported("a variable of a function that has returned"),
            },
        };
        let bound = holds.exclude(Kinds::UNBOUND);
        if bound.is_never() {
            return unsupported("an unassigned variable");
        }
        if bound.kinds.intersects(Kinds::ANY) {
            return unsupported("a variable of several types");
        }
        if let Origin::Variable(variable) = origin {
            state.variables[variable as usize] = bound;
        } else if bound != holds {
            return unsupported("a variable of an enclosing function that may be unassigned");
        }
        state.stack.push(StackValue { ty: bound, origin });
        Ok(())
    }

    pub(super) fn global(&mut self, symbol: crate::code::Symbol) -> StepResult<Type> {
        if self.is_assigned_global(symbol) {
            let known = self.variable_type(symbol);
            if known.kinds.intersects(Kinds::ANY.union(Kinds::UNBOUND)) {
                return unsupported("a global that functions assign");
            }
            return Ok(known);
        }
        let program = self.program;
        let name = &program.names[symbol.0 as usize];
        let Some(known) = self.machine.global_constant(name) else {
            return unsupported(format!("the undefined name `{name}`"));
        };
        let found = self.constant_type(&known);
        if found.kinds.intersects(Kinds::ANY) {
            return unsupported(format!("the global `{name}`, whose value may change"));
        }
        Ok(found)
    }

    /// Returns the types of a tuple's elements.
    pub(super) fn tuple_types(&self, tuple: Type) -> Option<Vec<Type>> {
        match self.types.detail(tuple) {
            Some(TypeDetail::Tuple(parts)) if tuple.kinds == Kinds::DETAILED => Some(parts.clone()),
            _ => None,
        }
    }

    /// Returns the type of the list that an instruction creates.
    pub(super) fn new_list(&mut self, at: InstanceId, pc: usize) -> Type {
        let key = (at, pc as u32);
        let types = &mut self.types;
        let site = *self.sites.entry(key).or_insert_with(|| types.site());
        self.types.sited(site)
    }

    /// Interprets an instruction on values of particular kinds.
    fn interpret_value_op(
        &mut self,
        at: InstanceId,
        pc: usize,
        instruction: Instruction,
        state: &mut AbstractState,
    ) -> StepResult<()> {
        match instruction {
            // Objects of the world have all attributes that the inference knows, so the jump is never taken.
            Instruction::LoadAttribute(symbol)
            | Instruction::LoadMethod(symbol)
            | Instruction::TryAttribute(symbol, _) => {
                let slot = state.pop();
                // A value that is not an object raises an exception here.
                for kind in [Kinds::OBJECT, Kinds::RECORD] {
                    if let (Origin::Variable(variable), true) = (slot.origin, slot.ty.kinds.intersects(kind)) {
                        state.variables[variable as usize] = slot.ty.restrict(kind);
                    }
                }
                let slot = self.attribute(slot, symbol)?;
                state.stack.push(slot);
                self.call_property(at, pc, symbol, state)?;
            }
            Instruction::StoreAttribute(symbol) => {
                let (object, value) = (state.pop(), state.pop());
                let program = self.program;
                let setter = self.property_setter(object.ty, program.name(symbol));
                if let Some(setter) = setter.filter(|_| object.ty.kinds == Kinds::RECORD) {
                    self.call_function_of_object(at, pc, object.ty, &setter, &[value.ty])?;
                    return Ok(());
                }
                self.set_attribute(object.ty, symbol, value.ty)?;
            }
            Instruction::StoreItem => {
                let (index, object, value) = (state.pop(), state.pop().ty, state.pop());
                if self.call_special(at, pc, object, "__setitem__", &[index.ty, value.ty])?.is_none() {
                    self.set_item(state, object, index, value)?;
                }
            }
            Instruction::DeleteItem => {
                let (index, object) = (state.pop().ty, state.pop().ty);
                self.delete_item(object, index)?;
            }
            Instruction::Unary(operator) => {
                let slot = state.pop();
                let slot = self.unary(operator, slot)?;
                state.stack.push(slot);
            }
            Instruction::Binary(operator) | Instruction::InPlace(operator) => {
                let (right, left) = (state.pop(), state.pop());
                let in_place = matches!(instruction, Instruction::InPlace(_));
                let value = match self.special_binary(at, pc, operator, (left.ty, right.ty), in_place)? {
                    Some(value) => value,
                    None => self.binary(at, pc, operator, left.ty, right.ty, in_place)?,
                };
                state.push(value);
            }
            Instruction::Compare(operator) => {
                let (right, left) = (state.pop(), state.pop());
                let slot = match self.special_comparison(at, pc, operator, left.ty, right.ty)? {
                    Some(ty) => StackValue { ty, origin: Origin::Unknown },
                    None => self.compare(operator, left, right)?,
                };
                state.stack.push(slot);
            }
            Instruction::LoadItem => {
                let (index, object) = (state.pop(), state.pop());
                let value = match self.types.detail(index.ty).cloned() {
                    Some(TypeDetail::Slice(parts)) => self.slice(at, pc, object.ty, &parts)?,
                    _ if self.types.is_table(object.ty) => self.table_item(at, pc, object.ty, index.ty)?,
                    _ => match self.call_special(at, pc, object.ty, "__getitem__", &[index.ty])? {
                        Some(value) => value,
                        None => self.item(object.ty, index.ty)?,
                    },
                };
                state.push(value);
            }
            Instruction::Unpack(count) => self.unpack(count, state)?,
            Instruction::Slice => {
                let parts = state.pop_many(3).iter().map(|slot| slot.ty).collect();
                let slice = self.types.detailed(TypeDetail::Slice(parts));
                state.push(slice);
            }
            Instruction::Iterate => {
                let value = state.pop().ty;
                let iterator = self.iterate(at, pc, value, &state.stack)?;
                state.push(iterator);
            }
            Instruction::Call(_) | Instruction::CallKeywords(..) | Instruction::CallUnpacked(_) => {
                self.call(at, pc, instruction, state)?;
            }
            _ => self.interpret_display(at, pc, instruction, state)?,
        }
        Ok(())
    }

    /// Adds a value to the elements of a list.
    pub(super) fn store_element(&mut self, list: Type, value: Type) -> StepResult<()> {
        if list.kinds != Kinds::LIST {
            return unsupported("an element added to a value that may not be a list");
        }
        self.check_stored(list, value)?;
        self.types.add_element(list, value);
        Ok(())
    }

    fn unpack(&mut self, count: u32, state: &mut AbstractState) -> StepResult<()> {
        let value = state.pop().ty;
        match self.tuple_types(value) {
            Some(parts) if parts.len() == count as usize => {
                parts.into_iter().rev().for_each(|part| state.push(part));
                Ok(())
            }
            None if self.types.is_sequence(value) => {
                let element = self.types.element(value);
                (0..count).for_each(|_| state.push(element));
                if element.is_never() { Err(PathEnd::Unreachable) } else { Ok(()) }
            }
            _ => unsupported("unpacking of a value that is not a tuple of that length"),
        }
    }

    /// Whether a code is a generator expression.
    pub(super) fn is_generator_expression(&self, code: crate::code::CodeId) -> bool {
        self.program.code(code).kind == CodeKind::GeneratorExpression
    }
}

/// Returns the place on the stack of the operand of an instruction that decides what it does; `None` for other instructions.
pub(crate) fn dispatched_operand(instruction: Instruction, stack: usize) -> Option<usize> {
    match instruction {
        Instruction::LoadAttribute(_) | Instruction::LoadMethod(_) => stack.checked_sub(1),
        Instruction::Call(count) | Instruction::CallKeywords(count, _) => stack.checked_sub(1 + count as usize),
        _ => None,
    }
}

/// Returns a description of an instruction.
pub(super) fn description(instruction: Instruction) -> &'static str {
    match instruction {
        Instruction::DeleteGlobal(_) => "`del` of a global",
        Instruction::UpdateSet => "sets",
        Instruction::UpdateDict => "dicts",
        Instruction::DeleteItem => "`del` of an item",
        Instruction::Slice => "slices",
        Instruction::Extend
        | Instruction::ListToTuple
        | Instruction::UnpackStarred(..)
        | Instruction::CallUnpacked(_) => "`*` before a value",
        Instruction::Raise(_) | Instruction::Reraise | Instruction::AssertionError => "a `raise` statement",
        Instruction::Format(..) | Instruction::Join(_) => "f-strings",
        Instruction::Import(_) | Instruction::ImportFrom(_) | Instruction::ImportAll => "an import in a function",
        Instruction::Class(_) | Instruction::ClassKeywords(..) => "a class in a function",
        Instruction::Delete(_) | Instruction::DeleteAttribute(_) => "`del`",
        Instruction::YieldExpression | Instruction::Delegate(_) => "`yield`",
        Instruction::EnterContext | Instruction::LeaveContext | Instruction::LeaveContextOnException => {
            "a `with` statement"
        }
        Instruction::MatchSequence | Instruction::Length => "a sequence pattern",
        Instruction::MatchMapping | Instruction::MatchKeys | Instruction::MappingRest => "a mapping pattern",
        Instruction::MatchInstance | Instruction::MatchAttributes(..) => "a class pattern",
        _ => "this instruction",
    }
}

/// Returns the variable that a test narrows, with its narrowed type.
fn narrow(state: &AbstractState, slot: StackValue, truth: bool) -> Option<(u32, Type)> {
    let of = |variable: u32| state.variables[variable as usize];
    match slot.origin {
        Origin::Variable(variable) if truth => Some((variable, of(variable).exclude(Kinds::NONE))),
        Origin::Test(variable, test, holds) => {
            let (held, holds) = (of(variable), holds == truth);
            let narrowed = match test {
                Test::None if holds => held.restrict(Kinds::NONE),
                Test::None => held.exclude(Kinds::NONE),
                Test::Classes(classes) if holds => held.restrict(Kinds::OBJECT).restrict_classes(classes),
                Test::Classes(classes) => held.restrict_classes(!classes),
            };
            Some((variable, narrowed))
        }
        _ => None,
    }
}
