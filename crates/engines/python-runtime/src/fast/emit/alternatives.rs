//! Instructions on one of several values that are known at compile time: functions, or objects of several classes. They are translated once
//! for each value.

use super::values::{Location, Value};
use super::{EmitResult, Emitter, Op};
use crate::code::Instruction;
use crate::inference::interpret::dispatched_operand;
use crate::inference::types::{Type, TypeDetail, Types};

impl Emitter<'_> {
    /// Returns the place on the stack of an operand that is one of several values, if the current instruction depends on it.
    pub(super) fn alternative_operand(&mut self, instruction: Instruction) -> Option<usize> {
        if self.current_alternative().is_some() {
            return None;
        }
        let stack = &self.frame_mut().stack;
        let place = dispatched_operand(instruction, stack.len())?;
        let ty = stack[place].ty;
        matches!(self.inference.types.detail(ty), Some(TypeDetail::OneOf(_))).then_some(place)
    }

    /// Translates an instruction for each value that an operand may be; returns whether execution continues with the next instruction.
    pub(super) fn translate_alternatives(&mut self, pc: usize, place: usize) -> EmitResult<bool> {
        let at = self.current_instruction();
        let operand = self.frame_mut().stack[place].clone();
        let Some(TypeDetail::OneOf(alternatives)) = self.inference.types.detail(operand.ty).cloned() else {
            return Err("a value of several types".to_owned());
        };
        let holds = self.result_type();
        let shape = self.layout(holds);
        if shape.is_unsupported() {
            return Err("a result with values of several types".to_owned());
        }
        let may_change_lists = |&alternative: &Type| match self.inference.types.detail(alternative) {
            Some(TypeDetail::LibraryFunction(function)) => !matches!(function.module(), Some("math" | "statistics")),
            _ => false,
        };
        if alternatives.iter().any(may_change_lists) {
            // The values below the operands are the same for all alternatives.
            self.materialize_list_tests()?;
        }
        let a = self.register(&operand)?;
        let to = self.allocate(shape.width())?;
        let (stack, first_free, end) = (self.frame_mut().stack.clone(), self.next_register, self.label());
        let depth = self.frames.len();
        let outer = self.alternative;
        for (number, &alternative) in (0..).zip(&alternatives) {
            let next = self.label();
            let b = self.allocate(1)?;
            self.load_bits(b, alternative.fixed_word());
            self.push_op(Op::IfUnequal { a, b, t: next.0 });
            self.frame_mut().stack.clone_from(&stack);
            self.frame_mut().stack[place] = fixed_value(&self.inference.types, alternative);
            self.alternative = Some((at, number));
            let translated = self.translate_instruction(pc).and_then(|goes_on| {
                if goes_on {
                    let value = self.pop();
                    self.store_value(&shape, to, &value)?;
                    self.jump(end);
                }
                Ok(())
            });
            self.alternative = outer;
            if let Err(description) = translated {
                self.frames.truncate(depth);
                self.emit_unsupported(pc, &description);
            }
            self.next_register = first_free;
            self.place_label(next);
        }
        // No other value gets here.
        let other = self.fallback("a value of several types");
        self.push_op(other);
        self.place_label(end);
        self.frame_mut().stack = stack;
        self.frame_mut().stack.truncate(place);
        let value = self.value_in(&shape, to, holds)?;
        self.push(value);
        let (instance, _) = at;
        Ok(self.inference.state_before(instance, pc + 1).is_some())
    }
}

/// Returns a fixed value.
fn fixed_value(types: &Types, ty: Type) -> Value {
    match types.detail(ty) {
        Some(&TypeDetail::BoundFunction(receiver, ..)) => {
            Value { ty, location: Location::Base(Box::new(fixed_value(types, receiver))) }
        }
        _ => Value::constant(ty),
    }
}
