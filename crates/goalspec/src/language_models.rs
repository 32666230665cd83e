//! Language models: the stand-ins that `--model fake:NAME` selects, for all languages.

pub use goalspec_words::stand_ins::stand_ins;
