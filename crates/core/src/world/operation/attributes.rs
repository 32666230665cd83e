//! Settings and look-ups that several operations share: positions, boxes, members of groups, sides.

use glam::{DVec2, DVec3};

use super::Settings;
use super::settings::ObjectSelection;
use crate::ids::{AttributeId, AttributeMask, ObjectId};
use crate::state::State;
use crate::value::{ObjectSet, ValueKind};
use crate::world::World;
use crate::world::geometry::{Aabb, Axis, OrientedBox, Side, facing};
use crate::world::vocabulary::{Argument, Dependencies};

/// Returns the argument at an index, if it is an object.
pub(super) fn object(arguments: &[Argument], place: usize) -> Option<ObjectId> {
    match arguments.get(place) {
        Some(&Argument::Object(object)) => Some(object),
        _ => None,
    }
}

/// Returns the first two arguments, if they are objects.
pub(super) fn pair(arguments: &[Argument]) -> Option<[ObjectId; 2]> {
    Some([object(arguments, 0)?, object(arguments, 1)?])
}

/// Disjunction of values that may be undefined: true if any value is, undefined if all values of a non-empty sequence are.
pub(super) fn any(values: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let (mut found, mut known) = (false, false);
    for value in values {
        found = true;
        match value {
            Some(true) => return value,
            Some(false) => known = true,
            None => {}
        }
    }
    (known || !found).then_some(false)
}

/// Creates the inputs of an operation that reads these attributes of each of `count` arguments.
pub(super) fn reads_of(count: usize, mask: AttributeMask) -> Dependencies {
    Dependencies { arguments: std::iter::repeat_n(mask, count).collect(), ..Dependencies::default() }
}

fn mask_of(attributes: impl IntoIterator<Item = Option<AttributeId>>) -> AttributeMask {
    attributes.into_iter().flatten().fold(AttributeMask::NONE, |mask, attribute| mask | AttributeMask::one(attribute))
}

/// The location of objects: the centre of the bounding box if it is known, else the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LocationAttributes {
    pub(super) position: Option<AttributeId>,
    pub(super) center: Option<AttributeId>,
}

impl LocationAttributes {
    pub(super) fn resolve(settings: &mut Settings<'_>) -> Self {
        let position = settings.attribute_if_any("position", "position", &[ValueKind::Vec3]);
        let center = settings.attribute_if_any("center", "center", &[ValueKind::Vec3]);
        if position.is_none() && center.is_none() {
            settings.problem(
                "position",
                "the world has neither an attribute `position` nor an attribute `center`".to_owned(),
                None,
            );
        }
        Self { position, center }
    }

    pub(super) fn position(&self, state: &State, object: ObjectId) -> Option<DVec3> {
        state.vec3(self.position?, object)
    }

    pub(super) fn center(&self, state: &State, object: ObjectId) -> Option<DVec3> {
        state.vec3(self.center?, object)
    }

    pub(super) fn location(&self, state: &State, object: ObjectId) -> Option<DVec3> {
        self.center(state, object).or_else(|| self.position(state, object))
    }

    pub(super) fn mask(&self) -> AttributeMask {
        mask_of([self.position, self.center])
    }
}

/// The bounding boxes of objects. If the centre of a box is unknown, as for an agent of which only the position is recorded, the box is
/// centred on the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BoxAttributes {
    place: LocationAttributes,
    extents: AttributeId,
}

impl BoxAttributes {
    pub(super) fn resolve(settings: &mut Settings<'_>) -> Self {
        Self {
            place: LocationAttributes::resolve(settings),
            extents: settings.attribute("extents", "extents", &[ValueKind::Vec3]),
        }
    }

    pub(super) fn get(&self, state: &State, object: ObjectId) -> Option<Aabb> {
        Some(Aabb::new(self.place.location(state, object)?, state.vec3(self.extents, object)?))
    }

    pub(super) fn mask(&self) -> AttributeMask {
        self.place.mask() | mask_of([Some(self.extents)])
    }
}

/// Groups of objects, such as buildings, and their members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GroupAttributes {
    objects: ObjectSelection,
    members: Option<AttributeId>,
}

impl GroupAttributes {
    pub(super) fn resolve(settings: &mut Settings<'_>) -> Self {
        let objects = settings.objects("groups");
        let members = settings.attribute_if_any("members", "members", &[ValueKind::Set]);
        if !objects.is_empty() && members.is_none() {
            let message = "`members` must name the set attribute with the members of `groups`".to_owned();
            settings.problem("members", message, None);
        }
        Self { objects, members }
    }

    pub(super) fn contains(&self, world: &World, object: ObjectId) -> bool {
        self.objects.contains(world, object)
    }

    pub(super) fn members<'s>(&self, state: &'s State, group: ObjectId) -> Option<&'s ObjectSet> {
        state.object_set(self.members?, group)
    }

    pub(super) fn mask(&self) -> AttributeMask {
        if self.objects.is_empty() { AttributeMask::NONE } else { mask_of([self.members]) }
    }
}

/// Flat objects, such as walls, to which distances are measured along one axis only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FlatObjects {
    on: [(Axis, ObjectSelection); 3],
}

impl FlatObjects {
    pub(super) fn resolve(settings: &mut Settings<'_>) -> Self {
        Self {
            on: [
                (Axis::X, settings.objects("measured_on_x")),
                (Axis::Y, settings.objects("measured_on_y")),
                (Axis::Z, settings.objects("measured_on_z")),
            ],
        }
    }

    /// Returns the axis along which the distance of two objects is measured: that of the flat one, if exactly one is flat.
    pub(super) fn axis(&self, world: &World, a: ObjectId, b: ObjectId) -> Option<Axis> {
        let axis_of =
            |object| self.on.iter().find(|(_, objects)| objects.contains(world, object)).map(|&(axis, _)| axis);
        match (axis_of(a), axis_of(b)) {
            (Some(axis), None) | (None, Some(axis)) => Some(axis),
            _ => None,
        }
    }
}

/// The sides of objects, denoted by symbols and determined by the rotation of the objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SideAttributes {
    symbols: [(ObjectId, Side); 4],
    boxes: BoxAttributes,
    rotation: AttributeId,
}

impl SideAttributes {
    pub(super) fn resolve(settings: &mut Settings<'_>) -> Self {
        Self {
            symbols: [
                (settings.object_or_default("front", "front"), Side::Front),
                (settings.object_or_default("back", "back"), Side::Back),
                (settings.object_or_default("left", "left"), Side::Left),
                (settings.object_or_default("right", "right"), Side::Right),
            ],
            boxes: BoxAttributes::resolve(settings),
            rotation: settings.attribute("rotation", "rotation", &[ValueKind::Orientation, ValueKind::Vec3]),
        }
    }

    /// Returns the side that a symbol denotes.
    pub(super) fn side(&self, symbol: ObjectId) -> Option<Side> {
        self.symbols.iter().find(|(object, _)| *object == symbol).map(|&(_, side)| side)
    }

    pub(super) fn hull(&self, state: &State, object: ObjectId) -> Option<Aabb> {
        self.boxes.get(state, object)
    }

    /// Returns the object's box, turned with the object; `None` if its horizontal direction is unknown or undefined.
    pub(super) fn turned(&self, state: &State, object: ObjectId) -> Option<OrientedBox> {
        Some(OrientedBox::from_hull(&self.hull(state, object)?, facing(state.vec3(self.rotation, object)?)?))
    }

    /// Returns the object's box, turned with the object, or unturned if its horizontal direction is unknown or undefined.
    pub(super) fn turned_if_known(&self, state: &State, object: ObjectId) -> Option<OrientedBox> {
        self.turned(state, object).or_else(|| Some(OrientedBox::from_hull(&self.hull(state, object)?, DVec2::Y)))
    }

    pub(super) fn mask(&self) -> AttributeMask {
        self.boxes.mask() | AttributeMask::one(self.rotation)
    }
}
