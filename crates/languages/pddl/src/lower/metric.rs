//! Lowering of metrics.

use std::sync::Arc;

use goalspec_core::planning::task::MetricExpression;
use goalspec_syntax::{Diagnostic, suggest};

use crate::ast::{Arguments, Atom, Expr, ExprKind, Name};
use crate::codes;
use crate::parse::excerpt;
use crate::resolve::Resolver;

/// Lowers the expression of a metric.
pub(super) fn value(expr: &Expr, preferences: &[Arc<str>], resolver: &mut Resolver<'_>) -> Option<MetricExpression> {
    let mut values = |parts: &[Expr]| {
        let parts: Vec<_> = parts.iter().map(|part| value(part, preferences, resolver)).collect();
        parts.into_iter().collect::<Option<Vec<_>>>()
    };
    match &expr.kind {
        ExprKind::Number(number) => Some(MetricExpression::Number(*number)),
        ExprKind::Name(name) if name.text() == "total-time" => Some(MetricExpression::TotalTime),
        ExprKind::Call(call) if call.name.text() == "total-time" && call.arguments.is_empty() => {
            Some(MetricExpression::TotalTime)
        }
        ExprKind::Name(name) => {
            let call = Atom { name: name.clone(), arguments: Arguments::new(), span: name.span };
            function(&call, resolver)
        }
        ExprKind::Call(call) => function(call, resolver),
        ExprKind::Add(parts) => Some(MetricExpression::Add(values(parts)?)),
        ExprKind::Multiply(parts) => Some(MetricExpression::Multiply(values(parts)?)),
        ExprKind::Subtract(parts) => Some(MetricExpression::Subtract(two(values(&parts[..])?)?)),
        ExprKind::Divide(parts) => Some(MetricExpression::Divide(two(values(&parts[..])?)?)),
        ExprKind::Negate(part) => {
            let part = value(part, preferences, resolver)?;
            Some(MetricExpression::Subtract(Box::new([MetricExpression::Number(0.0), part])))
        }
        ExprKind::IsViolated(name) => violations(name, preferences, resolver),
    }
}

fn two(parts: Vec<MetricExpression>) -> Option<Box<[MetricExpression; 2]>> {
    parts.try_into().ok().map(Box::new)
}

fn function(call: &Atom, resolver: &mut Resolver<'_>) -> Option<MetricExpression> {
    let (function, arguments) = resolver.call(call)?;
    Some(MetricExpression::Call(function, arguments, call.span.into()))
}

fn violations(name: &Name, preferences: &[Arc<str>], resolver: &mut Resolver<'_>) -> Option<MetricExpression> {
    if let Some(known) = preferences.iter().find(|known| ***known == *name.text()) {
        return Some(MetricExpression::Violations(known.clone()));
    }
    let message = format!("unknown preference `{}`", excerpt(name.written()));
    let diagnostic = Diagnostic::error(codes::UNKNOWN_PREFERENCE, name.span, message);
    let (diagnostic, _) =
        suggest::with_nearest(diagnostic, name.text(), name.span, preferences.iter().map(|known| &**known));
    resolver.diagnostics.push(diagnostic);
    None
}
