//! Inference of the kinds of values that each resource of a game can have. Engines use it to store values without tags, and
//! tables of states to choose columns.
//!
//! The result over-approximates: it is the least fixed point of the effects of the writes of a game on kinds, starting from the
//! initial values.

use std::ops::{BitOr, BitOrAssign};

use super::board::{Board, ResourceId, SlotId};
use super::compute::{Compute, Kind, Math, Operator, Step, StepOperator, ValueCompute};
use super::field::{End, Field, Place};
use super::game::{Action, Computed, Game, Outcome};
use super::rules::{Arithmetic, MissingPut};
use super::space::Space;
use super::value::Value;

/// A set of kinds of values. Absence of a value counts as a kind, [`Kinds::MISSING`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Kinds(u8);

impl Kinds {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// The absence of a value.
    pub const MISSING: Self = Self(1);
    /// Integers.
    pub const INT: Self = Self(1 << 1);
    /// Real numbers.
    pub const REAL: Self = Self(1 << 2);
    /// Booleans.
    pub const BOOL: Self = Self(1 << 3);
    /// Strings.
    pub const TEXT: Self = Self(1 << 4);
    /// Sets of labels.
    pub const SET: Self = Self(1 << 5);
    /// Lists.
    pub const LIST: Self = Self(1 << 6);
    /// Maps.
    pub const MAP: Self = Self(1 << 7);
    /// Integers and real numbers.
    pub const NUMBER: Self = Self(Self::INT.0 | Self::REAL.0);
    /// All kinds.
    pub const ANY: Self = Self(u8::MAX);

    /// Returns the kind of a value.
    pub fn of(value: Option<&Value>) -> Self {
        match value {
            None => Self::MISSING,
            Some(Value::Int(_)) => Self::INT,
            Some(Value::Real(_)) => Self::REAL,
            Some(Value::Bool(_)) => Self::BOOL,
            Some(Value::Text(_)) => Self::TEXT,
            Some(Value::Set(_)) => Self::SET,
            Some(Value::List(_)) => Self::LIST,
            Some(Value::Map(_)) => Self::MAP,
        }
    }

    /// Returns the kinds of the values of a space.
    pub fn of_space(space: &Space) -> Self {
        match space {
            Space::Bool => Self::BOOL,
            Space::FreeText | Space::TextEnum(_) => Self::TEXT,
            Space::FreeInt | Space::IntRange { .. } | Space::IntEnum(_) => Self::INT,
            Space::FreeReal | Space::RealRange { .. } | Space::Normal { .. } | Space::RealEnum(_) => Self::REAL,
            Space::Set(_) => Self::SET,
        }
    }

    /// Whether this set is a subset of `other`.
    pub fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether the sets intersect.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the kinds of this set that are not in `other`.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the kinds of the sums when values of the kinds `added` are added to values of these kinds; a missing value is
    /// never added.
    #[must_use]
    fn plus(self, added: Self) -> Self {
        let numbers = Self(added.0 & Self::NUMBER.0);
        let mut sum = added.without(Self::NUMBER | Self::MISSING);
        if numbers == Self::NONE {
            return sum;
        }
        if self.meets(Self::MISSING) {
            sum |= numbers;
        }
        if self.meets(Self::INT) {
            sum |= numbers;
        }
        if !self.within(Self::MISSING | Self::INT) {
            sum |= Self::REAL;
        }
        sum
    }
}

impl BitOr for Kinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Kinds {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// Infers the kinds that each resource of a game can have, indexed by slot.
pub fn of_slots(game: &Game) -> Vec<Kinds> {
    let board = &game.board;
    let initial = |slot: SlotId| Kinds::of(board.slot(slot).declaration.as_ref().map(|known| &known.initial));
    let mut inference =
        Inference { game, kinds: board.slots().map(|(slot, _)| initial(slot)).collect(), changed: true };
    let outcomes = || game.actions.iter().flat_map(|action| &action.consequences).map(|one| &one.outcome);
    if outcomes().any(|outcome| matches!(outcome, Outcome::Custom { .. })) {
        // Their writes are known only at run time.
        return vec![Kinds::ANY; inference.kinds.len()];
    }
    while std::mem::take(&mut inference.changed) {
        for action in &game.actions {
            inference.action(action);
        }
    }
    inference.kinds
}

struct Inference<'a> {
    game: &'a Game,
    kinds: Vec<Kinds>,
    changed: bool,
}

impl Inference<'_> {
    fn action(&mut self, action: &Action) {
        for (place, value) in &action.cost {
            self.add(*place, Kinds::of(Some(value)));
        }
        for consequence in &action.consequences {
            match &consequence.outcome {
                Outcome::Resources { compute, add, put } => {
                    let computed = self.computed(action, compute);
                    for (place, value) in add {
                        let kinds = self.scope(action, &computed).compute(value);
                        self.add(*place, kinds);
                    }
                    for (place, value) in put {
                        let kinds = self.scope(action, &computed).compute(value);
                        self.put(*place, kinds, matches!(value, Compute::Constant(None)));
                    }
                }
                Outcome::WithVectors { compute, add, .. } => {
                    let computed = self.computed(action, compute);
                    for (place, value) in add {
                        let kinds = self.scope(action, &computed).compute(value);
                        self.add(*place, kinds);
                    }
                }
                Outcome::MakeNodeVisible { .. } | Outcome::Custom { .. } => {}
            }
        }
    }

    fn computed(&self, action: &Action, compute: &[Computed]) -> Vec<Kinds> {
        compute.iter().map(|computed| self.scope(action, &[]).compute(&computed.value)).collect()
    }

    fn scope<'s>(&'s self, action: &'s Action, computed: &'s [Kinds]) -> Scope<'s> {
        Scope { game: self.game, slots: &self.kinds, action, computed }
    }

    fn add(&mut self, place: Place, added: Kinds) {
        self.write(place, |kinds| kinds.plus(added));
    }

    fn put(&mut self, place: Place, kinds: Kinds, literally_missing: bool) {
        let refused = self.game.rules.missing_put == MissingPut::Refused && !literally_missing;
        let kinds = if refused { kinds.without(Kinds::MISSING) } else { kinds };
        self.write(place, |_| kinds);
    }

    fn write(&mut self, place: Place, write: impl Fn(Kinds) -> Kinds) {
        match place {
            Place::Resource(slot) => self.write_slot(slot, &write),
            Place::End(end, resource) => {
                for slot in slots_of_ends(&self.game.board, end, resource) {
                    self.write_slot(slot, &write);
                }
            }
            Place::Observable(_) | Place::EndObservable(_) => {}
        }
    }

    fn write_slot(&mut self, slot: SlotId, write: &impl Fn(Kinds) -> Kinds) {
        let kinds = &mut self.kinds[slot.index()];
        let written = *kinds | write(*kinds);
        self.changed |= written != *kinds;
        *kinds = written;
    }
}

/// Returns the slots of a resource at the sources, or at the targets, of all vectors.
fn slots_of_ends(board: &Board, end: End, resource: ResourceId) -> impl Iterator<Item = SlotId> {
    board.vectors().filter_map(move |(_, vector)| {
        let node = match end {
            End::Source => vector.source,
            End::Target => vector.target,
        };
        board.slot_of(node, resource)
    })
}

/// The kinds of the fields that one consequence of an action can read.
struct Scope<'a> {
    game: &'a Game,
    slots: &'a [Kinds],
    action: &'a Action,
    computed: &'a [Kinds],
}

impl Scope<'_> {
    fn compute(&self, compute: &Compute) -> Kinds {
        match compute {
            Compute::Constant(value) => Kinds::of(value.as_ref()),
            Compute::Field(field) => self.field(field),
            Compute::Calculate(formula) => {
                let certain = formula.fields.iter().all(|field| self.field(field).within(Kinds::NUMBER));
                if certain { Kinds::REAL } else { Kinds::REAL | Kinds::MISSING }
            }
            Compute::CalculateBoolean(formula) => {
                let certain = formula.fields.iter().all(|field| self.field(field).within(Kinds::BOOL | Kinds::INT));
                if certain { Kinds::BOOL } else { Kinds::BOOL | Kinds::MISSING }
            }
            Compute::Condition(cases) => {
                let values = cases.iter().map(|case| self.compute(&case.value)).fold(Kinds::NONE, BitOr::bitor);
                let total = cases.iter().any(|case| case.when.is_empty());
                if total { values } else { values | Kinds::MISSING }
            }
            Compute::Math(math) => self.math(math),
            Compute::Template(_) => Kinds::TEXT,
            Compute::FirstOf(_) => Kinds::TEXT | Kinds::MISSING,
            Compute::List(_) => Kinds::LIST,
            Compute::Chain(first, steps) => {
                steps.iter().fold(self.compute(first), |kinds, step| after(step, kinds, self.game.rules.arithmetic))
            }
        }
    }

    fn field(&self, field: &Field) -> Kinds {
        match field {
            Field::Resource(slot) => self.slots[slot.index()],
            Field::Observable(_) | Field::OwnObservable => Kinds::SET,
            Field::EndObservable(_) => Kinds::SET | Kinds::MISSING,
            Field::Computed(index) => self.computed.get(*index).copied().unwrap_or(Kinds::MISSING),
            // The resource may be absent at some of the ends.
            Field::End(end, resource) => slots_of_ends(&self.game.board, *end, *resource)
                .fold(Kinds::MISSING, |kinds, slot| kinds | self.slots[slot.index()]),
            Field::OwnName => Kinds::TEXT,
            Field::Parameter(name) => self.parameter(name),
            Field::Missing(_) => Kinds::MISSING,
            Field::Own(_) | Field::Member(..) => Kinds::ANY,
        }
    }

    fn parameter(&self, name: &str) -> Kinds {
        let choices = self.game.teams.iter().flat_map(|team| &team.choices);
        let own = choices.filter(|choice| choice.name == self.action.name);
        own.map(|choice| {
            let parameter = choice.parameters.iter().find(|parameter| *parameter.name == *name);
            parameter.map_or(Kinds::MISSING, |parameter| Kinds::of_space(&parameter.space))
        })
        .fold(Kinds::NONE, BitOr::bitor)
    }

    fn math(&self, math: &Math) -> Kinds {
        let invalid = Kinds::of(math.if_invalid.as_ref());
        let operands = math.fields.iter().map(|field| self.field(field)).fold(Kinds::NONE, BitOr::bitor);
        match math.operator {
            Operator::Average | Operator::StdDev => Kinds::REAL | invalid,
            Operator::Equal
            | Operator::NotEqual
            | Operator::Greater
            | Operator::GreaterOrEqual
            | Operator::Less
            | Operator::LessOrEqual => Kinds::BOOL | invalid,
            Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::Divide
            | Operator::Negate
            | Operator::Min
            | Operator::Max => {
                let whole = operands.within(Kinds::INT)
                    && (self.game.rules.arithmetic == Arithmetic::FirstOperand || math.operator != Operator::Divide);
                let numbers = if whole { Kinds::INT } else { Kinds::NUMBER };
                numbers | invalid
            }
        }
    }
}

/// Returns the kinds after a step of a chain; a step that fails yields no value.
fn after(step: &Step, before: Kinds, arithmetic: Arithmetic) -> Kinds {
    let compute = match step {
        Step::Filter(_) => return Kinds::BOOL,
        Step::Value(compute) => compute,
    };
    match compute {
        ValueCompute::Constant(value) => Kinds::of(value.as_ref()),
        ValueCompute::Identity | ValueCompute::Present => before,
        ValueCompute::Lookup { table, if_null } => {
            table.iter().map(|(_, value)| Kinds::of(value.as_ref())).fold(Kinds::of(if_null.as_ref()), BitOr::bitor)
        }
        ValueCompute::Arithmetic(operator, operand) => {
            let whole = before.within(Kinds::INT)
                && match arithmetic {
                    Arithmetic::FirstOperand => true,
                    Arithmetic::Promoting => matches!(operand, Value::Int(_)) && *operator != StepOperator::Divide,
                };
            let divides = *operator == StepOperator::Divide;
            match (whole, before.within(Kinds::NUMBER) && !divides) {
                (true, true) => Kinds::INT,
                (true, false) => Kinds::INT | Kinds::MISSING,
                (false, true) => Kinds::NUMBER,
                (false, false) => Kinds::NUMBER | Kinds::MISSING,
            }
        }
        ValueCompute::Linear { .. } => Kinds::NUMBER | Kinds::MISSING,
        ValueCompute::As(kind) => {
            let kind = match kind {
                Kind::Int => Kinds::INT,
                Kind::Real => Kinds::REAL,
                Kind::Bool => Kinds::BOOL,
                Kind::Text => Kinds::TEXT,
            };
            kind | Kinds::MISSING
        }
        ValueCompute::RegexCapture(..) => Kinds::MAP | Kinds::MISSING,
        ValueCompute::OneHot(_) => Kinds::LIST | Kinds::MISSING,
        ValueCompute::Flatten | ValueCompute::IpToInt | ValueCompute::IpFromInt => Kinds::ANY,
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::Board;
    use super::super::compute::{Compute, Formula};
    use super::super::expression::{Builder, Numeric};
    use super::super::field::{End, Field, Place};
    use super::super::filter::Filter;
    use super::super::game::{Action, Consequence, Game, Outcome, Pick, VectorFilter};
    use super::super::rules::Rules;
    use super::super::space::{Declaration, Space};
    use super::super::value::Value;
    use super::{Kinds, of_slots};

    fn game(board: Board, cost: Vec<(Place, Value)>, outcome: Outcome) -> Game {
        let consequence = Consequence { odds: 1.0, discount: None, independent: false, outcome };
        let action = Action { name: "act".into(), cost, requires: Filter::All, consequences: vec![consequence] };
        Game {
            name: "game".into(),
            description: "".into(),
            rules: Rules::DOCUMENTED,
            board,
            teams: Vec::new(),
            turns: Vec::new(),
            actions: vec![action],
            completed: Filter::None,
            metrics: Vec::new(),
        }
    }

    fn whole(initial: i32) -> Declaration {
        Declaration { space: Space::FreeInt, initial: Value::Int(initial) }
    }

    fn twice(field: Field) -> Compute {
        let mut builder = Builder::default();
        let id = builder.field("x");
        let field_node = builder.node(Numeric::Field(id));
        builder.node(Numeric::Aggregate(super::super::function::Aggregate::Sum, vec![field_node, field_node]));
        Compute::Calculate(Formula { expression: builder.finish().unwrap(), fields: vec![field] })
    }

    #[test]
    fn what_is_computed_makes_whole_numbers_real_and_that_spreads() {
        let mut board = Board::default();
        let node = board.add_node("a");
        let x = board.declare(node, "x", whole(1));
        let y = board.declare(node, "y", whole(1));
        let untouched = board.declare(node, "z", whole(1));
        let outcome = Outcome::Resources {
            compute: Vec::new(),
            // `x` is read before it is inferred to be real.
            add: vec![
                (Place::Resource(y), Compute::Field(Field::Resource(x))),
                (Place::Resource(x), twice(Field::Resource(x))),
            ],
            put: Vec::new(),
        };
        let kinds = of_slots(&game(board, vec![(Place::Resource(x), Value::Int(-1))], outcome));
        assert_eq!(kinds[x.index()], Kinds::NUMBER);
        assert_eq!(kinds[y.index()], Kinds::NUMBER);
        assert_eq!(kinds[untouched.index()], Kinds::INT);
    }

    #[test]
    fn results_for_vectors_write_to_their_ends_only() {
        let mut board = Board::default();
        let [from, to] = ["a", "b"].map(|name| board.add_node(name));
        board.add_vector(from, to, "");
        let [x, y] = [from, to].map(|node| board.declare(node, "x", whole(0)));
        let resource = board.resource_named("x").unwrap();
        let outcome = Outcome::WithVectors {
            pick: Pick::All,
            vectors: VectorFilter { source: Filter::All, target: Filter::All },
            compute: Vec::new(),
            add: vec![(Place::End(End::Target, resource), Compute::Constant(Some(Value::Bool(true))))],
        };
        let kinds = of_slots(&game(board, Vec::new(), outcome));
        assert_eq!([kinds[x.index()], kinds[y.index()]], [Kinds::INT, Kinds::INT | Kinds::BOOL]);
    }

    #[test]
    fn a_resource_that_is_written_but_not_declared_may_be_missing() {
        let mut board = Board::default();
        let node = board.add_node("a");
        let resource = board.add_resource("new");
        let slot = board.add_slot(node, resource);
        let outcome = Outcome::Resources { compute: Vec::new(), add: Vec::new(), put: Vec::new() };
        let kinds = of_slots(&game(board, vec![(Place::Resource(slot), Value::Int(1))], outcome));
        assert_eq!(kinds[slot.index()], Kinds::MISSING | Kinds::INT);
    }

    #[test]
    fn custom_results_may_write_anything() {
        let mut board = Board::default();
        let node = board.add_node("a");
        let slot = board.declare(node, "x", whole(0));
        let outcome = Outcome::Custom { name: "f".into(), parameters: Vec::new() };
        assert_eq!(of_slots(&game(board, Vec::new(), outcome))[slot.index()], Kinds::ANY);
    }
}
