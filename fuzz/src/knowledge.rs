//! Any text is parsed as the layout of a scene, and as each file of a knowledge base, without panic. A valid knowledge base is used to
//! check an activity and to expand its wildcards.

use std::collections::BTreeMap;

use goalspec::bddl::knowledge::Knowledge;
use goalspec::bddl::{check, wildcard};
use goalspec::syntax::Sources;

/// The files of a small knowledge base in the format of the later releases, and the single file in the format of the first release.
const FILES: [(&str, &str); 8] = [
    ("hierarchy_owned.json", include_str!("../corpus/knowledge/hierarchy.json")),
    ("generated_data/output_hierarchy_properties.json", include_str!("../corpus/knowledge/hierarchy.json")),
    ("generated_data/transition_map/tm_jsons/slicing.json", include_str!("../corpus/knowledge/rules.json")),
    ("generated_data/object_inventory.json", include_str!("../corpus/knowledge/inventory.json")),
    ("generated_data/combined_room_object_list.json", include_str!("../corpus/knowledge/rooms.json")),
    ("generated_data/object_renames.csv", include_str!("../corpus/knowledge/renames.csv")),
    ("generated_data/deletion_queue.csv", "Object\napple-old\n"),
    ("generated_data/allowed_room_types.csv", "Room Name\nkitchen\nbedroom\n"),
];

/// The activity that is checked against the knowledge base.
const ACTIVITY: &str = "(define (problem slicing-0) (:domain omnigibson)
    (:objects table.n.02_1 table.n.02_* - table.n.02  apple.n.01_1 - apple.n.01  half__apple.n.01_1 - half__apple.n.01
        agent.n.01_1 - agent.n.01)
    (:init (inroom table.n.02_1 kitchen) (inroom table.n.02_* kitchen) (ontop apple.n.01_1 table.n.02_1)
        (future half__apple.n.01_1) (ontop agent.n.01_1 table.n.02_1))
    (:goal (and (real ?half__apple.n.01_1) (forall (?table.n.02 - table.n.02) (not (covered ?table.n.02 ?apple.n.01_1))))))";

/// The layout of the scene of the activity.
const LAYOUT: &str = include_str!("../corpus/knowledge/layout.json");

/// The number of instances of the activity in the scene: three tables, an apple, a half and the agent.
const INSTANCES: usize = 6;

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let files = later_release_files();
    let knowledge = Knowledge::from_texts(&files).expect("the small knowledge base is complete");
    let understood = (knowledge.rules().all().len(), knowledge.scenes().len(), use_layout(LAYOUT, &knowledge));
    assert_eq!(understood, (1, 1, INSTANCES), "what is tried is used, not refused at once");
    use_layout(text, &knowledge);
    for (path, _) in &FILES[1..] {
        let mut texts = files.clone();
        texts.insert((*path).to_owned(), text.to_owned());
        try_knowledge(&texts);
    }
    try_knowledge(&BTreeMap::from([(FILES[0].0.into(), text.to_owned())]));
}

/// Returns the files of the later releases.
fn later_release_files() -> BTreeMap<String, String> {
    FILES[1..].iter().map(|&(path, text)| (path.into(), text.to_owned())).collect()
}

fn try_knowledge(texts: &BTreeMap<String, String>) {
    match Knowledge::from_texts(texts) {
        Ok(knowledge) => {
            use_layout(LAYOUT, &knowledge);
        }
        Err(error) => {
            assert!(error.is_error() && texts.keys().any(|path| error.message.contains(path.as_str())), "{error:?}")
        }
    }
}

/// Parses a layout and checks the activity in the scene; returns the resulting number of instances.
fn use_layout(text: &str, knowledge: &Knowledge) -> usize {
    let scene = wildcard::parse_layout(text).ok();
    let mut sources = Sources::new();
    let id = sources.add("slicing", ACTIVITY);
    let context =
        check::CheckContext { knowledge: Some(knowledge), scene: scene.as_ref(), ..check::CheckContext::default() };
    let checked = check::check(sources.file(id), context);
    checked.problems[0].instances().count()
}
