//! The messages and helps of findings.

use goalspec::syntax::Diagnostic;

use super::{found, pong};

/// The only finding of a body.
fn only(body: &str) -> Diagnostic {
    let mut all = found(&pong(body));
    assert_eq!(all.len(), 1, "{body}: {all:?}");
    all.remove(0)
}

fn message(body: &str) -> String {
    only(body).message
}

fn help(body: &str) -> String {
    only(body).help.join(" ")
}

#[test]
fn certain_violations_are_reported_as_certain() {
    assert_eq!(message("    x = None\n    r += x + 1\n"), "`x` is `None` here: `+` raises `TypeError`");
    let maybe = "    x = None\n    if r > -1 and ball:\n        x = 1\n    r += x + 1\n";
    assert_eq!(message(maybe), "`x` may be `None` here: `+` raises `TypeError`");
    assert_eq!(
        message("    r += later\n    later = 1\n"),
        "`later` has no value here: using it raises `UnboundLocalError`"
    );
}

#[test]
fn usual_names_lead_to_those_of_objects() {
    for (name, expected) in [
        ("name", "they have `category`"),
        ("width", "they have `w`"),
        ("position", "they have `xy`"),
        ("velocity", "they have `dx` and `dy`"),
        ("vy", "they have `dy`"),
        ("prev_position", "they have `prev_xy`"),
        ("bottom", "they have `y + h`"),
        ("categry", "did you mean `category`?"),
    ] {
        assert_eq!(help(&format!("    if ball:\n        r += ball.{name}\n")), expected);
    }
    let listed = help("    if ball:\n        r += ball.q\n");
    assert!(listed.ends_with(" and others") && listed.len() < 80, "{listed}");
    let text = "from ocatari.ram.seaquest import *\n\ndef reward_function(objects):\n    return sum(o.lives for o in objects if isinstance(o, Player))\n";
    assert_eq!(found(text)[0].help, ["it is the `value` of separate objects: of `Lives`"]);
}

#[test]
fn states_and_classes_answer_attribute_queries() {
    let text = "from ocatari.ram.pong import *\n\ndef reward_function(env):\n    return len(env.object)\n";
    let all = found(text);
    assert_eq!(
        (all[0].message.as_str(), all[0].help[0].as_str()),
        ("`env` has no `object`", "did you mean `objects`?")
    );
    assert_eq!(found(&text.replace("env.object)", "env.objects)")), []);
    assert_eq!(found(&text.replace("return", "env.object = []\n    return")), []);
    assert_eq!(
        message("    r += isinstance(objects[0], 'Ball')\n"),
        "the second argument of `isinstance` is a string, which raises `TypeError`"
    );
    assert_eq!(
        help("    r += isinstance(objects[0], [Ball, Enemy])\n"),
        "replace the list with a tuple: `(Player, Ball)`"
    );
    assert_eq!(found(&pong("    r += isinstance(objects[0], (Ball, Enemy))\n")), []);
}

#[test]
fn orientations_are_no_texts() {
    let text = |game: &str, test: &str| {
        format!(
            "from ocatari.ram.{game} import *\n\ndef reward_function(objects):\n    return 1 if objects[0].orientation == {test} else 0\n"
        )
    };
    let skiing = found(&text("skiing", "'left'"));
    assert_eq!(skiing[0].message, "`objects[0].orientation == 'left'` is never true: an orientation is not a string");
    assert_eq!(found(&text("seaquest", "'E'"))[0].help, ["it is `None` or an `Orientation`: `Orientation.E`"]);
    assert_eq!(found(&text("seaquest", "Orientation.E")), []);
    assert_eq!(found(&text("skiing", "8")), []);
}

#[test]
fn bounds_that_nothing_keeps() {
    for (test, expected) in [
        ("objects[0].x < 10 and objects[0].x > 20", "no number is above 20 and below 10"),
        ("50 < objects[0].x < 30", "no number is above 50 and below 30"),
        ("objects[0].x == 3 and r < 2 and objects[0].x >= 4", "no number is at least 4 and at most 3"),
        ("abs(objects[0].dx) > 5 and abs(objects[0].dx) <= 5", "no number is above 5 and at most 5"),
    ] {
        let text = message(&format!("    if {test}:\n        r += 1\n"));
        assert_eq!(text, format!("`{test}` is never true: {expected}"));
    }
    for test in [
        "objects[0].x < 10 or objects[0].x > 20",
        "objects[0].x >= 10 and objects[0].x <= 10",
        "30 < objects[0].x < 50",
        "objects[0].x < 10 and objects[1].x > 20",
        "objects[0].x < 10 and objects.reverse() is None and objects[0].x > 20",
    ] {
        assert_eq!(found(&pong(&format!("    if {test}:\n        r += 1\n"))), [], "{test}");
    }
    let swapped = only("    r = max(min(r, -1), 1)\n");
    assert_eq!(swapped.message, "`max(min(r, -1), 1)` is always 1: its bounds are swapped");
    assert_eq!(swapped.help, ["replace with `max(-1, min(1, ..))`"]);
    assert_eq!(
        message("    r = min(max(r, 1.5), -1)\n"),
        "`min(max(r, 1.5), -1)` is always -1: its bounds are swapped"
    );
    assert_eq!(found(&pong("    r = max(min(r, 1), -1)\n")), []);
}

#[test]
fn one_mistake_is_reported_once() {
    assert_eq!(message("    r += 1 / objects[0]\n"), "`/` of a number and an object raises `TypeError`");
    let truth = only("    if objects[0].visible == 'yes':\n        r += 1\n");
    assert_eq!(truth.message, "`objects[0].visible == 'yes'` is never true: it compares a Boolean with a string");
    assert_eq!(truth.help, ["use the Boolean itself, or `not`"]);
}

#[test]
fn classes_are_offered_for_names_with_capitals_only() {
    let unknown = |name: &str| {
        let text = format!(
            "from ocatari.ram.pong import *\n\ndef reward_function(objects):\n    player_x = objects[0].x\n    return {name}\n"
        );
        let library = super::super::library(&text, None);
        library.diagnostics().iter().flat_map(|finding| finding.help.clone()).collect::<Vec<_>>()
    };
    assert_eq!(unknown("1 if isinstance(objects[0], Bal) else 0"), ["did you mean `Ball`?"]);
    assert_eq!(unknown("player_y"), ["did you mean `player_x`?"]);
    assert_eq!(unknown("ball"), [""; 0]);
}
