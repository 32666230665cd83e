//! The command-line tool.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command `goalspec` with these arguments, of which the first one is its own name, and returns its exit code.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| goalspec_cli::run(arguments))
}
