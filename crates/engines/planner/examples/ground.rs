//! Parses and grounds a domain and a problem. Used to compare grounding times with the translators of other planners.
//!
//! `cargo run --release -p goalspec-planner --example ground -- DOMAIN PROBLEM`

use std::ops::ControlFlow;
use std::process::ExitCode;

use goalspec_pddl::{ResolvedDomain, lower, parse};
use goalspec_planner::ground::{GroundLimits, ground};
use goalspec_syntax::Sources;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    match run(&paths) {
        Ok(size) => {
            println!("{size}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run(paths: &[String]) -> Result<String, String> {
    let [domain, problem] = paths else { return Err("a domain and a problem are expected".to_owned()) };
    let mut sources = Sources::new();
    let mut read = |path: &String| {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        Ok::<_, String>(sources.add(path.as_str(), text))
    };
    let (domain, problem) = (read(domain)?, read(problem)?);
    let (domain, problem) = (parse(sources.file(domain)), parse(sources.file(problem)));
    let [domain] = &domain.domains[..] else { return Err("one domain is expected".to_owned()) };
    let [problem] = &problem.problems[..] else { return Err("one problem is expected".to_owned()) };
    let (model, _) = ResolvedDomain::new(domain);
    let task = lower(problem, &model).task.ok_or("the problem has errors: see `goalspec check`")?;
    let grounded = ground(&task, &GroundLimits::default(), &mut |_| ControlFlow::Continue(()));
    let task = grounded.map_err(|error| error.to_string())?.task;
    let values: usize = task.variables.iter().map(|variable| variable.values.len()).sum();
    Ok(format!(
        "variables: {}\nvalues: {values}\noperators: {}\naxioms: {}",
        task.variables.len(),
        task.operators.len(),
        task.axioms.len()
    ))
}
