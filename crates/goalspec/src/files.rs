//! Which files are meant by the paths, folders and patterns of a command, and what each of them is.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::wildcard::{self, Layout};
use goalspec_syntax::limits::MAX_SOURCE_BYTES;
use goalspec_syntax::{Diagnostic, Severity};
use goalspec_trace::source::{Compression, Unpacked};
use goalspec_trace::write::Packed;

use crate::codes;
use crate::examples::{self, Example};
use crate::languages::{self, is_plan};
use crate::limits::Limit;
use crate::rewards::program::RewardProgram;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Programs.
    Program,
    /// Recorded states.
    Trace,
    /// A world description.
    World,
}

/// Files, sorted by what they hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Programs.
    pub programs: Vec<PathBuf>,
    /// Traces; `-` is the standard input.
    pub traces: Vec<PathBuf>,
    /// Worlds.
    pub worlds: Vec<PathBuf>,
}

/// How many bytes of a file are looked at to tell what it is.
const SNIFFED_BYTES: u64 = 4096;

/// Endings of the files that are taken from a folder; files named one by one may end as they like.
const ENDINGS: &[&str] = &[
    "game", "goal", "py", "bddl", "pddl", "txt", "yaml", "yml", "json", "jsonl", "ndjson", "gz", "zst", "parquet",
    "toml",
];

/// Finds the files that `paths` mean: files, folders (with all that lies in them), patterns such as `games/*.pddl`, bundled examples such as
/// `@throw-to-bin`, and `-`.
///
/// What cannot be found, read or recognised is reported and left out. `progress` hears of each file that is looked into.
pub fn discover(paths: &[PathBuf], progress: &dyn Fn()) -> (Inputs, Vec<Diagnostic>) {
    let mut search = Search { progress, inputs: Inputs::default(), seen: BTreeSet::new(), diagnostics: Vec::new() };
    for path in paths {
        search.argument(path);
    }
    (search.inputs, search.diagnostics)
}

/// Opens a file for reading, or the standard input for `-`. What is packed with gzip or zstd is unpacked on the way, whatever the file's name
/// is.
///
/// # Errors
/// The file cannot be opened.
pub fn open(path: &Path) -> Result<BufReader<Unpacked<'static>>, Box<Diagnostic>> {
    let opened = if path == Path::new("-") { Unpacked::new(std::io::stdin()) } else { unpacked(path) };
    opened.map(BufReader::new).map_err(|error| Box::new(unreadable(path, &error)))
}

/// Reads a text file, plain or packed with gzip or zstd.
///
/// # Errors
/// The file cannot be read, has more than [`MAX_SOURCE_BYTES`] of text, or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, Box<Diagnostic>> {
    read_text_up_to(path, MAX_SOURCE_BYTES)
}

fn read_text_up_to(path: &Path, limit: usize) -> Result<String, Box<Diagnostic>> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(limit as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| Box::new(unreadable(path, &error)))?;
    if bytes.len() > limit {
        let message = format!("`{}` exceeds the limit of {limit} bytes of text", path.display());
        let error = Diagnostic::new(codes::UNREADABLE, Severity::Error, message);
        let limit = Limit::of("syntax::limits::MAX_SOURCE_BYTES");
        return Err(limit.map(Limit::remedy).into_iter().fold(error, Diagnostic::with_help).into());
    }
    goalspec_syntax::source::decode(&path.display().to_string(), bytes)
}

/// A file of the disk, or of a bundled example, unpacked.
fn unpacked(path: &Path) -> std::io::Result<Unpacked<'static>> {
    match examples::read(path) {
        Some(text) => Unpacked::new(text.as_bytes()),
        None => File::open(path).and_then(Unpacked::new),
    }
}

/// Replaces a text file once all of the text is written. It is packed as the file that it replaces, or as its name says where there is none.
///
/// # Errors
/// The file cannot be written; then the file that was there is as before.
pub fn write_text(path: &Path, text: &str) -> std::io::Result<()> {
    let before = File::open(path).and_then(Unpacked::new).map(|file| file.compression());
    let mut file = Packed::create_with(path, before.unwrap_or_else(|_| Compression::of_path(path)))?;
    file.write_all(text.as_bytes())?;
    file.finish()
}

/// The knowledge base of a folder or file, whose files may be packed with gzip or zstd: `hierarchy.json.gz`.
///
/// # Errors
/// As [`Knowledge::open`].
pub fn open_knowledge(path: &Path) -> Result<Knowledge, Box<Diagnostic>> {
    Knowledge::open_with(path, &|path: &Path| {
        let mut bytes = Vec::new();
        unpacked(path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    })
}

/// Whether a file is named as a program in Python, packed or not.
pub fn is_python(path: &Path) -> bool {
    languages::is_python(&path.to_string_lossy())
}

/// The name of a file without the ending that says how it is packed: `my.game` of `my.game.gz`.
pub(crate) fn unpacked_name(name: &str) -> &str {
    let without = |ending: &str| {
        let (name, last) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
        last.eq_ignore_ascii_case(ending).then_some(name)
    };
    [".gz", ".zst"].into_iter().find_map(without).unwrap_or(name)
}

/// Reads the layout of a scene.
///
/// # Errors
/// The file cannot be read, or is no layout.
pub fn read_layout(path: &Path) -> Result<Layout, Box<Diagnostic>> {
    wildcard::read_layout(&read_text(path)?).map_err(|error| {
        let message = format!("`{}` is not the layout of a scene: {error}", path.display());
        let help = r#"a layout looks like `{"kitchen": {"fridge": 3, "sink": 1}}`"#;
        Diagnostic::new(codes::BAD_SCENE, Severity::Error, message).with_help(help).into()
    })
}

fn unreadable(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::new(codes::UNREADABLE, Severity::Error, format!("`{}` cannot be read: {error}", path.display()))
}

struct Search<'p> {
    progress: &'p dyn Fn(),
    inputs: Inputs,
    /// Files and folders, by where they really lie: links may lead to one in many ways, or in a circle.
    seen: BTreeSet<PathBuf>,
    diagnostics: Vec<Diagnostic>,
}

impl Search<'_> {
    fn argument(&mut self, path: &Path) {
        if path == Path::new("-") {
            self.inputs.traces.push(path.to_owned());
        } else if path.is_dir() {
            self.folder(path);
        } else if path.exists() || examples::read(path).is_some() {
            self.file(path, true);
        } else if let Some(name) = examples::named_by(path) {
            self.example(name);
        } else {
            self.pattern(path);
        }
    }

    /// Takes all files of a bundled example.
    fn example(&mut self, name: &str) {
        match Example::named(name) {
            Ok(example) => example.paths().for_each(|path| self.file(&path, true)),
            Err(message) => self.diagnostics.push(Diagnostic::new(codes::NOT_FOUND, Severity::Error, message)),
        }
    }

    fn pattern(&mut self, path: &Path) {
        let text = path.to_string_lossy();
        let missing = || Diagnostic::new(codes::NOT_FOUND, Severity::Error, format!("there is no file `{text}`"));
        if !text.contains(['*', '?', '[']) {
            return self.diagnostics.push(missing());
        }
        match glob::glob(&text) {
            Ok(found) => {
                let mut any = false;
                for path in found {
                    any = true;
                    match path {
                        Ok(path) if path.is_dir() => self.folder(&path),
                        Ok(path) => self.file(&path, true),
                        Err(error) => self.diagnostics.push(unreadable(error.path(), error.error())),
                    }
                }
                if !any {
                    self.diagnostics.push(missing().with_help("no file matches the pattern"));
                }
            }
            Err(error) => {
                self.diagnostics.push(missing().with_help(format!("it is not a valid pattern either: {error}")));
            }
        }
    }

    fn folder(&mut self, path: &Path) {
        let mut found = vec![path.to_owned()];
        while let Some(path) = found.pop() {
            if path.is_dir() {
                if self.is_new(&path) {
                    found.extend(self.entries(&path).into_iter().rev());
                }
            } else if path
                .extension()
                .is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
            {
                self.file(&path, false);
            }
        }
    }

    /// What lies in a folder and is not hidden, in order.
    fn entries(&mut self, folder: &Path) -> Vec<PathBuf> {
        let mut paths = Vec::new();
        match std::fs::read_dir(folder) {
            Ok(entries) => {
                for entry in entries {
                    match entry {
                        Ok(entry) if entry.file_name().to_string_lossy().starts_with('.') => {}
                        Ok(entry) => paths.push(entry.path()),
                        Err(error) => self.diagnostics.push(unreadable(folder, &error)),
                    }
                }
            }
            Err(error) => self.diagnostics.push(unreadable(folder, &error)),
        }
        paths.sort();
        paths
    }

    /// Whether a file or folder was not met before.
    fn is_new(&mut self, path: &Path) -> bool {
        self.seen.insert(path.canonicalize().unwrap_or_else(|_| path.to_owned()))
    }

    /// Sorts a file in. One that was named must be recognised; of a folder, other files are simply not meant.
    fn file(&mut self, path: &Path, named: bool) {
        if !self.is_new(path) {
            return;
        }
        // To tell what a file is, it is opened and looked into; what is read of a pipe is gone.
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            if named {
                let message = format!("`{}` is a pipe or a device, and files are read more than once", path.display());
                let diagnostic = Diagnostic::new(codes::UNREADABLE, Severity::Error, message)
                    .with_help("write it to a file first, or pass it to the standard input and give `-`");
                self.diagnostics.push(diagnostic);
            }
            return;
        }
        (self.progress)();
        match kind_of(path) {
            // Beside a problem there may well be its plans.
            Ok(Some(Kind::Program)) if !named && (holds_plan(path) || is_other_python(path) || is_other_text(path)) => {
            }
            Ok(Some(Kind::Program)) => self.inputs.programs.push(path.to_owned()),
            Ok(Some(Kind::Trace)) => self.inputs.traces.push(path.to_owned()),
            Ok(Some(Kind::World)) => self.inputs.worlds.push(path.to_owned()),
            Ok(None) if named => {
                let message = format!("`{}` is neither a program nor a trace nor a world", path.display());
                let diagnostic = Diagnostic::new(codes::UNKNOWN_KIND, Severity::Error, message).with_help(
                    "a program begins with `(` or ends in `.yaml` or `.py`, a trace begins with `{` or `[` (or is Parquet), a world ends in `.world.toml`; \
                     each may be packed with gzip or zstd",
                );
                self.diagnostics.push(diagnostic);
            }
            Ok(None) => {}
            Err(error) => self.diagnostics.push(unreadable(path, &error)),
        }
    }
}

/// Whether a file is Python and no reward function.
fn is_other_python(path: &Path) -> bool {
    is_python(path) && !read_text(path).is_ok_and(|text| RewardProgram::is_meant(&text))
}

/// The first bytes of a file, unpacked, and how it is packed. What cannot be unpacked has none.
fn beginning(path: &Path) -> std::io::Result<(Vec<u8>, Compression)> {
    let unpacked = unpacked(path)?;
    let compression = unpacked.compression();
    let mut bytes = Vec::new();
    match unpacked.take(SNIFFED_BYTES).read_to_end(&mut bytes) {
        // Damaged: the name says what it was meant to be, and its reader says what is wrong with it.
        Err(_) if compression != Compression::None => bytes.clear(),
        Err(error) => return Err(error),
        Ok(_) => {}
    }
    Ok((bytes, compression))
}

/// Whether a file ends in `.txt`, packed or not, and does not begin as programs do: with a parenthesis or a comment.
fn is_other_text(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let is_text = languages::ending(&name).is_some_and(|ending| ending.eq_ignore_ascii_case("txt"));
    is_text && !read_text(path).is_ok_and(|text| text.trim_start().starts_with(['(', ';']))
}

/// Whether a file holds a plan, judged by its name and its first lines.
fn holds_plan(path: &Path) -> bool {
    let Ok((bytes, _)) = beginning(path) else { return false };
    let text = String::from_utf8_lossy(&bytes);
    // The last line that was read may not be whole.
    let lines =
        if bytes.len() as u64 == SNIFFED_BYTES { text.rsplit_once('\n').map(|(lines, _)| lines) } else { Some(&*text) };
    lines.is_some_and(|lines| is_plan(&path.to_string_lossy(), lines))
}

/// What a file holds, judged by its name and its first bytes; `None` where neither tells. The name is that without `.gz` or `.zst`, the bytes
/// are those that are packed.
fn kind_of(path: &Path) -> std::io::Result<Option<Kind>> {
    let name = path.to_string_lossy();
    let name = Path::new(unpacked_name(&name));
    if name.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".world.toml")) {
        return Ok(Some(Kind::World));
    }
    let is_yaml = |ending: &std::ffi::OsStr| ending.eq_ignore_ascii_case("yaml") || ending.eq_ignore_ascii_case("yml");
    if name.extension().is_some_and(is_yaml) || is_python(path) {
        return Ok(Some(Kind::Program));
    }
    let (bytes, compression) = beginning(path)?;
    if bytes.starts_with(b"PAR1") {
        return Ok(Some(Kind::Trace));
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let ending = name.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    Ok(match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'(' | b';') => Some(Kind::Program),
        Some(b'{' | b'[') => Some(Kind::Trace),
        // Empty or damaged: the name says what it was meant to be, and its reader says what is wrong with it.
        _ => match ending.as_deref() {
            // What ends as plans do is no program, which is said where programs are read.
            Some("game" | "goal" | "bddl" | "pddl" | "txt" | "plan" | "soln") => Some(Kind::Program),
            Some("json" | "jsonl" | "ndjson" | "gz" | "zst" | "parquet") => Some(Kind::Trace),
            // Most of what is packed are traces.
            _ if compression != Compression::None => Some(Kind::Trace),
            _ => None,
        },
    })
}
