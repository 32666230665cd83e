//! Functions of texts run on the fast engine with the results of the reference machine: the texts of a program are known before it runs.

use goalspec_python_runtime::Machine;
use goalspec_python_runtime::limits::CallBudget;
use goalspec_python_runtime::scene::{SceneObject, World};

use crate::fast::compare;
use crate::worlds;

/// Texts beside the names of classes, among them some beyond ASCII.
const TEXTS: &str = r#"["", " Ball\t", "pLAYER one", "été", "ball", "ßal", "a1", "12", "ab ab ab"]"#;

/// Functions of a text `t`.
const FUNCTIONS: [&str; 41] = [
    "t.lower() == 'ball'",
    "t.upper() == 'PLAYER'",
    "t.casefold() == 'ssal'",
    "t.capitalize() == 'Player one'",
    "t.strip() == 'Ball'",
    "len(t.lstrip())",
    "len(t.rstrip())",
    "t.strip('lBa') == ''",
    "len(t.lstrip('p '))",
    "t.startswith('Ba')",
    "t.startswith(('Pl', 'En', ''))",
    "t.startswith(())",
    "t.endswith('er')",
    "t.endswith(('l', 'y'))",
    "'a' in t",
    "'' in t",
    "'all' not in t",
    "t in 'Ball and Player'",
    "t not in 'Enemy'",
    "t.count('a')",
    "t.count('')",
    "t.count('ab')",
    "t.find('l')",
    "t.rfind('l')",
    "t.find('t')",
    "t.find('')",
    "len(t.removeprefix('Pl'))",
    "t.removesuffix('er') == 'Play'",
    "t.replace('l', 'LL') == 'BaLLLL'",
    "len(t.replace('', '-'))",
    "t.replace('a', '').lower() == 'bll'",
    "t.isalpha()",
    "t.isdigit()",
    "t.isalnum()",
    "t.isupper()",
    "t.islower()",
    "t.isspace()",
    "t.istitle()",
    "t.isascii()",
    "t.isidentifier()",
    "t.lower() < t",
];

fn scenes(world: &World) -> Vec<Vec<SceneObject>> {
    let of = |class, x| SceneObject { position: (x, 7), ..world.new_object(worlds::class(world, class)) };
    vec![vec![of("Player", 140), of("Ball", 60), of("Enemy", 16)], vec![of("Ball", 61), of("NoObject", 0)], Vec::new()]
}

/// Asserts that all calls of a program run on the fast engine with the results of the reference machine.
fn assert_fast(text: &str) {
    let world = worlds::world("pong");
    let text = format!("from ocatari.ram.pong import *\n{text}");
    let counts = compare(&text, "f", &world, &scenes(&world), CallBudget::default());
    assert_eq!(counts.fallbacks, 0, "{text}");
}

/// Returns a function of the category of an object `o` instead of `t`.
fn of_category(function: &str) -> String {
    let mut found = String::new();
    for (part, code) in function.split('\'').enumerate() {
        // Every second part is a literal.
        if part % 2 == 1 {
            found.extend(["'", code, "'"]);
            continue;
        }
        let word = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
        let characters: Vec<char> = code.chars().collect();
        for (place, &character) in characters.iter().enumerate() {
            let before = place.checked_sub(1).map(|before| characters[before]);
            let is_variable = character == 't' && !word(before) && !word(characters.get(place + 1).copied());
            if is_variable { found.push_str("o.category") } else { found.push(character) }
        }
    }
    found
}

#[test]
fn functions_of_names_of_classes_run_fast() {
    for function in FUNCTIONS {
        let function = of_category(function);
        assert_fast(&format!("def f(objects):\n    return sum(o.x * 10 + ({function}) for o in objects)\n"));
        assert_fast(&format!(
            "def f(objects):\n    s = 1\n    for o in objects:\n        if {function}:\n            s = s * 2 + o.x\n    return s\n"
        ));
    }
}

#[test]
fn functions_of_texts_run_fast() {
    for function in FUNCTIONS {
        assert_fast(&format!(
            "TEXTS = {TEXTS}\ndef f(objects):\n    s = 0\n    for t in TEXTS:\n        s = s * 3 + ({function})\n    return s\n"
        ));
        // A constant, and a variable that is one of two texts.
        assert_fast(&format!(
            "def f(objects):\n    s = 0\n    t = 'Ball'\n    s += {function}\n    t = 'ab' if len(objects) > 1 else ' B'\n    return s * 100 + ({function})\n"
        ));
    }
}

#[test]
fn functions_of_texts_are_composed() {
    assert_fast(
        "def f(objects):\n    return sum(o.x for o in objects if 'ball' in o.category.lower().replace('l', 'l').strip())\n",
    );
    assert_fast(
        "def f(objects):\n    kinds = {}\n    for o in objects:\n        name = o.category.upper()\n        kinds[name] = kinds.get(name, 0) + o.x\n    return kinds.get('BALL', -1) * 3 + len(kinds)\n",
    );
    assert_fast(
        "WORDS = ('ball', 'enemy')\ndef f(objects):\n    return sum(any(w in o.category.lower() for w in ('ball', 'enemy')) for o in objects)\n",
    );
}

#[test]
fn texts_that_grow_are_left_to_the_reference_machine() {
    // Each text makes another one: there would be no end.
    let text = "from ocatari.ram.pong import *\nT = 'a'\ndef f(objects):\n    t = T\n    for o in objects:\n        t = t.replace('a', 'aa')\n    return len(t)\n";
    let world = worlds::world("pong");
    let counts = compare(text, "f", &world, &scenes(&world), CallBudget::default());
    assert_eq!(counts.returned + counts.fallbacks, 3);
}

#[test]
fn many_texts_do_not_prevent_the_fast_engine() {
    let words: Vec<String> = (0..6000).map(|word| format!("'w{word}'")).collect();
    let words = words.join(", ");
    assert_fast(&format!(
        "D = [{words}]\ndef f(objects):\n    return sum(o.x for o in objects if o.category == 'Ball')\n"
    ));
    assert_fast(&format!(
        "D = [{words}]\ndef f(objects):\n    return sum(o.x for o in objects if 'al' in o.category)\n"
    ));
}

#[test]
fn tables_of_functions_of_texts_are_limited() {
    let sums = |count: usize| -> String {
        (0..count).map(|number| format!("        s += len(t.removeprefix('k{number}'))\n")).collect()
    };
    let program = |count: usize| {
        format!(
            "def f(objects):\n    s = 0\n    for t in ('Ball', 'k1', 'k7x'):\n        t = t if objects else 'none'\n{}    return s\n",
            sums(count)
        )
    };
    assert_fast(&program(20));
    let text = format!("from ocatari.ram.pong import *\n{}", program(2000));
    let world = worlds::world("pong");
    let counts = compare(&text, "f", &world, &scenes(&world), CallBudget::default());
    assert_eq!(counts.fallbacks, 3, "4 million results are too many");
}

#[test]
fn sorting_long_keys_takes_work() {
    let work = |key: &str| {
        let text = format!("KEYS = [{key} for i in range(50)]\ndef f(objects):\n    return len(sorted(KEYS))\n");
        let mut sources = goalspec_syntax::Sources::new();
        let id = sources.add("program.py", text);
        let program = goalspec_reward::read(sources.file(id)).program.expect("it is read");
        let mut machine = Machine::new(program, worlds::world("pong"), CallBudget::default()).expect("it runs");
        machine.call("f", &[]).expect("it returns");
        machine.work_spent()
    };
    let short = work("'x' + str(i % 3)");
    assert!(work("'x' * 3200 + str(i % 3)") > 20 * short);
    assert!(work("(0,) * 100 + (i % 3,)") > 20 * short);
    assert!(work("(0, i % 3)") > short);
}
