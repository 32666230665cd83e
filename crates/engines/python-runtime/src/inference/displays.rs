//! The transfer function of instructions that build lists, tuples and dicts, and of patterns.

use super::class_name_keys::EntryValue;
use super::containers::Container;
use super::interpret::{PathEnd, StepResult, description, unsupported};
use super::types::{Kinds, Type, TypeDetail};
use super::{AbstractState, Inference, InstanceId, StackValue};
use std::sync::Arc;

use crate::code::{Instruction, Symbol};
use crate::machine::{ClassMember, ConstantValue, Construction};

impl Inference<'_> {
    /// Interprets an instruction that builds a list, tuple or dict.
    pub(super) fn interpret_display(
        &mut self,
        at: InstanceId,
        pc: usize,
        instruction: Instruction,
        state: &mut AbstractState,
    ) -> StepResult<()> {
        match instruction {
            Instruction::Dict => {
                let dict = self.new_record_at(at, pc, None);
                state.push(dict);
            }
            Instruction::Set(count) => {
                let members = state.pop_many(count);
                let set = self.new_container(at, pc, 0, Container::Set);
                for member in members {
                    self.add_entry(set, member.ty, None)?;
                }
                state.push(set);
            }
            Instruction::AddToSet(between) => {
                let member = state.pop().ty;
                let set = state.stack[state.stack.len() - 1 - between as usize].ty;
                self.add_entry(set, member, None)?;
            }
            Instruction::AddToDict(between) => {
                let (value, key) = (state.pop(), state.pop());
                let dict = state.stack[state.stack.len() - 1 - between as usize].ty;
                let entry = EntryValue::new(self, state, key, value);
                self.set_dict_entry(dict, key.ty, entry, between == 0)?;
            }
            Instruction::Tuple(count) => {
                let parts = state.pop_many(count).iter().map(|slot| slot.ty).collect();
                let Some(tuple) = self.types.tuple(parts) else { return unsupported("a tuple with too many elements") };
                state.push(tuple);
            }
            Instruction::List(count) if self.builds_tuple(at, pc) => {
                let parts = state.pop_many(count).iter().map(|slot| slot.ty).collect();
                let Some(tuple) = self.types.tuple(parts) else { return unsupported("a tuple with too many elements") };
                state.push(tuple);
            }
            Instruction::ListToTuple => {
                if state.stack.last().is_none_or(|slot| self.tuple_types(slot.ty).is_none()) {
                    return unsupported("a tuple of a variable number of elements");
                }
            }
            Instruction::UnpackStarred(before, after) => {
                self.unpack_starred(at, pc, (before as usize, after as usize), state)?;
            }
            Instruction::Extend => {
                let iterable = state.pop().ty;
                let whole = state.pop().ty;
                let called = state.stack.last().map_or(Type::NEVER, |slot| slot.ty);
                let extended = self.extend_display(at, pc, (called, whole), iterable)?;
                state.push(extended);
            }
            Instruction::MergeKeywords => {
                let mapping = state.pop().ty;
                let Some(top) = state.stack.last().copied() else { return Err(PathEnd::Unreachable) };
                for (key, value) in self.dict_fields(mapping)? {
                    if value.kinds.intersects(Kinds::UNBOUND) {
                        return unsupported("`**` before a dict whose keys are known only at run time");
                    }
                    self.set_dict_item(top.ty, key, value, true)?;
                }
            }
            Instruction::List(count) => {
                let parts = state.pop_many(count);
                let list = self.list_display(at, pc, &parts);
                state.push(list);
            }
            Instruction::Append(between) => {
                let value = state.pop().ty;
                let place = state.stack.len() - 1 - between as usize;
                let list = state.stack[place].ty;
                if let Some(mut parts) = self.tuple_types(list) {
                    parts.push(value);
                    let Some(tuple) = self.types.tuple(parts) else {
                        return unsupported("a tuple with too many elements");
                    };
                    state.stack[place].ty = tuple;
                    return Ok(());
                }
                self.store_element(list, value)?;
            }
            _ => self.interpret_pattern(at, instruction, state)?,
        }
        Ok(())
    }

    /// Interprets a test of a pattern.
    fn interpret_pattern(
        &mut self,
        at: InstanceId,
        instruction: Instruction,
        state: &mut AbstractState,
    ) -> StepResult<()> {
        match instruction {
            Instruction::MatchInstance => {
                let (class, subject) = (state.pop(), state.pop());
                let slot = self.is_instance(subject, class.ty)?;
                state.stack.push(slot);
            }
            Instruction::MatchAttributes(count, names) => {
                state.pop();
                let subject = state.pop().ty;
                let names = self.keyword_names(at, names);
                let Some(keys) = self.matched_fields(subject, count as usize, &names) else {
                    return unsupported(description(instruction));
                };
                let field = |key: &Type| self.types.record(subject)?.fields.get(key).copied();
                let parts: Vec<Type> = keys.iter().filter_map(field).collect();
                let values = self.types.detailed(TypeDetail::Tuple(parts));
                state.push(values);
            }
            Instruction::MatchSequence => {
                let subject = state.pop().ty;
                let matches = self.is_sequence(subject)?;
                let matches = self.types.bool(Some(matches));
                state.push(matches);
            }
            Instruction::Length => {
                let subject = state.pop().ty;
                let length = match self.tuple_types(subject) {
                    Some(parts) => self.types.detailed(TypeDetail::Int(i64::try_from(parts.len()).unwrap_or(i64::MAX))),
                    None if self.types.is_sequence(subject) => Type::INT,
                    None => return unsupported("the length of a value that is neither a tuple nor a list"),
                };
                state.push(length);
            }
            _ => return unsupported(description(instruction)),
        }
        Ok(())
    }

    /// Returns the keys of the fields of instances that a class pattern matches: those of the first positional patterns, and others by
    /// their names; `None` if the instances may lack one of them.
    pub(crate) fn matched_fields(&mut self, subject: Type, count: usize, names: &[Symbol]) -> Option<Vec<Type>> {
        let class = self.types.record(subject).filter(|_| subject.kinds == Kinds::RECORD)?.class?;
        let mut matched: Vec<Arc<str>> = Vec::new();
        if count > 0 {
            let Some(ClassMember::Value(ConstantValue::Tuple(positional))) = self.class_member(class, "__match_args__")
            else {
                return None;
            };
            for name in positional.get(..count)? {
                let ConstantValue::Text(name) = name else { return None };
                matched.push(Arc::clone(name));
            }
        }
        let program = self.program;
        matched.extend(names.iter().map(|name| program.name(*name).into()));
        let mut keys = Vec::with_capacity(matched.len());
        for name in &matched {
            let key = self.types.text(name);
            let is_field =
                !matches!(self.class_member(class, name), Some(ClassMember::Property(..) | ClassMember::Other));
            let field = self.types.record(subject)?.fields.get(&key).copied().filter(|_| is_field)?;
            if keys.contains(&key) || field.kinds.intersects(Kinds::UNBOUND) {
                return None;
            }
            keys.push(key);
        }
        Some(keys)
    }

    /// Returns whether a sequence pattern may match a value.
    fn is_sequence(&self, subject: Type) -> StepResult<bool> {
        let others = Kinds::NUMBER.union(Kinds::BOOL).union(Kinds::TEXT).union(Kinds::NONE).union(Kinds::OBJECT);
        if self.types.is_sequence(subject) || self.tuple_types(subject).is_some() {
            Ok(true)
        } else if subject.kinds.is_subset(others) {
            Ok(false)
        } else {
            unsupported("a sequence pattern for values of several types")
        }
    }

    /// Whether a list display is converted to a tuple, as those of arguments with `*` are.
    pub(crate) fn builds_tuple(&self, at: InstanceId, pc: usize) -> bool {
        let code = self.program.code(self.instance_at(at).code);
        let rest = code.instructions.iter().skip(pc + 1);
        let found = rest.into_iter().find(|instruction| {
            matches!(
                instruction,
                Instruction::List(_) | Instruction::ListToTuple | Instruction::Store(_) | Instruction::Return
            )
        });
        found == Some(&Instruction::ListToTuple)
    }

    /// Returns the type of a list or tuple under construction with the values of an iterable added.
    fn extend_display(
        &mut self,
        at: InstanceId,
        pc: usize,
        (called, whole): (Type, Type),
        iterable: Type,
    ) -> StepResult<Type> {
        let spread = self.tuple_types(iterable).or_else(|| self.spread_list(at, pc, called, whole, iterable));
        match (self.tuple_types(whole), spread) {
            (Some(mut parts), Some(more)) => {
                parts.extend(more);
                match self.types.tuple(parts) {
                    Some(tuple) => Ok(tuple),
                    None => unsupported("a tuple with too many elements"),
                }
            }
            (Some(_), None) => unsupported("`*` before a value of variable length"),
            (None, _) => {
                let values = self.value_type(at, pc, iterable)?;
                self.store_element(whole, values)?;
                Ok(whole)
            }
        }
    }

    /// Returns the types of the elements of a list before which a call has `*`: as many as the called function lacks arguments; `None` if
    /// their number is not known.
    pub(crate) fn spread_list(
        &mut self,
        at: InstanceId,
        pc: usize,
        called: Type,
        whole: Type,
        list: Type,
    ) -> Option<Vec<Type>> {
        if !self.types.is_sequence(list) {
            return None;
        }
        let given = self.tuple_types(whole)?.len();
        let code = self.program.code(self.instance_at(at).code);
        let rest = code.instructions.iter().skip(pc + 1);
        let until: Vec<_> = rest.take_while(|instruction| **instruction != Instruction::ListToTuple).collect();
        let later = until.iter().filter(|instruction| matches!(instruction, Instruction::Append(_))).count();
        let is_call = matches!(code.instructions.get(pc + until.len() + 2), Some(Instruction::CallUnpacked(false)));
        if !is_call || until.iter().any(|instruction| matches!(instruction, Instruction::Extend)) {
            return None;
        }
        let wanted = self.parameter_count(called)?.checked_sub(given + later)?;
        let element = self.types.element(list);
        Some(vec![element; wanted])
    }

    /// Returns the number of arguments of a function, or of the constructor of a class, if it takes exactly as many.
    fn parameter_count(&mut self, called: Type) -> Option<usize> {
        let (code, bound) = match self.types.detail(called)? {
            TypeDetail::Function(code, ..) => (*code, 0),
            TypeDetail::BoundFunction(_, code, _) => (*code, 1),
            &TypeDetail::ProgramClass(class) => match self.construction(class)? {
                Construction::Init(init) => (init.code, 1),
                Construction::Fields(fields) => {
                    return fields.iter().all(|(_, default)| default.is_none()).then_some(fields.len());
                }
                Construction::Empty => return Some(0),
            },
            _ => return None,
        };
        let signature = &self.program.code(code).signature;
        let is_exact = signature.defaults == 0
            && signature.keyword_only.is_empty()
            && signature.var_positional.is_none()
            && signature.var_keyword.is_none();
        if is_exact { signature.positional.len().checked_sub(bound) } else { None }
    }

    /// Interprets the unpacking of an iterable into elements before and after a list of the others.
    fn unpack_starred(
        &mut self,
        at: InstanceId,
        pc: usize,
        (before, after): (usize, usize),
        state: &mut AbstractState,
    ) -> StepResult<()> {
        let value = state.pop().ty;
        let rest = self.new_list(at, pc);
        let (leading, trailing) = if let Some(mut parts) = self.tuple_types(value) {
            if parts.len() < before + after {
                return unsupported("unpacking of too few values");
            }
            let trailing = parts.split_off(parts.len() - after);
            for part in parts.split_off(before) {
                self.types.add_element(rest, part);
            }
            (parts, trailing)
        } else if self.types.is_sequence(value) {
            let element = self.types.element(value);
            if element.is_never() && before + after > 0 {
                return Err(PathEnd::Unreachable);
            }
            self.types.add_element(rest, element);
            (vec![element; before], vec![element; after])
        } else {
            return unsupported("unpacking of a value that is neither a tuple nor a list");
        };
        trailing.into_iter().rev().for_each(|part| state.push(part));
        state.push(rest);
        leading.into_iter().rev().for_each(|part| state.push(part));
        Ok(())
    }

    /// Returns the type of a list display. Constants on the right of `in` form a tuple, as in CPython.
    fn list_display(&mut self, at: InstanceId, pc: usize, parts: &[StackValue]) -> Type {
        use crate::operators::ComparisonOperator::{In, NotIn};
        let program = self.program;
        let code = program.code(self.instance_at(at).code);
        let searched = matches!(code.instructions.get(pc + 1), Some(Instruction::Compare(In | NotIn)));
        if searched && parts.iter().all(|part| self.types.constant(part.ty).is_some()) {
            return self.types.detailed(TypeDetail::Tuple(parts.iter().map(|part| part.ty).collect()));
        }
        let list = self.new_list(at, pc);
        for part in parts {
            self.types.add_element(list, part.ty);
        }
        list
    }
}
