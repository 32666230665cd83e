//! Generator expressions and generator functions run on the fast engine where reading their values at once makes no difference.

use goalspec_python_runtime::limits::CallBudget;

use crate::containers::{assert_fast, scenes};
use crate::fast::compare;
use crate::worlds;

/// Asserts that the results of a function agree on all engines, and that every call is handed over.
fn assert_handed_over(top: &str, body: &str) {
    let text = format!("{top}def f(objects):\n    {}\n", body.trim().replace('\n', "\n    "));
    let scenes = scenes();
    let counts = compare(&text, "f", &worlds::world("pong"), &scenes, CallBudget::default());
    assert_eq!((counts.returned, counts.fallbacks), (0, scenes.len() as u64), "{text}");
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

/// The reference machine runs the call where a loop ends early, changes what the generator reads, or reads what the generator changes.
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
        assert_handed_over(top, body);
    }
}

/// Programs in which a generator's values are read late in ways that a test of names alone does not find.
#[test]
fn generators_with_hidden_effects() {
    let twice = "def gen(a):\n    for v in a:\n        yield v\n\ndef twice(values):\n    return sum(values) * 100 + sum(values)\n\ndef both(values):\n    return len(list(zip(values, values)))\n\ndef two(values):\n    return next(values) * 10 + next(values)\n\ndef looped(values):\n    t = 0\n    for i in range(2):\n        t += sum(values) + i\n    return t\n\n";
    for (top, body) in [
        (twice, "return twice(gen([1, 2, 3]))"),
        (twice, "return both(o.x for o in objects)"),
        (twice, "return two(x for a in [[1, 2], [3, 4]] for x in a)"),
        (twice, "return looped(gen([1, 2, 3]))"),
        (
            "",
            "a = [1, 2, 3]\nb = a\nt = 0\nfor x in (v for v in a):\n    t = t * 10 + x\n    if len(b) < 5:\n        b += [7]\nreturn t",
        ),
        (
            "def _grow(a):\n    if len(a) < 6:\n        a.append(9)\n\ngrow = _grow\n",
            "a, t = [1, 2, 3], 0\nfor x in (v for v in a):\n    t = t * 10 + x\n    grow(a)\nreturn t",
        ),
        (
            "class C:\n    def __init__(self):\n        self.n = 0\n    @property\n    def tick(self):\n        self.n += 1\n        return self.n\n\n",
            "c, t = C(), 0\nfor x in (v * c.n for v in [1, 2, 3]):\n    t = t * 10 + x + c.tick\nreturn t",
        ),
        (
            "class Acc:\n    def __init__(self):\n        self.n = 0\n    def __iadd__(self, k):\n        self.n += k\n        return self\n\ndef g(acc):\n    for i in range(3):\n        acc += 1\n        yield i\n\n",
            "acc, t = Acc(), 0\nfor i in g(acc):\n    t = t * 10 + acc.n\nreturn t",
        ),
        (
            "from bisect import insort\n",
            "a, t = [1, 2, 3], 0\nfor x in (v for v in a):\n    t = t * 10 + x\n    if len(a) < 6:\n        insort(a, 9)\nreturn t",
        ),
        (
            "from bisect import insort\n",
            "a, t = [1, 2, 3], 0\nfor x, y in zip(a, [4, 5, 6, 7]):\n    t = t * 10 + x\n    if len(a) < 6:\n        insort(a, 9)\nreturn t",
        ),
        (
            "",
            "k, t = 1, 0\nfor (i, x), y in zip(enumerate(v * k for v in [1, 2, 3]), [5, 6, 7]):\n    t = t * 10 + x\n    k = k + 1\nreturn t",
        ),
        (
            "",
            "k, t = 1, 0\nfor x, y in zip(map(abs, (v * k for v in [1, 2, 3])), [5, 6, 7]):\n    t = t * 10 + x\n    k = k + 1\nreturn t",
        ),
        (
            "def make():\n    k = 1\n    def run():\n        nonlocal k\n        k = 1\n        t = 0\n        for x in (v * k for v in [1, 2, 3]):\n            t = t * 10 + x\n            k = k + 1\n        return t\n    return run\n\nrun = make()\n",
            "return run()",
        ),
        (
            "",
            "log = []\ndef key(v):\n    log.append(v)\n    return v % 10\nreturn max((v * 10 + len(log) for v in [1, 2, 3]), key=key)",
        ),
        ("", "t = 0\nfor x in (v for v in [1, 2, 3]):\n    t += x\n    if t > 2:\n        break\nreturn t"),
    ] {
        assert_handed_over(top, body);
    }
}
