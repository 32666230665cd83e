//! State that a program keeps between calls.

use goalspec_syntax::{SourceFile, Span};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::Ranged;
use rustc_hash::FxHashSet;

use crate::parse::{parse, span};

/// Methods that change lists, sets, dicts and deques.
const CHANGING: [&str; 16] = [
    "append",
    "appendleft",
    "add",
    "clear",
    "discard",
    "extend",
    "insert",
    "pop",
    "popitem",
    "popleft",
    "remove",
    "reverse",
    "setdefault",
    "sort",
    "subtract",
    "update",
];

/// Returns the names of the state that functions change for later calls, such as global variables, with the first change of each.
pub fn kept_state(source: &SourceFile) -> Vec<(String, Span)> {
    let module = parse(source).module;
    let mut names = FxHashSet::default();
    for statement in &module.body {
        match statement {
            Stmt::Assign(assign) => {
                names.extend(assign.targets.iter().filter_map(Expr::as_name_expr).map(|name| &*name.id));
            }
            Stmt::AnnAssign(assign) => names.extend(assign.target.as_name_expr().map(|name| &*name.id)),
            Stmt::FunctionDef(function) => {
                names.insert(function.name.as_str());
            }
            _ => {}
        }
    }
    let mut state = State { source, names, functions: 0, methods: false, found: Vec::new() };
    state.visit_body(&module.body);
    state.found
}

struct State<'s> {
    source: &'s SourceFile,
    /// The names that the module itself defines.
    names: FxHashSet<&'s str>,
    /// The number of enclosing functions.
    functions: usize,
    /// Whether the innermost function is not a constructor, so that its changes of `self` are visible to later calls.
    methods: bool,
    found: Vec<(String, Span)>,
}

impl State<'_> {
    fn note(&mut self, name: String, at: &impl Ranged) {
        if !self.found.iter().any(|(known, _)| *known == name) {
            self.found.push((name, span(self.source, at.range())));
        }
    }

    /// Records the target of an assignment.
    fn target(&mut self, target: &Expr) {
        match target {
            Expr::Subscript(item) => {
                if let Some(name) = self.kept(&item.value) {
                    self.note(name, target);
                }
            }
            Expr::Attribute(attribute) => {
                let name = attribute.value.as_name_expr().map(|name| name.id.as_str());
                let of_self = name == Some("self") && self.methods;
                if of_self || name.is_some_and(|name| self.names.contains(name)) {
                    self.note(format!("{}.{}", name.unwrap_or_default(), attribute.attr), target);
                }
            }
            Expr::Tuple(parts) => parts.elts.iter().for_each(|part| self.target(part)),
            _ => {}
        }
    }

    /// Returns the name of a value that is changed in place, if it outlives the call.
    fn kept(&self, value: &Expr) -> Option<String> {
        match value {
            Expr::Name(name) => self.names.contains(name.id.as_str()).then(|| name.id.to_string()),
            Expr::Attribute(attribute) => {
                let name = attribute.value.as_name_expr()?.id.as_str();
                let outlives = name == "self" && self.methods || self.names.contains(name);
                outlives.then(|| format!("{name}.{}", attribute.attr))
            }
            _ => None,
        }
    }
}

impl<'a> Visitor<'a> for State<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(function) => {
                let around = (self.functions, self.methods);
                self.functions += 1;
                self.methods = function.name.as_str() != "__init__";
                visitor::walk_stmt(self, statement);
                (self.functions, self.methods) = around;
                return;
            }
            Stmt::Global(global) => global.names.iter().for_each(|name| self.note(name.to_string(), name)),
            Stmt::Nonlocal(nonlocal) => nonlocal.names.iter().for_each(|name| self.note(name.to_string(), name)),
            Stmt::Assign(assign) if self.functions > 0 => assign.targets.iter().for_each(|target| self.target(target)),
            Stmt::AugAssign(assign) if self.functions > 0 => self.target(&assign.target),
            Stmt::AnnAssign(assign) if self.functions > 0 => self.target(&assign.target),
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Call(call) = expression
            && let Expr::Attribute(method) = &*call.func
            && self.functions > 0
            && CHANGING.contains(&method.attr.as_str())
            && let Some(name) = self.kept(&method.value)
        {
            self.note(name, expression);
        }
        visitor::walk_expr(self, expression);
    }
}
