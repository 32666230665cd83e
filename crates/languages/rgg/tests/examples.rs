//! The example games have no diagnostics.

use std::path::Path;

use goalspec_rgg::{Dialect, load};
use goalspec_syntax::Sources;

#[test]
fn the_examples_have_nothing_to_remark_on() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/rgg");
    let mut games = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        games += 1;
        let mut sources = Sources::new();
        let id = sources.add(path.display().to_string(), std::fs::read_to_string(&path).unwrap());
        let found = load(sources.file(id), Dialect::DOCUMENTED, &[]);
        assert_eq!(found.diagnostics, [], "{}", path.display());
        assert!(found.game.is_some());
    }
    assert!(games >= 2);
}
