//! Rewards: calls the program's entry function and converts its result into numbers.

use std::sync::Arc;

use super::exceptions::{Outcome, Place};
use super::numpy::native;
use super::value::{Cell, Value};
use super::{Error, Given, Machine};
use crate::code::Symbol;
use crate::entry::Entry;
use crate::scene::Input;

/// The result of one call of a reward function.
#[derive(Debug, Clone, PartialEq)]
pub struct Reward {
    /// The total, in the type that the program returned.
    pub total: Given,
    /// The components by name, in the program's order; empty if the program returned only a total.
    pub components: Vec<(String, f64)>,
}

impl From<Given> for Reward {
    /// Creates a reward without components.
    fn from(total: Given) -> Self {
        Self { total, components: Vec::new() }
    }
}

impl Reward {
    /// The total as a float; `NaN` if it is no number.
    pub fn value(&self) -> f64 {
        match self.total {
            Given::Int(number) => number as f64,
            Given::Float(number) => number,
            Given::Bool(truth) => f64::from(u8::from(truth)),
            Given::Other(_) => f64::NAN,
        }
    }
}

/// A warning that numpy would emit, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The line that was running.
    pub place: Place,
    /// The message in numpy's words.
    pub message: String,
}

/// The description of a returned value that is not a reward.
struct NoReward(String);

impl Machine<'_> {
    /// Calls the entry function of the program and returns its reward.
    ///
    /// # Errors
    /// If the program raises an exception, exhausts the budget, or returns neither a number nor a number with named components.
    pub fn reward(&mut self, entry: &Entry, input: &Input<'_>) -> Result<Reward, Error> {
        self.begin();
        let outcome = self.rewarded(entry, input);
        let reward = match outcome {
            Ok(Ok(reward)) => Ok(reward),
            Ok(Err(NoReward(what))) => Err(Error::NoReward { what, place: self.returned.clone() }),
            Err(fault) => Err(self.error(&fault)),
        };
        self.settle();
        reward
    }

    /// The warnings of numpy in the last call, each message at most once per line.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    pub(super) fn warn(&mut self, message: &str) {
        let Some(frame) = self.frames.last() else { return };
        let warning = Warning { place: self.place(frame), message: message.to_owned() };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    fn rewarded(&mut self, entry: &Entry, input: &Input<'_>) -> Outcome<Result<Reward, NoReward>> {
        let symbol = self.symbol(&entry.function);
        let Some(&called) = self.globals.get(&symbol) else {
            let message = format!("name '{}' is not defined", entry.function);
            return Err(self.raise(super::ExceptionKind::NameError, &message));
        };
        let wanted: Vec<_> =
            entry.arguments.iter().copied().chain(entry.named.iter().map(|&(_, supply)| supply)).collect();
        let mut values = self.supplied(&wanted, input)?;
        let last = values.split_off(entry.arguments.len());
        let named: Vec<(Symbol, Value)> =
            entry.named.iter().zip(last).map(|((name, _), value)| (self.symbol(name), value)).collect();
        let value = self.call_from_outside(called, &values, &named)?;
        self.as_reward(value)
    }

    fn as_reward(&mut self, value: Value) -> Outcome<Result<Reward, NoReward>> {
        if let Some(total) = self.total(value) {
            return Ok(Ok(Reward { total, components: Vec::new() }));
        }
        let parts = match value {
            Value::Ref(at) => match self.heap.get(at) {
                Cell::Tuple(values) => values.to_vec(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        if let [total, components] = *parts.as_slice()
            && let Some(total) = self.total(total)
            && let Value::Ref(at) = components
            && let Cell::Dict(dict) = self.heap.get(at)
        {
            let entries: Vec<(Value, Value)> = dict.iter().collect();
            let mut named = Vec::with_capacity(entries.len());
            for (name, value) in entries {
                let (Some(name), Some(number)) = (self.as_text(name), self.total(value)) else {
                    let shown = self.shown(value)?;
                    let name = self.shown(name)?;
                    return Ok(Err(NoReward(format!("a component {name} that is {shown}"))));
                };
                let number = Reward { total: number, components: Vec::new() }.value();
                named.push((name.to_string(), number));
            }
            return Ok(Ok(Reward { total, components: named }));
        }
        self.shown(value).map(|shown| Err(NoReward(shown)))
    }

    fn total(&mut self, value: Value) -> Option<Given> {
        let value = match self.plain(value) {
            Value::Numpy(scalar) => native(scalar),
            other => other,
        };
        match value {
            Value::Int(number) => Some(Given::Int(number)),
            Value::Float(number) => Some(Given::Float(number)),
            Value::Bool(truth) => Some(Given::Bool(truth)),
            _ => {
                let number = self.number(value)?;
                self.float_of(&number).ok().map(Given::Float)
            }
        }
    }

    /// Returns the representation of a value with its class, shortened to 60 characters.
    fn shown(&mut self, value: Value) -> Outcome<String> {
        const LONGEST: usize = 60;
        let text = self.repr(value)?;
        let cut: String = text.chars().take(LONGEST).collect();
        let dots = if cut.len() < text.len() { "..." } else { "" };
        let class: Arc<str> = self.class_name(value);
        Ok(match value {
            Value::None => "None".to_owned(),
            _ => format!("{cut}{dots}, of class {class}"),
        })
    }

    /// Drops the frames of the finished call, and collects garbage if the heap has grown.
    pub(super) fn settle(&mut self) {
        self.frames.clear();
        if self.heap.has_grown() {
            self.free();
        }
    }

    /// Records the place where a call from outside returned.
    pub(super) fn note_return(&mut self, place: Place) {
        self.returned = Some(place);
    }
}
