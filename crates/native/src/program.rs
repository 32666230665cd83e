//! Validated programs: every register and jump target exists, and every loop uses fuel.

use std::fmt;

use crate::op::{MAX_FACTS, MAX_KEYS, MAX_OPS, MAX_REGISTERS, Op};

/// A validated program, which can be compiled.
#[derive(Debug, Clone)]
pub struct Program {
    ops: Vec<Op>,
    registers: usize,
}

/// The reason why a program is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// There are more than [`MAX_OPS`] instructions.
    Long,
    /// The index of a register is [`MAX_REGISTERS`] or greater.
    Register,
    /// The product of the numbers of instructions and registers exceeds [`MAX_FACTS`].
    Large,
    /// A jump target does not exist, or execution may continue after the last instruction.
    Target,
    /// A list is sorted by no keys or by more than [`MAX_KEYS`].
    Keys,
    /// A loop uses no fuel.
    Endless,
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Long => "too many instructions",
            Self::Register => "too many registers",
            Self::Large => "too many registers for the number of instructions",
            Self::Target => "a jump target does not exist, or the code continues past its end",
            Self::Keys => "a list is sorted by no keys or by too many keys",
            Self::Endless => "a loop consumes no fuel",
        })
    }
}

impl std::error::Error for Refused {}

impl Program {
    /// Validates a sequence of instructions.
    ///
    /// # Errors
    /// Returns the reason if the instructions cannot be run safely or exceed a limit.
    pub fn new(ops: Vec<Op>) -> Result<Self, Refused> {
        if ops.len() > MAX_OPS {
            return Err(Refused::Long);
        }
        let mut registers = 0;
        for (at, op) in ops.iter().enumerate() {
            let uses = op.uses();
            for register in uses.reads.iter().chain(&uses.writes).flatten() {
                registers = registers.max(usize::from(*register) + 1);
            }
            if op.jumps_to().is_some_and(|target| target as usize >= ops.len()) {
                return Err(Refused::Target);
            }
            if op.goes_on() && at + 1 == ops.len() {
                return Err(Refused::Target);
            }
            if matches!(op, Op::Sort { count, .. } if *count == 0 || usize::from(*count) > MAX_KEYS) {
                return Err(Refused::Keys);
            }
        }
        if ops.is_empty() {
            return Err(Refused::Target);
        }
        if registers > MAX_REGISTERS {
            return Err(Refused::Register);
        }
        if ops.len() * registers > MAX_FACTS {
            return Err(Refused::Large);
        }
        if repeats_for_nothing(&ops) {
            return Err(Refused::Endless);
        }
        Ok(Self { ops, registers })
    }

    /// Returns the instructions.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Returns the number of registers.
    pub fn registers(&self) -> usize {
        self.registers
    }
}

/// Returns the successors of an instruction, each with whether it is reached by jumping. Both may be the same.
pub(crate) fn onward(op: Op, at: usize) -> impl Iterator<Item = (usize, bool)> {
    let next = op.goes_on().then_some((at + 1, false));
    next.into_iter().chain(op.jumps_to().map(|target| (target as usize, true)))
}

/// Returns whether there is a cycle without an instruction that uses fuel.
fn repeats_for_nothing(ops: &[Op]) -> bool {
    /// The state of an instruction in the depth-first search.
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        /// On the current path.
        Open,
        Done,
    }
    let mut seen = vec![Seen::Not; ops.len()];
    for start in 0..ops.len() {
        if seen[start] != Seen::Not {
            continue;
        }
        let mut way = vec![(start, false)];
        while let Some((at, over)) = way.pop() {
            if over {
                seen[at] = Seen::Done;
                continue;
            }
            match seen[at] {
                Seen::Open => return true,
                Seen::Done => continue,
                Seen::Not => {}
            }
            if matches!(ops[at], Op::Burn { cost: 1.. } | Op::NextOf { cost: 1.., .. }) {
                seen[at] = Seen::Done;
                continue;
            }
            seen[at] = Seen::Open;
            way.push((at, true));
            way.extend(onward(ops[at], at).map(|(next, _)| (next, false)));
        }
    }
    false
}
