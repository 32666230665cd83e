//! The `goalspec export` command.

use std::io::Write;

use goalspec::bddl::export::{self, ExportOptions};
use goalspec::bddl::planning::PlacementScope;
use goalspec::codes;
use goalspec::syntax::limits::MAX_SOURCE_BYTES;
use goalspec::syntax::{Diagnostic, Severity};

use super::problem::read_actions;
use crate::args::ExportArgs;
use crate::library::DiscoveredFiles;
use crate::output::{CommandError, CommandResult, Output, write_file};

pub(crate) fn run(args: &ExportArgs, output: &mut Output) -> CommandResult {
    let loaded = DiscoveredFiles::with_activities(&args.paths, &args.activities).load(&args.activities)?;
    if !loaded.report(output) {
        return Ok(false);
    }
    let library = loaded.library;
    let [program] = library.programs() else {
        let number = library.programs().len();
        return Err(CommandError::Usage(format!("expected 1 activity, found {number} programs")));
    };
    let Some(activity) = program.as_activity() else {
        return Err(CommandError::Usage(format!("`{}` is not an activity", program.name)));
    };
    let choices = ExportOptions { rooms: args.rooms, agent: args.agent };
    let (problem, domain, dialect) = (&activity.problem, library.bddl_domain(activity), activity.dialect);
    if args.actions.is_some() && library.knowledge_of(program).is_none() && export::needs_knowledge(problem) {
        return Err(CommandError::Usage(
            "--actions requires a knowledge base: specify the folder of a release with --knowledge, or run `goalspec fetch bddl`"
                .to_owned(),
        ));
    }
    let exported = if let Some(changes) = &args.actions {
        let mut knowledge = library.knowledge_of(program).cloned();
        if let (Some(path), Some(knowledge)) = (changes, &mut knowledge) {
            let Some(actions) = read_actions(path, output) else { return Ok(false) };
            knowledge.set_actions(actions);
        }
        export::pddl_with_actions(problem, domain, dialect, choices, knowledge.as_ref(), PlacementScope::Named)
    } else {
        export::pddl(problem, domain, dialect, choices, None)
    };
    let exported = match exported {
        Ok(exported) => exported,
        Err(error) => {
            let message = format!("cannot export `{}`: {error}", program.name);
            output.report(&[Diagnostic::new(codes::NOT_SUPPORTED, Severity::Error, message)], library.sources());
            return Ok(false);
        }
    };
    let texts = [exported.domain.len(), exported.problem.len()];
    if let Some(bytes) = too_large(texts, args.output.is_some()) {
        let message = format!(
            "cannot export `{}`: its {bytes} bytes exceed the limit of {MAX_SOURCE_BYTES} bytes of text that goalspec reads",
            program.name
        );
        let error = Diagnostic::new(codes::NOT_SUPPORTED, Severity::Error, message)
            .with_help("the limit cannot be lifted: split the goal, or bind fewer variables together");
        output.report(&[error], library.sources());
        return Ok(false);
    }
    match &args.output {
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|error| CommandError::File(folder.clone(), error))?;
            write_file(&folder.join("domain.pddl"), &exported.domain)?;
            write_file(&folder.join("problem.pddl"), &exported.problem)?;
        }
        None => write!(output, "{}\n{}", exported.domain, exported.problem)?,
    }
    Ok(true)
}

/// Returns the length of the longest output file if it exceeds the limit of a source file: of either text if the files are separate, and
/// of both together otherwise.
fn too_large([domain, problem]: [usize; 2], apart: bool) -> Option<usize> {
    let longest = if apart { domain.max(problem) } else { domain.saturating_add(problem).saturating_add(1) };
    (longest > MAX_SOURCE_BYTES).then_some(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreadable_formats_are_not_written() {
        const MOST: usize = MAX_SOURCE_BYTES;
        for (texts, apart, found) in [
            ([MOST, MOST], true, None),
            ([1, MOST + 1], true, Some(MOST + 1)),
            ([MOST + 1, 1], true, Some(MOST + 1)),
            ([MOST, 0], false, Some(MOST + 1)),
            ([MOST - 2, 1], false, None),
            ([MOST - 1, 1], false, Some(MOST + 1)),
        ] {
            assert_eq!(too_large(texts, apart), found, "{texts:?} {apart}");
        }
    }
}
