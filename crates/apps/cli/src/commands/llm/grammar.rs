//! The `goalspec llm grammar` command.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum as _;
use goalspec::bddl::{self, domains};
use goalspec::constraints::bddl::BddlVocabulary;
use goalspec::constraints::lot::LotVocabulary;
use goalspec::constraints::pddl::{PddlOptions, PddlVocabulary};
use goalspec::constraints::reward::RewardVocabulary;
use goalspec::constraints::{self, ExportError, OutputConstraint, Part};
use goalspec::core::world::World;
use goalspec::files;
use goalspec::library::{Library, LibraryOptions};
use goalspec::rewards::world::RewardWorld;
use goalspec::rewards::{screen_worlds, shipped_worlds};
use goalspec::syntax::{Diagnostic, Sources};
use goalspec::words::translation::target::Target;

use crate::args::{GrammarLanguage, GrammarNotation, LlmGrammarArgs};
use crate::output::{CommandError, CommandResult, Output};

/// An export, or the error of a command line without a vocabulary; `None` after errors have been reported.
type Exported = Result<Option<OutputConstraint>, CommandError>;

pub(crate) fn run(args: &LlmGrammarArgs, output: &mut Output) -> CommandResult {
    ensure_options_apply(args)?;
    let exported = match args.language {
        GrammarLanguage::Pddl => pddl(args, output)?,
        GrammarLanguage::Bddl => bddl(args, output)?,
        GrammarLanguage::Game => game(args, output)?,
        GrammarLanguage::Reward => reward(args, output)?,
        GrammarLanguage::Rgg => usable(constraints::rgg::constraint(args.plugin.iter().map(String::as_str)))?,
        _ => lot(args)?,
    };
    let Some(constraint) = exported else { return Ok(false) };
    let text = match args.format {
        GrammarNotation::Gbnf => constraint.gbnf(),
        GrammarNotation::Lark => constraint.lark(),
        GrammarNotation::JsonSchema => Some(schema(&constraint, args.depth)?),
    };
    let message = "resource graph games have no grammar: use --format json-schema";
    let text = text.ok_or_else(|| CommandError::Usage(message.to_owned()))?;
    std::io::Write::write_all(output, text.as_bytes())?;
    Ok(true)
}

/// Checks that each option that is given has an effect on the language.
fn ensure_options_apply(args: &LlmGrammarArgs) -> Result<(), CommandError> {
    use GrammarLanguage::{Bddl, Game, LotEnglish, LotFacts, LotPlan, Pddl, Reward, Rgg};
    let lot: &[GrammarLanguage] = &[LotFacts, LotEnglish, LotPlan];
    let options: [(&str, bool, &[GrammarLanguage]); 9] = [
        ("--world", args.world.is_some(), &[Game, Reward]),
        ("--domain", args.domain.is_some(), &[Pddl, Bddl]),
        ("--problem", args.problem.is_some(), &[Pddl, Bddl]),
        ("--part", args.part.is_some(), &[Pddl, Bddl]),
        ("--exclude", !args.exclude.is_empty(), &[Pddl]),
        ("--typed", args.typed, &[Pddl]),
        ("--objects", !args.objects.is_empty(), lot),
        ("--sentences", args.sentences.is_some(), lot),
        ("--plugin", !args.plugin.is_empty(), &[Rgg]),
    ];
    let useless = options.iter().find(|(_, is_given, languages)| *is_given && !languages.contains(&args.language));
    let Some((option, _, languages)) = useless else { return Ok(()) };
    let name = |language: &GrammarLanguage| {
        language.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    };
    let names: Vec<String> = languages.iter().map(name).collect();
    Err(CommandError::Usage(format!(
        "{option} does not apply to {}, but to {}",
        name(&args.language),
        names.join(", ")
    )))
}

fn usable(exported: Result<OutputConstraint, ExportError>) -> Exported {
    exported.map(Some).map_err(|error| CommandError::Usage(error.to_string()))
}

fn schema(constraint: &OutputConstraint, depth: Option<u16>) -> Result<String, CommandError> {
    let Some(depth) = depth else { return Ok(constraint.schema().write()) };
    let unrolled = constraint.unrolled_schema(usize::from(depth));
    Ok(unrolled.map_err(|error| CommandError::Usage(error.to_string()))?.write())
}

fn lot(args: &LlmGrammarArgs) -> Exported {
    if args.objects.is_empty() {
        return Err(CommandError::Usage("--objects names the objects of the problem".to_owned()));
    }
    let objects = args.objects.iter().map(|name| name.trim().to_owned()).collect();
    let vocabulary = LotVocabulary { objects, facts: args.sentences };
    usable(match args.language {
        GrammarLanguage::LotEnglish => constraints::lot::english(&vocabulary),
        GrammarLanguage::LotPlan => constraints::lot::plan(&vocabulary),
        _ => constraints::lot::facts(&vocabulary),
    })
}

fn pddl(args: &LlmGrammarArgs, output: &Output) -> Exported {
    let domain = args.domain.as_deref();
    let domain = domain.ok_or_else(|| CommandError::Usage("--domain names the file of the domain".to_owned()))?;
    let mut sources = Sources::new();
    let id = add_file(&mut sources, Path::new(domain))?;
    let target = match Target::pddl(sources.file(id), Duration::ZERO) {
        Ok(Target::Pddl(target)) => target,
        Ok(_) => return Ok(None),
        Err(diagnostics) => return Ok(reported(&diagnostics, &sources, output)),
    };
    let objects = match &args.problem {
        None => None,
        Some(path) => {
            let id = add_file(&mut sources, path)?;
            let parsed = goalspec::pddl::parse(sources.file(id));
            match parsed.problems.into_iter().next() {
                Some(problem) if !parsed.diagnostics.iter().any(Diagnostic::is_error) => Some(problem.objects),
                _ => return Ok(no_problem(path, parsed.diagnostics, &sources, output)),
            }
        }
    };
    let mut vocabulary = PddlVocabulary::new(&target.domain, objects.as_deref());
    let predicates = || target.domain.predicates.iter().map(|predicate| predicate.name.text());
    if let Some(unknown) = args.exclude.iter().find(|name| predicates().all(|known| known != name.as_str())) {
        let names: Vec<&str> = predicates().collect();
        let message = format!("the domain has no predicate `{unknown}` to exclude; it has {}", names.join(", "));
        return Err(CommandError::Usage(message));
    }
    vocabulary.exclude(args.exclude.iter().map(String::as_str));
    let part = args.part.map_or(Part::InitAndGoal, Into::into);
    let exported = constraints::pddl::constraint(&vocabulary, PddlOptions { part, typed: args.typed });
    exported.map(Some).map_err(|error| {
        let hint = match args.problem {
            None if part != Part::Program => "; without --problem, the constants of the domain are the only objects",
            _ => "",
        };
        CommandError::Usage(format!("{error}{hint}"))
    })
}

fn bddl(args: &LlmGrammarArgs, output: &Output) -> Exported {
    let mut sources = Sources::new();
    let dialect = bddl::Dialect::default();
    let problem = match &args.problem {
        None => None,
        Some(path) => {
            let id = add_file(&mut sources, path)?;
            let parsed = bddl::parse::parse(sources.file(id), dialect);
            match parsed.problems.into_iter().next() {
                Some(problem) if !parsed.diagnostics.iter().any(Diagnostic::is_error) => Some(problem),
                _ => return Ok(no_problem(path, parsed.diagnostics, &sources, output)),
            }
        }
    };
    let own = problem.as_ref().and_then(|problem| problem.domain.as_ref()).map(|name| name.text.to_string());
    let name = args.domain.clone().or(own);
    let name =
        name.ok_or_else(|| CommandError::Usage("--domain names the domain, or --problem an activity".to_owned()))?;
    let target = match domains::builtin(&name) {
        Some(_) => Target::builtin_bddl(&name).map_err(|error| vec![*error]),
        None if Path::new(&name).is_file() => {
            let id = add_file(&mut sources, Path::new(&name))?;
            Target::bddl(sources.file(id))
        }
        None => Target::builtin_bddl(&name).map_err(|error| vec![*error]),
    };
    let target = match target {
        Ok(Target::Bddl(target)) => target,
        Ok(_) => return Ok(None),
        Err(diagnostics) => return Ok(reported(&diagnostics, &sources, output)),
    };
    let Some(domain) = target.domains.first().or_else(|| domains::builtin(&target.name)) else { return Ok(None) };
    let vocabulary = BddlVocabulary::new(domain, problem.as_ref());
    usable(constraints::bddl::constraint(&vocabulary, args.part.map_or(Part::Goal, Into::into)))
}

fn game(args: &LlmGrammarArgs, output: &Output) -> Exported {
    let name = args.world.as_deref();
    let name = name.ok_or_else(|| CommandError::Usage("--world names the world of the game".to_owned()))?;
    match world(name, output) {
        Some(world) => usable(constraints::game::constraint(&world)),
        None => Ok(None),
    }
}

fn world(name: &str, output: &Output) -> Option<Arc<World>> {
    if let Some(world) = shipped_worlds::find(name) {
        return Some(world);
    }
    let options = LibraryOptions { reward_world: Some(name.to_owned()), ..LibraryOptions::default() };
    let library = Library::load(&files::Inputs::default(), options, &|| ());
    output.report(library.diagnostics(), library.sources());
    library.reward_world()
}

fn reward(args: &LlmGrammarArgs, output: &Output) -> Exported {
    let Some(name) = args.world.as_deref() else {
        return usable(constraints::reward::constraint(&RewardVocabulary::default()));
    };
    let screen = screen_worlds::builtin(name);
    let world = match screen {
        Some(screen) => Ok(RewardWorld::Screen(screen)),
        None => match world(name, output) {
            Some(world) => RewardWorld::from_world(world),
            None => return Ok(None),
        },
    };
    match world {
        Ok(world) => usable(constraints::reward::constraint(&RewardVocabulary {
            game: screen.map(|screen| screen.game.slug()),
            attributes: world.attribute_names().into_iter().collect(),
        })),
        Err(diagnostic) => Ok(reported(&[*diagnostic], &Sources::new(), output)),
    }
}

fn add_file(sources: &mut Sources, path: &Path) -> Result<goalspec::syntax::SourceId, CommandError> {
    let text = files::read_text(path).map_err(CommandError::invalid_argument)?;
    Ok(sources.add(path.display().to_string(), text))
}

fn reported(diagnostics: &[Diagnostic], sources: &Sources, output: &Output) -> Option<OutputConstraint> {
    output.report(diagnostics, sources);
    None
}

fn no_problem(
    path: &Path,
    mut diagnostics: Vec<Diagnostic>,
    sources: &Sources,
    output: &Output,
) -> Option<OutputConstraint> {
    if !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.push(*Diagnostic::invalid_argument(format!("`{}` contains no problem", path.display())));
    }
    reported(&diagnostics, sources, output)
}
