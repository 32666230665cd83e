//! The live page and the exported one in headless Chromium, without any other tool: the browser prints the page as it is after its scripts.
//! Without Chromium, the tests say so and pass.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use goalspec_view::Session;
use serde_json::Value;

use crate::common::{delivery, example, landing, markup, rally, session, throwing};
use crate::export;
use crate::server;

fn chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let folders = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&folders)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|path| path.is_file());
    if found.is_none() {
        eprintln!("skipped: there is no Chromium among the commands");
    }
    found
}

/// Returns the page at an address after its scripts, and the messages of its console.
fn visit(browser: &Path, address: &str) -> (String, String) {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"])
        .args(["--disable-background-networking", "--disable-component-update", "--enable-logging=stderr"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(["--virtual-time-budget=8000", "--window-size=1400,900", "--dump-dom", address])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let console = String::from_utf8_lossy(&output.stderr);
    let console = console.lines().filter(|line| line.contains("CONSOLE")).collect::<Vec<_>>().join("\n");
    (String::from_utf8_lossy(&output.stdout).into_owned(), console)
}

/// Returns the texts of the elements with a test id.
fn texts(page: &str, id: &str) -> Vec<String> {
    let mark = format!("data-testid=\"{id}\"");
    let after = page.split(&mark).skip(1).filter_map(|rest| rest.split_once('>'));
    let text =
        |(_, rest): (&str, &str)| rest.split('<').next().unwrap_or_default().replace('\u{2013}', "-").trim().to_owned();
    after.map(text).collect()
}

/// Returns the score that a page shows: JavaScript writes whole numbers without a fraction.
fn score(page: &str) -> Option<f64> {
    texts(page, "score").first()?.parse().ok()
}

/// Checks that a page shows the numbers of the command.
fn assert_numbers(page: &str, outcome: &Value) {
    assert_eq!(score(page), outcome["score"].as_f64());
    let preferences = outcome["preferences"].as_array().unwrap();
    let counts: Vec<String> = preferences.iter().map(|preference| preference["count"].to_string()).collect();
    assert_eq!(texts(page, "count"), counts);
    let satisfactions: Vec<String> = preferences
        .iter()
        .flat_map(|preference| preference["satisfactions"].as_array().unwrap())
        .map(|found| format!("{}-{}", found["start"], found["end"]))
        .collect();
    assert_eq!(texts(page, "satisfaction"), satisfactions);
    assert!(!satisfactions.is_empty());
}

fn outcome(session: &Session) -> Value {
    session.run(0, 0, None, None).unwrap().document["outcomes"][0].clone()
}

#[test]
fn the_live_page_shows_the_numbers_of_the_command() {
    let Some(browser) = chromium() else { return };
    let viewer = server::start(throwing());
    let (page, console) = visit(&browser, &viewer.address);
    assert_eq!(console, "", "the console is empty, and no policy is violated");
    assert_numbers(&page, &outcome(&throwing()));
    assert_eq!(texts(&page, "problem"), [""; 0]);
}

#[test]
fn without_the_token_the_page_is_empty() {
    let Some(browser) = chromium() else { return };
    let viewer = server::start(throwing());
    let (address, _) = viewer.address.split_once('#').unwrap();
    let (page, _) = visit(&browser, address);
    assert!(texts(&page, "problem")[0].contains("token"));
    assert!(!page.contains("throw-to-bin"));
}

#[test]
fn an_exported_page_shows_the_numbers_of_the_command() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    std::fs::write(&file, export::page(&throwing())).unwrap();
    let (page, console) = visit(&browser, &format!("file://{}", file.display()));
    assert_eq!(console, "", "the console is empty, and no policy is violated");
    let (shown, _) = page.split_once("id=\"summary\"").unwrap();
    assert_numbers(shown, &outcome(&throwing()));
}

#[test]
fn markup_in_names_is_shown_as_text() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let viewer = server::start(markup(folder.path()));
    let (page, console) = visit(&browser, &viewer.address);
    assert_eq!(console, "");
    assert!(!page.contains("<img"), "a name became markup");
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;.game"));
}

/// Returns the page of a viewer, live and exported, without messages in the console.
fn visit_both(browser: &Path, inputs: &dyn Fn() -> Session) -> [String; 2] {
    let viewer = server::start(inputs());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    std::fs::write(&file, export::page(&inputs())).unwrap();
    [viewer.address.clone(), format!("file://{}", file.display())].map(|address| {
        let (page, console) = visit(browser, &address);
        assert_eq!(console, "", "the console is empty, and no policy is violated");
        // The script of an exported page, which comes later, contains the same marks.
        page.split("id=\"summary\"").next().unwrap_or_default().to_owned()
    })
}

#[test]
fn rewards_are_shown_with_their_sums() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    for inputs in [&(|| rally(folder.path())) as &dyn Fn() -> Session, &landing] {
        let expected = inputs().run(0, 0, None, None).unwrap().document["rewards"][0].clone();
        let numbers = |key: &str, of: &str| -> Vec<f64> {
            expected[key].as_array().unwrap().iter().map(|one| one[of].as_f64().unwrap()).collect()
        };
        for page in visit_both(&browser, inputs) {
            let shown = |id: &str| -> Vec<f64> { texts(&page, id).iter().map(|text| text.parse().unwrap()).collect() };
            assert_eq!(shown("score"), [expected["total"].as_f64().unwrap()]);
            assert_eq!(shown("sum"), [expected["sums"][0].as_f64().unwrap()]);
            assert_eq!(shown("episode"), numbers("episodes", "total"));
            assert_eq!(shown("term-sum"), numbers("terms", "sum"));
            assert!(texts(&page, "status")[0].starts_with("frame 0: "), "{:?}", texts(&page, "status"));
        }
    }
}

#[test]
fn plans_are_shown_with_their_steps() {
    let Some(browser) = chromium() else { return };
    let plan = delivery().run(0, 0, None, None).unwrap().document["plan"].clone();
    let steps: Vec<&str> =
        plan["steps"].as_array().unwrap().iter().map(|step| step["text"].as_str().unwrap()).collect();
    for page in visit_both(&browser, &delivery) {
        assert_eq!(texts(&page, "score"), ["valid"]);
        assert_eq!(texts(&page, "step"), steps);
        assert_eq!(texts(&page, "metric")[0].parse().ok(), plan["validation"]["metric"].as_f64());
        assert_eq!(texts(&page, "status"), ["step 0: the initial state"]);
    }
}

#[test]
fn experiments_are_shown_with_the_numbers_of_the_command() {
    let Some(browser) = chromium() else { return };
    let inputs = || session(&[example("rgg/berries.yaml")]);
    let simulation = inputs().run(0, 0, None, None).unwrap().document["simulation"].clone();
    let report = &simulation["report"];
    let summaries = [&report["turns"], &report["invalid_turns"]]
        .into_iter()
        .chain(["rewards", "metrics"].iter().flat_map(|key| report[key].as_object().unwrap().values()));
    let summaries: Vec<&Value> = summaries.collect();
    for page in visit_both(&browser, &inputs) {
        let shown = |id: &str| -> Vec<f64> { texts(&page, id).iter().map(|text| text.parse().unwrap()).collect() };
        assert_eq!(shown("score"), [1000.0]);
        for key in ["mean", "sd", "min", "max"] {
            assert_eq!(shown(key), summaries.iter().map(|one| one[key].as_f64().unwrap()).collect::<Vec<_>>(), "{key}");
        }
        let bins = report["rewards"]["ann"]["histogram"]["bins"].as_array().unwrap();
        let counts: Vec<String> =
            texts(&page, "bin").iter().map(|bin| bin.split(": ").nth(1).unwrap().to_owned()).collect();
        assert_eq!(counts, bins.iter().map(|bin| format!("{} games", bin[2])).collect::<Vec<_>>());
        assert_eq!(texts(&page, "status"), ["turn 0: the initial state"]);
    }
}

#[test]
fn an_activity_is_shown_with_its_conjuncts() {
    let Some(browser) = chromium() else { return };
    let inputs = || session(&[example("bddl/watering_the_garden.bddl"), example("bddl/watering.jsonl")]);
    let viewer = server::start(inputs());
    let (page, console) = visit(&browser, &viewer.address);
    assert_eq!(console, "");
    assert_eq!(score(&page), outcome(&inputs())["score"].as_f64());
}
