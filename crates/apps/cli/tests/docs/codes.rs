//! The pages of the diagnostic codes, which are generated from the documentation and the example of each code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use goalspec::code_examples::{self, CodeExample, ExampleFile};
use goalspec::syntax::CodeDoc;

use super::{WRITING, generated, overwriting};
use crate::common::{Done, Folder, GOALSPEC, finish, root};

/// The codes without an example, each with the reason.
const WITHOUT_EXAMPLE: [(&str, &str); 10] = [
    (
        "lot/ignored-fact",
        "it is a finding of the library function that reads replies; `goalspec lot run --rules seed` ignores the fact",
    ),
    (
        "lot/seed-rules",
        "it is an error of the library function that reads replies; the results of `goalspec lot run --rules seed` list its message",
    ),
    ("rgg/lint-limit", "a game that exceeds the limit is too large for a page"),
    ("syntax/too-large", "a text that exceeds a limit has more than 16 million tokens"),
    ("trace/not-built-in", "the released command includes Parquet"),
    ("trace/not-of-world", "it concerns states in memory, which callers of the library create"),
    ("trace/over-limit", "`goalspec score --shard` writes it to the row of the trace in its table"),
    (
        "trace/unknown-column",
        "it concerns columns in memory, which callers of the library and of the Python package pass",
    ),
    ("words/not-run", "a program that cannot be run reports an error of its own, and this code only without one"),
    (
        "words/trace",
        "commands read the recordings before they ask the model, so that it concerns callers of the library",
    ),
];

/// Returns the reason why a code has no example.
fn reason(code: &str) -> Option<&'static str> {
    WITHOUT_EXAMPLE.iter().find(|(known, _)| *known == code).map(|(_, reason)| *reason)
}

/// A knowledge base of household activities, as `--knowledge small` names it in examples.
const KNOWLEDGE: &str = "crates/languages/bddl/tests/small";

/// Returns the codes that an output mentions: `error[game/unexpected]`, in audits `warning [constant]`, and in JSON
/// `"code":"game/unexpected"`.
fn reported(output: &str) -> BTreeSet<String> {
    let in_json = output.split("\"code\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut codes: BTreeSet<String> = in_json.map(str::to_owned).collect();
    for (start, _) in output.match_indices('[') {
        let before = output[..start].trim_end();
        let code = output[start + 1..].split(']').next().unwrap_or_default();
        let is_code =
            !code.is_empty() && code.chars().all(|letter| letter.is_ascii_alphanumeric() || "-/".contains(letter));
        if is_code && ["error", "warning", "note"].iter().any(|severity| before.ends_with(severity)) {
            let of_audit = ["audit", "reward"].map(|group| format!("{group}/{code}"));
            let known = |name: &String| goalspec::codes::all().iter().any(|doc| doc.code.0 == *name);
            codes.insert(if code.contains('/') {
                code.to_owned()
            } else {
                of_audit.into_iter().find(known).unwrap_or_default()
            });
        }
    }
    codes
}

/// Runs a program of an example in a folder of its own; errors are part of the output.
fn run(
    folder: &Folder,
    name: &str,
    files: &[ExampleFile],
    [before, output_file]: [Option<&str>; 2],
    arguments: &str,
) -> Done {
    for file in files {
        folder.write(&format!("{name}/{}", file.name), &file.text);
    }
    std::fs::create_dir_all(folder.path(name)).unwrap();
    let mut shell = folder.command("sh");
    let knowledge = root().join(KNOWLEDGE);
    let before = before.unwrap_or(":");
    let needs_knowledge = format!("{before} {arguments}").contains("small");
    let link = if needs_knowledge { format!("ln -s {} small\n", knowledge.display()) } else { String::new() };
    // The commands before `goalspec` run in the same shell, so that they can set environment variables; their output is shown if they fail.
    let script = format!(
        "exec 2>&1\ncd {name}\n{link}ln -s ../examples examples\ngoalspec() {{ {GOALSPEC} \"$@\"; }}\n\
         exec 4>&1 >before.log 2>&1\n{{ {before}; }} || {{ cat before.log >&4; exit 99; }}\nexec >&4 2>&1\n\
         goalspec {arguments}\ncode=$?\n{}\nexit $code",
        output_file.map_or_else(String::new, |file| format!("cat {file}"))
    );
    finish(shell.args(["-c", &script]), b"")
}

/// Returns the problem with an example, if there is one.
fn problem(folder: &Folder, example: &CodeExample) -> Option<String> {
    let name = example.code.replace('/', "-");
    let broken = run(folder, &name, &example.files, [example.before, example.output_file], &example.arguments);
    let fixed = run(
        folder,
        &format!("{name}-fixed"),
        &example.fixed_files,
        [example.fixed_before, example.output_file],
        &example.fixed_arguments,
    );
    let unexpected = |output: &str| -> BTreeSet<String> {
        let codes = reported(output).into_iter();
        codes.filter(|code| !example.also.contains(&code.as_str())).collect()
    };
    if unexpected(&broken.out) != BTreeSet::from([example.code.to_owned()]) {
        return Some(format!("{}: the example reports\n{}", example.code, broken.out));
    }
    let is_clean = unexpected(&fixed.out).is_empty() && fixed.code == Some(0);
    (!is_clean).then(|| format!("{}: the fixed program reports\n{}", example.code, fixed.out))
}

#[test]
fn examples_raise_their_code_and_fixed_programs_do_not() {
    let examples = code_examples::all();
    let folder = Folder::new();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let parts = examples.chunks(examples.len().div_ceil(threads));
    let problems: Vec<String> = std::thread::scope(|scope| {
        let run =
            |part: &[CodeExample]| part.iter().filter_map(|example| problem(&folder, example)).collect::<Vec<_>>();
        let running: Vec<_> = parts.map(|part| scope.spawn(move || run(part))).collect();
        running.into_iter().flat_map(|part| part.join().expect("no panic")).collect()
    });
    assert!(problems.is_empty(), "{} of {}:\n{}", problems.len(), examples.len(), problems.join("\n"));
}

#[test]
fn codes_without_an_example_have_a_reason() {
    let examples = code_examples::all();
    let without: Vec<&str> = goalspec::codes::all()
        .iter()
        .map(|doc| doc.code.0)
        .filter(|code| !examples.iter().any(|example| example.code == *code))
        .collect();
    let reasons = WITHOUT_EXAMPLE.map(|(code, _)| code);
    assert_eq!(without, reasons, "a code has an example or, in the table, a reason why it has none");
}

/// Returns the codes that are related to one: those that its documentation names, those that its example raises as well, and those of the
/// same name in other groups.
fn related<'d>(doc: &CodeDoc, example: Option<&CodeExample>, all: &'d [CodeDoc]) -> Vec<&'d str> {
    let name = doc.code.0.rsplit('/').next();
    let is_related = |other: &&CodeDoc| {
        let is_named = doc.explanation.contains(&format!("`{}`", other.code));
        let is_raised = example.is_some_and(|example| example.also.contains(&other.code.0));
        other.code != doc.code && (is_named || is_raised || other.code.0.rsplit('/').next() == name)
    };
    all.iter().filter(is_related).map(|other| other.code.0).collect()
}

/// Returns the page of a code.
fn page(doc: &CodeDoc, example: Option<&CodeExample>, all: &[CodeDoc]) -> String {
    let since = example.map_or("0.1.0", |example| example.since);
    let mut text = format!("# {}\n\n{} Severity: {}. Since version {since}.\n\n", doc.code, doc.summary, doc.severity);
    let _ = writeln!(text, "{}\n", doc.explanation.trim());
    match (example, reason(doc.code.0)) {
        (Some(example), _) => text.push_str(&example.to_markdown()),
        (None, Some(reason)) => {
            let _ = writeln!(text, "There is no example: {reason}.\n");
        }
        (None, None) => {}
    }
    let related = related(doc, example, all);
    if !related.is_empty() {
        text.push_str("## Related codes\n\n");
        for code in related {
            let _ = writeln!(text, "- [{code}](../{code}.md)");
        }
    }
    format!("{}\n", text.trim_end())
}

/// Returns all generated pages by their paths in `docs/src/codes`.
fn code_pages() -> BTreeMap<String, String> {
    let (all, examples) = (goalspec::codes::all(), code_examples::all());
    let mut pages = BTreeMap::new();
    for doc in &all {
        let example = examples.iter().find(|example| example.code == doc.code.0);
        pages.insert(format!("{}.md", doc.code), page(doc, example, &all));
        let (group, name) = doc.code.0.split_once('/').expect("a group");
        let index = pages
            .entry(format!("{group}.md"))
            .or_insert_with(|| format!("# Codes `{group}/`\n\n| code | severity | |\n|---|---|---|\n"));
        let summary = doc.summary.replace('|', "\\|");
        let _ = writeln!(index, "| [{name}]({group}/{name}.md) | {} | {summary} |", doc.severity);
    }
    pages
}

#[test]
fn the_pages_of_the_codes_are_current() {
    let folder = root().join("docs/src/codes");
    let pages = code_pages();
    if overwriting() {
        let _ = std::fs::remove_dir_all(&folder);
        for (path, text) in &pages {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).unwrap();
            std::fs::write(path, text).unwrap();
        }
        return;
    }
    let found: BTreeMap<String, String> = super::files_below(&folder)
        .into_iter()
        .map(|path| (path.strip_prefix(&folder).unwrap().display().to_string(), std::fs::read_to_string(path).unwrap()))
        .collect();
    let stale: Vec<&String> =
        pages.keys().chain(found.keys()).filter(|path| pages.get(*path) != found.get(*path)).collect();
    assert!(stale.is_empty(), "write anew with GOALSPEC_DOCS=overwrite: {stale:?}");
}

#[test]
fn the_table_of_codes_links_to_each_page() {
    let mut content = String::from("| code | |\n|---|---|\n");
    for doc in goalspec::codes::all() {
        let _ = writeln!(content, "| [{0}](codes/{0}.md) | {1} |", doc.code, doc.summary.replace('|', "\\|"));
    }
    generated("diagnostics.md", &content);
}

/// Returns the entries of the pages of codes in the summary of the book.
fn entries() -> String {
    let mut text = String::new();
    let mut last = "";
    let codes: Vec<&str> = goalspec::codes::all().iter().map(|doc| doc.code.0).collect();
    for code in codes {
        let (group, name) = code.split_once('/').expect("a group");
        if group != last {
            let _ = writeln!(text, "  - [{group}/](codes/{group}.md)");
            last = group;
        }
        let _ = writeln!(text, "    - [{name}](codes/{code}.md)");
    }
    text
}

#[test]
fn the_summary_of_the_book_has_each_page() {
    const PARENT: &str = "- [Diagnostics](diagnostics.md)\n";
    let _writing = WRITING.lock();
    let path = root().join("docs/src/SUMMARY.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let others: String = text.split_inclusive('\n').filter(|line| !line.contains("](codes/")).collect();
    let expected = others.replace(PARENT, &format!("{PARENT}{}", entries()));
    if overwriting() {
        std::fs::write(&path, expected).unwrap();
        return;
    }
    assert!(text == expected && others.contains(PARENT), "write the summary anew with GOALSPEC_DOCS=overwrite");
    let linked: BTreeSet<&str> = text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    let pages = super::files_below(&root().join("docs/src"));
    let folder = root().join("docs/src");
    let missing: Vec<_> = pages
        .iter()
        .filter(|page| page.extension().is_some_and(|extension| extension == "md"))
        .map(|page| page.strip_prefix(&folder).unwrap().display().to_string())
        .filter(|page| page != "SUMMARY.md" && !linked.contains(page.as_str()))
        .collect();
    assert!(missing.is_empty(), "pages that the summary lacks: {missing:?}");
}
