//! Which of two readings a text gets: one value, decided at the edge, made of a switch for each place where they differ.

use goalspec_core::resource::compare::{Rules, Texts, Zeros};

/// A dialect of RGG.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// How values are compared.
    pub comparison: Rules,
    /// Whether `enum(..)` declares texts, as `string.enum(..)` does.
    pub bare_enum: bool,
    /// What a constraint begins with that names no value where one belongs.
    pub initials: Initials,
    /// What comes of an expression that cannot be read.
    pub unreadable: Unreadable,
    /// What may follow a factorial.
    pub factorial: Factorial,
    /// Whether `a0`, `a1` .. name the fields of an expression in their order.
    pub field_aliases: bool,
    /// Whether `AND`, `Or`, `NOT` are the words `and`, `or`, `not`.
    pub words_in_any_case: bool,
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
        comparison: Rules::PLAIN,
        bare_enum: true,
        initials: Initials::Documented,
        unreadable: Unreadable::Refused,
        factorial: Factorial::Operator,
        field_aliases: false,
        words_in_any_case: true,
    };
    /// As the Cage engine behaves.
    pub const CAGE: Self = Self {
        comparison: Rules { zeros: Zeros::Signed, texts: Texts::ClassOfOther },
        bare_enum: false,
        initials: Initials::Engine,
        unreadable: Unreadable::WithoutValue,
        factorial: Factorial::Factor,
        field_aliases: true,
        words_in_any_case: false,
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
