//! Tests of exported grammars with another engine, over corpora. The crate has no code of its own.
