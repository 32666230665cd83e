//! Shards of a collection: together they are the scores of one process, and a killed one is run again.

use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use goalspec::table::read_parquet_metadata;
use goalspec::trace::{LineDecoder, ParquetWriter, TraceWriter};

use crate::common::{Done, Folder, GOALSPEC};

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
