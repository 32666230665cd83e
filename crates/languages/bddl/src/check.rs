//! Static checks of a text: the diagnostics of the parser and the [lints](crate::lint), the checks that the releases run on
//! every activity, and lints that need a knowledge base.
//!
//! | module | contents |
//! |---|---|
//! | [`status`] | the fifteen checks of the releases and their verdicts |
//! | [`requirements`] | the predicates and object properties that an activity requires |
//! | `resolved` | a problem with its names resolved, shared by all checks |
//! | `tables` | placement predicates, types of rooms, pairs of synsets that can be attached |
//! | `objects`, `init`, `goal`, `abilities` | the checks, by the part of the activity that they examine |
//! | `knowledge_lints` | lints on object models, scenes and transition rules |
//!
//! Every failed check has a diagnostic, from here or from the parser. Not every diagnostic fails a check: some are specific to
//! goalspec, and harmless constructs that the releases reject are notes.

mod abilities;
mod findings;
mod goal;
mod init;
mod knowledge_lints;
mod objects;
pub mod requirements;
mod resolved;
pub mod status;
pub(crate) mod tables;

use goalspec_syntax::{Diagnostic, Severity, SourceFile, codes as syntax};

use crate::ast::{Domain, Problem};
use crate::codes;
use crate::diagnostics::at;
use crate::dialect::Dialect;
use crate::knowledge::Knowledge;
use crate::parse::ParseOutput;
use crate::symbols::SymbolTable;
use crate::wildcard::{self, SceneLayout};
use crate::{domains, lint, parse, resolve};
use findings::Findings;
use resolved::ResolvedProblem;
pub use status::{Check, CheckStatus, CheckStatuses};

/// The instance of the agent.
const AGENT_INSTANCE: &str = "agent.n.01_1";

/// The result of checking a text.
#[derive(Debug, Clone, Default)]
pub struct CheckReport {
    /// The problems, without their malformed parts, and with wildcards expanded if a scene was specified.
    pub problems: Vec<Problem>,
    /// The domains, without their malformed parts.
    pub domains: Vec<Domain>,
    /// The verdicts of the checks, one entry for each problem.
    pub statuses: Vec<CheckStatuses>,
    /// The diagnostics of the text: first errors about unmatched parentheses, which cause many of the others, then the rest in
    /// source order, those without a location first.
    pub diagnostics: Vec<Diagnostic>,
}

/// The context that texts are checked in: dialect, domains, knowledge base and scene.
#[derive(Debug, Clone, Copy, Default)]
pub struct CheckContext<'a> {
    /// The dialect of the texts.
    pub dialect: Dialect,
    /// The known domains besides the built-in ones.
    pub domains: &'a [Domain],
    /// The knowledge base. Without one, the checks that need it are skipped, and a note reports that.
    pub knowledge: Option<&'a Knowledge>,
    /// The scene whose objects replace the wildcards before any check. Expansion also needs `knowledge`, which relates the
    /// categories of the scene to synsets.
    pub scene: Option<&'a SceneLayout>,
}

impl CheckContext<'_> {
    /// Expands the wildcards of a problem to the objects of the scene. Returns a diagnostic if that fails.
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

/// Parses a text and checks its problems.
///
/// The [lints](lint) run only on texts without parse errors, and only in the strict dialect and LIBERO's. The checks concern BEHAVIOR
/// activities: they are skipped for problems with LIBERO's sections.
pub fn check(source: &SourceFile, context: CheckContext<'_>) -> CheckReport {
    let CheckContext { dialect, domains, knowledge, .. } = context;
    let ParseOutput { mut problems, domains: own, mut diagnostics } = parse::unresolved(source, dialect, domains);
    diagnostics.extend(problems.iter_mut().filter_map(|problem| context.expand(problem)));
    let names: Vec<SymbolTable<'_>> = problems.iter().map(SymbolTable::of).collect();
    parse::resolve(&names, &own, dialect, domains, &mut diagnostics);
    if dialect.release().is_none() {
        let found = lint::declared(&names, &diagnostics, dialect);
        diagnostics.extend(found);
    }
    let mut statuses = Vec::with_capacity(names.len());
    for declared in &names {
        let domain = domains::of_problem(declared.problem, dialect, domains.iter().chain(&own));
        let (status, mut found) = checks(declared, Some(source), dialect, knowledge, domain);
        statuses.push(status);
        // A problem that is checked for a given scene need not fit into another one.
        found.retain(|finding| context.scene.is_none() || finding.code != codes::NO_SCENE);
        diagnostics.append(&mut found);
        if dialect.release().is_some() {
            // A release has no warnings, and a text that it accepts has no errors.
            diagnostics.extend(resolve::declared(declared, domain).into_iter().filter(|found| !found.is_error()));
        }
    }
    // Unmatched parentheses cause many of the other diagnostics, so they come first.
    let unmatched = |code| [syntax::STRAY_PARENTHESIS, syntax::UNCLOSED_LIST].contains(&code);
    diagnostics.sort_by_key(|found| {
        let is_cause = found.is_error() && unmatched(found.code);
        (!is_cause, found.span.map_or(0, |span| span.start))
    });
    CheckReport { problems, domains: own, statuses, diagnostics }
}

/// Runs the checks on a parsed problem. `source` is its text, if available, which was parsed in a dialect.
pub fn problem_checks(
    problem: &Problem,
    source: Option<&SourceFile>,
    dialect: Dialect,
    knowledge: Option<&Knowledge>,
    domain: Option<&Domain>,
) -> (CheckStatuses, Vec<Diagnostic>) {
    checks(&SymbolTable::of(problem), source, dialect, knowledge, domain)
}

fn checks(
    declared: &SymbolTable<'_>,
    source: Option<&SourceFile>,
    dialect: Dialect,
    knowledge: Option<&Knowledge>,
    domain: Option<&Domain>,
) -> (CheckStatuses, Vec<Diagnostic>) {
    let problem = declared.problem;
    if problem.libero.is_some() {
        return (CheckStatuses::skipped(), Vec::new());
    }
    let resolved = ResolvedProblem::new(declared, knowledge);
    let mut findings = Findings::default();
    objects::form(&resolved, &mut findings);
    objects::name(&resolved, source, &mut findings);
    // The dialects of the releases do not report question marks in `:init`, so these cannot fail a check.
    objects::marks(&resolved, source.filter(|_| dialect.release().is_none()), &mut findings);
    let occurs = init::terms(&resolved, knowledge, &mut findings);
    init::literals(&resolved, &mut findings);
    init::future(&resolved, &occurs, &mut findings);
    if dialect.release().is_some() || domain.is_none_or(has_rooms) {
        init::occurrences(&resolved, &occurs, &mut findings);
        init::placements(&resolved, &mut findings);
        init::agent(&resolved, &mut findings);
    } else {
        findings.skip(Check::AllPlaced);
        findings.skip(Check::AgentPresent);
    }
    goal::variables(&resolved, &mut findings);
    goal::terms(&resolved, &mut findings);
    goal::predicates(&resolved, domain, &mut findings);
    match knowledge {
        Some(knowledge) => {
            objects::synsets(&resolved, knowledge, &mut findings);
            objects::substances(&resolved, knowledge, &mut findings);
            abilities::applicable(&resolved, knowledge, &mut findings);
            abilities::containers(&resolved, knowledge, &mut findings);
            knowledge_lints::models(&resolved, knowledge, &mut findings);
            knowledge_lints::scenes(&resolved, knowledge, &mut findings);
            knowledge_lints::futures(&resolved, knowledge, &mut findings);
        }
        None => without_knowledge(problem, &mut findings),
    }
    (findings.verdicts, findings.diagnostics)
}

/// Whether the objects of a domain are in rooms, as those of BEHAVIOR. In a domain without rooms, nothing has to be placed.
fn has_rooms(domain: &Domain) -> bool {
    domain.predicates.iter().any(|predicate| *predicate.name.text == *resolve::INROOM)
}

/// Skips the checks that need a knowledge base.
fn without_knowledge(problem: &Problem, findings: &mut Findings) {
    for check in [Check::KnownSynsets, Check::Applicable, Check::ContainersUsed, Check::SingleSubstances] {
        findings.skip(check);
    }
    let message = "synsets and abilities are not checked: no knowledge base";
    let note = at(problem.name.origin, codes::NO_KNOWLEDGE, Severity::Note, message);
    findings.report(&[], note.with_help("specify the folder of a release, such as `--knowledge bddl-3.6.0/bddl`"));
}
