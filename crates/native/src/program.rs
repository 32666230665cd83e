//! Validated programs: every register and jump target exists, and every loop uses fuel.

use std::fmt;

use crate::op::{MAX_ANALYSIS_SIZE, MAX_KEYS, MAX_LENGTH, MAX_LISTS, MAX_OPS, MAX_REGISTERS, Op};

/// A validated program, which can be compiled.
#[derive(Debug, Clone)]
pub struct Program {
    ops: Vec<Op>,
    registers: usize,
    initial_lists: usize,
}

/// The reason why a program is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgramError {
    /// There are more than [`MAX_OPS`] instructions.
    TooManyOps,
    /// The index of a register is [`MAX_REGISTERS`] or greater.
    TooManyRegisters,
    /// The product of the numbers of instructions and registers exceeds [`MAX_ANALYSIS_SIZE`].
    AnalysisTooLarge,
    /// A jump target does not exist, or execution may continue after the last instruction.
    InvalidTarget,
    /// A list is sorted by no keys or by more than [`MAX_KEYS`].
    InvalidKeyCount,
    /// A loop uses no fuel.
    LoopWithoutFuel,
    /// A run starts with [`MAX_LISTS`] lists or more, or creates a list of more than [`MAX_LENGTH`] zeros.
    TooManyLists,
}

impl fmt::Display for ProgramError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::TooManyOps => "too many instructions",
            Self::TooManyRegisters => "too many registers",
            Self::AnalysisTooLarge => "too many registers for the number of instructions",
            Self::InvalidTarget => "a jump target does not exist, or the code continues past its end",
            Self::InvalidKeyCount => "a list is sorted by no keys or by too many keys",
            Self::LoopWithoutFuel => "a loop consumes no fuel",
            Self::TooManyLists => "too many lists or zeros",
        })
    }
}

impl std::error::Error for ProgramError {}

impl Program {
    /// Validates a sequence of instructions. Lists 1 to `initial_lists` exist before a run.
    ///
    /// # Errors
    /// Returns the reason if the instructions cannot be run safely or exceed a limit.
    pub fn new(ops: Vec<Op>, initial_lists: usize) -> Result<Self, ProgramError> {
        if ops.len() > MAX_OPS {
            return Err(ProgramError::TooManyOps);
        }
        let mut registers = 0;
        for (at, op) in ops.iter().enumerate() {
            let uses = op.uses();
            for register in uses.reads.iter().chain(&uses.writes).flatten() {
                registers = registers.max(usize::from(*register) + 1);
            }
            if op.jump_target().is_some_and(|target| target as usize >= ops.len()) {
                return Err(ProgramError::InvalidTarget);
            }
            if op.falls_through() && at + 1 == ops.len() {
                return Err(ProgramError::InvalidTarget);
            }
            if matches!(op, Op::Sort { count, .. } if *count == 0 || usize::from(*count) > MAX_KEYS) {
                return Err(ProgramError::InvalidKeyCount);
            }
        }
        if ops.is_empty() {
            return Err(ProgramError::InvalidTarget);
        }
        let too_many_zeros = |op: &Op| matches!(op, Op::NewZeros { count, .. } if usize::from(*count) > MAX_LENGTH);
        if initial_lists >= MAX_LISTS || ops.iter().any(too_many_zeros) {
            return Err(ProgramError::TooManyLists);
        }
        if registers > MAX_REGISTERS {
            return Err(ProgramError::TooManyRegisters);
        }
        if ops.len() * registers > MAX_ANALYSIS_SIZE {
            return Err(ProgramError::AnalysisTooLarge);
        }
        if has_loop_without_fuel(&ops) {
            return Err(ProgramError::LoopWithoutFuel);
        }
        Ok(Self { ops, registers, initial_lists })
    }

    /// Returns the instructions.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Returns the number of lists that exist before a run, without list 0.
    pub fn initial_lists(&self) -> usize {
        self.initial_lists
    }

    /// Returns the number of registers.
    pub fn registers(&self) -> usize {
        self.registers
    }
}

/// Returns the successors of an instruction, each with whether it is reached by jumping. Both may be the same.
pub(crate) fn successors(op: Op, at: usize) -> impl Iterator<Item = (usize, bool)> {
    let next = op.falls_through().then_some((at + 1, false));
    next.into_iter().chain(op.jump_target().map(|target| (target as usize, true)))
}

/// Returns whether there is a cycle without an instruction that uses fuel.
fn has_loop_without_fuel(ops: &[Op]) -> bool {
    /// The state of an instruction in the depth-first search.
    #[derive(Clone, Copy, PartialEq)]
    enum VisitState {
        Unvisited,
        /// On the current path.
        InProgress,
        Done,
    }
    let mut states = vec![VisitState::Unvisited; ops.len()];
    for start in 0..ops.len() {
        if states[start] != VisitState::Unvisited {
            continue;
        }
        let mut way = vec![(start, false)];
        while let Some((at, finished)) = way.pop() {
            if finished {
                states[at] = VisitState::Done;
                continue;
            }
            match states[at] {
                VisitState::InProgress => return true,
                VisitState::Done => continue,
                VisitState::Unvisited => {}
            }
            if matches!(ops[at], Op::ConsumeFuel { cost: 1.. } | Op::NextOfClass { cost: 1.., .. }) {
                states[at] = VisitState::Done;
                continue;
            }
            states[at] = VisitState::InProgress;
            way.push((at, true));
            way.extend(successors(ops[at], at).map(|(next, _)| (next, false)));
        }
    }
    false
}
