//! Functions of numpy whose own results differ from processor to processor in their last digits.

use goalspec_syntax::{Diagnostic, SourceFile};
use indexmap::IndexSet;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprBinOp, ModModule, Operator, Stmt};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::FxHashMap;

use super::number;
use crate::codes;
use crate::library::Library;
use crate::machine::{Accuracy, NUMPY_FUNCTIONS};
use crate::parse::span;

/// One note of all such functions that a program uses, at the first of them.
pub(super) fn lint(source: &SourceFile, module: &ModModule) -> Option<Diagnostic> {
    let mut uses = Uses::default();
    uses.visit_body(&module.body);
    let first = uses.first?;
    if uses.libraries.is_empty() && uses.functions.is_empty() {
        return None;
    }
    let told = uses.found.iter().map(|(name, accuracy)| match accuracy {
        Accuracy::Units(units) => format!("{name} by {units} ulp"),
        _ => format!("{name} by 1 ulp of the sum of absolute products for each element"),
    });
    let told: Vec<String> = told.collect();
    let message = format!("numpy's own results may differ in their last digits: {}", told.join(", "));
    let help = "the book tells where and how far: `Reward functions`, `Differences from CPython`";
    Some(Diagnostic::note(codes::NUMPY_ACCURACY, span(source, first), message).with_help(help))
}

/// Exponents with which powers of arrays are exact.
const EXACT_POWERS: [f64; 5] = [-1.0, 0.0, 0.5, 1.0, 2.0];

/// Uses of functions that are not the same to the last bit.
#[derive(Default)]
struct Uses<'u> {
    /// The names that the program has for libraries.
    libraries: FxHashMap<&'u str, Library>,
    /// The names that it has for functions of numpy.
    functions: FxHashMap<&'u str, (Library, &'u str)>,
    /// How they are called, each with how far it may be off.
    found: IndexSet<(String, Accuracy)>,
    first: Option<TextRange>,
}

impl<'u> Uses<'u> {
    fn library_of(&self, expression: &'u Expr) -> Option<Library> {
        match expression {
            Expr::Name(name) => self.libraries.get(name.id.as_str()).copied(),
            Expr::Attribute(attribute) if attribute.attr.as_str() == "linalg" => {
                (self.library_of(&attribute.value)? == Library::Numpy).then_some(Library::Linalg)
            }
            _ => None,
        }
    }

    fn function(&mut self, library: Library, name: &str, range: TextRange) {
        let entry = NUMPY_FUNCTIONS.iter().find(|(full, ..)| match library {
            Library::Numpy => *full == name,
            Library::Linalg => full.strip_prefix("linalg.") == Some(name),
            _ => false,
        });
        if let Some(&(full, _, accuracy)) = entry.filter(|(_, _, accuracy)| *accuracy != Accuracy::Exact) {
            self.found(format!("`np.{full}`"), accuracy, range);
        }
    }

    fn found(&mut self, shown: String, accuracy: Accuracy, range: TextRange) {
        self.found.insert((shown, accuracy));
        self.first.get_or_insert(range);
    }

    /// `base` is none of an assignment such as `a **= 3`.
    fn operation(&mut self, operator: Operator, base: Option<&Expr>, power: &Expr, range: TextRange) {
        let is_number = |expression: &Expr| number(expression).is_some();
        // Of arrays, these are computed as roots, squares and reciprocals.
        let is_exact = || number(power).is_some_and(|power| EXACT_POWERS.contains(&power));
        match operator {
            Operator::MatMult => self.found("`@`".to_owned(), Accuracy::Products, range),
            Operator::Pow if !(is_exact() || is_number(power) && base.is_some_and(is_number)) => {
                self.found("`**` of arrays".to_owned(), Accuracy::Units(1), range);
            }
            _ => {}
        }
    }
}

impl<'u> Visitor<'u> for Uses<'u> {
    fn visit_stmt(&mut self, statement: &'u Stmt) {
        match statement {
            Stmt::Import(import) => {
                for alias in &import.names {
                    let (name, bound) = match &alias.asname {
                        Some(bound) => (alias.name.as_str(), bound.as_str()),
                        // Without a name of its own, `import a.b` gives `a`.
                        None => alias.name.split('.').next().map_or(("", ""), |first| (first, first)),
                    };
                    let library = Library::named(name).filter(|one| matches!(one, Library::Numpy | Library::Linalg));
                    self.libraries.extend(library.map(|library| (bound, library)));
                }
            }
            Stmt::ImportFrom(import) => {
                let module = import.module.as_deref().unwrap_or_default();
                let library = Library::named(module).filter(|one| matches!(one, Library::Numpy | Library::Linalg));
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
            Stmt::AugAssign(assign) => self.operation(assign.op, None, &assign.value, assign.range),
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'u Expr) {
        match expression {
            Expr::Attribute(attribute) => match self.library_of(&attribute.value) {
                Some(library) => self.function(library, &attribute.attr, expression.range()),
                // A method of arrays.
                None if attribute.attr.as_str() == "dot" => self.function(Library::Numpy, "dot", expression.range()),
                None => {}
            },
            Expr::Name(name) if name.ctx.is_load() => {
                if let Some(&(library, function)) = self.functions.get(name.id.as_str()) {
                    self.function(library, function, expression.range());
                }
            }
            Expr::BinOp(ExprBinOp { op, left, right, range, .. }) => self.operation(*op, Some(left), right, *range),
            _ => {}
        }
        visitor::walk_expr(self, expression);
    }
}
