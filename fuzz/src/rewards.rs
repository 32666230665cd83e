//! Reward functions: any text is parsed without panic, and a valid function terminates within its budget with the same result in both
//! engines, with and without machine code.
//!
//! The first byte determines the objects; the rest is the text.

use goalspec::python_runtime::Machine;
use goalspec::python_runtime::fast::CompiledFunction;
use goalspec::python_runtime::limits::CallBudget;
use goalspec::python_runtime::machine::{CallError, ReturnValue};
use goalspec::python_runtime::scene::{ScreenEquality, SceneObject, ScreenClass, World};
use goalspec::resource::random::RandomStream;
use goalspec::reward::terms::Terms;
use goalspec::reward::{ReadResult, entry, lint, read, traceback};
use goalspec::syntax::Sources;

/// The number of calls of each function; its state persists between calls.
const CALLS: u64 = 3;

/// The maximum number of objects in a scene.
const MAX_OBJECTS: u64 = 6;

/// The names of the functions to call, if they are defined.
const FUNCTIONS: [&str; 2] = ["reward_function", "f"];

const BUDGET: CallBudget = CallBudget {
    work: 20_000,
    slow_call_work: 20_000,
    reserve_work: 60_000,
    frame_work: 1_000,
    memory: 24 << 20,
    call_depth: 60,
    output_characters: 1 << 12,
};

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let Some((&seed, text)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let mut sources = Sources::new();
    let id = sources.add("program.py", text);
    let ReadResult { program, diagnostics } = read(sources.file(id));
    for span in diagnostics.iter().filter_map(|diagnostic| diagnostic.span) {
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{diagnostics:?}");
    }
    let has_errors = diagnostics.iter().any(goalspec::syntax::diagnostic::Diagnostic::is_error);
    assert_eq!(program.is_none(), has_errors, "there is a program exactly if there is no error");
    let Some(program) = program else { return };
    let world = world();
    for function in FUNCTIONS {
        let entry = entry::find_entry(&program, sources.file(id), &world, Some(function)).ok();
        lint::lint(sources.file(id), entry.as_ref(), Some(&world), None);
        Terms::of(sources.file(id), function);
        let machine = Machine::new(program.clone(), world.clone(), BUDGET);
        let compiled = CompiledFunction::new(program.clone(), world.clone(), function, BUDGET);
        assert_eq!(machine.as_ref().err(), compiled.as_ref().err(), "the top level runs once more");
        let (Ok(mut machine), Ok(compiled)) = (machine, compiled) else { continue };
        let native = CompiledFunction::new(program.clone(), world.clone(), function, BUDGET)
            .expect("the program was compiled before");
        // If compilation fails, the register machine runs once more.
        let _ = native.compile();
        let mut engines = [compiled.instance(), native.instance()];
        for call in 0..CALLS {
            let scene = scene(&world, &mut RandomStream::new(seed.into(), call));
            let expected = machine.call(function, &scene);
            for engine in &mut engines {
                let result = engine.call(&scene).map_err(std::sync::Arc::unwrap_or_clone);
                assert_eq!(
                    with_result_bits(result),
                    with_result_bits(expected.clone()),
                    "{scene:?}\n{}",
                    compiled.listing()
                );
                assert_eq!(engine.printed(), machine.printed());
            }
            if let Err(error) = expected {
                traceback(&error, sources.file(id), "program.py");
            }
        }
    }
}

/// Returns a result whose floats are compared by their bits, except that all NaNs are equal.
fn with_result_bits(result: Result<ReturnValue, CallError>) -> Result<(ReturnValue, u64), CallError> {
    result.map(|result| match result {
        ReturnValue::Float(float) if float.is_nan() => (ReturnValue::Other("nan".to_owned()), 0),
        ReturnValue::Float(float) => (ReturnValue::Other("float".to_owned()), float.to_bits()),
        other => (other, 0),
    })
}

/// Classes of every kind: with a parent, with equal but distinct instances, and without instances.
fn world() -> World {
    let flag = ScreenClass {
        equality: ScreenEquality::SimilarRow { row_tolerance: 5, same_color: false },
        ..ScreenClass::new("Flag")
    };
    let classes = [ScreenClass::new("Player"), ScreenClass::new("Ball"), flag];
    World::from_screen_classes(classes.map(|class| ("GameObject", class)))
}

fn scene(world: &World, stream: &mut RandomStream) -> Vec<SceneObject> {
    let count = stream.below(MAX_OBJECTS);
    (0..count).map(|_| object(world, stream)).collect()
}

fn object(world: &World, stream: &mut RandomStream) -> SceneObject {
    let class = stream.below(world.screen_classes.len() as u64) as u16;
    let mut number = |limit: u64| stream.below(limit) as i32;
    let position = match number(60) {
        0 => (i32::MAX, i32::MIN),
        _ => (number(160), number(200)),
    };
    SceneObject {
        class,
        position,
        size: (number(12), number(12)),
        previous: (number(3) > 0).then(|| (number(160), number(200))),
        color: [number(2) as u8; 3],
        hud: number(6) == 0,
        visible: number(6) > 0,
        value: (number(3) == 0).then(|| number(100)),
        ..world.new_object(class)
    }
}
