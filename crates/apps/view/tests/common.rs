//! A viewer of small inputs, shared by the tests.

use std::fs;
use std::path::{Path, PathBuf};

use goalspec::files::discover;
use goalspec::library::LibraryOptions;
use goalspec::rewards::score::ScoreOptions;
use goalspec::scoring::ScoringOptions;
use goalspec_view::Session;

/// Returns an example of the repository.
pub(crate) fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples").join(name)
}

/// Returns the viewer of the files at these paths.
pub(crate) fn session(paths: &[PathBuf]) -> Session {
    let (inputs, diagnostics) = discover(paths, &|| ());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    Session::new(inputs, LibraryOptions::default(), ScoringOptions::default(), ScoreOptions::default(), 50)
}

/// Returns the viewer of the example of a game.
pub(crate) fn throwing() -> Session {
    session(&[example("game/throw-to-bin.game"), example("game/play.jsonl")])
}

/// Returns the viewer of a game whose names, messages and file names contain markup.
pub(crate) fn markup(folder: &Path) -> Session {
    let game = fs::read_to_string(example("game/throw-to-bin.game")).unwrap();
    let program = folder.join("<img src=x onerror=alert(1)>.game");
    fs::write(&program, game.replace("(agent_holds ?d)", "(agent_holds ?\"><script>alert(1)</script>)")).unwrap();
    let trace = folder.join("a&b<b>.jsonl");
    fs::copy(example("game/play.jsonl"), &trace).unwrap();
    session(&[program, trace])
}

/// Returns the viewer of the example of a reward function over a recording of screens, which is written to a folder.
pub(crate) fn rally(folder: &Path) -> Session {
    let episodes = fs::read_to_string(example("reward/pong.hex")).unwrap();
    let mut lines = vec!["{\"format\":\"goalspec-screens-1\",\"game\":\"Pong\",\"hud\":false,\"action_meanings\":[\"NOOP\",\"FIRE\",\"RIGHT\",\"LEFT\"]}".to_owned()];
    let mut episode: i64 = -1;
    for (frame, line) in episodes.lines().enumerate() {
        let [action, reward, ram] = match line.split(' ').collect::<Vec<_>>()[..] {
            [action, reward, ram] => [action, reward, ram],
            [_, ram] => ["null", "0", ram],
            _ => panic!("a line without a RAM: {line}"),
        };
        episode += i64::from(action == "null");
        lines.push(format!(
            "{{\"t\":{frame},\"ep\":{episode},\"a\":{action},\"r\":{reward},\"term\":false,\"trunc\":false,\"ram\":\"{ram}\"}}"
        ));
    }
    let recording = folder.join("pong.jsonl");
    fs::write(&recording, lines.join("\n")).unwrap();
    session(&[example("reward/rally.py"), recording])
}

/// Returns the viewer of the example of a reward function over the states of a world.
pub(crate) fn landing() -> Session {
    session(&[
        example("reward/landing/land.py"),
        example("reward/landing/flight.jsonl"),
        example("reward/landing/landing.world.toml"),
    ])
}

/// Returns the viewer of the example of a plan.
pub(crate) fn delivery() -> Session {
    session(&["domain.pddl", "one_van.pddl", "one_van.plan"].map(|name| example("pddl/delivery").join(name)))
}
