//! Dry runs: the planned calls of a run and their maximum cost, without a call.

use std::fmt::Write;

use serde::Serialize;

use crate::budget::Spending;
use crate::client::Client;
use crate::error::ModelError;
use crate::estimate::estimate_tokens;
use crate::prices::Price;
use crate::reply::Usage;
use crate::request::Request;

/// A conversation that a run would begin.
#[derive(Debug, Clone)]
pub struct PlannedConversation {
    /// The first request.
    pub request: Request,
    /// The maximum number of further turns, such as repairs.
    pub follow_ups: u32,
    /// The maximum number of bytes that each further turn adds to the prompt beside the reply before it.
    pub follow_up_bytes: usize,
}

/// The first call of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannedCall {
    /// The prompt.
    pub prompt: String,
    /// The key of the exchange in the cache.
    pub key: String,
    /// Whether the reply is recorded, so that the call costs nothing.
    pub is_recorded: bool,
    /// The estimated number of tokens of the prompt.
    pub input_tokens: u64,
    /// The maximum number of tokens of the reply.
    pub max_output_tokens: u64,
}

/// The plan of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DryRun {
    /// The model.
    pub model: String,
    /// The address of the server, or the name of the stand-in.
    pub base_url: String,
    /// The first calls, in order.
    pub calls: Vec<PlannedCall>,
    /// The first calls that are not recorded, with replies of the maximum length.
    pub first: Spending,
    /// The same with all further turns.
    pub with_follow_ups: Spending,
    /// The same with all retries.
    pub with_retries: Spending,
    /// Whether costs are known.
    pub has_prices: bool,
}

/// Plans a run. No connection is made. Further turns count also for conversations whose first reply is recorded.
///
/// # Errors
/// If a request is invalid for the server, or the cache cannot be read.
pub fn plan(client: &Client, conversations: &[PlannedConversation]) -> Result<DryRun, ModelError> {
    let mut plan = DryRun {
        model: crate::model::Model::name(client).to_owned(),
        base_url: client.base_url().to_owned(),
        has_prices: client.price().is_some(),
        ..DryRun::default()
    };
    for conversation in conversations {
        let request = &conversation.request;
        let (wire, key) = client.preview(request)?;
        let input_tokens = estimate_tokens(wire.text().len());
        let max_output_tokens = u64::from(wire.max_output_tokens);
        let is_recorded = client.is_recorded(request)?;
        let first = spending(client.price(), input_tokens, max_output_tokens);
        if !is_recorded {
            plan.first = plan.first.plus(first);
            plan.with_follow_ups = plan.with_follow_ups.plus(first);
        }
        let added = max_output_tokens.saturating_add(estimate_tokens(conversation.follow_up_bytes));
        for turn in 1..=u64::from(conversation.follow_ups) {
            let input = input_tokens.saturating_add(added.saturating_mul(turn));
            plan.with_follow_ups = plan.with_follow_ups.plus(spending(client.price(), input, max_output_tokens));
        }
        plan.calls.push(PlannedCall {
            prompt: request.prompt.text(),
            key,
            is_recorded,
            input_tokens,
            max_output_tokens,
        });
    }
    let tries = u64::from(client.retries()) + 1;
    plan.with_retries = Spending {
        calls: plan.with_follow_ups.calls.saturating_mul(tries),
        tokens: plan.with_follow_ups.tokens.saturating_mul(tries),
        nano_cost: plan.with_follow_ups.nano_cost.saturating_mul(tries),
    };
    Ok(plan)
}

fn spending(price: Option<Price>, input_tokens: u64, output_tokens: u64) -> Spending {
    let usage = Usage { input_tokens, cached_input_tokens: 0, output_tokens, estimated: true };
    Spending { calls: 1, tokens: usage.total(), nano_cost: price.map_or(0, |price| price.nano_cost(&usage)) }
}

impl DryRun {
    /// Adds the plan of a further part of the run.
    pub fn append(&mut self, other: Self) {
        for (own, other) in [(&mut self.model, other.model), (&mut self.base_url, other.base_url)] {
            if own.is_empty() {
                *own = other;
            } else if *own != other {
                *own = format!("{own}, {other}");
            }
        }
        self.calls.extend(other.calls);
        self.first = self.first.plus(other.first);
        self.with_follow_ups = self.with_follow_ups.plus(other.with_follow_ups);
        self.with_retries = self.with_retries.plus(other.with_retries);
        self.has_prices |= other.has_prices;
    }

    /// Returns the plan as text: every prompt, then the sums.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        for (index, call) in self.calls.iter().enumerate() {
            let state = if call.is_recorded { ", recorded" } else { "" };
            let _ = writeln!(
                text,
                "--- call {} of {}: about {} tokens, reply of at most {}{state}\n{}",
                index + 1,
                self.calls.len(),
                call.input_tokens,
                call.max_output_tokens,
                call.prompt
            );
        }
        let _ = writeln!(text, "--- {} at {}; nothing was sent", self.model, self.base_url);
        for (name, spending) in [
            ("first turns", self.first),
            ("with all further turns, at most", self.with_follow_ups),
            ("with all retries, at most", self.with_retries),
        ] {
            let cost = if self.has_prices { format!(", cost {:.4}", spending.cost()) } else { String::new() };
            let _ = writeln!(text, "{name}: {} calls, {} tokens{cost}", spending.calls, spending.tokens);
        }
        text
    }
}
