//! Published regrowths have the published proportions, and the published fitness tells people's games from them as well as published.

use goalspec_game::ast::Game;
use goalspec_game::parse::parse;
use goalspec_game::worlds;
use goalspec_generation::fitness::FitnessModel;
use goalspec_generation::game::features::FeatureVector;
use goalspec_generation::game::features::ngrams::SectionNgrams;
use goalspec_generation::game::generator::{GameGenerator, GeneratorOptions};
use goalspec_generation::game::rules::Rule;
use goalspec_generation::game::untyped::regrowth::{RegrownNode, UntypedRegrowth, regrown_nodes};
use goalspec_generator::RandomStream;
use goalspec_generator::grammar::Symbol;
use goalspec_generator::productions::Productions as _;
use goalspec_generator::tree::{self, Tree};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::common;

/// The number of regrowths of each published game.
const PUBLISHED_REGROWTHS: usize = 1024;

/// The number of regrowths of each game that are judged: 1,568 of all.
const JUDGED_REGROWTHS: u32 = 16;

/// The sections with the published numbers of regrowths in which they were changed.
const SECTIONS: [(Rule, f64); 4] = [
    (Rule::SetupDef, 13306.0),
    (Rule::ConstraintsDef, 66258.0),
    (Rule::TerminalDef, 3644.0),
    (Rule::ScoringDef, 17144.0),
];

fn generator() -> Option<GameGenerator> {
    let games = common::games(&["interactive-beta.pddl"])?;
    let games: Vec<&Game> = games.iter().collect();
    let world = worlds::builtin("many-objects-room-v1").expect("a room");
    Some(GameGenerator::new(world, &games, &GeneratorOptions::default()).expect("a generator").0)
}

/// Returns different regrowths of a game of the corpus.
fn regrowths(regrowth: &UntypedRegrowth<'_>, (number, game): (usize, &Tree), count: u32) -> Vec<Tree> {
    regrowth.regrow_different(game, count, |index| RandomStream::new(number as u64, index))
}

#[test]
fn the_stream_determines_a_regrowth() {
    let Some(generator) = generator() else { return };
    let regrowth = UntypedRegrowth::new(&generator);
    let game = &generator.corpus()[0];
    let regrown = regrowths(&regrowth, (7, game), 300);
    assert_eq!(regrown.len(), 300);
    let mut distinct = regrown.clone();
    distinct.sort_by_cached_key(|tree| generator.text(tree, "g"));
    distinct.dedup();
    assert_eq!(distinct.len(), 300);
    let original = generator.text(game, "generated");
    let single: Vec<Tree> =
        (0..300).map(|index| regrowth.regrow(game, &mut RandomStream::new(7, index)).expect("a regrowth")).collect();
    let mut kept: Vec<&Tree> = Vec::new();
    for tree in &single {
        assert_ne!(generator.text(tree, "g").split_once("(:domain"), original.split_once("(:domain"));
        if !kept.contains(&tree) {
            kept.push(tree);
        }
    }
    // Repetitions are left out, and nothing else.
    assert!(kept.len() < 300);
    assert_eq!(kept, regrown[..kept.len()].iter().collect::<Vec<_>>());
}

#[test]
fn the_text_of_a_regrowth_is_read_and_written_as_before() {
    let Some(mut generator) = generator() else { return };
    let corpus = generator.corpus().to_vec();
    for (number, game) in corpus.iter().enumerate() {
        for tree in regrowths(&UntypedRegrowth::new(&generator), (number, game), 8) {
            assert_eq!(tree::misfit(generator.grammar(), &tree), None);
            let text = generator.text(&tree, "generated");
            let parsed = parse(&goalspec_testing::texts::source("regrowth", &text)).games;
            let read = generator.read(&parsed[0]).expect("a game of the grammar");
            // A name may be one of a type and of an object, so the nodes above it may differ.
            assert_eq!(generator.text(&read, "generated"), text);
        }
    }
}

/// The regrowths of a game, as the published ones were made.
#[derive(Default)]
struct Tally {
    tries: f64,
    failed: f64,
    /// The number of regrowths by the section that was changed.
    sections: [f64; SECTIONS.len()],
    /// The number of regrowths with a preference that nothing counts.
    uncounted: f64,
}

fn section(game: &Tree, node: RegrownNode) -> usize {
    let section = game.children(0).find(|&section| game.end(section) > node.entry).expect("a section");
    SECTIONS.iter().position(|(rule, _)| rule.symbol() == game.symbol(section)).expect("a known section")
}

/// Returns the names below nodes of a rule.
fn names(tree: &Tree, rule: Rule) -> Vec<Symbol> {
    let nodes = (0..tree.len()).filter(|&entry| tree.symbol(entry) == rule.symbol());
    nodes.map(|entry| tree.symbol(entry + 1)).collect()
}

fn tally(regrowth: &UntypedRegrowth<'_>, nodes: &[RegrownNode], (number, game): (usize, &Tree)) -> Tally {
    let mut tally = Tally::default();
    let mut distinct = FxHashSet::default();
    for index in 0..4 * PUBLISHED_REGROWTHS as u64 {
        let mut stream = RandomStream::new(number as u64, index);
        let node = nodes[stream.below(nodes.len() as u64) as usize];
        tally.tries += 1.0;
        let Ok(tree) = regrowth.regrow_node(game, node, &mut stream) else {
            tally.failed += 1.0;
            continue;
        };
        let counts = names(&tree, Rule::PrefNameAndTypes);
        let is_uncounted = names(&tree, Rule::Preference).iter().any(|name| !counts.contains(name));
        if tree != *game && distinct.insert(tree) {
            tally.sections[section(game, node)] += 1.0;
            tally.uncounted += f64::from(u8::from(is_uncounted));
        }
        if distinct.len() == PUBLISHED_REGROWTHS {
            break;
        }
    }
    tally
}

#[test]
fn regrowths_have_the_published_proportions() {
    let Some(generator) = generator() else { return };
    let regrowth = UntypedRegrowth::new(&generator);
    let tallies: Vec<Tally> = (0..generator.corpus().len())
        .into_par_iter()
        .map(|number| {
            let game = &generator.corpus()[number];
            tally(&regrowth, &regrown_nodes(generator.grammar(), game), (number, game))
        })
        .collect();
    let sum = |part: &dyn Fn(&Tally) -> f64| tallies.iter().map(part).sum::<f64>();
    let kept = sum(&|tally| tally.sections.iter().sum());
    let published: f64 = SECTIONS.iter().map(|(_, count)| count).sum();
    assert_eq!((kept, published), (100_352.0, 100_352.0));
    for (index, (rule, count)) in SECTIONS.into_iter().enumerate() {
        let (share, expected) = (sum(&|tally| tally.sections[index]) / kept, count / published);
        assert!((share - expected).abs() < 0.01, "{rule:?}: {share} instead of {expected}");
    }
    // 8 to 9 of 100 tries fail, in whole numbers.
    let failed = sum(&|tally| tally.failed) / sum(&|tally| tally.tries);
    assert!((0.075..0.095).contains(&failed), "{failed} of the tries fail");
    // The published number was counted in 5,018 games; the tolerance is three standard errors.
    let (uncounted, expected) = (sum(&|tally| tally.uncounted) / kept, 210.0 / 5018.0);
    let tolerance = 3.0 * (expected * (1.0 - expected) / 5018.0_f64).sqrt();
    assert!((uncounted - expected).abs() < tolerance, "{uncounted} of the regrowths have an uncounted preference");
}

/// Returns the probability that a game has the higher fitness.
fn share_above<'a>(pairs: impl Iterator<Item = (f64, &'a f64)>) -> f64 {
    let (mut above, mut all) = (0.0, 0.0);
    for (game, regrowth) in pairs {
        above += f64::from(u8::from(game > *regrowth)) + f64::from(u8::from(game.total_cmp(regrowth).is_eq())) / 2.0;
        all += 1.0;
    }
    above / all
}

/// Returns the probability that a game is fitter than a regrowth of any game, and than one of its own.
fn separation(generator: &GameGenerator, families: &[Vec<Tree>], model: &FitnessModel, is_left_out: bool) -> [f64; 2] {
    let (games, tokens, corpus) = (generator.games(), generator.tokens(), generator.corpus());
    let ngrams = SectionNgrams::fit(games, tokens, corpus);
    let fitness: Vec<(f64, Vec<f64>)> = corpus
        .par_iter()
        .zip(families)
        .map(|(game, family)| {
            let own = if is_left_out { &ngrams.without(games, tokens, game) } else { &ngrams };
            let fitness = |tree: &Tree| model.fitness(&FeatureVector::of(games, tokens, tree, own));
            (fitness(game), family.iter().map(fitness).collect())
        })
        .collect();
    let all = || fitness.iter().flat_map(|(_, family)| family);
    [
        share_above(fitness.iter().flat_map(|(game, _)| all().map(|regrowth| (*game, regrowth)))),
        share_above(fitness.iter().flat_map(|(game, family)| family.iter().map(|regrowth| (*game, regrowth)))),
    ]
}

#[test]
fn the_published_fitness_tells_games_from_regrowths_as_published() {
    let (Some(generator), Some(model)) = (generator(), common::text("fitness-model.json")) else { return };
    let model = FitnessModel::from_json(&model).expect("a model");
    let regrowth = UntypedRegrowth::new(&generator);
    let families: Vec<Vec<Tree>> =
        generator.corpus().par_iter().enumerate().map(|game| regrowths(&regrowth, game, JUDGED_REGROWTHS)).collect();
    // The published figures are about 392 regrowths.
    for (is_left_out, expected) in [(false, [0.962, 0.967]), (true, [0.694, 0.921])] {
        let found = separation(&generator, &families, &model, is_left_out);
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() < 0.02, "left out: {is_left_out}, {found} instead of {expected}");
        }
    }
}
