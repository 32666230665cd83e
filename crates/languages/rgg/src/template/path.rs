//! Paths to values of a tree.

use std::borrow::Cow;
use std::sync::Arc;

use goalspec_syntax::suggest::{did_you_mean, nearest};

use crate::codes;
use crate::fragment::FragmentDiagnostic;
use crate::yaml::{Key, Node, Tree};

/// The target of a path.
#[derive(Debug, Clone)]
pub(super) struct PathTarget<'t> {
    /// The node at the end of the path.
    pub(super) node: Node<'t>,
    /// The keys from the root to the node, without indices of lists.
    pub(super) keys: Vec<Arc<str>>,
}

/// The state of following a path.
struct PathCursor<'t, 'p> {
    found: PathTarget<'t>,
    path: &'p str,
    /// The length of the path followed so far, in bytes.
    at: usize,
}

/// Follows a path from the root; a path without a target is a fault.
pub(super) fn find<'t>(tree: &'t Tree, path: &str) -> Result<PathTarget<'t>, FragmentDiagnostic> {
    let Some(node) = tree.root() else { return Err(fault(0..path.len(), "the file is empty".into())) };
    let mut walk = PathCursor { found: PathTarget { node, keys: Vec::new() }, path, at: 0 };
    if path.is_empty() {
        return Err(fault(0..0, "empty path".into()));
    }
    let is_pointer = path.starts_with('/');
    while walk.at < path.len() {
        if is_pointer {
            walk.follow_pointer_segment()?;
        } else {
            walk.follow_key()?;
        }
    }
    Ok(walk.found)
}

impl<'t> PathCursor<'t, '_> {
    /// Follows the next segment of a JSON pointer, which begins with a slash.
    fn follow_pointer_segment(&mut self) -> Result<(), FragmentDiagnostic> {
        let start = self.at + 1;
        let end = self.path[start..].find('/').map_or(self.path.len(), |length| start + length);
        let part = &self.path[start..end];
        let name: Cow<'_, str> =
            if part.contains('~') { part.replace("~1", "/").replace("~0", "~").into() } else { part.into() };
        let next = self.entries().find(|(key, _)| **key == *name);
        self.descend(next, start..end, &name)?;
        self.at = end;
        Ok(())
    }

    /// Follows the next key, which may contain dots.
    fn follow_key(&mut self) -> Result<(), FragmentDiagnostic> {
        let rest = &self.path[self.at..];
        let begins = |key: &str| rest.strip_prefix(key).is_some_and(|after| after.is_empty() || after.starts_with('.'));
        let next = self.entries().filter(|(key, _)| begins(key)).max_by_key(|(key, _)| key.len());
        let length = next.as_ref().map_or_else(|| rest.find('.').unwrap_or(rest.len()), |(key, _)| key.len());
        let range = self.at..self.at + length;
        self.descend(next, range.clone(), &self.path[range.clone()])?;
        self.at = range.end + 1;
        // A dot at the end has no key after it.
        if self.path.len() == self.at && self.path.ends_with('.') {
            return Err(fault(range.end..self.at, format!("`{}` ends with a dot", self.path)));
        }
        Ok(())
    }

    /// Returns the keys or indices of the node, with their values. Of duplicate keys, the last comes first, as it counts in the dialect
    /// that allows them.
    fn entries(&self) -> impl Iterator<Item = (Arc<str>, Node<'t>)> {
        let node = self.found.node;
        let entries = node.entries().into_iter().flatten().map(|entry| (Arc::clone(&entry.key.text), entry.value));
        let mut entries: Vec<_> = entries.collect();
        entries.reverse();
        let items = node.items().into_iter().flatten().enumerate();
        entries.into_iter().chain(items.map(|(place, item)| (place.to_string().into(), item)))
    }

    fn descend(
        &mut self,
        next: Option<(Arc<str>, Node<'t>)>,
        range: std::ops::Range<usize>,
        name: &str,
    ) -> Result<(), FragmentDiagnostic> {
        let Some((key, node)) = next else { return Err(self.unknown_segment(range, name)) };
        let (outer, inner) = (self.found.node.span(), node.span());
        if inner.start < outer.start || inner.end > outer.end {
            let message = format!("`{name}` is an alias of a value elsewhere, which may have other aliases");
            return Err(fault(range, message).with_help("write the value out, or use the path of the anchor"));
        }
        if self.found.node.entries().is_some() {
            self.found.keys.push(key);
        }
        self.found.node = node;
        Ok(())
    }

    fn unknown_segment(&self, range: std::ops::Range<usize>, name: &str) -> FragmentDiagnostic {
        let node = self.found.node;
        let place = match &self.path[..range.start.saturating_sub(1)] {
            "" => "the game".to_owned(),
            place => format!("`{place}`"),
        };
        if let Some(items) = node.items() {
            return fault(range, format!("no item `{name}` in {place}, a list of length {}", items.len()));
        }
        let Some(entries) = node.entries() else {
            return fault(range, format!("{place} is {} and has no keys", node.kind()));
        };
        let keys: Vec<&Key> = entries.map(|entry| entry.key).collect();
        let known = || keys.iter().map(|key| &*key.text);
        // A misspelt key may contain dots.
        let rest = &self.path[range.start..];
        let help =
            if nearest(rest, known()).is_some() { did_you_mean(rest, known()) } else { did_you_mean(name, known()) };
        let fault = fault(range, format!("unknown key `{name}` in {place}"));
        FragmentDiagnostic { help, ..fault }
    }
}

fn fault(range: std::ops::Range<usize>, message: String) -> FragmentDiagnostic {
    FragmentDiagnostic::error(codes::VARIABLE_PATH, range, message)
}
