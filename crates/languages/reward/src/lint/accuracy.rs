//! Functions of numpy whose results differ between processors in their last digits.

use goalspec_python_runtime::library::{Accuracy, Library, LibraryFunction};
use goalspec_syntax::{Diagnostic, SourceFile};
use indexmap::{IndexMap, IndexSet};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprBinOp, ExprCall, ModModule, Operator, Stmt};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::FxHashMap;

use super::numeric_literal;
use crate::codes;
use crate::parse::span;

/// Reports all such functions that a program uses in one note, at the first use.
pub(super) fn lint(source: &SourceFile, module: &ModModule) -> Option<Diagnostic> {
    let mut uses = AccuracyChecker::default();
    uses.visit_body(&module.body);
    uses.add_float32_functions();
    uses.add_transposed_sums();
    let first = uses.first_use?;
    if uses.libraries.is_empty() && uses.functions.is_empty() {
        return None;
    }
    let described = uses.inexact_functions.iter().map(|(name, accuracy)| match accuracy {
        Accuracy::Ulps(units) if name.ends_with("float32") => format!("{name} by {units} ulp of float32"),
        Accuracy::Ulps(units) => format!("{name} by {units} ulp"),
        Accuracy::Sum => format!("{name} by 1 ulp of the sum of absolute values for each element"),
        _ => format!("{name} by 1 ulp of the sum of absolute products for each element"),
    });
    let described: Vec<String> = described.collect();
    let message = format!("the last digits of numpy's results may differ: {}", described.join(", "));
    let help = "see `Differences from CPython` in the chapter `Reward functions` of the book";
    Some(Diagnostic::note(codes::NUMPY_ACCURACY, span(source, first), message).with_help(help))
}

/// Exponents for which powers of arrays are exact.
const EXACT_POWERS: [f64; 5] = [-1.0, 0.0, 0.5, 1.0, 2.0];

/// Uses of functions whose results are not reproducible to the last bit.
#[derive(Default)]
struct AccuracyChecker<'u> {
    /// Libraries by the names that the program binds to them.
    libraries: FxHashMap<&'u str, Library>,
    /// Functions of numpy by the names that the program binds to them.
    functions: FxHashMap<&'u str, (Library, &'u str)>,
    /// The functions, as the program calls them, with their accuracy.
    inexact_functions: IndexSet<(String, Accuracy)>,
    first_use: Option<TextRange>,
    /// All functions of numpy in use, by name, with the position of the first use.
    called_functions: IndexMap<&'static str, (&'static LibraryFunction, TextRange)>,
    /// Whether the program names the type of 32-bit floats.
    has_float32: bool,
    /// Whether the program transposes arrays.
    has_transpose: bool,
    /// Reductions by summation, with the position of the first use.
    sum_reductions: IndexMap<&'static str, TextRange>,
}

impl<'u> AccuracyChecker<'u> {
    fn library_of(&self, expression: &'u Expr) -> Option<Library> {
        match expression {
            Expr::Name(name) => self.libraries.get(name.id.as_str()).copied(),
            Expr::Attribute(attribute) if attribute.attr.as_str() == "linalg" => {
                (self.library_of(&attribute.value)? == Library::Numpy).then_some(Library::Linalg)
            }
            _ => None,
        }
    }

    fn record_function(&mut self, library: Library, name: &str, range: TextRange) {
        let Some(function) = library.function(name) else { return };
        self.called_functions.entry(function.name).or_insert((function, range));
        if function.accuracy != Accuracy::Exact {
            self.record_inexact(format!("`{}`", abbreviated_name(function)), function.accuracy, range);
        }
    }

    fn add_float32_functions(&mut self) {
        if !self.has_float32 {
            return;
        }
        for (function, range) in std::mem::take(&mut self.called_functions).into_values() {
            if let Some(units) = function.float32_ulps {
                let name = abbreviated_name(function);
                self.record_inexact(format!("`{name}` of float32"), Accuracy::Ulps(units), range);
            }
        }
    }

    fn add_transposed_sums(&mut self) {
        if !self.has_transpose {
            return;
        }
        for (function, range) in std::mem::take(&mut self.sum_reductions) {
            self.record_inexact(format!("`np.{function}` of a transposed array"), Accuracy::Sum, range);
        }
    }

    /// Records a reduction by summation, as a function of numpy or a method of an array.
    fn record_sum_reduction(&mut self, call: &'u ExprCall) {
        let name = match &*call.func {
            Expr::Attribute(attribute) => attribute.attr.as_str(),
            Expr::Name(name) => match self.functions.get(name.id.as_str()) {
                Some(&(Library::Numpy, function)) => function,
                _ => return,
            },
            _ => return,
        };
        if let Some(function) = Library::Numpy.function(name).filter(|function| function.has_layout_dependent_sum) {
            self.sum_reductions.entry(function.short_name()).or_insert(call.range());
        }
    }

    fn record_inexact(&mut self, name: String, accuracy: Accuracy, range: TextRange) {
        self.inexact_functions.insert((name, accuracy));
        self.first_use.get_or_insert(range);
    }

    /// Records a power; `base` is `None` in an augmented assignment such as `a **= 3`.
    fn record_operation(&mut self, operator: Operator, base: Option<&Expr>, power: &Expr, range: TextRange) {
        let is_number = |expression: &Expr| numeric_literal(expression).is_some();
        // numpy computes these powers of arrays as roots, squares and reciprocals.
        let is_exact = || numeric_literal(power).is_some_and(|power| EXACT_POWERS.contains(&power));
        match operator {
            Operator::MatMult => self.record_inexact("`@`".to_owned(), Accuracy::DotProduct, range),
            Operator::Pow if !(is_exact() || is_number(power) && base.is_some_and(is_number)) => {
                self.record_inexact("`**` of arrays".to_owned(), Accuracy::Ulps(1), range);
            }
            _ => {}
        }
    }
}

impl<'u> Visitor<'u> for AccuracyChecker<'u> {
    fn visit_stmt(&mut self, statement: &'u Stmt) {
        match statement {
            Stmt::Import(import) => {
                for alias in &import.names {
                    let (name, bound) = match &alias.asname {
                        Some(bound) => (alias.name.as_str(), bound.as_str()),
                        // Without an alias, `import a.b` binds `a`.
                        None => alias.name.split('.').next().map_or(("", ""), |first| (first, first)),
                    };
                    let library =
                        Library::from_name(name).filter(|one| matches!(one, Library::Numpy | Library::Linalg));
                    self.libraries.extend(library.map(|library| (bound, library)));
                }
            }
            Stmt::ImportFrom(import) => {
                let module = import.module.as_deref().unwrap_or_default();
                let library = Library::from_name(module).filter(|one| matches!(one, Library::Numpy | Library::Linalg));
                for alias in &import.names {
                    let (name, bound) = (alias.name.as_str(), alias.asname.as_ref().unwrap_or(&alias.name).as_str());
                    match library {
                        Some(Library::Numpy) if name == "linalg" => {
                            self.libraries.insert(bound, Library::Linalg);
                        }
                        Some(library) => {
                            self.functions.insert(bound, (library, name));
                        }
                        None => {}
                    }
                }
            }
            Stmt::AugAssign(assign) => self.record_operation(assign.op, None, &assign.value, assign.range),
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'u Expr) {
        match expression {
            Expr::StringLiteral(text) => self.has_float32 |= text.value.to_str() == "float32",
            Expr::Call(call) => self.record_sum_reduction(call),
            Expr::Attribute(attribute) => match self.library_of(&attribute.value) {
                Some(Library::Numpy) if attribute.attr.as_str() == "float32" => self.has_float32 = true,
                Some(library) => {
                    self.has_transpose |= attribute.attr.as_str() == "transpose";
                    self.record_function(library, &attribute.attr, expression.range());
                }
                // `dot` as a method of arrays.
                None if attribute.attr.as_str() == "dot" => {
                    self.record_function(Library::Numpy, "dot", expression.range());
                }
                None => self.has_transpose |= matches!(attribute.attr.as_str(), "T" | "transpose" | "swapaxes"),
            },
            Expr::Name(name) if name.ctx.is_load() => {
                if let Some(&(library, function)) = self.functions.get(name.id.as_str()) {
                    self.has_float32 |= function == "float32";
                    self.has_transpose |= function == "transpose";
                    self.record_function(library, function, expression.range());
                }
            }
            Expr::BinOp(ExprBinOp { op, left, right, range, .. }) => {
                self.record_operation(*op, Some(left), right, *range);
            }
            _ => {}
        }
        visitor::walk_expr(self, expression);
    }
}

/// Returns the name of a function of numpy, as in `np.linalg.norm`.
fn abbreviated_name(function: &LibraryFunction) -> String {
    function.name.replacen("numpy.", "np.", 1)
}
