//! The pictures of the README, made by commands of goalspec.
//!
//! `GOALSPEC_DOCS=overwrite cargo test -p goalspec-cli --test integration pictures` updates them with the actual output.

use std::fmt::Write as _;

use crate::common::{Folder, root};

/// Pictures of terminals: the name of the file, a command that prepares the folder, and the command shown with its output.
const TERMINALS: [(&str, Option<&str>, &str); 3] = [
    ("score", None, "score --why examples/game/throw-to-bin.game examples/game/play.jsonl"),
    (
        "audit",
        Some("trace record --game pong examples/reward/pong.hex -o pong.jsonl.gz"),
        "audit examples/reward/careless.py pong.jsonl.gz",
    ),
    ("plan", None, "plan --optimal examples/pddl/delivery/two_vans.pddl"),
];

/// The maximum number of lines of a terminal.
const MAX_LINES: usize = 24;

const LINE: f64 = 18.0;
const CHARACTER: f64 = 7.83;
const MARGIN: f64 = 16.0;

/// Draws a command with its output as a terminal.
fn terminal(command: &str, output: &str) -> String {
    let mut lines = vec![format!("$ goalspec {command}")];
    lines.extend(output.lines().map(str::to_owned));
    if lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES - 1);
        lines.push("...".to_owned());
    }
    let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) as f64;
    let (width, height) = ((columns * CHARACTER).ceil() + 2.0 * MARGIN, lines.len() as f64 * LINE + 2.0 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e2430\"/>\n"
    );
    for (number, line) in lines.iter().enumerate() {
        let y = MARGIN + LINE * (number as f64 + 0.75);
        let color = if number == 0 { "#8fd18f" } else { "#e6e6e6" };
        let text = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let length = (line.chars().count() as f64 * CHARACTER).round();
        // The length keeps columns aligned with any font.
        let _ = writeln!(
            out,
            "<text x=\"{MARGIN}\" y=\"{y}\" fill=\"{color}\" xml:space=\"preserve\" textLength=\"{length}\">{text}</text>"
        );
    }
    out.push_str("</svg>\n");
    out
}

/// Compares a picture with its file, or writes it.
fn check(name: &str, picture: &str) {
    let path = root().join("docs/src/images").join(name).with_extension("svg");
    if std::env::var("GOALSPEC_DOCS").is_ok_and(|value| value == "overwrite") {
        std::fs::write(&path, picture).unwrap();
    }
    let current = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        current == picture,
        "{} is outdated: run\nGOALSPEC_DOCS=overwrite cargo test -p goalspec-cli --test integration pictures",
        path.display()
    );
}

#[test]
fn terminals_show_the_output_of_commands() {
    for (name, preparation, command) in TERMINALS {
        let folder = Folder::new();
        if let Some(preparation) = preparation {
            let done = folder.run(preparation);
            assert_eq!(done.code, Some(0), "{}", done.err);
        }
        let done = folder.run(command);
        assert!(done.err.is_empty(), "{}", done.err);
        check(name, &terminal(command, &done.out));
    }
}

#[test]
fn boards_show_the_game() {
    let done = Folder::new().run("describe --board svg examples/rgg/berries.yaml");
    assert!(done.err.is_empty(), "{}", done.err);
    check("board", &done.out);
}
