use goalspec_lot::translation::{ReadingRules, read};
use goalspec_lot::vocabulary::Vocabularies;
use goalspec_lot::{Relation, View, english, generate, pddl, prompts, specs};
use goalspec_syntax::Sources;
use proptest::prelude::*;

use crate::recordings::{Recordings, source};

/// Translates a text to facts and back, both ways through text.
fn check_both_ways(text: &str, relations: &[Relation], objects: &goalspec_lot::names::ObjectTable) {
    let parsed = english::parse(&source(text), Some(objects));
    assert_eq!((parsed.relations(), &parsed.diagnostics[..]), (relations.to_vec(), &[][..]), "{text}");
    assert_eq!(english::text(&parsed.relations()), text);
    let mut sources = Sources::new();
    let [facts, goal] = [pddl::facts(relations), String::new()].map(|text| sources.add("reply", text));
    for rules in [ReadingRules::Default, ReadingRules::Seed] {
        let translation = read(sources.file(facts), sources.file(goal), objects, rules);
        let expected: Vec<Relation> = relations.iter().map(Relation::in_pddl).collect();
        assert_eq!((translation.initial.relations(), translation.is_readable()), (expected, true));
    }
}

#[test]
fn all_rendered_texts_are_translated_exactly() {
    let Some(recordings) = Recordings::open() else { return };
    let mut texts = 0;
    for view in recordings.problems.iter().flat_map(|problem| View::ALL.map(|view| problem.view(view))) {
        for relations in [view.initial.relations(), view.goal.clone()] {
            check_both_ways(&english::text(&relations), &relations, &view.objects());
            texts += 1;
        }
    }
    assert_eq!(texts, 618);
}

#[test]
fn all_recorded_texts_are_translated_exactly() {
    let Some(recordings) = Recordings::open() else { return };
    let mut texts = 0;
    let mut check = |text: &str, truth: &[Relation], objects: &goalspec_lot::names::ObjectTable| {
        let relations = english::parse(&source(text), None).relations();
        let sorted = |relations: &[Relation]| {
            let mut relations = relations.to_vec();
            relations.sort();
            relations
        };
        assert_eq!(sorted(&relations), sorted(truth));
        check_both_ways(text, &relations, objects);
        texts += 1;
    };
    for view in View::ALL {
        let examples = recordings.text(&format!("prompts/translate-{view}.txt"));
        for (index, record) in recordings.records("translate", view) {
            let problem = recordings.problems[index].view(view);
            for (key, truth) in [("init_prompt", problem.initial.relations()), ("goal_prompt", problem.goal.clone())] {
                let text = record[key].as_str().unwrap()[examples.len()..].trim_start_matches(';').replace("\n;", "\n");
                check(&text, &truth, &problem.objects());
            }
        }
        for (index, record) in recordings.records("plan", view) {
            let problem = recordings.problems[index].view(view);
            let query = record["query"].as_str().unwrap();
            let (_, task) = query.rsplit_once(&format!("{}\n", prompts::PLAN_STOP)).unwrap();
            let (state, rest) = task.split_once("\n\nGoal:\n").unwrap();
            check(state, &problem.initial.relations(), &problem.objects());
            check(rest.split_once("\n\n").unwrap().0, &problem.goal, &problem.objects());
        }
    }
    assert_eq!(texts, 1200);
}

#[test]
fn examples_of_prompts_agree_with_their_facts() {
    let Some(recordings) = Recordings::open() else { return };
    for view in View::ALL {
        let prompt = recordings.text(&format!("prompts/translate-{view}.txt"));
        for example in prompt.trim_end().split("\n\n") {
            let (words, facts): (Vec<&str>, Vec<&str>) = example.lines().partition(|line| line.starts_with(';'));
            let relations = english::parse(&source(words.join("\n").replace(';', "")), None).relations();
            assert_eq!(pddl::facts(&relations), facts.join("\n"));
        }
    }
}

proptest! {
    #[test]
    fn generated_texts_of_any_size_are_translated_exactly(seed: u64, objects in 1..50_usize) {
        let specs = specs::ProblemSpecs::from_yaml(&source(format!("- {{num_obj: {objects}}}"))).unwrap();
        let options = generate::GenerateOptions { seed, distinct_goal: false };
        let generated = generate::generate(&specs, &Vocabularies::default(), options).unwrap();
        for view in View::ALL.map(|view| generated[0].problem.view(view)) {
            for relations in [view.initial.relations(), view.goal.clone()] {
                check_both_ways(&english::text(&relations), &relations, &view.objects());
            }
        }
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in "([a-z ().;?\\r\\n-]|The |is on the |rests on the table\\.|\\(on|\\(and){0,40}") {
        let objects = ["a", "b"].into_iter().collect();
        let file = source(&*text);
        let parsed = english::parse(&file, Some(&objects));
        prop_assert_eq!(parsed.sentences, text.lines().filter(|line| !line.trim().is_empty()).count());
        for rules in [ReadingRules::Default, ReadingRules::Seed] {
            let translation = read(&file, &file, &objects, rules);
            for diagnostic in &translation.diagnostics {
                prop_assert!(diagnostic.span.is_none_or(|span| span.end as usize <= text.len()));
            }
        }
    }
}
