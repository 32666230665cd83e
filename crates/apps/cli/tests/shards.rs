//! Shards of a collection: together they are the scores of one process, and a killed one is run again.

use std::fmt::Write as _;
use std::fs::File;
use std::process::Stdio;
use std::time::Duration;

use parquet::file::reader::{FileReader, SerializedFileReader};

use crate::common::{Folder, GOALSPEC};

const WORLD: &str = r#"
name = "tank"
[types]
tank = {}
[objects]
tank = { type = "tank", name = "tank" }
[attributes]
level = { kind = "real", of = "tank", required = true }
[functions]
level = { parameters = "?t - tank", attribute = "level" }
"#;

const FILL: &str = "
(define (game fill) (:domain tank)
    (:constraints (preference filled (exists (?t - tank) (then (once (< (level ?t) 1)) (once (>= (level ?t) 1))))))
    (:scoring (count filled)))
";

const HEADER: &str = r#"{"format":"goalspec-trace","version":1,"world":"tank"}"#;

/// A trace that fills the tank a number of times.
fn trace(fillings: usize) -> String {
    let mut text = format!("{HEADER}\n");
    for _ in 0..fillings {
        for level in [0, 2] {
            let _ = writeln!(text, "{{\"set\":{{\"tank\":{{\"level\":{level}}}}}}}");
        }
    }
    text
}

/// A folder with a program and `count` traces, of which number `k` fills the tank `k % 5 + 1` times.
fn collection(count: usize) -> Folder {
    let folder = Folder::new();
    folder.write("tank.world.toml", WORLD);
    folder.write("fill.game", FILL);
    for number in 0..count {
        folder.write(&format!("traces/{number:03}.jsonl"), trace(number % 5 + 1));
    }
    folder
}

/// The command for a shard of the collection.
fn shard(number: usize, count: usize) -> String {
    format!("score --shard {number}/{count} -o part-{{i}}.parquet fill.game tank.world.toml traces")
}

/// Returns the rows of a Parquet file as texts.
fn rows(folder: &Folder, name: &str) -> Vec<String> {
    let reader = SerializedFileReader::new(File::open(folder.path(name)).unwrap()).unwrap();
    reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect()
}

/// Returns the names of the files that begin with `part`.
fn parts(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path("")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.starts_with("part"));
    names.sort();
    names
}

#[test]
fn all_shards_together_are_the_rows_of_one_process() {
    let folder = collection(23);
    folder.write("traces/damaged.jsonl", format!("{HEADER}\n{{\"set\":1}}\n"));
    folder.write("traces/zero.jsonl", HEADER);
    let done = folder.run("score --shard 1/1 -o all.parquet fill.game tank.world.toml traces");
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert_eq!(done.err, "shard 1/1: 25 traces, 25 rows, 2 with an error\n");
    let all = rows(&folder, "all.parquet");
    assert_eq!(
        all[3],
        "{trace: \"traces/003.jsonl\", program: \"fill.game\", score: 4.0, score_error: null, states: 8, terminal: null, \
         count_filled: 4, error: null}"
    );
    assert!(all[23].contains("states: null") && all[23].contains("[trace/wrong-type]\"}"), "{}", all[23]);
    assert!(all[24].contains("[trace/empty]\"}"), "{}", all[24]);
    // More shards than traces leave some without rows.
    for count in [2, 7, 30] {
        let folder = Folder::of_copy(&folder);
        let mut found = Vec::new();
        for number in 1..=count {
            let done = folder.run(&format!("{} --jobs {}", shard(number, count), number % 3 + 1));
            assert_eq!(done.code, Some(0), "{}", done.all());
            let width = count.to_string().len();
            let part = rows(&folder, &format!("part-{number:0width$}.parquet"));
            assert!((25 / count..=25 / count + 1).contains(&part.len()), "{number}/{count}: {}", part.len());
            found.extend(part);
        }
        assert_eq!(found, all);
    }
}

#[test]
fn a_finished_shard_is_kept_and_another_file_is_refused() {
    let folder = collection(5);
    folder.write("other.game", FILL.replace("game fill", "game other"));
    let first = shard(1, 2);
    folder.assert_each(&[("score --shard 1/2 -o part-{i}.parquet fill.game tank.world.toml traces", 0, "2 traces")]);
    let written = std::fs::read(folder.path("part-1.parquet")).unwrap();
    let done = folder.run(&first);
    assert_eq!((done.code, &*done.err), (Some(0), "shard 1/2 is finished: `part-1.parquet` is kept\n"));
    for (arguments, reason) in [
        (first.replace("1/2", "2/2").replace("{i}", "1"), "it is shard 1/2"),
        (first.replace("fill.game", "other.game"), "other programs or worlds"),
        (first.replace("traces", "traces/000.jsonl traces/001.jsonl"), "from other traces"),
        (format!("{first} --max-states 7"), "with other options"),
        (format!("{first} --any-world"), "with other options"),
    ] {
        let done = folder.run(&arguments);
        assert_eq!(done.code, Some(2), "{arguments}: {}", done.all());
        assert!(done.err.contains("exists, and is not this shard: ") && done.err.contains(reason), "{}", done.err);
    }
    // Changed programs and traces are others, under the same names.
    folder.write("traces/004.jsonl", trace(9));
    assert!(folder.run(&first).err.contains("from other traces"));
    folder.write("traces/004.jsonl", trace(5));
    assert!(folder.run(&first).err.contains("is kept"));
    folder.write("fill.game", format!("{FILL};"));
    assert!(folder.run(&first).err.contains("other programs"));
    folder.write("fill.game", FILL);
    assert_eq!(std::fs::read(folder.path("part-1.parquet")).unwrap(), written);
    folder.write("part-1.parquet", &written[..written.len() - 1]);
    assert!(folder.run(&first).err.contains("it is not the file of a shard"));
    std::fs::remove_file(folder.path("part-1.parquet")).unwrap();
    assert_eq!(folder.run(&first).code, Some(0));
    assert_eq!(std::fs::read(folder.path("part-1.parquet")).unwrap(), written, "equal commands write equal files");
}

#[test]
fn a_killed_shard_leaves_no_file_and_is_run_again() {
    let folder = collection(3);
    // Long enough to be killed in the middle.
    for number in 3..40 {
        folder.write(&format!("traces/{number:03}.jsonl"), trace(5_000));
    }
    let arguments = shard(1, 1);
    let expected = folder.run(&arguments.replace("part-{i}", "expected"));
    assert_eq!(expected.code, Some(0), "{}", expected.all());
    let mut command = folder.command(GOALSPEC);
    command.args(arguments.split(' ')).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    while parts(&folder).is_empty() {
        assert!(child.try_wait().unwrap().is_none(), "the shard was finished before it was killed");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left = parts(&folder);
    assert!(left.iter().all(|name| name.ends_with(".unfinished")), "{left:?}");
    let again = folder.run(&arguments);
    assert_eq!((again.code, &again.err), (Some(0), &expected.err));
    assert_eq!(rows(&folder, "part-1.parquet"), rows(&folder, "expected.parquet"));
    assert!(folder.run(&arguments).err.contains("is finished"));
}

#[test]
fn wrong_shards_are_refused() {
    let folder = collection(2);
    folder.write("broken.game", "(define (game broken)");
    let data = "fill.game tank.world.toml traces";
    for (arguments, text) in [
        ("--shard 0/3 -o p.parquet", "expected a number from 1 to 3 before the slash, found 0"),
        ("--shard 4/3 -o p.parquet", "expected a number from 1 to 3 before the slash, found 4"),
        ("--shard 1/0 -o p.parquet", "expected at least one shard"),
        ("--shard 3 -o p.parquet", "expected the number of the shard and the number of shards, such as 3/100"),
        ("--shard +1/3 -o p.parquet", "such as 3/100"),
        ("--shard 1/3", "--output"),
        ("--shard 1/3 --why -o p.parquet", "cannot be used with"),
        ("--shard 1/3 --format csv -o p.parquet", "cannot be used with"),
        ("--max-states 3 -o p.json", "--shard"),
        ("--shard 1/3 --max-states 0 -o p.parquet", "0 is not in 1.."),
        ("--shard 1/3 --max-time 0 -o p.parquet", "more than 0 seconds"),
        ("--shard 1/3 -o traces/000.jsonl", "is also an input"),
        ("--shard 1/3 -o none/p.parquet", "cannot write `none/p.parquet`"),
        ("--shard 1/3 -o p.parquet -", "cannot read a trace from the standard input"),
    ] {
        let done = folder.run(&format!("score {data} {arguments}"));
        assert_eq!(done.code, Some(2), "{arguments}: {}", done.all());
        assert!(done.err.contains(text), "{arguments}: {}", done.err);
    }
    let done = folder.run("score --shard 1/1 -o p.parquet broken.game traces");
    assert_eq!(done.code, Some(1), "{}", done.all());
    assert!(!folder.path("p.parquet").exists());
}

#[test]
fn limits_are_errors_of_rows() {
    let folder = collection(5);
    for (option, error) in [
        ("--max-states 8", "the limit of 8 states per trace is exceeded [trace/over-limit]"),
        ("--max-time 0.000000001", "of time per trace is exceeded [trace/over-limit]"),
        ("--budget 10", "exceeds the budget of"),
        ("--max-bindings 1", ""),
    ] {
        let done = folder.run(&format!("{} {option}", shard(1, 1)));
        assert_eq!(done.code, Some(0), "{}", done.all());
        let last = rows(&folder, "part-1.parquet").pop().unwrap();
        assert!(last.contains(error) && last.contains("error: null}") == error.is_empty(), "{option}: {last}");
        std::fs::remove_file(folder.path("part-1.parquet")).unwrap();
    }
}
