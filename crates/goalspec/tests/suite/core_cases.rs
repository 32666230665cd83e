//! Cases as core programs, for features that no language has yet.

use std::sync::Arc;

use goalspec_core::condition::{Atom, Cardinality, Condition, Expression, Origin, PairingRule, Scope, Term, Variable};
use goalspec_core::evaluate::Context;
use goalspec_core::ids::{PreferenceId, VarId};
use goalspec_core::interpret::goal_holds;
use goalspec_core::limits::MAX_BINDINGS;
use goalspec_core::monitor::MonitorError;
use goalspec_core::pattern::{Formula, Pattern, Phase};
use goalspec_core::playback::Playback;
use goalspec_core::program::{CountOperator, Game, Preference, Quantifier, ScopedSetup, ScoreExpression, Setup};
use goalspec_core::world::WorldBuilder;

use super::engines::ENGINES;
use super::{TOY, play};

fn atom(name: &str, arguments: &[Term]) -> Condition {
    let predicate = TOY.predicate_named(name).unwrap_or_else(|| panic!("no predicate `{name}`"));
    Condition::Atom(Atom { predicate, arguments: arguments.into(), origin: Origin::default() })
}

fn now(name: &str) -> Formula {
    Formula::Proposition(atom(name, &[]))
}

fn variable(scope: &mut Scope, name: &str, type_name: &str) -> VarId {
    let types = vec![TOY.type_named(type_name).unwrap_or_else(|| panic!("no type `{type_name}`"))];
    scope.declare(Variable { name: Arc::from(name), types, origin: Origin::default() })
}

fn preference(scope: Scope, inner: Vec<VarId>, pattern: Pattern) -> Preference {
    Preference {
        name: Arc::from("p"),
        scope,
        external: Vec::new(),
        inner,
        quantifier: Quantifier::Exists,
        distinct: Vec::new(),
        pattern,
        origin: Origin::default(),
    }
}

fn count() -> ScoreExpression {
    let origin = Origin::default();
    ScoreExpression::Count { kind: CountOperator::Overlapping, preference: PreferenceId(0), types: Vec::new(), origin }
}

fn game(preference: Preference, score: ScoreExpression) -> Game {
    Game { name: Arc::from("case"), setup: None, preferences: vec![Arc::new(preference)], terminal: None, score }
}

/// Checks a game on all engines; states and expectations are separated by `/`.
#[track_caller]
fn check(game: &Game, states: &str, expect: &str) {
    let lines = |text: &str| -> Vec<String> {
        text.split('/').map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    };
    let failures = play::check(&TOY, game, &lines(states), &lines(expect));
    assert!(failures.is_empty(), "{states}\n{}", failures.join("\n"));
}

/// Checks whether a formula holds of a trace.
#[track_caller]
fn check_formula(formula: &Formula, states: &str, holds: bool) {
    let game = game(preference(Scope::default(), Vec::new(), Pattern::Formula(formula.clone())), count());
    let length = states.split('/').count();
    let expect = if holds { format!("p 1-{length} / score 1") } else { "score 0".to_owned() };
    check(&game, states, &expect);
}

/// Checks whether a condition holds in a state, at the end of a game and as a goal.
#[track_caller]
fn check_condition(scope: &Scope, condition: &Condition, state: &str, holds: bool) {
    let pattern = Pattern::AtEnd(condition.clone());
    let expect = if holds { "p 1-1 / score 1" } else { "score 0" };
    check(&game(preference(scope.clone(), Vec::new(), pattern), count()), state, expect);

    let mut playback = Playback::new(TOY.clone());
    playback.advance(&play::deltas(&TOY, &[state.to_owned()])[0]);
    let nothing = fixedbitset::FixedBitSet::new();
    let ctx =
        Context { world: &TOY, state: playback.state(), first: true, last: true, setup_objects: &nothing, work: None };
    assert_eq!(goal_holds(&ctx, scope, condition), holds, "{state}");
}

#[test]
fn next_needs_a_next_state_and_weak_next_does_not() {
    check_formula(&Formula::Next(Box::new(now("a"))), ". / a", true);
    check_formula(&Formula::Next(Box::new(now("a"))), "a / .", false);
    check_formula(&Formula::Next(Box::new(now("a"))), "a", false);
    check_formula(&Formula::WeakNext(Box::new(now("a"))), "a", true);
    check_formula(&Formula::WeakNext(Box::new(now("a"))), "a / .", false);
}

#[test]
fn eventually_and_always_range_over_all_states_from_now_on() {
    check_formula(&Formula::Eventually(Box::new(now("a"))), ". / . / a / .", true);
    check_formula(&Formula::Eventually(Box::new(now("a"))), ". / .", false);
    check_formula(&Formula::Always(Box::new(now("a"))), "a / a", true);
    check_formula(&Formula::Always(Box::new(now("a"))), "a / a / .", false);
    let response = Formula::Or(vec![
        Formula::Not(Box::new(now("a"))),
        Formula::Next(Box::new(Formula::Eventually(Box::new(now("b"))))),
    ]);
    check_formula(&Formula::Always(Box::new(response.clone())), "a / a / b / .", true);
    check_formula(&Formula::Always(Box::new(response)), "a / b / a", false);
}

#[test]
fn until_needs_its_second_part_and_release_does_not() {
    let until = Formula::Until(Box::new([now("a"), now("b")]));
    check_formula(&until, "b", true);
    check_formula(&until, "a / a / b / .", true);
    check_formula(&until, "a / a", false);
    check_formula(&until, "a / . / b", false);
    let release = Formula::Release(Box::new([now("a"), now("b")]));
    check_formula(&release, "b / b", true);
    check_formula(&release, "b / a b / .", true);
    check_formula(&release, "b / a / b", false);
}

#[test]
fn conjunctions_and_disjunctions_of_nothing() {
    check_formula(&Formula::And(Vec::new()), ".", true);
    check_formula(&Formula::Or(Vec::new()), ".", false);
}

#[test]
fn formulas_are_looked_at_under_each_binding_and_not_at_all_without_states() {
    let mut scope = Scope::default();
    let ball = variable(&mut scope, "?b", "ball");
    let held = Formula::Proposition(atom("held", &[Term::Variable(ball)]));
    let pattern = Pattern::Formula(Formula::Eventually(Box::new(held)));
    let game = game(preference(scope, vec![ball], pattern), count());
    check(&game, ". / held(blue) / .", "p 1-3 ?b=blue / score 1 / rewards 0 0 1");
    // Absent objects have no properties.
    check(&game, "-blue held(blue)", "score 0");
    check(&game, "", "score the trace has no states");
}

#[test]
fn the_last_state_is_known_to_formulas() {
    let at_last = Formula::Proposition(Condition::And(vec![Condition::LastState, atom("a", &[])]));
    check_formula(&Formula::Eventually(Box::new(at_last.clone())), ". / a", true);
    check_formula(&Formula::Eventually(Box::new(at_last)), "a / .", false);
    check_formula(&Formula::Proposition(Condition::FirstState), ". / .", true);
}

#[test]
fn counting_quantifiers() {
    let mut scope = Scope::default();
    let ball = variable(&mut scope, "?b", "ball");
    let lit = |amount| Condition::Count(amount, vec![ball], Box::new(atom("lit", &[Term::Variable(ball)])));
    let cases = [
        (Cardinality::AtLeast(0), ".", true),
        (Cardinality::AtLeast(1), ".", false),
        (Cardinality::AtLeast(1), "lit(red) lit(blue)", true),
        (Cardinality::AtLeast(2), "lit(red) lit(blue)", true),
        (Cardinality::AtLeast(3), "lit(red) lit(blue)", false),
        (Cardinality::Exactly(1), "lit(red) lit(blue)", false),
        (Cardinality::Exactly(1), "lit(blue)", true),
        (Cardinality::Exactly(0), ".", true),
        (Cardinality::Exactly(1), "lit(red) lit(blue) -red", true),
    ];
    for (amount, state, holds) in cases {
        check_condition(&scope, &lit(amount), state, holds);
    }
}

#[test]
fn pairings_use_each_object_once() {
    let mut scope = Scope::default();
    let bin = variable(&mut scope, "?c", "bin");
    let ball = variable(&mut scope, "?b", "ball");
    let body = || Box::new(atom("in", &[Term::Variable(bin), Term::Variable(ball)]));
    let pairing = |amount| {
        let rule = PairingRule::Matching;
        Condition::Pairing { rule, amount, left: ball, right: bin, body: body() }
    };
    let cases = [
        (None, "in(bin_1,red) in(bin_2,blue)", true),
        (None, "in(bin_1,red) in(bin_1,blue)", false),
        // Red has to leave the first bin to blue, which fits nowhere else.
        (None, "in(bin_1,red) in(bin_2,red) in(bin_1,blue)", true),
        (Some(1), "in(bin_1,red) in(bin_1,blue)", true),
        (Some(2), "in(bin_1,red) in(bin_1,blue)", false),
        (Some(3), "in(bin_1,red) in(bin_2,blue)", false),
        (Some(0), ".", true),
        // The smaller of the two domains has the objects that are present.
        (None, "in(bin_1,red) -blue", true),
        (None, "-red -blue", true),
    ];
    for (amount, state, holds) in cases {
        check_condition(&scope, &pairing(amount), state, holds);
    }
}

#[test]
fn coverings_ask_for_rows_and_columns() {
    let mut scope = Scope::default();
    let [bin, ball] = [("?c", "bin"), ("?b", "ball")].map(|(name, type_name)| variable(&mut scope, name, type_name));
    let covering = |amount| {
        let body = Box::new(atom("in", &[Term::Variable(bin), Term::Variable(ball)]));
        Condition::Pairing { rule: PairingRule::Covering, amount, left: ball, right: bin, body }
    };
    let cases = [
        (None, "in(bin_1,red) in(bin_2,blue)", true),
        (None, "in(bin_1,red) in(bin_1,blue)", false),
        (None, "in(bin_1,red) in(bin_2,red)", false),
        (Some(1), "in(bin_1,red) in(bin_1,blue)", true),
        (Some(3), "in(bin_1,red) in(bin_2,blue)", false),
        (Some(0), ".", true),
        (None, "in(bin_1,red) -blue", true),
        (None, "in(bin_1,red) in(bin_2,red) -blue", true),
        (None, "-red -blue", true),
    ];
    for (amount, state, holds) in cases {
        check_condition(&scope, &covering(amount), state, holds);
    }
}

#[test]
fn no_object_pairs_with_itself() {
    let mut scope = Scope::default();
    let [one, other] = ["?a", "?b"].map(|name| variable(&mut scope, name, "thing"));
    let ball = variable(&mut scope, "?c", "ball");
    let pairing = |rule, amount, [left, right]: [VarId; 2]| {
        let body = Box::new(atom("in", &[Term::Variable(left), Term::Variable(right)]));
        Condition::Pairing { rule, amount, left, right, body }
    };
    let (matching, covering) = (PairingRule::Matching, PairingRule::Covering);
    let narcissists = "in(red,red) in(blue,blue) in(bin_1,bin_1) in(bin_2,bin_2)";
    let chain = "in(red,blue) in(blue,bin_1) in(bin_1,bin_2)";
    let variables = [one, other];
    let cases = [
        (matching, Some(1), variables, narcissists, false),
        (covering, Some(1), variables, narcissists, false),
        (matching, None, variables, narcissists, false),
        // Four rows with three cells each; three pairs are required.
        (matching, None, variables, chain, true),
        (matching, Some(4), variables, chain, false),
        // The k-th other object: blue is red's first, bin_1 blue's second, bin_2 bin_1's third.
        (covering, None, variables, chain, true),
        // Red is the first other object of every object.
        (covering, Some(2), variables, "in(blue,red) in(bin_1,red) in(bin_2,red)", false),
        // Without red, blue is the first other object of both bins, and bin_1 that of blue.
        (covering, Some(2), variables, "-red in(blue,bin_1) in(bin_1,blue)", false),
        (covering, None, variables, "-red in(blue,bin_2) in(bin_1,blue)", true),
        // Two balls among four objects: the first ball has one other object, so one is required.
        (covering, None, [ball, one], ".", false),
        (covering, None, [one, ball], "in(bin_1,red)", true),
        (matching, None, [one, ball], "in(red,red)", false),
    ];
    for (rule, amount, sides, state, holds) in cases {
        check_condition(&scope, &pairing(rule, amount, sides), state, holds);
    }
}

#[test]
fn implications_constants_and_equal_numbers() {
    let scope = Scope::default();
    let imply = Condition::Imply(Box::new([atom("a", &[]), atom("b", &[])]));
    check_condition(&scope, &imply, ".", true);
    check_condition(&scope, &imply, "a", false);
    check_condition(&scope, &imply, "a b", true);
    check_condition(&scope, &Condition::Constant(true), ".", true);
    check_condition(&scope, &Condition::Constant(false), ".", false);
    let temperature = || Expression::Call {
        function: TOY.function_named("temperature").expect("the toy world has the function"),
        arguments: Vec::new().into(),
        origin: Origin::default(),
    };
    let sum = Expression::Add(vec![temperature(), Expression::Number(1.0)]);
    let equal = Condition::AllEqual(vec![Expression::Number(3.0), sum, Expression::Number(3.0)], Origin::default());
    check_condition(&scope, &equal, "temperature=2", true);
    check_condition(&scope, &equal, "temperature=2.1", false);
    check_condition(&scope, &equal, ".", false);
}

#[test]
fn the_score_inside_the_score_takes_itself_as_0() {
    let pattern = Pattern::AtEnd(atom("a", &[]));
    let score = ScoreExpression::Add(vec![
        count(),
        ScoreExpression::Multiply(vec![ScoreExpression::Number(100.0), ScoreExpression::TotalScore]),
    ]);
    check(&game(preference(Scope::default(), Vec::new(), pattern), score), "a", "p 1-1 / score 101");
}

#[test]
fn sums_and_products_of_nothing() {
    let pattern = Pattern::AtEnd(atom("a", &[]));
    let score = ScoreExpression::Add(vec![
        ScoreExpression::Add(Vec::new()),
        ScoreExpression::Multiply(Vec::new()),
        ScoreExpression::AllEqual(Vec::new()),
    ]);
    check(&game(preference(Scope::default(), Vec::new(), pattern), score), "a", "p 1-1 / score 2");
}

#[test]
fn a_sequence_without_phases_is_never_satisfied() {
    let pattern = Pattern::Sequence(Vec::new());
    check(&game(preference(Scope::default(), Vec::new(), pattern), count()), "a / a", "score 0");
}

#[test]
fn a_single_phase_is_first_and_last() {
    let once = Phase::Once { condition: atom("a", &[]), measure: None, origin: Origin::default() };
    let hold = Phase::Hold { condition: atom("a", &[]), may_be_empty: false, origin: Origin::default() };
    let events = vec![atom("b", &[]), atom("c", &[])];
    let hold_while = Phase::HoldWhile { condition: atom("a", &[]), events, origin: Origin::default() };
    let play = |phase| game(preference(Scope::default(), Vec::new(), Pattern::Sequence(vec![phase])), count());
    check(&play(once), "a / a / . / a", "p 1-1 / p 2-2 / p 4-4 / score 3");
    check(&play(hold), "a / a / . / a", "p 1-1 / p 2-2 / p 4-4 / score 3");
    check(&play(hold_while), "a / a b / a / a c / a b / a c", "p 2-4 / p 5-6 / score 2");
}

#[test]
fn a_hold_while_without_events_is_a_hold_of_one_state_or_more() {
    let once = |name| Phase::Once { condition: atom(name, &[]), measure: None, origin: Origin::default() };
    let hold = Phase::HoldWhile { condition: atom("b", &[]), events: Vec::new(), origin: Origin::default() };
    let pattern = Pattern::Sequence(vec![once("a"), hold, once("c")]);
    let game = game(preference(Scope::default(), Vec::new(), pattern), count());
    check(&game, "a / c / a / b / c / b / c", "p 3-5 / score 1");
}

#[test]
fn more_bindings_than_the_limit_are_refused() {
    let mut builder = WorldBuilder::new("many");
    let thing = builder.add_type("thing", &[]);
    for index in 0..1000 {
        builder.add_object(format!("thing_{index}"), &[thing]);
    }
    let world = builder.finish().expect("the world is well formed");
    let mut scope = Scope::default();
    let mut declare =
        |name: &str| scope.declare(Variable { name: Arc::from(name), types: vec![thing], origin: Origin::default() });
    let variables: Vec<VarId> = ["?a", "?b", "?c"].into_iter().map(&mut declare).collect();
    let pattern = Pattern::AtEnd(Condition::Constant(true));
    let mut inner = preference(scope.clone(), variables.clone(), pattern.clone());
    let mut external = preference(scope.clone(), Vec::new(), pattern);
    external.external = variables;
    // A variable without objects leaves no binding, but scores still range over the external ones.
    let nothing = Variable { name: Arc::from("?n"), types: Vec::new(), origin: Origin::default() };
    external.inner = vec![external.scope.declare(nothing)];
    inner.name = Arc::from("q");
    for preference in [inner, external] {
        let game = game(preference.clone(), count());
        for (name, engine) in ENGINES {
            let error = engine(&world, &game).err();
            let expected = MonitorError::TooManyBindings {
                preference: Some(preference.name.clone()),
                bindings: 1_000_000_000,
                limit: MAX_BINDINGS,
                origin: Origin::default(),
            };
            assert_eq!(error, Some(expected), "{name}");
        }
    }
    let setup = Setup::Exists(
        scope.variables.iter().enumerate().map(|(index, _)| VarId::from(index)).collect(),
        Box::new(Setup::Conserved(Condition::Constant(true), Origin::default())),
    );
    let mut game = game(preference(Scope::default(), Vec::new(), Pattern::AtEnd(Condition::Constant(true))), count());
    game.setup = Some(ScopedSetup { scope, setup });
    for (name, engine) in ENGINES {
        let error = engine(&world, &game).err();
        let (bindings, limit) = (1_000_000_000, MAX_BINDINGS);
        let expected = MonitorError::TooManyBindings { preference: None, bindings, limit, origin: Origin::default() };
        assert_eq!(error, Some(expected), "{name}");
    }
    const { assert!(MAX_BINDINGS < 1_000_000_000) };
}

#[test]
fn one_variable_without_objects_leaves_the_other_domains_unlimited() {
    let mut builder = WorldBuilder::new("many");
    let thing = builder.add_type("thing", &[]);
    for index in 0..1000 {
        builder.add_object(format!("thing_{index}"), &[thing]);
    }
    let world = builder.finish().expect("the world is well formed");
    let conserved = || Box::new(Setup::Conserved(Condition::Constant(true), Origin::default()));
    let always = || Pattern::AtEnd(Condition::Constant(true));
    for place in 0..8 {
        let mut scope = Scope::default();
        let mut declare = |index: usize| {
            let types = if index == place { Vec::new() } else { vec![thing] };
            scope.declare(Variable { name: format!("?{index}").into(), types, origin: Origin::default() })
        };
        let variables: Vec<VarId> = (0..8).map(&mut declare).collect();
        let play = |game: &Game, expect: &[&str]| {
            let expect: Vec<_> = expect.iter().map(|&line| line.to_owned()).collect();
            let failures = play::check(&world, game, &[".".to_owned()], &expect);
            assert!(failures.is_empty(), "{place}\n{}", failures.join("\n"));
        };
        play(&game(preference(scope.clone(), variables.clone(), always()), count()), &["score 0"]);
        let exists = Condition::Exists(variables.clone(), Box::new(Condition::Constant(true)));
        play(&game(preference(scope.clone(), Vec::new(), Pattern::AtEnd(exists)), count()), &["score 0"]);

        let with_setup = |setup| {
            let game = game(preference(Scope::default(), Vec::new(), always()), count());
            Game { setup: Some(ScopedSetup { scope: scope.clone(), setup }), ..game }
        };
        let never: &[&str] = &["score the setup was never satisfied"];
        play(&with_setup(Setup::Exists(variables.clone(), conserved())), never);
        // A universal statement over no objects is true.
        let (outer, inner) = variables.split_at(1);
        let nested = Setup::Exists(outer.to_vec(), Box::new(Setup::Forall(inner.to_vec(), conserved())));
        play(&with_setup(nested), if place == 0 { never } else { &["p 1-1", "score 1"] });
    }
}

#[test]
fn conditions_that_cannot_be_split_are_blamed_as_a_whole() {
    let mut scope = Scope::default();
    let ball = variable(&mut scope, "?b", "ball");
    let bin = variable(&mut scope, "?c", "bin");
    let lit = || Box::new(atom("lit", &[Term::Variable(ball)]));
    let inside = Box::new(atom("in", &[Term::Variable(bin), Term::Variable(ball)]));
    let cases = [
        (
            Condition::Count(Cardinality::AtLeast(2), vec![ball], lit()),
            "(at-least 2 (?b - ball) (lit ?b)) is false with 1 2",
        ),
        (
            Condition::Count(Cardinality::Exactly(0), vec![ball], lit()),
            "(exactly 0 (?b - ball) (lit ?b)) is false with 1 0",
        ),
        (
            Condition::Pairing {
                rule: PairingRule::Matching,
                amount: None,
                left: ball,
                right: bin,
                body: inside.clone(),
            },
            "(all-pairs (?b - ball ?c - bin) (in ?c ?b)) is false",
        ),
        (
            Condition::Pairing { rule: PairingRule::Covering, amount: Some(1), left: ball, right: bin, body: inside },
            "(covers 1 (?b - ball ?c - bin) (in ?c ?b)) is false",
        ),
        (Condition::Constant(false), "false is false"),
        (Condition::Or(Vec::new()), "(or) is false"),
        (Condition::Not(Box::new(Condition::FirstState)), "(first-state) is true"),
        (Condition::Not(Box::new(Condition::LastState)), "(last-state) is true"),
    ];
    for (condition, blame) in cases {
        let game = game(preference(scope.clone(), Vec::new(), Pattern::AtEnd(condition)), count());
        check(&game, "lit(red)", &format!("score 0 / blame p phase 0 {blame}"));
    }
    let never = Pattern::Formula(Formula::Eventually(Box::new(now("a"))));
    let game = game(preference(Scope::default(), Vec::new(), never), count());
    check(&game, ". / .", "score 0 / attempt p phase 0 events 0 start 0 failed 2");
}
