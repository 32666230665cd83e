//! Functions and objects of the module of which one of several is used run on the fast engine: rule tables, objects of several classes.

use goalspec_python_runtime::limits::CallBudget;

use crate::containers::{assert_fast, scenes};
use crate::fast::compare;

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

/// Calls that are handed over find functions and objects in the state as they were, and functions that are kept are handed over.
#[test]
fn functions_in_the_state_of_the_module() {
    let double = "def double(x):\n    return 2 * x\n\n";
    for (top, body) in [
        (
            "RULES = [('a', double), ('b', abs)]\nSAME = [double, double]\ncount = 0\n",
            "global count\ncount += 1\nif count == 2:\n    count += 2 ** 70 - 2 ** 70\nt = 0\nfor name, f in RULES:\n    t += f(count) + len(name)\nreturn t + sum(f(count) for f in SAME) + len(SAME)",
        ),
        (
            "class A:\n    k = 1\n\nclass B:\n    k = 2\n\na, b = A(), B()\ncurrent = a\nlog = [a]\n",
            "global current\nr = current.k\nif len(log) == 2:\n    r += 2 ** 70 - 2 ** 70\ncurrent = b if current is a else a\nlog.append(current)\nreturn r * 10 + len(log) + sum(x.k for x in log)",
        ),
        ("last = abs\n", "global last\nr = last(len(objects) - 4)\nlast = double if r > 2 else abs\nreturn r"),
        ("FS = [abs]\n", "FS.append(double)\nreturn sum(f(3) for f in FS) + len(FS)"),
    ] {
        let text = format!("{double}{top}def f(objects):\n    {}\n", body.replace('\n', "\n    "));
        compare(&text, "f", &crate::worlds::world("pong"), &scenes(), CallBudget::default());
    }
}

/// Functions of lists and classes of containers in tables give the results of the reference machine.
#[test]
fn tables_of_functions_of_lists_and_of_containers() {
    for body in [
        "h, t = [], 0\nfor op in (heapq.heappush, bisect.insort):\n    r = (not h, op(h, 3))\n    t = t * 3 + (1 if r[0] else 2)\nreturn t",
        "h, t = [], 0\nfor op in (heapq.heappush, bisect.insort):\n    a, b = bool(h), op(h, 3)\n    t = t * 3 + a\nreturn t",
        "h, t = [5], 0\nfor op in (heapq.heappop, heapq.heapify):\n    a, b = (not h), op(h)\n    t = t * 3 + a\nreturn t",
        "g = Counter if len(objects) > 50 else dict\nd = g()\nd[objects[0].x] = 1\nreturn d[77]",
        "g = set if len(objects) > 50 else list\ns = g([o.x % 2 for o in objects])\ntry:\n    s.add(9)\nexcept AttributeError:\n    return -1\nreturn len(s)",
        "t = 0\nfor g in (set, list):\n    s = g([o.x % 2 for o in objects])\n    try:\n        t = t * 7 + len(s - {0})\n    except TypeError:\n        t += 1\nreturn t",
    ] {
        let top = "import bisect, heapq\nfrom collections import Counter\n";
        let text = format!("{top}def f(objects):\n    {}\n", body.replace('\n', "\n    "));
        compare(&text, "f", &crate::worlds::world("pong"), &scenes(), CallBudget::default());
    }
}

/// Functions whose results are cached run fast where the cache makes no difference.
#[test]
fn cached_functions() {
    let cached = "from functools import lru_cache\nimport math\nSCALE = 4\n\n@lru_cache(maxsize=2)\ndef penalty(level, kind='a'):\n    if level >= 5:\n        return 0.0\n    return -((5 - level) / SCALE) ** 2 - len(kind) - math.sqrt(level)\n\n";
    assert_fast(
        &cached.replace(", kind='a'", "").replace(" - len(kind)", ""),
        "return sum(penalty(o.x) for o in objects)",
    );
    for text in [
        format!("{cached}def f(objects):\n    return penalty(objects[0].x / 2)\n"),
        format!("{cached}def f(objects):\n    return penalty(objects[0].x, 'b')\n"),
        "from functools import lru_cache\n@lru_cache\ndef fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\ndef f(objects):\n    return fib(len(objects))\n".to_owned(),
        "from functools import lru_cache\n@lru_cache\ndef even(n):\n    return True if n == 0 else odd(n - 1)\n@lru_cache\ndef odd(n):\n    return False if n == 0 else even(n - 1)\ndef f(objects):\n    return even(len(objects))\n".to_owned(),
        "from functools import lru_cache\nfirst = True\n@lru_cache\ndef g(a, b):\n    return 10**18 * a + b\ndef f(objects):\n    global first\n    if first:\n        first = False\n        return g(1.0, 1) - 10**18\n    return g(1, 1) - 10**18\n".to_owned(),
        format!("{cached}def f(objects):\n    penalty(3)\n    penalty(3)\n    return penalty.cache_info().hits\n"),
        "from functools import lru_cache\nn = 0\n@lru_cache\ndef g(k):\n    global n\n    n += 1\n    return n + k\ndef f(objects):\n    return g(1) + g(2)\n".to_owned(),
        "from functools import lru_cache\nxs = [1]\n@lru_cache\ndef g(k):\n    return len(xs) + k\ndef f(objects):\n    xs.append(2)\n    return g(1)\n".to_owned(),
    ] {
        let counts = compare(&text, "f", &crate::worlds::world("pong"), &scenes(), CallBudget::default());
        assert_eq!(counts.returned, 0, "{text}");
    }
}
