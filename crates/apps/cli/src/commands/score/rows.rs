//! Results as rows: one per preference, or per state with `--per-step`.

use std::io::{self, Write};

use goalspec::run::Outcome;

const COLUMNS: [&str; 11] = [
    "program",
    "trace",
    "world",
    "states",
    "setup_met",
    "terminal",
    "score",
    "score_error",
    "preference",
    "count",
    "satisfactions",
];

const STEP_COLUMNS: [&str; 5] = ["program", "trace", "state", "reward", "score"];

pub(super) fn write_csv(per_step: bool, outcomes: &[Outcome], out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    if per_step {
        writer.write_record(STEP_COLUMNS)?;
        for outcome in outcomes {
            let mut score = 0.0;
            for (step, reward) in outcome.rewards.iter().enumerate() {
                score += reward;
                let (step, reward, score) = ((step + 1).to_string(), reward.to_string(), score.to_string());
                writer.write_record([&*outcome.program, &*outcome.trace, &step, &reward, &score])?;
            }
        }
    } else {
        writer.write_record(COLUMNS)?;
        for outcome in outcomes {
            let report = &outcome.report;
            let (score, error) = match &report.score {
                Ok(score) => (score.to_string(), String::new()),
                Err(error) => (String::new(), error.to_string()),
            };
            for preference in &report.preferences {
                writer.write_record([
                    &*outcome.program,
                    &*outcome.trace,
                    outcome.world.name(),
                    &report.states.to_string(),
                    &report.setup_met.to_string(),
                    &report.terminal.map_or_else(String::new, |state| state.to_string()),
                    &score,
                    &error,
                    &*preference.name,
                    &preference.count.to_string(),
                    &(preference.satisfactions.len() as u64 + preference.dropped).to_string(),
                ])?;
            }
        }
    }
    writer.flush()
}
