//! Comparisons of recordings and episodes by reward and score.
//!
//! Finished episodes are compared by their totals. The total of a truncated episode is unknown: where there are too few finished episodes,
//! the means per frame are compared instead. Frames and episodes without a reward are ignored.

use super::{Audit, Recording, shown};
use crate::rewards::score::Episode;

/// The measure by which recordings or episodes are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The total of a finished episode; for several episodes, the mean total.
    Episode,
    /// The mean per frame.
    Frame,
}

impl Measure {
    /// Returns the name of the unit: `per episode`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Episode => "per episode",
            Self::Frame => "per frame",
        }
    }
}

/// The reward and score of one recording or episode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Earned {
    /// The index of the recording.
    pub recording: usize,
    /// The number of the episode; `None` for a whole recording.
    pub episode: Option<u64>,
    /// The reward by the measure.
    pub reward: f64,
    /// The true score by the measure.
    pub score: f64,
}

/// A comparison of recordings or episodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The measure.
    pub measure: Measure,
    /// The reward and score of each recording or episode.
    pub earned: Vec<Earned>,
}

impl Comparison {
    /// Returns the reward and score of each item.
    pub fn pairs(&self) -> Vec<[f64; 2]> {
        self.earned.iter().map(|earned| [earned.reward, earned.score]).collect()
    }
}

/// Returns the reward and score of an episode by a measure.
fn earned(recording: usize, measure: Measure, episode: &Episode) -> Earned {
    let (rewarded, frames) = match measure {
        Measure::Episode => (1.0, 1.0),
        Measure::Frame => (episode.rewarded as f64, episode.frames as f64),
    };
    let score = episode.points.unwrap_or_default() / frames;
    Earned { recording, episode: Some(episode.number), reward: episode.total / rewarded, score }
}

impl Recording {
    /// Iterates over the finished episodes that have a reward.
    pub fn finished(&self) -> impl Iterator<Item = &Episode> {
        self.episodes.iter().filter(|episode| episode.finished && episode.rewarded > 0)
    }

    /// Returns the recording's reward and score by a measure; `None` if the measure does not apply to it.
    pub(super) fn earned(&self, place: usize, measure: Measure) -> Option<Earned> {
        let whole = match measure {
            Measure::Episode => {
                let count = self.finished().count() as f64;
                let mean = |sum: f64| sum / count;
                let total = mean(self.finished().map(|episode| episode.total).sum());
                let score = mean(self.finished().map(|episode| episode.points.unwrap_or_default()).sum());
                (count > 0.0).then_some((total, score))
            }
            Measure::Frame => self.total().map(|total| {
                let score = self.score().unwrap_or_default();
                (total / self.rewarded() as f64, score / self.frames() as f64)
            }),
        };
        whole.map(|(reward, score)| Earned { recording: place, episode: None, reward, score })
    }

    /// Returns the contribution of a term by a measure.
    pub(super) fn term(&self, term: usize, measure: Measure) -> f64 {
        match measure {
            Measure::Episode => self.finished_terms[term] / self.finished().count() as f64,
            Measure::Frame => self.seen.terms[term].sum / self.rewarded() as f64,
        }
    }

    /// Describes the reward and score of the recording; for recordings that are compared.
    pub(super) fn in_words(&self, measure: Measure) -> String {
        let Some(Earned { reward, score, .. }) = self.earned(0, measure) else {
            return format!("{}: no reward", self.label);
        };
        let (count, what) = match measure {
            Measure::Episode => (self.finished().count() as u64, "finished episode"),
            Measure::Frame => (self.frames(), "frame"),
        };
        let (by, plural) = (measure.words(), if count == 1 { "" } else { "s" });
        let (reward, score) = (shown(reward), shown(score));
        format!("{}: reward {reward} {by}, score {score} {by}, in {count} {what}{plural}", self.label)
    }
}

impl Audit {
    /// Compares the recordings: by episode if each has a finished one, or else by frame.
    pub fn by_recording(&self) -> Comparison {
        let whole = self.recordings.iter().all(|recording| recording.finished().next().is_some());
        let measure = if whole { Measure::Episode } else { Measure::Frame };
        let recordings = self.recordings.iter().enumerate();
        let earned = recordings.filter_map(|(place, recording)| recording.earned(place, measure));
        Comparison { measure, earned: earned.collect() }
    }

    /// Compares the finished episodes, or, if there are fewer than two, the means per frame of all episodes.
    pub fn by_episode(&self) -> Comparison {
        let finished = self.recordings.iter().flat_map(Recording::finished).count();
        let measure = if finished > 1 { Measure::Episode } else { Measure::Frame };
        let compared = |episode: &&Episode| episode.rewarded > 0 && (episode.finished || measure == Measure::Frame);
        let of = |(place, recording): (usize, &Recording)| {
            let episodes = recording.episodes.iter().filter(compared);
            episodes.map(|episode| earned(place, measure, episode)).collect::<Vec<_>>()
        };
        Comparison { measure, earned: self.recordings.iter().enumerate().flat_map(of).collect() }
    }
}
