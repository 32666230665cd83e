//! Laying games out.

use goalspec_rgg::Dialect;
use goalspec_rgg::format::format;
use goalspec_syntax::Sources;

mod common;

fn laid_out(text: &str) -> Result<String, Vec<String>> {
    let mut sources = Sources::new();
    let id = sources.add("test", text);
    format(sources.get(id)).map_err(|found| found.into_iter().map(|one| one.message).collect())
}

#[test]
fn comments_stay_beside_what_they_are_about() {
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
fn values_stay_what_they_are() {
    let text = "a: 'it''s'\nb: \"x\\ty\"\nc: 1.0\nd: .nan\ne: yes\nf: |\n  two\n  lines\ng: &x {k: 1}\nh: *x\n";
    let out = laid_out(text).unwrap();
    for kept in ["1.0", ".nan", "yes", "two\n", "&x", "*x"] {
        assert!(out.contains(kept), "{kept} in {out}");
    }
}

#[test]
fn what_is_no_yaml_has_no_layout() {
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
