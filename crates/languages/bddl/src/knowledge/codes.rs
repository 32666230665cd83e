//! The diagnostic codes for the files of a knowledge base.

goalspec_syntax::codes! {
    /// A folder without a knowledge base, or a file of a knowledge base that cannot be read.
    UNREADABLE = "bddl/knowledge-unreadable", Error,
    "A knowledge base is the folder of a release of the `bddl` package that contains `generated_data` (3.6.0) or \
    `hierarchy_owned.json` (1.0.0).\n\nSpecify that folder; in a source distribution it is `bddl-3.6.0/bddl`.";
    /// An invalid file of a knowledge base.
    DAMAGED = "bddl/knowledge-damaged", Error,
    "The file is not valid JSON or CSV, or an entry is missing or has another type than in the releases. The message gives the file, \
    line and column.\n\nRestore the file from the release.";
    /// A cycle in the taxonomy.
    CYCLE = "bddl/knowledge-cycle", Error,
    "Synsets form a hierarchy: the descendants of a synset are special cases of it, so no synset is its own descendant.\n\n\
    Remove one of the links between the synsets that the message names.";
    /// A taxonomy that exceeds the size limit.
    TOO_MANY = "bddl/knowledge-too-large", Error,
    "The releases have at most 3,481 synsets. The descendant relation is stored in a table of quadratic size, so at most 16,384 synsets \
    are supported.";
    /// An entry of a knowledge base that is inconsistent with the other entries.
    MISMATCH = "bddl/knowledge-mismatch", Note,
    "A rule or a room refers to a synset, a category or an object that the release does not define, or a synset has several different \
    descriptions. The entry is ignored, or the first description is used; all other entries are used.";
}
