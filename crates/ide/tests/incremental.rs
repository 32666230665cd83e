//! A workspace that has seen many edits answers as a fresh one with the same texts.

use std::path::Path;

use goalspec_ide::{Workspace, fast_diagnostics, folding_ranges, selection_ranges};
use proptest::prelude::*;

use crate::common::{ACTIVITY, DOMAIN, GAME, PROBLEM, workspace};

/// The documents, and those whose texts may stand in their place.
const DOCUMENTS: [(&str, &str); 4] =
    [("/w/domain.pddl", DOMAIN), ("/w/p.pddl", PROBLEM), ("/w/a.game", GAME), ("/w/b.bddl", ACTIVITY)];

/// Texts to insert.
const PIECES: [&str; 14] =
    ["(", ")", " ", "\n", "\r\n", "\t", "?b", "in", "- box", "; 𝄞\n", "\"", "(:goal", "(define (domain moving)", "ö"];

/// Edits of documents: the place and the length of the replaced text, in thousandths of the document, and the text to insert.
fn edits() -> impl Strategy<Value = Vec<(usize, usize, usize, usize)>> {
    prop::collection::vec((0..DOCUMENTS.len(), 0..1000_usize, 0..100_usize, 0..PIECES.len()), 1..12)
}

/// Everything that a workspace says about a document.
fn answers(workspace: &Workspace, path: &str) -> String {
    let path = Path::new(path);
    let snapshot = workspace.snapshot();
    let analysis = snapshot.analysis(path);
    let text = snapshot.text(path).expect("it is open");
    let offset = text.floor_char_boundary(text.len() / 2) as u32;
    let found: Vec<String> = fast_diagnostics(&analysis).iter().map(ToString::to_string).collect();
    let occurrences: Vec<_> = analysis.occurrences().iter().map(|own| (own.span.start, own.kind)).collect();
    let tokens = analysis.tokens(None);
    let places = (snapshot.definition(path, offset), snapshot.references(path, offset, true));
    let structure = (folding_ranges(&analysis), selection_ranges(&analysis, offset), analysis.outline());
    let help = (snapshot.hover(path, offset), analysis.signatures(offset), snapshot.completions(path, offset).items);
    let format = analysis.format().ok();
    format!("{found:?} {occurrences:?} {tokens:?} {places:?} {structure:?} {help:?} {format:?}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn edited_and_fresh_workspaces_agree(edits in edits()) {
        let mut edited = workspace(&DOCUMENTS);
        for (document, at, length, piece) in edits {
            let path = DOCUMENTS[document].0;
            let text = edited.text(Path::new(path)).expect("it is open").to_string();
            let start = text.floor_char_boundary(text.len() * at / 1000);
            let end = text.ceil_char_boundary((start + text.len() * length / 1000).min(text.len()));
            edited.set_text(path, format!("{}{}{}", &text[..start], PIECES[piece], &text[end..]));
            answers(&edited, path);
        }
        let mut fresh = Workspace::default();
        for (path, _) in DOCUMENTS {
            fresh.set_text(path, edited.text(Path::new(path)).expect("it is open").clone());
        }
        for (path, _) in DOCUMENTS {
            prop_assert_eq!(answers(&edited, path), answers(&fresh, path), "{}", path);
        }
    }
}

#[test]
fn a_changed_domain_changes_the_diagnostics_of_its_problem() {
    let mut workspace = workspace(&DOCUMENTS);
    let count = |workspace: &Workspace| {
        fast_diagnostics(&workspace.snapshot().analysis(Path::new("/w/p.pddl")))
            .iter()
            .filter(|found| found.is_error())
            .count()
    };
    assert_eq!(count(&workspace), 0);
    assert_eq!(workspace.snapshot().dependents(Path::new("/w/domain.pddl")), [Path::new("/w/p.pddl")]);
    workspace.set_text("/w/domain.pddl", DOMAIN.replace("clear", "free"));
    assert_eq!(count(&workspace), 1);
    workspace.close(Path::new("/w/domain.pddl"));
    assert_eq!(count(&workspace), 1);
}
