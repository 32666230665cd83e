//! Computed functions: distances, coordinates, sizes.

use super::attributes::{FlatObjects, LocationAttributes, SideAttributes, object, pair, reads_of};
use super::{Measurement, OperationDoc, Settings};
use crate::evaluate::Context;
use crate::ids::{AttributeId, AttributeMask};
use crate::value::ValueKind;
use crate::world::World;
use crate::world::geometry::{self, Axis};
use crate::world::vocabulary::{Argument, Dependencies};

/// Measurement `distance`: the distance between the locations of two objects. See [`DOC`](Measurement::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct Distance {
    place: LocationAttributes,
    flat: FlatObjects,
}

impl Measurement for Distance {
    const DOC: OperationDoc = OperationDoc {
        name: "distance",
        arguments: &["a", "b"],
        optional: 0,
        summary: "The distance between the centres of two objects. The distance to a flat object, such as a wall, can be \
                  measured on one axis; the distance of two flat objects cannot.",
        settings: &[
            ("position", "attribute: position, used if the bounding box is unknown; default `position`"),
            ("center", "attribute: centre of the bounding box; default `center`"),
            ("measured_on_x", "types or objects: flat objects that are measured along x; default none"),
            ("measured_on_y", "types or objects: flat objects that are measured along y; default none"),
            ("measured_on_z", "types or objects: flat objects that are measured along z; default none"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self { place: LocationAttributes::resolve(settings), flat: FlatObjects::resolve(settings) }
    }

    fn value(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<f64> {
        let [a, b] = pair(arguments)?;
        let (from, to) = (self.place.location(ctx.state, a)?, self.place.location(ctx.state, b)?);
        Some(geometry::distance(from, to, self.flat.axis(ctx.world, a, b)))
    }

    fn reads(&self, _: &World) -> Dependencies {
        reads_of(2, self.place.mask())
    }
}

/// Measurement `distance_side`: the distance from the middle of a side of an object to another object, or to a side of
/// it. See [`DOC`](Measurement::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct DistanceSide {
    place: LocationAttributes,
    sides: SideAttributes,
    flat: FlatObjects,
}

impl Measurement for DistanceSide {
    const DOC: OperationDoc = OperationDoc {
        name: "distance_side",
        arguments: &["a", "side", "b", "side of b"],
        optional: 1,
        summary: "The distance from the centre of a side of the first object to the centre of the second object, or of a side of it.",
        settings: &[
            ("position", "attribute: position, used if the bounding box is unknown; default `position`"),
            ("front", "object: represents the front; default `front`"),
            ("back", "object: represents the back; default `back`"),
            ("left", "object: represents the left side; default `left`"),
            ("right", "object: represents the right side; default `right`"),
            ("center", "attribute: centre of the bounding box; default `center`"),
            ("extents", "attribute: half the extents of the bounding box; default `extents`"),
            ("rotation", "attribute: orientation of an object; default `rotation`"),
            ("measured_on_x", "types or objects: flat objects that are measured along x; default none"),
            ("measured_on_y", "types or objects: flat objects that are measured along y; default none"),
            ("measured_on_z", "types or objects: flat objects that are measured along z; default none"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self {
            place: LocationAttributes::resolve(settings),
            sides: SideAttributes::resolve(settings),
            flat: FlatObjects::resolve(settings),
        }
    }

    fn value(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<f64> {
        let (a, b) = (object(arguments, 0)?, object(arguments, 2)?);
        let middle = |thing, symbol| Some(self.sides.turned(ctx.state, thing)?.face(self.sides.side(symbol)?).center);
        let from = middle(a, object(arguments, 1)?)?;
        let to = match arguments.get(3) {
            Some(_) => middle(b, object(arguments, 3)?)?,
            None => self.place.location(ctx.state, b)?,
        };
        Some(geometry::distance(from, to, self.flat.axis(ctx.world, a, b)))
    }

    fn reads(&self, _: &World) -> Dependencies {
        let (side, object) = (self.sides.mask(), self.sides.mask() | self.place.mask());
        Dependencies {
            arguments: [side, AttributeMask::NONE, object, AttributeMask::NONE].into(),
            ..Dependencies::default()
        }
    }
}

/// Measurement `coordinate`: the coordinate of an object's location on one axis. See [`DOC`](Measurement::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct Coordinate {
    place: LocationAttributes,
    axis: Axis,
}

impl Measurement for Coordinate {
    const DOC: OperationDoc = OperationDoc {
        name: "coordinate",
        arguments: &["object"],
        optional: 0,
        summary: "The coordinate of an object on one axis.",
        settings: &[
            ("position", "attribute: position, used if the bounding box is unknown; default `position`"),
            ("center", "attribute: centre of the bounding box; default `center`"),
            ("axis", "string: `x`, `y` or `z`; default `x`"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self { place: LocationAttributes::resolve(settings), axis: settings.axis("axis") }
    }

    fn value(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<f64> {
        Some(self.axis.of(self.place.location(ctx.state, object(arguments, 0)?)?))
    }

    fn reads(&self, _: &World) -> Dependencies {
        reads_of(1, self.place.mask())
    }
}

/// Measurement `size`: the number of members of a group. See [`DOC`](Measurement::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct Size {
    members: AttributeId,
}

impl Measurement for Size {
    const DOC: OperationDoc = OperationDoc {
        name: "size",
        arguments: &["group"],
        optional: 0,
        summary: "The number of members of a group.",
        settings: &[("members", "set attribute: the members of a group; default `members`")],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self { members: settings.attribute("members", "members", &[ValueKind::Set]) }
    }

    fn value(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<f64> {
        Some(ctx.state.object_set(self.members, object(arguments, 0)?)?.len() as f64)
    }

    fn reads(&self, _: &World) -> Dependencies {
        reads_of(1, AttributeMask::one(self.members))
    }
}
