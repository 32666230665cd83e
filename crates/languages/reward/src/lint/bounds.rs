//! Contradictory bounds: `x < 10 and x > 20`, and clamps with swapped bounds.

use goalspec_syntax::{Diagnostic, SourceFile};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{BoolOp, CmpOp, Expr, ExprBoolOp, ExprCall, ExprCompare, ModModule};
use ruff_text_size::{Ranged, TextRange};

use super::numeric_literal;
use crate::codes;
use crate::parse::span;

pub(super) fn lint(source: &SourceFile, module: &ModModule) -> Vec<Diagnostic> {
    let mut walk = BoundsChecker { source, diagnostics: Vec::new() };
    walk.visit_body(&module.body);
    walk.diagnostics
}

struct BoundsChecker<'w> {
    source: &'w SourceFile,
    diagnostics: Vec<Diagnostic>,
}

impl<'w> Visitor<'w> for BoundsChecker<'w> {
    fn visit_expr(&mut self, expression: &'w Expr) {
        match expression {
            Expr::BoolOp(operation) if operation.op == BoolOp::And && self.check_conjunction(operation) => return,
            Expr::Compare(compare) => {
                let mut bounds = BoundSet::default();
                bounds.add(self.source, compare);
                self.check_bounds(expression, &bounds);
            }
            Expr::Call(call) => self.check_clamp(call),
            _ => {}
        }
        visitor::walk_expr(self, expression);
    }
}

impl<'w> BoundsChecker<'w> {
    /// Checks comparisons that have to hold together; returns whether they contradict each other.
    fn check_conjunction(&mut self, operation: &'w ExprBoolOp) -> bool {
        let mut bounds = BoundSet::default();
        for value in &operation.values {
            // A call may change the compared values.
            if !is_pure(value) {
                return false;
            }
            if let Expr::Compare(compare) = value {
                bounds.add(self.source, compare);
            }
        }
        let whole = operation.range();
        let Some(contradiction) = bounds.find_contradiction() else { return false };
        self.report_contradiction(whole, &contradiction);
        true
    }

    fn check_bounds(&mut self, at: &Expr, bounds: &BoundSet<'_>) {
        if let Some(contradiction) = bounds.find_contradiction() {
            self.report_contradiction(at.range(), &contradiction);
        }
    }

    /// Returns the source text of a range on one line.
    fn source_text(&self, at: TextRange) -> String {
        self.source.text()[at.to_std_range()].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn report_contradiction(&mut self, at: TextRange, contradiction: &str) {
        let message = format!("`{}` is never true: {contradiction}", self.source_text(at));
        let finding = Diagnostic::warning(codes::CONSTANT_COMPARISON, span(self.source, at), message);
        self.diagnostics.push(finding.with_help("reverse one of the comparisons, or use `or`"));
    }

    /// Reports `max(min(e, -1), 1)`, whose value is always the outer bound.
    fn check_clamp(&mut self, call: &ExprCall) {
        let Some((outer, bound, inner)) = min_or_max_call(call) else { return };
        let Some((other, limit, _)) = inner.as_call_expr().and_then(min_or_max_call) else { return };
        let swapped = match (outer, other) {
            ("max", "min") => limit < bound,
            ("min", "max") => limit > bound,
            _ => false,
        };
        if swapped {
            let message = format!("`{}` is always {bound}: its bounds are swapped", self.source_text(call.range()));
            let finding = Diagnostic::warning(codes::CONSTANT_COMPARISON, span(self.source, call.range()), message);
            let (low, high) = (limit.min(bound), limit.max(bound));
            self.diagnostics.push(finding.with_help(format!("replace with `max({low}, min({high}, ..))`")));
        }
    }
}

/// Splits `max(e, 1)` or `min(e, 1)` into the function, the number and the other argument.
fn min_or_max_call(call: &ExprCall) -> Option<(&str, f64, &Expr)> {
    let name = call.func.as_name_expr()?.id.as_str();
    let ([one, other], []) = (&call.arguments.args[..], &call.arguments.keywords[..]) else { return None };
    let (bound, rest) = match (numeric_literal(one), numeric_literal(other)) {
        (None, Some(bound)) => (bound, one),
        (Some(bound), None) => (bound, other),
        _ => return None,
    };
    matches!(name, "max" | "min").then_some((name, bound, rest))
}

/// The bounds of expressions, which are identified by their source text.
#[derive(Default)]
struct BoundSet<'b>(Vec<Bound<'b>>);

struct Bound<'b> {
    expression: &'b str,
    /// The largest lower bound, and whether it is included.
    low: (f64, bool),
    high: (f64, bool),
}

impl<'b> BoundSet<'b> {
    fn add(&mut self, source: &'b SourceFile, compare: &ExprCompare) {
        let mut left = &*compare.left;
        for (operator, right) in compare.ops.iter().zip(&compare.comparators) {
            match (numeric_literal(left), numeric_literal(right)) {
                (None, Some(limit)) => self.add_bound(source, left, *operator, limit),
                (Some(limit), None) => self.add_bound(source, right, mirrored_operator(*operator), limit),
                _ => {}
            }
            left = right;
        }
    }

    fn add_bound(&mut self, source: &'b SourceFile, of: &Expr, operator: CmpOp, limit: f64) {
        if !is_pure(of) {
            return;
        }
        let of = &source.text()[of.range().to_std_range()];
        let place = self.0.iter().position(|bound| bound.expression == of).unwrap_or_else(|| {
            self.0.push(Bound { expression: of, low: (f64::NEG_INFINITY, true), high: (f64::INFINITY, true) });
            self.0.len() - 1
        });
        let known = &mut self.0[place];
        let (above, below) = match operator {
            CmpOp::Gt => (Some(false), None),
            CmpOp::GtE => (Some(true), None),
            CmpOp::Lt => (None, Some(false)),
            CmpOp::LtE => (None, Some(true)),
            CmpOp::Eq => (Some(true), Some(true)),
            _ => (None, None),
        };
        if let Some(itself) = above.filter(|itself| limit > known.low.0 || (limit >= known.low.0 && !itself)) {
            known.low = (limit, itself);
        }
        if let Some(itself) = below.filter(|itself| limit < known.high.0 || (limit <= known.high.0 && !itself)) {
            known.high = (limit, itself);
        }
    }

    /// Describes a contradiction between the bounds, if there is one.
    fn find_contradiction(&self) -> Option<String> {
        let empty = |bound: &&Bound<'_>| {
            let ((low, with_low), (high, with_high)) = (bound.low, bound.high);
            low > high || (low >= high && !(with_low && with_high))
        };
        let bound = self.0.iter().find(empty)?;
        let ((low, with_low), (high, with_high)) = (bound.low, bound.high);
        let low = if with_low { format!("at least {low}") } else { format!("above {low}") };
        let high = if with_high { format!("at most {high}") } else { format!("below {high}") };
        Some(format!("no number is {low} and {high}"))
    }
}

fn mirrored_operator(operator: CmpOp) -> CmpOp {
    match operator {
        CmpOp::Lt => CmpOp::Gt,
        CmpOp::LtE => CmpOp::GtE,
        CmpOp::Gt => CmpOp::Lt,
        CmpOp::GtE => CmpOp::LtE,
        other => other,
    }
}

/// Returns whether an expression has the same value each time and no side effects.
fn is_pure(expression: &Expr) -> bool {
    match expression {
        Expr::Name(_)
        | Expr::NumberLiteral(_)
        | Expr::StringLiteral(_)
        | Expr::BooleanLiteral(_)
        | Expr::NoneLiteral(_) => true,
        Expr::Attribute(attribute) => is_pure(&attribute.value),
        Expr::Subscript(item) => is_pure(&item.value) && is_pure(&item.slice),
        Expr::UnaryOp(operation) => is_pure(&operation.operand),
        Expr::BinOp(operation) => is_pure(&operation.left) && is_pure(&operation.right),
        Expr::BoolOp(operation) => operation.values.iter().all(is_pure),
        Expr::Compare(compare) => is_pure(&compare.left) && compare.comparators.iter().all(is_pure),
        Expr::Call(call) => {
            let known = call.func.as_name_expr().is_some_and(|name| {
                matches!(name.id.as_str(), "abs" | "len" | "isinstance" | "int" | "float" | "min" | "max")
            });
            known && call.arguments.keywords.is_empty() && call.arguments.args.iter().all(is_pure)
        }
        _ => false,
    }
}
