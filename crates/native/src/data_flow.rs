//! Data-flow analysis of registers, which makes repeated bounds checks unnecessary.

use std::collections::BTreeSet;

use crate::op::{Op, Register};
use crate::program::{Program, successors};

/// A fact about the value of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fact {
    /// The value is unknown.
    Any,
    /// The value is the index of an existing row.
    Row,
    /// The value is the index of an existing list.
    List,
    /// The value is the index of a list created by the program, not of list 0.
    CreatedList,
    /// The value is a constant.
    Bits(u64),
}

impl Fact {
    /// The index of the list of all rows.
    pub(crate) const ROWS: Self = Self::Bits(0);

    fn join(self, other: Self) -> Self {
        match (self, other) {
            (one, two) if one == two => one,
            (Self::List, Self::CreatedList) | (Self::CreatedList, Self::List) => Self::List,
            _ => Self::Any,
        }
    }
}

/// The facts about all registers, or `None` for unreachable code.
pub(crate) type Facts = Option<Box<[Fact]>>;

/// The basic blocks of a program, with the facts at their starts.
#[derive(Debug)]
pub(crate) struct BasicBlocks {
    /// The start of each block, in ascending order.
    pub(crate) starts: Vec<usize>,
    /// The facts at the start of each block.
    pub(crate) facts: Vec<Facts>,
}

impl BasicBlocks {
    pub(crate) fn of(program: &Program) -> Self {
        let ops = program.ops();
        let mut leads = vec![false; ops.len()];
        leads[0] = true;
        for (at, op) in ops.iter().enumerate() {
            if let Some(target) = op.jump_target() {
                leads[target as usize] = true;
            }
            if (op.jump_target().is_some() || !op.falls_through()) && at + 1 < ops.len() {
                leads[at + 1] = true;
            }
        }
        let starts: Vec<usize> = (0..ops.len()).filter(|&at| leads[at]).collect();
        let mut blocks = Self { facts: vec![None; starts.len()], starts };
        blocks.propagate(program);
        blocks
    }

    /// Returns the index of the block that starts at an instruction.
    pub(crate) fn block_index(&self, start: usize) -> usize {
        self.starts.partition_point(|&other| other < start)
    }

    /// Propagates facts to a fixed point. Facts only weaken, so the iteration terminates. Blocks are processed in program order, so
    /// that a join usually waits for all its predecessors.
    fn propagate(&mut self, program: &Program) {
        self.facts[0] = Some(vec![Fact::Bits(0); program.registers()].into_boxed_slice());
        let mut open = BTreeSet::from([0]);
        while let Some(block) = open.pop_first() {
            let Some(mut facts) = self.facts[block].clone() else { continue };
            let end = self.starts.get(block + 1).copied().unwrap_or(program.ops().len());
            for at in self.starts[block]..end {
                let op = program.ops()[at];
                for (next, jumped) in successors(op, at) {
                    if at + 1 < end && !jumped {
                        continue;
                    }
                    let mut edge_facts = facts.clone();
                    transfer(&mut edge_facts, op, jumped);
                    let target = self.block_index(next);
                    if self.merge(target, &edge_facts) {
                        open.insert(target);
                    }
                }
                transfer(&mut facts, op, false);
            }
        }
    }

    /// Merges the facts of another path into a block. Returns whether the facts of the block changed.
    fn merge(&mut self, block: usize, facts: &[Fact]) -> bool {
        let Some(known) = &mut self.facts[block] else {
            self.facts[block] = Some(facts.into());
            return true;
        };
        let mut changed = false;
        for (known, &fact) in known.iter_mut().zip(facts) {
            let both = known.join(fact);
            changed |= both != *known;
            *known = both;
        }
        changed
    }
}

/// Updates the facts after an instruction that did not stop the run, depending on whether it jumped.
pub(crate) fn transfer(facts: &mut [Fact], op: Op, jumped: bool) {
    let is_list = |facts: &mut [Fact], l: Register| {
        if !matches!(facts[l as usize], Fact::ROWS | Fact::CreatedList) {
            facts[l as usize] = Fact::List;
        }
    };
    match op {
        Op::Const { d, bits } => facts[d as usize] = Fact::Bits(bits),
        Op::Copy { d, a } => facts[d as usize] = facts[a as usize],
        Op::JumpIfClass { o, when, .. } => {
            if jumped == when {
                facts[o as usize] = Fact::Row;
            }
        }
        Op::Field { d, o, .. } => {
            facts[o as usize] = Fact::Row;
            facts[d as usize] = Fact::Any;
        }
        Op::NewList { d: l }
        | Op::NewZeros { d: l, .. }
        | Op::Push { l, .. }
        | Op::Remove { l, .. }
        | Op::Sort { l, .. } => {
            facts[l as usize] = Fact::CreatedList;
        }
        // The list exists, since its index was compared with the number of lists before a jump, too.
        Op::Set { l, .. } => facts[l as usize] = Fact::CreatedList,
        Op::Length { d, l } => {
            is_list(facts, l);
            facts[d as usize] = Fact::Any;
        }
        Op::Get { d, l, .. } => {
            is_list(facts, l);
            let item = if facts[l as usize] == Fact::ROWS { Fact::Row } else { Fact::Any };
            // After a jump, no element was loaded.
            if !jumped {
                facts[d as usize] = item;
            }
        }
        Op::Extend { l, m } | Op::PushOfClass { l, m, .. } => {
            is_list(facts, m);
            facts[l as usize] = Fact::CreatedList;
        }
        Op::NextOfClass { d, l, place, .. } => {
            is_list(facts, l);
            facts[place as usize] = Fact::Any;
            facts[d as usize] = if jumped { Fact::Any } else { Fact::Row };
        }
        Op::Int { d, .. }
        | Op::Bits { d, .. }
        | Op::Float { d, .. }
        | Op::Unary { d, .. }
        | Op::Select { d, .. }
        | Op::Call { d, .. } => facts[d as usize] = Fact::Any,
        Op::CallHost { d, e, .. } => {
            facts[d as usize] = Fact::Any;
            facts[e as usize] = Fact::Any;
        }
        Op::Jump { .. }
        | Op::JumpIf { .. }
        | Op::ConsumeFuel { .. }
        | Op::ConsumeFuelBy { .. }
        | Op::End { .. }
        | Op::Bailout => {}
    }
}
