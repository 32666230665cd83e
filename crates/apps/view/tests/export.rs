//! Exported pages.

use goalspec_view::Session;
use goalspec_view::export::export;

use crate::common::{example, markup, session, throwing};

pub(crate) fn page(session: &Session) -> String {
    let run = session.run(0, 0, None, None).unwrap();
    export(session, &run).unwrap()
}

#[test]
fn the_same_inputs_give_the_same_ascii_bytes() {
    let first = page(&throwing());
    assert_eq!(first, page(&throwing()));
    assert!(first.is_ascii());
    let run = throwing().run(0, 0, None, None).unwrap();
    let score = format!("<p>score {}, ", run.document["outcomes"][0]["score"]);
    assert!(first.contains(&score), "the summary has the score");
}

#[test]
fn an_exported_page_loads_nothing_and_has_no_paths() {
    let page = page(&throwing());
    let folder = example("").canonicalize().unwrap();
    assert!(!page.contains(folder.to_str().unwrap()) && !page.contains(env!("CARGO_MANIFEST_DIR")));
    assert!(page.contains("default-src 'none'"));
    let (head, _) = page.split_once("<style>").unwrap();
    for loading in ["src=", "<link", "@import", "http://", "https://"] {
        assert!(!head.contains(loading), "{loading}");
    }
    assert_eq!(page.matches("</script").count(), 2, "the data and the script end once each");
}

#[test]
fn markup_in_names_and_messages_stays_text() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(&markup(folder.path()));
    assert!(!page.contains("<img") && !page.contains("alert(1)>"), "a name became markup");
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;.game"));
}

#[test]
fn activities_are_exported() {
    let page = page(&session(&[example("bddl/watering_the_garden.bddl"), example("bddl/watering.jsonl")]));
    assert!(page.contains("<p>score "));
}
