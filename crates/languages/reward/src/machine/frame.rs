//! Functions that are running.

use super::value::{Ref, Value};
use crate::code::CodeId;

/// A call of a function.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) code: CodeId,
    /// The next instruction.
    pub(crate) next: usize,
    pub(crate) locals: Vec<Option<Value>>,
    /// Own cells, then those of functions around.
    pub(crate) cells: Vec<Ref>,
    pub(crate) stack: Vec<Value>,
    /// Exceptions that are being handled, innermost last.
    pub(crate) handling: Vec<Ref>,
    /// The names of a class body.
    pub(crate) names: Option<Ref>,
    pub(crate) purpose: Purpose,
    /// The function, for `super()`.
    pub(crate) function: Option<Ref>,
}

/// What becomes of what a frame returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It goes onto the stack of the frame below.
    Value,
    /// It must be nothing: this object, which the frame has made ready, goes onto the stack of the frame below.
    Init(Ref),
    /// It goes to the library function that called.
    Callback,
    /// The frame belongs to a generator, which a library function or a loop asks for its next value.
    Generator(Ref),
}

impl Frame {
    /// Tells every value that it holds.
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
