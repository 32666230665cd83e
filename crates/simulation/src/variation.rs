//! Games with values that vary, drawn for each game or once for all games of a seed.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::game::{Game, Team};
use goalspec_resource::value::Value;
use goalspec_rgg::Dialect;
use goalspec_rgg::template::{GameTemplate, PatchError, TemplateVariable};
use goalspec_simulator::Simulator;
use goalspec_simulator::experiment::{GameVariants, SampledValues};
use goalspec_simulator::statistics::sweep::{ParameterSweep, SamplingFrequency};
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, SourceId, Sources};

use crate::codes;

/// The maximum total size in bytes of the texts of the variants that are kept compiled.
const KEPT_BYTES: usize = 1 << 24;

/// The maximum number of variants that are kept compiled.
const MAX_KEPT: usize = 1024;

/// The text of a game, whose values vary.
#[derive(Debug, Clone, Copy)]
pub struct GameText<'s> {
    /// The sources that contain the text.
    pub sources: &'s Sources,
    /// The source.
    pub source: SourceId,
    /// The dialect in which it is read.
    pub dialect: Dialect,
}

/// A game with values that vary.
#[derive(Debug)]
pub struct Variation {
    template: GameTemplate,
    variables: Vec<TemplateVariable>,
    texts: Vec<String>,
    sweep: ParameterSweep,
    custom: ResultRegistry,
    /// The warnings and notes that occur with some values and not in the file itself.
    findings: Vec<PatchError>,
    /// The compiled variants, by key.
    compiled: Mutex<HashMap<Arc<str>, Simulator>>,
    max_compiled: usize,
}

impl Variation {
    /// Parses variables, each written `PATH=CONSTRAINT`; see [`goalspec_rgg::template`].
    ///
    /// # Errors
    /// If a variable, or the game with some of its values, has errors.
    pub fn new(
        game: GameText<'_>,
        custom_results: &ResultRegistry,
        texts: &[String],
        each: SamplingFrequency,
    ) -> Result<Self, Box<PatchError>> {
        let names: Vec<&str> = custom_results.names().map(|name| &**name).collect();
        let source = game.sources.file(game.source);
        let template = GameTemplate::new(source, game.dialect, &names)
            .map_err(|errors| PatchError { sources: game.sources.clone(), diagnostics: errors.into_vec() })?;
        let mut sources = Sources::new();
        let ids: Vec<SourceId> = texts.iter().map(|text| sources.add("<variation>", text.as_str())).collect();
        let files: Vec<_> = ids.iter().map(|id| sources.file(*id)).collect();
        let variables = match template.parse_variables(&files) {
            Ok(variables) => variables,
            Err(errors) => return Err(Box::new(PatchError { sources, diagnostics: errors.into_vec() })),
        };
        let mut findings = template.check_extremes(&variables);
        let is_error = |found: &PatchError| found.diagnostics.iter().any(Diagnostic::is_error);
        if let Some(place) = findings.iter().position(is_error) {
            return Err(Box::new(findings.swap_remove(place)));
        }
        let sweep = ParameterSweep { spaces: variables.iter().map(|variable| variable.space.clone()).collect(), each };
        let capacity = (KEPT_BYTES / source.text().len().max(1)).clamp(1, MAX_KEPT);
        let cache = Mutex::default();
        let (texts, custom) = (texts.to_vec(), custom_results.clone());
        Ok(Self { template, variables, texts, sweep, custom, findings, compiled: cache, max_compiled: capacity })
    }

    /// Returns the variables.
    pub fn variables(&self) -> &[TemplateVariable] {
        &self.variables
    }

    /// Returns the warnings and notes that occur with some values and not in the file itself.
    pub fn findings(&self) -> &[PatchError] {
        &self.findings
    }

    /// Returns the variables as written.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Returns whether values are drawn for each game or once for all games of a seed.
    pub fn each(&self) -> SamplingFrequency {
        self.sweep.each
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Arc<str>, Simulator>> {
        self.compiled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn compile(&self, sampled: &SampledValues) -> Result<Simulator, Box<PatchError>> {
        let values: Vec<(&TemplateVariable, Value)> =
            self.variables.iter().zip(sampled.values.iter().cloned()).collect();
        let game = self.template.with(&values).map_err(|mut error| {
            let first = self.error(sampled, "the varied text has errors");
            error.diagnostics.insert(0, first);
            error
        })?;
        let alone = |diagnostic| Box::new(PatchError { sources: Sources::new(), diagnostics: vec![diagnostic] });
        if !has_same_names(self.template.game(), &game) {
            let error = self.error(sampled, "the names of teams, nodes, actions or metrics change");
            return Err(alone(error.with_help("vary values, not names")));
        }
        let simulator = Simulator::variant(game, self.template.game(), self.custom.clone());
        simulator.map_err(|error| alone(self.error(sampled, &error.to_string())))
    }

    fn error(&self, sampled: &SampledValues, why: &str) -> Diagnostic {
        let pairs = self.variables.iter().zip(sampled.values.iter());
        let pairs: Vec<String> = pairs.map(|(variable, value)| format!("{} = {value}", variable.path)).collect();
        let message = format!("cannot play the game with {}: {why}", pairs.join(", "));
        Diagnostic::new(codes::VARIATION, Severity::Error, message)
    }
}

impl GameVariants for Variation {
    type Error = Box<PatchError>;

    fn variables(&self) -> usize {
        self.variables.len()
    }

    fn sample(&self, seed: u64, index: u64) -> Result<SampledValues, Box<PatchError>> {
        let values = self
            .sweep
            .values(seed, index)
            .map_err(|error| Box::new(variation_error(format!("cannot draw a value: {error:?}"))))?;
        let mut key = String::new();
        for value in &values {
            // Writing to a string cannot fail. The key distinguishes integers from real numbers, as games do.
            let _ = write!(key, "{value:?};");
        }
        Ok(SampledValues { key: key.into(), values: values.into() })
    }

    fn simulator(&self, sampled: &SampledValues) -> Result<Simulator, Box<PatchError>> {
        if let Some(known) = self.lock().get(&sampled.key) {
            return Ok(known.clone());
        }
        let simulator = self.compile(sampled)?;
        let mut cache = self.lock();
        if cache.len() < self.max_compiled {
            cache.insert(sampled.key.clone(), simulator.clone());
        }
        Ok(simulator)
    }
}

fn variation_error(message: String) -> PatchError {
    let diagnostic = Diagnostic::new(codes::VARIATION, Severity::Error, message);
    PatchError { sources: Sources::new(), diagnostics: vec![diagnostic] }
}

/// Whether two games have the same teams, choices, metrics, nodes and resources, on which policies, columns and pictures depend.
fn has_same_names(left: &Game, right: &Game) -> bool {
    let teams = |game: &Game| -> Vec<Vec<Arc<str>>> {
        let names = |team: &Team| {
            let choices = team.choices.iter().map(|choice| choice.name.clone());
            std::iter::once(team.name.clone()).chain(choices).collect()
        };
        game.teams.iter().map(names).collect()
    };
    let metrics = |game: &Game| game.metrics.iter().map(|metric| metric.name.clone()).collect::<Vec<_>>();
    let slots = |game: &Game| game.board.slots().map(|(_, slot)| (slot.node, slot.resource)).collect::<Vec<_>>();
    let nodes = |game: &Game| game.board.nodes().map(|(_, node)| node.name.clone()).collect::<Vec<_>>();
    teams(left) == teams(right)
        && metrics(left) == metrics(right)
        && nodes(left) == nodes(right)
        && slots(left) == slots(right)
}
