//! The states of a plan as a trace, over which programs of other languages can be evaluated.

use std::io::Write;

use goalspec_core::explain::CoreNotation;
use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::plan::Plan;
use goalspec_core::planning::task::Task;
use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_trace::source::Compression;
use goalspec_trace::{Format, Header, LinesWriter, TraceError, TraceWriter};

/// Writes the states of a plan, derived facts included, as JSON Lines. The trace ends before the first inapplicable step.
///
/// # Errors
/// If the states cannot be written.
pub fn write(task: &Task, plan: &Plan, output: impl Write) -> Result<(), TraceError> {
    write_as(task, plan, &task.world, Delta::clone, output)
}

/// Writes the states of a plan as states of another world.
pub(crate) fn write_as(
    task: &Task,
    plan: &Plan,
    world: &World,
    translated: impl Fn(&Delta) -> Delta,
    output: impl Write,
) -> Result<(), TraceError> {
    let header = Header {
        world: Some(world.name().into()),
        id: Some(task.name.to_string()),
        ..Header::new(Format::Lines, Compression::None)
    };
    let mut writer = LinesWriter::new(output, world, &header)?;
    if let Ok(mut execution) = Execution::new(task) {
        writer.write(&translated(execution.initial_delta()))?;
        for step in &plan.steps {
            let Ok(delta) = execution.apply(step, &CoreNotation) else { break };
            writer.write(&translated(&delta))?;
        }
    }
    writer.finish()
}
