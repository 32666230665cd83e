//! Words that stand for names: synonyms by which sentences mention objects.

use std::collections::BTreeMap;
use std::fmt;

/// The words that stand for names, beside the names themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameMap {
    /// The words in lower case, by name.
    words: BTreeMap<String, Vec<String>>,
}

/// A malformed line of a map of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameMapError {
    /// The number of the line, from 1.
    pub line: usize,
}

impl fmt::Display for NameMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected `WORDS = NAME`", self.line)
    }
}

impl std::error::Error for NameMapError {}

impl NameMap {
    /// Parses a map: lines `WORDS = NAME`; `#` begins a comment.
    ///
    /// # Errors
    /// If a line has another form, with its number.
    pub fn parse(text: &str) -> Result<Self, NameMapError> {
        let mut map = Self::default();
        for (index, line) in goalspec_syntax::source::lines(text).enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let parts = line.split_once('=').map(|(words, name)| (words.trim(), name.trim()));
            match parts.filter(|(words, name)| !words.is_empty() && !name.is_empty()) {
                Some((words, name)) => map.add(words, name),
                None => return Err(NameMapError { line: index + 1 }),
            }
        }
        Ok(map)
    }

    /// Adds words that stand for a name.
    pub fn add(&mut self, words: &str, name: &str) {
        self.words.entry(name.to_lowercase()).or_default().push(normalized(words));
    }

    /// Returns the lines of a prompt that state the map.
    pub fn lines(&self) -> Vec<String> {
        let line = |(name, words): (&String, &Vec<String>)| format!("\"{}\" is {name}", words.join("\", \""));
        self.words.iter().map(line).collect()
    }

    /// Whether a sentence mentions a name: by its words in the map, or by the words of the name itself, such as `tea bag` for `tea-bag_2`.
    pub fn mentions(&self, sentence: &str, name: &str) -> bool {
        self.position(sentence, name).is_some()
    }

    /// Returns the place at which a sentence first mentions a name, for comparison with the places of other names.
    pub fn position(&self, sentence: &str, name: &str) -> Option<usize> {
        let sentence = format!(" {} ", normalized(sentence));
        let name = name.to_lowercase();
        let parts = normalized(&name);
        let is_number = |word: &&str| word.chars().all(|c| c.is_ascii_digit());
        // In the names of activities, a part of speech and its number follow the noun, as in `tea_bag.n.01_1`.
        let kept: Vec<&str> =
            parts.split(' ').take_while(|word| *word != "n").filter(|word| !is_number(word)).collect();
        let own = [parts.clone(), kept.join(" ")];
        let words = self.words.get(&name).into_iter().flatten().chain(&own).filter(|words| !words.is_empty());
        let found = words.flat_map(|words| ["", "s", "es"].map(|ending| sentence.find(&format!(" {words}{ending} "))));
        found.flatten().min()
    }
}

/// Returns the words of a text in lower case, with one blank between them.
fn normalized(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_mentions_a_name_by_its_words_or_by_the_map() {
        let map = NameMap::parse("# colours\nscarlet van = red\n").unwrap();
        for (sentence, name, expected) in [
            ("The scarlet van waits.", "red", true),
            ("The red one waits.", "red", true),
            ("Reddish light.", "red", false),
            ("Put both tea bags into the mug.", "tea_bag.n.01_2", true),
            ("Put both tea bags into the mug.", "tea-bag", true),
            ("Put it into the mug.", "tea-bag", false),
        ] {
            assert_eq!(map.mentions(sentence, name), expected, "{sentence} {name}");
        }
        assert_eq!(NameMap::parse("a = b\nc\n").unwrap_err().to_string(), "line 2: expected `WORDS = NAME`");
    }
}
