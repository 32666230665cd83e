//! The instruction set of a machine with 64-bit registers, rows of numbers, and lists.

use crate::lists::{Lists, RESULT_WORDS};

/// The index of a register. All registers are zero at the start of a run.
pub type Register = u16;
/// The target of a jump, as an index into the instructions.
pub type JumpTarget = u32;

/// Maximum number of rows of a run.
pub const MAX_ROWS: usize = 127;
/// The number of rows in the bit set of a class. Runs with more rows visit them one by one.
pub const SET_ROWS: usize = 64;
/// Maximum number of lists of a run, including the list of the rows.
pub const MAX_LISTS: usize = 128;
/// Maximum number of elements of a list.
pub const MAX_LENGTH: usize = 127;
/// Maximum number of sort keys.
pub const MAX_KEYS: usize = 4;
/// Maximum number of arguments of a call of the host.
pub const MAX_ARGUMENTS: usize = 12;
/// Maximum number of registers of a program.
pub const MAX_REGISTERS: usize = 512;
/// Maximum number of instructions of a program. Compiling longer programs takes more time than it saves.
pub const MAX_OPS: usize = 4000;
/// Maximum product of the number of instructions and the number of registers of a program. The data-flow analysis tracks every
/// register through all instructions, which takes seconds beyond this limit.
pub const MAX_ANALYSIS_SIZE: usize = 1 << 19;

/// The number of fields of a row.
pub const FIELDS: usize = 8;

/// Arithmetic on signed 64-bit integers. Overflow and division by zero stop the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntOp {
    /// The sum.
    Add,
    /// The difference.
    Sub,
    /// The product.
    Mul,
    /// The quotient, rounded towards negative infinity.
    FloorDiv,
    /// The remainder of [`Self::FloorDiv`].
    Mod,
}

/// Arithmetic on 64-bit words, which never stops a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BitOp {
    /// The sum, modulo 2⁶⁴.
    Add,
    /// The difference, modulo 2⁶⁴.
    Sub,
    /// The bitwise conjunction.
    And,
    /// The bitwise disjunction.
    Or,
    /// The bitwise exclusive disjunction.
    Xor,
    /// The first operand, shifted right by the low six bits of the second.
    ShiftRight,
}

/// Arithmetic on IEEE 754 double-precision floats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloatOp {
    /// The sum.
    Add,
    /// The difference.
    Sub,
    /// The product.
    Mul,
    /// The quotient.
    Div,
}

/// An operation on one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    /// The negated float.
    Neg,
    /// The absolute value of the float.
    Abs,
    /// The square root of the float.
    Sqrt,
    /// The signed integer converted to the nearest float.
    ToFloat,
    /// The float truncated to a signed integer, saturating at the limits of the type; zero for NaN.
    ToInt,
}

/// A comparison of two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Test {
    /// Whether the words are equal.
    Equal,
    /// Whether the first signed integer is less than the second.
    Less,
    /// Whether the first signed integer is less than or equal to the second.
    LessEqual,
    /// Whether the floats are equal.
    FloatEqual,
    /// Whether the first float is less than the second.
    FloatLess,
    /// Whether the first float is less than or equal to the second.
    FloatLessEqual,
}

/// An external function that an instruction calls. It must not panic or exhaust the stack, which would end the process, and it must
/// terminate, because it uses no fuel.
pub type ExternFunction = extern "C" fn(u64, u64) -> u64;

/// An instruction. Register `d` receives the result, `o` contains the index of a row, and `l` and `m` contain indices of lists; `t`
/// is the target of a jump; a `set` is a bit set of classes. A row or list that does not exist stops the run with [`Trap::OutOfBounds`].
///
/// List 0 contains the indices of all rows. Changing it stops the run with [`Trap::Bailout`].
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the fields are told of above")]
pub enum Op {
    /// Loads a constant.
    Const { d: Register, bits: u64 },
    /// Copies a register.
    Copy { d: Register, a: Register },
    /// Computes checked integer arithmetic.
    Int { op: IntOp, d: Register, a: Register, b: Register },
    /// Computes arithmetic on words.
    Bits { op: BitOp, d: Register, a: Register, b: Register },
    /// Computes arithmetic on floats.
    Float { op: FloatOp, d: Register, a: Register, b: Register },
    /// Computes an operation on one value.
    Unary { op: UnaryOp, d: Register, a: Register },
    /// Selects the value of `a` if the test holds, and that of `b` otherwise.
    Select { test: Test, x: Register, y: Register, d: Register, a: Register, b: Register },
    /// Jumps to `t`.
    Jump { t: JumpTarget },
    /// Jumps to `t` if the result of the test is `when`.
    JumpIf { test: Test, when: bool, a: Register, b: Register, t: JumpTarget },
    /// Jumps to `t` if the membership of the row's class in the set is `when`. A row that does not exist is in no set.
    JumpIfClass { o: Register, set: u64, when: bool, t: JumpTarget },
    /// Loads a field of a row.
    Field { d: Register, o: Register, field: u8 },
    /// Uses `cost` units of fuel. The run stops if the fuel becomes negative.
    ConsumeFuel { cost: u16 },
    /// Uses `cost` units of fuel times the low 32 bits of the register.
    ConsumeFuelBy { a: Register, cost: u16 },
    /// Creates an empty list.
    NewList { d: Register },
    /// Creates a list of `count` zeros.
    NewZeros { d: Register, count: u8 },
    /// Replaces the element at an index by the value of `b`, or jumps to `t` if the index is out of range.
    Set { l: Register, a: Register, b: Register, t: JumpTarget },
    /// Appends an element to a list.
    Push { l: Register, a: Register },
    /// Loads the length of a list.
    Length { d: Register, l: Register },
    /// Loads the element at an index, or jumps to `t` if the index is out of range.
    Get { d: Register, l: Register, a: Register, t: JumpTarget },
    /// Removes the element at an index, which must be in range.
    Remove { l: Register, a: Register },
    /// Appends all elements of `m` to `l`, which must be another list.
    Extend { l: Register, m: Register },
    /// Sorts a list, stably and in ascending order, by `count` lists of keys, and permutes those lists in the same way. Their indices
    /// are in the registers from `keys` on. The lists of keys must be distinct, other than `l`, of the same length as `l`, and not
    /// list 0.
    Sort { l: Register, keys: Register, count: u8, floats: bool },
    /// Finds the next row of the list `l`, from the index `place` on, whose class is in the set. Sets `d` to the row and `place` to
    /// the index after it. If there is none, sets `d` to the last row that was passed, if any, and `place` to the end, and jumps to
    /// `t`. Each element that is visited uses `cost` units of fuel, and so does the end of the list.
    NextOfClass { d: Register, l: Register, place: Register, set: u64, cost: u16, t: JumpTarget },
    /// Appends to `l` all rows of the list `m`, from the index `place` on, whose class is in the set; `l` must be another list.
    PushOfClass { l: Register, m: Register, place: Register, set: u64 },
    /// Calls an external function.
    Call { d: Register, function: ExternFunction, a: Register, b: Register },
    /// Calls the host's function with this number. Sets `d` and `e` to its values and uses its cost as fuel.
    CallHost { d: Register, e: Register, function: u32, arguments: Arguments },
    /// Ends the run with a code and three values.
    End { code: u32, values: [Register; RESULT_WORDS] },
    /// Ends the run without a result.
    Bailout,
}

/// The registers of the arguments of a call of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arguments {
    registers: [Register; MAX_ARGUMENTS],
    count: u8,
}

impl Arguments {
    /// Returns the arguments in these registers; `None` if there are more than [`MAX_ARGUMENTS`].
    pub fn new(from: &[Register]) -> Option<Self> {
        let mut registers = [0; MAX_ARGUMENTS];
        registers.get_mut(..from.len())?.copy_from_slice(from);
        Some(Self { registers, count: from.len() as u8 })
    }

    /// Returns the registers.
    pub fn registers(&self) -> &[Register] {
        &self.registers[..usize::from(self.count)]
    }
}

/// Functions that instructions call during a run.
pub trait Host {
    /// Runs the function with a number. Unused arguments are unspecified. It must not panic, which would end the process, and it must
    /// terminate.
    ///
    /// # Errors
    /// Returns the reason to stop the run.
    fn call(&self, function: u32, arguments: &[u64; MAX_ARGUMENTS], lists: &mut Lists<'_>) -> Result<HostResult, Trap>;
}

/// The result of a function of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HostResult {
    /// The values of the result registers.
    pub values: [u64; 2],
    /// The fuel that the call uses, of which only the low 32 bits are considered.
    pub cost: u64,
}

/// A host without functions: every call stops the run.
#[derive(Debug, Clone, Copy)]
pub struct NoHost;

impl Host for NoHost {
    fn call(&self, _: u32, _: &[u64; MAX_ARGUMENTS], _: &mut Lists<'_>) -> Result<HostResult, Trap> {
        Err(Trap::Bailout)
    }
}

/// The input rows of a run.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'r> {
    /// The fields of each row.
    pub fields: &'r [[i32; FIELDS]],
    /// The class of each row, of which only the low six bits are used.
    pub classes: &'r [u8],
    /// For each class, the bit set of its rows among the first [`SET_ROWS`]. If the bit sets contradict `classes`, runs are still safe, but
    /// use either of the two.
    pub class_rows: &'r [u64; 64],
}

/// The reason why a run stops without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Trap {
    /// An integer overflow.
    Overflow,
    /// A division by zero.
    DivisionByZero,
    /// The fuel is exhausted.
    OutOfFuel,
    /// A row, list or element does not exist.
    OutOfBounds,
    /// A sort key is NaN.
    UnorderedKeys,
    /// The rows, lists or elements exceed a limit, a list operation is not supported (such as a change of list 0), or the run
    /// executed [`Op::Bailout`].
    Bailout,
}

impl Trap {
    /// All reasons, in the order of their numbers.
    pub const ALL: [Self; 6] =
        [Self::Overflow, Self::DivisionByZero, Self::OutOfFuel, Self::OutOfBounds, Self::UnorderedKeys, Self::Bailout];
}

/// The result of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunOutcome {
    /// The run ended at [`Op::End`].
    Finished {
        /// The code of the instruction.
        code: u32,
        /// The values of its registers.
        values: [u64; RESULT_WORDS],
    },
    /// The run stopped without a result.
    Trapped(Trap),
}

/// The registers that an instruction reads and writes.
#[derive(Debug, Default)]
pub(crate) struct RegisterUses {
    pub(crate) reads: [Option<Register>; MAX_ARGUMENTS],
    pub(crate) writes: [Option<Register>; 2],
}

impl Op {
    /// Returns the jump target, for modification.
    pub fn jump_target_mut(&mut self) -> Option<&mut JumpTarget> {
        match self {
            Self::Jump { t }
            | Self::JumpIf { t, .. }
            | Self::JumpIfClass { t, .. }
            | Self::Get { t, .. }
            | Self::Set { t, .. }
            | Self::NextOfClass { t, .. } => Some(t),
            _ => None,
        }
    }

    /// Returns the jump target.
    pub(crate) fn jump_target(mut self) -> Option<JumpTarget> {
        self.jump_target_mut().copied()
    }

    /// Returns whether execution may continue with the next instruction.
    pub(crate) fn falls_through(self) -> bool {
        !matches!(self, Self::Jump { .. } | Self::End { .. } | Self::Bailout)
    }

    pub(crate) fn uses(self) -> RegisterUses {
        let of = |reads: &[Register], writes: &[Register]| {
            let mut uses = RegisterUses::default();
            uses.reads.iter_mut().zip(reads).for_each(|(slot, &register)| *slot = Some(register));
            uses.writes.iter_mut().zip(writes).for_each(|(slot, &register)| *slot = Some(register));
            uses
        };
        match self {
            Self::Const { d, .. } | Self::NewList { d } | Self::NewZeros { d, .. } => of(&[], &[d]),
            Self::Copy { d, a } | Self::Unary { d, a, .. } => of(&[a], &[d]),
            Self::Int { d, a, b, .. }
            | Self::Bits { d, a, b, .. }
            | Self::Float { d, a, b, .. }
            | Self::Call { d, a, b, .. } => of(&[a, b], &[d]),
            Self::Select { x, y, d, a, b, .. } => of(&[x, y, a, b], &[d]),
            Self::Jump { .. } | Self::ConsumeFuel { .. } | Self::Bailout => of(&[], &[]),
            Self::JumpIf { a, b, .. } => of(&[a, b], &[]),
            Self::End { values, .. } => of(&values, &[]),
            Self::Set { l, a, b, .. } => of(&[l, a, b], &[]),
            Self::CallHost { d, e, arguments, .. } => of(arguments.registers(), &[d, e]),
            Self::JumpIfClass { o, .. } => of(&[o], &[]),
            Self::Field { d, o, .. } => of(&[o], &[d]),
            Self::ConsumeFuelBy { a, .. } => of(&[a], &[]),
            Self::Push { l, a } | Self::Remove { l, a } => of(&[l, a], &[]),
            Self::Length { d, l } => of(&[l], &[d]),
            Self::Get { d, l, a, .. } => of(&[l, a], &[d]),
            Self::Extend { l, m } => of(&[l, m], &[]),
            Self::Sort { l, keys, count, .. } => {
                // The first and last of the keys, which bound the others.
                of(&[l, keys, keys.saturating_add(u16::from(count).saturating_sub(1))], &[])
            }
            Self::NextOfClass { d, l, place, .. } => of(&[l, place, d], &[d, place]),
            Self::PushOfClass { l, m, place, .. } => of(&[l, m, place], &[]),
        }
    }
}
