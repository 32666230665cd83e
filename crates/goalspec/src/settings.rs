//! The settings of a project: `goalspec.toml`, which holds what command-line options say otherwise.
//!
//! The command line reads the file in the current folder or, if there is none, in the nearest folder above; the language server reads that of
//! the folder which the editor has open. An option of a command precedes the file. Paths are relative to the folder of the file.
//!
//! ```toml
//! worlds = ["worlds/*.world.toml"]
//!
//! [games]
//! empty-holds = true
//!
//! [activities]
//! dialect = "libero"
//! quantifiers = "documented"
//! knowledge = "bddl-3.6.0/bddl"
//!
//! [planning]
//! domain = "domain.pddl"
//!
//! [resource-games]
//! dialect = "cage"
//!
//! [rewards]
//! world = "pong"
//! ```

use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec_bddl::Dialect;
use goalspec_releases::Releases;
use goalspec_syntax::{Diagnostic, Sources, Span};
use serde::Deserialize;

use crate::codes;
use crate::files::{self, open_knowledge};
use crate::library::LibraryOptions;

/// The name of the file with the settings of a project.
pub const SETTINGS_FILE: &str = "goalspec.toml";

/// The settings of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The folder of the file, to which paths are relative.
    #[serde(skip)]
    pub folder: PathBuf,
    /// Patterns of the world files that are loaded with every program.
    pub worlds: Vec<String>,
    /// Settings of games.
    pub games: GameSettings,
    /// Settings of activities.
    pub activities: ActivitySettings,
    /// Settings of planning problems.
    pub planning: PlanningSettings,
    /// Settings of resource graph games.
    pub resource_games: ResourceGameSettings,
    /// Settings of reward functions.
    pub rewards: RewardSettings,
}

/// Settings of the game language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct GameSettings {
    /// Whether a `hold` between two other operators may cover no state.
    pub empty_holds: bool,
}

/// Settings of activities.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ActivitySettings {
    /// The dialect; `None` for the strict one, or that of LIBERO for texts with its sections.
    pub dialect: Option<ActivityDialect>,
    /// The semantics of counting and pairing quantifiers.
    pub quantifiers: QuantifierSemantics,
    /// The folder of the knowledge base; `None` to use the installed releases.
    pub knowledge: Option<PathBuf>,
}

/// A dialect of activities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActivityDialect {
    /// Strict parsing that reports every defect.
    Strict,
    /// Strict parsing with the sections of LIBERO.
    Libero,
    /// The behaviour of release 1.0.0.
    #[serde(rename = "compat-1.0")]
    Compat1,
    /// The behaviour of release 3.6.0.
    #[serde(rename = "compat-3.6")]
    Compat3,
}

impl ActivityDialect {
    /// Returns the dialect with its own semantics of quantifiers.
    pub fn dialect(self) -> Dialect {
        match self {
            Self::Strict => Dialect::STRICT,
            Self::Libero => Dialect::LIBERO,
            Self::Compat1 => Dialect::COMPAT_1_0,
            Self::Compat3 => Dialect::COMPAT_3_6,
        }
    }
}

/// The semantics of counting and pairing quantifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuantifierSemantics {
    /// As the simulators evaluate them.
    #[default]
    Evaluated,
    /// As the documentation of the language defines them.
    Documented,
}

/// Settings of planning problems.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlanningSettings {
    /// The file with the domain of all problems.
    pub domain: Option<PathBuf>,
}

/// Settings of resource graph games.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ResourceGameSettings {
    /// The name of the dialect.
    pub dialect: Option<String>,
    /// Changes of single rules, such as `odds=increment`.
    pub rules: Vec<String>,
}

/// Settings of reward functions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RewardSettings {
    /// The name or file of the world of all reward functions.
    pub world: Option<String>,
    /// Patterns of the Python files that are reward functions, for editors: other files are left to other servers.
    pub files: Vec<String>,
}

impl Settings {
    /// Reads the settings in a folder or, if it has none, in the nearest folder above that has; without any, returns the default.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn find(folder: &Path) -> Result<Self, SettingsError> {
        let file = folder.ancestors().map(|folder| folder.join(SETTINGS_FILE)).find(|file| file.is_file());
        file.map_or_else(|| Ok(Self::default()), |file| Self::read(&file))
    }

    /// Reads a file of settings.
    ///
    /// # Errors
    /// If the file cannot be read, is not TOML, or has unknown keys or invalid values.
    pub fn read(file: &Path) -> Result<Self, SettingsError> {
        let mut sources = Sources::new();
        let text = match files::read_text(file) {
            Ok(text) => text,
            Err(diagnostic) => return Err(SettingsError { diagnostic, sources }),
        };
        let id = sources.add(file.display().to_string(), text.as_str());
        let invalid = |message: String, span: Span| {
            let found = Diagnostic::error(codes::SETTINGS, span, message);
            Box::new(found.with_help("the page `Editors` of the book lists the settings"))
        };
        let settings: Result<Self, _> = toml::from_str(&text);
        let mut settings = match settings {
            Ok(settings) => settings,
            Err(error) => {
                let range = error.span().unwrap_or(0..0);
                let span = Span::new(id, range.start as u32, range.end as u32);
                return Err(SettingsError { diagnostic: invalid(error.message().to_owned(), span), sources });
            }
        };
        if let Err(message) = settings.resource_games.dialect() {
            return Err(SettingsError { diagnostic: invalid(message, Span::new(id, 0, 0)), sources });
        }
        settings.folder = file.parent().map(Path::to_owned).unwrap_or_default();
        Ok(settings)
    }

    /// Returns the options for reading programs, with the diagnostics of the knowledge base.
    pub fn library_options(&self) -> (LibraryOptions, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let (releases, error) = match &self.activities.knowledge {
            Some(folder) => (Releases::from_option(&self.path(folder)), None),
            None => Releases::installed(),
        };
        diagnostics.extend(error.map(|error| *error));
        let knowledge = self.activities.knowledge.as_ref().and_then(|folder| {
            let folder = releases.folders().first().cloned().unwrap_or_else(|| self.path(folder));
            open_knowledge(&folder).map_err(|error| diagnostics.push(*error)).ok()
        });
        let options = LibraryOptions {
            bddl_dialect: self.activities.dialect(),
            dialect_fixed: self.activities.dialect.is_some(),
            knowledge: knowledge.map(Arc::new),
            releases: if self.activities.knowledge.is_some() { Releases::default() } else { releases },
            game_dialect: self.games.dialect(),
            rgg_dialect: self.resource_games.dialect().unwrap_or(goalspec_rgg::Dialect::DOCUMENTED),
            reward_world: self.reward_world(),
            planning_domain: self.planning_domain(),
            ..LibraryOptions::default()
        };
        (options, diagnostics)
    }

    /// Returns the world files that are loaded with every program, sorted.
    pub fn world_files(&self) -> Vec<PathBuf> {
        let patterns = self.worlds.iter().map(|pattern| self.path(Path::new(pattern)));
        let found = patterns.filter_map(|pattern| glob::glob(&pattern.to_string_lossy()).ok());
        let mut files: Vec<PathBuf> = found.flatten().flatten().collect();
        files.sort();
        files.dedup();
        files
    }

    /// Returns the file with the domain of all planning problems.
    pub fn planning_domain(&self) -> Option<String> {
        self.planning.domain.as_ref().map(|domain| self.path(domain).display().to_string())
    }

    /// Returns the name or file of the world of all reward functions.
    pub fn reward_world(&self) -> Option<String> {
        let world = self.rewards.world.as_ref()?;
        let file = self.path(Path::new(world));
        Some(if file.is_file() { file.display().to_string() } else { world.clone() })
    }

    /// Whether a Python file is named as a reward function.
    pub fn names_reward(&self, file: &Path) -> bool {
        let patterns = self.rewards.files.iter().map(|pattern| self.path(Path::new(pattern)));
        let mut patterns = patterns.filter_map(|pattern| glob::Pattern::new(&pattern.to_string_lossy()).ok());
        patterns.any(|pattern| pattern.matches_path(file))
    }

    fn path(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }
}

impl GameSettings {
    /// Returns the dialect of games.
    pub fn dialect(&self) -> goalspec_game::Dialect {
        if self.empty_holds { goalspec_game::Dialect::PROSE } else { goalspec_game::Dialect::FORMAL }
    }
}

impl ActivitySettings {
    /// Returns the dialect of activities.
    pub fn dialect(&self) -> Dialect {
        let dialect = self.dialect.map_or(Dialect::STRICT, ActivityDialect::dialect);
        match self.quantifiers {
            QuantifierSemantics::Documented if dialect.release().is_none() => dialect.with_documented_quantifiers(),
            _ => dialect,
        }
    }
}

impl ResourceGameSettings {
    /// Returns the dialect of resource graph games.
    ///
    /// # Errors
    /// A message if the dialect or a rule is unknown.
    pub fn dialect(&self) -> Result<goalspec_rgg::Dialect, String> {
        let named = self.dialect.as_deref().map(|name| {
            goalspec_rgg::Dialect::from_name(name).ok_or_else(|| {
                let names: Vec<&str> = goalspec_rgg::Dialect::NAMED.iter().map(|(name, _)| *name).collect();
                format!("unknown dialect `{name}` of resource graph games, expected {}", names.join(" or "))
            })
        });
        let dialect = named.transpose()?.unwrap_or(goalspec_rgg::Dialect::DOCUMENTED);
        self.rules
            .iter()
            .try_fold(dialect, |dialect, rule| dialect.with_option(rule).map_err(|error| error.to_string()))
    }
}

/// The error that settings cannot be read, with the text of the file.
#[derive(Debug, Clone)]
pub struct SettingsError {
    /// The error.
    pub diagnostic: Box<Diagnostic>,
    /// The file to which its place refers.
    pub sources: Sources,
}

impl std::fmt::Display for SettingsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = self.diagnostic.span.and_then(|span| {
            let file = self.sources.find(span.source)?;
            let (line, column) = file.line_column(span.start);
            Some(format!("{}:{line}:{column}: ", file.name()))
        });
        let Diagnostic { code, severity, message, .. } = &*self.diagnostic;
        write!(f, "{}{severity}[{code}]: {}", place.unwrap_or_default(), message.trim_end())
    }
}

impl std::error::Error for SettingsError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Settings, SettingsError> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(SETTINGS_FILE);
        std::fs::write(&file, text).expect("it can be written");
        Settings::read(&file)
    }

    #[test]
    fn all_settings_are_read() {
        let settings = read(
            "worlds = [\"*.world.toml\"]\n[games]\nempty-holds = true\n[activities]\ndialect = \"compat-3.6\"\n\
             [planning]\ndomain = \"d.pddl\"\n[resource-games]\ndialect = \"cage\"\n[rewards]\nworld = \"pong\"\nfiles = [\"r/*.py\"]\n",
        )
        .expect("the settings are valid");
        let (options, _) = settings.library_options();
        assert_eq!(options.game_dialect, goalspec_game::Dialect::PROSE);
        assert_eq!(options.bddl_dialect, Dialect::COMPAT_3_6);
        assert!(options.dialect_fixed && options.planning_domain.is_some_and(|domain| domain.ends_with("/d.pddl")));
        assert_eq!(options.rgg_dialect, goalspec_rgg::Dialect::CAGE);
        assert_eq!(options.reward_world.as_deref(), Some("pong"));
        assert!(settings.names_reward(&settings.folder.join("r/a.py")) && !settings.names_reward(Path::new("/r/a.py")));
    }

    #[test]
    fn unknown_keys_and_values_are_refused() {
        for (text, expected) in [
            ("dialekt = 1", "goalspec.toml:1:1: error[input/settings]: unknown field `dialekt`"),
            ("[activities]\ndialect = \"lax\"", "goalspec.toml:2:11: error[input/settings]: unknown variant `lax`"),
            ("[resource-games]\ndialect = \"lax\"", "unknown dialect `lax` of resource graph games"),
            ("[", "goalspec.toml:1:"),
        ] {
            let message = read(text).map(|_| ()).expect_err("the settings are invalid").to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn the_nearest_folder_above_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("a/b");
        std::fs::create_dir_all(&inner).expect("it can be made");
        std::fs::write(folder.path().join(SETTINGS_FILE), "[games]\nempty-holds = true").expect("it can be written");
        assert!(Settings::find(&inner).expect("valid").games.empty_holds);
        std::fs::write(folder.path().join("a").join(SETTINGS_FILE), "").expect("it can be written");
        assert!(!Settings::find(&inner).expect("valid").games.empty_holds);
    }
}
