//! Translations and plans as tasks of the pipeline.

use goalspec_llm::import::collins2022;
use goalspec_llm::{Outcome, Reply, Request};
use goalspec_lot::english::{self, ParsedText};
use goalspec_lot::execution::{Execution, execute_reply};
use goalspec_lot::names::ObjectTable;
use goalspec_lot::plan::{self, PlanLine};
use goalspec_lot::prompts::TRANSLATION_PREFIX;
use goalspec_lot::relation::Fact;
use goalspec_lot::translation::{Part, read_part};
use goalspec_lot::{StackingProblem, checks};
use goalspec_syntax::{Diagnostic, SourceFile, SourceId, Sources};

use crate::candidate::Stage;
use crate::constraint::ReplyConstraint;
use crate::extraction::{Extraction, Note, code_blocks};
use crate::finding::{Finding, Weight};
use crate::pipeline::Task;

/// The info strings of fences around facts.
const LANGUAGES: [&str; 5] = ["pddl", "lisp", "scheme", "text", "plaintext"];

/// A task that one reply completes: a part of a translation, or a plan.
#[derive(Debug, Clone)]
pub struct ReplyTask {
    /// The prompt, with the few-shot examples.
    pub prompt: String,
    /// The true problem.
    pub problem: StackingProblem,
    /// The part of a translation; `None` for a plan.
    pub part: Option<Part>,
    /// The constraint on the reply; `None` if it is free.
    pub constraint: Option<ReplyConstraint>,
}

/// A reply that was read.
#[derive(Debug)]
pub struct ReadReply {
    sources: Sources,
    reply: SourceId,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Facts { facts: Vec<Fact>, text: ParsedText, objects: ObjectTable, part: Part },
    Plan { lines: Vec<PlanLine>, execution: Execution },
}

impl ReadReply {
    fn file(&self) -> &SourceFile {
        self.sources.file(self.reply)
    }

    fn findings<'d>(&self, stage: Stage, found: impl IntoIterator<Item = &'d Diagnostic>) -> Vec<Finding> {
        found.into_iter().map(|finding| Finding::from_diagnostic(stage, self.file(), finding)).collect()
    }
}

impl ReplyTask {
    /// Returns the text that is judged by the rules of the published program: the reply as it is, with the beginning that the prompt gave.
    pub fn raw_text(&self, reply: &Reply) -> String {
        if let Some(constraint) = &self.constraint {
            return constraint.program(&reply.text);
        }
        let is_begun = reply.prefilled || reply.text.starts_with(TRANSLATION_PREFIX);
        let prefix = if self.part.is_none() || is_begun { "" } else { TRANSLATION_PREFIX };
        format!("{prefix}{}", reply.text)
    }

    /// Whether a reply ended at the limit of tokens.
    pub fn is_cut(reply: &Reply) -> bool {
        reply.outcome == Outcome::Cut
    }
}

impl Task for ReplyTask {
    type Program = ReadReply;

    fn request(&self) -> Request {
        let request = match self.part {
            Some(_) => collins2022::translation_request(&self.prompt),
            None => collins2022::plan_request(&self.prompt),
        };
        match &self.constraint {
            Some(constraint) => constraint.apply(request),
            None => request,
        }
    }

    fn repair_request(&self) -> &'static str {
        match self.part {
            Some(_) => "Return all facts again, corrected, one per line, and nothing else.",
            None => "Return all actions again, corrected, one per line, and nothing else.",
        }
    }

    fn extract(&self, replies: &[&str]) -> Extraction {
        let reply = replies.last().copied().unwrap_or_default();
        let program = self.constraint.as_ref().map(|constraint| constraint.program(reply));
        let reply = program.as_deref().unwrap_or(reply);
        if self.part.is_some() { facts_of(reply) } else { plan_of(reply) }
    }

    fn parse(&self, program: &str) -> (Option<ReadReply>, Vec<Finding>) {
        let mut sources = Sources::new();
        let reply = sources.add("reply", program);
        let objects = self.problem.objects();
        let (content, diagnostics) = if let Some(part) = self.part {
            let relations = match part {
                Part::Initial => self.problem.initial.relations(),
                Part::Goal => self.problem.goal.clone(),
            };
            let text = sources.add("text", english::text(&relations));
            let text = english::parse(sources.file(text), Some(&objects));
            let (read, diagnostics) = read_part(sources.file(reply), part, &objects);
            (Content::Facts { facts: read.facts, text, objects, part }, diagnostics)
        } else {
            let lines = plan::read(sources.file(reply));
            let execution = execute_reply(&self.problem, sources.file(reply), &lines);
            (Content::Plan { lines, execution }, Vec::new())
        };
        let read = ReadReply { sources, reply, content };
        let findings = read.findings(Stage::Parsed, &diagnostics);
        (Some(read), findings)
    }

    fn check(&self, program: &mut ReadReply) -> Vec<Finding> {
        match &program.content {
            Content::Facts { facts, text, objects, part } => {
                let text = checks::TranslatedText { text, reply: program.file() };
                program.findings(Stage::Checked, &checks::check_part(facts, *part, text, objects))
            }
            Content::Plan { execution, .. } => program.findings(Stage::Checked, &execution.diagnostics),
        }
    }

    fn run(&self, program: &mut ReadReply) -> Vec<Finding> {
        let Content::Plan { execution, lines } = &program.content else { return Vec::new() };
        let unmet = self.problem.goal.iter().filter(|relation| !execution.last.satisfies(&[(*relation).clone()]));
        let unmet: Vec<String> = unmet.map(english::sentence).collect();
        if unmet.is_empty() {
            return Vec::new();
        }
        let message = format!("the goal does not hold after the {} actions that can be executed", execution.applied);
        let mut finding = Finding::new(Stage::Run, GOAL_NOT_REACHED, Weight::Error, message);
        finding.evidence = unmet.into_iter().map(|sentence| format!("not reached: {sentence}")).collect();
        if lines.iter().all(|line| line.action.is_none()) {
            finding =
                finding.with_help("write each action as `Move the X onto the Y.` or `Move the X onto the table.`");
        }
        vec![finding]
    }

    fn audit(&self, _: &mut ReadReply) -> Vec<Finding> {
        Vec::new()
    }

    fn continues_after(&self, _: Stage) -> bool {
        // A reply has few lines, and the model should see all that is wrong with them.
        true
    }
}

/// The code of the finding that a plan does not reach the goal.
pub const GOAL_NOT_REACHED: &str = "words/goal-not-reached";

/// Extracts the facts of a reply: fenced blocks, or the lines from the first to the last with a parenthesis.
fn facts_of(reply: &str) -> Extraction {
    let mut notes = Vec::new();
    let blocks = code_blocks(reply, &LANGUAGES, &mut notes);
    if !blocks.is_empty() {
        let program = blocks.into_iter().map(|block| block.text).collect::<Vec<_>>().join("\n");
        return Extraction { program: Some(program), notes, findings: Vec::new() };
    }
    let reply = with_first_parenthesis(reply, &mut notes);
    let is_fact = |line: &str| line.trim_start().starts_with('(');
    let lines: Vec<&str> = reply.lines().collect();
    let Some(first) = lines.iter().position(|line| is_fact(line)) else {
        let message = "the reply contains no facts";
        let mut extraction = Extraction::without_program(crate::codes::NO_PROGRAM, message, notes);
        extraction.findings[0].help.push("return one fact per line, such as `(clear x)`".to_owned());
        return extraction;
    };
    // Facts may continue on lines of their own until the parentheses match.
    let last = lines.iter().rposition(|line| line.contains([')', '('])).unwrap_or(first);
    let dropped = |lines: &[&str]| lines.iter().any(|line| !line.trim().is_empty());
    if dropped(&lines[..first]) || dropped(&lines[last + 1..]) {
        notes.push(Note::new("surrounding-text", "the text before and after the facts is dropped"));
        return Extraction { program: Some(lines[first..=last].join("\n")), notes, findings: Vec::new() };
    }
    Extraction { program: Some(reply), notes, findings: Vec::new() }
}

/// Adds the parenthesis that a prompt ends with to a reply that continues it.
fn with_first_parenthesis(reply: &str, notes: &mut Vec<Note>) -> String {
    let start = reply.trim_start();
    let continues = ["ontable ", "on ", "clear "].iter().any(|predicate| start.starts_with(predicate));
    if continues && start.lines().next().is_some_and(|line| line.trim_end().ends_with(')')) {
        notes.push(Note::new("continued-parenthesis", "the reply continues the parenthesis of the prompt"));
        return format!("{TRANSLATION_PREFIX}{start}");
    }
    reply.to_owned()
}

/// Extracts the plan of a reply: fenced blocks, or the whole reply.
fn plan_of(reply: &str) -> Extraction {
    let mut notes = Vec::new();
    let blocks = code_blocks(reply, &LANGUAGES, &mut notes);
    let program = if blocks.is_empty() {
        reply.to_owned()
    } else {
        blocks.into_iter().map(|block| block.text).collect::<Vec<_>>().join("\n")
    };
    Extraction { program: Some(program), notes, findings: Vec::new() }
}
