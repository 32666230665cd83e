//! Bundled examples: small programs, traces and worlds that commands accept by name, as `@throw-to-bin`, and that serve as
//! templates for new projects.
//!
//! A path that begins with `@` names an example or one of its files: `@throw-to-bin`, `@throw-to-bin/play.jsonl`. Files on disk
//! take precedence.

use std::path::{Path, PathBuf};

use goalspec_syntax::Diagnostic;
use goalspec_syntax::suggest::did_you_mean;

/// A bundled example.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// Its name, without the `@`.
    pub name: &'static str,
    /// A one-line description.
    pub description: &'static str,
    /// The command that demonstrates it, without the program name.
    pub demo_arguments: &'static str,
    files: &'static [(&'static str, &'static str)],
}

/// The files of an example: the name of each in the example, and its path in the `examples` folder.
macro_rules! files {
    ($($name:literal: $path:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../../examples/", $path)))),+]
    };
}

/// All examples, grouped by language.
pub const EXAMPLES: &[Example] = &[
    Example {
        name: "throw-to-bin",
        description: "a game of throwing balls into a bin, and a recorded trace",
        demo_arguments: "score --why",
        files: files!("throw-to-bin.game": "game/throw-to-bin.game", "play.jsonl": "game/play.jsonl"),
    },
    Example {
        name: "tower",
        description: "a game of stacking blocks, and a recorded trace",
        demo_arguments: "score --why",
        files: files!("tower.game": "game/tower.game", "build.jsonl": "game/build.jsonl"),
    },
    Example {
        name: "make-tea",
        description: "a game in a custom world: a kitchen",
        demo_arguments: "score --why",
        files: files!(
            "make-tea.game": "worlds/make-tea.game",
            "kitchen.world.toml": "worlds/kitchen.world.toml",
            "make-tea.jsonl": "worlds/make-tea.jsonl",
        ),
    },
    Example {
        name: "watering-the-garden",
        description: "a household activity in BDDL, and a trace that reaches part of its goal",
        demo_arguments: "score --why",
        files: files!(
            "watering_the_garden.bddl": "bddl/watering_the_garden.bddl",
            "watering.jsonl": "bddl/watering.jsonl",
        ),
    },
    Example {
        name: "game-night",
        description: "a household activity with many ground options of its goal",
        demo_arguments: "options",
        files: files!("game_night.bddl": "bddl/game_night.bddl"),
    },
    Example {
        name: "delivery",
        description: "a planning problem in PDDL: vans that deliver parcels",
        demo_arguments: "plan",
        files: files!("domain.pddl": "pddl/delivery/domain.pddl", "two_vans.pddl": "pddl/delivery/two_vans.pddl"),
    },
    Example {
        name: "supper",
        description: "a planning problem with preferences, numbers and derived predicates",
        demo_arguments: "plan",
        files: files!("domain.pddl": "pddl/supper/domain.pddl", "tonight.pddl": "pddl/supper/tonight.pddl"),
    },
    Example {
        name: "berries",
        description: "a resource graph game for two teams",
        demo_arguments: "simulate",
        files: files!("berries.yaml": "rgg/berries.yaml"),
    },
    Example {
        name: "landing",
        description: "a reward function in Python over a recorded flight",
        demo_arguments: "score",
        files: files!(
            "land.py": "reward/landing/land.py",
            "landing.world.toml": "reward/landing/landing.world.toml",
            "flight.jsonl": "reward/landing/flight.jsonl",
        ),
    },
];

impl Example {
    /// Finds an example by name, with or without the `@`.
    ///
    /// # Errors
    /// If there is no such example. The message suggests the most similar name, or lists all names.
    pub fn named(name: &str) -> Result<&'static Self, Box<Diagnostic>> {
        let name = name.strip_prefix('@').unwrap_or(name);
        EXAMPLES.iter().find(|example| example.name == name).ok_or_else(|| {
            let names = || EXAMPLES.iter().map(|example| example.name);
            let suggestion = did_you_mean(name, names());
            let example_list = || format!("the examples are {}", names().collect::<Vec<_>>().join(", "));
            Diagnostic::invalid_argument(format!(
                "unknown example `@{name}`; {}",
                suggestion.unwrap_or_else(example_list)
            ))
        })
    }

    /// Returns the paths by which commands accept its files.
    pub fn paths(&self) -> impl Iterator<Item = PathBuf> {
        self.files.iter().map(|(file, _)| Path::new(&format!("@{}", self.name)).join(file))
    }

    /// Returns the names and contents of its files.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.files.iter().copied()
    }

    /// Returns the names and contents of its programs, domains and worlds.
    pub fn programs(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.files().filter(|(name, _)| !is_trace(name))
    }

    /// Returns the names and contents of its traces.
    pub fn traces(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.files().filter(|(name, _)| is_trace(name))
    }

    /// Returns the complete command that demonstrates it, which works in any folder.
    pub fn demo_command(&self) -> String {
        format!("goalspec {} @{}", self.demo_arguments, self.name)
    }
}

fn is_trace(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "jsonl")
}

/// Returns the name of the example that a path refers to, if it is not a file on disk.
pub fn example_name(path: &Path) -> Option<&str> {
    path.to_str()?.strip_prefix('@').filter(|_| !path.exists())
}

/// Returns the contents of a bundled file, by a path such as `@throw-to-bin/play.jsonl`.
pub fn read(path: &Path) -> Option<&'static str> {
    let (example, file) = example_name(path)?.split_once('/')?;
    let example = EXAMPLES.iter().find(|known| known.name == example)?;
    example.files().find(|(name, _)| *name == file).map(|(_, text)| text)
}
