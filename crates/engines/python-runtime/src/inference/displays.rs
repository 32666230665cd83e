//! The transfer function of instructions that build lists, tuples and dicts, and of patterns.

use super::class_name_keys::EntryValue;
use super::containers::Container;
use super::interpret::{PathEnd, StepResult, description, unsupported};
use super::types::{Kinds, Type, TypeDetail};
use super::{AbstractState, Inference, InstanceId, StackValue};
use crate::code::Instruction;

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
            Instruction::Extend => {
                let iterable = state.pop().ty;
                let whole = state.pop().ty;
                let extended = self.extend_display(at, pc, whole, iterable)?;
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
            _ => self.interpret_pattern(instruction, state)?,
        }
        Ok(())
    }

    /// Interprets a test of a pattern.
    fn interpret_pattern(&mut self, instruction: Instruction, state: &mut AbstractState) -> StepResult<()> {
        match instruction {
            Instruction::MatchInstance => {
                let (class, subject) = (state.pop(), state.pop());
                if !matches!(self.types.detail(class.ty), Some(TypeDetail::Class(_))) {
                    return unsupported("a class pattern with a class that is not a class of the world");
                }
                let slot = self.is_instance(subject, class.ty)?;
                state.stack.push(slot);
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
    fn extend_display(&mut self, at: InstanceId, pc: usize, whole: Type, iterable: Type) -> StepResult<Type> {
        match (self.tuple_types(whole), self.tuple_types(iterable)) {
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
