//! Outlines of resource graph games: their sections, with the teams, nodes, resources and actions in them.

use goalspec::rgg::yaml::{self, Node};
use goalspec::syntax::symbols::SymbolKind;
use goalspec::syntax::{SourceFile, Span};

use super::OutlineItem;

/// Maximum number of names in an outline. Aliases make a text stand for more names than it has.
const MAX_NAMES: usize = 20_000;

/// Returns the sections of a game; none if its text is not valid YAML.
pub(super) fn outline(file: &SourceFile) -> Vec<OutlineItem> {
    let tree = yaml::parse(file).tree;
    let mut outliner = Outliner { file, merges_lists: false, count: 0 };
    let Some(sections) = tree.root().and_then(Node::entries) else { return Vec::new() };
    let mut items = Vec::new();
    for section in sections {
        let levels: &[SymbolKind] = match &*section.key.text {
            "teams" | "rewards" => &[SymbolKind::Team],
            "resourceSpace" => &[SymbolKind::Node, SymbolKind::Resource],
            "actionSpace" => &[SymbolKind::Team, SymbolKind::Action, SymbolKind::Parameter],
            "actions" => &[SymbolKind::Action],
            "metrics" => &[SymbolKind::Resource],
            "board" => &[SymbolKind::Section, SymbolKind::Node],
            _ => &[],
        };
        outliner.merges_lists = &*section.key.text == "resourceSpace";
        let children = outliner.names(section.value, levels);
        items.extend(outliner.item(SymbolKind::Section, section.key.span, section.value.span(), children));
    }
    items
}

struct Outliner<'t> {
    file: &'t SourceFile,
    /// Whether a list of maps stands for one map.
    merges_lists: bool,
    count: usize,
}

impl Outliner<'_> {
    /// Returns the names in a value: keys or items, whose values contain the names of the next level.
    fn names(&mut self, node: Node<'_>, levels: &[SymbolKind]) -> Vec<OutlineItem> {
        let Some((&kind, inner)) = levels.split_first() else { return Vec::new() };
        let mut items = Vec::new();
        if let Some(entries) = node.entries() {
            for entry in entries {
                let children = self.names(entry.value, inner);
                items.extend(self.item(kind, entry.key.span, entry.value.span(), children));
            }
        } else if let Some(parts) = node.items() {
            for part in parts {
                match part.scalar() {
                    Some(scalar) => items.extend(self.item(kind, scalar.span, scalar.span, Vec::new())),
                    None if self.merges_lists => items.extend(self.names(part, levels)),
                    None => {}
                }
            }
        }
        items
    }

    /// Returns an item; `None` if it has no name, or there are too many.
    fn item(&mut self, kind: SymbolKind, name: Span, value: Span, children: Vec<OutlineItem>) -> Option<OutlineItem> {
        self.count += 1;
        let is_named = name.start < name.end && self.count <= MAX_NAMES;
        // The value of an alias is elsewhere.
        let end = if value.start >= name.end { value.end } else { name.end };
        is_named.then(|| OutlineItem {
            name: self.file.slice(name).trim_matches(['"', '\'']).to_owned(),
            kind,
            range: name.start..end,
            name_range: name.start..name.end,
            children,
        })
    }
}
