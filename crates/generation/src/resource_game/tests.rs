//! Properties of trees over the examples and the published games.

use std::path::{Path, PathBuf};

use goalspec_generator::RandomStream;
use goalspec_generator::productions::Productions as _;
use goalspec_generator::tree::{Tree, misfit};
use goalspec_rgg::lower::lower;
use goalspec_rgg::{Dialect, ParsedGame};
use goalspec_syntax::Sources;

use super::{GameEdit, GameExample, ResourceGameCorpus, ResourceGameGenerator};

/// The custom results of the published games.
const CUSTOM: [&str; 2] = ["MyCustomResultFunction", "CheckCombination"];

/// Constructs that the examples lack.
const CONSTRUCTS: &str = r#"
metadata: {id: constructs, description: "many constructs"}
teams: [red, "7"]
board:
  nodes: [a, b, "c d"]
  vectors: [{from: a, to: b}, {from: b, to: "c d"}]
resourceSpace:
  a: {observable: "set(red, 7)", x: "int.range(1; 0,9)", open: "true", word: "string.enum(up; up,down)", level: "float(0.5)"}
  b: {observable: "set(red)", x: "int.range(1; 0,9)"}
  c d: {observable: "set(; red)", x: "int(3)", tags: "set(p; p,q)"}
actionSpace:
  red:
    go to: {target: "string.enum(b, c d)"}
    wait:
    "5":
  "7": {wait: }
actions:
  go to:
    cost: {a.x: 1, a.level: 0.25, a.word: down, a.open: false}
    requires:
      Or:
        - And: [{a.x: {Gte: 1, Lte: 8}}, {Not: {a.open: false}}, {All: {}}]
        - {a.word: [up, down], b.observable: {Contains: red}, a.level: {Range: [0.0, 2]}}
        - a.x: {Or: [{Not: 3}, {IsNull: {}}, {OneOf: [1, 2.0, "3", null]}]}
        - a.word: {And: [{StartsWith: u}, {Matches: "u.*"}, {NotEqual: "x: {y}"}]}
        - None: {}
    consequences:
      - odds: 0.5
        odds.discount: 0.9
        result:
          WithRandomVector:
            source: {x: {Gt: 0}, _node: {Not: {Equal: "c d"}}}
            targetFilter: {observable: {Has: red}}
            compute: {gain: {Calculate: "max({_target.x}, 1) + 2*{_source.x}"}}
            result: {_source.x: -1, x: {Field: gain}, a.x: 1}
      - odds: 1
        independent: true
        result: {MakeNodeVisible: {team: red, source: {x: 1}}}
      - independent: false
        result:
          WithAllVectors:
            result: {_target.x: {Chain: {from: {Field: a.x}, process: [{Add: 1}, {Lookup: {"2": 3, other: 4}}]}}}
  wait:
    cost: {a.x: 1}
    requires: {}
    consequences:
      - result:
          Resources:
            compute:
              half: {Calculate: "-{a.x}^2 / (floor({a.level}) - 2!) % hypot(3, pi)"}
              both: {CalculateBoolean: "{a.open} and not (true xor {a.open}) or false"}
              list: {ToArray: {fields: [a.x, b.x]}}
            put:
              a.level: {Calculate: "{half} + randbetween(0, random())"}
              a.open: {Field: both}
              a.word: {Template: "{a.word}: {b.x}!"}
              b.x: {MathOp: {operator: MIN, fields: [a.x, b.x], ifInvalid: 0}}
              c d.x:
                Condition:
                  - when: {a.x: {Gte: 2}, a.open: true}
                    value: {Constant: 2}
                  - when: {}
                    value: {Constant: 3}
              c d.tags: {Constant: [p, q]}
              b.open: [{Field: a.x}, {Gte: 3}]
              a.half: {Field: a.x, Multiply: 0.5, Linear: {domain: [0, 1], range: [1, 0]}}
  "5": {cost: {}, requires: {a.x: 1}}
rewards:
  red: {Template: "/a.x;/b.x"}
  "7": {Calculate: "{a.x} >= 2"}
completed: {CalculateBoolean: "{a.open}"}
metrics: [a.x]
"#;

fn load(text: &str, dialect: Dialect) -> ParsedGame {
    let mut sources = Sources::new();
    let id = sources.add("game", text);
    goalspec_rgg::load(sources.file(id), dialect, &CUSTOM)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|own| own == "yaml")).collect();
    files.sort_unstable();
    files
}

/// Returns the games of the examples, and the published ones if they are there, each in the dialects in which it has no errors.
fn games() -> Vec<(String, String, Dialect)> {
    let mut paths = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/rgg"));
    if let Some(folder) = goalspec_testing::conformance::folder("rgg") {
        paths.extend(files(&folder.join("games")));
    }
    let read = |path: PathBuf| (path.display().to_string(), std::fs::read_to_string(&path).expect("a game"));
    let mut texts: Vec<(String, String)> = paths.into_iter().map(read).collect();
    texts.push(("constructs".to_owned(), CONSTRUCTS.to_owned()));
    let dialects = |(name, text): (String, String)| {
        [Dialect::DOCUMENTED, Dialect::CAGE].map(|dialect| (name.clone(), text.clone(), dialect))
    };
    texts.into_iter().flat_map(dialects).filter(|(_, text, dialect)| load(text, *dialect).game.is_some()).collect()
}

/// Calls a function with the generator of each game over the counts of all games of its dialect.
fn each_generator(mut check: impl FnMut(&str, Dialect, &ResourceGameGenerator<'_>)) {
    for dialect in [Dialect::DOCUMENTED, Dialect::CAGE] {
        let games: Vec<_> = games().into_iter().filter(|(_, _, own)| *own == dialect).collect();
        let parsed: Vec<ParsedGame> = games.iter().map(|(_, text, dialect)| load(text, *dialect)).collect();
        let example = |((_, text, _), parsed): (&'_ (String, String, Dialect), &'_ ParsedGame)| {
            (text.clone(), parsed.ast.clone().expect("a syntax tree"))
        };
        let owned: Vec<_> = games.iter().zip(&parsed).map(example).collect();
        let examples: Vec<GameExample<'_>> =
            owned.iter().map(|(text, game)| GameExample { text, game, dialect }).collect();
        let (corpus, unsupported) = ResourceGameCorpus::new(&examples, &CUSTOM);
        assert_eq!(unsupported, []);
        for (index, (name, ..)) in games.iter().enumerate() {
            check(name, dialect, &corpus.generator(index).expect("an example"));
        }
    }
}

fn assert_checks(generator: &ResourceGameGenerator<'_>, (name, dialect): (&str, Dialect), tree: &Tree, origin: &str) {
    assert_eq!(misfit(generator.grammar(), tree), None, "{name}: {origin}");
    let text = generator.text(tree, "made");
    let loaded = load(&text, dialect);
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|found| found.is_error()).collect();
    assert!(errors.is_empty(), "{name}: {origin}: {errors:?}\n{text}");
    assert!(loaded.game.is_some(), "{name}: {origin}");
}

#[test]
fn trees_are_written_as_the_games_that_they_were_read_from() {
    for (name, text, dialect) in games() {
        let loaded = load(&text, dialect);
        let game = loaded.ast.expect("a syntax tree");
        let example = GameExample { text: &text, game: &game, dialect };
        let (corpus, unsupported) = ResourceGameCorpus::new(&[example], &CUSTOM);
        assert_eq!(unsupported, [], "{name}");
        let generator = corpus.generator(0).expect("an example");
        let id = game.metadata.id.as_ref().map_or_else(String::new, |id| id.text.to_string());
        let written = load(&generator.text(generator.example(), &id), dialect);
        assert_eq!(written.game, lower(&game, dialect).game, "{name}");
    }
}

#[test]
fn the_constructs_of_the_language_are_written() {
    let constructs = load(CONSTRUCTS, Dialect::DOCUMENTED);
    assert!(constructs.game.is_some(), "{:?}", constructs.diagnostics);
}

#[test]
fn names_with_a_meaning_are_kept() {
    each_generator(|name, _, generator| {
        let tree = generator.example();
        let bound = generator.bind(tree, &mut RandomStream::new(1, 0)).expect("an example");
        // Results without an effect get one, and parameters without one are lost.
        if !name.contains("constructs") {
            assert_eq!(generator.text(&bound, "same"), generator.text(tree, "same"), "{name}");
        }
    });
}

#[test]
fn drawn_games_check_without_an_error() {
    each_generator(|name, dialect, generator| {
        let drawn = (0..100).filter_map(|index| Some((index, generator.draw(&mut RandomStream::new(5, index))?)));
        for (index, tree) in drawn {
            assert_checks(generator, (name, dialect), &tree, &format!("draw {index}"));
        }
        let mut drafts = 0;
        for index in 0..100 {
            if let Some(tree) = generator.draft(1.0, &mut RandomStream::new(6, index)) {
                assert_checks(generator, (name, dialect), &tree, &format!("draft {index}"));
                drafts += 1;
            }
        }
        assert!(drafts > 90, "{name}: {drafts}");
    });
}

#[test]
fn edited_games_check_without_an_error() {
    each_generator(|name, dialect, generator| {
        for edit in GameEdit::ALL {
            let mut found = 0;
            for index in 0..40 {
                let edited = generator.edited(generator.example(), edit, &mut RandomStream::new(7, index));
                let Some(edited) = edited else { continue };
                assert_checks(generator, (name, dialect), &edited, &format!("{} {index}", edit.name()));
                found += 1;
            }
            assert!(found > 20, "{name}: {}: {found}", edit.name());
        }
    });
}

#[test]
fn the_stream_determines_a_game() {
    each_generator(|name, _, generator| {
        for index in 0..20 {
            let draft = || generator.draft(0.5, &mut RandomStream::new(8, index));
            assert_eq!(draft(), draft(), "{name}");
        }
    });
}

#[test]
fn trees_that_are_no_games_are_not_bound() {
    each_generator(|name, _, generator| {
        let stream = &mut RandomStream::new(9, 0);
        assert_eq!(generator.bind(&Tree::default(), stream), None, "{name}");
        let part = generator.draw_part(super::rules::Rule::Completed, stream).expect("an end");
        assert_eq!(generator.bind(&part, stream), None, "{name}");
    });
}
