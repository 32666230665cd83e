//! Conditional jumps and returns.

use super::conditions::Condition;
use super::values::{Layout, Location, Value};
use super::{EmitResult, Emitter, Op, ReturnUse, is_return};
use crate::fast::run::Component;
use crate::inference::branches::{Edge, branch};
use crate::inference::types::{Kinds, TypeDetail};

impl Emitter<'_> {
    /// Translates a conditional jump on the value on top of the stack; returns whether execution continues with the next instruction.
    pub(super) fn translate_branch(&mut self, edges: [Edge; 2]) -> EmitResult<bool> {
        let value = self.pop();
        let condition = self.truth_condition(&value)?;
        let pc = self.current_instruction().1;
        self.emit_edges(edges, &value, &condition, pc + 1)
    }

    /// Emits the edges of a conditional jump; returns whether execution continues with the instruction `next`.
    fn emit_edges(&mut self, edges: [Edge; 2], value: &Value, condition: &Condition, next: usize) -> EmitResult<bool> {
        let stack = self.frame_mut().stack.clone();
        let [on_true, on_false] = edges;
        if let Condition::Constant(truth) = condition {
            let edge = if *truth { on_true } else { on_false };
            return self.follow_edge(edge, value, *truth, stack, next);
        }
        // The edge to the next instruction comes last.
        let (first, first_when, last) =
            if on_false.target == next { (on_true, true, on_false) } else { (on_false, false, on_true) };
        let (instance, _) = self.current_instruction();
        if self.inference.state_before(instance, first.target).is_some() {
            let skip = self.label();
            let before = self.code.ops.len();
            self.branch(condition, !first_when, skip);
            let branched = self.code.ops.len();
            self.follow_edge(first, value, first_when, stack.clone(), usize::MAX)?;
            if let (1, [.., Op::Jump { t }]) = (self.code.ops.len() - branched, self.code.ops.as_slice()) {
                // No value had to be moved: a single conditional jump suffices.
                let label = super::Label(*t);
                self.code.ops.truncate(before);
                self.branch(condition, first_when, label);
            }
            self.place_label(skip);
        }
        if self.inference.state_before(instance, last.target).is_none() {
            let op = self.fallback("what cannot be");
            self.push_op(op);
            return Ok(false);
        }
        self.follow_edge(last, value, !first_when, stack, next)
    }

    fn follow_edge(
        &mut self,
        edge: Edge,
        value: &Value,
        truth: bool,
        mut stack: Vec<Value>,
        next: usize,
    ) -> EmitResult<bool> {
        stack.truncate(stack.len() - edge.popped);
        if edge.keeps_value {
            let mut known_value = value.clone();
            if known_value.kinds() == Kinds::BOOL {
                known_value = Value::constant(self.inference.types.bool(Some(truth)));
            } else if truth && known_value.kinds().intersects(Kinds::NONE) {
                known_value.ty = known_value.ty.exclude(Kinds::NONE);
            }
            stack.push(known_value);
        }
        self.frame_mut().stack = stack;
        if edge.target == next {
            return Ok(true);
        }
        let (instance, _) = self.current_instruction();
        if is_return(self.stack_code(instance), edge.target) {
            return self.translate_return();
        }
        self.emit_jump(edge.target)?;
        Ok(false)
    }

    /// Translates the return of the value on top of the stack; returns `false`, as execution never continues with the next instruction.
    pub(super) fn translate_return(&mut self) -> EmitResult<bool> {
        let value = self.pop();
        match self.frame_mut().return_use.clone() {
            ReturnUse::Exit => self.emit_exit(&value)?,
            ReturnUse::Branch { at } => {
                let condition = self.truth_condition(&value)?;
                let inner = self.frames.pop();
                let (caller, _) = self.current_instruction();
                let edges = branch(self.stack_code(caller), at);
                let led = edges.map_or(Ok(false), |edges| {
                    let stack = self.frame_mut().stack.clone();
                    let led = self.emit_edges(edges, &value, &condition, usize::MAX);
                    self.frame_mut().stack = stack;
                    led
                });
                self.frames.extend(inner);
                led?;
            }
            ReturnUse::Value { shape, to, then } => {
                self.store_value(&shape, to, &value)?;
                self.jump(then);
            }
            ReturnUse::SingleReturn { then } => {
                self.frame_mut().single_return = Some(value);
                self.jump(then);
            }
            ReturnUse::Generator { then, .. } => self.jump(then),
        }
        Ok(false)
    }

    fn emit_exit(&mut self, value: &Value) -> EmitResult<()> {
        let kinds = value.kinds();
        if let Location::Tuple(parts) = &value.location
            && let [total, components] = parts.as_slice()
        {
            return self.emit_components(total, components);
        }
        let op = if kinds == Kinds::NONE {
            Op::ReturnNone
        } else if kinds.is_single() {
            match kinds {
                Kinds::INT => Op::ReturnInt { a: self.register(value)? },
                Kinds::FLOAT => Op::ReturnFloat { a: self.register(value)? },
                Kinds::BOOL => Op::ReturnBool { a: self.register(value)? },
                _ => return Err("a result that is not a number".to_owned()),
            }
        } else if kinds.is_subset(Kinds::NUMBER.union(Kinds::NONE)) {
            Op::ReturnAny { a: self.pair(value)? }
        } else {
            return Err("a result that is not a number".to_owned());
        };
        self.push_op(op);
        Ok(())
    }

    /// Emits the return of a number with the entries of a dict as its components.
    fn emit_components(&mut self, total: &Value, components: &Value) -> EmitResult<()> {
        const NO_REWARD: &str = "a result that is not a number";
        if !total.kinds().is_subset(Kinds::NUMBER) || components.kinds() != Kinds::RECORD {
            return Err(NO_REWARD.to_owned());
        }
        let mut names = Vec::new();
        for (key, field) in self.dict_entries(components)? {
            let Some(TypeDetail::Text(place)) = self.inference.types.constant(key) else {
                return Err(NO_REWARD.to_owned());
            };
            // The order of entries that may be missing is not known.
            let component = match field.layout {
                Layout::Scalar(kinds) if kinds.is_subset(Kinds::NUMBER) => Component::Word(field.slot, kinds),
                Layout::Constant(ty) => match self.inference.types.constant(ty) {
                    Some(TypeDetail::Bool(truth)) => Component::Constant(f64::from(u8::from(*truth))),
                    Some(TypeDetail::Int(number)) => Component::Constant(*number as f64),
                    Some(TypeDetail::Float(bits)) => Component::Constant(f64::from_bits(*bits)),
                    _ => return Err(NO_REWARD.to_owned()),
                },
                _ => return Err(NO_REWARD.to_owned()),
            };
            names.push((self.inference.types.texts[*place as usize].to_string(), component));
        }
        if self.inference.is_instance_of_program(components.ty) {
            return Err(NO_REWARD.to_owned());
        }
        let (a, l) = (self.pair(total)?, self.register(components)?);
        let k = self.code.components.len() as u16;
        self.code.components.push(names);
        self.push_op(Op::ReturnComponents { a, l, k });
        Ok(())
    }
}
