//! Frequencies of choices, consequences, values outside their spaces, and overflows.

use std::collections::BTreeMap;
use std::sync::Arc;

use goalspec_resource::board::SlotId;
use goalspec_resource::game::{Game, NOTHING_ACTION, TeamId};
use goalspec_resource::rules::NothingAction;
use goalspec_resource::turn::{Move, Overflow, TurnResult};

/// The frequencies of events over the turns of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frequencies {
    /// By team: its choices in order, followed by the pass.
    teams: Vec<Vec<ChoiceCount>>,
    /// By action: the number of occurrences of each consequence.
    consequences: Vec<Vec<u64>>,
    outside: Vec<u64>,
    overflows: BTreeMap<Overflow, u64>,
}

/// The frequency of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChoiceCount {
    /// The number of times it was made.
    pub chosen: u64,
    /// The number of times it was [valid](goalspec_resource::turn#validity).
    pub valid: u64,
}

/// The frequency of a choice of a team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceRow {
    /// The team.
    pub team: Arc<str>,
    /// The name of the choice; `None` for a pass.
    pub choice: Option<Arc<str>>,
    /// The frequency.
    pub count: ChoiceCount,
}

/// The frequency of a consequence of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsequenceRow {
    /// The name of the action.
    pub action: Arc<str>,
    /// The index of the consequence within the action.
    pub consequence: usize,
    /// The number of valid executions of the action, by any team.
    pub valid: u64,
    /// The number of times the consequence occurred.
    pub occurred: u64,
}

impl Frequencies {
    /// Creates zero counts for a game.
    pub fn new(game: &Game) -> Self {
        Self {
            teams: game.teams.iter().map(|team| vec![ChoiceCount::default(); team.choices.len() + 1]).collect(),
            consequences: game.actions.iter().map(|action| vec![0; action.consequences.len()]).collect(),
            outside: Vec::new(),
            overflows: BTreeMap::new(),
        }
    }

    /// Resets all counts to zero.
    pub fn clear(&mut self) {
        self.teams.iter_mut().for_each(|counts| counts.fill(ChoiceCount::default()));
        self.consequences.iter_mut().for_each(|counts| counts.fill(0));
        self.outside.fill(0);
        self.overflows.clear();
    }

    /// Counts a turn.
    #[inline]
    pub fn add(&mut self, game: &Game, team: TeamId, chosen: &Move, turn: &TurnResult) {
        let counts = &mut self.teams[team.index()];
        let place = match chosen {
            Move::Choose(choice, _) => choice.index(),
            Move::Pass => counts.len() - 1,
        };
        let count = &mut counts[place];
        count.chosen += 1;
        count.valid += u64::from(turn.valid);
        if let Some(choice) = game.teams[team.index()].choices.get(place).filter(|_| !turn.occurrences.is_empty())
            && let Some(action) = choice.action
        {
            let counts = &mut self.consequences[action.index()];
            for occurred in &turn.occurrences {
                counts[occurred.consequence] += 1;
            }
        }
        for &slot in &turn.out_of_bounds {
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

    /// Adds the counts of other plays of the same game.
    pub fn merge(&mut self, other: &Self) {
        for (own, others) in self.teams.iter_mut().flatten().zip(other.teams.iter().flatten()) {
            own.chosen += others.chosen;
            own.valid += others.valid;
        }
        for (own, others) in self.consequences.iter_mut().flatten().zip(other.consequences.iter().flatten()) {
            *own += others;
        }
        if self.outside.len() < other.outside.len() {
            self.outside.resize(other.outside.len(), 0);
        }
        for (own, others) in self.outside.iter_mut().zip(&other.outside) {
            *own += others;
        }
        for (overflow, count) in &other.overflows {
            *self.overflows.entry(*overflow).or_default() += count;
        }
    }

    /// Returns the frequencies of the choices, by team in the order of the game; a pass is listed only if it occurred.
    pub fn choices(&self, game: &Game) -> Vec<ChoiceRow> {
        let teams = game.teams.iter().zip(&self.teams);
        let rows = teams.flat_map(|(team, counts)| {
            let names = team.choices.iter().map(|choice| Some(choice.name.clone())).chain([None]);
            names.zip(counts).map(|(choice, count)| ChoiceRow { team: team.name.clone(), choice, count: *count })
        });
        rows.filter(|row| row.choice.is_some() || row.count.chosen > 0).collect()
    }

    /// Returns the frequencies of the consequences, by action in the order of the game.
    pub fn consequences(&self, game: &Game) -> Vec<ConsequenceRow> {
        let mut valid = vec![0; game.actions.len()];
        for (team, counts) in game.teams.iter().zip(&self.teams) {
            for (choice, count) in team.choices.iter().zip(counts) {
                let free = &*choice.name == NOTHING_ACTION && game.rules.nothing == NothingAction::Pass;
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

    /// Returns the number of writes of values outside their declared spaces by resource, in descending order.
    pub fn out_of_bounds(&self, game: &Game) -> Vec<(String, u64)> {
        let slots = self.outside.iter().enumerate().filter(|(_, count)| **count > 0);
        let rows = slots.map(|(slot, count)| (game.board.slot_name(SlotId(slot as u32)), *count));
        most_first(rows.collect())
    }

    /// Returns the number of integer overflows by [location](Overflow::name), in descending order.
    pub fn overflows(&self, game: &Game) -> Vec<(String, u64)> {
        most_first(self.overflows.iter().map(|(overflow, count)| (overflow.name(game), *count)).collect())
    }
}

/// Sorts by descending count, keeping the order of equal counts.
fn most_first(mut rows: Vec<(String, u64)>) -> Vec<(String, u64)> {
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    rows
}
