use std::collections::BTreeSet;

use goalspec_lot::generate::{GenerateOptions, GeneratedProblem, generate};
use goalspec_lot::specs::{MAX_PROBLEMS, ProblemSpecs};
use goalspec_lot::vocabulary::{Vocabularies, Vocabulary};
use goalspec_lot::{Arrangement, Problem, View};
use serde_json::{Value, json};

use crate::recordings::{Recordings, source};

fn reordered(arrangement: &Arrangement, order: &Value) -> Arrangement {
    let order = order.as_array().unwrap().iter().map(|index| index.as_u64().unwrap() as usize);
    Arrangement { stacks: order.map(|index| arrangement.stacks[index].clone()).collect() }
}

#[test]
fn seed_0_gives_the_recorded_draws() {
    let Some(recordings) = Recordings::open() else { return };
    let generated = generate(&recordings.specs(), &recordings.vocabularies(), GenerateOptions::default()).unwrap();
    let draws = recordings.lines("generator-seed0.jsonl");
    assert_eq!((generated.len(), draws.len()), (103, 103));
    for (index, (found, recorded)) in generated.iter().zip(&draws).enumerate() {
        let GeneratedProblem { problem, simple, complex, permutation } = found;
        assert_eq!(recorded["id"], ProblemSpecs::id(index));
        assert_eq!([json!(simple), json!(complex)], [recorded["words"].clone(), recorded["complex"].clone()]);
        assert_eq!([json!(problem.initial), json!(problem.goal)], [recorded["init"].clone(), recorded["goal"].clone()]);
        assert_eq!(json!(permutation), recorded["permutation"]);
    }
}

#[test]
fn seed_0_gives_the_recorded_problems_up_to_the_order_of_stacks_and_words() {
    let Some(recordings) = Recordings::open() else { return };
    let generated = generate(&recordings.specs(), &recordings.vocabularies(), GenerateOptions::default()).unwrap();
    let draws = recordings.lines("generator-seed0.jsonl");
    for ((found, recorded), draw) in generated.iter().zip(&recordings.problems).zip(&draws) {
        assert!(found.problem.initial.is_same(&recorded.initial) && found.problem.goal.is_same(&recorded.goal));
        assert_eq!(reordered(&found.problem.initial, &draw["recorded_init_order"]), recorded.initial);
        let goal = reordered(&found.problem.goal, &draw["recorded_goal_order"]);
        assert_eq!(goal, recorded.goal);
        let sets = |problem: &Problem| -> (BTreeSet<String>, BTreeSet<String>) {
            problem.complex_names.iter().map(|(simple, complex)| (simple.clone(), complex.clone())).unzip()
        };
        assert_eq!(sets(&found.problem), sets(recorded));
        let relations = goal.relations();
        let views: Vec<_> = found.permutation.iter().map(|&index| relations[index].clone()).collect();
        assert_eq!(views, recorded.views.all);
        assert_eq!((&views[..2], &views[..1]), (&recorded.views.two[..], &recorded.views.one[..]));
    }
}

#[test]
fn problem_files_are_those_of_the_published_program() {
    let Some(recordings) = Recordings::open() else { return };
    for (index, problem) in recordings.problems.iter().enumerate() {
        let text = recordings.text(&format!("problems/{}.json", ProblemSpecs::name(index)));
        assert_eq!(problem.to_json(), text);
    }
}

#[test]
fn renamed_objects_are_as_many_as_recorded() {
    let Some(recordings) = Recordings::open() else { return };
    let renamed = |view: View| {
        let mut counts = [0; 5];
        for problem in &recordings.problems {
            let names: BTreeSet<String> = problem.view(view).initial.objects().map(str::to_owned).collect();
            counts[problem.initial.objects().filter(|name| !names.contains(*name)).count()] += 1;
        }
        counts
    };
    assert_eq!(
        [View::One, View::Two, View::All].map(renamed),
        [[103, 0, 0, 0, 0], [15, 65, 23, 0, 0], [0, 0, 35, 68, 0]]
    );
}

#[test]
fn distinct_goals_do_not_hold_at_the_start() {
    let specs = "- {num_obj: 2}\n- {num_obj: 4, test: true}\n- num_obj: 9\n  test: yes\n".repeat(30);
    let specs = ProblemSpecs::from_yaml(&source(specs)).unwrap();
    let holding = |distinct_goal: bool| {
        let options = GenerateOptions { seed: 3, distinct_goal };
        let generated = generate(&specs, &Vocabularies::default(), options).unwrap();
        assert_eq!(generated.len(), 90);
        let views = generated.iter().flat_map(|found| View::ALL.map(|view| found.problem.view(view)));
        views.filter(goalspec_lot::StackingProblem::holds_initially).count()
    };
    assert!(holding(false) > 0);
    assert_eq!(holding(true), 0);
    let single = ProblemSpecs::from_yaml(&source("[{num_obj: 1}]")).unwrap();
    let found = |distinct_goal| generate(&single, &Vocabularies::default(), GenerateOptions { seed: 0, distinct_goal });
    assert_eq!(found(false).unwrap()[0].problem.views.two.len(), 2);
    assert!(found(true).unwrap_err()[0].message.contains("always holds"));
}

#[test]
fn generated_files_are_read_again() {
    let specs = ProblemSpecs::from_yaml(&source("- {num_obj: 1}\n- {num_obj: 40}")).unwrap();
    for found in
        generate(&specs, &Vocabularies::default(), GenerateOptions { seed: u64::MAX, ..Default::default() }).unwrap()
    {
        assert_eq!(Problem::from_json(&source(found.problem.to_json())), Ok(found.problem));
    }
}

#[test]
fn invalid_specs_are_reported_where_they_are() {
    let cases = [
        ("", "no problems", ""),
        ("num_obj: 4", "expected a list", ""),
        ("- {num_obj: 0}", "`num_obj` is `0`", "0"),
        ("- {num_obj: four}", "`num_obj` is `four`", "four"),
        ("- {num_obj: [4]}", "`num_obj` is `[`", "["),
        ("- {num_obj: 501}", "expected a number from 1 to 500", "501"),
        ("- {num_objs: 4, num_obj: 3}", "unknown key `num_objs`", "num_objs"),
        ("- {num_obj: 4, num_obj: 3}", "duplicate key", "num_obj"),
        ("- {num_obj: 4, test: maybe}", "`test` is `maybe`", "maybe"),
        ("- {test: true}", "no `num_obj`", "{test: true"),
        ("- 4\n- {num_obj: 4}", "expected a record", "4"),
        ("- {num_obj: 4", "invalid YAML", ""),
        ("- {num_obj: 4}\n---\n- {num_obj: 4}", "unexpected text", ""),
    ];
    for (text, message, place) in cases {
        let file = source(text);
        let errors = ProblemSpecs::from_yaml(&file).unwrap_err();
        assert!(errors[0].message.contains(message), "{text}: {errors:?}");
        let slice = file.slice(errors[0].span.unwrap());
        assert!(place.is_empty() || slice == place, "{text}: {slice}");
    }
    let too_many = "- {num_obj: 2}\n".repeat(MAX_PROBLEMS + 2);
    let errors = ProblemSpecs::from_yaml(&source(&too_many)).unwrap_err();
    assert!(errors.len() == 1 && errors[0].message.contains("exceeds the limit of 100000 problems"), "{errors:?}");
    let specs = ProblemSpecs::from_yaml(&source("- {num_obj: 60}")).unwrap();
    let errors = generate(&specs, &Vocabularies::default(), GenerateOptions::default()).unwrap_err();
    assert!(errors[0].message.contains("the simple vocabulary has 50 names"), "{errors:?}");
}

#[test]
fn invalid_vocabularies_are_reported_where_they_are() {
    let cases = [
        ("{}", "not a vocabulary", "{"),
        ("[]", "0 names", "[]"),
        ("[\"cup\", 4]", "not a vocabulary", "4"),
        ("[\"cup\", \"a \\\" b\"]", "contains `\\\"`", "\"a \\\" b\""),
        ("[\"tea pot\", \"cup\", \"tea-pot\"]", "listed twice", "\"tea-pot\""),
        ("[\"salt on ice\"]", "the word `on`", "\"salt on ice\""),
    ];
    for (text, message, place) in cases {
        let file = source(text);
        let errors = Vocabulary::from_json(&file).unwrap_err();
        assert!(errors[0].message.contains(message), "{text}: {errors:?}");
        assert_eq!(file.slice(errors[0].span.unwrap()), place, "{text}");
    }
    let vocabulary = |text: &str| Vocabulary::from_json(&source(text)).unwrap();
    let common = Vocabularies::new(vocabulary("[\"tea pot\"]"), vocabulary("[\"cup\", \"tea-pot\"]"));
    assert!(common.unwrap_err().message.contains("in both vocabularies"));
}

#[test]
fn invalid_problems_are_reported() {
    let valid = r#"{"init_board": [["cup", "jar"]], "goal_board": [["cup"], ["jar"]],
        "views": {"one": [["bot", "jar", null]], "two": [["bot", "jar", null]], "all": [["bot", "jar", null]]},
        "vocab_map": {"cup": "anvil", "jar": "oboe"}}"#;
    assert!(Problem::from_json(&source(valid)).is_ok());
    let cases = [
        ("[[\"cup\", \"jar\"]]", "[[\"cup\", \"jar\", \"cup\"]]", "`cup` occurs twice in `init_board`"),
        ("[[\"cup\", \"jar\"]]", "[[\"cup\"]]", "`jar` of `goal_board` is not in `init_board`"),
        ("[[\"cup\"], [\"jar\"]]", "[[\"cup\"]]", "`jar` of `init_board` is not in `goal_board`"),
        ("[[\"cup\", \"jar\"]]", "[]", "expected 1 to 500"),
        ("[\"bot\", \"jar\", null]", "[\"mid\", \"jar\", \"cup\"]", "does not hold in `goal_board`"),
        ("[\"bot\", \"jar\", null]", "[\"up\", \"jar\", null]", "kind `up`"),
        ("\"oboe\"", "\"anvil\"", "two objects have the name `anvil`"),
        ("\"oboe\"", "\"Oboe\"", "the name `Oboe` contains `O`"),
        ("\"jar\": \"oboe\"", "\"jug\": \"oboe\"", "no name for `jar`"),
        ("\"vocab_map\"", "\"map\"", "unknown field `map`"),
    ];
    for (old, new, message) in cases {
        let errors = Problem::from_json(&source(valid.replace(old, new))).unwrap_err();
        assert!(errors.iter().any(|error| error.message.contains(message)), "{new}: {errors:?}");
        assert!(errors.iter().all(|error| error.span.is_some()), "{new}: {errors:?}");
    }
}
