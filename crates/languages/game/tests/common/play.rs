//! Hand-written plays in a room of the language.

use glam::DVec3;
use goalspec_core::ids::ObjectId;
use goalspec_core::monitor::{GameMonitor, GameReport};
use goalspec_core::playback::Playback;
use goalspec_core::state::{AttributeChange, Delta};
use goalspec_core::value::Value;
use goalspec_core::world::World;
use goalspec_game::worlds;

/// A play under construction. An object keeps the position and size with which it is first listed; the agent is in every state.
pub struct Play {
    world: &'static World,
    states: Vec<Delta>,
}

impl Play {
    /// Creates a play without states in the room with few objects.
    pub fn new() -> Self {
        Self { world: worlds::builtin("few").expect("the room exists"), states: Vec::new() }
    }

    /// Returns the room.
    pub fn world(&self) -> &'static World {
        self.world
    }

    /// Returns the object with this identifier in recordings or this name in programs.
    pub fn object(&self, name: &str) -> ObjectId {
        let object = self.world.object_with_recorded_name(name).or_else(|| self.world.object_named(name));
        object.unwrap_or_else(|| panic!("`{name}` is an object"))
    }

    /// Begins a state. Clocks start at 1.
    pub fn state(&mut self) -> &mut Self {
        let clock = self.states.len() as u64 + 1;
        self.states.push(Delta { index: clock, clock, ..Delta::default() });
        self.set("agent", "position", Value::Vec3(DVec3::ZERO))
    }

    /// Begins the first state, at clock 0.
    pub fn state_at_zero(&mut self) -> &mut Self {
        self.state();
        let state = self.states.last_mut().expect("just begun");
        (state.index, state.clock) = (0, 0);
        self
    }

    /// Lists an object in the current state.
    pub fn list(&mut self, name: &str) -> &mut Self {
        let object = self.object(name);
        let state = self.states.last_mut().expect("a state has begun");
        if !state.listed_objects.contains(&object) {
            state.listed_objects.push(object);
        }
        self
    }

    /// Sets an attribute in the current state, and lists the object.
    pub fn set(&mut self, name: &str, attribute: &str, value: Value) -> &mut Self {
        let object = self.object(name);
        let attribute = self.world.attribute_named(attribute).expect("an attribute of the room");
        self.list(name);
        self.states.last_mut().expect("a state has begun").changes.push(AttributeChange { object, attribute, value });
        self
    }

    /// Sets a Boolean attribute.
    pub fn flag(&mut self, name: &str, attribute: &str, value: bool) -> &mut Self {
        self.set(name, attribute, Value::Bool(value))
    }

    /// Sets the position and a bounding box that extends half a metre in every direction.
    pub fn at(&mut self, name: &str, x: f64, y: f64, z: f64) -> &mut Self {
        let place = Value::Vec3(DVec3::new(x, y, z));
        self.set(name, "position", place.clone());
        self.set(name, "center", place);
        self.set(name, "extents", Value::Vec3(DVec3::splat(0.5)))
    }

    /// Sets the velocity.
    pub fn speed(&mut self, name: &str, x: f64) -> &mut Self {
        self.set(name, "velocity", Value::Vec3(DVec3::new(x, 0.0, 0.0)))
    }

    /// Sets the object that the agent holds.
    pub fn hold(&mut self, name: Option<&str>) -> &mut Self {
        let held = name.map(|name| self.object(name));
        self.set("agent", "held", Value::Object(held))
    }

    /// Sets the objects in contact with an object.
    pub fn touch(&mut self, name: &str, others: &[&str]) -> &mut Self {
        let mut others: Vec<ObjectId> = others.iter().map(|other| self.object(other)).collect();
        others.sort_unstable();
        self.set(name, "touching", Value::Set(others.into_iter().collect()))
    }

    /// Runs a monitor. `last_announced` is whether the monitor knows which state is the last one.
    pub fn run(&self, monitor: &mut dyn GameMonitor, last_announced: bool) -> GameReport {
        run(self.world, &self.states, monitor, last_announced)
    }
}

/// Runs a monitor over states. `last_announced` is whether the monitor knows which state is the last one.
pub fn run(world: &World, states: &[Delta], monitor: &mut dyn GameMonitor, last_announced: bool) -> GameReport {
    let mut playback = Playback::new(world.clone());
    for (index, delta) in states.iter().enumerate() {
        playback.advance(delta);
        if monitor.step(&playback.update(delta, last_announced && index + 1 == states.len())).done {
            break;
        }
    }
    monitor.finish(playback.state())
}
