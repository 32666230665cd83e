//! Which of two readings a text gets: one value, decided at the edge, made of a switch for each place where they differ.

use goalspec_core::resource::rules::Rules;

/// A dialect of RGG.
#[expect(
    clippy::struct_excessive_bools,
    reason = "every switch stands for itself; any combination of them is a dialect"
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// How the game is played.
    pub rules: Rules,
    /// Whether `enum(..)` declares texts, as `string.enum(..)` does.
    pub bare_enum: bool,
    /// What a constraint begins with that names no value where one belongs.
    pub initials: Initials,
    /// What comes of an expression that cannot be read.
    pub unreadable: Unreadable,
    /// What may follow a factorial.
    pub factorial: Factorial,
    /// Whether `Calculate` may compare two numbers, which makes a truth value.
    pub comparisons: bool,
    /// Whether `a0`, `a1` .. name the fields of an expression in their order.
    pub field_aliases: bool,
    /// Whether `AND`, `Or`, `NOT` are the words `and`, `or`, `not`.
    pub words_in_any_case: bool,
    /// Whether the sections of a file may stand in any order.
    pub any_order: bool,
    /// Whether `metadata` may be left out.
    pub optional_metadata: bool,
    /// Whether `sourceFilter` and `targetFilter` may be called `source` and `target`.
    pub short_filters: bool,
    /// Whether `resourceSpace`, and what it says of a node, may be a list of maps, which are read as one.
    pub resource_lists: bool,
    /// Whether results for vectors may name a team, which changes nothing.
    pub vector_team: bool,
    /// Whether `completed` may be a computation.
    pub completed_computes: bool,
    /// Whether a resource without a node, read in a result for vectors, is that of the target.
    pub bare_reads: bool,
    /// Whether `$name` and `param.name` read the parameters of the action.
    pub parameters: bool,
    /// Whether the filters `Has` and `HasAny` test the members of sets, `IsIp` is `IsIP`, and `Lookup` may name its table.
    pub further_names: bool,
    /// How filters that stand side by side are joined.
    pub joining: Joining,
    /// What comes of an entry that another one pushes aside: the same key again, a second key where one counts.
    pub surplus: Surplus,
    /// What comes of a name of something that does not exist.
    pub undefined: Undefined,
    /// What an empty `add` or `result` does.
    pub empty_add: EmptyAdd,
}

/// How filters that stand side by side are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Joining {
    /// All have to hold: fields, `And`, `Or` and `Not` in a map of fields, and several filters of one value.
    All,
    /// Beside `And`, `Or` or `Not` in front nothing counts, after a field they are names of fields, `Or` over a map is `And`; of
    /// several filters of one value the first counts. With a map, the three can be read in lists only.
    /// As a step of a chain, `Not` over a map asks whether the value is another than that map.
    First,
}

/// What comes of an entry that another one pushes aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Surplus {
    /// It is an error.
    Refused,
    /// It is left out, with a warning: of the same keys the last one counts, of different keys the first one.
    LeftOut,
}

/// What comes of a name of something that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Undefined {
    /// It is an error.
    Refused,
    /// A field has no value, an action cannot be chosen, and so on, with a warning. Nodes and teams that a section is about have to
    /// exist all the same, and so have places that are written to.
    Missing,
}

/// What an empty `add` or `result` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EmptyAdd {
    /// Nothing.
    Nothing,
    /// It adds the state to itself.
    WholeState,
}

/// What a constraint begins with that names no value where one belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Initials {
    /// `int()` and `float()` with 0, `string.enum(a,b)` with `a`, `set()` with no label.
    Documented,
    /// `int()` and `float()` are errors; `string.enum(a,b)` begins with the text `a,b`, and `set()` with one empty label.
    Engine,
}

/// What comes of an expression that cannot be read: bad syntax, an unknown name, a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unreadable {
    /// It is an error.
    Refused,
    /// It is an expression without a value, with a warning. A wrong number of arguments is an error all the same.
    WithoutValue,
}

/// What may follow a factorial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Factorial {
    /// Every operator: `3! + 1` is 7.
    Operator,
    /// What follows is a factor: `3! + 1` is 3! times (+1). Of other operators only the place counts.
    Factor,
}

impl Dialect {
    /// The default: as the language is documented, what cannot be read being an error.
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
    /// As the Cage engine behaves.
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

    /// The dialects by the names that users give.
    pub const NAMED: [(&'static str, Self); 2] = [("documented", Self::DOCUMENTED), ("cage", Self::CAGE)];

    /// The dialect of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(known, _)| *known == name).map(|&(_, dialect)| dialect)
    }
}

impl Default for Dialect {
    fn default() -> Self {
        Self::DOCUMENTED
    }
}
