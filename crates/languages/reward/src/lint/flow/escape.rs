//! Values that go where their changes are not followed.

use std::rc::Rc;

use ruff_python_ast::{Arguments, Expr};

use super::env::Env;
use super::value::{Inside, Value};
use crate::typed::types::Kinds;

/// A list that others may change from now on.
pub(super) fn escapes<'a>(written: &'a Expr, value: &Value<'a>, env: &mut Env<'a>) {
    let changes = value.kinds.has(Kinds::LIST) || value.is_any() || value.table_value().is_some();
    if let (Expr::Name(name), true) = (written, changes) {
        let mut value = value.clone();
        open(&mut value);
        env.set(&name.id, value);
    }
}

/// What is handed to a function that nobody follows.
pub(super) fn all_escape<'a>(arguments: &'a Arguments, values: &[Value<'a>], env: &mut Env<'a>) {
    let places = arguments.args.iter().chain(arguments.keywords.iter().map(|keyword| &keyword.value));
    for (argument, value) in places.zip(values) {
        escapes(argument, value, env);
    }
}

/// Nobody knows any more what a value has in it.
pub(super) fn open(value: &mut Value<'_>) {
    value.filled = None;
    if value.kinds.has(Kinds::LIST) {
        value.inside = Inside::Elements(Rc::new(Value::any()));
    } else if matches!(value.inside, Inside::Table(_)) {
        value.inside = Inside::Nothing;
    }
}

/// An item of a list or a dict gets another value, which may be an item of another one.
pub(super) fn item_changes<'a>(object: &'a Expr, env: &mut Env<'a>) {
    let mut whole = object;
    while let Expr::Subscript(item) = whole {
        whole = &item.value;
    }
    if let Expr::Name(name) = whole
        && let Some(mut value) = env.get(&name.id).cloned()
    {
        open(&mut value);
        if matches!(value.inside, Inside::Parts(_)) {
            value.inside = Inside::Nothing;
        }
        env.set(&name.id, value);
    }
}
