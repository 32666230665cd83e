//! The examples of the library run and stay short.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The maximum number of lines of an example.
const MAX_LINES: usize = 40;

/// The folder of the compiled examples, beside that of the compiled tests.
fn compiled_examples() -> PathBuf {
    let test = std::env::current_exe().expect("a test is a program");
    let profile = test.ancestors().nth(2).expect("tests are compiled to a folder of the profile");
    profile.join("examples")
}

#[test]
fn examples_run_and_are_short() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut count = 0;
    for entry in folder.read_dir().expect("there are examples") {
        let path = entry.expect("the folder can be read").path();
        let lines = std::fs::read_to_string(&path).expect("examples are texts").lines().count();
        assert!(lines < MAX_LINES, "{} has {lines} lines", path.display());
        let name = path.file_stem().expect("examples have names");
        let program = compiled_examples().join(name).with_extension(std::env::consts::EXE_EXTENSION);
        let output = Command::new(&program)
            .output()
            .unwrap_or_else(|error| panic!("{}: {error}; `cargo build --examples` compiles it", program.display()));
        assert!(output.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
        count += 1;
    }
    assert!(count >= 10, "{count}");
}
