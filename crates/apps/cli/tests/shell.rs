//! Completion scripts and manual pages, generated from the command-line grammar.

use crate::common::Folder;

#[test]
fn completion_scripts_know_every_command() {
    let folder = Folder::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let done = folder.run(&format!("completions {shell}"));
        assert_eq!(done.code, Some(0), "{shell}: {}", done.err);
        for word in ["check", "simulate", "completions", "--deny-warnings"] {
            // fish names options without dashes.
            let word = if shell == "fish" { word.trim_start_matches('-') } else { word };
            assert!(done.out.contains(word), "{shell}: no `{word}`");
        }
    }
    let unknown = folder.run("completions tcsh");
    assert!(unknown.code == Some(2) && unknown.err.contains("bash"), "{}", unknown.all());
}

#[test]
fn completion_scripts_are_valid_bash() {
    let folder = Folder::new();
    folder.write("goalspec.bash", folder.run("completions bash").out);
    let mut bash = folder.command("bash");
    bash.args(["-c", "source goalspec.bash && complete -p goalspec"]);
    let done = crate::common::finish(&mut bash, b"");
    assert!(done.code == Some(0) && done.out.contains("_goalspec"), "{}", done.all());
}

#[test]
fn each_command_has_a_manual_page() {
    let folder = Folder::new();
    let done = folder.run("man pages");
    assert_eq!(done.code, Some(0), "{}", done.all());
    let help = folder.run("--help").out;
    let listed = help.split_once("\nCommands:\n").expect("the help lists commands").1;
    let names = listed.lines().take_while(|line| line.starts_with(' ')).filter(|line| !line.starts_with("   "));
    let names: Vec<&str> =
        names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        let page = folder.read(&format!("pages/goalspec-{name}.1"));
        assert!(page.contains(".SH SYNOPSIS") && page.contains(name), "{name}: {page}");
    }
    assert!(folder.read("pages/goalspec.1").contains("Exit codes"), "the main page has the exit codes");
    assert!(folder.read("pages/goalspec-trace-info.1").contains(".SH SYNOPSIS"));
}
