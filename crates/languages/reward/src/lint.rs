//! Static checks for probable mistakes, without running the program.

mod accuracy;
mod bounds;
mod branches;
mod components;
mod documented_range;
mod flow;
mod list_mutation;
mod object_changes;
mod persistent_state;
mod unclamped;
mod unused;

use goalspec_python_runtime::entry::Entry;
use goalspec_python_runtime::scene::World;
use goalspec_syntax::{Diagnostic, SourceFile, Span};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{CmpOp, Expr, ExprBinOp, ExprCompare, ModModule, Number, Operator, Stmt};
use ruff_text_size::Ranged;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::parse::{parse, span};
use crate::patterns;

pub use documented_range::{RewardRange, documented_range};
pub use flow::attribute_names;
pub use object_changes::{ObjectChange, object_changes};
pub use persistent_state::persistent_state;
pub use unclamped::unclamped_return;

/// Checks a program whose reward comes from the function of `entry`, in a world if it is known. A `promised` range of the result takes the
/// place of the range that the program itself promises.
pub fn lint(
    source: &SourceFile,
    entry: Option<&Entry>,
    world: Option<&World>,
    promised: Option<RewardRange>,
) -> Vec<Diagnostic> {
    let parsed = parse(source);
    let module = &parsed.module;
    let mut lint = Linter {
        source,
        world,
        diagnostics: list_mutation::lint(source, module),
        nonzero_names: positive_names(module),
        has_orientation_assignment: flow::has_attribute_assignment(module, "orientation"),
    };
    lint.visit_body(&module.body);
    let Linter { diagnostics: mut found, .. } = lint;
    found.extend(accuracy::lint(source, module));
    found.extend(bounds::lint(source, module));
    found.extend(components::lint(source, module));
    let flow::AnalysisResult { diagnostics, return_intervals: returned, reachable_statements: reached } =
        flow::lint(source, module, entry, world);
    found.extend(diagnostics);
    if let Some(entry) = entry {
        let unused = unused::lint(source, module, world, &entry.function);
        found.extend(object_changes::lint(source, module, world, &unused));
        found.extend(unused);
        found.extend(documented_range::lint(source, &parsed, &entry.function, promised, &returned, &reached));
    }
    // A division whose operands have unsupported types raises a `TypeError`, so its divisor is not reported.
    let wrong = found.iter().filter(|finding| finding.code == codes::WRONG_OPERANDS);
    let mut wrong: Vec<(u32, u32)> =
        wrong.filter_map(|finding| finding.span).map(|span| (span.start, span.end)).collect();
    wrong.sort_unstable();
    // Each end becomes the maximum of the ends up to it, for the binary search below.
    let mut farthest = 0;
    for (_, end) in &mut wrong {
        farthest = farthest.max(*end);
        *end = farthest;
    }
    let within = |span: Span| {
        let begun = wrong.partition_point(|(start, _)| *start <= span.start);
        begun > 0 && span.end <= wrong[begun - 1].1
    };
    found.retain(|finding| finding.code != codes::UNGUARDED_DIVISION || !finding.span.is_some_and(within));
    found.sort_by_key(|finding| finding.span.map(|span| (span.start, span.end)));
    found
}

/// Returns the names of a module's functions with the positions of their definitions.
pub fn functions(source: &SourceFile) -> Vec<(String, goalspec_syntax::Span)> {
    let module = parse(source).module;
    let defined = module.body.iter().filter_map(Stmt::as_function_def_stmt);
    defined.map(|function| (function.name.to_string(), span(source, function.range))).collect()
}

struct Linter<'l> {
    source: &'l SourceFile,
    world: Option<&'l World>,
    diagnostics: Vec<Diagnostic>,
    /// Names that are only ever bound to nonzero numbers.
    nonzero_names: FxHashSet<&'l str>,
    /// Whether the program itself sets an attribute `orientation`.
    has_orientation_assignment: bool,
}

impl<'a> Visitor<'a> for Linter<'_> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::BinOp(operation) => self.check_division(operation),
            Expr::Compare(compare) => {
                self.check_category(compare);
                self.check_orientation(compare);
            }
            _ => {}
        }
        visitor::walk_expr(self, expression);
    }
}

impl Linter<'_> {
    fn check_division(&mut self, operation: &ExprBinOp) {
        let divides = matches!(operation.op, Operator::Div | Operator::FloorDiv | Operator::Mod);
        if !divides || operation.left.is_string_literal_expr() || self.is_nonzero_or_unknown(&operation.right) {
            return;
        }
        let range = operation.right.range();
        let text = &self.source.text()[range.to_std_range()];
        let message = format!("`{text}` may be 0");
        let help = format!("divide by `max({text}, 1)`, or only if it is not 0");
        let finding = Diagnostic::note(codes::UNGUARDED_DIVISION, span(self.source, range), message);
        self.diagnostics.push(finding.with_help(help));
    }

    /// Returns whether a divisor cannot be 0, or is unknown.
    fn is_nonzero_or_unknown(&self, divisor: &Expr) -> bool {
        match divisor {
            Expr::NumberLiteral(literal) => !is_zero(&literal.value),
            Expr::UnaryOp(operation) => self.is_nonzero_or_unknown(&operation.operand),
            Expr::Name(name) => self.nonzero_names.contains(name.id.as_str()),
            // `max(n, 1)` is the suggested guard, and `n + 1` usually serves as one.
            Expr::Call(call) => call.func.as_name_expr().is_some_and(|name| name.id.as_str() == "max"),
            Expr::BinOp(operation) => match operation.op {
                Operator::Add => {
                    self.is_nonzero_or_unknown(&operation.left) || self.is_nonzero_or_unknown(&operation.right)
                }
                Operator::Sub => false,
                _ => self.is_nonzero_or_unknown(&operation.left) && self.is_nonzero_or_unknown(&operation.right),
            },
            _ => false,
        }
    }

    /// Reports `obj.orientation == "left"`: orientations of screen objects are not strings.
    fn check_orientation(&mut self, compare: &ExprCompare) {
        let ([CmpOp::Eq | CmpOp::NotEq], [Expr::StringLiteral(text)], Expr::Attribute(attribute)) =
            (&compare.ops[..], &compare.comparators[..], &*compare.left)
        else {
            return;
        };
        let Some(world) =
            self.world.filter(|world| !world.screen_classes.is_empty() && world.entity_classes.is_empty())
        else {
            return;
        };
        if attribute.attr.as_str() != "orientation" || self.has_orientation_assignment {
            return;
        }
        let always = if compare.ops[0] == CmpOp::Eq { "never" } else { "always" };
        let written = self.source.text()[compare.range.to_std_range()].split_whitespace().collect::<Vec<_>>().join(" ");
        let message = format!("`{written}` is {always} true: an orientation is not a string");
        let finding = Diagnostic::warning(codes::CONSTANT_COMPARISON, span(self.source, compare.range), message);
        let text = text.value.to_str();
        self.diagnostics.push(if world.exports_orientation && text.len() <= 2 {
            finding.with_help(format!("it is `None` or an `Orientation`: `Orientation.{}`", text.to_uppercase()))
        } else if world.exports_orientation {
            finding.with_help("it is `None`, `Orientation.E` or `Orientation.W`")
        } else {
            finding.with_help("it is `None`, or a number in games whose player turns")
        });
    }

    /// Reports `obj.category == "Name"` for a class that has subclasses.
    fn check_category(&mut self, compare: &ExprCompare) {
        let (Some(world), [CmpOp::Eq | CmpOp::NotEq], [Expr::StringLiteral(text)]) =
            (self.world, &compare.ops[..], &compare.comparators[..])
        else {
            return;
        };
        if !matches!(&*compare.left, Expr::Attribute(attribute) if attribute.attr.as_str() == "category") {
            return;
        }
        let name = text.value.to_str();
        let Some(class) = world.screen_classes.iter().position(|class| &*class.name == name) else { return };
        let kinds = world.screen_classes.iter().filter(|kind| kind.parent == Some(class as u16));
        let kinds: Vec<String> = kinds.map(|kind| format!("`{}`", kind.name)).collect();
        if !kinds.is_empty() {
            let message = format!(
                "the comparison excludes {}, which derive from `{name}` and have other categories",
                kinds.join(", ")
            );
            let finding = Diagnostic::note(codes::SUBCLASSES_EXCLUDED, span(self.source, compare.range), message);
            self.diagnostics.push(finding.with_help(format!("`isinstance(.., {name})` includes them")));
        }
    }
}

fn is_zero(number: &Number) -> bool {
    match number {
        Number::Int(int) => int.as_i64() == Some(0),
        Number::Float(float) => *float == 0.0,
        Number::Complex { .. } => false,
    }
}

/// Returns the value of a numeric literal with an optional minus sign.
fn numeric_literal(expression: &Expr) -> Option<f64> {
    match expression {
        Expr::NumberLiteral(literal) => match &literal.value {
            ruff_python_ast::Number::Int(int) => int.as_i64().map(|number| number as f64),
            ruff_python_ast::Number::Float(number) => Some(*number),
            ruff_python_ast::Number::Complex { .. } => None,
        },
        Expr::UnaryOp(operation) if operation.op == ruff_python_ast::UnaryOp::USub => {
            numeric_literal(&operation.operand).map(|number| -number)
        }
        _ => None,
    }
}

/// Returns whether an expression is a positive constant: a nonzero literal, or a sum, product or quotient of positive constants.
fn is_positive(expression: &Expr) -> bool {
    match expression {
        Expr::NumberLiteral(literal) => !is_zero(&literal.value),
        Expr::BinOp(operation) if matches!(operation.op, Operator::Add | Operator::Mult | Operator::Div) => {
            is_positive(&operation.left) && is_positive(&operation.right)
        }
        _ => false,
    }
}

/// Returns the names that are only ever bound to positive constants; parameters count as such.
fn positive_names(module: &ModModule) -> FxHashSet<&str> {
    #[derive(Default)]
    struct NameCollector<'n> {
        is_positive: FxHashMap<&'n str, bool>,
    }
    impl<'n> NameCollector<'n> {
        fn record(&mut self, name: &'n str, is_number: bool) {
            *self.is_positive.entry(name).or_insert(true) &= is_number;
        }
    }
    impl<'a> Visitor<'a> for NameCollector<'a> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            if let Stmt::Assign(assign) = statement
                && let [Expr::Name(name)] = &assign.targets[..]
            {
                self.record(&name.id, is_positive(&assign.value));
                return self.visit_expr(&assign.value);
            }
            visitor::walk_stmt(self, statement);
        }
        fn visit_expr(&mut self, expression: &'a Expr) {
            if let Expr::Name(name) = expression
                && name.ctx.is_store()
            {
                self.record(&name.id, false);
            }
            visitor::walk_expr(self, expression);
        }
        fn visit_pattern(&mut self, pattern: &'a ruff_python_ast::Pattern) {
            if let Some(name) = patterns::bound_name(pattern) {
                self.record(name, false);
            }
            visitor::walk_pattern(self, pattern);
        }
        // The values of parameters are unknown here; runs of the program check them.
        fn visit_parameter(&mut self, parameter: &'a ruff_python_ast::Parameter) {
            self.record(&parameter.name, true);
        }
    }
    let mut names = NameCollector::default();
    names.visit_body(&module.body);
    names.is_positive.into_iter().filter_map(|(name, number)| number.then_some(name)).collect()
}
