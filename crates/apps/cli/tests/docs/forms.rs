//! The form of a page: a tutorial shows what its commands or sessions print and ends with three links, a how-to guide is about one task.

use super::{Page, files_below, name};
use crate::common::root;

#[test]
fn tutorials_and_guides_have_their_forms() {
    for (folder, kind, least) in [("tutorials", "tutorial", 7), ("howto", "how-to", 20)] {
        let pages = files_below(&root().join("docs/src").join(folder));
        assert!(pages.len() >= least, "{folder}: {} pages", pages.len());
        for path in pages {
            let page = name(&path);
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains(&format!("\n\n<!-- kind: {kind} -->\n\n")), "{page}: no kind");
            if kind == "tutorial" {
                let (_, next) =
                    text.split_once("\n## Next\n").unwrap_or_else(|| panic!("{page}: no links to go on with"));
                assert_eq!(next.matches("](").count(), 3, "{page}: three links to go on with");
                let is_run = |info: &str| matches!(info, "console" | "pycon");
                let run = Page::read(&path).blocks().filter(|block| is_run(&block.info)).count();
                assert!(run >= 3, "{page}: {run} blocks of commands or sessions");
            }
        }
    }
}
