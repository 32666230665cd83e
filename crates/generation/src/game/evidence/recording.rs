//! Evidence from the states of a play: the predicates that hold, with the types of the objects of which they do.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use goalspec_core::evaluate::Context;
use goalspec_core::ids::{AttributeMask, ObjectId, PredicateId};
use goalspec_core::monitor::StateUpdate;
use goalspec_core::state::ChangeSet;
use goalspec_core::world::operation::PredicateDefinition;
use goalspec_core::world::vocabulary::Dependencies;
use goalspec_core::world::{Argument, World};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::PlayEvidence;

/// Maximum number of arguments that are looked up for the evidence of one play, about a minute. What holds later is not found.
pub const MAX_LOOKUPS: u64 = 1 << 30;

/// The predicates of a world that are looked up in one play.
#[derive(Debug)]
pub struct EvidenceRecorder {
    world: Arc<World>,
    names: ObjectNames,
    predicates: Vec<WatchedPredicate>,
    changed: ChangedObjects,
    states: u64,
    lookups: u64,
    no_setup: FixedBitSet,
}

/// The name by which each object is recorded: its own in programs, or else that of its type.
#[derive(Debug, Default)]
struct ObjectNames {
    /// The numbers of the names, by object.
    numbers: Vec<u32>,
    texts: Vec<Arc<str>>,
}

/// The objects that changed in a state.
#[derive(Debug)]
struct ChangedObjects {
    masks: Vec<AttributeMask>,
    /// Whether each object appeared or disappeared.
    presence: FixedBitSet,
}

/// A predicate with the names of the objects of which it has held.
#[derive(Debug)]
struct WatchedPredicate {
    id: PredicateId,
    dependencies: Dependencies,
    /// The objects that each argument admits.
    domains: SmallVec<[Vec<ObjectId>; 2]>,
    /// The names of the objects of which it has held, 0 for a missing argument.
    shown: FxHashSet<[u32; 2]>,
    /// Whether the play had the values that it reads, at least once.
    has_value: bool,
}

impl ObjectNames {
    fn of(world: &World) -> Self {
        let mut own: Vec<Option<Arc<str>>> = vec![None; world.objects().len()];
        for (name, object) in world.program_names() {
            own[object.index()].get_or_insert_with(|| name.into());
        }
        let mut names = Self::default();
        let mut known: FxHashMap<Arc<str>, u32> = FxHashMap::default();
        for (object, own) in own.into_iter().enumerate() {
            let types = &world.object_decl(ObjectId::from(object)).types;
            let of_type = || types.first().map_or_else(Arc::default, |&id| world.type_decl(id).name.clone());
            let text = own.unwrap_or_else(of_type);
            let number = *known.entry(text).or_insert_with_key(|text| {
                names.texts.push(text.clone());
                names.texts.len() as u32 - 1
            });
            names.numbers.push(number);
        }
        names
    }
}

impl ChangedObjects {
    fn set(&mut self, changes: &ChangeSet) {
        changes.objects.iter().for_each(|&(object, mask)| self.masks[object.index()] |= mask);
        changes.presence.iter().for_each(|object| self.presence.insert(object.index()));
    }

    fn clear(&mut self, changes: &ChangeSet) {
        changes.objects.iter().for_each(|&(object, _)| self.masks[object.index()] = AttributeMask::NONE);
        changes.presence.iter().for_each(|object| self.presence.remove(object.index()));
    }

    /// Whether an object has changed in what a predicate reads of an argument.
    fn is_read(&self, dependencies: &Dependencies, position: usize, object: ObjectId) -> bool {
        let mask = dependencies.arguments.get(position).copied().unwrap_or(AttributeMask::NONE);
        self.presence.contains(object.index()) || self.masks[object.index()].intersects(mask)
    }

    /// Whether something has changed that a predicate reads whatever its arguments are.
    fn is_stale(&self, dependencies: &Dependencies, changes: &ChangeSet) -> bool {
        changes.all
            || dependencies.run
            || (dependencies.presence && !changes.presence.is_empty())
            || changes.facts.iter().any(|(predicate, _)| dependencies.facts.contains(predicate))
            || changes.fluents.iter().any(|(function, _)| dependencies.fluents.contains(function))
            || changes.objects.iter().any(|&(_, mask)| mask.intersects(dependencies.any_object))
            || dependencies.fixed_objects.iter().any(|&(object, mask)| self.masks[object.index()].intersects(mask))
    }
}

impl EvidenceRecorder {
    /// Creates a recorder of the predicates of a world with at most two arguments, all of them objects.
    pub fn new(world: &Arc<World>) -> Self {
        let mut predicates = Vec::new();
        for (index, decl) in world.predicates().iter().enumerate() {
            // The objects of a setup are not those of a play.
            let is_of_play = decl.parameters.is_empty() || !decl.dependencies.run;
            let is_of_objects = is_of_play
                && decl.parameters.len() <= 2
                && decl.parameters.iter().all(|parameter| !parameter.accepts_type && !parameter.optional);
            if is_of_objects && !matches!(decl.definition, PredicateDefinition::Unavailable(_)) {
                predicates.push(WatchedPredicate {
                    id: PredicateId::from(index),
                    dependencies: decl.dependencies.clone(),
                    domains: decl.parameters.iter().map(|parameter| world.domain(&parameter.types)).collect(),
                    shown: FxHashSet::default(),
                    has_value: false,
                });
            }
        }
        let count = world.objects().len();
        let changed =
            ChangedObjects { masks: vec![AttributeMask::NONE; count], presence: FixedBitSet::with_capacity(count) };
        let (names, no_setup) = (ObjectNames::of(world), FixedBitSet::new());
        Self { world: Arc::clone(world), names, predicates, changed, states: 0, lookups: 0, no_setup }
    }

    /// Looks up the next state of the play.
    pub fn observe(&mut self, update: &StateUpdate<'_>) {
        let context = Context {
            world: &self.world,
            state: update.state,
            first: self.states == 0,
            last: update.last,
            setup_objects: &self.no_setup,
            work: None,
        };
        self.states += 1;
        self.changed.set(update.changes);
        for predicate in &mut self.predicates {
            let changes = (update.changes, &self.changed);
            predicate.observe(&context, changes, &self.names.numbers, &mut self.lookups);
        }
        self.changed.clear(update.changes);
    }

    /// Whether the play had more to look up than [`MAX_LOOKUPS`] allows.
    pub fn is_exhausted(&self) -> bool {
        self.lookups >= MAX_LOOKUPS
    }

    /// Returns the evidence of the play.
    pub fn finish(self) -> PlayEvidence {
        let mut evidence = PlayEvidence::default();
        for predicate in &self.predicates {
            let name = || Box::from(&*self.world.predicate(predicate.id).name);
            // Of a predicate that was not looked up to the end, the table has only what it held of.
            if predicate.has_value && !self.is_exhausted() {
                evidence.examined.insert(name());
            }
            let text = |number: u32| Some(Box::from(&*self.names.texts[number as usize]));
            for &[first, second] in &predicate.shown {
                let types = match predicate.domains.len() {
                    0 => [None, None],
                    1 => [text(first), None],
                    _ => [text(first), text(second)],
                };
                evidence.rows.insert((name(), types));
            }
        }
        evidence
    }
}

impl WatchedPredicate {
    /// Looks up a state, and counts the lookups up to the limit.
    fn observe(
        &mut self,
        context: &Context<'_>,
        (changes, objects): (&ChangeSet, &ChangedObjects),
        names: &[u32],
        lookups: &mut u64,
    ) {
        let Self { id, dependencies, domains, shown, has_value } = self;
        let mut lookup = |arguments: &[ObjectId]| {
            if *lookups >= MAX_LOOKUPS {
                return;
            }
            *lookups += 1;
            let name = |place: usize| arguments.get(place).map_or(0, |object| names[object.index()]);
            let pair = [name(0), name(1)];
            let is_repeated = arguments.len() > 1 && arguments[0] == arguments[1];
            let is_present = |&object: &ObjectId| context.state.is_present(object);
            if is_repeated || shown.contains(&pair) || !arguments.iter().all(is_present) {
                return;
            }
            let arguments: SmallVec<[Argument; 2]> = arguments.iter().map(|&object| Argument::Object(object)).collect();
            let holds = context.holds(*id, &arguments);
            *has_value |= holds.is_some();
            if holds == Some(true) {
                shown.insert(pair);
            }
        };
        let is_stale = objects.is_stale(dependencies, changes);
        let is_read = |position: usize, object: ObjectId| objects.is_read(dependencies, position, object);
        match &domains[..] {
            [] if is_stale => lookup(&[]),
            [] => {}
            [domain] => {
                domain.iter().filter(|&&object| is_stale || is_read(0, object)).for_each(|&object| lookup(&[object]));
            }
            [first, second, ..] => {
                for &one in first.iter().filter(|&&one| is_stale || is_read(0, one)) {
                    for &other in second {
                        lookup(&[one, other]);
                    }
                }
                for &other in second.iter().filter(|&&other| !is_stale && is_read(1, other)) {
                    for &one in first {
                        lookup(&[one, other]);
                    }
                }
            }
        }
        // To see which objects have changed takes work, too.
        *lookups += domains.iter().map(Vec::len).sum::<usize>() as u64 / 16;
    }
}
