//! Conditions on the numbers of a row: the questions of leaves about single points, compiled for states that are rows of numbers.

use goalspec_core::condition::{ComparisonOperator, Condition, Expression, Term};
use goalspec_core::evaluate::{Arguments, Bindings, Context};
use goalspec_core::ids::{AttributeId, AttributeMask, FunctionId, ObjectId, PredicateId};
use goalspec_core::state::{Delta, ObjectArguments, State};
use goalspec_core::state_part::StatePart;
use goalspec_core::world::operation::{FunctionDefinition, PredicateDefinition};
use goalspec_core::world::{Argument, Dependencies, World};
use rustc_hash::FxHashMap;

use crate::graph::{ArgumentSource, Leaf, LeafKind};
use crate::graph_evaluator;

/// A condition on the numbers of a row.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ColumnTest {
    Constant(bool),
    /// Whether the number of a column is not 0.
    Flag(u32),
    /// A comparison of the number of a column with a constant.
    Threshold(ComparisonOperator, u32, f64),
    Compare(ComparisonOperator, Box<[ColumnNumber; 2]>),
    AllEqual(Box<[ColumnNumber]>),
    /// Whether a number is defined and finite.
    Finite(ColumnNumber),
    Not(Box<ColumnTest>),
    All(Box<[ColumnTest]>),
    Any(Box<[ColumnTest]>),
}

/// A number computed from those of a row.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ColumnNumber {
    Constant(f64),
    /// A value that no state has.
    Undefined,
    Column(u32),
    Sum(Box<[ColumnNumber]>),
    Product(Box<[ColumnNumber]>),
    Difference(Box<[ColumnNumber; 2]>),
    Quotient(Box<[ColumnNumber; 2]>),
    Absolute(Box<ColumnNumber>),
}

impl ColumnTest {
    pub(super) fn holds(&self, row: &[f64]) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::Flag(column) => row[*column as usize] != 0.0,
            Self::Threshold(comparison, column, number) => comparison.holds(row[*column as usize], *number),
            Self::Compare(comparison, sides) => {
                matches!((sides[0].value(row), sides[1].value(row)), (Some(left), Some(right)) if comparison.holds(left, right))
            }
            Self::AllEqual(parts) => {
                let values: Option<Vec<f64>> = parts.iter().map(|part| part.value(row)).collect();
                values
                    .is_some_and(|values| values.iter().all(|&value| ComparisonOperator::Equal.holds(value, values[0])))
            }
            Self::Finite(number) => number.value(row).is_some_and(f64::is_finite),
            Self::Not(part) => !part.holds(row),
            Self::All(parts) => parts.iter().all(|part| part.holds(row)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(row)),
        }
    }

    /// Calls `visit` with each column that the condition reads.
    pub(super) fn each_column(&self, visit: &mut dyn FnMut(u32)) {
        match self {
            Self::Constant(_) => {}
            Self::Flag(column) | Self::Threshold(_, column, _) => visit(*column),
            Self::Compare(_, sides) => sides.iter().for_each(|side| side.each_column(visit)),
            Self::AllEqual(parts) => parts.iter().for_each(|part| part.each_column(visit)),
            Self::Finite(number) => number.each_column(visit),
            Self::Not(part) => part.each_column(visit),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.each_column(visit)),
        }
    }
}

impl ColumnNumber {
    fn value(&self, row: &[f64]) -> Option<f64> {
        match self {
            Self::Constant(number) => Some(*number),
            Self::Undefined => None,
            Self::Column(column) => Some(row[*column as usize]),
            Self::Sum(parts) => parts.iter().map(|part| part.value(row)).sum(),
            Self::Product(parts) => parts.iter().map(|part| part.value(row)).product(),
            Self::Difference(sides) => Some(sides[0].value(row)? - sides[1].value(row)?),
            Self::Quotient(sides) => {
                let (left, right) = (sides[0].value(row)?, sides[1].value(row)?);
                (right != 0.0).then(|| left / right)
            }
            Self::Absolute(part) => part.value(row).map(f64::abs),
        }
    }

    fn each_column(&self, visit: &mut dyn FnMut(u32)) {
        match self {
            Self::Constant(_) | Self::Undefined => {}
            Self::Column(column) => visit(*column),
            Self::Sum(parts) | Self::Product(parts) => parts.iter().for_each(|part| part.each_column(visit)),
            Self::Difference(sides) | Self::Quotient(sides) => sides.iter().for_each(|side| side.each_column(visit)),
            Self::Absolute(part) => part.each_column(visit),
        }
    }
}

/// A compiler of conditions on states whose parts are the columns of rows.
pub(super) struct TestCompiler<'w> {
    world: &'w World,
    /// A state of a row, for what no column describes.
    state: State,
    attributes: FxHashMap<(ObjectId, AttributeId), Column>,
    /// For each object, the attributes that columns describe.
    described: Vec<AttributeMask>,
    facts: FxHashMap<PredicateId, FxHashMap<ObjectArguments, u32>>,
    fluents: FxHashMap<FunctionId, FxHashMap<ObjectArguments, u32>>,
}

/// The column of an attribute.
#[derive(Debug, Clone, Copy)]
enum Column {
    Number(u32),
    /// The columns of a vector, which no condition reads directly.
    Vector,
}

impl<'w> TestCompiler<'w> {
    /// Creates a compiler for rows with columns for these parts, none of which may be absent.
    pub(super) fn new(world: &'w World, parts: &[StatePart]) -> Self {
        let mut compiler = Self {
            world,
            state: State::new(world),
            attributes: FxHashMap::default(),
            described: vec![AttributeMask::NONE; world.objects().len()],
            facts: FxHashMap::default(),
            fluents: FxHashMap::default(),
        };
        let (mut delta, mut column) = (Delta::default(), 0);
        for part in parts {
            part.add_change(&[0.0; StatePart::VECTOR_WIDTH], &mut delta);
            match part {
                StatePart::Number(object, attribute, _) => {
                    compiler.describe(*object, *attribute, Column::Number(column));
                }
                StatePart::Vector(object, attribute) => compiler.describe(*object, *attribute, Column::Vector),
                StatePart::Fact(predicate, arguments) => {
                    compiler.facts.entry(*predicate).or_default().insert(arguments.clone(), column);
                }
                StatePart::Fluent(function, arguments) => {
                    compiler.fluents.entry(*function).or_default().insert(arguments.clone(), column);
                }
                StatePart::Presence(_) => {}
            }
            column += part.width() as u32;
        }
        compiler.state.apply(world, &delta, &mut goalspec_core::state::ChangeSet::default());
        compiler
    }

    fn describe(&mut self, object: ObjectId, attribute: AttributeId, column: Column) {
        self.attributes.insert((object, attribute), column);
        self.described[object.index()] |= AttributeMask::one(attribute);
    }

    /// Compiles the question of a leaf about these objects; `None` if its answer depends on more than single columns and constants.
    pub(super) fn leaf(&self, leaf: &Leaf, objects: &[ObjectId]) -> Option<ColumnTest> {
        match &leaf.question {
            LeafKind::Present | LeafKind::PresentObject(_) => {
                Some(ColumnTest::Constant(graph_evaluator::evaluate_leaf(&self.context(), leaf, objects)))
            }
            LeafKind::Atom { predicate, arguments } => {
                let argument = |slot: &ArgumentSource| match *slot {
                    ArgumentSource::Fixed(argument) => argument,
                    ArgumentSource::Dim(dim) => Argument::Object(objects[dim as usize]),
                };
                let arguments: Arguments = arguments.iter().map(argument).collect();
                let is_absent = |argument: &Argument| matches!(argument, Argument::Object(object) if !self.state.is_present(*object));
                if leaf.reads.own_presence && arguments.iter().any(is_absent) {
                    return Some(ColumnTest::Constant(false));
                }
                self.atom(*predicate, &arguments)
            }
            LeafKind::Condition { scope, variables, condition } => {
                self.condition(condition, &graph_evaluator::bind(scope, variables, objects))
            }
            LeafKind::Defined { scope, variables, expression } => {
                let number = self.expression(expression, &graph_evaluator::bind(scope, variables, objects))?;
                Some(ColumnTest::Finite(number))
            }
        }
    }

    fn context(&self) -> Context<'_> {
        let no_objects = const { &fixedbitset::FixedBitSet::new() };
        Context {
            world: self.world,
            state: &self.state,
            first: false,
            last: false,
            setup_objects: no_objects,
            work: None,
        }
    }

    fn condition(&self, condition: &Condition, bindings: &Bindings<'_>) -> Option<ColumnTest> {
        let all = |parts: &[Condition]| {
            parts.iter().map(|part| self.condition(part, bindings)).collect::<Option<Box<[ColumnTest]>>>()
        };
        Some(match condition {
            Condition::Constant(value) => ColumnTest::Constant(*value),
            Condition::Atom(atom) => match bindings.terms(&atom.arguments) {
                Some(arguments) => self.atom(atom.predicate, &arguments)?,
                None => ColumnTest::Constant(false),
            },
            Condition::Compare { comparison, sides, .. } => {
                let [left, right] = [&sides[0], &sides[1]].map(|side| self.expression(side, bindings));
                match (left?, right?) {
                    (ColumnNumber::Column(column), ColumnNumber::Constant(number)) => {
                        ColumnTest::Threshold(*comparison, column, number)
                    }
                    (left, right) => ColumnTest::Compare(*comparison, Box::new([left, right])),
                }
            }
            Condition::AllEqual(parts, _) => {
                let parts = parts.iter().map(|part| self.expression(part, bindings));
                ColumnTest::AllEqual(parts.collect::<Option<_>>()?)
            }
            Condition::Distinct(left, right) => {
                let term = |term: Term| bindings.term(term);
                let is_distinct = matches!((term(*left), term(*right)), (Some(left), Some(right)) if left != right);
                ColumnTest::Constant(is_distinct)
            }
            Condition::Not(part) => ColumnTest::Not(Box::new(self.condition(part, bindings)?)),
            Condition::And(parts) => ColumnTest::All(all(parts)?),
            Condition::Or(parts) => ColumnTest::Any(all(parts)?),
            Condition::Imply(parts) => {
                let [left, right] = [&parts[0], &parts[1]].map(|part| self.condition(part, bindings));
                ColumnTest::Any(Box::new([ColumnTest::Not(Box::new(left?)), right?]))
            }
            Condition::FirstState
            | Condition::LastState
            | Condition::InSetup(..)
            | Condition::Exists(..)
            | Condition::Forall(..)
            | Condition::Count(..)
            | Condition::Pairing { .. } => return None,
        })
    }

    fn atom(&self, predicate: PredicateId, arguments: &[Argument]) -> Option<ColumnTest> {
        let declaration = self.world.predicate(predicate);
        if self.is_constant(&declaration.dependencies, arguments) {
            return Some(ColumnTest::Constant(self.context().holds(predicate, arguments) == Some(true)));
        }
        match &declaration.definition {
            PredicateDefinition::Stored => Some(match self.facts.get(&predicate)?.get(&objects(arguments)?) {
                Some(&column) => ColumnTest::Flag(column),
                None => ColumnTest::Constant(self.context().holds(predicate, arguments) == Some(true)),
            }),
            PredicateDefinition::Flag(attribute) => {
                match self.attributes.get(&(only_object(arguments)?, *attribute))? {
                    Column::Number(column) => Some(ColumnTest::Flag(*column)),
                    Column::Vector => None,
                }
            }
            PredicateDefinition::Derived(definition) => {
                self.condition(&definition.1, &Bindings::of_parameters(&definition.0, arguments))
            }
            PredicateDefinition::Computed(_) | PredicateDefinition::Unavailable(_) => None,
        }
    }

    fn expression(&self, expression: &Expression, bindings: &Bindings<'_>) -> Option<ColumnNumber> {
        let all = |parts: &[Expression]| {
            parts.iter().map(|part| self.expression(part, bindings)).collect::<Option<Box<[ColumnNumber]>>>()
        };
        let pair = |parts: &[Expression; 2]| {
            Some(Box::new([self.expression(&parts[0], bindings)?, self.expression(&parts[1], bindings)?]))
        };
        Some(match expression {
            Expression::Number(number) => ColumnNumber::Constant(*number),
            Expression::Call { function, arguments, .. } => match bindings.terms(arguments) {
                Some(arguments) => self.call(*function, &arguments)?,
                None => ColumnNumber::Undefined,
            },
            Expression::Add(parts) => ColumnNumber::Sum(all(parts)?),
            Expression::Multiply(parts) => ColumnNumber::Product(all(parts)?),
            Expression::Subtract(parts) => ColumnNumber::Difference(pair(parts)?),
            Expression::Divide(parts) => ColumnNumber::Quotient(pair(parts)?),
            Expression::Absolute(part) => ColumnNumber::Absolute(Box::new(self.expression(part, bindings)?)),
        })
    }

    fn call(&self, function: FunctionId, arguments: &[Argument]) -> Option<ColumnNumber> {
        let declaration = self.world.function(function);
        let constant =
            || self.context().value(function, arguments).map_or(ColumnNumber::Undefined, ColumnNumber::Constant);
        if self.is_constant(&declaration.reads, arguments) {
            return Some(constant());
        }
        match &declaration.definition {
            FunctionDefinition::Stored => Some(match self.fluents.get(&function)?.get(&objects(arguments)?) {
                Some(&column) => ColumnNumber::Column(column),
                None => constant(),
            }),
            FunctionDefinition::Attribute(attribute) => {
                match self.attributes.get(&(only_object(arguments)?, *attribute))? {
                    Column::Number(column) => Some(ColumnNumber::Column(*column)),
                    Column::Vector => None,
                }
            }
            FunctionDefinition::Derived(definition) => {
                self.expression(&definition.1, &Bindings::of_parameters(&definition.0, arguments))
            }
            FunctionDefinition::Computed(_) | FunctionDefinition::Unavailable(_) => None,
        }
    }

    /// Whether no column is an input of a predicate or function of these arguments.
    fn is_constant(&self, inputs: &Dependencies, arguments: &[Argument]) -> bool {
        let of_arguments = arguments.iter().zip(&inputs.arguments).filter_map(|(argument, &mask)| match argument {
            Argument::Object(object) => Some((*object, mask)),
            Argument::Type(_) => None,
        });
        let mut read = of_arguments.chain(inputs.fixed_objects.iter().copied());
        !inputs.run
            && !read.any(|(object, mask)| self.described[object.index()].intersects(mask))
            && !self.described.iter().any(|described| described.intersects(inputs.any_object))
            && !inputs.facts.iter().any(|predicate| self.facts.contains_key(predicate))
            && !inputs.fluents.iter().any(|function| self.fluents.contains_key(function))
    }
}

/// Returns the arguments as objects; `None` if one is a type.
fn objects(arguments: &[Argument]) -> Option<ObjectArguments> {
    let object = |argument: &Argument| match argument {
        Argument::Object(object) => Some(*object),
        Argument::Type(_) => None,
    };
    arguments.iter().map(object).collect()
}

fn only_object(arguments: &[Argument]) -> Option<ObjectId> {
    objects(arguments)?.first().copied()
}
