//! The comparisons that `functools.total_ordering` adds to a class.

use super::GeneratedMethod;
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::value::Value;
use crate::operators::ComparisonOperator;

/// The special methods of the comparisons.
pub(super) const ORDERING_METHODS: [(&str, ComparisonOperator); 4] = [
    ("__lt__", ComparisonOperator::Lt),
    ("__le__", ComparisonOperator::LtE),
    ("__gt__", ComparisonOperator::Gt),
    ("__ge__", ComparisonOperator::GtE),
];

impl Machine {
    pub(super) fn total_ordering(&mut self, class: Value) -> ExecResult {
        let Value::Ref(at) = class else { return Err(self.type_error("total_ordering() requires a class")) };
        // Other callables have every comparison by default.
        if !self.is_class(class) {
            return Ok(class);
        }
        let has = ORDERING_METHODS.map(|(name, _)| {
            let symbol = self.intern(name);
            self.class_field(at, symbol).is_some()
        });
        let Some(defined) = has.iter().position(|&has| has) else {
            let message = "must define at least one ordering operation: < > <= >=";
            return Err(self.raise(ExceptionKind::ValueError, message));
        };
        for (index, (name, operator)) in ORDERING_METHODS.into_iter().enumerate() {
            if !has[index] {
                self.add_generated_method(
                    at,
                    name,
                    GeneratedMethod::DerivedComparison(operator, ORDERING_METHODS[defined].1),
                );
            }
        }
        Ok(class)
    }

    /// Evaluates a comparison that `total_ordering` derives from the one defined by the class.
    pub(super) fn derived_comparison(
        &mut self,
        operator: ComparisonOperator,
        defined: ComparisonOperator,
        object: Value,
        other: Value,
    ) -> ExecResult {
        let name = ORDERING_METHODS.iter().find(|(_, one)| *one == defined).map_or("__lt__", |(name, _)| name);
        let Some(method) = self.special_method(object, name) else { return Ok(Value::NotImplemented) };
        let result = self.call_value(method, &[other], &[])?;
        if matches!(result, Value::NotImplemented) {
            return Ok(result);
        }
        let holds = self.truth(result)?;
        let strict = |operator: ComparisonOperator| matches!(operator, ComparisonOperator::Lt | ComparisonOperator::Gt);
        let same_way = matches!(operator, ComparisonOperator::Lt | ComparisonOperator::LtE)
            == matches!(defined, ComparisonOperator::Lt | ComparisonOperator::LtE);
        let truth = match (same_way, strict(defined), strict(operator)) {
            (true, true, _) => holds || self.is_equal_by_operator(object, other)?,
            (true, false, _) => holds && !self.is_equal_by_operator(object, other)?,
            (false, true, true) => !holds && !self.is_equal_by_operator(object, other)?,
            (false, false, false) => !holds || self.is_equal_by_operator(object, other)?,
            (false, ..) => !holds,
        };
        Ok(Value::Bool(truth))
    }

    fn is_equal_by_operator(&mut self, one: Value, two: Value) -> ExecResult<bool> {
        let equal = self.compare(ComparisonOperator::Eq, one, two)?;
        self.truth(equal)
    }
}
