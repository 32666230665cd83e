//! The benchmark of reward functions against CPython on the same recorded frames.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::peers::environment;
use crate::{CommandResult, root};

/// The required speedup of the published programs over CPython.
const REQUIRED_SPEEDUP: f64 = 20.0;

/// The number of alternating timings of the published programs; the minimum counts, to reduce the influence of other load.
const ROUNDS: usize = 3;

/// The release of numpy whose results and messages are reproduced.
const NUMPY: &str = "numpy==1.26.4";

/// Times reward functions in both implementations: the published ones, or those of a corpus.
pub(crate) fn rewards(arguments: &[String]) -> CommandResult {
    let (options, folders): (Vec<&str>, Vec<&str>) =
        arguments.iter().map(String::as_str).partition(|argument| argument.starts_with("--"));
    if let Some(unknown) = options.iter().find(|option| !["--corpus", "--record", "--quick"].contains(option)) {
        return Err(format!("unknown option `{unknown}`"));
    }
    let has = |option: &str| options.contains(&option);
    // The profile of benchmarks takes long to build.
    let profile = if has("--quick") { "quick" } else { "bench" };
    match (has("--corpus"), has("--record")) {
        (true, true) => record(&corpus_folders(&folders)),
        (true, false) => corpus(&corpus_folders(&folders), profile),
        (false, false) if folders.is_empty() => published(profile),
        _ => Err("`--record` and folders require `--corpus`".to_owned()),
    }
}

/// Returns the given folders as absolute paths, or else the halves of the corpus.
fn corpus_folders(folders: &[&str]) -> Vec<PathBuf> {
    if folders.is_empty() {
        return ["open", "held-out"].map(|half| root().join("suite/rewards").join(half)).to_vec();
    }
    folders.iter().map(|folder| std::path::absolute(folder).unwrap_or_else(|_| folder.into())).collect()
}

/// The times of a program in goalspec.
#[derive(Debug, Clone, Default)]
struct OwnTimes {
    /// The result of the comparison with CPython.
    status: String,
    /// The share of frames that the fast engine ran, in percent.
    fast_share: String,
    /// The most common reason why it did not run the others.
    reason: String,
    /// Nanoseconds of a call on the reference machine, on the register machine, as machine code, and as machine code with prepared objects;
    /// then the milliseconds of compilation. Machines that do not run the program are missing.
    times: Vec<f64>,
}

impl OwnTimes {
    /// Returns the nanoseconds of a call with the machine that runs the program.
    fn nanoseconds(&self) -> Option<f64> {
        self.times.get(2).or(self.times.get(1)).or(self.times.first()).copied()
    }
}

/// Prints a table of the published reward functions in which functions below the required speedup come first.
fn published(profile: &str) -> CommandResult {
    let recordings = root().join("../shared/conformance/reward");
    if !recordings.is_dir() {
        return Err(format!("no recordings in {}", recordings.display()));
    }
    let programs = programs(&recordings.join("programs"))?;
    let (mut own, mut python) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..ROUNDS {
        keep_minimum_times(&mut own, own_times(&[recordings.join("programs")], profile)?);
        for (path, time) in python_times("python3", &programs)? {
            let known = python.entry(path).or_insert(time);
            *known = time.min(*known);
        }
    }
    println!(
        "{:24} {:>8} {:>10} {:>10} {:>8} {:>9} {:>9} {:>8}",
        "program", "CPython", "reference", "registers", "native", "prepared", "compiled", "speedup"
    );
    let mut rows = Vec::new();
    for (path, own) in &own {
        let [reference, registers, native, prepared, compiling] = own.times[..] else {
            return Err(format!("{path}: {}", own.status));
        };
        let theirs = python.get(path).copied().unwrap_or(f64::NAN);
        rows.push((
            theirs / native,
            format!(
                "{:24} {theirs:8.1} {reference:10.1} {registers:10.1} {native:8.1} {prepared:9.1} {compiling:9.1}",
                stem(path)
            ),
        ));
    }
    rows.sort_by_key(|row| row.0 >= REQUIRED_SPEEDUP);
    for (speedup, row) in rows {
        let verdict = if speedup < REQUIRED_SPEEDUP { "below target" } else { "" };
        println!("{row} {speedup:>8.1} {verdict}");
    }
    println!(
        "nanoseconds per call; native: machine code; prepared: with prepared objects; compilation in milliseconds; speedup of native"
    );
    Ok(())
}

/// Compares the programs of folders with CPython, and prints a table for each folder, worst first, with a summary.
fn corpus(folders: &[PathBuf], profile: &str) -> CommandResult {
    let python = python_with_numpy()?;
    for folder in folders {
        let theirs = python_times(&python, &programs(folder)?)?;
        let mut rows: Vec<(f64, String, &OwnTimes)> = Vec::new();
        let own = own_times(std::slice::from_ref(folder), profile)?;
        for (path, own) in &own {
            let (nanoseconds, theirs) = (own.nanoseconds(), theirs.get(path).copied().unwrap_or(f64::NAN));
            let ratio = nanoseconds.filter(|_| own.status == "equal").map_or(f64::NEG_INFINITY, |own| theirs / own);
            let times =
                nanoseconds.map_or(String::new(), |own| format!("{own:10.0} {theirs:10.0} {:7.2}", theirs / own));
            let engine = match &*own.fast_share {
                "" => String::new(),
                "100" => "fast".to_owned(),
                share => format!("{share} % fast"),
            };
            let remark = if own.status == "equal" { &own.reason } else { &own.status };
            rows.push((ratio, format!("{:44} {engine:10} {times:29} {remark}", stem(path)), own));
        }
        rows.sort_by(|one, other| one.0.total_cmp(&other.0).then_with(|| one.1.cmp(&other.1)));
        println!("{}", folder.display());
        println!("{:44} {:10} {:>10} {:>10} {:>7}", "program", "engine", "goalspec", "CPython", "ratio");
        for (_, row, _) in &rows {
            println!("{}", row.trim_end());
        }
        summarize(&rows);
    }
    println!("nanoseconds per call; the ratio is the time of CPython divided by that of goalspec");
    Ok(())
}

/// Prints the counts and the median ratio of the sorted rows of a table.
fn summarize(rows: &[(f64, String, &OwnTimes)]) {
    let with = |start: &str| rows.iter().filter(|(_, _, own)| own.status.starts_with(start)).count();
    let fast = rows.iter().filter(|(_, _, own)| own.status == "equal" && own.fast_share == "100").count();
    let ratios: Vec<f64> = rows.iter().map(|row| row.0).filter(|ratio| ratio.is_finite()).collect();
    let slower = ratios.iter().filter(|ratio| **ratio < 1.0).count();
    println!(
        "{} programs: {} equal ({fast} wholly fast), {} differing, {} refused; median ratio {:.2}, {slower} slower than CPython\n",
        rows.len(),
        with("equal"),
        with("differs"),
        with("refused"),
        ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN)
    );
}

/// Records the results of CPython for the programs of folders.
fn record(folders: &[PathBuf]) -> CommandResult {
    let python = python_with_numpy()?;
    for folder in folders {
        let mut command = Command::new(&python);
        command.arg(root().join("crates/xtask/src/rewards.py")).arg("record").args(programs(folder)?);
        if !command.status().is_ok_and(|status| status.success()) {
            return Err(format!("{}: not recorded", folder.display()));
        }
    }
    Ok(())
}

/// Returns an interpreter with numpy: that of the variable `GOALSPEC_NUMPY_PYTHON`, or one in a virtual environment that this creates.
fn python_with_numpy() -> Result<String, String> {
    if let Ok(named) = std::env::var("GOALSPEC_NUMPY_PYTHON") {
        return Ok(named);
    }
    let python = environment(&root().join("target/numpy"), &[NUMPY])?;
    Ok(python.to_string_lossy().into_owned())
}

/// Returns the programs of a folder, or of its folder `programs`, sorted.
fn programs(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let inner = folder.join("programs");
    let folder = if inner.is_dir() { &inner } else { folder };
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "py"));
    files.sort();
    Ok(files)
}

fn stem(path: &str) -> &str {
    Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or(path)
}

/// Returns the comparisons and times of goalspec by the path of the program.
fn own_times(folders: &[PathBuf], profile: &str) -> Result<BTreeMap<String, OwnTimes>, String> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["bench", "--quiet", "-p", "goalspec", "--bench", "calls", "--profile", profile, "--"]);
    command.args(folders).current_dir(root());
    let mut all = BTreeMap::new();
    for line in lines(&mut command)? {
        let mut fields = line.split('\t').map(str::to_owned);
        let (Some(path), Some(status)) = (fields.next(), fields.next()) else { continue };
        let (fast_share, reason) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        let times: Result<Vec<f64>, _> = fields.map(|text| text.parse()).collect();
        let times = times.map_err(|_| format!("unexpected output: {line}"))?;
        all.insert(path, OwnTimes { status, fast_share, reason, times });
    }
    Ok(all)
}

/// Returns the nanoseconds of a call in CPython by the path of the program.
fn python_times(python: &str, programs: &[PathBuf]) -> Result<BTreeMap<String, f64>, String> {
    let script = root().join("crates/xtask/src/rewards.py");
    let lines = lines(Command::new(python).arg(script).arg("times").args(programs))?;
    let pair = |line: &String| {
        let (path, time) = line.rsplit_once(' ')?;
        Some((path.to_owned(), time.parse().ok()?))
    };
    Ok(lines.iter().filter_map(pair).collect())
}

/// Updates times with the minimum of the old and the new ones.
fn keep_minimum_times(known: &mut BTreeMap<String, OwnTimes>, new: BTreeMap<String, OwnTimes>) {
    for (path, new) in new {
        let known = known.entry(path).or_insert_with(|| new.clone());
        for (known, new) in known.times.iter_mut().zip(&new.times) {
            *known = known.min(*new);
        }
    }
}

/// Returns the lines that a command prints.
fn lines(command: &mut Command) -> Result<Vec<String>, String> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("{command:?} failed"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}
