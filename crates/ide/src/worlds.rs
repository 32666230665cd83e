//! Names of games and worlds with their declarations in world files.

use std::path::Path;

use goalspec::core::world::World;
use goalspec::core::world::file::occurrences;
use goalspec::files::WORLD_EXTENSION;
use goalspec::syntax::symbols::{Declaration, Occurrence, OccurrenceRole, SymbolKind};
use goalspec::syntax::{SourceFile, Span};
use rustc_hash::FxHashMap;

use crate::analysis::Analysis;

/// Maximum number of files that a world may extend, one through the other.
const MAX_FILES: usize = 16;

/// Returns the world that a document describes; `None` for other documents, and if it has errors.
pub(crate) fn world_of(analysis: &Analysis) -> Option<&World> {
    let mut files = analysis.library().world_files().filter(|(path, _)| *path == analysis.path());
    files.next().map(|(_, world)| &**world)
}

/// The declarations in the files of a world, by kind and name.
type WorldDeclarations = FxHashMap<(SymbolKind, String), Span>;

/// Replaces the declaration of each name of a world by its place, if the world is a file. The names of shipped worlds stay as they are.
pub(crate) fn link(analysis: &Analysis, occurrences: &mut [Occurrence]) {
    let Some(file) = analysis.file() else { return };
    let mut worlds: FxHashMap<String, WorldDeclarations> = FxHashMap::default();
    for occurrence in occurrences {
        let Declaration::BuiltIn(owner) = &occurrence.declaration else { continue };
        let owner = owner.to_string();
        let declarations = worlds.entry(owner).or_insert_with_key(|owner| declarations(analysis, owner));
        let name = file.slice(occurrence.span);
        let kinds = match occurrence.kind {
            SymbolKind::Type => [SymbolKind::Type, SymbolKind::Object],
            SymbolKind::Object => [SymbolKind::Object, SymbolKind::Type],
            other => [other; 2],
        };
        let found = kinds.into_iter().find_map(|kind| Some((kind, *declarations.get(&(kind, name.to_owned()))?)));
        if let Some((kind, span)) = found {
            (occurrence.kind, occurrence.declaration) = (kind, Declaration::At(span));
        }
    }
}

/// Returns the declarations of a world that was read from a file, with those of the files in its folder that it extends.
fn declarations(analysis: &Analysis, world: &str) -> WorldDeclarations {
    let mut all = WorldDeclarations::default();
    let mut next = file_of(analysis, world);
    for _ in 0..MAX_FILES {
        let Some(file) = next else { break };
        for occurrence in occurrences::occurrences(file) {
            // The declaration in the most special file counts.
            if occurrence.role != OccurrenceRole::Reference && occurrence.kind != SymbolKind::Variable {
                let name = file.slice(occurrence.span).to_owned();
                all.entry((occurrence.kind, name)).or_insert(occurrence.span);
            }
        }
        next = occurrences::extended(file).and_then(|base| beside(analysis, Path::new(file.name()), &base));
    }
    all
}

/// Returns the file of a world by name: a loaded one, or one beside the document that extends it.
fn file_of<'a>(analysis: &'a Analysis, world: &str) -> Option<&'a SourceFile> {
    let sources = analysis.library().sources();
    let loaded = analysis.library().world_files().find(|(_, loaded)| loaded.name() == world);
    match loaded {
        Some((path, _)) => sources.named(&path.display().to_string()),
        None => beside(analysis, analysis.path(), world).filter(|_| analysis.is_world()),
    }
}

fn beside<'a>(analysis: &'a Analysis, path: &Path, world: &str) -> Option<&'a SourceFile> {
    let path = path.parent()?.join(format!("{world}{WORLD_EXTENSION}"));
    analysis.library().sources().named(&path.display().to_string())
}
