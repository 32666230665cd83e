//! The operator-precedence parser of both kinds of expressions: the shunting-yard algorithm, which needs no recursion.

use std::ops::Range;

use goalspec_resource::expression::{Expression, ExpressionBuilder, ExpressionNode, ExpressionNodeId, FieldId};
use goalspec_syntax::diagnostic::{Code, Severity};
use goalspec_syntax::suggest::did_you_mean;

use super::lexer::{Token, TokenKind, tokenize};
use super::too_long;
use crate::codes;
use crate::dialect::{Dialect, FactorialRule, InvalidExpressionRule};
use crate::fragment::{FragmentDiagnostic, FragmentResult};

/// The precedence of an operator; a larger number binds tighter.
pub(super) type Precedence = u8;

/// The differences between numeric and Boolean expressions.
pub(super) trait Grammar {
    type Node: ExpressionNode;
    type Prefix: Copy;
    type Infix: Copy;
    type Function: Copy;

    /// Returns the node of a constant.
    fn constant(&self, kind: TokenKind<'_>) -> Option<Self::Node>;
    fn field(&self, field: FieldId) -> Self::Node;
    fn function(&self, name: &str) -> Option<Self::Function>;
    /// Returns the names of functions and constants, for suggestions.
    fn names(&self) -> Vec<&'static str>;
    fn prefix(&self, kind: TokenKind<'_>) -> Option<Self::Prefix>;
    fn infix(&self, kind: TokenKind<'_>) -> Option<(Self::Infix, Precedence)>;
    /// Returns the operator implied between adjacent operands.
    fn implicit_operator(&self) -> (Self::Infix, Precedence);
    /// Returns the node of a factorial; `None` if the grammar has none.
    fn factorial(&self, operand: ExpressionNodeId) -> Option<Self::Node>;
    /// Whether the token is a comparison of numbers.
    fn is_comparison(&self, kind: TokenKind<'_>) -> bool;
    /// Whether the token is a function name that, in this spelling, is not an operator.
    fn is_miscased_function(&self, kind: TokenKind<'_>) -> bool;
    /// Returns the node of a prefix operator applied to its operand; `None` for the identity.
    fn apply_prefix(&self, operator: Self::Prefix, operand: ExpressionNodeId) -> Option<Self::Node>;
    fn apply_infix(&self, operator: Self::Infix, operands: [ExpressionNodeId; 2]) -> Self::Node;
    /// Returns the node of a call.
    ///
    /// # Errors
    /// Returns the expected number of arguments if it differs.
    fn call(&self, function: Self::Function, arguments: &[ExpressionNodeId]) -> Result<Self::Node, usize>;
}

/// An entry of the operator stack.
enum StackEntry<G: Grammar> {
    Prefix(G::Prefix),
    Infix(G::Infix, Precedence),
    Open(OpenParenthesis<G>),
}

struct OpenParenthesis<G: Grammar> {
    /// The function called; `None` for plain parentheses.
    function: Option<G::Function>,
    /// The range of the function name and the opening parenthesis.
    range: Range<usize>,
    /// The size of the operand stack at the opening parenthesis.
    base: usize,
}

/// The signal that parsing stops at an error, which has been reported.
struct ParseStopped;

struct ExpressionParser<'a, G: Grammar> {
    grammar: G,
    dialect: Dialect,
    text: &'a str,
    tokens: &'a [Token<'a>],
    at: usize,
    builder: ExpressionBuilder<G::Node>,
    fields: Vec<FieldId>,
    operand_stack: Vec<ExpressionNodeId>,
    operator_stack: Vec<StackEntry<G>>,
    /// Whether a comparison has occurred.
    compared: bool,
    faults: Vec<FragmentDiagnostic>,
}

pub(super) fn parse<G: Grammar>(text: &str, grammar: G, dialect: Dialect) -> FragmentResult<Expression<G::Node>> {
    if let Some(fault) = too_long(text) {
        return FragmentResult { value: None, diagnostics: vec![fault] };
    }
    let tokens = tokenize(text);
    let mut parser = ExpressionParser {
        grammar,
        dialect,
        text,
        tokens: &tokens,
        at: 0,
        builder: ExpressionBuilder::default(),
        fields: Vec::new(),
        operand_stack: Vec::new(),
        operator_stack: Vec::new(),
        compared: false,
        faults: Vec::new(),
    };
    let done = parser.expression().is_ok() && parser.faults.is_empty();
    FragmentResult { value: if done { parser.builder.finish() } else { None }, diagnostics: parser.faults }
}

impl<'a, G: Grammar> ExpressionParser<'a, G> {
    fn expression(&mut self) -> Result<(), ParseStopped> {
        loop {
            while !self.operand()? {}
            while !self.after_operand()? {
                if self.at == self.tokens.len() {
                    return self.finish();
                }
            }
        }
    }

    fn peek(&self) -> Option<&'a Token<'a>> {
        self.tokens.get(self.at)
    }

    /// Parses a token in operand position; returns whether an operand is complete.
    fn operand(&mut self) -> Result<bool, ParseStopped> {
        let Some(token) = self.peek() else {
            let message = "expected a value, found the end of the expression";
            return Err(self.stop(codes::EXPRESSION_SYNTAX, self.text.len()..self.text.len(), message));
        };
        self.at += 1;
        if let Some(prefix) = self.grammar.prefix(token.kind) {
            self.operator_stack.push(StackEntry::Prefix(prefix));
            return Ok(false);
        }
        match token.kind {
            TokenKind::Open => {
                self.open(None, token.range.clone());
                Ok(false)
            }
            TokenKind::Field(name) => {
                let field = self.builder.field(name);
                self.fields.push(field);
                self.push(self.grammar.field(field));
                Ok(true)
            }
            TokenKind::Name(name) => self.name(name, token),
            kind => match self.grammar.constant(kind) {
                Some(node) => {
                    self.push(node);
                    Ok(true)
                }
                None => Err(self.unexpected(token)),
            },
        }
    }

    fn name(&mut self, name: &str, token: &Token<'_>) -> Result<bool, ParseStopped> {
        if let Some(next) = self.peek().filter(|next| next.kind == TokenKind::Open)
            && let Some(function) = self.grammar.function(name)
        {
            self.at += 1;
            self.open(Some(function), token.range.start..next.range.end);
            return self.close_empty_call();
        }
        let alias = || name.strip_prefix(['a', 'A']).and_then(|digits| digits.parse::<usize>().ok());
        let alias =
            if self.dialect.positional_fields { alias().and_then(|index| self.fields.get(index)) } else { None };
        let node = match alias {
            Some(field) => Some(self.grammar.field(*field)),
            None => self.grammar.constant(token.kind),
        };
        if let Some(node) = node {
            self.push(node);
            return Ok(true);
        }
        if self.grammar.is_miscased_function(token.kind) {
            return Err(self.miscased_function(token));
        }
        let range = self.skip_dotted_name(token);
        let name = &self.text[range.clone()];
        let help = match did_you_mean(name, self.grammar.names()) {
            Some(help) => help,
            None => format!("write names of resources in braces: `{{{name}}}`"),
        };
        self.unreadable(codes::EXPRESSION_NAME, range, format!("unknown name `{name}`"), Some(help));
        // A placeholder value lets parsing continue.
        let field = self.builder.field(name);
        self.push(self.grammar.field(field));
        Ok(true)
    }

    /// Returns the range of a name with its dotted suffix, such as `a.x`, and skips the tokens of the suffix.
    fn skip_dotted_name(&mut self, token: &Token<'_>) -> Range<usize> {
        let rest = &self.text[token.range.end..];
        let length = rest.find(|c: char| c != '.' && c != '_' && !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let joined = rest[..length].starts_with('.');
        let end = token.range.end + if joined { length } else { 0 };
        while self.peek().is_some_and(|token| token.range.end <= end) {
            self.at += 1;
        }
        token.range.start..end
    }

    /// Closes a call without arguments; returns whether there was one.
    fn close_empty_call(&mut self) -> Result<bool, ParseStopped> {
        match self.peek() {
            Some(token) if token.kind == TokenKind::Close => {
                self.at += 1;
                self.close(token)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Parses a token after an operand; returns whether another operand is expected.
    fn after_operand(&mut self) -> Result<bool, ParseStopped> {
        let Some(token) = self.peek() else { return Ok(false) };
        match token.kind {
            TokenKind::Close => {
                self.at += 1;
                self.close(token)?;
                return Ok(false);
            }
            TokenKind::Comma => {
                self.at += 1;
                return self.comma(token).map(|()| true);
            }
            TokenKind::Operator("!") if self.factorial() => {
                self.at += 1;
                return Ok(self.begin_factor());
            }
            _ => {}
        }
        if self.grammar.is_miscased_function(token.kind) {
            return Err(self.miscased_function(token));
        }
        if self.grammar.is_comparison(token.kind) {
            self.comparison(token);
        }
        let (operator, level) = match self.grammar.infix(token.kind) {
            Some(infix) => {
                self.at += 1;
                infix
            }
            None => self.grammar.implicit_operator(),
        };
        self.infix(operator, level);
        Ok(true)
    }

    /// Reports a comparison that is disallowed: its Boolean value cannot be an operand.
    fn comparison(&mut self, token: &Token<'_>) {
        let is_whole = !self.compared && !self.operator_stack.iter().any(|entry| matches!(entry, StackEntry::Open(_)));
        self.compared = true;
        if !self.dialect.numeric_comparisons {
            let message = "the value of a comparison is not a number";
            self.unreadable(codes::EXPRESSION_COMPARISON, token.range.clone(), message, None);
        } else if !is_whole {
            let message = "a comparison cannot be part of a larger expression";
            self.unreadable(codes::EXPRESSION_COMPARISON, token.range.clone(), message, None);
        }
    }

    fn infix(&mut self, operator: G::Infix, level: Precedence) {
        self.reduce(level);
        self.operator_stack.push(StackEntry::Infix(operator, level));
    }

    fn factorial(&mut self) -> bool {
        let Some(node) = self.operand_stack.last().and_then(|&operand| self.grammar.factorial(operand)) else {
            return false;
        };
        self.operand_stack.pop();
        self.push(node);
        true
    }

    /// Whether a factor must follow a factorial, as with [`FactorialRule::Factor`]. An operator there is skipped, except a sign, which belongs
    /// to the factor.
    fn begin_factor(&mut self) -> bool {
        let Some(token) = self.peek() else { return false };
        let is_operator = matches!(token.kind, TokenKind::Operator(operator) if operator != "!");
        if self.dialect.factorial == FactorialRule::Operator || !is_operator || self.grammar.is_comparison(token.kind) {
            return false;
        }
        if self.grammar.prefix(token.kind).is_none() {
            self.at += 1;
        }
        let (operator, level) = self.grammar.implicit_operator();
        self.infix(operator, level);
        true
    }

    /// Applies the operators on top of the stack with at least the given precedence.
    fn reduce(&mut self, level: Precedence) {
        while let Some(top) = self.operator_stack.pop() {
            let node = match top {
                StackEntry::Prefix(operator) => {
                    let node =
                        self.operand_stack.last().and_then(|&operand| self.grammar.apply_prefix(operator, operand));
                    if node.is_some() {
                        self.operand_stack.pop();
                    }
                    node
                }
                StackEntry::Infix(operator, its) if its >= level => {
                    match (self.operand_stack.pop(), self.operand_stack.pop()) {
                        (Some(right), Some(left)) => Some(self.grammar.apply_infix(operator, [left, right])),
                        _ => None,
                    }
                }
                other => {
                    self.operator_stack.push(other);
                    return;
                }
            };
            if let Some(node) = node {
                self.push(node);
            }
        }
    }

    fn open(&mut self, function: Option<G::Function>, range: Range<usize>) {
        self.operator_stack.push(StackEntry::Open(OpenParenthesis { function, range, base: self.operand_stack.len() }));
    }

    fn close(&mut self, token: &Token<'_>) -> Result<(), ParseStopped> {
        self.reduce(0);
        let Some(StackEntry::Open(opened)) = self.operator_stack.pop() else {
            return Err(self.stop(codes::EXPRESSION_SYNTAX, token.range.clone(), "unexpected `)`"));
        };
        let Some(function) = opened.function else { return Ok(()) };
        let arguments = self.operand_stack.split_off(opened.base);
        match self.grammar.call(function, &arguments) {
            Ok(node) => {
                self.push(node);
                Ok(())
            }
            Err(expected) => {
                let range = opened.range.start..token.range.end;
                let name = self.text[opened.range].trim_end_matches('(').trim_end();
                let s = if expected == 1 { "" } else { "s" };
                let message = format!("`{name}` takes {expected} argument{s}, found {}", arguments.len());
                self.faults.push(FragmentDiagnostic::error(codes::EXPRESSION_ARITY, range, message));
                Err(ParseStopped)
            }
        }
    }

    fn comma(&mut self, token: &Token<'_>) -> Result<(), ParseStopped> {
        self.reduce(0);
        if let Some(StackEntry::Open(OpenParenthesis { function: Some(_), .. })) = self.operator_stack.last() {
            return Ok(());
        }
        let message = "unexpected `,` outside the arguments of a function";
        self.faults.push(FragmentDiagnostic::error(codes::EXPRESSION_ARITY, token.range.clone(), message));
        Err(ParseStopped)
    }

    fn finish(&mut self) -> Result<(), ParseStopped> {
        self.reduce(0);
        match self.operator_stack.pop() {
            Some(StackEntry::Open(opened)) => {
                Err(self.stop(codes::EXPRESSION_SYNTAX, opened.range, "unclosed parenthesis"))
            }
            _ => Ok(()),
        }
    }

    fn push(&mut self, node: G::Node) {
        let node = self.builder.node(node);
        self.operand_stack.push(node);
    }

    fn unreadable(&mut self, code: Code, range: Range<usize>, message: impl Into<String>, help: Option<String>) {
        let severity = match self.dialect.invalid_expressions {
            InvalidExpressionRule::Error => Severity::Error,
            InvalidExpressionRule::Missing => Severity::Warning,
        };
        self.faults.push(FragmentDiagnostic { code, severity, range, message: message.into(), help });
    }

    fn stop(&mut self, code: Code, range: Range<usize>, message: &str) -> ParseStopped {
        self.unreadable(code, range, message, None);
        ParseStopped
    }

    fn unexpected(&mut self, token: &Token<'_>) -> ParseStopped {
        let (message, help) = match token.kind {
            TokenKind::AdjoinedFields => {
                ("missing operator between the parts of this name", Some("insert an operator".into()))
            }
            TokenKind::Invalid => ("unexpected character in an expression", None),
            TokenKind::Operator(">" | ">=" | "<" | "<=") => {
                ("this operator compares numbers, found booleans", Some("compare numbers in `Calculate`".into()))
            }
            _ => ("expected a value", None),
        };
        self.unreadable(codes::EXPRESSION_SYNTAX, token.range.clone(), message, help);
        ParseStopped
    }

    fn miscased_function(&mut self, token: &Token<'_>) -> ParseStopped {
        let message = "in upper case, this is a function of 2 arguments";
        let help = "write it in lower case".to_owned();
        self.faults
            .push(FragmentDiagnostic::error(codes::EXPRESSION_ARITY, token.range.clone(), message).with_help(help));
        ParseStopped
    }
}
