//! The result of a call for the host: a value, or the reason why there is none.

use super::Machine;
use super::exceptions::{ChainedException, ExecError, LimitedResource, TracebackEntry};
use super::value::{HeapObject, HeapRef, Value};

/// The value that a call returns.
#[derive(Debug, Clone, PartialEq)]
pub enum ReturnValue {
    /// An integer that fits in 64 bits.
    Int(i64),
    /// A float.
    Float(f64),
    /// A Boolean.
    Bool(bool),
    /// Any other value, as its `repr`.
    Other(String),
}

/// The reason why a call returns no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallError {
    /// An unhandled exception.
    Exception {
        /// The name of its class.
        kind: String,
        /// Its message.
        message: String,
        /// Its traceback, outermost call first.
        traceback: Vec<TracebackEntry>,
        /// The chain of exceptions that led to it (`__cause__` or `__context__`), oldest first.
        chain: Vec<ChainedException>,
    },
    /// The budget is exhausted.
    Exhausted {
        /// The exhausted resource.
        resource: LimitedResource,
        /// The lines of all open calls, outermost first.
        traceback: Vec<TracebackEntry>,
    },
    /// A call returned a value that is not a reward.
    InvalidReward {
        /// A description of the returned value.
        value: String,
        /// The location of the `return` statement.
        location: Option<TracebackEntry>,
    },
}

impl std::fmt::Display for CallError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let line = |traceback: &[TracebackEntry]| traceback.last().map_or(0, |place| place.line);
        match self {
            Self::Exception { kind, message, .. } if message.is_empty() => f.write_str(kind),
            Self::Exception { kind, message, .. } => write!(f, "{kind}: {message}"),
            Self::InvalidReward { value, location: place } => {
                write!(f, "expected a number, or a number and a dict of its components, found {value}")?;
                match place {
                    Some(place) => write!(f, ", returned in line {}", place.line),
                    None => Ok(()),
                }
            }
            Self::Exhausted { resource, traceback } => {
                write!(f, "{resource} in line {}", line(traceback))
            }
        }
    }
}

impl std::error::Error for CallError {}

impl Machine {
    /// Returns the error of a call for the host.
    pub(super) fn error(&mut self, fault: &ExecError) -> CallError {
        match *fault {
            ExecError::Raised(at) => {
                let earlier = self.exception_chain(at);
                let (kind, message, traceback) = self.exception_parts(at);
                CallError::Exception { kind, message, traceback, chain: earlier }
            }
            ExecError::Exhausted(resource) => {
                let traceback = self.frames.iter().map(|frame| self.frame_location(frame)).collect();
                CallError::Exhausted { resource, traceback }
            }
        }
    }

    /// Returns the class name, the message and the traceback (outermost call first) of an exception.
    fn exception_parts(&mut self, at: HeapRef) -> (String, String, Vec<TracebackEntry>) {
        let HeapObject::Exception(exception) = self.heap.get(at) else { unreachable!("only exceptions are raised") };
        let mut traceback = exception.traceback.clone();
        traceback.reverse();
        let kind = self.class_name(Value::Ref(at)).to_string();
        (kind, self.exception_text(at).unwrap_or_default(), traceback)
    }

    /// Returns the chain of exceptions that led to an exception, oldest first.
    fn exception_chain(&mut self, at: HeapRef) -> Vec<ChainedException> {
        let mut found = Vec::new();
        let mut visited = vec![at];
        let mut at = at;
        while let HeapObject::Exception(exception) = self.heap.get(at) {
            let (next, is_cause) = match exception.cause {
                Some(Value::Ref(cause)) if matches!(self.heap.get(cause), HeapObject::Exception(_)) => {
                    (Some(cause), true)
                }
                Some(_) => (None, true),
                None => (exception.context, false),
            };
            let Some(next) = next.filter(|next| !visited.contains(next)) else { break };
            let (kind, message, traceback) = self.exception_parts(next);
            found.push(ChainedException { kind, message, traceback, is_cause });
            visited.push(next);
            at = next;
        }
        found.reverse();
        found
    }
}
