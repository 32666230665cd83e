//! English morphology: nouns, plurals, phrases for predicates.

/// Returns the noun of a synset or category: `scrub brush` for `scrub_brush.n.01`.
pub(super) fn noun(category: &str) -> String {
    let lemma = category.split('.').next().unwrap_or_default();
    lemma.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns the title of an activity, derived from the name of its problem.
pub(super) fn title(name: &str) -> String {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
    // Trailing digits are the number of the definition only after a dash or an underscore.
    let bare = if bare.ends_with(['-', '_']) { bare.trim_end_matches(['-', '_']) } else { name };
    noun(&bare.replace('.', " "))
}

/// Suffixes of nouns with an irregular plural.
const IRREGULAR: [(&str, &str); 20] = [
    ("knife", "knives"),
    ("shelf", "shelves"),
    ("leaf", "leaves"),
    ("loaf", "loaves"),
    ("half", "halves"),
    ("scarf", "scarves"),
    ("person", "people"),
    ("man", "men"),
    ("child", "children"),
    ("foot", "feet"),
    ("tooth", "teeth"),
    ("mouse", "mice"),
    ("tomato", "tomatoes"),
    ("potato", "potatoes"),
    ("mango", "mangoes"),
    ("scissors", "scissors"),
    ("pants", "pants"),
    ("jeans", "jeans"),
    ("glasses", "glasses"),
    ("fish", "fish"),
];

/// Returns the plural. In a phrase such as `bottle of beer`, the first noun is inflected.
pub(super) fn plural(noun: &str) -> String {
    if let Some((first, rest)) = noun.split_once(" of ") {
        return format!("{} of {rest}", plural(first));
    }
    for (singular, plural) in IRREGULAR {
        if let Some(before) = noun.strip_suffix(singular) {
            return format!("{before}{plural}");
        }
    }
    let sibilant = ["s", "x", "z", "ch", "sh"].iter().any(|end| noun.ends_with(end));
    let consonant = |letter: char| !"aeiou".contains(letter);
    if let Some(stem) = noun.strip_suffix('y')
        && stem.ends_with(consonant)
    {
        return format!("{stem}ies");
    }
    format!("{noun}{}", if sibilant { "es" } else { "s" })
}

/// Returns a noun with its indefinite article.
pub(super) fn indefinite(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

/// Returns a count with its noun.
pub(super) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { indefinite(noun) } else { format!("{count} {}", plural(noun)) }
}

/// Joins items as `a, b and c`.
pub(super) fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [word] => word.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// The phrase of a predicate.
pub(super) struct PredicatePhrase {
    verb: Verb,
    /// The kind of the second argument.
    pub(super) object: ObjectKind,
}

enum Verb {
    /// A copula with a complement, such as `is open`.
    Copula(String),
    /// A verb in the singular and the plural, such as `contains` and `contain`.
    Inflected(&'static str, &'static str),
}

/// The kind of a second argument, which determines its phrase.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ObjectKind {
    /// An object: `the box`.
    Object,
    /// A substance: `water`.
    Substance,
    /// A room: `the living room`.
    Room,
}

/// Returns the phrase of a predicate.
pub(super) fn predicate_phrase(predicate: &str) -> PredicatePhrase {
    let copula = |text: &str| Verb::Copula(text.to_owned());
    let (verb, object) = match predicate {
        "toggled_on" | "turnon" => (copula("switched on"), ObjectKind::Object),
        "turnoff" => (copula("switched off"), ObjectKind::Object),
        "close" => (copula("closed"), ObjectKind::Object),
        "timeset" => (copula("set to the right time"), ObjectKind::Object),
        "screwed" => (copula("screwed in"), ObjectKind::Object),
        "on_fire" => (copula("on fire"), ObjectKind::Object),
        "future" => (copula("yet to be made"), ObjectKind::Object),
        "real" => (Verb::Inflected("exists", "exist"), ObjectKind::Object),
        "inside" => (copula("inside"), ObjectKind::Object),
        "ontop" => (copula("on top of"), ObjectKind::Object),
        "onfloor" => (copula("on"), ObjectKind::Object),
        "nextto" => (copula("next to"), ObjectKind::Object),
        "overlaid" => (copula("laid over"), ObjectKind::Object),
        "draped" => (copula("draped over"), ObjectKind::Object),
        "attached" => (copula("attached to"), ObjectKind::Object),
        "grasped" => (Verb::Inflected("holds", "hold"), ObjectKind::Object),
        "covered" => (copula("covered with"), ObjectKind::Substance),
        "filled" => (copula("filled with"), ObjectKind::Substance),
        "saturated" => (copula("saturated with"), ObjectKind::Substance),
        "contains" => (Verb::Inflected("contains", "contain"), ObjectKind::Substance),
        "insource" => (Verb::Inflected("supplies", "supply"), ObjectKind::Substance),
        "inroom" => (copula("in"), ObjectKind::Room),
        other => (Verb::Copula(other.replace('_', " ")), ObjectKind::Object),
    };
    PredicatePhrase { verb, object }
}

impl PredicatePhrase {
    /// Returns the verb phrase without the second argument.
    pub(super) fn phrase(&self, positive: bool, many: bool) -> String {
        match (&self.verb, positive) {
            (Verb::Copula(text), _) => {
                let verb = if many { "are" } else { "is" };
                format!("{verb}{} {text}", if positive { "" } else { " not" })
            }
            (Verb::Inflected(one, several), true) => (if many { several } else { one }).to_string(),
            (Verb::Inflected(_, base), false) => format!("{} not {base}", if many { "do" } else { "does" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_are_read_from_synsets() {
        let cases = [
            ("scrub_brush.n.01", "scrub brush"),
            ("bottle__of__champagne.n.01", "bottle of champagne"),
            ("chlorine__bottle.n.01", "chlorine bottle"),
            ("apple", "apple"),
        ];
        for (synset, expected) in cases {
            assert_eq!(noun(synset), expected);
        }
        assert_eq!(title("putting_away_cups-0"), "putting away cups");
        assert_eq!(title("cleaning_the_pool_0"), "cleaning the pool");
        assert_eq!(title("p"), "p");
    }

    #[test]
    fn plurals_are_english() {
        let cases = [
            ("sock", "socks"),
            ("scrub brush", "scrub brushes"),
            ("carving knife", "carving knives"),
            ("penknife", "penknives"),
            ("strawberry", "strawberries"),
            ("toy", "toys"),
            ("box", "boxes"),
            ("bottle of beer", "bottles of beer"),
            ("bookshelf", "bookshelves"),
            ("potato", "potatoes"),
            ("snowman", "snowmen"),
            ("wineglass", "wineglasses"),
        ];
        for (singular, expected) in cases {
            assert_eq!(plural(singular), expected);
        }
    }
}
