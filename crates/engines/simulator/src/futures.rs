//! Looking ahead: whether a choice is valid, whether a move finds a vector, and everything that may come of it.

use goalspec_core::resource::board::VectorId;
use goalspec_core::resource::custom::Registry;
use goalspec_core::resource::game::{Parameter, Pick, TeamId};
use goalspec_core::resource::interpret::mask::{Arguments, combinations, tried};
use goalspec_core::resource::rules::Odds;
use goalspec_core::resource::turn::{Failure, MAX_TRIED, Move};
use goalspec_core::resource::value::Value;
use smallvec::SmallVec;

use crate::program::{Action, Compiled, Offer, Outcome, What};
use crate::state::{Fault, State};
use crate::step::{Chosen, Found, find};

/// What looks at a future with its probability; whether it wants to see more.
type Visitor<'v> = dyn FnMut(&mut State, f64) -> Result<bool, Failure> + 'v;

/// One of the things that may come of a group of consequences, with its probability; nothing for `None`.
type Alternative = (Option<usize>, f64);

/// What a move is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Suits {
    /// It is not valid.
    Invalid,
    /// It is valid, and no consequence that picks a vector finds one.
    Idle,
    /// It is valid, and finds a vector if it picks one.
    Acts,
}

/// What stays the same in all futures of a move.
struct Ahead<'a> {
    c: &'a Compiled,
    registry: &'a Registry,
    action: &'a Action,
    chosen: Chosen<'a>,
    groups: Vec<Vec<Alternative>>,
}

impl State {
    /// Whether a choice is [valid](goalspec_core::resource::turn#validity) in this state: some values of its parameters make a move
    /// that is. What would fail is not valid.
    pub(crate) fn is_valid_choice(&self, c: &Compiled, team: TeamId, place: usize) -> bool {
        match to_try(c, team, place) {
            ToTry::Known(valid) => valid,
            ToTry::Any(all) => all.iter().any(|arguments| self.is_valid_with(c, team, place, arguments)),
        }
    }

    /// The values of the parameters that `requires` reads with which a choice is valid; none where they cannot all be tried.
    pub(crate) fn valid_arguments(&self, c: &Compiled, team: TeamId, place: usize) -> Vec<Arguments> {
        match to_try(c, team, place) {
            ToTry::Known(_) => Vec::new(),
            ToTry::Any(mut all) => {
                all.retain(|arguments| self.is_valid_with(c, team, place, arguments));
                all
            }
        }
    }

    fn is_valid_with(&self, c: &Compiled, team: TeamId, place: usize, arguments: &Arguments) -> bool {
        let choice = &c.game.teams[team.index()].choices[place];
        let Offer { what, roles } = &c.choices[team.index()][place];
        let What::Action(id) = *what else { return false };
        // Values of parameters that `requires` does not read stand for any.
        let value = |parameter: &Parameter| {
            let own = arguments.iter().find(|(name, _)| *name == parameter.name);
            own.map_or(Value::Bool(false), |(_, value)| value.clone())
        };
        let read = if arguments.is_empty() { &[][..] } else { &choice.parameters };
        let values: Vec<Value> = read.iter().map(value).collect();
        let chosen = Chosen { choice, roles, values: &values };
        self.clone().begin(c, &c.actions[id.index()], chosen).unwrap_or(false)
    }

    /// What a move is good for in this state.
    pub(crate) fn suits(&self, c: &Compiled, team: TeamId, chosen: &Move) -> Suits {
        let Ok(Found::Action(id, chosen)) = find(c, team, chosen) else { return Suits::Acts };
        let action = &c.actions[id.index()];
        let mut after = self.clone();
        if !after.begin(c, action, chosen).unwrap_or(false) {
            return Suits::Invalid;
        }
        let mut sets = action.consequences.iter().filter_map(|consequence| picked(&consequence.outcome)).peekable();
        let acts = sets.peek().is_none()
            || sets.any(|set| after.matching(c, set, chosen, true).is_ok_and(|matching| !matching.is_empty()));
        if acts { Suits::Acts } else { Suits::Idle }
    }

    /// Shows everything that may come of a move, with its probability, until `visit` has seen enough; whether it wanted all.
    /// Numbers drawn in expressions and in code are not branched on.
    pub(crate) fn futures(
        mut self,
        c: &Compiled,
        registry: &Registry,
        team: TeamId,
        chosen: &Move,
        visit: &mut Visitor<'_>,
    ) -> Result<bool, Failure> {
        let fail = |action, kind| Failure { action, consequence: None, kind };
        match find(c, team, chosen).map_err(|kind| fail(None, kind))? {
            Found::Pass => {
                self.end_turn(c);
                visit(&mut self, 1.0)
            }
            Found::Action(id, chosen) => {
                let action = &c.actions[id.index()];
                let valid = self.begin(c, action, chosen).map_err(|kind| fail(Some(id), *kind))?;
                self.end_turn(c);
                if !valid {
                    return visit(&mut self, 1.0);
                }
                let groups = self.groups(c, action);
                let ahead = Ahead { c, registry, action, chosen, groups };
                ahead.explore(self, visit).map_err(|failure| Failure { action: failure.action.or(Some(id)), ..failure })
            }
        }
    }

    /// What may come of each group of consequences; their odds are discounted by this use.
    fn groups(&mut self, c: &Compiled, action: &Action) -> Vec<Vec<Alternative>> {
        let increments = c.game.rules.odds == Odds::Increment;
        let mut groups: Vec<Vec<Alternative>> = Vec::new();
        let (mut sum, mut taken) = (0.0, 0.0);
        for (at, consequence) in action.consequences.iter().enumerate() {
            let odds = self.odds(c, consequence);
            if consequence.opens {
                groups.push(vec![(None, 1.0)]);
                (sum, taken) = (0.0, 0.0);
            }
            sum = if increments { sum + odds } else { odds };
            // The number drawn is below the sum, and not below what was taken before.
            let reached = sum.clamp(0.0, 1.0);
            if reached > taken {
                if let Some(group) = groups.last_mut() {
                    group.push((Some(at), reached - taken));
                    group[0].1 = 1.0 - reached;
                }
                taken = reached;
            }
        }
        groups
    }
}

/// What has to be tried to know whether a choice is valid.
enum ToTry {
    /// Nothing: it is known.
    Known(bool),
    /// These values of the parameters that `requires` reads.
    Any(Vec<Arguments>),
}

fn to_try(c: &Compiled, team: TeamId, place: usize) -> ToTry {
    let choice = &c.game.teams[team.index()].choices[place];
    match c.choices[team.index()][place].what {
        What::Pass => ToTry::Known(true),
        What::Undefined => ToTry::Known(false),
        What::Action(id) => {
            let read = tried(&c.game.actions[id.index()], choice);
            combinations(&read, MAX_TRIED).map_or(ToTry::Known(true), ToTry::Any)
        }
    }
}

/// The vectors that a consequence picks one of.
fn picked(outcome: &Outcome) -> Option<u32> {
    match outcome {
        Outcome::Show { set, .. } | Outcome::Vectors { pick: Pick::Random, set, .. } => Some(*set),
        Outcome::Vectors { .. } | Outcome::Resources { .. } | Outcome::Custom { .. } => None,
    }
}

impl Ahead<'_> {
    /// Goes through the futures one at a time: a list of what is still to be done stands in for recursion.
    fn explore(&self, state: State, visit: &mut Visitor<'_>) -> Result<bool, Failure> {
        let mut rest = vec![(state, 0, 1.0)];
        while let Some((mut state, group, weight)) = rest.pop() {
            let Some(alternatives) = self.groups.get(group) else {
                if !visit(&mut state, weight)? {
                    return Ok(false);
                }
                continue;
            };
            for &(consequence, probability) in alternatives.iter().rev().filter(|(_, probability)| *probability > 0.0) {
                let weight = weight * probability;
                match consequence {
                    None => rest.push((state.clone(), group + 1, weight)),
                    Some(at) => {
                        let fail = |kind: Fault| Failure { action: None, consequence: Some(at), kind: *kind };
                        for (state, share) in self.outcomes(&state, at).map_err(fail)?.into_iter().rev() {
                            rest.push((state, group + 1, weight * share));
                        }
                    }
                }
            }
        }
        Ok(true)
    }

    /// The states that a consequence may lead to, with their shares.
    fn outcomes(&self, state: &State, at: usize) -> Result<Vec<(State, f64)>, Fault> {
        let outcome = &self.action.consequences[at].outcome;
        let mut first = state.clone();
        if let Outcome::Show { set, .. } | Outcome::Vectors { pick: Pick::Random, set, .. } = outcome {
            let matching: SmallVec<[VectorId; 16]> = first.matching(self.c, *set, self.chosen, true)?;
            let share = 1.0 / matching.len().max(1) as f64;
            if matching.is_empty() {
                return Ok(vec![(first, 1.0)]);
            }
            let states = matching.into_iter().map(|vector| {
                let mut state = first.clone();
                state.happen_at(self.c, outcome, vector, self.chosen)?;
                Ok((state, share))
            });
            return states.collect();
        }
        first.outcome(self.c, self.registry, outcome, self.chosen)?;
        Ok(vec![(first, 1.0)])
    }
}
