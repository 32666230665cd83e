//! The viewer: a goal, a trace and the reason for every point, on one local page or in one exported file.
//!
//! All numbers come from the code behind `goalspec score`, `validate`, `simulate` and `audit`; the page computes pictures from them, never
//! verdicts.
//!
//! | module | contents |
//! |---|---|
//! | [`session`] | [`Session`]: the inputs, and runs of programs over traces |
//! | `lanes`, `names` | the ids of lanes; names of files without their paths |
//! | `automaton` | the positions on which lanes advance |
//! | [`tiles`] | lanes at any level of detail, as binary tiles |
//! | [`scenes`], [`states`], [`screens`] | [`Scenes`]: the states of a trace, or the screens of a recording, in any order |
//! | `follow` | traces that grow while they are viewed |
//! | `plan_runs` | plans, judged |
//! | `reward_runs` | reward functions over recordings, and the reasons for rewards |
//! | `resource_runs` | resource graph games, simulated |
//! | [`export`], `summary` | a run as one HTML file, and its results without a script |
//! | `results` | the results of all programs over a trace |
//! | `save` | changed programs, saved where this is permitted |
//! | [`guard`] | the check of every request |
//! | `api` | the answers to requests for data |
//! | [`server`] | [`Server`]: the server on the loopback interface |
//! | [`browser`] | the start of the browser |
//! | `assets` | the built page |

mod api;
mod assets;
mod automaton;
pub mod browser;
pub mod export;
mod follow;
pub mod guard;
mod lanes;
mod names;
mod plan_runs;
mod resource_runs;
mod results;
mod reward_runs;
mod save;
pub mod scenes;
pub mod screens;
pub mod server;
pub mod session;
pub mod states;
mod summary;
pub mod tiles;

pub use follow::MAX_FOLLOWED_BYTES;
pub use resource_runs::{MAX_GAMES, SimulationRequest};
pub use save::SaveOutcome;
pub use scenes::{SceneSource, Scenes};
pub use server::Server;
pub use session::{Session, SessionError, ViewRun, is_plan};
