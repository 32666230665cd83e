//! Dialects of RGG: one value, chosen by the caller, with an option for each construct on which implementations differ.

use goalspec_resource::rules::Rules;

/// A dialect of RGG. The options are independent; any combination of them is a dialect.
#[expect(
    clippy::struct_excessive_bools,
    reason = "every switch stands for itself; any combination of them is a dialect"
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// The semantic options of the game.
    pub rules: Rules,
    /// Whether `enum(..)` declares an enumeration of strings, as `string.enum(..)` does.
    pub bare_enum: bool,
    /// The initial value of `int()`, `float()`, `set()`, and of `string.enum(..)` without a semicolon.
    pub initials: Initials,
    /// The treatment of expressions with errors.
    pub unreadable: Unreadable,
    /// The grammar after a factorial.
    pub factorial: Factorial,
    /// Whether `Calculate` accepts a comparison of two numbers, with a Boolean value.
    pub comparisons: bool,
    /// Whether `a0`, `a1` and so on refer to the fields of an expression by position.
    pub field_aliases: bool,
    /// Whether the operators `and`, `or`, `not` and so on are case-insensitive.
    pub words_in_any_case: bool,
    /// Whether the sections of a file may be in any order.
    pub any_order: bool,
    /// Whether `metadata` is optional.
    pub optional_metadata: bool,
    /// Whether `source` and `target` are accepted for `sourceFilter` and `targetFilter`.
    pub short_filters: bool,
    /// Whether `resourceSpace`, and its value for a node, may be a list of maps, which are merged.
    pub resource_lists: bool,
    /// Whether results on vectors accept a `team`, which has no effect.
    pub vector_team: bool,
    /// Whether `completed` may be a computation.
    pub completed_computes: bool,
    /// Whether a resource without a node, read in a result on vectors, refers to the target.
    pub bare_reads: bool,
    /// Whether `$name` and `param.name` read the parameters of the action.
    pub parameters: bool,
    /// Whether the dialect has the set filters `Has` and `HasAny`, the spelling `IsIp` for `IsIP`, and a `table` key in `Lookup`.
    pub further_names: bool,
    /// The combination of several filters in one map.
    pub joining: Joining,
    /// The treatment of surplus entries: duplicate keys, and further keys where one is expected.
    pub surplus: Surplus,
    /// The treatment of undefined names.
    pub undefined: Undefined,
    /// The effect of an empty `add` or `result`.
    pub empty_add: EmptyAdd,
}

/// The combination of several filters in one map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Joining {
    /// All must hold: fields, `And`, `Or` and `Not` in a map of fields, and several tests of one value.
    All,
    /// Only the first counts: after a leading `And`, `Or` or `Not`, further entries are ignored, and so are all tests of a value but the
    /// first. After a field, the three are names of fields. `Or` with a map means `And`; with a map, the three are accepted in lists only.
    /// As a step of a chain, `Not` with a map tests whether the value differs from that map.
    First,
}

/// The treatment of surplus entries: duplicate keys, and further keys where one is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Surplus {
    /// An error.
    Refused,
    /// A warning, and the entry is ignored: the last of duplicate keys counts, and the first of different keys.
    LeftOut,
}

/// The treatment of undefined names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Undefined {
    /// An error.
    Refused,
    /// A warning: the field has no value, the action cannot be chosen, and so on. Undefined nodes and teams as keys of a section are
    /// errors all the same, and so are undefined places to write to.
    Missing,
}

/// The effect of an empty `add` or `result`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EmptyAdd {
    /// None.
    Nothing,
    /// The addition of the state to itself.
    WholeState,
}

/// The initial value of `int()`, `float()`, `set()`, and of `string.enum(..)` without a semicolon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Initials {
    /// 0 for `int()` and `float()`, `a` for `string.enum(a,b)`, the empty set for `set()`.
    Documented,
    /// An error for `int()` and `float()`, the string `a,b` for `string.enum(a,b)`, a set with one empty label for `set()`.
    Engine,
}

/// The treatment of expressions with errors: syntax errors, unknown names, disallowed comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unreadable {
    /// An error.
    Refused,
    /// A warning; the value of the expression is missing. A wrong number of arguments remains an error.
    WithoutValue,
}

/// The grammar after a factorial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Factorial {
    /// Any operator: `3! + 1` is 7.
    Operator,
    /// A factor: `3! + 1` is 3! times (+1). An operator other than a sign is skipped.
    Factor,
}

impl Dialect {
    /// The default: the documented language, strict about errors.
    pub const DOCUMENTED: Self = Self {
        rules: Rules::DOCUMENTED,
        bare_enum: true,
        initials: Initials::Documented,
        unreadable: Unreadable::Refused,
        factorial: Factorial::Operator,
        comparisons: true,
        field_aliases: false,
        words_in_any_case: true,
        any_order: true,
        optional_metadata: true,
        short_filters: true,
        resource_lists: true,
        vector_team: true,
        completed_computes: true,
        bare_reads: true,
        parameters: false,
        further_names: true,
        joining: Joining::All,
        surplus: Surplus::Refused,
        undefined: Undefined::Refused,
        empty_add: EmptyAdd::Nothing,
    };
    /// The behaviour of the Cage engine.
    pub const CAGE: Self = Self {
        rules: Rules::CAGE,
        bare_enum: false,
        initials: Initials::Engine,
        unreadable: Unreadable::WithoutValue,
        factorial: Factorial::Factor,
        comparisons: false,
        field_aliases: true,
        words_in_any_case: false,
        any_order: false,
        optional_metadata: false,
        short_filters: false,
        resource_lists: false,
        vector_team: false,
        completed_computes: false,
        bare_reads: false,
        parameters: false,
        further_names: false,
        joining: Joining::First,
        surplus: Surplus::LeftOut,
        undefined: Undefined::Missing,
        empty_add: EmptyAdd::WholeState,
    };

    /// The named dialects.
    pub const NAMED: [(&'static str, Self); 2] = [("documented", Self::DOCUMENTED), ("cage", Self::CAGE)];

    /// Returns the dialect with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(known, _)| *known == name).map(|&(_, dialect)| dialect)
    }
}

impl Default for Dialect {
    fn default() -> Self {
        Self::DOCUMENTED
    }
}
