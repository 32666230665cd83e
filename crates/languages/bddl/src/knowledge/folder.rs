//! Loading of a knowledge base from the files of a release.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use goalspec_syntax::diagnostic::{Diagnostic, Severity};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use super::argument_requirements::ArgumentRequirements;
use super::data_files::{Inventory, Layouts, Node, RuleEntry, RuleStates, SynsetCounts, WasherTable};
use super::files::Files;
use super::rules::{MachineRole, RuleState, TransitionRule, TransitionRules, WashedSubstance};
use super::scenes::{Room, Scene};
use super::taxonomy::{SynsetId, Taxonomy};
use super::{Edition, Knowledge, build, list};
use crate::codes;
use crate::dialect::Release;

/// The synset trees of release 1.0.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SynsetTree {
    /// `hierarchy_owned.json`: the synsets with object models.
    #[default]
    Owned,
    /// `hierarchy_all.json`.
    All,
    /// `hierarchy_articles.json`.
    Articles,
}

impl SynsetTree {
    fn file(self) -> &'static str {
        match self {
            Self::Owned => "hierarchy_owned.json",
            Self::All => "hierarchy_all.json",
            Self::Articles => "hierarchy_articles.json",
        }
    }
}

/// The file that maps substances to the washing agents that remove them; it contains no transition rules.
const WASHER_TABLE: &str = "washer.json";

pub(super) fn open(files: Files<'_>, folder: &Path, tree: SynsetTree) -> Result<Knowledge, Box<Diagnostic>> {
    match layout(files, folder, tree) {
        Some((Release::V3_6, folder)) => return generated(files, &folder),
        Some((Release::V1_0, file)) => return hierarchy(files, &file),
        None => {}
    }
    let message = format!("no knowledge base in {}", folder.display());
    let diagnostic = Diagnostic::new(codes::KNOWLEDGE_UNREADABLE, Severity::Error, message);
    Err(Box::new(
        diagnostic
            .with_help("specify the folder of the release that contains `generated_data` or `hierarchy_owned.json`"),
    ))
}

/// Returns the layout of a folder with the path of its data: the folder `generated_data`, or the file of the tree.
pub(super) fn layout(files: Files<'_>, folder: &Path, tree: SynsetTree) -> Option<(Release, PathBuf)> {
    [folder.to_path_buf(), folder.join("bddl")].into_iter().find_map(|folder| {
        let (data, hierarchy) = (folder.join("generated_data"), folder.join(tree.file()));
        let old = || files.has_file(&hierarchy).then_some((Release::V1_0, hierarchy.clone()));
        if files.has_folder(&data) { Some((Release::V3_6, data)) } else { old() }
    })
}

/// Loads the layout of 1.0.0: a tree of synsets.
fn hierarchy(files: Files<'_>, path: &Path) -> Result<Knowledge, Box<Diagnostic>> {
    let mut remarks = Vec::new();
    let taxonomy = read_taxonomy(files, path, &mut remarks)?;
    let rules = TransitionRules::new(&taxonomy, Vec::new(), Vec::new());
    let (scenes, room_types) = (Vec::new(), Vec::new());
    let edition = Edition::V1_0;
    let argument_requirements = ArgumentRequirements::new(edition, &taxonomy);
    Ok(Knowledge {
        edition,
        taxonomy,
        needs: argument_requirements,
        rules,
        scenes,
        room_types,
        models: None,
        remarks,
        actions: None,
    })
}

/// The files in `generated_data` that exist since 3.5.0.
const SINCE_3_5: [&str; 4] =
    ["object_inventory.json", "combined_room_object_list.json", "object_renames.csv", "deletion_queue.csv"];

/// Loads the layout of 3.x: a tree of synsets, transition rules, types of rooms and, since 3.5.0, object models and scenes.
fn generated(files: Files<'_>, folder: &Path) -> Result<Knowledge, Box<Diagnostic>> {
    let mut remarks = Vec::new();
    let taxonomy = read_taxonomy(files, &folder.join("output_hierarchy_properties.json"), &mut remarks)?;
    let rules = read_rules(files, &folder.join("transition_map").join("tm_jsons"), &taxonomy, &mut remarks)?;
    let (mut edition, mut models, mut scenes) = (Edition::V3_1, None, Vec::new());
    if SINCE_3_5.iter().any(|file| files.has_file(&folder.join(file))) {
        let changes = Changes::read(files, folder)?;
        let inventory = folder.join(SINCE_3_5[0]);
        let read = read_models(files, &inventory, &taxonomy, &changes, &mut remarks)?;
        (edition, models) = (read.edition, Some(read.models));
        scenes = read_scenes(files, &folder.join(SINCE_3_5[1]), &taxonomy, &changes, &mut remarks)?;
    }
    let mut room_types = Vec::new();
    read_table(files, &folder.join("allowed_room_types.csv"), ["Room Name"], |[kind]| {
        room_types.push(Arc::from(kind));
    })?;
    let argument_requirements = ArgumentRequirements::new(edition, &taxonomy);
    Ok(Knowledge {
        edition,
        taxonomy,
        needs: argument_requirements,
        rules,
        scenes,
        room_types,
        models,
        remarks,
        actions: None,
    })
}

fn read_taxonomy(files: Files<'_>, path: &Path, remarks: &mut Vec<Diagnostic>) -> Result<Taxonomy, Box<Diagnostic>> {
    let text = files.read(path)?;
    let root: Node<'_> = json(path, &text)?;
    build::taxonomy(&path.display().to_string(), &root, remarks)
}

fn read_rules(
    files: Files<'_>,
    folder: &Path,
    taxonomy: &Taxonomy,
    remarks: &mut Vec<Diagnostic>,
) -> Result<TransitionRules, Box<Diagnostic>> {
    let mut paths = files.list(folder)?;
    paths.retain(|path| path.extension().is_some_and(|kind| kind == "json"));
    let (mut rules, mut washed) = (Vec::new(), Vec::new());
    for path in paths {
        let text = files.read(&path)?;
        if path.ends_with(WASHER_TABLE) {
            washed = washed_substances(taxonomy, &json(&path, &text)?);
            continue;
        }
        let kind: Arc<str> = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default().into();
        let entries: Vec<RuleEntry<'_>> = json(&path, &text)?;
        let mut unknown = Vec::new();
        for entry in &entries {
            match rule(taxonomy, &kind, entry) {
                Some(rule) => rules.push(rule),
                None => unknown.push(&*entry.rule_name.0),
            }
        }
        mismatch(remarks, &path, "ignored rules with unknown synsets", &unknown);
    }
    Ok(TransitionRules::new(taxonomy, rules, washed))
}

/// Resolves the substances of a table of washing machines. Unknown agents are left out.
fn washed_substances(taxonomy: &Taxonomy, table: &WasherTable<'_>) -> Vec<WashedSubstance> {
    let known = table.0.iter().filter_map(|(substance, agents)| {
        let agents = agents.as_ref()?.iter().filter_map(|agent| taxonomy.synset(&agent.0)).collect();
        Some(WashedSubstance { substance: taxonomy.synset(&substance.0)?, agents })
    });
    known.collect()
}

/// Resolves the synsets of a rule; `None` if one of them is unknown. A washed item is both an input and an output.
fn rule(taxonomy: &Taxonomy, kind: &Arc<str>, entry: &RuleEntry<'_>) -> Option<TransitionRule> {
    let counted = |fields: &[&Option<SynsetCounts<'_>>]| -> Option<(Vec<SynsetId>, Vec<u32>)> {
        let counts = fields.iter().flat_map(|field| field.iter().flat_map(|counts| &counts.0));
        counts.map(|(name, count)| Some((taxonomy.synset(&name.0)?, *count))).collect()
    };
    // States of unknown synsets constrain nothing.
    let states = |states: &Option<RuleStates<'_>>| -> Box<[RuleState]> {
        let mut resolved = Vec::new();
        for (names, values) in states.iter().flat_map(|states| &states.0) {
            let synsets = names.0.split(',').map(|name| taxonomy.synset(name.trim())).collect::<Option<_>>();
            let Some(synsets): Option<Box<[SynsetId]>> = synsets else { continue };
            resolved.extend(values.iter().map(|(predicate, value)| RuleState {
                synsets: synsets.clone(),
                predicate: Arc::from(&*predicate.0),
                value: *value,
            }));
        }
        resolved.into()
    };
    let (inputs, input_counts) = counted(&[&entry.input_synsets, &entry.washed_item])?;
    let (outputs, output_counts) = counted(&[&entry.output_synsets, &entry.washed_item])?;
    let (mut machines, mut machine_roles) = (Vec::new(), Vec::new());
    for (role, field) in [
        (MachineRole::Machine, &entry.machine),
        (MachineRole::HeatSource, &entry.heat_source),
        (MachineRole::Container, &entry.container),
    ] {
        let (synsets, _) = counted(&[field])?;
        machine_roles.extend(synsets.iter().map(|_| role));
        machines.extend(synsets);
    }
    Some(TransitionRule {
        name: Arc::from(&*entry.rule_name.0),
        kind: Arc::clone(kind),
        inputs: inputs.into(),
        machines: machines.into(),
        outputs: outputs.into(),
        input_counts: input_counts.into(),
        output_counts: output_counts.into(),
        machine_roles: machine_roles.into(),
        input_states: states(&entry.input_states),
        output_states: states(&entry.output_states),
    })
}

/// Changes to object models since they were named: renamed categories and deleted models.
struct Changes {
    renamed: FxHashMap<String, String>,
    deleted: FxHashSet<String>,
}

impl Changes {
    fn read(files: Files<'_>, folder: &Path) -> Result<Self, Box<Diagnostic>> {
        let [.., renames, deletions] = SINCE_3_5;
        let mut changes = Self { renamed: FxHashMap::default(), deleted: FxHashSet::default() };
        read_table(files, &folder.join(renames), ["Object name", "New Category"], |[name, category]| {
            if let Some((_, id)) = name.split_once('-') {
                changes.renamed.insert(id.to_owned(), category.to_owned());
            }
        })?;
        read_table(files, &folder.join(deletions), ["Object"], |[name]| {
            if let Some((_, id)) = name.split_once('-') {
                changes.deleted.insert(id.to_owned());
            }
        })?;
        Ok(changes)
    }

    /// Returns the current category of an object model by its name `CATEGORY-ID`; `None` if the model is deleted.
    fn category<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        let (category, id) = name.split_once('-').unwrap_or((name, ""));
        (!self.deleted.contains(id)).then(|| self.renamed.get(id).map_or(category, String::as_str))
    }
}

/// The contents of the inventory of object models.
struct Models {
    edition: Edition,
    /// The number of object models of each synset including its descendants.
    models: Vec<u32>,
}

/// Counts the object models of each synset including its descendants. Particle models of substances do not count.
fn read_models(
    files: Files<'_>,
    path: &Path,
    taxonomy: &Taxonomy,
    changes: &Changes,
    remarks: &mut Vec<Diagnostic>,
) -> Result<Models, Box<Diagnostic>> {
    let text = files.read(path)?;
    let inventory: Inventory<'_> = json(path, &text)?;
    let mut models = vec![0u32; taxonomy.len()];
    let mut unknown = Vec::new();
    for category in inventory.providers.0.iter().filter_map(|(name, _)| changes.category(&name.0)) {
        match taxonomy.synsets_of_category(category) {
            [] if taxonomy.synsets_of_substance(category).is_empty() => unknown.push(category),
            synsets => synsets.iter().for_each(|synset| models[synset.index()] += 1),
        }
    }
    mismatch(remarks, path, "ignored object models of unknown categories", &unknown);
    let below = |synset| taxonomy.descendants(synset).map(|below| models[below.index()]).sum::<u32>();
    let edition = if inventory.attachment_pairs.is_some() { Edition::V3_6 } else { Edition::V3_5 };
    let models = (0..taxonomy.len()).map(|index| models[index] + below(SynsetId(index as u32))).collect();
    Ok(Models { edition, models })
}

fn read_scenes(
    files: Files<'_>,
    path: &Path,
    taxonomy: &Taxonomy,
    changes: &Changes,
    remarks: &mut Vec<Diagnostic>,
) -> Result<Vec<Scene>, Box<Diagnostic>> {
    let text = files.read(path)?;
    let layouts: Layouts<'_> = json(path, &text)?;
    let mut unknown = Vec::new();
    let mut scenes = Vec::with_capacity(layouts.scenes.0.len());
    for (name, rooms) in &layouts.scenes.0 {
        let mut scene = Scene { name: Arc::from(&*name.0), rooms: Vec::with_capacity(rooms.0.len()) };
        for (name, objects) in &rooms.0 {
            let mut counts: Vec<(SynsetId, u32)> = Vec::new();
            for (object, count) in &objects.0 {
                let Some(category) = changes.category(&object.0) else { continue };
                match taxonomy.synsets_of_category(category) {
                    [] => unknown.push(category),
                    [synset, ..] => counts.push((*synset, *count)),
                }
            }
            let kind = name.0.rsplit_once('_').map_or(&*name.0, |(kind, _)| kind);
            scene.rooms.push(Room { name: Arc::from(&*name.0), room_type: Arc::from(kind), objects: merged(counts) });
        }
        scenes.push(scene);
    }
    mismatch(remarks, path, "ignored objects of unknown categories", &unknown);
    Ok(scenes)
}

/// Sums the counts of equal synsets.
fn merged(mut counts: Vec<(SynsetId, u32)>) -> Vec<(SynsetId, u32)> {
    counts.sort_unstable();
    counts.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 = earlier.1.saturating_add(later.1);
        }
        same
    });
    counts
}

/// Calls `row` with the trimmed fields of the given columns, for each row of a CSV table with a header.
fn read_table<const N: usize>(
    files: Files<'_>,
    path: &Path,
    columns: [&str; N],
    mut row: impl FnMut([&str; N]),
) -> Result<(), Box<Diagnostic>> {
    let text = files.read(path)?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let damaged = |error: csv::Error| super::files::damaged(path, &error);
    let head = reader.headers().map_err(damaged)?;
    let mut places = [0; N];
    for (place, column) in places.iter_mut().zip(columns) {
        let found = head.iter().position(|name| name == column);
        *place = found.ok_or_else(|| super::files::damaged(path, &format!("missing column `{column}`")))?;
    }
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(damaged)? {
        row(places.map(|place| record.get(place).unwrap_or_default().trim()));
    }
    Ok(())
}

/// Parses a JSON file.
fn json<'a, T: Deserialize<'a>>(path: &Path, text: &'a str) -> Result<T, Box<Diagnostic>> {
    serde_json::from_str(text).map_err(|error| super::files::damaged(path, &error))
}

/// Adds a remark about the entries of a file that are left out, if there are any.
fn mismatch(remarks: &mut Vec<Diagnostic>, path: &Path, what: &str, names: &[&str]) {
    if !names.is_empty() {
        let message = format!("{}: {what}: {}", path.display(), list(names));
        remarks.push(Diagnostic::new(codes::KNOWLEDGE_MISMATCH, Severity::Note, message));
    }
}
