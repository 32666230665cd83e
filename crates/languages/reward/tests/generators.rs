//! Generator expressions and generator functions run on the fast engine where reading their values at once makes no difference.

use goalspec_python_runtime::limits::CallBudget;

use crate::containers::{assert_fast, scenes};
use crate::fast::compare;
use crate::worlds;

/// Asserts that the results of a function agree on all engines, whichever of them runs it.
fn assert_equal(top: &str, body: &str) {
    let text = format!("{top}def f(objects):\n    {}\n", body.trim().replace('\n', "\n    "));
    compare(&text, "f", &worlds::world("pong"), &scenes(), CallBudget::default());
}

#[test]
fn loops_over_generators() {
    for (top, body) in [
        ("", "t = 0\nfor x in (o.x for o in objects if o.x > 3):\n    t = t * 3 + x\nreturn t"),
        (
            "",
            "t = 0\nfor m in (o for o in objects if o.category == 'Ball'):\n    if any(m.x < e.x for e in objects):\n        t += 1\nreturn t",
        ),
        ("", "k = 3\nreturn sum([a * k for a in (o.x - k for o in objects)])"),
        (
            "def far(objects, d=4):\n    for o in objects:\n        if o.x > d:\n            yield o.y\n\n",
            "t = 0\nfor y in far(objects):\n    t = t * 2 + y\nreturn t + sum(far(objects, d=2)) + len(list(far(objects, 6)))",
        ),
        (
            "def pairs(objects):\n    n = 0\n    for o in objects:\n        n += 1\n        yield n, o.x\n        if o.x > 8:\n            return\n    yield -1, 0.5\n\n",
            "t = 0\nfor n, x in pairs(objects):\n    t = t * 2 + n * x\nreturn t",
        ),
        (
            "def gaps(objects):\n    last = None\n    for o in objects:\n        if last is not None:\n            yield abs(o.x - last.x)\n        last = o\n\n",
            "return max(gaps(objects), default=0) * 100 + min(gaps(objects)) + any(gaps(objects))",
        ),
        (
            "def naturals():\n    n = 0\n    while True:\n        yield n\n        n += 1\n\n",
            "return next(naturals()) + len(objects)",
        ),
        (
            "class Radar:\n    def __init__(self, d):\n        self.d = d\n    def near(self, objects):\n        for o in objects:\n            if o.x < self.d:\n                yield o\n\n",
            "return sum(o.y for o in Radar(7).near(objects))",
        ),
        (
            "def walk(objects):\n    for o in objects:\n        yield o.x\n    for o in objects:\n        yield o.y / 2\n\n",
            "return sorted(walk(objects))[2] + sum(walk(objects))",
        ),
        ("def inner(a):\n    got = yield from a\n    yield got is None\n\n", "return sum(inner([1, 2]))"),
    ] {
        assert_fast(top, body);
    }
}

/// Where a loop ends early, changes what the generator reads, or reads what the generator changes, the reference machine runs the call.
#[test]
fn generators_whose_values_are_read_late() {
    let naturals = "def naturals():\n    n = 0\n    while True:\n        yield n\n        n += 1\n\n";
    let counting =
        "seen = []\ndef note(objects):\n    for o in objects:\n        seen.append(o.x)\n        yield o.x\n\n";
    let twice = "def twice(values):\n    return sum(values) * 100 + sum(values)\n\n";
    for (top, body) in [
        (
            "",
            "a, t = [1, 2, 3], 0\nfor x in (v for v in a):\n    t = t * 10 + x\n    if len(a) < 6:\n        a.append(x + 1)\nreturn t",
        ),
        (
            "",
            "a, t = [1, 2, 3], 0\nfor x in (v for v in a):\n    t = t * 10 + x\n    if len(a) < 6:\n        a += [7]\nreturn t",
        ),
        ("", "k, t = 1, 0\nfor x in (v * k for v in [1, 2, 3]):\n    t = t * 10 + x\n    k = k + 1\nreturn t"),
        ("", "t = 0\nfor x in (6 // v for v in [1, 2, 0]):\n    t += x\n    if x == 3:\n        break\nreturn t"),
        (
            "",
            "t = 0\nfor o in (p for p in objects if p.x > 3):\n    t = t * 3 + o.x\n    for p in objects:\n        p.x = 1\nreturn t",
        ),
        (
            "",
            "a, t = [1, 2, 3], 0\nfor i, x in enumerate(v for v in a):\n    t = t * 10 + x + i\n    a[2] = 9\nreturn t",
        ),
        (
            "",
            "a, t = [1, 2, 3], 0\nfor i, x in enumerate(v for v in a):\n    t = t * 10 + x + i\n    if i < 3:\n        a.append(4)\nreturn t",
        ),
        ("", "g = (o.x for o in objects)\na = next(g)\nb = next(g)\nreturn a * 100 + b"),
        ("", "g, t = (o.x for o in objects), 0\nfor x in g:\n    t += x\nfor x in g:\n    t += 100\nreturn t"),
        (twice, "return twice(o.x for o in objects)"),
        (naturals, "t = 0\nfor n in naturals():\n    t += n\n    if n > 5:\n        break\nreturn t"),
        (naturals, "t = 0\nfor n, o in zip(naturals(), objects):\n    t += n * o.x\nreturn t"),
        (naturals, "return 5 in naturals()"),
        (naturals, "return any(n > 9 for n in naturals())"),
        (naturals, "g = naturals()\nreturn next(g) * 100 + next(g) * 10 + next(g)"),
        (counting, "t = 0\nfor x in note(objects):\n    t = t * 2 + len(seen)\nreturn t"),
        (counting, "return any(x > 3 for x in note(objects)) * 100 + len(seen)"),
        (counting, "t = 0\nfor o, x in zip(objects, note(objects)):\n    t = t * 2 + len(seen)\nreturn t"),
        (counting, "t = 0\nfor i, x in enumerate(note(objects)):\n    t = t * 2 + len(seen)\nreturn t"),
        (counting, "t = 0\nfor x in map(float, note(objects)):\n    t = t * 2 + len(seen)\nreturn t"),
        (
            "def echo():\n    got = yield 1\n    while got is not None:\n        got = yield got * 2\n\n",
            "g = echo()\nnext(g)\nreturn g.send(3) + g.send(4)",
        ),
        (
            "def tidy(log):\n    try:\n        yield 1\n        yield 2\n    finally:\n        log.append(5)\n\n",
            "log = []\nfor v in tidy(log):\n    log.append(v)\nreturn sum(log) * 10 + len(log)",
        ),
        (
            "def grown(a):\n    for i in range(3):\n        a += [i]\n        yield i\n\n",
            "a, t = [1], 0\nfor i in grown(a):\n    t = t * 10 + len(a)\nreturn t",
        ),
        (
            "def both(a, b):\n    yield from naturals(a)\n    yield b\n\ndef naturals(n):\n    while n < 4:\n        yield n\n        n += 1\n\n",
            "return sum(both(1, 100)) + next(both(2, 0))",
        ),
        (
            "def late(a):\n    yield from a\n\n",
            "a, t = [1, 2], 0\nfor x in late(a):\n    t = t * 10 + x\n    if len(a) < 5:\n        a.append(x)\nreturn t",
        ),
        ("def two():\n    yield 1\n    yield 2\n\n", "a, b = two()\nreturn a * 10 + b"),
        (
            "def two(*values, scale=1):\n    for v in values:\n        yield v * scale\n\n",
            "return sum(two(1, 2, scale=3))",
        ),
        (
            "count = 0\ndef ticks(objects):\n    global count\n    for o in objects:\n        count += 1\n        yield o.x\n\n",
            "t = 0\nfor x in ticks(objects):\n    t = t * 2 + count\nreturn t",
        ),
    ] {
        assert_equal(top, body);
    }
}
