//! Descriptions of games in plain English.

mod common;

use std::path::Path;

use common::game;
use goalspec_rgg::{Dialect, describe};

#[track_caller]
fn described(text: &str, dialect: Dialect) -> String {
    let read = game(text, dialect);
    let (Some(ast), Some(game)) = (&read.ast, &read.game) else { panic!("{:#?}", read.diagnostics) };
    describe::text(ast, game)
}

const GAME: &str = "\
metadata: {id: siege, description: A wall between two.}
teams: [red, blue]
board:
  nodes: [camp, wall, keep]
  vectors: [{from: camp, to: wall}, {from: camp, to: keep, id: tunnel}]
resourceSpace:
  camp: {observable: 'set(red, blue)', gold: 'int.range(5; 0,9)', mood: 'string.enum(calm, angry)'}
  wall: {observable: set(blue), broken: false, height: 'float.range(2.5; 0,4)'}
actionSpace:
  red:
    storm: {target: 'string.enum(wall, keep)'}
    nothing:
  blue:
    build:
actions:
  storm:
    cost: {camp.gold: -2}
    requires: {camp.gold: {Gte: 0}, Not: {camp.mood: calm}}
    consequences:
      - odds: 0.25
        result:
          WithRandomVector:
            sourceFilter: {_node: camp}
            targetFilter: {broken: false, observable: {Contains: red}}
            compute: {loot: {Calculate: '{camp.gold} / 2'}}
            result: {_target.broken: true, camp.gold: {Field: loot}}
      - odds: 0.75
        odds.discount: 0.5
        result: {MakeNodeVisible: {team: red, targetFilter: {height: {Range: [1, 3]}}}}
  build:
    cost: {}
    requires: {}
    consequences:
      - result: {Resources: {add: {wall.height: -0.5}, put: {wall.broken: false, camp.mood: {Template: 'as {camp.gold}'}}}}
      - odds: 0.1
        independent: true
        result: {MyCustomResultFunction: {strength: 3}}
rewards:
  red:
    Condition:
      - when: {wall.broken: true}
        value: {MathOp: {operator: ADD, fields: [camp.gold, wall.height], ifInvalid: 0}}
      - when: {camp.gold: {OneOf: [1, 2]}}
        value: {Constant: -1}
  blue: {Chain: {from: {Field: wall.height}, process: [{Multiply: 2}, {Gt: 3}]}}
completed: {Or: [{wall.broken: true, camp.gold: {Lt: 1}}, {wall.height: {Not: {Gt: 0}}}]}
metrics: [camp.gold, wall.height]
";

const DESCRIBED: &str = "\
siege
A wall between two.

Teams
    2 teams move in turn: red, then blue.

Board
    There are 3 nodes: camp, wall and keep.
    Vectors lead from camp to wall and keep (tunnel).

Resources
    camp, seen by red and blue at the start, has
        gold: a whole number from 0 to 9, at first 5
        mood: calm or angry, at first \"calm\"
    wall, seen by blue at the start, has
        broken: true or false, at first false
        height: a number from 0 to 4, at first 2.5
    keep, seen by nobody at the start, has no resources.

Actions of red
    storm, with target (wall or keep)
        The random vector ends at the target that is chosen.
        Cost: camp.gold falls by 2.
        It is valid if, after the cost, camp.gold is at least 0 and camp.mood is not \"calm\".
        One of these at most:
            With 25 %, for a random vector from a node where the node is \"camp\" to a node where broken is false and \
observable contains \"red\", _target.broken becomes true and camp.gold grows by loot, where loot is {camp.gold} / 2.
            With 50 %, the target of a random vector to a node where height is from 1 to 3 becomes visible to red. Each time the \
action is valid, the odds are multiplied by 0.5.
            With 25 %, nothing.
    nothing
        It passes: nothing is paid, and nothing happens.

Actions of blue
    build
        It costs nothing.
        It is always valid.
        With certainty, wall.height falls by 0.5, wall.broken becomes false and camp.mood becomes the text \"as {camp.gold}\".
        With 10 %, the result MyCustomResultFunction takes place with strength: 3.

Rewards
    red: the sum of camp.gold and wall.height (0 if that has no value) if wall.broken is true; otherwise -1 if camp.gold is \
1 or 2; otherwise nothing
    blue: wall.height, times 2, and whether that is more than 3

End
    Before each turn, the game is over if (wall.broken is true and camp.gold is less than 1) or wall.height is not more than 0.

Metrics
    At the end, camp.gold and wall.height are reported.
";

#[test]
fn parts_that_hold_together_are_in_parentheses() {
    let end = |test: &str| {
        let text = GAME.replace("{Or: [{wall.broken: true, camp.gold: {Lt: 1}}, {wall.height: {Not: {Gt: 0}}}]}", test);
        let said = described(&text, Dialect::DOCUMENTED);
        let (_, end) = said.split_once("the game is over if ").expect("an end");
        end.lines().next().unwrap_or_default().trim_end_matches('.').to_owned()
    };
    assert_eq!(
        end("{camp.gold: {Or: [{And: [{Gt: 1}, {Lt: 3}]}, 9]}, wall.broken: true}"),
        "(camp.gold (is more than 1 and is less than 3) or is 9) and wall.broken is true"
    );
    assert_eq!(end("{camp.gold: {Gt: 1, Lt: 3}}"), "camp.gold is more than 1 and is less than 3");
}

#[test]
fn results_without_entries_are_told() {
    let said = |dialect| {
        let add = "{Resources: {add: {wall.height: -0.5}, put: {wall.broken: false, camp.mood: {Template: 'as {camp.gold}'}}}}";
        assert!(GAME.contains(add));
        described(&GAME.replace(add, "{Resources: {add: {}, put: {wall.broken: true}}}"), dialect)
    };
    assert!(said(Dialect::DOCUMENTED).contains("With certainty, wall.broken becomes true."));
    let engine = Dialect::DOCUMENTED.with_switch("empty-add=whole-state").unwrap();
    assert!(
        said(engine).contains("With certainty, the whole state is added to itself, then wall.broken becomes true.")
    );
    let nothing = GAME
        .replace("add: {wall.height: -0.5}, put: {wall.broken: false, camp.mood: {Template: 'as {camp.gold}'}}", "");
    assert!(described(&nothing, Dialect::DOCUMENTED).contains("With certainty, nothing changes."));
}

#[test]
fn every_section_is_told() {
    assert_eq!(described(GAME, Dialect::DOCUMENTED), DESCRIBED);
}

#[test]
fn the_dialect_decides_on_probabilities_and_views() {
    let cage = described(
        "\
metadata: {id: die}
teams: [one]
board: {nodes: [a], vectors: []}
resourceSpace: {a: {x: int(0)}}
actionSpace: {one: {roll: , nothing: }}
actions:
  nothing: {cost: {a.x: 1}, requires: {}}
  roll:
    cost: {}
    requires: {}
    consequences:
      - odds: 0.5
        result: {Resources: {put: {a.x: 1}}}
      - odds: 0.3
        result: {Resources: {put: {a.x: null}}}
rewards: {one: {Field: a.x}}
",
        Dialect::CAGE,
    );
    assert_eq!(
        cage,
        "\
die

Teams
    One team plays: one.

Board
    There is 1 node: a.
    No vectors lead from one to another.

Resources
    a, seen by nobody at the start, has
        x: a whole number, at first 0

Actions of one
    roll
        It costs nothing.
        It is always valid.
        One of these at most:
            With 50 %, a.x becomes 1.
            With 30 %, a.x is removed.
            With 20 %, nothing.
    nothing
        It passes: nothing is paid, and nothing happens.

Rewards
    They are computed from what a team observes: the initial values of nodes that it does not see.
    They are rounded to 32 bits.
    one: a.x

End
    The game goes on until it is cut off.
"
    );
}

#[test]
fn the_examples_are_told_in_full() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/rgg");
    for (file, sentences) in [
        (
            "climb.yaml",
            &[
                "Climb while the strength lasts, rest to get it back; a slip costs height.",
                "        Cost: wall.hour grows by 1 and wall.strength falls by 1.",
                "            With 70 %, wall.height grows by 1.",
                "            With 10 %, wall.height becomes max(0, {wall.height} - 2).",
                "            With 20 %, nothing.",
                "        It is valid if, after the cost, wall.strength is less than 4.",
                "    Before each turn, the game is over if wall.hour is at least 10 or wall.height is at least 6.",
            ][..],
        ),
        (
            "berries.yaml",
            &[
                "    2 teams move in turn: ann, then ben.",
                "    Vectors lead from camp to hill and brook.",
                "    grove, seen by nobody at the start, has",
                "    gather (ann), with target (hill, brook or grove)",
                "        With 50 %, the target of a random vector to a node where observable does not contain \"ann\" becomes \
visible to ann.",
                "        With 80 %, for a random vector to a node where berries is at least 1 and observable contains \"ben\", \
_target.berries falls by 1 and camp.ben grows by 1.",
                "    ann: {camp.ann} - {camp.ben} / 2",
            ],
        ),
    ] {
        let said = described(&std::fs::read_to_string(folder.join(file)).unwrap(), Dialect::DOCUMENTED);
        for sentence in sentences {
            assert!(said.lines().any(|line| line == *sentence), "{sentence:?} is not in\n{said}");
        }
    }
}
