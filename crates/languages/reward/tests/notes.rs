//! Diagnostics of `check` that need only the text of a program: rejected names, and functions that are not exact to the last bit.

use goalspec_python_runtime::Machine;
use goalspec_python_runtime::limits::CallBudget;
use goalspec_python_runtime::scene::World;
use goalspec_reward::lint::{RewardRange, lint};
use goalspec_reward::outline::Outline;
use goalspec_reward::terms::{NameSource, Terms};
use goalspec_reward::{entry, read};
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, Sources};

/// Returns the errors from reading a program, and the diagnostics of names that do not exist.
fn rejections(text: &str) -> Vec<Diagnostic> {
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    let mut found = read(sources.file(id)).diagnostics;
    found.extend(Outline::of(sources.file(id)).check_names(&World::default(), "none"));
    found
}

#[test]
fn missing_modules_are_warnings_where_the_program_works_without_them() {
    let guarded = "there is no module `torch`: the import raises `ModuleNotFoundError`";
    let unused = "there is no module `torch`, and nothing uses it";
    let rejected = "unknown module `torch`";
    let programs = [
        ("try:\n    import torch\nexcept ImportError:\n    torch = None\ndef f(o): return torch\n", guarded),
        (
            "try:\n    from torch import nn\nexcept (KeyError, ModuleNotFoundError):\n    nn = 0\ndef f(o): return nn\n",
            guarded,
        ),
        (
            "def f(o):\n    try:\n        import torch\n        return torch.tensor(0)\n    except:\n        return 0\n",
            guarded,
        ),
        ("import torch\ndef f(o: torch.Tensor) -> torch.Tensor: return 0\n", unused),
        ("from torch import nn, optim as op\ndef f(o): return 0\n", "there is no module `torch`, and nothing uses it"),
        ("import torch\ndef f(o): return torch.tensor(0)\n", rejected),
        ("from torch import *\ndef f(o): return 0\n", rejected),
        ("from torch import nn\ndef f(o, n=nn): return 0\n", rejected),
        ("try:\n    import torch\nexcept ValueError:\n    torch = None\ndef f(o): return torch\n", rejected),
        ("try:\n    def f(o):\n        import torch\n        return torch\nexcept ImportError:\n    pass\n", rejected),
        ("try:\n    pass\nexcept ImportError:\n    import torch\ndef f(o): return torch\n", rejected),
    ];
    for (text, expected) in programs {
        let found = rejections(text);
        let [diagnostic] = &found[..] else { panic!("{text}: {found:?}") };
        assert_eq!(diagnostic.message, expected, "{text}");
        let severity = if expected == rejected { Severity::Error } else { Severity::Warning };
        assert_eq!(diagnostic.severity, severity, "{text}");
    }
}

#[test]
fn unknown_names_are_rejected() {
    let programs = [
        (
            "import numpy as np\ndef f(o):\n    return np.zeros(2, dtype='complex64')\n",
            "unsupported number type `complex64`",
        ),
        ("def f(o):\n    return o[0].astype('complex')\n", "unsupported number type `complex`"),
        ("import numpy as np\ndef f(o):\n    return np.dtype('float16')\n", "unsupported number type `float16`"),
        ("def f(o):\n    return b'%d' % 5\n", "reward functions do not support the operator `%` of bytes"),
        ("def f(o):\n    return '\\ud800'\n", "reward functions do not support surrogates in strings"),
        ("def f(o):\n    return 'a' 'b\\\\\\U0000DFFF'\n", "reward functions do not support surrogates in strings"),
        ("def f(o):\n    return f'{o}\\udc80'\n", "reward functions do not support surrogates in strings"),
        ("def f(o):\n    return f'{1:\\udc80>3}'\n", "reward functions do not support surrogates in strings"),
        ("def f(o):\n    return bytearray(3)\n", "unknown name `bytearray`: neither the program"),
        (
            "from enum import Enum\nclass C(Enum):\n    _numeric_repr_ = hex\n    A = 1\n",
            "`_numeric_repr_` has no effect in a reward function",
        ),
        ("from ocatari.ram.game_objects import Player\n", "unknown name `ocatari.ram.game_objects.Player`"),
        ("from enum import Flag\n", "unknown name `enum.Flag`"),
        ("from contextlib import redirect_stdout\n", "unknown name `contextlib.redirect_stdout`"),
        ("async def f(o):\n    return 1\n", "reward functions do not support `async`"),
        ("def f(o):\n    async with o: pass\n", "reward functions do not support `async`"),
        ("def f(o):\n    try: pass\n    except* ValueError: pass\n", "reward functions do not support `except*`"),
        ("class M(type): pass\n", "unsupported base class `type`"),
        ("class C(metaclass=type): pass\n", "reward functions do not support metaclasses other than `ABCMeta`"),
        ("k = {}\nclass C(**k): pass\n", "reward functions do not support `**` in the arguments of a class"),
        ("class C:\n    pass\nC.__new__ = None\n", "`__new__`"),
        ("from dataclasses import KW_ONLY\n", "unknown name `dataclasses.KW_ONLY`"),
        ("class C:\n    def __release_buffer__(self, b): pass\n", "`__release_buffer__` has no effect"),
    ];
    for (text, expected) in programs {
        let found = rejections(text);
        assert!(found.iter().any(|one| one.message.contains(expected)), "{text}\n{found:?}");
    }
}

#[test]
fn formatting_bytes_is_an_error() {
    for operation in ["x % 5", "x % (5, 6)", "x % {}"] {
        let text = format!("def f(o):\n    x = b'%d'\n    return {operation}\n");
        let mut sources = Sources::new();
        let id = sources.add("program.py", &*text);
        let program = read(sources.file(id)).program.expect("it is read");
        let world = World::default();
        let error =
            Machine::new(program.clone(), world.clone(), CallBudget::default()).unwrap().call("f", &[]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "TypeError: reward functions do not support the operator % of bytes: format a string, and encode it"
        );
    }
}

/// Returns the diagnostics with a given code.
fn diagnostics_with_code(text: &str, code: &str, promised: Option<RewardRange>) -> Vec<Diagnostic> {
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    let found = read(sources.file(id));
    assert!(found.program.is_some(), "{:?}", found.diagnostics);
    let world = World::default();
    let program = found.program.as_ref().expect("it was read");
    let entry = entry::find_entry(program, sources.file(id), &world, None).ok();
    let found = lint(sources.file(id), entry.as_ref(), Some(&world), promised);
    found.into_iter().filter(|one| one.code.0 == code).collect()
}

#[test]
fn inexact_numpy_functions_are_reported() {
    let cases = [
        ("import numpy as np", "np.exp(o[0].x)", Some("`np.exp` by 1 ulp")),
        ("import numpy", "numpy.linalg.norm([1.0, 2.0])", Some("`np.linalg.norm` by 3 ulp")),
        ("from numpy import tanh as squash", "squash(1.0)", Some("`np.tanh` by 3 ulp")),
        ("from numpy.linalg import norm", "norm([1.0])", Some("`np.linalg.norm` by 3 ulp")),
        ("from numpy import linalg", "linalg.norm([1.0])", Some("`np.linalg.norm` by 3 ulp")),
        ("import numpy.linalg as la", "la.norm([1.0])", Some("`np.linalg.norm` by 3 ulp")),
        ("import numpy as np", "np.array([1.0]).dot(np.ones(1))", Some("`np.dot` by 1 ulp of the sum")),
        ("import numpy as np", "np.ones(2) @ np.ones(2)", Some("`@` by 1 ulp of the sum")),
        ("import numpy as np", "np.ones(2) ** 1.5", Some("`**` of arrays by 1 ulp")),
        ("import numpy as np", "np.ones(2) ** 3", Some("`**` of arrays by 1 ulp")),
        ("import numpy as np", "np.ones(2) ** -2", Some("`**` of arrays by 1 ulp")),
        ("import numpy as np", "np.ones(2) ** o[0].x", Some("`**` of arrays by 1 ulp")),
        ("import numpy as np", "2.0 ** np.ones(2)", Some("`**` of arrays by 1 ulp")),
        ("import numpy as np", "np.ones(2) ** -1 + np.ones(2) ** 0.5 + 2 ** 3", None),
        ("import numpy as np", "np.log(2.0) + np.exp(1.0) + np.log(3.0)", Some("`np.log` by 2 ulp, `np.exp` by 1 ulp")),
        ("import numpy as np", "np.sin(1.0) + np.sum([1.0]) ** 0.5 + np.ones(2)[0] ** 2", None),
        (
            "import numpy as np",
            "np.sin(np.array([1.0], dtype='float32'))",
            Some("`np.sin` of float32 by 1 ulp of float32"),
        ),
        (
            "import numpy as np",
            "np.exp(np.float32(2.0))",
            Some("`np.exp` by 1 ulp, `np.exp` of float32 by 2 ulp of float32"),
        ),
        (
            "from numpy import float32, radians",
            "radians(float32(2.0))",
            Some("`np.radians` of float32 by 1 ulp of float32"),
        ),
        ("import numpy as np", "np.sqrt(np.float32(2.0)) + np.sum(np.ones((2, 2)), axis=0)[0]", None),
        (
            "import numpy as np",
            "np.ones((2, 3)).T.sum(axis=0)[0]",
            Some("`np.sum` of a transposed array by 1 ulp of the sum of absolute values for each element"),
        ),
        ("import numpy as np", "np.mean(np.ones((2, 3)).T, 0)[0]", Some("`np.mean` of a transposed array by 1 ulp")),
        ("import numpy as np", "np.ones((2, 3)).T[::2].sum()", Some("`np.sum` of a transposed array")),
        ("import numpy as np", "np.ones((2, 3)).T.std()", Some("`np.std` of a transposed array")),
        ("from numpy import ones, var", "var(ones((2, 3)).T)", Some("`np.var` of a transposed array")),
        ("import numpy as np", "np.ones((2, 3)).T[0][0] + np.max(np.ones(2))", None),
        (
            "import numpy as np",
            "np.ones((2, 3)).sum() + np.mean(np.ones(2)) + np.std(np.ones((2, 2)), axis=0)[0]",
            None,
        ),
        ("import math", "math.exp(1.0) ** 1.5", None),
        ("", "o[0].dot(o[1])", None),
    ];
    for (import, expression, expected) in cases {
        let text = format!("{import}\ndef reward_function(o):\n    return {expression}\n");
        let found = diagnostics_with_code(&text, "reward/numpy-accuracy", None);
        match expected {
            Some(expected) => {
                assert_eq!(found.len(), 1, "{text}");
                assert!(found[0].message.contains(expected), "{}", found[0].message);
                assert!(found[0].help[0].contains("Differences from CPython"));
            }
            None => assert_eq!(found, [], "{text}"),
        }
    }
}

/// Generates a function that returns `count` variables, each of which a branch may set to 5.
fn returning(count: usize) -> String {
    let branches = (0..count).map(|place| {
        let branch = format!("    if n == {place}:\n        r{place} = 5.0\n    else:\n        r{place} = n\n");
        format!("{branch}    if n < {place}:\n        return r{place}\n")
    });
    let branches: String = branches.collect();
    format!("def reward_function(objects):\n    n = len(objects)\n{branches}    return 0.5\n")
}

#[test]
fn all_returned_variables_are_analyzed() {
    let promise = || Some(RewardRange { min: 0.0, max: 1.0, span: None });
    let (few, many) = (returning(200), returning(4_000));
    let found = diagnostics_with_code(&few, "reward/out-of-range", promise());
    assert_eq!(found.len(), 200);
    assert!(found.iter().all(|one| one.message.starts_with("the reward may be 5")));
    // A note reports a program that is too long to be followed completely.
    assert_eq!(diagnostics_with_code(&few, "reward/analysis-limit", promise()), []);
    assert_eq!(diagnostics_with_code(&many, "reward/analysis-limit", promise()).len(), 1);
}

#[test]
fn main_guards_are_ignored() {
    let body = "    player = None\n    print(player.x)\n";
    for guard in ["if __name__ == \"__main__\":\n", "if \"__main__\" == __name__:\n"] {
        let text = format!("def reward_function(objects):\n    return 1.0\n\n\n{guard}{body}");
        assert_eq!(diagnostics_with_code(&text, "reward/possibly-none", None), []);
        assert_eq!(diagnostics_with_code(&text, "reward/unreachable", None), []);
    }
    let text = format!("def reward_function(objects):\n    return 1.0\n\n\nif len(__name__) == 7:\n{body}");
    assert_eq!(diagnostics_with_code(&text, "reward/possibly-none", None).len(), 1);
}

/// `cpython/bases.txt` lists the names of Python's modules for which `class A(X): pass` works in CPython 3.11.
#[test]
fn supported_bases_can_be_derived_from() {
    let (mut refused, mut derived) = (0, 0);
    for line in include_str!("cpython/bases.txt").lines() {
        let (module, names) = line.split_once(' ').expect("a module and its names");
        for name in names.split(' ') {
            let import = if module == "builtins" { String::new() } else { format!("from {module} import {name}\n") };
            let text = format!("{import}class A({name}): pass\ndef reward_function(o):\n    return 1.0\n");
            let mut sources = Sources::new();
            let id = sources.add("program.py", &*text);
            let found = read(sources.file(id));
            let outline = Outline::of(sources.file(id));
            if !outline.check_names(&World::default(), "none").is_empty() {
                continue;
            }
            let Some(program) = found.program else {
                refused += 1;
                let [only] = &*found.diagnostics else { panic!("{text}\n{:?}", found.diagnostics) };
                assert!(only.message.contains(name) && !only.help.is_empty(), "{text}\n{only:?}");
                continue;
            };
            derived += 1;
            let world = World::default();
            let machine = Machine::new(program.clone(), world.clone(), CallBudget::default());
            assert!(machine.is_ok(), "{text}\n{:?}", machine.err());
        }
    }
    assert!(refused > 90 && derived > 70, "{refused} {derived}");
}

#[test]
fn bases_are_rejected_by_their_meaning() {
    let refusal = |text: &str| {
        let found = rejections(text);
        found.into_iter().map(|one| (one.code.0, one.message)).collect::<Vec<_>>()
    };
    let from = |name: &str| vec![("reward/unsupported-base", format!("unsupported base class `{name}`"))];
    assert_eq!(
        refusal("from collections.abc import MutableSet as I\nclass A(I[int]): pass\n"),
        from("collections.abc.MutableSet")
    );
    assert_eq!(
        refusal("import collections.abc as c\nclass A(dict, c.MutableSequence): pass\n"),
        from("collections.abc.MutableSequence")
    );
    assert_eq!(
        refusal("import collections.abc\nclass A(collections.abc.KeysView): pass\n"),
        from("collections.abc.KeysView")
    );
    assert_eq!(refusal("from collections import abc\nclass A(abc.KeysView): pass\n"), from("collections.abc.KeysView"));
    assert_eq!(refusal("import numpy as np\nclass A(np.ndarray): pass\n"), from("numpy.ndarray"));
    assert_eq!(refusal("def f(o):\n    class A(frozenset): pass\n"), from("frozenset"));
    // A name that the program redefines has the new meaning.
    assert_eq!(refusal("from typing import KeysView\nclass KeysView: pass\nclass A(KeysView): pass\n"), []);
    assert_eq!(refusal("def f(frozenset):\n    class A(frozenset): pass\n"), []);
}

#[test]
fn unused_functions_of_long_programs_are_found() {
    const COUNT: usize = 5_000;
    let never = |text: &str| {
        let found = diagnostics_with_code(text, "reward/unused-function", None);
        assert_eq!(found.into_iter().map(|one| one.message).collect::<Vec<_>>(), ["`lost` is never called"]);
    };
    // Each function calls the next one, and the entry calls the first.
    let calls: String = (0..COUNT).map(|n| format!("def f{n}(x): return f{}(x)\n", n + 1)).collect();
    let lost = "def lost(x): return lost(x)\ndef reward_function(o): return f0(1)\n";
    never(&format!("{calls}def f{COUNT}(x): return x\n{lost}"));
    // Nested functions: each except the last is called right after its definition.
    let calls: String = (0..COUNT).map(|n| format!("    def g{n}(): return {n}\n    r += g{n}()\n")).collect();
    never(&format!("def reward_function(o):\n    r = 0\n{calls}    def lost(): return lost()\n    return r\n"));
}

#[test]
fn terms_of_long_programs_are_named_by_comments() {
    const COUNT: usize = 20_000;
    let lines: String = (0..COUNT).map(|n| format!("  #c{n}\n  r+=o\n")).collect();
    let text = format!("def reward_function(o):\n  r = 0\n{lines}  return r\n");
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    let terms = Terms::of(sources.file(id), "reward_function");
    assert_eq!(terms.terms.len(), COUNT);
    for (number, term) in terms.terms.iter().enumerate() {
        assert_eq!((term.name.as_str(), term.name_source), (&*format!("c{number}"), NameSource::Comment));
    }
}

/// The analyses follow the names that patterns, `with` and `yield` bind, and the branches of `match`.
#[test]
fn new_statements_are_followed() {
    let codes = |text: &str| -> Vec<&'static str> {
        let mut sources = Sources::new();
        let id = sources.add("program.py", text);
        let found = read(sources.file(id));
        assert_eq!(found.diagnostics, [], "{text}");
        let program = found.program.unwrap();
        let entry = entry::find_entry(&program, sources.file(id), &World::default(), None).unwrap();
        let found = lint(sources.file(id), Some(&entry), None, None);
        found.iter().map(|one| one.code.0).collect()
    };
    let none: [&str; 0] = [];
    let bound = "def reward_function(objects):\n    match objects:\n        case [first, *rest] if rest: x = first\n        \
        case {'a': y, **more}: x = y, more\n        case _: x = 1\n    return x\n";
    assert_eq!(codes(bound), none);
    let unbound = bound.replace("case _: x = 1", "case []: x = 1");
    assert_eq!(codes(&unbound), ["reward/possibly-unbound"]);
    let none_case = "def reward_function(objects):\n    ball = None\n    for o in objects:\n        if o.x > 3: ball = o\n    \
        match ball:\n        case None: return 0.0\n        case _: return ball.x\n";
    assert_eq!(codes(none_case), none);
    let missing = none_case.replace("case None: return 0.0", "case 5: return 0.0");
    assert_eq!(codes(&missing), ["reward/possibly-none"]);
    let with = "from contextlib import nullcontext, suppress\ndef reward_function(objects):\n    with nullcontext(1) as x, nullcontext(2) as (y):\n        \
        z = x + y\n    return z\n";
    assert_eq!(codes(with), none);
    let suppressed = "from contextlib import suppress\ndef reward_function(objects):\n    with suppress(IndexError):\n        \
        z = objects[0]\n    return z\n";
    assert_eq!(codes(suppressed), ["reward/possibly-unbound"]);
    let generator = "def pairs(objects):\n    for o in objects:\n        got = yield o\n        if got: return None\n\
        def reward_function(objects):\n    return sum(o.x for o in pairs(objects))\n";
    assert_eq!(codes(generator), none);
    let dead = "def reward_function(objects):\n    match len(objects):\n        case 0: return 1\n        case n: return n\n    return 2\n";
    assert_eq!(codes(dead), ["reward/unreachable"]);
}
