//! Whether a reward function asks for what its game asks for, told from recordings.
//!
//! ```text
//! program + recordings --collect--> Audit: what every term, branch and comparison did, what stretches of play earn
//! Audit --rules--> findings, the worst first --text, json, html--> reports
//! ```
//!
//! | module | what lives there |
//! |---|---|
//! | `collect` | one pass over the recordings |
//! | `compare` | what recordings and episodes earn |
//! | `running` | whether a score is a running total |
//! | `pockets` | stretches of play that may earn without playing: standing still, one action for ever |
//! | [`probe`] | what the program pays for screens that no recording shows |
//! | [`statistics`] | correlations, and how two ways of ordering agree |
//! | `rules` | what is wrong, with the evidence |
//! | [`codes`] | what every kind of finding means |
//! | `curves` | how reward and score grow |
//! | `tables` | what reports for people list |
//! | `text`, `json`, `html` | reports |

pub mod codes;
mod collect;
mod compare;
mod curves;
#[cfg(feature = "draw")]
mod html;
mod json;
mod pockets;
pub mod probe;
mod rules;
mod running;
pub mod statistics;
mod tables;
mod text;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use goalspec_reward::observe::{Observation, Range, TermSeen};
use goalspec_reward::terms::Terms;
use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span};
use indexmap::IndexMap;

use super::score::Episode;
use super::world::RewardWorld;

pub use collect::audit;
pub use compare::{Comparison, Earned, Measure};
pub use curves::Curve;
#[cfg(feature = "draw")]
pub use html::html;
pub use json::json;
pub use pockets::{HOVER_FRAMES, HOVER_REACH, Pocket, Pockets, Run, Tally};
use probe::Probes;
pub use running::Steps;
use statistics::Correlation;
pub use text::text;

/// How an audit is done.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Which recorded reward is the true score: what the recording has under this name, or else what the game gave.
    pub score_column: Option<String>,
    /// Whether traces that name another world are taken by worlds that take no others.
    pub any_world: bool,
    /// Whether a damaged recording is looked at up to the damage.
    pub partial: bool,
    /// Whether nothing but the recordings is looked at: no probes, and no tries with other names.
    pub recordings_only: bool,
}

/// So many frames are a window, in which reward and score are summed up to be compared.
pub const WINDOW: u64 = 100;

/// Most bytes of a line of the program that a report shows with a finding.
const MAX_EXCERPT: usize = 200;

/// What a [`Correlation`] over windows is of.
pub const WINDOWS_OF: &str = "windows";

/// What came of an audit.
#[derive(Debug, Clone)]
pub struct Audit {
    /// The program's name.
    pub program: Arc<str>,
    /// Its text.
    pub source: SourceFile,
    /// The function that gives the reward.
    pub function: String,
    /// The world of the recordings.
    pub world: RewardWorld,
    /// What the true score is: `r` for what the game gave; `None` if there is none.
    pub score: Option<String>,
    /// What the reward is the sum of.
    pub terms: Terms,
    /// The recordings, in order.
    pub recordings: Vec<Recording>,
    /// What was seen in all of them.
    pub seen: Observation,
    /// What the program pays for screens that no recording shows.
    pub probes: Probes,
    /// The findings, the worst first: one for each cause.
    pub findings: Vec<Finding>,
}

/// What a program made of one recording.
#[derive(Debug, Clone)]
pub struct Recording {
    /// Its name.
    pub name: Arc<str>,
    /// What it is called in reports: the policy that played, or else its name; where several have one policy, the names of their files.
    pub label: String,
    /// The policy that played, if it says so.
    pub policy: Option<String>,
    /// What its actions mean.
    pub actions: Vec<String>,
    /// The episodes; points are the true score.
    pub episodes: Vec<Episode>,
    /// Why frames have no reward.
    pub failures: Vec<Raised>,
    /// How many have none for reasons beyond those.
    pub other_failures: u64,
    /// Rewards that are no finite numbers.
    pub not_finite: NotFinite,
    /// What was seen.
    pub seen: Observation,
    /// What each term came to in finished episodes, in the order of [`Terms::list`].
    pub finished_terms: Vec<f64>,
    /// What the parts came to that the program itself tells.
    pub components: IndexMap<String, TermSeen>,
    /// Rewards, from where to where.
    pub range: Option<Range>,
    /// How often rewards were given, by their bits, the first different ones.
    pub values: BTreeMap<u64, u64>,
    /// Reward and score of a frame on average, of every [`WINDOW`] frames of an episode.
    pub windows: Vec<[f64; 2]>,
    /// How the score goes from frame to frame.
    pub steps: Steps,
    /// How reward and score grow, in the first episodes.
    pub curves: Vec<Curve>,
    /// What stretches of play earn.
    pub pockets: Pockets,
    /// The most units of work that a frame took.
    pub most_work: u64,
    /// Units of work of all frames.
    pub work: u64,
    /// How often each line of the program was begun; `None` for lines without an instruction.
    pub line_hits: Vec<Option<u64>>,
}

/// Why frames have no reward: of one kind, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raised {
    /// The class of the exception, or what else is wrong.
    pub kind: String,
    /// The line of the program in which it came up; none for what is wrong with a result.
    pub line: Option<u32>,
    /// What it says: the first different texts.
    pub messages: Vec<String>,
    /// How often it says something else.
    pub others: u64,
    /// The first frame.
    pub first: u64,
    /// How many frames.
    pub count: u64,
}

/// Rewards that are no finite numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NotFinite {
    /// How many are `NaN`.
    pub nan: u64,
    /// How many are infinite.
    pub infinite: u64,
    /// The first frame with one.
    pub first: Option<u64>,
}

impl Recording {
    /// How many frames there are.
    pub fn frames(&self) -> u64 {
        self.episodes.iter().map(|episode| episode.frames).sum()
    }

    /// How many frames have a reward.
    pub fn rewarded(&self) -> u64 {
        self.episodes.iter().map(|episode| episode.rewarded).sum()
    }

    /// The sum of all rewards; `None` if there are none.
    pub fn total(&self) -> Option<f64> {
        (self.rewarded() > 0).then(|| self.episodes.iter().map(|episode| episode.total).sum())
    }

    /// The true score; `None` if there is none.
    pub fn score(&self) -> Option<f64> {
        self.episodes.iter().map(|episode| episode.points).sum()
    }
}

/// Something that is wrong with a reward function, or worth knowing.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Its kind, such as `dead-term`.
    pub kind: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What it is, in a sentence.
    pub message: String,
    /// Where, in the program.
    pub span: Option<Span>,
    /// What was seen.
    pub evidence: Vec<String>,
    /// The same as numbers.
    pub numbers: BTreeMap<&'static str, f64>,
    /// What to do.
    pub mend: String,
    /// Findings with the same cause, which this one names.
    pub consequences: Vec<Finding>,
    /// Whether probes found it, which programs with other names in place of unknown ones are run without.
    pub is_of_probe: bool,
    /// Among findings of one severity, greater ones come first.
    pub weight: f64,
}

impl Audit {
    /// How reward and score go together, if there is a score: of recordings, episodes and windows.
    pub fn correlations(&self) -> Vec<Correlation> {
        if self.score.is_none() {
            return Vec::new();
        }
        let of = |what, compared: &Comparison| Correlation::new(what, compared.measure, &compared.pairs());
        let windows = self.recordings.iter().flat_map(|recording| recording.windows.iter().copied());
        vec![
            of("recordings", &self.by_recording()),
            of("episodes", &self.by_episode()),
            Correlation::new(WINDOWS_OF, Measure::Frame, &windows.collect::<Vec<_>>()),
        ]
    }

    /// What the parts came to that the program itself tells, in all recordings.
    pub fn components(&self) -> IndexMap<String, TermSeen> {
        let mut components: IndexMap<String, TermSeen> = IndexMap::new();
        for (name, seen) in self.recordings.iter().flat_map(|recording| &recording.components) {
            components.entry(name.clone()).or_default().merge(seen);
        }
        components
    }

    /// The line and the column of a place, from 1 on.
    pub fn place(&self, span: Span) -> (usize, usize) {
        self.source.line_column(span.start)
    }

    /// What stands there, on one line.
    pub fn written(&self, span: Span) -> String {
        let text = &self.source.text()[span.start as usize..span.end as usize];
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The line in which a place is, without its indentation.
    pub fn line_of(&self, span: Span) -> &str {
        self.source.text()[self.source.line_range(self.place(span).0)].trim()
    }

    /// The line in which a place is, without its indentation; of a long line, the part around the place.
    pub fn excerpt(&self, span: Span) -> Cow<'_, str> {
        let line = self.line_of(span);
        if line.len() <= MAX_EXCERPT {
            return Cow::Borrowed(line);
        }
        let before =
            self.source.text()[self.source.line_range(self.place(span).0).start..span.start as usize].trim_start();
        let start = line.floor_char_boundary(before.len().saturating_sub(MAX_EXCERPT / 4));
        let end = line.floor_char_boundary(start + MAX_EXCERPT);
        let [left, right] = [start > 0, end < line.len()].map(|is_cut| if is_cut { "…" } else { "" });
        Cow::Owned(format!("{left}{}{right}", line[start..end].trim()))
    }

    /// Units of work that the recordings took.
    pub fn work(&self) -> u64 {
        self.recordings.iter().fold(0, |sum, recording| sum.saturating_add(recording.work))
    }

    /// Whether there is a recording without a single reward.
    pub fn lacks_rewards(&self) -> bool {
        self.recordings.iter().any(|recording| recording.rewarded() == 0)
    }

    /// Whether something at least as bad as this was found.
    pub fn has(&self, severity: Severity) -> bool {
        self.all_findings().any(|finding| finding.severity >= severity)
    }

    /// All findings, each before those with the same cause.
    pub fn all_findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().flat_map(|finding| std::iter::once(finding).chain(&finding.consequences))
    }

    /// How often each line of the program was begun in all recordings; `None` for lines without an instruction.
    pub fn line_hits(&self) -> Vec<Option<u64>> {
        let lines = self.recordings.iter().map(|recording| recording.line_hits.len()).max().unwrap_or(0);
        let sum = |line: usize| {
            let hits = self.recordings.iter().filter_map(|recording| *recording.line_hits.get(line)?);
            hits.reduce(|one, other| one + other)
        };
        (0..lines).map(sum).collect()
    }
}

/// What came of an audit of several programs.
#[derive(Debug, Clone, Default)]
pub struct Audited {
    /// In the order of the programs; those that could not be run are missing.
    pub audits: Vec<Audit>,
    /// Why programs are missing, and what was noticed.
    pub diagnostics: Vec<Diagnostic>,
}

/// From here on, numbers for people have exponents.
const WRITTEN_OUT: f64 = 1e15;

/// A number for people.
pub(crate) fn shown(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    if number.is_finite() && number.abs() >= WRITTEN_OUT {
        let text = format!("{number:.3e}");
        return text.split_once('e').map_or_else(String::new, |(digits, exponent)| {
            format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
        });
    }
    // Four digits that say something, none behind the ninth decimal.
    let digits = (0..9).find(|&digits| number.abs() * 10f64.powi(digits) >= 1000.0).unwrap_or(9);
    let text = format!("{number:.*}", usize::try_from(digits).unwrap_or_default());
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn numbers_for_people_are_short() {
        let cases = [
            (0.098_944, "0.09894"),
            (-12_301.0, "-12301"),
            (1e15, "1e15"),
            (-1.234_56e308, "-1.235e308"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (number, text) in cases {
            assert_eq!(shown(number), text);
        }
    }
}
