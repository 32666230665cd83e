//! Published data that tests are run against and that the repository does not hold.

use std::path::Path;
use std::process::Command;

use crate::{Outcome, root, works};

/// The source releases of the Python package `bddl`: version and SHA-256.
const BDDL: [(&str, &str); 2] = [
    ("1.0.0", "1d626324dcb12b8aaa623413e03b123a39fa8304ccc1867996c753771ebaf276"),
    ("3.6.0", "81d40ab7a32769828ecad3110c7db5e40e26cfb29b1158b3448a6ccb91e5d386"),
];

/// The SHA-256 of a file in hexadecimal; what Python is asked for, as this crate has no dependencies.
const SHA256: &str = "import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], 'rb').read()).hexdigest())";

/// Fetches the source releases of `bddl` into `target/data/bddl-VERSION`, those that are not there yet.
///
/// Without network or pip it says so and succeeds: the tests that need the files skip themselves. An archive that is not the one
/// expected is an error.
pub(crate) fn bddl() -> Outcome {
    let data = root().join("target/data");
    for (version, hash) in BDDL {
        let folder = data.join(format!("bddl-{version}"));
        if folder.join("bddl/activity_definitions").is_dir() {
            eprintln!("bddl {version}: already in {}", folder.display());
            continue;
        }
        if !works("python3", &["-m", "pip", "--version"]) {
            eprintln!("bddl {version}: skipped, there is no pip (`python3 -m pip`)");
            continue;
        }
        let workplace = data.join(format!("fetch-{version}"));
        let outcome = release(version, hash, &workplace, &folder);
        // What is left over is of no use; that it cannot be removed is of no harm.
        let _ = std::fs::remove_dir_all(&workplace);
        match outcome? {
            Fetched::Done => eprintln!("bddl {version}: fetched into {}", folder.display()),
            Fetched::Skipped(why) => eprintln!("bddl {version}: skipped, {why}"),
        }
    }
    Ok(())
}

enum Fetched {
    Done,
    Skipped(String),
}

fn release(version: &str, hash: &str, workplace: &Path, folder: &Path) -> Result<Fetched, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", workplace.display());
    std::fs::create_dir_all(workplace).map_err(failed)?;
    let requirements = workplace.join("requirements.txt");
    std::fs::write(&requirements, format!("bddl=={version} --hash=sha256:{hash}\n")).map_err(failed)?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--require-hashes"]);
    pip.args(["--disable-pip-version-check", "--timeout", "15", "--retries", "1"]);
    pip.arg("--dest").arg(workplace).arg("--requirement").arg(&requirements);
    let output = pip.output().map_err(failed)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        if said.contains("DO NOT MATCH THE HASHES") {
            return Err(format!("bddl {version}: the package index has another archive than expected\n{said}"));
        }
        let why = said.lines().rev().find(|line| line.contains("ERROR")).unwrap_or("pip failed").trim();
        return Ok(Fetched::Skipped(format!("it cannot be downloaded: {why}")));
    }
    let archive = workplace.join(format!("bddl-{version}.tar.gz"));
    let found = python(&["-c", SHA256], &[&archive])?;
    if found.trim() != hash {
        return Err(format!("{}: SHA-256 is {}, expected {hash}", archive.display(), found.trim()));
    }
    python(&["-m", "tarfile", "--extract"], &[&archive, workplace])?;
    // Only whole releases get the name that tests look for. What is in the way is not whole.
    let _ = std::fs::remove_dir_all(folder);
    std::fs::rename(workplace.join(format!("bddl-{version}")), folder).map_err(failed)?;
    Ok(Fetched::Done)
}

/// Runs Python and gives what it prints.
fn python(arguments: &[&str], paths: &[&Path]) -> Result<String, String> {
    let output = Command::new("python3").args(arguments).args(paths).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("python3: {}", String::from_utf8_lossy(&output.stderr)))
    }
}
