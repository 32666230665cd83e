//! Fast Downward as a process: located, run in a temporary folder, and killed when time is up.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use goalspec_planner::StopReason;

/// The interval between two checks of the process.
const WAIT: Duration = Duration::from_millis(10);

/// The maximum number of bytes of output that are kept, from its end.
const MAX_OUTPUT: usize = 1 << 20;

/// The maximum number of names that are tried for a temporary folder.
const MAX_FOLDERS: u32 = 1 << 10;

/// Finds an executable file of this name in the folders of `PATH`.
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

/// Returns the first line that a short-running command prints; `None` if the command fails.
pub(super) fn first_output_line(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(text.lines().next()?.to_owned())
}

/// A temporary folder, deleted on drop.
#[derive(Debug)]
pub(super) struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
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

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // A folder that remains among the temporary files does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The result of running a process.
#[derive(Debug)]
pub(super) struct ProcessResult {
    /// The exit code; `None` if a signal ended the process.
    pub(super) code: Option<i32>,
    /// The reason why the process was killed, if it was.
    pub(super) stopped: Option<StopReason>,
    /// The end of its standard output.
    pub(super) output: String,
    /// The end of its standard error.
    pub(super) errors: String,
}

/// Runs a command in a folder until it exits, the deadline passes, or the flag is set. `observer` is called periodically.
pub(super) fn run(
    command: &mut Command,
    folder: &TemporaryFolder,
    deadline: Option<Instant>,
    cancelled: &AtomicBool,
    mut observer: impl FnMut(),
) -> io::Result<ProcessResult> {
    let (output, errors) = (folder.path("output"), folder.path("errors"));
    command.current_dir(&folder.0).stdin(Stdio::null());
    command.stdout(File::create(&output)?).stderr(File::create(&errors)?);
    // A process group of its own lets its child processes be killed with it, and keeps signals of the terminal from it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn()?;
    let (status, stopped) = loop {
        if let Some(status) = child.try_wait()? {
            break (status, None);
        }
        let stop = if cancelled.load(Ordering::Relaxed) {
            Some(StopReason::Cancelled)
        } else {
            deadline.filter(|end| Instant::now() >= *end).map(|_| StopReason::Time)
        };
        if stop.is_some() {
            break (kill(&mut child)?, stop);
        }
        observer();
        thread::sleep(WAIT);
    };
    Ok(ProcessResult { code: status.code(), stopped, output: tail(&output), errors: tail(&errors) })
}

/// Kills a process and its child processes.
fn kill(child: &mut Child) -> io::Result<ExitStatus> {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        // The process may already have exited.
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
    }
    let _ = child.kill();
    child.wait()
}

/// Returns the end of a text file.
fn tail(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_default();
    let from = bytes.len().saturating_sub(MAX_OUTPUT);
    String::from_utf8_lossy(&bytes[from..]).into_owned()
}

/// Returns a command that runs a program; a Python script is run with Python.
pub(super) fn command_of(program: &Path) -> Command {
    let is_script = program.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("py"));
    match python().filter(|_| is_script) {
        Some(python) => {
            let mut command = Command::new(python);
            command.arg(program);
            command
        }
        None => Command::new(program),
    }
}

/// Returns the Python interpreter on the `PATH`, if there is one.
pub(super) fn python() -> Option<PathBuf> {
    ["python3", "python"].into_iter().find_map(on_path)
}
