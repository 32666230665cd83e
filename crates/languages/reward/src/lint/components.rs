//! Components of the reward that are computed but never contribute to it.

use goalspec_python_runtime::library::{MethodEffect, collection_methods};
use goalspec_syntax::{Diagnostic, SourceFile};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Identifier, ModModule, Operator, Pattern, Stmt, StmtFunctionDef};
use ruff_text_size::TextRange;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::parse::span;
use crate::patterns;

/// Words that mark the name of a reward component.
const COMPONENT_WORDS: [&str; 7] = ["reward", "bonus", "penalty", "cost", "shaping", "component", "score"];

/// Reports the components that the functions of a module compute and never use.
pub(super) fn lint(source: &SourceFile, module: &ModModule) -> Vec<Diagnostic> {
    let mut numeric = NumericFunctions(FxHashSet::default());
    numeric.visit_body(&module.body);
    let functions = module.body.iter().filter_map(Stmt::as_function_def_stmt);
    functions.flat_map(|function| unused_components(source, function, &numeric.0)).collect()
}

fn unused_components<'w>(
    source: &SourceFile,
    function: &'w StmtFunctionDef,
    numeric: &'w FxHashSet<&'w str>,
) -> Vec<Diagnostic> {
    let mut walk = ComponentVisitor {
        used_variables: FxHashSet::default(),
        operands: FxHashMap::default(),
        assignments: FxHashMap::default(),
        other_bindings: FxHashSet::default(),
        target: None,
        components: FxHashSet::default(),
        numeric_functions: numeric,
    };
    walk.visit_body(&function.body);
    let parameters = function.parameters.iter().map(|parameter| parameter.name().as_str());
    let ComponentVisitor {
        used_variables: mut used,
        operands: mut flows,
        assignments,
        other_bindings: others,
        components,
        ..
    } = walk;
    used.extend(parameters.chain(others));
    // Usage is transitive: the operands of a used value are used.
    let mut open: Vec<&str> = used.iter().copied().collect();
    while let Some(name) = open.pop() {
        let parts = flows.remove(name).unwrap_or_default();
        open.extend(parts.into_iter().filter(|part| used.insert(part)));
    }
    let mut found = Vec::new();
    for (name, assignments) in assignments {
        let named = components.contains(name) || COMPONENT_WORDS.iter().any(|word| name.to_lowercase().contains(word));
        let is_part = assignments.iter().all(|assignment| assignment.is_number)
            && (named || assignments.iter().any(|assignment| assignment.is_addition));
        let Some(first) = assignments.first().filter(|_| is_part && !used.contains(name) && !name.starts_with('_'))
        else {
            continue;
        };
        let message = if components.contains(name) {
            format!("the component `{name}` does not contribute to the reward")
        } else {
            format!("`{name}` does not contribute to the return value of `{}`", function.name)
        };
        let at = assignments
            .iter()
            .find(|assignment| assignment.is_addition)
            .map_or(first.range, |assignment| assignment.range);
        let finding = Diagnostic::warning(codes::COMPONENT_UNUSED, span(source, at), message);
        found.push((at.start(), finding.with_help(format!("add `{name}` to the return value, or remove it"))));
    }
    found.sort_by_key(|(start, _)| *start);
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// An assignment to a variable.
struct Assignment {
    range: TextRange,
    /// Whether the value is a number, as far as its syntax tells.
    is_number: bool,
    /// Whether the value is added to the previous one.
    is_addition: bool,
}

struct ComponentVisitor<'w> {
    /// The variables whose values are used.
    used_variables: FxHashSet<&'w str>,
    /// For each variable, the variables in the expressions that are assigned to it.
    operands: FxHashMap<&'w str, Vec<&'w str>>,
    assignments: FxHashMap<&'w str, Vec<Assignment>>,
    /// Variables that are bound other than by assignments.
    other_bindings: FxHashSet<&'w str>,
    /// The target of the assignment whose value is being visited.
    target: Option<&'w str>,
    /// The variables that are returned beside the reward, as its components.
    components: FxHashSet<&'w str>,
    /// The functions that return numbers.
    numeric_functions: &'w FxHashSet<&'w str>,
}

impl<'w> ComponentVisitor<'w> {
    fn is_number(&self, expression: &Expr) -> bool {
        is_number(expression, self.numeric_functions)
    }

    fn record_assignment(&mut self, name: &'w str, value: &'w Expr, assignment: Assignment) {
        self.assignments.entry(name).or_default().push(assignment);
        let around = self.target.replace(name);
        self.visit_expr(value);
        self.target = around;
    }
}

impl<'w> Visitor<'w> for ComponentVisitor<'w> {
    fn visit_stmt(&mut self, statement: &'w Stmt) {
        match statement {
            Stmt::Assign(assign) => {
                if let [Expr::Name(name)] = &assign.targets[..] {
                    let assignment =
                        Assignment { range: name.range, is_number: self.is_number(&assign.value), is_addition: false };
                    return self.record_assignment(&name.id, &assign.value, assignment);
                }
            }
            Stmt::AnnAssign(assign) => {
                if let (Expr::Name(name), Some(value)) = (&*assign.target, &assign.value) {
                    let assignment =
                        Assignment { range: name.range, is_number: self.is_number(value), is_addition: false };
                    return self.record_assignment(&name.id, value, assignment);
                }
            }
            Stmt::AugAssign(assign) => {
                if let Expr::Name(name) = &*assign.target {
                    let adds = matches!(assign.op, Operator::Add | Operator::Sub);
                    let number = !matches!(&*assign.value, Expr::List(_) | Expr::ListComp(_) | Expr::StringLiteral(_));
                    return self.record_assignment(
                        &name.id,
                        &assign.value,
                        Assignment { range: name.range, is_number: number, is_addition: adds },
                    );
                }
            }
            // `return total, {"near": near}`
            Stmt::Return(returned) => {
                if let Some(Expr::Tuple(pair)) = returned.value.as_deref()
                    && let [reward, Expr::Dict(components)] = &pair.elts[..]
                {
                    let parts = components.items.iter().map(|item| &item.value);
                    self.components.extend(parts.filter_map(|part| part.as_name_expr().map(|name| name.id.as_str())));
                    let others = components.items.iter().map(|item| &item.value).filter(|part| !part.is_name_expr());
                    others.for_each(|part| self.visit_expr(part));
                    return self.visit_expr(reward);
                }
            }
            // A bare `total + near` has no effect.
            Stmt::Expr(expression) if expression.value.is_bin_op_expr() && !contains_call(&expression.value) => return,
            Stmt::Global(names) => self.other_bindings.extend(names.names.iter().map(Identifier::as_str)),
            Stmt::Nonlocal(names) => self.other_bindings.extend(names.names.iter().map(Identifier::as_str)),
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_pattern(&mut self, pattern: &'w Pattern) {
        self.other_bindings.extend(patterns::bound_name(pattern).map(Identifier::as_str));
        visitor::walk_pattern(self, pattern);
    }

    fn visit_expr(&mut self, expression: &'w Expr) {
        match expression {
            Expr::Name(name) if name.ctx.is_load() => match self.target {
                Some(into) if into == name.id.as_str() => {}
                Some(into) => self.operands.entry(into).or_default().push(&name.id),
                None => {
                    self.used_variables.insert(&name.id);
                }
            },
            Expr::Name(name) => {
                self.other_bindings.insert(&name.id);
            }
            Expr::Call(call) => {
                let stores = matches!(&*call.func, Expr::Attribute(method)
                    if collection_methods(&method.attr).any(|row| row.effect == MethodEffect::Adds));
                let around = if stores { self.target.take() } else { self.target };
                visitor::walk_expr(self, expression);
                self.target = around;
            }
            _ => visitor::walk_expr(self, expression),
        }
    }
}

/// Returns whether an expression contains a call.
fn contains_call(expression: &Expr) -> bool {
    struct CallFinder(bool);
    impl<'a> Visitor<'a> for CallFinder {
        fn visit_expr(&mut self, expression: &'a Expr) {
            self.0 |= matches!(expression, Expr::Call(_) | Expr::Named(_));
            visitor::walk_expr(self, expression);
        }
    }
    let mut walk = CallFinder(false);
    walk.visit_expr(expression);
    walk.0
}

/// The functions that only return numbers, as far as their syntax tells.
struct NumericFunctions<'n>(FxHashSet<&'n str>);

impl<'n> Visitor<'n> for NumericFunctions<'n> {
    fn visit_stmt(&mut self, statement: &'n Stmt) {
        if let Stmt::FunctionDef(function) = statement {
            let mut returns = ReturnSummary { all_numeric: true, has_return: false };
            returns.visit_body(&function.body);
            if returns.all_numeric && returns.has_return {
                self.0.insert(&function.name);
            }
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, _: &'n Expr) {}
}

/// A summary of the `return` statements of a function, without those of nested functions.
struct ReturnSummary {
    all_numeric: bool,
    has_return: bool,
}

impl<'a> Visitor<'a> for ReturnSummary {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            Stmt::Return(returned) => {
                self.all_numeric &=
                    returned.value.as_deref().is_some_and(|value| is_number(value, &FxHashSet::default()));
                self.has_return = true;
            }
            _ => visitor::walk_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, _: &'a Expr) {}
}

/// Returns whether an expression is a number, as far as its syntax tells.
fn is_number(expression: &Expr, numeric: &FxHashSet<&str>) -> bool {
    let is_number = |expression: &Expr| is_number(expression, numeric);
    match expression {
        Expr::NumberLiteral(_) => true,
        Expr::UnaryOp(operation) => operation.op != ruff_python_ast::UnaryOp::Not && is_number(&operation.operand),
        Expr::BinOp(operation) => {
            operation.op == Operator::Div || is_number(&operation.left) || is_number(&operation.right)
        }
        Expr::If(choice) => is_number(&choice.body) && is_number(&choice.orelse),
        Expr::Call(call) => match &*call.func {
            Expr::Name(name) => match name.id.as_str() {
                "abs" | "float" | "int" | "len" | "round" => true,
                "min" | "max" | "sum" => call.arguments.args.iter().any(is_number),
                function => numeric.contains(function),
            },
            Expr::Attribute(function) => {
                let library = function.value.as_name_expr();
                library.is_some_and(|name| matches!(name.id.as_str(), "math" | "np" | "numpy"))
            }
            _ => false,
        },
        _ => false,
    }
}
