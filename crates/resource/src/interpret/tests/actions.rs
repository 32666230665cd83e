//! Costs, requirements, and results that add to resources and replace them.

use super::table::{Table, all_vectors, at_least, changes, contains, equal, int, missing, sum, text};
use crate::compute::{ArithmeticOperator, ChainStep, Computation, MathOperation, MathOperator, ValueTransform};
use crate::field::Field;
use crate::filter::{Filter, ValueFilter};
use crate::game::{Action, ActionId, ChoiceId, ConsequenceEffect, IntermediateValue, VectorSelection};
use crate::random::RandomStream;
use crate::rules::{GameRules, NothingAction, SpaceBoundsRule};
use crate::space::{Declaration, Space};
use crate::turn::{GameErrorKind, Move, Overflow};
use crate::value::Value::{self, Bool, Int, Real};

fn cage() -> Table {
    Table::new(GameRules::CAGE)
}

#[test]
fn costs_are_added() {
    let cases = [
        ("a.x", Int(-1), "a.x=4"),
        ("a.x", Int(-100), "a.x=-95"),
        ("a.x", Real(1.5), "a.x=6.5"),
        ("a.f", Int(1), "a.f=2.5"),
        ("a.own", Int(1), "a.own=1.0"),
        ("a.own", Bool(false), "a.own=false"),
        ("a.name", Int(3), "a.name=3.0"),
        ("a.name", Value::text("bar"), "a.name=bar"),
        ("a.new", Int(4), "a.new=4"),
        ("a.tags", Value::text("q"), "a.tags=q"),
        ("a.x", Value::text("2"), "a.x=2"),
        ("a.x", Real(3e9), "a.x=3.000000005E9"),
    ];
    for (name, value, expected) in cases {
        assert_eq!(cage().cost(name, value).act(), (expected.into(), true));
    }
    let several = cage().cost("c.x", Int(1)).cost("b.x", Int(2));
    assert_eq!(several.act(), ("b.x=4 c.x=4".into(), true));
}

#[test]
fn a_cost_stays_when_a_later_requirement_fails() {
    let paying = || cage().cost("a.x", Int(-3)).put([("a.f", int(99))]);
    assert_eq!(paying().requires("a.x", at_least(3)).act(), ("a.x=2".into(), false));
    assert_eq!(paying().requires("a.x", at_least(2)).act(), ("a.x=2 a.f=99".into(), true));
}

#[test]
fn requirements_are_evaluated_in_the_full_state() {
    let table = || cage().put([("a.f", int(99))]);
    assert!(table().requires("c.x", equal(Int(3))).act().1);
    assert_eq!(table().requires("a.missing", equal(Int(3))).act(), (String::new(), false));
    assert!(table().requires("a.observable", contains("s")).act().1);
}

#[test]
fn results_add_and_replace() {
    let added = [
        ("a.x", int(100), "a.x=105"),
        ("a.own", int(1), "a.own=1.0"),
        ("a.name", int(5), "a.name=5.0"),
        ("a.name", text("bar"), "a.name=bar"),
        ("a.tags", text("q"), "a.tags=q"),
        ("c.new", int(1), "c.new=1"),
        ("a.x", sum(vec![], 0), "a.x=5.0"),
    ];
    for (name, value, expected) in added {
        assert_eq!(cage().add([(name, value)]).act(), (expected.into(), true));
    }
    let put = [
        ("a.x", int(100), "a.x=100"),
        ("a.x", text("hello"), "a.x=hello"),
        ("b.own", Computation::Constant(Some(Bool(true))), "b.own=true"),
        ("c.new", int(1), "c.new=1"),
    ];
    for (name, value, expected) in put {
        assert_eq!(cage().put([(name, value)]).act(), (expected.into(), true));
    }
}

#[test]
fn observers_are_added_and_replaced() {
    let list = || Computation::Constant(Some(Value::List([Some(Value::text("t")), Some(Value::text("u"))].into())));
    let add = |value| cage().add([("a.observable", value)]).act().0;
    assert_eq!(add(text("t")), "a.observable=[s, t]");
    assert_eq!(add(text("s")), "");
    assert_eq!(add(Computation::Constant(Some(Value::set(["s"])))), "a.observable=[s, [s]]");
    let put = |value| cage().put([("a.observable", value)]).act().0;
    assert_eq!(put(text("t")), "a.observable=[t]");
    assert_eq!(put(list()), "a.observable=[t, u]");
    assert_eq!(put(Computation::Constant(Some(Value::set([])))), "a.observable=[]");
    assert_eq!(put(Computation::Constant(None)), "a.observable=[]");
}

#[test]
fn putting_a_missing_value_removes_or_is_an_error() {
    let removing = |rules, value| Table::new(rules).put([("a.x", value)]);
    assert_eq!(removing(GameRules::CAGE, missing()).act(), ("-a.x".into(), true));
    assert_eq!(removing(GameRules::CAGE, Computation::Constant(None)).act(), ("-a.x".into(), true));
    assert_eq!(removing(GameRules::DOCUMENTED, Computation::Constant(None)).act(), ("-a.x".into(), true));
    let expected = GameErrorKind::PutMissingValue { place: "a.x".into() };
    assert_eq!(removing(GameRules::DOCUMENTED, missing()).fail(), (String::new(), expected));
}

#[test]
fn adding_a_missing_resource_fails_after_the_effects_before_it() {
    let expected = GameErrorKind::AddMissingValue { place: "a.x".into() };
    assert_eq!(cage().add([("a.x", missing())]).fail(), (String::new(), expected.clone()));
    let several = cage().add([("a.f", int(5)), ("a.x", missing()), ("b.x", int(1))]);
    assert_eq!(several.fail(), ("a.f=6.5".into(), expected));
}

#[test]
fn replacements_come_after_all_additions() {
    let replacing = |added| {
        let mut table = cage();
        let (add, put) = (table.entries([("a.x", added)]), table.entries([("a.x", int(100)), ("b.x", int(7))]));
        table.always(ConsequenceEffect::Resources { compute: vec![], add, replace: put })
    };
    assert_eq!(replacing(int(1)).act().0, "a.x=100 b.x=7");
    assert_eq!(replacing(missing()).fail().0, "");
}

#[test]
fn a_failure_says_where_it_was() {
    let mut table = cage().add([]).add([("a.x", missing())]);
    table.game.actions[0].consequences[1].independent = true;
    let (_, turn) = table.act_with(&[], 0);
    let failure = turn.expect_err("it fails");
    assert_eq!((failure.action, failure.consequence), (Some(ActionId(0)), Some(1)));
}

#[test]
fn everything_is_computed_from_the_state_before() {
    let mut table = cage();
    let [x, double] = [table.field("a.x"), table.field("a.x")];
    let compute = vec![IntermediateValue { name: "k".into(), value: sum(vec![x.clone(), double], 0) }];
    let add = table.entries([("a.x", Computation::Field(Field::Computed(0)))]);
    let put = table.entries([("b.x", Computation::Field(x))]);
    let table = table.always(ConsequenceEffect::Resources { compute, add, replace: put });
    assert_eq!(table.act(), ("a.x=15.0 b.x=5".into(), true));
}

#[test]
fn intermediate_values_do_not_see_each_other() {
    let mut table = cage();
    let value = |name: &str, value| IntermediateValue { name: name.into(), value };
    let compute = vec![value("k", int(1)), value("m", Computation::Field(Field::Computed(0)))];
    let put = table.entries([("b.x", Computation::Field(Field::Computed(1)))]);
    let table = table.always(ConsequenceEffect::Resources { compute, add: vec![], replace: put });
    assert_eq!(table.act(), ("-b.x".into(), true));
}

#[test]
fn earlier_consequences_are_seen_by_later_ones() {
    let mut table = cage().add([("a.x", int(1))]);
    let before = table.read("a.x");
    let mut table = table.put([("b.x", before)]);
    table.game.actions[0].consequences[1].independent = true;
    assert_eq!(table.act(), ("a.x=6 b.x=6".into(), true));
}

#[test]
fn failed_steps_leave_their_entry_out_or_give_nothing() {
    let failing = |rules| {
        let mut table = Table::new(rules);
        let step = ChainStep::Value(ValueTransform::Arithmetic(ArithmeticOperator::Add, Int(1)));
        let name = table.read("a.name");
        table.put([("a.x", Computation::Chain(Box::new(name), vec![step])), ("b.x", int(7))])
    };
    assert_eq!(failing(GameRules::CAGE).act(), ("b.x=7".into(), true));
    let expected = GameErrorKind::PutMissingValue { place: "a.x".into() };
    assert_eq!(failing(GameRules::DOCUMENTED).fail(), (String::new(), expected));
}

#[test]
fn a_pass_is_free_and_valid() {
    let table = cage();
    let mut play = table.play();
    let turn = play.act(&Move::Pass, &mut RandomStream::new(0, 0), &table.registry).unwrap();
    assert!(turn.valid && turn.occurrences.is_empty() && changes(&play).is_empty());
}

#[test]
fn the_nothing_action_is_a_pass_or_as_defined() {
    let nothing = |rules, defined: bool| {
        let mut table = Table::new(rules);
        let place = table.place("a.x");
        table.game.actions[1].cost.push((place, Int(-1)));
        if !defined {
            table.game.teams[0].choices[1].action = None;
        }
        let mut play = table.play();
        let turn = play.act(&Move::Choose(ChoiceId(1), vec![]), &mut RandomStream::new(0, 0), &table.registry);
        (changes(&play), turn.map(|turn| turn.valid))
    };
    assert_eq!(nothing(GameRules::CAGE, true), (String::new(), Ok(true)));
    assert_eq!(nothing(GameRules::DOCUMENTED, true), ("a.x=4".into(), Ok(true)));
    assert_eq!(
        nothing(GameRules { nothing: NothingAction::AsDefined, ..GameRules::CAGE }, false),
        (String::new(), Ok(true))
    );
}

#[test]
fn choices_of_other_teams_are_errors() {
    let mut table = cage();
    table.game.teams[0].choices[0].action = None;
    let chosen = |choice, values| {
        let turn =
            table.play().act(&Move::Choose(ChoiceId(choice), values), &mut RandomStream::new(0, 0), &table.registry);
        turn.expect_err("it is refused").kind
    };
    let team = table.play().team();
    assert_eq!(chosen(0, vec![]), GameErrorKind::UndefinedChoice { team, choice: ChoiceId(0) });
    assert_eq!(chosen(9, vec![]), GameErrorKind::UndefinedChoice { team, choice: ChoiceId(9) });
    assert_eq!(chosen(1, vec![Int(1)]), GameErrorKind::ParameterCount { expected: 0, found: 1 });
}

#[test]
fn parameters_can_be_read_where_the_game_does() {
    let parameter = || Computation::Field(Field::Parameter("amount".into()));
    let table = cage().parameters(&["amount"]).put([("a.name", parameter())]);
    assert_eq!(table.act_with(&["much"], 0).0, "a.name=much");
}

#[test]
fn values_outside_of_their_space_are_counted_and_held_by_the_rules() {
    let adding = |bounds, added: Computation| {
        let mut table = Table::new(GameRules { bounds, ..GameRules::CAGE });
        let node = table.node("a");
        let declaration = Declaration { space: Space::IntRange { min: 0, max: 8 }, initial: Int(5) };
        table.game.board.declare(node, "x", declaration);
        let (changes, turn) = table.add([("a.f", int(1)), ("a.x", added)]).act_with(&[], 0);
        (changes, turn.map(|turn| turn.out_of_bounds.len()).map_err(|failure| failure.kind))
    };
    assert_eq!(adding(SpaceBoundsRule::Error, int(3)), ("a.x=8 a.f=2.5".into(), Ok(0)));
    assert_eq!(adding(SpaceBoundsRule::Ignore, int(4)), ("a.x=9 a.f=2.5".into(), Ok(1)));
    assert_eq!(adding(SpaceBoundsRule::Clamp, int(4)), ("a.x=8 a.f=2.5".into(), Ok(1)));
    assert_eq!(adding(SpaceBoundsRule::Clamp, int(-9)), ("a.x=0 a.f=2.5".into(), Ok(1)));
    assert_eq!(adding(SpaceBoundsRule::Clamp, text("much")), ("a.x=much a.f=2.5".into(), Ok(1)));
    let outside = GameErrorKind::OutOfBounds { place: "a.x".into(), value: Int(9) };
    assert_eq!(adding(SpaceBoundsRule::Error, int(4)), ("a.f=2.5".into(), Err(outside)));
}

#[test]
fn costs_leave_spaces_as_well() {
    let mut table = cage().cost("a.tags", Value::text("q"));
    assert_eq!(table.act_with(&[], 0).1.unwrap().out_of_bounds.len(), 1);
    table.game.rules.bounds = SpaceBoundsRule::Error;
    let outside = GameErrorKind::OutOfBounds { place: "a.tags".into(), value: Value::text("q") };
    assert_eq!(table.fail(), (String::new(), outside));
}

#[test]
fn bare_nodes_cannot_pay_in_one_reading() {
    let paying = |rules| {
        let mut table = Table::new(rules);
        table.game.board.add_node("bare");
        table.cost("a.x", Int(1)).cost("bare.x", Int(1))
    };
    let table = paying(GameRules::CAGE);
    assert_eq!(table.fail(), ("a.x=6".into(), GameErrorKind::BareNode { node: table.node("bare") }));
    assert_eq!(paying(GameRules::DOCUMENTED).act(), ("a.x=6 bare.x=1".into(), true));
}

#[test]
fn a_bare_node_has_something_from_the_first_write_on() {
    let mut table = cage();
    table.game.board.add_node("bare");
    let table = table.put([("bare.x", int(1))]);
    assert_eq!(table.act(), ("bare.observable=[] bare.x=1".into(), true));
    let mut table = table.cost("bare.x", Int(2));
    table.game.actions[1] = Action { cost: vec![], ..table.game.actions[0].clone() };
    table.game.rules.nothing = NothingAction::AsDefined;
    let mut play = table.play();
    for choice in [1, 0] {
        play.act(&Move::Choose(ChoiceId(choice), vec![]), &mut RandomStream::new(0, 0), &table.registry).unwrap();
    }
    assert_eq!(changes(&play), "bare.observable=[] bare.x=1");
}

#[test]
fn games_are_over_when_their_test_holds() {
    let mut table = cage();
    let field = table.field("a.x");
    table.game.completed = Filter::Field(field, ValueFilter::Range(Int(4), Int(9)));
    let stream = &mut RandomStream::new(0, 0);
    assert_eq!(table.play().completed(stream), Ok(true));
    table.game.completed = Filter::Computed(Box::new(int(1)));
    let failure = table.play().completed(stream).expect_err("it fails");
    assert_eq!((failure.action, failure.kind), (None, GameErrorKind::NonBooleanTest { value: Some(Int(1)) }));
}

#[test]
fn teams_take_turns_and_a_reset_begins_again() {
    let table = cage().add([("a.x", int(1))]);
    let mut play = table.play();
    let mut teams = vec![];
    for _ in 0..3 {
        teams.push(play.team().index());
        play.act(&Move::Choose(ChoiceId(0), vec![]), &mut RandomStream::new(0, 0), &table.registry).unwrap();
        play.advance();
    }
    assert_eq!((teams, changes(&play)), (vec![0, 1, 0], "a.x=8".into()));
    play.reset();
    assert_eq!((play.team().index(), changes(&play)), (0, String::new()));
}

#[test]
fn whole_numbers_that_wrap_around_are_counted_with_their_places() {
    for rules in [GameRules::CAGE, GameRules::DOCUMENTED] {
        let mut table = Table::new(rules).cost("a.x", Int(i32::MAX));
        let fields = vec![table.field("a.x"), table.field("a.x")];
        let square = Computation::Math(MathOperation { operator: MathOperator::Multiply, fields, fallback: None });
        let table = table.put([("b.x", square)]);
        let (changes, turn) = table.act_with(&[], 0);
        let wrapped = 5_i32.wrapping_add(i32::MAX);
        assert_eq!(changes, format!("a.x={wrapped} b.x={}", wrapped.wrapping_mul(wrapped)));
        let resource = table.game.board.resource_named("x").unwrap();
        let place = Overflow::Resource(table.node("a"), resource);
        assert_eq!(turn.unwrap().overflows, [place, Overflow::Computation]);
        assert_eq!(place.name(&table.game), "a.x");
    }
}

#[test]
fn an_action_can_be_chosen_without_its_parameters_where_the_rules_say_so() {
    let act = |rules| {
        let table = Table::new(rules).parameters(&["source"]).with_vectors(
            VectorSelection::All,
            all_vectors(),
            [("_target.x", int(1))],
        );
        let mut play = table.play();
        play.act(&Move::Choose(ChoiceId(0), vec![]), &mut RandomStream::new(0, 0), &table.registry)
            .map(|turn| turn.valid)
    };
    assert_eq!(act(GameRules::CAGE), Ok(true));
    let error = act(GameRules::DOCUMENTED).expect_err("the parameter is missing");
    assert_eq!(error.kind, GameErrorKind::ParameterCount { expected: 1, found: 0 });
}
