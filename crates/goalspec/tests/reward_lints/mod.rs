//! Findings in reward functions, from their texts and from recordings.

use std::path::PathBuf;

use goalspec::files::Inputs;
use goalspec::library::{Library, LibraryOptions};
use goalspec::reward::lint::RewardRange;
use goalspec::reward_lints;
use goalspec::syntax::diagnostic::Applicability;
use goalspec::syntax::{Diagnostic, Severity};
use goalspec::trace::TraceInput;

use super::{conformance, library};

mod claims;
mod recordings;
mod words;

/// The findings of a text, with where they stand.
fn found(text: &str) -> Vec<Diagnostic> {
    let library = library(text, None);
    assert_eq!(library.diagnostics(), [], "{text}");
    reward_lints::diagnostics(&library)
}

/// The findings of a kind: what stands at their place, and their first word of comfort.
fn at<'t>(text: &'t str, found: &[Diagnostic], code: &str) -> Vec<&'t str> {
    let own = found.iter().filter(|finding| finding.code.0 == code).filter_map(|finding| finding.span);
    own.map(|span| &text[span.start as usize..span.end as usize]).collect()
}

fn pong(body: &str) -> String {
    format!(
        "from ocatari.ram.pong import *\n\ndef reward_function(objects):\n    ball = next((o for o in objects if isinstance(o, Ball)), None)\n    player = None\n    for o in objects:\n        if o.category == 'Player':\n            player = o\n    r = 0.0\n{body}    return r\n"
    )
}

#[test]
fn unguarded_uses_of_none_are_reported() {
    let unguarded = [
        ("    r += ball.x\n", vec!["ball"]),
        ("    if ball.x > 3 and player.y > 3:\n        r += 1\n", vec!["ball", "player"]),
        ("    if ball:\n        r += player.y\n", vec!["player"]),
        ("    if ball or player:\n        r += ball.x\n", vec!["ball"]),
        ("    if ball is None and player is None:\n        return 0.0\n    r += ball.x\n", vec!["ball"]),
        ("    if player:\n        r += player.is_on_top(ball)\n", vec!["ball"]),
        ("    x, y = ball.xy if player else (0, 0)\n    r += x\n", vec!["ball"]),
        ("    for o in objects:\n        if o is not player:\n            r += player.x\n", vec!["player"]),
        ("    if ball is None:\n        r -= 1\n    r += ball.x\n", vec!["ball"]),
        ("    last = max(objects, key=lambda o: o.x, default=None)\n    r += last.x\n", vec!["last"]),
        (
            "    def find(name):\n        for o in objects:\n            if o.category == name:\n                return o\n    r += find('Enemy').x\n",
            vec!["find('Enemy')"],
        ),
        ("    near = objects[0].closest_object(objects[1:])\n    r += near[0]\n", vec!["near"]),
    ];
    for (body, expected) in unguarded {
        let text = pong(body);
        assert_eq!(at(&text, &found(&text), "reward/possibly-none"), expected, "{body}");
    }
}

#[test]
fn guarded_uses_have_no_findings() {
    let guarded = [
        "    if ball and player:\n        r += ball.x - player.x\n",
        "    if not ball or not player:\n        return r\n    r += ball.x - player.x\n",
        "    if ball is None or player is None:\n        return r\n    r += ball.x - player.x\n",
        "    if ball is not None and player is not None and ball.x > player.x:\n        r += 1\n",
        "    if not (ball and player):\n        return r\n    r += ball.x - player.x\n",
        "    if None in (ball, player):\n        return r\n    r += ball.x - player.x\n",
        "    if not all([ball, player]):\n        return r\n    r += ball.x - player.x\n",
        "    if any(o is None for o in (ball, player)):\n        return r\n    r += ball.x - player.x\n",
        "    if all(o is not None for o in [ball, player]):\n        r += ball.x - player.x\n",
        "    r += ball.x if ball else 0\n",
        "    r += (ball and ball.x) or 0\n",
        "    r += ball is not None and ball.x > 3\n",
        "    seen = ball is not None\n    if seen:\n        r += ball.x\n",
        "    seen = False\n    for o in objects:\n        if o.category == 'Enemy':\n            enemy = o\n            seen = True\n    if seen:\n        r += enemy.x\n",
        "    if isinstance(ball, Ball):\n        r += ball.x\n",
        "    try:\n        r += ball.x\n    except AttributeError:\n        r -= 1\n",
        "    assert ball\n    r += ball.x\n",
        "    if ball != None:\n        r += ball.x\n",
        "    for o in objects:\n        if player is None:\n            continue\n        r += player.x\n",
        "    while ball is not None:\n        r += ball.x\n        break\n",
        "    if (enemy := next((o for o in objects if isinstance(o, Enemy)), None)):\n        r += enemy.x\n",
        "    def there(o):\n        return o is not None\n    if there(ball):\n        r += ball.x\n",
        "    balls = [o for o in objects if isinstance(o, Ball)]\n    first = balls[0] if balls else None\n    if balls:\n        r += first.x\n",
        "    balls = [o for o in objects if isinstance(o, Ball)]\n    first = balls[0] if len(balls) > 0 else None\n    if len(balls) == 0:\n        return r\n    r += first.x\n",
        "    if ball is None:\n        ball = objects[0]\n    r += ball.x\n",
        "    distance = None\n    if ball and player:\n        distance = abs(ball.x - player.x)\n    if distance is not None and distance < 3:\n        r += 1\n",
        "    r += getattr(ball, 'x', 0)\n",
        "    if hasattr(ball, 'x'):\n        r += ball.x\n",
    ];
    for body in guarded {
        let text = pong(body);
        let found = found(&text);
        let messages: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(messages, Vec::<&str>::new(), "{body}");
    }
}

#[test]
fn sources_of_none_are_reported_with_a_fix() {
    let text = pong("    r += player.y\n");
    let found = found(&text);
    let [finding] = &found[..] else { panic!("{found:?}") };
    assert_eq!(finding.message, "`player` may be `None` here: `.y` raises `AttributeError`");
    assert_eq!(finding.help, ["check first: `if player is not None:`, or return early"]);
    let [related] = &finding.related[..] else { panic!("{finding:?}") };
    let line = text[..related.span.start as usize].lines().last().unwrap();
    assert_eq!((line, &text[related.span.start as usize..related.span.end as usize]), ("    player = ", "None"));
    // A function that several call tells of the one that hands it nothing.
    let helper =
        "    def high(o):\n        return o.y < 50\n    if player:\n        r += high(player)\n    r += high(ball)\n";
    let text = pong(helper);
    assert_eq!(at(&text, &super::reward_lints::found(&text), "reward/possibly-none"), ["o"]);
}

#[test]
fn attributes_and_classes_that_the_world_lacks() {
    let cases = [
        ("    r += objects.x\n", "reward/unknown-attribute", "x", "`objects` is a list, which has no `x`"),
        ("    r += objects[0].xy.x\n", "reward/unknown-attribute", "x", "`objects[0].xy` is a tuple, which has no `x`"),
        (
            "    if ball:\n        r += ball.x.y\n",
            "reward/unknown-attribute",
            "y",
            "`ball.x` is a number, which has no `y`",
        ),
        (
            "    if ball:\n        r += ball.speed\n",
            "reward/unknown-attribute",
            "speed",
            "objects of `Ball` have no `speed`",
        ),
        ("    r += sum(o.w_h for o in objects)\n", "reward/unknown-attribute", "w_h", "objects have no `w_h`"),
        (
            "    for o in objects:\n        if o.category in ('Player', 'Ball'):\n            r += o.value\n",
            "reward/unknown-attribute",
            "value",
            "objects of `Player`, `Ball` have no `value`",
        ),
        (
            "    r += sum(o.__class__.__name__ == 'Bal' for o in objects)\n",
            "reward/unknown-class",
            "'Bal'",
            "unknown category `Bal`",
        ),
        (
            "    r += sum(o.category in ['Ball', 'Paddle'] for o in objects)\n",
            "reward/unknown-class",
            "'Paddle'",
            "unknown category `Paddle`",
        ),
        (
            "    def count(name):\n        return len([o for o in objects if o.category == name])\n    r += count('Balls')\n",
            "reward/unknown-class",
            "'Balls'",
            "unknown category `Balls`",
        ),
    ];
    for (body, code, place, message) in cases {
        let text = pong(body);
        let found = found(&text);
        let own: Vec<&Diagnostic> = found.iter().filter(|finding| finding.code.0 == code).collect();
        let messages: Vec<&str> = own.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!((messages, at(&text, &found, code)), (vec![message], vec![place]), "{body}");
    }
    let fine = [
        "    for o in objects:\n        o.counted = True\n    r += sum(o.counted for o in objects)\n",
        "    r += sum(o.value for o in objects if isinstance(o, (PlayerScore, EnemyScore)))\n",
        "    r += sum(o.value for o in objects if hasattr(o, 'value'))\n",
        "    r += sum(o.value for o in objects if 'Score' in o.category)\n",
        "    r += sum(o.category == 'NoObject' for o in objects)\n",
        "    r += sum(o.category.lower() == 'ball' for o in objects)\n",
        "    print('pong'.center(20))\n",
    ];
    for body in fine {
        let text = pong(body);
        assert_eq!(found(&text), [], "{body}");
    }
}

#[test]
fn kinds_that_do_not_go_together() {
    let cases = [
        (
            "    if ball and player:\n        r += ball.xy - player.xy\n",
            "`-` of a tuple and a tuple raises `TypeError`",
        ),
        ("    r += objects['Ball'].x\n", "`[..]` of a list and a string raises `TypeError`"),
        (
            "    if ball and player and ball < player:\n        r += 1\n",
            "`<` of an object and an object raises `TypeError`",
        ),
        ("    if ball and ball.center > 80:\n        r += 1\n", "`>` of a tuple and a number raises `TypeError`"),
        ("    r += objects[0].category + 1\n", "`+` of a string and a number raises `TypeError`"),
    ];
    for (body, message) in cases {
        let text = pong(body);
        let found = found(&text);
        let own = found.iter().filter(|finding| finding.code.0 == "reward/wrong-operands");
        let messages: Vec<&str> = own.map(|finding| finding.message.as_str()).collect();
        assert_eq!(messages, [message], "{body}");
    }
}

#[test]
fn categories_may_be_mended() {
    let text = pong("    r += sum(o.category == 'ball' for o in objects)\n");
    let found = found(&text);
    let [finding] = &found[..] else { panic!("{found:?}") };
    let fix = &finding.fixes[0];
    assert_eq!((fix.applicability, &*fix.edits[0].replacement), (Applicability::Unsafe, "Ball"));
    let span = fix.edits[0].span;
    assert_eq!(&text[span.start as usize..span.end as usize], "ball");
}

#[test]
fn impossible_conditions_are_reported_once() {
    let cases = [
        ("    if objects[0].y > 400:\n        r += 1\n", "reward/constant-comparison", Severity::Note),
        ("    if abs(objects[0].dx) < 0:\n        r += 1\n", "reward/constant-comparison", Severity::Note),
        ("    if len(objects) < 0:\n        return -1.0\n", "reward/constant-comparison", Severity::Note),
        ("    if type(objects[0]) == 'Ball':\n        r += 1\n", "reward/constant-comparison", Severity::Warning),
        ("    if objects[0] == Ball:\n        r += 1\n", "reward/constant-comparison", Severity::Warning),
        ("    if objects[0].category == 3:\n        r += 1\n", "reward/constant-comparison", Severity::Warning),
        ("    if False:\n        r += 1\n", "reward/unreachable", Severity::Warning),
        ("    first = objects[0]\n    if first is None:\n        return 0.0\n", "reward/unreachable", Severity::Note),
        ("    for o in objects:\n        continue\n        r += 1\n", "reward/unreachable", Severity::Warning),
        ("    if r > 1:\n        r = 2.0\n    elif r > 1:\n        r = 3.0\n", "reward/unreachable", Severity::Warning),
        (
            "    balls = [o for o in objects if isinstance(o, Ball)]\n    for b in balls:\n        if isinstance(b, Enemy):\n            r += 1\n",
            "reward/unreachable",
            Severity::Warning,
        ),
        ("    raise ValueError('no')\n    r += 1\n", "reward/unreachable", Severity::Warning),
    ];
    for (body, code, severity) in cases {
        let text = pong(body);
        let found = found(&text);
        let told: Vec<(&str, Severity)> = found.iter().map(|finding| (finding.code.0, finding.severity)).collect();
        assert_eq!(told, [(code, severity)], "{body}: {found:?}");
    }
    let fine = [
        "    LIMIT = 160\n    if LIMIT > 100:\n        r += 1\n",
        "    DEBUG = False\n    if DEBUG:\n        print(r)\n",
        "    count = 0\n    for o in objects:\n        count += 1\n        if count > 2:\n            break\n    r += count\n",
        "    if r > 1:\n        r = 1.0\n    elif r < -1:\n        r = -1.0\n",
        "    for o in objects:\n        if isinstance(o, Ball) or isinstance(o, Enemy):\n            if isinstance(o, Ball):\n                r += 1\n            elif isinstance(o, Enemy):\n                r += 2\n            else:\n                pass\n",
        "    def kind(o):\n        if o.category == 'Ball':\n            return 1\n        return 2\n    if ball:\n        r += kind(ball)\n",
        "    xs = []\n    for o in objects:\n        xs.append(o.x)\n    if xs:\n        r += max(xs)\n",
        "    best = float('inf')\n    for o in objects:\n        if o.x < best:\n            best = o.x\n    if best < float('inf'):\n        r += best\n",
    ];
    for body in fine {
        let text = pong(body);
        assert_eq!(found(&text), [], "{body}");
    }
}

#[test]
fn parts_that_are_never_added() {
    let cases = [
        ("    hit_reward = 0.0\n    if ball:\n        hit_reward += 1.0\n", vec!["hit_reward"]),
        ("    miss_penalty = -1.0\n    bonus = 0.1\n    r += bonus\n", vec!["miss_penalty"]),
        ("    near = 0.0\n    for o in objects:\n        near += 0.1\n", vec!["near"]),
        ("    bonus = 1.0\n    twice_bonus = bonus * 2\n", vec!["bonus", "twice_bonus"]),
        ("    bonus = 1.0\n    twice = bonus * 2\n    r += twice\n", vec![]),
        ("    parts = {}\n    bonus = 1.0\n    parts['bonus'] = bonus\n    r += sum(parts.values())\n", vec![]),
        ("    width = 160\n    half = width / 2\n", vec![]),
        ("    def more():\n        return bonus\n    bonus = 1.0\n    r += more()\n", vec![]),
        ("    bonus = 1.0\n    print(bonus)\n", vec![]),
    ];
    for (body, expected) in cases {
        let text = pong(body);
        assert_eq!(at(&text, &found(&text), "reward/component-unused"), expected, "{body}");
    }
}

#[test]
fn results_outside_the_promised_range() {
    let outside = [
        (
            "\"\"\"Returns a reward in the range [-1, 1].\"\"\"",
            "return 5.0",
            "the reward is 5, outside of the documented range [-1, 1]",
        ),
        (
            "# The reward is between 0 and 1.",
            "return -0.5",
            "the reward is -0.5, outside of the documented range [0, 1]",
        ),
        (
            "# Clamp the reward to [-1, 1].",
            "return max(-10, min(10, float(len(objects))))",
            "the reward is clamped to [-10, 10], outside of the documented range [-1, 1]",
        ),
    ];
    for (range, result, expected) in outside {
        let text = format!("def reward_function(objects):\n    {range}\n    {result}\n");
        let found = found(&text);
        let [finding] = &found[..] else { panic!("{text}{found:?}") };
        assert_eq!((finding.code.0, &*finding.message), ("reward/out-of-range", expected));
    }
    let within = [
        ("# The distance is within [0, 1].", "return 5.0"),
        ("# Constants for rewards, within [-1, 1].", "return 5.0"),
        ("# The reward is within [-1, 1].", "return 1"),
        ("# The reward is within [-1, 1].", "return 2.0 * len(objects)"),
        ("# The reward is within [-1, 1].", "return max(-1.0, min(1.0, 7.0 * len(objects)))"),
    ];
    for (range, result) in within {
        let text = format!("def reward_function(objects):\n    {range}\n    {result}\n");
        assert_eq!(found(&text), [], "{text}");
    }
}

#[test]
fn externally_promised_ranges_count() {
    let text = "def reward_function(objects):\n    # The reward is within [-1, 1].\n    return 5.0\n";
    let library = library(text, None);
    let promised = |low, high| Some(RewardRange { min: low, max: high, span: None });
    assert_eq!(reward_lints::diagnostics_with_range(&library, promised(0.0, 5.0)), []);
    let found = reward_lints::diagnostics_with_range(&library, promised(0.0, 1.0));
    assert_eq!(found[0].message, "the reward is 5, outside of the documented range [0, 1]");
    assert_eq!(found[0].related, []);
}

#[test]
fn other_signatures_have_their_objects_too() {
    let head = "from ocatari.ram.pong import *\n\ndef reward_function";
    let cases = [
        ("(env):\n    return sum(o.speed for o in env.objects)\n", vec!["reward/unknown-attribute"]),
        ("(env):\n    return sum(o.category == 'Bal' for o in env.objects)\n", vec!["reward/unknown-class"]),
        ("(env):\n    for o in env.objects:\n        last = o\n    return last.x\n", vec![]),
        ("(prev_state, state):\n    return state.ball.speed if state.ball else 0\n", vec!["reward/unknown-attribute"]),
        ("(prev_state, state):\n    return state.player.x - prev_state.player.x\n", vec![]),
        ("(prev_state, state):\n    if prev_state is None:\n        return 0\n    return len(state.objects)\n", vec![]),
        ("(player, ball):\n    return ball.x - player.x\n", vec!["reward/possibly-none", "reward/possibly-none"]),
        ("(player, ball):\n    return ball.x - player.x if ball and player else 0\n", vec![]),
    ];
    for (rest, expected) in cases {
        let text = format!("{head}{rest}");
        let codes: Vec<&str> = found(&text).iter().map(|finding| finding.code.0).collect();
        assert_eq!(codes, expected, "{rest}");
    }
}

#[test]
fn functions_inside_of_others_may_be_unused() {
    let text = "def reward_function(objects):\n    def near(a):\n        return near(a)\n    def far(a):\n        return 2.0\n    return far(1)\n";
    assert_eq!(at(text, &found(text), "reward/unused-function"), ["near"]);
}

#[test]
fn elements_are_removed_twice_from_under_a_copy_as_well() {
    for copy in ["list(objects)", "objects[:]", "objects.copy()"] {
        let text = format!(
            "def reward_function(objects):\n    others = sorted(objects, key=lambda o: o.x)\n    for a in {copy}:\n        for b in others:\n            if a.x < b.x:\n                objects.remove(a)\n    return 0.0\n"
        );
        let codes: Vec<&str> = found(&text).iter().map(|finding| finding.code.0).collect();
        assert_eq!(codes, ["reward/removed-twice", "reward/changes-objects"], "{copy}");
    }
}

/// Programs as they are written, one after the other, each behind a line that tells it apart.
const FAIR: &str = include_str!("fair.py.txt");

#[test]
fn correct_programs_have_no_findings() {
    let mut count = 0;
    for text in FAIR.split("# ----\n").filter(|text| !text.trim().is_empty()) {
        let diagnostics: Vec<Diagnostic> =
            found(text).into_iter().filter(|finding| finding.severity >= Severity::Warning).collect();
        assert_eq!(diagnostics, [], "{text}");
        count += 1;
    }
    assert!(count >= 12, "{count} programs");
}

fn published(name: &str) -> Option<Library> {
    let folder = conformance("reward")?;
    let programs = vec![folder.join("programs").join(format!("{name}.py"))];
    Some(Library::load(&Inputs { programs, ..Inputs::default() }, LibraryOptions::default(), &|| ()))
}

/// The lines and codes of warnings.
fn warnings(library: &Library, found: &[Diagnostic]) -> Vec<(usize, &'static str)> {
    let bad = found.iter().filter(|finding| finding.severity >= Severity::Warning);
    bad.filter_map(|finding| {
        let span = finding.span?;
        Some((library.sources().file(span.source).line_column(span.start).0, finding.code.0))
    })
    .collect()
}

#[test]
fn published_programs_have_exactly_the_expected_findings() {
    let (none, changed, twice) = ("reward/possibly-none", "reward/changed-while-iterating", "reward/removed-twice");
    let expected = [
        ("l09_freeway_full", vec![]),
        ("l10_freeway_direct", vec![]),
        ("l12_pong_full", vec![]),
        ("l13_pong_direct", vec![(22, none), (23, none), (24, none)]),
        ("l15_seaquest_full", vec![(48, changed), (90, changed), (102, changed), (103, twice), (103, changed)]),
        ("l16_seaquest_direct", vec![]),
        ("l18_skiing_full", vec![]),
        ("l19_skiing_direct", vec![]),
    ];
    for (name, expected) in expected {
        let Some(library) = published(name) else { return };
        assert_eq!(warnings(&library, &reward_lints::diagnostics(&library)), expected, "{name}");
    }
}

#[test]
fn recordings_reveal_dead_thresholds() {
    let cases = [
        ("l09_freeway_full", "freeway", "`chicken.y <= 0` is never true in 4000 evaluations: nearest values 17 and 0"),
        ("l16_seaquest_direct", "seaquest", "`player.y == 0` is never true"),
        ("l12_pong_full", "pong", "`ball.x > playing_field_width` is never true"),
    ];
    for (name, game, message) in cases {
        let (Some(library), Some(folder)) = (published(name), conformance("reward")) else { return };
        let recording = |policy: &str| -> PathBuf { folder.join(format!("traces/{game}_{policy}_s0.jsonl.gz")) };
        let inputs = ["random", "scripted"].map(|policy| TraceInput::File(recording(policy)));
        let found = reward_lints::recording_diagnostics(&library, &inputs, None, &|_| ());
        let dead: Vec<&Diagnostic> = found
            .iter()
            .filter(|finding| finding.code.0 == "reward/dead-threshold" && finding.severity == Severity::Warning)
            .collect();
        assert!(dead.iter().any(|finding| finding.message.starts_with(message)), "{name}: {dead:?}");
        assert!(dead.iter().all(|finding| finding.label.is_some() && finding.span.is_some()));
    }
}

#[test]
fn recordings_reveal_rewards_outside_the_promised_range() {
    let text = "from ocatari.ram.pong import *\n\ndef reward_function(objects):\n    # The reward is within [-1, 1].\n    return sum(o.x for o in objects) * 1.0\n";
    let library = library(text, None);
    let found = reward_lints::recording_diagnostics(&library, &[super::pong(&[&[10, 20]])], None, &|_| ());
    let promised: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(promised, ["the reward ranges from 150 to 160 in pong.jsonl, outside of the documented range [-1, 1]"]);
    let other =
        super::library("from ocatari.ram.freeway import *\n\ndef reward_function(objects):\n    return 0\n", None);
    let refused = reward_lints::recording_diagnostics(&other, &[super::pong(&[&[10, 20]])], None, &|_| ());
    assert_eq!(refused[0].code.0, "trace/wrong-world");
}
