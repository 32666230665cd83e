//! Rewards: calls the program's entry function and converts its result into numbers.

use std::sync::Arc;

use super::exceptions::{ExecResult, TracebackEntry};
use super::numpy::to_python_number;
use super::value::{HeapObject, Value};
use super::{CallError, Machine, ReturnValue};
use crate::code::Symbol;
use crate::entry::Entry;
use crate::scene::Input;

/// The result of one call of a reward function.
#[derive(Debug, Clone, PartialEq)]
pub struct Reward {
    /// The total, in the type that the program returned.
    pub total: ReturnValue,
    /// The components by name, in the program's order; empty if the program returned only a total.
    pub components: Vec<(String, f64)>,
}

impl From<ReturnValue> for Reward {
    /// Creates a reward without components.
    fn from(total: ReturnValue) -> Self {
        Self { total, components: Vec::new() }
    }
}

impl Reward {
    /// The total as a float; `NaN` if it is no number.
    pub fn value(&self) -> f64 {
        match self.total {
            ReturnValue::Int(number) => number as f64,
            ReturnValue::Float(number) => number,
            ReturnValue::Bool(truth) => f64::from(u8::from(truth)),
            ReturnValue::Other(_) => f64::NAN,
        }
    }
}

/// A warning that numpy would emit, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumpyWarning {
    /// The line that was running.
    pub place: TracebackEntry,
    /// The message in numpy's words.
    pub message: String,
}

/// The description of a returned value that is not a reward.
struct InvalidReward(String);

impl Machine {
    /// Calls the entry function of the program and returns its reward.
    ///
    /// # Errors
    /// If the program raises an exception, exhausts the budget, or returns neither a number nor a number with named components.
    pub fn reward(&mut self, entry: &Entry, input: &Input<'_>) -> Result<Reward, CallError> {
        self.begin_run();
        let outcome = self.call_entry(entry, input);
        let reward = match outcome {
            Ok(Ok(reward)) => Ok(reward),
            Ok(Err(InvalidReward(value))) => {
                Err(CallError::InvalidReward { value, location: self.last_return_place() })
            }
            Err(fault) => Err(self.error(&fault)),
        };
        self.end_call();
        reward
    }

    /// The warnings of numpy in the last call, each message at most once per line.
    pub fn warnings(&self) -> &[NumpyWarning] {
        &self.warnings
    }

    pub(super) fn warn(&mut self, message: &str) {
        let Some(frame) = self.frames.last() else { return };
        let warning = NumpyWarning { place: self.frame_location(frame), message: message.to_owned() };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Records that a function whose output is not shown was called.
    pub(super) fn count_hidden_message(&mut self, source: &str) {
        self.warn(&format!("the output of `{source}` is not shown"));
    }

    fn call_entry(&mut self, entry: &Entry, input: &Input<'_>) -> ExecResult<Result<Reward, InvalidReward>> {
        let symbol = self.intern(&entry.function);
        let Some(called) = self.globals.get(symbol) else {
            let message = format!("name '{}' is not defined", entry.function);
            return Err(self.raise(super::ExceptionKind::NameError, &message));
        };
        if entry.takes_objects_only() {
            let objects = self.scene_objects(input.objects)?;
            let value = self.call_from_host(called, &[Value::Ref(objects)], &[])?;
            return self.reward_from(value);
        }
        let sources: Vec<_> =
            entry.arguments.iter().copied().chain(entry.keywords.iter().map(|&(_, supply)| supply)).collect();
        let mut values = self.build_arguments(&sources, input)?;
        let last = values.split_off(entry.arguments.len());
        let named: Vec<(Symbol, Value)> =
            entry.keywords.iter().zip(last).map(|((name, _), value)| (self.intern(name), value)).collect();
        let value = self.call_from_host(called, &values, &named)?;
        self.reward_from(value)
    }

    fn reward_from(&mut self, value: Value) -> ExecResult<Result<Reward, InvalidReward>> {
        if let Some(total) = self.reward_number(value) {
            return Ok(Ok(Reward { total, components: Vec::new() }));
        }
        let parts = match value {
            Value::Ref(at) => match self.heap.get(at) {
                HeapObject::Tuple(values) => values.to_vec(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        if let [total, components] = *parts.as_slice()
            && let Some(total) = self.reward_number(total)
            && let Value::Ref(at) = components
            && let HeapObject::Dict(dict) = self.heap.get(at)
        {
            let entries: Vec<(Value, Value)> = dict.iter().collect();
            let mut named = Vec::with_capacity(entries.len());
            for (name, value) in entries {
                let (Some(name), Some(number)) = (self.as_text(name), self.reward_number(value)) else {
                    let description = self.describe_value(value)?;
                    let name = self.describe_value(name)?;
                    return Ok(Err(InvalidReward(format!("a component {name} that is {description}"))));
                };
                let number = Reward { total: number, components: Vec::new() }.value();
                named.push((name.to_string(), number));
            }
            return Ok(Ok(Reward { total, components: named }));
        }
        self.describe_value(value).map(|description| Err(InvalidReward(description)))
    }

    fn reward_number(&mut self, value: Value) -> Option<ReturnValue> {
        let value = match self.base_value(value) {
            Value::Numpy(scalar) => to_python_number(scalar.get()),
            other => other,
        };
        match value {
            Value::Int(number) => Some(ReturnValue::Int(number)),
            Value::Float(number) => Some(ReturnValue::Float(number)),
            Value::Bool(truth) => Some(ReturnValue::Bool(truth)),
            _ => {
                let number = self.as_number(value)?;
                self.number_to_float(&number).ok().map(ReturnValue::Float)
            }
        }
    }

    /// Returns the representation of a value with its class, shortened to 60 characters.
    fn describe_value(&mut self, value: Value) -> ExecResult<String> {
        const MAX_REPR_CHARS: usize = 60;
        let text = self.repr(value)?;
        let cut: String = text.chars().take(MAX_REPR_CHARS).collect();
        let dots = if cut.len() < text.len() { "..." } else { "" };
        let class: Arc<str> = self.class_name(value);
        Ok(match value {
            Value::None => "None".to_owned(),
            _ => format!("{cut}{dots}, of class {class}"),
        })
    }

    /// Drops the frames of the finished call, frees the cells that only it needed, and collects garbage if the heap has grown.
    pub(super) fn end_call(&mut self) {
        self.clear_frames();
        self.heap.free_young();
        self.debug_check_references();
        if self.heap.should_collect() {
            self.collect_garbage();
        }
    }
}
