//! New goals from examples in the languages besides games: planning problems, household activities and resource graph games.
//!
//! What is made is determined by the examples, a seed and an index. A goal that is made checks and can be achieved as the generator of its
//! language promises: [`problem_generation`], [`activity_generation`],
//! [`resource_game_generation`].

use std::fmt;

use goalspec_generation::activity::{self, ActivityGenerationError, GoalChange};
use goalspec_generation::problem::{MAX_WALKS, ProblemGenerationError, ProblemGenerator, ProblemOptions};
use goalspec_generation::resource_game::{self, GameEdit};
use serde_json::Value;

use crate::activity_generation::{self, ActivityGeneration};
use crate::game_generation::SizeChange;
use crate::library::{Library, LibraryOptions};
use crate::problem_generation;
use crate::program::ProgramContent;
use crate::resource_game_generation::{self, NoResourceGame, ResourceGameGeneration};

/// A language in which goals are made from examples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExampleLanguage {
    /// Games of the game language, which [`game_generation`](crate::game_generation) makes.
    Game,
    /// Planning problems.
    Problem,
    /// Household activities.
    Activity,
    /// Resource graph games.
    ResourceGame,
}

impl ExampleLanguage {
    /// All languages, in the order in which one of them is chosen.
    pub const ALL: [Self; 4] = [Self::Game, Self::Problem, Self::Activity, Self::ResourceGame];

    /// Returns the languages of the programs of a library.
    pub fn of(library: &Library) -> Vec<Self> {
        let has = |language: &Self| library.programs().iter().any(|program| language.is_of(&program.content));
        Self::ALL.into_iter().filter(has).collect()
    }

    fn is_of(self, content: &ProgramContent) -> bool {
        match self {
            Self::Game => matches!(content, ProgramContent::Game(_)),
            Self::Problem => matches!(content, ProgramContent::Planning(_)),
            Self::Activity => matches!(content, ProgramContent::Activity(_)),
            Self::ResourceGame => matches!(content, ProgramContent::Resource(_)),
        }
    }

    /// Returns the word for several programs.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Game => "games",
            Self::Problem => "planning problems",
            Self::Activity => "activities",
            Self::ResourceGame => "resource graph games",
        }
    }
}

/// The parameters of a generator.
#[derive(Debug, Clone, Default)]
pub struct ExampleOptions {
    /// The options by which the library was loaded; new goals are read and checked by them.
    pub library: LibraryOptions,
    /// The maximum number of steps of the walk to the goal of a new problem; `None` for the default.
    pub steps: Option<u32>,
    /// Whether examples are varied: a problem then keeps its initial state.
    pub is_variation: bool,
}

/// The reason why there is no generator.
#[derive(Debug, Clone, PartialEq)]
pub enum ExampleGenerationError {
    /// Games have a generator of their own.
    Games,
    /// The planning problems are no examples.
    Problems(ProblemGenerationError),
    /// The activities are no examples.
    Activities(ActivityGenerationError),
    /// There is no resource graph game.
    ResourceGames(NoResourceGame),
}

impl fmt::Display for ExampleGenerationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Games => f.write_str("games are made by their own generator"),
            Self::Problems(error) => error.fmt(f),
            Self::Activities(error) => error.fmt(f),
            Self::ResourceGames(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExampleGenerationError {}

/// A new goal.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneratedGoal {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The steps of a plan that reaches it; `None` for a goal that is not planned for.
    pub plan: Option<Vec<String>>,
    /// Its origin and its text as JSON.
    pub record: Value,
}

impl GeneratedGoal {
    fn new(name: String, text: String, record: Value) -> Self {
        Self { name, text, plan: None, record }
    }
}

/// A generator of goals like some examples.
#[derive(Debug)]
pub enum ExampleGeneration {
    /// Of planning problems.
    Problems(ProblemGenerator),
    /// Of household activities.
    Activities(Box<ActivityGeneration>),
    /// Of resource graph games.
    ResourceGames(Box<ResourceGameGeneration>),
}

impl ExampleGeneration {
    /// Creates a generator from the programs of a library in one language.
    ///
    /// # Errors
    /// If none of the programs is an example, or they are games.
    pub fn new(
        library: &Library,
        language: ExampleLanguage,
        options: ExampleOptions,
    ) -> Result<Self, ExampleGenerationError> {
        match language {
            ExampleLanguage::Game => Err(ExampleGenerationError::Games),
            ExampleLanguage::Problem => {
                let steps = options.steps.unwrap_or(ProblemOptions::default().steps);
                let options = ProblemOptions { steps, keeps_initial_state: options.is_variation };
                let generator = problem_generation::problem_generator(library, options);
                generator.map(Self::Problems).map_err(ExampleGenerationError::Problems)
            }
            ExampleLanguage::Activity => {
                let generation = ActivityGeneration::new(library, options.library);
                generation.map(|own| Self::Activities(Box::new(own))).map_err(ExampleGenerationError::Activities)
            }
            ExampleLanguage::ResourceGame => {
                let generation = ResourceGameGeneration::new(library, options.library);
                generation.map(|own| Self::ResourceGames(Box::new(own))).map_err(ExampleGenerationError::ResourceGames)
            }
        }
    }

    /// Returns the number of examples.
    pub fn example_count(&self) -> usize {
        match self {
            Self::Problems(generator) => generator.example_count(),
            Self::Activities(generation) => generation.example_count(),
            Self::ResourceGames(generation) => generation.example_count(),
        }
    }

    /// Whether variations can be asked to be smaller or larger than their examples.
    pub fn has_sizes(&self) -> bool {
        !matches!(self, Self::Problems(_))
    }

    /// Makes the goal with a seed and an index. Returns `None` if none is [found](Self::failure).
    pub fn sample(&self, (seed, index): (u64, u64)) -> Option<GeneratedGoal> {
        match self {
            Self::Problems(generator) => {
                let made = generator.sample(seed, index)?;
                let record = problem_generation::json(&made, (seed, index), false);
                Some(GeneratedGoal { plan: Some(made.plan), ..GeneratedGoal::new(made.name, made.text, record) })
            }
            Self::Activities(generation) => {
                let made = generation.sample(seed, index)?;
                let record = activity_generation::json(&made, (seed, index));
                Some(GeneratedGoal::new(made.name, made.text, record))
            }
            Self::ResourceGames(generation) => {
                let made = generation.sample(seed, index)?;
                let record = resource_game_generation::json(&made, (seed, index));
                Some(GeneratedGoal::new(made.name, made.text, record))
            }
        }
    }

    /// Makes the variation of an example with a seed and an index. The size of problems does not change. Returns `None` if none is
    /// [found](Self::failure).
    pub fn vary(&self, example: usize, size: SizeChange, origin: (u64, u64)) -> Option<GeneratedGoal> {
        match self {
            Self::Problems(generator) => {
                let made = generator.vary(example, origin)?;
                let record = problem_generation::json(&made, origin, true);
                Some(GeneratedGoal { plan: Some(made.plan), ..GeneratedGoal::new(made.name, made.text, record) })
            }
            Self::Activities(generation) => {
                let changes = match size {
                    SizeChange::Any => &GoalChange::ALL[..],
                    SizeChange::Smaller => &[GoalChange::Remove],
                    SizeChange::Larger => &[GoalChange::Add],
                };
                let made = generation.vary(example, changes, origin)?;
                let record = activity_generation::json(&made, origin);
                Some(GeneratedGoal::new(made.name, made.text, record))
            }
            Self::ResourceGames(generation) => {
                let edits = match size {
                    SizeChange::Any => &GameEdit::ALL[..],
                    SizeChange::Smaller => &[GameEdit::Delete],
                    SizeChange::Larger => &[GameEdit::Insert, GameEdit::Copy],
                };
                let made = generation.vary(example, edits, origin)?;
                let record = resource_game_generation::json(&made, origin);
                Some(GeneratedGoal::new(made.name, made.text, record))
            }
        }
    }

    /// Returns why a goal is not found, as a phrase.
    pub fn failure(&self) -> String {
        match self {
            Self::Problems(_) => {
                format!(
                    "none of {MAX_WALKS} walks reached a state with a goal like those of the examples within the limits"
                )
            }
            Self::Activities(_) => format!(
                "in {} attempts, nothing fitted, or the result violated a rule or had nothing to do",
                activity::MAX_DRAFTS
            ),
            Self::ResourceGames(_) => format!(
                "in {} attempts, there was no place to edit, or the result had errors or could not be played",
                resource_game::MAX_DRAFTS
            ),
        }
    }
}
