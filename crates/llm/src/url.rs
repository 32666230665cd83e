//! Addresses of servers.

use crate::error::{ErrorKind, ModelError};

/// The address of a server, up to and including the version segment of its paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl {
    text: String,
    origin_length: usize,
    is_loopback: bool,
}

impl BaseUrl {
    /// Parses an address with or without a final slash. `/v1` is appended unless a segment of the path names a version.
    ///
    /// # Errors
    /// If the text is not an address, or contains credentials, a query or a fragment.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        let invalid = |reason: &str| {
            // The text may contain a password, so it is not repeated.
            ModelError::new(ErrorKind::InvalidRequest, format!("invalid base URL: {reason}"))
        };
        let uri: ureq::http::Uri = text.trim().parse().map_err(|error| invalid(&format!("{error}")))?;
        let scheme = uri.scheme_str().filter(|scheme| ["http", "https"].contains(scheme));
        let (Some(scheme), Some(authority)) = (scheme, uri.authority()) else {
            return Err(invalid("expected `http://` or `https://` followed by a host"));
        };
        if authority.as_str().contains('@') {
            return Err(invalid("it contains credentials; name the variable of the key with --key-env"));
        }
        if uri.query().is_some() || text.contains('#') {
            return Err(invalid("it contains a query or fragment"));
        }
        let origin = format!("{scheme}://{authority}").to_ascii_lowercase();
        let path = uri.path().trim_end_matches('/');
        let is_version = |segment: &str| {
            let mut characters = segment.chars();
            characters.next() == Some('v') && characters.next().is_some_and(|character| character.is_ascii_digit())
        };
        let version = if path.split('/').any(is_version) { "" } else { "/v1" };
        let origin_length = origin.len();
        let is_loopback = is_loopback(authority.host());
        Ok(Self { text: origin + path + version, origin_length, is_loopback })
    }

    /// Returns the address without a final slash.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns scheme, host and port.
    pub fn origin(&self) -> &str {
        &self.text[..self.origin_length]
    }

    /// Whether the server runs on this machine.
    pub const fn is_loopback(&self) -> bool {
        self.is_loopback
    }

    /// Whether the connection is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.text.starts_with("https:")
    }
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_with_and_without_slash_and_version() {
        for (text, expected) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1"),
            ("https://API.openai.com/v1", "https://api.openai.com/v1"),
            ("https://host/gateway/v1/", "https://host/gateway/v1"),
            ("https://host/v1beta/openai", "https://host/v1beta/openai"),
            ("https://host/Gateway", "https://host/Gateway/v1"),
        ] {
            assert_eq!(BaseUrl::parse(text).unwrap().as_str(), expected);
        }
    }

    #[test]
    fn loopback_is_told_from_names_that_begin_like_it() {
        let is_loopback = |text: &str| BaseUrl::parse(text).unwrap().is_loopback();
        for text in ["http://localhost:1", "http://127.9.9.9", "http://[::1]:80/v1"] {
            assert!(is_loopback(text), "{text}");
        }
        for text in ["http://localhost.example", "http://127.0.0.1.example", "http://10.0.0.1"] {
            assert!(!is_loopback(text), "{text}");
        }
    }

    #[test]
    fn credentials_are_refused_and_not_repeated() {
        let error = BaseUrl::parse("http://user:secret@host/v1").unwrap_err();
        assert!(error.message.contains("--key-env") && !error.message.contains("secret"), "{error}");
        for text in ["", "host", "ftp://host", "http://", "http://host/?q=1", "http://host/#x"] {
            assert!(BaseUrl::parse(text).is_err(), "{text}");
        }
    }
}
