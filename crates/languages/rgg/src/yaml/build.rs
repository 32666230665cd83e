//! The construction of the tree from the events of the underlying YAML parser.

use std::borrow::Cow;
use std::sync::Arc;

use goalspec_syntax::{Diagnostic, Severity, SourceFile, Span};
use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, StructureStyle, Tag};
use rustc_hash::FxHashMap;

use super::{
    BYTES_OF_FIRST_UNIT, BYTES_PER_NODE, Content, Key, MAX_BYTES, MAX_DEPTH, MAX_NODES, NodeData, NodeIndex,
    ParsedDocument, QuotingStyle, Scalar, Tree,
};
use crate::codes;
use crate::diagnostics::DiagnosticCollector;

/// The signal that parsing stops at an error, which has been reported.
struct ParseStopped;

struct Builder<'a> {
    source: &'a SourceFile,
    tree: Tree,
    open: Vec<OpenCollection>,
    /// The nodes of the anchors, by anchor number; `None` while the node is incomplete.
    anchors: FxHashMap<usize, Option<NodeIndex>>,
    documents: usize,
    /// The number of keys and values so far, with aliases expanded.
    size: usize,
    findings: DiagnosticCollector,
}

/// A sequence or mapping that is not complete.
struct OpenCollection {
    anchor: usize,
    start: u32,
    is_mapping: bool,
    is_flow: bool,
    /// The items; of a mapping, alternating keys and values.
    children: Vec<NodeIndex>,
    size: usize,
    depth: usize,
}

pub(super) fn parse(source: &SourceFile) -> ParsedDocument {
    if source.text().len() > MAX_BYTES {
        let message = format!(
            "the size of {} is {} bytes and exceeds the limit of {MAX_BYTES}",
            source.name(),
            source.text().len()
        );
        let span = Span::new(source.id(), 0, 0);
        let diagnostics = vec![Diagnostic::error(codes::YAML_SIZE, span, message)];
        return ParsedDocument { diagnostics, ..ParsedDocument::default() };
    }
    let mut builder = Builder {
        source,
        tree: Tree::default(),
        open: Vec::new(),
        anchors: FxHashMap::default(),
        documents: 0,
        size: 0,
        findings: DiagnosticCollector::default(),
    };
    if builder.events().is_err() {
        builder.tree.root = None;
    }
    ParsedDocument { tree: builder.tree, diagnostics: builder.findings.finish() }
}

impl Builder<'_> {
    fn events(&mut self) -> Result<(), ParseStopped> {
        let options = granit_parser::options! {
            emit_unresolved_aliases: true,
            max_buffered_comment_events: MAX_NODES,
            flow_nesting_limit: MAX_DEPTH,
            block_nesting_limit: MAX_DEPTH,
        };
        for event in Parser::new_from_str_with_options(self.source.text(), options) {
            let (event, span) = event.map_err(|error| {
                let at = error.marker().byte_offset().unwrap_or_default();
                let end =
                    at + self.source.text().get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
                let place = self.span(at as u32, end as u32);
                if *error.kind() == ErrorKind::RecursionLimitExceeded {
                    return self.too_deep(place);
                }
                self.syntax_error(place, &error.info());
                ParseStopped
            })?;
            let range = span.byte_range().unwrap_or_default();
            let place = self.span(range.start as u32, range.end as u32);
            let tag = span.tag_span().and_then(|tag| tag.byte_range());
            let tag = tag.map_or(place, |tag| self.span(tag.start as u32, tag.end as u32));
            self.event(event, place, tag)?;
            if self.documents > 1 {
                break;
            }
        }
        Ok(())
    }

    fn syntax_error(&mut self, span: Span, reason: &str) {
        let mut found = Diagnostic::error(codes::YAML_SYNTAX, span, format!("invalid YAML: {reason}"));
        // The error of a key without a colon is located after the key.
        let text = self.source.text();
        let end = text[span.start as usize..].find('\n').map_or(text.len(), |line| span.start as usize + line);
        let is_word =
            |line: &&str| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if let Some(word) = text[..end].lines().rev().take(2).map(str::trim).find(is_word) {
            found = found.with_help(format!("add a colon after the key: `{word}:`"));
        }
        self.findings.report(found);
    }

    fn span(&self, start: u32, end: u32) -> Span {
        let length = self.source.text().len() as u32;
        Span::new(self.source.id(), start.min(length), end.min(length).max(start.min(length)))
    }

    fn event(&mut self, event: Event<'_>, span: Span, tag_place: Span) -> Result<(), ParseStopped> {
        match event {
            Event::DocumentStart(..) => self.document(span),
            Event::Scalar(text, style, anchor, tag) => {
                let is_text = self.has_core_tag(tag.as_deref(), "str", tag_place);
                let content = Content::Scalar(self.scalar(&text, style, is_text, span));
                let size = 1 + text.len().saturating_sub(BYTES_OF_FIRST_UNIT) / BYTES_PER_NODE;
                self.add_node(NodeData { span, content, size, depth: 0 }, anchor)?;
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.has_core_tag(tag.as_deref(), "seq", tag_place);
                self.open_collection(anchor, span, false, style)?;
            }
            Event::MappingStart(style, anchor, tag) => {
                self.has_core_tag(tag.as_deref(), "map", tag_place);
                self.open_collection(anchor, span, true, style)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close_collection(span)?,
            Event::Alias(anchor) => self.alias(anchor, span)?,
            Event::UnresolvedAlias(name) => {
                let message = format!("undefined alias `*{name}`: no `&{name}` precedes it");
                self.error(codes::YAML_ALIAS, span, message);
                self.add_node(NodeData { span, content: Content::Error, size: 1, depth: 0 }, 0)?;
            }
            Event::Comment(..) => self.tree.comments.push(span),
            _ => {}
        }
        Ok(())
    }

    fn document(&mut self, span: Span) {
        self.documents += 1;
        if self.documents > 1 {
            let diagnostic = Diagnostic::error(codes::YAML_DOCUMENTS, span, "unexpected second document");
            self.findings.report(diagnostic.with_help("write each game to a separate file"));
        }
    }

    /// Whether the node has the expected core schema tag, which is redundant; any other tag is reported.
    fn has_core_tag(&mut self, tag: Option<&Tag>, expected: &str, span: Span) -> bool {
        let Some(tag) = tag else { return false };
        if tag.is_yaml_core_schema_tag(expected) {
            return true;
        }
        let message = format!("unknown tag `{}`", tag.original());
        self.error(codes::YAML_TAG, span, message);
        false
    }

    fn scalar(&self, text: &str, style: ScalarStyle, is_text: bool, span: Span) -> Scalar {
        let raw = self.source.slice(span);
        let style = match style {
            ScalarStyle::Literal | ScalarStyle::Folded => QuotingStyle::Block,
            ScalarStyle::Plain if !is_text => QuotingStyle::Plain,
            _ => QuotingStyle::Quoted,
        };
        let start = if raw == text {
            Some(span.start)
        } else if raw.get(1..raw.len().saturating_sub(1)) == Some(text) {
            Some(span.start + 1)
        } else {
            None
        };
        Scalar { text: text.into(), span, style, start }
    }

    fn open_collection(
        &mut self,
        anchor: usize,
        span: Span,
        is_mapping: bool,
        style: StructureStyle,
    ) -> Result<(), ParseStopped> {
        if self.open.len() >= MAX_DEPTH {
            return Err(self.too_deep(span));
        }
        if anchor != 0 {
            self.anchors.insert(anchor, None);
        }
        let is_flow = style == StructureStyle::Flow;
        self.open.push(OpenCollection {
            anchor,
            start: span.start,
            is_mapping,
            is_flow,
            children: Vec::new(),
            size: 1,
            depth: 0,
        });
        Ok(())
    }

    fn close_collection(&mut self, place: Span) -> Result<(), ParseStopped> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let span_of = |index: NodeIndex| self.tree.nodes[index as usize].span;
        let first = open.children.first().map_or(open.start, |&first| open.start.min(span_of(first).start));
        let last = open.children.last().map(|&last| span_of(last).end).filter(|&end| end > first);
        let end = if open.is_flow { place.end } else { last.unwrap_or(place.start) };
        let span = self.span(first, end);
        let content = if open.is_mapping {
            Content::Mapping(self.entries(&open.children))
        } else {
            Content::Sequence(open.children.into())
        };
        self.add_node(NodeData { span, content, size: open.size, depth: open.depth + 1 }, open.anchor)
    }

    fn entries(&mut self, children: &[NodeIndex]) -> Box<[(Key, NodeIndex)]> {
        let mut entries = Vec::with_capacity(children.len() / 2);
        for pair in children.chunks_exact(2) {
            let NodeData { span, content, .. } = &self.tree.nodes[pair[0] as usize];
            match content {
                Content::Scalar(scalar) => {
                    entries.push((Key { text: Arc::clone(&scalar.text), span: *span }, pair[1]));
                }
                Content::Error => {}
                _ => self.error(codes::YAML_KEY, *span, "a key must be a name, found a list or a map"),
            }
        }
        entries.into()
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<(), ParseStopped> {
        if let Some(&Some(index)) = self.anchors.get(&anchor) {
            self.size = self.size.saturating_add(self.tree.nodes[index as usize].size);
            return self.attach(index, span);
        }
        let name = self.source.slice(span).to_owned();
        self.error(codes::YAML_ALIAS, span, format!("the alias `{name}` contains itself"));
        self.add_node(NodeData { span, content: Content::Error, size: 1, depth: 0 }, 0)
    }

    fn add_node(&mut self, data: NodeData, anchor: usize) -> Result<(), ParseStopped> {
        let (index, span) = (self.tree.nodes.len() as NodeIndex, data.span);
        // The content of a collection has been counted.
        let own = if data.depth == 0 { data.size } else { 1 };
        self.size = self.size.saturating_add(own);
        self.tree.nodes.push(data);
        if anchor != 0 {
            self.anchors.insert(anchor, Some(index));
        }
        self.attach(index, span)
    }

    /// Adds a complete node to the innermost open collection, or as the root.
    fn attach(&mut self, index: NodeIndex, span: Span) -> Result<(), ParseStopped> {
        let NodeData { size, depth, .. } = self.tree.nodes[index as usize];
        let levels = self.open.len() + depth;
        let Some(parent) = self.open.last_mut() else {
            self.tree.root = Some(index);
            return Ok(());
        };
        parent.children.push(index);
        parent.size = parent.size.saturating_add(size);
        parent.depth = parent.depth.max(depth);
        if levels > MAX_DEPTH {
            return Err(self.too_deep(span));
        }
        if self.size > MAX_NODES {
            let message =
                format!("with every alias expanded, the number of keys and values exceeds the limit of {MAX_NODES}");
            self.error(codes::YAML_SIZE, span, message);
            return Err(ParseStopped);
        }
        Ok(())
    }

    fn too_deep(&mut self, span: Span) -> ParseStopped {
        self.error(
            codes::YAML_DEPTH,
            span,
            format!("the nesting of lists and maps exceeds the limit of {MAX_DEPTH} levels"),
        );
        ParseStopped
    }

    fn error(&mut self, code: goalspec_syntax::Code, span: Span, message: impl Into<Cow<'static, str>>) {
        self.findings.report(Diagnostic {
            span: Some(span),
            ..Diagnostic::new(code, Severity::Error, message.into().into_owned())
        });
    }
}

#[cfg(test)]
mod tests {
    use goalspec_syntax::Sources;

    use super::super::{MAX_DEPTH, ParsedDocument};
    use crate::codes;

    fn parse(text: &str) -> ParsedDocument {
        let mut sources = Sources::new();
        let id = sources.add("test", text);
        super::parse(sources.file(id))
    }

    fn first_error(text: &str) -> (goalspec_syntax::Code, String) {
        let parsed = parse(text);
        let found = &parsed.diagnostics[0];
        let span = found.span.expect("a place");
        (found.code, text.get(span.start as usize..span.end as usize).expect("bytes of the text").to_owned())
    }

    #[test]
    fn places_are_bytes_of_the_text() {
        let text =
            "# ä\nö:\n  - {a: \"x\\ty\", b: 'it'}\n  - c: >\n      folded\n      text\n  # end\nlast: plain # so\n";
        let parsed = parse(text);
        assert_eq!(parsed.diagnostics, []);
        let slice = |span: goalspec_syntax::Span| &text[span.start as usize..span.end as usize];
        let entries: Vec<_> = parsed.tree.root().unwrap().entries().unwrap().collect();
        assert_eq!(slice(entries[0].key.span), "ö");
        let items: Vec<_> = entries[0].value.items().unwrap().collect();
        assert_eq!(slice(items[0].span()), "{a: \"x\\ty\", b: 'it'}");
        let flow: Vec<_> = items[0].entries().unwrap().collect();
        let (escaped, quoted) = (flow[0].value.scalar().unwrap(), flow[1].value.scalar().unwrap());
        assert_eq!((&*escaped.text, slice(escaped.span_of(0..1))), ("x\ty", "\"x\\ty\""));
        assert_eq!((&*quoted.text, slice(quoted.span_of(1..2))), ("it", "t"));
        let folded = items[1].entries().unwrap().next().unwrap().value;
        assert_eq!(&*folded.scalar().unwrap().text, "folded text\n");
        assert!(slice(folded.span()).contains("folded"));
        let last = entries[1].value.scalar().unwrap();
        assert_eq!((slice(last.span), slice(last.span_of(0..2))), ("plain", "pl"));
        let comments: Vec<_> = parsed.tree.comments().iter().map(|span| slice(*span)).collect();
        assert_eq!(comments, ["# ä", "# end", "# so"]);
    }

    #[test]
    fn spans_of_blocks_end_with_their_last_value() {
        let text = "a:\n  b: 1\n  c:\n    - x\n    - y\n\n# more\nd: 2\n";
        let parsed = parse(text);
        let first = parsed.tree.root().unwrap().entries().unwrap().next().unwrap().value.span();
        assert_eq!(&text[first.start as usize..first.end as usize], "b: 1\n  c:\n    - x\n    - y");
    }

    #[test]
    fn keys_that_stand_twice_are_kept() {
        let parsed = parse("{a: 1, a: 2}");
        assert_eq!(parsed.tree.root().unwrap().entries().unwrap().count(), 2);
    }

    #[test]
    fn syntax_errors_have_a_position() {
        assert_eq!(first_error("a: [1, 2\nb: 3").0, codes::YAML_SYNTAX);
        assert_eq!(first_error("a: 1\n---\nb: 2").0, codes::YAML_DOCUMENTS);
        assert_eq!(first_error("a: !thing 1"), (codes::YAML_TAG, "!thing".into()));
        assert_eq!(first_error("a: *nowhere"), (codes::YAML_ALIAS, "*nowhere".into()));
        assert_eq!(first_error("a: &a [*a]"), (codes::YAML_ALIAS, "*a".into()));
        assert_eq!(first_error("? [1, 2]\n: 3"), (codes::YAML_KEY, "[1, 2]".into()));
        assert_eq!(parse("a: !!str 5\nb: &x 1\nc: *x").diagnostics, []);
    }

    #[test]
    fn alias_expansion_and_deep_nesting_are_limited() {
        let line = |level: u32| {
            let items = vec![format!("*a{}", level.saturating_sub(1)); 10].join(", ");
            format!("a{level}: &a{level} [{items}]\n")
        };
        let bomb: String = (1..30).map(line).collect();
        assert_eq!(first_error(&format!("a0: &a0 x\n{bomb}")).0, codes::YAML_SIZE);
        for depth in [MAX_DEPTH + 1, 100_000] {
            let lists = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            assert_eq!(first_error(&lists).0, codes::YAML_DEPTH);
            let blocks = "- ".repeat(depth);
            assert_eq!(first_error(&blocks).0, codes::YAML_DEPTH);
        }
        let allowed = format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
        assert_eq!(parse(&allowed).diagnostics, []);
        let by_alias: String = (1..40).map(|level| format!("a{level}: &a{level} [[[*a{}]]]\n", level - 1)).collect();
        assert_eq!(first_error(&format!("a0: &a0 x\n{by_alias}")).0, codes::YAML_DEPTH);
    }

    #[test]
    fn the_size_of_a_text_is_limited() {
        assert_eq!(first_error(&" ".repeat(super::MAX_BYTES + 1)).0, codes::YAML_SIZE);
    }
}
