//! Checks of names and predicates in `:goal`.

use goalspec_syntax::Severity;
use goalspec_syntax::diagnostic::{Applicability, Edit, Fix};
use rustc_hash::FxHashMap;

use super::findings::{Findings, quoted};
use super::resolved::{Referent, ResolvedProblem};
use super::status::Check;
use crate::ast::{Domain, Name, Variable};
use crate::codes;
use crate::diagnostics::at;

/// Checks that quantified variables are named after their categories, and that the categories are declared.
pub(super) fn variables(resolved: &ResolvedProblem<'_>, findings: &mut Findings) {
    let named_otherwise = |(variable, _): &(&Variable, bool)| variable.name.text != variable.category.text;
    let uses = resolved.variables.iter().any(named_otherwise).then(|| Uses::of(resolved));
    for &(variable, declared) in &resolved.variables {
        if !declared {
            // The resolver reports the undeclared category.
            findings.fail(&[Check::SameObjects, Check::Compiles]);
        }
        if variable.name.text != variable.category.text {
            let (name, category) = (quoted(&variable.name), quoted(&variable.category));
            let message = format!("the variable {name} is not named after its category {category}");
            let diagnostic = at(variable.name.origin, codes::VARIABLE_NAME, Severity::Warning, message);
            let help = format!("rename it to `?{}`, here and where it is used", variable.category.text);
            let checks = [Check::SameObjects, Check::KnownSynsets, Check::Applicable];
            let diagnostic = diagnostic.with_help(help);
            findings.report(
                &checks,
                match uses.as_ref().and_then(|uses| uses.renaming(variable)) {
                    Some(fix) => diagnostic.with_fix(fix),
                    None => diagnostic,
                },
            );
        }
    }
}

/// The occurrences of variable names in the goal.
struct Uses<'a> {
    /// The number of quantifiers that bind a variable with this name.
    quantifiers: FxHashMap<&'a str, usize>,
    /// The terms that refer to a variable with this name.
    terms: FxHashMap<&'a str, Vec<&'a Name>>,
}

impl<'a> Uses<'a> {
    fn of(resolved: &ResolvedProblem<'a>) -> Self {
        let mut uses = Self { quantifiers: FxHashMap::default(), terms: FxHashMap::default() };
        for (variable, _) in &resolved.variables {
            *uses.quantifiers.entry(&variable.name.text).or_default() += 1;
        }
        for term in resolved.goal.iter().flat_map(|goal| &goal.terms).filter(|term| term.referent == Referent::Variable)
        {
            uses.terms.entry(&term.name.text).or_default().push(term.name);
        }
        uses
    }

    /// Returns a fix that renames a variable to its category, if no other variable of the goal has either name.
    fn renaming(&self, variable: &Variable) -> Option<Fix> {
        let (old, new) = (&*variable.name.text, &*variable.category.text);
        let quantifiers = |name| self.quantifiers.get(name).copied().unwrap_or_default();
        if quantifiers(old) != 1 || quantifiers(new) != 0 {
            return None;
        }
        let terms = self.terms.get(old).into_iter().flatten().copied();
        let edit = |name: &Name| Edit { span: name.origin.0, replacement: format!("?{new}") };
        let edits = std::iter::once(&variable.name).chain(terms).map(edit).collect();
        Some(Fix { title: format!("rename to `?{new}`"), applicability: Applicability::Safe, edits })
    }
}

/// Checks that every term of the goal is resolved. The resolver reports those that are not.
pub(super) fn terms(resolved: &ResolvedProblem<'_>, findings: &mut Findings) {
    let unknown = |name: &str| !resolved.has_category(name);
    for term in resolved.goal.iter().flat_map(|goal| &goal.terms).filter(|term| term.referent == Referent::Unresolved) {
        findings.fail(&[Check::Compiles]);
        if unknown(&term.name.text) {
            findings.fail(&[Check::SameObjects]);
        }
    }
}

/// Checks that every predicate belongs to the domain and has the declared arity. The resolver reports those that do not.
pub(super) fn predicates(resolved: &ResolvedProblem<'_>, domain: Option<&Domain>, findings: &mut Findings) {
    let Some(domain) = domain else {
        return findings.skip(Check::KnownPredicates);
    };
    let find = |name: &&str| domain.predicates.iter().find(|declared| *declared.name.text == **name);
    let declared: Vec<_> = resolved.predicates.iter().map(find).collect();
    for used in resolved.atoms() {
        match declared[used.predicate] {
            None => findings.fail(&[Check::KnownPredicates, Check::Compiles, Check::Applicable]),
            Some(declared) if declared.parameters.len() != used.atom.arguments.len() => {
                findings.fail(&[Check::Compiles, Check::Applicable]);
            }
            Some(_) => {}
        }
    }
}
