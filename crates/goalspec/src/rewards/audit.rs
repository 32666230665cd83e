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
//! | `pockets` | stretches of play that may earn without playing: standing still, one action for ever |
//! | [`statistics`] | correlations, and how two ways of ordering agree |
//! | `rules` | what is wrong, with the evidence |
//! | `curves` | how reward and score grow |
//! | `tables` | what reports for people list |
//! | `text`, `json`, `html` | reports |

mod collect;
mod curves;
#[cfg(feature = "draw")]
mod html;
mod json;
mod pockets;
mod rules;
pub mod statistics;
mod tables;
mod text;

use std::collections::BTreeMap;
use std::sync::Arc;

use goalspec_reward::observe::{Observation, Range, TermSeen};
use goalspec_reward::terms::Terms;
use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span};
use indexmap::IndexMap;

use super::score::{Episode, Failure};
use super::world::RewardWorld;

pub use collect::audit;
pub use curves::Curve;
#[cfg(feature = "draw")]
pub use html::html;
pub use json::json;
pub use pockets::{HOVER_FRAMES, HOVER_REACH, Pocket, Pockets, Run, Tally};
use statistics::Correlation;
pub use text::text;

/// How an audit is done.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Which recorded reward is the true score: what the recording has under this name, or else what the game gave.
    pub score_column: Option<String>,
    /// Whether traces that name another world are taken by worlds that take no others.
    pub any_world: bool,
}

/// So many frames are a window, in which reward and score are summed up to be compared.
pub const WINDOW: u64 = 100;

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
    /// The findings, the worst first.
    pub findings: Vec<Finding>,
}

/// What a program made of one recording.
#[derive(Debug, Clone)]
pub struct Recording {
    /// Its name.
    pub name: Arc<str>,
    /// The policy that played, if it says so.
    pub policy: Option<String>,
    /// What its actions mean.
    pub actions: Vec<String>,
    /// The episodes; points are the true score.
    pub episodes: Vec<Episode>,
    /// Why frames have no reward.
    pub failures: Vec<Failure>,
    /// What was seen.
    pub seen: Observation,
    /// What the parts came to that the program itself tells.
    pub components: IndexMap<String, TermSeen>,
    /// Rewards, from where to where.
    pub range: Option<Range>,
    /// How often rewards were given, by their bits, the first different ones.
    pub values: BTreeMap<u64, u64>,
    /// Reward and score of every [`WINDOW`] frames.
    pub windows: Vec<[f64; 2]>,
    /// How reward and score grow, in the first episodes.
    pub curves: Vec<Curve>,
    /// What stretches of play earn.
    pub pockets: Pockets,
    /// The most instructions that a frame took.
    pub instructions: u64,
}

impl Recording {
    /// The policy that played, or else the recording's name.
    pub fn label(&self) -> &str {
        self.policy.as_deref().unwrap_or(&self.name)
    }

    /// How many frames there are.
    pub fn frames(&self) -> u64 {
        self.episodes.iter().map(|episode| episode.frames).sum()
    }

    /// How many frames have a reward.
    pub fn rewarded(&self) -> u64 {
        self.episodes.iter().map(|episode| episode.rewarded).sum()
    }

    /// The sum of all rewards.
    pub fn total(&self) -> f64 {
        self.episodes.iter().map(|episode| episode.total).sum()
    }

    /// Reward and score of a frame, on average: recordings are of different lengths. Without a score, that is 0.
    pub(super) fn rates(&self) -> [f64; 2] {
        [self.total(), self.score().unwrap_or_default()].map(|sum| sum / self.frames().max(1) as f64)
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
    /// Among findings of one severity, greater ones come first.
    pub weight: f64,
}

impl Audit {
    /// How reward and score go together, if there is a score: of recordings and of episodes, what a frame has on average; of windows, the sums.
    pub fn correlations(&self) -> Vec<Correlation> {
        if self.score.is_none() {
            return Vec::new();
        }
        let recordings: Vec<[f64; 2]> = self.recordings.iter().map(Recording::rates).collect();
        let episodes = self.recordings.iter().flat_map(|recording| &recording.episodes);
        let rates = |episode: &Episode| {
            [episode.total, episode.points.unwrap_or_default()].map(|sum| sum / episode.frames.max(1) as f64)
        };
        let windows = self.recordings.iter().flat_map(|recording| recording.windows.iter().copied());
        vec![
            Correlation::new("recordings", &recordings),
            Correlation::new("episodes", &episodes.map(rates).collect::<Vec<_>>()),
            Correlation::new(WINDOWS_OF, &windows.collect::<Vec<_>>()),
        ]
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

    /// Whether something at least as bad as this was found.
    pub fn has(&self, severity: Severity) -> bool {
        self.findings.iter().any(|finding| finding.severity >= severity)
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

/// A number for people.
pub(crate) fn shown(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    // Four digits that say something, none behind the ninth decimal.
    let digits = (0..9).find(|&digits| number.abs() * 10f64.powi(digits) >= 1000.0).unwrap_or(9);
    let text = format!("{number:.*}", usize::try_from(digits).unwrap_or_default());
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
