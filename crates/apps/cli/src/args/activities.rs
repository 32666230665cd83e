//! Options for activities and for programs of all kinds, shared by several commands.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use goalspec::bddl::Dialect;
use goalspec::files::{open_knowledge, read_layout};
use goalspec::library::{Library, LibraryOptions};
use goalspec::releases::Releases;
use goalspec::settings::{ActivityDialect, ActivitySettings, QuantifierSemantics, Settings};
use goalspec::syntax::Diagnostic;

use super::{GameArgs, ResourceArgs};
use crate::library::settings;
use crate::output::CommandError;

// No doc comment: clap would use it as the description of the command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Activities (BDDL)")]
pub(crate) struct ActivityArgs {
    /// Dialect of activities [default: strict; libero for activities with sections that only LIBERO has]
    #[arg(long, value_enum, value_name = "DIALECT")]
    dialect: Option<BddlDialectName>,
    /// Semantics of `forn` and the pair quantifiers
    #[arg(long = "quantifiers", value_enum, default_value_t, value_name = "SEMANTICS")]
    readings: BddlReadings,
    /// Knowledge base of synsets, abilities and scenes: the folder of a release of the Python package `bddl`, or the version of a fetched
    /// release [default: `$GOALSPEC_BDDL`, the configuration, or the releases fetched with `goalspec fetch bddl`]
    #[arg(long, value_name = "FOLDER")]
    knowledge: Option<PathBuf>,
    /// Layout of a scene, whose objects replace wildcards such as `table.n.02_*`: `{"kitchen": {"fridge": 3}}`
    #[arg(long, value_name = "FILE")]
    scene: Option<PathBuf>,
}

// No doc comment: clap would use it as the description of the command.
#[derive(Debug, Clone, Args)]
pub(crate) struct ProgramArgs {
    #[command(flatten)]
    pub(crate) games: GameArgs,
    #[command(flatten)]
    activities: ActivityArgs,
    #[command(flatten)]
    resource: ResourceArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BddlDialectName {
    /// Strict parsing that reports every defect
    Strict,
    /// Strict parsing with the sections of LIBERO
    Libero,
    /// Parsing, evaluation and options of release 1.0.0
    #[value(name = "compat-1.0")]
    Compat1,
    /// Parsing, evaluation and options of release 3.6.0
    #[value(name = "compat-3.6")]
    Compat3,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum BddlReadings {
    /// As evaluated by the simulators: exactly N; N objects of each side with a partner
    #[default]
    Evaluated,
    /// As documented for the language: at least N; one-to-one pairs
    Documented,
}

impl From<ActivityDialect> for BddlDialectName {
    fn from(dialect: ActivityDialect) -> Self {
        match dialect {
            ActivityDialect::Strict => Self::Strict,
            ActivityDialect::Libero => Self::Libero,
            ActivityDialect::Compat1 => Self::Compat1,
            ActivityDialect::Compat3 => Self::Compat3,
        }
    }
}

impl ProgramArgs {
    /// Returns the arguments of a command that reads only resource graph games.
    pub(crate) fn for_games(resource: &ResourceArgs) -> Self {
        let activities =
            ActivityArgs { dialect: None, readings: BddlReadings::default(), knowledge: None, scene: None };
        Self { games: GameArgs::default(), activities, resource: resource.clone() }
    }

    /// Returns the releases that activities may belong to, and the diagnostic of the configuration if it is invalid.
    pub(crate) fn releases(&self) -> (Releases, Option<Box<Diagnostic>>) {
        self.activities.releases()
    }

    /// Returns an error if options apply to a kind of program that is absent.
    pub(crate) fn reject_unused(&self, library: &Library) -> Result<(), CommandError> {
        let programs = library.programs();
        // A program with errors may have been of any kind.
        if programs.is_empty() || library.diagnostics().iter().any(Diagnostic::is_error) {
            return Ok(());
        }
        let activities = programs.iter().any(|program| program.as_activity().is_some());
        let resource = programs.iter().any(|program| program.as_resource().is_some());
        let games = programs.iter().any(|program| program.as_game().is_some());
        let unused = [
            (self.games.first_set_option(), games, "a program of the game language"),
            (self.activities.given(), activities, "an activity"),
            (self.resource.first_set_option(), resource, "a resource graph game"),
        ];
        let unused = unused
            .into_iter()
            .find_map(|(option, any, requirement)| option.filter(|_| !any).map(|option| (option, requirement)));
        unused.map_or(Ok(()), |(option, requirement)| {
            Err(CommandError::Usage(format!("{option} requires {requirement}")))
        })
    }

    /// Returns the reading of programs, with the diagnostics of the knowledge base and the scene.
    pub(crate) fn library_options(&self) -> Result<(LibraryOptions, Vec<Diagnostic>), CommandError> {
        let settings = settings()?;
        if let Some(duplicate) = self.resource.duplicate() {
            return Err(CommandError::Usage(format!("{duplicate} is given twice")));
        }
        let (mut reading, diagnostics) = self.activities.reading(&settings)?;
        reading.game_dialect = self.games.or(&settings.games).dialect();
        reading.rgg_dialect = self.resource.or(&settings.resource_games).dialect();
        reading.reward_world = settings.reward_world();
        reading.planning_domain = settings.planning_domain();
        self.resource.results().iter().for_each(|result| result.register_in(&mut reading));
        Ok((reading, diagnostics))
    }
}

impl ActivityArgs {
    /// Returns the name of an activity option that is set, if any.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [
            ("--dialect", self.dialect.is_some()),
            ("--quantifiers", self.readings != BddlReadings::default()),
            ("--knowledge", self.knowledge.is_some()),
            ("--scene", self.scene.is_some()),
        ];
        options.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    /// Returns the options with those of the settings where none is given.
    fn or(&self, settings: &Settings) -> Self {
        let ActivitySettings { dialect, quantifiers, knowledge } = &settings.activities;
        let mut args = self.clone();
        args.dialect = args.dialect.or(dialect.map(BddlDialectName::from));
        if *quantifiers == QuantifierSemantics::Documented {
            args.readings = BddlReadings::Documented;
        }
        args.knowledge = args.knowledge.or(knowledge.as_ref().map(|folder| settings.folder.join(folder)));
        args
    }

    /// Returns the dialect with the chosen readings.
    fn dialect(&self) -> Dialect {
        let dialect = match self.dialect {
            None | Some(BddlDialectName::Strict) => Dialect::STRICT,
            Some(BddlDialectName::Libero) => Dialect::LIBERO,
            Some(BddlDialectName::Compat1) => Dialect::COMPAT_1_0,
            Some(BddlDialectName::Compat3) => Dialect::COMPAT_3_6,
        };
        match self.readings {
            BddlReadings::Evaluated => dialect,
            BddlReadings::Documented => dialect.with_documented_quantifiers(),
        }
    }

    /// Returns the reading of activities, with the diagnostics of the knowledge base and the scene.
    pub(crate) fn reading(&self, settings: &Settings) -> Result<(LibraryOptions, Vec<Diagnostic>), CommandError> {
        self.or(settings).reading_as_given()
    }

    fn reading_as_given(&self) -> Result<(LibraryOptions, Vec<Diagnostic>), CommandError> {
        let dialect = self.dialect();
        if dialect.release().is_some() && self.readings == BddlReadings::Documented {
            let message = "--quantifiers documented is not supported with a compat dialect, which has the semantics of its release";
            return Err(CommandError::Usage(message.to_owned()));
        }
        let mut diagnostics = Vec::new();
        let (releases, unusable) = self.releases();
        diagnostics.extend(unusable.map(|unusable| *unusable));
        if self.scene.is_some() && self.knowledge.is_none() && releases.folders().is_empty() {
            let message = "--scene requires a knowledge base: specify --knowledge, or run `goalspec fetch bddl`";
            return Err(CommandError::Usage(message.to_owned()));
        }
        let first_release = || releases.folders().first().cloned();
        let knowledge = self.knowledge.as_ref().map(|path| open_knowledge(first_release().as_ref().unwrap_or(path)));
        let knowledge = knowledge.and_then(|opened| opened.map_err(|diagnostic| diagnostics.push(*diagnostic)).ok());
        diagnostics.extend(knowledge.iter().flat_map(|knowledge| knowledge.inconsistencies().iter().cloned()));
        let scene = self.scene.as_deref().map(read_layout);
        let scene = scene.and_then(|read| read.map_err(|diagnostic| diagnostics.push(*diagnostic)).ok());
        let knowledge = knowledge.map(Arc::new);
        let dialect_fixed = self.dialect.is_some();
        let releases = if self.knowledge.is_some() { Releases::default() } else { releases };
        Ok((
            LibraryOptions {
                bddl_dialect: dialect,
                dialect_fixed,
                knowledge,
                releases,
                scene,
                ..LibraryOptions::default()
            },
            diagnostics,
        ))
    }

    /// Returns the releases that activities may belong to, and the diagnostic of the configuration if it is invalid.
    pub(crate) fn releases(&self) -> (Releases, Option<Box<Diagnostic>>) {
        match &self.knowledge {
            Some(folder) => (Releases::from_option(folder), None),
            None => Releases::installed(),
        }
    }
}
