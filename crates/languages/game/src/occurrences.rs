//! The occurrences of names in a game, for editors.
//!
//! They are collected from the syntax tree, also of a game with errors, by the scoping rules of [`resolve`](crate::resolve): a variable
//! is visible in the body of its quantifier, and the innermost one of a name counts; a preference is visible after its definition, and
//! the first one of a name counts. All other names are those of the world.

use goalspec_core::world::World;
use goalspec_syntax::Span;
use goalspec_syntax::symbols::{Declaration, Occurrence, Occurrences, SymbolKind};
use rustc_hash::FxHashMap;

use crate::ast::visit::{Node as _, Visitor, walk_preference, walk_score};
use crate::ast::{Application, Game, Name, Preference, Score, TypedVariables};

/// Returns the occurrences of names in a game about a world, in the order of the text. Without a world, names of the world are unknown.
pub fn occurrences(game: &Game, world: Option<&World>) -> Vec<Occurrence> {
    let mut collector =
        Collector { world, variables: Vec::new(), preferences: FxHashMap::default(), occurrences: Occurrences::new() };
    collector.occurrences.define(SymbolKind::Game, game.name.span(), game.span());
    let is_known = |world: &World| *game.domain.text == *world.name();
    collector.refer_to_world(SymbolKind::Domain, &game.domain, is_known);
    game.accept(&mut collector);
    collector.occurrences.into_vec()
}

struct Collector<'a> {
    world: Option<&'a World>,
    /// The variables in scope, innermost last.
    variables: Vec<&'a Name>,
    /// The spans of the names of preferences in their definitions.
    preferences: FxHashMap<&'a str, Span>,
    occurrences: Occurrences,
}

impl<'a> Collector<'a> {
    fn refer_to_world(&mut self, kind: SymbolKind, name: &Name, is_known: impl Fn(&World) -> bool) {
        let world = self.world.filter(|world| is_known(world));
        let declaration = world.map_or(Declaration::Unknown, |world| Declaration::BuiltIn(world.name().into()));
        self.occurrences.refer(kind, name.span(), declaration);
    }

    fn type_name(&mut self, name: &Name) {
        self.refer_to_world(SymbolKind::Type, name, |world| world.type_named(&name.text).is_some());
    }

    /// Adds an argument: a variable, an object, or a type where the parameter accepts one.
    fn argument(&mut self, name: &'a Name) {
        if name.text.starts_with('?') {
            let variable = self.variables.iter().rev().find(|variable| variable.text == name.text);
            let declaration = variable.map_or(Declaration::Unknown, |variable| Declaration::At(variable.span()));
            return self.occurrences.refer(SymbolKind::Variable, name.span(), declaration);
        }
        let is_object = self.world.is_some_and(|world| world.object_named(&name.text).is_some());
        if !is_object && self.world.is_some_and(|world| world.type_named(&name.text).is_some()) {
            return self.type_name(name);
        }
        self.refer_to_world(SymbolKind::Object, name, |world| world.object_named(&name.text).is_some());
    }

    fn arguments(&mut self, application: &'a Application) {
        application.arguments.iter().for_each(|argument| self.argument(argument));
    }
}

impl<'a> Visitor<'a> for Collector<'a> {
    fn preference(&mut self, preference: &'a Preference) {
        let name = &preference.name;
        match self.preferences.get(&*name.text) {
            Some(&first) => self.occurrences.refer(SymbolKind::Preference, name.span(), Declaration::At(first)),
            None if name.is_missing() => {}
            None => {
                self.preferences.insert(&name.text, name.span());
                self.occurrences.define(SymbolKind::Preference, name.span(), preference.span());
            }
        }
        walk_preference(self, preference);
    }

    fn predicate(&mut self, application: &'a Application) {
        let name = &application.name;
        self.refer_to_world(SymbolKind::Predicate, name, |world| world.predicate_named(&name.text).is_some());
        self.arguments(application);
    }

    fn function(&mut self, application: &'a Application) {
        let name = &application.name;
        self.refer_to_world(SymbolKind::Function, name, |world| world.function_named(&name.text).is_some());
        self.arguments(application);
    }

    fn score(&mut self, score: &'a Score) {
        if let Score::Count(_, reference, _) = score {
            let declaration = self.preferences.get(&*reference.name.text).copied();
            let declaration = declaration.map_or(Declaration::Unknown, Declaration::At);
            self.occurrences.refer(SymbolKind::Preference, reference.name.span(), declaration);
            reference.types.iter().for_each(|name| self.type_name(name));
        }
        walk_score(self, score);
    }

    fn enter(&mut self, variables: &'a [TypedVariables]) {
        for group in variables {
            for name in &group.names {
                self.occurrences.define(SymbolKind::Variable, name.span(), group.span());
                self.variables.push(name);
            }
            group.types.iter().for_each(|name| self.type_name(name));
        }
    }

    fn leave(&mut self, variables: &'a [TypedVariables]) {
        let count = TypedVariables::names_of(variables).count();
        self.variables.truncate(self.variables.len() - count);
    }
}
