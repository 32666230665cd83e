//! `goalspec export`

use std::io::Write;

use goalspec::bddl::export::{self, Choices};
use goalspec::bddl::planning::Places;
use goalspec::codes;
use goalspec::syntax::{Diagnostic, Severity};

use crate::args::ExportArgs;
use crate::loading::Found;
use crate::output::{Failure, Outcome, Output, write_file};

pub(crate) fn run(args: &ExportArgs, output: &mut Output) -> Outcome {
    let loaded = Found::among(&args.paths, &args.activities).load(&args.activities)?;
    if !loaded.report(output) {
        return Ok(false);
    }
    let library = loaded.library;
    let [program] = library.programs() else {
        let number = library.programs().len();
        return Err(Failure::Usage(format!("export takes one activity, and the paths hold {number} programs")));
    };
    let Some(activity) = program.as_activity() else {
        return Err(Failure::Usage(format!("`{}` is a game; activities can be exported", program.name)));
    };
    let choices = Choices { rooms: args.rooms, agent: args.agent };
    let (problem, domain, dialect) = (&activity.problem, library.domain(activity), activity.dialect);
    if args.actions && library.knowledge_of(program).is_none() && export::needs_knowledge(problem) {
        return Err(Failure::Usage(
            "--actions needs to know what things can do: name the folder of a release with --knowledge, or `goalspec fetch bddl`"
                .to_owned(),
        ));
    }
    let exported = if args.actions {
        export::pddl_with_actions(problem, domain, dialect, choices, library.knowledge_of(program), Places::Named)
    } else {
        export::pddl(problem, domain, dialect, choices, None)
    };
    let exported = match exported {
        Ok(exported) => exported,
        Err(error) => {
            let message = format!("`{}` cannot be exported: {error}", program.name);
            output.report(&[Diagnostic::new(codes::REFUSED, Severity::Error, message)], library.sources());
            return Ok(false);
        }
    };
    match &args.output {
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|error| Failure::File(folder.clone(), error))?;
            write_file(&folder.join("domain.pddl"), &exported.domain)?;
            write_file(&folder.join("problem.pddl"), &exported.problem)?;
        }
        None => write!(output, "{}\n{}", exported.domain, exported.problem)?,
    }
    Ok(true)
}
