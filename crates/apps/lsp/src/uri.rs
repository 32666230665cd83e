//! Addresses of documents and paths of files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::protocol::Uri;

const FILE_SCHEME: &str = "file://";

/// Returns the path of a document. A document that is not a file has its whole address as path.
pub(crate) fn to_path(uri: &Uri) -> PathBuf {
    let Some(rest) = uri.0.strip_prefix(FILE_SCHEME) else { return PathBuf::from(&uri.0) };
    let decoded = decode(rest);
    // `/C:/a` is the path `C:/a` of Windows.
    let is_drive = decoded.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    PathBuf::from(if is_drive { &decoded[1..] } else { &decoded })
}

/// Returns the address of a path.
pub(crate) fn from_path(path: &Path) -> Uri {
    let text = path.to_string_lossy();
    if !path.is_absolute() && text.contains(':') {
        return Uri(text.into_owned());
    }
    let mut uri = String::from(FILE_SCHEME);
    if !text.starts_with('/') {
        uri.push('/');
    }
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    Uri(uri)
}

/// Decodes `%20` and the like. Sequences that are not text are left as they are.
fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        let code = text_of(others).filter(|_| *first == b'%').and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &others[2..] } else { others };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Returns the first two bytes as text.
fn text_of(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes.get(..2)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_addresses_are_inverse() {
        for path in ["/a/b.game", "/with space/ö+%20.pddl", "/a#b?c.bddl"] {
            assert_eq!(to_path(&from_path(Path::new(path))), Path::new(path));
        }
        assert_eq!(from_path(Path::new("/a b")).0, "file:///a%20b");
        assert_eq!(to_path(&Uri("file:///a%zz%4".into())), Path::new("/a%zz%4"));
    }

    #[test]
    fn documents_that_are_no_files_keep_their_address() {
        let untitled = Uri("untitled:Untitled-1".into());
        assert_eq!(from_path(&to_path(&untitled)), untitled);
    }
}
