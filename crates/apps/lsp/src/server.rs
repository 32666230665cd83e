//! The main loop: messages in order, edits before the requests behind them, and the slow diagnostics when nothing else is to be done.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, after, never, select};
use goalspec::settings::{SETTINGS_FILE, Settings};
use goalspec_ide::{Analysis, Workspace};
use lsp_server::{Connection, ErrorCode, Message, Notification as Note, Request as Call, RequestId, Response};
use rustc_hash::FxHashMap;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::ServerError;
use crate::capabilities::Agreement;
use crate::commands::{
    CommandAction, CommandEvent, CommandJob, CommandRequest, CommandWorkers, PendingCommand, check_trace,
};
use crate::dispatch::{Answer, answer};
use crate::documents;
use crate::features::Context;
#[allow(clippy::wildcard_imports, reason = "the types are named as in the specification of the protocol")]
use crate::protocol::*;
use crate::slow_tier::{SlowResult, SlowTier};
use crate::uri;

/// The time without edits after which the slow diagnostics are computed.
const IDLE: Duration = Duration::from_millis(150);

/// The time for which the server waits for the notification `exit` after a shutdown.
const EXIT_WAIT: Duration = Duration::from_secs(30);

/// Serves a client until it ends the connection.
///
/// # Errors
/// If the client violates the protocol, or closes the connection without ending the server.
pub fn serve(connection: &Connection) -> Result<(), ServerError> {
    let (id, params) = connection.initialize_start().map_err(|error| ServerError(error.to_string()))?;
    let params: InitializeParams = match serde_json::from_value(params) {
        Ok(params) => params,
        Err(error) => {
            let message = format!("invalid parameters of `initialize`: {error}");
            let response = Response::new_err(id, ErrorCode::InvalidParams as i32, message.clone());
            // The connection may already be closed.
            let _ = connection.sender.send(response.into());
            return Err(ServerError(message));
        }
    };
    let agreement = Agreement::with(&params);
    let server = json!({ "name": "goalspec", "version": env!("CARGO_PKG_VERSION") });
    let result = json!({ "capabilities": agreement.server_capabilities(), "serverInfo": server });
    connection.initialize_finish(id, result).map_err(|error| ServerError(error.to_string()))?;
    let mut server = Server::new(connection, agreement, workspace_folders(&params))?;
    server.configure();
    server.run()
}

/// Returns the folders of the client.
#[expect(deprecated, reason = "older clients name a single folder")]
fn workspace_folders(params: &InitializeParams) -> Vec<PathBuf> {
    let listed = match &params.workspace_folders_initialize_params.workspace_folders {
        Some(WorkspaceFolders::WorkspaceFolderList(folders)) => folders.iter().map(|folder| &folder.uri).collect(),
        _ => Vec::new(),
    };
    let root = params.root_uri.as_ref().filter(|_| listed.is_empty());
    listed.into_iter().chain(root).map(uri::to_path).collect()
}

struct Server<'c> {
    connection: &'c Connection,
    agreement: Agreement,
    folders: Vec<PathBuf>,
    workspace: Workspace,
    /// The versions that the client gave its documents.
    versions: FxHashMap<PathBuf, i32>,
    /// The messages that have been received but not handled.
    queue: VecDeque<Message>,
    /// The requests in the queue that the client has cancelled.
    cancelled: HashSet<RequestId>,
    slow: SlowTier,
    commands: CommandWorkers,
    /// The trace that is attached to all programs.
    trace: Option<PathBuf>,
    /// The results of the slow tier for open documents.
    slow_results: FxHashMap<PathBuf, SlowResult>,
    /// The time of the last edit, if the documents have to be examined since.
    edited: Option<Instant>,
    /// The number of edits.
    revision: u64,
    requests: i32,
    has_reported_failure: bool,
}

impl<'c> Server<'c> {
    fn new(connection: &'c Connection, agreement: Agreement, folders: Vec<PathBuf>) -> Result<Self, ServerError> {
        let slow = SlowTier::start().map_err(|error| ServerError(format!("cannot start a thread: {error}")))?;
        Ok(Self {
            connection,
            agreement,
            workspace: Workspace::new(folders.iter().cloned()),
            folders,
            versions: FxHashMap::default(),
            queue: VecDeque::new(),
            cancelled: HashSet::new(),
            slow,
            commands: CommandWorkers::new(),
            trace: None,
            slow_results: FxHashMap::default(),
            edited: None,
            revision: 0,
            requests: 0,
            has_reported_failure: false,
        })
    }

    /// Reads the settings of the first folder that has some. Invalid settings are reported, and the former ones are kept.
    fn configure(&mut self) {
        let settings = self.folders.iter().map(|folder| Settings::find(folder));
        let found =
            settings.into_iter().find(|found| found.as_ref().map_or(true, |found| *found != Settings::default()));
        match found.unwrap_or_else(|| Ok(Settings::default())) {
            Ok(settings) => {
                let diagnostics = self.workspace.configure(settings);
                for found in diagnostics {
                    self.show_message(&found.message);
                }
            }
            Err(error) => self.show_message(&error.to_string()),
        }
    }

    /// Shows a message to the user, as an error.
    fn show_message(&self, message: &str) {
        self.notify::<ShowMessageNotification>(&json!({ "type": 1, "message": format!("goalspec: {message}") }));
    }

    fn run(mut self) -> Result<(), ServerError> {
        loop {
            self.receive_pending();
            let Some(message) = self.queue.pop_front() else {
                self.wait()?;
                continue;
            };
            match message {
                Message::Request(request) if request.method == ShutdownRequest::METHOD.as_str() => {
                    for command in self.commands.cancel_all() {
                        self.answer_cancelled(command, "the server is shutting down");
                    }
                    self.send(Response::new_ok(request.id, Value::Null));
                    return self.wait_for_exit();
                }
                Message::Request(request) => self.request(request),
                Message::Notification(note) if note.method == ExitNotification::METHOD.as_str() => {
                    return Err(ServerError("`exit` without `shutdown`".to_owned()));
                }
                Message::Notification(note) => self.notification(note),
                // The server asks for nothing whose result it needs.
                Message::Response(_) => {}
            }
        }
    }

    /// Moves all messages that have arrived to the queue, and notes what they cancel.
    fn receive_pending(&mut self) {
        while let Ok(message) = self.connection.receiver.try_recv() {
            self.enqueue(message);
        }
    }

    fn enqueue(&mut self, message: Message) {
        if let Message::Notification(note) = &message
            && note.method == CancelNotification::METHOD.as_str()
        {
            let id = note.params.get("id").cloned().and_then(|id| serde_json::from_value::<RequestId>(id).ok());
            let is_waiting = |id: &RequestId| {
                self.queue.iter().any(|message| matches!(message, Message::Request(request) if request.id == *id))
            };
            // A request that has been answered, or never was made, cannot be cancelled.
            self.cancelled.extend(id.clone().filter(is_waiting));
            if let Some(command) = id.and_then(|id| self.commands.cancel(&id)) {
                self.answer_cancelled(command, "the command was cancelled");
            }
            return;
        }
        self.queue.push_back(message);
    }

    /// Waits for a message, a result of the slow tier, or the time at which that tier starts.
    fn wait(&mut self) -> Result<(), ServerError> {
        let timer = self.edited.map_or(never(), |edited| after(IDLE.saturating_sub(edited.elapsed())));
        select! {
            recv(self.connection.receiver) -> message => match message {
                Ok(message) => self.enqueue(message),
                Err(_) => return Err(ServerError("the client closed the connection".to_owned())),
            },
            recv(self.slow.results) -> result => self.slow_result(result.ok()),
            recv(self.commands.events) -> event => if let Ok(event) = event {
                self.command_event(event);
            },
            recv(timer) -> _ => self.start_slow_tier(),
        }
        Ok(())
    }

    fn wait_for_exit(self) -> Result<(), ServerError> {
        let deadline = Instant::now() + EXIT_WAIT;
        loop {
            match self.connection.receiver.recv_deadline(deadline) {
                Ok(Message::Notification(note)) if note.method == ExitNotification::METHOD.as_str() => return Ok(()),
                Ok(Message::Request(request)) => {
                    let message = "the server is shutting down".to_owned();
                    self.send(Response::new_err(request.id, ErrorCode::InvalidRequest as i32, message));
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => return Err(ServerError("no `exit` after `shutdown`".to_owned())),
            }
        }
    }

    fn start_slow_tier(&mut self) {
        self.edited = None;
        let paths: Vec<PathBuf> = self.workspace.open_documents().map(Path::to_owned).collect();
        let snapshot = self.workspace.snapshot();
        let is_known = |path: &PathBuf| {
            let analysis = snapshot.analysis(path);
            self.slow_results.get(path).is_some_and(|known| Arc::ptr_eq(&known.analysis, &analysis))
        };
        let missing = paths.into_iter().filter(|path| snapshot.serves(path) && !is_known(path)).collect::<Vec<_>>();
        self.slow.examine(&snapshot, missing, self.revision);
    }

    fn slow_result(&mut self, result: Option<SlowResult>) {
        let Some(result) = result.filter(|result| result.revision == self.revision) else { return };
        let path = result.path.clone();
        let has_news = !result.diagnostics.is_empty() || self.slow_results.contains_key(&path);
        let has_hints =
            !result.hints.is_empty() || self.slow_results.get(&path).is_some_and(|old| !old.hints.is_empty());
        if has_hints && self.agreement.refreshes_hints {
            self.ask_to_refresh(InlayHintRefreshRequest::METHOD.as_str());
        }
        self.slow_results.insert(path.clone(), result);
        if has_news && self.agreement.pulls {
            self.refresh();
        } else if has_news {
            self.publish(&path);
        }
    }

    /// Answers a request, unless nobody waits for the answer.
    fn request(&mut self, request: Call) {
        if self.cancelled.remove(&request.id) {
            let message = "the request was cancelled".to_owned();
            return self.send(Response::new_err(request.id, ErrorCode::RequestCanceled as i32, message));
        }
        if self.agreement.retries && self.is_outdated(&request) {
            let message = "the document has changed".to_owned();
            return self.send(Response::new_err(request.id, ErrorCode::ContentModified as i32, message));
        }
        if request.method == ExecuteCommandRequest::METHOD.as_str() {
            return self.execute(request);
        }
        let slow = |analysis: &Arc<Analysis>| self.slow_result_of(analysis);
        let context = self.context(&slow);
        let Answer { response, has_failed } = answer(&context, request);
        self.send(response);
        if has_failed && !self.has_reported_failure {
            self.has_reported_failure = true;
            self.show_message("an analysis failed unexpectedly; other requests are not affected");
        }
    }

    /// Whether an edit of the document that a request is about follows in the queue.
    fn is_outdated(&self, request: &Call) -> bool {
        let document = |params: &Value| params.pointer("/textDocument/uri").cloned();
        let Some(asked) = document(&request.params) else { return false };
        self.queue.iter().any(|message| {
            matches!(message, Message::Notification(note)
                if note.method == DidChangeTextDocumentNotification::METHOD.as_str()
                    && document(&note.params).as_ref() == Some(&asked))
        })
    }

    /// Returns the results of the slow tier for an analysis, if they are known.
    fn slow_result_of(&self, analysis: &Arc<Analysis>) -> Option<&SlowResult> {
        self.slow_results.get(analysis.path()).filter(|known| Arc::ptr_eq(&known.analysis, analysis))
    }

    fn context<'s>(&'s self, slow: &'s dyn Fn(&Arc<Analysis>) -> Option<&'s SlowResult>) -> Context<'s> {
        let (snapshot, has_trace) = (self.workspace.snapshot(), self.trace.is_some());
        Context { snapshot, agreement: self.agreement, slow, has_trace }
    }

    /// Starts a command, or answers it at once.
    fn execute(&mut self, request: Call) {
        let id = request.id.clone();
        let invalid = |message: String| Response::new_err(id.clone(), ErrorCode::InvalidParams as i32, message);
        let request = match CommandRequest::parse(request.params) {
            Ok(request) => request,
            Err(message) => return self.send(invalid(message)),
        };
        let command = match request.action {
            CommandAction::Attach(trace) => {
                if let Some(Err(message)) = trace.as_deref().map(check_trace) {
                    return self.send(Response::new_err(id, ErrorCode::RequestFailed as i32, message));
                }
                self.trace = trace;
                self.send(Response::new_ok(id, Value::Null));
                // Lenses depend on whether a trace is attached.
                if self.agreement.refreshes_lenses {
                    self.ask_to_refresh(CodeLensRefreshRequest::METHOD.as_str());
                }
                return;
            }
            CommandAction::Run(command) => command,
        };
        let token = self.progress_token(request.token);
        let job = CommandJob {
            id: id.clone(),
            snapshot: self.workspace.snapshot(),
            command,
            path: request.path,
            position: request.position,
            encoding: self.agreement.encoding,
            requested_trace: request.trace,
            attached_trace: self.trace.clone(),
            token: token.clone(),
        };
        if let Some(token) = &token {
            let begin = json!({ "kind": "begin", "title": command.title(), "cancellable": true });
            self.notify::<ProgressNotification>(&json!({ "token": token, "value": begin }));
        }
        if let Err(message) = self.commands.start(job) {
            self.send(Response::new_err(id, ErrorCode::RequestFailed as i32, message));
            self.end_progress(token.as_ref());
        }
    }

    /// Answers a command that was cancelled. Its thread ends later, and its result is dropped.
    fn answer_cancelled(&self, command: PendingCommand, message: &str) {
        self.end_progress(command.token.as_ref());
        self.send(Response::new_err(command.id, ErrorCode::RequestCanceled as i32, message.to_owned()));
    }

    /// Returns the token of the progress of a command: that of the client, or a new one if the client shows such progress.
    fn progress_token(&mut self, given: Option<Value>) -> Option<Value> {
        if given.is_some() || !self.agreement.shows_progress {
            return given;
        }
        self.requests += 1;
        let token = json!(format!("goalspec-{}", self.requests));
        let method = "window/workDoneProgress/create".to_owned();
        self.send(Call { id: self.requests.into(), method, params: json!({ "token": token }) });
        Some(token)
    }

    fn end_progress(&self, token: Option<&Value>) {
        if let Some(token) = token {
            self.notify::<ProgressNotification>(&json!({ "token": token, "value": { "kind": "end" } }));
        }
    }

    fn command_event(&mut self, event: CommandEvent) {
        match event {
            CommandEvent::Progress(number, message) => {
                let Some(token) = self.commands.token(number) else { return };
                let report = json!({ "kind": "report", "message": message });
                self.notify::<ProgressNotification>(&json!({ "token": token, "value": report }));
            }
            CommandEvent::Done(number, result) => {
                let Some(PendingCommand { id, token }) = self.commands.finish(number) else { return };
                self.end_progress(token.as_ref());
                self.send(match result {
                    Ok(report) => Response::new_ok(id, report),
                    Err(message) => Response::new_err(id, ErrorCode::RequestFailed as i32, message),
                });
            }
        }
    }

    fn notification(&mut self, note: Note) {
        match &*note.method {
            "textDocument/didOpen" => {
                let Some(DidOpenTextDocumentParams { text_document, .. }) = params(note) else { return };
                let path = uri::to_path(&text_document.uri);
                self.versions.insert(path.clone(), text_document.version);
                self.workspace.set_text(path.clone(), text_document.text);
                self.changed(&path);
            }
            "textDocument/didChange" => {
                let Some(DidChangeTextDocumentParams { text_document, content_changes, .. }) = params(note) else {
                    return;
                };
                let path = uri::to_path(&text_document.text_document_identifier.uri);
                // A client that changes a document that it has not opened is mistaken.
                let Some(text) = self.workspace.text(&path).cloned() else { return };
                let text = documents::apply(&text, &content_changes, self.agreement.encoding);
                self.versions.insert(path.clone(), text_document.version);
                self.workspace.set_text(path.clone(), text);
                self.changed(&path);
            }
            "textDocument/didClose" => {
                let Some(DidCloseTextDocumentParams { text_document, .. }) = params(note) else { return };
                let path = uri::to_path(&text_document.uri);
                self.workspace.close(&path);
                self.versions.remove(&path);
                self.slow_results.remove(&path);
                if !self.agreement.pulls {
                    let cleared = json!({ "uri": text_document.uri, "diagnostics": [] });
                    self.notify::<PublishDiagnosticsNotification>(&cleared);
                }
                self.changed(&path);
            }
            "window/workDoneProgress/cancel" => {
                if let Some(command) = self.commands.cancel_token(&note.params["token"]) {
                    self.answer_cancelled(command, "the command was cancelled");
                }
            }
            // A file on disk has changed: what depends on it is examined again.
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
                if note.params.to_string().contains(SETTINGS_FILE) {
                    self.configure();
                }
                self.files_changed();
            }
            _ => {}
        }
    }

    /// Reports the diagnostics of a changed document and of those that depend on it, and starts the slow tier anew.
    fn changed(&mut self, path: &Path) {
        self.revision += 1;
        self.edited = Some(Instant::now());
        self.slow.cancel();
        let dependents = self.workspace.snapshot().dependents(path);
        if !self.agreement.pulls {
            let own = self.workspace.text(path).map(|_| path.to_owned());
            own.into_iter().chain(dependents).for_each(|path| self.publish(&path));
        } else if !dependents.is_empty() {
            self.refresh();
        }
    }

    fn files_changed(&mut self) {
        self.edited = Some(Instant::now());
        if self.agreement.pulls {
            return self.refresh();
        }
        let paths: Vec<PathBuf> = self.workspace.open_documents().map(Path::to_owned).collect();
        for path in &paths {
            self.publish(path);
        }
    }

    /// Sends the diagnostics of a document.
    fn publish(&self, path: &Path) {
        let slow = |analysis: &Arc<Analysis>| self.slow_result_of(analysis);
        let context = self.context(&slow);
        let find = || context.diagnostics(path);
        // The request that shows the failure reports it.
        let Ok(diagnostics) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(find)) else { return };
        let (uri, version) = (uri::from_path(path), self.versions.get(path));
        let found = json!({ "uri": uri, "version": version, "diagnostics": diagnostics });
        self.notify::<PublishDiagnosticsNotification>(&found);
    }

    /// Asks the client to ask for diagnostics again.
    fn refresh(&mut self) {
        if self.agreement.refreshes {
            self.ask_to_refresh(DiagnosticRefreshRequest::METHOD.as_str());
        }
    }

    fn ask_to_refresh(&mut self, method: &str) {
        self.requests += 1;
        self.send(Call { id: self.requests.into(), method: method.to_owned(), params: Value::Null });
    }

    fn notify<N: Notification>(&self, params: &Value) {
        self.send(Note { method: N::METHOD.as_str().to_owned(), params: params.clone() });
    }

    fn send(&self, message: impl Into<Message>) {
        // A client that has closed the connection gets no answers; the loop ends at the next message.
        let _ = self.connection.sender.send(message.into());
    }
}

/// Returns the parameters of a notification; `None` if they are invalid, which cannot be reported.
fn params<P: DeserializeOwned>(note: Note) -> Option<P> {
    serde_json::from_value(note.params).ok()
}
