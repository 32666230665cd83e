//! The order of stacks in recorded prompts.
//!
//! The published program keeps stacks in a set of Python, so each of its prompts lists them in another order. To reproduce a prompt, its own
//! sentences say in which order.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use goalspec_lot::{Arrangement, Relation, StackingProblem, View, english, prompts};
use goalspec_syntax::{Diagnostic, Sources};
use serde::Deserialize;

use super::cell::Method;

/// The maximum size of an unpacked file of recorded prompts, in bytes.
pub const MAX_BYTES: u64 = 256 << 20;

/// The order of stacks in the recorded prompts of a folder: `prompts/METHOD-VIEW.txt` for the examples, and `METHOD-VIEW.jsonl` or
/// `METHOD-VIEW.jsonl.gz` for the queries, where the method is `translate` or `plan`.
#[derive(Debug, Clone, Default)]
pub struct RecordedOrder {
    /// The relations of the initial states of the examples, in order.
    examples: HashMap<(Method, View), Vec<Vec<Relation>>>,
    /// The relations of the initial state of each query.
    queries: HashMap<(Method, View, String), Vec<Relation>>,
}

/// A recorded query.
#[derive(Deserialize)]
struct Row {
    id: String,
    #[serde(alias = "query")]
    init_prompt: String,
}

impl RecordedOrder {
    /// Reads the recorded prompts of a folder.
    ///
    /// # Errors
    /// If a file cannot be read, or a row of it is not a query.
    pub fn open(folder: &Path) -> Result<Self, Box<Diagnostic>> {
        let mut order = Self::default();
        for (method, name) in [(Method::Translate, "translate"), (Method::Direct, "plan")] {
            for view in View::ALL {
                let path = folder.join(format!("prompts/{name}-{view}.txt"));
                if let Some(text) = read(&path)? {
                    order.examples.insert((method, view), blocks(&text));
                }
                let candidates = ["jsonl", "jsonl.gz"].map(|end| folder.join(format!("{name}-{view}.{end}")));
                for path in candidates {
                    let Some(text) = read(&path)? else { continue };
                    for (number, line) in text.lines().enumerate() {
                        let row: Row = serde_json::from_str(line).map_err(|error| {
                            let place = format!("`{}`, line {}", path.display(), number + 1);
                            Diagnostic::invalid_argument(format!("{place}: no recorded query: {error}"))
                        })?;
                        let query = row.init_prompt;
                        order.queries.insert((method, view, row.id), blocks(&query).pop().unwrap_or_default());
                    }
                }
            }
        }
        if order.examples.is_empty() && order.queries.is_empty() {
            let message = format!("`{}` contains no recorded prompts", folder.display());
            return Err(Diagnostic::invalid_argument(message));
        }
        Ok(order)
    }

    /// Returns a training example with its stacks in recorded order, if there is one; `number` counts the examples.
    pub fn example(&self, method: Method, view: View, number: usize, problem: StackingProblem) -> StackingProblem {
        reordered(problem, self.examples.get(&(method, view)).and_then(|examples| examples.get(number)))
    }

    /// Returns a test with its stacks in recorded order, if there is one.
    pub fn query(&self, method: Method, view: View, id: &str, problem: StackingProblem) -> StackingProblem {
        reordered(problem, self.queries.get(&(method, view, id.to_owned())))
    }
}

fn reordered(problem: StackingProblem, relations: Option<&Vec<Relation>>) -> StackingProblem {
    let ordered: Option<Arrangement> = relations.and_then(|relations| problem.initial.ordered_as(relations));
    StackingProblem { initial: ordered.unwrap_or(problem.initial), goal: problem.goal }
}

/// Returns the relations of each description of a state in a prompt: the blocks of commented sentences, or those after `Initially:`.
fn blocks(prompt: &str) -> Vec<Vec<Relation>> {
    let mut blocks = Vec::new();
    let mut lines = prompt.lines().peekable();
    while let Some(line) = lines.next() {
        let mut text = String::new();
        if line == prompts::PLAN_STOP {
            while let Some(line) = lines.next_if(|line| !line.is_empty()) {
                let _ = writeln!(text, "{line}");
            }
        } else if let Some(first) = line.strip_prefix(';') {
            let _ = writeln!(text, "{first}");
            while let Some(line) = lines.next_if(|line| line.starts_with(';')) {
                let _ = writeln!(text, "{}", &line[1..]);
            }
        } else {
            continue;
        }
        let mut sources = Sources::new();
        let id = sources.add("prompt", text);
        blocks.push(english::parse(sources.file(id), None).relations());
    }
    blocks
}

/// Reads a file, which may be compressed; `None` if it does not exist.
fn read(path: &Path) -> Result<Option<String>, Box<Diagnostic>> {
    if !path.exists() {
        return Ok(None);
    }
    let failed =
        |error: std::io::Error| Diagnostic::invalid_argument(format!("cannot read `{}`: {error}", path.display()));
    let file = std::fs::File::open(path).map_err(failed)?;
    let is_compressed = path.extension().is_some_and(|extension| extension == "gz");
    let reader: Box<dyn std::io::Read> =
        if is_compressed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    let mut text = String::new();
    reader.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > MAX_BYTES {
        let message = format!("`{}` exceeds the limit of {MAX_BYTES} bytes", path.display());
        return Err(Diagnostic::invalid_argument(message));
    }
    Ok(Some(text))
}
