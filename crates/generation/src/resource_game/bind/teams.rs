//! The binding of what teams choose and of the rewards' teams.

use goalspec_generator::grammar::Symbol;
use rustc_hash::FxHashSet;

use super::Binder;
use crate::resource_game::rules::Rule;

/// The choices of a team: the action, and the entry that the choice has already.
type TeamChoices = Vec<(Symbol, Option<usize>)>;

impl Binder<'_> {
    /// Returns the teams with the entries that are about them, in the order of the entries; those without one are last.
    pub(super) fn team_entries(&self, section: usize) -> Vec<(Symbol, Option<usize>)> {
        let teams = &self.names.teams;
        let mut entries: Vec<(Symbol, Option<usize>)> = Vec::new();
        let own = |entry: &usize| self.token(*entry, 0).filter(|own| teams.contains(own));
        let named: Vec<Symbol> = self.children(section).iter().filter_map(own).collect();
        for entry in self.children(section) {
            let is_new = |team: &Symbol| !entries.iter().any(|(known, _)| known == team);
            let team = match own(&entry) {
                Some(team) => Some(team).filter(is_new),
                None => teams.iter().copied().find(|team| is_new(team) && !named.contains(team)),
            };
            entries.extend(team.map(|team| (team, Some(entry))));
        }
        let missing = teams.iter().filter(|team| !entries.iter().any(|(known, _)| known == *team));
        let missing: Vec<(Symbol, Option<usize>)> = missing.map(|&team| (team, None)).collect();
        entries.extend(missing);
        entries
    }

    /// Adds what each team can choose.
    pub(super) fn action_space(&mut self, space: usize) -> Option<()> {
        let mut teams: Vec<(Symbol, TeamChoices)> = Vec::new();
        for (team, entry) in self.team_entries(space) {
            let choices = entry.map_or_else(Vec::new, |entry| self.choices(entry));
            teams.push((team, choices));
        }
        let defined = self.actions.clone();
        let choices = teams.iter().flat_map(|(_, choices)| choices);
        let chosen: FxHashSet<Symbol> = choices.map(|&(action, _)| action).collect();
        for &action in &defined {
            if !chosen.contains(&action) && !self.names.unavailable.contains(&action) {
                let indices: Vec<usize> = (0..teams.len()).collect();
                let team = self.pick(&indices)?;
                teams[team].1.push((action, None));
            }
        }
        for (_, choices) in &mut teams {
            if choices.is_empty() {
                choices.push((self.pick(&defined)?, None));
            }
        }
        self.enclosed(Rule::ActionSpace, |binder| {
            teams.into_iter().try_for_each(|(team, choices)| {
                binder.enclosed(Rule::TeamActions, |binder| {
                    binder.out.token(team);
                    choices.into_iter().try_for_each(|(action, entry)| binder.choice(action, entry))
                })
            })
        })
    }

    /// Returns the choices of a team that have an action.
    fn choices(&mut self, team: usize) -> TeamChoices {
        let entries: Vec<usize> = self.children(team).into_iter().skip(1).collect();
        let mut taken: FxHashSet<Symbol> = entries.iter().filter_map(|&entry| self.token(entry, 0)).collect();
        let mut chosen: FxHashSet<Symbol> = FxHashSet::default();
        let mut choices: TeamChoices = Vec::new();
        for entry in entries {
            let Some(own) = self.token(entry, 0) else { continue };
            let action = if own == self.lexicon.hole {
                let free: Vec<Symbol> = self.actions.iter().copied().filter(|action| !taken.contains(action)).collect();
                self.pick(&free)
            } else {
                let is_defined = self.action_entries.contains_key(&own) || self.names.undefined.contains(&own);
                Some(own).filter(|own| is_defined && !chosen.contains(own))
            };
            if let Some(action) = action {
                taken.insert(action);
                chosen.insert(action);
                choices.push((action, Some(entry)));
            }
        }
        choices
    }

    fn choice(&mut self, action: Symbol, entry: Option<usize>) -> Option<()> {
        let parameters = entry.map_or_else(Vec::new, |entry| self.children(entry).into_iter().skip(1).collect());
        self.enclosed(Rule::Choice, |binder| {
            binder.out.token(action);
            for parameter in parameters {
                if binder.is_used_parameter(action, parameter) {
                    binder.out.subtrees(binder.tree.subtree(parameter));
                }
            }
            Some(())
        })
    }

    /// Whether a parameter has a meaning for an action: it restricts the vectors of results, is read, or may be known to a custom result.
    fn is_used_parameter(&self, action: Symbol, parameter: usize) -> bool {
        let Some(&entry) = self.action_entries.get(&action) else { return true };
        let Some(name) = self.token(parameter, 0).map(|name| self.text(name)) else { return false };
        self.tree.subtree(entry).iter().any(|own| match Rule::of(own.symbol) {
            Some(Rule::RandomVector | Rule::MakeNodeVisible) => matches!(name, "source" | "target"),
            Some(Rule::CustomResult) => true,
            Some(_) => false,
            None => {
                let text = self.text(own.symbol);
                let read = text.strip_prefix('$').or_else(|| text.strip_prefix("param."));
                read == Some(name) || text.contains('{')
            }
        })
    }
}
