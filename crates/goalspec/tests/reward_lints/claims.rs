//! Pairs of similar programs, one with a finding and one without.

use super::{at, found, pong};

/// Returns the findings in a program for Pong.
fn told(text: &str) -> Vec<String> {
    let whole = format!("from ocatari.ram.pong import *\n{text}");
    found(&whole).into_iter().map(|finding| format!("{}: {}", finding.code.0, finding.message)).collect()
}

/// The codes of what is told of the body of a function over objects of Pong.
fn codes(body: &str) -> Vec<&'static str> {
    found(&pong(body)).iter().map(|finding| finding.code.0).collect()
}

const NONE: &str = "reward/possibly-none";
const UNBOUND: &str = "reward/possibly-unbound";
const CONSTANT: &str = "reward/constant-comparison";
const UNREACHABLE: &str = "reward/unreachable";

#[test]
fn a_class_that_is_compared_with_a_text_says_nothing_of_the_object() {
    let wrong = "    for o in objects:\n        if type(o) == 'Enemy':\n            r += 1\n        elif isinstance(o, Enemy):\n            r += 2\n";
    assert_eq!(codes(wrong), [CONSTANT]);
    let right = wrong.replace("type(o)", "type(o).__name__");
    assert_eq!(codes(&right), [UNREACHABLE]);
    assert_eq!(codes("    if ball and ball.category != Ball:\n        r += ball.x\n"), [CONSTANT]);
}

#[test]
fn only_all_objects_are_always_some() {
    let last = |list: &str, how: &str| {
        format!(
            "\ndef last(objects):\n    for o in objects:\n        found = o\n    return found.x\n\ndef reward_function(objects):\n    some = {list}\n    return last({how})\n"
        )
    };
    assert_eq!(told(&last("0", "objects")), Vec::<String>::new());
    assert_eq!(told(&last("[o for o in objects if isinstance(o, Ball)]", "some")).len(), 1);
    // The same name may get fewer of them.
    let filtered = "    objects = [o for o in objects if o.x > 80]\n    far = None\n    for o in objects:\n        far = o\n    if far is None:\n        return -1.0\n    r += far.x\n";
    assert_eq!(codes(filtered), [""; 0]);
    for (body, expected) in [
        ("    for n, o in enumerate(objects):\n        last = n\n    r += last\n", vec![]),
        ("    for n, o in enumerate(objects[2:]):\n        last = n\n    r += last\n", vec![UNBOUND]),
        ("    for n in range(len(objects)):\n        last = n\n    r += last\n", vec![]),
        ("    for n in range(2, 5):\n        last = n\n    r += last\n", vec![]),
        ("    for n in range(5, 2):\n        last = n\n    r += last\n", vec![UNBOUND]),
        ("    for n in range(5, 2, -1):\n        last = n\n    r += last\n", vec![]),
        ("    for n in range(int(r), 5):\n        last = n\n    r += last\n", vec![]),
        ("    for n in range(objects[0].x):\n        last = n\n    r += last\n", vec![UNBOUND]),
    ] {
        assert_eq!(codes(body), expected, "{body}");
    }
}

#[test]
fn elements_that_are_deleted_are_gone() {
    let body = "    balls = [o for o in objects if isinstance(o, Ball)]\n    if balls:\n        del balls[0]\n        if not balls:\n            r += 1\n";
    assert_eq!(codes(body), [""; 0]);
    assert_eq!(codes(&body.replace("        del balls[0]\n", "")), [UNREACHABLE]);
}

#[test]
fn promises_are_about_the_result_and_not_about_its_parts() {
    let promised = |before: &str, comment: &str| {
        format!(
            "\ndef reward_function(objects):\n    r = float(len(objects))\n    {before}\n    r += 0.5\n    {comment}\n    return max(-5.0, min(5.0, r))\n"
        )
    };
    for (before, comment) in [
        ("# Tracking reward, scaled to [0, 0.1]", ""),
        ("# The reward is within [-1, 1]", ""),
        ("", "# The distance ratio of the reward is within [-1, 1]"),
        ("", "# Proximity reward in the range [-1, 1]"),
        ("", "# Clamp it to [-1, 1]"),
    ] {
        assert_eq!(told(&promised(before, comment)), Vec::<String>::new(), "{before} {comment}");
    }
    let expected = "reward/out-of-range: the reward is clamped to [-5, 5], outside of the documented range [-1, 1]";
    for comment in ["# The reward is within [-1, 1]", "# Clip the total reward to [-1, 1]"] {
        assert_eq!(told(&promised("", comment)), [expected], "{comment}");
    }
    let beside = "\ndef reward_function(objects):\n    \"\"\"The reward is within [-1, 1].\"\"\"\n    return 3.0, {\"all\": 3.0}\n";
    assert_eq!(told(beside), ["reward/out-of-range: the reward is 3, outside of the documented range [-1, 1]"]);
}

#[test]
fn a_branch_may_leave_the_promised_range() {
    let head = "\ndef reward_function(objects):\n    \"\"\"The reward is within [-1, 1].\"\"\"\n    r = 0.0\n";
    let far = "    if len(objects) > 3:\n        r = 2.0\n";
    let outside = |text: &str| {
        told(&format!("{head}{text}"))
            .into_iter()
            .filter(|told| told.starts_with("reward/out-of-range"))
            .collect::<Vec<_>>()
    };
    let expected = "reward/out-of-range: the reward may be 2, outside of the documented range [-1, 1]";
    assert_eq!(outside(&format!("{far}    return r\n")), [expected]);
    assert_eq!(
        outside(&format!("{far}    elif len(objects) > 2:\n        r = -1.0\n    return r, {{}}\n")),
        [expected]
    );
    for rest in [
        "    r = max(-1.0, min(1.0, r))\n    return r\n",
        "    r -= 1.5\n    return r\n",
        "    if len(objects) > 2:\n        r = 1.0\n    return r\n",
        "    for o in objects:\n        r = 0.5\n    return r\n",
        "    return r / 2\n",
    ] {
        assert_eq!(outside(&format!("{far}{rest}")), Vec::<String>::new(), "{rest}");
    }
}

#[test]
fn arguments_of_calls_in_other_functions_are_unknown() {
    // A comparison of a lambda holds for one call and not for another one.
    let over = "    over = lambda limit: objects[0].x > limit\n    if over(1000):\n        r += 1\n    def later(limit):\n        return over(limit)\n    r += later(20)\n";
    assert!(!codes(over).contains(&CONSTANT), "{:?}", codes(over));
    // What is written as a key is called there alone.
    let key = "    r += max(objects, key=lambda o: o.x > 900).x\n";
    assert_eq!(codes(key), [CONSTANT]);
    // A function passed as an argument reads its own variables, not those of its caller.
    let handed = "\ndef pick(objects, test):\n    best = None\n    for o in objects:\n        if test(o):\n            best = o\n    return best\n\ndef reward_function(objects):\n    best = 50\n    def right(o):\n        return o.x > best\n    a = pick(objects, right)\n    b = pick(objects, lambda o: o.x > best)\n    return 0.0 if a is None or b is None else a.x - b.x\n";
    assert_eq!(told(handed), Vec::<String>::new());
    let none = handed.replace("best = 50", "best = None");
    assert!(told(&none).iter().all(|told| !told.starts_with(UNREACHABLE)), "{:?}", told(&none));
}

#[test]
fn attributes_may_be_given_by_name() {
    let given = |name: &str| {
        format!(
            "    for o in objects:\n        if not hasattr(o, 'seen'):\n            setattr(o, {name}, 0)\n        if hasattr(o, 'seen'):\n            r += o.seen\n"
        )
    };
    assert_eq!(codes(&given("'seen'")), [""; 0]);
    assert_eq!(codes(&given("'se' + 'en'")), [""; 0]);
    assert_ne!(codes(&given("'other'")), [""; 0]);
}

#[test]
fn defaults_and_decorators_are_uses() {
    let text = "\ndef far(a):\n    return a.x\n\ndef near(a, measure=far):\n    return measure(a)\n\ndef reward_function(objects):\n    return near(objects[0])\n";
    assert_eq!(told(text), Vec::<String>::new());
    let unused = text.replace("near(objects[0])", "1.0");
    assert_eq!(told(&unused).len(), 2, "{:?}", told(&unused));
}

#[test]
fn sentinels_imply_the_found_object() {
    let sentinel = |start: &str, test: &str| {
        format!(
            "    best = {start}\n    lowest = None\n    for o in objects:\n        if isinstance(o, Ball) and o.y > best:\n            best = o.y\n            lowest = o\n    if {test}:\n        return r\n    r += lowest.x\n"
        )
    };
    assert_eq!(codes(&sentinel("-1", "best == -1")), [""; 0]);
    assert_eq!(codes(&sentinel("float('-inf')", "best == float('-inf')")), [""; 0]);
    assert_eq!(codes(&sentinel("-1", "best == -2")), [NONE]);
    let index = "    place = -1\n    for n, o in enumerate(objects):\n        if isinstance(o, Ball):\n            place = n\n            seen = o\n    if place == -1:\n        return r\n    r += seen.x\n";
    assert_eq!(codes(index), [""; 0]);
    assert_eq!(codes(&index.replace("place == -1", "place == -2")), [UNBOUND]);
    let counted = "    n = 0\n    for o in objects:\n        if isinstance(o, Ball):\n            seen = o\n            n += 1\n    if n == 0:\n        return r\n    r += seen.x\n";
    assert_eq!(codes(counted), [""; 0]);
    // Comparisons of two numbers set by the program have no findings.
    assert_eq!(codes("    n = 3\n    if n == 3:\n        r += 1\n    else:\n        r -= 1\n"), [""; 0]);
}

#[test]
fn unknown_values_remember_whether_they_are_none() {
    let kept = "\nkept = {'last': None}\n\ndef reward_function(objects):\n    ball = next((o for o in objects if isinstance(o, Ball)), None)\n    last = kept['last']\n    kept['last'] = ball\n    if last is None and ball is None:\n        return 0.0\n    if last is not None and ball is None:\n        return 1.0\n    if last is None:\n        return 0.0\n    return ball.x - last.x\n";
    assert_eq!(told(kept), Vec::<String>::new());
    let open = kept.replace("    if last is not None and ball is None:\n        return 1.0\n", "");
    assert_eq!(told(&open).len(), 1, "{:?}", told(&open));
}

#[test]
fn a_handler_guards_calls_and_only_the_exceptions_it_catches() {
    let guarded = |caught: &str| {
        format!(
            "\ndef apart(a, b):\n    return abs(a.x - b.x)\n\ndef reward_function(objects):\n    ball = next((o for o in objects if isinstance(o, Ball)), None)\n    try:\n        return apart(ball, objects[0])\n    except {caught}:\n        return 0.0\n"
        )
    };
    for (caught, count) in [
        ("AttributeError", 0),
        ("(KeyError, AttributeError)", 0),
        ("Exception", 0),
        ("ValueError", 1),
        ("TypeError", 1),
        ("(KeyError, NameError)", 1),
    ] {
        let told = told(&guarded(caught));
        assert_eq!(told.len(), count, "{caught}: {told:?}");
    }
    let unbound = "    for o in objects:\n        if isinstance(o, Enemy):\n            enemy = o\n    try:\n        r += enemy.x\n    except NameError:\n        r -= 1\n";
    assert_eq!(codes(unbound), [""; 0]);
    assert_eq!(codes(&unbound.replace("NameError", "AttributeError")), [UNBOUND]);
}

#[test]
fn lists_and_counts_of_optional_objects_guard_them() {
    let search = "    enemy = None\n    for o in objects:\n        if isinstance(o, Enemy):\n            enemy = o\n";
    let guards = [
        "    there = [o for o in (enemy, ball) if o is not None]\n    if len(there) < 2:\n        return r\n",
        "    there = sum(1 for o in (enemy, ball) if o is not None)\n    if there != 2:\n        return r\n",
        "    both = (enemy, ball)\n    if not all(both):\n        return r\n",
        "    missing = []\n    if enemy is None:\n        missing.append('enemy')\n    if ball is None:\n        missing.append('ball')\n    if missing:\n        return r\n",
        "    there = getattr(enemy, 'x', None) is not None and getattr(ball, 'x', None) is not None\n    if not there:\n        return r\n",
    ];
    for guard in guards {
        assert_eq!(codes(&format!("{search}{guard}    r += enemy.x - ball.x\n")), [""; 0], "{guard}");
    }
    assert_eq!(codes(&format!("{search}    r += enemy.x - ball.x\n")), [NONE, NONE]);
    let walrus = "    near = None\n    if any((near := o).x > 80 for o in objects):\n        r += near.x\n";
    assert_eq!(codes(walrus), [""; 0]);
}

#[test]
fn settings_may_switch_branches_off() {
    let switched = |setting: &str, test: &str| {
        let whole =
            pong(&format!("    if {test}:\n        r += 1\n")).replace("\n\ndef", &format!("\n{setting}\n\ndef"));
        found(&whole).len()
    };
    assert_eq!(switched("MODE = 'dense'", "MODE == 'sparse'"), 0);
    assert_eq!(switched("MODE = 'dense'", "MODE in ('sparse', 'none')"), 0);
    assert_eq!(switched("LEVEL = 2", "LEVEL == 1"), 0);
    assert_eq!(switched("mode = 'dense'", "mode == 'sparse'"), 1);
}

#[test]
fn parts_beside_the_reward_are_no_use_of_them() {
    let parts = |total: &str| {
        format!(
            "\ndef bonus():\n    return 0.5\n\ndef reward_function(objects):\n    near = 0.1 * len(objects)\n    alive = 0.01\n    rest_bonus = bonus()\n    total = {total}\n    total + alive\n    return total, {{'near': near, 'alive': alive}}\n"
        )
    };
    let codes = |total: &str| {
        let text = parts(total);
        at(&text, &found(&text), "reward/component-unused").into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(codes("near"), ["alive", "rest_bonus"]);
    assert_eq!(codes("near + alive"), ["rest_bonus"]);
    assert_eq!(codes("near + alive + rest_bonus"), [""; 0]);
}

#[test]
fn behind_a_use_of_none_the_rest_is_still_looked_at() {
    let body = "    enemy = None\n    for o in objects:\n        if isinstance(o, Enemy):\n            enemy = o\n        elif isinstance(o, Ball):\n            r += enemy.x\n    if enemy.lives > 2:\n        r += 1\n";
    assert_eq!(codes(body), [NONE, "reward/unknown-attribute"]);
}

#[test]
fn missing_keys_of_tables_states_and_saved_objects() {
    let table = |guard: &str, how: &str| {
        codes(&format!("    by = {{o.category: o for o in objects}}\n{guard}    r += {how}.x\n"))
    };
    assert_eq!(table("", "by.get('Enemy')"), [NONE]);
    assert_eq!(table("    enemy = by.get('Enemy')\n", "enemy"), [NONE]);
    assert_eq!(table("    enemy = by.get('Enemy')\n    if not enemy:\n        return r\n", "enemy"), [""; 0]);
    assert_eq!(table("    if 'Enemy' not in by:\n        return r\n", "by.get('Enemy')"), [""; 0]);
    assert_eq!(table("    if len(by) < 3:\n        return r\n", "by.get('Enemy')"), [""; 0]);
    assert_eq!(table("", "by.get('Enemy', objects[0])"), [""; 0]);
    assert_eq!(table("    by['Enemy'] = objects[0]\n", "by.get('Enemy')"), [""; 0]);
    assert_eq!(table("", "by['Enemy']"), [""; 0]);

    let state = |body: &str| told(&format!("\ndef reward_function(prev_state, state):\n{body}")).len();
    assert_eq!(state("    ball = state.ball\n    return ball.x\n"), 1);
    assert_eq!(state("    ball = state.ball\n    return ball.x if ball else 0\n"), 0);
    assert_eq!(state("    if state.ball is None:\n        return 0\n    ball = state.ball\n    return ball.x\n"), 0);

    let last = "\nlast = None\n\ndef reward_function(objects):\n    global last\n    first = objects[0]\n    GUARD\n    gone = first.x - last.x\n    last = first\n    return gone\n";
    assert_eq!(told(&last.replace("GUARD", "")).len(), 1);
    assert_eq!(told(&last.replace("GUARD", "last = last or first")).len(), 0);
    assert_eq!(told(&last.replace("GUARD", "if last is None:\n        last = first\n        return 0.0")).len(), 0);
}

#[test]
fn facts_from_loops_and_inner_functions_count() {
    let body = "    balls = [o for o in objects if isinstance(o, Ball)]\n    last = None\n    for o in balls:\n        last, seen = o, o\n    if balls:\n        r += last.x + seen.x\n";
    assert_eq!(codes(body), [""; 0]);
    assert_eq!(codes(&body.replace("if balls:", "if r < 3:")), [NONE, UNBOUND]);
    let inner = "    kept = {'ball': ball}\n    def there():\n        return kept['ball'] is not None\n    if there():\n        r += ball.x\n";
    assert_eq!(codes(inner), [""; 0]);
    assert_eq!(codes(&inner.replace("if there():", "if r < 3:")).len(), 2);
}
