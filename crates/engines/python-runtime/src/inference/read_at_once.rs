//! Iterables that are lists here: those of `zip`, the items and values of dicts with known keys, and generators in loops. Their
//! values are read when they are made, and they can be read again. In Python, values are read when they are asked for, so programs where
//! that makes a difference are rejected.

use super::effects::Effects;
use super::interpret::{StepResult, unsupported};
use super::types::{CapturedVariable, Type, TypeDetail};
use super::{Inference, InstanceId, StackValue};
use crate::code::{CodeId, Instruction};
use crate::machine::library_function::BuiltinForm;
use crate::operators::ComparisonOperator;

impl Inference<'_> {
    /// Rejects such an iterable, made by the call at `pc`, unless it is used at once: by a loop whose body cannot change what it
    /// reads, or by an instruction or function that reads all of its values. `stack` is what lies below the function that is called.
    pub(super) fn check_read_at_once(
        &self,
        at: InstanceId,
        pc: usize,
        stack: &[StackValue],
        name: &str,
    ) -> StepResult<()> {
        let code = self.program.code(self.instance_at(at).code);
        let is_call = |instruction: &&Instruction| {
            matches!(instruction, Instruction::Constant(_) | Instruction::Call(_) | Instruction::CallKeywords(..))
        };
        let calls = code.instructions[pc + 1..].iter().take_while(is_call).count();
        let next = code.instructions.get(pc + 1 + calls);
        let is_looped = matches!(next, Some(Instruction::Iterate));
        let is_read = match code.instructions.get(pc + 1) {
            Some(
                Instruction::Iterate
                | Instruction::Extend
                | Instruction::UpdateSet
                | Instruction::UpdateDict
                | Instruction::Unpack(_)
                | Instruction::UnpackStarred(..)
                | Instruction::Compare(ComparisonOperator::In | ComparisonOperator::NotIn),
            ) => true,
            _ => match self.consumer(stack) {
                Some(BuiltinForm::Enumerate | BuiltinForm::Zip) => is_looped,
                Some(BuiltinForm::Length) => name != "zip",
                _ => self.is_consumed(stack),
            },
        };
        if !is_read {
            return unsupported(format!("`{name}` whose values are not used at once"));
        }
        let may_change = match code.instructions.get(pc + 2 + calls) {
            Some(&Instruction::Next(end)) if is_looped => {
                self.have_effects(at, pc + 3 + calls..end as usize, Effects::OfContainers)
            }
            Some(Instruction::Call(1)) if is_looped => {
                let Some((place, body)) = self.comprehension(stack) else { return Ok(()) };
                if self.is_generator_expression(body) && !self.is_consumed(&stack[..place]) {
                    return unsupported(format!("a generator over `{name}` whose values are not used at once"));
                }
                self.callees_have_effects(at, body, Effects::OfContainers)
            }
            _ => false,
        };
        if may_change {
            return unsupported(format!("a loop over `{name}` whose body may change the values"));
        }
        Ok(())
    }

    /// Rejects a generator that the call at `pc` reads for another iterable, unless all of its values are used at once.
    pub(super) fn check_generator_argument(
        &self,
        at: InstanceId,
        pc: usize,
        stack: &[StackValue],
        iterable: Type,
    ) -> StepResult<()> {
        let Some(TypeDetail::Generator(generator, captured, _)) = self.types.detail(iterable) else { return Ok(()) };
        let code = self.program.code(self.instance_at(at).code);
        if matches!(code.instructions.get(pc + 1), Some(Instruction::Iterate)) {
            return self.check_generator_loop(at, pc + 1, stack, (*generator, captured));
        }
        if !self.is_consumed(stack) || self.callees_have_effects(at, *generator, Effects::All(&[])) {
            return unsupported("a generator whose values are not used at once");
        }
        Ok(())
    }

    /// Rejects a loop over a generator, at the instruction `pc` that begins the loop, where the generator and the body of the loop
    /// could see each other's effects, or where the loop may end before the generator does.
    pub(super) fn check_generator_loop(
        &self,
        at: InstanceId,
        pc: usize,
        stack: &[StackValue],
        (generator, captured): (CodeId, &[CapturedVariable]),
    ) -> StepResult<()> {
        let code = self.program.code(self.instance_at(at).code);
        let effects = Effects::All(captured);
        let has_effects = match code.instructions.get(pc + 1) {
            Some(&Instruction::Next(end)) => {
                let body = pc + 2..end as usize;
                if may_leave(&code.instructions[body.clone()], body.start) {
                    return unsupported("a loop over a generator that may end before it");
                }
                self.have_effects(at, body, effects)
            }
            Some(Instruction::Call(1)) => match self.comprehension(stack) {
                Some((place, own))
                    if !self.is_generator_expression(own)
                        || self.is_consumed(&stack[..place]) && !self.is_quantified(&stack[..place]) =>
                {
                    self.callees_have_effects(at, own, effects)
                }
                _ => return unsupported("a generator expression over a generator"),
            },
            _ => return unsupported("a generator whose values are not used by a loop"),
        };
        if has_effects || self.callees_have_effects(at, generator, Effects::All(&[])) {
            return unsupported("a loop over a generator that may change what it reads");
        }
        Ok(())
    }

    /// Returns the code of the comprehension or generator expression that iterates, which lies below its iterable on the stack, and its place
    /// there.
    fn comprehension(&self, stack: &[StackValue]) -> Option<(usize, CodeId)> {
        let mut functions =
            stack.iter().enumerate().rev().filter_map(|(place, slot)| match self.types.detail(slot.ty) {
                Some(TypeDetail::Function(code, ..)) => Some((place, *code)),
                _ => None,
            });
        functions.next()
    }

    /// Whether the value on the stack is an argument of a built-in function that reads all of its values.
    fn is_consumed(&self, stack: &[StackValue]) -> bool {
        matches!(
            self.consumer(stack),
            Some(
                BuiltinForm::Sum
                    | BuiltinForm::Extreme { .. }
                    | BuiltinForm::Sorted
                    | BuiltinForm::ToList
                    | BuiltinForm::ToTuple
                    | BuiltinForm::ToSet
                    | BuiltinForm::ToDict
                    | BuiltinForm::Quantifier { .. }
            )
        )
    }

    /// Whether the value on the stack is an argument of `any` or `all`, which may not ask for all values.
    fn is_quantified(&self, stack: &[StackValue]) -> bool {
        matches!(self.consumer(stack), Some(BuiltinForm::Quantifier { .. }))
    }

    /// Returns the built-in function that the value on the stack is an argument of.
    pub(super) fn consumer(&self, stack: &[StackValue]) -> Option<BuiltinForm> {
        let details = stack.iter().rev().filter_map(|slot| self.types.detail(slot.ty));
        let mut functions = details.filter(|detail| !matches!(detail, TypeDetail::Iterator(_) | TypeDetail::Tuple(_)));
        match functions.next() {
            Some(TypeDetail::Builtin(builtin)) => builtin.form,
            _ => None,
        }
    }
}

/// Whether instructions of a loop, the first of which has the index `first`, may leave the loop before its end.
fn may_leave(body: &[Instruction], first: usize) -> bool {
    // A loop that is left by `break` goes on behind its last instruction.
    let own = first - 1..first + body.len();
    body.iter().any(|instruction| {
        matches!(instruction, Instruction::Return | Instruction::Raise(_))
            || instruction.jump_target().is_some_and(|target| !own.contains(&target))
    })
}
