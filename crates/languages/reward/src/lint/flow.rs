//! What a program says of values that cannot be so: `None` that is used, attributes that nothing has, conditions that always go one way.
//!
//! The syntax tree is gone through from the function that gives the reward, with what variables may be instead of values: kinds, classes of
//! objects, bounds of numbers, the texts that there are. Conditions narrow it on both of their ways. States in which a variable is `None`
//! and states in which it is not are followed one by one, so that flags say what they were set for. Functions are entered where they are
//! called; on their own, they are looked at with parameters that nobody knows, as conditions that one caller decides may be meant for
//! another one.
//!
//! What is not followed may be anything, of which nothing is said: the engines know more kinds of values, and better ([`crate::typed`]),
//! but of programs that have a fast form only.
//!
//! | module | what lives there |
//! |---|---|
//! | `value` | what a value may be |
//! | `env` | what variables may be, in several states |
//! | `objects` | what objects of the world have |
//! | `scope` | which names there are |
//! | `expressions`, `numbers`, `calls`, `conditions`, `hints`, `statements` | Python, on what values may be |
//! | `facts` | what was seen, place by place |
//! | `report` | findings |

mod calls;
mod conditions;
mod env;
mod escape;
mod expressions;
mod facts;
mod hints;
mod numbers;
mod objects;
mod report;
mod scope;
mod statements;
mod value;

use std::rc::Rc;

use goalspec_syntax::{Diagnostic, SourceFile, Span};
use ruff_python_ast::{ModModule, Stmt, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange, TextSize};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::entry::{Entry, Supply};
use crate::library::Library;
use crate::machine::has_builtin;
use crate::parse::span;
use crate::scene::World;
use crate::typed::types::Kinds;
use env::{Env, Names};
use facts::Facts;
use objects::Classes;
use value::{Function, Inside, Value, Why};

/// Most expressions and statements that are looked at, each time counted.
const MAX_STEPS: u32 = 200_000;

/// How deep expressions and statements within each other are followed.
const MAX_DEPTH: usize = 90;

/// What values tell.
pub(super) struct Found {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) returned: Vec<Returned>,
    /// Where statements begin that are reached.
    pub(super) reached: FxHashSet<TextSize>,
}

/// What the function that gives the reward returns somewhere, where that is numbers.
pub(super) struct Returned {
    /// The statement.
    pub(super) at: TextRange,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Looks at a program whose reward comes from a function, in a world if that is known.
pub(super) fn lint(source: &SourceFile, module: &ModModule, entry: Option<&Entry>, world: Option<&World>) -> Found {
    let mut flow = Flow::new(source, module, world);
    flow.run_all(module, entry);
    let mut diagnostics = report::report(&flow, module);
    if flow.given_up {
        let function = entry.and_then(|entry| {
            let functions = module.body.iter().filter_map(Stmt::as_function_def_stmt);
            functions.map(|function| &function.name).find(|name| name.as_str() == entry.function)
        });
        let at = function.map_or_else(|| Span::new(source.id(), 0, 0), |name| span(source, name.range));
        let message = "the program is too large for its values to be followed to the end";
        let help = "what is found in the rest is not told: move parts that are not needed to a file of their own";
        diagnostics.push(Diagnostic::note(codes::NOT_FOLLOWED, at, message).with_help(help));
    }
    let returned = flow.facts.returned.iter();
    let returned =
        returned.filter_map(|(&at, found)| found.map(|found| Returned { at, low: found.low, high: found.high }));
    Found { diagnostics, returned: returned.collect(), reached: flow.facts.reached }
}

/// Whether a program gives anything an attribute of this name.
pub(super) fn gives_attribute(module: &ModModule, name: &str) -> bool {
    scope::shared(&module.body).1.has(name)
}

/// A loop that is open.
#[derive(Debug, Default)]
struct Loop<'a> {
    breaks: Vec<Env<'a>>,
    continues: Vec<Env<'a>>,
}

/// A function that is being followed.
#[derive(Debug)]
struct Frame<'a> {
    returns: Value<'a>,
    loops: Vec<Loop<'a>>,
    /// The states at which an exception may come up, of each `try` around.
    attempts: Vec<Vec<Env<'a>>>,
}

impl Default for Frame<'_> {
    fn default() -> Self {
        Self { returns: Value::never(), loops: Vec::new(), attempts: Vec::new() }
    }
}

/// Which exceptions of those that are told of are caught.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Caught {
    /// `AttributeError`
    attribute: bool,
    /// `TypeError`
    kind: bool,
    /// `UnboundLocalError`
    unbound: bool,
}

impl Caught {
    const ALL: Self = Self { attribute: true, kind: true, unbound: true };

    fn with(self, other: Self) -> Self {
        Self {
            attribute: self.attribute || other.attribute,
            kind: self.kind || other.kind,
            unbound: self.unbound || other.unbound,
        }
    }
}

struct Flow<'a> {
    source: &'a SourceFile,
    classes: Option<Classes<'a>>,
    facts: Facts<'a>,
    /// The functions of the module, the last one of each name.
    functions: FxHashMap<&'a str, &'a StmtFunctionDef>,
    /// Names that the module gives values to.
    bound: FxHashSet<&'a str>,
    globals: FxHashMap<&'a str, Value<'a>>,
    /// Names that several functions change.
    shared: FxHashSet<&'a str>,
    /// Those of the module that the function alone changes that gives the reward, while that is followed.
    own: FxHashSet<&'a str>,
    /// Attributes that the program gives values to.
    stored: scope::Stored<'a>,
    names: FxHashMap<TextSize, Rc<Names<'a>>>,
    /// What variables are made of that are lists, tuples or numbers of others.
    made: FxHashMap<&'a str, FxHashSet<&'a str>>,
    /// What loops over lists give values to.
    looped: FxHashMap<&'a str, FxHashSet<&'a str>>,
    /// Attributes that conditions ask for, and texts that are written.
    asked: FxHashSet<&'a str>,
    /// Functions that were looked at by themselves.
    alone: FxHashSet<TextSize>,
    /// Whether what is followed is called with what nobody knows.
    is_alone: bool,
    /// Where functions inside of others are made, by where they begin.
    homes: FxHashMap<TextSize, &'a StmtFunctionDef>,
    calls: Vec<&'a StmtFunctionDef>,
    frames: Vec<Frame<'a>>,
    /// What calls gave: the same call comes to the same.
    runs: calls::Runs<'a>,
    /// How many calls are open whose arguments come from one caller.
    inlined: usize,
    /// What the `try` around catch.
    guarded: Caught,
    depth: usize,
    steps: u32,
    /// Whether the top level was gone through.
    is_set_up: bool,
    /// Whether not all was followed to its end.
    given_up: bool,
}

impl<'a> Flow<'a> {
    fn new(source: &'a SourceFile, module: &'a ModModule, world: Option<&'a World>) -> Self {
        let (shared, stored) = scope::shared(&module.body);
        let functions = module.body.iter().filter_map(Stmt::as_function_def_stmt);
        Self {
            source,
            classes: world.and_then(Classes::of),
            facts: Facts::default(),
            functions: functions.map(|function| (function.name.as_str(), function)).collect(),
            bound: scope::bound(&module.body).into_iter().collect(),
            globals: FxHashMap::default(),
            shared,
            own: FxHashSet::default(),
            stored,
            names: FxHashMap::default(),
            made: scope::made(&module.body),
            looped: scope::looped(&module.body),
            asked: scope::asked(&module.body),
            alone: FxHashSet::default(),
            is_alone: false,
            homes: FxHashMap::default(),
            calls: Vec::new(),
            frames: Vec::new(),
            runs: calls::Runs::default(),
            inlined: 0,
            guarded: Caught::default(),
            depth: 0,
            steps: 0,
            is_set_up: false,
            given_up: false,
        }
    }

    /// Goes one level deeper; `false` if that is too deep, or took too long.
    fn enter(&mut self) -> bool {
        self.steps += 1;
        let goes_on = self.steps <= MAX_STEPS && self.depth < MAX_DEPTH;
        self.given_up |= !goes_on;
        self.depth += usize::from(goes_on);
        goes_on
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn run_all(&mut self, module: &'a ModModule, entry: Option<&Entry>) {
        let mut names = scope::bound(&module.body);
        names.sort_unstable();
        names.dedup();
        let names = Rc::new(Names(names));
        self.frames.push(Frame::default());
        let states = self.block(&module.body, vec![Env::new(names.clone(), None)]);
        self.frames.pop();
        for name in &names.0 {
            let held = states.iter().filter_map(|state| state.get(name));
            let value = held.fold(Value::never(), |all, one| all.join(one));
            self.globals.insert(name, lasting(value));
        }
        // Only now every name of the module has its value.
        self.is_set_up = true;
        let called = entry.and_then(|entry| self.functions.get(entry.function.as_str()).copied());
        if let (Some(function), Some(entry)) = (called, entry) {
            let given = self.supplied(function, entry);
            self.alone.insert(function.start());
            self.own = scope::own_globals(function, &module.body);
            self.run(function, given, None);
            self.own.clear();
        }
        for statement in &module.body {
            match statement {
                Stmt::FunctionDef(function) => self.alone(function, None),
                Stmt::ClassDef(class) => {
                    class
                        .body
                        .iter()
                        .filter_map(Stmt::as_function_def_stmt)
                        .for_each(|method| self.alone(method, None));
                }
                _ => {}
            }
        }
    }

    /// What the function is called with.
    fn supplied(&self, function: &'a StmtFunctionDef, entry: &Entry) -> Vec<(&'a str, Value<'a>)> {
        let mut given = Vec::new();
        for (place, parameter) in function.parameters.iter().enumerate() {
            let name = parameter.name();
            let named = entry.named.iter().find(|(other, _)| other == name.as_str()).map(|(_, supply)| supply);
            let value = match (entry.arguments.get(place).or(named), &self.classes) {
                (Some(Supply::Objects), Some(known)) => known.everything(),
                (Some(Supply::Class(class)), Some(known)) => {
                    known.supplied(*class, &Value::none(name.range, Why::NotThere))
                }
                // Elsewhere there may be none before the first step.
                (Some(Supply::Env | Supply::State | Supply::Previous), Some(_)) => {
                    Value::thing(Inside::State).join(&Value::of(Kinds::NONE))
                }
                _ => Value::any(),
            };
            given.push((name.as_str(), value));
        }
        given
    }

    /// Looks at a function whose parameters may be anything, once.
    fn alone(&mut self, function: &'a StmtFunctionDef, outer: Option<Rc<Env<'a>>>) {
        if !self.is_set_up || self.inlined > 0 || self.calls.len() > 1 || !self.alone.insert(function.start()) {
            return;
        }
        let outer = outer.map(|outer| {
            let mut open = (*outer).clone();
            open.each_mut().for_each(|(_, value)| *value = Value::any());
            Rc::new(open)
        });
        let given = function.parameters.iter().map(|parameter| (parameter.name().as_str(), Value::any())).collect();
        // What it gives is not what the reward is.
        let returned = std::mem::take(&mut self.facts.returned);
        let was_alone = std::mem::replace(&mut self.is_alone, true);
        self.run(function, given, outer);
        self.is_alone = was_alone;
        self.facts.returned = returned;
    }

    fn is_of_module(&self, function: &StmtFunctionDef) -> bool {
        self.functions.get(function.name.as_str()).is_some_and(|other| std::ptr::eq(*other, function))
    }

    fn names_of(&mut self, function: &'a StmtFunctionDef) -> Rc<Names<'a>> {
        let names = self.names.entry(function.start());
        let sorted = || {
            let mut names = scope::variables(function);
            names.sort_unstable();
            names.dedup();
            Rc::new(Names(names))
        };
        names.or_insert_with(sorted).clone()
    }

    /// What a name of the module, of the world or of Python is.
    fn global(&self, name: &'a str) -> Value<'a> {
        if let Some(function) = self.functions.get(name).filter(|function| function.decorator_list.is_empty()) {
            return Value::thing(Inside::Function(Function::Named(function)));
        }
        if self.bound.contains(name) {
            return self.globals.get(name).cloned().unwrap_or_else(Value::any);
        }
        if let Some(classes) = self.classes.as_ref().and_then(|known| known.kinds_of(name)) {
            return Value::thing(Inside::Classes(classes));
        }
        if has_builtin(name) { Value::thing(Inside::Builtin(name)) } else { Value::any() }
    }

    /// What an import brings.
    fn imported(&self, name: &str, statement: &Stmt) -> Value<'a> {
        match statement {
            Stmt::Import(import) => {
                let found =
                    import.names.iter().find(|alias| alias.asname.as_ref().unwrap_or(&alias.name).as_str() == name);
                let math = found.is_some_and(|alias| alias.name.as_str() == "math");
                if math { Value::thing(Inside::Math) } else { Value::any() }
            }
            Stmt::ImportFrom(import) => {
                let module = import.module.as_deref().unwrap_or_default();
                let found =
                    import.names.iter().find(|alias| alias.asname.as_ref().unwrap_or(&alias.name).as_str() == name);
                let class = found.filter(|_| Library::named(module) == Some(Library::World));
                let classes = class.zip(self.classes.as_ref()).and_then(|(alias, known)| known.kinds_of(&alias.name));
                classes.map_or_else(Value::any, |classes| Value::thing(Inside::Classes(classes)))
            }
            _ => Value::any(),
        }
    }
}

/// What a global still is at the next call: lists and the like may have changed by then.
fn lasting(value: Value<'_>) -> Value<'_> {
    let plain = Kinds::NUMBER.with(Kinds::TEXT).with(Kinds::NONE);
    let kept = value.within(plain)
        || value.parts().is_some_and(|parts| parts.iter().all(|part| part.within(plain)))
        || matches!(value.inside, Inside::Classes(_) | Inside::Math | Inside::Function(_));
    if kept { value } else { Value::any() }
}
