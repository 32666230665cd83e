//! The feedback on reward functions: statistics of components, training curves, and traces on which candidates disagree.

use std::fmt::Write as _;

use goalspec_llm::{Prompt, Request, ScriptedModel};
use goalspec_rewards::screen_worlds;
use goalspec_rewards::world::RewardWorld;
use goalspec_trace::TraceInput;
use goalspec_words::pipeline::RunOptions;
use goalspec_words::record::Record;
use goalspec_words::reward::classes::ClassDescriptions;
use goalspec_words::reward::curves::TrainingCurves;
use goalspec_words::reward::generation::{Generation, GenerationOptions, generate};
use goalspec_words::reward::prompts::{PromptInputs, Prompts, Templates, Variant};
use goalspec_words::reward::samples::Samples;
use goalspec_words::reward::task::RewardInputs;

/// Returns a recording of an invented game of Pong with 20 frames, in which the ball is at these places; the score rises in the second half.
fn recording(name: &str, ball: impl Fn(usize) -> usize) -> TraceInput {
    let mut text = r#"{"format":"goalspec-screens-1","game":"Pong","hud":false}"#.to_owned() + "\n";
    for frame in 0..20 {
        let (x, before) = (ball(frame), ball(frame.saturating_sub(1)));
        let (score, is_last) = (usize::from(frame >= 10), frame == 19);
        let action = if frame == 0 { "null" } else { "0" };
        let _ = writeln!(
            text,
            r#"{{"t":{frame},"ep":0,"a":{action},"r":{score}.0,"term":{is_last},"trunc":false,"objs":[["Player",140,100,4,15,140,100,0,1,[92,186,92],null],["Ball",{x},60,2,4,{before},60,0,1,[236,236,236],null],["Enemy",16,90,4,15,16,90,0,1,[213,130,74],null]]}}"#
        );
    }
    TraceInput::Bytes(name.into(), text.into_bytes().into())
}

fn inputs(traces: Vec<TraceInput>) -> RewardInputs {
    let world = RewardWorld::Screen(screen_worlds::builtin("atari/pong").unwrap());
    RewardInputs { world, known: Vec::new(), traces, score_column: None, range: None }
}

fn program(body: &str) -> String {
    format!(
        "```python\ndef reward_function(objects):\n    ball = next((o for o in objects if isinstance(o, Ball)), None)\n    if ball is None:\n        return 0.0, {{}}\n{body}\n```"
    )
}

/// Runs two rounds, and returns the generation with the last turn of the second round.
fn two_rounds(
    inputs: &RewardInputs,
    candidates: usize,
    curves: TrainingCurves,
    replies: &[String],
) -> (Generation, String) {
    let samples = Samples::read(&inputs.world, &[], &inputs.traces).unwrap();
    let classes = ClassDescriptions::render(&inputs.world, &samples);
    let prompt_inputs = PromptInputs { game: "Pong", classes: &classes, instructions: "Win." };
    let prompts = Prompts::new(&Templates::default(), Variant::Direct, true, prompt_inputs);
    let options = GenerationOptions {
        variant: Variant::Direct,
        candidates,
        rounds: 2,
        components: true,
        run: RunOptions { max_repairs: 0, threads: 1 },
        curves,
    };
    let settings = Request { max_output_tokens: Some(500), ..Request::chat(None, Vec::new()) };
    let model = ScriptedModel::with_texts(replies);
    let generation = generate(inputs, &prompts, &settings, &model, &options, &Record::in_memory(), &|_, _| ()).unwrap();
    let requests = model.requests();
    let Prompt::Chat { turns, .. } = &requests.last().unwrap().prompt else { panic!() };
    (generation, turns.last().unwrap().text.clone())
}

#[test]
fn components_have_ten_values_and_their_statistics() {
    let inputs = inputs(vec![recording("play", |frame| 8 * frame)]);
    let body = "    near = 1.0 if ball.x < 20 else 0.0\n    place = ball.x / 160\n    return near + place, {\"near\": near, \"place\": place}";
    let replies = vec![program(body); 2];
    let (_, turn) = two_rounds(&inputs, 1, TrainingCurves::default(), &replies);
    for line in [
        "near: [1, 1, 0, 0, 0, 0, 0, 0, 0, 0], Max: 1, Mean: 0.15, Min: 0, zero in 85.0 %, correlation with the score -0.4201",
        "place: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9], Max: 0.95, Mean: 0.475, Min: 0, zero in 5.0 %, correlation with the score 0.8671",
        "- per step from 0.15 to 1.1",
    ] {
        assert!(turn.lines().any(|own| own == line), "{line}\n{turn}");
    }
    assert!(turn.ends_with("Keep returning the pair of the reward and the dictionary of its components."), "{turn}");
}

#[test]
fn training_curves_choose_the_best_program_and_are_part_of_its_feedback() {
    let inputs = inputs(vec![recording("play", |frame| 8 * frame)]);
    let bodies = [
        "    return ball.x / 160, {\"place\": ball.x / 160}",
        "    return 1 - ball.x / 160, {\"back\": 1 - ball.x / 160}",
    ];
    let replies: Vec<String> = [0, 1, 0, 1].map(|index| program(bodies[index])).to_vec();
    let mut table = "candidate,step,score,back\n".to_owned();
    for step in 0..20 {
        let _ = write!(table, "1-1,{step},0,0\n1-2,{step},{step},0.5\n");
    }
    let (generation, turn) = two_rounds(&inputs, 2, TrainingCurves::parse(&table).unwrap(), &replies);
    assert_eq!(generation.best().unwrap().id, "1-2", "a training score counts more than the findings");
    assert!(
        turn.contains("Means over each tenth of a training with this reward:\nscore: [0.5000, 2.5000, 4.5000"),
        "{turn}"
    );
    assert!(
        generation.candidates[2].turns[1].text.contains("1 - ball.x / 160"),
        "the next round shows the best program"
    );
}

#[test]
fn traces_on_which_candidates_disagree_are_part_of_the_feedback() {
    let inputs = inputs(vec![recording("left", |frame| frame), recording("right", |frame| 100 + frame)]);
    let bodies = [
        "    return ball.x / 160, {\"place\": ball.x / 160}",
        "    return 1 - ball.x / 160, {\"back\": 1 - ball.x / 160}",
    ];
    let replies: Vec<String> = [0, 1, 0, 1].map(|index| program(bodies[index])).to_vec();
    let (generation, turn) = two_rounds(&inputs, 2, TrainingCurves::default(), &replies);
    assert!(turn.contains("Other programs for this task order the traces differently"), "{turn}");
    assert!(turn.contains("- `left` earns more than `right` by 1-2, and less by 1-1"), "{turn}");
    assert_eq!(generation.disagreements.len(), 1);
    assert_eq!(generation.disagreements[0].first_above, ["1-2", "2-2"]);
}
