//! Examples of words with their programs, from a folder: `NAME.txt` beside `NAME.pddl`, `NAME.bddl`, `NAME.game` or `NAME.py`.

use std::path::{Path, PathBuf};
use std::{fmt, io};

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

/// The reason for which the examples of a folder cannot be used.
#[derive(Debug)]
pub enum ExamplesError {
    /// The folder or a file cannot be read.
    File(PathBuf, io::Error),
    /// A file is larger than [`MAX_BYTES`].
    TooLarge(PathBuf),
    /// The folder has no pair of files.
    NoPairs {
        /// The folder.
        folder: PathBuf,
        /// The file extension of the programs.
        extension: String,
    },
    /// The folder has more than [`MAX_EXAMPLES`] examples.
    TooMany {
        /// The folder.
        folder: PathBuf,
        /// The number of examples.
        count: usize,
    },
}

impl fmt::Display for ExamplesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "cannot read `{}`: {error}", path.display()),
            Self::TooLarge(path) => {
                write!(f, "cannot read `{}`: the example exceeds the limit of {MAX_BYTES} bytes", path.display())
            }
            Self::NoPairs { folder, extension } => {
                write!(f, "`{}` has no pair of files NAME.txt and NAME.{extension}", folder.display())
            }
            Self::TooMany { folder, count } => {
                write!(f, "`{}` has {count} examples, which exceeds the limit of {MAX_EXAMPLES}", folder.display())
            }
        }
    }
}

impl std::error::Error for ExamplesError {}

/// Reads the examples of a folder with programs of this file extension, in the order of their names.
///
/// # Errors
/// If the folder or a file cannot be read, there is no pair of files, or there are too many.
pub fn read(folder: &Path, extension: &str) -> Result<Vec<Example>, ExamplesError> {
    let entries = std::fs::read_dir(folder).map_err(|error| ExamplesError::File(folder.to_owned(), error))?;
    let mut paths: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|own| own == "txt") && path.with_extension(extension).is_file());
    paths.sort();
    if paths.is_empty() {
        return Err(ExamplesError::NoPairs { folder: folder.to_owned(), extension: extension.to_owned() });
    }
    if paths.len() > MAX_EXAMPLES {
        return Err(ExamplesError::TooMany { folder: folder.to_owned(), count: paths.len() });
    }
    let text = |path: &Path| {
        let of_file = |error| ExamplesError::File(path.to_owned(), error);
        if std::fs::metadata(path).map_err(of_file)?.len() > MAX_BYTES {
            return Err(ExamplesError::TooLarge(path.to_owned()));
        }
        std::fs::read_to_string(path).map_err(of_file)
    };
    let pair = |path: &PathBuf| Ok(Example { words: text(path)?, program: text(&path.with_extension(extension))? });
    paths.iter().map(pair).collect()
}
