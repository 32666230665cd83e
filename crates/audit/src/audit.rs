//! The audit of a program: its recordings with their statistics, and its findings.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use goalspec_python_runtime::code::SourceRange;
use goalspec_python_runtime::observe::{Range, RunStatistics, TermStatistics};
use goalspec_reward::terms::Terms;
use goalspec_rewards::score::Episode;
use goalspec_rewards::world::RewardWorld;
use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span};
use indexmap::IndexMap;

use crate::comparison::{RankComparison, ReturnMeasure};
use crate::curves::Curve;
use crate::idle::IdleStatistics;
use crate::probe::ProbeResults;
use crate::score_changes::ScoreChanges;
use crate::statistics::Correlation;

/// Options for an audit.
#[derive(Debug, Clone, Default)]
pub struct AuditOptions {
    /// The source of the true score: the recorded value of this name, or the game's own reward if `None`.
    pub score_column: Option<String>,
    /// Whether worlds that accept no traces of other worlds accept them anyway.
    pub any_world: bool,
    /// Whether a damaged recording is audited up to the damage instead of rejected.
    pub partial: bool,
    /// Whether only the recordings are examined: no probes, and no runs with corrected names.
    pub recordings_only: bool,
}

/// The number of frames in a window. Reward and score are compared window by window.
pub const WINDOW_FRAMES: u64 = 100;

/// The maximum size in bytes of a program line in a report's finding.
const MAX_EXCERPT_BYTES: usize = 200;

/// The unit of a [`Correlation`] over windows.
pub const WINDOW_UNIT: &str = "windows";

/// The audit of one program.
#[derive(Debug, Clone)]
pub struct Audit {
    /// The program's name.
    pub program: Arc<str>,
    /// The source of the program.
    pub source: SourceFile,
    /// The name of the reward function.
    pub function: String,
    /// The world of the recordings.
    pub world: RewardWorld,
    /// The name of the true score: `r` for the game's own reward; `None` if there is none.
    pub score: Option<String>,
    /// The terms of the reward.
    pub terms: Terms,
    /// The recordings, in order.
    pub recordings: Vec<Recording>,
    /// Statistics over all recordings.
    pub statistics: RunStatistics,
    /// The rewards for screens that occur in no recording.
    pub probes: ProbeResults,
    /// The findings, one for each cause, the worst first.
    pub findings: Vec<Finding>,
}

/// The results and statistics of one recording.
#[derive(Debug, Clone)]
pub struct Recording {
    /// Its name.
    pub name: Arc<str>,
    /// The label in reports: the policy, or else the name; the file name if several recordings have the same policy.
    pub label: String,
    /// The policy that generated the recording, if it is recorded.
    pub policy: Option<String>,
    /// The meanings of the actions, by index.
    pub actions: Vec<String>,
    /// The episodes; their points are the true score.
    pub episodes: Vec<Episode>,
    /// The distinct reasons why frames have no reward.
    pub failures: Vec<ErrorGroup>,
    /// The number of frames without a reward for reasons that are not listed.
    pub other_failures: u64,
    /// Rewards that are not finite.
    pub non_finite: NonFiniteCounts,
    /// Statistics of the program's terms, branches and comparisons.
    pub statistics: RunStatistics,
    /// The sum of each term over finished episodes, in the order of [`Terms::terms`].
    pub finished_term_sums: Vec<f64>,
    /// Statistics of the components that the program itself returns, by name.
    pub components: IndexMap<String, TermStatistics>,
    /// The range of the rewards.
    pub reward_range: Option<Range>,
    /// The number of occurrences of each distinct reward, by its bits, up to a maximum number of rewards.
    pub value_counts: BTreeMap<u64, u64>,
    /// The mean reward and score per frame, of every [`WINDOW_FRAMES`] frames of an episode.
    pub window_means: Vec<[f64; 2]>,
    /// Statistics of the changes of the score between frames.
    pub score_changes: ScoreChanges,
    /// The cumulative reward and score over the first episodes.
    pub curves: Vec<Curve>,
    /// Rewards and scores of idle and repetitive stretches of play.
    pub idle: IdleStatistics,
    /// The maximum units of work of a frame.
    pub max_work: u64,
    /// The units of work of all frames.
    pub work: u64,
    /// The number of executions of each line of the program; `None` for lines without an instruction.
    pub line_hits: Vec<Option<u64>>,
}

/// The frames without a reward for one kind of failure in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorGroup {
    /// The class of the exception, or the kind of the failure.
    pub kind: String,
    /// The line of the program that raised it; `None` if the result itself is invalid.
    pub line: Option<u32>,
    /// The first distinct messages.
    pub messages: Vec<String>,
    /// The number of frames with a message that is not listed.
    pub unlisted_frames: u64,
    /// The number of the first frame affected.
    pub first_frame: u64,
    /// The number of frames affected.
    pub frames: u64,
}

/// Counts of rewards that are not finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NonFiniteCounts {
    /// The number of `NaN` rewards.
    pub nan: u64,
    /// The number of infinite rewards.
    pub infinite: u64,
    /// The first frame with such a reward.
    pub first_frame: Option<u64>,
}

impl Recording {
    /// Returns the number of frames.
    pub fn frames(&self) -> u64 {
        self.episodes.iter().map(|episode| episode.frames).sum()
    }

    /// Returns the number of frames with a reward.
    pub fn rewarded_frames(&self) -> u64 {
        self.episodes.iter().map(|episode| episode.rewarded_frames).sum()
    }

    /// Returns the sum of all rewards; `None` if there are none.
    pub fn total(&self) -> Option<f64> {
        (self.rewarded_frames() > 0).then(|| self.episodes.iter().map(|episode| episode.total).sum())
    }

    /// Returns the true score; `None` if there is none.
    pub fn score(&self) -> Option<f64> {
        self.episodes.iter().map(|episode| episode.score).sum()
    }
}

/// A finding about a reward function.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The kind, such as `dead-term`.
    pub kind: &'static str,
    /// The severity.
    pub severity: Severity,
    /// The message, one sentence.
    pub message: String,
    /// The span in the program.
    pub span: Option<Span>,
    /// The evidence, in English.
    pub evidence: Vec<String>,
    /// The evidence as numbers, by name.
    pub numbers: BTreeMap<&'static str, f64>,
    /// The recommended fix.
    pub help: Vec<String>,
    /// Findings with the same cause, which this finding names.
    pub consequences: Vec<Finding>,
    /// Whether a probe found it; runs with corrected names do not repeat the probes.
    pub is_from_probe: bool,
    /// The rank among findings of the same severity; larger weights come first.
    pub weight: f64,
}

impl Audit {
    /// Returns the correlations of reward and score over recordings, episodes and windows; none without a score.
    pub fn correlations(&self) -> Vec<Correlation> {
        if self.score.is_none() {
            return Vec::new();
        }
        let of = |unit, compared: &RankComparison| Correlation::new(unit, compared.measure, &compared.pairs());
        let windows = self.recordings.iter().flat_map(|recording| recording.window_means.iter().copied());
        vec![
            of("recordings", &self.compare_recordings()),
            of("episodes", &self.compare_episodes()),
            Correlation::new(WINDOW_UNIT, ReturnMeasure::Frame, &windows.collect::<Vec<_>>()),
        ]
    }

    /// Returns the statistics of the program's own components over all recordings.
    pub fn components(&self) -> IndexMap<String, TermStatistics> {
        let mut components: IndexMap<String, TermStatistics> = IndexMap::new();
        for (name, statistics) in self.recordings.iter().flat_map(|recording| &recording.components) {
            components.entry(name.clone()).or_default().merge(statistics);
        }
        components
    }

    /// Returns the span of a range of the program's text.
    pub(crate) fn span(&self, range: SourceRange) -> Span {
        Span::new(self.source.id(), range.start, range.end)
    }

    /// Returns the line and column of the start of a span, starting at 1.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        self.source.line_column(span.start)
    }

    /// Returns the source text of a span, on one line.
    pub fn source_excerpt(&self, span: Span) -> String {
        let text = &self.source.text()[span.start as usize..span.end as usize];
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Returns the line of the start of a span, trimmed.
    pub fn line_text(&self, span: Span) -> &str {
        self.source.text()[self.source.line_range(self.line_column(span).0)].trim()
    }

    /// Returns the line of the start of a span, trimmed; for a long line, the part around the start.
    pub fn excerpt(&self, span: Span) -> Cow<'_, str> {
        let line = self.line_text(span);
        if line.len() <= MAX_EXCERPT_BYTES {
            return Cow::Borrowed(line);
        }
        let before = self.source.text()[self.source.line_range(self.line_column(span).0).start..span.start as usize]
            .trim_start();
        let start = line.floor_char_boundary(before.len().saturating_sub(MAX_EXCERPT_BYTES / 4));
        let end = line.floor_char_boundary(start + MAX_EXCERPT_BYTES);
        let [left, right] = [start > 0, end < line.len()].map(|is_cut| if is_cut { "…" } else { "" });
        Cow::Owned(format!("{left}{}{right}", line[start..end].trim()))
    }

    /// Returns the units of work of all recordings.
    pub fn work(&self) -> u64 {
        self.recordings.iter().fold(0, |sum, recording| sum.saturating_add(recording.work))
    }

    /// Whether some recording has no reward at all.
    pub fn has_recording_without_rewards(&self) -> bool {
        self.recordings.iter().any(|recording| recording.rewarded_frames() == 0)
    }

    /// Whether there is a finding of at least this severity.
    pub fn has_finding_at_least(&self, severity: Severity) -> bool {
        self.all_findings().any(|finding| finding.severity >= severity)
    }

    /// Iterates over all findings, each followed by its consequences.
    pub fn all_findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().flat_map(|finding| std::iter::once(finding).chain(&finding.consequences))
    }

    /// Returns the number of executions of each line in all recordings; `None` for lines without an instruction.
    pub fn line_hits(&self) -> Vec<Option<u64>> {
        let lines = self.recordings.iter().map(|recording| recording.line_hits.len()).max().unwrap_or(0);
        let sum = |line: usize| {
            let hits = self.recordings.iter().filter_map(|recording| *recording.line_hits.get(line)?);
            hits.reduce(|one, other| one + other)
        };
        (0..lines).map(sum).collect()
    }
}

/// The audits of several programs.
#[derive(Debug, Clone, Default)]
pub struct AuditResults {
    /// The audits in the order of the programs; programs that could not run are missing.
    pub audits: Vec<Audit>,
    /// The diagnostics of the missing programs and of the recordings.
    pub diagnostics: Vec<Diagnostic>,
}

/// The magnitude from which numbers are formatted with an exponent.
const EXPONENT_THRESHOLD: f64 = 1e15;

/// Formats a number for people.
pub(crate) fn format_number(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    if number.is_finite() && number.abs() >= EXPONENT_THRESHOLD {
        let text = format!("{number:.3e}");
        return text.split_once('e').map_or_else(String::new, |(digits, exponent)| {
            format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
        });
    }
    // Four significant digits, at most nine decimals.
    let digits = (0..9).find(|&digits| number.abs() * 10f64.powi(digits) >= 1000.0).unwrap_or(9);
    let text = format!("{number:.*}", usize::try_from(digits).unwrap_or_default());
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::format_number;

    #[test]
    fn formatted_numbers_are_short() {
        let cases = [
            (0.098_944, "0.09894"),
            (-12_301.0, "-12301"),
            (1e15, "1e15"),
            (-1.234_56e308, "-1.235e308"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (number, text) in cases {
            assert_eq!(format_number(number), text);
        }
    }
}
