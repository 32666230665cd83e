//! The other program as a process: found, run in a folder of its own, ended in time.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use goalspec_planner::Stop;

/// How long to wait between two looks at the process.
const WAIT: Duration = Duration::from_millis(10);

/// Most bytes of what it prints that are looked at, from the end.
const MAX_OUTPUT: usize = 1 << 20;

/// Most folders that are tried.
const MAX_FOLDERS: u32 = 1 << 10;

/// An executable file of this name among the folders of `PATH`.
pub(super) fn on_path(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let name = format!("{name}{}", if name.contains('.') { "" } else { std::env::consts::EXE_SUFFIX });
    std::env::split_paths(&folders).map(|folder| folder.join(&name)).find(|path| is_executable(path))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// The first line that a short command prints; nothing if it fails.
pub(super) fn answer(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(text.lines().next()?.to_owned())
}

/// A temporary folder, deleted in the end.
#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let parent = std::env::temp_dir();
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        for _ in 0..MAX_FOLDERS {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("goalspec-{}-{number}", std::process::id()));
            match builder.create(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "all names for a temporary folder are taken"))
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left lies among the temporary files and harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What became of a process.
#[derive(Debug)]
pub(super) struct Ran {
    /// Its exit code; none if a signal ended it.
    pub(super) code: Option<i32>,
    /// Why it was ended from here.
    pub(super) stopped: Option<Stop>,
    /// The end of what it printed.
    pub(super) output: String,
    /// The end of what it printed as errors.
    pub(super) errors: String,
}

/// Runs a command in a folder to its end, to the deadline, or until the flag is set. `watch` is called now and then.
pub(super) fn run(
    command: &mut Command,
    folder: &Folder,
    deadline: Option<Instant>,
    cancelled: &AtomicBool,
    mut watch: impl FnMut(),
) -> io::Result<Ran> {
    let (output, errors) = (folder.path("output"), folder.path("errors"));
    command.current_dir(&folder.0).stdin(Stdio::null());
    command.stdout(File::create(&output)?).stderr(File::create(&errors)?);
    // It starts others, which are ended with it; and what a terminal says to this process is not for it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn()?;
    let (status, stopped) = loop {
        if let Some(status) = child.try_wait()? {
            break (status, None);
        }
        let stop = if cancelled.load(Ordering::Relaxed) {
            Some(Stop::Cancelled)
        } else {
            deadline.filter(|end| Instant::now() >= *end).map(|_| Stop::Time)
        };
        if stop.is_some() {
            break (end(&mut child)?, stop);
        }
        watch();
        thread::sleep(WAIT);
    };
    Ok(Ran { code: status.code(), stopped, output: tail(&output), errors: tail(&errors) })
}

/// Ends a process and those that it started.
fn end(child: &mut Child) -> io::Result<ExitStatus> {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        // It may just have ended by itself.
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
    }
    let _ = child.kill();
    child.wait()
}

/// The end of a text file.
fn tail(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_default();
    let from = bytes.len().saturating_sub(MAX_OUTPUT);
    String::from_utf8_lossy(&bytes[from..]).into_owned()
}

/// A command that runs a program, a Python script by Python.
pub(super) fn command_of(program: &Path) -> Command {
    let is_script = program.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("py"));
    match python().filter(|_| is_script) {
        Some(python) => {
            let mut command = Command::new(python);
            command.arg(program);
            command
        }
        None => Command::new(program),
    }
}

/// Python, if there is one.
pub(super) fn python() -> Option<PathBuf> {
    ["python3", "python"].into_iter().find_map(on_path)
}
