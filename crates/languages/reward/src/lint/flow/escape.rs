//! Values that escape to code that is not followed and may change them.

use std::rc::Rc;

use goalspec_python_runtime::inference::Kinds;
use ruff_python_ast::{Arguments, Expr};

use super::env::Env;
use super::value::{AbstractValue, Contents};

/// Forgets the contents of a list or dict that other code may change from here on.
pub(super) fn escape_argument<'a>(written: &'a Expr, value: &AbstractValue<'a>, env: &mut Env<'a>) {
    let changes = value.kinds.intersects(Kinds::LIST) || value.is_any() || value.dict_value().is_some();
    if let (Expr::Name(name), true) = (written, changes) {
        let mut value = value.clone();
        forget_contents(&mut value);
        env.set(&name.id, value);
    }
}

/// Forgets the contents of the arguments of a call that is not followed.
pub(super) fn escape_arguments<'a>(arguments: &'a Arguments, values: &[AbstractValue<'a>], env: &mut Env<'a>) {
    let places = arguments.args.iter().chain(arguments.keywords.iter().map(|keyword| &keyword.value));
    for (argument, value) in places.zip(values) {
        escape_argument(argument, value, env);
    }
}

/// Forgets the contents of a value.
pub(super) fn forget_contents(value: &mut AbstractValue<'_>) {
    value.truthiness = None;
    if value.kinds.intersects(Kinds::LIST) {
        value.contents = Contents::Elements(Rc::new(AbstractValue::any()));
    } else if matches!(value.contents, Contents::Dict(_)) {
        value.contents = Contents::Untracked;
    }
}

/// Forgets the contents of a list or dict, one of whose items, at any depth, is assigned.
pub(super) fn forget_item_container<'a>(object: &'a Expr, env: &mut Env<'a>) {
    let mut whole = object;
    while let Expr::Subscript(item) = whole {
        whole = &item.value;
    }
    if let Expr::Name(name) = whole
        && let Some(mut value) = env.get(&name.id).cloned()
    {
        forget_contents(&mut value);
        if matches!(value.contents, Contents::Tuple(_)) {
            value.contents = Contents::Untracked;
        }
        env.set(&name.id, value);
    }
}
