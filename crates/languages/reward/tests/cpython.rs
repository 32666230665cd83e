//! Comparisons with CPython 3.11: results, messages and tracebacks, word by word.

#[path = "differential/mod.rs"]
mod differential;
#[path = "hostile/mod.rs"]
mod hostile;

use std::sync::Arc;

use std::io::Write;
use std::process::{Command, Stdio};

use goalspec_python_runtime::Machine;
use goalspec_python_runtime::fast::CompiledFunction;
use goalspec_python_runtime::limits::CallBudget;
use goalspec_python_runtime::machine::{CallError, ReturnValue};
use goalspec_python_runtime::scene::World;
use goalspec_reward::read;
use goalspec_syntax::{Diagnostic, SourceFile, Sources};

/// Runs a one-line script in an interpreter and returns its output.
fn python_output(python: &str, question: &str) -> String {
    let output = Command::new(python).args(["-c", question]).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

/// Returns the interpreter to compare with, if it has the expected version.
fn python() -> Option<String> {
    if python_output("python3", "import sys; print(sys.version_info[:2])") == "(3, 11)" {
        return Some("python3".to_owned());
    }
    eprintln!("skipped: there is no CPython 3.11");
    None
}

/// Returns an interpreter with numpy 1.26: the one that the variable `GOALSPEC_NUMPY_PYTHON` names, or `python3`.
fn python_with_numpy() -> Option<String> {
    let python = std::env::var("GOALSPEC_NUMPY_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if python_output(&python, "import sys, numpy; print(sys.version_info[:2], numpy.__version__[:4])") == "(3, 11) 1.26"
    {
        return Some(python);
    }
    eprintln!("skipped: there is no CPython 3.11 with numpy 1.26");
    None
}

/// Runs programs in CPython and returns their results; `None` if there is no interpreter.
fn oracle(python: Option<String>, script: &str, programs: &[String]) -> Option<Vec<String>> {
    let python = python?;
    let script = format!("{}/tests/cpython/{script}", env!("CARGO_MANIFEST_DIR"));
    let mut child =
        Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("python3 starts");
    let text = serde_json::to_string(programs).unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// Returns the reason for which a program is rejected. Syntax errors are written as CPython writes them.
fn rejection_text(source: &SourceFile, diagnostics: &[Diagnostic]) -> String {
    match diagnostics {
        [Diagnostic { code, message, span: Some(span), .. }, ..] if code.0 == "reward/syntax" => {
            let (line, _) = source.line_column(span.start);
            format!("SyntaxError: {message} (<program>, line {line})")
        }
        _ => format!("not read: {diagnostics:?}"),
    }
}

/// Runs a program on the machine and returns its result as text.
fn machine_result(text: &str) -> String {
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    let found = read(sources.file(id));
    let Some(program) = found.program else { return rejection_text(sources.file(id), &found.diagnostics) };
    let world = World::default();
    result_text(
        Machine::new(program.clone(), world.clone(), CallBudget::default())
            .and_then(|mut machine| machine.call("f", &[])),
    )
}

/// Writes a result as the oracle does.
fn result_text(called: Result<ReturnValue, CallError>) -> String {
    match called {
        // Programs return texts or the `repr` of other values.
        Ok(ReturnValue::Other(text)) => text,
        Ok(ReturnValue::Int(number)) => number.to_string(),
        Ok(ReturnValue::Float(number)) => format!("{number:?}"),
        Ok(ReturnValue::Bool(truth)) => if truth { "True" } else { "False" }.to_owned(),
        Err(CallError::Exception { kind, message, .. }) => format!("{kind}: {message}"),
        Err(error) => error.to_string(),
    }
}

/// Asserts that the register interpreter and machine code agree with the machine.
fn assert_engines_agree(text: &str) {
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    let Some(program) = read(sources.file(id)).program else { return };
    let world = World::default();
    let Ok(mut machine) = Machine::new(program.clone(), world.clone(), CallBudget::default()) else { return };
    let expected = result_text(machine.call("f", &[]));
    for is_native in [false, true] {
        let compiled = CompiledFunction::new(program.clone(), world.clone(), "f", CallBudget::default())
            .expect("the machine could read it");
        if is_native && compiled.compile().is_err() {
            continue;
        }
        let result = result_text(compiled.instance().call(&[]).map_err(Arc::unwrap_or_clone));
        assert_eq!(result, expected, "machine code: {is_native}\n{text}");
    }
}

fn compare(python: Option<String>, programs: &[String]) {
    compare_with(python, "oracle.py", programs, machine_result);
}

fn compare_with(python: Option<String>, script: &str, programs: &[String], ours: fn(&str) -> String) {
    let Some(expected) = oracle(python, script, programs) else { return };
    let differing: Vec<String> = programs
        .iter()
        .zip(&expected)
        .filter_map(|(program, expected)| {
            let result = ours(program);
            // CPython has no memory budget, words the depth limit differently, and may not terminate.
            let ended = result.starts_with("memory limit exceeded")
                || expected == "NOT OVER"
                || (result.starts_with("call depth limit exceeded") && expected.starts_with("RecursionError"));
            (result != *expected && !ended).then(|| format!("{program}\n  gives     {result}\n  CPython's {expected}"))
        })
        .collect();
    assert!(differing.is_empty(), "{} of {} differ:\n{}", differing.len(), programs.len(), differing.join("\n"));
}

#[test]
fn expressions() {
    let lines = include_str!("cpython/expressions.txt").lines();
    // `repr` is called in the program, so that floats are compared in its format, too.
    let programs: Vec<String> = lines.map(|line| format!("def f(o):\n    return repr({line})\n")).collect();
    compare(python(), &programs);
}

#[test]
fn bytes() {
    let lines = include_str!("cpython/bytes.txt").lines();
    let programs: Vec<String> = lines.map(|line| format!("def f(o):\n    return repr(({line}))\n")).collect();
    compare(python(), &programs);
}

#[test]
fn programs() {
    let programs: Vec<String> = include_str!("cpython/programs.txt").split("===\n").map(str::to_owned).collect();
    compare(python(), &programs);
}

/// `match` statements.
#[test]
fn patterns() {
    let programs: Vec<String> = include_str!("cpython/patterns.txt").split("===\n").map(str::to_owned).collect();
    compare(python(), &programs);
}

/// Generator functions, `send`, `throw`, `close` and `yield from`.
#[test]
fn generators() {
    let programs: Vec<String> = include_str!("cpython/generators.txt").split("===\n").map(str::to_owned).collect();
    compare(python(), &programs);
}

/// `with` statements and `contextlib`.
#[test]
fn contexts() {
    let programs: Vec<String> = include_str!("cpython/contexts.txt").split("===\n").map(str::to_owned).collect();
    compare(python(), &programs);
}

/// Decorators, descriptors, `functools`, `abc` and class arguments.
#[test]
fn decorators() {
    let programs: Vec<String> = include_str!("cpython/decorators.txt").split("===\n").map(str::to_owned).collect();
    compare(python(), &programs);
}

/// Adds the import of numpy to a program.
fn with_numpy(text: &str) -> String {
    format!("import numpy as np\n{text}")
}

#[test]
fn numpy_expressions() {
    let lines = include_str!("cpython/numpy.txt").lines();
    let programs: Vec<String> =
        lines.map(|line| with_numpy(&format!("def f(o):\n    return repr({line})\n"))).collect();
    compare(python_with_numpy(), &programs);
}

#[test]
fn numpy_functions() {
    let lines = include_str!("cpython/numpy_functions.txt").lines();
    let programs: Vec<String> =
        lines.map(|line| with_numpy(&format!("def f(o):\n    return repr(({line}))\n"))).collect();
    compare(python_with_numpy(), &programs);
}

#[test]
fn numpy_programs() {
    let programs: Vec<String> = include_str!("cpython/numpy_programs.txt").split("===\n").map(with_numpy).collect();
    compare(python_with_numpy(), &programs);
}

/// Adds the library imports to a program.
fn with_libraries(text: &str) -> String {
    let imports = [
        "import math",
        "from abc import ABC, ABCMeta, abstractmethod",
        "from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple",
        "from dataclasses import asdict, astuple, dataclass, field, replace",
        "from enum import Enum, IntEnum, StrEnum, auto, unique",
        "from functools import cache, lru_cache, partial, reduce, total_ordering, wraps",
        "from itertools import accumulate, chain, combinations, combinations_with_replacement, compress, count, cycle, \
        dropwhile, islice, pairwise, permutations, product, repeat, starmap, takewhile, zip_longest",
        "from typing import ClassVar, NamedTuple, Protocol, TypedDict, runtime_checkable",
    ];
    format!("{}\n{text}", imports.join("\n"))
}

#[test]
fn library_expressions() {
    let lines = include_str!("cpython/library.txt").lines();
    let programs: Vec<String> =
        lines.map(|line| with_libraries(&format!("def f(o):\n    return repr(({line}))\n"))).collect();
    compare(python(), &programs);
}

#[test]
fn library_programs() {
    let programs: Vec<String> =
        include_str!("cpython/library_programs.txt").split("===\n").map(with_libraries).collect();
    compare(python(), &programs);
}

#[test]
fn enumerations() {
    let programs: Vec<String> = include_str!("cpython/enums.txt").split("===\n").map(with_libraries).collect();
    compare(python(), &programs);
}

/// Special methods and hooks of dataclasses, enumerations, abstract classes and decorators.
#[test]
fn hooks() {
    let programs: Vec<String> = include_str!("cpython/hooks.txt").split("===\n").map(with_libraries).collect();
    compare(python(), &programs);
}

/// Special methods, each with the body of a class that defines it and an expression that uses it on an object `c`.
const SPECIAL: &[(&str, &str, &str)] = &[
    ("__new__", "def __new__(cls, *a): return object.__new__(cls)", "type(c).__name__"),
    ("__init__", "def __init__(self): self.x = 5", "c.x"),
    ("__repr__", "def __repr__(self): return 'r'", "repr(c) + str(c)"),
    ("__str__", "def __str__(self): return 's'", "str(c) + f'{c}'"),
    ("__format__", "def __format__(self, s): return 'f' + s", "f'{c:>3}' + format(c, 'q')"),
    ("__lt__", "def __lt__(self, o): return 1", "c < 2, 2 > c"),
    ("__le__", "def __le__(self, o): return 1", "c <= 2, 2 >= c"),
    ("__eq__", "def __eq__(self, o): return 1", "c == 2, 2 == c, 3 in [c], c != 4"),
    ("__ne__", "def __ne__(self, o): return 7", "c != 2, 2 != c"),
    ("__gt__", "def __gt__(self, o): return 1", "c > 2, 2 < c"),
    ("__ge__", "def __ge__(self, o): return 1", "c >= 2, 2 <= c"),
    ("__hash__", "def __hash__(self): return 11", "hash(c), {c: 1}[c]"),
    ("__bool__", "def __bool__(self): return False", "not c, bool(c), c and 1 or 2"),
    ("__getattr__", "def __getattr__(self, n): return n * 2", "c.ab, getattr(c, 'q'), hasattr(c, 'z')"),
    ("__setattr__", "def __setattr__(self, n, v): super().__setattr__('y', (n, v))", "setattr(c, 'k', 2), c.y"),
    ("__delattr__", "def __delattr__(self, n): self.gone = n", "exec_del(c), c.gone"),
    ("__get__", "def __get__(self, o, t): return t.__name__", "type('H', (), {}) if False else H().d, H.d"),
    ("__set__", "def __set__(self, o, v): o.kept = v", "assign(H), kept(H)"),
    ("__delete__", "def __delete__(self, o): o.gone = 1", "gone(H)"),
    ("__set_name__", "def __set_name__(self, o, n): self.at = (o.__name__, n)", "H.d.at"),
    ("__slots__", "__slots__ = ('x',)", "assign(C)"),
    ("__init_subclass__", "def __init_subclass__(cls): cls.tag = cls.__name__", "D.tag, hasattr(C, 'tag')"),
    ("__class_getitem__", "def __class_getitem__(cls, k): return (cls.__name__, k)", "C[3], C[1, 2]"),
    ("__bytes__", "def __bytes__(self): return b'q'", "bytes(c), int.from_bytes(c, 'big')"),
    ("__call__", "def __call__(self, *a, **k): return a, k", "c(1, b=2), callable(c)"),
    ("__len__", "def __len__(self): return 0", "len(c), bool(c)"),
    ("__getitem__", "def __getitem__(self, i): return [5, 6][i]", "c[1], list(c), 5 in c"),
    ("__setitem__", "def __setitem__(self, i, v): self.s = (i, v)", "put(c), c.s"),
    ("__delitem__", "def __delitem__(self, i): self.s = i", "cut(c), c.s"),
    ("__copy__", "def __copy__(self): return 'copy'", "copy.copy(c)"),
    ("__deepcopy__", "def __deepcopy__(self, m): return [type(m).__name__]", "copy.deepcopy(c)"),
    ("__missing__", "def __missing__(self, k): return k", "M()['q']"),
    ("__iter__", "def __iter__(self): return iter((1, 2))", "list(c), 2 in c, max(c), [*c]"),
    (
        "__next__",
        "n = 0\n    def __iter__(self): return self\n    def __next__(self):\n        self.n += 1\n        if self.n > 3: raise StopIteration\n        return self.n",
        "list(c)",
    ),
    ("__reversed__", "def __reversed__(self): return iter((3, 1))", "list(reversed(c))"),
    ("__contains__", "def __contains__(self, x): return x == 4", "4 in c, 5 in c, 5 not in c"),
    ("__neg__", "def __neg__(self): return 1", "-c"),
    ("__pos__", "def __pos__(self): return 2", "+c"),
    ("__abs__", "def __abs__(self): return 3", "abs(c)"),
    ("__invert__", "def __invert__(self): return 4", "~c"),
    ("__int__", "def __int__(self): return 5", "int(c)"),
    ("__float__", "def __float__(self): return 5.5", "float(c), math.sqrt(c)"),
    ("__index__", "def __index__(self): return 2", "[1, 2, 3][c], range(9)[c], hex(c), int(c)"),
    ("__round__", "def __round__(self, n=None): return n", "round(c), round(c, 2)"),
    ("__trunc__", "def __trunc__(self): return 6", "math.trunc(c)"),
    ("__floor__", "def __floor__(self): return 7", "math.floor(c)"),
    ("__ceil__", "def __ceil__(self): return 8", "math.ceil(c)"),
    ("__divmod__", "def __divmod__(self, o): return o", "divmod(c, 3)"),
    ("__rdivmod__", "def __rdivmod__(self, o): return o", "divmod(3, c)"),
    ("__post_init__", "def __post_init__(self): self.z = 1", "hasattr(c, 'z'), P().z"),
    ("__doc__", "__doc__ = 'text'", "1"),
    ("__match_args__", "__match_args__ = ('x',)\n    x = 3", "matched(c)"),
    ("__enter__", "def __enter__(self): return 7\n    def __exit__(self, *a): return True", "entered(c)"),
    ("__exit__", "def __enter__(self): return 8\n    def __exit__(self, *a): return True", "entered(c)"),
    ("__all__", "__all__ = ['x']", "1"),
    ("__version__", "__version__ = '1'", "1"),
];

/// Imports and helper functions that precede the class in the programs of [`SPECIAL`].
const SPECIAL_PREAMBLE: &str = "import copy, math\nfrom dataclasses import dataclass\ndef exec_del(c):\n    del c.q\ndef put(c):\n    c[1] = 2\n\
    def cut(c):\n    del c[3]\ndef assign(k):\n    o = k()\n    try:\n        o.d = 5\n        return 'set'\n    except AttributeError as e:\n        return str(e)\n\
    def kept(k):\n    o = k()\n    o.d = 5\n    return o.kept\n\
    def gone(k):\n    o = k()\n    del o.d\n    return o.gone\n\
    def matched(c):\n    match c:\n        case C(x): return x\ndef entered(c):\n    with c as v:\n        raise ValueError\n    return v\n";

fn special_program(body: &str, expression: &str) -> String {
    let needs = |name: &str, text: &str| if expression.contains(name) { text.to_owned() } else { String::new() };
    let holder = needs("H", "class H:\n    d = C()\n");
    let derived = needs("D.", "class D(C): pass\n");
    let missing = needs("M(", &format!("class M(dict):\n    {body}\n"));
    let fields = needs("P(", &format!("@dataclass\nclass P:\n    a: int = 1\n    {body}\n"));
    format!(
        "{SPECIAL_PREAMBLE}class C:\n    {body}\n{holder}{derived}{missing}{fields}def f(o):\n    c = C()\n    return repr(({expression}))\n"
    )
}

/// Each special name of Python's data model either works as in CPython, or is rejected with its name and a reason.
#[test]
fn special_names_are_supported_or_rejected() {
    let Some(python) = python() else { return };
    let script = format!("{}/tests/cpython/special.py", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(python).arg(script).output().expect("python3 starts");
    let names: Vec<String> = serde_json::from_slice(&output.stdout).expect("names are listed");
    assert!(names.len() > 150, "{names:?}");
    let operators =
        ["add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor"];
    let signs = ["+", "-", "*", "@", "/", "//", "%", "**", "<<", ">>", "&", "|", "^"];
    let mut programs = Vec::new();
    for name in &names {
        let bare = name.trim_matches('_');
        let operator =
            |prefix: &str| bare.strip_prefix(prefix).and_then(|rest| operators.iter().position(|one| *one == rest));
        let case = SPECIAL.iter().find(|(other, ..)| other == name);
        let program = if let Some((_, body, case)) = case {
            special_program(body, case)
        } else if let Some(place) = operator("") {
            let body = format!("def {name}(self, o): return ('{bare}', o)");
            special_program(&body, &format!("c {} 2", signs[place]))
        } else if let Some(place) = operator("r") {
            let body = format!("def {name}(self, o): return ('{bare}', o)");
            special_program(&body, &format!("2 {} c", signs[place]))
        } else if let Some(place) = operator("i") {
            let body = format!("def {name}(self, o): return ('{bare}', o)");
            let text = special_program(&body, "c");
            text.replace("    c = C()\n", &format!("    c = C()\n    c {}= 3\n", signs[place]))
        } else {
            for binding in [format!("def {name}(self, *a): return 1"), format!("{name} = 1")] {
                let mut sources = Sources::new();
                let id = sources.add("program.py", format!("class C:\n    {binding}\ndef f(o):\n    return 1\n"));
                let found = read(sources.file(id));
                let refusal = found.diagnostics.iter().find(|one| one.code.0 == "reward/forbidden-name");
                let Some(refusal) = refusal else { panic!("`{binding}` is accepted, and nothing is known of it") };
                assert!(refusal.message.contains(name.as_str()) && !refusal.help.is_empty(), "{refusal:?}");
            }
            continue;
        };
        // A subclass of `int` must override these operators and functions of its base.
        let is_of_number = case.is_none_or(|(_, _, case)| ["-c", "+c", "~c"].contains(case) || case.ends_with("(c)"));
        if is_of_number {
            programs.push(program.replace("class C:", "class C(int):"));
        }
        programs.push(program.replace("class C:", "class C(Exception):"));
        programs.push(program);
    }
    assert!(programs.len() > 170, "{}", programs.len());
    compare(Some("python3".to_owned()), &programs);
}

/// Returns the traceback of a program as this crate writes it.
fn our_traceback(text: &str) -> String {
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    let found = read(sources.file(id));
    let Some(program) = found.program else { return format!("not read: {:?}", found.diagnostics) };
    let world = World::default();
    let called = Machine::new(program.clone(), world.clone(), CallBudget::default())
        .and_then(|mut machine| machine.call("f", &[]));
    match called {
        Ok(result) => format!("nothing was raised: {result:?}"),
        Err(error) => goalspec_reward::traceback(&error, sources.file(id), "program.py"),
    }
}

#[test]
fn tracebacks() {
    let programs: Vec<String> = include_str!("cpython/tracebacks.txt").split("===\n").map(str::to_owned).collect();
    compare_with(python(), "tracebacks.py", &programs, our_traceback);
}

/// Tracebacks qualify the exceptions of a program with its module name, also if the file is compressed.
#[test]
fn tracebacks_name_the_module_of_any_file() {
    let mut sources = Sources::new();
    let id = sources.add("a/reward.py.gz", "class E(Exception): pass\ndef f(o): raise E('x')\n");
    let program = read(sources.file(id)).program.expect("it is read");
    let world = World::default();
    let error =
        Machine::new(program.clone(), world.clone(), CallBudget::default()).unwrap().call("f", &[]).unwrap_err();
    for file in ["a/reward.py.gz", "reward.py", "a\\reward.py.zst"] {
        let text = goalspec_reward::traceback(&error, sources.file(id), file);
        assert_eq!(text.lines().next_back(), Some("reward.E: x"), "{text}");
    }
}

/// Returns the number in an environment variable, or a default.
fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The variables `GOALSPEC_REWARD_PROGRAMS` and `GOALSPEC_REWARD_SEED` set the number of programs and their seed.
#[test]
fn made_up_programs() {
    const BATCH: u64 = 500;
    let (count, seed) = (number("GOALSPEC_REWARD_PROGRAMS", 400), number("GOALSPEC_REWARD_SEED", 1));
    let seeds: Vec<u64> = (0..count).map(|place| seed.wrapping_mul(1 << 32).wrapping_add(place)).collect();
    for batch in seeds.chunks(BATCH as usize) {
        let programs: Vec<String> = batch.iter().map(|&seed| differential::program(seed)).collect();
        compare(python(), &programs);
        for program in &programs {
            assert_engines_agree(program);
        }
    }
}

/// Class hierarchies with built-in bases and arbitrary subsets of the operator methods.
#[test]
fn generated_classes_match_cpython() {
    let programs: Vec<String> = (0..200).map(differential::classes::program).collect();
    compare(python(), &programs);
}

/// `cpython/floats.txt` contains floats with 17 digits and their `repr` in CPython 3.11: ties between two shortest candidates, neighbors
/// of powers of two, and arbitrary ones.
#[test]
fn float_repr_matches_cpython() {
    let lines: Vec<(&str, &str)> =
        include_str!("cpython/floats.txt").lines().filter_map(|one| one.split_once(' ')).collect();
    assert!(lines.len() > 600);
    let literals: Vec<&str> = lines.iter().map(|&(literal, _)| literal).collect();
    let expected: Vec<&str> = lines.iter().map(|&(_, expected)| expected).collect();
    let given =
        machine_result(&format!("def f(o):\n    return [float(x) for x in '{}'.split()]\n", literals.join(" ")));
    let given: Vec<&str> = given.trim_matches(['[', ']']).split(", ").collect();
    assert_eq!(given, expected);
}

/// Adds the imports of further modules to a program.
fn with_modules(text: &str) -> String {
    let imports = "import bisect, copy, heapq, json, logging, numbers, operator, random, re, statistics, string, traceback, types, warnings\n\
        from itertools import filterfalse, groupby, tee";
    with_libraries(&format!("{imports}\n{text}"))
}

#[test]
fn module_expressions() {
    let lines = include_str!("cpython/modules.txt").lines();
    let programs: Vec<String> =
        lines.map(|line| with_modules(&format!("def f(o):\n    return repr(({line}))\n"))).collect();
    compare(python(), &programs);
}

#[test]
fn module_programs() {
    let programs: Vec<String> = include_str!("cpython/modules_programs.txt").split("===\n").map(with_modules).collect();
    compare(python(), &programs);
}
