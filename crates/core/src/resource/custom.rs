//! Results that the users of a game provide: what a consequence does, in code.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::value::Value;

/// The state of a game as a custom result sees it. Who sees a node stands beside its resources under the name `observable`: its value is
/// a set of labels, and putting a set, a list or one label replaces it.
pub trait Ground {
    /// The value of a resource of a node; `None` if there is no such node, no such resource, or it has no value.
    fn value(&self, node: &str, resource: &str) -> Option<Value>;

    /// All values of a node, by the names of its resources, without who sees it; empty if there is no such node.
    fn values(&self, node: &str) -> Vec<(Arc<str>, Value)>;

    /// Replaces the value of a resource, or removes it.
    ///
    /// # Errors
    /// If there is no such node, or the value leaves its declared space where the rules forbid it: then the game ends with that error,
    /// whatever the result makes of it.
    fn put(&mut self, node: &str, resource: &str, value: Option<Value>) -> Result<(), String>;

    /// A number drawn uniformly from 0 (included) to 1 (excluded), from the game's own stream.
    fn uniform(&mut self) -> f64;
}

/// What a custom result is told.
pub struct Call<'a> {
    /// What the game's text says to it, as written.
    pub parameters: &'a [(Arc<str>, Option<Value>)],
    /// The parameters of the action that it is a consequence of.
    pub action: &'a [(Arc<str>, Value)],
    /// The state of the game.
    pub ground: &'a mut dyn Ground,
}

impl Call<'_> {
    /// What the game's text says under a name.
    pub fn parameter(&self, name: &str) -> Option<&Value> {
        self.parameters.iter().find(|(known, _)| &**known == name)?.1.as_ref()
    }

    /// The text that the game says under a name.
    ///
    /// # Errors
    /// If it says nothing there, or something that is no text.
    pub fn text_parameter(&self, name: &str) -> Result<Arc<str>, String> {
        match self.parameter(name) {
            Some(Value::Text(text)) => Ok(text.clone()),
            Some(other) => Err(format!("`{name}` is `{other}`, and should be a text")),
            None => Err(format!("`{name}` is missing")),
        }
    }
}

/// A result in code.
pub trait CustomResult: Send + Sync {
    /// Does what the consequence does. Equal calls on equal states should do the same, so that games can be replayed.
    ///
    /// # Errors
    /// If it cannot be done; the game ends with this message.
    fn apply(&self, call: &mut Call<'_>) -> Result<(), String>;
}

impl<F: Fn(&mut Call<'_>) -> Result<(), String> + Send + Sync> CustomResult for F {
    fn apply(&self, call: &mut Call<'_>) -> Result<(), String> {
        self(call)
    }
}

/// The custom results that games may name.
#[derive(Clone, Default)]
pub struct Registry {
    results: IndexMap<Arc<str>, Arc<dyn CustomResult>, FxBuildHasher>,
}

impl Registry {
    /// Adds a result; one of the same name is replaced.
    #[must_use]
    pub fn with(mut self, name: &str, result: impl CustomResult + 'static) -> Self {
        self.results.insert(name.into(), Arc::new(result));
        self
    }

    /// The result of this name.
    pub fn get(&self, name: &str) -> Option<&dyn CustomResult> {
        self.results.get(name).map(AsRef::as_ref)
    }

    /// The names, in the order in which they were added.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &Arc<str>> {
        self.results.keys()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.results.keys()).finish()
    }
}
