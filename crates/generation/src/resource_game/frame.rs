//! The frame of a game: the text around the sections that its tree contains.
//!
//! It declares the names that the tree refers to: `metadata`, `teams`, `board`, `resourceSpace` and `metrics`, with their comments and their
//! layout.

use std::ops::Range;

use goalspec_generator::grammar::Tokens;
use goalspec_generator::tree::Tree;
use goalspec_rgg::yaml::{self, Node};
use goalspec_syntax::Sources;

use super::document::{Document, scalar_text};
use super::text::{Section, section};

/// A part of the text of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
enum FramePart {
    /// Text that is kept.
    Kept(String),
    /// The lines of a section of the tree.
    Section(Section),
    /// The name of the game.
    Name(String),
}

/// The text of a game without the sections of its tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    parts: Vec<FramePart>,
}

impl Frame {
    /// Returns the frame of a text; `None` if it is not a game. A text whose sections do not begin at the beginnings of lines loses its
    /// layout and comments.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut parts = match kept_parts(text) {
            Some(parts) => parts,
            None => kept_parts(&rewritten(text)?)?,
        };
        let missing = Section::ALL.map(FramePart::Section).into_iter().filter(|own| !parts.contains(own));
        let missing: Vec<FramePart> = missing.collect();
        parts.extend(missing);
        Some(Self { parts })
    }

    /// Returns the text of a game with the sections of a tree, and with this name if the frame has one.
    pub(super) fn text(&self, tree: &Tree, tokens: &Tokens, name: Option<&str>) -> String {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                FramePart::Kept(kept) => text.push_str(kept),
                FramePart::Name(own) => text.push_str(&name.map_or_else(|| own.clone(), scalar_text)),
                FramePart::Section(own) => {
                    if !text.is_empty() && !text.ends_with('\n') {
                        text.push('\n');
                    }
                    text.push_str(&section(tree, tokens, *own).unwrap_or_default());
                }
            }
        }
        text
    }
}

fn entry<'t>(node: Node<'t>, key: &str) -> Option<Node<'t>> {
    node.entries()?.find(|entry| *entry.key.text == *key).map(|entry| entry.value)
}

/// Returns the parts of a text whose sections begin at the beginnings of lines.
fn kept_parts(text: &str) -> Option<Vec<FramePart>> {
    let mut sources = Sources::new();
    let id = sources.add("game", text);
    let document = yaml::parse(sources.file(id));
    let root = document.tree.root()?;
    let mut places: Vec<(Range<usize>, FramePart)> = Vec::new();
    for own in root.entries()? {
        let start = own.key.span.start as usize;
        if start > 0 && !text[..start].ends_with(['\n', '\u{feff}']) {
            return None;
        }
        if let Some(section) = Section::ALL.into_iter().find(|section| section.key() == &*own.key.text) {
            let end = (own.value.span().end as usize).max(own.key.span.end as usize);
            places.push((start..line_end(text, end), FramePart::Section(section)));
        }
    }
    let name = entry(root, "metadata").and_then(|metadata| entry(metadata, "id")).filter(|id| id.scalar().is_some());
    if let Some(name) = name {
        let range = name.span().start as usize..name.span().end as usize;
        places.push((range.clone(), FramePart::Name(text[range].to_owned())));
    }
    places.sort_by_key(|(range, _)| range.start);
    let mut parts = Vec::new();
    let mut done = 0;
    for (range, part) in places {
        if range.start < done {
            return None;
        }
        parts.extend([FramePart::Kept(text[done..range.start].to_owned()), part]);
        done = range.end;
    }
    parts.push(FramePart::Kept(text[done..].to_owned()));
    Some(parts)
}

/// Returns the end of the line in which an entry ends.
fn line_end(text: &str, end: usize) -> usize {
    // The span of a block may end at the beginning of the line after it.
    if text[..end].ends_with('\n') {
        return end;
    }
    text[end..].find('\n').map_or(text.len(), |length| end + length + 1)
}

/// Returns a game with a line for each section.
fn rewritten(text: &str) -> Option<String> {
    let mut sources = Sources::new();
    let id = sources.add("game", text);
    let document = yaml::parse(sources.file(id));
    let entries = document.tree.root()?.entries()?;
    Some(entries.map(|own| Document::of(own.value).lines(&scalar_text(&own.key.text), 0)).collect())
}

#[cfg(test)]
mod tests {
    use goalspec_generator::grammar::Tokens;
    use goalspec_generator::tree::Tree;

    use super::Frame;
    use crate::resource_game::rules::Rule;

    /// Returns the text of the frame of a text, with an empty game.
    fn framed(text: &str, name: Option<&str>) -> String {
        let mut builder = goalspec_generator::tree::TreeBuilder::default();
        builder.open(Rule::Game.symbol());
        builder.open(Rule::ActionSpace.symbol());
        builder.close();
        let tree: Tree = builder.finish();
        Frame::of(text).expect("a game").text(&tree, &Tokens::default(), name)
    }

    #[test]
    fn comments_and_layout_of_the_frame_are_kept() {
        let text = "# about\nmetadata:\n  id: demo # its name\nteams: [a]\nactionSpace: # choices\n  a: { b: }\n# numbers\nmetrics: [a.x]";
        let expected =
            "# about\nmetadata:\n  id: new # its name\nteams: [a]\nactionSpace: {}\n# numbers\nmetrics: [a.x]\n";
        assert_eq!(framed(text, Some("new")), expected);
        assert!(framed(text, None).contains("id: demo # its name"));
    }

    #[test]
    fn games_on_one_line_get_several() {
        let text = "{metadata: {id: demo}, teams: [a], actionSpace: {a: {b: }}}";
        assert_eq!(framed(text, Some("yes")), "metadata: { id: \"yes\" }\nteams: [a]\nactionSpace: {}\n");
    }

    #[test]
    fn texts_that_are_no_games_have_no_frame() {
        for text in ["", "- a", "a: [", "text"] {
            assert_eq!(Frame::of(text), None, "{text}");
        }
    }
}
