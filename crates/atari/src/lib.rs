//! Object detection for ten Atari games: the classes of their objects, and decoding of the objects from the 128 bytes of RAM.
//!
//! The objects equal those of [`OCAtari`](https://github.com/k4ntz/OC_Atari) 2.2.1 in its RAM mode, frame by frame: the same slots in
//! the same order, with the same positions, sizes, colours, previous positions and values. The decoder reproduces the quirks of that
//! release unless [`Options::quirks`] is off.
//!
//! ```
//! use goalspec_atari::{Decoder, Game, Options};
//!
//! let game: Game = "ALE/Pong-v5".parse()?;
//! let mut decoder = Decoder::new(game, Options::default());
//! let mut ram = [0; 128];
//! (ram[49], ram[54]) = (130, 90);
//! decoder.reset(&ram)?;
//! ram[49] += 4;
//! let ball = decoder.step(&ram)?[1];
//! assert_eq!(game.class(ball.class).name, "Ball");
//! assert_eq!((ball.x, ball.y, ball.dx()), (85, 76, 4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`game`] | [`Game`]: names, actions, slots, classes |
//! | [`class`] | [`Class`]: the common properties of all objects of a class, including attributes and equality |
//! | [`object`] | [`GameObject`]: an object in one frame |
//! | [`decoder`] | [`Decoder`]: RAM to objects, frame by frame |
//! | [`recording`] | a reader and a writer of recorded frames |
//! | `games` | a module for each game, with its specification and its decoder |

pub mod class;
pub mod decoder;
pub mod game;
pub mod object;
pub mod recording;

mod games;

pub use class::{Class, ClassId};
pub use decoder::{DecodeError, Decoder, Options};
pub use game::Game;
pub use object::{GameObject, Orientation};
