//! The language in worlds that people write themselves.

use std::path::{Path, PathBuf};

use goalspec_core::interpret::Interpreter;
use goalspec_core::monitor::{Monitor, Report};
use goalspec_core::playback::Playback;
use goalspec_core::state::Delta;
use goalspec_core::world::World;
use goalspec_game::{parse, resolve, worlds};
use goalspec_syntax::Sources;
use goalspec_trace::{Peeked, ReadOptions, open};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/worlds")
}

fn world(text: &str) -> World {
    let mut sources = Sources::new();
    let id = sources.add("test.world.toml", text);
    let file = sources.get(id).clone();
    let (world, diagnostics) = worlds::parse(&file, &mut sources, &mut |_| None);
    assert_eq!(diagnostics, []);
    world.unwrap()
}

fn play(world: &World, game: &str, trace: &Path) -> Report {
    let mut sources = Sources::new();
    let id = sources.add("test.game", game);
    let parsed = parse::parse(sources.get(id));
    assert_eq!(parsed.diagnostics, []);
    let resolved = resolve::resolve(&parsed.games[0], world);
    assert_eq!(resolved.diagnostics, []);
    let game = resolved.game.unwrap();
    let mut reader = Peeked::new(open(trace, world, &ReadOptions::default()).unwrap());
    let mut playback = Playback::new(world);
    let mut monitor = Interpreter::new(world, &game).unwrap();
    let mut delta = Delta::default();
    while let Some(last) = reader.next(&mut delta).unwrap() {
        playback.advance(&delta);
        if monitor.step(&playback.step(&delta, last)).done {
            break;
        }
    }
    monitor.finish(playback.state())
}

#[test]
fn tea_is_made_in_the_kitchen() {
    let kitchen = world(&std::fs::read_to_string(examples().join("kitchen.world.toml")).unwrap());
    let game = std::fs::read_to_string(examples().join("make-tea.game")).unwrap();
    let report = play(&kitchen, &game, &examples().join("make-tea.jsonl"));

    // Tea in the first cup in the 10th state, in the second, the big one, in the 11th: the agent held the kettle in the state
    // before. The second cup ends the game. The stove is off by then. 5 * 2 cups + 3 * 1 big cup.
    let intervals = |at: usize| -> Vec<(u64, u64)> {
        report.preferences[at].satisfactions.iter().map(|satisfied| (satisfied.start, satisfied.end)).collect()
    };
    assert_eq!(intervals(0), [(9, 10), (10, 11)]);
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
    use goalspec_core::world::operation::PredicateMeaning;
    let room = world(text);
    assert_eq!(room.members(room.type_named("rug_region").unwrap()).len(), 2);
    assert_eq!(room.members(room.type_named("dodgeball").unwrap()).len(), 2);
    let meaning = &room.predicate(room.predicate_named("rug_color_under").unwrap()).meaning;
    assert!(matches!(meaning, PredicateMeaning::Computed(_)));
}
