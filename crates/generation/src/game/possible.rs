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

    #[inline]
    pub(super) fn contains(&self, number: usize) -> bool {
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

impl FromIterator<usize> for Bits {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut bits = Self::default();
        numbers.into_iter().for_each(|number| bits.insert(number));
        bits
    }
}

/// The arguments with which a predicate cannot hold, as sets of the numbers of their tokens. A token that is not in the set may be one about
/// which nothing is known.
#[derive(Debug, Clone)]
struct Relation {
    is_possible: bool,
    /// The first arguments.
    first: Bits,
    /// The second arguments, for each first one that is known: as objects, and as types.
    second: Vec<Option<[Bits; 2]>>,
}

/// The possible arguments of predicates over a world.
#[derive(Debug, Clone, Default)]
pub(super) struct PossibleArguments {
    /// The relations of the predicates, by the numbers of their kinds.
    relations: Vec<Option<Relation>>,
    /// The objects that each type and each name of an object denotes, by the numbers of the tokens; a name is missing if recordings can
    /// introduce further objects.
    objects: Vec<Option<Domain>>,
}

/// The objects that a name denotes.
#[derive(Debug, Clone, Default)]
struct Domain {
    objects: Bits,
    len: u32,
}

impl PossibleArguments {
    pub(super) fn of(world: &World, vocabulary: &Vocabulary, tokens: &mut Tokens) -> Self {
        let mut all = Self::default();
        let count = world.objects().len();
        if count > MAX_COUNTED_OBJECTS {
            return all;
        }
        let mut types = Vec::new();
        for id in (0..world.types().len()).map(TypeId::from) {
            let token = tokens.intern(&world.type_decl(id).name);
            types.push((token, count + id.index()));
            if !is_extensible(world, id) {
                let mut objects = Bits::default();
                world.members(id).iter().for_each(|object| objects.insert(object.index()));
                all.set_objects(token, objects);
            }
        }
        for (name, object) in world.program_names() {
            let mut objects = Bits::default();
            objects.insert(object.index());
            all.set_objects(tokens.intern(name), objects);
        }
        for (index, signature) in vocabulary.signatures.iter().enumerate().filter(|(_, own)| !own.is_function) {
            let Some(predicate) = world.predicate_named(&signature.name) else { continue };
            let kind = Vocabulary::symbol(index).index();
            if let Some(relation) = all.relation(world, predicate, signature.parameters.len(), &types) {
                all.relations.resize(kind, None);
                all.relations.push(Some(relation));
            }
        }
        all
    }

    fn set_objects(&mut self, token: Symbol, objects: Bits) {
        if self.objects.len() <= token.index() {
            self.objects.resize(token.index() + 1, None);
        }
        let len = objects.len() as u32;
        self.objects[token.index()] = Some(Domain { objects, len });
    }

    /// Returns the objects of each name, with the number of its token.
    fn known(&self) -> impl Iterator<Item = (usize, &Bits)> {
        self.objects.iter().enumerate().filter_map(|(token, own)| Some((token, &own.as_ref()?.objects)))
    }

    fn get(&self, predicate: Symbol) -> Option<&Relation> {
        self.relations.get(predicate.index())?.as_ref()
    }

    /// Returns whether a predicate can hold of some arguments.
    pub(super) fn is_possible(&self, predicate: Symbol) -> bool {
        self.get(predicate).is_none_or(|relation| relation.is_possible)
    }

    /// Returns whether a predicate can hold if the argument at a position is one of some types or objects. `first` are those of the first
    /// argument, where it is given.
    #[inline]
    pub(super) fn admits(
        &self,
        predicate: Symbol,
        position: usize,
        names: &[Symbol],
        first: Option<&[Symbol]>,
    ) -> bool {
        let Some(relation) = self.get(predicate) else { return true };
        let admits_any = |denied: &Bits| names.iter().any(|name| !denied.contains(name.index()));
        match (position, first) {
            (0, _) => admits_any(&relation.first),
            (1, Some(first)) => {
                first.iter().any(|&own| relation.second(own).is_none_or(|[denied, _]| admits_any(denied)))
            }
            _ => true,
        }
    }

    /// Returns whether a predicate can hold if its second argument is a type.
    pub(super) fn admits_type(&self, predicate: Symbol, name: Symbol, first: &[Symbol]) -> bool {
        let Some(relation) = self.get(predicate) else { return true };
        first.iter().any(|&own| relation.second(own).is_none_or(|[_, denied]| !denied.contains(name.index())))
    }

    /// Returns the number of objects that a variable of some types denotes; `None` if they are unknown.
    pub(super) fn domain_size(&self, types: &[Symbol]) -> Option<u32> {
        match types {
            [single] => Some(self.objects.get(single.index())?.as_ref()?.len),
            _ => self.domain(types).map(|domain| domain.len() as u32),
        }
    }

    /// Returns the objects that a variable of some types denotes; `None` if they are unknown.
    fn domain(&self, types: &[Symbol]) -> Option<Bits> {
        let mut domain = Bits::default();
        for name in types {
            domain.add(&self.objects.get(name.index())?.as_ref()?.objects);
        }
        Some(domain)
    }

    /// Returns whether variables with these types can denote different objects.
    pub(super) fn can_differ<'a>(&self, variables: impl Iterator<Item = &'a [Symbol]>) -> bool {
        let domains: Vec<Bits> = variables.filter_map(|types| self.domain(types)).collect();
        let mut owners: FxHashMap<usize, usize> = FxHashMap::default();
        (0..domains.len()).all(|variable| assign(&domains, variable, &mut owners, &mut Bits::default()))
    }

    /// Returns the arguments with which a predicate cannot hold; `None` if it has none or more than two, or too many. `types` are the tokens
    /// of the types with the numbers that they have after those of the objects.
    fn relation(
        &self,
        world: &World,
        predicate: PredicateId,
        arity: usize,
        types: &[(Symbol, usize)],
    ) -> Option<Relation> {
        let objects = || (0..world.objects().len()).map(ObjectId::from);
        let mut first = Bits::default();
        let mut second = Vec::new();
        match arity {
            1 => objects()
                .filter(|&object| world.can_hold(predicate, &[Argument::Object(object)]))
                .for_each(|object| first.insert(object.index())),
            2 => {
                let rows = rows(world, predicate)?;
                let has_row = |object: &ObjectId| !rows[object.index()].is_empty();
                objects().filter(has_row).for_each(|object| first.insert(object.index()));
                for (token, objects) in self.known() {
                    let mut row = Bits::default();
                    objects.iter().for_each(|object| row.add(&rows[object]));
                    let is_denied = |column: &(Symbol, usize)| !row.contains(column.1);
                    let denied_types = types.iter().filter(|column| is_denied(column)).map(|(name, _)| name.index());
                    second.resize(token, None);
                    second.push(Some([self.denied(&row), denied_types.collect()]));
                }
            }
            _ => return None,
        }
        Some(Relation { is_possible: !first.is_empty(), first: self.denied(&first), second })
    }

    /// Returns the tokens of the names none of whose objects is in a set.
    fn denied(&self, admitted: &Bits) -> Bits {
        self.known().filter(|(_, objects)| !objects.meets(admitted)).map(|(token, _)| token).collect()
    }
}

impl Relation {
    /// Returns the second arguments with which the predicate cannot hold if the first argument has a name; `None` if they are unknown.
    #[inline]
    fn second(&self, first: Symbol) -> Option<&[Bits; 2]> {
        self.second.get(first.index())?.as_ref()
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

/// Returns for each object the second arguments with which a predicate can hold: objects, then types. `None` if there are too many.
fn rows(world: &World, predicate: PredicateId) -> Option<Vec<Bits>> {
    let objects = || (0..world.objects().len()).map(ObjectId::from);
    let types = (0..world.types().len()).map(|index| Argument::Type(TypeId::from(index)));
    let columns: Vec<Argument> = objects().map(Argument::Object).chain(types).collect();
    if world.objects().len().saturating_mul(columns.len()) > MAX_PAIRS {
        return None;
    }
    let accepts_type = world.predicate(predicate).parameters.get(1).is_some_and(|own| own.accepts_type);
    let row = |object: ObjectId| {
        let is_admitted = |argument: &Argument| accepts_type || matches!(argument, Argument::Object(_));
        let can_hold = |argument: Argument| world.can_hold(predicate, &[Argument::Object(object), argument]);
        let admitted = columns.iter().enumerate().filter(|(_, argument)| is_admitted(argument));
        admitted.filter(|&(_, &argument)| can_hold(argument)).map(|(column, _)| column).collect()
    };
    Some(objects().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::PossibleArguments;
    use goalspec_generator::grammar::Symbol;

    #[test]
    fn variables_differ_if_each_can_have_its_own_object() {
        let [a, b, c] = [0, 1, 2].map(Symbol::token);
        let mut possible = PossibleArguments::default();
        for (name, objects) in [(a, &[3][..]), (b, &[3, 70]), (c, &[70])] {
            possible.set_objects(name, objects.iter().copied().collect());
        }
        let can_differ = |variables: &[&[Symbol]]| possible.can_differ(variables.iter().copied());
        assert!(can_differ(&[&[a], &[b]]));
        assert!(can_differ(&[&[b], &[a]]));
        assert!(can_differ(&[&[b], &[b]]));
        assert!(!can_differ(&[&[a], &[b], &[c]]));
        assert!(!can_differ(&[&[a], &[a]]));
        assert!(can_differ(&[&[a, c], &[a]]));
        // The objects of an unknown name may be many.
        assert!(can_differ(&[&[a], &[b], &[Symbol::token(9)]]));
        assert_eq!(possible.domain_size(&[a, c]), Some(2));
        assert_eq!(possible.domain_size(&[b]), Some(2));
        assert_eq!(possible.domain_size(&[a, Symbol::token(9)]), None);
    }
}
