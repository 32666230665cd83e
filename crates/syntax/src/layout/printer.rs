//! The printer: decides where lines break and writes the formatted text.

use super::Style;
use super::list_layout::{CommentText, Item, ListLayout, Node};
use crate::source::line_ends;

/// Indentation of the items of a list relative to the list, in columns.
const INDENT: usize = 4;

pub(super) struct Printer<'t> {
    style: &'t Style,
    /// The source text of the outlines, consulted for blank lines.
    text: &'t str,
    out: String,
    /// The indentation of the current line, in columns.
    indent: usize,
    /// The offset in `out` of the current line's first character after the indentation.
    line: usize,
}

impl<'t> Printer<'t> {
    pub(super) fn new(text: &'t str, style: &'t Style) -> Self {
        Self { style, text, out: String::new(), indent: 0, line: 0 }
    }

    pub(super) fn print(mut self, list: &ListLayout) -> String {
        self.list(list, 0);
        self.out
    }

    fn column(&self) -> usize {
        self.indent + self.out[self.line..].chars().count()
    }

    fn new_line(&mut self, indent: usize) {
        self.out.push('\n');
        // One call per line: most of the text of deeply nested programs is indentation.
        self.out.push_str(&" ".repeat(indent));
        self.indent = indent;
        self.line = self.out.len();
    }

    /// Starts a new line, unless the current one is empty.
    fn fresh_line(&mut self, indent: usize) {
        if !self.out[self.line..].trim_start().is_empty() {
            self.new_line(indent);
        }
    }

    /// Writes a list whose line is indented by `indent`.
    fn list(&mut self, list: &ListLayout, indent: usize) {
        let grouped = list.head().is_some_and(|head| self.style.grouped.contains(&head));
        if !list.broken && self.column() + list.width <= self.style.width {
            self.flat(list);
        } else if grouped && list.items.iter().all(|item| item.atom().is_some()) {
            self.grouped(list, indent);
        } else if is_variables(list) || list.items.iter().all(|item| item.atom().is_some()) {
            self.filled(list, indent + 2 * INDENT);
        } else {
            self.broken(list, indent);
        }
    }

    fn node(&mut self, node: &Node, indent: usize) {
        match node {
            Node::List(list) => self.list(list, indent),
            Node::Atom { text, .. } => self.out.push_str(text),
        }
    }

    fn flat(&mut self, list: &ListLayout) {
        self.out.push('(');
        for (index, item) in list.items.iter().enumerate() {
            if index > 0 {
                self.out.push(' ');
            }
            match &item.node {
                Node::List(list) => self.flat(list),
                Node::Atom { text, .. } => self.out.push_str(text),
            }
        }
        self.out.push(')');
    }

    /// Writes as many items per line as fit; variables stay together with their type.
    fn filled(&mut self, list: &ListLayout, indent: usize) {
        self.out.push('(');
        let mut at_line_start = true;
        let mut index = 0;
        while index < list.items.len() {
            let group = group(&list.items[index..], self.style.width.saturating_sub(indent));
            let width = group.iter().map(|item| item.node.width() + 1).sum::<usize>();
            if !at_line_start && self.column() + width + 1 > self.style.width {
                self.new_line(indent);
                at_line_start = true;
            }
            for item in group {
                if !item.leading.is_empty() {
                    for remark in &item.leading {
                        self.fresh_line(indent);
                        self.out.push_str(&remark.text);
                    }
                    self.new_line(indent);
                    at_line_start = true;
                }
                if !std::mem::replace(&mut at_line_start, false) {
                    self.out.push(' ');
                }
                self.node(&item.node, indent);
                if let Some(remark) = &item.trailing {
                    self.trailing(remark);
                    self.new_line(indent);
                    at_line_start = true;
                }
            }
            index += group.len();
        }
        for remark in &list.dangling {
            if !std::mem::replace(&mut at_line_start, false) {
                self.new_line(indent);
            }
            self.out.push_str(&remark.text);
        }
        if !list.dangling.is_empty() {
            self.new_line(indent);
        }
        self.out.push(')');
    }

    /// Writes each group of names with its type or category on its own line, or on several lines if it is long.
    fn grouped(&mut self, list: &ListLayout, indent: usize) {
        let (inside, continuation) = (indent + INDENT, indent + 2 * INDENT);
        let mut rest = self.head(list, indent);
        let mut end = None;
        while !rest.is_empty() {
            let dash = rest.iter().position(|item| item.atom() == Some("-"));
            let (group, behind) = rest.split_at(dash.map_or(rest.len(), |dash| (dash + 2).min(rest.len())));
            rest = behind;
            for (index, item) in group.iter().enumerate() {
                let at = if index == 0 { inside } else { continuation };
                self.remarks(&item.leading, &mut end, at);
                let follows = index > 0 && item.leading.is_empty() && group[index - 1].trailing.is_none();
                if follows && self.column() + 1 + item.node.width() <= self.style.width {
                    self.out.push(' ');
                } else {
                    if index == 0 {
                        self.blank_line(end, item.node.span().start);
                    }
                    self.new_line(at);
                }
                self.node(&item.node, at);
                end = Some(self.trail(item));
            }
        }
        self.remarks(&list.dangling, &mut end, inside);
        self.new_line(indent);
        self.out.push(')');
    }

    /// Returns the number of items that stay on the line of the opening parenthesis, which has just been written.
    fn header(&self, list: &ListLayout) -> usize {
        let header_items = (self.style.header_items)(list).min(list.items.len());
        // A comment ends the line.
        let items = &list.items[..header_items];
        let before_leading = items.iter().position(|item| !item.leading.is_empty()).unwrap_or(header_items);
        let after_trailing =
            items.iter().position(|item| item.trailing.is_some()).map_or(header_items, |index| index + 1);
        // So does the width; only the head and the first item after it stay in any case.
        let mut end = self.column();
        let fits = items.iter().take_while(|item| {
            end += item.node.width() + 1;
            end <= self.style.width + 1
        });
        before_leading.min(after_trailing).min(fits.count().max(2))
    }

    /// Writes the items that stay on the line of the opening parenthesis, and returns the remaining ones.
    fn head<'l>(&mut self, list: &'l ListLayout, indent: usize) -> &'l [Item] {
        self.out.push('(');
        let (header, body) = list.items.split_at(self.header(list));
        for (index, item) in header.iter().enumerate() {
            if index > 0 {
                self.out.push(' ');
            }
            self.node(&item.node, indent);
            if let Some(remark) = &item.trailing {
                self.trailing(remark);
            }
        }
        body
    }

    /// Writes comments on separate lines; `end` is the offset in the source text at which the previous item or comment ends.
    fn remarks(&mut self, remarks: &[CommentText], end: &mut Option<u32>, indent: usize) {
        for remark in remarks {
            self.blank_line(*end, remark.span.start);
            self.new_line(indent);
            self.out.push_str(&remark.text);
            *end = Some(remark.span.end);
        }
    }

    /// Writes the comment after an item, and returns the offset in the source text at which the item ends, the comment included.
    fn trail(&mut self, item: &Item) -> u32 {
        let Some(remark) = &item.trailing else { return item.node.span().end };
        self.trailing(remark);
        remark.span.end
    }

    fn broken(&mut self, list: &ListLayout, indent: usize) {
        let body = self.head(list, indent);
        let before = list.items[..list.items.len() - body.len()].last();
        if let [Item { node: Node::List(inner), .. }] = body
            && before.is_some_and(|item| !item.has_comment())
            && !body[0].has_comment()
            && list.dangling.is_empty()
            && inner.head().is_some_and(|head| self.style.hugged.contains(&head))
        {
            self.out.push(' ');
            self.broken(inner, indent);
            self.out.push(')');
            return;
        }
        let is_one_of = |words: &[&str]| list.head().is_some_and(|head| words.contains(&head));
        let inside = if is_one_of(self.style.flush) { indent } else { indent + INDENT };
        let paired = is_one_of(self.style.keyword_values);
        let mut end = None;
        let mut keyword = false;
        for item in body {
            self.remarks(&item.leading, &mut end, inside);
            if keyword && item.leading.is_empty() {
                self.out.push(' ');
            } else {
                self.blank_line(end, item.node.span().start);
                self.new_line(inside);
            }
            self.node(&item.node, inside);
            end = Some(self.trail(item));
            keyword = paired && item.trailing.is_none() && item.atom().is_some_and(|atom| atom.starts_with(':'));
        }
        self.remarks(&list.dangling, &mut end, inside);
        self.new_line(indent);
        self.out.push(')');
    }

    fn trailing(&mut self, remark: &CommentText) {
        self.out.push_str("  ");
        self.out.push_str(&remark.text);
    }

    /// Writes one blank line if the source text has at least one between two offsets.
    fn blank_line(&mut self, end: Option<u32>, start: u32) {
        let Some(end) = end else { return };
        let between = self.text.get(end as usize..start as usize).unwrap_or_default();
        if line_ends(between.as_bytes()).nth(1).is_some() {
            self.out.push('\n');
        }
    }
}

/// Whether the list declares variables: its head starts with `?`.
fn is_variables(list: &ListLayout) -> bool {
    list.head().is_some_and(|head| head.starts_with('?'))
}

/// Returns the items at the start of a list of variables that belong together: names, a dash and their type. Returns a single item for any
/// other list, and for several names that do not fit on one line.
fn group(items: &[Item], room: usize) -> &[Item] {
    let mut left = room;
    let mut fits = |item: &Item| {
        let rest = left.checked_sub(item.node.width() + 1);
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    let is_name = |item: &Item| item.atom().is_some_and(|text| text.starts_with('?'));
    let names = items.iter().take(room).take_while(|item| is_name(item)).count();
    let end = (names + 2).min(items.len());
    let is_typed = names > 0 && items.get(names).and_then(Item::atom) == Some("-");
    if is_typed && (names == 1 || items[..end].iter().all(&mut fits)) { &items[..end] } else { &items[..1] }
}
