//! Lowering of filters and computations.

use std::sync::Arc;

use goalspec_resource::compare::ComparisonOperator;
use goalspec_resource::compute::{self, Computation, MathOperation, ValueTransform};
use goalspec_resource::expression::Expression;
use goalspec_resource::field::Field;
use goalspec_resource::filter::{Filter, ValueFilter};
use goalspec_resource::value::Value;

use super::Lowering;
use super::scope::Scope;
use crate::ast::{self, ChainStepKind, ComputationKind, FilterKind, SpannedText, ValueTest, ValueTestKind};
use crate::codes;

impl Lowering {
    pub(super) fn filter(&mut self, filter: &ast::Filter, scope: &Scope<'_>) -> Filter {
        match &filter.kind {
            FilterKind::Always => Filter::Always,
            FilterKind::Never => Filter::Never,
            FilterKind::Field(name, test) => {
                let field = self.field(name, scope);
                if field == Field::TestedNodeName {
                    self.node_names(test);
                }
                Filter::Field(field, value_filter(test))
            }
            FilterKind::Computed(compute) => Filter::Computed(Box::new(self.compute(compute, scope))),
            FilterKind::Not(inner) => Filter::Not(Box::new(self.filter(inner, scope))),
            FilterKind::And(all) => Filter::And(all.iter().map(|filter| self.filter(filter, scope)).collect()),
            FilterKind::Or(any) => Filter::Or(any.iter().map(|filter| self.filter(filter, scope)).collect()),
        }
    }

    /// Reports undefined nodes in tests of node names.
    fn node_names(&mut self, test: &ValueTest) {
        match &test.kind {
            ValueTestKind::Value(ValueFilter::Compare(ComparisonOperator::Equal, name)) => self.node_name(name, test),
            ValueTestKind::Value(ValueFilter::OneOf(names)) => {
                names.iter().flatten().for_each(|name| self.node_name(name, test));
            }
            ValueTestKind::Value(_) => {}
            ValueTestKind::Not(inner) => self.node_names(inner),
            ValueTestKind::And(parts) | ValueTestKind::Or(parts) => parts.iter().for_each(|part| self.node_names(part)),
        }
    }

    fn node_name(&mut self, name: &Value, test: &ValueTest) {
        if let Value::Text(name) = name
            && self.board.node_named(name).is_none()
        {
            let help = self.nearest_node(name);
            let place = SpannedText { text: Arc::clone(name), span: test.span };
            self.report(self.name_diagnostic(codes::UNKNOWN_NODE, &place, format!("unknown node `{name}`"), help));
        }
    }

    fn fields(&mut self, names: &[SpannedText], scope: &Scope<'_>) -> Vec<Field> {
        names.iter().map(|name| self.field(name, scope)).collect()
    }

    pub(super) fn compute(&mut self, compute: &ast::Computation, scope: &Scope<'_>) -> Computation {
        match &compute.kind {
            ComputationKind::Constant(value) => Computation::Constant(value.clone()),
            ComputationKind::Field(name) => Computation::Field(self.field(name, scope)),
            ComputationKind::Calculate(formula) => {
                let compares = formula.expression.as_ref().is_some_and(Expression::is_comparison);
                let value = self.formula(formula, scope).map_or(Computation::Constant(None), Computation::Calculate);
                if compares { Computation::Chain(Box::new(value), vec![truth_of_number()]) } else { value }
            }
            ComputationKind::CalculateBoolean(formula) => {
                self.formula(formula, scope).map_or(Computation::Constant(None), Computation::CalculateBoolean)
            }
            ComputationKind::Cases(cases) => {
                Computation::Cases(cases.iter().map(|case| self.case(case, scope)).collect())
            }
            ComputationKind::MathOperation { operator, fields, fallback: if_invalid } => {
                let fields = self.fields(fields, scope);
                Computation::Math(MathOperation { operator: *operator, fields, fallback: if_invalid.clone() })
            }
            ComputationKind::Template(pieces) => {
                Computation::Template(pieces.iter().map(|piece| self.piece(piece, scope)).collect())
            }
            ComputationKind::FirstPresent(names) => Computation::FirstOf(self.fields(names, scope)),
            ComputationKind::List(names) => Computation::List(self.fields(names, scope)),
            ComputationKind::Chain(from, steps) => {
                Computation::Chain(Box::new(self.compute(from, scope)), steps.iter().map(step).collect())
            }
        }
    }

    fn formula<N>(
        &mut self,
        formula: &ast::SpannedExpression<N>,
        scope: &Scope<'_>,
    ) -> Option<compute::ResolvedExpression<N>>
    where
        Expression<N>: Clone,
    {
        let fields = self.fields(&formula.fields, scope);
        Some(compute::ResolvedExpression { expression: formula.expression.clone()?, fields })
    }

    fn case(&mut self, case: &ast::ComputationCase, scope: &Scope<'_>) -> compute::ComputationCase {
        let conditions = case.when.iter().map(|(name, test)| (self.field(name, scope), value_filter(test))).collect();
        compute::ComputationCase { when: conditions, value: self.compute(&case.value, scope) }
    }

    fn piece(&mut self, piece: &ast::TemplatePart, scope: &Scope<'_>) -> compute::TemplatePart {
        match piece {
            ast::TemplatePart::Text(text) => compute::TemplatePart::Text(Arc::clone(text)),
            ast::TemplatePart::Field(name) => compute::TemplatePart::Field(self.field(name, scope)),
        }
    }
}

/// Returns the step that converts the number of a comparison to a Boolean; any other value becomes missing.
fn truth_of_number() -> compute::ChainStep {
    let truth = |number: f64, truth| (Value::Real(number).to_string().into(), Some(Value::Bool(truth)));
    compute::ChainStep::Value(ValueTransform::Lookup {
        table: vec![truth(1.0, true), truth(0.0, false)],
        default: None,
    })
}

fn step(step: &ast::ChainStep) -> compute::ChainStep {
    match &step.kind {
        ChainStepKind::Test(test) => compute::ChainStep::Filter(value_filter(test)),
        ChainStepKind::Transform(value) => compute::ChainStep::Value(value.clone()),
    }
}

fn value_filter(test: &ValueTest) -> ValueFilter {
    match &test.kind {
        ValueTestKind::Value(filter) => filter.clone(),
        ValueTestKind::Not(inner) => ValueFilter::Not(Box::new(value_filter(inner))),
        ValueTestKind::And(tests) => ValueFilter::And(tests.iter().map(value_filter).collect()),
        ValueTestKind::Or(tests) => ValueFilter::Or(tests.iter().map(value_filter).collect()),
    }
}
