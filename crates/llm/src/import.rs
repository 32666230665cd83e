//! Import of published recordings into the store, so that runs over them need no network.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::client::DEFAULT_OUTPUT_TOKENS;
use crate::error::{ErrorKind, ModelError};
use crate::estimate::estimate_tokens;
use crate::probe;
use crate::profile::{Format, Profile};
use crate::reply::{Outcome, Usage};
use crate::request::{Request, Sampling};
use crate::store::{Entry, Store, VERSION};
use crate::url::BaseUrl;
use crate::wire;

/// The maximum size of an unpacked file of recordings in bytes.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// A recorded reply to a request, independent of the wire format.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// The model.
    pub model: String,
    /// The address of the server.
    pub base_url: String,
    /// The wire format.
    pub format: Format,
    /// The name of the server profile; by default that of the host, or `generic`.
    #[serde(default)]
    pub profile: Option<String>,
    /// The request.
    pub request: Request,
    /// The text of the reply, with the prefill.
    pub text: String,
    /// The reason for which the reply ended.
    #[serde(default)]
    pub outcome: Outcome,
}

impl Recording {
    /// Records the exchange.
    ///
    /// # Errors
    /// If the request is invalid, or the entry cannot be written.
    pub fn store(&self, store: &Store) -> Result<(), ModelError> {
        store.put(&self.entry()?)
    }

    fn entry(&self) -> Result<Entry, ModelError> {
        let base_url = BaseUrl::parse(&self.base_url)?;
        let by_host = || probe::profile_of_host(&base_url).map_or_else(|| Profile::find("generic"), Ok);
        let profile = self.profile.as_deref().map_or_else(by_host, Profile::find)?;
        let mut wire = wire::build(&profile, self.format, &self.model, DEFAULT_OUTPUT_TOKENS, &self.request)?;
        wire.body.shift_remove("stream");
        let prefill = self.request.prefill.as_deref().filter(|_| wire.prefilled).unwrap_or_default();
        let text = self.text.strip_prefix(prefill).unwrap_or(&self.text);
        Ok(Entry {
            version: VERSION,
            call: 0,
            run: "import".to_owned(),
            format: self.format,
            base_url: base_url.as_str().to_owned(),
            attempt: self.request.attempt,
            request: wire.body,
            status: 200,
            headers: [("content-type".to_owned(), "application/json".to_owned())].into(),
            response: response(self.format, &self.model, text, &self.outcome).to_string(),
            started: String::new(),
            duration_ms: 0,
            usage: Usage {
                input_tokens: estimate_tokens(self.request.prompt.len() + prefill.len()),
                cached_input_tokens: 0,
                output_tokens: estimate_tokens(text.len()),
                estimated: true,
            },
            cost: None,
        })
    }
}

/// Renders a reply as the body of a response.
fn response(format: Format, model: &str, text: &str, outcome: &Outcome) -> Value {
    let (finish, stop) = match outcome {
        Outcome::Complete => ("stop", "end_turn"),
        Outcome::Cut => ("length", "max_tokens"),
        Outcome::Refused(_) => ("content_filter", "refusal"),
        Outcome::Filtered => ("content_filter", "content_filter"),
        Outcome::Other(reason) => (reason.as_str(), reason.as_str()),
    };
    match format {
        Format::Chat => {
            let message = json!({"role": "assistant", "content": text});
            json!({"model": model, "choices": [{"index": 0, "message": message, "finish_reason": finish}]})
        }
        Format::Completions => {
            json!({"model": model, "choices": [{"index": 0, "text": text, "finish_reason": finish}]})
        }
        Format::Messages => {
            json!({"type": "message", "model": model, "content": [{"type": "text", "text": text}], "stop_reason": stop})
        }
    }
}

/// Experiments of Collins et al., "Structured, flexible, and robust" (2022): requests with the parameters of the recorded replies.
pub mod collins2022 {
    use super::{Request, Sampling};

    /// The address under which the replies are recorded.
    pub const BASE_URL: &str = "https://api.openai.com/v1";
    /// The model of the recorded translations.
    pub const TRANSLATION_MODEL: &str = "davinci-codex";
    /// The model of the recorded plans.
    pub const PLAN_MODEL: &str = "gpt-neo-1.3B";
    /// The beginning of each translation, which the prompt ends with.
    pub const TRANSLATION_PREFILL: &str = "(";

    fn sampling() -> Sampling {
        Sampling { temperature: Some(0.05), top_p: Some(1.0), ..Sampling::default() }
    }

    /// Returns the request to translate, for a prompt that ends with the sentences.
    pub fn translation_request(prompt: &str) -> Request {
        Request {
            stop: vec![";".to_owned()],
            max_output_tokens: Some(800),
            sampling: sampling(),
            prefill: Some(TRANSLATION_PREFILL.to_owned()),
            ..Request::text(format!("{prompt}\n"))
        }
    }

    /// Returns the request to plan, for a prompt that ends with `Actions:` and a newline.
    pub fn plan_request(query: &str) -> Request {
        Request {
            stop: vec!["Initially:".to_owned()],
            max_output_tokens: Some(800),
            sampling: sampling(),
            ..Request::text(query)
        }
    }
}

/// The counts of an import: files, recorded exchanges and skipped files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ImportSummary {
    /// The files, each with the number of replies in it.
    pub files: Vec<(PathBuf, usize)>,
    /// The number of recorded exchanges; equal requests with equal replies are one.
    pub exchanges: usize,
    /// Files that were skipped, with the reason.
    pub skipped: Vec<(PathBuf, String)>,
}

/// A row of a file of recordings.
#[derive(Deserialize)]
#[serde(untagged)]
enum Row {
    Translation { init_prompt: String, init_res: String, goal_prompt: String, goal_res: String },
    Plan { query: String, lm_plan: String },
    Recording(Box<Recording>),
}

/// Records the replies in the files `*.jsonl` and `*.jsonl.gz` of a folder: translations and plans in the format of Collins et al. (2022), and
/// [`Recording`]s. Files with other rows are skipped.
///
/// # Errors
/// If a file cannot be read, a row is malformed, an equal request has another reply, or an entry cannot be written.
pub fn import_folder(
    folder: &Path,
    store: &Store,
    on_file: &mut dyn FnMut(&Path),
) -> Result<ImportSummary, ModelError> {
    let entries = fs::read_dir(folder).map_err(|error| invalid(folder, &error.to_string()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let has_extension = |path: &Path, extension: &str| path.extension().is_some_and(|found| found == extension);
    let is_recording = |path: &PathBuf| {
        has_extension(path, "jsonl") || (has_extension(path, "gz") && has_extension(&path.with_extension(""), "jsonl"))
    };
    let mut imported = ImportSummary::default();
    let mut seen: std::collections::HashMap<String, String> = std::collections::HashMap::new();
    for path in paths.into_iter().filter(is_recording) {
        on_file(&path);
        let text = read(&path)?;
        let rows = match parse(&path, &text) {
            Ok(rows) => rows,
            Err(Unreadable::OtherFormat(reason)) => {
                imported.skipped.push((path, reason));
                continue;
            }
            Err(Unreadable::Malformed(error)) => return Err(error),
        };
        let count = rows.len();
        for recording in rows {
            let entry = recording.entry()?;
            let key = entry.question().key();
            match seen.get(&key) {
                Some(response) if *response == entry.response => {}
                Some(_) => {
                    return Err(invalid(&path, "an equal request has another reply; give them different attempts"));
                }
                None => {
                    store.put(&entry)?;
                    seen.insert(key, entry.response);
                }
            }
        }
        imported.files.push((path, count));
    }
    imported.exchanges = seen.len();
    Ok(imported)
}

enum Unreadable {
    /// The first row is not of a known format.
    OtherFormat(String),
    /// A later row is malformed.
    Malformed(ModelError),
}

fn parse(path: &Path, text: &str) -> Result<Vec<Recording>, Unreadable> {
    let mut recordings = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str::<Row>(line) {
            Ok(row) => recordings.extend(row.recordings()),
            Err(_) if recordings.is_empty() => {
                return Err(Unreadable::OtherFormat("its rows are not recorded replies".to_owned()));
            }
            Err(error) => return Err(Unreadable::Malformed(invalid(path, &format!("line {}: {error}", index + 1)))),
        }
    }
    Ok(recordings)
}

impl Row {
    fn recordings(self) -> Vec<Recording> {
        let recording = |model: &str, request: Request, text: String, outcome| Recording {
            model: model.to_owned(),
            base_url: collins2022::BASE_URL.to_owned(),
            format: Format::Completions,
            profile: None,
            request,
            text,
            outcome,
        };
        match self {
            Self::Recording(recording) => vec![*recording],
            Self::Translation { init_prompt, init_res, goal_prompt, goal_res } => {
                let translation = |prompt: &str, text| {
                    let request = collins2022::translation_request(prompt);
                    recording(collins2022::TRANSLATION_MODEL, request, text, Outcome::Complete)
                };
                vec![translation(&init_prompt, init_res), translation(&goal_prompt, goal_res)]
            }
            Self::Plan { query, lm_plan } => {
                // A plan ends before the next example, which two blank lines separate; others reached the limit of tokens.
                let outcome = if lm_plan.ends_with("\n\n\n") { Outcome::Complete } else { Outcome::Cut };
                vec![recording(collins2022::PLAN_MODEL, collins2022::plan_request(&query), lm_plan, outcome)]
            }
        }
    }
}

fn read(path: &Path) -> Result<String, ModelError> {
    let file = File::open(path).map_err(|error| invalid(path, &error.to_string()))?;
    let reader: Box<dyn Read> = if path.extension().is_some_and(|extension| extension == "gz") {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let mut text = String::new();
    reader.take(MAX_FILE_BYTES + 1).read_to_string(&mut text).map_err(|error| invalid(path, &error.to_string()))?;
    if text.len() as u64 > MAX_FILE_BYTES {
        return Err(invalid(path, &format!("the recording exceeds the limit of {MAX_FILE_BYTES} bytes")));
    }
    Ok(text)
}

fn invalid(path: &Path, reason: &str) -> ModelError {
    ModelError::new(ErrorKind::InvalidRequest, format!("cannot import `{}`: {reason}", path.display()))
}
