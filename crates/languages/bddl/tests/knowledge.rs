//! The knowledge bases of the releases, and the errors for damaged ones.

use std::path::{Path, PathBuf};

use goalspec_bddl::dialect::Release;
use goalspec_bddl::knowledge::rules::MachineAvailability;
use goalspec_bddl::knowledge::taxonomy::{SynsetId, Taxonomy};
use goalspec_bddl::knowledge::{Knowledge, SynsetTree};

use crate::common;

/// Returns the folder of a release, if it has been downloaded.
fn folder(release: Release) -> Option<PathBuf> {
    Some(common::definitions(release)?.parent()?.to_path_buf())
}

fn knowledge(release: Release) -> Option<Knowledge> {
    let knowledge = Knowledge::open(&folder(release)?).expect("the release is complete");
    assert_eq!(knowledge.inconsistencies(), []);
    Some(knowledge)
}

fn synset(taxonomy: &Taxonomy, name: &str) -> SynsetId {
    taxonomy.synset(name).unwrap_or_else(|| panic!("no {name}"))
}

fn names(taxonomy: &Taxonomy, synsets: impl IntoIterator<Item = SynsetId>) -> Vec<&str> {
    synsets.into_iter().map(|synset| &**taxonomy.name(synset)).collect()
}

#[test]
fn the_taxonomy_of_1_0_0_matches_its_tests() {
    let Some(knowledge) = knowledge(Release::V1_0) else { return };
    assert_eq!(knowledge.release(), Release::V1_0);
    let taxonomy = knowledge.taxonomy();
    let find = |name| synset(taxonomy, name);
    let (entity, home, kitchen, stove) =
        (find("entity.n.01"), find("home_appliance.n.01"), find("kitchen_appliance.n.01"), find("stove.n.01"));

    let [picture] = taxonomy.synsets_of_category("picture") else { panic!("one synset has pictures") };
    assert!(taxonomy.categories(*picture).any(|category| category == "picture"));
    assert!(taxonomy.synsets_of_category("invalid_category").is_empty());

    let fruit: Vec<&str> = taxonomy.subtree_categories(find("fruit.n.01")).collect();
    assert!(fruit.contains(&"apple") && !fruit.contains(&"potato"));

    assert!(taxonomy.contains("entity.n.01") && !taxonomy.contains("otherworldly_being.n.01"));

    let descendants = names(taxonomy, taxonomy.descendants(home));
    assert!(descendants.contains(&"kitchen_appliance.n.01") && descendants.contains(&"stove.n.01"));
    assert!(!descendants.contains(&"entity.n.01"));
    let leaves = names(taxonomy, taxonomy.leaves(home));
    assert!(leaves.contains(&"stove.n.01") && !leaves.contains(&"kitchen_appliance.n.01"));

    let ancestors = names(taxonomy, taxonomy.ancestors(kitchen));
    assert!(
        ancestors.contains(&"entity.n.01")
            && ancestors.contains(&"home_appliance.n.01")
            && !ancestors.contains(&"stove.n.01")
    );
    assert!(taxonomy.is_descendant(kitchen, entity) && !taxonomy.is_descendant(entity, kitchen));
    assert!(taxonomy.is_ancestor(entity, kitchen) && !taxonomy.is_ancestor(kitchen, entity));
    assert!(!taxonomy.is_ancestor(kitchen, kitchen));

    let abilities: Vec<&str> =
        taxonomy.ability_names().filter(|&(id, _)| taxonomy.has_ability(stove, id)).map(|(_, name)| name).collect();
    assert!(abilities.contains(&"heatSource") && !abilities.contains(&"burnable"));
    assert!(taxonomy.abilities(stove).eq(abilities.iter().filter_map(|name| taxonomy.ability(name))));
    assert!(taxonomy.parameters(stove, taxonomy.ability("heatSource").unwrap()).unwrap().contains_key("temperature"));

    let television: Vec<&str> = taxonomy.categories(find("television_receiver.n.01")).collect();
    assert!(television.contains(&"standing_tv") && television.contains(&"wall_mounted_tv"));

    let children = names(taxonomy, taxonomy.children(kitchen).to_vec());
    assert!(children.contains(&"microwave.n.02") && !children.contains(&"home_appliance.n.01"));
    assert_eq!(taxonomy.parents(stove), [kitchen]);
    assert!(taxonomy.parents(entity).is_empty());
    assert!(taxonomy.is_leaf(find("microwave.n.02")) && !taxonomy.is_leaf(home));
}

#[test]
fn the_trees_of_1_0_0_have_their_sizes() {
    let Some(folder) = folder(Release::V1_0) else { return };
    for (tree, synsets) in [(SynsetTree::Owned, 756), (SynsetTree::All, 1822), (SynsetTree::Articles, 1721)] {
        let knowledge = Knowledge::open_tree(&folder, tree).unwrap();
        assert_eq!(knowledge.taxonomy().len(), synsets, "{tree:?}");
        assert_eq!(knowledge.taxonomy().ability_names().count(), 19, "{tree:?}");
    }
}

#[test]
fn the_taxonomy_of_3_6_0_has_its_size() {
    let Some(knowledge) = knowledge(Release::V3_6) else { return };
    let taxonomy = knowledge.taxonomy();
    let all = || taxonomy.synsets();
    assert_eq!((taxonomy.len(), taxonomy.edge_count()), (3481, 3617));
    assert_eq!(all().filter(|&synset| taxonomy.parents(synset).len() > 1).count(), 129);
    assert_eq!(all().filter(|&synset| taxonomy.is_leaf(synset)).count(), 2554);
    assert_eq!(all().map(|synset| taxonomy.categories(synset).count()).sum::<usize>(), 1826);
    assert_eq!(all().map(|synset| taxonomy.substances(synset).count()).sum::<usize>(), 813);
    let counts =
        [("nonSubstance", 2342), ("substance", 944), ("fillable", 264), ("sceneObject", 114), ("heatSource", 20)];
    for (ability, count) in counts {
        let id = taxonomy.ability(ability).unwrap();
        assert_eq!(all().filter(|&synset| taxonomy.has_ability(synset, id)).count(), count, "{ability}");
    }
    assert_eq!(taxonomy.ability_names().count(), 50);
    assert!(all().all(|synset| taxonomy.is_leaf(synset) || taxonomy.categories(synset).next().is_none()));
}

/// The table of descendants agrees with a traversal along the edges.
#[test]
fn descendants_are_the_synsets_reachable_through_children() {
    let Some(knowledge) = knowledge(Release::V3_6) else { return };
    let taxonomy = knowledge.taxonomy();
    for synset in taxonomy.synsets() {
        let mut walked = vec![false; taxonomy.len()];
        let mut open = taxonomy.children(synset).to_vec();
        while let Some(descendant) = open.pop() {
            if !std::mem::replace(&mut walked[descendant.index()], true) {
                open.extend(taxonomy.children(descendant));
            }
        }
        let closure: Vec<usize> = taxonomy.descendants(synset).map(SynsetId::index).collect();
        assert!((0..taxonomy.len()).filter(|&index| walked[index]).eq(closure), "{}", taxonomy.name(synset));
    }
}

/// A synset with children has the abilities that all its leaves have.
#[test]
fn abilities_of_kinds_are_those_of_all_their_leaves() {
    for release in [Release::V1_0, Release::V3_6] {
        let Some(knowledge) = knowledge(release) else { return };
        let taxonomy = knowledge.taxonomy();
        for synset in taxonomy.synsets().filter(|&synset| !taxonomy.is_leaf(synset)) {
            for (ability, name) in taxonomy.ability_names() {
                let all = taxonomy.leaves(synset).all(|leaf| taxonomy.has_ability(leaf, ability));
                assert_eq!(taxonomy.has_ability(synset, ability), all, "{release:?}: {} {name}", taxonomy.name(synset));
            }
        }
    }
}

#[test]
fn rules_produce_objects_from_objects() {
    let Some(knowledge) = knowledge(Release::V3_6) else { return };
    let (taxonomy, rules) = (knowledge.taxonomy(), knowledge.rules());
    // All files except `washer.json`: 32 + 14 + 39 + 207 + 416 + 26 + 334 + 6 + 90 + 1651.
    assert_eq!(rules.all().len(), 2815);
    let find = |name| synset(taxonomy, name);
    let is_made = |start: &[&'static str], machines, wanted: &'static str| {
        rules.reachable(taxonomy, start.iter().map(|name| find(name)), machines).contains(find(wanted))
    };
    assert!(is_made(&["apple.n.01"], MachineAvailability::Required, "half__apple.n.01"));
    assert!(is_made(&["apple.n.01"], MachineAvailability::Required, "cooked__diced__apple.n.01"));
    assert!(!is_made(&["half__apple.n.01"], MachineAvailability::Assumed, "apple.n.01"));
    assert!(!is_made(&["coffee_bean.n.01", "water.n.06"], MachineAvailability::Required, "drip_coffee.n.01"));
    assert!(is_made(&["coffee_bean.n.01", "water.n.06"], MachineAvailability::Assumed, "drip_coffee.n.01"));
    assert!(is_made(
        &["coffee_bean.n.01", "water.n.06", "coffee_maker.n.01"],
        MachineAvailability::Required,
        "drip_coffee.n.01"
    ));
    assert!(rules.with_output(find("drip_coffee.n.01")).any(|rule| &*rule.name == "drip_coffee_0"));
}

#[test]
fn scenes_have_rooms_with_objects() {
    let Some(knowledge) = knowledge(Release::V3_6) else { return };
    assert_eq!(knowledge.scenes().len(), 51);
    assert_eq!(knowledge.scenes().iter().map(|scene| scene.rooms.len()).sum::<usize>(), 374);
    assert_eq!(knowledge.room_types().count(), 39);
    for room in knowledge.scenes().iter().flat_map(|scene| &scene.rooms) {
        assert!(knowledge.room_types().any(|kind| kind == &*room.room_type), "{}", room.room_type);
    }
    let apple = synset(knowledge.taxonomy(), "apple.n.01");
    assert!(knowledge.model_count(apple).is_some_and(|models| models > 0));
}

#[test]
fn damaged_files_are_named() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bddl-knowledge");
    std::fs::create_dir_all(&folder).unwrap();
    let open = |text: &str| {
        std::fs::write(folder.join("hierarchy_owned.json"), text).unwrap();
        Knowledge::open(&folder)
    };
    let error = |text: &str| {
        let error = open(text).expect_err(text);
        assert!(error.message.contains("hierarchy_owned.json"), "{}", error.message);
        (error.code.0, error.message)
    };
    let (code, message) = error("{\n  \"name\": 1\n}");
    assert_eq!(code, "bddl/knowledge-damaged");
    assert!(message.contains("line 2 column 11"), "{message}");
    assert_eq!(error("{\"name\": \"a\"").0, "bddl/knowledge-damaged");
    assert_eq!(error(&"{\"name\": \"a\", \"children\": [".repeat(10_000)).0, "bddl/knowledge-damaged");

    let node = |name: &str, more: &str| format!("{{\"name\": \"{name}\", {more}}}");
    let a_in_b = node("b", &format!("\"children\": [{}]", node("a", "\"children\": []")));
    let (code, message) = error(&node("a", &format!("\"children\": [{a_in_b}]")));
    assert_eq!(code, "bddl/knowledge-cycle");
    assert!(message.contains("`a`") && message.contains("`b`"), "{message}");

    let twice = [node("b", "\"abilities\": {\"x\": {}}"), node("b", "\"abilities\": {}")].join(", ");
    let knowledge = open(&node("a", &format!("\"children\": [{twice}]"))).unwrap();
    assert_eq!(knowledge.inconsistencies().len(), 1);
    assert!(knowledge.inconsistencies()[0].message.contains("`b`"));
    let taxonomy = knowledge.taxonomy();
    let able = |name| taxonomy.has_ability(synset(taxonomy, name), taxonomy.ability("x").unwrap());
    assert!(able("b") && able("a"), "what nothing is said of can do what all below it can do");

    let missing = Knowledge::open(&folder.join("nothing")).expect_err("there is nothing");
    assert_eq!(missing.code.0, "bddl/knowledge-unreadable");
}

/// Texts in memory give the same knowledge base as files on disk.
#[test]
fn texts_do_instead_of_files() {
    let tree = r#"{"name": "a", "children": [{"name": "b", "categories": ["c"], "abilities": {"x": {}}}]}"#;
    let build = |path: &str, text: &str| Knowledge::from_texts(&[(path.into(), text.to_owned())].into());
    for folder in ["", "bddl/"] {
        let knowledge = build(&format!("{folder}hierarchy_owned.json"), tree).expect("the knowledge base is complete");
        assert_eq!((knowledge.release(), knowledge.taxonomy().len()), (Release::V1_0, 2));
        assert_eq!(names(knowledge.taxonomy(), knowledge.taxonomy().synsets_of_category("c").to_vec()), ["b"]);
    }
    let path = "generated_data/output_hierarchy_properties.json";
    let missing = build(path, tree).expect_err("the other files are missing");
    assert_eq!(missing.code.0, "bddl/knowledge-unreadable");
    let damaged = build(path, "[]").expect_err("it is no tree");
    assert!(damaged.code.0 == "bddl/knowledge-damaged" && damaged.message.starts_with(path), "{}", damaged.message);
    let none = build("other.json", tree).expect_err("there is nothing");
    assert_eq!(none.code.0, "bddl/knowledge-unreadable");
}
