//! Canonical layout of texts: a single blank between the words, none inside of brackets, no comments.

/// Returns the top-level forms of a text of s-expressions in canonical layout, each on a line of its own, without a line break at the end.
/// Comments begin with `;`. A text with unmatched brackets stays unmatched.
///
/// ```
/// use goalspec_constraints::layout::forms;
///
/// assert_eq!(forms("( on  a ; top\n b )(clear a)"), "(on a b)\n(clear a)");
/// ```
pub fn forms(text: &str) -> String {
    let mut canonical = String::with_capacity(text.len());
    let mut depth = 0_usize;
    let mut is_after_open = true;
    for word in words(text) {
        if word == ")" {
            depth = depth.saturating_sub(1);
        } else if !is_after_open {
            canonical.push(if depth == 0 { '\n' } else { ' ' });
        }
        canonical.push_str(word);
        is_after_open = word == "(";
        depth += usize::from(is_after_open);
    }
    canonical
}

/// Same as [`forms`], with names in lower case, for languages whose names are case-insensitive.
pub fn lower_case_forms(text: &str) -> String {
    forms(&text.to_lowercase())
}

/// Iterates over the brackets and words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start();
            let first = rest.chars().next()?;
            if first == ';' {
                rest = rest.find('\n').map_or("", |end| &rest[end..]);
                continue;
            }
            let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '(' | ')' | ';');
            let length = if is_end(first) { first.len_utf8() } else { rest.find(is_end).unwrap_or(rest.len()) };
            let (word, after) = rest.split_at(length);
            rest = after;
            return Some(word);
        }
    })
}

/// Returns the section of a text of s-expressions that begins with a keyword, such as `:goal`, in canonical layout; `None` if there is none.
pub fn section(canonical: &str, keyword: &str) -> Option<String> {
    let start = canonical.match_indices(&format!("({keyword}")).map(|(start, _)| start).find(|&start| {
        let after = canonical[start + 1 + keyword.len()..].chars().next();
        matches!(after, Some(' ' | ')'))
    })?;
    let mut depth = 0_usize;
    for (offset, letter) in canonical[start..].char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(canonical[start..=start + offset].to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_is_canonical() {
        assert_eq!(forms("((a)b( c))"), "((a) b (c))");
        assert_eq!(forms("; only a comment"), "");
        assert_eq!(forms("(a"), "(a");
        assert_eq!(lower_case_forms("(AND (On ?X b))"), "(and (on ?x b))");
    }

    #[test]
    fn sections_are_found_by_their_keywords() {
        let text = "(define (problem p) (:init) (:goals x) (:goal (and (a) (b))))";
        assert_eq!(section(text, ":goal").as_deref(), Some("(:goal (and (a) (b)))"));
        assert_eq!(section(text, ":init").as_deref(), Some("(:init)"));
        assert_eq!(section(text, ":objects"), None);
        assert_eq!(section("(:goal (a)", ":goal"), None);
    }
}
