//! `goalspec export`

use std::io::Write;

use goalspec::bddl::export::{self, Choices};
use goalspec::files;
use goalspec::library::Library;
use goalspec::syntax::Diagnostic;

use crate::args::ExportArgs;
use crate::output::{Failure, Outcome, Output, write_file};

pub(crate) fn run(args: &ExportArgs, output: &mut Output) -> Outcome {
    let (inputs, mut diagnostics) = files::discover(&args.paths);
    let (reading, wrong) = args.activities.reading();
    diagnostics.extend(wrong);
    let library = Library::load(&inputs, reading);
    diagnostics.extend(library.diagnostics().iter().cloned());
    output.report(&diagnostics, library.sources());
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(false);
    }
    let [program] = library.programs() else {
        let number = library.programs().len();
        return Err(Failure::Usage(format!("export takes one activity, and the paths hold {number} programs")));
    };
    let Some(activity) = program.as_activity() else {
        return Err(Failure::Usage(format!("`{}` is a game; activities can be exported", program.name)));
    };
    let choices = Choices { rooms: args.rooms, agent: args.agent };
    let domain = activity.problem.domain.as_ref().and_then(|name| library.domain(&name.text));
    let exported = export::pddl(&activity.problem, domain, activity.dialect, choices)
        .map_err(|error| Failure::Usage(format!("`{}` cannot be exported: {error}", program.name)))?;
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
