//! Tests of grammars and schemas.

mod grammars;
mod schemas;
