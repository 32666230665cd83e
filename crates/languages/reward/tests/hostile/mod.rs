//! Hostile programs: each is rejected with a reason, or ends with a typed error within its budget.

use goalspec_python_runtime::Machine;
use goalspec_python_runtime::fast::CompiledFunction;
use goalspec_python_runtime::limits::CallBudget;
use goalspec_python_runtime::machine::CallError;
use goalspec_python_runtime::scene::{ScreenClass, World};
use goalspec_reward::read;
use goalspec_syntax::Sources;

/// The outcome of a program.
#[derive(Debug, PartialEq)]
enum ProgramEnd {
    Rejected(String),
    Raised(String),
    Exhausted(String),
    Returned,
}

fn end_of(text: &str) -> ProgramEnd {
    end_within(text, CallBudget { work: 1_000_000, memory: 8 << 20, ..CallBudget::default() })
}

fn end_within(text: &str, budget: CallBudget) -> ProgramEnd {
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    let found = read(sources.file(id));
    let Some(program) = found.program else { return ProgramEnd::Rejected(found.diagnostics[0].message.clone()) };
    let world = World::default();
    match Machine::new(program.clone(), world.clone(), budget).and_then(|mut machine| machine.call("f", &[])) {
        Ok(_) => ProgramEnd::Returned,
        Err(error @ CallError::Exhausted { .. }) => ProgramEnd::Exhausted(error.to_string()),
        Err(error) => ProgramEnd::Raised(error.to_string()),
    }
}

fn of_expression(expression: &str) -> ProgramEnd {
    end_of(&format!("def f(o):\n    return {expression}\n"))
}

#[test]
fn interpreter_internals_are_unreachable() {
    let attempts = [
        "().__class__.__bases__[0].__subclasses__()",
        "(lambda: 0).__globals__",
        "f.__code__.co_code",
        "[].__class__.__mro__[0].__subclasses__()",
        "''.__class__.__base__",
        "(x for x in o).gi_frame",
        "open('/etc/passwd')",
        "__import__('os').system('ls')",
        "eval('1')",
        "exec('1')",
        "globals()",
        "vars()",
        "compile('1', 'x', 'eval')",
        "getattr(o, '__cla' + 'ss__').__subclasses__()",
        "print.__self__",
        "breakpoint()",
        "input()",
        "super().__class__.__subclasses__()",
        "f.__builtins__",
        "f.__closure__",
    ];
    for attempt in attempts {
        let end = of_expression(attempt);
        assert!(matches!(end, ProgramEnd::Rejected(_) | ProgramEnd::Raised(_)), "{attempt}: {end:?}");
    }
    // Attributes of the interpreter are also unavailable by names that are composed at run time.
    for name in ["__globals__", "__code__", "__subclasses__", "__mro__", "__dict__", "__builtins__", "__init__"] {
        let end = end_of(&format!(
            "def f(o):\n    n = '__' + {:?} + '__'\n    return getattr(f, n)\n",
            name.trim_matches('_')
        ));
        assert!(matches!(end, ProgramEnd::Raised(_)), "{name}: {end:?}");
    }
    // They are unavailable in format strings as well.
    for format in ["'{0.__class__.__subclasses__}'.format(o)", "'{0[0]}'.format(o)", "'{x.__globals__}'.format(x=f)"] {
        let end = of_expression(format);
        assert!(matches!(end, ProgramEnd::Raised(_)), "{format}: {end:?}");
    }
}

#[test]
fn unsafe_modules_are_rejected() {
    for module in ["os", "datetime", "time", "subprocess", "builtins", "ctypes", "importlib", "pickle", "socket"] {
        for (text, name) in [
            (format!("import {module}"), module),
            (format!("from {module} import *"), "1"),
            (format!("from {module} import path"), "path"),
            (format!("import {module} as m"), "m"),
        ] {
            let end = end_of(&format!("{text}\ndef f(o):\n    return {name}\n"));
            assert!(matches!(end, ProgramEnd::Rejected(_)), "{text}: {end:?}");
        }
    }
    // An import that nothing uses has no effect.
    assert_eq!(end_of("import os\ndef f(o):\n    return 1\n"), end_of("def f(o):\n    return 1\n"));
    for text in ["import sys\nx = sys.modules", "from sys import settrace", "import sys as m\nx = m.stdin"] {
        let end = end_of(&format!("{text}\ndef f(o):\n    return 1\n"));
        assert!(matches!(end, ProgramEnd::Rejected(_)), "{text}: {end:?}");
    }
    for text in
        ["import numpy as np\nx = np.fromfile('a')", "import numpy as np\nx = np.load('a')", "from numpy import *"]
    {
        let end = end_of(&format!("{text}\ndef f(o):\n    return 1\n"));
        assert!(matches!(end, ProgramEnd::Rejected(_)), "{text}: {end:?}");
    }
}

#[test]
fn growing_values_end_within_the_budget() {
    let expressions = [
        "9 ** 9 ** 9",
        "1 << 10 ** 9",
        "10 ** 10 ** 5 * 10 ** 10 ** 6",
        "'x' * 10 ** 10",
        "[0] * 10 ** 9",
        "(1, 2) * 10 ** 9",
        "list(range(10 ** 9))",
        "sum(range(10 ** 9))",
        "sum(1 for i in range(10 ** 9))",
        "max(range(10 ** 12))",
        "f'{1:{10 ** 9}}'",
        "'%1000000000d' % 1",
        "'a'.join(['b' * 10 ** 5] * 10 ** 5)",
        "'a' * 10 ** 6 in 'a' * 10 ** 7",
        "str(10 ** 10 ** 5)",
        "int('9' * 10 ** 6)",
        "[[x, y, z] for x in range(1000) for y in range(1000) for z in range(1000)]",
        "sorted(range(10 ** 7))",
        "f(o)",
        "(lambda g: g(g))(lambda g: g(g))",
        "dict(zip(range(10 ** 8), range(10 ** 8)))",
        "'ab'.replace('', 'x' * 10 ** 7)",
        "round(1e308, -10 ** 18)",
    ];
    for expression in expressions {
        let end = of_expression(expression);
        let fine = matches!(end, ProgramEnd::Exhausted(_) | ProgramEnd::Raised(_)) || expression.starts_with("round");
        assert!(fine, "{expression}: {end:?}");
    }
    let with_libraries = [
        "list(count())",
        "list(cycle([1]))",
        "list(repeat(1))",
        "list(product(range(100), repeat=100))",
        "list(permutations(range(50)))",
        "list(combinations(range(100), 50))",
        "list(combinations_with_replacement([1], 10 ** 12))",
        "deque(count())",
        "np.zeros(10 ** 12)",
        "np.zeros((10 ** 9, 10 ** 9, 10 ** 9))",
        "np.arange(10 ** 12)",
        "np.arange(0, 1, 1e-300)",
        "np.ones((3000, 3000)) @ np.ones((3000, 3000))",
        "np.ones((10 ** 4, 1)) + np.ones(10 ** 4)",
        "np.linspace(0, 1, 10 ** 12)",
        "math.factorial(10 ** 9)",
        "math.comb(10 ** 9, 5 * 10 ** 8)",
        "math.perm(10 ** 9)",
        "Counter(a=10 ** 12).elements()",
        "reduce(lambda a, b: a * b, range(1, 10 ** 6))",
        "list(accumulate(count()))",
        "list(islice(count(), 10 ** 9))",
    ];
    let imports = "import math\nimport numpy as np\nfrom collections import Counter, deque\nfrom functools import reduce\nfrom itertools import *\n";
    for expression in with_libraries {
        let end = end_of(&format!("{imports}def f(o):\n    return {expression}\n"));
        assert!(matches!(end, ProgramEnd::Exhausted(_) | ProgramEnd::Raised(_)), "{expression}: {end:?}");
    }
}

#[test]
fn endless_loops_end_within_the_budget() {
    let bodies = [
        "while True: pass",
        "l = []\n    while True: l.append(l)",
        "l = []\n    l.append(l)\n    m = []\n    m.append(m)\n    return l == m",
        "def g(n): return g(n + 1)\n    return g(0)",
        "class C:\n        def __repr__(self): return repr(self)\n    return repr(C())",
        "class C:\n        def __eq__(self, o): return self == o\n    return C() == C()",
        "class C:\n        def __getattr__(self, n): return self.zzz\n    return C().x",
        "class C:\n        def __iter__(self): return self\n        def __next__(self): return 1\n    return list(C())",
        "class C:\n        def __getitem__(self, i): return 1\n    return list(C())",
        "class C:\n        @property\n        def p(self): return self.p\n    return C().p",
        "class C:\n        def __bool__(self): return not self\n    return not C()",
        "class C:\n        def __hash__(self): return hash(self)\n    return {C(): 1}",
        "x = (1,)\n    for i in range(10 ** 6): x = (x,)\n    return x",
        "s = 'a'\n    for i in range(100): s += s",
        "n = 3\n    for i in range(100): n *= n",
        "l = [1]\n    for x in l: l.append(x)",
        "try:\n        while True: pass\n    except Exception: return 1\n    finally: return 2",
        "try:\n        return f(o)\n    finally: f(o)",
        "return map(f, o)",
    ];
    for body in bodies {
        let end = end_of(&format!("def f(o):\n    {body}\n"));
        let fine = matches!(end, ProgramEnd::Exhausted(_) | ProgramEnd::Raised(_)) || body.starts_with("return map");
        assert!(fine, "{body}: {end:?}");
    }
}

#[test]
fn repeated_products_of_no_iterables_are_one_empty_selection() {
    for repeat in ["0", "1", "10 ** 18"] {
        let end = end_of(&format!(
            "from itertools import product\ndef f(o):\n    assert list(product(repeat={repeat})) == [()]\n    return 1\n"
        ));
        assert_eq!(end, ProgramEnd::Returned, "{repeat}");
    }
}

#[test]
fn sorting_many_counts_takes_little_work() {
    let end = end_of(
        "from collections import Counter\ndef f(o):\n    return len(Counter({i: i for i in range(1500)}).most_common())\n",
    );
    assert_eq!(end, ProgramEnd::Returned);
}

/// The work of library functions that move, compare or hash many values counts.
#[test]
fn expensive_operations_end_within_the_budget() {
    let bodies = [
        "s = 'a' * 10 ** 5\n    return sorted([s] * 10 ** 4)",
        "t = (0,) * 10 ** 4\n    return {t: i for i in range(10 ** 4)}",
        "s = set(range(1000))\n    while s == set(s): pass",
        "l = [0] * 10 ** 4\n    while True: l.reverse()",
        "l = [0] * 10 ** 4\n    while True:\n        l.insert(0, 1)\n        l.pop(0)",
        "l = [0] * 10 ** 4\n    while True: del l[0:0]",
        "x = ()\n    for i in range(100): x = (x, x)\n    return hash(x)",
        "x = 1\n    while True: x += x",
        "x = 1\n    for i in range(60): x = [x, x]\n    return np.sum(x)",
        "a = np.zeros(10 ** 4)\n    while True: a[:] = 1",
        "a = np.zeros(10 ** 4)\n    while True: repr(a)",
        "return np.concatenate([np.ones(10 ** 5)] * 100)",
        "class C: pass\n    for i in range(10 ** 4):\n        class C(C): pass",
        "for i in range(10 ** 6): getattr(o, 'a%d' % i, None)",
        "return namedtuple('N', ' '.join('a%d' % i for i in range(10 ** 4)))",
        "p = abs\n    for i in range(10 ** 5): p = partial(p, 1)\n    return p()",
        "@dataclass\n    class P:\n        b: list = None\n    l = [1]\n    for i in range(40): l = [l, l]\n    return len(asdict(P(l)))",
        "@dataclass\n    class P:\n        b: list = None\n    l = (1,)\n    for i in range(40): l = {1: l, 2: l}\n    return astuple(P(l))",
        "c = (int,)\n    for i in range(60): c = (c, c)\n    return isinstance('a', c)",
        "c = (int,)\n    for i in range(60): c = (c, c)\n    return issubclass(str, c)",
        "U = Union[tuple(range(20000))]\n    while True: hash(U)",
        "U = Union[tuple(range(1000))]\n    while True: hash(U)",
        "U = Union[tuple(range(1000))]\n    V = Union[tuple(range(1000))]\n    while True: U == V",
        "U = int\n    for i in range(10 ** 4):\n        class C: pass\n        U = U | C",
        "U = Union[tuple(range(1000))]\n    while True: U | str",
        "class B(ABC): pass\n    for i in range(6000): setattr(B, 'a%d' % i, abstractmethod(lambda s: 0))\n    while True:\n        class C(B): pass",
        "class C(ABC):\n        @abstractmethod\n        def f(self): pass\n    while True:\n        try: C()\n        except TypeError: pass",
        "class C: pass\n    for i in range(6000): setattr(C, 'a%d' % i, 0)\n    C.p = property()\n    c = C()\n    while True:\n        try: c.p\n        except AttributeError: pass",
        "class A(ABC): pass\n    for i in range(10000):\n        class B: pass\n        A.register(B)",
        "s = 'a' * 100000\n    for i in range(20): s.replace('a', 'bb')",
    ];
    for body in bodies {
        let imports = "import numpy as np\nfrom abc import ABC, abstractmethod\nfrom collections import namedtuple\nfrom dataclasses import asdict, astuple, dataclass\nfrom functools import partial\nfrom typing import Optional, Union\n";
        let end = end_of(&format!("{imports}def f(o):\n    {body}\n"));
        assert!(matches!(end, ProgramEnd::Exhausted(_)), "{body}: {end:?}");
    }
}

/// The work of a union grows with its members, whose number is limited.
#[test]
fn union_size_is_limited() {
    let most = goalspec_python_runtime::limits::MAX_UNION_PARTS;
    for (count, is_made) in [(most, true), (most + 1, false)] {
        let text = format!("from typing import Union\ndef f(o):\n    return hash(Union[tuple(range({count}))]) * 0\n");
        let end = end_of(&text);
        assert_eq!(end == ProgramEnd::Returned, is_made, "{count}: {end:?}");
    }
}

/// Nested unions contain only their distinct members.
#[test]
fn nested_unions_are_deduplicated() {
    let bodies = [
        ("u = Union[u, u]", "isinstance('a', u)", ProgramEnd::Returned),
        ("u = Union[u, u]", "issubclass(str, u)", ProgramEnd::Returned),
        ("u = u | u", "hash(u)", ProgramEnd::Returned),
        (
            "u = Union[u, (u,)]",
            "u",
            ProgramEnd::Raised(
                "TypeError: Union[arg, ...]: each arg must be a type. Got (typing.Union[int, float],).".to_owned(),
            ),
        ),
    ];
    for (step, given, expected) in bodies {
        let text = format!(
            "from typing import Union\ndef f(o):\n    u = Union[int, float]\n    for i in range(60): {step}\n    return {given}\n"
        );
        assert_eq!(end_of(&text), expected, "{step}");
    }
}

/// Unreachable values are freed during a call.
#[test]
fn unreachable_values_are_freed() {
    let bodies =
        ["l = [0] * 500\n    for i in range(2000): l + l", "t = (0,) * 500\n    while len(t) < 1000: t += (0,)"];
    for body in bodies {
        assert_eq!(end_of(&format!("def f(o):\n    {body}\n")), ProgramEnd::Returned, "{body}");
    }
}

/// The program changes a list or dict while an operation of the machine works on it.
#[test]
fn mutation_during_operations_is_safe() {
    let changes = [
        ("__index__", "return 2", "l[C()]"),
        ("__index__", "return 2", "l[0:C()]"),
        ("__index__", "return 0", "l.pop(C())"),
        ("__eq__", "return True", "l.remove(C())"),
        ("__eq__", "return True", "d.pop(C(), 0)"),
        ("__eq__", "return True", "d.setdefault(C(), 0)"),
        ("__iter__", "return iter([7, 8])", "l.__init__(C())"),
        ("__iter__", "return iter([7, 8])", "l.extend(C())"),
        ("__repr__", "return 'C'", "repr([C(), l, d])"),
    ];
    for (method, gives, use_it) in changes {
        let text = format!(
            "l = [1, 2, 3]\nd = {{1: 1}}\nclass C:\n    def __hash__(self): return 1\n    def {method}(self, *_):\n        \
            l.clear()\n        d.clear()\n        {gives}\ndef f(o):\n    return {use_it}\n"
        );
        // Any outcome is fine, as long as the program ends.
        end_of(&text);
    }
    for statement in ["l[C()] = 5", "l[0:C()] = [5, 6]", "del l[C()]", "del l[0:C()]", "l[::2] = D()", "l[1:2] = D()"] {
        let text = format!(
            "l = [1, 2, 3]\nclass C:\n    def __index__(self):\n        l.clear()\n        return 2\nclass D:\n    \
            def __iter__(self):\n        l.clear()\n        return iter([7, 8])\ndef f(o):\n    {statement}\n"
        );
        end_of(&text);
    }
}

#[test]
fn nested_programs_are_rejected_or_run() {
    let depth = 100_000;
    let texts = [
        format!("x = {}1{}", "(".repeat(depth), ")".repeat(depth)),
        format!("x = {}", "-".repeat(depth) + "1"),
        format!("x = {}1", "not ".repeat(depth)),
        format!("x = {}", "[".repeat(depth)),
        format!("x = 1{}", " + 1".repeat(depth)),
        format!("x = a{}", ".a".repeat(depth)),
        format!("x = a{}", "[0]".repeat(depth)),
        format!("x = a{}", "()".repeat(depth)),
        format!("x = {}1", "lambda: ".repeat(depth)),
        format!("x = {}", "1 if 1 else ".repeat(depth) + "1"),
        format!("x = {}", "1 < ".repeat(depth) + "1"),
        format!("x = {}", "9".repeat(depth)),
        format!("x = '{}'", "a".repeat(depth)),
        (0..2000).map(|level| format!("{}if 1:\n", " ".repeat(level))).collect(),
        format!("x = f'{}1{}'", "{".repeat(1000), "}".repeat(1000)),
        format!("{}x = 1", "x = ".repeat(depth)),
        format!("def f(o, {}): pass", (0..depth).map(|place| format!("a{place}")).collect::<Vec<_>>().join(", ")),
        "\u{0}".repeat(100),
        "def f(o):\n\treturn 1\n        return 2".to_owned(),
    ];
    for text in texts {
        let text = if text.contains("def f") { text } else { format!("{text}\ndef f(o):\n    return 1\n") };
        // Any outcome is fine, as long as the program ends.
        let end = end_of(&text);
        assert!(!matches!(end, ProgramEnd::Rejected(ref reason) if reason.is_empty()), "{end:?}");
    }
}

/// Texts in which a check of the nesting depth could misjudge brackets, strings or comments.
#[test]
fn disguised_nesting_is_rejected_or_run() {
    let many = |what: &str| what.repeat(60_000);
    let texts = [
        format!("x = {}1", many("lambda a,b: ")),
        format!("x = 1{}", many(".real")),
        format!("x = 1{}", many("if\"{\" else 1")),
        format!("x = 1{}", many("if 1else 1")),
        format!("# a \rx = {}1", many("(")),
        format!("x = {}", many("(],")),
        format!("x = f'''{{'''\n}}{}", many("(")),
        format!("x = f'''{{(if 1)+\"'''; {}#\"}}'''", many("(")),
        format!("x = rf'\\'' + {}", many("(")),
        format!("x = {}", many("\\(")),
        format!("x = (\n{}", (0..1400).map(|level| format!("{}if a,:\n", " ".repeat(level))).collect::<String>()),
    ];
    for text in texts {
        let end = end_of(&format!("{text}\ndef f(o):\n    return 1\n"));
        assert!(matches!(end, ProgramEnd::Rejected(_)), "{text:.40}: {end:?}");
    }
    let fine = "x = f'{255:#x}' + f\"{255:'>10}\"\n".repeat(500);
    assert_eq!(end_of(&format!("{fine}def f(o):\n    return 1\n")), ProgramEnd::Returned);
}

/// Compiles the function of a program for the fast engine, as far as it is covered.
fn compile(text: &str) {
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    let program = read(sources.file(id)).program.expect("it can be read");
    let world = World::from_screen_classes([("GameObject", ScreenClass::new("Ball"))]);
    CompiledFunction::new(program.clone(), world.clone(), "f", CallBudget::default()).expect("its top level runs");
}

/// Traversals of values that wrap or contain each other end within the budget and within the stack.
#[test]
fn recursive_values_end_within_the_budget() {
    let ends = [
        (
            "e = ValueError()\n    for i in range(5000): e = ValueError(e)\n    return len(str(e))",
            "call depth limit exceeded",
        ),
        (
            "p = lambda s: 1\n    for i in range(20000): p = staticmethod(p)\n    while True:\n        class A:\n            x = p",
            "work limit exceeded",
        ),
        (
            "g = lambda x: x\n    for i in range(20000): g = lru_cache(g)\n    return len(g.__name__)",
            "call depth limit exceeded",
        ),
        ("c = (int,)\n    for i in range(20000): c = (c,)\n    return issubclass(str, c)", "call depth limit exceeded"),
    ];
    for (body, reason) in ends {
        let end = end_of(&format!("from functools import lru_cache\ndef f(o):\n    {body}\n"));
        assert!(matches!(&end, ProgramEnd::Exhausted(text) if text.starts_with(reason)), "{body}: {end:?}");
    }
    // Each registered class is checked only once.
    let chain = "class A(ABC): pass\n    first = last = A\n    for i in range(3000):\n        class B(ABC): pass\n        \
        last.register(B)\n        last = B\n    return isinstance(last(), first) and not isinstance(1, first)";
    let diamonds = "class A(ABC): pass\n    first = last = A\n    for i in range(60):\n        class B(ABC): pass\n        \
        class C(ABC): pass\n        class D(ABC): pass\n        last.register(B)\n        last.register(C)\n        \
        B.register(D)\n        C.register(D)\n        last = D\n    return isinstance(last(), first) and not isinstance(1, first)";
    for body in [chain, diamonds] {
        let text = format!("from abc import ABC, abstractmethod\ndef f(o):\n    assert g()\ndef g():\n    {body}\n");
        assert_eq!(
            end_within(&text, CallBudget { work: 5_000_000, ..CallBudget::default() }),
            ProgramEnd::Returned,
            "{text}"
        );
    }
    let fine = [
        "p = lambda s: 1\nfor i in range(60): p = property(p, p)\nclass A:\n    x = p\n",
        "t = ()\nfor i in range(10000): t = (t,)\n",
        "t = ()\nfor i in range(60): t = (t, t)\n",
        "t = ()\nfor i in range(60): t = (lambda a=t, b=t: 1)\n",
    ];
    for text in fine {
        let budget = CallBudget { work: 10_000_000, memory: 8 << 20, ..CallBudget::default() };
        assert_eq!(end_within(&format!("{text}def f(o):\n    return 1\n"), budget), ProgramEnd::Returned, "{text}");
        compile(&format!("{text}def f(o):\n    return len(t) + A.x\n"));
    }
}

/// The work of an operation grows with the size of its operands.
#[test]
fn work_grows_with_operand_size() {
    let texts = "s = ('a' * 1600) * 2000\n    ";
    let bodies = [
        format!("{texts}for i in range(10000): 'b' in s"),
        format!("{texts}for i in range(10000): len(s)"),
        format!("{texts}for i in range(10000): s[5]"),
        format!("{texts}for i in range(10000): s % ()"),
        format!("{texts}for i in range(10000): str(s)"),
        format!("{texts}for i in range(10000): f'{{s}}'"),
        format!("{texts}for i in range(10000): s.startswith('b')"),
        format!("{texts}for i in range(10000): 'b'.find(s)"),
        format!("{texts}for i in range(10000): repr(s)"),
        "x = 1 << 1000000\n    for i in range(10000): x < 0.5".to_owned(),
        "x = 1 << 1000000\n    for i in range(10000): -x".to_owned(),
        "x = 1 << 1000000\n    for i in range(10000): x & 1".to_owned(),
        "x = 1 << 1000000\n    for i in range(10000): x / 3 if i < 0 else x * 0.5 if i < 0 else x == 1".to_owned(),
        "math.isqrt(1 << 1000000)".to_owned(),
        "round(1 << 1000000, -150000)".to_owned(),
        "math.gcd(3 ** 500000 + 1, 7 ** 340000 + 2)".to_owned(),
        "l = [0] * 200000\n    for i in range(10000): l[0:1] = []".to_owned(),
        "l = [0] * 200000\n    for i in range(10000): l[0:1] = [1]".to_owned(),
        "a, b = (1,) + (0,) * 100000, (2,) + (0,) * 100000\n    for i in range(190000): a == b\n    return 1 / 0"
            .to_owned(),
        "a = dict.fromkeys(range(10000))\n    for i in range(10000): a | {}".to_owned(),
        "a, b = set(range(10000)), set(range(1, 10001))\n    for i in range(10000): a == b".to_owned(),
        "d = deque(range(20000))\n    for i in range(10000): d.rotate(10000)".to_owned(),
        "d = deque(range(20000))\n    for i in range(10000): d.insert(10000, 1)".to_owned(),
        "for i, p in zip(range(1000), permutations(range(2000))): pass".to_owned(),
        "print(end='a' * 100000)".to_owned(),
        "print(1, 2, sep='a' * 100000)".to_owned(),
        "('\\n' * 1000000).splitlines()".to_owned(),
        "(' a' * 500000).split()".to_owned(),
        "int('f' * 4000000, 16)".to_owned(),
    ];
    for body in bodies {
        let imports = "import math\nfrom collections import deque\nfrom itertools import permutations\n";
        let end = end_of(&format!("{imports}def f(o):\n    {body}\n"));
        let fine = matches!(end, ProgramEnd::Exhausted(_))
            || body.starts_with("a, b = (1,)") && matches!(end, ProgramEnd::Raised(_));
        assert!(fine, "{body}: {end:?}");
    }
    // `strip` looks up each character once, in a set.
    let text = "def f(o):\n    s = ('a' * 1000) * 1000\n    return len(s.strip(('b' * 1000) * 1000 + 'a'))\n";
    let end = end_within(text, CallBudget::default());
    assert_eq!(end, ProgramEnd::Returned);
}

/// Removed entries release their space, and repeated assignments need none.
#[test]
fn removed_entries_release_memory() {
    let bodies = [
        "d = {0: 0}\n    for i in range(1, 30000):\n        d[i] = 1\n        del d[i - 1]\n    return len(d)",
        "d = {'a', 'b'}\n    add, discard = d.add, d.discard\n    for i in range(30000):\n        add(i)\n        discard(i)",
        "class C: pass\n    c = C()\n    for i in range(30000): c.x = i",
        "append = deque(maxlen=3).append\n    for i in range(30000): append(i)",
    ];
    for body in bodies {
        // `f` calls the body from a callback, during which nothing is freed.
        let text = format!(
            "from collections import deque\ndef g(_):\n    {body}\ndef f(o):\n    return max([1, 2], key=lambda _: 1 if g(_) else 2)\n"
        );
        let budget = CallBudget { work: 10_000_000, memory: 1 << 20, ..CallBudget::default() };
        assert_eq!(end_within(&text, budget), ProgramEnd::Returned, "{body}");
    }
}

/// Garbage of an `__init__` is freed while it runs.
#[test]
fn init_garbage_is_freed() {
    let text = "class C:\n    def __init__(self, n):\n        self.n = 0\n        for i in range(n):\n            self.n += len([i, i + 1])\ndef f(o):\n    return C(60000).n\n";
    let budget = CallBudget { work: 10_000_000, memory: 3 << 20, ..CallBudget::default() };
    assert_eq!(end_within(text, budget), ProgramEnd::Returned);
}
