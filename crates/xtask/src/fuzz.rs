//! Fuzzing: campaigns that search for failing inputs, and the smoke run on fixed inputs.

use std::path::PathBuf;
use std::process::{Child, Command};

use crate::{CommandResult, root, run};

/// The fuzz targets under `fuzz/fuzz_targets`, each with its number of inputs in the smoke run.
const TARGETS: &[(&str, u32)] = &[
    ("parse", 4000),
    ("format", 4000),
    ("check", 4000),
    ("trace", 4000),
    ("engines", 4000),
    ("goals", 4000),
    ("activities", 4000),
    ("knowledge", 4000),
    ("pddl", 4000),
    ("resource", 4000),
    ("expressions", 4000),
    ("rewards", 4000),
    ("grounding", 2000),
    ("planner", 400),
    ("replies", 4000),
    ("generation", 2000),
    ("example_goals", 400),
    ("editor", 2000),
];

/// The number of growth cases that gate changes.
const GROWTH_CASES: u64 = 400;

/// The default duration of a campaign per target, in seconds.
const DEFAULT_SECONDS: u64 = 60;

/// Compiler flags of the instrumentation for libFuzzer, which the stable compiler supports.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// Runs the smoke run with `--smoke`, the binaries of campaigns on their corpora with `--build`, and a campaign otherwise.
pub(crate) fn fuzz(arguments: &[String]) -> CommandResult {
    match arguments {
        [flag] if flag == "--smoke" => smoke(),
        [flag] if flag == "--build" => try_campaign(),
        [name, rest @ ..] if name == "growth" => growth(rest),
        [flag, name] if flag == "--keep" => merge_corpus(name),
        _ => campaign(arguments),
    }
}

/// Tries a fixed number of inputs on each target. The inputs depend only on the corpus and their numbers, so the result depends only on
/// the code, never on chance.
fn smoke() -> CommandResult {
    let binary = build_instrumented(&["smoke"], false)?.join("smoke");
    run_in_pairs(TARGETS, |&(name, count)| {
        let arguments =
            [name.into(), count.to_string().into(), corpus(name), findings_folder(name)?.join("smoke-input")];
        start(name, Command::new(&binary).args(arguments))
    })
}

/// Builds all targets, then runs libFuzzer on each, starting from the corpus of the repository.
fn campaign(arguments: &[String]) -> CommandResult {
    let seconds = number(arguments.first(), DEFAULT_SECONDS)?;
    let named = |name: &String| {
        let target = TARGETS.iter().find(|(target, _)| target == name);
        target.map(|&target| vec![target]).ok_or(format!("targets: growth, {}", names().join(", ")))
    };
    let targets = arguments.get(1).map_or(Ok(TARGETS.to_vec()), named)?;
    let folder = build_instrumented(&targets.iter().map(|&(name, _)| name).collect::<Vec<_>>(), true)?;
    run_in_pairs(&targets, |&(name, _)| {
        let found = findings_folder(name)?;
        // New inputs go to the first folder; the corpus of the repository is read only.
        let mut command = Command::new(folder.join(name));
        command.arg(&found).arg(corpus(name)).arg(format!("-max_total_time={seconds}"));
        command.args(["-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"]);
        start(name, command.arg(format!("-artifact_prefix={}/", found.display())))
    })
}

/// Builds the binaries of campaigns and runs each target on its corpus.
fn try_campaign() -> CommandResult {
    let folder = build_instrumented(&names(), true)?;
    run_in_pairs(TARGETS, |&(name, _)| {
        let mut command = Command::new(folder.join(name));
        // No runs beyond the corpus: the smoke run tries more inputs without libFuzzer.
        command.arg(corpus(name)).args(["-runs=0", "-timeout=60", "-print_final_stats=1"]);
        start(name, command.arg(format!("-artifact_prefix={}/", findings_folder(name)?.display())))
    })
}

/// Adds the inputs found by campaigns that increase the coverage to the corpus of a target, minimized in number and length.
fn merge_corpus(name: &str) -> CommandResult {
    if TARGETS.iter().all(|(target, _)| *target != name) {
        return Err(format!("unknown target `{name}`"));
    }
    let folder = build_instrumented(&[name], true)?;
    let mut command = Command::new(folder.join(name));
    command.args(["-merge=1", "-max_len=2048"]).arg(corpus(name)).arg(findings_folder(name)?);
    run(&format!("inputs of {name} with new coverage"), &mut command)
}

/// Measures the growth of the work of passes for a number of cases, from a first number.
fn growth(arguments: &[String]) -> CommandResult {
    let cases = number(arguments.first(), GROWTH_CASES)?;
    let first = number(arguments.get(1), 0)?;
    let mut command = Command::new(build_instrumented(&["growth"], false)?.join("growth"));
    command.arg(corpus("growth")).args([cases.to_string(), first.to_string()]).arg(findings_folder("growth")?);
    // One thread, so that the counts are deterministic.
    run("growth of the work of passes", command.env("RAYON_NUM_THREADS", "1").env("RUST_BACKTRACE", "0"))
}

fn number(argument: Option<&String>, default: u64) -> Result<u64, String> {
    argument.map_or(Ok(default), |text| text.parse().map_err(|_| format!("`{text}` is not a number")))
}

/// Returns the names of all libFuzzer targets.
fn names() -> Vec<&'static str> {
    TARGETS.iter().map(|&(name, _)| name).collect()
}

/// Builds binaries with the instrumentation of campaigns, with or without libFuzzer, and returns their folder.
///
/// All binaries are instrumented, including the smoke run, which does not need it, so that the crates are built once.
fn build_instrumented(binaries: &[&str], libfuzzer: bool) -> Result<PathBuf, String> {
    let host = host()?;
    let mut build = Command::new(env!("CARGO"));
    // An explicit target excludes build scripts and macros from the instrumentation.
    build.args(["build", "--manifest-path", "fuzz/Cargo.toml", "--target", host.as_str()]);
    if !libfuzzer {
        build.arg("--no-default-features");
    }
    build.args(binaries.iter().flat_map(|name| ["--bin", name]));
    run("building the instrumented targets", build.env("RUSTFLAGS", FLAGS))?;
    Ok(root().join("fuzz/target").join(host).join("debug"))
}

/// Runs targets two at a time, each with its own log, and stops after the first failure.
fn run_in_pairs(targets: &[(&str, u32)], start: impl Fn(&(&str, u32)) -> Result<Child, String>) -> CommandResult {
    for pair in targets.chunks(2) {
        let runs: Vec<_> = pair.iter().map(|target| (target.0, start(target))).collect();
        for (name, child) in runs {
            let status = child?.wait().map_err(|error| error.to_string())?;
            let log = std::fs::read_to_string(log(name)).unwrap_or_default();
            eprintln!("==> fuzz {name}: {}", results(&log).join(", "));
            if !status.success() {
                return Err(format!("fuzz target `{name}` found a failure:\n{log}"));
            }
        }
    }
    Ok(())
}

/// Returns the result lines of a log: the seed, the final coverage, and the number of inputs.
fn results(log: &str) -> Vec<&str> {
    let is_result =
        |line: &&str| ["INFO: Seed", "stat::", "Done", "smoke: "].iter().any(|start| line.starts_with(start));
    let covered = log.lines().rfind(|line| line.starts_with('#') && line.contains(" cov: "));
    covered.into_iter().chain(log.lines().filter(is_result)).collect()
}

fn start(name: &str, command: &mut Command) -> Result<Child, String> {
    // A file, not a pipe: a full pipe would block one target during the wait for the other.
    let log = std::fs::File::create(log(name)).map_err(|error| error.to_string())?;
    command.current_dir(root()).stderr(log).spawn().map_err(|error| format!("cannot start {name}: {error}"))
}

fn corpus(name: &str) -> PathBuf {
    root().join("fuzz/corpus").join(name)
}

/// Returns the folder for the findings of a target; creates it if necessary.
fn findings_folder(name: &str) -> Result<PathBuf, String> {
    let folder = root().join("target/fuzz-found").join(name);
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    Ok(folder)
}

fn log(name: &str) -> PathBuf {
    root().join("target/fuzz-found").join(name).with_extension("log")
}

fn host() -> Result<String, String> {
    let output = Command::new("rustc").args(["-vV"]).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).ok_or_else(|| "unknown host of rustc".to_owned())
}
