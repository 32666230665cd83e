//! Stretches of play that may earn without playing.

use std::collections::{BTreeMap, VecDeque};

use goalspec_atari::GameObject;

use crate::rewards::frames::{Scene, Shot};

/// What frames earn.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    /// How many frames.
    pub frames: u64,
    /// How many of them have a finite reward.
    pub rewarded: u64,
    /// These rewards.
    pub reward: f64,
    /// Their true score.
    pub score: f64,
}

impl Tally {
    /// Adds a frame.
    pub(super) fn add(&mut self, reward: Option<f64>, score: f64) {
        self.frames += 1;
        if let Some(reward) = reward.filter(|reward| reward.is_finite()) {
            self.rewarded += 1;
            self.reward += reward;
        }
        self.score += score;
    }

    /// Adds other frames.
    pub(super) fn merge(&mut self, other: &Self) {
        self.frames += other.frames;
        self.rewarded += other.rewarded;
        self.reward += other.reward;
        self.score += other.score;
    }

    /// The reward of a frame that has one, on average.
    pub fn mean(&self) -> Option<f64> {
        (self.rewarded > 0).then(|| self.reward / self.rewarded as f64)
    }

    /// The sum of the rewards; `None` if there are none.
    pub fn total(&self) -> Option<f64> {
        (self.rewarded > 0).then_some(self.reward)
    }
}

/// Frames one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Run {
    /// The first frame.
    pub start: u64,
    /// What they earn.
    pub tally: Tally,
}

/// Frames that have something in common.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pocket {
    /// All of them.
    pub inside: Tally,
    /// All others.
    pub outside: Tally,
    /// The longest run of them.
    pub longest: Run,
    current: Run,
}

impl Pocket {
    fn add(&mut self, inside: bool, frame: u64, reward: Option<f64>, score: f64) {
        if !inside {
            self.outside.add(reward, score);
            self.current = Run::default();
            return;
        }
        self.inside.add(reward, score);
        if self.current.tally.frames == 0 {
            self.current.start = frame;
        }
        self.current.tally.add(reward, score);
        if self.current.tally.frames > self.longest.tally.frames {
            self.longest = self.current;
        }
    }
}

/// What stretches of play earn.
#[derive(Debug, Clone, Default)]
pub struct Pockets {
    /// Nothing on the screen changes.
    pub screen_still: Pocket,
    /// What the player moves does not move: the first object of the screen.
    pub player_still: Pocket,
    /// It stays within [`HOVER_REACH`] pixels for [`HOVER_FRAMES`] frames.
    pub player_hovers: Pocket,
    /// By the way in which it moves.
    pub motions: BTreeMap<&'static str, Pocket>,
    /// By action.
    pub actions: BTreeMap<u32, Pocket>,
    before: Vec<GameObject>,
    /// Where the player was, in the latest frames one after the other.
    places: VecDeque<[i16; 2]>,
}

/// So many frames in one place are hovering.
pub const HOVER_FRAMES: usize = 32;

/// So far apart, in pixels, its places may be in each direction.
pub const HOVER_REACH: i32 = 16;

/// The ways in which the player's object may move.
const MOTIONS: [&str; 4] = ["up", "down", "left", "right"];

impl Pockets {
    /// Another episode begins.
    pub(super) fn restart(&mut self) {
        self.before.clear();
        self.places.clear();
        let Self { screen_still, player_still, player_hovers, motions, actions, .. } = self;
        let all = [screen_still, player_still, player_hovers]
            .into_iter()
            .chain(motions.values_mut())
            .chain(actions.values_mut());
        all.for_each(|pocket| pocket.current = Run::default());
    }

    /// Whether the player, who is there now, has stayed near it.
    fn hovers(&mut self, now: Option<(i16, i16)>) -> bool {
        let Some((x, y)) = now else {
            self.places.clear();
            return false;
        };
        if self.places.len() == HOVER_FRAMES {
            self.places.pop_front();
        }
        self.places.push_back([x, y]);
        let near = |side: usize| reach(self.places.iter().map(move |place| place[side])) <= HOVER_REACH;
        self.places.len() == HOVER_FRAMES && near(0) && near(1)
    }

    /// Adds a frame.
    pub(super) fn add(&mut self, shot: &Shot, reward: Option<f64>, score: f64) {
        let Shot { index, action_place, frame, .. } = shot;
        let index = *index;
        if let Some(action) = *action_place {
            self.actions.entry(action).or_default();
        }
        for (action, pocket) in &mut self.actions {
            pocket.add(*action_place == Some(*action), index, reward, score);
        }
        // Which object of another world the player moves, nobody says.
        if matches!(shot.scene, Scene::Objects(_)) {
            self.screen_still.add(shot.still, index, reward, score);
            return;
        }
        // The first frame of an episode has nothing to be compared with.
        if !self.before.is_empty() {
            let player = frame.objects.first().filter(|object| object.is_present());
            let was = self.before.first().filter(|object| object.is_present());
            let place = |object: &GameObject| (object.x, object.y);
            let (from, to) = (was.map(place), player.map(place));
            self.screen_still.add(still(&self.before, &frame.objects), index, reward, score);
            self.player_still.add(to.is_some() && from == to, index, reward, score);
            let hovers = self.hovers(to);
            self.player_hovers.add(hovers, index, reward, score);
            let moved = from.zip(to).map_or((0, 0), |(from, to)| (to.0 - from.0, to.1 - from.1));
            let directions = [moved.1 < 0, moved.1 > 0, moved.0 < 0, moved.0 > 0];
            for (motion, moves) in MOTIONS.into_iter().zip(directions) {
                self.motions.entry(motion).or_default().add(moves, index, reward, score);
            }
        }
        self.before.clone_from(&frame.objects);
    }
}

/// How far apart the least and the greatest are.
fn reach(numbers: impl Iterator<Item = i16> + Clone) -> i32 {
    let least = numbers.clone().min();
    numbers.max().zip(least).map_or(0, |(greatest, least)| i32::from(greatest) - i32::from(least))
}

/// Whether all objects are the same, and where they were.
fn still(before: &[GameObject], now: &[GameObject]) -> bool {
    let place = |object: &GameObject| (object.class, object.x, object.y, object.w, object.h, object.visible);
    before.len() == now.len() && before.iter().zip(now).all(|(before, now)| place(before) == place(now))
}
