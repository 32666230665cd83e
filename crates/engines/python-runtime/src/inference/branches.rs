//! Successors of instructions.
//!
//! A value may decide several jumps in sequence: `a or b` jumps with the value of `a` to the instruction at which `if` tests it again. Such
//! jumps are followed to the last one, so that the information from the first test is not lost.

use crate::code::{CodeObject, Instruction};
use crate::operators::UnaryOperator;

/// An outgoing edge of a conditional jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) target: usize,
    /// Whether the tested value stays on the stack.
    pub(crate) keeps_value: bool,
    /// The number of values below it that are popped.
    pub(crate) popped: usize,
}

/// Returns the edges of a conditional jump, for true and for false.
pub(crate) fn branch(code: &CodeObject, pc: usize) -> Option<[Edge; 2]> {
    let edge = |target: usize| Edge { target, keeps_value: false, popped: 0 };
    let next = edge(pc + 1);
    Some(match code.instructions[pc] {
        Instruction::JumpIfFalse(target) => [next, edge(target as usize)],
        Instruction::JumpIfTrue(target) => [edge(target as usize), next],
        Instruction::JumpIfFalseOrPop(target) => [next, thread_edge(code, target as usize, false)],
        Instruction::JumpIfTrueOrPop(target) => [thread_edge(code, target as usize, true), next],
        _ => return None,
    })
}

/// Follows the jumps that test a value whose truth is known.
fn thread_edge(code: &CodeObject, mut target: usize, mut truth: bool) -> Edge {
    let mut drops = 0;
    // Every step goes forward or follows a jump; more steps than instructions mean a cycle.
    for _ in 0..code.instructions.len() {
        let jumps = |when: bool, to: u32| if truth == when { to as usize } else { target + 1 };
        match code.instructions[target] {
            Instruction::JumpIfFalse(to) => {
                return Edge { target: jumps(false, to), keeps_value: false, popped: drops };
            }
            Instruction::JumpIfTrue(to) => return Edge { target: jumps(true, to), keeps_value: false, popped: drops },
            Instruction::JumpIfFalseOrPop(to) if !truth => target = to as usize,
            Instruction::JumpIfTrueOrPop(to) if truth => target = to as usize,
            Instruction::JumpIfFalseOrPop(_) | Instruction::JumpIfTrueOrPop(_) => {
                return Edge { target: target + 1, keeps_value: false, popped: drops };
            }
            Instruction::Swap if code.instructions.get(target + 1) == Some(&Instruction::Pop) => {
                drops += 1;
                target += 2;
            }
            Instruction::Unary(UnaryOperator::Not)
                if matches!(
                    code.instructions.get(target + 1),
                    Some(Instruction::JumpIfFalse(_) | Instruction::JumpIfTrue(_))
                ) =>
            {
                truth = !truth;
                target += 1;
            }
            Instruction::Jump(to) => target = to as usize,
            _ => break,
        }
    }
    Edge { target, keeps_value: true, popped: drops }
}
