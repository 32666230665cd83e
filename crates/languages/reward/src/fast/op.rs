//! Instructions of the register machine: eight bytes each, operating on 256 untagged 64-bit registers.
//!
//! A register holds an integer, the bits of a float, a truth value, or the index of an object, a list or a text. A value that may be of
//! several kinds takes two registers: the value, and after it its [`Tag`]. An optional object, list or text takes one register, with
//! [`NONE`] for `None`.

/// The index of a register.
pub(super) type R = u8;
/// The index of an instruction that a jump goes to.
pub(super) type Target = u16;

/// The register value of `None`, where objects, lists or texts are expected.
pub(super) const NONE: u64 = u64::MAX;
/// The register value of an unbound variable, where objects, lists or texts are expected.
pub(super) const UNBOUND: u64 = u64::MAX - 1;

/// The largest integer up to which every integer is exactly representable as a float.
pub(super) const EXACT: i64 = 1 << 53;

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
}

impl Tag {
    pub(super) const ALL: [Self; 8] =
        [Self::Unbound, Self::None, Self::Bool, Self::Int, Self::Float, Self::Text, Self::Object, Self::List];
}

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Order {
    Lt,
    Le,
    Eq,
}

/// An arithmetic operator on numbers whose kinds are known only at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Arith {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
}

/// An instruction. `d` is the destination register, `o` and `p` are objects with fields `f` and `g`, `l` is a list, `k` a constant, `t` a
/// jump target.
// One instruction per line.
#[rustfmt::skip]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Op {
    Const { d: R, k: u16 },
    Move { d: R, a: R },
    // Fields of objects.
    Field { d: R, o: R, f: u8 },
    FloatField { d: R, o: R, f: u8 },
    AddFields { d: R, o: R, f: u8, p: R, g: u8 },
    SubFields { d: R, o: R, f: u8, p: R, g: u8 },
    AddField { d: R, a: R, o: R, f: u8 },
    SubField { d: R, a: R, o: R, f: u8 },
    Value { d: R, o: R },
    Flag { d: R, o: R, bit: u8 },
    ClassName { d: R, o: R },
    Center { d: R, o: R, f: u8, g: u8 },
    Distance { d: R, o: R, p: R },
    SetField { o: R, f: u8, a: R },
    SetValue { o: R, a: R },
    // Integers.
    Add { d: R, a: R, b: R },
    AddK { d: R, a: R, k: i16 },
    Sub { d: R, a: R, b: R },
    Mul { d: R, a: R, b: R },
    FloorDiv { d: R, a: R, b: R },
    Mod { d: R, a: R, b: R },
    Neg { d: R, a: R },
    Abs { d: R, a: R },
    Least { d: R, a: R, b: R },
    Greatest { d: R, a: R, b: R },
    // Floats.
    AddF { d: R, a: R, b: R },
    SubF { d: R, a: R, b: R },
    MulF { d: R, a: R, b: R },
    DivF { d: R, a: R, b: R },
    AddFK { d: R, a: R, k: u16 },
    SubFK { d: R, a: R, k: u16 },
    MulFK { d: R, a: R, k: u16 },
    DivFK { d: R, a: R, k: u16 },
    FloorDivF { d: R, a: R, b: R },
    ModF { d: R, a: R, b: R },
    NegF { d: R, a: R },
    AbsF { d: R, a: R },
    SquareF { d: R, a: R },
    LeastF { d: R, a: R, b: R },
    GreatestF { d: R, a: R, b: R },
    ToFloat { d: R, a: R },
    ToInt { d: R, a: R },
    Math { d: R, a: R, function: u8 },
    Hypot { d: R, a: R, b: R },
    // Values whose kinds are known only at run time.
    Arith { operator: Arith, d: R, a: R, b: R },
    /// The smaller or the larger of two numbers; the first one if they are equal or unordered (NaN).
    Pick { greatest: bool, d: R, a: R, b: R },
    /// [`Self::Pick`] of a float and a constant; `first` is whether the constant is the first argument.
    PickFloatK { greatest: bool, first: bool, d: R, a: R, k: u16 },
    /// [`Self::Pick`] of a number of any kind and a constant.
    PickK { greatest: bool, first: bool, d: R, a: R, k: u16 },
    // Jumps.
    Jump { t: Target },
    /// Fusions of frequent instructions with the jump that follows them.
    ConstJump { d: R, k: u16, t: Target },
    MoveJump { d: R, a: R, t: Target },
    AppendJump { l: R, a: R, t: Target },
    /// A jump back to the start of a loop.
    Loop { t: Target, cost: u16 },
    IfLess { a: R, b: R, t: Target },
    IfLessEqual { a: R, b: R, t: Target },
    IfEqual { a: R, b: R, t: Target },
    IfUnequal { a: R, b: R, t: Target },
    IfLessK { a: R, k: i16, t: Target },
    IfNotLessK { a: R, k: i16, t: Target },
    IfEqualK { a: R, k: i16, t: Target },
    IfUnequalK { a: R, k: i16, t: Target },
    IfFieldLess { o: R, f: u8, b: R, t: Target },
    IfFieldLessEqual { o: R, f: u8, b: R, t: Target },
    IfLessField { a: R, o: R, f: u8, t: Target },
    IfLessEqualField { a: R, o: R, f: u8, t: Target },
    IfFieldEqual { o: R, f: u8, b: R, t: Target },
    IfFieldUnequal { o: R, f: u8, b: R, t: Target },
    IfFieldsLess { o: R, f: u8, p: R, g: u8, t: Target },
    IfFieldsLessEqual { o: R, f: u8, p: R, g: u8, t: Target },
    IfFieldsEqual { o: R, f: u8, p: R, g: u8, t: Target },
    IfFieldsUnequal { o: R, f: u8, p: R, g: u8, t: Target },
    IfFieldLessK { o: R, f: u8, k: i16, t: Target },
    IfFieldNotLessK { o: R, f: u8, k: i16, t: Target },
    IfFieldEqualK { o: R, f: u8, k: i16, t: Target },
    IfFieldUnequalK { o: R, f: u8, k: i16, t: Target },
    IfFloat { order: Order, when: bool, a: R, b: R, t: Target },
    IfAny { order: Order, when: bool, a: R, b: R, t: Target },
    IfNone { a: R, t: Target },
    IfSome { a: R, t: Target },
    IfUnbound { a: R, t: Target },
    IfTag { a: R, tag: Tag, when: bool, t: Target },
    IfClass { o: R, k: u16, t: Target },
    IfNotClass { o: R, k: u16, t: Target },
    IfOnTop { o: R, p: R, when: bool, t: Target },
    IfSame { o: R, p: R, when: bool, t: Target },
    IfVisible { o: R, when: bool, t: Target },
    IfFilled { l: R, when: bool, t: Target },
    IfTrueFloat { a: R, when: bool, t: Target },
    IfTrueText { a: R, when: bool, t: Target },
    IfTrueAny { a: R, when: bool, t: Target },
    // Lists.
    NewList { d: R },
    Append { l: R, a: R },
    Length { d: R, l: R },
    Index { d: R, l: R, a: R, t: Target },
    RemoveObject { l: R, a: R, t: Target },
    RemoveEqual { l: R, a: R, t: Target },
    Concat { d: R, l: R, m: R },
    /// Sorts the list `l` by the `count` lists of keys in the registers from `keys` on.
    Sort { d: R, l: R, keys: R, count: u8, floats: bool },
    // Loops. An iterator is a list and an index, or a current number, an end and a step.
    Next { d: R, it: R, cost: u16, t: Target },
    NextPlace { d: R, i: R, it: R, cost: u16, t: Target },
    NextNumber { d: R, it: R, cost: u16, t: Target },
    /// [`Self::Next`] followed by a branch on the object's class.
    NextByClass { d: R, it: R, table: u16, cost: u16 },
    NextPlaceByClass { d: R, i: R, it: R, table: u16, cost: u16 },
    /// Appends the iterator's remaining objects of certain classes to a list.
    Filter { l: R, it: R, d: R, k: u16, t: Target },
    // Exits.
    GiveInt { a: R },
    GiveFloat { a: R },
    GiveBool { a: R },
    GiveAny { a: R },
    GiveNone,
    /// Raises an exception that is known at compile time.
    Raise { error: u16 },
    /// Hands the call over to the reference machine.
    HandOver { why: u16 },
}

impl Op {
    /// Whether the instruction modifies an existing list.
    pub(super) fn changes_list(self) -> bool {
        matches!(self, Self::Append { .. } | Self::RemoveObject { .. } | Self::RemoveEqual { .. })
    }
}

/// A jump table indexed by object class.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) targets: Box<[Target; 64]>,
    pub(super) over: Target,
}

/// Defines which fields of instructions are jump targets and destinations.
macro_rules! fields {
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
            pub(super) fn redirect(&mut self, from: R, to: R) -> bool {
                // If both destinations were the same register, the later write would overwrite the earlier one.
                if let Self::NextPlace { d, i, .. } = self
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

fields! {
    targets: Jump ConstJump MoveJump AppendJump Loop IfLess IfLessEqual IfEqual IfUnequal IfLessK IfNotLessK IfEqualK IfUnequalK IfFieldLess
        IfFieldLessEqual IfLessField IfLessEqualField IfFieldEqual IfFieldUnequal IfFieldsLess IfFieldsLessEqual
        IfFieldsEqual IfFieldsUnequal IfFieldLessK IfFieldNotLessK IfFieldEqualK IfFieldUnequalK IfFloat IfAny IfNone IfSome
        IfUnbound IfTag IfClass IfNotClass IfOnTop IfSame IfVisible IfFilled IfTrueFloat IfTrueText IfTrueAny RemoveObject
        RemoveEqual Index Next NextPlace NextNumber Filter;
    results: Const Move Field FloatField AddFields SubFields AddField SubField Value Flag ClassName Center Distance Add AddK
        Sub Mul FloorDiv Mod Neg Abs Least Greatest AddF SubF MulF DivF AddFK SubFK MulFK DivFK FloorDivF ModF NegF AbsF SquareF
        LeastF GreatestF ToFloat ToInt Math Hypot NewList Length Index Concat Sort Next NextNumber
}
