//! Components of the reward that are computed but never contribute to it.

use goalspec_syntax::{Diagnostic, SourceFile};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Identifier, ModModule, Operator, Stmt, StmtFunctionDef};
use ruff_text_size::TextRange;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::parse::span;

/// Words that mark the name of a reward component.
const WORDS: [&str; 7] = ["reward", "bonus", "penalty", "cost", "shaping", "component", "score"];

/// Methods that store their arguments.
const STORING: [&str; 7] = ["append", "add", "extend", "insert", "update", "setdefault", "appendleft"];

/// Reports the components that the functions of a module compute and never use.
pub(super) fn lint(source: &SourceFile, module: &ModModule) -> Vec<Diagnostic> {
    let mut numeric = Numeric(FxHashSet::default());
    numeric.visit_body(&module.body);
    let functions = module.body.iter().filter_map(Stmt::as_function_def_stmt);
    functions.flat_map(|function| unused(source, function, &numeric.0)).collect()
}

fn unused<'w>(source: &SourceFile, function: &'w StmtFunctionDef, numeric: &'w FxHashSet<&'w str>) -> Vec<Diagnostic> {
    let mut walk = Walk {
        used: FxHashSet::default(),
        flows: FxHashMap::default(),
        given: FxHashMap::default(),
        others: FxHashSet::default(),
        into: None,
        told: FxHashSet::default(),
        numeric,
    };
    walk.visit_body(&function.body);
    let parameters = function.parameters.iter().map(|parameter| parameter.name().as_str());
    let Walk { mut used, mut flows, given, others, told, .. } = walk;
    used.extend(parameters.chain(others));
    // Usage is transitive: the operands of a used value are used.
    let mut open: Vec<&str> = used.iter().copied().collect();
    while let Some(name) = open.pop() {
        let parts = flows.remove(name).unwrap_or_default();
        open.extend(parts.into_iter().filter(|part| used.insert(part)));
    }
    let mut found = Vec::new();
    for (name, given) in given {
        let named = told.contains(name) || WORDS.iter().any(|word| name.to_lowercase().contains(word));
        let is_part = given.iter().all(|given| given.number) && (named || given.iter().any(|given| given.adds));
        let Some(first) = given.first().filter(|_| is_part && !used.contains(name) && !name.starts_with('_')) else {
            continue;
        };
        let message = if told.contains(name) {
            format!("the component `{name}` does not contribute to the reward")
        } else {
            format!("`{name}` does not contribute to the return value of `{}`", function.name)
        };
        let at = given.iter().find(|given| given.adds).map_or(first.at, |given| given.at);
        let finding = Diagnostic::warning(codes::COMPONENT_UNUSED, span(source, at), message);
        found.push((at.start(), finding.with_help(format!("add `{name}` to the return value, or remove it"))));
    }
    found.sort_by_key(|(start, _)| *start);
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// An assignment to a variable.
struct Given {
    at: TextRange,
    /// Whether the value is a number, as far as its syntax tells.
    number: bool,
    /// Whether the value is added to the previous one.
    adds: bool,
}

struct Walk<'w> {
    /// The variables whose values are used.
    used: FxHashSet<&'w str>,
    /// For each variable, the variables in the expressions that are assigned to it.
    flows: FxHashMap<&'w str, Vec<&'w str>>,
    given: FxHashMap<&'w str, Vec<Given>>,
    /// Variables that are bound other than by assignments.
    others: FxHashSet<&'w str>,
    /// The target of the assignment whose value is being visited.
    into: Option<&'w str>,
    /// The variables that are returned beside the reward, as its components.
    told: FxHashSet<&'w str>,
    /// The functions that return numbers.
    numeric: &'w FxHashSet<&'w str>,
}

impl<'w> Walk<'w> {
    fn is_number(&self, expression: &Expr) -> bool {
        is_number(expression, self.numeric)
    }

    fn assign(&mut self, name: &'w str, value: &'w Expr, given: Given) {
        self.given.entry(name).or_default().push(given);
        let around = self.into.replace(name);
        self.visit_expr(value);
        self.into = around;
    }
}

impl<'w> Visitor<'w> for Walk<'w> {
    fn visit_stmt(&mut self, statement: &'w Stmt) {
        match statement {
            Stmt::Assign(assign) => {
                if let [Expr::Name(name)] = &assign.targets[..] {
                    let given = Given { at: name.range, number: self.is_number(&assign.value), adds: false };
                    return self.assign(&name.id, &assign.value, given);
                }
            }
            Stmt::AnnAssign(assign) => {
                if let (Expr::Name(name), Some(value)) = (&*assign.target, &assign.value) {
                    let given = Given { at: name.range, number: self.is_number(value), adds: false };
                    return self.assign(&name.id, value, given);
                }
            }
            Stmt::AugAssign(assign) => {
                if let Expr::Name(name) = &*assign.target {
                    let adds = matches!(assign.op, Operator::Add | Operator::Sub);
                    let number = !matches!(&*assign.value, Expr::List(_) | Expr::ListComp(_) | Expr::StringLiteral(_));
                    return self.assign(&name.id, &assign.value, Given { at: name.range, number, adds });
                }
            }
            // `return total, {"near": near}`
            Stmt::Return(returned) => {
                if let Some(Expr::Tuple(pair)) = returned.value.as_deref()
                    && let [reward, Expr::Dict(components)] = &pair.elts[..]
                {
                    let parts = components.items.iter().map(|item| &item.value);
                    self.told.extend(parts.filter_map(|part| part.as_name_expr().map(|name| name.id.as_str())));
                    let others = components.items.iter().map(|item| &item.value).filter(|part| !part.is_name_expr());
                    others.for_each(|part| self.visit_expr(part));
                    return self.visit_expr(reward);
                }
            }
            // A bare `total + near` has no effect.
            Stmt::Expr(expression) if expression.value.is_bin_op_expr() && !calls(&expression.value) => return,
            Stmt::Global(names) => self.others.extend(names.names.iter().map(Identifier::as_str)),
            Stmt::Nonlocal(names) => self.others.extend(names.names.iter().map(Identifier::as_str)),
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'w Expr) {
        match expression {
            Expr::Name(name) if name.ctx.is_load() => match self.into {
                Some(into) if into == name.id.as_str() => {}
                Some(into) => self.flows.entry(into).or_default().push(&name.id),
                None => {
                    self.used.insert(&name.id);
                }
            },
            Expr::Name(name) => {
                self.others.insert(&name.id);
            }
            Expr::Call(call) => {
                let stores = matches!(&*call.func, Expr::Attribute(method) if STORING.contains(&method.attr.as_str()));
                let around = if stores { self.into.take() } else { self.into };
                visitor::walk_expr(self, expression);
                self.into = around;
            }
            _ => visitor::walk_expr(self, expression),
        }
    }
}

/// Returns whether an expression contains a call.
fn calls(expression: &Expr) -> bool {
    struct Calls(bool);
    impl<'a> Visitor<'a> for Calls {
        fn visit_expr(&mut self, expression: &'a Expr) {
            self.0 |= matches!(expression, Expr::Call(_) | Expr::Named(_));
            visitor::walk_expr(self, expression);
        }
    }
    let mut walk = Calls(false);
    walk.visit_expr(expression);
    walk.0
}

/// The functions that only return numbers, as far as their syntax tells.
struct Numeric<'n>(FxHashSet<&'n str>);

impl<'n> Visitor<'n> for Numeric<'n> {
    fn visit_stmt(&mut self, statement: &'n Stmt) {
        if let Stmt::FunctionDef(function) = statement {
            let mut returns = Returns { all: true, some: false };
            returns.visit_body(&function.body);
            if returns.all && returns.some {
                self.0.insert(&function.name);
            }
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, _: &'n Expr) {}
}

/// A summary of the `return` statements of a function, without those of nested functions.
struct Returns {
    all: bool,
    some: bool,
}

impl<'a> Visitor<'a> for Returns {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            Stmt::Return(returned) => {
                self.all &= returned.value.as_deref().is_some_and(|value| is_number(value, &FxHashSet::default()));
                self.some = true;
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
