//! The language in user-defined worlds.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use goalspec_core::interpret::GameInterpreter;
use goalspec_core::monitor::{GameMonitor, GameReport};
use goalspec_core::playback::Playback;
use goalspec_core::program::Game;
use goalspec_core::state::Delta;
use goalspec_core::world::operation::{FunctionDefinition, Measure, Operation, OperationDoc, PredicateDefinition};
use goalspec_core::world::vocabulary::Parameter;
use goalspec_core::world::{FunctionDecl, PredicateDecl, Tracker, World, WorldBuilder};
use goalspec_game::codes::{INVALID_NAME, MISPLACED_OPERATOR, UNKNOWN_DOMAIN, UNKNOWN_PREDICATE, UNKNOWN_TYPE};
use goalspec_game::{Dialect, parse, resolve, worlds};
use goalspec_syntax::{Diagnostic, Sources};
use goalspec_trace::{LookaheadReader, ReadOptions, open};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/worlds")
}

fn world(text: &str) -> World {
    let mut sources = Sources::new();
    let id = sources.add("test.world.toml", text);
    let file = sources.file(id).clone();
    let (world, diagnostics) = worlds::parse(&file, &mut sources, &mut |_| None);
    assert_eq!(diagnostics, []);
    world.unwrap()
}

fn play(world: &World, game: &str, trace: &Path) -> GameReport {
    let mut sources = Sources::new();
    let id = sources.add("test.game", game);
    let parsed = parse::parse(sources.file(id));
    assert_eq!(parsed.diagnostics, []);
    let resolved = resolve::resolve(&parsed.games[0], world, Dialect::FORMAL);
    assert_eq!(resolved.diagnostics, []);
    let game = resolved.game.unwrap();
    let mut reader = LookaheadReader::new(open(trace, world, &ReadOptions::default()).unwrap());
    let mut playback = Playback::new(world.clone());
    let mut monitor = GameInterpreter::new(world.clone(), game.clone()).unwrap();
    let mut delta = Delta::default();
    while let Some(last) = reader.next(&mut delta).unwrap() {
        playback.advance(&delta);
        if monitor.step(&playback.update(&delta, last)).done {
            break;
        }
    }
    monitor.finish(playback.state())
}

/// Returns a world with names that the grammar of the language does not allow.
fn warehouse() -> World {
    let mut builder = WorldBuilder::new("warehouse");
    let thing = builder.add_type("small-thing", &[]);
    let shelf = builder.add_type("shelf", &[]);
    for (name, of) in [("box-1", thing), ("2-boxes", thing), ("top-shelf", shelf)] {
        let object = builder.add_object(name, &[of]);
        builder.add_program_name(name, object);
    }
    let parameters = vec![Parameter::of(&[thing]), Parameter::of(&[shelf])];
    builder.add_predicate(PredicateDecl::new("is-on", parameters, PredicateDefinition::Stored));
    builder.add_function(FunctionDecl::new("total-cost", Vec::new(), FunctionDefinition::Stored));
    builder.finish().expect("a world")
}

fn in_warehouse(constraints: &str) -> (Option<Game>, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let text = format!(
        "(define (game tidy) (:domain warehouse) (:constraints {constraints})
            (:scoring (count-once-per-external-objects tidy:small-thing)))"
    );
    let id = sources.add("tidy.game", text);
    let world = warehouse();
    let goalspec_game::CheckResult { mut games, diagnostics } =
        goalspec_game::check(sources.file(id), Dialect::FORMAL, |name| (name == "warehouse").then_some(&world));
    (games.remove(0).program, diagnostics)
}

#[test]
fn names_with_dashes_are_read_where_the_world_has_them() {
    let valid = "(at-end (and (is-on ?t top-shelf) (not (is-on 2-boxes top-shelf)) (< (total-cost) 3)))";
    for variables in ["?t - small-thing", "?t -small-thing", "?t-small-thing", "?t - (either small-thing)"] {
        let (game, found) = in_warehouse(&format!("(forall ({variables}) (preference tidy {valid}))"));
        assert_eq!(found, [], "{variables}");
        assert_eq!(game.expect("it has a meaning").preferences[0].external.len(), 1);
    }
    // Misspelt names are reported with suggestions. Preferences follow the grammar of the language.
    for (invalid, code, name) in [
        ("(forall (?t - small-thing) (preference tidy (at-end (is-no ?t top-shelf))))", UNKNOWN_PREDICATE, "is-on"),
        ("(forall (?t - smal-thing) (preference tidy (at-end (is-on ?t top-shelf))))", UNKNOWN_TYPE, "small-thing"),
        ("(forall (?t - small-thing) (preference ti-dy (at-end (is-on ?t top-shelf))))", INVALID_NAME, ""),
    ] {
        let (game, found) = in_warehouse(invalid);
        assert!(game.is_none());
        let reported =
            found.iter().find(|finding| finding.code == code).unwrap_or_else(|| panic!("{invalid}: {found:?}"));
        assert!(reported.help.iter().any(|help| help.contains(name)) || name.is_empty(), "{invalid}: {reported:?}");
    }
}

#[test]
fn names_with_dashes_are_none_where_the_world_has_none() {
    let mut sources = Sources::new();
    let id = sources.add(
        "demo.game",
        "(define (game demo) (:domain few-objects-room-v1)
            (:constraints (preference onBed (exists (?b-ball) (at-end (is-on bed ?b)))))
            (:scoring (count onBed)))",
    );
    let found = goalspec_game::check(sources.file(id), Dialect::FORMAL, |_| None).diagnostics;
    assert_eq!(found.iter().map(|finding| finding.code).collect::<Vec<_>>(), [INVALID_NAME]);
    assert!(found[0].message.contains("`is-on` is not a valid name of a predicate"), "{found:?}");
}

#[test]
fn names_of_any_spelling_pass_where_the_world_is_not_known() {
    for valid in [
        "(exists (?t - small-thing) (at-end (is-on ?t top-shelf)))",
        "(exists (?b-ball) (at-end (on bed ?b)))",
        "(exists (?m - mug.n.04) (at-end (on ?m table.n.02_1)))",
    ] {
        let mut sources = Sources::new();
        let text = format!(
            "(define (game demo) (:domain no-such-1) (:constraints (preference p {valid})) (:scoring (count p:small-thing)))"
        );
        let id = sources.add("demo.game", text);
        let found = goalspec_game::check(sources.file(id), Dialect::FORMAL, |_| None).diagnostics;
        assert_eq!(
            found.iter().map(|finding| finding.code).collect::<Vec<_>>(),
            [UNKNOWN_DOMAIN],
            "{valid}: {found:?}"
        );
        assert!(found[0].help.iter().any(|help| help.contains("planning problem or domain")), "{found:?}");
    }
}

#[test]
fn keywords_as_predicate_names_are_explained() {
    for word in ["hold", "once", "count"] {
        for text in [format!("({word} bed)"), format!("(< ({word} bed) 3)")] {
            let (game, found) = in_warehouse(&format!("(preference p (at-end {text}))"));
            assert!(game.is_none());
            let reported = found.iter().find(|finding| finding.code == MISPLACED_OPERATOR).expect("it is said");
            let reason = format!("`{word}` is a keyword of the game language");
            assert!(reported.help.iter().any(|help| help.starts_with(&reason)), "{text}: {reported:?}");
        }
    }
}

#[test]
fn tea_is_made_in_the_kitchen() {
    let kitchen = world(&std::fs::read_to_string(examples().join("kitchen.world.toml")).unwrap());
    let game = std::fs::read_to_string(examples().join("make-tea.game")).unwrap();
    let report = play(&kitchen, &game, &examples().join("make-tea.jsonl"));

    // Tea is in the first cup in the 10th state, and in the second cup, the big one, in the 11th. The `hold` covers at least one
    // state, so the kettle was held at least two states earlier: in the third state and in the 9th. The second cup ends the game. By
    // then the stove is off. The score is 5 * 2 cups + 3 * 1 big cup.
    let intervals = |at: usize| -> Vec<(u64, u64)> {
        report.preferences[at].satisfactions.iter().map(|satisfied| (satisfied.start, satisfied.end)).collect()
    };
    assert_eq!(intervals(0), [(3, 10), (9, 11)]);
    assert_eq!(intervals(1), []);
    assert_eq!(report.terminal, Some(11));
    assert_eq!(report.score, Ok(13.0));
}

#[test]
fn a_room_can_be_extended_by_the_colours_of_its_rug() {
    let text = r#"
name = "few-objects-room-with-rug"
extends = "few-objects-room-v1"

[objects]
pink_part = { type = "rug_region", values = { center = [-1.5, 0, -1.2], extents = [1.3, 0.05, 0.4], color = "pink" } }
white_part = { type = "rug_region", values = { center = [-1.5, 0, -2.1], extents = [1.3, 0.05, 0.4], color = "white" } }

[predicates.rug_color_under]
parameters = "?a - body ?color - color"
operation = "color_under"
settings = { regions = "rug_region", colors = "color" }
"#;
    let room = world(text);
    assert_eq!(room.members(room.type_named("rug_region").unwrap()).len(), 2);
    assert_eq!(room.members(room.type_named("dodgeball").unwrap()).len(), 2);
    let meaning = &room.predicate(room.predicate_named("rug_color_under").unwrap()).definition;
    assert!(matches!(meaning, PredicateDefinition::Computed(_)));
}

/// Returns the path of the book's page on worlds.
fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/src/worlds.md")
}

#[test]
fn the_worlds_in_the_book_are_right() {
    let text = std::fs::read_to_string(page()).unwrap();
    let blocks = text.split("```toml world\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut files: Vec<String> = Vec::new();
    for block in blocks {
        if block.starts_with("name = ") {
            files.push(String::new());
        }
        files.last_mut().expect("the first block gives a name").push_str(block);
    }
    let worlds: Vec<World> = files.iter().map(|file| world(file)).collect();
    assert_eq!(worlds.iter().map(World::name).collect::<Vec<_>>(), ["warehouse-v1", "few-objects-room-with-rug"]);
}

fn operations(docs: &[OperationDoc]) -> String {
    let mut text = String::new();
    for doc in docs {
        let needed = doc.arguments.len() - doc.optional;
        let arguments = doc.arguments.iter().enumerate();
        let arguments = arguments.map(|(at, name)| format!("*{name}*{}", if at < needed { "" } else { " (optional)" }));
        let arguments: Vec<String> = arguments.collect();
        let _ = writeln!(text, "\n#### `{}` {}\n\n{}\n", doc.name, arguments.join(", "), doc.summary);
        if !doc.settings.is_empty() {
            text.push_str("| setting | |\n|---|---|\n");
            for (name, meaning) in doc.settings {
                let _ = writeln!(text, "| `{name}` | {meaning} |");
            }
        }
    }
    text
}

/// Updates the lists of operations in the book if `UPDATE_BOOK` is set.
#[test]
fn the_book_lists_every_operation() {
    let mut text = std::fs::read_to_string(page()).unwrap();
    let predicates = format!(
        "\nFor predicates:\n{}\nFor functions:\n{}\n",
        operations(Operation::NAMES),
        operations(Measure::NAMES)
    );
    for (section, content) in [("operations", predicates), ("trackers", format!("{}\n", operations(Tracker::DOCS)))] {
        let (start_marker, end_marker) = (format!("<!-- {section}: begin -->\n"), format!("<!-- {section}: end -->"));
        let (before, rest) = text.split_once(&start_marker).unwrap();
        let (found, after) = rest.split_once(&end_marker).unwrap();
        if std::env::var_os("UPDATE_BOOK").is_some() {
            text = format!("{before}{start_marker}{content}{end_marker}{after}");
            std::fs::write(page(), &text).unwrap();
        } else {
            assert_eq!(found, content, "run this test with UPDATE_BOOK=1");
        }
    }
}

/// A game inside a game that is not closed is read with the names of its own world.
#[test]
fn inner_games_have_their_own_names() {
    let inner = "(define (game tidy) (:domain warehouse)
        (:constraints (preference tidy (exists (?t - small-thing) (at-end (is-on ?t top-shelf)))))
        (:scoring (count tidy)))";
    let text = format!("(define (game outer) (:domain few-objects-room-v1)\n    {inner}\n");
    let mut sources = Sources::new();
    let id = sources.add("nested.game", text);
    let world = warehouse();
    let find = |name: &str| (name == "warehouse").then_some(&world);
    let checked = goalspec_game::check(sources.file(id), Dialect::FORMAL, find);
    assert_eq!(checked.games.len(), 2);
    assert!(checked.diagnostics.iter().all(|found| found.code != INVALID_NAME), "{:?}", checked.diagnostics);
}
