//! Operators that make games from games.
//!
//! Every operator edits the structure and then binds the names of the result, so that it checks without an error.

use goalspec_generator::RandomStream;
use goalspec_generator::context::Context;
use goalspec_generator::grammar::Symbol;
use goalspec_generator::operators::Operators;
use goalspec_generator::productions::Productions;
use goalspec_generator::sampler::choose;
use goalspec_generator::tree::{Entry, Tree};
use smallvec::SmallVec;

use super::bind::BoundParts;
use super::generator::GameGenerator;
use super::rules::Rule;

/// The number of times that an operator is tried before it yields nothing.
pub const MAX_TRIES: usize = 100;

/// An operator on games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// Replaces a part by a new one of its kind.
    Regrow,
    /// Adds an element to a list, such as a condition to a conjunction.
    Insert,
    /// Removes an element of a list.
    Delete,
    /// Exchanges parts of two games.
    Crossover,
    /// Copies an element of a list of each game into the other one.
    CrossoverByInsertion,
    /// Draws the types of the variables of a preference anew.
    VariableTypes,
    /// Draws the first condition of a preference anew.
    FirstCondition,
    /// Draws the last condition of a preference anew.
    LastCondition,
    /// Draws types and first condition of a preference anew.
    TypesAndFirstCondition,
    /// Draws types and last condition of a preference anew.
    TypesAndLastCondition,
    /// Removes the setup or draws a new one.
    Setup,
    /// Removes the terminal condition or draws a new one.
    Terminal,
    /// Draws a new score.
    Scoring,
    /// Exchanges whole sections of two games.
    SectionCrossover,
}

impl Operator {
    /// All operators, with the weight with which each is drawn.
    pub const WEIGHTED: [(Self, f64); 14] = [
        (Self::Regrow, 0.10),
        (Self::Insert, 0.10),
        (Self::Delete, 0.10),
        (Self::Crossover, 0.10),
        (Self::CrossoverByInsertion, 0.10),
        (Self::VariableTypes, 0.06),
        (Self::FirstCondition, 0.06),
        (Self::LastCondition, 0.06),
        (Self::TypesAndFirstCondition, 0.06),
        (Self::TypesAndLastCondition, 0.06),
        (Self::Setup, 0.05),
        (Self::Terminal, 0.05),
        (Self::Scoring, 0.05),
        (Self::SectionCrossover, 0.05),
    ];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Regrow => "regrow",
            Self::Insert => "insert",
            Self::Delete => "delete",
            Self::Crossover => "crossover",
            Self::CrossoverByInsertion => "crossover-by-insertion",
            Self::VariableTypes => "variable-types",
            Self::FirstCondition => "first-condition",
            Self::LastCondition => "last-condition",
            Self::TypesAndFirstCondition => "types-and-first-condition",
            Self::TypesAndLastCondition => "types-and-last-condition",
            Self::Setup => "setup",
            Self::Terminal => "terminal",
            Self::Scoring => "scoring",
            Self::SectionCrossover => "section-crossover",
        }
    }

    /// Returns a description, as an imperative.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Regrow => "draw a part anew",
            Self::Insert => "add an element to a list, such as a condition to a conjunction",
            Self::Delete => "remove an element of a list",
            Self::Crossover => "exchange a part with another game",
            Self::CrossoverByInsertion => "copy an element of a list from another game",
            Self::VariableTypes => "draw the types of the variables of a preference anew",
            Self::FirstCondition => "draw the first condition of a preference anew",
            Self::LastCondition => "draw the last condition of a preference anew",
            Self::TypesAndFirstCondition => "draw types and first condition anew",
            Self::TypesAndLastCondition => "draw types and last condition anew",
            Self::Setup => "remove the setup or draw a new one",
            Self::Terminal => "remove the terminal condition or draw a new one",
            Self::Scoring => "draw a new score",
            Self::SectionCrossover => "take a whole section from another game",
        }
    }

    /// Returns the operator with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::WEIGHTED.iter().map(|&(operator, _)| operator).find(|operator| operator.name() == name)
    }

    /// Returns whether the operator combines two games.
    pub const fn is_binary(self) -> bool {
        matches!(self, Self::Crossover | Self::CrossoverByInsertion | Self::SectionCrossover)
    }
}

/// The spaces of the names that a game chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameSpace {
    Variables,
    Preferences,
}

/// Whether an entry is the name of the game or of its world. The first entries are the game, its name and its world, each below its bracket.
const fn is_title(entry: usize) -> bool {
    entry == 2 || entry == 4
}

/// A game prepared for repeated variation: its editable nodes, and the parts that every variation binds alike.
#[derive(Debug, Clone)]
pub struct Parent<'g> {
    generator: &'g GameGenerator,
    tree: &'g Tree,
    nodes: Vec<u32>,
    bound_parts: BoundParts,
}

impl<'g> Parent<'g> {
    /// Prepares a game of a generator.
    pub fn new(generator: &'g GameGenerator, tree: &'g Tree) -> Self {
        let is_editable = |symbol| generator.is_editable(symbol);
        let nodes = generator.operators(&is_editable).nodes(tree);
        Self { generator, tree, nodes, bound_parts: BoundParts::of(generator, tree) }
    }

    /// Applies an operator with the result of [`GameGenerator::vary_one`].
    pub fn vary(&self, operator: Operator, partner: &Tree, stream: &mut RandomStream) -> Option<Tree> {
        self.generator.varied(operator, (self.tree, Some(self)), partner, stream)
    }

    /// Returns the number of parts that every variation that keeps them binds alike: the setup and entries of the preferences.
    pub fn bound_parts(&self) -> usize {
        self.bound_parts.count()
    }
}

/// The games that an operator makes: at most two.
pub type Children = SmallVec<[Tree; 2]>;

impl GameGenerator {
    /// Applies an operator to two games, an operator on single games to each. Results that equal a parent or each other, except for names, are
    /// left out.
    pub fn vary(&self, operator: Operator, parents: [&Tree; 2], stream: &mut RandomStream) -> Children {
        for _ in 0..MAX_TRIES {
            let edited = self.edit(operator, parents, stream);
            let mut children = Children::new();
            for tree in edited.into_iter().flatten() {
                let bound = self.bind(&tree, stream);
                let is_new =
                    |bound: &Tree| !parents.into_iter().chain(&children).any(|known| self.is_renaming(bound, known));
                let new = bound.filter(is_new);
                children.extend(new);
            }
            if !children.is_empty() {
                return children;
            }
        }
        Children::new()
    }

    /// Applies an operator to a game, with a partner from which operators on two games take parts. Returns `None` if every try fails or
    /// yields the game itself or its partner with other names.
    pub fn vary_one(&self, operator: Operator, tree: &Tree, partner: &Tree, stream: &mut RandomStream) -> Option<Tree> {
        self.varied(operator, (tree, None), partner, stream)
    }

    /// Applies an operator to a game, which may be prepared.
    fn varied(
        &self,
        operator: Operator,
        (tree, parent): (&Tree, Option<&Parent<'_>>),
        partner: &Tree,
        stream: &mut RandomStream,
    ) -> Option<Tree> {
        let is_editable = |symbol| self.is_editable(symbol);
        let operators = self.operators(&is_editable);
        (0..MAX_TRIES).find_map(|_| {
            let edited = if operator.is_binary() {
                let [edited, _] = self.edit(operator, [tree, partner], stream);
                edited
            } else if let (Operator::Regrow, Some(parent)) = (operator, parent) {
                operators.regrow(tree, &parent.nodes, stream)
            } else {
                self.edit_one(&operators, operator, tree, stream)
            };
            let bound = self.rebind(&edited?, parent.map(|parent| &parent.bound_parts), stream)?;
            let is_known = self.is_renaming(&bound, tree) || (tree != partner && self.is_renaming(&bound, partner));
            (!is_known).then_some(bound)
        })
    }

    /// Whether two games differ at most in their titles and in the names of variables and preferences.
    fn is_renaming(&self, one: &Tree, other: &Tree) -> bool {
        let pairs = || one.entries().iter().zip(other.entries()).enumerate();
        let is_similar = |(_, (own, other)): (usize, (&Entry, &Entry))| {
            own.extent == other.extent
                && (own.symbol == other.symbol || (own.symbol.is_token() && other.symbol.is_token()))
        };
        if one.len() != other.len() || !pairs().all(is_similar) {
            return false;
        }
        let differences = pairs().filter(|(_, (own, other))| own.symbol != other.symbol);
        let are_names = |(entry, _): (usize, _)| {
            is_title(entry) || [one, other].into_iter().all(|tree| self.name_space(tree, entry).is_some())
        };
        if !differences.map(|(entry, (own, _))| (entry, own)).all(are_names) {
            return false;
        }
        // The names stand for each other if each of one game is always at the place of the same one of the other game.
        let mut renamed: SmallVec<[(NameSpace, Symbol, Symbol); 16]> = SmallVec::new();
        pairs().filter(|(_, (own, _))| own.symbol.is_token()).all(|(entry, (own, other))| {
            let (Some(space), false) = (self.name_space(one, entry), is_title(entry)) else { return true };
            let pair = (space, own.symbol, other.symbol);
            let shares_one =
                |known: &&(NameSpace, Symbol, Symbol)| known.0 == space && (known.1 == pair.1 || known.2 == pair.2);
            if let Some(known) = renamed.iter().find(shares_one) {
                return *known == pair;
            }
            renamed.push(pair);
            true
        })
    }

    /// Returns the name space of the name at an entry; `None` if no name is there.
    fn name_space(&self, tree: &Tree, entry: usize) -> Option<NameSpace> {
        let is_preference = |rule| matches!(rule, Some(Rule::Preference | Rule::PrefNameAndTypes));
        if entry > 0 && is_preference(Rule::of(tree.symbol(entry - 1))) {
            Some(NameSpace::Preferences)
        } else {
            self.tokens().text(tree.symbol(entry)).starts_with('?').then_some(NameSpace::Variables)
        }
    }

    /// Returns the edited structures, for each parent one.
    fn edit(&self, operator: Operator, [one, other]: [&Tree; 2], stream: &mut RandomStream) -> [Option<Tree>; 2] {
        let is_editable = |symbol| self.is_editable(symbol);
        let operators = self.operators(&is_editable);
        let pair = |trees: Option<[Tree; 2]>| match trees {
            Some([one, other]) => [Some(one), Some(other)],
            None => [None, None],
        };
        match operator {
            Operator::Crossover => return pair(operators.crossover(one, other, stream)),
            Operator::CrossoverByInsertion => return pair(operators.crossover_by_insertion(one, other, stream)),
            Operator::SectionCrossover => return self.exchange_sections(one, other, stream),
            _ => {}
        }
        [one, other].map(|tree| self.edit_one(&operators, operator, tree, stream))
    }

    /// Returns the structure that an operator on single games makes of a game.
    fn edit_one(
        &self,
        operators: &Operators<'_>,
        operator: Operator,
        tree: &Tree,
        stream: &mut RandomStream,
    ) -> Option<Tree> {
        match operator {
            Operator::Regrow => operators.regrow(tree, &operators.nodes(tree), stream),
            Operator::Insert => operators.insert(tree, stream),
            Operator::Delete => operators.delete(tree, stream),
            Operator::VariableTypes => self.vary_preference(operators, tree, true, None, stream),
            Operator::FirstCondition => self.vary_preference(operators, tree, false, Some(false), stream),
            Operator::LastCondition => self.vary_preference(operators, tree, false, Some(true), stream),
            Operator::TypesAndFirstCondition => self.vary_preference(operators, tree, true, Some(false), stream),
            Operator::TypesAndLastCondition => self.vary_preference(operators, tree, true, Some(true), stream),
            Operator::Setup => self.vary_section(operators, tree, Rule::SetupDef, stream),
            Operator::Terminal => self.vary_section(operators, tree, Rule::TerminalDef, stream),
            Operator::Scoring => {
                let section = section(tree, Rule::ScoringDef)?;
                self.replace_section(operators, tree, section, Rule::ScoringDef, stream)
            }
            Operator::Crossover | Operator::CrossoverByInsertion | Operator::SectionCrossover => None,
        }
    }

    /// Removes or draws anew an optional section; a missing one is drawn.
    fn vary_section(
        &self,
        operators: &Operators<'_>,
        tree: &Tree,
        rule: Rule,
        stream: &mut RandomStream,
    ) -> Option<Tree> {
        match section(tree, rule) {
            Some(entry) if stream.uniform() < 0.5 => tree.replace(0, entry, &[]),
            Some(entry) => self.replace_section(operators, tree, entry, rule, stream),
            None => {
                let drawn = self.draw_section(operators, rule, stream)?;
                let next = if rule == Rule::SetupDef { Rule::ConstraintsDef } else { Rule::ScoringDef };
                let at = section(tree, next)?;
                tree.splice(0, at..at, drawn.entries())
            }
        }
    }

    fn replace_section(
        &self,
        operators: &Operators<'_>,
        tree: &Tree,
        entry: usize,
        rule: Rule,
        stream: &mut RandomStream,
    ) -> Option<Tree> {
        let drawn = self.draw_section(operators, rule, stream)?;
        tree.replace(0, entry, drawn.entries())
    }

    fn draw_section(&self, operators: &Operators<'_>, rule: Rule, stream: &mut RandomStream) -> Option<Tree> {
        let context = Context::default().below(self.grammar(), self.root());
        self.sampler().draw(self.grammar(), (rule.symbol(), context), operators.limits, stream)
    }

    /// Exchanges a section that both games have, or gives an optional section of one game to the other.
    #[expect(clippy::unused_self, reason = "an operator like the others")]
    fn exchange_sections(&self, one: &Tree, other: &Tree, stream: &mut RandomStream) -> [Option<Tree>; 2] {
        let rules = [Rule::SetupDef, Rule::ConstraintsDef, Rule::TerminalDef, Rule::ScoringDef];
        let rule = rules[stream.below(rules.len() as u64) as usize];
        let exchange = |tree: &Tree, from: &Tree| {
            let new = section(from, rule).map_or(&[][..], |entry| from.subtree(entry));
            if let Some(entry) = section(tree, rule) {
                return tree.replace(0, entry, new);
            }
            let next = if rule == Rule::SetupDef { Rule::ConstraintsDef } else { Rule::ScoringDef };
            let at = section(tree, next)?;
            tree.splice(0, at..at, new)
        };
        [exchange(one, other), exchange(other, one)]
    }

    /// Draws parts of a preference anew: the types of its variables, and its first or last condition.
    fn vary_preference(
        &self,
        operators: &Operators<'_>,
        tree: &Tree,
        types: bool,
        last_condition: Option<bool>,
        stream: &mut RandomStream,
    ) -> Option<Tree> {
        let preferences: Vec<(usize, f64)> = (0..tree.len())
            .filter(|&entry| tree.symbol(entry) == Rule::Preference.symbol())
            .map(|entry| (entry, 1.0))
            .collect();
        let preference = choose(&preferences, stream, |_| true)?;
        let mut edited = tree.clone();
        if let Some(is_last) = last_condition {
            let condition = Self::condition(tree, preference, is_last)?;
            edited = operators.regrow_at(tree, condition, stream)?;
        }
        if types {
            edited = self.vary_types(&edited, preference, stream)?;
        }
        // Half of the time, the original preference is kept beside the new one.
        if stream.uniform() < 0.5 {
            let parents = edited.parents();
            let definition = parents[preference] as usize;
            if edited.symbol(definition) == Rule::PrefDef.symbol() {
                let original = tree.subtree(definition);
                edited = edited.splice(parents[definition] as usize, definition..definition, original)?;
            }
        }
        Some(edited)
    }

    /// Returns the first or last condition of a preference, and the node around it.
    fn condition(tree: &Tree, preference: usize, is_last: bool) -> Option<(usize, usize)> {
        let within = preference..tree.end(preference);
        let pattern =
            within.clone().find(|&entry| [Rule::Then.symbol(), Rule::AtEnd.symbol()].contains(&tree.symbol(entry)))?;
        let operator = if tree.symbol(pattern) == Rule::AtEnd.symbol() {
            pattern
        } else {
            let functions = tree.children(pattern);
            let function = if is_last { functions.last() } else { functions.into_iter().next() }?;
            tree.children(function).next()?
        };
        let condition = tree.children(operator).next().filter(|&child| !tree.symbol(child).is_token())?;
        Some((condition, operator))
    }

    /// Draws the types of some declarations of a preference anew, at least of one.
    fn vary_types(&self, tree: &Tree, preference: usize, stream: &mut RandomStream) -> Option<Tree> {
        let definitions: Vec<usize> = (preference..tree.end(preference))
            .filter(|&entry| tree.symbol(entry) == Rule::TypeDefinition.symbol())
            .collect();
        let forced = stream.below(definitions.len() as u64) as usize;
        let parents = tree.parents();
        let mut edited = tree.clone();
        // From the last to the first, so that positions stay valid.
        for (index, &definition) in definitions.iter().enumerate().rev() {
            if index == forced || stream.uniform() < 0.5 {
                let limits = self.operators(&|_| false).limits;
                let context = Context::of(self.grammar(), tree, definition);
                let kind = (Rule::TypeDefinition.symbol(), context);
                let drawn = self.sampler().draw(self.grammar(), kind, limits, stream)?;
                edited = edited.replace(parents[definition] as usize, definition, drawn.entries())?;
            }
        }
        (!definitions.is_empty()).then_some(edited)
    }
}

/// Returns the entry of a section.
fn section(tree: &Tree, rule: Rule) -> Option<usize> {
    tree.children(0).find(|&child| tree.symbol(child) == rule.symbol())
}
