//! Translation of single instructions.

use super::conditions::IntOperand;
use super::values::{Layout, Location, Value, VariableLocation, width};
use super::{EmitResult, Emitter, InstanceId, Op, Reg, is_return};
use crate::code::{Instruction, Variable};
use crate::fast::op::{ArithmeticOp, CompareOp, Target};
use crate::inference::branches::branch;
use crate::inference::types::{IterationSource, Kinds, Type, TypeDetail};
use crate::operators::{BinaryOperator, ComparisonOperator, UnaryOperator};

/// The maximum number of words of a list's element.
const MAX_ELEMENT_WORDS: u8 = 12;

impl Emitter<'_> {
    /// Assigns registers to the variables of the current function, and stores its arguments.
    pub(super) fn allocate_variables(&mut self, arguments: &[(u32, Value)]) -> EmitResult<()> {
        let (instance, _) = self.current_instruction();
        let Some(entry) = self.inference.state_before(instance, 0) else { return Err("nothing is reached".to_owned()) };
        let count = entry.variables.len();
        let (stores, unsure) = self.variable_usage(instance, count);
        let mut bindings = Vec::with_capacity(count);
        for place in 0..count {
            let argument = arguments.iter().find(|(variable, _)| *variable as usize == place).map(|(_, value)| value);
            if let (Some(value), 0) = (argument, stores[place]) {
                bindings.push(VariableLocation::Alias(value.clone()));
                continue;
            }
            let mut shape = self.variable_layout(instance, place);
            if let (true, Some(known)) = (unsure[place], &shape) {
                shape = Some(known.clone().join(Layout::Constant(Type::UNBOUND)));
            }
            let shape = shape.unwrap_or(Layout::Unsupported);
            let r = self.allocate(shape.width())?;
            bindings.push(VariableLocation::Registers(shape, r));
        }
        let depth = self.max_stack_depth(instance);
        let home = self.allocate(u8::try_from(2 * depth).unwrap_or(u8::MAX))?;
        let floor = self.next_register;
        for (place, binding) in bindings.iter().enumerate() {
            let VariableLocation::Registers(shape, r) = binding else { continue };
            match arguments.iter().find(|(variable, _)| *variable as usize == place) {
                Some((_, value)) => self.store_value(shape, *r, value)?,
                None if unsure[place] => self.mark_unbound(shape, *r),
                None => {}
            }
        }
        let is_argument = |place: usize| arguments.iter().any(|(variable, _)| *variable as usize == place);
        let once = (0..count).map(|place| stores[place] == 1 && !unsure[place] && !is_argument(place)).collect();
        let open = self.frame_mut();
        (open.variables, open.assigned_once, open.join_registers, open.first_temporary) = (bindings, once, home, floor);
        Ok(())
    }

    /// Returns, for each variable, the number of instructions that assign or delete it, and whether it may be unbound where it is used.
    fn variable_usage(&self, instance: InstanceId, count: usize) -> (Vec<usize>, Vec<bool>) {
        let (mut stores, mut unsure) = (vec![0; count], vec![false; count]);
        for (pc, instruction) in self.stack_code(instance).instructions.iter().enumerate() {
            match instruction {
                Instruction::Store(variable) | Instruction::Delete(variable) => {
                    if let Ok(place) = self.inference.variable_index(instance, *variable) {
                        stores[place as usize] += 1;
                    }
                }
                Instruction::Load(variable) => {
                    if let (Ok(place), Some(state)) =
                        (self.inference.variable_index(instance, *variable), self.inference.state_before(instance, pc))
                    {
                        let kinds = state.variables[place as usize].kinds;
                        unsure[place as usize] |= kinds.intersects(Kinds::UNBOUND) && kinds != Kinds::UNBOUND;
                    }
                }
                _ => {}
            }
        }
        (stores, unsure)
    }

    /// Returns the layout that holds all values of a variable; `None` if no value is known.
    fn variable_layout(&self, instance: InstanceId, place: usize) -> Option<Layout> {
        let length = self.stack_code(instance).instructions.len();
        let states = (0..length).filter_map(|pc| self.inference.state_before(instance, pc));
        let held = states.map(|state| state.variables[place].exclude(Kinds::UNBOUND));
        let kept = held.filter(|holds| !holds.is_never() && !holds.kinds.intersects(Kinds::ANY));
        let shapes = kept.map(|holds| self.layout(holds));
        shapes.reduce(Layout::join)
    }

    fn max_stack_depth(&self, instance: InstanceId) -> usize {
        let length = self.stack_code(instance).instructions.len();
        (0..length)
            .filter_map(|pc| self.inference.state_before(instance, pc))
            .map(|state| state.stack.len())
            .max()
            .unwrap_or(0)
    }

    /// Translates an instruction; returns whether execution continues with the next one.
    pub(super) fn translate_instruction(&mut self, pc: usize) -> EmitResult<bool> {
        let (instance, _) = self.current_instruction();
        let program = self.inference.program;
        let code = program.code(self.inference.instance_at(instance).code);
        if let Some(edges) = branch(code, pc) {
            return self.translate_branch(edges);
        }
        if let Some(place) = self.alternative_operand(code.instructions[pc]) {
            return self.translate_alternatives(pc, place);
        }
        match code.instructions[pc] {
            Instruction::Jump(target) => {
                let target = target as usize;
                if is_return(code, target) {
                    return self.translate_return();
                }
                if let Some(edges) = branch(code, target) {
                    return self.translate_branch(edges);
                }
                self.emit_jump(target)?;
                Ok(false)
            }
            Instruction::Return => self.translate_return(),
            Instruction::Next(target) => self.translate_next(pc, target as usize),
            Instruction::Delegate(target) => {
                self.translate_delegate(target as usize)?;
                Ok(false)
            }
            Instruction::Call(_) | Instruction::CallKeywords(..) | Instruction::CallUnpacked(_) => {
                self.call(pc, code.instructions[pc])
            }
            instruction => self.translate_sequential(pc, instruction).map(|()| true),
        }
    }

    /// Emits a jump to an instruction; a jump back uses fuel.
    pub(super) fn emit_jump(&mut self, target: usize) -> EmitResult<()> {
        let stack = self.frame_mut().stack.clone();
        self.join_stack(target, stack)?;
        let label = self.label_of(target);
        let (instance, pc) = self.current_instruction();
        if target > pc {
            self.jump(label);
            return Ok(());
        }
        let cost = self.instruction_count - self.frame_mut().instruction_counts[target] + 1;
        let cost = u16::try_from(cost).map_err(|_| "a loop with too many instructions".to_owned())?;
        match self.loop_starts.get(&(instance, target)) {
            Some(&at) => {
                if let Op::Next { cost: old, .. }
                | Op::NextIndexed { cost: old, .. }
                | Op::NextNumber { cost: old, .. } = &mut self.code.ops[at]
                {
                    *old = cost.max(*old);
                }
                self.jump(label);
            }
            None => self.push_op(Op::Loop { t: label.0, cost }),
        }
        Ok(())
    }

    /// Moves the values on the stack to the locations that are expected at a jump target.
    pub(super) fn join_stack(&mut self, target: usize, stack: Vec<Value>) -> EmitResult<()> {
        let open = self.frame_mut();
        if open.edge_counts[target] <= 1 {
            return match &open.entry_stacks[target] {
                Some(entry) if *entry != stack => Err("paths that join with different stacks".to_owned()),
                _ => {
                    open.entry_stacks[target] = Some(stack);
                    Ok(())
                }
            };
        }
        if open.entry_stacks[target].is_none() {
            let entry = self.joined_stack(target, &stack)?;
            self.frame_mut().entry_stacks[target] = Some(entry);
        }
        let Some(entry) = self.frame_mut().entry_stacks[target].clone() else { return Ok(()) };
        // Values in registers that other values are moved to are copied first.
        let mut moves = Vec::new();
        for (place, (value, wanted)) in stack.into_iter().zip(&entry).enumerate() {
            if value.location == wanted.location {
                continue;
            }
            let (Location::Register(_) | Location::Pair(_)) = wanted.location else {
                if wanted.location == Location::Constant {
                    continue;
                }
                return Err("paths that join with different stacks".to_owned());
            };
            moves.push((place, value));
        }
        let homes: Vec<Reg> = moves.iter().flat_map(|(place, _)| self.join_registers(*place)).collect();
        for (place, value) in &mut moves {
            let own = self.join_registers(*place);
            if homes.iter().any(|home| !own.contains(home) && value.uses_register(*home)) {
                *value = self.materialize(value.clone())?;
            }
        }
        for (place, value) in moves {
            let [r, _] = self.join_registers(place);
            match (&entry[place].location, self.layout(entry[place].ty)) {
                (Location::Pair(_), _) => self.load_pair(r, &value)?,
                (_, shape @ Layout::OneOf) => self.store_value(&shape, r, &value)?,
                _ => self.load(r, &value)?,
            }
        }
        Ok(())
    }

    /// Returns the two registers of a stack position where paths join.
    fn join_registers(&self, place: usize) -> [Reg; 2] {
        let home = self.frames.last().map_or(0, |open| open.join_registers) + 2 * place as Reg;
        [home, home + 1]
    }

    /// Returns the values on the stack, with their locations, at an instruction where paths join.
    fn joined_stack(&mut self, target: usize, stack: &[Value]) -> EmitResult<Vec<Value>> {
        let (instance, _) = self.current_instruction();
        let Some(state) = self.inference.state_before(instance, target) else {
            return Err("nothing gets there".to_owned());
        };
        let slots: Vec<Type> = state.stack.iter().map(|slot| slot.ty).collect();
        let mut entry = Vec::with_capacity(slots.len());
        for (place, (&holds, value)) in slots.iter().zip(stack).enumerate() {
            let [r, _] = self.join_registers(place);
            entry.push(match (self.layout(holds), &value.location) {
                (_, Location::Iterator(_)) => value.clone(),
                (Layout::Constant(known), _) => Value::constant(known),
                (Layout::Scalar(kinds), _) if width(kinds) == 1 => Value::in_register(holds, r),
                (Layout::Scalar(_), _) => Value { ty: holds, location: Location::Pair(r) },
                (Layout::OneOf, _) => Value::in_register(holds, r),
                // The other paths must have the same value in the same registers.
                (_, Location::Base(_) | Location::Tuple(_)) => value.clone(),
                _ => return Err("paths that join with a tuple or similar value on the stack".to_owned()),
            });
        }
        Ok(entry)
    }

    /// Translates the start of a loop, which pushes the next value of the iterator on top of the stack.
    fn translate_next(&mut self, pc: usize, target: usize) -> EmitResult<bool> {
        let (instance, _) = self.current_instruction();
        let iterator = self.frame_mut().stack.last().cloned();
        let Some(Value { ty: holds, location: Location::Iterator(it) }) = iterator else {
            return Err("an iterator that is not always the same".to_owned());
        };
        let Some(&TypeDetail::Iterator(iterated)) = self.inference.types.detail(holds) else {
            return Err("a value that is not an iterator".to_owned());
        };
        let mut below = self.frame_mut().stack.clone();
        below.pop();
        // The exit of the loop has no room for moves: the values below the iterator must stay where they are.
        let before = self.code.ops.len();
        self.join_stack(target, below)?;
        if self.code.ops.len() != before {
            return Err("a loop within an expression".to_owned());
        }
        let t = self.label_of(target).0;
        let cost = 1;
        self.loop_starts.insert((instance, pc), self.code.ops.len());
        let value = match iterated {
            IterationSource::Range(_) => {
                let d = self.allocate(1)?;
                self.push_op(Op::NextNumber { d, it, cost, t });
                Value::in_register(Type::INT, d)
            }
            IterationSource::Entries(dict, part) => self.next_entry((dict, part), it, cost, t)?,
            IterationSource::List(list) | IterationSource::Enumerate(list, _) => {
                let element = self.inference.types.element(list);
                let shape = self.element_layout(list)?;
                self.record_optional_loop(element);
                let width = shape.width();
                let d = self.allocate(width)?;
                let item =
                    if element.is_never() { Value::constant(Type::NONE) } else { self.value_in(&shape, d, element)? };
                if let IterationSource::Enumerate(_, start) = iterated {
                    let i = self.allocate(1)?;
                    if width == 1 {
                        self.push_op(Op::NextIndexed { d, i, it, cost, t });
                    } else {
                        self.push_op(Op::Next { d, it, cost, t });
                        self.push_op(Op::AddK { d: i, a: it + 1, k: -1 });
                        let b = self.allocate(1)?;
                        self.load_bits(b, width.into());
                        self.push_op(Op::FloorDiv { d: i, a: i, b });
                    }
                    self.next_words(d, width, it, t);
                    let index = self.number_from(i, start)?;
                    let parts = vec![index, item];
                    let holds = self.inference.types.detailed(TypeDetail::Tuple(vec![Type::INT, element]));
                    Value { ty: holds, location: Location::Tuple(parts) }
                } else {
                    self.push_op(Op::Next { d, it, cost, t });
                    self.next_words(d, width, it, t);
                    item
                }
            }
        };
        self.push(value);
        Ok(self.inference.state_before(instance, pc + 1).is_some())
    }

    /// Returns the layout of a list's elements, which take at least one word.
    pub(super) fn element_layout(&self, list: Type) -> EmitResult<Layout> {
        let element = self.inference.types.element(list);
        if element.is_never() {
            return Ok(Layout::Scalar(Kinds::INT));
        }
        let layout = self.stored_layout(element);
        if layout.is_unsupported() || !(1..=MAX_ELEMENT_WORDS).contains(&layout.width()) {
            return Err("a list of values of several types".to_owned());
        }
        Ok(layout)
    }

    /// Returns the layout of a value of a type in which numbers, texts and objects have words, even if they are known.
    pub(super) fn stored_layout(&self, ty: Type) -> Layout {
        match self.layout(ty) {
            Layout::Constant(known) if known.kinds != Kinds::DETAILED => Layout::Scalar(known.kinds),
            Layout::Tuple(parts) => match self.inference.types.detail(ty) {
                Some(TypeDetail::Tuple(types)) if types.len() == parts.len() => {
                    Layout::Tuple(types.iter().map(|&part| self.stored_layout(part)).collect())
                }
                _ => Layout::Unsupported,
            },
            other => other,
        }
    }

    /// Translates an instruction after which execution continues with the next one.
    fn translate_sequential(&mut self, pc: usize, instruction: Instruction) -> EmitResult<()> {
        match instruction {
            Instruction::LoadGlobal(symbol) if self.inference.is_assigned_global(symbol) => {
                let value = self.load_state_variable(symbol)?;
                self.push(value);
            }
            Instruction::StoreGlobal(symbol) => self.store_state_variable(symbol)?,
            Instruction::Constant(_)
            | Instruction::LoadGlobal(_)
            | Instruction::LoadCell(_)
            | Instruction::Function(..) => self.push_constant(instruction),
            Instruction::Load(variable) => {
                let value = self.load_variable(variable)?;
                self.push(value);
            }
            Instruction::Store(variable) => self.store_variable(variable)?,
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
                self.frame_mut().stack.extend([one.clone(), two.clone(), one, two]);
            }
            Instruction::Swap => {
                let (two, one) = (self.pop(), self.pop());
                self.frame_mut().stack.extend([two, one]);
            }
            Instruction::RotateThree => {
                let (three, two, one) = (self.pop(), self.pop(), self.pop());
                self.frame_mut().stack.extend([three, one, two]);
            }
            Instruction::Yield => {
                let value = self.pop();
                self.translate_yield(&value)?;
            }
            Instruction::YieldExpression => {
                let value = self.pop();
                self.translate_yield(&value)?;
                self.push(Value::constant(Type::NONE));
            }
            _ => self.translate_value_op(pc, instruction)?,
        }
        Ok(())
    }

    /// Pushes a value that is known at compile time.
    fn push_constant(&mut self, instruction: Instruction) {
        if let Instruction::Function(_, extras) = instruction {
            let open = self.frame_mut();
            let length = open.stack.len() - extras.cell_count as usize - usize::from(extras.defaults);
            open.stack.truncate(length);
        }
        let holds = self.result_type();
        self.push(Value::constant(holds));
    }

    fn load_variable(&mut self, variable: Variable) -> EmitResult<Value> {
        let (instance, pc) = self.current_instruction();
        match self.inference.variable_index(instance, variable) {
            Ok(place) => {
                let holds = self
                    .inference
                    .state_before(instance, pc)
                    .map_or(Type::ANY, |state| state.variables[place as usize]);
                let bound = holds.exclude(Kinds::UNBOUND);
                let binding = self.frame_mut().variables[place as usize].clone();
                if let VariableLocation::Registers(shape, r) = &binding
                    && bound != holds
                {
                    self.check_bound(shape, *r);
                }
                self.bound_value(&binding, bound)
            }
            Err(captured) if captured.module_cell().is_some() => self.load_module_cell(captured),
            Err(captured) => {
                let Some(open) = self.frames.iter().position(|open| open.instance == captured.instance) else {
                    return Err("a variable of a function that has returned".to_owned());
                };
                let binding = self.frames[open].variables[captured.variable as usize].clone();
                let holds = self.result_type();
                self.bound_value(&binding, holds)
            }
        }
    }

    fn bound_value(&mut self, binding: &VariableLocation, holds: Type) -> EmitResult<Value> {
        match binding {
            VariableLocation::Registers(shape, r) => self.value_in(shape, *r, holds),
            VariableLocation::Alias(value) => {
                let mut value = value.clone();
                if let Location::Register(_) | Location::Pair(_) = value.location {
                    if self.is_known(holds) {
                        return Ok(Value::constant(holds));
                    }
                    value.ty = holds;
                }
                Ok(value)
            }
        }
    }

    fn store_variable(&mut self, variable: Variable) -> EmitResult<()> {
        let (instance, _) = self.current_instruction();
        let value = self.pop();
        let place = match self.inference.variable_index(instance, variable) {
            Ok(place) => place,
            Err(captured) => return self.store_module_cell(captured, &value),
        };
        let VariableLocation::Registers(shape, r) = self.frame_mut().variables[place as usize].clone() else {
            return Err("an assignment to a parameter".to_owned());
        };
        // If the object and its fields stay the same while this function runs, the field can be read again at each use.
        let open = self.frame_mut();
        if let Location::Field(o, _) = value.location
            && o < open.first_register
            && open.assigned_once[place as usize]
            && !self.assigns_attributes
        {
            self.frame_mut().variables[place as usize] = VariableLocation::Alias(value);
            return Ok(());
        }
        if self.known_detail(value.ty).is_some() {
            return Ok(());
        }
        self.materialize_stack(r, shape.width())?;
        if let (Layout::Scalar(kinds), Location::Register(from)) = (&shape, &value.location)
            && self.redirect_result(*from, r)
        {
            if width(*kinds) == 2 {
                let value = Value::in_register(value.ty, r);
                return self.load_pair(r, &value);
            }
            return Ok(());
        }
        self.store_value(&shape, r, &value)
    }

    /// Redirects the result of the last instruction to another register, unless the original one is still needed; returns whether it did.
    fn redirect_result(&mut self, from: Reg, to: Reg) -> bool {
        let open = self.frame_mut();
        let needed = from < open.first_temporary || open.stack.iter().any(|value| value.uses_register(from));
        if needed || self.last_label_index >= self.code.ops.len() {
            return false;
        }
        self.code.ops.last_mut().is_some_and(|op| op.redirect(from, to))
    }

    /// Translates an instruction that operates on values.
    fn translate_value_op(&mut self, pc: usize, instruction: Instruction) -> EmitResult<()> {
        let value = match instruction {
            Instruction::LoadAttribute(symbol)
            | Instruction::LoadMethod(symbol)
            | Instruction::TryAttribute(symbol, _) => self.attribute(symbol)?,
            Instruction::StoreAttribute(symbol) => return self.set_attribute(symbol),
            Instruction::Dict => self.new_dict()?,
            Instruction::AddToDict(between) => return self.add_to_dict(between),
            Instruction::StoreItem => return self.set_item(),
            Instruction::DeleteItem => return self.delete_item(),
            Instruction::Unary(operator) => self.unary(operator)?,
            Instruction::Binary(operator) => self.binary(operator, false)?,
            Instruction::InPlace(operator) => self.binary(operator, true)?,
            Instruction::Compare(operator) => self.compare(operator)?,
            Instruction::LoadItem => self.subscript()?,
            Instruction::Set(count) => self.set_display(count)?,
            Instruction::AddToSet(between) => return self.add_to_set(between),
            Instruction::Tuple(count) => self.tuple(count),
            Instruction::List(count) => {
                let holds = self.result_type();
                if holds.kinds == Kinds::DETAILED { self.tuple(count) } else { self.list(pc, count)? }
            }
            Instruction::Extend => self.extend_display(pc)?,
            Instruction::ListToTuple => return Ok(()),
            Instruction::UnpackStarred(before, after) => {
                return self.unpack_starred(pc, (before as usize, after as usize));
            }
            Instruction::MergeKeywords => return self.merge_keywords(),
            Instruction::Append(between) => return self.translate_append(between),
            Instruction::Unpack(count) => {
                let value = self.pop();
                let value = if value.location == Location::Constant { self.constant_value(value.ty)? } else { value };
                if value.kinds() == Kinds::LIST {
                    return self.unpack_list(&value, count);
                }
                let Location::Tuple(parts) = value.location else {
                    return Err("a value that is not a tuple".to_owned());
                };
                self.frame_mut().stack.extend(parts.into_iter().rev());
                return Ok(());
            }
            Instruction::Slice => self.slice_value(),
            Instruction::Iterate => self.translate_iterate()?,
            Instruction::MatchAttributes(count, names) => self.matched_attributes(count, names)?,
            Instruction::MatchInstance | Instruction::MatchSequence | Instruction::Length => {
                self.translate_pattern_op(instruction)?
            }
            _ => return Err("this instruction".to_owned()),
        };
        self.push(value);
        Ok(())
    }
}

impl Emitter<'_> {
    /// Loads the words of an element after the first one, which was loaded from the iterator.
    pub(super) fn next_words(&mut self, d: Reg, width: u8, it: Reg, t: Target) {
        for place in 1..width {
            self.push_op(Op::Next { d: d + place, it, cost: 0, t });
        }
    }

    /// Returns the sum of an index and a start.
    pub(super) fn number_from(&mut self, i: Reg, start: i64) -> EmitResult<Value> {
        if start == 0 {
            return Ok(Value::in_register(Type::INT, i));
        }
        let k = i16::try_from(start).map_err(|_| "a large start of `enumerate`".to_owned())?;
        let d = self.allocate(1)?;
        self.push_op(Op::AddK { d, a: i, k });
        Ok(Value::in_register(Type::INT, d))
    }

    /// Translates the addition of an entry to a dict under construction.
    fn add_to_dict(&mut self, between: u32) -> EmitResult<()> {
        let (value, key) = (self.pop(), self.pop());
        let open = self.frame_mut();
        let record = open.stack[open.stack.len() - 1 - between as usize].clone();
        self.set_dict_item(&record, &key, &value)
    }

    /// Translates the reading of the attributes that a class pattern matches.
    fn matched_attributes(&mut self, count: u32, names: u32) -> EmitResult<Value> {
        self.pop();
        let subject = self.pop();
        let (instance, _) = self.current_instruction();
        let names = self.inference.keyword_names(instance, names);
        let keys = self.inference.matched_fields(subject.ty, count as usize, &names);
        let place = self.record_place(&subject)?;
        let mut parts = Vec::new();
        for key in keys.ok_or_else(|| "a class pattern".to_owned())? {
            let field = self.field(subject.ty, key)?;
            let part = self.load_field(place, &field, field.ty)?;
            parts.push(if part.location == Location::Constant { self.constant_value(part.ty)? } else { part });
        }
        Ok(Value { ty: self.result_type(), location: Location::Tuple(parts) })
    }

    /// Translates a test of a pattern.
    fn translate_pattern_op(&mut self, instruction: Instruction) -> EmitResult<Value> {
        let ty = self.result_type();
        let class = (instruction == Instruction::MatchInstance).then(|| self.pop());
        let subject = self.pop();
        if self.inference.types.constant(ty).is_some() {
            return Ok(Value::constant(ty));
        }
        match (instruction, class) {
            (Instruction::MatchInstance, Some(class)) => self.is_instance(&subject, class.ty, ty),
            (Instruction::Length, _) => self.length(&subject),
            _ => Err("a sequence pattern for values of several types".to_owned()),
        }
    }
}

/// Returns an integer as an operand of a comparison.
pub(super) fn int_operand(emitter: &mut Emitter<'_>, value: &Value) -> EmitResult<IntOperand> {
    if let Some(number) = emitter.inference.types.int(value.ty) {
        return Ok(IntOperand::Constant(number));
    }
    Ok(match value.location {
        Location::Field(o, f) => IntOperand::Field(o, f),
        _ => IntOperand::Register(emitter.register(value)?),
    })
}

/// Returns the register machine's comparison, whether its operands are swapped, and whether its result is negated.
pub(super) fn compare_operator(operator: ComparisonOperator) -> Option<(CompareOp, bool, bool)> {
    Some(match operator {
        ComparisonOperator::Lt => (CompareOp::Lt, false, false),
        ComparisonOperator::Gt => (CompareOp::Lt, true, false),
        ComparisonOperator::LtE => (CompareOp::Le, false, false),
        ComparisonOperator::GtE => (CompareOp::Le, true, false),
        ComparisonOperator::Eq => (CompareOp::Eq, false, false),
        ComparisonOperator::NotEq => (CompareOp::Eq, false, true),
        _ => return None,
    })
}

/// Returns the register machine's arithmetic operator, if there is one.
pub(super) fn arithmetic_operator(operator: BinaryOperator) -> Option<ArithmeticOp> {
    Some(match operator {
        BinaryOperator::Add => ArithmeticOp::Add,
        BinaryOperator::Sub => ArithmeticOp::Sub,
        BinaryOperator::Mult => ArithmeticOp::Mul,
        BinaryOperator::Div => ArithmeticOp::Div,
        BinaryOperator::FloorDiv => ArithmeticOp::FloorDiv,
        BinaryOperator::Mod => ArithmeticOp::Mod,
        _ => return None,
    })
}

/// Whether the operator negates a number.
pub(super) fn is_negation(operator: UnaryOperator) -> bool {
    operator == UnaryOperator::USub
}
