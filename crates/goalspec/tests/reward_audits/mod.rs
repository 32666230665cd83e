//! Audits of the published reward functions over recorded games find what is known to be wrong with them.

#![allow(clippy::float_cmp, reason = "recorded positions are whole numbers")]

use goalspec::audit::{self, Audit, AuditOptions, Finding, ReturnMeasure};
use goalspec::files::Inputs;
use goalspec::library::{Library, LibraryOptions};
use goalspec::syntax::Severity;
use goalspec::trace::TraceInput;

use super::conformance;

mod components;
mod written;

/// The audit of a published program over the recordings of its game.
fn published(name: &str) -> Option<Audit> {
    let folder = conformance("reward")?;
    let game = name.split('_').nth(1).unwrap();
    let programs = vec![folder.join("programs").join(format!("{name}.py"))];
    let library = Library::load(&Inputs { programs, ..Inputs::default() }, LibraryOptions::default(), &|| ());
    let programs = library.reward_programs();
    let inputs = ["random", "scripted"]
        .map(|policy| TraceInput::File(folder.join(format!("traces/{game}_{policy}_s0.jsonl.gz"))));
    let audited = audit::audit(&programs, &[], &inputs, &AuditOptions::default(), &|_| ());
    assert_eq!(audited.diagnostics, [], "{name}");
    let [audit] = &audited.audits[..] else { panic!("one program, one audit") };
    println!("{}", audit::text(audit));
    Some(audit.clone())
}

/// The findings of a kind whose place has this text.
fn of<'a>(audit: &'a Audit, kind: &str, line: &str) -> Vec<&'a Finding> {
    // A condition that always holds is only a note, often next to one that never holds.
    let threshold = |finding: &&Finding| kind != "dead-threshold" || finding.severity == Severity::Warning;
    let is_at_line =
        |finding: &&Finding| finding.span.map_or(line.is_empty(), |span| audit.line_text(span).contains(line));
    audit.all_findings().filter(|finding| finding.kind == kind).filter(is_at_line).filter(threshold).collect()
}

fn one<'a>(audit: &'a Audit, kind: &str, line: &str) -> &'a Finding {
    match &of(audit, kind, line)[..] {
        [finding] => finding,
        found => panic!("{} findings `{kind}` at `{line}` in {}", found.len(), audit.program),
    }
}

#[test]
fn expected_rewards_of_policies() {
    let known = [
        ("l09_freeway_full", 0.05, [-101.9, -83.7], [0.0, 21.0]),
        ("l10_freeway_direct", 0.05, [-56.7, -103.0], [0.0, 21.0]),
        ("l12_pong_full", 0.05, [0.1, 0.5], [-43.0, -5.0]),
        ("l13_pong_direct", 0.5, [-164.0, -21.0], [-43.0, -5.0]),
        ("l15_seaquest_full", 0.05, [-15.8, -16.4], [320.0, 820.0]),
        ("l16_seaquest_direct", 0.05, [-6.6, -8.9], [320.0, 820.0]),
        ("l18_skiing_full", 0.5, [-583.0, 876.0], [-22305.0, -13313.0]),
        ("l19_skiing_direct", 0.5, [-161.0, 105.0], [-22305.0, -13313.0]),
    ];
    for (name, rounding, totals, scores) in known {
        let Some(audit) = published(name) else { return };
        for (recording, total) in audit.recordings.iter().zip(totals) {
            let recorded = recording.total().unwrap();
            assert!((recorded - total).abs() < rounding + 1e-6, "{name}: {recorded} for {total}");
        }
        // What is published of the score of Skiing counts one frame more than the recordings have.
        let tolerance = if name.contains("skiing") { 10.0 } else { 0.0 };
        for (recording, score) in audit.recordings.iter().zip(scores) {
            let recorded = recording.score().unwrap();
            assert!((recorded - score).abs() <= tolerance, "{name}: {recorded} for {score}");
            let terms: f64 = recording.statistics.terms.iter().map(|term| term.sum).sum();
            assert!((terms - recording.total().unwrap()).abs() < 1e-6, "{name}: {terms} for {:?}", recording.total());
            let full: u64 = recording.episodes.iter().map(|episode| episode.frames / 100).sum();
            assert_eq!(recording.window_means.len() as u64, full, "{name}");
        }
        let correlations = audit.correlations();
        let [recordings, _, windows] = &correlations[..] else { panic!("three correlations") };
        assert_eq!(recordings.pairs, 2, "{name}");
        assert_eq!(windows.pairs, audit.recordings.iter().map(|one| one.window_means.len()).sum::<usize>(), "{name}");
        // Of Seaquest alone, both policies finish episodes. The others have as many frames each: the pair is ordered as the sums are.
        if recordings.measure == ReturnMeasure::Episode {
            assert!(name.contains("seaquest"), "{name}");
            assert_eq!(
                audit.recordings.iter().map(|one| one.finished_episodes().count()).collect::<Vec<_>>(),
                [4, 3],
                "{name}"
            );
            continue;
        }
        // A frame without a reward earns nothing, and does not count.
        let per_frame =
            |place: usize| audit.recordings[place].total().unwrap() / audit.recordings[place].rewarded_frames() as f64;
        let alike = (per_frame(0) < per_frame(1)) == (scores[0] < scores[1]);
        let orders = (recordings.agreement.concordant, recordings.agreement.discordant);
        assert_eq!(orders, if alike { (1, 0) } else { (0, 1) }, "{name}");
    }
}

#[test]
fn the_success_bonus_is_dead() {
    let Some(audit) = published("l09_freeway_full") else { return };
    let threshold = one(&audit, "dead-threshold", "return chicken.y <= 0");
    assert_eq!(threshold.severity, Severity::Warning);
    assert_eq!((threshold.numbers["nearest_left"], threshold.numbers["nearest_right"]), (17.0, 0.0));
    let term = one(&audit, "dead-term", "reward += SUCCESS_REWARD");
    assert!(term.evidence.iter().any(|line| line.contains("nearest values 17 and 0")), "{:?}", term.evidence);
    assert_eq!(of(&audit, "unused-function", "def ").len(), 2);
}

#[test]
fn upward_motion_is_penalised() {
    let Some(audit) = published("l10_freeway_direct") else { return };
    let order = one(&audit, "against-score", "");
    // Two recordings: dead terms come first.
    assert_eq!((order.severity, order.numbers["kendall"]), (Severity::Warning, -1.0));
    let motions: Vec<&str> = of(&audit, "motion-against-score", "").iter().map(|finding| &*finding.message).collect();
    assert!(motions.iter().any(|message| message.starts_with("the reward penalises moving up")), "{motions:?}");
    one(&audit, "term-against-score", "reward -= 2 * (abs(player_chicken.dy) / SCREEN_HEIGHT)");
    assert_eq!(one(&audit, "dead-threshold", "player_chicken.y <= 0").numbers["nearest_left"], 17.0);
}

#[test]
fn only_contact_is_left() {
    let Some(audit) = published("l12_pong_full") else { return };
    one(&audit, "dead-term", "reward += 1.0");
    one(&audit, "dead-term", "reward -= 1.0");
    let only = one(&audit, "dominant-term", "reward += 0.1");
    assert!(only.evidence[0].starts_with("2 of 3 terms"), "{:?}", only.evidence);
}

#[test]
fn missing_objects_raise() {
    let Some(audit) = published("l13_pong_direct") else { return };
    let raised: Vec<&Finding> = audit.all_findings().filter(|finding| finding.kind == "raises").collect();
    let missing: Vec<u64> =
        audit.recordings.iter().map(|recording| recording.frames() - recording.rewarded_frames()).collect();
    assert_eq!(missing, [687, 183]);
    assert!(raised.iter().all(|finding| finding.message.contains("TypeError: list indices must be integers")));
    let sum: f64 = raised.iter().map(|finding| finding.numbers["frames"]).sum();
    assert_eq!((sum, audit.findings[0].kind), (870.0, "raises"));
}

#[test]
fn lists_lose_elements_while_loops_go_through_them() {
    let Some(audit) = published("l15_seaquest_full") else { return };
    one(&audit, "changed-while-iterating", "divers.remove(diver)");
    one(&audit, "changed-while-iterating", "enemies.remove(enemy)");
    let twice = one(&audit, "removed-twice", "player_missiles.remove(missile)");
    assert!(twice.message.contains("ValueError"), "{}", twice.message);
}

#[test]
fn the_surface_is_defined_in_another_file() {
    let Some(audit) = published("l16_seaquest_direct") else { return };
    let threshold = one(&audit, "dead-threshold", "player.y == 0");
    assert_eq!((threshold.numbers["nearest_left"], threshold.numbers["nearest_right"]), (46.0, 0.0));
    let term = one(&audit, "dead-term", "reward += PENALTY_FOR_LOSING_DIVER_WHEN_SURFACING");
    // The comparison is the cause, and comes first.
    assert_eq!((threshold, term), (&audit.findings[0], &audit.findings[0].consequences[0]));
    assert!(term.evidence.iter().any(|line| line.contains("nearest values 46 and 0")), "{:?}", term.evidence);
    // Any motion is penalised.
    assert!(of(&audit, "motion-against-score", "").is_empty());
}

#[test]
fn a_stuck_skier_is_paid() {
    let Some(audit) = published("l18_skiing_full") else { return };
    let idle = one(&audit, "idle-reward", "");
    assert_eq!((idle.severity, format!("{:.3}", idle.numbers["reward_per_frame"])), (Severity::Error, "0.435".into()));
    assert!(idle.numbers["frames"] > 1800.0 && idle.numbers["score"] < -10_000.0, "{:?}", idle.numbers);
}

/// Objects that pay by existing are found behind whatever guard the program has for the frames in which nobody plays.
#[test]
fn presence_is_found_behind_guards() {
    let Some(folder) = conformance("reward") else { return };
    let input = TraceInput::File(folder.join("traces/seaquest_random_s0.jsonl.gz"));
    for guard in ["", "    if not objects[0]: return 0.0\n", "    if objects[0].category == 'NoObject': return 0.0\n"] {
        let text = format!(
            "from ocatari.ram.seaquest import *\n\ndef reward_function(objects):\n{guard}    r = 0.0\n    for o in objects:\n        \
             if isinstance(o, Diver): r += 0.2\n    return r\n"
        );
        let mut library = Library::with_options(LibraryOptions::default());
        library.add_program("reward.py", text);
        let programs = library.reward_programs();
        let audits =
            audit::audit(&programs, &[], std::slice::from_ref(&input), &AuditOptions::default(), &|_| ()).audits;
        let found = audits[0].all_findings().filter(|finding| finding.kind == "presence-reward").count();
        assert_eq!(found, 1, "{guard:?}: {:#?}", audits[0].findings);
    }
}

/// Each term is reported once, even if it changes later.
#[test]
fn presence_that_is_added_up_and_divided_is_one_finding() {
    let Some(folder) = conformance("reward") else { return };
    let input = TraceInput::File(folder.join("traces/seaquest_random_s0.jsonl.gz"));
    let text = "from ocatari.ram.seaquest import *\n\ndef reward_function(objects):\n    total = 0.25 if objects[0].y > 60 else 0.0\n    \
                r = 0.0\n    for o in objects:\n        if o: r += 1\n    r = r / 2\n    return (total + r)\n";
    let mut library = Library::with_options(LibraryOptions::default());
    library.add_program("reward.py", text);
    let programs = library.reward_programs();
    let audits = audit::audit(&programs, &[], std::slice::from_ref(&input), &AuditOptions::default(), &|_| ()).audits;
    let found: Vec<_> = audits[0].all_findings().filter(|finding| finding.kind == "presence-reward").collect();
    let [only] = &*found else { panic!("{found:#?}") };
    assert!(only.message.contains("the term `o` adds 1 in every frame"), "{}", only.message);
}
