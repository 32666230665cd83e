//! Frames of calls whose arguments are bound to parameters by name, or that leave out parameters with defaults.

use smallvec::SmallVec;

use super::super::Machine;
use super::super::value::{HeapObject, HeapRef, Value};
use super::{Frame, ReturnTarget};
use crate::code::{CodeId, Signature, Symbol, Variable};

/// The arguments of the parameters of a function: of its positional and then of its keyword-only ones.
type BoundArguments = SmallVec<[Option<Value>; 8]>;

impl Machine {
    /// Pushes the frame of a call like [`push_quick_frame`](Self::push_quick_frame), but not for keyword arguments of `**kwargs`. The last
    /// operands are keyword arguments with these names. Returns the code of the function; nothing, with no effect, if the arguments do not
    /// match its parameters.
    pub(in crate::machine) fn push_bound_frame(
        &mut self,
        at: HeapRef,
        receiver: Option<HeapRef>,
        [first_argument, first_operand]: [usize; 2],
        names: &[Symbol],
        return_target: ReturnTarget,
    ) -> Option<CodeId> {
        let program = std::sync::Arc::clone(&self.program);
        let HeapObject::Function(function) = self.heap.get(at) else { return None };
        let (id, code) = (function.code, program.code(function.code));
        let signature = &code.signature;
        let first_keyword = self.operands.len() - names.len();
        let (positional, keywords) = (&self.operands[first_argument..first_keyword], &self.operands[first_keyword..]);
        let receiver = receiver.map(Value::Ref);
        let given = receiver.iter().chain(positional).copied();
        let mut bound: BoundArguments = given.clone().take(signature.positional.len()).map(Some).collect();
        let rest: SmallVec<[Value; 4]> = given.skip(signature.positional.len()).collect();
        if !rest.is_empty() && signature.var_positional.is_none() {
            return None;
        }
        bound.resize(signature.positional.len() + signature.keyword_only.len(), None);
        bind_keywords(signature, names, keywords, &mut bound)?;
        let first_default = signature.positional.len() - function.defaults.len();
        for (argument, &default) in bound[first_default..].iter_mut().zip(&function.defaults) {
            argument.get_or_insert(default);
        }
        for (parameter, argument) in signature.keyword_only.iter().zip(&mut bound[signature.positional.len()..]) {
            let default = function.keyword_defaults.iter().find(|(name, _)| *name == parameter.name);
            *argument = argument.or(default.map(|&(_, value)| value));
        }
        if bound.iter().any(Option::is_none) {
            return None;
        }
        let mut frame = Frame { code: id, return_target, function: Some(at), ..Frame::unused() };
        (frame.first_local, frame.first_operand) = (self.locals.len(), first_operand);
        let closure: SmallVec<[HeapRef; 2]> = SmallVec::from_slice(&function.closure);
        frame.cells.extend((0..code.cells.len()).map(|_| self.heap.add(HeapObject::ClosureCell(None))));
        frame.cells.extend(closure);
        self.operands.truncate(first_operand);
        self.locals.resize(frame.first_local + code.locals.len(), None);
        let parameters = signature.positional.iter().chain(&signature.keyword_only);
        for (parameter, argument) in parameters.zip(bound) {
            match parameter.variable {
                Variable::Local(place) => self.locals[frame.first_local + place as usize] = argument,
                cell @ Variable::Cell(_) => self.set_frame_variable(&frame, cell, argument),
            }
        }
        if let Some(parameter) = signature.var_positional {
            let values = self.heap.tuple(rest);
            self.set_frame_variable(&frame, parameter.variable, Some(values));
        }
        if let Some(parameter) = signature.var_keyword {
            let dict = self.empty_dict();
            self.set_frame_variable(&frame, parameter.variable, Some(Value::Ref(dict)));
        }
        self.frames.push(frame);
        Some(id)
    }
}

/// Binds keyword arguments to parameters; nothing if a name is not that of a parameter without an argument.
fn bind_keywords(signature: &Signature, names: &[Symbol], values: &[Value], bound: &mut BoundArguments) -> Option<()> {
    for (name, &value) in names.iter().zip(values) {
        let parameters = signature.positional.iter().chain(&signature.keyword_only).enumerate();
        let mut parameters = parameters.skip(signature.positional_only);
        let (place, _) = parameters.find(|(_, parameter)| parameter.name == *name)?;
        if bound[place].replace(value).is_some() {
            return None;
        }
    }
    Some(())
}
