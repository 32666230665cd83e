//! The check of every request: only this machine's own page, opened with the token, gets an answer.
//!
//! The server listens on the loopback interface, but any web page that a browser shows can send requests there, and a name of such a page may
//! lead to this machine. Hence four rules: the header `Host` must name this server, `Origin` must be this server's if it is present, the
//! request must not come from another site, and all data require the token, which is never part of an address that is sent.

use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode};

/// The header by which browsers state the relation between a request and the page that makes it.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// The number of random bytes of a token.
const TOKEN_BYTES: usize = 32;

/// A secret without which the server gives no data, new at every start.
#[derive(Clone)]
pub struct Token(String);

// The token must not appear in messages.
impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(..)")
    }
}

impl Token {
    /// Returns a new token of 256 random bits.
    ///
    /// # Errors
    /// If the system has no source of random numbers.
    pub fn random() -> std::io::Result<Self> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Returns the token as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a text is the token, in a time that does not depend on the text.
    fn is(&self, text: &[u8]) -> bool {
        let differing = self.0.bytes().zip(text).fold(0, |all, (own, given)| all | (own ^ given));
        differing == 0 && text.len() == self.0.len()
    }
}

/// The rules for requests.
#[derive(Debug, Clone)]
pub struct Guard {
    token: Token,
    /// The values of `Host` that name this server.
    hosts: Vec<String>,
}

/// A refusal of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// The status of the answer.
    pub status: StatusCode,
    /// The reason, as a sentence for the user.
    pub message: &'static str,
}

impl Guard {
    /// Creates the rules of a server at a port of this machine, which may also be reached by these further names.
    pub fn new(token: Token, port: u16, names: &[String]) -> Self {
        let own = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}"));
        let hosts = own.into_iter().chain(names.iter().map(|name| name.to_ascii_lowercase())).collect();
        Self { token, hosts }
    }

    /// Checks the headers of a request for a path.
    ///
    /// # Errors
    /// If the request is refused.
    pub fn check(&self, method: &Method, path: &str, headers: &HeaderMap) -> Result<(), Refusal> {
        let refuse = |status, message| Err(Refusal { status, message });
        let host = only(headers, &HOST).map(str::to_ascii_lowercase);
        if !host.is_some_and(|host| self.hosts.contains(&host)) {
            return refuse(
                StatusCode::MISDIRECTED_REQUEST,
                "the request names another host; pass `--allow-host NAME` for the name of a tunnel",
            );
        }
        if headers.contains_key(ORIGIN) && !only(headers, &ORIGIN).is_some_and(|origin| self.is_own(origin)) {
            return refuse(StatusCode::FORBIDDEN, "the request comes from another page");
        }
        let is_data = path.starts_with("/api");
        let is_cross_site = headers.get(SEC_FETCH_SITE).is_some_and(|site| site == "cross-site");
        // The page itself has no data: a link or the file that opens the browser may lead to it.
        let is_opened =
            !is_data && method == Method::GET && headers.get(SEC_FETCH_MODE).is_some_and(|mode| mode == "navigate");
        if is_cross_site && !is_opened {
            return refuse(StatusCode::FORBIDDEN, "the request comes from another site");
        }
        let token = only(headers, &AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        if is_data && !token.is_some_and(|token| self.token.is(token.as_bytes())) {
            return refuse(
                StatusCode::UNAUTHORIZED,
                "the token is missing or wrong; open the address that the command prints",
            );
        }
        Ok(())
    }

    fn is_own(&self, origin: &str) -> bool {
        let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        host.is_some_and(|host| self.hosts.contains(&host.to_ascii_lowercase()))
    }
}

/// Returns the value of a header that occurs exactly once.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, headers: &[(&'static str, &str)]) -> Option<u16> {
        let guard = Guard::new(Token("secret".to_owned()), 7000, &["Tunnel.example".to_owned()]);
        let headers: HeaderMap =
            headers.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap())).collect();
        guard.check(&Method::GET, path, &headers).err().map(|refusal| refusal.status.as_u16())
    }

    const OWN: (&str, &str) = ("host", "127.0.0.1:7000");
    const TOKEN: (&str, &str) = ("authorization", "Bearer secret");

    #[test]
    fn only_the_own_page_with_the_token_gets_data() {
        assert_eq!(check("/api/start", &[OWN, TOKEN]), None);
        assert_eq!(check("/api/start", &[("host", "LOCALHOST:7000"), TOKEN]), None);
        assert_eq!(
            check("/api/start", &[("host", "tunnel.example"), ("origin", "https://tunnel.example"), TOKEN]),
            None
        );
        assert_eq!(check("/api/start", &[OWN]), Some(401));
        for wrong in ["Bearer secre", "Bearer secret1", "Bearer ", "secret", "Basic secret"] {
            assert_eq!(check("/api/start", &[OWN, ("authorization", wrong)]), Some(401), "{wrong}");
        }
    }

    #[test]
    fn other_hosts_and_origins_are_refused() {
        for host in ["rebound.example:7000", "127.0.0.1", "127.0.0.1:7001", "127.0.0.1:70000", ""] {
            assert_eq!(check("/", &[("host", host), TOKEN]), Some(421), "{host}");
        }
        assert_eq!(check("/", &[TOKEN]), Some(421));
        for origin in ["http://evil.example", "null", "http://127.0.0.1:7001", "file://", "http://127.0.0.1:7000.evil"]
        {
            assert_eq!(check("/api/start", &[OWN, TOKEN, ("origin", origin)]), Some(403), "{origin}");
        }
    }

    #[test]
    fn other_sites_reach_nothing_but_the_empty_page() {
        let cross = ("sec-fetch-site", "cross-site");
        assert_eq!(check("/app.js", &[OWN, cross]), Some(403));
        assert_eq!(check("/", &[OWN, cross, ("sec-fetch-mode", "navigate")]), None);
        assert_eq!(check("/api/start", &[OWN, TOKEN, cross, ("sec-fetch-mode", "navigate")]), Some(403));
        assert_eq!(check("/app.js", &[OWN, ("sec-fetch-site", "same-origin")]), None);
    }
}
