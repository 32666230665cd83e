//! Compiler from lists of words to conditions.
//!
//! The releases compile the body of a quantifier once for each instance, so a body over an empty category is never examined;
//! its compiled body is an empty `and`.

use std::borrow::Cow;

use goalspec_core::condition::Origin;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;

use super::sexpr::repr_word;
use super::{Exception, ExceptionKind, Problem, SExpr, name};
use crate::ast::{self, Atom, Expr, ExprKind, Literal, Variable};
use crate::dialect::Release;

/// The scope of conditions: the declared instances and the predicates of the simulator.
#[derive(Debug, Clone)]
pub struct Scope<'a> {
    release: Release,
    /// The declared instances, in order of declaration.
    names: IndexSet<&'a str>,
    categories: IndexMap<&'a str, IndexSet<&'a str>>,
    arities: FxHashMap<&'a str, usize>,
}

impl<'a> Scope<'a> {
    /// Creates the scope of a problem; the predicates of `vocabulary` are those of the simulator backend.
    ///
    /// # Errors
    /// `TypeError` if an instance is a list.
    pub fn new(problem: &'a Problem, release: Release, vocabulary: &'a ast::Domain) -> Result<Self, Exception> {
        let mut scope = Self {
            release,
            names: IndexSet::new(),
            categories: IndexMap::new(),
            arities: vocabulary.predicates.iter().map(|decl| (&*decl.name.text, decl.parameters.len())).collect(),
        };
        for (category, instances) in &problem.objects {
            let known = scope.categories.entry(category).or_default();
            for instance in instances {
                let instance = instance.word().ok_or_else(Exception::unhashable)?;
                scope.names.insert(instance);
                known.insert(instance);
            }
        }
        Ok(scope)
    }

    /// Returns the instances of a category in the order in which quantifiers iterate over them.
    pub fn instances(&self, category: &str) -> impl Iterator<Item = &'a str> {
        let known = self.categories.get(category);
        self.names.iter().copied().filter(move |name| known.is_some_and(|known| known.contains(name)))
    }

    /// Returns the number of instances that a quantifier iterates over.
    fn count(&self, category: &SExpr) -> Result<usize, Exception> {
        if self.names.is_empty() {
            return Ok(0);
        }
        let category = category.word().ok_or_else(Exception::unhashable)?;
        let known = self.categories.get(category);
        Ok(known.ok_or_else(|| Exception::new(ExceptionKind::KeyError, repr_word(category)))?.len())
    }
}

/// Compiles the goal of a problem.
///
/// # Errors
/// The exception that the release raises: `IndexError` if the goal is empty, or those of [`compile`].
pub fn goal(problem: &Problem, scope: &Scope<'_>) -> Result<Vec<Expr>, Exception> {
    if is_missing(&problem.goal)? {
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
pub fn init(problem: &Problem, scope: &Scope<'_>) -> Result<Vec<Literal>, Exception> {
    if is_missing(&problem.init)? {
        return Ok(Vec::new());
    }
    let mut literals = Vec::with_capacity(problem.init.len());
    for condition in &problem.init {
        let parts = condition.parts();
        if parts.first().ok_or_else(Exception::index)?.word() == Some("inroom") {
            let words: Option<Vec<&str>> = parts[1..].iter().map(SExpr::word).collect();
            let atom = words.map(|words| atom("inroom", &words));
            literals.extend(atom.map(|atom| Literal { positive: true, atom }));
            continue;
        }
        let literal = Literal::from_condition(compile(condition, scope)?).ok_or_else(|| {
            let message = format!("{condition} is neither an atom nor the negation of one");
            Exception::new(ExceptionKind::NotImplementedError, message)
        })?;
        literals.push(literal);
    }
    Ok(literals)
}

/// Whether the releases treat conditions as absent: the first one is an empty list.
fn is_missing(conditions: &[SExpr]) -> Result<bool, Exception> {
    match conditions.first() {
        None => Err(Exception::index()),
        Some(first) => Ok(matches!(first, SExpr::List(items) if items.is_empty())),
    }
}

/// Compiles a condition as a release does: operators take precedence over predicates, and extra arguments of `not` are ignored.
///
/// # Errors
/// The exception that the release raises, such as `UnsupportedPredicateError`, `UncontrolledCategoryError` for an undeclared
/// name, `KeyError` for an undeclared category, or `AssertionError` for a wrong number of arguments.
pub fn compile(condition: &SExpr, scope: &Scope<'_>) -> Result<Expr, Exception> {
    let mut compiler = Compiler { scope, variables: Vec::new() };
    compiler.condition(condition)
}

struct Compiler<'a> {
    scope: &'a Scope<'a>,
    /// The variables of the enclosing quantifiers, innermost last.
    variables: Vec<String>,
}

/// A quantified variable, with the number of instances that it ranges over.
type Range = (Variable, usize);

impl Compiler<'_> {
    fn condition(&mut self, condition: &SExpr) -> Result<Expr, Exception> {
        let parts = condition.parts();
        let (head, body) = parts.split_first().ok_or_else(Exception::index)?;
        let head = head.word().ok_or_else(Exception::unhashable)?;
        let kind = match head {
            "and" => ExprKind::And(self.conditions(body)?),
            "or" => ExprKind::Or(self.conditions(body)?),
            "not" => ExprKind::Not(Box::new(self.condition(body.first().ok_or_else(Exception::index)?)?)),
            "imply" => {
                let [antecedent, consequent] = unpack(body)?;
                ExprKind::Imply(Box::new([self.condition(antecedent)?, self.condition(consequent)?]))
            }
            "forall" | "exists" => {
                let [range, body] = unpack(body)?;
                let range = self.range(range, true)?;
                let (variable, body) = self.over(range, body)?;
                if head == "forall" { ExprKind::Forall(variable, body) } else { ExprKind::Exists(variable, body) }
            }
            "forn" => {
                let [amount, range, body] = unpack(body)?;
                let amount = number(amount)?;
                let range = self.range(range, true)?;
                let (variable, body) = self.over(range, body)?;
                ExprKind::ForN { amount, variable, body }
            }
            "forpairs" => {
                let [left, right, body] = unpack(body)?;
                self.pairs(None, left, right, body)?
            }
            "fornpairs" => {
                let [amount, left, right, body] = unpack(body)?;
                let amount = number(amount)?;
                self.pairs(Some(amount), left, right, body)?
            }
            predicate => ExprKind::Atom(self.atom(predicate, body)?),
        };
        Ok(Expr { kind, origin: Origin::default() })
    }

    fn conditions(&mut self, parts: &[SExpr]) -> Result<Vec<Expr>, Exception> {
        parts.iter().map(|part| self.condition(part)).collect()
    }

    /// Compiles `(?V - C)`. Only in a quantifier with a single variable do the releases check the dash and look up the category
    /// at once.
    fn range(&self, range: &SExpr, single: bool) -> Result<Range, Exception> {
        let parts = range.parts();
        let [label, dash, category] = unpack(&parts)?;
        let label = stripped(label)?;
        if !single {
            return Ok((Variable { name: name(label), category: name(category.word().unwrap_or_default()) }, 0));
        }
        if dash.word() != Some("-") {
            return Err(Exception::new(ExceptionKind::AssertionError, "Middle was not a hyphen"));
        }
        let count = self.scope.count(category)?;
        Ok((Variable { name: name(label), category: name(category.word().unwrap_or_default()) }, count))
    }

    /// Compiles the body of a quantifier with one variable.
    fn over(&mut self, (variable, count): Range, body: &SExpr) -> Result<(Variable, Box<Expr>), Exception> {
        let body = self.within(&[&variable], count > 0, body)?;
        Ok((variable, body))
    }

    fn pairs(&mut self, amount: Option<u32>, left: &SExpr, right: &SExpr, body: &SExpr) -> Result<ExprKind, Exception> {
        let (row, _) = self.range(left, false)?;
        let (column, _) = self.range(right, false)?;
        let category = |range: &SExpr| range.parts()[2].clone();
        if self.scope.count(&category(left))? == 0 {
            // The release takes the length of the first row, which does not exist.
            return Err(Exception::index());
        }
        let columns = self.scope.count(&category(right))?;
        let cells = self.scope.instances(&row.category.text).any(|one| {
            let other = |name: &str| name != one;
            columns > 1 || self.scope.instances(&column.category.text).any(other)
        });
        let body = self.within(&[&row, &column], cells, body)?;
        Ok(ExprKind::ForPairs { amount, left: row, right: column, body })
    }

    fn within(&mut self, variables: &[&Variable], reached: bool, body: &SExpr) -> Result<Box<Expr>, Exception> {
        if !reached {
            return Ok(Box::new(Expr { kind: ExprKind::And(Vec::new()), origin: Origin::default() }));
        }
        let mark = self.variables.len();
        self.variables.extend(variables.iter().map(|variable| variable.name.text.to_string()));
        let body = self.condition(body);
        self.variables.truncate(mark);
        body.map(Box::new)
    }

    fn atom(&self, predicate: &str, body: &[SExpr]) -> Result<Atom, Exception> {
        let Some(&arity) = self.scope.arities.get(predicate) else {
            return Err(Exception::new(ExceptionKind::UnsupportedPredicateError, repr_word(predicate)));
        };
        if body.len() != arity {
            let category = match self.scope.release {
                Release::V1_0 => String::new(),
                Release::V3_6 => format!(" for predicate {predicate}"),
            };
            let plural = if arity == 1 { "" } else { "s" };
            let message = format!("Param list{category} should have {arity} arg{plural}");
            return Err(Exception::new(ExceptionKind::AssertionError, message));
        }
        let arguments = body.iter().map(stripped).collect::<Result<Vec<_>, _>>()?;
        for argument in &arguments {
            let known = self.scope.names.contains(argument) || self.variables.iter().any(|known| known == argument);
            if !known {
                let message = match self.scope.release {
                    Release::V1_0 => String::new(),
                    Release::V3_6 => repr_word(argument),
                };
                return Err(Exception::new(ExceptionKind::UncontrolledCategoryError, message));
            }
        }
        Ok(atom(predicate, &arguments))
    }
}

fn atom(predicate: &str, arguments: &[&str]) -> Atom {
    let arguments = arguments.iter().map(|argument| name(argument)).collect();
    Atom { predicate: name(predicate), arguments, origin: Origin::default() }
}

/// Returns a word without leading and trailing question marks.
fn stripped(term: &SExpr) -> Result<&str, Exception> {
    let word = term.word();
    let word =
        word.ok_or_else(|| Exception::new(ExceptionKind::AttributeError, "'list' object has no attribute 'strip'"));
    word.map(|word| word.trim_matches('?'))
}

/// Returns the parts if there are exactly `N`, or the exception of Python's unpacking.
fn unpack<const N: usize>(parts: &[SExpr]) -> Result<[&SExpr; N], Exception> {
    let found = parts.len();
    let all: Vec<&SExpr> = parts.iter().collect();
    all.try_into().map_err(|_| {
        let message = if found < N {
            format!("not enough values to unpack (expected {N}, got {found})")
        } else {
            format!("too many values to unpack (expected {N})")
        };
        Exception::new(ExceptionKind::ValueError, message)
    })
}

/// Parses the number of `(N)`, or the first digit of a bare number. A number that exceeds `u32` becomes `u32::MAX`.
fn number(amount: &SExpr) -> Result<u32, Exception> {
    let parts = amount.parts();
    let first: Cow<'_, str> = match parts.first().ok_or_else(Exception::index)? {
        SExpr::Word(word) => word.into(),
        SExpr::List(_) => {
            let message = "int() argument must be a string, a bytes-like object or a real number, not 'list'";
            return Err(Exception::new(ExceptionKind::TypeError, message));
        }
    };
    let (negative, unsigned) = match first.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, first.strip_prefix('+').unwrap_or(&first)),
    };
    let digits: String = unsigned.split('_').collect();
    let grouped = unsigned.split('_').all(|group| !group.is_empty());
    if !grouped || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let message = format!("invalid literal for int() with base 10: {}", repr_word(&first));
        return Err(Exception::new(ExceptionKind::ValueError, message));
    }
    let amount = digits.parse().unwrap_or(u32::MAX);
    if negative && amount > 0 {
        return Err(Exception::new(ExceptionKind::ValueError, "r must be non-negative"));
    }
    Ok(amount)
}
