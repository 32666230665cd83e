//! The start of the browser.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::guard::Token;

/// A file that leads a browser to the page, which only its user can read: the token in an argument of the browser would be visible to all
/// users of this machine. The file is removed when the value is dropped.
#[derive(Debug)]
pub struct RedirectFile(PathBuf);

impl RedirectFile {
    /// Writes a file that leads to an address.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn new(address: &str) -> io::Result<Self> {
        let name = format!("goalspec-view-{}.html", &Token::random()?.as_str()[..32]);
        let path = std::env::temp_dir().join(name);
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path)?;
        let redirect = Self(path);
        // The address consists of digits, letters and the characters of the scheme.
        writeln!(
            file,
            "<!DOCTYPE html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url={address}\">"
        )?;
        Ok(redirect)
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Opens the file in the user's browser.
    ///
    /// # Errors
    /// If there is no command that opens files, or it cannot be started.
    pub fn open(&self) -> io::Result<()> {
        let (command, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
            ("open", &[])
        } else if cfg!(windows) {
            ("rundll32", &["url.dll,FileProtocolHandler"])
        } else {
            ("xdg-open", &[])
        };
        let mut command = Command::new(command);
        command.args(arguments).arg(&self.0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map(drop)
    }
}

impl Drop for RedirectFile {
    fn drop(&mut self) {
        // A file that remains leads to a server that has ended.
        let _ = fs::remove_file(&self.0);
    }
}
