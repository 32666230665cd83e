//! Growth of reward and score over an episode.

/// The maximum number of episodes of a recording that have curves.
pub(crate) const MAX_CURVES: usize = 12;

/// The limit of the number of points of a curve.
const MAX_POINTS: usize = 400;

/// The cumulative reward and score of an episode at regular intervals.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The number of the episode.
    pub episode: u64,
    points: Vec<[f64; 3]>,
    /// The number of frames between points.
    stride: u64,
    frames: u64,
    sums: [f64; 2],
}

impl Curve {
    pub(crate) fn new(episode: u64) -> Self {
        Self { episode, points: vec![[0.0; 3]], stride: 1, frames: 0, sums: [0.0; 2] }
    }

    pub(crate) fn add_frame(&mut self, reward: f64, score: f64) {
        self.frames += 1;
        self.sums = [self.sums[0] + reward, self.sums[1] + score];
        if self.frames.is_multiple_of(self.stride) {
            self.points.push(self.current_point());
        }
        if self.points.len() == MAX_POINTS {
            self.stride *= 2;
            let mut place = 0;
            self.points.retain(|_| {
                place += 1;
                place % 2 == 1
            });
        }
    }

    fn current_point(&self) -> [f64; 3] {
        [self.frames as f64, self.sums[0], self.sums[1]]
    }

    /// Iterates over points of frame, cumulative reward and cumulative score, up to the last frame.
    pub fn points(&self) -> impl Iterator<Item = [f64; 3]> + '_ {
        let last = self.current_point();
        let ended = self.points.last().is_some_and(|point| point[0] >= last[0]);
        self.points.iter().copied().chain((!ended).then_some(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_episodes_have_few_points() {
        let mut curve = Curve::new(0);
        for _ in 0..10_001 {
            curve.add_frame(0.5, 2.0);
        }
        let points: Vec<[f64; 3]> = curve.points().collect();
        assert!(points.len() <= MAX_POINTS, "{}", points.len());
        assert_eq!((points[0], points[points.len() - 1]), ([0.0; 3], [10_001.0, 5000.5, 20_002.0]));
        let straight: Vec<[f64; 3]> = points.iter().map(|&[frame, ..]| [frame, frame * 0.5, frame * 2.0]).collect();
        assert_eq!(points, straight);
        assert!(points.windows(2).all(|two| two[0][0] < two[1][0]));
    }
}
