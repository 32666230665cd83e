//! Completion: what fits a place comes first, and restores deleted words.

use goalspec::syntax::sexp::{AtomKind, Token};
use goalspec::syntax::text_edit::{TextEdit, apply};
use goalspec_ide::{Completions, Workspace};
use goalspec_testing::random::Random;

use crate::common::{ACTIVITY, DOMAIN, GAME, PROBLEM, at_marker, errors, examples};

/// Returns the labels at the marker.
fn labels(others: &[(&str, &str)], path: &str, text: &str) -> Vec<String> {
    let (snapshot, path, offset) = at_marker(others, path, text);
    snapshot.completions(path, offset).items.into_iter().map(|item| item.label).collect()
}

#[test]
fn arguments_are_ranked_by_type() {
    let problem = PROBLEM.replacen("(in red shed)", "(in red $0)", 1);
    let found = labels(&[("/w/domain.pddl", DOMAIN)], "/w/p.pddl", &problem);
    assert_eq!(found[..2], ["hall", "shed"]);
    let domain = DOMAIN.replacen("(clear ?to)", "(clear ?$0)", 1);
    assert_eq!(labels(&[], "/w/domain.pddl", &domain)[..2], ["?to", "?from"]);
}

#[test]
fn types_follow_a_dash() {
    let found = labels(&[], "/w/domain.pddl", &DOMAIN.replacen("?b - box ?from", "?b - $0 ?from", 1));
    assert!(["room", "box", "crate"].iter().all(|name| found[..4].contains(&(*name).to_owned())), "{found:?}");
}

#[test]
fn heads_are_those_of_the_place() {
    let game = |from: &str, to: &str| labels(&[], "/w/a.game", &GAME.replacen(from, to, 1));
    assert!(game("(once (agent", "($0 (agent")[..4].contains(&"once".to_owned()));
    assert!(game("(count thrown)", "(count $0)")[..2].contains(&"thrown".to_owned()));
    assert!(game("(open ?d)", "(op$0 ?d)").contains(&"open".to_owned()));
    assert!(labels(&[], "/w/a.bddl", &ACTIVITY.replacen("(forall", "(for$0", 1)).contains(&"forall".to_owned()));
    assert!(labels(&[], "/w/a.game", &GAME.replacen("(:domain few", "(:domain $0few", 1)).len() > 2);
}

#[test]
fn comments_complete_nothing() {
    assert!(labels(&[], "/w/a.game", &format!("; on$0e\n{GAME}")).is_empty());
}

/// Words deleted at random places of the examples: accepting the first completion gives a program without errors in at least 95 of 100
/// cases, and the deleted word is among the first five in at least 80.
#[test]
fn deleted_words_are_restored() {
    const PLACES: usize = 300;
    let snapshot = Workspace::default().snapshot();
    let files = examples();
    let mut random = Random::new(19);
    let (mut places, mut checked, mut among_five) = (0, 0, 0);
    let mut failures = Vec::new();
    while places < PLACES {
        let path = &files[random.below(files.len())];
        let analysis = snapshot.analysis(path);
        let tree = analysis.tree().expect("it consists of lists");
        let is_word = |token: &Token<'_>| match token {
            Token::Atom(atom) => {
                let is_name = !matches!(atom.kind(), AtomKind::Number | AtomKind::String) && atom.text() != "-";
                is_name && !declares(&analysis, atom.span().start)
            }
            Token::Comment(_) => false,
        };
        let words: Vec<Token<'_>> = tree.tree.tokens().filter(is_word).collect();
        let Token::Atom(word) = words[random.below(words.len())] else { continue };
        let text = snapshot.text(path).expect("it can be read");
        let (start, end) = (word.span().start as usize, word.span().end as usize);
        let without = apply(&text, &[TextEdit::new(start..end, "")]).expect("the edit fits");
        let Completions { range, items } = snapshot.with_text(path, without.as_str()).completions(path, start as u32);
        places += 1;
        let range = range.start as usize..range.end as usize;
        let is_same = |label: &str| label.eq_ignore_ascii_case(word.text());
        among_five += usize::from(items.iter().take(5).any(|item| is_same(&item.label)));
        let restored = items.first().and_then(|item| apply(&without, &[TextEdit::new(range, &*item.label)]));
        let is_checked = restored.is_some_and(|text| errors(&snapshot.with_text(path, text), path) == 0);
        checked += usize::from(is_checked);
        if !is_checked {
            failures.push(format!("{} {}", path.file_name().expect("a file").to_string_lossy(), word.text()));
        }
    }
    println!("{checked} of {places} check, {among_five} are among the first five; not: {failures:?}");
    assert!(checked * 100 >= places * 95, "{checked} of {places}: {failures:?}");
    assert!(among_five * 100 >= places * 80, "{among_five} of {places}");
}

/// Whether a word is the name in a declaration, which nothing but its author knows.
fn declares(analysis: &goalspec_ide::Analysis, start: u32) -> bool {
    use goalspec::syntax::symbols::OccurrenceRole;
    let own = analysis.occurrences().iter().find(|own| own.span.start == start);
    own.is_some_and(|own| own.role != OccurrenceRole::Reference)
}
