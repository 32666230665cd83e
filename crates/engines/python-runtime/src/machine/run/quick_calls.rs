//! Shortcuts of calls.

use super::super::library_function::BuiltinForm;
use super::super::{Machine, cost};
use super::shortcuts::Shortcut;
use super::{ExecResult, Frame, HeapObject, ReturnTarget, Type, Value};
use crate::code::CodeKind;

impl Machine {
    /// Starts a call of a function or method of the program whose arguments are its positional parameters, or calls a built-in function.
    #[inline]
    pub(super) fn quick_call(&mut self, count: usize, pc: usize) -> ExecResult<Shortcut> {
        let place = self.operands.len() - count - 1;
        let (at, receiver) = match self.operands[place] {
            Value::Builtin(builtin) => {
                let Some(form) = builtin.form else { return Ok(Shortcut::Unavailable) };
                let Some((value, work)) = self.quick_builtin(form, place) else { return Ok(Shortcut::Unavailable) };
                self.spend(cost::BUILTIN + work)?;
                self.operands.truncate(place);
                self.operands.push(value);
                return Ok(Shortcut::Taken);
            }
            Value::Ref(at) => match *self.heap.get(at) {
                HeapObject::Function(_) => (at, None),
                HeapObject::BoundMethod { receiver, function: Value::Ref(function) } => (function, Some(receiver)),
                _ => return Ok(Shortcut::Unavailable),
            },
            _ => return Ok(Shortcut::Unavailable),
        };
        let HeapObject::Function(function) = self.heap.get(at) else { return Ok(Shortcut::Unavailable) };
        let code = self.program.code(function.code);
        let is_plain = code.kind == CodeKind::Function
            && code.cells.is_empty()
            && code.signature.takes_positional(count + usize::from(receiver.is_some()));
        if !is_plain || self.frames.len() >= self.budget.call_depth {
            return Ok(Shortcut::Unavailable);
        }
        let first_local = self.locals.len();
        let frame = Frame {
            code: function.code,
            pc: 0,
            first_local,
            first_operand: place,
            cells: smallvec::SmallVec::from_slice(&function.closure),
            handled_exceptions: Vec::new(),
            namespace: None,
            return_target: ReturnTarget::Stack,
            function: Some(at),
        };
        self.locals.extend(receiver.map(Some));
        self.locals.extend(self.operands[place + 1..].iter().map(|&value| Some(value)));
        let bound = self.locals.len() - first_local;
        let missing = code.signature.positional.len() - bound;
        let first_default = function.defaults.len() - missing;
        self.locals.extend(function.defaults[first_default..].iter().map(|&value| Some(value)));
        self.locals.resize(first_local + code.locals.len(), None);
        self.operands.truncate(place);
        self.top_frame().pc = pc;
        self.charge(cost::CALL)?;
        self.frames.push(frame);
        Ok(Shortcut::FrameChanged)
    }

    /// Returns the result of a built-in function of the operands above a place of the stack, and the work beyond that of a call.
    #[inline]
    fn quick_builtin(&self, form: BuiltinForm, place: usize) -> Option<(Value, u64)> {
        Some(match (form, &self.operands[place + 1..]) {
            (BuiltinForm::IsInstance, &[Value::Ref(at), Value::Type(Type::Screen(class))]) => {
                let HeapObject::Screen(object) = self.heap.get(at) else { return None };
                (Value::Bool(self.screen_class_is(object.class, class)), 2 * cost::OPERATION)
            }
            (BuiltinForm::Length, &[Value::Ref(at)]) => {
                let length = match self.heap.get(at) {
                    HeapObject::List(values) => values.len(),
                    HeapObject::Tuple(values) => values.len(),
                    HeapObject::Dict(dict) | HeapObject::Set(dict) => dict.len(),
                    _ => return None,
                };
                (Value::Int(length as i64), 0)
            }
            (BuiltinForm::Absolute, &[Value::Float(number)]) => (Value::Float(number.abs()), 0),
            (BuiltinForm::Absolute, &[Value::Int(number)]) => (Value::Int(number.checked_abs()?), 0),
            _ => return None,
        })
    }
}
