//! The results of all programs over one trace, for a table.

use std::path::PathBuf;

use goalspec::json;
use goalspec::library::Library;
use goalspec::rewards::score_json;
use goalspec::scoring::LibraryScores;
use goalspec::syntax::render;
use serde_json::{Value, json};

/// Returns the results as `goalspec score --format json` prints them, without the lists of satisfactions, attempts and episodes; each with the id of
/// its program, or `null`, and the errors of the programs and the diagnostics of the trace.
pub(crate) fn document(scores: &LibraryScores, library: &Library, programs: &[PathBuf]) -> Value {
    let outcomes = scores.outcomes.iter().map(|outcome| json::outcome(outcome, library.sources()));
    let rewards = scores.rewards.iter().map(score_json::outcome);
    let results = outcomes.chain(rewards).map(|mut result| {
        result["program_id"] = json!(result["program"].as_str().and_then(|name| program_id(name, programs)));
        for preference in result["preferences"].as_array_mut().into_iter().flatten() {
            if let Some(preference) = preference.as_object_mut() {
                preference.remove("satisfactions");
                preference.remove("best_attempt");
            }
        }
        if let Some(result) = result.as_object_mut() {
            result.remove("episodes");
        }
        result
    });
    let found = library.diagnostics().iter().filter(|found| found.is_error()).chain(&scores.diagnostics);
    let diagnostics = found.map(|found| render::json::value(found, library.sources()));
    json!({"results": results.collect::<Vec<_>>(), "diagnostics": diagnostics.collect::<Vec<_>>()})
}

/// Returns the id of the file of a program. The name of a program begins with the path of its file.
fn program_id(name: &str, programs: &[PathBuf]) -> Option<usize> {
    let paths = programs.iter().map(|path| path.display().to_string()).enumerate();
    paths.filter(|(_, path)| name.starts_with(path.as_str())).max_by_key(|(_, path)| path.len()).map(|(id, _)| id)
}
