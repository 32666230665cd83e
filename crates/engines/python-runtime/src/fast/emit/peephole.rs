//! Resolution of jump targets, and fusion of instructions.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxHashSet;

use super::{Coverage, EmitResult, Emitter, Op, RegisterCode};
use crate::fast::op::{JumpTable, Reg, Target};
use crate::fast::run::FallbackReason;
use crate::inference::text_functions::{TextFunction, TextResult};

/// The maximum number of texts that functions make of others.
const MAX_MADE_TEXTS: usize = 4096;

/// The maximum number of bytes that functions of texts read for their tables, with a constant for each result.
const MAX_TABLE_BYTES: usize = 1 << 24;

/// The number of bytes for a result of a function, for the limit on tables.
const RESULT_BYTES: usize = 16;

impl Emitter<'_> {
    /// Completes the code of the function.
    pub(super) fn finish(mut self) -> EmitResult<(RegisterCode, Coverage)> {
        for (op, label) in std::mem::take(&mut self.exit_labels) {
            self.place_label(label);
            self.push_op(op);
        }
        // Labels that were never placed are unreachable; if one is reached nevertheless, the call is handed over.
        let nowhere = self.code.ops.len();
        self.push_op(Op::Fallback { reason: FallbackReason::TypeMismatch as u16 });
        self.check_size()?;
        let places: Vec<usize> = self.labels.iter().map(|place| place.unwrap_or(nowhere)).collect();
        for op in &mut self.code.ops {
            if let Some(target) = op.target() {
                *target = places[*target as usize] as u16;
            }
        }
        self.code.reasons = self.reasons.iter().cloned().collect();
        self.code.masks = self.masks.iter().copied().collect();
        thread_jumps(&mut self.code.ops);
        let moved = remove_redundant_ops(&mut self.code.ops);
        let missing = self.optional_loops.iter().map(|at| moved[*at] as usize).collect();
        self.fuse_loops(&missing);
        fuse_jumps(&mut self.code.ops);
        let world = self.inference.world;
        let texts = &mut self.inference.types.texts;
        self.code.empty_text = texts.insert_full("".into()).0 as u64;
        self.code.class_names =
            world.screen_classes.iter().map(|class| texts.insert_full(class.name.clone()).0 as u64).collect();
        self.code.text_tables = text_tables(&self.text_functions, texts)?;
        self.code.equality = world.screen_classes.iter().map(|class| class.equality).collect();
        self.code.state = self.state_layout()?;
        self.code.cost = self.inference.instruction_count as u64;
        self.code.call_depth = self.max_depth;
        Ok((self.code, self.coverage))
    }

    /// Fuses the starts of loops over objects with the tests of the class that follow them: to a filter if the loop only collects objects
    /// of certain classes, or else to a jump table. Loops whose elements may be `None` stay as they are, as `None` has no class.
    fn fuse_loops(&mut self, missing: &FxHashSet<usize>) {
        for at in 0..self.code.ops.len() {
            let (Op::Next { d, t: end, .. } | Op::NextIndexed { d, t: end, .. }) = self.code.ops[at] else {
                continue;
            };
            let asks =
                |op: Option<&Op>| matches!(op, Some(Op::IfClass { o, .. } | Op::IfNotClass { o, .. }) if *o == d);
            if !asks(self.code.ops.get(at + 1)) || missing.contains(&at) {
                continue;
            }
            let mut targets = Box::new([0; 64]);
            for (class, target) in targets.iter_mut().enumerate() {
                *target = self.class_target(at + 1, d, 1 << class);
            }
            if let Some(filter) = self.loop_filter(at, &targets) {
                self.code.ops[at] = filter;
                continue;
            }
            self.code.tables.push(JumpTable { targets, exit_target: end });
            let table = self.code.tables.len() as u16 - 1;
            self.code.ops[at] = match self.code.ops[at] {
                Op::NextIndexed { d, i, it, cost, .. } => Op::NextIndexedByClass { d, i, it, table, cost },
                Op::Next { d, it, cost, .. } => Op::NextByClass { d, it, table, cost },
                other => other,
            };
        }
    }

    /// Returns the index of the instruction that an object of a class (a bit) reaches through tests of the class and jumps.
    fn class_target(&self, mut at: usize, object: Reg, class: u64) -> Target {
        // Each step goes forward, except in a cycle without the start of a loop; more steps than instructions mean such a cycle.
        for _ in 0..self.code.ops.len() {
            at = match self.code.ops[at] {
                Op::IfClass { o, k, t } if o == object => {
                    if self.code.masks[k as usize] & class != 0 {
                        t as usize
                    } else {
                        at + 1
                    }
                }
                Op::IfNotClass { o, k, t } if o == object => {
                    if self.code.masks[k as usize] & class == 0 {
                        t as usize
                    } else {
                        at + 1
                    }
                }
                Op::Jump { t } => t as usize,
                _ => break,
            };
        }
        at as Target
    }

    /// Returns the filter that is equivalent to a loop, if the loop only collects objects of certain classes.
    fn loop_filter(&self, at: usize, targets: &[Target; 64]) -> Option<Op> {
        let Op::Next { d, it, t, .. } = self.code.ops[at] else { return None };
        let own = at as Target;
        let other = targets.iter().copied().find(|target| *target != own)?;
        let (Op::Append { l, a }, Op::Jump { t: again }) =
            (*self.code.ops.get(other as usize)?, *self.code.ops.get(other as usize + 1)?)
        else {
            return None;
        };
        if a != d || again != own || l == d || targets.iter().any(|target| *target != own && *target != other) {
            return None;
        }
        let classes = (0..64).filter(|class: &usize| targets[*class] == other);
        let mask = classes.fold(0, |mask, class| mask | 1u64 << class);
        let k = self.masks.get_index_of(&mask)?;
        Some(Op::Filter { l, it, d, k: k as u16, t })
    }
}

/// Adds the texts that functions make of others, and returns the results of the functions.
fn text_tables(
    functions: &IndexSet<TextFunction>,
    texts: &mut IndexSet<Arc<str>>,
) -> EmitResult<Vec<Vec<Option<u64>>>> {
    if functions.is_empty() {
        return Ok(Vec::new());
    }
    let (mut next, mut bytes, written) = (0, 0, texts.len());
    while let Some(text) = texts.get_index(next).cloned() {
        bytes += functions.len() * (text.len() + RESULT_BYTES);
        if bytes > MAX_TABLE_BYTES {
            return Err("too many functions of texts".to_owned());
        }
        for function in functions {
            if let Some(TextResult::Text(made)) = function.of(&text) {
                texts.insert(made.into());
            }
        }
        if texts.len() - written > MAX_MADE_TEXTS {
            return Err("functions that make too many texts of each other".to_owned());
        }
        next += 1;
    }
    let bits = |result: TextResult| match result {
        TextResult::Text(text) => texts.get_index_of(&*text).map(|place| place as u64),
        TextResult::Int(number) => Some(number.cast_unsigned()),
        TextResult::Bool(truth) => Some(truth.into()),
    };
    let table = |function: &TextFunction| match function {
        TextFunction::Rank => ranks(texts).into_iter().map(Some).collect(),
        _ => texts.iter().map(|text| function.of(text).and_then(bits)).collect(),
    };
    Ok(functions.iter().map(table).collect())
}

/// Returns the place of each text in the order of all texts.
fn ranks(texts: &IndexSet<Arc<str>>) -> Vec<u64> {
    let mut places: Vec<usize> = (0..texts.len()).collect();
    places.sort_by_key(|&place| &texts[place]);
    let mut ranks = vec![0; texts.len()];
    for (rank, &place) in (0..).zip(&places) {
        ranks[place] = rank;
    }
    ranks
}

/// Redirects each jump to an unconditional jump to the target of that jump.
fn thread_jumps(ops: &mut [Op]) {
    for at in 0..ops.len() {
        let Some(&mut first) = ops[at].target() else { continue };
        let mut target = first as usize;
        for _ in 0..16 {
            match ops[target] {
                Op::Jump { t } => target = t as usize,
                _ => break,
            }
        }
        if let Some(place) = ops[at].target() {
            *place = target as Target;
        }
    }
}

/// Fuses instructions with the jump that follows them; the jump stays as a possible target of other jumps.
fn fuse_jumps(ops: &mut [Op]) {
    for at in 1..ops.len() {
        let Op::Jump { t } = ops[at] else { continue };
        ops[at - 1] = match ops[at - 1] {
            Op::Const { d, k } => Op::ConstJump { d, k, t },
            Op::Move { d, a } => Op::MoveJump { d, a, t },
            Op::Append { l, a } => Op::AppendJump { l, a, t },
            other => other,
        };
    }
}

/// Removes jumps to the next instruction and moves from a register to itself; returns the new index of each instruction.
fn remove_redundant_ops(ops: &mut Vec<Op>) -> Vec<Target> {
    let mut kept = Vec::with_capacity(ops.len());
    let mut moved = Vec::with_capacity(ops.len() + 1);
    for (at, op) in ops.iter().enumerate() {
        moved.push(kept.len() as Target);
        let needless = match op {
            Op::Jump { t } => *t as usize == at + 1,
            Op::Move { d, a } => d == a,
            _ => false,
        };
        if !needless {
            kept.push(*op);
        }
    }
    for op in &mut kept {
        if let Some(target) = op.target() {
            *target = moved[*target as usize];
        }
    }
    *ops = kept;
    moved
}
