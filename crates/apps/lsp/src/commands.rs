//! Commands, each on a thread of its own, with progress and cancellation.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use goalspec::files;
use goalspec::syntax::source::PositionEncoding;
use goalspec::trace::TraceInput;
use goalspec_ide::{Command, CommandInput, Snapshot};
use lsp_server::RequestId;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::capabilities::{ATTACH_TRACE, DETACH_TRACE};
use crate::protocol::{Converter, Position, Uri, locations};
use crate::uri;

/// Maximum number of commands that run at the same time.
const MAX_RUNNING: usize = 4;

/// The size of the stack of a thread that runs an engine, in bytes.
pub(crate) const STACK_SIZE: usize = 8 << 20;

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

/// Checks that a path names a readable regular file: opening another file, such as a pipe or the standard input of the server, may block.
///
/// # Errors
/// If it does not, with a message that names the file.
pub(crate) fn check_trace(path: &Path) -> Result<(), String> {
    let failed = |reason: &dyn std::fmt::Display| format!("cannot read the trace `{}`: {reason}", path.display());
    let metadata = path.metadata().map_err(|error| failed(&error))?;
    if !metadata.is_file() {
        return Err(failed(&"not a regular file"));
    }
    File::open(path).map_err(|error| failed(&error)).map(|_| ())
}

/// A command to run.
pub(crate) struct CommandJob {
    pub(crate) id: RequestId,
    pub(crate) snapshot: Snapshot,
    pub(crate) command: Command,
    pub(crate) path: PathBuf,
    pub(crate) position: Position,
    pub(crate) encoding: PositionEncoding,
    /// The trace that the request names, which takes precedence over that of the document.
    pub(crate) requested_trace: Option<PathBuf>,
    /// The trace that is attached to all programs, unless the document names one.
    pub(crate) attached_trace: Option<PathBuf>,
    pub(crate) token: Option<Value>,
}

/// The number of a run of a command. Clients may use the id of an answered request again.
pub(crate) type RunNumber = u64;

/// An event of a running command.
pub(crate) enum CommandEvent {
    /// A message on the progress.
    Progress(RunNumber, String),
    /// The end, with the report as sent to the client, or an error message.
    Done(RunNumber, Result<Value, String>),
}

/// A command whose request has not been answered.
pub(crate) struct PendingCommand {
    pub(crate) id: RequestId,
    /// The token for progress.
    pub(crate) token: Option<Value>,
}

/// A running command.
struct RunningCommand {
    /// `None` once the client has its answer: a cancelled command is answered before its engine ends.
    pending: Option<PendingCommand>,
    cancelled: Arc<AtomicBool>,
}

impl RunningCommand {
    fn cancel(&mut self) -> Option<PendingCommand> {
        self.cancelled.store(true, Ordering::Relaxed);
        self.pending.take()
    }
}

/// The running commands.
pub(crate) struct CommandWorkers {
    running: FxHashMap<RunNumber, RunningCommand>,
    /// The number of commands started.
    started: RunNumber,
    sender: Sender<CommandEvent>,
    pub(crate) events: Receiver<CommandEvent>,
}

impl CommandWorkers {
    pub(crate) fn new() -> Self {
        let (sender, events) = unbounded();
        Self { running: FxHashMap::default(), started: 0, sender, events }
    }

    /// Starts a command.
    ///
    /// # Errors
    /// If too many are running, or no thread can be started.
    pub(crate) fn start(&mut self, job: CommandJob) -> Result<(), String> {
        // A cancelled command counts until its thread ends.
        if self.running.len() >= MAX_RUNNING {
            return Err("too many commands are running".to_owned());
        }
        self.started += 1;
        let number = self.started;
        let cancelled = Arc::new(AtomicBool::new(false));
        let pending = PendingCommand { id: job.id.clone(), token: job.token.clone() };
        let running = RunningCommand { pending: Some(pending), cancelled: cancelled.clone() };
        let sender = self.sender.clone();
        let work = move || {
            let run = || job.run(number, &cancelled, &sender);
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run))
                .unwrap_or_else(|_| Err("the command failed unexpectedly".to_owned()));
            // The server ends without waiting for its commands.
            let _ = sender.send(CommandEvent::Done(number, result));
        };
        let thread = thread::Builder::new().name("command".to_owned()).stack_size(STACK_SIZE).spawn(work);
        thread.map_err(|error| format!("cannot start a thread: {error}"))?;
        self.running.insert(number, running);
        Ok(())
    }

    /// Cancels a command, and returns it; `None` if no such request is pending.
    pub(crate) fn cancel(&mut self, id: &RequestId) -> Option<PendingCommand> {
        self.cancel_where(|pending| pending.id == *id)
    }

    /// Cancels the command with a token for progress, and returns it.
    pub(crate) fn cancel_token(&mut self, token: &Value) -> Option<PendingCommand> {
        self.cancel_where(|pending| pending.token.as_ref() == Some(token))
    }

    fn cancel_where(&mut self, is_meant: impl Fn(&PendingCommand) -> bool) -> Option<PendingCommand> {
        let mut running = self.running.values_mut();
        running.find(|running| running.pending.as_ref().is_some_and(&is_meant))?.cancel()
    }

    /// Cancels all commands, and returns those that are pending.
    pub(crate) fn cancel_all(&mut self) -> Vec<PendingCommand> {
        self.running.values_mut().filter_map(RunningCommand::cancel).collect()
    }

    /// Returns the token for the progress of a pending command.
    pub(crate) fn token(&self, number: RunNumber) -> Option<&Value> {
        self.running.get(&number)?.pending.as_ref()?.token.as_ref()
    }

    /// Forgets a command whose thread has ended, and returns it if it is pending.
    pub(crate) fn finish(&mut self, number: RunNumber) -> Option<PendingCommand> {
        self.running.remove(&number)?.pending
    }
}

impl Drop for CommandWorkers {
    fn drop(&mut self) {
        self.cancel_all();
    }
}

impl CommandJob {
    /// Runs the command on the state of its snapshot, to which the places of the report refer.
    fn run(
        &self,
        number: RunNumber,
        cancelled: &Arc<AtomicBool>,
        sender: &Sender<CommandEvent>,
    ) -> Result<Value, String> {
        let name = self.path.display();
        if !self.snapshot.has_text(&self.path) {
            return Err(format!("`{name}` cannot be read"));
        }
        if !self.snapshot.serves(&self.path) {
            return Err(format!("`{name}` is not a program"));
        }
        let analysis = self.snapshot.analysis(&self.path);
        let file = analysis.file().ok_or_else(|| format!("`{name}` cannot be read"))?;
        let offset = Converter { file, encoding: self.encoding }.offset(self.position);
        let trace = if self.command.needs_trace() {
            let named = self.requested_trace.clone().or_else(|| analysis.attached("trace"));
            named.or_else(|| self.attached_trace.clone())
        } else {
            None
        };
        let trace = trace.map(|path| check_trace(&path).map(|()| TraceInput::File(path))).transpose()?;
        // Without a saved version, the command says so.
        let saved = (self.command == Command::Diff && self.path.is_file()).then(|| files::read_text(&self.path).ok());
        let saved = saved.flatten();
        let last = Mutex::new(None::<Instant>);
        let progress = |message: String| {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if self.token.is_some() && last.is_none_or(|last| last.elapsed() >= PROGRESS_INTERVAL) {
                *last = Some(Instant::now());
                // The server may have ended.
                let _ = sender.send(CommandEvent::Progress(number, message));
            }
        };
        let input = CommandInput {
            trace: trace.as_ref(),
            saved: saved.as_deref(),
            cancelled: cancelled.clone(),
            progress: &progress,
        };
        let report = self.snapshot.run_command(self.command, &self.path, offset, &input);
        let report = report.map_err(|error| error.to_string())?;
        let places = locations(&self.snapshot, self.encoding, &report.locations);
        Ok(json!({ "markdown": report.markdown, "locations": places }))
    }
}
