//! The names that a program and its functions bind and mention.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ExceptHandler, Expr, Identifier, Stmt, StmtFunctionDef};
use rustc_hash::{FxHashMap, FxHashSet};

/// Methods that change their receiver.
const CHANGING: [&str; 9] = ["append", "insert", "extend", "remove", "pop", "clear", "sort", "reverse", "update"];

/// Returns the variables of a function, parameters first.
pub(super) fn variables(function: &StmtFunctionDef) -> Vec<&str> {
    let mut names: Vec<&str> = function.parameters.iter().map(|parameter| parameter.name().as_str()).collect();
    names.extend(bound(&function.body));
    let mut seen = FxHashSet::default();
    names.retain(|name| seen.insert(*name));
    names
}

/// Returns the names that statements bind, without those in nested functions and classes.
pub(super) fn bound(body: &[Stmt]) -> Vec<&str> {
    struct Walk<'n>(Vec<&'n str>);
    impl<'a> Visitor<'a> for Walk<'a> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            match statement {
                Stmt::FunctionDef(function) => self.0.push(&function.name),
                Stmt::ClassDef(class) => self.0.push(&class.name),
                Stmt::Import(import) => {
                    for alias in &import.names {
                        let whole = alias.asname.as_ref().unwrap_or(&alias.name);
                        self.0.push(whole.split('.').next().unwrap_or_default());
                    }
                }
                Stmt::ImportFrom(import) => {
                    let names = import.names.iter().map(|alias| alias.asname.as_ref().unwrap_or(&alias.name));
                    self.0.extend(names.map(Identifier::as_str));
                }
                _ => visitor::walk_stmt(self, statement),
            }
        }
        fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
            let ExceptHandler::ExceptHandler(caught) = handler;
            self.0.extend(caught.name.as_ref().map(Identifier::as_str));
            visitor::walk_except_handler(self, handler);
        }
        fn visit_expr(&mut self, expression: &'a Expr) {
            match expression {
                Expr::Name(name) if !name.ctx.is_load() => self.0.push(&name.id),
                // Lambdas and comprehensions have variables of their own.
                Expr::Lambda(_) => {}
                Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_) => {
                    self.0.extend(named(expression));
                }
                _ => visitor::walk_expr(self, expression),
            }
        }
    }
    let mut walk = Walk(Vec::new());
    walk.visit_body(body);
    walk.0
}

/// The attributes that a program sets.
#[derive(Debug, Default)]
pub(super) struct Stored<'n> {
    names: FxHashSet<&'n str>,
    /// Whether some of the names are only known at run time.
    any: bool,
}

impl Stored<'_> {
    pub(super) fn has(&self, name: &str) -> bool {
        self.any || self.names.contains(name)
    }
}

/// Returns the names that functions declare as `global` or `nonlocal`, so that calls may change them, and the attributes that the program
/// sets.
pub(super) fn shared(body: &[Stmt]) -> (FxHashSet<&str>, Stored<'_>) {
    #[derive(Default)]
    struct Walk<'n>(FxHashSet<&'n str>, Stored<'n>);
    impl<'a> Visitor<'a> for Walk<'a> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            match statement {
                Stmt::Global(names) => self.0.extend(names.names.iter().map(Identifier::as_str)),
                Stmt::Nonlocal(names) => self.0.extend(names.names.iter().map(Identifier::as_str)),
                // `a.b += c` requires that the attribute exists.
                Stmt::AugAssign(assign) => return self.visit_expr(&assign.value),
                _ => {}
            }
            visitor::walk_stmt(self, statement);
        }
        fn visit_expr(&mut self, expression: &'a Expr) {
            match expression {
                Expr::Attribute(attribute) if !attribute.ctx.is_load() => {
                    self.1.names.insert(&attribute.attr);
                }
                Expr::Call(call) if call.func.as_name_expr().is_some_and(|name| name.id.as_str() == "setattr") => {
                    match call.arguments.args.get(1) {
                        Some(Expr::StringLiteral(name)) => {
                            self.1.names.insert(name.value.to_str());
                        }
                        _ => self.1.any = true,
                    }
                }
                _ => {}
            }
            visitor::walk_expr(self, expression);
        }
    }
    let mut walk = Walk::default();
    walk.visit_body(body);
    (walk.0, walk.1)
}

/// Returns the names of the module that this function alone assigns.
pub(super) fn own_globals<'n>(function: &'n StmtFunctionDef, body: &'n [Stmt]) -> FxHashSet<&'n str> {
    struct Walk<'n> {
        of: &'n StmtFunctionDef,
        inside: bool,
        own: FxHashSet<&'n str>,
        others: FxHashSet<&'n str>,
    }
    impl<'a> Visitor<'a> for Walk<'a> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            match statement {
                Stmt::Global(names) => {
                    let side = if self.inside { &mut self.own } else { &mut self.others };
                    side.extend(names.names.iter().map(Identifier::as_str));
                }
                Stmt::Nonlocal(names) => self.others.extend(names.names.iter().map(Identifier::as_str)),
                Stmt::FunctionDef(function) => {
                    let inside = std::mem::replace(&mut self.inside, std::ptr::eq(function, self.of));
                    visitor::walk_stmt(self, statement);
                    self.inside = inside;
                    return;
                }
                _ => {}
            }
            visitor::walk_stmt(self, statement);
        }
        fn visit_expr(&mut self, _: &'a Expr) {}
    }
    let mut walk = Walk { of: function, inside: false, own: FxHashSet::default(), others: FxHashSet::default() };
    walk.visit_body(body);
    walk.own.retain(|name| !walk.others.contains(name));
    walk.own
}

/// Returns whether a function may change lists that are passed to it.
pub(super) fn changes_parameters(function: &StmtFunctionDef) -> bool {
    struct Walk(bool);
    impl<'a> Visitor<'a> for Walk {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            match statement {
                Stmt::AugAssign(_) | Stmt::Delete(_) => self.0 = true,
                Stmt::Assign(assign) => self.0 |= assign.targets.iter().any(Expr::is_subscript_expr),
                _ => {}
            }
            visitor::walk_stmt(self, statement);
        }
        fn visit_expr(&mut self, expression: &'a Expr) {
            if let Expr::Call(call) = expression
                && let Expr::Attribute(method) = &*call.func
            {
                self.0 |= CHANGING.contains(&method.attr.as_str());
            }
            visitor::walk_expr(self, expression);
        }
    }
    let mut walk = Walk(false);
    walk.visit_body(&function.body);
    walk.0
}

/// Returns the names that `:=` binds in an expression.
pub(super) fn named(expression: &Expr) -> Vec<&str> {
    struct Walk<'n>(Vec<&'n str>);
    impl<'a> Visitor<'a> for Walk<'a> {
        fn visit_expr(&mut self, expression: &'a Expr) {
            match expression {
                Expr::Lambda(_) => return,
                Expr::Named(named) => self.0.extend(named.target.as_name_expr().map(|name| name.id.as_str())),
                _ => {}
            }
            visitor::walk_expr(self, expression);
        }
    }
    let mut walk = Walk(Vec::new());
    walk.visit_expr(expression);
    walk.0
}

/// A collector of mentioned names.
#[derive(Default)]
struct Mentioned<'n>(FxHashSet<&'n str>);

impl<'a> Visitor<'a> for Mentioned<'a> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Name(name) = expression {
            self.0.insert(&name.id);
        }
        visitor::walk_expr(self, expression);
    }
}

/// Returns the names that statements mention.
pub(super) fn mentioned_in(body: &[Stmt]) -> FxHashSet<&str> {
    let mut walk = Mentioned::default();
    walk.visit_body(body);
    walk.0
}

/// Returns the names that an expression mentions.
pub(super) fn mentioned(expression: &Expr) -> FxHashSet<&str> {
    let mut walk = Mentioned::default();
    walk.visit_expr(expression);
    walk.0
}

/// Returns, for each name that the iterable of a loop mentions, the names that the loop binds.
pub(super) fn looped(body: &[Stmt]) -> FxHashMap<&str, FxHashSet<&str>> {
    #[derive(Default)]
    struct Walk<'n>(FxHashMap<&'n str, FxHashSet<&'n str>>);
    impl<'a> Visitor<'a> for Walk<'a> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            if let Stmt::For(each) = statement {
                let given = bound(std::slice::from_ref(statement));
                for list in mentioned(&each.iter) {
                    self.0.entry(list).or_default().extend(given.iter().copied());
                }
            }
            visitor::walk_stmt(self, statement);
        }
    }
    let mut walk = Walk::default();
    walk.visit_body(body);
    walk.0
}

/// Returns the names that occur in calls of `getattr` and `hasattr` in an expression.
pub(super) fn asked_by_call(expression: &Expr) -> FxHashSet<&str> {
    struct Walk<'n>(FxHashSet<&'n str>);
    impl<'a> Visitor<'a> for Walk<'a> {
        fn visit_expr(&mut self, expression: &'a Expr) {
            if let Expr::Call(call) = expression
                && call.func.as_name_expr().is_some_and(|name| matches!(name.id.as_str(), "getattr" | "hasattr"))
            {
                self.0.extend(mentioned(expression));
            }
            visitor::walk_expr(self, expression);
        }
    }
    let mut walk = Walk(FxHashSet::default());
    walk.visit_expr(expression);
    walk.0
}

/// Functions whose results depend on the number of arguments that are present.
const COUNTING: [&str; 12] =
    ["sum", "len", "all", "any", "list", "tuple", "set", "sorted", "filter", "int", "dict", "getattr"];

/// Returns, for each variable that is a list, tuple, dict or count of others, the variables that it is made from.
pub(super) fn made(body: &[Stmt]) -> FxHashMap<&str, FxHashSet<&str>> {
    #[derive(Default)]
    struct Walk<'n>(FxHashMap<&'n str, FxHashSet<&'n str>>, usize);
    impl<'a> Visitor<'a> for Walk<'a> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            if let Stmt::FunctionDef(function) = statement {
                // The result of a nested function depends on the variables of the enclosing one.
                if self.1 > 0 {
                    let own = variables(function);
                    let mut free = Mentioned::default();
                    free.visit_body(&function.body);
                    self.0
                        .entry(&function.name)
                        .or_default()
                        .extend(free.0.into_iter().filter(|name| !own.contains(name)));
                }
                self.1 += 1;
                visitor::walk_stmt(self, statement);
                self.1 -= 1;
                return;
            }
            let given = match statement {
                Stmt::Assign(assign) => match &assign.targets[..] {
                    [Expr::Name(name)] => Some((name, &*assign.value)),
                    _ => None,
                },
                Stmt::AnnAssign(assign) => assign.target.as_name_expr().zip(assign.value.as_deref()),
                Stmt::AugAssign(assign) => assign.target.as_name_expr().zip(Some(&*assign.value)),
                _ => None,
            };
            if let Some((name, value)) = given.filter(|(_, value)| counts(value)) {
                self.0.entry(&name.id).or_default().extend(mentioned(value));
            }
            visitor::walk_stmt(self, statement);
        }
    }
    fn counts(value: &Expr) -> bool {
        match value {
            // `(a is not None) + (b is not None)`
            Expr::BinOp(operation) => counts(&operation.left) || counts(&operation.right),
            Expr::List(_)
            | Expr::Tuple(_)
            | Expr::Set(_)
            | Expr::Dict(_)
            | Expr::Compare(_)
            | Expr::BoolOp(_)
            | Expr::If(_)
            | Expr::ListComp(_)
            | Expr::SetComp(_)
            | Expr::DictComp(_)
            | Expr::Generator(_)
            | Expr::Lambda(_) => true,
            Expr::Call(call) => {
                call.func.as_name_expr().is_some_and(|function| COUNTING.contains(&function.id.as_str()))
            }
            _ => false,
        }
    }
    let mut walk = Walk::default();
    walk.visit_body(body);
    let direct = walk.0;
    let mut all = FxHashMap::default();
    for name in direct.keys() {
        let (mut found, mut open) = (FxHashSet::default(), vec![*name]);
        while let Some(next) = open.pop() {
            open.extend(direct.get(next).into_iter().flatten().filter(|part| found.insert(**part)));
        }
        all.insert(*name, found);
    }
    all
}

/// Returns the attributes that conditions mention, and all string literals, which may name attributes.
pub(super) fn asked(body: &[Stmt]) -> FxHashSet<&str> {
    #[derive(Default)]
    struct Walk<'n> {
        names: FxHashSet<&'n str>,
        conditions: usize,
    }
    impl<'a> Walk<'a> {
        fn condition(&mut self, expression: &'a Expr) {
            self.conditions += 1;
            self.visit_expr(expression);
            self.conditions -= 1;
        }
    }
    impl<'a> Visitor<'a> for Walk<'a> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            match statement {
                Stmt::If(branch) => {
                    self.condition(&branch.test);
                    branch.elif_else_clauses.iter().filter_map(|clause| clause.test.as_ref()).for_each(|test| {
                        self.condition(test);
                    });
                }
                Stmt::While(repeat) => self.condition(&repeat.test),
                Stmt::Assert(assert) => self.condition(&assert.test),
                _ => {}
            }
            visitor::walk_stmt(self, statement);
        }
        fn visit_expr(&mut self, expression: &'a Expr) {
            match expression {
                Expr::StringLiteral(text) => {
                    self.names.insert(text.value.to_str());
                }
                Expr::Attribute(attribute) if self.conditions > 0 => {
                    self.names.insert(&attribute.attr);
                }
                _ => {}
            }
            let decides = match expression {
                Expr::BoolOp(_) | Expr::Compare(_) | Expr::If(_) => true,
                Expr::UnaryOp(operation) => operation.op == ruff_python_ast::UnaryOp::Not,
                Expr::Call(call) => call.func.as_name_expr().is_some_and(|name| COUNTING.contains(&name.id.as_str())),
                _ => expression.is_generator_expr() || expression.is_list_comp_expr(),
            };
            self.conditions += usize::from(decides);
            visitor::walk_expr(self, expression);
            self.conditions -= usize::from(decides);
        }
    }
    let mut walk = Walk::default();
    walk.visit_body(body);
    walk.names
}
