//! Every rule of play, on games built by hand. What is expected comes from the language's description, and from what the Cage
//! engine was seen to do.

mod actions;
mod computes;
mod customs;
mod draws;
mod filters;
mod odds;
mod table;
mod vectors;
mod views;
