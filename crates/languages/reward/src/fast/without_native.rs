//! The substitute for machine code in builds without the feature `native`: every call runs in the register machine.

use std::time::Duration;

use super::frame::Frame;
use super::run::{Code, Exit};

#[derive(Debug, Default)]
pub(super) struct Native(());

#[derive(Debug, Default)]
pub(super) struct Room {
    pub(super) ran: u64,
}

#[allow(clippy::unused_self, reason = "as with machine code")]
impl Room {
    pub(super) fn reset(&mut self) {}
}

#[allow(clippy::unused_self, reason = "as with machine code")]
impl Native {
    pub(super) fn compile(&self, _: &Code) -> Result<Duration, &str> {
        Err("this build does not support machine code")
    }

    pub(super) fn refuse(&self) {}

    pub(super) fn run(&self, _: &Code, _: &mut Room, _: &Frame, _: i64) -> Option<Exit> {
        None
    }
}
