//! Checks of `(:requirements ..)`: inference of the required features, and diagnostics for missing and superfluous
//! requirements.

use std::collections::BTreeSet;

use goalspec_core::condition::ComparisonOperator;
use goalspec_core::planning::task::AssignmentOperator;
use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::{Diagnostic, Fix, Span};

use crate::ast::{Domain, EffectKind, ExprKind, Formula, FormulaKind, InitEntry, Problem, Requirements};
use crate::check::CheckedDomain;
use crate::lint::codes;
use crate::walk::{self, Node};

/// The requirements of PDDL 1.2 to 3.1.
pub const REQUIREMENTS: [&str; 23] = [
    ":strips",
    ":typing",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":equality",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":conditional-effects",
    ":fluents",
    ":numeric-fluents",
    ":object-fluents",
    ":adl",
    ":durative-actions",
    ":duration-inequalities",
    ":continuous-effects",
    ":derived-predicates",
    ":timed-initial-literals",
    ":preferences",
    ":constraints",
    ":action-costs",
    ":goal-utilities",
    ":domain-axioms",
];

/// The requirements that a problem cannot need unless its domain does, so that a domain alone shows whether they are needed.
const DOMAIN_ONLY: [&str; 10] = [
    ":typing",
    ":conditional-effects",
    ":derived-predicates",
    ":durative-actions",
    ":duration-inequalities",
    ":continuous-effects",
    ":domain-axioms",
    ":numeric-fluents",
    ":fluents",
    ":action-costs",
];

/// Returns the requirements implied by a requirement, including itself.
fn implied(requirement: &str) -> Vec<&str> {
    match requirement {
        ":adl" => vec![
            ":adl",
            ":strips",
            ":typing",
            ":negative-preconditions",
            ":disjunctive-preconditions",
            ":equality",
            ":existential-preconditions",
            ":universal-preconditions",
            ":conditional-effects",
        ],
        ":quantified-preconditions" => {
            vec![":quantified-preconditions", ":existential-preconditions", ":universal-preconditions"]
        }
        ":fluents" => vec![":fluents", ":numeric-fluents", ":object-fluents", ":action-costs"],
        ":numeric-fluents" => vec![":numeric-fluents", ":action-costs"],
        ":domain-axioms" => vec![":domain-axioms", ":derived-predicates"],
        ":timed-initial-literals" => vec![":timed-initial-literals", ":durative-actions"],
        own => vec![own],
    }
}

/// Returns the declared requirements with those that they imply; `None` without a section `(:requirements ..)`.
pub fn covered(declared: &Requirements) -> Option<BTreeSet<&str>> {
    declared.span?;
    Some(declared.names.iter().flat_map(|name| implied(name.text())).collect())
}

/// The requirements that a definition needs, each with the span of its first use.
#[derive(Debug, Default)]
struct NeededRequirements {
    list: Vec<(&'static str, Span)>,
    /// Whether the current action is durative.
    durative: bool,
    /// Whether the current formula is a constraint.
    constraints: bool,
}

impl NeededRequirements {
    fn add(&mut self, requirement: &'static str, span: Span) {
        if !self.list.iter().any(|(known, _)| *known == requirement) {
            self.list.push((requirement, span));
        }
    }

    fn node(&mut self, node: Node<'_>) {
        match node {
            Node::Formula(formula) => self.formula(formula),
            Node::Groups(groups) => {
                if let Some(type_ref) = groups.iter().find_map(|group| group.type_ref.as_ref()) {
                    self.add(":typing", type_ref.span);
                }
            }
            Node::Effect(effect) => match &effect.kind {
                EffectKind::Forall(..) | EffectKind::When(..) => self.add(":conditional-effects", effect.span),
                EffectKind::Assign(operator, function, value) => {
                    let is_cost = *operator == AssignmentOperator::Increase
                        && function.name.text() == "total-cost"
                        && matches!(value.kind, ExprKind::Number(_) | ExprKind::Call(_));
                    self.add(if is_cost { ":action-costs" } else { ":numeric-fluents" }, effect.span);
                }
                _ => {}
            },
            Node::Expr(expr) => {
                if matches!(&expr.kind, ExprKind::Name(name) if name.text() == "#t") {
                    self.add(":continuous-effects", expr.span);
                }
            }
        }
    }

    fn formula(&mut self, formula: &Formula) {
        let span = formula.span;
        match &formula.kind {
            FormulaKind::Compare(..) if is_equality(formula) => self.add(":equality", span),
            FormulaKind::Compare(comparison, sides) => {
                let duration =
                    |side: &crate::ast::Expr| matches!(&side.kind, ExprKind::Name(name) if name.text() == "?duration");
                if !(self.durative && sides.iter().any(duration)) {
                    self.add(":numeric-fluents", span);
                } else if *comparison != ComparisonOperator::Equal {
                    self.add(":duration-inequalities", span);
                }
            }
            FormulaKind::Not(body) if matches!(body.kind, FormulaKind::Atom(_)) || is_equality(body) => {
                self.add(":negative-preconditions", span);
            }
            FormulaKind::Not(_) | FormulaKind::Or(_) | FormulaKind::Imply(_) => {
                self.add(":disjunctive-preconditions", span);
            }
            FormulaKind::Forall(..) if !self.constraints => self.add(":universal-preconditions", span),
            FormulaKind::Exists(..) => self.add(":existential-preconditions", span),
            FormulaKind::Preference(..) => self.add(":preferences", span),
            FormulaKind::Trajectory(..) => self.add(":constraints", span),
            FormulaKind::Timed(..) if self.constraints => self.add(":constraints", span),
            FormulaKind::Atom(_) | FormulaKind::And(_) | FormulaKind::Forall(..) | FormulaKind::Timed(..) => {}
        }
    }

    /// Returns the needs that the declared requirements do not cover.
    fn missing(&self, declared: &[&Requirements]) -> Vec<(&'static str, Span)> {
        let names = declared.iter().flat_map(|requirements| &requirements.names);
        let covered: Vec<&str> = names.flat_map(|name| implied(name.text())).collect();
        self.list.iter().filter(|(need, _)| !covered.contains(need)).copied().collect()
    }
}

/// Whether a formula is an equality of objects.
fn is_equality(formula: &Formula) -> bool {
    let FormulaKind::Compare(ComparisonOperator::Equal, sides) = &formula.kind else { return false };
    sides.iter().all(|side| matches!(&side.kind, ExprKind::Name(name) if name.text() != "?duration"))
}

/// Returns the requirements that a domain needs, each with the span of its first use.
pub fn domain_requirements(domain: &Domain) -> Vec<(&'static str, Span)> {
    of_domain(domain).list
}

/// Returns the requirements that a problem needs, each with the span of its first use.
pub fn problem_requirements(problem: &Problem) -> Vec<(&'static str, Span)> {
    of_problem(problem).list
}

/// Computes the needs of a domain.
fn of_domain(domain: &Domain) -> NeededRequirements {
    let mut requirements = NeededRequirements::default();
    if let Some(first) = domain.types.iter().flatten().flat_map(|group| &group.names).next() {
        requirements.add(":typing", first.span);
    }
    for action in &domain.actions {
        requirements.durative = action.duration.is_some();
        if requirements.durative {
            requirements.add(":durative-actions", action.name.span);
        }
        walk::action(action, &mut |node| requirements.node(node));
    }
    requirements.durative = false;
    walk::declarations(domain, &mut |node| requirements.node(node));
    if let Some(rule) = domain.derived.first() {
        requirements.add(":derived-predicates", rule.span);
    }
    if let Some(function) = domain.functions.first() {
        requirements.add(":action-costs", function.span);
    }
    requirements.constraints = true;
    if let Some(constraints) = &domain.constraints {
        requirements.add(":constraints", constraints.span);
        walk::formula(constraints, &mut |node| requirements.node(node));
    }
    requirements
}

/// Returns the diagnostics for missing and superfluous requirements of a domain.
pub(crate) fn check_domain(domain: &Domain) -> Vec<Diagnostic> {
    let requirements = of_domain(domain);
    let missing = requirements.missing(&[&domain.requirements]);
    let mut found: Vec<Diagnostic> =
        report(&missing, &domain.requirements, domain.header, "the domain", true).into_iter().collect();
    let needed = |name: &str| implied(name).iter().any(|part| requirements.list.iter().any(|(need, _)| need == part));
    for (place, name) in domain.requirements.names.iter().enumerate() {
        if DOMAIN_ONLY.contains(&name.text()) && !needed(name.text()) {
            let message = format!("unused requirement `{}`", name.written());
            found.push(superfluous(&domain.requirements, place, message));
        }
    }
    found
}

/// Returns the diagnostic for a superfluous requirement.
fn superfluous(requirements: &Requirements, place: usize, message: String) -> Diagnostic {
    let name = &requirements.names[place];
    let before = match place.checked_sub(1) {
        Some(before) => Some(requirements.names[before].span.end),
        None => requirements.span.map(|section| section.start + "(:requirements".len() as u32),
    };
    // A single blank in front is removed as well.
    let start = before.filter(|before| before + 1 == name.span.start).unwrap_or(name.span.start);
    let note = Diagnostic::note(codes::SUPERFLUOUS_REQUIREMENT, name.span, message);
    note.with_fix(Fix::replace("remove it", Applicability::Safe, Span { start, ..name.span }, ""))
}

/// The requirements whose use cannot be detected in a problem.
const UNDETECTABLE: [&str; 4] = [":strips", ":adl", ":object-fluents", ":goal-utilities"];

/// Computes the needs of a problem.
fn of_problem(problem: &Problem) -> NeededRequirements {
    let mut requirements = NeededRequirements::default();
    requirements.node(Node::Groups(&problem.objects));
    if let Some(goal) = &problem.goal {
        walk::formula(goal, &mut |node| requirements.node(node));
    }
    if let Some(metric) = &problem.metric {
        walk::expr(&metric.value, &mut |node| requirements.node(node));
    }
    requirements.constraints = true;
    if let Some(constraints) = &problem.constraints {
        requirements.add(":constraints", constraints.span);
        walk::formula(constraints, &mut |node| requirements.node(node));
    }
    let timed = |entry: &InitEntry| match entry {
        InitEntry::Timed(_, _, span) => Some(*span),
        _ => None,
    };
    if let Some(span) = problem.init.iter().find_map(timed) {
        requirements.add(":timed-initial-literals", span);
    }
    requirements
}

/// Whether a problem assigns numbers or has a numeric metric. This needs no requirement of its own, since the domain declares
/// the functions.
fn has_numbers(problem: &Problem) -> bool {
    let mut calls = false;
    if let Some(metric) = &problem.metric {
        walk::expr(&metric.value, &mut |node| {
            calls |= matches!(node, Node::Expr(expr) if matches!(expr.kind, ExprKind::Call(_)));
        });
    }
    calls || problem.init.iter().any(|entry| matches!(entry, InitEntry::Value(..)))
}

/// Returns the diagnostics for requirements of a problem that neither it nor its domain declares, and for superfluous ones:
/// neither the problem nor the domain uses them, and the domain does not declare them.
pub(crate) fn check_problem(problem: &Problem, domain: &CheckedDomain) -> Vec<Diagnostic> {
    let requirements = of_problem(problem);
    let missing = requirements.missing(&[&domain.requirements, &problem.requirements]);
    let mut found: Vec<Diagnostic> =
        report(&missing, &problem.requirements, problem.header, "the problem", false).into_iter().collect();
    let mut used: Vec<&str> = domain.requirements.names.iter().flat_map(|name| implied(name.text())).collect();
    used.extend(requirements.list.iter().map(|(need, _)| *need).chain(domain.needed_requirements.iter().copied()));
    if has_numbers(problem) {
        used.extend(implied(":numeric-fluents"));
    }
    for (place, name) in problem.requirements.names.iter().enumerate() {
        let is_used = implied(name.text()).iter().any(|part| used.contains(part));
        let is_known = REQUIREMENTS.contains(&name.text()) && !UNDETECTABLE.contains(&name.text());
        if is_known && !is_used {
            let message = format!("unused requirement `{}`, which the domain does not declare either", name.written());
            found.push(superfluous(&problem.requirements, place, message));
        }
    }
    found
}

/// Returns a single diagnostic for all missing requirements.
fn report(
    missing: &[(&str, Span)],
    requirements: &Requirements,
    header: Span,
    what: &str,
    insert: bool,
) -> Option<Diagnostic> {
    if missing.is_empty() {
        return None;
    }
    let names: Vec<&str> = missing.iter().map(|(name, _)| *name).collect();
    let names = names.join(" ");
    let message = format!("{what} requires {names}, missing in `(:requirements ..)`");
    let place = requirements.span.unwrap_or(header);
    let mut found = Diagnostic::warning(codes::MISSING_REQUIREMENT, place, message);
    for (name, span) in missing {
        found = found.with_related(*span, format!("required here: {name}"));
    }
    let insertion = |offset: u32, text: String| {
        let place = Span { start: offset, end: offset, ..place };
        Fix::replace("add the missing requirements", Applicability::Safe, place, text)
    };
    match requirements.span {
        Some(section) => Some(found.with_fix(insertion(section.end - 1, format!(" {names}")))),
        None if insert => Some(found.with_fix(insertion(header.end, format!("\n    (:requirements :strips {names})")))),
        None => Some(found.with_help(format!("add {names} to the requirements of the domain"))),
    }
}
