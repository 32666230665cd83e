//! Generator of class hierarchies with operators: the order in which operands are tried, and the built-in operators without an override.

use std::fmt::Write;

use super::Random;

/// The base classes, each with an argument for its constructor.
const BASES: [(&str, &str); 9] = [
    ("object", ""),
    ("int", "3"),
    ("float", "1.5"),
    ("str", "'a'"),
    ("list", "[1]"),
    ("tuple", "(1,)"),
    ("dict", "{1: 2}"),
    ("set", "{1}"),
    ("Exception", "1"),
];

const METHODS: [&str; 15] =
    ["eq", "ne", "lt", "gt", "le", "add", "radd", "mod", "rmod", "or", "ror", "sub", "rsub", "mul", "rmul"];

const OPERATORS: [&str; 10] = ["==", "!=", "<", ">", "<=", "+", "%", "|", "-", "*"];

const COUNT: usize = 5;

/// Generates a program whose function `f` returns the results of all operators on instances of classes and built-in values.
pub(crate) fn program(seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = "def f(o):\n".to_owned();
    let mut classes: Vec<&str> = Vec::new();
    for class in 0..COUNT {
        let (base, argument) = if class > 0 && random.below(2) == 0 {
            let base = random.below(class);
            (format!("C{base}"), classes[base])
        } else {
            let (base, argument) = BASES[random.below(BASES.len())];
            (base.to_owned(), argument)
        };
        classes.push(argument);
        let _ = writeln!(text, "    class C{class}({base}):\n        pass");
        for _ in 0..random.below(6) {
            let (method, value) = (random.pick(&METHODS), random.pick(&["NotImplemented", "True", "False", "'text'"]));
            let _ = writeln!(text, "        def __{method}__(self, o): return {value}");
        }
    }
    let objects: String =
        classes.iter().enumerate().map(|(class, argument)| format!("C{class}({argument}), ")).collect();
    let _ = writeln!(
        text,
        "    r = []\n    values = [{objects}1, 1.5, 'a', [1], {{1: 2}}, (1,), {{1}}, True, None]\n    for i, a in enumerate(values):\n        \
        for j, b in enumerate(values):\n            if i >= {COUNT} and j >= {COUNT}: continue"
    );
    for operator in OPERATORS {
        let _ = writeln!(
            text,
            "            try:\n                v = a {operator} b\n                \
            r.append(v if isinstance(v, (bool, str)) else type(v).__name__)\n            \
            except (TypeError, ZeroDivisionError) as e: r.append(type(e).__name__)"
        );
    }
    text.push_str("            r.append(a in [b])\n    return repr(r)\n");
    text
}
