//! How often actions are chosen and consequences occur, and which resources leave their spaces.

use std::collections::BTreeMap;
use std::sync::Arc;

use goalspec_core::resource::board::SlotId;
use goalspec_core::resource::game::{Game, NOTHING, TeamId};
use goalspec_core::resource::rules::Nothing;
use goalspec_core::resource::turn::{Move, Overflow, Turn};

/// Counts over the turns of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frequencies {
    /// By team: its choices in their order, and a pass at the end.
    teams: Vec<Vec<ChoiceCount>>,
    /// By action: how often each of its consequences occurred.
    consequences: Vec<Vec<u64>>,
    outside: Vec<u64>,
    overflows: BTreeMap<Overflow, u64>,
}

/// How often a choice was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChoiceCount {
    /// How often at all.
    pub chosen: u64,
    /// How often it was [valid](goalspec_core::resource::turn#validity).
    pub valid: u64,
}

/// The count of a team's choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceRow {
    /// The team.
    pub team: Arc<str>,
    /// The name of the choice; `None` for a pass.
    pub choice: Option<Arc<str>>,
    /// The count.
    pub count: ChoiceCount,
}

/// The count of a consequence of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsequenceRow {
    /// The name of the action.
    pub action: Arc<str>,
    /// The place of the consequence in the action, from 0.
    pub consequence: usize,
    /// How often the action was valid, whichever team chose it.
    pub valid: u64,
    /// How often the consequence occurred.
    pub occurred: u64,
}

impl Frequencies {
    /// No turns so far.
    pub fn new(game: &Game) -> Self {
        Self {
            teams: game.teams.iter().map(|team| vec![ChoiceCount::default(); team.choices.len() + 1]).collect(),
            consequences: game.actions.iter().map(|action| vec![0; action.consequences.len()]).collect(),
            outside: Vec::new(),
            overflows: BTreeMap::new(),
        }
    }

    /// Forgets all turns.
    pub fn clear(&mut self) {
        self.teams.iter_mut().for_each(|counts| counts.fill(ChoiceCount::default()));
        self.consequences.iter_mut().for_each(|counts| counts.fill(0));
        self.outside.fill(0);
        self.overflows.clear();
    }

    /// Adds a turn of a game.
    #[inline]
    pub fn add(&mut self, game: &Game, team: TeamId, chosen: &Move, turn: &Turn) {
        let counts = &mut self.teams[team.index()];
        let place = match chosen {
            Move::Choose(choice, _) => choice.index(),
            Move::Pass => counts.len() - 1,
        };
        let count = &mut counts[place];
        count.chosen += 1;
        count.valid += u64::from(turn.valid);
        if let Some(choice) = game.teams[team.index()].choices.get(place).filter(|_| !turn.occurred.is_empty())
            && let Some(action) = choice.action
        {
            let counts = &mut self.consequences[action.index()];
            for occurred in &turn.occurred {
                counts[occurred.consequence] += 1;
            }
        }
        for &slot in &turn.outside {
            self.left_space(slot);
        }
        for &overflow in &turn.overflows {
            *self.overflows.entry(overflow).or_default() += 1;
        }
    }

    fn left_space(&mut self, slot: SlotId) {
        if self.outside.len() <= slot.index() {
            self.outside.resize(slot.index() + 1, 0);
        }
        self.outside[slot.index()] += 1;
    }

    /// Adds the counts of other games of the same kind.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.teams.iter_mut().flatten().zip(other.teams.iter().flatten()) {
            mine.chosen += theirs.chosen;
            mine.valid += theirs.valid;
        }
        for (mine, theirs) in self.consequences.iter_mut().flatten().zip(other.consequences.iter().flatten()) {
            *mine += theirs;
        }
        if self.outside.len() < other.outside.len() {
            self.outside.resize(other.outside.len(), 0);
        }
        for (mine, theirs) in self.outside.iter_mut().zip(&other.outside) {
            *mine += theirs;
        }
        for (overflow, count) in &other.overflows {
            *self.overflows.entry(*overflow).or_default() += count;
        }
    }

    /// The counts of the choices, team by team in the order of the game; a pass only where one was made.
    pub fn choices(&self, game: &Game) -> Vec<ChoiceRow> {
        let teams = game.teams.iter().zip(&self.teams);
        let rows = teams.flat_map(|(team, counts)| {
            let names = team.choices.iter().map(|choice| Some(choice.name.clone())).chain([None]);
            names.zip(counts).map(|(choice, count)| ChoiceRow { team: team.name.clone(), choice, count: *count })
        });
        rows.filter(|row| row.choice.is_some() || row.count.chosen > 0).collect()
    }

    /// The counts of the consequences, action by action in the order of the game.
    pub fn consequences(&self, game: &Game) -> Vec<ConsequenceRow> {
        let mut valid = vec![0; game.actions.len()];
        for (team, counts) in game.teams.iter().zip(&self.teams) {
            for (choice, count) in team.choices.iter().zip(counts) {
                let free = &*choice.name == NOTHING && game.rules.nothing == Nothing::Free;
                if let Some(action) = choice.action.filter(|_| !free) {
                    valid[action.index()] += count.valid;
                }
            }
        }
        let actions = game.actions.iter().zip(&self.consequences).zip(valid);
        let rows = actions.flat_map(|((action, counts), valid)| {
            let row = move |(consequence, &occurred): (usize, &u64)| ConsequenceRow {
                action: action.name.clone(),
                consequence,
                valid,
                occurred,
            };
            counts.iter().enumerate().map(row)
        });
        rows.collect()
    }

    /// How many values of which resources left their declared spaces, the most frequent first.
    pub fn outside(&self, game: &Game) -> Vec<(String, u64)> {
        let slots = self.outside.iter().enumerate().filter(|(_, count)| **count > 0);
        let rows = slots.map(|(slot, count)| (game.board.slot_name(SlotId(slot as u32)), *count));
        most_first(rows.collect())
    }

    /// How many whole numbers left 32 bits, by the [names](Overflow::name) of the places, the most frequent first.
    pub fn overflows(&self, game: &Game) -> Vec<(String, u64)> {
        most_first(self.overflows.iter().map(|(overflow, count)| (overflow.name(game), *count)).collect())
    }
}

/// Of equally frequent ones, the order stays.
fn most_first(mut rows: Vec<(String, u64)>) -> Vec<(String, u64)> {
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    rows
}
