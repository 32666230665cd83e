//! Evaluation of tests and computations over sets of possible values.

use std::ops::BitOrAssign;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::interval::Interval;
use super::reach::{Detail, Paid, Reach};
use super::values::Possible;
use crate::board::{NodeId, ResourceId, SlotId, Vector};
use crate::compute::{Compute, Kind, Math, Operator, Step, StepOperator, ValueCompute};
use crate::expression::{Expression, Numeric};
use crate::field::{End, Field};
use crate::filter::{Filter, ValueFilter};
use crate::function::{Aggregate, Binary};
use crate::game::{Action, Game};
use crate::kinds::Kinds;
use crate::random::Stream;
use crate::rules::{Arithmetic, SelfLoops, UnsetParameters};
use crate::value::Value;

/// The values of fields in one combination.
type Lookup<'a> = dyn Fn(&Field) -> Option<Value> + 'a;

/// The maximum number of combinations of single values that are enumerated.
const MAX_COMBINATIONS: usize = 256;

/// The maximum total number of field lookups when several combinations are enumerated.
const MAX_TRIED_FIELDS: usize = 1 << 16;

/// The possible results of a test: whether it can hold, and whether it can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the test can hold.
    pub may: bool,
    /// Whether the test can fail.
    pub may_not: bool,
}

impl Verdict {
    /// The test always holds.
    pub const ALWAYS: Self = Self { may: true, may_not: false };
    /// The test never holds.
    pub const NEVER: Self = Self { may: false, may_not: true };
    /// The test can hold and can fail.
    pub const EITHER: Self = Self { may: true, may_not: true };
    /// The result of a test on the empty set of values.
    pub(super) const NEVER_ASKED: Self = Self { may: false, may_not: false };

    /// Returns the result of a test with a known value.
    pub(super) fn of(holds: bool) -> Self {
        if holds { Self::ALWAYS } else { Self::NEVER }
    }

    /// Returns the result of the negated test.
    #[must_use]
    pub(super) fn not(self) -> Self {
        Self { may: self.may_not, may_not: self.may }
    }

    /// Returns the result of the conjunction of two tests.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        Self { may: self.may && other.may, may_not: self.may_not || other.may_not }
    }

    /// Returns the result of the disjunction of two tests.
    #[must_use]
    pub(super) fn or(self, other: Self) -> Self {
        Self { may: self.may || other.may, may_not: self.may_not && other.may_not }
    }
}

impl BitOrAssign for Verdict {
    fn bitor_assign(&mut self, other: Self) {
        *self = Self { may: self.may || other.may, may_not: self.may_not || other.may_not };
    }
}

/// The context in which fields are resolved to their possible values.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// The game.
    pub game: &'a Game,
    /// The possible values of its resources.
    pub reach: &'a Reach,
    /// More precise values of resources that apply at this point.
    pub instead: Option<&'a Paid>,
    /// The node under test by a filter.
    pub own: Option<NodeId>,
    /// The selected vector.
    pub vector: Option<&'a Vector>,
    /// Whether the ends of the selected vector stand for those of any vector of the board.
    pub any_vector: bool,
    /// The action, whose parameters can be read.
    pub action: Option<&'a Action>,
    /// The intermediate values.
    pub computed: &'a [Possible],
}

impl<'a> Scope<'a> {
    /// Creates a scope of the state alone, without node, vector and intermediate values.
    pub fn state(game: &'a Game, reach: &'a Reach) -> Self {
        Self { game, reach, instead: None, own: None, vector: None, any_vector: false, action: None, computed: &[] }
    }

    /// Returns the possible values of a slot.
    pub fn slot(&self, slot: SlotId) -> Possible {
        self.reach.count(1);
        let instead = self.instead.and_then(|paid| paid.get(&slot));
        instead.unwrap_or_else(|| self.reach.slot(slot)).clone()
    }

    fn resource(&self, node: Option<NodeId>, resource: ResourceId) -> Possible {
        let slot = node.and_then(|node| self.game.board.slot_of(node, resource));
        slot.map_or_else(|| Possible::one(None), |slot| self.slot(slot))
    }

    fn end(&self, end: End) -> Option<NodeId> {
        let vector = self.vector?;
        let is_loop = vector.source == vector.target;
        match end {
            End::Source => Some(vector.source),
            End::Target if is_loop && self.game.rules.self_loops == SelfLoops::SourceOnly => None,
            End::Target => Some(vector.target),
        }
    }

    /// Returns the possible values of a field.
    pub fn field(&self, field: &Field) -> Possible {
        let observable =
            |node: Option<NodeId>| node.map_or_else(|| Possible::one(None), |node| self.reach.seen_by(node).clone());
        match field {
            Field::Resource(slot) => self.slot(*slot),
            Field::Observable(node) => observable(Some(*node)),
            Field::Computed(index) => self.computed.get(*index).cloned().unwrap_or_else(Possible::any),
            Field::End(end, resource) if self.any_vector => self.at_any_end(*end, *resource),
            Field::EndObservable(_) if self.any_vector => Possible::of_kinds(Kinds::SET | Kinds::MISSING),
            Field::End(end, resource) => self.resource(self.end(*end), *resource),
            Field::EndObservable(end) => observable(self.end(*end)),
            Field::Own(resource) => self.resource(self.own, *resource),
            Field::OwnObservable => observable(self.own),
            Field::OwnName => {
                Possible::one(self.own.map(|node| Value::Text(Arc::clone(&self.game.board.node(node).name))))
            }
            Field::Missing(_) => Possible::one(None),
            Field::Parameter(name) => self.action.map_or_else(Possible::any, |action| self.parameter(action, name)),
            Field::Member(..) => Possible::any(),
        }
    }

    /// Returns the possible values of a resource at the ends of all vectors; it may be missing at some of them.
    fn at_any_end(&self, end: End, resource: ResourceId) -> Possible {
        let mut values = Possible::one(None);
        for node in self.reach.ends(end) {
            values.join(&self.resource(Some(*node), resource));
        }
        values
    }

    /// Returns the possible values of a parameter of the choices that execute an action.
    fn parameter(&self, action: &Action, name: &str) -> Possible {
        let mut values = Possible::default();
        let choices = self.game.teams.iter().flat_map(|team| &team.choices);
        for choice in choices.filter(|choice| choice.name == action.name) {
            let parameter = choice.parameters.iter().find(|parameter| *parameter.name == *name);
            values.join(&parameter.map_or_else(|| Possible::one(None), |known| Possible::of_space(&known.space)));
        }
        if self.game.rules.unset_parameters == UnsetParameters::Unrestricted {
            values.join(&Possible::one(None));
        }
        values
    }

    /// Returns the possible results of a test.
    pub fn test(&self, filter: &Filter) -> Verdict {
        if self.reach.detail() == Detail::Kinds {
            return Verdict::EITHER;
        }
        let mut verdict = Verdict::NEVER_ASKED;
        let mut fields = Vec::new();
        filter.reads(&mut |field| fields.push(field));
        let tried = !filter.draws()
            && self.each(&fields, &mut |lookup| {
                let holds = filter.holds(&lookup, &mut Stream::new(0, 0), &self.game.rules);
                // A test that fails with an error ends the game, so it neither holds nor fails.
                verdict |= holds.map_or(Verdict::NEVER_ASKED, Verdict::of);
            });
        if tried { verdict } else { self.test_apart(filter) }
    }

    /// Evaluates a test as [`Self::test`] does, but each field independently.
    fn test_apart(&self, filter: &Filter) -> Verdict {
        match filter {
            Filter::All => Verdict::ALWAYS,
            Filter::None => Verdict::NEVER,
            Filter::Field(field, test) => self.test_field(field, test),
            Filter::Truth(compute) => {
                let truths = self.compute(compute);
                let truth = |truth: bool| ValueFilter::OneOf(vec![Some(Value::Bool(truth))]);
                let can_be = |wanted| truths.test(&truth(wanted), self.game.rules.comparison).may;
                Verdict { may: can_be(true), may_not: can_be(false) }
            }
            Filter::Not(inner) => self.test(inner).not(),
            Filter::And(parts) => parts.iter().map(|part| self.test(part)).fold(Verdict::ALWAYS, Verdict::and),
            Filter::Or(parts) => parts.iter().map(|part| self.test(part)).fold(Verdict::NEVER, Verdict::or),
        }
    }

    /// Returns the possible results of a test of a field.
    pub fn test_field(&self, field: &Field, test: &ValueFilter) -> Verdict {
        if self.reach.detail() == Detail::Kinds {
            return Verdict::EITHER;
        }
        self.field(field).test(test, self.game.rules.comparison)
    }

    /// Calls `with` for each combination of values of these fields. Returns `false` if a field has no finite list of values or
    /// the combinations exceed the limits.
    fn each(&self, fields: &[&Field], with: &mut dyn FnMut(&Lookup<'_>)) -> bool {
        self.reach.count(1 + fields.len());
        let mut places: FxHashMap<&Field, usize> = FxHashMap::default();
        let mut possible: Vec<Possible> = Vec::new();
        let mut count = 1_usize;
        for &field in fields {
            let std::collections::hash_map::Entry::Vacant(place) = places.entry(field) else { continue };
            let values = self.field(field);
            let Some(single) = values.exact() else { return false };
            count = count.saturating_mul(single.len());
            if count > MAX_COMBINATIONS || (count > 1 && count * fields.len() > MAX_TRIED_FIELDS) {
                return false;
            }
            place.insert(possible.len());
            possible.push(values);
        }
        let values: Vec<&[Option<Value>]> = possible.iter().filter_map(Possible::exact).collect();
        self.reach.count(count * fields.len());
        for mut combination in 0..count {
            let mut chosen = Vec::with_capacity(values.len());
            for values in &values {
                chosen.push(values[combination % values.len()].clone());
                combination /= values.len();
            }
            with(&|field| places.get(field).and_then(|&at| chosen[at].clone()));
        }
        true
    }

    /// Returns the possible values of a computation; a chain whose steps fail yields no value.
    pub fn compute(&self, compute: &Compute) -> Possible {
        let mut values = Possible::default();
        let mut fields = Vec::new();
        compute.reads(&mut |field| fields.push(field));
        let tried = !compute.draws()
            && self.each(&fields, &mut |lookup| {
                let value = compute.evaluate(&lookup, &mut Stream::new(0, 0), &self.game.rules);
                values.join(&Possible::one(value.unwrap_or(None)));
            });
        if tried { values } else { self.compute_apart(compute) }
    }

    /// Evaluates a computation as [`Self::compute`] does, but each operand independently.
    fn compute_apart(&self, compute: &Compute) -> Possible {
        match compute {
            Compute::Constant(value) => Possible::one(value.clone()),
            Compute::Field(field) => self.field(field),
            Compute::Calculate(formula) => {
                let operands: Vec<Possible> = formula.fields.iter().map(|field| self.field(field)).collect();
                calculate(&formula.expression, &operands)
            }
            Compute::CalculateBoolean(formula) => {
                let certain = |field: &Field| self.field(field).kinds().within(Kinds::BOOL | Kinds::INT);
                truths(!formula.fields.iter().all(certain))
            }
            Compute::Condition(cases) => {
                let mut values = Possible::default();
                let mut total = false;
                for case in cases {
                    total |= case.when.is_empty();
                    let tests = case.when.iter().map(|(field, test)| self.test_field(field, test));
                    let verdict = tests.fold(Verdict::ALWAYS, Verdict::and);
                    if verdict.may {
                        values.join(&self.compute(&case.value));
                    }
                    if !verdict.may_not {
                        return values;
                    }
                }
                if !total {
                    values.join(&Possible::one(None));
                }
                values
            }
            Compute::Math(math) => self.math(math),
            Compute::Chain(first, steps) => {
                steps.iter().fold(self.compute(first), |values, step| self.after(&values, step))
            }
            Compute::Template(_) => Possible::of_kinds(Kinds::TEXT),
            Compute::FirstOf(_) => Possible::of_kinds(Kinds::TEXT | Kinds::MISSING),
            Compute::List(_) => Possible::of_kinds(Kinds::LIST),
        }
    }

    fn math(&self, math: &Math) -> Possible {
        let operands: Vec<Possible> = math.fields.iter().map(|field| self.field(field)).collect();
        let arithmetic = self.game.rules.arithmetic;
        let ranges: Option<Vec<Interval>> = operands.iter().map(Possible::bounds).collect();
        // Under the rule of the first operand, real operands are truncated to integers, and NaN propagates differently.
        let ranges =
            ranges.filter(|_| arithmetic == Arithmetic::Promoting && !operands.iter().any(Possible::has_others));
        let aggregate = |function| ranges.as_ref().map(|ranges| Interval::aggregate(function, ranges));
        let range = match math.operator {
            Operator::Equal
            | Operator::NotEqual
            | Operator::Greater
            | Operator::GreaterOrEqual
            | Operator::Less
            | Operator::LessOrEqual => {
                let mut value = truths(false);
                value.join(&Possible::one(math.if_invalid.clone()));
                return value;
            }
            Operator::Min => aggregate(Aggregate::Minimum),
            Operator::Max => aggregate(Aggregate::Maximum),
            Operator::Average => aggregate(Aggregate::Average),
            _ => None,
        };
        let kinds: Vec<Kinds> = operands.iter().map(Possible::kinds).collect();
        let kinds = number_kinds(math.operator, &kinds, arithmetic);
        let mut value = numbers(Interval { kinds, ..range.unwrap_or(Interval::REALS) });
        value.join(&Possible::one(math.if_invalid.clone()));
        value
    }

    /// Returns the possible values after a step of a chain; a step that fails yields no value.
    fn after(&self, values: &Possible, step: &Step) -> Possible {
        let mut after = match step {
            Step::Filter(_) => return truths(false),
            Step::Value(ValueCompute::Identity | ValueCompute::Present) => return values.clone(),
            Step::Value(ValueCompute::Constant(value)) => return Possible::one(value.clone()),
            Step::Value(ValueCompute::Lookup { table, if_null }) => {
                let mut found = Possible::one(if_null.clone());
                for (_, value) in table {
                    found.join(&Possible::one(value.clone()));
                }
                return found;
            }
            Step::Value(ValueCompute::Arithmetic(operator, operand)) => {
                let (after, total) = self.with_number(values, *operator, operand);
                if total {
                    return after;
                }
                after
            }
            Step::Value(ValueCompute::Linear { .. }) => Possible::of_kinds(Kinds::REAL),
            Step::Value(ValueCompute::As(kind)) => Possible::of_kinds(match kind {
                Kind::Int => Kinds::INT,
                Kind::Real => Kinds::REAL,
                Kind::Bool => Kinds::BOOL,
                Kind::Text => Kinds::TEXT,
            }),
            Step::Value(ValueCompute::RegexCapture(..)) => Possible::of_kinds(Kinds::MAP),
            Step::Value(ValueCompute::OneHot(_)) => return Possible::of_kinds(Kinds::LIST),
            Step::Value(ValueCompute::Flatten) => Possible::of_kinds(Kinds::LIST),
            Step::Value(ValueCompute::IpToInt) => Possible::of_kinds(Kinds::NUMBER),
            Step::Value(ValueCompute::IpFromInt) => Possible::of_kinds(Kinds::TEXT),
        };
        after.join(&Possible::one(None));
        after
    }

    /// Returns the possible results of an arithmetic step, and whether every value has one.
    fn with_number(&self, values: &Possible, operator: StepOperator, operand: &Value) -> (Possible, bool) {
        let arithmetic = self.game.rules.arithmetic;
        let Some((range, number)) = values.bounds().zip(operand.real()) else { return (Possible::default(), false) };
        let kinds = [values.kinds(), Kinds::of(Some(operand))];
        let added = |number| range.plus(Interval { low: number, high: number, kinds: kinds[1] });
        let (math, bounds) = match operator {
            StepOperator::Add => (Operator::Add, Some(added(number))),
            StepOperator::Subtract => (Operator::Subtract, Some(added(-number))),
            // Products of integers soon wrap around.
            StepOperator::Multiply if range.kinds.meets(Kinds::INT) => (Operator::Multiply, None),
            StepOperator::Multiply => {
                (Operator::Multiply, Some(range.binary(Binary::Multiply, Interval::point(number)).0))
            }
            StepOperator::Divide => (Operator::Divide, None),
        };
        let bounds = bounds.filter(|_| arithmetic == Arithmetic::Promoting && number.is_finite());
        let kinds = number_kinds(math, &kinds, arithmetic);
        let total = !values.has_others() && operator != StepOperator::Divide;
        (numbers(Interval { kinds, ..bounds.unwrap_or(Interval::REALS) }), total)
    }
}

/// Returns the kinds of the result of an arithmetic operator, with operands of these kinds.
fn number_kinds(operator: Operator, operands: &[Kinds], arithmetic: Arithmetic) -> Kinds {
    let real_only = match operator {
        Operator::Average | Operator::StdDev => true,
        Operator::Divide => arithmetic == Arithmetic::Promoting,
        _ => false,
    };
    let converted = match arithmetic {
        Arithmetic::Promoting => operands,
        // The first operand decides.
        Arithmetic::FirstOperand => &operands[..operands.len().min(1)],
    };
    let int = !real_only && converted.iter().all(|kinds| kinds.meets(Kinds::INT));
    let real = real_only || converted.iter().any(|kinds| kinds.meets(Kinds::REAL));
    match (int, real) {
        (true, true) => Kinds::NUMBER,
        (true, false) => Kinds::INT,
        (false, true) => Kinds::REAL,
        (false, false) => Kinds::NONE,
    }
}

/// Returns the numbers of an interval, and NaN if they can be real numbers.
fn numbers(range: Interval) -> Possible {
    let mut numbers = if range.kinds == Kinds::NONE { Possible::default() } else { Possible::within(range) };
    if range.kinds.meets(Kinds::REAL) {
        numbers.join(&Possible::one(Some(Value::Real(f64::NAN))));
    }
    numbers
}

/// Returns both Booleans, and the missing value if `missing` is set.
fn truths(missing: bool) -> Possible {
    let mut truths = Possible::one(Some(Value::Bool(true)));
    truths.join(&Possible::one(Some(Value::Bool(false))));
    if missing {
        truths.join(&Possible::one(None));
    }
    truths
}

/// Returns the possible values of a numeric expression.
fn calculate(expression: &Expression<Numeric>, operands: &[Possible]) -> Possible {
    let mut nan = false;
    let mut missing = false;
    let mut fields = Vec::with_capacity(operands.len());
    for operand in operands {
        // Strings are parsed as numbers, and may not be numeric.
        let range = if operand.has_others() {
            missing = true;
            Interval::REALS
        } else {
            operand.bounds().unwrap_or(Interval::REALS)
        };
        nan |= operand.has_nan();
        fields.push(range);
    }
    let mut ranges: Vec<Interval> = Vec::with_capacity(expression.nodes().len());
    for node in expression.nodes() {
        let (range, undefined) = match node {
            Numeric::Number(number) => (Interval::point(*number), number.is_nan()),
            Numeric::Field(field) => (fields.get(field.index()).copied().unwrap_or(Interval::REALS), false),
            Numeric::Unary(function, operand) => ranges[operand.index()].unary(*function),
            Numeric::Binary(function, [one, other]) => ranges[one.index()].binary(*function, ranges[other.index()]),
            Numeric::Aggregate(function, parts) => {
                let parts: Vec<Interval> = parts.iter().map(|part| ranges[part.index()]).collect();
                (Interval::aggregate(*function, &parts), *function == Aggregate::Average)
            }
            Numeric::Random => (Interval::real(0.0, 1.0), false),
            Numeric::RandomBetween([one, other]) => (ranges[one.index()].hull(ranges[other.index()]), false),
        };
        nan |= undefined;
        ranges.push(range);
    }
    let Some(range) = ranges.last() else { return Possible::one(None) };
    let kinds = Kinds::REAL;
    let mut values = Possible::within(Interval { kinds, ..*range });
    if nan {
        values.join(&Possible::one(Some(Value::Real(f64::NAN))));
    }
    if missing {
        values.join(&Possible::one(None));
    }
    values
}
