//! Evaluation of tests and computations over sets of possible values.

use std::ops::BitOrAssign;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::fixed_point::{Detail, ReachableValues, ValuesAfterCost};
use super::interval::Interval;
use super::value_set::ValueSet;
use crate::board::{NodeId, ResourceId, SlotId, Vector};
use crate::compute::{
    ArithmeticOperator, ChainStep, Computation, ConversionKind, MathOperation, MathOperator, ValueTransform,
};
use crate::expression::{Expression, NumericNode};
use crate::field::{Endpoint, Field};
use crate::filter::{Filter, ValueFilter};
use crate::function::{AggregateFunction, BinaryFunction};
use crate::game::{Action, Game};
use crate::kinds::KindSet;
use crate::random::RandomStream;
use crate::rules::{ArithmeticRule, SelfLoopRule, UnsetParameterRule};
use crate::value::Value;

/// The values of fields in one combination.
type Lookup<'a> = dyn Fn(&Field) -> Option<Value> + 'a;

/// The maximum number of combinations of single values that are enumerated.
const MAX_COMBINATIONS: usize = 256;

/// The maximum total number of field lookups when several combinations are enumerated.
const MAX_TRIED_FIELDS: usize = 1 << 16;

/// The possible results of a test: whether it can hold, and whether it can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TruthSet {
    /// Whether the test can hold.
    pub can_hold: bool,
    /// Whether the test can fail.
    pub can_fail: bool,
}

impl TruthSet {
    /// The test always holds.
    pub const ALWAYS: Self = Self { can_hold: true, can_fail: false };
    /// The test never holds.
    pub const NEVER: Self = Self { can_hold: false, can_fail: true };
    /// The test can hold and can fail.
    pub const EITHER: Self = Self { can_hold: true, can_fail: true };
    /// The result of a test on the empty set of values.
    pub(super) const EMPTY: Self = Self { can_hold: false, can_fail: false };

    /// Returns the result of a test with a known value.
    pub(super) fn of(holds: bool) -> Self {
        if holds { Self::ALWAYS } else { Self::NEVER }
    }

    /// Returns the result of the negated test.
    #[must_use]
    pub(super) fn not(self) -> Self {
        Self { can_hold: self.can_fail, can_fail: self.can_hold }
    }

    /// Returns the result of the conjunction of two tests.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        Self { can_hold: self.can_hold && other.can_hold, can_fail: self.can_fail || other.can_fail }
    }

    /// Returns the result of the disjunction of two tests.
    #[must_use]
    pub(super) fn or(self, other: Self) -> Self {
        Self { can_hold: self.can_hold || other.can_hold, can_fail: self.can_fail && other.can_fail }
    }
}

impl BitOrAssign for TruthSet {
    fn bitor_assign(&mut self, other: Self) {
        *self = Self { can_hold: self.can_hold || other.can_hold, can_fail: self.can_fail || other.can_fail };
    }
}

/// The context in which fields are resolved to their possible values.
#[derive(Debug, Clone, Copy)]
pub struct AbstractContext<'a> {
    /// The game.
    pub game: &'a Game,
    /// The possible values of its resources.
    pub reach: &'a ReachableValues,
    /// More precise values of resources that apply at this point.
    pub refined: Option<&'a ValuesAfterCost>,
    /// The node under test by a filter.
    pub tested_node: Option<NodeId>,
    /// The selected vector.
    pub vector: Option<&'a Vector>,
    /// Whether the ends of the selected vector stand for those of any vector of the board.
    pub any_vector: bool,
    /// The action, whose parameters can be read.
    pub action: Option<&'a Action>,
    /// The intermediate values.
    pub computed: &'a [ValueSet],
}

impl<'a> AbstractContext<'a> {
    /// Creates a scope of the state alone, without node, vector and intermediate values.
    pub fn state(game: &'a Game, reach: &'a ReachableValues) -> Self {
        Self {
            game,
            reach,
            refined: None,
            tested_node: None,
            vector: None,
            any_vector: false,
            action: None,
            computed: &[],
        }
    }

    /// Returns the possible values of a slot.
    pub fn slot(&self, slot: SlotId) -> ValueSet {
        self.reach.count(1);
        let instead = self.refined.and_then(|after_cost| after_cost.get(&slot));
        instead.unwrap_or_else(|| self.reach.slot(slot)).clone()
    }

    fn resource(&self, node: Option<NodeId>, resource: ResourceId) -> ValueSet {
        let slot = node.and_then(|node| self.game.board.slot_of(node, resource));
        slot.map_or_else(|| ValueSet::singleton(None), |slot| self.slot(slot))
    }

    fn end(&self, end: Endpoint) -> Option<NodeId> {
        let vector = self.vector?;
        let is_loop = vector.source == vector.target;
        match end {
            Endpoint::Source => Some(vector.source),
            Endpoint::Target if is_loop && self.game.rules.self_loops == SelfLoopRule::SourceOnly => None,
            Endpoint::Target => Some(vector.target),
        }
    }

    /// Returns the possible values of a field.
    pub fn field(&self, field: &Field) -> ValueSet {
        let observable = |node: Option<NodeId>| {
            node.map_or_else(|| ValueSet::singleton(None), |node| self.reach.seen_by(node).clone())
        };
        match field {
            Field::Resource(slot) => self.slot(*slot),
            Field::Observers(node) => observable(Some(*node)),
            Field::Computed(index) => self.computed.get(*index).cloned().unwrap_or_else(ValueSet::all),
            Field::EndpointResource(end, resource) if self.any_vector => self.at_any_end(*end, *resource),
            Field::EndpointObservers(_) if self.any_vector => ValueSet::of_kinds(KindSet::SET | KindSet::MISSING),
            Field::EndpointResource(end, resource) => self.resource(self.end(*end), *resource),
            Field::EndpointObservers(end) => observable(self.end(*end)),
            Field::TestedNodeResource(resource) => self.resource(self.tested_node, *resource),
            Field::TestedNodeObservers => observable(self.tested_node),
            Field::TestedNodeName => ValueSet::singleton(
                self.tested_node.map(|node| Value::Text(Arc::clone(&self.game.board.node(node).name))),
            ),
            Field::Unresolved(_) => ValueSet::singleton(None),
            Field::Parameter(name) => self.action.map_or_else(ValueSet::all, |action| self.parameter(action, name)),
            Field::Member(..) => ValueSet::all(),
        }
    }

    /// Returns the possible values of a resource at the ends of all vectors; it may be missing at some of them.
    fn at_any_end(&self, end: Endpoint, resource: ResourceId) -> ValueSet {
        let mut values = ValueSet::singleton(None);
        for node in self.reach.ends(end) {
            values.join(&self.resource(Some(*node), resource));
        }
        values
    }

    /// Returns the possible values of a parameter of the choices that execute an action.
    fn parameter(&self, action: &Action, name: &str) -> ValueSet {
        let mut values = ValueSet::default();
        let choices = self.game.teams.iter().flat_map(|team| &team.choices);
        for choice in choices.filter(|choice| choice.name == action.name) {
            let parameter = choice.parameters.iter().find(|parameter| *parameter.name == *name);
            values.join(&parameter.map_or_else(|| ValueSet::singleton(None), |known| ValueSet::of_space(&known.space)));
        }
        if self.game.rules.unset_parameters == UnsetParameterRule::Allow {
            values.join(&ValueSet::singleton(None));
        }
        values
    }

    /// Returns the possible results of a test.
    pub fn test(&self, filter: &Filter) -> TruthSet {
        if self.reach.detail() == Detail::Kinds {
            return TruthSet::EITHER;
        }
        let mut verdict = TruthSet::EMPTY;
        let mut fields = Vec::new();
        filter.for_each_field(&mut |field| fields.push(field));
        let exhausted = !filter.is_random()
            && self.for_each_combination(&fields, &mut |lookup| {
                let holds = filter.holds(&lookup, &mut RandomStream::new(0, 0), &self.game.rules);
                // A test that fails with an error ends the game, so it neither holds nor fails.
                verdict |= holds.map_or(TruthSet::EMPTY, TruthSet::of);
            });
        if exhausted { verdict } else { self.test_independently(filter) }
    }

    /// Evaluates a test as [`Self::test`] does, but each field independently.
    fn test_independently(&self, filter: &Filter) -> TruthSet {
        match filter {
            Filter::Always => TruthSet::ALWAYS,
            Filter::Never => TruthSet::NEVER,
            Filter::Field(field, test) => self.test_field(field, test),
            Filter::Computed(compute) => {
                let truths = self.compute(compute);
                let truth = |truth: bool| ValueFilter::OneOf(vec![Some(Value::Bool(truth))]);
                let can_be = |expected| truths.test(&truth(expected), self.game.rules.comparison).can_hold;
                TruthSet { can_hold: can_be(true), can_fail: can_be(false) }
            }
            Filter::Not(inner) => self.test(inner).not(),
            Filter::And(parts) => parts.iter().map(|part| self.test(part)).fold(TruthSet::ALWAYS, TruthSet::and),
            Filter::Or(parts) => parts.iter().map(|part| self.test(part)).fold(TruthSet::NEVER, TruthSet::or),
        }
    }

    /// Returns the possible results of a test of a field.
    pub fn test_field(&self, field: &Field, test: &ValueFilter) -> TruthSet {
        if self.reach.detail() == Detail::Kinds {
            return TruthSet::EITHER;
        }
        self.field(field).test(test, self.game.rules.comparison)
    }

    /// Calls `visit` for each combination of values of these fields. Returns `false` if a field has no finite list of values or
    /// the combinations exceed the limits.
    fn for_each_combination(&self, fields: &[&Field], visit: &mut dyn FnMut(&Lookup<'_>)) -> bool {
        self.reach.count(1 + fields.len());
        let mut places: FxHashMap<&Field, usize> = FxHashMap::default();
        let mut possible: Vec<ValueSet> = Vec::new();
        let mut count = 1_usize;
        for &field in fields {
            let std::collections::hash_map::Entry::Vacant(place) = places.entry(field) else { continue };
            let values = self.field(field);
            let Some(single) = values.listed_values() else { return false };
            count = count.saturating_mul(single.len());
            if count > MAX_COMBINATIONS || (count > 1 && count * fields.len() > MAX_TRIED_FIELDS) {
                return false;
            }
            place.insert(possible.len());
            possible.push(values);
        }
        let values: Vec<&[Option<Value>]> = possible.iter().filter_map(ValueSet::listed_values).collect();
        self.reach.count(count * fields.len());
        for mut combination in 0..count {
            let mut chosen = Vec::with_capacity(values.len());
            for values in &values {
                chosen.push(values[combination % values.len()].clone());
                combination /= values.len();
            }
            visit(&|field| places.get(field).and_then(|&at| chosen[at].clone()));
        }
        true
    }

    /// Returns the possible values of a computation; a chain whose steps fail yields no value.
    pub fn compute(&self, compute: &Computation) -> ValueSet {
        let mut values = ValueSet::default();
        let mut fields = Vec::new();
        compute.for_each_field(&mut |field| fields.push(field));
        let exhausted = !compute.is_random()
            && self.for_each_combination(&fields, &mut |lookup| {
                let value = compute.evaluate(&lookup, &mut RandomStream::new(0, 0), &self.game.rules);
                values.join(&ValueSet::singleton(value.unwrap_or(None)));
            });
        if exhausted { values } else { self.compute_independently(compute) }
    }

    /// Evaluates a computation as [`Self::compute`] does, but each operand independently.
    fn compute_independently(&self, compute: &Computation) -> ValueSet {
        match compute {
            Computation::Constant(value) => ValueSet::singleton(value.clone()),
            Computation::Field(field) => self.field(field),
            Computation::Calculate(formula) => {
                let operands: Vec<ValueSet> = formula.fields.iter().map(|field| self.field(field)).collect();
                calculate(&formula.expression, &operands)
            }
            Computation::CalculateBoolean(formula) => {
                let is_number = |field: &Field| self.field(field).kinds().is_subset(KindSet::BOOL | KindSet::INT);
                truths(!formula.fields.iter().all(is_number))
            }
            Computation::Cases(cases) => {
                let mut values = ValueSet::default();
                let mut total = false;
                for case in cases {
                    total |= case.when.is_empty();
                    let tests = case.when.iter().map(|(field, test)| self.test_field(field, test));
                    let verdict = tests.fold(TruthSet::ALWAYS, TruthSet::and);
                    if verdict.can_hold {
                        values.join(&self.compute(&case.value));
                    }
                    if !verdict.can_fail {
                        return values;
                    }
                }
                if !total {
                    values.join(&ValueSet::singleton(None));
                }
                values
            }
            Computation::Math(math) => self.math(math),
            Computation::Chain(first, steps) => {
                steps.iter().fold(self.compute(first), |values, step| self.after(&values, step))
            }
            Computation::Template(_) => ValueSet::of_kinds(KindSet::TEXT),
            Computation::FirstOf(_) => ValueSet::of_kinds(KindSet::TEXT | KindSet::MISSING),
            Computation::List(_) => ValueSet::of_kinds(KindSet::LIST),
        }
    }

    fn math(&self, math: &MathOperation) -> ValueSet {
        let operands: Vec<ValueSet> = math.fields.iter().map(|field| self.field(field)).collect();
        let arithmetic = self.game.rules.arithmetic;
        let ranges: Option<Vec<Interval>> = operands.iter().map(ValueSet::bounds).collect();
        // Under the rule of the first operand, real operands are truncated to integers, and NaN propagates differently.
        let ranges = ranges
            .filter(|_| arithmetic == ArithmeticRule::Promoting && !operands.iter().any(ValueSet::has_non_numbers));
        let aggregate = |function| ranges.as_ref().map(|ranges| Interval::aggregate(function, ranges));
        let range = match math.operator {
            MathOperator::Equal
            | MathOperator::NotEqual
            | MathOperator::Greater
            | MathOperator::GreaterOrEqual
            | MathOperator::Less
            | MathOperator::LessOrEqual => {
                let mut value = truths(false);
                value.join(&ValueSet::singleton(math.fallback.clone()));
                return value;
            }
            MathOperator::Min => aggregate(AggregateFunction::Minimum),
            MathOperator::Max => aggregate(AggregateFunction::Maximum),
            MathOperator::Average => aggregate(AggregateFunction::Average),
            _ => None,
        };
        let kinds: Vec<KindSet> = operands.iter().map(ValueSet::kinds).collect();
        let kinds = number_kinds(math.operator, &kinds, arithmetic);
        let mut value = numbers(Interval { kinds, ..range.unwrap_or(Interval::REALS) });
        value.join(&ValueSet::singleton(math.fallback.clone()));
        value
    }

    /// Returns the possible values after a step of a chain; a step that fails yields no value.
    fn after(&self, values: &ValueSet, step: &ChainStep) -> ValueSet {
        let mut after = match step {
            ChainStep::Filter(_) => return truths(false),
            ChainStep::Value(ValueTransform::Identity | ValueTransform::Required) => return values.clone(),
            ChainStep::Value(ValueTransform::Constant(value)) => return ValueSet::singleton(value.clone()),
            ChainStep::Value(ValueTransform::Lookup { table, default: if_null }) => {
                let mut found = ValueSet::singleton(if_null.clone());
                for (_, value) in table {
                    found.join(&ValueSet::singleton(value.clone()));
                }
                return found;
            }
            ChainStep::Value(ValueTransform::Arithmetic(operator, operand)) => {
                let (after, total) = self.with_number(values, *operator, operand);
                if total {
                    return after;
                }
                after
            }
            ChainStep::Value(ValueTransform::Linear { .. }) => ValueSet::of_kinds(KindSet::REAL),
            ChainStep::Value(ValueTransform::Convert(kind)) => ValueSet::of_kinds(match kind {
                ConversionKind::Int => KindSet::INT,
                ConversionKind::Real => KindSet::REAL,
                ConversionKind::Bool => KindSet::BOOL,
                ConversionKind::Text => KindSet::TEXT,
            }),
            ChainStep::Value(ValueTransform::RegexCapture(..)) => ValueSet::of_kinds(KindSet::MAP),
            ChainStep::Value(ValueTransform::OneHot(_)) => return ValueSet::of_kinds(KindSet::LIST),
            ChainStep::Value(ValueTransform::Flatten) => ValueSet::of_kinds(KindSet::LIST),
            ChainStep::Value(ValueTransform::IpToInt) => ValueSet::of_kinds(KindSet::NUMBER),
            ChainStep::Value(ValueTransform::IpFromInt) => ValueSet::of_kinds(KindSet::TEXT),
        };
        after.join(&ValueSet::singleton(None));
        after
    }

    /// Returns the possible results of an arithmetic step, and whether every value has one.
    fn with_number(&self, values: &ValueSet, operator: ArithmeticOperator, operand: &Value) -> (ValueSet, bool) {
        let arithmetic = self.game.rules.arithmetic;
        let Some((range, number)) = values.bounds().zip(operand.as_f64()) else { return (ValueSet::default(), false) };
        let kinds = [values.kinds(), KindSet::of(Some(operand))];
        let added = |number| range.plus(Interval { low: number, high: number, kinds: kinds[1] });
        let (math, bounds) = match operator {
            ArithmeticOperator::Add => (MathOperator::Add, Some(added(number))),
            ArithmeticOperator::Subtract => (MathOperator::Subtract, Some(added(-number))),
            // Products of integers soon wrap around.
            ArithmeticOperator::Multiply if range.kinds.intersects(KindSet::INT) => (MathOperator::Multiply, None),
            ArithmeticOperator::Multiply => {
                (MathOperator::Multiply, Some(range.binary(BinaryFunction::Multiply, Interval::point(number)).0))
            }
            ArithmeticOperator::Divide => (MathOperator::Divide, None),
        };
        let bounds = bounds.filter(|_| arithmetic == ArithmeticRule::Promoting && number.is_finite());
        let kinds = number_kinds(math, &kinds, arithmetic);
        let total = !values.has_non_numbers() && operator != ArithmeticOperator::Divide;
        (numbers(Interval { kinds, ..bounds.unwrap_or(Interval::REALS) }), total)
    }
}

/// Returns the kinds of the result of an arithmetic operator, with operands of these kinds.
fn number_kinds(operator: MathOperator, operands: &[KindSet], arithmetic: ArithmeticRule) -> KindSet {
    let real_only = match operator {
        MathOperator::Average | MathOperator::StdDev => true,
        MathOperator::Divide => arithmetic == ArithmeticRule::Promoting,
        _ => false,
    };
    let converted = match arithmetic {
        ArithmeticRule::Promoting => operands,
        // The first operand decides.
        ArithmeticRule::FirstOperand => &operands[..operands.len().min(1)],
    };
    let int = !real_only && converted.iter().all(|kinds| kinds.intersects(KindSet::INT));
    let real = real_only || converted.iter().any(|kinds| kinds.intersects(KindSet::REAL));
    match (int, real) {
        (true, true) => KindSet::NUMBER,
        (true, false) => KindSet::INT,
        (false, true) => KindSet::REAL,
        (false, false) => KindSet::EMPTY,
    }
}

/// Returns the numbers of an interval, and NaN if they can be real numbers.
fn numbers(range: Interval) -> ValueSet {
    let mut numbers = if range.kinds == KindSet::EMPTY { ValueSet::default() } else { ValueSet::within(range) };
    if range.kinds.intersects(KindSet::REAL) {
        numbers.join(&ValueSet::singleton(Some(Value::Real(f64::NAN))));
    }
    numbers
}

/// Returns both Booleans, and the missing value if `missing` is set.
fn truths(missing: bool) -> ValueSet {
    let mut truths = ValueSet::singleton(Some(Value::Bool(true)));
    truths.join(&ValueSet::singleton(Some(Value::Bool(false))));
    if missing {
        truths.join(&ValueSet::singleton(None));
    }
    truths
}

/// Returns the possible values of a numeric expression.
fn calculate(expression: &Expression<NumericNode>, operands: &[ValueSet]) -> ValueSet {
    let mut nan = false;
    let mut missing = false;
    let mut fields = Vec::with_capacity(operands.len());
    for operand in operands {
        // Strings are parsed as numbers, and may not be numeric.
        let range = if operand.has_non_numbers() {
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
            NumericNode::Number(number) => (Interval::point(*number), number.is_nan()),
            NumericNode::Field(field) => (fields.get(field.index()).copied().unwrap_or(Interval::REALS), false),
            NumericNode::Unary(function, operand) => ranges[operand.index()].unary(*function),
            NumericNode::Binary(function, [one, other]) => ranges[one.index()].binary(*function, ranges[other.index()]),
            NumericNode::Aggregate(function, parts) => {
                let parts: Vec<Interval> = parts.iter().map(|part| ranges[part.index()]).collect();
                (Interval::aggregate(*function, &parts), *function == AggregateFunction::Average)
            }
            NumericNode::Random => (Interval::real(0.0, 1.0), false),
            NumericNode::RandomBetween([one, other]) => (ranges[one.index()].hull(ranges[other.index()]), false),
        };
        nan |= undefined;
        ranges.push(range);
    }
    let Some(range) = ranges.last() else { return ValueSet::singleton(None) };
    let kinds = KindSet::REAL;
    let mut values = ValueSet::within(Interval { kinds, ..*range });
    if nan {
        values.join(&ValueSet::singleton(Some(Value::Real(f64::NAN))));
    }
    if missing {
        values.join(&ValueSet::singleton(None));
    }
    values
}
