//! Audits of whether a reward function rewards the objective of its game, based on recordings.
//!
//! ```text
//! program + recordings --collector--> Audit: statistics of every term, branch, comparison and idle stretch
//! Audit --rules--> findings, the worst first --text, json, html--> reports
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `audit` | [`Audit`], [`Recording`], [`Finding`]: the audit of a program |
//! | `collector` | [`audit()`]: one pass over the recordings |
//! | `comparison` | rewards and scores of recordings and episodes |
//! | `score_changes` | detection of scores that are running totals |
//! | `idle` | stretches of play that may earn without playing: standing still, repeating one action |
//! | [`probe`] | rewards for screens that occur in no recording |
//! | [`statistics`] | correlations and the agreement of two orders |
//! | `rules` | the findings, with their evidence |
//! | [`lint`] | lints that recordings reveal |
//! | [`codes`] | the documentation of every kind of finding |
//! | `curves` | growth of reward and score over an episode |
//! | `tables` | rows of the reports for people |
//! | `text`, `json`, `html` | reports; `html` with the feature `draw` |
//!
//! ```
//! use std::sync::Arc;
//!
//! use goalspec_audit::{AuditOptions, audit};
//! use goalspec_rewards::program::{NamedRewardProgram, RewardProgram};
//! use goalspec_syntax::Sources;
//! use goalspec_trace::TraceInput;
//!
//! let mut sources = Sources::new();
//! let source = sources.add(
//!     "idle.py",
//!     "from ocatari.ram.pong import *\n\ndef reward_function(objects):\n    return 0.5\n",
//! );
//! let (reward, diagnostics) = RewardProgram::read(sources.file(source), None, None);
//! assert!(diagnostics.is_empty());
//!
//! let recording = r#"{"format":"goalspec-screens-1","game":"Pong","hud":false}
//! {"t":0,"ep":0,"a":null,"r":0.0,"term":false,"trunc":false,"objs":[]}
//! {"t":1,"ep":0,"a":null,"r":1.0,"term":true,"trunc":false,"objs":[]}
//! "#;
//! let recording = TraceInput::Bytes("pong.jsonl".into(), recording.as_bytes().into());
//!
//! let program = NamedRewardProgram { name: &Arc::from("idle.py"), reward: &reward };
//! let results = audit(&[program], &[], &[recording], &AuditOptions::default(), &|_| ());
//! assert!(results.audits[0].all_findings().any(|finding| finding.kind == "constant"));
//! ```

mod audit;
pub mod codes;
mod collector;
mod comparison;
mod curves;
#[cfg(feature = "draw")]
mod html;
mod idle;
mod json;
pub mod lint;
pub mod probe;
mod rules;
mod score_changes;
pub mod statistics;
mod tables;
mod text;

pub(crate) use audit::format_number;
pub use audit::{
    Audit, AuditOptions, AuditResults, ErrorGroup, Finding, NonFiniteCounts, Recording, WINDOW_FRAMES, WINDOW_UNIT,
};
pub use collector::audit;
pub use comparison::{RankComparison, ReturnMeasure, ReturnSample};
pub use curves::Curve;
#[cfg(feature = "draw")]
pub use html::html;
pub use idle::{FrameGroup, FrameRun, HOVER_EXTENT, HOVER_FRAMES, IdleStatistics, RewardTotals};
pub use json::json;
pub use score_changes::ScoreChanges;
pub use text::text;
