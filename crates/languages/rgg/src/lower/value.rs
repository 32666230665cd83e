//! Lowering of filters and computations.

use std::sync::Arc;

use goalspec_resource::compare::Comparison;
use goalspec_resource::compute::{self, Compute, Math, ValueCompute};
use goalspec_resource::expression::Expression;
use goalspec_resource::field::Field;
use goalspec_resource::filter::{Filter, ValueFilter};
use goalspec_resource::value::Value;

use super::Lowering;
use super::scope::Scope;
use crate::ast::{self, ComputeKind, FilterKind, Name, StepKind, Test, TestKind};
use crate::codes;

impl Lowering {
    pub(super) fn filter(&mut self, filter: &ast::Filter, scope: &Scope<'_>) -> Filter {
        match &filter.kind {
            FilterKind::All => Filter::All,
            FilterKind::None => Filter::None,
            FilterKind::Field(name, test) => {
                let field = self.field(name, scope);
                if field == Field::OwnName {
                    self.node_names(test);
                }
                Filter::Field(field, value_filter(test))
            }
            FilterKind::Truth(compute) => Filter::Truth(Box::new(self.compute(compute, scope))),
            FilterKind::Not(inner) => Filter::Not(Box::new(self.filter(inner, scope))),
            FilterKind::And(all) => Filter::And(all.iter().map(|filter| self.filter(filter, scope)).collect()),
            FilterKind::Or(any) => Filter::Or(any.iter().map(|filter| self.filter(filter, scope)).collect()),
        }
    }

    /// Reports undefined nodes in tests of node names.
    fn node_names(&mut self, test: &Test) {
        match &test.kind {
            TestKind::Value(ValueFilter::Compare(Comparison::Equal, name)) => self.node_name(name, test),
            TestKind::Value(ValueFilter::OneOf(names)) => {
                names.iter().flatten().for_each(|name| self.node_name(name, test));
            }
            TestKind::Value(_) => {}
            TestKind::Not(inner) => self.node_names(inner),
            TestKind::And(parts) | TestKind::Or(parts) => parts.iter().for_each(|part| self.node_names(part)),
        }
    }

    fn node_name(&mut self, name: &Value, test: &Test) {
        if let Value::Text(name) = name
            && self.board.node_named(name).is_none()
        {
            let help = self.nearest_node(name);
            let place = Name { text: Arc::clone(name), span: test.span };
            self.report(self.lax(codes::UNKNOWN_NODE, &place, format!("unknown node `{name}`"), help));
        }
    }

    fn fields(&mut self, names: &[Name], scope: &Scope<'_>) -> Vec<Field> {
        names.iter().map(|name| self.field(name, scope)).collect()
    }

    pub(super) fn compute(&mut self, compute: &ast::Compute, scope: &Scope<'_>) -> Compute {
        match &compute.kind {
            ComputeKind::Constant(value) => Compute::Constant(value.clone()),
            ComputeKind::Field(name) => Compute::Field(self.field(name, scope)),
            ComputeKind::Calculate(formula) => {
                let compares = formula.expression.as_ref().is_some_and(Expression::is_comparison);
                let value = self.formula(formula, scope).map_or(Compute::Constant(None), Compute::Calculate);
                if compares { Compute::Chain(Box::new(value), vec![truth_of_number()]) } else { value }
            }
            ComputeKind::CalculateBoolean(formula) => {
                self.formula(formula, scope).map_or(Compute::Constant(None), Compute::CalculateBoolean)
            }
            ComputeKind::Condition(cases) => {
                Compute::Condition(cases.iter().map(|case| self.case(case, scope)).collect())
            }
            ComputeKind::Math { operator, fields, if_invalid } => {
                let fields = self.fields(fields, scope);
                Compute::Math(Math { operator: *operator, fields, if_invalid: if_invalid.clone() })
            }
            ComputeKind::Template(pieces) => {
                Compute::Template(pieces.iter().map(|piece| self.piece(piece, scope)).collect())
            }
            ComputeKind::FirstOf(names) => Compute::FirstOf(self.fields(names, scope)),
            ComputeKind::List(names) => Compute::List(self.fields(names, scope)),
            ComputeKind::Chain(from, steps) => {
                Compute::Chain(Box::new(self.compute(from, scope)), steps.iter().map(step).collect())
            }
        }
    }

    fn formula<N>(&mut self, formula: &ast::Formula<N>, scope: &Scope<'_>) -> Option<compute::Formula<N>>
    where
        Expression<N>: Clone,
    {
        let fields = self.fields(&formula.fields, scope);
        Some(compute::Formula { expression: formula.expression.clone()?, fields })
    }

    fn case(&mut self, case: &ast::Case, scope: &Scope<'_>) -> compute::Case {
        let when = case.when.iter().map(|(name, test)| (self.field(name, scope), value_filter(test))).collect();
        compute::Case { when, value: self.compute(&case.value, scope) }
    }

    fn piece(&mut self, piece: &ast::Piece, scope: &Scope<'_>) -> compute::Piece {
        match piece {
            ast::Piece::Text(text) => compute::Piece::Text(Arc::clone(text)),
            ast::Piece::Field(name) => compute::Piece::Field(self.field(name, scope)),
        }
    }
}

/// Returns the step that converts the number of a comparison to a Boolean; any other value becomes missing.
fn truth_of_number() -> compute::Step {
    let truth = |number: f64, truth| (Value::Real(number).to_string().into(), Some(Value::Bool(truth)));
    compute::Step::Value(ValueCompute::Lookup { table: vec![truth(1.0, true), truth(0.0, false)], if_null: None })
}

fn step(step: &ast::Step) -> compute::Step {
    match &step.kind {
        StepKind::Test(test) => compute::Step::Filter(value_filter(test)),
        StepKind::Value(value) => compute::Step::Value(value.clone()),
    }
}

fn value_filter(test: &Test) -> ValueFilter {
    match &test.kind {
        TestKind::Value(filter) => filter.clone(),
        TestKind::Not(inner) => ValueFilter::Not(Box::new(value_filter(inner))),
        TestKind::And(tests) => ValueFilter::And(tests.iter().map(value_filter).collect()),
        TestKind::Or(tests) => ValueFilter::Or(tests.iter().map(value_filter).collect()),
    }
}
