//! Bytecode of a stack machine.

mod check;

pub use check::InvalidProgramError;

use std::sync::{Arc, OnceLock};

use crate::machine::{QuickProgram, TracebackEntry};
use crate::operators::{BinaryOperator, ComparisonOperator, UnaryOperator};

/// A name, by its index among the names of a [`Program`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// A function, by its index in [`Program::codes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeId(pub u32);

/// A compiled program.
///
/// Its instructions find the operands on the stack that their documentation names, as the compiler of `goalspec-reward` ensures: the engines
/// panic on other programs.
#[derive(Debug, Clone)]
pub struct Program {
    pub(crate) module: Arc<str>,
    pub(crate) codes: Vec<CodeObject>,
    pub(crate) names: Vec<Arc<str>>,
    pub(crate) line_starts: Vec<u32>,
    /// The instructions in the form that the reference machine runs, translated on first use.
    pub(crate) quick: OnceLock<QuickProgram>,
}

impl Program {
    /// Creates a program.
    ///
    /// `module` is the value of `__name__`: the name of the file, without directories and extensions. `codes` are the functions, classes,
    /// lambdas and comprehensions; the module itself comes first. `names` are the interned names and strings, and `line_starts` the byte
    /// offsets of the starts of the lines.
    ///
    /// # Errors
    /// If an index of a code refers to nothing, or the first code is not that of the module.
    pub fn new(
        module: Arc<str>,
        codes: Vec<CodeObject>,
        names: Vec<Arc<str>>,
        line_starts: Vec<u32>,
    ) -> Result<Self, InvalidProgramError> {
        let program = Self { module, codes, names, line_starts, quick: OnceLock::new() };
        program.check_indices().map(|()| program)
    }

    /// Returns the functions, classes, lambdas and comprehensions; the module itself comes first.
    pub fn codes(&self) -> &[CodeObject] {
        &self.codes
    }

    /// Returns the text of a name of the program.
    ///
    /// # Panics
    /// If the symbol is not one of the program.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0 as usize]
    }

    /// Returns a function of the program.
    ///
    /// # Panics
    /// If the id is not one of the program.
    pub fn code(&self, id: CodeId) -> &CodeObject {
        &self.codes[id.0 as usize]
    }

    /// Returns the instructions in the form that the reference machine runs.
    pub(crate) fn quick(&self) -> &QuickProgram {
        self.quick.get_or_init(|| QuickProgram::new(self))
    }

    /// Returns the position of an instruction of a code.
    pub fn traceback_entry(&self, code: &CodeObject, instruction: usize) -> TracebackEntry {
        let SourceRange { start, end } = code.instruction_ranges.get(instruction).copied().unwrap_or_default();
        TracebackEntry { line: self.line_number(start), function: Arc::clone(&code.name), start, end }
    }

    /// Returns the line number, from 1 on, of a byte offset.
    pub fn line_number(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|&start| start <= offset) as u32
    }
}

/// A range of the source text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct SourceRange {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset behind the last byte.
    pub end: u32,
}

/// The construct of the program that a code comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeKind {
    /// The module itself.
    Module,
    /// The body of a class.
    Class,
    /// A function, lambda or comprehension.
    Function,
    /// A generator expression: a call with its iterator makes the generator.
    GeneratorExpression,
    /// A function with `yield`: a call makes the generator.
    GeneratorFunction,
}

impl CodeKind {
    /// Returns whether a call makes a generator instead of running the code.
    pub fn is_generator(self) -> bool {
        matches!(self, Self::GeneratorExpression | Self::GeneratorFunction)
    }
}

/// The code of a function, class, module, lambda or comprehension.
#[derive(Debug, Clone)]
pub struct CodeObject {
    /// The kind of the code.
    pub kind: CodeKind,
    /// The name in tracebacks.
    pub name: Arc<str>,
    /// The qualified name, as in `Reward.total`.
    pub qualified_name: Arc<str>,
    /// The documentation string of a function.
    pub documentation: Option<Symbol>,
    /// The parameters.
    pub signature: Signature,
    /// The range of its name, or of the whole construct if it has no name.
    pub range: SourceRange,
    /// The local variables, parameters first.
    pub locals: Vec<Symbol>,
    /// The variables that inner functions capture.
    pub cells: Vec<Symbol>,
    /// The variables that are captured from enclosing functions.
    pub free: Vec<Symbol>,
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// The range of the text of each instruction.
    pub instruction_ranges: Vec<SourceRange>,
    /// The exception handlers, inner ones before enclosing ones.
    pub handlers: Vec<Handler>,
    /// The constants that instructions refer to.
    pub constants: Vec<Constant>,
    /// The observable sites with their instructions, in the order of the instructions.
    pub sites: Vec<(u32, Site)>,
}

/// A range of the text at which a run can be observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// The range.
    pub range: SourceRange,
    /// The observable event.
    pub kind: SiteKind,
}

/// The observable event at a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SiteKind {
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
    /// The pattern of a `case` that not every subject matches.
    Case,
    /// The guard of a `case`.
    Guard,
}

/// The parameters of a function.
#[derive(Debug, Clone, Default)]
pub struct Signature {
    /// The positional parameters; the first `positional_only` of them cannot be passed by keyword.
    pub positional: Vec<Parameter>,
    /// The number of positional parameters that cannot be passed by keyword.
    pub positional_only: usize,
    /// The number of trailing positional parameters with defaults.
    pub defaults: usize,
    /// `*args`.
    pub var_positional: Option<Parameter>,
    /// The parameters that can only be passed by keyword.
    pub keyword_only: Vec<Parameter>,
    /// The keyword-only parameters with defaults.
    pub keyword_defaults: Vec<Symbol>,
    /// `**kwargs`.
    pub var_keyword: Option<Parameter>,
}

impl Signature {
    /// Whether the function has only positional parameters, of which a call with `count` arguments leaves out none without a default.
    #[inline]
    pub(crate) fn takes_positional(&self, count: usize) -> bool {
        (self.positional.len() - self.defaults..=self.positional.len()).contains(&count)
            && self.keyword_only.is_empty()
            && self.var_positional.is_none()
            && self.var_keyword.is_none()
    }
}

/// A parameter of a function.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The name.
    pub name: Symbol,
    /// The slot that holds the argument.
    pub variable: Variable,
}

/// The slot of a variable of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variable {
    /// An index into the local variables.
    Local(u32),
    /// An index into the cells followed by the free variables.
    Cell(u32),
}

/// An exception handler for a range of instructions.
#[derive(Debug, Clone, Copy)]
pub struct Handler {
    /// The first covered instruction.
    pub start: u32,
    /// The instruction behind the last covered one.
    pub end: u32,
    /// The first instruction of the handler.
    pub target: u32,
    /// The number of values that stay on the stack; the exception is pushed above them.
    pub depth: u32,
    /// The number of exceptions that are still being handled.
    pub handled_count: u32,
}

/// A constant of a program.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    /// `None`
    None,
    /// `...`
    Ellipsis,
    /// `True` or `False`
    Bool(bool),
    /// An integer that fits in 64 bits.
    Int(i64),
    /// The digits of another integer, with the prefix of the base.
    BigInt(Arc<str>),
    /// A float.
    Float(f64),
    /// A string.
    Text(Symbol),
    /// A bytes object.
    Bytes(Arc<[u8]>),
    /// The names of keyword arguments.
    Names(Arc<[Symbol]>),
}

/// The conversion of a value in an f-string to a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conversion {
    /// No conversion.
    None,
    /// `!s`
    Str,
    /// `!r`
    Repr,
    /// `!a`
    Ascii,
}

/// The operands of a function's creation other than its code; they lie on the stack in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FunctionOperands {
    /// Whether there is a tuple of the defaults of the last positional parameters.
    pub defaults: bool,
    /// Whether there is a dict of the defaults of keyword-only parameters.
    pub keyword_defaults: bool,
    /// The number of cells that follow.
    pub cell_count: u32,
}

/// An instruction, with its effect on the stack, whose top is on the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instruction {
    /// `-> constant`
    Constant(u32),
    /// `-> value`
    Load(Variable),
    /// `-> value` of a global or built-in name.
    LoadGlobal(Symbol),
    /// `-> value` of a name in a class body, or of a global.
    LoadName(Symbol),
    /// `value ->`
    Store(Variable),
    /// `value ->`
    StoreGlobal(Symbol),
    /// `value ->`, to a name in a class body, or to a global.
    StoreName(Symbol),
    /// Deletes a variable.
    Delete(Variable),
    /// Deletes a global.
    DeleteGlobal(Symbol),
    /// Deletes a name of a class body, or a global.
    DeleteName(Symbol),
    /// `-> cell`, for the creation of a closure.
    LoadCell(u32),
    /// `object -> value`
    LoadAttribute(Symbol),
    /// `object -> value`, or `object ->` and a jump if the object has no such attribute.
    TryAttribute(Symbol, u32),
    /// `object -> value`, like [`Self::LoadAttribute`], of an attribute that is only called.
    LoadMethod(Symbol),
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
    /// `a -> value`
    Unary(UnaryOperator),
    /// `a b -> value`
    Binary(BinaryOperator),
    /// `a b -> value`, as in `a += b`.
    InPlace(BinaryOperator),
    /// `a b -> value`
    Compare(ComparisonOperator),
    /// Continues at another instruction.
    Jump(u32),
    /// `value ->`; jumps if the value is falsy.
    JumpIfFalse(u32),
    /// `value ->`; jumps if the value is truthy.
    JumpIfTrue(u32),
    /// `value ->`, or `value -> value` and a jump if the value is falsy.
    JumpIfFalseOrPop(u32),
    /// `value ->`, or `value -> value` and a jump if the value is truthy.
    JumpIfTrueOrPop(u32),
    /// `value ->`
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
    /// `v.. -> tuple`
    Tuple(u32),
    /// `v.. -> set`
    Set(u32),
    /// `-> dict`, an empty one.
    Dict,
    /// `list value -> list`, with this number of values between them.
    Append(u32),
    /// `set value -> set`, with this number of values between them.
    AddToSet(u32),
    /// `dict key value -> dict`, with this number of values between them.
    AddToDict(u32),
    /// `list iterable -> list`
    Extend,
    /// `set iterable -> set`
    UpdateSet,
    /// `dict mapping -> dict`
    UpdateDict,
    /// Like [`Self::UpdateDict`], for `**` in a call: a duplicate name is an error.
    MergeKeywords,
    /// `list -> tuple`
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
    /// Like [`Self::Class`], followed on the stack by keyword arguments, whose names a constant lists.
    ClassKeywords(u32, u32),
    /// `value ->`; returns from the function.
    Return,
    /// `value ->`; passes the value of a generator expression to the caller of `next`.
    Yield,
    /// `value -> sent`; passes the value of a generator function to the caller of `next` or `send`, and receives the value that is sent back.
    YieldExpression,
    /// `iterator sent -> iterator value`, or `iterator sent -> result` and a jump when the iterator ends, as in `yield from`.
    Delegate(u32),
    /// `manager -> exit value`; calls `__enter__`, and prepares the call of `__exit__`.
    EnterContext,
    /// `exit ->`; calls `__exit__` without an exception.
    LeaveContext,
    /// `exit -> suppresses`; calls `__exit__` with the exception that is being handled.
    LeaveContextOnException,
    /// `value other.. -> value other.. value`, with this number of other values.
    CopyBelow(u32),
    /// `subject -> bool`, whether a sequence pattern may match.
    MatchSequence,
    /// `subject -> bool`, whether a mapping pattern may match.
    MatchMapping,
    /// `mapping keys -> values`, a tuple with the values of the keys in a tuple; `None` if one is missing.
    MatchKeys,
    /// `mapping keys -> rest`, a dict of the entries without the keys in a tuple.
    MappingRest,
    /// `subject class -> bool`, whether the subject is an instance.
    MatchInstance,
    /// `subject class -> values`, a tuple with the values of the attributes of a class pattern; `None` if one is missing. The attributes
    /// are those of this number of positional patterns, followed by the names in a constant.
    MatchAttributes(u32, u32),
    /// `value -> length`
    Length,
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
    /// `function annotation -> function`; records the annotation of the parameter with this name.
    AnnotateParameter(Symbol),
}

impl Instruction {
    /// Returns the instruction that this one may jump to.
    pub(crate) fn jump_target(self) -> Option<usize> {
        match self {
            Self::Jump(target)
            | Self::JumpIfFalse(target)
            | Self::JumpIfTrue(target)
            | Self::JumpIfFalseOrPop(target)
            | Self::JumpIfTrueOrPop(target)
            | Self::Next(target)
            | Self::Delegate(target)
            | Self::TryAttribute(_, target) => Some(target as usize),
            _ => None,
        }
    }
}
