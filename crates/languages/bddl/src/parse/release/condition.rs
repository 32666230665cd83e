//! Compiler from lists of words to conditions.
//!
//! The releases compile the body of a quantifier once for each instance, so a body over an empty category is never examined;
//! its compiled body is an empty `and`.

use goalspec_syntax::Span;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;

use super::sexpr::repr_word;
use super::{ReleaseProblem, SExpr, name};
use crate::ast::{self, Atom, Expr, ExprKind, Literal, Name, Variable};
use crate::dialect::Release;
use crate::exception::{Exception, ExceptionKind};
use crate::parse::keywords::Operator;
use crate::resolve::INROOM;

/// The scope of conditions: the declared instances and the predicates of the simulator.
#[derive(Debug, Clone)]
pub struct ReleaseScope<'a> {
    release: Release,
    /// The declared instances, in order of declaration.
    names: IndexSet<&'a str>,
    /// The instances of each category in the order of `names`, with the spans of their first declarations in the category.
    categories: IndexMap<&'a str, IndexMap<&'a str, Span>>,
    arities: FxHashMap<&'a str, usize>,
}

impl<'a> ReleaseScope<'a> {
    /// Creates the scope of a problem; the predicates of `vocabulary` are those of the simulator backend.
    ///
    /// # Errors
    /// `TypeError` if an instance is a list.
    pub fn new(problem: &'a ReleaseProblem, release: Release, vocabulary: &'a ast::Domain) -> Result<Self, Exception> {
        let mut scope = Self {
            release,
            names: IndexSet::new(),
            categories: IndexMap::new(),
            arities: vocabulary.predicates.iter().map(|decl| (&*decl.name.text, decl.parameters.len())).collect(),
        };
        for (category, declared) in &problem.objects {
            let known = scope.categories.entry(category).or_default();
            for instance in &declared.instances {
                let span = instance.span();
                let instance = instance.word().ok_or_else(|| Exception::unhashable().with_span(span))?;
                scope.names.insert(instance);
                known.entry(instance).or_insert(span);
            }
        }
        let names = &scope.names;
        for instances in scope.categories.values_mut() {
            instances.sort_by_cached_key(|instance, _| names.get_index_of(instance));
        }
        Ok(scope)
    }

    /// Returns the instances of a category in the order in which quantifiers iterate over them, each with the span of its
    /// declaration.
    pub fn instances(&self, category: &str) -> impl Iterator<Item = (&'a str, Span)> {
        self.categories.get(category).into_iter().flatten().map(|(&name, &span)| (name, span))
    }

    /// Whether there are an instance of `left` and another instance of `right`.
    fn has_distinct_pair(&self, left: &str, right: &str) -> bool {
        let first_two = |category| {
            let mut instances = self.instances(category).map(|(instance, _)| instance);
            [instances.next(), instances.next()]
        };
        match (first_two(left), first_two(right)) {
            ([None, _], _) | (_, [None, _]) => false,
            ([one, None], [other, None]) => one != other,
            _ => true,
        }
    }

    /// Returns the number of instances that a quantifier iterates over.
    fn count(&self, category: &SExpr) -> Result<usize, Exception> {
        if self.names.is_empty() {
            return Ok(0);
        }
        let span = category.span();
        let category = category.word().ok_or_else(|| Exception::unhashable().with_span(span))?;
        let known = self.categories.get(category);
        let unknown = || Exception::new(ExceptionKind::KeyError, repr_word(category)).with_span(span);
        Ok(known.ok_or_else(unknown)?.len())
    }
}

/// Compiles the goal of a problem.
///
/// # Errors
/// The exception that the release raises: `IndexError` if the goal is empty, or those of [`compile`].
pub fn goal(problem: &ReleaseProblem, scope: &ReleaseScope<'_>) -> Result<Vec<Expr>, Exception> {
    if is_missing(&problem.goal).map_err(|exception| exception.with_span(problem.goal_section))? {
        return Ok(Vec::new());
    }
    problem.goal.iter().map(|condition| compile(condition, scope)).collect()
}

/// Compiles the initial conditions of a problem. The result includes atoms of `inroom`, which the releases set aside without
/// checking them.
///
/// # Errors
/// The exception that the release raises: `IndexError` if there are no initial conditions, or those of [`compile`]. Also
/// `NotImplementedError` for a condition that is neither an atom nor a negated atom.
pub fn init(problem: &ReleaseProblem, scope: &ReleaseScope<'_>) -> Result<Vec<Literal>, Exception> {
    if is_missing(&problem.init).map_err(|exception| exception.with_span(problem.head))? {
        return Ok(Vec::new());
    }
    let mut literals = Vec::with_capacity(problem.init.len());
    for condition in &problem.init {
        let head = condition.first().ok_or_else(|| Exception::index().with_span(condition.span()))?;
        let literal = if head.word() == Some(INROOM) {
            room_atom(condition, head.span())
        } else {
            Literal::from_condition(compile(condition, scope)?)
        };
        literals.push(literal.ok_or_else(|| {
            let message = format!("{condition} is neither an atom nor the negation of one");
            Exception::new(ExceptionKind::NotImplementedError, message).with_span(condition.span())
        })?);
    }
    Ok(literals)
}

/// Returns an atom of `inroom`, whose arguments are not checked; `None` if one of them is a list.
fn room_atom(condition: &SExpr, head: Span) -> Option<Literal> {
    let parts = condition.parts();
    let arguments: Option<Vec<Name>> = parts[1..].iter().map(|term| Some(name(term.word()?, term.span()))).collect();
    let atom = Atom { predicate: name(INROOM, head), arguments: arguments?, origin: condition.span().into() };
    Some(Literal { positive: true, atom })
}

/// Whether the releases treat conditions as absent: the first one is an empty list.
fn is_missing(conditions: &[SExpr]) -> Result<bool, Exception> {
    match conditions.first() {
        None => Err(Exception::index()),
        Some(first) => Ok(matches!(first, SExpr::List(items, _) if items.is_empty())),
    }
}

/// Compiles a condition as a release does: operators take precedence over predicates, and extra arguments of `not` are ignored.
///
/// # Errors
/// The exception that the release raises, such as `UnsupportedPredicateError`, `UncontrolledCategoryError` for an undeclared
/// name, `KeyError` for an undeclared category, or `AssertionError` for a wrong number of arguments.
pub fn compile(condition: &SExpr, scope: &ReleaseScope<'_>) -> Result<Expr, Exception> {
    let mut compiler = Compiler { scope, variables: Vec::new() };
    compiler.condition(condition)
}

struct Compiler<'a> {
    scope: &'a ReleaseScope<'a>,
    /// The variables of the enclosing quantifiers, innermost last.
    variables: Vec<String>,
}

impl Compiler<'_> {
    fn condition(&mut self, condition: &SExpr) -> Result<Expr, Exception> {
        let span = condition.span();
        let kind = self.kind(condition).map_err(|exception| exception.with_span(span))?;
        Ok(Expr { kind, origin: span.into() })
    }

    fn kind(&mut self, condition: &SExpr) -> Result<ExprKind, Exception> {
        let head = condition.first().ok_or_else(Exception::index)?;
        let word = head.word().ok_or_else(|| Exception::unhashable().with_span(head.span()))?;
        let Some(operator) = Operator::from_word(word) else {
            return Ok(ExprKind::Atom(self.atom(condition, word, head.span())?));
        };
        let parts = condition.parts();
        let body = &parts[1..];
        Ok(match operator {
            Operator::And => ExprKind::And(self.conditions(body)?),
            Operator::Or => ExprKind::Or(self.conditions(body)?),
            Operator::Not => ExprKind::Not(Box::new(self.condition(body.first().ok_or_else(Exception::index)?)?)),
            Operator::Imply => {
                let [antecedent, consequent] = unpack(body)?;
                ExprKind::Imply(Box::new([self.condition(antecedent)?, self.condition(consequent)?]))
            }
            Operator::Forall | Operator::Exists => {
                let [range, body] = unpack(body)?;
                let (variable, body) = self.over(range, body)?;
                if operator == Operator::Forall {
                    ExprKind::Forall(variable, body)
                } else {
                    ExprKind::Exists(variable, body)
                }
            }
            Operator::ForN => {
                let [amount, range, body] = unpack(body)?;
                let amount = number(amount)?;
                let (variable, body) = self.over(range, body)?;
                ExprKind::ForN { amount, variable, body }
            }
            Operator::ForPairs => {
                let [left, right, body] = unpack(body)?;
                self.pairs(None, left, right, body)?
            }
            Operator::ForNPairs => {
                let [amount, left, right, body] = unpack(body)?;
                let amount = number(amount)?;
                self.pairs(Some(amount), left, right, body)?
            }
        })
    }

    fn conditions(&mut self, parts: &[SExpr]) -> Result<Vec<Expr>, Exception> {
        parts.iter().map(|part| self.condition(part)).collect()
    }

    /// Compiles a quantifier with one variable: its range and its body. Here the releases check the dash and look up the
    /// category at once.
    fn over(&mut self, range: &SExpr, body: &SExpr) -> Result<(Variable, Box<Expr>), Exception> {
        let Range { variable, dash, category } = Range::of(range)?;
        if dash.word() != Some("-") {
            return Err(Exception::new(ExceptionKind::AssertionError, "Middle was not a hyphen").with_span(dash.span()));
        }
        let count = self.scope.count(&category)?;
        let body = self.within(&[&variable], count > 0, body)?;
        Ok((variable, body))
    }

    /// Compiles a quantifier with two variables. Here the releases ignore the dashes, and look up the categories last.
    fn pairs(&mut self, amount: Option<u32>, left: &SExpr, right: &SExpr, body: &SExpr) -> Result<ExprKind, Exception> {
        let (row, column) = (Range::of(left)?, Range::of(right)?);
        if self.scope.count(&row.category)? == 0 {
            // The release takes the length of the first row, which does not exist.
            return Err(Exception::index().with_span(row.category.span()));
        }
        self.scope.count(&column.category)?;
        let (left, right) = (row.variable, column.variable);
        let cells = self.scope.has_distinct_pair(&left.category.text, &right.category.text);
        let body = self.within(&[&left, &right], cells, body)?;
        Ok(ExprKind::ForPairs { amount, left, right, body })
    }

    /// Compiles the body of a quantifier, which the release examines only if it is `reached` by some instance.
    fn within(&mut self, variables: &[&Variable], reached: bool, body: &SExpr) -> Result<Box<Expr>, Exception> {
        if !reached {
            return Ok(Box::new(Expr { kind: ExprKind::And(Vec::new()), origin: body.span().into() }));
        }
        let mark = self.variables.len();
        self.variables.extend(variables.iter().map(|variable| variable.name.text.to_string()));
        let body = self.condition(body);
        self.variables.truncate(mark);
        body.map(Box::new)
    }

    /// Compiles the application of a predicate; `span` is that of its name.
    fn atom(&self, condition: &SExpr, predicate: &str, span: Span) -> Result<Atom, Exception> {
        let release = self.scope.release;
        let Some(&arity) = self.scope.arities.get(predicate) else {
            let exception = Exception::new(ExceptionKind::UnsupportedPredicateError, repr_word(predicate));
            return Err(exception.with_span(span));
        };
        if condition.len() != arity + 1 {
            return Err(argument_count(release, predicate, arity));
        }
        let parts = condition.parts();
        let body = &parts[1..];
        let arguments = body.iter().map(stripped).collect::<Result<Vec<_>, _>>()?;
        for (argument, term) in arguments.iter().zip(body) {
            let known = self.scope.names.contains(argument) || self.variables.iter().any(|known| known == argument);
            if !known {
                return Err(unknown_name(release, argument).with_span(term.span()));
            }
        }
        let arguments = arguments.iter().zip(body).map(|(argument, term)| name(argument, term.span())).collect();
        Ok(Atom { predicate: name(predicate, span), arguments, origin: condition.span().into() })
    }
}

/// A range `(?V - C)` of a quantified variable.
struct Range {
    variable: Variable,
    /// The item in place of the dash.
    dash: SExpr,
    /// The item in place of the category; the category of the variable is empty if this is a list.
    category: SExpr,
}

impl Range {
    fn of(range: &SExpr) -> Result<Self, Exception> {
        if range.len() != 3 {
            return Err(part_count(3, range.len()).with_span(range.span()));
        }
        let parts = range.parts();
        let [label, dash, category] = unpack(&parts)?;
        let variable = Variable {
            name: name(stripped(label)?, label.span()),
            category: name(category.word().unwrap_or_default(), category.span()),
        };
        Ok(Self { variable, dash: dash.clone(), category: category.clone() })
    }
}

/// Returns the exception for a wrong number of arguments, whose message names the predicate only in 3.6.0.
fn argument_count(release: Release, predicate: &str, arity: usize) -> Exception {
    let place = match release {
        Release::V1_0 => String::new(),
        Release::V3_6 => format!(" for predicate {predicate}"),
    };
    let plural = if arity == 1 { "" } else { "s" };
    Exception::new(ExceptionKind::AssertionError, format!("Param list{place} should have {arity} arg{plural}"))
}

/// Returns the exception for an undeclared name, whose message contains the name only in 3.6.0.
fn unknown_name(release: Release, name: &str) -> Exception {
    let message = match release {
        Release::V1_0 => String::new(),
        Release::V3_6 => repr_word(name),
    };
    Exception::new(ExceptionKind::UncontrolledCategoryError, message)
}

/// Returns a word without leading and trailing question marks.
fn stripped(term: &SExpr) -> Result<&str, Exception> {
    let message = "'list' object has no attribute 'strip'";
    let word = term.word().ok_or_else(|| Exception::new(ExceptionKind::AttributeError, message).with_span(term.span()));
    word.map(|word| word.trim_matches('?'))
}

/// Returns the parts if there are exactly `N`, or the exception of Python's unpacking.
fn unpack<const N: usize>(parts: &[SExpr]) -> Result<&[SExpr; N], Exception> {
    parts.try_into().map_err(|_| part_count(N, parts.len()))
}

/// Returns the exception of Python's unpacking for a wrong number of parts.
fn part_count(expected: usize, found: usize) -> Exception {
    let message = if found < expected {
        format!("not enough values to unpack (expected {expected}, got {found})")
    } else {
        format!("too many values to unpack (expected {expected})")
    };
    Exception::new(ExceptionKind::ValueError, message)
}

/// Parses the number of `(N)`, or the first digit of a bare number. A number that exceeds `u32` becomes `u32::MAX`.
fn number(amount: &SExpr) -> Result<u32, Exception> {
    let first = amount.first().ok_or_else(Exception::index);
    first.and_then(|first| integer(&first)).map_err(|exception| exception.with_span(amount.span()))
}

/// Parses a non-negative number as Python's `int` does.
fn integer(text: &SExpr) -> Result<u32, Exception> {
    let Some(text) = text.word() else {
        let message = "int() argument must be a string, a bytes-like object or a real number, not 'list'";
        return Err(Exception::new(ExceptionKind::TypeError, message));
    };
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits: String = unsigned.split('_').collect();
    let grouped = unsigned.split('_').all(|group| !group.is_empty());
    if !grouped || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let message = format!("invalid literal for int() with base 10: {}", repr_word(text));
        return Err(Exception::new(ExceptionKind::ValueError, message));
    }
    let amount = digits.parse().unwrap_or(u32::MAX);
    if negative && amount > 0 {
        return Err(Exception::new(ExceptionKind::ValueError, "r must be non-negative"));
    }
    Ok(amount)
}
