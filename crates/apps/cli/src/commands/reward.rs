//! The `goalspec reward` command.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec::files::{self, Inputs};
use goalspec::library::{Library, LibraryOptions};
use goalspec::llm::dry_run::PlannedConversation;
use goalspec::llm::{ModelError, Request, Sampling};
use goalspec::reward::lint::RewardRange;
use goalspec::rewards::screen_worlds;
use goalspec::rewards::world::RewardWorld;
use goalspec::syntax::Diagnostic;
use goalspec::words::pipeline::{RunOptions, Task as _};
use goalspec::words::record::{CandidateEvent, Record};
use goalspec::words::reward::adjustment::{self, Adjustment};
use goalspec::words::reward::classes::ClassDescriptions;
use goalspec::words::reward::curves::TrainingCurves;
use goalspec::words::reward::generation::{Generation, GenerationOptions, generate};
use goalspec::words::reward::prompts::{PromptInputs, Prompts, Templates, Variant};
use goalspec::words::reward::report::{self, ReportHeader};
use goalspec::words::reward::samples::Samples;
use goalspec::words::reward::task::{RewardInputs, RewardTask, check_recordings};
use goalspec::words::{Candidate, Status};
use serde_json::{Value, json};

use super::model;
use crate::args::{ModelArgs, RewardArgs, RewardCommand, RewardGenerateArgs};
use crate::library::DiscoveredFiles;
use crate::output::{CommandError, CommandResult, Output, ensure_distinct, ensure_not_input, write_file};
use crate::progress::Progress;

pub(crate) fn run(args: &RewardArgs, output: &mut Output) -> CommandResult {
    match &args.command {
        RewardCommand::Generate(args) => run_generate(args, output),
    }
}

/// The maximum number of bytes that a repair adds to a prompt beside the reply.
const FEEDBACK_BYTES: usize = 12_000;

fn run_generate(args: &RewardGenerateArgs, output: &mut Output) -> CommandResult {
    ensure_outputs_are_new(args)?;
    let Some(inputs) = load_inputs(&args.world, &args.traces, args.score_column.as_deref(), range(args), output)?
    else {
        return Ok(false);
    };
    if let Err(errors) = check_recordings(&inputs) {
        output.report(&errors, &goalspec::syntax::Sources::new());
        return Ok(false);
    }
    let prompts = match prompts(args, &inputs) {
        Ok(prompts) => prompts,
        Err(Failure::Reported(diagnostic)) => {
            output.report(&[*diagnostic], &goalspec::syntax::Sources::new());
            return Ok(false);
        }
        Err(Failure::Usage(message)) => return Err(CommandError::Usage(message)),
    };
    let settings = settings(&args.model, usize::from(args.candidates));
    let progress = Arc::new(Progress::candidates(usize::from(args.candidates) * usize::from(args.rounds)));
    let client = model::open(&args.model, "reward generate", &progress)?;
    let task = RewardTask::new(&inputs, &prompts, args.components, &settings);
    if args.model.dry_run {
        output.write_all(model::dry_run(&client, &planned(args, &prompts, &task))?.text().as_bytes())?;
        return Ok(true);
    }
    let curves = match &args.training {
        Some(path) => read_curves(path)?,
        None => TrainingCurves::default(),
    };
    let description = description(args, &inputs, &prompts, &settings);
    let record = open_record(args.record.as_deref(), "reward", &description)?;
    let options = GenerationOptions {
        variant: args.variant.into(),
        candidates: usize::from(args.candidates),
        rounds: usize::from(args.rounds),
        components: args.components,
        run: RunOptions { max_repairs: usize::from(args.repairs), ..RunOptions::default() },
        curves,
    };
    let observer = observe(&progress);
    let generation = generate(&inputs, &prompts, &settings, &client, &options, &record, &observer);
    progress.finish();
    let generation = generation.map_err(|error| CommandError::Usage(error.to_string()))?;
    let header = ReportHeader {
        world: inputs.world.name().to_owned(),
        variant: Variant::from(args.variant).name().to_owned(),
        model: args.model.model.clone().unwrap_or_default(),
        settings: description,
    };
    write_report(args, &header, &generation, output)?;
    write_best(args, &inputs, &generation, output)?;
    match generation.interruption.as_ref().or_else(|| common_failure(&generation.candidates)) {
        Some(error) => Err(model::failure(error)),
        None => Ok(generation.best().is_some()),
    }
}

/// Checks that no output would replace an input or another output.
fn ensure_outputs_are_new(args: &RewardGenerateArgs) -> Result<(), CommandError> {
    let outputs: Vec<&PathBuf> = [&args.output, &args.report, &args.record].into_iter().flatten().collect();
    for (index, path) in outputs.iter().enumerate() {
        ensure_not_input(path, args.traces.iter().chain([&args.instructions]).chain(&args.training))?;
        ensure_distinct(path, outputs[index + 1..].iter().copied())?;
    }
    Ok(())
}

/// Returns the error of the first candidate if the calls of all candidates failed.
pub(super) fn common_failure(candidates: &[Candidate]) -> Option<&ModelError> {
    let error = |candidate: &'_ Candidate| matches!(candidate.status, Status::Failed(_));
    match candidates.first().map(|first| &first.status) {
        Some(Status::Failed(first)) if candidates.iter().all(error) => Some(first),
        _ => None,
    }
}

/// Returns the settings by which a record is recognised. Rounds and training curves are not among them: a run continues with more of them.
fn description(args: &RewardGenerateArgs, inputs: &RewardInputs, prompts: &Prompts, settings: &Request) -> Value {
    json!({
        "goalspec": env!("CARGO_PKG_VERSION"),
        "world": inputs.world.name(),
        "variant": Variant::from(args.variant).name(),
        "prompts": [prompts.system, prompts.turns],
        "candidates": args.candidates,
        "repairs": args.repairs,
        "components": args.components,
        "model": args.model.model,
        "temperature": settings.sampling.temperature,
        "seed": args.model.seed,
        "max_output_tokens": settings.max_output_tokens,
    })
}

/// The default maximum number of tokens of a reply: programs are longer than answers.
const DEFAULT_TOKENS: u32 = 4096;

/// Returns the parameters of requests for a number of candidates: without --temperature, it is 0 for one candidate and 1 for several.
pub(super) fn settings(args: &ModelArgs, candidates: usize) -> Request {
    let temperature = args.temperature.unwrap_or(if candidates > 1 { 1.0 } else { 0.0 });
    let sampling = Sampling { temperature: Some(temperature), ..Sampling::default() };
    let max_output_tokens = args.max_output_tokens.or(Some(DEFAULT_TOKENS));
    Request { sampling, max_output_tokens, ..Request::chat(None, Vec::new()) }
}

/// Returns the range of rewards that the prompts ask for.
fn range(args: &RewardGenerateArgs) -> Option<RewardRange> {
    (Variant::from(args.variant) == Variant::Full).then_some(RewardRange { min: -1.0, max: 1.0, span: None })
}

/// Loads the world and the recordings. Returns `None` after errors have been reported.
pub(super) fn load_inputs(
    world: &str,
    traces: &[std::path::PathBuf],
    score_column: Option<&str>,
    range: Option<RewardRange>,
    output: &Output,
) -> Result<Option<RewardInputs>, CommandError> {
    let DiscoveredFiles { inputs, mut diagnostics } = DiscoveredFiles::new(traces);
    if inputs.traces.is_empty() && diagnostics.is_empty() {
        let message = "no recording among the paths: candidates are run over recordings before they are accepted";
        return Err(CommandError::Usage(message.to_owned()));
    }
    let options = LibraryOptions { reward_world: Some(world.to_owned()), ..LibraryOptions::default() };
    let files = Inputs { programs: Vec::new(), traces: Vec::new(), ..inputs.clone() };
    let library = Library::load(&files, options, &|| ());
    diagnostics.extend(library.diagnostics().iter().cloned());
    let found = match (screen_worlds::builtin(world), library.reward_world()) {
        (Some(screen), _) => Some(RewardWorld::Screen(screen)),
        (None, Some(core)) => RewardWorld::from_world(core).map_err(|error| diagnostics.push(*error)).ok(),
        (None, None) => None,
    };
    let mut recordings = Vec::new();
    for path in &inputs.traces {
        match files::trace_input(path) {
            Ok(input) => recordings.push(input),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    output.report(&diagnostics, library.sources());
    let Some(world) = found.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)) else { return Ok(None) };
    Ok(Some(RewardInputs {
        world,
        known: library.all_worlds(),
        traces: recordings,
        score_column: score_column.map(str::to_owned),
        range,
    }))
}

/// The failure of an input.
enum Failure {
    Reported(Box<Diagnostic>),
    Usage(String),
}

/// Returns the prompts.
fn prompts(args: &RewardGenerateArgs, inputs: &RewardInputs) -> Result<Prompts, Failure> {
    let instructions = files::read_text(&args.instructions).map_err(Failure::Reported)?;
    if instructions.trim().is_empty() {
        return Err(Failure::Usage(format!("`{}` contains no instructions", args.instructions.display())));
    }
    let samples = Samples::read(&inputs.world, &inputs.known, &inputs.traces).map_err(Failure::Reported)?;
    let mut classes = ClassDescriptions::render(&inputs.world, &samples);
    if let Some(path) = &args.classes {
        let text = files::read_text(path).map_err(Failure::Reported)?;
        if text.trim().is_empty() {
            return Err(Failure::Usage(format!("`{}` describes no classes", path.display())));
        }
        classes = ClassDescriptions { parent: String::new(), objects: text };
    }
    let templates = match &args.templates {
        Some(folder) => Templates::read(folder).map_err(|error| Failure::Usage(error.to_string()))?,
        None => Templates::default(),
    };
    let game = match &inputs.world {
        RewardWorld::Screen(world) => world.game.name().to_owned(),
        RewardWorld::Objects(world) => world.core().name().to_owned(),
    };
    let inputs = PromptInputs { game: &game, classes: &classes, instructions: &instructions };
    Ok(Prompts::new(&templates, args.variant.into(), args.components, inputs))
}

/// Returns the conversations of a run: those of the first round, and for later rounds the task with one turn more.
fn planned(args: &RewardGenerateArgs, prompts: &Prompts, task: &RewardTask<'_>) -> Vec<PlannedConversation> {
    let longest = prompts.turns.iter().map(String::len).max().unwrap_or(0);
    let conversation = |round: u16, attempt: u16| {
        // A later round improves the best program in one turn, or begins again where there is none.
        let turns = task.further_turns().len() as u32;
        let further = if round == 1 { turns } else { turns.max(1) };
        PlannedConversation {
            request: Request { attempt: u32::from(attempt), ..task.request() },
            follow_ups: further + u32::from(args.repairs),
            follow_up_bytes: FEEDBACK_BYTES.max(longest),
        }
    };
    (1..=args.rounds).flat_map(|round| (0..args.candidates).map(move |attempt| conversation(round, attempt))).collect()
}

fn read_curves(path: &Path) -> Result<TrainingCurves, CommandError> {
    let text = files::read_text(path).map_err(CommandError::invalid_argument)?;
    TrainingCurves::parse(&text).map_err(|error| CommandError::Usage(format!("{}: {error}", path.display())))
}

/// Opens the record of a run.
pub(super) fn open_record(path: Option<&Path>, kind: &str, settings: &Value) -> Result<Record, CommandError> {
    match path {
        Some(path) => Record::open(path, kind, settings).map_err(|error| CommandError::Usage(error.to_string())),
        None => Ok(Record::in_memory()),
    }
}

/// Returns an observer that advances a bar with each candidate that has ended, and shows what happens.
pub(super) fn observe(progress: &Progress) -> impl Fn(&str, &CandidateEvent) + Sync + '_ {
    move |candidate, event| {
        progress.set_message(|| format!("candidate {candidate} {}", event.name()));
        if matches!(event, CandidateEvent::Finished { .. } | CandidateEvent::CallFailed { .. }) {
            progress.advance();
        }
    }
}

fn write_report(
    args: &RewardGenerateArgs,
    header: &ReportHeader,
    generation: &Generation,
    output: &mut Output,
) -> Result<(), CommandError> {
    if args.json {
        writeln!(output, "{:#}", report::json(header, generation))?;
    }
    let text = report::text(header, generation);
    match &args.report {
        Some(path) if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) => {
            write_file(path, &format!("{:#}\n", report::json(header, generation)))
        }
        Some(path) => write_file(path, &text),
        None => {
            output.note(text.trim_end());
            Ok(())
        }
    }
}

/// Writes the best program, with the requested adjustment.
fn write_best(
    args: &RewardGenerateArgs,
    inputs: &RewardInputs,
    generation: &Generation,
    output: &mut Output,
) -> Result<(), CommandError> {
    let Some(best) = generation.best() else { return Ok(()) };
    let mut program = best.program().unwrap_or_default().to_owned();
    let statistics = best.result().map_or(&Value::Null, |attempt| &attempt.results["statistics"]);
    let largest = ["min", "max"].iter().filter_map(|name| statistics[*name].as_f64()).map(f64::abs).fold(0.0, f64::max);
    let adjustment = match (args.clamp, args.rescale) {
        (true, _) => Some(Adjustment::Clamp),
        (_, true) if largest > 0.0 => Some(Adjustment::Rescale(largest)),
        _ => None,
    };
    if let Some(adjustment) = adjustment {
        let components = statistics["components"].as_object().is_some_and(|components| !components.is_empty());
        match adjustment::adjusted(&program, adjustment, components) {
            Some(adjusted) => {
                output.note(&adjustment::diff(&program, &adjusted));
                report_findings(inputs, &adjusted, output);
                program = adjusted;
            }
            None => output.note("the program cannot be adjusted: it has no reward function of a usual name"),
        }
    }
    match &args.output {
        Some(path) => write_file(path, &program),
        None if args.json => Ok(()),
        None => Ok(output.write_all(program.as_bytes())?),
    }
}

/// Reports the errors of an adjusted program.
fn report_findings(inputs: &RewardInputs, program: &str, output: &Output) {
    let empty = Prompts { system: String::new(), turns: Vec::new() };
    let task = RewardTask::new(inputs, &empty, false, &Request::chat(None, Vec::new()));
    let (parsed, mut findings) = task.parse(program);
    if let Some(mut parsed) = parsed {
        findings.extend(task.check(&mut parsed));
        findings.extend(task.run(&mut parsed));
    }
    for finding in findings.iter().filter(|finding| finding.weight == goalspec::words::Weight::Error) {
        output.note(&format!("error in the adjusted program [{}]: {}", finding.code, finding.message));
    }
}
