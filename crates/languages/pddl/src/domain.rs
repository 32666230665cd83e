//! Resolved domains, shared by all their problems.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use goalspec_core::condition::Condition;
use goalspec_core::ids::{PredicateId, VarId};
use goalspec_core::planning::task::{self, ActionPreference, AxiomSchema, Effect};
use goalspec_syntax::Diagnostic;

use crate::ast::{Action, DerivedPredicate, Domain, Formula, FunctionDecl, Name};
use crate::codes;
use crate::parse::excerpt;
use crate::resolve::{ResolveContext, Resolver, Strength, condition_parts};
use crate::types::TypeHierarchy;
use crate::vocabulary::{ObjectTable, Parameter, Signature, SignatureTable, Vocabulary, declared_twice};
use crate::{stratify, trajectory};

/// A domain with typed names: its vocabulary, actions and derived predicates.
#[derive(Debug, Clone)]
pub struct ResolvedDomain {
    /// The name in lower case.
    pub name: Arc<str>,
    /// The types, predicates and functions.
    pub vocabulary: Vocabulary,
    /// The constants, which are the first objects of every problem.
    pub constants: ObjectTable,
    /// The instantaneous actions, without those that have errors.
    pub actions: Vec<task::Action>,
    /// The rules of derived predicates.
    pub rules: Vec<AxiomSchema>,
    /// The constraints of the domain. They are lowered for each problem, since they depend on its objects.
    pub constraints: Option<Formula>,
    /// The name of the first durative action.
    pub durative_action: Option<Name>,
    /// The derived predicates.
    derived: FixedBitSet,
    /// Whether the domain has errors, in which case its problems cannot be lowered.
    pub has_errors: bool,
}

impl ResolvedDomain {
    /// Resolves a domain. Returns it with the diagnostics.
    pub fn new(domain: &Domain) -> (Self, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let types = TypeHierarchy::new(domain.types.as_deref().unwrap_or_default(), &mut diagnostics);
        let mut vocabulary =
            Vocabulary { types, predicates: SignatureTable::default(), functions: SignatureTable::default() };
        predicates(domain, &mut vocabulary, &mut diagnostics);
        functions(&domain.functions, &mut vocabulary, &mut diagnostics);
        let mut constants = ObjectTable::default();
        constants.add(&domain.constants, &vocabulary.types, &mut diagnostics);
        unique_actions(&domain.actions, &mut diagnostics);
        let mut builder = Builder { domain, vocabulary: &vocabulary, constants: &constants, diagnostics };
        let rules: Vec<AxiomSchema> = domain.derived.iter().filter_map(|derived| builder.rule(derived)).collect();
        let actions = domain.actions.iter().filter_map(|action| builder.action(action)).collect();
        builder.constraints(domain.constraints.as_ref());
        let mut diagnostics = builder.diagnostics;
        diagnostics.extend(stratify::check(&rules, &vocabulary));
        let durative = domain.actions.iter().find(|action| action.duration.is_some());
        let model = Self {
            name: domain.name.shared(),
            constraints: domain.constraints.clone(),
            derived: rules.iter().map(|rule| rule.predicate.index()).collect(),
            durative_action: durative.map(|action| action.name.clone()),
            has_errors: diagnostics.iter().any(Diagnostic::is_error),
            vocabulary,
            constants,
            actions,
            rules,
        };
        (model, diagnostics)
    }

    /// Whether the predicate is derived.
    pub fn is_derived(&self, predicate: PredicateId) -> bool {
        self.derived.contains(predicate.index())
    }
}

fn predicates(domain: &Domain, vocabulary: &mut Vocabulary, diagnostics: &mut Vec<Diagnostic>) {
    for decl in &domain.predicates {
        let parameters = vocabulary.declared_parameters(&decl.parameters, diagnostics);
        let signature = Signature { name: decl.name.clone(), parameters };
        vocabulary.predicates.add(signature, "predicate", diagnostics);
    }
}

fn functions(declared: &[FunctionDecl], vocabulary: &mut Vocabulary, diagnostics: &mut Vec<Diagnostic>) {
    for decl in declared {
        let parameters = vocabulary.declared_parameters(&decl.parameters, diagnostics);
        if let Some(of) = decl.of.as_ref().filter(|of| of.names.iter().any(|of| of.text() != "number")) {
            let message =
                format!("function `{}` has object values, which are not supported", excerpt(decl.name.written()));
            let help = "use a predicate with the value as an additional argument, or numeric values";
            diagnostics.push(Diagnostic::error(codes::OBJECT_FLUENT, of.span, message).with_help(help));
        }
        let signature = Signature { name: decl.name.clone(), parameters };
        vocabulary.functions.add(signature, "function", diagnostics);
    }
}

fn unique_actions(actions: &[Action], diagnostics: &mut Vec<Diagnostic>) {
    let mut names = rustc_hash::FxHashMap::default();
    for action in actions {
        if let Some(first) = names.insert(action.name.text(), action.name.span) {
            diagnostics.push(declared_twice(&action.name, first, "action"));
        }
    }
}

/// The context of the resolution of actions, rules and constraints.
struct Builder<'d> {
    domain: &'d Domain,
    vocabulary: &'d Vocabulary,
    constants: &'d ObjectTable,
    diagnostics: Vec<Diagnostic>,
}

impl Builder<'_> {
    fn resolver(&mut self) -> Resolver<'_> {
        Resolver::new(self.vocabulary, self.constants, &mut self.diagnostics)
    }

    /// Resolves an action. Returns `None` if it has errors or is durative.
    fn action(&mut self, action: &Action) -> Option<task::Action> {
        let domain = self.domain;
        let is_derived = |name: &str| domain.derived.iter().any(|rule| rule.predicate.text() == name);
        let parameters = self.vocabulary.parameters(&action.parameters, &mut self.diagnostics);
        let mut resolver = self.resolver();
        if action.duration.is_some() {
            resolver.place = ResolveContext::Durative;
        }
        for Parameter { name, types } in &parameters {
            resolver.declare(name, types.clone());
        }
        if let Some(duration) = action.duration.as_ref().and_then(|durative| durative.constraint.as_ref()) {
            resolver.condition(duration);
        }
        let precondition = match &action.precondition {
            Some(formula) if action.duration.is_some() => {
                resolver.condition(formula);
                None
            }
            Some(formula) => resolver.precondition(formula),
            None => Some((Condition::And(Vec::new()), Vec::new())),
        };
        let effect = match &action.effect {
            Some(effect) => resolver.effect(effect, &is_derived),
            None => Some(Effect::And(Vec::new())),
        };
        resolver.leave(0, "parameter");
        let scope = std::mem::take(&mut resolver.scope);
        let (precondition, preferences) = precondition?;
        Some(task::Action {
            name: action.name.shared(),
            scope,
            parameters: parameters.len(),
            precondition,
            preferences,
            effect: effect?,
            origin: action.span.into(),
        })
    }

    fn rule(&mut self, derived: &DerivedPredicate) -> Option<AxiomSchema> {
        let parameters = self.vocabulary.parameters(&derived.parameters, &mut self.diagnostics);
        let mut resolver = self.resolver();
        let head = crate::ast::Atom {
            name: derived.predicate.clone(),
            arguments: parameters.iter().map(|parameter| parameter.name.clone()).collect(),
            span: derived.span,
        };
        for Parameter { name, types } in &parameters {
            resolver.declare(name, types.clone());
        }
        // Resolving the head marks its parameters as used: the body of a rule need not mention all of them.
        let head = resolver.predicate_call(&head);
        let body = resolver.condition(&derived.body);
        resolver.leave(0, "parameter");
        let scope = std::mem::take(&mut resolver.scope);
        let (predicate, _) = head?;
        Some(AxiomSchema { predicate, scope, parameters: parameters.len(), body: body?, origin: derived.span.into() })
    }

    /// Checks the constraints.
    fn constraints(&mut self, constraints: Option<&Formula>) {
        if let Some(constraints) = constraints {
            trajectory::check(constraints, self.vocabulary, self.constants, &mut self.diagnostics);
        }
    }
}

impl Resolver<'_> {
    /// Resolves a precondition into its condition and its preferences.
    fn precondition(&mut self, formula: &Formula) -> Option<(Condition, Vec<ActionPreference>)> {
        let mut conditions = Vec::new();
        let mut preferences = Vec::new();
        let mut whole = true;
        for part in condition_parts(formula) {
            let depth = self.depth();
            let external: Vec<VarId> = part.quantifiers.iter().flat_map(|groups| self.enter(groups)).collect();
            let condition = self.condition(part.body);
            self.leave(depth, "variable");
            let Some(condition) = condition else {
                whole = false;
                continue;
            };
            match part.wanted {
                Strength::Preferred(_) => preferences.push(ActionPreference {
                    name: part.wanted.name(),
                    external,
                    condition,
                    origin: part.body.span.into(),
                }),
                Strength::Required if external.is_empty() => conditions.push(condition),
                Strength::Required => conditions.push(Condition::Forall(external, Box::new(condition))),
            }
        }
        whole.then_some((Condition::And(conditions), preferences))
    }
}
