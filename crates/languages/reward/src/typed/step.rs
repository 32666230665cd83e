//! The transfer function of a single instruction on types.

use crate::code::{CodeKind, Constant, Instruction, Variable};

use super::flow::{Edge, branch};
use super::types::{Captured, Iterated, Kinds, Thing, Type, Types};
use super::{Inference, InstanceId, Origin, Slot, State, Test};

/// The reason why a path ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stop {
    /// No value reaches the instruction yet.
    Dead,
    /// A construct that the inference does not support.
    Gap(String),
}

pub(super) type Followed<T> = Result<T, Stop>;

pub(super) fn gap<T>(what: impl Into<String>) -> Followed<T> {
    Err(Stop::Gap(what.into()))
}

impl State {
    fn push(&mut self, holds: Type) {
        self.stack.push(Slot { holds, origin: Origin::Unknown });
    }

    fn pop(&mut self) -> Slot {
        self.stack.pop().expect("instructions find what they take")
    }

    fn pop_many(&mut self, count: u32) -> Vec<Slot> {
        self.stack.split_off(self.stack.len() - count as usize)
    }

    /// Discards what the stack says about a variable.
    fn forget(&mut self, variable: u32) {
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
    pub(super) fn step(&mut self, instance: InstanceId, pc: usize, state: State) {
        match self.followed(instance, pc, state) {
            Ok(()) | Err(Stop::Dead) => {}
            Err(Stop::Gap(what)) => self.open_gap(instance, pc, what),
        }
    }

    fn followed(&mut self, instance: InstanceId, pc: usize, mut state: State) -> Followed<()> {
        let program = self.program;
        let code = program.code(self.get(instance).code);
        if let Some(edges) = branch(code, pc) {
            return self.decide(instance, edges, &state);
        }
        match code.instructions[pc] {
            Instruction::Jump(target) => {
                self.go(instance, target as usize, state);
                return Ok(());
            }
            Instruction::Return => {
                let value = state.pop().holds;
                self.give(instance, value);
                return Ok(());
            }
            Instruction::Yield => {
                let value = state.pop().holds;
                self.give(instance, value);
                state.push(Type::NONE);
                // The caller's next request pops the value.
                state.pop();
            }
            Instruction::Next(target) => return self.next(instance, pc, target, state),
            instruction => self.plain(instance, pc, instruction, &mut state)?,
        }
        if let Some(top) = state.stack.last() {
            if top.holds.is_never() {
                return Err(Stop::Dead);
            }
            self.instances[instance.0 as usize].leaves[pc] = top.holds;
        }
        self.go(instance, pc + 1, state);
        Ok(())
    }

    fn give(&mut self, instance: InstanceId, value: Type) {
        let old = self.get(instance).gives;
        let joined = self.types.join(old, value);
        self.changed |= joined != old;
        self.instances[instance.0 as usize].gives = joined;
    }

    fn next(&mut self, instance: InstanceId, pc: usize, target: u32, mut state: State) -> Followed<()> {
        let iterator = state.pop();
        let Some(&Thing::Iterator(iterated)) = self.types.detail(iterator.holds) else {
            return gap("a loop over a value that is not a list, a range or `enumerate`");
        };
        self.go(instance, target as usize, state.clone());
        let item = self.item_of(iterated);
        if item.is_never() {
            return Err(Stop::Dead);
        }
        state.stack.push(iterator);
        state.push(item);
        self.go(instance, pc + 1, state);
        Ok(())
    }

    /// Returns the type of an iterator's values.
    pub(super) fn item_of(&mut self, iterated: Iterated) -> Type {
        match iterated {
            Iterated::List(list) => self.types.element(list),
            Iterated::Enumerated(list, _) => {
                let element = self.types.element(list);
                if element.is_never() { element } else { self.types.thing(Thing::Tuple(vec![Type::INT, element])) }
            }
            Iterated::Range(_) => Type::INT,
        }
    }

    /// Joins the state into both successors of a conditional jump, narrowed by the test.
    fn decide(&mut self, instance: InstanceId, edges: [Edge; 2], state: &State) -> Followed<()> {
        let slot = *state.stack.last().expect("instructions find what they take");
        if slot.holds.kinds.has(Kinds::ANY) {
            return gap("a condition on a value of several types");
        }
        let known = self.types.truth(slot.holds);
        for (edge, truth) in edges.into_iter().zip([true, false]) {
            if known == Some(!truth) {
                continue;
            }
            let mut state = state.clone();
            let mut value = state.pop();
            if let Some((variable, narrowed)) = narrowed(&state, slot, truth) {
                if narrowed.is_never() {
                    continue;
                }
                state.variables[variable as usize] = narrowed;
            }
            let below = state.stack.len() - edge.drops;
            state.stack.truncate(below);
            if edge.keeps {
                if value.holds.kinds == Kinds::BOOL {
                    value.holds = self.types.bool(Some(truth));
                } else if truth {
                    value.holds = value.holds.without(Kinds::NONE);
                }
                value.origin = Origin::Unknown;
                state.stack.push(value);
            }
            self.go(instance, edge.target, state);
        }
        Ok(())
    }

    /// Interprets an instruction that continues with the next one.
    fn plain(&mut self, at: InstanceId, pc: usize, instruction: Instruction, state: &mut State) -> Followed<()> {
        match instruction {
            Instruction::Constant(place) => {
                let constant = self.constant_of(at, place)?;
                state.push(constant);
            }
            Instruction::Load(variable) => self.load(at, variable, state)?,
            Instruction::Store(variable) => {
                let slot = state.pop();
                let Ok(variable) = self.variable(at, variable) else { return gap("`nonlocal` variables") };
                state.forget(variable);
                state.variables[variable as usize] = slot.holds;
            }
            Instruction::LoadGlobal(symbol) => {
                let value = self.global(symbol)?;
                state.push(value);
            }
            Instruction::LoadCell(place) => {
                let captured = match self.variable(at, Variable::Cell(place)) {
                    Ok(variable) => Captured { instance: at, variable },
                    Err(captured) => captured,
                };
                let cell = self.types.thing(Thing::Cell(captured));
                state.push(cell);
            }
            Instruction::Function(code, extras) => {
                let cells = state.pop_many(extras.closure);
                if extras.keyword_defaults {
                    return gap("defaults of keyword-only parameters");
                }
                let defaults = if extras.defaults { self.parts(state.pop().holds) } else { Some(Vec::new()) };
                let defaults = defaults.unwrap_or_default();
                let captured = cells.iter().filter_map(|cell| match self.types.detail(cell.holds) {
                    Some(Thing::Cell(captured)) => Some(*captured),
                    _ => None,
                });
                let function = Thing::Function(code, captured.collect(), defaults);
                let function = self.types.thing(function);
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
            _ => self.on_values(at, pc, instruction, state)?,
        }
        Ok(())
    }

    fn constant_of(&mut self, at: InstanceId, place: u32) -> Followed<Type> {
        let program = self.program;
        Ok(match &program.code(self.get(at).code).constants[place as usize] {
            Constant::None => Type::NONE,
            Constant::Bool(truth) => self.types.bool(Some(*truth)),
            Constant::Int(number) => self.types.thing(Thing::Int(*number)),
            Constant::Float(number) => self.types.thing(Thing::Float(number.to_bits())),
            Constant::Text(symbol) => self.types.thing(Thing::Text(symbol.0)),
            Constant::Bytes(_) => return gap("bytes"),
            Constant::Ellipsis | Constant::BigInt(_) | Constant::Names(_) => return gap("large integers and `...`"),
        })
    }

    /// Returns the type of a variable of an enclosing function at the call that it waits for.
    pub(crate) fn around(&self, captured: Captured) -> Option<Type> {
        let active = self.active.iter().rev().find(|active| active.instance == captured.instance)?;
        active.variables.get(captured.variable as usize).copied()
    }

    fn load(&mut self, at: InstanceId, variable: Variable, state: &mut State) -> Followed<()> {
        let (holds, origin) = match self.variable(at, variable) {
            Ok(variable) => (state.variables[variable as usize], Origin::Variable(variable)),
            Err(captured) => match self.around(captured) {
                Some(holds) => (holds, Origin::Unknown),
                None => return gap("a variable of a function that has returned"),
            },
        };
        let bound = holds.without(Kinds::UNBOUND);
        if bound.is_never() {
            return gap("an unassigned variable");
        }
        if bound.kinds.has(Kinds::ANY) {
            return gap("a variable of several types");
        }
        if let Origin::Variable(variable) = origin {
            state.variables[variable as usize] = bound;
        } else if bound != holds {
            return gap("a variable of an enclosing function that may be unassigned");
        }
        state.stack.push(Slot { holds: bound, origin });
        Ok(())
    }

    fn global(&mut self, symbol: crate::code::Symbol) -> Followed<Type> {
        if self.is_assigned(symbol) {
            return gap("a global that functions assign");
        }
        let program = self.program;
        let name = &program.names[symbol.0 as usize];
        let Some(known) = self.machine.known(name) else { return gap(format!("the undefined name `{name}`")) };
        let found = self.known(&known);
        if found.kinds.has(Kinds::ANY) {
            return gap(format!("the global `{name}`, whose value may change"));
        }
        Ok(found)
    }

    /// Returns the types of a tuple's elements.
    pub(super) fn parts(&self, tuple: Type) -> Option<Vec<Type>> {
        match self.types.detail(tuple) {
            Some(Thing::Tuple(parts)) if tuple.kinds == Kinds::THING => Some(parts.clone()),
            _ => None,
        }
    }

    /// Returns the type of the list that an instruction creates.
    pub(super) fn new_list(&mut self, at: InstanceId, pc: usize) -> Type {
        let key = (at, pc as u32);
        let types = &mut self.types;
        let site = *self.sites.entry(key).or_insert_with(|| types.site());
        Types::list(self.types.root(site))
    }

    /// Interprets an instruction on values of particular kinds.
    fn on_values(&mut self, at: InstanceId, pc: usize, instruction: Instruction, state: &mut State) -> Followed<()> {
        match instruction {
            Instruction::LoadAttribute(symbol) => {
                let slot = state.pop();
                // A value that is not an object raises an exception here.
                if let (Origin::Variable(variable), true) = (slot.origin, slot.holds.kinds.has(Kinds::OBJECT)) {
                    state.variables[variable as usize] = slot.holds.only(Kinds::OBJECT);
                }
                let slot = self.attribute(slot, symbol)?;
                state.stack.push(slot);
            }
            Instruction::StoreAttribute(symbol) => {
                let (object, value) = (state.pop(), state.pop());
                self.set_attribute(object.holds, symbol, value.holds)?;
            }
            Instruction::Unary(operator) => {
                let slot = state.pop();
                let slot = self.unary(operator, slot)?;
                state.stack.push(slot);
            }
            Instruction::Binary(operator) | Instruction::InPlace(operator) => {
                let (right, left) = (state.pop(), state.pop());
                let in_place = matches!(instruction, Instruction::InPlace(_));
                let value = self.binary(at, pc, operator, left.holds, right.holds, in_place)?;
                state.push(value);
            }
            Instruction::Compare(operator) => {
                let (right, left) = (state.pop(), state.pop());
                let slot = self.compare(operator, left, right)?;
                state.stack.push(slot);
            }
            Instruction::LoadItem => {
                let (index, object) = (state.pop(), state.pop());
                let value = self.item(object.holds, index.holds)?;
                state.push(value);
            }
            Instruction::Tuple(count) => {
                let parts = state.pop_many(count).iter().map(|slot| slot.holds).collect();
                let Some(tuple) = self.types.tuple(parts) else { return gap("a tuple with too many elements") };
                state.push(tuple);
            }
            Instruction::List(count) => {
                let parts = state.pop_many(count);
                let list = self.list_display(at, pc, &parts);
                state.push(list);
            }
            Instruction::Append(between) => {
                let value = state.pop().holds;
                let list = state.stack[state.stack.len() - 1 - between as usize].holds;
                self.hold(list, value)?;
            }
            Instruction::Unpack(count) => self.unpack(count, state)?,
            Instruction::Iterate => {
                let value = state.pop().holds;
                let iterator = self.iterate(value)?;
                state.push(iterator);
            }
            Instruction::Call(_) | Instruction::CallNamed(..) => self.call(at, pc, instruction, state)?,
            _ => return gap(what(instruction)),
        }
        Ok(())
    }

    /// Returns the type of a list display. Constants on the right of `in` form a tuple, as in CPython.
    fn list_display(&mut self, at: InstanceId, pc: usize, parts: &[Slot]) -> Type {
        use ruff_python_ast::CmpOp::{In, NotIn};
        let program = self.program;
        let code = program.code(self.get(at).code);
        let searched = matches!(code.instructions.get(pc + 1), Some(Instruction::Compare(In | NotIn)));
        if searched && parts.iter().all(|part| self.types.constant(part.holds).is_some()) {
            return self.types.thing(Thing::Tuple(parts.iter().map(|part| part.holds).collect()));
        }
        let list = self.new_list(at, pc);
        for part in parts {
            self.types.holds(list, part.holds);
        }
        list
    }

    /// Adds a value to the elements of a list.
    pub(super) fn hold(&mut self, list: Type, value: Type) -> Followed<()> {
        if list.kinds != Kinds::LIST {
            return gap("an element added to a value that may not be a list");
        }
        self.types.holds(list, value);
        Ok(())
    }

    fn unpack(&mut self, count: u32, state: &mut State) -> Followed<()> {
        let value = state.pop().holds;
        match self.parts(value) {
            Some(parts) if parts.len() == count as usize => {
                parts.into_iter().rev().for_each(|part| state.push(part));
                Ok(())
            }
            _ => gap("unpacking of a value that is not a tuple of that length"),
        }
    }

    fn iterate(&mut self, value: Type) -> Followed<Type> {
        let iterated = match (value.kinds, self.types.detail(value)) {
            (Kinds::LIST, _) => Iterated::List(value),
            (Kinds::THING, Some(Thing::Range(step))) => Iterated::Range(*step),
            (Kinds::THING, Some(Thing::Iterator(_))) => return Ok(value),
            _ => return gap("a loop over a value that is not a list, a range or `enumerate`"),
        };
        Ok(self.types.thing(Thing::Iterator(iterated)))
    }

    /// Whether a function is a generator.
    pub(super) fn is_generator(&self, code: crate::code::CodeId) -> bool {
        self.program.code(code).kind == CodeKind::Generator
    }
}

/// Returns a description of an instruction.
fn what(instruction: Instruction) -> &'static str {
    match instruction {
        Instruction::StoreGlobal(_) | Instruction::DeleteGlobal(_) => "an assignment to a global",
        Instruction::Set(_) | Instruction::AddToSet(_) | Instruction::UpdateSet => "sets",
        Instruction::Dict | Instruction::AddToDict(_) | Instruction::UpdateDict => "dicts",
        Instruction::StoreItem | Instruction::DeleteItem => "an assignment to an item",
        Instruction::Slice => "slices",
        Instruction::Extend | Instruction::ListToTuple | Instruction::UnpackRest(..) | Instruction::CallUnpacked(_) => {
            "`*` before a value"
        }
        Instruction::Raise(_) | Instruction::Reraise | Instruction::AssertionError => "a `raise` statement",
        Instruction::Format(..) | Instruction::Join(_) => "f-strings",
        Instruction::Import(_) | Instruction::ImportFrom(_) | Instruction::ImportAll => "an import in a function",
        Instruction::Class(_) => "a class in a function",
        Instruction::Delete(_) | Instruction::DeleteAttribute(_) => "`del`",
        _ => "this instruction",
    }
}

/// Returns the variable that a test narrows, with its narrowed type.
fn narrowed(state: &State, slot: Slot, truth: bool) -> Option<(u32, Type)> {
    let of = |variable: u32| state.variables[variable as usize];
    match slot.origin {
        Origin::Variable(variable) if truth => Some((variable, of(variable).without(Kinds::NONE))),
        Origin::Test(variable, test, holds) => {
            let (held, holds) = (of(variable), holds == truth);
            let narrowed = match test {
                Test::None if holds => held.only(Kinds::NONE),
                Test::None => held.without(Kinds::NONE),
                Test::Classes(classes) if holds => held.only(Kinds::OBJECT).narrowed(classes),
                Test::Classes(classes) => held.narrowed(!classes),
            };
            Some((variable, narrowed))
        }
        _ => None,
    }
}
