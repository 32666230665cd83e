//! Plans.

use super::task::{ActionId, Task};
use crate::ids::ObjectId;

/// An action with its objects.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Step {
    /// The action.
    pub action: ActionId,
    /// One object for each of its parameters.
    pub arguments: Box<[ObjectId]>,
}

impl Step {
    /// The step as plans are written: `(stack a b)`.
    pub fn text(&self, task: &Task) -> String {
        let objects = self.arguments.iter().map(|&object| &*task.world.object_decl(object).id);
        let words: Vec<&str> = std::iter::once(&*task.action(self.action).name).chain(objects).collect();
        format!("({})", words.join(" "))
    }
}

/// Steps that are taken one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// The steps.
    pub steps: Vec<Step>,
}
