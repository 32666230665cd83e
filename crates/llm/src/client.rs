//! The client: a model behind an endpoint, with cache, ledger, caps, limits and retries.

mod call;
mod options;

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

pub use options::{
    ClientOptions, DEFAULT_CONCURRENCY, DEFAULT_MAX_CALLS, DEFAULT_MAX_TOKENS, DEFAULT_OUTPUT_TOKENS, Mode,
    default_cache,
};

use crate::budget::{Budget, Spending};
use crate::clock::Clock;
use crate::endpoint::Endpoint;
use crate::error::{ErrorKind, ModelError};
use crate::estimate::{MIN_CHECKED_TOKENS, estimate_tokens, plausible_tokens};
use crate::key::ApiKey;
use crate::ledger::Ledger;
use crate::limiter::Limiter;
use crate::model::Model;
use crate::nearest::RecordedQuestions;
use crate::prices::Price;
use crate::profile::{Format, Profile};
use crate::reply::{ConstraintStatus, Outcome, Reply, Usage};
use crate::request::{ConstraintKind, Request, Sampling};
use crate::store::{Entry, Question, Store};
use crate::wire::{self, ReadError, WireReply, WireRequest};

/// An event that the client reports to its observer.
#[derive(Debug, Clone, PartialEq)]
pub enum ClientEvent {
    /// A call was made and a retry follows after the wait, with the reason.
    Retry {
        /// The error of the call.
        error: ModelError,
        /// The wait before the retry.
        wait: Duration,
    },
    /// The number of bytes of a response that have arrived.
    Bytes(usize),
    /// A remark that the user should see, once each.
    Note(String),
}

/// A receiver of events.
pub type Observer = Arc<dyn Fn(&ClientEvent) + Send + Sync>;

/// The budget of a run with several clients, one after another.
#[derive(Clone)]
pub struct RunBudget(Arc<Budget>);

/// A language model behind an endpoint. [`ClientOptions::open`] creates it.
pub struct Client {
    name: String,
    profile: Profile,
    format: Format,
    base_url: String,
    endpoint: Box<dyn Endpoint>,
    key: Option<ApiKey>,
    mode: Mode,
    clock: Arc<dyn Clock>,
    store: Option<Store>,
    ledger: Option<Ledger>,
    budget: Arc<Budget>,
    limiter: Limiter,
    price: Option<Price>,
    run: String,
    sampling: Sampling,
    max_output_tokens: Option<u32>,
    stream: Option<bool>,
    timeout: Duration,
    retries: u32,
    seed: u64,
    concurrency: usize,
    observer: Observer,
    notes: Mutex<BTreeSet<String>>,
    violated: Mutex<BTreeSet<ConstraintKind>>,
    recorded: RecordedQuestions,
    asked: Mutex<HashSet<String>>,
    answered: Condvar,
}

/// A claim on a question: equal questions of other threads wait until the first is answered, and then find its reply in the cache.
struct Claim<'a> {
    client: &'a Client,
    key: &'a str,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.client.asked.lock().unwrap_or_else(PoisonError::into_inner).remove(self.key);
        self.client.answered.notify_all();
    }
}

impl Client {
    /// Returns the profile of the server.
    pub const fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns the wire format.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Returns the address of the server, or the name of the stand-in.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Returns the name of the run.
    pub fn run(&self) -> &str {
        &self.run
    }

    /// Returns the spending of the run, earlier starts included.
    pub fn spent(&self) -> Spending {
        self.budget.spent()
    }

    /// Returns the budget, which other clients of the run can spend from.
    pub fn budget(&self) -> RunBudget {
        RunBudget(Arc::clone(&self.budget))
    }

    /// Returns the client with the budget of its run: the caps count the calls of all clients with it, and its time.
    #[must_use]
    pub fn with_budget(mut self, budget: &RunBudget) -> Self {
        self.budget = Arc::clone(&budget.0);
        self
    }

    /// Returns the remarks so far, each once, sorted.
    pub fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Returns the notations of constraints that the server accepted and did not honour.
    pub fn violated_constraints(&self) -> Vec<ConstraintKind> {
        self.violated.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }

    /// Returns the body that is sent for a request, and the key of its recorded reply.
    ///
    /// # Errors
    /// If the request is invalid for the server.
    pub fn preview(&self, request: &Request) -> Result<(WireRequest, String), ModelError> {
        let wire = self.build(request)?;
        let key = self.question(&wire, request).key();
        Ok((wire, key))
    }

    /// Whether the reply to a request is recorded and will be read instead of asked for.
    ///
    /// # Errors
    /// If the request is invalid for the server, or the recorded reply cannot be read.
    pub fn is_recorded(&self, request: &Request) -> Result<bool, ModelError> {
        let (_, key) = self.preview(request)?;
        match &self.store {
            Some(store) if self.mode.reads_cache() => Ok(store.get(&key)?.is_some()),
            _ => Ok(false),
        }
    }

    /// Returns the worst case of one call: the estimated prompt and the maximum number of output tokens.
    ///
    /// # Errors
    /// If the request is invalid for the server.
    pub fn worst_case(&self, request: &Request) -> Result<Spending, ModelError> {
        Ok(self.worst_of(&self.build(request)?))
    }

    /// Returns the number of retries of a call.
    pub const fn retries(&self) -> u32 {
        self.retries
    }

    /// Returns the price of the model.
    pub const fn price(&self) -> Option<Price> {
        self.price
    }

    /// Returns a request with the parameters that the options of the client replace.
    fn effective(&self, request: &Request) -> Request {
        let (given, own) = (self.sampling, request.sampling);
        let sampling = Sampling {
            temperature: given.temperature.or(own.temperature),
            top_p: given.top_p.or(own.top_p),
            seed: given.seed.or(own.seed),
            frequency_penalty: given.frequency_penalty.or(own.frequency_penalty),
            presence_penalty: given.presence_penalty.or(own.presence_penalty),
        };
        let max_output_tokens = self.max_output_tokens.or(request.max_output_tokens);
        Request { max_output_tokens, sampling, ..request.clone() }
    }

    fn build(&self, request: &Request) -> Result<WireRequest, ModelError> {
        let mut wire =
            wire::build(&self.profile, self.format, &self.name, DEFAULT_OUTPUT_TOKENS, &self.effective(request))?;
        if self.stream.unwrap_or(wire.max_output_tokens >= options::STREAM_FROM_TOKENS)
            && let Some(table) = self.profile.format(self.format)
        {
            wire.ask_for_stream(table);
        }
        Ok(wire)
    }

    fn question(&self, wire: &WireRequest, request: &Request) -> Question {
        Question {
            format: self.format,
            base_url: self.base_url.clone(),
            body: wire.body.clone(),
            attempt: request.attempt,
        }
    }

    /// The worst case of a call. The body is longer than the prompt, so that the estimate covers what the server adds to it.
    fn worst_of(&self, wire: &WireRequest) -> Spending {
        let usage = Usage {
            input_tokens: estimate_tokens(wire.text().len()),
            cached_input_tokens: 0,
            output_tokens: u64::from(wire.max_output_tokens),
            estimated: true,
        };
        self.spending(&usage)
    }

    fn spending(&self, usage: &Usage) -> Spending {
        let nano_cost = self.price.map_or(0, |price| price.nano_cost(usage));
        Spending { calls: 1, tokens: usage.total(), nano_cost }
    }

    fn note(&self, text: String) {
        let is_new = self.notes.lock().unwrap_or_else(PoisonError::into_inner).insert(text.clone());
        if is_new {
            (self.observer)(&ClientEvent::Note(text));
        }
    }

    /// Claims a question once no other thread is asking it.
    fn claim<'a>(&'a self, key: &'a str) -> Claim<'a> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        while !asked.insert(key.to_owned()) {
            asked = self.answered.wait(asked).unwrap_or_else(PoisonError::into_inner);
        }
        Claim { client: self, key }
    }

    fn recorded(&self, key: &str) -> Result<Option<Entry>, ModelError> {
        match &self.store {
            Some(store) if self.mode.reads_cache() => store.get(key),
            _ => Ok(None),
        }
    }

    /// Reads the reply of a recorded exchange.
    fn replay(&self, request: &Request, wire: &WireRequest, entry: &Entry) -> Result<Reply, ModelError> {
        let reply = self.read_body(entry.response.as_bytes()).map_err(|error| {
            let reason = match error {
                ReadError::Cut(reason) | ReadError::Unreadable(reason) => reason,
                ReadError::Fault(fault) => fault.message,
            };
            let path = self.store.as_ref().map(|store| store.path(&entry.question().key()));
            let path = path.map(|path| path.display().to_string()).unwrap_or_default();
            ModelError::new(ErrorKind::Storage, format!("the recorded response in `{path}` cannot be read: {reason}"))
        })?;
        let mut reply = self.finish(request, wire, reply, entry.usage);
        reply.request_id = entry.response().headers.request_id().map(str::to_owned);
        reply.duration = Duration::from_millis(entry.duration_ms);
        reply.cost = entry.cost;
        reply.from_cache = true;
        Ok(reply)
    }

    fn read_body(&self, body: &[u8]) -> Result<WireReply, ReadError> {
        wire::read_reply(self.format, body)
    }

    /// Turns the reply of a server into the reply for the caller: with the prefill, up to the first stop text, checked against the constraint.
    fn finish(&self, request: &Request, wire: &WireRequest, reply: WireReply, usage: Usage) -> Reply {
        let mut text = reply.text;
        let mut outcome = reply.outcome;
        if let Some(at) = request.stop.iter().filter_map(|stop| text.find(stop.as_str())).min() {
            // The server does not know the stop text, or includes it.
            text.truncate(at);
            if outcome == Outcome::Cut {
                outcome = Outcome::Complete;
            }
        }
        let constraint = self.constraint_status(request, wire, &text, outcome.failure().is_none());
        let text = match &request.prefill {
            Some(prefill) if wire.prefilled => prefill.clone() + &text,
            _ => text,
        };
        let model = if reply.model.is_empty() { self.name.clone() } else { reply.model };
        Reply {
            text,
            reasoning: reply.reasoning,
            outcome,
            prefilled: wire.prefilled,
            constraint,
            usage,
            model,
            ..Reply::default()
        }
    }

    fn constraint_status(
        &self,
        request: &Request,
        wire: &WireRequest,
        text: &str,
        is_complete: bool,
    ) -> ConstraintStatus {
        let Some(kind) = wire.constraint else {
            let is_constrained = !request.constraints.is_empty();
            return if is_constrained { ConstraintStatus::NotSent } else { ConstraintStatus::Unconstrained };
        };
        let Some(matcher) = request.matcher.as_ref().filter(|_| is_complete) else {
            return ConstraintStatus::Unchecked(kind);
        };
        match matcher.check(kind, text) {
            Ok(()) => ConstraintStatus::Honoured(kind),
            Err(reason) => {
                self.violated.lock().unwrap_or_else(PoisonError::into_inner).insert(kind);
                self.note(format!(
                    "constraint not honoured: {} accepted a {kind} constraint, and a reply does not match it",
                    self.base_url
                ));
                ConstraintStatus::Violated(kind, reason.to_string())
            }
        }
    }

    /// Returns the numbers of tokens of a reply: those of the server, or estimates.
    fn usage(request: &Request, wire: &WireRequest, reply: &WireReply) -> Usage {
        let reasoning = reply.reasoning.as_ref().map_or(0, String::len);
        let prefill = if wire.prefilled { request.prefill.as_ref().map_or(0, String::len) } else { 0 };
        Usage {
            input_tokens: reply.usage.input.unwrap_or_else(|| estimate_tokens(request.prompt.len() + prefill)),
            cached_input_tokens: reply.usage.cached,
            output_tokens: reply.usage.output.unwrap_or_else(|| estimate_tokens(reply.text.len() + reasoning)),
            estimated: reply.usage.input.is_none() || reply.usage.output.is_none(),
        }
    }

    /// Returns the error that the server has read a part of the prompt only, if its count says so.
    fn cut_prompt(request: &Request, reply: &WireReply) -> Option<ModelError> {
        let counted = reply.usage.input?;
        let expected = plausible_tokens(&request.prompt.text());
        if expected < MIN_CHECKED_TOKENS || counted >= expected {
            return None;
        }
        let message = format!(
            "the prompt was cut: the server counted {counted} tokens for a prompt of at least {expected}; raise the context length of the server \
             (Ollama: OLLAMA_CONTEXT_LENGTH) or shorten the prompt"
        );
        Some(ModelError::new(ErrorKind::PromptCut, message))
    }
}

impl Model for Client {
    fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        self.complete_admitted(request, &mut || ())
    }

    fn complete_admitted(&self, request: &Request, on_admitted: &mut dyn FnMut()) -> Result<Reply, ModelError> {
        match self.mode {
            Mode::Off => {
                return Err(ModelError::new(ErrorKind::Off, "calls of language models are switched off (--llm off)"));
            }
            Mode::Plan => return Err(ModelError::new(ErrorKind::Off, "no calls are made in a dry run (--dry-run)")),
            Mode::Live | Mode::Record | Mode::Replay => {}
        }
        let wire = self.build(request)?;
        for name in &wire.unsent {
            self.note(format!(
                "servers of the profile `{}` do not know `{name}` in the format `{}`; it is not sent",
                self.profile.name,
                self.format.name()
            ));
        }
        let question = self.question(&wire, request);
        let key = question.key();
        if let Some(entry) = self.recorded(&key)? {
            return self.replay(request, &wire, &entry);
        }
        if self.mode == Mode::Replay {
            return Err(match &self.store {
                Some(store) => self.recorded.miss(store, &question),
                None => ModelError::new(
                    ErrorKind::NotRecorded,
                    "--llm replay needs a folder of recorded exchanges (--cache)",
                ),
            });
        }
        let _claim = self.claim(&key);
        if let Some(entry) = self.recorded(&key)? {
            return self.replay(request, &wire, &entry);
        }
        self.ask(request, &wire, &key, on_admitted)
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn concurrency(&self) -> usize {
        self.concurrency
    }
}
