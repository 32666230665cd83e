//! Reward functions through the library: their worlds, what is found in them, and rewards as they were recorded.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec::atari::Game;
use goalspec::atari::class::ValueAttributes;
use goalspec::atari::recording::RecordedReward;
use goalspec::core::engine::Engine;
use goalspec::files::Inputs;
use goalspec::library::{Library, LibraryOptions};
use goalspec::program::Program;
use goalspec::rewards::compiled::CompiledReward;
use goalspec::rewards::frames::{FrameReader, RecordedFrame, split_episodes};
use goalspec::rewards::program::RewardProgram;
use goalspec::rewards::score::{FrameResult, RewardOutcome, ScoreOptions, score};
use goalspec::rewards::screen_worlds;
use goalspec::rewards::world::RewardWorld;
use goalspec::scoring;
use goalspec::syntax::{Diagnostic, Sources};
use goalspec::trace::TraceInput;

#[path = "reward_audits/mod.rs"]
mod reward_audits;
#[path = "reward_batches/mod.rs"]
mod reward_batches;
#[path = "reward_lints/mod.rs"]
mod reward_lints;
#[path = "reward_scores/mod.rs"]
mod reward_scores;
#[path = "reward_worlds/mod.rs"]
mod reward_worlds;

fn conformance(part: &str) -> Option<PathBuf> {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found =
        folders.find_map(|folder| Some(folder.join("../shared/conformance").join(part)).filter(|path| path.is_dir()));
    if found.is_none() {
        eprintln!("skipped: no conformance data for {part}");
    }
    found
}

#[test]
fn every_game_has_a_world_with_its_classes_and_slots() {
    for screen in screen_worlds::all() {
        let (game, world) = (screen.game, screen.world());
        assert_eq!(world.name(), screen.name);
        let mut expected = Vec::new();
        for (class, count) in game.slots(true) {
            let class = game.class(class);
            let mut name = String::new();
            for letter in class.name.chars() {
                let begins = letter.is_uppercase() && !name.is_empty();
                name.extend(begins.then_some('_').into_iter().chain(letter.to_lowercase()));
            }
            let id = world.type_named(&name).unwrap_or_else(|| panic!("{game}: no type `{name}`"));
            let value = world.attribute_named("value");
            for number in 0..count {
                let object = if count == 1 { name.clone() } else { format!("{name}_{number}") };
                let found =
                    world.object_with_recorded_name(&object).unwrap_or_else(|| panic!("{game}: no object `{object}`"));
                assert!(world.is_a(found, id), "{game}: {object}");
                let valued = value.is_some_and(|value| world.has_attribute(found, value));
                assert_eq!(valued, class.value != ValueAttributes::None, "{game}: {object}");
                let display = world.type_named("display").is_some_and(|display| world.is_a(found, display));
                assert_eq!(display, class.hud, "{game}: {object}");
                expected.push(object);
            }
        }
        assert_eq!(world.objects().len(), expected.len(), "{game}");
        for class in game.classes() {
            let found = screen.scene.screen_classes.iter().find(|known| *known.name == *class.name);
            let found = found.unwrap_or_else(|| panic!("{game}: no class `{}`", class.name));
            let parent = found.parent.map(|parent| &*screen.scene.screen_classes[usize::from(parent)].name);
            assert_eq!(parent, Some(class.parent), "{game}: {}", class.name);
        }
    }
    assert_eq!(screen_worlds::all().len(), Game::ALL.len());
}

/// The recorded rewards of a program, frame by frame.
fn expected(input: &TraceInput) -> BTreeMap<String, Vec<RecordedReward>> {
    let world = RewardWorld::for_trace(input, None, &[]).unwrap();
    let mut frames = FrameReader::open(input, &world, false).unwrap();
    let mut shot = RecordedFrame::default();
    let mut all: BTreeMap<String, Vec<RecordedReward>> = BTreeMap::new();
    while frames.next(&mut shot).unwrap() {
        for (name, reward) in shot.screen_frame.rewards.drain(..) {
            all.entry(name).or_default().push(reward);
        }
    }
    all
}

fn same(outcome: &RewardOutcome, step: &FrameResult, recorded: &RecordedReward) -> bool {
    match (step.reward, recorded) {
        (Ok(reward), RecordedReward::Float(recorded)) => reward.to_bits() == recorded.to_bits(),
        (Err(place), RecordedReward::Error(recorded)) => {
            let failure = &outcome.failures[place];
            *recorded == format!("{}: {}", failure.kind, failure.message)
        }
        _ => false,
    }
}

/// Scores a recording by its programs on one engine; how many rewards are as they were recorded, and how many frames were run fast.
fn as_recorded(folder: &Path, recording: &str, engine: Engine) -> (u64, u64) {
    let input = TraceInput::File(folder.join(format!("traces/{recording}.jsonl.gz")));
    let expected = expected(&input);
    let programs = expected.keys().map(|name| folder.join(format!("programs/{name}.py"))).collect();
    let library = Library::load(&Inputs { programs, ..Inputs::default() }, LibraryOptions::default(), &|| ());
    assert_eq!(library.diagnostics(), [], "{recording}");
    let programs = library.reward_programs();
    let result =
        score(&programs, &[], &input, &ScoreOptions { keep_frames: true, engine, ..ScoreOptions::default() }, &|_| ());
    assert_eq!(result.diagnostics, [], "{recording}");
    assert_eq!(result.outcomes.len(), expected.len(), "{recording}");
    let (mut count, mut fast) = (0, 0);
    for (outcome, (name, expected)) in result.outcomes.iter().zip(&expected) {
        assert!(outcome.program.ends_with(&format!("{name}.py")));
        assert_eq!(outcome.frame_results.len(), expected.len(), "{name}");
        for (step, recorded) in outcome.frame_results.iter().zip(expected) {
            let same = same(outcome, step, recorded);
            assert!(same, "{name} frame {}, {engine:?}: {step:?}, recorded {recorded:?}", step.frame);
            count += 1;
        }
        let calls = &outcome.engine_calls;
        let fallback_count: u64 = calls.fallback_reasons.iter().map(|(_, count)| count).sum();
        assert_eq!(fallback_count, calls.interpreted_frames, "{name}");
        println!(
            "{name} over {recording}, {engine:?}: {} fast, handed over {:?}",
            calls.fast_frames, calls.fallback_reasons
        );
        fast += calls.fast_frames;
    }
    (count, fast)
}

#[test]
fn terms_add_up_to_the_reward() {
    let Some(folder) = conformance("reward") else { return };
    let mut frames = 0;
    for game in ["freeway", "pong", "seaquest", "skiing"] {
        let input = TraceInput::File(folder.join(format!("traces/{game}_scripted_s0.jsonl.gz")));
        let programs = expected(&input).keys().map(|name| folder.join(format!("programs/{name}.py"))).collect();
        let library = Library::load(&Inputs { programs, ..Inputs::default() }, LibraryOptions::default(), &|| ());
        let programs = library.reward_programs();
        let options = ScoreOptions { keep_frames: true, terms: true, ..ScoreOptions::default() };
        for outcome in score(&programs, &[], &input, &options, &|_| ()).outcomes {
            for step in &outcome.frame_results {
                let Ok(reward) = step.reward else {
                    assert_eq!(step.terms, [], "{} frame {}", outcome.program, step.frame);
                    continue;
                };
                let sum: f64 = step.terms.iter().flatten().sum();
                assert!((sum - reward).abs() < 1e-9, "{} frame {}: {sum} for {reward}", outcome.program, step.frame);
                frames += 1;
            }
            let of_frames =
                |place: usize| outcome.frame_results.iter().filter_map(move |step| *step.terms.get(place)?);
            for (place, (term, seen)) in outcome.terms.iter().enumerate() {
                let (sum, count) = (of_frames(place).sum::<f64>(), of_frames(place).count() as u64);
                assert!((sum - seen.sum).abs() < 1e-6 && count == seen.calls, "{} {}", outcome.program, term.id);
            }
        }
    }
    assert!(frames > 15_000, "{frames}");
}

#[test]
fn rewards_are_as_they_were_recorded_on_both_engines() {
    let Some(folder) = conformance("reward") else { return };
    for engine in [Engine::Fast, Engine::Interpreter] {
        let (mut count, mut fast) = (0, 0);
        for game in ["freeway", "pong", "seaquest", "skiing"] {
            for policy in ["random", "scripted"] {
                let done = as_recorded(&folder, &format!("{game}_{policy}_s0"), engine);
                (count, fast) = (count + done.0, fast + done.1);
            }
        }
        println!("{count} rewards as recorded, {fast} of them fast, {engine:?}");
        assert_eq!(count, 40_000);
        // All of the recorded programs have a fast form.
        assert_eq!(fast, if engine == Engine::Fast { count } else { 0 });
    }
}

fn library(text: &str, screen: Option<&str>) -> Library {
    let mut library =
        Library::with_options(LibraryOptions { reward_world: screen.map(str::to_owned), ..LibraryOptions::default() });
    library.add_program("reward.py", text);
    library
}

fn found(text: &str, screen: Option<&str>) -> Vec<String> {
    let library = library(text, screen);
    let line = |finding: &Diagnostic| {
        let help = finding.help.first().map_or(String::new(), |help| format!(" | {help}"));
        format!("{}: {}{help}", finding.code, finding.message)
    };
    library.diagnostics().iter().map(line).collect()
}

#[test]
fn names_are_resolved_in_the_world() {
    let text = "from ocatari.ram.pong import *\n\ndef reward_function(objects):\n    return sum(isinstance(o, Bal) for o in objects)\n";
    let unknown = "reward/unknown-name: unknown name `Bal`: neither the program nor the world `atari/pong` defines it | did you mean `Ball`?";
    assert_eq!(found(text, None), [unknown]);
    assert_eq!(found(&text.replace("Bal)", "Ball)"), None), Vec::<String>::new());
    let other =
        "input/other-reward-world: the program imports the classes of `atari/pong`, but is read with `atari/freeway`";
    let unknown =
        "reward/unknown-name: unknown name `Bal`: neither the program nor the world `atari/freeway` defines it";
    assert_eq!(found(text, Some("atari/freeway")), [other.to_owned(), unknown.to_owned()]);
    let imported = "from ocatari.ram.pong import Bull\n\ndef reward_function(objects):\n    return 0.0\n";
    assert!(found(imported, None)[0].starts_with("reward/unknown-name: unknown name `Bull`"));
    let missing = "def reward_function(objects):\n    return sum(isinstance(o, Ball) for o in objects)\n";
    assert!(found(missing, Some("atari/pong"))[0].ends_with("the world has a class of this name: import it"));
    // Without a world, every name may be one of the recording's.
    assert_eq!(found(missing, None), Vec::<String>::new());
}

/// The codes of the lints of a program that runs.
fn lints(text: &str) -> Vec<&'static str> {
    let library = library(text, None);
    assert_eq!(library.diagnostics(), [], "{text}");
    goalspec::reward_lints::diagnostics(&library).iter().map(|finding| finding.code.0).collect()
}

/// A lint with a program that has its defect, and one that has not.
type LintCase = (&'static str, String, String);

/// Returns a reward function whose body ends with `body`, followed by other functions.
fn in_function(body: &str, functions: &str) -> String {
    let head = "from ocatari.ram.seaquest import *\n\ndef reward_function(objects):\n    reward = 0.0\n    divers = list(objects)\n";
    format!("{head}{body}    return reward\n{functions}")
}

fn in_body(body: &str) -> String {
    in_function(body, "")
}

/// Returns the cases of the lints of statements.
fn statement_lints() -> Vec<LintCase> {
    vec![
        (
            "reward/changed-while-iterating",
            in_function("    for diver in divers:\n        divers.remove(diver)\n", ""),
            in_function("    for diver in list(divers):\n        divers.remove(diver)\n", ""),
        ),
        (
            "reward/removed-twice",
            in_function(
                "    for a in divers:\n        for b in objects:\n            if a.x < b.x:\n                divers.remove(a)\n",
                "",
            ),
            in_function(
                "    for a in divers:\n        for b in objects:\n            if a.x < b.x:\n                divers.remove(a)\n                break\n",
                "",
            ),
        ),
        (
            "reward/unused-function",
            in_function("", "\ndef near(a, b):\n    return a.x == b.x\n"),
            in_function("    near(objects[0], objects[1])\n", "\ndef near(a, b):\n    return a.x == b.x\n"),
        ),
        (
            "reward/subclasses-excluded",
            in_function("    reward += any(o.category == 'Submarine' for o in objects)\n", ""),
            in_function("    reward += any(o.category == 'SurfaceSubmarine' for o in objects)\n", ""),
        ),
        (
            "reward/unguarded-division",
            in_function("    reward += 1 / len(divers)\n", ""),
            in_function("    reward += 1 / max(len(divers), 1)\n", ""),
        ),
    ]
}

/// Returns the cases of the lints of data flow.
fn data_flow_lints() -> Vec<LintCase> {
    let variables =
        |count: usize| (0..count).map(|number| format!("    v{number} = len(divers)\n")).collect::<String>();
    let search = "    player = next((o for o in objects if isinstance(o, Player)), None)\n";
    vec![
        (
            "reward/possibly-none",
            in_body(&format!("{search}    reward += player.x\n")),
            in_body(&format!("{search}    if player is not None:\n        reward += player.x\n")),
        ),
        (
            "reward/possibly-unbound",
            in_body("    if divers:\n        bonus = 1.0\n    reward += bonus\n"),
            in_body("    if divers:\n        bonus = 1.0\n    else:\n        bonus = 0.0\n    reward += bonus\n"),
        ),
        (
            "reward/unknown-attribute",
            in_body("    for o in objects:\n        reward += o.position\n"),
            in_body("    for o in objects:\n        reward += o.x\n"),
        ),
        (
            "reward/unknown-class",
            in_body("    reward += sum(1 for o in objects if o.category == 'diver')\n"),
            in_body("    reward += sum(1 for o in objects if o.category == 'Diver')\n"),
        ),
        (
            "reward/wrong-operands",
            in_body("    if objects[0].xy - objects[1].xy:\n        reward += 1\n"),
            in_body("    if objects[0].xy + objects[1].xy:\n        reward += 1\n"),
        ),
        (
            "reward/constant-comparison",
            in_body("    if objects[0] == 'Diver':\n        reward += 1\n"),
            in_body("    if objects[0] == objects[1]:\n        reward += 1\n"),
        ),
        (
            "reward/unreachable",
            in_body(
                "    for o in objects:\n        if isinstance(o, Diver):\n            reward += 1\n        elif isinstance(o, Diver):\n            reward += 2\n",
            ),
            in_body(
                "    for o in objects:\n        if isinstance(o, Diver):\n            reward += 1\n        elif isinstance(o, Shark):\n            reward += 2\n",
            ),
        ),
        (
            "reward/component-unused",
            in_body("    bonus = 0.5 if divers else 0.0\n"),
            in_body("    bonus = 0.5 if divers else 0.0\n    reward += bonus\n"),
        ),
        (
            "reward/out-of-range",
            in_body("    if not divers:\n        # The reward is within [-1, 1].\n        return -2.0\n"),
            in_body("    if not divers:\n        # The reward is within [-1, 1].\n        return -1.0\n"),
        ),
        (
            "reward/numpy-accuracy",
            in_body("    import numpy as np\n    reward += np.log(len(divers) + 1)\n"),
            in_body("    import numpy as np\n    reward += np.abs(len(divers) - 1)\n"),
        ),
        (
            "reward/changes-objects",
            in_body("    for o in objects:\n        o.x = 0\n"),
            in_body("    for o in objects:\n        o.seen = True\n"),
        ),
        ("reward/analysis-limit", in_body(&variables(1500)), in_body(&variables(10))),
    ]
}

#[test]
fn lints_report_their_defect_and_nothing_else() {
    let cases = [statement_lints(), data_flow_lints()].concat();
    let count = cases.len();
    for (code, present, absent) in cases {
        assert!(lints(&present).contains(&code), "{code}: {present}");
        assert!(!lints(&absent).contains(&code), "{code}: {absent}");
    }
    // Recordings tell of dead thresholds and of exceptions; unclamped rewards matter only to programs that a model writes.
    assert_eq!(cases_of_lints(), count + 3, "every lint has its case above");
}

/// The number of lints; they are declared after the errors that prevent programs from running.
fn cases_of_lints() -> usize {
    let codes = goalspec_reward::codes::ALL.iter();
    codes.skip_while(|code| code.code.0 != "reward/changed-while-iterating").count()
}

#[test]
fn lints_of_a_program_without_a_world() {
    let unused = "def near(a):\n    return a\n";
    let preferred = format!("def reward_function(objects):\n    return 1 / len(objects)\n\n{unused}");
    assert_eq!(lints(&preferred), ["reward/unguarded-division", "reward/unused-function"]);
    // Nobody knows yet which one is called.
    assert_eq!(lints(&preferred.replace("reward_function", "bonus")), ["reward/unguarded-division"]);
}

#[test]
fn modules_and_entries_are_looked_for() {
    let text = "from ocatari.ram.pongg import *\n\ndef reward_function(objects):\n    return 0.0\n";
    assert_eq!(found(text, None), ["input/unknown-domain: no world for the game `pongg` | did you mean `pong`?"]);
    let text = "from ocatari.ram.pong import *\n\ndef reward_function(objects, speed):\n    return 0.0\n";
    let no_entry = "reward/entry: unsupported parameter `speed` of `reward_function`";
    assert!(found(text, None)[0].starts_with(no_entry), "{:?}", found(text, None));
    let unknown = "input/unknown-domain: unknown world `atari/pon` | did you mean `atari/pong`?";
    assert_eq!(found("def reward_function(objects):\n    return 0.0\n", Some("atari/pon")), [unknown]);
}

/// A recording of Pong: the ball is at these places, episode by episode.
fn pong(episodes: &[&[i32]]) -> TraceInput {
    let mut text = "{\"format\":\"goalspec-screens-1\",\"game\":\"Pong\",\"hud\":false,\"seed\":1}\n".to_owned();
    let mut frame = 0;
    for (episode, places) in episodes.iter().enumerate() {
        for x in *places {
            let ball = if *x < 0 {
                "[\"NoObject\"]".to_owned()
            } else {
                format!("[\"Ball\",{x},100,2,4,{x},100,0,1,[0,0,0],null]")
            };
            let paddle = "[\"Player\",140,95,4,15,140,95,0,1,[0,0,0],null]";
            let _ = writeln!(
                text,
                "{{\"t\":{frame},\"ep\":{episode},\"a\":null,\"r\":1.0,\"term\":false,\"trunc\":false,\"objs\":[{paddle},{ball}]}}"
            );
            frame += 1;
        }
    }
    TraceInput::Bytes("pong.jsonl".into(), text.into_bytes().into())
}

#[test]
fn state_is_that_of_an_episode_and_failures_are_counted() {
    let text = "seen = []\n\ndef reward_function(objects):\n    ball = next(o for o in objects if o.category == 'Ball')\n    seen.append(ball.x)\n    return len(seen) + 0.5\n";
    let library = library(text, None);
    let programs = library.reward_programs();
    let input = pong(&[&[10, 20, -1, 30], &[-1, 40]]);
    let result = score(&programs, &[], &input, &ScoreOptions { keep_frames: true, ..ScoreOptions::default() }, &|_| ());
    assert_eq!(result.diagnostics, []);
    let [outcome] = &result.outcomes[..] else { panic!("one program, one outcome") };
    let rewards: Vec<Result<f64, usize>> = outcome.frame_results.iter().map(|step| step.reward).collect();
    assert_eq!(rewards, [Ok(1.5), Ok(2.5), Err(0), Ok(3.5), Err(0), Ok(1.5)]);
    let [failure] = &outcome.failures[..] else { panic!("one failure") };
    assert_eq!((&*failure.kind, &*failure.message, failure.line), ("StopIteration", "", Some(4)));
    assert_eq!((failure.first_frame, failure.frames), (2, 2));
    let totals: Vec<(u64, f64)> =
        outcome.episodes.iter().map(|episode| (episode.rewarded_frames, episode.total)).collect();
    assert_eq!(totals, [(3, 7.5), (1, 1.5)]);
    assert_eq!((outcome.total(), outcome.score(), outcome.frames()), (9.0, Some(6.0), 6));
}

#[test]
fn non_numbers_and_failed_starts_are_reported() {
    let input = pong(&[&[10]]);
    let run = |text: &str| {
        let library = library(text, None);
        let programs = library.reward_programs();
        score(&programs, &[], &input, &ScoreOptions::default(), &|_| ())
    };
    let outcome = &run("def reward_function(objects):\n    return None\n").outcomes[0];
    assert_eq!((&*outcome.failures[0].kind, &*outcome.failures[0].message), ("no reward", "the result is None"));
    let broken = run("x = 1 / 0\n\ndef reward_function(objects):\n    return x\n");
    assert!(broken.outcomes.is_empty());
    let message = "cannot run `reward.py`: its top level ends with ZeroDivisionError: division by zero, in line 1";
    assert_eq!(broken.diagnostics[0].message, message);
    let other = run("from ocatari.ram.freeway import *\n\ndef reward_function(objects):\n    return 0\n");
    assert_eq!(
        other.diagnostics[0].message,
        "the world of `pong.jsonl` is `atari/pong`, but that of `reward.py` is `atari/freeway`"
    );
}

#[test]
fn programs_with_errors_are_not_compiled() {
    let mut sources = Sources::new();
    let source = sources.add("reward.py", "def reward_function(objects:\n");
    let (program, diagnostics) = RewardProgram::read(sources.file(source), None, None);
    assert!(diagnostics.iter().any(Diagnostic::is_error));
    let world = RewardWorld::Screen(screen_worlds::all().first().expect("there are games"));
    let error = CompiledReward::new(&"reward.py".into(), &program, &world, Engine::Fast).unwrap_err();
    assert_eq!(error.message, "cannot run `reward.py`: it has errors");
}

/// The ball touches the paddle, then moves away from it to the left.
const RALLY: &str = "(define (game returns) (:domain atari/pong)
  (:constraints (and (forall (?b - ball ?p - player) (preference returned
    (then (once (touch ?p ?b)) (hold (not (touch ?p ?b))) (once (right_of ?p ?b)))))))
  (:scoring (count returned)))";

#[test]
fn programs_of_the_game_language_are_scored_over_screens() {
    let mut library = Library::new();
    library.add_program("rally.game", RALLY);
    let errors: Vec<&Diagnostic> = library.diagnostics().iter().filter(|finding| finding.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let programs: Vec<&Program> = library.programs().iter().collect();
    let input = pong(&[&[100, 139, 120, 100, -1, 139, 110, 90], &[100, 120, 139]]);
    let parts = split_episodes(&input).unwrap().expect("there are two");
    let scores: Vec<f64> = parts
        .iter()
        .map(|part| {
            let result = scoring::score(&programs, part, &scoring::ScoringOptions::default(), &|_| ());
            assert_eq!(result.diagnostics, []);
            assert_eq!(result.outcomes[0].trace, Arc::from(part.name()));
            *result.outcomes[0].report.score().as_ref().unwrap()
        })
        .collect();
    assert_eq!(scores, [2.0, 0.0]);
}
