//! Recorded frames that probes start from.

use goalspec_python_runtime::observe::CallPosition;
use goalspec_python_runtime::scene::AttributeValue;
use goalspec_rewards::frames::{RecordedFrame, Scene};

/// The maximum number of single frames of a recording, spread evenly over it.
const MAX_FRAMES: usize = 8;

/// The maximum number of whole episodes of a recording, and of frames of each.
const MAX_EPISODES: usize = 2;
const MAX_EPISODE_FRAMES: usize = 1000;

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
    /// The first episodes, with their numbers.
    episodes: Vec<(u64, Vec<SampledFrame>)>,
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
        if self.episodes.last().is_none_or(|(number, _)| *number != frame.episode)
            && self.episodes.len() <= MAX_EPISODES
        {
            self.episodes.push((frame.episode, Vec::new()));
        }
        let count = self.episodes.len();
        if let Some((number, frames)) = self.episodes.last_mut()
            && *number == frame.episode
            && count <= MAX_EPISODES
            && frames.len() < MAX_EPISODE_FRAMES
        {
            frames.push(SampledFrame::from_recorded(frame, position));
        }
    }

    /// Iterates over the single frames, spread over the recording.
    pub(super) fn frames(&self) -> impl Iterator<Item = &SampledFrame> {
        self.frames.iter()
    }

    /// Iterates over the kept parts of the first episodes.
    pub(super) fn episodes(&self) -> impl Iterator<Item = &[SampledFrame]> {
        self.episodes.iter().map(|(_, frames)| &frames[..]).filter(|frames| !frames.is_empty())
    }
}

impl SampledFrame {
    fn from_recorded(frame: &RecordedFrame, position: CallPosition) -> Self {
        Self { moment: position, scene: frame.scene.clone(), action: frame.action.clone() }
    }
}
