//! Names of resource graph games: also in expressions, constraints and tests.

use std::path::Path;

use goalspec_ide::{OutlineItem, RenameError, Snapshot};

use crate::common::{at_marker, describe, edited, errors, slice, workspace};

/// A game with every kind of name.
const GAME: &str = r#"# 😀 ä
metadata: { id: raid }
teams: [red, "blue"]
board:
  nodes: [home, field]
  vectors:
    - { from: home, to: field }
resourceSpace:
  home:
    observable: set(red, blue)
    gold: int.range(3; 0,9)
    wins: int(0)
  field:
    observable: set(red; red, blue)
    gold: int(2)
actionSpace:
  red:
    raid:
      number: int.range(1; 1,3)
    nothing:
  blue:
    wait:
actions:
  raid:
    cost: { home.wins: -1 }
    requires: { home.wins: { Gte: 0 }, "field.gold": { Gte: $number } }
    consequences:
      - odds: 0.25
        result:
          WithRandomVector:
            sourceFilter: { _node: home, gold: { Gte: 1 } }
            compute: { share: { Calculate: "{_target.gold} / 2" } }
            result: { _source.gold: { Field: share }, _target.gold: -1 }
      - odds: 0.5
        result:
          MakeNodeVisible:
            team: blue
            target: { observable: { Not: { Contains: blue } } }
  wait:
    cost: {}
    requires: {}
rewards:
  red: { Calculate: "ä" }
  blue: { Template: "{home.wins}: {field.gold}" }
completed: { home.wins: { Gte: 3 } }
metrics: [home.wins]
"#;

const PATH: &str = "/w/raid.rgg.yaml";

/// The game without the expression that has an error.
fn game() -> String {
    GAME.replace("\"ä\"", "\"2 * {home.wins} - {field.gold}\"")
}

fn at(before: &str, name: &str) -> (Snapshot, &'static Path, u32) {
    let text = game().replacen(&format!("{before}{name}"), &format!("{before}$0{name}"), 1);
    assert!(text.contains("$0"), "{before}{name}");
    at_marker(&[], PATH, &text)
}

fn definitions(before: &str, name: &str) -> Vec<String> {
    let (snapshot, path, offset) = at(before, name);
    snapshot.definitions(path, offset).iter().map(|place| describe(&snapshot, place)).collect()
}

fn hover(before: &str, name: &str) -> String {
    let (snapshot, path, offset) = at(before, name);
    snapshot.hover(path, offset).map(|hover| hover.markdown).unwrap_or_default()
}

fn rename(before: &str, name: &str, new_name: &str) -> Result<String, RenameError> {
    let (snapshot, path, offset) = at(before, name);
    let files = snapshot.rename(path, offset, new_name)?;
    let renamed = edited(&snapshot, &files);
    assert_eq!(errors(&renamed, path), errors(&snapshot, path));
    Ok(renamed.text(path).expect("it is open").to_string())
}

#[test]
fn the_game_has_no_errors() {
    let snapshot = workspace(&[(PATH, &game())]).snapshot();
    let found: Vec<_> =
        snapshot.analysis(Path::new(PATH)).library().diagnostics().iter().map(ToString::to_string).collect();
    assert_eq!(errors(&snapshot, Path::new(PATH)), 0, "{found:?}");
}

#[test]
fn names_lead_to_their_declarations() {
    assert_eq!(definitions("team: ", "blue"), ["raid.rgg.yaml:3 blue"]);
    assert_eq!(definitions("Contains: ", "blue"), ["raid.rgg.yaml:3 blue"]);
    assert_eq!(definitions("set(red; red, ", "blue"), ["raid.rgg.yaml:3 blue"]);
    assert_eq!(definitions("from: ", "home"), ["raid.rgg.yaml:5 home"]);
    assert_eq!(definitions("_node: ", "home"), ["raid.rgg.yaml:5 home"]);
    assert_eq!(definitions("2 * {", "home.wins"), ["raid.rgg.yaml:5 home"]);
    assert_eq!(definitions("2 * {home.", "wins"), ["raid.rgg.yaml:12 wins"]);
    assert_eq!(definitions("metrics: [home.", "wins"), ["raid.rgg.yaml:12 wins"]);
    assert_eq!(definitions("Field: ", "share"), ["raid.rgg.yaml:32 share"]);
    assert_eq!(definitions("  blue:\n    ", "wait"), ["raid.rgg.yaml:39 wait"]);
    assert_eq!(definitions("", "observable: { Not"), Vec::<String>::new());
}

#[test]
fn resources_of_any_node_lead_to_all_declarations() {
    let all = ["raid.rgg.yaml:11 gold", "raid.rgg.yaml:15 gold"];
    assert_eq!(definitions("{_target.", "gold"), all);
    assert_eq!(definitions("home, ", "gold: { Gte"), all);
    assert_eq!(definitions("\"field.", "gold"), all[1..]);
    assert_eq!(definitions("- {field.", "gold"), all[1..]);
}

#[test]
fn hovers_describe_names() {
    let wins = hover("2 * {home.", "wins");
    assert!(wins.contains("`home.wins`: an integer, initially 0; initially seen by red and blue"), "{wins}");
    assert!(wins.contains("- `raid`: home.wins decreases by 1, as its cost"), "{wins}");
    let gold = hover("- {field.", "gold");
    assert!(gold.contains("initially 2; initially seen by red") && !gold.contains("`home.gold`"), "{gold}");
    let both = hover("{_target.", "gold");
    assert!(
        both.contains("`home.gold`: an integer from 0 to 9, initially 3") && both.contains("`field.gold`"),
        "{both}"
    );
    let raid = hover("  red:\n    ", "raid");
    assert!(raid.contains("chosen by `red`") && raid.contains("With probability 25 %"), "{raid}");
    assert!(hover("odds: ", "0.25").contains("probability 25 %"));
    assert!(hover("odds: ", "0.5").contains("probability 25 %"), "the odds are those of a threshold");
    assert!(hover("    ", "requires").contains("condition"));
    let blue = hover("team: ", "blue");
    assert!(blue.contains("team 2 of 2 in turn order") && blue.contains("actions: `wait`"), "{blue}");
    let home = hover("from: ", "home");
    assert!(home.contains("- `wins`: an integer") && home.contains("1 vector to `field`"), "{home}");
}

#[test]
fn renamed_names_change_everywhere() {
    let renamed = |before: &str, name: &str, new_name: &str, pairs: &[(&str, &str)]| {
        let expected = pairs.iter().fold(game(), |text, (from, to)| text.replace(from, to));
        assert_eq!(rename(before, name, new_name).expect("it is declared"), expected);
    };
    renamed("2 * {home.", "wins", "points", &[("wins", "points")]);
    renamed("{_target.", "gold", "coins", &[("gold", "coins")]);
    renamed("team: ", "blue", "green", &[("blue", "green")]);
    renamed("from: ", "home", "base camp", &[("home", "base camp")]);
    renamed("Field: ", "share", "part", &[("share", "part")]);
    renamed("  blue:\n    ", "wait", "sit (long)", &[("wait", "sit (long)")]);
    renamed("metadata: { id: ", "raid", "foray", &[("id: raid", "id: foray")]);
}

#[test]
fn names_that_would_change_the_meaning_are_refused() {
    let refused = |before: &str, name: &str, new_name: &str| {
        let error = rename(before, name, new_name).expect_err(new_name);
        assert!(!matches!(error, RenameError::NoSymbol), "{new_name}: {error}");
    };
    refused("2 * {home.", "wins", "gold");
    refused("team: ", "blue", "red");
    refused("from: ", "home", "field");
    refused("  blue:\n    ", "wait", "raid");
    for name in ["yes", "12", "a.b", "a: b", "observable", "_node", "", "a{b", "ä ", "nothing"] {
        refused("  blue:\n    ", "wait", name);
        refused("from: ", "home", name);
    }
}

#[test]
fn references_and_tokens_are_the_names() {
    let (snapshot, path, offset) = at("2 * {home.", "wins");
    let places = snapshot.references(path, offset, true);
    assert_eq!(places.len(), 7, "{places:?}");
    let highlights = snapshot.highlights(path, offset);
    assert!(highlights.iter().all(|(range, _)| slice(&snapshot, path, range) == "wins"));
    let analysis = snapshot.analysis(path);
    let tokens = analysis.tokens(None);
    assert_eq!(tokens.len(), analysis.occurrences().len());
    assert!(tokens.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
}

#[test]
fn outlines_have_sections_and_names() {
    fn names(items: &[OutlineItem]) -> String {
        let name = |item: &OutlineItem| match &item.children[..] {
            [] => item.name.clone(),
            children => format!("{}({})", item.name, names(children)),
        };
        items.iter().map(name).collect::<Vec<_>>().join(" ")
    }
    let snapshot = workspace(&[(PATH, &game())]).snapshot();
    let outline = names(&snapshot.analysis(Path::new(PATH)).outline());
    let expected = "metadata teams(red blue) board(nodes(home field) vectors) \
        resourceSpace(home(observable gold wins) field(observable gold)) actionSpace(red(raid(number) nothing) \
        blue(wait)) actions(raid wait) rewards(red blue) completed metrics(home.wins)";
    assert_eq!(outline, expected);
}

/// Returns the first words offered at a marker that replaces a text.
fn offered(from: &str, to: &str) -> Vec<String> {
    let text = game().replacen(from, to, 1);
    let (snapshot, path, offset) = at_marker(&[], PATH, &text);
    snapshot.completions(path, offset).items.into_iter().map(|item| item.label).collect()
}

#[test]
fn completions_fit_their_places() {
    assert_eq!(offered("metadata:", "$0\nmetadata:")[..2], ["metadata", "teams"]);
    assert!(!offered("rewards:", "$0\nrewards:").contains(&"teams".to_owned()), "sections above are not offered again");
    assert_eq!(offered("from: home", "from: h$0"), ["home", "field"]);
    assert_eq!(offered("team: blue", "team: $0"), ["red", "blue"]);
    assert_eq!(offered("Contains: blue", "Contains: $0"), ["red", "blue"]);
    assert_eq!(offered("- odds: 0.5\n", "- odds: 0.5\n        in$0\n"), ["odds.discount", "independent", "result"]);
    assert!(offered("{home.wins} -", "{h$0} -").contains(&"home.wins".to_owned()));
    assert!(offered("_node: home, gold", "_node: home, g$0").contains(&"gold".to_owned()));
    assert!(offered("{ Gte: 3 }", "{ $0 }").contains(&"Lte".to_owned()));
    assert!(offered("wins: int(0)", "wins: $0").contains(&"int(0)".to_owned()));
    assert_eq!(offered("  blue:\n    wait:", "  blue:\n    w$0"), ["raid", "wait", "nothing"]);
    assert!(offered("cost: { home.wins: -1", "cost: { $0").contains(&"field.gold".to_owned()));
    assert_eq!(offered("# 😀", "# $0😀"), Vec::<String>::new());
}

/// Every prefix of the game, and the game without each of its lines, has answers to all requests at its end.
#[test]
fn broken_games_have_answers() {
    let text = game();
    let lines: Vec<&str> = text.lines().collect();
    for cut in 0..lines.len() {
        let without: Vec<&str> = lines.iter().enumerate().filter(|(at, _)| *at != cut).map(|(_, line)| *line).collect();
        for broken in [lines[..cut].join("\r\n"), without.join("\n")] {
            let snapshot = workspace(&[(PATH, &broken)]).snapshot();
            let path = Path::new(PATH);
            for offset in [0, broken.len() / 2, broken.len()] {
                let offset = broken.floor_char_boundary(offset) as u32;
                snapshot.hover(path, offset);
                snapshot.completions(path, offset);
                snapshot.definitions(path, offset);
                let _ = snapshot.rename(path, offset, "fresh");
            }
            snapshot.analysis(path).outline();
        }
    }
}
