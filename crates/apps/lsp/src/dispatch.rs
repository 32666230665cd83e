//! Requests by method: parameters are read, the feature is called, and its result or error becomes the response.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lsp_server::{ErrorCode, Request as Message, Response};
use serde_json::{Value, json};

use crate::features::Context;
#[allow(clippy::wildcard_imports, reason = "the types are named as in the specification of the protocol")]
use crate::protocol::*;

/// The answer to a request, with whether the analysis failed.
pub(crate) struct Answer {
    pub(crate) response: Response,
    pub(crate) has_failed: bool,
}

/// Answers a request. An analysis that fails unexpectedly is an error of this request only.
pub(crate) fn answer(context: &Context<'_>, request: Message) -> Answer {
    let id = request.id.clone();
    let dispatch = || Dispatcher { context, request, response: None }.dispatch();
    if let Ok(response) = catch_unwind(AssertUnwindSafe(dispatch)) {
        return Answer { response, has_failed: false };
    }
    let message = "the analysis failed unexpectedly".to_owned();
    Answer { response: Response::new_err(id, ErrorCode::InternalError as i32, message), has_failed: true }
}

struct Dispatcher<'c, 's> {
    context: &'c Context<'s>,
    request: Message,
    response: Option<Response>,
}

impl Dispatcher<'_, '_> {
    fn dispatch(mut self) -> Response {
        self.on::<DocumentDiagnosticRequest>(|context, params| Ok(json!(context.diagnostic_report(&params))))
            .on::<HoverRequest>(|context, params| Ok(json!(context.hover(&params))))
            .on::<DefinitionRequest>(|context, params| Ok(json!(context.definition(&params))))
            .on::<ReferencesRequest>(|context, params| Ok(json!(context.references(&params))))
            .on::<DocumentHighlightRequest>(|context, params| Ok(json!(context.highlights(&params))))
            .on::<PrepareRenameRequest>(|context, params| context.prepare_rename(&params).map(|range| json!(range)))
            .on::<RenameRequest>(|context, params| context.rename(&params).map(|edit| json!(edit)))
            .on::<DocumentSymbolRequest>(|context, params| Ok(json!(context.document_symbols(&params))))
            .on::<WorkspaceSymbolRequest>(|context, params| Ok(json!(context.workspace_symbols(&params))))
            .on::<FoldingRangeRequest>(|context, params| Ok(json!(context.folding_ranges(&params))))
            .on::<SelectionRangeRequest>(|context, params| Ok(json!(context.selection_ranges(&params))))
            .on::<CompletionRequest>(|context, params| Ok(json!(context.completion(&params))))
            .on::<SignatureHelpRequest>(|context, params| Ok(json!(context.signature_help(&params))))
            .on::<SemanticTokensRequest>(|context, params| {
                Ok(json!(context.semantic_tokens(&params.text_document, None)))
            })
            .on::<SemanticTokensRangeRequest>(|context, params| {
                Ok(json!(context.semantic_tokens(&params.text_document, Some(&params.range))))
            })
            .on::<DocumentFormattingRequest>(|context, params| Ok(json!(context.format(&params.text_document, None))))
            .on::<DocumentRangeFormattingRequest>(|context, params| {
                Ok(json!(context.format(&params.text_document, Some(&params.range))))
            })
            .on::<InlayHintRequest>(|context, params| Ok(json!(context.inlay_hints(&params))))
            .on::<CodeLensRequest>(|context, params| Ok(json!(context.code_lenses(&params))))
            .on::<CodeActionRequest>(|context, params| Ok(json!(context.code_actions(&params))));
        let Message { id, method, .. } = self.request;
        self.response.unwrap_or_else(|| {
            let message = format!("the method `{method}` is not supported");
            Response::new_err(id, ErrorCode::MethodNotFound as i32, message)
        })
    }

    /// Answers the request if it has the method of `R`.
    fn on<R: Request>(&mut self, handle: fn(&Context<'_>, R::Params) -> Result<Value, String>) -> &mut Self {
        if self.response.is_some() || self.request.method != R::METHOD.as_str() {
            return self;
        }
        let id = self.request.id.clone();
        self.response = Some(match serde_json::from_value(std::mem::take(&mut self.request.params)) {
            Err(error) => {
                let message = format!("invalid parameters of `{}`: {error}", self.request.method);
                Response::new_err(id, ErrorCode::InvalidParams as i32, message)
            }
            Ok(params) => match handle(self.context, params) {
                Ok(result) => Response::new_ok(id, result),
                Err(message) => Response::new_err(id, ErrorCode::RequestFailed as i32, message),
            },
        });
        self
    }
}
