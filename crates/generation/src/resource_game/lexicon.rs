//! The tokens of games, and those that new names and values are chosen from.

use goalspec_generator::grammar::{Symbol, Tokens};
use goalspec_generator::tree::Tree;
use rustc_hash::{FxHashMap, FxHashSet};

use super::document::real_text;
use super::names::number;
use super::rules::Rule;

/// Maximum number of new actions of a game, and of copies of one action.
const MAX_NEW_NAMES: usize = 16;

/// Maximum number of amounts of the examples that new ones are drawn from.
const MAX_AMOUNTS: usize = 512;

/// The tokens of games.
#[derive(Debug, Clone)]
pub(super) struct Lexicon {
    pub(super) tokens: Tokens,
    /// The token that stands for a name that is chosen later.
    pub(super) hole: Symbol,
    /// The numbers that the examples add to fields, each as often as they do.
    pub(super) amounts: Vec<Symbol>,
    /// The numbers 1 and -1.
    pub(super) units: [Symbol; 2],
    /// The Booleans.
    pub(super) truths: [Symbol; 2],
    /// The names of new actions.
    pub(super) action_names: Vec<Symbol>,
    /// The names of new intermediate values.
    pub(super) value_names: Vec<Symbol>,
    /// The names of copies of each action.
    copies: FxHashMap<Symbol, Vec<Symbol>>,
    /// Numbers near each number of the examples.
    near: FxHashMap<Symbol, Vec<Symbol>>,
}

impl Lexicon {
    /// Returns the tokens of some games, with those of new ones.
    pub(super) fn new(mut tokens: Tokens, trees: &[&Tree]) -> Self {
        let hole = tokens.intern("");
        let (units, truths) =
            (["1", "-1"].map(|one| tokens.intern(one)), ["true", "false"].map(|one| tokens.intern(one)));
        let numbered = |stem: &str, tokens: &mut Tokens| -> Vec<Symbol> {
            (1..=MAX_NEW_NAMES).map(|number| tokens.intern(&format!("{stem}{number}"))).collect()
        };
        let (action_names, value_names) = (numbered("action", &mut tokens), numbered("value", &mut tokens));
        let mut lexicon = Self {
            tokens,
            hole,
            amounts: Vec::new(),
            units,
            truths,
            action_names,
            value_names,
            copies: FxHashMap::default(),
            near: FxHashMap::default(),
        };
        for tree in trees {
            lexicon.add(tree);
        }
        lexicon
    }

    fn add(&mut self, tree: &Tree) {
        let mut numbers: FxHashSet<Symbol> = FxHashSet::default();
        for entry in 0..tree.len() {
            let token = |position| tree.child(entry, position).map(|child| tree.symbol(child));
            match Rule::of(tree.symbol(entry)) {
                Some(Rule::Action) => self.add_copies(token(0)),
                Some(Rule::CostEntry) => self.add_amount(token(1)),
                Some(Rule::Add | Rule::VectorResult) => {
                    for value in tree.children(entry).filter_map(|own| tree.child(own, 1)) {
                        if Rule::of(tree.symbol(value)) == Some(Rule::Constant) {
                            self.add_amount(tree.child(value, 0).map(|child| tree.symbol(child)));
                        }
                    }
                }
                _ => {}
            }
            numbers.extend(literals(tree, entry).map(|literal| tree.symbol(literal)));
        }
        let mut numbers: Vec<Symbol> = numbers.into_iter().collect();
        numbers.sort_unstable();
        for number in numbers {
            self.add_near(number);
        }
    }

    fn add_copies(&mut self, action: Option<Symbol>) {
        let Some(action) = action.filter(|action| !self.copies.contains_key(action)) else { return };
        let name = self.tokens.text(action).to_owned();
        let copies = (2..2 + MAX_NEW_NAMES).map(|number| self.tokens.intern(&format!("{name}{number}"))).collect();
        self.copies.insert(action, copies);
    }

    fn add_amount(&mut self, amount: Option<Symbol>) {
        let amount = amount.filter(|amount| number(self.tokens.text(*amount)).is_some());
        if self.amounts.len() < MAX_AMOUNTS {
            self.amounts.extend(amount);
        }
    }

    fn add_near(&mut self, token: Symbol) {
        let text = self.tokens.text(token);
        let Some(value) = number(text).filter(|_| !self.near.contains_key(&token)) else { return };
        let texts = numbers_near(value, !text.contains('.'));
        let near: Vec<Symbol> = texts.iter().map(|text| self.tokens.intern(text)).filter(|own| *own != token).collect();
        self.near.insert(token, near);
    }

    /// Returns the numbers near a number of the examples.
    pub(super) fn near(&self, number: Symbol) -> &[Symbol] {
        self.near.get(&number).map_or(&[], |near| near)
    }

    /// Returns the names of copies of an action of the examples.
    pub(super) fn copies(&self, action: Symbol) -> &[Symbol] {
        self.copies.get(&action).map_or(&[], |copies| copies)
    }
}

/// Returns numbers near a number. Signs stay, so that a cost does not become a gain, and shares stay between 0 and 1.
fn numbers_near(value: f64, is_whole: bool) -> Vec<String> {
    let factors = [0.5, 0.75, 1.25, 1.5, 2.0].map(|factor| value * factor);
    let mut texts: Vec<String> = if is_whole {
        let steps = [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0].map(|step| value + step);
        let numbers = steps.into_iter().chain(factors).map(f64::round);
        let has_sign = |number: &f64| value == 0.0 || number.signum() == value.signum() && *number != 0.0;
        let is_new = |number: &f64| number.abs() <= f64::from(i32::MAX) && (*number - value).abs() >= 1.0;
        numbers.filter(has_sign).filter(is_new).map(|number| format!("{number:.0}")).collect()
    } else {
        let is_share = (0.0..=1.0).contains(&value);
        let rounded = |number: f64| (number * 1e4).round() / 1e4;
        factors.into_iter().map(|number| real_text(rounded(if is_share { number.min(1.0) } else { number }))).collect()
    };
    texts.sort_unstable();
    texts.dedup();
    texts
}

/// Returns the tokens among the children of a node that are literals or numbers of expressions.
pub(super) fn literals(tree: &Tree, entry: usize) -> impl Iterator<Item = usize> {
    let skipped = match Rule::of(tree.symbol(entry)) {
        Some(Rule::CostEntry | Rule::Compare) => 1,
        Some(
            Rule::Range | Rule::OneOf | Rule::Constant | Rule::Odds | Rule::Discount | Rule::Number | Rule::Fallback,
        ) => 0,
        _ => usize::MAX,
    };
    tree.children(entry).skip(skipped).filter(|&child| tree.symbol(child).is_token())
}

#[cfg(test)]
mod tests {
    use super::numbers_near;

    #[test]
    fn numbers_keep_their_sign_and_shares_stay_shares() {
        assert_eq!(numbers_near(-1.0, true), ["-2", "-3", "-4"]);
        assert_eq!(numbers_near(0.0, true), ["-1", "-2", "-3", "1", "2", "3"]);
        assert_eq!(numbers_near(0.8, false), ["0.4", "0.6", "1.0"]);
        assert_eq!(numbers_near(-100.0, false), ["-125.0", "-150.0", "-200.0", "-50.0", "-75.0"]);
    }
}
