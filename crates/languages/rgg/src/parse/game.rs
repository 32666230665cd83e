//! The sections of a game.

use goalspec_syntax::{Diagnostic, Span};

use super::parser::{Parser, UniqueEntries};
use crate::ast::{Choice, Game, Metadata, NamedDeclaration, NodeResources, Reward, SpannedText, TeamActions, Vector};
use crate::codes;
use crate::constraint;
use crate::keywords;
use crate::yaml::{Entry, Node, QuotingStyle};

/// The order of sections that the Cage engine requires: the first section of a pair precedes the second.
const REQUIRED_SECTION_ORDER: [(&str, &str); 3] =
    [("teams", "actionSpace"), ("teams", "rewards"), ("board", "resourceSpace")];

impl Parser<'_> {
    pub(super) fn game(&mut self, root: Node<'_>) -> Option<Game> {
        let map = self.record(root, "the game", &keywords::names(&keywords::SECTIONS))?;
        self.order(&map);
        let section = |name: &str| map.get(name).map(|entry| entry.value);
        let (nodes, vectors) = section("board").map(|board| self.board(board)).unwrap_or_default();
        Some(Game {
            span: root.span(),
            sections: map.iter().map(|entry| entry.key.into()).collect(),
            metadata: self.metadata(&map),
            teams: section("teams").map(|teams| self.teams(teams)).unwrap_or_default(),
            nodes,
            vectors,
            resources: section("resourceSpace").map(|space| self.resource_space(space)).unwrap_or_default(),
            action_space: section("actionSpace").map(|space| self.action_space(space)).unwrap_or_default(),
            actions: section("actions").map(|actions| self.actions(actions)).unwrap_or_default(),
            rewards: section("rewards").map(|rewards| self.rewards(rewards)).unwrap_or_default(),
            completed: section("completed").and_then(|completed| self.completed(completed)),
            metrics: section("metrics").map(|metrics| self.metrics(metrics)).unwrap_or_default(),
        })
    }

    fn order(&mut self, map: &UniqueEntries<'_>) {
        if self.dialect.any_section_order {
            return;
        }
        for (needed, by) in REQUIRED_SECTION_ORDER {
            if let (Some(needed), Some(by)) = (map.get(needed), map.get(by))
                && needed.key.span.start > by.key.span.start
                && by.value.entries().is_none_or(|mut entries| entries.next().is_some())
            {
                let message = format!("`{}` must precede `{}`", needed.key.text, by.key.text);
                let diagnostic = Diagnostic::error(codes::SECTION_ORDER, needed.key.span, message);
                self.report(diagnostic.with_related(by.key.span, "defined here"));
            }
        }
    }

    fn metadata(&mut self, game: &UniqueEntries<'_>) -> Metadata {
        let optional = self.dialect.optional_metadata;
        let Some(entry) = game.get("metadata") else {
            if !optional {
                let start = Span { end: game.span.start, ..game.span };
                self.error(codes::MISSING_KEY, start, "missing `metadata` in the game");
            }
            return Metadata::default();
        };
        if entry.value.is_null() && optional {
            return Metadata::default();
        }
        let Some(map) = self.record(entry.value, "`metadata`", &keywords::names(&keywords::METADATA)) else {
            return Metadata::default();
        };
        let mut text = |key: &str| {
            let value = map.get(key).map(|entry| entry.value).filter(|value| !value.is_null());
            value.and_then(|value| self.name(value, &format!("`{key}`")))
        };
        Metadata { id: text("id"), description: text("description") }
    }

    fn teams(&mut self, node: Node<'_>) -> Vec<SpannedText> {
        let items = self.list(node, "`teams`").unwrap_or_default();
        items.into_iter().filter_map(|item| self.name(item, "a team")).collect()
    }

    fn board(&mut self, node: Node<'_>) -> (Vec<SpannedText>, Vec<Vector>) {
        let Some(map) = self.record(node, "`board`", &keywords::names(&keywords::BOARD)) else {
            return Default::default();
        };
        let nodes = map.get("nodes").and_then(|entry| self.list(entry.value, "`nodes`")).unwrap_or_default();
        let vectors = map.get("vectors").and_then(|entry| self.list(entry.value, "`vectors`")).unwrap_or_default();
        let name = |node: Node<'_>| {
            self.text(node, codes::UNQUOTED_NAME, "the name of a node");
            // A name with an error is still known.
            node.scalar().filter(|_| !node.is_null()).map(SpannedText::from)
        };
        let nodes = nodes.into_iter().filter_map(name).collect();
        (nodes, vectors.into_iter().filter_map(|vector| self.vector(vector)).collect())
    }

    fn vector(&mut self, node: Node<'_>) -> Option<Vector> {
        let map = self.record(node, "a vector", &keywords::names(&keywords::VECTOR))?;
        let mut end = |key| {
            let node = self.required(&map, key, "a vector")?;
            self.name(node, &format!("`{key}`"))
        };
        let (from, to) = (end("from"), end("to"));
        let id = map.get("id").and_then(|entry| self.name(entry.value, "`id`"));
        Some(Vector { from: from?, to: to?, id, span: node.span() })
    }

    fn resource_space(&mut self, node: Node<'_>) -> Vec<NodeResources> {
        if node.items().is_some() && !self.dialect.resource_lists {
            let message = "`resourceSpace` must be a map from nodes to their resources, found a list";
            let help = "remove the dashes: `a: {x: int(1)}` instead of `- a: {x: int(1)}`";
            self.error_with(codes::RESOURCE_LIST, node.span(), message, help);
            return Vec::new();
        }
        let Some(map) = self.merged_map(node, "`resourceSpace`") else { return Vec::new() };
        map.iter()
            .map(|Entry { key, value }| {
                let subject = format!("the resource space of `{}`", key.text);
                let resources = self.merged_map(value, &subject).map(|map| self.declared_in(&map)).unwrap_or_default();
                NodeResources { node: key.into(), resources }
            })
            .collect()
    }

    fn declared_all(&mut self, node: Node<'_>, subject: &str) -> Vec<NamedDeclaration> {
        self.map(node, subject).map(|map| self.declared_in(&map)).unwrap_or_default()
    }

    fn declared_in(&mut self, map: &UniqueEntries<'_>) -> Vec<NamedDeclaration> {
        let entries: Vec<Entry<'_>> = map.iter().collect();
        let (mut declared, mut rest) = (Vec::with_capacity(entries.len()), &entries[..]);
        while let [first, others @ ..] = rest {
            let pieces = split_entry_count(*first, others);
            declared.push(match &others[..pieces] {
                [] => self.declared(*first),
                pieces => self.split_declaration(*first, pieces),
            });
            rest = &others[pieces..];
        }
        declared
    }

    /// Reports a constraint that commas split into several entries.
    fn split_declaration(&mut self, Entry { key, value }: Entry<'_>, pieces: &[Entry<'_>]) -> NamedDeclaration {
        let first = value.scalar().map_or_else(String::new, |scalar| scalar.text.to_string());
        let whole = pieces.iter().fold(first, |whole, piece| format!("{whole}, {}", piece.key.text));
        let span = pieces.last().map_or(value.span(), |last| value.span().to(last.key.span));
        let message = "a comma in braces ends this unquoted string";
        self.error_with(codes::UNQUOTED_COMMA, span, message, format!("put it in quotes: `\"{whole}\"`"));
        NamedDeclaration { name: key.into(), constraint: SpannedText { text: whole.into(), span }, declaration: None }
    }

    /// Parses a declaration; one with an error is kept, so that its name is known.
    fn declared(&mut self, Entry { key, value }: Entry<'_>) -> NamedDeclaration {
        let expected = "a string such as `int(0)`";
        let Some(scalar) = self.scalar(value, &format!("the constraint of `{}`", key.text), expected) else {
            let constraint = SpannedText { text: "".into(), span: value.span() };
            return NamedDeclaration { name: key.into(), constraint, declaration: None };
        };
        let parsed = constraint::parse(&scalar.text, self.dialect);
        NamedDeclaration { name: key.into(), constraint: scalar.into(), declaration: self.take_result(scalar, parsed) }
    }

    fn action_space(&mut self, node: Node<'_>) -> Vec<TeamActions> {
        let Some(map) = self.map(node, "`actionSpace`") else { return Vec::new() };
        map.iter().map(|entry| TeamActions { team: entry.key.into(), choices: self.choices(entry) }).collect()
    }

    fn choices(&mut self, Entry { key, value }: Entry<'_>) -> Vec<Choice> {
        let Some(map) = self.map(value, &format!("the action space of `{}`", key.text)) else { return Vec::new() };
        map.iter()
            .map(|Entry { key, value }| {
                let parameters = if value.is_null() {
                    Vec::new()
                } else {
                    self.declared_all(value, &format!("the parameter space of `{}`", key.text))
                };
                Choice { action: key.into(), parameters }
            })
            .collect()
    }

    fn rewards(&mut self, node: Node<'_>) -> Vec<Reward> {
        let Some(map) = self.map(node, "`rewards`") else { return Vec::new() };
        map.iter().map(|entry| Reward { team: entry.key.into(), compute: self.compute(entry.value) }).collect()
    }

    fn metrics(&mut self, node: Node<'_>) -> Vec<SpannedText> {
        let items = self.list(node, "`metrics`").unwrap_or_default();
        items.into_iter().filter_map(|item| self.name(item, "a metric")).collect()
    }
}

/// Returns the number of following entries that are pieces of the value of `first`, split off at commas: the value has an opening
/// parenthesis, the key of the last piece has the closing one, and no piece has a value.
fn split_entry_count(first: Entry<'_>, others: &[Entry<'_>]) -> usize {
    let opens = |text: &str| text.contains('(') && !text.contains(')');
    if !first.value.scalar().is_some_and(|scalar| scalar.style == QuotingStyle::Plain && opens(&scalar.text)) {
        return 0;
    }
    let pieces = others.iter().take_while(|piece| piece.value.is_null());
    pieces.map(|piece| piece.key.text.contains(')')).position(|closes| closes).map_or(0, |last| last + 1)
}
