//! Actions and rules with variables, their conditions taken apart.

use std::rc::Rc;

use fixedbitset::FixedBitSet;
use goalspec_core::condition::{Condition, Expression, Scope, Term, Variable};
use goalspec_core::ids::{FunctionId, PredicateId, TypeId, VarId};
use goalspec_core::planning::task::{ActionId, Assignment};
use goalspec_core::world::World;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// An argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Slot {
    /// A variable of the schema, by place.
    Variable(u32),
    /// An object.
    Object(u32),
}

impl Slot {
    /// What it stands for under a binding.
    pub(super) fn value(self, binding: &[u32]) -> u32 {
        match self {
            Self::Variable(place) => binding[place as usize],
            Self::Object(object) => object,
        }
    }

    /// Puts another place for that of a variable, if there is one.
    pub(super) fn renumber(&mut self, place: &mut impl FnMut(u32) -> Option<u32>) {
        if let Self::Variable(variable) = self
            && let Some(new) = place(*variable)
        {
            *variable = new;
        }
    }
}

/// Arguments.
pub(super) type Slots = SmallVec<[Slot; 4]>;

/// An atom with variables.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Pattern {
    /// The predicate.
    pub(super) predicate: PredicateId,
    /// Its arguments.
    pub(super) slots: Slots,
}

/// What the variables of a scope are in a schema, by place; those of quantifiers around which one does not stand are nothing.
pub(super) type Environment = Rc<Vec<Option<Slot>>>;

/// A condition as it was written, whether it or its opposite is wanted, and what its variables are.
#[derive(Debug, Clone)]
pub(super) struct Written<'t> {
    /// The condition.
    pub(super) condition: &'t Condition,
    /// Whether it shall hold; else it shall not.
    pub(super) wanted: bool,
    /// Where its variables are declared.
    pub(super) scope: &'t Scope,
    /// What its free variables are.
    pub(super) environment: Environment,
}

impl Written<'_> {
    /// The free variables, bound as in the binding.
    pub(super) fn bound(&self, binding: &[u32]) -> Vec<Option<u32>> {
        bound(&self.environment, binding)
    }

    /// Puts other places of variables for those that there are; what gets none is no longer known.
    pub(super) fn renumber(&mut self, place: &mut impl FnMut(u32) -> Option<u32>) {
        renumber_environment(&mut self.environment, place);
    }
}

/// Puts other places of variables for those that there are; what gets none is no longer known.
pub(super) fn renumber_environment(environment: &mut Environment, place: &mut impl FnMut(u32) -> Option<u32>) {
    for entry in Rc::make_mut(environment) {
        if let Some(Slot::Variable(variable)) = *entry {
            *entry = place(variable).map(Slot::Variable);
        }
    }
}

/// The variables of an environment, bound as in the binding, which may lack the last ones.
pub(super) fn bound(environment: &[Option<Slot>], binding: &[u32]) -> Vec<Option<u32>> {
    let object = |slot| match slot {
        Slot::Variable(place) => binding.get(place as usize).copied(),
        Slot::Object(object) => Some(object),
    };
    environment.iter().map(|slot| slot.and_then(object)).collect()
}

/// A test that has the same result in all states.
#[derive(Debug, Clone)]
pub(super) enum Filter<'t> {
    /// Two arguments are the same object, or are not.
    Same {
        /// Whether they shall be the same.
        equal: bool,
        /// The arguments.
        sides: [Slot; 2],
    },
    /// The static atom does not hold in the first state.
    Lacks(Pattern),
    /// The static condition is as wanted.
    Static(Written<'t>),
}

/// A conjunction with variables.
#[derive(Debug, Clone, Default)]
pub(super) struct Body<'t> {
    /// What must hold.
    pub(super) atoms: Vec<Pattern>,
    /// What must not hold, of predicates that are not static.
    pub(super) negative: Vec<Pattern>,
    /// What must be true throughout.
    pub(super) filters: Vec<Filter<'t>>,
    /// What is looked at only when the variables are bound.
    pub(super) rest: Vec<Written<'t>>,
}

impl Body<'_> {
    /// Whether nothing is asked.
    pub(super) fn is_empty(&self) -> bool {
        self.atoms.is_empty() && self.negative.is_empty() && self.filters.is_empty() && self.rest.is_empty()
    }

    /// Adds what another one asks.
    pub(super) fn extend(&mut self, other: Self) {
        let Self { atoms, negative, filters, rest } = other;
        self.atoms.extend(atoms);
        self.negative.extend(negative);
        self.filters.extend(filters);
        self.rest.extend(rest);
    }

    /// The same with each atom once, as whoever looks them up does so for all of them at each.
    pub(super) fn once(mut self) -> Self {
        for patterns in [&mut self.atoms, &mut self.negative] {
            let mut known = FxHashSet::default();
            patterns.retain(|pattern| known.insert(pattern.clone()));
        }
        self
    }

    /// Puts other places of variables for those that there are.
    pub(super) fn renumber(&mut self, place: &mut impl FnMut(u32) -> Option<u32>) {
        for slot in self.atoms.iter_mut().chain(&mut self.negative).flat_map(|atom| &mut atom.slots) {
            slot.renumber(place);
        }
        for part in &mut self.rest {
            part.renumber(place);
        }
        for filter in &mut self.filters {
            match filter {
                Filter::Same { sides, .. } => sides.iter_mut().for_each(|slot| slot.renumber(place)),
                Filter::Lacks(atom) => atom.slots.iter_mut().for_each(|slot| slot.renumber(place)),
                Filter::Static(part) => part.renumber(place),
            }
        }
    }
}

impl Body<'_> {
    /// The variables that it reads, each once.
    pub(super) fn variables(&self) -> Vec<u32> {
        let atoms = self.atoms.iter().chain(&self.negative).flat_map(|atom| atom.slots.iter().copied());
        let rest = self.rest.iter().flat_map(Written::slots);
        let mut all = places(atoms.chain(rest));
        all.extend(self.filters.iter().flat_map(Filter::variables));
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// The variables among arguments, each once.
pub(super) fn places(slots: impl Iterator<Item = Slot>) -> Vec<u32> {
    let place = |slot| if let Slot::Variable(place) = slot { Some(place) } else { None };
    let mut places: Vec<u32> = slots.filter_map(place).collect();
    places.sort_unstable();
    places.dedup();
    places
}

impl Filter<'_> {
    /// The variables that it reads, each once.
    pub(super) fn variables(&self) -> Vec<u32> {
        let slots: Vec<Slot> = match self {
            Self::Same { sides, .. } => sides.to_vec(),
            Self::Lacks(atom) => atom.slots.to_vec(),
            Self::Static(part) => part.slots(),
        };
        places(slots.into_iter())
    }
}

impl Written<'_> {
    /// The arguments that its free variables are.
    pub(super) fn slots(&self) -> Vec<Slot> {
        let mut free = Vec::new();
        visit_variables(self.condition, &mut |variable| {
            free.extend(self.environment.get(variable.index()).copied().flatten());
        });
        free
    }
}

/// One way in which a precondition or the body of a rule can hold.
#[derive(Debug, Clone)]
pub(super) struct Branch<'t> {
    /// The domains of its variables: the parameters, and after them variables that some object must be found for.
    pub(super) variables: Vec<u32>,
    /// What must hold.
    pub(super) body: Body<'t>,
}

/// An effect on an atom. Its variables are the parameters, and after them its own.
#[derive(Debug, Clone)]
pub(super) struct LiftedEffect<'t> {
    /// The domains of all its variables.
    pub(super) variables: Vec<u32>,
    /// When it happens.
    pub(super) body: Body<'t>,
    /// Whether it adds.
    pub(super) adds: bool,
    /// The atom.
    pub(super) atom: Pattern,
}

/// An effect on a number.
#[derive(Debug, Clone)]
pub(super) struct LiftedChange<'t> {
    /// The domains of all its variables: the parameters, and after them its own.
    pub(super) variables: Vec<u32>,
    /// When it happens.
    pub(super) conditions: Vec<Written<'t>>,
    /// How.
    pub(super) how: Assignment,
    /// The function.
    pub(super) function: FunctionId,
    /// Its arguments.
    pub(super) slots: Slots,
    /// The value.
    pub(super) value: &'t Expression,
    /// Where its variables are declared.
    pub(super) scope: &'t Scope,
    /// What they are.
    pub(super) environment: Environment,
}

/// What a schema makes.
#[derive(Debug, Clone)]
pub(super) enum Head {
    /// Steps of an action.
    Action(ActionId),
    /// A derived atom of all parameters.
    Derived(PredicateId),
}

/// An action or a rule.
#[derive(Debug, Clone)]
pub(super) struct Schema<'t> {
    /// What it makes.
    pub(super) head: Head,
    /// How many of its branches' variables are parameters.
    pub(super) parameters: usize,
    /// How its condition can hold.
    pub(super) branches: Vec<Branch<'t>>,
    /// What it does to atoms.
    pub(super) effects: Vec<LiftedEffect<'t>>,
    /// What it does to numbers.
    pub(super) changes: Vec<LiftedChange<'t>>,
}

/// The objects that a variable ranges over.
#[derive(Debug)]
pub(super) struct Domain {
    /// The objects, ascending.
    pub(super) objects: Vec<u32>,
    /// The same as a set.
    pub(super) set: FixedBitSet,
}

/// All domains, each once.
#[derive(Debug, Default)]
pub(super) struct Domains {
    places: FxHashMap<Vec<TypeId>, u32>,
    all: Vec<Domain>,
}

impl Domains {
    /// The domain of a variable.
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

    /// The domain at a place.
    pub(super) fn get(&self, place: u32) -> &Domain {
        &self.all[place as usize]
    }

    /// Whether the object is in the domain.
    pub(super) fn contains(&self, place: u32, object: u32) -> bool {
        self.all[place as usize].set.contains(object as usize)
    }
}

/// The arguments that terms are; `None` if one of them is a variable that nothing binds.
pub(super) fn slots(terms: &[Term], environment: &[Option<Slot>]) -> Option<Slots> {
    terms.iter().map(|&term| slot(term, environment)).collect()
}

/// The argument that a term is.
pub(super) fn slot(term: Term, environment: &[Option<Slot>]) -> Option<Slot> {
    match term {
        Term::Variable(variable) => environment.get(variable.index()).copied().flatten(),
        Term::Object(object) => Some(Slot::Object(object.0)),
        Term::Type(_) => None,
    }
}

/// Visits the variables that the condition mentions outside its quantifiers' lists.
fn visit_variables(condition: &Condition, visit: &mut impl FnMut(VarId)) {
    match condition {
        Condition::Constant(_) | Condition::FirstState | Condition::LastState => {}
        Condition::Atom(atom) => visit_terms(&atom.arguments, visit),
        Condition::Compare { sides, .. } => sides.iter().for_each(|side| visit_expression(side, visit)),
        Condition::AllEqual(parts, _) => parts.iter().for_each(|part| visit_expression(part, visit)),
        Condition::Distinct(left, right) => visit_terms(&[*left, *right], visit),
        Condition::InSetup(term, _) => visit_terms(&[*term], visit),
        Condition::Not(body)
        | Condition::Exists(_, body)
        | Condition::Forall(_, body)
        | Condition::Count(_, _, body)
        | Condition::Pairing { body, .. } => visit_variables(body, visit),
        Condition::And(parts) | Condition::Or(parts) => parts.iter().for_each(|part| visit_variables(part, visit)),
        Condition::Imply(parts) => parts.iter().for_each(|part| visit_variables(part, visit)),
    }
}

fn visit_expression(expression: &Expression, visit: &mut impl FnMut(VarId)) {
    let parts: &[Expression] = match expression {
        Expression::Number(_) => &[],
        Expression::Call { arguments, .. } => return visit_terms(arguments, visit),
        Expression::Add(parts) | Expression::Multiply(parts) => parts,
        Expression::Subtract(parts) | Expression::Divide(parts) => &parts[..],
        Expression::Absolute(part) => std::slice::from_ref(part),
    };
    for part in parts {
        visit_expression(part, visit);
    }
}

fn visit_terms(terms: &[Term], visit: &mut impl FnMut(VarId)) {
    for term in terms {
        if let Term::Variable(variable) = term {
            visit(*variable);
        }
    }
}
