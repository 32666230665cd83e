//! Reward programs with their source, their outline and their world.

use std::fmt::Write as _;
use std::sync::Arc;

use goalspec_atari::Game;
use goalspec_core::engine::Engine;
use goalspec_python_runtime::entry::Entry;
use goalspec_python_runtime::fast::Coverage;
use goalspec_reward::outline::Outline;
use goalspec_reward::terms::Terms;
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, SourceFile};

use crate::codes;
use crate::compiled::CompiledReward;
use crate::screen_worlds;
use crate::world::RewardWorld;

/// The function names that identify files of a folder as reward functions.
pub(crate) const ENTRY_NAMES: [&str; 2] = ["reward_function", "compute_reward"];

/// A reward program: its source, its outline and its executable form.
#[derive(Debug, Clone)]
pub struct RewardProgram {
    /// The functions that the program defines and the names that it needs.
    pub outline: Outline,
    /// The executable program; `None` if errors prevent it from running.
    pub program: Option<Arc<goalspec_python_runtime::Program>>,
    /// The requested or imported world; `None` if the recording determines it.
    pub world: Option<RewardWorld>,
    source: SourceFile,
}

/// A reward program with its name in messages and results.
#[derive(Debug, Clone, Copy)]
pub struct NamedRewardProgram<'p> {
    /// The name.
    pub name: &'p Arc<str>,
    /// The program.
    pub reward: &'p RewardProgram,
}

impl RewardProgram {
    /// Reads and checks a program. `requested_world` is the world to read it with, whatever it imports; `default_world` is the world of
    /// programs that import none.
    pub fn read(
        file: &SourceFile,
        requested_world: Option<RewardWorld>,
        default_world: Option<RewardWorld>,
    ) -> (Self, Vec<Diagnostic>) {
        let goalspec_reward::ReadResult { program, mut diagnostics } = goalspec_reward::read(file);
        let outline = Outline::of(file);
        let imported = outline.world_modules.iter().find_map(|name| screen_worlds::for_module(&name.text));
        let imported = imported.map(RewardWorld::Screen);
        let mut reward = Self { program, outline, world: None, source: file.clone() };
        if reward.program.is_some() {
            diagnostics.extend(import_diagnostics(&reward.outline, requested_world.as_ref(), imported.as_ref()));
        }
        reward.world = requested_world.or(imported).or(default_world);
        // Without a world of its own, the program is checked against the recording's world later.
        if let Some(world) = &reward.world {
            diagnostics.extend(reward.world_diagnostics(world));
        }
        (reward, diagnostics)
    }

    /// Returns the diagnostics of the program in a world: unknown names, and a missing reward function.
    pub fn world_diagnostics(&self, world: &RewardWorld) -> Vec<Diagnostic> {
        if self.program.is_none() {
            return Vec::new();
        }
        let mut diagnostics = self.outline.check_names(world.scene(), world.name());
        let entry = self.entry(world);
        diagnostics.extend(entry.and_then(Result::err).map(|error| *error));
        diagnostics
    }

    /// Returns the reward function in a world; `None` if the program cannot run.
    ///
    /// # Errors
    /// Returns a diagnostic if there is no such function, or more than one.
    pub fn entry(&self, world: &RewardWorld) -> Option<Result<Entry, Box<Diagnostic>>> {
        let program = self.program.as_ref()?;
        Some(goalspec_reward::entry::find_entry(program, &self.source, world.scene(), None))
    }

    /// Describes the program in English: the reward function, its terms, and the parts that run fast.
    pub fn describe(&self) -> String {
        let Some(world) = &self.world else {
            return "The world is that of the recording.\n".to_owned();
        };
        let Some(Ok(entry)) = self.entry(world) else { return String::new() };
        let mut text =
            format!("The reward is the return value of `{}` in the world `{}`.\n", entry.function, world.name());
        let terms = Terms::of(&self.source, &entry.function);
        for term in &terms.terms {
            let condition =
                term.truncated_condition().map_or_else(String::new, |condition| format!(", if {condition}"));
            let sign = if term.is_subtracted() { "-" } else { "" };
            let _ = writeln!(text, "  line {}: {sign}{}{condition}", term.line, term.text);
        }
        // A top level that raises an exception is reported when the program runs.
        if let Ok(compiled) = CompiledReward::new(&Arc::from(self.source.name()), self, world, Engine::Fast) {
            text.push_str(&describe_coverage(compiled.coverage()));
        }
        if let RewardWorld::Objects(world) = world {
            text.push_str(&world.describe_classes());
        }
        text
    }

    /// Returns the source file.
    pub fn source(&self) -> &SourceFile {
        &self.source
    }

    /// Whether the beginning of a Python text identifies it as a reward function.
    pub fn is_reward_source(text: &str) -> bool {
        text.lines().any(|line| {
            let name = line.strip_prefix("def ").and_then(|rest| rest.split('(').next());
            name.is_some_and(|name| ENTRY_NAMES.contains(&name.trim()))
        })
    }
}

/// Describes the coverage by the fast engine in English.
fn describe_coverage(coverage: &Coverage) -> String {
    if let Some(reason) = &coverage.unsupported {
        return format!("Runs on the interpreter: {reason}.\n");
    }
    if coverage.is_complete() {
        return "Runs entirely on the fast engine.\n".to_owned();
    }
    let mut text =
        "Runs on the fast engine, except for calls that reach these lines, which run on the interpreter:\n".to_owned();
    for gap in &coverage.gaps {
        let _ = writeln!(text, "  line {}: {}", gap.line, gap.construct);
    }
    text
}

/// Returns the diagnostics of the worlds that a program imports.
fn import_diagnostics(
    outline: &Outline,
    requested: Option<&RewardWorld>,
    imported: Option<&RewardWorld>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for name in &outline.world_modules {
        let Some(game) = name.text.strip_prefix("ocatari.").and_then(|rest| rest.split_once('.')) else { continue };
        if screen_worlds::for_module(&name.text).is_none() {
            let known: Vec<String> = Game::ALL.iter().map(|game| game.slug()).collect();
            let message = format!("no world for the game `{}`", game.1);
            let error = Diagnostic::new(goalspec_trace::codes::UNKNOWN_DOMAIN, import_severity(requested), message);
            let error = Diagnostic { span: Some(name.span), ..error };
            let near = goalspec_syntax::suggest::did_you_mean(game.1, known.iter().map(String::as_str));
            found.push(
                near.into_iter()
                    .fold(error, Diagnostic::with_help)
                    .with_help(format!("available: {}", known.join(", "))),
            );
        }
    }
    if let (Some(requested), Some(imported), Some(name)) = (requested, imported, outline.world_modules.first())
        && matches!(requested, RewardWorld::Screen(_))
        && !requested.is_same(imported)
    {
        let message = format!(
            "the program imports the classes of `{}`, but is read with `{}`",
            imported.name(),
            requested.name()
        );
        let error = Diagnostic::new(codes::OTHER_REWARD_WORLD, Severity::Warning, message);
        found.push(Diagnostic { span: Some(name.span), ..error });
    }
    found
}

/// Returns the severity of an import of unknown classes: a warning if another world was requested.
fn import_severity(requested: Option<&RewardWorld>) -> Severity {
    if requested.is_some() { Severity::Warning } else { Severity::Error }
}
