//! Input discovery: resolution of paths, folders and patterns to files, and detection of the kind of each file; and the access to the
//! texts of files, which may be those of an editor.

mod access;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::wildcard::{self, SceneLayout};
use goalspec_rewards::program::RewardProgram;
use goalspec_syntax::limits::MAX_SOURCE_BYTES;
use goalspec_syntax::{Diagnostic, Severity};
use goalspec_trace::TraceInput;
use goalspec_trace::source::{Compression, Decompressor};
use goalspec_trace::write::CompressedFile;

use crate::codes;
use crate::examples::{self, Example};
use crate::languages::{self, is_plan};
use crate::limits::Limit;

pub use access::{FileAccess, TextFiles};

/// The end of the names of world files.
pub const WORLD_EXTENSION: &str = ".world.toml";

/// A classification of files by their names and contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// A file of programs.
    Program,
    /// A file of recorded states.
    Trace,
    /// A world description.
    World,
}

/// Input files by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inputs {
    /// The files of programs.
    pub programs: Vec<PathBuf>,
    /// The traces; `-` is the standard input.
    pub traces: Vec<PathBuf>,
    /// The world files.
    pub worlds: Vec<PathBuf>,
}

/// The number of bytes that are read to detect the kind of a file.
const SNIFFED_BYTES: u64 = 4096;

/// The extensions of the files that are taken from a folder. Files that are named individually may have any extension.
const EXTENSIONS: &[&str] = &[
    "game", "goal", "py", "bddl", "pddl", "txt", "yaml", "yml", "json", "jsonl", "ndjson", "gz", "zst", "parquet",
    "toml",
];

/// Finds the files that `paths` refer to: files, folders (searched recursively), patterns such as `games/*.pddl`, bundled
/// examples such as `@throw-to-bin`, and `-` for the standard input.
///
/// Paths that cannot be found, read or recognised are reported and left out. `progress` is called for each file that is examined.
pub fn discover(paths: &[PathBuf], progress: &dyn Fn()) -> (Inputs, Vec<Diagnostic>) {
    let mut search = Discovery { progress, inputs: Inputs::default(), seen: BTreeSet::new(), diagnostics: Vec::new() };
    for path in paths {
        search.argument(path);
    }
    (search.inputs, search.diagnostics)
}

/// Opens a file for reading, or the standard input for `-`. Content compressed with gzip or zstd is decompressed, whatever the
/// name of the file.
///
/// # Errors
/// If the file cannot be opened.
pub fn open(path: &Path) -> Result<BufReader<Decompressor<'static>>, Box<Diagnostic>> {
    let opened = if path == Path::new("-") { Decompressor::new(std::io::stdin()) } else { open_decompressed(path) };
    opened.map(BufReader::new).map_err(|error| Box::new(unreadable_error(path, &error)))
}

/// Reads a text file, plain or compressed with gzip or zstd.
///
/// # Errors
/// If the file cannot be read, has more than [`MAX_SOURCE_BYTES`] of text, or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, Box<Diagnostic>> {
    read_text_up_to(path, MAX_SOURCE_BYTES)
}

fn read_text_up_to(path: &Path, limit: usize) -> Result<String, Box<Diagnostic>> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(limit as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| Box::new(unreadable_error(path, &error)))?;
    if bytes.len() > limit {
        let message = format!("`{}` exceeds the limit of {limit} bytes of text", path.display());
        let error = Diagnostic::new(codes::UNREADABLE, Severity::Error, message);
        let limit = Limit::by_constant("syntax::limits::MAX_SOURCE_BYTES");
        return Err(limit.map(Limit::remedy_text).into_iter().fold(error, Diagnostic::with_help).into());
    }
    goalspec_syntax::source::decode(&path.display().to_string(), bytes)
}

/// Returns the trace at a path: a file on disk or of a bundled example. For the path `-`, reads the standard input to its end.
///
/// # Errors
/// If the standard input cannot be read.
pub fn trace_input(path: &Path) -> Result<TraceInput, Box<Diagnostic>> {
    if let Some(text) = examples::read(path) {
        return Ok(TraceInput::Bytes(path.display().to_string().into(), text.as_bytes().into()));
    }
    if path != Path::new("-") {
        return Ok(TraceInput::File(path.to_owned()));
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).map_err(|error| {
        let message = format!("cannot read the standard input: {error}");
        Box::new(Diagnostic::new(codes::UNREADABLE, Severity::Error, message))
    })?;
    Ok(TraceInput::Bytes("<stdin>".into(), bytes.into()))
}

/// Opens a file on disk or of a bundled example, decompressed.
fn open_decompressed(path: &Path) -> std::io::Result<Decompressor<'static>> {
    match examples::read(path) {
        Some(text) => Decompressor::new(text.as_bytes()),
        None => File::open(path).and_then(Decompressor::new),
    }
}

/// Replaces a text file once the whole text is written. The new file has the compression of the old one or, if there is none, the
/// compression that its name indicates.
///
/// # Errors
/// If the file cannot be written. The old file then remains unchanged.
pub fn write_text(path: &Path, text: &str) -> std::io::Result<()> {
    let before = File::open(path).and_then(Decompressor::new).map(|file| file.compression());
    let mut file = CompressedFile::create_with(path, before.unwrap_or_else(|_| Compression::of_path(path)))?;
    file.write_all(text.as_bytes())?;
    file.finish()
}

/// Opens the knowledge base in a folder or file. Its files may be compressed with gzip or zstd: `hierarchy.json.gz`.
///
/// # Errors
/// As [`Knowledge::open`].
pub fn open_knowledge(path: &Path) -> Result<Knowledge, Box<Diagnostic>> {
    Knowledge::open_with(path, &|path: &Path| {
        let mut bytes = Vec::new();
        open_decompressed(path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    })
}

/// Whether a file has the extension of Python, apart from that of a compression.
pub fn is_python(path: &Path) -> bool {
    languages::is_python(&path.to_string_lossy())
}

/// Returns the name of a file without the extension of its compression: `my.game` for `my.game.gz`.
pub(crate) fn strip_compression_extension(name: &str) -> &str {
    let strip = |extension: &str| {
        let (name, last) = name.split_at_checked(name.len().checked_sub(extension.len())?)?;
        last.eq_ignore_ascii_case(extension).then_some(name)
    };
    [".gz", ".zst"].into_iter().find_map(strip).unwrap_or(name)
}

/// Reads the layout of a scene.
///
/// # Errors
/// If the file cannot be read or is not a layout.
pub fn read_layout(path: &Path) -> Result<SceneLayout, Box<Diagnostic>> {
    wildcard::parse_layout(&read_text(path)?).map_err(|error| {
        let message = format!("invalid layout of a scene `{}`: {error}", path.display());
        let help = r#"expected a layout such as `{"kitchen": {"fridge": 3, "sink": 1}}`"#;
        Diagnostic::new(codes::BAD_SCENE, Severity::Error, message).with_help(help).into()
    })
}

fn unreadable_error(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::new(codes::UNREADABLE, Severity::Error, format!("cannot read `{}`: {error}", path.display()))
}

struct Discovery<'p> {
    progress: &'p dyn Fn(),
    inputs: Inputs,
    /// The canonical paths of the files and folders visited so far. Links may lead to the same file in several ways, or form a
    /// cycle.
    seen: BTreeSet<PathBuf>,
    diagnostics: Vec<Diagnostic>,
}

impl Discovery<'_> {
    fn argument(&mut self, path: &Path) {
        if path == Path::new("-") {
            self.inputs.traces.push(path.to_owned());
        } else if path.is_dir() {
            self.folder(path);
        } else if path.exists() || examples::read(path).is_some() {
            self.file(path, true);
        } else if let Some(name) = examples::example_name(path) {
            self.example(name);
        } else {
            self.pattern(path);
        }
    }

    /// Adds all files of a bundled example.
    fn example(&mut self, name: &str) {
        match Example::named(name) {
            Ok(example) => example.paths().for_each(|path| self.file(&path, true)),
            Err(error) => self.diagnostics.push(Diagnostic { code: codes::NOT_FOUND, ..*error }),
        }
    }

    fn pattern(&mut self, path: &Path) {
        let text = path.to_string_lossy();
        let missing = || Diagnostic::new(codes::NOT_FOUND, Severity::Error, format!("file `{text}` not found"));
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
                        Err(error) => self.diagnostics.push(unreadable_error(error.path(), error.error())),
                    }
                }
                if !any {
                    self.diagnostics.push(missing().with_help("no file matches the pattern"));
                }
            }
            Err(error) => {
                self.diagnostics.push(missing().with_help(format!("it is also not a valid pattern: {error}")));
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
                .is_some_and(|extension| EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known)))
            {
                self.file(&path, false);
            }
        }
    }

    /// Returns the entries of a folder that are not hidden, sorted by path.
    fn entries(&mut self, folder: &Path) -> Vec<PathBuf> {
        let mut paths = Vec::new();
        match std::fs::read_dir(folder) {
            Ok(entries) => {
                for entry in entries {
                    match entry {
                        Ok(entry) if entry.file_name().to_string_lossy().starts_with('.') => {}
                        Ok(entry) => paths.push(entry.path()),
                        Err(error) => self.diagnostics.push(unreadable_error(folder, &error)),
                    }
                }
            }
            Err(error) => self.diagnostics.push(unreadable_error(folder, &error)),
        }
        paths.sort();
        paths
    }

    /// Whether a file or folder is visited for the first time.
    fn is_new(&mut self, path: &Path) -> bool {
        self.seen.insert(path.canonicalize().unwrap_or_else(|_| path.to_owned()))
    }

    /// Adds a file to the inputs. A file that was named must be recognised; in a folder, files of other kinds are skipped.
    fn file(&mut self, path: &Path, is_named: bool) {
        if !self.is_new(path) {
            return;
        }
        // Detecting the kind of a file reads its beginning, which cannot be read a second time from a pipe.
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            if is_named {
                let message = format!("`{}` is a pipe or a device, but files are read more than once", path.display());
                let diagnostic = Diagnostic::new(codes::UNREADABLE, Severity::Error, message)
                    .with_help("write it to a file first, or redirect it to the standard input and pass `-`");
                self.diagnostics.push(diagnostic);
            }
            return;
        }
        (self.progress)();
        match detect_kind(path) {
            // The folder of a problem may also contain its plans.
            Ok(Some(FileKind::Program))
                if !is_named && (holds_plan(path) || is_unrelated_python(path) || is_unrelated_text(path)) => {}
            Ok(Some(FileKind::Program)) => self.inputs.programs.push(path.to_owned()),
            Ok(Some(FileKind::Trace)) => self.inputs.traces.push(path.to_owned()),
            Ok(Some(FileKind::World)) => self.inputs.worlds.push(path.to_owned()),
            Ok(None) if is_named => {
                let message = format!("`{}` is not a program, a trace or a world", path.display());
                let diagnostic = Diagnostic::new(codes::UNKNOWN_KIND, Severity::Error, message).with_help(
                    "a program begins with `(` or ends in `.yaml` or `.py`, a trace begins with `{` or `[` (or is Parquet), a world ends in `.world.toml`; \
                     each may be compressed with gzip or zstd",
                );
                self.diagnostics.push(diagnostic);
            }
            Ok(None) => {}
            Err(error) => self.diagnostics.push(unreadable_error(path, &error)),
        }
    }
}

/// Whether a file is Python but not a reward function.
fn is_unrelated_python(path: &Path) -> bool {
    is_python(path) && !read_text(path).is_ok_and(|text| RewardProgram::is_reward_source(&text))
}

/// Returns the first bytes of a file after decompression, and its compression. Damaged compressed data yields no bytes.
fn read_prefix(path: &Path) -> std::io::Result<(Vec<u8>, Compression)> {
    let unpacked = open_decompressed(path)?;
    let compression = unpacked.compression();
    let mut bytes = Vec::new();
    match unpacked.take(SNIFFED_BYTES).read_to_end(&mut bytes) {
        // The name of a damaged file determines its kind, and the reader of that kind reports the damage.
        Err(_) if compression != Compression::None => bytes.clear(),
        Err(error) => return Err(error),
        Ok(_) => {}
    }
    Ok((bytes, compression))
}

/// Whether a file has the extension `txt`, apart from that of a compression, and does not begin like a program, with a
/// parenthesis or a comment.
fn is_unrelated_text(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let is_text = languages::extension(&name).is_some_and(|extension| extension.eq_ignore_ascii_case("txt"));
    is_text && !read_text(path).is_ok_and(|text| text.trim_start().starts_with(['(', ';']))
}

/// Whether a file contains a plan, judged by its name and its first lines.
fn holds_plan(path: &Path) -> bool {
    let Ok((bytes, _)) = read_prefix(path) else { return false };
    let text = String::from_utf8_lossy(&bytes);
    // The last line may be incomplete.
    let lines =
        if bytes.len() as u64 == SNIFFED_BYTES { text.rsplit_once('\n').map(|(lines, _)| lines) } else { Some(&*text) };
    lines.is_some_and(|lines| is_plan(&path.to_string_lossy(), lines))
}

/// Returns the kind of a file, judged by its name without the extension of a compression and by its first bytes after
/// decompression; `None` if neither determines it.
fn detect_kind(path: &Path) -> std::io::Result<Option<FileKind>> {
    let name = path.to_string_lossy();
    let name = Path::new(strip_compression_extension(&name));
    if name.file_name().is_some_and(|name| name.to_string_lossy().ends_with(WORLD_EXTENSION)) {
        return Ok(Some(FileKind::World));
    }
    let is_yaml =
        |extension: &std::ffi::OsStr| extension.eq_ignore_ascii_case("yaml") || extension.eq_ignore_ascii_case("yml");
    if name.extension().is_some_and(is_yaml) || is_python(path) {
        return Ok(Some(FileKind::Program));
    }
    let (bytes, compression) = read_prefix(path)?;
    if bytes.starts_with(b"PAR1") {
        return Ok(Some(FileKind::Trace));
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let extension = name.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    Ok(match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'(' | b';') => Some(FileKind::Program),
        Some(b'{' | b'[') => Some(FileKind::Trace),
        // The name of an empty or damaged file determines its kind, and the reader of that kind reports the damage.
        _ => match extension.as_deref() {
            // A plan is not a program; the reader of programs reports that.
            Some("game" | "goal" | "bddl" | "pddl" | "txt" | "plan" | "soln") => Some(FileKind::Program),
            Some("json" | "jsonl" | "ndjson" | "gz" | "zst" | "parquet") => Some(FileKind::Trace),
            // Most compressed files are traces.
            _ if compression != Compression::None => Some(FileKind::Trace),
            _ => None,
        },
    })
}
