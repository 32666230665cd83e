//! The checks of one text, by language: syntax trees, lowered programs and diagnostics.

use std::sync::Arc;

use goalspec_bddl::dialect::ParserKind;
use goalspec_bddl::{Dialect, check as bddl_check, codes as bddl_codes, domains, lower, parse};
use goalspec_core::condition::Origin;
use goalspec_pddl::check::ParseCompleteness;
use goalspec_resource::world::GameWorld;
use goalspec_rewards::program::RewardProgram;
use goalspec_rewards::screen_worlds::builtin;
use goalspec_simulation::PlayableGame;
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, SourceFile, Span};

use super::worlds::RewardWorldChoice;
use super::{CheckedText, Library, LibraryOptions};
use crate::codes;
use crate::domains::{self as planning, PlanningDomain};
use crate::program::{Activity, GameProgram, PlanningProgram, Program, ProgramContent, ResourceProgram};

/// The maximum number of problems of a domain that a message names.
const MAX_NAMED_PROBLEMS: usize = 6;

impl Library {
    pub(super) fn check_games(&self, file: &SourceFile) -> CheckedText {
        let dialect = self.options.game_dialect;
        let checked = goalspec_game::check(file, dialect, |domain| {
            self.named_worlds
                .find(domain)
                .map(|world| &**world)
                .or_else(|| builtin(domain).map(|screen| &**screen.core()))
        });
        let several = checked.games.len() > 1;
        let program = |game: goalspec_game::CheckedGame<'_>| Program {
            name: program_name(file, &game.ast.name.text, several),
            source: file.id(),
            world: None,
            content: ProgramContent::Game(Box::new(GameProgram {
                dialect,
                is_parsed: game.ast.is_complete(),
                game: game.program.map(Arc::new),
                ast: game.ast,
            })),
        };
        let programs = checked.games.into_iter().map(program).collect();
        CheckedText { programs, domains: Vec::new(), planning: Vec::new(), diagnostics: checked.diagnostics }
    }

    pub(super) fn check_activities(&self, file: &SourceFile) -> CheckedText {
        let scene = self.options.scene.as_ref();
        let (dialect, reason) = self.dialect_of(file);
        let context = bddl_check::CheckContext {
            dialect,
            domains: &self.domains,
            knowledge: self.knowledge_for(file).map(|knowledge| &**knowledge),
            scene,
        };
        let bddl_check::CheckReport { problems, mut domains, statuses: verdicts, diagnostics } =
            bddl_check::check(file, context);
        let mut diagnostics: Vec<Diagnostic> = reason.into_iter().chain(diagnostics).collect();
        diagnostics.extend(domains.iter_mut().filter_map(domains::add_missing_predicates));
        let several = problems.len() > 1;
        let mut programs = Vec::new();
        for (problem, verdicts) in problems.into_iter().zip(verdicts) {
            let readable = !diagnostics
                .iter()
                .any(|finding| finding.is_error() && (!several || lies_in(finding, problem.origin.into())));
            let domain = domains::of_problem(&problem, dialect, self.domains.iter().chain(&domains));
            let lowered = if readable { lower::lower(&problem, domain, dialect).map(Some) } else { Ok(None) };
            let (world, goal) = lowered
                .unwrap_or_else(|error| {
                    diagnostics.push(Diagnostic::new(codes::NOT_SUPPORTED, Severity::Error, error.to_string()));
                    None
                })
                .map(|lowered| (Arc::new(lowered.world), Arc::new(lowered.goal)))
                .unzip();
            programs.push(Program {
                name: program_name(file, &problem.name.text, several),
                source: file.id(),
                world,
                content: ProgramContent::Activity(Activity {
                    dialect,
                    problem: Arc::new(problem),
                    check_statuses: verdicts,
                    goal,
                }),
            });
        }
        CheckedText { programs, domains, planning: Vec::new(), diagnostics }
    }

    pub(super) fn check_planning(&self, file: &SourceFile) -> CheckedText {
        let goalspec_pddl::parse::ParsedFile { domains, problems, mut diagnostics } = goalspec_pddl::parse(file);
        let several = problems.len() > 1;
        let is_readable = |diagnostics: &[Diagnostic], whole: Span| {
            !diagnostics.iter().any(|finding| finding.is_error() && lies_in(finding, whole.into()))
        };
        let readable: Vec<bool> = problems.iter().map(|problem| is_readable(&diagnostics, problem.span)).collect();
        let domains: Vec<Arc<PlanningDomain>> = domains
            .into_iter()
            .map(|domain| {
                let readable = goalspec_pddl::check::parse_completeness(&domain, &diagnostics);
                let checked = goalspec_pddl::check::domain(&domain);
                diagnostics.extend(checked.diagnostics.iter().cloned());
                Arc::new(PlanningDomain {
                    domain: Arc::new(domain),
                    checked: Arc::new(checked),
                    parsed_extent: readable,
                    source: file.id(),
                    file: file.name().into(),
                })
            })
            .collect();
        let mut programs = Vec::new();
        for (problem, readable) in problems.into_iter().zip(readable) {
            let all_domains = domains.iter().chain(&self.planning_domains);
            let domain =
                planning::of_problem(&problem, file.name(), self.options.planning_domain.as_deref(), all_domains);
            let domain = domain.map_err(|diagnostic| diagnostics.push(*diagnostic)).ok().cloned();
            diagnostics.extend(domain.as_ref().and_then(|domain| domain.wrong_domain_warning(&problem)));
            let (mut task, mut unplanned) = (None, Vec::new());
            let with_extent = |extent| domain.as_ref().filter(|domain| domain.parsed_extent == extent);
            if let Some(domain) = with_extent(ParseCompleteness::Declarations) {
                diagnostics.extend(goalspec_pddl::check::problem_names(&problem, &domain.checked));
            }
            // Problems are checked in full only against domains without syntax errors: otherwise each problem would repeat them.
            if let Some(domain) = with_extent(ParseCompleteness::Complete) {
                let lowered = goalspec_pddl::check::problem(&problem, &domain.checked);
                diagnostics.extend(lowered.diagnostics);
                let as_note = |finding: &Diagnostic| Diagnostic { severity: Severity::Note, ..finding.clone() };
                diagnostics.extend(lowered.unsupported.iter().map(as_note));
                (task, unplanned) = (lowered.task.filter(|_| readable).map(Arc::new), lowered.unsupported);
            }
            programs.push(Program {
                name: program_name(file, problem.name.written(), several),
                source: file.id(),
                world: task.as_ref().map(|task| task.world.clone()),
                content: ProgramContent::Planning(Box::new(PlanningProgram {
                    problem: Arc::new(problem),
                    domain,
                    task,
                    unsupported: unplanned,
                })),
            });
        }
        CheckedText { programs, domains: Vec::new(), planning: domains, diagnostics }
    }

    pub(super) fn check_resource(&self, file: &SourceFile) -> CheckedText {
        let dialect = self.options.rgg_dialect;
        let LibraryOptions { custom_results: custom, unimplemented_results: named, .. } = &self.options;
        let custom: Vec<&str> = custom.names().chain(named).map(|name| &**name).collect();
        let goalspec_rgg::ParsedGame { ast, game, mut diagnostics } = goalspec_rgg::check(file, dialect, &custom);
        let playable = game.and_then(|game| match GameWorld::new(&game) {
            Ok(world) => Some(PlayableGame { game: Arc::new(game), world: Arc::new(world) }),
            Err(problems) => {
                let span = ast.as_ref().map(|ast| ast.span);
                diagnostics.extend(problems.into_iter().map(|problem| Diagnostic {
                    span,
                    ..Diagnostic::new(
                        codes::NOT_SUPPORTED,
                        Severity::Error,
                        format!("the game does not define a valid world: {}", problem.kind),
                    )
                }));
                None
            }
        });
        let program = Program {
            name: file.name().into(),
            source: file.id(),
            world: playable.as_ref().map(|playable| playable.world.world().clone()),
            content: ProgramContent::Resource(Box::new(ResourceProgram { dialect, ast, playable })),
        };
        CheckedText { programs: vec![program], domains: Vec::new(), planning: Vec::new(), diagnostics }
    }

    pub(super) fn check_reward(&self, file: &SourceFile) -> CheckedText {
        let RewardWorldChoice { requested, default_world, .. } = self.choice.clone();
        let (reward, diagnostics) = RewardProgram::read(file, requested, default_world);
        let program = Program {
            name: file.name().into(),
            source: file.id(),
            world: reward.world.as_ref().map(|world| world.core().clone()),
            content: ProgramContent::Reward(Box::new(reward)),
        };
        CheckedText { programs: vec![program], domains: Vec::new(), planning: Vec::new(), diagnostics }
    }

    /// Returns the dialect of a text of activities, with a note if it was detected rather than chosen.
    pub(super) fn dialect_of(&self, file: &SourceFile) -> (Dialect, Option<Diagnostic>) {
        let LibraryOptions { bddl_dialect: dialect, dialect_fixed, .. } = self.options;
        if dialect_fixed || dialect.parser != ParserKind::Strict {
            return (dialect, None);
        }
        let Some(span) = parse::libero_section(file) else { return (dialect, None) };
        let message = format!("read in the dialect `libero` because of the section `{}`", file.slice(span));
        let note = Diagnostic::note(bddl_codes::LIBERO_SECTIONS, span, message);
        (
            Dialect { parser: ParserKind::Libero, ..dialect },
            Some(note.with_help("select another dialect with `--dialect`")),
        )
    }

    /// Returns an error if a game is about a planning domain with several problems, each with objects of its own.
    pub(super) fn ambiguous_problem(&self, domain: &goalspec_game::ast::Name) -> Option<Diagnostic> {
        let problems = self.named_worlds.problems_of(&domain.text);
        let [first, _, ..] = problems else { return None };
        if self.named_worlds.find(&domain.text).is_some_and(|world| world.name() == &*domain.text) {
            return None;
        }
        let mut names: Vec<&str> = problems.iter().take(MAX_NAMED_PROBLEMS).map(|world| world.name()).collect();
        if problems.len() > MAX_NAMED_PROBLEMS {
            names.push("and others");
        }
        let message = format!(
            "ambiguous problem: the domain `{}` of the game has several problems: {}",
            domain.text,
            names.join(", ")
        );
        let help = format!("specify one of them, or name it in the game: `(:domain {})`", first.name());
        Some(Diagnostic::error(codes::SEVERAL_PROBLEMS, domain.span(), message).with_help(help))
    }
}

/// Returns the error that Python is not formatted.
pub(super) fn python_error(file: &SourceFile) -> Diagnostic {
    let message = format!("cannot format `{}`: Python is not supported", file.name());
    let help = format!("use a formatter for Python: `ruff format {}`", file.name());
    Diagnostic::new(codes::PYTHON_LAYOUT, Severity::Error, message).with_help(help)
}

/// Returns the name of a program: the name of its file, followed by its own name if the file has several programs.
fn program_name(file: &SourceFile, name: &str, several: bool) -> Arc<str> {
    if several { format!("{}#{name}", file.name()).into() } else { file.name().into() }
}

/// Whether a diagnostic points into this piece of a text.
pub(super) fn lies_in(diagnostic: &Diagnostic, piece: Origin) -> bool {
    match (piece.0, diagnostic.span) {
        (Some(piece), Some(place)) => {
            piece.source == place.source && piece.start <= place.start && place.start < piece.end
        }
        _ => false,
    }
}
