//! Lints: valid code that is probably a mistake.
//!
//! | module | contents |
//! |---|---|
//! | [`codes`] | diagnostic codes |
//! | `conflict` | conflicting numeric effects |
//! | `domain` | lints of a domain |
//! | `task` | lints of a problem with its domain |
//! | `undefined` | functions without a value |

pub mod codes;
mod conflict;
mod domain;
mod task;
mod undefined;

pub(crate) use domain::lint as domain;
pub(crate) use task::lint as task;
