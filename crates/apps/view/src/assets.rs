//! The files of the page, which `web/` builds.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::guard::Token;

/// Gives the text of a built file of the page.
macro_rules! built {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../web/dist/", $name))
    };
}

/// The script of exported reports, without the editor.
pub(crate) const REPORT_SCRIPT: &str = built!("report.js");
/// The style of exported reports.
pub(crate) const REPORT_STYLE: &str = built!("report.css");

const PAGE: &str = built!("index.html");
const SCRIPT: &str = built!("app.js");
const STYLE: &str = built!("app.css");
const LICENCES: &str = built!("licences.txt");

/// The place of the nonce in the page.
const NONCE: &str = "__NONCE__";

/// The policy of the page, with a nonce for the style of the editor.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-__NONCE__'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
    trusted-types svelte-trusted-html";

fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

pub(crate) fn page() -> Response {
    // Without random numbers the nonce is missing from the page and the policy, so that the editor has no style of its own.
    let nonce = Token::random().map(|token| token.as_str()[..32].to_owned()).unwrap_or_default();
    let html = PAGE.replace(NONCE, &nonce);
    let mut response = ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response();
    if let Ok(policy) = HeaderValue::from_str(&POLICY.replace(NONCE, &nonce)) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

pub(crate) fn script() -> Response {
    file("text/javascript; charset=utf-8", SCRIPT)
}

pub(crate) fn style() -> Response {
    file("text/css; charset=utf-8", STYLE)
}

pub(crate) fn licences() -> Response {
    file("text/plain; charset=utf-8", LICENCES)
}
