//! Abstract interpretation of a program: uses of `None`, missing attributes, unsupported operands, and conditions with a constant outcome.
//!
//! The analysis walks the syntax tree from the reward function with abstract values: kinds, classes of objects, intervals of numbers, sets
//! of strings. Conditions narrow these values in both branches. States in which a variable is `None` and states in which it is not stay
//! separate, so that flags keep their meaning. Calls are followed into their functions; in addition, each function is analysed on its own
//! with unknown arguments, since a condition that is constant for one caller may vary for another.
//!
//! A value that the analysis does not follow may be anything, and nothing is reported for it. The type inference of the engines
//! ([`crate::typed`]) is more precise, but covers only programs with a fast form.
//!
//! | module | contents |
//! |---|---|
//! | `value` | abstract values |
//! | `env` | abstract states of the variables |
//! | `objects` | attributes of the objects of the world |
//! | `scope` | the names that functions bind and mention |
//! | `expressions`, `numbers`, `calls`, `conditions`, `hints`, `statements` | the abstract semantics of Python |
//! | `facts` | facts collected per position |
//! | `report` | diagnostics from the facts |

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

/// The maximum number of visits of expressions and statements.
const MAX_STEPS: u32 = 200_000;

/// The maximum nesting depth of expressions and statements that is followed.
const MAX_DEPTH: usize = 90;

/// The result of the analysis.
pub(super) struct Found {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) returned: Vec<Returned>,
    /// The starts of the reachable statements.
    pub(super) reached: FxHashSet<TextSize>,
}

/// The interval of a numeric value that the reward function returns.
pub(super) struct Returned {
    /// The position of the `return`.
    pub(super) at: TextRange,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Analyses a program whose reward comes from the function of `entry`, in a world if it is known.
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
        let message = "the program is too large for a complete data-flow analysis";
        let help = "the rest was not analysed: move unused parts to another file";
        diagnostics.push(Diagnostic::note(codes::ANALYSIS_LIMIT, at, message).with_help(help));
    }
    let returned = flow.facts.returned.iter();
    let returned =
        returned.filter_map(|(&at, found)| found.map(|found| Returned { at, low: found.low, high: found.high }));
    Found { diagnostics, returned: returned.collect(), reached: flow.facts.reached }
}

/// Returns whether a program sets an attribute of this name on any object.
pub(super) fn gives_attribute(module: &ModModule, name: &str) -> bool {
    scope::shared(&module.body).1.has(name)
}

/// An open loop.
#[derive(Debug, Default)]
struct Loop<'a> {
    breaks: Vec<Env<'a>>,
    continues: Vec<Env<'a>>,
}

/// The frame of a function that is being followed.
#[derive(Debug)]
struct Frame<'a> {
    returns: Value<'a>,
    loops: Vec<Loop<'a>>,
    /// For each enclosing `try`, the states in which an exception may occur.
    attempts: Vec<Vec<Env<'a>>>,
}

impl Default for Frame<'_> {
    fn default() -> Self {
        Self { returns: Value::never(), loops: Vec::new(), attempts: Vec::new() }
    }
}

/// The caught exceptions, among those that are reported.
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
    /// The functions of the module, the last definition of each name.
    functions: FxHashMap<&'a str, &'a StmtFunctionDef>,
    /// Names that the module binds.
    bound: FxHashSet<&'a str>,
    globals: FxHashMap<&'a str, Value<'a>>,
    /// Names that several functions change.
    shared: FxHashSet<&'a str>,
    /// Names of the module that only the reward function changes, while it is being followed.
    own: FxHashSet<&'a str>,
    /// Attributes that the program sets.
    stored: scope::Stored<'a>,
    names: FxHashMap<TextSize, Rc<Names<'a>>>,
    /// For each variable that is a collection or a count of other variables, these variables.
    made: FxHashMap<&'a str, FxHashSet<&'a str>>,
    /// For each list, the names that loops over it bind.
    looped: FxHashMap<&'a str, FxHashSet<&'a str>>,
    /// Attributes that conditions mention, and string literals.
    asked: FxHashSet<&'a str>,
    /// The starts of the functions that have been analysed on their own.
    alone: FxHashSet<TextSize>,
    /// Whether the current function is analysed with unknown arguments.
    is_alone: bool,
    /// For each nested function, by its start, the function in which it is defined.
    homes: FxHashMap<TextSize, &'a StmtFunctionDef>,
    calls: Vec<&'a StmtFunctionDef>,
    frames: Vec<Frame<'a>>,
    /// The results of calls, by function and arguments.
    runs: calls::Runs<'a>,
    /// The number of open calls whose arguments come from a single call site.
    inlined: usize,
    /// The exceptions that the enclosing `try` statements catch.
    guarded: Caught,
    depth: usize,
    steps: u32,
    /// Whether the top level of the module has been executed.
    is_set_up: bool,
    /// Whether the analysis stopped before it was complete.
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

    /// Enters a nested node; returns `false` if the depth or the number of steps exceeds its limit.
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
        // Every name of the module has its value only from here on.
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

    /// Returns the values of the arguments that the entry supplies.
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
                // Other runtimes may pass `None` before the first step.
                (Some(Supply::Env | Supply::State | Supply::Previous), Some(_)) => {
                    Value::thing(Inside::State).join(&Value::of(Kinds::NONE))
                }
                _ => Value::any(),
            };
            given.push((name.as_str(), value));
        }
        given
    }

    /// Analyses a function with unknown arguments, once.
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
        // Its results are not the reward.
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

    /// Returns the value of a name of the module, the world or Python.
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

    /// Returns the value of an imported name.
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

/// Returns the part of a global's value that still holds at the next call: collections may have changed by then.
fn lasting(value: Value<'_>) -> Value<'_> {
    let plain = Kinds::NUMBER.with(Kinds::TEXT).with(Kinds::NONE);
    let kept = value.within(plain)
        || value.parts().is_some_and(|parts| parts.iter().all(|part| part.within(plain)))
        || matches!(value.inside, Inside::Classes(_) | Inside::Math | Inside::Function(_));
    if kept { value } else { Value::any() }
}
