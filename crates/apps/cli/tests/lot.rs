//! `goalspec lot`: problem sets, translations, plans, runs with stand-ins, results.

use crate::common::{Case, Folder};

const SPECS: &str = "- num_obj: 4\n- num_obj: 4\n- {num_obj: 4, test: true}\n- {num_obj: 5, test: true}\n";
const STATE: &str = "The tray rests on the table.\nThe tea pot is on the tray.\nThere is nothing on the tea pot.\n\
                     The cup rests on the table.\nThere is nothing on the cup.\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("set/specs.yaml", SPECS);
    folder.write("second/specs.yaml", SPECS.replacen("num_obj: 4, test", "num_obj: 3, test", 1));
    folder.write("damaged/results.json", "{");
    folder.write("state.txt", STATE);
    folder.write("goal.txt", "The tray is on the cup.\n");
    folder.write("impossible.txt", "The tray is on the cup.\nThere is nothing on the cup.\n");
    folder.write(
        "plan.txt",
        "Move the tea pot onto the table.\n- Move the tray onto the cup.\nMove the tray onto the cup.\n",
    );
    folder.write("facts.pddl", "(on tea-pot tray) (clear tea-pot)");
    folder
}

#[test]
fn the_experiment_runs_from_specs_to_results() {
    let folder = folder();
    folder.assert_each(&[
        (
            "lot generate --specs set/specs.yaml --seed 3 --distinct-goal -o set/problems",
            0,
            "4 problems in set/problems",
        ),
        ("lot prompts --specs set/specs.yaml --view two --method translate", 0, "(ontable "),
        ("lot prompts --specs set/specs.yaml --queries -o prompts", 0, "18 files in prompts"),
        ("lot run --specs set/specs.yaml --model fake:translator --dry-run", 0, ";The "),
        ("lot run --specs set/specs.yaml --model fake:translator -o run", 0, "doing nothing"),
        // The record has all replies: nothing is asked again.
        ("lot run --specs set/specs.yaml --model fake:translator -o run --llm off", 0, "2 of 2 (34.2-100)"),
        ("lot run --specs set/specs.yaml --model fake:translator -o run --repairs 2", 2, "`repairs` is 0, not 2"),
        ("lot run --specs set/specs.yaml --model fake:noisy --repairs 2 -o noisy", 0, "2 repairs"),
        ("lot run --specs set/specs.yaml --model fake:translator --max-calls 3 -o capped", 3, "--max-calls"),
        ("lot run --specs set/specs.yaml --llm replay --cache empty -o replayed", 1, "no result"),
        ("lot run --specs set/specs.yaml -o unnamed", 2, "--model"),
        ("lot results run --lines", 0, "Line by line"),
        ("lot results run noisy --strict", 0, "McNemar"),
        ("lot results run run", 1, "two results for problem 002, view one"),
        ("lot generate --specs second/specs.yaml --seed 9 --distinct-goal -o second/problems", 0, "4 problems"),
        ("lot run --specs second/specs.yaml --model fake:translator -o other", 0, "2 of 2"),
        ("lot results run other", 1, "two different problems with the id 002"),
        ("llm report run other", 1, "report each on its own"),
        ("lot run --specs second/specs.yaml --model fake:noisy --method direct -o run", 2, "specify another folder"),
        (
            "lot run --specs set/specs.yaml --model fake:translator -o damaged",
            2,
            "contains no results of the experiment",
        ),
        ("lot results run --format csv", 0, "id,view,optimal_length,holds_initially,translate_success"),
        ("lot results run noisy --format csv", 1, "print each run on its own"),
        ("lot results run --format html -o results.html", 0, ""),
        ("lot results run --json", 0, "\"format\":\"goalspec-lot-results-1\""),
        ("lot results set", 1, "contains no results"),
        ("llm report run noisy", 0, "fake:noisy"),
        ("llm report run --json", 0, "\"domain\": \"lot\""),
        ("llm report run --format csv", 0, "domain,view,method,model,constrained"),
    ]);
    assert!(folder.read("results.html").contains("<h2>Line by line</h2>"));
    assert!(folder.read("prompts/plan-one.txt").starts_with("There are some items stacked on the table."));
}

#[test]
fn texts_are_translated_and_planned_for_without_a_model() {
    let folder = folder();
    let cases: [Case; 14] = [
        ("lot translate state.txt", 0, "(on tea-pot tray)"),
        ("lot translate state.txt --json", 0, "\"sentence\": \"The tea pot is on the tray.\""),
        ("lot translate state.txt --objects tray,cup", 1, "`tea pot` is not an object"),
        ("lot translate facts.pddl --to english", 0, "There is nothing on the tea pot."),
        ("lot translate facts.pddl --to english --objects tray,teapot", 1, "did you mean `teapot`?"),
        ("lot translate missing.txt", 1, "cannot read `missing.txt`"),
        ("lot plan --state state.txt --goal goal.txt", 0, "Move the tray onto the cup."),
        ("lot plan --state state.txt --goal goal.txt --json", 0, "\"is_shortest\": true"),
        ("lot plan --state state.txt --goal goal.txt --pddl", 0, "(:goal (and\n    (on tray cup)))"),
        ("lot plan --state state.txt --goal impossible.txt", 1, "no plan reaches the goal"),
        ("lot plan --state goal.txt --goal goal.txt", 1, "lot/not-an-arrangement"),
        ("lot plan --state state.txt --goal goal.txt --judge plan.txt", 0, "the goal is reached"),
        ("lot plan --state state.txt --goal goal.txt --judge plan.txt --strict", 1, "but lines were skipped"),
        ("lot plan --state state.txt", 2, "--goal"),
    ];
    folder.assert_each(&cases);
    let done = folder.run_with("lot translate -", b"the cup is on the tray");
    assert_eq!((done.code, done.err.contains("write `The cup is on the tray.`")), (Some(1), true), "{}", done.all());
}

#[test]
fn defects_of_a_set_are_reported_where_they_are() {
    let folder = folder();
    folder.write("bad.yaml", "- {num_objs: 4}\n");
    folder.write("hyphens.json", "[\"tea-pot\", \"oil can\", \"e-reader\", \"mug\", \"jug_2\"]");
    folder.write("odd.json", "[\"ice axe\", \"x-ray lamp\", \"zither\", \"oboe\", \"anvil\"]");
    folder.write("reserved.json", "[\"hat on hook\"]");
    folder.assert_each(&[
        ("lot generate --specs missing.yaml -o out", 1, "cannot read `missing.yaml`"),
        ("lot generate --specs bad.yaml -o out", 1, "unknown key `num_objs`"),
        ("lot generate --specs set/specs.yaml --vocabulary reserved.json -o out", 1, "reserved.json:1:2"),
        (
            "lot generate --specs set/specs.yaml --vocabulary hyphens.json --complex-vocabulary hyphens.json -o out",
            1,
            "both vocabularies",
        ),
        (
            "lot generate --specs set/specs.yaml --vocabulary hyphens.json --complex-vocabulary odd.json -o hyphens",
            0,
            "4 problems",
        ),
        ("lot run --specs set/specs.yaml --problems hyphens --model fake:translator -o run", 0, "2 of 2"),
        ("lot run --specs set/specs.yaml --problems missing --model fake:translator -o run", 1, "problem_000.json"),
        ("lot plan hyphens/problem_003.json --view all", 0, ""),
    ]);
    folder.write("hyphens/problem_002.json", "{\"init_board\": [[\"a\"]]}");
    folder.assert_each(&[(
        "lot run --specs set/specs.yaml --problems hyphens --model fake:translator -o run",
        1,
        "lot/problem",
    )]);
}
