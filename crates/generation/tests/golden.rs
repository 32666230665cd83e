//! A pinned archive: the same seed gives the same bytes in every version, on every machine.
//!
//! A change of the decisions of draws or operators changes the archives that users continue, so it is to be intended.

use goalspec_game::ast::Game;
use goalspec_game::worlds;
use goalspec_generation::fitness::FitnessModel;
use goalspec_generation::game::archive_file;
use goalspec_generation::game::characteristics::Characteristics;
use goalspec_generation::game::evolution::{Evolution, EvolutionOptions, GameJudge};
use goalspec_generation::game::features::ngrams::SectionNgrams;
use goalspec_generation::game::generator::{GameGenerator, GeneratorOptions};
use goalspec_generator::productions::Productions as _;
use serde_json::Map;

/// Returns a digest of a text (FNV-1a).
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn an_archive_has_the_pinned_bytes() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/generation");
    let names = ["block-stairs", "catch-the-ball", "color-sort", "lights-out", "ramp-roll", "tidy-desk"];
    let games: Vec<Game> = names
        .iter()
        .flat_map(|name| {
            let text = std::fs::read_to_string(format!("{examples}/{name}.game")).expect("an example");
            goalspec_game::parse::parse(&goalspec_testing::texts::source(name, &text)).games
        })
        .collect();
    let games: Vec<&Game> = games.iter().collect();
    let world = worlds::builtin("many-objects-room-v1").expect("a room");
    let (generator, _) = GameGenerator::new(world, &games, &GeneratorOptions::default()).expect("a generator");
    let judge = GameJudge {
        ngrams: SectionNgrams::fit(generator.games(), generator.tokens(), generator.corpus()),
        model: FitnessModel::plain(),
        characteristics: Characteristics::davidson(),
        evidence: None,
    };
    let mut evolution = Evolution::new(&generator, &judge, EvolutionOptions { seed: 1, initial: 64, pairs: 32 });
    while evolution.generation() < 20 {
        evolution.step();
    }
    let lines: Vec<String> = archive_file::lines(&evolution, &Map::new()).collect();
    let first = r#"{"format":"goalspec-archive-2","seed":1,"initial":64,"pairs":32,"setting":{},"generation":20,"#;
    assert!(lines[0].starts_with(first), "{}", lines[0]);
    assert_eq!((lines.len(), format!("{:016x}", digest(&lines.join("\n")))), (220, "c9bd48468a24f001".to_owned()));
}
