//! The `goalspec describe` command.

use std::io::Write;
use std::path::PathBuf;

use goalspec::bddl::check::requirements;
use goalspec::descriptions;
use goalspec::game::describe::{self, LtlSyntax};
use goalspec::library::Library;
use goalspec::program::Program;
use goalspec::rewards::engine_shares::EngineShares;
use goalspec::rewards::{score_json, screen_worlds, shipped_worlds};
use goalspec::simulation::charts;
use goalspec::syntax::Diagnostic;
use goalspec::syntax::suggest::did_you_mean;
use goalspec::trace::TraceInput;
use goalspec::trace::input::with_trace_name;

use crate::args::{BoardImageFormat, DescribeArgs, DescriptionFormat};
use crate::library::{DiscoveredFiles, LoadedLibrary};
use crate::output::{CommandError, CommandResult, Output};

pub(crate) fn run(args: &DescribeArgs, output: &mut Output) -> CommandResult {
    let found = DiscoveredFiles::with_activities(&args.paths, &args.activities);
    let inputs = &found.inputs;
    if args.world.is_none() && inputs.programs.is_empty() && inputs.worlds.is_empty() && found.diagnostics.is_empty() {
        return Err(CommandError::Usage("no program or world among the paths".to_owned()));
    }
    let loaded = load(args, &found)?;
    if args.needs.is_some() && loaded.library.programs().iter().all(|program| program.as_activity().is_none()) {
        loaded.report(output);
        return Err(CommandError::Usage("--needs requires an activity".to_owned()));
    }
    if args.engines.is_some() {
        let no_rewards = loaded.library.programs().iter().all(|program| program.as_reward().is_none());
        if no_rewards || inputs.traces.is_empty() {
            loaded.report(output);
            return Err(CommandError::Usage("--engines requires a reward function and a trace".to_owned()));
        }
    }
    if args.ltl.is_some() {
        loaded.refuse_activities("--ltl requires games")?;
    }
    let LoadedLibrary { library, mut diagnostics } = loaded;
    diagnostics.extend(library.diagnostics().iter().filter(|diagnostic| diagnostic.is_error()).cloned());
    let of_rewards = library.programs().iter().any(|program| program.as_reward().is_some());
    if let Some(name) = args.world.as_ref().filter(|name| !of_rewards || *name == LIST_WORLDS) {
        if !diagnostics.iter().any(Diagnostic::is_error) {
            world(name, &library, output)?;
        }
    } else if let Some(format) = args.board {
        if !diagnostics.iter().any(Diagnostic::is_error) {
            board(args, format, &library, output)?;
        }
    } else if let Some(format) = args.needs {
        needs(format, &library, output)?;
    } else if let Some(format) = args.engines {
        engines(format, &library, &inputs.traces, &mut diagnostics, output)?;
    } else if let Some(preference) = &args.dot {
        if let Err(failure) = automaton(preference, &library, output) {
            output.report(&diagnostics, library.sources());
            return Err(failure);
        }
    } else {
        describe_all(args, &library, &mut diagnostics, output)?;
        if of_rewards && !inputs.traces.is_empty() {
            writeln!(output)?;
            engines(DescriptionFormat::Text, &library, &inputs.traces, &mut diagnostics, output)?;
        }
    }
    output.report(&diagnostics, library.sources());
    Ok(!diagnostics.iter().any(Diagnostic::is_error))
}

/// Prints the descriptions of all programs and domains, or of worlds without programs.
fn describe_all(
    args: &DescribeArgs,
    library: &Library,
    diagnostics: &mut Vec<Diagnostic>,
    output: &mut Output,
) -> Result<(), CommandError> {
    let ltl = args.ltl.map(LtlSyntax::from);
    let (mut is_first, mut has_formulas) = (true, false);
    for program in library.programs() {
        let text = match descriptions::program(library, program, ltl) {
            Ok(None) => continue,
            Ok(Some(text)) => text,
            Err(failed) => {
                diagnostics.push(*failed);
                continue;
            }
        };
        if library.programs().len() > 1 {
            writeln!(output, "{}\n", program.name)?;
        }
        has_formulas |= program.as_game().is_some() && !text.trim().is_empty();
        writeln!(output, "{}", text.trim_end())?;
        is_first = false;
    }
    if let Some(syntax) = ltl {
        if has_formulas {
            write!(output, "\n{}", syntax.legend())?;
        }
        return Ok(());
    }
    for text in descriptions::domains(library) {
        let gap = if std::mem::take(&mut is_first) { "" } else { "\n" };
        writeln!(output, "{gap}{}", text.trim_end())?;
    }
    // A world file is described only without programs; with programs, it is an input to them.
    let worlds_alone = library.programs().is_empty() && args.world.is_none();
    for world in library.worlds().iter().filter(|_| worlds_alone) {
        writeln!(output, "{}", describe::vocabulary(world).trim_end())?;
    }
    Ok(())
}

/// The value of `--world` that lists the worlds.
const LIST_WORLDS: &str = "list";

/// Loads the programs and worlds of the paths, with the requested world for reward functions, whose file may be elsewhere.
fn load(args: &DescribeArgs, found: &DiscoveredFiles) -> Result<LoadedLibrary, CommandError> {
    let world_name = args.world.as_deref().filter(|name| *name != LIST_WORLDS);
    // An unknown name is reported with the known names.
    let is_file = |name: &&str| std::path::Path::new(name).is_file();
    let is_reward = |path: &std::path::PathBuf| goalspec::files::is_python(path);
    let world_name = world_name.filter(|name| is_file(name) || found.inputs.programs.iter().any(is_reward));
    found.load_with_world(world_name, &args.activities, &args.planning)
}

/// Prints the requirements of the activities.
fn needs(format: DescriptionFormat, library: &Library, output: &mut Output) -> Result<(), CommandError> {
    let activities = library.programs().iter().filter_map(|program| Some((program, program.as_activity()?)));
    for (index, (program, activity)) in activities.enumerate() {
        let requirements = requirements::of_problem(&activity.problem, library.knowledge_of(program));
        match format {
            DescriptionFormat::Text => {
                let gap = if index == 0 { "" } else { "\n" };
                write!(output, "{gap}{}\n\n{}", program.name, requirements.to_text())?;
            }
            DescriptionFormat::Json => {
                writeln!(output, "{}", goalspec::json::requirements(&program.name, &requirements))?;
            }
        }
    }
    Ok(())
}

/// Prints how the calls of the reward functions over the traces were run; reports traces of other worlds.
fn engines(
    format: DescriptionFormat,
    library: &Library,
    traces: &[PathBuf],
    diagnostics: &mut Vec<Diagnostic>,
    output: &mut Output,
) -> Result<(), CommandError> {
    // The errors of a program that cannot run are among the diagnostics.
    let mut rewards = library.reward_programs();
    rewards.retain(|program| program.reward.program.is_some());
    let mut is_first = true;
    for trace in traces.iter().map(|path| TraceInput::File(path.clone())) {
        for program in &rewards {
            let shares = match EngineShares::measure(*program, library.worlds(), &trace) {
                Ok(shares) => shares,
                Err(error) => {
                    diagnostics.push(with_trace_name(&trace.name(), *error));
                    continue;
                }
            };
            match format {
                DescriptionFormat::Text => {
                    let gap = if std::mem::take(&mut is_first) { "" } else { "\n" };
                    write!(output, "{gap}{}: {}", shares.program, shares.to_text())?;
                }
                DescriptionFormat::Json => writeln!(output, "{}", score_json::engine_shares(&shares))?,
            }
        }
    }
    Ok(())
}

/// Prints the board of the only resource graph game.
fn board(
    args: &DescribeArgs,
    format: BoardImageFormat,
    library: &Library,
    output: &mut Output,
) -> Result<(), CommandError> {
    let games = library.programs().iter().filter_map(Program::as_resource);
    let games: Vec<_> = games.filter_map(|game| game.playable.as_ref()).collect();
    let [playable] = games[..] else {
        let message = format!("--board requires exactly one resource graph game, found {}", games.len());
        return Err(CommandError::Usage(message));
    };
    let board =
        charts::board(&playable.game, args.owned.as_deref(), format.into()).map_err(CommandError::invalid_argument)?;
    output.write_all(board.as_bytes())?;
    Ok(())
}

fn world(name: &str, library: &Library, output: &mut Output) -> Result<(), CommandError> {
    if name == LIST_WORLDS {
        for world in library.worlds() {
            writeln!(output, "{}", world.name())?;
        }
        for name in shipped_worlds::names() {
            writeln!(output, "{name}")?;
        }
        return Ok(());
    }
    let loaded = library.reward_world().or_else(|| library.worlds().iter().find(|world| world.name() == name).cloned());
    let Some(world) = loaded.or_else(|| shipped_worlds::find(name)) else {
        let known: Vec<&str> = shipped_worlds::names().collect();
        return Err(CommandError::Usage(format!("unknown world `{name}`; known worlds: {}", known.join(", "))));
    };
    writeln!(output, "{}", describe::vocabulary(&world).trim_end())?;
    if let Some(screen) = screen_worlds::builtin(world.name()) {
        writeln!(output, "\n{}", screen.describe_python_classes().trim_end())?;
    }
    Ok(())
}

fn automaton<'l>(preference: &str, library: &'l Library, output: &mut Output) -> Result<(), CommandError> {
    let right = |program: &'l Program| Some((program.game()?, program.world.as_deref()?));
    let mut games = library.programs().iter().filter_map(right);
    let Some(dot) = games.find_map(|(game, world)| describe::automaton_dot(game, preference, world)) else {
        let games = library.programs().iter().filter_map(right);
        let names = games.flat_map(|(game, _)| &game.preferences).map(|preference| &*preference.name);
        let suggestion = did_you_mean(preference, names).map_or(String::new(), |suggestion| format!("; {suggestion}"));
        return Err(CommandError::Usage(format!(
            "unknown preference `{preference}`: not in any program without errors{suggestion}"
        )));
    };
    write!(output, "{dot}")?;
    Ok(())
}
