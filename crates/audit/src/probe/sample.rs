//! Recorded frames that probes start from.

use goalspec_python_runtime::observe::CallPosition;
use goalspec_python_runtime::scene::{AttributeValue, Objects};
use goalspec_rewards::frames::{RecordedFrame, Scene};

/// The maximum number of single frames of a recording, spread evenly over it.
const MAX_FRAMES: usize = 8;

/// The maximum number of whole episodes of a recording, and of objects in all their frames.
const MAX_EPISODES: usize = 8;
const MAX_EPISODE_OBJECTS: usize = 1 << 17;

/// The number of episodes whose beginnings are used, and the maximum number of frames of each.
const MAX_BEGINNINGS: usize = 2;
const MAX_BEGINNING_FRAMES: usize = 1000;

/// A recorded frame: objects and an action.
#[derive(Debug, Clone)]
pub(super) struct SampledFrame {
    pub(super) moment: CallPosition,
    pub(super) scene: Scene,
    pub(super) action: Option<AttributeValue>,
}

/// A sample of the frames of one recording.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sample {
    frames: Vec<SampledFrame>,
    /// The distance between kept frames.
    stride: usize,
    frame_count: usize,
    /// The first episodes, with their numbers. The last one may be incomplete.
    episodes: Vec<(u64, Vec<SampledFrame>)>,
    /// The number of objects in the frames of the episodes.
    episode_objects: usize,
    /// Whether no further frames of episodes are kept.
    is_full: bool,
}

impl Sample {
    /// Adds the next frame of the recording.
    pub(crate) fn add_frame(&mut self, frame: &RecordedFrame, position: CallPosition) {
        self.stride = self.stride.max(1);
        if self.frame_count.is_multiple_of(self.stride) {
            self.frames.push(SampledFrame::from_recorded(frame, position));
        }
        self.frame_count += 1;
        if self.frames.len() > MAX_FRAMES {
            self.stride *= 2;
            let mut place = 0;
            self.frames.retain(|_| {
                place += 1;
                place % 2 == 1
            });
        }
        self.add_to_episodes(frame, position);
    }

    /// Adds the next frame to the whole episodes, unless there are enough of them.
    fn add_to_episodes(&mut self, frame: &RecordedFrame, position: CallPosition) {
        let begins = self.episodes.last().is_none_or(|(number, _)| *number != frame.episode);
        self.episode_objects += 1 + match frame.scene.objects() {
            Objects::Screen(objects) => objects.len(),
            Objects::Entities(entities) => entities.entities.len(),
        };
        self.is_full |= self.episode_objects > MAX_EPISODE_OBJECTS || begins && self.episodes.len() == MAX_EPISODES;
        if self.is_full {
            return;
        }
        if begins {
            self.episodes.push((frame.episode, Vec::new()));
        }
        if let Some((_, frames)) = self.episodes.last_mut() {
            frames.push(SampledFrame::from_recorded(frame, position));
        }
    }

    /// Iterates over the single frames, spread over the recording.
    pub(super) fn frames(&self) -> impl Iterator<Item = &SampledFrame> {
        self.frames.iter()
    }

    /// Iterates over the first episodes, in order. The last one may be incomplete.
    pub(super) fn episodes(&self) -> impl Iterator<Item = &[SampledFrame]> {
        self.episodes.iter().map(|(_, frames)| &frames[..])
    }

    /// Iterates over the beginnings of a few episodes.
    pub(super) fn beginnings(&self) -> impl Iterator<Item = &[SampledFrame]> {
        self.episodes().take(MAX_BEGINNINGS).map(|frames| &frames[..frames.len().min(MAX_BEGINNING_FRAMES)])
    }
}

impl SampledFrame {
    fn from_recorded(frame: &RecordedFrame, position: CallPosition) -> Self {
        Self { moment: position, scene: frame.scene.clone(), action: frame.action.clone() }
    }
}
