//! The syntax of real programs, and of real programs with one error. Skipped if the conformance data is absent.

use std::path::{Path, PathBuf};
use std::{env, fs};

use goalspec_syntax::diagnostic::Applicability;
use goalspec_syntax::sexp::{List, Parse, Sexp, parse};
use goalspec_syntax::{Code, SourceFile, Sources, codes, fix};

/// Returns the game language's folder of the conformance data, if it exists.
fn conformance() -> Option<PathBuf> {
    let folder = env::var_os("GOALSPEC_CONFORMANCE")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance"), PathBuf::from);
    let folder = folder.join("game");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no conformance data in {}", folder.display());
    None
}

fn file(text: &str) -> SourceFile {
    let mut sources = Sources::new();
    let id = sources.add("test", text);
    sources.file(id).clone()
}

fn found(parse: &Parse) -> Vec<Code> {
    parse.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

/// Returns a list without its layout.
fn shape(list: List<'_>) -> String {
    let items: Vec<String> = list
        .items()
        .map(|item| match item {
            Sexp::List(list) => shape(list),
            Sexp::Atom(atom) => atom.text().to_owned(),
        })
        .collect();
    format!("({})", items.join(" "))
}

fn shapes(parse: &Parse) -> Vec<String> {
    parse.roots().map(shape).collect()
}

#[test]
fn real_programs_are_read_without_a_word() {
    let Some(folder) = conformance() else { return };
    let corpora = [
        ("corpora/interactive-beta.pddl", 98),
        ("corpora/human_games.pddl", 30),
        ("corpora/human_cell_archive_games.pddl", 30),
        ("corpora/novel_archive_cell_games.pddl", 40),
    ];
    let games = fs::read_dir(folder.join("games")).expect("the folder of games");
    let games = games.map(|entry| (entry.expect("a game").path(), 1));
    for (path, count) in corpora.map(|(name, count)| (folder.join(name), count)).into_iter().chain(games) {
        let text = fs::read_to_string(&path).expect("a program");
        let parse = parse(&file(&text));
        assert_eq!(found(&parse), [], "{}", path.display());
        assert_eq!(parse.roots().count(), count, "{}", path.display());
        assert_eq!(parse.tree.text(), text, "{}", path.display());
    }
}

/// Returns the first programs of the main corpus, each as a text of its own.
fn programs(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("corpora/interactive-beta.pddl")).expect("the corpus");
    parse(&file(&text)).roots().take(12).map(|root| format!("{}\n", root.text())).collect()
}

#[test]
fn one_missing_parenthesis_is_one_error() {
    let Some(folder) = conformance() else { return };
    let (mut total, mut repaired) = (0, 0);
    for program in programs(&folder) {
        let intact = shapes(&parse(&file(&program)));
        for (at, _) in program.match_indices(')') {
            let broken = file(&format!("{}{}", &program[..at], &program[at + 1..]));
            let parse_broken = parse(&broken);
            assert_eq!(found(&parse_broken), [codes::UNCLOSED_LIST], "{at} in {}", broken.text());
            let fixed = file(&fix::apply(&broken, &parse_broken.diagnostics, Applicability::Unsafe).text);
            let parse_fixed = parse(&fixed);
            assert_eq!(found(&parse_fixed), [], "{at} in {}", fixed.text());
            assert_eq!(shapes(&parse_fixed), shapes(&parse_broken), "{at} in {}", fixed.text());
            total += 1;
            repaired += usize::from(shapes(&parse_fixed) == intact);
        }
    }
    println!("{repaired} of {total} programs were mended to what they were");
}

#[test]
fn one_parenthesis_too_many_is_one_error() {
    let Some(folder) = conformance() else { return };
    for program in programs(&folder) {
        for (at, _) in program.match_indices(')') {
            let broken = file(&format!("{}){}", &program[..at], &program[at..]));
            let parse = parse(&broken);
            assert_eq!(found(&parse), [codes::STRAY_PARENTHESIS], "{at} in {}", broken.text());
            assert_eq!(parse.roots().count(), 1);
        }
    }
}
