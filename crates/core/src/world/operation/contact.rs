//! Relations of contact, support and containment.

use super::attributes::{BoxAttributes, GroupAttributes, LocationAttributes, any, pair, reads_of};
use super::settings::ObjectSelection;
use super::{OperationDoc, Relation, Settings};
use crate::evaluate::Context;
use crate::ids::{AttributeId, AttributeMask, FunctionId, ObjectId, PredicateId};
use crate::value::ValueKind;
use crate::world::World;
use crate::world::geometry::{RestLimits, ground};
use crate::world::vocabulary::{Argument, Callee, Dependencies};

/// The support of the agent: the rugs that it is over, or else the floor.
#[derive(Debug, Clone, PartialEq)]
struct AgentSupport {
    agent: Option<ObjectId>,
    rugs: ObjectSelection,
    floors: ObjectSelection,
    place: LocationAttributes,
    boxes: BoxAttributes,
}

impl AgentSupport {
    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self {
            agent: settings.object("agent"),
            rugs: settings.objects("rugs"),
            floors: settings.objects("floors"),
            place: LocationAttributes::resolve(settings),
            boxes: BoxAttributes::resolve(settings),
        }
    }

    /// Whether the agent stands on `object`.
    fn supports(&self, ctx: &Context<'_>, object: ObjectId) -> Option<bool> {
        if self.floors.contains(ctx.world, object) {
            Some(any(self.rugs.list(ctx.world).into_iter().map(|rug| self.over(ctx, rug))) != Some(true))
        } else if self.rugs.contains(ctx.world, object) {
            self.over(ctx, object)
        } else {
            Some(false)
        }
    }

    fn over(&self, ctx: &Context<'_>, rug: ObjectId) -> Option<bool> {
        let location = self
            .agent
            .and_then(|agent| self.place.position(ctx.state, agent).or_else(|| self.place.center(ctx.state, agent)))?;
        Some(self.boxes.get(ctx.state, rug)?.spans(ground(location)))
    }

    /// Returns the inputs of [`supports`](Self::supports), where the agent is one of the two arguments.
    fn reads(&self, world: &World) -> Dependencies {
        let mut reads = reads_of(2, self.place.mask() | self.boxes.mask());
        self.rugs.add_to(world, self.boxes.mask(), &mut reads);
        reads
    }
}

/// Relation `touch`: two objects touch each other, according to the recording. See [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct Touch {
    touching: AttributeId,
    groups: GroupAttributes,
    walls: ObjectSelection,
    doors: ObjectSelection,
    distance: Option<FunctionId>,
    adjacent: Option<PredicateId>,
    footing: AgentSupport,
    agent_side: Option<AttributeId>,
    agent_floor: Option<AttributeId>,
}

impl Relation for Touch {
    const DOC: OperationDoc = OperationDoc {
        name: "touch",
        arguments: &["a", "b"],
        optional: 0,
        summary: "One of the objects lists the other among the objects that it touches. Recordings do not identify the touched \
                  wall: it is the nearest one. A group touches the objects that a member touches, except members and other groups.",
        settings: &[
            ("touching", "set attribute: the objects that an object touches; default `touching`"),
            ("groups", "types or objects: groups of objects; default none"),
            ("members", "set attribute: the members of a group; default `members`"),
            ("walls", "types or objects: walls, which recordings do not distinguish in `touching`; default none"),
            (
                "doors",
                "types or objects: doors, which the agent touches if an object is at its side and the door is adjacent",
            ),
            ("distance", "function: determines the nearest wall; default `distance`"),
            ("adjacent", "predicate: adjacency; required for an agent that touches walls or doors"),
            ("agent", "object: the agent, which touches walls, doors and rugs without listing them; default none"),
            ("agent_side", "bool attribute: an object is at the side of the agent; default `touching_side`"),
            ("agent_floor", "bool attribute: the agent stands on an object; default `touching_floor`"),
            ("rugs", "types or objects: rugs, on which the agent stands if it is over them; default none"),
            ("floors", "types or objects: floors, on which the agent stands elsewhere; default none"),
            ("position", "attribute: position of the agent; default `position`"),
            ("center", "attribute: centre of the bounding box; default `center`"),
            ("extents", "attribute: half the extents of the bounding box; default `extents`"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        let walls = settings.objects("walls");
        let doors = settings.objects("doors");
        let support = AgentSupport::resolve(settings);
        let flag = |settings: &mut Settings<'_>, name, default, needed: bool| {
            if needed && support.agent.is_some() {
                Some(settings.attribute(name, default, &[ValueKind::Bool]))
            } else {
                settings.attribute_if_any(name, default, &[ValueKind::Bool])
            }
        };
        let beside = !walls.is_empty() || !doors.is_empty();
        Self {
            touching: settings.attribute("touching", "touching", &[ValueKind::Set]),
            groups: GroupAttributes::resolve(settings),
            distance: settings.function_if(!walls.is_empty(), "distance", "distance"),
            adjacent: settings.predicate_if(beside && support.agent.is_some(), "adjacent", "adjacent"),
            agent_side: flag(settings, "agent_side", "touching_side", beside),
            agent_floor: flag(settings, "agent_floor", "touching_floor", !support.rugs.is_empty()),
            walls,
            doors,
            footing: support,
        }
    }

    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let [a, b] = pair(arguments)?;
        match (self.groups.contains(ctx.world, a), self.groups.contains(ctx.world, b)) {
            (true, true) => Some(false),
            (true, false) => self.group(ctx, a, b),
            (false, true) => self.group(ctx, b, a),
            (false, false) => self.things(ctx, a, b),
        }
    }

    fn uses(&self) -> Vec<Callee> {
        let functions = self.distance.into_iter().map(Callee::Function);
        functions.chain(self.adjacent.into_iter().map(Callee::Predicate)).collect()
    }

    fn reads(&self, world: &World) -> Dependencies {
        let mut reads = reads_of(2, AttributeMask::one(self.touching) | self.groups.mask());
        if self.footing.agent.is_some() {
            // The agent's own attributes matter only if it is an argument.
            reads.merge(&self.footing.reads(world));
            for flag in [self.agent_side, self.agent_floor].into_iter().flatten() {
                reads.merge(&reads_of(2, AttributeMask::one(flag)));
            }
        }
        if let Some(adjacent) = self.adjacent {
            reads.merge(&world.predicate(adjacent).dependencies);
        }
        if let Some(distance) = self.distance {
            let distances = &world.function(distance).reads;
            let mask = distances.arguments.iter().fold(AttributeMask::NONE, |all, &mask| all | mask);
            self.walls.add_to(world, mask, &mut reads);
            reads.merge(distances);
        }
        reads
    }
}

impl Touch {
    fn group(&self, ctx: &Context<'_>, group: ObjectId, object: ObjectId) -> Option<bool> {
        let members = self.groups.members(ctx.state, group)?;
        if members.contains(&object) {
            return Some(false);
        }
        any(members.iter().map(|&member| self.things(ctx, member, object)))
    }

    fn things(&self, ctx: &Context<'_>, a: ObjectId, b: ObjectId) -> Option<bool> {
        if let Some(agent) = self.footing.agent {
            if agent == a {
                return self.agent(ctx, agent, b);
            } else if agent == b {
                return self.agent(ctx, agent, a);
            }
        }
        match (self.walls.contains(ctx.world, a), self.walls.contains(ctx.world, b)) {
            (true, true) => Some(false),
            (true, false) => self.wall(ctx, a, b),
            (false, true) => self.wall(ctx, b, a),
            (false, false) => any([self.lists(ctx, a, b), self.lists(ctx, b, a)]),
        }
    }

    fn lists(&self, ctx: &Context<'_>, a: ObjectId, b: ObjectId) -> Option<bool> {
        Some(ctx.state.object_set(self.touching, a)?.contains(&b))
    }

    fn agent(&self, ctx: &Context<'_>, agent: ObjectId, object: ObjectId) -> Option<bool> {
        let (is_wall, is_door) = (self.walls.contains(ctx.world, object), self.doors.contains(ctx.world, object));
        if is_wall || is_door {
            return Some(
                ctx.state.bool(self.agent_side?, agent)?
                    && ctx.holds(self.adjacent?, &[agent.into(), object.into()])?
                    && (!is_wall || self.nearest_wall(ctx, agent) == Some(object)),
            );
        }
        if self.footing.rugs.contains(ctx.world, object) {
            return Some(ctx.state.bool(self.agent_floor?, agent)? && self.footing.supports(ctx, object)?);
        }
        any([self.lists(ctx, object, agent), self.lists(ctx, agent, object)])
    }

    fn wall(&self, ctx: &Context<'_>, wall: ObjectId, object: ObjectId) -> Option<bool> {
        let listed =
            ctx.state.object_set(self.touching, object)?.iter().any(|&other| self.walls.contains(ctx.world, other));
        Some(listed && self.nearest_wall(ctx, object) == Some(wall))
    }

    /// Returns the nearest wall, and the first in order on a tie.
    fn nearest_wall(&self, ctx: &Context<'_>, object: ObjectId) -> Option<ObjectId> {
        let mut best: Option<(f64, ObjectId)> = None;
        for wall in self.walls.list(ctx.world) {
            let distance = ctx.value(self.distance?, &[object.into(), wall.into()]);
            if let Some(distance) = distance.filter(|distance| !distance.is_nan())
                && best.is_none_or(|(smallest, _)| distance < smallest)
            {
                best = Some((distance, wall));
            }
        }
        best.map(|(_, wall)| wall)
    }
}

/// Relation `on`: the upper object touches the lower one and rests on it. See [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct On {
    touch: PredicateId,
    groups: GroupAttributes,
    resting: RestLimits,
    footing: AgentSupport,
    never_under: ObjectSelection,
}

impl Relation for On {
    const DOC: OperationDoc = OperationDoc {
        name: "on",
        arguments: &["lower", "upper"],
        optional: 0,
        summary: "The upper object touches the lower object, and either a corner or the centre of its bottom is over the upper \
                  part of the lower object, or it lies inside the lower object. The agent stands on rugs and floors only. A \
                  group is on its lowest members, and its topmost members are on the group.",
        settings: &[
            ("touch", "predicate: contact; default `touch`"),
            ("groups", "types or objects: groups of objects; default none"),
            ("members", "set attribute: the members of a group; default `members`"),
            ("reach", "number: maximum distance of a support below the bottom of an object; default 0.01"),
            (
                "depth",
                "number: depth below the centre at which the upper part of an object begins, in half heights; default 0.5",
            ),
            ("margin", "number: maximum protrusion of an object that lies inside another; default 0.075"),
            ("agent", "object: the agent, which stands on rugs and floors and supports no objects; default none"),
            ("rugs", "types or objects: rugs, on which the agent stands if it is over them; default none"),
            ("floors", "types or objects: floors, on which the agent stands elsewhere; default none"),
            ("never_under", "types or objects: objects that support no others, such as walls; default none"),
            ("position", "attribute: position of the agent; default `position`"),
            ("center", "attribute: centre of the bounding box; default `center`"),
            ("extents", "attribute: half the extents of the bounding box; default `extents`"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        let default = RestLimits::default();
        Self {
            touch: settings.predicate("touch", "touch"),
            groups: GroupAttributes::resolve(settings),
            resting: RestLimits {
                reach: settings.number("reach", default.reach),
                depth: settings.number("depth", default.depth),
                margin: settings.number("margin", default.margin),
            },
            footing: AgentSupport::resolve(settings),
            never_under: settings.objects("never_under"),
        }
    }

    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let [lower, upper] = pair(arguments)?;
        let agent = self.footing.agent;
        if Some(upper) == agent {
            return self.footing.supports(ctx, lower);
        }
        if Some(lower) == agent || self.never_under.contains(ctx.world, lower) {
            return Some(false);
        }
        if ctx.holds(self.touch, arguments)? {
            return self.rests(ctx, lower, upper);
        }
        if self.groups.contains(ctx.world, upper) {
            let members = self.groups.members(ctx.state, upper)?;
            let (below, above) = self.neighbours(ctx, members, lower);
            Some(members.contains(&lower) && !below && above)
        } else if self.groups.contains(ctx.world, lower) {
            let members = self.groups.members(ctx.state, lower)?;
            let (below, above) = self.neighbours(ctx, members, upper);
            Some(members.contains(&upper) && below && !above)
        } else {
            Some(false)
        }
    }

    fn can_hold(&self, world: &World, arguments: &[Argument]) -> bool {
        let Some([lower, upper]) = pair(arguments) else { return true };
        let agent = self.footing.agent;
        if Some(upper) == agent {
            self.footing.floors.contains(world, lower) || self.footing.rugs.contains(world, lower)
        } else {
            Some(lower) != agent && !self.never_under.contains(world, lower)
        }
    }

    fn uses(&self) -> Vec<Callee> {
        vec![Callee::Predicate(self.touch)]
    }

    fn reads(&self, world: &World) -> Dependencies {
        let mut reads = self.footing.reads(world);
        reads.merge(&reads_of(2, self.groups.mask()));
        reads.merge(&world.predicate(self.touch).dependencies);
        reads
    }
}

impl On {
    fn rests(&self, ctx: &Context<'_>, lower: ObjectId, upper: ObjectId) -> Option<bool> {
        let boxes = &self.footing.boxes;
        Some(self.resting.holds(&boxes.get(ctx.state, lower)?, &boxes.get(ctx.state, upper)?))
    }

    /// Whether the object is on another member, and whether another member is on it.
    fn neighbours(&self, ctx: &Context<'_>, members: &[ObjectId], object: ObjectId) -> (bool, bool) {
        let on = |lower: ObjectId, upper: ObjectId| {
            ctx.holds(self.touch, &[lower.into(), upper.into()]) == Some(true)
                && self.rests(ctx, lower, upper) == Some(true)
        };
        let others = || members.iter().copied().filter(|&member| member != object);
        (others().any(|member| on(member, object)), others().any(|member| on(object, member)))
    }
}

/// Relation `in`: the box of an object is inside the box of a container, or the object is a member of a group. See
/// [`DOC`](Relation::DOC).
#[derive(Debug, Clone, PartialEq)]
pub struct Inside {
    boxes: BoxAttributes,
    groups: GroupAttributes,
    agent: Option<ObjectId>,
    containers: ObjectSelection,
    margin: f64,
}

impl Relation for Inside {
    const DOC: OperationDoc = OperationDoc {
        name: "in",
        arguments: &["container", "object"],
        optional: 0,
        summary: "The bounding box of the object lies inside that of the container, or the object is a member of the group. The \
                  agent is in no container.",
        settings: &[
            ("position", "attribute: position, used if the bounding box is unknown; default `position`"),
            ("center", "attribute: centre of the bounding box; default `center`"),
            ("extents", "attribute: half the extents of the bounding box; default `extents`"),
            ("containers", "types or objects: the containers"),
            ("margin", "number: maximum protrusion on each side; default 0.075"),
            ("groups", "types or objects: groups of objects; default none"),
            ("members", "set attribute: the members of a group; default `members`"),
            ("agent", "object: an object that is neither contained nor a container; default none"),
        ],
    };

    fn resolve(settings: &mut Settings<'_>) -> Self {
        Self {
            boxes: BoxAttributes::resolve(settings),
            groups: GroupAttributes::resolve(settings),
            agent: settings.object("agent"),
            containers: settings.objects("containers"),
            margin: settings.number("margin", 0.075),
        }
    }

    fn holds(&self, ctx: &Context<'_>, arguments: &[Argument]) -> Option<bool> {
        let [container, object] = pair(arguments)?;
        if self.agent.is_some_and(|agent| agent == container || agent == object) {
            return Some(false);
        }
        if self.groups.contains(ctx.world, container) {
            return Some(self.groups.members(ctx.state, container)?.contains(&object));
        }
        if !self.containers.contains(ctx.world, container) {
            return Some(false);
        }
        let [container, object] = [self.boxes.get(ctx.state, container)?, self.boxes.get(ctx.state, object)?];
        Some(container.grown(self.margin).contains(&object))
    }

    fn can_hold(&self, world: &World, arguments: &[Argument]) -> bool {
        let Some([container, object]) = pair(arguments) else { return true };
        let agent = self.agent.is_some_and(|agent| agent == container || agent == object);
        !agent && (self.groups.contains(world, container) || self.containers.contains(world, container))
    }

    fn reads(&self, _: &World) -> Dependencies {
        let mask = self.boxes.mask();
        Dependencies { arguments: [mask | self.groups.mask(), mask].into_iter().collect(), ..Dependencies::default() }
    }

    /// If all containers are groups, only their members are read, wherever the other objects are.
    fn reads_among(&self, world: &World, arguments: &[&[ObjectId]]) -> Dependencies {
        match arguments {
            [containers, _] if containers.iter().all(|&container| self.groups.contains(world, container)) => {
                let arguments = [self.groups.mask(), AttributeMask::NONE].into_iter().collect();
                Dependencies { arguments, ..Dependencies::default() }
            }
            _ => self.reads(world),
        }
    }
}
