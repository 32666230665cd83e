//! The daily commands of this repository: `cargo xtask help` lists them.

mod peers;

mod fetch;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const HELP: &str = "\
The daily commands of the goalspec repository

Usage: cargo xtask <COMMAND>

Commands:
  test [ARGS..]           run every test (with cargo-nextest where it is installed); ARGS go to the runner
  test-features           run the tests of features that are off by default
  ci                      everything that decides: fmt, clippy, docs, tests, a fuzz smoke run
  fmt | clippy | doc      one part of `ci`
  bench [ARGS..]          run the benchmarks; ARGS go to `cargo bench`
  peers                   install other implementations and time them, to read beside `bench` (needs python3)
  book                    build the book into target/book (needs mdbook; `install` brings it)
  fuzz [SECONDS] [NAME]   run the fuzz targets, all or one, SECONDS each (default 60)
  fetch-bddl              fetch the published BDDL activities that tests are run against into target/data (needs pip)
  install                 install what `test`, `book` and `ci` use beyond Rust itself

Examples:
  cargo xtask test
  cargo xtask fuzz 600 engines
";

/// Fuzz targets under `fuzz/fuzz_targets`.
const FUZZ_TARGETS: &[&str] = &["parse", "format", "check", "trace", "engines", "goals", "activities"];

/// Seconds per fuzz target in `ci` and by default.
const SMOKE_SECONDS: u64 = 60;

/// Instrumentation for libFuzzer that the stable compiler can produce.
const FUZZ_FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 -Cdebug-assertions=on";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rest = arguments.get(1..).unwrap_or_default();
    let done = match arguments.first().map(String::as_str) {
        Some("test") => test(rest),
        Some("test-features") => test_features(),
        Some("ci") => ci(),
        Some("fmt") => fmt(),
        Some("clippy") => clippy(),
        Some("doc") => doc(),
        Some("bench") => cargo("bench", &["bench", "--workspace"], rest),
        Some("peers") => peers::bddl(),
        Some("book") => book(),
        Some("fuzz") => fuzz(rest),
        Some("fetch-bddl") => fetch::bddl(),
        Some("install") => install(),
        None | Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(())
        }
        Some(other) => Err(format!("there is no command `{other}`\n\n{HELP}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}

type Outcome = Result<(), String>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("xtask lies in crates/xtask").to_owned()
}

/// Runs a command in the root of the repository and says how long it took.
fn run(what: &str, command: &mut Command) -> Outcome {
    eprintln!("==> {what}");
    let begin = Instant::now();
    let status = command.current_dir(root()).status().map_err(|error| format!("{what}: {error}"))?;
    eprintln!("<== {what}: {status}, {:.1} s", begin.elapsed().as_secs_f64());
    if status.success() { Ok(()) } else { Err(format!("{what} failed: {status}")) }
}

fn cargo(what: &str, fixed: &[&str], rest: &[String]) -> Outcome {
    run(what, Command::new(env!("CARGO")).args(fixed).args(rest))
}

fn works(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

fn test(rest: &[String]) -> Outcome {
    if works(env!("CARGO"), &["nextest", "--version"]) {
        cargo("tests", &["nextest", "run", "--workspace", "--no-fail-fast"], rest)?;
    } else {
        cargo("tests", &["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"], rest)?;
    }
    cargo("documentation tests", &["test", "--workspace", "--doc", "--quiet"], &[])
}

fn fmt() -> Outcome {
    cargo("formatting", &["fmt", "--all", "--check"], &[])
}

fn clippy() -> Outcome {
    cargo("clippy", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])
}

fn doc() -> Outcome {
    let mut command = Command::new(env!("CARGO"));
    command.args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    run("documentation", &mut command)
}

/// An absolute path: what a relative one starts from differs between mdbook's versions.
fn book() -> Outcome {
    run("book", Command::new("mdbook").args(["build", "docs", "--dest-dir"]).arg(root().join("target/book")))
}

/// Runs the list of steps that decides about changes; there is only that one.
fn ci() -> Outcome {
    run("ci", Command::new("bash").arg(".ci/run"))
}

/// Tests what the workspace's default features leave out.
fn test_features() -> Outcome {
    cargo("tests of features", &["test", "--quiet", "-p", "goalspec-trace", "--all-features"], &[])
}

fn install() -> Outcome {
    if !works(env!("CARGO"), &["nextest", "--version"]) {
        cargo("cargo-nextest", &["install", "--locked", "cargo-nextest"], &[])?;
    }
    if !works("mdbook", &["--version"]) {
        cargo("mdbook", &["install", "--locked", "mdbook"], &[])?;
    }
    Ok(())
}

/// Builds all fuzz targets once, then runs them two at a time from the corpus kept in the repository.
fn fuzz(arguments: &[String]) -> Outcome {
    let seconds = match arguments.first() {
        Some(text) => text.parse().map_err(|_| format!("`{text}` is not a number of seconds"))?,
        None => SMOKE_SECONDS,
    };
    let targets = match arguments.get(1) {
        Some(name) => vec![*FUZZ_TARGETS.iter().find(|t| *t == name).ok_or(format!("targets: {FUZZ_TARGETS:?}"))?],
        None => FUZZ_TARGETS.to_vec(),
    };
    let mut build = Command::new(env!("CARGO"));
    // An explicit target keeps the instrumentation away from build scripts and macros.
    build.args(["build", "--release", "--manifest-path", "fuzz/Cargo.toml", "--target", host()?.as_str()]);
    run("building the fuzz targets", build.env("RUSTFLAGS", FUZZ_FLAGS))?;
    for pair in targets.chunks(2) {
        let runs: Vec<_> = pair.iter().map(|&name| (name, fuzz_one(name, seconds))).collect();
        for (name, child) in runs {
            let status = child?.wait().map_err(|error| error.to_string())?;
            let log = std::fs::read_to_string(fuzz_log(name)).unwrap_or_default();
            let last = log.lines().filter(|line| line.starts_with("stat::") || line.starts_with("Done"));
            eprintln!("==> fuzz {name}: {}", last.collect::<Vec<_>>().join(", "));
            if !status.success() {
                return Err(format!("fuzz target `{name}` found a failure:\n{log}"));
            }
        }
    }
    Ok(())
}

fn fuzz_log(name: &str) -> PathBuf {
    root().join("target/fuzz-found").join(name).with_extension("log")
}

fn fuzz_one(name: &str, seconds: u64) -> Result<std::process::Child, String> {
    let found = root().join("target/fuzz-found").join(name);
    std::fs::create_dir_all(&found).map_err(|error| error.to_string())?;
    // A file, not a pipe: a full pipe would stop one target while the other is waited for.
    let log = std::fs::File::create(fuzz_log(name)).map_err(|error| error.to_string())?;
    let binary = root().join("fuzz/target").join(host()?).join("release").join(name);
    // New inputs go to the first folder; the corpus of the repository is only read.
    Command::new(binary)
        .current_dir(root())
        .arg(&found)
        .arg(root().join("fuzz/corpus").join(name))
        .arg(format!("-max_total_time={seconds}"))
        .args(["-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"])
        .arg(format!("-artifact_prefix={}/", found.display()))
        .stderr(log)
        .spawn()
        .map_err(|error| format!("{name} could not be started: {error}"))
}

fn host() -> Result<String, String> {
    let output = Command::new("rustc").args(["-vV"]).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).ok_or_else(|| "rustc names no host".to_owned())
}
