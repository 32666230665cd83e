//! Resolution of names to variables of the function, of an enclosing function, or of the module.
//!
//! The rules are those of CPython's symbol tables: a name that a function binds anywhere is local in all of it, unless declared `global`
//! or `nonlocal`; functions do not see the names of an enclosing class body; a comprehension is a function, whose first iterable is
//! evaluated in the enclosing scope.

mod walk;

use goalspec_syntax::{Diagnostic, SourceFile};
use indexmap::{IndexMap, IndexSet};
use ruff_python_ast::ModModule;
use ruff_python_ast::name::Name;
use ruff_text_size::TextRange;
use rustc_hash::FxHashMap;

use crate::codes;
use crate::parse::span;

/// The name of the parameter of a comprehension that holds its iterator.
pub(crate) const ITERATED: &str = ".0";

/// The kind of a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    Module,
    Class,
    /// A function, a lambda or a comprehension.
    Function,
}

/// The roles of a name in a scope.
#[derive(Debug, Clone, Copy, Default)]
struct Mention {
    bound: bool,
    parameter: bool,
    global: Option<TextRange>,
    nonlocal: Option<TextRange>,
}

/// The storage of a name's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binding {
    /// A variable that no inner function captures.
    Local(u32),
    /// A variable that inner functions capture, or a variable of an enclosing function: an index into the [cells](Scope::cells) followed by
    /// the [free](Scope::free) variables of the scope.
    Cell(u32),
    /// A name of a class body: looked up in the class, then as a global.
    ClassName,
    /// A global of the module, or a built-in name.
    Global,
}

/// The names of a function, class or module.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) kind: ScopeKind,
    parent: Option<usize>,
    mentions: IndexMap<Name, Mention>,
    /// The variables that no inner function captures, parameters first.
    pub(crate) locals: IndexSet<Name>,
    /// The variables that inner functions capture.
    pub(crate) cells: IndexSet<Name>,
    /// The variables that are captured from enclosing functions.
    pub(crate) free: IndexSet<Name>,
}

/// The index of the module's scope.
pub(crate) const MODULE: usize = 0;

/// The scopes of a program.
#[derive(Debug)]
pub(crate) struct Scopes {
    all: Vec<Scope>,
    by_node: FxHashMap<TextRange, usize>,
    /// Errors in `global` and `nonlocal` declarations.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Scopes {
    /// Resolves the scopes of a module.
    pub(crate) fn of(module: &ModModule, source: &SourceFile) -> Self {
        let mut scopes = Self { all: Vec::new(), by_node: FxHashMap::default(), diagnostics: Vec::new() };
        walk::walk(module, source, &mut scopes);
        scopes.settle(source);
        scopes
    }

    /// Returns the index of the scope that a function, lambda, class or comprehension opens.
    pub(crate) fn at(&self, range: TextRange) -> usize {
        self.by_node[&range]
    }

    pub(crate) fn get(&self, scope: usize) -> &Scope {
        &self.all[scope]
    }

    /// Returns the index of a variable among the cells and free variables of a scope, if it is one of them.
    pub(crate) fn cell(&self, scope: usize, name: &Name) -> Option<u32> {
        let found = &self.all[scope];
        let free = || found.free.get_index_of(name).map(|place| found.cells.len() + place);
        found.cells.get_index_of(name).or_else(free).map(|place| place as u32)
    }

    /// Returns the storage of a name in a scope.
    pub(crate) fn binding(&self, scope: usize, name: &Name) -> Binding {
        let found = &self.all[scope];
        let mention = found.mentions.get(name).copied().unwrap_or_default();
        // A name that a class body binds belongs to the class, even if its functions capture an outer variable of the same name.
        if found.kind == ScopeKind::Class && mention.bound && mention.nonlocal.is_none() && mention.global.is_none() {
            return Binding::ClassName;
        }
        if let Some(place) = self.cell(scope, name) {
            return Binding::Cell(place);
        }
        if let Some(place) = found.locals.get_index_of(name) {
            return Binding::Local(place as u32);
        }
        if found.kind == ScopeKind::Class && mention.global.is_none() { Binding::ClassName } else { Binding::Global }
    }

    fn open(&mut self, kind: ScopeKind, parent: Option<usize>, range: TextRange) -> usize {
        self.all.push(Scope {
            kind,
            parent,
            mentions: IndexMap::new(),
            locals: IndexSet::new(),
            cells: IndexSet::new(),
            free: IndexSet::new(),
        });
        self.by_node.insert(range, self.all.len() - 1);
        self.all.len() - 1
    }

    /// Resolves all names. Enclosing scopes come before inner ones.
    fn settle(&mut self, source: &SourceFile) {
        for scope in 0..self.all.len() {
            let mentions: Vec<(Name, Mention)> =
                self.all[scope].mentions.iter().map(|(name, mention)| (name.clone(), *mention)).collect();
            for (name, mention) in mentions {
                self.settle_name(scope, &name, mention, source);
            }
        }
        // Captured variables are cells rather than locals.
        for scope in &mut self.all {
            let Scope { locals, cells, .. } = scope;
            locals.retain(|name| !cells.contains(name));
        }
    }

    fn settle_name(&mut self, scope: usize, name: &Name, mention: Mention, source: &SourceFile) {
        if mention.global.is_some() {
            return;
        }
        let own = self.all[scope].kind == ScopeKind::Function;
        if mention.bound && mention.nonlocal.is_none() {
            if own {
                self.all[scope].locals.insert(name.clone());
            }
            return;
        }
        let Some(owner) = self.owner(scope, name) else {
            if let Some(range) = mention.nonlocal {
                let message = format!("no enclosing function has a variable `{name}`");
                self.diagnostics.push(Diagnostic::error(codes::SCOPE, span(source, range), message));
            }
            return;
        };
        self.all[owner].cells.insert(name.clone());
        // Every scope between the owner and the use passes the variable on.
        let mut inner = scope;
        while inner != owner {
            self.all[inner].free.insert(name.clone());
            let Some(parent) = self.all[inner].parent else { return };
            inner = parent;
        }
    }

    /// Returns the enclosing function that owns the variable of this name.
    fn owner(&self, scope: usize, name: &Name) -> Option<usize> {
        let mut outer = self.all[scope].parent?;
        loop {
            let found = &self.all[outer];
            if found.kind == ScopeKind::Function
                && let Some(mention) = found.mentions.get(name)
            {
                if mention.global.is_some() {
                    return None;
                }
                if mention.bound && mention.nonlocal.is_none() {
                    return Some(outer);
                }
            }
            outer = found.parent?;
        }
    }
}
