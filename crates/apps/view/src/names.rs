//! Names of files in documents: the page and exports never contain the paths of this machine.

use std::path::{Path, PathBuf};

use goalspec::files::Inputs;
use goalspec::syntax::Sources;
use serde_json::Value;

/// Returns the name of a file without its folder.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Replaces the paths of the inputs and of other sources by the names of the files, in all texts of a document but the program's own.
pub(crate) fn without_paths(document: &mut Value, inputs: &Inputs, sources: &Sources) {
    let paths = [&inputs.programs, &inputs.traces, &inputs.worlds].into_iter().flatten();
    let paths = paths.map(|path: &PathBuf| (path.display().to_string(), file_name(path)));
    let sources = sources.iter().map(|file| (file.name().to_owned(), file_name(Path::new(file.name()))));
    let mut names: Vec<(String, String)> = paths.chain(sources).filter(|(path, name)| path != name).collect();
    // A path may begin with another one.
    names.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
    if !names.is_empty() {
        replace(document, &names);
    }
}

/// The depth of documents is that of the schema of reports, which is fixed.
fn replace(value: &mut Value, names: &[(String, String)]) {
    match value {
        Value::String(text) => {
            for (path, name) in names {
                if text.contains(path.as_str()) {
                    let shortened = text.replace(path.as_str(), name);
                    *text = shortened;
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, names)),
        Value::Object(object) => {
            object.iter_mut().filter(|(key, _)| *key != "text").for_each(|(_, item)| replace(item, names));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
