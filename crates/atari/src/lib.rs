//! What an Atari screen shows: the classes of objects of ten games, and the objects decoded from the 128 bytes of RAM.
//!
//! The objects are those of [`OCAtari`](https://github.com/k4ntz/OC_Atari) 2.2.1 in its RAM mode: the same slots in the same order,
//! positions, sizes, colours, previous positions and values, frame by frame. Where that release has a quirk, the decoder has it too,
//! unless [`Options::quirks`] is off.
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
//! | module | what lives there |
//! |---|---|
//! | [`game`] | [`Game`]: names, actions, slots, classes |
//! | [`class`] | [`Class`]: what holds for all objects of a class; which attributes they have, when they are equal |
//! | [`object`] | [`GameObject`]: an object in one frame |
//! | [`decoder`] | [`Decoder`]: from RAM to objects, frame by frame |
//! | [`recording`] | recorded screens, read and written |
//! | `games` | a module for each game: its sheet of facts, how its RAM is read |

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
