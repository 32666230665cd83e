//! Keys of servers, which are never shown.

use std::fmt;

/// A key of a server. It is read from the environment only, and its debug output is `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// The text that stands for a key wherever one would be shown.
pub const REDACTED: &str = "***";

/// The minimum number of characters of a secret key. Shorter keys are placeholders, as servers on the same machine take them; they occur in
/// other texts by chance, and are not removed from them.
pub const MIN_SECRET_CHARACTERS: usize = 8;

impl ApiKey {
    /// Reads the key from a variable of the environment; `None` if the variable is not set or empty.
    ///
    /// # Errors
    /// If the value cannot be sent in a header, with the name of the variable.
    pub fn from_env(variable: &str) -> Result<Option<Self>, InvalidKeyError> {
        let value = match std::env::var(variable) {
            Ok(value) => value,
            Err(std::env::VarError::NotPresent) => return Ok(None),
            Err(std::env::VarError::NotUnicode(_)) => return Err(InvalidKeyError::new(variable)),
        };
        let value = value.trim();
        if value.is_empty() {
            return Ok(None);
        }
        let valid = value.bytes().all(|byte| byte.is_ascii_graphic());
        if valid { Ok(Some(Self(value.to_owned()))) } else { Err(InvalidKeyError::new(variable)) }
    }

    /// Creates a key from a text, for tests.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// Returns the key in clear.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Replaces the key in a text, as in the message of a server that repeats it.
    pub(crate) fn redact(&self, text: String) -> String {
        if self.is_in(&text) { text.replace(&self.0, REDACTED) } else { text }
    }

    /// Whether a text contains the key, and it is a secret.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.0.len() >= MIN_SECRET_CHARACTERS && text.contains(&self.0)
    }
}

/// The error for a key that cannot be sent in a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidKeyError {
    /// The variable of the environment with the key.
    pub variable: String,
}

impl InvalidKeyError {
    fn new(variable: &str) -> Self {
        Self { variable: variable.to_owned() }
    }
}

impl fmt::Display for InvalidKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the key in the variable {} has characters that no header can carry", self.variable)
    }
}

impl std::error::Error for InvalidKeyError {}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_formatted() {
        let key = ApiKey::new("sk-secret");
        assert_eq!(format!("{key:?} {:?}", Some(&key)), "*** Some(***)");
        assert_eq!(key.redact("bad key sk-secret!".to_owned()), "bad key ***!");
        // A placeholder occurs in programs by chance.
        assert_eq!(ApiKey::new("x").redact("x = next(box)".to_owned()), "x = next(box)");
    }
}
