//! The choice of the names and values of a tree.
//!
//! A drawn tree has holes in place of names of teams, actions and fields, and of the values that fields are compared with or set to. The
//! binder fills each with one that its place admits: a field of the kind that a test or an operation needs, an amount that is less than the
//! range of the field that it is added to, a bound within the range of the field that is compared with it. It also keeps the sections
//! consistent: every action can be chosen by a team, every choice has an action, and every team has a choice and a reward.

//!
//! A draw is also fitted to the initial state and to what the actions do, as far as names and values alone can: a requirement can be met, the
//! filters of vectors match some, alternatives of the end and cases of rewards that no action leads to are left out.

mod ends;
mod results;
mod teams;
mod tests;
mod values;

use goalspec_generator::RandomStream;
use goalspec_generator::grammar::Symbol;
use goalspec_generator::sampler::choose;
use goalspec_generator::tree::{Tree, TreeBuilder};
use rustc_hash::{FxHashMap, FxHashSet};

use super::lexicon::Lexicon;
use super::names::{NameScope, Names, ValueKinds};
use super::rules::Rule;
use results::Movement;
use tests::TestGoal;
use values::LiteralRole;

/// Maximum depth of a tree that is bound.
const MAX_DEPTH: usize = 512;

/// The number of times that the names of a filter are drawn until it fits the initial state.
const MAX_FILTER_TRIES: u32 = 8;

/// A binding of a tree in progress.
pub(super) struct Binder<'a> {
    lexicon: &'a Lexicon,
    names: &'a Names,
    tree: &'a Tree,
    stream: &'a mut RandomStream,
    out: TreeBuilder,
    scope: NameScope,
    /// The intermediate values in scope.
    computed: Vec<(Symbol, ValueKinds)>,
    /// The actions, in order.
    actions: Vec<Symbol>,
    /// The entry of each action.
    action_entries: FxHashMap<Symbol, usize>,
    goal: TestGoal,
    /// The movements of the fields of the state by the actions so far.
    movements: Vec<Movement>,
    /// The fields that the cost of the action adds to.
    rising_costs: Vec<Symbol>,
    /// Whether a result is a custom one, which may change every field.
    has_custom_result: bool,
    /// Whether all actions are bound.
    is_after_actions: bool,
    /// Whether the part is the end of the game.
    is_end: bool,
}

impl<'a> Binder<'a> {
    /// Creates a binder of a tree of the grammar.
    pub(super) fn new(lexicon: &'a Lexicon, names: &'a Names, tree: &'a Tree, stream: &'a mut RandomStream) -> Self {
        Self {
            lexicon,
            names,
            tree,
            stream,
            out: TreeBuilder::with_capacity(tree.len() + 32),
            scope: NameScope::State,
            computed: Vec::new(),
            actions: Vec::new(),
            action_entries: FxHashMap::default(),
            goal: TestGoal::Holds,
            movements: Vec::new(),
            rising_costs: Vec::new(),
            has_custom_result: tree.entries().iter().any(|own| own.symbol == Rule::CustomResult.symbol()),
            is_after_actions: false,
            is_end: false,
        }
    }

    /// Returns the bound tree; `None` if a hole cannot be filled.
    pub(super) fn game(mut self) -> Option<Tree> {
        if depth(self.tree) > MAX_DEPTH || self.rule(0) != Some(Rule::Game) {
            return None;
        }
        let section = |rule: Rule| self.tree.children(0).find(|&child| self.rule(child) == Some(rule));
        let (space, actions) = (section(Rule::ActionSpace)?, section(Rule::Actions)?);
        let (rewards, completed) = (section(Rule::Rewards)?, section(Rule::Completed));
        self.name_actions(actions)?;
        self.out.open(Rule::Game.symbol());
        self.action_space(space)?;
        self.enclosed(Rule::Actions, |binder| {
            let actions = binder.actions.clone();
            actions.into_iter().try_for_each(|name| binder.action(name, *binder.action_entries.get(&name)?))
        })?;
        self.is_after_actions = true;
        self.enclosed(Rule::Rewards, |binder| binder.rewards(rewards))?;
        if let Some(completed) = completed {
            self.end(completed)?;
        }
        Some(self.out.finish())
    }

    fn rule(&self, entry: usize) -> Option<Rule> {
        Rule::of(self.tree.symbol(entry))
    }

    fn children(&self, entry: usize) -> Vec<usize> {
        self.tree.children(entry).collect()
    }

    /// Returns the token that is the child of a node at a position.
    fn token(&self, entry: usize, position: usize) -> Option<Symbol> {
        self.tree.child(entry, position).map(|child| self.tree.symbol(child)).filter(|symbol| symbol.is_token())
    }

    fn text(&self, token: Symbol) -> &'a str {
        self.lexicon.tokens.text(token)
    }

    fn has_hole(&self, entry: usize) -> bool {
        self.tree.subtree(entry).iter().any(|own| own.symbol == self.lexicon.hole)
    }

    fn enclosed(&mut self, rule: Rule, content: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        self.out.open(rule.symbol());
        content(self)?;
        self.out.close();
        Some(())
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.stream.below(items.len().max(1) as u64) as usize).copied()
    }

    /// Names the actions that have no name, or that of an action before.
    fn name_actions(&mut self, actions: usize) -> Option<()> {
        let entries = self.children(actions);
        let kept: FxHashSet<Symbol> = entries.iter().filter_map(|&entry| self.token(entry, 0)).collect();
        for entry in entries {
            let own = self.token(entry, 0)?;
            let is_used = |name: Symbol| self.action_entries.contains_key(&name);
            let name = if own == self.lexicon.hole || is_used(own) {
                let mut free = self.lexicon.action_names.iter().copied();
                free.find(|&name| !is_used(name) && !kept.contains(&name))?
            } else {
                own
            };
            self.actions.push(name);
            self.action_entries.insert(name, entry);
        }
        Some(())
    }

    fn action(&mut self, name: Symbol, action: usize) -> Option<()> {
        let entries = self.children(action);
        self.enclosed(Rule::Action, |binder| {
            binder.out.token(name);
            entries.into_iter().skip(1).try_for_each(|child| binder.node(child))
        })
    }

    fn rewards(&mut self, rewards: usize) -> Option<()> {
        let entries = self.team_entries(rewards);
        for (team, entry) in entries {
            self.enclosed(Rule::Reward, |binder| {
                binder.out.token(team);
                match entry.and_then(|entry| binder.tree.child(entry, 1)) {
                    Some(value) => binder.computation(value, LiteralRole::Other(ValueKinds::NUMBER)),
                    None => binder.enclosed(Rule::FieldValue, |binder| {
                        let field = binder.read_field(binder.lexicon.hole, ValueKinds::NUMBER)?;
                        binder.out.token(field);
                        Some(())
                    }),
                }
            })?;
        }
        Some(())
    }

    /// Adds a node with its names chosen.
    fn node(&mut self, entry: usize) -> Option<()> {
        let symbol = self.tree.symbol(entry);
        let Some(rule) = Rule::of(symbol) else {
            self.out.token(symbol);
            return Some(());
        };
        match rule {
            Rule::Cost => self.cost(entry),
            Rule::FieldTest => self.field_test(entry, &mut Vec::new()),
            Rule::ComputedFilter => self.enclosed(rule, |binder| {
                let value = binder.tree.child(entry, 0)?;
                binder.computation(value, LiteralRole::Other(ValueKinds::BOOLEAN))
            }),
            Rule::Requires => self.requirement(entry),
            Rule::Resources => self.resources(entry),
            Rule::RandomVector | Rule::AllVectors => self.with_vectors(entry, rule),
            Rule::MakeNodeVisible => self.make_node_visible(entry),
            Rule::SourceFilter | Rule::TargetFilter => {
                let before = std::mem::replace(&mut self.scope, NameScope::Node);
                self.copied(entry, rule)?;
                self.scope = before;
                Some(())
            }
            Rule::And => {
                let (children, mut used) = (self.children(entry), Vec::new());
                self.enclosed(rule, |binder| {
                    children.into_iter().try_for_each(|child| match binder.rule(child) {
                        Some(Rule::FieldTest) => binder.field_test(child, &mut used),
                        _ => binder.node(child),
                    })
                })
            }
            Rule::Not => {
                self.goal = self.goal.negated();
                self.copied(entry, rule)?;
                self.goal = self.goal.negated();
                Some(())
            }
            _ if rule.is_computation() => self.computation(entry, LiteralRole::Other(ValueKinds::ALL)),
            _ => self.copied(entry, rule),
        }
    }

    /// Adds a node with its children.
    fn copied(&mut self, entry: usize, rule: Rule) -> Option<()> {
        let children = self.children(entry);
        self.enclosed(rule, |binder| children.into_iter().try_for_each(|child| binder.node(child)))
    }

    /// Returns a name if it has a meaning here, or else a field of some kinds. Fields that the example uses are preferred.
    fn read_field(&mut self, name: Symbol, kinds: ValueKinds) -> Option<Symbol> {
        let is_known = self.computed.iter().any(|(own, _)| *own == name) || self.names.is_known(self.scope, name);
        if name != self.lexicon.hole && is_known {
            return Some(name);
        }
        let computed = self.computed.iter().filter(|(_, own)| own.meets(kinds)).map(|&(name, _)| (name, 8.0));
        let declared = self.names.choices(self.scope).filter(|field| field.kinds.meets(kinds));
        let scope = self.scope;
        let declared = declared.map(|field| (field.name, 1.0 + 2.0 * f64::from(self.names.uses(scope, field.name))));
        let choices: Vec<(Symbol, f64)> = computed.chain(declared).collect();
        choose(&choices, self.stream, |_| true)
    }

    fn label(&mut self, label: Symbol) -> Option<Symbol> {
        if label == self.lexicon.hole { self.pick(&self.names.teams) } else { Some(label) }
    }
}

/// Returns the depth of a tree.
fn depth(tree: &Tree) -> usize {
    let mut ends: Vec<usize> = Vec::new();
    let mut deepest = 0;
    for entry in 0..tree.len() {
        while ends.last().is_some_and(|&end| end <= entry) {
            ends.pop();
        }
        ends.push(tree.end(entry));
        deepest = deepest.max(ends.len());
    }
    deepest
}
