//! Client of language models: one blocking trait, records of every exchange, and caps on what a run may cost.
//!
//! ```text
//!  Request ──▶ Client ── key ──▶ Store (cache of exchanges) ── hit ─────────────────────────▶ Reply
//!                │                                                                            ▲
//!                └─ miss ─▶ Budget (caps, worst case) ─▶ Limiter ─▶ Endpoint ─▶ wire format ──┘
//!                                                                   ├ HTTP server
//!                                                                   └ stand-in (no network)
//! ```
//!
//! A caller knows [`Model`], [`Request`] and [`Reply`] only. `Client` is the implementation for servers *and* for
//! stand-ins: a stand-in is an endpoint that answers without a network, so caps, retries, the cache and the ledger treat it as they treat
//! a server. A reply is never a program by itself: [`Reply::outcome`] says whether it is complete, was cut, or was refused, and
//! [`Reply::complete_text`] returns a text only in the first case.
//!
//! | module | contents |
//! |---|---|
//! | [`request`] | [`Request`]: prompt, sampling parameters, stops, prefill, constraints |
//! | [`reply`] | [`Reply`]: text, reasoning, outcome, usage |
//! | [`error`] | [`ModelError`] with its kinds |
//! | [`model`] | [`Model`], and [`complete_all`], which sends requests concurrently |
//! | [`scripted`] | [`ScriptedModel`]: given replies in a given order |

pub mod error;
pub mod model;
pub mod reply;
pub mod request;
pub mod scripted;

pub use error::{Cap, ErrorKind, ModelError};
pub use model::{Model, complete_all};
pub use reply::{ConstraintStatus, Outcome, Reply, Usage};
pub use request::{Constraint, ConstraintKind, Matcher, Prompt, Request, Role, Sampling, Turn};
pub use scripted::ScriptedModel;
