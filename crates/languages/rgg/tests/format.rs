//! The formatter.

use goalspec_rgg::Dialect;
use goalspec_rgg::format::format;
use goalspec_syntax::Sources;

use crate::common;

fn laid_out(text: &str) -> Result<String, Vec<String>> {
    let mut sources = Sources::new();
    let id = sources.add("test", text);
    format(sources.file(id)).map_err(|found| found.into_iter().map(|one| one.message).collect())
}

#[test]
fn comments_stay_beside_the_lines_that_they_explain() {
    let text =
        "# about the game\nteams: [ red ]   # one team\nboard:\n   # the nodes\n   nodes:\n   - a # first\n   - b\n";
    let expected =
        "# about the game\nteams: [red] # one team\nboard:\n  # the nodes\n  nodes:\n    - a # first\n    - b\n";
    assert_eq!(laid_out(text).as_deref(), Ok(expected));
    assert_eq!(laid_out(expected).as_deref(), Ok(expected));
}

#[test]
fn comments_at_the_end_of_a_block_stay_in_it() {
    let text = "\
a:
    b:
        c: 1
        # of b

        # of b too
    # of a
    d:
        - e: 1
          f: 2
          # of the item
        # of the list
    # of a again
g:
  - h
    # of h
  - |
    # text
  # of g
i: 1
# the end
";
    let expected = "\
a:
  b:
    c: 1
    # of b

    # of b too
  # of a
  d:
    - e: 1
      f: 2
      # of the item
    # of the list
  # of a again
g:
  - h
    # of h
  - |
    # text
  # of g
i: 1
# the end
";
    assert_eq!(laid_out(text).as_deref(), Ok(expected));
    assert_eq!(laid_out(expected).as_deref(), Ok(expected));
}

#[test]
fn values_keep_their_notation() {
    let text = "a: 'it''s'\nb: \"x\\ty\"\nc: 1.0\nd: .nan\ne: yes\nf: |\n  two\n  lines\ng: &x {k: 1}\nh: *x\n";
    let formatted = laid_out(text).unwrap();
    for kept in ["1.0", ".nan", "yes", "two\n", "&x", "*x"] {
        assert!(formatted.contains(kept), "{kept} in {formatted}");
    }
}

#[test]
fn invalid_yaml_is_not_formatted() {
    assert!(laid_out("teams: [red").is_err());
    assert!(laid_out("a: b: c").is_err());
}

#[test]
fn empty_texts() {
    assert_eq!(laid_out("").as_deref(), Ok(""));
    assert_eq!(laid_out("# only a comment\n").as_deref(), Ok("# only a comment\n"));
}

#[test]
fn the_sample_games_mean_the_same_afterwards() {
    let games = [
        "Covid19",
        "MultiplayerTestRgg",
        "MyCustomGame",
        "SimulationServiceExample",
        "SoftwarePatching",
        "TerrainDiscovery",
    ];
    for game in games {
        let Some(text) = common::recorded(&format!("games/{game}.yaml")) else { return };
        let [before, after] = [laid_out(&text).unwrap(), text].map(|text| common::game(&text, Dialect::CAGE).game);
        assert!(before.is_some(), "{game}");
        assert_eq!(before, after);
    }
}

#[test]
fn the_examples_are_laid_out() {
    for name in ["berries", "climb"] {
        let path = format!("{}/../../../examples/rgg/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        assert_eq!(laid_out(&text).as_deref(), Ok(&*text));
    }
}

/// The underlying parser nests each empty key in the previous one, and overflowed its stack on several thousand of them.
#[test]
fn many_keys_that_are_empty_or_marked_have_no_layout() {
    for line in
        ["    - :", "    :", "    &x a:", "    !!str :", "    : # c", "    !!str &b :", "    - : :", "    - - :"]
    {
        let found = laid_out(&format!("a:\n{}", format!("{line}\n").repeat(20_000))).unwrap_err();
        let duplicate = found[0].contains("twice");
        assert!(
            duplicate || found[0].starts_with("the number of lines that begin with an empty key"),
            "{line}: {found:?}"
        );
    }
    let anchors: String = (0..1_000).map(|key| format!("  key{key}: &a{key} {{b: !!str 1}}\n")).collect();
    let text = format!("a:\n{anchors}");
    assert!(laid_out(&text).is_ok());
}

/// The underlying parser keeps indentations as the bits of a word, and counts carriage returns as columns.
#[test]
fn lines_far_to_the_right_are_left_alone() {
    let indented = |columns: usize| format!("a:\n{}b: 1\n", " ".repeat(columns));
    assert_eq!(laid_out(&indented(60)).as_deref(), Ok("a:\n  b: 1\n"));
    for text in [indented(61), indented(200), format!("{}a", "- ".repeat(40)), format!("{}a: 1", "- ".repeat(31))] {
        let found = laid_out(&text).unwrap_err();
        assert!(
            found[0].starts_with("the indentation of this line exceeds the limit of 60 columns"),
            "{text}: {found:?}"
        );
    }
    // The formatter indents by two columns; the text is indented by one.
    let nested = |depth: usize| -> String {
        (0..depth)
            .map(|at| format!("{}k{at}:\n", " ".repeat(at)))
            .chain([format!("{}x: 1\n", " ".repeat(depth))])
            .collect()
    };
    assert!(laid_out(&nested(30)).is_ok_and(|text| laid_out(&text).as_ref() == Ok(&text)));
    for depth in [31, 32, 40, 60] {
        let found = laid_out(&nested(depth)).unwrap_err();
        assert!(
            found[0].starts_with("the indentation of the formatted text exceeds the limit of 60"),
            "{depth}: {found:?}"
        );
    }
    // Blanks and comments do not count as indentation.
    let blanks = " ".repeat(70);
    for text in [
        format!("a: 1\n{blanks}\nb: 2\n"),
        format!("{blanks}\na: 1\n\nb: 2\n"),
        format!("a: 1\n\nb: 2\n{blanks}"),
        format!("a: 1\n\nb: 2\n{blanks}\n"),
    ] {
        assert_eq!(laid_out(&text).as_deref(), Ok("a: 1\n\nb: 2\n"), "{text}");
    }
    for text in [
        format!("a:\n  c: 1\n{blanks}# far\nb: 2\n"),
        format!("{blanks}# far\na: 1\n"),
        format!("a: 1\n{blanks}# far"),
        format!("a: 1\n{blanks}# far\n"),
        format!("a: 1{blanks}# far\nb: 2\n"),
    ] {
        let formatted = laid_out(&text).unwrap_or_else(|found| panic!("{text}: {found:?}"));
        assert!(formatted.contains("# far"), "{formatted}");
        assert_eq!(laid_out(&formatted).as_ref(), Ok(&formatted), "{text}");
    }
    let returns = format!("{}?e-Cntaion", "\r".repeat(78));
    let _ = laid_out(&returns);
    assert_eq!(laid_out("a: 1\r\rb:\r  - c\r").as_deref(), Ok("a: 1\n\nb:\n  - c\n"));
    assert_eq!(laid_out("a: 1\r\nb: 2\r\n").as_deref(), Ok("a: 1\nb: 2\n"));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(3000))]

    /// Any number of blanks, line breaks and indicators: formatting is idempotent or refused.
    #[test]
    fn blanks_and_indicators_in_any_number(pieces in proptest::collection::vec((0..10_usize, 1..90_usize), 0..12)) {
        const PIECES: [&str; 10] = [" ", "\r", "\n", "\r\n", "- ", "? ", ": ", "a", "a: ", "#"];
        let text: String = pieces.iter().map(|(piece, times)| PIECES[*piece].repeat(*times)).collect();
        if let Ok(formatted) = laid_out(&text) {
            proptest::prop_assert_eq!(laid_out(&formatted), Ok(formatted.clone()));
        }
    }

    /// Nested maps and lists with blanks and comments: formatting is idempotent or refused.
    #[test]
    fn maps_inside_one_another(
        levels in proptest::collection::vec((0..4_usize, 1..4_usize), 0..45),
        between in proptest::collection::vec((0..45_usize, 0..80_usize, 0..3_usize), 0..4),
    ) {
        let mut lines: Vec<String> = Vec::new();
        let mut indent = 0;
        for (kind, step) in levels {
            let key = if kind == 0 { "- k:" } else { "k:" };
            lines.push(format!("{}{key}", " ".repeat(indent)));
            indent += step + if kind == 0 { 2 } else { 0 };
        }
        lines.push(format!("{}x: 1", " ".repeat(indent)));
        for (at, columns, kind) in between {
            let at = at.min(lines.len());
            lines.insert(at, format!("{}{}", " ".repeat(columns), ["", "# c", "\t"][kind]));
        }
        for end in ["", "\n"] {
            let text = lines.join("\n") + end;
            if let Ok(formatted) = laid_out(&text) {
                proptest::prop_assert_eq!(laid_out(&formatted), Ok(formatted.clone()), "{}", text);
            }
        }
    }
}
