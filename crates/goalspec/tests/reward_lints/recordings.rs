//! Findings in reward functions that need recordings.

use goalspec::reward_lints;
use goalspec::syntax::Diagnostic;
use goalspec::trace::TraceInput;

use super::super::{library, pong};

fn observed(body: &str, inputs: &[TraceInput]) -> Vec<Diagnostic> {
    let text = format!("from ocatari.ram.pong import *\n\ndef reward_function(objects):\n{body}");
    reward_lints::recording_diagnostics(&library(&text, None), inputs, None, &|_| ())
}

#[test]
fn a_range_left_by_several_recordings_is_reported_once() {
    let inputs = [pong(&[&[10, 20]]), pong(&[&[30]])];
    let found = observed("    # The reward is within [-1, 1].\n    return sum(o.x for o in objects) * 1.0\n", &inputs);
    let said: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(said, ["the reward ranges from 150 to 170 in 2 recordings, outside of the documented range [-1, 1]"]);
    // What the text tells by itself, recordings do not tell again.
    assert_eq!(observed("    # The reward is within [-1, 1].\n    return 5.0\n", &inputs), []);
}

#[test]
fn exceptions_are_reported_with_their_frames() {
    let body = "    ball = next(o for o in objects if isinstance(o, Ball))\n    return ball.x\n";
    let found = observed(body, &[pong(&[&[10, -1, 30]])]);
    let [finding] = &found[..] else { panic!("{found:?}") };
    assert_eq!(
        (finding.code.0, &*finding.message),
        ("reward/raises", "no reward for 1 of 3 frames: `StopIteration` in line 4")
    );
    assert_eq!(observed(body, &[pong(&[&[10, 20, 30]])]), []);
}

#[test]
fn a_left_side_of_one_value_needs_another_question() {
    let far: Vec<i32> = std::iter::repeat_n(20, 400).collect();
    let body = "    return 1.0 if objects[0].x > 150 else 0.0\n";
    let found = observed(body, &[pong(&[&far])]);
    let dead =
        found.iter().find(|finding| finding.code.0 == "reward/dead-threshold").expect("the dead threshold is reported");
    assert_eq!(dead.help, ["compare a value that changes: the left side is always 140"]);
    let several: Vec<i32> = (0..400).map(|frame| 20 + frame % 40).collect();
    let found = observed(&body.replace("objects[0]", "objects[1]"), &[pong(&[&several])]);
    assert_eq!(found[0].help, ["compare with a value in the range of the left side: 20 to 59"]);
}
