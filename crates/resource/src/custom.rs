//! Custom results: effects of consequences that users implement in code.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::value::Value;

/// The state of a game as a custom result accesses it. The observers of a node appear as the resource `observable`: its value is
/// a set of labels, and putting a set, a list or a single label replaces it.
pub trait StateAccess {
    /// Returns the value of a resource of a node; `None` if the node or the resource does not exist, or the value is missing.
    fn value(&self, node: &str, resource: &str) -> Option<Value>;

    /// Returns the values of a node with the names of their resources, without `observable`; empty if the node does not exist.
    fn values(&self, node: &str) -> Vec<(Arc<str>, Value)>;

    /// Replaces the value of a resource, or removes it if `value` is `None`.
    ///
    /// # Errors
    /// If the node does not exist, or if the value is outside its declared space where the rules treat this as an error. In the
    /// second case the game ends with that error even if the result ignores it.
    fn put(&mut self, node: &str, resource: &str, value: Option<Value>) -> Result<(), CustomResultError>;

    /// Draws a number uniformly from 0 (inclusive) to 1 (exclusive) from the stream of the game.
    fn uniform(&mut self) -> f64;
}

/// The arguments of a custom result.
pub struct CustomCall<'a> {
    /// The arguments written in the game.
    pub arguments: &'a [(Arc<str>, Option<Value>)],
    /// The parameters of the action that the consequence belongs to, with their values.
    pub action_parameters: &'a [(Arc<str>, Value)],
    /// The state of the game.
    pub state: &'a mut dyn StateAccess,
}

impl CustomCall<'_> {
    /// Returns the argument with a name; `None` if it is absent or missing.
    pub fn argument(&self, name: &str) -> Option<&Value> {
        self.arguments.iter().find(|(known, _)| &**known == name)?.1.as_ref()
    }

    /// Returns the string argument with a name.
    ///
    /// # Errors
    /// If the argument is absent or not a string.
    pub fn text_argument(&self, name: &str) -> Result<Arc<str>, CustomResultError> {
        match self.argument(name) {
            Some(Value::Text(text)) => Ok(text.clone()),
            Some(other) => {
                Err(CustomResultError::ArgumentNotText { argument: name.to_owned(), value: Box::new(other.clone()) })
            }
            None => Err(CustomResultError::MissingArgument { argument: name.to_owned() }),
        }
    }
}

/// The reason why a custom result cannot be computed. Its display is the message with which the game ends.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum CustomResultError {
    /// A node that the game does not have.
    UnknownNode {
        /// The name of the node.
        node: String,
    },
    /// A value outside the declared space of a resource, where the rules treat this as an error.
    OutOfBounds {
        /// The name of the node.
        node: String,
        /// The name of the resource.
        resource: String,
    },
    /// An argument that is absent or missing.
    MissingArgument {
        /// The name of the argument.
        argument: String,
    },
    /// An argument that is not a string.
    ArgumentNotText {
        /// The name of the argument.
        argument: String,
        /// Its value.
        value: Box<Value>,
    },
    /// Any other failure, with its message.
    Failed(String),
}

impl fmt::Display for CustomResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownNode { node } => write!(f, "unknown node `{node}`"),
            Self::OutOfBounds { node, resource } => {
                write!(f, "the value of `{node}.{resource}` is outside its declared space")
            }
            Self::MissingArgument { argument } => write!(f, "missing `{argument}`"),
            Self::ArgumentNotText { argument, value } => write!(f, "`{argument}` must be a string, found `{value}`"),
            Self::Failed(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for CustomResultError {}

impl From<String> for CustomResultError {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

impl From<&str> for CustomResultError {
    fn from(message: &str) -> Self {
        Self::Failed(message.to_owned())
    }
}

/// A custom result: the implementation of a consequence in code.
pub trait CustomResult: Send + Sync {
    /// Applies the effect of the consequence. Equal calls on equal states should have equal effects, so that games can be
    /// replayed.
    ///
    /// # Errors
    /// If the effect cannot be applied; the game ends with the message of the error.
    fn apply(&self, call: &mut CustomCall<'_>) -> Result<(), CustomResultError>;
}

impl<F: Fn(&mut CustomCall<'_>) -> Result<(), CustomResultError> + Send + Sync> CustomResult for F {
    fn apply(&self, call: &mut CustomCall<'_>) -> Result<(), CustomResultError> {
        self(call)
    }
}

/// The custom results available to a game, by name.
#[derive(Clone, Default)]
pub struct ResultRegistry {
    results: IndexMap<Arc<str>, Arc<dyn CustomResult>, FxBuildHasher>,
}

impl ResultRegistry {
    /// Adds a result, replacing an earlier one of the same name.
    #[must_use]
    pub fn with(mut self, name: &str, result: impl CustomResult + 'static) -> Self {
        self.results.insert(name.into(), Arc::new(result));
        self
    }

    /// Returns the result with a name.
    pub fn get(&self, name: &str) -> Option<&dyn CustomResult> {
        self.results.get(name).map(AsRef::as_ref)
    }

    /// Returns the names in insertion order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &Arc<str>> {
        self.results.keys()
    }
}

impl fmt::Debug for ResultRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.results.keys()).finish()
    }
}
