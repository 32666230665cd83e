//! The task of writing a reward function.

use std::sync::Arc;

use goalspec_audit::{Audit, AuditOptions, ErrorGroup, audit};
use goalspec_core::world::World;
use goalspec_llm::{Request, Turn};
use goalspec_reward::lint::RewardRange;
use goalspec_rewards::program::{NamedRewardProgram, RewardProgram};
use goalspec_rewards::world::RewardWorld;
use goalspec_syntax::{Diagnostic, SourceFile, Sources};
use goalspec_trace::TraceInput;
use serde_json::{Value, json};

use super::frame_text::frame_objects;
use super::prompts::{Prompts, Variant};
use super::statistics;
use crate::candidate::{Attempt, Stage};
use crate::codes;
use crate::extraction::Extraction;
use crate::extraction::python::{self, WorldNames};
use crate::feedback;
use crate::finding::{Finding, Place, Weight};
use crate::pipeline::Task;

/// The file name of programs in messages.
const FILE_NAME: &str = "reward.py";

/// The codes of the parser; all other diagnostics belong to the check.
const PARSER_CODES: [&str; 2] = [goalspec_reward::codes::SYNTAX.0, goalspec_reward::codes::LIMIT.0];

/// The code of the finding of an exception, which the run reports and not the audit.
const RAISES: &str = "raises";

/// The request at the end of a feedback.
const REQUEST: &str =
    "Return the whole corrected program in one Python code block, without explanations outside of it.";

/// The addition to the request for programs with components.
const COMPONENTS_REQUEST: &str = "Keep returning the pair of the reward and the dictionary of its components.";

/// The inputs that all candidates of a generation share.
#[derive(Debug)]
pub struct RewardInputs {
    /// The world.
    pub world: RewardWorld,
    /// The loaded worlds, for traces that belong to one of them.
    pub known: Vec<Arc<World>>,
    /// The sample traces, at least one.
    pub traces: Vec<TraceInput>,
    /// The name of the true score in the traces; the score of the game if `None`.
    pub score_column: Option<String>,
    /// The range that the prompts ask for.
    pub range: Option<RewardRange>,
}

/// A conversation about a reward function.
#[derive(Debug)]
pub struct RewardTask<'i> {
    inputs: &'i RewardInputs,
    names: WorldNames,
    first: Request,
    further: Vec<String>,
    request: String,
    /// The replies that precede the conversation, such as the best program of the round before.
    earlier_replies: Vec<String>,
}

impl<'i> RewardTask<'i> {
    /// Creates the conversation of the first round.
    pub fn new(inputs: &'i RewardInputs, prompts: &Prompts, components: bool, settings: &Request) -> Self {
        let mut turns = prompts.turns.iter().cloned();
        let first = turns.next().unwrap_or_default();
        let chat = Request::chat(Some(prompts.system.clone()), vec![Turn::user(first)]);
        Self::with_request(inputs, Request { prompt: chat.prompt, ..settings.clone() }, turns.collect(), components)
    }

    /// Creates the conversation of a later round: the task, the best program so far, and the feedback on it. Its length does not depend on
    /// the number of the round.
    pub fn improving(
        inputs: &'i RewardInputs,
        (prompts, variant): (&Prompts, Variant),
        (program, feedback): (&str, &str),
        components: bool,
        settings: &Request,
    ) -> Self {
        let reply = format!("```python\n{}\n```", program.trim_end());
        let turns =
            vec![Turn::user(prompts.task(variant)), Turn::assistant(reply.clone()), Turn::user(feedback.to_owned())];
        let chat = Request::chat(Some(prompts.system.clone()), turns);
        let request = Request { prompt: chat.prompt, ..settings.clone() };
        Self { earlier_replies: vec![reply], ..Self::with_request(inputs, request, Vec::new(), components) }
    }

    fn with_request(inputs: &'i RewardInputs, first: Request, further: Vec<String>, components: bool) -> Self {
        let request = if components { format!("{REQUEST} {COMPONENTS_REQUEST}") } else { REQUEST.to_owned() };
        Self { inputs, names: world_names(&inputs.world), first, further, request, earlier_replies: Vec::new() }
    }
}

/// Returns the names of a world that programs may use without defining them.
pub fn world_names(world: &RewardWorld) -> WorldNames {
    let import = match world {
        RewardWorld::Screen(world) => format!("from ocatari.ram.{} import *", world.game.slug()),
        RewardWorld::Objects(_) => "from goalspec.world import *".to_owned(),
    };
    let classes = world.scene().class_names().map(ToString::to_string).collect();
    WorldNames { import: Some(import), classes }
}

/// A reward function under evaluation.
#[derive(Debug)]
pub struct EvaluatedReward {
    source: SourceFile,
    reward: RewardProgram,
    /// The diagnostics of the check, except for lints.
    diagnostics: Vec<Diagnostic>,
    /// The identities of the findings of the check: kind and line.
    checked: Vec<(String, usize)>,
    audit: Option<Audit>,
}

impl EvaluatedReward {
    /// Returns the audit; `None` if the program could not run.
    pub fn audit(&self) -> Option<&Audit> {
        self.audit.as_ref()
    }
}

impl Task for RewardTask<'_> {
    type Program = EvaluatedReward;

    fn request(&self) -> Request {
        self.first.clone()
    }

    fn further_turns(&self) -> &[String] {
        &self.further
    }

    fn repair_request(&self) -> &str {
        &self.request
    }

    fn extract(&self, replies: &[&str]) -> Extraction {
        let earlier = self.earlier_replies.iter().map(String::as_str);
        python::extract(&earlier.chain(replies.iter().copied()).collect::<Vec<_>>(), &self.names)
    }

    fn parse(&self, program: &str) -> (Option<EvaluatedReward>, Vec<Finding>) {
        let mut sources = Sources::new();
        let id = sources.add(FILE_NAME, program);
        let source = sources.file(id).clone();
        let (reward, diagnostics) = RewardProgram::read(&source, Some(self.inputs.world.clone()), None);
        let (of_parser, diagnostics): (Vec<Diagnostic>, Vec<Diagnostic>) =
            diagnostics.into_iter().partition(|diagnostic| PARSER_CODES.contains(&diagnostic.code.0));
        let findings: Vec<Finding> =
            of_parser.iter().map(|found| Finding::from_diagnostic(Stage::Parsed, &source, found)).collect();
        let program = findings.is_empty().then(|| EvaluatedReward {
            source,
            reward,
            diagnostics,
            checked: Vec::new(),
            audit: None,
        });
        (program, findings)
    }

    fn check(&self, program: &mut EvaluatedReward) -> Vec<Finding> {
        let lints = goalspec_rewards::lint::diagnostics(&program.reward, self.inputs.range);
        let all = program.diagnostics.iter().chain(&lints);
        let mut findings: Vec<Finding> =
            all.map(|found| Finding::from_diagnostic(Stage::Checked, &program.source, found)).collect();
        for (finding, diagnostic) in findings.iter_mut().zip(program.diagnostics.iter().chain(&lints)) {
            finding.evidence.extend(diagnostic.label.clone());
        }
        findings.extend(unclamped(self.inputs, program));
        program.checked = findings.iter().map(identity).collect();
        findings
    }

    fn run(&self, program: &mut EvaluatedReward) -> Vec<Finding> {
        let name: Arc<str> = Arc::from(FILE_NAME);
        let named = NamedRewardProgram { name: &name, reward: &program.reward };
        let options = AuditOptions { score_column: self.inputs.score_column.clone(), ..AuditOptions::default() };
        let results = audit(&[named], &self.inputs.known, &self.inputs.traces, &options, &|_| ());
        let errors = results.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
        let mut findings: Vec<Finding> =
            errors.map(|error| Finding::from_diagnostic(Stage::Run, &program.source, error)).collect();
        let Some(audit) = results.audits.into_iter().next() else {
            if findings.is_empty() {
                findings.push(Finding::new(
                    Stage::Run,
                    codes::NOT_RUN.0,
                    Weight::Error,
                    "the program could not be run",
                ));
            }
            return findings;
        };
        findings.extend(run_findings(self.inputs, &audit));
        program.audit = Some(audit);
        findings
    }

    fn audit(&self, program: &mut EvaluatedReward) -> Vec<Finding> {
        let Some(audit) = &program.audit else { return Vec::new() };
        let own = audit.findings.iter().filter(|finding| finding.kind != RAISES);
        let findings = own.map(|finding| audit_finding(audit, finding));
        findings.filter(|finding| !program.checked.contains(&identity(finding))).collect()
    }

    fn results(&self, program: &EvaluatedReward) -> Value {
        let Some(audit) = &program.audit else { return Value::Null };
        json!({
            "statistics": statistics::json(self.inputs, &program.reward, audit),
            "recordings": audit.recordings.iter().map(|recording| {
                json!({ "label": recording.label, "total": recording.total(), "mean": mean(recording), "score": recording.score() })
            }).collect::<Value>(),
        })
    }

    fn continues_after(&self, stage: Stage) -> bool {
        // The frames without an exception are audited, so that one repair can mend all faults.
        stage == Stage::Run
    }

    fn feedback(&self, attempt: &Attempt) -> String {
        let mut text = feedback::render(attempt, "");
        if let Some(statistics) = attempt.results.get("statistics") {
            text.push_str(&statistics::feedback(statistics));
        }
        format!("{}\n\n{}", text.trim_end(), self.request)
    }
}

/// A reward function that fits every world.
const CONSTANT_REWARD: &str = "def reward_function(game_objects):\n    return 0.0\n";

/// Audits a constant reward over the recordings, so that a recording that cannot be audited is an error of the input and not of a program.
///
/// # Errors
/// The errors of the recordings.
pub fn check_recordings(inputs: &RewardInputs) -> Result<(), Vec<Diagnostic>> {
    let mut sources = Sources::new();
    let id = sources.add(FILE_NAME, CONSTANT_REWARD);
    let (reward, _) = RewardProgram::read(sources.file(id), Some(inputs.world.clone()), None);
    let named = NamedRewardProgram { name: &Arc::from(FILE_NAME), reward: &reward };
    let options = AuditOptions { score_column: inputs.score_column.clone(), ..AuditOptions::default() };
    let results = audit(&[named], &inputs.known, &inputs.traces, &options, &|_| ());
    let errors: Vec<Diagnostic> = results.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Returns the mean reward of the frames of a recording.
fn mean(recording: &goalspec_audit::Recording) -> Option<f64> {
    let frames = recording.rewarded_frames();
    (frames > 0).then(|| recording.total().unwrap_or(0.0) / frames as f64)
}

/// The range of rewards that is checked if the prompts ask for none.
const USUAL_RANGE: RewardRange = RewardRange { min: -1.0, max: 1.0, span: None };

/// Returns the finding that nothing keeps the reward within the range that the prompts ask for, or within [-1, 1].
fn unclamped(inputs: &RewardInputs, program: &EvaluatedReward) -> Option<Finding> {
    let entry = program.reward.entry(&inputs.world)?.ok()?;
    let range = inputs.range.unwrap_or(USUAL_RANGE);
    let scene = inputs.world.scene();
    let span = goalspec_reward::lint::unclamped_return(&program.source, &entry, Some(scene), range)?;
    let weight = if inputs.range.is_some() { Weight::Warning } else { Weight::Note };
    let message = format!("nothing keeps the reward in [{}, {}]", range.min, range.max);
    let mut finding = Finding::new(Stage::Checked, goalspec_reward::codes::UNCLAMPED.0, weight, message)
        .with_help("clamp the result, or scale the terms so that their sum stays in the range");
    finding.place = Some(Place::of(&program.source, span));
    Some(finding)
}

/// Returns the kind of a finding without its language, and its line.
fn identity(finding: &Finding) -> (String, usize) {
    let kind = finding.code.rsplit('/').next().unwrap_or_default().to_owned();
    (kind, finding.place.as_ref().map_or(0, |place| place.line))
}

/// Returns the findings of the frames without a reward: each exception with its frame and the objects in it.
fn run_findings(inputs: &RewardInputs, audit: &Audit) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for (recording, trace) in audit.recordings.iter().zip(&inputs.traces) {
        for failure in &recording.failures {
            let message = failure.messages.first().map_or(String::new(), |message| format!(": {message}"));
            let line = failure.line.map_or(String::new(), |line| format!(" in line {line}"));
            let evidence = format!(
                "`{}`: {} of {} frames, first in frame {}",
                recording.label,
                failure.frames,
                recording.frames(),
                failure.first_frame
            );
            let known = findings.iter_mut().find(|finding| finding.message == title(failure, &message, &line));
            if let Some(known) = known {
                known.evidence.push(evidence);
                continue;
            }
            let mut finding = Finding::new(
                Stage::Run,
                goalspec_reward::codes::RAISES.0,
                Weight::Error,
                title(failure, &message, &line),
            )
            .with_evidence(evidence)
            .with_help("check whether a value exists before its use: objects appear and disappear");
            finding.place = failure.line.map(|line| place(&audit.source, line as usize));
            if let Some(objects) = frame_objects(inputs, trace, failure.first_frame) {
                finding = finding.with_evidence(format!("objects in that frame: {objects}"));
            }
            findings.push(finding);
        }
        if recording.other_failures > 0 {
            let message = format!("{} further frames have no reward, for other reasons", recording.other_failures);
            findings.push(Finding::new(Stage::Run, goalspec_reward::codes::RAISES.0, Weight::Error, message));
        }
    }
    findings
}

fn title(failure: &ErrorGroup, message: &str, line: &str) -> String {
    format!("the function returns no reward in some frames: `{}{message}`{line}", failure.kind)
}

fn place(source: &SourceFile, line: usize) -> Place {
    let range = source.line_range(line.min(source.line_count()));
    let start = range.start as u32;
    let text = &source.text()[range];
    let indentation = (text.len() - text.trim_start().len()) as u32;
    Place::of(source, goalspec_syntax::Span::new(source.id(), start + indentation, start + indentation))
}

/// Converts a finding of an audit; its consequences become evidence.
fn audit_finding(audit: &Audit, finding: &goalspec_audit::Finding) -> Finding {
    let of_audit = format!("audit/{}", finding.kind);
    let is_of_audit = goalspec_audit::codes::ALL.iter().any(|known| known.code.0 == of_audit);
    let code = if is_of_audit { of_audit } else { format!("reward/{}", finding.kind) };
    let mut found = Finding::new(Stage::Audited, &code, finding.severity.into(), finding.message.clone());
    found.place = finding.span.map(|span| Place::of(&audit.source, span));
    found.evidence.clone_from(&finding.evidence);
    for follows in &finding.consequences {
        let line = follows.span.map_or(String::new(), |span| format!(" in line {}", audit.line_column(span).0));
        found.evidence.push(format!("consequence{line}: {}", follows.message));
    }
    found.help.clone_from(&finding.help);
    found
}
