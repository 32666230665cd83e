//! Explanations of the reward of one frame: its terms, the outcome of every branch and comparison, and the program's output.

use std::ops::ControlFlow;
use std::sync::Arc;

use goalspec_core::world::World;
use goalspec_python_runtime::code::SourceRange;
use goalspec_python_runtime::machine::TracebackEntry;
use goalspec_python_runtime::observe::{CallPosition, ComparisonStatistics, Observer, Range, RunStatistics};
use goalspec_reward::terms::{Term, Terms};
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, SourceFile, Span};
use goalspec_trace::TraceInput;

use crate::caller::{CallInput, Caller, MissingReward, not_executable};
use crate::codes;
use crate::frames::{FrameReader, RecordedFrame};
use crate::program::NamedRewardProgram;
use crate::world::RewardWorld;

/// The explanation of the reward of one frame.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The program's name.
    pub program: Arc<str>,
    /// The recording's name.
    pub trace: Arc<str>,
    /// The number of the frame.
    pub frame: u64,
    /// The number of its episode.
    pub episode: u64,
    /// The reward, or the error.
    pub reward: Result<f64, String>,
    /// The traceback of the exception, the outermost call first.
    pub traceback: Vec<TracebackEntry>,
    /// The components that the program itself returns.
    pub components: Vec<(String, f64)>,
    /// The terms that contributed to the reward, with their contributions, in source order.
    pub terms: Vec<(Term, f64)>,
    /// The conditions that were evaluated, in source order.
    pub branches: Vec<Condition>,
    /// The comparisons that were evaluated, in source order.
    pub comparisons: Vec<Comparison>,
    /// The text that the program printed.
    pub printed: String,
}

/// The outcomes of a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The line number.
    pub line: usize,
    /// The source text, on one line.
    pub text: String,
    /// The number of times it was true.
    pub held: u64,
    /// The number of times it was false.
    pub failed: u64,
}

/// The outcomes and operands of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The outcomes.
    pub condition: Condition,
    /// The range of the numbers on the left; `None` if an operand was not a number.
    pub left: Option<Range>,
    /// The range of the numbers on the right.
    pub right: Option<Range>,
}

/// Explains the reward of a frame, given by its number in the recording. Runs the program again on the earlier frames of the episode to
/// restore its state. `known` are the loaded worlds beside those that goalspec ships.
///
/// # Errors
/// Returns a diagnostic if the program cannot run, the recording cannot be read or belongs to another world, or it has no such frame.
pub fn explain(
    program: NamedRewardProgram<'_>,
    known: &[Arc<World>],
    input: &TraceInput,
    number: u64,
) -> Result<Explanation, Box<Diagnostic>> {
    let mut found = None;
    explain_from(program, known, input, number, &mut |explanation| {
        found = Some(explanation);
        ControlFlow::Break(())
    })?;
    let message = || format!("no frame {number} in `{}`", input.name());
    let found = found.filter(|explanation| explanation.frame == number);
    found.ok_or_else(|| Box::new(Diagnostic::new(codes::NO_FRAME, Severity::Error, message())))
}

/// Explains the rewards of all frames from a number on, in one pass, until `visit` breaks. The arguments are those of [`explain`].
///
/// # Errors
/// Returns a diagnostic if the program cannot run, or the recording cannot be read or belongs to another world.
pub fn explain_from(
    program: NamedRewardProgram<'_>,
    known: &[Arc<World>],
    input: &TraceInput,
    first: u64,
    visit: &mut dyn FnMut(Explanation) -> ControlFlow<()>,
) -> Result<(), Box<Diagnostic>> {
    let NamedRewardProgram { name, reward } = program;
    let code = reward.program.as_ref().ok_or_else(|| not_executable(name))?;
    let own = reward.world.as_ref();
    let world = RewardWorld::for_trace(input, own, known).map_err(|unfit| unfit.into_diagnostic(input, name, own))?;
    let mut frames = FrameReader::open(input, &world, false)?;
    let mut caller = Caller::start(name, reward, &world)?;
    let terms = Terms::of(reward.source(), caller.function_name());
    let mut frame = RecordedFrame::default();
    while frames.next(&mut frame)? {
        if frame.index < first {
            // Only the state that the call leaves matters, not its result.
            let _ = caller.call(&frame, CallInput::from_frame(&frame));
            continue;
        }
        let mut observer = Observer::new(code, &terms.probes());
        observer.begin(CallPosition { recording: 0, frame: frame.index });
        caller.machine.set_observer(observer);
        let result = caller.call(&frame, CallInput::from_frame(&frame));
        let printed = caller.machine.printed().to_owned();
        let Some(mut observer) = caller.machine.take_observer() else { return Err(not_executable(name)) };
        let added: Vec<Option<f64>> = observer.end().collect();
        let reward_or_error = result.as_ref().map(goalspec_python_runtime::machine::Reward::value).map_err(|missing| {
            let (kind, message, _) = missing.reason();
            if message.is_empty() { kind } else { format!("{kind}: {message}") }
        });
        let statistics = observer.statistics();
        let written = SourceExcerpts(reward.source());
        let explanation = Explanation {
            program: name.clone(),
            trace: input.name().into(),
            frame: frame.index,
            episode: frame.episode,
            reward: reward_or_error,
            traceback: result.as_ref().err().map(traceback).unwrap_or_default(),
            components: result.map(|reward| reward.components).unwrap_or_default(),
            terms: terms.terms.iter().cloned().zip(added).filter_map(|(term, added)| Some((term, added?))).collect(),
            branches: written.branches(statistics),
            comparisons: written.comparisons(statistics),
            printed,
        };
        if visit(explanation).is_break() {
            break;
        }
    }
    Ok(())
}

fn traceback(missing: &MissingReward) -> Vec<TracebackEntry> {
    use goalspec_python_runtime::machine::CallError;
    let MissingReward::CallFailed(error) = missing else { return Vec::new() };
    match &**error {
        CallError::Exception { traceback, .. } | CallError::Exhausted { traceback, .. } => traceback.clone(),
        CallError::InvalidReward { location: place, .. } => place.iter().cloned().collect(),
    }
}

/// Extracts of a source text.
struct SourceExcerpts<'s>(&'s SourceFile);

impl SourceExcerpts<'_> {
    /// Returns the branches that were evaluated.
    fn branches(&self, statistics: &RunStatistics) -> Vec<Condition> {
        let evaluated = statistics.branches.iter().filter(|branch| branch.held + branch.failed > 0);
        evaluated.map(|branch| self.condition(branch.range, branch.held, branch.failed)).collect()
    }

    /// Returns the comparisons that were evaluated.
    fn comparisons(&self, statistics: &RunStatistics) -> Vec<Comparison> {
        let evaluated = statistics.comparisons.iter().filter(|comparison| comparison.held + comparison.failed > 0);
        evaluated.map(|comparison| self.comparison(comparison)).collect()
    }

    fn condition(&self, range: SourceRange, held: u64, failed: u64) -> Condition {
        let (line, _) = self.0.line_column(range.start);
        let words: Vec<&str> =
            self.0.slice(Span::new(self.0.id(), range.start, range.end)).split_whitespace().collect();
        Condition { line, text: words.join(" "), held, failed }
    }

    fn comparison(&self, statistics: &ComparisonStatistics) -> Comparison {
        let condition = self.condition(statistics.range, statistics.held, statistics.failed);
        Comparison { condition, left: statistics.left, right: statistics.right }
    }
}
