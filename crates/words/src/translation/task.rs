//! The task of translating words to a program.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use goalspec_core::budget::Budget;
use goalspec_core::interpret::GameInterpreter;
use goalspec_core::monitor::GameMonitor as _;
use goalspec_core::playback::Playback;
use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_llm::{Request, Turn};
use goalspec_planner::{Proof, StopReason};
use goalspec_planning::solve::{PlanRequest, solve};
use goalspec_syntax::{Diagnostic, SourceFile, Sources};
use goalspec_trace::{LookaheadReader, ReadOptions, TraceInput};
use serde_json::{Value, json};

use super::examples::Example;
use super::facts::{Fact, annotated, facts};
use super::names::NameMap;
use super::sentences::sentences;
use super::target::{BddlTarget, GameTarget, MAX_PLAN_STATES, PddlTarget, Target};
use crate::candidate::Stage;
use crate::codes;
use crate::constraint::{ConstraintMode, ReplyConstraint};
use crate::extraction::{Extraction, text};
use crate::finding::{Finding, Weight};
use crate::pipeline::Task;

/// The file name of programs in messages.
const FILE_NAME: &str = "translation";

/// The words to be translated, the target language, and the examples and names that are given with them.
#[derive(Debug)]
pub struct TranslationInputs {
    /// The words.
    pub words: String,
    /// The language with its domain.
    pub target: Target,
    /// The declarations of objects, as in `red - van, books shoes - parcel`; empty if the model declares them.
    pub objects: String,
    /// The words that stand for names.
    pub names: NameMap,
    /// Examples for the prompt.
    pub examples: Vec<Example>,
    /// The constraint on replies; `None` if they are free.
    pub constraint: Option<ReplyConstraint>,
}

/// A translation.
#[derive(Debug)]
pub struct TranslationTask<'i> {
    inputs: &'i TranslationInputs,
    sentences: Vec<String>,
    /// The names of the given objects.
    objects: Vec<String>,
    first: Request,
    request: String,
}

/// The line before a PDDL domain in a prompt.
pub(super) const DOMAIN_MARK: &str = "The domain, in PDDL:\n";

/// The text before the objects in a prompt.
pub(super) const OBJECTS_MARK: &str = "\nThe objects are: ";

/// The text before the words that stand for names in a prompt.
pub(super) const NAMES_MARK: &str = "\nIn the sentences, ";

/// The line before the sentences in a prompt.
pub(super) const SENTENCES_MARK: &str = "\nThe sentences:\n";

/// The instructions for the conversation.
const SYSTEM: &str = "You translate sentences to programs of planning and goal languages, exactly: what a sentence says, and nothing else.";

impl<'i> TranslationTask<'i> {
    /// Creates the task. `settings` has the parameters of the requests; its prompt is not used.
    pub fn new(inputs: &'i TranslationInputs, settings: &Request) -> Self {
        let sentences = sentences(&inputs.words);
        let form = match inputs.constraint.as_ref().map(|constraint| constraint.mode) {
            None => {
                "Write `; N` on a line of its own before the facts of sentence N. Return the program in one code block, and nothing else."
            }
            Some(ConstraintMode::Grammar) => "Return the program on a single line, without comments, and nothing else.",
            Some(ConstraintMode::Schema) => {
                "Return the JSON object `{\"program\": \"..\"}` with the text of the program, and nothing else."
            }
        };
        let request = format!("{} {form}", inputs.target.request());
        let mut prompt = format!("{}\n", inputs.target.description());
        if !inputs.objects.is_empty() {
            let _ = writeln!(prompt, "{OBJECTS_MARK}{}", inputs.objects);
        }
        let names = inputs.names.lines();
        if !names.is_empty() {
            let _ = writeln!(prompt, "{NAMES_MARK}{}.", names.join("; "));
        }
        for (index, example) in inputs.examples.iter().enumerate() {
            let (words, program) = (example.words.trim(), example.program.trim());
            let _ = write!(prompt, "\nExample {}:\n{words}\n\n```\n{program}\n```\n", index + 1);
        }
        prompt.push_str(SENTENCES_MARK);
        for (index, sentence) in sentences.iter().enumerate() {
            let _ = writeln!(prompt, "{}. {sentence}", index + 1);
        }
        let _ = write!(prompt, "\n{request}");
        let chat = Request::chat(Some(SYSTEM.to_owned()), vec![Turn::user(prompt)]);
        let first = Request { prompt: chat.prompt, ..settings.clone() };
        let first = match &inputs.constraint {
            Some(constraint) => constraint.apply(first),
            None => first,
        };
        Self { inputs, sentences, objects: object_names(&inputs.objects), first, request }
    }

    /// Returns the sentences of the words.
    pub fn sentences(&self) -> &[String] {
        &self.sentences
    }

    /// Returns a program in canonical layout, with the source sentence of each fact as a comment, and the facts.
    pub fn annotated(&self, program: &str) -> (String, Vec<Fact>) {
        let source = self.source(program);
        let (facts, _) = facts(&source, &self.sentences, &self.inputs.names);
        (self.inputs.target.format(&annotated(program, &facts, &self.sentences)), facts)
    }
}

/// Returns the names of declarations such as `red - van, books shoes - parcel`.
pub(super) fn object_names(declarations: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_type = false;
    for word in
        declarations.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')')).filter(|word| !word.is_empty())
    {
        match word {
            "-" => is_type = true,
            ":objects" | "either" => {}
            _ if std::mem::take(&mut is_type) => {}
            name => names.push(name.to_lowercase()),
        }
    }
    names
}

/// A translated program under evaluation, with its parsed content and source sentences.
#[derive(Debug)]
pub struct EvaluatedTranslation {
    source: SourceFile,
    content: Content,
    facts: Vec<Fact>,
    /// Results of the run.
    results: Value,
}

#[derive(Debug)]
enum Content {
    Pddl(Box<goalspec_pddl::ast::Problem>, Option<Box<goalspec_core::planning::task::Task>>),
    Bddl(Box<goalspec_bddl::ast::Problem>),
    Game(Option<Arc<goalspec_core::program::Game>>),
}

impl Task for TranslationTask<'_> {
    type Program = EvaluatedTranslation;

    fn request(&self) -> Request {
        self.first.clone()
    }

    fn repair_request(&self) -> &str {
        &self.request
    }

    fn extract(&self, replies: &[&str]) -> Extraction {
        let form = self.inputs.target.form();
        replies.last().map_or_else(Extraction::default, |reply| text::extract(reply, form))
    }

    fn parse(&self, program: &str) -> (Option<EvaluatedTranslation>, Vec<Finding>) {
        let source = self.source(program);
        let (content, diagnostics) = match &self.inputs.target {
            Target::Pddl(_) => {
                let parsed = goalspec_pddl::parse(&source);
                (only(parsed.problems).map(|problem| Content::Pddl(Box::new(problem), None)), parsed.diagnostics)
            }
            Target::Bddl(target) => {
                let parsed = goalspec_bddl::check::check(&source, bddl_context(target));
                (only(parsed.problems).map(|problem| Content::Bddl(Box::new(problem))), parsed.diagnostics)
            }
            Target::Game(target) => {
                let world: &World = &target.world;
                let find = |name: &str| (name == world.name()).then_some(world);
                let checked = goalspec_game::check(&source, goalspec_game::Dialect::FORMAL, find);
                (only(checked.games).map(|game| Content::Game(game.program.map(Arc::new))), checked.diagnostics)
            }
        };
        let convert = |found: &Diagnostic| Finding::from_diagnostic(Stage::Parsed, &source, found);
        let mut findings: Vec<Finding> = diagnostics.iter().map(convert).collect();
        if content.is_err_and_reported(&findings) {
            let name = self.inputs.target.form().name;
            let message = format!("expected one {name}");
            findings.push(Finding::new(Stage::Parsed, codes::NOT_ONE.0, Weight::Error, message));
        }
        let program = content.ok().map(|content| EvaluatedTranslation {
            source,
            content,
            facts: Vec::new(),
            results: Value::Null,
        });
        (program, findings)
    }

    fn check(&self, program: &mut EvaluatedTranslation) -> Vec<Finding> {
        let mut findings = Vec::new();
        if let (Content::Pddl(problem, task), Target::Pddl(target)) = (&mut program.content, &self.inputs.target) {
            let lowered = goalspec_pddl::check::problem(problem, &target.checked);
            let all = lowered.diagnostics.iter().chain(&lowered.unsupported);
            findings.extend(all.map(|found| {
                let mut finding = Finding::from_diagnostic(Stage::Checked, &program.source, found);
                // The domain is given: that a problem does not need all of it is no mistake of its author.
                if finding.place.is_none() && finding.weight == Weight::Warning {
                    finding.weight = Weight::Note;
                }
                finding
            }));
            *task = lowered.task.map(Box::new);
        }
        findings.extend(self.check_objects(program));
        let (facts, of_sources) = facts(&program.source, &self.sentences, &self.inputs.names);
        program.facts = facts;
        findings.extend(of_sources);
        findings
    }

    fn run(&self, program: &mut EvaluatedTranslation) -> Vec<Finding> {
        match (&program.content, &self.inputs.target) {
            (Content::Pddl(_, Some(task)), Target::Pddl(target)) => {
                let (findings, results) = plan(task, target);
                program.results = results;
                findings
            }
            (Content::Bddl(problem), _) => ground_activity(problem),
            (Content::Game(Some(game)), Target::Game(target)) => {
                let (findings, results) = run_game(game, target);
                program.results = results;
                findings
            }
            _ => vec![Finding::new(Stage::Run, codes::NOT_PLANNED.0, Weight::Error, "the program cannot be run")],
        }
    }

    fn audit(&self, _: &mut EvaluatedTranslation) -> Vec<Finding> {
        // The plan was validated by the reference interpreter when it was found.
        Vec::new()
    }

    fn results(&self, program: &EvaluatedTranslation) -> Value {
        json!({ "facts": program.facts, "plan": program.results })
    }
}

/// Whether there is not exactly one definition, which no other finding says.
trait NotOne {
    fn is_err_and_reported(&self, findings: &[Finding]) -> bool;
}

impl<C> NotOne for Result<C, usize> {
    fn is_err_and_reported(&self, findings: &[Finding]) -> bool {
        self.as_ref().is_err_and(|count| *count > 1 || !findings.iter().any(|finding| finding.weight == Weight::Error))
    }
}

/// Returns the only one of several definitions.
///
/// # Errors
/// If there is not exactly one, with the number of definitions.
fn only<P>(definitions: Vec<P>) -> Result<P, usize> {
    let count = definitions.len();
    definitions.into_iter().next().filter(|_| count == 1).ok_or(count)
}

fn bddl_context(target: &BddlTarget) -> goalspec_bddl::check::CheckContext<'_> {
    goalspec_bddl::check::CheckContext { domains: &target.domains, ..goalspec_bddl::check::CheckContext::default() }
}

impl TranslationTask<'_> {
    /// Returns a program as a source file, whose number is not that of the domain: places in the domain are told from those in the program.
    fn source(&self, text: &str) -> SourceFile {
        let mut sources = Sources::new();
        let first = sources.add(FILE_NAME, text);
        let is_taken = self.inputs.target.domain_source() == Some(first);
        let id = if is_taken { sources.add(FILE_NAME, text) } else { first };
        sources.file(id).clone()
    }

    /// Compares the declared objects with the given ones.
    fn check_objects(&self, program: &EvaluatedTranslation) -> Vec<Finding> {
        if self.objects.is_empty() {
            return Vec::new();
        }
        let declared: Vec<String> = match &program.content {
            Content::Pddl(problem, _) => {
                problem.objects.iter().flat_map(|group| group.names.iter().map(|name| name.text().to_owned())).collect()
            }
            Content::Bddl(problem) => {
                problem.declarations().map(|declaration| declaration.name.text.to_lowercase()).collect()
            }
            Content::Game(_) => return Vec::new(),
        };
        let warn = |message: String| {
            Finding::new(Stage::Checked, codes::OBJECTS.0, Weight::Warning, message)
                .with_help(format!("the objects are: {}", self.inputs.objects))
        };
        let extra = declared.iter().filter(|name| !self.objects.contains(name));
        let missing = self.objects.iter().filter(|name| !declared.contains(name));
        let extra = extra.map(|name| {
            let known = self.objects.iter().map(String::as_str);
            let near = goalspec_syntax::suggest::did_you_mean(name, known);
            let finding = warn(format!("`{name}` is not among the given objects"));
            near.into_iter().fold(finding, Finding::with_help)
        });
        extra.chain(missing.map(|name| warn(format!("the object `{name}` is not declared")))).collect()
    }
}

/// Searches for a plan.
fn plan(task: &goalspec_core::planning::task::Task, target: &PddlTarget) -> (Vec<Finding>, Value) {
    let request =
        PlanRequest { time_limit: Some(target.plan_time), max_states: Some(MAX_PLAN_STATES), ..PlanRequest::default() };
    let note = |weight: Weight, code: &str, message: String| vec![Finding::new(Stage::Run, code, weight, message)];
    let solved = match solve(task, &request, &AtomicBool::new(false), &|_| ()) {
        Ok(solved) => solved,
        Err(error) => {
            let message = format!("no plan was searched for: {}", error.diagnostic(task).message);
            return (note(Weight::Note, codes::NOT_PLANNED.0, message), Value::Null);
        }
    };
    match &solved.plan {
        Some((plan, _)) if plan.steps.is_empty() => {
            let message = "the goal holds in the initial state: there is nothing to do".to_owned();
            (note(Weight::Warning, codes::HOLDS.0, message), json!({ "steps": [] }))
        }
        Some((plan, validation)) => {
            let steps: Vec<String> = plan.steps.iter().map(|step| step_text(task, step)).collect();
            (Vec::new(), json!({ "steps": steps, "valid": validation.is_valid() }))
        }
        None if solved.proof == Proof::Unsolvable => {
            (note(Weight::Warning, codes::NO_PLAN.0, "no plan reaches the goal".to_owned()), Value::Null)
        }
        None => {
            let reason = solved.stop_reason.map_or("", |reason| match reason {
                StopReason::Time => ": the limit of time was reached (--plan-time)",
                StopReason::Memory => ": the limit of memory was reached",
                _ => ": the limit of states was reached",
            });
            (note(Weight::Warning, codes::NOT_PLANNED.0, format!("no plan was found{reason}")), Value::Null)
        }
    }
}

/// Returns a step as in a plan file.
fn step_text(task: &goalspec_core::planning::task::Task, step: &goalspec_core::planning::plan::PlanStep) -> String {
    let objects = step.arguments.iter().map(|&object| &*task.world.object_decl(object).id);
    let words: Vec<&str> = std::iter::once(&*task.action(step.action).name).chain(objects).collect();
    format!("({})", words.join(" "))
}

/// Checks whether the goal of an activity can be reached, and does not hold from the beginning.
fn ground_activity(problem: &goalspec_bddl::ast::Problem) -> Vec<Finding> {
    let dialect = goalspec_bddl::Dialect::default();
    let goal = match goalspec_bddl::ground::GroundGoal::new(problem) {
        Ok(goal) => goal,
        Err(error) => {
            let message = format!("the goal cannot be grounded: {error}");
            return vec![Finding::new(Stage::Run, codes::NOT_PLANNED.0, Weight::Error, message)];
        }
    };
    let mut findings = Vec::new();
    if let Ok(solver) = goalspec_bddl::options::solver(&goal, dialect)
        && solver.count().exact() == Some(0)
    {
        let message = "the goal cannot be satisfied: it contradicts itself";
        findings.push(Finding::new(Stage::Run, codes::UNSATISFIABLE.0, Weight::Error, message));
    }
    if goalspec_bddl::evaluate::goal_holds(&goal, dialect, &goal.initial_state(problem)) {
        let message = "the goal holds in the initial state: there is nothing to do";
        findings.push(Finding::new(Stage::Run, codes::HOLDS.0, Weight::Warning, message));
    }
    findings
}

/// Runs a game over the traces with the reference interpreter.
fn run_game(game: &Arc<goalspec_core::program::Game>, target: &GameTarget) -> (Vec<Finding>, Value) {
    let mut findings = Vec::new();
    let mut results = Vec::new();
    for trace in &target.traces {
        let name = trace.name();
        match score_of(game, target, trace) {
            Ok((score, satisfied)) => {
                for (preference, _) in game.preferences.iter().zip(&satisfied).filter(|(_, count)| **count == 0) {
                    let message = format!("the preference `{}` is never satisfied in `{name}`", preference.name);
                    findings.push(Finding::new(Stage::Run, codes::NEVER_SATISFIED.0, Weight::Note, message));
                }
                results.push(json!({ "trace": name, "score": score, "satisfied": satisfied }));
            }
            Err(message) => {
                let message = format!("the game cannot be run over `{name}`: {message}");
                findings.push(Finding::new(Stage::Run, codes::TRACE.0, Weight::Error, message));
            }
        }
    }
    (findings, Value::Array(results))
}

/// Returns the score of a game over a trace, and the number of satisfactions of each preference.
fn score_of(
    game: &Arc<goalspec_core::program::Game>,
    target: &GameTarget,
    trace: &TraceInput,
) -> Result<(Option<f64>, Vec<usize>), String> {
    let text = |error: Diagnostic| error.message;
    let mut monitor =
        GameInterpreter::new(Arc::clone(&target.world), Arc::clone(game)).map_err(|error| error.to_string())?;
    let options = ReadOptions::default();
    let source = trace.open().map_err(|error| text(*Box::<Diagnostic>::from(error)))?;
    let reader = source.read(&target.world, &options).map_err(|error| text(*Box::<Diagnostic>::from(error)))?;
    let mut reader = LookaheadReader::new(reader);
    let mut playback = Playback::new(Arc::clone(&target.world));
    let mut delta = Delta::default();
    let mut satisfied = vec![0; game.preferences.len()];
    while let Some(last) = reader.next(&mut delta).map_err(|error| text(*Box::<Diagnostic>::from(error)))? {
        playback.advance(&delta);
        monitor.work().set_limit(Budget::default().limit(playback.steps()));
        let verdict = monitor.step(&playback.update(&delta, last));
        if monitor.work().is_exceeded() {
            return Err(format!("the work exceeds its limit in state {}", playback.steps()));
        }
        for (preference, _) in &verdict.satisfied {
            satisfied[*preference] += 1;
        }
        if verdict.done {
            break;
        }
    }
    let report = monitor.finish(playback.state());
    Ok((report.score.ok(), satisfied))
}
