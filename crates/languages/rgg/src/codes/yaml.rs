//! The diagnostic codes of YAML syntax and layout.

goalspec_syntax::codes! {
    /// Text that is not YAML.
    YAML_SYNTAX = "rgg/yaml-syntax", Error,
    "The text breaks a rule of YAML, and nothing of it is read. Usual causes: a line that is indented less or more than its neighbours, \
    a bracket or quote that is not closed, a missing blank after `:`, a colon inside a bare text.\n\n\
    Example: `a.capital: Gte: 1`. Use instead: `a.capital: {Gte: 1}`.";
    /// A text that is too large, or grows too large by its aliases.
    YAML_SIZE = "rgg/yaml-size", Error,
    "A file has at most 64 MiB and, with every alias written out, eight million keys and values: enough for a million vectors; 64 bytes of text count as one more. Aliases of lists of aliases multiply; \
    a few lines of them stand for more than any memory holds.";
    /// Lists and maps that are nested too deep.
    YAML_DEPTH = "rgg/yaml-depth", Error,
    "Lists and maps may stand 96 deep in each other, aliases written out. No game needs a tenth of it.";
    /// More than one document in a file.
    YAML_DOCUMENTS = "rgg/yaml-documents", Error,
    "`---` begins a new document, and a file holds one game. Only the first document is read.";
    /// A tag that means nothing.
    YAML_TAG = "rgg/yaml-tag", Error,
    "Tags such as `!thing` name types of other programs. The language has none, apart from `!!str`, which makes text of what looks like a \
    number.\n\nExample: `!!int 5`. Use instead: `5`.";
    /// An alias that stands for nothing.
    YAML_ALIAS = "rgg/yaml-alias", Error,
    "`*name` stands for what `&name` marks further up in the same file, which has to be complete by then.";
    /// A key that is a list or a map.
    YAML_KEY = "rgg/yaml-key", Error,
    "Keys are names. The entry is left out.";
    /// A key that stands twice in a map.
    YAML_DUPLICATE_KEY = "rgg/yaml-duplicate-key", Error,
    "The second entry would take the place of the first one, silently. The Cage engine does just that, and in that dialect this is a \
    warning.\n\nDelete one of the two, or join them.";
    /// A bare value that versions of YAML read differently.
    YAML_AMBIGUOUS = "rgg/yaml-ambiguous", Warning,
    "`yes`, `on` and `off` are truth values, `010` is 8 and `1_000` is 1000 in YAML 1.1, which is how games are read; in YAML 1.2 most \
    of them are text.\n\nWrite `true`, `false` and plain decimal numbers, or quote what is meant as text.";
    /// A text that cannot be laid out.
    LAYOUT = "rgg/layout", Error,
    "Laying a text out must not change what it says. Some rare forms, such as tabs or comments inside of a value that goes over several lines, \
    have no such layout; the text stays as it is.\n\nUse instead: a simpler form of what the place shows.";
}
