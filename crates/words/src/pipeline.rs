//! The loop of candidates and repairs, the same for all kinds of tasks.
//!
//! All candidates advance together: the next calls of all candidates are made concurrently, in the order of the candidates, then all
//! replies are evaluated. So the calls that fit into a cap, and the results, do not depend on the concurrency.

mod conversation;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use goalspec_llm::{Model, ModelError, Prompt, Reply, Request, Turn, complete_all};
use serde_json::Value;

use crate::candidate::{Attempt, Candidate, Stage};
use crate::extraction::Extraction;
use crate::feedback;
use crate::finding::Finding;
use crate::record::{CandidateEvent, Record, RecordError};
use conversation::Conversation;

/// The default of [`RunOptions::max_repairs`].
pub const DEFAULT_REPAIRS: usize = 3;

/// A task for a language model: the prompts, and the evaluation of the programs in its replies.
///
/// The stages are called in order. A stage with an error ends the evaluation, unless [`continues_after`](Self::continues_after) says
/// otherwise.
pub trait Task: Sync {
    /// The parsed program, with the results of the stages so far.
    type Program: Send;

    /// Returns the first request of the conversation.
    fn request(&self) -> Request;

    /// Returns the texts of the turns that follow the first reply before the program is complete.
    fn further_turns(&self) -> &[String] {
        &[]
    }

    /// Returns the request of a later turn of the conversation.
    fn follow_up(&self, turns: Vec<Turn>) -> Request {
        let first = self.request();
        let system = match &first.prompt {
            Prompt::Chat { system, .. } => system.clone(),
            Prompt::Text(_) => None,
        };
        Request { prompt: Prompt::Chat { system, turns }, prefill: None, ..first }
    }

    /// Returns the sentence that says what a repaired reply contains.
    fn repair_request(&self) -> &str;

    /// Extracts the program from all complete replies of the conversation.
    fn extract(&self, replies: &[&str]) -> Extraction;

    /// Parses a program; `None` if it cannot be checked any further.
    fn parse(&self, program: &str) -> (Option<Self::Program>, Vec<Finding>);

    /// Checks a program without running it.
    fn check(&self, program: &mut Self::Program) -> Vec<Finding>;

    /// Runs a program, or plans for it.
    fn run(&self, program: &mut Self::Program) -> Vec<Finding>;

    /// Audits or validates the results of a run.
    fn audit(&self, program: &mut Self::Program) -> Vec<Finding>;

    /// Returns the results of the evaluation for the report.
    fn results(&self, _program: &Self::Program) -> Value {
        Value::Null
    }

    /// Whether the evaluation continues after errors of a stage.
    fn continues_after(&self, _stage: Stage) -> bool {
        false
    }

    /// Returns the feedback on an attempt, the next turn of the conversation.
    fn feedback(&self, attempt: &Attempt) -> String {
        feedback::render(attempt, self.repair_request())
    }
}

/// A candidate to produce.
#[derive(Debug)]
pub struct Job<'t, T> {
    /// The name of the candidate, unique in the record.
    pub id: String,
    /// The index among the jobs with equal requests, which distinguishes their recorded replies.
    pub attempt: u32,
    /// The task.
    pub task: &'t T,
}

/// The limits and threads within which candidates are produced.
#[derive(Debug, Clone, Copy)]
pub struct RunOptions {
    /// The maximum number of repair turns of a candidate.
    pub max_repairs: usize,
    /// The number of threads that evaluate programs.
    pub threads: usize,
}

impl Default for RunOptions {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { max_repairs: DEFAULT_REPAIRS, threads }
    }
}

/// The candidates that were produced, and the error that ended the production early.
#[derive(Debug)]
pub struct RunResults {
    /// The candidates, in the order of the jobs.
    pub candidates: Vec<Candidate>,
    /// The error that ended the run early, such as a cap that was reached.
    pub interruption: Option<ModelError>,
}

/// An observer of the events of a run: the name of the candidate and the event.
pub type RunObserver<'o> = &'o (dyn Fn(&str, &CandidateEvent) + Sync);

/// Produces candidates: asks the model, extracts, evaluates, and gives findings back, until each candidate has ended. Every event is
/// written to the record before the next call, and events that the record contains are not repeated.
///
/// # Errors
/// If the record cannot be written, or contradicts the run. An error of the model is a status of its candidates.
pub fn run<T: Task>(
    jobs: &[Job<'_, T>],
    model: &dyn Model,
    options: RunOptions,
    record: &Record,
    observer: RunObserver<'_>,
) -> Result<RunResults, RecordError> {
    let log = Log { record, observer };
    let mut conversations: Vec<Conversation<'_, T>> =
        jobs.iter().map(|job| Conversation::new(job, options.max_repairs)).collect();
    let mut interruption = None;
    while interruption.is_none() && conversations.iter().any(Conversation::is_active) {
        let active: Vec<usize> = (0..jobs.len()).filter(|&index| conversations[index].is_active()).collect();
        let replies = ask_all(&active, &conversations, model, log)?;
        let mut answered = Vec::new();
        for (&index, reply) in active.iter().zip(replies) {
            match reply {
                Ok(reply) => {
                    conversations[index].receive(reply);
                    answered.push(index);
                }
                Err(error) => {
                    if error.kind.ends_run() {
                        interruption.get_or_insert_with(|| error.clone());
                    }
                    conversations[index].fail(error);
                }
            }
        }
        evaluate_all(&answered, &mut conversations, options.threads, log)?;
    }
    if let Some(error) = &interruption {
        for conversation in conversations.iter_mut().filter(|conversation| conversation.is_active()) {
            conversation.fail(error.clone());
        }
    }
    let candidates = conversations.into_iter().map(Conversation::into_candidate).collect();
    Ok(RunResults { candidates, interruption })
}

/// The receivers of events.
#[derive(Clone, Copy)]
struct Log<'l> {
    record: &'l Record,
    observer: RunObserver<'l>,
}

impl Log<'_> {
    fn write(self, candidate: &str, event: &CandidateEvent) -> Result<(), RecordError> {
        self.record.write(candidate, event)?;
        (self.observer)(candidate, event);
        Ok(())
    }
}

/// Makes the next calls of the active candidates. Recorded replies are used instead of calls.
fn ask_all<T: Task>(
    active: &[usize],
    conversations: &[Conversation<'_, T>],
    model: &dyn Model,
    log: Log<'_>,
) -> Result<Vec<Result<Reply, ModelError>>, RecordError> {
    let mut replies: Vec<Option<Result<Reply, ModelError>>> = Vec::with_capacity(active.len());
    let (mut requests, mut asking) = (Vec::new(), Vec::new());
    for (place, &index) in active.iter().enumerate() {
        let conversation = &conversations[index];
        let asked = conversation.asked();
        let recorded = log.record.recorded_reply(conversation.id(), &asked)?;
        log.write(conversation.id(), &asked)?;
        if let Some(reply) = recorded {
            log.write(conversation.id(), &CandidateEvent::Replied { reply: reply.clone() })?;
            replies.push(Some(Ok(reply)));
        } else {
            requests.push(conversation.request());
            asking.push(place);
            replies.push(None);
        }
    }
    let failure = Mutex::new(None);
    let results = complete_all(model, &requests, &|number, result| {
        let id = conversations[active[asking[number]]].id();
        let event = match result {
            Ok(reply) => CandidateEvent::Replied { reply: reply.clone() },
            Err(error) => CandidateEvent::CallFailed { error: error.clone() },
        };
        if let Err(error) = log.write(id, &event) {
            failure.lock().expect("no thread panics with the lock").get_or_insert(error);
        }
    });
    if let Some(error) = failure.into_inner().expect("no thread panics with the lock") {
        return Err(error);
    }
    for (place, result) in asking.into_iter().zip(results) {
        replies[place] = Some(result);
    }
    Ok(replies.into_iter().flatten().collect())
}

/// Evaluates the last replies of candidates on several threads.
fn evaluate_all<T: Task>(
    answered: &[usize],
    conversations: &mut [Conversation<'_, T>],
    threads: usize,
    log: Log<'_>,
) -> Result<(), RecordError> {
    let next = AtomicUsize::new(0);
    let slots: Vec<Mutex<&mut Conversation<'_, T>>> = conversations
        .iter_mut()
        .enumerate()
        .filter(|(index, _)| answered.contains(index))
        .map(|(_, conversation)| Mutex::new(conversation))
        .collect();
    let failure = Mutex::new(None);
    let work = || {
        while let Some(slot) = slots.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut conversation = slot.lock().expect("each conversation is evaluated by one thread");
            if let Err(error) = conversation.advance(log) {
                failure.lock().expect("no thread panics with the lock").get_or_insert(error);
            }
        }
    };
    let threads = threads.clamp(1, slots.len().max(1));
    if threads == 1 {
        work();
    } else {
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    }
    failure.into_inner().expect("no thread panics with the lock").map_or(Ok(()), Err)
}
