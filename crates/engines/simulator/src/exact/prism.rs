//! Export to the PRISM model checker: Markov chains if all teams have plans, and Markov decision processes otherwise.
//!
//! States have the indices of [`Model`]; a state where the game is over loops to itself and has the label `completed`. Each team
//! has a reward structure with its reward in each state: `R{"team"}=? [ I=k ]` is its expected reward after at most `k` turns.
//! The structure `turns` is 1 where the game continues: `R{"turns"}=? [ F "completed" ]` is the expected number of turns. PRISM
//! does not support negative rewards: if a team has some, all its rewards are increased by an integer that the name of the
//! structure contains, as in `team_offset_20`. Actions are named by team, choice and values.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use goalspec_resource::game::TeamId;
use goalspec_resource::turn::Move;

use super::model::{DecisionArm, Model};

/// A model in the explicit file formats that PRISM imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrismFiles {
    /// The states: `.sta`.
    pub states: String,
    /// The transitions: `.tra`.
    pub transitions: String,
    /// The labels: `.lab`.
    pub labels: String,
    /// The state rewards, with the names of the structures: one `.srew` file each.
    pub rewards: Vec<(String, String)>,
}

impl Model {
    /// Returns the model in the PRISM language.
    pub fn prism(&self) -> String {
        let game = self.simulator.game();
        let mut text = String::new();
        let kind = if self.free_team().is_some() { "mdp" } else { "dtmc" };
        // Line breaks in names would end the comment.
        let _ = writeln!(text, "// {}\n{kind}\n", identifier(&game.name));
        let _ = writeln!(text, "module game\n  s : [0..{}] init 0;\n", self.len().max(2) - 1);
        for state in 0..self.len() {
            for arm in self.arms(state) {
                let targets = self.targets(*arm).iter().map(|(target, share)| format!("{share}:(s'={target})"));
                let name = self.decision_name(state, *arm).unwrap_or_default();
                let _ = writeln!(text, "  [{name}] s={state} -> {};", targets.collect::<Vec<_>>().join(" + "));
            }
            if self.arms(state).is_empty() {
                let _ = writeln!(text, "  [] s={state} -> 1:(s'={state});");
            }
        }
        let _ = writeln!(text, "endmodule\n\nlabel \"completed\" = {};", self.completed());
        for (name, rewards) in self.structures() {
            let _ = writeln!(text, "\nrewards \"{name}\"");
            for (states, reward) in runs(&rewards).filter(|(_, reward)| **reward != 0.0) {
                let _ = writeln!(text, "  {} : {reward};", span(&states));
            }
            text.push_str("endrewards\n");
        }
        text
    }

    /// Returns the model in PRISM's explicit file formats.
    pub fn explicit(&self) -> PrismFiles {
        let mut states = "(s)\n".to_owned();
        let mut labels = "0=\"init\" 1=\"deadlock\" 2=\"completed\"\n".to_owned();
        for (state, is_over) in self.over.iter().enumerate() {
            let _ = writeln!(states, "{state}:({state})");
            let state_labels: Vec<&str> =
                [(state == 0, "0"), (*is_over, "2")].iter().filter(|label| label.0).map(|label| label.1).collect();
            if !state_labels.is_empty() {
                let _ = writeln!(labels, "{state}: {}", state_labels.join(" "));
            }
        }
        let rewards = self.structures().into_iter().map(|(name, rewards)| {
            let nonzero: Vec<_> = rewards.iter().enumerate().filter(|(_, reward)| **reward != 0.0).collect();
            let mut text = format!("{} {}\n", self.len(), nonzero.len());
            for (state, reward) in nonzero {
                let _ = writeln!(text, "{state} {reward}");
            }
            (name, text)
        });
        PrismFiles { states, labels, transitions: self.transition_lines(), rewards: rewards.collect() }
    }

    fn transition_lines(&self) -> String {
        let free = self.free_team().is_some();
        let final_count = self.len() - self.nonterminal_states().count();
        let mut text = self.len().to_string();
        if free {
            let _ = write!(text, " {}", self.decisions.len() + final_count);
        }
        let _ = writeln!(text, " {}", self.transitions.len() + final_count);
        for state in 0..self.len() {
            for (place, arm) in self.arms(state).iter().enumerate() {
                for (target, share) in self.targets(*arm) {
                    let _ = write!(text, "{state}");
                    if free {
                        let _ = write!(text, " {place}");
                    }
                    let _ = write!(text, " {target} {share}");
                    if let Some(name) = self.decision_name(state, *arm) {
                        let _ = write!(text, " {name}");
                    }
                    text.push('\n');
                }
            }
            if self.arms(state).is_empty() {
                let _ = writeln!(text, "{state}{} {state} 1", if free { " 0" } else { "" });
            }
        }
        text
    }

    /// Returns the PRISM name of a decision; `None` where the plan decides or the move is a pass.
    fn decision_name(&self, state: usize, arm: DecisionArm) -> Option<String> {
        let team = self.simulator.team(&self.states[state]);
        let chosen = self.moves[team.index()].as_ref()?.get(arm.place? as usize)?;
        let Move::Choose(id, values) = chosen else { return None };
        let team = &self.simulator.game().teams[team.index()];
        let mut name = format!("{}_{}", team.name, team.choices[id.index()].name);
        for value in values {
            let _ = write!(name, "_{value}");
        }
        Some(identifier(&name))
    }

    /// Returns the condition that the game is over.
    fn completed(&self) -> String {
        let spans: Vec<String> =
            runs(&self.over).filter(|(_, is_over)| **is_over).map(|(states, _)| span(&states)).collect();
        if spans.is_empty() { "false".to_owned() } else { spans.join(" | ") }
    }

    /// Returns the reward structures: names, and a number for each state. Teams without a finite reward in some state have none.
    fn structures(&self) -> Vec<(String, Vec<f64>)> {
        let active = self.over.iter().map(|is_over| if *is_over { 0.0 } else { 1.0 }).collect();
        let mut structures = vec![("turns".to_owned(), active)];
        for team in self.teams_with_rewards() {
            let mut name = identifier(&self.simulator.game().teams[team.index()].name);
            while structures.iter().any(|(known, _)| *known == name) {
                name.push('_');
            }
            let mut rewards: Vec<f64> = (0..self.len()).filter_map(|state| self.reward(state, team)).collect();
            let min = rewards.iter().copied().fold(0.0, f64::min);
            if min < 0.0 {
                let offset = (-min).ceil();
                name = format!("{name}_offset_{offset}");
                for reward in &mut rewards {
                    *reward += offset;
                }
            }
            structures.push((name, rewards));
        }
        structures
    }

    /// Returns the teams with a finite reward in every state, which have a PRISM reward structure.
    pub fn teams_with_rewards(&self) -> Vec<TeamId> {
        let teams = (0..self.simulator.game().teams.len()).map(TeamId::from);
        let finite = |team| (0..self.len()).all(|state| self.reward(state, team).is_some_and(f64::is_finite));
        teams.filter(|&team| finite(team)).collect()
    }
}

/// Converts a name to a PRISM identifier.
fn identifier(name: &str) -> String {
    let ascii = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let digit = name.starts_with(|first: char| first.is_ascii_digit());
    if digit || name.is_empty() { "_".chars() } else { "".chars() }.chain(name.chars().map(ascii)).collect()
}

/// Returns the maximal ranges of equal values.
fn runs<T: PartialEq>(values: &[T]) -> impl Iterator<Item = (RangeInclusive<usize>, &T)> {
    let mut at = 0;
    values.chunk_by(T::eq).map(move |run| {
        let from = at;
        at += run.len();
        (from..=at - 1, &run[0])
    })
}

/// Returns the condition that the state is in a range.
fn span(states: &RangeInclusive<usize>) -> String {
    if states.start() == states.end() {
        return format!("s={}", states.start());
    }
    format!("(s>={}&s<={})", states.start(), states.end())
}
