//! What recordings and episodes earn, so that they can be compared.
//!
//! Episodes that were played to their end are compared by what they come to. One that is cut may have come to anything: where there are too
//! few others, what a frame earns is compared. Frames and episodes without a reward are left out.

use super::{Audit, Recording, shown};
use crate::rewards::score::Episode;

/// By what two are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// What an episode earns that was played to its end; of several, on average.
    Episode,
    /// What a frame earns on average.
    Frame,
}

impl Measure {
    /// What it is of: `an episode`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Episode => "an episode",
            Self::Frame => "a frame",
        }
    }
}

/// What one of those that are compared earned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Earned {
    /// The place of the recording.
    pub recording: usize,
    /// The number of the episode, of episodes.
    pub episode: Option<u64>,
    /// The reward.
    pub reward: f64,
    /// The true score.
    pub score: f64,
}

/// What there is to compare.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// By what.
    pub measure: Measure,
    /// What each earned.
    pub earned: Vec<Earned>,
}

impl Comparison {
    /// Reward and score of each.
    pub fn pairs(&self) -> Vec<[f64; 2]> {
        self.earned.iter().map(|earned| [earned.reward, earned.score]).collect()
    }
}

/// What an episode comes to by a measure.
fn earned(recording: usize, measure: Measure, episode: &Episode) -> Earned {
    let (rewarded, frames) = match measure {
        Measure::Episode => (1.0, 1.0),
        Measure::Frame => (episode.rewarded as f64, episode.frames as f64),
    };
    let score = episode.points.unwrap_or_default() / frames;
    Earned { recording, episode: Some(episode.number), reward: episode.total / rewarded, score }
}

impl Recording {
    /// The episodes that were played to their end and have a reward.
    pub fn finished(&self) -> impl Iterator<Item = &Episode> {
        self.episodes.iter().filter(|episode| episode.finished && episode.rewarded > 0)
    }

    /// What it earns by a measure; `None` if it has nothing that is measured so.
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

    /// What a term came to by a measure.
    pub(super) fn term(&self, term: usize, measure: Measure) -> f64 {
        match measure {
            Measure::Episode => self.finished_terms[term] / self.finished().count() as f64,
            Measure::Frame => self.seen.terms[term].sum / self.rewarded() as f64,
        }
    }

    /// What it earns, in words; of a recording that is compared.
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
    /// What the recordings earn: an episode on average if all have one that is finished, else a frame.
    pub fn by_recording(&self) -> Comparison {
        let whole = self.recordings.iter().all(|recording| recording.finished().next().is_some());
        let measure = if whole { Measure::Episode } else { Measure::Frame };
        let recordings = self.recordings.iter().enumerate();
        let earned = recordings.filter_map(|(place, recording)| recording.earned(place, measure));
        Comparison { measure, earned: earned.collect() }
    }

    /// What the finished episodes earn; if there are not two of them, a frame of each episode.
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
