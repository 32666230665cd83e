//! Iterables that are lists here: those of `zip`, the items and values of dicts with known keys, and generators in loops. Their
//! values are read when they are made, and they can be read again. In Python, values are read when they are asked for, so programs where
//! that makes a difference are rejected.

use super::interpret::{StepResult, unsupported};
use super::types::{CapturedVariable, Type, TypeDetail};
use super::{Inference, InstanceId, StackValue};
use crate::code::{CodeId, CodeKind, CodeObject, Instruction, Variable};
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

    /// Rejects a generator that the call at `pc` reads for an iterable, unless it has no effects and is used by a loop at once.
    pub(super) fn check_generator_argument(
        &self,
        at: InstanceId,
        pc: usize,
        stack: &[StackValue],
        iterable: Type,
    ) -> StepResult<()> {
        let Some(TypeDetail::Generator(generator, captured, _)) = self.types.detail(iterable) else { return Ok(()) };
        let code = self.program.code(self.instance_at(at).code);
        match code.instructions.get(pc + 1) {
            Some(Instruction::Iterate) => self.check_generator_loop(at, pc + 1, stack, (*generator, captured)),
            _ => self.check_has_no_effects(at, iterable),
        }
    }

    /// Rejects a generator with effects where its values are read early.
    pub(super) fn check_has_no_effects(&self, at: InstanceId, iterable: Type) -> StepResult<()> {
        let code = self.program.code(self.instance_at(at).code);
        match self.types.detail(iterable) {
            Some(TypeDetail::Generator(generator, ..))
                if self.generator_has_effects(code, self.program.code(*generator)) =>
            {
                unsupported("a generator that changes what others read")
            }
            _ => Ok(()),
        }
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
        let made = self.program.code(generator);
        let is_call =
            |instruction: &Instruction| matches!(instruction, Instruction::Call(_) | Instruction::CallKeywords(..));
        let is_function = |instruction: &Instruction| match instruction {
            Instruction::Function(own, _) => *own == generator,
            Instruction::LoadGlobal(name) | Instruction::LoadMethod(name) => self.program.name(*name) == &*made.name,
            _ => false,
        };
        let start = code.instructions[..pc].iter().rposition(is_function);
        let Some(start) = start.filter(|_| is_call(&code.instructions[pc - 1])) else {
            return unsupported("a loop over a generator that was made before");
        };
        let (body, is_comprehension) = match code.instructions.get(pc + 1) {
            Some(&Instruction::Next(end)) => (&code.instructions[pc + 2..end as usize], false),
            Some(Instruction::Call(1)) => match self.comprehension(stack) {
                Some((place, own))
                    if own.kind != CodeKind::GeneratorExpression
                        || self.is_consumed(&stack[..place]) && !self.is_quantified(&stack[..place]) =>
                {
                    (&own.instructions[..], true)
                }
                _ => return unsupported("a generator expression over a generator"),
            },
            _ => return unsupported("a generator whose values are not used by a loop"),
        };
        if !is_comprehension && may_leave(body, pc + 2) {
            return unsupported("a loop over a generator that may end before it");
        }
        let read: Vec<Variable> = code.instructions[start..pc].iter().filter_map(loaded).collect();
        let locals = code.locals.len() as u32;
        let is_seen = |variable: Variable| match variable {
            Variable::Cell(place) => captured.contains(&CapturedVariable { instance: at, variable: locals + place }),
            Variable::Local(_) => false,
        };
        let stores_seen =
            body.iter().any(|instruction| matches!(instruction, Instruction::Store(own) if is_seen(*own)));
        let grows = |pair: &[Instruction]| matches!(pair, [Instruction::InPlace(_), Instruction::Store(own)] if read.contains(own));
        let has_effects = self.has_effects(body) || self.calls_program(body) && self.has_functions_with_effects(code);
        if stores_seen || body.windows(2).any(grows) || has_effects || self.generator_has_effects(code, made) {
            return unsupported("a loop over a generator that may change what it reads");
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

    /// Whether the value on the stack is an argument of `any` or `all`, which may not ask for all values.
    fn is_quantified(&self, stack: &[StackValue]) -> bool {
        matches!(self.consumer(stack), Some(BuiltinForm::Quantifier { .. }))
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

    /// Whether the code of a generator, made by a caller, changes anything that other code sees, perhaps in place.
    fn generator_has_effects(&self, caller: &CodeObject, made: &CodeObject) -> bool {
        self.has_effects(&made.instructions)
            || may_grow(&made.instructions)
            || self.calls_program(&made.instructions) && self.has_functions_with_effects(caller)
    }

    /// Whether instructions change anything that other code sees.
    fn has_effects(&self, instructions: &[Instruction]) -> bool {
        self.has_changes(instructions)
            || instructions.iter().any(|instruction| {
                matches!(
                    instruction,
                    Instruction::StoreAttribute(_)
                        | Instruction::DeleteAttribute(_)
                        | Instruction::StoreGlobal(_)
                        | Instruction::DeleteGlobal(_)
                )
            })
    }

    /// Whether a function of the program other than a caller changes anything that other code sees, perhaps in place.
    fn has_functions_with_effects(&self, caller: &CodeObject) -> bool {
        let is_other = |code: &&CodeObject| code.kind != CodeKind::Module && !std::ptr::eq(*code, caller);
        self.program.codes.iter().filter(is_other).any(|code| {
            let is_captured = |instruction: &Instruction| matches!(instruction, Instruction::Store(Variable::Cell(_)));
            self.has_effects(&code.instructions)
                || may_grow(&code.instructions)
                || code.kind != CodeKind::GeneratorExpression && code.instructions.iter().any(is_captured)
        })
    }

    fn has_changing_functions(&self) -> bool {
        let functions = self.program.codes.iter().filter(|code| code.kind != CodeKind::Module);
        functions.into_iter().any(|code| self.has_changes(&code.instructions))
    }
}

/// Whether instructions may change a value in place: what a constant is added to is no list.
fn may_grow(instructions: &[Instruction]) -> bool {
    let is_growth = |pair: &[Instruction]| {
        matches!(pair[1], Instruction::InPlace(_)) && !matches!(pair[0], Instruction::Constant(_))
    };
    instructions.windows(2).any(is_growth)
}

/// Whether instructions of a loop, the first of which has the index `first`, may leave the loop before its end.
fn may_leave(body: &[Instruction], first: usize) -> bool {
    let last = first + body.len();
    let is_outside = |target: u32| !(first - 1..=last).contains(&(target as usize));
    body.iter().any(|instruction| match *instruction {
        Instruction::Return | Instruction::Raise(_) => true,
        Instruction::Jump(target)
        | Instruction::JumpIfFalse(target)
        | Instruction::JumpIfTrue(target)
        | Instruction::JumpIfFalseOrPop(target)
        | Instruction::JumpIfTrueOrPop(target)
        | Instruction::Next(target)
        | Instruction::Delegate(target) => is_outside(target),
        _ => false,
    })
}

fn loaded(instruction: &Instruction) -> Option<Variable> {
    match instruction {
        Instruction::Load(variable) => Some(*variable),
        _ => None,
    }
}
