//! The substitute for machine code in builds without the feature `native`: every call runs in the register machine.

use std::time::Duration;

use super::frame::PreparedFrame;
use super::run::{Exit, RegisterCode};

#[derive(Debug, Default)]
pub(super) struct NativeFunction(());

#[derive(Debug, Default)]
pub(super) struct NativeMemory(());

#[derive(Debug, Default)]
pub(super) struct NativeCalls {
    pub(super) completed: u64,
}

#[allow(clippy::unused_self, reason = "as with machine code")]
impl NativeCalls {
    pub(super) fn reset(&mut self) {}
}

#[allow(clippy::unused_self, reason = "as with machine code")]
impl NativeFunction {
    pub(super) fn compile(&self, _: &RegisterCode) -> Result<Duration, &str> {
        Err("this build does not support machine code")
    }

    pub(super) fn disable(&self) {}

    pub(super) fn run(
        &self,
        _: &mut NativeCalls,
        _: &mut NativeMemory,
        _: &RegisterCode,
        _: (&PreparedFrame, &[Vec<u64>]),
        _: i64,
    ) -> Option<Exit> {
        None
    }

    pub(super) fn count_work(&self, _: &RegisterCode, _: u64) {}
}

pub(super) fn list(_: &NativeMemory, _: usize) -> &[u64] {
    &[]
}

pub(super) fn values(_: &NativeMemory) -> [u64; 3] {
    [0; 3]
}
