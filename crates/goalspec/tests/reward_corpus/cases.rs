//! Reward functions with the results of CPython for each frame of a recording of their game.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use goalspec::core::engine::Engine;
use goalspec::files::Inputs;
use goalspec::library::{Library, LibraryOptions};
use goalspec::rewards::compiled::EngineCalls;
use goalspec::rewards::score::{FrameResult, NO_REWARD, RewardOutcome, ScoreOptions, score};
use goalspec::rewards::screen_worlds;
use goalspec::trace::TraceInput;
use serde_json::Value;

/// A program of the corpus.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) program: PathBuf,
    pub(crate) recording: PathBuf,
}

/// The comparison of a program's rewards with those of CPython.
#[derive(Debug, Clone)]
pub(crate) enum Comparison {
    /// All rewards are equal; how the frames were run.
    Equal(EngineCalls),
    /// The description of the first frame that differs.
    Differs(String),
    /// The code of the first error in the program, or the error of its start.
    Refused(String),
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equal(_) => write!(f, "equal"),
            Self::Differs(place) => write!(f, "differs in {place}"),
            Self::Refused(reason) => write!(f, "refused: {reason}"),
        }
    }
}

/// Returns the programs of a folder by name; of its folder `programs` if it has one.
pub(crate) fn in_folder(folder: &Path) -> Vec<Case> {
    let inner = folder.join("programs");
    let folder = if inner.is_dir() { &inner } else { folder };
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "py"));
    files.sort();
    files.into_iter().map(Case::new).collect()
}

impl Case {
    /// Finds the recording of a program. The name of the program contains that of its game.
    ///
    /// # Panics
    /// If there is no recording.
    pub(crate) fn new(program: PathBuf) -> Self {
        let stem = program.file_stem().unwrap().to_string_lossy();
        let game = screen_worlds::all().iter().map(|world| world.name.trim_start_matches("atari/"));
        let game = game.into_iter().find(|game| stem.contains(game)).unwrap_or_else(|| panic!("{stem}: no game"));
        let above = || program.ancestors().skip(1);
        let recording = above()
            .map(|folder| folder.join(format!("frames/{game}.jsonl.gz")))
            .chain(above().map(|folder| folder.join(format!("traces/{game}_random_s0.jsonl.gz"))))
            .find(|file| file.is_file())
            .unwrap_or_else(|| panic!("{stem}: no recording of {game}"));
        Self { program, recording }
    }

    #[allow(dead_code, reason = "benchmarks print the path")]
    pub(crate) fn name(&self) -> String {
        self.program.file_stem().unwrap().to_string_lossy().into_owned()
    }

    pub(crate) fn library(&self) -> Library {
        let inputs = Inputs { programs: vec![self.program.clone()], ..Inputs::default() };
        Library::load(&inputs, LibraryOptions::default(), &|| ())
    }

    /// Returns the results of CPython, one for each frame; `None` if there are none.
    fn expected(&self) -> Option<Vec<Value>> {
        let file = File::open(self.program.with_extension("expected.json.gz")).ok()?;
        let mut text = String::new();
        GzDecoder::new(file).read_to_string(&mut text).unwrap();
        Some(serde_json::from_str(&text).unwrap())
    }

    /// Compares the rewards that an engine computes with those of CPython.
    pub(crate) fn compare(&self, engine: Engine) -> Comparison {
        let library = self.library();
        if let Some(error) = library.diagnostics().iter().find(|diagnostic| diagnostic.is_error()) {
            return Comparison::Refused(format!("{}: {}", error.code.0, error.message));
        }
        let input = TraceInput::File(self.recording.clone());
        let options = ScoreOptions { keep_frames: true, engine, ..ScoreOptions::default() };
        let scored = score(&library.reward_programs(), &[], &input, &options, &|_| ());
        let Some(outcome) = scored.outcomes.first() else {
            return Comparison::Refused(
                scored.diagnostics.first().map_or("no reason", |first| &first.message).to_owned(),
            );
        };
        let Some(expected) = self.expected() else { return Comparison::Equal(outcome.engine_calls.clone()) };
        if expected.len() != outcome.frame_results.len() {
            return Comparison::Differs(format!("the number of frames: {}", outcome.frame_results.len()));
        }
        let mut frames = outcome.frame_results.iter().zip(&expected);
        match frames.find(|(frame, expected)| !is_same(outcome, frame, expected)) {
            None => Comparison::Equal(outcome.engine_calls.clone()),
            Some((frame, expected)) => {
                let own = frame
                    .reward
                    .map_or_else(|place| format!("{:?}", outcome.failures.get(place)), |own| own.to_string());
                Comparison::Differs(format!("frame {}: {own}, CPython {expected}", frame.frame))
            }
        }
    }
}

fn is_same(outcome: &RewardOutcome, frame: &FrameResult, expected: &Value) -> bool {
    let text = |key: &str| expected.get(key).and_then(Value::as_str);
    let number = match expected {
        Value::Bool(truth) => Some(f64::from(u8::from(*truth))),
        Value::Number(number) => number.as_f64(),
        _ => text("float").and_then(|text| text.parse().ok()),
    };
    match (frame.reward, number) {
        (Ok(reward), Some(number)) => reward.to_bits() == number.to_bits() || (reward.is_nan() && number.is_nan()),
        (Err(place), None) => outcome.failures.get(place).is_some_and(|failure| match text("err") {
            Some(error) => error == format!("{}: {}", failure.kind, failure.message),
            None => failure.kind == NO_REWARD && text("other").is_some(),
        }),
        _ => false,
    }
}
