//! Files of recorded frames.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use goalspec_atari::Game;
use serde_json::Value;

/// Returns the recordings of a game by `cargo xtask ocatari`. Returns an empty list with a printed note if there are none.
pub(crate) fn detections(game: Game) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/data/ocatari");
    let found = files(&root, &format!("{}_", game.slug()));
    if found.is_empty() {
        eprintln!("skipped: no recordings of {game} (run `cargo xtask ocatari {game}`)");
    }
    found
}

/// Returns the files in a folder whose names have a prefix.
pub(crate) fn files(folder: &Path, begin: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let named = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(begin) && name.ends_with(".jsonl.gz")
    };
    let mut found: Vec<PathBuf> = entries.filter(named).collect();
    found.sort();
    found
}

/// Iterates over the lines of a JSON Lines file.
pub(crate) fn lines(path: &Path) -> impl Iterator<Item = Value> {
    let file = File::open(path).expect("it was listed");
    let lines = BufReader::new(flate2::read::MultiGzDecoder::new(file)).lines();
    lines.map(|line| serde_json::from_str(&line.expect("the file is whole")).expect("every line is JSON"))
}

/// Parses bytes in hexadecimal.
pub(crate) fn bytes(text: &Value) -> Vec<u8> {
    let text = text.as_str().expect("RAM is text");
    let pairs = (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16));
    pairs.collect::<Result<_, _>>().expect("RAM is hexadecimal")
}
