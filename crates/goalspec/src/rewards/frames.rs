//! Recordings of screens, opened, and their episodes.

use goalspec_atari::recording::{Frame, Header};
use goalspec_syntax::Diagnostic;
use goalspec_trace::screens::{Screens, wrong};

use super::worlds::{self, ScreenWorld};
use crate::run::{Input, damaged};

/// A recording, frame by frame.
pub struct Frames<'r> {
    screens: Screens<'r>,
    world: &'static ScreenWorld,
}

impl<'r> Frames<'r> {
    /// Opens a recording; `None` if the input is a trace of another kind.
    ///
    /// # Errors
    /// The input cannot be read, or its header is wrong.
    pub fn open(input: &'r Input) -> Result<Option<Self>, Box<Diagnostic>> {
        let Some(screens) = input.open().map_err(damaged)?.into_screens() else { return Ok(None) };
        let world = worlds::of(screens.header().game);
        Ok(Some(Self { screens, world }))
    }

    /// The world of its game.
    pub fn world(&self) -> &'static ScreenWorld {
        self.world
    }

    /// What it says of itself.
    pub fn header(&self) -> &Header {
        self.screens.header()
    }

    /// How many bytes of its text were read.
    pub fn offset(&self) -> u64 {
        self.screens.input().offset()
    }

    /// Reads the next frame; `false` at the end.
    ///
    /// # Errors
    /// A line of the recording is wrong.
    pub fn next(&mut self, frame: &mut Frame) -> Result<bool, Box<Diagnostic>> {
        self.screens.next(frame).map_err(|error| damaged(wrong(error)))
    }
}

/// Whether an input is a recording of screens.
pub fn is_recording(input: &Input) -> bool {
    Frames::open(input).is_ok_and(|frames| frames.is_some())
}

/// Each episode of a recording as a trace of its own, where it has several; `None` if the input is none, or has but one. Reads it once.
///
/// # Errors
/// The recording cannot be read to its end.
pub fn episodes(input: &Input) -> Result<Option<Vec<Input>>, Box<Diagnostic>> {
    let Some(mut frames) = Frames::open(input)? else { return Ok(None) };
    let mut numbers: Vec<u64> = Vec::new();
    let mut frame = Frame::default();
    while frames.next(&mut frame)? {
        if numbers.last() != Some(&frame.episode) {
            numbers.push(frame.episode);
        }
    }
    let of_episode = |number| Input::Episode(Box::new(input.clone()), number);
    Ok((numbers.len() > 1).then(|| numbers.into_iter().map(of_episode).collect()))
}
