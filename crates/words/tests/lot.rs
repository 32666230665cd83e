//! The LOT experiment on the recordings of the published one, and on problems of our own.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use goalspec_llm::import::{collins2022, import_folder};
use goalspec_llm::profile::Format;
use goalspec_llm::store::Store;
use goalspec_llm::{Client, ClientOptions, Mode, Model, StandIns};
use goalspec_lot::generate::{GenerateOptions, generate};
use goalspec_lot::specs::ProblemSpecs;
use goalspec_lot::translation::ReadingRules;
use goalspec_lot::vocabulary::Vocabularies;
use goalspec_lot::{Arrangement, StackingProblem, View};
use goalspec_syntax::Sources;
use goalspec_words::lot::cell::Fault;
use goalspec_words::lot::experiment::ExperimentResults;
use goalspec_words::lot::judge::judge_translation;
use goalspec_words::lot::queries::prompt_files;
use goalspec_words::lot::recorded_order::RecordedOrder;
use goalspec_words::lot::summary::{comparisons, groups, repair_effects};
use goalspec_words::lot::{Cell, Experiment, ExperimentOptions, Method, Planner, ProblemSet, output};
use goalspec_words::record::Record;
use goalspec_words::stand_ins::stand_ins;
use serde_json::{Value, json};

fn recordings() -> Option<PathBuf> {
    goalspec_testing::conformance::folder("planning/lot")
}

fn recorded_set(folder: &Path) -> ProblemSet {
    let mut sources = Sources::new();
    let specs = folder.join("cogsci_problems.yaml");
    let mut set = ProblemSet::load(&specs, &folder.join("problems"), &mut sources).unwrap();
    set.plans = Some(folder.join("plans"));
    set
}

fn options(method: Method) -> ExperimentOptions {
    ExperimentOptions {
        method,
        views: View::ALL.to_vec(),
        rules: ReadingRules::Default,
        max_repairs: 0,
        threads: 2,
        constrain: None,
    }
}

/// Returns a client that only replays the recordings.
fn replay(cache: &Path, method: Method) -> Client {
    let model = match method {
        Method::Translate => collins2022::TRANSLATION_MODEL,
        Method::Direct => collins2022::PLAN_MODEL,
    };
    ClientOptions {
        model: Some(model.to_owned()),
        base_url: Some(collins2022::BASE_URL.to_owned()),
        format: Some(Format::Completions),
        mode: Mode::Replay,
        cache: Some(cache.to_owned()),
        ..ClientOptions::default()
    }
    .open(&StandIns::default())
    .unwrap()
}

fn run(set: &ProblemSet, order: &RecordedOrder, options: ExperimentOptions, model: &dyn Model) -> ExperimentResults {
    Experiment::new(set, order, options).unwrap().run(model, &Record::in_memory(), &|_, _| ()).unwrap()
}

fn fake(name: &str) -> Client {
    ClientOptions { model: Some(format!("fake:{name}")), ..ClientOptions::default() }.open(&stand_ins()).unwrap()
}

/// A set of three training examples and some tests, drawn from the bundled vocabularies.
fn own_set(tests: usize, objects: usize, seed: u64) -> ProblemSet {
    let text = "- {num_obj: 4}\n".repeat(3) + &format!("- {{num_obj: {objects}, test: true}}\n").repeat(tests);
    let mut sources = Sources::new();
    let id = sources.add("specs.yaml", text);
    let specs = ProblemSpecs::from_yaml(sources.file(id)).unwrap();
    let options = GenerateOptions { seed, distinct_goal: false };
    let generated = generate(&specs, &Vocabularies::default(), options).unwrap();
    ProblemSet::new(&specs, generated.into_iter().map(|found| found.problem).collect())
}

#[test]
fn replayed_recordings_give_every_published_cell() {
    let Some(folder) = recordings() else { return };
    let cache = tempfile::tempdir().unwrap();
    import_folder(&folder, &Store::new(cache.path()), &mut |_| ()).unwrap();
    let (set, order) = (recorded_set(&folder), RecordedOrder::open(&folder).unwrap());
    let mut all = Vec::new();
    for rules in [ReadingRules::Seed, ReadingRules::Default] {
        let mut cells: Vec<Cell> = Vec::new();
        for method in Method::ALL {
            let client = replay(cache.path(), method);
            let results = run(&set, &order, ExperimentOptions { rules, ..options(method) }, &client);
            assert!(results.interruption.is_none());
            cells.extend(results.cells);
        }
        let (found, published) =
            (output::csv(&cells).unwrap(), std::fs::read_to_string(folder.join("results.csv")).unwrap());
        assert_eq!(found.lines().count(), 301);
        for (found, published) in found.lines().zip(published.lines()) {
            assert_eq!(found, published);
        }
        all = cells;
    }
    check_groups(&all);
    check_tables(&all);
    let restored = output::read_results(&output::results_json(&all).to_string()).unwrap();
    assert_eq!(restored, all);
}

#[test]
fn written_prompts_are_the_recorded_ones_byte_for_byte() {
    let Some(folder) = recordings() else { return };
    let (set, order) = (recorded_set(&folder), RecordedOrder::open(&folder).unwrap());
    let written = folder_of_prompts(&set, &order);
    let read = |path: &str| written.path().join(path);
    // What was written is read like the recordings.
    let again = RecordedOrder::open(written.path()).unwrap();
    let mut queries = 0;
    for view in View::ALL {
        for name in ["translate", "plan"] {
            let path = format!("prompts/{name}-{view}.txt");
            assert_eq!(
                std::fs::read_to_string(read(&path)).unwrap(),
                std::fs::read_to_string(folder.join(&path)).unwrap()
            );
            let rows = std::fs::read_to_string(read(&format!("{name}-{view}.jsonl"))).unwrap();
            let recorded = unpacked(&folder.join(format!("{name}-{view}.jsonl.gz")));
            for (row, recorded) in rows.lines().zip(recorded.lines()) {
                let [row, recorded]: [Value; 2] = [row, recorded].map(|line| serde_json::from_str(line).unwrap());
                for (key, text) in row.as_object().unwrap() {
                    assert_eq!(text, &recorded[key], "{view} {key}");
                    queries += usize::from(key != "id");
                }
            }
        }
    }
    assert_eq!(queries, 900);
    let prompts = |order: &RecordedOrder| prompt_files(&set, &Method::ALL, &View::ALL, order, true).unwrap();
    assert_eq!(prompts(&again), prompts(&order));
}

/// Writes the prompts of a set in the form of the recordings.
fn folder_of_prompts(set: &ProblemSet, order: &RecordedOrder) -> tempfile::TempDir {
    let written = tempfile::tempdir().unwrap();
    for file in prompt_files(set, &Method::ALL, &View::ALL, order, true).unwrap() {
        let folder = if file.path.ends_with("txt") { "prompts" } else { "" };
        let path = written.path().join(folder).join(file.path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, file.text).unwrap();
    }
    written
}

fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

fn check_groups(cells: &[Cell]) {
    let groups = groups(cells);
    let column = |method: Method, value: &dyn Fn(&goalspec_words::lot::summary::Group) -> u64| -> Vec<u64> {
        groups.iter().filter(|group| group.key.method == method).map(value).collect()
    };
    let (translate, direct) = (Method::Translate, Method::Direct);
    assert_eq!(column(translate, &|group| group.solved.hits), [99, 92, 72]);
    assert_eq!(column(direct, &|group| group.solved.hits), [40, 19, 0]);
    for method in Method::ALL {
        assert_eq!(column(method, &|group| group.holds_initially.hits), [40, 16, 2]);
        assert_eq!(column(method, &|group| group.solved_with_plan.count), [60, 84, 98]);
    }
    assert_eq!(column(translate, &|group| group.solved_with_plan.hits), [59, 76, 71]);
    assert_eq!(column(direct, &|group| group.solved_with_plan.hits), [3, 4, 0]);
    assert_eq!(column(direct, &|group| group.solved_strictly.hits), [9, 5, 0]);
    assert_eq!(column(direct, &|group| group.cut), [7, 2, 30]);
    assert_eq!(column(translate, &|group| group.exact.hits), [68, 89, 71]);
    assert_eq!(column(translate, &|group| group.lucky), [31, 3, 1]);
    assert_eq!(column(direct, &|group| group.actions), [404, 169, 781]);
    assert_eq!(column(direct, &|group| group.ignored_actions), [378, 143, 628]);
    assert_eq!(column(direct, &|group| group.unparsed_lines), [7, 2, 20]);
    let lengths =
        |group: &goalspec_words::lot::summary::Group| group.optimal_lengths.values().copied().collect::<Vec<_>>();
    assert_eq!(lengths(&groups[0]), [40, 24, 21, 14, 1]);
    assert_eq!(lengths(&groups[2]), [2, 6, 12, 38, 28, 13, 1]);
    // A translation that means the same as the truth is exact or adds what the rest implies.
    assert!(groups.iter().all(|group| group.equivalent.hits >= group.exact.hits));
    let compared = comparisons(cells);
    let counts: Vec<_> = compared.iter().map(|found| (found.both, found.first_only, found.second_only)).collect();
    assert_eq!(counts, [(40, 59, 0), (19, 73, 0), (0, 72, 0)]);
    // Without a problem that only the second method solves, the exact test gives 2 * 2^-n.
    for (found, exponent) in compared.iter().zip([58, 72, 71]) {
        assert!(found.first.starts_with("translate") && found.second.starts_with("direct"), "{found:?}");
        assert!((found.p_value * 2f64.powi(exponent) - 1.0).abs() < 1e-9, "{found:?}");
    }
}

fn check_tables(cells: &[Cell]) {
    let text: String = output::tables(cells, true).iter().map(output::Table::to_text).collect();
    for expected in [
        "99 of 100 (94.6-99.8)",
        "92 of 100 (85-95.9)",
        "72 of 100 (62.5-79.9)",
        "40 of 100 (30.9-49.8)",
        "0 of 100 (0-3.7)",
        "doing nothing",
        "Line by line",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let html = output::html("LOT", &output::tables(cells, true));
    assert_eq!(html.matches("<table>").count(), html.matches("</table>").count());
    let report = output::report(cells).to_csv();
    assert_eq!(report.lines().count(), 7, "{report}");
}

#[test]
fn probes_have_the_recorded_outcomes_under_the_rules_of_the_published_program() {
    let Some(folder) = recordings() else { return };
    let text = std::fs::read_to_string(folder.join("reply-probes.jsonl")).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let arrangement = |value: &Value| -> Arrangement { serde_json::from_value(value.clone()).unwrap() };
    let problem =
        StackingProblem { initial: arrangement(&rows[0]["init"]), goal: arrangement(&rows[0]["goal"]).relations() };
    let planner = Planner::default();
    let mut probes = 0;
    for probe in rows.iter().filter(|row| row["kind"] == "translate") {
        let replies = ["init_reply", "goal_reply"].map(|key| probe[key].as_str().unwrap());
        let verdict = judge_translation(&problem, replies, ReadingRules::Seed, &planner);
        assert_eq!(json!(verdict.plan), probe["plan"], "{probe}");
        assert_eq!(verdict.plan.is_none(), verdict.no_plan.is_some(), "{probe}");
        probes += 1;
    }
    assert_eq!(probes, 27);
}

#[test]
fn the_translator_needs_no_model_to_solve_every_problem() {
    let sets = [recordings().map(|folder| recorded_set(&folder)), Some(own_set(10, 4, 5)), Some(own_set(2, 7, 6))];
    for set in sets.into_iter().flatten() {
        for method in Method::ALL {
            let results = run(&set, &RecordedOrder::default(), options(method), &fake("translator"));
            let tests = set.tests().count() as u64;
            for group in groups(&results.cells) {
                assert_eq!([group.solved.hits, group.solved_strictly.hits], [tests, tests], "{:?}", group.key);
                assert_eq!(group.exact.hits, group.exact.count);
            }
        }
    }
}

#[test]
fn repairs_of_noisy_replies_win_by_kind_of_fault() {
    let set = own_set(60, 4, 11);
    for method in Method::ALL {
        let options = ExperimentOptions { max_repairs: 3, ..options(method) };
        let results = run(&set, &RecordedOrder::default(), options, &fake("noisy"));
        let effects = repair_effects(&results.cells);
        assert!(!effects.is_empty());
        let sum =
            |value: &dyn Fn(&goalspec_words::lot::summary::RepairEffect) -> u64| effects.iter().map(value).sum::<u64>();
        let (at_first, at_last) = (sum(&|effect| effect.solved_at_first), sum(&|effect| effect.solved));
        assert!(at_last > at_first && sum(&|effect| effect.repaired) > 0, "{effects:?}");
        if method == Method::Translate {
            let faults: Vec<Fault> = effects.iter().map(|effect| effect.fault).collect();
            assert!(
                faults.contains(&Fault::IncompleteReply) && faults.contains(&Fault::UndeclaredObject),
                "{faults:?}"
            );
            let text: String = output::tables(&results.cells, false).iter().map(output::Table::to_text).collect();
            assert!(text.contains("Repairs by the fault of the first replies"), "{text}");
        }
    }
}

#[test]
fn an_interrupted_run_goes_on_with_the_same_results() {
    let set = own_set(6, 4, 2);
    let experiment = Experiment::new(
        &set,
        &RecordedOrder::default(),
        ExperimentOptions { max_repairs: 2, ..options(Method::Translate) },
    )
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("translate.jsonl");
    let open = || Record::open(&path, "lot", &json!({"method": "translate"})).unwrap();
    let whole = experiment.run(&fake("noisy"), &open(), &|_, _| ()).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    for tenths in [1, 4, 9] {
        std::fs::write(&path, &text[..text.floor_char_boundary(text.len() * tenths / 10)]).unwrap();
        let again = experiment.run(&fake("noisy"), &open(), &|_, _| ()).unwrap();
        assert_eq!(again.cells, whole.cells);
    }
}

#[test]
fn results_of_two_models_are_not_pooled() {
    let set = own_set(4, 4, 3);
    let mut cells = run(&set, &RecordedOrder::default(), options(Method::Translate), &fake("translator")).cells;
    let other: Vec<Cell> = cells.iter().cloned().map(|cell| Cell { constrained: true, ..cell }).collect();
    cells.extend(other);
    assert_eq!(groups(&cells).len(), 6);
    assert!(output::csv(&cells).unwrap_err().to_string().contains("constrained"));
    let labels: BTreeMap<String, usize> = comparisons(&cells).into_iter().map(|found| (found.second, 1)).collect();
    assert!(labels.keys().any(|label| label.contains("constrained")) || labels.len() == 1);
}
