//! Properties of objects, and comparisons of them: motion, orientation, colour, type, flags.

use super::attributes::{BoxAttributes, LocationAttributes, any, object, pair, reads_of};
use super::settings::ObjectSelection;
use super::{OperationDoc, Relation, Settings};
use crate::evaluate::Context;
use crate::ids::{AttributeId, AttributeMask, ObjectId, TypeId};
use crate::value::ValueKind;
use crate::world::World;
use crate::world::geometry::{Posture, ground};
use crate::world::vocabulary::{Argument, Dependencies};

/// Relation `in_motion`: a velocity or speed of an object exceeds a threshold. See [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct InMotion {
    attributes: Vec<AttributeId>,
    threshold: f64,
}

impl Relation for InMotion {
    const DOC: OperationDoc = OperationDoc {
        name: "in_motion",
        arguments: &["object"],
        optional: 0,
        summary: "The absolute value of a speed, or of a component of a velocity, exceeds the threshold.",
        settings: &[
            (
                "attributes",
                "attributes (vec3 or real): velocities and speeds; default `velocity`, `angular_velocity`, \
                            `speed`, as far as they exist",
            ),
            ("threshold", "number: maximum speed of an object at rest; default 0.1"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        let defaults = ["velocity", "angular_velocity", "speed"];
        Self {
            attributes: settings.attributes("attributes", &defaults, &[ValueKind::Vec3, ValueKind::Real]),
            threshold: settings.number("threshold", 0.1),
        }
    }

    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let item = object(arguments, 0)?;
        any(self.attributes.iter().map(|&attribute| {
            let vector = ctx
                .state
                .vec3(attribute, item)
                .map(|vector| vector.abs().cmpgt(glam::DVec3::splat(self.threshold)).any());
            vector.or_else(|| ctx.state.real(attribute, item).map(|speed| speed.abs() > self.threshold))
        }))
    }

    fn can_hold(&self, world: &World, arguments: &[Argument]) -> bool {
        let moves = |thing| self.attributes.iter().any(|&attribute| world.has_attribute(thing, attribute));
        object(arguments, 0).is_none_or(moves)
    }

    fn reads(&self, _: &World) -> Dependencies {
        let all = self.attributes.iter().fold(AttributeMask::NONE, |mask, &one| mask | AttributeMask::one(one));
        reads_of(1, all)
    }
}

/// Relation `orientation`: an object is upright, sideways, upside down or diagonal, relative to its initial
/// orientation. See [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct Orientation {
    rotation: AttributeId,
    first: AttributeId,
    tolerance: f64,
    symbols: [ObjectId; 4],
}

impl Relation for Orientation {
    const DOC: OperationDoc = OperationDoc {
        name: "orientation",
        arguments: &["object", "orientation"],
        optional: 0,
        summary: "The rotation of an object about the horizontal axes, relative to its initial rotation. Objects without a \
                  rotation are upright.",
        settings: &[
            ("rotation", "attribute: orientation of an object; default `rotation`"),
            ("initial", "attribute: initial rotation; default `initial_rotation`"),
            ("tolerance", "number: tolerance in degrees; default 15"),
            ("upright", "object: represents no rotation about x or none about z; default `upright`"),
            ("sideways", "object: represents a rotation by 90 degrees about x or z; default `sideways`"),
            (
                "upside_down",
                "object: represents a rotation by 180 degrees about exactly one of x and z; default `upside_down`",
            ),
            ("diagonal", "object: represents all other rotations; default `diagonal`"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        let kinds = [ValueKind::Orientation, ValueKind::Vec3];
        Self {
            rotation: settings.attribute("rotation", "rotation", &kinds),
            first: settings.attribute("initial", "initial_rotation", &kinds),
            tolerance: settings.number("tolerance", 15.0),
            symbols: [
                settings.object_or_default("upright", "upright"),
                settings.object_or_default("sideways", "sideways"),
                settings.object_or_default("upside_down", "upside_down"),
                settings.object_or_default("diagonal", "diagonal"),
            ],
        }
    }

    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let [item, symbol] = pair(arguments)?;
        if !ctx.state.is_present(item) {
            return None;
        }
        let (first, current) = (ctx.state.vec3(self.first, item), ctx.state.vec3(self.rotation, item));
        let (first, current) = first.zip(current).unwrap_or_default();
        if !(first - current).is_finite() {
            return None;
        }
        let posture = Posture::of(first, current, self.tolerance);
        let values = [posture.upright, posture.sideways, posture.upside_down, posture.diagonal()];
        Some(self.symbols.iter().zip(values).any(|(&known, holds)| known == symbol && holds))
    }

    fn reads(&self, _: &World) -> Dependencies {
        let mask = AttributeMask::one(self.rotation) | AttributeMask::one(self.first);
        Dependencies { arguments: [mask, AttributeMask::NONE].into_iter().collect(), ..Dependencies::default() }
    }
}

/// The colours of objects: the value of an attribute, or a suffix of the name of a type, as in `dodgeball_blue`.
#[derive(Debug, Clone, PartialEq)]
struct Colors {
    symbols: ObjectSelection,
    attribute: Option<AttributeId>,
    /// For each type, the colour in its name, or in that of its nearest supertype.
    named: Vec<Option<ObjectId>>,
}

impl Colors {
    fn resolve(settings: &mut Settings<'_>) -> Self {
        let symbols = settings.required_objects("colors");
        let attribute = settings.attribute_if_any("color", "color", &[ValueKind::Object]);
        let world = settings.world();
        let colors = symbols.list(world);
        let named = (0..world.types().len()).map(|at| named_color(world, &colors, TypeId::from(at))).collect();
        Self { symbols, attribute, named }
    }

    /// Returns the colour of an object; a colour is its own. `None` if the object has no known colour.
    fn of(&self, ctx: &Context<'_>, object: ObjectId) -> Option<ObjectId> {
        if self.symbols.contains(ctx.world, object) {
            return Some(object);
        }
        let recorded = self.attribute.and_then(|attribute| ctx.state.object(attribute, object)).flatten();
        let own = &ctx.world.object_decl(object).types;
        recorded.or_else(|| own.iter().find_map(|id| self.named[id.index()]))
    }

    fn mask(&self) -> AttributeMask {
        self.attribute.map_or(AttributeMask::NONE, AttributeMask::one)
    }
}

/// Returns the colour that is a suffix of the type's name, or else of that of a supertype, searched breadth-first.
fn named_color(world: &World, colors: &[ObjectId], id: TypeId) -> Option<ObjectId> {
    let mut types = vec![id];
    let mut next = 0;
    while let Some(&id) = types.get(next) {
        next += 1;
        let decl = world.type_decl(id);
        let found = colors.iter().find(|&&color| {
            let name = &*world.object_decl(color).id;
            decl.name.strip_suffix(name).is_some_and(|rest| rest.ends_with('_'))
        });
        if found.is_some() {
            return found.copied();
        }
        for parent in &decl.parents {
            if !types.contains(parent) {
                types.push(*parent);
            }
        }
    }
    None
}

/// Relation `same_color`: two objects have the same colour, or one is the colour of the other. See
/// [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct SameColor {
    colors: Colors,
}

impl Relation for SameColor {
    const DOC: OperationDoc = OperationDoc {
        name: "same_color",
        arguments: &["a", "b"],
        optional: 0,
        summary: "The two objects have the same colour, or one is the colour of the other. An object without a known colour \
                  matches no other.",
        settings: &[
            ("colors", "types or objects: the colours"),
            (
                "color",
                "object attribute: the colour of an object; default `color` if it exists. Without a value, the name of \
                       the type determines the colour, as in `dodgeball_blue`",
            ),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self { colors: Colors::resolve(settings) }
    }

    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let [a, b] = pair(arguments)?;
        Some(self.colors.of(ctx, a)? == self.colors.of(ctx, b)?)
    }

    fn reads(&self, _: &World) -> Dependencies {
        reads_of(2, self.colors.mask())
    }
}

/// Relation `color_under`: an object is over a region of the ground of the given colour. See [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct ColorUnder {
    colors: Colors,
    regions: ObjectSelection,
    place: LocationAttributes,
    boxes: BoxAttributes,
}

impl Relation for ColorUnder {
    const DOC: OperationDoc = OperationDoc {
        name: "color_under",
        arguments: &["object", "color"],
        optional: 0,
        summary: "The object is over a region of this colour; of overlapping regions, the one declared last is used.",
        settings: &[
            ("regions", "types or objects: coloured regions of the ground, such as the parts of a rug"),
            ("colors", "types or objects: the colours"),
            (
                "color",
                "object attribute: the colour of a region; default `color` if it exists. Without a value, the name of \
                       the type determines the colour",
            ),
            ("position", "attribute: position, used if the bounding box is unknown; default `position`"),
            ("center", "attribute: centre of the bounding box; default `center`"),
            ("extents", "attribute: half the extents of the bounding box; default `extents`"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self {
            colors: Colors::resolve(settings),
            regions: settings.required_objects("regions"),
            place: LocationAttributes::resolve(settings),
            boxes: BoxAttributes::resolve(settings),
        }
    }

    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let [item, color] = pair(arguments)?;
        let at = ground(self.place.location(ctx.state, item)?);
        let is_over = |region: &ObjectId| self.boxes.get(ctx.state, *region).is_some_and(|area| area.spans(at));
        let region = self.regions.list(ctx.world).into_iter().rfind(is_over);
        Some(region.and_then(|region| self.colors.of(ctx, region)) == Some(color))
    }

    fn reads(&self, world: &World) -> Dependencies {
        let mut reads = reads_of(1, self.place.mask());
        reads.arguments.push(AttributeMask::NONE);
        self.regions.add_to(world, self.boxes.mask() | self.colors.mask(), &mut reads);
        reads
    }
}

/// Relation `same_object`: the two arguments are the same object. See [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct SameObject;

impl Relation for SameObject {
    const DOC: OperationDoc = OperationDoc {
        name: "same_object",
        arguments: &["a", "b"],
        optional: 0,
        summary: "Both arguments are the same object.",
        settings: &[],
    };

    fn resolve(_: &mut Settings<'_>) -> Self {
        Self
    }

    fn holds(&self, _: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let [a, b] = pair(arguments)?;
        Some(a == b)
    }

    fn can_hold(&self, _: &World, arguments: &[Argument]) -> bool {
        pair(arguments).is_none_or(|[a, b]| a == b)
    }

    fn reads(&self, _: &World) -> Dependencies {
        reads_of(2, AttributeMask::NONE)
    }
}

/// Relation `same_type`: two objects share a type, or an object is of a type. See [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct SameType {
    general: Vec<TypeId>,
}

impl Relation for SameType {
    const DOC: OperationDoc = OperationDoc {
        name: "same_type",
        arguments: &["a", "b"],
        optional: 0,
        summary: "The two objects have a common type, or one argument is a type of the other.",
        settings: &[(
            "general",
            "types: general types, which do not count as common types; default: all but the objects' own types",
        )],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self { general: settings.types("general") }
    }

    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let world = ctx.world;
        Some(match (arguments.first()?, arguments.get(1)?) {
            (&Argument::Object(a), &Argument::Object(b)) => self.share(world, a, b),
            (&Argument::Object(object), &Argument::Type(id)) | (&Argument::Type(id), &Argument::Object(object)) => {
                world.is_a(object, id)
            }
            (&Argument::Type(a), &Argument::Type(b)) => world.is_subtype(a, b),
        })
    }

    fn can_hold(&self, world: &World, arguments: &[Argument]) -> bool {
        match (arguments.first(), arguments.get(1)) {
            (Some(&Argument::Object(a)), Some(&Argument::Object(b))) => self.share(world, a, b),
            (Some(&Argument::Object(object)), Some(&Argument::Type(id)))
            | (Some(&Argument::Type(id)), Some(&Argument::Object(object))) => world.is_a(object, id),
            _ => true,
        }
    }

    fn reads(&self, _: &World) -> Dependencies {
        reads_of(2, AttributeMask::NONE)
    }
}

impl SameType {
    fn share(&self, world: &World, a: ObjectId, b: ObjectId) -> bool {
        if a == b {
            true
        } else if self.general.is_empty() {
            let own = &world.object_decl(b).types;
            world.object_decl(a).types.iter().any(|id| own.contains(id))
        } else {
            (0..world.types().len())
                .map(TypeId::from)
                .any(|id| !self.general.contains(&id) && world.is_a(a, id) && world.is_a(b, id))
        }
    }
}

/// Relation `flag_of`: a bool attribute of one fixed object is true. See [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct FlagOf {
    object: ObjectId,
    attribute: AttributeId,
}

impl Relation for FlagOf {
    const DOC: OperationDoc = OperationDoc {
        name: "flag_of",
        arguments: &[],
        optional: 0,
        summary: "A bool attribute of a fixed object is true.",
        settings: &[("object", "object: the object"), ("attribute", "bool attribute: its attribute; default `flag`")],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self {
            object: settings.required_object("object"),
            attribute: settings.attribute("attribute", "flag", &[ValueKind::Bool]),
        }
    }

    fn holds(&self, ctx: &Context<'_>, _: &[Argument]) -> Option<bool> {
        ctx.state.bool(self.attribute, self.object)
    }

    fn reads(&self, _: &World) -> Dependencies {
        let mut reads = Dependencies::default();
        reads.add_other(self.object, AttributeMask::one(self.attribute));
        reads
    }
}

/// Relation `refers_to`: an attribute of one fixed object is the argument, or a set that contains it. See
/// [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct RefersTo {
    object: ObjectId,
    attribute: AttributeId,
}

impl Relation for RefersTo {
    const DOC: OperationDoc = OperationDoc {
        name: "refers_to",
        arguments: &["object"],
        optional: 0,
        summary: "An attribute of a fixed object equals the argument or contains it, for example the object that the agent \
                  holds.",
        settings: &[
            ("object", "object: the object"),
            ("attribute", "object or set attribute: its attribute; default `held`"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self {
            object: settings.required_object("object"),
            attribute: settings.attribute("attribute", "held", &[ValueKind::Object, ValueKind::Set]),
        }
    }

    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let item = object(arguments, 0)?;
        let one = ctx.state.object(self.attribute, self.object).map(|value| value == Some(item));
        one.or_else(|| ctx.state.object_set(self.attribute, self.object).map(|set| set.contains(&item)))
    }

    fn reads(&self, _: &World) -> Dependencies {
        let mut reads = reads_of(1, AttributeMask::NONE);
        reads.add_other(self.object, AttributeMask::one(self.attribute));
        reads
    }
}
