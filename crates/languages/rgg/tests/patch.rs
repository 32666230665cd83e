//! Games with replaced values.

use goalspec_resource::game::{ConsequenceEffect, Game};
use goalspec_resource::value::Value;
use goalspec_rgg::Dialect;
use goalspec_rgg::template::{GameTemplate, PatchError, TemplateVariable};
use goalspec_syntax::Sources;

const GAME: &str = "
metadata: {id: test}
teams: [red, blue]
board: {nodes: [a, b.c]}
resourceSpace:
  a:
    observable: set(red; red, blue)
    capital: int.range(3; 0,10)
    word: string(x)
    open: true
  b.c: {x.y: float(0.5)}
actionSpace: {red: {spend: {how much: 'int.range(1,2)'}}, blue: {spend: }}
actions:
  spend:
    cost: {a.capital: -1}
    requires: &limit {a.capital: {Gte: 0}}
    consequences:
      - odds: 0.5
        odds.discount: 0.9
        result: {Resources: {add: {a.capital: 1}, put: {a.word: \"some text\"}}}
      - result:
          Resources:
            put:
              a.word: >
                folded
                text
              a.open:
  rest: {cost: {}, requires: *limit}
rewards: {red: {Field: a.capital}, blue: {Field: a.capital}}
completed: {a.capital: {Lte: 0}}
";

fn template(text: &str) -> GameTemplate {
    let mut sources = Sources::new();
    let id = sources.add("game", text);
    GameTemplate::new(sources.file(id), Dialect::CAGE, &[]).unwrap()
}

/// Returns the variables, or the diagnostics as `code text message (help)`.
fn variables(template: &GameTemplate, texts: &[&str]) -> Result<Vec<TemplateVariable>, Vec<String>> {
    let mut sources = Sources::new();
    let ids: Vec<_> = texts.iter().map(|&text| sources.add("vary", text)).collect();
    let files: Vec<_> = ids.iter().map(|&id| sources.file(id)).collect();
    template.parse_variables(&files).map_err(|found| {
        let line = |found: goalspec_syntax::Diagnostic| {
            let span = found.span.unwrap();
            let place = sources.file(span.source).slice(span);
            format!("{} `{place}`: {} ({})", found.code, found.message, found.help.join(", "))
        };
        found.into_iter().map(line).collect()
    })
}

#[track_caller]
fn patched(text: &str, value: Value) -> Result<Game, Box<PatchError>> {
    let template = template(GAME);
    let variables = variables(&template, &[text]).unwrap();
    template.with(&[(&variables[0], value)])
}

fn initial(game: &Game, name: &str) -> Value {
    let board = &game.board;
    let (_, slot) = board.slots().find(|(id, _)| board.slot_name(*id) == name).unwrap();
    slot.declaration.as_ref().unwrap().initial.clone()
}

#[test]
fn resources_begin_with_other_values() {
    let game = patched("resourceSpace.a.capital=int.range(4,9)", Value::Int(7)).unwrap();
    assert_eq!(initial(&game, "a.capital"), Value::Int(7));
    let game = patched("resourceSpace.b.c.x.y=float.range(1.0,5.0)", Value::Real(2.5)).unwrap();
    assert_eq!(initial(&game, "b.c.x.y"), Value::Real(2.5));
    let game = patched("/resourceSpace/b.c/x.y=float.range(1.0,5.0)", Value::Real(1.5)).unwrap();
    assert_eq!(initial(&game, "b.c.x.y"), Value::Real(1.5));
    let game = patched("resourceSpace.a.observable=set(red, blue)", Value::set(["blue"])).unwrap();
    assert!(
        game.board.node(0.into()).observers.contains("blue") && !game.board.node(0.into()).observers.contains("red")
    );
}

#[test]
fn everything_else_is_replaced_in_the_text() {
    let game = patched("actions.spend.consequences.0.odds=float.range(0,1)", Value::Real(1e-7)).unwrap();
    assert_eq!((game.actions[0].consequences[0].odds, game.actions[0].consequences[0].discount), (1e-7, Some(0.9)));
    let game = patched("actions.spend.consequences.0.odds.discount=float.range(0,1)", Value::Real(1.0)).unwrap();
    assert_eq!((game.actions[0].consequences[0].odds, game.actions[0].consequences[0].discount), (0.5, Some(1.0)));
    let game = patched("/actions/spend/cost/a.capital=int.enum(-2,-3)", Value::Int(-3)).unwrap();
    assert_eq!(game.actions[0].cost[0].1, Value::Int(-3));
    let put = |game: &Game, consequence: usize, place: usize| match &game.actions[0].consequences[consequence].outcome {
        ConsequenceEffect::Resources { replace: put, .. } => format!("{:?}", put[place].1),
        _ => panic!("resources are put"),
    };
    let text = Value::text("a \"b\" \\ #: \n");
    let game =
        patched("actions.spend.consequences.0.result.Resources.put.a.word=string.enum(p,q)", text.clone()).unwrap();
    assert!(put(&game, 0, 0).contains(&format!("{text:?}")), "{}", put(&game, 0, 0));
}

#[test]
fn several_values_at_once_and_the_template_stays() {
    let template = template(GAME);
    let before = template.game().clone();
    let texts = [
        "completed.a.capital.Lte=int.range(-5,0)",
        "resourceSpace.a.capital=int.range(4,9)",
        "actions.spend.consequences.0.odds=float.range(0,1)",
    ];
    let variables = variables(&template, &texts).unwrap();
    let values = [Value::Int(-4), Value::Int(8), Value::Real(0.25)];
    let game = template.with(&variables.iter().zip(values).collect::<Vec<_>>()).unwrap();
    assert_eq!((initial(&game, "a.capital"), game.actions[0].consequences[0].odds), (Value::Int(8), 0.25));
    assert_ne!(game.completed, before.completed);
    assert_eq!(template.game(), &before);
    assert_eq!(template.with(&[]).unwrap(), before);
}

#[test]
fn replacements_that_make_the_game_invalid_are_errors() {
    let error = patched("teams.1=string.enum(green,red)", Value::text("green")).unwrap_err();
    assert!(error.diagnostics.iter().any(goalspec_syntax::Diagnostic::is_error), "{:?}", error.diagnostics);
}

#[test]
fn diagnostics_have_messages_and_spans() {
    let template = template(GAME);
    for (text, expected) in [
        (
            "resourceSpace.a.capital",
            "rgg/variable-form `resourceSpace.a.capital`: missing constraint in `resourceSpace.a.capital` \
             (write the path, `=`, and a constraint: `resourceSpace.a.b=int.range(1,6)`)",
        ),
        (
            "resourceSpace.a.captial=int.range(1,2)",
            "rgg/variable-path `captial`: unknown key `captial` in `resourceSpace.a` (did you mean `capital`?)",
        ),
        (
            "resourcespace.a=int.range(1,2)",
            "rgg/variable-path `resourcespace`: unknown key `resourcespace` in the game (did you mean `resourceSpace`?)",
        ),
        (
            "/resourceSpace/a/x~1y=int.range(1,2)",
            "rgg/variable-path `x~1y`: unknown key `x/y` in `/resourceSpace/a` ()",
        ),
        (
            "actions.spend.consequences.2.odds=float.range(0,1)",
            "rgg/variable-path `2`: no item `2` in `actions.spend.consequences`, a list of length 2 ()",
        ),
        ("teams.0.x=float.range(0,1)", "rgg/variable-path `x`: `teams.0` is a string and has no keys ()"),
        ("=float.range(0,1)", "rgg/variable-path ``: empty path ()"),
        ("teams.0.=float.range(0,1)", "rgg/variable-path `.`: `teams.0.` ends with a dot ()"),
        (
            "teams/=boolean(true)",
            "rgg/variable-path `teams/`: unknown key `teams/` in the game (did you mean `teams`?)",
        ),
        (
            "actions.rest.requires.a.capital.Gte=int.range(0,1)",
            "rgg/variable-path `requires`: `requires` is an alias of a value elsewhere, which may have other aliases \
             (write the value out, or use the path of the anchor)",
        ),
        (
            "actions.spend=int.range(0,1)",
            "rgg/variable-target `actions.spend`: expected a single value at `actions.spend`, found a map \
             (extend the path to a value in it)",
        ),
        (
            "actions.spend.consequences.1.result.Resources.put.a.word=string.enum(p,q)",
            "rgg/variable-target `actions.spend.consequences.1.result.Resources.put.a.word`: \
             `actions.spend.consequences.1.result.Resources.put.a.word` is a block of several lines, which cannot be varied \
             (write the string on one line, without `|` or `>`)",
        ),
        (
            "actions.spend.consequences.1.result.Resources.put.a.open=boolean(true)",
            "rgg/variable-target `actions.spend.consequences.1.result.Resources.put.a.open`: missing value at \
             `actions.spend.consequences.1.result.Resources.put.a.open` ()",
        ),
        (
            "resourceSpace.a.word=int.range(0,1)",
            "rgg/variable-target `resourceSpace.a.word`: the initial value of `resourceSpace.a.word` is `x`, which is of another kind ()",
        ),
        (
            "actionSpace.red.spend.how much=int.range(0,1)",
            "rgg/variable-target `actionSpace.red.spend.how much`: `actionSpace.red.spend.how much` is a parameter of an action, \
             which has no value (the space of a parameter cannot be varied; a policy chooses the value)",
        ),
        (
            "resourceSpace.a.capital=int(3)",
            "rgg/variable-space `int(3)`: `int(3)` cannot be sampled: its space is unbounded \
             (use a range, an enumeration, or `float.normal`)",
        ),
        (
            "resourceSpace.a.capital=int.range(3,2)",
            "rgg/variable-space `int.range(3,2)`: `int.range(3,2)` cannot be sampled: its range is empty \
             (use a range, an enumeration, or `float.normal`)",
        ),
    ] {
        assert_eq!(variables(&template, &[text]).unwrap_err(), [expected]);
    }
    let duplicates = ["resourceSpace.a.capital=int.range(4,9)", "/resourceSpace/a/capital=int.range(1,2)"];
    let expected =
        "rgg/variable-target `/resourceSpace/a/capital`: `/resourceSpace/a/capital` has several variables ()";
    assert_eq!(variables(&template, &duplicates).unwrap_err(), [expected]);
    let errors = variables(&template, &["resourceSpace.a.capital=int.rang(1,2)"]).unwrap_err();
    assert!(errors[0].contains("`int.rang`"), "{errors:?}");
}

/// No path causes a panic.
#[test]
fn paths_of_any_form_are_answered() {
    let template = template(GAME);
    for path in
        ["/", "//", "/teams/", "/teams//", ".", "..", "a", "/~", "/~2", "teams..", "é.é", "/é/", "teams.00", "teams.-1"]
    {
        assert!(variables(&template, &[&format!("{path}=boolean(true)")]).is_err(), "{path}");
    }
}

/// A replaced value is checked as if it were written in the file.
#[test]
fn varied_values_go_through_the_checks_of_the_file() {
    let template = template(GAME);
    let found = |text: &str| -> Vec<String> {
        let variables = variables(&template, &[text]).unwrap();
        let found = template.check_extremes(&variables);
        found
            .into_iter()
            .flat_map(|found| found.diagnostics)
            .map(|found| format!("{} {}", found.code, found.help.join("; ")))
            .collect()
    };
    assert!(found("resourceSpace.a.capital=int.range(4,9)").is_empty());
    let outside = found("resourceSpace.a.capital=int.enum(4,11)");
    assert!(
        outside.iter().any(|found| found.starts_with("rgg/outside-space") && found.contains("= 11")),
        "{outside:?}"
    );
    let odds = found("actions.spend.consequences.0.odds=float.enum(0.5,1.5)");
    assert!(odds.iter().any(|found| found.contains("= 1.5")), "{odds:?}");
    // 99.7% of the samples of a normal distribution are within three standard deviations of its mean.
    let place = "actions.spend.consequences.0.odds";
    let normal = found(&format!("{place}=float.normal(0.5,1)"));
    assert!(["= -2.5", "= 3.5"].iter().all(|value| normal.iter().any(|found| found.contains(value))), "{normal:?}");
    assert!(found(&format!("{place}=float.normal(0.5,0.1)")).is_empty());
    // An error in the file is an error here as well.
    let error = patched("resourceSpace.a.capital=float.range(0,5)", Value::Real(2.5)).unwrap_err();
    assert!(error.diagnostics.iter().any(goalspec_syntax::Diagnostic::is_error));
}

/// For a long text, only the extreme values are checked, to bound the time.
#[test]
fn long_games_are_checked_at_fewer_values() {
    let found = |text: &str| -> usize {
        let template = template(text);
        let values: Vec<String> = (11..23).map(|value| format!("{value}.5")).collect();
        let variable = format!("actions.spend.consequences.0.odds=float.enum({})", values.join(","));
        template.check_extremes(&variables(&template, &[&variable]).unwrap()).len()
    };
    assert_eq!(found(GAME), 12);
    assert_eq!(found(&format!("{GAME}#{}\n", "x".repeat(1 << 20))), 2);
}
