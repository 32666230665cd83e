//! Examples of words with their programs, from a folder: `NAME.txt` beside `NAME.pddl`, `NAME.bddl`, `NAME.game` or `NAME.py`.

use std::path::Path;

/// The maximum number of examples in a prompt.
pub const MAX_EXAMPLES: usize = 32;

/// The maximum size of a file, in bytes.
pub const MAX_BYTES: u64 = 1 << 20;

/// Words and the program that they describe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The words.
    pub words: String,
    /// The program.
    pub program: String,
}

/// Reads the examples of a folder with programs of this file extension, in the order of their names.
///
/// # Errors
/// If the folder or a file cannot be read, there is no pair of files, or there are too many.
pub fn read(folder: &Path, extension: &str) -> Result<Vec<Example>, String> {
    let failed = |path: &Path, reason: String| format!("cannot read `{}`: {reason}", path.display());
    let entries = std::fs::read_dir(folder).map_err(|error| failed(folder, error.to_string()))?;
    let mut paths: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|own| own == "txt") && path.with_extension(extension).is_file());
    paths.sort();
    if paths.is_empty() {
        return Err(format!("`{}` has no pair of files NAME.txt and NAME.{extension}", folder.display()));
    }
    if paths.len() > MAX_EXAMPLES {
        let count = paths.len();
        return Err(format!("`{}` has {count} examples, which exceeds the limit of {MAX_EXAMPLES}", folder.display()));
    }
    let text = |path: &Path| {
        let size = std::fs::metadata(path).map_err(|error| failed(path, error.to_string()))?.len();
        if size > MAX_BYTES {
            return Err(failed(path, format!("the example exceeds the limit of {MAX_BYTES} bytes")));
        }
        std::fs::read_to_string(path).map_err(|error| failed(path, error.to_string()))
    };
    let pair =
        |path: &std::path::PathBuf| Ok(Example { words: text(path)?, program: text(&path.with_extension(extension))? });
    paths.iter().map(pair).collect()
}
