//! Lowering of conditions, comparisons, predicates, functions, and their arguments.

use std::sync::Arc;

use goalspec_core::condition::{Atom, Condition, Expression, Term, Terms};
use goalspec_core::ids::{TypeId, VarId};
use goalspec_core::world::Parameter;
use goalspec_core::world::operation::{FunctionDefinition, PredicateDefinition};
use goalspec_syntax::Diagnostic;

use super::Resolver;
use super::scope::{VariableScope, overlap};
use crate::ast::{self, Application, Name, NodeStatus, Operand, TypedVariables};
use crate::codes;
use crate::keywords::BuiltInPredicate;

/// A predicate or function, as named in messages.
struct Callee<'a> {
    what: &'static str,
    name: &'a str,
    parameters: &'a [Parameter],
}

impl Resolver<'_> {
    pub(super) fn condition(&mut self, names: &mut VariableScope, condition: &mut ast::Condition) -> Option<Condition> {
        Some(match condition {
            ast::Condition::And(parts, _) => Condition::And(self.conditions(names, parts)?),
            ast::Condition::Or(parts, _) => Condition::Or(self.conditions(names, parts)?),
            ast::Condition::Not(part, _) => Condition::Not(Box::new(self.condition(names, part)?)),
            ast::Condition::Exists(variables, body, _) => {
                let (variables, body, distinctions) = self.quantified(names, variables, body)?;
                let body = conjunction(distinctions.into_iter().chain([body]).collect());
                Condition::Exists(variables, Box::new(body))
            }
            ast::Condition::Forall(variables, body, _) => {
                let (variables, body, distinctions) = self.quantified(names, variables, body)?;
                let same = distinctions.into_iter().map(|distinct| Condition::Not(Box::new(distinct)));
                let body = disjunction(same.chain([body]).collect());
                Condition::Forall(variables, Box::new(body))
            }
            ast::Condition::Compare(comparison, sides, span) => {
                let [left, right] = &mut **sides;
                let (left, right) = (self.operand(names, left), self.operand(names, right));
                Condition::Compare { comparison: *comparison, sides: Box::new([left?, right?]), origin: (*span).into() }
            }
            ast::Condition::AllEqual(operands, span) => {
                let operands: Vec<_> = operands.iter_mut().map(|operand| self.operand(names, operand)).collect();
                Condition::AllEqual(operands.into_iter().collect::<Option<_>>()?, (*span).into())
            }
            ast::Condition::Predicate(application) => self.predicate(names, application)?,
            ast::Condition::Error(node) => {
                self.conditions(names, self.parts(node));
                return None;
            }
        })
    }

    /// Lowers all conditions.
    pub(super) fn conditions(
        &mut self,
        names: &mut VariableScope,
        parts: &mut [ast::Condition],
    ) -> Option<Vec<Condition>> {
        let parts: Vec<_> = parts.iter_mut().map(|part| self.condition(names, part)).collect();
        parts.into_iter().collect()
    }

    /// Lowers a quantifier inside a condition. Returns its variables, its body, and the conditions that separate its variables from
    /// the others in scope.
    fn quantified(
        &mut self,
        names: &mut VariableScope,
        variables: &mut [TypedVariables],
        body: &mut ast::Condition,
    ) -> Option<(Vec<VarId>, Condition, Vec<Condition>)> {
        let mark = names.mark();
        let own = self.declare(names, variables);
        let body = self.condition(names, body);
        // The body has been read, so every `same_object` in it is known.
        let pairs = names.distinct_pairs(self.world, names.visible_at(mark), &own);
        names.end_scope(mark);
        let distinct = |(one, other)| Condition::Distinct(Term::Variable(one), Term::Variable(other));
        Some((own, body?, pairs.into_iter().map(distinct).collect()))
    }

    fn operand(&mut self, names: &mut VariableScope, operand: &mut Operand) -> Option<Expression> {
        match operand {
            Operand::Number(number, _) => Some(Expression::Number(*number)),
            Operand::Function(application) => self.function(names, application),
        }
    }

    /// Lowers a function application.
    pub(super) fn function(&mut self, names: &mut VariableScope, application: &mut Application) -> Option<Expression> {
        let name = &mut application.name;
        let Some(function) = self.world.function_named(&name.text) else {
            let other = self
                .world
                .predicate_named(&name.text)
                .map(|_| ("predicate", "use a function: a predicate is true or false and has no number"));
            let known: Vec<Arc<str>> = self.world.functions().iter().map(|decl| decl.name.clone()).collect();
            self.unknown_name(codes::UNKNOWN_FUNCTION, "function", name, other, &known);
            return None;
        };
        let decl = self.world.function(function);
        if let FunctionDefinition::Unavailable(reason) = &decl.definition {
            self.unavailable("function", name, reason);
        }
        let callee = Callee { what: "function", name: &decl.name, parameters: &decl.parameters };
        let arguments = self.arguments(names, &callee, application)?;
        Some(Expression::Call { function, arguments, origin: application.span.into() })
    }

    fn predicate(&mut self, names: &mut VariableScope, application: &mut Application) -> Option<Condition> {
        let name = &mut application.name;
        let built_in = BuiltInPredicate::named(&name.text);
        let Some(predicate) = self.world.predicate_named(&name.text) else {
            if let Some(built_in) = built_in {
                return self.built_in(names, built_in, application);
            }
            let other = self
                .world
                .function_named(&name.text)
                .map(|_| ("function", "compare its value, for example `(< (..) 1)`"));
            let own = BuiltInPredicate::ALL.iter().map(|predicate| predicate.name().into());
            let known: Vec<Arc<str>> =
                self.world.predicates().iter().map(|decl| decl.name.clone()).chain(own).collect();
            self.unknown_name(codes::UNKNOWN_PREDICATE, "predicate", name, other, &known);
            return None;
        };
        let decl = self.world.predicate(predicate);
        if let PredicateDefinition::Unavailable(reason) = &decl.definition {
            self.unavailable("predicate", name, reason);
        }
        let callee = Callee { what: "predicate", name: &decl.name, parameters: &decl.parameters };
        let arguments = self.arguments(names, &callee, application)?;
        if built_in == Some(BuiltInPredicate::SameObject) {
            allow_same(names, &arguments);
        }
        Some(Condition::Atom(Atom { predicate, arguments, origin: application.span.into() }))
    }

    fn built_in(
        &mut self,
        names: &mut VariableScope,
        built_in: BuiltInPredicate,
        application: &mut Application,
    ) -> Option<Condition> {
        let top: Vec<TypeId> = (0..self.world.types().len())
            .map(TypeId::from)
            .filter(|&id| self.world.type_decl(id).parents.is_empty())
            .collect();
        let parameters = vec![Parameter::of(&top); built_in.arity()];
        let callee = Callee { what: "predicate", name: built_in.name(), parameters: &parameters };
        let arguments = self.arguments(names, &callee, application)?;
        match (built_in, &arguments[..]) {
            (BuiltInPredicate::SameObject, &[one, other]) => {
                allow_same(names, &arguments);
                Some(Condition::Not(Box::new(Condition::Distinct(one, other))))
            }
            (BuiltInPredicate::GameStart, []) => Some(Condition::FirstState),
            (BuiltInPredicate::GameOver, []) => Some(Condition::LastState),
            (BuiltInPredicate::IsSetupObject, &[object]) => Some(Condition::InSetup(object, application.span.into())),
            // The number of arguments has been checked.
            _ => None,
        }
    }

    fn unknown_name(
        &mut self,
        code: goalspec_syntax::Code,
        noun: &str,
        name: &mut Name,
        other: Option<(&str, &str)>,
        known: &[Arc<str>],
    ) {
        let span = name.span();
        let diagnostic = if let Some((kind, help)) = other {
            Diagnostic::error(code, span, format!("`{}` is a {kind}, not a {noun}", name.text)).with_help(help)
        } else {
            let message = format!("unknown {noun} `{}` in the world `{}`", name.text, self.world.name());
            let known = || known.iter().map(|name| &**name).collect();
            self.with_nearest(Diagnostic::error(code, span, message), name, known).0
        };
        name.mark_erroneous();
        self.report(diagnostic);
    }

    fn unavailable(&mut self, kind: &str, name: &mut Name, reason: &str) {
        let message = format!("the world `{}` cannot evaluate the {kind} `{}`: {reason}", self.world.name(), name.text);
        name.mark_erroneous();
        self.report(
            Diagnostic::error(codes::UNAVAILABLE, name.span(), message)
                .with_help("remove it, or use a world description with the missing data"),
        );
    }

    fn arguments(
        &mut self,
        names: &mut VariableScope,
        callee: &Callee<'_>,
        application: &mut Application,
    ) -> Option<Terms> {
        let (min, max) = Parameter::arity(callee.parameters);
        let given = application.arguments.len();
        if given < min || given > max {
            let arity = match (min, max) {
                (0, 0) => "no arguments".to_owned(),
                (1, 1) => "1 argument".to_owned(),
                (min, max) if min == max => format!("{min} arguments"),
                (min, max) => format!("{min} to {max} arguments"),
            };
            self.report(Diagnostic::error(
                codes::ARGUMENT_COUNT,
                application.span(),
                format!("the {} `{}` takes {arity}, found {given}", callee.what, callee.name),
            ));
            application.status = NodeStatus::Erroneous;
        }
        let with_parameters = application.arguments.iter_mut().zip(callee.parameters);
        let terms: Vec<Option<Term>> =
            with_parameters.map(|(argument, parameter)| self.argument(names, callee, parameter, argument)).collect();
        terms.into_iter().collect::<Option<Terms>>().filter(|_| (min..=max).contains(&given))
    }

    /// Lowers an argument. An argument that cannot be lowered is reported and marked.
    fn argument(
        &mut self,
        names: &VariableScope,
        callee: &Callee<'_>,
        parameter: &Parameter,
        name: &mut Name,
    ) -> Option<Term> {
        let term = self.term(names, callee, parameter, name);
        if term.is_none() {
            name.mark_erroneous();
        }
        term
    }

    fn term(&mut self, names: &VariableScope, callee: &Callee<'_>, parameter: &Parameter, name: &Name) -> Option<Term> {
        let text = &*name.text;
        if text.starts_with('?') {
            let Some(id) = names.find(text) else {
                self.unbound(names, name);
                return None;
            };
            let types = &names.scope.get(id).types;
            // A variable without types has already been reported at its declaration.
            if !types.is_empty() && !overlap(self.world, types, &parameter.types) {
                let ranges = self.type_names(types);
                self.wrong_kind(callee, parameter, name, &format!("which ranges over {ranges}"));
                return None;
            }
            return Some(Term::Variable(id));
        }
        if parameter.accepts_type
            && let Some(id) = self.world.type_named(text)
        {
            return Some(Term::Type(id));
        }
        let Some(object) = self.world.object_named(text) else {
            self.unknown_object(names, name);
            return None;
        };
        if parameter.types.iter().any(|&id| self.world.is_a(object, id)) {
            return Some(Term::Object(object));
        }
        let types = self.world.object_decl(object).types.clone();
        let types = self.type_names(&types);
        self.wrong_kind(callee, parameter, name, &format!("which is of type {types}"));
        None
    }

    fn unbound(&mut self, names: &VariableScope, name: &Name) {
        if names.has_unknown_variables() || self.may_declare_variable(&name.text) {
            return;
        }
        let span = name.span();
        let message = format!("no enclosing quantifier declares `{}`", name.text);
        let diagnostic = Diagnostic::error(codes::UNBOUND_VARIABLE, span, message);
        // All one-letter variables are equally similar.
        let (mut diagnostic, found) = if name.text.len() > 2 {
            self.with_nearest(diagnostic, name, || names.in_scope().collect())
        } else {
            (diagnostic, false)
        };
        let in_scope: Vec<_> = names.in_scope().map(|name| format!("`{name}`")).collect();
        if !found && !in_scope.is_empty() {
            diagnostic = diagnostic.with_help(format!("variables in scope: {}", in_scope.join(", ")));
        }
        self.report(diagnostic);
    }

    fn unknown_object(&mut self, names: &VariableScope, name: &Name) {
        let span = name.span();
        let text = &*name.text;
        let variable = format!("?{text}");
        let error = |message: String| Diagnostic::error(codes::UNKNOWN_OBJECT, span, message);
        let diagnostic = if names.find(&variable).is_some() {
            let fix = goalspec_syntax::Fix::replace(
                format!("replace with `{variable}`"),
                goalspec_syntax::diagnostic::Applicability::Unsafe,
                span,
                variable.clone(),
            );
            error(format!("`{text}` is not an object of the world; the variable `{variable}` is in scope"))
                .with_fix(fix)
        } else if self.world.type_named(text).is_some() {
            error(format!("`{text}` is a type, not an object"))
                .with_help(format!("quantify over its objects: `(exists (?o - {text}) ..)`"))
        } else {
            let message = format!("unknown object name `{text}` in the world `{}`", self.world.name());
            let world = self.world;
            let known = || {
                let mut known: Vec<&str> = world.program_names().map(|(name, _)| name).collect();
                known.sort_unstable();
                known
            };
            self.with_nearest(error(message), name, known).0
        };
        self.report(diagnostic);
    }

    fn wrong_kind(&mut self, callee: &Callee<'_>, parameter: &Parameter, name: &Name, but: &str) {
        let expected = self.type_names(&parameter.types);
        self.report(Diagnostic::error(
            codes::ARGUMENT_KIND,
            name.span(),
            format!("the {} `{}` expects {expected} here, found `{}`, {but}", callee.what, callee.name, name.text),
        ));
    }

    /// Returns the names of types, for a message.
    pub(super) fn type_names(&self, types: &[TypeId]) -> String {
        let names: Vec<_> = types.iter().map(|&id| format!("`{}`", self.world.type_decl(id).name)).collect();
        names.join(" or ")
    }
}

/// Records that two variables occur together in `same_object`.
fn allow_same(names: &mut VariableScope, arguments: &[Term]) {
    if let &[Term::Variable(one), Term::Variable(other)] = arguments {
        names.permit_same_object(one, other);
    }
}

fn conjunction(mut parts: Vec<Condition>) -> Condition {
    if parts.len() == 1 { parts.remove(0) } else { Condition::And(parts) }
}

fn disjunction(mut parts: Vec<Condition>) -> Condition {
    if parts.len() == 1 { parts.remove(0) } else { Condition::Or(parts) }
}
