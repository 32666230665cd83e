//! Statistics of the objects in sample traces, for the descriptions of classes.

use goalspec_core::world::World;
use goalspec_python_runtime::scene::{AttributeValue, Number, Objects};
use goalspec_rewards::frames::{FrameReader, RecordedFrame};
use goalspec_rewards::world::RewardWorld;
use goalspec_syntax::Diagnostic;
use goalspec_trace::TraceInput;
use std::sync::Arc;

/// A range of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The minimum.
    pub min: f64,
    /// The maximum.
    pub max: f64,
}

impl Interval {
    fn extend(interval: &mut Option<Self>, value: f64) {
        let own = interval.get_or_insert(Self { min: value, max: value });
        (own.min, own.max) = (own.min.min(value), own.max.max(value));
    }
}

/// Statistics of the objects of one class.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClassSamples {
    /// The maximum number of objects in a frame.
    pub max_count: usize,
    /// The number of frames without an object of the class.
    pub absent_frames: u64,
    /// The ranges of numeric attributes, by name, in the order of their first occurrence.
    pub ranges: Vec<(Arc<str>, Interval)>,
}

impl ClassSamples {
    /// Returns the range of an attribute.
    pub fn range(&self, name: &str) -> Option<Interval> {
        self.ranges.iter().find(|(own, _)| **own == *name).map(|(_, range)| *range)
    }

    fn add(&mut self, name: &Arc<str>, value: f64) {
        let place = self.ranges.iter().position(|(own, _)| own == name).unwrap_or_else(|| {
            self.ranges.push((Arc::clone(name), Interval { min: value, max: value }));
            self.ranges.len() - 1
        });
        let mut range = Some(self.ranges[place].1);
        Interval::extend(&mut range, value);
        self.ranges[place].1 = range.unwrap_or(self.ranges[place].1);
    }
}

/// Statistics of the objects of all classes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Samples {
    /// The number of frames.
    pub frames: u64,
    /// The statistics, by the index of the class in the world's screen or entity classes.
    pub classes: Vec<ClassSamples>,
}

impl Samples {
    /// Reads the statistics of traces.
    ///
    /// # Errors
    /// If a trace cannot be read or belongs to another world.
    pub fn read(world: &RewardWorld, known: &[Arc<World>], traces: &[TraceInput]) -> Result<Self, Box<Diagnostic>> {
        let scene = world.scene();
        let count = scene.screen_classes.len().max(scene.entity_classes.len());
        let mut samples = Self { frames: 0, classes: vec![ClassSamples::default(); count] };
        let names = AttributeNames::of(world);
        for trace in traces {
            // A trace may declare objects of its own.
            let own = RewardWorld::for_trace(trace, Some(world), known)
                .map_err(|error| error.into_diagnostic(trace, world.name(), Some(world)))?;
            let mut reader = FrameReader::open(trace, &own, false)?;
            let mut frame = RecordedFrame::default();
            while reader.next(&mut frame)? {
                samples.add_frame(frame.scene.objects(), &names);
            }
        }
        Ok(samples)
    }

    fn add_frame(&mut self, objects: Objects<'_>, names: &AttributeNames) {
        self.frames += 1;
        let mut counts = vec![0_usize; self.classes.len()];
        match objects {
            Objects::Screen(objects) => {
                for object in objects.iter().filter(|object| object.visible) {
                    let class = usize::from(object.class);
                    counts[class] += 1;
                    let (position, size) = (object.position, object.size);
                    let numbers = [position.0, position.1, size.0, size.1].into_iter().chain(object.value);
                    for (name, value) in names.screen.iter().zip(numbers) {
                        self.classes[class].add(name, f64::from(value));
                    }
                }
            }
            Objects::Entities(entities) => {
                for entity in &entities.entities {
                    let class = usize::from(entity.class);
                    counts[class] += 1;
                    for (name, value) in names.entities[class].iter().zip(&entity.values) {
                        for number in numbers(value) {
                            self.classes[class].add(name, number);
                        }
                    }
                }
            }
        }
        for (class, count) in self.classes.iter_mut().zip(counts) {
            class.max_count = class.max_count.max(count);
            class.absent_frames += u64::from(count == 0);
        }
    }
}

/// Returns the numbers of a value.
fn numbers(value: &AttributeValue) -> Vec<f64> {
    match value {
        AttributeValue::Int(number) => vec![*number as f64],
        AttributeValue::Float(number) => vec![*number],
        AttributeValue::Vector(numbers) => numbers.to_vec(),
        AttributeValue::NumberTuple(numbers) => numbers
            .iter()
            .map(|number| match number {
                Number::Int(number) => *number as f64,
                Number::Float(number) => *number,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The names of numeric attributes.
struct AttributeNames {
    screen: [Arc<str>; 5],
    /// The attributes of each class of entities.
    entities: Vec<Vec<Arc<str>>>,
}

impl AttributeNames {
    fn of(world: &RewardWorld) -> Self {
        let scene = world.scene();
        let of_class = |class: usize| {
            let attributes = scene.attributes_of(class as u16);
            attributes.into_iter().map(|attribute| Arc::clone(&attribute.name)).collect()
        };
        Self {
            screen: ["x", "y", "w", "h", "value"].map(Arc::from),
            entities: (0..scene.entity_classes.len()).map(of_class).collect(),
        }
    }
}
