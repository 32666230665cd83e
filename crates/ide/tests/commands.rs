//! Commands, their lenses and the files that a first line attaches.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use goalspec_ide::{Command, CommandError, CommandInput, Report, Snapshot};

use crate::common::{ACTIVITY, DOMAIN, GAME, PROBLEM, workspace};

/// Runs a command at the start of the only program of a document, with its saved version.
fn run(snapshot: &Snapshot, command: Command, path: &str, saved: Option<&str>) -> Result<Report, CommandError> {
    let input =
        CommandInput { trace: None, saved, cancelled: Arc::new(AtomicBool::new(false)), progress: &|_: String| () };
    snapshot.run_command(command, Path::new(path), 0, &input)
}

#[test]
fn the_first_line_attaches_files() {
    let attached = |path: &str, text: &str| -> Option<PathBuf> {
        workspace(&[(path, text)]).snapshot().analysis(Path::new(path)).attached("trace")
    };
    assert_eq!(attached("/w/a.game", "; goalspec: trace=t.jsonl\n"), Some("/w/t.jsonl".into()));
    assert_eq!(attached("/w/a.game", ";; goalspec: plan=p trace=../t"), Some("/w/../t".into()));
    assert_eq!(attached("/w/a.rgg.yaml", "\u{feff}# goalspec: trace=/t"), Some("/t".into()));
    for text in ["", "; trace=t", "\n; goalspec: trace=t", "(; goalspec: trace=t", "; goalspec: traces=t"] {
        assert_eq!(attached("/w/a.game", text), None, "{text}");
    }
}

#[test]
fn lenses_offer_the_commands_that_apply() {
    let lenses = |path: &str, text: &str, has_trace: bool| -> Vec<&'static str> {
        let snapshot = workspace(&[("/w/domain.pddl", DOMAIN), (path, text)]).snapshot();
        let lenses = snapshot.analysis(Path::new(path)).lenses(has_trace);
        lenses.into_iter().map(|lens| lens.command.name().strip_prefix("goalspec.").expect("a prefix")).collect()
    };
    assert_eq!(lenses("/w/a.game", GAME, true), ["score", "why", "describe", "diff"]);
    assert_eq!(lenses("/w/a.game", GAME, false), ["describe", "diff"]);
    assert_eq!(lenses("/w/a.game", &format!("; goalspec: trace=t\n{GAME}"), false).len(), 4);
    assert_eq!(lenses("/w/p.pddl", PROBLEM, false), ["plan", "validate", "describe", "diff"]);
    assert_eq!(lenses("/w/domain.pddl", DOMAIN, true), Vec::<&str>::new());
    assert_eq!(lenses("/w/a.bddl", ACTIVITY, false), ["plan", "options", "describe", "export"]);
    assert_eq!(lenses("/w/a.plan", "(carry red hall shed)\n", false), ["validate"]);
}

#[test]
fn commands_name_the_input_that_they_lack() {
    let snapshot = workspace(&[("/w/domain.pddl", DOMAIN), ("/w/a.game", GAME), ("/w/p.pddl", PROBLEM)]).snapshot();
    assert_eq!(run(&snapshot, Command::Score, "/w/a.game", None), Err(CommandError::NoTrace));
    assert_eq!(run(&snapshot, Command::Plan, "/w/a.game", None), Err(CommandError::NoProgram(Command::Plan)));
    assert_eq!(run(&snapshot, Command::Diff, "/w/a.game", None), Err(CommandError::NoSavedVersion));
    assert_eq!(run(&snapshot, Command::Validate, "/w/p.pddl", None), Err(CommandError::NoPlan));
    assert_eq!(
        run(&snapshot, Command::Describe, "/w/none.game", None),
        Err(CommandError::NoProgram(Command::Describe))
    );
}

#[test]
fn a_changed_meaning_is_told_from_a_changed_layout() {
    let snapshot = workspace(&[("/w/a.game", GAME)]).snapshot();
    let diff =
        |saved: &str| run(&snapshot, Command::Diff, "/w/a.game", Some(saved)).expect("it can be compared").markdown;
    assert!(diff(&GAME.replace('\n', "\n ")).contains("means the same"));
    assert!(diff(&GAME.replace("(count thrown)", "(* 2 (count thrown))")).contains("differs"));
}

#[test]
fn the_names_of_commands_are_unique() {
    for command in Command::ALL {
        assert_eq!(Command::named(command.name()), Some(command));
        assert!(!command.title().is_empty());
    }
    assert_eq!(Command::named("goalspec.fly"), None);
}
