//! Published games and edits of the examples, compared by meaning.

use std::time::Instant;

use goalspec::equivalence::games::Method;
use goalspec::equivalence::{GameComparisonOptions, GameVerdict, compare_games};
use goalspec::library::{Library, LibraryOptions, format};
use goalspec::program::Program;
use goalspec::program_differences::{ProgramDifference, compare_programs};
use goalspec_testing::conformance;

/// Returns a text with other names of all variables and preferences.
fn renamed(text: &str, preferences: &[String]) -> String {
    let mut result = String::new();
    let mut word = String::new();
    for character in text.chars().chain(std::iter::once('\n')) {
        if !matches!(character, '(' | ')') && !character.is_whitespace() {
            word.push(character);
            continue;
        }
        let (name, types) = word.split_once(':').map_or((&word[..], None), |(name, types)| (name, Some(types)));
        if word.starts_with('?') {
            result.extend([&word[..], "_renamed"]);
        } else if preferences.iter().any(|preference| preference == name) {
            result.extend([name, "_renamed"]);
            result.extend(types.map(|types| format!(":{types}")));
        } else {
            result.push_str(&word);
        }
        word.clear();
        result.push(character);
    }
    result
}

fn games(library: &Library) -> Vec<&Program> {
    library.programs().iter().filter(|program| program.game().is_some()).collect()
}

/// Published games equal themselves with another layout and other names. The data is not part of this repository, and the test is skipped
/// without it.
#[test]
fn published_games_equal_their_reformatted_selves() {
    let Some(folder) = conformance::folder("game") else { return };
    let mut compared = 0;
    let (mut slowest, mut total) = (0.0_f64, 0.0);
    for entry in std::fs::read_dir(folder.join("corpora")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "pddl") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let original = Library::from_texts([("games.pddl", text.as_str())], LibraryOptions::default());
        let source = original.programs()[0].source;
        let formatted = format(original.sources().file(source)).unwrap();
        let preferences = games(&original).into_iter().flat_map(|program| &program.game().unwrap().preferences);
        let names: Vec<String> = preferences.map(|preference| preference.name.to_string()).collect();
        let other = Library::from_texts([("games.pddl", renamed(&formatted, &names))], LibraryOptions::default());
        let (ours, theirs) = (games(&original), games(&other));
        assert_eq!(ours.len(), theirs.len(), "{}: {:?}", path.display(), other.diagnostics());
        for (one, other) in ours.into_iter().zip(theirs) {
            let start = Instant::now();
            let (one_game, other_game) = (one.game().unwrap(), other.game().unwrap());
            let world = one.world.as_ref().unwrap();
            let found = compare_games(world, [one_game, other_game], &GameComparisonOptions::default());
            let seconds = start.elapsed().as_secs_f64();
            assert!(matches!(found.verdict, GameVerdict::Equal(..)), "{}: {:?}", one.name, found.verdict);
            assert_eq!(found.unmatched, [Vec::new(), Vec::new()], "{}", one.name);
            (slowest, total) = (slowest.max(seconds), total + seconds);
            compared += 1;
        }
    }
    println!("{compared} games in {total:.3} s; the slowest takes {slowest:.3} s");
    assert!(compared >= 98, "only {compared} games");
}

const KITCHEN: &str = include_str!("../../../examples/worlds/kitchen.world.toml");
const TEA: &str = include_str!("../../../examples/worlds/make-tea.game");

fn tea(text: &str) -> Library {
    let library = Library::from_texts([("kitchen.world.toml", KITCHEN), ("tea.game", text)], LibraryOptions::default());
    assert!(library.diagnostics().iter().all(|diagnostic| !diagnostic.is_error()), "{:?}", library.diagnostics());
    library
}

/// Compares the game of the kitchen with an edited one.
fn edited(from: &str, to: &str) -> ProgramDifference {
    assert!(TEA.contains(from), "{from}");
    let (one, other) = (tea(TEA), tea(&TEA.replace(from, to)));
    compare_programs((&one, games(&one)[0]), (&other, games(&other)[0]), &GameComparisonOptions::default()).unwrap()
}

#[test]
fn edits_that_change_a_game_have_a_trace_that_was_played() {
    let edits = [
        // Each of the three operators covers at least one state.
        ("(once (and (tea ?c)", "(once (and (not (tea ?c))", 3),
        ("(agent_holds kettle)", "(agent_holds ?c)", 3),
        ("(< (room_left ?c) 0.1)", "(< (room_left ?c) 0.05)", 3),
        ("(at-end (lit stove))", "(at-end (not (lit stove)))", 1),
    ];
    for (from, to, states) in edits {
        let found = edited(from, to);
        let ProgramDifference::Games(_, comparison) = &found else { panic!("{from}") };
        let GameVerdict::Differ(difference) = &comparison.verdict else { panic!("{from}: {comparison:?}") };
        assert_eq!((difference.method, difference.trace.len()), (Method::Automata, states), "{from}");
        assert!(found.trace_text().unwrap().is_some_and(|text| text.lines().count() == states + 1), "{from}");
    }
}

#[test]
fn edits_that_keep_the_meaning_are_equal() {
    let edits = [
        ("(once (and (agent_holds kettle) (not (tea ?c))))", "(once (not (or (tea ?c) (not (agent_holds kettle)))))"),
        ("(at-end (lit stove))", "(at-end (or (lit stove) (and (lit stove) (lit table))))"),
    ];
    for (from, to) in edits {
        let found = edited(from, to);
        assert_eq!(found.is_equal(), Some(true), "{from}: {:?}", found.json("all").unwrap());
        assert_eq!(found.json("all").unwrap()["verdict"], "equal");
    }
}

/// Linear scores are compared exactly, unless a game ends by itself: counts are then compared up to a limit.
#[test]
fn equal_scores_in_another_form_are_proved_equal_in_games_without_an_end() {
    let terminal = "(:terminal (>= (count-once-per-objects cupOfTea) 2))";
    let (from, to) = ("(* (- 4) (count-once stoveLeftOn))", "(- (* 4 (count-once stoveLeftOn)))");
    assert!(TEA.contains(terminal) && TEA.contains(from));
    assert_eq!(edited(from, to).is_equal(), None);
    let endless = TEA.replace(terminal, "");
    let (one, other) = (tea(&endless), tea(&endless.replace(from, to)));
    let found = compare_programs((&one, games(&one)[0]), (&other, games(&other)[0]), &GameComparisonOptions::default())
        .unwrap();
    assert_eq!(found.is_equal(), Some(true), "{:?}", found.json("all").unwrap());
}
