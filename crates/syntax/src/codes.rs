//! The diagnostic codes of the syntax layer.

crate::codes! {
    /// A list whose closing parenthesis is missing.
    UNCLOSED_LIST = "syntax/unclosed-list", Error,
"Every `(` requires a `)`. Without it, all following text belongs to the open list, so the meaning of the program differs from
its layout. goalspec infers the end of the list from the indentation, continues as if the parenthesis were there, and offers to
insert it.

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
"A `)` without an open list, or one that closes the whole program although another section follows. It is ignored. Often, a list
one or more lines above is closed too early.

```text
(:scoring (count throws)))
```

Delete the parenthesis, or correct the list that is closed too early.";

    /// Text outside of lists.
    LOOSE_TEXT = "syntax/loose-text", Error,
"A program is a list; text around it has no meaning and is ignored. It is often a Markdown fence, or a sentence before or after
the program.

```text
Here is the game:
(define (game throws) ...)
```

Delete the text, or make it a comment:

```text
; Here is the game:
(define (game throws) ...)
```";

    /// A bracket or a brace instead of a parenthesis.
    WRONG_BRACKET = "syntax/wrong-bracket", Error,
"Lists are written in parentheses. Brackets are read as parentheses, so that further errors are reported, and one fix replaces all
of them.

```text
(at-end [on bed ?b])
```

Write:

```text
(at-end (on bed ?b))
```";

    /// An invalid character.
    STRAY_CHARACTER = "syntax/stray-character", Error,
"Control characters and invisible characters (zero-width spaces, direction marks, a byte order mark in the middle) have no meaning.
They mostly come with pasted text, and make names differ that look equal.

Delete the character.";

    /// A string whose closing quote is missing.
    UNCLOSED_STRING = "syntax/unclosed-string", Error,
"A string ends with `\"` on the line on which it starts. Inside a string, `\\\"` is a quote.

```text
(name \"first throw)
```

Add the missing quote.";

    /// Lists nested too deeply.
    TOO_DEEP = "syntax/too-deep", Error,
"The limit is 256 levels, far more than programs require. Deeper lists are ignored, so that no program can exhaust the stack.

Check for text that was repeated by mistake; split long conditions into several preferences.";

    /// A text that exceeds a limit.
    TOO_LARGE = "syntax/too-large", Error,
"The limits of a text are 64 MiB and 16777216 tokens (names, parentheses, white space and comments). The rest is not read.

Split the programs into several files.";

    /// A text that is not UTF-8.
    NOT_UTF8 = "syntax/not-utf8", Error,
"Programs are UTF-8 text. The bytes at the given position are not: the file has another encoding, such as Latin-1 or UTF-16, or
it is compressed or damaged.

Convert the file, for example with `iconv -f latin1 -t utf-8`.";

    /// More syntax errors than are shown.
    TOO_MANY_ERRORS = "syntax/too-many-errors", Error,
"After 500 syntax errors in one text, further ones are not shown. Such a text is usually not a program.

Fix the first errors and check again.";

    /// An invalid argument.
    INVALID_ARGUMENT = "input/invalid-argument", Error,
"An argument of a command or of a library function is not valid: a name that the program does not have, or a text of another form.
The message names the argument and says what was expected.";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{MAX_DEPTH, MAX_SOURCE_BYTES, MAX_SYNTAX_DIAGNOSTICS, MAX_TOKENS};

    #[test]
    fn explanations_name_the_limits() {
        let limits = [
            (TOO_DEEP, format!(" {MAX_DEPTH} levels")),
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
