//! Abstract interpretation of a program: uses of `None`, missing attributes, unsupported operands, and conditions with a constant outcome.
//!
//! The analysis walks the syntax tree from the reward function with abstract values: kinds, classes of objects, intervals of numbers, sets
//! of strings. Conditions narrow these values in both branches. States in which a variable is `None` and states in which it is not stay
//! separate, so that flags keep their meaning. Calls are followed into their functions; in addition, each function is analysed on its own
//! with unknown arguments, since a condition that is constant for one caller may vary for another.
//!
//! A value that the analysis does not follow may be anything, and nothing is reported for it. The type inference of the engines
//! ([`goalspec_python_runtime::inference`]) is more precise, but covers only programs with a fast form.
//!
//! | module | contents |
//! |---|---|
//! | `value` | abstract values |
//! | `env` | abstract states of the variables |
//! | `class_table` | attributes of the objects of the world |
//! | `scope` | the names that functions bind and mention |
//! | `expressions`, `numbers`, `calls`, `builtin_calls`, `conditions`, `indirect_conditions`, `statements`, `blocks` | the abstract semantics of Python |
//! | `facts` | facts collected per position |
//! | `report`, `dead_code` | diagnostics from the facts |

mod blocks;
mod builtin_calls;
mod calls;
mod class_table;
mod conditions;
mod dead_code;
mod env;
mod escape;
mod expressions;
mod facts;
mod indirect_conditions;
mod numbers;
mod report;
mod scope;
mod statements;
mod value;

pub use class_table::attribute_names;

use std::rc::Rc;

use goalspec_python_runtime::entry::{ArgumentSource, Entry};
use goalspec_python_runtime::inference::Kinds;
use goalspec_python_runtime::library::Library;
use goalspec_python_runtime::machine::has_builtin;
use goalspec_python_runtime::scene::World;
use goalspec_syntax::{Diagnostic, SourceFile, Span};
use ruff_python_ast::{ModModule, Stmt, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange, TextSize};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::parse::span;
use class_table::ClassTable;
use env::{Env, VariableNames};
use facts::Facts;
use value::{AbstractValue, Contents, FunctionRef, NoneReason};

/// The maximum number of visits of expressions and statements.
const MAX_STEPS: u32 = 200_000;

/// The maximum nesting depth of expressions and statements that is followed.
const MAX_DEPTH: usize = 90;

/// The result of the analysis.
pub(super) struct AnalysisResult {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) return_intervals: Vec<ReturnInterval>,
    /// The starts of the reachable statements.
    pub(super) reachable_statements: FxHashSet<TextSize>,
}

/// The interval of a numeric value that the reward function returns.
pub(super) struct ReturnInterval {
    /// The position of the `return`.
    pub(super) range: TextRange,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Analyses a program whose reward comes from the function of `entry`, in a world if it is known.
pub(super) fn lint(
    source: &SourceFile,
    module: &ModModule,
    entry: Option<&Entry>,
    world: Option<&World>,
) -> AnalysisResult {
    let mut flow = Analyzer::new(source, module, world);
    flow.analyze_program(module, entry);
    let mut diagnostics = report::report(&flow, module);
    if flow.is_incomplete {
        let function = entry.and_then(|entry| {
            let functions = module.body.iter().filter_map(Stmt::as_function_def_stmt);
            functions.map(|function| &function.name).find(|name| name.as_str() == entry.function)
        });
        let at = function.map_or_else(|| Span::new(source.id(), 0, 0), |name| span(source, name.range));
        let message = "the program is too large for a complete data-flow analysis";
        let help = "the rest was not analysed: move unused parts to another file";
        diagnostics.push(Diagnostic::note(codes::ANALYSIS_LIMIT, at, message).with_help(help));
    }
    let returned = flow.facts.return_intervals.iter();
    let returned = returned
        .filter_map(|(&at, found)| found.map(|found| ReturnInterval { range: at, low: found.low, high: found.high }));
    AnalysisResult {
        diagnostics,
        return_intervals: returned.collect(),
        reachable_statements: flow.facts.reachable_statements,
    }
}

/// Returns whether objects of some class of a world have an attribute.
pub(super) fn objects_have_attribute(world: &World, name: &str) -> bool {
    ClassTable::of(world).is_none_or(|table| table.classes_with_attribute(table.all(), name) != 0)
}

/// Returns whether a program sets an attribute of this name on any object.
pub(super) fn has_attribute_assignment(module: &ModModule, name: &str) -> bool {
    scope::shared_names_and_attributes(&module.body).1.contains(name)
}

/// An open loop.
#[derive(Debug, Default)]
struct LoopStates<'a> {
    breaks: Vec<Env<'a>>,
    continues: Vec<Env<'a>>,
}

/// The frame of a function that is being followed.
#[derive(Debug)]
struct Frame<'a> {
    return_value: AbstractValue<'a>,
    loops: Vec<LoopStates<'a>>,
    /// For each enclosing `try`, the states in which an exception may occur.
    exception_states: Vec<Vec<Env<'a>>>,
}

impl Default for Frame<'_> {
    fn default() -> Self {
        Self { return_value: AbstractValue::never(), loops: Vec::new(), exception_states: Vec::new() }
    }
}

/// The caught exceptions, among those that are reported.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct CaughtExceptions {
    /// `AttributeError`
    attribute_error: bool,
    /// `TypeError`
    type_error: bool,
    /// `UnboundLocalError`
    unbound_local_error: bool,
}

impl CaughtExceptions {
    const ALL: Self = Self { attribute_error: true, type_error: true, unbound_local_error: true };

    fn merge(self, other: Self) -> Self {
        Self {
            attribute_error: self.attribute_error || other.attribute_error,
            type_error: self.type_error || other.type_error,
            unbound_local_error: self.unbound_local_error || other.unbound_local_error,
        }
    }
}

struct Analyzer<'a> {
    source: &'a SourceFile,
    classes: Option<ClassTable<'a>>,
    facts: Facts<'a>,
    /// The functions of the module, the last definition of each name.
    functions: FxHashMap<&'a str, &'a StmtFunctionDef>,
    /// Names that the module binds.
    module_names: FxHashSet<&'a str>,
    globals: FxHashMap<&'a str, AbstractValue<'a>>,
    /// Names that several functions change.
    shared_names: FxHashSet<&'a str>,
    /// Names of the module that only the reward function changes, while it is being followed.
    owned_globals: FxHashSet<&'a str>,
    /// Attributes that the program sets.
    stored_attributes: scope::StoredAttributes<'a>,
    variable_names: FxHashMap<TextSize, Rc<VariableNames<'a>>>,
    /// For each variable that is a collection or a count of other variables, these variables.
    dependencies: FxHashMap<&'a str, FxHashSet<&'a str>>,
    /// For each list, the names that loops over it bind.
    loop_variables: FxHashMap<&'a str, FxHashSet<&'a str>>,
    /// Attributes that conditions mention, and string literals.
    tested_attributes: FxHashSet<&'a str>,
    /// The starts of the generator functions.
    generator_functions: FxHashSet<TextSize>,
    /// The starts of the functions that have been analysed on their own.
    analyzed_functions: FxHashSet<TextSize>,
    /// Whether the current function is analysed with unknown arguments.
    has_unknown_arguments: bool,
    /// For each nested function, by its start, the function in which it is defined.
    enclosing_functions: FxHashMap<TextSize, &'a StmtFunctionDef>,
    call_stack: Vec<&'a StmtFunctionDef>,
    frames: Vec<Frame<'a>>,
    /// The results of calls, by function and arguments.
    call_cache: calls::CallCache<'a>,
    /// The number of open calls whose arguments come from a single call site.
    inlined_calls: usize,
    /// The exceptions that the enclosing `try` statements catch.
    caught_exceptions: CaughtExceptions,
    depth: usize,
    steps: u32,
    /// Whether the top level of the module has been executed.
    is_module_executed: bool,
    /// Whether the analysis stopped before it was complete.
    is_incomplete: bool,
}

impl<'a> Analyzer<'a> {
    fn new(source: &'a SourceFile, module: &'a ModModule, world: Option<&'a World>) -> Self {
        let (shared, stored) = scope::shared_names_and_attributes(&module.body);
        let functions = module.body.iter().filter_map(Stmt::as_function_def_stmt);
        Self {
            source,
            classes: world.and_then(ClassTable::of),
            facts: Facts::default(),
            functions: functions.map(|function| (function.name.as_str(), function)).collect(),
            module_names: scope::bound_names(&module.body).into_iter().collect(),
            globals: FxHashMap::default(),
            shared_names: shared,
            owned_globals: FxHashSet::default(),
            stored_attributes: stored,
            variable_names: FxHashMap::default(),
            dependencies: scope::variable_dependencies(&module.body),
            loop_variables: scope::loop_variables(&module.body),
            tested_attributes: scope::tested_attributes(&module.body),
            generator_functions: scope::generator_functions(&module.body),
            analyzed_functions: FxHashSet::default(),
            has_unknown_arguments: false,
            enclosing_functions: FxHashMap::default(),
            call_stack: Vec::new(),
            frames: Vec::new(),
            call_cache: calls::CallCache::default(),
            inlined_calls: 0,
            caught_exceptions: CaughtExceptions::default(),
            depth: 0,
            steps: 0,
            is_module_executed: false,
            is_incomplete: false,
        }
    }

    /// Enters a nested node; returns `false` if the depth or the number of steps exceeds its limit.
    fn enter(&mut self) -> bool {
        self.steps += 1;
        let goes_on = self.steps <= MAX_STEPS && self.depth < MAX_DEPTH;
        self.is_incomplete |= !goes_on;
        self.depth += usize::from(goes_on);
        goes_on
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn analyze_program(&mut self, module: &'a ModModule, entry: Option<&Entry>) {
        let mut names = scope::bound_names(&module.body);
        names.sort_unstable();
        names.dedup();
        let names = Rc::new(VariableNames(names));
        self.frames.push(Frame::default());
        let states = self.exec_block(&module.body, vec![Env::new(names.clone(), None)]);
        self.frames.pop();
        for name in &names.0 {
            let held = states.iter().filter_map(|state| state.get(name));
            let value = held.fold(AbstractValue::never(), |all, one| all.join(one));
            self.globals.insert(name, persistent_part(value));
        }
        // Every name of the module has its value only from here on.
        self.is_module_executed = true;
        let called = entry.and_then(|entry| self.functions.get(entry.function.as_str()).copied());
        // A decorator may call the function with other arguments, and change its results.
        if let (Some(function), Some(entry)) = (called.filter(|function| function.decorator_list.is_empty()), entry) {
            let arguments = self.entry_arguments(function, entry);
            self.analyzed_functions.insert(function.start());
            self.owned_globals = scope::owned_globals(function, &module.body);
            self.analyze_body(function, arguments, None);
            self.owned_globals.clear();
        }
        for statement in &module.body {
            match statement {
                Stmt::FunctionDef(function) => self.analyze_function(function, None),
                Stmt::ClassDef(class) => {
                    class
                        .body
                        .iter()
                        .filter_map(Stmt::as_function_def_stmt)
                        .for_each(|method| self.analyze_function(method, None));
                }
                _ => {}
            }
        }
    }

    /// Returns the values of the arguments that the entry supplies.
    fn entry_arguments(&self, function: &'a StmtFunctionDef, entry: &Entry) -> Vec<(&'a str, AbstractValue<'a>)> {
        let mut arguments = Vec::new();
        for (place, parameter) in function.parameters.iter().enumerate() {
            let name = parameter.name();
            let named = entry.keywords.iter().find(|(other, _)| other == name.as_str()).map(|(_, supply)| supply);
            let value = match (entry.arguments.get(place).or(named), &self.classes) {
                (Some(ArgumentSource::Objects), Some(known)) => known.all_objects(),
                (Some(ArgumentSource::Class(class)), Some(known)) => {
                    known.class_objects(*class, &AbstractValue::none(name.range, NoneReason::AbsentObject))
                }
                // Other runtimes may pass `None` before the first step.
                (Some(ArgumentSource::Env | ArgumentSource::State | ArgumentSource::PreviousState), Some(_)) => {
                    AbstractValue::from_contents(Contents::State).join(&AbstractValue::of_kinds(Kinds::NONE))
                }
                _ => AbstractValue::any(),
            };
            arguments.push((name.as_str(), value));
        }
        arguments
    }

    /// Analyses a function with unknown arguments, once.
    fn analyze_function(&mut self, function: &'a StmtFunctionDef, outer: Option<Rc<Env<'a>>>) {
        if !self.is_module_executed
            || self.inlined_calls > 0
            || self.call_stack.len() > 1
            || !self.analyzed_functions.insert(function.start())
        {
            return;
        }
        let outer = outer.map(|outer| {
            let mut open = (*outer).clone();
            open.iter_mut().for_each(|(_, value)| *value = AbstractValue::any());
            Rc::new(open)
        });
        let arguments =
            function.parameters.iter().map(|parameter| (parameter.name().as_str(), AbstractValue::any())).collect();
        // Its results are not the reward.
        let returned = std::mem::take(&mut self.facts.return_intervals);
        let was_alone = std::mem::replace(&mut self.has_unknown_arguments, true);
        self.analyze_body(function, arguments, outer);
        self.has_unknown_arguments = was_alone;
        self.facts.return_intervals = returned;
    }

    fn is_module_function(&self, function: &StmtFunctionDef) -> bool {
        self.functions.get(function.name.as_str()).is_some_and(|other| std::ptr::eq(*other, function))
    }

    fn variable_names(&mut self, function: &'a StmtFunctionDef) -> Rc<VariableNames<'a>> {
        let names = self.variable_names.entry(function.start());
        let sorted = || {
            let mut names = scope::variables(function);
            names.sort_unstable();
            names.dedup();
            Rc::new(VariableNames(names))
        };
        names.or_insert_with(sorted).clone()
    }

    /// Returns the value of a name of the module, the world or Python.
    fn eval_global(&self, name: &'a str) -> AbstractValue<'a> {
        if let Some(function) = self.functions.get(name).filter(|function| function.decorator_list.is_empty()) {
            return AbstractValue::from_contents(Contents::Function(FunctionRef::Named(function)));
        }
        if self.module_names.contains(name) {
            return self.globals.get(name).cloned().unwrap_or_else(AbstractValue::any);
        }
        if let Some(classes) = self.classes.as_ref().and_then(|known| known.subclasses_of(name)) {
            return AbstractValue::from_contents(Contents::Classes(classes));
        }
        if has_builtin(name) { AbstractValue::from_contents(Contents::Builtin(name)) } else { AbstractValue::any() }
    }

    /// Returns the value of an imported name.
    fn eval_import(&self, name: &str, statement: &Stmt) -> AbstractValue<'a> {
        match statement {
            Stmt::Import(import) => {
                let found =
                    import.names.iter().find(|alias| alias.asname.as_ref().unwrap_or(&alias.name).as_str() == name);
                let math = found.is_some_and(|alias| alias.name.as_str() == "math");
                if math { AbstractValue::from_contents(Contents::Math) } else { AbstractValue::any() }
            }
            Stmt::ImportFrom(import) => {
                let module = import.module.as_deref().unwrap_or_default();
                let found =
                    import.names.iter().find(|alias| alias.asname.as_ref().unwrap_or(&alias.name).as_str() == name);
                let class = found.filter(|_| Library::from_name(module) == Some(Library::World));
                let classes =
                    class.zip(self.classes.as_ref()).and_then(|(alias, known)| known.subclasses_of(&alias.name));
                classes
                    .map_or_else(AbstractValue::any, |classes| AbstractValue::from_contents(Contents::Classes(classes)))
            }
            _ => AbstractValue::any(),
        }
    }
}

/// Returns the part of a global's value that still holds at the next call: collections may have changed by then.
fn persistent_part(value: AbstractValue<'_>) -> AbstractValue<'_> {
    let plain = Kinds::NUMBER.union(Kinds::TEXT).union(Kinds::NONE);
    let kept = value.is_within(plain)
        || value.tuple_elements().is_some_and(|parts| parts.iter().all(|part| part.is_within(plain)))
        || matches!(value.contents, Contents::Classes(_) | Contents::Math | Contents::Function(_));
    if kept { value } else { AbstractValue::any() }
}
