//! Reports in the notation of expectations.

use std::sync::Arc;

use goalspec_core::ids::ObjectId;
use goalspec_core::world::World;

use crate::play::Played;

/// Kinds of lines, by their first word. All others are satisfactions.
const KINDS: [&str; 8] = ["score", "ends", "rewards", "ready", "count", "attempt", "blame", "remark"];

/// Kinds that must always be listed completely; the empty one is that of satisfactions.
const ALWAYS: [&str; 3] = ["", "score", "ends"];

/// Lines that are missing or should not be there, with what is wrong about them.
pub(crate) fn differences(world: &World, played: &Played, expect: &[String]) -> Vec<(String, &'static str)> {
    let actual = lines(world, played);
    let mut differences = Vec::new();
    for kind in [""].into_iter().chain(KINDS) {
        let wanted: Vec<&String> = expect.iter().filter(|line| kind_of(line) == kind).collect();
        let got: Vec<&String> = actual.iter().filter(|line| kind_of(line) == kind).collect();
        if (wanted.is_empty() && !ALWAYS.contains(&kind)) || wanted == got {
            continue;
        }
        let before = differences.len();
        let missing = wanted.iter().filter(|line| !got.contains(line));
        differences.extend(missing.map(|line| ((*line).clone(), "missing")));
        let surplus = got.iter().filter(|line| !wanted.contains(line));
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

/// Everything that can be expected of a play.
fn lines(world: &World, played: &Played) -> Vec<String> {
    let Played { verdicts, report } = played;
    let mut lines = Vec::new();
    for preference in &report.preferences {
        let name = &preference.name;
        for satisfaction in &preference.satisfactions {
            let mut line = format!("{name} {}-{}", satisfaction.start, satisfaction.end);
            line.push_str(&binding(world, &satisfaction.binding));
            for (label, value) in &satisfaction.measures {
                line.push_str(&format!(" {label}={value}"));
            }
            lines.push(line);
        }
        lines.push(format!("count {name} {}", preference.count));
        if let Some(attempt) = &preference.attempt {
            lines.push(format!(
                "attempt {name} phase {} events {} start {} failed {}{}",
                attempt.phase,
                attempt.events,
                attempt.start,
                attempt.failed_at,
                binding(world, &attempt.binding)
            ));
            for blame in &attempt.blame {
                let numbers: String = blame.numbers.iter().map(|number| format!(" {number}")).collect();
                let with = if numbers.is_empty() { "" } else { " with" };
                lines.push(format!(
                    "blame {name} phase {} {} is {}{with}{numbers}",
                    blame.phase, blame.condition, blame.value
                ));
            }
        }
    }
    lines.push(match &report.score {
        Ok(score) => format!("score {score}"),
        Err(error) => format!("score {error}"),
    });
    lines.extend(report.terminal.map(|state| format!("ends {state}")));
    let rewards: String = verdicts.iter().map(|verdict| format!(" {}", verdict.reward)).collect();
    lines.push(format!("rewards{rewards}"));
    let ready: String = verdicts.iter().map(|verdict| if verdict.ready { " +" } else { " -" }).collect();
    lines.push(format!("ready{ready}"));
    lines.extend(report.remarks.iter().map(|remark| format!("remark {remark}")));
    lines
}

fn binding(world: &World, binding: &[(Arc<str>, ObjectId)]) -> String {
    binding.iter().map(|(name, object)| format!(" {name}={}", world.object_decl(*object).id)).collect()
}
