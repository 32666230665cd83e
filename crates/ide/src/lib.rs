//! Analysis of goalspec programs for editors: the answers of a language server, without its protocol.
//!
//! A [`Workspace`] holds the texts of open documents over the files on disk. A [`Snapshot`] of it answers requests, also on other threads and
//! while the workspace changes. A document is read whole after each change, by the same code as on the command line: its [`Analysis`] is a
//! [`Library`](goalspec::library::Library) of the document and the files that it depends on. While it is made, every access to a file is
//! recorded, and the analysis is reused as long as these files are the same; there are no other dependencies to maintain.
//!
//! Two tiers of diagnostics differ in time: reading, name resolution and lints take milliseconds; [`slow_diagnostics`](
//! Snapshot::slow_diagnostics) may take seconds and can be cancelled. Together they are what `goalspec check` reports.
//!
//! Places are byte offsets; the caller converts them to positions with [`SourceFile`](goalspec::syntax::SourceFile).
//!
//! | module | contents |
//! |---|---|
//! | `files` | open documents over the files on disk, and the record of accesses |
//! | `workspace` | [`Workspace`] and [`Snapshot`] |
//! | `analysis` | [`Analysis`]: one document with its dependencies |
//! | `diagnostics` | the diagnostics of a document |
//! | `actions` | the fixes of diagnostics as edits |
//! | `navigation` | [`Location`], the symbol at a place, its declaration and its references |
//! | `rename` | renaming, checked for captured names |
//! | `outline` | the symbols of a document and of the workspace |
//! | `structure` | folding and selection ranges |
//! | `vocabulary` | the names that a program may use, with their signatures, in one form for all languages |
//! | `typed_list` | variables and objects with types, as they are written |
//! | `hover` | descriptions of names, keywords and codes |
//! | `completion` | names and keywords that fit a place |
//! | `hints` | numbers that a program implies, shown in its text |
//! | `signature` | the signature of the call around a place |
//! | `tokens` | the classification of words, for highlighting |
//! | `worlds` | names of games and worlds with their declarations in world files |
//! | `commands` | runs of the engines with their reports, and the lenses that offer them |
//! | `format` | canonical layout as edits |

mod actions;
mod analysis;
mod commands;
mod completion;
mod diagnostics;
mod files;
mod format;
mod hints;
mod hover;
mod navigation;
mod outline;
mod rename;
mod signature;
mod structure;
mod tokens;
mod typed_list;
mod vocabulary;
mod workspace;
mod worlds;

use std::ops::Range;

pub use actions::{Action, FileEdits};
pub use analysis::Analysis;
pub use commands::{Command, CommandError, CommandInput, Lens, MAX_REPORT_BYTES, Report};
pub use completion::{Completion, CompletionKind, Completions};
pub use diagnostics::fast as fast_diagnostics;
pub use hints::Hint;
pub use hover::Hover;
pub use navigation::{Location, Symbol};
pub use outline::{OutlineItem, WorkspaceSymbol};
pub use rename::RenameError;
pub use signature::Signature;
pub use structure::{FoldingRange, folding_ranges, selection_ranges};
pub use tokens::{Token, TokenKind};
pub use workspace::{MAX_WORKSPACE_FILES, Snapshot, Workspace};

/// A range of byte offsets in a text.
pub type TextRange = Range<u32>;
