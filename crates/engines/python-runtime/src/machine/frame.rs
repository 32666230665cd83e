//! Call frames.

use super::value::{HeapRef, Value};
use crate::code::CodeId;

/// The frame of a function call, a class body or the top level.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) code: CodeId,
    /// The index of the next instruction.
    pub(crate) pc: usize,
    pub(crate) locals: Vec<Option<Value>>,
    /// Its own cells, followed by those of the enclosing functions.
    pub(crate) cells: Vec<HeapRef>,
    pub(crate) stack: Vec<Value>,
    /// Exceptions being handled, innermost last.
    pub(crate) handled_exceptions: Vec<HeapRef>,
    /// The namespace of a class body.
    pub(crate) namespace: Option<HeapRef>,
    pub(crate) return_target: ReturnTarget,
    /// The executing function, for `super()`.
    pub(crate) function: Option<HeapRef>,
}

/// The destination of the value that a frame returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReturnTarget {
    /// The stack of the frame below.
    Stack,
    /// None: the value must be `None`, and this new object goes onto the stack of the frame below.
    Init(HeapRef),
    /// The library function that made the call.
    Host,
    /// The generator that owns the frame; a library function or a loop requests its next value.
    Generator(HeapRef),
}

impl Frame {
    /// Calls `visit` with every value that the frame refers to.
    pub(super) fn visit_references(&self, visit: &mut dyn FnMut(Value)) {
        self.locals.iter().flatten().for_each(|&value| visit(value));
        self.stack.iter().for_each(|&value| visit(value));
        let cells = self.cells.iter().chain(&self.handled_exceptions).chain(&self.namespace).chain(&self.function);
        cells.for_each(|&cell| visit(Value::Ref(cell)));
        if let ReturnTarget::Generator(object) | ReturnTarget::Init(object) = self.return_target {
            visit(Value::Ref(object));
        }
    }
}
