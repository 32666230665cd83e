//! The commands, one module each. Each `run` function returns whether the command succeeded without reporting an error.

pub(crate) mod analyse;
pub(crate) mod audit;
pub(crate) mod check;
pub(crate) mod describe;
pub(crate) mod equiv;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fetch;
pub(crate) mod fmt;
pub(crate) mod llm;
pub(crate) mod lot;
pub(crate) mod model;
pub(crate) mod new;
pub(crate) mod options;
pub(crate) mod plan;
pub(crate) mod play;
mod problem;
pub(crate) mod replay;
pub(crate) mod reward;
pub(crate) mod score;
pub(crate) mod simulate;
pub(crate) mod trace;
pub(crate) mod translate;
pub(crate) mod validate;
pub(crate) mod watch;
