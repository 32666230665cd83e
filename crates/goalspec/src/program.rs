//! Programs of a library, as syntax trees and in lowered form.

use std::sync::Arc;

use goalspec_bddl::check::CheckStatuses;
use goalspec_core::planning::task::Task;
use goalspec_core::program::{Game, Goal};
use goalspec_core::world::World;
use goalspec_rewards::program::{NamedRewardProgram, RewardProgram};
use goalspec_simulation::PlayableGame;
use goalspec_syntax::{Diagnostic, SourceId};

use crate::domains::PlanningDomain;

/// One program of a library.
#[derive(Debug, Clone)]
pub struct Program {
    /// The name of its file, followed by its own name if the file has several programs: `games.pddl#throwing`.
    pub name: Arc<str>,
    /// The text that contains it.
    pub source: SourceId,
    /// The world that it is about; `None` if that world is unknown.
    pub world: Option<Arc<World>>,
    /// Its content, by language.
    pub content: ProgramContent,
}

/// The content of a program, by language.
#[derive(Debug, Clone)]
pub enum ProgramContent {
    /// A game, in the game language.
    Game(Box<GameProgram>),
    /// A household activity, in BDDL.
    Activity(Activity),
    /// A resource graph game, in YAML. It is simulated, not scored; programs of other languages can be scored over its episodes.
    Resource(Box<ResourceProgram>),
    /// A planning problem, in PDDL. It is planned for, not scored.
    Planning(Box<PlanningProgram>),
    /// A reward function, in Python.
    Reward(Box<RewardProgram>),
}

/// A game as a syntax tree and in lowered form.
#[derive(Debug, Clone)]
pub struct GameProgram {
    /// The dialect in which it was read.
    pub dialect: goalspec_game::Dialect,
    /// The syntax tree, as far as the text could be parsed.
    pub ast: goalspec_game::ast::Game,
    /// Whether it was parsed without errors.
    pub is_parsed: bool,
    /// The lowered game; `None` if it has errors.
    pub game: Option<Arc<Game>>,
}

/// A household activity as a syntax tree and in lowered form.
#[derive(Debug, Clone)]
pub struct Activity {
    /// The dialect in which it was read.
    pub dialect: goalspec_bddl::Dialect,
    /// The syntax tree, as far as the text could be parsed. With a scene, its objects replace the wildcards.
    pub problem: Arc<goalspec_bddl::ast::Problem>,
    /// The verdicts of the checks that the releases of `bddl` run.
    pub check_statuses: CheckStatuses,
    /// The lowered goal; `None` if it has errors.
    pub goal: Option<Arc<Goal>>,
}

/// A resource graph game as a syntax tree and in playable form.
#[derive(Debug, Clone)]
pub struct ResourceProgram {
    /// The dialect in which it was read.
    pub dialect: goalspec_rgg::Dialect,
    /// The syntax tree, as far as the text could be parsed; `None` if nothing could be parsed.
    pub ast: Option<goalspec_rgg::ast::Game>,
    /// The playable game; `None` if it has errors.
    pub playable: Option<PlayableGame>,
}

/// A planning problem as a syntax tree and in lowered form.
#[derive(Debug, Clone)]
pub struct PlanningProgram {
    /// The syntax tree, as far as the text could be parsed.
    pub problem: Arc<goalspec_pddl::ast::Problem>,
    /// Its domain; `None` if no domain of that name is known.
    pub domain: Option<Arc<PlanningDomain>>,
    /// The lowered task; `None` if the problem or its domain has errors or uses a feature that the planner does not support.
    pub task: Option<Arc<Task>>,
    /// Valid constructs that the planner does not support, as errors. Checking reports them as notes.
    pub unsupported: Vec<Diagnostic>,
}

impl Program {
    /// Returns the program as a game, if it is one.
    pub fn as_game(&self) -> Option<&GameProgram> {
        match &self.content {
            ProgramContent::Game(game) => Some(game),
            _ => None,
        }
    }

    /// Returns the program as an activity, if it is one.
    pub fn as_activity(&self) -> Option<&Activity> {
        match &self.content {
            ProgramContent::Activity(activity) => Some(activity),
            _ => None,
        }
    }

    /// Returns the program as a resource graph game, if it is one.
    pub fn as_resource(&self) -> Option<&ResourceProgram> {
        match &self.content {
            ProgramContent::Resource(game) => Some(game),
            _ => None,
        }
    }

    /// Returns the program as a planning problem, if it is one.
    pub fn as_planning(&self) -> Option<&PlanningProgram> {
        match &self.content {
            ProgramContent::Planning(problem) => Some(problem),
            _ => None,
        }
    }

    /// Returns the program as a reward function, if it is one.
    pub fn as_reward(&self) -> Option<&RewardProgram> {
        match &self.content {
            ProgramContent::Reward(reward) => Some(reward),
            _ => None,
        }
    }

    /// Returns the program as a reward function with its name, if it is one.
    pub fn as_named_reward(&self) -> Option<NamedRewardProgram<'_>> {
        self.as_reward().map(|reward| NamedRewardProgram { name: &self.name, reward })
    }

    /// Returns why a program of this language is not scored, and the alternative; `None` if it is scored.
    pub fn not_scored_reason(&self) -> Option<&'static str> {
        match &self.content {
            ProgramContent::Game(_) | ProgramContent::Activity(_) | ProgramContent::Reward(_) => None,
            ProgramContent::Resource(_) => Some(
                "is a resource graph game, which is simulated, not scored: also specify a game of the game language about it; \
                 `goalspec replay` shows recordings",
            ),
            ProgramContent::Planning(_) => Some(
                "is a planning problem, which is solved, not scored: also specify a game of the game language about its domain; \
                 `goalspec validate` validates plans",
            ),
        }
    }

    /// Returns the lowered game; `None` if the program is not a game or has errors.
    pub fn game(&self) -> Option<&Arc<Game>> {
        self.as_game()?.game.as_ref()
    }

    /// Returns the name of a preference of a game by its index; empty if there is no such preference.
    pub fn preference_name(&self, preference: usize) -> &str {
        let preference = self.game().and_then(|game| game.preferences.get(preference));
        preference.map_or("", |preference| &preference.name)
    }

    /// Returns the lowered goal; `None` if the program is not an activity or has errors.
    pub fn goal(&self) -> Option<&Arc<Goal>> {
        self.as_activity()?.goal.as_ref()
    }
}
