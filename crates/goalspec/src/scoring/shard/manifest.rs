//! The record in the file of a shard of what it was computed from.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{Shard, TraceCollection};
use crate::library::Library;

/// The inputs that determine the rows of a shard: the shard, the options, the texts of the programs and worlds, and the traces by path, size and number.
/// A file with the same manifest has the same rows, unless the content of a trace has changed and its size has not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardManifest {
    /// The version of goalspec that wrote the file.
    version: String,
    /// The number of the shard, from 1.
    shard: u64,
    /// The number of shards.
    shards: u64,
    /// The options, as text.
    options: String,
    /// The SHA-256 digest of the names and texts of the programs and worlds.
    programs: String,
    /// The SHA-256 digest of the paths, the sizes and the numbers of traces of the files.
    traces: String,
}

impl ShardManifest {
    /// Creates the manifest of a shard. `options` are all options on which the rows depend, in any notation.
    pub fn new(shard: Shard, library: &Library, collection: &TraceCollection, options: String) -> Self {
        let mut programs = FieldDigest::default();
        for file in library.sources().iter() {
            programs.add(file.name());
            programs.add(file.text());
        }
        let mut traces = FieldDigest::default();
        for part in collection.parts() {
            traces.add(&part.path.display().to_string());
            traces.add(&format!("{:?} {}", part.bytes, part.traces));
        }
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            shard: shard.number(),
            shards: shard.count(),
            options,
            programs: programs.finish(),
            traces: traces.finish(),
        }
    }

    pub(super) fn shard(&self) -> Shard {
        Shard { number: self.shard, count: self.shards }
    }

    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers have a JSON form")
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Returns the first difference from the manifest of a file, as a sentence about the file; `None` if they are equal.
    pub(super) fn difference(&self, file: &Self) -> Option<String> {
        if self.version != file.version {
            return Some(format!("it was written by goalspec {}, and this is {}", file.version, self.version));
        }
        if (self.shard, self.shards) != (file.shard, file.shards) {
            return Some(format!("it is shard {}/{}", file.shard, file.shards));
        }
        let parts = [
            (self.options == file.options, "it was written with other options"),
            (self.programs == file.programs, "it was written with other programs or worlds"),
            (self.traces == file.traces, "it was written from other traces"),
        ];
        parts.into_iter().find(|(same, _)| !same).map(|(_, reason)| reason.to_owned())
    }
}

/// A digest of a list of texts.
#[derive(Default)]
struct FieldDigest(Sha256);

impl FieldDigest {
    /// Adds a text. Its length keeps texts apart.
    fn add(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text);
    }

    /// Returns the digest in hexadecimal.
    fn finish(self) -> String {
        self.0.finalize().iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}
