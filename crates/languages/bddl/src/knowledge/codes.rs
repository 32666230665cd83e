//! The diagnostic codes for the files of a knowledge base.

goalspec_syntax::codes! {
    /// A folder that has no knowledge base, or a file of it that cannot be read.
    UNREADABLE = "bddl/knowledge-unreadable", Error,
    "A knowledge base is the folder of a release of the `bddl` package: the one with `generated_data` (3.6.0) or with \
    `hierarchy_owned.json` (1.0.0) in it.\n\nName that folder; in a source distribution it is `bddl-3.6.0/bddl`.";
    /// A file of a knowledge base that does not have the shape it should have.
    DAMAGED = "bddl/knowledge-damaged", Error,
    "The file is no JSON or CSV, or something in it is missing or of another kind than in the releases. The message says in which \
    file, line and column.\n\nTake the file from the release again.";
    /// A taxonomy in which a synset is below itself.
    CYCLE = "bddl/knowledge-cycle", Error,
    "Synsets form a hierarchy: what is below a synset is a special case of it, so nothing is below itself.\n\n\
    Remove one of the links between the synsets that the message names.";
    /// A taxonomy that is too large.
    TOO_MANY = "bddl/knowledge-too-large", Error,
    "The releases have at most 3,481 synsets. Which is below which is kept in a table that grows with the square of their number, \
    so more than 16,384 are refused.";
    /// An entry of a knowledge base that does not fit the others.
    MISMATCH = "bddl/knowledge-mismatch", Note,
    "A rule or a room speaks of a synset, a category or an object that the rest of the release does not know, or a synset is \
    described twice in different ways. The entry is left out, or the first description counts; everything else is used.";
}
