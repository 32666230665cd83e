//! A client that drives the server over its standard input and output.
#![allow(clippy::needless_pass_by_value, reason = "messages are written where they are sent")]

use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// A temporary folder with a copy of the examples, deleted on drop.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder"));
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
        for path in files(&examples) {
            let name = path.strip_prefix(&examples).expect("it lies in the folder").to_owned();
            folder.write(
                &Path::new("examples").join(name).to_string_lossy(),
                std::fs::read(&path).expect("it can be read"),
            );
        }
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().expect("it exists").join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("it can be made");
        std::fs::write(path, content).expect("it can be written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("it can be read")
    }
}

/// No message takes as long.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(1);

/// A running server with a client, which is ended on drop.
pub(crate) struct Client {
    pub(crate) process: Child,
    pub(crate) input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Notifications and requests of the server that no test has asked for yet.
    others: Vec<Value>,
    requests: i64,
    pub(crate) capabilities: Value,
}

impl Client {
    /// Starts a server in a folder for a client with these capabilities.
    pub(crate) fn start(folder: &Folder, capabilities: Value) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_goalspec-lsp"))
            .current_dir(folder.path(""))
            // The releases that the user has fetched and configured.
            .env("GOALSPEC_BDDL", "")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it can be started");
        let mut output = BufReader::new(process.stdout.take().expect("it is piped"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = process.stdin.take();
        let mut client = Self { process, input, messages, others: Vec::new(), requests: 0, capabilities: Value::Null };
        let root = uri(&folder.path(""));
        let params = json!({ "processId": null, "rootUri": root, "capabilities": capabilities });
        let answer = client.request("initialize", params);
        client.capabilities = answer["capabilities"].clone();
        client.notify("initialized", json!({}));
        client
    }

    /// Starts a server for a client that asks for diagnostics, in UTF-8.
    pub(crate) fn pulling(folder: &Folder) -> Self {
        let capabilities = json!({
            "general": { "positionEncodings": ["utf-8", "utf-16"] },
            "textDocument": { "diagnostic": {} },
            "workspace": { "diagnostics": { "refreshSupport": true } },
        });
        Self::start(folder, capabilities)
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.input.as_mut().expect("the input is open");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
        input.flush().expect("the server reads");
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request without waiting, and returns its id.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.requests += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params }));
        self.requests
    }

    pub(crate) fn next(&self) -> Value {
        self.messages.recv_timeout(TIMEOUT).expect("the server answers")
    }

    /// Waits for the response to a request.
    pub(crate) fn response(&mut self, id: i64) -> Value {
        loop {
            let message = self.next();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.others.push(message);
        }
    }

    /// Returns the result of a request.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let response = self.response(id);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].clone()
    }

    /// Returns the error of a request.
    pub(crate) fn failure(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.response(id)["error"].clone()
    }

    /// Waits for a message of the server with this method.
    pub(crate) fn message(&mut self, method: &str) -> Value {
        if let Some(at) = self.others.iter().position(|message| message["method"] == method) {
            return self.others.remove(at);
        }
        loop {
            let message = self.next();
            if message["method"] == method {
                return message;
            }
            self.others.push(message);
        }
    }

    pub(crate) fn open(&mut self, path: &Path, text: &str) {
        let document = json!({ "uri": uri(path), "languageId": "goalspec", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(crate) fn change(&mut self, path: &Path, version: i32, changes: &Value) {
        let document = json!({ "uri": uri(path), "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// Returns the diagnostics of a document.
    pub(crate) fn diagnostics(&mut self, path: &Path) -> Vec<Value> {
        let report = self.request("textDocument/diagnostic", json!({ "textDocument": { "uri": uri(path) } }));
        report["items"].as_array().expect("a full report").clone()
    }

    /// Ends the server, and returns its exit code.
    pub(crate) fn end(mut self) -> Option<i32> {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.process.wait().expect("it ends").code()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // The server ends when its input does; a test that failed does not wait for that.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads a message; `None` at the end.
pub(crate) fn read(output: &mut impl std::io::BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            header => {
                if let Some(value) = header.strip_prefix("Content-Length: ") {
                    length = value.parse().expect("a number");
                }
            }
        }
    }
    let mut text = vec![0; length];
    output.read_exact(&mut text).ok()?;
    Some(serde_json::from_slice(&text).expect("JSON"))
}

pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Returns the parameters of a request about the first place of `text` in a document, in UTF-8.
pub(crate) fn place(path: &Path, source: &str, text: &str) -> Value {
    let offset = source.find(text).expect("the text occurs");
    let line = source[..offset].matches('\n').count();
    let start = source[..offset].rfind('\n').map_or(0, |end| end + 1);
    json!({ "textDocument": { "uri": uri(path) }, "position": { "line": line, "character": offset - start } })
}

/// Returns all files in a folder, sorted.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("it can be read") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}
