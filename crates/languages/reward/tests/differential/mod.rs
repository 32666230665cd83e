//! Generator of programs from a seed, for comparisons with CPython: the value, or the exception with its message, must be equal.

pub(crate) mod classes;
mod templates;

use std::fmt::Write;

/// A deterministic pseudorandom number generator (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % count as u64) as usize
    }

    fn pick<'p>(&mut self, items: &[&'p str]) -> &'p str {
        items[self.below(items.len())]
    }
}

/// Generates a program whose function `f` takes a list and returns a text.
pub(crate) fn program(seed: u64) -> String {
    let mut writer = Writer { random: Random(seed), text: String::new(), names: Vec::new(), remaining: 40 };
    writer.text.push_str(BEGIN);
    writer.text.push_str("def f(o):\n");
    for (name, value) in [("i", "3"), ("x", "2.5"), ("s", "'ab'"), ("l", "[3, 1, 2]"), ("d", "{'a': 1, 'b': 2.5}")] {
        let _ = writeln!(writer.text, "    {name} = {value}");
        writer.names.push(name);
    }
    for _ in 0..=writer.random.below(6) {
        writer.statement(1);
    }
    let result = writer.expression(3);
    let _ = writeln!(writer.text, "    return repr(({result}, i, x, s, l, d, o, COUNT))");
    writer.text
}

const BEGIN: &str = "\
import math
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import asdict, astuple, dataclass, field, replace
from enum import Enum, IntEnum
from contextlib import contextmanager, nullcontext, suppress
from functools import cached_property, cmp_to_key, lru_cache, partial, reduce, singledispatch, wraps
from itertools import accumulate, chain, combinations, combinations_with_replacement, compress, count, cycle
from itertools import dropwhile, islice, pairwise, permutations, product, repeat, starmap, takewhile, zip_longest
from typing import NamedTuple
class P:
    def __init__(self, a, b=1):
        self.a, self.b = a, b
    def __repr__(self):
        return f'P({self.a!r}, {self.b!r})'
    def __add__(self, other):
        return P(self.a + other, self.b)
    def __lt__(self, other):
        return self.a < other.a
    def __len__(self):
        return self.b
    @property
    def c(self):
        return self.a * 2
class Kid(P):
    k = 2
    def __init__(self, n):
        super().__init__(n)
        self.n = n
    def who(self):
        return 'kid', super().__repr__()
    def __eq__(self, other):
        return isinstance(other, P) and self.a == other.a
    def __iter__(self):
        return iter([self.n, 1, 2])
    def __getitem__(self, index):
        return [self.n, 5][index]
    def __contains__(self, value):
        return value == self.n
    def __call__(self, *values, **named):
        return self.n, values, named
    def __neg__(self):
        return Kid(-self.n)
    @property
    def double(self):
        return self.n * 2
    @staticmethod
    def scaled(value, by=3):
        return value * by
    @classmethod
    def made(cls, n):
        return cls(n)
class Color(Enum):
    RED = 1
    GREEN = 2
class Level(IntEnum):
    LOW = 1
    HIGH = 5
@dataclass(order=True)
class Point:
    x: int
    y: float = 2.0
@dataclass(frozen=True)
class Frozen:
    a: int
    b: tuple = ()
class Pair(NamedTuple):
    u: int
    v: str = 'z'
def g(a, b=2, *rest, k=3, **more):
    return (a, b, rest, k, sorted(more))
COUNT = 0
SEEN = {}
LIMITS = (1, 5.0, 'x')
def remember(k, store={}):
    global COUNT
    COUNT += 1
    store[k] = store.get(k, 0) + 1
    SEEN.setdefault(k, []).append(COUNT)
    return store
@lru_cache(maxsize=2)
def kept(a, b=1):
    global COUNT
    COUNT += 1
    return a, b
class Vec:
    def __init__(self, *v):
        self.v = list(v)
    def __add__(self, o):
        return Vec(*[a + b for a, b in zip(self.v, o.v)])
    def __radd__(self, o):
        return self if o == 0 else NotImplemented
    def __mul__(self, k):
        return Vec(*[a * k for a in self.v])
    __rmul__ = __mul__
    def __getitem__(self, i):
        return self.v[i]
    def __setitem__(self, i, x):
        self.v[i] = x
    def __delitem__(self, i):
        del self.v[i]
    def __len__(self):
        return len(self.v)
    def __iter__(self):
        return iter(self.v)
    def __repr__(self):
        return 'Vec' + repr(tuple(self.v))
    def __eq__(self, o):
        return self.v == getattr(o, 'v', o)
    def __hash__(self):
        return hash(tuple(self.v))
    def __bool__(self):
        return any(self.v)
    def __abs__(self):
        return sum(x * x for x in self.v) ** 0.5
    def __iadd__(self, o):
        self.v.extend(o)
        return self
    def __format__(self, s):
        return '<' + ','.join(format(x, s) for x in self.v) + '>'
    def __matmul__(self, o):
        return sum(a * b for a, b in zip(self, o))
    def __floordiv__(self, k):
        return Vec(*[a // k for a in self.v])
    def __contains__(self, x):
        return x in self.v
    def __int__(self):
        return int(self.v[0])
    def __float__(self):
        return float(self.v[0])
    def __index__(self):
        return self.v[0]
    def __call__(self, *a, **k):
        return a, k
class Steps:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        return self
    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n
    def __repr__(self):
        return f'Steps({self.n})'
class Stack(list):
    def top(self):
        return self[-1]
class Table(dict):
    def __missing__(self, k):
        return 'no', k
class Fault(ValueError):
    def __init__(self, code, *rest):
        super().__init__(code, *rest)
        self.code = code
@dataclass
class Cfg:
    a: int
    b: list = field(default_factory=list)
    c: float = field(default=1.5, repr=False)
    d: str = field(default='d', compare=False)
    def __post_init__(self):
        self.e = self.a
@dataclass
class Sub(Cfg):
    f: int = 7
class Mode(Enum):
    OFF = 'off'
    ON = 'on'
    ALSO = 'on'
    @property
    def up(self):
        return self.value.upper()
    @classmethod
    def default(cls):
        return cls.OFF
    def flip(self):
        return Mode.ON if self is Mode.OFF else Mode.OFF
Three = namedtuple('Three', 'a b c', defaults=[3])
";

struct Writer {
    random: Random,
    text: String,
    names: Vec<&'static str>,
    /// The number of expressions that may still be generated.
    remaining: usize,
}

const INTEGERS: [&str; 12] =
    ["0", "1", "-1", "2", "7", "-3", "True", "10**18", "-2**63", "9223372036854775807", "255", "1_000"];
const FLOATS: [&str; 12] = [
    "0.0",
    "-0.0",
    "0.1",
    "1.5",
    "-2.75",
    "1e16",
    "1e-7",
    "float('inf')",
    "float('nan')",
    "1e308",
    "3.0",
    "123456.789",
];
const TEXTS: [&str; 8] = ["''", "'a'", "'Hello World'", "'a,b,,c'", "' x\\t'", "\"it's\"", "'12'", "'ü'"];
const OPERATORS: [&str; 7] = ["+", "-", "*", "/", "//", "%", "+"];
const BITS: [&str; 3] = ["&", "|", "^"];
const ORDERS: [&str; 8] = ["<", "<=", ">", ">=", "==", "!=", "is", "in"];

impl Writer {
    fn statement(&mut self, depth: usize) {
        let indent = "    ".repeat(depth);
        if self.random.below(4) == 0 {
            return self.template_statement(&indent);
        }
        let kind = if depth > 3 { self.random.below(4) } else { self.random.below(10) };
        let name = self.random.pick(&["i", "x", "s", "l", "d", "v", "w"]);
        match kind {
            0 | 1 => {
                let value = self.expression(3);
                let _ = writeln!(self.text, "{indent}{name} = {value}");
            }
            2 => {
                let (operator, value) = (self.random.pick(&OPERATORS), self.expression(2));
                let _ = writeln!(self.text, "{indent}{name} {operator}= {value}");
            }
            3 => {
                let value = self.expression(2);
                let line = match self.random.below(7) {
                    0 => format!("l.append({value})"),
                    1 => format!("d[{value}] = {}", self.expression(1)),
                    2 => format!("l[{}] = {value}", self.random.pick(&["0", "-1", "5", "1:", "::2"])),
                    3 => format!("v, w = {value}"),
                    4 => format!("v, *w = {value}"),
                    5 => format!("o.append({value})"),
                    _ => format!("del {}", self.random.pick(&["l[0]", "d['a']", "l[1:]", "v"])),
                };
                let _ = writeln!(self.text, "{indent}{line}");
            }
            4 | 5 => {
                let condition = self.expression(2);
                let _ = writeln!(self.text, "{indent}if {condition}:");
                self.block(depth + 1);
                if self.random.below(2) == 0 {
                    let _ = writeln!(self.text, "{indent}else:");
                    self.block(depth + 1);
                }
            }
            6 | 7 => {
                let target = self.random.pick(&["v", "v", "v, w"]);
                let iterable = self.iterable(2);
                let _ = writeln!(self.text, "{indent}for {target} in islice({iterable}, 5):");
                self.block(depth + 1);
                if self.random.below(3) == 0 {
                    let condition = self.expression(1);
                    let _ =
                        writeln!(self.text, "{indent}    if {condition}: {}", self.random.pick(&["break", "continue"]));
                }
            }
            8 => {
                let _ = writeln!(self.text, "{indent}try:");
                self.block(depth + 1);
                let class =
                    self.random.pick(&["TypeError", "(ValueError, KeyError)", "Exception", "LookupError", "NameError"]);
                let _ = writeln!(self.text, "{indent}except {class} as e:");
                let _ = writeln!(self.text, "{indent}    o.append(str(e))");
                if self.random.below(3) == 0 {
                    let _ = writeln!(self.text, "{indent}finally:");
                    self.block(depth + 1);
                }
            }
            _ => {
                let value = self.expression(2);
                let _ = writeln!(self.text, "{indent}def h(a, b={value}):");
                let result = self.expression(2);
                let _ = writeln!(self.text, "{indent}    return (a, b, {result})");
                let argument = self.expression(1);
                let _ = writeln!(self.text, "{indent}v = h({argument})");
            }
        }
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..=self.random.below(2) {
            self.statement(depth);
        }
    }

    fn iterable(&mut self, depth: usize) -> String {
        let part = |writer: &mut Self| writer.expression(depth.saturating_sub(1));
        match self.random.below(11) {
            0 => "l".to_owned(),
            1 => "d".to_owned(),
            2 => "d.items()".to_owned(),
            3 => "s".to_owned(),
            4 => format!("range({})", self.random.pick(&["3", "5, 0, -2", "i", "0"])),
            5 => format!("enumerate({}, 1)", part(self)),
            6 => format!("zip(l, {})", part(self)),
            7 => format!("[{}, {}]", part(self), part(self)),
            8 => format!("(q for q in l if q {} {})", self.random.pick(&ORDERS[..6]), part(self)),
            9 => "combinations(l, 2)".to_owned(),
            _ => format!("chain(l, {})", part(self)),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        self.remaining = self.remaining.saturating_sub(1);
        if depth == 0 || self.remaining == 0 {
            return match self.random.below(5) {
                0 => self.random.pick(&INTEGERS).to_owned(),
                1 => self.random.pick(&FLOATS).to_owned(),
                2 => self.random.pick(&TEXTS).to_owned(),
                3 => self
                    .random
                    .pick(&["None", "[]", "()", "{}", "o", "P(1)", "P(2.5, 0)", "Vec(1, 2)", "Mode.ON", "Cfg(1)"])
                    .to_owned(),
                _ => self.names[self.random.below(self.names.len())].to_owned(),
            };
        }
        if self.random.below(4) == 0 {
            let template = self.random.pick(&templates::EXPRESSIONS);
            return format!("({})", self.fill_template(template));
        }
        let kind = self.random.below(16);
        let one = self.expression(depth - 1);
        let two = self.expression(depth - 1);
        match kind {
            0..=3 => format!("({one} {} {two})", self.random.pick(&OPERATORS)),
            4 => format!("({one} {} {two})", self.random.pick(&BITS)),
            5 | 6 => format!("({one} {} {two})", self.random.pick(&ORDERS)),
            7 => format!("({one} {} {two})", self.random.pick(&["and", "or", "if i else"])),
            8 => format!("({}({one}))", self.random.pick(&["not ", "-", "+", "~"])),
            9 => format!("({one})[{}]", self.random.pick(&["0", "-1", "1:", "::-1", "'a'", "i", "None", ":2"])),
            10 => format!(
                "({one}).{}",
                self.random.pick(&["a", "c", "real", "nothing", "upper()", "split(',')", "get('a')"])
            ),
            11 | 12 => self.call(&one, &two),
            13 => self.comprehension(&one),
            14 => format!(
                "f'{{{}!r:>{}}}|{{x:.{}f}}|{{i:+d}}'",
                self.random.pick(&["i", "x", "s", "l"]),
                3 + depth,
                depth
            ),
            _ => format!("({one}, [{two}])"),
        }
    }

    fn template_statement(&mut self, indent: &str) {
        let template = self.random.pick(&templates::STATEMENTS);
        for line in self.fill_template(template).lines() {
            let _ = writeln!(self.text, "{indent}{line}");
        }
    }

    /// Fills the placeholders of a template.
    fn fill_template(&mut self, template: &str) -> String {
        let mut written = String::new();
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let mut characters = template.chars().peekable();
        let mut before = ' ';
        while let Some(character) = characters.next() {
            let is_alone = !is_part(before) && !characters.peek().copied().is_some_and(is_part);
            before = character;
            let nested = match character {
                _ if !is_alone => None,
                'Q' => Some(self.random.pick(&templates::SEQUENCES)),
                'G' => Some(self.random.pick(&templates::SETS)),
                'D' => Some(self.random.pick(&templates::DICTS)),
                'L' => Some(self.random.pick(&templates::LIST_METHODS)),
                'M' => Some(self.random.pick(&templates::DICT_METHODS)),
                'S' => Some(self.random.pick(&templates::SET_METHODS)),
                'U' => Some(self.random.pick(&templates::DEQUE_METHODS)),
                'Z' => Some(self.random.pick(&templates::CALL_ARGUMENTS)),
                'E' => Some(self.random.pick(&templates::EXCEPTION_CLASSES)),
                'R' => Some(self.random.pick(&templates::PATTERNS)),
                _ => None,
            };
            match character {
                _ if nested.is_some() => written.push_str(&self.fill_template(nested.unwrap_or_default())),
                'A' if is_alone => written.push_str(&self.expression(1)),
                'N' if is_alone && self.random.below(2) == 0 => written.push_str(self.random.pick(&FLOATS)),
                'K' if is_alone && self.random.below(2) == 0 => written.push_str(self.random.pick(&FLOATS[..7])),
                'N' | 'K' | 'I' if is_alone => written.push_str(self.random.pick(&INTEGERS)),
                'T' if is_alone => written.push_str(self.random.pick(&templates::TEXTS)),
                'C' if is_alone => written.push_str(self.random.pick(&templates::SLICE_BOUNDS)),
                'F' if is_alone => written.push_str(self.random.pick(&templates::FORMATS)),
                _ => written.push(character),
            }
        }
        written
    }

    fn comprehension(&mut self, value: &str) -> String {
        let iterable = self.iterable(1);
        match self.random.below(4) {
            0 => format!("[({value}, q) for q in {iterable}]"),
            1 => format!("{{str(q): {value} for q in {iterable}}}"),
            2 => format!("sorted({{str(q) for q in {iterable}}})"),
            _ => format!("list(({value}, q) for q in {iterable} if q)"),
        }
    }

    fn call(&mut self, one: &str, two: &str) -> String {
        let function = self.random.pick(&[
            "abs",
            "len",
            "str",
            "repr",
            "bool",
            "int",
            "float",
            "list",
            "tuple",
            "sorted",
            "sum",
            "max",
            "min",
            "any",
            "all",
            "round",
            "reversed",
            "P",
            "Counter",
            "deque",
            "math.floor",
            "math.sqrt",
            "math.copysign",
            "isinstance",
            "divmod",
            "pow",
            "g",
            "g",
            "zip_longest",
            "dict",
            "range",
            "enumerate",
            "hash",
        ]);
        match function {
            "math.copysign" | "divmod" => format!("{function}({one}, {two})"),
            // Small exponents keep powers small.
            "pow" => format!("pow({one}, {})", self.random.pick(&["2", "0", "3", "-1"])),
            "isinstance" => {
                format!("isinstance({one}, {})", self.random.pick(&["int", "(str, float)", "P", "bool", "list"]))
            }
            "max" | "min" if self.random.below(2) == 0 => format!("{function}({one}, {two})"),
            "max" | "min" => {
                format!("{function}({one}, key=lambda q: {}, default={two})", self.random.pick(&["q", "-q", "str(q)"]))
            }
            "round" => format!("round({one}, {})", self.random.pick(&["2", "0", "-1", "None"])),
            "sorted" => format!(
                "sorted({one}, key={}, reverse={})",
                self.random.pick(&["str", "None", "len"]),
                self.random.pick(&["True", "False"])
            ),
            "g" => format!("g({one}, {})", self.random.pick(&["k=1", "*l", "**d", "b=2", "z=1", "1, 2, 3", "a=2"])),
            "reversed" | "zip_longest" | "enumerate" => format!("list({function}({one}))"),
            "hash" => format!("(hash({one}) == hash({two}))"),
            _ => format!("{function}({one})"),
        }
    }
}
