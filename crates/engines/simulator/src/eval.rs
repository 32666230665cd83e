//! Evaluation of tests and computations on a state.

use std::cell::Cell as Count;

use goalspec_resource::board::{NodeId, ResourceId};
use goalspec_resource::compare::ComparisonOperator;
use goalspec_resource::compute::Computation;
use goalspec_resource::field::{Endpoint, Field};
use goalspec_resource::filter::Filter;
use goalspec_resource::game::{Choice, TeamId};
use goalspec_resource::interpret::compute::ChainStepError;
use goalspec_resource::interpret::lookup::{self, FieldLookup};
use goalspec_resource::turn::Overflow;
use goalspec_resource::value::Value;

use crate::cell::Cell;
use crate::program::CompiledResourceGame;
use crate::program::decisions::{ACCEPT, Atom, DecisionGraph, OrderingSet, order};
use crate::program::expressions::{Expr, Operation, REGISTERS, RegisterExpression, ValueSource};
use crate::state::{BoxedErrorKind, State};

/// The context of a test or a computation, in addition to the state.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EvalContext<'a> {
    /// The ends of the selected vector, as far as they are readable.
    pub(crate) ends: [Option<NodeId>; 2],
    /// The intermediate values.
    pub(crate) computed: &'a [Cell],
    /// The choice with its parameter values.
    pub(crate) choice: Option<(&'a Choice, &'a [Value])>,
    /// The node under test by a filter.
    pub(crate) own: Option<NodeId>,
    /// The team whose observation is read; `None` for the true state.
    pub(crate) view: Option<TeamId>,
}

impl EvalContext<'_> {
    fn end(&self, end: Endpoint) -> Option<NodeId> {
        match end {
            Endpoint::Source => self.ends[0],
            Endpoint::Target => self.ends[1],
        }
    }
}

/// The fields of a state, as the interpreter's functions look them up.
struct Fields<'a> {
    c: &'a CompiledResourceGame,
    state: &'a State,
    frame: &'a EvalContext<'a>,
    overflows: Count<u32>,
}

impl Fields<'_> {
    fn resource(&self, resource: ResourceId, node: Option<NodeId>) -> Option<Value> {
        self.slot(self.c.slots.at(resource, node?)?)
    }

    fn slot(&self, slot: u32) -> Option<Value> {
        match self.frame.view {
            Some(team) => self.state.observed(self.c, team, slot),
            None => self.state.value(self.c, self.state.cell(slot)),
        }
    }

    fn observable(&self, node: Option<NodeId>) -> Option<Value> {
        let node = node.filter(|&node| !self.state.is_bare(self.c, node))?;
        Some(match self.frame.view {
            Some(team) => Value::Bool(self.state.sees(self.c, team, node)),
            None => Value::Set(self.state.labels(self.c, node)),
        })
    }
}

impl FieldLookup for Fields<'_> {
    fn value(&self, field: &Field) -> Option<Value> {
        match field {
            Field::Resource(slot) => self.slot(slot.0),
            Field::Observers(node) => self.observable(Some(*node)),
            Field::Computed(place) => self.state.value(self.c, *self.frame.computed.get(*place)?),
            Field::EndpointResource(end, resource) => self.resource(*resource, self.frame.end(*end)),
            Field::EndpointObservers(end) => self.observable(self.frame.end(*end)),
            Field::TestedNodeResource(resource) => self.resource(*resource, self.frame.own),
            Field::TestedNodeObservers => self.observable(self.frame.own),
            Field::TestedNodeName => Some(Value::Text(self.c.game.board.node(self.frame.own?).name.clone())),
            Field::Parameter(name) => {
                let (choice, values) = self.frame.choice?;
                values.get(choice.parameters.iter().position(|parameter| parameter.name == *name)?).cloned()
            }
            Field::Member(whole, path) => lookup::member(self.value(whole)?, path),
            Field::Unresolved(_) => None,
        }
    }

    fn record_overflows(&self, count: u32) {
        self.overflows.set(self.overflows.get().saturating_add(count));
    }
}

impl State {
    /// Returns the value of a slot in the observation of a team: the initial value if it does not see the node.
    pub(crate) fn observed(&self, c: &CompiledResourceGame, team: TeamId, slot: u32) -> Option<Value> {
        if self.sees(c, team, c.slots.get(slot).node) {
            return self.value(c, self.cell(slot));
        }
        let (word, tag) = c.initial.expected_slot(slot);
        self.value(c, Cell::from_parts(tag, word))
    }

    /// Returns the value of any field.
    pub(crate) fn field(&self, c: &CompiledResourceGame, field: &Field, frame: &EvalContext<'_>) -> Option<Value> {
        Fields { c, state: self, frame, overflows: Count::new(0) }.value(field)
    }

    /// Evaluates a filter that is not compiled.
    pub(crate) fn general_holds(
        &mut self,
        c: &CompiledResourceGame,
        filter: &Filter,
        frame: &EvalContext<'_>,
    ) -> Result<bool, BoxedErrorKind> {
        let mut stream = self.stream.clone();
        let fields = Fields { c, state: self, frame, overflows: Count::new(0) };
        let holds = filter.holds(&fields, &mut stream, &c.game.rules);
        self.stream = stream;
        holds.map_err(Box::new)
    }

    fn general_value(
        &mut self,
        c: &CompiledResourceGame,
        compute: &Computation,
        frame: &EvalContext<'_>,
    ) -> Result<Cell, ChainStepError> {
        let mut stream = self.stream.clone();
        let fields = Fields { c, state: self, frame, overflows: Count::new(0) };
        let value = compute.evaluate(&fields, &mut stream, &c.game.rules);
        let overflows = fields.overflows.get();
        self.overflows.extend((0..overflows).map(|_| Overflow::Computation));
        self.stream = stream;
        Ok(self.cell_of(c, value?))
    }

    /// Evaluates a test.
    #[inline]
    pub(crate) fn holds(
        &mut self,
        c: &CompiledResourceGame,
        test: &DecisionGraph,
        frame: &EvalContext<'_>,
    ) -> Result<bool, BoxedErrorKind> {
        let mut at = test.entry();
        // `ACCEPT` and `REJECT` are beyond the last branch.
        while let Some(branch) = test.branch(at) {
            let Some(holds) = self.decide(c, &branch.atom) else { return self.holds_from(c, test, at, frame) };
            at = if holds { branch.if_true } else { branch.if_false };
        }
        Ok(at == ACCEPT)
    }

    /// Evaluates a test from a branch on.
    fn holds_from(
        &mut self,
        c: &CompiledResourceGame,
        test: &DecisionGraph,
        mut at: u32,
        frame: &EvalContext<'_>,
    ) -> Result<bool, BoxedErrorKind> {
        while let Some(branch) = test.branch(at) {
            let holds = match self.decide(c, &branch.atom) {
                Some(holds) => holds,
                None => self.decide_slowly(c, &branch.atom, frame)?,
            };
            at = if holds { branch.if_true } else { branch.if_false };
        }
        Ok(at == ACCEPT)
    }

    /// Evaluates an atom that compares a single word; returns `None` for other atoms.
    #[inline]
    fn decide(&self, c: &CompiledResourceGame, atom: &Atom) -> Option<bool> {
        let word = |slot: u32| self.words[slot as usize];
        Some(match *atom {
            Atom::Int { slot, min, max, inside } => {
                let number = word(slot) as i32;
                (min <= number && number <= max) == inside
            }
            Atom::IntReal { slot, orders, bound } => {
                orders.has(order(f64::from(word(slot) as i32), bound, c.numbers.zeros))
            }
            Atom::Real { slot, orders, bound } => orders.has(order(f64::from_bits(word(slot)), bound, c.numbers.zeros)),
            Atom::Bool { slot, truth } => (word(slot) != 0) == truth,
            Atom::HasObserver { node, bits } => self.words[c.layout.observers(node)] & bits != 0,
            Atom::Compare { .. } | Atom::Value { .. } | Atom::Truth(_) => return None,
        })
    }

    fn decide_slowly(
        &mut self,
        c: &CompiledResourceGame,
        atom: &Atom,
        frame: &EvalContext<'_>,
    ) -> Result<bool, BoxedErrorKind> {
        let rules = c.game.rules.comparison;
        Ok(match atom {
            Atom::Compare { source, comparison, bound } => {
                let cell = self.source(c, source, frame);
                self.compare(c, cell, *comparison, c.constants.bound(*bound))
            }
            Atom::Value { source, filter } => {
                let value = if let ValueSource::Field(field) = source {
                    self.field(c, field, frame)
                } else {
                    let cell = self.source(c, source, frame);
                    self.value(c, cell)
                };
                filter.holds(value.as_ref(), rules)
            }
            Atom::Truth(filter) => return self.general_holds(c, filter, frame),
            Atom::Int { .. }
            | Atom::IntReal { .. }
            | Atom::Real { .. }
            | Atom::Bool { .. }
            | Atom::HasObserver { .. } => self.decide(c, atom).unwrap_or(false),
        })
    }

    /// Compares a value with a constant.
    pub(crate) fn compare(
        &self,
        c: &CompiledResourceGame,
        cell: Cell,
        comparison: ComparisonOperator,
        bound: &Value,
    ) -> bool {
        let rules = c.game.rules.comparison;
        match (cell, bound) {
            (Cell::Int(value), Value::Int(bound)) => comparison_has(comparison, value.cmp(bound)),
            (Cell::Real(value), Value::Int(bound)) => {
                comparison_has(comparison, order(value, f64::from(*bound), rules.signed_zero))
            }
            (Cell::Int(_) | Cell::Real(_), Value::Real(bound)) => {
                let value = cell.as_f64().unwrap_or(f64::NAN);
                comparison_has(comparison, order(value, *bound, rules.signed_zero))
            }
            (Cell::Bool(value), Value::Bool(bound)) => comparison_has(comparison, value.cmp(bound)),
            (Cell::Pooled(place), bound) => comparison.holds(Some(self.pooled(c, place)), bound, rules),
            (cell, bound) => comparison.holds(self.value(c, cell).as_ref(), bound, rules),
        }
    }

    /// Evaluates a computation.
    pub(crate) fn compute(
        &mut self,
        c: &CompiledResourceGame,
        expr: &Expr,
        frame: &EvalContext<'_>,
    ) -> Result<Cell, ChainStepError> {
        Ok(match expr {
            Expr::Source(source) => self.source(c, source, frame),
            Expr::Calculate(numeric) => self.calculate(c, numeric, frame).map_or(Cell::Missing, Cell::Real),
            Expr::Condition(cases) => {
                for (test, value) in cases {
                    // The tests of cases are tests of values, which do not fail.
                    if self.holds(c, test, frame).unwrap_or(false) {
                        return self.compute(c, value, frame);
                    }
                }
                Cell::Missing
            }
            Expr::General(compute) => self.general_value(c, compute, frame)?,
        })
    }

    #[inline]
    pub(crate) fn source(&mut self, c: &CompiledResourceGame, source: &ValueSource, frame: &EvalContext<'_>) -> Cell {
        match source {
            ValueSource::Constant(cell) => *cell,
            ValueSource::Int(slot) => Cell::Int(self.words[*slot as usize] as i32),
            ValueSource::Real(slot) => Cell::Real(f64::from_bits(self.words[*slot as usize])),
            ValueSource::Bool(slot) => Cell::Bool(self.words[*slot as usize] != 0),
            ValueSource::Number(slot) | ValueSource::Tagged(slot) => self.cell(*slot),
            ValueSource::End(end, resource) => {
                let slot = frame.end(*end).and_then(|node| c.slots.at(*resource, node));
                slot.map_or(Cell::Missing, |slot| self.cell(slot))
            }
            ValueSource::Computed(place) => frame.computed.get(*place as usize).copied().unwrap_or(Cell::Missing),
            ValueSource::Observed { slot, node, team_bit, initial } => {
                let is_observed = self.observer_mask(c, *node) & team_bit != 0;
                if is_observed { self.cell(*slot) } else { *initial }
            }
            ValueSource::Field(field) => {
                let value = self.field(c, field, frame);
                self.cell_of(c, value)
            }
        }
    }

    /// Returns the number that a source represents in a numeric expression.
    #[inline]
    fn number(&mut self, c: &CompiledResourceGame, source: &ValueSource, frame: &EvalContext<'_>) -> Option<f64> {
        match self.source(c, source, frame) {
            Cell::Int(value) => Some(f64::from(value)),
            Cell::Real(value) => Some(value),
            Cell::Pooled(place) => self.pooled(c, place).to_number(),
            Cell::Missing | Cell::Bool(_) => None,
        }
    }

    fn calculate(
        &mut self,
        c: &CompiledResourceGame,
        numeric: &RegisterExpression,
        frame: &EvalContext<'_>,
    ) -> Option<f64> {
        if numeric.registers <= REGISTERS {
            self.calculate_in(c, numeric, frame, &mut [0.0; REGISTERS])
        } else {
            self.calculate_in(c, numeric, frame, &mut vec![0.0; numeric.registers])
        }
    }

    #[inline]
    fn calculate_in(
        &mut self,
        c: &CompiledResourceGame,
        numeric: &RegisterExpression,
        frame: &EvalContext<'_>,
        registers: &mut [f64],
    ) -> Option<f64> {
        for (register, load) in registers.iter_mut().zip(&numeric.loads) {
            *register = self.number(c, load, frame)?;
        }
        let mut next = numeric.loads.len();
        registers[next..next + numeric.constants.len()].copy_from_slice(&numeric.constants);
        next += numeric.constants.len();
        self.execute(&numeric.operations, registers, next);
        Some(registers[numeric.root as usize])
    }

    /// Executes operations on registers; the results are stored from register `next` on.
    #[inline]
    pub(crate) fn execute(&mut self, operations: &[Operation], registers: &mut [f64], next: usize) {
        for (next, operation) in (next..).zip(operations) {
            let of = |register: u16| registers[register as usize];
            registers[next] = match operation {
                Operation::Negate(one) => -of(*one),
                Operation::Add(one, other) => of(*one) + of(*other),
                Operation::Subtract(one, other) => of(*one) - of(*other),
                Operation::Multiply(one, other) => of(*one) * of(*other),
                Operation::Divide(one, other) => of(*one) / of(*other),
                Operation::Unary(function, one) => function.apply(of(*one)),
                Operation::Binary(function, one, other) => function.apply(of(*one), of(*other)),
                Operation::Aggregate(function, operands) => function.apply(operands.iter().map(|&operand| of(operand))),
                Operation::Random => self.stream.uniform(),
                Operation::Between(low, high) => of(*low) + self.stream.uniform() * (of(*high) - of(*low)),
            };
        }
    }
}

#[inline]
fn comparison_has(comparison: ComparisonOperator, order: std::cmp::Ordering) -> bool {
    OrderingSet::of(comparison).has(order)
}
