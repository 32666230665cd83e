//! Relations of position: above, adjacent, between, facing ..

use super::attributes::{
    BoxAttributes, GroupAttributes, LocationAttributes, SideAttributes, any, object, pair, reads_of,
};
use super::settings::ObjectSelection;
use super::{OperationDoc, Relation, Settings};
use crate::evaluate::Context;
use crate::ids::{AttributeId, AttributeMask, FunctionId, ObjectId, PredicateId};
use crate::value::ValueKind;
use crate::world::World;
use crate::world::geometry::{AdjacencyLimits, Axis, close, faces, facing, ground, in_hull_of, segment_distance};
use crate::world::vocabulary::{Argument, Callee, Dependencies};

/// Relation `above`: the upper object is higher than the top of the lower one and over its footprint. See
/// [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct Above {
    place: LocationAttributes,
    boxes: BoxAttributes,
    agent: Option<ObjectId>,
    groups: GroupAttributes,
    on: PredicateId,
}

impl Relation for Above {
    const DOC: OperationDoc = OperationDoc {
        name: "above",
        arguments: &["lower", "upper"],
        optional: 0,
        summary: "The centre of the upper object is higher than the top of the lower object, and over its footprint. For the \
                  agent, and for a group over one of its own members, the same as `on`; otherwise a group is above the objects \
                  that a member is above.",
        settings: &[
            ("position", "attribute: position, used if the bounding box is unknown; default `position`"),
            ("center", "attribute: centre of the bounding box; default `center`"),
            ("extents", "attribute: half the extents of the bounding box; default `extents`"),
            ("agent", "object: the agent, which is above only the objects that it stands on; default none"),
            ("groups", "types or objects: groups of objects; default none"),
            ("members", "set attribute: the members of a group; default `members`"),
            ("on", "predicate: support; default `on`"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self {
            place: LocationAttributes::resolve(settings),
            boxes: BoxAttributes::resolve(settings),
            agent: settings.object("agent"),
            groups: GroupAttributes::resolve(settings),
            on: settings.predicate("on", "on"),
        }
    }

    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let [lower, upper] = pair(arguments)?;
        if Some(upper) == self.agent {
            return ctx.holds(self.on, arguments);
        }
        if !self.groups.contains(ctx.world, upper) {
            return self.thing(ctx, lower, upper);
        }
        let members = self.groups.members(ctx.state, upper)?;
        if Some(lower) == self.agent {
            Some(false)
        } else if members.contains(&lower) {
            ctx.holds(self.on, arguments)
        } else {
            any(members.iter().map(|&member| self.thing(ctx, lower, member)))
        }
    }

    fn uses(&self) -> Vec<Callee> {
        vec![Callee::Predicate(self.on)]
    }

    fn reads(&self, world: &World) -> Dependencies {
        let mut reads = reads_of(2, self.place.mask() | self.boxes.mask() | self.groups.mask());
        if self.agent.is_some() || !self.groups.mask().is_empty() {
            reads.merge(&world.predicate(self.on).dependencies);
        }
        reads
    }
}

impl Above {
    fn thing(&self, ctx: &Context<'_>, lower: ObjectId, upper: ObjectId) -> Option<bool> {
        let lower = self.boxes.get(ctx.state, lower)?;
        let upper = self.place.location(ctx.state, upper)?;
        Some(lower.spans(ground(upper)) && upper.y > lower.max().y)
    }
}

/// Relation `adjacent`: the boxes of two objects are close to each other, at overlapping heights. See
/// [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct Adjacent {
    boxes: BoxAttributes,
    limits: AdjacencyLimits,
    distance: FunctionId,
}

/// Looks up the settings of [`AdjacencyLimits`].
fn adjacency(settings: &mut Settings<'_>) -> AdjacencyLimits {
    let default = AdjacencyLimits::default();
    AdjacencyLimits {
        gap: settings.number("gap", default.gap),
        size_factor: settings.number("size_factor", default.size_factor),
        height_tolerance: settings.number("grace", default.height_tolerance),
    }
}

impl Relation for Adjacent {
    const DOC: OperationDoc = OperationDoc {
        name: "adjacent",
        arguments: &["a", "b"],
        optional: 0,
        summary: "The bounding boxes overlap in height, and the objects are close to each other, or have close faces on one \
                  horizontal axis and overlap on the other.",
        settings: &[
            ("position", "attribute: position, used if the bounding box is unknown; default `position`"),
            ("center", "attribute: centre of the bounding box; default `center`"),
            ("extents", "attribute: half the extents of the bounding box; default `extents`"),
            ("gap", "number: maximum gap; default 0.2"),
            (
                "size_factor",
                "number: maximum ratio of the gap to the mean horizontal size of the two objects; default 1.2",
            ),
            ("grace", "number: margin added to both boxes before comparing their heights; default 0.01"),
            ("distance", "function: distance between two objects; default `distance`"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self {
            boxes: BoxAttributes::resolve(settings),
            limits: adjacency(settings),
            distance: settings.function("distance", "distance"),
        }
    }

    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let [a, b] = pair(arguments)?;
        let (a, b) = (self.boxes.get(ctx.state, a)?, self.boxes.get(ctx.state, b)?);
        Some(self.limits.holds(&a, &b, ctx.value(self.distance, arguments)?))
    }

    fn uses(&self) -> Vec<Callee> {
        vec![Callee::Function(self.distance)]
    }

    fn reads(&self, world: &World) -> Dependencies {
        let mut reads = reads_of(2, self.boxes.mask());
        reads.merge(&world.function(self.distance).reads);
        reads
    }
}

/// Relation `adjacent_side`: an object, or a side of it, is adjacent to a given side of another object. See
/// [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct AdjacentSide {
    sides: SideAttributes,
    limits: AdjacencyLimits,
}

impl Relation for AdjacentSide {
    const DOC: OperationDoc = OperationDoc {
        name: "adjacent_side",
        arguments: &["a", "side", "b", "side of b"],
        optional: 1,
        summary: "The second object, or its given side, is outside of the first object, close to the given side of it, and \
                  overlaps it in height. Sides are relative to the orientation of the object.",
        settings: &[
            ("front", "object: represents the front; default `front`"),
            ("back", "object: represents the back; default `back`"),
            ("left", "object: represents the left side; default `left`"),
            ("right", "object: represents the right side; default `right`"),
            ("position", "attribute: position, used if the bounding box is unknown; default `position`"),
            ("center", "attribute: centre of the bounding box; default `center`"),
            ("extents", "attribute: half the extents of the bounding box; default `extents`"),
            ("rotation", "attribute: orientation of an object; default `rotation`"),
            ("gap", "number: maximum gap; default 0.2"),
            (
                "size_factor",
                "number: maximum ratio of the gap to the mean horizontal size of the two objects; default 1.2",
            ),
            ("grace", "number: margin added to both boxes before comparing their heights; default 0.01"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self { sides: SideAttributes::resolve(settings), limits: adjacency(settings) }
    }

    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let (a, b) = (object(arguments, 0)?, object(arguments, 2)?);
        let [hull_a, hull_b] = [self.sides.hull(ctx.state, a)?, self.sides.hull(ctx.state, b)?];
        let face = self.sides.turned(ctx.state, a)?.face(self.sides.side(object(arguments, 1)?)?);
        let (distance, in_front) = if arguments.len() > 3 {
            let other = self.sides.turned(ctx.state, b)?.face(self.sides.side(object(arguments, 3)?)?);
            (segment_distance(face.ends, other.ends), other.is_in_front(hull_a.center))
        } else {
            (self.sides.turned_if_known(ctx.state, b)?.distance_to_segment(face.ends), true)
        };
        let close = self.limits.largest_gap(&hull_a, &hull_b).is_some_and(|gap| distance <= gap);
        Some(
            close
                && in_front
                && face.is_in_front(hull_b.center)
                && hull_a.overlaps_on(&hull_b, Axis::Y, self.limits.height_tolerance),
        )
    }

    fn reads(&self, _: &World) -> Dependencies {
        let mask = self.sides.mask();
        Dependencies {
            arguments: [mask, AttributeMask::NONE, mask, AttributeMask::NONE].into(),
            ..Dependencies::default()
        }
    }
}

/// Relation `between`: the location of an object is in the convex hull of the boxes of two others. See
/// [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct Between {
    place: LocationAttributes,
    boxes: BoxAttributes,
}

impl Relation for Between {
    const DOC: OperationDoc = OperationDoc {
        name: "between",
        arguments: &["a", "middle", "b"],
        optional: 0,
        summary: "The centre of the second object lies in the convex hull of the bounding boxes of the other two.",
        settings: &[
            ("position", "attribute: position, used if the bounding box is unknown; default `position`"),
            ("center", "attribute: centre of the bounding box; default `center`"),
            ("extents", "attribute: half the extents of the bounding box; default `extents`"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self { place: LocationAttributes::resolve(settings), boxes: BoxAttributes::resolve(settings) }
    }

    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let a = self.boxes.get(ctx.state, object(arguments, 0)?)?;
        let b = self.boxes.get(ctx.state, object(arguments, 2)?)?;
        Some(in_hull_of(&a, &b, self.place.location(ctx.state, object(arguments, 1)?)?))
    }

    fn reads(&self, _: &World) -> Dependencies {
        let (ends, middle) = (self.boxes.mask(), self.place.mask());
        Dependencies { arguments: [ends, middle, ends].into_iter().collect(), ..Dependencies::default() }
    }
}

/// Relation `equal_position`: two objects have the same coordinate on one axis. See [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct EqualPosition {
    place: LocationAttributes,
    axis: Axis,
    tolerance: f64,
    relative: f64,
}

impl Relation for EqualPosition {
    const DOC: OperationDoc = OperationDoc {
        name: "equal_position",
        arguments: &["a", "b"],
        optional: 0,
        summary: "The positions of the objects, or the centres of their bounding boxes, are equal on one axis.",
        settings: &[
            ("position", "attribute: position of an object; default `position`"),
            ("center", "attribute: centre of the bounding box; default `center`"),
            ("axis", "string: `x`, `y` or `z`; default `x`"),
            ("tolerance", "number: maximum difference; default 0.1"),
            ("relative_tolerance", "number: tolerance added per metre of the second coordinate; default 0.00001"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self {
            place: LocationAttributes::resolve(settings),
            axis: settings.axis("axis"),
            tolerance: settings.number("tolerance", 0.1),
            relative: settings.number("relative_tolerance", 1e-5),
        }
    }

    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let [a, b] = pair(arguments)?;
        let equal = |a, b| Some(close(self.axis.of(a?), self.axis.of(b?), self.tolerance, self.relative));
        any([
            equal(self.place.position(ctx.state, a), self.place.position(ctx.state, b)),
            equal(self.place.center(ctx.state, a), self.place.center(ctx.state, b)),
        ])
    }

    fn reads(&self, _: &World) -> Dependencies {
        reads_of(2, self.place.mask())
    }
}

/// Relation `faces`: the horizontal direction in which an object faces points at the box of another. See
/// [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct Faces {
    place: LocationAttributes,
    boxes: BoxAttributes,
    rotation: AttributeId,
    gaze: Option<AttributeId>,
}

impl Relation for Faces {
    const DOC: OperationDoc = OperationDoc {
        name: "faces",
        arguments: &["a", "b"],
        optional: 0,
        summary: "Seen from above, the facing direction of the first object points at the bounding box of the second.",
        settings: &[
            ("position", "attribute: position, used if the bounding box is unknown; default `position`"),
            ("center", "attribute: centre of the bounding box; default `center`"),
            ("extents", "attribute: half the extents of the bounding box; default `extents`"),
            ("rotation", "attribute: orientation of an object; default `rotation`"),
            ("gaze", "attribute: orientation of the eyes, for objects with eyes; default none"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self {
            place: LocationAttributes::resolve(settings),
            boxes: BoxAttributes::resolve(settings),
            rotation: settings.attribute("rotation", "rotation", &[ValueKind::Orientation, ValueKind::Vec3]),
            gaze: settings.attribute_if_any("gaze", "", &[ValueKind::Orientation, ValueKind::Vec3]),
        }
    }

    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let [a, b] = pair(arguments)?;
        let turned = self.gaze.and_then(|gaze| ctx.state.vec3(gaze, a)).or_else(|| ctx.state.vec3(self.rotation, a))?;
        let target = self.boxes.get(ctx.state, b)?;
        let eye = self.place.location(ctx.state, a)?;
        // A gaze straight up or down has no horizontal direction.
        Some(facing(turned).is_some_and(|gaze| faces(ground(eye), gaze, &target)))
    }

    fn reads(&self, _: &World) -> Dependencies {
        let gaze = self.gaze.map_or(AttributeMask::NONE, AttributeMask::one);
        let from = self.place.mask() | AttributeMask::one(self.rotation) | gaze;
        Dependencies { arguments: [from, self.boxes.mask()].into_iter().collect(), ..Dependencies::default() }
    }
}

/// Relation `opposite`: two walls face each other across the room. See [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct Opposite {
    boxes: BoxAttributes,
    walls: ObjectSelection,
}

impl Relation for Opposite {
    const DOC: OperationDoc = OperationDoc {
        name: "opposite",
        arguments: &["a", "b"],
        optional: 0,
        summary: "Two walls that face each other across the room: both are thin on the same horizontal axis, apart on it, and \
                  overlap on the other.",
        settings: &[
            ("position", "attribute: position, used if the bounding box is unknown; default `position`"),
            ("center", "attribute: centre of the bounding box; default `center`"),
            ("extents", "attribute: half the extents of the bounding box; default `extents`"),
            ("walls", "types or objects: the objects that can be opposite each other"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self { boxes: BoxAttributes::resolve(settings), walls: settings.required_objects("walls") }
    }

    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let [a, b] = pair(arguments)?;
        if !(self.walls.contains(ctx.world, a) && self.walls.contains(ctx.world, b)) {
            return Some(false);
        }
        let (a, b) = (self.boxes.get(ctx.state, a)?, self.boxes.get(ctx.state, b)?);
        let across = match a.thin_axis() {
            Some(Axis::X) => Axis::Z,
            Some(Axis::Z) => Axis::X,
            _ => return Some(false),
        };
        let separated = a.thin_axis().is_some_and(|thin| !a.overlaps_on(&b, thin, 0.0));
        Some(a.thin_axis() == b.thin_axis() && separated && a.overlaps_on(&b, across, 0.0))
    }

    fn can_hold(&self, world: &World, arguments: &[Argument]) -> bool {
        pair(arguments).is_none_or(|[a, b]| self.walls.contains(world, a) && self.walls.contains(world, b))
    }

    fn reads(&self, _: &World) -> Dependencies {
        reads_of(2, self.boxes.mask())
    }
}
