//! New games from the games of a library: drawn, varied, judged and evolved.
//!
//! A [`GameGeneration`] holds a generator over one world, weighted by the games of a corpus. Everything it draws is determined by a seed
//! and an index, on any number of threads.
//!
//! | module | contents |
//! |---|---|
//! | [`judgement`] | the fitness of games, with what moved it |
//! | [`archive_folder`] | the evolution of archives, saved in a folder |
//! | [`fitting`] | the fit of fitness models |
//! | [`duplicates`] | games with the same meaning |
//! | [`novelty`] | the nearest games of a corpus |
//! | [`recorded_evidence`] | what recorded plays show of the predicates of a world |
//! | [`study`] | sheets for people who rate games |

pub mod archive_folder;
pub mod duplicates;
pub mod fitting;
pub mod judgement;
pub mod novelty;
pub mod recorded_evidence;
pub mod study;

use std::fmt;
use std::sync::Arc;

use goalspec_core::world::World;
use goalspec_equivalence::game_normal_form;
use goalspec_game::Dialect;
use goalspec_game::resolve::resolve;
use goalspec_generation::fitness::FitnessModel;
use goalspec_generation::game::characteristics::Characteristics;
use goalspec_generation::game::evidence::{PlayEvidence, WorldEvidence};
use goalspec_generation::game::evolution::{GameEvaluation, GameJudge};
use goalspec_generation::game::features::ngrams::SectionNgrams;
use goalspec_generation::game::generator::{GameGenerator, GeneratorError, GeneratorOptions};
use goalspec_generation::game::likeness::{Example, ExampleError, FailedWalk};
use goalspec_generation::game::untyped::regrowth::UntypedRegrowth;
use goalspec_generation::game::untyped::{PRIORS, PUBLISHED_LIMITS, UntypedSampler};
use goalspec_generation::game::variation::Operator;
use goalspec_generator::RandomStream;
use goalspec_generator::productions::Productions as _;
use goalspec_generator::sampler::choose;
use goalspec_generator::tree::Tree;
use goalspec_syntax::Sources;
use serde_json::{Value, json};

use crate::library::{self, Library};
use crate::program::Program;

/// The name and version of the format of generated goals.
const FORMAT: &str = "goalspec-goal-1";

/// The number of variations that are made to find one of the wanted size.
pub const MAX_VARIATIONS: u32 = 200;

/// The reason why games cannot be generated.
#[derive(Debug, Clone, PartialEq)]
pub enum GenerationError {
    /// The corpus contains no game.
    NoGame,
    /// The corpus has no game, and no world is named.
    NoWorld,
    /// The games of the corpus are about several worlds.
    Worlds(Vec<String>),
    /// A game has a construct that the generator does not represent.
    Unsupported {
        /// The name of the game.
        name: String,
        /// The construct, as a sentence.
        reason: String,
    },
    /// A game is no example.
    Example {
        /// The name of the game.
        name: String,
        /// The reason.
        reason: ExampleError,
    },
    /// The generator has nothing to draw.
    Generator(GeneratorError),
}

impl fmt::Display for GenerationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoGame => f.write_str("the corpus contains no game"),
            Self::NoWorld => f.write_str("without a corpus, the world has to be named"),
            Self::Worlds(names) if names.windows(2).all(|pair| pair[0] == pair[1]) => {
                let name = names.first().map_or("", |name| name);
                write!(f, "the games of the corpus are about different worlds that are all named {name}; choose one")
            }
            Self::Worlds(names) => {
                write!(f, "the games of the corpus are about several worlds: {}; choose one", names.join(", "))
            }
            Self::Unsupported { name, reason } => write!(f, "`{name}` cannot be varied or judged: {reason}"),
            Self::Example { name, reason } => write!(f, "`{name}` cannot be an example: {reason}"),
            Self::Generator(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GenerationError {}

/// A game of a corpus that the generator does not represent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutGame {
    /// The name of the game.
    pub name: Arc<str>,
    /// The first construct that the generator lacks, as a sentence.
    pub reason: String,
}

/// A game of a library with the names of its file and of itself.
#[derive(Debug, Clone)]
pub struct NamedGame<'l> {
    /// The name of the program.
    pub name: Arc<str>,
    /// The world of the game, if it is known.
    pub world: Option<Arc<World>>,
    /// The syntax tree.
    pub game: &'l goalspec_game::ast::Game,
}

impl<'l> NamedGame<'l> {
    /// Returns the game that a program is; `None` for programs of other languages.
    pub fn of(program: &'l Program) -> Option<Self> {
        let game = &program.as_game()?.ast;
        Some(Self { name: program.name.clone(), world: program.world.clone(), game })
    }
}

/// Returns the games of a library.
pub fn games_of(library: &Library) -> Vec<NamedGame<'_>> {
    library.programs().iter().filter_map(NamedGame::of).collect()
}

/// Returns the only world of some games.
///
/// # Errors
/// If there is no world or several.
pub fn only_world(games: &[NamedGame<'_>]) -> Result<Arc<World>, GenerationError> {
    let mut worlds: Vec<&Arc<World>> = Vec::new();
    for world in games.iter().filter_map(|game| game.world.as_ref()) {
        if !worlds.iter().any(|known| known.name() == world.name() && known.has_same_vocabulary(world)) {
            worlds.push(world);
        }
    }
    match worlds[..] {
        [] => Err(GenerationError::NoWorld),
        [world] => Ok(world.clone()),
        _ => Err(GenerationError::Worlds(worlds.iter().map(|world| format!("`{}`", world.name())).collect())),
    }
}

/// A wanted difference in size between a variation and its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SizeChange {
    /// Any size.
    #[default]
    Any,
    /// Fewer nodes.
    Smaller,
    /// More nodes.
    Larger,
}

/// The variations that are wanted of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct WantedChange {
    /// The operators, with the weights with which each is drawn.
    pub operators: Vec<(Operator, f64)>,
    /// The difference in size.
    pub size: SizeChange,
}

/// The origin of a generated game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoalOrigin {
    /// The seed of its decisions.
    pub seed: u64,
    /// Its index under this seed.
    pub index: u64,
    /// The name of the game that it varies, and the operator that was applied; `None` for a drawn game.
    pub parent: Option<(Arc<str>, Operator)>,
    /// The name of the game whose shape it has; `None` if no shape was asked for.
    pub like: Option<Arc<str>>,
}

/// A game that was drawn or made from another one.
#[derive(Debug, Clone)]
pub struct GeneratedGame {
    /// Its name.
    pub name: String,
    /// Its tree.
    pub tree: Tree,
    /// Its origin.
    pub origin: GoalOrigin,
}

/// Draws the game with an index as the published program does, by one of its samplers. Returns `None` if it throws all draws away.
pub fn sample_as_published(samplers: &[UntypedSampler<'_>], seed: u64, index: u64) -> Option<GeneratedGame> {
    let mut stream = RandomStream::new(seed, index);
    let sampler = samplers.get(stream.below(samplers.len() as u64) as usize)?;
    let tree = sampler.sample(&mut stream)?;
    let origin = GoalOrigin { seed, index, parent: None, like: None };
    Some(GeneratedGame { name: format!("untyped-{seed}-{index}"), tree, origin })
}

/// Draws one part of a game anew, as the published program does. The tree of the game is given. Returns `None` if all tries fail or yield
/// the game itself.
pub fn regrow_as_published(
    regrowth: &UntypedRegrowth<'_>,
    parent: &NamedGame<'_>,
    tree: &Tree,
    (seed, index): (u64, u64),
) -> Option<GeneratedGame> {
    let name = &parent.game.name.text;
    let mut stream = RandomStream::new(seed ^ archive_folder::digest(name.as_bytes()), index);
    let tree = regrowth.regrow(tree, &mut stream)?;
    let parent = Some((parent.name.clone(), Operator::Regrow));
    let origin = GoalOrigin { seed, index, parent, like: None };
    Some(GeneratedGame { name: format!("{name}-untyped-{seed}-{index}"), tree, origin })
}

/// A generator of games over a world with the games that weigh its productions.
#[derive(Debug, Clone)]
pub struct GameGeneration {
    world: Arc<World>,
    generator: GameGenerator,
    left_out: Vec<LeftOutGame>,
}

impl GameGeneration {
    /// Creates a generator over a world. Without games, all productions have the same weight.
    ///
    /// # Errors
    /// If the world or the corpus offers nothing to draw.
    pub fn new(
        world: &Arc<World>,
        corpus: &[NamedGame<'_>],
        options: &GeneratorOptions,
    ) -> Result<Self, GenerationError> {
        let games: Vec<_> = corpus.iter().map(|game| game.game).collect();
        let (generator, unsupported) =
            GameGenerator::new(world, &games, options).map_err(GenerationError::Generator)?;
        let left_out = unsupported
            .into_iter()
            .map(|(index, construct)| LeftOutGame { name: corpus[index].name.clone(), reason: construct.to_string() });
        Ok(Self { world: world.clone(), generator, left_out: left_out.collect() })
    }

    /// Returns the world.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Returns the generator.
    pub fn generator(&self) -> &GameGenerator {
        &self.generator
    }

    pub(crate) fn generator_mut(&mut self) -> &mut GameGenerator {
        &mut self.generator
    }

    /// Returns the games of the corpus that the generator does not represent.
    pub fn left_out(&self) -> &[LeftOutGame] {
        &self.left_out
    }

    /// Returns a judge of games whose n-gram models are those of the corpus, with the published characteristics.
    pub fn judge(&self, model: FitnessModel) -> GameJudge {
        let generator = &self.generator;
        let ngrams = SectionNgrams::fit(generator.games(), generator.tokens(), generator.corpus());
        GameJudge { ngrams, model, characteristics: Characteristics::davidson(), evidence: None }
    }

    /// Returns what recorded plays show of the predicates of the world, for the two features about them.
    pub fn evidence(&self, evidence: &PlayEvidence) -> WorldEvidence {
        evidence.in_world(self.generator.games(), self.generator.tokens())
    }

    /// Returns the tree of a game.
    ///
    /// # Errors
    /// If the game has a construct that the generator does not represent.
    pub fn read(&mut self, game: &NamedGame<'_>) -> Result<Tree, GenerationError> {
        self.generator.read(game.game).map_err(|construct| GenerationError::Unsupported {
            name: game.name.to_string(),
            reason: construct.to_string(),
        })
    }

    /// Returns the shape of a game, of which others are drawn.
    ///
    /// # Errors
    /// If the generator does not represent the game, or archives do not admit it.
    pub fn example(&mut self, game: &NamedGame<'_>, judge: &GameJudge) -> Result<Example, GenerationError> {
        let tree = self.read(game)?;
        Example::new(&self.generator, judge, &tree)
            .map_err(|reason| GenerationError::Example { name: game.name.to_string(), reason })
    }

    /// Draws the game with an index. Returns `None` if the limits of the draw leave no game.
    pub fn sample(&self, seed: u64, index: u64) -> Option<GeneratedGame> {
        let tree = self.generator.sample(seed, index)?;
        Some(GeneratedGame {
            name: format!("sample-{seed}-{index}"),
            tree,
            origin: GoalOrigin { seed, index, parent: None, like: None },
        })
    }

    /// Returns the sampler of the published program, with each of its prior counts.
    pub fn published_samplers(&self) -> [UntypedSampler<'_>; PRIORS.len()] {
        PRIORS.map(|prior| UntypedSampler::new(&self.generator, prior, PUBLISHED_LIMITS))
    }

    /// Returns the regrowth of the published program.
    pub fn published_regrowth(&self) -> UntypedRegrowth<'_> {
        UntypedRegrowth::new(&self.generator)
    }

    /// Draws the game with an index that has the shape of an example: its sections, sizes and cell.
    ///
    /// # Errors
    /// If no such game is found.
    pub fn sample_like(
        &self,
        (like, example): (&NamedGame<'_>, &Example),
        judge: &GameJudge,
        (seed, index): (u64, u64),
    ) -> Result<GeneratedGame, FailedWalk> {
        let name = &like.game.name.text;
        let mut stream = RandomStream::new(seed ^ archive_folder::digest(name.as_bytes()), index);
        let tree = self.generator.sample_like(example, judge, &mut stream)?;
        let origin = GoalOrigin { seed, index, parent: None, like: Some(like.name.clone()) };
        Ok(GeneratedGame { name: format!("{name}-like-{seed}-{index}"), tree, origin })
    }

    /// Varies a game whose tree is given. The partner of operators on two games is drawn from the corpus. Returns `None` if no operator
    /// yields a game of the wanted size that differs from its parent.
    pub fn vary(
        &self,
        parent: &NamedGame<'_>,
        tree: &Tree,
        change: &WantedChange,
        (seed, index): (u64, u64),
    ) -> Option<GeneratedGame> {
        let tree = self.generator.canonical(tree)?;
        let nodes = self.generator.nodes(&tree);
        let name = &parent.game.name.text;
        // The streams of a game depend on its name, so that each game of a file varies in its own way.
        let mut stream = RandomStream::new(seed ^ archive_folder::digest(name.as_bytes()), index);
        for _ in 0..MAX_VARIATIONS {
            let operator = choose(&change.operators, &mut stream, |_| true)?;
            let partner = self.partner(&tree, &mut stream)?;
            let Some(varied) = self.generator.vary_one(operator, &tree, &partner, &mut stream) else { continue };
            let is_wanted = match change.size {
                SizeChange::Any => true,
                SizeChange::Smaller => self.generator.nodes(&varied) < nodes,
                SizeChange::Larger => self.generator.nodes(&varied) > nodes,
            };
            if is_wanted {
                let parent = Some((parent.name.clone(), operator));
                let origin = GoalOrigin { seed, index, parent, like: None };
                return Some(GeneratedGame { name: format!("{name}-{seed}-{index}"), tree: varied, origin });
            }
        }
        None
    }

    /// Returns a game of the corpus other than this one, or a drawn game if there is none.
    fn partner(&self, tree: &Tree, stream: &mut RandomStream) -> Option<Tree> {
        let corpus = self.generator.corpus();
        let chosen = corpus.get(stream.below(corpus.len() as u64) as usize).filter(|chosen| *chosen != tree);
        chosen.cloned().or_else(|| self.generator.draw(stream))
    }

    /// Returns a number that games share only if they have the same meaning (apart from collisions of 64 bits): the digest of the normal
    /// form. Returns `None` for a game with errors.
    pub fn identity(&self, tree: &Tree) -> Option<u64> {
        let mut sources = Sources::new();
        let id = sources.add("generated.game", self.generator.text(tree, "generated"));
        let parsed = goalspec_game::parse::parse(sources.file(id));
        let game = resolve(parsed.games.first()?, &self.world, Dialect::FORMAL).game?;
        Some(archive_folder::digest(game_normal_form(&self.world, &game).as_bytes()))
    }

    /// Returns the text of a generated game in the canonical layout.
    pub fn text(&self, game: &GeneratedGame) -> String {
        formatted(&self.generator.text(&game.tree, &game.name))
    }

    /// Returns a generated game as JSON, with its judgement if it was judged.
    pub fn json(&self, game: &GeneratedGame, evaluation: Option<&GameEvaluation>) -> Value {
        let origin = &game.origin;
        let mut value = json!({
            "format": FORMAT,
            "language": "game",
            "name": game.name,
            "world": self.world.name(),
            "seed": origin.seed,
            "index": origin.index,
        });
        if let Some((parent, operator)) = &origin.parent {
            value["parent"] = json!(**parent);
            value["operator"] = json!(operator.name());
        }
        if let Some(like) = &origin.like {
            value["like"] = json!(**like);
        }
        if let Some(evaluation) = evaluation {
            value["fitness"] = json!(evaluation.fitness);
            value["cell"] = json!(evaluation.cell);
        }
        value["nodes"] = json!(self.generator.nodes(&game.tree));
        value["program"] = json!(self.generator.text(&game.tree, &game.name));
        value
    }
}

/// Returns a program in the canonical layout.
fn formatted(text: &str) -> String {
    let mut sources = Sources::new();
    let id = sources.add("generated.game", text);
    library::format(sources.file(id)).unwrap_or_else(|_| text.to_owned())
}
