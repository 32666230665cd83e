//! The book: its HTML pages, built by mdbook, and the whole book as one text.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::{CommandResult, root};

/// Builds the book into `target/book`.
pub(crate) fn book(arguments: &[String]) -> CommandResult {
    let target = root().join("target/book");
    if !arguments.iter().any(|argument| argument == "--text") {
        html(&target)?;
    }
    let source = root().join("docs/src");
    let summary = read(&source.join("SUMMARY.md"))?;
    std::fs::create_dir_all(&target).map_err(|error| format!("{}: {error}", target.display()))?;
    for (name, text) in [("llms.txt", index(&summary)), ("book.md", whole(&summary, |page| read(&source.join(page)))?)]
    {
        let path = target.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        eprintln!("wrote {}", path.display());
    }
    Ok(())
}

/// Builds the HTML pages. The path is absolute, since versions of mdbook differ in the base of relative paths. A warning is an error.
fn html(target: &Path) -> CommandResult {
    let mut command = Command::new("mdbook");
    let output = command.args(["build", "docs", "--dest-dir"]).arg(target).current_dir(root()).output();
    let output = output.map_err(|error| format!("mdbook: {error}"))?;
    let log = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    eprint!("{log}");
    let has_warning = log.lines().any(|line| line.contains("WARN") || line.contains("ERROR"));
    if output.status.success() && !has_warning { Ok(()) } else { Err("mdbook has errors or warnings".to_owned()) }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Returns the titles and paths of the pages of a summary, in order.
fn pages(summary: &str) -> impl Iterator<Item = (&str, &str)> {
    summary.lines().filter_map(|line| {
        let (title, rest) = line.split_once('[')?.1.split_once("](")?;
        Some((title, rest.strip_suffix(')')?))
    })
}

/// Whether a page documents one diagnostic code or one group of codes.
fn is_of_codes(path: &str) -> bool {
    path.starts_with("codes/")
}

/// Returns the index of the book in the format of `llms.txt`: its parts with links to their pages. The pages of codes are optional.
fn index(summary: &str) -> String {
    let mut text = String::from("# goalspec\n\n> Goals as programs: read, check, run, explain.\n\n");
    let mut optional = String::from("\n## Optional\n\n");
    for line in summary.lines() {
        if let Some(part) = line.strip_prefix("# ").filter(|part| *part != "Summary") {
            let _ = writeln!(text, "\n## {part}\n");
        }
        for (title, path) in pages(line) {
            let into = if is_of_codes(path) { &mut optional } else { &mut text };
            let _ = writeln!(into, "- [{title}]({path})");
        }
    }
    text + &optional
}

/// Returns all pages as one text, each after a comment with its path.
fn whole(summary: &str, read: impl Fn(&str) -> Result<String, String>) -> Result<String, String> {
    pages(summary).map(|(_, path)| Ok(format!("<!-- page: {path} -->\n\n{}\n", read(path)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUMMARY: &str =
        "# Summary\n\n[Introduction](a.md)\n\n# Start\n\n- [Install](b.md)\n  - [x/y](codes/x/y.md)\n";

    #[test]
    fn the_index_lists_parts_and_pages() {
        let text = index(SUMMARY);
        assert!(text.contains("- [Introduction](a.md)\n\n## Start\n\n- [Install](b.md)\n"), "{text}");
        assert!(text.ends_with("## Optional\n\n- [x/y](codes/x/y.md)\n"), "{text}");
    }

    #[test]
    fn the_text_has_every_page_in_order() {
        let text = whole(SUMMARY, |page| Ok(format!("# {page}"))).expect("the pages can be read");
        assert_eq!(text.matches("<!-- page: ").count(), 3);
        assert!(
            text.find("# a.md") < text.find("# b.md") && text.find("# b.md") < text.find("# codes/x/y.md"),
            "{text}"
        );
        assert!(whole(SUMMARY, |page| Err(page.to_owned())).is_err());
    }
}
