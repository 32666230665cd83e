//! Conditional jumps and returns.

use super::conditions::Condition;
use super::values::Value;
use super::{Emitter, Ends, Laid, Op, returns};
use crate::typed::flow::{Edge, branch};
use crate::typed::types::Kinds;

impl Emitter<'_> {
    /// Translates a conditional jump on the value on top of the stack; returns whether execution continues with the next instruction.
    pub(super) fn decide(&mut self, edges: [Edge; 2]) -> Laid<bool> {
        let value = self.pop();
        let condition = self.truth(&value)?;
        let pc = self.instance().1;
        self.lead(edges, &value, &condition, pc + 1)
    }

    /// Emits the edges of a conditional jump; returns whether execution continues with the instruction `next`.
    fn lead(&mut self, edges: [Edge; 2], value: &Value, condition: &Condition, next: usize) -> Laid<bool> {
        let stack = self.top().stack.clone();
        let [on_true, on_false] = edges;
        if let Condition::Known(truth) = condition {
            let edge = if *truth { on_true } else { on_false };
            return self.follow(edge, value, *truth, stack, next);
        }
        // The edge to the next instruction comes last.
        let (first, first_when, last) =
            if on_false.target == next { (on_true, true, on_false) } else { (on_false, false, on_true) };
        let (instance, _) = self.instance();
        if self.types.before(instance, first.target).is_some() {
            let skip = self.label();
            let before = self.code.ops.len();
            self.branch(condition, !first_when, skip);
            let branched = self.code.ops.len();
            self.follow(first, value, first_when, stack.clone(), usize::MAX)?;
            if let (1, [.., Op::Jump { t }]) = (self.code.ops.len() - branched, self.code.ops.as_slice()) {
                // No value had to be moved: a single conditional jump suffices.
                let label = super::Label(*t);
                self.code.ops.truncate(before);
                self.branch(condition, first_when, label);
            }
            self.land(skip);
        }
        if self.types.before(instance, last.target).is_none() {
            let op = self.hand_over("what cannot be");
            self.op(op);
            return Ok(false);
        }
        self.follow(last, value, !first_when, stack, next)
    }

    fn follow(&mut self, edge: Edge, value: &Value, truth: bool, mut stack: Vec<Value>, next: usize) -> Laid<bool> {
        stack.truncate(stack.len() - edge.drops);
        if edge.keeps {
            let mut kept = value.clone();
            if kept.kinds() == Kinds::BOOL {
                kept = Value::known(self.types.types.bool(Some(truth)));
            } else if truth && kept.kinds().has(Kinds::NONE) {
                kept.holds = kept.holds.without(Kinds::NONE);
            }
            stack.push(kept);
        }
        self.top().stack = stack;
        if edge.target == next {
            return Ok(true);
        }
        let (instance, _) = self.instance();
        if returns(self.stack_code(instance), edge.target) {
            return self.give();
        }
        self.go(edge.target)?;
        Ok(false)
    }

    /// Translates the return of the value on top of the stack; returns `false`, as execution never continues with the next instruction.
    pub(super) fn give(&mut self) -> Laid<bool> {
        let value = self.pop();
        match self.top().ends.clone() {
            Ends::Outside => self.give_outside(&value)?,
            Ends::Decides { at } => {
                let condition = self.truth(&value)?;
                let inner = self.open.pop();
                let (caller, _) = self.instance();
                let edges = branch(self.stack_code(caller), at);
                let led = edges.map_or(Ok(false), |edges| {
                    let stack = self.top().stack.clone();
                    let led = self.lead(edges, &value, &condition, usize::MAX);
                    self.top().stack = stack;
                    led
                });
                self.open.extend(inner);
                led?;
            }
            Ends::Value { shape, to, then } => {
                self.keep(&shape, to, &value)?;
                self.jump(then);
            }
            Ends::Single { then } => {
                self.top().single = Some(value);
                self.jump(then);
            }
            Ends::Generator { then, .. } => self.jump(then),
        }
        Ok(false)
    }

    fn give_outside(&mut self, value: &Value) -> Laid<()> {
        let kinds = value.kinds();
        let op = if kinds == Kinds::NONE {
            Op::GiveNone
        } else if kinds.is_one() {
            match kinds {
                Kinds::INT => Op::GiveInt { a: self.register(value)? },
                Kinds::FLOAT => Op::GiveFloat { a: self.register(value)? },
                Kinds::BOOL => Op::GiveBool { a: self.register(value)? },
                _ => return Err("a result that is not a number".to_owned()),
            }
        } else if kinds.within(Kinds::NUMBER.with(Kinds::NONE)) {
            Op::GiveAny { a: self.pair(value)? }
        } else {
            return Err("a result that is not a number".to_owned());
        };
        self.op(op);
        Ok(())
    }
}
