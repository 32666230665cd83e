//! Judgements of whether programs can be achieved, as JSON.

use serde_json::{Value, json};

use super::{PartVerdict, Playability, PlayablePart, ProgramPart, Witness};

/// Returns judgements as JSON.
pub fn report(judged: &[Playability]) -> Value {
    judged.iter().map(program).collect()
}

fn program(judged: &Playability) -> Value {
    json!({
        "program": &*judged.program,
        "possibility": judged.possibility().name(),
        "parts": judged.parts.iter().map(part).collect::<Vec<_>>(),
        "complete_play": judged.complete_play.as_deref(),
    })
}

fn part(judged: &PlayablePart) -> Value {
    let mut record = match &judged.part {
        ProgramPart::Setup => json!({"kind": "setup"}),
        ProgramPart::Preference(name) => json!({"kind": "preference", "name": &**name}),
        ProgramPart::Goal => json!({"kind": "goal"}),
        ProgramPart::Choice(team, choice) => json!({"kind": "choice", "team": &**team, "name": &**choice}),
        ProgramPart::End => json!({"kind": "end"}),
    };
    record["plays"] = json!(judged.plays);
    match &judged.verdict {
        PartVerdict::Possible(found) => {
            record["possibility"] = json!("possible");
            record["witness"] = witness(found);
        }
        PartVerdict::Impossible(proof) => {
            record["possibility"] = json!("impossible");
            record["proof"] = json!(proof);
        }
        PartVerdict::NotShown(reasons) => {
            record["possibility"] = json!("not shown");
            record["reasons"] = json!(reasons);
        }
    }
    record
}

fn witness(witness: &Witness) -> Value {
    match witness {
        Witness::Play { trace, start, end, binding, operators } => json!({
            "kind": "play",
            "trace": &**trace,
            "start": start,
            "end": end,
            "binding": binding.iter().map(|(name, object)| (name.to_string(), json!(&**object))).collect::<serde_json::Map<_, _>>(),
            "operators": operators.iter().map(|own| json!({"operator": own.operator, "start": own.start, "end": own.end})).collect::<Vec<_>>(),
        }),
        Witness::Plan { problem, steps } => json!({"kind": "plan", "problem": &**problem, "steps": steps}),
        Witness::Simulation { policies, seed, index, turn } => {
            json!({"kind": "simulation", "policies": policies, "seed": seed, "index": index, "turn": turn})
        }
    }
}
