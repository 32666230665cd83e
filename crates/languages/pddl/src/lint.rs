//! What is allowed but probably not meant.
//!
//! | module | what lives there |
//! |---|---|
//! | [`codes`] | the codes, documented |
//! | `conflict` | numbers that are changed in ways that do not go together |
//! | `domain` | what a domain tells by itself |
//! | `task` | what a problem tells together with its domain |

pub mod codes;
mod conflict;
mod domain;
mod task;

pub(crate) use domain::lint as domain;
pub(crate) use task::lint as task;
