//! Helpers shared by the tests: documents with markers, and the programs of the examples.

use std::path::{Path, PathBuf};

use goalspec::syntax::text_edit::apply;
use goalspec_ide::{FileEdits, Location, Snapshot, TextRange, Workspace};

/// A domain of planning problems.
pub(crate) const DOMAIN: &str = "\
(define (domain moving)
  (:requirements :typing :negative-preconditions)
  (:types room box - object crate - box)
  (:constants hall - room)
  (:predicates
    ; Where a box is.
    (in ?b - box ?r - room)
    (clear ?r - room))
  (:action carry
    :parameters (?b - box ?from ?to - room)
    :precondition (and (in ?b ?from) (clear ?to) (not (= ?from ?to)))
    :effect (and (not (in ?b ?from)) (in ?b ?to))))
";

/// A problem of [`DOMAIN`].
pub(crate) const PROBLEM: &str = "\
(define (problem tidy) (:domain moving)
  (:objects shed - room red - crate blue - box)
  (:init (in red hall) (in blue hall) (clear shed))
  (:goal (and (in red shed) (exists (?b - box) (in ?b hall)))))
";

/// An activity.
pub(crate) const ACTIVITY: &str = "\
(define (problem setting)
  (:domain omnigibson)
  (:objects cup.n.01_1 cup.n.01_2 - cup.n.01 table.n.02_1 - table.n.02 floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01)
  (:init (ontop cup.n.01_1 floor.n.01_1) (ontop cup.n.01_2 floor.n.01_1) (inroom floor.n.01_1 kitchen)
    (inroom table.n.02_1 kitchen) (ontop agent.n.01_1 floor.n.01_1))
  (:goal (and (forall (?cup.n.01 - cup.n.01) (ontop ?cup.n.01 ?table.n.02_1)))))
";

/// A game.
pub(crate) const GAME: &str = "\
(define (game tidying) (:domain few-objects-room-v1)
  (:constraints (and
    (forall (?d - drawer)
      (preference stored (exists (?b - ball)
        (at-end (and (in ?d ?b) (not (open ?d)))))))
    (preference thrown (exists (?b - ball)
      (then (once (agent_holds ?b)) (hold (not (agent_holds ?b))))))))
  (:scoring (+ (count stored:drawer) (count thrown))))
";

/// Returns a workspace of documents, each with a path and a text.
pub(crate) fn workspace(documents: &[(&str, &str)]) -> Workspace {
    let mut workspace = Workspace::default();
    for (path, text) in documents {
        workspace.set_text(*path, *text);
    }
    workspace
}

/// Returns a text without the marker `$0`, and the offset of the marker.
pub(crate) fn marked(text: &str) -> (String, u32) {
    let offset = text.find("$0").expect("a marker");
    (text.replacen("$0", "", 1), offset as u32)
}

/// Returns a snapshot with a marked document, its path and the offset of the marker.
pub(crate) fn at_marker<'p>(others: &[(&str, &str)], path: &'p str, text: &str) -> (Snapshot, &'p Path, u32) {
    let (text, offset) = marked(text);
    let mut workspace = workspace(others);
    workspace.set_text(path, text);
    (workspace.snapshot(), Path::new(path), offset)
}

/// Returns the text of a range.
pub(crate) fn slice(snapshot: &Snapshot, path: &Path, range: &TextRange) -> String {
    let text = snapshot.text(path).expect("the document exists");
    text[range.start as usize..range.end as usize].to_owned()
}

/// Returns a location as its file, its line counted from 1, and its text.
pub(crate) fn describe(snapshot: &Snapshot, place: &Location) -> String {
    let text = snapshot.text(&place.path).expect("the document exists");
    let line = text[..place.start as usize].lines().count().max(1);
    let starts_line = text[..place.start as usize].ends_with('\n');
    let name = place.path.file_name().expect("a file").to_string_lossy().into_owned();
    format!("{name}:{} {}", line + usize::from(starts_line), slice(snapshot, &place.path, &place.range()))
}

/// Returns a snapshot with the edits applied.
pub(crate) fn edited(snapshot: &Snapshot, files: &[FileEdits]) -> Snapshot {
    let mut snapshot = snapshot.clone();
    for file in files {
        let text = apply(&snapshot.text(&file.path).expect("the document exists"), &file.edits);
        snapshot = snapshot.with_text(&file.path, text.expect("the edits fit"));
    }
    snapshot
}

/// Returns the number of errors of a document.
pub(crate) fn errors(snapshot: &Snapshot, path: &Path) -> usize {
    snapshot.analysis(path).library().diagnostics().iter().filter(|found| found.is_error()).count()
}

/// Returns the files of the examples that consist of lists and have no errors.
pub(crate) fn examples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").canonicalize().expect("the examples exist");
    let workspace = Workspace::new([root]);
    let snapshot = workspace.snapshot();
    let mut files = snapshot.files();
    files.retain(|path| snapshot.analysis(path).is_symbolic() && errors(&snapshot, path) == 0);
    assert!(files.len() >= 8, "{files:?}");
    files
}
