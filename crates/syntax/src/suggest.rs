//! "Did you mean": the nearest known name for an unknown one.

use crate::diagnostic::{Applicability, Diagnostic, Fix};
use crate::source::Span;

/// Maximum length of a name that is compared, in characters; the edit distance takes one bit of a `u64` per character.
const MAX_NAME: usize = 64;

/// Maximum number of candidates considered for one unknown name. It exceeds the size of any vocabulary, and it keeps the time linear in the
/// text when many unknown names meet many known ones.
pub const MAX_CANDIDATES: usize = 8192;

/// Maximum number of candidates whose edit distance is computed. Names that differ only in a number all pass the cheaper filters.
const MAX_COMPARED: usize = 2048;

/// Returns the candidate most probably meant by `unknown`, if one is near enough.
///
/// The comparison ignores case and treats `-` as `_`. The distance is the number of letters inserted, deleted, replaced or swapped with
/// their neighbour; it may be at most a third of the longer name's length (one letter in names of two or three). A candidate that is a
/// prefix of the unknown name, or that has it as a prefix, is also near if at least three letters agree. Of several near candidates, the
/// one with the smallest distance wins, then the one with the fewest letters after the common prefix, then the first. Only the first
/// [`MAX_CANDIDATES`] candidates are considered, and only the first 2,048 of those that pass a comparison of lengths and letter sets.
///
/// ```
/// use goalspec_syntax::suggest::nearest;
///
/// assert_eq!(nearest("doggeball", ["golfball", "dodgeball"]), Some("dodgeball"));
/// assert_eq!(nearest("hexagonal", ["hexagonal_bin", "bed"]), Some("hexagonal_bin"));
/// assert_eq!(nearest("lamp", ["golfball", "dodgeball"]), None);
/// ```
pub fn nearest<'a>(unknown: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let unknown = UnknownName::new(unknown)?;
    let scored = |candidate: &'a str| Some((unknown.prefilter(candidate)?, candidate));
    let rate = |(letters, candidate): (NormalizedName, &'a str)| Some((unknown.rank(&letters)?, candidate));
    let near = candidates.into_iter().take(MAX_CANDIDATES).filter_map(scored).take(MAX_COMPARED).filter_map(rate);
    near.min_by_key(|(rating, _)| *rating).map(|(_, candidate)| candidate)
}

/// The letters of a name in normalised form: lower case, `-` as `_`.
#[derive(Debug, Clone, Copy)]
struct NormalizedName {
    written: [char; MAX_NAME],
    length: usize,
    /// The set of letters that occur, one bit each; characters beyond the alphabet share bits.
    letter_set: u32,
}

impl NormalizedName {
    /// Returns the letters of a name, or `None` if the name is too long to compare.
    fn of(name: &str) -> Option<Self> {
        let mut own = Self { written: ['\0'; MAX_NAME], length: 0, letter_set: 0 };
        for letter in name.chars() {
            if letter.is_ascii() {
                own.push(letter.to_ascii_lowercase())?;
            } else {
                letter.to_lowercase().try_for_each(|letter| own.push(letter))?;
            }
        }
        Some(own)
    }

    fn push(&mut self, letter: char) -> Option<()> {
        let letter = if letter == '-' { '_' } else { letter };
        *self.written.get_mut(self.length)? = letter;
        self.length += 1;
        self.letter_set |= 1 << (u32::from(letter) % 32);
        Some(())
    }

    fn all(&self) -> &[char] {
        &self.written[..self.length]
    }

    /// Returns the length of the common prefix.
    fn common_prefix_length(&self, other: &Self) -> usize {
        self.all().iter().zip(other.all()).take_while(|(one, other)| one == other).count()
    }

    /// Whether one of the names is a prefix of the other, with at least three letters.
    fn shares_prefix(&self, other: &Self) -> bool {
        let common = self.common_prefix_length(other);
        common >= 3 && common == self.length.min(other.length)
    }
}

/// An unknown name, prepared for comparison with many candidates.
struct UnknownName {
    letters: NormalizedName,
    /// The positions of each ASCII letter, one bit per position.
    places: [u64; 128],
}

impl UnknownName {
    fn new(name: &str) -> Option<Self> {
        let letters = NormalizedName::of(name)?;
        let mut places = [0; 128];
        for (place, letter) in letters.all().iter().enumerate().filter(|(_, letter)| letter.is_ascii()) {
            places[*letter as usize] |= 1 << place;
        }
        Some(Self { letters, places })
    }

    /// Returns the letters of a candidate, unless its length, first letter and letter set rule out that it is near.
    fn prefilter(&self, candidate: &str) -> Option<NormalizedName> {
        let own = &self.letters;
        // An ASCII name has one byte per letter, so its length alone rules out most candidates.
        let longer = candidate.len().max(own.length);
        let too_distant = candidate.is_ascii() && candidate.len().abs_diff(own.length) > max_distance(longer);
        // If one name is a prefix of the other, the first letters agree.
        let first = candidate.chars().next().map(|letter| letter.to_ascii_lowercase());
        let may_start = first.is_some_and(|first| first == '-' || first == own.written[0] || !first.is_ascii());
        if too_distant && !may_start {
            return None;
        }
        let other = NormalizedName::of(candidate)?;
        // Each edit introduces at most one new letter.
        let unmatched = |one: u32, other: u32| (one & !other).count_ones() as usize;
        let differing = unmatched(own.letter_set, other.letter_set).max(unmatched(other.letter_set, own.letter_set));
        let longer = own.length.max(other.length);
        let is_near = differing <= max_distance(longer) && other.length.abs_diff(own.length) <= max_distance(longer);
        (is_near || own.shares_prefix(&other)).then_some(other)
    }

    /// Returns the rank of a candidate: its distance, then the number of letters after the common prefix. `None` if it is not near.
    fn rank(&self, other: &NormalizedName) -> Option<(usize, usize)> {
        let own = &self.letters;
        let longer = own.length.max(other.length);
        let distance = self.distance(other);
        let is_near = distance <= max_distance(longer) || own.shares_prefix(other);
        is_near.then(|| (distance, longer - own.common_prefix_length(other)))
    }

    /// Returns the optimal string alignment distance: the Damerau-Levenshtein distance in which no letter is edited twice.
    ///
    /// Each column of the distance table is stored as the differences between its rows, one bit each, so that a letter of the other name
    /// takes a constant number of operations (Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003).
    fn distance(&self, other: &NormalizedName) -> usize {
        let Some(last) = self.letters.length.checked_sub(1) else { return other.length };
        let mut distance = self.letters.length;
        // The rows whose value is one more, and one less, than the row above.
        let (mut increments, mut decrements) = (u64::MAX, 0_u64);
        let (mut diagonal, mut before) = (0_u64, 0_u64);
        for &letter in other.all() {
            let matches = self.places(letter);
            let swapped = ((!diagonal & matches) << 1) & before;
            diagonal = ((matches & increments).wrapping_add(increments) ^ increments) | matches | decrements | swapped;
            let (right_more, right_less) = (decrements | !(diagonal | increments), diagonal & increments);
            distance += (right_more >> last & 1) as usize;
            distance -= (right_less >> last & 1) as usize;
            let (right_more, right_less) = (right_more << 1 | 1, right_less << 1);
            (increments, decrements) = (right_less | !(diagonal | right_more), right_more & diagonal);
            before = matches;
        }
        distance
    }

    /// Returns the positions of a letter, one bit per position.
    fn places(&self, letter: char) -> u64 {
        self.places.get(letter as usize).copied().unwrap_or_else(|| {
            let places = self.letters.all().iter().enumerate().filter(|(_, own)| **own == letter);
            places.fold(0, |bits, (place, _)| bits | 1 << place)
        })
    }
}

/// Returns the maximum distance of two near names, given the length of the longer one.
fn max_distance(longer: usize) -> usize {
    if longer < 2 { 0 } else { (longer / 3).max(1) }
}

/// Whether two names differ at most in case and in `-` versus `_`.
fn is_same(one: &str, other: &str) -> bool {
    NormalizedName::of(one).zip(NormalizedName::of(other)).is_some_and(|(one, other)| one.all() == other.all())
}

/// Returns a help sentence that names the candidate found by [`nearest`]: "did you mean `dodgeball`?"
pub fn did_you_mean<'a>(unknown: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(unknown, candidates).map(|name| format!("did you mean `{name}`?"))
}

/// Adds the nearest known word to a diagnostic, as help and as a fix for `span`. Returns the diagnostic and whether there is such a word.
///
/// The fix is safe only if the words differ at most in case and in `-` versus `_`; otherwise it is a guess.
pub fn with_nearest<'a>(
    diagnostic: Diagnostic,
    word: &str,
    span: Span,
    known: impl IntoIterator<Item = &'a str>,
) -> (Diagnostic, bool) {
    let Some(near) = nearest(word, known) else { return (diagnostic, false) };
    let applicability = if is_same(word, near) { Applicability::Safe } else { Applicability::Unsafe };
    let fix = Fix::replace(format!("replace with `{near}`"), applicability, span, near);
    (diagnostic.with_help(format!("did you mean `{near}`?")).with_fix(fix), true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 12] = [
        "agent_holds",
        "in_motion",
        "in",
        "on",
        "object_orientation",
        "ball",
        "wall",
        "dodgeball",
        "same_color",
        "same_type",
        "count-once-per-objects",
        "count-once",
    ];

    #[test]
    fn the_nearest_name_is_suggested() {
        let cases = [
            ("agent_hold", Some("agent_holds")),
            ("agent-holds", Some("agent_holds")),
            ("AgentHolds", Some("agent_holds")),
            ("inmotion", Some("in_motion")),
            ("motion", Some("in_motion")),
            ("IN", Some("in")),
            ("ni", Some("in")),
            ("orientation", None),
            ("object_orient", Some("object_orientation")),
            ("same_colour", Some("same_color")),
            ("dodgbeall", Some("dodgeball")),
            ("bal", Some("ball")),
            ("count-one", Some("count-once")),
            ("x", None),
            ("", None),
            ("teddy", None),
        ];
        for (unknown, expected) in cases {
            assert_eq!(nearest(unknown, NAMES), expected, "{unknown}");
        }
    }

    /// The reference implementation of the distance, by the table of the distances of all prefixes.
    fn distance(one: &[char], other: &[char]) -> usize {
        let width = other.len() + 1;
        let mut second_last = vec![0; width];
        let mut last: Vec<usize> = (0..width).collect();
        for row in 1..=one.len() {
            let mut current = vec![row; width];
            for column in 1..width {
                let replaced = last[column - 1] + usize::from(one[row - 1] != other[column - 1]);
                let mut best = replaced.min(last[column] + 1).min(current[column - 1] + 1);
                let swapped =
                    row > 1 && column > 1 && one[row - 1] == other[column - 2] && one[row - 2] == other[column - 1];
                if swapped {
                    best = best.min(second_last[column - 2] + 1);
                }
                current[column] = best;
            }
            second_last = std::mem::replace(&mut last, current);
        }
        last[width - 1]
    }

    fn folded_distance(one: &str, other: &str) -> usize {
        let other = NormalizedName::of(other).expect("short names");
        UnknownName::new(one).expect("short names").distance(&other)
    }

    #[test]
    fn distances_count_edits_and_swaps() {
        let cases = [
            ("", "", 0),
            ("a", "", 1),
            ("ab", "ba", 1),
            ("kitten", "sitting", 3),
            ("abcd", "acbd", 1),
            ("ca", "abc", 3),
        ];
        for (one, other, expected) in cases {
            assert_eq!(folded_distance(one, other), expected, "{one} {other}");
            assert_eq!(folded_distance(other, one), expected, "{other} {one}");
        }
    }

    #[test]
    fn the_prefilter_excludes_only_distant_names() {
        // All names of up to four letters of a small alphabet, and some longer ones that share prefixes with them.
        let mut names = vec![String::new()];
        for length in 0..4 {
            let longer: Vec<String> = names
                .iter()
                .filter(|name| name.len() == length)
                .flat_map(|name| ["a", "B", "-"].map(|letter| format!("{name}{letter}")))
                .collect();
            names.extend(longer);
        }
        names.extend(
            ["abb_aab", "aab-bba_ab", "bbbbbbbbbbbb", "\u{e4}ab", "a\u{e4}\u{c4}b", &"ab".repeat(32)]
                .map(str::to_owned),
        );
        let is_near = |one: &str, other: &str| {
            let (one, other) = (NormalizedName::of(one)?, NormalizedName::of(other)?);
            let (one, other) = (one.all(), other.all());
            let common = one.iter().zip(other).take_while(|(one, other)| one == other).count();
            let longer = one.len().max(other.len());
            let near =
                distance(one, other) <= max_distance(longer) || (common == one.len().min(other.len()) && common >= 3);
            near.then(|| (distance(one, other), longer - common))
        };
        for one in &names {
            for other in &names {
                let unknown = UnknownName::new(one).expect("short names");
                let rated = unknown.prefilter(other).and_then(|letters| unknown.rank(&letters));
                assert_eq!(rated, is_near(one, other), "{one} {other}");
            }
        }
    }

    #[test]
    fn the_number_of_candidates_is_limited() {
        let others = || std::iter::repeat_n("something", MAX_CANDIDATES - 1);
        assert_eq!(nearest("bed", others().chain(["bad"])), Some("bad"));
        assert_eq!(nearest("bed", others().chain(["else", "bad"])), None);
    }

    #[test]
    fn endless_names_have_no_neighbour() {
        let long = "a".repeat(1 << 20);
        assert_eq!(nearest(&long, [long.as_str()]), None);
    }
}
