//! The server of the live page, on the loopback interface only.

use std::convert::Infallible;
use std::future::ready;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::Semaphore;

use crate::api::{self, ApiError, Data};
use crate::assets;
use crate::guard::{Guard, Refusal, Token};
use crate::session::Session;

/// Maximum size of the body of a request, in bytes.
const MAX_BODY_BYTES: usize = 16 << 20;

/// Maximum size of the head of a request, in bytes.
const MAX_HEAD_BYTES: usize = 16 << 10;

/// The time that a client has to send the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum number of connections at the same time.
const MAX_CONNECTIONS: usize = 16;

/// A server that is bound to its port, but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    port: u16,
    token: Token,
    router: Router,
}

impl Server {
    /// Binds a server to a port of the loopback interface; 0 lets the system choose it. `names` are further values of the header `Host`
    /// under which it may be reached, as through a tunnel.
    ///
    /// # Errors
    /// If the port is taken, or the system has no random numbers.
    pub fn bind(session: Session, port: u16, names: &[String]) -> io::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let token = Token::random()?;
        let guard = Arc::new(Guard::new(token.clone(), port, names));
        let router = router(Arc::new(Data::new(session)), guard);
        Ok(Self { listener, port, token, router })
    }

    /// Returns the address of the page, with the token in the fragment, which browsers never send.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#token={}", self.port, self.token.as_str())
    }

    /// Answers requests until the process ends.
    ///
    /// # Errors
    /// If the runtime cannot be started, or connections can no longer be accepted.
    pub fn run(self) -> io::Result<Infallible> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        runtime.block_on(accept(self.listener, self.router))
    }
}

async fn accept(listener: TcpListener, router: Router) -> io::Result<Infallible> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // The client has left before it was accepted.
            Err(error) if matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::Interrupted) => {
                continue;
            }
            Err(error) => return Err(error),
        };
        // Beyond the limit, the connection is closed.
        let Ok(permit) = Arc::clone(&permits).try_acquire_owned() else { continue };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(MAX_HEAD_BYTES);
            // A connection that fails concerns its client alone, which notices.
            let _ = builder.serve_connection(TokioIo::new(stream), service).await;
            drop(permit);
        });
    }
}

fn router(data: Arc<Data>, guard: Arc<Guard>) -> Router {
    Router::new()
        .route("/", get(|| ready(assets::page())))
        .route("/app.js", get(|| ready(assets::script())))
        .route("/app.css", get(|| ready(assets::style())))
        .route("/licences.txt", get(|| ready(assets::licences())))
        .route("/api/start", get(api::start))
        .route("/api/check", post(api::check))
        .route("/api/save", post(api::save))
        .route("/api/runs", post(api::begin_run))
        .route("/api/traces/{trace}/version", get(api::trace_version))
        .route("/api/results/{trace}", get(api::results))
        .route("/api/runs/{run}", get(api::run))
        .route("/api/runs/{run}/tiles", get(api::tiles))
        .route("/api/runs/{run}/states/{at}", get(api::state))
        .route("/api/runs/{run}/why/{outcome}/{at}", get(api::why))
        .route("/api/runs/{run}/audits", get(api::audits))
        .route("/api/runs/{run}/games/{index}", get(api::game))
        .fallback(|| ready(not_found()))
        .with_state(data)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(middleware::from_fn_with_state(guard, guarded))
}

fn not_found() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "view/not-found", "there is no such address")
}

/// Refuses requests that are not the page's own, and adds the headers that hold for every answer.
async fn guarded(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let checked = guard.check(request.method(), request.uri().path(), request.headers());
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(Refusal { status, message }) => ApiError::new(status, "view/refused", message).into_response(),
    };
    let headers = response.headers_mut();
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        headers.insert(
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
        );
    }
    response
}
