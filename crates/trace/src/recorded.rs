//! Recorded human play in a simulated room, state by state, as JSON.
//!
//! | module | contents |
//! |---|---|
//! | [`document`] | the three file layouts around the states |
//! | [`state`] | one state: changed objects, agent, action |
//! | [`members`] | the members of objects, and their latest texts and values |
//! | [`corrector`] | the world's corrections to recorded values |
//!
//! A state lists the objects that changed, each with all of its values, and the agent if it changed. Only the current state is
//! kept in memory.

mod corrector;
mod document;
#[cfg(test)]
mod equivalence;
mod members;
mod state;

use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_syntax::{Diagnostic, Severity};

use crate::codes;
use crate::error::{Result, TraceError};
use crate::json::ScanProblem;
use crate::reader::{Decoder, Header};
use crate::source::ScanError;
pub(crate) use document::Document;
use state::StateParser;

/// A reader of the states of a recorded play.
pub(crate) struct RecordedReader<'r> {
    world: &'r World,
    candidates: Vec<&'r World>,
    document: Document<'r>,
    parser: StateParser<'r>,
    states: u64,
}

impl<'r> RecordedReader<'r> {
    pub(crate) fn new(document: Document<'r>, world: &'r World, candidates: Vec<&'r World>) -> Result<Self> {
        let Some(recording) = world.recording() else {
            return Err(TraceError::new(
                codes::NO_RECORDING,
                format!("world `{}` has no `[recording]` table for recorded plays", world.name()),
            ));
        };
        let reader = Self { world, candidates, document, parser: StateParser::new(world, recording), states: 0 };
        reader.check_scene()?;
        Ok(reader)
    }

    fn check_scene(&self) -> Result<()> {
        let scenes_of = |world: &'r World| world.recording().map_or(&[][..], |recording| &recording.scenes);
        let Some(scene) = &self.document.header().scene else { return Ok(()) };
        let scenes = scenes_of(self.world);
        if scenes.is_empty() || scenes.iter().any(|known| **known == **scene) {
            return Ok(());
        }
        let error = TraceError::new(
            codes::WRONG_WORLD,
            format!("the play was recorded in scene `{scene}`, which is not in world `{}`", self.world.name()),
        );
        let fitting = self.candidates.iter().find(|world| scenes_of(world).iter().any(|known| **known == **scene));
        Err(match fitting {
            Some(world) => error.with_help(format!("the scene belongs to world `{}`", world.name())),
            None => error,
        })
    }

    /// Fails if every object of the recording is foreign, which means that the recording belongs to another world.
    fn check_objects(&self) -> Result<()> {
        let foreign = self.parser.foreign();
        if self.parser.known_mentions() > 0 || foreign.is_empty() {
            return Ok(());
        }
        let error = TraceError::new(
            codes::WRONG_WORLD,
            format!("no object of the recording is in world `{}`: {}", self.world.name(), foreign.sample()),
        );
        Err(match self.better_world() {
            Some(world) => error.with_help(format!("the objects belong to world `{}`", world.name())),
            None => error,
        })
    }

    /// Returns the candidate that knows most of the foreign objects, if it knows more than half of them.
    fn better_world(&self) -> Option<&'r World> {
        let known = |world: &World| {
            self.parser.foreign().names().filter(|name| world.object_with_recorded_name(name).is_some()).count()
        };
        self.candidates
            .iter()
            .copied()
            .filter(|world| known(world) * 2 > self.parser.foreign().names().count())
            .max_by_key(|world| known(world))
    }

    fn explain(&self, error: ScanError) -> TraceError {
        if let (ScanError::Problem { offset, problem }, Some(field)) = (&error, self.parser.failed_field()) {
            let place = format!("in state {}, at byte {offset}", self.states + 1);
            match problem {
                ScanProblem::WrongType(expected) => {
                    return TraceError::new(codes::WRONG_TYPE, format!("`{field}` must be {expected} {place}"));
                }
                ScanProblem::NotFinite => {
                    let message = format!("`{field}` is not finite {place}");
                    return TraceError::new(codes::NOT_FINITE, message);
                }
                _ => {}
            }
        }
        self.document.explain(error, self.states)
    }
}

impl Decoder for RecordedReader<'_> {
    fn header(&self) -> &Header {
        self.document.header()
    }

    fn next(&mut self, delta: &mut Delta) -> Result<bool> {
        self.document.advance().map_err(|error| self.document.explain(error, self.states))?;
        if !self.document.at_state() {
            // A recording may name its scene after its states.
            self.check_scene()?;
            self.check_objects()?;
            return Ok(false);
        }
        let parser = &mut self.parser;
        let parsed = self.document.read_state(|scanner| parser.parse(scanner, delta));
        parsed.map_err(|error| self.explain(error))?;
        self.parser.commit(delta, self.states)?;
        self.states += 1;
        Ok(true)
    }

    fn remarks(&self) -> Vec<Diagnostic> {
        let mut remarks = self.document.remarks().to_vec();
        let foreign = self.parser.foreign();
        if !foreign.is_empty() {
            let message = format!(
                "{} of the recording {} not in world `{}`: {}",
                counted(foreign.count(), "object", "objects"),
                if foreign.count() == 1 { "is" } else { "are" },
                self.world.name(),
                foreign.sample(),
            );
            let mut remark = Diagnostic::new(codes::FOREIGN_OBJECTS, Severity::Warning, message);
            if let Some(world) = self.better_world() {
                remark = remark.with_help(format!("most of them are in world `{}`", world.name()));
            }
            remarks.push(remark);
        }
        let unnamed = self.parser.unknown_references();
        if !unnamed.is_empty() {
            remarks.push(Diagnostic::new(
                codes::FOREIGN_OBJECTS,
                Severity::Note,
                format!(
                    "objects of the recording refer to {} unknown in world `{}`: {}",
                    counted(unnamed.count(), "name", "names"),
                    self.world.name(),
                    unnamed.sample()
                ),
            ));
        }
        remarks
    }

    fn offset(&self) -> u64 {
        self.document.offset()
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
