//! Call frames.
//!
//! The variables and operands of all running frames lie in two stacks of the machine; a frame owns the part of each from its start to the
//! start of the next frame.

use smallvec::SmallVec;

use super::run::Consumer;
use super::value::{HeapRef, Value};
use crate::code::CodeId;

/// The frame of a function call, a class body or the top level.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) code: CodeId,
    /// The index of the next instruction.
    pub(crate) pc: usize,
    /// The index of its first local variable on the stack of variables.
    pub(crate) first_local: usize,
    /// The index of its first operand on the stack of operands.
    pub(crate) first_operand: usize,
    /// Its own cells, followed by those of the enclosing functions.
    pub(crate) cells: SmallVec<[HeapRef; 2]>,
    /// Exceptions being handled, innermost last.
    pub(crate) handled_exceptions: Vec<HeapRef>,
    /// The namespace of a class body.
    pub(crate) namespace: Option<HeapRef>,
    pub(crate) return_target: ReturnTarget,
    /// The executing function, for `super()`.
    pub(crate) function: Option<HeapRef>,
}

/// The frame of a generator that is not running, with its variables and operands.
#[derive(Debug, Clone, Default)]
pub(crate) struct SuspendedFrame {
    /// The frame; `None` while it is running, and if its run was ended by a fault.
    pub(crate) frame: Option<Frame>,
    pub(crate) locals: Vec<Option<Value>>,
    pub(crate) operands: Vec<Value>,
}

/// The destination of the value that a frame returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReturnTarget {
    /// The stack of the frame below.
    Stack,
    /// None: the value is discarded, as that of a setter.
    Discard,
    /// None: the value must be `None`, and this new object goes onto the stack of the frame below.
    Init(HeapRef),
    /// The library function that made the call.
    Host,
    /// The generator that owns the frame; a library function or a loop requests its next value.
    Generator(HeapRef),
    /// The consumer of the generator that owns the frame, in the frame below.
    Consumer(HeapRef, Consumer),
}

impl Frame {
    /// Returns a frame that runs nothing.
    #[inline]
    pub(super) fn unused() -> Self {
        Self {
            code: CodeId(0),
            pc: 0,
            first_local: 0,
            first_operand: 0,
            cells: SmallVec::new(),
            handled_exceptions: Vec::new(),
            namespace: None,
            return_target: ReturnTarget::Host,
            function: None,
        }
    }

    /// Calls `visit` with every value that the frame refers to, other than its variables and operands.
    pub(super) fn visit_references(&self, visit: &mut dyn FnMut(Value)) {
        let cells = self.cells.iter().chain(&self.handled_exceptions).chain(&self.namespace).chain(&self.function);
        cells.for_each(|&cell| visit(Value::Ref(cell)));
        if let ReturnTarget::Generator(object) | ReturnTarget::Consumer(object, _) | ReturnTarget::Init(object) =
            self.return_target
        {
            visit(Value::Ref(object));
        }
    }
}

impl SuspendedFrame {
    /// Calls `visit` with every value that the frame refers to.
    pub(super) fn visit_references(&self, visit: &mut dyn FnMut(Value)) {
        self.frame.iter().for_each(|frame| frame.visit_references(visit));
        self.locals.iter().flatten().for_each(|&value| visit(value));
        self.operands.iter().for_each(|&value| visit(value));
    }

    /// Returns the estimated bytes.
    pub(super) fn bytes(&self) -> usize {
        let cells = self.frame.as_ref().map_or(0, |frame| frame.cells.len());
        size_of::<Self>() + (self.locals.len() + self.operands.len() + cells) * size_of::<Value>()
    }
}
