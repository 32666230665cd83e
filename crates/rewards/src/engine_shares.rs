//! The share of calls, and of their time, that each execution takes when a program runs over a recording.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use goalspec_core::engine::Engine;
use goalspec_core::world::World;
use goalspec_python_runtime::fast::PreparedFrame;
use goalspec_syntax::Diagnostic;
use goalspec_trace::input::TraceInput;

use crate::caller::{CallInput, MissingReward};
use crate::compiled::{CompiledReward, EngineCalls};
use crate::frames::{FrameReader, RecordedFrame, Scene};
use crate::program::NamedRewardProgram;
use crate::world::{RewardWorld, TraceWorldError};

/// A way in which a call is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Execution {
    /// The fast engine, as machine code from start to end.
    MachineCode,
    /// The fast engine, at least in part as instructions of its register machine.
    RegisterMachine,
    /// The reference machine, possibly after an attempt of the fast engine.
    Interpreter,
}

impl Execution {
    /// All executions, fastest first.
    pub const ALL: [Self; 3] = [Self::MachineCode, Self::RegisterMachine, Self::Interpreter];

    /// Returns the name for output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MachineCode => "machine code",
            Self::RegisterMachine => "register machine",
            Self::Interpreter => "interpreter",
        }
    }

    /// Returns the place among all executions.
    const fn place(self) -> usize {
        self as usize
    }
}

/// The calls that one execution ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExecutionShare {
    /// The number of calls.
    pub calls: u64,
    /// The time of these calls, including failed attempts of the fast engine and the top level at the start of an episode.
    pub time: Duration,
}

/// The executions that ran the calls of a program over a recording.
#[derive(Debug, Clone)]
pub struct EngineShares {
    /// The name of the program.
    pub program: Arc<str>,
    /// The name of the recording.
    pub trace: Arc<str>,
    /// The number of frames without a call, since earlier calls exhausted the budget of the recording.
    pub skipped_frames: u64,
    /// The reasons for handing calls over, and the parts of the program that the fast engine does not cover.
    pub engine_calls: EngineCalls,
    shares: [ExecutionShare; Execution::ALL.len()],
}

impl EngineShares {
    /// Runs a program over a recording on the fast engine and measures each call. `known` are the loaded worlds beside those that goalspec
    /// ships.
    ///
    /// # Errors
    /// If the recording cannot be read or belongs to another world, or the program cannot run.
    pub fn measure(
        program: NamedRewardProgram<'_>,
        known: &[Arc<World>],
        input: &TraceInput,
    ) -> Result<Self, Box<Diagnostic>> {
        let NamedRewardProgram { name, reward } = program;
        let own = reward.world.as_ref();
        let world = RewardWorld::for_trace(input, own, known).map_err(|error| match error {
            TraceWorldError::InvalidTrace(error) => error,
            different @ TraceWorldError::DifferentWorld { .. } => different.into_diagnostic(input, name, own),
        })?;
        let mut frames = FrameReader::open(input, &world, false)?;
        let compiled = CompiledReward::new(name, reward, &world, Engine::Fast)?;
        let mut caller = compiled.start()?;
        let mut found = Self {
            program: Arc::clone(name),
            trace: input.name().into(),
            skipped_frames: 0,
            engine_calls: compiled.new_engine_calls(),
            shares: Default::default(),
        };
        let (mut frame, mut prepared) = (RecordedFrame::default(), PreparedFrame::default());
        while frames.next(&mut frame)? {
            if let Scene::Screen(objects) = &frame.scene {
                prepared.update(objects);
            }
            let before = caller.machine.execution_counts();
            let call_input = CallInput { fast_frame: Some(&prepared), ..CallInput::from_frame(&frame) };
            let start = Instant::now();
            let reward = caller.call(&frame, call_input);
            let time = start.elapsed();
            if matches!(reward, Err(MissingReward::Skipped(_))) {
                found.skipped_frames += 1;
                continue;
            }
            found.engine_calls.count_last_call(&caller.machine);
            let share = &mut found.shares[caller.machine.last_execution(before).place()];
            share.calls += 1;
            share.time += time;
        }
        Ok(found)
    }

    /// Returns the calls that an execution ran.
    pub const fn of(&self, execution: Execution) -> ExecutionShare {
        self.shares[execution.place()]
    }

    /// Returns the number of calls.
    pub fn calls(&self) -> u64 {
        self.shares.iter().map(|share| share.calls).sum()
    }

    /// Returns the time of all calls.
    pub fn time(&self) -> Duration {
        self.shares.iter().map(|share| share.time).sum()
    }

    /// Describes the shares, the reasons for the interpreter, and the lines that the fast engine does not cover, one per line.
    pub fn to_text(&self) -> String {
        let (calls, time) = (self.calls(), self.time());
        let mut text = format!("{calls} calls over {}:\n", self.trace);
        for execution in Execution::ALL {
            let share = self.of(execution);
            let _ = writeln!(
                text,
                "  {:16} {:5.1} % of the calls, {:5.1} % of the time{}",
                execution.name(),
                percent(share.calls as f64, calls as f64),
                percent(share.time.as_secs_f64(), time.as_secs_f64()),
                mean_time(share),
            );
        }
        let EngineCalls { fallback_reasons, coverage, .. } = &self.engine_calls;
        for (reason, count) in fallback_reasons {
            let _ = writeln!(text, "  {count} calls ran on the interpreter: {reason}");
        }
        for gap in &coverage.gaps {
            let line = format!("line {}: {}", gap.line, gap.construct);
            if fallback_reasons.iter().all(|(reason, _)| *reason != line) {
                let _ = writeln!(text, "  also not covered by the fast engine: {line}");
            }
        }
        if self.skipped_frames > 0 {
            let _ = writeln!(
                text,
                "  {} frames without a call: the budget of the recording is exhausted",
                self.skipped_frames
            );
        }
        text
    }
}

/// Returns the mean time of the calls as a text; none without calls.
fn mean_time(share: ExecutionShare) -> String {
    if share.calls == 0 {
        return String::new();
    }
    format!(", {:.2} µs per call", share.time.as_secs_f64() * 1e6 / share.calls as f64)
}

/// Returns a share in percent; 0 of nothing.
fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { 100.0 * part / whole } else { 0.0 }
}
