//! Dialects of RGG: one value, chosen by the caller, with an option for each construct on which implementations differ.

use goalspec_resource::rules::GameRules;

/// A dialect of RGG. The options are independent; any combination of them is a dialect.
#[expect(
    clippy::struct_excessive_bools,
    reason = "every switch stands for itself; any combination of them is a dialect"
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// The semantic options of the game.
    pub rules: GameRules,
    /// Whether `enum(..)` declares an enumeration of strings, as `string.enum(..)` does.
    pub short_enum: bool,
    /// The initial value of `int()`, `float()`, `set()`, and of `string.enum(..)` without a semicolon.
    pub initial_values: InitialValueRule,
    /// The treatment of expressions with errors.
    pub invalid_expressions: InvalidExpressionRule,
    /// The grammar after a factorial.
    pub factorial: FactorialRule,
    /// Whether `Calculate` accepts a comparison of two numbers, with a Boolean value.
    pub numeric_comparisons: bool,
    /// Whether `a0`, `a1` and so on refer to the fields of an expression by position.
    pub positional_fields: bool,
    /// Whether the operators `and`, `or`, `not` and so on are case-insensitive.
    pub case_insensitive_operators: bool,
    /// Whether the sections of a file may be in any order.
    pub any_section_order: bool,
    /// Whether `metadata` is optional.
    pub optional_metadata: bool,
    /// Whether `source` and `target` are accepted for `sourceFilter` and `targetFilter`.
    pub short_filter_names: bool,
    /// Whether `resourceSpace`, and its value for a node, may be a list of maps, which are merged.
    pub resource_lists: bool,
    /// Whether results on vectors accept a `team`, which has no effect.
    pub vector_team: bool,
    /// Whether `completed` may be a computation.
    pub computed_completion: bool,
    /// Whether a resource without a node, read in a result on vectors, refers to the target.
    pub implicit_target: bool,
    /// Whether `$name` and `param.name` read the parameters of the action.
    pub readable_parameters: bool,
    /// Whether the dialect has the set filters `Has` and `HasAny`, the spelling `IsIp` for `IsIP`, and a `table` key in `Lookup`.
    pub extended_names: bool,
    /// The combination of several filters in one map.
    pub filter_combination: FilterCombination,
    /// The treatment of surplus entries: duplicate keys, and further keys where one is expected.
    pub surplus_entries: SurplusEntryRule,
    /// The treatment of undefined names.
    pub undefined_names: UndefinedNameRule,
    /// The effect of an empty `add` or `result`.
    pub empty_add: EmptyAddRule,
}

/// The combination of several filters in one map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FilterCombination {
    /// All must hold: fields, `And`, `Or` and `Not` in a map of fields, and several tests of one value.
    All,
    /// Only the first counts: after a leading `And`, `Or` or `Not`, further entries are ignored, and so are all tests of a value but the
    /// first. After a field, the three are names of fields. `Or` with a map means `And`; with a map, the three are accepted in lists only.
    /// As a step of a chain, `Not` with a map tests whether the value differs from that map.
    FirstOnly,
}

/// The treatment of surplus entries: duplicate keys, and further keys where one is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SurplusEntryRule {
    /// An error.
    Error,
    /// A warning, and the entry is ignored: the last of duplicate keys counts, and the first of different keys.
    Ignore,
}

/// The treatment of undefined names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UndefinedNameRule {
    /// An error.
    Error,
    /// A warning: the field has no value, the action cannot be chosen, and so on. Undefined nodes and teams as keys of a section are
    /// errors all the same, and so are undefined places to write to.
    Missing,
}

/// The effect of an empty `add` or `result`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EmptyAddRule {
    /// None.
    NoEffect,
    /// The addition of the state to itself.
    AddState,
}

/// The initial value of `int()`, `float()`, `set()`, and of `string.enum(..)` without a semicolon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InitialValueRule {
    /// 0 for `int()` and `float()`, `a` for `string.enum(a,b)`, the empty set for `set()`.
    Documented,
    /// An error for `int()` and `float()`, the string `a,b` for `string.enum(a,b)`, a set with one empty label for `set()`.
    Engine,
}

/// The treatment of expressions with errors: syntax errors, unknown names, disallowed comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InvalidExpressionRule {
    /// An error.
    Error,
    /// A warning; the value of the expression is missing. A wrong number of arguments remains an error.
    Missing,
}

/// The grammar after a factorial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FactorialRule {
    /// Any operator: `3! + 1` is 7.
    Operator,
    /// A factor: `3! + 1` is 3! times (+1). An operator other than a sign is skipped.
    Factor,
}

impl Dialect {
    /// The default: the documented language, strict about errors.
    pub const DOCUMENTED: Self = Self {
        rules: GameRules::DOCUMENTED,
        short_enum: true,
        initial_values: InitialValueRule::Documented,
        invalid_expressions: InvalidExpressionRule::Error,
        factorial: FactorialRule::Operator,
        numeric_comparisons: true,
        positional_fields: false,
        case_insensitive_operators: true,
        any_section_order: true,
        optional_metadata: true,
        short_filter_names: true,
        resource_lists: true,
        vector_team: true,
        computed_completion: true,
        implicit_target: true,
        readable_parameters: false,
        extended_names: true,
        filter_combination: FilterCombination::All,
        surplus_entries: SurplusEntryRule::Error,
        undefined_names: UndefinedNameRule::Error,
        empty_add: EmptyAddRule::NoEffect,
    };
    /// The behaviour of the Cage engine.
    pub const CAGE: Self = Self {
        rules: GameRules::CAGE,
        short_enum: false,
        initial_values: InitialValueRule::Engine,
        invalid_expressions: InvalidExpressionRule::Missing,
        factorial: FactorialRule::Factor,
        numeric_comparisons: false,
        positional_fields: true,
        case_insensitive_operators: false,
        any_section_order: false,
        optional_metadata: false,
        short_filter_names: false,
        resource_lists: false,
        vector_team: false,
        computed_completion: false,
        implicit_target: false,
        readable_parameters: false,
        extended_names: false,
        filter_combination: FilterCombination::FirstOnly,
        surplus_entries: SurplusEntryRule::Ignore,
        undefined_names: UndefinedNameRule::Missing,
        empty_add: EmptyAddRule::AddState,
    };

    /// The named dialects.
    pub const NAMED: [(&'static str, Self); 2] = [("documented", Self::DOCUMENTED), ("cage", Self::CAGE)];

    /// Returns the dialect with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(known, _)| *known == name).map(|&(_, dialect)| dialect)
    }
}

impl Default for Dialect {
    fn default() -> Self {
        Self::DOCUMENTED
    }
}
