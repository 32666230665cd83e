//! Times of calls of reward functions over recordings of their games, and comparisons with recorded results, as lines for scripts.
//!
//! Run with `cargo bench -p goalspec --bench calls -- FOLDER..`; `cargo xtask rewards` compares the times with those of CPython. A line has
//! fields between tabs: the path of the program, the comparison, the share of frames that the fast engine ran, the reason of most of the
//! others, the nanoseconds of a call on the reference machine, on the register machine, as machine code, and as machine code with prepared
//! objects, and the milliseconds of the compilation. A program that is refused has the first two; one that only the reference machine
//! runs has the first five.

#[path = "../tests/reward_corpus/cases.rs"]
mod cases;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
#[cfg(not(unix))]
use std::time::Instant;

use cases::{Case, Comparison};
use divan::black_box;
use goalspec::core::engine::Engine;
use goalspec::python_runtime::entry::Entry;
use goalspec::python_runtime::fast::{self, CompiledFunction, PreparedFrame};
use goalspec::python_runtime::limits::CallBudget;
use goalspec::python_runtime::scene::{AttributeValue, Input, Objects, SceneObject};
use goalspec::python_runtime::{Machine, Program};
use goalspec::rewards::caller::program_and_entry;
use goalspec::rewards::compiled::EngineCalls;
use goalspec::rewards::frames::{FrameReader, RecordedFrame, Scene};
use goalspec::rewards::world::RewardWorld;
use goalspec::trace::TraceInput;

/// The allocator of the command-line program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The maximum number of passes over the frames, of which the fastest counts.
const ROUNDS: usize = 60;

/// The time of a processor after which no further pass is started.
const TIME: Duration = Duration::from_millis(100);

/// The number of frames that are timed together.
const CHUNK: usize = 50;

fn main() {
    for argument in std::env::args().skip(1).filter(|argument| !argument.starts_with('-')) {
        let path = Path::new(&argument);
        let cases = if path.is_dir() { cases::in_folder(path) } else { vec![Case::new(path.to_owned())] };
        for case in cases {
            println!("{}", line(&case));
        }
    }
}

/// A frame of a recording.
struct Moment {
    objects: Vec<SceneObject>,
    /// The objects of the frame before in the same episode.
    previous: Option<Vec<SceneObject>>,
    action: Option<AttributeValue>,
    prepared: PreparedFrame,
    episode: u64,
}

impl Moment {
    fn input(&self) -> Input<'_> {
        Input {
            objects: Objects::Screen(&self.objects),
            previous: self.previous.as_deref().map(Objects::Screen),
            action: self.action.as_ref(),
        }
    }
}

fn moments(recording: &TraceInput, world: &RewardWorld) -> Vec<Moment> {
    let mut reader = FrameReader::open(recording, world, false).expect("the recording can be read");
    let mut frame = RecordedFrame::default();
    let mut moments: Vec<Moment> = Vec::new();
    while reader.next(&mut frame).expect("the recording is valid") {
        let Scene::Screen(objects) = &frame.scene else { continue };
        let last = moments.last().filter(|last| last.episode == frame.episode);
        moments.push(Moment {
            previous: last.map(|last| last.objects.clone()),
            prepared: PreparedFrame::from_scene(objects),
            objects: objects.clone(),
            action: frame.action.clone(),
            episode: frame.episode,
        });
    }
    moments
}

/// Returns the line of a program.
fn line(case: &Case) -> String {
    let path = case.program.display();
    let compared = case.compare(Engine::Fast);
    let calls = match &compared {
        Comparison::Refused(_) => return format!("{path}\t{compared}"),
        Comparison::Equal(calls) => calls.clone(),
        Comparison::Differs(_) => EngineCalls::default(),
    };
    let library = case.library();
    let recording = TraceInput::File(case.recording.clone());
    let world = RewardWorld::for_trace(&recording, None, &[]).expect("the recording names its game");
    let reward = library.programs()[0].as_reward().expect("it was run before");
    let (program, entry) = program_and_entry(reward, &world).expect("it was run before");
    let share = 100 * calls.fast_frames / (calls.fast_frames + calls.interpreted_frames).max(1);
    let reasons = calls.fallback_reasons.iter().max_by_key(|(_, count)| *count);
    let reason = calls.coverage.unsupported.as_deref().or(reasons.map(|(reason, _)| &**reason)).unwrap_or_default();
    let times: Vec<String> =
        times(&program, &world, &entry, &moments(&recording, &world)).iter().map(|time| format!("{time:.1}")).collect();
    format!("{path}\t{compared}\t{share}\t{reason}\t{}", times.join("\t"))
}

/// Returns the times of a line.
fn times(program: &Arc<Program>, world: &RewardWorld, entry: &Entry, moments: &[Moment]) -> Vec<f64> {
    let scene = world.scene();
    let mut machine = Machine::new(program.clone(), scene.clone(), CallBudget::default()).expect("it was run before");
    let mut times = vec![shortest(moments, |moment| match moment {
        Some(moment) => machine.reward(entry, &moment.input()).is_ok(),
        None => machine.reset().is_ok(),
    })];
    if !entry.takes_objects_only() {
        return times;
    }
    let compiled = || {
        CompiledFunction::new(program.clone(), scene.clone(), &entry.function, CallBudget::default())
            .expect("it was run before")
    };
    let registers = compiled();
    registers.disable_native();
    times.push(of_engine(&registers, moments, |engine, moment| engine.reward(entry, &moment.input()).is_ok()));
    let native = compiled();
    if let Ok(took) = native.compile() {
        times.push(of_engine(&native, moments, |engine, moment| engine.reward(entry, &moment.input()).is_ok()));
        times.push(of_engine(&native, moments, |engine, moment| {
            engine.reward_frame(entry, &moment.input(), &moment.prepared).is_ok()
        }));
        times.push(took.as_secs_f64() * 1000.0);
    }
    times
}

/// Returns the mean time of a call of a compiled function, in nanoseconds.
fn of_engine(
    compiled: &Arc<CompiledFunction>,
    moments: &[Moment],
    call: impl Fn(&mut fast::FunctionInstance, &Moment) -> bool,
) -> f64 {
    let mut engine = compiled.instance();
    shortest(moments, |moment| {
        let Some(moment) = moment else {
            engine.reset();
            return true;
        };
        call(&mut engine, moment)
    })
}

/// Returns the mean time of a call, in nanoseconds. Calls without a frame reset the program at the start of an episode; they are not timed.
/// Of each chunk of frames the fastest pass counts, to exclude interruptions by other processes.
fn shortest(moments: &[Moment], mut call: impl FnMut(Option<&Moment>) -> bool) -> f64 {
    let episodes = moments.chunk_by(|one, next| one.episode == next.episode);
    let chunks: Vec<(bool, &[Moment])> = episodes
        .flat_map(|episode| episode.chunks(CHUNK).enumerate().map(|(place, chunk)| (place == 0, chunk)))
        .collect();
    let mut best = vec![f64::INFINITY; chunks.len()];
    let started = processor_time();
    for _ in 0..ROUNDS {
        for (best, (is_first, chunk)) in best.iter_mut().zip(&chunks) {
            if *is_first {
                // Engines may run the top level in the first call of an episode, which is not timed in CPython either.
                black_box(call(None) && call(chunk.first()));
            }
            let start = processor_time();
            for moment in *chunk {
                black_box(call(Some(moment)));
            }
            *best = best.min(processor_time().saturating_sub(start).as_nanos() as f64);
        }
        if processor_time().saturating_sub(started) > TIME {
            break;
        }
    }
    best.iter().sum::<f64>() / moments.len() as f64
}

/// Returns the time that this thread has run on a processor, which other processes do not influence.
#[cfg(unix)]
fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// Returns the time since the first call.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}
