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

/// The versions of Python in which the wheel is tested in a clean environment: the oldest that it supports, and a recent one.
const VERSIONS: [&str; 2] = ["3.11", "3.13"];

/// The tests of clean environments, which have numpy and pytest alone: those of the engine and of the interface to it.
const CORE_TESTS: [&str; 10] = [
    "test_boundary",
    "test_host_rewards",
    "test_library",
    "test_monitors",
    "test_notebooks",
    "test_pickling",
    "test_planning",
    "test_rewards",
    "test_scoring",
    "test_simulators",
];

/// The maximum size of the wheel that is published, in bytes.
const MAX_WHEEL_BYTES: u64 = 15_000_000;

/// Prints the least time of an import of the package after numpy, and that of numpy.
const IMPORT_TIMES: &str = "\
import subprocess, sys
code = 'import time; a = time.perf_counter(); import numpy; b = time.perf_counter(); import goalspec; print(b - a, time.perf_counter() - b)'
runs = [subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True).stdout.split() for _ in range(20)]
numpy, goalspec = (min(float(run[place]) for run in runs) * 1000 for place in range(2))
print(f'import goalspec: {goalspec:.0f} ms beside numpy, which takes {numpy:.0f} ms')
";

/// Exits with 0 if the interpreter is recent enough for the package.
const IS_RECENT: &str = "import sys; sys.exit(sys.version_info < (3, 11))";

/// Builds the wheel of the package, installs it, and runs its tests, the comparison of its stubs, and the type checker; then the tests of
/// the core in a clean environment for each of [`VERSIONS`]. Without a recent Python or a network for the tools, it only says so.
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
    let wheel = build(&folder.join("wheels"), &python, "dev")?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]).arg(&wheel);
    run("installation", &mut pip)?;
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
    run("mypy", &mut tool("mypy", &["--strict", "python/goalspec", "python/examples", "python/tools"]))?;
    VERSIONS.iter().try_for_each(|version| test_in_clean_environment(&folder, &wheel, version))
}

/// Builds the wheel that is published into `target/wheels`, and prints its size and the time of its import.
pub(crate) fn wheel() -> CommandResult {
    let interpreter = interpreter().ok_or("there is no Python 3.11 or later")?;
    let folder = root().join("target/python");
    let python = environment(&folder.join("venv"), interpreter).ok_or("the tools cannot be installed")?;
    let wheel = build(&root().join("target/wheels"), &python, "dist")?;
    let bytes = fs::metadata(&wheel).map_err(|error| format!("{}: {error}", wheel.display()))?.len();
    println!("{}: {:.1} MB", wheel.display(), bytes as f64 / 1e6);
    let clean = clean_environment(&folder.join("clean-dist"), interpreter, &wheel)?;
    run("time of the import", Command::new(clean).args(["-c", IMPORT_TIMES]))?;
    if bytes > MAX_WHEEL_BYTES {
        return Err(format!("the wheel has {bytes} bytes, more than {MAX_WHEEL_BYTES}"));
    }
    Ok(())
}

/// Runs the tests of the core in an environment of a version of Python that has only the wheel, what it depends on, and pytest.
fn test_in_clean_environment(folder: &Path, wheel: &Path, version: &str) -> CommandResult {
    let Some(interpreter) = interpreter_of_version(version) else {
        eprintln!("there is no Python {version}: the wheel is not tested in a clean environment of it");
        return Ok(());
    };
    let python = match clean_environment(&folder.join(format!("clean-{version}")), &interpreter, wheel) {
        Ok(python) => python,
        Err(error) => {
            eprintln!(
                "{error}, perhaps for lack of a network: the wheel is not tested in a clean environment of Python {version}"
            );
            return Ok(());
        }
    };
    let mut pytest = Command::new(python);
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs"]).env("PYTHONSAFEPATH", "1");
    pytest.args(CORE_TESTS.map(|name| format!("python/tests/{name}.py")));
    run(&format!("core tests in a clean environment of Python {version}"), &mut pytest)
}

/// Creates a virtual environment anew, with the wheel, what it depends on, and pytest. Returns its interpreter.
fn clean_environment(folder: &Path, interpreter: impl AsRef<Path>, wheel: &Path) -> Result<PathBuf, String> {
    let mut create = Command::new(interpreter.as_ref());
    run("clean environment", create.args(["-m", "venv", "--clear"]).arg(folder))?;
    let python = folder.join("bin/python");
    let mut pip = Command::new(&python);
    run("installation with dependencies", pip.args(["-m", "pip", "install", "--quiet", "pytest"]).arg(wheel))?;
    Ok(python)
}

/// Returns an interpreter of a version of Python such as `3.13`: a command, or one that pyenv or uv has installed.
fn interpreter_of_version(version: &str) -> Option<PathBuf> {
    let pyenv = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let pyenv = pyenv.or_else(|| std::env::home_dir().map(|home| home.join(".pyenv")));
    let installed = pyenv.and_then(|folder| fs::read_dir(folder.join("versions")).ok());
    let installed = installed.into_iter().flatten().flatten().map(|entry| entry.path().join("bin/python"));
    let found_by_uv = Command::new("uv").args(["python", "find", version]).output().ok();
    let found_by_uv =
        found_by_uv.map(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim().to_owned()));
    let commands = [PathBuf::from(format!("python{version}")), "python3".into()];
    let is_version = format!("import sys; sys.exit('%d.%d' % sys.version_info[:2] != '{version}')");
    commands.into_iter().chain(installed).chain(found_by_uv).find(|candidate| {
        Command::new(candidate).args(["-c", &is_version]).output().is_ok_and(|checked| checked.status.success())
    })
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

/// Builds the wheel with a profile, alone in a folder, and returns its path.
fn build(folder: &Path, python: &Path, profile: &str) -> Result<PathBuf, String> {
    let _ = fs::remove_dir_all(folder);
    let mut maturin = Command::new(python);
    maturin.args(["-m", "maturin", "build", "--profile", profile, "--out"]).arg(folder);
    run("wheel", maturin.arg("--interpreter").arg(python).current_dir(root()))?;
    let wheels = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let wheel = wheels.flatten().map(|entry| entry.path()).next();
    wheel.ok_or_else(|| format!("{}: there is no wheel", folder.display()))
}
