//! The exit code and a part of the output of commands on reward functions and their recordings.

use crate::common::{Case, Folder};

/// Returns a frame of Pong, in hexadecimal.
fn ram() -> String {
    "3c".repeat(128)
}

/// Returns a folder with reward functions and scripts that make recordings.
fn rewarding() -> Folder {
    let folder = Folder::new();
    folder.write("two.hex", format!("# RAM\nreset {0}\n1 0.5 {0}\n\nreset {0}\n", ram()));
    folder.write("cut.hex", "reset 3c\n");
    folder.write("action.hex", format!("9 0 {}\n", ram()));
    folder.write("none.hex", "# nothing\n");
    folder.write("short.bin", [60; 130]);
    folder.write("one.bin", [60; 128]);
    folder.write("sum.py", "def reward_function(objects):\n    return float(len(objects))\n");
    folder.write("raises.py", "def reward_function(objects):\n    return objects[9].x\n");
    folder.write("freeway.py", "from ocatari.ram.freeway import *\n\ndef reward_function(objects):\n    return 0.0\n");
    // Recursive functions are left to the interpreter.
    let counts = "seen = []\n\ndef size(n):\n    return 1 + size(n - 1) if n else 0\n\ndef reward_function(objects):\n    seen.append(1)\n    \
                  return float(size(len(seen)))\n";
    folder.write("counts.py", counts);
    folder.write("pong.py", "from ocatari.ram.pong import *\n\ndef reward_function(objects):\n    return 0.0\n");
    folder.write("broken.py", "def reward_function(objects:\n");
    folder.write("divides.py", "def reward_function(objects):\n    return 1.0 / len(objects)\n");
    // The reward varies with the screen, and only the helper has a defect.
    let sound = "def reward_function(objects):\n    return -float(sum(o.dx for o in objects[:2]))\n";
    folder.write("unused.py", format!("{sound}\ndef near(a):\n    return a\n"));
    folder.write(
        "removes.py",
        "def reward_function(objects):\n    left = list(objects)\n    for o in left:\n        left.remove(o)\n    return 0.0\n",
    );
    folder.write("loop.py", "def reward_function(objects):\n    while True:\n        pass\n");
    folder.write("long.hex", format!("{}\n", ram()).repeat(40));
    folder.write("nothing.py", "");
    folder.write(
        "parts.py",
        "def reward_function(objects):\n    near, hit = 0.25, 0.5\n    return near + hit, {'near': near, 'hit': hit}\n",
    );
    folder.write(
        "terms.py",
        "def reward_function(objects):\n    r = 0.0\n    # for being there\n    r += 0.5\n    return r\n",
    );
    folder.write("tool.py", "print('a script, and no reward')\n");
    folder
}

const RECORD: Case = ("trace record --game pong two.hex -o two.jsonl.gz", 0, "recorded 3 frames in 2 episodes");

#[test]
fn recordings_of_frames() {
    let cases: &[Case] = &[
        RECORD,
        ("trace record --game pong --raw one.bin -o one.jsonl", 0, "recorded 1 frame in 1 episode"),
        ("trace record --game pong one.bin", 1, "input/ram"),
        ("trace record --game pong --raw short.bin", 1, "frame 1: incomplete frame: expected 128 bytes, found 2"),
        ("trace record --game pong cut.hex", 1, "line 1: RAM must have 256 hexadecimal digits"),
        ("trace record --game pong action.hex -o action.jsonl", 1, "line 1: unknown action `9`: expected 0 to 5"),
        ("trace info action.jsonl", 1, "input/not-found"),
        ("trace record --game pong none.hex", 1, "no frames"),
        ("trace record --game pong absent.hex", 1, "absent.hex: cannot open the file"),
        ("trace record --game pacman two.hex", 2, "unknown game `pacman`"),
        ("trace record two.hex", 2, "--game"),
        ("trace record --game pong --steps 5 two.hex", 2, "cannot be used with '--steps <N>'"),
        ("trace record --game pong two.hex -o two.parquet", 2, "recordings of screens are JSON Lines"),
        ("trace record --game pong two.hex -o none/two.jsonl", 2, "cannot write `none/two.jsonl`: No such file"),
        ("trace record --game pong two.hex -o two.hex", 2, "the output `two.hex` is also an input"),
        ("trace record --env ALE/Pong-v5 --python no-such-python", 1, "no-such-python -m pip install gymnasium ale-py"),
        ("trace record --env ALE/Pong-v5 --policy constant:6", 1, "error[input/no-such-action]: Pong has no action 6"),
        ("trace record --env ALE/Pong-v5 --policy clever", 2, "expected random, noop or constant:N"),
        ("trace info two.jsonl.gz", 0, "atari/pong"),
        ("trace info two.jsonl.gz", 0, "episodes    2, 0 complete\n  score       0.5"),
    ];
    rewarding().assert_each(cases);
}

#[test]
fn programs_are_checked() {
    let cases: &[Case] = &[
        RECORD,
        ("check sum.py", 0, "1 program checked, no diagnostics"),
        ("check sum.py two.jsonl.gz", 0, "1 program"),
        ("check --world atari/pon sum.py", 1, "did you mean `atari/pong`?"),
        ("check broken.py", 1, "reward/syntax"),
        ("check tool.py", 0, "warning[reward/entry]: no reward function"),
        ("check nothing.py", 0, "warning[reward/entry]"),
        ("check --verdicts sum.py", 2, "--verdicts does not apply to reward functions"),
        ("fmt sum.py", 1, "ruff format sum.py"),
    ];
    rewarding().assert_each(cases);
}

#[test]
fn scores_of_reward_functions() {
    let cases: &[Case] = &[
        RECORD,
        ("score --world atari/pon pong.py two.jsonl.gz", 1, "did you mean `atari/pong`?"),
        ("score --dialect libero sum.py two.jsonl.gz", 2, "--dialect requires an activity"),
        ("score --rgg cage sum.py two.jsonl.gz", 2, "--rgg requires a resource graph game"),
        ("score --format csv raises.py two.jsonl.gz", 1, "raises.py,two.jsonl.gz,atari/pong,0,2,0,,0.5"),
        ("score --format json raises.py two.jsonl.gz", 1, "\"total\": null"),
        ("score nothing.py two.jsonl.gz", 1, "error[reward/entry]"),
        ("score sum.py two.jsonl.gz", 0, "episode 1: reward 3, score 0, 1 frame"),
        ("score sum.py two.jsonl.gz --format csv", 0, "sum.py,two.jsonl.gz,atari/pong,0,2,2,6,0.5"),
        ("score sum.py two.jsonl.gz --per-step --format csv", 0, "sum.py,two.jsonl.gz,atari/pong,1,2,3,0,,"),
        ("score sum.py two.jsonl.gz --format json", 0, "\"total\": 9.0"),
        ("score sum.py two.jsonl.gz --format json", 0, "\"fast\": 3"),
        ("score sum.py two.jsonl.gz --semantics reference", 2, "--semantics applies to games"),
        ("score raises.py two.jsonl.gz", 1, "3 frames, first 0: IndexError: list index out of range (line 2)"),
        ("score freeway.py two.jsonl.gz", 1, "trace/wrong-world"),
        (
            "score sum.py examples/game/throw-to-bin.game two.jsonl.gz examples/game/play.jsonl --format csv",
            2,
            "score them separately",
        ),
        ("score examples/reward/rally.game two.jsonl.gz", 0, "two.jsonl.gz#1"),
    ];
    rewarding().assert_each(cases);
}

#[test]
fn engines_and_explanations_of_reward_functions() {
    let cases: &[Case] = &[
        RECORD,
        ("trace record --game pong long.hex -o long.jsonl", 0, "recorded 40 frames"),
        ("score loop.py long.jsonl", 1, "37 frames, first 0: budget: work limit exceeded (line 2)"),
        (
            "score loop.py long.jsonl",
            1,
            "3 frames, first 37: skipped: the calls of earlier frames exceeded the limit of 36625000 units of work, which `--call-budget` \
             raises",
        ),
        ("score sum.py two.jsonl.gz --format json --engine reference", 0, "\"name\": \"interpreter\""),
        (
            "score counts.py two.jsonl.gz --engine fast",
            0,
            "counts.py over two.jsonl.gz: 3 of 3 frames run by the interpreter",
        ),
        ("score counts.py sum.py two.jsonl.gz --format csv", 0, "counts.py,two.jsonl.gz,atari/pong,0,2,2,3,0.5"),
        (
            "score counts.py --engine reference two.jsonl.gz --format csv",
            0,
            "counts.py,two.jsonl.gz,atari/pong,0,2,2,3,",
        ),
        ("describe pong.py", 0, "Runs entirely on the fast engine."),
        ("describe sum.py two.jsonl.gz", 0, "register machine 100.0 % of the calls, 100.0 % of the time"),
        ("describe --engines counts.py two.jsonl.gz", 0, "counts.py: 3 calls over two.jsonl.gz:\n"),
        ("describe --engines counts.py two.jsonl.gz", 0, "interpreter      100.0 % of the calls, 100.0 % of the time"),
        ("describe --engines counts.py two.jsonl.gz", 0, "\n  3 calls ran on the interpreter: "),
        ("describe --engines=json sum.py two.jsonl.gz", 0, "{\"name\":\"register machine\",\"calls\":3"),
        ("describe --engines sum.py", 2, "--engines requires a reward function and a trace"),
        ("describe --engines examples/game/tower.game examples/game/play.jsonl", 2, "--engines requires a reward"),
        ("describe --engines freeway.py two.jsonl.gz", 1, "trace/wrong-world"),
        ("score sum.py two.jsonl.gz --why=1", 0, "frame 1 of episode 0: reward 3"),
        ("score sum.py two.jsonl.gz --why=7", 1, "no frame 7 in `two.jsonl.gz`"),
        ("score sum.py two.jsonl.gz --why", 2, "specify the frame to explain, as in --why=120"),
    ];
    rewarding().assert_each(cases);
}

#[test]
fn terms_and_components() {
    let cases: &[Case] = &[
        RECORD,
        (
            "score parts.py two.jsonl.gz",
            0,
            "parts.py over two.jsonl.gz: components\n  near          0.75 in 3 frames, 0.25 per frame",
        ),
        ("score --per-step parts.py two.jsonl.gz", 0, "frame 2: 0.75  (near 0.25, hit 0.5)"),
        ("score --format json --per-step parts.py two.jsonl.gz", 0, "\"component_rewards\": {\n      \"near\": ["),
        (
            "score --terms terms.py two.jsonl.gz",
            0,
            "terms.py over two.jsonl.gz: terms\n  L4     for being there           1.5 in 3 frames, 0.5 per frame",
        ),
        ("score --terms --per-step terms.py two.jsonl.gz", 0, "frame 2: 0.5  (L4 0.5)"),
        (
            "score --terms --format csv terms.py two.jsonl.gz",
            0,
            "two.jsonl.gz,atari/pong,L4,for being there,1.5,3,3,0.5,0.5",
        ),
        (
            "score --terms --per-step --format csv terms.py two.jsonl.gz",
            0,
            "two.jsonl.gz,atari/pong,1,2,L4,for being there,0.5",
        ),
        ("score --terms --engine fast terms.py two.jsonl.gz", 2, "cannot be used with"),
        ("score --terms examples/reward/rally.game two.jsonl.gz", 2, "not a reward function: --terms does not apply"),
    ];
    rewarding().assert_each(cases);
}

#[test]
fn checks_of_reward_functions() {
    let cases: &[Case] = &[
        ("check raises.py", 0, "no diagnostics"),
        ("check divides.py", 0, "note[reward/unguarded-division]"),
        ("check --deny-warnings divides.py", 0, "note[reward/unguarded-division]"),
        ("check removes.py", 0, "warning[reward/changed-while-iterating]"),
        ("check --deny-warnings removes.py", 1, "warning[reward/changed-while-iterating]"),
    ];
    rewarding().assert_each(cases);
}

#[test]
fn audits() {
    let cases: &[Case] = &[
        RECORD,
        ("audit sum.py two.jsonl.gz", 0, "sum.py: 3 frames, 1 recording, world atari/pong"),
        ("audit --format html sum.py two.jsonl.gz", 0, "<!DOCTYPE html>"),
        ("audit --format svg sum.py two.jsonl.gz", 2, "invalid value 'svg'"),
        ("audit sum.py", 2, "no recording among the paths"),
        ("audit two.jsonl.gz", 2, "no program among the paths"),
        ("audit examples/game/throw-to-bin.game two.jsonl.gz", 2, "is not a reward function"),
        ("audit -o two.jsonl.gz sum.py two.jsonl.gz", 2, "the output `two.jsonl.gz` is also an input"),
        ("audit --score-column gold sum.py two.jsonl.gz", 1, "frame 0 has no score `gold`"),
        ("audit broken.py two.jsonl.gz", 1, "reward/syntax"),
        ("audit raises.py two.jsonl.gz", 1, "[raises]"),
        ("audit const.py two.jsonl.gz", 0, "the reward is 0.5 in all 3 frames"),
        ("audit sum.py damaged.jsonl", 1, "line 3"),
        ("audit --partial sum.py damaged.jsonl", 0, "warning["),
        ("explain idle-reward", 0, "# audit/idle-reward (error)"),
        ("explain dead-term", 0, "# audit/dead-term (warning)"),
        ("trace record --game pong long.hex -o long.jsonl", 0, "recorded 40 frames"),
        ("audit loop.py long.jsonl", 1, "no reward for 37 of 40 frames: `budget: work limit exceeded` in line 2"),
        ("audit --deny-findings error raises.py two.jsonl.gz", 1, "[raises]"),
        ("audit --deny-findings warning unused.py two.jsonl.gz", 0, "note [unused-function]"),
        ("audit --deny-findings note unused.py two.jsonl.gz", 1, "note [unused-function]"),
        ("audit --deny-findings all sum.py two.jsonl.gz", 2, "invalid value 'all'"),
    ];
    let folder = rewarding();
    folder.write("const.py", "def reward_function(objects):\n    return 0.5\n");
    let frame =
        "{\"t\":0,\"ep\":0,\"a\":null,\"r\":0,\"term\":false,\"trunc\":false,\"objs\":[[\"NoObject\"]],\"rew\":{}}";
    let header = "{\"format\":\"goalspec-screens-1\",\"game\":\"Pong\",\"hud\":false}";
    folder.write("damaged.jsonl", format!("{header}\n{frame}\n{{\"t\":\n"));
    folder.assert_each(cases);
}

#[test]
fn reports_are_not_lost_to_an_audit_that_fails() {
    let folder = rewarding();
    folder.assert_each(&[RECORD, ("audit -o audit.html sum.py two.jsonl.gz", 0, "")]);
    let before = folder.read("audit.html");
    assert!(before.contains("sum.py"), "{before}");
    folder.assert_each(&[
        ("audit -o audit.html sum.py two.jsonl.gz nofile.jsonl", 1, "nofile.jsonl"),
        ("audit -o new.html sum.py nofile.jsonl", 1, "nofile.jsonl"),
    ]);
    assert_eq!(folder.read("audit.html"), before);
    assert!(!folder.path("new.html").exists());
}

#[test]
fn reward_functions_over_any_world() {
    let folder = rewarding();
    let heavy = "def reward_function(state):\n    return state.drone.weight\n";
    folder.write("heavy.py", heavy);
    folder.write("misspelt.py", "from goalspec.world import Dron\n\ndef reward_function(objects):\n    return 0.0\n");
    folder.write("fast.py", heavy.replace("weight", "velocity[1]"));
    folder.write("damaged.world.toml", "name = 3\n");
    let flight = folder.read("examples/reward/landing/flight.jsonl");
    folder.write("flight.jsonl", &flight);
    folder.write("nameless.jsonl", flight.replace(", \"world\": \"landing-v1\"", ""));
    folder.write("land.py", folder.read("examples/reward/landing/land.py"));
    folder.write("landing.world.toml", folder.read("examples/reward/landing/landing.world.toml"));
    let cases: &[Case] = &[
        RECORD,
        ("check land.py --world landing.world.toml", 0, "1 program and 1 world checked, 1 note"),
        ("check land.py landing.world.toml flight.jsonl", 0, "1 program, 1 world and 1 trace checked"),
        ("check land.py --world landing", 1, "unknown world `landing`"),
        ("check land.py --world damaged.world.toml", 1, "error[world/"),
        ("check misspelt.py landing.world.toml", 1, "did you mean `Drone`?"),
        (
            "check heavy.py landing.world.toml",
            1,
            "error[reward/unknown-attribute]: objects of `Drone` have no `weight`",
        ),
        ("check fast.py landing.world.toml", 0, "note[reward/unknown-attribute]: `state.drone` may lack `velocity`"),
        ("score land.py flight.jsonl --world landing.world.toml", 0, "land.py"),
        ("score land.py flight.jsonl landing.world.toml", 0, "land.py"),
        ("score land.py flight.jsonl landing.world.toml --world landing-v1", 0, "land.py"),
        ("score land.py nameless.jsonl landing.world.toml", 0, "land.py"),
        ("score land.py flight.jsonl landing.world.toml --engine fast", 0, "13 of 13 frames run by the interpreter"),
        ("score land.py flight.jsonl landing.world.toml --format json", 0, "\"score\": null"),
        (
            "score land.py flight.jsonl landing.world.toml --per-step --format csv",
            0,
            "land.py,flight.jsonl,landing-v1,0,",
        ),
        ("score land.py flight.jsonl", 1, "`flight.jsonl` is of the world `landing-v1`, which is not built in"),
        ("score land.py nameless.jsonl", 1, "`nameless.jsonl` does not name its world"),
        ("score land.py flight.jsonl --world kitchen", 1, "unknown world `kitchen`"),
        ("score land.py flight.jsonl --world few-objects-room-v1", 1, "error["),
        ("score pong.py flight.jsonl landing.world.toml", 1, "is `landing-v1`, but that of `pong.py` is `atari/pong`"),
        ("score land.py two.jsonl.gz landing.world.toml", 1, "error[trace/wrong-world]"),
        ("score heavy.py flight.jsonl landing.world.toml", 1, "'Drone' object has no attribute 'weight' (line 2)"),
        ("score sum.py examples/game/play.jsonl", 0, "play.jsonl"),
        ("score sum.py examples/bddl/watering.jsonl examples/bddl/watering_the_garden.bddl", 0, "watering.jsonl"),
        ("describe land.py --world landing.world.toml", 0, "LandingPad(Thing): color (object, str or None)"),
        ("describe land.py", 0, "The world is that of the recording"),
        ("describe --world landing.world.toml", 0, "World landing-v1"),
        ("describe --world nowhere.world.toml", 2, "unknown world `nowhere.world.toml`"),
        ("audit land.py flight.jsonl landing.world.toml", 0, "note [no-score]"),
        ("audit land.py flight.jsonl landing.world.toml --score-column points", 0, "score 1 in 13 frames"),
        ("audit land.py flight.jsonl landing.world.toml --score-column point", 1, "did you mean `points`?"),
        ("audit land.py flight.jsonl landing.world.toml two.jsonl.gz", 1, "error[trace/wrong-world]"),
        ("audit land.py flight.jsonl landing.world.toml -o audit.html", 0, ""),
        ("score --why=12 land.py flight.jsonl landing.world.toml", 0, "landed where it should"),
    ];
    folder.assert_each(cases);
}

#[test]
fn failed_writes_keep_the_existing_file() {
    let folder = Folder::new();
    let play = folder.read("examples/game/play.jsonl");
    folder.write("cut.jsonl", &play[..play.len() / 2]);
    folder.write("half.hex", format!("reset {0}\n1 0 {0}\n1 0 3c\n", ram()));
    for command in ["trace convert cut.jsonl kept.jsonl", "trace record --game pong half.hex -o kept.jsonl"] {
        folder.write("kept.jsonl", "as it was");
        let done = folder.run(command);
        assert_eq!((done.code, &*folder.read("kept.jsonl")), (Some(1), "as it was"), "{}", done.all());
    }
}

#[test]
fn packed_recordings_have_the_same_frames() {
    let folder = Folder::new();
    let whole = folder.run("trace record --game pong examples/reward/pong.hex -o whole.jsonl");
    let packed = folder.run("trace record --game pong --packed examples/reward/pong.hex -o packed.jsonl");
    assert_eq!((whole.code, &whole.err), (Some(0), &packed.err), "{}", packed.all());
    let text = folder.read("packed.jsonl");
    assert!(!text.contains("\"objs\"") && text.len() < folder.read("whole.jsonl").len());
    for command in ["score --format json examples/reward/rally.py", "trace info --world atari/pong"] {
        let [whole, packed] = ["whole", "packed"].map(|name| {
            let done = folder.run(&format!("{command} {name}.jsonl"));
            assert_eq!(done.code, Some(0), "{}", done.all());
            done.out.replace(name, "recording")
        });
        assert_eq!(whole, packed, "{command}");
    }
}
