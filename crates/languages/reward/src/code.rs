//! Bytecode of a stack machine.

use std::sync::Arc;

use ruff_python_ast::{CmpOp, Operator, UnaryOp};
use ruff_text_size::TextRange;

use crate::machine::TracebackEntry;

/// A name, by its index in [`Program::names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Symbol(pub(crate) u32);

/// A function, by its index in [`Program::codes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct CodeId(pub(crate) u32);

/// A compiled program.
#[derive(Debug, Clone)]
pub struct Program {
    /// The value of `__name__`: the name of the file, without directories and extensions.
    pub(crate) module: Arc<str>,
    /// The functions, classes, lambdas and comprehensions; the module itself comes first.
    pub(crate) codes: Vec<CodeObject>,
    /// The interned names and strings of the program.
    pub(crate) names: Vec<Arc<str>>,
    /// The byte offset of the start of each line.
    pub(crate) line_starts: Vec<u32>,
}

impl Program {
    pub(crate) fn code(&self, id: CodeId) -> &CodeObject {
        &self.codes[id.0 as usize]
    }

    /// Returns the position of an instruction of a code.
    pub(crate) fn traceback_entry(&self, code: &CodeObject, instruction: usize) -> TracebackEntry {
        let range = code.instruction_ranges.get(instruction).copied().unwrap_or_default();
        let (start, end) = (range.start().to_u32(), range.end().to_u32());
        TracebackEntry { line: self.line_number(start), function: Arc::clone(&code.name), start, end }
    }

    /// Returns the line number, from 1 on, of a byte offset.
    pub(crate) fn line_number(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|&start| start <= offset) as u32
    }
}

/// The kind of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CodeKind {
    Module,
    Class,
    Function,
    /// A generator expression: a call makes the generator.
    Generator,
}

/// The code of a function, class, module, lambda or comprehension.
#[derive(Debug, Clone)]
pub(crate) struct CodeObject {
    pub(crate) kind: CodeKind,
    /// The name in tracebacks.
    pub(crate) name: Arc<str>,
    /// The qualified name, as in `Reward.total`.
    pub(crate) qualified_name: Arc<str>,
    pub(crate) signature: Signature,
    /// The range of its name, or of the whole construct if it has no name.
    pub(crate) range: TextRange,
    /// The local variables, parameters first.
    pub(crate) locals: Vec<Symbol>,
    /// The variables that inner functions capture.
    pub(crate) cells: Vec<Symbol>,
    /// The variables that are captured from enclosing functions.
    pub(crate) free: Vec<Symbol>,
    pub(crate) instructions: Vec<Instruction>,
    /// The range of the text of each instruction.
    pub(crate) instruction_ranges: Vec<TextRange>,
    /// The exception handlers, inner ones before enclosing ones.
    pub(crate) handlers: Vec<Handler>,
    pub(crate) constants: Vec<Constant>,
    /// The observable sites with their instructions, in the order of the instructions.
    pub(crate) sites: Vec<(u32, Site)>,
}

/// A range of the text at which a run can be observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Site {
    /// The start and end of the range, in bytes.
    pub(crate) range: (u32, u32),
    pub(crate) kind: SiteKind,
}

/// The observable event at a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum SiteKind {
    /// A jump on the value of the expression.
    Branch(BranchKind),
    /// A comparison of two values.
    Comparison,
    /// A division; the range is that of the divisor.
    Division,
    /// An addition or a subtraction.
    Sum,
    /// `a += b` of a variable.
    Update,
    /// An assignment to a variable.
    Store,
    /// The return of a value from a function.
    Return,
}

/// The construct whose condition decides a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BranchKind {
    /// The condition of an `if` or `elif`.
    If,
    /// The condition of a `while`.
    While,
    /// The condition of `a if condition else b`.
    Conditional,
    /// An operand of `and` other than the last one.
    And,
    /// An operand of `or` other than the last one.
    Or,
    /// The condition of a comprehension.
    Filter,
    /// The condition of an `assert`.
    Assert,
}

/// The parameters of a function.
#[derive(Debug, Clone, Default)]
pub(crate) struct Signature {
    /// The positional parameters; the first `positional_only` of them cannot be passed by keyword.
    pub(crate) positional: Vec<Parameter>,
    pub(crate) positional_only: usize,
    /// The number of trailing positional parameters with defaults.
    pub(crate) defaults: usize,
    /// `*args`.
    pub(crate) var_positional: Option<Parameter>,
    pub(crate) keyword_only: Vec<Parameter>,
    /// The keyword-only parameters with defaults.
    pub(crate) keyword_defaults: Vec<Symbol>,
    /// `**kwargs`.
    pub(crate) var_keyword: Option<Parameter>,
}

/// A parameter of a function.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameter {
    pub(crate) name: Symbol,
    pub(crate) variable: Variable,
}

/// The slot of a variable of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variable {
    Local(u32),
    /// An index into the cells followed by the free variables.
    Cell(u32),
}

/// An exception handler for a range of instructions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Handler {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) target: u32,
    /// The number of values that stay on the stack; the exception is pushed above them.
    pub(crate) depth: u32,
    /// The number of exceptions that are still being handled.
    pub(crate) handled_count: u32,
}

/// A constant of a program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Constant {
    None,
    Ellipsis,
    Bool(bool),
    Int(i64),
    /// The digits, with the prefix of the base.
    BigInt(Arc<str>),
    Float(f64),
    Text(Symbol),
    Bytes(Arc<[u8]>),
    /// The names of keyword arguments.
    Names(Arc<[Symbol]>),
}

/// The conversion of a value in an f-string to a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Conversion {
    None,
    Str,
    Repr,
    Ascii,
}

/// The operands of a function's creation other than its code; they lie on the stack in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FunctionOperands {
    /// Whether there is a tuple of the defaults of the last positional parameters.
    pub(crate) defaults: bool,
    /// Whether there is a dict of the defaults of keyword-only parameters.
    pub(crate) keyword_defaults: bool,
    /// The number of cells that follow.
    pub(crate) cell_count: u32,
}

/// An instruction, with its effect on the stack, whose top is on the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Instruction {
    /// `-> constant`
    Constant(u32),
    /// `-> value`
    Load(Variable),
    LoadGlobal(Symbol),
    /// `-> value` of a name in a class body, or of a global.
    LoadName(Symbol),
    /// `value ->`
    Store(Variable),
    StoreGlobal(Symbol),
    StoreName(Symbol),
    Delete(Variable),
    DeleteGlobal(Symbol),
    DeleteName(Symbol),
    /// `-> cell`, for the creation of a closure.
    LoadCell(u32),
    /// `object -> value`
    LoadAttribute(Symbol),
    /// `value object ->`
    StoreAttribute(Symbol),
    /// `object ->`
    DeleteAttribute(Symbol),
    /// `object index -> value`
    LoadItem,
    /// `value object index ->`
    StoreItem,
    /// `object index ->`
    DeleteItem,
    /// `lower upper step -> slice`
    Slice,
    Unary(UnaryOp),
    Binary(Operator),
    /// As in `a += b`.
    InPlace(Operator),
    Compare(CmpOp),
    Jump(u32),
    /// `value ->`
    JumpIfFalse(u32),
    JumpIfTrue(u32),
    /// `value ->`, or `value -> value` when it jumps.
    JumpIfFalseOrPop(u32),
    JumpIfTrueOrPop(u32),
    Pop,
    /// `a -> a a`
    Copy,
    /// `a b -> a b a b`
    CopyTwo,
    /// `a b -> b a`
    Swap,
    /// `a b c -> c a b`
    RotateThree,
    /// `v.. -> list`
    List(u32),
    Tuple(u32),
    Set(u32),
    /// `-> dict`, an empty one.
    Dict,
    /// `list value -> list`, with this number of values between them.
    Append(u32),
    AddToSet(u32),
    /// `dict key value -> dict`
    AddToDict(u32),
    /// `list iterable -> list`
    Extend,
    UpdateSet,
    UpdateDict,
    /// Like [`Self::UpdateDict`], for `**` in a call: a duplicate name is an error.
    MergeKeywords,
    ListToTuple,
    /// `iterable -> last .. first`
    Unpack(u32),
    /// `iterable -> after.. rest before..`, each reversed.
    UnpackStarred(u32, u32),
    /// `iterable -> iterator`
    Iterate,
    /// `iterator -> iterator item`, or `iterator ->` and a jump.
    Next(u32),
    /// `function argument.. -> value`
    Call(u32),
    /// `function argument.. -> value`; a constant lists the names of the last arguments.
    CallKeywords(u32, u32),
    /// `function tuple -> value`, or `function tuple dict -> value`
    CallUnpacked(bool),
    /// `defaults? keyword-defaults? cell.. -> function`
    Function(CodeId, FunctionOperands),
    /// `body base.. -> class`; runs the body.
    Class(u32),
    /// `value ->`; returns from the function.
    Return,
    /// `value ->`; passes the value to the caller of `next`.
    Yield,
    /// `-> `, `exception ->` or `exception cause ->`
    Raise(u32),
    /// `exception ->`; raises it again, with its traceback.
    Reraise,
    /// `exception ->`; makes it the exception that is being handled.
    PushHandled,
    /// Restores the previously handled exception.
    PopHandled,
    /// `-> exception`, the exception that is being handled.
    LoadHandled,
    /// `exception class -> bool`
    MatchException,
    /// `value spec? -> text`
    Format(Conversion, bool),
    /// `text.. -> text`
    Join(u32),
    /// `-> module`
    Import(Symbol),
    /// `module -> module value`
    ImportFrom(Symbol),
    /// `module ->`; binds all its names as globals.
    ImportAll,
    /// `-> AssertionError`
    AssertionError,
    /// Declares an annotated name of a class body.
    Annotate(Symbol),
}
