//! Code for a machine with 64-bit registers, rows of numbers, and lists.

/// A register. All of them are zero at the start.
pub type Register = u16;
/// Where a jump goes, by the number of the instruction.
pub type Target = u32;

/// Most rows of a run.
pub const MAX_ROWS: usize = 64;
/// Most lists of a run, that of the rows among them.
pub const MAX_LISTS: usize = 128;
/// Most elements of a list.
pub const MAX_LENGTH: usize = 127;
/// Most keys that a list is sorted by.
pub const MAX_KEYS: usize = 4;
/// Most registers of a program.
pub const MAX_REGISTERS: usize = 512;
/// Most instructions of a program: what takes longer to be compiled than it is worth.
pub const MAX_OPS: usize = 4000;
/// Most instructions times registers of a program: every register is followed along all instructions, which takes seconds
/// beyond this.
pub const MAX_FACTS: usize = 1 << 19;

/// Numbers of a row.
pub const FIELDS: usize = 8;

/// Arithmetic on whole numbers with a sign; what does not fit, or is divided by zero, stops the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntOp {
    /// The sum.
    Add,
    /// The difference.
    Sub,
    /// The product.
    Mul,
    /// The quotient, rounded down.
    FloorDiv,
    /// What is left by [`Self::FloorDiv`].
    Mod,
}

/// Arithmetic on bits, which never stops a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BitOp {
    /// The sum, wrapped around.
    Add,
    /// The difference, wrapped around.
    Sub,
    /// Bits that are set in both.
    And,
    /// The first one's bits, shifted right by the second one's last six bits.
    Shift,
}

/// Arithmetic on floats, as IEEE 754 has it.
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

/// What is made of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    /// The float with the other sign.
    Neg,
    /// The float without its sign.
    Abs,
    /// The square root of the float.
    Sqrt,
    /// The whole number as the nearest float.
    ToFloat,
    /// The float without its fraction as a whole number, at most the largest ones; zero of what is no number.
    ToInt,
}

/// A question about two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Test {
    /// Whether the bits are the same.
    Equal,
    /// Whether the first whole number is less.
    Less,
    /// Whether the first whole number is not greater.
    LessEqual,
    /// Whether the floats are equal.
    FloatEqual,
    /// Whether the first float is less.
    FloatLess,
    /// Whether the first float is less or equal.
    FloatLessEqual,
}

/// A function from outside that an instruction calls. It must neither panic nor use up the stack, which would end the process, and it
/// has to come to an end: it uses no fuel.
pub type Function = extern "C" fn(u64, u64) -> u64;

/// An instruction. `d` is the register of the result, `o` one with the number of a row, `l` and `m` ones with numbers of lists, `t` is
/// where a jump goes. A row or list that there is not stops the run with [`Stop::Bounds`].
///
/// List 0 has the numbers of all rows, and stays as it is.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the fields are told of above")]
pub enum Op {
    /// These bits.
    Const { d: Register, bits: u64 },
    /// What another register has.
    Copy { d: Register, a: Register },
    /// Checked arithmetic.
    Int { op: IntOp, d: Register, a: Register, b: Register },
    /// Arithmetic on bits.
    Bits { op: BitOp, d: Register, a: Register, b: Register },
    /// Arithmetic on floats.
    Float { op: FloatOp, d: Register, a: Register, b: Register },
    /// What is made of one value.
    Unary { op: UnaryOp, d: Register, a: Register },
    /// The value of `a` if the answer is yes, that of `b` if it is no.
    Select { test: Test, x: Register, y: Register, d: Register, a: Register, b: Register },
    /// On at `t`.
    Jump { t: Target },
    /// On at `t` if the answer is `when`.
    If { test: Test, when: bool, a: Register, b: Register, t: Target },
    /// On at `t` if it is `when` that the class of the row is in the set. What is no row is in no set.
    IfClass { o: Register, set: u64, when: bool, t: Target },
    /// A number of a row.
    Field { d: Register, o: Register, field: u8 },
    /// Less fuel; below zero, the run stops.
    Burn { cost: u16 },
    /// Less fuel by the product with the register's lower half.
    BurnBy { a: Register, cost: u16 },
    /// An empty list.
    NewList { d: Register },
    /// One more element at the end.
    Push { l: Register, a: Register },
    /// How many elements there are.
    Length { d: Register, l: Register },
    /// The element at a place; on at `t` if the list is not as long.
    Get { d: Register, l: Register, a: Register, t: Target },
    /// Without the element at a place, which must be there.
    Remove { l: Register, a: Register },
    /// All of `m` behind what is in `l`, another list.
    Extend { l: Register, m: Register },
    /// The list in the order of lists of keys, whose registers begin at `keys`, and these with it; what is equal stays in order. The keys
    /// have to be other lists, as long, and not list 0.
    Sort { l: Register, keys: Register, count: u8, floats: bool },
    /// The next row of the list `l` from a place on whose class is in the set, and the place behind it. If there is none, the last one
    /// that was passed, if any, the end as place, and on at `t`. Each element that is looked at takes fuel, and so does the end.
    NextOf { d: Register, l: Register, place: Register, set: u64, cost: u16, t: Target },
    /// All rows of the list `m` from a place on whose class is in the set, behind what is in `l`, another list.
    PushOf { l: Register, m: Register, place: Register, set: u64 },
    /// What a function from outside gives.
    Call { d: Register, function: Function, a: Register, b: Register },
    /// The end, with two values.
    End { code: u32, a: Register, b: Register },
    /// The end without a result.
    Leave,
}

/// The rows of a run.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'r> {
    /// Their numbers.
    pub rows: &'r [[i32; FIELDS]],
    /// The class of each one; of a larger one than 63, the last six bits count.
    pub classes: &'r [u8],
    /// Of each class, which rows are of it, as bits. Where this says something else than the classes do, runs end safely, but with one or
    /// the other.
    pub planes: &'r [u64; 64],
}

/// Why a run stops without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Stop {
    /// A whole number does not fit.
    Overflow,
    /// Division by zero.
    Division,
    /// The fuel is used up.
    Fuel,
    /// A row, list, or element that there is not.
    Bounds,
    /// Keys that have no order.
    Unordered,
    /// More rows, lists or elements than there is room for, or [`Op::Leave`].
    Left,
}

impl Stop {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 6] = [Self::Overflow, Self::Division, Self::Fuel, Self::Bounds, Self::Unordered, Self::Left];
}

/// How a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// At [`Op::End`].
    Ended {
        /// That of the instruction.
        code: u32,
        /// What its registers have.
        values: [u64; 2],
    },
    /// Without a result.
    Stopped(Stop),
}

/// Which registers an instruction reads and writes.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    pub(crate) reads: [Option<Register>; 6],
    pub(crate) writes: [Option<Register>; 2],
}

impl Op {
    /// Where it may jump to.
    pub fn target(&mut self) -> Option<&mut Target> {
        match self {
            Self::Jump { t }
            | Self::If { t, .. }
            | Self::IfClass { t, .. }
            | Self::Get { t, .. }
            | Self::NextOf { t, .. } => Some(t),
            _ => None,
        }
    }

    /// The same where nothing is changed.
    pub(crate) fn jumps_to(mut self) -> Option<Target> {
        self.target().copied()
    }

    /// Whether the next instruction may come after it.
    pub(crate) fn goes_on(self) -> bool {
        !matches!(self, Self::Jump { .. } | Self::End { .. } | Self::Leave)
    }

    pub(crate) fn uses(self) -> Uses {
        let of = |reads: &[Register], writes: &[Register]| {
            let mut uses = Uses::default();
            uses.reads.iter_mut().zip(reads).for_each(|(slot, &register)| *slot = Some(register));
            uses.writes.iter_mut().zip(writes).for_each(|(slot, &register)| *slot = Some(register));
            uses
        };
        match self {
            Self::Const { d, .. } | Self::NewList { d } => of(&[], &[d]),
            Self::Copy { d, a } | Self::Unary { d, a, .. } => of(&[a], &[d]),
            Self::Int { d, a, b, .. }
            | Self::Bits { d, a, b, .. }
            | Self::Float { d, a, b, .. }
            | Self::Call { d, a, b, .. } => of(&[a, b], &[d]),
            Self::Select { x, y, d, a, b, .. } => of(&[x, y, a, b], &[d]),
            Self::Jump { .. } | Self::Burn { .. } | Self::Leave => of(&[], &[]),
            Self::If { a, b, .. } | Self::End { a, b, .. } => of(&[a, b], &[]),
            Self::IfClass { o, .. } => of(&[o], &[]),
            Self::Field { d, o, .. } => of(&[o], &[d]),
            Self::BurnBy { a, .. } => of(&[a], &[]),
            Self::Push { l, a } | Self::Remove { l, a } => of(&[l, a], &[]),
            Self::Length { d, l } => of(&[l], &[d]),
            Self::Get { d, l, a, .. } => of(&[l, a], &[d]),
            Self::Extend { l, m } => of(&[l, m], &[]),
            Self::Sort { l, keys, count, .. } => {
                // The first and the last one of the keys.
                of(&[l, keys, keys.saturating_add(u16::from(count).saturating_sub(1))], &[])
            }
            Self::NextOf { d, l, place, .. } => of(&[l, place, d], &[d, place]),
            Self::PushOf { l, m, place, .. } => of(&[l, m, place], &[]),
        }
    }
}
