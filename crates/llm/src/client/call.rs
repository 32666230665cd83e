//! One call with its retries: admission by the caps, the ledger, the wait between retries, and the record of the reply.

use std::time::Duration;

use super::{Client, ClientEvent};
use crate::budget::{Reservation, Spending};
use crate::date::format_rfc3339;
use crate::endpoint::{Call, Response, SendError};
use crate::error::{Cap, ErrorKind, ModelError};
use crate::ledger::{CallEnd, CallStart, Charge, milliseconds};
use crate::reply::{Outcome, Reply, Usage};
use crate::request::Request;
use crate::retry::{self, Decision};
use crate::store::{self, Entry};
use crate::wire::{Fault, ReadError, WireReply, WireRequest, read_fault};

/// The failure of one call.
struct Failure {
    decision: Decision,
    message: String,
    status: Option<u16>,
    request_id: Option<String>,
    /// The wait that the server asks for.
    wait: Option<Duration>,
    charge: Charge,
}

/// The times of a call.
struct Timing {
    started: Duration,
    duration: Duration,
}

/// A question to the endpoint.
pub(super) struct Asked<'a> {
    request: &'a Request,
    wire: &'a WireRequest,
    key: &'a str,
    body: String,
    worst: Spending,
}

/// A response with the reply in it.
struct Received {
    response: Response,
    reply: WireReply,
}

impl Client {
    /// Asks the endpoint, with retries.
    pub(super) fn ask(
        &self,
        request: &Request,
        wire: &WireRequest,
        key: &str,
        on_admitted: &mut dyn FnMut(),
    ) -> Result<Reply, ModelError> {
        let asked = Asked { request, wire, key, body: wire.text(), worst: self.worst_of(wire) };
        let mut calls = 0;
        loop {
            let reservation = self.budget.reserve(asked.worst, &*self.clock);
            let reservation = reservation.map_err(|error| ModelError { calls, ..error })?;
            if calls == 0 {
                on_admitted();
            }
            let failure = match self.call(&asked, calls, reservation)? {
                Ok(reply) => return Ok(reply),
                Err(failure) => failure,
            };
            calls += 1;
            let (kind, may_retry) = match failure.decision {
                Decision::Retry(kind) => (kind, calls <= self.retries),
                Decision::Fail(kind) => (kind, false),
            };
            let error = ModelError {
                kind,
                message: failure.message,
                status: failure.status,
                request_id: failure.request_id,
                calls,
            };
            if !may_retry {
                return Err(error);
            }
            self.wait(&error, failure.wait, key, calls - 1)?;
        }
    }

    /// Waits before a retry.
    fn wait(&self, error: &ModelError, server: Option<Duration>, key: &str, retry: u32) -> Result<(), ModelError> {
        if let Some(wait) = server.filter(|wait| *wait > retry::MAX_SERVER_WAIT) {
            let message = format!(
                "{}; the server asks to wait {:.0} s, more than the limit of {} s",
                error.message,
                wait.as_secs_f64(),
                retry::MAX_SERVER_WAIT.as_secs()
            );
            return Err(ModelError { message, ..error.clone() });
        }
        // The beginning of the key tells calls apart, so that they do not all return at once.
        let seed = self.seed ^ u64::from_str_radix(&key[..16], 16).unwrap_or(0);
        let wait = server.unwrap_or_else(|| retry::backoff(retry, seed));
        if let Some(remaining) = self.budget.remaining_time(&*self.clock).filter(|remaining| wait >= *remaining) {
            let message = format!(
                "the cap {} is reached: {:.0} s are left, and the next retry has to wait {:.1} s after: {}",
                Cap::Time.option(),
                remaining.as_secs_f64(),
                wait.as_secs_f64(),
                error.message
            );
            return Err(ModelError { kind: ErrorKind::CapReached(Cap::Time), message, ..error.clone() });
        }
        (self.observer)(&ClientEvent::Retry { error: error.clone(), wait });
        if error.status == Some(429) {
            // The server counts all calls together, so all of them wait.
            self.limiter.pause(wait, &*self.clock);
        } else {
            self.clock.sleep(wait);
        }
        Ok(())
    }

    /// Makes one call. The outer error ends the request without a retry.
    fn call(
        &self,
        asked: &Asked<'_>,
        retry: u32,
        reservation: Reservation<'_>,
    ) -> Result<Result<Reply, Failure>, ModelError> {
        let permit = self.limiter.acquire(asked.worst.tokens, &*self.clock);
        let remaining = self.budget.remaining_time(&*self.clock);
        if remaining.is_some_and(|remaining| remaining.is_zero()) {
            reservation.settle(Spending::default());
            let message = format!("the cap {} is reached while the call waited for its turn", Cap::Time.option());
            return Err(ModelError { calls: retry, ..ModelError::new(ErrorKind::CapReached(Cap::Time), message) });
        }
        let started = self.clock.now();
        let number = self.write_start(asked, retry, started)?;
        let result = self.endpoint.send(&Call {
            path: self.format.path(),
            body: &asked.body,
            request: asked.request,
            is_stream: asked.wire.body.contains_key("stream"),
            timeout: self.timeout.min(remaining.unwrap_or(self.timeout)).max(Duration::from_millis(1)),
            clock: &*self.clock,
            on_bytes: &|bytes| (self.observer)(&ClientEvent::Bytes(bytes)),
        });
        let timing = Timing { started, duration: self.clock.now().saturating_sub(started) };
        drop(permit);
        let received = match result {
            Ok(response) => self.receive(self.without_key(response)),
            Err(error) => Err(self.failure_of_send(error)),
        };
        match received {
            Ok(received) => self.accept(asked, number, &timing, received, reservation).map(Ok),
            Err(failure) => {
                self.write_failure(number, &failure, &timing, asked.worst, reservation)?;
                Ok(Err(failure))
            }
        }
    }

    /// Reads a response.
    fn receive(&self, response: Response) -> Result<Received, Failure> {
        self.limiter.learn(&response.headers, &*self.clock);
        if !(200..300).contains(&response.status) {
            let fault = read_fault(response.status, &response.body);
            let charge = if matches!(response.status, 408 | 504) { Charge::Unknown } else { Charge::None };
            return Err(self.failure_of_fault(&response, &fault, charge));
        }
        match self.read_body(&response.body) {
            Ok(reply) if self.repeats_key(&reply) => {
                let message = "the reply contains the key in the parts of a stream; it was not kept".to_owned();
                Err(failure_of_response(&response, Decision::Fail(ErrorKind::UnreadableResponse), message))
            }
            Ok(reply) => Ok(Received { response, reply }),
            Err(ReadError::Fault(fault)) => Err(self.failure_of_fault(&response, &fault, Charge::Unknown)),
            Err(ReadError::Cut(message)) => {
                let decision = Decision::Retry(ErrorKind::CutResponse);
                Err(failure_of_response(&response, decision, message))
            }
            Err(ReadError::Unreadable(message)) => {
                let decision = Decision::Fail(ErrorKind::UnreadableResponse);
                Err(failure_of_response(&response, decision, message))
            }
        }
    }

    fn failure_of_fault(&self, response: &Response, fault: &Fault, charge: Charge) -> Failure {
        // An error inside of a successful response has a status of its own, or counts as a failure of the server.
        let status = fault.status.unwrap_or(if response.status < 400 { 500 } else { response.status });
        let code = if fault.code.is_empty() { String::new() } else { format!(" ({})", fault.code) };
        let hint = match status {
            401 if self.key.is_none() => "; no key was sent: name its variable of the environment with --key-env",
            _ => "",
        };
        Failure {
            decision: retry::decide(status, &response.headers, fault),
            message: format!("the server answered with the status {status}{code}: {}{hint}", fault.message),
            status: Some(status),
            request_id: response.headers.request_id().map(str::to_owned),
            wait: retry::server_wait(&response.headers, self.clock.now()),
            charge,
        }
    }

    fn failure_of_send(&self, error: SendError) -> Failure {
        let (decision, message, charge) = match error {
            SendError::NotSent(message) => (Decision::Retry(ErrorKind::Connection), message, Charge::None),
            SendError::Timeout(message) => (Decision::Retry(ErrorKind::Timeout), message, Charge::Unknown),
            SendError::Cut(message) => (Decision::Retry(ErrorKind::CutResponse), message, Charge::Unknown),
            SendError::Refused(message) => (Decision::Fail(ErrorKind::Rejected), message, Charge::None),
        };
        let message = self.key.iter().fold(message, |message, key| key.redact(message));
        Failure { decision, message, status: None, request_id: None, wait: None, charge }
    }

    /// Whether a reply contains the key although it was removed from the response: a stream may divide it between its events.
    fn repeats_key(&self, reply: &WireReply) -> bool {
        let refusal = match &reply.outcome {
            Outcome::Refused(reason) => reason.as_deref(),
            _ => None,
        };
        let texts = [Some(reply.text.as_str()), reply.reasoning.as_deref(), refusal];
        self.key.as_ref().is_some_and(|key| texts.into_iter().flatten().any(|text| key.is_in(text)))
    }

    /// Removes the key from a response: a server that repeats it must not make it part of a reply, a record or an error.
    fn without_key(&self, response: Response) -> Response {
        let Some(key) = &self.key else { return response };
        let body = match String::from_utf8(response.body) {
            Ok(text) => key.redact(text).into_bytes(),
            // Such a body is not a reply, and only its readable beginning is shown, which may contain the key.
            Err(error) => key.redact(String::from_utf8_lossy(error.as_bytes()).into_owned()).into_bytes(),
        };
        let headers = response.headers.iter().map(|(name, value)| (name.to_owned(), key.redact(value.to_owned())));
        Response { status: response.status, headers: headers.collect(), body }
    }

    /// Records a reply and returns it. The exchange is written before the end of the call, so that a process that is stopped between the two
    /// has lost nothing.
    fn accept(
        &self,
        asked: &Asked<'_>,
        number: u64,
        timing: &Timing,
        received: Received,
        reservation: Reservation<'_>,
    ) -> Result<Reply, ModelError> {
        let Received { response, reply } = received;
        let usage = Self::usage(asked.request, asked.wire, &reply);
        let spent = self.spending(&usage);
        reservation.settle(spent);
        let request_id = response.headers.request_id().map(str::to_owned);
        let request_id =
            request_id.map(|id| self.key.as_ref().map_or_else(|| id.clone(), |key| key.redact(id.clone())));
        let cut = Self::cut_prompt(asked.request, &reply);
        let cost = self.price.map(|_| spent.cost());
        if cut.is_none() {
            self.write_entry(asked, number, timing, &response, usage, cost)?;
        }
        self.write_end(CallEnd {
            call: number,
            status: Some(response.status),
            request_id: request_id.clone(),
            error: cut.as_ref().map(|error| error.kind),
            message: cut.as_ref().map(|error| error.message.clone()),
            usage: Some(usage),
            spent,
            charge: if usage.estimated { Charge::Estimated } else { Charge::Reported },
            duration_ms: milliseconds(timing.duration),
        })?;
        if let Some(error) = cut {
            return Err(ModelError { status: Some(response.status), request_id, calls: 1, ..error });
        }
        let reply = self.finish(asked.request, asked.wire, reply, usage);
        Ok(Reply { request_id, duration: timing.duration, cost, ..reply })
    }

    fn write_start(&self, asked: &Asked<'_>, retry: u32, started: Duration) -> Result<u64, ModelError> {
        let Some(ledger) = &self.ledger else { return Ok(0) };
        ledger.start(CallStart {
            call: 0,
            version: 0,
            run: self.run.clone(),
            model: self.name.clone(),
            base_url: self.base_url.clone(),
            key: asked.key.to_owned(),
            attempt: asked.request.attempt,
            retry,
            constraint: asked.wire.constraint,
            time: format_rfc3339(started),
            worst: asked.worst,
        })
    }

    fn write_end(&self, end: CallEnd) -> Result<(), ModelError> {
        self.ledger.as_ref().map_or(Ok(()), |ledger| ledger.end(end))
    }

    fn write_failure(
        &self,
        number: u64,
        failure: &Failure,
        timing: &Timing,
        worst: Spending,
        reservation: Reservation<'_>,
    ) -> Result<(), ModelError> {
        let spent = match failure.charge {
            Charge::None => Spending { calls: 1, ..Spending::default() },
            _ => worst,
        };
        reservation.settle(spent);
        let (Decision::Retry(kind) | Decision::Fail(kind)) = failure.decision;
        self.write_end(CallEnd {
            call: number,
            status: failure.status,
            request_id: failure.request_id.clone(),
            error: Some(kind),
            message: Some(failure.message.clone()),
            usage: None,
            spent,
            charge: failure.charge,
            duration_ms: milliseconds(timing.duration),
        })
    }

    fn write_entry(
        &self,
        asked: &Asked<'_>,
        number: u64,
        timing: &Timing,
        response: &Response,
        usage: Usage,
        cost: Option<f64>,
    ) -> Result<(), ModelError> {
        let Some(store) = &self.store else { return Ok(()) };
        store.put(&Entry {
            version: store::VERSION,
            call: number,
            run: self.run.clone(),
            format: self.format,
            base_url: self.base_url.clone(),
            attempt: asked.request.attempt,
            request: asked.wire.body.clone(),
            status: response.status,
            headers: store::recorded_headers(&response.headers),
            response: String::from_utf8_lossy(&response.body).into_owned(),
            started: format_rfc3339(timing.started),
            duration_ms: milliseconds(timing.duration),
            usage,
            cost,
        })
    }
}

fn failure_of_response(response: &Response, decision: Decision, message: String) -> Failure {
    Failure {
        decision,
        message,
        status: Some(response.status),
        request_id: response.headers.request_id().map(str::to_owned),
        wait: None,
        charge: Charge::Unknown,
    }
}
