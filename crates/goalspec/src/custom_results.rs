//! Custom results as written on the command line: `CheckCombination=http://localhost:8081/check`, or a bare name.
//!
//! The implementation of a custom result is not part of a game's file. In Rust, it is a function:
//!
//! ```
#![doc = include_str!("../examples/custom_result.rs")]
//! ```

use std::str::FromStr;
use std::sync::Arc;

use goalspec_syntax::Diagnostic;

#[cfg(feature = "rest")]
use crate::http_results::HttpResult;
use crate::library::LibraryOptions;

/// A custom result and the service that computes it. Without a service, games that use the result can be read, checked and
/// described, and their recordings scored.
#[derive(Debug, Clone)]
pub struct CustomResultSpec {
    name: Arc<str>,
    #[cfg(feature = "rest")]
    service: Option<HttpResult>,
}

impl CustomResultSpec {
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Makes the result available to games that are read with these options.
    pub fn register_in(&self, reading: &mut LibraryOptions) {
        reading.unimplemented_results.push(self.name.clone());
        #[cfg(feature = "rest")]
        if let Some(service) = &self.service {
            let custom = std::mem::take(&mut reading.custom_results);
            reading.custom_results = custom.with(&self.name, service.clone());
        }
    }
}

impl FromStr for CustomResultSpec {
    type Err = Box<Diagnostic>;

    fn from_str(text: &str) -> Result<Self, Box<Diagnostic>> {
        let (name, url) = text.split_once('=').map_or((text, None), |(name, url)| (name, Some(url)));
        if name.is_empty() || name.trim() != name {
            return Err(Diagnostic::invalid_argument("expected `NAME` or `NAME=URL`"));
        }
        if goalspec_rgg::is_result(name) {
            return Err(Diagnostic::invalid_argument(format!(
                "`{name}` is a result of the language, which cannot be replaced"
            )));
        }
        #[cfg(feature = "rest")]
        return Ok(Self { name: name.into(), service: url.map(HttpResult::new).transpose()? });
        #[cfg(not(feature = "rest"))]
        match url {
            Some(_) => Err(Diagnostic::invalid_argument(
                "this build does not support services: it was built without the feature `rest`",
            )),
            None => Ok(Self { name: name.into() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CustomResultSpec;
    use crate::library::LibraryOptions;

    #[test]
    fn names_and_addresses() {
        for invalid in ["", "=http://x/", " A", "Resources", "WithAllVectors=http://x/", "A=", "A=https://x/", "A=x"] {
            assert!(invalid.parse::<CustomResultSpec>().is_err(), "{invalid}");
        }
        let mut reading = LibraryOptions::default();
        "A".parse::<CustomResultSpec>().unwrap().register_in(&mut reading);
        assert_eq!((reading.unimplemented_results.len(), reading.custom_results.names().len()), (1, 0));
        if cfg!(feature = "rest") {
            "B=http://localhost:1/b=c".parse::<CustomResultSpec>().unwrap().register_in(&mut reading);
            assert_eq!((reading.unimplemented_results.len(), reading.custom_results.names().len()), (2, 1));
        }
    }
}
