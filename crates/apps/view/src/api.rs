//! The answers to requests for data.
//!
//! | request | answer |
//! |---|---|
//! | `GET /api/start` | the inputs by id |
//! | `POST /api/check` `{program, text}` | the diagnostics of a text |
//! | `POST /api/save` `{program, text, hash}` | `{saved, hash}`; not saved, and with the `text` of the file, if it differs from the one with this hash |
//! | `POST /api/runs` `{program, trace, text, simulation}` | `{run}`; the run before, if it has not ended, is cancelled |
//! | `GET /api/traces/T/version` | `{version}`, which changes whenever the file of the trace does |
//! | `GET /api/results/T` | the results of all programs over the trace with the id T |
//! | `GET /api/runs/R` | the document of a run, once it has ended |
//! | `GET /api/runs/R/tiles?lanes=0,3-9&level=L&tile=K` | [tiles](crate::tiles) |
//! | `GET /api/runs/R/states/AT` | the state of the trace at this position from 0 |
//! | `GET /api/runs/R/why/I/AT` | the reason for the reward of the frame at this position from 0, by the reward function with the index I |
//! | `GET /api/runs/R/audits` | the audits of the reward functions on the recording, in the order of the document |
//! | `GET /api/runs/R/games/I` | the game with the index I under the seed of the run, turn by turn |

use std::collections::VecDeque;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, watch};

use crate::resource_runs::SimulationRequest;
use crate::save::SaveOutcome;
use crate::scenes::Scenes;
use crate::session::{Session, SessionError, ViewRun};
use crate::tiles::{self, TileLane};

/// Maximum number of lanes of one answer with tiles.
const MAX_TILE_LANES: usize = 500;

/// Maximum number of runs at the same time.
const MAX_RUNS: usize = 4;

/// The number of finished runs that are kept.
const KEPT_RUNS: usize = 8;

/// The data behind the page.
#[derive(Debug)]
pub(crate) struct Data {
    session: Session,
    runs: Mutex<Runs>,
    permits: Arc<Semaphore>,
    /// The permit for results and audits, one at a time, so that they never take those of runs.
    reports: Arc<Semaphore>,
}

#[derive(Debug, Default)]
struct Runs {
    next: u64,
    latest: VecDeque<Arc<RunSlot>>,
}

/// A run that has begun.
#[derive(Debug)]
struct RunSlot {
    id: u64,
    cancelled: Arc<AtomicBool>,
    result: watch::Receiver<Option<RunResult>>,
    scenes: Mutex<Option<Arc<Scenes>>>,
}

type RunResult = Arc<Result<ViewRun, SessionError>>;

/// An error as an answer.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into() }
    }

    fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "view/not-found", message)
    }

    fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "view/invalid-request", message)
    }
}

impl From<SessionError> for ApiError {
    fn from(error: SessionError) -> Self {
        Self::from(&error)
    }
}

impl From<&SessionError> for ApiError {
    fn from(error: &SessionError) -> Self {
        match error {
            SessionError::ReadOnly => Self::new(StatusCode::FORBIDDEN, "view/read-only", error.to_string()),
            SessionError::UnknownInput(..) => Self::not_found(error.to_string()),
            SessionError::Unreadable(_) => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "view/unreadable", error.to_string())
            }
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = json_response(&json!({"error": {"code": self.code, "message": self.message}}));
        *response.status_mut() = self.status;
        response
    }
}

fn json_response(value: &Value) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

type Answer = Result<Response, ApiError>;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Data {
    pub(crate) fn new(session: Session) -> Self {
        Self {
            session,
            runs: Mutex::default(),
            permits: Arc::new(Semaphore::new(MAX_RUNS)),
            reports: Arc::new(Semaphore::new(1)),
        }
    }

    fn slot(&self, id: &str) -> Result<Arc<RunSlot>, ApiError> {
        let id: u64 = number(id)?;
        let found = locked(&self.runs).latest.iter().find(|slot| slot.id == id).cloned();
        found.ok_or_else(|| ApiError::not_found(format!("there is no run {id}: only the latest {KEPT_RUNS} are kept")))
    }
}

impl RunSlot {
    /// Waits for the end of the run.
    async fn result(&self) -> Result<RunResult, ApiError> {
        let mut result = self.result.clone();
        let ended = result.wait_for(Option::is_some).await.ok().and_then(|result| result.clone());
        ended.ok_or_else(|| ApiError::new(StatusCode::GONE, "view/cancelled", "the run was cancelled by a later one"))
    }
}

fn number<T: FromStr>(text: &str) -> Result<T, ApiError> {
    text.parse().map_err(|_| ApiError::invalid(format!("`{text}` is no number in the range of this parameter")))
}

/// Runs work that takes long off the thread of the network.
async fn on_pool<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
    let failed =
        |_| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "view/failed", "the request could not be answered");
    tokio::task::spawn_blocking(work).await.map_err(failed)
}

pub(crate) async fn start(State(data): State<Arc<Data>>) -> Answer {
    let document = on_pool(move || data.session.start()).await?;
    Ok(json_response(&document))
}

/// The parameters of a request to check or run a text.
struct TextRequest {
    program: usize,
    trace: usize,
    text: Option<String>,
    /// The experiment on a resource graph game; without it, that of the command line.
    simulation: Option<SimulationRequest>,
    /// The hash of the text of the file, for saving.
    hash: Option<String>,
}

impl TextRequest {
    fn parse(headers: &HeaderMap, body: &[u8]) -> Result<Self, ApiError> {
        let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if kind.split(';').next().is_none_or(|kind| kind.trim() != "application/json") {
            let message = "expected the content type `application/json`";
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "view/invalid-request", message));
        }
        let value: Value = serde_json::from_slice(body).map_err(|error| ApiError::invalid(error.to_string()))?;
        let id = |key: &'static str| -> Result<usize, &'static str> {
            match &value[key] {
                Value::Null => Ok(0),
                id => id.as_u64().and_then(|id| usize::try_from(id).ok()).ok_or(key),
            }
        };
        let string = |key: &'static str| match &value[key] {
            Value::Null => Ok(None),
            Value::String(text) => Ok(Some(text.clone())),
            _ => Err(key),
        };
        let parse = || -> Result<Self, &'static str> {
            let simulation = match &value["simulation"] {
                Value::Null => None,
                value => Some(simulation(value).ok_or("simulation")?),
            };
            let (program, trace) = (id("program")?, id("trace")?);
            Ok(Self { program, trace, text: string("text")?, simulation, hash: string("hash")? })
        };
        parse().map_err(|key| ApiError::invalid(format!("the value of `{key}` has the wrong type")))
    }
}

/// Reads the parameters of an experiment; `None` if they are malformed.
fn simulation(value: &Value) -> Option<SimulationRequest> {
    let policies = value["policies"].as_array()?.iter().map(|policy| policy.as_str().map(str::to_owned));
    Some(SimulationRequest {
        games: value["games"].as_u64()?,
        seed: value["seed"].as_u64()?,
        policies: policies.collect::<Option<_>>()?,
    })
}

pub(crate) async fn check(State(data): State<Arc<Data>>, headers: HeaderMap, body: Bytes) -> Answer {
    let TextRequest { program, text, .. } = TextRequest::parse(&headers, &body)?;
    let document = on_pool(move || data.session.check(program, text.as_deref())).await??;
    Ok(json_response(&document))
}

pub(crate) async fn save(State(data): State<Arc<Data>>, headers: HeaderMap, body: Bytes) -> Answer {
    let TextRequest { program, text: Some(text), hash: Some(hash), .. } = TextRequest::parse(&headers, &body)? else {
        return Err(ApiError::invalid("a program is saved with its `text` and the `hash` of its file"));
    };
    let saved = on_pool(move || data.session.save(program, &text, &hash).map_err(ApiError::from)).await??;
    Ok(match saved {
        SaveOutcome::Saved(hash) => json_response(&json!({"saved": true, "hash": hash})),
        SaveOutcome::ChangedOnDisk { text, hash } => {
            json_response(&json!({"saved": false, "text": text, "hash": hash}))
        }
    })
}

pub(crate) async fn begin_run(State(data): State<Arc<Data>>, headers: HeaderMap, body: Bytes) -> Answer {
    let TextRequest { program, trace, text, simulation, .. } = TextRequest::parse(&headers, &body)?;
    // Edits are cancelled, never queued.
    locked(&data.runs).latest.iter().for_each(|slot| slot.cancelled.store(true, Ordering::Relaxed));
    let Ok(permit) = Arc::clone(&data.permits).try_acquire_owned() else {
        let message = format!("the limit of {MAX_RUNS} runs at the same time is reached");
        return Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, "view/busy", message));
    };
    let (sender, result) = watch::channel(None);
    let cancelled = Arc::new(AtomicBool::new(false));
    let id = {
        let mut runs = locked(&data.runs);
        runs.next += 1;
        let scenes = Mutex::default();
        let slot = RunSlot { id: runs.next, cancelled: Arc::clone(&cancelled), result, scenes };
        runs.latest.push_back(Arc::new(slot));
        if runs.latest.len() > KEPT_RUNS {
            runs.latest.pop_front();
        }
        runs.next
    };
    tokio::task::spawn_blocking(move || {
        let flag = Some(Arc::clone(&cancelled));
        let run = match simulation.filter(|_| data.session.is_resource_game(program)) {
            Some(request) => data.session.simulate(program, text.as_deref(), &request, flag),
            None => data.session.run(program, trace, text.as_deref(), flag),
        };
        // Without a result, those who wait are told that the run was cancelled.
        if !cancelled.load(Ordering::Relaxed) {
            sender.send_replace(Some(Arc::new(run)));
        }
        drop(permit);
    });
    Ok(json_response(&json!({"run": id})))
}

fn finished(result: &RunResult) -> Result<&ViewRun, ApiError> {
    (**result).as_ref().map_err(ApiError::from)
}

pub(crate) async fn trace_version(State(data): State<Arc<Data>>, Path(trace): Path<String>) -> Answer {
    let trace: usize = number(&trace)?;
    let version = on_pool(move || data.session.trace_version(trace).map_err(ApiError::from)).await??;
    Ok(json_response(&json!({"version": version})))
}

pub(crate) async fn results(State(data): State<Arc<Data>>, Path(trace): Path<String>) -> Answer {
    let trace: usize = number(&trace)?;
    let permit = Arc::clone(&data.reports).acquire_owned().await;
    let document = on_pool(move || {
        let document = data.session.results(trace).map_err(ApiError::from);
        drop(permit);
        document
    });
    Ok(json_response(&document.await??))
}

pub(crate) async fn run(State(data): State<Arc<Data>>, Path(id): Path<String>) -> Answer {
    let result = data.slot(&id)?.result().await?;
    Ok(json_response(&finished(&result)?.document))
}

pub(crate) async fn tiles(State(data): State<Arc<Data>>, Path(id): Path<String>, RawQuery(query): RawQuery) -> Answer {
    let result = data.slot(&id)?.result().await?;
    let query = query.unwrap_or_default();
    let parameter = |name: &str| {
        let values = query.split('&').filter_map(|pair| pair.split_once('='));
        let value = values.filter(|&(key, _)| key == name).map(|(_, value)| value.to_owned()).next();
        value.ok_or_else(|| ApiError::invalid(format!("the parameter `{name}` is missing")))
    };
    let (level, tile): (u8, u64) = (number(&parameter("level")?)?, number(&parameter("tile")?)?);
    let ids = lane_ids(&parameter("lanes")?)?;
    let bytes = on_pool(move || {
        let run = finished(&result)?;
        let lanes = ids.iter().map(|&id| {
            let lane =
                run.lanes.get(id as usize).ok_or_else(|| ApiError::not_found(format!("there is no lane {id}")))?;
            Ok((id, lane))
        });
        let lanes: Vec<(u32, &TileLane)> = lanes.collect::<Result<_, ApiError>>()?;
        let found = tiles::tile(&lanes, run.states, level, tile);
        found.ok_or_else(|| ApiError::not_found(format!("there is no tile {tile} of level {level}")))
    });
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], bytes.await??).into_response())
}

/// Reads ids such as `0,3-9`.
fn lane_ids(text: &str) -> Result<Vec<u32>, ApiError> {
    let mut ids = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (number(first)?, number(last)?);
        if u64::from(last.saturating_sub(first)) + ids.len() as u64 >= MAX_TILE_LANES as u64 {
            return Err(ApiError::invalid(format!("an answer has at most {MAX_TILE_LANES} lanes")));
        }
        ids.extend(first..=last);
    }
    Ok(ids)
}

pub(crate) async fn state(State(data): State<Arc<Data>>, Path((id, at)): Path<(String, String)>) -> Answer {
    let (slot, at) = (data.slot(&id)?, number::<usize>(&at)?);
    let result = slot.result().await?;
    let document = on_pool(move || {
        let scenes = scenes(&slot, finished(&result)?)?;
        scenes.document(at, false).map_err(|error| ApiError::from(SessionError::Unreadable(error)))
    });
    match document.await?? {
        Some(document) => Ok(json_response(&document)),
        None => Err(ApiError::not_found(format!("the trace has no position {at}"))),
    }
}

pub(crate) async fn why(
    State(data): State<Arc<Data>>,
    Path((id, outcome, at)): Path<(String, String, String)>,
) -> Answer {
    let (slot, outcome, at) = (data.slot(&id)?, number::<usize>(&outcome)?, number::<usize>(&at)?);
    let result = slot.result().await?;
    let reason = on_pool(move || data.session.why(finished(&result)?, outcome, at).map_err(ApiError::from));
    match reason.await?? {
        Some(reason) => Ok(json_response(&reason)),
        None => Err(ApiError::not_found(format!("reward function {outcome} has no frame at position {at}"))),
    }
}

pub(crate) async fn audits(State(data): State<Arc<Data>>, Path(id): Path<String>) -> Answer {
    let result = data.slot(&id)?.result().await?;
    let permit = Arc::clone(&data.reports).acquire_owned().await;
    let audits = on_pool(move || {
        let audits = finished(&result).map(|run| data.session.audits(run));
        drop(permit);
        audits
    });
    Ok(json_response(&audits.await??))
}

pub(crate) async fn game(State(data): State<Arc<Data>>, Path((id, index)): Path<(String, String)>) -> Answer {
    let (slot, index) = (data.slot(&id)?, number::<u64>(&index)?);
    let result = slot.result().await?;
    let game = on_pool(move || data.session.game(finished(&result)?, index).map_err(ApiError::from));
    match game.await?? {
        Some(game) => Ok(json_response(&game)),
        None => Err(ApiError::not_found(format!("the run has no game {index}"))),
    }
}

/// Returns the states of a run, which are read once.
fn scenes(slot: &RunSlot, run: &ViewRun) -> Result<Arc<Scenes>, ApiError> {
    let mut known = locked(&slot.scenes);
    if let Some(scenes) = &*known {
        return Ok(Arc::clone(scenes));
    }
    let source = run.scenes.as_ref().ok_or_else(|| ApiError::not_found("the run has no states"))?;
    let scenes = Arc::new(source.read().map_err(|error| ApiError::from(SessionError::Unreadable(error)))?);
    *known = Some(Arc::clone(&scenes));
    Ok(scenes)
}
