//! Custom results.

use super::table::Table;
use crate::custom::{CustomCall, CustomResultError};
use crate::game::ConsequenceEffect;
use crate::random::RandomStream;
use crate::rules::{GameRules, SpaceBoundsRule};
use crate::turn::GameErrorKind;
use crate::value::Value::{self, Int};

/// The table with a custom result `mine` whose argument `node` is `b`.
fn table(result: impl Fn(&mut CustomCall<'_>) -> Result<(), CustomResultError> + Send + Sync + 'static) -> Table {
    let parameters = vec![("node".into(), Some(Value::text("b")))];
    let mut table = Table::new(GameRules::CAGE).always(ConsequenceEffect::Custom { name: "mine".into(), parameters });
    table.registry = std::mem::take(&mut table.registry).with("mine", result);
    table
}

#[test]
fn custom_results_read_and_write() {
    let table = table(|call| {
        let node = call.text_argument("node")?;
        assert_eq!(call.action_parameters, [("amount".into(), Value::text("much"))]);
        assert_eq!(call.state.values(&node).len(), 2);
        assert_eq!(call.state.value("zz", "x"), None);
        let x = call.state.value(&node, "x");
        call.state.put("a", "x", x)?;
        call.state.put("c", "x", None)?;
        call.state.put("c", "beyond", Some(Int(7)))?;
        let observers = call.state.value(&node, "observable");
        call.state.put("a", "observable", observers)
    });
    let table = table.parameters(&["amount"]);
    assert_eq!(table.act_with(&["much"], 0).0, "a.observable=[t] a.x=2 c.beyond=7 -c.x");
}

#[test]
fn custom_results_draw_from_the_stream_of_the_game() {
    let table = table(|call| {
        let drawn = call.state.uniform();
        call.state.put("a", "f", Some(Value::Real(drawn)))
    });
    let mut stream = RandomStream::new(1, 0);
    // The first number is that of the group.
    stream.uniform();
    assert_eq!(table.act().0, format!("a.f={}", Value::Real(stream.uniform())));
}

#[test]
fn custom_results_that_fail_or_are_not_there_end_the_game() {
    let failing = table(|call| {
        call.state.put("a", "x", Some(Int(1)))?;
        call.state.put("zz", "x", Some(Int(1)))
    });
    let kind = GameErrorKind::CustomResult { name: "mine".into(), message: "unknown node `zz`".into() };
    assert_eq!(failing.fail(), ("a.x=1".into(), kind));
    let mut unknown = table(|_| Ok(()));
    unknown.registry = crate::custom::ResultRegistry::default();
    assert_eq!(unknown.fail().1, GameErrorKind::UnknownResult { name: "mine".into() });
}

#[test]
fn custom_results_cannot_hide_that_a_value_leaves_its_space() {
    let mut table = table(|call| {
        let error = call.state.put("a", "tags", Some(Int(1)));
        assert!(error.is_err());
        Ok(())
    });
    table.game.rules.bounds = SpaceBoundsRule::Error;
    assert_eq!(table.fail(), (String::new(), GameErrorKind::OutOfBounds { place: "a.tags".into(), value: Int(1) }));
}
