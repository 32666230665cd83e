//! The folders of installed releases, and their activities by name.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use goalspec_bddl::dialect::Release;
use goalspec_bddl::knowledge::Knowledge;
use goalspec_syntax::limits::MAX_SOURCE_BYTES;
use goalspec_syntax::{Diagnostic, Severity, suggest};

use crate::codes;
use crate::download;

/// The environment variable that names the folders of releases.
pub const RELEASES_VARIABLE: &str = "GOALSPEC_BDDL";

/// The environment variable that names the configuration file, instead of the platform's default.
pub const CONFIG_VARIABLE: &str = "GOALSPEC_CONFIG";

/// The environment variable that names the data folder, instead of the platform's default.
pub const DATA_VARIABLE: &str = "GOALSPEC_DATA";

/// The prefix of an activity's name in place of a path: `bddl:storing_food`.
pub const ACTIVITY_PREFIX: &str = "bddl:";

/// A lookup of environment variables. An empty value counts as absent, except for [`RELEASES_VARIABLE`].
type Environment<'e> = &'e dyn Fn(&str) -> Option<OsString>;

fn process_variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// Returns the user's data folder of goalspec: `$GOALSPEC_DATA`, or `goalspec` in the platform's folder for application data
/// (`$XDG_DATA_HOME` or `~/.local/share`; `~/Library/Application Support`; `%LOCALAPPDATA%`).
pub fn data_folder() -> Option<PathBuf> {
    data_of(&process_variable)
}

/// Returns the path of the user's configuration file: `$GOALSPEC_CONFIG`, or `goalspec/config.toml` in the platform's folder for
/// configuration (`$XDG_CONFIG_HOME` or `~/.config`; `~/Library/Application Support`; `%APPDATA%`).
pub fn config_file() -> Option<PathBuf> {
    config_of(&process_variable)
}

fn data_of(environment: Environment<'_>) -> Option<PathBuf> {
    let own = path_variable(environment, DATA_VARIABLE);
    own.or_else(|| Some(platform(environment, "LOCALAPPDATA", "XDG_DATA_HOME", ".local/share")?.join("goalspec")))
}

fn config_of(environment: Environment<'_>) -> Option<PathBuf> {
    let own = path_variable(environment, CONFIG_VARIABLE);
    let folder = || platform(environment, "APPDATA", "XDG_CONFIG_HOME", ".config");
    own.or_else(|| Some(folder()?.join("goalspec").join("config.toml")))
}

fn platform(environment: Environment<'_>, windows: &str, xdg: &str, unix: &str) -> Option<PathBuf> {
    if cfg!(windows) {
        return path_variable(environment, windows);
    }
    let home = || path_variable(environment, "HOME");
    if cfg!(target_os = "macos") {
        return Some(home()?.join("Library").join("Application Support"));
    }
    // The XDG Base Directory Specification requires that relative paths be ignored.
    let named = path_variable(environment, xdg).filter(|path| path.is_absolute());
    named.or_else(|| Some(home()?.join(unix)))
}

/// Returns the path in an environment variable that is set and not empty.
fn path_variable(environment: Environment<'_>, name: &str) -> Option<PathBuf> {
    environment(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The folders of installed releases, in order of preference.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Releases {
    folders: Vec<PathBuf>,
    /// The source that names them, for messages.
    named_by: String,
}

impl Releases {
    /// Returns the releases in these folders.
    pub fn in_folders(folders: Vec<PathBuf>) -> Self {
        Self { folders, named_by: "the caller".to_owned() }
    }

    /// Returns the releases that the user's environment, configuration or data folder determines, with an error if the
    /// configuration cannot be read (then there are no releases) or if one of its folders holds no release.
    pub fn installed() -> (Self, Option<Box<Diagnostic>>) {
        Self::from_environment(&process_variable)
    }

    /// Returns the release in this folder or, if the folder does not exist, the fetched release of this version.
    pub fn from_option(folder: &Path) -> Self {
        let fetched = || data_folder().map(|data| data.join(download::folder_name(&folder.to_string_lossy())));
        let folder =
            Some(folder.to_owned()).filter(|folder| folder.exists()).or_else(|| fetched().filter(|path| path.is_dir()));
        Self { folders: folder.into_iter().collect(), named_by: "--knowledge".to_owned() }
    }

    fn from_environment(environment: Environment<'_>) -> (Self, Option<Box<Diagnostic>>) {
        if let Some(folders) = environment(RELEASES_VARIABLE) {
            let folders = std::env::split_paths(&folders).filter(|folder| !folder.as_os_str().is_empty()).collect();
            return Self::from_folders(folders, format!("the environment variable {RELEASES_VARIABLE}"));
        }
        if let Some(file) = path_variable(environment, CONFIG_VARIABLE).filter(|file| !file.is_file()) {
            let message =
                format!("file `{}`, set by the environment variable {CONFIG_VARIABLE}, not found", file.display());
            let diagnostic = Diagnostic::new(codes::CONFIGURATION, Severity::Error, message);
            return (Self::default(), Some(Box::new(diagnostic)));
        }
        if let Some(file) = config_of(environment).filter(|file| file.is_file()) {
            match configured_folders(&file) {
                Ok(Some(folders)) => {
                    return Self::from_folders(folders, format!("the configuration {}", file.display()));
                }
                Ok(None) => {}
                Err(diagnostic) => return (Self::default(), Some(diagnostic)),
            }
        }
        let Some(data) = data_of(environment) else { return (Self::default(), None) };
        let folders = download::VERSIONS.iter().rev().map(|version| data.join(download::folder_name(version.number)));
        let folders = folders.filter(|folder| folder.is_dir()).collect();
        (Self { folders, named_by: data.display().to_string() }, None)
    }

    /// Returns the folders that a user names, with an error if one of them holds no release.
    fn from_folders(folders: Vec<PathBuf>, named_by: String) -> (Self, Option<Box<Diagnostic>>) {
        let is_release =
            |folder: &PathBuf| definitions_folder(folder).is_some() || Knowledge::detect_release(folder).is_some();
        let diagnostic = folders.iter().find(|folder| !is_release(folder)).map(|folder| {
            let problem =
                if folder.is_dir() { "contains no release of the Python package `bddl`" } else { "does not exist" };
            let message = format!("the folder `{}` {problem}; it is set by {named_by}", folder.display());
            let help = "use `goalspec fetch bddl` to download a release, which requires no setting";
            Box::new(Diagnostic::new(codes::CONFIGURATION, Severity::Error, message).with_help(help))
        });
        (Self { folders, named_by }, diagnostic)
    }

    /// Returns the source that names the folders, for messages.
    pub fn source(&self) -> &str {
        &self.named_by
    }

    /// Returns the folders, in order of preference.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Returns the first folder with the knowledge base of a release.
    pub fn knowledge_of(&self, release: Release) -> Option<&Path> {
        self.folders.iter().find(|folder| Knowledge::detect_release(folder) == Some(release)).map(PathBuf::as_path)
    }

    /// Returns the files that the name of an activity refers to: for `storing_food`, its first definition; for `storing_food-1`,
    /// the definition with this number; for a pattern such as `storing_*`, the first definitions of all matching activities.
    ///
    /// # Errors
    /// If no release is installed, or if none has such an activity; the error then suggests the most similar name.
    pub fn activity_files(&self, name: &str) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
        let missing = |message: String| Diagnostic::new(codes::NO_ACTIVITY, Severity::Error, message);
        let folders: Vec<PathBuf> = self.folders.iter().filter_map(|folder| definitions_folder(folder)).collect();
        if folders.is_empty() {
            let message = format!("cannot find the activity `{name}`: no installed releases");
            let help = format!(
                "use `goalspec fetch bddl` to download one, or specify its folder: `--knowledge`, {RELEASES_VARIABLE}, the configuration"
            );
            return Err(Box::new(missing(message).with_help(help)));
        }
        if name.contains(['*', '?', '[']) {
            let found = matching(&folders, name);
            let none = || Box::new(missing(format!("no activity matches `{name}`")));
            return if found.is_empty() { Err(none()) } else { Ok(found) };
        }
        let (plain, number) = split_number(name);
        // The names of some activities end in digits.
        for (activity, number) in [(name, None), (plain, number)] {
            let known: Vec<PathBuf> = folders.iter().filter_map(|folder| find(folder, activity)).collect();
            let number = number.unwrap_or(0);
            let file =
                known.iter().map(|folder| folder.join(format!("problem{number}.bddl"))).find(|path| path.is_file());
            if let Some(file) = file {
                return Ok(vec![file]);
            }
            if !known.is_empty() {
                let message = format!("the activity `{activity}` has no definition {number}");
                let has = known.iter().map(|folder| {
                    let numbers: Vec<String> = definition_numbers(folder).iter().map(u32::to_string).collect();
                    format!("{} has {}", folder.display(), numbers.join(", "))
                });
                return Err(Box::new(has.fold(missing(message), Diagnostic::with_help)));
            }
        }
        let names: Vec<String> = folders.iter().flat_map(|folder| names(folder)).collect();
        let suggestion = suggest::did_you_mean(plain, names.iter().map(String::as_str));
        let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        let message = format!("unknown activity `{plain}` in {}", folders.join(" or "));
        Err(Box::new(suggestion.into_iter().fold(missing(message), Diagnostic::with_help)))
    }
}

/// Returns the folders of releases in a configuration file, if it names any.
fn configured_folders(file: &Path) -> Result<Option<Vec<PathBuf>>, Box<Diagnostic>> {
    let invalid_setting = |reason: String| {
        let message = format!("invalid configuration {}: {reason}", file.display());
        let help = "expected for example:\n[bddl]\nknowledge = \"/home/ada/bddl-3.6.0\"";
        Box::new(Diagnostic::new(codes::CONFIGURATION, Severity::Error, message).with_help(help))
    };
    let text = read_settings(file).map_err(|error| invalid_setting(error.to_string()))?;
    let table: toml::Table =
        text.parse().map_err(|error: toml::de::Error| invalid_setting(error.message().to_owned()))?;
    if let Some(unknown) = table.keys().find(|key| *key != "bddl") {
        return Err(invalid_setting(format!("unknown section `{unknown}`")));
    }
    let Some(section) = table.get("bddl") else { return Ok(None) };
    let section = section.as_table().ok_or_else(|| invalid_setting("`bddl` is not a section".to_owned()))?;
    if let Some(unknown) = section.keys().find(|key| *key != "knowledge") {
        return Err(invalid_setting(format!("unknown key `{unknown}` in the section `bddl`")));
    }
    // Relative paths start at the folder of the file.
    let folder = |value: &toml::Value| Some(file.parent().unwrap_or(Path::new("")).join(value.as_str()?));
    let folders = match section.get("knowledge") {
        None => return Ok(None),
        Some(toml::Value::Array(folders)) => folders.iter().map(folder).collect(),
        Some(one) => folder(one).map(|folder| vec![folder]),
    };
    folders.map(Some).ok_or_else(|| invalid_setting("`knowledge` is not a folder or a list of folders".to_owned()))
}

/// Reads a configuration file, up to [`MAX_SOURCE_BYTES`].
fn read_settings(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    let read = File::open(file)?.take(MAX_SOURCE_BYTES as u64 + 1).read_to_string(&mut text)?;
    if read > MAX_SOURCE_BYTES {
        return Err(io::Error::other(format!("the file exceeds the limit of {MAX_SOURCE_BYTES} bytes")));
    }
    Ok(text)
}

/// Returns the folder with the activity definitions of a release.
fn definitions_folder(folder: &Path) -> Option<PathBuf> {
    let inside = |part: &str| Some(folder.join(part).join("activity_definitions")).filter(|folder| folder.is_dir());
    inside("").or_else(|| inside("bddl"))
}

/// Returns the names of the activities in a folder.
fn names(definitions: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(definitions).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Returns the folder of an activity. The names of problems are in lower case, so case is ignored.
fn find(definitions: &Path, activity: &str) -> Option<PathBuf> {
    let is_name = !activity.is_empty() && !activity.starts_with('.') && !activity.contains(std::path::is_separator);
    let exact = Some(definitions.join(activity)).filter(|folder| is_name && folder.is_dir());
    exact.or_else(|| {
        let known = names(definitions).into_iter().find(|known| known.eq_ignore_ascii_case(activity))?;
        Some(definitions.join(known))
    })
}

/// Returns the first definitions of the activities whose names match, each from the first folder that has it.
fn matching(definitions: &[PathBuf], pattern: &str) -> Vec<PathBuf> {
    let Ok(pattern) = glob::Pattern::new(pattern) else { return Vec::new() };
    let mut found: BTreeMap<String, PathBuf> = BTreeMap::new();
    for folder in definitions {
        for name in names(folder).into_iter().filter(|name| pattern.matches(name)) {
            let file = folder.join(&name).join("problem0.bddl");
            if file.is_file() {
                found.entry(name.to_lowercase()).or_insert(file);
            }
        }
    }
    found.into_values().collect()
}

/// Returns the numbers of the definitions of an activity, sorted.
fn definition_numbers(folder: &Path) -> Vec<u32> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let number = |name: &str| name.strip_prefix("problem")?.strip_suffix(".bddl")?.parse().ok();
    let mut numbers: Vec<u32> = entries.filter_map(|entry| number(&entry.file_name().to_string_lossy())).collect();
    numbers.sort_unstable();
    numbers
}

/// Splits a name such as `storing_food-0` or `storing_food_0` into an activity and the number of its definition.
fn split_number(name: &str) -> (&str, Option<u32>) {
    let split = name.rsplit_once(['-', '_']).and_then(|(activity, number)| Some((activity, number.parse().ok()?)));
    split.map_or((name, None), |(activity, number)| (activity, Some(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("goalspec-releases-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        for file in [
            "bddl/activity_definitions/storing_Food/problem0.bddl",
            "bddl/activity_definitions/storing_Food/problem2.bddl",
            "bddl/activity_definitions/level_2/problem0.bddl",
            "bddl/hierarchy_owned.json",
        ] {
            let file = folder.join("bddl-1.0.0").join(file);
            std::fs::create_dir_all(file.parent().expect("it lies in a folder")).expect("it can be made");
            std::fs::write(file, "").expect("it can be written");
        }
        folder
    }

    #[test]
    fn activities_are_found_by_name_and_number() {
        let base = folder("names");
        for file in ["storing_Food/problem1.bddl", "levels/problem0.bddl", "level_2/problem0.bddl"] {
            let file = base.join("other/activity_definitions").join(file);
            std::fs::create_dir_all(file.parent().expect("it lies in a folder")).expect("it can be made");
            std::fs::write(file, "").expect("it can be written");
        }
        let folders = vec![base.join("bddl-1.0.0"), base.join("other")];
        let releases = Releases { folders, named_by: String::new() };
        let found = |name: &str| {
            let found =
                releases.activity_files(name).map_err(|error| format!("{} {}", error.message, error.help.join(" ")));
            found.map(|found| {
                found
                    .iter()
                    .map(|path| path.strip_prefix(&base).expect("inside").display().to_string())
                    .collect::<Vec<_>>()
            })
        };
        let file = |name: &str| Ok(vec![format!("bddl-1.0.0/bddl/activity_definitions/{name}.bddl")]);
        assert_eq!(found("storing_Food"), file("storing_Food/problem0"));
        for name in ["storing_food-2", "storing_food_2"] {
            assert_eq!(found(name), file("storing_Food/problem2"));
        }
        assert_eq!(found("level_2"), file("level_2/problem0"));
        let other = |name: &str| format!("other/activity_definitions/{name}.bddl");
        assert_eq!(found("level_*"), file("level_2/problem0"));
        assert_eq!(
            found("level*"),
            Ok([file("level_2/problem0").expect("one"), vec![other("levels/problem0")]].concat())
        );
        assert_eq!(found("storing_food-1"), Ok(vec![other("storing_Food/problem1")]));
        let message = |name: &str, words: &[&str]| {
            let error = found(name).expect_err(name);
            assert!(words.iter().all(|word| error.contains(word)), "{error}");
        };
        message("storing_food-7", &["definition 7", "storing_Food has 0, 2", "storing_Food has 1"]);
        message("storing_foot", &["`storing_Food`", "bddl-1.0.0", "other"]);
        assert!(found("../storing_Food").is_err());
        assert!(
            Releases::default().activity_files("a").is_err_and(|error| error.help[0].contains("goalspec fetch bddl"))
        );
        assert_eq!(releases.knowledge_of(Release::V1_0), Some(&*base.join("bddl-1.0.0")));
        assert_eq!(releases.knowledge_of(Release::V3_6), None);
        std::fs::remove_dir_all(base).expect("it can be removed");
    }

    #[test]
    fn environment_configuration_and_data_are_asked_in_this_order() {
        let base = folder("places");
        let config = base.join("config.toml");
        let path = |path: &Path| Some(path.as_os_str().to_owned());
        let environment = |variable: Option<&'static str>| {
            let (base, config) = (base.clone(), config.clone());
            move |name: &str| match name {
                RELEASES_VARIABLE => variable.map(OsString::from),
                CONFIG_VARIABLE => path(&config),
                DATA_VARIABLE => path(&base),
                _ => None,
            }
        };
        let folders = |variable| Releases::from_environment(&environment(variable)).0.folders;
        let error = |variable| {
            Releases::from_environment(&environment(variable)).1.map_or(String::new(), |error| error.message)
        };
        assert!(error(None).contains(CONFIG_VARIABLE) && error(None).contains("config.toml"), "{}", error(None));
        std::fs::write(&config, "").expect("it can be written");
        assert_eq!(folders(None), [base.join("bddl-1.0.0")]);
        std::fs::write(&config, "[bddl]\nknowledge = [\"a\", \"/b\"]").expect("it can be written");
        assert_eq!(folders(None), [base.join("a"), PathBuf::from("/b")]);
        assert!(error(None).contains("/b") || error(None).contains("config.toml"), "{}", error(None));
        assert_eq!(folders(Some("/c")), [PathBuf::from("/c")]);
        assert!(
            error(Some("/c")).contains("`/c`") && error(Some("/c")).contains(RELEASES_VARIABLE),
            "{}",
            error(Some("/c"))
        );
        assert!(folders(Some("")).is_empty());
        for invalid in ["[bddl]\nknowledge = 3", "[bddl]\nknowlege = \"a\"", "[bdll]", "knowledge", "bddl = 1"] {
            std::fs::write(&config, invalid).expect("it can be written");
            let (none, error) = Releases::from_environment(&environment(None));
            assert!(
                none.folders.is_empty() && error.is_some_and(|error| error.code == codes::CONFIGURATION),
                "{invalid}"
            );
        }
        std::fs::remove_dir_all(base).expect("it can be removed");
    }
}
