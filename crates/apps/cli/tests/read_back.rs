//! Commands read back their own output of any length: programs, traces, plans, worlds and recordings of games, plain and compressed.

use std::io::{BufWriter, Write};

use crate::common::{self, Folder};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

const BERRIES: &str = "examples/rgg/berries.yaml";
const GAME: &str = "examples/game/throw-to-bin.game";
const PLAY: &str = "examples/game/play.jsonl";

/// The former maximum file size of a recording of games, before recordings were read line by line.
const OLD_LIMIT: usize = 64 << 20;

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Runs a command that must succeed; returns its output.
fn right(folder: &Folder, command: &str) -> String {
    let done = folder.run(command);
    assert_eq!(done.code, Some(0), "{command}: {}", done.all());
    done.out
}

/// Commands that write files, each with commands that read them. Standard output goes to the file `out`.
const WRITTEN: &[(&str, &[&str])] = &[
    (
        "trace convert examples/game/play.jsonl -o t.jsonl",
        &[
            "trace info t.jsonl",
            "check examples/game/throw-to-bin.game t.jsonl",
            "trace convert t.jsonl -o t2.jsonl.gz",
        ],
    ),
    (
        "trace convert examples/game/play.jsonl -o t.jsonl.gz",
        &["trace info t.jsonl.gz", "score examples/game/throw-to-bin.game t.jsonl.gz"],
    ),
    (
        "trace convert examples/game/play.jsonl -o t.jsonl.zst",
        &["trace info t.jsonl.zst", "score examples/game/throw-to-bin.game t.jsonl.zst"],
    ),
    ("trace convert examples/game/play.jsonl -o -", &["trace info out", "score examples/game/throw-to-bin.game out"]),
    ("trace head -n 20 examples/game/play.jsonl", &["trace info out", "score examples/game/throw-to-bin.game out"]),
    (
        "trace record --game pong examples/reward/pong.hex -o p.jsonl.gz",
        &["trace info p.jsonl.gz", "score examples/reward/rally.py p.jsonl.gz", "trace convert p.jsonl.gz -o p2.jsonl"],
    ),
    (
        "trace record --game pong examples/reward/pong.hex",
        &["trace info out", "score examples/reward/rally.py out", "check examples/reward/rally.py out"],
    ),
    (
        "simulate --games 3 --trace g.jsonl examples/rgg/berries.yaml",
        &[
            "replay examples/rgg/berries.yaml g.jsonl",
            "trace diff g.jsonl g.jsonl",
            "check examples/rgg/berries.yaml g.jsonl",
            "check examples/rgg/foraging.game examples/rgg/berries.yaml g.jsonl",
            "score examples/rgg/foraging.game examples/rgg/berries.yaml g.jsonl",
        ],
    ),
    (
        "simulate --games 3 --trace g.jsonl.gz examples/rgg/berries.yaml",
        &[
            "replay examples/rgg/berries.yaml g.jsonl.gz",
            "trace diff g.jsonl.gz g.jsonl.gz",
            "check examples/rgg/berries.yaml g.jsonl.gz",
            "score examples/rgg/foraging.game examples/rgg/berries.yaml g.jsonl.gz",
        ],
    ),
    (
        "simulate --games 3 --trace g.jsonl.zst examples/rgg/berries.yaml",
        &[
            "replay examples/rgg/berries.yaml g.jsonl.zst",
            "score examples/rgg/foraging.game examples/rgg/berries.yaml g.jsonl.zst",
        ],
    ),
    (
        "plan --trace run.jsonl examples/pddl/delivery/one_van.pddl",
        &[
            "validate examples/pddl/delivery/one_van.pddl out",
            "trace info --world examples/pddl/delivery/one_van.pddl run.jsonl",
            "trace convert --world examples/pddl/delivery/one_van.pddl run.jsonl -o run.parquet",
            "trace info --world examples/pddl/delivery/one_van.pddl run.parquet",
        ],
    ),
    (
        "trace convert examples/game/play.jsonl -o t.parquet",
        &[
            "trace info t.parquet",
            "score examples/game/throw-to-bin.game t.parquet",
            "trace convert t.parquet -o t.jsonl",
        ],
    ),
    (
        "trace convert --world examples/reward/landing/landing.world.toml examples/reward/landing/flight.jsonl -o f.parquet",
        &["score examples/reward/landing f.parquet"],
    ),
    (
        "analyse --best climber --save-policy best.json examples/rgg/climb.yaml",
        &[
            "simulate --games 2 --policy table:best.json --trace g.jsonl examples/rgg/climb.yaml",
            "replay examples/rgg/climb.yaml g.jsonl",
        ],
    ),
    (
        "play --trace p.jsonl examples/rgg/berries.yaml",
        &[
            "replay examples/rgg/berries.yaml p.jsonl",
            "score examples/rgg/foraging.game examples/rgg/berries.yaml p.jsonl",
        ],
    ),
    ("new --from landing mine", &["check mine", "fmt --check mine"]),
    ("export examples/bddl/watering_the_garden.bddl", &["check out.pddl", "describe out.pddl", "plan out.pddl"]),
    (
        "export examples/bddl/watering_the_garden.bddl --output exported",
        &["check exported/domain.pddl exported/problem.pddl", "describe exported/domain.pddl exported/problem.pddl"],
    ),
    (
        "fmt examples/game/tower.game examples/rgg/climb.yaml",
        &["fmt --check examples/game/tower.game examples/rgg/climb.yaml"],
    ),
];

#[test]
fn everything_that_is_written_is_read() {
    for (writes, reads) in WRITTEN {
        let folder = Folder::new();
        // The player passes until the game is over.
        let printed = folder.run_with(writes, "nothing\n".repeat(100).as_bytes());
        assert_eq!(printed.code, Some(0), "{writes}: {}", printed.all());
        folder.write("out", &printed.out);
        folder.write("out.pddl", &printed.out);
        for command in *reads {
            let done = folder.run(command);
            let solved = matches!(done.code, Some(0)) || command.starts_with("plan ") && !done.err.contains("error[");
            assert!(solved, "{writes}: {command}: {:?} {}", done.code, done.all());
        }
    }
}

/// Commands that read `FILE`, which may be standard input.
const PIPED: &[(&str, &str)] = &[
    ("replay examples/rgg/berries.yaml FILE", "turns.jsonl"),
    ("score --format csv examples/rgg/foraging.game examples/rgg/berries.yaml FILE", "turns.jsonl"),
    ("score --format csv examples/game/throw-to-bin.game examples/rgg/berries.yaml FILE", PLAY),
    ("score --format csv examples/game/throw-to-bin.game FILE", PLAY),
    ("score --format csv examples/reward/rally.py FILE", "pong.jsonl"),
    ("score --why examples/game/throw-to-bin.game examples/rgg/berries.yaml FILE", PLAY),
    ("trace info FILE", PLAY),
    ("trace head -n 20 FILE", PLAY),
    ("trace convert FILE -o -", PLAY),
];

#[test]
fn files_and_standard_input_are_read_alike() {
    let folder = Folder::new();
    right(&folder, &format!("simulate --games 3 --trace turns.jsonl {BERRIES}"));
    folder.write("pong.jsonl", right(&folder, "trace record --game pong examples/reward/pong.hex"));
    for (command, file) in PIPED {
        let expected = right(&folder, &command.replace("FILE", file));
        let piped = folder.run_with(&command.replace("FILE", "-"), folder.read(file).as_bytes());
        assert_eq!(piped.code, Some(0), "{command}: {}", piped.all());
        let named = |name: &str| expected.replace(file, name);
        assert!(piped.out == named("-") || piped.out == named("<stdin>"), "{command}: {}\n{expected}", piped.out);
    }
    // A pipe is read once as well, where supported.
    #[cfg(unix)]
    {
        let expected = right(&folder, &format!("replay {BERRIES} turns.jsonl"));
        let shell = format!("cat turns.jsonl | {} replay {BERRIES} /dev/stdin", common::GOALSPEC);
        let piped = common::finish(folder.command("sh").args(["-c", &shell]), b"");
        assert_eq!(piped.out, expected.replace("turns.jsonl", "/dev/stdin"), "{}", piped.err);
    }
}

/// Recordings written to standard output are those written to a file, and nothing else is in them.
#[test]
fn recordings_are_written_to_standard_output() {
    let folder = Folder::new();
    let simulate = format!("simulate --games 3 --seed 4 {BERRIES}");
    let report = right(&folder, &format!("{simulate} --trace turns.jsonl"));
    for rest in ["", "--output -", "--format json", "--format csv"] {
        let done = folder.run(&format!("{simulate} --trace - {rest}"));
        if rest == "--output -" {
            assert_eq!(done.code, Some(2), "two results have one stream: {}", done.all());
            continue;
        }
        assert_eq!((done.code, &done.out), (Some(0), &folder.read("turns.jsonl")), "{rest}: {}", done.err);
        assert!(!rest.is_empty() || done.err.contains(report.trim_end()), "{}", done.err);
    }
    assert_eq!(right(&folder, &format!("{simulate} --output -")), right(&folder, &simulate));
    let played = folder.run(&format!("play --seed 4 --trace - {BERRIES}"));
    assert_eq!(played.code, Some(2), "{}", played.all());
    assert!(played.err.contains("the game is shown on standard output"), "{}", played.err);
    assert!(!folder.path("-").exists());
}

#[test]
fn reports_are_valid_json_and_csv() {
    let folder = Folder::new();
    for command in [
        &*format!("score {GAME} {PLAY} --format json"),
        &format!("simulate --games 3 --format json {BERRIES}"),
        &format!("trace info --format json {PLAY}"),
        &format!("check --format json {GAME}"),
        "check --format sarif examples/game/faulty.game",
        "explain --schema rgg",
        "audit --format json examples/reward/landing",
        "analyse --format json examples/rgg/climb.yaml",
        "plan --format json examples/pddl/delivery/one_van.pddl",
        "options --format json examples/bddl/game_night.bddl",
    ] {
        let done = folder.run(command);
        assert!(serde_json::from_str::<Value>(&done.out).is_ok(), "{command}: {}", done.all());
    }
    for command in [
        &*format!("score {GAME} {PLAY} --format jsonl"),
        &format!("simulate --games 3 --format jsonl {BERRIES}"),
        "options --format jsonl examples/bddl/game_night.bddl",
    ] {
        let done = folder.run(command);
        assert!(
            !done.out.is_empty() && done.out.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()),
            "{command}"
        );
    }
    for command in [format!("score {GAME} {PLAY} --format csv"), format!("simulate --games 3 --format csv {BERRIES}")] {
        let out = right(&folder, &command);
        let columns = out.lines().next().map_or(0, |line| line.split(',').count());
        assert!(columns > 3 && out.lines().all(|line| line.split(',').count() == columns), "{command}: {out}");
    }
}

#[test]
fn recordings_of_games_of_twice_the_old_limit_are_read_plain_and_packed() {
    let folder = Folder::new();
    right(&folder, &format!("simulate --games 2 --trace short.jsonl {BERRIES}"));
    let short = folder.read("short.jsonl");
    let expected = right(&folder, &format!("score examples/rgg/foraging.game {BERRIES} short.jsonl --format csv"));
    // Blanks between JSON values are insignificant.
    let padding = " ".repeat(2 * OLD_LIMIT / short.lines().count() + 1);
    for name in ["long.jsonl", "long.jsonl.gz"] {
        let file = BufWriter::new(std::fs::File::create(folder.path(name)).unwrap());
        let mut out: Box<dyn Write> = match name {
            "long.jsonl" => Box::new(file),
            _ => Box::new(GzEncoder::new(file, Compression::fast())),
        };
        for line in short.lines() {
            let (start, rest) = line.split_at(line.len() - 1);
            writeln!(out, "{start}{padding}{rest}").unwrap();
        }
    }
    assert!(folder.path("long.jsonl").metadata().unwrap().len() as usize > 2 * OLD_LIMIT);
    for name in ["long.jsonl", "long.jsonl.gz"] {
        assert_eq!(
            right(&folder, &format!("replay {BERRIES} {name}")),
            format!(
                "berries: documented, seed 0, random, goalspec {}\n{name}: 40 turns replayed as recorded\n",
                env!("CARGO_PKG_VERSION")
            )
        );
        assert_eq!(right(&folder, &format!("trace diff short.jsonl {name}")), "no differences\n");
        let scored = right(&folder, &format!("score examples/rgg/foraging.game {BERRIES} {name} --format csv"));
        assert_eq!(scored, expected.replace("short.jsonl", name));
    }
}

/// Commands on an erroneous file, each with the expected message.
const WRONG: &[(&str, &str)] = &[
    ("check examples/rgg/foraging.game other.yaml turns.jsonl", "the recorded game `berries` is not among the paths"),
    ("check examples/rgg/berries.yaml cut.jsonl", "the recording ends during a game"),
    ("check mixed", "the recording ends during a game"),
    ("score examples/rgg/foraging.game examples/rgg/berries.yaml cut.jsonl", "the recording ends during a game"),
    ("replay examples/rgg/berries.yaml cut.jsonl", "the recording ends during a game"),
    ("trace diff empty.jsonl empty.jsonl", "line 1: no game in the recording"),
    ("trace diff turns.jsonl empty.jsonl", "line 1: no game in the recording"),
    ("trace diff examples/game/play.jsonl examples/game/play.jsonl", "line 1: no game in the recording"),
    ("trace diff words.jsonl words.jsonl", "line 1: expected"),
    ("trace diff more.jsonl more.jsonl", "expected"),
];

#[test]
fn invalid_game_recordings_are_reported_without_advice_on_limits() {
    let folder = Folder::new();
    right(&folder, &format!("simulate --games 2 --trace turns.jsonl {BERRIES}"));
    let turns = folder.read("turns.jsonl");
    let cut: Vec<&str> = turns.lines().take(4).collect();
    folder.write("cut.jsonl", cut.join("\n"));
    folder.write("mixed/cut.jsonl", cut.join("\n"));
    folder.write("mixed/berries.yaml", folder.read(BERRIES));
    folder.write("other.yaml", folder.read("examples/rgg/climb.yaml"));
    folder.write("empty.jsonl", "");
    folder.write("words.jsonl", "words\n");
    folder.write("more.jsonl", format!("{turns}words\n"));
    for (command, message) in WRONG {
        let done = folder.run(command);
        assert_eq!(done.code, Some(1), "{command}: {}", done.all());
        assert!(done.all().contains(message), "{command}: {}", done.all());
        assert!(!done.all().contains("limit"), "{command}: {}", done.all());
    }
    let packed_too = right(&folder, "check mixed/berries.yaml turns.jsonl");
    assert!(packed_too.contains("1 trace checked"), "{packed_too}");
}

#[test]
fn programs_worlds_and_knowledge_may_be_packed() {
    let folder = Folder::new();
    let pack = |name: &str| {
        let bytes = std::fs::read(folder.path(name)).unwrap();
        let name = name.rsplit('/').next().unwrap();
        folder.write(&format!("{name}.gz"), packed(&bytes));
        let text = String::from_utf8(bytes).unwrap();
        goalspec::files::write_text(&folder.path(&format!("{name}.zst")), &text).unwrap();
        assert!(std::fs::read(folder.path(&format!("{name}.zst"))).unwrap().starts_with(&[0x28, 0xb5, 0x2f, 0xfd]));
    };
    for name in [
        GAME,
        BERRIES,
        "examples/reward/rally.py",
        "examples/bddl/game_night.bddl",
        "examples/worlds/kitchen.world.toml",
        "examples/worlds/make-tea.game",
        "examples/pddl/delivery/domain.pddl",
        "examples/pddl/delivery/one_van.pddl",
    ] {
        pack(name);
    }
    for packed in ["throw-to-bin.game.gz", "throw-to-bin.game.zst"] {
        assert_eq!(
            right(&folder, &format!("score {packed} {PLAY} --format csv")),
            right(&folder, &format!("score {GAME} {PLAY} --format csv")).replace(GAME, packed),
        );
    }
    for command in [
        "check throw-to-bin.game.gz",
        "check berries.yaml.gz",
        "check rally.py.gz",
        "check game_night.bddl.gz",
        "check kitchen.world.toml.gz make-tea.game.gz",
        "score kitchen.world.toml.gz make-tea.game.gz examples/worlds/make-tea.jsonl",
        "simulate --games 1 berries.yaml.gz",
        "plan domain.pddl.gz one_van.pddl.gz",
    ] {
        right(&folder, command);
        right(&folder, &command.replace(".gz", ".zst"));
    }
    // Compressed files in a folder are found as well, and formatted files stay compressed.
    folder.write("mixed/a.game.gz", packed(b"(define (game a) (:domain few-objects-room-v1)\n(:scoring 0))"));
    right(&folder, "fmt mixed");
    assert!(std::fs::read(folder.path("mixed/a.game.gz")).unwrap().starts_with(&[0x1f, 0x8b]));
    assert_eq!(folder.run("fmt --check mixed").code, Some(0));
    // Compressed or not, lists of tasks and other texts are not programs; extensions may be in upper case.
    for name in ["lists/tasks_info.txt.gz", "lists/TASKS.TXT.GZ"] {
        folder.write(name, packed(b"pour water\nturn on the stove\n"));
    }
    folder.write("lists/A.GAME.GZ", packed(folder.read(GAME).as_bytes()));
    assert!(right(&folder, "check lists").contains("1 program checked"), "{}", folder.run("check lists").all());
    folder.write("BERRIES.YAML.GZ", packed(folder.read(BERRIES).as_bytes()));
    right(&folder, "simulate --games 1 --trace TURNS.JSONL.GZ BERRIES.YAML.GZ");
    assert!(std::fs::read(folder.path("TURNS.JSONL.GZ")).unwrap().starts_with(&[0x1f, 0x8b]));
    right(&folder, "replay BERRIES.YAML.GZ TURNS.JSONL.GZ");
    // The files of a knowledge base may be compressed as well.
    let tree =
        r#"{"name": "entity.n.01", "children": [{"name": "agent.n.01", "categories": ["agent"], "abilities": {}}]}"#;
    folder.write("plain/hierarchy_owned.json", tree);
    folder.write("packed/hierarchy_owned.json.gz", packed(tree.as_bytes()));
    let with = |knowledge: &str| folder.run(&format!("check --knowledge {knowledge} examples/bddl/game_night.bddl"));
    let (plain, packed_too) = (with("plain"), with("packed"));
    assert_eq!((packed_too.code, packed_too.out), (plain.code, plain.out.clone()));
    assert!(!plain.out.contains("knowledge-unreadable") && plain.out != with("nothing").out, "{}", plain.out);
    // A truncated file is reported.
    folder.write("cut.game.gz", &packed(folder.read(GAME).as_bytes())[..40]);
    let cut = folder.run("check cut.game.gz");
    assert_eq!(cut.code, Some(1));
    assert!(cut.all().contains("cut.game.gz"), "{}", cut.all());
}
