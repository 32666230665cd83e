//! The diagnostic codes of the syntax layer.

crate::codes! {
    /// A list whose closing parenthesis is missing.
    UNCLOSED_LIST = "syntax/unclosed-list", Error,
"Every `(` needs a `)`. Where one is missing, everything that follows seems to belong to the open list, so the program means
something else than it shows. goalspec judges by the layout where the list was meant to end, goes on as if the parenthesis
stood there, and offers to insert it.

```text
(:terminal
    (>= (count throws) 3
)
```

Write:

```text
(:terminal
    (>= (count throws) 3)
)
```";

    /// A closing parenthesis without an opening one.
    STRAY_PARENTHESIS = "syntax/stray-parenthesis", Error,
"A `)` stands where no list is open, or it closes the whole program although another section follows. It is ignored. Often the
list that it was meant for is closed too early, one or more lines above.

```text
(:scoring (count throws)))
```

Delete the parenthesis, or look for the list that ends too early.";

    /// Text that stands outside of all lists.
    LOOSE_TEXT = "syntax/loose-text", Error,
"A program is a list; text around it has no meaning and is left out. It often comes from a Markdown fence or from a sentence
around the program.

```text
Here is the game:
(define (game throws) ...)
```

Delete the text, or make it a comment:

```text
; Here is the game:
(define (game throws) ...)
```";

    /// A bracket or a brace where a parenthesis is meant.
    WRONG_BRACKET = "syntax/wrong-bracket", Error,
"Lists are written in parentheses alone. The brackets are taken for parentheses, so that whatever else is wrong is found as well, and one
fix replaces all of them.

```text
(at-end [on bed ?b])
```

Write:

```text
(at-end (on bed ?b))
```";

    /// A character that no program contains.
    STRAY_CHARACTER = "syntax/stray-character", Error,
"Control characters and characters that cannot be seen (zero-width blanks, marks for the writing direction, a byte order mark in
the middle) have no meaning. They mostly come with pasted text, and make two names that look the same differ.

Delete the character.";

    /// A string whose closing quote is missing.
    UNCLOSED_STRING = "syntax/unclosed-string", Error,
"A string ends with `\"` on the line where it starts. Inside it, `\\\"` stands for a quote.

```text
(name \"first throw)
```

Add the missing quote.";

    /// Lists are nested too deep.
    TOO_DEEP = "syntax/too-deep", Error,
"Lists may be nested 256 deep, far more than any sensible program needs. A deeper list is left out, so that no program can
exhaust the stack.

Look for a piece that was repeated by mistake; split long conditions into several preferences.";

    /// A text larger than the limit.
    TOO_LARGE = "syntax/too-large", Error,
"One text may have 64 MiB and 16777216 tokens (names, parentheses, blanks and comments). What lies beyond is not read.

Split the programs over several files.";

    /// A text that is not UTF-8.
    NOT_UTF8 = "syntax/not-utf8", Error,
"Programs are UTF-8 text. The bytes at the place that the message names are something else: another encoding such as Latin-1 or
UTF-16, a compressed file, or a damaged one.

Convert the file, for example with `iconv -f latin1 -t utf-8`.";

    /// More syntax errors than are shown.
    TOO_MANY_ERRORS = "syntax/too-many-errors", Error,
"After 500 syntax diagnostics in one text, further ones are not shown. Such a text is mostly not a program at all.

Mend the first ones and run again.";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{MAX_DEPTH, MAX_SOURCE_BYTES, MAX_SYNTAX_DIAGNOSTICS, MAX_TOKENS};

    #[test]
    fn explanations_name_the_limits() {
        let limits = [
            (TOO_DEEP, format!(" {MAX_DEPTH} deep")),
            (TOO_LARGE, format!(" {} MiB", MAX_SOURCE_BYTES >> 20)),
            (TOO_LARGE, format!(" {MAX_TOKENS} tokens")),
            (TOO_MANY_ERRORS, format!(" {MAX_SYNTAX_DIAGNOSTICS} syntax")),
        ];
        for (code, limit) in limits {
            let doc = ALL.iter().find(|doc| doc.code == code).expect("a documented code");
            assert!(doc.explanation.contains(&limit), "{code}");
        }
    }
}
