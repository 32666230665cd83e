//! The cache: one file per exchange, whose name is the hash of its question.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::endpoint::{Headers, Response};
use crate::error::{ErrorKind, ModelError};
use crate::profile::Format;

/// The version of the entries that are written.
pub const VERSION: u32 = 1;

/// The headers of a response that are recorded.
const RECORDED_HEADERS: [&str; 22] = [
    "x-ratelimit-limit-requests",
    "x-ratelimit-remaining-requests",
    "x-ratelimit-reset-requests",
    "x-ratelimit-limit-tokens",
    "x-ratelimit-remaining-tokens",
    "x-ratelimit-reset-tokens",
    "anthropic-ratelimit-requests-limit",
    "anthropic-ratelimit-requests-remaining",
    "anthropic-ratelimit-requests-reset",
    "anthropic-ratelimit-tokens-limit",
    "anthropic-ratelimit-tokens-remaining",
    "anthropic-ratelimit-tokens-reset",
    "anthropic-ratelimit-input-tokens-limit",
    "anthropic-ratelimit-input-tokens-remaining",
    "anthropic-ratelimit-output-tokens-limit",
    "anthropic-ratelimit-output-tokens-remaining",
    "retry-after",
    "retry-after-ms",
    "x-should-retry",
    "x-request-id",
    "request-id",
    "content-type",
];

/// The part of an exchange that identifies it in the store: equal questions have equal keys.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The wire format.
    pub format: Format,
    /// The address of the server.
    pub base_url: String,
    /// The body as it is sent.
    pub body: Map<String, Value>,
    /// The index of the request among equal ones.
    pub attempt: u32,
}

impl Question {
    /// Returns the key: the SHA-256 of format, base URL, path, body without the members that ask for a stream, and attempt, as canonical
    /// JSON: members sorted by their names, no spaces.
    pub fn key(&self) -> String {
        let mut body = self.body.clone();
        body.shift_remove("stream");
        body.shift_remove("stream_options");
        let question = json!({
            "format": self.format.name(),
            "base_url": self.base_url,
            "path": self.format.path(),
            "body": body,
            "attempt": self.attempt,
        });
        let digest = Sha256::digest(sort_members(question).to_string());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the question as lines for comparisons: parameters first, then the texts of the prompt.
    pub(crate) fn lines(&self) -> String {
        let mut lines = vec![format!("format: {}", self.format.name()), format!("base URL: {}", self.base_url)];
        if self.attempt > 0 {
            lines.push(format!("attempt: {}", self.attempt));
        }
        for (name, value) in &self.body {
            if !["messages", "prompt", "system", "stream", "stream_options"].contains(&name.as_str()) {
                lines.push(format!("{name}: {value}"));
            }
        }
        for name in ["system", "prompt"] {
            if let Some(prompt) = self.body.get(name).and_then(Value::as_str) {
                lines.push(format!("[{name}]\n{prompt}"));
            }
        }
        for message in self.body.get("messages").and_then(Value::as_array).into_iter().flatten() {
            let member = |name: &str| message.get(name).and_then(Value::as_str).unwrap_or_default();
            lines.push(format!("[{}]\n{}", member("role"), member("content")));
        }
        lines.join("\n") + "\n"
    }
}

/// Sorts the members of all objects. The depth is bounded by that of the request, which JSON parsers limit.
fn sort_members(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let sorted: BTreeMap<String, Value> =
                members.into_iter().map(|(name, value)| (name, sort_members(value))).collect();
            Value::Object(sorted.into_iter().collect())
        }
        Value::Array(members) => members.into_iter().map(sort_members).collect(),
        value => value,
    }
}

/// A recorded exchange.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The version of the entry.
    pub version: u32,
    /// The number of the call in the ledger; 0 for imported exchanges.
    pub call: u64,
    /// The run that made the call.
    pub run: String,
    /// The wire format.
    pub format: Format,
    /// The address of the server.
    pub base_url: String,
    /// The index of the request among equal ones.
    pub attempt: u32,
    /// The body as it was sent.
    pub request: Map<String, Value>,
    /// The status of the response.
    pub status: u16,
    /// The recorded headers of the response.
    pub headers: BTreeMap<String, String>,
    /// The body of the response, byte for byte. It is UTF-8: other bodies are not replies.
    pub response: String,
    /// The time of the call, in RFC 3339.
    pub started: String,
    /// The duration of the call in milliseconds.
    pub duration_ms: u64,
    /// The numbers of tokens.
    pub usage: crate::reply::Usage,
    /// The cost, in the currency of the price file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

impl Entry {
    /// Returns the question of the exchange.
    pub fn question(&self) -> Question {
        Question {
            format: self.format,
            base_url: self.base_url.clone(),
            body: self.request.clone(),
            attempt: self.attempt,
        }
    }

    /// Returns the response.
    pub(crate) fn response(&self) -> Response {
        Response {
            status: self.status,
            headers: self.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            body: self.response.clone().into_bytes(),
        }
    }
}

/// Returns the headers of a response that are recorded.
pub(crate) fn recorded_headers(headers: &Headers) -> BTreeMap<String, String> {
    let recorded = headers.iter().filter(|(name, _)| RECORDED_HEADERS.contains(name));
    recorded.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// A folder of recorded exchanges.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
}

static TEMPORARY: AtomicU64 = AtomicU64::new(0);

impl Store {
    /// Opens a folder, which is created when the first entry is written.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Returns the path of the ledger beside the entries.
    pub fn ledger_path(&self) -> PathBuf {
        self.folder.join("ledger.jsonl")
    }

    /// Creates the folder.
    pub(crate) fn create(&self) -> Result<(), ModelError> {
        fs::create_dir_all(&self.folder).map_err(|error| storage(&self.folder, "create", &error))
    }

    fn exchanges(&self) -> PathBuf {
        self.folder.join("exchanges")
    }

    /// Returns the path of an entry.
    pub fn path(&self, key: &str) -> PathBuf {
        self.exchanges().join(&key[..2]).join(&key[2..4]).join(format!("{key}.json"))
    }

    /// Reads an entry; `None` if there is none.
    ///
    /// # Errors
    /// If the entry cannot be read, or was written by a later version.
    pub fn get(&self, key: &str) -> Result<Option<Entry>, ModelError> {
        read_entry(&self.path(key))
    }

    /// Writes an entry: under a temporary name first, so that no reader sees a part of it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn put(&self, entry: &Entry) -> Result<(), ModelError> {
        let text = serde_json::to_string_pretty(entry).unwrap_or_default() + "\n";
        write_atomically(&self.path(&entry.question().key()), text.as_bytes())
    }

    /// Returns the profile of a server that was found by probing.
    pub(crate) fn known_profile(&self, base_url: &str) -> Option<String> {
        let text = fs::read_to_string(self.servers_path()).ok()?;
        let servers: BTreeMap<String, String> = serde_json::from_str(&text).ok()?;
        servers.get(base_url).cloned()
    }

    /// Keeps the profile of a server that was found by probing, for replays without a network.
    pub(crate) fn keep_profile(&self, base_url: &str, profile: &str) -> Result<(), ModelError> {
        let text = fs::read_to_string(self.servers_path()).unwrap_or_default();
        let mut servers: BTreeMap<String, String> = serde_json::from_str(&text).unwrap_or_default();
        servers.insert(base_url.to_owned(), profile.to_owned());
        let text = serde_json::to_string_pretty(&servers).unwrap_or_default() + "\n";
        write_atomically(&self.servers_path(), text.as_bytes())
    }

    fn servers_path(&self) -> PathBuf {
        self.folder.join("servers.json")
    }

    /// Returns the paths of all entries, sorted.
    pub(crate) fn entries(&self) -> Vec<PathBuf> {
        let children = |folder: &Path| -> Vec<PathBuf> {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
            paths.sort();
            paths
        };
        let folders = children(&self.exchanges()).into_iter().flat_map(|folder| children(&folder));
        let files = folders.flat_map(|folder| children(&folder));
        files.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect()
    }
}

/// Reads an entry.
pub(crate) fn read_entry(path: &Path) -> Result<Option<Entry>, ModelError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(storage(path, "read", &error)),
    };
    let damaged = |reason: String| {
        let message = format!("the recorded exchange `{}` cannot be read: {reason}", path.display());
        ModelError::new(ErrorKind::Storage, message)
    };
    let value: Value = serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
    match value.get("version").and_then(Value::as_u64) {
        Some(version) if version > u64::from(VERSION) => {
            Err(damaged(format!("it has version {version}, and this program reads versions up to {VERSION}")))
        }
        _ => serde_json::from_value(value).map(Some).map_err(|error| damaged(error.to_string())),
    }
}

fn storage(path: &Path, verb: &str, error: &std::io::Error) -> ModelError {
    ModelError::new(ErrorKind::Storage, format!("cannot {verb} `{}`: {error}", path.display()))
}

fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), ModelError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| storage(folder, "create", &error))?;
    let number = TEMPORARY.fetch_add(1, Ordering::Relaxed);
    let temporary = path.with_extension(format!("{}-{number}.tmp", std::process::id()));
    let write = || {
        let mut file = fs::File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().map_err(|error| {
        // The error of the write is the one to report.
        let _ = fs::remove_file(&temporary);
        storage(path, "write", &error)
    })
}
