//! The novelty of games: the games of a corpus that mean the same or have the most similar structure.

use std::sync::Arc;

use goalspec_core::program::Game;
use goalspec_core::world::World;
use goalspec_equivalence::{GameComparisonOptions, GameVerdict, compare_games, game_normal_form};
use goalspec_game::{Dialect, describe};
use goalspec_generation::game::generator::GeneratorOptions;
use goalspec_generator::distance::{distance_lower_bound, edit_distance};
use goalspec_generator::tree::Tree;
use goalspec_syntax::Sources;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::{GameGeneration, GenerationError, NamedGame};
use crate::library::Library;
use crate::program::Program;

/// Maximum number of games with which the structure of a game is compared: those whose parts are most alike.
pub const MAX_NEIGHBOURS: usize = 1024;

/// The game of a corpus with the most similar structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearestGame {
    /// Its name.
    pub name: Arc<str>,
    /// The number of its parts: nodes and names of its tree.
    pub parts: usize,
    /// The number of parts to insert, delete or replace in order to make the game from this one.
    pub edits: u32,
    /// The lines of its description that the game does not have.
    pub removed: Vec<String>,
    /// The lines of the description of the game that it does not have.
    pub added: Vec<String>,
    /// Whether the two have the same meaning. It is `None` if this is not decided or was not asked.
    pub is_equal: Option<bool>,
}

/// The comparison of a game with those of a corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameNovelty {
    /// The name of the game.
    pub name: Arc<str>,
    /// The number of its parts: nodes and names of its tree.
    pub parts: usize,
    /// The games of the corpus with the same normal form, which therefore have the same meaning.
    pub equal: Vec<Arc<str>>,
    /// The game of the corpus with the most similar structure; `None` if the game or all games of the corpus are too large.
    pub nearest: Option<NearestGame>,
}

/// A game as it is compared.
struct ComparedGame {
    name: Arc<str>,
    world: Arc<World>,
    game: Arc<Game>,
    normal_form: String,
    /// The tree with names in the order of their first use.
    tree: Tree,
    /// The lines of its description.
    description: Vec<String>,
}

/// Compares the games of a library with those of a corpus. A game is not compared with the game of the corpus that has its name.
///
/// With `prove`, the meaning of each game is compared with that of its nearest game. `compared` is called after each game.
///
/// # Errors
/// If the corpus has no game, or a game has a construct that the generator does not represent.
pub fn novelty(
    games: &Library,
    corpus: &Library,
    prove: bool,
    compared: &(dyn Fn() + Sync),
) -> Result<Vec<GameNovelty>, GenerationError> {
    let mut worlds: Vec<GameGeneration> = Vec::new();
    // All trees have the symbols of one vocabulary, that of the first world with the same content, so that they can be compared.
    let mut all = Vec::new();
    for library in [games, corpus] {
        let mut read = Vec::new();
        for program in library.programs() {
            let (Some(of_game), Some(world)) = (program.as_game(), &program.world) else { continue };
            let Some(game) = program.game() else { continue };
            let named = NamedGame { name: program.name.clone(), world: Some(world.clone()), game: &of_game.ast };
            let index = generation_of(&mut worlds, world)?;
            read.push((index, compared_game(&mut worlds[index], &named, (game, world))?));
        }
        all.push(read);
    }
    let (Some(corpus), Some(games)) = (all.pop(), all.pop()) else { return Err(GenerationError::NoGame) };
    if corpus.is_empty() || games.is_empty() {
        return Err(GenerationError::NoGame);
    }
    let novelty = |game| {
        let novelty = novelty_of(game, &corpus, prove);
        compared();
        novelty
    };
    Ok(games.par_iter().map(novelty).collect())
}

fn compared_game(
    generation: &mut GameGeneration,
    named: &NamedGame<'_>,
    (game, world): (&Arc<Game>, &Arc<World>),
) -> Result<ComparedGame, GenerationError> {
    let tree = generation.read(named)?;
    let tree = generation.generator().anonymous(&tree);
    let mut sources = Sources::new();
    let id = sources.add("anonymous.game", generation.generator().text(&tree, "game"));
    let parsed = goalspec_game::parse::parse(sources.file(id));
    let text = parsed.games.first().map(|ast| describe::english(ast, world, Dialect::FORMAL)).unwrap_or_default();
    Ok(ComparedGame {
        name: named.name.clone(),
        world: world.clone(),
        game: game.clone(),
        normal_form: game_normal_form(world, game),
        tree,
        description: text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect(),
    })
}

/// Compares a game with those of a corpus about the same world.
fn novelty_of((world, game): &(usize, ComparedGame), corpus: &[(usize, ComparedGame)], prove: bool) -> GameNovelty {
    let others = corpus.iter().filter(|(of, other)| of == world && other.name != game.name).map(|(_, other)| other);
    let others: Vec<&ComparedGame> = others.collect();
    let equal = others.iter().filter(|other| other.normal_form == game.normal_form);
    let nearest = nearest(game, &others).map(|(other, edits)| NearestGame {
        name: other.name.clone(),
        parts: other.tree.len(),
        edits,
        removed: missing(&other.description, &game.description),
        added: missing(&game.description, &other.description),
        is_equal: if prove { is_equal(other, game) } else { None },
    });
    let equal = equal.map(|other| other.name.clone()).collect();
    GameNovelty { name: game.name.clone(), parts: game.tree.len(), equal, nearest }
}

/// Returns the game with the smallest edit distance, the first one if there are several.
fn nearest<'g>(game: &ComparedGame, others: &[&'g ComparedGame]) -> Option<(&'g ComparedGame, u32)> {
    let trees: Vec<&Tree> = others.iter().map(|other| &other.tree).collect();
    nearest_tree(&game.tree, &trees).map(|(index, edits)| (others[index], edits))
}

/// Returns the structure of each of some programs: the number of its world, and the tree with names in the order of their first use. It is `None`
/// for programs that are no games, and for games with a construct that the generator does not represent.
pub(crate) fn structures(programs: &[&Program]) -> Vec<Option<(usize, Tree)>> {
    let mut worlds: Vec<GameGeneration> = Vec::new();
    let structure = |program: &&Program| {
        let game = NamedGame::of(program)?;
        let index = generation_of(&mut worlds, game.world.as_ref()?).ok()?;
        let tree = worlds[index].read(&game).ok()?;
        Some((index, worlds[index].generator().anonymous(&tree)))
    };
    programs.iter().map(structure).collect()
}

/// Returns the place of the generator of a world, which is added if it is new.
fn generation_of(worlds: &mut Vec<GameGeneration>, world: &Arc<World>) -> Result<usize, GenerationError> {
    if let Some(known) = worlds.iter().position(|known| known.world().has_same_vocabulary(world)) {
        return Ok(known);
    }
    worlds.push(GameGeneration::new(world, &[], &GeneratorOptions::default())?);
    Ok(worlds.len() - 1)
}

/// Returns the place and the edit distance of the most similar tree, the first one if there are several. At most [`MAX_NEIGHBOURS`] are
/// compared, those whose parts are most alike.
pub(crate) fn nearest_tree(tree: &Tree, others: &[&Tree]) -> Option<(usize, u32)> {
    let bounds = others.iter().enumerate().map(|(index, other)| (distance_lower_bound(other, tree), index));
    let mut bounds: Vec<(u32, usize)> = bounds.collect();
    bounds.sort_unstable();
    let mut best: Option<(u32, usize)> = None;
    for (bound, index) in bounds.into_iter().take(MAX_NEIGHBOURS) {
        if best.is_some_and(|(edits, _)| bound > edits) {
            break;
        }
        let Some(edits) = edit_distance(others[index], tree) else { continue };
        if best.is_none_or(|known| (edits, index) < known) {
            best = Some((edits, index));
        }
    }
    best.map(|(edits, index)| (index, edits))
}

/// Returns the lines of a description that another one does not have, as often as it has them less often.
fn missing(lines: &[String], others: &[String]) -> Vec<String> {
    let mut others: Vec<&String> = others.iter().collect();
    let mut missing = lines.to_vec();
    missing.retain(|line| match others.iter().position(|other| *other == line) {
        Some(index) => {
            others.swap_remove(index);
            false
        }
        None => true,
    });
    missing
}

fn is_equal(one: &ComparedGame, other: &ComparedGame) -> Option<bool> {
    match compare_games(&one.world, [&one.game, &other.game], &GameComparisonOptions::default()).verdict {
        GameVerdict::Equal(..) => Some(true),
        GameVerdict::Differ(_) => Some(false),
        GameVerdict::Undecided(_) => None,
    }
}

impl GameNovelty {
    /// Returns the novelty as JSON.
    pub fn json(&self) -> Value {
        let nearest = self.nearest.as_ref().map(|nearest| {
            json!({
                "name": *nearest.name,
                "parts": nearest.parts,
                "edits": nearest.edits,
                "removed": nearest.removed,
                "added": nearest.added,
                "equal": nearest.is_equal,
            })
        });
        json!({
            "name": *self.name,
            "parts": self.parts,
            "equal": self.equal.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "nearest": nearest,
        })
    }
}

/// Returns the document of the novelty of games.
pub fn document(games: &[GameNovelty]) -> Value {
    json!({
        "format": "goalspec-novelty-1",
        "games": games.iter().map(GameNovelty::json).collect::<Vec<_>>(),
    })
}
