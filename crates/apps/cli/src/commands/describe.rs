//! `goalspec describe`

use std::io::Write;

use goalspec::files;
use goalspec::game::{describe, worlds};
use goalspec::library::{Library, Program};
use goalspec::syntax::Diagnostic;

use crate::args::DescribeArgs;
use crate::output::{Failure, Outcome, Output};

pub(crate) fn run(args: &DescribeArgs, output: &mut Output) -> Outcome {
    let (inputs, mut diagnostics) = files::discover(&args.paths);
    if args.world.is_none() && inputs.programs.is_empty() && inputs.worlds.is_empty() && diagnostics.is_empty() {
        return Err(Failure::Usage("there is no program and no world among the paths".to_owned()));
    }
    let library = Library::load(&inputs);
    diagnostics.extend(library.diagnostics().iter().filter(|diagnostic| diagnostic.is_error()).cloned());
    if let Some(name) = &args.world {
        world(name, &library, output)?;
    } else if let Some(preference) = &args.dot {
        automaton(preference, &library, output)?;
    } else {
        for program in library.programs() {
            let Some(world) = &program.world else { continue };
            if library.programs().len() > 1 {
                writeln!(output, "{}\n", program.name)?;
            }
            let text = if args.ltl { describe::ltl(&program.ast) } else { describe::text(&program.ast, world) };
            writeln!(output, "{}", text.trim_end())?;
        }
        for world in library.worlds().iter().filter(|_| !args.ltl) {
            writeln!(output, "{}", describe::world(world).trim_end())?;
        }
    }
    output.report(&diagnostics, library.sources());
    Ok(!diagnostics.iter().any(Diagnostic::is_error))
}

fn world(name: &str, library: &Library, output: &mut Output) -> Result<(), Failure> {
    if name == "list" {
        for world in library.worlds() {
            writeln!(output, "{}", world.name())?;
        }
        for name in worlds::names() {
            writeln!(output, "{name}")?;
        }
        return Ok(());
    }
    let loaded = library.worlds().iter().find(|world| world.name() == name).map(|world| &**world);
    let Some(world) = loaded.or_else(|| worlds::builtin(name)) else {
        let known: Vec<&str> = worlds::names().collect();
        return Err(Failure::Usage(format!("there is no world `{name}`; there are {}", known.join(", "))));
    };
    writeln!(output, "{}", describe::world(world).trim_end())?;
    Ok(())
}

fn automaton(preference: &str, library: &Library, output: &mut Output) -> Result<(), Failure> {
    let drawn = |program: &Program| {
        let (game, world) = (program.game.as_ref()?, program.world.as_ref()?);
        describe::dot(game, preference, world)
    };
    let Some(dot) = library.programs().iter().find_map(drawn) else {
        return Err(Failure::Usage(format!("no program without errors has a preference `{preference}`")));
    };
    write!(output, "{dot}")?;
    Ok(())
}
