//! Values that escape to code that is not followed and may change them.

use std::rc::Rc;

use ruff_python_ast::{Arguments, Expr};

use super::env::Env;
use super::value::{Inside, Value};
use crate::typed::types::Kinds;

/// Forgets the contents of a list or dict that other code may change from here on.
pub(super) fn escapes<'a>(written: &'a Expr, value: &Value<'a>, env: &mut Env<'a>) {
    let changes = value.kinds.has(Kinds::LIST) || value.is_any() || value.table_value().is_some();
    if let (Expr::Name(name), true) = (written, changes) {
        let mut value = value.clone();
        open(&mut value);
        env.set(&name.id, value);
    }
}

/// Forgets the contents of the arguments of a call that is not followed.
pub(super) fn all_escape<'a>(arguments: &'a Arguments, values: &[Value<'a>], env: &mut Env<'a>) {
    let places = arguments.args.iter().chain(arguments.keywords.iter().map(|keyword| &keyword.value));
    for (argument, value) in places.zip(values) {
        escapes(argument, value, env);
    }
}

/// Forgets the contents of a value.
pub(super) fn open(value: &mut Value<'_>) {
    value.filled = None;
    if value.kinds.has(Kinds::LIST) {
        value.inside = Inside::Elements(Rc::new(Value::any()));
    } else if matches!(value.inside, Inside::Table(_)) {
        value.inside = Inside::Nothing;
    }
}

/// Forgets the contents of a list or dict, one of whose items, at any depth, is assigned.
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
