//! Limits on the reading of one trace, for traces of unknown origin that are scored in large numbers.

use std::time::{Duration, Instant};

use crate::codes;
use crate::error::{Result, TraceError};

/// Limits on the reading of one trace. A trace that exceeds one of them is an error with the code [`codes::OVER_LIMIT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadLimits {
    /// The maximum number of states, or of frames of a recording of screens; `None` for no limit.
    pub states: Option<u64>,
    /// The maximum number of bytes: of uncompressed text, of the uncompressed columns of a Parquet table, or of memory of a trace in memory;
    /// `None` for no limit.
    pub bytes: Option<u64>,
    /// The maximum time, from [`start`](Self::start) on; `None` for no limit. It is checked before every state, so whatever evaluates a state
    /// can exceed it by the time for one state.
    pub time: Option<Duration>,
}

impl ReadLimits {
    /// Starts the time.
    pub fn start(self) -> ActiveReadLimits {
        ActiveReadLimits { limits: self, start: Instant::now() }
    }
}

/// [`ReadLimits`] whose time has started.
#[derive(Debug, Clone, Copy)]
pub struct ActiveReadLimits {
    limits: ReadLimits,
    start: Instant,
}

impl ActiveReadLimits {
    /// Checks the number of states read so far.
    pub(crate) fn check_states(&self, states: u64) -> Result<()> {
        check(self.limits.states, states, "states per trace is exceeded")
    }

    /// Checks the number of bytes read so far.
    pub(crate) fn check_bytes(&self, bytes: u64) -> Result<()> {
        check(self.limits.bytes, bytes, "bytes per trace is exceeded")
    }

    /// Checks the time since the start.
    pub(crate) fn check_time(&self) -> Result<()> {
        match self.limits.time {
            Some(limit) if self.start.elapsed() > limit => {
                Err(over_limit(format!("the limit of {limit:?} of time per trace is exceeded")))
            }
            _ => Ok(()),
        }
    }
}

fn check(limit: Option<u64>, found: u64, what: &str) -> Result<()> {
    match limit {
        Some(limit) if found > limit => Err(over_limit(format!("the limit of {limit} {what}"))),
        _ => Ok(()),
    }
}

fn over_limit(message: String) -> TraceError {
    TraceError::new(codes::OVER_LIMIT, message)
}
