//! The published experiment from its recordings, by commands alone; and tutorials whose servers are on this machine.

use std::io::Read as _;
use std::path::Path;

use serde_json::Value;

use crate::common::{Folder, GOALSPEC, finish};

/// Returns a folder, and the path of the recordings; `None` with a printed note if they are absent.
fn recordings() -> Option<(Folder, String)> {
    let recordings = goalspec_testing::conformance::folder("planning/lot")?;
    Some((Folder::new(), recordings.display().to_string()))
}

fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

/// Runs a command that must succeed. `RECORDINGS` stands for their folder.
fn run(folder: &Folder, recordings: &str, arguments: &str) -> String {
    let mut command = folder.command(GOALSPEC);
    command.args(arguments.split(' ').map(|word| word.replace("RECORDINGS", recordings)));
    let done = finish(&mut command, b"");
    assert_eq!(done.code, Some(0), "goalspec {arguments}\n{}", done.all());
    done.out
}

#[test]
fn prompts_of_the_command_are_the_recorded_ones_byte_for_byte() {
    let Some((folder, recordings)) = recordings() else { return };
    let command = "lot prompts --specs RECORDINGS/cogsci_problems.yaml --order-from RECORDINGS --queries -o written";
    run(&folder, &recordings, command);
    let mut queries = 0;
    for view in ["one", "two", "all"] {
        for name in ["translate", "plan"] {
            let own = folder.read(&format!("written/{name}-{view}.txt"));
            let recorded = std::fs::read_to_string(format!("{recordings}/prompts/{name}-{view}.txt")).unwrap();
            assert_eq!(own, recorded, "{name}-{view}");
            let own = folder.read(&format!("written/{name}-{view}.jsonl"));
            let recorded = unpacked(Path::new(&format!("{recordings}/{name}-{view}.jsonl.gz")));
            assert_eq!(own.lines().count(), recorded.lines().count());
            for (own, recorded) in own.lines().zip(recorded.lines()) {
                let [own, recorded]: [Value; 2] = [own, recorded].map(|line| serde_json::from_str(line).unwrap());
                for (key, text) in own.as_object().unwrap().iter().filter(|(key, _)| *key != "id") {
                    assert_eq!(text, &recorded[key], "{name}-{view} {key}");
                    queries += 1;
                }
            }
        }
    }
    assert_eq!(queries, 900);
}

#[test]
fn recordings_give_the_published_results() {
    let Some((folder, recordings)) = recordings() else { return };
    run(&folder, &recordings, "llm import RECORDINGS --cache recorded");
    let replay = "lot run --specs RECORDINGS/cogsci_problems.yaml --llm replay --cache recorded --order-from RECORDINGS \
                  --rules seed -o published";
    let shown = run(&folder, &recordings, replay);
    for part in [
        "99 of 100 (94.6-99.8)",
        "92 of 100 (85-95.9)",
        "72 of 100 (62.5-79.9)",
        "40 of 100 (30.9-49.8)",
        "19 of 100 (12.5-27.8)",
        "0 of 100 (0-3.7)",
        "16 of 100",
        "2 of 100",
        "9 of 100",
        "5 of 100",
        "59 of 60",
        "76 of 84",
        "71 of 98",
        "3 of 60",
        "4 of 84",
        "0 of 98",
        "40/24/21/14/1",
        "McNemar",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    let own = run(&folder, &recordings, "lot results published --format csv");
    let published = std::fs::read_to_string(format!("{recordings}/results.csv")).unwrap();
    assert_eq!(own.lines().count(), 301);
    for (own, published) in own.lines().zip(published.lines()) {
        assert_eq!(own, published);
    }
    assert_eq!(run(&folder, &recordings, "lot results published --lines").matches("\n  003 ").count(), 1);
    run(&folder, &recordings, "lot results published --format html -o results.html");
    let html = folder.read("results.html");
    assert!(html.contains("<td>99 of 100 (94.6-99.8)</td>") && html.contains("<td>102</td>"), "{html}");
    let report: Value = serde_json::from_str(&run(&folder, &recordings, "llm report published --json")).unwrap();
    let rows: Vec<&Value> = report.as_array().unwrap().iter().filter(|row| row["method"] == "translate").collect();
    let lucky: Vec<u64> = rows.iter().map(|row| row["solved_by_luck"].as_u64().unwrap()).collect();
    assert_eq!((&lucky[..], lucky.iter().sum::<u64>()), (&[31, 3, 1][..], 35));
    for row in rows {
        assert!(row["equivalent"]["hits"].as_u64() >= row["exact"]["hits"].as_u64(), "{row}");
        assert!(row["solved"]["low"].as_f64() < row["solved"]["high"].as_f64(), "{row}");
        assert_eq!((&row["domain"], &row["constrained"]), (&"lot".into(), &false.into()));
    }
}
