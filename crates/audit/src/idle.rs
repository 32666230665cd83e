//! Rewards and scores of stretches of play that may earn without playing.

use std::collections::{BTreeMap, VecDeque};

use goalspec_atari::GameObject;
use goalspec_rewards::frames::{RecordedFrame, Scene};

/// Totals of reward and score over a set of frames.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RewardTotals {
    /// The number of frames.
    pub frames: u64,
    /// The number of frames with a finite reward.
    pub rewarded_frames: u64,
    /// The sum of the finite rewards.
    pub reward: f64,
    /// The sum of the true scores.
    pub score: f64,
}

impl RewardTotals {
    /// Adds a frame.
    pub(crate) fn add_frame(&mut self, reward: Option<f64>, score: f64) {
        self.frames += 1;
        if let Some(reward) = reward.filter(|reward| reward.is_finite()) {
            self.rewarded_frames += 1;
            self.reward += reward;
        }
        self.score += score;
    }

    /// Adds the totals of other frames.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.frames += other.frames;
        self.rewarded_frames += other.rewarded_frames;
        self.reward += other.reward;
        self.score += other.score;
    }

    /// Returns the mean reward of the frames that have one; `None` if there are none.
    pub fn mean(&self) -> Option<f64> {
        (self.rewarded_frames > 0).then(|| self.reward / self.rewarded_frames as f64)
    }

    /// Returns the sum of the rewards; `None` if there are none.
    pub fn total(&self) -> Option<f64> {
        (self.rewarded_frames > 0).then_some(self.reward)
    }
}

/// A run of consecutive frames.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrameRun {
    /// The number of the first frame.
    pub start: u64,
    /// The totals of the run.
    pub totals: RewardTotals,
}

/// Totals of the frames with and without a property.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrameGroup {
    /// The totals of the frames with the property.
    pub inside: RewardTotals,
    /// The totals of the other frames.
    pub outside: RewardTotals,
    /// The longest run of frames with the property.
    pub longest_run: FrameRun,
    current_run: FrameRun,
}

impl FrameGroup {
    fn add_frame(&mut self, inside: bool, frame: u64, reward: Option<f64>, score: f64) {
        if !inside {
            self.outside.add_frame(reward, score);
            self.current_run = FrameRun::default();
            return;
        }
        self.inside.add_frame(reward, score);
        if self.current_run.totals.frames == 0 {
            self.current_run.start = frame;
        }
        self.current_run.totals.add_frame(reward, score);
        if self.current_run.totals.frames > self.longest_run.totals.frames {
            self.longest_run = self.current_run;
        }
    }
}

/// Totals of the frames in which nothing moves, the player idles, moves in one direction, or takes a given action.
#[derive(Debug, Clone, Default)]
pub struct IdleStatistics {
    /// Frames in which nothing on the screen moves.
    pub screen_still: FrameGroup,
    /// Frames in which the player's object, the first one of the screen, does not move.
    pub player_still: FrameGroup,
    /// Frames in which the player's object has stayed within [`HOVER_EXTENT`] pixels for [`HOVER_FRAMES`] frames.
    pub player_hovering: FrameGroup,
    /// Frames by the direction in which the player's object moves.
    pub motions: BTreeMap<&'static str, FrameGroup>,
    /// Frames by action.
    pub actions: BTreeMap<u32, FrameGroup>,
    previous_objects: Vec<GameObject>,
    /// The positions of the player's object in the most recent frames.
    recent_positions: VecDeque<[i16; 2]>,
}

/// The number of frames after which the player counts as hovering.
pub const HOVER_FRAMES: usize = 32;

/// The maximum extent of the positions of a hovering player in each direction, in pixels.
pub const HOVER_EXTENT: i32 = 16;

/// The directions in which the player's object may move.
const MOTIONS: [&str; 4] = ["up", "down", "left", "right"];

impl IdleStatistics {
    /// Begins the next episode.
    pub(crate) fn begin_episode(&mut self) {
        self.previous_objects.clear();
        self.recent_positions.clear();
        let Self { screen_still, player_still, player_hovering: player_hovers, motions, actions, .. } = self;
        let all = [screen_still, player_still, player_hovers]
            .into_iter()
            .chain(motions.values_mut())
            .chain(actions.values_mut());
        all.for_each(|group| group.current_run = FrameRun::default());
    }

    /// Whether the player's object, now at this position, hovers.
    fn record_position(&mut self, now: Option<(i16, i16)>) -> bool {
        let Some((x, y)) = now else {
            self.recent_positions.clear();
            return false;
        };
        if self.recent_positions.len() == HOVER_FRAMES {
            self.recent_positions.pop_front();
        }
        self.recent_positions.push_back([x, y]);
        let near = |side: usize| extent(self.recent_positions.iter().map(move |place| place[side])) <= HOVER_EXTENT;
        self.recent_positions.len() == HOVER_FRAMES && near(0) && near(1)
    }

    /// Adds a frame.
    pub(crate) fn add_frame(&mut self, recorded: &RecordedFrame, reward: Option<f64>, score: f64) {
        let RecordedFrame { index, action_index: action_place, screen_frame: frame, .. } = recorded;
        let index = *index;
        if let Some(action) = *action_place {
            self.actions.entry(action).or_default();
        }
        for (action, group) in &mut self.actions {
            group.add_frame(*action_place == Some(*action), index, reward, score);
        }
        // In other worlds, the object that the player controls is unknown.
        if matches!(recorded.scene, Scene::Objects(_)) {
            self.screen_still.add_frame(recorded.is_still, index, reward, score);
            return;
        }
        // The first frame of an episode has no predecessor to compare with.
        if !self.previous_objects.is_empty() {
            let player = frame.objects.first().filter(|object| object.is_present());
            let was = self.previous_objects.first().filter(|object| object.is_present());
            let place = |object: &GameObject| (object.x, object.y);
            let (from, to) = (was.map(place), player.map(place));
            self.screen_still.add_frame(is_still(&self.previous_objects, &frame.objects), index, reward, score);
            self.player_still.add_frame(to.is_some() && from == to, index, reward, score);
            let hovers = self.record_position(to);
            self.player_hovering.add_frame(hovers, index, reward, score);
            let moved = from.zip(to).map_or((0, 0), |(from, to)| (to.0 - from.0, to.1 - from.1));
            let directions = [moved.1 < 0, moved.1 > 0, moved.0 < 0, moved.0 > 0];
            for (motion, moves) in MOTIONS.into_iter().zip(directions) {
                self.motions.entry(motion).or_default().add_frame(moves, index, reward, score);
            }
        }
        self.previous_objects.clone_from(&frame.objects);
    }
}

/// Returns the difference of the maximum and the minimum.
fn extent(numbers: impl Iterator<Item = i16> + Clone) -> i32 {
    let min = numbers.clone().min();
    numbers.max().zip(min).map_or(0, |(max, min)| i32::from(max) - i32::from(min))
}

/// Whether all objects have the same class, position, size and visibility as before.
fn is_still(before: &[GameObject], now: &[GameObject]) -> bool {
    let place = |object: &GameObject| (object.class, object.x, object.y, object.w, object.h, object.visible);
    before.len() == now.len() && before.iter().zip(now).all(|(before, now)| place(before) == place(now))
}
