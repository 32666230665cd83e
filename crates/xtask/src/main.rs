//! The developer commands of this repository; `cargo xtask help` lists them.

mod api;
mod book;
mod crates;
mod fetch;
mod fuzz;
#[cfg(test)]
mod manifests;
mod ocatari;
mod peers;
mod planning;
mod properties;
mod prose;
mod python;
mod rewards;
mod storm;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const HELP: &str = "\
Development commands of the goalspec repository

Usage: cargo xtask <COMMAND>

Commands:
  test [ARGS..]           run all tests (with cargo-nextest if installed); ARGS are passed to the runner
  properties [N] [NAME]   run the property tests N times with new inputs, all or those of one package or file (default 20)
  features                check the crates without the features for Parquet and machine code; part of `ci`
  ci                      run all required checks: fmt, clippy, docs, tests, a fuzz smoke run, `fuzz growth`, `fuzz --build`
  fmt | clippy | doc      run one part of `ci`
  prose                   check that the first sentence of each doc comment defines the item; part of `ci`
  python [ARGS..]         build the wheel of the Python package and run its tests, stubtest and mypy (requires Python 3.11 and a network, and says so);
                          ARGS are passed to pytest; then the core tests in clean environments of Python 3.11 and 3.13; part of `ci`
  wheel                   build the wheel that is published into target/wheels, and print its size and the time of its import (requires Python 3.11)
  api [--update]          compare the public API of the published crates with its snapshots, or record it (requires cargo-public-api); part of `ci` where
                          installed
  crates [--check]        draw the crates and their dependencies for the book, or check that the picture is current
  bench [ARGS..]          run the benchmarks; ARGS are passed to `cargo bench`
  bench lsp               time every kind of request of the language server while programs are typed
  peers                   install other implementations and time them, for comparison with `bench` (requires python3)
  val                     install the plan validator VAL, with which tests compare (requires python3)
  planning [PART..]       install Fast Downward and ENHSP and compare planners; PART: satisficing, optimal, generated, held_out, anytime, numeric, lot, blocks, grounding (requires python3)
  storm [PYTHON]          compare exported games with the model checker Storm (requires python3, or one with stormpy)
  ocatari [GAME..]        record the detections of OCAtari in Atari games, compare the decoder with them, time both (requires python3)
  rewards                 time published reward functions against CPython, over recorded frames (requires python3)
  rewards --corpus [FOLDER..]
                          compare the reward functions of `suite/rewards`, or of folders, with CPython, and time both (requires python3);
                          with --record, record the results of CPython; with --quick, time a build that takes less time
  web                     build the page of the viewer and compare it with web/dist (requires Node.js 20); part of `ci`
  book [--text]           build the book into target/book, with warnings as errors (requires mdbook; see `install`), and the whole book as one text; with
                          --text, only the text; part of `ci` where installed
  fuzz --smoke            run every fuzz target on fixed inputs; part of `ci`
  fuzz growth [N] [FIRST] measure the growth of the work of every pass with its input, for N cases from number FIRST on; part of `ci`
  fuzz --build            build the binaries of campaigns and run each on its corpus; part of `ci`
  fuzz --keep NAME        add inputs found by campaigns to a target's corpus if they increase coverage
  fuzz [SECONDS] [NAME]   search for failing inputs with libFuzzer, for all fuzz targets or one, SECONDS each (default 60)
  programs [N] [SEED]     run N generated reward functions in goalspec and in CPython 3.11, and compare (default 20000; requires python3)
  fetch-bddl              download the published BDDL activities for tests into target/data (requires pip)
  install                 install the tools of `test`, `book` and `ci`

Examples:
  cargo xtask test
  cargo xtask fuzz 600 engines
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rest = arguments.get(1..).unwrap_or_default();
    let result = match arguments.first().map(String::as_str) {
        Some("test") => test(rest),
        Some("properties") => properties::campaign(rest),
        Some("features") => features(),
        Some("ci") => ci(),
        Some("fmt") => fmt(),
        Some("clippy") => clippy(),
        Some("doc") => doc(),
        Some("prose") => prose::check(),
        Some("python") => python::python(rest),
        Some("web") => web(),
        Some("wheel") => python::wheel(),
        Some("api") => api::api(rest),
        Some("crates") => crates::crates(rest),
        Some("bench") if rest.first().is_some_and(|part| part == "lsp") => {
            cargo("bench lsp", &["bench", "-p", "goalspec-ide", "--bench", "typing"], &rest[1..])
        }
        Some("bench") => cargo("bench", &["bench", "--workspace"], rest),
        Some("peers") => peers::bddl(),
        Some("val") => peers::val(),
        Some("planning") => planning::planning(rest),
        Some("storm") => storm::storm(rest),
        Some("ocatari") => ocatari::ocatari(rest),
        Some("rewards") => rewards::rewards(rest),
        Some("book") => book::book(rest),
        Some("fuzz") => fuzz::fuzz(rest),
        Some("programs") => programs(rest),
        Some("fetch-bddl") => fetch::bddl(),
        Some("install") => install(),
        None | Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(())
        }
        Some(other) => Err(format!("unknown command `{other}`\n\n{HELP}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

type CommandResult = Result<(), String>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("xtask lies in crates/xtask").to_owned()
}

/// Runs a command in the root of the repository and prints the elapsed time.
fn run(task: &str, command: &mut Command) -> CommandResult {
    eprintln!("==> {task}");
    let started = Instant::now();
    let status = command.current_dir(root()).status().map_err(|error| format!("{task}: {error}"))?;
    eprintln!("<== {task}: {status}, {:.1} s", started.elapsed().as_secs_f64());
    if status.success() { Ok(()) } else { Err(format!("{task} failed: {status}")) }
}

fn cargo(task: &str, fixed_arguments: &[&str], arguments: &[String]) -> CommandResult {
    run(task, Command::new(env!("CARGO")).args(fixed_arguments).args(arguments))
}

fn works(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

fn test(rest: &[String]) -> CommandResult {
    let fixed_arguments: &[&str] = if works(env!("CARGO"), &["nextest", "--version"]) {
        &["nextest", "run", "--workspace", "--no-fail-fast"]
    } else {
        &["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"]
    };
    run("tests", properties::with_fixed_seed(Command::new(env!("CARGO")).args(fixed_arguments).args(rest)))?;
    cargo("documentation tests", &["test", "--workspace", "--doc", "--quiet"], &[])
}

fn fmt() -> CommandResult {
    cargo("formatting", &["fmt", "--all", "--check"], &[])
}

fn clippy() -> CommandResult {
    cargo("clippy", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])?;
    // The fuzz targets are a workspace of their own, which shares what is already built; those of campaigns need a C++ compiler.
    let mut fuzz = vec!["clippy", "--manifest-path", "fuzz/Cargo.toml", "--all-targets", "--target-dir", "target"];
    if !works("c++", &["--version"]) {
        fuzz.push("--no-default-features");
    }
    fuzz.extend(["--", "-D", "warnings"]);
    cargo("clippy of the fuzz targets", &fuzz, &[])
}

fn doc() -> CommandResult {
    let mut command = Command::new(env!("CARGO"));
    command.args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    run("documentation", &mut command)
}

/// Builds the page of the viewer, and fails if that changes the files in `web/dist`. Without Node.js 20 or newer, or a network for its
/// packages, it only says so.
fn web() -> CommandResult {
    let is_new_enough = |version: &str| {
        let major =
            version.trim().trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
        major.is_some_and(|major| major >= 20)
    };
    let version = Command::new("node").arg("--version").output().map(|output| output.stdout).unwrap_or_default();
    if !is_new_enough(&String::from_utf8_lossy(&version)) || !works("npm", &["--version"]) {
        eprintln!("Node.js 20 or newer is not installed: the page of the viewer is not built again");
        return Ok(());
    }
    let npm = |task: &str, arguments: &[&str]| run(task, Command::new("npm").args(["--prefix", "web"]).args(arguments));
    if let Err(error) = npm("packages of the page", &["ci", "--ignore-scripts"]) {
        eprintln!("the page of the viewer is not built again, perhaps for lack of a network: {error}");
        return Ok(());
    }
    npm("check of the page", &["run", "check"])?;
    npm("build of the page", &["run", "build"])?;
    npm("tests of the page", &["test"])?;
    let compare = ["diff", "--exit-code", "--stat", "--", "web/dist"];
    run("comparison of the page with web/dist", Command::new("git").args(compare))
}

/// Runs the steps that gate changes, which are listed only in `.ci/run`.
fn ci() -> CommandResult {
    run("ci", Command::new("bash").arg(".ci/run"))
}

/// Compares generated reward functions with CPython, more and others than the tests do.
fn programs(arguments: &[String]) -> CommandResult {
    let argument = |place: usize, default: &str| arguments.get(place).cloned().unwrap_or_else(|| default.to_owned());
    let (count, seed) = (argument(0, "20000"), argument(1, "2"));
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "-p", "goalspec-reward", "--test", "integration", "made_up_programs"]);
    command.env("GOALSPEC_REWARD_PROGRAMS", &count).env("GOALSPEC_REWARD_SEED", &seed);
    run(&format!("{count} reward functions, seed {seed}"), &mut command)
}

/// Checks the crates with optional features without them. Their behaviour without machine code is tested with the feature: functions are
/// interpreted until they are called often.
fn features() -> CommandResult {
    let packages = [
        "-p",
        "goalspec-trace",
        "-p",
        "goalspec-python-runtime",
        "-p",
        "goalspec-reward",
        "-p",
        "goalspec-rewards",
        "-p",
        "goalspec-audit",
        "--no-default-features",
        "--all-targets",
    ];
    cargo(
        "clippy without Parquet and machine code",
        &[&["clippy"], &packages[..], &["--", "-D", "warnings"]].concat(),
        &[],
    )
}

fn install() -> CommandResult {
    let tools = [
        (works(env!("CARGO"), &["nextest", "--version"]), "cargo-nextest"),
        (works(env!("CARGO"), &["deny", "--version"]), "cargo-deny"),
        (works("mdbook", &["--version"]), "mdbook@0.5.4"),
        (works("typos", &["--version"]), "typos-cli"),
        (works(env!("CARGO"), &["public-api", "--version"]), "cargo-public-api"),
    ];
    for (_, tool) in tools.iter().filter(|(installed, _)| !installed) {
        cargo(tool, &["install", "--locked", tool], &[])?;
    }
    Ok(())
}
