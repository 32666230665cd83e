//! Effects of code: whether instructions, and the functions of the program that they call, change what other code sees.
//!
//! The test is about the types of a pass of the inference. The last pass has the types of all others, so what it accepts has no effects.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::joins::NUMBER_FUNCTIONS;
use super::types::{CapturedVariable, Kinds, Type, TypeDetail};
use super::{AbstractState, CallKey, Inference, InstanceId};
use crate::code::{CodeId, CodeKind, Instruction, Variable};
use crate::library::{BuiltinForm, MethodEffect};
use crate::machine::{ConstantValue, FunctionConstant};

/// The built-in functions without a form of their own that change nothing.
const PURE_FUNCTIONS: [&str; 7] = ["bin", "divmod", "getattr", "hasattr", "map", "pow", "round"];

/// The effects that a test looks for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Effects<'a> {
    /// Changes of lists, dicts and sets.
    OfContainers,
    /// Also assignments of attributes, of global variables, of variables of enclosing functions, and of these variables.
    All(&'a [CapturedVariable]),
}

impl Inference<'_> {
    /// Whether instructions of an instance, or what they call, have effects.
    pub(super) fn have_effects(&self, at: InstanceId, range: Range<usize>, effects: Effects<'_>) -> bool {
        let mut pending: Vec<(InstanceId, Range<usize>)> = vec![(at, range)];
        let mut known: FxHashSet<InstanceId> = FxHashSet::default();
        while let Some((instance, range)) = pending.pop() {
            if range.clone().any(|pc| self.has_effect(instance, pc, effects)) {
                return true;
            }
            for (_, &callee) in self.calls_of(instance, range) {
                if known.insert(callee) {
                    pending.push((callee, 0..self.instance_at(callee).states.len()));
                }
            }
        }
        false
    }

    /// Whether functions with a code that an instance calls, wherever it does, have effects.
    pub(super) fn callees_have_effects(&self, at: InstanceId, code: CodeId, effects: Effects<'_>) -> bool {
        let of_code = self.calls_of(at, 0..usize::MAX).filter(|((_, _, own, _), _)| *own == code);
        of_code.into_iter().any(|(_, &callee)| self.has_effects(callee, effects))
    }

    /// Whether any function that the instruction at `pc` calls has effects.
    pub(super) fn call_has_effects(&self, at: InstanceId, pc: usize) -> bool {
        self.calls_of(at, pc..pc + 1).any(|(_, &callee)| self.has_effects(callee, Effects::All(&[])))
    }

    fn has_effects(&self, instance: InstanceId, effects: Effects<'_>) -> bool {
        self.have_effects(instance, 0..self.instance_at(instance).states.len(), effects)
    }

    /// Returns the functions that instructions of an instance call, also by properties, special methods and library functions.
    fn calls_of(&self, at: InstanceId, range: Range<usize>) -> impl Iterator<Item = (&CallKey, &InstanceId)> {
        let from = u32::try_from(range.start).unwrap_or(u32::MAX);
        let calls = self.callees.range((at, from, CodeId(0), 0)..);
        calls.take_while(move |((caller, pc, ..), _)| *caller == at && (*pc as usize) < range.end)
    }

    fn has_effect(&self, instance: InstanceId, pc: usize, effects: Effects<'_>) -> bool {
        let found = self.instance_at(instance);
        let Some(state) = &found.states[pc] else { return false };
        match self.program.code(found.code).instructions[pc] {
            Instruction::StoreItem | Instruction::DeleteItem | Instruction::CallUnpacked(_) => true,
            Instruction::StoreAttribute(_)
            | Instruction::DeleteAttribute(_)
            | Instruction::StoreGlobal(_)
            | Instruction::DeleteGlobal(_) => matches!(effects, Effects::All(_)),
            Instruction::Store(variable) | Instruction::Delete(variable) => match effects {
                Effects::OfContainers => false,
                Effects::All(seen) => match self.variable_index(instance, variable) {
                    Ok(variable) => seen.contains(&CapturedVariable { instance, variable }),
                    Err(_) => true,
                },
            },
            Instruction::InPlace(_) => !self.is_immutable(below(state, 1)),
            Instruction::Call(count) | Instruction::CallKeywords(count, _) => {
                self.changes_argument(state, count as usize)
            }
            _ => false,
        }
    }

    /// Whether a call of a function of a library changes its receiver or an argument. Functions of the program are tested by their code.
    fn changes_argument(&self, state: &AbstractState, count: usize) -> bool {
        self.function_changes_argument(below(state, count), state, count)
    }

    fn function_changes_argument(&self, function: Type, state: &AbstractState, count: usize) -> bool {
        match self.types.detail(function) {
            Some(TypeDetail::OneOf(alternatives)) => {
                alternatives.iter().any(|&function| self.function_changes_argument(function, state, count))
            }
            Some(TypeDetail::Method(_, method)) => method.effect != MethodEffect::Reads,
            Some(TypeDetail::LibraryFunction(function)) => {
                !matches!(function.module(), Some("math" | "statistics")) && !function.name.starts_with("bisect.bisect")
            }
            Some(TypeDetail::Builtin(builtin)) => match builtin.form {
                // An iterator that was made elsewhere advances.
                Some(BuiltinForm::Next) => {
                    let argument = below(state, count.saturating_sub(1));
                    !matches!(self.types.detail(argument), Some(TypeDetail::Generator(..)))
                }
                Some(_) => false,
                None => !PURE_FUNCTIONS.contains(&&*builtin.name),
            },
            _ => false,
        }
    }

    /// Whether the results of a function of one parameter follow from its argument alone, as far as its instructions show, and are not
    /// changed by their users.
    pub(super) fn is_pure(&self, function: &FunctionConstant) -> bool {
        let program = self.program;
        // The statistics of the cache are not kept.
        if program.names.iter().any(|name| matches!(&**name, "cache_info" | "cache_clear")) {
            return false;
        }
        let code = program.code(function.code);
        let is_plain = function.defaults.is_empty() && function.cells.is_empty() && code.kind == CodeKind::Function;
        let is_global = |place: Option<usize>| {
            let instruction = place.and_then(|place| code.instructions.get(place));
            matches!(instruction, Some(Instruction::LoadGlobal(_)))
        };
        let mut instructions = code.instructions.iter().enumerate();
        is_plain
            && instructions.all(|(place, &instruction)| match instruction {
                Instruction::LoadGlobal(symbol) => {
                    let value = self.machine.global_constant(program.name(symbol));
                    !self.is_assigned_global(symbol) && value.is_some_and(|value| is_pure_value(&value))
                }
                Instruction::Store(variable) => matches!(variable, Variable::Local(_)),
                // Those of `math`, as other pure values have none of interest.
                Instruction::LoadAttribute(_) | Instruction::LoadMethod(_) => is_global(place.checked_sub(1)),
                Instruction::Constant(_)
                | Instruction::Load(_)
                | Instruction::Unary(_)
                | Instruction::Binary(_)
                | Instruction::Compare(_)
                | Instruction::Jump(_)
                | Instruction::JumpIfFalse(_)
                | Instruction::JumpIfTrue(_)
                | Instruction::JumpIfFalseOrPop(_)
                | Instruction::JumpIfTrueOrPop(_)
                | Instruction::Pop
                | Instruction::Copy
                | Instruction::Swap
                | Instruction::Tuple(_)
                | Instruction::LoadItem
                | Instruction::Iterate
                | Instruction::Next(_)
                | Instruction::Call(_)
                | Instruction::Return => true,
                _ => false,
            })
    }

    fn is_immutable(&self, value: Type) -> bool {
        let plain = Kinds::NUMBER.union(Kinds::TEXT).union(Kinds::NONE);
        value.kinds.is_subset(plain) || self.types.constant(value).is_some() || self.tuple_types(value).is_some()
    }
}

/// Returns the type of the value below some others on the stack.
fn below(state: &AbstractState, others: usize) -> Type {
    state.stack.iter().rev().nth(others).map_or(Type::ANY, |slot| slot.ty)
}

/// Whether a value does not change, and is no function or one of numbers.
fn is_pure_value(value: &ConstantValue) -> bool {
    match value {
        ConstantValue::None
        | ConstantValue::Bool(_)
        | ConstantValue::Int(_)
        | ConstantValue::Float(_)
        | ConstantValue::Text(_) => true,
        ConstantValue::Tuple(parts) => parts.iter().all(is_pure_value),
        ConstantValue::Builtin(builtin) => NUMBER_FUNCTIONS.contains(&&*builtin.name) || &*builtin.name == "range",
        ConstantValue::Module(module) => *module == "math",
        ConstantValue::LibraryFunction(function) => function.module() == Some("math"),
        _ => false,
    }
}
