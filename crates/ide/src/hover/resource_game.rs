//! Descriptions of the names, keywords and odds of resource graph games.

use goalspec::rgg::describe::symbol;
use goalspec::rgg::{ast, completion};
use goalspec::syntax::symbols::{Declaration, Occurrence, OccurrenceRole, SymbolKind};

use super::Hover;
use crate::analysis::Analysis;

/// Returns the description of the name, keyword or odds at an offset.
pub(super) fn hover(analysis: &Analysis, offset: u32) -> Option<Hover> {
    let file = analysis.file()?;
    if let Some((game, ast)) = analysis.resource_game() {
        if let Some(occurrence) = analysis.occurrence_at(offset) {
            let name = file.slice(occurrence.span);
            let lowered = game.playable.as_ref().map(|playable| &*playable.game);
            let described = match occurrence.kind {
                SymbolKind::Team => Some(symbol::team(ast, name)),
                SymbolKind::Node => Some(symbol::node(ast, name)),
                SymbolKind::Resource => Some(resource(analysis, ast, occurrence, name)),
                SymbolKind::Action => Some(symbol::action(ast, lowered, name)),
                SymbolKind::Parameter => symbol::parameter(ast, occurrence.span),
                _ => None,
            };
            let title = format!("{} `{name}`", occurrence.kind.noun());
            let parts: Vec<String> = [Some(title), described].into_iter().flatten().collect();
            let range = occurrence.span.start..occurrence.span.end;
            return Some(Hover { range, markdown: parts.join("\n\n") });
        }
        if let Some(playable) = &game.playable
            && let Some((span, markdown)) = symbol::odds_at(ast, &playable.game, offset)
        {
            return Some(Hover { range: span.start..span.end, markdown });
        }
    }
    let (range, name, description) = completion::keyword_at(file, offset)?;
    Some(Hover { range, markdown: format!("`{name}`\n\n{description}") })
}

fn resource(analysis: &Analysis, ast: &ast::Game, occurrence: &Occurrence, name: &str) -> String {
    if let Declaration::BuiltIn(owner) = &occurrence.declaration {
        return format!("of {owner}: the teams that see a node, or the name of the node");
    }
    let has_node = analysis.declaration_of_node(occurrence);
    let declared = match occurrence.declaration {
        Declaration::At(span) => has_node.or_else(|| {
            // A resource that is one symbol on all nodes is used without its node.
            let is_shared = analysis.occurrences().iter().any(|own| {
                own.kind == SymbolKind::Resource
                    && own.span != span
                    && own.declaration == Declaration::At(span)
                    && own.role != OccurrenceRole::Reference
            });
            (!is_shared).then_some(span)
        }),
        _ => None,
    };
    let node = declared.and_then(|span| symbol::resource_at(ast, span.start)).map(|(node, _)| node);
    symbol::resource(ast, node, name)
}
