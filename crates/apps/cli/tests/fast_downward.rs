//! `goalspec plan --engine fast-downward`: with a script in place of Fast Downward, and with Fast Downward if it is installed.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{Done, Folder, GOALSPEC, finish, root};
use serde_json::Value;

const VAN: &str = "examples/pddl/delivery/one_van.pddl";

/// The plan of `one_van`, in the format of Fast Downward.
const PLAN: &str = "(load books red depot)\n(drive red depot mill)\n(load shoes red mill)\n(drive red mill harbour)\n\
    (unload books red harbour)\n(drive red harbour mill)\n(drive red mill depot)\n(unload shoes red depot)\n; cost = 14 (general cost)\n";

/// Returns a folder with a script that is called like Fast Downward; the plan is written to `$plan`.
fn folder(script: &str) -> Folder {
    let folder = Folder::new();
    let text = format!("#!/bin/sh\n[ \"$1\" = --plan-file ] || exit 36\nplan=$2\n{script}\n");
    let path = folder.write("engine", text);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    folder.write("best.plan", PLAN);
    folder
}

fn run(folder: &Folder, arguments: &str) -> Done {
    folder.run(&format!("plan --engine fast-downward --engine-path engine {arguments}"))
}

/// Returns a script that finds a plan.
fn writes(folder: &str) -> String {
    format!("cp {folder}/best.plan $plan")
}

#[test]
fn external_plans_are_validated_like_internal_ones() {
    let folder =
        folder("cp \"${0%/*}/best.plan\" $plan\nprintf 'Translator variables: 3\\nx Expanded 12 state(s).\\n'");
    let done = run(&folder, &format!("--statistics {VAN}"));
    assert_eq!(done.code, Some(0), "{}", done.all());
    let steps = PLAN.lines().filter(|line| line.starts_with('('));
    assert!(steps.eq(done.out.lines().filter(|line| line.starts_with('('))), "{}", done.out);
    assert!(done.out.contains("; metric = 14\n") && done.out.contains("12 states expanded"), "{}", done.out);
    assert!(done.out.contains("; search Fast Downward, lama-first: "), "{}", done.out);
    // A plan without its last step is rejected.
    let text = folder.read("best.plan").replace("(unload shoes red depot)\n", "");
    folder.write("best.plan", text);
    let done = run(&folder, &format!("--format json {VAN}"));
    let record: Value = serde_json::from_str(&done.out).expect("it is JSON");
    assert_eq!((done.code, &record["valid"]), (Some(1), &Value::Bool(false)), "{}", done.all());
    // A plan with an undefined action is rejected.
    folder.write("best.plan", "(fly red)\n");
    let done = run(&folder, VAN);
    assert!(
        done.code == Some(1) && done.err.contains("invalid plan file of Fast Downward: unknown action `fly`"),
        "{}",
        done.all()
    );
}

#[test]
fn options_are_passed_to_the_engine() {
    let folder = folder("shift 2; echo \"$@\" > \"${0%/*}/arguments\"; cp domain.pddl \"${0%/*}/given\"; exit 11");
    let done = run(&folder, &format!("--time-limit 1.5 --memory-limit 300 {VAN}"));
    assert_eq!(done.code, Some(3), "{}", done.all());
    let limits = "--overall-time-limit 2s --overall-memory-limit 300M";
    assert_eq!(folder.read("arguments").trim(), format!("{limits} --alias lama-first domain.pddl problem.pddl"));
    let domain = folder.read("examples/pddl/delivery/domain.pddl");
    assert!(domain.contains(folder.read("given").trim()), "the domain is given as it was written");
    run(&folder, &format!("--improve --memory-limit 300 {VAN}"));
    assert!(folder.read("arguments").contains("--alias lama domain.pddl"));
    run(&folder, &format!("--optimal --memory-limit 300 {VAN}"));
    assert!(folder.read("arguments").contains("domain.pddl problem.pddl --search astar(lmcut())"));
    // Preferences are compiled away in the input of Fast Downward.
    folder.write("neat.pddl", NEAT);
    let done = run(&folder, "neat.pddl");
    assert_eq!(done.code, Some(3), "{}", done.all());
    let given = folder.read("given");
    assert!(given.contains("(domain written)") && !given.contains("preference"), "{given}");
}

const NEAT: &str = "(define (domain room) (:requirements :strips :preferences) (:predicates (neat) (lit))
    (:action light :parameters () :precondition () :effect (lit)))
(define (problem neat) (:domain room) (:init (neat)) (:goal (and (lit) (preference n (neat))))
    (:metric minimize (is-violated n)))";

#[test]
fn unsupported_tasks_are_rewritten_or_reported() {
    let folder = folder("cp domain.pddl \"${0%/*}/given\"; cp problem.pddl \"${0%/*}/problem\"; exit 11");
    let domain = |rest: &str| {
        format!(
            "(define (domain d) (:requirements :strips :fluents) (:predicates (p)) (:functions (total-cost) (fuel))
                {rest})
            (define (problem x) (:domain d) (:init (= (total-cost) 0) (= (fuel) 3)) (:goal (p)))"
        )
    };
    // A requirement that Fast Downward does not support and the domain does not use, and an action without an effect.
    let act = "(:action act :parameters () :effect (and (p) (increase (total-cost) 1)))";
    folder.write("costs.pddl", domain(&format!("{act} (:action rest :parameters ())")));
    let done = run(&folder, "costs.pddl");
    assert_eq!(done.code, Some(3), "{}", done.all());
    let given = folder.read("given");
    assert!(given.contains(":action-costs") && !given.contains("fluents"), "{given}");
    assert!(given.contains("(increase (total-cost) 1)") && given.matches(":effect").count() == 2, "{given}");
    for (action, text) in [
        ("(:action act :precondition (> (fuel) 1) :effect (p))", "found `(> (fuel) 1)`"),
        ("(:action act :effect (and (p) (decrease (fuel) 1)))", "found `(decrease (fuel) 1)`"),
    ] {
        folder.write("fuel.pddl", domain(action));
        let done = run(&folder, "fuel.pddl");
        assert!(done.code == Some(1) && done.err.contains("numeric fluents other than action costs"), "{}", done.all());
        assert!(done.err.contains(text), "{}", done.err);
    }
}

#[test]
fn tasks_without_landmark_cuts_are_searched_without_a_heuristic() {
    let script = format!("case \"$*\" in *lmcut*) echo 'no axioms' >&2; exit 34;; esac; {}", writes("\"${0%/*}\""));
    let folder = folder(&script);
    let done = run(&folder, &format!("--optimal --statistics {VAN}"));
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert!(done.out.contains("; search Fast Downward, astar(blind())"), "{}", done.out);
    // Other searches are not retried; a second failure is final.
    let folder = self::folder("echo x >> \"${0%/*}/asked\"; exit 34");
    assert_eq!((run(&folder, VAN).code, folder.read("asked").lines().count()), (Some(1), 1));
    assert_eq!((run(&folder, &format!("--optimal {VAN}")).code, folder.read("asked").lines().count()), (Some(1), 3));
}

/// Returns a problem in which each step adds to a number, with a metric.
fn counting(number: &str, metric: &str) -> String {
    format!(
        "(define (domain d) (:requirements :strips :fluents) (:predicates (p)) (:functions ({number}))
            (:action act :parameters () :effect (and (p) (increase ({number}) 1))))
        (define (problem x) (:domain d) (:init (= ({number}) 0)) (:goal (p)) (:metric {metric}))"
    )
}

#[test]
fn metrics_with_the_same_best_plans_are_put_so_that_it_reads_them() {
    let folder = folder("cp problem.pddl \"${0%/*}/problem\"; exit 11");
    for (metric, is_kept) in [
        ("minimize (total-cost)", true),
        ("minimize (+ 3 (total-cost))", true),
        ("minimize (* 2 (total-cost))", true),
        ("maximize (- 3 (/ (total-cost) 2))", true),
        ("minimize 3", false),
        ("maximize (* 0 (total-cost))", false),
        ("minimize (total-time)", false),
        ("maximize (- (total-time))", false),
    ] {
        folder.write("p.pddl", counting("total-cost", metric));
        let done = run(&folder, "--optimal p.pddl");
        assert_eq!(done.code, Some(3), "{metric}: {}", done.all());
        let given = folder.read("problem");
        assert_eq!(given.contains("(:metric minimize (total-cost))"), is_kept, "{metric}: {given}");
        assert_eq!(given.contains(":metric"), is_kept, "{metric}: {given}");
    }
    for metric in ["maximize (total-cost)", "maximize (total-time)", "minimize (* (total-cost) (total-cost))"] {
        folder.write("p.pddl", counting("total-cost", metric));
        let done = run(&folder, "--optimal p.pddl");
        assert_eq!(done.code, Some(1), "{metric}: {}", done.all());
        assert!(done.err.contains(&format!("found `(:metric {metric})`")), "{metric}: {}", done.err);
    }
}

#[test]
fn unsupported_elements_are_named_as_written() {
    let folder = folder("exit 11");
    folder.write("p.pddl", counting("fuel-used", "minimize (fuel-used)"));
    let mut command = folder.command(GOALSPEC);
    command.args(["plan", "--engine", "fast-downward", "--engine-path", "engine", "--goal", "(< (fuel-used) 3)"]);
    let done = finish(command.arg("p.pddl"), b"");
    assert_eq!(done.code, Some(1), "{}", done.all());
    assert!(done.err.contains("found `(< (fuel-used) 3)`"), "{}", done.err);
    // Both names at once.
    let both = counting("fuel-used", "minimize (+ (fuel-used) (total-time))");
    folder.write("p.pddl", both.replace("(:functions ", "(:functions (total-cost) "));
    let done = run(&folder, "p.pddl");
    assert!(done.code == Some(1) && done.err.contains("found `(increase (fuel-used) 1)`"), "{}", done.all());
}

#[test]
fn a_program_that_is_another_is_named() {
    let folder = Folder::new();
    let done = folder.run(&format!("plan --engine fast-downward --engine-path /bin/false {VAN}"));
    assert_eq!(done.code, Some(1), "{}", done.all());
    for text in ["false` ended with exit code 1", "wrote no plan file", "--engine-path", "fast-downward.py"] {
        assert!(done.err.contains(text), "{text}: {}", done.err);
    }
}

#[test]
fn exit_codes_are_mapped() {
    for (exit, code, text) in [
        (10, 3, "unsolvable (proved)"),
        (11, 3, "unsolvable (proved)"),
        (12, 6, "incomplete search"),
        (20, 5, "limit reached without a plan"),
        (21, 4, "time limit reached without a plan"),
        (22, 5, "limit reached without a plan"),
        (23, 4, "time limit reached without a plan"),
        (24, 5, "limit reached without a plan"),
        (31, 1, "failed with exit code 31: the requirement is not known"),
        (34, 1, "failed with exit code 34: the requirement is not known"),
        (0, 1, "wrote no plan file"),
    ] {
        let folder = folder(&format!("echo 'the requirement is not known' >&2; exit {exit}"));
        let done = run(&folder, VAN);
        assert!(done.code == Some(code) && done.all().contains(text), "{exit}: {:?} {}", done.code, done.all());
    }
    // The exit codes that mean that there are plans.
    for exit in 0..=3 {
        let folder = folder(&format!("{}; exit {exit}", writes("\"${0%/*}\"")));
        assert_eq!(run(&folder, VAN).code, Some(0), "{exit}");
    }
}

#[test]
fn the_search_is_stopped_in_time_and_its_plan_is_kept() {
    let folder = folder("cp \"${0%/*}/best.plan\" $plan.1; printf '(load books' > $plan.2; sleep 600");
    let done = run(&folder, &format!("--improve --time-limit 1 {VAN}"));
    let end = "; metric = 14\n; time limit reached: another run can find a different plan\n";
    assert!(done.code == Some(0) && done.out.ends_with(end), "{}", done.all());
    assert!(done.err.contains("a plan of 8 steps and metric 14"), "{}", done.err);
    let folder = self::folder("sleep 600");
    assert_eq!(run(&folder, &format!("--time-limit 0.2 {VAN}")).code, Some(4));
}

#[test]
fn a_missing_program_is_reported_with_installation_advice() {
    let folder = Folder::new();
    let mut command = folder.command(GOALSPEC);
    command.args(["plan", "--engine", "fast-downward", VAN]).env("PATH", folder.path("nowhere"));
    let done = finish(&mut command, b"");
    assert!(done.code == Some(1) && done.err.contains("error[plan/no-engine]"), "{}", done.all());
    assert!(done.err.contains("pip install up-fast-downward"), "{}", done.err);
    let done = folder.run(&format!("plan --engine fast-downward --engine-path nowhere {VAN}"));
    assert!(done.code == Some(1) && done.err.contains("program `nowhere` not found"), "{}", done.all());
    for arguments in
        ["--engine-path x", "--engine fast-downward --search bfs", "--engine fast-downward --state-limit 3"]
    {
        assert_eq!(folder.run(&format!("plan {arguments} {VAN}")).code, Some(2), "{arguments}");
    }
}

#[test]
fn control_c_ends_it() {
    let folder = folder("touch \"${0%/*}/begun\"; sleep 600");
    let mut command = folder.command(GOALSPEC);
    command.args(["plan", "--engine", "fast-downward", "--engine-path", "engine", VAN]);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while !folder.path("begun").exists() {
        assert!(begun.elapsed() < Duration::from_mins(1), "the script is not run");
        std::thread::sleep(Duration::from_millis(10));
    }
    let killed = folder.command("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "; interrupted before a plan was found\n");
}

/// Returns the folder of the Python in which Fast Downward is installed.
fn installed() -> Option<PathBuf> {
    let root = root();
    let mut places = root.ancestors().map(|folder| folder.join("target/fd/bin"));
    places.find(|folder| folder.join("python3").is_file())
}

#[test]
fn fast_downward_itself_is_understood() {
    let folder = Folder::new();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = installed().map_or(path.clone(), |folder| format!("{}:{path}", folder.display()));
    let plan = |arguments: &str| {
        let mut command = folder.command(GOALSPEC);
        command.args(["plan", "--engine", "fast-downward"]).args(arguments.split(' ')).env("PATH", &path);
        finish(&mut command, b"")
    };
    let done = plan(VAN);
    if done.err.contains("plan/no-engine") {
        eprintln!("skipped: Fast Downward is not installed (pip install up-fast-downward)");
        return;
    }
    assert!(done.code == Some(0) && done.out.contains("; metric = 14"), "{}", done.all());
    let two = "examples/pddl/delivery/two_vans.pddl";
    let own = folder.run(&format!("plan --optimal {two}"));
    let done = plan(&format!("--optimal --format json {two}"));
    let record: Value = serde_json::from_str(&done.out).expect("it is JSON");
    assert_eq!((&record["proof"], record["metric"].as_f64()), (&Value::from("optimal"), Some(4.0)), "{}", done.all());
    assert!(own.out.contains("; metric = 4 (optimal)"), "{}", own.out);
    assert!(record["statistics"]["expanded"].as_u64().is_some_and(|count| count > 0), "{}", done.out);
    let done = plan("examples/pddl/supper/tonight.pddl");
    assert!(done.code == Some(1) && done.err.contains("numeric fluents other than action costs"), "{}", done.all());
    // A task that Fast Downward would refuse as written.
    folder.write(
        "costs.pddl",
        "(define (domain d) (:requirements :strips :fluents) (:predicates (p)) (:functions (total-cost))
            (:action act :parameters () :effect (and (p) (increase (total-cost) 1))) (:action rest :parameters ()))
        (define (problem x) (:domain d) (:init (= (total-cost) 0)) (:goal (p)) (:metric minimize (total-cost)))",
    );
    let done = plan("costs.pddl");
    assert!(done.code == Some(0) && done.out.contains("; metric = 1"), "{}", done.all());
    // A preference of the game language, compiled.
    let done =
        plan("--goal examples/pddl/delivery/errands.game::booksWaitAtTheMill examples/pddl/delivery/one_van.pddl");
    assert!(done.code == Some(0) && done.out.contains("is satisfied"), "{}", done.all());
    // A trajectory constraint, compiled into axioms.
    let mut command = folder.command(GOALSPEC);
    command.args(["plan", "--engine", "fast-downward", "--optimal", "--statistics", "--goal"]).env("PATH", &path);
    let done = finish(command.args(["(sometime (at red mill))", VAN]), b"");
    assert!(done.code == Some(0) && done.out.contains("; search Fast Downward, astar("), "{}", done.all());
    // No plan.
    folder.write(
        "never.pddl",
        "(define (domain n) (:requirements :strips) (:predicates (p) (q) (r))
        (:action a :parameters () :precondition (r) :effect (q)))
        (define (problem never) (:domain n) (:init (p)) (:goal (q)))",
    );
    let done = plan("never.pddl");
    assert_eq!(done.code, Some(3), "{}", done.all());
}
