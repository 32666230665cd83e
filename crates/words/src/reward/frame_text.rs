//! The objects of a frame as text.

use std::fmt::Write as _;

use goalspec_python_runtime::scene::{AttributeValue, Number, ObjectOrText, Objects, World};
use goalspec_rewards::frames::{FrameReader, RecordedFrame};
use goalspec_rewards::world::RewardWorld;
use goalspec_trace::TraceInput;

use super::task::RewardInputs;
use crate::finding::truncated;

/// The maximum number of bytes of the objects of a frame.
const MAX_BYTES: usize = 500;

/// Returns the objects of a frame of a trace; `None` if the frame cannot be read.
pub(super) fn frame_objects(inputs: &RewardInputs, trace: &TraceInput, number: u64) -> Option<String> {
    let world = RewardWorld::for_trace(trace, Some(&inputs.world), &inputs.known).ok()?;
    let mut reader = FrameReader::open(trace, &world, false).ok()?;
    let mut frame = RecordedFrame::default();
    while reader.next(&mut frame).ok()? {
        if frame.index == number {
            return Some(truncated(&objects_text(world.scene(), frame.scene.objects()), MAX_BYTES));
        }
    }
    None
}

/// Returns objects as the world prints them.
fn objects_text(world: &World, objects: Objects<'_>) -> String {
    let texts: Vec<String> = match objects {
        Objects::Screen(objects) => objects
            .iter()
            .filter(|object| object.visible)
            .map(|object| {
                let name = &world.screen_classes[usize::from(object.class)].name;
                let ((x, y), (w, h)) = (object.position, object.size);
                format!("{name} at ({x}, {y}), ({w}, {h})")
            })
            .collect(),
        Objects::Entities(entities) => entities
            .entities
            .iter()
            .map(|entity| {
                let names = world.attributes_of(entity.class);
                let mut text = format!("{}(", world.entity_classes[usize::from(entity.class)].name);
                let known = names
                    .iter()
                    .zip(&entity.values)
                    .filter_map(|(attribute, value)| Some(format!("{}={}", attribute.name, value_text(value)?)));
                let _ = write!(text, "{})", known.collect::<Vec<_>>().join(", "));
                text
            })
            .collect(),
    };
    if texts.is_empty() { "none".to_owned() } else { texts.join("; ") }
}

/// Returns a value; `None` for values that are absent or list objects.
fn value_text(value: &AttributeValue) -> Option<String> {
    let join = |texts: Vec<String>| texts.join(", ");
    Some(match value {
        AttributeValue::None => "None".to_owned(),
        AttributeValue::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        AttributeValue::Int(value) => value.to_string(),
        AttributeValue::Float(value) => value.to_string(),
        AttributeValue::Text(text) => format!("'{text}'"),
        AttributeValue::Vector(numbers) => format!("[{}]", join(numbers.iter().map(f64::to_string).collect())),
        AttributeValue::TextList(texts) => {
            format!("[{}]", join(texts.iter().map(|text| format!("'{text}'")).collect()))
        }
        AttributeValue::NumberTuple(numbers) => {
            let text = |number: &Number| match number {
                Number::Int(number) => number.to_string(),
                Number::Float(number) => number.to_string(),
            };
            format!("({})", join(numbers.iter().map(text).collect()))
        }
        AttributeValue::ObjectOrTextList(objects) => {
            let text = |object: &ObjectOrText| match object {
                ObjectOrText::Object(index) => format!("object {index}"),
                ObjectOrText::Text(text) => format!("'{text}'"),
            };
            format!("[{}]", join(objects.iter().map(text).collect()))
        }
        AttributeValue::Object(index) => format!("object {index}"),
        AttributeValue::TupleList(_) | AttributeValue::Absent => return None,
    })
}
