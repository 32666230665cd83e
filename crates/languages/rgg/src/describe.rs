//! Descriptions of games in plain English, section by section.
//!
//! | module | contents |
//! |---|---|
//! | `board` | nodes, vectors, resources |
//! | `action` | actions: costs, requirements, consequences |
//! | `clause` | tests and computations as clauses |
//! | [`symbol`] | single names |
//! | `words` | lists, counts and values as words |

mod action;
mod board;
mod clause;
pub mod symbol;
mod words;

use goalspec_resource::game::Game;
use goalspec_resource::rules::{Perspective, RewardPrecision};

use crate::ast;
use words::{and, counted};

/// Returns the description of a game from its AST and its lowered form: teams, board, actions with their consequences, rewards and
/// end. Probabilities follow the dialect's interpretation of odds.
///
/// ```
/// let text = "
/// teams: [red]
/// board: {nodes: [a]}
/// resourceSpace: {a: {capital: int(3)}}
/// actionSpace: {red: {spend: }}
/// actions: {spend: {cost: {a.capital: -1}, requires: {}}}
/// rewards: {red: {Field: a.capital}}
/// completed: {a.capital: {Lte: 0}}
/// ";
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", text);
/// let loaded = goalspec_rgg::load(sources.file(id), goalspec_rgg::Dialect::DOCUMENTED, &[]);
/// let description = goalspec_rgg::describe::describe(&loaded.ast.unwrap(), &loaded.game.unwrap());
/// assert!(description.ends_with("End\n    The game ends before a turn if a.capital is at most 0.\n"));
/// ```
pub fn describe(ast: &ast::Game, game: &Game) -> String {
    let mut lines = Lines::default();
    lines.title(ast);
    teams(ast, &mut lines);
    board::board(ast, &mut lines);
    board::resources(ast, &mut lines);
    for (index, team) in game.teams.iter().enumerate() {
        action::actions(ast, game, index, &team.name, &mut lines);
    }
    rewards(ast, game, &mut lines);
    lines.section("End");
    match &ast.completed {
        Some(filter) => {
            let condition = clause::filter(filter, true);
            lines.item(1, format!("The game ends before a turn if {condition}."));
        }
        None => lines.item(1, "The game has no end condition: it runs until it is truncated."),
    }
    if !ast.metrics.is_empty() {
        lines.section("Metrics");
        let names: Vec<String> = ast.metrics.iter().map(|name| name.text.to_string()).collect();
        lines.item(1, format!("{} {} reported at the end.", and(&names), if names.len() == 1 { "is" } else { "are" }));
    }
    lines.text
}

/// The lines of the description.
#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn title(&mut self, ast: &ast::Game) {
        let name = ast.metadata.id.as_ref().map_or("Unnamed game", |id| &*id.text);
        self.item(0, name);
        if let Some(description) = &ast.metadata.description {
            self.item(0, &*description.text);
        }
    }

    fn section(&mut self, name: &str) {
        self.text.push('\n');
        self.item(0, name);
    }

    /// Appends a line at an indentation depth.
    fn item(&mut self, depth: usize, line: impl AsRef<str>) {
        self.text.push_str(&"    ".repeat(depth));
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }
}

fn teams(ast: &ast::Game, lines: &mut Lines) {
    lines.section("Teams");
    let names: Vec<String> = ast.teams.iter().map(|team| team.text.to_string()).collect();
    match &names[..] {
        [one] => lines.item(1, format!("1 team: {one}.")),
        _ => lines.item(1, format!("{}, in turn order: {}.", counted(names.len(), "team"), names.join(", "))),
    }
}

fn rewards(ast: &ast::Game, game: &Game, lines: &mut Lines) {
    lines.section("Rewards");
    if game.rules.reward_view == Perspective::Observation {
        let line = "Computed from the observation of the team, in which unseen nodes have their initial values.";
        lines.item(1, line);
    }
    if game.rules.reward_precision == RewardPrecision::Single {
        lines.item(1, "Rounded to 32-bit floating point.");
    }
    for reward in &ast.rewards {
        if let Some(compute) = &reward.compute {
            lines.item(1, format!("{}: {}", reward.team.text, clause::compute(compute)));
        }
    }
    if ast.rewards.is_empty() {
        lines.item(1, "None.");
    }
}
