//! Drafts of new games: an example in which some parts are new.
//!
//! A new action keeps its name, by which teams choose it, and the costs that most actions of the example have in common: they are the clock
//! of the game.

use goalspec_generator::RandomStream;
use goalspec_generator::grammar::Symbol;
use goalspec_generator::productions::Productions as _;
use goalspec_generator::tree::{Tree, TreeBuilder};
use goalspec_resource::rules::OddsRule;

use super::edits::GameEdit;
use super::generator::ResourceGameGenerator;
use super::names::number;
use super::rules::Rule;

/// The probability with which the number of actions changes in a draft in which everything is new.
const ACTION_COUNT_CHANGE: f64 = 0.4;

/// The probability with which the end of the game is new in a draft in which everything is.
const NEW_END: f64 = 0.25;

/// Maximum number of actions that a draft may have more than its example.
const MAX_ADDED_ACTIONS: u32 = 2;

/// Returns the example with new parts.
pub(super) fn draft(generator: &ResourceGameGenerator<'_>, freshness: f64, stream: &mut RandomStream) -> Option<Tree> {
    let tree = generator.example();
    let mut draft = Draft {
        generator,
        tree,
        clock: clock(tree),
        freshness,
        stream,
        out: TreeBuilder::with_capacity(tree.len() * 2),
        changed: false,
    };
    draft.game()?;
    let Draft { out, changed, stream, .. } = draft;
    if changed {
        let bound = generator.bind(&out.finish(), stream)?;
        return Some(bound).filter(|bound| bound != tree);
    }
    generator.edited(tree, GameEdit::Regrow, stream)
}

/// Returns the entries of costs that more than half of the actions have.
fn clock(tree: &Tree) -> Vec<[Symbol; 2]> {
    let mut counts: Vec<([Symbol; 2], usize)> = Vec::new();
    let mut actions = 0;
    for entry in 0..tree.len() {
        match Rule::of(tree.symbol(entry)) {
            Some(Rule::Action) => actions += 1,
            Some(Rule::CostEntry) if entry + 2 < tree.len() => {
                let own = [tree.symbol(entry + 1), tree.symbol(entry + 2)];
                match counts.iter_mut().find(|(known, _)| *known == own) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((own, 1)),
                }
            }
            _ => {}
        }
    }
    counts.into_iter().filter(|(_, count)| 2 * count > actions).map(|(own, _)| own).collect()
}

struct Draft<'a, 's> {
    generator: &'a ResourceGameGenerator<'a>,
    tree: &'a Tree,
    clock: Vec<[Symbol; 2]>,
    freshness: f64,
    stream: &'s mut RandomStream,
    out: TreeBuilder,
    changed: bool,
}

impl Draft<'_, '_> {
    /// Returns whether a part is new, which has this probability in a draft in which everything is new.
    fn is_new(&mut self, probability: f64) -> bool {
        let is_new = self.stream.uniform() < self.freshness * probability;
        self.changed |= is_new;
        is_new
    }

    fn keep(&mut self, entry: usize) {
        self.out.subtrees(self.tree.subtree(entry));
    }

    fn game(&mut self) -> Option<()> {
        self.out.open(Rule::Game.symbol());
        for section in self.tree.children(0) {
            match Rule::of(self.tree.symbol(section)) {
                Some(Rule::Actions) => self.actions(section)?,
                Some(Rule::Rewards) => self.rewards(section)?,
                Some(Rule::Completed) if self.is_new(NEW_END) => {
                    let end = self.generator.draw_part(Rule::Completed, self.stream)?;
                    self.out.subtrees(end.entries());
                }
                _ => self.keep(section),
            }
        }
        self.out.close();
        Some(())
    }

    fn actions(&mut self, actions: usize) -> Option<()> {
        self.out.open(Rule::Actions.symbol());
        let mut left = self.tree.children(actions).count();
        for action in self.tree.children(actions) {
            if left > 1 && self.is_new(ACTION_COUNT_CHANGE / 2.0) {
                left -= 1;
            } else if self.is_new(1.0) {
                let name = self.tree.child(action, 0).map(|name| self.tree.symbol(name));
                self.action(name)?;
            } else {
                self.keep(action);
            }
        }
        for _ in 0..MAX_ADDED_ACTIONS {
            if self.is_new(ACTION_COUNT_CHANGE) {
                self.action(None)?;
            }
        }
        self.out.close();
        Some(())
    }

    fn rewards(&mut self, rewards: usize) -> Option<()> {
        self.out.open(Rule::Rewards.symbol());
        for reward in self.tree.children(rewards) {
            if self.is_new(1.0) {
                let drawn = self.generator.draw_part(Rule::Reward, self.stream)?;
                self.out.open(Rule::Reward.symbol());
                self.tree.child(reward, 0).into_iter().for_each(|team| self.out.token(self.tree.symbol(team)));
                drawn.child(0, 1).into_iter().for_each(|value| self.out.subtrees(drawn.subtree(value)));
                self.out.close();
            } else {
                self.keep(reward);
            }
        }
        self.out.close();
        Some(())
    }

    /// Adds a new action.
    fn action(&mut self, name: Option<Symbol>) -> Option<()> {
        let drawn = self.generator.draw_part(Rule::Action, self.stream)?;
        self.out.open(Rule::Action.symbol());
        self.out.token(name.unwrap_or(self.generator.lexicon().hole));
        for child in drawn.children(0).skip(1) {
            match Rule::of(drawn.symbol(child)) {
                Some(Rule::Cost) => self.cost(&drawn, child),
                Some(Rule::Consequences) => self.consequences(&drawn, child),
                _ => self.out.subtrees(drawn.subtree(child)),
            }
        }
        self.out.close();
        Some(())
    }

    /// Adds a drawn cost, in which common costs take the place of drawn ones.
    fn cost(&mut self, drawn: &Tree, cost: usize) {
        self.out.open(Rule::Cost.symbol());
        for own in self.clock.clone() {
            self.out.open(Rule::CostEntry.symbol());
            for token in own {
                self.out.token(token);
            }
            self.out.close();
        }
        drawn.children(cost).skip(self.clock.len()).for_each(|entry| self.out.subtrees(drawn.subtree(entry)));
        self.out.close();
    }

    /// Adds drawn consequences. Each can happen: those that would never be reached are independent of the ones before.
    fn consequences(&mut self, drawn: &Tree, consequences: usize) {
        let is_cumulative = self.generator.dialect().rules.odds == OddsRule::Cumulative;
        let mut sum = 0.0;
        self.out.open(Rule::Consequences.symbol());
        for (place, consequence) in drawn.children(consequences).enumerate() {
            let part =
                |rule: Rule| drawn.children(consequence).find(|&child| Rule::of(drawn.symbol(child)) == Some(rule));
            let odds = part(Rule::Odds).and_then(|odds| drawn.child(odds, 0));
            let text = odds.map_or("1", |odds| self.generator.tokens().text(drawn.symbol(odds)));
            let odds = number(text).unwrap_or(1.0);
            let is_reached = if is_cumulative { odds > sum } else { sum + odds <= 1.0 };
            let is_independent = part(Rule::Independent).is_some() || (place > 0 && !is_reached);
            sum = if is_independent || is_cumulative { odds } else { sum + odds };
            self.out.open(Rule::Consequence.symbol());
            for child in drawn.children(consequence) {
                match Rule::of(drawn.symbol(child)) {
                    Some(Rule::Independent) => {}
                    Some(Rule::Odds | Rule::Discount) => self.out.subtrees(drawn.subtree(child)),
                    _ => {
                        if is_independent {
                            self.out.open(Rule::Independent.symbol());
                            self.out.token(self.generator.lexicon().truths[0]);
                            self.out.close();
                        }
                        self.out.subtrees(drawn.subtree(child));
                    }
                }
            }
            self.out.close();
        }
        self.out.close();
    }
}
