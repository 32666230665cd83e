//! The parser of parameters, conditions and expressions, which are written as s-expressions.

use goalspec_syntax::sexp::{self, AtomKind, List, Parse, Sexp};
use goalspec_syntax::suggest::did_you_mean;
use goalspec_syntax::{Diagnostic, Sources, Span};

use super::codes;
use super::document::Node;
use super::loader::{Loader, NameTable, unknown};
use crate::condition::{Atom, ComparisonOperator, Condition, Expression, Origin, Scope, Term, Terms, Variable};
use crate::ids::{TypeId, VarId};
use crate::world::operation::Setting;

/// Parses the parameters of a predicate or function: `?a ?b - thing ?c - (either ball block)`.
pub(super) fn parameters(loader: &mut Loader<'_>, node: &Node) -> Option<Scope> {
    let text = loader.ok(node.text())?;
    let mut reader = DefinitionParser::new(loader, node, text);
    let parsed = reader.read(&format!("({text})"), 1)?;
    let list = reader.only_list(&parsed)?;
    let variables = reader.variables(list)?;
    Some(Scope { variables })
}

/// Parses a condition over the parameters.
pub(super) fn condition(loader: &mut Loader<'_>, scope: &Scope, node: &Node) -> Option<(Scope, Condition)> {
    let text = loader.ok(node.text())?;
    let mut reader = DefinitionParser::with_scope(loader, node, text, scope);
    let parsed = reader.read(text, 0)?;
    let list = reader.only_list(&parsed)?;
    let condition = reader.condition(&list.into())?;
    Some((reader.scope, condition))
}

/// Parses an expression over the parameters.
pub(super) fn expression(loader: &mut Loader<'_>, scope: &Scope, node: &Node) -> Option<(Scope, Expression)> {
    let text = loader.ok(node.text())?;
    let mut reader = DefinitionParser::with_scope(loader, node, text, scope);
    let parsed = reader.read(text, 0)?;
    let list = reader.only_list(&parsed)?;
    let expression = reader.expression(&list.into())?;
    Some((reader.scope, expression))
}

const CONDITION_OPERATORS: [&str; 14] = [
    "and",
    "or",
    "not",
    "imply",
    "exists",
    "forall",
    "<",
    "<=",
    "=",
    ">=",
    ">",
    "first-state",
    "last-state",
    "in-setup",
];
const EXPRESSION_OPERATORS: [&str; 5] = ["+", "-", "*", "/", "abs"];

struct DefinitionParser<'r, 'l> {
    loader: &'r mut Loader<'l>,
    /// The span of the text in the file, including the quotes.
    whole: Span,
    /// The offset of the text in the file; `None` if it is written with escapes.
    start: Option<u32>,
    /// The number of bytes added before the text for parsing.
    added: u32,
    scope: Scope,
    /// The variables in scope, the innermost last.
    in_scope: Vec<VarId>,
}

impl<'r, 'l> DefinitionParser<'r, 'l> {
    fn new(loader: &'r mut Loader<'l>, node: &Node, text: &str) -> Self {
        let start = loader.start_of_text(node.span, text);
        Self { loader, whole: node.span, start, added: 0, scope: Scope::default(), in_scope: Vec::new() }
    }

    fn with_scope(loader: &'r mut Loader<'l>, node: &Node, text: &str, scope: &Scope) -> Self {
        let visible = (0..scope.variables.len()).map(VarId::from).collect();
        Self { scope: scope.clone(), in_scope: visible, ..Self::new(loader, node, text) }
    }

    /// Returns the span in the file of a part of the parsed text.
    fn place(&self, part: Span) -> Span {
        let Some(start) = self.start else { return self.whole };
        let shift = |at: u32| (start + at).saturating_sub(self.added).clamp(self.whole.start, self.whole.end);
        Span::new(self.whole.source, shift(part.start), shift(part.end))
    }

    fn error(&mut self, part: Span, message: impl Into<String>) {
        let span = self.place(part);
        self.loader.error(codes::DEFINITION, span, message);
    }

    /// Parses a text, and reports syntax errors. The first `added` bytes are not in the file.
    fn read(&mut self, text: &str, added: u32) -> Option<Parse> {
        self.added = added;
        let mut sources = Sources::new();
        let id = sources.add("definition", text);
        let parsed = sexp::parse(sources.file(id));
        for diagnostic in &parsed.diagnostics {
            let part = diagnostic.span.unwrap_or(Span::new(id, 0, 0));
            self.error(part, diagnostic.message.clone());
        }
        parsed.diagnostics.is_empty().then_some(parsed)
    }

    /// Returns the list that a text consists of.
    fn only_list<'t>(&mut self, parsed: &'t Parse) -> Option<List<'t>> {
        let mut roots = parsed.roots();
        if let (Some(list), None) = (roots.next(), roots.next()) {
            return Some(list);
        }
        self.loader.error(codes::DEFINITION, self.whole, "expected one expression in parentheses");
        None
    }

    /// Parses `?a ?b - type`: names, followed by their common type.
    fn variables(&mut self, list: List<'_>) -> Option<Vec<Variable>> {
        let mut done: Vec<Variable> = Vec::new();
        let mut waiting: Vec<Variable> = Vec::new();
        let mut items = list.items();
        while let Some(item) = items.next() {
            match item.as_atom() {
                Some(atom) if atom.kind() == AtomKind::Variable => {
                    if done.iter().chain(&waiting).any(|known| &*known.name == atom.text()) {
                        self.error(atom.span(), format!("`{}` is declared twice", atom.text()));
                        return None;
                    }
                    let origin = Origin::from(self.place(atom.span()));
                    waiting.push(Variable { name: atom.text().into(), types: Vec::new(), origin });
                }
                Some(atom) if atom.text() == "-" && !waiting.is_empty() => {
                    let Some(of) = items.next() else {
                        self.error(atom.span(), "expected a type after `-`");
                        return None;
                    };
                    let types = self.types(&of)?;
                    done.extend(waiting.drain(..).map(|variable| Variable { types: types.clone(), ..variable }));
                }
                _ => {
                    self.error(item.span(), "expected variables, declared as `?a ?b - type`");
                    return None;
                }
            }
        }
        if let Some(variable) = waiting.first() {
            let message = format!("missing type of `{}`: write `{} - type`", variable.name, variable.name);
            let span = variable.origin.0.unwrap_or(self.whole);
            self.loader.error(codes::DEFINITION, span, message);
            return None;
        }
        Some(done)
    }

    /// Parses `ball` or `(either ball block)`.
    fn types(&mut self, item: &Sexp<'_>) -> Option<Vec<TypeId>> {
        let names = match item {
            Sexp::Atom(atom) => vec![*atom],
            Sexp::List(list) if list.head().is_some_and(|head| head.text() == "either") => {
                list.items().skip(1).filter_map(Sexp::as_atom).collect()
            }
            Sexp::List(_) => Vec::new(),
        };
        if names.is_empty() {
            self.error(item.span(), "expected a type or `(either type type)`");
            return None;
        }
        let found: Vec<Option<TypeId>> = names
            .iter()
            .map(|name| {
                let span = self.place(name.span());
                self.loader.types.find(name.text(), span, self.loader.diagnostics)
            })
            .collect();
        found.into_iter().collect()
    }

    fn condition(&mut self, item: &Sexp<'_>) -> Option<Condition> {
        let Some((list, head)) = item.as_list().and_then(|list| Some((list, list.head()?))) else {
            self.error(item.span(), "expected a condition in parentheses");
            return None;
        };
        let parts: Vec<Sexp> = list.items().skip(1).collect();
        match head.text() {
            "and" => Some(Condition::And(self.conditions(&parts)?)),
            "or" => Some(Condition::Or(self.conditions(&parts)?)),
            "not" => {
                let [part] = self.exactly(list, &parts)?;
                Some(Condition::Not(Box::new(self.condition(part)?)))
            }
            "imply" => {
                let [first, second] = self.exactly(list, &parts)?;
                let (first, second) = (self.condition(first), self.condition(second));
                Some(Condition::Imply(Box::new([first?, second?])))
            }
            "exists" | "forall" => self.quantifier(list, &parts, head.text() == "exists"),
            "<" => self.comparison(list, &parts, ComparisonOperator::Less),
            "<=" => self.comparison(list, &parts, ComparisonOperator::LessEqual),
            "=" => self.comparison(list, &parts, ComparisonOperator::Equal),
            ">=" => self.comparison(list, &parts, ComparisonOperator::GreaterEqual),
            ">" => self.comparison(list, &parts, ComparisonOperator::Greater),
            "first-state" => self.exactly::<0>(list, &parts).map(|_| Condition::FirstState),
            "last-state" => self.exactly::<0>(list, &parts).map(|_| Condition::LastState),
            "in-setup" => {
                let [part] = self.exactly(list, &parts)?;
                Some(Condition::InSetup(self.term(part)?, self.place(list.span()).into()))
            }
            name => {
                let origin = self.place(list.span());
                let predicate = self.callee(name, head.span(), &CONDITION_OPERATORS, |loader| &loader.predicates);
                let arguments = self.terms(&parts);
                Some(Condition::Atom(Atom { predicate: predicate?, arguments: arguments?, origin: origin.into() }))
            }
        }
    }

    /// Parses all parts before returning, so that the errors of all parts are reported.
    fn conditions(&mut self, parts: &[Sexp<'_>]) -> Option<Vec<Condition>> {
        let read: Vec<Option<Condition>> = parts.iter().map(|part| self.condition(part)).collect();
        read.into_iter().collect()
    }

    fn quantifier(&mut self, list: List<'_>, parts: &[Sexp<'_>], exists: bool) -> Option<Condition> {
        let [declared, body] = self.exactly(list, parts)?;
        let Some(declared) = declared.as_list() else {
            self.error(declared.span(), "expected variables in parentheses: `(?a - type)`");
            return None;
        };
        let variables = self.variables(declared)?;
        let outside = self.in_scope.len();
        let bound: Vec<VarId> = variables.into_iter().map(|variable| self.scope.declare(variable)).collect();
        self.in_scope.extend(&bound);
        let body = self.condition(body);
        self.in_scope.truncate(outside);
        let body = Box::new(body?);
        Some(if exists { Condition::Exists(bound, body) } else { Condition::Forall(bound, body) })
    }

    fn comparison(&mut self, list: List<'_>, parts: &[Sexp<'_>], comparison: ComparisonOperator) -> Option<Condition> {
        let [left, right] = self.exactly(list, parts)?;
        let (left, right) = (self.expression(left), self.expression(right));
        let origin = self.place(list.span()).into();
        Some(Condition::Compare { comparison, sides: Box::new([left?, right?]), origin })
    }

    fn expression(&mut self, item: &Sexp<'_>) -> Option<Expression> {
        let list = match item {
            Sexp::Atom(atom) => return self.number(*atom),
            Sexp::List(list) => *list,
        };
        let Some(head) = list.head() else {
            self.error(list.span(), "expected a function or an operator");
            return None;
        };
        let parts: Vec<Sexp> = list.items().skip(1).collect();
        match head.text() {
            "+" => Some(Expression::Add(self.expressions(list, &parts)?)),
            "*" => Some(Expression::Multiply(self.expressions(list, &parts)?)),
            "-" if parts.len() == 1 => {
                let negated = self.expression(&parts[0])?;
                Some(Expression::Subtract(Box::new([Expression::Number(0.0), negated])))
            }
            "-" => Some(Expression::Subtract(self.two(list, &parts)?)),
            "/" => Some(Expression::Divide(self.two(list, &parts)?)),
            "abs" => {
                let [part] = self.exactly(list, &parts)?;
                Some(Expression::Absolute(Box::new(self.expression(part)?)))
            }
            name => {
                let origin = self.place(list.span()).into();
                let function = self.callee(name, head.span(), &EXPRESSION_OPERATORS, |loader| &loader.functions);
                let arguments = self.terms(&parts);
                Some(Expression::Call { function: function?, arguments: arguments?, origin })
            }
        }
    }

    fn expressions(&mut self, list: List<'_>, parts: &[Sexp<'_>]) -> Option<Vec<Expression>> {
        if parts.is_empty() {
            self.error(list.span(), "expected at least one number");
            return None;
        }
        let read: Vec<Option<Expression>> = parts.iter().map(|part| self.expression(part)).collect();
        read.into_iter().collect()
    }

    fn two(&mut self, list: List<'_>, parts: &[Sexp<'_>]) -> Option<Box<[Expression; 2]>> {
        let [left, right] = self.exactly(list, parts)?;
        let (left, right) = (self.expression(left), self.expression(right));
        Some(Box::new([left?, right?]))
    }

    /// Parses a number, or the value of a setting written as `$name`.
    fn number(&mut self, atom: sexp::Atom<'_>) -> Option<Expression> {
        if let Some(name) = atom.text().strip_prefix('$') {
            let span = self.place(atom.span());
            if let Setting::Number(number) = self.loader.named_setting(name, span)? {
                return Some(Expression::Number(number));
            }
            self.error(atom.span(), format!("the setting `{name}` is not a number"));
            return None;
        }
        let number = atom.text().parse().ok().filter(|number: &f64| number.is_finite());
        if let (Some(number), AtomKind::Number) = (number, atom.kind()) {
            return Some(Expression::Number(number));
        }
        let message = format!("`{}` is not a number", atom.text());
        let diagnostic = Diagnostic::error(codes::DEFINITION, self.place(atom.span()), message)
            .with_help("use a number, a setting as `$name`, or a function in parentheses");
        self.loader.diagnostics.push(diagnostic);
        None
    }

    fn exactly<'p, const N: usize>(&mut self, list: List<'_>, parts: &'p [Sexp<'p>]) -> Option<&'p [Sexp<'p>; N]> {
        let found = parts.try_into().ok();
        if found.is_none() {
            let operator = list.head().map(|head| head.text().to_owned()).unwrap_or_default();
            self.error(list.span(), format!("`{operator}` takes {N} arguments, found {}", parts.len()));
        }
        found
    }

    fn callee<T: Copy>(
        &mut self,
        name: &str,
        part: Span,
        operators: &[&str],
        table: impl for<'t> Fn(&'t Loader<'l>) -> &'t NameTable<T>,
    ) -> Option<T> {
        let known = table(self.loader);
        if known.knows(name) {
            return known.get(name);
        }
        let kind = known.kind();
        let names = known.names();
        let help = did_you_mean(name, names.into_iter().chain(operators.iter().copied()));
        let diagnostic = unknown(kind, name, self.place(part), []);
        self.loader.diagnostics.push(match help {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        });
        None
    }

    fn terms(&mut self, parts: &[Sexp<'_>]) -> Option<Terms> {
        let read: Vec<Option<Term>> = parts.iter().map(|part| self.term(part)).collect();
        read.into_iter().collect()
    }

    /// Parses a variable, an object, or a type.
    fn term(&mut self, item: &Sexp<'_>) -> Option<Term> {
        let Some(atom) = item.as_atom() else {
            self.error(item.span(), "expected a variable or a name");
            return None;
        };
        let text = atom.text();
        if atom.kind() == AtomKind::Variable {
            let found = self.in_scope.iter().rev().find(|&&id| &*self.scope.get(id).name == text);
            if let Some(&id) = found {
                return Some(Term::Variable(id));
            }
            let known: Vec<String> = self.in_scope.iter().map(|&id| self.scope.get(id).name.to_string()).collect();
            let span = self.place(atom.span());
            self.loader.diagnostics.push(unknown("variable", text, span, known.iter().map(String::as_str)));
            return None;
        }
        // A symbol such as `blue` is the name of an object and of its type. The object takes precedence.
        if let Some(object) = self.loader.objects.get(text) {
            return Some(Term::Object(object));
        }
        if let Some(id) = self.loader.types.get(text) {
            return Some(Term::Type(id));
        }
        if !self.loader.objects.knows(text) && !self.loader.types.knows(text) {
            let known = [self.loader.objects.names(), self.loader.types.names()].concat();
            let diagnostic = unknown("object or type", text, self.place(atom.span()), known);
            self.loader.diagnostics.push(diagnostic);
        }
        None
    }
}
