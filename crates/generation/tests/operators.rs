//! The properties of each operator on games, over many seeds and several games.
//!
//! The names of an edited game are bound anew, and what then fits nothing is left out. Parts are therefore compared without the names of variables
//! and preferences.

use std::collections::BTreeSet;

use goalspec_game::ast::Game;
use goalspec_game::worlds;
use goalspec_generation::game::generator::{GameGenerator, GeneratorOptions};
use goalspec_generation::game::rules::Rule;
use goalspec_generation::game::variation::{Operator, Parent};
use goalspec_generator::RandomStream;
use goalspec_generator::grammar::Symbol;
use goalspec_generator::productions::Productions as _;
use goalspec_generator::tree::{Entry, Tree};

use crate::samples::findings;

/// The number of times that a test applies an operator.
const TRIALS: u64 = 240;

/// The number of drawn games among the parents.
const DRAWN: u64 = 10;

/// The sections of a game, in source order.
const SECTIONS: [Rule; 4] = [Rule::SetupDef, Rule::ConstraintsDef, Rule::TerminalDef, Rule::ScoringDef];

/// A part of a game, in which variables, and preferences in parts of preferences, are numbered by their first use.
type Part = Vec<Result<Symbol, usize>>;

/// A game that an operator made, with those that it was made of.
struct Trial<'a> {
    parent: &'a Tree,
    partner: &'a Tree,
    child: Tree,
}

/// A generator with the games to which operators are applied.
struct Setting {
    generator: GameGenerator,
    games: Vec<Tree>,
}

impl Setting {
    /// Returns the games of `examples/generation` and drawn ones, with their names in order.
    fn new() -> Self {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/generation");
        let names = ["block-stairs", "catch-the-ball", "color-sort", "lights-out", "ramp-roll", "tidy-desk"];
        let parse = |name: &&str| {
            let text = std::fs::read_to_string(format!("{folder}/{name}.game")).expect("an example");
            goalspec_game::parse::parse(&goalspec_testing::texts::source(name, &text)).games
        };
        let games: Vec<Game> = names.iter().flat_map(parse).collect();
        let world = worlds::builtin("many-objects-room-v1").expect("a room");
        let options = GeneratorOptions { prior: 0.5, ..GeneratorOptions::default() };
        let (generator, unsupported) =
            GameGenerator::new(world, &games.iter().collect::<Vec<_>>(), &options).expect("a generator");
        assert!(unsupported.is_empty());
        let examples = generator.corpus().iter().map(|tree| generator.canonical(tree).expect("names for an example"));
        let drawn = (0..DRAWN).map(|index| generator.sample(5, index).expect("a game"));
        let games = examples.chain(drawn).collect();
        Self { generator, games }
    }

    /// Applies an operator many times, to every game with every partner in turn. Each result is checked and passed on.
    fn each(&self, operator: Operator, mut judge: impl FnMut(&Trial<'_>)) {
        let world = worlds::builtin("many-objects-room-v1").expect("a room");
        let mut made = 0;
        for trial in 0..TRIALS {
            let count = self.games.len() as u64;
            let (parent, partner) = (trial % count, (trial % count + 1 + trial / count) % count);
            let [parent, partner] = [parent, partner].map(|index| &self.games[index as usize]);
            let mut stream = RandomStream::new(29, trial);
            let Some(child) = self.generator.vary_one(operator, parent, partner, &mut stream) else { continue };
            made += 1;
            let text = self.generator.text(&child, "child");
            let found = findings(&text, world, false);
            assert!(found.is_empty(), "{operator:?} {trial}: {found:#?}\n{text}");
            let own = self.generator.anonymous(&child);
            assert!(
                ![parent, partner].map(|game| self.generator.anonymous(game)).contains(&own),
                "{operator:?} {trial}: {text}"
            );
            judge(&Trial { parent, partner, child });
        }
        assert!(made > TRIALS * 9 / 10, "{operator:?}: {made} of {TRIALS}");
    }

    /// Returns a part of a game. The names of preferences are numbered if `is_alone`, and kept otherwise.
    fn part(&self, entries: &[Entry], is_alone: bool) -> Part {
        let mut names: Vec<Symbol> = Vec::new();
        let mut number = |name: Symbol| {
            names.iter().position(|own| *own == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            })
        };
        let is_name = |symbol: Symbol| {
            let text = if symbol.is_token() { self.generator.tokens().text(symbol) } else { "" };
            text.starts_with('?') || is_alone && text.starts_with("preference")
        };
        let symbols = entries.iter().map(|entry| entry.symbol);
        symbols.map(|symbol| if is_name(symbol) { Err(number(symbol)) } else { Ok(symbol) }).collect()
    }

    /// Returns the parts of a game that are its sections; empty ones for those that are missing.
    fn sections(&self, tree: &Tree) -> [Part; 4] {
        SECTIONS.map(|rule| section(tree, rule).map_or_else(Part::new, |entry| self.part(tree.subtree(entry), false)))
    }

    fn preferences(&self, tree: &Tree) -> Vec<Preference> {
        let operators = |entry: usize| {
            let pattern = (entry..tree.end(entry)).find(|&part| is(tree, part, &[Rule::Then, Rule::AtEnd]));
            let pattern = pattern.expect("a preference has a pattern");
            if is(tree, pattern, &[Rule::AtEnd]) { vec![pattern] } else { tree.children(pattern).collect::<Vec<_>>() }
        };
        nodes(tree, Rule::Preference)
            .map(|entry| Preference {
                all: self.part(tree.subtree(entry), true),
                operators: operators(entry)
                    .into_iter()
                    .map(|operator| (self.part(tree.subtree(operator), true), applications(tree.subtree(operator))))
                    .collect(),
            })
            .collect()
    }

    /// Asserts that all preferences but one are those of the parent, which may be kept besides its changed copy. Returns the changed one
    /// with those of the parent that it may have been; `None` if names alone have changed.
    fn changed_preference(&self, trial: &Trial<'_>) -> Option<(Preference, Vec<Preference>)> {
        let (old, new) = (self.preferences(trial.parent), self.preferences(&trial.child));
        let is_among = |own: &Preference, all: &[Preference]| all.iter().any(|other| other.all == own.all);
        let lost = old.iter().filter(|own| !is_among(own, &new)).count();
        let mut added: Vec<Preference> = new.iter().filter(|own| !is_among(own, &old)).cloned().collect();
        let text = || self.texts(trial);
        assert!(lost <= 1 && added.len() <= 1, "{lost} preferences lost, {} added: {}", added.len(), text());
        assert!(new.len() >= old.len(), "{}", text());
        Some((added.pop()?, old))
    }

    fn texts(&self, trial: &Trial<'_>) -> String {
        [trial.parent, trial.partner, &trial.child].map(|tree| self.generator.text(tree, "game")).join("\n")
    }
}

/// A preference of a game.
#[derive(Debug, Clone)]
struct Preference {
    all: Part,
    operators: Vec<PatternPart>,
}

/// An operator of a sequence, or the condition of the final state, with its predicates and functions.
type PatternPart = (Part, Vec<Symbol>);

fn section(tree: &Tree, rule: Rule) -> Option<usize> {
    tree.children(0).find(|&entry| is(tree, entry, &[rule]))
}

fn is(tree: &Tree, entry: usize, rules: &[Rule]) -> bool {
    Rule::of(tree.symbol(entry)).is_some_and(|rule| rules.contains(&rule))
}

fn nodes(tree: &Tree, rule: Rule) -> impl Iterator<Item = usize> + '_ {
    (0..tree.len()).filter(move |&entry| is(tree, entry, &[rule]))
}

/// Returns the predicates and functions of a part, in order.
fn applications(entries: &[Entry]) -> Vec<Symbol> {
    let symbols = entries.iter().map(|entry| entry.symbol);
    symbols.filter(|symbol| !symbol.is_token() && symbol.index() >= Rule::ALL.len()).collect()
}

/// Returns whether all items are among others, in the same order.
fn is_subsequence(items: &[Symbol], others: &[Symbol]) -> bool {
    let mut rest = others.iter();
    items.iter().all(|item| rest.any(|other| other == item))
}

/// Returns whether some preference of a game is counted in its terminal condition alone.
fn counts_in_terminal_alone(tree: &Tree) -> bool {
    let counted = |rule: Rule| -> BTreeSet<Symbol> {
        let entries = section(tree, rule).map_or(0..0, |entry| entry..tree.end(entry));
        entries
            .filter(|&entry| is(tree, entry, &[Rule::PrefNameAndTypes]))
            .map(|entry| tree.symbol(entry + 1))
            .collect()
    };
    !counted(Rule::TerminalDef).is_subset(&counted(Rule::ScoringDef))
}

#[test]
fn binding_keeps_games_that_were_bound() {
    let setting = Setting::new();
    for game in &setting.games {
        let bound = setting.generator.canonical(game).expect("a game");
        assert_eq!(setting.generator.anonymous(&bound), setting.generator.anonymous(game));
    }
}

#[test]
fn an_operator_on_an_optional_section_changes_no_other() {
    let setting = Setting::new();
    for (operator, own) in [(Operator::Setup, 0), (Operator::Terminal, 2)] {
        let (mut removed, mut drawn, mut added) = (0, 0, 0);
        setting.each(operator, |trial| {
            let (old, new) = (setting.sections(trial.parent), setting.sections(&trial.child));
            assert_ne!(old[own], new[own]);
            for other in (0..4).filter(|&other| other != own) {
                // A preference that the terminal condition alone counted is counted in the score.
                let may_count = operator == Operator::Terminal && other == 3 && counts_in_terminal_alone(trial.parent);
                assert!(may_count || old[other] == new[other], "{}", setting.texts(trial));
            }
            match (old[own].is_empty(), new[own].is_empty()) {
                (true, _) => added += 1,
                (_, true) => removed += 1,
                _ => drawn += 1,
            }
        });
        assert!(removed > 10 && drawn > 10 && added > 10, "{operator:?}: {removed}, {drawn}, {added}");
    }
}

#[test]
fn a_new_score_changes_no_other_section() {
    let setting = Setting::new();
    setting.each(Operator::Scoring, |trial| {
        let (old, new) = (setting.sections(trial.parent), setting.sections(&trial.child));
        assert_eq!(old[..3], new[..3], "{}", setting.texts(trial));
        assert_ne!(old[3], new[3]);
    });
}

#[test]
fn new_types_of_variables_leave_the_predicates() {
    let setting = Setting::new();
    let (mut kept, mut changed) = (0, 0);
    setting.each(Operator::VariableTypes, |trial| {
        let Some((new, old)) = setting.changed_preference(trial) else { return };
        let predicates = |own: &Preference| -> Vec<Symbol> {
            own.operators.iter().flat_map(|(_, applications)| applications.iter().copied()).collect()
        };
        // A predicate of which nothing fits the new types is left out.
        let is_old = |own: &Preference| is_subsequence(&predicates(&new), &predicates(own));
        assert!(old.iter().any(is_old), "{}", setting.texts(trial));
        changed += 1;
        kept += u32::from(old.iter().any(|own| predicates(own) == predicates(&new)));
    });
    assert!(changed > 100 && kept > changed * 8 / 10, "{kept} of {changed}");
}

#[test]
fn a_new_first_or_last_condition_leaves_the_other_operators() {
    let setting = Setting::new();
    for (operator, is_last, has_types) in [
        (Operator::FirstCondition, false, false),
        (Operator::LastCondition, true, false),
        (Operator::TypesAndFirstCondition, false, true),
        (Operator::TypesAndLastCondition, true, true),
    ] {
        let mut sequences = 0;
        setting.each(operator, |trial| {
            let Some((new, old)) = setting.changed_preference(trial) else { return };
            let others = |own: &Preference| {
                let count = own.operators.len();
                if is_last { own.operators[..count - 1].to_vec() } else { own.operators[1..].to_vec() }
            };
            let new = others(&new);
            let is_old = |own: &Preference| {
                let own = others(own);
                // With new types, a predicate of which nothing fits them is left out.
                let is_same = |(new, old): (&PatternPart, &PatternPart)| {
                    if has_types { is_subsequence(&new.1, &old.1) } else { new.0 == old.0 }
                };
                own.len() == new.len() && new.iter().zip(&own).all(is_same)
            };
            assert!(old.iter().any(is_old), "{operator:?} {}", setting.texts(trial));
            sequences += u32::from(!new.is_empty());
        });
        assert!(sequences > 50, "{operator:?}: {sequences}");
    }
}

#[test]
fn an_edit_of_the_setup_changes_no_other_section() {
    let setting = Setting::new();
    for operator in [Operator::Regrow, Operator::Insert, Operator::Delete] {
        let mut changed = [0; 4];
        setting.each(operator, |trial| {
            let (old, new) = (setting.sections(trial.parent), setting.sections(&trial.child));
            let first = (0..4).find(|&own| old[own] != new[own]).expect("a change");
            changed[first] += 1;
            if first == 0 {
                assert_eq!(old[1..], new[1..], "{}", setting.texts(trial));
            }
        });
        assert!(changed.iter().all(|&count| count > 0), "{operator:?}: {changed:?}");
    }
}

#[test]
fn insertion_adds_nodes_and_deletion_removes_them() {
    let setting = Setting::new();
    for operator in [Operator::Insert, Operator::Delete] {
        let (mut all, mut expected) = (0, 0);
        setting.each(operator, |trial| {
            let [old, new] = [trial.parent, &trial.child].map(|tree| setting.generator.nodes(tree));
            // A type for which a count has no room takes the place of another one, and a preference that is no longer counted is added to
            // the score.
            let is_repaired = setting.sections(trial.parent)[3] != setting.sections(&trial.child)[3];
            let is_expected = if operator == Operator::Insert { new > old } else { new < old };
            assert!(is_repaired || is_expected, "{operator:?} {}", setting.texts(trial));
            all += 1;
            expected += u32::from(is_expected);
        });
        assert!(expected > all * 8 / 10, "{operator:?}: {expected} of {all}");
    }
}

#[test]
fn crossover_takes_predicates_from_its_games_alone() {
    let setting = Setting::new();
    for operator in [Operator::Crossover, Operator::CrossoverByInsertion] {
        let mut taken = 0;
        setting.each(operator, |trial| {
            let [own, others, new] =
                [trial.parent, trial.partner, &trial.child].map(|tree| applications(tree.entries()));
            assert!(new.iter().all(|name| own.contains(name) || others.contains(name)), "{}", setting.texts(trial));
            taken += u32::from(new.iter().any(|name| !own.contains(name)));
            if operator == Operator::CrossoverByInsertion {
                assert!(new.len() >= own.len(), "{}", setting.texts(trial));
            }
        });
        assert!(taken > 20, "{operator:?}: {taken}");
    }
}

#[test]
fn section_crossover_takes_a_section_of_the_other_game() {
    let setting = Setting::new();
    let mut exchanged = [0; 4];
    setting.each(Operator::SectionCrossover, |trial| {
        let [own, other, new] = [trial.parent, trial.partner, &trial.child].map(|tree| setting.sections(tree));
        let bodies = |tree: &Tree| setting.preferences(tree).into_iter().map(|own| own.all).collect::<Vec<_>>();
        let predicates = |tree: &Tree| -> Vec<Symbol> { applications(tree.entries()) };
        let first = (0..4).find(|&section| own[section] != new[section]).expect("a change");
        exchanged[first] += 1;
        match first {
            0 => {
                assert_eq!(new[0], other[0], "{}", setting.texts(trial));
                assert_eq!(new[1..], own[1..], "{}", setting.texts(trial));
            }
            1 => assert_eq!(bodies(&trial.child), bodies(trial.partner), "{}", setting.texts(trial)),
            // The counts of the other game become counts of the preferences of this one.
            _ => {
                assert_eq!(predicates(&trial.child), predicates(trial.parent), "{}", setting.texts(trial));
                let is_missing = new[first].is_empty() && first == 2;
                assert!(is_missing || !other[first].is_empty(), "{}", setting.texts(trial));
            }
        }
    });
    assert!(exchanged.iter().all(|&count| count > 0), "{exchanged:?}");
}

/// Parts of which nothing is drawn are bound once for all variations of a game, so the results have to be those of binding the whole game.
#[test]
fn variations_of_a_prepared_game_are_those_of_the_game() {
    let setting = Setting::new();
    let count = setting.games.len();
    for (number, game) in setting.games.iter().enumerate() {
        let parent = Parent::new(&setting.generator, game);
        assert!(parent.bound_parts() > 0, "game {number}");
        let partner = &setting.games[(number + 1) % count];
        for (operator, _) in Operator::WEIGHTED {
            for index in 0..TRIALS / 4 {
                let stream = || RandomStream::new(31, (number as u64) << 32 | index);
                let plain = setting.generator.vary_one(operator, game, partner, &mut stream());
                let prepared = parent.vary(operator, partner, &mut stream());
                assert_eq!(plain, prepared, "{operator:?} of game {number}, {index}");
            }
        }
    }
}
