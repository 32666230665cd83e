//! The grammar of Boolean expressions.

use goalspec_resource::expression::{Boolean, Connective, FieldId, NodeId};

use super::lexer::Kind;
use super::yard::{Grammar, Level};

/// The grammar of Boolean expressions.
pub(super) struct Truths {
    /// Whether word operators are case-insensitive.
    pub(super) any_case: bool,
}

/// The connective of `&&` and of adjacent operands.
const AND: (Connective, Level) = (Connective::And, 6);

/// The words that are infix operators and functions of two arguments.
const WORDS: [(&str, Connective, Level); 4] = [
    ("equals", Connective::Equal, 2),
    ("or", Connective::Or, 5),
    ("and", Connective::And, 7),
    ("xor", Connective::Xor, 8),
];

impl Truths {
    fn is(&self, name: &str, word: &str) -> bool {
        name == word || (self.any_case && name.eq_ignore_ascii_case(word))
    }
}

impl Grammar for Truths {
    type Node = Boolean;
    type Prefix = ();
    type Infix = Connective;
    type Function = Connective;

    fn constant(&self, kind: Kind<'_>) -> Option<Boolean> {
        match kind {
            Kind::Name(name) if name.eq_ignore_ascii_case("true") => Some(Boolean::Constant(true)),
            Kind::Name(name) if name.eq_ignore_ascii_case("false") => Some(Boolean::Constant(false)),
            _ => None,
        }
    }

    fn field(&self, field: FieldId) -> Boolean {
        Boolean::Field(field)
    }

    fn function(&self, name: &str) -> Option<Connective> {
        WORDS.iter().find(|(word, ..)| name.eq_ignore_ascii_case(word)).map(|(_, connective, _)| *connective)
    }

    fn names(&self) -> Vec<&'static str> {
        WORDS.iter().map(|(word, ..)| *word).chain(["not", "true", "false"]).collect()
    }

    fn prefix(&self, kind: Kind<'_>) -> Option<()> {
        match kind {
            Kind::Operator("!") => Some(()),
            Kind::Name(name) if self.is(name, "not") => Some(()),
            _ => None,
        }
    }

    fn infix(&self, kind: Kind<'_>) -> Option<(Connective, Level)> {
        match kind {
            Kind::Operator("==") => Some((Connective::Equal, 1)),
            Kind::Operator("!=") => Some((Connective::NotEqual, 3)),
            Kind::Operator("||") => Some((Connective::Or, 4)),
            Kind::Operator("&&") => Some(AND),
            Kind::Name(name) => {
                WORDS.iter().find(|(word, ..)| self.is(name, word)).map(|(_, connective, level)| (*connective, *level))
            }
            _ => None,
        }
    }

    fn adjacent(&self) -> (Connective, Level) {
        AND
    }

    fn factorial(&self, _: NodeId) -> Option<Boolean> {
        None
    }

    fn is_comparison(&self, _: Kind<'_>) -> bool {
        false
    }

    fn is_misspelt_function(&self, kind: Kind<'_>) -> bool {
        matches!(kind, Kind::Name(name) if self.function(name).is_some() && self.infix(kind).is_none())
    }

    fn apply_prefix(&self, (): (), operand: NodeId) -> Option<Boolean> {
        Some(Boolean::Not(operand))
    }

    fn apply_infix(&self, operator: Connective, operands: [NodeId; 2]) -> Boolean {
        Boolean::Binary(operator, operands)
    }

    fn call(&self, function: Connective, arguments: &[NodeId]) -> Result<Boolean, usize> {
        <[NodeId; 2]>::try_from(arguments).map(|operands| Boolean::Binary(function, operands)).map_err(|_| 2)
    }
}
