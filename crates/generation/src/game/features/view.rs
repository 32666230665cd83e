//! A game with its variables resolved: the common input of all features.

use goalspec_generator::grammar::{Symbol, Tokens};
use goalspec_generator::tree::Tree;
use smallvec::SmallVec;

use crate::game::GameGrammar;
use crate::game::rules::Rule;

/// The absence of a variable.
const NO_VARIABLE: u32 = u32::MAX;

/// A declared variable.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    /// The name.
    pub(crate) name: Symbol,
    /// The declared types.
    pub(crate) types: SmallVec<[Symbol; 4]>,
    /// Whether it is in scope at some predicate, function or statement of the setup.
    pub(crate) is_visible: bool,
    /// Whether it occurs as an argument in its scope.
    pub(crate) is_used: bool,
}

/// A preference.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PreferenceView {
    /// The entry.
    pub(crate) entry: usize,
    /// The name.
    pub(crate) name: Symbol,
    /// The entry of the outer `forall`.
    pub(crate) forall: Option<usize>,
}

/// A game with its variables resolved.
#[derive(Debug)]
pub(crate) struct View<'a> {
    pub(crate) games: &'a GameGrammar,
    pub(crate) tokens: &'a Tokens,
    pub(crate) tree: &'a Tree,
    /// The first node of each section.
    pub(crate) sections: [Option<usize>; 4],
    /// The variables, in source order.
    pub(crate) variables: Vec<Variable>,
    /// The variable to which each entry refers.
    references: Vec<u32>,
    /// The number of arguments that are variables without a declaration.
    pub(crate) undeclared: u32,
    /// The number of arguments that are variables with a declaration.
    pub(crate) declared: u32,
    /// The preferences.
    pub(crate) preferences: Vec<PreferenceView>,
}

/// The variables in scope during a walk, with the ends of the scopes.
#[derive(Default)]
struct Scopes {
    visible: Vec<u32>,
    /// The end of each scope, with the number of variables outside of it.
    open: Vec<(usize, usize)>,
}

impl<'a> View<'a> {
    pub(crate) fn new(games: &'a GameGrammar, tokens: &'a Tokens, tree: &'a Tree) -> Self {
        let mut view = Self {
            games,
            tokens,
            tree,
            sections: [None; 4],
            variables: Vec::new(),
            references: vec![NO_VARIABLE; tree.len()],
            undeclared: 0,
            declared: 0,
            preferences: Vec::new(),
        };
        view.walk();
        view
    }

    fn walk(&mut self) {
        let mut scopes = Scopes::default();
        let mut forall = None;
        for entry in 0..self.tree.len() {
            while scopes.open.last().is_some_and(|&(end, _)| end <= entry) {
                let outside = scopes.open.pop().map_or(0, |(_, outside)| outside);
                scopes.visible.truncate(outside);
            }
            if forall.is_some_and(|forall| self.tree.end(forall) <= entry) {
                forall = None;
            }
            match self.rule(entry) {
                Some(Rule::SetupDef) => self.sections[0] = Some(entry + 1),
                Some(Rule::ConstraintsDef) => self.sections[1] = Some(entry + 1),
                Some(Rule::TerminalDef) => self.sections[2] = Some(entry + 1),
                Some(Rule::ScoringDef) => self.sections[3] = Some(entry + 1),
                Some(
                    rule @ (Rule::SetupExists
                    | Rule::SetupForall
                    | Rule::Exists
                    | Rule::Forall
                    | Rule::PrefForall
                    | Rule::PrefBodyExists),
                ) => {
                    scopes.open.push((self.tree.end(entry), scopes.visible.len()));
                    if rule == Rule::PrefForall {
                        forall = Some(entry);
                    }
                }
                Some(Rule::VariableList) => self.declare(entry, &mut scopes),
                Some(Rule::Preference) => {
                    let name = self.tree.symbol(entry + 1);
                    self.preferences.push(PreferenceView { entry, name, forall });
                }
                Some(Rule::Term | Rule::ColorTerm | Rule::OrientationTerm | Rule::SideTerm | Rule::TypeTerm) => {
                    self.resolve(entry + 1, &scopes);
                }
                Some(Rule::SetupStatement) | None if !self.tree.symbol(entry).is_token() => {
                    for &variable in &scopes.visible {
                        self.variables[variable as usize].is_visible = true;
                    }
                }
                _ => {}
            }
        }
    }

    /// Declares the variables of a list. A name that is repeated in the list is one variable.
    fn declare(&mut self, list: usize, scopes: &mut Scopes) {
        let first = self.variables.len();
        for line in self.tree.children(list) {
            let types = self.types(line);
            for name in self.tree.children(line).map(|child| self.tree.symbol(child)).filter(|name| name.is_token()) {
                if self.variables[first..].iter().any(|variable| variable.name == name) {
                    continue;
                }
                scopes.visible.push(self.variables.len() as u32);
                let types = types.clone();
                self.variables.push(Variable { name, types, is_visible: false, is_used: false });
            }
        }
    }

    fn resolve(&mut self, entry: usize, scopes: &Scopes) {
        let Some(name) = self.tree.entries().get(entry).map(|entry| entry.symbol).filter(|name| name.is_token()) else {
            return;
        };
        let found = scopes.visible.iter().rev().find(|&&index| self.variables[index as usize].name == name);
        match found {
            Some(&index) => {
                self.variables[index as usize].is_used = true;
                self.references[entry] = index;
                self.declared += 1;
            }
            None => self.undeclared += 1,
        }
    }

    /// Returns the text of a token.
    #[inline]
    pub(crate) fn text(&self, token: Symbol) -> &'a str {
        self.tokens.text(token)
    }

    /// Returns the rule of an entry; `None` for predicates, functions and tokens.
    #[inline]
    pub(crate) fn rule(&self, entry: usize) -> Option<Rule> {
        Rule::of(self.tree.symbol(entry))
    }

    /// Returns the child of a node with a single child, or the first child.
    #[inline]
    pub(crate) fn inner(&self, entry: usize) -> Option<usize> {
        self.tree.children(entry).next()
    }

    /// Returns whether an entry is a predicate or a function.
    #[inline]
    pub(crate) fn is_application(&self, entry: usize) -> bool {
        let symbol = self.tree.symbol(entry);
        !symbol.is_token() && symbol.index() >= Rule::ALL.len()
    }

    /// Iterates over the entries of a subtree, the root included.
    pub(crate) fn within(&self, entry: usize) -> std::ops::Range<usize> {
        entry..self.tree.end(entry)
    }

    /// Iterates over the entries of a subtree with this rule.
    pub(crate) fn nodes(&self, entry: usize, rule: Rule) -> impl Iterator<Item = usize> + '_ {
        let symbol = rule.symbol();
        self.within(entry).filter(move |&entry| self.tree.symbol(entry) == symbol)
    }

    /// Iterates over the predicates and functions of a subtree.
    pub(crate) fn applications(&self, entry: usize) -> impl Iterator<Item = usize> + '_ {
        self.within(entry).filter(|&entry| self.is_application(entry))
    }

    /// Returns the token of an argument: the name of a variable or of a constant.
    pub(crate) fn argument(&self, term: usize) -> Symbol {
        // A term contains a variable, or a constant that contains its name.
        self.tree.symbol(self.tree.end(term) - 1)
    }

    /// Returns whether an argument is a variable.
    pub(crate) fn is_variable(&self, term: usize) -> bool {
        self.tree.end(term) == term + 2
    }

    /// Returns the variable to which an argument refers.
    pub(crate) fn variable(&self, term: usize) -> Option<&Variable> {
        self.variables.get(*self.references.get(term + 1)? as usize)
    }

    /// Returns the types of a declaration.
    pub(crate) fn types(&self, line: usize) -> SmallVec<[Symbol; 4]> {
        // The names come first; the types are the only tokens below the definition of the type.
        let definition = self.tree.children(line).find(|&child| !self.tree.symbol(child).is_token());
        let tokens = definition.into_iter().flat_map(|definition| self.within(definition));
        tokens.map(|entry| self.tree.symbol(entry)).filter(|symbol| symbol.is_token()).collect()
    }

    /// Returns the list of variables of a quantifier.
    pub(crate) fn list(&self, quantifier: usize) -> Option<usize> {
        self.inner(quantifier).filter(|&list| self.rule(list) == Some(Rule::VariableList))
    }
}
