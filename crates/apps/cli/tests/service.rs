//! `goalspec serve`: requests, replies and errors, and games that are those of `goalspec simulate`.

use serde_json::{Value, json};

use crate::common::Folder;

const BERRIES: &str = "examples/rgg/berries.yaml";

/// Returns the replies to requests.
fn replies(folder: &Folder, options: &str, requests: &[Value]) -> Vec<Value> {
    let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let done = folder.run_with(&format!("serve {options} {BERRIES}"), input.as_bytes());
    assert_eq!((done.code, &*done.err), (Some(0), ""));
    done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_games_are_those_of_the_scripts_of_their_actions() {
    let folder = Folder::new();
    let actions = [["look around", "gather (ben) target=brook"], ["gather (ann) target=hill", "nothing"]].concat();
    let mut requests = vec![json!({"method": "reset", "seed": 9, "index": 3})];
    requests.extend(actions.iter().map(|action| json!({"method": "step", "action": action})));
    let replies = replies(&folder, "--max-turns 4", &requests);
    let script =
        |team: usize| actions.iter().skip(team).step_by(2).map(|action| format!("{action}\n")).collect::<String>();
    folder.write("ann.script", script(0));
    folder.write("ben.script", script(1));
    let options =
        "--seed 9 --first-game 3 --games 1 --max-turns 4 --policy ann=script:ann.script --policy ben=script:ben.script";
    let done = folder.run(&format!("simulate {options} --trace - {BERRIES}"));
    let lines: Vec<Value> = done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 6);
    for (reply, line) in replies[1..].iter().zip(&lines[1..5]) {
        for key in ["turn", "valid", "rewards"] {
            assert_eq!(reply[key], line[key], "{key}");
        }
    }
    assert_eq!((&replies[4]["end"], &lines[5]["end"]), (&json!("truncated"), &json!("truncated")));
}

#[test]
fn resets_without_a_seed_begin_the_next_game() {
    let folder = Folder::new();
    let reset = json!({"method": "reset"});
    let seeded = json!({"method": "reset", "seed": 4});
    let replies = replies(&folder, "", &[reset.clone(), reset.clone(), seeded, reset]);
    let games: Vec<_> = replies.iter().map(|reply| (reply["seed"].as_u64(), reply["index"].as_u64())).collect();
    assert_eq!(games, [(0, 0), (0, 1), (4, 0), (4, 1)].map(|(seed, index)| (Some(seed), Some(index))));
}

#[test]
fn observations_and_legal_actions_are_those_of_the_team() {
    let folder = Folder::new();
    let requests = [
        json!({"method": "reset", "seed": 0}),
        json!({"method": "observe", "team": "ann", "id": "first"}),
        json!({"method": "legal"}),
        json!({"method": "legal", "team": "ben"}),
    ];
    let replies = replies(&folder, "", &requests);
    assert_eq!(replies[1]["id"], "first");
    assert_eq!(replies[1]["nodes"]["hill"], json!({"visible": true, "values": {"berries": 4}}));
    assert_eq!(replies[1]["nodes"]["brook"], json!({"visible": false, "values": {"berries": 4}}));
    assert_eq!(replies[1]["numbers"].as_array().unwrap().len(), 12);
    assert_eq!(replies[2]["texts"], json!(["nothing", "look around", "gather (ann) target=hill"]));
    assert_eq!(replies[3], json!({"team": "ben", "actions": [0], "texts": ["nothing"]}), "it is not to move");
}

#[test]
fn faulty_requests_have_replies_that_say_why() {
    let folder = Folder::new();
    let long = format!("{{\"method\": \"{}\"}}", "x".repeat(70_000));
    let requests = [
        ("{", "expected a JSON object"),
        ("[]", "expected an object with a `method`: one of describe, reset"),
        ("{\"method\": \"rest\"}", "unknown method `rest`; did you mean `reset`?"),
        ("{\"method\": \"step\", \"action\": 0}", "no game is running; call `reset` first"),
        ("{\"method\": \"observe\"}", "no game is running"),
        ("{\"method\": \"reset\", \"seed\": -1}", "expected an integer from 0 for `seed`, found -1"),
        (&long, "a request exceeds the limit of 65536 bytes"),
        ("{\"method\": \"reset\"}", ""),
        ("{\"method\": \"step\"}", "expected an action of ann: an index from 0 to 4 or a text, found null"),
        ("{\"method\": \"step\", \"action\": 5}", "an index from 0 to 4 or a text, found 5"),
        (
            "{\"method\": \"step\", \"action\": \"lok around\"}",
            "ann has no action `lok around`; did you mean `look around`?",
        ),
        ("{\"method\": \"legal\", \"team\": \"anna\"}", "unknown team \"anna\"; expected one of ann, ben"),
        ("{\"method\": \"step\", \"action\": 0}", ""),
        ("{\"method\": \"step\", \"action\": 0}", "the game is over; call `reset` for the next one"),
    ];
    let input: String = requests.iter().map(|(request, _)| format!("{request}\n\n")).collect();
    let done = folder.run_with(&format!("serve --max-turns 1 {BERRIES}"), input.as_bytes());
    let found: Vec<Value> = done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len(), requests.len());
    for ((request, expected), reply) in requests.iter().zip(found) {
        let error = reply["error"].as_str().unwrap_or_default();
        assert!(error.contains(expected) && error.is_empty() == expected.is_empty(), "{request:.60}: {reply}");
    }
}

#[test]
fn infinite_parameters_require_bins() {
    let folder = Folder::new();
    let text = folder.read(BERRIES).replace("string.enum(hill, brook, grove)", "float.range(0,1)");
    folder.write("bids.yaml", text);
    let done = folder.run("serve bids.yaml");
    assert_eq!(done.code, Some(2));
    assert!(
        done.err.contains("`target` of `gather (ann)` is a number from 0 to 1 and has infinitely many values"),
        "{}",
        done.err
    );
    let done = folder.run_with("serve --bins target=0.5,1 bids.yaml", b"{\"method\": \"describe\"}");
    assert!(done.out.contains("gather (ann) target=0.5"), "{}", done.all());
    for invalid in ["target", "target=x", "goal=3", "target=0", "target=2,1"] {
        assert_eq!(folder.run(&format!("serve --bins {invalid} bids.yaml")).code, Some(2), "{invalid}");
    }
}
