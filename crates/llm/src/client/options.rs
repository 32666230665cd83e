//! Options of a client, and the client that they describe.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use super::{Client, Observer};
use crate::budget::{Budget, Caps, Spending};
use crate::clock::{Clock, SystemClock};
use crate::endpoint::Endpoint;
use crate::error::{ErrorKind, ModelError};
use crate::http::{HttpEndpoint, IDLE_TIMEOUT};
use crate::key::ApiKey;
use crate::ledger::{CallEnd, Charge, Ledger, LedgerCall};
use crate::limiter::{Limiter, RateLimits};
use crate::nearest::RecordedQuestions;
use crate::prices::{Price, Prices};
use crate::probe;
use crate::profile::{Format, Profile};
use crate::request::Sampling;
use crate::retry::DEFAULT_RETRIES;
use crate::script::ScriptEndpoint;
use crate::stand_in::{self, StandInEndpoint, StandIns};
use crate::store::Store;
use crate::url::BaseUrl;

/// The number of output tokens from which a reply is streamed by default: long silences make proxies drop a connection.
pub(super) const STREAM_FROM_TOKENS: u32 = 1000;

/// The default maximum number of output tokens of a request that has none.
pub const DEFAULT_OUTPUT_TOKENS: u32 = 1024;

/// The default cap on the calls to a server in one run.
pub const DEFAULT_MAX_CALLS: u64 = 2000;

/// The default cap on the tokens of the calls to a server in one run.
pub const DEFAULT_MAX_TOKENS: u64 = 3_000_000;

/// The default number of calls at a time to a server on another machine.
pub const DEFAULT_CONCURRENCY: usize = 4;

/// The default longest time of one call.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(10);

/// The policy for the cache of recorded exchanges and for calls over the network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    /// A recorded reply if there is one, otherwise a call, whose reply is recorded.
    #[default]
    Live,
    /// Always a call, whose reply is recorded.
    Record,
    /// Recorded replies only; no connection is made.
    Replay,
    /// No replies; no connection is made.
    Off,
    /// As [`Off`](Self::Off), for a dry run, which tells recorded replies from calls.
    Plan,
}

impl Mode {
    /// Whether recorded replies are used.
    pub(crate) const fn reads_cache(self) -> bool {
        matches!(self, Self::Live | Self::Replay | Self::Plan)
    }

    /// Whether calls are made.
    pub(crate) const fn makes_calls(self) -> bool {
        matches!(self, Self::Live | Self::Record)
    }
}

/// Returns the folder of recorded exchanges that is used for servers if none is given, relative to the current folder.
pub fn default_cache() -> &'static Path {
    Path::new(".goalspec/llm")
}

/// The model, the server, the caps and the store that a client uses. The default options describe no model: at least [`model`](Self::model) is needed.
#[derive(Clone)]
pub struct ClientOptions {
    /// The model: its name at the server, `fake:NAME` for a stand-in, or `scripted:FILE` for a script.
    pub model: Option<String>,
    /// The address of the server; by default that of the profile.
    pub base_url: Option<String>,
    /// The name of the server profile, or a TOML file; by default it is found by the host or by probing.
    pub profile: Option<String>,
    /// The wire format; by default the first that the profile speaks.
    pub format: Option<Format>,
    /// The policy for the cache of recorded exchanges and for calls over the network.
    pub mode: Mode,
    /// The folder of recorded exchanges; by default [`default_cache`] for servers and none for stand-ins.
    pub cache: Option<PathBuf>,
    /// The name of the run in the ledger. Caps count all calls of a run, those of earlier starts included.
    pub run: String,
    /// Sampling parameters that replace those of requests.
    pub sampling: Sampling,
    /// The maximum number of output tokens that replaces that of requests.
    pub max_output_tokens: Option<u32>,
    /// Caps on the run. Without caps on calls and tokens, those of servers are [`DEFAULT_MAX_CALLS`] and [`DEFAULT_MAX_TOKENS`].
    pub caps: Caps,
    /// The price file; it is required by a cap on the cost.
    pub prices: Option<PathBuf>,
    /// The number of calls at a time; by default [`DEFAULT_CONCURRENCY`], and 1 for a server on this machine and for scripts.
    pub concurrency: Option<usize>,
    /// The number of calls in any minute.
    pub requests_per_minute: Option<u64>,
    /// The number of estimated tokens in any minute.
    pub tokens_per_minute: Option<u64>,
    /// The variable of the environment with the key; by default that of the profile, if the address is that of the profile.
    pub key_env: Option<String>,
    /// Whether the key may be sent in clear to another machine.
    pub insecure: bool,
    /// Whether replies are streamed; by default from 1,000 output tokens on.
    pub stream: Option<bool>,
    /// The longest time of one call.
    pub timeout: Duration,
    /// The longest silence of a stream.
    pub idle_timeout: Duration,
    /// The number of retries of a call.
    pub retries: u32,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The receiver of events.
    pub observer: Observer,
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            model: None,
            base_url: None,
            profile: None,
            format: None,
            mode: Mode::Live,
            cache: None,
            run: "default".to_owned(),
            sampling: Sampling::default(),
            max_output_tokens: None,
            caps: Caps::default(),
            prices: None,
            concurrency: None,
            requests_per_minute: None,
            tokens_per_minute: None,
            key_env: None,
            insecure: false,
            stream: None,
            timeout: DEFAULT_TIMEOUT,
            idle_timeout: IDLE_TIMEOUT,
            retries: DEFAULT_RETRIES,
            clock: Arc::new(SystemClock),
            observer: Arc::new(|_| ()),
        }
    }
}

/// The part of a client that depends on where its model is.
struct Connection {
    profile: Profile,
    format: Format,
    base_url: String,
    endpoint: Box<dyn Endpoint>,
    key: Option<ApiKey>,
    caps: Caps,
    concurrency: usize,
    store: Option<Store>,
    notes: BTreeSet<String>,
}

impl ClientOptions {
    /// Creates the client. In the modes without calls, no connection is made and no key is read; otherwise a server without a given or known
    /// profile is asked for its kind.
    ///
    /// # Errors
    /// If the options are invalid, or the ledger cannot be opened.
    pub fn open(&self, stand_ins: &StandIns) -> Result<Client, ModelError> {
        let Some(name) = self.model.clone().filter(|name| !name.is_empty()) else {
            return Err(invalid("no model is given: use --model with the name of a model, fake:NAME or scripted:FILE"));
        };
        let price = self.price(&name)?;
        let mut connection = self.connect(&name, stand_ins)?;
        let OpenedLedger { ledger, spent, interrupted } = self.open_ledger(connection.store.as_ref())?;
        connection.notes.extend(self.interruption_note(interrupted));
        let limits = RateLimits {
            concurrency: connection.concurrency,
            requests_per_minute: self.requests_per_minute,
            tokens_per_minute: self.tokens_per_minute,
        };
        for note in &connection.notes {
            (self.observer)(&super::ClientEvent::Note(note.clone()));
        }
        Ok(Client {
            name,
            profile: connection.profile,
            format: connection.format,
            base_url: connection.base_url,
            endpoint: connection.endpoint,
            key: connection.key,
            mode: self.mode,
            clock: self.clock.clone(),
            store: connection.store,
            ledger,
            budget: Arc::new(Budget::new(connection.caps, spent, &*self.clock)),
            limiter: Limiter::new(limits),
            price,
            run: self.run.clone(),
            sampling: self.sampling,
            max_output_tokens: self.max_output_tokens,
            stream: self.stream,
            timeout: self.timeout,
            retries: self.retries,
            seed: self.sampling.seed.unwrap_or(0),
            concurrency: connection.concurrency,
            observer: self.observer.clone(),
            notes: Mutex::new(connection.notes),
            violated: Mutex::default(),
            recorded: RecordedQuestions::default(),
            asked: Mutex::new(HashSet::new()),
            answered: Condvar::new(),
        })
    }

    fn price(&self, model: &str) -> Result<Option<Price>, ModelError> {
        let Some(path) = &self.prices else {
            return match self.caps.cost {
                Some(_) => Err(invalid("--max-cost requires a price file (--prices)")),
                None => Ok(None),
            };
        };
        let error = |reason: String| invalid(format!("invalid price file `{}`: {reason}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|reason| error(reason.to_string()))?;
        let price = Prices::parse(&text).map_err(|reason| error(reason.to_string()))?.of(model);
        match price {
            None if self.caps.cost.is_some() => Err(error(format!("it has no price of the model `{model}`"))),
            price => Ok(price),
        }
    }

    fn connect(&self, name: &str, stand_ins: &StandIns) -> Result<Connection, ModelError> {
        let seed = self.sampling.seed.unwrap_or(0);
        if let Some(text) = name.strip_prefix("fake:") {
            let endpoint = Box::new(StandInEndpoint(stand_ins.build(text, seed)?));
            return Ok(self.local(format!("{name}#{seed}"), endpoint, DEFAULT_CONCURRENCY));
        }
        if let Some(path) = name.strip_prefix("scripted:") {
            let endpoint = Box::new(ScriptEndpoint::open(Path::new(path))?);
            return Ok(self.local(name.to_owned(), endpoint, 1));
        }
        self.connect_server()
    }

    fn local(&self, base_url: String, endpoint: Box<dyn Endpoint>, concurrency: usize) -> Connection {
        Connection {
            profile: stand_in::profile(),
            format: stand_in::FORMAT,
            base_url,
            endpoint,
            key: None,
            caps: self.caps,
            concurrency: self.concurrency.unwrap_or(concurrency),
            store: self.cache.as_ref().map(Store::new),
            notes: BTreeSet::new(),
        }
    }

    fn connect_server(&self) -> Result<Connection, ModelError> {
        let store = Store::new(self.cache.clone().unwrap_or_else(|| default_cache().to_owned()));
        let mut notes = BTreeSet::new();
        let given = self.profile.as_deref().map(Profile::find).transpose()?;
        let usual = given.as_ref().and_then(|profile| profile.base_url.clone());
        let Some(address) = self.base_url.clone().or(usual) else {
            return Err(invalid(
                "no server is given: use --base-url, or --profile with a server that has a usual address",
            ));
        };
        let base_url = BaseUrl::parse(&address)?;
        let profile = match given.or_else(|| probe::profile_of_host(&base_url)) {
            Some(profile) => profile,
            None => self.find_profile(&base_url, &store, &mut notes)?,
        };
        let format = self.format.unwrap_or_else(|| profile.default_format());
        let key = if self.mode.makes_calls() { self.key(&profile, &base_url)? } else { None };
        let endpoint = HttpEndpoint::new(base_url.clone(), format, key.clone(), self.insecure)?;
        if self.mode.makes_calls() {
            endpoint.check_encryption()?;
        }
        let caps = Caps {
            calls: self.caps.calls.or(Some(DEFAULT_MAX_CALLS)),
            tokens: self.caps.tokens.or(Some(DEFAULT_MAX_TOKENS)),
            ..self.caps
        };
        let concurrency = if base_url.is_loopback() { 1 } else { DEFAULT_CONCURRENCY };
        Ok(Connection {
            profile,
            format,
            base_url: base_url.as_str().to_owned(),
            endpoint: Box::new(endpoint.with_idle_timeout(self.idle_timeout)),
            key,
            caps,
            concurrency: self.concurrency.unwrap_or(concurrency),
            store: Some(store),
            notes,
        })
    }

    /// Finds the profile of a server that is not known by its host: by probing, or from an earlier probe.
    fn find_profile(
        &self,
        base_url: &BaseUrl,
        store: &Store,
        notes: &mut BTreeSet<String>,
    ) -> Result<Profile, ModelError> {
        if self.mode.makes_calls() {
            let key = self.key(&Profile::default(), base_url)?;
            let endpoint = HttpEndpoint::new(base_url.clone(), Format::Chat, key, self.insecure)?;
            if let Some(profile) = probe::probe_profile(&endpoint, base_url) {
                store.keep_profile(base_url.as_str(), &profile.name)?;
                return Ok(profile);
            }
        }
        if let Some(name) = store.known_profile(base_url.as_str()) {
            return Profile::find(&name);
        }
        notes.insert(format!(
            "the kind of server at {} is not known; the profile `generic` is used, which sends few parameters (--profile chooses another)",
            base_url.as_str()
        ));
        Profile::find("generic")
    }

    /// Reads the key. The variable of a profile counts only for the address of that profile: a key must not reach another server unasked.
    fn key(&self, profile: &Profile, base_url: &BaseUrl) -> Result<Option<ApiKey>, ModelError> {
        let usual = profile.base_url.as_deref().and_then(|text| BaseUrl::parse(text).ok());
        let is_usual = usual.is_some_and(|usual| usual.origin() == base_url.origin());
        let variable = match (&self.key_env, &profile.key_env) {
            (Some(name), _) => name,
            (None, Some(name)) if is_usual => name,
            _ => return Ok(None),
        };
        match ApiKey::from_env(variable).map_err(|error| invalid(error.to_string()))? {
            None if self.key_env.is_some() => {
                Err(invalid(format!("the variable {variable} of the environment has no key")))
            }
            key => Ok(key),
        }
    }

    /// Opens the ledger, ends the calls that a stopped process has left open, and returns what the run has spent.
    fn open_ledger(&self, store: Option<&Store>) -> Result<OpenedLedger, ModelError> {
        let Some(store) = store.filter(|_| self.mode.makes_calls()) else { return Ok(OpenedLedger::default()) };
        store.create()?;
        let (ledger, calls) = Ledger::open(&store.ledger_path())?;
        let (mut spent, mut interrupted) = (Spending::default(), Spending::default());
        for mut call in calls {
            if call.end.is_none() {
                let end = recover(store, &call)?;
                ledger.end(end.clone())?;
                call.end = Some(end);
            }
            if call.start.run == self.run {
                spent = spent.plus(call.spent());
                interrupted = interrupted.plus(if call.is_interrupted() { call.spent() } else { Spending::default() });
            }
        }
        Ok(OpenedLedger { ledger: Some(ledger), spent, interrupted })
    }

    /// Returns the remark about calls of the run whose replies were lost with a stopped process.
    fn interruption_note(&self, interrupted: Spending) -> Option<String> {
        let calls = match interrupted.calls {
            0 => return None,
            1 => "1 call".to_owned(),
            calls => format!("{calls} calls"),
        };
        Some(format!(
            "the process was stopped during {calls} of the run `{}`: the server may have charged them, so the caps count their worst case, {} \
             tokens; replies that are still needed are asked for again",
            self.run, interrupted.tokens
        ))
    }
}

/// The ledger, what the run has spent, and the part of it for calls whose replies were lost with a stopped process.
#[derive(Default)]
struct OpenedLedger {
    ledger: Option<Ledger>,
    spent: Spending,
    interrupted: Spending,
}

/// Returns the end of a call during or after which the process was stopped: from the record of the exchange if it was written, otherwise
/// unknown.
fn recover(store: &Store, call: &LedgerCall) -> Result<CallEnd, ModelError> {
    let start = &call.start;
    let entry = store.get(&start.key)?.filter(|entry| entry.call == start.call);
    Ok(match entry {
        Some(entry) => CallEnd {
            call: start.call,
            status: Some(entry.status),
            request_id: entry.headers.get("x-request-id").or_else(|| entry.headers.get("request-id")).cloned(),
            error: None,
            message: None,
            usage: Some(entry.usage),
            spent: Spending {
                calls: 1,
                tokens: entry.usage.total(),
                nano_cost: crate::prices::to_nano(entry.cost.unwrap_or(0.0)),
            },
            charge: if entry.usage.estimated { Charge::Estimated } else { Charge::Reported },
            duration_ms: entry.duration_ms,
        },
        None => CallEnd {
            call: start.call,
            status: None,
            request_id: None,
            error: Some(ErrorKind::Interrupted),
            message: Some("the process was stopped during the call".to_owned()),
            usage: None,
            spent: start.worst,
            charge: Charge::Unknown,
            duration_ms: 0,
        },
    })
}

fn invalid(message: impl Into<String>) -> ModelError {
    ModelError::new(ErrorKind::InvalidRequest, message)
}
