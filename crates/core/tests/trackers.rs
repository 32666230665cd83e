//! Trackers: groups, speeds, initial values.

use crate::sketch::{self, text, world_with};
use glam::DVec3;
use goalspec_core::ids::{AttributeMask, ObjectId};
use goalspec_core::playback::Playback;
use goalspec_core::state::{AttributeChange, Delta};
use goalspec_core::value::Value;
use goalspec_core::world::Tracker;
use goalspec_core::world::World;
use goalspec_core::world::operation::{Setting, Settings};

/// A recorded play, built step by step. Blocks are 0.2 wide.
struct Play<'w> {
    world: &'w World,
    playback: Playback,
    delta: Delta,
}

impl<'w> Play<'w> {
    fn new(world: &'w World) -> Self {
        Self { world, playback: Playback::new(world.clone()), delta: Delta::default() }
    }

    fn object(&self, name: &str) -> ObjectId {
        self.world.object_named(name).unwrap()
    }

    fn change(&mut self, object: &str, attribute: &str, value: Value) {
        let attribute = self.world.attribute_named(attribute).unwrap();
        self.delta.changes.push(AttributeChange { object: self.object(object), attribute, value });
    }

    /// Sets the object that the agent holds from now on, if any.
    fn hold(mut self, thing: Option<&str>) -> Self {
        let held = thing.map(|name| self.object(name));
        self.change("agent", "held", Value::Object(held));
        self
    }

    /// Lists an object at a position, at rest or in motion, touching others.
    fn thing(mut self, name: &str, x: f64, speed: f64, touching: &[&str]) -> Self {
        let set = touching.iter().map(|name| self.object(name)).collect();
        self.change(name, "center", Value::Vec3(DVec3::new(x, 0.1, 0.0)));
        self.change(name, "extents", Value::Vec3(DVec3::splat(0.1)));
        self.change(name, "velocity", Value::Vec3(DVec3::new(0.0, speed, 0.0)));
        self.change(name, "touching", Value::Set(set));
        self.delta.listed_objects.push(self.object(name));
        self
    }

    fn gone(mut self, name: &str) -> Self {
        self.delta.removed.push(self.object(name));
        self
    }

    fn state(mut self) -> Self {
        self.playback.advance(&self.delta);
        let clock = self.delta.clock;
        self.delta.clear();
        self.delta.clock = clock + 1;
        self
    }

    /// Picks up an object, puts it down at a position, and lets it come to rest there.
    fn place(self, name: &str, x: f64, touching: &[&str]) -> Self {
        self.hold(Some(name)).thing(name, x, 0.0, &[]).state().hold(None).thing(name, x, 0.0, touching).state()
    }

    fn members(&self, group: &str) -> Option<Vec<String>> {
        let (state, members) = (self.playback.state(), self.world.attribute_named("members").unwrap());
        let set = state.object_set(members, self.object(group))?;
        assert!(state.is_present(self.object(group)));
        Some(set.iter().map(|&id| self.world.object_decl(id).id.to_string()).collect())
    }

    /// Checks the members of both groups; an absent group has none.
    #[track_caller]
    fn groups(self, two: &[&str], ten: &[&str]) -> Self {
        for (group, expected) in [("building_2", two), ("building_10", ten)] {
            let found = self.members(group).unwrap_or_default();
            assert_eq!(found, expected, "{group}");
            assert_eq!(self.playback.state().is_present(self.object(group)), !expected.is_empty());
        }
        self
    }

    fn vector(&self, object: &str, attribute: &str) -> Option<DVec3> {
        self.playback.state().vec3(self.world.attribute_named(attribute).unwrap(), self.object(object))
    }

    fn changed(&self, object: &str) -> AttributeMask {
        let id = self.object(object);
        self.playback
            .changes()
            .objects
            .iter()
            .find(|(other, _)| *other == id)
            .map_or(AttributeMask::NONE, |found| found.1)
    }

    fn mask(&self, attribute: &str) -> AttributeMask {
        AttributeMask::one(self.world.attribute_named(attribute).unwrap())
    }
}

fn groups_world() -> World {
    world_with(&[], &[("groups", &[("groups", text("building")), ("agent", text("agent"))])])
}

#[test]
fn objects_that_were_held_and_came_to_rest_form_a_group() {
    let world = groups_world();
    let play = Play::new(&world)
        .thing("block", 0.0, 0.0, &[])
        .thing("ball", 1.0, 0.0, &[])
        .state()
        .groups(&[], &[])
        .hold(Some("block"))
        .thing("block", 0.5, 1.0, &[])
        .state()
        .groups(&[], &[])
        .hold(None)
        .thing("block", 0.6, 1.0, &[])
        .state()
        .groups(&[], &[])
        // At rest. It touches the ball, which has never been held and belongs to no group.
        .thing("block", 0.8, 0.0, &["ball"])
        .state()
        .groups(&["block"], &[]);
    assert_eq!(play.vector("building_2", "center"), Some(DVec3::new(0.8, 0.1, 0.0)));
    assert_eq!(play.vector("building_2", "extents"), Some(DVec3::splat(0.1)));
    assert!(play.playback.changes().presence.contains(&play.object("building_2")));
    // Picked up again, it leaves the group without members.
    let play = play.hold(Some("block")).thing("block", 0.8, 0.0, &[]).state().groups(&[], &[]);
    assert!(play.playback.changes().presence.contains(&play.object("building_2")));
    assert!(play.changed("building_2").intersects(play.mask("members")));
}

#[test]
fn objects_join_groups_they_touch_and_the_box_grows() {
    let world = groups_world();
    let play = Play::new(&world).place("block", 0.0, &[]).place("ball", 1.0, &[]).groups(&["block"], &["ball"]);
    let play = play.place("brick", 0.25, &["block"]).groups(&["block", "brick"], &["ball"]);
    // From -0.1 to 0.35.
    assert!((play.vector("building_2", "center").unwrap().x - 0.125).abs() < 1e-9);
    assert!((play.vector("building_2", "extents").unwrap().x - 0.225).abs() < 1e-9);
    // Carried to the other group.
    let play = play.place("brick", 0.8, &["ball"]).groups(&["block"], &["brick", "ball"]);
    assert!((play.vector("building_2", "extents").unwrap().x - 0.1).abs() < 1e-9);
    // Put down alone, after leaving a group that still has a member: it would join a group without members, but there
    // is none.
    let play = play.place("brick", 3.0, &[]).groups(&["block"], &["ball"]);
    assert_eq!(play.playback.remarks(), ["ungrouped objects at rest: 1 (all 2 groups are in use), first `brick`"]);
}

#[test]
fn groups_that_touch_are_merged_into_the_first_in_the_order_of_text() {
    let world = groups_world();
    let play = Play::new(&world).place("block", 0.0, &[]).place("ball", 0.4, &[]).groups(&["block"], &["ball"]);
    // A new member that touches both groups.
    let merged = play.place("brick", 0.2, &["block", "ball"]).groups(&[], &["block", "brick", "ball"]);
    assert!(merged.playback.changes().presence.contains(&merged.object("building_2")));
    assert_eq!(merged.vector("building_2", "center"), None);
    assert!((merged.vector("building_10", "extents").unwrap().x - 0.3).abs() < 1e-9);

    // A listed object that has been at rest throughout and touches a member of another group.
    Play::new(&world)
        .place("block", 0.0, &[])
        .place("ball", 0.2, &[])
        .groups(&["block"], &["ball"])
        .thing("block", 0.0, 0.0, &["ball"])
        .state()
        .groups(&[], &["block", "ball"]);
}

#[test]
fn members_that_are_pushed_stay_members_as_they_were() {
    let world = groups_world();
    let play = Play::new(&world).place("block", 0.0, &[]).place("brick", 0.2, &["block"]);
    // Pushed a little and still touching: the group's box does not change.
    let before = play.vector("building_2", "center");
    let play = play.thing("brick", 0.25, 1.0, &["block"]).state();
    assert!(play.changed("building_2").intersects(play.mask("velocity") | play.mask("center")));
    let play = play.thing("brick", 0.3, 0.0, &["block"]).state().groups(&["block", "brick"], &[]);
    assert_eq!(play.vector("building_2", "center"), before);
    // Pushed away, it comes to rest alone: it joins a new group with its new box, and stays listed in the former one
    // with its old box.
    let play = play.thing("brick", 1.0, 1.0, &[]).state().thing("brick", 2.0, 0.0, &[]).state();
    let play = play.groups(&["block", "brick"], &["brick"]);
    assert_eq!(play.vector("building_10", "center"), Some(DVec3::new(2.0, 0.1, 0.0)));
    assert_eq!(play.vector("building_2", "center"), before);
    // Pushed again while alone in its group: both groups report the change, but neither updates the member's box.
    let play = play.thing("brick", 2.1, 1.0, &[]).state();
    assert!(!play.changed("building_2").is_empty() && !play.changed("building_10").is_empty());
    let play = play.thing("brick", 2.2, 0.0, &[]).state().groups(&["block", "brick"], &["brick"]);
    assert_eq!(play.vector("building_10", "center"), Some(DVec3::new(2.0, 0.1, 0.0)));
    // Picked up, it leaves the group that it joined last. Put back, its box in the former group is updated: from -0.1
    // to 0.4.
    let play = play.hold(Some("brick")).thing("brick", 2.0, 0.0, &[]).state().groups(&["block", "brick"], &[]);
    let play = play.hold(None).thing("brick", 0.3, 0.0, &["block"]).state().groups(&["block", "brick"], &[]);
    assert!((play.vector("building_2", "extents").unwrap().x - 0.25).abs() < 1e-9);
    // A removed object is removed from all groups.
    play.gone("brick").state().groups(&["block"], &[]);
}

#[test]
fn only_listed_objects_are_processed_and_removed_ones_leave() {
    let world = groups_world();
    let play = Play::new(&world).place("block", 0.0, &[]).place("brick", 0.2, &["block"]);
    // Held, but not listed: it does not leave its group yet.
    let play = play.hold(Some("brick")).state().groups(&["block", "brick"], &[]);
    assert!(play.changed("building_2").is_empty());
    let play = play.hold(None).gone("brick").state().groups(&["block"], &[]);
    play.gone("block").state().groups(&[], &[]);
}

#[test]
fn a_group_changes_with_its_members() {
    let world = groups_world();
    let mut play = Play::new(&world).place("block", 0.0, &[]);
    play.change("block", "color", Value::Object(None));
    let play = play.state();
    assert_eq!(play.changed("building_2"), play.mask("color"));
    assert!(play.state().changed("building_2").is_empty());
}

#[test]
fn speed_is_distance_divided_by_time() {
    let position = |x: f64| Value::Vec3(DVec3::new(x, 0.0, 0.0));
    let settings: &[(&str, Setting)] = &[("objects", text("agent")), ("tick", Setting::Number(0.5))];
    let world = world_with(&[], &[("speed", settings)]);
    let speed =
        |play: &Play<'_>| play.playback.state().real(world.attribute_named("speed").unwrap(), play.object("agent"));
    let mut play = Play::new(&world).state();
    assert_eq!(speed(&play), None, "nobody knows where it is");
    // (position if listed, clock, seconds if known, speed)
    let steps = [
        (Some(1.0), 10, None, 0.0),
        // 2 m in 4 ticks of half a second.
        (Some(3.0), 14, None, 1.0),
        (None, 15, None, 0.0),
        (Some(2.0), 16, None, 2.0),
        (Some(3.0), 17, Some(100.0), 2.0),
        (Some(4.0), 18, Some(100.25), 4.0),
        // A clock that stands still, or runs backwards, counts as one tick.
        (Some(5.0), 18, Some(100.25), 2.0),
        (Some(6.0), 3, Some(1.0), 2.0),
    ];
    for (x, clock, time, expected) in steps {
        if let Some(x) = x {
            play.change("agent", "position", position(x));
        }
        (play.delta.clock, play.delta.time) = (clock, time);
        play = play.state();
        assert_eq!(speed(&play), Some(expected), "clock {clock}");
    }
    assert!(play.changed("agent").intersects(play.mask("position")));
}

#[test]
fn the_first_value_is_kept() {
    let world = world_with(&[], &[("first_value", &[])]);
    let turned = |y: f64| Value::Vec3(DVec3::new(0.0, y, 0.0));
    let mut play = Play::new(&world);
    play.change("block", "rotation", turned(10.0));
    play = play.state();
    play.change("block", "rotation", turned(20.0));
    play.change("ball", "rotation", turned(30.0));
    play = play.state();
    assert_eq!(play.vector("block", "initial_rotation"), Some(DVec3::new(0.0, 10.0, 0.0)));
    assert_eq!(play.vector("ball", "initial_rotation"), Some(DVec3::new(0.0, 30.0, 0.0)));
    assert_eq!(play.vector("brick", "initial_rotation"), None);
    assert_eq!(play.changed("ball"), play.mask("rotation") | play.mask("initial_rotation"));
    assert_eq!(play.changed("block"), play.mask("rotation"));
    // The speed of an object that disappears and returns begins at 0.
    play = play.gone("ball").state();
    play.change("ball", "rotation", turned(40.0));
    play = play.state();
    assert_eq!(play.vector("ball", "initial_rotation"), Some(DVec3::new(0.0, 40.0, 0.0)));
}

/// Settings by name.
type NamedSettings<'a> = &'a [(&'a str, Setting)];

#[test]
fn trackers_report_wrong_settings() {
    let world = sketch::world();
    let resolve = |name: &str, settings: NamedSettings<'_>| {
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Tracker::resolve(name, &mut Settings::new(&world, settings)).unwrap_err().to_string()
    };
    let cases: [(&str, NamedSettings<'_>, &str); 5] = [
        ("group", &[], "unknown operation `group`"),
        ("groups", &[("agent", text("agent"))], "`groups` must name one type"),
        ("groups", &[("groups", text("building"))], "`agent` must name an object"),
        ("speed", &[("objects", text("agent")), ("tick", Setting::Number(0.0))], "`tick` must be greater than 0"),
        ("first_value", &[("keep", text("speed"))], "attribute `speed` is of kind real, expected orientation"),
    ];
    for (name, settings, expected) in cases {
        let message = resolve(name, settings);
        assert!(message.contains(expected), "{message}");
    }
}
