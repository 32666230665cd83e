//! Functions and objects of the module of which one of several is used run on the fast engine: rule tables, objects of several classes.

use crate::containers::assert_fast;

#[test]
fn functions_in_tables() {
    let rules = "def near(objects):\n    return sum(o.x < 50 for o in objects)\n\ndef high(objects):\n    return max([o.y for o in objects] or [0]) / 3\n\n";
    for (top, body) in [
        (
            "TERMS = [('a', 0.5, lambda p, n: p + n), ('b', 2, lambda p, n: p * n), ('c', -1.0, lambda p, n: 1 if p > n else 0.5)]\n",
            "t = 0.0\nfor name, weight, f in TERMS:\n    t += weight * f(len(objects), 3) + len(name)\nreturn t",
        ),
        (
            "TERMS = (('a', 0.5, lambda p: p), ('b', 2.0, lambda p: -p))\n",
            "values = {name: w * f(len(objects)) for name, w, f in TERMS}\nreturn sum(values.values())",
        ),
        (rules, "return sum(f(objects) for f in [near, high])"),
        (rules, "f = near if len(objects) > 3 else high\nreturn f(objects) * 2"),
        (rules, "t = 0\nfor i, f in enumerate((near, high, len)):\n    t += i * f(objects)\nreturn t"),
        ("", "t = 0\nfor f in (abs, float, int):\n    t = t * 2 + f(len(objects))\nreturn t"),
        ("import math\n", "t = 0\nfor f in (math.sqrt, math.sin, abs):\n    t = t * 2 + f(len(objects))\nreturn t"),
        (
            "def scaled(k):\n    def inner(x):\n        return x * k\n    return inner\n\nFS = [scaled(2), scaled(0.5), scaled(7)]\n",
            "return sum(f(len(objects)) for f in FS)",
        ),
        (
            "last = abs\ndef double(x):\n    return 2 * x\n\n",
            "global last\nr = last(len(objects) - 4)\nlast = double if r > 2 else abs\nreturn r",
        ),
        (rules, "if any(f(objects) > 2 for f in (near, high)):\n    return 1\nreturn 0"),
    ] {
        assert_fast(top, body);
    }
}

#[test]
fn objects_of_several_classes() {
    let terms = "class Term:\n    weight = 1.0\n    def __call__(self, objects):\n        return self.weight * self.value(objects)\n\nclass Count(Term):\n    weight = 0.25\n    def value(self, objects):\n        return len(objects)\n\nclass Far(Term):\n    def __init__(self, d):\n        self.d = d\n        self.calls = 0\n    def value(self, objects):\n        self.calls += 1\n        return sum(1 for o in objects if o.x > self.d) + self.calls\n\n";
    for (top, body) in [
        ("TERMS = [Count(), Far(50), Far(90)]\n", "return sum(t(objects) for t in TERMS)"),
        ("TERMS = [Far(50), Far(90), Count()]\n", "return sum(t.value(objects) * t.weight for t in TERMS)"),
        ("TERMS = (Far(50), Count(), Far(9))\n", "r = 0\nfor t in TERMS:\n    r = r * 2 + t(objects)\nreturn r"),
        ("TERMS = {'a': Far(50), 'b': Count()}\n", "return sum(t(objects) for t in TERMS.values())"),
        ("TERMS = [Far(50), Count()]\n", "t = TERMS[len(objects) % 2]\nreturn t(objects) + t.weight"),
        ("A, B = Far(3), Count()\n", "t = A if len(objects) > 3 else B\nreturn t.value(objects)"),
    ] {
        assert_fast(&format!("{terms}{top}"), body);
    }
}
