//! Statistics of a whole trace, as printed by `goalspec trace info`.

use goalspec_core::state::Delta;
use goalspec_core::world::World;

use crate::error::Result;
use crate::reader::{Header, TraceReader};

/// Statistics of a whole trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The metadata of the trace.
    pub header: Header,
    /// The name of the world that the trace was read with.
    pub world: String,
    /// Number of states.
    pub states: u64,
    /// Indices of the first and of the last state.
    pub indices: (u64, u64),
    /// Clocks of the first and of the last state.
    pub clocks: (u64, u64),
    /// Seconds between the first and the last state with a time; `None` if no state has one.
    pub duration: Option<f64>,
    /// The objects that some state mentions, by id, with the number of states that mention them.
    pub objects: Vec<(String, u64)>,
    /// The attributes with recorded values, by name, with the number of values.
    pub attributes: Vec<(String, u64)>,
    /// Number of mentions of objects that the world does not have, over all states.
    pub foreign_mentions: u64,
    /// Number of recorded attribute values over all states.
    pub attribute_values: u64,
    /// Number of facts that begin or cease to hold.
    pub facts: u64,
    /// Number of recorded values of stored functions.
    pub fluents: u64,
    /// Number of states with an action of the agent.
    pub actions: u64,
}

impl Summary {
    /// Reads a trace to its end and computes its statistics.
    ///
    /// # Errors
    /// As [`TraceReader::next`].
    pub fn read(reader: &mut (impl TraceReader + ?Sized), world: &World) -> Result<Self> {
        let (summary, read) = Self::read_partial(reader, world);
        read.map(|()| summary)
    }

    /// Computes the statistics of a trace up to its end or its damage, and returns the error that ended the reading early, if any.
    pub fn read_partial(reader: &mut (impl TraceReader + ?Sized), world: &World) -> (Self, Result<()>) {
        let mut objects = vec![0_u64; world.objects().len()];
        let mut attributes = vec![0_u64; world.attributes().len()];
        let mut times: Option<(f64, f64)> = None;
        let mut summary = Self {
            header: reader.header().clone(),
            world: world.name().to_owned(),
            states: 0,
            indices: (0, 0),
            clocks: (0, 0),
            duration: None,
            objects: Vec::new(),
            attributes: Vec::new(),
            foreign_mentions: 0,
            attribute_values: 0,
            facts: 0,
            fluents: 0,
            actions: 0,
        };
        let mut delta = Delta::default();
        let read = loop {
            match reader.next(&mut delta) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
            if summary.states == 0 {
                summary.indices.0 = delta.index;
                summary.clocks.0 = delta.clock;
            }
            summary.indices.1 = delta.index;
            summary.clocks.1 = delta.clock;
            if let Some(time) = delta.time {
                times = Some((times.map_or(time, |(first, _)| first), time));
            }
            delta.listed_objects.iter().for_each(|object| objects[object.index()] += 1);
            delta.changes.iter().for_each(|change| attributes[change.attribute.index()] += 1);
            summary.states += 1;
            summary.foreign_mentions += u64::from(delta.unknown_objects);
            summary.facts += delta.facts.len() as u64;
            summary.fluents += delta.fluents.len() as u64;
            summary.actions += u64::from(delta.action.is_some());
        };
        // A recorded play may give its metadata after its states.
        summary.header = reader.header().clone();
        summary.duration = times.map(|(first, last)| last - first);
        summary.attribute_values = attributes.iter().sum();
        let used = |(name, count): (&str, u64)| (count > 0).then(|| (name.to_owned(), count));
        summary.objects = world.objects().iter().map(|object| &*object.id).zip(objects).filter_map(used).collect();
        summary.attributes =
            world.attributes().iter().map(|attribute| &*attribute.name).zip(attributes).filter_map(used).collect();
        (summary, read)
    }

    /// Returns the mean number of recorded attribute values per state; 0 for an empty trace.
    pub fn updates_per_state(&self) -> f64 {
        if self.states == 0 { 0.0 } else { self.attribute_values as f64 / self.states as f64 }
    }
}
