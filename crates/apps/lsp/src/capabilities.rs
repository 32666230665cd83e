//! Capabilities of the client and the server.

use goalspec::syntax::source::PositionEncoding;
use serde::Deserialize;

#[allow(clippy::wildcard_imports, reason = "the types are named as in the specification of the protocol")]
use crate::protocol::*;

/// The names of the classes of words, in the order of their numbers.
pub(crate) const TOKEN_TYPES: [&str; 15] = [
    "comment",
    "keyword",
    "number",
    "string",
    "namespace",
    "event",
    "type",
    "enumMember",
    "variable",
    "property",
    "function",
    "method",
    "class",
    "struct",
    "parameter",
];

/// The names of the modifiers of words, in the order of their bits.
pub(crate) const TOKEN_MODIFIERS: [&str; 2] = ["declaration", "defaultLibrary"];

/// The way in which diagnostics reach the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DiagnosticsMode {
    /// As the client prefers.
    #[default]
    Auto,
    /// The server sends them after each change.
    Push,
    /// The client asks for them.
    Pull,
}

/// The settings that a client passes as `initializationOptions`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ClientSettings {
    pub(crate) diagnostics: DiagnosticsSettings,
}

/// The settings of diagnostics.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct DiagnosticsSettings {
    pub(crate) mode: DiagnosticsMode,
}

/// The capabilities that client and server share.
#[expect(clippy::struct_excessive_bools, reason = "each is a capability by itself")]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Agreement {
    pub(crate) encoding: PositionEncoding,
    /// Whether the client asks for diagnostics.
    pub(crate) pulls: bool,
    /// Whether the client can be told to ask again.
    pub(crate) refreshes: bool,
    /// Whether the client repeats requests that it is told are outdated.
    pub(crate) retries: bool,
    /// Whether the client can be told to ask for hints again.
    pub(crate) refreshes_hints: bool,
    /// Whether the client can be told to ask for lenses again.
    pub(crate) refreshes_lenses: bool,
    /// Whether the client shows progress that the server starts.
    pub(crate) shows_progress: bool,
}

impl Agreement {
    pub(crate) fn with(params: &InitializeParams) -> Self {
        let client = &params.capabilities;
        let general = client.general.as_ref();
        let offered = general.and_then(|general| general.position_encodings.as_deref()).unwrap_or_default();
        let settings: ClientSettings = params
            .initialization_options
            .as_ref()
            .and_then(|options| serde_json::from_value(serde_json::to_value(options).ok()?).ok())
            .unwrap_or_default();
        let can_pull = client.text_document.as_ref().is_some_and(|documents| documents.diagnostic.is_some());
        let workspace = client.workspace.as_ref();
        let refreshes = workspace.and_then(|workspace| workspace.diagnostics.as_ref()?.refresh_support);
        Self {
            encoding: if offered.contains(&PositionEncodingKind::UTF8) {
                PositionEncoding::Utf8
            } else {
                PositionEncoding::Utf16
            },
            pulls: match settings.diagnostics.mode {
                DiagnosticsMode::Auto => can_pull,
                DiagnosticsMode::Push => false,
                DiagnosticsMode::Pull => true,
            },
            refreshes: refreshes == Some(true),
            refreshes_hints: workspace
                .and_then(|workspace| workspace.inlay_hint.as_ref()?.refresh_support)
                .unwrap_or_default(),
            refreshes_lenses: workspace
                .and_then(|workspace| workspace.code_lens.as_ref()?.refresh_support)
                .unwrap_or_default(),
            shows_progress: client.window.as_ref().and_then(|window| window.work_done_progress).unwrap_or_default(),
            retries: general
                .and_then(|general| general.stale_request_support.as_ref())
                .is_some_and(|stale| stale.cancel),
        }
    }

    /// Returns what the server offers.
    pub(crate) fn server_capabilities(self) -> ServerCapabilities {
        let words = |letters: &[&str]| Some(letters.iter().map(ToString::to_string).collect());
        let tokens = SemanticTokensOptions {
            legend: SemanticTokensLegend {
                token_types: TOKEN_TYPES.map(str::to_owned).to_vec(),
                token_modifiers: TOKEN_MODIFIERS.map(str::to_owned).to_vec(),
            },
            range: Some(true.into()),
            full: Some(true.into()),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        };
        let diagnostics = DiagnosticOptions {
            identifier: Some("goalspec".to_owned()),
            inter_file_dependencies: true,
            workspace_diagnostics: false,
            work_done_progress_options: WorkDoneProgressOptions::default(),
        };
        ServerCapabilities {
            position_encoding: Some(match self.encoding {
                PositionEncoding::Utf8 => PositionEncodingKind::UTF8,
                _ => PositionEncodingKind::UTF16,
            }),
            text_document_sync: Some(TextDocumentSync::Options(TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::Incremental),
                save: Some(Save::Bool(true)),
                ..TextDocumentSyncOptions::default()
            })),
            completion_provider: Some(CompletionOptions {
                trigger_characters: words(&["(", "?", ":", " ", "{", "\"", "."]),
                ..CompletionOptions::default()
            }),
            hover_provider: Some(true.into()),
            signature_help_provider: Some(SignatureHelpOptions {
                trigger_characters: words(&["(", " "]),
                ..SignatureHelpOptions::default()
            }),
            definition_provider: Some(true.into()),
            references_provider: Some(true.into()),
            document_highlight_provider: Some(true.into()),
            document_symbol_provider: Some(true.into()),
            workspace_symbol_provider: Some(true.into()),
            code_action_provider: Some(CodeActionProvider::CodeActionOptions(CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QuickFix, fix_all()]),
                ..CodeActionOptions::default()
            })),
            document_formatting_provider: Some(true.into()),
            document_range_formatting_provider: Some(true.into()),
            rename_provider: Some(RenameProvider::RenameOptions(RenameOptions {
                prepare_provider: Some(true),
                ..RenameOptions::default()
            })),
            folding_range_provider: Some(true.into()),
            selection_range_provider: Some(true.into()),
            semantic_tokens_provider: Some(SemanticTokensProvider::SemanticTokensOptions(tokens)),
            diagnostic_provider: self.pulls.then_some(DiagnosticProvider::DiagnosticOptions(diagnostics)),
            inlay_hint_provider: Some(true.into()),
            code_lens_provider: Some(CodeLensOptions::default()),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: command_names().map(str::to_owned).collect(),
                ..ExecuteCommandOptions::default()
            }),
            ..ServerCapabilities::default()
        }
    }
}

/// Returns the names of all commands.
pub(crate) fn command_names() -> impl Iterator<Item = &'static str> {
    goalspec_ide::Command::ALL.into_iter().map(goalspec_ide::Command::name).chain([ATTACH_TRACE, DETACH_TRACE])
}

/// The command that attaches a trace to all programs.
pub(crate) const ATTACH_TRACE: &str = "goalspec.attachTrace";

/// The command that removes the attached trace.
pub(crate) const DETACH_TRACE: &str = "goalspec.detachTrace";

/// Returns the kind of the action that applies all safe fixes.
pub(crate) fn fix_all() -> CodeActionKind {
    CodeActionKind::Custom("source.fixAll.goalspec".into())
}
