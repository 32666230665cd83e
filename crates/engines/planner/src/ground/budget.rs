//! What grounding may take, and whether somebody wants it to stop.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::datalog::Database;
use super::{GroundError, Limits, Progress, Stage};

/// How many small steps are taken between two looks at the clock.
const STEPS: u32 = 1 << 14;

/// Who is told how far grounding is, and may stop it.
pub type Observer<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + 'a;

/// Keeps account.
pub(super) struct Budget<'a> {
    limits: &'a Limits,
    begin: Instant,
    observer: &'a mut Observer<'a>,
    left: u32,
    stage: Stage,
    tuples: usize,
}

impl<'a> Budget<'a> {
    /// From now on.
    pub(super) fn new(limits: &'a Limits, observer: &'a mut Observer<'a>) -> Self {
        Self { limits, begin: Instant::now(), observer, left: STEPS, stage: Stage::Reaching, tuples: 0 }
    }

    /// Begins a stage.
    ///
    /// # Errors
    /// If grounding must stop.
    pub(super) fn begin(&mut self, stage: Stage) -> Result<(), GroundError> {
        self.stage = stage;
        self.look()
    }

    /// Takes a small step.
    ///
    /// # Errors
    /// If grounding must stop.
    pub(super) fn tick(&mut self, database: &Database) -> Result<(), GroundError> {
        self.left -= 1;
        if self.left == 0 {
            self.left = STEPS;
            self.memory(database.bytes())?;
            self.look()?;
        }
        Ok(())
    }

    /// Takes a small step in which nothing grows.
    ///
    /// # Errors
    /// If grounding must stop.
    pub(super) fn pass(&mut self) -> Result<(), GroundError> {
        self.left -= 1;
        if self.left == 0 {
            self.left = STEPS;
            self.look()?;
        }
        Ok(())
    }

    /// Counts an atom or operator that has been reached.
    ///
    /// # Errors
    /// If there are too many.
    pub(super) fn count(&mut self, database: &Database) -> Result<(), GroundError> {
        self.tuples += 1;
        if self.tuples > self.limits.tuples {
            return Err(GroundError::Size { most: self.limits.tuples });
        }
        self.tick(database)
    }

    /// Checks that so many tuples, each of so many objects, can still be reached.
    ///
    /// # Errors
    /// If they cannot.
    pub(super) fn expect(&self, tuples: u64, objects: usize) -> Result<(), GroundError> {
        self.memory(tuples.saturating_mul(objects as u64 * 4))?;
        if tuples > self.limits.tuples as u64 {
            return Err(GroundError::Size { most: self.limits.tuples });
        }
        Ok(())
    }

    /// Checks that so many bytes are allowed.
    ///
    /// # Errors
    /// If they are not.
    pub(super) fn memory(&self, bytes: u64) -> Result<(), GroundError> {
        if bytes > self.limits.memory {
            return Err(GroundError::Memory { needed: bytes, most: self.limits.memory });
        }
        Ok(())
    }

    /// When the search for invariants must end.
    pub(super) fn invariants_end(&self) -> Instant {
        let own = Instant::now() + self.limits.invariant_time.min(Duration::from_secs(1 << 20));
        self.limits.time.map_or(own, |time| own.min(self.begin + time))
    }

    fn look(&mut self) -> Result<(), GroundError> {
        let time = self.begin.elapsed();
        if let Some(most) = self.limits.time.filter(|&most| time > most) {
            return Err(GroundError::Time { most });
        }
        let progress = Progress { stage: self.stage, tuples: self.tuples, time };
        match (self.observer)(&progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(GroundError::Cancelled),
        }
    }
}
