//! A program of a library: what was written, and what it means.

use std::sync::Arc;

use goalspec_bddl::check::Verdicts;
use goalspec_core::planning::task::Task;
use goalspec_core::program::{Game, Goal};
use goalspec_core::resource;
use goalspec_core::resource::world::GameWorld;
use goalspec_core::world::World;
use goalspec_syntax::{Diagnostic, SourceId};

use crate::domains::PlanningDomain;
use crate::rewards::program::RewardProgram;

/// One program of a library.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its file, and its own name where the file has several: `games.pddl#throwing`.
    pub name: Arc<str>,
    /// The text it stands in.
    pub source: SourceId,
    /// What it speaks of; `None` if there is no such world.
    pub world: Option<Arc<World>>,
    /// What it says.
    pub content: Content,
}

/// What a program says, by its language.
#[derive(Debug, Clone)]
pub enum Content {
    /// A game, in the game language.
    Game(Box<GameProgram>),
    /// A household activity, in BDDL.
    Activity(Activity),
    /// A resource graph game, in YAML. It is played, not scored; programs of other languages can be asked of its plays.
    Resource(Box<ResourceProgram>),
    /// A planning problem, in PDDL. It is planned for, not scored.
    Planning(Box<PlanningProgram>),
    /// A reward function, in Python.
    Reward(Box<RewardProgram>),
}

/// A game as written and as it runs.
#[derive(Debug, Clone)]
pub struct GameProgram {
    /// How it was read.
    pub dialect: goalspec_game::Dialect,
    /// As written, as far as it could be read.
    pub ast: goalspec_game::ast::Game,
    /// Whether all of it could be read.
    pub readable: bool,
    /// What it means; `None` if it has errors.
    pub game: Option<Arc<Game>>,
}

/// An activity as written and as it runs.
#[derive(Debug, Clone)]
pub struct Activity {
    /// How it was read.
    pub dialect: goalspec_bddl::Dialect,
    /// As written, as far as it could be read; with the things of the scene in the place of wildcards, if there is one.
    pub problem: Arc<goalspec_bddl::ast::Problem>,
    /// What came of the checks that the releases run.
    pub verdicts: Verdicts,
    /// What it means; `None` if it has errors.
    pub goal: Option<Arc<Goal>>,
}

/// A resource graph game as written and as it is played.
#[derive(Debug, Clone)]
pub struct ResourceProgram {
    /// How it was read.
    pub dialect: goalspec_rgg::Dialect,
    /// As written, as far as it could be read; `None` if nothing could.
    pub ast: Option<goalspec_rgg::ast::Game>,
    /// What is played; `None` if it has errors.
    pub played: Option<Played>,
}

/// A planning problem as written and as it is planned for.
#[derive(Debug, Clone)]
pub struct PlanningProgram {
    /// As written, as far as it could be read.
    pub problem: goalspec_pddl::ast::Problem,
    /// Its domain; `None` if there is none of its name.
    pub domain: Option<Arc<PlanningDomain>>,
    /// What there is to plan; `None` if the problem or its domain has errors, or something that is not planned for.
    pub task: Option<Arc<Task>>,
    /// What is right but not planned for: errors for those who plan.
    pub unplanned: Vec<Diagnostic>,
}

/// A resource graph game that can be played.
#[derive(Debug, Clone)]
pub struct Played {
    /// The game.
    pub game: Arc<resource::game::Game>,
    /// The world that its states are states of.
    pub world: Arc<GameWorld>,
}

impl Program {
    /// The program as a game, if it is one.
    pub fn as_game(&self) -> Option<&GameProgram> {
        match &self.content {
            Content::Game(game) => Some(game),
            _ => None,
        }
    }

    /// The program as an activity, if it is one.
    pub fn as_activity(&self) -> Option<&Activity> {
        match &self.content {
            Content::Activity(activity) => Some(activity),
            _ => None,
        }
    }

    /// The program as a resource graph game, if it is one.
    pub fn as_resource(&self) -> Option<&ResourceProgram> {
        match &self.content {
            Content::Resource(game) => Some(game),
            _ => None,
        }
    }

    /// The program as a planning problem, if it is one.
    pub fn as_planning(&self) -> Option<&PlanningProgram> {
        match &self.content {
            Content::Planning(problem) => Some(problem),
            _ => None,
        }
    }

    /// The program as a reward function, if it is one.
    pub fn as_reward(&self) -> Option<&RewardProgram> {
        match &self.content {
            Content::Reward(reward) => Some(reward),
            _ => None,
        }
    }

    /// What to do with a program that is not scored; `None` if it is.
    pub fn unscored(&self) -> Option<&'static str> {
        match &self.content {
            Content::Game(_) | Content::Activity(_) | Content::Reward(_) => None,
            Content::Resource(_) => Some(
                "is a resource graph game, which is played and not scored: give a game of the game language about it as well; \
                 `goalspec replay` shows what was recorded",
            ),
            Content::Planning(_) => Some(
                "is a planning problem, which is planned for and not scored: give a game of the game language about its domain as \
                 well; `goalspec validate` judges plans",
            ),
        }
    }

    /// The game that it means; `None` if it is none or has errors.
    pub fn game(&self) -> Option<&Arc<Game>> {
        self.as_game()?.game.as_ref()
    }

    /// The goal that it means; `None` if it is none or has errors.
    pub fn goal(&self) -> Option<&Arc<Goal>> {
        self.as_activity()?.goal.as_ref()
    }
}
