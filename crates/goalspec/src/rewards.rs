//! Reward functions over recorded screens of Atari games, and over traces of any other world.
//!
//! ```text
//! reward.py --program--> RewardProgram: what it says, of which world
//! recording --frames--> Frames, --worlds--> scenes
//! RewardProgram + Frames --score--> Scored: rewards, totals, failures --record, rows--> JSON, tables
//! RAM, live games --capture--> recordings
//! ```
//!
//! | module | what lives there |
//! |---|---|
//! | `caller` | a program that is called frame by frame |
//! | [`ready`] | [`Ready`](ready::Ready): a program on the engine that was asked for |
//! | [`batch`] | one program in many environments at once |
//! | [`capture`] | recordings made of RAM and of live games |
//! | [`why`] | what a program did in one frame |
//! | [`world`] | [`RewardWorld`](world::RewardWorld): the world of a program, and that of a trace |
//! | [`objects`] | [`ObjectWorld`](objects::ObjectWorld): any world file as Python sees it |
//! | [`worlds`] | [`ScreenWorld`](worlds::ScreenWorld): the worlds `atari/..`, for reward functions and for the game language |
//! | [`program`] | [`RewardProgram`](program::RewardProgram): a program as written and as it runs |
//! | [`frames`] | [`Frames`](frames::Frames): recordings, opened, moment by moment |
//! | [`score`](mod@score) | [`score`](score::score): rewards of programs over a recording |
//! | [`audit`] | whether a program asks for what its game asks for |
//! | [`lint`] | what a program says and probably does not mean |
//! | [`record`] | scores as JSON |
//! | [`rows`] | scores as tables |
//!
//! State that a program keeps between calls is that of an episode: it is reset where another one begins.

pub mod audit;
pub mod batch;
mod caller;
pub mod capture;
pub mod frames;
pub mod lint;
pub mod objects;
pub mod program;
pub mod ready;
pub mod record;
pub mod rows;
pub mod score;
pub mod why;
pub mod world;
pub mod worlds;
