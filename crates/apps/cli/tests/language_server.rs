//! `goalspec lsp`, whose tests are those of the server: here, that the command runs it, and that settings apply to all commands.

use std::io::Write as _;

use crate::common::{Folder, GOALSPEC, finish};

fn message(json: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{json}", json.len())
}

#[test]
fn the_command_serves_an_editor_until_it_ends() {
    let mut input = Vec::new();
    for json in [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
        r#"{"jsonrpc":"2.0","method":"exit"}"#,
    ] {
        input.write_all(message(json).as_bytes()).unwrap();
    }
    let done = finish(Folder::new().command(GOALSPEC).args(["lsp", "--stdio"]), &input);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.out.contains("\"renameProvider\"") && done.err.is_empty(), "{done:?}");
    let vanished = finish(Folder::new().command(GOALSPEC).arg("lsp"), b"");
    assert_eq!(vanished.code, Some(2), "{vanished:?}");
}

#[test]
fn settings_of_the_folder_apply_to_commands() {
    let folder = Folder::new();
    folder.assert_each(&[("check examples/worlds/make-tea.game", 1, "unknown world")]);
    folder.write("goalspec.toml", "worlds = [\"examples/worlds/*.world.toml\"]\n");
    folder.assert_each(&[("check examples/worlds/make-tea.game", 0, "no diagnostics")]);
    folder.write("goalspec.toml", "wurlds = []\n");
    folder.assert_each(&[(
        "check examples/worlds/make-tea.game",
        2,
        "goalspec.toml:1:1: error[input/settings]: unknown field `wurlds`",
    )]);
}
