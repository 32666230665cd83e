//! Games as sequences of words, and the n-gram models of their sections.

use goalspec_generator::grammar::Symbol;
use goalspec_generator::ngram::{NgramModel, Total, Word, Words};
use goalspec_generator::tree::Tree;
use rustc_hash::FxHashMap;

use super::names::SECTIONS;
use super::view::View;
use crate::game::GameGrammar;
use crate::game::categories::Category;
use crate::game::rules::Rule;

/// The rules whose nodes contribute no word of their own.
const SILENT: [Rule; 35] = [
    Rule::Setup,
    Rule::SetupStatement,
    Rule::VariableList,
    Rule::TypeDefinition,
    Rule::ColorTypeDefinition,
    Rule::OrientationTypeDefinition,
    Rule::SideTypeDefinition,
    Rule::EitherTypes,
    Rule::EitherColorTypes,
    Rule::EitherOrientationTypes,
    Rule::EitherSideTypes,
    Rule::ObjectType,
    Rule::ObjectName,
    Rule::ColorType,
    Rule::Color,
    Rule::OrientationType,
    Rule::Orientation,
    Rule::SideType,
    Rule::Side,
    Rule::Condition,
    Rule::Predicate,
    Rule::FunctionEval,
    Rule::ComparisonArg,
    Rule::PrefForallPrefs,
    Rule::PrefDef,
    Rule::PrefBody,
    Rule::SeqFunc,
    Rule::Terminal,
    Rule::ScoringExpr,
    Rule::ScoringExprOrNumber,
    Rule::PreferenceEval,
    Rule::ComparisonNumber,
    Rule::TimeNumber,
    Rule::ScoreNumber,
    Rule::ScoringNumber,
];

/// The set of the categories of several types, as bits.
type CategorySet = u16;

/// The words of games.
#[derive(Debug, Clone)]
pub(super) struct GameWords {
    words: Words,
    /// The word of each kind of node that contributes its name.
    kinds: Vec<Option<Word>>,
    categories: [Word; Category::ALL.len()],
    counted_categories: [Word; Category::ALL.len()],
    /// The words for terms whose types belong to several categories, by their set.
    combinations: FxHashMap<CategorySet, Word>,
    sections: [Word; 4],
    either: Word,
    name: Word,
    number: Word,
    time: Word,
    score: Word,
    unknown: Word,
    /// The word for a combination of categories that no game of the corpus contains.
    unseen: Word,
    operators: FxHashMap<Symbol, Word>,
    /// The words `=` and `-`, of operators that the grammar does not represent as tokens.
    equals: Word,
    minus: Word,
}

/// The words of a game, and the end of those of each section.
#[derive(Debug, Clone, Default)]
pub struct GameSequence {
    words: Vec<Word>,
    ends: [usize; 4],
}

impl GameSequence {
    /// Returns the words of the whole game.
    pub fn all(&self) -> &[Word] {
        &self.words
    }

    /// Returns the words of a section.
    pub fn section(&self, section: usize) -> &[Word] {
        let start = if section == 0 { 0 } else { self.ends[section - 1] };
        &self.words[start..self.ends[section]]
    }
}

impl GameWords {
    fn new(games: &GameGrammar) -> Self {
        let mut words = Words::default();
        let silent: Vec<Symbol> = SILENT.iter().map(|rule| rule.symbol()).collect();
        let grammar = games.grammar();
        let is_bracket = |symbol: Symbol| !grammar.kind(symbol).is_some_and(|kind| kind.is_counted);
        let kinds = (0..grammar.kinds().len())
            .map(Symbol::kind)
            .map(|symbol| {
                let is_silent = silent.contains(&symbol) || is_bracket(symbol);
                let name = grammar.kind(symbol).map_or("", |kind| &kind.name);
                (!is_silent).then(|| words.intern(name))
            })
            .collect();
        let categories = Category::ALL.map(|category| words.intern(category.name()));
        let counted_categories =
            Category::ALL.map(|category| words.intern(&format!("object_type_{}", category.name())));
        Self {
            kinds,
            categories,
            counted_categories,
            combinations: FxHashMap::default(),
            sections: SECTIONS.map(|section| words.intern(section)),
            either: words.intern("either_types"),
            name: words.intern("pref_name"),
            number: words.intern("number"),
            time: words.intern("total-time"),
            score: words.intern("total-score"),
            unknown: words.intern("<unknown>"),
            unseen: words.intern("<unseen combination>"),
            operators: FxHashMap::default(),
            equals: words.intern("="),
            minus: words.intern("-"),
            words,
        }
    }

    /// Adds the words of operators and of combinations of categories that a game contains.
    fn learn(&mut self, view: &View<'_>) {
        for operator in ["<", "<=", "=", ">", ">=", "+", "*"] {
            if let Some(token) = view.tokens.find(operator) {
                self.operators.insert(token, self.words.intern(operator));
            }
        }
        for term in
            (0..view.tree.len()).filter(|&entry| view.rule(entry) == Some(Rule::Term) && view.is_variable(entry))
        {
            let set = term_categories(view, term);
            if set.count_ones() > 1 && !self.combinations.contains_key(&set) {
                let names: Vec<&str> = members(set).map(|index| Category::ALL[index].name()).collect();
                let word = self.words.intern(&format!("either_types_{}", names.join("_")));
                self.combinations.insert(set, word);
            }
        }
    }

    /// Returns the words of a game.
    fn sequence(&self, view: &View<'_>) -> GameSequence {
        let mut sequence = GameSequence::default();
        for (section, root) in view.sections.iter().enumerate() {
            if let Some(root) = *root {
                sequence.words.push(self.sections[section]);
                for entry in view.within(root) {
                    self.add(view, entry, &mut sequence.words);
                }
            }
            sequence.ends[section] = sequence.words.len();
        }
        sequence
    }

    fn add(&self, view: &View<'_>, entry: usize, out: &mut Vec<Word>) {
        let symbol = view.tree.symbol(entry);
        if symbol.is_token() {
            return;
        }
        let operator = |entry: usize| {
            let token = view.tree.symbol(entry);
            self.operators.get(&token).copied().unwrap_or(self.unknown)
        };
        match Rule::of(symbol) {
            Some(Rule::Term | Rule::ColorTerm | Rule::OrientationTerm | Rule::SideTerm | Rule::TypeTerm) => {
                out.push(self.set_word(term_categories(view, entry)));
            }
            Some(
                Rule::VariableTypeDef
                | Rule::ColorVariableTypeDef
                | Rule::OrientationVariableTypeDef
                | Rule::SideVariableTypeDef,
            ) => {
                let types = view.types(entry);
                if types.len() > 1 {
                    out.push(self.either);
                }
                out.extend(types.iter().map(|&name| self.category_word(view.games.category(name))));
            }
            Some(Rule::TwoArgComparison | Rule::ScoringComp | Rule::MultiExpr) => out.push(operator(entry + 1)),
            Some(Rule::TerminalComp) => out.push(operator(entry + 2)),
            Some(Rule::MultipleArgsEqual | Rule::ScoringEquals) => out.push(self.equals),
            Some(Rule::NegExpr) => out.push(self.minus),
            Some(Rule::PrefNameAndTypes) => out.push(self.name),
            Some(Rule::PrefObjectType) => {
                let category = view.games.category(view.tree.symbol(view.tree.end(entry) - 1));
                out.push(category.map_or(self.unknown, |category| self.counted_categories[category as usize]));
            }
            Some(rule @ (Rule::TimeComp | Rule::ScoreComp)) => {
                out.extend(self.kinds[symbol.index()]);
                out.push(if rule == Rule::TimeComp { self.time } else { self.score });
            }
            Some(
                Rule::ComparisonNumber | Rule::TimeNumber | Rule::ScoreNumber | Rule::CountNumber | Rule::ScoringNumber,
            ) => {
                out.extend(self.kinds[symbol.index()]);
                out.push(self.number);
            }
            _ => out.extend(self.kinds.get(symbol.index()).copied().flatten()),
        }
    }

    fn category_word(&self, category: Option<Category>) -> Word {
        category.map_or(self.unknown, |category| self.categories[category as usize])
    }

    fn set_word(&self, set: CategorySet) -> Word {
        match set.count_ones() {
            0 => self.unknown,
            1 => self.categories[set.trailing_zeros() as usize],
            _ => self.combinations.get(&set).copied().unwrap_or(self.unseen),
        }
    }
}

fn members(set: CategorySet) -> impl Iterator<Item = usize> {
    (0..Category::ALL.len()).filter(move |index| set >> index & 1 == 1)
}

/// Returns the categories of the types of an argument.
fn term_categories(view: &View<'_>, term: usize) -> CategorySet {
    let set = |names: &[Symbol]| {
        let categories = names.iter().filter_map(|&name| view.games.category(name));
        categories.fold(0, |set, category| set | 1 << category as usize)
    };
    if view.is_variable(term) {
        view.variable(term).map_or(0, |variable| set(&variable.types))
    } else {
        set(&[view.argument(term)])
    }
}

/// The n-gram models of whole games and of each section.
#[derive(Debug, Clone)]
pub struct SectionNgrams {
    words: GameWords,
    full: NgramModel,
    sections: [NgramModel; 4],
}

impl SectionNgrams {
    /// Fits the models to a corpus.
    pub fn fit<'a>(
        games: &GameGrammar,
        tokens: &goalspec_generator::grammar::Tokens,
        corpus: impl IntoIterator<Item = &'a Tree> + Clone,
    ) -> Self {
        let mut words = GameWords::new(games);
        for tree in corpus.clone() {
            words.learn(&View::new(games, tokens, tree));
        }
        // The published models divide the counts of single words by these numbers.
        let [full, four, six] = [Total::Starts, Total::Ngrams(4), Total::Ngrams(6)];
        let sections = [four, six, four, four].map(NgramModel::new);
        let mut models = Self { words, full: NgramModel::new(full), sections };
        for tree in corpus {
            let sequence = models.words.sequence(&View::new(games, tokens, tree));
            models.full.add(sequence.all());
            for (section, model) in models.sections.iter_mut().enumerate() {
                model.add(sequence.section(section));
            }
        }
        models
    }

    /// Returns the models of the corpus without one of its games.
    #[must_use]
    pub fn without(&self, games: &GameGrammar, tokens: &goalspec_generator::grammar::Tokens, tree: &Tree) -> Self {
        let sequence = self.sequence(games, tokens, tree);
        let mut rest = self.clone();
        rest.full.remove(sequence.all());
        for (section, model) in rest.sections.iter_mut().enumerate() {
            model.remove(sequence.section(section));
        }
        rest
    }

    /// Returns the words of a game.
    pub fn sequence(
        &self,
        games: &GameGrammar,
        tokens: &goalspec_generator::grammar::Tokens,
        tree: &Tree,
    ) -> GameSequence {
        self.words.sequence(&View::new(games, tokens, tree))
    }

    /// Returns the text of a word.
    pub fn text(&self, word: Word) -> &str {
        self.words.words.text(word)
    }

    /// Returns the word with this text, if it is in the models.
    pub fn word(&self, text: &str) -> Option<Word> {
        let mut words = self.words.words.clone();
        let word = words.intern(text);
        (self.words.words.text(word) == text).then_some(word)
    }

    /// Returns the models: of whole games, then of each section.
    pub fn models(&self) -> [&NgramModel; 5] {
        let [setup, constraints, terminal, scoring] = &self.sections;
        [&self.full, setup, constraints, terminal, scoring]
    }

    /// Returns the mean log scores of the whole game and of each section; `None` for a section that is missing.
    pub(super) fn scores(&self, view: &View<'_>) -> [Option<f64>; 5] {
        let sequence = self.words.sequence(view);
        let section = |section: usize| self.sections[section].score(sequence.section(section));
        [self.full.score(sequence.all()), section(0), section(1), section(2), section(3)]
    }
}
