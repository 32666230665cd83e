//! The example in the book's chapter on traces.

use std::path::Path;

use goalspec_core::ids::ObjectId;
use goalspec_core::playback::Playback;
use goalspec_core::state::Delta;
use goalspec_core::world::file;
use goalspec_syntax::Sources;
use goalspec_trace::{ReadOptions, Source, TraceReader};

/// Returns the text of the first code block in a language.
fn block(chapter: &str, language: &str) -> String {
    let (_, rest) = chapter.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_example_agrees_with_the_text_around_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/traces.md");
    let chapter = std::fs::read_to_string(path).unwrap();
    let mut sources = Sources::new();
    let id = sources.add("table.world.toml", block(&chapter, "toml world"));
    let (world, diagnostics) = file::parse(sources.file(id), &mut |_| None);
    assert_eq!(diagnostics, []);
    let text = block(&chapter, "jsonl");
    let source = Source::from_reader(text.as_bytes()).unwrap();
    let world = source.extend_world(&world.unwrap()).unwrap().into_owned();
    let mut reader = source.read(&world, &ReadOptions::default()).unwrap();
    let mut playback = Playback::new(world.clone());
    let mut delta = Delta::default();
    let [tray, block_1, block_3, hand]: [ObjectId; 4] =
        ["tray", "block_1", "block_3", "hand"].map(|name| world.object_with_recorded_name(name).unwrap());
    let on = world.predicate_named("on").unwrap();
    let holds = world.attribute_named("holds").unwrap();
    let mut seen = Vec::new();
    while reader.next(&mut delta).unwrap() {
        playback.advance(&delta);
        let state = playback.state();
        seen.push((
            delta.time.unwrap(),
            state.fact(on, &[tray, block_1]),
            state.fact(on, &[block_3, block_1]),
            state.object(holds, hand),
        ));
    }
    assert_eq!(
        seen,
        [
            (0.0, true, false, Some(None)),
            (0.5, true, false, Some(Some(block_1))),
            (1.0, false, true, Some(Some(block_1))),
            (1.5, false, true, Some(None)),
            (2.0, false, true, None),
        ]
    );
}
