//! Instructions of the register machine: eight bytes each, operating on 256 untagged 64-bit registers.
//!
//! A register holds an integer, the bits of a float, a truth value, or the index of an object, a list or a text. A value that may be of
//! several kinds takes two registers: the value, and after it its [`Tag`]. An optional object, list or text takes one register, with
//! [`NONE`] for `None`.

/// The index of a register.
pub(super) type Reg = u8;
/// The index of an instruction that a jump goes to.
pub(super) type Target = u16;

/// The register value of `None`, where objects, lists or texts are expected.
pub(super) const NONE: u64 = u64::MAX;
/// The register value of an unbound variable, where objects, lists or texts are expected.
pub(super) const UNBOUND: u64 = u64::MAX - 1;

/// The largest integer up to which every integer is exactly representable as a float.
pub(super) const MAX_EXACT_INT: i64 = 1 << 53;

/// The maximum number of keys of a sort.
pub(super) const MAX_KEYS: usize = 4;

/// The kind of a value in a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Tag {
    Unbound,
    None,
    Bool,
    Int,
    Float,
    Text,
    Object,
    List,
    Record,
}

impl Tag {
    pub(super) const ALL: [Self; 9] = [
        Self::Unbound,
        Self::None,
        Self::Bool,
        Self::Int,
        Self::Float,
        Self::Text,
        Self::Object,
        Self::List,
        Self::Record,
    ];
}

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum CompareOp {
    Lt,
    Le,
    Eq,
}

/// An arithmetic operator on numbers whose kinds are known only at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum ArithmeticOp {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
}

/// A bitwise operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum BitOperator {
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

/// A function of one or two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum NumberFunction {
    /// The largest integer that is not greater than a float.
    Floor,
    /// The smallest integer that is not less than a float.
    Ceil,
    /// The integer next to a float, or the even one of two.
    Round,
    /// A float, rounded to a number of decimals.
    RoundTo,
    Atan2,
    Fmod,
    CopySign,
    Pow,
    Log,
    BitLength,
    BitCount,
    IsInfinite,
    IsNan,
    IsFinite,
}

/// A function of `heapq`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum HeapFunction {
    /// Moves the last element to its place in the heap of the others.
    Push,
    /// Moves the root to the end, and makes a heap of the others.
    Pop,
    /// Makes a heap of a list.
    Heapify,
}

/// The order of the elements of a list.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct ElementOrder {
    pub(super) parts: Vec<OrderPart>,
    /// The number of words of an element.
    pub(super) stride: usize,
}

/// A part of an element, which decides the order of elements with equal parts before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum OrderPart {
    Int,
    Float,
    /// A number of any kind with its tag, two words.
    Number,
    /// Words of values without an order that the fast engine knows.
    Unordered(usize),
}

/// A function of `statistics`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Statistic {
    Mean,
    /// The mean as a float.
    FloatMean,
    Median,
    LowMedian,
    HighMedian,
    PopulationVariance,
    Variance,
    PopulationDeviation,
    Deviation,
}

impl Statistic {
    /// Returns the function with a name, including that of its module; `None` if the fast engine does not cover it.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "statistics.mean" => Self::Mean,
            "statistics.fmean" => Self::FloatMean,
            "statistics.median" => Self::Median,
            "statistics.median_low" => Self::LowMedian,
            "statistics.median_high" => Self::HighMedian,
            "statistics.pvariance" => Self::PopulationVariance,
            "statistics.variance" => Self::Variance,
            "statistics.pstdev" => Self::PopulationDeviation,
            "statistics.stdev" => Self::Deviation,
            _ => return None,
        })
    }
}

/// An instruction. `d` is the destination register, `o` and `p` are objects with fields `f` and `g`, `l` is a list, `k` a constant, `t` a
/// jump target.
// One instruction per line.
#[rustfmt::skip]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Op {
    Const { d: Reg, k: u16 },
    Move { d: Reg, a: Reg },
    // Fields of objects.
    Field { d: Reg, o: Reg, f: u8 },
    FloatField { d: Reg, o: Reg, f: u8 },
    AddFields { d: Reg, o: Reg, f: u8, p: Reg, g: u8 },
    SubFields { d: Reg, o: Reg, f: u8, p: Reg, g: u8 },
    AddField { d: Reg, a: Reg, o: Reg, f: u8 },
    SubField { d: Reg, a: Reg, o: Reg, f: u8 },
    Value { d: Reg, o: Reg },
    Flag { d: Reg, o: Reg, bit: u8 },
    ClassName { d: Reg, o: Reg },
    Center { d: Reg, o: Reg, f: u8, g: u8 },
    Distance { d: Reg, o: Reg, p: Reg },
    /// The intersection over union of the boxes of two objects, with its tag in the register after `d`.
    Overlap { d: Reg, o: Reg, p: Reg },
    /// A [rare attribute](super::frame::RareAttributes).
    Rare { d: Reg, o: Reg, k: u8 },
    SetField { o: Reg, f: u8, a: Reg },
    SetValue { o: Reg, a: Reg },
    // Integers.
    Add { d: Reg, a: Reg, b: Reg },
    AddK { d: Reg, a: Reg, k: i16 },
    Sub { d: Reg, a: Reg, b: Reg },
    Mul { d: Reg, a: Reg, b: Reg },
    FloorDiv { d: Reg, a: Reg, b: Reg },
    Mod { d: Reg, a: Reg, b: Reg },
    Neg { d: Reg, a: Reg },
    Abs { d: Reg, a: Reg },
    Min { d: Reg, a: Reg, b: Reg },
    Max { d: Reg, a: Reg, b: Reg },
    Bits { operator: BitOperator, d: Reg, a: Reg, b: Reg },
    /// A power with an exponent that is not negative.
    PowInt { d: Reg, a: Reg, b: Reg },
    // Floats.
    PowF { d: Reg, a: Reg, b: Reg },
    /// A function of [`super::run::functions`].
    Function { d: Reg, a: Reg, b: Reg, function: NumberFunction },
    AddF { d: Reg, a: Reg, b: Reg },
    SubF { d: Reg, a: Reg, b: Reg },
    MulF { d: Reg, a: Reg, b: Reg },
    DivF { d: Reg, a: Reg, b: Reg },
    AddFK { d: Reg, a: Reg, k: u16 },
    SubFK { d: Reg, a: Reg, k: u16 },
    MulFK { d: Reg, a: Reg, k: u16 },
    DivFK { d: Reg, a: Reg, k: u16 },
    FloorDivF { d: Reg, a: Reg, b: Reg },
    ModF { d: Reg, a: Reg, b: Reg },
    NegF { d: Reg, a: Reg },
    AbsF { d: Reg, a: Reg },
    SquareF { d: Reg, a: Reg },
    MinF { d: Reg, a: Reg, b: Reg },
    MaxF { d: Reg, a: Reg, b: Reg },
    ToFloat { d: Reg, a: Reg },
    ToInt { d: Reg, a: Reg },
    Math { d: Reg, a: Reg, function: u8 },
    Hypot { d: Reg, a: Reg, b: Reg },
    // Values whose kinds are known only at run time.
    Arith { operator: ArithmeticOp, d: Reg, a: Reg, b: Reg },
    /// The smaller or the larger of two numbers; the first one if they are equal or unordered (NaN).
    MinMax { is_max: bool, d: Reg, a: Reg, b: Reg },
    /// [`Self::MinMax`] of a float and a constant; `is_constant_first` is whether the constant is the first argument.
    MinMaxFloatK { is_max: bool, is_constant_first: bool, d: Reg, a: Reg, k: u16 },
    /// [`Self::MinMax`] of a number of any kind and a constant.
    MinMaxK { is_max: bool, is_constant_first: bool, d: Reg, a: Reg, k: u16 },
    // Jumps.
    Jump { t: Target },
    /// Fusions of frequent instructions with the jump that follows them.
    ConstJump { d: Reg, k: u16, t: Target },
    MoveJump { d: Reg, a: Reg, t: Target },
    AppendJump { l: Reg, a: Reg, t: Target },
    /// A jump back to the start of a loop.
    Loop { t: Target, cost: u16 },
    IfLess { a: Reg, b: Reg, t: Target },
    IfLessEqual { a: Reg, b: Reg, t: Target },
    IfEqual { a: Reg, b: Reg, t: Target },
    IfUnequal { a: Reg, b: Reg, t: Target },
    IfLessK { a: Reg, k: i16, t: Target },
    IfNotLessK { a: Reg, k: i16, t: Target },
    IfEqualK { a: Reg, k: i16, t: Target },
    IfUnequalK { a: Reg, k: i16, t: Target },
    IfFieldLess { o: Reg, f: u8, b: Reg, t: Target },
    IfFieldLessEqual { o: Reg, f: u8, b: Reg, t: Target },
    IfLessField { a: Reg, o: Reg, f: u8, t: Target },
    IfLessEqualField { a: Reg, o: Reg, f: u8, t: Target },
    IfFieldEqual { o: Reg, f: u8, b: Reg, t: Target },
    IfFieldUnequal { o: Reg, f: u8, b: Reg, t: Target },
    IfFieldsLess { o: Reg, f: u8, p: Reg, g: u8, t: Target },
    IfFieldsLessEqual { o: Reg, f: u8, p: Reg, g: u8, t: Target },
    IfFieldsEqual { o: Reg, f: u8, p: Reg, g: u8, t: Target },
    IfFieldsUnequal { o: Reg, f: u8, p: Reg, g: u8, t: Target },
    IfFieldLessK { o: Reg, f: u8, k: i16, t: Target },
    IfFieldNotLessK { o: Reg, f: u8, k: i16, t: Target },
    IfFieldEqualK { o: Reg, f: u8, k: i16, t: Target },
    IfFieldUnequalK { o: Reg, f: u8, k: i16, t: Target },
    IfFloat { order: CompareOp, when: bool, a: Reg, b: Reg, t: Target },
    IfAny { order: CompareOp, when: bool, a: Reg, b: Reg, t: Target },
    IfNone { a: Reg, t: Target },
    IfSome { a: Reg, t: Target },
    IfUnbound { a: Reg, t: Target },
    IfTag { a: Reg, tag: Tag, when: bool, t: Target },
    IfClass { o: Reg, k: u16, t: Target },
    IfNotClass { o: Reg, k: u16, t: Target },
    IfOnTop { o: Reg, p: Reg, when: bool, t: Target },
    IfEqualObjects { o: Reg, p: Reg, when: bool, t: Target },
    IfVisible { o: Reg, when: bool, t: Target },
    IfNonEmpty { l: Reg, when: bool, t: Target },
    IfTruthyFloat { a: Reg, when: bool, t: Target },
    IfTruthyText { a: Reg, when: bool, t: Target },
    IfTruthyAny { a: Reg, when: bool, t: Target },
    // Lists.
    NewList { d: Reg },
    Append { l: Reg, a: Reg },
    Length { d: Reg, l: Reg },
    Index { d: Reg, l: Reg, a: Reg, t: Target },
    RemoveObject { l: Reg, a: Reg, t: Target },
    RemoveEqual { l: Reg, a: Reg, t: Target },
    Concat { d: Reg, l: Reg, m: Reg },
    /// Sorts the list `l` by the `count` lists of keys in the registers from `keys` on.
    Sort { d: Reg, l: Reg, keys: Reg, count: u8, floats: bool },
    /// Removes `width` words from an index on, and loads them into the registers from `d` on.
    Pop { d: Reg, l: Reg, a: Reg, width: u8, t: Target },
    /// Inserts the words in `width` registers from `b` on before an index, which is restricted to the list.
    Insert { l: Reg, a: Reg, b: Reg, width: u8 },
    /// Removes all words.
    Clear { l: Reg },
    /// Removes words from the start until at most `k` remain.
    KeepLast { l: Reg, k: u16 },
    /// Reverses the order of the elements of `width` words.
    Reverse { l: Reg, width: u8 },
    /// Appends the words of `m` from the index in the register `a` to that in the next register, which count from the end if negative.
    ExtendSlice { l: Reg, m: Reg, a: Reg },
    /// Removes the words from the index in the register `a` to that in the next register, which count from the end if negative.
    RemoveSlice { l: Reg, a: Reg },
    /// Finds the index in a sorted list before or, if `is_right`, behind the elements that equal a number.
    Bisect { d: Reg, l: Reg, a: Reg, is_right: bool, floats: bool },
    /// A function of `heapq` on the list `l`, of which another instruction appends or removes the last element. `k` is the order of the
    /// elements.
    Heap { function: HeapFunction, l: Reg, k: u8 },
    /// A statistic of a list of numbers, with its tag in the register after `d`.
    Statistic { function: Statistic, d: Reg, l: Reg, floats: bool },
    /// Finds the entry with the key in the registers from `a` on in the dict or set `l`: the index of its first word. `k` is the shape of
    /// the keys.
    Find { d: Reg, l: Reg, a: Reg, k: u8, t: Target },
    /// Whether the text `a` is part of the text `b`.
    TextContains { d: Reg, a: Reg, b: Reg },
    /// Looks up the result of a function of a text in a table.
    TextTable { d: Reg, a: Reg, k: u16 },
    /// Replaces the element at an index.
    SetIndex { l: Reg, a: Reg, b: Reg, t: Target },
    // Records: lists with a number of fields that is known at compile time.
    NewRecord { d: Reg, count: u16 },
    GetSlot { d: Reg, l: Reg, k: u16 },
    SetSlot { l: Reg, a: Reg, k: u16 },
    /// Fields of records that exist before the call, by the index of the list.
    GetState { d: Reg, list: u16, k: u16 },
    SetState { a: Reg, list: u16, k: u16 },
    // Loops. An iterator is a list and an index, or a current number, an end and a step.
    Next { d: Reg, it: Reg, cost: u16, t: Target },
    NextIndexed { d: Reg, i: Reg, it: Reg, cost: u16, t: Target },
    NextNumber { d: Reg, it: Reg, cost: u16, t: Target },
    /// [`Self::Next`] followed by a branch on the object's class.
    NextByClass { d: Reg, it: Reg, table: u16, cost: u16 },
    NextIndexedByClass { d: Reg, i: Reg, it: Reg, table: u16, cost: u16 },
    /// Appends the iterator's remaining objects of certain classes to a list.
    Filter { l: Reg, it: Reg, d: Reg, k: u16, t: Target },
    // Exits.
    ReturnInt { a: Reg },
    ReturnFloat { a: Reg },
    ReturnBool { a: Reg },
    ReturnAny { a: Reg },
    ReturnNone,
    /// Returns a number in a pair of registers with the entries of a dict as its components.
    ReturnComponents { a: Reg, l: Reg, k: u16 },
    /// Raises an exception that is known at compile time.
    Raise { error: u16 },
    /// Hands the call over to the reference machine.
    Fallback { reason: u16 },
}

impl Op {
    /// Whether the instruction modifies an existing list.
    pub(super) fn mutates_list(self) -> bool {
        matches!(
            self,
            Self::Append { .. }
                | Self::RemoveObject { .. }
                | Self::RemoveEqual { .. }
                | Self::SetIndex { .. }
                | Self::ExtendSlice { .. }
                | Self::RemoveSlice { .. }
                | Self::Heap { .. }
                | Self::Pop { .. }
                | Self::Insert { .. }
                | Self::Clear { .. }
                | Self::KeepLast { .. }
                | Self::Reverse { .. }
        )
    }
}

/// The words of the keys of a dict or a set.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct KeyShape {
    pub(super) words: Vec<KeyWord>,
    /// The number of words of an entry.
    pub(super) stride: usize,
}

/// A part of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum KeyWord {
    /// A word that is compared bit by bit.
    Bits,
    Float,
    /// A number of any kind with its tag, two words.
    Number,
}

impl KeyWord {
    /// The number of words.
    pub(super) fn width(self) -> usize {
        match self {
            Self::Bits | Self::Float => 1,
            Self::Number => 2,
        }
    }
}

/// A jump table indexed by object class.
#[derive(Debug, Clone)]
pub(super) struct JumpTable {
    pub(super) targets: Box<[Target; 64]>,
    pub(super) exit_target: Target,
}

/// Defines which fields of instructions are jump targets and destinations.
macro_rules! op_fields {
    (targets: $($jump:ident)*; results: $($result:ident)*) => {
        impl Op {
            /// Returns the jump target of the instruction, if it has one.
            pub(super) fn target(&mut self) -> Option<&mut Target> {
                match self {
                    $(Self::$jump { t, .. } => Some(t),)*
                    _ => None,
                }
            }

            /// Redirects the destination register `from` to `to`, if the instruction has it; returns whether it did.
            pub(super) fn redirect(&mut self, from: Reg, to: Reg) -> bool {
                // If both destinations were the same register, the later write would overwrite the earlier one.
                if let Self::NextIndexed { d, i, .. } = self
                    && (*i == from || *d == from)
                {
                    let (result, other) = if *i == from { (i, d) } else { (d, i) };
                    let differ = *other != to;
                    if differ {
                        *result = to;
                    }
                    return differ;
                }
                match self {
                    $(Self::$result { d, .. } if *d == from => {
                        *d = to;
                        true
                    })*
                    _ => false,
                }
            }
        }
    };
}

op_fields! {
    targets: Jump ConstJump MoveJump AppendJump Loop IfLess IfLessEqual IfEqual IfUnequal IfLessK IfNotLessK IfEqualK IfUnequalK IfFieldLess
        IfFieldLessEqual IfLessField IfLessEqualField IfFieldEqual IfFieldUnequal IfFieldsLess IfFieldsLessEqual
        IfFieldsEqual IfFieldsUnequal IfFieldLessK IfFieldNotLessK IfFieldEqualK IfFieldUnequalK IfFloat IfAny IfNone IfSome
        IfUnbound IfTag IfClass IfNotClass IfOnTop IfEqualObjects IfVisible IfNonEmpty IfTruthyFloat IfTruthyText IfTruthyAny RemoveObject
        RemoveEqual Find Index SetIndex Pop Next NextIndexed NextNumber Filter;
    results: Const Move Field FloatField AddFields SubFields AddField SubField Value Flag ClassName Center Distance Add AddK
        Sub Mul FloorDiv Mod Neg Abs Min Max AddF SubF MulF DivF AddFK SubFK MulFK DivFK FloorDivF ModF NegF AbsF SquareF
        MinF MaxF ToFloat ToInt Math Hypot NewList Length Index Concat Sort Next NextNumber NewRecord GetSlot GetState Rare TextTable TextContains Bits PowInt PowF Function Bisect
}
