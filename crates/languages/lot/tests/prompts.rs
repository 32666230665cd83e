use std::fmt::Write as _;

use goalspec_lot::plan::Move;
use goalspec_lot::{Arrangement, Relation, StackingProblem, View, english, prompts};

use crate::recordings::{Recordings, source};

/// Returns the relations of the block of sentences that starts after a text.
fn sentences(text: &str) -> Vec<Relation> {
    let block: String = text.lines().take_while(|line| !line.is_empty() && !line.starts_with('(')).fold(
        String::new(),
        |mut block, line| {
            let _ = writeln!(block, "{}", line.trim_start_matches(';'));
            block
        },
    );
    let parsed = english::parse(&source(block), None);
    assert_eq!(parsed.diagnostics, []);
    parsed.relations()
}

fn ordered(problem: &StackingProblem, text: &str) -> StackingProblem {
    let initial: Arrangement = problem.initial.ordered_as(&sentences(text)).unwrap();
    StackingProblem { initial, goal: problem.goal.clone() }
}

/// Returns the training examples in the order of a prompt whose blocks begin after `start`.
fn training(recordings: &Recordings, view: View, prompt: &str, start: &str) -> Vec<StackingProblem> {
    let mut rest = prompt;
    let problems = recordings.problems[..3].iter().map(|problem| {
        let at = rest.find(start).unwrap() + start.len();
        let found = ordered(&problem.view(view), &rest[at..]);
        rest = &rest[at..];
        let end = rest.find("\n\n").unwrap();
        rest = &rest[end + 1..];
        found
    });
    problems.collect()
}

fn examples(recordings: &Recordings, view: View) -> [String; 2] {
    let file = recordings.text(&format!("prompts/translate-{view}.txt"));
    let translation = prompts::translation_examples(&training(recordings, view, &format!("\n{file}"), "\n"));
    assert_eq!(translation, file, "translate-{view}");
    let file = recordings.text(&format!("prompts/plan-{view}.txt"));
    let plan = |index: usize| -> Vec<Move> {
        serde_json::from_str(&recordings.text(&format!("plans/{view}/problem_{index:03}.json"))).unwrap()
    };
    let (problems, plans) = (training(recordings, view, &file, "Initially:\n"), [0, 1, 2].map(plan));
    let planning = prompts::plan_examples(problems.iter().zip(plans.iter().map(Vec::as_slice)));
    assert_eq!(planning, file, "plan-{view}");
    [translation, planning]
}

#[test]
fn prompts_and_queries_are_the_recorded_ones_byte_for_byte() {
    let Some(recordings) = Recordings::open() else { return };
    let mut queries = 0;
    for view in View::ALL {
        let [translation, planning] = examples(&recordings, view);
        for (index, record) in recordings.records("translate", view) {
            let prompt = record["init_prompt"].as_str().unwrap();
            let problem = ordered(&recordings.problems[index].view(view), &prompt[translation.len()..]);
            assert_eq!(prompts::translation_prompt(&translation, &problem.initial.relations()), prompt);
            assert_eq!(
                prompts::translation_prompt(&translation, &problem.goal),
                record["goal_prompt"].as_str().unwrap()
            );
            assert!(prompts::translation_query(&translation, &problem.goal).ends_with(".\n("));
            queries += 2;
        }
        for (index, record) in recordings.records("plan", view) {
            let query = record["query"].as_str().unwrap();
            let problem =
                ordered(&recordings.problems[index].view(view), &query[planning.len() + "Initially:\n".len()..]);
            assert_eq!(prompts::plan_query(&planning, &problem), query);
            queries += 1;
        }
    }
    assert_eq!(queries, 900);
}
