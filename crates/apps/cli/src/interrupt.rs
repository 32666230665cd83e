//! Ctrl-C, for commands that have something to say when they are ended.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// What the shell expects of a command that was ended by Ctrl-C.
pub(crate) const INTERRUPTED: u8 = 130;

/// A flag that the first Ctrl-C sets; the second one ends the command at once.
pub(crate) fn flag() -> std::io::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    // The one that is registered first is asked first, so that it finds the flag as it was before.
    flag::register_conditional_shutdown(SIGINT, INTERRUPTED.into(), interrupted.clone())?;
    flag::register(SIGINT, interrupted.clone())?;
    Ok(interrupted)
}
