//! Detection of exceptions on screens without an object of a class.

use std::collections::BTreeSet;
use std::sync::Arc;

use goalspec_python_runtime::machine::CallError;
use goalspec_python_runtime::observe::CallPosition;
use goalspec_rewards::caller::{CallInput, MissingReward};
use goalspec_rewards::world::RewardWorld;

use super::Prober;
use super::sample::{Sample, SampledFrame};
use super::screens::{as_screen_world, at_rest, empty_slot, screen_objects, with_objects};

/// The maximum number of recorded screens that are modified for each class.
const MAX_SCREENS: usize = 4;

/// An exception on a screen without an object of a class, on which the function returns a reward otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct AbsenceError {
    /// The class.
    pub class: Arc<str>,
    /// The class of the exception.
    pub kind: String,
    /// The message.
    pub message: String,
    /// The line that raises it.
    pub line: Option<u32>,
    /// The recorded frame whose objects were removed.
    pub frame: CallPosition,
    /// Whether sampled frames of the recordings have no object of the class.
    pub is_recorded: bool,
}

/// Searches for classes without whose objects the function fails.
pub(super) fn find_absence_errors(
    prober: &mut Prober,
    world: &RewardWorld,
    frames: &[&SampledFrame],
    samples: &[Sample],
) -> Vec<AbsenceError> {
    let Some(world) = as_screen_world(world) else { return Vec::new() };
    let empty = empty_slot(world);
    let has = |frame: &SampledFrame, class: u16| {
        screen_objects(frame).is_some_and(|objects| objects.iter().any(|one| one.visible && one.class == class))
    };
    let present = frames.iter().filter_map(|frame| screen_objects(frame)).flatten().filter(|object| object.visible);
    let classes: BTreeSet<u16> = present.map(|object| object.class).collect();
    let mut found = Vec::new();
    for class in classes {
        let with_class: Vec<&SampledFrame> = frames.iter().copied().filter(|frame| has(frame, class)).collect();
        let step = with_class.len().div_ceil(MAX_SCREENS).max(1);
        let failure = with_class.into_iter().step_by(step).find_map(|frame| {
            let mut objects = screen_objects(frame)?.to_vec();
            let own = objects.iter_mut().filter(|object| object.visible && object.class == class);
            own.for_each(|object| *object = empty.clone());
            prober.settled_reward(&at_rest(frame))?;
            let error = failure(prober, &at_rest(&with_objects(frame, objects)))?;
            Some((frame.moment, error))
        });
        let Some((frame, (kind, message, line))) = failure else { continue };
        let mut recorded = samples.iter().flat_map(Sample::episodes).flatten();
        let is_recorded = recorded.any(|frame| !has(frame, class));
        let class = Arc::clone(&world.scene.screen_classes[usize::from(class)].name);
        found.push(AbsenceError { class, kind, message, line, frame, is_recorded });
    }
    found
}

/// Returns the exception of a call at the start of an episode: its class, its message and its line.
fn failure(prober: &mut Prober, frame: &SampledFrame) -> Option<(String, String, Option<u32>)> {
    prober.reset().then_some(())?;
    let input = CallInput { objects: frame.scene.objects(), fast_frame: None, action: frame.action.as_ref() };
    let error = prober.caller.step(input).err()?;
    prober.work_spent += prober.caller.machine.work_spent();
    if matches!(*error, CallError::Exhausted { .. }) {
        prober.is_exhausted = true;
        return None;
    }
    Some(MissingReward::CallFailed(error).reason())
}
