//! The tests of the Python package, in a virtual environment with a wheel that is built for them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{CommandResult, root, run};

/// The tools, and the packages that the tests use.
const PACKAGES: [&str; 11] = [
    "ale-py",
    "cloudpickle",
    "gymnasium>=1.4,<2",
    "maturin>=1.9,<2",
    "mypy",
    "numpy",
    "pandas",
    "pettingzoo",
    "polars",
    "pyarrow",
    "pytest",
];

/// Exits with 0 if the interpreter is recent enough for the package.
const IS_RECENT: &str = "import sys; sys.exit(sys.version_info < (3, 11))";

/// Builds the wheel of the package, installs it, and runs its tests, the comparison of its stubs, and the type checker. Without a recent
/// Python or a network for the tools, it only says so.
pub(crate) fn python(arguments: &[String]) -> CommandResult {
    let Some(interpreter) = interpreter() else {
        eprintln!("there is no Python 3.11 or later: the Python package is not tested");
        return Ok(());
    };
    let folder = root().join("target/python");
    let Some(python) = environment(&folder.join("venv"), interpreter) else {
        eprintln!(
            "the tools of the Python package cannot be installed, perhaps for lack of a network: it is not tested"
        );
        return Ok(());
    };
    install(&folder.join("wheels"), &python)?;
    let tool = |name: &str, arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.args(["-m", name]).args(arguments);
        // Modules are those of the installed wheel, and not those of the sources.
        command.env("PYTHONSAFEPATH", "1");
        command
    };
    let mut tests = tool("pytest", &["-q", "-p", "no:cacheprovider", "python/tests"]);
    run("pytest", tests.args(arguments))?;
    run(
        "doctests",
        &mut tool("pytest", &["-q", "-p", "no:cacheprovider", "--doctest-modules", "--pyargs", "goalspec"]),
    )?;
    run("stubtest", &mut tool("mypy.stubtest", &["--mypy-config-file", "pyproject.toml", "goalspec"]))?;
    run("mypy", &mut tool("mypy", &["--strict", "python/goalspec", "python/examples"]))
}

/// Returns the name of an interpreter that is recent enough.
fn interpreter() -> Option<&'static str> {
    ["python3", "python3.14", "python3.13", "python3.12", "python3.11"]
        .into_iter()
        .find(|name| Command::new(name).args(["-c", IS_RECENT]).output().is_ok_and(|checked| checked.status.success()))
}

/// Returns the Python of the virtual environment with the tools, which is created if it does not exist; `None` if that fails.
fn environment(folder: &Path, interpreter: &str) -> Option<PathBuf> {
    let python = folder.join("bin/python");
    let modules = "ale_py, cloudpickle, gymnasium, maturin, mypy, numpy, pandas, pettingzoo, polars, pyarrow, pytest";
    let has_tools = || Command::new(&python).args(["-c", &format!("import {modules}")]).output();
    if has_tools().is_ok_and(|checked| checked.status.success()) {
        return Some(python);
    }
    run("virtual environment", Command::new(interpreter).args(["-m", "venv"]).arg(folder)).ok()?;
    let mut pip = Command::new(&python);
    run("tools", pip.args(["-m", "pip", "install", "--quiet"]).args(PACKAGES)).ok()?;
    Some(python)
}

/// Builds the wheel with the profile of the tests, and installs it.
fn install(folder: &Path, python: &Path) -> CommandResult {
    let _ = fs::remove_dir_all(folder);
    let mut maturin = Command::new(python);
    maturin.args(["-m", "maturin", "build", "--profile", "dev", "--out"]).arg(folder);
    run("wheel", maturin.arg("--interpreter").arg(python).current_dir(root()))?;
    let wheels = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let wheels: Vec<PathBuf> = wheels.flatten().map(|entry| entry.path()).collect();
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]).args(wheels);
    run("installation", &mut pip)
}
