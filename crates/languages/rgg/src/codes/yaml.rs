//! The diagnostic codes of YAML syntax and layout.

goalspec_syntax::codes! {
    /// A syntax error in YAML.
    YAML_SYNTAX = "rgg/yaml-syntax", Error,
    "The text is not valid YAML, and none of it is read. Frequent causes: inconsistent indentation, an unclosed bracket or quote, a \
    missing space after `:`, a colon within an unquoted string.\n\n\
    Example: `a.capital: Gte: 1`. Use instead: `a.capital: {Gte: 1}`.";
    /// A text that exceeds the size limit, or does with its aliases expanded.
    YAML_SIZE = "rgg/yaml-size", Error,
    "The limits of a file are 64 MiB and, with every alias expanded, eight million keys and values, enough for a million vectors; \
    64 bytes of text count as one more. Aliases of lists of aliases grow exponentially.";
    /// Lists and maps that are nested too deeply.
    YAML_DEPTH = "rgg/yaml-depth", Error,
    "The limit is 96 levels, with every alias expanded.";
    /// A file with several documents.
    YAML_DOCUMENTS = "rgg/yaml-documents", Error,
    "`---` begins a new document, and a file contains one game. Only the first document is read.";
    /// An unknown tag.
    YAML_TAG = "rgg/yaml-tag", Error,
    "Tags such as `!thing` name types of other programs. The language has only the tag `!!str`, which makes a string of a value \
    that looks like a number.\n\n\
    Example: `!!int 5`. Use instead: `5`.";
    /// An undefined alias.
    YAML_ALIAS = "rgg/yaml-alias", Error,
    "`*name` repeats the value that `&name` marks earlier in the same file, which must be complete before the alias.";
    /// A key that is a list or a map.
    YAML_KEY = "rgg/yaml-key", Error,
    "Keys are names. The entry is ignored.";
    /// A duplicate key in a map.
    YAML_DUPLICATE_KEY = "rgg/yaml-duplicate-key", Error,
    "The second entry would silently replace the first one, as it does in the Cage engine; in the dialect `cage` this is a warning.\n\n\
    Delete one of the two, or merge them.";
    /// An unquoted value that versions of YAML interpret differently.
    YAML_AMBIGUOUS = "rgg/yaml-ambiguous", Warning,
    "Games are read as YAML 1.1, in which `yes`, `on` and `off` are booleans, `010` is 8 and `1_000` is 1000; in YAML 1.2, most of \
    them are strings.\n\n\
    Write `true`, `false` and plain decimal numbers, or put strings in quotes.";
    /// A text that cannot be formatted.
    LAYOUT = "rgg/layout", Error,
    "Formatting must not change the meaning of a text. A few rare forms, such as tabs or comments within a value of several lines, \
    cannot be formatted without a change of meaning; the text is left as it is.\n\n\
    Rewrite the reported part in a simpler form.";
}
