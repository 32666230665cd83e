//! Reward functions.

use goalspec_constraints::reward::constraint;

use crate::canonical_python::canonical;
use crate::common::{Engines, samples, source};

/// The number of accepted published programs, without their comments and docstrings.
pub(crate) const ACCEPTED: usize = 10;

#[test]
fn published_programs_are_accepted() {
    let Some(folder) = goalspec_testing::conformance::folder("reward/programs") else { return };
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "py"));
    let engines = Engines::of(&constraint(None).unwrap());
    for path in &paths {
        let name = path.display().to_string();
        let text = canonical(&source(&name, &std::fs::read_to_string(path).unwrap()));
        engines.assert_accepts(&name, &text);
        // The layout is final, and keeps all statements.
        assert_eq!(canonical(&source(&name, &text)), text);
        let functions = |text: &str| text.lines().filter(|line| line.trim_start().starts_with("def ")).count();
        assert_eq!(functions(&text), functions(&std::fs::read_to_string(path).unwrap()), "{name}");
    }
    assert_eq!(paths.len(), ACCEPTED);
}

#[test]
fn a_function_is_accepted_and_its_mutations_are_not() {
    let text = "from ocatari.ram.pong import *\ndef reward_function(objects) -> float:\n    reward = 0.5\n    for obj in objects:\n        if \
                isinstance(obj, Ball) and not obj.dx > -1:\n            reward += (obj.x - 3) ** 2\n        elif obj.y is not None:\n            \
                break\n    return max([o.w for o in objects if o], key=lambda o: o.h, default=0) if objects else reward\n";
    let engines = Engines::of(&constraint(Some("pong")).unwrap());
    engines.assert_accepts("pong", text);
    for (from, to) in [
        ("from ocatari.ram.pong import *", "import os"),
        ("    for obj in objects:", "    while True:"),
        ("    for obj in objects:", "    with open(objects):"),
        ("        if", "      if"),
        ("reward\n", "reward"),
        ("reward += ", "reward +== "),
        ("            break", "            import"),
        ("pong", "tennis"),
        ("(objects) -> float", "(objects, if) -> float"),
        ("    return", "return"),
    ] {
        let mutation = text.replacen(from, to, 1);
        assert_ne!(mutation, text);
        assert!(!engines.accepts(&mutation), "{mutation}");
    }
    assert!(!engines.accepts(text.trim_end()));
}

#[test]
fn random_functions_are_valid_python() {
    let constraint = constraint(None).unwrap();
    for text in samples(&constraint, 400) {
        let read = goalspec_reward::read(&source("reward.py", &text));
        let errors: Vec<_> =
            read.diagnostics.iter().filter(|found| found.code == goalspec_reward::codes::SYNTAX).collect();
        assert!(errors.is_empty(), "{errors:?}: {text}");
    }
}
