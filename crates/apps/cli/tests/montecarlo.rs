//! Monte Carlo experiments: varied values, compared policies, stopping rules, rows and summaries.

use std::collections::BTreeMap;

use crate::common::Folder;
use serde_json::Value;

const CLIMB: &str = "examples/rgg/climb.yaml";
const BERRIES: &str = "examples/rgg/berries.yaml";

fn json(folder: &Folder, command: &str) -> Value {
    let run = folder.run(command);
    assert_eq!(run.code, Some(0), "{command}: {}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

fn lines(folder: &Folder, command: &str) -> Vec<Value> {
    let run = folder.run(command);
    assert_eq!(run.code, Some(0), "{command}: {}", run.err);
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn sampled_values_depend_on_seed_and_index() {
    let folder = Folder::new();
    let vary = "--vary resourceSpace.wall.strength=int.range(0,4) --vary /actions/climb/consequences/0/odds=float.range(0.4,0.9)";
    let games = |options: &str| folder.run(&format!("simulate --format jsonl {vary} {options} {CLIMB}")).out;
    let one = games("--seed 3 --games 300 --jobs 1");
    assert_eq!(one, games("--seed 3 --games 300 --jobs 2"));
    let alone = games("--seed 3 --first-game 217 --games 1");
    assert_eq!(one.lines().nth(217), Some(alone.trim_end()));
    let sampled: Vec<Value> =
        one.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["varied"].clone()).collect();
    let strengths: Vec<i64> =
        sampled.iter().map(|sampled| sampled["resourceSpace.wall.strength"].as_i64().unwrap()).collect();
    assert!(
        (0..=4).all(|strength| strengths.contains(&strength)) && strengths.iter().all(|value| (0..=4).contains(value))
    );
    let odds = |sampled: &Value| sampled["/actions/climb/consequences/0/odds"].as_f64().unwrap();
    assert!(sampled.iter().all(|sampled| (0.4..0.9).contains(&odds(sampled))));
    assert!(odds(&sampled[0]).to_bits() != odds(&sampled[1]).to_bits());
}

#[test]
fn sampled_values_are_those_played() {
    let folder = Folder::new();
    // A policy that only climbs has one try per unit of strength, and every try succeeds.
    let vary = "--vary resourceSpace.wall.strength=int.range(0,4) --vary actions.climb.consequences.0.odds=int.enum(1)";
    for game in lines(&folder, &format!("simulate --format jsonl --games 100 --policy always:climb {vary} {CLIMB}")) {
        assert_eq!(game["metrics"]["wall.height"], game["varied"]["resourceSpace.wall.strength"], "{game}");
    }
    // Varying a value to that of the file leaves the game unchanged.
    let same = "--vary resourceSpace.wall.strength=int.enum(3)";
    let strip = |mut game: Value| {
        game.as_object_mut().unwrap().remove("varied");
        game
    };
    let varied = lines(&folder, &format!("simulate --format jsonl --games 50 {same} {CLIMB}"));
    let plain = lines(&folder, &format!("simulate --format jsonl --games 50 {CLIMB}"));
    assert_eq!(varied.into_iter().map(strip).collect::<Vec<_>>(), plain);
}

#[test]
fn a_batch_has_one_draw() {
    let folder = Folder::new();
    let vary = "--vary resourceSpace.wall.strength=int.range(0,1000) --vary-per batch";
    let sampled = |seed: u64| {
        let games = lines(&folder, &format!("simulate --format jsonl --games 20 --seed {seed} {vary} {CLIMB}"));
        let sampled: Vec<Value> = games.iter().map(|game| game["varied"].clone()).collect();
        assert!(sampled.iter().all(|own| *own == sampled[0]));
        sampled[0].clone()
    };
    assert_ne!(sampled(1), sampled(2));
}

#[test]
fn few_values_are_summarised_one_by_one() {
    let folder = Folder::new();
    let vary = "resourceSpace.wall.strength=int.range(0,4)";
    let command = |format: &str| format!("simulate --games 500 --format {format} --vary {vary} {CLIMB}");
    let report = json(&folder, &command("json"));
    let mut expected: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
    for game in lines(&folder, &command("jsonl")) {
        let strength = game["varied"]["resourceSpace.wall.strength"].as_i64().unwrap();
        expected.entry(strength).or_default().push(game["rewards"]["climber"].as_f64().unwrap());
    }
    let groups = report["varied"]["groups"].as_array().unwrap();
    assert_eq!(groups.len(), expected.len());
    for (group, (strength, rewards)) in groups.iter().zip(expected) {
        assert_eq!(group["values"]["resourceSpace.wall.strength"], strength);
        assert_eq!(group["games"], rewards.len());
        let mean = rewards.iter().sum::<f64>() / rewards.len() as f64;
        assert!((group["rewards"]["climber"]["mean"].as_f64().unwrap() - mean).abs() < 1e-12);
    }
    let many = "simulate --games 200 --vary resourceSpace.wall.strength=int.range(0,1000)";
    assert!(json(&folder, &format!("{many} --format json {CLIMB}"))["varied"]["groups"].is_null());
    assert!(folder.run(&format!("{many} {CLIMB}")).out.contains("more than 32 different values of the variables"));
}

#[test]
fn policies_are_compared_on_the_same_seeds() {
    let folder = Folder::new();
    let options = "--games 200 --seed 5 --policy greedy --compare random --compare ann=nothing";
    let report = json(&folder, &format!("simulate {options} --format json {BERRIES}"));
    let alone = |policies: &str| {
        let games = lines(&folder, &format!("simulate --games 200 --seed 5 {policies} --format jsonl {BERRIES}"));
        games.iter().map(|game| game["rewards"]["ann"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    let first = alone("--policy greedy");
    for (index, (name, policies)) in
        [("random", "--policy random"), ("ann=nothing ben=greedy", "--policy greedy --policy ann=nothing")]
            .into_iter()
            .enumerate()
    {
        let compared = &report["compared"][index];
        assert_eq!(compared["policies"], name);
        let differences: Vec<f64> = first.iter().zip(alone(policies)).map(|(one, other)| one - other).collect();
        let found = &compared["differences"]["reward.ann"];
        let (count, mean) = (differences.len() as f64, differences.iter().sum::<f64>() / differences.len() as f64);
        let variance = differences.iter().map(|difference| (difference - mean).powi(2)).sum::<f64>() / (count - 1.0);
        assert!((found["mean"].as_f64().unwrap() - mean).abs() < 1e-12);
        assert!((found["sd"].as_f64().unwrap() - variance.sqrt()).abs() < 1e-9);
        // Student's t with 199 degrees of freedom at 95% is 1.971957.
        let half_width = 1.971_957 * (variance / count).sqrt();
        assert!((found["mean_interval"][1].as_f64().unwrap() - mean - half_width).abs() < 1e-5);
        assert_eq!(found["greater"], differences.iter().filter(|difference| **difference > 0.0).count());
    }
}

#[test]
fn games_stop_when_enough_is_known() {
    let folder = Folder::new();
    let run = |options: &str| json(&folder, &format!("simulate --format json {options} {CLIMB}"));
    let report = run("--games 100000 --half-width 0.05");
    let stopped = &report["precision"];
    assert_eq!((stopped["reached"].as_bool(), stopped["numbers"][0].as_str()), (Some(true), Some("reward.climber")));
    let interval = &report["rewards"]["climber"]["mean_interval"];
    let half_width = (interval[1].as_f64().unwrap() - interval[0].as_f64().unwrap()) / 2.0;
    assert!(half_width <= 0.05 && (half_width - stopped["half_width"].as_f64().unwrap()).abs() < 1e-12);
    let games = report["games"].as_u64().unwrap();
    assert!(games % 1000 == 0 && (2000..10_000).contains(&games), "{games}");
    assert_eq!(report, run("--games 100000 --half-width 0.05 --jobs 1"));
    let report = run("--games 1500 --half-width 0.001 --half-width-of metric.wall.strength");
    assert_eq!((report["games"].as_u64(), report["precision"]["reached"].as_bool()), (Some(1500), Some(false)));
    let text = folder.run(&format!("simulate --games 1500 --half-width 0.001 {CLIMB}")).out;
    assert!(text.contains("target 0.001: not reached"), "{text}");
    // On the same seeds, differences need fewer games than the rewards of each policy.
    let of = |compare: &str| {
        run(&format!("--games 100000 --half-width 0.02 {compare} --policy always:rest"))["games"].clone()
    };
    assert_eq!(of("--compare always:rest"), 1000);
}

#[test]
fn rows_hold_the_values_of_lines_of_json() {
    let folder = Folder::new();
    let vary = "--vary resourceSpace.hill.berries=int.range(1,9) --compare greedy";
    let csv = folder.run(&format!("simulate --games 40 --format csv {vary} {BERRIES}")).out;
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let header = "version,game,dialect,seed,policies,policy_view,index,resourceSpace.hill.berries,end,turns,invalid_turns,out_of_space,overflows,reward.ann,reward.ben,metric.camp.ann,\
        metric.camp.ben,metric.grove.berries";
    assert_eq!(rows[0], header.split(',').collect::<Vec<_>>());
    let games = lines(&folder, &format!("simulate --games 40 --format jsonl {vary} {BERRIES}"));
    assert_eq!(rows.len(), 81);
    for (row, game) in rows[1..].iter().zip(&games) {
        let number = |place: usize| row[place].parse::<f64>().unwrap();
        let policies = game["policies"]["ann"].as_str().unwrap();
        assert_eq!((row[6], row[4], row[8]), (&*game["index"].to_string(), policies, "completed"));
        assert_eq!(Some(number(7)), game["varied"]["resourceSpace.hill.berries"].as_f64());
        assert_eq!(Some(number(13)), game["rewards"]["ann"].as_f64());
        assert_eq!(Some(number(17)), game["metrics"]["grove.berries"].as_f64());
    }
    // The extension of the file determines the format.
    for name in ["games.csv", "games.parquet"] {
        let run = folder.run(&format!("simulate --games 40 {vary} --output {name} {BERRIES}"));
        assert_eq!((run.code, &*run.out), (Some(0), ""), "{}", run.err);
    }
    assert_eq!(folder.read("games.csv"), csv);
    assert_eq!(&std::fs::read(folder.path("games.parquet")).unwrap()[..4], b"PAR1");
}

#[test]
fn quantiles_and_histograms_are_shown() {
    let folder = Folder::new();
    let report = json(&folder, &format!("simulate --format json --games 300 --quantiles 0,0.5,1 {CLIMB}"));
    let reward = &report["rewards"]["climber"];
    assert_eq!(reward["quantiles"]["0"].as_f64(), reward["min"].as_f64());
    assert_eq!(reward["quantiles"]["1"].as_f64(), reward["max"].as_f64());
    let bins = reward["histogram"]["bins"].as_array().unwrap();
    assert_eq!(bins.iter().map(|bin| bin[2].as_u64().unwrap()).sum::<u64>(), 300);
    let text = folder.run(&format!("simulate --games 300 --quantiles 0.1,0.9 --histogram reward.climber {CLIMB}")).out;
    assert!(text.contains("10%   90%"), "{text}");
    for bin in bins {
        let count = bin[2].to_string();
        let found = text.lines().any(|line| line.contains('█') && line.ends_with(&format!(" {count}")));
        assert!(found || bin[2].as_u64() < Some(4), "{count}: {text}");
    }
    let wide = json(&folder, &format!("simulate --format json --games 300 --confidence 0.99 {CLIMB}"));
    let width = |report: &Value| {
        let interval = &report["rewards"]["climber"]["mean_interval"];
        interval[1].as_f64().unwrap() - interval[0].as_f64().unwrap()
    };
    // The quantiles of Student's t with 299 degrees of freedom: 2.592371 and 1.967930.
    assert!((width(&wide) / width(&report) - 2.592_371 / 1.967_930).abs() < 1e-5);
}

#[test]
fn omissions_are_reported() {
    let folder = Folder::new();
    folder.write(
        "odd.yaml",
        "
metadata: {id: odd, description: Nothing is divided by nothing.}
teams: [red]
board: {nodes: [a]}
resourceSpace:
  a: {observable: set(red), n: int(0), over: boolean(false)}
actionSpace: {red: {stay: , divide: }}
actions:
  stay: {cost: {a.over: true}, requires: {}, consequences: []}
  divide: {cost: {a.over: true}, requires: {}, consequences: [{result: {Resources: {put: {a.n: {Calculate: '1/0'}}}}}]}
rewards: {red: {Field: a.n}}
completed: {a.over: true}
metrics: [a.n]
",
    );
    let stay = "--policy always:stay --compare always:divide";
    let run = folder.run(&format!("simulate --games 7 {stay} odd.yaml"));
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(
        !run.out.contains("excluded"),
        "nothing is left out of the first, nothing is known of the differences: {}",
        run.out
    );
    let random = json(&folder, "simulate --games 40 --format json odd.yaml");
    let unusable = random["rewards"]["red"]["unusable"].as_u64().unwrap();
    assert!((1..40).contains(&unusable), "{random}");
    let run = folder.run("simulate --games 40 --compare always:stay odd.yaml");
    let of_games = |line: &&str| line.contains(&format!(": {unusable} game"));
    let lines: Vec<&str> = run.out.lines().filter(of_games).collect();
    assert_eq!(lines.len(), 4, "{}", run.out);
    assert!(lines[0].contains("excluded, in which it is infinite"), "{}", run.out);
    assert!(lines[2].contains("excluded, in which one of the two values is not finite"), "{}", run.out);
}

#[test]
fn bad_values_are_refused() {
    let folder = Folder::new();
    for (options, message) in [
        ("--half-width 0", "expected a number greater than 0"),
        ("--half-width wide", "expected a number"),
        ("--half-width-of reward.climber", "--half-width"),
        ("--half-width 1 --half-width-of reward.climer", "did you mean `reward.climber`?"),
        ("--half-width 1 --half-width-of height", "expected one of turns, reward.climber"),
        ("--confidence 1", "expected a number between 0 and 1"),
        ("--quantiles 0.5,2", "expected a number from 0 to 1"),
        ("--histogram metric.wall.hight", "did you mean `metric.wall.height`?"),
        ("--histogram turns --format csv", "--format json contains the histograms of all numbers"),
        ("--quantiles 0.5 --format csv", "rows of single games have no quantiles"),
        ("--vary-per batch", "--vary-per requires --vary PATH=CONSTRAINT"),
        ("--policy greedy --policy random", "`random` overrides the earlier `greedy`"),
        ("--policy climber=greedy --policy random", "`random` overrides the earlier `climber=greedy`"),
        ("--policy climber=greedy --policy climber=random", "`climber=random` overrides the earlier `climber=greedy`"),
        ("--first-game 18446744073709551000 --games 1000", "1000 games from index 18446744073709551000 on"),
        ("--plot a.svg --timeline ./a.svg", "`./a.svg` is the path of two outputs"),
        ("--bounds error --rule bounds=clamp", "the rule `bounds` is given twice"),
        ("--compare grredy", "unknown policy `grredy`"),
        ("--vary-per year", "invalid value 'year'"),
        ("--trace t.jsonl --compare random", "cannot be used with"),
        ("--trace t.jsonl --vary x=bool", "cannot be used with"),
        ("--trace t.csv --output t.csv", "`t.csv` is the path of two outputs"),
        ("--output examples/rgg/climb.yaml", "is also an input"),
        ("--output none/games.csv", "cannot write `none/games.csv`"),
    ] {
        let run = folder.run(&format!("simulate {options} {CLIMB}"));
        assert_eq!(run.code, Some(2), "{options}: {}", run.err);
        assert!(run.err.contains(message), "{options}: {}", run.err);
    }
    for (vary, message) in [
        ("resourceSpace.wall.hight=int.range(1,2)", "did you mean `height`?"),
        ("resourceSpace.wall.height", "missing constraint"),
        ("resourceSpace.wall.height=int(3)", "its space is unbounded"),
        ("resourceSpace.wall.height=string.enum(a,b)", "is of another kind"),
        ("resourceSpace.wall=int.range(1,2)", "expected a single value"),
        ("teams.0=string.enum(climber,runner)", "cannot play the game with teams.0 = runner"),
        ("metrics.0=string.enum(wall.hour)", "the names of teams, nodes, actions or metrics change"),
    ] {
        let run = folder.run(&format!("simulate --games 50 --vary {vary} {CLIMB}"));
        assert_eq!((run.code, &*run.out), (Some(1), ""), "{vary}: {}", run.err);
        assert!(run.err.contains(message), "{vary}: {}", run.err);
    }
}

#[test]
fn pictures_are_drawn() {
    let folder = Folder::new();
    let run = folder.run(&format!(
        "simulate --games 100 --policy greedy --compare random --plot plot.svg --timeline time.svg --resource camp.day {BERRIES}"
    ));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let plot = folder.read("plot.svg");
    assert!(plot.starts_with("<svg") && plot.contains("reward ann") && plot.contains("greedy: mean"), "{plot}");
    // A panel for each team and policy.
    assert_eq!(plot.matches("games (%)").count(), 4);
    assert!(folder.read("time.svg").contains("camp.day"));
    let day =
        json(&folder, &format!("simulate --games 50 --format json --timeline time.svg --resource camp.day {BERRIES}"));
    let moments = day["timelines"]["camp.day"].as_array().unwrap();
    // A day passes with every turn.
    assert_eq!(moments.len(), 21);
    assert!(moments.iter().enumerate().all(|(turn, moment)| moment["quantiles"]["0.5"].as_f64() == Some(turn as f64)));
    for (options, message) in [
        ("--plot rewards.png", "the file name must end in .svg"),
        ("--resource camp.day", "--timeline"),
        ("--timeline t.svg --resource camp.dya", "did you mean `camp.day`?"),
        ("--plot t.svg --timeline t.svg", "`t.svg` is the path of two outputs"),
    ] {
        let run = folder.run(&format!("simulate {options} {BERRIES}"));
        assert_eq!(run.code, Some(2), "{options}: {}", run.err);
        assert!(run.err.contains(message), "{options}: {}", run.err);
    }
}

#[test]
fn boards_are_drawn() {
    let folder = Folder::new();
    let svg = folder.run(&format!("describe --board svg {BERRIES}")).out;
    assert!(svg.starts_with("<svg") && svg.contains("seen by no team") && svg.contains("seen by ann"), "{svg}");
    let dot = folder.run(&format!("describe --board dot {BERRIES}")).out;
    assert!(dot.contains("label=\"grove\\nberries: 9\"") && dot.contains("n0 -> n1;"), "{dot}");
    let nodes: Vec<String> = (0..2000).map(|node| format!("n{node}")).collect();
    let vectors = (0..100_000)
        .map(|index| format!("    - {{from: n{}, to: n{}}}\n", index % 2000, (index * 7 + index / 2000) % 2000));
    let large = format!(
        "teams: [a]\nboard:\n  nodes: [{}]\n  vectors:\n{}resourceSpace: {{n0: {{coins: int(3)}}}}\nactionSpace: {{a: {{rest: }}}}\n\
         actions: {{rest: {{cost: {{}}, requires: {{}}}}}}\nrewards: {{a: {{Field: n0.coins}}}}\ncompleted: {{n0.coins: {{Gte: 100}}}}\n",
        nodes.join(", "),
        vectors.collect::<String>(),
    );
    folder.write("large.yaml", large);
    let run = folder.run("describe --board svg large.yaml");
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("exceeds the limit of") && run.err.contains("sfdp"), "{}", run.err);
    let run = folder.run("describe --board dot large.yaml");
    assert_eq!(run.code, Some(0));
    assert!(run.out.lines().filter(|line| line.contains("->")).count() > 50_000);
    for (options, message) in [
        (format!("--board svg --owned beries {BERRIES}"), "did you mean `berries`?"),
        (format!("--board svg {BERRIES} {CLIMB}"), "found 2"),
        (format!("--board png {BERRIES}"), "[possible values: dot, svg]"),
    ] {
        let run = folder.run(&format!("describe {options}"));
        assert_eq!(run.code, Some(2), "{options}");
        assert!(run.err.contains(message), "{options}: {}", run.err);
    }
}
