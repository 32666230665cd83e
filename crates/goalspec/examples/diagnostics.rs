//! Checks a program as an editor does: diagnostics with positions, help and fixes.

use goalspec::library::{Library, LibraryOptions};

const GAME: &str = "(define (game toss) (:domain few-objects-room-v1)
    (:constraints (preference thrown (exists (?b - bal) (at-end (in ?b ?b)))))
    (:scoring (count throwed)))";

fn main() {
    let library = Library::from_texts([("toss.game", GAME)], LibraryOptions::default());
    for diagnostic in library.diagnostics().iter().filter(|diagnostic| diagnostic.is_error()) {
        let Some(span) = diagnostic.span else { continue };
        let file = library.sources().file(span.source);
        let (line, column) = file.line_column(span.start);
        println!("{}:{line}:{column}: {}[{}]: {diagnostic}", file.name(), diagnostic.severity, diagnostic.code);
        diagnostic.help.iter().for_each(|help| println!("    {help}"));
    }
    assert!(library.diagnostics().iter().any(|diagnostic| diagnostic.message.contains("bal")));
}
