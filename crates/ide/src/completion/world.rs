//! Completions of world files.

use goalspec::core::world::file::keys;
use goalspec::syntax::symbols::{OccurrenceRole, SymbolKind};

use super::{Completion, CompletionKind, Completions};
use crate::TextRange;
use crate::analysis::Analysis;

/// Maximum size of a file in which places are found, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// A place in a world file.
#[derive(Debug, Default, PartialEq, Eq)]
struct Place {
    /// The keys of the tables around the place; of a value, with its key.
    path: Vec<String>,
    /// Whether the word is a value.
    is_value: bool,
    /// Whether the word is in quotes.
    is_quoted: bool,
    word: TextRange,
}

/// Returns the keys and names that fit an offset.
pub(super) fn completions(analysis: &Analysis, offset: u32) -> Completions {
    let Some(place) = analysis.file().and_then(|file| place_at(file.text(), offset)) else {
        return Completions::default();
    };
    let mut items = Vec::new();
    let path: Vec<&str> = place.path.iter().map(String::as_str).collect();
    let mut add = |label: &str, kind: CompletionKind, doc: &str| {
        let quotes = if place.is_value && !place.is_quoted { "\"" } else { "" };
        let label = format!("{quotes}{label}{quotes}");
        items.push(Completion { label, kind, detail: String::new(), doc: doc.to_owned(), rank: 0 });
    };
    if !place.is_value {
        for key in keys::keys_at(path.iter().copied()) {
            add(key.name, CompletionKind::Keyword, key.summary);
        }
        if path.last() == Some(&"values") {
            names(analysis, &[SymbolKind::Attribute], &mut add);
        }
        return Completions { range: place.word, items };
    }
    match path[..] {
        [.., "kind"] => keys::attribute_kinds().for_each(|name| add(name, CompletionKind::Keyword, "")),
        ["types", _] | [.., "of" | "type"] => names(analysis, &[SymbolKind::Type], &mut add),
        [.., "attribute" | "flag"] => names(analysis, &[SymbolKind::Attribute], &mut add),
        [.., "operation"] => {
            for doc in keys::operations() {
                add(doc.name, CompletionKind::Keyword, doc.summary);
            }
        }
        [.., "settings", _] => {
            let kinds = [SymbolKind::Attribute, SymbolKind::Object, SymbolKind::Type, SymbolKind::Predicate];
            names(analysis, &kinds, &mut add);
        }
        ["extends"] => {
            let name = |name: &str| add(name, CompletionKind::Name(SymbolKind::Domain), "");
            goalspec::rewards::shipped_worlds::names().for_each(name);
        }
        [.., "values", _] | [.., "default"] => names(analysis, &[SymbolKind::Type, SymbolKind::Object], &mut add),
        _ => {}
    }
    Completions { range: place.word, items }
}

/// Adds the declared names of some kinds, each once.
fn names(analysis: &Analysis, kinds: &[SymbolKind], add: &mut dyn FnMut(&str, CompletionKind, &str)) {
    let Some(file) = analysis.file() else { return };
    let mut seen = rustc_hash::FxHashSet::default();
    for own in analysis.occurrences() {
        let name = file.slice(own.span);
        if own.role != OccurrenceRole::Reference && kinds.contains(&own.kind) && seen.insert(name) {
            add(name, CompletionKind::Name(own.kind), "");
        }
    }
}

/// Returns the place at an offset; `None` in comments.
fn place_at(text: &str, offset: u32) -> Option<Place> {
    let offset = text.floor_char_boundary(offset as usize);
    if text.len() > MAX_BYTES {
        return None;
    }
    let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let line = &text[start..offset];
    let header = text[..start].lines().rev().find(|line| line.trim_start().starts_with('['));
    let mut path: Vec<String> = header.map(header_path).unwrap_or_default();
    let outside = path.len();
    let (mut token, mut is_value, mut quote, mut open) = (0, false, None, Vec::new());
    if line.trim_start().starts_with('[') {
        return None;
    }
    for (at, letter) in line.char_indices() {
        if let Some((sign, _)) = quote {
            quote = quote.filter(|_| letter != sign);
            continue;
        }
        match letter {
            '"' | '\'' => quote = Some((letter, at)),
            '#' => return None,
            '=' if !is_value => {
                path.extend(line[token..at].split('.').map(|part| part.trim().trim_matches(['"', '\'']).to_owned()));
                (token, is_value) = (at + 1, true);
            }
            '{' => {
                open.push((path.len(), '{'));
                (token, is_value) = (at + 1, false);
            }
            '[' => {
                open.push((path.len(), '['));
                (token, is_value) = (at + 1, true);
            }
            ',' => {
                let (length, sign) = open.last().copied().unwrap_or((outside, '{'));
                path.truncate(length);
                (token, is_value) = (at + 1, sign == '[');
            }
            '}' | ']' => {
                path.truncate(open.pop().map_or(outside, |(length, _)| length));
                (token, is_value) = (at + 1, true);
            }
            _ => {}
        }
    }
    let blanks = line[token..].len() - line[token..].trim_start().len();
    let word = quote.map_or(token + blanks, |(_, at)| at + 1);
    let is_part = |letter: char| letter.is_alphanumeric() || "_-".contains(letter);
    let end = text[offset..].find(|letter| !is_part(letter)).map_or(text.len(), |length| offset + length);
    let is_quoted = quote.is_some();
    Some(Place { path, is_value, is_quoted, word: (start + word) as u32..end as u32 })
}

/// Returns the keys in the header of a table, such as `[predicates.on]`.
fn header_path(line: &str) -> Vec<String> {
    let end = line.find('#').unwrap_or(line.len());
    let keys = line[..end].trim().trim_matches(['[', ']']);
    keys.split('.').map(|key| key.trim().trim_matches(['"', '\'']).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::place_at;

    #[test]
    fn places_are_told_by_headers_and_brackets() {
        let at = |text: &str| {
            let offset = text.find("$0").expect("a marker") as u32;
            let place = place_at(&text.replace("$0", ""), offset).expect("the place is no comment");
            format!("{} {}{}", place.path.join("/"), if place.is_value { "=" } else { "" }, place.is_quoted)
        };
        assert_eq!(at("na$0"), " false");
        assert_eq!(at("[types]\na = { $0"), "types/a false");
        assert_eq!(at("[types]\na = { of = \"$0\" }"), "types/a/of =true");
        assert_eq!(at("[types]\na = { of = [\"b\", $0"), "types/a/of =false");
        assert_eq!(at("[types]\na = { of = [\"b\"], $0"), "types/a false");
        assert_eq!(at("[predicates.on] # p\n$0"), "predicates/on false");
        assert_eq!(at("[[trackers]]\noperation = $0"), "trackers/operation =false");
        assert_eq!(place_at("# a", 3), None);
        assert!(place_at("\u{1f600} = \"\r\n", 5).is_some());
    }
}
