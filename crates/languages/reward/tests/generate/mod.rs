//! Generator of reward functions from a sequence of choices: similar to real ones, faults included.

use std::fmt::Write;

/// A source of choices that takes a byte for each, and always chooses the first option once no bytes are left.
pub(crate) struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
}

impl<'b> Choices<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes: bytes.iter() }
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        usize::from(*self.bytes.next().unwrap_or(&0)) % count
    }

    fn pick<'p>(&mut self, items: &[&'p str]) -> &'p str {
        items[self.below(items.len())]
    }

    fn left(&self) -> bool {
        self.bytes.len() > 0
    }
}

const NUMBERS: [&str; 4] = ["r", "n", "m", "i"];
const OBJECTS: [&str; 4] = ["a", "b", "o", "p"];
const LISTS: [&str; 4] = ["objects", "xs", "ys", "ns"];
const FIELDS: [&str; 18] = [
    "x",
    "y",
    "w",
    "h",
    "dx",
    "dy",
    "prev_x",
    "prev_y",
    "value",
    "x",
    "y",
    "xy[0]",
    "prev_xy[1]",
    "wh[1]",
    "xywh[2]",
    "center[0]",
    "visible",
    "hud",
];
const OPERATORS: [&str; 7] = ["+", "-", "*", "/", "//", "%", "-"];
/// Numbers at the limits of exactness and range.
const EDGES: [&str; 12] = [
    "0",
    "1",
    "2",
    "0.1",
    "-0.5",
    "160",
    "1e300",
    "9007199254740993",
    "4611686018427387904",
    "9223372036854775807",
    "-0.0",
    "float(\"inf\")",
];
const ORDERS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

/// Generates a program for a world with these classes.
pub(crate) fn program(choices: &mut Choices<'_>, classes: &[String]) -> String {
    let mut writer = Writer { choices, classes, text: String::new(), depth: 0 };
    writer.text.push_str("import math\nfrom contextlib import nullcontext, suppress\nfrom ocatari.ram.game import *\nLIMIT = 40\nNAMES = (\"Player\", \"Ball\")\n\
            def halves(n):\n    while abs(n) > 1:\n        n /= 2\n        yield n\n");
    writer.function("touches", "a, b", &["a", "b"]);
    writer.function("worth", "o, n=2", &["o"]);
    let changed = writer.choices.pick(&["x = n", "y = o.x", "w += 1", "h = o.h - 9", "xy = n, o.y", "x -= o.dx"]);
    let field = writer.choices.pick(&FIELDS);
    let _ = writeln!(writer.text, "def moves(o, n=3):\n    o.{changed}\n    return o.{field}");
    writer.text.push_str("def adds(l, o):\n    l.append(o)\n    return len(l)\n");
    writer.text.push_str("def drops(l, o):\n    l.remove(o)\n    return not l\n");
    writer.text.push_str("def reward_function(objects):\n");
    let begins = [
        ("r", "0.0"),
        ("n", "0"),
        ("m", "1"),
        ("i", "1"),
        ("xs", "[]"),
        ("ys", "[]"),
        ("ns", "[]"),
        ("a", "None"),
        ("b", "next(q for q in objects)"),
        ("o", "objects[0]"),
        ("p", "min(objects, key=lambda q: q.x)"),
    ];
    for (name, value) in begins {
        if writer.choices.below(24) != 23 {
            let value = match (name, writer.choices.below(3)) {
                ("r", 0) => "0",
                ("a" | "b" | "o", 0) => "objects[-1]",
                _ => value,
            };
            let _ = writeln!(writer.text, "    {name} = {value}");
        }
    }
    if writer.choices.below(4) == 0 {
        writer.text.push_str("    def near(o, d=20):\n        return abs(o.x - (a.x if a else n)) < d\n");
    } else {
        writer.text.push_str("    near = lambda o: o.y > LIMIT\n");
    }
    for _ in 0..=writer.choices.below(7) {
        writer.statement(1);
    }
    let value = writer.choices.pick(&["r", "max(min(r, 1), -1)", "max(min(r, 1.0), -1.0)", "n", "r + n", "r > n", "a"]);
    let _ = writeln!(writer.text, "    return {value}");
    writer.text
}

struct Writer<'w, 'b> {
    choices: &'w mut Choices<'b>,
    classes: &'w [String],
    text: String,
    depth: usize,
}

impl Writer<'_, '_> {
    fn function(&mut self, name: &str, parameters: &str, objects: &[&str]) {
        let _ = writeln!(self.text, "def {name}({parameters}):");
        let object = self.choices.pick(objects);
        match (name, self.choices.below(3)) {
            ("touches", 0) => {
                self.text.push_str(
                    "    return a.x < b.x + b.w and a.x + a.w > b.x and a.y < b.y + b.h and a.y + a.h > b.y\n",
                );
            }
            ("touches", 1) => {
                self.text.push_str("    if (a.x <= b.x <= a.x + a.w or b.x <= a.x) and not a.y > b.y:\n        return True\n    return False\n");
            }
            ("touches", _) => self.text.push_str("    return a.is_on_top(b)\n"),
            (_, 0) => {
                let _ = writeln!(
                    self.text,
                    "    if {object}.category == \"Player\":\n        return {object}.x\n    return n / 4"
                );
            }
            (_, 1) => {
                let _ = writeln!(self.text, "    x, y = {object}.xy\n    return x * n - y");
            }
            _ => {
                let _ = writeln!(
                    self.text,
                    "    for k in range(n):\n        if {object}.x > k * 30:\n            return k\n    return None if n > 3 else {object}.y"
                );
            }
        }
    }

    fn line(&mut self, indent: usize, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "    ".repeat(indent));
    }

    fn block(&mut self, indent: usize) {
        for _ in 0..=self.choices.below(2) {
            self.statement(indent);
        }
    }

    fn statement(&mut self, indent: usize) {
        if indent > 3 || !self.choices.left() {
            let number = self.number();
            return self.line(indent, &format!("r += {number}"));
        }
        match self.choices.below(22) {
            0 | 1 => {
                let (name, number) = (self.choices.pick(&["r", "n", "m"]), self.number());
                self.line(indent, &format!("{name} = {number}"));
            }
            2 | 3 => {
                let (name, sign, number) =
                    (self.choices.pick(&["r", "n"]), self.choices.pick(&["+", "-", "*"]), self.number());
                self.line(indent, &format!("{name} {sign}= {number}"));
            }
            4..=6 => {
                let condition = self.condition();
                self.line(indent, &format!("if {condition}:"));
                self.block(indent + 1);
                if self.choices.below(2) == 0 {
                    let condition = self.condition();
                    self.line(indent, &format!("elif {condition}:"));
                    self.block(indent + 1);
                }
                if self.choices.below(2) == 0 {
                    self.line(indent, "else:");
                    self.block(indent + 1);
                }
            }
            7 | 8 => {
                let (name, list) = (self.choices.pick(&["o", "p", "a", "b"]), self.list());
                self.line(indent, &format!("for {name} in {list}:"));
                self.block(indent + 1);
                if self.choices.below(3) == 0 {
                    let condition = self.condition();
                    let word = self.choices.pick(&["break", "continue", "return r", "xs.append(o)", "ys.remove(p)"]);
                    self.line(indent + 1, &format!("if {condition}:"));
                    self.line(indent + 2, word);
                    self.line(indent + 1, "n += 1");
                }
            }
            9 => {
                self.line(indent, "for i, o in enumerate(objects):");
                self.block(indent + 1);
            }
            10 => {
                let range =
                    self.choices.pick(&["range(3)", "range(n)", "range(5, 0, -2)", "range(0, len(objects) - 1, 2)"]);
                self.line(indent, &format!("for i in {range}:"));
                self.block(indent + 1);
            }
            11 => {
                let (list, object) = (self.choices.pick(&["xs", "ys", "xs", "objects"]), self.object());
                let method = self.choices.pick(&["append", "append", "append", "remove"]);
                self.line(indent, &format!("{list}.{method}({object})"));
            }
            12 => {
                let (name, object) = (self.choices.pick(&OBJECTS), self.object());
                self.line(indent, &format!("{name} = {object}"));
            }
            13 | 14 => {
                let (name, list) = (self.choices.pick(&["xs", "ys"]), self.list());
                self.line(indent, &format!("{name} = {list}"));
            }
            15 => self.line(indent, "x, y = n, r"),
            16..=19 => self.change(indent),
            20 => self.match_statement(indent),
            _ => {
                let rare = self.choices.pick(&[
                    "print(r)",
                    "ns.append(n)",
                    "while n < 5:\n        n += 2",
                    "d = {\"k\": n}",
                    "try:\n        n = a.x\n    except AttributeError:\n        n = 7",
                    "with suppress(AttributeError):\n        n = a.x\n        r += n",
                    "with nullcontext(n) as m:\n        r += m",
                    "r += sum(halves(n))",
                    "r += xs[n].x",
                    "assert n < 50",
                    "t = f\"{n}\"",
                    "del m",
                    "r += sum(v for v in ns)",
                ]);
                if indent == 1 {
                    self.line(indent, rare);
                } else {
                    self.line(indent, "n += 1");
                }
            }
        }
    }

    fn match_statement(&mut self, indent: usize) {
        let subject = match self.choices.below(4) {
            0 => self.number(),
            1 => self.object(),
            2 => format!("{}, n", self.object()),
            _ => format!("{}.category", self.choices.pick(&OBJECTS)),
        };
        self.line(indent, &format!("match {subject}:"));
        for _ in 0..=self.choices.below(3) {
            let (class, number) = (self.class(), self.choices.pick(&["0", "1", "-1", "0.5"]));
            let pattern = match self.choices.below(9) {
                0 => "None".to_owned(),
                1 => format!("{number} | 2"),
                2 => format!("{class}()"),
                3 => format!("{class}(x=q)"),
                4 => format!("({class}(), q)"),
                5 => "[None, q] | (_, q)".to_owned(),
                6 => "int() | float() as q".to_owned(),
                7 => "\"Player\" | \"Ball\"".to_owned(),
                _ => "str()".to_owned(),
            };
            let guard = if self.choices.below(3) == 0 { format!(" if {}", self.condition()) } else { String::new() };
            self.line(indent + 1, &format!("case {pattern}{guard}:"));
            self.block(indent + 2);
        }
        if self.choices.below(2) == 0 {
            self.line(indent + 1, "case q:");
            self.line(indent + 2, "n += 1");
        }
    }

    /// Writes a statement that changes objects or lists of them.
    fn change(&mut self, indent: usize) {
        match self.choices.below(4) {
            0 => {
                let (object, field, number) =
                    (self.choices.pick(&OBJECTS), self.choices.pick(&["x", "y", "w", "h", "value"]), self.number());
                let sign = self.choices.pick(&["", "", "+", "-"]);
                self.line(indent, &format!("{object}.{field} {sign}= {number}"));
            }
            1 => {
                let (object, one, two) = (self.choices.pick(&OBJECTS), self.number(), self.number());
                let field = self.choices.pick(&["xy", "xy", "xy", "wh"]);
                self.line(indent, &format!("{object}.{field} = {one}, {two}"));
            }
            2 => {
                let (object, field) = (self.choices.pick(&OBJECTS), self.choices.pick(&FIELDS));
                let written = self.choices.pick(&["x", "y", "w", "h"]);
                let whole = self.choices.pick(&["0", "n", "i", "-1", "7", "o.dx", "len(xs)"]);
                self.line(indent, &format!("{object}.{written} = {whole}"));
                self.line(indent, &format!("n += {object}.{field}"));
            }
            _ => {
                let (list, class) = (self.list(), self.class());
                let all = self.choices.pick(&LISTS[..3]);
                self.line(indent, &format!("for p in {list}:"));
                self.line(indent + 1, &format!("if isinstance(p, {class}):"));
                self.line(indent + 2, &format!("{all}.append(p)"));
            }
        }
    }

    fn deeper<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        result
    }

    fn number(&mut self) -> String {
        if self.depth > 2 || !self.choices.left() {
            return self.choices.pick(&["1", "0.5", "n", "2", "-1", "0"]).to_owned();
        }
        self.deeper(|this| match this.choices.below(21) {
            20 => format!("next((q.{} for q in objects if q.x > n), {})", this.choices.pick(&FIELDS), this.number()),
            0 | 1 => this.choices.pick(&EDGES).to_owned(),
            2 => this.choices.pick(&NUMBERS).to_owned(),
            3..=6 => format!("{}.{}", this.choices.pick(&OBJECTS), this.choices.pick(&FIELDS)),
            7 | 8 => {
                let (one, sign, two) = (this.number(), this.choices.pick(&OPERATORS), this.number());
                format!("({one} {sign} {two})")
            }
            9 => format!("{}({}, {})", this.choices.pick(&["min", "max"]), this.number(), this.number()),
            10 => format!("{}({})", this.choices.pick(&["abs", "int", "float", "-"]), this.number()),
            11 => format!("len({})", this.choices.pick(&LISTS)),
            12 => {
                let (one, condition, two) = (this.number(), this.condition(), this.number());
                format!("({one} if {condition} else {two})")
            }
            13 => format!("{}.manathan_distance({})", this.object(), this.object()),
            14 => format!("worth({}{})", this.object(), this.choices.pick(&["", ", 3", ", n=n"])),
            15 => format!("({} {} {})", this.number(), this.choices.pick(&["and", "or"]), this.number()),
            16 => {
                let (one, two) = (this.condition(), this.condition());
                format!("(({one}) + ({two}))")
            }
            17 => {
                let (object, list) = (this.object(), this.choices.pick(&LISTS[..3]));
                match this.choices.below(4) {
                    0 => format!("moves({object}, n=i)"),
                    1 => format!("adds({list}, {object})"),
                    2 => format!("drops({list}, {object})"),
                    _ => format!("moves({object})"),
                }
            }
            18 => format!("({} ** 2)", this.number()),
            _ => {
                let list = this.choices.pick(&["objects", "xs"]);
                match this.choices.below(6) {
                    0 => format!("sum(q.x for q in {list} if q.y > n)"),
                    1 => format!("math.sqrt({}.w)", this.choices.pick(&OBJECTS)),
                    2 => format!("sum(q.dx < n for q in {list})"),
                    3 => format!("sum(-q.w / 2 for q in {list})"),
                    4 => format!("sum(moves(q) for q in {list})"),
                    _ => format!("sum([1 for q in {list} if q])"),
                }
            }
        })
    }

    fn class(&mut self) -> String {
        self.classes[self.choices.below(self.classes.len())].clone()
    }

    fn object(&mut self) -> String {
        if self.depth > 2 || !self.choices.left() {
            return self.choices.pick(&OBJECTS).to_owned();
        }
        self.deeper(|this| match this.choices.below(11) {
            0..=3 => this.choices.pick(&OBJECTS).to_owned(),
            4 => format!(
                "next((q for q in {} if isinstance(q, {})), {})",
                this.choices.pick(&["objects", "xs"]),
                this.class(),
                this.choices.pick(&["None", "None", "o", "n"])
            ),
            5 => format!("objects[{}]", this.choices.pick(&["0", "1", "-1", "n", "i"])),
            6 => {
                format!("next(q for q in {} if isinstance(q, {}))", this.choices.pick(&["objects", "xs"]), this.class())
            }
            7 => format!(
                "{}({}, key=lambda q: {})",
                this.choices.pick(&["min", "max"]),
                this.choices.pick(&LISTS[..3]),
                this.key()
            ),
            8 => "None".to_owned(),
            _ => format!("({} or {})", this.choices.pick(&OBJECTS), this.choices.pick(&OBJECTS)),
        })
    }

    fn key(&mut self) -> &'static str {
        self.choices.pick(&[
            "q.x",
            "-q.y",
            "abs(q.x - n)",
            "q.x / 2",
            "q.dx",
            "(q.y, q.x)",
            "q.x if q.y > 50 else 0",
            "q.h // 4",
            "moves(q)",
            "q.w % 3 * -0.0",
            "len(xs) - q.w",
        ])
    }

    fn list(&mut self) -> String {
        let condition = match self.choices.below(6) {
            0 => "near(q)".to_owned(),
            1 => format!("isinstance(q, {})", self.class()),
            2 => format!("q.category == \"{}\"", self.class()),
            3 => format!("q.category in (\"{}\", \"Player\")", self.class()),
            4 => format!("type(q).__name__ != \"{}\"", self.class()),
            _ => "q.x < q.y or q.w".to_owned(),
        };
        match self.choices.below(8) {
            0..=2 => format!("[q for q in {} if {condition}]", self.choices.pick(&LISTS[..3])),
            3 => format!("sorted({}, key=lambda q: {})", self.choices.pick(&LISTS[..3]), self.key()),
            4 => "xs + ys".to_owned(),
            5 => format!("[{}]", self.choices.pick(&OBJECTS)),
            6 => "[]".to_owned(),
            _ => self.choices.pick(&LISTS[..3]).to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        if self.depth > 2 || !self.choices.left() {
            return self.choices.pick(&["a", "n", "xs", "r > 0", "o is not None", "p"]).to_owned();
        }
        self.deeper(|this| match this.choices.below(15) {
            0..=2 => format!("{} {} {}", this.number(), this.choices.pick(&ORDERS), this.number()),
            3 => format!("isinstance({}, {})", this.choices.pick(&OBJECTS), this.class()),
            4 => format!("{}.category == \"{}\"", this.choices.pick(&OBJECTS), this.class()),
            5 => format!("{} is {}None", this.choices.pick(&OBJECTS), this.choices.pick(&["", "not "])),
            6 | 7 => format!("({} {} {})", this.condition(), this.choices.pick(&["and", "or"]), this.condition()),
            8 => format!("not {}", this.condition()),
            9 => this.choices.pick(&["a", "b", "xs", "n", "r", "o", "p"]).to_owned(),
            10 => format!("touches({}, {})", this.object(), this.object()),
            11 => format!("{} {} {}", this.object(), this.choices.pick(&["==", "!=", "is"]), this.object()),
            12 => {
                let (low, middle, high) = (this.number(), this.number(), this.number());
                let (one, two) = (this.choices.pick(&ORDERS), this.choices.pick(&ORDERS));
                format!("{low} {one} {middle} {two} {high}")
            }
            13 => format!(
                "{}(q.x > {} for q in {})",
                this.choices.pick(&["any", "all"]),
                this.number(),
                this.choices.pick(&LISTS[..3])
            ),
            _ => format!("near({})", this.object()),
        })
    }
}
