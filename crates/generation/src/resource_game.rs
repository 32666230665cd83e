//! New resource graph games: edits of the text of an example.
//!
//! A game is edited where its text has a number, the name of a resource, an entry that can be missing, or an action. So comments and layout
//! are kept. Whether the result is a game, and one that can be played, the caller finds out: edits only keep it valid YAML.

use std::fmt::Write as _;
use std::ops::Range;

use goalspec_generator::RandomStream;
use goalspec_rgg::yaml::{self, Node, QuotingStyle, ScalarValue};
use goalspec_syntax::Sources;

/// The number of drafts that are made for one game.
pub const MAX_DRAFTS: u32 = 400;

/// Maximum number of edits of a draft.
const MAX_EDITS: u64 = 6;

/// The number of places that are tried for an edit.
const MAX_TRIES: u32 = 16;

/// The sections whose entries are not edited: they declare what others refer to.
const KEPT: [&str; 3] = ["metadata", "teams", "board"];

/// A kind of place that is edited, with the way in which it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameEdit {
    /// A number is changed.
    Number,
    /// A resource takes the place of another.
    Resource,
    /// An entry is removed, such as a consequence or a requirement.
    Remove,
    /// An action is copied under a new name, to be edited further.
    Copy,
}

impl GameEdit {
    /// All edits.
    pub const ALL: [Self; 4] = [Self::Number, Self::Resource, Self::Remove, Self::Copy];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Resource => "resource",
            Self::Remove => "remove",
            Self::Copy => "copy",
        }
    }
}

/// A place of a text.
struct Site {
    range: Range<usize>,
    content: SiteContent,
}

enum SiteContent {
    /// A number; a whole one if `is_whole`.
    Number { value: f64, is_whole: bool },
    /// The name of a resource.
    Resource,
    /// The lines of an entry with siblings.
    Entry,
    /// The lines of an action, with its name.
    Action(String),
    /// The lines of a choice of a team, with its name.
    Choice(String),
}

/// Returns a text with several edits; `None` if none is possible. `resources` are the names of the resources, as `node.resource`.
pub fn draft(text: &str, resources: &[String], edits: &[GameEdit], stream: &mut RandomStream) -> Option<String> {
    let count = 1 + stream.below(MAX_EDITS);
    let mut edited: Option<String> = None;
    for _ in 0..count {
        let own = edited.as_deref().unwrap_or(text);
        let edit = *edits.get(stream.below(edits.len() as u64) as usize)?;
        if let Some(new) = edit_once(own, resources, edit, stream) {
            edited = Some(new);
        }
    }
    edited
}

/// Returns a text with one edit; `None` if it is not possible.
pub fn edit_once(text: &str, resources: &[String], edit: GameEdit, stream: &mut RandomStream) -> Option<String> {
    let sites = sites(text, resources);
    let fits = |site: &&Site| match edit {
        GameEdit::Number => matches!(site.content, SiteContent::Number { .. }),
        GameEdit::Resource => matches!(site.content, SiteContent::Resource),
        GameEdit::Remove => matches!(site.content, SiteContent::Entry),
        GameEdit::Copy => matches!(site.content, SiteContent::Action(_)),
    };
    let places: Vec<&Site> = sites.iter().filter(fits).collect();
    if places.is_empty() {
        return None;
    }
    (0..MAX_TRIES).find_map(|_| {
        let site = places[stream.below(places.len() as u64) as usize];
        let own = &text[site.range.clone()];
        let new = match &site.content {
            SiteContent::Number { value, is_whole } => number(*value, *is_whole, stream),
            SiteContent::Resource => resources[stream.below(resources.len() as u64) as usize].clone(),
            SiteContent::Entry => String::new(),
            SiteContent::Action(name) => return copied(text, &sites, name),
            SiteContent::Choice(_) => return None,
        };
        (new != own).then(|| replaced(text, &site.range, &new))
    })
}

/// Returns a text with the name of the game, where the text has one.
pub fn renamed(text: &str, name: &str) -> String {
    let mut sources = Sources::new();
    let id = sources.add("game", text);
    let document = yaml::parse(sources.file(id));
    let metadata = document.tree.root().and_then(|root| entry(root, "metadata"));
    match metadata.and_then(|metadata| entry(metadata, "id")).filter(|id| id.scalar().is_some()) {
        Some(id) => replaced(text, &range(id), name),
        None => text.to_owned(),
    }
}

fn entry<'t>(node: Node<'t>, key: &str) -> Option<Node<'t>> {
    node.entries()?.find(|entry| *entry.key.text == *key).map(|entry| entry.value)
}

fn range(node: Node<'_>) -> Range<usize> {
    let span = node.span();
    span.start as usize..span.end as usize
}

fn replaced(text: &str, range: &Range<usize>, new: &str) -> String {
    format!("{}{new}{}", &text[..range.start], &text[range.end..])
}

/// Returns a number near another one. Shares stay between 0 and 1.
fn number(value: f64, is_whole: bool, stream: &mut RandomStream) -> String {
    let factor = 0.5 + 1.5 * stream.uniform();
    if is_whole {
        let step = 1 + stream.below(3).cast_signed();
        let new = match stream.below(3) {
            0 => value as i64 + step,
            1 => value as i64 - step,
            _ => (value * factor).round() as i64,
        };
        // What is positive stays so, and what is negative too: a cost does not become a gain.
        let new = if value > 0.0 {
            new.max(1)
        } else if value < 0.0 {
            new.min(-1)
        } else {
            new
        };
        return new.to_string();
    }
    let new = value * factor;
    let new = if (0.0..=1.0).contains(&value) { new.min(1.0) } else { new };
    let new = (new * 100.0).round() / 100.0;
    if new.fract() == 0.0 { format!("{new:.1}") } else { new.to_string() }
}

/// Returns a text with a copy of an action and, beside each choice of it, a choice of the copy.
fn copied(text: &str, sites: &[Site], name: &str) -> Option<String> {
    let names: Vec<&str> = sites
        .iter()
        .filter_map(|site| match &site.content {
            SiteContent::Action(own) => Some(&**own),
            _ => None,
        })
        .collect();
    let new = (2..=names.len() + 2).map(|number| format!("{name}{number}")).find(|new| !names.contains(&&**new))?;
    let is_own = |site: &&Site| match &site.content {
        SiteContent::Action(own) | SiteContent::Choice(own) => own == name,
        _ => false,
    };
    let mut result = String::new();
    let mut done = 0;
    let mut own: Vec<&Site> = sites.iter().filter(is_own).collect();
    own.sort_unstable_by_key(|site| site.range.start);
    for site in own {
        let lines = &text[site.range.clone()];
        result.push_str(&text[done..site.range.end]);
        if !lines.ends_with('\n') {
            result.push('\n');
        }
        let _ = write!(result, "{}", lines.replacen(name, &new, 1));
        done = site.range.end;
    }
    result.push_str(&text[done..]);
    Some(result)
}

/// Returns the places of a text that can be edited, in the order of the text.
fn sites(text: &str, resources: &[String]) -> Vec<Site> {
    let mut sources = Sources::new();
    let id = sources.add("game", text);
    let document = yaml::parse(sources.file(id));
    let mut collector = Collector { text, resources, sites: Vec::new() };
    for section in document.tree.root().and_then(Node::entries).into_iter().flatten() {
        match &*section.key.text {
            name if KEPT.contains(&name) => {}
            "actions" => collector.add_named_entries(section.value, &SiteContent::Action),
            "actionSpace" => {
                for team in section.value.entries().into_iter().flatten() {
                    collector.add_named_entries(team.value, &SiteContent::Choice);
                }
            }
            _ => {}
        }
        if !KEPT.contains(&&*section.key.text) {
            let can_lack = section.key.text.as_ref() != "resourceSpace" && section.key.text.as_ref() != "actionSpace";
            collector.add(section.value, can_lack);
        }
    }
    collector.sites
}

struct Collector<'t> {
    text: &'t str,
    resources: &'t [String],
    sites: Vec<Site>,
}

impl Collector<'_> {
    /// Adds the entries of a mapping in block style with their names.
    fn add_named_entries(&mut self, node: Node<'_>, content: &dyn Fn(String) -> SiteContent) {
        let entries: Vec<_> = node.entries().into_iter().flatten().collect();
        let starts: Vec<usize> = entries.iter().map(|entry| entry.key.span.start as usize).collect();
        for (place, entry) in entries.iter().enumerate() {
            let end = self.line_end(range(entry.value).end.max(entry.key.span.end as usize));
            if let Some(lines) = self.lines(&starts, place, end) {
                self.sites.push(Site { range: lines, content: content(entry.key.text.to_string()) });
            }
        }
    }

    /// Adds the places of a node. Its entries are removable if `can_lack`.
    fn add(&mut self, node: Node<'_>, can_lack: bool) {
        if let Some(scalar) = node.scalar() {
            let range = scalar.span.start as usize..scalar.span.end as usize;
            let content = match (scalar.style, scalar.value()) {
                (QuotingStyle::Plain, ScalarValue::Int(value)) => {
                    SiteContent::Number { value: f64::from(value), is_whole: true }
                }
                (QuotingStyle::Plain, ScalarValue::Real(value)) => SiteContent::Number { value, is_whole: false },
                (QuotingStyle::Plain, ScalarValue::Str) if self.is_resource(&scalar.text) => SiteContent::Resource,
                _ => return,
            };
            self.sites.push(Site { range, content });
            return;
        }
        let entries: Vec<_> = node.entries().into_iter().flatten().collect();
        let starts: Vec<usize> = entries.iter().map(|entry| entry.key.span.start as usize).collect();
        for (place, entry) in entries.iter().enumerate() {
            if self.is_resource(&entry.key.text) {
                let range = entry.key.span.start as usize..entry.key.span.end as usize;
                self.sites.push(Site { range, content: SiteContent::Resource });
            }
            self.add_entry(&starts, place, range(entry.value).end, can_lack);
            self.add(entry.value, can_lack);
        }
        let items: Vec<_> = node.items().into_iter().flatten().collect();
        let starts: Vec<usize> = items.iter().map(|item| range(*item).start).collect();
        for (place, item) in items.iter().enumerate() {
            self.add_entry(&starts, place, range(*item).end, can_lack);
            self.add(*item, can_lack);
        }
    }

    /// Adds the lines of an entry that has siblings.
    fn add_entry(&mut self, starts: &[usize], place: usize, end: usize, can_lack: bool) {
        if can_lack && starts.len() > 1 {
            let end = self.line_end(end);
            if let Some(range) = self.lines(starts, place, end) {
                self.sites.push(Site { range, content: SiteContent::Entry });
            }
        }
    }

    /// Returns the lines of an entry in block style: those from its first to that before the next entry.
    fn lines(&self, starts: &[usize], place: usize, end: usize) -> Option<Range<usize>> {
        let first = self.line_start(starts[place])?;
        let last = match starts.get(place + 1) {
            Some(&next) => self.line_start(next)?,
            None => end,
        };
        (first < last).then_some(first..last)
    }

    /// Returns the beginning of the line of an entry, if nothing but a dash is before it.
    fn line_start(&self, start: usize) -> Option<usize> {
        let line = self.text[..start].rfind('\n').map_or(0, |end| end + 1);
        matches!(self.text[line..start].trim(), "" | "-").then_some(line)
    }

    fn line_end(&self, end: usize) -> usize {
        // The span of a block may end at the beginning of the line after it.
        if self.text[..end].ends_with('\n') {
            return end;
        }
        self.text[end..].find('\n').map_or(self.text.len(), |length| end + length + 1)
    }

    fn is_resource(&self, text: &str) -> bool {
        self.resources.iter().any(|resource| resource == text)
    }
}

#[cfg(test)]
mod tests {
    use goalspec_generator::RandomStream;

    use super::{GameEdit, edit_once, renamed};

    const GAME: &str = "\
metadata:
  id: demo # its name
actionSpace:
  red:
    dig:
    rest:
actions:
  dig: # deep
    cost: { a.gold: -2 }
    consequences:
      - odds: 0.5
        result: one
      - result: two
  rest:
    cost: { a.rock: 1 }
completed: { a.gold: { Gte: 9 } }
";

    fn resources() -> Vec<String> {
        ["a.gold", "a.rock"].map(str::to_owned).to_vec()
    }

    fn all(edit: GameEdit) -> Vec<String> {
        let edited = |seed| edit_once(GAME, &resources(), edit, &mut RandomStream::new(seed, 0));
        let mut all: Vec<String> = (0..200).filter_map(edited).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn edits_change_one_place() {
        let numbers = all(GameEdit::Number);
        assert!(numbers.iter().any(|text| text.contains("a.gold: -3")));
        assert!(numbers.iter().all(|text| text.lines().count() == GAME.lines().count()));
        let changed = |text: &String| text.lines().zip(GAME.lines()).filter(|(one, other)| one != other).count();
        assert!(numbers.iter().all(|text| changed(text) == 1));
        let resources = all(GameEdit::Resource);
        assert_eq!(resources.len(), 3, "{resources:?}");
        assert!(resources.iter().any(|text| text.contains("completed: { a.rock:")));
    }

    #[test]
    fn entries_are_removed_with_their_lines() {
        let removed = all(GameEdit::Remove);
        assert!(removed.contains(&GAME.replace("      - result: two\n", "")), "{removed:?}");
        assert!(removed.contains(&GAME.replace("      - odds: 0.5\n        result: one\n", "")), "{removed:?}");
        // Choices are declared, and the only entry of a list is not removed.
        assert!(removed.iter().all(|text| text.contains("    rest:\n")), "{removed:?}");
    }

    #[test]
    fn copies_of_actions_are_choices_too() {
        let copies = all(GameEdit::Copy);
        let expected = GAME
            .replace("    rest:\nactions", "    rest:\n    rest2:\nactions")
            .replace("completed", "  rest2:\n    cost: { a.rock: 1 }\ncompleted");
        assert!(copies.contains(&expected), "{copies:?}");
        assert_eq!(copies.len(), 2);
    }

    #[test]
    fn games_are_renamed() {
        assert!(renamed(GAME, "other").starts_with("metadata:\n  id: other # its name\n"));
        assert_eq!(renamed("teams: [a]\n", "other"), "teams: [a]\n");
    }
}
