//! Resolution of names to variables of the function, of an enclosing function, or of the module.
//!
//! The rules are those of CPython's symbol tables: a name that a function binds anywhere is local in all of it, unless declared `global`
//! or `nonlocal`; functions do not see the names of an enclosing class body; a comprehension is a function, whose first iterable is
//! evaluated in the enclosing scope.

mod builder;

use goalspec_syntax::{Diagnostic, SourceFile};
use indexmap::{IndexMap, IndexSet};
use ruff_python_ast::name::Name;
use ruff_python_ast::{Decorator, Expr, ModModule, StmtFunctionDef};
use ruff_text_size::TextRange;
use rustc_hash::FxHashMap;

use crate::codes;
use crate::parse::span;

/// The name of the parameter of a comprehension that holds its iterator.
pub(crate) const ITERATOR_PARAMETER: &str = ".0";

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
struct NameRoles {
    is_bound: bool,
    is_parameter: bool,
    global_declaration: Option<TextRange>,
    nonlocal_declaration: Option<TextRange>,
}

/// The storage of a name's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameStorage {
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
    names: IndexMap<Name, NameRoles>,
    /// Whether the function contains `yield`.
    pub(crate) is_generator: bool,
    /// The variables that no inner function captures, parameters first.
    pub(crate) locals: IndexSet<Name>,
    /// The variables that inner functions capture.
    pub(crate) cells: IndexSet<Name>,
    /// The variables that are captured from enclosing functions.
    pub(crate) free: IndexSet<Name>,
}

/// The index of the module's scope.
pub(crate) const MODULE_SCOPE: usize = 0;

/// The scopes of a program.
#[derive(Debug)]
pub(crate) struct Scopes {
    list: Vec<Scope>,
    by_node: FxHashMap<TextRange, usize>,
    /// Errors in `global` and `nonlocal` declarations.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Scopes {
    /// Resolves the scopes of a module.
    pub(crate) fn of(module: &ModModule, source: &SourceFile) -> Self {
        let mut scopes = Self { list: Vec::new(), by_node: FxHashMap::default(), diagnostics: Vec::new() };
        builder::build_scopes(module, source, &mut scopes);
        scopes.resolve_names(source);
        scopes
    }

    /// Returns the index of the scope that a function, lambda, class or comprehension opens.
    pub(crate) fn index_of(&self, range: TextRange) -> usize {
        self.by_node[&range]
    }

    pub(crate) fn get(&self, scope: usize) -> &Scope {
        &self.list[scope]
    }

    /// Returns the index of a variable among the cells and free variables of a scope, if it is one of them.
    pub(crate) fn cell_index(&self, scope: usize, name: &Name) -> Option<u32> {
        let found = &self.list[scope];
        let free = || found.free.get_index_of(name).map(|place| found.cells.len() + place);
        found.cells.get_index_of(name).or_else(free).map(|place| place as u32)
    }

    /// Returns the storage of a name in a scope.
    pub(crate) fn storage(&self, scope: usize, name: &Name) -> NameStorage {
        let found = &self.list[scope];
        let mention = found.names.get(name).copied().unwrap_or_default();
        // A name that a class body binds belongs to the class, even if its functions capture an outer variable of the same name.
        if found.kind == ScopeKind::Class
            && mention.is_bound
            && mention.nonlocal_declaration.is_none()
            && mention.global_declaration.is_none()
        {
            return NameStorage::ClassName;
        }
        if let Some(place) = self.cell_index(scope, name) {
            return NameStorage::Cell(place);
        }
        if let Some(place) = found.locals.get_index_of(name) {
            return NameStorage::Local(place as u32);
        }
        if found.kind == ScopeKind::Class && mention.global_declaration.is_none() {
            NameStorage::ClassName
        } else {
            NameStorage::Global
        }
    }

    fn push_scope(&mut self, kind: ScopeKind, parent: Option<usize>, range: TextRange) -> usize {
        self.list.push(Scope {
            kind,
            parent,
            names: IndexMap::new(),
            is_generator: false,
            locals: IndexSet::new(),
            cells: IndexSet::new(),
            free: IndexSet::new(),
        });
        self.by_node.insert(range, self.list.len() - 1);
        self.list.len() - 1
    }

    /// Resolves all names. Enclosing scopes come before inner ones.
    fn resolve_names(&mut self, source: &SourceFile) {
        for scope in 0..self.list.len() {
            let mentions: Vec<(Name, NameRoles)> =
                self.list[scope].names.iter().map(|(name, mention)| (name.clone(), *mention)).collect();
            for (name, mention) in mentions {
                self.resolve_name(scope, &name, mention, source);
            }
        }
        // Captured variables are cells rather than locals.
        for scope in &mut self.list {
            let Scope { locals, cells, .. } = scope;
            locals.retain(|name| !cells.contains(name));
        }
    }

    fn resolve_name(&mut self, scope: usize, name: &Name, mention: NameRoles, source: &SourceFile) {
        if mention.global_declaration.is_some() {
            return;
        }
        let own = self.list[scope].kind == ScopeKind::Function;
        if mention.is_bound && mention.nonlocal_declaration.is_none() {
            if own {
                self.list[scope].locals.insert(name.clone());
            }
            return;
        }
        let Some(owner) = self.owning_scope(scope, name) else {
            if let Some(range) = mention.nonlocal_declaration {
                let message = format!("no enclosing function has a variable `{name}`");
                self.diagnostics.push(Diagnostic::error(codes::SCOPE, span(source, range), message));
            }
            return;
        };
        self.list[owner].cells.insert(name.clone());
        // Every scope between the owner and the use passes the variable on.
        let mut inner = scope;
        while inner != owner {
            self.list[inner].free.insert(name.clone());
            let Some(parent) = self.list[inner].parent else { return };
            inner = parent;
        }
    }

    /// Returns the enclosing function that owns the variable of this name.
    fn owning_scope(&self, scope: usize, name: &Name) -> Option<usize> {
        let mut outer = self.list[scope].parent?;
        loop {
            let found = &self.list[outer];
            if found.kind == ScopeKind::Function
                && let Some(mention) = found.names.get(name)
            {
                if mention.global_declaration.is_some() {
                    return None;
                }
                if mention.is_bound && mention.nonlocal_declaration.is_none() {
                    return Some(outer);
                }
            }
            outer = found.parent?;
        }
    }
}

/// Returns the first annotated parameter of a function with a decorator `register`, and its annotation: `singledispatch` selects the function
/// by it. Other annotations are not evaluated.
pub(crate) fn registered_annotation(function: &StmtFunctionDef) -> Option<(&str, &Expr)> {
    let registers = |decorator: &Decorator| {
        decorator.expression.as_attribute_expr().is_some_and(|attribute| attribute.attr.as_str() == "register")
    };
    let mut parameters = function.parameters.posonlyargs.iter().chain(&function.parameters.args);
    let annotated = parameters.find_map(|parameter| Some((parameter.name().as_str(), parameter.annotation()?)));
    annotated.filter(|_| function.decorator_list.iter().any(registers))
}
