//! The table of methods in the book.
//!
//! `GOALSPEC_DOCS=overwrite cargo test -p goalspec-reward documentation` updates it.

use std::fmt::Write;

use goalspec_python_runtime::library::{methods, refused_methods};

const START: &str = "<!-- methods -->\n";
const END: &str = "<!-- end of methods -->\n";

/// The classes in the order of the table.
const CLASSES: [&str; 17] = [
    "str",
    "list",
    "dict",
    "set",
    "frozenset",
    "tuple",
    "range",
    "slice",
    "bytes",
    "int",
    "float",
    "deque",
    "Counter",
    "OrderedDict",
    "property",
    "generator",
    "ndarray",
];

/// Returns the table of methods.
fn table() -> String {
    let mut table = "| class | methods |\n|---|---|\n".to_owned();
    for class in CLASSES {
        let names: Vec<String> =
            methods().filter(|row| row.class() == class).map(|row| format!("`{}`", row.name)).collect();
        assert!(!names.is_empty(), "{class}");
        let _ = writeln!(table, "| `{class}` | {} |", names.join(" "));
    }
    table.push_str("\nNot supported, with the reason:\n\n| attribute | reason |\n|---|---|\n");
    for refused in refused_methods() {
        let _ = writeln!(table, "| `{}.{}` | {} |", refused.class, refused.name, refused.reason);
    }
    table
}

#[test]
fn the_book_lists_the_methods_of_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/src/reward-functions.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (before, rest) = page.split_once(START).unwrap();
    let (current, after) = rest.split_once(END).unwrap();
    let expected = table();
    if std::env::var("GOALSPEC_DOCS").is_ok_and(|value| value == "overwrite") {
        std::fs::write(path, format!("{before}{START}{expected}{END}{after}")).unwrap();
    } else {
        assert_eq!(current, expected, "run GOALSPEC_DOCS=overwrite cargo test -p goalspec-reward documentation");
    }
}
