//! Reward functions over recorded screens of Atari games, and over traces of any other world.
//!
//! ```text
//! reward.py --program--> RewardProgram: the parsed and checked program with its world
//! recording --frames--> FrameReader, --screen_worlds--> scenes
//! RewardProgram + FrameReader --score--> RewardScores: rewards, totals, failures --score_json, score_tables--> JSON, tables
//! RAM, live games --capture--> recordings
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `caller` | calls of one program, frame by frame |
//! | [`compiled`] | [`CompiledReward`](compiled::CompiledReward): a program compiled for the selected engine |
//! | [`batch`] | one program in many environments at once |
//! | [`capture`] | recordings made from RAM and from live games |
//! | [`explanation`] | an explanation of the reward of one frame |
//! | [`world`] | [`RewardWorld`](world::RewardWorld): the world of a program or of a trace |
//! | [`objects`] | [`ObjectWorld`](objects::ObjectWorld): the Python view of any world file |
//! | [`screen_worlds`] | [`ScreenWorld`](screen_worlds::ScreenWorld): the worlds `atari/..`, for reward functions and the game language |
//! | [`program`] | [`RewardProgram`](program::RewardProgram): a reward program and its source |
//! | [`frames`] | [`FrameReader`](frames::FrameReader): readers of recordings, frame by frame |
//! | [`score`](mod@score) | [`score`](score::score): the rewards of programs over a recording |
//! | [`audit`] | audits of whether a program rewards the objective of its game |
//! | [`lint`] | lints of programs that probably do not mean what they say |
//! | [`score_json`] | scores as JSON |
//! | [`score_tables`] | scores as tables |
//!
//! A program's state lasts for one episode: it is reset when the next episode begins.

pub mod audit;
pub mod batch;
mod caller;
pub mod capture;
pub mod compiled;
pub mod explanation;
pub mod frames;
pub mod lint;
pub mod objects;
pub mod program;
pub mod score;
pub mod score_json;
pub mod score_tables;
pub mod screen_worlds;
pub mod world;
