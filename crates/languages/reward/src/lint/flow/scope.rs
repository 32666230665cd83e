//! The names that a program and its functions bind and mention.

use goalspec_python_runtime::library::{MethodRow, collection_methods};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ExceptHandler, Expr, Identifier, Pattern, Stmt, StmtFunctionDef};
use ruff_text_size::{Ranged, TextSize};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::patterns;

/// Returns the variables of a function, parameters first.
pub(super) fn variables(function: &StmtFunctionDef) -> Vec<&str> {
    let mut names: Vec<&str> = function.parameters.iter().map(|parameter| parameter.name().as_str()).collect();
    names.extend(bound_names(&function.body));
    let mut seen = FxHashSet::default();
    names.retain(|name| seen.insert(*name));
    names
}

/// Returns the names that statements bind, without those in nested functions and classes.
pub(super) fn bound_names(body: &[Stmt]) -> Vec<&str> {
    struct BoundNameCollector<'n>(Vec<&'n str>);
    impl<'a> Visitor<'a> for BoundNameCollector<'a> {
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
        fn visit_pattern(&mut self, pattern: &'a Pattern) {
            self.0.extend(patterns::bound_name(pattern).map(Identifier::as_str));
            visitor::walk_pattern(self, pattern);
        }
        fn visit_expr(&mut self, expression: &'a Expr) {
            match expression {
                Expr::Name(name) if !name.ctx.is_load() => self.0.push(&name.id),
                // Lambdas and comprehensions have variables of their own.
                Expr::Lambda(_) => {}
                Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_) => {
                    self.0.extend(walrus_targets(expression));
                }
                _ => visitor::walk_expr(self, expression),
            }
        }
    }
    let mut walk = BoundNameCollector(Vec::new());
    walk.visit_body(body);
    walk.0
}

/// Returns the starts of the functions that contain `yield`.
pub(super) fn generator_functions(body: &[Stmt]) -> FxHashSet<TextSize> {
    #[derive(Default)]
    struct GeneratorFinder {
        /// The starts of the functions around the visited node; `None` for lambdas.
        enclosing: Vec<Option<TextSize>>,
        found: FxHashSet<TextSize>,
    }
    impl<'a> Visitor<'a> for GeneratorFinder {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            let is_function = statement.is_function_def_stmt();
            if is_function {
                self.enclosing.push(Some(statement.start()));
            }
            visitor::walk_stmt(self, statement);
            if is_function {
                self.enclosing.pop();
            }
        }
        fn visit_expr(&mut self, expression: &'a Expr) {
            if matches!(expression, Expr::Yield(_) | Expr::YieldFrom(_)) {
                self.found.extend(self.enclosing.last().copied().flatten());
            }
            let is_lambda = expression.is_lambda_expr();
            if is_lambda {
                self.enclosing.push(None);
            }
            visitor::walk_expr(self, expression);
            if is_lambda {
                self.enclosing.pop();
            }
        }
    }
    let mut walk = GeneratorFinder::default();
    walk.visit_body(body);
    walk.found
}

/// The attributes that a program sets.
#[derive(Debug, Default)]
pub(super) struct StoredAttributes<'n> {
    names: FxHashSet<&'n str>,
    /// Whether some of the names are only known at run time.
    has_dynamic_names: bool,
}

impl StoredAttributes<'_> {
    pub(super) fn contains(&self, name: &str) -> bool {
        self.has_dynamic_names || self.names.contains(name)
    }
}

/// Returns the names that functions declare as `global` or `nonlocal`, so that calls may change them, and the attributes that the program
/// sets.
pub(super) fn shared_names_and_attributes(body: &[Stmt]) -> (FxHashSet<&str>, StoredAttributes<'_>) {
    #[derive(Default)]
    struct SharedNameCollector<'n>(FxHashSet<&'n str>, StoredAttributes<'n>);
    impl<'a> Visitor<'a> for SharedNameCollector<'a> {
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
                        _ => self.1.has_dynamic_names = true,
                    }
                }
                _ => {}
            }
            visitor::walk_expr(self, expression);
        }
    }
    let mut walk = SharedNameCollector::default();
    walk.visit_body(body);
    (walk.0, walk.1)
}

/// Returns the names of the module that this function alone assigns.
pub(super) fn owned_globals<'n>(function: &'n StmtFunctionDef, body: &'n [Stmt]) -> FxHashSet<&'n str> {
    struct GlobalDeclarationCollector<'n> {
        function: &'n StmtFunctionDef,
        is_inside: bool,
        own_names: FxHashSet<&'n str>,
        other_names: FxHashSet<&'n str>,
    }
    impl<'a> Visitor<'a> for GlobalDeclarationCollector<'a> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            match statement {
                Stmt::Global(names) => {
                    let side = if self.is_inside { &mut self.own_names } else { &mut self.other_names };
                    side.extend(names.names.iter().map(Identifier::as_str));
                }
                Stmt::Nonlocal(names) => self.other_names.extend(names.names.iter().map(Identifier::as_str)),
                Stmt::FunctionDef(function) => {
                    let inside = std::mem::replace(&mut self.is_inside, std::ptr::eq(function, self.function));
                    visitor::walk_stmt(self, statement);
                    self.is_inside = inside;
                    return;
                }
                _ => {}
            }
            visitor::walk_stmt(self, statement);
        }
        fn visit_expr(&mut self, _: &'a Expr) {}
    }
    let mut walk = GlobalDeclarationCollector {
        function,
        is_inside: false,
        own_names: FxHashSet::default(),
        other_names: FxHashSet::default(),
    };
    walk.visit_body(body);
    walk.own_names.retain(|name| !walk.other_names.contains(name));
    walk.own_names
}

/// Returns whether a function may change lists that are passed to it.
pub(super) fn may_mutate_parameters(function: &StmtFunctionDef) -> bool {
    struct MutationFinder(bool);
    impl<'a> Visitor<'a> for MutationFinder {
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
                self.0 |= collection_methods(&method.attr).any(MethodRow::mutates_receiver);
            }
            visitor::walk_expr(self, expression);
        }
    }
    let mut walk = MutationFinder(false);
    walk.visit_body(&function.body);
    walk.0
}

/// Returns the names that `:=` binds in an expression.
pub(super) fn walrus_targets(expression: &Expr) -> Vec<&str> {
    struct WalrusTargetCollector<'n>(Vec<&'n str>);
    impl<'a> Visitor<'a> for WalrusTargetCollector<'a> {
        fn visit_expr(&mut self, expression: &'a Expr) {
            match expression {
                Expr::Lambda(_) => return,
                Expr::Named(named) => self.0.extend(named.target.as_name_expr().map(|name| name.id.as_str())),
                _ => {}
            }
            visitor::walk_expr(self, expression);
        }
    }
    let mut walk = WalrusTargetCollector(Vec::new());
    walk.visit_expr(expression);
    walk.0
}

/// A collector of mentioned names.
#[derive(Default)]
struct NameCollector<'n>(FxHashSet<&'n str>);

impl<'a> Visitor<'a> for NameCollector<'a> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Name(name) = expression {
            self.0.insert(&name.id);
        }
        visitor::walk_expr(self, expression);
    }
}

/// Returns the names that statements mention.
pub(super) fn names_in_block(body: &[Stmt]) -> FxHashSet<&str> {
    let mut walk = NameCollector::default();
    walk.visit_body(body);
    walk.0
}

/// Returns the names that an expression mentions.
pub(super) fn names_in_expression(expression: &Expr) -> FxHashSet<&str> {
    let mut walk = NameCollector::default();
    walk.visit_expr(expression);
    walk.0
}

/// Returns, for each name that the iterable of a loop mentions, the names that the loop binds.
pub(super) fn loop_variables(body: &[Stmt]) -> FxHashMap<&str, FxHashSet<&str>> {
    #[derive(Default)]
    struct LoopVariableCollector<'n>(FxHashMap<&'n str, FxHashSet<&'n str>>);
    impl<'a> Visitor<'a> for LoopVariableCollector<'a> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            if let Stmt::For(each) = statement {
                let bound = bound_names(std::slice::from_ref(statement));
                for list in names_in_expression(&each.iter) {
                    self.0.entry(list).or_default().extend(bound.iter().copied());
                }
            }
            visitor::walk_stmt(self, statement);
        }
    }
    let mut walk = LoopVariableCollector::default();
    walk.visit_body(body);
    walk.0
}

/// Returns the names that occur in calls of `getattr` and `hasattr` in an expression.
pub(super) fn dynamic_attribute_names(expression: &Expr) -> FxHashSet<&str> {
    struct DynamicAttributeCollector<'n>(FxHashSet<&'n str>);
    impl<'a> Visitor<'a> for DynamicAttributeCollector<'a> {
        fn visit_expr(&mut self, expression: &'a Expr) {
            if let Expr::Call(call) = expression
                && call.func.as_name_expr().is_some_and(|name| matches!(name.id.as_str(), "getattr" | "hasattr"))
            {
                self.0.extend(names_in_expression(expression));
            }
            visitor::walk_expr(self, expression);
        }
    }
    let mut walk = DynamicAttributeCollector(FxHashSet::default());
    walk.visit_expr(expression);
    walk.0
}

/// Functions whose results depend on the number of arguments that are present.
const AGGREGATING_FUNCTIONS: [&str; 12] =
    ["sum", "len", "all", "any", "list", "tuple", "set", "sorted", "filter", "int", "dict", "getattr"];

/// Returns, for each variable that is a list, tuple, dict or count of others, the variables that it is made from.
pub(super) fn variable_dependencies(body: &[Stmt]) -> FxHashMap<&str, FxHashSet<&str>> {
    let mut walk = DependencyCollector::default();
    walk.visit_body(body);
    let direct = walk.direct;
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

/// A collector of the variables that each aggregate is made from directly.
#[derive(Default)]
struct DependencyCollector<'n> {
    direct: FxHashMap<&'n str, FxHashSet<&'n str>>,
    function_depth: usize,
}

impl<'a> Visitor<'a> for DependencyCollector<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        if let Stmt::FunctionDef(function) = statement {
            // The result of a nested function depends on the variables of the enclosing one.
            if self.function_depth > 0 {
                let own = variables(function);
                let mut free = NameCollector::default();
                free.visit_body(&function.body);
                self.direct
                    .entry(&function.name)
                    .or_default()
                    .extend(free.0.into_iter().filter(|name| !own.contains(name)));
            }
            self.function_depth += 1;
            visitor::walk_stmt(self, statement);
            self.function_depth -= 1;
            return;
        }
        let assignment = match statement {
            Stmt::Assign(assign) => match &assign.targets[..] {
                [Expr::Name(name)] => Some((name, &*assign.value)),
                _ => None,
            },
            Stmt::AnnAssign(assign) => assign.target.as_name_expr().zip(assign.value.as_deref()),
            Stmt::AugAssign(assign) => assign.target.as_name_expr().zip(Some(&*assign.value)),
            _ => None,
        };
        if let Some((name, value)) = assignment.filter(|(_, value)| is_aggregate(value)) {
            self.direct.entry(&name.id).or_default().extend(names_in_expression(value));
        }
        visitor::walk_stmt(self, statement);
    }
}

/// Whether a value is a collection or a count of others.
fn is_aggregate(value: &Expr) -> bool {
    match value {
        // `(a is not None) + (b is not None)`
        Expr::BinOp(operation) => is_aggregate(&operation.left) || is_aggregate(&operation.right),
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
            call.func.as_name_expr().is_some_and(|function| AGGREGATING_FUNCTIONS.contains(&function.id.as_str()))
        }
        _ => false,
    }
}

/// Returns the attributes that conditions mention, and all string literals, which may name attributes.
pub(super) fn tested_attributes(body: &[Stmt]) -> FxHashSet<&str> {
    let mut walk = TestedAttributeCollector::default();
    walk.visit_body(body);
    walk.names
}

/// A collector of the attributes that conditions mention and of string literals.
#[derive(Default)]
struct TestedAttributeCollector<'n> {
    names: FxHashSet<&'n str>,
    condition_depth: usize,
}

impl<'a> TestedAttributeCollector<'a> {
    fn visit_condition(&mut self, expression: &'a Expr) {
        self.condition_depth += 1;
        self.visit_expr(expression);
        self.condition_depth -= 1;
    }
}

impl<'a> Visitor<'a> for TestedAttributeCollector<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::If(branch) => {
                self.visit_condition(&branch.test);
                branch.elif_else_clauses.iter().filter_map(|clause| clause.test.as_ref()).for_each(|test| {
                    self.visit_condition(test);
                });
            }
            Stmt::While(repeat) => self.visit_condition(&repeat.test),
            Stmt::Match(choice) => {
                self.visit_condition(&choice.subject);
                choice.cases.iter().filter_map(|case| case.guard.as_ref()).for_each(|guard| {
                    self.visit_condition(guard);
                });
            }
            Stmt::Assert(assert) => self.visit_condition(&assert.test),
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }
    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::StringLiteral(text) => {
                self.names.insert(text.value.to_str());
            }
            Expr::Attribute(attribute) if self.condition_depth > 0 => {
                self.names.insert(&attribute.attr);
            }
            _ => {}
        }
        let decides = match expression {
            Expr::BoolOp(_) | Expr::Compare(_) | Expr::If(_) => true,
            Expr::UnaryOp(operation) => operation.op == ruff_python_ast::UnaryOp::Not,
            Expr::Call(call) => {
                call.func.as_name_expr().is_some_and(|name| AGGREGATING_FUNCTIONS.contains(&name.id.as_str()))
            }
            _ => expression.is_generator_expr() || expression.is_list_comp_expr(),
        };
        self.condition_depth += usize::from(decides);
        visitor::walk_expr(self, expression);
        self.condition_depth -= usize::from(decides);
    }
}
