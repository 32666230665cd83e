//! Which variable a name is: of the function, of one around it, or of the module.
//!
//! As `CPython`'s symbol tables have it: what a function binds anywhere is its own everywhere, unless it says `global` or `nonlocal`;
//! names in a class are not seen by its functions; a comprehension is a function of its own, whose first iterable is evaluated around it.

mod walk;

use goalspec_syntax::{Diagnostic, SourceFile};
use indexmap::{IndexMap, IndexSet};
use ruff_python_ast::ModModule;
use ruff_python_ast::name::Name;
use ruff_text_size::TextRange;
use rustc_hash::FxHashMap;

use crate::codes;
use crate::parse::span;

/// What a comprehension calls what it goes over.
pub(crate) const ITERATED: &str = ".0";

/// What kind of scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    Module,
    Class,
    /// A function, a lambda or a comprehension.
    Function,
}

/// What a scope says of a name.
#[derive(Debug, Clone, Copy, Default)]
struct Mention {
    bound: bool,
    parameter: bool,
    global: Option<TextRange>,
    nonlocal: Option<TextRange>,
}

/// Where the value of a name lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binding {
    /// A variable that only this function sees.
    Local(u32),
    /// A variable that functions inside see too, or one of a function around: by its place among the scope's
    /// [cells](Scope::cells) and [free](Scope::free) variables, in this order.
    Cell(u32),
    /// A name of a class body: the class's own, then as a global.
    ClassName,
    /// A global of the module, or a name that is built in.
    Global,
}

/// The names of one function, class or module.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) kind: ScopeKind,
    parent: Option<usize>,
    mentions: IndexMap<Name, Mention>,
    /// Variables that only this function sees, parameters first.
    pub(crate) locals: IndexSet<Name>,
    /// Variables of this function that functions inside see too.
    pub(crate) cells: IndexSet<Name>,
    /// Variables of functions around.
    pub(crate) free: IndexSet<Name>,
}

/// The scope of the module.
pub(crate) const MODULE: usize = 0;

/// The scopes of a program.
#[derive(Debug)]
pub(crate) struct Scopes {
    all: Vec<Scope>,
    by_node: FxHashMap<TextRange, usize>,
    /// Declarations that contradict each other.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Scopes {
    /// Finds the scopes of a module.
    pub(crate) fn of(module: &ModModule, source: &SourceFile) -> Self {
        let mut scopes = Self { all: Vec::new(), by_node: FxHashMap::default(), diagnostics: Vec::new() };
        walk::walk(module, source, &mut scopes);
        scopes.settle(source);
        scopes
    }

    /// The scope that a function, lambda, class or comprehension opens.
    pub(crate) fn at(&self, range: TextRange) -> usize {
        self.by_node[&range]
    }

    pub(crate) fn get(&self, scope: usize) -> &Scope {
        &self.all[scope]
    }

    /// The place of a variable among the cells and free variables of a scope, if it is one of them.
    pub(crate) fn cell(&self, scope: usize, name: &Name) -> Option<u32> {
        let found = &self.all[scope];
        let free = || found.free.get_index_of(name).map(|place| found.cells.len() + place);
        found.cells.get_index_of(name).or_else(free).map(|place| place as u32)
    }

    /// Where a name of a scope lies.
    pub(crate) fn binding(&self, scope: usize, name: &Name) -> Binding {
        let found = &self.all[scope];
        let mention = found.mentions.get(name).copied().unwrap_or_default();
        // What a class body binds is the class's own, even if its functions mean a variable around it.
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

    /// Decides what every name is. Scopes stand after those around them.
    fn settle(&mut self, source: &SourceFile) {
        for scope in 0..self.all.len() {
            let mentions: Vec<(Name, Mention)> =
                self.all[scope].mentions.iter().map(|(name, mention)| (name.clone(), *mention)).collect();
            for (name, mention) in mentions {
                self.settle_name(scope, &name, mention, source);
            }
        }
        // What functions inside need does not stay among the locals.
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
                let message = format!("no function around has a variable `{name}`");
                self.diagnostics.push(Diagnostic::error(codes::SCOPE, span(source, range), message));
            }
            return;
        };
        self.all[owner].cells.insert(name.clone());
        // Every scope on the way hands it on.
        let mut inner = scope;
        while inner != owner {
            self.all[inner].free.insert(name.clone());
            let Some(parent) = self.all[inner].parent else { return };
            inner = parent;
        }
    }

    /// The function around a scope that a name is a variable of.
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
