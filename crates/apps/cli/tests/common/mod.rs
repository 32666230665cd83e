//! The built `goalspec` command, run in a temporary folder with a copy of the examples.
#![allow(dead_code, reason = "every test program uses a part of it")]

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The path of the built command.
pub(crate) const GOALSPEC: &str = env!("CARGO_BIN_EXE_goalspec");

/// The width of help and tables in tests, in columns.
pub(crate) const COLUMNS: &str = "100";

/// A test case: arguments, the exit code, and a text that the output must contain.
pub(crate) type Case = (&'static str, i32, &'static str);

/// Returns the root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).expect("the crate lies in crates/apps/cli").to_owned()
}

/// A temporary folder with `examples` in it, deleted on drop.
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Creates a folder with a copy of the examples.
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{number}", std::process::id()));
        copy(&root().join("examples"), &path.join("examples"));
        Self { path }
    }

    /// Creates a folder with a copy of everything in another one.
    pub(crate) fn of_copy(other: &Self) -> Self {
        let folder = Self::new();
        copy(&other.path, &folder.path);
        folder
    }

    /// Returns the path of the folder, or of a file in it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file, and creates the necessary folders.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// Returns the content of a file.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns a command that runs in the folder, without environment variables that could change its output.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.path).env("COLUMNS", COLUMNS).env("NO_COLOR", "1").env_remove("CLICOLOR_FORCE");
        // The releases that the user has fetched and configured.
        command.env("GOALSPEC_BDDL", "");
        command
    }

    /// Runs commands in sequence, since later ones read the output of earlier ones, and checks each.
    pub(crate) fn assert_each(&self, cases: &[(&str, i32, &str)]) {
        let mut wrong = String::new();
        for (arguments, code, text) in cases {
            let done = self.run(arguments);
            if done.code != Some(*code) || !done.all().contains(text) {
                let printed = done.all();
                let _ = writeln!(
                    wrong,
                    "goalspec {arguments}\n  wanted {code} and {text:?}, found {:?}\n{printed}",
                    done.code
                );
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }

    /// Runs `goalspec` with these arguments, separated by spaces.
    pub(crate) fn run(&self, arguments: &str) -> Done {
        self.run_with(arguments, b"")
    }

    /// Runs `goalspec` with these arguments and an input on standard input.
    pub(crate) fn run_with(&self, arguments: &str, input: &[u8]) -> Done {
        let mut command = self.command(GOALSPEC);
        command.args(arguments.split(' ').filter(|argument| !argument.is_empty()));
        finish(&mut command, input)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Remaining files are in the build folder and harmless.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// The result of a command.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Done {
    /// Returns both outputs.
    pub(crate) fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}

/// Runs a command to completion.
pub(crate) fn finish(command: &mut Command, input: &[u8]) -> Done {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be started");
    let mut stdin = child.stdin.take().expect("it is piped");
    let output = std::thread::scope(|scope| {
        // A command may exit before it has read all input.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().expect("its output can be read")
    });
    Done {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("it prints UTF-8"),
        err: String::from_utf8(output.stderr).expect("it prints UTF-8"),
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
