//! Balanced tokens to a stored tree.

use rowan::{GreenNode, GreenToken, Language, NodeOrToken};

use super::kind::{Sexpressions, SyntaxKind};
use super::lexer::Token;

/// Builds the tree of balanced tokens; `inserted` names the tokens before which a list ends without a parenthesis, ascending.
///
/// The tree library has a builder too; it shares equal subtrees by hashing them whole, which takes time in proportion to size
/// times depth. Here only the commonest tokens are shared.
pub(super) fn build(text: &str, tokens: &[Token], inserted: &[u32]) -> GreenNode {
    let mut builder = Builder::new();
    let mut inserted = inserted.iter().peekable();
    for (index, token) in tokens.iter().enumerate() {
        while inserted.next_if(|&&before| before as usize == index).is_some() {
            builder.finish_list();
        }
        let end = tokens.get(index + 1).map_or(text.len(), |next| next.start as usize);
        builder.token(token.kind, &text[token.start as usize..end]);
    }
    inserted.for_each(|_| builder.finish_list());
    builder.finish()
}

struct Builder {
    /// The children of all open lists, outermost first.
    children: Vec<NodeOrToken<GreenNode, GreenToken>>,
    /// Where the children of each open list start.
    open: Vec<usize>,
    left: GreenToken,
    right: GreenToken,
    blank: GreenToken,
}

impl Builder {
    fn new() -> Self {
        Self {
            children: Vec::new(),
            open: Vec::new(),
            left: green(SyntaxKind::LeftParenthesis, "("),
            right: green(SyntaxKind::RightParenthesis, ")"),
            blank: green(SyntaxKind::Whitespace, " "),
        }
    }

    /// Adds a token. A left parenthesis starts a list, a right one ends it.
    fn token(&mut self, kind: SyntaxKind, text: &str) {
        if kind == SyntaxKind::LeftParenthesis {
            self.open.push(self.children.len());
        }
        let token = match (kind, text) {
            (SyntaxKind::LeftParenthesis, _) => self.left.clone(),
            (SyntaxKind::RightParenthesis, _) => self.right.clone(),
            (SyntaxKind::Whitespace, " ") => self.blank.clone(),
            _ => green(kind, text),
        };
        self.children.push(token.into());
        if kind == SyntaxKind::RightParenthesis {
            self.finish_list();
        }
    }

    fn finish_list(&mut self) {
        let first = self.open.pop().unwrap_or_default();
        let list = GreenNode::new(Sexpressions::kind_to_raw(SyntaxKind::List), self.children.drain(first..));
        self.children.push(list.into());
    }

    fn finish(self) -> GreenNode {
        GreenNode::new(Sexpressions::kind_to_raw(SyntaxKind::Root), self.children)
    }
}

fn green(kind: SyntaxKind, text: &str) -> GreenToken {
    GreenToken::new(Sexpressions::kind_to_raw(kind), text)
}
