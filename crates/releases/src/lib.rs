//! Releases of the Python package `bddl`: download from the Python package index, the folders that contain them, and their
//! activities by name.
//!
//! | source | folders |
//! |---|---|
//! | environment variable [`RELEASES_VARIABLE`] | a list of folders, separated as in `PATH`; if it is empty, none |
//! | configuration file, `[bddl]` `knowledge` | a folder, or a list of folders |
//! | [`data_folder`] | the releases that [`download`] put there, newest first |
//!
//! The first source that is present determines the folders. The contents of a release are read by [`goalspec_bddl`].

pub mod codes;
pub mod download;
mod installed;

pub use installed::{
    ACTIVITY_PREFIX, CONFIG_VARIABLE, DATA_VARIABLE, RELEASES_VARIABLE, Releases, config_file, data_folder,
};
