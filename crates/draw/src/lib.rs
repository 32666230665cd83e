//! Pictures of resource graph games: the board, what came of many games, how resources go over time; and of what rewards come to.
//!
//! Equal data give equal bytes. Boards are DOT, for Graphviz, or SVG by an own small writer; charts are SVG by the library `kuva`.
//!
//! | module | what lives there |
//! |---|---|
//! | [`board`] | [`Picture`](board::Picture): what a board shows, from the beginning of a game or from a state in play |
//! | [`dot`] | a board as DOT |
//! | [`svg`] | a board as SVG |
//! | [`layout`] | where the nodes of a board stand |
//! | [`chart`] | histograms, and lines with bands, as SVG |
//! | [`spans`] | bars and ranges on one axis, as SVG |

pub mod board;
pub mod chart;
pub mod dot;
pub mod layout;
pub mod spans;
pub mod svg;

mod color;
