//! Custom results.

use super::table::Table;
use crate::custom::Call;
use crate::game::Outcome;
use crate::random::Stream;
use crate::rules::{Bounds, Rules};
use crate::turn::FailureKind;
use crate::value::Value::{self, Int};

/// The table with a custom result `mine` whose argument `node` is `b`.
fn table(result: impl Fn(&mut Call<'_>) -> Result<(), String> + Send + Sync + 'static) -> Table {
    let parameters = vec![("node".into(), Some(Value::text("b")))];
    let mut table = Table::new(Rules::CAGE).always(Outcome::Custom { name: "mine".into(), parameters });
    table.registry = std::mem::take(&mut table.registry).with("mine", result);
    table
}

#[test]
fn custom_results_read_and_write() {
    let table = table(|call| {
        let node = call.text_parameter("node")?;
        assert_eq!(call.action, [("amount".into(), Value::text("much"))]);
        assert_eq!(call.ground.values(&node).len(), 2);
        assert_eq!(call.ground.value("zz", "x"), None);
        let x = call.ground.value(&node, "x");
        call.ground.put("a", "x", x)?;
        call.ground.put("c", "x", None)?;
        call.ground.put("c", "beyond", Some(Int(7)))?;
        let seen_by = call.ground.value(&node, "observable");
        call.ground.put("a", "observable", seen_by)
    });
    let table = table.parameters(&["amount"]);
    assert_eq!(table.act_with(&["much"], 0).0, "a.observable=[t] a.x=2 c.beyond=7 -c.x");
}

#[test]
fn custom_results_draw_from_the_stream_of_the_game() {
    let table = table(|call| {
        let drawn = call.ground.uniform();
        call.ground.put("a", "f", Some(Value::Real(drawn)))
    });
    let mut stream = Stream::new(1, 0);
    // The first number is that of the group.
    stream.uniform();
    assert_eq!(table.act().0, format!("a.f={}", Value::Real(stream.uniform())));
}

#[test]
fn custom_results_that_fail_or_are_not_there_end_the_game() {
    let failing = table(|call| {
        call.ground.put("a", "x", Some(Int(1)))?;
        call.ground.put("zz", "x", Some(Int(1)))
    });
    let kind = FailureKind::Custom { name: "mine".into(), message: "unknown node `zz`".into() };
    assert_eq!(failing.fail(), ("a.x=1".into(), kind));
    let mut unknown = table(|_| Ok(()));
    unknown.registry = crate::custom::Registry::default();
    assert_eq!(unknown.fail().1, FailureKind::UnknownResult { name: "mine".into() });
}

#[test]
fn custom_results_cannot_hide_that_a_value_leaves_its_space() {
    let mut table = table(|call| {
        let refused = call.ground.put("a", "tags", Some(Int(1)));
        assert!(refused.is_err());
        Ok(())
    });
    table.game.rules.bounds = Bounds::Error;
    assert_eq!(table.fail(), (String::new(), FailureKind::Outside { place: "a.tags".into(), value: Int(1) }));
}
