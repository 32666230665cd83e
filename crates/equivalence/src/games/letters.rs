//! Conditions of games as decision diagrams over the conditions on a state that are not combinations of others.
//!
//! The variables are *leaves*: atoms, comparisons, the presence of objects, and quantified conditions that are not expanded. A letter of
//! the automata is a consistent truth of the leaves. Leaves are taken to be independent except for comparisons of the same expression with
//! several numbers; further dependencies only make letters impossible, so that games that agree on all letters agree on all states.

use std::collections::BTreeMap;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use goalspec_core::condition::{ComparisonOperator, Condition, Expression, Origin, Scope, Term};
use goalspec_core::evaluate::{self, Bindings, Context};
use goalspec_core::ids::{ObjectId, PredicateId, VarId};
use goalspec_core::state::State;
use goalspec_core::world::World;
use goalspec_core::world::operation::PredicateDefinition;
use goalspec_core::world::vocabulary::Argument;
use rustc_hash::FxHashMap;

use super::normal_form::NormalForm;
use crate::diagram::{Diagram, Diagrams};
use crate::limits::{LimitExceeded, MAX_DEPTH, MAX_EXPANDED};

/// The value of a variable of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Bound {
    /// An unknown object, the same for all occurrences of the name.
    Symbol(String),
    /// An object.
    Object(ObjectId),
}

/// The variables of a condition with their values.
#[derive(Debug, Clone)]
pub(crate) struct BoundScope {
    pub(crate) scope: Arc<Scope>,
    values: Vec<Option<Bound>>,
    /// The name that sets apart conditions on the objects of the setup, if the setups of the games differ.
    setup_name: &'static str,
}

/// A variable of the diagrams.
#[derive(Debug, Clone)]
pub(crate) enum Leaf {
    /// The state is the first one.
    First,
    /// The state is the last one.
    Last,
    /// The object is present.
    Present(ObjectId),
    /// A condition under a binding.
    Condition(Box<BoundCondition>),
    /// A condition that cannot be evaluated on a single state, or whose objects are unknown.
    Opaque,
}

/// A condition with the objects of its free variables.
#[derive(Debug, Clone)]
pub(crate) struct BoundCondition {
    pub(crate) scope: Arc<Scope>,
    pub(crate) bindings: Vec<(VarId, ObjectId)>,
    pub(crate) condition: Condition,
}

impl BoundScope {
    pub(crate) fn new(scope: Arc<Scope>, setup_name: &'static str) -> Self {
        Self { values: vec![None; scope.variables.len()], scope, setup_name }
    }

    pub(crate) fn bind(&mut self, variable: VarId, value: Bound) {
        self.values[variable.index()] = Some(value);
    }

    fn is_ground(&self) -> bool {
        !self.values.iter().flatten().any(|value| matches!(value, Bound::Symbol(_)))
    }

    fn form<'s>(&'s self, world: &'s World) -> NormalForm<'s> {
        let mut form = NormalForm::new(world, &self.scope);
        for (index, value) in self.values.iter().enumerate() {
            match value {
                Some(Bound::Symbol(name)) => form.name(VarId::from(index), name.clone()),
                Some(Bound::Object(object)) => {
                    form.name(VarId::from(index), world.object_decl(*object).id.to_string());
                }
                None => {}
            }
        }
        form
    }

    fn objects(&self) -> Vec<(VarId, ObjectId)> {
        let objects = self.values.iter().enumerate().filter_map(|(index, value)| match value {
            Some(Bound::Object(object)) => Some((VarId::from(index), *object)),
            _ => None,
        });
        objects.collect()
    }

    fn object(&self, term: Term) -> Option<ObjectId> {
        match term {
            Term::Object(object) => Some(object),
            Term::Variable(variable) => match self.values[variable.index()] {
                Some(Bound::Object(object)) => Some(object),
                _ => None,
            },
            Term::Type(_) => None,
        }
    }
}

impl BoundCondition {
    /// Whether the condition holds in a state.
    pub(crate) fn holds(&self, ctx: &Context<'_>) -> bool {
        let mut bindings = Bindings::new(&self.scope);
        for &(variable, object) in &self.bindings {
            bindings.bind(variable, object);
        }
        evaluate::condition(ctx, &self.condition, &mut bindings)
    }
}

/// The diagrams of the conditions of a comparison, with their leaves.
pub(crate) struct Letters<'w> {
    world: &'w World,
    pub(crate) diagrams: Diagrams,
    leaves: Vec<Leaf>,
    names: Vec<String>,
    indices: FxHashMap<String, u32>,
    /// The comparisons of each expression with numbers.
    thresholds: BTreeMap<String, Vec<(u32, ComparisonOperator, f64)>>,
    /// The objects that are not absent.
    objects: Vec<bool>,
    /// Whether the objects of the world are unknown, so that quantified conditions are leaves.
    is_symbolic: bool,
}

impl<'w> Letters<'w> {
    /// Creates the letters of worlds with any objects beside those that programs name.
    pub(crate) fn symbolic(world: &'w World) -> Self {
        Self { is_symbolic: true, ..Self::ground(world, None) }
    }

    /// Creates the letters of a world. With `objects`, at most that number of objects of each type are present.
    pub(crate) fn ground(world: &'w World, objects: Option<usize>) -> Self {
        let mut numbers: FxHashMap<&[_], usize> = FxHashMap::default();
        let is_kept = |object: &'w goalspec_core::world::ObjectDecl| {
            let number = numbers.entry(&object.types[..]).or_default();
            *number += 1;
            objects.is_none_or(|limit| *number <= limit)
        };
        let objects = world.objects().iter().map(is_kept).collect();
        Self {
            world,
            diagrams: Diagrams::new(),
            leaves: Vec::new(),
            names: Vec::new(),
            indices: FxHashMap::default(),
            thresholds: BTreeMap::new(),
            objects,
            is_symbolic: false,
        }
    }

    pub(crate) fn world(&self) -> &'w World {
        self.world
    }

    pub(crate) fn leaf(&self, variable: u32) -> &Leaf {
        &self.leaves[variable as usize]
    }

    /// Returns the text of a leaf.
    pub(crate) fn leaf_name(&self, variable: u32) -> &str {
        &self.names[variable as usize]
    }

    /// Returns the objects of a variable's types that can be present.
    pub(crate) fn domain(&self, scope: &Scope, variable: VarId) -> Vec<ObjectId> {
        let mut objects = self.world.domain(&scope.get(variable).types);
        objects.retain(|object| self.objects[object.index()]);
        objects
    }

    /// Returns the diagram of a leaf.
    pub(crate) fn variable(&mut self, name: String, leaf: Leaf) -> Result<Diagram, LimitExceeded> {
        let next = self.leaves.len() as u32;
        let index = *self.indices.entry(name.clone()).or_insert(next);
        if index == next {
            self.leaves.push(leaf);
            self.names.push(name);
        }
        self.diagrams.variable(index)
    }

    /// Returns the diagram of the first state, or of the last.
    pub(crate) fn edge(&mut self, is_first: bool) -> Result<Diagram, LimitExceeded> {
        if is_first {
            self.variable("(first-state)".to_owned(), Leaf::First)
        } else {
            self.variable("(last-state)".to_owned(), Leaf::Last)
        }
    }

    /// Returns the diagram of the presence of an object.
    pub(crate) fn present(&mut self, value: &Bound) -> Result<Diagram, LimitExceeded> {
        match value {
            Bound::Symbol(name) => self.variable(format!("(present {name})"), Leaf::Opaque),
            Bound::Object(object) if !self.objects[object.index()] => Ok(Diagram::FALSE),
            Bound::Object(object) if self.world.required_attributes(*object).is_empty() => Ok(Diagram::TRUE),
            Bound::Object(object) => {
                let name = format!("(present {})", self.world.object_decl(*object).id);
                self.variable(name, Leaf::Present(*object))
            }
        }
    }

    /// Returns the diagram of a condition while all objects to which it refers by name are present.
    pub(crate) fn condition_if_present(
        &mut self,
        condition: &Condition,
        scope: &BoundScope,
    ) -> Result<Diagram, LimitExceeded> {
        let mut all = self.condition(condition, &mut scope.clone(), 0)?;
        for object in condition.named_objects() {
            let present = self.present(&Bound::Object(object))?;
            all = self.diagrams.and(all, present)?;
        }
        Ok(all)
    }

    /// Returns the diagram of an expression that has a finite value.
    pub(crate) fn defined(&mut self, measure: &Expression, scope: &BoundScope) -> Result<Diagram, LimitExceeded> {
        // A number equals itself if it has a value.
        let sides = Box::new([measure.clone(), measure.clone()]);
        let comparison = ComparisonOperator::Equal;
        self.leaf_of(&Condition::Compare { comparison, sides, origin: Origin::default() }, scope)
    }

    fn condition(
        &mut self,
        condition: &Condition,
        scope: &mut BoundScope,
        depth: usize,
    ) -> Result<Diagram, LimitExceeded> {
        self.diagrams.spend()?;
        if depth >= MAX_DEPTH {
            return Err(LimitExceeded::Depth);
        }
        let depth = depth + 1;
        match condition {
            Condition::Constant(value) => Ok(Diagram::constant(*value)),
            Condition::FirstState => self.edge(true),
            Condition::LastState => self.edge(false),
            Condition::Not(part) => {
                let part = self.condition(part, scope, depth)?;
                self.diagrams.not(part)
            }
            Condition::And(parts) => parts.iter().try_fold(Diagram::TRUE, |all, part| {
                let part = self.condition(part, scope, depth)?;
                self.diagrams.and(all, part)
            }),
            Condition::Or(parts) => parts.iter().try_fold(Diagram::FALSE, |any, part| {
                let part = self.condition(part, scope, depth)?;
                self.diagrams.or(any, part)
            }),
            Condition::Imply(sides) => {
                let premise = self.condition(&sides[0], scope, depth)?;
                let conclusion = self.condition(&sides[1], scope, depth)?;
                self.diagrams.choose(premise, conclusion, Diagram::TRUE)
            }
            Condition::Exists(variables, body) => self.quantified(true, variables, body, scope, depth),
            Condition::Forall(variables, body) => self.quantified(false, variables, body, scope, depth),
            Condition::Distinct(one, other) => match (scope.object(*one), scope.object(*other)) {
                (Some(one), Some(other)) => Ok(Diagram::constant(one != other)),
                _ => self.leaf_of(condition, scope),
            },
            Condition::Atom(atom) => self.atom(condition, atom, scope, depth),
            Condition::Compare { .. }
            | Condition::AllEqual(..)
            | Condition::InSetup(..)
            | Condition::Count(..)
            | Condition::Pairing { .. } => self.leaf_of(condition, scope),
        }
    }

    fn atom(
        &mut self,
        condition: &Condition,
        atom: &goalspec_core::condition::Atom,
        scope: &mut BoundScope,
        depth: usize,
    ) -> Result<Diagram, LimitExceeded> {
        let argument = |term: &Term| match *term {
            Term::Type(id) => Some(Argument::Type(id)),
            term => scope.object(term).map(Argument::Object),
        };
        let Some(arguments) = atom.arguments.iter().map(argument).collect::<Option<Vec<Argument>>>() else {
            return self.leaf_of(condition, scope);
        };
        if !self.world.can_hold(atom.predicate, &arguments) {
            return Ok(Diagram::FALSE);
        }
        let predicate = self.world.predicate(atom.predicate);
        if predicate.dependencies.is_static() {
            return Ok(Diagram::constant(self.holds_always(atom.predicate, &arguments)));
        }
        let PredicateDefinition::Derived(definition) = &predicate.definition else {
            return self.leaf_of(condition, scope);
        };
        let (inner, body) = &**definition;
        let mut bound = BoundScope::new(Arc::new(inner.clone()), scope.setup_name);
        for (index, argument) in arguments.iter().enumerate() {
            match argument {
                Argument::Object(object) => bound.bind(VarId::from(index), Bound::Object(*object)),
                Argument::Type(_) => return self.leaf_of(condition, scope),
            }
        }
        self.condition(body, &mut bound, depth)
    }

    /// Whether a predicate that does not depend on the state holds.
    fn holds_always(&self, predicate: PredicateId, arguments: &[Argument]) -> bool {
        let (state, setup_objects) = (State::new(self.world), FixedBitSet::new());
        let ctx = Context {
            world: self.world,
            state: &state,
            first: false,
            last: false,
            setup_objects: &setup_objects,
            work: None,
        };
        ctx.holds(predicate, arguments) == Some(true)
    }

    /// Returns the diagram of a quantified condition: over all objects if there are few and the binding is known, else as one leaf.
    fn quantified(
        &mut self,
        is_exists: bool,
        variables: &[VarId],
        body: &Condition,
        scope: &mut BoundScope,
        depth: usize,
    ) -> Result<Diagram, LimitExceeded> {
        let domains: Vec<Vec<ObjectId>> =
            variables.iter().map(|&variable| self.domain(&scope.scope, variable)).collect();
        let instances = domains.iter().try_fold(1_usize, |product, domain| product.checked_mul(domain.len()));
        if self.is_symbolic || !scope.is_ground() || instances.is_none_or(|instances| instances > MAX_EXPANDED) {
            let (variables, body) = (variables.to_vec(), Box::new(body.clone()));
            // A universal condition is the negation of an existential one.
            if is_exists {
                return self.leaf_of(&Condition::Exists(variables, body), scope);
            }
            let exists = self.leaf_of(&Condition::Exists(variables, Box::new(Condition::Not(body))), scope)?;
            return self.diagrams.not(exists);
        }
        let Some((&first, rest)) = variables.split_first() else { return self.condition(body, scope, depth) };
        let outside = scope.values[first.index()].clone();
        let mut all = Diagram::constant(!is_exists);
        for &object in &domains[0] {
            scope.bind(first, Bound::Object(object));
            let part = self.quantified(is_exists, rest, body, scope, depth)?;
            let present = self.present(&Bound::Object(object))?;
            all = if is_exists {
                let part = self.diagrams.and(present, part)?;
                self.diagrams.or(all, part)?
            } else {
                let part = self.diagrams.choose(present, part, Diagram::TRUE)?;
                self.diagrams.and(all, part)?
            };
        }
        scope.values[first.index()] = outside;
        Ok(all)
    }

    /// Returns a condition as one leaf.
    fn leaf_of(&mut self, condition: &Condition, scope: &BoundScope) -> Result<Diagram, LimitExceeded> {
        let mut name = scope.form(self.world).condition(condition, true);
        match name.as_str() {
            "true" | "false" => return Ok(Diagram::constant(name == "true")),
            _ => {}
        }
        if name.contains("(in-setup ") {
            name.push_str(scope.setup_name);
        }
        let leaf = if scope.is_ground() {
            let bound = BoundCondition {
                scope: Arc::clone(&scope.scope),
                bindings: scope.objects(),
                condition: condition.clone(),
            };
            Leaf::Condition(Box::new(bound))
        } else {
            Leaf::Opaque
        };
        let diagram = self.variable(name.clone(), leaf)?;
        if let Condition::Compare { comparison, sides, .. } = condition
            && let Some(&variable) = self.indices.get(&name)
        {
            self.add_threshold(variable, *comparison, [&sides[0], &sides[1]], scope);
        }
        Ok(diagram)
    }

    fn add_threshold(
        &mut self,
        variable: u32,
        comparison: ComparisonOperator,
        sides: [&Expression; 2],
        scope: &BoundScope,
    ) {
        // The tolerance of an equality is that of the right side.
        let (expression, comparison, number) = match sides {
            [Expression::Number(number), expression] if comparison != ComparisonOperator::Equal => {
                (expression, comparison.mirrored(), *number)
            }
            [expression, Expression::Number(number)] => (expression, comparison, *number),
            _ => return,
        };
        let known = self.thresholds.entry(scope.form(self.world).expression(expression)).or_default();
        if !known.iter().any(|&(other, ..)| other == variable) {
            known.push((variable, comparison, number));
        }
    }

    /// Returns the diagram of the consistent truths of the comparisons: those for some value of each compared expression, or for none.
    pub(crate) fn consistency(&mut self) -> Result<Diagram, LimitExceeded> {
        let mut all = Diagram::TRUE;
        for compared in self.thresholds.clone().into_values().filter(|compared| compared.len() > 1) {
            let mut any = Diagram::FALSE;
            for value in sample_values(&compared) {
                let mut cell = Diagram::TRUE;
                for &(variable, comparison, number) in &compared {
                    let holds = value.is_some_and(|value| comparison.holds(value, number));
                    let leaf = self.diagrams.variable(variable)?;
                    let part = if holds { leaf } else { self.diagrams.not(leaf)? };
                    cell = self.diagrams.and(cell, part)?;
                }
                any = self.diagrams.or(any, cell)?;
            }
            all = self.diagrams.and(all, any)?;
        }
        Ok(all)
    }
}

/// Returns values of an expression of which one is in each cell that the thresholds make; `None` is no value.
fn sample_values(compared: &[(u32, ComparisonOperator, f64)]) -> Vec<Option<f64>> {
    let mut edges: Vec<f64> = Vec::new();
    for &(_, comparison, number) in compared {
        edges.push(number);
        if comparison == ComparisonOperator::Equal {
            let tolerance = ComparisonOperator::tolerance(number);
            edges.extend([number - tolerance, number + tolerance]);
        }
    }
    edges.sort_by(f64::total_cmp);
    edges.dedup();
    let mut values = vec![None];
    for pair in edges.windows(2) {
        values.push(Some(pair[0].midpoint(pair[1])));
    }
    // A distance of one is far enough from an edge that was rounded, but is lost beside a large number.
    values.extend(edges.first().into_iter().flat_map(|first| [Some(first - 1.0), Some(first.next_down())]));
    values.extend(edges.last().into_iter().flat_map(|last| [Some(last + 1.0), Some(last.next_up())]));
    values.extend(edges.into_iter().map(Some));
    values
}
