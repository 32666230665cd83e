//! Detection of scores that are running totals, as games display them, instead of the score of each frame.

/// The minimum number of frames of a running total that repeat the previous non-zero score.
const KEPT: u64 = 16;

/// The minimum ratio of repeated to changed scores of a running total.
const KEPT_TO_CHANGED: u64 = 4;

/// Statistics of the changes of the score between consecutive frames.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Steps {
    before: Option<f64>,
    /// The number of frames with a larger score than the previous one.
    pub rises: u64,
    /// The number of frames with a smaller score than the previous one.
    pub falls: u64,
    /// The number of frames with the same non-zero score as the previous one.
    pub kept: u64,
    /// The number of changes in the current episode.
    changes: u64,
    /// The maximum number of changes in an episode.
    most_changes: u64,
}

impl Steps {
    /// Begins the next episode.
    pub(super) fn restart(&mut self) {
        (self.before, self.changes) = (None, 0);
    }

    /// Adds a frame.
    #[allow(clippy::float_cmp, reason = "a total that stays as it is has the same number")]
    pub(super) fn add(&mut self, score: f64) {
        let Some(before) = self.before.replace(score) else { return };
        self.rises += u64::from(score > before);
        self.falls += u64::from(score < before);
        self.changes += u64::from(score != before);
        self.most_changes = self.most_changes.max(self.changes);
        self.kept += u64::from(score == before && score != 0.0);
    }

    /// Whether the score looks like a running total: within episodes it is monotonic, changes more than once and mostly repeats.
    pub fn look_running(&self) -> bool {
        let one_way = (self.rises == 0) != (self.falls == 0);
        let stays = self.kept >= KEPT.max(KEPT_TO_CHANGED * (self.rises + self.falls));
        one_way && self.most_changes > 1 && stays
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look_running(episodes: &[Vec<f64>]) -> bool {
        let mut steps = Steps::default();
        for episode in episodes {
            steps.restart();
            for score in episode {
                steps.add(*score);
            }
        }
        steps.look_running()
    }

    #[test]
    fn totals_are_told_from_steps() {
        let total = |sign: f64| (0..100).map(|frame| sign * f64::from(frame / 25)).collect::<Vec<_>>();
        assert!(look_running(&[total(1.0)]));
        assert!(look_running(&[total(-1.0), total(-1.0)]));
        // It grows in one episode and shrinks in another, as no total does.
        assert!(!look_running(&[total(1.0), total(-1.0)]));
        let step = |frame: i32| f64::from(u8::from(frame % 25 == 0));
        assert!(!look_running(&[(0..100).map(step).collect()]));
        // Every frame earns as much; every frame from one on does; every frame earns more.
        assert!(!look_running(&[vec![1.0; 100]]));
        assert!(!look_running(&[(0..100).map(|frame| f64::from(u8::from(frame > 50))).collect()]));
        assert!(!look_running(&[(0..100).map(f64::from).collect()]));
    }
}
