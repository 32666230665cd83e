//! New resource graph games: trees of a grammar over the frame of an example.
//!
//! The sections that declare names are a frame, which is kept from an example with its comments. What is done with the names is a tree: the
//! choices of the teams, the actions, the rewards and the end of the game. Trees are drawn in the proportions of all examples and edited by
//! the operators of the [engine](goalspec_generator); names are chosen among those of the frame that have the kind that a place demands.
//!
//! Most drafts check, but whether a game can be played, the caller finds out.
//!
//! | module | contents |
//! |---|---|
//! | `rules` | the grammar |
//! | `read`, `test_text` | the syntax tree of a game as a tree |
//! | `text`, `document` | a tree as YAML |
//! | `frame` | the text around the sections of a tree |
//! | `names` | the names of a frame and the values of its fields |
//! | `lexicon` | tokens, and those that new names and numbers are chosen from |
//! | `bind` | the choice of names and values |
//! | `initial` | filters in the initial state |
//! | `draft` | examples with new parts |
//! | `edits` | single edits |
//! | `generator` | corpora and generators |

mod bind;
mod document;
mod draft;
mod edits;
mod frame;
mod generator;
mod initial;
mod lexicon;
mod names;
mod read;
mod rules;
mod test_text;
#[cfg(test)]
mod tests;
mod text;

pub use edits::GameEdit;
pub use generator::{GameExample, ResourceGameCorpus, ResourceGameGenerator, UnsupportedGame};

/// The number of drafts that are made for one game.
pub const MAX_DRAFTS: u32 = 400;
