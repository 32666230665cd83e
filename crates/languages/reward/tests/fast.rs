//! The fast engine gives what the reference machine gives: value or exception, traceback, and what is printed.

use std::sync::Arc;

use crate::worlds;
#[path = "generate/mod.rs"]
mod generate;
#[path = "lints/mod.rs"]
mod lints;
#[path = "screens/mod.rs"]
mod screens;

use generate::{Choices, program};
use goalspec_python_runtime::fast::{CallCounts, CompiledFunction};
use goalspec_python_runtime::limits::CallBudget;
use goalspec_python_runtime::machine::{CallError, LimitedResource, ReturnValue};
use goalspec_python_runtime::scene::{SceneObject, World};
use goalspec_python_runtime::{Machine, Program};
use goalspec_reward::read;
use goalspec_syntax::Sources;
use proptest::prelude::*;

fn read_program(text: &str) -> Option<Arc<Program>> {
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    read(sources.file(id)).program
}

/// Makes the bits of floats part of a result, for exact comparison.
fn exactly(result: Result<ReturnValue, CallError>) -> Result<(ReturnValue, u64), CallError> {
    result.map(|result| match result {
        ReturnValue::Float(float) => (ReturnValue::Other("float".to_owned()), float.to_bits()),
        other => (other, 0),
    })
}

/// Calls a function with several scenes on the machine, the register machine and as machine code, and asserts that the results agree.
/// State persists from call to call in each of them. Returns how the fast calls were run.
pub(crate) fn compare(
    text: &str,
    function: &str,
    world: &World,
    scenes: &[Vec<SceneObject>],
    budget: CallBudget,
) -> CallCounts {
    let Some(program) = read_program(text) else { panic!("not read:\n{text}") };
    let (Ok(compiled), Ok(mut machine)) = (
        CompiledFunction::new(program.clone(), world.clone(), function, budget),
        Machine::new(program.clone(), world.clone(), budget),
    ) else {
        return CallCounts::default();
    };
    let native = CompiledFunction::new(program.clone(), world.clone(), function, budget).unwrap();
    let is_native = native.compile();
    let (mut engine, mut other) = (compiled.instance(), native.instance());
    for scene in scenes {
        let expected = exactly(machine.call(function, scene));
        for (engine, how) in [(&mut engine, "register machine"), (&mut other, "machine code")] {
            let result = exactly(engine.call(scene).map_err(Arc::unwrap_or_clone));
            assert_eq!(result, expected, "{how}\n{text}\n{scene:?}\n{}", compiled.listing());
            assert_eq!(engine.printed(), machine.printed(), "{text}");
        }
    }
    let (counts, other) = (engine.counts(), other.counts());
    if is_native.is_ok() {
        assert_eq!((other.returned, other.raised), (counts.returned, counts.raised), "{text}");
    }
    CallCounts { native: other.native, ..counts }
}

/// Generates objects of any classes, among them equal and distant ones.
fn scene(choices: &mut Choices<'_>, world: &World) -> Vec<SceneObject> {
    let count = choices.below(9);
    (0..count)
        .map(|_| {
            let class = choices.below(world.screen_classes.len()) as u16;
            let mut number = |limit: usize| i32::try_from(choices.below(limit)).unwrap_or(0);
            let mut object = SceneObject {
                position: (number(160), number(200)),
                size: (number(12), number(12)),
                hud: number(6) == 5,
                visible: number(6) != 5,
                ..world.new_object(class)
            };
            if number(3) > 0 {
                object.previous = Some((object.position.0 - number(5), object.position.1 + 2 - number(5)));
            }
            if number(3) == 0 {
                object.value = Some(number(100));
            }
            if number(250) == 249 {
                object.position.0 = i32::MAX - number(3);
            }
            object
        })
        .collect()
}

/// A small budget for programs that may not terminate.
const SMALL_BUDGET: CallBudget = CallBudget {
    work: 60_000,
    slow_call_work: 60_000,
    reserve_work: 1_000_000,
    frame_work: 10_000,
    memory: 64 << 20,
    call_depth: 200,
    output_characters: 64 << 10,
};

const GAMES: [&str; 4] = ["pong", "freeway", "seaquest", "skiing"];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 3000, ..ProptestConfig::default() })]

    /// Generated programs of any shape.
    #[test]
    fn generated_programs(text in prop::collection::vec(any::<u8>(), 20..260), objects in prop::collection::vec(any::<u8>(), 400)) {
        let (mut choices, mut numbers) = (Choices::new(&text), Choices::new(&objects));
        let world = worlds::world(GAMES[choices.below(GAMES.len())]);
        let classes: Vec<String> = world.screen_classes.iter().map(|class| class.name.to_string()).collect();
        let text = program(&mut choices, &classes);
        let scenes: Vec<Vec<SceneObject>> = (0..5).map(|_| scene(&mut numbers, &world)).collect();
        compare(&text, "reward_function", &world, &scenes, SMALL_BUDGET);
    }
}

/// The programs that are also compared with CPython.
#[test]
fn programs_of_the_subset() {
    let world = worlds::world("pong");
    let lines = include_str!("cpython/expressions.txt").lines();
    let expressions = lines.map(|line| format!("def f(o):\n    return repr({line})\n"));
    let plain = include_str!("cpython/expressions.txt").lines().map(|line| format!("def f(o):\n    return {line}\n"));
    let programs = include_str!("cpython/programs.txt").split("===\n").map(str::to_owned);
    for text in expressions.chain(plain).chain(programs) {
        compare(&text, "f", &world, &[Vec::new(), Vec::new()], CallBudget::default());
    }
}

/// Most generated programs of the covered subset run on the fast engine, so that the comparisons are not vacuous.
#[test]
fn generated_programs_run_fast() {
    let world = worlds::world("seaquest");
    let classes: Vec<String> = world.screen_classes.iter().map(|class| class.name.to_string()).collect();
    let mut counts = CallCounts::default();
    let mut state = 1u64;
    for _ in 0..400 {
        let bytes: Vec<u8> = (0..600)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            })
            .collect();
        let (code, objects) = bytes.split_at(200);
        let text = program(&mut Choices::new(code), &classes);
        let mut numbers = Choices::new(objects);
        let scenes: Vec<Vec<SceneObject>> = (0..5).map(|_| scene(&mut numbers, &world)).collect();
        let CallCounts { returned, raised, fallbacks: handed_over, native } =
            compare(&text, "reward_function", &world, &scenes, SMALL_BUDGET);
        counts.returned += returned;
        counts.raised += raised;
        counts.fallbacks += handed_over;
        counts.native += native;
    }
    println!("{counts:?}");
    assert!(counts.returned > 300 && counts.raised > 100, "{counts:?}");
}

/// An exhausted budget ends a call with the same error at the same line.
#[test]
fn work_limits_raise_equal_errors() {
    let world = worlds::world("pong");
    let object = |class| SceneObject { class, ..default_object(&world) };
    let scenes = [vec![object(3), object(5), object(5)]];
    let texts = [
        "def f(objects):\n    n = 0\n    while True:\n        n += 1\n",
        "def f(objects):\n    n = 0\n    for i in range(100000):\n        for j in range(100000):\n            n += j\n    return n\n",
        "def f(objects):\n    xs = []\n    while True:\n        xs.append(objects[0])\n",
        "def f(objects):\n    for o in objects:\n        objects.append(o)\n    return 1\n",
        "def f(objects):\n    n = 0\n    for o in objects:\n        n += o.x\n    return n\n",
        "def g(n):\n    return g(n + 1)\ndef f(objects):\n    return g(0)\n",
        "def f(objects):\n    return 1 + 2\n",
        "def f(objects):\n    x = objects[0].x\n    y = x * 3 + 1\n    return y // 2\n",
    ];
    for work in [1, 5, 17, 30, 100, 1000, 60_000] {
        for memory in [1 << 12, 1 << 16, 64 << 20] {
            for text in texts {
                let budget = CallBudget { work, memory, call_depth: 20, ..CallBudget::default() };
                compare(text, "f", &world, &scenes, budget);
            }
        }
    }
    let text = texts[0];
    let program = read_program(text).unwrap();
    let compiled = CompiledFunction::new(program.clone(), world.clone(), "f", CallBudget::default()).unwrap();
    let result = compiled.instance().call(&scenes[0]).map_err(Arc::unwrap_or_clone);
    assert!(matches!(result, Err(CallError::Exhausted { resource: LimitedResource::Work, .. })), "{result:?}");
}

fn default_object(world: &World) -> SceneObject {
    world.new_object(0)
}

/// An object without a previous position has a zero `dx`, even after its position changes.
#[test]
fn position_changes_update_dx() {
    let world = worlds::world("pong");
    let text =
        "def f(objects):\n    for o in objects:\n        o.x = 5\n    return objects[0].dx + 10 * objects[1].dx\n";
    let scenes = [vec![default_object(&world), SceneObject { previous: Some((1, 1)), ..default_object(&world) }]];
    let counts = compare(text, "f", &world, &scenes, CallBudget::default());
    assert_eq!(counts.returned, 1);
    let program = read_program(text).unwrap();
    let compiled = CompiledFunction::new(program.clone(), world.clone(), "f", CallBudget::default()).unwrap();
    assert_eq!(compiled.instance().call(&scenes[0]).ok(), Some(ReturnValue::Int(40)));
}

/// State persists between calls of an engine, until a reset.
#[test]
fn state_persists_between_calls() {
    let world = worlds::world("pong");
    let text = "calls = 0\ndef f(objects):\n    global calls\n    calls += 1\n    return calls\n";
    let program = read_program(text).unwrap();
    let compiled = CompiledFunction::new(program.clone(), world.clone(), "f", CallBudget::default()).unwrap();
    assert!(compiled.coverage().is_complete(), "{:?}", compiled.coverage());
    let mut engine = compiled.instance();
    assert_eq!(engine.call(&[]).ok(), Some(ReturnValue::Int(1)));
    assert_eq!(engine.call(&[]).ok(), Some(ReturnValue::Int(2)));
    engine.reset();
    assert_eq!(engine.call(&[]).ok(), Some(ReturnValue::Int(1)));
    // Another engine has its own state.
    assert_eq!(compiled.instance().call(&[]).ok(), Some(ReturnValue::Int(1)));
    let three = [Vec::new(), Vec::new(), Vec::new()];
    for text in [
        "def g(a, b=[]):\n    b.append(a)\n    return len(b)\ndef f(objects):\n    return g(1)\n",
        "xs = []\ndef f(objects):\n    xs.append(1)\n    return len(xs)\n",
        "class A:\n    n = 0\ndef f(objects):\n    A.n += 1\n    return A.n\n",
        "d = {\"n\": 0}\ndef f(objects):\n    d[\"n\"] = d.get(\"n\", 0) + 1\n    return d[\"n\"]\n",
        "d = {}\ndef f(objects):\n    d[\"n\"] = d.get(\"n\", 0) + 1\n    return d[\"n\"]\n",
    ] {
        let counts = compare(text, "f", &world, &three, CallBudget::default());
        assert_eq!(counts.returned, 3, "{text}");
    }
    // Attributes of functions are known to the reference machine only.
    let text = "def f(objects):\n    f.n = getattr(f, \"n\", 0) + 1\n    return f.n\n";
    let counts = compare(text, "f", &world, &three, CallBudget::default());
    assert_eq!(counts.fallbacks, 3, "{text}");
}

/// The state passes to the reference machine with each call that is handed over, and back after it.
#[test]
fn state_passes_between_engines() {
    let world = worlds::world("pong");
    let object = |x| SceneObject { position: (x, 3), ..default_object(&world) };
    // A call with an object at 0 divides by zero and is handed over.
    let scenes: Vec<Vec<SceneObject>> = [4, 0, 5, 0, 0, 7, 9].map(|x| vec![object(x)]).to_vec();
    let programs = [
        ("n = 0\n", "    global n\n    n += x\n", "n"),
        ("last = None\n", "    global last\n    old, last = last, x\n", "0 if old is None else old"),
        ("pair = (0, 1.5)\n", "    global pair\n    pair = (x, pair[0] / 2)\n", "pair[0] + pair[1]"),
        ("word = \"a\"\n", "    global word\n    word = \"b\" if x > 4 else \"a\"\n", "word == \"b\""),
        ("xs = [1, 2]\n", "    xs.append(x)\n    if len(xs) > 3:\n        xs.pop(0)\n", "sum(xs) + len(xs) * 100"),
        ("xs = [(1, 2.5)]\n", "    xs.insert(0, (x, x / 2))\n", "sum(a + b for a, b in xs)"),
        (
            "from collections import deque\nd = deque(maxlen=3)\n",
            "    d.append(x / 2)\n",
            "sum(d) + len(d) + d[-1] + max(d)",
        ),
        ("s = {\"a\": 1, \"b\": None}\n", "    s[\"b\"] = s[\"a\"]\n    s[\"a\"] = x\n", "s[\"a\"] * 10 + s[\"b\"]"),
        (
            "class A:\n    def __init__(self, k):\n        self.k, self.t, self.xs = k, None, []\n    def add(self, x):\n        self.t = x if self.t is None else self.t + x * self.k\n        self.xs.append(x)\n        return self.t\n    @property\n    def size(self):\n        return len(self.xs)\na = A(3)\n",
            "    a.add(x)\n",
            "a.t + a.size * 1000 + sum(a.xs)",
        ),
        (
            "class A:\n    n = 0\n    @classmethod\n    def step(cls, x):\n        cls.n += x\n        return cls.n\n",
            "    A.step(x)\n",
            "A.n",
        ),
        (
            "def make():\n    n = 0\n    def add(x, *, by=2):\n        nonlocal n\n        n += x * by\n        return n\n    return add\nadd = make()\n",
            "    t = add(x)\n",
            "t + add(0)",
        ),
        ("xs = [1, 2, 3]\n", "    global xs\n    xs = xs[-2:] + [x]\n", "sum(xs) + len(xs) * 100"),
        (
            "rows = [[1], [2, 3]]\n",
            "    rows.append([x, x])\n    rows.pop(0)\n    rows[0].append(7)\n",
            "sum(sum(r) for r in rows) + len(rows)",
        ),
        (
            "class P:\n    def __init__(self, x, old):\n        self.x, self.old = x, old\nclass A:\n    def __init__(self):\n        self.last, self.xs = None, [0.5]\n    def put(self, x):\n        self.xs = [v * 0.5 for v in self.xs][-3:] + [x / 2]\n        self.last = P(x, 0 if self.last is None else self.last.x)\na = A()\n",
            "    a.put(x)\n",
            "a.last.x * 100 + a.last.old + sum(a.xs)",
        ),
        (
            "from dataclasses import dataclass\nfrom collections import deque\n@dataclass\nclass E:\n    frame: int\n    kind: str\nlog = deque(maxlen=3)\n",
            "    log.append(E(x, \"big\" if x > 4 else \"small\"))\n",
            "sum(e.frame for e in log if e.kind == \"big\") + len(log)",
        ),
        ("d = {}\n", "    d[x] = d.get(x, 0) + 1\n", "sum(d.values()) * 100 + len(d) + sum(d)"),
        ("d = {}\n", "    d.setdefault(x % 3, []).append(x)\n", "sum(len(v) * 10 + v[-1] for v in d.values())"),
        ("from collections import Counter\nc = Counter()\n", "    c[x, x > 4] += 1\n", "c[5, True] * 10 + len(c)"),
        (
            "from collections import defaultdict\nd = defaultdict(list)\n",
            "    d[\"big\" if x > 4 else \"small\"].append(x / 2)\n",
            "sum(d[\"big\"]) * 10 + len(d[\"none\"]) + len(d)",
        ),
        (
            "from enum import Enum\nclass S(Enum):\n    A = 1\n    B = 2\ns = S.A\n",
            "    global s\n    s = S.B if x > 4 else S.A\n",
            "s.value + (s is S.B) * 10",
        ),
    ];
    for (top, change, result) in programs {
        let text = format!(
            "{top}def f(objects):\n    x = objects[0].x\n{change}    y = 1 / x\n    return {result}\ndef g(objects):\n    x = objects[0].x\n{change}    y = 0\n    if x == 0:\n        y = [p for p in range(3)][x:3:2][0]\n    return ({result}) + y\n"
        );
        for function in ["f", "g"] {
            let counts = compare(&text, function, &world, &scenes, CallBudget::default());
            assert_eq!((counts.returned + counts.raised, counts.fallbacks), (4, 3), "{text}");
        }
    }
}

/// Objects of the screen are not kept for the next call by the fast engine.
#[test]
fn kept_objects_of_the_screen_are_handed_over() {
    let world = worlds::world("pong");
    let object = |x| SceneObject { position: (x, 3), ..default_object(&world) };
    let scenes = [vec![object(4)], vec![object(9)], vec![object(2)]];
    for text in [
        "last = None\ndef f(objects):\n    global last\n    old, last = last, objects[0]\n    return 0 if old is None else old.x\n",
        "kept = []\ndef f(objects):\n    kept.append(objects[0])\n    return sum(o.x for o in kept)\n",
        "class A:\n    def __init__(self):\n        self.seen = []\na = A()\ndef f(objects):\n    old = len(a.seen)\n    a.seen = [o for o in objects]\n    return old + a.seen[0].x\n",
    ] {
        let counts = compare(text, "f", &world, &scenes, CallBudget::default());
        assert_eq!(counts.fallbacks, 3, "{text}");
    }
}

/// Instances, dicts and tuples that a call creates are values of their own.
#[test]
fn objects_of_a_call_are_distinct() {
    let world = worlds::world("pong");
    let object = |x| SceneObject { position: (x, 3), ..default_object(&world) };
    let scenes = [vec![object(4), object(9), object(2)], vec![object(1)]];
    for text in [
        "class P:\n    def __init__(self, x):\n        self.x = x\n    def __lt__(self, other):\n        return self.x < other.x\n    def __add__(self, n):\n        return P(self.x + n)\ndef f(objects):\n    ps = [P(o.x) for o in objects]\n    ps[0].x += 100\n    q = ps[-1] + 5\n    return sum(p.x for p in ps) * 1000 + q.x + (ps[0] < q)\n",
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    w: float = 0.5\ndef f(objects):\n    ps = [P(o.x) for o in objects] + [P(w=2.0, x=1)]\n    return sum(p.x * p.w for p in ps)\n",
        "def f(objects):\n    ps = [(o.x, o.y / 2, o) for o in objects]\n    ps.sort(key=lambda p: (-p[0], p[1]))\n    (a, b, c), rest = ps[:1] * 2\n    return a + b + c.x + len(rest)\n",
        "def f(objects):\n    ps = [(o.x, o.y / 2) for o in objects]\n    ps = sorted(ps, reverse=True)\n    best = min(ps)\n    return best[0] + ps[0][0] * 10 + (ps[-1] == best) + len(ps[1:])\n",
        "def f(objects):\n    s = {\"n\": 0, \"m\": 1.5}\n    for i, o in enumerate(objects, start=1):\n        s[\"n\"] += i * o.x\n        if o.x > 3:\n            s[\"k\"] = o.x\n    return s[\"n\"] + s[\"m\"] + s.get(\"k\", -1) + (\"k\" in s) + sum(v for v in (1, 2.5))\n",
        "def f(objects):\n    xs = [o.x for o in objects]\n    ys = xs\n    ys += [3]\n    xs.extend(range(2))\n    zs = xs.copy()\n    zs.reverse()\n    zs.insert(1, 50)\n    t = zs.pop() + zs.pop(0)\n    return sum(a * b for a, b in zip(xs, zs)) + t + ys.index(3) + zs.count(1) + (50 in zs) * 7\n",
        "def g(*args, scale=2, **others):\n    return sum(args) * scale + others.get(\"b\", 0)\ndef f(objects):\n    pair = objects[0].xy\n    return g(*pair, 1, b=5) + g(1, scale=3) + round(2.5) + round(objects[0].x / 7, 2) + (5 ^ 3 | 8 & ~1) + 2 ** 5 + bin(objects[0].x).count(\"1\")\n",
        "def f(objects):\n    o = objects[0]\n    t = type(o)\n    return (t is Ball) + (t is Player) * 2 + getattr(o, \"x\", 3) + ((o.x, o.y) < (4, 4)) * 8 + (None == o.x) + divmod(o.x, 3)[0]\n",
    ] {
        let text = format!("from ocatari.ram.pong import *\n{text}");
        let counts = compare(&text, "f", &world, &scenes, CallBudget::default());
        assert!(counts.returned > 0, "{text}");
    }
}

/// Reads before a change see the old value, and reads after it the new one.
#[test]
fn reads_and_writes_keep_their_order() {
    let world = worlds::world("pong");
    let object = |x: i32, previous| SceneObject { position: (x, 1), previous, ..default_object(&world) };
    let player = |x| SceneObject { class: worlds::class(&world, "Player"), ..object(x, Some((3, 3))) };
    let players = vec![player(7), player(8), player(9)];
    let scenes = [vec![object(1, None), player(7), object(5, Some((5, 5)))], players, Vec::new()];
    let texts = [
        // The position changes of objects with and without a previous position.
        "def f(objects):\n    n = 0\n    near = lambda o: o.x < 40\n    for a in objects:\n        if near(a):\n            n += 1\n            for i, o in enumerate(objects):\n                n += 1\n        a.y = 0\n        n += a.dy\n    return n\n",
        "def f(objects):\n    n = 0\n    for a in objects:\n        a.xy = n, 2\n        a.w += 4\n        n += a.dx * 100 + a.dy + a.prev_x + a.center[0] + a.prev_xy[1] + a.w\n    return n\n",
        "def g(o):\n    o.x = 50\n    return o.dx\ndef f(objects):\n    return objects[0].x + g(objects[0]) * 1000 + objects[0].x\n",
        // The scene keeps its length but changes its order.
        "def f(objects):\n    o = objects[0]\n    objects.remove(o)\n    objects.append(o)\n    xs = [q for q in objects if isinstance(q, Player)]\n    return xs[0].x * 100 + len(xs)\n",
        // The list grows during the iteration.
        "def f(objects):\n    for o in objects:\n        if isinstance(o, Player):\n            objects.append(o)\n    return len(objects)\n",
        "def f(objects):\n    for o in objects:\n        if isinstance(o, Ball):\n            objects.append(o)\n    return len(objects)\n",
        // Emptiness of a list is evaluated before the list changes.
        "def g(xs, o):\n    xs.append(o)\n    return len(xs)\ndef f(objects):\n    xs = []\n    return (not xs) + 10 * g(xs, objects[0])\n",
        "def f(objects):\n    xs = [objects[0]]\n    return (not xs) + (5 if xs.remove(objects[0]) is None else 2)\n",
        "def f(objects):\n    xs = []\n    return max(not xs, len(objects) if xs.append(objects[0]) else 0)\n",
        // The list changes while its elements are sorted.
        "def f(objects):\n    xs = [o for o in objects]\n    def g(o):\n        xs.remove(o)\n        xs.append(objects[0])\n        return -o.x\n    ys = sorted(xs, key=g)\n    return ys[0].x * 10000 + ys[1].x * 100 + ys[2].x\n",
    ];
    for text in texts {
        let text = format!("from ocatari.ram.pong import *\n{text}");
        let budget = CallBudget { work: 100_000, ..CallBudget::default() };
        compare(&text, "f", &world, &scenes, budget);
    }
}

/// `** 2` follows the rules of powers: it raises an exception on overflow, and rounds as powers do.
#[test]
fn squares_follow_power_rules() {
    let world = worlds::world("pong");
    let square = |x| vec![SceneObject { position: (x, 1), ..default_object(&world) }];
    let scenes: Vec<_> = [0, 1, -3, 7, 11, 159, 40_000].into_iter().map(square).collect();
    for value in ["1e300 * x", "x / 7", "x * 1e-170", "x + 0.5", "x", "x > 3", "x * 1e-320", "x if x > 5 else 0.1"] {
        let text = format!("def f(objects):\n    x = objects[0].x\n    v = {value}\n    return v ** 2\n");
        compare(&text, "f", &world, &scenes, CallBudget::default());
    }
}

/// The work of key functions that library functions call counts.
#[test]
fn key_functions_use_the_budget() {
    let world = worlds::world("pong");
    let products = "    t = o.x * o.y\n".repeat(300);
    for call in ["max(b, key=k).x", "min(b, key=k).x", "sorted(b, key=k)[0].x"] {
        let text = format!(
            "def k(o):\n{products}    return t\ndef f(objects):\n    b = []\n    for i in range(40):\n        b.append(objects[0])\n    return {call}\n"
        );
        for work in [10_000, 50_000, 60_000, 70_000, 10_000_000] {
            let budget = CallBudget { work, slow_call_work: work, ..CallBudget::default() };
            let counts = compare(&text, "f", &world, &[vec![default_object(&world)]], budget);
            assert_eq!(counts.returned, u64::from(work == 10_000_000), "{call} {work}");
        }
    }
}

/// Tuples with more elements than registers are not compiled.
#[test]
fn wide_tuples_are_not_compiled() {
    let world = worlds::world("pong");
    let scenes = [vec![SceneObject { position: (31, 77), ..default_object(&world) }]];
    let fields = |count: usize| vec!["p.x, p.y"; count].join(", ");
    for (inner, outer) in [(3, 4), (10, 13), (64, 2), (128, 1), (150, 1), (16, 16), (20, 40)] {
        let text = format!(
            "def f(objects):\n    p = objects[0]\n    t = ({})\n    u = ({},)\n    return u[0][0] * 1000 + u[-1][-1]\n",
            fields(inner),
            vec!["t"; outer].join(", "),
        );
        compare(&text, "f", &world, &scenes, CallBudget::default());
    }
    let doubled =
        |count: usize| (0..count).map(|at| format!("    a{0} = (a{at}, a{at})\n", at + 1)).collect::<String>();
    for value in ["objects[0].x", "1"] {
        let text = format!("def f(objects):\n    a0 = {value}\n{}    return a40[0][1][0] is a39[1][0]\n", doubled(40));
        compare(&text, "f", &world, &scenes, CallBudget::default());
    }
}

/// Programs with more instructions than the index of instructions can count are not compiled.
#[test]
fn long_programs_are_not_compiled() {
    let world = worlds::world("pong");
    let fields = |field: &str| vec![field; 40].join(", ");
    for (times, fits) in [(10, true), (900, false)] {
        let text = format!(
            "def f(objects):\n    o = objects[0]\n    a = ({})\n    b = ({})\n{}    return a[0] + b[39]\n",
            fields("o.x"),
            fields("o.y"),
            "    a = b\n    b = a\n".repeat(times),
        );
        let counts = compare(&text, "f", &world, &[vec![default_object(&world)]], CallBudget::default());
        assert_eq!(counts.returned, u64::from(fits), "{times}");
        let program = read_program(&text).unwrap();
        let compiled = CompiledFunction::new(program.clone(), world.clone(), "f", CallBudget::default()).unwrap();
        let nothing = (!fits).then(|| "too many instructions".to_owned());
        assert_eq!(compiled.coverage().unsupported, nothing);
    }
}

/// `math.hypot` agrees with the reference machine to the last bit.
#[test]
fn hypot_is_exact() {
    let world = worlds::world("pong");
    let at = |x, y| vec![SceneObject { position: (x, y), ..default_object(&world) }];
    let scenes: Vec<_> = (0..400).map(|step| at(step * 37 % 160 - 20, step * 53 % 210)).collect();
    for (x, y) in [
        ("o.x * 0.7371 + 0.1", "o.y * 1.9173 + 0.3"),
        ("o.x / 7", "o.y / 3"),
        ("1e-320 + o.x * 1e-321", "1e-322"),
        ("o.x * 1e160", "o.y * 1e150"),
        ("o.x", "o.y"),
    ] {
        let text =
            format!("import math\ndef f(objects):\n    o = objects[0]\n    return math.hypot({x}, {y}) * 1e-3 + 0.0\n");
        let counts = compare(&text, "f", &world, &scenes, CallBudget::default());
        assert_eq!((counts.returned, counts.fallbacks), (400, 0), "{text}");
    }
}

/// Both engines exhaust any work budget alike: a call that succeeds on the fast engine stays within the budget of the reference machine.
#[test]
fn any_work_budget_is_exhausted_alike() {
    let world = worlds::world("pong");
    let object = |class: &str, x, y| SceneObject {
        class: worlds::class(&world, class),
        position: (x, y),
        ..default_object(&world)
    };
    let scenes = [
        vec![object("Player", 4, 9), object("Ball", 9, 3), object("Enemy", 30, 77)],
        (0..40).map(|x| object("Ball", x, 2 * x)).collect(),
    ];
    let bodies = [
        "t = 0\n    for o in objects:\n        t += o.x * 2 + o.y\n    return t",
        "t = 0.0\n    for o in objects:\n        for p in objects:\n            t += abs(o.center[0] - p.center[0]) / (1 + o.w)\n    return t",
        "return sum(o.x for o in objects if isinstance(o, Ball))",
        "return max(objects, key=lambda o: o.x * o.y).x",
        "return sorted(objects, key=lambda o: (o.y, -o.x))[0].x",
        "t = 0\n    for i in range(200):\n        t += i % 7 * 2\n    return t",
        "t = 0.5\n    for i in range(100):\n        t = math.sqrt(t * t + i) / 2\n    return t",
        "xs = [o for o in objects if o.x > 2]\n    xs = xs + xs\n    return len(xs) + len([o for o in xs if o.dx == 0])",
        "t = 0\n    for o in objects:\n        if o.category == 'Ball' or o.category == 'Player':\n            t += o.is_on_top(objects[0]) + o.manathan_distance(objects[0])\n    return t",
        "return min(len(objects), 3) + max(o.x for o in objects) + any(o.x > 5 for o in objects)",
    ];
    for body in bodies {
        let text = format!("import math\nfrom ocatari.ram.pong import *\ndef f(objects):\n    {body}\n");
        for work in std::iter::successors(Some(20_u64), |work| Some(work * 27 / 20 + 1)).take(34) {
            compare(&text, "f", &world, &scenes, CallBudget { work, ..CallBudget::default() });
        }
    }
}

/// A name that is both the index and the element of an iteration is the element.
#[test]
fn last_binding_of_a_name_wins() {
    let world = worlds::world("pong");
    for (names, last) in [("_, _", "_"), ("i, i", "i"), ("i, v", "i + 10 * v")] {
        let text = format!(
            "def f(objects):\n    t = 0\n    for {names} in enumerate([5, 7, len(objects)]):\n        t = t * 100 + {last}\n    return t\n"
        );
        let counts = compare(&text, "f", &world, &[vec![default_object(&world)]], CallBudget::default());
        assert_eq!(counts.returned, 1, "{text}");
    }
}

/// The code of nested key functions grows linearly with their length.
#[test]
fn nested_key_functions_compile_to_linear_code() {
    let world = worlds::world("pong");
    let nested = |depth: usize| {
        (0..depth).fold("1".to_owned(), |inner, depth| format!("min(g, key=lambda a{depth}: {inner}).x"))
    };
    let object = |x| SceneObject { position: (x, 1), ..default_object(&world) };
    let scenes = [vec![object(4), object(9)], vec![object(4)], Vec::new()];
    for depth in [1, 2, 3, 6] {
        let text = format!("def f(g):\n    return {} + max(g, key=lambda o: -o.x).x\n", nested(depth));
        let budget = CallBudget { work: 1 << 24, slow_call_work: 1 << 24, ..CallBudget::default() };
        let counts = compare(&text, "f", &world, &scenes, budget);
        assert_eq!((counts.returned, counts.raised), (2, 1), "{text}");
    }
    let program = read_program(&format!("def f(g):\n    return {}\n", nested(14))).unwrap();
    let compiled = CompiledFunction::new(program.clone(), world.clone(), "f", CallBudget::default()).unwrap();
    assert!(compiled.coverage().is_complete(), "{:?}", compiled.coverage());
    assert!(compiled.listing().lines().count() < 600, "{}", compiled.listing());
}

/// Lists release their memory between calls.
#[test]
fn lists_release_memory() {
    let world = worlds::world("pong");
    let text = "def f(objects):\n    for i in range(objects[0].x):\n        a = []\n    b = [1, 2, 3, 4, 5, 6, 7, 8]\n    for i in range(objects[0].y):\n        b = b + b\n    c = sorted(b)\n    return len(b)\n";
    let program = read_program(text).unwrap();
    let budget = CallBudget { work: 1 << 24, slow_call_work: 1 << 24, memory: 1 << 30, ..CallBudget::default() };
    let compiled = CompiledFunction::new(program.clone(), world.clone(), "f", budget).unwrap();
    compiled.disable_native();
    let mut engine = compiled.instance();
    let scene = |x, y| [SceneObject { position: (x, y), ..default_object(&world) }];
    for turn in 0..200 {
        assert_eq!(engine.call(&scene(turn * 97 % 3000, 10)).ok(), Some(ReturnValue::Int(8192)));
    }
    assert_eq!(engine.counts().returned, 200);
    engine.call(&scene(1, 1)).unwrap();
    assert!(engine.list_memory_size() < 2 << 20, "{} bytes", engine.list_memory_size());
    // Small buffers are kept.
    let small = engine.list_memory_size();
    engine.call(&scene(1, 1)).unwrap();
    assert_eq!(engine.list_memory_size(), small);
}

/// `None` may be among the objects of a list.
#[test]
fn lists_may_contain_none() {
    let world = worlds::world("pong");
    let player = |x| SceneObject { class: worlds::class(&world, "Player"), position: (x, 3), ..default_object(&world) };
    let scenes: Vec<_> = (0..40).map(|x| vec![player(x), default_object(&world)]).collect();
    for text in [
        "def f(objects):\n    t = 0\n    for o in [objects[0], None, objects[1]]:\n        if isinstance(o, Player):\n            t += o.x\n        else:\n            t += 1000\n    return t\n",
        "def f(objects):\n    t = 0\n    for i, o in enumerate([None, objects[1], objects[0], None]):\n        if isinstance(o, Player):\n            t += o.x + i\n    return t\n",
        "def f(objects):\n    xs = [o for o in [objects[0], None] if isinstance(o, Player)]\n    return len(xs)\n",
        "def f(objects):\n    xs = [o for o in [objects[0], None] if not isinstance(o, Player)]\n    return len(xs)\n",
    ] {
        let text = format!("from ocatari.ram.pong import *\n{text}");
        let counts = compare(&text, "f", &world, &scenes, CallBudget::default());
        assert_eq!(counts.returned, 40, "{text}");
        assert!(counts.native == 40 || cfg!(not(feature = "native")), "{counts:?} {text}");
    }
}

/// Machine code finds the objects of a class in scenes with more objects than a bit set has.
#[test]
fn machine_code_runs_on_large_scenes() {
    let world = worlds::world("pong");
    let text = "def f(objects):\n    t = 0\n    for i, o in enumerate(objects):\n        if o.category == 'Ball':\n            t = t * 3 % 1009 + o.x + i\n    balls = [o for o in objects if isinstance(o, Ball)]\n    return t * 1000 + len(balls) * 7 + len([o for o in objects if o.category != 'Player'])\n";
    let text = format!("from ocatari.ram.pong import *\n{text}");
    let scene = |count: i32| -> Vec<SceneObject> {
        let object = |place: i32| SceneObject {
            position: (place, 1),
            ..world.new_object((place * place % 3).unsigned_abs() as u16)
        };
        (0..count).map(object).collect()
    };
    let scenes: Vec<Vec<SceneObject>> = [0, 1, 63, 64, 65, 100, 127].into_iter().map(scene).collect();
    let counts = compare(&text, "f", &world, &scenes, CallBudget::default());
    assert_eq!((counts.returned, counts.fallbacks), (7, 0));
    assert!(counts.native == 7 || cfg!(not(feature = "native")), "{counts:?}");
}

/// After a reset, machine code is used again, even if it had no room for some earlier calls.
#[test]
fn reset_reenables_machine_code() {
    let world = worlds::world("pong");
    let program = read_program("def f(objects):\n    return len(objects)\n").unwrap();
    let compiled = CompiledFunction::new(program.clone(), world.clone(), "f", CallBudget::default()).unwrap();
    if compiled.compile().is_err() {
        return println!("skipped: there is no machine code here");
    }
    let mut engine = compiled.instance();
    for _ in 0..100 {
        assert_eq!(engine.call(&vec![default_object(&world); 128]).ok(), Some(ReturnValue::Int(128)));
    }
    assert_eq!(engine.call(&[]).ok(), Some(ReturnValue::Int(0)));
    assert_eq!(engine.counts().native, 0);
    engine.reset();
    assert_eq!(engine.call(&[]).ok(), Some(ReturnValue::Int(0)));
    assert_eq!(engine.counts().native, 1);
}
