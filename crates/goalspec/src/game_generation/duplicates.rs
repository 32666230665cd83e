//! Games with the same meaning, among many.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use goalspec_core::program::Game;
use goalspec_core::world::World;
use goalspec_equivalence::game_normal_form;
use goalspec_equivalence::{GameComparisonOptions, GameVerdict, compare_games};
use serde_json::{Value, json};

use crate::library::Library;

/// Maximum number of games of which all pairs are compared by their meaning.
pub const MAX_COMPARED_GAMES: usize = 64;

/// The reason why games are not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyGames {
    /// The number of games whose normal forms differ.
    pub games: usize,
}

impl fmt::Display for TooManyGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.games;
        write!(
            f,
            "{games} games have different normal forms, which exceeds the limit of {MAX_COMPARED_GAMES} for comparisons of all pairs"
        )
    }
}

impl std::error::Error for TooManyGames {}

/// Games of one world with the same meaning: at least one.
#[derive(Debug, Clone)]
pub struct EqualGames {
    /// The names of the games, in the order of the files.
    pub names: Vec<Arc<str>>,
    world: Arc<World>,
    game: Arc<Game>,
}

/// The games of a library in groups of the same meaning.
#[derive(Debug, Clone, Default)]
pub struct Duplicates {
    /// The groups, in the order of their first games.
    pub groups: Vec<EqualGames>,
    /// The pairs of groups, by index, of which it is not known whether they have the same meaning; `None` if only normal forms were
    /// compared.
    pub undecided: Option<Vec<(usize, usize)>>,
}

impl Duplicates {
    /// Groups the games of a library that have the same normal form.
    pub fn by_normal_form(library: &Library) -> Self {
        let mut groups: Vec<EqualGames> = Vec::new();
        let mut worlds: Vec<Arc<World>> = Vec::new();
        let mut known: HashMap<(usize, String), usize> = HashMap::new();
        for program in library.programs() {
            let (Some(game), Some(world)) = (program.game(), &program.world) else { continue };
            let own = worlds.iter().position(|known| known.has_same_vocabulary(world)).unwrap_or_else(|| {
                worlds.push(world.clone());
                worlds.len() - 1
            });
            let group = *known.entry((own, game_normal_form(world, game))).or_insert_with(|| {
                groups.push(EqualGames { names: Vec::new(), world: world.clone(), game: game.clone() });
                groups.len() - 1
            });
            groups[group].names.push(program.name.clone());
        }
        Self { groups, undecided: None }
    }

    /// Compares the groups by the traces that tell their games apart, and merges those for which there is provably none.
    ///
    /// # Errors
    /// If there are more than [`MAX_COMPARED_GAMES`] groups.
    pub fn by_meaning(self) -> Result<Self, TooManyGames> {
        if self.groups.len() > MAX_COMPARED_GAMES {
            return Err(TooManyGames { games: self.groups.len() });
        }
        let mut groups: Vec<EqualGames> = Vec::new();
        let mut undecided = Vec::new();
        let options = GameComparisonOptions::default();
        for group in self.groups {
            let mut equal = None;
            let mut open = Vec::new();
            for (index, other) in groups.iter().enumerate() {
                if !other.world.has_same_vocabulary(&group.world) {
                    continue;
                }
                match compare_games(&other.world, [&other.game, &group.game], &options).verdict {
                    GameVerdict::Equal(..) => {
                        equal = Some(index);
                        break;
                    }
                    GameVerdict::Differ(_) => {}
                    GameVerdict::Undecided(_) => open.push((index, groups.len())),
                }
            }
            if let Some(index) = equal {
                groups[index].names.extend(group.names);
            } else {
                groups.push(group);
                undecided.extend(open);
            }
        }
        Ok(Self { groups, undecided: Some(undecided) })
    }

    /// Returns the number of games.
    pub fn games(&self) -> usize {
        self.groups.iter().map(|group| group.names.len()).sum()
    }

    /// Returns the groups of more than one game.
    pub fn repeated(&self) -> impl Iterator<Item = &EqualGames> {
        self.groups.iter().filter(|group| group.names.len() > 1)
    }

    /// Returns the first games of the pairs of which it is not known whether they have the same meaning.
    pub fn undecided_names(&self) -> impl Iterator<Item = [&str; 2]> {
        let first = |index: usize| self.groups[index].names.first().map_or("", |name| &**name);
        self.undecided.iter().flatten().map(move |&(one, other)| [first(one), first(other)])
    }

    /// Returns the groups as JSON.
    pub fn json(&self) -> Value {
        let names = |group: &EqualGames| group.names.iter().map(ToString::to_string).collect::<Vec<_>>();
        json!({
            "format": "goalspec-duplicates-1",
            "games": self.games(),
            "different": self.groups.len(),
            "compared_by": if self.undecided.is_some() { "meaning" } else { "normal form" },
            "equal": self.repeated().map(names).collect::<Vec<_>>(),
            "undecided": self.undecided_names().collect::<Vec<_>>(),
        })
    }
}
