//! The `goalspec translate` command.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use goalspec::files;
use goalspec::library::{Library, LibraryOptions};
use goalspec::llm::dry_run::PlannedConversation;
use goalspec::llm::{Constraint, Request};
use goalspec::rewards::shipped_worlds;
use goalspec::syntax::{Diagnostic, Sources};
use goalspec::words::constraint::{ConstraintMode, ReplyConstraint};
use goalspec::words::pipeline::{Job, RunOptions, RunResults, Task, run as run_jobs};
use goalspec::words::program_report::{TRANSLATION_FORMAT, is_constrained};
use goalspec::words::reward::classes::ClassDescriptions;
use goalspec::words::reward::prompts::{PromptInputs, Prompts, Templates, Variant};
use goalspec::words::reward::report::{candidate_json, candidate_text, usage};
use goalspec::words::reward::samples::Samples;
use goalspec::words::reward::task::RewardTask;
use goalspec::words::translation::constraint::constraint;
use goalspec::words::translation::examples;
use goalspec::words::translation::names::NameMap;
use goalspec::words::translation::sentences::sentences;
use goalspec::words::translation::target::{GameTarget, Target};
use goalspec::words::translation::task::{TranslationInputs, TranslationTask};
use goalspec::words::translation::truth::{Truth, TruthVerdict};
use goalspec::words::{Candidate, Status};
use serde_json::{Value, json};

use super::model;
use super::reward::{common_failure, load_inputs, observe, open_record, settings};
use crate::args::{TranslateArgs, TranslationFormat, TranslationLanguage};
use crate::library::DiscoveredFiles;
use crate::output::{CommandError, CommandResult, Output, is_standard, write_file};
use crate::progress::Progress;

/// The maximum number of bytes that a repair adds to a prompt beside the reply.
const FEEDBACK_BYTES: usize = 12_000;

pub(crate) fn run(args: &TranslateArgs, output: &mut Output) -> CommandResult {
    let words = words(args)?;
    if sentences(&words).is_empty() {
        return Err(CommandError::Usage("there is no sentence to translate".to_owned()));
    }
    let settings = settings(&args.model, 1);
    match args.to {
        TranslationLanguage::Reward => translate_reward(args, &words, &settings, output),
        _ => translate_document(args, words, &settings, output),
    }
}

/// Returns the sentences of the command line or of the standard input.
fn words(args: &TranslateArgs) -> Result<String, CommandError> {
    let path = Path::new(&args.words);
    if path.is_file() && !is_standard(path) {
        let path = path.display();
        return Err(CommandError::Usage(format!(
            "`{path}` is a file, and not the words to translate: to translate what it contains, run the command with `-` and `< {path}`"
        )));
    }
    if !is_standard(path) {
        return Ok(args.words.clone());
    }
    let mut text = String::new();
    let read = std::io::stdin().lock().read_to_string(&mut text);
    read.map_err(|error| CommandError::Usage(format!("cannot read the standard input: {error}")))?;
    Ok(text)
}

fn translate_document(args: &TranslateArgs, words: String, settings: &Request, output: &mut Output) -> CommandResult {
    let Some(target) = target(args, output)? else { return Ok(false) };
    let truth = match &args.truth {
        Some(path) => match truth(path, &target, output)? {
            Some(truth) => Some(truth),
            None => return Ok(false),
        },
        None => None,
    };
    let names = match &args.name_map {
        Some(path) => {
            let text = files::read_text(path).map_err(CommandError::invalid_argument)?;
            NameMap::parse(&text).map_err(|error| CommandError::Usage(format!("{}: {error}", path.display())))?
        }
        None => NameMap::default(),
    };
    let examples = match &args.examples {
        Some(folder) => {
            examples::read(folder, target.extension()).map_err(|error| CommandError::Usage(error.to_string()))?
        }
        None => Vec::new(),
    };
    let objects = args.objects.join(", ");
    let constraint = match args.constrain {
        Some(mode) => {
            let constraint = constraint(&target, &objects).map_err(|error| CommandError::Usage(error.to_string()))?;
            Some(ReplyConstraint::new(constraint, mode.into()))
        }
        None => None,
    };
    let inputs = TranslationInputs { words, target, objects, names, examples, constraint };
    let task = TranslationTask::new(&inputs, settings);
    let Some((candidate, results)) = run_task(args, &task, output)? else { return Ok(true) };
    let (program, facts) = task.annotated(candidate.program().unwrap_or_default());
    // Without a reply, there is nothing to judge.
    let is_judged = !matches!(candidate.status, Status::Failed(_) | Status::Unfinished(_));
    let verdict = truth.filter(|_| is_judged).map(|truth| judge(&truth, &inputs.target, &candidate));
    if let Some(verdict) = &verdict {
        output.note(&verdict_text(verdict));
    }
    let complete = || {
        let mut value = document(args, inputs.target.name(), &candidate);
        value["sentences"] = json!(task.sentences());
        value["facts"] = json!(facts);
        value["annotated"] = json!(program);
        value["truth"] = json!(verdict);
        value["constraint"] = json!(args.constrain.map(|mode| ConstraintMode::from(mode).name()));
        value
    };
    finish(args, &candidate, &results, &program, complete, output)
}

fn translate_reward(args: &TranslateArgs, words: &str, settings: &Request, output: &mut Output) -> CommandResult {
    if args.constrain.is_some() {
        let message = "--constrain does not apply to reward functions: indentation and missing comments hurt more than they help; \
                       `goalspec llm grammar reward` exports a grammar for small local models";
        return Err(CommandError::Usage(message.to_owned()));
    }
    if args.truth.is_some() {
        return Err(CommandError::Usage("--truth does not apply to reward functions".to_owned()));
    }
    if args.name_map.is_some() || args.examples.is_some() || !args.objects.is_empty() {
        let message = "--objects, --name-map and --examples do not apply to reward functions, whose objects are those of the world";
        return Err(CommandError::Usage(message.to_owned()));
    }
    let Some(inputs) = load_inputs(&args.domain, &args.traces, None, None, output)? else { return Ok(false) };
    let samples = match Samples::read(&inputs.world, &inputs.known, &inputs.traces) {
        Ok(samples) => samples,
        Err(diagnostic) => {
            output.report(&[*diagnostic], &Sources::new());
            return Ok(false);
        }
    };
    let classes = ClassDescriptions::render(&inputs.world, &samples);
    let prompts = Prompts::new(
        &Templates::default(),
        Variant::Direct,
        false,
        PromptInputs { game: inputs.world.name(), classes: &classes, instructions: words },
    );
    let task = RewardTask::new(&inputs, &prompts, false, settings);
    let Some((candidate, results)) = run_task(args, &task, output)? else { return Ok(true) };
    let program = candidate.program().unwrap_or_default();
    let facts = goalspec::words::reward::sources::sources(program, words);
    let annotated = goalspec::words::reward::sources::annotated(program, &facts);
    let complete = || {
        let mut value = document(args, "reward", &candidate);
        value["sentences"] = json!(sentences(words));
        value["facts"] = json!(facts);
        value["annotated"] = json!(annotated);
        value["truth"] = Value::Null;
        value
    };
    finish(args, &candidate, &results, &annotated, complete, output)
}

/// Reads the true program. Returns `None` after errors have been reported.
fn truth(path: &Path, target: &Target, output: &Output) -> Result<Option<Truth>, CommandError> {
    let mut sources = Sources::new();
    let text = files::read_text(path).map_err(CommandError::invalid_argument)?;
    let id = sources.add(path.display().to_string(), text);
    match Truth::read(target, sources.file(id)) {
        Ok(truth) => Ok(Some(truth)),
        Err(diagnostics) => {
            output.report(&diagnostics, &sources);
            Ok(None)
        }
    }
}

fn judge(truth: &Truth, target: &Target, candidate: &Candidate) -> TruthVerdict {
    let steps = candidate.result().and_then(|attempt| attempt.results["plan"]["steps"].as_array());
    let steps: Option<Vec<String>> =
        steps.map(|steps| steps.iter().filter_map(|step| step.as_str().map(str::to_owned)).collect());
    truth.judge(target, candidate.program(), steps.as_deref())
}

fn verdict_text(verdict: &TruthVerdict) -> String {
    let relation = match verdict.equivalent {
        _ if verdict.exact => "exact",
        Some(true) => "not exact, equivalent",
        Some(false) => "not equivalent",
        None => "not exact, equivalence unknown",
    };
    let plan = match verdict.solved {
        Some(true) => "; the plan reaches the true goal",
        Some(false) => "; no plan reaches the true goal",
        None => "",
    };
    format!("compared with the truth: {relation}{plan}")
}

/// Returns the parts of the JSON document that the languages have in common.
fn document(args: &TranslateArgs, language: &str, candidate: &Candidate) -> Value {
    let mut value = candidate_json(candidate);
    value["format"] = json!(TRANSLATION_FORMAT);
    value["language"] = json!(language);
    value["domain"] = json!(args.domain);
    value["model"] = json!(args.model.model);
    value["constrained"] = json!(is_constrained(std::slice::from_ref(candidate)));
    value["usage"] = usage(std::slice::from_ref(candidate));
    value
}

/// Runs the conversation; `None` for a dry run, whose plan is printed.
fn run_task<T: Task>(
    args: &TranslateArgs,
    task: &T,
    output: &mut Output,
) -> Result<Option<(Candidate, RunResults)>, CommandError> {
    let progress = Arc::new(Progress::candidates(1));
    let client = model::open(&args.model, "translate", &progress)?;
    model::ensure_constrained(&client, &task.request())?;
    if args.model.dry_run {
        let planned = PlannedConversation {
            request: task.request(),
            follow_ups: u32::from(args.repairs),
            follow_up_bytes: FEEDBACK_BYTES,
        };
        output.write_all(model::dry_run(&client, &[planned])?.text().as_bytes())?;
        return Ok(None);
    }
    let settings = json!({
        "goalspec": env!("CARGO_PKG_VERSION"),
        "prompt": task.request().prompt,
        "repairs": args.repairs,
        "constrain": task.request().constraints.first().map(Constraint::kind),
        "model": args.model.model,
        "temperature": task.request().sampling.temperature,
        "seed": args.model.seed,
    });
    let record = open_record(args.record.as_deref(), "translation", &settings)?;
    let options = RunOptions { max_repairs: usize::from(args.repairs), ..RunOptions::default() };
    let jobs = [Job { id: "1".to_owned(), attempt: 0, task }];
    let results = run_jobs(&jobs, &client, options, &record, &observe(&progress));
    progress.finish();
    let mut results = results.map_err(|error| CommandError::Usage(error.to_string()))?;
    let candidate = results.candidates.pop().expect("one job has one candidate");
    Ok(Some((candidate, results)))
}

/// Writes the translation, and returns whether it is accepted.
fn finish(
    args: &TranslateArgs,
    candidate: &Candidate,
    results: &RunResults,
    program: &str,
    document: impl FnOnce() -> Value,
    output: &mut Output,
) -> CommandResult {
    let text = match args.format {
        _ if args.json => format!("{:#}\n", document()),
        TranslationFormat::Json => format!("{:#}\n", document()),
        TranslationFormat::Text => {
            output.note(candidate_text(candidate).trim_end());
            // A rejected program is only part of the JSON document.
            if candidate.status.is_accepted() { program.to_owned() } else { String::new() }
        }
    };
    match &args.output {
        Some(path) if !text.is_empty() => write_file(path, &text)?,
        Some(_) => {}
        None => output.write_all(text.as_bytes())?,
    }
    let failure = results.interruption.as_ref().or_else(|| common_failure(std::slice::from_ref(candidate)));
    match failure {
        Some(error) => Err(model::failure(error)),
        None => Ok(candidate.status.is_accepted()),
    }
}

/// Returns the language with its domain. Returns `None` after errors have been reported.
fn target(args: &TranslateArgs, output: &Output) -> Result<Option<Target>, CommandError> {
    let path = Path::new(&args.domain);
    if args.to != TranslationLanguage::Game && !args.traces.is_empty() {
        return Err(CommandError::Usage("recordings apply to games and reward functions only".to_owned()));
    }
    let mut sources = Sources::new();
    let mut read = |path: &Path| -> Result<goalspec::syntax::SourceFile, CommandError> {
        let text = files::read_text(path).map_err(CommandError::invalid_argument)?;
        let id = sources.add(path.display().to_string(), text);
        Ok(sources.file(id).clone())
    };
    let result = match args.to {
        TranslationLanguage::Pddl => Target::pddl(&read(path)?, Duration::from_secs(args.plan_time)),
        TranslationLanguage::Bddl if path.is_file() => Target::bddl(&read(path)?),
        TranslationLanguage::Bddl => Target::builtin_bddl(&args.domain).map_err(|error| vec![*error]),
        TranslationLanguage::Game | TranslationLanguage::Reward => return Ok(game_target(args, output)),
    };
    match result {
        Ok(target) => Ok(Some(target)),
        Err(diagnostics) => {
            output.report(&diagnostics, &sources);
            Ok(None)
        }
    }
}

/// Returns the world of games, with the recordings over which they run.
fn game_target(args: &TranslateArgs, output: &Output) -> Option<Target> {
    let DiscoveredFiles { inputs, mut diagnostics } = DiscoveredFiles::new(&args.traces);
    let options = LibraryOptions { reward_world: Some(args.domain.clone()), ..LibraryOptions::default() };
    let world = shipped_worlds::find(&args.domain).or_else(|| {
        let library = Library::load(&files::Inputs::default(), options, &|| ());
        output.report(library.diagnostics(), library.sources());
        library.reward_world()
    });
    let mut traces = Vec::new();
    for path in &inputs.traces {
        match files::trace_input(path) {
            Ok(input) => traces.push(input),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    let target = world.map(|world| GameTarget { world, traces });
    let unreadable = target.as_ref().and_then(|target| target.check_traces().err());
    diagnostics.extend(unreadable.map(|error| *error));
    output.report(&diagnostics, &Sources::new());
    target.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)).map(Target::Game)
}
