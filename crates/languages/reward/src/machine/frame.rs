//! Call frames.

use super::value::{Ref, Value};
use crate::code::CodeId;

/// The frame of a function call, a class body or the top level.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) code: CodeId,
    /// The index of the next instruction.
    pub(crate) next: usize,
    pub(crate) locals: Vec<Option<Value>>,
    /// Its own cells, followed by those of the enclosing functions.
    pub(crate) cells: Vec<Ref>,
    pub(crate) stack: Vec<Value>,
    /// Exceptions being handled, innermost last.
    pub(crate) handling: Vec<Ref>,
    /// The namespace of a class body.
    pub(crate) names: Option<Ref>,
    pub(crate) purpose: Purpose,
    /// The executing function, for `super()`.
    pub(crate) function: Option<Ref>,
}

/// The destination of the value that a frame returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The stack of the frame below.
    Value,
    /// None: the value must be `None`, and this new object goes onto the stack of the frame below.
    Init(Ref),
    /// The library function that made the call.
    Callback,
    /// The generator that owns the frame; a library function or a loop requests its next value.
    Generator(Ref),
}

impl Frame {
    /// Calls `tell` with every value that the frame refers to.
    pub(super) fn parts(&self, tell: &mut dyn FnMut(Value)) {
        self.locals.iter().flatten().for_each(|&value| tell(value));
        self.stack.iter().for_each(|&value| tell(value));
        let cells = self.cells.iter().chain(&self.handling).chain(&self.names).chain(&self.function);
        cells.for_each(|&cell| tell(Value::Ref(cell)));
        if let Purpose::Generator(object) | Purpose::Init(object) = self.purpose {
            tell(Value::Ref(object));
        }
    }
}
