//! Screen objects that programs create, and program classes that derive from screen classes.
//!
//! `expected.txt` contains the results of ocatari 2.2.1 in CPython 3.11, as written by `oracle.py`.

use goalspec_python_runtime::Machine;
use goalspec_python_runtime::limits::CallBudget;
use goalspec_python_runtime::machine::ReturnValue;
use goalspec_python_runtime::scene::{ScreenClass, World};
use goalspec_reward::read;
use goalspec_syntax::Sources;

#[test]
fn created_objects_match_ocatari() {
    let world = World::from_screen_classes([]);
    let programs: Vec<&str> = include_str!("programs.txt").split("===\n").collect();
    let expected: Vec<&str> = include_str!("expected.txt").lines().collect();
    assert_eq!(programs.len(), expected.len());
    for (text, expected) in programs.into_iter().zip(expected) {
        let text = format!("from ocatari.ram.game_objects import GameObject, NoObject, ValueObject\n{text}");
        let mut sources = Sources::new();
        let id = sources.add("program.py", &*text);
        let found = read(sources.file(id));
        let program = found.program.unwrap_or_else(|| panic!("{text}\n{:?}", found.diagnostics));
        let result = Machine::new(program.clone(), world.clone(), CallBudget::default())
            .and_then(|mut machine| machine.call("f", &[]));
        assert_eq!(result, Ok(ReturnValue::Other(expected.to_owned())), "{text}");
    }
}

/// Returns the error that the top level of a program ends with.
fn import_error(text: &str) -> String {
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    let program = read(sources.file(id)).program.expect("it is read");
    let world = World::from_screen_classes([("GameObject", ScreenClass::new("Ball"))]);
    Machine::new(program.clone(), world.clone(), CallBudget::default()).map(|_| ()).expect_err(text).to_string()
}

#[test]
fn failed_imports_name_the_written_module() {
    let message = import_error("from ocatari.ram.pong import Ball\nfrom ocatari.ram.pong import Foo\n");
    assert_eq!(message, "ImportError: cannot import name 'Foo' from 'ocatari.ram.pong'");
    let message = import_error("import goalspec.world.yard as w\nw.Foo\n");
    assert_eq!(message, "AttributeError: module 'goalspec.world.yard' has no attribute 'Foo'");
}
