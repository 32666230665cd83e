//! Reward functions in Python over recorded screens of Atari games, over traces of any other world, and in live environments.
//!
//! ```text
//! reward.py --program--> RewardProgram: the parsed and checked program with its world
//! recording --frames--> FrameReader, --screen_worlds, objects--> scenes
//! RewardProgram + FrameReader --score--> RewardScores: rewards, totals, failures --score_json--> JSON
//! RewardProgram --compiled--> CompiledReward --batch--> Environments, stepped together
//! RAM, live games --capture--> recordings
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`program`] | [`RewardProgram`](program::RewardProgram): a reward program and its source |
//! | [`lint`] | lints of programs that probably do not mean what they say |
//! | [`world`] | [`RewardWorld`](world::RewardWorld): the world of a program or of a trace |
//! | [`screen_worlds`] | [`ScreenWorld`](screen_worlds::ScreenWorld): the worlds `atari/..`, for reward functions and the game language |
//! | [`objects`] | [`ObjectWorld`](objects::ObjectWorld): the Python view of any world file |
//! | [`shipped_worlds`] | the worlds that goalspec ships, and the choice of the world of a trace |
//! | [`frames`] | [`FrameReader`](frames::FrameReader): readers of recordings, frame by frame |
//! | [`caller`] | [`Caller`](caller::Caller): calls of one program, frame by frame |
//! | [`compiled`] | [`CompiledReward`](compiled::CompiledReward): a program compiled for the selected engine |
//! | [`batch`] | [`Environments`](batch::Environments): one program in many environments at once |
//! | [`score`](mod@score) | [`score`](score::score): the rewards of programs over a recording |
//! | [`engine_shares`] | [`EngineShares`](engine_shares::EngineShares): the share of calls and of time that each execution takes |
//! | [`score_json`] | scores and engine shares as JSON |
//! | [`explanation`] | an explanation of the reward of one frame |
//! | [`capture`] | recordings made from RAM and from live games |
//! | [`codes`] | the diagnostic codes |
//!
//! A program's state lasts for one episode: it is reset when the next episode begins.
//!
//! ```
//! use std::sync::Arc;
//!
//! use goalspec_rewards::program::{NamedRewardProgram, RewardProgram};
//! use goalspec_rewards::score::{ScoreOptions, score};
//! use goalspec_syntax::Sources;
//! use goalspec_trace::TraceInput;
//!
//! let mut sources = Sources::new();
//! let source = sources.add(
//!     "count.py",
//!     "from ocatari.ram.pong import *\n\ndef reward_function(objects):\n    return len(objects) + 0.5\n",
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
//! let program = NamedRewardProgram { name: &Arc::from("count.py"), reward: &reward };
//! let scores = score(&[program], &[], &recording, &ScoreOptions::default(), &|_| ());
//! assert_eq!(scores.outcomes[0].total(), 1.0);
//! ```

pub mod batch;
pub mod caller;
pub mod capture;
pub mod codes;
pub mod compiled;
pub mod engine_shares;
pub mod explanation;
pub mod frames;
pub mod lint;
pub mod objects;
pub mod program;
pub mod score;
pub mod score_json;
pub mod screen_worlds;
pub mod shipped_worlds;
pub mod world;
