//! Groups of objects that the agent puts together, such as buildings of blocks.

use fixedbitset::FixedBitSet;
use glam::DVec3;
use smallvec::SmallVec;

use super::write;
use crate::ids::{AttributeId, AttributeMask, ObjectId, TypeId};
use crate::state::{AttributeChange, ChangeSet, State};
use crate::value::{Value, ValueKind};
use crate::world::World;
use crate::world::geometry::Aabb;
use crate::world::operation::{OperationDoc, Settings};

/// A tracker that derives which of the objects that the agent has ever held stand together.
///
/// An object that the agent has held joins a group once it has come to rest: the group of the objects that it touches, or else a new group.
/// Groups that come to touch each other are merged into the one whose id is first in text order. An object that the agent picks up leaves
/// its group. Only objects that the recording lists in a state are updated.
///
/// The rules are those by which recorded plays of the game language have been scored, including one oddity: an object that is moved away
/// from its group without being picked up, and comes to rest alone, joins a new group but also remains a member of the former one, with its
/// box from when it joined.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupTracker {
    of: TypeId,
    agent: ObjectId,
    held: AttributeId,
    motion: Vec<AttributeId>,
    threshold: f64,
    touching: AttributeId,
    members: AttributeId,
    center: AttributeId,
    extents: AttributeId,
}

impl GroupTracker {
    pub(super) const DOC: OperationDoc = OperationDoc {
        name: "groups",
        arguments: &[],
        optional: 0,
        summary: "Groups of objects that the agent has put together, such as the blocks of a building. A group without members \
                  has the default of `members`; without a default, and if `members` is required, it is absent.",
        settings: &[
            ("groups", "type: its objects are the groups, used in order"),
            ("agent", "object: the agent that moves the objects"),
            ("held", "object attribute: the object that the agent holds; default `held`"),
            ("motion", "vec3 attributes: velocities; default `velocity`, `angular_velocity`, as far as they exist"),
            ("threshold", "number: maximum speed of an object at rest; default 0.1"),
            ("touching", "set attribute: the objects that an object touches; default `touching`"),
            ("members", "set attribute: the members of a group; default `members`"),
            ("center", "vec3 attribute: centre of the bounding box of objects and groups; default `center`"),
            (
                "extents",
                "vec3 attribute: half the extents of the bounding box of objects and groups; default `extents`",
            ),
        ],
    };

    pub(super) fn resolve(settings: &mut Settings<'_>) -> Self {
        let groups = settings.types("groups");
        let &[groups] = groups.as_slice() else {
            settings.problem("groups", "`groups` must name one type".to_owned(), None);
            return Self::resolve_rest(settings, TypeId(0));
        };
        Self::resolve_rest(settings, groups)
    }

    fn resolve_rest(settings: &mut Settings<'_>, groups: TypeId) -> Self {
        Self {
            of: groups,
            agent: settings.required_object("agent"),
            held: settings.attribute("held", "held", &[ValueKind::Object]),
            motion: settings.attributes("motion", &["velocity", "angular_velocity"], &[ValueKind::Vec3]),
            threshold: settings.number("threshold", 0.1),
            touching: settings.attribute("touching", "touching", &[ValueKind::Set]),
            members: settings.attribute("members", "members", &[ValueKind::Set]),
            center: settings.attribute("center", "center", &[ValueKind::Vec3]),
            extents: settings.attribute("extents", "extents", &[ValueKind::Vec3]),
        }
    }

    fn in_motion(&self, state: &State, object: ObjectId) -> bool {
        let limit = DVec3::splat(self.threshold);
        let fast = |velocity: DVec3| velocity.abs().cmpgt(limit).any();
        self.motion.iter().any(|&attribute| state.vec3(attribute, object).is_some_and(fast))
    }

    fn bounds(&self, state: &State, object: ObjectId) -> Option<Aabb> {
        Some(Aabb::new(state.vec3(self.center, object)?, state.vec3(self.extents, object)?))
    }
}

/// The index of a group.
type GroupIndex = usize;

/// A member of a group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Member {
    /// The object.
    pub object: ObjectId,
    /// Its bounding box when it joined.
    pub bounds: Option<Aabb>,
}

/// The current groups.
#[derive(Debug, Clone)]
pub struct GroupTrackerState {
    objects: Vec<ObjectId>,
    members: Vec<Vec<Member>>,
    /// For each object, the group that it joined last and has not left.
    group_of: Vec<Option<GroupIndex>>,
    /// The objects that the agent has ever held.
    candidates: FixedBitSet,
    /// The candidates that have been held or in motion since they last came to rest.
    moved: FixedBitSet,
    changed: Vec<GroupIndex>,
    joined: Vec<ObjectId>,
    /// The number of times that an object came to rest when all groups were in use, and the first such object.
    ungrouped: Option<(u64, String)>,
}

impl GroupTrackerState {
    /// Creates the memory before the first state, without members.
    pub fn new(world: &World, groups: &GroupTracker) -> Self {
        let objects = world.members(groups.of).to_vec();
        let count = world.objects().len();
        Self {
            members: vec![Vec::new(); objects.len()],
            objects,
            group_of: vec![None; count],
            candidates: FixedBitSet::with_capacity(count),
            moved: FixedBitSet::with_capacity(count),
            changed: Vec::new(),
            joined: Vec::new(),
            ungrouped: None,
        }
    }

    /// Returns the groups that have members, each with its members in the order in which they joined.
    pub fn groups(&self) -> impl Iterator<Item = (ObjectId, &[Member])> {
        let all = self.objects.iter().copied().zip(self.members.iter().map(Vec::as_slice));
        all.filter(|(_, members)| !members.is_empty())
    }

    /// Returns the group that the object joined last, unless it has left it since.
    pub fn group_of(&self, object: ObjectId) -> Option<ObjectId> {
        self.group_of[object.index()].map(|place| self.objects[place])
    }

    /// Returns the objects that joined a group in the last step. Merging groups does not count as joining.
    pub fn joined(&self) -> &[ObjectId] {
        &self.joined
    }

    /// Returns a message if objects could not be grouped because all groups were in use.
    pub fn remark(&self) -> Option<String> {
        let (times, first) = self.ungrouped.as_ref()?;
        let count = self.objects.len();
        Some(format!("ungrouped objects at rest: {times} (all {count} groups are in use), first `{first}`"))
    }

    /// Processes a state in which the recording lists the objects `listed` and removes the objects `removed`.
    pub fn advance(
        &mut self,
        groups: &GroupTracker,
        world: &World,
        state: &State,
        listed: &[ObjectId],
        removed: &[ObjectId],
    ) {
        self.changed.clear();
        self.joined.clear();
        let held = state.object(groups.held, groups.agent).flatten();
        if let Some(held) = held {
            self.candidates.insert(held.index());
        }
        for &object in removed {
            self.forget(object);
        }
        let mut updated: SmallVec<[ObjectId; 8]> =
            listed.iter().copied().filter(|object| self.candidates.contains(object.index())).collect();
        updated.sort_unstable_by_key(|&object| &world.object_decl(object).id);
        updated.dedup();
        for object in updated {
            if held == Some(object) {
                self.moved.insert(object.index());
                self.leave(object);
            } else if groups.in_motion(state, object) {
                self.moved.insert(object.index());
            } else {
                self.process_resting(groups, world, state, object);
            }
        }
    }

    /// Processes a candidate that is at rest.
    fn process_resting(&mut self, groups: &GroupTracker, world: &World, state: &State, object: ObjectId) {
        let touched = state.object_set(groups.touching, object).into_iter().flatten();
        let mut near: SmallVec<[GroupIndex; 4]> = touched.filter_map(|other| self.group_of[other.index()]).collect();
        near.sort_unstable();
        near.dedup();
        let own = self.group_of[object.index()];
        if self.moved.put(object.index()) {
            self.moved.set(object.index(), false);
            let near = self.first_in_text(world, &near);
            let alone = own.is_some_and(|own| self.members[own].len() == 1);
            let free = || self.members.iter().position(Vec::is_empty);
            let member = Member { object, bounds: groups.bounds(state, object) };
            match near.or_else(free) {
                _ if near.is_none() && alone => {}
                Some(target) if own == Some(target) => {}
                Some(target) => {
                    if near.is_some() {
                        self.leave(object);
                    }
                    self.join(target, member);
                }
                None => {
                    let first = || (0, world.object_decl(object).id.to_string());
                    self.ungrouped.get_or_insert_with(first).0 += 1;
                }
            }
        } else if let Some(own) = own {
            near.push(own);
        }
        if let Some(target) = self.first_in_text(world, &near) {
            near.into_iter().filter(|&place| place != target).for_each(|place| self.merge(place, target));
        }
    }

    /// Returns the group whose id is first in text order, in which `building_10` precedes `building_2`.
    fn first_in_text(&self, world: &World, places: &[GroupIndex]) -> Option<GroupIndex> {
        places.iter().copied().min_by_key(|&place| &world.object_decl(self.objects[place]).id)
    }

    fn join(&mut self, place: GroupIndex, member: Member) {
        self.group_of[member.object.index()] = Some(place);
        self.list(place, member);
        self.joined.push(member.object);
    }

    /// Adds a member, or replaces its entry if it is already listed.
    fn list(&mut self, place: GroupIndex, member: Member) {
        match self.members[place].iter_mut().find(|other| other.object == member.object) {
            Some(known) => *known = member,
            None => self.members[place].push(member),
        }
        self.changed.push(place);
    }

    /// Removes the object from the group that it joined last.
    fn leave(&mut self, object: ObjectId) {
        if let Some(place) = self.group_of[object.index()].take() {
            self.unlist(place, object);
        }
    }

    fn unlist(&mut self, place: GroupIndex, object: ObjectId) {
        let before = self.members[place].len();
        self.members[place].retain(|member| member.object != object);
        if self.members[place].len() < before {
            self.changed.push(place);
        }
    }

    /// Removes an object that has disappeared from all groups.
    fn forget(&mut self, object: ObjectId) {
        self.group_of[object.index()] = None;
        self.moved.set(object.index(), false);
        if self.candidates.contains(object.index()) {
            (0..self.members.len()).for_each(|place| self.unlist(place, object));
        }
    }

    fn merge(&mut self, from: GroupIndex, into: GroupIndex) {
        for member in std::mem::take(&mut self.members[from]) {
            self.group_of[member.object.index()] = Some(into);
            self.list(into, member);
        }
        self.changed.push(from);
    }

    /// Updates the attributes of the groups, and adds their changes and those of their members to `changes`.
    pub(super) fn write(&mut self, groups: &GroupTracker, world: &World, state: &mut State, changes: &mut ChangeSet) {
        let mut masks: SmallVec<[(GroupIndex, AttributeMask); 4]> = SmallVec::new();
        for &(object, mask) in &changes.objects {
            if !self.candidates.contains(object.index()) {
                continue;
            }
            let listed = |members: &Vec<Member>| members.iter().any(|member| member.object == object);
            for place in (0..self.members.len()).filter(|&place| listed(&self.members[place])) {
                match masks.iter_mut().find(|(other, _)| *other == place) {
                    Some((_, known)) => *known |= mask,
                    None => masks.push((place, mask)),
                }
            }
        }
        for (place, mask) in masks {
            changes.add_attributes(self.objects[place], mask);
        }
        self.changed.sort_unstable();
        self.changed.dedup();
        for &place in &self.changed {
            self.write_group(place, groups, world, state, changes);
        }
    }

    fn write_group(
        &self,
        place: GroupIndex,
        groups: &GroupTracker,
        world: &World,
        state: &mut State,
        changes: &mut ChangeSet,
    ) {
        let (object, members) = (self.objects[place], &self.members[place]);
        let bounds = members.iter().filter_map(|member| member.bounds).reduce(|all, one| all.union(&one));
        let mut set: crate::value::ObjectSet = members.iter().map(|member| member.object).collect();
        set.sort_unstable();
        let empty = || world.attributes()[groups.members.index()].default.clone();
        let values = [
            (groups.members, if set.is_empty() { empty() } else { Some(Value::Set(set)) }),
            (groups.center, bounds.map(|bounds| Value::Vec3(bounds.center))),
            (groups.extents, bounds.map(|bounds| Value::Vec3(bounds.half))),
        ];
        for (attribute, value) in values {
            match value {
                Some(value) => write(world, state, &AttributeChange { object, attribute, value }, changes),
                None => state.unset(world, object, attribute, changes),
            }
        }
    }
}
