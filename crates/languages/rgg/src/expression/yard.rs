//! The operator-precedence parser of both kinds of expressions: the shunting-yard algorithm, which needs no recursion.

use std::ops::Range;

use goalspec_resource::expression::{Builder, Expression, FieldId, Node, NodeId};
use goalspec_syntax::diagnostic::{Code, Severity};
use goalspec_syntax::suggest::did_you_mean;

use super::lexer::{Kind, Token, tokens};
use super::too_long;
use crate::codes;
use crate::dialect::{Dialect, Factorial, Unreadable};
use crate::reading::{Fault, Reading};

/// The precedence of an operator; a larger number binds tighter.
pub(super) type Level = u8;

/// The differences between numeric and Boolean expressions.
pub(super) trait Grammar {
    type Node: Node;
    type Prefix: Copy;
    type Infix: Copy;
    type Function: Copy;

    /// Returns the node of a constant.
    fn constant(&self, kind: Kind<'_>) -> Option<Self::Node>;
    fn field(&self, field: FieldId) -> Self::Node;
    fn function(&self, name: &str) -> Option<Self::Function>;
    /// Returns the names of functions and constants, for suggestions.
    fn names(&self) -> Vec<&'static str>;
    fn prefix(&self, kind: Kind<'_>) -> Option<Self::Prefix>;
    fn infix(&self, kind: Kind<'_>) -> Option<(Self::Infix, Level)>;
    /// Returns the operator implied between adjacent operands.
    fn adjacent(&self) -> (Self::Infix, Level);
    /// Returns the node of a factorial; `None` if the grammar has none.
    fn factorial(&self, operand: NodeId) -> Option<Self::Node>;
    /// Whether the token is a comparison of numbers.
    fn is_comparison(&self, kind: Kind<'_>) -> bool;
    /// Whether the token is a function name that, in this spelling, is not an operator.
    fn is_misspelt_function(&self, kind: Kind<'_>) -> bool;
    /// Returns the node of a prefix operator applied to its operand; `None` for the identity.
    fn apply_prefix(&self, operator: Self::Prefix, operand: NodeId) -> Option<Self::Node>;
    fn apply_infix(&self, operator: Self::Infix, operands: [NodeId; 2]) -> Self::Node;
    /// Returns the node of a call.
    ///
    /// # Errors
    /// Returns the expected number of arguments if it differs.
    fn call(&self, function: Self::Function, arguments: &[NodeId]) -> Result<Self::Node, usize>;
}

/// An entry of the operator stack.
enum Waiting<G: Grammar> {
    Prefix(G::Prefix),
    Infix(G::Infix, Level),
    Open(Opened<G>),
}

struct Opened<G: Grammar> {
    /// The function called; `None` for plain parentheses.
    function: Option<G::Function>,
    /// The range of the function name and the opening parenthesis.
    range: Range<usize>,
    /// The size of the operand stack at the opening parenthesis.
    base: usize,
}

/// The signal that parsing stops at an error, which has been reported.
struct Stop;

struct Yard<'a, G: Grammar> {
    grammar: G,
    dialect: Dialect,
    text: &'a str,
    tokens: &'a [Token<'a>],
    at: usize,
    builder: Builder<G::Node>,
    fields: Vec<FieldId>,
    operands: Vec<NodeId>,
    waiting: Vec<Waiting<G>>,
    /// Whether a comparison has occurred.
    compared: bool,
    faults: Vec<Fault>,
}

pub(super) fn read<G: Grammar>(text: &str, grammar: G, dialect: Dialect) -> Reading<Expression<G::Node>> {
    if let Some(fault) = too_long(text) {
        return Reading { value: None, faults: vec![fault] };
    }
    let tokens = tokens(text);
    let mut yard = Yard {
        grammar,
        dialect,
        text,
        tokens: &tokens,
        at: 0,
        builder: Builder::default(),
        fields: Vec::new(),
        operands: Vec::new(),
        waiting: Vec::new(),
        compared: false,
        faults: Vec::new(),
    };
    let done = yard.expression().is_ok() && yard.faults.is_empty();
    Reading { value: if done { yard.builder.finish() } else { None }, faults: yard.faults }
}

impl<'a, G: Grammar> Yard<'a, G> {
    fn expression(&mut self) -> Result<(), Stop> {
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
    fn operand(&mut self) -> Result<bool, Stop> {
        let Some(token) = self.peek() else {
            let message = "expected a value, found the end of the expression";
            return Err(self.stop(codes::EXPRESSION_SYNTAX, self.text.len()..self.text.len(), message));
        };
        self.at += 1;
        if let Some(prefix) = self.grammar.prefix(token.kind) {
            self.waiting.push(Waiting::Prefix(prefix));
            return Ok(false);
        }
        match token.kind {
            Kind::Open => {
                self.open(None, token.range.clone());
                Ok(false)
            }
            Kind::Field(name) => {
                let field = self.builder.field(name);
                self.fields.push(field);
                self.push(self.grammar.field(field));
                Ok(true)
            }
            Kind::Name(name) => self.name(name, token),
            kind => match self.grammar.constant(kind) {
                Some(node) => {
                    self.push(node);
                    Ok(true)
                }
                None => Err(self.unexpected(token)),
            },
        }
    }

    fn name(&mut self, name: &str, token: &Token<'_>) -> Result<bool, Stop> {
        if let Some(next) = self.peek().filter(|next| next.kind == Kind::Open)
            && let Some(function) = self.grammar.function(name)
        {
            self.at += 1;
            self.open(Some(function), token.range.start..next.range.end);
            return self.without_arguments();
        }
        let alias = || name.strip_prefix(['a', 'A']).and_then(|digits| digits.parse::<usize>().ok());
        let alias = if self.dialect.field_aliases { alias().and_then(|index| self.fields.get(index)) } else { None };
        let node = match alias {
            Some(field) => Some(self.grammar.field(*field)),
            None => self.grammar.constant(token.kind),
        };
        if let Some(node) = node {
            self.push(node);
            return Ok(true);
        }
        if self.grammar.is_misspelt_function(token.kind) {
            return Err(self.misspelt(token));
        }
        let range = self.dotted(token);
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
    fn dotted(&mut self, token: &Token<'_>) -> Range<usize> {
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
    fn without_arguments(&mut self) -> Result<bool, Stop> {
        match self.peek() {
            Some(token) if token.kind == Kind::Close => {
                self.at += 1;
                self.close(token)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Parses a token after an operand; returns whether another operand is expected.
    fn after_operand(&mut self) -> Result<bool, Stop> {
        let Some(token) = self.peek() else { return Ok(false) };
        match token.kind {
            Kind::Close => {
                self.at += 1;
                self.close(token)?;
                return Ok(false);
            }
            Kind::Comma => {
                self.at += 1;
                return self.comma(token).map(|()| true);
            }
            Kind::Operator("!") if self.factorial() => {
                self.at += 1;
                return Ok(self.factor_follows());
            }
            _ => {}
        }
        if self.grammar.is_misspelt_function(token.kind) {
            return Err(self.misspelt(token));
        }
        if self.grammar.is_comparison(token.kind) {
            self.comparison(token);
        }
        let (operator, level) = match self.grammar.infix(token.kind) {
            Some(infix) => {
                self.at += 1;
                infix
            }
            None => self.grammar.adjacent(),
        };
        self.infix(operator, level);
        Ok(true)
    }

    /// Reports a comparison that is disallowed: its Boolean value cannot be an operand.
    fn comparison(&mut self, token: &Token<'_>) {
        let is_whole = !self.compared && !self.waiting.iter().any(|waiting| matches!(waiting, Waiting::Open(_)));
        self.compared = true;
        if !self.dialect.comparisons {
            let message = "the value of a comparison is not a number";
            self.unreadable(codes::EXPRESSION_COMPARISON, token.range.clone(), message, None);
        } else if !is_whole {
            let message = "a comparison cannot be part of a larger expression";
            self.unreadable(codes::EXPRESSION_COMPARISON, token.range.clone(), message, None);
        }
    }

    fn infix(&mut self, operator: G::Infix, level: Level) {
        self.reduce(level);
        self.waiting.push(Waiting::Infix(operator, level));
    }

    fn factorial(&mut self) -> bool {
        let Some(node) = self.operands.last().and_then(|&operand| self.grammar.factorial(operand)) else {
            return false;
        };
        self.operands.pop();
        self.push(node);
        true
    }

    /// Whether a factor must follow a factorial, as with [`Factorial::Factor`]. An operator there is skipped, except a sign, which belongs
    /// to the factor.
    fn factor_follows(&mut self) -> bool {
        let Some(token) = self.peek() else { return false };
        let is_operator = matches!(token.kind, Kind::Operator(operator) if operator != "!");
        if self.dialect.factorial == Factorial::Operator || !is_operator || self.grammar.is_comparison(token.kind) {
            return false;
        }
        if self.grammar.prefix(token.kind).is_none() {
            self.at += 1;
        }
        let (operator, level) = self.grammar.adjacent();
        self.infix(operator, level);
        true
    }

    /// Applies the operators on top of the stack with at least the given precedence.
    fn reduce(&mut self, level: Level) {
        while let Some(top) = self.waiting.pop() {
            let node = match top {
                Waiting::Prefix(operator) => {
                    let node = self.operands.last().and_then(|&operand| self.grammar.apply_prefix(operator, operand));
                    if node.is_some() {
                        self.operands.pop();
                    }
                    node
                }
                Waiting::Infix(operator, its) if its >= level => match (self.operands.pop(), self.operands.pop()) {
                    (Some(right), Some(left)) => Some(self.grammar.apply_infix(operator, [left, right])),
                    _ => None,
                },
                other => {
                    self.waiting.push(other);
                    return;
                }
            };
            if let Some(node) = node {
                self.push(node);
            }
        }
    }

    fn open(&mut self, function: Option<G::Function>, range: Range<usize>) {
        self.waiting.push(Waiting::Open(Opened { function, range, base: self.operands.len() }));
    }

    fn close(&mut self, token: &Token<'_>) -> Result<(), Stop> {
        self.reduce(0);
        let Some(Waiting::Open(opened)) = self.waiting.pop() else {
            return Err(self.stop(codes::EXPRESSION_SYNTAX, token.range.clone(), "unexpected `)`"));
        };
        let Some(function) = opened.function else { return Ok(()) };
        let arguments = self.operands.split_off(opened.base);
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
                self.faults.push(Fault::error(codes::EXPRESSION_ARITY, range, message));
                Err(Stop)
            }
        }
    }

    fn comma(&mut self, token: &Token<'_>) -> Result<(), Stop> {
        self.reduce(0);
        if let Some(Waiting::Open(Opened { function: Some(_), .. })) = self.waiting.last() {
            return Ok(());
        }
        let message = "unexpected `,` outside the arguments of a function";
        self.faults.push(Fault::error(codes::EXPRESSION_ARITY, token.range.clone(), message));
        Err(Stop)
    }

    fn finish(&mut self) -> Result<(), Stop> {
        self.reduce(0);
        match self.waiting.pop() {
            Some(Waiting::Open(opened)) => {
                Err(self.stop(codes::EXPRESSION_SYNTAX, opened.range, "unclosed parenthesis"))
            }
            _ => Ok(()),
        }
    }

    fn push(&mut self, node: G::Node) {
        let node = self.builder.node(node);
        self.operands.push(node);
    }

    fn unreadable(&mut self, code: Code, range: Range<usize>, message: impl Into<String>, help: Option<String>) {
        let severity = match self.dialect.unreadable {
            Unreadable::Refused => Severity::Error,
            Unreadable::WithoutValue => Severity::Warning,
        };
        self.faults.push(Fault { code, severity, range, message: message.into(), help });
    }

    fn stop(&mut self, code: Code, range: Range<usize>, message: &str) -> Stop {
        self.unreadable(code, range, message, None);
        Stop
    }

    fn unexpected(&mut self, token: &Token<'_>) -> Stop {
        let (message, help) = match token.kind {
            Kind::Glued => ("missing operator between the parts of this name", Some("insert an operator".into())),
            Kind::Bad => ("unexpected character in an expression", None),
            Kind::Operator(">" | ">=" | "<" | "<=") => {
                ("this operator compares numbers, found booleans", Some("compare numbers in `Calculate`".into()))
            }
            _ => ("expected a value", None),
        };
        self.unreadable(codes::EXPRESSION_SYNTAX, token.range.clone(), message, help);
        Stop
    }

    fn misspelt(&mut self, token: &Token<'_>) -> Stop {
        let message = "in upper case, this is a function of 2 arguments";
        let help = "write it in lower case".to_owned();
        self.faults.push(Fault::error(codes::EXPRESSION_ARITY, token.range.clone(), message).with_help(help));
        Stop
    }
}
