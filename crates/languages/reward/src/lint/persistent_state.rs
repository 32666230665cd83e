//! State that a program keeps between calls.

use goalspec_python_runtime::library::methods;
use goalspec_syntax::{SourceFile, Span};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::Ranged;
use rustc_hash::FxHashSet;

use crate::parse::{parse, span};

/// Returns the names of the state that functions change for later calls, such as global variables, with the first change of each.
pub fn persistent_state(source: &SourceFile) -> Vec<(String, Span)> {
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
    let mut state = StateCollector {
        source,
        generators: generator_modules(&module.body),
        module_names: names,
        function_depth: 0,
        is_self_persistent: false,
        mutations: Vec::new(),
    };
    state.visit_body(&module.body);
    state.mutations
}

/// Returns the names by which a program reaches `random` and `numpy.random`, such as `np.random`.
fn generator_modules(body: &[Stmt]) -> FxHashSet<String> {
    let mut names = FxHashSet::default();
    for statement in body {
        let Stmt::Import(import) = statement else { continue };
        for alias in &import.names {
            let bound = alias.asname.as_ref().unwrap_or(&alias.name);
            match alias.name.as_str() {
                "random" | "numpy.random" => names.insert(bound.to_string()),
                "numpy" => names.insert(format!("{bound}.random")),
                _ => continue,
            };
        }
    }
    names
}

/// Returns a name with dots, such as `np.random`; `None` for other expressions.
fn dotted_name(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Name(name) => Some(name.id.to_string()),
        Expr::Attribute(attribute) => Some(format!("{}.{}", attribute.value.as_name_expr()?.id, attribute.attr)),
        _ => None,
    }
}

struct StateCollector<'s> {
    source: &'s SourceFile,
    /// The names of the modules whose functions change a generator of random numbers.
    generators: FxHashSet<String>,
    /// The names that the module itself defines.
    module_names: FxHashSet<&'s str>,
    /// The number of enclosing functions.
    function_depth: usize,
    /// Whether the innermost function is not a constructor, so that its changes of `self` are visible to later calls.
    is_self_persistent: bool,
    mutations: Vec<(String, Span)>,
}

impl StateCollector<'_> {
    fn record(&mut self, name: String, at: &impl Ranged) {
        if !self.mutations.iter().any(|(known, _)| *known == name) {
            self.mutations.push((name, span(self.source, at.range())));
        }
    }

    /// Records the target of an assignment.
    fn record_target(&mut self, target: &Expr) {
        match target {
            Expr::Subscript(item) => {
                if let Some(name) = self.persistent_name(&item.value) {
                    self.record(name, target);
                }
            }
            Expr::Attribute(attribute) => {
                let name = attribute.value.as_name_expr().map(|name| name.id.as_str());
                let of_self = name == Some("self") && self.is_self_persistent;
                if of_self || name.is_some_and(|name| self.module_names.contains(name)) {
                    self.record(format!("{}.{}", name.unwrap_or_default(), attribute.attr), target);
                }
            }
            Expr::Tuple(parts) => parts.elts.iter().for_each(|part| self.record_target(part)),
            _ => {}
        }
    }

    /// Returns the name of a value that is changed in place, if it outlives the call.
    fn persistent_name(&self, value: &Expr) -> Option<String> {
        match value {
            Expr::Name(name) => self.module_names.contains(name.id.as_str()).then(|| name.id.to_string()),
            Expr::Attribute(attribute) => {
                let name = attribute.value.as_name_expr()?.id.as_str();
                let outlives = name == "self" && self.is_self_persistent || self.module_names.contains(name);
                outlives.then(|| format!("{name}.{}", attribute.attr))
            }
            _ => None,
        }
    }
}

impl<'a> Visitor<'a> for StateCollector<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(function) => {
                let around = (self.function_depth, self.is_self_persistent);
                self.function_depth += 1;
                self.is_self_persistent = function.name.as_str() != "__init__";
                visitor::walk_stmt(self, statement);
                (self.function_depth, self.is_self_persistent) = around;
                return;
            }
            Stmt::Global(global) => global.names.iter().for_each(|name| self.record(name.to_string(), name)),
            Stmt::Nonlocal(nonlocal) => nonlocal.names.iter().for_each(|name| self.record(name.to_string(), name)),
            Stmt::Assign(assign) if self.function_depth > 0 => {
                assign.targets.iter().for_each(|target| self.record_target(target));
            }
            Stmt::AugAssign(assign) if self.function_depth > 0 => self.record_target(&assign.target),
            Stmt::AnnAssign(assign) if self.function_depth > 0 => self.record_target(&assign.target),
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Call(call) = expression
            && let Expr::Attribute(function) = &*call.func
            && let Some(module) = dotted_name(&function.value)
            && self.generators.contains(&module)
        {
            self.record(module, expression);
        }
        if let Expr::Call(call) = expression
            && let Expr::Attribute(method) = &*call.func
            && self.function_depth > 0
            && methods().any(|row| row.name == method.attr.as_str() && row.mutates_receiver())
            && let Some(name) = self.persistent_name(&method.value)
        {
            self.record(name, expression);
        }
        visitor::walk_expr(self, expression);
    }
}
