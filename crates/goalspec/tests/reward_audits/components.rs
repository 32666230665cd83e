//! Audits over little recordings of our own, each with one thing that is to be found, or not.

use std::fmt::Write as _;
use std::sync::Arc;

use goalspec::audit::{self, Audit, AuditOptions, Finding, ReturnMeasure};
use goalspec::library::{Library, LibraryOptions};
use goalspec::syntax::Severity;
use goalspec::trace::TraceInput;

/// A frame of Pong.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// The width of the player, which programs here make their rewards of.
    w: i64,
    /// The vertical position of the player.
    y: i64,
    /// The reward of the game.
    r: f64,
    /// Whether the episode ends with it.
    ends: bool,
}

/// An episode of so many frames, each with this width, which scores so much in its last frame and ends there.
fn episode(frames: usize, w: i64, r: f64) -> Vec<Frame> {
    let mut episode = vec![Frame { w, y: 96, r: 0.0, ends: false }; frames];
    episode[frames - 1] = Frame { r, ends: true, ..episode[frames - 1] };
    episode
}

/// The same, but the recording ends before the episode does.
fn cut(frames: usize, w: i64, r: f64) -> Vec<Frame> {
    let mut episode = episode(frames, w, r);
    episode[frames - 1].ends = false;
    episode
}

/// A recording of episodes; `columns` is what its frames have as `rew`.
fn recording(policy: &str, episodes: &[Vec<Frame>], column: &dyn Fn(usize) -> f64) -> String {
    let mut text =
        format!("{{\"format\":\"goalspec-screens-1\",\"game\":\"Pong\",\"hud\":false,\"policy\":{policy:?}}}\n");
    let mut index = 0;
    for (number, episode) in episodes.iter().enumerate() {
        let mut before = episode[0].y;
        for Frame { w, y, r, ends } in episode {
            let player = format!("[\"Player\",140,{y},{w},15,140,{before},0,1,[92,186,92],null]");
            let told = column(index);
            let _ = writeln!(
                text,
                "{{\"t\":{index},\"ep\":{number},\"a\":0,\"r\":{r},\"term\":{ends},\"trunc\":false,\
                 \"objs\":[{player},[\"NoObject\"],[\"NoObject\"]],\"rew\":{{\"told\":{told}}}}}"
            );
            before = *y;
            index += 1;
        }
    }
    text
}

fn input(name: &str, text: &str) -> TraceInput {
    TraceInput::Bytes(name.into(), Arc::from(text.as_bytes()))
}

fn audited(program: &str, inputs: &[TraceInput], options: &AuditOptions) -> Audit {
    let mut library = Library::with_options(LibraryOptions {
        reward_world: Some("atari/pong".to_owned()),
        ..LibraryOptions::default()
    });
    library.add_program("reward.py", program);
    assert_eq!(library.diagnostics(), []);
    let programs = library.reward_programs();
    let audited = audit::audit(&programs, &[], inputs, options, &|_| ());
    assert_eq!(audited.diagnostics, []);
    let [audit] = &audited.audits[..] else { panic!("one program, one audit") };
    assert!(audit.findings.iter().flat_map(|finding| &finding.help).all(|sentence| !sentence.is_empty()));
    println!("{}", audit::text(audit));
    audit.clone()
}

/// The audit over recordings of these episodes.
fn over(program: &str, recordings: &[(&str, Vec<Vec<Frame>>)]) -> Audit {
    let inputs: Vec<TraceInput> = recordings
        .iter()
        .map(|(name, episodes)| input(&format!("play/{name}.jsonl"), &recording(name, episodes, &|_| 0.0)))
        .collect();
    audited(program, &inputs, &AuditOptions::default())
}

fn of<'a>(audit: &'a Audit, kind: &str) -> Vec<&'a Finding> {
    audit.all_findings().filter(|finding| finding.kind == kind).collect()
}

fn one<'a>(audit: &'a Audit, kind: &str) -> &'a Finding {
    match &of(audit, kind)[..] {
        [finding] => finding,
        found => panic!("{} findings `{kind}`: {:#?}", found.len(), audit.findings),
    }
}

/// The reward of a frame is a value that the frame shows.
const WIDTH: &str = "def reward_function(objects):\n    return objects[0].w / 10\n";

#[test]
fn finished_episodes_are_compared_by_their_totals() {
    // A frame of the first earns less, and scores more; its episode is the shorter one.
    let alike = over(WIDTH, &[("a", vec![episode(100, 1, 10.0)]), ("b", vec![episode(400, 2, 20.0)])]);
    assert!(of(&alike, "against-score").is_empty());
    let [recordings, ..] = &alike.correlations()[..] else { panic!("expected a correlation with the score") };
    assert_eq!((recordings.measure, recordings.agreement.concordant), (ReturnMeasure::Episode, 1));

    // All frames earn alike, so that the longer episode earns more; it scores less.
    let longer = over(WIDTH, &[("short", vec![episode(100, 10, 10.0)]), ("long", vec![episode(400, 10, 2.0)])]);
    let found = one(&longer, "against-score");
    assert!(found.message.starts_with("the reward per episode prefers"), "{}", found.message);
    let evidence = ["short: reward 100 per episode, score 10 per episode, in 1 finished episode"];
    assert_eq!(found.evidence[1..2], evidence);

    // The returns of truncated episodes are unknown.
    let cut_short = over(WIDTH, &[("short", vec![cut(100, 10, 10.0)]), ("long", vec![cut(400, 10, 2.0)])]);
    assert!(of(&cut_short, "against-score").is_empty());
    let [recordings, ..] = &cut_short.correlations()[..] else { panic!("expected a correlation with the score") };
    assert_eq!((recordings.measure, recordings.agreement.tied), (ReturnMeasure::Frame, 1));
    let less = over(WIDTH, &[("low", vec![cut(100, 10, 10.0)]), ("high", vec![cut(400, 20, 4.0)])]);
    let found = one(&less, "against-score");
    assert!(found.message.starts_with("the reward per frame prefers"), "{}", found.message);
    assert_eq!(found.evidence[1], "low has no finished episode, so means per frame are compared");
    assert_eq!(found.evidence[3], "high: reward 2 per frame, score 0.01 per frame, in 400 frames");
}

#[test]
fn few_pairs_the_other_way_round_are_no_finding() {
    let scores = [1.0, 2.0, 3.0, 4.0, 5.0];
    let play = |widths: [i64; 5]| {
        let episodes = widths.iter().zip(scores).map(|(w, r)| episode(10, *w, r));
        over(WIDTH, &[("many", episodes.collect())])
    };
    assert!(of(&play([1, 2, 3, 5, 4]), "against-score").is_empty());
    assert!(of(&play([3, 2, 5, 1, 4]), "against-score").is_empty());
    let found = play([3, 5, 9, 1, 2]);
    let found = one(&found, "against-score");
    assert_eq!((found.numbers["discordant"], found.numbers["concordant"]), (6.0, 4.0));
    let worst = found.evidence.last().unwrap();
    let expected = "worst pair: episode 2 of many (reward 9 per episode, score 3 per episode) and episode 4 of many (reward 2 per episode, score 5 per episode)";
    assert_eq!(worst, expected);
    // Five episodes are few, whichever way they stand.
    assert_eq!(found.severity, Severity::Warning);
    let many: Vec<Vec<Frame>> = (0..12).map(|number| episode(10, 20 - number, number as f64)).collect();
    assert_eq!(one(&over(WIDTH, &[("many", many)]), "against-score").severity, Severity::Error);
}

#[test]
fn rewards_that_never_differ_are_constant() {
    let play = [("a", vec![episode(40, 1, 1.0)]), ("b", vec![episode(60, 2, 2.0)])];
    let audit = over("def reward_function(objects):\n    return 1\n", &play);
    assert_eq!(one(&audit, "constant").message, "the reward is 1 in all 100 frames");
    let audit = over("def reward_function(objects):\n    return 0.0\n", &play);
    assert_eq!(one(&audit, "constant").numbers["reward"], 0.0);
    assert!(of(&over(WIDTH, &play), "constant").is_empty());
}

#[test]
fn non_numeric_rewards_are_reported_and_excluded() {
    let text = "\
def reward_function(objects):
    if objects[0].w == 3:
        return float('nan')
    if objects[0].w == 4:
        return float('inf')
    return objects[0].w / 10
";
    let mut strange = episode(150, 1, 1.0);
    (strange[7].w, strange[8].w, strange[9].w) = (3, 3, 4);
    let plain = |name, w, r| (name, vec![episode(150, w, r)]);
    let audit = over(text, &[plain("a", 1, 1.0), ("b", vec![strange]), plain("c", 2, 2.0), plain("d", 5, 3.0)]);
    let found = one(&audit, "not-finite");
    assert_eq!(found.severity, Severity::Error);
    assert_eq!(found.message, "the reward is NaN or infinite in 3 of 600 frames, first in frame 7 of b");
    assert_eq!((found.numbers["nan"], found.numbers["infinite"]), (2.0, 1.0));
    // The other three are in order.
    let [recordings, ..] = &audit.correlations()[..] else { panic!("expected a correlation with the score") };
    assert_eq!((recordings.pairs, recordings.excluded, recordings.spearman), (3, 1, Some(1.0)));
    // A frame that has a number earns as much as before.
    assert_eq!(audit.recordings[1].idle.player_still.outside.frames, 0);
    let mean = audit.recordings[1].idle.player_still.inside.mean().unwrap();
    assert!((mean - 0.1).abs() < 1e-12, "{mean}");
}

#[test]
fn frames_without_a_reward_count_for_nothing() {
    let text = "\
def reward_function(objects):
    if objects[0].w > 5:
        return None
    return objects[0].w / 10
";
    let mut play = episode(200, 2, 1.0);
    play[100..].iter_mut().for_each(|frame| frame.w = 9);
    let audit = over(text, &[("half", vec![play]), ("none", vec![episode(150, 9, 5.0)])]);
    let [half, none] = &audit.recordings[..] else { panic!("two recordings") };
    let still = half.idle.player_still.inside;
    assert_eq!((still.frames, still.rewarded_frames), (199, 99));
    assert!((still.mean().unwrap() - 0.2).abs() < 1e-12, "{still:?}");
    assert_eq!((none.total(), none.idle.player_still.inside.mean()), (None, None));
    assert!(audit.has_recording_without_rewards());
    let text = audit::text(&audit);
    assert!(text.contains("none: reward -, score 5 in 150 frames"), "{text}");
    let json = audit::json(&audit);
    assert_eq!(json["recordings"][1]["total"], serde_json::Value::Null);
    assert_eq!(json["recordings"][1]["episodes"][0]["total"], serde_json::Value::Null);
    let raised = one(&audit, "raises");
    assert_eq!(raised.help, ["return a number on every path through the function"]);
}

#[test]
fn exceptions_of_one_line_are_one_finding() {
    let text = "def reward_function(objects):\n    raise ValueError('width\\n' + str(objects[0].w))\n";
    let mut play = episode(50, 0, 0.0);
    (0..).zip(&mut play).for_each(|(w, frame)| frame.w = w);
    let audit = over(text, &[("wide", vec![play])]);
    let found = one(&audit, "raises");
    assert_eq!(found.message, "no reward for 50 of 50 frames: `ValueError: width 0` in line 2");
    assert_eq!(found.evidence[1], "other frames have other messages, such as `ValueError: width 1`");
    let failure = &audit.recordings[0].failures[0];
    assert_eq!((failure.frames, failure.unlisted_frames, failure.messages.len()), (50, 48, 2));
}

#[test]
fn parts_beside_the_total_are_judged() {
    let text = "\
def reward_function(objects):
    parts = {'near': objects[0].w / 10, 'hit': 0.0}
    total = sum(parts.values())
    return total, parts
";
    let audit = over(text, &[("a", vec![episode(20, 1, 1.0)])]);
    let dead = one(&audit, "dead-term");
    assert_eq!(dead.message, "the component `hit` is 0 in all 20 frames that have it");
    assert_eq!(audit.line_text(dead.span.unwrap()), "parts = {'near': objects[0].w / 10, 'hit': 0.0}");
    let only = one(&audit, "dominant-term");
    assert!(only.message.starts_with("`near` dominates the components: 100.0 %"), "{}", only.message);
    // A total in the return is a term like any other, and not a dead one.
    let direct = "\
def near(objects):
    return objects[0].w / 10

def reward_function(objects):
    return near(objects), {'near': near(objects)}
";
    assert!(of(&over(direct, &[("a", vec![episode(20, 1, 1.0)])]), "dead-term").is_empty());
}

/// A player that moves up, and on odd rounds down, and does so in a share of frames; `w` tells the program which.
fn moving(share: usize, r: f64) -> Vec<Frame> {
    let mut y = 100;
    let mut play: Vec<Frame> = (0..800)
        .map(|frame| {
            let moves = frame % 10 < share;
            let up = frame / 10 % 2 == 0;
            if moves {
                y += if up { -1 } else { 1 };
            }
            Frame {
                w: if !moves {
                    5
                } else if up {
                    6
                } else {
                    7
                },
                y,
                r: 0.0,
                ends: false,
            }
        })
        .collect();
    play[799] = Frame { r, ends: true, ..play[799] };
    play
}

#[test]
fn directions_are_reported_and_any_motion_is_not() {
    let play = [("calm", vec![moving(2, 9.0)]), ("lively", vec![moving(6, 1.0)])];
    // Any motion is rewarded, and episodes with more motion have lower scores.
    let both = "def reward_function(objects):\n    return 1.0 if objects[0].w > 5 else 0.0\n";
    let audit = over(both, &play);
    assert_eq!(of(&audit, "against-score").len(), 1);
    assert!(of(&audit, "motion-against-score").is_empty());
    // Only moving down pays.
    let down = "def reward_function(objects):\n    return 1.0 if objects[0].w == 7 else 0.0\n";
    let audit = over(down, &play);
    let found = one(&audit, "motion-against-score");
    assert!(found.message.starts_with("the reward favours moving down"), "{}", found.message);
    assert_eq!(
        found.evidence,
        [
            "calm: moves down in 10.0 % of frames, score 9 per episode",
            "lively: moves down in 30.0 % of frames, score 1 per episode"
        ]
    );
    // It is less bad than all else, but nothing is paid for it.
    let less = "def reward_function(objects):\n    return -1.0 if objects[0].w == 7 else -2.0\n";
    let paid = of(&over(less, &play), "motion-against-score")
        .into_iter()
        .any(|finding| finding.message.contains("favours moving"));
    assert!(!paid);
}

#[test]
fn findings_between_recordings_come_after_dead_terms_and_thresholds() {
    let text = "\
def reward_function(objects):
    reward = 0.0
    reward -= objects[0].w / 10  # width
    if objects[0].y <= 0:
        reward += 1.0
    return max(min(reward, 1.0), -1.5)
";
    let audit = over(text, &[("poor", vec![episode(100, 1, 1.0)]), ("good", vec![episode(100, 20, 9.0)])]);
    let kinds: Vec<&str> = audit.all_findings().map(|finding| finding.kind).collect();
    let at = |kind: &str| kinds.iter().position(|other| *other == kind).unwrap_or_else(|| panic!("{kind}: {kinds:?}"));
    assert!(at("dead-term") < at("against-score") && at("dead-threshold") < at("term-against-score"), "{kinds:?}");
    // The clamp does no more than bring along what the term before it does.
    let term = one(&audit, "term-against-score");
    assert_eq!(term.message, "the term `width` opposes the score: it is lowest where the score is highest");
    assert!(term.help[0].starts_with("check whether"), "{:?}", term.help);
}

#[test]
fn recordings_of_one_policy_have_their_own_names() {
    let text = recording("random", &[episode(10, 1, 0.0)], &|_| 0.0);
    let of = |names: &[&str]| {
        let inputs: Vec<TraceInput> = names.iter().map(|name| input(name, &text)).collect();
        let audit = audited(WIDTH, &inputs, &AuditOptions::default());
        audit.recordings.iter().map(|recording| recording.label.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of(&["play/a.jsonl"]), ["random"]);
    assert_eq!(of(&["play/a.jsonl", "play/b.jsonl"]), ["a.jsonl", "b.jsonl"]);
    assert_eq!(of(&["one/a.jsonl", "two/a.jsonl"]), ["one/a.jsonl", "two/a.jsonl"]);
}

#[test]
fn running_totals_are_no_scores() {
    let told = |column: &dyn Fn(usize) -> f64| {
        let text = recording("random", &[cut(100, 1, 0.0)], column);
        let options = AuditOptions { score_column: Some("told".to_owned()), ..AuditOptions::default() };
        audited(WIDTH, &[input("a.jsonl", &text)], &options)
    };
    let running = told(&|frame| -((frame / 30) as f64));
    let found = one(&running, "running-score");
    assert!(found.message.contains("`told` looks like a running total"), "{}", found.message);
    assert_eq!(found.evidence, ["random: it never rises within an episode, and changes in 3 of 100 frames"]);
    let steps = told(&|frame| if frame > 0 && frame % 30 == 0 { -1.0 } else { 0.0 });
    assert!(of(&steps, "running-score").is_empty());
    assert_eq!((running.recordings[0].score(), steps.recordings[0].score()), (Some(-120.0), Some(-3.0)));
}

#[test]
fn windows_lie_within_episodes_and_are_full() {
    let play = vec![episode(150, 1, 1.0), episode(250, 2, 1.0), cut(99, 3, 1.0)];
    let audit = over(WIDTH, &[("a", play)]);
    let windows = &audit.recordings[0].window_means;
    let expected = [[0.1, 0.0], [0.2, 0.0], [0.2, 0.0]];
    assert_eq!(windows.len(), expected.len());
    for (window, expected) in windows.iter().zip(expected) {
        assert!((window[0] - expected[0]).abs() < 1e-12 && window[1] == expected[1], "{windows:?}");
    }
}

#[test]
fn damaged_recordings_are_looked_at_up_to_the_damage() {
    let mut text = recording("random", &[episode(10, 1, 0.0)], &|_| 0.0);
    text.push_str("{\"t\":");
    let mut library = Library::with_options(LibraryOptions {
        reward_world: Some("atari/pong".to_owned()),
        ..LibraryOptions::default()
    });
    library.add_program("reward.py", WIDTH);
    let programs = library.reward_programs();
    let run = |partial| {
        let options = AuditOptions { partial, ..AuditOptions::default() };
        audit::audit(&programs, &[], &[input("a.jsonl", &text)], &options, &|_| ())
    };
    let whole = run(false);
    assert!(whole.audits.is_empty() && whole.diagnostics[0].is_error());
    let part = run(true);
    assert_eq!((part.audits[0].recordings[0].frames(), part.diagnostics.len()), (10, 1));
    assert_eq!(part.diagnostics[0].severity, Severity::Warning);
    assert!(part.diagnostics[0].message.starts_with("a.jsonl"), "{}", part.diagnostics[0].message);
}

#[test]
fn every_kind_of_finding_is_explained() {
    let all = goalspec::codes::all();
    let table = goalspec::syntax::code_table::CodeTable::new([&all[..]]);
    for doc in audit::codes::ALL {
        let kind = doc.code.0.strip_prefix("audit/").unwrap();
        let found = table.find(kind).map(|found| found.code.0).or_else(|error| error.nearest.ok_or(kind));
        assert_eq!(found, Ok(doc.code.0));
    }
    for kind in ["raises", "dead-threshold"] {
        assert_eq!(table.find(kind).unwrap().code.0, format!("reward/{kind}"));
    }
}

/// Dead terms of a long program stand under their comparisons, and take near-linear time: by pairs of them, this takes minutes.
#[test]
fn many_dead_terms_stand_under_their_comparisons() {
    let mut text =
        "def never(x): return x == -7\n\ndef reward_function(objects):\n    r = 0.0\n    x = objects[0].w\n".to_owned();
    let count = 3000;
    for number in 0..count {
        let _ = match number % 3 {
            0 => writeln!(text, "    if x == {}: r += {number}.5", 1000 + number),
            1 => writeln!(text, "    far = x == {}\n    if far: r += {number}.5", 1000 + number),
            _ => writeln!(text, "    if never(x): r += {number}.5"),
        };
    }
    text.push_str("    return r\n");
    let inputs = [input("play/a.jsonl", &recording("a", &[episode(60, 4, 1.0)], &|_| 0.0))];
    let mut library = Library::with_options(LibraryOptions {
        reward_world: Some("atari/pong".to_owned()),
        ..LibraryOptions::default()
    });
    library.add_program("reward.py", text);
    let programs = library.reward_programs();
    let audit = audit::audit(&programs, &[], &inputs, &AuditOptions::default(), &|_| ()).audits.pop().unwrap();
    let dead = |finding: &&Finding| finding.kind == "dead-term";
    assert_eq!(audit.all_findings().filter(dead).count(), count);
    assert_eq!(audit.findings.iter().filter(dead).count(), 0);
    // Each stands under the comparison of its own.
    for cause in audit.findings.iter().filter(|finding| finding.message.starts_with("`x == 1")) {
        let below = cause.consequences.iter().filter(dead).count();
        assert_eq!(below, 1, "{}", cause.message);
    }
    let length = audit::text(&audit).len();
    assert!(length < 500 * count, "{length}");
}

/// Of a long line with many findings, each shows a part, and so it is with a long comparison that many terms rest on.
#[test]
fn findings_of_long_lines_take_little_room() {
    let count = 1000;
    let adds: String = (0..count).map(|number| format!("r += {number}.5; ")).collect();
    let long: String = (0..count).map(|number| format!("{number}, ")).collect();
    for condition in ["None".to_owned(), "none".to_owned(), format!("x == -len([{long}])")] {
        let text = format!(
            "def reward_function(objects):\n    r = 0.0\n    x, none = objects[0].w, []\n    if {condition}: {adds}\n    return r\n"
        );
        let inputs = [input("play/a.jsonl", &recording("a", &[episode(60, 4, 1.0)], &|_| 0.0))];
        let mut library = Library::with_options(LibraryOptions {
            reward_world: Some("atari/pong".to_owned()),
            ..LibraryOptions::default()
        });
        library.add_program("reward.py", text);
        let programs = library.reward_programs();
        let audit = audit::audit(&programs, &[], &inputs, &AuditOptions::default(), &|_| ()).audits.pop().unwrap();
        let dead = audit.all_findings().filter(|finding| finding.kind == "dead-term").count();
        assert_eq!(dead, count);
        for length in [audit::text(&audit).len(), audit::json(&audit).to_string().len()] {
            assert!(length < 3000 * count, "{length}");
        }
    }
}

/// Programs with other names in place of unknown ones share a budget, beyond which a note says so.
#[test]
fn names_are_tried_within_a_budget() {
    let with_loops = |count: usize| {
        format!(
            "def reward_function(objects):\n    s = 0\n    for i in range({count}): s += i * i\n    for name in ['a']:\n        \
             if objects[0].category == 'Xyzzy1': s += 1\n        if objects[0].category == 'Abcdefg': s += 1\n        \
             if objects[0].category == 'Qwertz': s += 1\n    return float(s)\n"
        )
    };
    for (count, is_reported) in [(10, false), (12_000, true)] {
        let inputs = [input("play/a.jsonl", &recording("a", &[episode(300, 4, 1.0)], &|_| 0.0))];
        let mut library = Library::with_options(LibraryOptions {
            reward_world: Some("atari/pong".to_owned()),
            ..LibraryOptions::default()
        });
        library.add_program("reward.py", with_loops(count));
        let programs = library.reward_programs();
        let audit = audit::audit(&programs, &[], &inputs, &AuditOptions::default(), &|_| ()).audits.pop().unwrap();
        let told = audit.findings.iter().any(|finding| finding.kind == "repairs-incomplete");
        assert_eq!(told, is_reported, "{count}: {:#?}", audit.findings);
    }
}

/// A counter that comes to a bound within an episode is not said to grow on, and the frames are counted for which one grew.
#[test]
fn counters_with_bounds_come_to_rest() {
    for (bound, frames) in [
        ("5000", None),
        ("20000", None),
        ("25000", None),
        ("31000", None),
        ("32000", None),
        ("10 ** 9", Some(32_768.0)),
    ] {
        let text = format!(
            "t = [0]\n\ndef reward_function(objects):\n    t[0] = min(t[0] + 1, {bound})\n    return t[0] * 0.01\n"
        );
        let audit = over(&text, &[("a", vec![episode(60, 4, 1.0), episode(60, 5, 2.0)])]);
        let grown = of(&audit, "unbounded").first().map(|finding| finding.numbers["frames"]);
        assert_eq!(grown, frames, "{bound}: {:#?}", audit.findings);
    }
}

/// A program that takes much work is watched for fewer frames, and other probes have work left.
#[test]
fn growth_of_slow_programs_is_watched_for_fewer_frames() {
    let text = "t = 0\n\ndef reward_function(objects):\n    global t\n    t += 1\n    for i in range(500): pass\n    return t\n";
    let audit = over(text, &[("a", vec![episode(60, 4, 1.0), episode(60, 5, 2.0)])]);
    let frames = of(&audit, "unbounded").first().map(|finding| finding.numbers["frames"]).unwrap();
    assert!((4_096.0..32_768.0).contains(&frames), "{frames}");
    assert!(of(&audit, "probes-incomplete").is_empty());
}

/// Findings of one cause are one finding, which names the cause.
#[test]
fn budgets_and_counters_are_one_finding_each() {
    let cases = [
        (
            "import itertools\n\ndef reward_function(objects):\n    return float(sum(itertools.cycle([1])))\n",
            "raises",
            "work limit exceeded` in line 4",
        ),
        (
            "t = 0\n\ndef reward_function(objects):\n    global t\n    t += 1\n    return t * 0.01\n",
            "unbounded",
            "keeps growing for all 32768 frames of an unchanging screen",
        ),
    ];
    for (text, kind, expected) in cases {
        let audit = over(text, &[("a", vec![episode(60, 4, 1.0), episode(60, 5, 2.0)])]);
        let worst =
            audit.findings.iter().filter(|finding| ["raises", "unbounded", "state-leak"].contains(&finding.kind));
        let worst: Vec<_> = worst.map(|finding| (finding.kind, finding.message.contains(expected))).collect();
        assert_eq!(worst, [(kind, true)], "{:#?}", audit.findings);
    }
}

/// State whose effect needs several whole episodes is found, and names the cause of the condition that no single episode fulfils.
#[test]
fn counters_over_several_episodes_are_one_finding() {
    let text = "total = 0\n\ndef reward_function(objects):\n    global total\n    total += 1\n    r = 0.1\n    \
                if total > 150:\n        r += 10.0\n    return r\n";
    let audit = over(text, &[("a", vec![episode(60, 4, 1.0), episode(60, 5, 2.0), episode(60, 6, 2.0)])]);
    let leaks = of(&audit, "state-leak");
    let [leak] = &leaks[..] else { panic!("{:#?}", audit.findings) };
    // Frames 151 to 180 are the last 30 of the third episode.
    assert_eq!(leak.numbers["frames"], 30.0, "{leak:#?}");
    let consequences: Vec<_> = leak.consequences.iter().map(|finding| finding.kind).collect();
    assert!(consequences.starts_with(&["dead-threshold", "dead-term"]), "{:#?}", audit.findings);
    // A counter that is compared with what one episode reaches depends on its episode as well, and its condition is alive.
    let audit = over(&text.replace("150", "50"), &[("a", vec![episode(60, 4, 1.0), episode(60, 5, 2.0)])]);
    assert_eq!(of(&audit, "state-leak").len(), 1, "{:#?}", audit.findings);
    // Without state, episodes of any number and length differ in nothing.
    let audit = over(
        "def reward_function(objects):\n    return 0.1\n",
        &[("a", vec![episode(60, 4, 1.0), episode(60, 5, 2.0), episode(60, 6, 2.0)])],
    );
    assert!(of(&audit, "state-leak").is_empty(), "{:#?}", audit.findings);
}
