//! Every rule of play, on games built by hand. What is expected comes from the language's description, and from what the Cage
//! engine was seen to do.

mod computes;
mod filters;
