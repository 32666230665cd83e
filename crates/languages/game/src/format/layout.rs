//! Where the line ends go.

use super::WIDTH;
use super::outline::{Item, Node, Outline, Remark};

/// Blanks before the parts of a list, further than the list itself.
const STEP: usize = 4;

/// A list that starts with one of these, and is all that is left of the list around it, opens on the line of that list and
/// closes together with it.
const HUGGED: [&str; 8] = ["and", "or", "not", "+", "*", "-", "external-forall-maximize", "external-forall-minimize"];

pub(super) struct Printer<'t> {
    /// The text that the outlines come from; it knows where blank lines were.
    text: &'t str,
    out: String,
    /// Where the current line starts in `out`.
    line: usize,
}

impl<'t> Printer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, out: String::new(), line: 0 }
    }

    pub(super) fn print(mut self, list: &Outline) -> String {
        self.list(list, 0);
        self.out
    }

    fn column(&self) -> usize {
        self.out[self.line..].chars().count()
    }

    fn new_line(&mut self, indent: usize) {
        self.out.push('\n');
        self.line = self.out.len();
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// Writes a list whose line is indented by `indent`.
    fn list(&mut self, list: &Outline, indent: usize) {
        if !list.broken && self.column() + list.width <= WIDTH {
            self.flat(list);
        } else if is_variables(list) || list.items.iter().all(|item| item.atom().is_some()) {
            self.filled(list, indent + 2 * STEP);
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

    fn flat(&mut self, list: &Outline) {
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

    /// As many items on a line as fit; variables stay together with their type.
    fn filled(&mut self, list: &Outline, indent: usize) {
        self.out.push('(');
        let mut fresh = true;
        let mut index = 0;
        while index < list.items.len() {
            let group = group(&list.items[index..]);
            let width = group.iter().map(|item| item.node.width() + 1).sum::<usize>();
            if !fresh && self.column() + width + 1 > WIDTH {
                self.new_line(indent);
                fresh = true;
            }
            for item in group {
                if !item.leading.is_empty() {
                    for remark in &item.leading {
                        self.new_line(indent);
                        self.out.push_str(&remark.text);
                    }
                    self.new_line(indent);
                    fresh = true;
                }
                if !std::mem::replace(&mut fresh, false) {
                    self.out.push(' ');
                }
                self.node(&item.node, indent);
                if let Some(remark) = &item.trailing {
                    self.trailing(remark);
                    self.new_line(indent);
                    fresh = true;
                }
            }
            index += group.len();
        }
        for remark in &list.dangling {
            if !std::mem::replace(&mut fresh, false) {
                self.new_line(indent);
            }
            self.out.push_str(&remark.text);
        }
        if !list.dangling.is_empty() {
            self.new_line(indent);
        }
        self.out.push(')');
    }

    fn broken(&mut self, list: &Outline, indent: usize) {
        self.out.push('(');
        let header = header(list);
        for (index, item) in list.items[..header].iter().enumerate() {
            if index > 0 {
                self.out.push(' ');
            }
            self.node(&item.node, indent);
            if let Some(remark) = &item.trailing {
                self.trailing(remark);
            }
        }
        let body = &list.items[header..];
        if let [Item { node: Node::List(inner), .. }] = body
            && header > 0
            && !list.items[header - 1].has_comment()
            && !body[0].has_comment()
            && list.dangling.is_empty()
            && inner.head().is_some_and(|head| HUGGED.contains(&head))
        {
            self.out.push(' ');
            self.broken(inner, indent);
            self.out.push(')');
            return;
        }
        // The sections of a game are not indented.
        let inside = if list.head() == Some("define") { indent } else { indent + STEP };
        let mut end = None;
        for item in body {
            for remark in &item.leading {
                self.blank_line(end, remark.span.start);
                self.new_line(inside);
                self.out.push_str(&remark.text);
                end = Some(remark.span.end);
            }
            self.blank_line(end, item.node.span().start);
            self.new_line(inside);
            self.node(&item.node, inside);
            end = Some(item.node.span().end);
            if let Some(remark) = &item.trailing {
                self.trailing(remark);
                end = Some(remark.span.end);
            }
        }
        for remark in &list.dangling {
            self.blank_line(end, remark.span.start);
            self.new_line(inside);
            self.out.push_str(&remark.text);
            end = Some(remark.span.end);
        }
        self.new_line(indent);
        self.out.push(')');
    }

    fn trailing(&mut self, remark: &Remark) {
        self.out.push_str("  ");
        self.out.push_str(&remark.text);
    }

    /// Keeps one blank line where there were any between two offsets of the text.
    fn blank_line(&mut self, end: Option<u32>, start: u32) {
        let Some(end) = end else { return };
        let between = self.text.get(end as usize..start as usize).unwrap_or_default();
        if between.matches('\n').nth(1).is_some() {
            self.out.push('\n');
        }
    }
}

/// How many items stay on the line of the opening parenthesis.
fn header(list: &Outline) -> usize {
    let is_list = |index: usize| matches!(list.items.get(index), Some(Item { node: Node::List(_), .. }));
    let starts_with = |index: usize, word: &str| matches!(list.items.get(index), Some(Item { node: Node::List(inner), .. }) if inner.head() == Some(word));
    let atoms = list.items.iter().take_while(|item| item.atom().is_some()).count();
    let wanted = match list.head() {
        Some("exists" | "forall") if atoms == 1 && is_list(1) => 2,
        Some("define") if starts_with(1, "game") => 2 + usize::from(starts_with(2, ":domain")),
        _ => atoms,
    };
    // A comment ends the line.
    let items = &list.items[..wanted];
    let before_leading = items.iter().position(|item| !item.leading.is_empty()).unwrap_or(wanted);
    let after_trailing = items.iter().position(|item| item.trailing.is_some()).map_or(wanted, |index| index + 1);
    before_leading.min(after_trailing)
}

/// Whether the list declares variables.
fn is_variables(list: &Outline) -> bool {
    list.head().is_some_and(|head| head.starts_with('?'))
}

/// The items that belong together at the start of a list of variables: some names, a dash, a type. Elsewhere, one item.
fn group(items: &[Item]) -> &[Item] {
    let dash = items.iter().position(|item| item.atom() == Some("-"));
    match dash {
        Some(dash) if dash > 0 && items[0].atom().is_some_and(|text| text.starts_with('?')) => {
            &items[..(dash + 2).min(items.len())]
        }
        _ => &items[..1],
    }
}
