//! The `goalspec lot` command.

mod experiment;
mod plan;

use std::io::{Read, Write};
use std::path::Path;

use goalspec::lot::generate::{GenerateOptions, generate};
use goalspec::lot::names::ObjectTable;
use goalspec::lot::specs::ProblemSpecs;
use goalspec::lot::translation::{Part, mentioned_objects, read_part};
use goalspec::lot::{View, english, pddl};
use goalspec::syntax::{Diagnostic, SourceFile, Sources};
use goalspec::words::lot::problem_set::{self, load_specs, load_vocabularies};
use goalspec::words::lot::queries::prompt_files;
use goalspec::words::lot::recorded_order::RecordedOrder;
use goalspec::words::lot::{Method, ProblemSet};
use serde_json::json;

use crate::args::{
    LotArgs, LotCommand, LotFormat, LotGenerateArgs, LotPromptsArgs, LotTranslateArgs, MethodArg, ProblemSetArgs,
    TranslationTarget, ViewArg,
};
use crate::output::{CommandError, CommandResult, Output, is_standard, plural, write_file};

pub(crate) use experiment::{RunResults, read_results};

pub(crate) fn run(args: &LotArgs, output: &mut Output) -> CommandResult {
    match &args.command {
        LotCommand::Generate(args) => generate_set(args, output),
        LotCommand::Prompts(args) => prompts(args, output),
        LotCommand::Translate(args) => translate(args, output),
        LotCommand::Plan(args) => plan::run(args, output),
        LotCommand::Run(args) => experiment::run(args, output),
        LotCommand::Results(args) => experiment::results(args, output),
    }
}

/// Reports diagnostics. Returns `false`: the command fails.
fn fail(diagnostics: &[Diagnostic], sources: &Sources, output: &Output) -> bool {
    output.report(diagnostics, sources);
    false
}

/// Creates a folder with the folders above it.
fn create_folder(path: &Path) -> Result<(), CommandError> {
    std::fs::create_dir_all(path).map_err(|error| CommandError::File(path.to_owned(), error))
}

/// Reads a text from a file or from the standard input.
fn read_text(path: &Path, sources: &mut Sources) -> Result<SourceFile, Box<Diagnostic>> {
    if !is_standard(path) {
        return problem_set::read(path, sources);
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().read_to_end(&mut bytes);
    read.map_err(|error| Diagnostic::invalid_argument(format!("cannot read the standard input: {error}")))?;
    let text = goalspec::syntax::source::decode("<stdin>", bytes)?;
    let id = sources.add("<stdin>", text);
    Ok(sources.file(id).clone())
}

fn views(given: &[ViewArg]) -> Vec<View> {
    if given.is_empty() { View::ALL.to_vec() } else { given.iter().map(|&view| view.into()).collect() }
}

fn methods(given: &[MethodArg]) -> Vec<Method> {
    if given.is_empty() { Method::ALL.to_vec() } else { given.iter().map(|&method| method.into()).collect() }
}

fn generate_set(args: &LotGenerateArgs, output: &mut Output) -> CommandResult {
    let mut sources = Sources::new();
    let options = GenerateOptions { seed: args.seed, distinct_goal: args.distinct_goal };
    let generated = load_specs(&args.specs, &mut sources).and_then(|specs| {
        let (simple, complex) = (args.vocabulary.as_deref(), args.complex_vocabulary.as_deref());
        let vocabularies = load_vocabularies(simple, complex, &mut sources)?;
        generate(&specs, &vocabularies, options)
    });
    let generated = match generated {
        Ok(generated) => generated,
        Err(diagnostics) => return Ok(fail(&diagnostics, &sources, output)),
    };
    create_folder(&args.output)?;
    for (index, found) in generated.iter().enumerate() {
        write_file(&args.output.join(format!("{}.json", ProblemSpecs::name(index))), &found.problem.to_json())?;
    }
    writeln!(output, "{} in {}", plural(generated.len(), "problem"), args.output.display())?;
    Ok(true)
}

/// Loads a problem set and the order of stacks in recorded prompts.
fn load_set(args: &ProblemSetArgs, sources: &mut Sources) -> Result<(ProblemSet, RecordedOrder), Vec<Diagnostic>> {
    let beside = |name: &str| args.specs.parent().unwrap_or(Path::new("")).join(name);
    let problems = args.problems.clone().unwrap_or_else(|| beside("problems"));
    let mut set = ProblemSet::load(&args.specs, &problems, sources)?;
    set.plans = Some(args.plans.clone().unwrap_or_else(|| beside("plans")));
    let order = args.order_from.as_deref().map(RecordedOrder::open).transpose().map_err(|error| vec![*error])?;
    Ok((set, order.unwrap_or_default()))
}

fn prompts(args: &LotPromptsArgs, output: &mut Output) -> CommandResult {
    let mut sources = Sources::new();
    let files = load_set(&args.set, &mut sources).and_then(|(set, order)| {
        let (methods, views) = (methods(&args.method), views(&args.view));
        prompt_files(&set, &methods, &views, &order, args.queries).map_err(|error| vec![*error])
    });
    let files = match files {
        Ok(files) => files,
        Err(diagnostics) => return Ok(fail(&diagnostics, &sources, output)),
    };
    let Some(folder) = &args.output else {
        for file in files.iter().filter(|file| !file.path.starts_with("plans/")) {
            write!(output, "{}", file.text)?;
        }
        return Ok(true);
    };
    for file in &files {
        let path = folder.join(&file.path);
        create_folder(path.parent().unwrap_or(folder))?;
        write_file(&path, &file.text)?;
    }
    writeln!(output, "{} in {}", plural(files.len(), "file"), folder.display())?;
    Ok(true)
}

fn translate(args: &LotTranslateArgs, output: &mut Output) -> CommandResult {
    let mut sources = Sources::new();
    let file = match read_text(&args.file, &mut sources) {
        Ok(file) => file,
        Err(error) => return Ok(fail(&[*error], &sources, output)),
    };
    let objects: Option<ObjectTable> =
        (!args.objects.is_empty()).then(|| args.objects.iter().map(|name| name.trim()).collect());
    let (facts, diagnostics) = match args.to {
        TranslationTarget::Pddl => {
            let parsed = english::parse(&file, objects.as_ref());
            (parsed.facts, parsed.diagnostics)
        }
        TranslationTarget::English => {
            let known = objects.unwrap_or_else(|| mentioned_objects(&file));
            let (part, diagnostics) = read_part(&file, Part::Goal, &known);
            (part.facts, diagnostics)
        }
    };
    output.report(&diagnostics, &sources);
    if facts.is_empty() && diagnostics.is_empty() {
        output.note(&format!("goalspec: `{}` contains nothing to translate", args.file.display()));
    }
    let success = !diagnostics.iter().any(Diagnostic::is_error);
    let relations: Vec<_> = facts.iter().map(|fact| fact.relation.clone()).collect();
    if args.json || args.format == LotFormat::Json {
        let facts: Vec<_> = facts
            .iter()
            .map(|fact| {
                let source = file.slice(fact.span);
                let (sentence, pddl) = (english::sentence(&fact.relation), pddl::fact(&fact.relation));
                json!({ "source": source, "sentence": sentence, "fact": pddl, "relation": fact.relation })
            })
            .collect();
        writeln!(output, "{:#}", json!({ "facts": facts, "errors": diagnostics.len() }))?;
    } else if !relations.is_empty() {
        let text = match args.to {
            TranslationTarget::Pddl => pddl::facts(&relations),
            TranslationTarget::English => english::text(&relations),
        };
        writeln!(output, "{text}")?;
    }
    Ok(success)
}
