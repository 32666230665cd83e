//! Every diagnostic code is documented and occurs in a test case.

use std::collections::BTreeSet;

use goalspec_game::codes;

#[test]
fn every_code_is_documented_once_and_has_a_case() {
    let cases = [include_str!("cases/parse.txt"), include_str!("cases/resolve.txt"), include_str!("check.rs")].concat();
    let mut seen = BTreeSet::new();
    for doc in codes::ALL {
        let code = doc.code.0;
        assert!(code.starts_with("game/") && seen.insert(code), "{code}");
        assert!(doc.summary.ends_with('.') && doc.explanation.len() > doc.summary.len(), "{code}");
        assert!(cases.contains(&format!("{code} `")), "no case for {code}");
    }
}
