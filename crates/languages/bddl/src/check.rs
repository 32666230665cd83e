//! Everything that can be said about a text without running it: what the reader and the [lints](crate::lint) find, the checks
//! that the releases run on every activity, and lints that need a knowledge base.
//!
//! | module | what lives there |
//! |---|---|
//! | [`verdicts`] | the fifteen checks and what came of them |
//! | [`requirements`] | the predicates and properties that an activity needs |
//! | `resolved` | names looked up once |
//! | `vocabulary` | what predicates need, types of rooms, what can be attached to what |
//! | `objects`, `init`, `goal`, `abilities` | the checks, by what they look at |
//! | `world` | lints: object models, scenes, transition rules |
//!
//! A check that has failed always has a diagnostic, from here or from the reader. Not every diagnostic fails a check: some
//! findings are ours alone, and harmless ones that the releases refuse are notes.

mod abilities;
pub mod codes;
mod findings;
mod goal;
mod init;
mod objects;
pub mod requirements;
mod resolved;
pub mod verdicts;
mod vocabulary;
mod world;

use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span, codes as syntax};

use crate::ast::{Domain, Problem};
use crate::dialect::Dialect;
use crate::knowledge::Knowledge;
use crate::names::Declared;
use crate::parse::Parsed;
use crate::report::at;
use crate::wildcard::{self, Layout};
use crate::{domains, lint, parse, resolve};
use findings::Findings;
use resolved::Resolved;
pub use verdicts::{Check, Verdict, Verdicts};

/// The one who acts.
const AGENT_INSTANCE: &str = "agent.n.01_1";

/// What was found out about a text.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// The problems, as far as they could be read.
    pub problems: Vec<Problem>,
    /// The domains, likewise.
    pub domains: Vec<Domain>,
    /// What came of the checks, for each problem.
    pub verdicts: Vec<Verdicts>,
    /// Everything that was found, in the order of the text; what has no place comes first.
    pub diagnostics: Vec<Diagnostic>,
}

/// What texts are checked against.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'a> {
    /// How texts are read.
    pub dialect: Dialect,
    /// The vocabularies that are known besides the built-in ones.
    pub domains: &'a [Domain],
    /// What is known of the things in activities. Checks that need it are skipped without, and a note says so.
    pub knowledge: Option<&'a Knowledge>,
    /// The scene whose things take the place of wildcards before anything is looked at; which things are meant takes
    /// `knowledge` to tell.
    pub scene: Option<&'a Layout>,
}

impl Context<'_> {
    /// Puts the things of the scene in the place of the wildcards of a problem; says why where that cannot be done.
    fn expand(&self, problem: &mut Problem) -> Option<Diagnostic> {
        let (scene, knowledge) = self.scene.zip(self.knowledge)?;
        match wildcard::expand(problem, scene, knowledge.taxonomy()) {
            Ok(expanded) => {
                *problem = expanded;
                None
            }
            Err(error) => Some(error.into()),
        }
    }
}

/// Reads a text and checks its problems.
///
/// The [lints](lint) look at texts that can be read as a whole; in the dialects of the releases, which know no places, they are
/// left out. The checks are about activities of BEHAVIOR: for problems with sections of LIBERO all are skipped.
pub fn check(source: &SourceFile, context: Context<'_>) -> Checked {
    let Context { dialect, domains, knowledge, .. } = context;
    let Parsed { mut problems, domains: own, mut diagnostics } = parse::unresolved(source, dialect, domains);
    diagnostics.extend(problems.iter_mut().filter_map(|problem| context.expand(problem)));
    let names: Vec<Declared<'_>> = problems.iter().map(Declared::of).collect();
    parse::resolve(&names, &own, dialect, domains, &mut diagnostics);
    if dialect.release().is_none() {
        let found = lint::declared(&names, &diagnostics, dialect);
        diagnostics.extend(found);
    }
    let mut verdicts = Vec::with_capacity(names.len());
    for declared in &names {
        let domain = domains::of(declared.problem, dialect, domains.iter().chain(&own));
        let (verdict, mut found) = checks(declared, Some(source), knowledge, domain);
        verdicts.push(verdict);
        // Where a scene is given, the activity is meant for it.
        found.retain(|finding| context.scene.is_none() || finding.code != codes::NO_SCENE);
        diagnostics.append(&mut found);
        if dialect.release().is_some() {
            // A release does not warn; what it accepts is no error.
            diagnostics.extend(resolve::declared(declared, domain).into_iter().filter(|found| !found.is_error()));
        }
    }
    if dialect.release().is_some() {
        // They know no places, but which file it is can be said.
        let start = Span::new(source.id(), 0, 0);
        for found in &mut diagnostics {
            found.span.get_or_insert(start);
        }
    }
    // Of parentheses that do not match, much of the rest follows.
    let unmatched = |code| [syntax::STRAY_PARENTHESIS, syntax::UNCLOSED_LIST].contains(&code);
    diagnostics.sort_by_key(|found| {
        let cause = found.is_error() && unmatched(found.code);
        (!cause, found.span.map_or(0, |span| span.start))
    });
    Checked { problems, domains: own, verdicts, diagnostics }
}

/// Runs the checks on a problem that has been read. `source` is its text, if there is one.
pub fn problem_checks(
    problem: &Problem,
    source: Option<&SourceFile>,
    knowledge: Option<&Knowledge>,
    domain: Option<&Domain>,
) -> (Verdicts, Vec<Diagnostic>) {
    checks(&Declared::of(problem), source, knowledge, domain)
}

fn checks(
    declared: &Declared<'_>,
    source: Option<&SourceFile>,
    knowledge: Option<&Knowledge>,
    domain: Option<&Domain>,
) -> (Verdicts, Vec<Diagnostic>) {
    let problem = declared.problem;
    if problem.libero.is_some() {
        return (Verdicts::skipped(), Vec::new());
    }
    let resolved = Resolved::new(declared, knowledge);
    let mut findings = Findings::default();
    objects::form(&resolved, &mut findings);
    objects::name(&resolved, source, &mut findings);
    objects::marks(&resolved, source, &mut findings);
    let occurs = init::terms(&resolved, knowledge, &mut findings);
    init::literals(&resolved, &mut findings);
    init::placements(&resolved, &mut findings);
    init::future(&resolved, &occurs, &mut findings);
    init::agent(&resolved, &mut findings);
    goal::variables(&resolved, &mut findings);
    goal::terms(&resolved, &mut findings);
    goal::predicates(&resolved, domain, &mut findings);
    match knowledge {
        Some(knowledge) => {
            objects::synsets(&resolved, knowledge, &mut findings);
            objects::substances(&resolved, knowledge, &mut findings);
            abilities::applicable(&resolved, knowledge, &mut findings);
            abilities::containers(&resolved, knowledge, &mut findings);
            world::models(&resolved, knowledge, &mut findings);
            world::scenes(&resolved, knowledge, &mut findings);
            world::futures(&resolved, knowledge, &mut findings);
        }
        None => without_knowledge(problem, &mut findings),
    }
    (findings.verdicts, findings.diagnostics)
}

/// Skips what needs a knowledge base.
fn without_knowledge(problem: &Problem, findings: &mut Findings) {
    for check in [Check::KnownSynsets, Check::Applicable, Check::ContainersUsed, Check::SingleSubstances] {
        findings.skip(check);
    }
    let message = "synsets and what they can do are not checked: there is no knowledge base";
    let note = at(problem.name.origin, codes::NO_KNOWLEDGE, Severity::Note, message);
    findings.report(&[], note.with_help("name the folder of a release, such as `--knowledge bddl-3.6.0/bddl`"));
}
