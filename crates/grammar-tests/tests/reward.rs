//! Reward functions.

use goalspec_constraints::reward::constraint;

use crate::common::{Engines, samples, source};

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
