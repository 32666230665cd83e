//! Every request of an editor about any text, at any place, is answered; an edited document has the answers of a fresh one.

use std::path::Path;

use goalspec_ide::{Snapshot, Workspace, fast_diagnostics, folding_ranges, selection_ranges};

/// The maximum size of a text, in bytes.
const MAX_BYTES: usize = 16 << 10;

/// Tries one input: the first byte chooses the place of the requests, the rest is the text.
pub fn run(bytes: &[u8]) {
    let Some((&place, bytes)) = bytes.split_first() else { return };
    let Ok(text) = str::from_utf8(bytes) else { return };
    if text.len() > MAX_BYTES {
        return;
    }
    let path = path_of(text);
    let offset = text.floor_char_boundary(text.len() * usize::from(place) / 255);
    let mut edited = Workspace::default();
    edited.set_text(path, &text[..offset]);
    answers(&edited.snapshot(), path, offset as u32);
    edited.set_text(path, text);
    let mut fresh = Workspace::default();
    fresh.set_text(path, text);
    let [of_edited, of_fresh] = [edited, fresh].map(|own| answers(&own.snapshot(), path, offset as u32));
    assert_eq!(of_edited, of_fresh);
}

/// Returns a path with the extension of the language of a text.
fn path_of(text: &str) -> &'static Path {
    let words = [
        ("(define (domain", "/w/domain.pddl"),
        ("(define (game", "/w/a.game"),
        ("(define (problem", "/w/a.pddl"),
        ("inroom", "/w/a.bddl"),
        ("[types]", "/w/a.world.toml"),
        ("name =", "/w/a.world.toml"),
    ];
    let found = words.into_iter().find(|(word, _)| text.contains(word));
    Path::new(found.map_or("/w/a.rgg.yaml", |(_, path)| path))
}

/// Returns the answers to all requests about a place.
fn answers(snapshot: &Snapshot, path: &Path, offset: u32) -> String {
    let analysis = snapshot.analysis(path);
    let whole = 0..u32::MAX;
    let found: Vec<String> = fast_diagnostics(&analysis).iter().map(ToString::to_string).collect();
    let names = (snapshot.definitions(path, offset), snapshot.references(path, offset, true));
    let places = (snapshot.highlights(path, offset), snapshot.prepare_rename(path, offset));
    let structure = (folding_ranges(&analysis), selection_ranges(&analysis, offset), analysis.outline());
    let help = (snapshot.hover(path, offset), analysis.signatures(offset), snapshot.completions(path, offset).items);
    let marks = (analysis.tokens(None), analysis.hints(&whole), analysis.lenses(true));
    let renamed = snapshot.rename(path, offset, "fresh");
    format!("{found:?} {names:?} {places:?} {structure:?} {help:?} {marks:?} {renamed:?}")
}
