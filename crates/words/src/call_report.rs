//! The report over ledgers: calls, tokens and cost by run and model, with the calls that may have been charged without a reply.

use std::collections::BTreeMap;

use goalspec_llm::budget::Spending;
use goalspec_llm::ledger::{Charge, LedgerCall};
use serde_json::{Value, json};

use crate::lot::output::Table;

/// The calls that are counted together. Constrained and free calls are apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct CallKey {
    run: String,
    model: String,
    base_url: String,
    constrained: bool,
}

/// The counts of the calls of one key.
#[derive(Debug, Default)]
struct CallCounts {
    calls: u64,
    /// The calls that ended with an error.
    failed: u64,
    /// The calls during which the process was stopped.
    interrupted: u64,
    spent: Spending,
    /// The part of the spending that is a worst case: whether the server charged it is not known.
    uncertain: Spending,
}

fn counts(calls: &[LedgerCall]) -> BTreeMap<CallKey, CallCounts> {
    let mut by_key: BTreeMap<CallKey, CallCounts> = BTreeMap::new();
    for call in calls {
        let start = &call.start;
        let key = CallKey {
            run: start.run.clone(),
            model: start.model.clone(),
            base_url: start.base_url.clone(),
            constrained: start.constraint.is_some(),
        };
        let counts = by_key.entry(key).or_default();
        counts.calls += 1;
        let is_failed = call.end.as_ref().is_some_and(|end| end.error.is_some());
        counts.interrupted += u64::from(call.is_interrupted());
        counts.failed += u64::from(is_failed && !call.is_interrupted());
        counts.spent = counts.spent.plus(call.spent());
        if call.end.as_ref().is_none_or(|end| end.charge == Charge::Unknown) {
            counts.uncertain = counts.uncertain.plus(call.spent());
        }
    }
    by_key
}

/// Returns the table of the calls of ledgers.
pub fn table(calls: &[LedgerCall]) -> Table {
    let header = [
        "run",
        "model",
        "server",
        "constrained",
        "calls",
        "failed",
        "interrupted",
        "tokens",
        "possibly charged tokens",
        "cost",
        "possibly charged cost",
    ];
    let mut table = Table::new("Calls", &header);
    for (key, counts) in counts(calls) {
        let constrained = if key.constrained { "yes" } else { "no" };
        let cost = |spent: Spending| {
            if counts.spent.nano_cost == 0 { String::new() } else { format!("{:.4}", spent.cost()) }
        };
        let mut row = vec![key.run, key.model, key.base_url, constrained.to_owned()];
        row.extend([counts.calls, counts.failed, counts.interrupted].map(|count| count.to_string()));
        row.extend([counts.spent.tokens, counts.uncertain.tokens].map(|count| count.to_string()));
        row.extend([cost(counts.spent), cost(counts.uncertain)]);
        table.push(row);
    }
    table
}

/// Returns the table of the calls of ledgers as JSON: one record for each row.
pub fn json(calls: &[LedgerCall]) -> Vec<Value> {
    let record = |(key, counts): (CallKey, CallCounts)| {
        json!({
            "run": key.run,
            "model": key.model,
            "base_url": key.base_url,
            "constrained": key.constrained,
            "calls": counts.calls,
            "failed": counts.failed,
            "interrupted": counts.interrupted,
            "tokens": counts.spent.tokens,
            "possibly_charged_tokens": counts.uncertain.tokens,
            "cost": counts.spent.cost(),
            "possibly_charged_cost": counts.uncertain.cost(),
        })
    };
    counts(calls).into_iter().map(record).collect()
}
