//! Pictures of resource graph games and of rewards: boards, histograms, time series, and intervals on an axis.
//!
//! Output is deterministic: equal data give equal bytes. Boards are written as DOT, for Graphviz, or as SVG; charts are written as
//! SVG, by the library `kuva`.
//!
//! | module | contents |
//! |---|---|
//! | [`board`] | [`BoardView`](board::BoardView): the drawable content of a board |
//! | [`dot`] | boards as DOT |
//! | [`svg`] | boards as SVG |
//! | [`layout`] | positions of the nodes of a board |
//! | [`chart`] | histograms and lines with bands, as SVG |
//! | [`intervals`] | bars and intervals on one axis, as SVG |

pub mod board;
pub mod chart;
pub mod dot;
pub mod intervals;
pub mod layout;
pub mod svg;

mod color;
