//! Observations, rewards, masks and metrics.

use super::table::{Table, at_least, between, equal, int, sum};
use crate::compare::ComparisonOperator;
use crate::compute::Computation;
use crate::field::Field;
use crate::filter::{Filter, ValueFilter};
use crate::game::{ChoiceId, Metric, TeamId, VectorSelection};
use crate::interpret::observation::NodeView;
use crate::interpret::play::Play;
use crate::random::RandomStream;
use crate::rules::{GameRules, Perspective, RewardPrecision};
use crate::space::Space;
use crate::turn::{GameErrorKind, Move};
use crate::value::Value::{self, Bool, Int, Real};

const S: TeamId = TeamId(0);
const T: TeamId = TeamId(1);

/// A play after `act`.
fn acted(table: &Table) -> Play {
    let mut play = table.play();
    play.act(&Move::Choose(ChoiceId(0), vec![]), &mut RandomStream::new(0, 0), &table.registry)
        .expect("it does not fail");
    play
}

fn shown(views: &[NodeView], play: &Play) -> String {
    let node = |view: &NodeView| {
        let values: String = view.values.iter().map(|(name, value)| format!(", {name}={value}")).collect();
        format!("{}={{observable={}{values}}}", play.game().board.node(view.node).name, view.observers)
    };
    views.iter().map(node).collect::<Vec<_>>().join(", ")
}

#[test]
fn of_unseen_nodes_teams_observe_the_initial_values() {
    let mut table = Table::new(GameRules::CAGE);
    table.game.board.add_node("bare");
    let table = table.put([("b.x", int(77)), ("b.newres", int(5)), ("a.newres", int(6))]);
    let play = acted(&table);
    let a = "x=5, own=true, f=1.5, name=foo, tags=[p]";
    assert_eq!(
        shown(&play.observe(S), &play),
        format!(
            "a={{observable=true, {a}, newres=6}}, b={{observable=false, x=2, own=false}}, c={{observable=false, x=3, own=false}}"
        )
    );
    assert_eq!(
        shown(&play.observe(T), &play),
        format!(
            "a={{observable=false, {a}}}, b={{observable=true, x=77, own=false, newres=5}}, c={{observable=false, x=3, own=false}}"
        )
    );
    assert_eq!(
        shown(&play.true_state(), &play),
        format!(
            "a={{observable=[s], {a}, newres=6}}, b={{observable=[t], x=77, own=false, newres=5}}, c={{observable=[], x=3, own=false}}"
        )
    );
}

/// Returns the rewards of the teams after `act` has replaced 5 by 9 in `a.x`.
fn rewards(rules: GameRules, reward: impl Fn(&mut Table) -> Computation) -> [Result<f64, GameErrorKind>; 2] {
    let mut table = Table::new(rules).put([("a.x", int(9))]);
    let reward = reward(&mut table);
    for team in &mut table.game.teams {
        team.reward = Some(reward.clone());
    }
    let play = acted(&table);
    [S, T].map(|team| play.reward(team, &RandomStream::new(0, 0)).map_err(|failure| failure.kind))
}

#[test]
fn rewards_are_computed_from_states_or_observations() {
    let view = |reward_view| GameRules { reward_view, ..GameRules::CAGE };
    assert_eq!(rewards(view(Perspective::TrueState), |table| table.read("a.x")), [Ok(9.0), Ok(9.0)]);
    assert_eq!(rewards(view(Perspective::Observation), |table| table.read("a.x")), [Ok(9.0), Ok(5.0)]);
}

#[test]
fn observers_read_whether_they_see_a_node() {
    let observed = |rules| {
        rewards(rules, |table| {
            let conditions = vec![(table.field("a.observable"), equal(Bool(true)))];
            let case = crate::compute::ComputationCase { when: conditions, value: int(1) };
            let otherwise = crate::compute::ComputationCase { when: vec![], value: int(0) };
            Computation::Cases(vec![case, otherwise])
        })
    };
    assert_eq!(observed(GameRules::CAGE), [Ok(1.0), Ok(0.0)]);
    assert_eq!(observed(GameRules::DOCUMENTED), [Ok(0.0), Ok(0.0)]);
}

#[test]
fn rewards_have_single_or_double_precision() {
    let precision = |reward_precision| {
        let tenth = |_: &mut Table| Computation::Constant(Some(Real(0.1)));
        rewards(GameRules { reward_precision, ..GameRules::CAGE }, tenth)[0].clone()
    };
    assert_eq!(precision(RewardPrecision::Double), Ok(0.1));
    assert_eq!(precision(RewardPrecision::Single), Ok(f64::from(0.1_f32)));
}

#[test]
fn rewards_are_numbers() {
    let error = |team, value| Err(GameErrorKind::NonNumericReward { team, value });
    let earned = |compute: Computation| rewards(GameRules::CAGE, |_| compute.clone());
    let five = Value::text("5");
    assert_eq!(earned(Computation::Constant(Some(five.clone()))), [error(S, Some(five.clone())), error(T, Some(five))]);
    assert_eq!(earned(Computation::Field(Field::Unresolved("x".into()))), [error(S, None), error(T, None)]);
    assert_eq!(earned(int(3)), [Ok(3.0), Ok(3.0)]);
    let failure =
        Table::new(GameRules::CAGE).play().reward(S, &RandomStream::new(0, 0)).expect_err("no reward is said");
    assert_eq!(failure.kind, GameErrorKind::UndefinedReward { team: S });
}

#[test]
fn random_rewards_leave_the_stream_alone() {
    let mut table = Table::new(GameRules::DOCUMENTED);
    table.game.teams[0].reward = Some(sum(vec![], 1));
    let stream = RandomStream::new(4, 4);
    let expected = stream.clone().uniform();
    let [one, other] = [(); 2].map(|()| table.play().reward(S, &stream).unwrap());
    assert!(one.total_cmp(&expected).is_eq() && other.total_cmp(&expected).is_eq());
}

#[test]
fn metrics_are_of_the_truth() {
    let mut table = Table::new(GameRules::CAGE).put([("a.x", int(9))]);
    let fields = [("a.x", table.field("a.x")), ("zz", Field::Unresolved("zz".into()))];
    table.game.metrics = fields.into_iter().map(|(name, field)| Metric { name: name.into(), field }).collect();
    assert_eq!(acted(&table).metrics(), [("a.x".into(), Some(Int(9))), ("zz".into(), None)]);
}

/// Returns the mask of the first team in the true state.
fn mask(table: &Table) -> Vec<bool> {
    let play = table.play();
    let mask = play.mask(S, Perspective::TrueState, &RandomStream::new(0, 0));
    assert_eq!(play.state(), table.play().state());
    mask
}

/// Whether `act` is valid for the first team in the true state.
fn valid(table: &Table) -> bool {
    mask(table)[0]
}

#[test]
fn a_mask_is_computed_after_the_cost() {
    let paying = |bound| Table::new(GameRules::CAGE).cost("a.x", Int(-3)).requires("a.x", at_least(bound));
    assert!(!valid(&paying(3)));
    assert!(valid(&paying(2)));
}

#[test]
fn a_mask_allows_passes_and_undefined_or_failing_actions() {
    let mut table = Table::new(GameRules::CAGE);
    table.game.actions[1].requires = Filter::Never;
    assert_eq!(mask(&table), [true, true]);
    table.game.rules = GameRules::DOCUMENTED;
    assert_eq!(mask(&table), [true, false]);
    table.game.teams[0].choices[1].action = None;
    assert_eq!(mask(&table), [true, true]);
    table.game.teams[0].choices[0].action = None;
    assert_eq!(mask(&table), [false, true]);
    let mut table = Table::new(GameRules::CAGE);
    table.game.board.add_node("bare");
    assert!(!valid(&table.cost("bare.x", Int(1))));
}

#[test]
fn a_valid_choice_need_not_find_a_vector() {
    let table = Table::new(GameRules::CAGE).parameters(&["source"]);
    assert!(valid(&table.with_vectors(VectorSelection::Random, between("c", "a"), [("_target.x", int(1))])));
}

#[test]
fn a_choice_is_valid_if_some_values_of_its_parameters_are() {
    let with = |space: Space| {
        let mut table = Table::new(GameRules::DOCUMENTED).parameters(&["amount", "source"]);
        table.game.teams[0].choices[0].parameters[0].space = space;
        let test = ValueFilter::Compare(ComparisonOperator::GreaterOrEqual, Int(3));
        table.game.actions[0].requires = Filter::Field(Field::Parameter("amount".into()), test);
        valid(&table)
    };
    assert!(with(Space::IntRange { min: 0, max: 3 }));
    assert!(!with(Space::IntRange { min: 0, max: 2 }));
    assert!(!with(Space::IntRange { min: 3, max: 2 }));
    // The combinations are too many to try.
    assert!(with(Space::IntRange { min: -2_000_000_000, max: 0 }));
    assert!(with(Space::FreeInt));
}

/// The first team sees a and not b, which begins with 2 and becomes 9.
#[test]
fn a_mask_is_computed_from_the_observed_state() {
    let masks = |field: &str, filter: ValueFilter, changed: &str, label: Value| {
        let mut table = Table::new(GameRules::DOCUMENTED)
            .put([(changed, int(9)), ("b.observable", Computation::Constant(Some(label)))]);
        table.game.actions[1].requires = Filter::Field(table.field(field), filter);
        let play = acted(&table);
        [Perspective::Observation, Perspective::TrueState].map(|view| play.mask(S, view, &RandomStream::new(0, 0))[1])
    };
    let others = || Value::set(["t"]);
    assert_eq!(masks("b.x", at_least(2), "b.x", others()), [true, true]);
    assert_eq!(masks("b.x", at_least(3), "b.x", others()), [false, true]);
    assert_eq!(masks("b.x", at_least(3), "b.x", Value::set(["s"])), [true, true]);
    assert_eq!(masks("a.x", at_least(9), "a.x", others()), [true, true]);
    // A resource without an initial value on `b`.
    assert_eq!(masks("b.new", ValueFilter::IsNull, "b.new", others()), [true, false]);
    // The other observers of a node are not observable.
    let only = |label| equal(Value::set([label]));
    assert_eq!(masks("b.observable", only("t"), "b.x", Value::set(["u"])), [true, false]);
    assert_eq!(masks("b.observable", only("u"), "b.x", Value::set(["u"])), [false, true]);
}
