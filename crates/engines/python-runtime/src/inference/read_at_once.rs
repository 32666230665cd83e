//! Iterables that are lists here: those of `zip`, and the items and values of dicts with known keys. Their values are read when they are
//! made, and they can be read again. In Python, values are read when they are asked for, so programs where that makes a difference are
//! rejected.

use super::interpret::{StepResult, unsupported};
use super::types::TypeDetail;
use super::{Inference, InstanceId, StackValue};
use crate::code::{CodeKind, CodeObject, Instruction, Variable};
use crate::machine::library_function::BuiltinForm;
use crate::operators::ComparisonOperator;

/// The methods that change lists, dicts and sets.
const CHANGING_METHODS: [&str; 15] = [
    "add",
    "append",
    "appendleft",
    "clear",
    "discard",
    "extend",
    "insert",
    "pop",
    "popitem",
    "popleft",
    "remove",
    "reverse",
    "setdefault",
    "sort",
    "update",
];

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
            Some(&Instruction::Next(end)) if is_looped => self.may_change(code, pc, pc + 3 + calls..end as usize),
            Some(Instruction::Call(1)) if is_looped => {
                let Some((place, body)) = self.comprehension(stack) else { return Ok(()) };
                if body.kind == CodeKind::GeneratorExpression && !self.is_consumed(&stack[..place]) {
                    return unsupported(format!("a generator over `{name}` whose values are not used at once"));
                }
                self.may_change(body, 0, 0..body.instructions.len())
            }
            _ => false,
        };
        if may_change {
            return unsupported(format!("a loop over `{name}` whose body may change the values"));
        }
        Ok(())
    }

    /// Returns the code of the comprehension or generator expression that iterates, which lies below its iterable on the stack, and its place
    /// there.
    fn comprehension(&self, stack: &[StackValue]) -> Option<(usize, &CodeObject)> {
        let mut functions =
            stack.iter().enumerate().rev().filter_map(|(place, slot)| match self.types.detail(slot.ty) {
                Some(TypeDetail::Function(code, ..)) => Some((place, self.program.code(*code))),
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

    /// Returns the built-in function that the value on the stack is an argument of.
    fn consumer(&self, stack: &[StackValue]) -> Option<BuiltinForm> {
        let details = stack.iter().rev().filter_map(|slot| self.types.detail(slot.ty));
        let mut functions = details.filter(|detail| !matches!(detail, TypeDetail::Iterator(_) | TypeDetail::Tuple(_)));
        match functions.next() {
            Some(TypeDetail::Builtin(builtin)) => builtin.form,
            _ => None,
        }
    }

    /// Whether the body of a loop may change lists or dicts that the call at `pc` reads.
    fn may_change(&self, code: &CodeObject, pc: usize, body: std::ops::Range<usize>) -> bool {
        let (before, body) = (&code.instructions[..pc], &code.instructions[body]);
        // The arguments are loaded after the function.
        let is_load = |instruction: &&Instruction| {
            matches!(instruction, Instruction::Load(_) | Instruction::Constant(_) | Instruction::LoadAttribute(_))
        };
        let arguments: Vec<Variable> = before.iter().rev().take_while(is_load).filter_map(loaded).collect();
        let grows = |pair: &[Instruction]| matches!(pair, [Instruction::InPlace(_), Instruction::Store(variable)] if arguments.contains(variable));
        self.has_changes(body)
            || body.windows(2).any(grows)
            || self.calls_program(body) && self.has_changing_functions()
    }

    /// Whether instructions change elements of lists or dicts.
    fn has_changes(&self, instructions: &[Instruction]) -> bool {
        instructions.iter().any(|instruction| match instruction {
            Instruction::StoreItem | Instruction::DeleteItem => true,
            Instruction::LoadMethod(symbol) => CHANGING_METHODS.contains(&self.program.name(*symbol)),
            _ => false,
        })
    }

    /// Whether instructions may call functions of the program.
    fn calls_program(&self, instructions: &[Instruction]) -> bool {
        let is_of_program = |name: &str| self.program.codes.iter().any(|code| &*code.name == name);
        let (mut calls, mut others) = (0, 0);
        for instruction in instructions {
            match instruction {
                Instruction::Call(_) | Instruction::CallKeywords(..) | Instruction::CallUnpacked(_) => calls += 1,
                Instruction::LoadGlobal(symbol) | Instruction::LoadMethod(symbol) => {
                    let name = self.program.name(*symbol);
                    if is_of_program(name) {
                        return true;
                    }
                    others += 1;
                }
                _ => {}
            }
        }
        // A call of a function that a variable holds.
        calls > others
    }

    fn has_changing_functions(&self) -> bool {
        let functions = self.program.codes.iter().filter(|code| code.kind != CodeKind::Module);
        functions.into_iter().any(|code| self.has_changes(&code.instructions))
    }
}

fn loaded(instruction: &Instruction) -> Option<Variable> {
    match instruction {
        Instruction::Load(variable) => Some(*variable),
        _ => None,
    }
}
