//! Resolution of variables, objects and arguments, and type checks of arguments.

use goalspec_core::condition::{Term, Terms};
use goalspec_core::ids::{FunctionId, ObjectId, PredicateId, TypeId, VarId};
use goalspec_syntax::{Diagnostic, suggest};
use smallvec::SmallVec;

use super::Resolver;
use crate::ast::{Atom, Name};
use crate::codes;
use crate::parse::excerpt;
use crate::vocabulary::{Parameter, Signature, with_suggestion};

/// The types of an argument.
type ArgumentTypes = SmallVec<[TypeId; 2]>;

impl Resolver<'_> {
    /// Resolves a predicate with its arguments.
    pub(crate) fn predicate_call(&mut self, atom: &Atom) -> Option<(PredicateId, Terms)> {
        let vocabulary = self.vocabulary;
        let Some(predicate) = vocabulary.predicates.find(atom.name.text()) else {
            let message = format!("unknown predicate `{}`", excerpt(atom.name.written()));
            let diagnostic = Diagnostic::error(codes::UNKNOWN_PREDICATE, atom.name.span, message);
            let diagnostic = if vocabulary.functions.find(atom.name.text()).is_some() {
                diagnostic.with_help("it is a function; compare its value with a number")
            } else {
                self.with_names(diagnostic, &atom.name, vocabulary.predicates.names())
            };
            self.diagnostics.push(diagnostic);
            self.mark_used(atom);
            return None;
        };
        let terms = self.arguments(atom, vocabulary.predicates.get(predicate))?;
        Some((PredicateId::from(predicate), terms))
    }

    /// Resolves a function with its arguments.
    pub(crate) fn call(&mut self, call: &Atom) -> Option<(FunctionId, Terms)> {
        let vocabulary = self.vocabulary;
        let Some(function) = vocabulary.functions.find(call.name.text()) else {
            let message = format!("unknown function `{}`", excerpt(call.name.written()));
            let diagnostic = Diagnostic::error(codes::UNKNOWN_FUNCTION, call.name.span, message);
            let diagnostic = if vocabulary.predicates.find(call.name.text()).is_some() {
                diagnostic.with_help("it is a predicate, which has no numeric value")
            } else {
                self.with_names(diagnostic, &call.name, vocabulary.functions.names())
            };
            self.diagnostics.push(diagnostic);
            self.mark_used(call);
            return None;
        };
        let terms = self.arguments(call, vocabulary.functions.get(function))?;
        Some((FunctionId::from(function), terms))
    }

    /// Adds the nearest known name to a diagnostic, up to a total of [`MAX_SUGGESTIONS`](super::MAX_SUGGESTIONS) diagnostics.
    fn with_names<'a>(
        &self,
        found: Diagnostic,
        name: &Name,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Diagnostic {
        if self.diagnostics.len() < super::MAX_SUGGESTIONS { with_suggestion(found, name, known) } else { found }
    }

    /// Marks the arguments of an unresolved atom as used.
    fn mark_used(&mut self, atom: &Atom) {
        for name in &atom.arguments {
            if let Some(place) = self.place_of(name.text()) {
                self.visible[place].used = true;
            }
        }
    }

    fn arguments(&mut self, atom: &Atom, signature: &Signature) -> Option<Terms> {
        let fits_in_number = atom.arguments.len() == signature.parameters.len();
        let mut terms = Terms::new();
        for (index, name) in atom.arguments.iter().enumerate() {
            let parameter = signature.parameters.get(index);
            terms.extend(self.argument(name, parameter.filter(|_| fits_in_number), signature));
        }
        if !fits_in_number {
            self.wrong_count(atom, signature);
            return None;
        }
        (terms.len() == atom.arguments.len()).then_some(terms)
    }

    /// Resolves an argument. Returns `None` if it does not fit the parameter.
    fn argument(&mut self, name: &Name, parameter: Option<&Parameter>, signature: &Signature) -> Option<Term> {
        // Fast path for arguments of `(:init ..)`: objects of a matching type.
        if let Some(object) = self.objects.find(name.text()).filter(|_| !name.is_variable()) {
            let types = &self.vocabulary.types;
            let own = &self.objects.get(object).types;
            if parameter
                .is_none_or(|parameter| parameter.types.iter().any(|&expected| types.is_any_below(own, expected)))
            {
                return Some(Term::Object(object));
            }
        }
        let (term, types) = self.term(name)?;
        let fits = parameter.is_none_or(|parameter| self.fits(name, term, &types, parameter, signature));
        fits.then_some(term)
    }

    fn wrong_count(&mut self, atom: &Atom, signature: &Signature) {
        let diagnostic =
            wrong_count(&atom.name, atom.arguments.len(), signature, &self.vocabulary.declaration(signature));
        self.diagnostics.push(diagnostic);
    }

    /// Whether an argument can be of the type of its parameter. Reports a mismatch.
    fn fits(
        &mut self,
        name: &Name,
        term: Term,
        types: &[TypeId],
        parameter: &Parameter,
        signature: &Signature,
    ) -> bool {
        if types.is_empty() || parameter.types.is_empty() {
            // Unknown types have been reported.
            return true;
        }
        let type_hierarchy = &self.vocabulary.types;
        let is_below =
            |actual: &TypeId| parameter.types.iter().any(|&expected| type_hierarchy.is_below(*actual, expected));
        let fits = match term {
            // An object belongs to all its types, a variable to one of them.
            Term::Object(_) => types.iter().any(is_below),
            _ => types.iter().all(is_below),
        };
        if fits {
            return true;
        }
        let overlaps = |own: &TypeId| parameter.types.iter().any(|&expected| type_hierarchy.overlap(*own, expected));
        let possible = matches!(term, Term::Variable(_)) && types.iter().any(overlaps);
        let (actual, expected) = (type_hierarchy.describe(types), type_hierarchy.describe(&parameter.types));
        let (of, word) = (excerpt(signature.name.written()), excerpt(name.written()));
        let diagnostic = if possible {
            let message =
                format!("`{word}` has type {actual}, but `{of}` takes {expected}; not every {actual} is of that type");
            Diagnostic::warning(codes::WIDER_TYPE, name.span, message)
        } else {
            let message = format!("`{word}` has type {actual}, but `{of}` takes {expected}");
            Diagnostic::error(codes::TYPE_MISMATCH, name.span, message)
        };
        let declaration = self.vocabulary.declaration(signature);
        self.diagnostics.push(diagnostic.with_related(signature.name.span, format!("declared as {declaration}")));
        possible
    }

    /// Resolves a variable or an object. Returns it with its types.
    pub(crate) fn term(&mut self, name: &Name) -> Option<(Term, ArgumentTypes)> {
        if name.is_variable() {
            if let Some(place) = self.place_of(name.text()) {
                let variable = &mut self.visible[place];
                variable.used = true;
                return Some((variable.term, ArgumentTypes::from_slice(&variable.types)));
            }
            let message = format!("unbound variable `{}`", excerpt(name.written()));
            let diagnostic = Diagnostic::error(codes::UNBOUND_VARIABLE, name.span, message);
            let diagnostic =
                self.with_names(diagnostic, name, self.visible.iter().map(|variable| variable.name.written()));
            let help = "declare it as a parameter, or with `forall` or `exists`";
            self.diagnostics.push(if self.visible.is_empty() { diagnostic.with_help(help) } else { diagnostic });
            return None;
        }
        let object = self.object(name)?;
        Some((Term::Object(object), ArgumentTypes::from_slice(&self.objects.get(object).types)))
    }

    /// Returns the objects in the domain of a variable.
    pub(crate) fn domain(&self, variable: VarId) -> Vec<ObjectId> {
        self.objects.of_types(&self.vocabulary.types, &self.scope.get(variable).types)
    }

    /// Binds a visible variable, given by its index, to an object.
    pub(crate) fn bind(&mut self, place: usize, object: ObjectId) {
        self.visible[place].types.clone_from(&self.objects.get(object).types);
        self.visible[place].term = Term::Object(object);
    }

    /// Resolves an object.
    pub(crate) fn object(&mut self, name: &Name) -> Option<ObjectId> {
        if let Some(object) = self.objects.find(name.text()) {
            return Some(object);
        }
        let message = format!("unknown object `{}`", excerpt(name.written()));
        let diagnostic = Diagnostic::error(codes::UNKNOWN_OBJECT, name.span, message);
        let variable = format!("?{}", name.text());
        let diagnostic = match self.place_of(&variable) {
            Some(place) => {
                suggest::with_nearest(diagnostic, &variable, name.span, [self.visible[place].name.written()]).0
            }
            None => self.with_names(diagnostic, name, self.objects.names()),
        };
        self.diagnostics.push(diagnostic);
        None
    }
}

/// Returns the diagnostic for a wrong number of arguments.
pub(crate) fn wrong_count(name: &Name, found: usize, signature: &Signature, declaration: &str) -> Diagnostic {
    let expected = match signature.parameters.len() {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    };
    let message = format!("`{}` takes {expected}, found {found}", excerpt(name.written()));
    let diagnostic = Diagnostic::error(codes::ARGUMENT_COUNT, name.span, message);
    diagnostic.with_related(signature.name.span, format!("declared as {declaration}"))
}
