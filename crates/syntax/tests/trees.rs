//! Trees of whole texts: losslessness, recovery, comments, limits.

use goalspec_syntax::Sources;
use goalspec_syntax::sexp::{Parse, parse};
use proptest::prelude::*;

fn read(text: &str) -> Parse {
    let mut sources = Sources::new();
    let id = sources.add("test", text);
    parse(sources.get(id))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_is_kept(text in any::<String>()) {
        prop_assert_eq!(read(&text).tree.text(), text);
    }

    #[test]
    fn any_mix_of_pieces_is_kept(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..80)) {
        let text = pieces.concat();
        prop_assert_eq!(read(&text).tree.text(), text);
    }
}

const PIECES: &[&str] = &[
    "(",
    "(",
    "(",
    ")",
    ")",
    ")",
    " ",
    "\n",
    "\n    ",
    "\n        ",
    "\n\t",
    "\r\n",
    "\n(",
    "\n)",
    "(define",
    "\n(define",
    "(:goal",
    "\n(:goal",
    "a",
    "?x",
    ":k",
    "-1.5",
    "; c",
    "; c\n",
    "\"s\"",
    "\"",
    "\0",
    "\u{feff}",
    "\u{a0}",
    "ö",
    "```",
];
