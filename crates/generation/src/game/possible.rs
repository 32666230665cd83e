//! The arguments of which the predicates of a world can hold, and the objects that variables can denote.
//!
//! A predicate can be impossible of arguments whose types fit: nobody moves a bed. [`World::can_hold`] tells this of objects; the relations
//! here tell it of the types and names that an argument may have.

use goalspec_core::ids::{ObjectId, PredicateId, TypeId};
use goalspec_core::world::{Argument, World};
use goalspec_game::resolve::is_extensible;
use goalspec_generator::grammar::{Symbol, Tokens};
use rustc_hash::FxHashMap;

use super::vocabulary::Vocabulary;

/// Maximum number of pairs of arguments that are tried for a predicate. Beyond it, a predicate is assumed to be possible.
const MAX_PAIRS: usize = 1 << 18;

/// Maximum number of objects of a world whose variables are counted. In larger ones, variables have enough objects.
const MAX_COUNTED_OBJECTS: usize = 1 << 12;

/// A set of small numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    fn add(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(one, other)| one & other != 0)
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let numbers = |(index, &word): (usize, &u64)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index * 64 + bit)
        };
        self.0.iter().enumerate().flat_map(numbers)
    }
}

/// The arguments of which a predicate can hold.
#[derive(Debug, Clone)]
enum Relation {
    /// The objects of which it can hold.
    Unary(Bits),
    Binary {
        /// The objects with a second argument.
        first: Bits,
        /// For the objects of each name, the second arguments of any of them: objects, then types.
        second: FxHashMap<Symbol, Bits>,
    },
}

/// The possible arguments of predicates over a world.
#[derive(Debug, Clone, Default)]
pub(super) struct PossibleArguments {
    relations: FxHashMap<Symbol, Relation>,
    /// The objects that each type and each name of an object denotes; a name is missing if recordings can introduce further objects.
    objects: FxHashMap<Symbol, Bits>,
    /// The number of each type as a second argument.
    types: FxHashMap<Symbol, usize>,
}

impl PossibleArguments {
    pub(super) fn of(world: &World, vocabulary: &Vocabulary, tokens: &mut Tokens) -> Self {
        let mut all = Self::default();
        let count = world.objects().len();
        if count > MAX_COUNTED_OBJECTS {
            return all;
        }
        for id in (0..world.types().len()).map(TypeId::from) {
            let token = tokens.intern(&world.type_decl(id).name);
            all.types.insert(token, count + id.index());
            if !is_extensible(world, id) {
                let mut objects = Bits::default();
                world.members(id).iter().for_each(|object| objects.insert(object.index()));
                all.objects.insert(token, objects);
            }
        }
        for (name, object) in world.program_names() {
            let mut objects = Bits::default();
            objects.insert(object.index());
            all.objects.insert(tokens.intern(name), objects);
        }
        for (index, signature) in vocabulary.signatures.iter().enumerate().filter(|(_, own)| !own.is_function) {
            let Some(predicate) = world.predicate_named(&signature.name) else { continue };
            if let Some(relation) = relation(world, predicate, signature.parameters.len(), &all.objects) {
                all.relations.insert(Vocabulary::symbol(index), relation);
            }
        }
        all
    }

    /// Returns whether a predicate can hold of some arguments.
    pub(super) fn is_possible(&self, predicate: Symbol) -> bool {
        match self.relations.get(&predicate) {
            Some(Relation::Unary(objects)) => !objects.is_empty(),
            Some(Relation::Binary { first, .. }) => !first.is_empty(),
            None => true,
        }
    }

    /// Returns whether a predicate can hold if the argument at a position is one of some types or objects. `first` are those of the first
    /// argument, where it is given.
    pub(super) fn admits(
        &self,
        predicate: Symbol,
        position: usize,
        names: &[Symbol],
        first: Option<&[Symbol]>,
    ) -> bool {
        let Some(relation) = self.relations.get(&predicate) else { return true };
        match (relation, position, first) {
            (Relation::Unary(objects) | Relation::Binary { first: objects, .. }, 0, _) => {
                self.any(names, |own| own.meets(objects))
            }
            (Relation::Binary { second, .. }, 1, Some(first)) => {
                first.iter().any(|own| second.get(own).is_none_or(|own| self.any(names, |objects| own.meets(objects))))
            }
            _ => true,
        }
    }

    /// Returns whether a predicate can hold if its second argument is a type.
    pub(super) fn admits_type(&self, predicate: Symbol, name: Symbol, first: &[Symbol]) -> bool {
        let (Some(Relation::Binary { second, .. }), Some(&column)) =
            (self.relations.get(&predicate), self.types.get(&name))
        else {
            return true;
        };
        first.iter().any(|own| second.get(own).is_none_or(|own| own.contains(column)))
    }

    /// Returns whether the objects of one of some names have a property, or are unknown.
    fn any(&self, names: &[Symbol], has: impl Fn(&Bits) -> bool) -> bool {
        names.iter().any(|name| self.objects.get(name).is_none_or(&has))
    }

    /// Returns the objects that a variable of some types denotes; `None` if they are unknown.
    pub(super) fn domain(&self, types: &[Symbol]) -> Option<Bits> {
        let mut domain = Bits::default();
        for name in types {
            domain.add(self.objects.get(name)?);
        }
        Some(domain)
    }

    /// Returns the number of objects that a variable of some types denotes; 1 if they are unknown.
    pub(super) fn domain_size(&self, types: &[Symbol]) -> u64 {
        self.domain(types).map_or(1, |domain| domain.len().max(1) as u64)
    }

    /// Returns whether variables with these types can denote different objects.
    pub(super) fn can_differ(&self, variables: &[&[Symbol]]) -> bool {
        let domains: Vec<Bits> = variables.iter().filter_map(|types| self.domain(types)).collect();
        // With more objects than variables, there is always one left.
        if domains.iter().all(|domain| domain.len() >= domains.len()) {
            return true;
        }
        let mut owners: FxHashMap<usize, usize> = FxHashMap::default();
        (0..domains.len()).all(|variable| assign(&domains, variable, &mut owners, &mut Bits::default()))
    }
}

/// Assigns an object to a variable, for which other variables may take other objects (Kuhn's algorithm). The recursion depth is at most the
/// number of variables.
fn assign(domains: &[Bits], variable: usize, owners: &mut FxHashMap<usize, usize>, seen: &mut Bits) -> bool {
    for object in domains[variable].iter() {
        let mut own = Bits::default();
        own.insert(object);
        if seen.meets(&own) {
            continue;
        }
        seen.insert(object);
        let is_free = match owners.get(&object).copied() {
            None => true,
            Some(owner) => assign(domains, owner, owners, seen),
        };
        if is_free {
            owners.insert(object, variable);
            return true;
        }
    }
    false
}

/// Returns the arguments of which a predicate can hold; `None` if it has more than two, or too many. `named` are the objects of each name.
fn relation(world: &World, predicate: PredicateId, arity: usize, named: &FxHashMap<Symbol, Bits>) -> Option<Relation> {
    let objects = || (0..world.objects().len()).map(ObjectId::from);
    match arity {
        1 => {
            let mut all = Bits::default();
            objects()
                .filter(|&object| world.can_hold(predicate, &[Argument::Object(object)]))
                .for_each(|object| all.insert(object.index()));
            Some(Relation::Unary(all))
        }
        2 => {
            let columns: Vec<Argument> = objects()
                .map(Argument::Object)
                .chain((0..world.types().len()).map(|index| Argument::Type(TypeId::from(index))))
                .collect();
            if world.objects().len().saturating_mul(columns.len()) > MAX_PAIRS {
                return None;
            }
            let accepts_type = world.predicate(predicate).parameters.get(1).is_some_and(|own| own.accepts_type);
            let mut first = Bits::default();
            let mut rows = Vec::new();
            for object in objects() {
                let mut row = Bits::default();
                for (column, &argument) in columns.iter().enumerate() {
                    let is_admitted = accepts_type || matches!(argument, Argument::Object(_));
                    if is_admitted && world.can_hold(predicate, &[Argument::Object(object), argument]) {
                        row.insert(column);
                    }
                }
                if !row.is_empty() {
                    first.insert(object.index());
                }
                rows.push(row);
            }
            let any_of = |objects: &Bits| {
                let mut any = Bits::default();
                objects.iter().for_each(|object| any.add(&rows[object]));
                any
            };
            let second = named.iter().map(|(&name, objects)| (name, any_of(objects))).collect();
            Some(Relation::Binary { first, second })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Bits, PossibleArguments};
    use goalspec_generator::grammar::Symbol;

    fn bits(numbers: &[usize]) -> Bits {
        let mut bits = Bits::default();
        for &number in numbers {
            bits.insert(number);
        }
        bits
    }

    #[test]
    fn variables_differ_if_each_can_have_its_own_object() {
        let [a, b, c] = [0, 1, 2].map(Symbol::token);
        let objects = [(a, bits(&[3])), (b, bits(&[3, 70])), (c, bits(&[70]))].into_iter().collect();
        let possible = PossibleArguments { objects, ..PossibleArguments::default() };
        assert!(possible.can_differ(&[&[a], &[b]]));
        assert!(possible.can_differ(&[&[b], &[a]]));
        assert!(possible.can_differ(&[&[b], &[b]]));
        assert!(!possible.can_differ(&[&[a], &[b], &[c]]));
        assert!(!possible.can_differ(&[&[a], &[a]]));
        assert!(possible.can_differ(&[&[a, c], &[a]]));
        // The objects of an unknown name may be many.
        assert!(possible.can_differ(&[&[a], &[b], &[Symbol::token(9)]]));
        assert_eq!(possible.domain_size(&[a, c]), 2);
    }
}
