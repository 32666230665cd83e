//! Example programs of diagnostic codes: for each code, a program that raises it and the same program without the defect.
//!
//! The examples are the files in `code_examples`, by groups of codes. A section `=== base NAME` holds a program without
//! defects: its files, each after a line `--- FILE`. A section `=== CODE from NAME` changes it: lines that begin with `-` are replaced by
//! the lines that begin with `+` after them; without the former, the latter are a whole file. Lines before the files of a section are
//! settings:
//!
//! | setting | meaning |
//! |---|---|
//! | `run: ARGUMENTS` | the arguments of `goalspec`; by default, `check` of all files |
//! | `fixed by: ARGUMENTS` | the arguments that avoid the diagnostic, if the program is not at fault |
//! | `before: COMMANDS` | commands of a shell that run before, for files that no text shows: large, compressed or recorded ones |
//! | `in: FILE` | the file that the command writes and that holds the diagnostic; by default, the output of the command |
//! | `also: CODE ..` | further codes that the example raises |
//! | `since: VERSION` | the first release with the code; by default, 0.1.0 |

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The release in which codes without the setting `since` appeared.
const FIRST_RELEASE: &str = "0.1.0";

/// The example files.
const TEXTS: &[&str] = &[
    include_str!("code_examples/audit.txt"),
    include_str!("code_examples/bddl.txt"),
    include_str!("code_examples/bddl_releases.txt"),
    include_str!("code_examples/game.txt"),
    include_str!("code_examples/input.txt"),
    include_str!("code_examples/lot.txt"),
    include_str!("code_examples/pddl.txt"),
    include_str!("code_examples/reward.txt"),
    include_str!("code_examples/rgg.txt"),
    include_str!("code_examples/run.txt"),
    include_str!("code_examples/syntax.txt"),
    include_str!("code_examples/trace.txt"),
    include_str!("code_examples/words.txt"),
];

/// A named text that a command of an example reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExampleFile {
    /// The name of the file.
    pub name: &'static str,
    /// The text of the file.
    pub text: String,
}

/// A program that raises a diagnostic, and the program without the defect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeExample {
    /// The code.
    pub code: &'static str,
    /// The first release with the code.
    pub since: &'static str,
    /// Other codes that the program raises.
    pub also: Vec<&'static str>,
    /// The commands of a shell that run before `goalspec`; they may use `goalspec` and the folder `examples` of the repository.
    pub before: Option<&'static str>,
    /// The commands of a shell that run before `goalspec` for the program without the defect.
    pub fixed_before: Option<&'static str>,
    /// The file that the command writes and that holds the diagnostic; by default, its output does.
    pub output_file: Option<&'static str>,
    /// The arguments of `goalspec` that raise the diagnostic.
    pub arguments: String,
    /// The arguments of `goalspec` for the program without the defect.
    pub fixed_arguments: String,
    /// The files of the program that raises the diagnostic.
    pub files: Vec<ExampleFile>,
    /// The files of the program without the defect.
    pub fixed_files: Vec<ExampleFile>,
}

/// Returns the example of a code, if it has one.
///
/// # Panics
/// As [`all`].
pub fn find(code: &str) -> Option<CodeExample> {
    all().into_iter().find(|example| example.code == code)
}

/// Returns all examples, sorted by code.
///
/// # Panics
/// If an example file is malformed, which the tests exclude.
pub fn all() -> Vec<CodeExample> {
    let mut examples: Vec<CodeExample> = TEXTS.iter().flat_map(|text| parse(text)).collect();
    examples.sort_by_key(|example| example.code);
    examples
}

impl CodeExample {
    /// Returns the example as Markdown: a section with the program that raises the diagnostic, and one with the fixed program.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("## Example\n\n{}{}", blocks(&self.files), shell_block(self.before));
        let (run, fixed) = (command(&self.arguments), command(&self.fixed_arguments));
        let place = self.output_file.map_or_else(String::new, |file| format!(" in `{file}`"));
        let _ = writeln!(text, "`{run}` reports `{}`{place}.", self.code);
        if self.arguments.contains("small") || self.before.is_some_and(|commands| commands.contains("small")) {
            text.push_str("`small` stands for the folder of a release of the Python package `bddl`.\n");
        }
        text.push_str("\n## Fixed\n\n");
        let changed = |file: &&ExampleFile| !self.files.contains(file);
        let fixed_files = blocks(self.fixed_files.iter().filter(changed));
        let removed: Vec<&str> = self
            .files
            .iter()
            .map(|file| file.name)
            .filter(|name| !self.fixed_files.iter().any(|file| file.name == *name))
            .collect();
        let fixed_before = self.fixed_before.filter(|commands| self.before != Some(*commands));
        if let Some(commands) = fixed_before {
            text.push_str(&shell_block(Some(commands)));
        }
        if fixed_files.is_empty() && removed.is_empty() {
            let _ = writeln!(text, "The same files with `{fixed}`.\n");
        } else if fixed_files.is_empty() {
            let _ = writeln!(text, "The same files without `{}`.\n", removed.join("`, `"));
        }
        text + &fixed_files
    }
}

/// Returns the language of the fence of a file.
fn language(file: &str) -> &str {
    match file.rsplit('.').next().unwrap_or_default() {
        "game" => "game",
        "bddl" => "bddl",
        "pddl" => "pddl",
        "yaml" => "yaml",
        "toml" => "toml",
        "py" => "python",
        "json" | "jsonl" => "json",
        _ => "text",
    }
}

/// Returns the blocks of some files, each with its name.
fn blocks<'f>(files: impl IntoIterator<Item = &'f ExampleFile>) -> String {
    let block = |file: &ExampleFile| format!("`{}`:\n\n```{}\n{}```\n\n", file.name, language(file.name), file.text);
    files.into_iter().map(block).collect()
}

/// Returns the block of the commands that run before `goalspec`.
fn shell_block(commands: Option<&str>) -> String {
    commands.map_or_else(String::new, |commands| format!("```sh\n{commands}\n```\n\n"))
}

/// Returns the command of an example, without the options that only tests need.
fn command(arguments: &str) -> String {
    format!("goalspec {}", arguments.replace("--format line ", "").replace("--notes ", ""))
}

/// A section of an example file.
#[derive(Debug, Default)]
struct Section {
    settings: BTreeMap<&'static str, &'static str>,
    /// The lines of each file; those before the first `--- FILE` belong to a file without a name.
    files: Vec<(&'static str, Vec<&'static str>)>,
}

impl Section {
    fn setting(&self, key: &str) -> Option<&'static str> {
        self.settings.get(key).copied()
    }

    /// Reads the lines of a section.
    fn read(lines: &[&'static str]) -> Self {
        let mut section = Self::default();
        let mut file: Option<(&'static str, Vec<&'static str>)> = None;
        for line in lines {
            let setting = line.split_once(": ").filter(|(key, _)| SETTINGS.contains(key));
            match (line.strip_prefix("--- "), setting, &mut file) {
                (Some(name), _, _) => section.files.extend(file.replace((name, Vec::new()))),
                (None, Some((key, value)), None) => {
                    section.settings.insert(key, value);
                }
                (None, _, Some((_, lines))) => lines.push(line),
                (None, None, None) => file = Some(("", vec![line])),
            }
        }
        section.files.extend(file);
        section
    }
}

/// The settings of sections.
const SETTINGS: &[&str] = &["run", "fixed by", "before", "in", "also", "since"];

/// Reads an example file.
fn parse(text: &'static str) -> Vec<CodeExample> {
    let mut bases: BTreeMap<&str, Section> = BTreeMap::new();
    let mut examples = Vec::new();
    for part in text.split("=== ").skip(1) {
        let lines: Vec<&'static str> = part.lines().collect();
        let section = Section::read(&lines[1..]);
        if let Some(name) = lines[0].strip_prefix("base ") {
            bases.insert(name, section);
        } else {
            let (code, base) = lines[0].split_once(" from ").unwrap_or_else(|| panic!("{}: no base", lines[0]));
            let base = bases.get(base).unwrap_or_else(|| panic!("{code}: unknown base"));
            examples.push(example(code, base, &section));
        }
    }
    examples
}

/// Returns the example of a code.
fn example(code: &'static str, base: &Section, section: &Section) -> CodeExample {
    let fixed_files: Vec<ExampleFile> = base
        .files
        .iter()
        .map(|(name, lines)| ExampleFile { name, text: format!("{}\n", lines.join("\n").trim_end()) })
        .collect();
    let mut files = fixed_files.clone();
    for (name, lines) in &section.files {
        let name = if name.is_empty() { fixed_files[0].name } else { name };
        edit(code, &mut files, name, lines);
    }
    let check = |files: &[ExampleFile]| {
        let names: Vec<&str> = files.iter().map(|file| file.name).collect();
        format!("check --notes --format line {}", names.join(" "))
    };
    let run = section.setting("run").or_else(|| base.setting("run"));
    let also =
        [section, base].into_iter().filter_map(|section| section.setting("also")).flat_map(str::split_whitespace);
    CodeExample {
        code,
        since: section.setting("since").unwrap_or(FIRST_RELEASE),
        also: also.collect(),
        before: section.setting("before").or_else(|| base.setting("before")),
        fixed_before: base.setting("before"),
        output_file: section.setting("in").or_else(|| base.setting("in")),
        arguments: run.map_or_else(|| check(&files), str::to_owned),
        fixed_arguments: section.setting("fixed by").or(run).map_or_else(|| check(&fixed_files), str::to_owned),
        files,
        fixed_files,
    }
}

/// Applies the edits of one file.
fn edit(code: &str, files: &mut Vec<ExampleFile>, name: &'static str, lines: &[&'static str]) {
    let mut lines = lines.iter().filter(|line| !line.is_empty()).peekable();
    while lines.peek().is_some() {
        let mut take = |sign: char| {
            let mut taken = Vec::new();
            while let Some(line) = lines.peek().and_then(|line| line.strip_prefix(sign)) {
                taken.push(line);
                lines.next();
            }
            taken
        };
        let (old, new) = (take('-'), take('+'));
        assert!(!(old.is_empty() && new.is_empty()), "{code}: {name}: neither `-` nor `+`: {:?}", lines.peek());
        let new = new.join("\n");
        let file = files.iter_mut().find(|file| file.name == name);
        match (file, old.is_empty()) {
            (Some(file), true) => file.text = format!("{new}\n"),
            (None, true) => files.push(ExampleFile { name, text: format!("{new}\n") }),
            (Some(file), false) => {
                let old = old.join("\n");
                assert!(file.text.contains(&old), "{code}: {name} does not contain {old:?}");
                file.text = file.text.replacen(&old, &new, 1);
            }
            (None, false) => panic!("{code}: no file {name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_has_a_code_and_a_defect() {
        let examples = all();
        let codes = crate::codes::all();
        for example in &examples {
            assert!(codes.iter().any(|doc| doc.code.0 == example.code), "{}: unknown code", example.code);
            let differs = example.files != example.fixed_files
                || example.arguments != example.fixed_arguments
                || example.before != example.fixed_before;
            assert!(differs, "{}: the example has no defect", example.code);
        }
        assert!(examples.windows(2).all(|pair| pair[0].code != pair[1].code), "a code has two examples");
    }

    #[test]
    fn edits_replace_lines_and_add_files() {
        let [example] = &parse("=== base b\n--- f\none\ntwo\n\n=== x/y from b\n-two\n+three\n--- g\n+four\n")[..]
        else {
            panic!("one example");
        };
        assert_eq!(example.fixed_files, [ExampleFile { name: "f", text: "one\ntwo\n".into() }]);
        assert_eq!(example.files[0].text, "one\nthree\n");
        assert_eq!(example.files[1], ExampleFile { name: "g", text: "four\n".into() });
        assert_eq!(example.arguments, "check --notes --format line f g");
    }
}
