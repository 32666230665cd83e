//! Translations of sentences to planning problems, activities and games.

use std::sync::Arc;
use std::time::Duration;

use goalspec_llm::{Model, Request, ScriptedModel};
use goalspec_syntax::Sources;
use goalspec_words::pipeline::{Job, RunOptions, run};
use goalspec_words::record::Record;
use goalspec_words::translation::names::NameMap;
use goalspec_words::translation::stand_in::SentenceTranslator;
use goalspec_words::translation::target::{GameTarget, Target};
use goalspec_words::translation::task::{TranslationInputs, TranslationTask};
use goalspec_words::{Candidate, Status};

const DOMAIN: &str = "(define (domain tidy) (:requirements :strips :typing) (:types thing place - object)
    (:predicates (in ?t - thing ?p - place) (carried ?t - thing))
    (:action take :parameters (?t - thing ?p - place) :precondition (in ?t ?p) :effect (and (not (in ?t ?p)) (carried ?t)))
    (:action put :parameters (?t - thing ?p - place) :precondition (carried ?t) :effect (and (in ?t ?p) (not (carried ?t)))))";

const WORDS: &str = "The book is in the box. The torch is in the hall. The book should be in the hall.";

fn inputs(target: Target) -> TranslationInputs {
    let names = NameMap::parse("torch = lamp").unwrap();
    let objects = "book lamp - thing, box hall - place".to_owned();
    TranslationInputs { words: WORDS.to_owned(), target, objects, names, examples: Vec::new(), constraint: None }
}

fn pddl() -> Target {
    let mut sources = Sources::new();
    let id = sources.add("domain.pddl", DOMAIN);
    Target::pddl(sources.file(id), Duration::from_secs(5)).unwrap()
}

fn translate(task: &TranslationTask<'_>, model: &dyn Model, repairs: usize) -> Candidate {
    let jobs = [Job { id: "1".to_owned(), attempt: 0, task }];
    let options = RunOptions { max_repairs: repairs, threads: 1 };
    run(&jobs, model, options, &Record::in_memory(), &|_, _| ()).unwrap().candidates.pop().unwrap()
}

#[test]
fn facts_carry_their_source_sentences() {
    let inputs = inputs(pddl());
    let task = TranslationTask::new(&inputs, &Request::chat(None, Vec::new()));
    let candidate = translate(&task, &SentenceTranslator, 0);
    assert_eq!(candidate.status, Status::Accepted, "{:#?}", candidate.result());
    let (program, facts) = task.annotated(candidate.program().unwrap());
    let found: Vec<(&str, Option<usize>)> = facts.iter().map(|fact| (&*fact.text, fact.sentence)).collect();
    assert_eq!(found, [("(in book box)", Some(1)), ("(in lamp hall)", Some(2)), ("(in book hall)", Some(3))]);
    assert!(program.contains("; 2. The torch is in the hall.\n        (in lamp hall)"), "{program}");
    assert_eq!(
        candidate.result().unwrap().results["plan"]["steps"],
        serde_json::json!(["(take book box)", "(put book hall)"])
    );
    // What the command writes, it reads.
    let mut sources = Sources::new();
    let id = sources.add("p.pddl", program);
    assert!(goalspec_pddl::parse(sources.file(id)).diagnostics.is_empty());
}

fn problem(init: &str, goal: &str) -> String {
    format!(
        "```\n(define (problem p) (:domain tidy) (:objects book lamp - thing box hall - place) (:init {init}) (:goal {goal}))\n```"
    )
}

#[test]
fn findings_name_the_nearest_object_and_repairs_end_them() {
    let inputs = inputs(pddl());
    let task = TranslationTask::new(&inputs, &Request::chat(None, Vec::new()));
    let wrong = problem("; 1\n (in book box)\n; 2\n (in lmp hall)", "(in book hall)");
    let right = problem("; 1\n (in book box)\n; 2\n (in lamp hall)", "\n; 3\n(in book hall)");
    let candidate = translate(&task, &ScriptedModel::with_texts([wrong, right]), 3);
    assert_eq!((candidate.status, candidate.repairs), (Status::Accepted, 1));
    let feedback = &candidate.turns[2].text;
    assert!(feedback.contains("lmp") && feedback.contains("`lamp`"), "{feedback}");
}

#[test]
fn goals_that_hold_or_cannot_be_reached_are_warnings() {
    let inputs = inputs(pddl());
    let task = TranslationTask::new(&inputs, &Request::chat(None, Vec::new()));
    for (init, goal, code) in [
        ("(in book box) (in lamp hall)", "(in book box)", "words/goal-holds"),
        ("(in book box)", "(carried lamp)", "words/no-plan"),
    ] {
        let candidate = translate(&task, &ScriptedModel::with_texts([problem(init, goal)]), 0);
        assert_eq!(candidate.status, Status::AcceptedWithWarnings);
        let codes: Vec<&str> =
            candidate.result().unwrap().findings.iter().map(|finding| finding.code.as_str()).collect();
        assert!(codes.contains(&code), "{codes:?}");
    }
}

#[test]
fn a_part_of_the_domain_that_the_problem_does_not_need_is_a_note_without_a_place() {
    // The action begins behind the end of the program.
    let action = "(:action unlock :parameters (?p - place) :precondition (locked ?p) :effect (not (locked ?p)))";
    let comment = "; The domain of a house.\n".repeat(100);
    let domain = DOMAIN.replace("(carried ?t - thing))", "(carried ?t - thing) (locked ?p - place))");
    let domain = format!("{comment}{} {action})", domain.trim_end().strip_suffix(')').unwrap());
    let mut sources = Sources::new();
    let id = sources.add("domain.pddl", domain);
    let inputs = inputs(Target::pddl(sources.file(id), Duration::from_secs(5)).unwrap());
    let task = TranslationTask::new(&inputs, &Request::chat(None, Vec::new()));
    let candidate = translate(&task, &SentenceTranslator, 3);
    assert_eq!((&candidate.status, candidate.repairs), (&Status::Accepted, 0), "{:#?}", candidate.result());
    let findings = &candidate.result().unwrap().findings;
    assert!(findings.iter().any(|finding| finding.message.contains("`unlock` is never applicable")), "{findings:#?}");
    assert!(findings.iter().all(|finding| finding.place.is_none()), "{findings:#?}");
}

#[test]
fn any_reply_gives_a_candidate_without_a_panic() {
    let inputs = inputs(pddl());
    let task = TranslationTask::new(&inputs, &Request::chat(None, Vec::new()));
    for reply in [
        "",
        "(",
        "(define (problem p))",
        "(define (domain tidy))",
        "```\n(define (problem a) (:domain tidy)) (define (problem b) (:domain tidy))\n```",
        "no",
    ] {
        let candidate = translate(&task, &ScriptedModel::with_texts([reply]), 0);
        assert!(matches!(candidate.status, Status::Rejected(_)), "{reply}: {:?}", candidate.status);
    }
}

#[test]
fn activities_are_checked_and_grounded() {
    let target = Target::builtin_bddl("omnigibson").unwrap();
    let inputs = TranslationInputs {
        objects: String::new(),
        words: "The plant is on the floor. Put the plant on the shelf.".to_owned(),
        ..inputs(target)
    };
    let task = TranslationTask::new(&inputs, &Request::chat(None, Vec::new()));
    let activity = |goal: &str| {
        format!(
            "```lisp\n(define (problem p-0) (:domain omnigibson) (:objects plant.n.01_1 - plant.n.01 floor.n.01_1 - floor.n.01 shelf.n.01_1 - \
             shelf.n.01 agent.n.01_1 - agent.n.01) (:init ; 1\n (ontop plant.n.01_1 floor.n.01_1) (inroom floor.n.01_1 kitchen) (inroom \
             shelf.n.01_1 kitchen) (ontop agent.n.01_1 floor.n.01_1)) (:goal (and {goal})))\n```"
        )
    };
    let good = translate(&task, &ScriptedModel::with_texts([activity("(ontop ?plant.n.01_1 ?shelf.n.01_1)")]), 0);
    assert!(good.status.is_accepted(), "{:#?}", good.result());
    let contradiction = activity("(ontop ?plant.n.01_1 ?shelf.n.01_1) (not (ontop ?plant.n.01_1 ?shelf.n.01_1))");
    let bad = translate(&task, &ScriptedModel::with_texts([contradiction]), 0);
    assert!(
        bad.result().unwrap().findings.iter().any(|finding| finding.code == "words/unsatisfiable-goal"),
        "{:#?}",
        bad.result()
    );
    assert!(Target::builtin_bddl("omnigibsn").unwrap_err().help[0].contains("omnigibson"));
}

#[test]
fn games_are_checked_in_their_world() {
    let world = goalspec_game::worlds::builtin("few-objects-room-v1").unwrap().clone();
    let target = Target::Game(GameTarget { world: Arc::new(world), traces: Vec::new() });
    let inputs = TranslationInputs {
        objects: String::new(),
        words: "A ball lies on the bed at the end.".to_owned(),
        ..inputs(target)
    };
    let task = TranslationTask::new(&inputs, &Request::chat(None, Vec::new()));
    let game = |predicate: &str| {
        format!(
            "```\n(define (game demo) (:domain few-objects-room-v1) (:constraints (preference onBed (exists (?b - ball) (at-end ({predicate} bed \
             ?b))))) (:scoring (count onBed)))\n```"
        )
    };
    let candidate = translate(&task, &ScriptedModel::with_texts([game("onn"), game("on")]), 1);
    assert!(candidate.status.is_accepted(), "{:#?}", candidate.result());
    assert_eq!(candidate.repairs, 1);
    assert!(candidate.turns[2].text.contains("`on`"), "{}", candidate.turns[2].text);
}
