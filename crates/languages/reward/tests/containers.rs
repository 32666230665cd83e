//! Dicts with keys that are known only at run time, sets, and functions on iterables run on the fast engine with equal results.

use goalspec_python_runtime::limits::CallBudget;
use goalspec_python_runtime::scene::SceneObject;

use crate::fast::compare;
use crate::worlds;

/// Returns scenes with some objects at different places.
pub(crate) fn scenes() -> Vec<Vec<SceneObject>> {
    let world = worlds::world("pong");
    let object = |class: u16, x: i32| SceneObject { position: (x, 2 * x + 1), ..world.new_object(class) };
    (0..5).map(|n| (0..6).map(|place| object(place % 3, (7 * i32::from(place) + n) % 11)).collect()).collect()
}

/// Asserts that the results of a function body agree on all engines, and that no call is handed over.
pub(crate) fn assert_fast(top: &str, body: &str) {
    let text = format!("{top}def f(objects):\n    {}\n", body.trim().replace('\n', "\n    "));
    let scenes = scenes();
    let counts = compare(&text, "f", &worlds::world("pong"), &scenes, CallBudget::default());
    assert_eq!((counts.returned, counts.fallbacks), (scenes.len() as u64, 0), "{text}");
}

#[test]
fn dicts_with_variable_keys() {
    for body in [
        "d = {}\nfor o in objects:\n    d[o.x % 4] = o.y\nreturn sum(d.values()) + len(d) * 1000",
        "d = {}\nfor o in objects:\n    d[o.x] = d.get(o.x, 0.5) + o.y\nt = 0\nfor k, v in d.items():\n    t = t * 3 + k + v\nreturn t",
        "d = {}\nfor o in objects:\n    d.setdefault(o.x % 3, []).append(o.y)\nreturn sum(k * len(v) + v[0] for k, v in d.items())",
        "d = {o.x: (o.y, o.x / 2) for o in objects}\nt = 0.0\nfor k, (a, b) in sorted(d.items()):\n    t = t / 2 + k + a * b\nreturn t",
        "d = {(o.x % 2, o.category): o.y for o in objects}\nreturn d.get((0, \"Player\"), -1) * 100 + len(d) + ((1, \"Ball\") in d)",
        "d = {}\nfor o in objects:\n    d[o.x / 2] = o.y\nreturn sum(k for k in d) + (3 in d) + (2.5 in d) * 2",
        "d = {o.x: o.y for o in objects}\nt = d.pop(objects[0].x) + d.pop(99, 5)\nif objects[1].x in d:\n    del d[objects[1].x]\nreturn t + len(d) * 100",
        "d = {o.x % 3: o.y for o in objects}\nreturn max(d, key=d.get) * 100 + min(d.values()) + max(d)",
        "d = dict(zip((o.x for o in objects), (o.y for o in objects)))\ne = d.copy()\nd.clear()\nreturn len(e) * 10 + len(d) + (not d)",
        "d = {}\nfor o in objects:\n    d[o.category] = d.get(o.category, 0) + o.x\nt = 0\nfor k, v in sorted(d.items(), key=lambda kv: (-kv[1], kv[0])):\n    t = t * 7 + v + len(k)\nreturn t",
        "d = {1: 2}\nfor o in objects:\n    d[o.x] = 0\nfor k in d:\n    d[k] = k + 1\nreturn sum(d.values())",
    ] {
        assert_fast("", body);
    }
}

/// A loop over a dict that changes its size ends with an exception.
#[test]
fn dicts_that_change_during_loops() {
    for body in [
        "for k in d:\n        d[k + 100] = 1",
        "for k, v in d.items():\n        d[objects[0].x] = v",
        "for v in d.values():\n        d.pop(objects[0].x, 0)",
    ] {
        let text = format!(
            "def f(objects):\n    d = {{}}\n    for o in objects[1:]:\n        d[o.x] = o.y\n    {body}\n    return len(d)\n"
        );
        compare(&text, "f", &worlds::world("pong"), &scenes(), CallBudget::default());
    }
}

/// Values of `zip` and of dicts are read when they are asked for, once, and not when they are made.
#[test]
fn values_that_are_read_late() {
    for (top, body) in [
        (
            "",
            "a, b, t = [1, 2, 3], [4, 5, 6], 0\nfor x, y in zip(a, b):\n    t = t * 10 + x * y\n    b[2] = 50\nreturn t",
        ),
        (
            "",
            "a, b, t = [1, 2], [4, 5, 6], 0\nfor x, y in zip(a, b):\n    t = t * 10 + y\n    a += [1]\n    if t > 9999:\n        break\nreturn t",
        ),
        ("", "z = zip([1, 2], [3, 4])\nreturn len(list(z)) * 10 + len(list(z))"),
        (
            "",
            "z, t = zip([1, 2, 3], [3, 4, 5]), 0\nfor x, y in z:\n    t += x\n    break\nfor x, y in z:\n    t += y * 100\nreturn t",
        ),
        ("", "z = enumerate(zip([1, 2], [3, 4]))\nreturn len(list(z)) * 10 + len(list(z))"),
        ("", "d = {'a': 1, 'b': 2}\nt = 0\nfor k, v in d.items():\n    d['b'] = 50\n    t = t * 100 + v\nreturn t"),
        ("", "d = {'a': 1, 'b': 2}\nv = d.values()\nd['a'] = 10\nreturn sum(v)"),
        (
            "def set_last(values):\n    values[-1] = 70\n",
            "b, t = [4, 5], 0\nfor x, y in zip([1, 2], b):\n    set_last(b)\n    t = t * 10 + x + y\nreturn t",
        ),
    ] {
        let text = format!("{top}def f(objects):\n    {}\n", body.replace('\n', "\n    "));
        compare(&text, "f", &worlds::world("pong"), &scenes(), CallBudget::default());
    }
    for body in [
        "t = 0\nfor a, b in zip(objects, objects[1:]):\n    t += abs(a.x - b.x)\nreturn t",
        "x = [o.x for o in objects]\nreturn sum(a * b for a, b in zip(x, x[1:])) + sum([a - b for a, b in zip(x, x)])",
        "t = 0\nfor i, (a, b) in enumerate(zip([1, 2], objects)):\n    t += i * a * b.x\nreturn t",
        "d = {'a': 1, 'b': 2}\nt = 0.5\nfor k, v in d.items():\n    t += v * len(k)\nreturn t + max(d.values()) + len(d.items())",
    ] {
        assert_fast("", body);
    }
}

#[test]
fn sets() {
    for body in [
        "s = {o.x % 4 for o in objects}\nreturn len(s) * 10 + (2 in s) + (objects[0].x not in s) * 2",
        "s = set()\nfor o in objects:\n    s.add((o.x % 2, o.y % 3))\ns.discard((0, 0))\nreturn sum(a * 10 + b for a, b in sorted(s))",
        "a, b = {o.x for o in objects[:3]}, set(o.x for o in objects[2:])\nreturn len(a & b) + 10 * len(a | b) + 100 * len(a - b) + 1000 * len(a ^ b)",
        "s = {o.x / 2 for o in objects}\nreturn max(s) * 10 + min(s) + (1 in s)",
        "s = {o.category for o in objects}\nt = 0\nfor name in sorted(s):\n    t = t * 3 + len(name)\nreturn t",
    ] {
        assert_fast("", body);
    }
    assert_fast("CHOSEN = {1, 4, 5}\n", "return sum(o.x in CHOSEN for o in objects)");
}

#[test]
fn counters_and_default_dicts() {
    let top = "from collections import Counter, defaultdict\n";
    for body in [
        "c = Counter(o.category for o in objects)\nreturn c[\"Player\"] * 10 + c[\"Nothing\"] + len(c)",
        "c = Counter()\nfor o in objects:\n    c[o.x % 3] += 2\nreturn c[0] + c[1] * 10 + c[7] * 100 + len(c) * 1000",
        "d = defaultdict(list)\nfor o in objects:\n    d[o.x % 3].append(o.y)\nreturn sum(k * max(v) for k, v in d.items()) + len(d[9]) + len(d)",
        "d = defaultdict(float)\nfor o in objects:\n    d[o.x % 2] += o.y / 4\nreturn d[0] - d[1]",
    ] {
        assert_fast(top, body);
    }
}

#[test]
fn functions_on_iterables() {
    for body in [
        "return sum(map(lambda o: o.x * o.y, objects)) + max(map(abs, [o.x - 5 for o in objects]))",
        "return next(filter(lambda o: o.x > 4, objects), objects[0]).y + len(list(filter(None, [o.x for o in objects])))",
        "t = 0\nfor a, b in zip(objects, reversed(objects)):\n    t = t * 2 + a.x - b.y\nreturn t",
        "rows = [[o.x] * (o.x % 3) for o in objects]\nreturn sum(map(len, rows)) + len(max(rows, key=len))",
        "d = {o.x: o.y for o in objects}\nreturn next(iter(d), 0) + next(iter(d.values()))",
        "first, *rest = [o.x for o in objects]\n*start, last = rest\na, *b, c = objects[0].x, 2, 3.5\nreturn first + sum(rest) * 10 + sum(start) * 100 + last + len(b) + c",
        "xs = [float(o.x) for o in objects]\nreturn -sum(xs) + abs(sum(xs) - 40) + float(sum(xs)) + sum(xs) ** 2 + int(sum(xs)) + round(sum(xs) / 3, 2)",
        "return (objects[0].category < objects[1].category) + 2 * (\"Ball\" <= objects[2].category) + len(objects[1].category) * 10",
    ] {
        assert_fast("", body);
    }
    let top = "def g(a, b, c):\n    return a * 100 + b * 10 + c\n";
    assert_fast(top, "xs = [o.x for o in objects]\nreturn g(*xs[:3]) + g(1, *xs[3:5]) + g(*xs[4:], 2)");
}

/// A list of another length than the parameters raises the same exception.
#[test]
fn stars_before_lists_of_other_lengths() {
    let text = "def g(a, b):\n    return a + b\ndef f(objects):\n    return g(*[o.x for o in objects if o.x > 4])\n";
    compare(text, "f", &worlds::world("pong"), &scenes(), CallBudget::default());
    let text = "def f(objects):\n    a, b, *c = [o for o in objects if o.x > 6]\n    return a.x + b.x + len(c)\n";
    compare(text, "f", &worlds::world("pong"), &scenes(), CallBudget::default());
}

#[test]
fn instances_in_comparisons_and_patterns() {
    let top = "from dataclasses import dataclass\nfrom enum import Enum\n@dataclass\nclass E:\n    kind: str\n    n: int\n    w: float = 0.5\nclass S(Enum):\n    LOW = 1\n    HIGH = 2\n";
    let body = "es = [E(o.category, o.x % 2) for o in objects]\nt = 0\nfor e in es:\n    match e:\n        case E(\"Player\", n):\n            t += 1 + n\n        case E(\"Ball\" | \"Enemy\", n) if n > 0:\n            t += e.w\nreturn t";
    assert_fast(top, body);
    let plain = top.replace("    w: float = 0.5\n", "");
    assert_fast(&plain, "es = [E(o.category, o.x % 2) for o in objects]\nreturn sum(e == es[0] for e in es)");
    for body in [
        "s = S.HIGH if objects[0].x > 4 else S.LOW\nreturn (s is S.HIGH) + (s == S.LOW) * 2 + s.value * 10 + len(s.name) * 100",
        "x = objects[0].x / 2\nreturn isinstance(x, float) + isinstance(objects[0].x, (int, str)) * 2 + isinstance(E(\"a\", 1), E) * 4 + isinstance(x, E) * 8",
    ] {
        assert_fast(top, body);
    }
}

/// State in dicts and members of enumerations passes between the calls.
#[test]
fn kept_dicts() {
    let calls = |top: &str, body: &str| assert_fast(top, body);
    calls("seen = {}\n", "x = objects[0].x\nseen[x] = seen.get(x, 0) + 1\nreturn len(seen) * 10 + sum(seen.values())");
    calls(
        "def g(x, memory={}):\n    memory.setdefault(x % 2, []).append(x)\n    return memory\n",
        "m = g(objects[0].x)\nreturn sum(len(v) for v in m.values())",
    );
    calls(
        "from collections import defaultdict\nd = defaultdict(int)\n",
        "d[objects[0].category] += objects[1].x\nreturn d[\"Player\"]",
    );
    calls(
        "from enum import Enum\nclass S(Enum):\n    A = \"a\"\n    B = \"b\"\nstate = S.A\n",
        "global state\nstate = S.B if state is S.A else S.A\nreturn state == S.B",
    );
}

/// A list of the module that grows in every call is left to the reference machine once it is large.
#[test]
fn large_state_is_handed_over() {
    let text = "log = []\ndef f(objects):\n    log.append((len(log), 0.5))\n    return len(log) + log[-1][1]\n";
    let scenes = vec![Vec::new(); 9000];
    let counts = compare(text, "f", &worlds::world("pong"), &scenes, CallBudget::default());
    assert!(counts.returned > 8000 && counts.fallbacks > 100, "{counts:?}");
}
