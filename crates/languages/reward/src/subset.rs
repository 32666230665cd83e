//! The subset of Python that reward functions may use.

use goalspec_python_runtime::library::Library;
use goalspec_python_runtime::machine::{self, READABLE_SPECIAL_NAMES};
use goalspec_syntax::{Diagnostic, SourceFile, suggest};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    Comprehension, Expr, ExprAttribute, ExprCall, ExprNamed, FString, Keyword, ModModule, Number, Operator, Pattern,
    Stmt, StmtImport, StmtImportFrom, StringLiteral,
};
use ruff_text_size::{Ranged, TextRange, TextSize};
use rustc_hash::FxHashMap;

use crate::alternatives;
use crate::codes;
use crate::imports::{MissingModule, missing_modules};
use crate::literals;
use crate::outline::SHARED_OBJECT_CLASSES;
use crate::parse::span;
use crate::patterns;
use crate::special_names::{self, SpecialNameSupport};

/// Built-in names that reach beyond the program.
const FORBIDDEN_BUILTINS: [&str; 9] =
    ["breakpoint", "compile", "dir", "eval", "exec", "globals", "input", "locals", "open"];

/// Reports every use of Python beyond the subset.
pub(crate) fn check(module: &ModModule, source: &SourceFile) -> Vec<Diagnostic> {
    let mut check = SubsetChecker {
        source,
        diagnostics: Vec::new(),
        missing_modules: missing_modules(module),
        libraries: FxHashMap::default(),
        iterable_depth: 0,
        comprehension_targets: Vec::new(),
        in_class: false,
        at_module_level: true,
    };
    check.visit_body(&module.body);
    check.diagnostics
}

struct SubsetChecker<'c> {
    source: &'c SourceFile,
    diagnostics: Vec<Diagnostic>,
    /// The imports of modules that do not exist, without which the program works.
    missing_modules: FxHashMap<TextSize, MissingModule>,
    /// Libraries by the names that the program binds to them.
    libraries: FxHashMap<String, Library>,
    /// The number of comprehension iterables around the current expression.
    iterable_depth: usize,
    /// The targets of each comprehension around the current expression.
    comprehension_targets: Vec<Vec<String>>,
    /// Whether the current statement is in the body of a class, outside of its functions.
    in_class: bool,
    /// Whether the current statement is outside of classes and functions.
    at_module_level: bool,
}

impl SubsetChecker<'_> {
    fn report(&mut self, code: goalspec_syntax::diagnostic::Code, range: TextRange, message: &str, help: &str) {
        let diagnostic = Diagnostic::error(code, span(self.source, range), message);
        self.diagnostics.push(if help.is_empty() { diagnostic } else { diagnostic.with_help(help) });
    }

    fn report_statement(&mut self, range: TextRange, construct: &str, help: &str) {
        let message = format!("reward functions do not support {construct}");
        self.report(codes::UNSUPPORTED_STATEMENT, range, &message, help);
    }

    fn report_expression(&mut self, range: TextRange, construct: &str, help: &str) {
        let message = format!("reward functions do not support {construct}");
        self.report(codes::UNSUPPORTED_EXPRESSION, range, &message, help);
    }

    /// Reports a surrogate in a string literal: strings are sequences of characters, and surrogates are not characters.
    fn report_surrogate(&mut self, range: Option<TextRange>) {
        if let Some(range) = range {
            let help = "use the character itself, or `\\U` and eight digits: `\\U0001F600` for `\\ud83d\\ude00`";
            self.report_expression(range, "surrogates in strings", help);
        }
    }

    /// Reports `name := value` where Python rejects it.
    fn check_walrus(&mut self, named: &ExprNamed) {
        let name = match &*named.target {
            Expr::Name(name) => name.id.as_str(),
            _ => return,
        };
        let message = if self.iterable_depth > 0 {
            "assignment expression cannot be used in a comprehension iterable expression".to_owned()
        } else if self.comprehension_targets.iter().flatten().any(|target| target == name) {
            format!("assignment expression cannot rebind comprehension iteration variable '{name}'")
        } else if self.in_class && !self.comprehension_targets.is_empty() {
            "assignment expression within a comprehension cannot be used in a class body".to_owned()
        } else {
            return;
        };
        self.report(codes::SYNTAX, named.range, &message, "assign in a preceding statement");
    }

    /// Visits a construct with a scope of its own.
    fn visit_scope(&mut self, in_class: bool, walk: impl FnOnce(&mut Self)) {
        let targets = std::mem::take(&mut self.comprehension_targets);
        let was_in_class = std::mem::replace(&mut self.in_class, in_class);
        let was_in_module = std::mem::replace(&mut self.at_module_level, false);
        walk(self);
        (self.comprehension_targets, self.in_class, self.at_module_level) = (targets, was_in_class, was_in_module);
    }

    /// Checks a bound name: special names of a class or of the module have a predefined meaning.
    fn check_binding(&mut self, name: &str, range: TextRange) {
        if !special_names::is_special(name) {
            if self.in_class
                && let Some(reason) = special_names::unsupported_sunder_reason(name)
            {
                self.report_special_name(name, range, reason);
            }
            return;
        }
        if self.in_class {
            match special_names::class_name_support(name) {
                Some(SpecialNameSupport::Supported | SpecialNameSupport::Ignored) => {}
                Some(SpecialNameSupport::Unsupported(reason)) => self.report_special_name(name, range, reason),
                None => {
                    let message = format!("`{name}` is not a special method of Python");
                    let nearest = suggest::did_you_mean(name, special_names::supported_names());
                    let help = nearest.unwrap_or_else(|| "remove the trailing underscores from other names".to_owned());
                    self.report(codes::FORBIDDEN_NAME, range, &message, &help);
                }
            }
        } else if self.at_module_level
            && (special_names::unsupported_reason(name).is_some() || matches!(name, "__getattr__" | "__dir__"))
        {
            let reason =
                special_names::unsupported_reason(name).unwrap_or("a program is one module, without special names");
            self.report_special_name(name, range, reason);
        }
    }

    fn report_special_name(&mut self, name: &str, range: TextRange, reason: &str) {
        let message = format!("`{name}` has no effect in a reward function");
        self.report(codes::FORBIDDEN_NAME, range, &message, reason);
    }

    /// Checks a read of a special name as a variable.
    fn check_special_global(&mut self, name: &str, range: TextRange) {
        if let Some(reason) = special_names::unsupported_reason(name)
            && !special_names::READABLE_GLOBALS.contains(&name)
        {
            let message = format!("`{name}` is not available to reward functions");
            self.report(codes::FORBIDDEN_NAME, range, &message, reason);
        }
    }

    /// Checks an attribute with a special name.
    fn check_special_attribute(&mut self, attribute: &ExprAttribute) {
        let name = attribute.attr.as_str();
        let of_super = special_names::SUPER_ATTRIBUTES.contains(&name)
            && matches!(&*attribute.value, Expr::Call(call)
                if matches!(&*call.func, Expr::Name(called) if called.id.as_str() == "super"));
        let is_supported = if attribute.ctx.is_load() {
            of_super || READABLE_SPECIAL_NAMES.contains(&name)
        } else {
            special_names::is_assignable(name)
        };
        if is_supported {
            return;
        }
        let message = format!("`{name}` is not available to reward functions");
        let help = match special_names::unsupported_reason(name) {
            Some(reason) => reason.to_owned(),
            None if attribute.ctx.is_load() => "use the function, operator or statement that calls it".to_owned(),
            None => "define it in the body of the class".to_owned(),
        };
        self.report(codes::FORBIDDEN_NAME, attribute.attr.range, &message, &help);
    }

    /// Checks a numpy type that is given by name, of which only a few are supported.
    fn check_dtype(&mut self, call: &ExprCall) {
        let method = call.func.as_attribute_expr();
        let first = call.arguments.args.first().filter(|_| {
            method.is_some_and(|method| match method.attr.as_str() {
                "astype" => true,
                "dtype" => self.library_of(&method.value) == Some(Library::Numpy),
                _ => false,
            })
        });
        let of_numpy = method.is_some_and(|method| {
            method.attr.as_str() == "astype" || self.library_of(&method.value) == Some(Library::Numpy)
        });
        let named = call.arguments.find_keyword("dtype").filter(|_| of_numpy).map(|keyword| &keyword.value);
        for text in first.into_iter().chain(named).filter_map(|value| value.as_string_literal_expr()) {
            let name = text.value.to_str();
            if !machine::is_dtype(name) {
                let message = format!("unsupported number type `{name}`");
                let help = "supported are `float64`, `float32`, `bool`, and the integers from `int8` to `uint64`";
                self.report(codes::UNKNOWN_LIBRARY_NAME, text.range, &message, help);
            }
        }
    }

    /// Returns the library of a module name; reports an unknown module.
    fn resolve_library(&mut self, range: TextRange, module: &str, level: u32) -> Option<Library> {
        if level == 0
            && let Some(library) = Library::from_name(module)
        {
            return Some(library);
        }
        match self.missing_modules.get(&range.start()) {
            Some(MissingModule::Guarded) => {
                let message = format!("there is no module `{module}`: the import raises `ModuleNotFoundError`");
                self.warn_of_missing_module(range, &message, "the handler of the exception is executed");
                return None;
            }
            Some(MissingModule::Unused) => {
                let message = format!("there is no module `{module}`, and nothing uses it");
                self.warn_of_missing_module(range, &message, "remove the import");
                return None;
            }
            None => {}
        }
        let dots = ".".repeat(level as usize);
        let message = format!("unknown module `{dots}{module}`");
        self.report(codes::UNKNOWN_IMPORT, range, &message, alternatives::module_alternative(module));
        None
    }

    fn warn_of_missing_module(&mut self, range: TextRange, message: &str, help: &str) {
        let warning = Diagnostic::warning(codes::MISSING_MODULE, span(self.source, range), message);
        self.diagnostics.push(warning.with_help(help));
    }

    fn check_import(&mut self, import: &StmtImport) {
        for alias in &import.names {
            let Some(library) = self.resolve_library(alias.range, &alias.name, 0) else { continue };
            if let Some(name) = &alias.asname {
                self.libraries.insert(name.to_string(), library);
                continue;
            }
            // Without a name of its own, `import a.b` gives `a`.
            let first = alias.name.split('.').next().unwrap_or_default();
            if let Some(outer) = Library::from_name(first) {
                self.libraries.insert(first.to_owned(), outer);
            }
        }
    }

    fn check_import_from(&mut self, import: &StmtImportFrom) {
        let module = import.module.as_deref().unwrap_or_default();
        let Some(library) = self.resolve_library(import.range, module, import.level) else { return };
        for alias in &import.names {
            if alias.name.as_str() == "*" && library == Library::Numpy {
                let message = "this import would replace Python's own functions";
                self.report(codes::UNKNOWN_LIBRARY_NAME, alias.range, message, "use `import numpy as np`");
            } else if alias.name.as_str() != "*" {
                if library == Library::World {
                    self.check_shared_class(module, alias.name.as_str(), alias.name.range);
                }
                self.check_library_name(library, alias.name.as_str(), alias.name.range);
                if let Some(inner) = Library::from_name(&format!("{module}.{}", alias.name)) {
                    self.libraries.insert(alias.asname.as_ref().unwrap_or(&alias.name).to_string(), inner);
                }
            }
        }
    }

    /// Checks a class that is imported from the module of the classes that all games share.
    fn check_shared_class(&mut self, module: &str, name: &str, range: TextRange) {
        if module.ends_with(".game_objects") && !SHARED_OBJECT_CLASSES.contains(&name) {
            let message = format!("unknown name `{module}.{name}`");
            let help =
                format!("it has {}; the classes of a game are in its own module", SHARED_OBJECT_CLASSES.join(", "));
            self.report(codes::UNKNOWN_LIBRARY_NAME, range, &message, &help);
        }
    }

    /// Reports a name that a library does not have.
    fn check_library_name(&mut self, library: Library, name: &str, range: TextRange) {
        if library.has_name(name) || Library::submodule(library, &format!("{}.{name}", library.name())).is_some() {
            return;
        }
        let message = format!("unknown name `{}.{name}`", library.name());
        let help = match alternatives::name_alternative(library, name) {
            Some(instead) => instead.to_owned(),
            None => suggest::did_you_mean(name, library.names()).unwrap_or_else(|| alternatives::summary(library)),
        };
        self.report(codes::UNKNOWN_LIBRARY_NAME, range, &message, &help);
    }

    /// Returns the library that an expression denotes.
    fn library_of(&self, expression: &Expr) -> Option<Library> {
        match expression {
            Expr::Name(name) => self.libraries.get(name.id.as_str()).copied(),
            Expr::Attribute(attribute) => {
                let outer = self.library_of(&attribute.value)?;
                Library::from_name(&format!("{}.{}", outer.name(), attribute.attr))
            }
            _ => None,
        }
    }
}

/// Returns whether a keyword is `total=..` of a typed dict, which has no effect at run time.
pub(crate) fn is_totality_keyword(keyword: &Keyword) -> bool {
    keyword.arg.as_ref().is_some_and(|name| name.as_str() == "total") && keyword.value.is_boolean_literal_expr()
}

/// A collector of the names in a target.
struct TargetNames(Vec<String>);

impl Visitor<'_> for TargetNames {
    fn visit_expr(&mut self, expression: &Expr) {
        match expression {
            Expr::Name(name) => self.0.push(name.id.to_string()),
            _ => visitor::walk_expr(self, expression),
        }
    }
}

impl<'a> Visitor<'a> for SubsetChecker<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        let range = statement.range();
        match statement {
            Stmt::With(with) if with.is_async => self.report_statement(range, "`async`", "use `with`"),
            Stmt::Match(statement) => self.diagnostics.extend(patterns::check(statement, self.source)),
            Stmt::TypeAlias(_) => self.report_statement(range, "`type`", "annotations are not evaluated"),
            Stmt::Try(statement) if statement.is_star => self.report_statement(range, "`except*`", "use `except`"),
            Stmt::IpyEscapeCommand(_) => self.report_statement(range, "shell commands", ""),
            Stmt::For(each) if each.is_async => self.report_statement(range, "`async`", "remove it"),
            Stmt::FunctionDef(function) => {
                if function.is_async {
                    self.report_statement(range, "`async`", "remove it");
                }
                self.check_binding(&function.name, function.name.range);
            }
            Stmt::ClassDef(class) => {
                self.check_binding(&class.name, class.name.range);
                if let Some(arguments) = &class.arguments {
                    let is_abstract = |keyword: &Keyword| match &keyword.value {
                        Expr::Name(name) => name.id.as_str() == "ABCMeta",
                        Expr::Attribute(attribute) => attribute.attr.as_str() == "ABCMeta",
                        _ => false,
                    };
                    for keyword in &arguments.keywords {
                        match keyword.arg.as_deref() {
                            None => {
                                self.report_statement(keyword.range, "`**` in the arguments of a class", "list them");
                            }
                            Some("metaclass") if !is_abstract(keyword) => {
                                let help = "use `ABCMeta`, `__init_subclass__` or a class decorator";
                                self.report_statement(keyword.range, "metaclasses other than `ABCMeta`", help);
                            }
                            Some(_) => {}
                        }
                    }
                }
            }
            Stmt::Import(import) => self.check_import(import),
            Stmt::ImportFrom(import) => self.check_import_from(import),
            _ => {}
        }
        match statement {
            // Decorators, bases and defaults belong to the enclosing scope.
            Stmt::ClassDef(class) => {
                class.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
                class.arguments.iter().for_each(|arguments| self.visit_arguments(arguments));
                self.visit_scope(true, |check| check.visit_body(&class.body));
            }
            Stmt::FunctionDef(function) => {
                function.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
                self.visit_parameters(&function.parameters);
                function.returns.iter().for_each(|returned| self.visit_annotation(returned));
                self.visit_scope(false, |check| check.visit_body(&function.body));
            }
            _ => visitor::walk_stmt(self, statement),
        }
    }

    fn visit_string_literal(&mut self, literal: &'a StringLiteral) {
        self.report_surrogate(literals::find_surrogate(literal, self.source));
    }

    fn visit_f_string(&mut self, text: &'a FString) {
        self.report_surrogate(literals::find_fstring_surrogate(text, self.source));
        visitor::walk_f_string(self, text);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        if let Some(name) = patterns::bound_name(pattern) {
            self.check_binding(name, name.range);
        }
        visitor::walk_pattern(self, pattern);
    }

    fn visit_comprehension(&mut self, comprehension: &'a Comprehension) {
        self.iterable_depth += 1;
        self.visit_expr(&comprehension.iter);
        self.iterable_depth -= 1;
        self.visit_expr(&comprehension.target);
        for condition in &comprehension.ifs {
            self.visit_expr(condition);
        }
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        let range = expression.range();
        match expression {
            Expr::Await(_) => self.report_expression(range, "`await`", "remove it"),
            Expr::TString(_) => self.report_expression(range, "template strings", "use an f-string"),
            Expr::BinOp(operation) if operation.op == Operator::Mod && operation.left.is_bytes_literal_expr() => {
                self.report_expression(
                    range,
                    "the operator `%` of bytes",
                    "format a string, and encode it: `('..' % x).encode()`",
                );
            }
            Expr::IpyEscapeCommand(_) => self.report_expression(range, "shell commands", ""),
            Expr::NumberLiteral(literal) if matches!(literal.value, Number::Complex { .. }) => {
                self.report_expression(range, "complex numbers", "use two floats");
            }
            Expr::Call(call) => self.check_dtype(call),
            Expr::Named(named) => self.check_walrus(named),
            Expr::Name(name) if FORBIDDEN_BUILTINS.contains(&name.id.as_str()) => {
                let message = format!("`{}` is not available to reward functions", name.id);
                self.report(codes::FORBIDDEN_NAME, range, &message, "");
            }
            Expr::Name(name) if name.ctx.is_load() => self.check_special_global(&name.id, range),
            Expr::Name(name) if !name.ctx.is_del() => self.check_binding(&name.id, range),
            Expr::Attribute(attribute) => {
                let name = attribute.attr.as_str();
                if let Some(library) = self.library_of(&attribute.value) {
                    self.check_library_name(library, name, attribute.attr.range);
                }
                if special_names::is_special(name) {
                    self.check_special_attribute(attribute);
                }
            }
            _ => {}
        }
        let generators = match expression {
            Expr::ListComp(comprehension) => &comprehension.generators,
            Expr::SetComp(comprehension) => &comprehension.generators,
            Expr::DictComp(comprehension) => &comprehension.generators,
            Expr::Generator(comprehension) => &comprehension.generators,
            Expr::Lambda(lambda) => {
                lambda.parameters.iter().for_each(|parameters| self.visit_parameters(parameters));
                return self.visit_scope(false, |check| check.visit_expr(&lambda.body));
            }
            _ => return visitor::walk_expr(self, expression),
        };
        let mut names = TargetNames(Vec::new());
        for generator in generators {
            names.visit_expr(&generator.target);
        }
        self.comprehension_targets.push(names.0);
        visitor::walk_expr(self, expression);
        self.comprehension_targets.pop();
    }
}
