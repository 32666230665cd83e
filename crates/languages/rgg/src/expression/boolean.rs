//! The grammar of Boolean expressions.

use goalspec_resource::expression::{BooleanNode, Connective, ExpressionNodeId, FieldId};

use super::lexer::TokenKind;
use super::parser::{Grammar, Precedence};

/// The grammar of Boolean expressions.
pub(super) struct BooleanGrammar {
    /// Whether word operators are case-insensitive.
    pub(super) any_case: bool,
}

/// The connective of `&&` and of adjacent operands.
const AND: (Connective, Precedence) = (Connective::And, 6);

/// The words that are infix operators and functions of two arguments.
const WORDS: [(&str, Connective, Precedence); 4] = [
    ("equals", Connective::Equal, 2),
    ("or", Connective::Or, 5),
    ("and", Connective::And, 7),
    ("xor", Connective::Xor, 8),
];

impl BooleanGrammar {
    fn matches_word(&self, name: &str, word: &str) -> bool {
        name == word || (self.any_case && name.eq_ignore_ascii_case(word))
    }
}

impl Grammar for BooleanGrammar {
    type Node = BooleanNode;
    type Prefix = ();
    type Infix = Connective;
    type Function = Connective;

    fn constant(&self, kind: TokenKind<'_>) -> Option<BooleanNode> {
        match kind {
            TokenKind::Name(name) if name.eq_ignore_ascii_case("true") => Some(BooleanNode::Constant(true)),
            TokenKind::Name(name) if name.eq_ignore_ascii_case("false") => Some(BooleanNode::Constant(false)),
            _ => None,
        }
    }

    fn field(&self, field: FieldId) -> BooleanNode {
        BooleanNode::Field(field)
    }

    fn function(&self, name: &str) -> Option<Connective> {
        WORDS.iter().find(|(word, ..)| name.eq_ignore_ascii_case(word)).map(|(_, connective, _)| *connective)
    }

    fn names(&self) -> Vec<&'static str> {
        WORDS.iter().map(|(word, ..)| *word).chain(["not", "true", "false"]).collect()
    }

    fn prefix(&self, kind: TokenKind<'_>) -> Option<()> {
        match kind {
            TokenKind::Operator("!") => Some(()),
            TokenKind::Name(name) if self.matches_word(name, "not") => Some(()),
            _ => None,
        }
    }

    fn infix(&self, kind: TokenKind<'_>) -> Option<(Connective, Precedence)> {
        match kind {
            TokenKind::Operator("==") => Some((Connective::Equal, 1)),
            TokenKind::Operator("!=") => Some((Connective::NotEqual, 3)),
            TokenKind::Operator("||") => Some((Connective::Or, 4)),
            TokenKind::Operator("&&") => Some(AND),
            TokenKind::Name(name) => WORDS
                .iter()
                .find(|(word, ..)| self.matches_word(name, word))
                .map(|(_, connective, level)| (*connective, *level)),
            _ => None,
        }
    }

    fn implicit_operator(&self) -> (Connective, Precedence) {
        AND
    }

    fn factorial(&self, _: ExpressionNodeId) -> Option<BooleanNode> {
        None
    }

    fn is_comparison(&self, _: TokenKind<'_>) -> bool {
        false
    }

    fn is_miscased_function(&self, kind: TokenKind<'_>) -> bool {
        matches!(kind, TokenKind::Name(name) if self.function(name).is_some() && self.infix(kind).is_none())
    }

    fn apply_prefix(&self, (): (), operand: ExpressionNodeId) -> Option<BooleanNode> {
        Some(BooleanNode::Not(operand))
    }

    fn apply_infix(&self, operator: Connective, operands: [ExpressionNodeId; 2]) -> BooleanNode {
        BooleanNode::Binary(operator, operands)
    }

    fn call(&self, function: Connective, arguments: &[ExpressionNodeId]) -> Result<BooleanNode, usize> {
        <[ExpressionNodeId; 2]>::try_from(arguments)
            .map(|operands| BooleanNode::Binary(function, operands))
            .map_err(|_| 2)
    }
}
