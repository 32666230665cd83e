//! Lints: valid programs that are probably not intended, as far as the text alone shows.
//!
//! | module | contents |
//! |---|---|
//! | [`solvability`](fn@solvability) | lints for goals that cannot hold or hold initially |
//! | `witness` | construction of satisfying states without search |

mod solvability;
mod witness;

use goalspec_syntax::diagnostic::{Applicability, RelatedSpan};
use goalspec_syntax::{Code, Diagnostic, Fix, Severity, SourceFile};

use crate::ast::{Atom, Expr, ExprKind, Name, Problem, Variable};
use crate::codes;
use crate::diagnostics::at;
use crate::dialect::Dialect;
use crate::ground::CompactGoal;
use crate::parse::{self, ParseOutput};
use crate::resolve::WILDCARD;
use crate::symbols::SymbolTable;

pub use solvability::{has_witness, solvability};

/// Errors that leave the goal complete, with all its names, so that linting can continue.
const COMPLETE: [Code; 2] = [codes::UNKNOWN_DOMAIN, codes::WILDCARD_SCENE];

/// Parses a text and runs the lints, unless parts of the text could not be parsed.
pub fn check(source: &SourceFile, dialect: Dialect) -> ParseOutput {
    let ParseOutput { problems, domains, mut diagnostics } = parse::unresolved(source, dialect, &[]);
    let names: Vec<SymbolTable<'_>> = problems.iter().map(SymbolTable::of).collect();
    parse::resolve(&names, &domains, dialect, &[], &mut diagnostics);
    let found = declared(&names, &diagnostics, dialect);
    diagnostics.extend(found);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
    ParseOutput { problems, domains, diagnostics }
}

/// Runs the lints on the problems of a text with the parse diagnostics `reported`. Returns nothing if parts of the text could not
/// be parsed, since most lints need the whole text.
pub fn problems(problems: &[Problem], reported: &[Diagnostic], dialect: Dialect) -> Vec<Diagnostic> {
    let names: Vec<SymbolTable<'_>> = problems.iter().map(SymbolTable::of).collect();
    declared(&names, reported, dialect)
}

/// Runs the lints like [`problems`], on problems with symbol tables.
pub(crate) fn declared(problems: &[SymbolTable<'_>], reported: &[Diagnostic], dialect: Dialect) -> Vec<Diagnostic> {
    if reported.iter().any(|diagnostic| diagnostic.is_error() && !COMPLETE.contains(&diagnostic.code)) {
        return Vec::new();
    }
    let mut found: Vec<Diagnostic> = problems.iter().flat_map(findings).collect();
    // A condition that can never hold must be fixed before the goal as a whole is analysed.
    let never = |found: &Diagnostic| [codes::UNSATISFIABLE_COUNT, codes::EMPTY_CONNECTIVE].contains(&found.code);
    if !reported.iter().chain(&found).any(never) {
        found.extend(problems.iter().flat_map(|problem| decide(problem, dialect)));
    }
    found
}

/// Runs the solvability lints on the goal of a problem, or reports that it cannot be grounded.
fn decide(declared: &SymbolTable<'_>, dialect: Dialect) -> Vec<Diagnostic> {
    match CompactGoal::of(declared) {
        Ok(goal) => solvability::decide(declared.problem, &goal.conjuncts, &goal.initial_state(), dialect),
        Err(error) => {
            vec![at(error.origin, codes::UNDECIDED_GOAL, Severity::Note, error.to_string())]
        }
    }
}

/// Runs the lints on a problem that need no grounding. Unresolved names have no findings.
pub fn lint(problem: &Problem) -> Vec<Diagnostic> {
    findings(&SymbolTable::of(problem))
}

fn findings(declared: &SymbolTable<'_>) -> Vec<Diagnostic> {
    let mut linter = Linter { declared, variables: Vec::new(), diagnostics: Vec::new() };
    for literal in &declared.problem.init {
        linter.atom(&literal.atom);
    }
    for condition in &declared.problem.goal {
        linter.condition(condition);
    }
    linter.diagnostics
}

struct Linter<'a> {
    declared: &'a SymbolTable<'a>,
    /// The variables in scope, innermost last.
    variables: Vec<ScopedVariable<'a>>,
    diagnostics: Vec<Diagnostic>,
}

/// A variable in scope.
struct ScopedVariable<'a> {
    variable: &'a Variable,
    /// Whether the variable is universally quantified.
    every: bool,
    /// Whether the body of the quantifier uses the variable, or an instance that was probably meant to be the variable.
    used: bool,
    /// Whether a relation of the variable with an instance of its own category has been reported.
    met_itself: bool,
}

impl<'a> Linter<'a> {
    fn report(&mut self, code: Code, severity: Severity, name: &Name, message: String) -> &mut Diagnostic {
        self.diagnostics.push_mut(at(name.origin, code, severity, message))
    }

    fn condition(&mut self, condition: &'a Expr) {
        match &condition.kind {
            ExprKind::Atom(atom) => return self.atom(atom),
            ExprKind::ForN { amount, variable, .. } => self.counting(*amount, variable),
            ExprKind::ForPairs { amount, left, right, .. } => self.pairing(*amount, left, right),
            _ => {}
        }
        let every = matches!(condition.kind, ExprKind::Forall(..));
        let mark = self.variables.len();
        let bound = |variable| ScopedVariable { variable, every, used: false, met_itself: false };
        self.variables.extend(condition.variables().map(bound));
        condition.operands().iter().for_each(|part| self.condition(part));
        for place in mark..self.variables.len() {
            let ScopedVariable { variable, used, .. } = self.variables[place];
            if !used {
                let message = format!("unused variable `{}`", variable.name.text);
                self.report(codes::UNUSED_VARIABLE, Severity::Warning, &variable.name, message);
            }
        }
        self.variables.truncate(mark);
    }

    /// Returns the number of instances of a category, if known.
    fn count(&self, category: &Name) -> Option<usize> {
        self.declared.count(&category.text)
    }

    /// Lints `forn`: the simulators count exactly N, the documentation says at least N.
    fn counting(&mut self, amount: u32, variable: &Variable) {
        let Some(count) = self.count(&variable.category) else { return };
        let category = &variable.category;
        if amount as usize > count {
            let message = format!("requires {amount} of `{}`, but only {count} are declared", category.text);
            self.report(codes::UNSATISFIABLE_COUNT, Severity::Warning, category, message);
        } else if (amount as usize) < count {
            let message =
                format!("`forn` is evaluated as exactly {amount} of {count}, but documented as at least {amount}");
            let help = "use `exists` and `forall`, or select the semantics with `--quantifiers`";
            self.report(codes::AMBIGUOUS_FORN, Severity::Note, category, message).help.push(help.to_owned());
        }
    }

    /// Lints `forpairs` and `fornpairs`: the simulators count rows and columns, the documentation says pairs.
    ///
    /// The two semantics agree for up to two pairs. By König's theorem, two rows and two columns with true cells always contain
    /// two disjoint pairs: otherwise a single row or column would contain all true cells. If both sides have the same category,
    /// however, the releases number columns by position, which makes a difference from three instances on.
    fn pairing(&mut self, amount: Option<u32>, left: &Variable, right: &Variable) {
        let (Some(rows), Some(columns)) = (self.count(&left.category), self.count(&right.category)) else { return };
        let same_category = left.category.text == right.category.text;
        let max = rows.min(if same_category { columns.saturating_sub(1) } else { columns });
        let required = amount.map_or(max, |amount| amount as usize);
        if required > max {
            let message = format!("requires {required} pairs, but the declared objects form at most {max}");
            self.report(codes::UNSATISFIABLE_COUNT, Severity::Warning, &left.category, message);
        } else if required > 2 || same_category && rows > 2 {
            let message = format!(
                "evaluated as {required} of `{}` and {required} of `{}` with a partner, but documented as {required} pairs",
                left.category.text, right.category.text
            );
            self.report(codes::AMBIGUOUS_PAIRS, Severity::Note, &left.category, message);
        }
    }

    fn atom(&mut self, atom: &'a Atom) {
        for argument in &atom.arguments {
            if let Some(bound) = self.variables.iter_mut().rev().find(|bound| bound.variable.name == *argument) {
                bound.used = true;
            }
        }
        for argument in &atom.arguments {
            self.instance(atom, argument);
        }
        if let [one, other] = &atom.arguments[..] {
            self.relation(atom, one, other);
        }
    }

    /// Lints an instance inside a quantifier over its own category.
    fn instance(&mut self, atom: &Atom, argument: &Name) {
        if self.variables.is_empty() || self.bound(argument).is_some() || argument.text.ends_with(WILDCARD) {
            return;
        }
        let Some(category) = self.declared.category_of_object(&argument.text) else { return };
        let ranges = |bound: &ScopedVariable<'_>| *bound.variable.category.text == *category;
        let Some(position) = self.variables.iter().rposition(ranges) else { return };
        let bound = &mut self.variables[position];
        let variable = bound.variable;
        let is_variable = |name: &Name| *name == variable.name;
        if atom.arguments.iter().any(is_variable) {
            if !std::mem::replace(&mut bound.met_itself, true) {
                let message = format!("`{}` also takes the value `{}` here", variable.name.text, argument.text);
                let found = self.report(codes::SELF_RELATION, Severity::Note, argument, message);
                found.related.push(here(&variable.name, "ranges over all instances"));
            }
            return;
        }
        // The variable is unused as a consequence, which is not reported separately.
        bound.used = true;
        let message =
            format!("`{}` is a fixed instance in a quantifier over all of `{}`", argument.text, variable.category.text);
        let replacement = format!("?{}", variable.name.text);
        let found = self.report(codes::INSTANCE_FOR_VARIABLE, Severity::Warning, argument, message);
        found.help.push(format!("did you mean the variable `{replacement}`?"));
        found.related.push(here(&variable.name, "quantified here"));
        let title = format!("replace with `{replacement}`");
        found.fixes.push(Fix::replace(title, Applicability::Unsafe, argument.origin.0, replacement));
    }

    fn bound(&self, name: &Name) -> Option<&ScopedVariable<'a>> {
        self.variables.iter().rev().find(|bound| bound.variable.name == *name)
    }

    /// Lints a relation of an object with itself.
    fn relation(&mut self, atom: &Atom, one: &Name, other: &Name) {
        let both_every = self
            .bound(one)
            .zip(self.bound(other))
            .is_some_and(|(one, other)| one.every && other.every && one.variable.category == other.variable.category);
        let message = if one == other {
            format!("`{}` relates `{}` to itself", atom.predicate.text, one.text)
        } else if both_every {
            format!("`{}` and `{}` also take the same value here", one.text, other.text)
        } else {
            return;
        };
        let help = "exclude this case: no object is inside, on or next to itself";
        self.report(codes::SELF_RELATION, Severity::Warning, other, message).help.push(help.to_owned());
    }
}

fn here(name: &Name, message: &str) -> RelatedSpan {
    RelatedSpan { span: name.origin.0, message: message.to_owned() }
}
