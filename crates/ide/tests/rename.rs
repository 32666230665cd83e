//! Renaming keeps the meaning of programs, and refuses what would change it.

use std::path::Path;

use goalspec::syntax::symbols::{Declaration, OccurrenceRole};
use goalspec_ide::{RenameError, Snapshot, Workspace};

use crate::common::{ACTIVITY, DOMAIN, GAME, PROBLEM, at_marker, edited, errors, examples};

fn rename(others: &[(&str, &str)], path: &str, text: &str, new_name: &str) -> Result<(Snapshot, usize), RenameError> {
    let (snapshot, path, offset) = at_marker(others, path, text);
    let files = snapshot.rename(path, offset, new_name)?;
    Ok((edited(&snapshot, &files), files.len()))
}

#[test]
fn names_of_a_domain_are_renamed_in_its_problems() {
    let domain = DOMAIN.replacen("(clear", "(cl$0ear", 1);
    let (renamed, files) =
        rename(&[("/w/p1.pddl", PROBLEM)], "/w/domain.pddl", &domain, "free").expect("it is declared");
    assert_eq!(files, 2);
    let text = |path: &str| renamed.text(Path::new(path)).expect("it is open").to_string();
    assert_eq!(text("/w/domain.pddl"), DOMAIN.replace("clear", "free"));
    assert_eq!(text("/w/p1.pddl"), PROBLEM.replace("clear", "free"));
}

#[test]
fn question_marks_stay() {
    let (renamed, _) =
        rename(&[], "/w/a.bddl", &ACTIVITY.replacen("table.n.02_1", "$0table.n.02_1", 1), "table.n.02_7")
            .expect("it is declared");
    let text = renamed.text(Path::new("/w/a.bddl")).expect("it is open").to_string();
    assert_eq!(text, ACTIVITY.replace("table.n.02_1", "table.n.02_7"));
    let (renamed, _) =
        rename(&[], "/w/a.game", &GAME.replacen("?d -", "?$0d -", 1), "?drawer").expect("it is declared");
    let text = renamed.text(Path::new("/w/a.game")).expect("it is open").to_string();
    assert_eq!(text, GAME.replace("?d", "?drawer"));
}

#[test]
fn captured_names_are_refused() {
    let captured = |path: &str, text: &str, name: &str| {
        let result = rename(&[("/w/domain.pddl", DOMAIN)], path, text, name);
        assert_eq!(result.map(|_| ()), Err(RenameError::Captured(name.to_owned())), "{name}");
    };
    // The inner variable would capture the outer one, and the other way round.
    captured("/w/a.game", &GAME.replacen("?d -", "?$0d -", 1), "b");
    captured("/w/a.game", &GAME.replacen("(?b", "(?$0b", 1), "d");
    captured("/w/a.game", &GAME.replacen("preference stored", "preference $0stored", 1), "thrown");
    captured("/w/p.pddl", &PROBLEM.replacen("shed -", "$0shed -", 1), "red");
}

#[test]
fn undeclared_names_are_refused() {
    let game =
        |from: &str, to: &str| rename(&[], "/w/a.game", &GAME.replacen(from, to, 1), "x").map(|_| ()).unwrap_err();
    assert_eq!(game("(open", "($0open"), RenameError::BuiltIn("few-objects-room-v1".into()));
    assert_eq!(game("(define", "($0define"), RenameError::NoSymbol);
    let invalid = rename(&[], "/w/a.game", &GAME.replacen("?d -", "?$0d -", 1), "a b").map(|_| ()).unwrap_err();
    assert_eq!(invalid, RenameError::InvalidName("a b".to_owned()));
}

/// Every declared name of every example, renamed to a fresh one, gives a program with the same diagnostics and, renamed back, the same text.
#[test]
fn fresh_names_keep_the_meaning() {
    const FRESH: &str = "freshname";
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let workspace = Workspace::new([root.canonicalize().expect("the examples exist")]);
    let snapshot = workspace.snapshot();
    let mut renamed = 0;
    for path in examples() {
        let analysis = snapshot.analysis(&path);
        let definitions = analysis.occurrences().iter().filter(|own| own.role != OccurrenceRole::Reference);
        for own in definitions {
            let Declaration::At(_) = own.declaration else { continue };
            let fresh = match snapshot.rename(&path, own.span.start, FRESH) {
                Ok(files) => edited(&snapshot, &files),
                // Regions have two spellings.
                Err(RenameError::OtherSpelling(_)) => continue,
                Err(error) => panic!("{}: {error} at {}", path.display(), own.span.start),
            };
            assert_eq!(errors(&fresh, &path), errors(&snapshot, &path), "{} {:?}", path.display(), own);
            let name = analysis.file().expect("it was read").slice(own.span).trim_start_matches('?').to_owned();
            let start = fresh.text(&path).expect("it can be read").find(FRESH).expect("it occurs") as u32;
            let back = fresh.rename(&path, start, &name).expect("the old name is free");
            let back = edited(&fresh, &back);
            let texts = [&back, &snapshot].map(|state| state.text(&path).expect("it can be read").to_lowercase());
            assert_eq!(texts[0], texts[1], "{}: {name}", path.display());
            renamed += 1;
        }
    }
    assert!(renamed > 100, "{renamed}");
    println!("{renamed} names renamed");
}

/// Every declared name of every resource graph game and world among the examples is renamed to a fresh one and back.
#[test]
fn fresh_names_keep_the_errors_of_games_and_worlds() {
    const FRESH: &str = "freshname";
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").canonicalize().expect("it exists");
    let mut renamed = 0;
    for name in ["rgg/berries.yaml", "rgg/climb.yaml", "worlds/kitchen.world.toml"] {
        let path = root.join(name);
        let snapshot = Workspace::default().snapshot();
        let analysis = snapshot.analysis(&path);
        assert_eq!(errors(&snapshot, &path), 0, "{name}");
        for own in analysis.occurrences().iter().filter(|own| own.role != OccurrenceRole::Reference) {
            let old = analysis.file().expect("it was read").slice(own.span).to_owned();
            let fresh = match snapshot.rename(&path, own.span.start, FRESH) {
                Ok(files) => edited(&snapshot, &files),
                // The operations of the library read attributes by default names; numbered objects have a pattern; `nothing` is an action of the language.
                Err(RenameError::Invalidates(..) | RenameError::InvalidName(_)) => continue,
                Err(error) => panic!("{name}: {error} at `{old}`"),
            };
            let text = fresh.text(&path).expect("it can be read");
            let start = text.find(FRESH).expect("it occurs") as u32;
            let offset = text[start as usize..].match_indices(FRESH).find_map(|(at, _)| {
                let at = start + at as u32;
                fresh.rename(&path, at, old.trim_start_matches('?')).ok().map(|files| edited(&fresh, &files))
            });
            let back = offset.unwrap_or_else(|| panic!("{name}: `{old}` cannot be renamed back"));
            assert_eq!(back.text(&path).expect("it can be read"), snapshot.text(&path).expect("it can be read"));
            renamed += 1;
        }
    }
    assert!(renamed > 60, "{renamed}");
}

#[test]
fn nodes_that_would_become_unknown_are_refused() {
    let text = include_str!("../../../examples/rgg/berries.yaml");
    let refused = rename(&[], "/w/b.rgg.yaml", &text.replacen("hill,", "$0hill,", 1), "mount").map(|_| ());
    assert!(matches!(refused, Err(RenameError::Invalidates(..))), "{refused:?}");
}

#[test]
fn names_in_texts_that_cannot_be_edited_are_refused() {
    let text = "teams: [red]
board: {nodes: [$0aim]}
resourceSpace: {aim: {x: int(1)}}
rewards:
  red:
    Calculate: >-
      1 +
      {aim.x}
";
    let refused = rename(&[], "/w/a.rgg.yaml", text, "fresh").map(|_| ());
    assert_eq!(refused, Err(RenameError::Unlinked("1 + {aim.x}".to_owned())));
}
