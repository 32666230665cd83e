//! Reading `*.world.toml`.
