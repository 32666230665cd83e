//! Candidates: conversations with a model, the attempts at a program in them, and what became of each.

use goalspec_llm::{ModelError, Reply, Turn};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::extraction::Note;
use crate::finding::{Finding, Weight};

/// A stage that a candidate has reached.
///
/// ```text
/// asked -> replied -> extracted -> parsed -> checked -> run -> audited -> accepted | rejected
///   ^                                                              |
///   +--------------- findings, as one repair turn -----------------+
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The model has been asked.
    Asked,
    /// The reply has arrived.
    Replied,
    /// A program was extracted from the reply.
    Extracted,
    /// The program was parsed.
    Parsed,
    /// The program was checked without running it.
    Checked,
    /// The program was run, or its task was planned.
    Run,
    /// The results of the program were audited or validated.
    Audited,
}

impl Stage {
    /// Returns the name in messages and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Replied => "replied",
            Self::Extracted => "extracted",
            Self::Parsed => "parsed",
            Self::Checked => "checked",
            Self::Run => "run",
            Self::Audited => "audited",
        }
    }
}

/// The end of a candidate or of one of its attempts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// All stages were passed without a finding that needs a repair.
    Accepted,
    /// All stages were passed; the warnings are listed with the program.
    AcceptedWithWarnings,
    /// A finding is a reason to reject the program; the reasons in order.
    Rejected(Vec<String>),
    /// A call failed, so the candidate has no result.
    Failed(ModelError),
    /// The run ended before the candidate did, for instance because a cap was reached.
    Unfinished(ModelError),
}

impl Status {
    /// Returns the name in messages and reports.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::AcceptedWithWarnings => "accepted with warnings",
            Self::Rejected(_) => "rejected",
            Self::Failed(_) => "failed",
            Self::Unfinished(_) => "unfinished",
        }
    }

    /// Whether the program is accepted, with or without warnings.
    pub const fn is_accepted(&self) -> bool {
        matches!(self, Self::Accepted | Self::AcceptedWithWarnings)
    }
}

/// The reason for which the repairs of a candidate ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepairEnd {
    /// Nothing was left to repair.
    NothingToRepair,
    /// The maximum number of repairs was reached.
    MaxRepairs,
    /// A repair left all findings of the attempt before it.
    SameFindings,
    /// The model gave the same reply again.
    SameReply,
    /// A call failed, or the run ended.
    CallFailed,
}

impl RepairEnd {
    /// Returns a description in English.
    pub const fn description(self) -> &'static str {
        match self {
            Self::NothingToRepair => "nothing was left to repair",
            Self::MaxRepairs => "the maximum number of repairs was reached",
            Self::SameFindings => "a repair left the same findings",
            Self::SameReply => "the model gave the same reply again",
            Self::CallFailed => "a call failed",
        }
    }
}

/// One attempt at a program: the state of the conversation after a reply, and its evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// The number of replies of the conversation up to this attempt.
    pub replies: usize,
    /// The last stage that was reached.
    pub stage: Stage,
    /// The program; `None` if none could be extracted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The steps of the extraction.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// The findings of all stages, in the order of the stages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Results of the evaluation, such as statistics or a plan; their form depends on the task.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub results: Value,
}

impl Attempt {
    /// Whether all stages were reached.
    pub fn is_complete(&self) -> bool {
        self.stage == Stage::Audited && self.program.is_some()
    }

    /// Returns the status that the attempt gives its candidate.
    pub fn status(&self) -> Status {
        let errors: Vec<String> = self.findings_of(Weight::Error).map(|finding| finding.message.clone()).collect();
        if !errors.is_empty() {
            return Status::Rejected(errors);
        }
        if !self.is_complete() {
            return Status::Rejected(vec![format!("the evaluation ended at the stage `{}`", self.stage.name())]);
        }
        if self.findings.iter().any(Finding::needs_repair) { Status::AcceptedWithWarnings } else { Status::Accepted }
    }

    /// Returns the number of findings that need a repair.
    pub fn open_findings(&self) -> usize {
        self.findings.iter().filter(|finding| finding.needs_repair()).count()
    }

    /// Iterates over the findings of one weight.
    pub fn findings_of(&self, weight: Weight) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.weight == weight)
    }

    /// Returns the rank among the attempts of a candidate: accepted ones first, then later stages, then fewer findings.
    fn rank(&self) -> (u8, Stage, std::cmp::Reverse<usize>) {
        let acceptance = match self.status() {
            Status::Accepted => 2,
            Status::AcceptedWithWarnings => 1,
            _ => 0,
        };
        (acceptance, self.stage, std::cmp::Reverse(self.open_findings()))
    }
}

/// A candidate: one conversation with the model, with all attempts at a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The name, unique in its run, such as `1-3` for the third candidate of the first round.
    pub id: String,
    /// The turns of the conversation.
    pub turns: Vec<Turn>,
    /// The replies, with what they cost.
    pub replies: Vec<Reply>,
    /// The attempts, in order.
    pub attempts: Vec<Attempt>,
    /// The index of the attempt that is the result: the best one, and among equals the last.
    pub best: Option<usize>,
    /// The number of repair turns.
    pub repairs: usize,
    /// The reason for which the repairs ended.
    pub repair_end: RepairEnd,
    /// The status.
    pub status: Status,
}

impl Candidate {
    /// Returns the attempt that is the result.
    pub fn result(&self) -> Option<&Attempt> {
        self.attempts.get(self.best?)
    }

    /// Returns the program of the result.
    pub fn program(&self) -> Option<&str> {
        self.result()?.program.as_deref()
    }
}

/// Returns the index of the best attempt; among equals, of the last.
pub(crate) fn best_attempt(attempts: &[Attempt]) -> Option<usize> {
    (0..attempts.len()).max_by_key(|&index| (attempts[index].rank(), index))
}
