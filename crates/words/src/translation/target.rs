//! The language of a translation, and the vocabulary of its domain.

use std::sync::Arc;
use std::time::Duration;

use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_pddl::check::CheckedDomain;
use goalspec_syntax::{Diagnostic, SourceFile, SourceId, Sources};
use goalspec_trace::{ReadOptions, TraceInput, TraceReader as _};

use super::task::DOMAIN_MARK;
use crate::extraction::text::DocumentForm;

/// The default time limit for a plan.
pub const PLAN_TIME: Duration = Duration::from_secs(10);

/// The maximum number of states of the search for a plan.
pub const MAX_PLAN_STATES: usize = 2_000_000;

/// The form of the documents of a game.
const GAME: DocumentForm = DocumentForm { name: "game", ..crate::extraction::text::DEFINE };

/// The form of the documents of a planning problem.
const PROBLEM: DocumentForm = DocumentForm { name: "planning problem", ..crate::extraction::text::DEFINE };

/// The form of the documents of an activity.
const ACTIVITY: DocumentForm = DocumentForm { name: "activity", ..crate::extraction::text::DEFINE };

/// The language of a translation with its domain.
#[derive(Debug)]
pub enum Target {
    /// A planning problem in PDDL.
    Pddl(PddlTarget),
    /// A household activity in BDDL.
    Bddl(BddlTarget),
    /// A game in the game language.
    Game(GameTarget),
}

/// The domain of planning problems.
#[derive(Debug)]
pub struct PddlTarget {
    /// The text of the domain.
    pub text: String,
    /// The syntax tree.
    pub domain: Arc<goalspec_pddl::ast::Domain>,
    /// The checked domain.
    pub checked: Arc<CheckedDomain>,
    /// The time limit for a plan.
    pub plan_time: Duration,
}

/// The domain of activities.
#[derive(Debug)]
pub struct BddlTarget {
    /// The name of the domain.
    pub name: String,
    /// The text of the domain; empty for a built-in one.
    pub text: String,
    /// The domains of the text.
    pub domains: Vec<goalspec_bddl::ast::Domain>,
}

/// The world of games.
#[derive(Debug)]
pub struct GameTarget {
    /// The world.
    pub world: Arc<World>,
    /// The traces over which games are run.
    pub traces: Vec<TraceInput>,
}

impl GameTarget {
    /// Reads all states of the traces, so that a trace that cannot be read is an error of the input and not of a program.
    ///
    /// # Errors
    /// The first error of a trace.
    pub fn check_traces(&self) -> Result<(), Box<Diagnostic>> {
        for trace in &self.traces {
            let source = trace.open()?;
            let mut reader = source.read(&self.world, &ReadOptions::default())?;
            let mut delta = Delta::default();
            while reader.next(&mut delta)? {}
        }
        Ok(())
    }
}

impl Target {
    /// Reads a PDDL domain.
    ///
    /// # Errors
    /// If the text contains no domain, or has errors.
    pub fn pddl(source: &SourceFile, plan_time: Duration) -> Result<Self, Vec<Diagnostic>> {
        let parsed = goalspec_pddl::parse(source);
        let mut diagnostics = parsed.diagnostics;
        let Some(domain) = parsed.domains.into_iter().next() else {
            if !diagnostics.iter().any(Diagnostic::is_error) {
                let message = format!("`{}` contains no PDDL domain", source.name());
                diagnostics.push(*Diagnostic::invalid_argument(message));
            }
            return Err(diagnostics);
        };
        let checked = goalspec_pddl::check::domain(&domain);
        diagnostics.extend(checked.diagnostics.iter().cloned());
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err(diagnostics);
        }
        let text = source.slice(domain.span).to_owned();
        Ok(Self::Pddl(PddlTarget { text, domain: Arc::new(domain), checked: Arc::new(checked), plan_time }))
    }

    /// Returns a built-in domain of activities by its name.
    ///
    /// # Errors
    /// If there is no such domain, with the nearest name.
    pub fn builtin_bddl(name: &str) -> Result<Self, Box<Diagnostic>> {
        if goalspec_bddl::domains::builtin(name).is_some() {
            return Ok(Self::Bddl(BddlTarget { name: name.to_owned(), text: String::new(), domains: Vec::new() }));
        }
        let names: Vec<&str> = goalspec_bddl::domains::names().collect();
        let error = Diagnostic::invalid_argument(format!("unknown domain of activities `{name}`"));
        let help = goalspec_syntax::suggest::did_you_mean(name, names.iter().copied());
        let error = help.into_iter().fold(*error, Diagnostic::with_help);
        Err(Box::new(error.with_help(format!("pass a file, or one of {}", names.join(", ")))))
    }

    /// Reads a domain of activities.
    ///
    /// # Errors
    /// If the text contains no domain, or has errors.
    pub fn bddl(source: &SourceFile) -> Result<Self, Vec<Diagnostic>> {
        let parsed = goalspec_bddl::parse::parse(source, goalspec_bddl::Dialect::default());
        let mut diagnostics = parsed.diagnostics;
        let Some(name) = parsed.domains.first().map(|domain| domain.name.text.to_string()) else {
            diagnostics.push(*Diagnostic::invalid_argument(format!("`{}` contains no BDDL domain", source.name())));
            return Err(diagnostics);
        };
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err(diagnostics);
        }
        Ok(Self::Bddl(BddlTarget { name, text: source.text().to_owned(), domains: parsed.domains }))
    }

    /// Returns the name in options and reports.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Pddl(_) => "pddl",
            Self::Bddl(_) => "bddl",
            Self::Game(_) => "game",
        }
    }

    /// Returns the number of the source file of the domain; `None` if the domain is built in.
    pub fn domain_source(&self) -> Option<SourceId> {
        match self {
            Self::Pddl(target) => Some(target.domain.span.source),
            Self::Bddl(target) => target.domains.first().map(|domain| domain.origin.0.source),
            Self::Game(_) => None,
        }
    }

    /// Returns the extension of the files of examples.
    pub const fn extension(&self) -> &'static str {
        self.name()
    }

    /// Returns the form of the documents.
    pub const fn form(&self) -> DocumentForm {
        match self {
            Self::Pddl(_) => PROBLEM,
            Self::Bddl(_) => ACTIVITY,
            Self::Game(_) => GAME,
        }
    }

    /// Returns the description of the domain in a prompt.
    pub fn description(&self) -> String {
        match self {
            Self::Pddl(target) => format!("{DOMAIN_MARK}\n{}", target.text.trim()),
            Self::Bddl(target) if !target.text.is_empty() => format!("The domain, in BDDL:\n\n{}", target.text.trim()),
            Self::Bddl(target) => {
                let domain = goalspec_bddl::domains::builtin(&target.name);
                let predicates = domain.into_iter().flat_map(|domain| &domain.predicates).map(|predicate| {
                    let parameters = predicate
                        .parameters
                        .iter()
                        .map(|parameter| format!(" ?{}", parameter.name.text.trim_start_matches('?')));
                    format!("({}{})", predicate.name.text, parameters.collect::<String>())
                });
                let predicates: Vec<String> = predicates.collect();
                format!("The domain is `{}` of BDDL, with the predicates {}.", target.name, predicates.join(", "))
            }
            Self::Game(target) => world_description(&target.world),
        }
    }

    /// Returns the sentence that says what to write.
    pub fn request(&self) -> String {
        match self {
            Self::Pddl(target) => format!(
                "Write the PDDL problem `(define (problem NAME) (:domain {}) (:objects ..) (:init ..) (:goal ..))`.",
                target.domain.name.written()
            ),
            Self::Bddl(target) => format!(
                "Write the BDDL activity `(define (problem NAME) (:domain {}) (:objects ..) (:init ..) (:goal ..))`.",
                target.name
            ),
            Self::Game(target) => format!(
                "Write the game `(define (game NAME) (:domain {}) (:constraints (and (preference NAME ..) ..)) (:scoring ..))`.",
                target.world.name()
            ),
        }
    }

    /// Formats a program of the language.
    pub fn format(&self, program: &str) -> String {
        let mut sources = Sources::new();
        let id = sources.add("program", program);
        let source = sources.file(id);
        match self {
            Self::Pddl(_) => goalspec_pddl::format::format(source),
            Self::Bddl(_) => goalspec_bddl::format::format(source),
            Self::Game(_) => goalspec_game::format::format(source),
        }
    }
}

/// Describes the vocabulary of a world.
fn world_description(world: &World) -> String {
    let types = world.types().iter().map(|declared| declared.name.to_string()).collect::<Vec<_>>().join(", ");
    let objects: Vec<String> =
        world.labels().into_iter().take(MAX_NAMES).map(std::string::ToString::to_string).collect();
    let union = |parameter: &goalspec_core::world::Parameter| {
        let names = parameter.types.iter().map(|&id| world.type_decl(id).name.to_string());
        names.collect::<Vec<_>>().join("|")
    };
    let signature = |name: &str, parameters: &[goalspec_core::world::Parameter], doc: &str| {
        let parameters: String = parameters.iter().map(|parameter| format!(" ?{}", union(parameter))).collect();
        let doc = if doc.is_empty() { String::new() } else { format!(": {doc}") };
        format!("- ({name}{parameters}){doc}")
    };
    let predicates = world.predicates().iter().map(|one| signature(&one.name, &one.parameters, &one.doc));
    let functions = world.functions().iter().map(|one| signature(&one.name, &one.parameters, &one.doc));
    format!(
        "The world is `{}` of the game language.\nTypes: {types}\nObjects: {}\nPredicates and functions, with the types of their \
         arguments:\n{}",
        world.name(),
        objects.join(", "),
        predicates.chain(functions).take(MAX_NAMES).collect::<Vec<_>>().join("\n")
    )
}

/// The maximum number of objects, and of predicates, of a world in a prompt.
const MAX_NAMES: usize = 500;
