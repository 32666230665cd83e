//! The tables of built-in functions, of modules and of methods in the book.
//!
//! `GOALSPEC_DOCS=overwrite cargo test -p goalspec-reward documentation` updates it.

use std::fmt::Write;

use goalspec_python_runtime::library::{Library, builtin_names, methods, refused_methods};

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

/// Returns the table of the names of modules, with those that every program can use.
fn names() -> String {
    let mut table = "| module | names |\n|---|---|\n".to_owned();
    let modules = Library::ALL.into_iter().filter(|library| *library != Library::World);
    let of_modules = modules.map(|library| (format!("`{}`", library.name()), library.names()));
    for (module, mut names) in std::iter::once(("none".to_owned(), builtin_names())).chain(of_modules) {
        names.sort_unstable();
        names.dedup();
        let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(table, "| {module} | {} |", names.join(" "));
    }
    table
}

/// Updates or compares the part of the page between `<!-- NAME -->` and `<!-- end of NAME -->`.
fn compare(name: &str, expected: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/src/reward-functions.md");
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->\n"));
    let page = std::fs::read_to_string(path).unwrap();
    let (before, rest) = page.split_once(&start).unwrap();
    let (current, after) = rest.split_once(&end).unwrap();
    if std::env::var("GOALSPEC_DOCS").is_ok_and(|value| value == "overwrite") {
        std::fs::write(path, format!("{before}{start}{expected}{end}{after}")).unwrap();
    } else {
        assert_eq!(current, expected, "run GOALSPEC_DOCS=overwrite cargo test -p goalspec-reward documentation");
    }
}

/// One test writes both tables: tests of their own could overwrite each other's.
#[test]
fn the_book_lists_methods_and_names() {
    compare("methods", &table());
    compare("names", &names());
}
