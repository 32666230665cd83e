//! Outlines of programs: their functions, the worlds whose classes they import, and the names that they use without binding them.

use goalspec_python_runtime::library::Library;
use goalspec_python_runtime::machine::{ORIENTATION_CLASS, has_builtin};
use goalspec_python_runtime::scene::World;
use goalspec_syntax::suggest;
use goalspec_syntax::{Diagnostic, SourceFile, Span};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ExceptHandler, Expr, ExprContext, Parameter, Pattern, Stmt, StmtImportFrom};
use ruff_text_size::Ranged;
use rustc_hash::FxHashSet;

use crate::codes;
use crate::parse::{parse, span};
use crate::patterns;

/// The maximum number of unknown names of one text that get a suggestion; more of them usually share one cause.
const MAX_SUGGESTIONS: usize = 64;

/// A name with its position in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpannedName {
    /// The name.
    pub text: String,
    /// The position.
    pub span: Span,
}

/// A function of the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: SpannedName,
    /// The names of its positional parameters without defaults.
    pub parameters: Vec<String>,
}

/// The functions, imports and unbound names of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// The functions of the module, in the order of the text.
    pub functions: Vec<Function>,
    /// The modules of worlds from which the program imports, such as `ocatari.ram.pong`.
    pub world_modules: Vec<SpannedName>,
    /// Whether the program imports `*` from one of them.
    pub has_wildcard_import: bool,
    /// The names that the program imports from them individually.
    pub imported_names: Vec<SpannedName>,
    /// The names that the program uses, binds nowhere, and that are not built in; each at its first use.
    pub unbound_names: Vec<SpannedName>,
    /// The names that the program binds, in sorted order.
    bound_names: Vec<String>,
}

impl Outline {
    /// Computes the outline of a text; for a text with syntax errors, of the part that could be parsed.
    pub fn of(source: &SourceFile) -> Self {
        let module = parse(source).module;
        let mut walk = OutlineBuilder {
            source,
            outline: Self::default(),
            bound_names: FxHashSet::default(),
            used_names: Vec::new(),
        };
        walk.visit_body(&module.body);
        for statement in &module.body {
            if let Stmt::FunctionDef(function) = statement {
                let name = walk.spanned_name(&function.name.id, function.name.range);
                let positional = function.parameters.posonlyargs.iter().chain(&function.parameters.args);
                let needed = positional.filter(|parameter| parameter.default.is_none());
                let parameters = needed.map(|parameter| parameter.parameter.name.to_string()).collect();
                walk.outline.functions.push(Function { name, parameters });
            }
        }
        let OutlineBuilder { mut outline, bound_names: mut bound, used_names: used, .. } = walk;
        outline.bound_names = bound.iter().cloned().collect();
        outline.bound_names.sort_unstable();
        for name in used {
            if !has_builtin(&name.text) && !name.text.starts_with("__") && bound.insert(name.text.clone()) {
                outline.unbound_names.push(name);
            }
        }
        outline
    }

    /// Reports the names that neither the program nor a world defines: using them raises a `NameError` or an `ImportError`.
    pub fn check_names(&self, world: &World, named: &str) -> Vec<Diagnostic> {
        let classes =
            || world.class_names().map(|class| &**class).chain(world.exports_orientation.then_some(ORIENTATION_CLASS));
        let is_class = |name: &str| classes().any(|class| class == name);
        let unused = self.unbound_names.iter().filter(|name| !self.has_wildcard_import || !is_class(&name.text));
        let mut suggestions = MAX_SUGGESTIONS;
        let report = |name: &SpannedName| {
            let message =
                format!("unknown name `{}`: neither the program nor the world `{named}` defines it", name.text);
            let found = Diagnostic::error(codes::UNKNOWN_NAME, name.span, message);
            if is_class(&name.text) {
                return found.with_help("the world has a class of this name: import it");
            }
            let Some(left) = suggestions.checked_sub(1) else { return found };
            suggestions = left;
            // Only the names of classes begin with a capital.
            if name.text.starts_with(char::is_uppercase) {
                return suggest::with_nearest(found, &name.text, name.span, classes()).0;
            }
            suggest::with_nearest(found, &name.text, name.span, self.bound_names.iter().map(|name| &**name)).0
        };
        unused.chain(self.imported_names.iter().filter(|name| !is_class(&name.text))).map(report).collect()
    }
}

/// The names that `ocatari.ram.game_objects` exports.
pub(crate) const SHARED_OBJECT_CLASSES: [&str; 4] = ["GameObject", "NoObject", "Orientation", "ValueObject"];

struct OutlineBuilder<'w> {
    source: &'w SourceFile,
    outline: Outline,
    /// Names that are bound anywhere in the program.
    bound_names: FxHashSet<String>,
    used_names: Vec<SpannedName>,
}

impl OutlineBuilder<'_> {
    fn spanned_name(&self, text: &str, range: ruff_text_size::TextRange) -> SpannedName {
        SpannedName { text: text.to_owned(), span: span(self.source, range) }
    }

    fn bind(&mut self, name: &str) {
        self.bound_names.insert(name.to_owned());
    }

    fn visit_import_from(&mut self, import: &StmtImportFrom) {
        let module = import.module.as_deref().unwrap_or_default();
        let library = Library::from_name(module).filter(|_| import.level == 0);
        // `game_objects` holds the classes that all games share, so it names no game.
        let of_all_games = module.ends_with(".game_objects");
        let of_world = library == Some(Library::World) && !of_all_games;
        if of_world {
            let name = self.spanned_name(module, import.range);
            self.outline.world_modules.push(name);
        }
        for alias in &import.names {
            if alias.name.as_str() == "*" {
                self.outline.has_wildcard_import |= of_world;
                if of_all_games {
                    for name in SHARED_OBJECT_CLASSES {
                        self.bind(name);
                    }
                }
                library.into_iter().flat_map(Library::names).for_each(|name| self.bind(name));
                continue;
            }
            let is_common = SHARED_OBJECT_CLASSES.contains(&alias.name.as_str());
            if of_world || (of_all_games && !is_common) {
                let name = self.spanned_name(&alias.name, alias.range);
                self.outline.imported_names.push(name);
            }
            self.bind(alias.asname.as_ref().unwrap_or(&alias.name));
        }
    }
}

impl<'a> Visitor<'a> for OutlineBuilder<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(function) => self.bind(&function.name),
            Stmt::ClassDef(class) => self.bind(&class.name),
            Stmt::Global(global) => global.names.iter().for_each(|name| self.bind(name)),
            Stmt::Import(import) => {
                for alias in &import.names {
                    let whole = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.bind(whole.split('.').next().unwrap_or_default());
                }
            }
            Stmt::ImportFrom(import) => self.visit_import_from(import),
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_parameter(&mut self, parameter: &'a Parameter) {
        // Annotations are not evaluated, so the names in them are not uses.
        self.bind(&parameter.name);
    }

    fn visit_annotation(&mut self, _: &'a Expr) {}

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(caught) = handler;
        if let Some(name) = &caught.name {
            self.bind(name);
        }
        visitor::walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        if let Some(name) = patterns::bound_name(pattern) {
            self.bind(name);
        }
        visitor::walk_pattern(self, pattern);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Name(name) = expression {
            match name.ctx {
                ExprContext::Load => {
                    let name = self.spanned_name(&name.id, name.range());
                    self.used_names.push(name);
                }
                _ => self.bind(&name.id),
            }
        }
        visitor::walk_expr(self, expression);
    }
}
