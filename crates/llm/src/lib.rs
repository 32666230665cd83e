//! Client of language models: one blocking trait, records of every exchange, and caps on the cost of a run.
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
//! | [`request`], [`reply`], [`error`] | the types of the trait |
//! | [`model`] | [`Model`], and [`complete_all`], which sends requests concurrently |
//! | [`client`] | [`Client`] with its options and modes |
//! | [`profile`], [`probe`], [`url`] | server profiles as data, probing, addresses |
//! | [`wire`] | the three wire formats, streams, errors of servers |
//! | [`endpoint`], [`http`] | servers and stand-ins behind one trait, and servers over HTTP |
//! | [`stand_in`], [`noisy`], [`script`], [`scripted`] | models without a network |
//! | [`store`], [`ledger`], [`import`] | recorded exchanges, the ledger of all calls, import of published recordings |
//! | [`budget`], [`limiter`], [`prices`], [`estimate`], [`retry`] | caps, rates, costs, numbers of tokens, retries |
//! | [`dry_run`], [`constraint_probe`] | the plan of a run without calls; whether an endpoint honours constraints |
//! | [`clock`], [`key`] | time, and keys, which are never shown |

pub mod budget;
pub mod client;
pub mod clock;
pub mod constraint_probe;
mod date;
pub mod dry_run;
pub mod endpoint;
pub mod error;
pub mod estimate;
pub mod http;
pub mod import;
pub mod key;
pub mod ledger;
pub mod limiter;
pub mod model;
mod nearest;
pub mod noisy;
pub mod prices;
pub mod probe;
pub mod profile;
pub mod reply;
pub mod request;
pub mod retry;
pub mod script;
pub mod scripted;
pub mod stand_in;
pub mod store;
pub mod url;
pub mod wire;

pub use client::{Client, ClientEvent, ClientOptions, Mode, RunBudget};
pub use error::{Cap, ErrorKind, ModelError};
pub use model::{Model, complete_all};
pub use reply::{ConstraintStatus, IncompleteReplyError, Outcome, Reply, Usage};
pub use request::{Constraint, ConstraintKind, Matcher, Prompt, Request, Role, Sampling, Turn};
pub use scripted::ScriptedModel;
pub use stand_in::{SettingError, StandInBuilder, StandInOptions, StandIns};
