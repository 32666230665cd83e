//! Runs every command in the README and the book, and checks every program in them.
//!
//! A `console` block contains commands, each after `$ ` and followed by its output. `[..]` matches any text within a line, `...` any
//! lines. The commands of a page run in sequence in a folder with a copy of `examples`.
//! Comments before a block, on lines of their own, are directives:
//! `<!-- exit: 1 -->`: the commands of the block exit with 1; `<!-- file: NAME -->`: the block is a file with this name. The module
//! `fences` lists the others.
//!
//! `GOALSPEC_DOCS=overwrite cargo test -p goalspec-cli --test integration docs` updates the pages with the actual output. Review the
//! difference before you keep it.

mod codes;
mod constructs;
mod fences;
mod forms;
mod worlds;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::common::{Folder, GOALSPEC, finish, root};
use snapbox::filter::{Filter as _, FilterNewlines, NormalizeToExpected};
use snapbox::{Data, IntoData};

fn overwriting() -> bool {
    std::env::var("GOALSPEC_DOCS").is_ok_and(|value| value == "overwrite")
}

/// A lock on the pages: one test at a time reads and writes them.
static WRITING: Mutex<()> = Mutex::new(());

/// Returns the files in a folder and its folders.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] });
    files.collect()
}

/// Returns the README and all written pages of the book, without the generated pages of codes.
fn pages() -> Vec<PathBuf> {
    let mut pages = files_below(&root().join("docs/src"));
    let codes = root().join("docs/src/codes");
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md") && !path.starts_with(&codes));
    pages.extend(["README.md", "CONTRIBUTING.md"].map(|name| root().join(name)));
    pages.sort();
    pages
}

fn name(page: &Path) -> String {
    page.strip_prefix(root()).unwrap().display().to_string()
}

/// A page, split into fenced blocks and the text around them.
struct Page {
    parts: Vec<Part>,
}

enum Part {
    Text(String),
    Block(Block),
}

struct Block {
    /// The line number of the opening fence, from 1.
    line: usize,
    /// The info string of the opening fence.
    info: String,
    /// The directives before the block, by their keys.
    directives: BTreeMap<String, String>,
    /// Whether a test compares the block with its source: it lies in the generated part of a page.
    is_generated: bool,
    text: String,
}

impl Block {
    /// Returns the value of a directive.
    fn directive(&self, key: &str) -> Option<&str> {
        self.directives.get(key).map(String::as_str)
    }

    /// Returns the exit code of the commands of the block.
    fn exit(&self) -> i32 {
        self.directive("exit").map_or(0, |code| code.parse().expect("an exit code"))
    }
}

/// The line after which a page is generated.
const MARKER: &str = "<!-- generated below this line -->";

impl Page {
    fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        let mut parts = vec![Part::Text(String::new())];
        let mut directives = BTreeMap::new();
        let mut inside = false;
        let mut is_generated = text.contains("\n<!-- Written by ");
        for (number, line) in text.lines().enumerate() {
            if let (true, Some(Part::Block(block))) = (inside, parts.last_mut()) {
                if line == "```" {
                    parts.push(Part::Text("```\n".to_owned()));
                    inside = false;
                } else {
                    let _ = writeln!(block.text, "{line}");
                }
                continue;
            }
            if let Some(Part::Text(before)) = parts.last_mut() {
                let _ = writeln!(before, "{line}");
            }
            is_generated |= line == MARKER;
            let comment = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->"));
            if let Some((key, value)) = comment.and_then(|comment| comment.split_once(": ")) {
                directives.insert(key.to_owned(), value.to_owned());
            } else if let Some(info) = line.strip_prefix("```") {
                let (info, directives) = (info.to_owned(), std::mem::take(&mut directives));
                parts.push(Part::Block(Block {
                    line: number + 1,
                    info,
                    directives,
                    is_generated,
                    text: String::new(),
                }));
                inside = true;
            } else {
                directives.clear();
            }
        }
        assert!(!inside, "{}: a block has no end", path.display());
        Self { parts }
    }

    fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.parts.iter().filter_map(|part| match part {
            Part::Block(block) => Some(block),
            Part::Text(_) => None,
        })
    }

    fn text(&self) -> String {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) => text.as_str(),
            Part::Block(block) => block.text.as_str(),
        });
        parts.collect()
    }
}

/// A command of a console block, with its expected output.
struct Shown {
    command: String,
    output: String,
}

fn commands(text: &str) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    let mut continued = false;
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            shown.push(Shown { command: command.to_owned(), output: String::new() });
            continued = command.ends_with('\\');
            continue;
        }
        let last = shown.last_mut().unwrap_or_else(|| panic!("a console block begins with `$ `, not with {line:?}"));
        if continued {
            let _ = write!(last.command, "\n{line}");
            continued = line.ends_with('\\');
        } else {
            let _ = writeln!(last.output, "{line}");
        }
    }
    shown
}

/// The runner of the commands of a page.
struct Shell {
    folder: Folder,
    xtask: String,
}

impl Shell {
    /// Creates a folder in which `goalspec` and `cargo goalspec` are the built command.
    fn new() -> Self {
        let folder = Folder::new();
        for (name, text) in [
            ("goalspec", format!("#!/bin/sh\nexec {GOALSPEC} \"$@\"\n")),
            ("cargo", format!("#!/bin/sh\n[ \"$1\" = goalspec ] || exit 101\nshift\nexec {GOALSPEC} \"$@\"\n")),
        ] {
            let path = folder.write(&format!(".bin/{name}"), text);
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(path, mode).unwrap();
        }
        let xtask = std::fs::read_to_string(root().join("crates/xtask/src/main.rs")).unwrap();
        Self { folder, xtask }
    }

    /// Returns the output of a command, with its errors, and its exit code. Commands of the repository itself are only checked for
    /// existence.
    fn run(&self, command: &str) -> (String, Option<i32>) {
        if let Some(task) = command.strip_prefix("cargo xtask ") {
            let task = task.split(' ').next().unwrap_or_default();
            let known = self.xtask.lines().any(|line| line.starts_with(&format!("  {task} ")));
            return (if known { String::new() } else { format!("no task `{task}`\n") }, Some(0));
        }
        let path = format!("{}:{}", self.folder.path(".bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut shell = self.folder.command("sh");
        let done = finish(shell.env("PATH", path).args(["-c", &format!("exec 2>&1\n{command}")]), b"");
        (done.out, done.code)
    }
}

/// Returns the actual output with the wildcards and the times of the expected output where the rest matches.
fn normalized(printed: &str, expected: &str) -> String {
    let printed = FilterNewlines.filter(Data::text(printed));
    let printed = NormalizeToExpected::new().redact().normalize(printed, &expected.into_data()).to_string();
    let mut shown = expected.lines();
    let lines = printed.split_inclusive('\n').map(|line| {
        let shown = shown.next().filter(|shown| without_times(shown) == without_times(line));
        shown.map_or_else(|| line.to_owned(), |shown| format!("{shown}{}", &line[line.trim_end_matches('\n').len()..]))
    });
    lines.collect()
}

/// Returns the words of a line, without times in seconds such as `0.001 s`, which differ from run to run.
fn without_times(line: &str) -> Vec<&str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_time = |index: usize| {
        let has_unit = words.get(index + 1).is_some_and(|unit| unit.trim_end_matches([',', '.', ':']) == "s");
        has_unit && words[index].split_once('.').is_some_and(|(_, decimals)| decimals.len() == 3)
    };
    (0..words.len()).filter(|&index| !is_time(index)).map(|index| words[index]).collect()
}

#[test]
fn commands_print_the_output_that_the_pages_show() {
    let mut failures = String::new();
    for path in pages() {
        let _writing = WRITING.lock();
        let mut page = Page::read(&path);
        let shell = Shell::new();
        for part in &mut page.parts {
            let Part::Block(block) = part else { continue };
            if let Some(file) = block.directive("file") {
                shell.folder.write(file, &block.text);
            }
            if block.info != "console" {
                continue;
            }
            let place = format!("{}:{}", name(&path), block.line);
            let mut text = String::new();
            for Shown { command, output } in commands(&block.text) {
                let (printed, code) = shell.run(&command);
                let printed = normalized(&printed, &output);
                let _ = write!(text, "$ {command}\n{printed}");
                if printed != output && !overwriting() {
                    let _ = write!(failures, "{place}: {command}\n--- shown\n{output}--- printed\n{printed}\n");
                }
                if code != Some(block.exit()) {
                    let _ =
                        writeln!(failures, "{place}: {command}\nexits with {code:?}, not {}\n{printed}", block.exit());
                }
            }
            block.text = text;
        }
        if overwriting() {
            std::fs::write(&path, page.text()).unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// Commands and options mentioned in the text exist.
#[test]
fn commands_in_the_text_exist() {
    let folder = Folder::new();
    let mut failures = String::new();
    for path in pages() {
        let text = Page::read(&path);
        for part in &text.parts {
            let Part::Text(text) = part else { continue };
            for code in text.split('`').skip(1).step_by(2) {
                let Some(command) = code.strip_prefix("cargo ").unwrap_or(code).strip_prefix("goalspec ") else {
                    continue;
                };
                let words: Vec<&str> = command.split_whitespace().collect();
                let Some(first) = words.first() else { continue };
                let names = words.iter().take_while(|word| word.chars().all(|c| c.is_ascii_lowercase()));
                let names: Vec<&str> = names.take(if *first == "trace" { 2 } else { 1 }).copied().collect();
                let help = folder.run(&format!("{} --help", names.join(" ")));
                let options = words.iter().filter(|word| word.starts_with("--"));
                let missing: Vec<_> = options.filter(|option| !help.out.contains(*option)).collect();
                if help.code != Some(0) || !missing.is_empty() {
                    let _ = writeln!(failures, "{}: `{code}`: {missing:?} {}", name(&path), help.err);
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// Updates or compares the part of a page after its marker.
fn generated(page: &str, content: &str) {
    let _writing = WRITING.lock();
    let path = root().join("docs/src").join(page);
    let text = std::fs::read_to_string(&path).unwrap();
    let (head, tail) = text.split_once(MARKER).unwrap_or_else(|| panic!("{page} has a line `{MARKER}`"));
    if overwriting() {
        std::fs::write(&path, format!("{head}{MARKER}\n\n{content}")).unwrap();
    } else {
        let advice = "GOALSPEC_DOCS=overwrite cargo test -p goalspec-cli --test integration docs";
        assert!(tail.trim() == content.trim(), "{page} is out of date; write it anew with\n{advice}\n\n{content}");
    }
}

#[test]
fn the_reference_of_the_command_line_is_its_help() {
    let folder = Folder::new();
    let mut content = String::new();
    let top = folder.run("--help").out;
    let mut section = |name: &str, help: &str| {
        let _ = write!(content, "## `{name}`\n\n```text\n{}\n```\n\n", help.trim_end());
    };
    section("goalspec", &top);
    for command in subcommands(&top) {
        let help = folder.run(&format!("{command} --help")).out;
        section(&format!("goalspec {command}"), &help);
        for inner in subcommands(&help) {
            section(&format!("goalspec {command} {inner}"), &folder.run(&format!("{command} {inner} --help")).out);
        }
    }
    generated("cli.md", &content);
}

/// Returns the commands that a help text lists.
fn subcommands(help: &str) -> Vec<String> {
    let after = help.split_once("\nCommands:\n").map_or("", |(_, rest)| rest);
    let listed = after.lines().take_while(|line| line.starts_with(' '));
    let names = listed.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Returns the anchors of the headings of a page, as mdbook forms them.
fn anchors(page: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(page).unwrap_or_default();
    let mut is_code = false;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        let Some(heading) = line.strip_prefix('#').filter(|_| !is_code) else { continue };
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter));
        let anchor: String = kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect();
        let numbered = (1..).map(|number| format!("{anchor}-{number}"));
        let free = std::iter::once(anchor.clone()).chain(numbered).find(|anchor| !found.contains(anchor));
        found.extend(free);
    }
    found
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut broken = Vec::new();
    let generated = files_below(&root().join("docs/src/codes"));
    for page in pages().into_iter().chain(generated) {
        let text = std::fs::read_to_string(&page).expect("the page can be read");
        let folder = page.parent().expect("a page lies in a folder");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            let is_external = file.is_empty() || file.contains("://") || file.contains(char::is_whitespace);
            if !is_external && !folder.join(file).exists() {
                broken.push(format!("{}: {target}", name(&page)));
            }
            let linked = if file.is_empty() { page.clone() } else { folder.join(file) };
            if let Some((_, anchor)) = target.split_once('#')
                && !target.contains("://")
                && linked.extension().is_some_and(|extension| extension == "md")
                && !anchors(&linked).contains(anchor)
            {
                broken.push(format!("{}: {target}: no such heading", name(&page)));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}
