//! Recorded plays whose titles describe the moves, the frequencies of consequences and the observations in words.

use std::collections::BTreeMap;

use crate::common::base::{acting, actions, rows, varied, with};
use crate::common::play::{choose, moves};
use crate::common::{errors, game, recorded, report};
use goalspec_resource::custom::ResultRegistry;
use goalspec_resource::game::{Game, TeamId};
use goalspec_resource::interpret::play::Play;
use goalspec_resource::random::RandomStream;
use goalspec_resource::turn::GameErrorKind;
use goalspec_rgg::Dialect;

/// The number of streams in which an action with a random outcome is played.
const STREAMS: u64 = 40;

/// A recorded row, with the game and the moves that reproduce it.
struct Row<'a> {
    title: &'a str,
    text: String,
    moves: &'a [&'a str],
    values: &'a [&'a str],
    outcome: &'a str,
}

/// Returns a message if the outcome of a row cannot be reproduced; `None` also for a text that the engine refused.
fn wrong(row: &Row<'_>) -> Option<String> {
    let read = game(&row.text, Dialect::CAGE);
    let Some(game) = &read.game else {
        let expects_error = row.outcome.starts_with("ERR ");
        return (!expects_error).then(|| format!("{}: {}", row.title, errors(&read)));
    };
    let mut found: Vec<String> = (0..STREAMS).map(|index| outcome(game, row, index)).collect();
    found.sort();
    found.dedup();
    let expected = match row.outcome.split_once("   partial ") {
        Some((_, partial)) => format!("ERR {partial}"),
        None => row.outcome.to_owned(),
    };
    let equal = found.iter().any(|found| found.trim_end() == expected.trim_end());
    (!equal).then(|| format!("{}: {expected}\n found {}", row.title, found.join("\n       ")))
}

fn outcome(game: &Game, row: &Row<'_>, index: u64) -> String {
    moves(game, row.moves, row.values, index).unwrap_or_else(|(_, partial)| format!("ERR {partial}"))
}

/// Plays rows and compares their outcomes.
fn play<'a>(title: &str, rows: impl IntoIterator<Item = Row<'a>>) {
    let (mut total, mut faults) = (0, Vec::new());
    for row in rows {
        total += 1;
        faults.extend(wrong(&row));
    }
    report(title, total, &faults);
}

/// Returns a game in which `act` has one result.
fn with_result(result: &str) -> String {
    acting(&format!("act: {{cost: {{}}, requires: {{}}, consequences: [{{result: {{{result}}}}}]}}"))
}

/// Returns the outcome of the row with this title.
fn outcome_of<'a>(table: &'a str, title: &str) -> &'a str {
    let mut rows = rows(table, "ACT ");
    rows.find(|(known, _)| *known == title).unwrap_or_else(|| panic!("a row `{title}`")).1
}

/// Returns rows whose titles describe the moves in words.
fn told<'a>(table: &'a str, rows: Vec<(&'a str, String, &'a [&'a str], &'a [&'a str])>) -> Vec<Row<'a>> {
    let row = |(title, text, moves, values)| Row { title, text, moves, values, outcome: outcome_of(table, title) };
    rows.into_iter().map(row).collect()
}

const ACT: &[&str] = &["act"];

#[test]
fn requirements_are_evaluated_after_the_cost() {
    let Some(table) = recorded("engine_actions.txt") else { return };
    let paying = |cost: &str, requires: &str| {
        let consequences = "consequences: [{result: {Resources: {put: {a.f: 99}}}}]";
        acting(&format!("act: {{cost: {cost}, requires: {requires}, {consequences}}}"))
    };
    let requiring = |requires: &str| acting(&format!("act: {{cost: {{}}, requires: {requires}}}"));
    let rows = vec![
        ("x=5 cost -3 requires x>=3", paying("{a.x: -3}", "{a.x: {Gte: 3}}"), ACT, &[][..]),
        ("x=5 cost -3 requires x>=2", paying("{a.x: -3}", "{a.x: {Gte: 2}}"), ACT, &[]),
        ("requires unknown resource", requiring("{a.zz: 1}"), ACT, &[]),
        ("requires hidden node", requiring("{c.x: 3}"), ACT, &[]),
        ("requires observable", requiring("{a.observable: {Contains: s}}"), ACT, &[]),
    ];
    play("requires", told(&table, rows));
}

#[test]
fn the_nothing_action_has_no_cost() {
    let Some(table) = recorded("engine_actions.txt") else { return };
    let expensive = "act: {cost: {}, requires: {}}\n  nothing: {cost: {a.x: -1}, requires: {a.x: 99}}";
    let rows = vec![
        ("nothing is free", acting(expensive), &["nothing", "wait"][..], &[][..]),
        ("nothing for team without it", acting(expensive), &["act", "nothing"], &[]),
    ];
    play("nothing", told(&table, rows));
}

#[test]
fn choices_that_a_team_does_not_have_end_the_game() {
    let space = Some("{s: {act: , bogus: }, t: {wait: }}");
    let read = game(&with("actionSpace", space), Dialect::CAGE);
    let (failure, _) = moves(&read.game.unwrap(), &["bogus"], &[], 0).expect_err("it is not defined");
    assert!(matches!(failure.kind, GameErrorKind::UndefinedChoice { .. }));
}

/// Returns the base game in which `act` has parameters and a result.
fn with_parameters(parameters: &str, result: &str) -> String {
    let space = format!("{{s: {{act: {{{parameters}}}}}, t: {{wait: }}}}");
    let act = format!("act: {{cost: {{}}, requires: {{}}, consequences: [{{result: {{{result}}}}}]}}");
    varied(&[("actionSpace", Some(&space)), ("actions", Some(&actions(&act)))])
}

#[test]
fn parameters() {
    let Some(table) = recorded("engine_actions.txt") else { return };
    let (ends, source) = ("source: 'string(a)', target: 'string(a)'", "source: 'string(a)'");
    let target = "target: 'string(a)'";
    let random = |parameters| with_parameters(parameters, "WithRandomVector: {result: {_target.x: 10}}");
    let assignments = "Resources: {put: {a.f: {Calculate: '{p}'}, b.x: {Field: p}}}";
    let rows = vec![
        ("param in Calculate", with_parameters("p: 'string(1)'", assignments), ACT, &["1"][..]),
        ("WithAllVectors w/ params", with_parameters(source, "WithAllVectors: {result: {_target.x: 10}}"), ACT, &["b"]),
        ("WithRandomVector w/ params source=b", random(source), ACT, &["b"]),
        ("WithRandomVector w/ params target=b", random(target), ACT, &["b"]),
        ("WithRandomVector w/ params target=zz", random(target), ACT, &["zz"]),
        (
            "MakeNodeVisible w/ params source=a,target=c",
            with_parameters(ends, "MakeNodeVisible: {team: s}"),
            ACT,
            &["a", "c"],
        ),
    ];
    play("parameters", told(&table, rows));
}

/// Returns the base game on another board, with a result of `act`.
fn on_board(vectors: &str, result: &str) -> String {
    let board = format!("{{nodes: [a, b, c], vectors: {vectors}}}");
    let act = format!("act: {{cost: {{}}, requires: {{}}, consequences: [{{result: {{{result}}}}}]}}");
    varied(&[("board", Some(&board)), ("actions", Some(&actions(&act)))])
}

/// Returns the text without the resources of the node c.
fn without_c(text: &str) -> String {
    text.replace("\n  c: {x: int(3), own: false}", "")
}

#[test]
fn vectors() {
    let Some(table) = recorded("engine_actions.txt") else { return };
    let add = "{result: {_target.x: 10}}";
    let from_a = "WithAllVectors: {sourceFilter: {_node: a}, result: {_target.x: 10}}";
    let looping = "WithRandomVector: {result: {a.f: {Field: _source.x}, c.t1: {Field: _target.x}}}";
    let filtered = "WithAllVectors: {targetFilter: {own: false}, result: {_target.x: 1}}";
    let rows = vec![
        ("WithAllVectors", with_result("WithAllVectors: {result: {_target.x: {Field: _source.x}}}"), ACT, &[][..]),
        ("WithAllVectors filter", with_result(from_a), ACT, &[]),
        ("MakeNodeVisible unknown team", with_result("MakeNodeVisible: {team: zz}"), ACT, &[]),
        ("self loop alias", on_board("[{from: a, to: a}]", looping), ACT, &[]),
        ("vector endpoint without resources, filter", without_c(&with_result(filtered)), ACT, &[]),
        (
            "vector endpoint without resources, no filter",
            without_c(&with_result("WithAllVectors: {result: {_target.x: 1}}")),
            ACT,
            &[],
        ),
        (
            "duplicate vectors count",
            on_board("[{from: a, to: b}, {from: a, to: b}, {from: a, to: c}]", &format!("WithAllVectors: {add}")),
            ACT,
            &[],
        ),
        (
            "duplicate vectors with ids count",
            on_board(
                "[{from: a, to: b, id: v}, {from: a, to: b, id: w}, {from: a, to: c}]",
                &format!("WithAllVectors: {add}"),
            ),
            ACT,
            &[],
        ),
    ];
    play("vectors", told(&table, rows));
}

#[test]
fn writes_at_the_end_of_a_vector_are_read_by_the_name_of_the_node() {
    for name in ["_target.marked", "marked"] {
        let text = with_result(&format!("WithAllVectors: {{targetFilter: {{_node: c}}, result: {{{name}: 1}}}}"));
        let text = text.replace("completed: {a.x: 99}", "completed: {c.marked: 2}");
        let game = game(&text, Dialect::CAGE).game.expect("it loads");
        let (mut play, mut stream) = (Play::new(game.clone()), RandomStream::new(0, 0));
        assert_eq!(play.completed(&mut stream), Ok(false));
        play.act(&choose(&play, "act", &[]), &mut stream, &ResultRegistry::default()).expect("it does not fail");
        assert_eq!(play.completed(&mut stream), Ok(true));
    }
}

/// Returns the consequences of a row about odds by its title: the odds, and whether each is independent.
fn odds(title: &str) -> &'static [(&'static str, Option<bool>)] {
    const YES: Option<bool> = Some(true);
    const NO: Option<bool> = None;
    match title {
        "odds .5,.8,1.0" => &[("0.5", NO), ("0.8", NO), ("1.0", NO)],
        "odds .5,.3,.2" => &[("0.5", NO), ("0.3", NO), ("0.2", NO)],
        "odds .5,.3" => &[("0.5", NO), ("0.3", NO)],
        "ind on all .5,.3,.2" => &[("0.5", YES), ("0.3", YES), ("0.2", YES)],
        ".5; .3 ind; .2" => &[("0.5", NO), ("0.3", YES), ("0.2", NO)],
        ".5; .3 ind; .2; .1 ind" => &[("0.5", NO), ("0.3", YES), ("0.2", NO), ("0.1", YES)],
        "odds 0" => &[("0", NO), ("1.0", NO)],
        "negative .5,-.3,.5" => &[("0.5", NO), ("-0.3", NO), ("0.5", NO)],
        "independent false explicit" => &[("0.5", Some(false)), ("0.5", Some(false))],
        _ => panic!("unknown odds: {title}"),
    }
}

/// Returns the relative frequencies of combinations of consequences, in the format of the recordings: one digit for each of four
/// consequences, `1` where it occurred.
fn frequencies(consequences: &[(&str, Option<bool>)], plays: u32) -> BTreeMap<String, u32> {
    let consequence = |(odds, independent): &(&str, Option<bool>)| {
        let independent = independent.map(|independence| format!("independent: {independence}, ")).unwrap_or_default();
        format!("{{odds: {odds}, {independent}result: {{Resources: {{put: {{c.x: 1}}}}}}}}")
    };
    let consequences: Vec<String> = consequences.iter().map(consequence).collect();
    let act = format!("act: {{cost: {{}}, requires: {{}}, consequences: [{}]}}", consequences.join(", "));
    let game = game(&acting(&act), Dialect::CAGE).game.expect("it loads");
    let mut counts = BTreeMap::new();
    for index in 0..plays {
        let mut play = Play::new(game.clone());
        let chosen = choose(&play, "act", &[]);
        let turn = play
            .act(&chosen, &mut RandomStream::new(9, index.into()), &ResultRegistry::default())
            .expect("it does not fail");
        let mark = |place| {
            if turn.occurrences.iter().any(|independence| independence.consequence == place) { '1' } else { '-' }
        };
        *counts.entry((0..4).map(mark).collect()).or_default() += 1;
    }
    counts
}

#[test]
fn frequencies_of_consequences() {
    /// The minimum number of plays behind a recording, inferred from its digits.
    const PLAYS: u32 = 20_000;
    let Some(table) = recorded("engine_actions.txt") else { return };
    let (mut total, mut faults) = (0, Vec::new());
    for row in table.lines().filter_map(|line| line.strip_prefix("FREQ ")) {
        total += 1;
        let (title, cells) = row.split_once(": ").expect("a title");
        let found = frequencies(odds(title), PLAYS);
        let cells: BTreeMap<&str, f64> = cells
            .split_whitespace()
            .map(|cell| cell.split_once('=').expect("a cell"))
            .map(|(key, frequency)| (key, frequency.parse().expect("a number")))
            .collect();
        for key in found.keys().map(String::as_str).chain(cells.keys().copied()) {
            let expected = cells.get(key).copied().unwrap_or_default();
            let share = f64::from(found.get(key).copied().unwrap_or_default()) / f64::from(PLAYS);
            // Four standard errors of the difference of two samples, plus the rounding of the recorded one.
            let error = 4.0 * (2.0 * expected * (1.0 - expected) / f64::from(PLAYS)).sqrt() + 5e-5;
            if (share - expected).abs() > error {
                faults.push(format!("{title}: {key} {share}, not {expected}"));
            }
        }
    }
    report("frequencies", total, &faults);
}

/// Returns the observation of a team in the format of the recordings.
fn observed(play: &Play, team: Option<TeamId>) -> String {
    let views = team.map_or_else(|| play.true_state(), |team| play.observe(team));
    let node = |view: &goalspec_resource::interpret::observation::NodeView| {
        let values: String = view.values.iter().map(|(name, value)| format!(", {name}={value}")).collect();
        format!("{}={{observable={}{values}}}", play.game().board.node(view.node).name, view.observers)
    };
    format!("{{{}}}", views.iter().map(node).collect::<Vec<_>>().join(", "))
}

#[test]
fn observations_and_rewards() {
    let Some(table) = recorded("engine_actions.txt") else { return };
    let after = |title: &str, prefix: &str| -> String {
        let mut lines = table.lines().skip_while(|line| !line.starts_with(&format!("ACT {title}"))).skip(1);
        lines.find_map(|line| line.strip_prefix(prefix)).expect("a line of the row").to_owned()
    };
    let rewards = |play: &Play| {
        [TeamId(0), TeamId(1)].map(|team| play.reward(team, &RandomStream::new(0, 0)).expect("a number").to_string())
    };
    let title = "mutate then observe";
    let put = "Resources: {put: {b.x: 77, b.newres: 5, a.newres: 6}}";
    let game_of = |put| game(&with_result(put), Dialect::CAGE).game.expect("it loads");
    let (first, second) = (game_of(put), game_of("Resources: {put: {a.x: 9}}"));
    let play_after_move = |game: &Game| {
        let mut play = Play::new(game.clone());
        let chosen = choose(&play, "act", &[]);
        play.act(&chosen, &mut RandomStream::new(0, 0), &ResultRegistry::default()).expect("it does not fail");
        play
    };
    let play = play_after_move(&first);
    for (prefix, team) in [("obs s: ", Some(TeamId(0))), ("obs t: ", Some(TeamId(1))), ("gt   : ", None)] {
        assert_eq!(observed(&play, team), after(title, prefix));
    }
    assert_eq!(rewards(&play), ["5", "5"]);
    assert_eq!(after(title, "reward s (Field a.x): "), "5.0 reward t: 5.0");
    assert_eq!(rewards(&play_after_move(&second)), ["9", "5"]);
    assert_eq!(after("mutate a.x then reward for t", "reward s: "), "9.0 reward t: 5.0");
}
