//! Planning problems on the command line.

use crate::common::{Done, Folder, GOALSPEC, finish};

const DOMAIN: &str =
    "(define (domain lamps)\n    (:predicates (lit ?l))\n    (:action light :parameters (?l) :effect (lit ?l))\n)\n";

fn problem(name: &str, goal: &str) -> String {
    format!("(define (problem {name}) (:domain LAMPS) (:objects a) (:init) (:goal {goal}))\n")
}

#[test]
fn problems_find_their_domain_beside_them() {
    for name in ["domain.pddl", "p-domain.pddl", "domain-p.pddl", "my_domain_of_lamps.pddl"] {
        let folder = Folder::new();
        folder.write(name, DOMAIN);
        folder.write("p.pddl", problem("p", "(lit a)"));
        folder.write("other-domain.pddl", "(define (domain other) (:predicates (p)) (:action a :effect (p)))");
        let done = folder.run("check p.pddl");
        assert_eq!(done.code, Some(0), "{name}: {}{}", done.out, done.err);
        assert!(done.out.contains("1 program and 1 domain checked, no diagnostics"), "{name}: {}", done.out);
    }
}

#[test]
fn the_nearest_domain_of_a_name_is_taken() {
    let folder = Folder::new();
    let other = DOMAIN.replace("lit", "dark");
    folder.write("a-domain.pddl", DOMAIN);
    folder.write("b-domain.pddl", &other);
    folder.write("a.pddl", problem("a", "(lit a)"));
    folder.write("b.pddl", problem("b", "(dark a)"));
    let done = folder.run("check a.pddl b.pddl a-domain.pddl b-domain.pddl");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let done = folder.run("check --domain b-domain.pddl a.pddl");
    assert_eq!(done.code, Some(1), "{}", done.out);
    assert!(done.out.contains("unknown predicate `lit`"), "{}", done.out);
}

#[test]
fn each_problem_finds_the_domain_with_its_name() {
    for names in [["domain_p01.pddl", "domain_p02.pddl"], ["p01-domain.pddl", "p02-domain.pddl"]] {
        let folder = Folder::new();
        folder.write(names[0], DOMAIN);
        folder.write(names[1], DOMAIN.replace("lit", "dark"));
        for (problem_name, goal) in [("p01", "(lit a)"), ("p02", "(dark a)"), ("p02-large", "(dark a)")] {
            if names[0].starts_with("domain_") && problem_name == "p02-large" {
                continue;
            }
            folder.write(&format!("{problem_name}.pddl"), problem(problem_name, goal));
            let done = folder.run(&format!("plan {problem_name}.pddl"));
            assert_eq!(done.code, Some(0), "{names:?} {problem_name}: {}{}", done.out, done.err);
            let domain = names[usize::from(problem_name != "p01")];
            assert_eq!(done.err, format!("the domain is read from {domain}\n"), "{names:?} {problem_name}");
        }
        let done = folder.run("check p01.pddl p02.pddl");
        assert_eq!(done.code, Some(0), "{names:?}: {}", done.out);
        assert!(done.out.contains("2 programs and 2 domains checked"), "{names:?}: {}", done.out);
    }
}

#[test]
fn the_usual_file_defines_a_domain_of_another_name() {
    let folder = Folder::new();
    folder.write("p-domain.pddl", DOMAIN.replace("lamps", "lights"));
    folder.write("p.pddl", problem("p", "(lit a)"));
    let done = folder.run("check --format line p.pddl");
    assert_eq!(done.code, Some(0), "{}", done.out);
    let warning = "the problem is of the domain `LAMPS`, but is read with `lights`";
    assert!(done.out.contains(warning), "{}", done.out);
    let done = folder.run("plan p.pddl");
    assert_eq!((done.code, done.out.lines().next()), (Some(0), Some("(light a)")), "{}", done.err);
}

#[test]
fn byte_order_marks_do_not_hide_the_language() {
    let folder = Folder::new();
    folder.write("domain.pddl", format!("\u{feff}{DOMAIN}"));
    folder.write("p.pddl", format!("\u{feff}{}", problem("p", "(lit a)")));
    let done = folder.run("plan p.pddl");
    assert_eq!((done.code, done.out.lines().next()), (Some(0), Some("(light a)")), "{}", done.err);
}

#[test]
fn warnings_are_shown_in_full_only_without_a_plan() {
    let folder = Folder::new();
    folder.write("domain.pddl", DOMAIN.replace("(:predicates (lit ?l))", "(:predicates (lit ?l) (dusty ?l))"));
    folder.write("solvable.pddl", problem("p", "(lit a)"));
    let done = folder.run("plan solvable.pddl");
    assert_eq!(done.err, "1 warning about the problem; use `goalspec check` to show all\n");
    folder.write("unsolvable.pddl", problem("p", "(and (lit a) (dusty a))"));
    let done = folder.run("plan unsolvable.pddl");
    assert_eq!(done.code, Some(3), "{}", done.out);
    assert!(done.err.contains("warning[pddl/unreachable-goal]"), "{}", done.err);
    assert_eq!(done.err.matches("pddl/unreachable-goal").count(), 1, "{}", done.err);
}

#[test]
fn an_unreachable_part_of_the_goal_is_named() {
    let folder = Folder::new();
    folder.write(
        "domain.pddl",
        "(define (domain doors) (:predicates (open ?d) (shut ?d) (lit ?d))
            (:action light :parameters (?d) :precondition (open ?d) :effect (lit ?d))
            (:action open :parameters (?d) :precondition (lit ?d) :effect (open ?d))
            (:action shut :parameters (?d) :effect (shut ?d)))",
    );
    folder.write(
        "p.pddl",
        "(define (problem p) (:domain doors) (:objects a) (:init)\n (:goal (and (shut a)\n (open a))))",
    );
    let done = folder.run("plan p.pddl");
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    assert_eq!(done.err.matches("unreachable goal condition").count(), 1, "{}", done.err);
    assert!(done.err.contains("p.pddl:3:2"), "{}", done.err);
}

#[test]
fn a_problem_without_its_domain_is_reported() {
    let folder = Folder::new();
    folder.write("p.pddl", problem("p", "(lit a)"));
    let done = folder.run("check --format line p.pddl");
    assert_eq!(done.code, Some(1));
    assert!(done.out.contains("error[pddl/unknown-domain]: unknown domain `LAMPS`"), "{}", done.out);
    // The help is the same for all commands, including those without `--domain`.
    let done = folder.run("plan p.pddl");
    assert!(done.err.contains("before the problem") && !done.err.contains("--domain"), "{}", done.err);
    assert_eq!(folder.run("check --domain missing.pddl p.pddl").code, Some(1));
}

#[test]
fn domain_and_problems_may_share_a_file() {
    let folder = Folder::new();
    let text = format!("{DOMAIN}{}{}", problem("p", "(lit a)"), problem("q", "(lit b)"));
    folder.write("all.pddl", &text);
    let done = folder.run("check --format line all.pddl");
    assert_eq!(done.code, Some(1));
    assert_eq!(done.out.lines().filter(|line| line.contains("error")).count(), 1, "{}", done.out);
    assert!(done.out.contains("unknown object `b`"), "{}", done.out);
}

#[test]
fn durative_actions_are_notes_in_check() {
    let folder = Folder::new();
    folder.write(
        "domain.pddl",
        "(define (domain lamps) (:requirements :durative-actions) (:predicates (lit ?l))
            (:durative-action light :parameters (?l) :duration (= ?duration 2) :condition () :effect (at end (lit ?l))))",
    );
    folder.write("p.pddl", problem("p", "(lit a)"));
    let done = folder.run("check --format line p.pddl");
    assert_eq!(done.code, Some(0), "{}", done.out);
    assert!(done.out.contains("note[pddl/unsupported]"), "{}", done.out);
    let described = folder.run("describe p.pddl");
    assert_eq!(described.code, Some(0));
    assert!(described.out.contains("the problem p") && described.out.contains("(durative)"), "{}", described.out);
}

#[test]
fn requirements_are_added_and_files_laid_out() {
    let folder = Folder::new();
    folder.write("domain.pddl", DOMAIN.replace(":effect (lit ?l)", ":precondition (not (lit ?l)) :effect (lit ?l)"));
    let done = folder.run("check --fix domain.pddl");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let text = folder.read("domain.pddl");
    assert!(text.contains("(:requirements :strips :negative-preconditions)"), "{text}");
    assert_eq!(folder.run("fmt domain.pddl").code, Some(0));
    assert_eq!(folder.run("fmt --check domain.pddl").code, Some(0));
    assert!(folder.run("explain pddl/unsupported").out.contains("Durative actions"));
}

#[test]
fn examples_are_sound_and_laid_out() {
    let folder = Folder::new();
    let done = folder.run("check --deny-warnings examples/pddl");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let done = folder.run("fmt --check examples/pddl/delivery/domain.pddl examples/pddl/delivery/one_van.pddl examples/pddl/delivery/two_vans.pddl examples/pddl/supper");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
}

#[test]
fn errors_of_domain_and_problem_are_found_together() {
    let folder = Folder::new();
    let domain = |condition: &str| {
        format!(
            "(define (domain d) (:requirements :strips :typing) (:types block) (:predicates (clear ?x - block))
                (:action a :parameters (?x - block) :precondition {condition} :effect (not (clear ?x))))"
        )
    };
    let problem = "(define (problem p) (:domain d) (:objects a - blok) (:init (clear a)) (:goal (clera a)))";
    folder.write("p.pddl", problem);
    let errors = |done: &Done| {
        let lines = done.out.lines().filter(|line| line.contains("error["));
        lines.map(|line| line.split("error[").nth(1).unwrap_or("").split(']').next().unwrap_or("").to_owned()).collect()
    };
    for (condition, codes) in [
        ("(adn (clear ?x))", "pddl/unknown-operator"),
        ("(and (claer ?x))", "pddl/unknown-predicate"),
        ("(not)", "pddl/missing-part"),
    ] {
        folder.write("d.pddl", domain(condition));
        let found: Vec<String> = errors(&folder.run("check --format line d.pddl p.pddl"));
        assert_eq!(found, [codes, "pddl/unknown-type", "pddl/unknown-predicate"], "{condition}");
    }
    // Declarations of a domain with errors are not checked in problems.
    folder.write("d.pddl", domain("()").replace("(:types block)", "(:types block -)"));
    let found: Vec<String> = errors(&folder.run("check --format line d.pddl p.pddl"));
    assert_eq!(found, ["pddl/missing-part"]);
}

#[test]
fn files_of_unexpected_kinds_are_named() {
    let folder = Folder::new();
    folder.write("lamps/domain.pddl", DOMAIN);
    folder.write("lamps/p.pddl", problem("p", "(lit a)"));
    folder.write("lamps/q.pddl", problem("q", "(lit a)"));
    folder.write("one/domain.pddl", DOMAIN);
    folder.write("one/p.pddl", problem("p", "(lit a)"));
    folder.write("two.pddl", format!("{DOMAIN}{}{}", problem("p", "(lit a)"), problem("q", "(lit a)")));
    assert_eq!(folder.run("plan one").code, Some(0));
    let (domain, p, q) = ("lamps/domain.pddl", "lamps/p.pddl", "lamps/q.pddl");
    for (arguments, texts) in [
        (
            format!("plan {p} {q}"),
            ["expected a domain in `lamps/p.pddl`, found the problem `p`", "one problem per run"],
        ),
        (
            format!("plan {p} {domain}"),
            ["found the problem `p`", "pass the domain first: `lamps/domain.pddl` `lamps/p.pddl`"],
        ),
        (format!("plan {domain}"), ["`lamps/domain.pddl` contains the domain `lamps`", "pass the file of a problem"]),
        ("plan lamps".to_owned(), ["found 2: `lamps/p.pddl`, `lamps/q.pddl`", "select one of them"]),
        ("plan two.pddl".to_owned(), ["found 2: `two.pddl#p`, `two.pddl#q`", "a separate file"]),
        (format!("validate {p} {q} {p}"), ["expected a domain in", "found the problem `p`"]),
        ("validate - -".to_owned(), ["`-` is given twice", "one file"]),
    ] {
        let done = folder.run(&arguments);
        assert_eq!(done.code, Some(2), "{arguments}: {}", done.all());
        assert!(texts.iter().all(|text| done.err.contains(text)), "{arguments}: {}", done.err);
    }
}

#[test]
fn any_single_file_may_be_the_standard_input() {
    let folder = Folder::new();
    let p = problem("p", "(lit a)");
    folder.write("domain.pddl", DOMAIN);
    folder.write("p.pddl", &p);
    folder.write("p.plan", "(light a)\n");
    for (arguments, input) in [
        ("plan domain.pddl -", &*p),
        ("plan - p.pddl", DOMAIN),
        ("validate domain.pddl - p.plan", &*p),
        ("validate - p.pddl p.plan", DOMAIN),
        ("validate p.pddl -", "(light a)\n"),
        ("check domain.pddl -", &*p),
    ] {
        let done = folder.run_with(arguments, input.as_bytes());
        assert_eq!(done.code, Some(0), "{arguments}: {}", done.all());
    }
    // The states go to standard output, and all other output to standard error.
    for arguments in ["plan --trace - p.pddl", "validate --trace - p.pddl p.plan"] {
        let done = folder.run(arguments);
        assert_eq!(done.code, Some(0), "{}", done.all());
        assert!(done.out.lines().count() == 3 && done.out.lines().all(|line| line.starts_with('{')), "{}", done.out);
        assert!(done.err.contains("(light a)") || done.err.contains("valid: 1 step"), "{}", done.err);
    }
}

#[test]
fn activities_and_planning_problems_on_standard_input_are_distinguished() {
    let folder = Folder::new();
    let activity = "(define (problem drawer) (:domain workshop) (:objects bowl_1 - bowl table_1 - table)
        (:init (on bowl_1 table_1)) (:goal (not (on bowl_1 table_1))))\n";
    let sections = activity.replace("(:objects", "(:language open the drawer) (:objects");
    for (arguments, input, expected) in [
        ("check --format line -", activity, "pddl/unknown-domain"),
        ("check --format line --dialect strict -", activity, "bddl/unknown-domain"),
        ("check --format line --quantifiers documented -", activity, "bddl/unknown-domain"),
        ("check --format line --dialect libero -", &*sections, "bddl/unknown-domain"),
        ("check --format line -", &*sections, "bddl/libero-sections"),
    ] {
        let done = folder.run_with(arguments, input.as_bytes());
        assert!(done.out.contains(expected), "{arguments}: {}", done.all());
    }
}

#[test]
fn unnamed_preferences_are_distinguished() {
    let folder = Folder::new();
    folder.write(
        "domain.pddl",
        DOMAIN.replace(
            "(:predicates",
            "(:requirements :strips :preferences :negative-preconditions :constraints)\n    (:predicates",
        ),
    );
    let goal = "(and (preference (lit a)) (preference (not (lit a))) (preference named (lit a)))";
    folder.write("p.pddl", problem("p", goal));
    folder.write("p.plan", "(light a)\n");
    let done = folder.run("validate p.pddl p.plan");
    assert_eq!(done.code, Some(0), "{}", done.all());
    for text in [
        "preference named: satisfied",
        "preference `(lit a)` at p.pddl:1:",
        "preference `(not (lit a))` at p.pddl:1:",
        ": violated 1 time\n",
    ] {
        assert!(done.out.contains(text), "{text}: {}", done.out);
    }
    assert_eq!(done.out.matches("violated").count(), 1, "{}", done.out);
    let done = folder.run("validate --format json p.pddl p.plan");
    let record: serde_json::Value = serde_json::from_str(&done.out).expect("it is JSON");
    assert!(record["preferences"][0]["text"].as_str().is_some_and(|text| text.contains("(not (lit a))")));
}

#[test]
fn a_requirement_is_removed_with_its_blank() {
    let folder = Folder::new();
    let requiring = |list: &str| DOMAIN.replace("(:predicates", &format!("(:requirements {list})\n    (:predicates"));
    folder.write("p.pddl", problem("p", "(lit a)").replace("(:objects", "(:requirements :strips :typing) (:objects"));
    for (list, left) in [
        (":strips :typing :action-costs", "(:requirements :strips)"),
        (":typing :strips :action-costs", "(:requirements :strips)"),
        (":strips :typing :adl", "(:requirements :strips :adl)"),
        (":typing", "(:requirements)"),
    ] {
        folder.write("domain.pddl", requiring(list));
        let done = folder.run("check --fix domain.pddl p.pddl");
        assert_eq!(done.code, Some(0), "{}", done.all());
        let text = folder.read("domain.pddl");
        assert!(text.contains(left), "{list}: {text}");
    }
    folder.write("domain.pddl", DOMAIN);
    folder.write("p.pddl", problem("p", "(lit a)").replace("(:objects", "(:requirements :strips :typing) (:objects"));
    let done = folder.run("check --format line p.pddl");
    let note = "note[pddl/superfluous-requirement]: unused requirement `:typing`";
    assert!(done.out.contains(note), "{}", done.out);
    assert_eq!(folder.run("check --fix p.pddl").code, Some(0));
    assert!(folder.read("p.pddl").contains("(:requirements :strips) (:objects"), "{}", folder.read("p.pddl"));
}

/// Returns a shell that limits the address space of the command, in KiB.
#[cfg(target_os = "linux")]
fn limited(folder: &Folder, addresses: u64, arguments: &str) -> Done {
    let mut command = folder.command("sh");
    command.args(["-c", &format!("ulimit -v {addresses} && exec {GOALSPEC} {arguments}")]);
    finish(&mut command, b"")
}

/// Returns a problem with `count` switches, whose states are the subsets of the switches.
#[cfg(target_os = "linux")]
fn switches(count: usize) -> String {
    let objects: String = (0..count).map(|number| format!(" s{number}")).collect();
    let each = |predicate: &str| (0..count).map(|number| format!("({predicate} s{number}) ")).collect::<String>();
    format!(
        "(define (domain switches) (:requirements :strips) (:predicates (off ?x) (lit ?x))
            (:action on :parameters (?x) :precondition (off ?x) :effect (and (lit ?x) (not (off ?x))))
            (:action out :parameters (?x) :precondition (lit ?x) :effect (and (off ?x) (not (lit ?x)))))
        (define (problem all) (:domain switches) (:objects{objects})
            (:init {}) (:goal (and {})))",
        each("off"),
        each("lit")
    )
}

#[cfg(target_os = "linux")]
#[test]
fn addresses_that_run_out_are_memory_that_runs_out() {
    let folder = Folder::new();
    folder.write("switches.pddl", switches(40));
    for addresses in [150_000, 400_000] {
        let done = limited(&folder, addresses, "plan --search astar-blind switches.pddl");
        assert_eq!(done.code, Some(5), "{}", done.all());
        assert!(done.out.contains("; memory limit reached without a plan"), "{}", done.all());
        let (_, reduced) = done.err.split_once("--memory-limit of 4096 MB reduced to ").unwrap();
        let (megabytes, reason) = reduced.split_once(" MB").unwrap();
        // The program itself occupies a part of the addresses.
        assert!(megabytes.parse::<u64>().unwrap() < addresses / 2048, "{}", done.err);
        assert!(reason.contains("ulimit -v"), "{}", done.err);
    }
}

#[cfg(unix)]
#[test]
fn control_c_ends_grounding_with_words_of_its_own() {
    let folder = Folder::new();
    let objects: String = (0..70).map(|number| format!(" o{number}")).collect();
    folder.write(
        "wide.pddl",
        format!(
            "(define (domain wide) (:requirements :strips) (:predicates (p ?x) (q ?x ?y))
                (:action a :parameters (?w ?x ?y ?z) :precondition (and (p ?w) (p ?x)) :effect (and (q ?y ?z) (p ?y))))
            (define (problem wide) (:domain wide) (:objects{objects}) (:init (p o0)) (:goal (q o1 o2)))"
        ),
    );
    let mut command = folder.command("sh");
    // Background processes of a shell ignore Ctrl-C, so `exec` makes the command itself this process.
    let interrupt = "(sleep 2; kill -INT $$) & exec \"$0\" plan --format json wide.pddl";
    command.args(["-c", interrupt, GOALSPEC]);
    let done = finish(&mut command, b"");
    assert_eq!(done.code, Some(130), "{}", done.all());
    assert!(done.err.contains("interrupted while grounding, before a plan was found"), "{}", done.all());
    assert!(!done.err.contains("cannot plan `"), "{}", done.err);
    let record: serde_json::Value = serde_json::from_str(&done.out).unwrap_or_else(|_| panic!("{}", done.all()));
    assert_eq!((&record["stop_reason"], &record["stage"]), (&"cancelled".into(), &"grounding".into()), "{}", done.out);
}
