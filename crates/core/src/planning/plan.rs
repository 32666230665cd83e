//! Plans.

use super::task::{ActionId, Task};
use crate::ids::ObjectId;

/// One step of a plan: an action applied to objects.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PlanStep {
    /// The action.
    pub action: ActionId,
    /// The arguments, one object for each parameter.
    pub arguments: Box<[ObjectId]>,
}

impl PlanStep {
    /// Formats the step as in plan files: `(stack a b)`.
    pub fn text(&self, task: &Task) -> String {
        let objects = self.arguments.iter().map(|&object| &*task.world.object_decl(object).id);
        let words: Vec<&str> = std::iter::once(&*task.action(self.action).name).chain(objects).collect();
        format!("({})", words.join(" "))
    }
}

/// A sequence of steps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// The steps, in order.
    pub steps: Vec<PlanStep>,
}
