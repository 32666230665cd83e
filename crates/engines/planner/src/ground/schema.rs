//! Schemas: normalised actions and rules with variables.

use std::rc::Rc;

use fixedbitset::FixedBitSet;
use goalspec_core::condition::{Condition, Expression, Scope, Term, Variable};
use goalspec_core::ids::{FunctionId, PredicateId, TypeId, VarId};
use goalspec_core::planning::task::{ActionId, AssignmentOperator};
use goalspec_core::world::World;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// An argument of an atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Slot {
    /// A variable of the schema, by index.
    Variable(u32),
    /// An object.
    Object(u32),
}

impl Slot {
    /// Returns the object under a binding.
    pub(super) fn value(self, binding: &[u32]) -> u32 {
        match self {
            Self::Variable(place) => binding[place as usize],
            Self::Object(object) => object,
        }
    }

    /// Renumbers a variable; without a new index it is unchanged.
    pub(super) fn renumber(&mut self, place: &mut impl FnMut(u32) -> Option<u32>) {
        if let Self::Variable(variable) = self
            && let Some(new) = place(*variable)
        {
            *variable = new;
        }
    }
}

/// A list of arguments.
pub(super) type Slots = SmallVec<[Slot; 4]>;

/// An atom over slots.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Pattern {
    /// The predicate.
    pub(super) predicate: PredicateId,
    /// Its arguments.
    pub(super) slots: Slots,
}

/// The slots of the variables of a scope; `None` for variables of quantifiers that are not in scope.
pub(super) type Environment = Rc<Vec<Option<Slot>>>;

/// A condition that is not normalised, with its polarity and environment.
#[derive(Debug, Clone)]
pub(super) struct UnexpandedCondition<'t> {
    /// The condition.
    pub(super) condition: &'t Condition,
    /// Whether the condition, rather than its negation, is required.
    pub(super) polarity: bool,
    /// The scope that declares the variables.
    pub(super) scope: &'t Scope,
    /// The slots of the free variables.
    pub(super) environment: Environment,
}

impl UnexpandedCondition<'_> {
    /// Returns the objects of the variables under a binding.
    pub(super) fn bound(&self, binding: &[u32]) -> Vec<Option<u32>> {
        bound(&self.environment, binding)
    }

    /// Renumbers variables. Variables without a new index are removed from the environment.
    pub(super) fn renumber(&mut self, place: &mut impl FnMut(u32) -> Option<u32>) {
        renumber_environment(&mut self.environment, place);
    }
}

/// Renumbers variables. Variables without a new index are removed from the environment.
pub(super) fn renumber_environment(environment: &mut Environment, place: &mut impl FnMut(u32) -> Option<u32>) {
    for entry in Rc::make_mut(environment) {
        if let Some(Slot::Variable(variable)) = *entry {
            *entry = place(variable).map(Slot::Variable);
        }
    }
}

/// Returns the objects of the variables of an environment under a binding, which may be a prefix.
pub(super) fn bound(environment: &[Option<Slot>], binding: &[u32]) -> Vec<Option<u32>> {
    let object = |slot| match slot {
        Slot::Variable(place) => binding.get(place as usize).copied(),
        Slot::Object(object) => Some(object),
    };
    environment.iter().map(|slot| slot.and_then(object)).collect()
}

/// A static test.
#[derive(Debug, Clone)]
pub(super) enum Filter<'t> {
    /// Two arguments are equal, or differ.
    Same {
        /// Whether they must be equal.
        equal: bool,
        /// The arguments.
        sides: [Slot; 2],
    },
    /// A static atom does not hold.
    NegatedStatic(Pattern),
    /// A static condition.
    Static(UnexpandedCondition<'t>),
}

/// A conjunction over variables.
#[derive(Debug, Clone, Default)]
pub(super) struct Body<'t> {
    /// The positive atoms.
    pub(super) atoms: Vec<Pattern>,
    /// The negated atoms of predicates that are not static.
    pub(super) negative: Vec<Pattern>,
    /// The static tests.
    pub(super) filters: Vec<Filter<'t>>,
    /// The conditions that are grounded only when all variables are bound.
    pub(super) unexpanded: Vec<UnexpandedCondition<'t>>,
}

impl Body<'_> {
    /// Whether the conjunction is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.atoms.is_empty() && self.negative.is_empty() && self.filters.is_empty() && self.unexpanded.is_empty()
    }

    /// Adds the conjuncts of another body.
    pub(super) fn extend(&mut self, other: Self) {
        let Self { atoms, negative, filters, unexpanded: rest } = other;
        self.atoms.extend(atoms);
        self.negative.extend(negative);
        self.filters.extend(filters);
        self.unexpanded.extend(rest);
    }

    /// Removes duplicate atoms.
    pub(super) fn deduplicated(mut self) -> Self {
        for patterns in [&mut self.atoms, &mut self.negative] {
            let mut known = FxHashSet::default();
            patterns.retain(|pattern| known.insert(pattern.clone()));
        }
        self
    }

    /// Renumbers variables.
    pub(super) fn renumber(&mut self, place: &mut impl FnMut(u32) -> Option<u32>) {
        for slot in self.atoms.iter_mut().chain(&mut self.negative).flat_map(|atom| &mut atom.slots) {
            slot.renumber(place);
        }
        for part in &mut self.unexpanded {
            part.renumber(place);
        }
        for filter in &mut self.filters {
            match filter {
                Filter::Same { sides, .. } => sides.iter_mut().for_each(|slot| slot.renumber(place)),
                Filter::NegatedStatic(atom) => atom.slots.iter_mut().for_each(|slot| slot.renumber(place)),
                Filter::Static(part) => part.renumber(place),
            }
        }
    }
}

impl Body<'_> {
    /// Returns the variables, sorted and without duplicates.
    pub(super) fn variables(&self) -> Vec<u32> {
        let atoms = self.atoms.iter().chain(&self.negative).flat_map(|atom| atom.slots.iter().copied());
        let rest = self.unexpanded.iter().flat_map(UnexpandedCondition::slots);
        let mut all = slot_variables(atoms.chain(rest));
        all.extend(self.filters.iter().flat_map(Filter::variables));
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// Returns the variables among slots, sorted and without duplicates.
pub(super) fn slot_variables(slots: impl Iterator<Item = Slot>) -> Vec<u32> {
    let place = |slot| if let Slot::Variable(place) = slot { Some(place) } else { None };
    let mut places: Vec<u32> = slots.filter_map(place).collect();
    places.sort_unstable();
    places.dedup();
    places
}

impl Filter<'_> {
    /// Returns the variables, sorted and without duplicates.
    pub(super) fn variables(&self) -> Vec<u32> {
        let slots: Vec<Slot> = match self {
            Self::Same { sides, .. } => sides.to_vec(),
            Self::NegatedStatic(atom) => atom.slots.to_vec(),
            Self::Static(part) => part.slots(),
        };
        slot_variables(slots.into_iter())
    }
}

impl UnexpandedCondition<'_> {
    /// Returns the slots of the free variables.
    pub(super) fn slots(&self) -> Vec<Slot> {
        let mut free = Vec::new();
        visit_variables(self.condition, &mut |variable| {
            free.extend(self.environment.get(variable.index()).copied().flatten());
        });
        free
    }
}

impl LiftedNumericEffect<'_> {
    /// Returns the slots on which the effect depends.
    fn slots(&self) -> Vec<Slot> {
        let mut free = self.slots.to_vec();
        self.value.visit(&mut |part| {
            if let Expression::Call { arguments, .. } = part {
                free.extend(arguments.iter().filter_map(|&term| slot(term, &self.environment)));
            }
        });
        free.extend(self.conditions.iter().flat_map(UnexpandedCondition::slots));
        free
    }
}

impl Schema<'_> {
    /// Returns the parameters on which the effects depend, sorted and without duplicates.
    pub(super) fn effect_parameters(&self) -> Vec<u32> {
        let atoms = self.effects.iter().flat_map(|effect| effect.atom.slots.iter().copied());
        let mut all = slot_variables(atoms.chain(self.changes.iter().flat_map(LiftedNumericEffect::slots)));
        all.extend(self.effects.iter().flat_map(|effect| effect.body.variables()));
        all.retain(|&variable| (variable as usize) < self.parameters);
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// A disjunct of a precondition or of the body of a rule.
#[derive(Debug, Clone)]
pub(super) struct Branch<'t> {
    /// The domains of the variables: the parameters, followed by existentially quantified variables.
    pub(super) variables: Vec<u32>,
    /// The condition.
    pub(super) body: Body<'t>,
}

/// An effect on an atom. Its variables are the parameters, followed by its quantified variables.
#[derive(Debug, Clone)]
pub(super) struct LiftedEffect<'t> {
    /// The domains of the variables.
    pub(super) variables: Vec<u32>,
    /// The condition.
    pub(super) body: Body<'t>,
    /// Whether the effect adds the atom; it deletes the atom otherwise.
    pub(super) adds: bool,
    /// The atom.
    pub(super) atom: Pattern,
}

/// A numeric effect.
#[derive(Debug, Clone)]
pub(super) struct LiftedNumericEffect<'t> {
    /// The domains of the variables: the parameters, followed by the quantified variables of the effect.
    pub(super) variables: Vec<u32>,
    /// The conditions.
    pub(super) conditions: Vec<UnexpandedCondition<'t>>,
    /// The kind of assignment.
    pub(super) how: AssignmentOperator,
    /// The function.
    pub(super) function: FunctionId,
    /// The arguments of the function.
    pub(super) slots: Slots,
    /// The operand.
    pub(super) value: &'t Expression,
    /// The scope that declares the variables.
    pub(super) scope: &'t Scope,
    /// The slots of the variables.
    pub(super) environment: Environment,
}

/// The head of a schema.
#[derive(Debug, Clone)]
pub(super) enum Head {
    /// The steps of an action.
    Action(ActionId),
    /// The atoms of a derived predicate, with the parameters as arguments.
    Derived(PredicateId),
}

/// A normalised action or rule.
#[derive(Debug, Clone)]
pub(super) struct Schema<'t> {
    /// The head.
    pub(super) head: Head,
    /// The number of parameters; they are the first variables of each branch.
    pub(super) parameters: usize,
    /// The disjuncts of the condition.
    pub(super) branches: Vec<Branch<'t>>,
    /// The effects on atoms.
    pub(super) effects: Vec<LiftedEffect<'t>>,
    /// The numeric effects.
    pub(super) changes: Vec<LiftedNumericEffect<'t>>,
}

/// The domain of a variable.
#[derive(Debug)]
pub(super) struct Domain {
    /// The objects, ascending.
    pub(super) objects: Vec<u32>,
    /// The objects as a set.
    pub(super) set: FixedBitSet,
}

/// A store of domains without duplicates.
#[derive(Debug, Default)]
pub(super) struct Domains {
    places: FxHashMap<Vec<TypeId>, u32>,
    all: Vec<Domain>,
}

impl Domains {
    /// Returns the index of the domain of a variable.
    pub(super) fn of(&mut self, world: &World, variable: &Variable) -> u32 {
        if let Some(&place) = self.places.get(&variable.types) {
            return place;
        }
        let objects: Vec<u32> = world.domain(&variable.types).iter().map(|object| object.0).collect();
        let set = objects.iter().map(|&object| object as usize).collect();
        let place = self.all.len() as u32;
        self.all.push(Domain { objects, set });
        self.places.insert(variable.types.clone(), place);
        place
    }

    /// Returns a domain.
    pub(super) fn get(&self, place: u32) -> &Domain {
        &self.all[place as usize]
    }

    /// Whether a domain contains an object.
    pub(super) fn contains(&self, place: u32, object: u32) -> bool {
        self.all[place as usize].set.contains(object as usize)
    }
}

/// Returns the slots of terms; `None` if one of them is an unbound variable.
pub(super) fn slots(terms: &[Term], environment: &[Option<Slot>]) -> Option<Slots> {
    terms.iter().map(|&term| slot(term, environment)).collect()
}

/// Returns the slot of a term; `None` if it is an unbound variable or a type.
pub(super) fn slot(term: Term, environment: &[Option<Slot>]) -> Option<Slot> {
    match term {
        Term::Variable(variable) => environment.get(variable.index()).copied().flatten(),
        Term::Object(object) => Some(Slot::Object(object.0)),
        Term::Type(_) => None,
    }
}

/// Visits the occurrences of variables in a condition, without the declarations of quantifiers.
fn visit_variables(condition: &Condition, visit: &mut impl FnMut(VarId)) {
    let mut visit_terms = |terms: &[Term]| {
        for term in terms {
            if let Term::Variable(variable) = term {
                visit(*variable);
            }
        }
    };
    condition.visit(&mut |part| {
        visit_terms(&part.terms());
        for expression in part.expressions() {
            expression.visit(&mut |part| {
                if let Expression::Call { arguments, .. } = part {
                    visit_terms(arguments);
                }
            });
        }
    });
}
