//! Comparisons of recordings and episodes by reward and score.
//!
//! Finished episodes are compared by their totals. The total of a truncated episode is unknown: where there are too few finished episodes,
//! the means per frame are compared instead. Frames and episodes without a reward are ignored.

use goalspec_rewards::score::Episode;

use crate::{Audit, Recording, format_number};

/// The measure by which recordings or episodes are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnMeasure {
    /// The total of a finished episode; for several episodes, the mean total.
    Episode,
    /// The mean per frame.
    Frame,
}

impl ReturnMeasure {
    /// Returns the name of the unit: `per episode`.
    pub fn unit_name(self) -> &'static str {
        match self {
            Self::Episode => "per episode",
            Self::Frame => "per frame",
        }
    }
}

/// The reward and score of one recording or episode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReturnSample {
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
pub struct RankComparison {
    /// The measure.
    pub measure: ReturnMeasure,
    /// The reward and score of each recording or episode.
    pub samples: Vec<ReturnSample>,
}

impl RankComparison {
    /// Returns the reward and score of each item.
    pub fn pairs(&self) -> Vec<[f64; 2]> {
        self.samples.iter().map(|earned| [earned.reward, earned.score]).collect()
    }
}

/// Returns the reward and score of an episode by a measure.
fn episode_sample(recording: usize, measure: ReturnMeasure, episode: &Episode) -> ReturnSample {
    let (rewarded, frames) = match measure {
        ReturnMeasure::Episode => (1.0, 1.0),
        ReturnMeasure::Frame => (episode.rewarded_frames as f64, episode.frames as f64),
    };
    let score = episode.score.unwrap_or_default() / frames;
    ReturnSample { recording, episode: Some(episode.number), reward: episode.total / rewarded, score }
}

impl Recording {
    /// Iterates over the finished episodes that have a reward.
    pub fn finished_episodes(&self) -> impl Iterator<Item = &Episode> {
        self.episodes.iter().filter(|episode| episode.finished && episode.rewarded_frames > 0)
    }

    /// Returns the recording's reward and score by a measure; `None` if the measure does not apply to it.
    pub(crate) fn return_sample(&self, place: usize, measure: ReturnMeasure) -> Option<ReturnSample> {
        let whole = match measure {
            ReturnMeasure::Episode => {
                let count = self.finished_episodes().count() as f64;
                let mean = |sum: f64| sum / count;
                let total = mean(self.finished_episodes().map(|episode| episode.total).sum());
                let score = mean(self.finished_episodes().map(|episode| episode.score.unwrap_or_default()).sum());
                (count > 0.0).then_some((total, score))
            }
            ReturnMeasure::Frame => self.total().map(|total| {
                let score = self.score().unwrap_or_default();
                (total / self.rewarded_frames() as f64, score / self.frames() as f64)
            }),
        };
        whole.map(|(reward, score)| ReturnSample { recording: place, episode: None, reward, score })
    }

    /// Returns the contribution of a term by a measure.
    pub(crate) fn term_contribution(&self, term: usize, measure: ReturnMeasure) -> f64 {
        match measure {
            ReturnMeasure::Episode => self.finished_term_sums[term] / self.finished_episodes().count() as f64,
            ReturnMeasure::Frame => self.statistics.terms[term].sum / self.rewarded_frames() as f64,
        }
    }

    /// Describes the reward and score of the recording; for recordings that are compared.
    pub(crate) fn describe_return(&self, measure: ReturnMeasure) -> String {
        let Some(ReturnSample { reward, score, .. }) = self.return_sample(0, measure) else {
            return format!("{}: no reward", self.label);
        };
        let (count, unit) = match measure {
            ReturnMeasure::Episode => (self.finished_episodes().count() as u64, "finished episode"),
            ReturnMeasure::Frame => (self.frames(), "frame"),
        };
        let (by, plural) = (measure.unit_name(), if count == 1 { "" } else { "s" });
        let (reward, score) = (format_number(reward), format_number(score));
        format!("{}: reward {reward} {by}, score {score} {by}, in {count} {unit}{plural}", self.label)
    }
}

impl Audit {
    /// Compares the recordings: by episode if each has a finished one, or else by frame.
    pub fn compare_recordings(&self) -> RankComparison {
        let whole = self.recordings.iter().all(|recording| recording.finished_episodes().next().is_some());
        let measure = if whole { ReturnMeasure::Episode } else { ReturnMeasure::Frame };
        let recordings = self.recordings.iter().enumerate();
        let earned = recordings.filter_map(|(place, recording)| recording.return_sample(place, measure));
        RankComparison { measure, samples: earned.collect() }
    }

    /// Compares the finished episodes, or, if there are fewer than two, the means per frame of all episodes.
    pub fn compare_episodes(&self) -> RankComparison {
        let finished = self.recordings.iter().flat_map(Recording::finished_episodes).count();
        let measure = if finished > 1 { ReturnMeasure::Episode } else { ReturnMeasure::Frame };
        let compared =
            |episode: &&Episode| episode.rewarded_frames > 0 && (episode.finished || measure == ReturnMeasure::Frame);
        let of = |(place, recording): (usize, &Recording)| {
            let episodes = recording.episodes.iter().filter(compared);
            episodes.map(|episode| episode_sample(place, measure, episode)).collect::<Vec<_>>()
        };
        RankComparison { measure, samples: self.recordings.iter().enumerate().flat_map(of).collect() }
    }
}
