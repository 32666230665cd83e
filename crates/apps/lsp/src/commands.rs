//! Commands, each on a thread of its own, with progress and cancellation.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use goalspec::files;
use goalspec_ide::{Command, CommandError, CommandInput, Report, Snapshot};
use lsp_server::RequestId;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;

use crate::capabilities::{ATTACH_TRACE, DETACH_TRACE};
use crate::protocol::{Position, Uri};
use crate::uri;

/// Maximum number of commands that run at the same time.
const MAX_RUNNING: usize = 4;

/// The time between two reports of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// The request to execute a command.
pub(crate) struct CommandRequest {
    pub(crate) action: CommandAction,
    /// The document.
    pub(crate) path: PathBuf,
    pub(crate) position: Position,
    /// The trace that the client names.
    pub(crate) trace: Option<PathBuf>,
    /// The token for progress.
    pub(crate) token: Option<Value>,
}

/// The effect of a command.
pub(crate) enum CommandAction {
    /// Attaches a trace to all programs, or removes it.
    Attach(Option<PathBuf>),
    /// Runs a command of the analysis.
    Run(Command),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params {
    command: String,
    #[serde(default)]
    arguments: Vec<Argument>,
    work_done_token: Option<Value>,
}

/// The argument of a command.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Argument {
    /// The address of the document.
    uri: Option<Uri>,
    /// The position of the program; the start of the document by default.
    position: Position,
    /// The address or path of the trace.
    trace: Option<String>,
}

impl CommandRequest {
    /// Reads the parameters of a request.
    pub(crate) fn parse(params: Value) -> Result<Self, String> {
        let params: Params = serde_json::from_value(params).map_err(|error| format!("invalid parameters: {error}"))?;
        let argument = params.arguments.into_iter().next().unwrap_or_default();
        let trace = argument.trace.map(|trace| uri::to_path(&Uri(trace)));
        let path = argument.uri.as_ref().map(uri::to_path);
        let action = match (&*params.command, Command::named(&params.command)) {
            (_, Some(command)) => CommandAction::Run(command),
            (ATTACH_TRACE, _) => {
                let trace = trace.clone().ok_or("`goalspec.attachTrace` requires the argument `trace`")?;
                CommandAction::Attach(Some(trace))
            }
            (DETACH_TRACE, _) => CommandAction::Attach(None),
            (name, _) => return Err(format!("unknown command `{name}`")),
        };
        if matches!(action, CommandAction::Run(_)) && path.is_none() {
            return Err(format!("`{}` requires the argument `uri`", params.command));
        }
        let path = path.unwrap_or_default();
        Ok(Self { action, path, position: argument.position, trace, token: params.work_done_token })
    }
}

/// A command to run.
pub(crate) struct CommandJob {
    pub(crate) id: RequestId,
    pub(crate) snapshot: Snapshot,
    pub(crate) command: Command,
    pub(crate) path: PathBuf,
    pub(crate) offset: u32,
    /// The trace, unless the document names one.
    pub(crate) trace: Option<PathBuf>,
    pub(crate) token: Option<Value>,
}

/// An event of a running command.
pub(crate) enum CommandEvent {
    /// A message on the progress, for a token.
    Progress(Value, String),
    /// The end.
    Done {
        /// The request.
        id: RequestId,
        /// The token for progress.
        token: Option<Value>,
        /// The report, or an error message.
        result: Result<Report, String>,
    },
}

/// A running command.
struct RunningCommand {
    token: Option<Value>,
    cancelled: Arc<AtomicBool>,
}

/// The running commands.
pub(crate) struct CommandWorkers {
    running: FxHashMap<RequestId, RunningCommand>,
    sender: Sender<CommandEvent>,
    pub(crate) events: Receiver<CommandEvent>,
}

impl CommandWorkers {
    pub(crate) fn new() -> Self {
        let (sender, events) = unbounded();
        Self { running: FxHashMap::default(), sender, events }
    }

    /// Starts a command; returns it if too many are running.
    pub(crate) fn start(&mut self, job: CommandJob) -> Result<(), Box<CommandJob>> {
        if self.running.len() >= MAX_RUNNING {
            return Err(Box::new(job));
        }
        let cancelled = Arc::new(AtomicBool::new(false));
        let running = RunningCommand { token: job.token.clone(), cancelled: cancelled.clone() };
        self.running.insert(job.id.clone(), running);
        let sender = self.sender.clone();
        thread::spawn(move || {
            let (id, token) = (job.id.clone(), job.token.clone());
            let run = || job.run(&cancelled, &sender);
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run))
                .unwrap_or_else(|_| Err("the command failed unexpectedly".to_owned()));
            // The server ends without waiting for its commands.
            let _ = sender.send(CommandEvent::Done { id, token, result });
        });
        Ok(())
    }

    /// Cancels a command; `false` if there is no such command.
    pub(crate) fn cancel(&self, id: &RequestId) -> bool {
        self.running.get(id).map(|running| running.cancelled.store(true, Ordering::Relaxed)).is_some()
    }

    /// Cancels all commands, and returns their requests.
    pub(crate) fn cancel_all(&mut self) -> Vec<RequestId> {
        self.running.values().for_each(|running| running.cancelled.store(true, Ordering::Relaxed));
        self.running.drain().map(|(id, _)| id).collect()
    }

    /// Cancels the command with a token for progress.
    pub(crate) fn cancel_token(&self, token: &Value) {
        let own = self.running.values().filter(|running| running.token.as_ref() == Some(token));
        own.for_each(|running| running.cancelled.store(true, Ordering::Relaxed));
    }

    /// Forgets a command that has ended, and returns whether it was cancelled.
    pub(crate) fn finish(&mut self, id: &RequestId) -> bool {
        self.running.remove(id).is_some_and(|running| running.cancelled.load(Ordering::Relaxed))
    }
}

impl Drop for CommandWorkers {
    fn drop(&mut self) {
        self.running.values().for_each(|running| running.cancelled.store(true, Ordering::Relaxed));
    }
}

impl CommandJob {
    fn run(&self, cancelled: &Arc<AtomicBool>, sender: &Sender<CommandEvent>) -> Result<Report, String> {
        let analysis = self.snapshot.analysis(&self.path);
        let trace = analysis.attached("trace").or_else(|| self.trace.clone()).filter(|_| self.command.needs_trace());
        let trace = trace.map(|path| files::trace_input(&path)).transpose();
        let trace = trace.map_err(|error| CommandError::from(error).to_string())?;
        // Without a saved version, the command says so.
        let saved = (self.command == Command::Diff).then(|| files::read_text(&self.path).ok()).flatten();
        let last = Mutex::new(None::<Instant>);
        let progress = |message: String| {
            let Some(token) = &self.token else { return };
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.is_none_or(|last| last.elapsed() >= PROGRESS_INTERVAL) {
                *last = Some(Instant::now());
                // The server may have ended.
                let _ = sender.send(CommandEvent::Progress(token.clone(), message));
            }
        };
        let input = CommandInput {
            trace: trace.as_ref(),
            saved: saved.as_deref(),
            cancelled: cancelled.clone(),
            progress: &progress,
        };
        let report = self.snapshot.run_command(self.command, &self.path, self.offset, &input);
        report.map_err(|error| error.to_string())
    }
}
