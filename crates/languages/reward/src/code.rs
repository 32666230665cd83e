//! Programs as instructions of a stack machine.

use std::sync::Arc;

use ruff_python_ast::{CmpOp, Operator, UnaryOp};
use ruff_text_size::TextRange;

use crate::machine::Place;

/// A name by its number in [`Program::names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Symbol(pub(crate) u32);

/// A function by its place in [`Program::codes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct CodeId(pub(crate) u32);

/// A program.
#[derive(Debug, Clone)]
pub struct Program {
    /// The name of the module, `__name__`: that of the file, without folders and endings.
    pub(crate) module: Arc<str>,
    /// The functions, classes, lambdas and comprehensions; the first one is the module.
    pub(crate) codes: Vec<Code>,
    /// All names and texts that stand in it.
    pub(crate) names: Vec<Arc<str>>,
    /// Where each line of the text begins.
    pub(crate) lines: Vec<u32>,
}

impl Program {
    pub(crate) fn code(&self, id: CodeId) -> &Code {
        &self.codes[id.0 as usize]
    }

    /// Where an instruction of a code stands.
    pub(crate) fn place(&self, code: &Code, instruction: usize) -> Place {
        let range = code.places.get(instruction).copied().unwrap_or_default();
        let (start, end) = (range.start().to_u32(), range.end().to_u32());
        Place { line: self.line(start), function: Arc::clone(&code.name), start, end }
    }

    /// The line, from 1 on, of a byte of the text.
    pub(crate) fn line(&self, offset: u32) -> u32 {
        self.lines.partition_point(|&start| start <= offset) as u32
    }
}

/// What kind of body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CodeKind {
    Module,
    Class,
    Function,
    /// A generator expression: a call makes the generator.
    Generator,
}

/// A function.
#[derive(Debug, Clone)]
pub(crate) struct Code {
    pub(crate) kind: CodeKind,
    /// What tracebacks call it.
    pub(crate) name: Arc<str>,
    /// The name with those of what is around it, as in `Reward.total`.
    pub(crate) qualified: Arc<str>,
    pub(crate) signature: Signature,
    /// Where its name stands, or the whole of what has none.
    pub(crate) range: TextRange,
    /// Variables, parameters first.
    pub(crate) locals: Vec<Symbol>,
    /// Variables that functions inside see, too.
    pub(crate) cells: Vec<Symbol>,
    /// Variables of functions around.
    pub(crate) free: Vec<Symbol>,
    pub(crate) instructions: Vec<Instruction>,
    /// For each instruction the part of the text that it stands for.
    pub(crate) places: Vec<TextRange>,
    /// Inner ones before those around them.
    pub(crate) handlers: Vec<Handler>,
    pub(crate) constants: Vec<Constant>,
    /// What can be observed, in the order of the instructions.
    pub(crate) sites: Vec<(u32, Site)>,
}

/// A place of the text at which a run can be observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Site {
    /// From where to where, in bytes.
    pub(crate) range: (u32, u32),
    pub(crate) kind: SiteKind,
}

/// What there is to observe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum SiteKind {
    /// A jump on the value of what stands there.
    Branch(BranchKind),
    /// A comparison of two values.
    Comparison,
    /// A division; what stands there is what is divided by.
    Division,
    /// A sum or a difference.
    Sum,
    /// `a += b` of a variable.
    Update,
    /// A variable that gets a value.
    Store,
    /// What a function returns.
    Return,
}

/// What decides where a program goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BranchKind {
    /// The condition of an `if` or `elif`.
    If,
    /// The condition of a `while`.
    While,
    /// The condition of `a if condition else b`.
    Choice,
    /// An operand of `and`, not the last one.
    And,
    /// An operand of `or`, not the last one.
    Or,
    /// The condition of a comprehension.
    Filter,
    /// What an `assert` asserts.
    Assert,
}

/// The parameters of a function.
#[derive(Debug, Clone, Default)]
pub(crate) struct Signature {
    /// Those that are given by place: the first so many by place only.
    pub(crate) positional: Vec<Parameter>,
    pub(crate) positional_only: usize,
    /// How many of the last ones have defaults.
    pub(crate) defaults: usize,
    /// `*args`.
    pub(crate) rest: Option<Parameter>,
    pub(crate) keyword_only: Vec<Parameter>,
    /// Those of them that have defaults.
    pub(crate) keyword_defaults: Vec<Symbol>,
    /// `**kwargs`.
    pub(crate) keywords: Option<Parameter>,
}

/// Where an argument goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameter {
    pub(crate) name: Symbol,
    pub(crate) place: Variable,
}

/// A variable of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variable {
    Local(u32),
    /// One of the cells, then of the free variables.
    Cell(u32),
}

/// What handles exceptions of a range of instructions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Handler {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) target: u32,
    /// How many values are left on the stack; the exception is pushed above.
    pub(crate) depth: u32,
    /// How many exceptions are still being handled.
    pub(crate) handling: u32,
}

/// What a program says literally.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Constant {
    None,
    Ellipsis,
    Bool(bool),
    Int(i64),
    /// Digits, with the base's prefix.
    BigInt(Arc<str>),
    Float(f64),
    Text(Symbol),
    Bytes(Arc<[u8]>),
    /// The names of keyword arguments.
    Names(Arc<[Symbol]>),
}

/// How a value of an f-string becomes text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Conversion {
    None,
    Str,
    Repr,
    Ascii,
}

/// What a function is made with, beside its code; on the stack in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Extras {
    /// A tuple of the last positional parameters' defaults.
    pub(crate) defaults: bool,
    /// A dict of the defaults of keyword-only parameters.
    pub(crate) keyword_defaults: bool,
    /// How many cells follow.
    pub(crate) closure: u32,
}

/// An instruction. The stack's top is on the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Instruction {
    /// `-> constant`
    Constant(u32),
    /// `-> value`
    Load(Variable),
    LoadGlobal(Symbol),
    /// `-> value` of a class body's name, or of a global.
    LoadName(Symbol),
    /// `value ->`
    Store(Variable),
    StoreGlobal(Symbol),
    StoreName(Symbol),
    Delete(Variable),
    DeleteGlobal(Symbol),
    DeleteName(Symbol),
    /// `-> cell`, for a function to be made.
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
    /// `list value -> list`, with so many values between.
    Append(u32),
    AddToSet(u32),
    /// `dict key value -> dict`
    AddToDict(u32),
    /// `list iterable -> list`
    Extend,
    UpdateSet,
    UpdateDict,
    /// As [`Self::UpdateDict`], for `**` of a call: of a name given twice the call complains.
    MergeKeywords,
    ListToTuple,
    /// `iterable -> last .. first`
    Unpack(u32),
    /// `iterable -> after.. rest before..`, each reversed.
    UnpackRest(u32, u32),
    /// `iterable -> iterator`
    Iterate,
    /// `iterator -> iterator item`, or `iterator ->` and a jump.
    Next(u32),
    /// `function argument.. -> value`
    Call(u32),
    /// `function argument.. -> value`; the last arguments have names, which a constant lists.
    CallNamed(u32, u32),
    /// `function tuple -> value`, or `function tuple dict -> value`
    CallUnpacked(bool),
    /// `defaults? keyword-defaults? cell.. -> function`
    Function(CodeId, Extras),
    /// `body base.. -> class`: runs the body.
    Class(u32),
    /// `value ->`, and the function is over.
    Return,
    /// `value ->`, handed to who asked for the next one.
    Yield,
    /// `-> `, `exception ->` or `exception cause ->`
    Raise(u32),
    /// `exception ->`: it goes on as it was.
    Reraise,
    /// `exception ->`: it is the one being handled now.
    Handle,
    /// The one before it is being handled again.
    Handled,
    /// `-> exception`, the one being handled.
    LoadHandled,
    /// `exception class -> bool`
    Matches,
    /// `value spec? -> text`
    Format(Conversion, bool),
    /// `text.. -> text`
    Join(u32),
    /// `-> module`
    Import(Symbol),
    /// `module -> module value`
    ImportFrom(Symbol),
    /// `module ->`: all its names become globals.
    ImportAll,
    /// `-> AssertionError`
    AssertionError,
    /// The class body says what kind of value this name has.
    Annotate(Symbol),
}
