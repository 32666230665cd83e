//! Descriptions of games in plain English.

use std::path::Path;

use crate::common::game;
use goalspec_rgg::{Dialect, describe};

#[track_caller]
fn described(text: &str, dialect: Dialect) -> String {
    let read = game(text, dialect);
    let (Some(ast), Some(game)) = (&read.ast, &read.game) else { panic!("{:#?}", read.diagnostics) };
    describe::describe(ast, game)
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
    2 teams, in turn order: red, blue.

Board
    3 nodes: camp, wall and keep.
    Vectors from camp to wall and keep (tunnel).

Resources
    camp, initially seen by red and blue:
        gold: an integer from 0 to 9, initially 5
        mood: calm or angry, initially \"calm\"
    wall, initially seen by blue:
        broken: true or false, initially false
        height: a number from 0 to 4, initially 2.5
    keep, initially seen by no team: no resources.

Actions of red
    storm, with target (wall or keep)
        The random vector ends at the node given as `target`.
        Cost: camp.gold decreases by 2.
        Valid if, after the cost, camp.gold is at least 0 and camp.mood is not \"calm\".
        At most one of:
            With probability 25 %, for a random vector from a node where the node is \"camp\" to a node where broken is false and \
observable contains \"red\", _target.broken becomes true and camp.gold increases by loot, where loot is {camp.gold} / 2.
            With probability 50 %, the target of a random vector to a node where height is from 1 to 3 becomes visible to red. Each time the \
action is valid, the odds are multiplied by 0.5.
            With probability 25 %, nothing changes.
    nothing
        A pass, without cost or effect.

Actions of blue
    build
        Cost: none.
        Always valid.
        Always, wall.height decreases by 0.5, wall.broken becomes false and camp.mood becomes the string \"as {camp.gold}\".
        With probability 10 %, the custom result MyCustomResultFunction occurs with strength: 3.

Rewards
    red: the sum of camp.gold and wall.height (or 0 if it has no value) if wall.broken is true; otherwise -1 if camp.gold is \
1 or 2; otherwise no value
    blue: wall.height, times 2, then whether the result is greater than 3

End
    The game ends before a turn if (wall.broken is true and camp.gold is less than 1) or wall.height is not greater than 0.

Metrics
    camp.gold and wall.height are reported at the end.
";

#[test]
fn parts_that_hold_together_are_in_parentheses() {
    let end = |test: &str| {
        let text = GAME.replace("{Or: [{wall.broken: true, camp.gold: {Lt: 1}}, {wall.height: {Not: {Gt: 0}}}]}", test);
        let description = described(&text, Dialect::DOCUMENTED);
        let (_, end) = description.split_once("The game ends before a turn if ").expect("an end");
        end.lines().next().unwrap_or_default().trim_end_matches('.').to_owned()
    };
    assert_eq!(
        end("{camp.gold: {Or: [{And: [{Gt: 1}, {Lt: 3}]}, 9]}, wall.broken: true}"),
        "(camp.gold (is greater than 1 and is less than 3) or is 9) and wall.broken is true"
    );
    assert_eq!(end("{camp.gold: {Gt: 1, Lt: 3}}"), "camp.gold is greater than 1 and is less than 3");
}

#[test]
fn results_without_entries_are_described() {
    let description = |dialect| {
        let add = "{Resources: {add: {wall.height: -0.5}, put: {wall.broken: false, camp.mood: {Template: 'as {camp.gold}'}}}}";
        assert!(GAME.contains(add));
        described(&GAME.replace(add, "{Resources: {add: {}, put: {wall.broken: true}}}"), dialect)
    };
    assert!(description(Dialect::DOCUMENTED).contains("Always, wall.broken becomes true."));
    let engine = Dialect::DOCUMENTED.with_option("empty-add=add-state").unwrap();
    assert!(description(engine).contains("Always, the whole state is added to itself, then wall.broken becomes true."));
    let without_entries = GAME
        .replace("add: {wall.height: -0.5}, put: {wall.broken: false, camp.mood: {Template: 'as {camp.gold}'}}", "");
    assert!(described(&without_entries, Dialect::DOCUMENTED).contains("Always, nothing changes."));
}

#[test]
fn every_section_is_described() {
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
    1 team: one.

Board
    1 node: a.
    No vectors.

Resources
    a, initially seen by no team:
        x: an integer, initially 0

Actions of one
    roll
        Cost: none.
        Always valid.
        At most one of:
            With probability 50 %, a.x becomes 1.
            With probability 30 %, a.x is removed.
            With probability 20 %, nothing changes.
    nothing
        A pass, without cost or effect.

Rewards
    Computed from the observation of the team, in which unseen nodes have their initial values.
    Rounded to 32-bit floating point.
    one: a.x

End
    The game has no end condition: it runs until it is truncated.
"
    );
}

#[test]
fn the_examples_are_described_in_full() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/rgg");
    for (file, sentences) in [
        (
            "climb.yaml",
            &[
                "Climb while the strength lasts, rest to get it back; a slip costs height.",
                "        Cost: wall.hour increases by 1 and wall.strength decreases by 1.",
                "            With probability 70 %, wall.height increases by 1.",
                "            With probability 10 %, wall.height becomes max(0, {wall.height} - 2).",
                "            With probability 20 %, nothing changes.",
                "        Valid if, after the cost, wall.strength is less than 4.",
                "    The game ends before a turn if wall.hour is at least 10 or wall.height is at least 6.",
            ][..],
        ),
        (
            "berries.yaml",
            &[
                "    2 teams, in turn order: ann, ben.",
                "    Vectors from camp to hill and brook.",
                "    grove, initially seen by no team:",
                "    gather (ann), with target (hill, brook or grove)",
                "        With probability 50 %, the target of a random vector to a node where observable does not contain \"ann\" becomes \
visible to ann.",
                "        With probability 80 %, for a random vector to a node where berries is at least 1 and observable contains \"ben\", \
_target.berries decreases by 1 and camp.ben increases by 1.",
                "    ann: {camp.ann} - {camp.ben} / 2",
            ],
        ),
    ] {
        let description = described(&std::fs::read_to_string(folder.join(file)).unwrap(), Dialect::DOCUMENTED);
        for sentence in sentences {
            assert!(description.lines().any(|line| line == *sentence), "{sentence:?} is not in\n{description}");
        }
    }
}
