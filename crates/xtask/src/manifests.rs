//! Tests of the manifests of all crates.

use std::fs;
use std::path::{Path, PathBuf};

use crate::prose::rust_files;
use crate::root;

/// Returns the folders of the crates.
fn folders() -> Vec<PathBuf> {
    let members = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members = members.lines().filter_map(|line| line.trim().strip_prefix("\"crates/"));
    members.map(|member| root().join("crates").join(member.trim_end_matches([',', '"']))).collect()
}

/// Returns the sources in some folders of a crate, as one text.
fn sources(folder: &Path, parts: &[&str]) -> String {
    let mut files = Vec::new();
    for part in parts.iter().map(|part| folder.join(part)).filter(|part| part.exists()) {
        rust_files(&part, &mut files).unwrap();
    }
    files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// Returns the dependencies that a manifest lists in `features-only`: those that no source names and that only select features.
fn features_only(manifest: &str) -> Vec<&str> {
    let list = manifest.lines().find_map(|line| line.strip_prefix("features-only = ["));
    list.map_or(Vec::new(), |list| list.split('"').skip(1).step_by(2).collect())
}

/// Whether a text contains a name as a whole word.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(name).any(|(index, _)| {
        !text[..index].chars().next_back().is_some_and(is_part)
            && !text[index + name.len()..].chars().next().is_some_and(is_part)
    })
}

#[test]
fn every_dependency_is_used() {
    let mut unused = Vec::new();
    for folder in folders() {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let features_only = features_only(&manifest);
        for section in manifest.split("\n[") {
            let (head, lines) = section.split_once(']').unwrap_or_default();
            let parts: &[&str] = match head.rsplit('.').next() {
                Some("dependencies") => &["src"],
                Some("dev-dependencies") => &["src", "tests", "benches", "examples"],
                _ => continue,
            };
            let text = sources(&folder, parts);
            for line in lines.lines().filter(|line| !line.starts_with('#')) {
                let Some((name, _)) = line.split_once(['.', '=', ' ']) else { continue };
                let is_used = mentions(&text, &name.replace('-', "_"));
                if !name.is_empty() && is_used == features_only.contains(&name) {
                    unused.push(format!("{}: {name}", folder.display()));
                }
            }
        }
    }
    assert!(unused.is_empty(), "unused dependencies, or used ones that are listed as unused: {unused:#?}");
}
