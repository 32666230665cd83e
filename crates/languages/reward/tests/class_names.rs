//! Dicts by the names of classes, and other constructs of short programs, run on the fast engine with the results of the reference machine.

use goalspec_python_runtime::limits::CallBudget;
use goalspec_python_runtime::scene::{SceneObject, World};

use crate::fast::compare;
use crate::worlds;

/// Returns an object of a class at a place.
fn object(world: &World, class: &str, x: i32, y: i32) -> SceneObject {
    let class = worlds::class(world, class);
    SceneObject { position: (x, y), ..world.new_object(class) }
}

fn scenes(world: &World) -> Vec<Vec<SceneObject>> {
    let of = |class, x, y| object(world, class, x, y);
    vec![
        vec![of("Player", 140, 90), of("Ball", 60, 100), of("Enemy", 16, 70)],
        vec![of("Ball", 60, 100), of("Ball", 61, 7), of("Player", 140, 90)],
        vec![of("Player", 1, 2), of("NoObject", 0, 0)],
        Vec::new(),
    ]
}

/// Asserts that programs give the results of the reference machine, and that a number of the calls run on the fast engine.
fn assert_fast(programs: &[(&str, u64)]) {
    let world = worlds::world("pong");
    for &(text, completed) in programs {
        let text = format!("import math\nfrom ocatari.ram.pong import *\n{text}");
        let counts = compare(&text, "f", &world, &scenes(&world), CallBudget::default());
        assert_eq!(counts.returned + counts.raised, completed, "{text}");
    }
}

#[test]
fn dicts_by_the_names_of_classes_run_fast() {
    assert_fast(&[
        (
            "def f(objects):\n    named = {o.category: o for o in objects if o}\n    ball, player = named.get(\"Ball\"), named.get(\"Player\")\n    if ball is None or player is None:\n        return len(objects)\n    return ball.x * 1000 + player.y + (\"Enemy\" in named)\n",
            4,
        ),
        (
            "def f(objects):\n    counts = {}\n    for o in objects:\n        counts[o.category] = counts.get(o.category, 0) + 1\n    return counts.get(\"Ball\", 0) * 10 + counts.get(\"Player\", -1)\n",
            4,
        ),
        (
            "def f(objects):\n    groups = {}\n    for o in objects:\n        name = o.category\n        groups.setdefault(name, []).append(o.x)\n    return sum(groups.get(\"Ball\", [])) + len(groups.get(\"Player\", []))\n",
            4,
        ),
        (
            "def f(objects):\n    groups = {}\n    for o in objects:\n        name = o.category\n        if name not in groups:\n            groups[name] = []\n        groups[name].append(o.y)\n    return sum(groups[\"Ball\"]) if \"Ball\" in groups else -1\n",
            4,
        ),
        // A missing key is an exception.
        (
            "def f(objects):\n    named = {o.category: o for o in objects}\n    return named[\"Enemy\"].x + named[\"Ball\"].y\n",
            4,
        ),
        // The object of an entry is one of the class that its key names, and the last one.
        (
            "def f(objects):\n    named = {}\n    for o in objects:\n        named[type(o).__name__] = o\n    ball = named.get(\"Ball\")\n    return -1 if ball is None else isinstance(ball, Ball) + isinstance(ball, Player) * 2 + ball.y * 4\n",
            4,
        ),
    ]);
}

/// A dict whose order matters, or whose keys may be other texts, is left to the reference machine.
#[test]
fn other_dicts_have_equal_results() {
    assert_fast(&[
        (
            "def f(objects):\n    named = {o.category: o.x for o in objects}\n    return sum(i * x for i, x in enumerate(named.values()))\n",
            0,
        ),
        (
            "WORDS = [\"Ball\", \"stone\"]\ndef f(objects):\n    found = {}\n    for i, o in enumerate(objects):\n        found[WORDS[i % 2]] = o.x\n    return found.get(\"Ball\", 0) + found.get(\"stone\", 5)\n",
            1,
        ),
    ]);
}

#[test]
fn short_constructs_run_fast() {
    assert_fast(&[
        (
            "def f(objects):\n    named = {o.category: o.x for o in objects}\n    named[3] = 4\n    return len(named) + round(len(objects), 2) * 10\n",
            4,
        ),
        (
            "def f(objects):\n    return sum(math.dist(o.center, (80, 105.5)) + math.dist(o.xy, p.xy) for o in objects for p in objects)\n",
            4,
        ),
        (
            "def f(objects):\n    xs = [o.x for o in objects]\n    xs.append(7)\n    del xs[0]\n    if len(xs) > 1:\n        del xs[-1]\n    return sum(xs) * 10 + len(xs)\n",
            4,
        ),
        (
            "def f(objects):\n    xs = [(o.x, o.y / 2) for o in objects]\n    del xs[1]\n    return xs[-1][1] + len(xs)\n",
            3,
        ),
        (
            "def f(objects):\n    return sum(o.x if hasattr(o, \"x\") and hasattr(o, \"category\") else 5 for o in objects)\n",
            4,
        ),
    ]);
}

/// The list of objects may be one of any number of arguments, as in functions that a decorator makes.
#[test]
fn functions_of_any_arguments_run_fast() {
    assert_fast(&[
        ("def f(*args):\n    return len(args[0])\n", 4),
        (
            "def twice(g):\n    def call(*args, **named):\n        return g(*args, **named) * 2\n    return call\n@twice\ndef f(objects):\n    return len(objects)\n",
            4,
        ),
    ]);
}
