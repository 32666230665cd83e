//! A library: the sources, worlds and checked programs of one run.

mod check;
mod worlds;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec_bddl::ast::Domain;
use goalspec_bddl::dialect::Release;
use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::planning::HouseholdActions;
use goalspec_bddl::wildcard::{self, SceneLayout};
use goalspec_bddl::{Dialect, codes as bddl_codes, domains, parse};
use goalspec_core::world::World;
use goalspec_game::codes::lint::MANY_BINDINGS;
use goalspec_releases::Releases;
use goalspec_resource::custom::ResultRegistry;
use goalspec_rewards::program::NamedRewardProgram;
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, Diagnostics, SourceFile, SourceId, Sources, sexp};
use rayon::ThreadPool;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::codes;
use crate::domains::{self as planning, PlanningDomain};
use crate::files::{self, FileAccess, Inputs, TextFiles};
use crate::languages::{Language, detect_language, first_definition, is_yaml, may_define_domain};
use crate::program::{Activity, Program, ProgramContent};
use crate::recordings;
use crate::scoring::Semantics;
use check::{lies_in, python_error};
use worlds::{NamedWorlds, RewardWorldChoice};

/// Options for reading programs, where a language leaves a choice.
#[derive(Debug, Clone, Default)]
pub struct LibraryOptions {
    /// The dialect of activities.
    pub bddl_dialect: Dialect,
    /// Whether `dialect` applies to every activity. If `false` and the dialect is strict, texts with sections that only LIBERO's
    /// problems have are read in LIBERO's dialect.
    pub dialect_fixed: bool,
    /// The knowledge base about the objects of activities; `None` to use those of the installed releases.
    pub knowledge: Option<Arc<Knowledge>>,
    /// The actions with which plans for activities are searched; `None` for the built-in ones.
    pub actions: Option<HouseholdActions>,
    /// The installed releases, whose knowledge bases are used if `knowledge` is `None`.
    pub releases: Releases,
    /// The scene whose objects replace the wildcards in activities. Resolving a wildcard requires a knowledge base.
    pub scene: Option<SceneLayout>,
    /// The dialect of games in the game language.
    pub game_dialect: goalspec_game::Dialect,
    /// The dialect of resource graph games.
    pub rgg_dialect: goalspec_rgg::Dialect,
    /// The name or file of the world for all reward functions. If `None`, each program uses the world that it imports, and
    /// programs without an import use the only world loaded from a file.
    pub reward_world: Option<String>,
    /// The custom results, implemented in code, that resource graph games may name.
    pub custom_results: ResultRegistry,
    /// The name of the text with the domain of all planning problems; [`Library::load`] reads the file of this name if it is not among
    /// the inputs. If `None`, the domain that each problem names is looked up among the loaded texts, and by `load` in the problem's
    /// folder.
    pub planning_domain: Option<String>,
    /// The threads on which programs are read and checked; `None` for the calling thread. The results are the same.
    pub pool: Option<Arc<ThreadPool>>,
    /// The names of further custom results, without an implementation: enough to check games and to score recordings of them.
    pub unimplemented_results: Vec<Arc<str>>,
    /// The source of the texts of programs, domains and worlds.
    pub files: FileAccess,
}

impl LibraryOptions {
    /// Whether the dialect of activities or a knowledge base is set.
    fn is_for_activities(&self) -> bool {
        self.dialect_fixed || self.bddl_dialect != Dialect::STRICT || self.knowledge.is_some()
    }
}

/// Returns the release that defines a domain of activities.
fn release_of(domain: &str) -> Option<Release> {
    match domain {
        "igibson" => Some(Release::V1_0),
        "omnigibson" | "behavior-1k" => Some(Release::V3_6),
        _ => None,
    }
}

/// The contents of one text. Games have no world yet: [`Library::add_checked`] assigns one, shared between programs.
struct CheckedText {
    programs: Vec<Program>,
    domains: Vec<Domain>,
    planning: Vec<Arc<PlanningDomain>>,
    diagnostics: Vec<Diagnostic>,
}

/// A set of sources, worlds and checked programs. Loading never fails as a whole: errors are in
/// [`diagnostics`](Self::diagnostics).
#[derive(Debug, Clone, Default)]
pub struct Library {
    options: LibraryOptions,
    sources: Sources,
    /// The BDDL domains that activities may name, in addition to the built-in ones.
    domains: Vec<Domain>,
    /// The domains of planning problems.
    planning_domains: Vec<Arc<PlanningDomain>>,
    worlds: Vec<Arc<World>>,
    /// The worlds that games may be about, by name.
    named_worlds: NamedWorlds,
    /// The worlds that were read from files, with the paths of the files.
    world_files: Vec<(PathBuf, Arc<World>)>,
    choice: RewardWorldChoice,
    programs: Vec<Program>,
    /// The knowledge bases of installed releases that are in use.
    release_knowledge: Vec<(Release, Arc<Knowledge>)>,
    diagnostics: Vec<Diagnostic>,
}

impl Library {
    /// Returns an empty library, which knows only the built-in worlds.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns an empty library that reads programs with these options.
    pub fn with_options(mut reading: LibraryOptions) -> Self {
        if let (Some(knowledge), Some(actions)) = (&mut reading.knowledge, &reading.actions) {
            Arc::make_mut(knowledge).set_actions(actions.clone());
        }
        Self { options: reading, ..Self::default() }
    }

    /// Returns the knowledge base for a text of activities: [`LibraryOptions::knowledge`], or else that of the installed release that
    /// defines the first of its domains that a release defines.
    pub fn knowledge_for(&self, file: &SourceFile) -> Option<&Arc<Knowledge>> {
        if self.options.knowledge.is_some() || self.release_knowledge.is_empty() {
            return self.options.knowledge.as_ref();
        }
        let domains = parse::named_domains(file, self.options.bddl_dialect);
        domains.iter().find_map(|domain| self.knowledge_for_domain(domain))
    }

    /// Returns the knowledge base of the installed release that defines a domain.
    fn knowledge_for_domain(&self, domain: &str) -> Option<&Arc<Knowledge>> {
        let release = release_of(domain)?;
        self.release_knowledge.iter().find(|(known, _)| *known == release).map(|(_, knowledge)| knowledge)
    }

    /// Returns the knowledge base for an activity: [`LibraryOptions::knowledge`], or else that of the installed release that defines
    /// its domain.
    pub(crate) fn knowledge_of_activity(&self, activity: &Activity) -> Option<&Arc<Knowledge>> {
        let of_domain = || self.knowledge_for_domain(&activity.problem.domain.as_ref()?.text);
        self.options.knowledge.as_ref().or_else(of_domain)
    }

    /// Returns the knowledge base for an activity; `None` for other programs.
    pub fn knowledge_of(&self, program: &Program) -> Option<&Knowledge> {
        match &program.content {
            ProgramContent::Activity(activity) => self.knowledge_of_activity(activity).map(|knowledge| &**knowledge),
            _ => None,
        }
    }

    /// Reports names in the scene that no knowledge base defines.
    fn check_scene(&mut self) {
        let Some(scene) = &self.options.scene else { return };
        let all_knowledge =
            self.options.knowledge.iter().chain(self.release_knowledge.iter().map(|(_, knowledge)| knowledge));
        let diagnostics = all_knowledge.map(|knowledge| wildcard::unknown_names(scene, knowledge));
        // With several releases, a name is known if any of them defines it.
        let diagnostics = diagnostics.reduce(|mut first, next| {
            first.retain(|(name, _)| next.iter().any(|(other, _)| other == name));
            first
        });
        self.diagnostics.extend(diagnostics.into_iter().flatten().map(|(_, finding)| finding));
    }

    /// Opens the knowledge bases of the installed releases that these texts refer to, unless the options have a knowledge base.
    fn find_knowledge(&mut self, sources: &[SourceId]) {
        if self.options.knowledge.is_some() || self.options.releases.folders().is_empty() {
            return;
        }
        for &source in sources {
            let file = self.sources.file(source);
            if self.language(file) != Language::Bddl {
                continue;
            }
            let domains = parse::named_domains(file, self.options.bddl_dialect);
            for release in domains.iter().filter_map(|domain| release_of(domain)) {
                if let Err(error) = self.open_release(release) {
                    let help = format!("the folder is set by {}", self.options.releases.source());
                    self.diagnostics.push(error.with_help(help));
                    return;
                }
            }
        }
    }

    /// Opens the knowledge base of a release, unless it is open or not installed.
    fn open_release(&mut self, release: Release) -> Result<(), Box<Diagnostic>> {
        if self.release_knowledge.iter().any(|(known, _)| *known == release) {
            return Ok(());
        }
        if let Some(folder) = self.options.releases.knowledge_of(release) {
            let mut knowledge = files::open_knowledge(folder)?;
            self.options.actions.iter().for_each(|actions| knowledge.set_actions(actions.clone()));
            self.release_knowledge.push((release, Arc::new(knowledge)));
        }
        Ok(())
    }

    /// Loads the worlds, then the programs of the inputs, and calls `progress` after each of them. Resource graph games may name
    /// the custom results that recordings among the inputs name.
    pub fn load(inputs: &Inputs, reading: LibraryOptions, progress: &(dyn Fn() + Sync)) -> Self {
        let mut library = Self::with_options(reading);
        for path in &inputs.worlds {
            library.load_world(path);
            progress();
        }
        library.choose_worlds();
        let mut texts = Vec::new();
        let access = library.options.files.clone();
        let read_text = |path: &PathBuf| access.read_text(path);
        let read: Vec<_> = match &library.options.pool {
            None => inputs.programs.iter().map(read_text).collect(),
            Some(pool) => pool.install(|| inputs.programs.par_iter().map(read_text).collect()),
        };
        for (path, text) in inputs.programs.iter().zip(read) {
            match text {
                Ok(text) => texts.push((path.display().to_string(), text)),
                Err(diagnostic) => library.diagnostics.push(*diagnostic),
            }
        }
        library.add_domains(&mut texts);
        library.add_texts(texts, &inputs.traces, progress);
        recordings::advise_on_results(&inputs.traces, &mut library.diagnostics);
        library
    }

    /// Loads worlds, domains and programs from texts in memory, each with a name that stands for a file name: it appears in messages,
    /// and its extension helps to detect the language. The texts may refer to each other in any order; no file is read. A name that
    /// ends with `.world.toml` is that of a world, which may extend another world of the texts.
    ///
    /// [`LibraryOptions::planning_domain`] and [`LibraryOptions::reward_world`] may be names of texts.
    pub fn from_texts<N: Into<String>, T: Into<String>>(
        texts: impl IntoIterator<Item = (N, T)>,
        options: LibraryOptions,
    ) -> Self {
        let mut library = Self::with_options(options);
        let texts = texts.into_iter().map(|(name, text)| (name.into(), text.into()));
        let (worlds, programs): (Vec<_>, Vec<_>) =
            texts.partition(|(name, _): &(String, String)| name.ends_with(files::WORLD_EXTENSION));
        for (name, text) in &worlds {
            library.add_world(name, text.as_str(), &mut |extended| {
                worlds.iter().find(|(other, _)| other.strip_suffix(files::WORLD_EXTENSION) == Some(extended)).cloned()
            });
        }
        library.choose_worlds();
        library.add_texts(programs, &[], &|| ());
        library
    }

    /// Adds the programs and domains of texts that may refer to each other in any order.
    fn add_texts(&mut self, mut texts: Vec<(String, String)>, traces: &[PathBuf], progress: &(dyn Fn() + Sync)) {
        let library = self;
        // Domains precede the texts that use them, and planning problems precede the programs that refer to them.
        texts.sort_by_key(|(name, text)| {
            let is_vocabulary = first_definition(text).is_some_and(|word| word.eq_ignore_ascii_case("domain"));
            (!is_yaml(name, text) && !is_vocabulary, !planning::is_pddl(Path::new(name)))
        });
        let sources: Vec<SourceId> = texts.into_iter().map(|(name, text)| library.sources.add(name, text)).collect();
        library.find_knowledge(&sources);
        library.check_scene();
        if sources.iter().any(|source| library.language(library.sources.file(*source)) == Language::Rgg) {
            library
                .options
                .unimplemented_results
                .extend(traces.iter().flat_map(|path| recordings::custom_result_names(path)));
        }
        // A text is checked against the texts before it. Texts depend on domains and the worlds of resource graph games, and
        // texts other than PDDL also on planning problems. Texts that cannot depend on one another are checked in parallel.
        let has_world = |source: &SourceId| {
            let file = library.sources.file(*source);
            library.language(file) == Language::Rgg || may_define_domain(file.text())
        };
        let is_pddl = |source: &SourceId| library.language(library.sources.file(*source)) == Language::Pddl;
        let together =
            |one: &SourceId, next: &SourceId| !has_world(one) && !has_world(next) && is_pddl(one) == is_pddl(next);
        let runs: Vec<&[SourceId]> = sources.chunk_by(together).collect();
        for run in runs {
            let check = |&source: &SourceId| {
                let checked = library.check(source);
                progress();
                checked
            };
            let checked: Vec<CheckedText> = match &library.options.pool {
                None => run.iter().map(check).collect(),
                Some(pool) => pool.install(|| run.par_iter().map(check).collect()),
            };
            run.iter().zip(checked).for_each(|(&source, checked)| library.add_checked(source, checked));
        }
    }

    /// Adds the text of the domain file that the options choose for planning problems, or else the domain files in the folders of
    /// the problems.
    fn add_domains(&mut self, texts: &mut Vec<(String, String)>) {
        let Some(domain) = &self.options.planning_domain else {
            return texts.extend(planning::find_domain_files(texts, &self.options.files));
        };
        let path = Path::new(domain);
        if texts.iter().any(|(name, _)| Path::new(name) == path) {
            return;
        }
        match self.options.files.read_text(path) {
            Ok(text) => texts.push((domain.clone(), text)),
            Err(diagnostic) => self.diagnostics.push(*diagnostic),
        }
    }

    /// Adds all programs of a text. `name` stands for a file name: it appears in messages, and its extension helps to detect the
    /// language.
    pub fn add_program(&mut self, name: &str, text: impl Into<Arc<str>>) {
        self.choose_worlds();
        let source = self.sources.add(name, text);
        let checked = self.check(source);
        self.add_checked(source, checked);
    }

    /// Returns the language of a text.
    fn language(&self, file: &SourceFile) -> Language {
        detect_language(file, self.options.is_for_activities())
    }

    /// Parses and checks a text against the worlds and domains loaded so far.
    fn check(&self, source: SourceId) -> CheckedText {
        let file = self.sources.file(source);
        match self.language(file) {
            Language::Game => self.check_games(file),
            Language::Bddl => self.check_activities(file),
            Language::Pddl => self.check_planning(file),
            Language::Rgg => self.check_resource(file),
            Language::Reward => self.check_reward(file),
            Language::Plan => CheckedText {
                programs: Vec::new(),
                domains: Vec::new(),
                planning: Vec::new(),
                diagnostics: vec![plan_file_error(file)],
            },
        }
    }

    /// Adds the contents of a checked text to the library.
    fn add_checked(&mut self, source: SourceId, checked: CheckedText) {
        let CheckedText { programs, domains, planning, mut diagnostics } = checked;
        self.planning_domains.extend(planning);
        let is_empty = programs.is_empty() && domains.is_empty();
        if is_empty
            && self.planning_domains.iter().all(|domain| domain.source != source)
            && !diagnostics.iter().any(Diagnostic::is_error)
        {
            let message = format!("`{}` contains no program", self.sources.file(source).name());
            self.diagnostics.push(Diagnostic::new(codes::NO_PROGRAM, Severity::Error, message));
        }
        for mut program in programs {
            if let ProgramContent::Game(game) = &program.content {
                program.world = self.named_worlds.of_games(&game.ast.domain.text);
                diagnostics.extend(self.ambiguous_problem(&game.ast.domain));
            }
            self.named_worlds.add_program(&program);
            self.programs.push(program);
        }
        for domain in domains {
            diagnostics.extend(domains::check_duplicate(&domain, &self.domains));
            self.domains.push(domain);
        }
        // The note that no knowledge base is available is reported only once.
        let is_no_knowledge = |finding: &Diagnostic| finding.code == bddl_codes::NO_KNOWLEDGE;
        if self.diagnostics.iter().any(is_no_knowledge) {
            diagnostics.retain(|finding| !is_no_knowledge(finding));
        }
        self.diagnostics.extend(diagnostics);
    }

    /// Returns the custom results, implemented in code, with which resource graph games are played.
    pub fn custom_results(&self) -> &ResultRegistry {
        &self.options.custom_results
    }

    /// Returns the sources of all loaded texts.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Returns the programs, in the order in which they were added.
    pub fn programs(&self) -> &[Program] {
        &self.programs
    }

    /// Returns the reward functions among the programs, in the same order.
    pub fn reward_programs(&self) -> Vec<NamedRewardProgram<'_>> {
        self.programs.iter().filter_map(Program::as_named_reward).collect()
    }

    /// Returns the BDDL domain of an activity, loaded or built-in.
    pub fn bddl_domain(&self, activity: &Activity) -> Option<&Domain> {
        domains::of_problem(&activity.problem, activity.dialect, &self.domains)
    }

    /// Returns the loaded BDDL domains, each completed with the definitions of the built-in domain of the same name.
    pub fn bddl_domains(&self) -> &[Domain] {
        &self.domains
    }

    /// Returns the loaded domains of planning problems.
    pub fn planning_domains(&self) -> &[Arc<PlanningDomain>] {
        &self.planning_domains
    }

    /// Returns the name of the text with the domain of all planning problems, if the options choose one.
    pub fn chosen_planning_domain(&self) -> Option<&str> {
        self.options.planning_domain.as_deref()
    }

    /// Returns the dialect of activities whose text does not determine another one.
    pub fn dialect(&self) -> Dialect {
        self.options.bddl_dialect
    }

    /// Returns the worlds that were loaded from files.
    pub fn worlds(&self) -> &[Arc<World>] {
        &self.worlds
    }

    /// Returns the worlds of the programs other than reward functions, without duplicates, or the worlds loaded from files if
    /// there are no programs.
    pub fn program_worlds(&self) -> Vec<Arc<World>> {
        let mut seen = FxHashSet::default();
        // Reward functions are scored separately, by `goalspec_rewards::score`.
        let playable = self.programs.iter().filter(|program| program.as_reward().is_none());
        let worlds =
            playable.filter_map(|program| program.world.as_ref()).filter(|world| seen.insert(Arc::as_ptr(world)));
        let worlds = worlds.cloned().collect();
        if self.programs.is_empty() { self.worlds.clone() } else { worlds }
    }

    /// Returns the diagnostics of all loaded texts.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the diagnostics that apply under a semantics. The authors' reward machine runs every game that can be parsed, so
    /// under [`Semantics::Reference`] errors in such games become warnings.
    pub fn diagnostics_under(&self, semantics: Semantics) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics.clone();
        if semantics == Semantics::Reference {
            // The reward machine has its own limit on bindings, which it reports at run time.
            diagnostics.retain(|finding| finding.code != MANY_BINDINGS || !finding.is_error());
            for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.is_error()) {
                if self
                    .programs
                    .iter()
                    .filter_map(Program::as_game)
                    .any(|game| game.is_parsed && lies_in(diagnostic, game.ast.span().into()))
                {
                    diagnostic.severity = Severity::Warning;
                }
            }
        }
        diagnostics
    }
}

/// Returns the canonical layout of a text in its language. Comments are kept.
///
/// # Errors
/// If the text has syntax errors, or is a plan or Python, which have no formatter.
pub fn format(file: &SourceFile) -> Result<String, Diagnostics> {
    let language = detect_language(file, false);
    match language {
        Language::Rgg => return goalspec_rgg::format::format(file),
        Language::Plan => return Err(plan_file_error(file).into()),
        Language::Reward => return Err(python_error(file).into()),
        Language::Game | Language::Bddl | Language::Pddl => {}
    }
    let tree = sexp::parse(file);
    if tree.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(tree.diagnostics.into());
    }
    Ok(match language {
        Language::Bddl => goalspec_bddl::format::format_tree(file, &tree),
        Language::Pddl => goalspec_pddl::format::format_tree(file, &tree),
        _ => goalspec_game::format::format_tree(file, &tree),
    })
}

/// Returns the error that a text is a plan where a program is expected.
fn plan_file_error(file: &SourceFile) -> Diagnostic {
    let message = format!("`{}` is a plan, not a program", file.name());
    let help = format!("use `goalspec validate PROBLEM {}` to validate it", file.name());
    Diagnostic::new(codes::PLAN_FILE, Severity::Error, message).with_help(help)
}
