//! The conversation of one candidate.

use std::collections::BTreeSet;

use goalspec_llm::{ModelError, Prompt, Reply, Request, Turn};
use goalspec_syntax::diagnostic::Code;

use super::{Job, Log, Task};
use crate::candidate::{Attempt, Candidate, RepairEnd, Stage, Status, best_attempt};
use crate::codes;
use crate::finding::{Finding, Weight};
use crate::record::{CandidateEvent, RecordError};

/// The text of an empty reply in the conversation, since servers do not accept an empty turn.
const EMPTY_REPLY: &str = "(empty reply)";

/// The conversation of a candidate that is being produced.
pub(super) struct Conversation<'t, T: Task> {
    task: &'t T,
    id: String,
    first: Request,
    turns: Vec<Turn>,
    replies: Vec<Reply>,
    attempts: Vec<Attempt>,
    /// The number of further turns of the task that have been taken.
    further_turns: usize,
    repairs: usize,
    max_repairs: usize,
    /// Whether the last turn asks for a repair.
    is_repair: bool,
    end: Option<(RepairEnd, Option<ModelError>)>,
}

impl<'t, T: Task> Conversation<'t, T> {
    pub(super) fn new(job: &Job<'t, T>, max_repairs: usize) -> Self {
        let first = Request { attempt: job.attempt, ..job.task.request() };
        let turns = match &first.prompt {
            Prompt::Chat { turns, .. } => turns.clone(),
            Prompt::Text(text) => vec![Turn::user(text.clone())],
        };
        Self {
            task: job.task,
            id: job.id.clone(),
            first,
            turns,
            replies: Vec::new(),
            attempts: Vec::new(),
            further_turns: 0,
            repairs: 0,
            max_repairs,
            is_repair: false,
            end: None,
        }
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn is_active(&self) -> bool {
        self.end.is_none()
    }

    /// Returns the next request.
    pub(super) fn request(&self) -> Request {
        if self.replies.is_empty() {
            return self.first.clone();
        }
        Request { attempt: self.first.attempt, ..self.task.follow_up(self.turns.clone()) }
    }

    /// Returns the event of the next request.
    pub(super) fn asked(&self) -> CandidateEvent {
        let is_first = self.replies.is_empty();
        CandidateEvent::Asked {
            turn: self.replies.len(),
            prompt: is_first.then(|| self.first.prompt.clone()),
            text: self.turns.last().filter(|_| !is_first).map(|turn| turn.text.clone()),
        }
    }

    /// Adds a reply.
    pub(super) fn receive(&mut self, reply: Reply) {
        let text = if reply.text.trim().is_empty() { EMPTY_REPLY.to_owned() } else { reply.text.clone() };
        self.turns.push(Turn::assistant(text));
        self.replies.push(reply);
    }

    /// Ends the conversation because a call failed.
    pub(super) fn fail(&mut self, error: ModelError) {
        self.end = Some((RepairEnd::CallFailed, Some(error)));
    }

    /// Evaluates the last reply, and takes the next turn or ends the conversation.
    pub(super) fn advance(&mut self, log: Log<'_>) -> Result<(), RecordError> {
        let unusable = self.replies.last().and_then(unusable);
        if unusable.is_none()
            && let Some(text) = self.task.further_turns().get(self.further_turns)
        {
            self.further_turns += 1;
            self.is_repair = false;
            self.turns.push(Turn::user(text.clone()));
            return Ok(());
        }
        let (attempt, feedback) = if let Some(finding) = unusable {
            let feedback = request_again(&finding);
            (self.unusable_attempt(finding, log)?, feedback)
        } else {
            let attempt = self.evaluate(log)?;
            let feedback = self.task.feedback(&attempt);
            (attempt, feedback)
        };
        let end = self.end_after(&attempt);
        self.attempts.push(attempt);
        if let Some(end) = end {
            self.end = Some((end, None));
            let status = self.status();
            log.write(&self.id, &CandidateEvent::Finished { status, repair_end: end })?;
        } else {
            self.repairs += 1;
            self.is_repair = true;
            self.turns.push(Turn::user(feedback));
        }
        Ok(())
    }

    /// Returns the reason for which the conversation ends after an attempt; `None` if a repair follows.
    fn end_after(&self, attempt: &Attempt) -> Option<RepairEnd> {
        if !attempt.findings.iter().any(Finding::needs_repair) && attempt.is_complete() {
            return Some(RepairEnd::NothingToRepair);
        }
        let keys = |attempt: &Attempt| -> BTreeSet<String> {
            attempt.findings.iter().filter(|finding| finding.needs_repair()).map(Finding::key).collect()
        };
        if self.is_repair {
            let [.., before, last] = self.replies.as_slice() else { return None };
            if before.text == last.text {
                return Some(RepairEnd::SameReply);
            }
            if self.attempts.last().is_some_and(|before| keys(before).is_subset(&keys(attempt))) {
                return Some(RepairEnd::SameFindings);
            }
        }
        (self.repairs >= self.max_repairs).then_some(RepairEnd::MaxRepairs)
    }

    /// Returns the attempt of a reply that is not read as a program.
    fn unusable_attempt(&self, finding: Finding, log: Log<'_>) -> Result<Attempt, RecordError> {
        let findings = vec![finding];
        log.write(
            &self.id,
            &CandidateEvent::Extracted { program: None, notes: Vec::new(), findings: findings.clone() },
        )?;
        let replies = self.replies.len();
        Ok(Attempt {
            replies,
            stage: Stage::Replied,
            program: None,
            notes: Vec::new(),
            findings,
            results: serde_json::Value::Null,
        })
    }

    /// Extracts and evaluates the program of the conversation.
    fn evaluate(&self, log: Log<'_>) -> Result<Attempt, RecordError> {
        let usable = self.replies.iter().filter(|reply| unusable(reply).is_none()).map(|reply| reply.text.as_str());
        let extraction = self.task.extract(&usable.collect::<Vec<_>>());
        log.write(
            &self.id,
            &CandidateEvent::Extracted {
                program: extraction.program.clone(),
                notes: extraction.notes.clone(),
                findings: extraction.findings.clone(),
            },
        )?;
        let mut attempt = Attempt {
            replies: self.replies.len(),
            stage: if extraction.program.is_some() { Stage::Extracted } else { Stage::Replied },
            program: extraction.program,
            notes: extraction.notes,
            findings: extraction.findings,
            results: serde_json::Value::Null,
        };
        attempt.findings.extend(self.replies.last().and_then(crate::constraint::violation));
        let Some(text) = attempt.program.clone() else { return Ok(attempt) };
        let (mut program, findings) = self.task.parse(&text);
        if !self.reach(&mut attempt, Stage::Parsed, findings, log)? {
            return Ok(attempt);
        }
        let Some(program) = &mut program else { return Ok(attempt) };
        for stage in [Stage::Checked, Stage::Run, Stage::Audited] {
            let findings = match stage {
                Stage::Checked => self.task.check(program),
                Stage::Run => self.task.run(program),
                _ => self.task.audit(program),
            };
            if !self.reach(&mut attempt, stage, findings, log)? {
                break;
            }
        }
        attempt.results = self.task.results(program);
        Ok(attempt)
    }

    /// Adds the findings of a stage. Returns whether the next stage follows.
    fn reach(
        &self,
        attempt: &mut Attempt,
        stage: Stage,
        findings: Vec<Finding>,
        log: Log<'_>,
    ) -> Result<bool, RecordError> {
        let has_error = findings.iter().any(|finding| finding.weight == Weight::Error);
        log.write(&self.id, &CandidateEvent::Evaluated { stage, findings: findings.clone() })?;
        attempt.stage = stage;
        attempt.findings.extend(findings);
        Ok(!has_error || self.task.continues_after(stage))
    }

    fn status(&self) -> Status {
        let error = self.end.as_ref().and_then(|(_, error)| error.clone());
        let of_best = best_attempt(&self.attempts).map(|best| self.attempts[best].status());
        match (of_best, error) {
            (Some(status), None) => status,
            (Some(status), Some(_)) if status.is_accepted() => status,
            (_, Some(error)) if error.kind.ends_run() => Status::Unfinished(error),
            (_, Some(error)) => Status::Failed(error),
            (None, None) => Status::Rejected(vec!["there was no attempt".to_owned()]),
        }
    }

    pub(super) fn into_candidate(self) -> Candidate {
        let status = self.status();
        Candidate {
            id: self.id,
            turns: self.turns,
            replies: self.replies,
            best: best_attempt(&self.attempts),
            attempts: self.attempts,
            repairs: self.repairs,
            repair_end: self.end.map_or(RepairEnd::CallFailed, |(end, _)| end),
            status,
        }
    }
}

/// Returns the turn that asks for a reply again, which may be that of any turn of the task.
fn request_again(finding: &Finding) -> String {
    format!("Your reply cannot be used: {}. Please {}.", finding.message, finding.help.join(", "))
}

/// Returns the finding for a reply that is not read as a program: one that is incomplete or empty.
fn unusable(reply: &Reply) -> Option<Finding> {
    let error = |code: Code, message: String| Finding::new(Stage::Replied, code.0, Weight::Error, message);
    match reply.complete_text() {
        Err(incomplete) => Some(
            error(codes::INCOMPLETE_REPLY, incomplete.reason)
                .with_help("answer the last request again, and more briefly"),
        ),
        Ok(text) if text.trim().is_empty() => {
            Some(error(codes::EMPTY_REPLY, "the reply is empty".to_owned()).with_help("answer the last request again"))
        }
        Ok(_) => None,
    }
}
