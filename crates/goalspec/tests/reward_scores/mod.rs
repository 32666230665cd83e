//! Statistics of scores beside the rewards.

use goalspec::core::engine::Engine;
use goalspec::rewards::score::{RewardScores, ScoreOptions, score};
use goalspec::trace::TraceInput;

use super::library;

fn scored(text: &str, recording: &str, engine: Engine) -> RewardScores {
    let library = library(text, None);
    let programs = library.reward_programs();
    let input = TraceInput::Bytes("pong.jsonl".into(), recording.as_bytes().to_vec().into());
    score(&programs, &[], &input, &ScoreOptions { engine, ..ScoreOptions::default() }, &|_| ())
}

/// A recording whose header says this, with frames of these numbers, episodes and ends.
fn recording(header: &str, frames: &[(u64, u64, bool)]) -> String {
    let frame = |&(index, episode, ends): &(u64, u64, bool)| {
        // Positions on a screen are bounded.
        let place = 10 * (index % 100);
        format!(
            "{{\"t\":{index},\"ep\":{episode},\"a\":null,\"r\":0.0,\"term\":{ends},\"trunc\":false,\
             \"objs\":[[\"Ball\",{place},100,2,4,{place},100,0,1,[0,0,0],null]]}}\n"
        )
    };
    let header = format!("{{\"format\":\"goalspec-screens-1\",\"game\":\"Pong\",\"hud\":false{header}}}\n");
    header + &frames.iter().map(frame).collect::<String>()
}

#[test]
fn numpy_warnings_are_counted_by_line_on_every_engine() {
    let text = "import numpy as np\n\ndef reward_function(objects):\n    x = objects[0].x\n    return float(np.sqrt(x - 15)) + np.log(x)\n";
    let frames = recording("", &[(0, 0, false), (1, 0, false), (2, 0, false)]);
    for engine in [Engine::Fast, Engine::Interpreter] {
        let outcome = &scored(text, &frames, engine).outcomes[0];
        let messages: Vec<_> =
            outcome.warnings.iter().map(|one| (&*one.message, one.line, one.first_frame, one.frames)).collect();
        let expected = [
            ("invalid value encountered in sqrt", Some(5), 0, 2),
            ("divide by zero encountered in log", Some(5), 0, 1),
        ];
        assert_eq!(messages, expected, "{engine:?}");
        assert!(outcome.warnings.iter().all(|one| one.kind == "RuntimeWarning"));
        assert_eq!(outcome.rewarded_frames(), 3);
    }
}

#[test]
fn missing_frames_are_reported() {
    let text = "def reward_function(objects):\n    return 1.0\n";
    let messages = |header: &str, frames: &[(u64, u64, bool)]| -> Vec<String> {
        let result = scored(text, &recording(header, frames), Engine::Fast);
        assert_eq!(result.outcomes[0].frames(), frames.len() as u64);
        result.diagnostics.iter().map(|finding| finding.code.0.to_owned()).collect()
    };
    let whole = [(0, 0, false), (1, 0, true), (2, 1, false)];
    assert_eq!(messages(",\"n\":3", &whole), Vec::<String>::new());
    assert_eq!(messages(",\"n\":4", &whole), ["trace/frame-count"]);
    assert_eq!(messages("", &[(0, 0, false), (4, 0, false)]), ["trace/gap"]);
    assert_eq!(messages("", &[(0, 0, true), (1, 0, false)]), ["trace/after-end"]);
}

/// Whatever runs at each episode or frame counts: a slow program is stopped, in the same frame on every engine that runs it alike.
#[test]
fn work_of_the_top_level_counts_at_every_episode() {
    let loops = "for i in range(N): s += i * i\n";
    let call = "def reward_function(objects): return float(str(objects[0].x))\n";
    let cases = [
        ("the top level", format!("s = 0\n{}{call}", loops.replace('N', "17000"))),
        (
            "the function",
            format!(
                "def reward_function(objects):\n    s = 0\n    {}    return float(s)\n",
                loops.replace('N', "17000")
            ),
        ),
    ];
    let frames: Vec<(u64, u64, bool)> = (0..2000).map(|index| (index, index, false)).collect();
    let frames = recording("", &frames);
    for (label, text) in &cases {
        let stopped = [Engine::Fast, Engine::Interpreter].map(|engine| {
            let outcome = &scored(text, &frames, engine).outcomes[0];
            outcome.failures.iter().find(|failure| failure.kind == "skipped").map(|failure| failure.first_frame)
        });
        let [fast, reference] = stopped;
        assert!(reference.is_some(), "{label}: not stopped");
        assert_eq!(fast, reference, "{label}");
    }
    // A little of it stops nothing.
    let text = format!("s = 0\n{}{call}", loops.replace('N', "20"));
    let few: Vec<(u64, u64, bool)> = (0..20).map(|index| (index, index, false)).collect();
    assert!(scored(&text, &recording("", &few), Engine::Fast).outcomes[0].failures.is_empty());
}
