//! English inflection: articles, plurals, negation.

/// Returns a name of the language as words: `hexagonal_bin` becomes `hexagonal bin`.
pub(super) fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// Adds an indefinite article: `a ball`, `an alarm clock`.
pub(super) fn with_article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

/// Returns the plural of a noun: `balls`, `watches`, `shelves`.
pub(super) fn plural(noun: &str) -> String {
    if let Some(stem) = noun.strip_suffix('f') {
        format!("{stem}ves")
    } else if noun.ends_with(['s', 'x']) || noun.ends_with("ch") || noun.ends_with("sh") {
        format!("{noun}es")
    } else if let Some(stem) = noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u'])) {
        format!("{stem}ies")
    } else {
        format!("{noun}s")
    }
}

/// Joins items into a list: `a`, `a and b`, `a, b and c`.
pub(super) fn list(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

/// Returns a number as a word up to `ten`, and in digits above.
pub(super) fn number_word(number: usize) -> String {
    const WORDS: [&str; 11] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// Capitalizes the first letter.
pub(super) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Negates a clause that contains argument placeholders such as `{0}`.
pub(super) fn negated(phrase: &str) -> String {
    for (verb, negation) in [(" is ", " is not "), (" are ", " are not "), (" has ", " does not have ")] {
        if let Some(at) = phrase.find(verb) {
            return format!("{}{negation}{}", &phrase[..at], &phrase[at + verb.len()..]);
        }
    }
    let mut parts = phrase.splitn(3, ' ');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(subject), Some(verb), object) if subject.starts_with('{') && verb.ends_with('s') => {
            let object = object.map(|object| format!(" {object}")).unwrap_or_default();
            format!("{subject} does not {}{object}", infinitive(verb))
        }
        _ => format!("it is not true that {phrase}"),
    }
}

/// Returns the infinitive of a verb in the third person: `touches` becomes `touch`, `faces` becomes `face`.
fn infinitive(verb: &str) -> &str {
    let stem = verb.strip_suffix("es").unwrap_or_default();
    let hissing = ["ch", "sh", "ss", "x", "zz"].iter().any(|end| stem.ends_with(end));
    if hissing { stem } else { verb.strip_suffix('s').unwrap_or(verb) }
}

const ARTICLES: [&str; 3] = ["the ", "a ", "an "];

/// Returns whether the last word of a text is an article.
fn ends_with_article(text: &str) -> bool {
    let before = |article: &str| text.strip_suffix(article);
    ARTICLES.iter().filter_map(|article| before(article)).any(|before| before.is_empty() || before.ends_with(' '))
}

/// Removes the article from a noun.
fn without_article(noun: &str) -> &str {
    ARTICLES.iter().find_map(|article| noun.strip_prefix(article)).unwrap_or(noun)
}

/// Substitutes the arguments for the placeholders. Arguments without a placeholder follow in parentheses. A placeholder without an
/// argument becomes `(missing)`, because programs with errors are described too.
pub(super) fn substitute(phrase: &str, arguments: &[String]) -> String {
    let mut text = String::with_capacity(phrase.len());
    let mut used = vec![false; arguments.len()];
    let mut remaining = phrase;
    while let Some(open) = remaining.find('{') {
        let place = remaining[open + 1..].split_once('}').and_then(|(inside, _)| inside.parse::<usize>().ok());
        text.push_str(&remaining[..open]);
        if let Some(place) = place {
            let argument = arguments.get(place).map_or("(missing)", String::as_str);
            // A phrase such as "the {1} of {0}" has its own article.
            text.push_str(if ends_with_article(&text) { without_article(argument) } else { argument });
            if let Some(used) = used.get_mut(place) {
                *used = true;
            }
            remaining = remaining[open..].split_once('}').map_or("", |(_, remaining)| remaining);
        } else {
            text.push('{');
            remaining = &remaining[open + 1..];
        }
    }
    text.push_str(remaining);
    let unused: Vec<&str> =
        arguments.iter().zip(&used).filter(|(_, used)| !**used).map(|(argument, _)| argument.as_str()).collect();
    if !unused.is_empty() {
        text.push_str(" (");
        text.push_str(&unused.join(", "));
        text.push(')');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{list, negated, plural, substitute, with_article};

    #[test]
    fn nouns() {
        let cases =
            [("ball", "balls"), ("shelf", "shelves"), ("watch", "watches"), ("teddy", "teddies"), ("key", "keys")];
        for (noun, expected) in cases {
            assert_eq!(plural(noun), expected);
        }
        assert_eq!(
            (with_article("ball"), with_article("alarm clock")),
            ("a ball".to_owned(), "an alarm clock".to_owned())
        );
    }

    #[test]
    fn clauses_are_negated_at_their_verb() {
        let cases = [
            ("{0} is on {1}", "{0} is not on {1}"),
            ("the agent is holding {0}", "the agent is not holding {0}"),
            ("{0} touches {1}", "{0} does not touch {1}"),
            ("{0} faces {1}", "{0} does not face {1}"),
            ("{0} moves", "{0} does not move"),
            ("{0} has the same color as {1}", "{0} does not have the same color as {1}"),
            ("rain falls on {0}", "it is not true that rain falls on {0}"),
        ];
        for (phrase, expected) in cases {
            assert_eq!(negated(phrase), expected);
        }
    }

    #[test]
    fn arguments_go_to_their_places() {
        let arguments = ["the bed".to_owned(), "a ball".to_owned()];
        assert_eq!(substitute("{1} is on {0}", &arguments), "a ball is on the bed");
        assert_eq!(substitute("{1} lies {", &arguments), "a ball lies { (the bed)");
        assert_eq!(substitute("{0}{2}{}", &arguments), "the bed(missing){} (a ball)");
        assert_eq!(list(&arguments, "or"), "the bed or a ball");
    }
}
