//! Limits, cancellation and progress of grounding.

use std::ops::ControlFlow;
use std::time::Instant;

use super::datalog::Database;
use super::{GroundError, GroundLimits, GroundProgress, GroundStage};

/// Number of ticks between two checks of the clock.
const STEPS: u32 = 1 << 14;

/// A callback that receives the progress of grounding and can cancel it.
pub type GroundObserver<'a> = dyn FnMut(&GroundProgress) -> ControlFlow<()> + 'a;

/// The accounting of limits.
pub(super) struct Budget<'a> {
    limits: &'a GroundLimits,
    begin: Instant,
    observer: &'a mut GroundObserver<'a>,
    left: u32,
    stage: GroundStage,
    tuples: usize,
}

impl<'a> Budget<'a> {
    /// Starts the clock.
    pub(super) fn new(limits: &'a GroundLimits, observer: &'a mut GroundObserver<'a>) -> Self {
        Self { limits, begin: Instant::now(), observer, left: STEPS, stage: GroundStage::Reachability, tuples: 0 }
    }

    /// Starts a stage.
    ///
    /// # Errors
    /// Returns an error if a limit is exceeded or the observer cancels.
    pub(super) fn begin(&mut self, stage: GroundStage) -> Result<(), GroundError> {
        self.stage = stage;
        self.check()
    }

    /// Records a small amount of work that can enlarge the database.
    ///
    /// # Errors
    /// Returns an error if a limit is exceeded or the observer cancels.
    pub(super) fn tick(&mut self, database: &Database) -> Result<(), GroundError> {
        self.left -= 1;
        if self.left == 0 {
            self.left = STEPS;
            self.memory(database.bytes())?;
            self.check()?;
        }
        Ok(())
    }

    /// Records a small amount of work that allocates nothing.
    ///
    /// # Errors
    /// Returns an error if a limit is exceeded or the observer cancels.
    pub(super) fn tick_without_growth(&mut self) -> Result<(), GroundError> {
        self.left -= 1;
        if self.left == 0 {
            self.left = STEPS;
            self.check()?;
        }
        Ok(())
    }

    /// Counts a reached atom or operator.
    ///
    /// # Errors
    /// Returns an error if a limit is exceeded or the observer cancels.
    pub(super) fn count(&mut self, database: &Database) -> Result<(), GroundError> {
        self.tuples += 1;
        if self.tuples > self.limits.tuples {
            return Err(GroundError::TaskTooLarge { limit: self.limits.tuples });
        }
        self.tick(database)
    }

    /// Checks that a number of additional tuples, each of a number of objects, fits into the limits.
    ///
    /// # Errors
    /// Returns an error if it does not.
    pub(super) fn check_capacity(&self, tuples: u64, objects: usize) -> Result<(), GroundError> {
        self.memory(tuples.saturating_mul(objects as u64 * 4))?;
        if tuples > self.limits.tuples as u64 {
            return Err(GroundError::TaskTooLarge { limit: self.limits.tuples });
        }
        Ok(())
    }

    /// Checks that an amount of memory is within the limit.
    ///
    /// # Errors
    /// Returns an error if it is not.
    pub(super) fn memory(&self, bytes: u64) -> Result<(), GroundError> {
        if bytes > self.limits.memory {
            return Err(GroundError::Memory { needed: bytes, limit: self.limits.memory });
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), GroundError> {
        let time = self.begin.elapsed();
        if let Some(limit) = self.limits.time.filter(|&limit| time > limit) {
            return Err(GroundError::Time { limit });
        }
        let progress = GroundProgress { stage: self.stage, tuples: self.tuples, time };
        match (self.observer)(&progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(GroundError::Cancelled),
        }
    }
}
