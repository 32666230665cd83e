//! Detection of scores that are running totals, as games display them, instead of the score of each frame.

/// The minimum number of frames of a running total that repeat the previous non-zero score.
const MIN_REPEATED_FRAMES: u64 = 16;

/// The minimum ratio of repeated to changed scores of a running total.
const MIN_REPEAT_RATIO: u64 = 4;

/// Statistics of the changes of the score between consecutive frames.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ScoreChanges {
    previous: Option<f64>,
    /// The number of frames with a larger score than the previous one.
    pub rises: u64,
    /// The number of frames with a smaller score than the previous one.
    pub falls: u64,
    /// The number of frames with the same non-zero score as the previous one.
    pub repeats: u64,
    /// The number of changes in the current episode.
    changes: u64,
    /// The maximum number of changes in an episode.
    max_changes: u64,
}

impl ScoreChanges {
    /// Begins the next episode.
    pub(crate) fn begin_episode(&mut self) {
        (self.previous, self.changes) = (None, 0);
    }

    /// Adds a frame.
    #[allow(clippy::float_cmp, reason = "a total that stays as it is has the same number")]
    pub(crate) fn add_frame(&mut self, score: f64) {
        let Some(before) = self.previous.replace(score) else { return };
        self.rises += u64::from(score > before);
        self.falls += u64::from(score < before);
        self.changes += u64::from(score != before);
        self.max_changes = self.max_changes.max(self.changes);
        self.repeats += u64::from(score == before && score != 0.0);
    }

    /// Whether the score looks like a running total: within episodes it is monotonic, changes more than once and mostly repeats.
    pub fn is_running_total(&self) -> bool {
        let one_way = (self.rises == 0) != (self.falls == 0);
        let stays = self.repeats >= MIN_REPEATED_FRAMES.max(MIN_REPEAT_RATIO * (self.rises + self.falls));
        one_way && self.max_changes > 1 && stays
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_running_total(episodes: &[Vec<f64>]) -> bool {
        let mut steps = ScoreChanges::default();
        for episode in episodes {
            steps.begin_episode();
            for score in episode {
                steps.add_frame(*score);
            }
        }
        steps.is_running_total()
    }

    #[test]
    fn running_totals_are_detected() {
        let total = |sign: f64| (0..100).map(|frame| sign * f64::from(frame / 25)).collect::<Vec<_>>();
        assert!(is_running_total(&[total(1.0)]));
        assert!(is_running_total(&[total(-1.0), total(-1.0)]));
        // It grows in one episode and shrinks in another, as no total does.
        assert!(!is_running_total(&[total(1.0), total(-1.0)]));
        let step = |frame: i32| f64::from(u8::from(frame % 25 == 0));
        assert!(!is_running_total(&[(0..100).map(step).collect()]));
        // Every frame earns as much; every frame from one on does; every frame earns more.
        assert!(!is_running_total(&[vec![1.0; 100]]));
        assert!(!is_running_total(&[(0..100).map(|frame| f64::from(u8::from(frame > 50))).collect()]));
        assert!(!is_running_total(&[(0..100).map(f64::from).collect()]));
    }
}
