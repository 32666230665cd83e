//! Drawn and varied games check without an error or a warning about names.

use goalspec_game::ast::Game;
use goalspec_game::{Dialect, check, worlds};
use goalspec_generation::fitness::FitnessModel;
use goalspec_generation::game::characteristics::Characteristics;
use goalspec_generation::game::evolution::{Evolution, EvolutionOptions, GameJudge};
use goalspec_generation::game::features::ngrams::SectionNgrams;
use goalspec_generation::game::generator::{GameGenerator, GeneratorOptions};
use goalspec_generation::game::variation::Operator;
use goalspec_generator::RandomStream;
use goalspec_generator::productions::Productions as _;
use goalspec_generator::tree;
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, Sources};

use crate::common;

/// The number of games that a test draws.
const GAMES: u64 = 2000;

/// The codes of warnings about the logic of a game whose names are all in order. Draws follow the weights of a corpus, not its sense.
const LOGIC: [&str; 19] = [
    "game/constant-comparison",
    "game/constant-score",
    "game/contradiction",
    "game/division-by-zero",
    "game/duplicate-operand",
    "game/impossible-event",
    "game/impossible-predicate",
    "game/many-assignments",
    "game/many-bindings",
    "game/never-positive",
    "game/no-binding",
    "game/repeated-once",
    "game/repeated-operator",
    "game/same-preference",
    "game/tautology",
    "game/terminal-immediate",
    "game/terminal-never",
    "game/total-score-never",
    "game/zero-factor",
];

/// The codes of findings about the logic of a game that draws avoid.
const AVOIDED: [&str; 7] = [
    "game/double-negation",
    "game/duplicate-operand",
    "game/impossible-predicate",
    "game/nested-logic",
    "game/repeated-once",
    "game/repeated-operator",
    "game/terminal-immediate",
];

/// Returns the findings about a game, except notes and warnings about its logic; in a drawn game, those that draws avoid are included.
pub(crate) fn findings(text: &str, world: &goalspec_core::world::World, is_drawn: bool) -> Vec<Diagnostic> {
    let mut sources = Sources::new();
    let id = sources.add("generated", text);
    let checked = check(sources.file(id), Dialect::FORMAL, |_| Some(world));
    let mut findings = checked.diagnostics;
    findings.retain(|finding| match finding.severity {
        Severity::Error => true,
        // The score of the first state depends on the whole game.
        _ if is_drawn && AVOIDED.contains(&finding.code.0) => {
            finding.code.0 != "game/terminal-immediate" || !text.contains("total-score")
        }
        Severity::Warning => !LOGIC.contains(&finding.code.0),
        Severity::Note => false,
    });
    findings
}

/// Returns the games of the corpus that check without an error in a room.
fn corpus() -> Vec<Game> {
    common::games(&["interactive-beta.pddl"]).unwrap_or_default()
}

#[test]
fn drawn_games_check_without_a_finding_about_names() {
    for room in worlds::names() {
        let world = worlds::builtin(room).expect("a room");
        let corpus = corpus();
        for (games, options) in [
            (corpus.iter().collect::<Vec<_>>(), GeneratorOptions::default()),
            (corpus.iter().collect(), GeneratorOptions { prior: 5.0, context: 0, ..GeneratorOptions::default() }),
            (corpus.iter().collect(), GeneratorOptions { context: 2, ..GeneratorOptions::default() }),
            (Vec::new(), GeneratorOptions { prior: 1.0, ..GeneratorOptions::default() }),
        ] {
            let (generator, _) = GameGenerator::new(world, &games, &options).expect("a generator");
            for index in 0..GAMES / 4 {
                let game = generator.sample(7, index).expect("a game");
                assert_eq!(tree::misfit(generator.games().grammar(), &game), None);
                let text = generator.text(&game, "drawn");
                let findings = findings(&text, world, true);
                assert!(findings.is_empty(), "{room}: {findings:#?}\n{text}");
            }
        }
    }
}

#[test]
fn varied_games_check_without_a_finding_about_names() {
    let world = worlds::builtin("many-objects-room-v1").expect("a room");
    let corpus = corpus();
    let games: Vec<&Game> = corpus.iter().collect();
    let options = GeneratorOptions { prior: 0.5, ..GeneratorOptions::default() };
    let (generator, _) = GameGenerator::new(world, &games, &options).expect("a generator");
    let mut parents: Vec<tree::Tree> = (0..50).filter_map(|index| generator.sample(3, index)).collect();
    for (number, (operator, _)) in Operator::WEIGHTED.iter().cycle().take(700).enumerate() {
        let mut stream = RandomStream::new(11, number as u64);
        let [one, other] = [0, 1].map(|_| stream.below(parents.len() as u64) as usize);
        let children = generator.vary(*operator, [&parents[one], &parents[other]], &mut stream);
        for child in children {
            assert!(child != parents[one], "{operator:?}");
            let text = generator.text(&child, "varied");
            let findings = findings(&text, world, false);
            assert!(findings.is_empty(), "{operator:?}: {findings:#?}\n{text}");
            let place = stream.below(parents.len() as u64) as usize;
            parents[place] = child;
        }
    }
}

#[test]
fn an_archive_does_not_depend_on_threads_or_interruptions() {
    let (Some(model), corpus) = (common::text("fitness-model.json"), corpus()) else { return };
    let world = worlds::builtin("many-objects-room-v1").expect("a room");
    let games: Vec<&Game> = corpus.iter().collect();
    let (generator, _) = GameGenerator::new(world, &games, &GeneratorOptions::default()).expect("a generator");
    let judge = GameJudge {
        ngrams: SectionNgrams::fit(generator.games(), generator.tokens(), generator.corpus()),
        model: FitnessModel::from_json(&model).expect("a model"),
        characteristics: Characteristics::davidson(),
        evidence: None,
    };
    let options = EvolutionOptions { seed: 1, initial: 64, pairs: 32 };
    let run = |threads: usize, interruption: Option<u64>| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut evolution = Evolution::new(&generator, &judge, options);
            while evolution.generation() < 6 {
                evolution.step();
                if Some(evolution.generation()) == interruption {
                    let (archive, success) = (evolution.archive().clone(), evolution.success().clone());
                    let generation = evolution.generation();
                    evolution = Evolution::new(&generator, &judge, options);
                    evolution.resume(archive, generation, success);
                }
            }
            evolution.archive().clone()
        })
    };
    let archive = run(1, None);
    assert!(!archive.is_empty());
    assert_eq!(run(2, None), archive);
    assert_eq!(run(2, Some(3)), archive);
}

/// The share of the predicates of a section of drawn games that have a name.
fn share(generator: &GameGenerator, section: &str, predicate: &str) -> f64 {
    let (mut found, mut all) = (0_u32, 0_u32);
    for index in 0..400 {
        let text = generator.text(&generator.sample(5, index).expect("a game"), "drawn");
        let Some((_, rest)) = text.split_once(section) else { continue };
        let own = rest.split("(:").next().unwrap_or_default();
        for name in ["(on ", "(agent_holds "] {
            let count = own.matches(name).count() as u32;
            all += count;
            found += if name == predicate { count } else { 0 };
        }
    }
    assert!(all > 100, "{all} predicates");
    f64::from(found) / f64::from(all)
}

#[test]
fn productions_depend_on_their_section_if_the_context_says_so() {
    let game = "(define (game g) (:domain few-objects-room-v1)
        (:setup (exists (?b - block) (game-conserved (on desk ?b))))
        (:constraints (preference p (exists (?d - dodgeball) (at-end (agent_holds ?d))))) (:scoring (count p)))";
    let parsed = goalspec_game::parse::parse(&goalspec_testing::texts::source("g", game));
    let corpus: Vec<&Game> = parsed.games.iter().cycle().take(20).collect();
    let world = worlds::builtin("few-objects-room-v1").expect("a room");
    let generator = |context| {
        let options = GeneratorOptions { context, ..GeneratorOptions::default() };
        GameGenerator::new(world, &corpus, &options).expect("a generator").0
    };
    // Half of the predicates of the corpus are `on`; in its setups, all are.
    let (apart, together) = (generator(2), generator(1));
    assert!(share(&apart, "(:setup", "(on ") > 0.8);
    assert!(share(&apart, "(:constraints", "(on ") < 0.2);
    assert!((0.3..0.7).contains(&share(&together, "(:setup", "(on ")));
    assert!((0.3..0.7).contains(&share(&together, "(:constraints", "(on ")));
}
