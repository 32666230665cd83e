//! Changes of the objects that a function receives.

use goalspec_python_runtime::scene::World;
use goalspec_syntax::{Diagnostic, SourceFile, Span};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprContext, ModModule, Stmt, StmtFunctionDef};
use ruff_text_size::Ranged;
use rustc_hash::FxHashSet;

use super::flow;
use crate::codes;
use crate::parse::{parse, span};

/// Methods that change a list, a dictionary, a set or an object of a game.
const CHANGING_METHODS: [&str; 13] = [
    "_save_prev",
    "add",
    "append",
    "clear",
    "discard",
    "extend",
    "insert",
    "pop",
    "remove",
    "reverse",
    "setdefault",
    "sort",
    "update",
];

/// A change of an object that a function receives, or that one of its parameters contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectChange {
    /// The name of the function.
    pub function: String,
    /// The text of the statement.
    pub text: String,
    /// The position of the statement.
    pub span: Span,
}

/// Returns the changes of objects by the functions of a module, the first of each function. A list that a function builds itself is not
/// an object that it receives, nor is the value of a parameter with a default.
pub fn object_changes(source: &SourceFile) -> Vec<ObjectChange> {
    of_module(source, &parse(source).module, None)
}

/// Returns the changes by the functions of a module. In a known world, only attributes that it gives to objects can be changed: others
/// are the program's own.
pub(super) fn of_module(source: &SourceFile, module: &ModModule, world: Option<&World>) -> Vec<ObjectChange> {
    let functions = module.body.iter().filter_map(Stmt::as_function_def_stmt);
    functions.filter_map(|function| first_change(source, function, world)).collect()
}

/// Reports the changes by functions other than the `unused` ones.
pub(super) fn lint(
    source: &SourceFile,
    module: &ModModule,
    world: Option<&World>,
    unused: &[Diagnostic],
) -> Vec<Diagnostic> {
    let is_unused =
        |name: &str| unused.iter().any(|finding| finding.span.is_some_and(|span| source.slice(span) == name));
    let changes = of_module(source, module, world).into_iter().filter(|change| !is_unused(&change.function));
    let report = |change: ObjectChange| {
        let message = format!("`{}` changes the objects of the game: `{}`", change.function, change.text);
        Diagnostic::warning(codes::CHANGES_OBJECTS, change.span, message)
            .with_help("compute the reward from the objects, and keep own values in own variables")
    };
    changes.map(report).collect()
}

fn first_change<'f>(
    source: &SourceFile,
    function: &'f StmtFunctionDef,
    world: Option<&'f World>,
) -> Option<ObjectChange> {
    let parameters = function.parameters.iter().filter(|parameter| parameter.default().is_none());
    let received = parameters.map(|parameter| parameter.name().as_str()).collect();
    let mut search = ChangeSearch { received, world, range: None };
    search.visit_body(&function.body);
    let range = search.range?;
    let text: Vec<&str> = source.text()[range.to_std_range()].split_whitespace().collect();
    Some(ObjectChange { function: function.name.to_string(), text: text.join(" "), span: span(source, range) })
}

/// A search for the first statement that changes an object that a function receives.
struct ChangeSearch<'f> {
    /// The parameters, and the variables that stand for them or for a part of them.
    received: FxHashSet<&'f str>,
    world: Option<&'f World>,
    range: Option<ruff_text_size::TextRange>,
}

impl<'f> ChangeSearch<'f> {
    /// Whether an expression is a received object or a part of one.
    fn is_received(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Name(name) => self.received.contains(name.id.as_str()),
            Expr::Attribute(attribute) => self.is_received(&attribute.value),
            Expr::Subscript(subscript) => {
                // A slice of a list is a new list.
                !subscript.slice.is_slice_expr() && self.is_received(&subscript.value)
            }
            _ => false,
        }
    }

    fn bind(&mut self, target: &'f Expr, is_received: bool) {
        match target {
            Expr::Name(name) if is_received => drop(self.received.insert(&name.id)),
            Expr::Name(name) => drop(self.received.remove(name.id.as_str())),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|target| self.bind(target, is_received)),
            _ => {}
        }
    }

    /// Whether a target is a part of a received object.
    fn is_change(&self, target: &Expr) -> bool {
        match target {
            Expr::Attribute(attribute) => {
                attribute.ctx != ExprContext::Load
                    && self.is_received(&attribute.value)
                    && self.world.is_none_or(|world| flow::objects_have_attribute(world, &attribute.attr))
            }
            Expr::Subscript(subscript) => subscript.ctx != ExprContext::Load && self.is_received(&subscript.value),
            Expr::Tuple(tuple) => tuple.elts.iter().any(|target| self.is_change(target)),
            _ => false,
        }
    }

    /// Whether a statement changes a received object.
    fn changes(&self, statement: &Stmt) -> bool {
        match statement {
            Stmt::Assign(assign) => assign.targets.iter().any(|target| self.is_change(target)),
            Stmt::AugAssign(assign) => self.is_change(&assign.target),
            Stmt::Delete(delete) => delete.targets.iter().any(|target| self.is_change(target)),
            Stmt::Expr(expression) => {
                let method = expression.value.as_call_expr().and_then(|call| call.func.as_attribute_expr());
                method
                    .is_some_and(|method| CHANGING_METHODS.contains(&&*method.attr) && self.is_received(&method.value))
            }
            _ => false,
        }
    }
}

impl<'f> Visitor<'f> for ChangeSearch<'f> {
    fn visit_stmt(&mut self, statement: &'f Stmt) {
        if self.range.is_some() {
            return;
        }
        if self.changes(statement) {
            self.range = Some(statement.range());
            return;
        }
        match statement {
            Stmt::Assign(assign) => {
                let is_received = self.is_received(&assign.value);
                assign.targets.iter().for_each(|target| self.bind(target, is_received));
            }
            Stmt::For(each) => {
                let is_received = self.is_received(&each.iter) || self.is_enumeration(&each.iter);
                self.bind(&each.target, is_received);
            }
            // The parameters of nested functions are variables of their own.
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, _: &'f Expr) {}
}

impl ChangeSearch<'_> {
    /// Whether an expression enumerates, reverses, sorts or zips received objects, so that its elements are objects of the game.
    fn is_enumeration(&self, expression: &Expr) -> bool {
        let Some(call) = expression.as_call_expr() else { return false };
        let is_view = call.func.as_name_expr().is_some_and(|function| {
            matches!(function.id.as_str(), "enumerate" | "reversed" | "sorted" | "zip" | "list" | "tuple")
        });
        is_view && call.arguments.args.iter().any(|argument| self.is_received(argument))
    }
}
