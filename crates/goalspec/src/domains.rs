//! Lookup of the domain of a planning problem, among the loaded texts and in the folder of the problem.
//!
//! In the folder, the names that Fast Downward and the planning competitions use have priority: for `p01-small.pddl`, they are
//! `p01-small-domain.pddl`, `p01-small_domain.pddl`, `domain-p01-small.pddl`, `domain_p01-small.pddl`, `p01-domain.pddl` and `domain.pddl`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec_pddl::ast::{Domain, Problem};
use goalspec_pddl::check::{CheckedDomain, ParseCompleteness};
use goalspec_pddl::codes::UNKNOWN_DOMAIN;
use goalspec_syntax::source::{lines, without_byte_order_mark};
use goalspec_syntax::{Diagnostic, SourceId, suggest};

use crate::files::TextFiles;
use crate::languages::extension;

/// A domain of planning problems.
#[derive(Debug, Clone)]
pub struct PlanningDomain {
    /// The syntax tree, as far as the text could be parsed.
    pub domain: Arc<Domain>,
    /// The checked domain.
    pub checked: Arc<CheckedDomain>,
    /// The part of it that could be parsed.
    pub parsed_extent: ParseCompleteness,
    /// The text that contains it.
    pub source: SourceId,
    /// The name of its file.
    pub file: Arc<str>,
}

impl PlanningDomain {
    fn is_named(&self, name: &str) -> bool {
        self.domain.name.text() == name
    }

    /// Returns a warning if the problem names a domain other than this one, which the options choose.
    pub(crate) fn wrong_domain_warning(&self, problem: &Problem) -> Option<Diagnostic> {
        let name = problem.domain.as_ref().filter(|name| !self.is_named(name.text()))?;
        let message = format!(
            "the problem is of the domain `{}`, but is read with `{}`",
            name.written(),
            self.domain.name.written()
        );
        Some(Diagnostic::warning(UNKNOWN_DOMAIN, name.span, message))
    }
}

/// Returns the domain of a problem: the one in the `explicit` file, or else, of the domains with the name in the problem,
/// the one whose file is nearest. If there is none, the domain in a file of the same folder with a [usual name](usual_file_names) is
/// returned, for which there is [a warning](PlanningDomain::wrong_domain_warning).
///
/// # Errors
/// If the problem names no domain or an unknown one.
pub(crate) fn of_problem<'d>(
    problem: &Problem,
    file: &str,
    explicit: Option<&str>,
    domains: impl Iterator<Item = &'d Arc<PlanningDomain>> + Clone,
) -> Result<&'d Arc<PlanningDomain>, Box<Diagnostic>> {
    if let Some(explicit) = explicit
        && let Some(domain) = domains.clone().find(|domain| Path::new(&*domain.file) == Path::new(explicit))
    {
        return Ok(domain);
    }
    let unknown = |message: String| Box::new(Diagnostic::error(UNKNOWN_DOMAIN, problem.header, message));
    // The parser has reported the missing name as an error.
    let Some(name) = &problem.domain else {
        return Err(unknown("missing domain of the problem, which is not checked".to_owned()));
    };
    let usual = usual_file_names(Path::new(file));
    let nearest = domains
        .clone()
        .filter(|domain| domain.is_named(name.text()))
        .min_by_key(|domain| file_rank(file, &usual, &domain.file));
    let is_usual = |domain: &&Arc<PlanningDomain>| (1..=usual.len()).contains(&file_rank(file, &usual, &domain.file));
    let usually_named = || domains.clone().filter(is_usual).min_by_key(|domain| file_rank(file, &usual, &domain.file));
    nearest.or_else(usually_named).ok_or_else(|| {
        let message = format!("unknown domain `{}`, so the problem is not checked", name.written());
        let found = Diagnostic::error(UNKNOWN_DOMAIN, name.span, message);
        let names: Vec<&str> = domains.map(|domain| domain.domain.name.written()).collect();
        let (found, _) = suggest::with_nearest(found, name.text(), name.span, names.iter().copied());
        Box::new(
            found.with_help(
                "specify the file of the domain before the problem, or put it into the folder of the problem",
            ),
        )
    })
}

/// Returns the rank of a domain by the distance of its file from the problem's file: 0 for the same file.
fn file_rank(problem: &str, usual: &[String], domain: &str) -> usize {
    let (problem, domain) = (Path::new(problem), Path::new(domain));
    if problem == domain {
        return 0;
    }
    if problem.parent() != domain.parent() {
        return usual.len() + 2;
    }
    let place = usual.iter().position(|name| domain.file_name().is_some_and(|file_name| file_name == name.as_str()));
    place.unwrap_or(usual.len()) + 1
}

/// Returns the usual names for the file of a problem's domain, in order of preference: with the name of the problem, with its first three
/// characters, such as `p01`, and without.
fn usual_file_names(problem: &Path) -> [String; 6] {
    let stem = problem.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let prefix: String = stem.chars().take(3).collect();
    [
        format!("{stem}-domain.pddl"),
        format!("{stem}_domain.pddl"),
        format!("domain-{stem}.pddl"),
        format!("domain_{stem}.pddl"),
        format!("{prefix}-domain.pddl"),
        "domain.pddl".to_owned(),
    ]
}

/// Finds the domain files in the folders of problems whose domain no given text defines, and returns them with their texts.
pub(crate) fn find_domain_files(texts: &[(String, String)], files: &dyn TextFiles) -> Vec<(String, String)> {
    let given: BTreeSet<String> =
        texts.iter().filter_map(|(_, text)| defined_domain(text)).map(str::to_lowercase).collect();
    let mut search = DomainFileSearch {
        files,
        found: Vec::new(),
        chosen: BTreeSet::new(),
        read: BTreeMap::new(),
        folders: BTreeMap::new(),
    };
    for (name, text) in texts.iter().filter(|(name, _)| is_pddl(Path::new(name))) {
        let Some(domain_name) = named_domain(text).map(str::to_lowercase) else { continue };
        if !given.contains(&domain_name) && !defines_itself(text, &domain_name) {
            search.find(Path::new(name), &domain_name);
        }
    }
    search.found
}

/// A search for the domain files of several problems.
struct DomainFileSearch<'f> {
    files: &'f dyn TextFiles,
    found: Vec<(String, String)>,
    chosen: BTreeSet<PathBuf>,
    /// The files that have been read, with the names of the domains that they define.
    read: BTreeMap<PathBuf, Option<String>>,
    /// For each folder, its files whose names contain `domain`.
    folders: BTreeMap<PathBuf, Vec<PathBuf>>,
}

impl DomainFileSearch<'_> {
    /// Adds the file of the domain with this name, or else the first file with a usual name.
    fn find(&mut self, problem: &Path, domain_name: &str) {
        let folder = problem.parent().unwrap_or(Path::new(""));
        let usual = usual_file_names(problem).map(|name| folder.join(name));
        let files = self.files;
        let others = self.folders.entry(folder.to_owned()).or_insert_with(|| domain_files(folder, files)).clone();
        let is_named =
            |search: &mut Self, path: &PathBuf| search.domain_in(path).is_some_and(|name| name == domain_name);
        let named = usual.iter().chain(&others).find(|path| is_named(self, path));
        let chosen = named.or_else(|| usual.iter().find(|path| self.domain_in(path).is_some()));
        let Some(path) = chosen else { return };
        if self.chosen.insert(path.clone())
            && let Ok(text) = self.files.read_text(path)
        {
            self.found.push((path.display().to_string(), text));
        }
    }

    /// Returns the name of the domain that a file defines first, in lower case.
    fn domain_in(&mut self, path: &Path) -> Option<String> {
        if let Some(known) = self.read.get(path) {
            return known.clone();
        }
        let text = self.files.read_text(path).ok();
        let name = text.as_deref().and_then(defined_domain).map(str::to_lowercase);
        self.read.insert(path.to_owned(), name.clone());
        name
    }
}

/// Whether a text defines this domain after its first problem.
fn defines_itself(text: &str, domain_name: &str) -> bool {
    let mut words = words(text);
    words.any(|word| word.eq_ignore_ascii_case("domain"))
        && words.next().is_some_and(|name| name.to_lowercase() == domain_name)
}

/// Returns the PDDL files of a folder whose names contain `domain`, sorted.
fn domain_files(folder: &Path, files: &dyn TextFiles) -> Vec<PathBuf> {
    let speaks = |path: &PathBuf| is_pddl(path) && path.to_string_lossy().to_ascii_lowercase().contains("domain");
    let mut paths: Vec<PathBuf> = files.files_in(folder).into_iter().filter(speaks).collect();
    paths.sort();
    paths
}

pub(crate) fn is_pddl(path: &Path) -> bool {
    extension(&path.to_string_lossy()).is_some_and(|extension| extension.eq_ignore_ascii_case("pddl"))
}

/// Returns the words of a text, without comments and parentheses.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let lines = lines(without_byte_order_mark(text)).map(|line| line.split(';').next().unwrap_or_default());
    let words = lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || c == '(' || c == ')'));
    words.filter(|word| !word.is_empty())
}

/// Returns the name of the domain to which the first problem of a text belongs.
pub(crate) fn named_domain(text: &str) -> Option<&str> {
    let mut words = words(text);
    words.find(|word| word.eq_ignore_ascii_case(":domain"))?;
    words.next()
}

/// Returns the name of the domain that a text defines first.
pub(crate) fn defined_domain(text: &str) -> Option<&str> {
    let mut words = words(text);
    words.next().filter(|word| word.eq_ignore_ascii_case("define"))?;
    words.next().filter(|word| word.eq_ignore_ascii_case("domain"))?;
    words.next()
}
