//! N-gram models of sequences of words, with stupid backoff (Brants, Popat, Xu, Och, Dean: Large language models in machine translation;
//! EMNLP 2007).

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// A word of a sequence.
pub type Word = u16;

/// The word before the first one of a sequence.
pub const START: Word = 0;
/// The word after the last one of a sequence.
pub const END: Word = 1;

/// The factor for each word that is dropped from the front of an n-gram because the model has not seen it.
pub const BACKOFF: f64 = 0.4;
/// The log score of an n-gram whose last word the model has not seen.
pub const UNSEEN_LOG_SCORE: f64 = -7.0;

/// The length of n-grams.
pub const ORDER: usize = 5;
/// The number of bits of a word in a packed n-gram.
const WORD_BITS: usize = 12;
/// Maximum number of different words.
pub const MAX_WORDS: usize = (1 << WORD_BITS) - 1;

/// The words of sequences, each once.
#[derive(Debug, Clone)]
pub struct Words {
    texts: Vec<Arc<str>>,
    words: FxHashMap<Arc<str>, Word>,
}

impl Default for Words {
    fn default() -> Self {
        let mut words = Self { texts: Vec::new(), words: FxHashMap::default() };
        words.intern("<start>");
        words.intern("<end>");
        words
    }
}

impl Words {
    /// Returns the word with this text, which is added if it is new. Beyond [`MAX_WORDS`] words, all new ones are the last word.
    pub fn intern(&mut self, text: &str) -> Word {
        if let Some(&word) = self.words.get(text) {
            return word;
        }
        if self.texts.len() == MAX_WORDS {
            return (MAX_WORDS - 1) as Word;
        }
        let word = self.texts.len() as Word;
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.words.insert(text, word);
        word
    }

    /// Returns the text of a word.
    pub fn text(&self, word: Word) -> &str {
        self.texts.get(usize::from(word)).map_or("", |text| text)
    }
}

/// A packed n-gram: the words from the first to the last, each plus one, from the least significant bits on.
type Packed = u64;

fn pack(words: &[Word]) -> Packed {
    let shifted = words.iter().enumerate().map(|(index, &word)| (u64::from(word) + 1) << (index * WORD_BITS));
    shifted.fold(0, |packed, word| packed | word)
}

/// The number of counts that a model divides the count of a single word by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Total {
    /// The number of start words.
    Starts,
    /// A multiple of the number of n-grams.
    Ngrams(u32),
}

/// Counts of n-grams and of their prefixes over a corpus.
#[derive(Debug, Clone)]
pub struct NgramModel {
    counts: FxHashMap<Packed, u32>,
    ngrams: u32,
    total: Total,
}

impl NgramModel {
    /// Creates a model of an empty corpus.
    pub fn new(total: Total) -> Self {
        Self { counts: FxHashMap::default(), ngrams: 0, total }
    }

    /// Adds a sequence without its start and end words.
    pub fn add(&mut self, words: &[Word]) {
        for ngram in ngrams(words) {
            self.ngrams += 1;
            for length in 1..=ORDER {
                *self.counts.entry(pack(&ngram[..length])).or_default() += 1;
            }
        }
    }

    /// Removes a sequence that was added.
    pub fn remove(&mut self, words: &[Word]) {
        for ngram in ngrams(words) {
            self.ngrams = self.ngrams.saturating_sub(1);
            for length in 1..=ORDER {
                let key = pack(&ngram[..length]);
                if let Some(count) = self.counts.get_mut(&key) {
                    *count -= 1;
                    if *count == 0 {
                        self.counts.remove(&key);
                    }
                }
            }
        }
    }

    /// Returns the number by which the count of a single word is divided.
    pub fn total(&self) -> u32 {
        match self.total {
            Total::Starts => self.count(&[START]),
            Total::Ngrams(factor) => self.ngrams * factor,
        }
    }

    /// Returns the number of different n-grams and prefixes.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Returns whether the corpus is empty.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the count of an n-gram or a prefix of one.
    pub fn count(&self, words: &[Word]) -> u32 {
        self.counts.get(&pack(words)).copied().unwrap_or_default()
    }

    /// Returns the mean log score of the n-grams of a sequence; `None` for an empty sequence.
    pub fn score(&self, words: &[Word]) -> Option<f64> {
        let mut sum = 0.0;
        let mut count = 0_u32;
        for ngram in ngrams(words) {
            sum += self.log_score(&ngram);
            count += 1;
        }
        (count > 0).then(|| sum / f64::from(count))
    }

    fn log_score(&self, ngram: &[Word; ORDER]) -> f64 {
        let mut weight = 1.0;
        for first in 0..ORDER {
            let suffix = &ngram[first..];
            let count = self.count(suffix);
            if count > 0 {
                let before = if suffix.len() == 1 { self.total() } else { self.count(&suffix[..suffix.len() - 1]) };
                // The logarithm of `libm` is the same on all machines.
                return libm::log(weight * f64::from(count) / f64::from(before));
            }
            weight *= BACKOFF;
        }
        UNSEEN_LOG_SCORE
    }
}

/// Iterates over the n-grams of a sequence with start and end words.
fn ngrams(words: &[Word]) -> impl Iterator<Item = [Word; ORDER]> {
    let at = |index: usize| match index.checked_sub(ORDER - 1) {
        None => START,
        Some(index) => words.get(index).copied().unwrap_or(END),
    };
    let count = if words.is_empty() { 0 } else { words.len() + ORDER - 1 };
    (0..count).map(move |first| std::array::from_fn(|offset| at(first + offset)))
}

#[cfg(test)]
mod tests {
    use super::{NgramModel, Total, UNSEEN_LOG_SCORE, Words};

    #[test]
    fn an_unseen_word_has_the_fixed_score_and_removal_undoes_addition() {
        let mut words = Words::default();
        let [a, b, c] = ["a", "b", "c"].map(|text| words.intern(text));
        let mut model = NgramModel::new(Total::Ngrams(4));
        model.add(&[a, b]);
        let score = model.score(&[a, b]).unwrap();
        assert!(model.score(&[c]).unwrap() < score);
        model.add(&[c, a]);
        model.remove(&[c, a]);
        assert_eq!(model.score(&[a, b]), Some(score));
        assert_eq!(model.log_score(&[a, a, a, a, c]).to_bits(), UNSEEN_LOG_SCORE.to_bits());
        assert_eq!(model.score(&[]), None);
    }
}
