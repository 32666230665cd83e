//! The latency of an editor's requests while the published programs are typed: each file is edited at sampled places, one character at a
//! time, and every request is answered after each edit. Prints the median and the 99th percentile of each kind of request.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use goalspec_ide::{Workspace, fast_diagnostics, folding_ranges};
use goalspec_testing::conformance;
use goalspec_testing::random::Random;

/// Places at which each file is edited.
const PLACES: usize = 6;

/// Maximum number of files of a corpus, taken at random.
const MAX_FILES: usize = 60;

/// Maximum size of a file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The latencies of each kind of request.
type Latencies = BTreeMap<&'static str, Vec<Duration>>;

fn main() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let corpora = ["game", "bddl", "planning"].map(|corpus| (corpus, conformance::folder(corpus)));
    for (corpus, folder) in corpora.into_iter().chain([("examples", Some(examples))]) {
        let Some(folder) = folder else { continue };
        let mut random = Random::new(1);
        let mut files = programs(&folder);
        while files.len() > MAX_FILES {
            files.swap_remove(random.below(files.len()));
        }
        for (class, sizes) in [("up to 128 kB", 0..128 << 10), ("larger", 128 << 10..u64::MAX)] {
            let of_class = |path: &&PathBuf| path.metadata().is_ok_and(|metadata| sizes.contains(&metadata.len()));
            let mut latencies = Latencies::new();
            files.iter().filter(of_class).for_each(|path| edit(path, &mut random, &mut latencies));
            print(corpus, class, &mut latencies);
        }
    }
}

/// Returns the programs in a folder and its subfolders, sorted.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.to_string_lossy();
            let is_program = [".game", ".pddl", ".bddl", ".yaml", ".world.toml"].iter().any(|end| name.ends_with(end));
            if path.is_dir() {
                open.push(path);
            } else if is_program && path.metadata().is_ok_and(|metadata| metadata.len() <= MAX_BYTES) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Removes a character at several places of a file and types it again, and measures the requests after each edit.
fn edit(path: &Path, random: &mut Random, latencies: &mut Latencies) {
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let mut workspace = Workspace::default();
    for _ in 0..PLACES {
        let at = text.floor_char_boundary(random.below(text.len().max(1)));
        let Some(letter) = text[at..].chars().next() else { continue };
        let without = format!("{}{}", &text[..at], &text[at + letter.len_utf8()..]);
        for (state, offset) in [(without.as_str(), at), (text.as_str(), at + letter.len_utf8())] {
            let start = Instant::now();
            workspace.set_text(path, state);
            let snapshot = workspace.snapshot();
            let analysis = snapshot.analysis(path);
            std::hint::black_box(fast_diagnostics(&analysis));
            latencies.entry("diagnostics").or_default().push(start.elapsed());
            let offset = offset as u32;
            let mut measure = |name, answer: &dyn Fn()| {
                let start = Instant::now();
                answer();
                latencies.entry(name).or_default().push(start.elapsed());
            };
            measure("semantic tokens", &|| drop(std::hint::black_box(analysis.tokens(None))));
            measure("outline", &|| drop(std::hint::black_box(analysis.outline())));
            measure("folding", &|| drop(std::hint::black_box(folding_ranges(&analysis))));
            measure("hover", &|| drop(std::hint::black_box(snapshot.hover(path, offset))));
            measure("definition", &|| drop(std::hint::black_box(snapshot.definition(path, offset))));
            measure("completion", &|| drop(std::hint::black_box(snapshot.completions(path, offset))));
            measure("signature help", &|| drop(std::hint::black_box(analysis.signatures(offset))));
            measure("highlights", &|| drop(std::hint::black_box(snapshot.highlights(path, offset))));
            let whole = 0..state.len() as u32;
            measure("inlay hints", &|| drop(std::hint::black_box(analysis.hints(&whole))));
            measure("code lenses", &|| drop(std::hint::black_box(analysis.lenses(true))));
            measure("formatting", &|| drop(std::hint::black_box(analysis.format())));
        }
    }
}

/// Prints the percentiles of each kind of request, in milliseconds.
fn print(corpus: &str, class: &str, latencies: &mut Latencies) {
    for (request, times) in latencies {
        times.sort_unstable();
        let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
        println!(
            "{corpus:9} {class:13} {request:16} {:6} edits  p50 {:8.2} ms  p99 {:8.2} ms",
            times.len(),
            at(50),
            at(99)
        );
    }
}
