//! Name resolution and lowering: AST to the core. Names become ids, and undefined names are reported.
//!
//! | module | contents |
//! |---|---|
//! | `scope` | resolution of fields and places |
//! | `value` | filters and computations |
//! | `action` | actions |

mod action;
mod scope;
mod value;

use std::collections::BTreeSet;
use std::sync::Arc;

use goalspec_resource::board::{Board, NodeId, ResourceId, SlotId};
use goalspec_resource::field::Field;
use goalspec_resource::filter::Filter;
use goalspec_resource::game::{ActionId, Choice, Game, Metric, NOTHING_ACTION, Parameter, Team, TeamId};
use goalspec_resource::value::{Labels, Value};
use goalspec_syntax::{Code, Diagnostic, Severity, Span, suggest};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{self, SpannedText};
use crate::codes;
use crate::diagnostics::DiagnosticCollector;
use crate::dialect::{Dialect, UndefinedNameRule};
use scope::Scope;

/// The maximum number of known names listed in a help text when none is similar.
const MAX_LISTED: usize = 8;

/// The maximum number of unknown names of one text that are compared with the known ones.
const MAX_SUGGESTIONS: usize = 25;

/// The lowered game, with the diagnostics of its names.
#[derive(Debug, Clone, Default)]
pub struct LoweredGame {
    /// The game; `None` if there is an error.
    pub game: Option<Game>,
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Resolves the names of a game and lowers it.
pub fn lower(game: &ast::Game, dialect: Dialect) -> LoweredGame {
    let mut lowering = Lowering {
        dialect,
        board: Board::default(),
        teams: FxHashMap::default(),
        actions: FxHashMap::default(),
        invalid_declarations: FxHashSet::default(),
        reported_undeclared: FxHashSet::default(),
        declared_resources: BTreeSet::new(),
        endpoint_resources: FxHashSet::default(),
        suggestions: 0,
        findings: DiagnosticCollector::default(),
    };
    let lowered = lowering.game(game);
    let diagnostics = lowering.findings.finish();
    let has_errors = diagnostics.iter().any(Diagnostic::is_error);
    LoweredGame { game: if has_errors { None } else { Some(lowered) }, diagnostics }
}

struct Lowering {
    dialect: Dialect,
    board: Board,
    teams: FxHashMap<Arc<str>, TeamId>,
    actions: FxHashMap<Arc<str>, ActionId>,
    /// Resources whose declarations have errors, which the parser reported.
    invalid_declarations: FxHashSet<SlotId>,
    /// Resources that have been reported as undeclared.
    reported_undeclared: FxHashSet<Arc<str>>,
    /// The resources that at least one node declares.
    declared_resources: BTreeSet<ResourceId>,
    /// The resources that results write at the ends of vectors; any node may acquire them.
    endpoint_resources: FxHashSet<ResourceId>,
    suggestions: usize,
    findings: DiagnosticCollector,
}

impl Lowering {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.findings.report(diagnostic);
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    fn warning(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::warning(code, span, message));
    }

    /// Returns the severity of an undefined name in this dialect.
    fn undefined_severity(&self) -> Severity {
        match self.dialect.undefined_names {
            UndefinedNameRule::Error => Severity::Error,
            UndefinedNameRule::Missing => Severity::Warning,
        }
    }

    /// Creates a diagnostic of a name, with the severity of [`Self::undefined_severity`].
    fn name_diagnostic(
        &self,
        code: Code,
        name: &SpannedText,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Diagnostic {
        let found = Diagnostic::new(code, self.undefined_severity(), message);
        Diagnostic { span: Some(name.span), help: help.into_iter().collect(), ..found }
    }

    /// Returns the help for an unknown name: the most similar known name.
    fn suggestion<T: AsRef<str>>(&mut self, name: &str, known: impl FnOnce(&Self) -> Vec<T>) -> Option<String> {
        let known = self.suggestion_candidates(known)?;
        suggest::did_you_mean(name, known.iter().map(AsRef::as_ref))
    }

    /// Returns the known names, unless the limit of suggestions is exceeded.
    fn suggestion_candidates<T>(&mut self, known: impl FnOnce(&Self) -> Vec<T>) -> Option<Vec<T>> {
        self.suggestions += 1;
        (self.suggestions <= MAX_SUGGESTIONS).then(|| known(self))
    }

    /// Returns the help for an unknown name: the most similar known name, or else all known names if there are few.
    fn suggestion_or_list<T: AsRef<str>>(&mut self, name: &str, known: impl FnOnce(&Self) -> Vec<T>) -> Option<String> {
        let known = self.suggestion_candidates(known)?;
        let names = || known.iter().map(AsRef::as_ref);
        let few = (1..=MAX_LISTED).contains(&known.len());
        let listed =
            || format!("expected one of {}", names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "));
        suggest::did_you_mean(name, names()).or_else(|| few.then(listed))
    }

    /// Returns the help for an unknown node.
    fn nearest_node(&mut self, name: &str) -> Option<String> {
        self.suggestion_or_list(name, |lowering| {
            lowering.board.nodes().map(|(_, node)| Arc::clone(&node.name)).collect()
        })
    }

    fn game(&mut self, game: &ast::Game) -> Game {
        let turns = self.teams_in_turn(game);
        self.nodes(game);
        for space in &game.resources {
            self.resources(space);
        }
        let ids = game.actions.iter().enumerate();
        self.actions = ids.map(|(id, action)| (Arc::clone(&action.name.text), id.into())).collect();
        self.add_written_resources(game);
        let actions = game.actions.iter().map(|action| self.action(action, game)).collect();
        let mut teams = self.all_teams(game);
        self.rewards(game, &mut teams);
        let completed = match &game.completed {
            Some(filter) => self.filter(filter, &Scope::STATE),
            None => Filter::Never,
        };
        let metrics = game.metrics.iter().map(|name| self.metric(name)).collect();
        let text = |name: &Option<SpannedText>| name.as_ref().map_or_else(|| "".into(), |name| Arc::clone(&name.text));
        Game {
            name: text(&game.metadata.id),
            description: text(&game.metadata.description),
            rules: self.dialect.rules,
            board: std::mem::take(&mut self.board),
            teams,
            turns,
            actions,
            completed,
            metrics,
        }
    }

    fn nodes(&mut self, game: &ast::Game) {
        for (index, node) in game.nodes.iter().enumerate() {
            if self.board.add_node(&node.text).index() < index {
                self.report_repeated(node, "node");
            }
        }
        let mut seen = FxHashSet::default();
        for vector in &game.vectors {
            let (from, to) = (self.node(&vector.from), self.node(&vector.to));
            let (Some(from), Some(to)) = (from, to) else { continue };
            let id = vector.id.as_ref().map_or("", |id| &id.text);
            if !seen.insert(self.board.add_vector(from, to, id)) {
                let message = format!("duplicate vector from `{}` to `{}`", vector.from.text, vector.to.text);
                let diagnostic = Diagnostic::warning(codes::DUPLICATE, vector.span, message);
                self.report(
                    diagnostic.with_help("remove it, or give it an `id` of its own to make it a separate vector"),
                );
            }
        }
    }

    fn report_repeated(&mut self, name: &SpannedText, noun: &str) {
        self.warning(codes::DUPLICATE, name.span, format!("duplicate {noun} `{}`", name.text));
    }

    /// Resolves a node; reports it if unknown.
    fn node(&mut self, name: &SpannedText) -> Option<NodeId> {
        let found = self.board.node_named(&name.text);
        if found.is_none() {
            let help = self.nearest_node(&name.text);
            let found = Diagnostic::error(codes::UNKNOWN_NODE, name.span, format!("unknown node `{}`", name.text));
            self.report(Diagnostic { help: help.into_iter().collect(), ..found });
        }
        found
    }

    fn resources(&mut self, space: &ast::NodeResources) {
        let Some(node) = self.node(&space.node) else { return };
        for ast::NamedDeclaration { name, constraint, declaration } in &space.resources {
            if &*name.text == scope::OBSERVABLE {
                self.observable(node, constraint, declaration.as_ref().map(|declared| &declared.initial));
                continue;
            }
            if name.text.contains('.') {
                let message = format!("the resource `{}` has a dot in its name", name.text);
                self.report(self.name_diagnostic(codes::DOTTED_NAME, name, message, None));
            }
            let resource = self.board.add_resource(&name.text);
            self.declared_resources.insert(resource);
            if let Some(declaration) = declaration {
                self.board.declare(node, &name.text, declaration.clone());
            } else {
                let slot = self.board.add_slot(node, resource);
                self.invalid_declarations.insert(slot);
            }
        }
    }

    fn observable(&mut self, node: NodeId, constraint: &SpannedText, initial: Option<&Value>) {
        match initial {
            Some(Value::Set(labels)) => {
                for label in labels.iter().filter(|label| !label.is_empty()) {
                    if !self.teams.contains_key(label) {
                        let name = SpannedText { text: Arc::clone(label), span: constraint.span };
                        self.unknown_team(&name, Severity::Warning);
                    }
                }
                self.board.set_observers(node, Labels::clone(labels));
            }
            Some(_) => {
                let message = format!("`{}` is not a set of teams", constraint.text);
                let help = Some("write `set(team)`".to_owned());
                self.report(self.name_diagnostic(codes::INVALID_OBSERVERS, constraint, message, help));
                self.board.set_observers(node, Labels::default());
            }
            None => {}
        }
    }

    /// Returns the teams in turn order.
    fn teams_in_turn(&mut self, game: &ast::Game) -> Vec<TeamId> {
        let mut turns = Vec::with_capacity(game.teams.len());
        for team in &game.teams {
            let next = TeamId(self.teams.len() as u32);
            if self.teams.contains_key(&team.text) {
                self.report_repeated(team, "team");
            }
            turns.push(*self.teams.entry(Arc::clone(&team.text)).or_insert(next));
        }
        if turns.is_empty() {
            let start = Span { end: game.span.start, ..game.span };
            self.error(codes::NO_TEAMS, start, "the game has no teams");
        }
        turns
    }

    /// Resolves a team; reports it if unknown.
    fn team(&mut self, name: &SpannedText) -> Option<TeamId> {
        let found = self.teams.get(&name.text).copied();
        if found.is_none() {
            self.unknown_team(name, Severity::Error);
        }
        found
    }

    fn unknown_team(&mut self, name: &SpannedText, severity: Severity) {
        if self.teams.is_empty() {
            // The absence of teams has been reported.
            return;
        }
        let help = self.suggestion_or_list(&name.text, |lowering| {
            let mut teams: Vec<_> = lowering.teams.iter().collect();
            teams.sort_by_key(|(_, id)| id.index());
            teams.into_iter().map(|(name, _)| Arc::clone(name)).collect()
        });
        let found = Diagnostic::new(codes::UNKNOWN_TEAM, severity, format!("unknown team `{}`", name.text));
        self.report(Diagnostic { span: Some(name.span), help: help.into_iter().collect(), ..found });
    }

    fn all_teams(&mut self, game: &ast::Game) -> Vec<Team> {
        let mut teams: Vec<Team> = Vec::with_capacity(self.teams.len());
        for name in &game.teams {
            if self.teams.get(&name.text).is_some_and(|id| id.index() == teams.len()) {
                teams.push(Team { name: Arc::clone(&name.text), choices: Vec::new(), reward: None });
            }
        }
        for space in &game.action_space {
            let Some(team) = self.team(&space.team) else { continue };
            teams[team.index()].choices = space.choices.iter().map(|choice| self.choice(choice, game)).collect();
        }
        for name in &game.teams {
            let team = self.teams.get(&name.text).map(|id| &teams[id.index()]);
            if team.is_some_and(|team| team.choices.is_empty()) {
                let message = format!("the team `{}` has no actions: it can only pass", name.text);
                self.warning(codes::NO_ACTIONS, name.span, message);
            }
        }
        teams
    }

    fn choice(&mut self, choice: &ast::Choice, game: &ast::Game) -> Choice {
        let name = &choice.action;
        let action = self.actions.get(&name.text).copied();
        if action.is_none() && &*name.text != NOTHING_ACTION {
            let actions = |_: &Self| game.actions.iter().map(|action| &*action.name.text).collect();
            let help = self.suggestion_or_list(&name.text, actions);
            self.report(self.name_diagnostic(
                codes::UNKNOWN_ACTION,
                name,
                format!("unknown action `{}`", name.text),
                help,
            ));
        }
        let parameters = choice.parameters.iter().filter_map(|parameter| {
            let space = parameter.declaration.as_ref()?.space.clone();
            Some(Parameter { name: Arc::clone(&parameter.name.text), space })
        });
        Choice { name: Arc::clone(&name.text), action, parameters: parameters.collect() }
    }

    fn rewards(&mut self, game: &ast::Game, teams: &mut [Team]) {
        let mut defined = FxHashSet::default();
        for ast::Reward { team, compute } in &game.rewards {
            defined.insert(&*team.text);
            let compute = compute.as_ref().map(|compute| self.compute(compute, &Scope::STATE));
            if let Some(team) = self.team(team) {
                teams[team.index()].reward = compute;
            }
        }
        for name in game.teams.iter().filter(|name| !defined.contains(&*name.text)) {
            self.warning(codes::NO_REWARD, name.span, format!("the team `{}` has no reward", name.text));
        }
    }

    fn metric(&mut self, name: &SpannedText) -> Metric {
        let field = self.state_field(&name.text);
        if field.is_none() {
            let message = format!("unknown metric `{}`", name.text);
            self.unknown_field(codes::UNKNOWN_METRIC, name, message, &Scope::STATE);
        }
        let name = Arc::clone(&name.text);
        Metric { field: field.unwrap_or_else(|| Field::Unresolved(Arc::clone(&name))), name }
    }
}
