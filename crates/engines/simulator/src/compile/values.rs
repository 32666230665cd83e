//! Compilation of computations.

use goalspec_resource::compute::{Computation, ResolvedExpression};
use goalspec_resource::expression::{ExpressionNodeId, NumericNode as Node};
use goalspec_resource::function::{BinaryFunction, UnaryFunction};

use super::Compiler;
use super::decisions::FieldContext;
use crate::program::effects::{CompiledWrite, Target};
use crate::program::expressions::{Expr, Operation, RegisterExpression, ValueSource};

impl Compiler<'_> {
    /// Compiles a computation.
    pub(super) fn value(&mut self, compute: &Computation, scope: FieldContext) -> Expr {
        match compute {
            Computation::Constant(value) => Expr::Source(ValueSource::Constant(self.constants.cell(value.as_ref()))),
            Computation::Field(field) => Expr::Source(self.source(field, scope)),
            Computation::Calculate(formula) => match self.numeric(formula, scope) {
                Some(numeric) => Expr::Calculate(Box::new(numeric)),
                None => Expr::General(Box::new(compute.clone())),
            },
            Computation::Cases(cases) => {
                let cases = cases.iter().map(|case| (self.all_of(&case.when, scope), self.value(&case.value, scope)));
                Expr::Condition(cases.collect())
            }
            Computation::CalculateBoolean(_)
            | Computation::Math(_)
            | Computation::Template(_)
            | Computation::FirstOf(_)
            | Computation::List(_)
            | Computation::Chain(..) => Expr::General(Box::new(compute.clone())),
        }
    }

    /// Whether no effect reads a target that an earlier one writes.
    pub(super) fn is_direct<'e>(&self, effects: impl Iterator<Item = &'e CompiledWrite>) -> bool {
        let mut written: Vec<Target> = Vec::new();
        for effect in effects {
            if !written.is_empty() && !self.reads_none(&effect.value, &written) {
                return false;
            }
            written.push(effect.target);
        }
        true
    }

    /// Whether a computation is certain to read none of the written targets.
    fn reads_none(&self, value: &Expr, written: &[Target]) -> bool {
        match value {
            Expr::Source(source) => self.source_reads_none(source, written),
            Expr::Calculate(numeric) => numeric.loads.iter().all(|source| self.source_reads_none(source, written)),
            Expr::Condition(_) | Expr::General(_) => false,
        }
    }

    fn source_reads_none(&self, source: &ValueSource, written: &[Target]) -> bool {
        let resource = |slot: u32| self.slots.resource(slot);
        match *source {
            ValueSource::Constant(_) | ValueSource::Computed(_) => true,
            ValueSource::Int(slot)
            | ValueSource::Real(slot)
            | ValueSource::Number(slot)
            | ValueSource::Bool(slot)
            | ValueSource::Tagged(slot) => written.iter().all(|target| match *target {
                Target::Slot(other) => other != slot,
                Target::End(_, other) => other != resource(slot),
                Target::Observers(_) | Target::EndObservers(_) => true,
            }),
            ValueSource::End(_, read) => written.iter().all(|target| match *target {
                Target::Slot(other) => resource(other) != read,
                Target::End(_, other) => other != read,
                Target::Observers(_) | Target::EndObservers(_) => true,
            }),
            ValueSource::Observed { .. } | ValueSource::Field(_) => false,
        }
    }

    /// Compiles a numeric expression to register code; returns `None` if it needs too many registers.
    fn numeric(&mut self, formula: &ResolvedExpression<Node>, scope: FieldContext) -> Option<RegisterExpression> {
        let nodes = formula.expression.nodes();
        if formula.fields.len() + nodes.len() > usize::from(u16::MAX) {
            return None;
        }
        let loads: Box<[ValueSource]> = formula.fields.iter().map(|field| self.source(field, scope)).collect();
        let constants: Box<[f64]> = nodes
            .iter()
            .filter_map(|node| if let Node::Number(number) = node { Some(*number) } else { None })
            .collect();
        let mut registers: Vec<u16> = Vec::with_capacity(nodes.len());
        let (mut constant, mut next) = (loads.len(), loads.len() + constants.len());
        let mut operations = Vec::new();
        for node in nodes {
            let of = |operand: &ExpressionNodeId| registers[operand.index()];
            let operation = match node {
                Node::Number(_) => {
                    registers.push(constant as u16);
                    constant += 1;
                    continue;
                }
                Node::Field(field) => {
                    registers.push(field.index() as u16);
                    continue;
                }
                Node::Unary(UnaryFunction::Negate, one) => Operation::Negate(of(one)),
                Node::Unary(function, one) => Operation::Unary(*function, of(one)),
                Node::Binary(function, [one, other]) => binary(*function, of(one), of(other)),
                Node::Aggregate(function, operands) => {
                    Operation::Aggregate(*function, operands.iter().map(of).collect())
                }
                Node::Random => Operation::Random,
                Node::RandomBetween([low, high]) => Operation::Between(of(low), of(high)),
            };
            operations.push(operation);
            registers.push(next as u16);
            next += 1;
        }
        let root = *registers.last()?;
        Some(RegisterExpression { loads, constants, operations: operations.into(), registers: next, root })
    }
}

/// Returns the operation of a binary function; arithmetic has dedicated operations.
fn binary(function: BinaryFunction, one: u16, other: u16) -> Operation {
    match function {
        BinaryFunction::Add => Operation::Add(one, other),
        BinaryFunction::Subtract => Operation::Subtract(one, other),
        BinaryFunction::Multiply => Operation::Multiply(one, other),
        BinaryFunction::Divide => Operation::Divide(one, other),
        _ => Operation::Binary(function, one, other),
    }
}
