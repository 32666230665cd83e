//! The answers to requests, each from a snapshot of the workspace.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec::syntax::symbols::SymbolKind as Kind;
use goalspec::syntax::{Diagnostic as Finding, SourceFile};
use goalspec_ide::{self as ide, Analysis, OutlineItem, Snapshot, TokenKind};
use serde_json::{Value, json};

use crate::capabilities::{Agreement, TOKEN_TYPES, fix_all};
#[allow(clippy::wildcard_imports, reason = "the types are named as in the specification of the protocol")]
use crate::protocol::{self, *};
use crate::slow_tier::SlowResult;
use crate::uri;

/// The state in which a request is answered.
pub(crate) struct Context<'s> {
    pub(crate) snapshot: Snapshot,
    pub(crate) agreement: Agreement,
    /// Returns the results of the slow tier for an analysis, if they are known.
    pub(crate) slow: &'s dyn Fn(&Arc<Analysis>) -> Option<&'s SlowResult>,
    /// Whether a trace is attached to all programs.
    pub(crate) has_trace: bool,
}

/// A document in a request, with the place that the request is about.
struct Target {
    path: PathBuf,
    analysis: Arc<Analysis>,
    offset: u32,
}

impl Context<'_> {
    fn converter<'f>(&self, file: &'f SourceFile) -> Converter<'f> {
        Converter { file, encoding: self.agreement.encoding }
    }

    /// Returns the analysis of a document, unless the document is one for other servers.
    fn analysis(&self, path: &Path) -> Option<Arc<Analysis>> {
        self.snapshot.serves(path).then(|| self.snapshot.analysis(path))
    }

    fn target(&self, at: &TextDocumentPositionParams) -> Option<Target> {
        let path = uri::to_path(&at.text_document.uri);
        let analysis = self.analysis(&path)?;
        let offset = self.converter(analysis.file()?).offset(at.position);
        Some(Target { path, analysis, offset })
    }

    /// Returns the diagnostics of a document: those of reading it, and the slow ones as far as they are known.
    fn findings(&self, analysis: &Arc<Analysis>) -> Vec<Finding> {
        let mut all = ide::fast_diagnostics(analysis);
        all.extend((self.slow)(analysis).into_iter().flat_map(|slow| slow.diagnostics.iter().cloned()));
        all
    }

    /// Returns the diagnostics of a document for the client.
    pub(crate) fn diagnostics(&self, path: &Path) -> Vec<Diagnostic> {
        let Some(analysis) = self.analysis(path) else { return Vec::new() };
        let Some(file) = analysis.file() else { return Vec::new() };
        let sources = analysis.library().sources();
        let findings = self.findings(&analysis);
        findings.iter().map(|found| protocol::diagnostic(found, self.converter(file), sources)).collect()
    }

    pub(crate) fn diagnostic_report(&self, params: &DocumentDiagnosticParams) -> DocumentDiagnosticReport {
        let items = self.diagnostics(&uri::to_path(&params.text_document.uri));
        let mut hasher = DefaultHasher::new();
        // Diagnostics are plain data, which can be written.
        serde_json::to_string(&items).unwrap_or_default().hash(&mut hasher);
        let result_id = format!("{:x}", hasher.finish());
        if params.previous_result_id.as_ref() == Some(&result_id) {
            let unchanged = UnchangedDocumentDiagnosticReport { result_id };
            return DocumentDiagnosticReport::RelatedUnchangedDocumentDiagnosticReport(
                RelatedUnchangedDocumentDiagnosticReport {
                    unchanged_document_diagnostic_report: unchanged,
                    ..RelatedUnchangedDocumentDiagnosticReport::default()
                },
            );
        }
        let full = FullDocumentDiagnosticReport { result_id: Some(result_id), items };
        DocumentDiagnosticReport::RelatedFullDocumentDiagnosticReport(RelatedFullDocumentDiagnosticReport {
            full_document_diagnostic_report: full,
            ..RelatedFullDocumentDiagnosticReport::default()
        })
    }

    pub(crate) fn hover(&self, params: &HoverParams) -> Option<Hover> {
        let target = self.target(&params.text_document_position_params)?;
        let hover = self.snapshot.hover(&target.path, target.offset);
        let range = hover.as_ref().map(|hover| hover.range.clone());
        let parts = hover.map(|hover| hover.markdown).into_iter().chain(self.explanations(&target));
        let text = parts.collect::<Vec<_>>().join("\n\n---\n\n");
        let range = range.zip(target.analysis.file()).map(|(range, file)| self.converter(file).range(&range));
        (!text.is_empty()).then(|| Hover { contents: Contents::MarkupContent(markdown(text)), range })
    }

    /// Returns the explanations of the codes of the diagnostics at a place.
    fn explanations(&self, target: &Target) -> Vec<String> {
        let is_here =
            |found: &&Finding| found.span.is_some_and(|span| span.start <= target.offset && target.offset <= span.end);
        let mut codes: Vec<&str> = Vec::new();
        let findings = self.findings(&target.analysis);
        for found in findings.iter().filter(is_here) {
            if !codes.contains(&found.code.0) {
                codes.push(found.code.0);
            }
        }
        if codes.is_empty() {
            return Vec::new();
        }
        let docs = goalspec::codes::all();
        let doc = |code: &&str| docs.iter().find(|doc| doc.code.0 == *code);
        codes
            .iter()
            .filter_map(doc)
            .map(|doc| format!("`{}`: {}\n\n{}", doc.code.0, doc.summary, doc.explanation))
            .collect()
    }

    pub(crate) fn definition(&self, params: &DefinitionParams) -> Option<DefinitionResponse> {
        let target = self.target(&params.text_document_position_params)?;
        let places = self.snapshot.definitions(&target.path, target.offset);
        let convert = |place| protocol::location(&self.snapshot, self.agreement.encoding, place);
        let locations: Vec<Location> = places.iter().filter_map(convert).collect();
        (!locations.is_empty()).then_some(DefinitionResponse::Definition(Definition::LocationList(locations)))
    }

    pub(crate) fn references(&self, params: &ReferenceParams) -> Option<Vec<Location>> {
        let target = self.target(&params.text_document_position_params)?;
        let places = self.snapshot.references(&target.path, target.offset, params.context.include_declaration);
        let convert = |place| protocol::location(&self.snapshot, self.agreement.encoding, place);
        Some(places.iter().filter_map(convert).collect())
    }

    pub(crate) fn highlights(&self, params: &DocumentHighlightParams) -> Option<Vec<DocumentHighlight>> {
        let target = self.target(&params.text_document_position_params)?;
        let converter = self.converter(target.analysis.file()?);
        let highlight = |(range, is_definition): (ide::TextRange, bool)| DocumentHighlight {
            range: converter.range(&range),
            kind: Some(if is_definition { DocumentHighlightKind::Write } else { DocumentHighlightKind::Read }),
        };
        Some(self.snapshot.highlights(&target.path, target.offset).into_iter().map(highlight).collect())
    }

    pub(crate) fn prepare_rename(&self, params: &PrepareRenameParams) -> Result<PrepareRenameResult, String> {
        let target =
            self.target(&params.text_document_position_params).ok_or(ide::RenameError::NoSymbol.to_string())?;
        let range = self.snapshot.prepare_rename(&target.path, target.offset).map_err(|error| error.to_string())?;
        let file = target.analysis.file().ok_or(ide::RenameError::NoSymbol.to_string())?;
        Ok(PrepareRenameResult::Range(self.converter(file).range(&range)))
    }

    pub(crate) fn rename(&self, params: &RenameParams) -> Result<WorkspaceEdit, String> {
        let target =
            self.target(&params.text_document_position_params).ok_or(ide::RenameError::NoSymbol.to_string())?;
        let files = self.snapshot.rename(&target.path, target.offset, &params.new_name);
        let files = files.map_err(|error| error.to_string())?;
        Ok(workspace_edit(&self.snapshot, self.agreement.encoding, &files))
    }

    pub(crate) fn document_symbols(&self, params: &DocumentSymbolParams) -> Option<DocumentSymbolResponse> {
        let analysis = self.analysis(&uri::to_path(&params.text_document.uri))?;
        let converter = self.converter(analysis.file()?);
        let symbols = analysis.outline().iter().map(|item| document_symbol(item, converter)).collect();
        Some(DocumentSymbolResponse::DocumentSymbolList(symbols))
    }

    pub(crate) fn workspace_symbols(&self, params: &WorkspaceSymbolParams) -> WorkspaceSymbolResponse {
        let symbols = self.snapshot.workspace_symbols(&params.query);
        let convert = |symbol: &ide::WorkspaceSymbol| {
            let location = protocol::location(&self.snapshot, self.agreement.encoding, &symbol.location)?;
            Some(WorkspaceSymbol {
                location: WorkspaceSymbolLocation::Location(location),
                data: None,
                base_symbol_information: BaseSymbolInformation {
                    name: symbol.name.clone(),
                    kind: symbol_kind(symbol.kind),
                    tags: None,
                    container_name: symbol.container.clone(),
                },
            })
        };
        WorkspaceSymbolResponse::WorkspaceSymbolList(symbols.iter().filter_map(convert).collect())
    }

    pub(crate) fn folding_ranges(&self, params: &FoldingRangeParams) -> Vec<FoldingRange> {
        let Some(analysis) = self.analysis(&uri::to_path(&params.text_document.uri)) else { return Vec::new() };
        let convert = |range: ide::FoldingRange| FoldingRange {
            start_line: range.start_line,
            end_line: range.end_line,
            kind: range.is_comment.then_some(FoldingRangeKind::Comment),
            ..FoldingRange::default()
        };
        ide::folding_ranges(&analysis).into_iter().map(convert).collect()
    }

    pub(crate) fn selection_ranges(&self, params: &SelectionRangeParams) -> Option<Vec<SelectionRange>> {
        let analysis = self.analysis(&uri::to_path(&params.text_document.uri))?;
        let converter = self.converter(analysis.file()?);
        let select = |&position: &Position| {
            let ranges = ide::selection_ranges(&analysis, converter.offset(position));
            let outer_first = ranges.iter().rev();
            let nested = outer_first.fold(None, |parent: Option<SelectionRange>, range| {
                Some(SelectionRange { range: converter.range(range), parent: parent.map(Box::new) })
            });
            nested.unwrap_or(SelectionRange { range: Range { start: position, end: position }, parent: None })
        };
        Some(params.positions.iter().map(select).collect())
    }

    pub(crate) fn completion(&self, params: &CompletionParams) -> Option<CompletionResponse> {
        let target = self.target(&params.text_document_position_params)?;
        let converter = self.converter(target.analysis.file()?);
        let completions = self.snapshot.completions(&target.path, target.offset);
        let range = converter.range(&completions.range);
        let item = |(index, item): (usize, &ide::Completion)| CompletionItem {
            label: item.label.clone(),
            kind: Some(completion_kind(item.kind)),
            detail: Some(item.detail.clone()).filter(|detail| !detail.is_empty()),
            documentation: Some(item.doc.clone()).filter(|doc| !doc.is_empty()).map(Documentation::String),
            sort_text: Some(format!("{index:06}")),
            text_edit: Some(CompletionItemTextEdit::TextEdit(TextEdit { range, new_text: item.label.clone() })),
            ..CompletionItem::default()
        };
        let items = completions.items.iter().enumerate().map(item).collect();
        Some(CompletionResponse::CompletionList(CompletionList { items, ..CompletionList::default() }))
    }

    pub(crate) fn signature_help(&self, params: &SignatureHelpParams) -> Option<SignatureHelp> {
        let target = self.target(&params.text_document_position_params)?;
        let signatures = target.analysis.signatures(target.offset);
        let information = |signature: &ide::Signature| {
            let units = |at: usize| signature.label[..at].encode_utf16().count() as u32;
            let parameter = |range: &std::ops::Range<usize>| ParameterInformation {
                label: ParameterInformationLabel::Tuple((units(range.start), units(range.end))),
                documentation: None,
            };
            SignatureInformation {
                label: signature.label.clone(),
                documentation: Some(signature.doc.clone()).filter(|doc| !doc.is_empty()).map(Documentation::String),
                parameters: Some(signature.parameters.iter().map(parameter).collect()),
                active_parameter: signature.active.map(|active| ActiveParameter::Int(active as u32)),
            }
        };
        let signatures: Vec<_> = signatures.iter().map(information).collect();
        (!signatures.is_empty()).then_some(SignatureHelp {
            signatures,
            active_signature: Some(0),
            active_parameter: None,
        })
    }

    pub(crate) fn semantic_tokens(
        &self,
        document: &TextDocumentIdentifier,
        range: Option<&Range>,
    ) -> Option<SemanticTokens> {
        let analysis = self.analysis(&uri::to_path(&document.uri))?;
        let converter = self.converter(analysis.file()?);
        let range = range.map(|range| converter.text_range(range));
        let mut previous = Position::default();
        let mut data = Vec::new();
        for token in analysis.tokens(range.as_ref()) {
            let Range { start, end } = converter.range(&token.range);
            let is_same_line = start.line == previous.line;
            data.push(SemanticToken {
                delta_line: start.line - previous.line,
                delta_start: start.character - if is_same_line { previous.character } else { 0 },
                length: end.character.saturating_sub(start.character),
                token_type: token_type(token.kind),
                token_modifiers_bitset: u32::from(token.is_definition) | u32::from(token.is_built_in) << 1,
            });
            previous = start;
        }
        Some(SemanticTokens { result_id: None, data })
    }

    pub(crate) fn format(&self, document: &TextDocumentIdentifier, range: Option<&Range>) -> Option<Vec<TextEdit>> {
        let analysis = self.analysis(&uri::to_path(&document.uri))?;
        let converter = self.converter(analysis.file()?);
        let edits = match range {
            None => analysis.format(),
            Some(range) => analysis.format_range(&converter.text_range(range)),
        };
        // A document with syntax errors keeps its layout.
        edits.ok().map(|edits| converter.edits(&edits))
    }

    pub(crate) fn inlay_hints(&self, params: &InlayHintParams) -> Option<Value> {
        let analysis = self.analysis(&uri::to_path(&params.text_document.uri))?;
        let converter = self.converter(analysis.file()?);
        let range = converter.text_range(&params.range);
        let slow = (self.slow)(&analysis).into_iter().flat_map(|slow| slow.hints.iter().cloned());
        let slow = slow.filter(|hint| range.start <= hint.offset && hint.offset <= range.end);
        let hint = |hint: ide::Hint| {
            let position = converter.position(hint.offset);
            json!({ "position": position, "label": hint.label, "tooltip": hint.tooltip, "paddingLeft": true })
        };
        Some(analysis.hints(&range).into_iter().chain(slow).map(hint).collect())
    }

    pub(crate) fn code_lenses(&self, params: &CodeLensParams) -> Option<Value> {
        let document = &params.text_document;
        let analysis = self.analysis(&uri::to_path(&document.uri))?;
        let converter = self.converter(analysis.file()?);
        let lens = |lens: ide::Lens| {
            let range = converter.range(&lens.range);
            let arguments = json!([{ "uri": document.uri, "position": range.start }]);
            let command =
                json!({ "title": lens.command.title(), "command": lens.command.name(), "arguments": arguments });
            json!({ "range": range, "command": command })
        };
        Some(analysis.lenses(self.has_trace).into_iter().map(lens).collect())
    }

    pub(crate) fn code_actions(&self, params: &CodeActionParams) -> Option<Vec<CodeActionResponse>> {
        let path = uri::to_path(&params.text_document.uri);
        let analysis = self.analysis(&path)?;
        let file = analysis.file()?;
        let converter = self.converter(file);
        let findings = self.findings(&analysis);
        let only = params.context.only.as_deref();
        let wanted = |kind: &CodeActionKind| only.is_none_or(|only| only.iter().any(|asked| includes(asked, kind)));
        let mut actions = Vec::new();
        if wanted(&CodeActionKind::QuickFix) {
            for fix in analysis.fixes(&findings, &converter.text_range(&params.range)) {
                actions.push(CodeAction {
                    title: fix.title,
                    kind: Some(CodeActionKind::QuickFix),
                    diagnostics: Some(vec![protocol::diagnostic(
                        fix.diagnostic,
                        converter,
                        analysis.library().sources(),
                    )]),
                    is_preferred: Some(fix.is_safe),
                    edit: Some(workspace_edit(&self.snapshot, self.agreement.encoding, &fix.edits)),
                    ..CodeAction::default()
                });
            }
        }
        // Many clients run the actions of `source` on saving only if they ask for them.
        if only.is_some() && wanted(&fix_all()) {
            let edits = analysis.fix_all(&findings);
            if !edits.is_empty() {
                let files = [ide::FileEdits { path, edits }];
                actions.push(CodeAction {
                    title: "apply all safe fixes".to_owned(),
                    kind: Some(fix_all()),
                    edit: Some(workspace_edit(&self.snapshot, self.agreement.encoding, &files)),
                    ..CodeAction::default()
                });
            }
        }
        Some(actions.into_iter().map(CodeActionResponse::CodeAction).collect())
    }
}

/// Whether a kind of actions, such as `source`, includes another one, such as `source.fixAll`.
fn includes(asked: &CodeActionKind, kind: &CodeActionKind) -> bool {
    let (asked, kind) = (asked.to_string(), kind.to_string());
    asked.is_empty() || kind == asked || kind.strip_prefix(&asked).is_some_and(|rest| rest.starts_with('.'))
}

#[allow(deprecated, reason = "the field `deprecated` of the protocol has to be given a value")]
fn document_symbol(item: &OutlineItem, converter: Converter<'_>) -> DocumentSymbol {
    let children = item.children.iter().map(|child| document_symbol(child, converter));
    DocumentSymbol {
        name: item.name.clone(),
        detail: Some(item.kind.noun().to_owned()),
        kind: symbol_kind(item.kind),
        tags: None,
        deprecated: None,
        range: converter.range(&item.range),
        selection_range: converter.range(&item.name_range),
        children: Some(children.collect::<Vec<_>>()).filter(|children| !children.is_empty()),
    }
}

/// Returns the number of a class of words in the legend.
fn token_type(kind: TokenKind) -> u32 {
    let name = match kind {
        TokenKind::Comment => "comment",
        TokenKind::Keyword => "keyword",
        TokenKind::Number => "number",
        TokenKind::String => "string",
        TokenKind::Name(kind) => match kind {
            Kind::Domain | Kind::Problem | Kind::Game | Kind::Section => "namespace",
            Kind::Preference => "event",
            Kind::Type => "type",
            Kind::Object => "enumMember",
            Kind::Variable => "variable",
            Kind::Function => "function",
            Kind::Action => "method",
            Kind::Team => "class",
            Kind::Node => "struct",
            Kind::Predicate | Kind::Resource | Kind::Attribute | Kind::Setting => "property",
            Kind::Parameter => "parameter",
        },
    };
    TOKEN_TYPES.iter().position(|known| *known == name).unwrap_or_default() as u32
}
