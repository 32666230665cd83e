//! The handler of Ctrl-C, for commands that print results when interrupted.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// The exit code of a process interrupted by Ctrl-C, by the convention of shells.
pub(crate) const INTERRUPTED: u8 = 130;

/// Returns a flag that the first Ctrl-C sets; the second terminates the process.
pub(crate) fn flag() -> std::io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    // Handlers run in the order of registration, so the conditional shutdown sees the flag before it is set.
    flag::register_conditional_shutdown(SIGINT, INTERRUPTED.into(), interrupted.clone())?;
    flag::register(SIGINT, interrupted.clone())?;
    Ok(interrupted)
}
