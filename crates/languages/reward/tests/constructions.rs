//! Instances of dataclasses and named tuples, dicts of keyword arguments and wrapped entry functions run on the fast engine.

use crate::containers::assert_fast;

#[test]
fn default_factories() {
    let weights = "from dataclasses import dataclass, field\n\n@dataclass\nclass Weights:\n    hit: float = 1.0\n    names: list = field(default_factory=list)\n    terms: dict = field(default_factory=dict)\n\n";
    for body in [
        "w = Weights()\nw.names.append(len(objects))\nv = Weights(2)\nreturn w.hit + len(w.names) + len(v.names) * 10 + v.hit",
        "w = Weights(names=[1, 2])\nw.names.append(3)\nreturn sum(w.names)",
        "w = Weights()\nfor o in objects:\n    w.terms[o.category] = o.x\n    w.names.append(o.y)\nreturn sum(w.terms.values()) + sum(w.names)",
        "t = 0\nfor o in objects:\n    w = Weights(hit=o.x)\n    w.names.append(o.y)\n    t += len(w.names) * w.hit\nreturn t",
    ] {
        assert_fast(weights, body);
    }
}

#[test]
fn named_tuples() {
    let vec = "from typing import NamedTuple\n\nclass Vec(NamedTuple):\n    x: float\n    y: float = 0.0\n\n    def __add__(self, other):\n        return Vec(self.x + other.x, self.y + other.y)\n\n    @property\n    def norm(self):\n        return (self.x ** 2 + self.y ** 2) ** 0.5\n\n";
    for body in [
        "v = Vec(1.5)\nfor o in objects:\n    v = v + Vec(*o.center)\nreturn v.norm",
        "return sum(Vec(o.x * 1.0, y=o.y * 0.5).norm for o in objects)",
        "vs = [Vec(o.x / 2, o.y / 3) for o in objects]\nbest = max(vs, key=lambda v: v.norm, default=None)\nreturn best.x if best is not None else -1",
    ] {
        assert_fast(vec, body);
    }
    assert_fast(
        "from collections import namedtuple\nP = namedtuple('P', 'a b')\n",
        "p = P(len(objects), b=2)\nreturn p.a * 10 + p.b",
    );
}

/// Instances of a class of named tuples without fields are not truthy.
#[test]
fn named_tuples_without_fields() {
    let text = "from typing import NamedTuple\n\nclass E(NamedTuple):\n    def val(self):\n        return 4\n\ndef f(objects):\n    v = E() if len(objects) > 2 else None\n    return v.val() if v else -1\n";
    let budget = goalspec_python_runtime::limits::CallBudget::default();
    crate::fast::compare(text, "f", &crate::worlds::world("pong"), &crate::containers::scenes(), budget);
}

/// Operations of tuples on named tuples are left to the reference machine.
#[test]
fn named_tuples_as_tuples() {
    let vec = "from typing import NamedTuple\n\nclass Vec(NamedTuple):\n    x: float\n    y: float = 0.0\n\n";
    for body in [
        "v = Vec(1.5, 2.0)\nx, y = v\nreturn x + y",
        "return Vec(1.5)[0] + len(Vec(2.0))",
        "return 1 if Vec(1.5) == Vec(1.5) else 0",
        "return 1 if Vec(1.5) == (1.5, 0.0) else 0",
        "return sum(Vec(1.5, 2.5))",
        "return 1 if isinstance(Vec(1.5), tuple) else 0",
        "match Vec(1.5, 2.5):\n    case (a, b):\n        return a + b\n    case _:\n        return 0",
        "match Vec(1.5, 2.5):\n    case Vec(x=a, y=b):\n        return a + b\n    case _:\n        return 0",
        "return {Vec(1.0): 2}[Vec(1.0)]",
        "return 1 if Vec(1.0) < Vec(2.0) else 0",
        "v = Vec(0.0)\nreturn 1 if v else 2",
        "class E(NamedTuple):\n    def val(self):\n        return 4\nv = E() if len(objects) > 2 else None\nreturn v.val() if v else -1",
        "return Vec(1.0)._replace(x=3.0).x",
        "v = Vec(1.0)\nv.x = 2.0\nreturn v.x",
        "return (Vec(1.0) + (2.0,))[1]",
        "return 1 if 1.5 in Vec(1.5) else 0",
        "return max([Vec(2.0), Vec(1.0)]).x",
        "return Vec(*[1.0, 2.0]).y",
        "return 1 if Vec(1.5) is not None and Vec(1.5) != Vec(2.5) else 0",
    ] {
        let text = format!("{vec}def f(objects):\n    {}\n", body.replace('\n', "\n    "));
        let budget = goalspec_python_runtime::limits::CallBudget::default();
        crate::fast::compare(&text, "f", &crate::worlds::world("pong"), &crate::containers::scenes(), budget);
    }
}

#[test]
fn dicts_of_keyword_arguments() {
    assert_fast(
        "",
        "c = dict(near=0.5, far=0)\nfor o in objects:\n    if o.x < 50:\n        c['near'] += 1\n    else:\n        c['far'] += 2\nreturn c['near'] - c['far']",
    );
    assert_fast("", "c = dict(a=len(objects), b=2.5)\nreturn sum(c.values())");
}

#[test]
fn wrapped_entry_functions() {
    let clamp = "from functools import wraps\n\ndef clamp(lo=-1.0, hi=1.0):\n    def outer(fn):\n        @wraps(fn)\n        def inner(*args, **kwargs):\n            return max(lo, min(hi, fn(*args, **kwargs)))\n        return inner\n    return outer\n\n@clamp(hi=90)\ndef g(objects):\n    return sum(o.x for o in objects) - 3\n\nf = g\ndef unused():\n    ";
    assert_fast_entry(clamp);
    assert_fast_entry(&clamp.replace("*args, **kwargs", "*args"));
    assert_fast_entry(&clamp.replace("g(objects):\n", "g(objects, scale=2):\n"));
}

/// Asserts that every call of a program's function `f` runs fast.
fn assert_fast_entry(text: &str) {
    use crate::containers::scenes;
    let scenes = scenes();
    let text = format!("{text}pass\n");
    let world = crate::worlds::world("pong");
    let budget = goalspec_python_runtime::limits::CallBudget::default();
    let counts = crate::fast::compare(&text, "f", &world, &scenes, budget);
    assert_eq!((counts.returned, counts.fallbacks), (scenes.len() as u64, 0), "{text}");
}

#[test]
fn overlaps_of_boxes() {
    for body in [
        "return sum(a.iou(b) for a in objects for b in objects)",
        "n = 0\nfor o in objects:\n    if o.iou(objects[0]) > 0.1:\n        n += 1\nreturn n",
        "return NoObject().iou(NoObject()) if False else len(objects)",
    ] {
        assert_fast("", body);
    }
}

#[test]
fn heaps() {
    for (top, body) in [
        (
            "import heapq\n",
            "heap = []\nfor i, o in enumerate(objects):\n    heapq.heappush(heap, (o.x % 4, i, o))\nr, k = 0.0, 0\nwhile heap and k < 4:\n    d, i, o = heapq.heappop(heap)\n    r = r * 3 + d + i + o.y\n    k += 1\nreturn r",
        ),
        (
            "from heapq import heapify, heappop, heappush\n",
            "xs = [(o.x * 7) % 5 for o in objects]\nheapify(xs)\nheappush(xs, 2)\nt = 0\nfor x in xs:\n    t = t * 9 + x\nwhile xs:\n    t = t * 3 + heappop(xs)\nreturn t",
        ),
        (
            "import heapq\n",
            "h = [(0.5, 1)]\nfor o in objects:\n    heapq.heappush(h, (o.x / 4, o.y))\n    if len(h) > 3:\n        heapq.heappop(h)\nreturn sum(a * b for a, b in h)",
        ),
    ] {
        assert_fast(top, body);
    }
}

/// Names that patterns bind keep their types where an earlier pattern had values of other types.
#[test]
fn patterns_after_patterns_of_other_types() {
    for body in [
        "t = 0.0\nfor kind in [o.category if o.x > 2 else None for o in objects]:\n    match kind:\n        case 'Ball' | 'Player':\n            t += 0.25\n        case None:\n            t -= 1\nmatch [o.xy for o in objects][:2]:\n    case [(a, b), (c, d)] if a < c:\n        t += a - d\n    case [(a, b), (_, c)]:\n        t += b / 2\nreturn t",
        "t = 0\nfor o in objects:\n    match (o.x > 4, o.y, o.center):\n        case (True, y, (cx, _)) if y < 9:\n            t += y + cx\n        case (False, 1 | 3 | 5 as n, _):\n            t += 1 / n\n        case (_, y, (cx, cy)):\n            t += cx * y - cy\nreturn t",
    ] {
        assert_fast("", body);
    }
}

#[test]
fn truth_of_objects_or_other_values() {
    for body in [
        "top = next((o for o in objects if o.x > 8), False)\nreturn 1 if top else 0.5",
        "t = 0\nfor k in range(12):\n    o = next((o for o in objects if o.x == k), 0)\n    if not o:\n        t += k\nreturn t",
        "o = objects[0] if objects[0].x > 3 else 0.0\nreturn 1 if o else 2",
    ] {
        assert_fast("", body);
    }
    assert_fast(
        "def find(objects, /, *, kind, default=None):\n    return next((o for o in objects if o.category == kind), default)\n\n",
        "opts = {'kind': 'Enemy', 'default': False}\nball, top = find(objects, kind='Ball'), find(objects, **opts)\nreturn (ball.x if ball else 0) + (0.1 if top else -0.1)",
    );
}

#[test]
fn deleted_slices() {
    for bounds in [":-3", "2:", "1:4", ":", "-2:", "4:2", ":99", "-99:1", "n - 4:n - 1"] {
        let body = format!(
            "n = len(objects)\nxs = [(o.x, o.y) for o in objects]\ndel xs[{bounds}]\nt = len(xs)\nfor a, b in xs:\n    t = t * 3 + a - b\nreturn t"
        );
        assert_fast("", &body);
    }
    assert_fast("log = []\n", "log.append(objects[0].x)\ndel log[:-2]\nreturn sum(log) + len(log) * 100");
}
