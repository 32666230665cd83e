//! `growth CORPUS CASES FIRST FOLDER`: tries CASES cases of growth, from number FIRST, on the files in the folder CORPUS.
//!
//! Programs whose passes take too much work are written to FOLDER. The last line of the output is the number of cases.

#[path = "../hooks.rs"]
mod hooks;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use goalspec::library::Library;
use goalspec_fuzz::growth::passes::Language;
use goalspec_fuzz::growth::{Case, MAX_WORK, counter};

/// The stack size for the passes, in bytes: that of the main thread of the command.
const STACK: usize = 8 << 20;

/// The current case, for the watchdog.
static CURRENT: Mutex<(u64, String)> = Mutex::new((0, String::new()));

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    std::thread::spawn(watch);
    let tried =
        std::thread::Builder::new().stack_size(STACK).spawn(move || run(&arguments)).map(|thread| thread.join());
    match tried {
        Ok(Ok(Ok(line))) => {
            eprintln!("growth: {line}");
            ExitCode::SUCCESS
        }
        Ok(Ok(Err(error))) => {
            eprintln!("growth: {error}");
            ExitCode::FAILURE
        }
        Ok(Err(_)) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("growth: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<String, String> {
    let [corpus, count, first, folder] = arguments else {
        return Err("usage: growth CORPUS CASES FIRST FOLDER".to_owned());
    };
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("`{text}` is not a number"));
    let (count, first) = (number(count)?, number(first)?);
    let programs = programs(corpus.as_ref())?;
    let worlds = worlds(&programs);
    std::fs::create_dir_all(folder).map_err(|error| format!("{folder}: {error}"))?;
    let (mut tried_count, mut found) = (0, BTreeSet::new());
    for number in first..first + count {
        let (file, text) = &programs[number as usize % programs.len()];
        let Some(case) = Case::new(file, text, world_of(text, &worlds), number) else { continue };
        *CURRENT.lock().expect("no thread panics while it holds the lock") =
            (counter::count(), format!("{number}: {case}"));
        // A stack overflow leaves no message of its own.
        let current_file = Path::new(folder).join("running");
        std::fs::write(current_file, format!("{number}: {case}\n")).map_err(|error| error.to_string())?;
        tried_count += 1;
        let Ok(failures) = std::panic::catch_unwind(|| case.failures()) else {
            eprintln!("growth: case {number}, {case}\n  a pass panics");
            found.insert((file.clone(), "a panic"));
            continue;
        };
        for failure in failures {
            eprintln!("growth: case {number}, {case}\n  {failure}");
            let name = format!("{number}-{file}");
            let path = Path::new(folder).join(name);
            if let Some(world) = &failure.world {
                std::fs::write(path.with_extension("world.toml"), world).map_err(|error| error.to_string())?;
            }
            std::fs::write(path, &failure.program).map_err(|error| error.to_string())?;
            found.insert((file.clone(), failure.pass));
        }
    }
    if counter::count() == 0 {
        return Err("nothing is counted: the build lacks the instrumentation of `cargo xtask fuzz`".to_owned());
    }
    let line = format!("{tried_count} cases tried, {} comparisons", counter::count());
    if found.is_empty() { Ok(line) } else { Err(format!("{line}; growing too fast: {found:?}")) }
}

/// Returns the programs of a folder, in order.
fn programs(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let unreadable = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut programs = Vec::new();
    for entry in folder.read_dir().map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let text = std::fs::read_to_string(entry.path()).map_err(unreadable)?;
        programs.push((entry.file_name().to_string_lossy().into_owned(), text));
    }
    programs.sort();
    if programs.is_empty() { Err(format!("{}: no programs", folder.display())) } else { Ok(programs) }
}

/// Returns the names and texts of the worlds among the programs.
fn worlds(programs: &[(String, String)]) -> Vec<(String, &str)> {
    let named = |(file, text): &'_ (String, String)| {
        let mut library = Library::new();
        library.add_world(file, text.as_str(), &mut |_| None);
        Some(library.worlds().first()?.name().to_owned())
    };
    let worlds = programs.iter().filter(|(file, _)| Language::of(file) == Some(Language::World));
    worlds.filter_map(|program| Some((named(program)?, program.1.as_str()))).collect()
}

/// Returns the world of a game, if it is among these.
fn world_of<'w>(game: &str, worlds: &[(String, &'w str)]) -> Option<&'w str> {
    let is_meant = |(name, _): &&(String, &str)| game.contains(&format!("(:domain {name})"));
    worlds.iter().find(is_meant).map(|(_, text)| *text)
}

/// Ends the process if a case takes more work than allowed: with exponential growth, it would not return to be measured.
fn watch() {
    loop {
        std::thread::sleep(Duration::from_millis(100));
        let (started, case) = CURRENT.lock().expect("no thread panics while it holds the lock").clone();
        if !case.is_empty() && counter::count().wrapping_sub(started) > 32 * MAX_WORK {
            eprintln!("growth: case {case}\n  more than {} comparisons", 32 * MAX_WORK);
            std::process::exit(3);
        }
    }
}
