//! Lossless s-expression trees.
