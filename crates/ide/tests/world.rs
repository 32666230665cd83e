//! Names of world files, and of the games about them.

use std::path::{Path, PathBuf};

use goalspec::settings::Settings;
use goalspec_ide::{RenameError, Workspace};

use crate::common::{at_marker, describe, edited, errors, marked, slice, workspace};

const PATH: &str = "/w/hall.world.toml";

/// A world with every kind of name.
const WORLD: &str = r#"# 😀
name = "hall"

[settings]
hot = 80

[types]
# What can be carried.
thing = { doc = "a thing" }
cup = { of = "thing", values = { color = "blue" } }
color = {}

[symbols]
color = ["blue", "green"]

[attributes]
heat = { kind = "real", of = "thing", default = 20, doc = "Degrees Celsius" }
color = { kind = "object", of = "thing" }

[objects]
one = { type = "cup", name = "mug" }
two = { type = "thing", values = { heat = 3 } }

[functions]
heat = { parameters = "?t - thing", attribute = "heat" }

[predicates.hot]
parameters = "?t - thing"
holds = "(and (> (heat ?t) $hot) (exists (?u - cup) (same ?u ?t)))"

[predicates.same]
parameters = "?a ?b - (either thing color)"
operation = "same_color"
settings = { colors = "color" }
"#;

fn definition(before: &str, name: &str) -> Option<String> {
    let (snapshot, path, offset) =
        at_marker(&[], PATH, &WORLD.replacen(before, &before.replacen(name, &format!("$0{name}"), 1), 1));
    Some(describe(&snapshot, &snapshot.definition(path, offset)?))
}

fn hover(before: &str, name: &str) -> String {
    let (snapshot, path, offset) =
        at_marker(&[], PATH, &WORLD.replacen(before, &before.replacen(name, &format!("$0{name}"), 1), 1));
    snapshot.hover(path, offset).map(|hover| hover.markdown).unwrap_or_default()
}

#[test]
fn names_of_a_world_lead_to_their_declarations() {
    let snapshot = workspace(&[(PATH, WORLD)]).snapshot();
    let found = snapshot.analysis(Path::new(PATH));
    assert_eq!(errors(&snapshot, Path::new(PATH)), 0, "{:?}", found.library().diagnostics());
    assert_eq!(definition("of = \"thing\", values", "thing").as_deref(), Some("hall.world.toml:9 thing"));
    assert_eq!(definition("$hot", "hot").as_deref(), Some("hall.world.toml:5 hot"));
    assert_eq!(definition("(heat ?t)", "heat").as_deref(), Some("hall.world.toml:25 heat"));
    assert_eq!(definition("(heat ?t)", "?t").as_deref(), Some("hall.world.toml:28 ?t"));
    assert_eq!(definition("(same ?u", "?u").as_deref(), Some("hall.world.toml:29 ?u"));
    assert_eq!(definition("values = { heat", "heat").as_deref(), Some("hall.world.toml:17 heat"));
    assert_eq!(definition("color = \"blue\"", "blue").as_deref(), Some("hall.world.toml:14 blue"));
    assert_eq!(definition("colors = \"color\"", "color\"").as_deref(), Some("hall.world.toml:11 color"));
}

#[test]
fn hovers_describe_names_and_keys() {
    let thing = hover("of = \"thing\", values", "thing");
    assert!(thing.contains("What can be carried.") && thing.contains("2 objects"), "{thing}");
    assert!(hover("attribute = \"heat\"", "heat\"").contains("Degrees Celsius"));
    assert!(hover("(same ?u", "same").contains("(same "));
    assert!(hover("\"same_color\"", "same_color").starts_with("operation `same_color`"));
    assert!(hover("colors = \"color\"", "colors").contains("types or objects"));
    assert!(hover("kind = \"object\"", "kind").contains("kind of the values"));
    assert!(hover("holds =", "holds").contains("condition that defines the predicate"));
}

#[test]
fn outlines_and_completions_of_worlds() {
    let snapshot = workspace(&[(PATH, WORLD)]).snapshot();
    let outline = snapshot.analysis(Path::new(PATH)).outline();
    assert_eq!(outline.len(), 1);
    let names: Vec<&str> = outline[0].children.iter().map(|item| item.name.as_str()).collect();
    let expected =
        ["hot", "thing", "cup", "color", "blue", "green", "heat", "color", "one", "mug", "two", "heat", "hot", "same"];
    assert_eq!(names, expected);
    let offered = |from: &str, to: &str| {
        let (snapshot, path, offset) = at_marker(&[], PATH, &WORLD.replacen(from, to, 1));
        snapshot.completions(path, offset).items.into_iter().map(|item| item.label).collect::<Vec<_>>()
    };
    assert_eq!(offered("color = {}", "color = { $0 }"), ["of", "doc", "discover", "values"]);
    assert_eq!(offered("of = \"thing\", values", "of = \"$0\", values"), ["thing", "cup", "color", "blue", "green"]);
    assert!(offered("kind = \"real\"", "kind = $0").contains(&"\"real\"".to_owned()));
    assert!(offered("[predicates.same]\n", "[predicates.same]\n$0\n").contains(&"phrase".to_owned()));
}

#[test]
fn names_of_a_world_are_renamed_within_it() {
    let (text, offset) = marked(&WORLD.replacen("$hot", "$$0hot", 1));
    let snapshot = workspace(&[(PATH, &text)]).snapshot();
    let files = snapshot.rename(Path::new(PATH), offset, "warm").expect("it is declared");
    let renamed = edited(&snapshot, &files).text(Path::new(PATH)).expect("it is open").to_string();
    assert_eq!(renamed, WORLD.replacen("hot = 80", "warm = 80", 1).replacen("$hot", "$warm", 1));
    let offset = text.find("heat = { kind").expect("it is declared") as u32;
    let refused = snapshot.rename(Path::new(PATH), offset, "color").expect_err("it is in use");
    assert!(matches!(refused, RenameError::Captured(_) | RenameError::Invalidates(..) | RenameError::InvalidName(_)));
}

/// Returns a workspace whose settings name the world of the examples, with that world's path.
fn kitchen() -> (Workspace, PathBuf) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/worlds/kitchen.world.toml");
    let path = path.canonicalize().expect("the example exists");
    let mut workspace = Workspace::default();
    workspace.configure(Settings { worlds: vec![path.display().to_string()], ..Settings::default() });
    workspace.set_text(path.clone(), std::fs::read_to_string(&path).expect("it can be read"));
    (workspace, path)
}

/// A game about the world of the examples.
const TEA: &str = "\
(define (game tea) (:domain kitchen-v1)
  (:constraints (and
    (preference made (exists (?v - vessel) (at-end (tea ?v))))
    (preference held (at-end (agent_holds kettle)))))
  (:scoring (+ (count made) (count held))))
";

#[test]
fn names_of_games_lead_into_world_files() {
    let (mut workspace, _) = kitchen();
    workspace.set_text("/w/tea.game", TEA);
    let snapshot = workspace.snapshot();
    let game = Path::new("/w/tea.game");
    assert_eq!(errors(&snapshot, game), 0, "{:?}", snapshot.analysis(game).library().diagnostics());
    let definition = |name: &str| {
        let place = snapshot.definition(game, TEA.find(name).expect("it occurs") as u32).expect("it is declared");
        format!(
            "{} {}",
            place.path.file_name().expect("a file").to_string_lossy(),
            slice(&snapshot, &place.path, &place.range())
        )
    };
    for name in ["vessel", "agent_holds", "kettle"] {
        assert_eq!(definition(name), format!("kitchen.world.toml {name}"));
    }
    assert_eq!(definition("kitchen-v1"), "kitchen.world.toml kitchen-v1");
    let hover = snapshot.hover(game, TEA.find("agent_holds").expect("it occurs") as u32).expect("there is a name");
    assert!(hover.markdown.contains("```toml") && hover.markdown.contains("declared in `"), "{}", hover.markdown);
}

#[test]
fn renamed_names_of_a_world_change_in_its_games() {
    let (mut workspace, path) = kitchen();
    workspace.set_text("/w/tea.game", TEA);
    let snapshot = workspace.snapshot();
    let game = Path::new("/w/tea.game");
    for (name, new_name) in [("agent_holds", "carries"), ("vessel", "container"), ("kettle", "pot")] {
        let offset = TEA.find(name).expect("it occurs") as u32;
        let files = snapshot.rename(game, offset, new_name).expect("it is declared");
        assert_eq!(files.len(), 2, "{name}");
        let declared = snapshot.definition(game, offset).expect("it is declared");
        let mut from_world = snapshot.rename(&declared.path, declared.start, new_name).expect("it is declared");
        from_world.reverse();
        assert_eq!(from_world, files, "{name}");
        let renamed = edited(&snapshot, &files);
        assert_eq!(errors(&renamed, game) + errors(&renamed, &path), 0, "{name}");
        assert_eq!(renamed.text(game).expect("it is open").to_string(), TEA.replace(name, new_name));
    }
}

#[test]
fn names_of_shipped_worlds_are_said_to_be_fixed() {
    let text = crate::common::GAME.replacen("(agent_holds", "($0agent_holds", 1);
    let (snapshot, path, offset) = at_marker(&[], "/w/a.game", &text);
    let hover = snapshot.hover(path, offset).expect("there is a name").markdown;
    assert!(hover.contains("of `few-objects-room-v1`, a world that goalspec ships"), "{hover}");
    assert!(matches!(snapshot.rename(path, offset, "x"), Err(RenameError::BuiltIn(_))));
}
