//! Reward functions written for this project in the styles of language models: half of them with a planted defect, half of them similar programs without.
//!
//! The first line of each says what is to be found: `finds:` kinds of findings, `causes:` the kinds that stand at the top where findings have
//! one cause, or `clean`. The folder `held-out` was not looked at while the rules were written: the first run over it found 22 of 23 planted defects,
//! one of which was none, and one finding that did not hold, of terms that make up for each other.

use std::collections::BTreeMap;
use std::path::Path;

use goalspec::audit::{self, Audit, AuditOptions};
use goalspec::files::Inputs;
use goalspec::library::{Library, LibraryOptions};
use goalspec::syntax::Severity;
use goalspec::trace::TraceInput;

use super::super::conformance;

/// Kinds that are looked for; of other kinds, programs may have findings.
const KINDS: [&str; 5] = ["presence-reward", "level-reward", "unbounded", "out-of-range", "state-leak"];

/// Kinds that may be causes or follow from one.
const CAUSES: [&str; 12] = [
    "dead-term",
    "dead-threshold",
    "dead-comparison",
    "constant",
    "constant-comparison",
    "dominant-term",
    "unknown-class",
    "unknown-attribute",
    "unreachable",
    "raises",
    "possibly-none",
    "component-unused",
];

/// The numbers of findings of a kind that were expected and found, found alone, and expected alone.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Hits {
    both: usize,
    false_positives: usize,
    missed: usize,
}

fn audited(program: &Path, text: &str) -> Option<Audit> {
    let game = text.lines().find_map(|line| line.strip_prefix("from ocatari.ram.")?.split(' ').next())?;
    let folder = conformance("reward")?;
    let inputs = ["random", "scripted"]
        .map(|policy| TraceInput::File(folder.join(format!("traces/{game}_{policy}_s0.jsonl.gz"))));
    let programs = vec![program.to_owned()];
    let library = Library::load(&Inputs { programs, ..Inputs::default() }, LibraryOptions::default(), &|| ());
    let errors: Vec<_> = library.diagnostics().iter().filter(|finding| finding.is_error()).collect();
    assert!(errors.is_empty(), "{}: {errors:?}", program.display());
    let programs = library.reward_programs();
    let mut audits = audit::audit(&programs, &[], &inputs, &AuditOptions::default(), &|_| ()).audits;
    assert_eq!(audits.len(), 1, "{}", program.display());
    audits.pop()
}

/// Returns the expected findings, sorted, of a first line such as `# finds: level-reward, state-leak`.
fn expected<'t>(text: &'t str, word: &str) -> Option<Vec<&'t str>> {
    let rest = text.lines().next()?.strip_prefix("# ")?.strip_prefix(word)?;
    let mut kinds: Vec<&str> = rest.split(',').map(str::trim).filter(|kind| !kind.is_empty()).collect();
    kinds.sort_unstable();
    Some(kinds)
}

fn count(expected: &[&str], found: &[&str], hits: &mut BTreeMap<String, Hits>) -> bool {
    let mut rest = found.to_vec();
    for kind in expected {
        let own = hits.entry((*kind).to_owned()).or_default();
        if let Some(place) = rest.iter().position(|other| other == kind) {
            rest.remove(place);
            own.both += 1;
        } else {
            own.missed += 1;
        }
    }
    for kind in &rest {
        hits.entry((*kind).to_owned()).or_default().false_positives += 1;
    }
    rest.is_empty() && expected.len() == found.len()
}

/// Audits all programs of a folder; what was found, kind by kind.
fn folder(name: &str) -> Option<BTreeMap<String, Hits>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reward_audits/written").join(name);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 30, "{name}");
    let mut hits: BTreeMap<String, Hits> = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let audit = audited(&file, &text)?;
        let mut found: Vec<&str> =
            audit.all_findings().map(|finding| finding.kind).filter(|kind| KINDS.contains(kind)).collect();
        found.sort_unstable();
        found.dedup();
        let as_expected = if let Some(causes) = expected(&text, "causes:") {
            let top = audit.findings.iter().filter(|finding| finding.severity > Severity::Note);
            let mut top: Vec<&str> = top.map(|finding| finding.kind).filter(|kind| CAUSES.contains(kind)).collect();
            top.sort_unstable();
            let alone = count(&causes, &top, &mut hits);
            count(&[], &found, &mut hits) && alone
        } else {
            let kinds = expected(&text, "finds:").or_else(|| text.starts_with("# clean").then(Vec::new)).unwrap();
            count(&kinds, &found, &mut hits)
        };
        if !as_expected {
            println!("{} is not as expected: {}", file.display(), text.lines().next().unwrap());
            println!("{}", audit::text(&audit).split("\nRecordings").next().unwrap());
        }
    }
    println!("{name}: {hits:#?}");
    Some(hits)
}

#[test]
fn development_programs_have_exactly_the_planted_findings() {
    let Some(hits) = folder("development") else { return };
    let wrong: Vec<_> = hits.iter().filter(|(_, hits)| hits.false_positives + hits.missed > 0).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(hits.values().map(|hits| hits.both).sum::<usize>() >= 20, "{hits:?}");
}

#[test]
fn held_out_programs_have_exactly_the_planted_findings() {
    let Some(hits) = folder("held-out") else { return };
    let wrong: Vec<_> = hits.iter().filter(|(_, hits)| hits.false_positives + hits.missed > 0).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
