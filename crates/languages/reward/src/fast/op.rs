//! Instructions of the register machine: eight bytes each, on 256 registers of 64 bits without tags.
//!
//! A register holds a whole number, the bits of a float, a truth value, the place of an object, of a list, or of a text. A value that
//! may be of several kinds takes two: what it is, and behind it its [`Tag`]. Objects, lists and texts that may be missing are
//! [`NONE`] then instead.

/// The register of an operand.
pub(super) type R = u8;
/// Where a jump goes.
pub(super) type Target = u16;

/// In place of an object, list or text: `None`.
pub(super) const NONE: u64 = u64::MAX;
/// In place of an object, list or text: a variable without a value.
pub(super) const UNBOUND: u64 = u64::MAX - 1;

/// Whole numbers up to here are floats as they are.
pub(super) const EXACT: i64 = 1 << 53;

/// Most keys that a list is sorted by.
pub(super) const MAX_KEYS: usize = 4;

/// What kind of value a register holds.
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

/// An order, or equality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Order {
    Lt,
    Le,
    Eq,
}

/// Arithmetic on numbers of kinds that are not known before.
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

/// An instruction. `d` is where the result goes, `o` and `p` are objects with fields `f` and `g`, `l` is a list, `k` a constant, `t` a
/// jump's target.
// One to a line.
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
    // Whole numbers.
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
    // Values of kinds that are not known before.
    Arith { operator: Arith, d: R, a: R, b: R },
    /// The less or the greater one of two; if they are equal, or one is no number, the first one.
    Pick { greatest: bool, d: R, a: R, b: R },
    /// The same of a float and a constant; `first` says whether the constant comes first.
    PickFloatK { greatest: bool, first: bool, d: R, a: R, k: u16 },
    /// The same of a number of any kind and a constant.
    PickK { greatest: bool, first: bool, d: R, a: R, k: u16 },
    // Jumps.
    Jump { t: Target },
    /// What is often followed by a jump, with it.
    ConstJump { d: R, k: u16, t: Target },
    MoveJump { d: R, a: R, t: Target },
    AppendJump { l: R, a: R, t: Target },
    /// Back to the start of a loop.
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
    /// The list `l` in the order of the lists of keys that begin at `keys`.
    Sort { d: R, l: R, keys: R, count: u8, floats: bool },
    // Loops: iterators are a list and a place, or a number, an end and a step.
    Next { d: R, it: R, cost: u16, t: Target },
    NextPlace { d: R, i: R, it: R, cost: u16, t: Target },
    NextNumber { d: R, it: R, cost: u16, t: Target },
    /// [`Self::Next`], then on by the object's class.
    NextByClass { d: R, it: R, table: u16, cost: u16 },
    NextPlaceByClass { d: R, i: R, it: R, table: u16, cost: u16 },
    /// What is left of the iterator's objects of some classes goes to a list.
    Filter { l: R, it: R, d: R, k: u16, t: Target },
    // Ends.
    GiveInt { a: R },
    GiveFloat { a: R },
    GiveBool { a: R },
    GiveAny { a: R },
    GiveNone,
    /// An exception that is known.
    Raise { error: u16 },
    /// On with the reference machine.
    HandOver { why: u16 },
}

impl Op {
    /// Whether it changes a list that is there.
    pub(super) fn changes_list(self) -> bool {
        matches!(self, Self::Append { .. } | Self::RemoveObject { .. } | Self::RemoveEqual { .. })
    }
}

/// Where a loop goes on, by class.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) targets: Box<[Target; 64]>,
    pub(super) over: Target,
}

/// Which fields of instructions are targets and results.
macro_rules! fields {
    (targets: $($jump:ident)*; results: $($result:ident)*) => {
        impl Op {
            /// Where it may jump to.
            pub(super) fn target(&mut self) -> Option<&mut Target> {
                match self {
                    $(Self::$jump { t, .. } => Some(t),)*
                    _ => None,
                }
            }

            /// Puts a result elsewhere, if it has one in this register and none there.
            pub(super) fn redirect(&mut self, from: R, to: R) -> bool {
                // Of two results in one register, the other one would stay that comes last.
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
