//! Outlines, folding, selection, tokens, formatting and fixes.

use std::path::Path;

use goalspec::syntax::diagnostic::Applicability;
use goalspec::syntax::text_edit::apply;
use goalspec_ide::{OutlineItem, TokenKind, Workspace, fast_diagnostics, folding_ranges, selection_ranges};

use crate::common::{DOMAIN, GAME, PROBLEM, at_marker, errors, examples, slice, workspace};

#[test]
fn outlines_nest_definitions() {
    fn names(items: &[OutlineItem]) -> String {
        let name = |item: &OutlineItem| match &item.children[..] {
            [] => item.name.clone(),
            children => format!("{}({})", item.name, names(children)),
        };
        items.iter().map(name).collect::<Vec<_>>().join(" ")
    }
    let outline =
        |path: &str, text: &str| names(&workspace(&[(path, text)]).snapshot().analysis(Path::new(path)).outline());
    assert_eq!(outline("/w/domain.pddl", DOMAIN), "moving(room box crate hall in clear carry)");
    assert_eq!(outline("/w/a.game", GAME), "tidying(stored thrown)");
    assert_eq!(outline("/w/p.pddl", PROBLEM), "tidy(shed red blue)");
}

#[test]
fn outlines_of_other_notations_are_flat() {
    let outline = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        let items = Workspace::default().snapshot().analysis(&path.canonicalize().expect("it exists")).outline();
        items.into_iter().map(|item| item.name).collect::<Vec<_>>()
    };
    let pong = outline("reward/rally.py");
    assert!(pong.contains(&"reward_function".to_owned()), "{pong:?}");
}

#[test]
fn symbols_of_the_workspace_are_found_by_their_letters() {
    let snapshot = workspace(&[("/w/domain.pddl", DOMAIN), ("/w/a.game", GAME)]).snapshot();
    let found = snapshot.workspace_symbols("sd");
    let found: Vec<_> = found.iter().map(|symbol| (symbol.name.as_str(), symbol.container.as_deref())).collect();
    assert_eq!(found, [("stored", Some("tidying"))]);
    let yaml = workspace(&[("/w/settings.yaml", "actions:\n  stored: 1\n")]).snapshot();
    assert_eq!(yaml.workspace_symbols("stored"), [], "ordinary YAML is left to other servers");
}

#[test]
fn lists_and_comments_fold() {
    let text = "; one\n; two\n(define (domain d)\n  (:predicates\n    (p ?x)))\n";
    let snapshot = workspace(&[("/w/domain.pddl", text)]).snapshot();
    let ranges = folding_ranges(&snapshot.analysis(Path::new("/w/domain.pddl")));
    let ranges: Vec<_> = ranges.iter().map(|range| (range.start_line, range.end_line, range.is_comment)).collect();
    assert_eq!(ranges, [(0, 1, true), (2, 4, false), (3, 4, false)]);
    let yaml = "teams:\n  - red\n\nboard:\n  a: 1\n  b:\n    c: 1\n";
    let snapshot = workspace(&[("/w/a.yaml", yaml)]).snapshot();
    let ranges = folding_ranges(&snapshot.analysis(Path::new("/w/a.yaml")));
    let ranges: Vec<_> = ranges.iter().map(|range| (range.start_line, range.end_line)).collect();
    assert_eq!(ranges, [(0, 1), (3, 6), (5, 6)]);
}

#[test]
fn selections_grow_from_the_word_outwards() {
    let (snapshot, path, offset) = at_marker(&[], "/w/domain.pddl", "(define (domain d) (:predicates (p ?$0x)))");
    let ranges = selection_ranges(&snapshot.analysis(path), offset);
    let texts: Vec<String> = ranges.iter().take(4).map(|range| slice(&snapshot, path, range)).collect();
    assert_eq!(texts, ["?x", "p ?x", "(p ?x)", ":predicates (p ?x)"]);
    assert!(ranges.windows(2).all(|pair| pair[1].start <= pair[0].start && pair[0].end <= pair[1].end));
}

#[test]
fn tokens_cover_every_word_once() {
    for path in examples() {
        let snapshot = Workspace::default().snapshot();
        let tokens = snapshot.analysis(&path).tokens(None);
        assert!(tokens.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start), "{}", path.display());
        assert!(tokens.iter().all(|token| token.range.start < token.range.end));
    }
    let snapshot = workspace(&[("/w/a.game", GAME)]).snapshot();
    let analysis = snapshot.analysis(Path::new("/w/a.game"));
    let kind = |word: &str| {
        let at = GAME.find(word).expect("it occurs") as u32;
        let tokens = analysis.tokens(None);
        let token = tokens.iter().find(|token| token.range.start == at).expect("there is a token");
        (format!("{:?}", token.kind), token.is_definition, token.is_built_in)
    };
    assert_eq!(kind("define"), (format!("{:?}", TokenKind::Keyword), false, false));
    assert_eq!(kind("stored"), ("Name(Preference)".to_owned(), true, false));
    assert_eq!(kind("drawer"), ("Name(Type)".to_owned(), false, true));
}

#[test]
fn formatting_is_minimal_and_idempotent() {
    let crooked = DOMAIN.replace("\n  ", "\n      ").replace("(clear ?r", "(clear   ?r");
    let snapshot = workspace(&[("/w/domain.pddl", &crooked)]).snapshot();
    let path = Path::new("/w/domain.pddl");
    let edits = snapshot.analysis(path).format().expect("the text has no errors");
    assert!(edits.iter().all(|edit| crooked[edit.range.clone()].trim().is_empty()));
    let formatted = snapshot.with_text(path, apply(&crooked, &edits).expect("the edits fit"));
    assert_eq!(formatted.analysis(path).format().expect("no errors"), []);
}

#[test]
fn range_formatting_leaves_the_other_lists() {
    let text = "(define (domain a)   (:predicates (p)))\n(define (domain b)   (:predicates (p)))\n";
    let snapshot = workspace(&[("/w/domain.pddl", text)]).snapshot();
    let edits = snapshot.analysis(Path::new("/w/domain.pddl")).format_range(&(45..46)).expect("no errors");
    let formatted = apply(text, &edits).expect("the edits fit");
    assert!(formatted.starts_with(text.lines().next().expect("a line")) && formatted != text, "{formatted}");
}

#[test]
fn every_fix_applies_and_raises_no_number_of_errors() {
    let faulty = GAME
        .replace("agent_holds", "agent_hold")
        .replace("- drawer", "- drawr")
        .replace("stored:drawer", "store:drawer");
    let misspelled = [("/w/a.game", faulty), ("/w/p.pddl", PROBLEM.replace("(clear", "(cleer"))];
    for (path, text) in &misspelled {
        let snapshot = workspace(&[("/w/domain.pddl", DOMAIN), (path, text)]).snapshot();
        let path = Path::new(path);
        let analysis = snapshot.analysis(path);
        let found = fast_diagnostics(&analysis);
        let actions = analysis.fixes(&found, &(0..text.len() as u32));
        assert!(!actions.is_empty(), "{}", path.display());
        for action in actions {
            let [file] = &action.edits[..] else { panic!("the edits are of one file") };
            let fixed = snapshot.with_text(path, apply(text, &file.edits).expect("the edits fit"));
            assert!(errors(&fixed, path) <= errors(&snapshot, path), "{}", action.title);
        }
        let all = apply(text, &analysis.fix_all(&found)).expect("the edits fit");
        let is_safe = |found: &goalspec::syntax::Diagnostic| {
            found.fixes.iter().any(|fix| fix.applicability == Applicability::Safe)
        };
        assert_eq!(all != *text, found.iter().any(is_safe));
    }
}
