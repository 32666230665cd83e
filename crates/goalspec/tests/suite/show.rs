//! Reports in the notation of expectations.

use std::sync::Arc;

use goalspec_core::ids::ObjectId;
use goalspec_core::monitor::{Attempt, Evidence};
use goalspec_core::world::World;

use super::play::ScoredTrace;

/// The kinds of lines, named by their first word. Lines of no such kind are satisfactions.
const KINDS: [&str; 8] = ["score", "ends", "rewards", "ready", "count", "attempt", "blame", "remark"];

/// The kinds of lines that expectations must list completely. The empty kind is that of satisfactions.
const ALWAYS: [&str; 3] = ["", "score", "ends"];

/// Returns the missing and the unexpected lines, each with a description of the problem.
pub(crate) fn differences(world: &World, scored: &ScoredTrace, expect: &[String]) -> Vec<(String, &'static str)> {
    let actual = lines(world, scored);
    let mut differences = Vec::new();
    for kind in [""].into_iter().chain(KINDS) {
        let expected_lines: Vec<&String> = expect.iter().filter(|line| kind_of(line) == kind).collect();
        let got: Vec<&String> = actual.iter().filter(|line| kind_of(line) == kind).collect();
        if (expected_lines.is_empty() && !ALWAYS.contains(&kind)) || expected_lines == got {
            continue;
        }
        let before = differences.len();
        let missing = expected_lines.iter().filter(|line| !got.contains(line));
        differences.extend(missing.map(|line| ((*line).clone(), "missing")));
        let surplus = got.iter().filter(|line| !expected_lines.contains(line));
        differences.extend(surplus.map(|line| ((*line).clone(), "not expected")));
        if differences.len() == before {
            differences.push((format!("{got:?}"), "another order or number"));
        }
    }
    differences
}

fn kind_of(line: &str) -> &str {
    let first = line.split(' ').next().unwrap_or_default();
    if KINDS.contains(&first) { first } else { "" }
}

/// Returns all lines that can be expected of a play.
fn lines(world: &World, scored: &ScoredTrace) -> Vec<String> {
    let ScoredTrace { verdicts, report } = scored;
    let mut lines = Vec::new();
    for preference in &report.preferences {
        let name = &preference.name;
        for satisfaction in &preference.satisfactions {
            let binding = binding(world, &satisfaction.binding);
            let measures = satisfaction.measures.iter().map(|(label, value)| format!("{label}={value}"));
            let interval = format!("{name} {}-{}", satisfaction.start, satisfaction.end);
            lines.push(words([interval].into_iter().chain(binding).chain(measures)));
        }
        lines.push(format!("count {name} {}", preference.count));
        if let Some(Attempt { phase, events, start, failed_at, binding: bound, evidence, .. }) = &preference.attempt {
            let attempt = format!("attempt {name} phase {phase} events {events} start {start} failed {failed_at}");
            lines.push(words([attempt].into_iter().chain(binding(world, bound))));
            for Evidence { condition, value, numbers, phase, .. } in evidence {
                let with = if numbers.is_empty() { None } else { Some("with".to_owned()) };
                let evidence = format!("blame {name} phase {phase} {condition} is {value}");
                lines.push(words([evidence].into_iter().chain(with).chain(numbers.iter().map(f64::to_string))));
            }
        }
    }
    lines.push(match &report.score {
        Ok(score) => format!("score {score}"),
        Err(error) => format!("score {error}"),
    });
    lines.extend(report.terminal.map(|state| format!("ends {state}")));
    let rewards = verdicts.iter().map(|verdict| verdict.reward.to_string());
    lines.push(words(["rewards".to_owned()].into_iter().chain(rewards)));
    let ready = verdicts.iter().map(|verdict| if verdict.setup_holds { "+" } else { "-" }.to_owned());
    lines.push(words(["ready".to_owned()].into_iter().chain(ready)));
    lines.extend(report.remarks.iter().map(|remark| format!("remark {remark}")));
    lines
}

fn binding<'a>(world: &'a World, binding: &'a [(Arc<str>, ObjectId)]) -> impl Iterator<Item = String> + 'a {
    binding.iter().map(|(name, object)| format!("{name}={}", world.object_decl(*object).id))
}

fn words(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}
