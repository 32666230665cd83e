//! The recordings of the published experiment, for tests; `None` if the conformance data is not there.

use std::io::Read as _;
use std::path::PathBuf;

use goalspec_lot::specs::ProblemSpecs;
use goalspec_lot::vocabulary::{Vocabularies, Vocabulary};
use goalspec_lot::{Problem, View};
use goalspec_syntax::{SourceFile, Sources};
use serde_json::Value;

pub(crate) struct Recordings {
    folder: PathBuf,
    pub(crate) problems: Vec<Problem>,
}

pub(crate) fn source(text: impl Into<String>) -> SourceFile {
    let mut sources = Sources::new();
    let id = sources.add("test", text.into());
    sources.file(id).clone()
}

impl Recordings {
    pub(crate) fn open() -> Option<Self> {
        let folder = goalspec_testing::conformance::folder("planning/lot")?;
        let problem = |index: usize| {
            let path = folder.join(format!("problems/{}.json", ProblemSpecs::name(index)));
            Problem::from_json(&source(std::fs::read_to_string(path).unwrap())).unwrap()
        };
        let problems = (0..103).map(problem).collect();
        Some(Self { folder, problems })
    }

    pub(crate) fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).unwrap()
    }

    pub(crate) fn lines(&self, name: &str) -> Vec<Value> {
        let path = self.folder.join(name);
        let bytes = std::fs::read(&path).unwrap();
        let mut text = String::new();
        if path.extension().is_some_and(|extension| extension == "gz") {
            flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
        } else {
            text = String::from_utf8(bytes).unwrap();
        }
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub(crate) fn specs(&self) -> ProblemSpecs {
        ProblemSpecs::from_yaml(&source(self.text("cogsci_problems.yaml"))).unwrap()
    }

    pub(crate) fn vocabularies(&self) -> Vocabularies {
        let vocabulary = |name: &str| Vocabulary::from_json(&source(self.text(name))).unwrap();
        Vocabularies::new(vocabulary("vocab.json"), vocabulary("vocab_complex.json")).unwrap()
    }

    /// Returns the records of a method, with the index of the problem of each.
    pub(crate) fn records(&self, method: &str, view: View) -> Vec<(usize, Value)> {
        let records = self.lines(&format!("{method}-{view}.jsonl.gz"));
        records.into_iter().map(|record| (record["id"].as_str().unwrap().parse().unwrap(), record)).collect()
    }
}
