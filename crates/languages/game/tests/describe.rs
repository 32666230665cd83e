//! Descriptions of programs in English, temporal logic and DOT.

use goalspec_game::describe::LtlSyntax;
use goalspec_game::{Dialect, describe, parse, resolve, worlds};

use crate::common;

const GAME: &str = "(define (game bowls) (:domain few-objects-room-v1)
(:setup (and
    (exists (?h - hexagonal_bin) (game-conserved (and (near ?h desk) (not (or (in_motion ?h) (on bed ?h))))))
    (forall (?d - dodgeball) (game-optional (on floor ?d)))
))
(:constraints (and
    (forall (?d - dodgeball)
        (preference throw (exists (?h - hexagonal_bin) (then
            (once-measure (and (agent_holds ?d) (> (distance agent ?h) 2)) (distance agent ?h))
            (hold-while (and (not (agent_holds ?d)) (in_motion ?d)) (touch ?d floor) (touch ?d ?h))
            (once (and (not (in_motion ?d)) (or (in ?h ?d) (on ?h ?d))))
        )))
    )
    (preference stack (exists (?a ?b - cube_block) (at-end (and
        (on ?a ?b)
        (object_orientation ?b upright)
        (not (exists (?o - (either chair curved_wooden_ramp)) (touch ?o ?a)))
    ))))
))
(:terminal (or (>= (count throw) 5) (not (< (total-time) 200))))
(:scoring (+ (* 3 (count throw:dodgeball_blue)) (count-measure throw) (- (count-once stack)) (* 2 (= (count throw) 1) (count stack)))))";

const TEXT: &str = "\
Game bowls in few-objects-room-v1

Setup
    With a hexagonal bin: throughout the game, the hexagonal bin is near the desk, the hexagonal bin is not in motion and the hexagonal bin is not on the bed.
    For each choice of a dodgeball: at least once before scoring starts, the dodgeball is on the floor.

Preferences
    throw
        For each choice of a dodgeball, with a hexagonal bin, in direct succession:
        1. one state in which the agent is holding the dodgeball and the distance between the agent and the hexagonal bin is more than 2; the distance between the agent and the hexagonal bin is measured in it
        2. states in which the agent is not holding the dodgeball and the dodgeball is in motion, and during which, in this order in different states, the dodgeball touches the floor and then the dodgeball touches the hexagonal bin
        3. one state in which the dodgeball is not in motion; and either the dodgeball is in the hexagonal bin, or the dodgeball is on the hexagonal bin
    stack
        At the end of the game, with two cube blocks ?a and ?b: ?b is on ?a; and ?b is upright; and there is no chair or curved wooden ramp ?o such that ?o touches ?a.

End
    The game ends as soon as either throw has happened at least 5 times, or the time played is at least 200.

Score
    The sum of:
    - 3 points for each time that throw with a dodgeball blue happens
    - the sum of the values measured each time that throw happened
    - minus 1 point if stack has happened
    - 2 points for each time that stack happens if throw has happened exactly 1 time
";

fn read(text: &str) -> parse::ParseResult {
    let source = goalspec_testing::texts::source("case", text);
    let parsed = parse::parse(&source);
    assert_eq!(common::errors(&source, &parsed.diagnostics), Vec::<String>::new());
    parsed
}

#[test]
fn english() {
    let world = worlds::builtin("few").expect("the room is built in");
    assert_eq!(describe::english(&read(GAME).games[0], world, Dialect::FORMAL), TEXT);
}

#[test]
fn temporal_logic() {
    let expected = "\
throw  for each (?d - dodgeball)  exists (?h - hexagonal_bin)
    F ((a ∧ b) ∧ c ∧ X ((¬a ∧ d) U ((¬a ∧ d) ∧ e ∧ X ((¬a ∧ d) U ((¬a ∧ d) ∧ f ∧ X ((¬a ∧ d) U ((¬d ∧ (g ∨ h)))))))))
    a := (agent_holds ?d)
    b := (> (distance agent ?h) 2)
    c := (distance agent ?h) has a value
    d := (in_motion ?d)
    e := (touch ?d floor)
    f := (touch ?d ?h)
    g := (in ?h ?d)
    h := (on ?h ?d)

stack  exists (?a ?b - cube_block)
    F ((a ∧ b ∧ ¬c) ∧ ¬(X ⊤))
    a := (on ?a ?b)
    b := (object_orientation ?b upright)
    c := (exists (?o - (either chair curved_wooden_ramp)) (touch ?o ?a))
";
    assert_eq!(describe::ltl(&read(GAME).games[0], Dialect::FORMAL, LtlSyntax::Standard), expected);
}

/// The two examples of the text that defines the language, translated in every notation and dialect.
#[test]
fn temporal_logic_of_the_defining_text() {
    let formula = |operators: &str, dialect: Dialect, syntax: LtlSyntax| {
        let text = format!(
            "(define (game demo) (:domain few) (:constraints (preference p (exists (?b - ball ?r ?h - block) \
             (then {operators})))) (:scoring (count p)))"
        );
        describe::ltl(&read(&text).games[0], dialect, syntax).lines().nth(1).expect("the formula").trim().to_owned()
    };
    let throw =
        "(once (agent_holds ?b)) (hold (and (not (agent_holds ?b)) (in_motion ?b))) (once (not (in_motion ?b)))";
    for (dialect, syntax, expected) in [
        (Dialect::FORMAL, LtlSyntax::Standard, "F (a ∧ X ((¬a ∧ b) ∧ X ((¬a ∧ b) U (¬b))))"),
        (Dialect::PROSE, LtlSyntax::Standard, "F (a ∧ X ((¬a ∧ b) U (¬b)))"),
        (Dialect::FORMAL, LtlSyntax::Spot, "F (a & X[!] ((!a & b) & X[!] ((!a & b) U (!b))))"),
        (Dialect::FORMAL, LtlSyntax::Ltlf2dfa, "F (a & X ((!a & b) & X ((!a & b) U (!b))))"),
    ] {
        assert_eq!(formula(throw, dialect, syntax), expected);
    }
    let bounce = "(once (agent_holds ?b)) (hold-while (in_motion ?b) (touch ?b ?r)) (once (in ?h ?b))";
    assert_eq!(formula(bounce, Dialect::FORMAL, LtlSyntax::Standard), "F (a ∧ X (b U (b ∧ c ∧ X (b U (d)))))");
    let measure = "(once (agent_holds ?b)) (once-measure (in_motion ?b) (distance ?b agent))";
    assert_eq!(formula(measure, Dialect::FORMAL, LtlSyntax::Standard), "F (a ∧ X (b ∧ c))");
}

#[test]
fn automata() {
    let world = worlds::builtin("few").expect("the room is built in");
    let game = resolve::resolve(&read(GAME).games[0], world, Dialect::FORMAL).game.expect("there are no errors");
    let expected = r#"digraph "throw" {
    rankdir = LR
    node [shape = box]
    start [shape = point]
    p0 [label = "1 once-measure\l(agent_holds ?d)\l(> (distance agent ?h) 2)\lmeasure (distance agent ?h)\l"]
    p1 [label = "2 hold-while\l(not (agent_holds ?d))\l(in_motion ?d)\l"]
    p2 [label = "2 hold-while, event 1\l(not (agent_holds ?d))\l(in_motion ?d)\l(touch ?d floor)\l"]
    p3 [label = "2 hold-while\l(not (agent_holds ?d))\l(in_motion ?d)\l"]
    p4 [label = "2 hold-while, event 2\l(not (agent_holds ?d))\l(in_motion ?d)\l(touch ?d ?h)\l"]
    p5 [label = "2 hold-while\l(not (agent_holds ?d))\l(in_motion ?d)\l"]
    p6 [label = "3 once\l(not (in_motion ?d))\l(or (in ?h ?d) (on ?h ?d))\l", peripheries = 2]
    start -> p0
    p0 -> p1
    p0 -> p2
    p1 -> p1
    p1 -> p2
    p2 -> p3
    p2 -> p4
    p3 -> p3
    p3 -> p4
    p4 -> p5
    p4 -> p6
    p5 -> p5
    p5 -> p6
}
"#;
    assert_eq!(describe::automaton_dot(&game, "throw", world).as_deref(), Some(expected));
    let stack = describe::automaton_dot(&game, "stack", world).expect("there is such a preference");
    assert!(stack.contains(r"at the end\l(on ?a ?b)\l(object_orientation ?b upright)\l"), "{stack}");
    assert_eq!(describe::automaton_dot(&game, "stick", world), None);
}

#[test]
fn a_world() {
    let text = describe::vocabulary(&common::world::small());
    for line in [
        "    thing 8",
        "            ball 3",
        "                golfball 0",
        "        building 0+",
        "    bed - furniture",
        "    (adjacent_side thing side thing [side])",
        "    (same_type thing thing|TYPE)",
        "    (rug_color_under thing color)",
        "        not available: the room has no rug",
        "    (distance thing thing)",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}

/// A noun phrase never has two articles, whether its arguments are named objects or variables.
#[test]
fn articles_of_sides() {
    let text = "(define (game demo) (:domain few) (:constraints (preference p (exists (?b - ball)
        (at-end (exists (?z - side) (adjacent_side ?b ?z desk)))))) (:scoring (count p)))";
    let world = worlds::builtin("few").expect("the room is built in");
    let text = describe::english(&read(text).games[0], world, Dialect::FORMAL);
    assert!(text.contains("side"), "{text}");
    let words: Vec<&str> = text.split_whitespace().collect();
    let articles = ["a", "an", "the"];
    let repeated = words.windows(2).find(|pair| pair.iter().all(|word| articles.contains(word)));
    assert_eq!(repeated, None, "{text}");
}

/// Names that the world does not have are described as they are written in the program.
#[test]
fn unknown_words() {
    let text = "(define (game demo) (:domain few) (:constraints (preference p (exists (?b - bal) (at-end
        (and (juggled ?b 3rd) (not (juggled ?b)) (< (height ?b) 2)))))) (:scoring (count p)))";
    let text = text.replace(" 3rd", " third");
    let world = worlds::builtin("few").expect("the room is built in");
    let text = describe::english(&read(&text).games[0], world, Dialect::FORMAL);
    let expected = "(juggled ?b third) holds, (juggled ?b) does not hold and (height ?b) is less than 2.";
    assert!(text.contains(expected), "{text}");
}

/// Parts with syntax errors are described as such, and preferences with one have no formula.
#[test]
fn parts_with_syntax_errors() {
    let text = "(define (game demo) (:domain few) (:constraints (and
        (preference p (exists (?b) (at-end (on bed ?b))))
        (preference q (at-end (not (adn (open top_drawer) (open top_drawer)))))
        (preference r (at-end (open top_drawer)))))
        (:scoring (count r)))";
    let game = &parse::parse(&goalspec_testing::texts::source("case", text)).games[0];
    let world = worlds::builtin("few").expect("the room is built in");
    let english = describe::english(game, world, Dialect::FORMAL);
    assert!(english.contains("(part with a syntax error)"), "{english}");
    assert_eq!(
        describe::ltl(game, Dialect::FORMAL, LtlSyntax::Standard),
        "p: not translated because of a syntax error\n\nq: not translated because of a syntax error\n\n\
         r\n    F (a ∧ ¬(X ⊤))\n    a := (open top_drawer)\n"
    );
}

#[test]
fn published_programs_are_described() {
    let Some(programs) = common::programs() else { return };
    for (path, text) in programs {
        let source = goalspec_testing::texts::source("case", &text);
        for game in &parse::parse(&source).games {
            let world = worlds::builtin(&game.domain.text).expect("a room");
            let text = describe::english(game, world, Dialect::FORMAL);
            let logic = describe::ltl(game, Dialect::FORMAL, LtlSyntax::Standard);
            for (_, preference) in game.preferences() {
                let name = &*preference.name.text;
                assert!(text.contains(name) && logic.contains(name), "{} {name}", path.display());
            }
            assert!(!text.contains('{') && !text.contains("(("), "{}\n{text}", path.display());
            if let Some(program) = resolve::resolve(game, world, Dialect::FORMAL).game {
                let all = program.preferences.iter();
                assert!(
                    all.map(|known| describe::automaton_dot(&program, &known.name, world)).all(|dot| dot.is_some())
                );
            }
        }
    }
}
