//! Texts that are loaded together have the same result as texts that are loaded one by one.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use goalspec::bddl::dialect::Release;
use goalspec::files::Inputs;
use goalspec::library::{Library, LibraryOptions};
use goalspec::releases::Releases;

const DOMAIN: &str = "(define (domain shelves) (:predicates (tidy ?a) (near ?a ?b)))";

fn activity(name: &str, predicate: &str) -> String {
    format!(
        "(define (problem {name}) (:domain shelves) (:objects book.n.01_1 - book.n.01)
            (:init (not (tidy book.n.01_1))) (:goal ({predicate} ?book.n.01_1)))"
    )
}

/// The texts in the order of loading. The domain `late` is in a text that begins with an activity.
fn texts() -> Vec<(String, String)> {
    let late = |name: &str| activity(name, "tidy").replace("shelves", "late");
    let mut texts: Vec<String> = (0..20).map(|number| activity(&format!("a-{number}"), "tidy")).collect();
    texts.push(activity("unknown-predicate", "tidi"));
    texts.push(late("too-early"));
    texts.push(format!("{} {}", activity("first", "tidy"), DOMAIN.replace("shelves", "late")));
    texts.extend((0..20).map(|number| late(&format!("b-{number}"))));
    texts.push(DOMAIN.to_owned());
    texts.push("; nothing".to_owned());
    texts.into_iter().enumerate().map(|(number, text)| (format!("{number:02}.bddl"), text)).collect()
}

/// Describes all programs, whether they can be run, and the diagnostics.
fn seen(library: &Library) -> (Vec<(String, bool)>, Vec<String>) {
    let programs = library.programs().iter().map(|program| (program.name.to_string(), program.world.is_some()));
    let finding = |found: &goalspec::syntax::Diagnostic| {
        let file = found.span.map(|span| library.sources().file(span.source).name().to_owned());
        format!("{} in {file:?}: {}", found.code, found.message)
    };
    (programs.collect(), library.diagnostics().iter().map(finding).collect())
}

#[test]
fn texts_loaded_together_are_as_texts_added_one_by_one() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("loading");
    std::fs::create_dir_all(&folder).expect("there is a folder for tests");
    let texts: Vec<(String, String)> =
        texts().into_iter().map(|(name, text)| (folder.join(name).display().to_string(), text)).collect();
    for (path, text) in &texts {
        std::fs::write(path, text).expect("the folder can be written to");
    }
    let programs = texts.iter().map(|(path, _)| PathBuf::from(path)).collect();
    let together = Library::load(&Inputs { programs, ..Inputs::default() }, LibraryOptions::default(), &|| {});

    let mut one_by_one = Library::new();
    // Texts that begin with a domain come first.
    let (vocabularies, others): (Vec<_>, Vec<_>) = texts.iter().partition(|(_, text)| text == DOMAIN);
    for (path, text) in vocabularies.into_iter().chain(others) {
        one_by_one.add_program(path, text.as_str());
    }
    assert_eq!(seen(&together), seen(&one_by_one));

    let (programs, found) = seen(&together);
    assert_eq!(programs.len(), 43);
    let failing: Vec<&str> =
        programs.iter().filter(|(_, runs)| !runs).map(|(name, _)| name.rsplit('/').next().unwrap_or(name)).collect();
    assert_eq!(failing, ["20.bddl", "21.bddl"], "{found:?}");
}

/// Returns a text as a zstd frame with a single uncompressed block.
fn stored(text: &str) -> Vec<u8> {
    let size = u8::try_from(text.len()).expect("a short text");
    // The header of the last block has its size in three bytes.
    let block = u32::from(size) << 3 | 1;
    let mut frame = vec![0x28, 0xB5, 0x2F, 0xFD, 0x20, size];
    frame.extend(&block.to_le_bytes()[..3]);
    frame.extend(text.as_bytes());
    frame
}

fn gzipped(text: &str) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(text.as_bytes()).expect("memory can be written to");
    packed.finish().expect("memory can be written to")
}

#[test]
fn worlds_that_others_extend_may_be_packed() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("packed-worlds");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("there is a folder for tests");
    let write = |name: &str, content: &[u8]| std::fs::write(folder.join(name), content).expect("it can be written");
    let extending = |base: &str| {
        write("mine.world.toml", format!("name = \"mine\"\nextends = \"{base}\"\n").as_bytes());
        let mut library = Library::new();
        library.load_world(&folder.join("mine.world.toml"));
        library
    };
    let near = "name = \"near\"\nextends = \"few-objects-room-v1\"\n";
    write("zipped.world.toml.gz", &gzipped(&near.replace("near", "zipped")));
    write("stored.world.toml.zst", &stored(&near.replace("near", "stored")));
    let gzip = gzipped(near);
    write("cut.world.toml.gz", &gzip[..gzip.len() - 12]);
    for (base, wanted) in
        [("zipped", None), ("stored", None), ("cut", Some("cut.world.toml.gz")), ("planet", Some("planet"))]
    {
        let library = extending(base);
        let found: Vec<&str> = library.diagnostics().iter().map(|found| &*found.message).collect();
        match wanted {
            None => assert!(
                found.is_empty() && library.all_worlds().iter().any(|world| world.name() == "mine"),
                "{base}: {found:?}"
            ),
            Some(part) => assert!(found.iter().any(|message| message.contains(part)), "{base}: {found:?}"),
        }
    }
    // Plain files come before compressed ones.
    write("zipped.world.toml", b"name = \"zipped\"\nextends = \"planet\"\n");
    let library = extending("zipped");
    assert!(library.diagnostics().iter().any(|found| found.message.contains("planet")), "{:?}", library.diagnostics());
}

/// With several releases installed, each activity gets the knowledge base of its own release.
#[test]
fn activities_get_the_knowledge_of_their_release() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/data");
    let folders = ["bddl-3.6.0", "bddl-1.0.0"].map(|name| data.join(name));
    if !folders.iter().all(|folder| folder.is_dir()) {
        return eprintln!("skipped: two releases are needed (run `cargo xtask fetch-bddl`)");
    }
    let base = std::env::temp_dir().join(format!("goalspec-several-releases-{}", std::process::id()));
    std::fs::create_dir_all(&base).expect("it can be made");
    let file = |domain: &str| {
        let text = format!("(define (problem p-0) (:domain {domain}) (:objects) (:init) (:goal (and)))");
        let path = base.join(format!("{domain}.bddl"));
        std::fs::write(&path, text).expect("it can be written");
        path
    };
    let files = [file("igibson"), file("omnigibson")];
    for folders in [folders.to_vec(), folders.iter().rev().cloned().collect()] {
        for programs in [files.to_vec(), files.iter().rev().cloned().collect()] {
            let releases = Releases::in_folders(folders.clone());
            let inputs = Inputs { programs, ..Inputs::default() };
            let reading = LibraryOptions { releases, ..LibraryOptions::default() };
            let library = Library::load(&inputs, reading, &|| {});
            for program in library.programs() {
                let release = library.knowledge_of(program).map(|knowledge| knowledge.edition().release());
                let own = if program.name.contains("igibson.") && !program.name.contains("omni") {
                    Release::V1_0
                } else {
                    Release::V3_6
                };
                assert_eq!(release, Some(own), "{}", program.name);
            }
            assert_eq!(library.programs().len(), 2);
        }
    }
    std::fs::remove_dir_all(base).expect("it can be removed");
}
