//! `goalspec watch`
pub(crate) fn run(_args: &crate::args::WatchArgs, _output: &mut crate::output::Output) -> crate::output::Outcome { Ok(true) }
