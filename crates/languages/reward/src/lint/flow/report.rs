//! Diagnostics from the facts of an analysis.

use goalspec_syntax::diagnostic::{Applicability, Fix};
use goalspec_syntax::suggest;
use goalspec_syntax::{Diagnostic, Span};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ElifElseClause, Expr, ExprList, ExprSet, ExprTuple, ModModule, Stmt, StmtIf};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Flow;
use super::conditions::shown;
use super::facts::{Asked, NoneUse, Seen, Use};
use super::numbers::Reason;
use super::statements::is_main_guard;
use super::value::{Origin, Why};
use crate::codes;
use crate::parse::span;

/// The maximum number of names in a list.
const MOST_NAMES: usize = 10;

pub(super) fn report(flow: &Flow<'_>, module: &ModModule) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (&(written, origin), used) in &flow.facts.none {
        found.push(flow.none_used(written, origin, used));
    }
    for (&at, name) in &flow.facts.unbound {
        found.push(flow.unbound(name, at));
    }
    found.extend(flow.facts.asked.iter().filter_map(|(&at, asked)| flow.attribute_missing(at, asked)));
    for (&at, &(name, object)) in &flow.facts.not_of_states {
        found.extend(flow.not_of_state(at, name, object));
    }
    for (&at, mismatch) in &flow.facts.mismatches {
        found.extend(mismatch.map(|(operator, kinds)| flow.mismatch(at, operator, kinds)));
    }
    for (&at, (text, compared)) in &flow.facts.no_classes {
        found.push(flow.no_class(at, text, *compared));
    }
    if flow.given_up {
        return found;
    }
    let mut dead = Dead { flow, found: Vec::new(), told: FxHashSet::default(), clamps: clamps(module) };
    // Comparisons with a string that names no class are reported above.
    dead.told.extend(flow.facts.no_classes.values().map(|(_, compared)| *compared));
    dead.comparisons();
    dead.body(&module.body);
    found.extend(dead.found);
    found
}

impl Flow<'_> {
    fn span(&self, at: TextRange) -> Span {
        span(self.source, at)
    }

    fn written(&self, at: TextRange) -> String {
        self.source.text()[at.to_std_range()].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn none_used(&self, written: &str, origin: Origin, used: &NoneUse<'_>) -> Diagnostic {
        let raises = match used.how {
            Use::Attribute(name) => format!("`.{name}` raises `AttributeError`"),
            Use::Item => "`[..]` raises `TypeError`".to_owned(),
            Use::Index => "using it as an index raises `TypeError`".to_owned(),
            Use::Operation(operator) => format!("`{operator}` raises `TypeError`"),
            Use::Unpack => "unpacking it raises `TypeError`".to_owned(),
            Use::Iterate => "iterating over it raises `TypeError`".to_owned(),
            Use::Argument(name) if used.how.is_attribute() => format!("`{name}` raises `AttributeError`"),
            Use::Argument(name) => format!("`{name}` raises `TypeError`"),
        };
        if written == "None" {
            let message = format!("`None` is not a valid operand: {raises}");
            return Diagnostic::warning(codes::POSSIBLY_NONE, self.span(used.at), message);
        }
        let is = if self.facts.some.contains(&used.at) { "may be" } else { "is" };
        let message =
            format!("`{}` {is} `None` here: {raises}", written.split_whitespace().collect::<Vec<_>>().join(" "));
        let from = match origin.why {
            Why::Written => "`None` is assigned here",
            Why::NotFound => "this returns `None` if nothing is found",
            Why::NoReturn => "this function may end without `return` and then returns `None`",
            Why::NotThere => "it is `None` in frames without such an object",
        };
        let finding = Diagnostic::warning(codes::POSSIBLY_NONE, self.span(used.at), message);
        let finding = finding.with_related(self.span(origin.range), from);
        let name = written.chars().all(|character| character.is_alphanumeric() || character == '_');
        finding.with_help(if name {
            format!("check first: `if {written} is not None:`, or return early")
        } else {
            "assign it to a variable, and check that the variable is not `None`".to_owned()
        })
    }

    fn unbound(&self, name: &str, at: TextRange) -> Diagnostic {
        let has = if self.facts.bound.contains(&at) { "may have" } else { "has" };
        let message = format!("`{name}` {has} no value here: using it raises `UnboundLocalError`");
        let finding = Diagnostic::warning(codes::POSSIBLY_UNBOUND, self.span(at), message);
        finding.with_help(format!("assign `{name}` on every path to this line"))
    }

    fn attribute_missing(&self, at: TextRange, asked: &Asked<'_>) -> Option<Diagnostic> {
        let known = self.classes.as_ref()?;
        if asked.unknown {
            return None;
        }
        let object = self.written(asked.object);
        let name = asked.name;
        if let Some(other) = asked.other {
            let message = format!("`{object}` is {other}, which has no `{name}`");
            let finding = Diagnostic::error(codes::UNKNOWN_ATTRIBUTE, self.span(at), message);
            return Some(finding.with_help(match other {
                "a list" => format!("use an element of the list: `{object}[0].{name}`"),
                "a tuple" => format!("use an index: `{object}[0]`"),
                _ => "use one of the objects".to_owned(),
            }));
        }
        if asked.lacking == 0 {
            return known.may_be_absent(asked.having, name).then(|| {
                let message = format!("`{object}` may lack `{name}`: it has no value until a trace assigns one");
                let finding = Diagnostic::note(codes::UNKNOWN_ATTRIBUTE, self.span(at), message);
                finding.with_help(format!(
                    "declare a default in the world, or check `hasattr({object}, \"{name}\")` first"
                ))
            });
        }
        let list = |classes: u64| {
            let names = known.names_of(classes);
            let shown: Vec<String> = names.iter().take(3).map(|name| format!("`{name}`")).collect();
            let more = names.len() - shown.len();
            if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
        };
        if asked.having != 0 {
            if asked.blurred {
                return None;
            }
            let message = format!("`{object}` may be an object without `{name}`: {} lack it", list(asked.lacking));
            let finding = Diagnostic::warning(codes::UNKNOWN_ATTRIBUTE, self.span(at), message);
            return Some(finding.with_help(format!("{} have it: check the class first", list(asked.having))));
        }
        let message = if asked.lacking == known.all() {
            format!("objects have no `{name}`")
        } else {
            format!("objects of {} have no `{name}`", list(asked.lacking))
        };
        let finding = Diagnostic::error(codes::UNKNOWN_ATTRIBUTE, self.span(at), message);
        let others = known.having(known.all(), name);
        let has = known.attributes(asked.lacking);
        if let Some(usual) = usual(name, &has).filter(|_| others == 0) {
            return Some(finding.with_help(usual));
        }
        let valued = known.names_of(known.having(known.all(), "value") & !known.roots());
        let valued = valued.iter().filter(|class| class.to_lowercase().contains(name));
        let valued: Vec<String> = valued.map(|class| format!("`{class}`")).collect();
        if others == 0 && name.len() > 3 && !valued.is_empty() {
            return Some(finding.with_help(format!("it is the `value` of separate objects: of {}", valued.join(", "))));
        }
        let (finding, near) = suggest::with_nearest(finding, name, self.span(at), has.iter().copied());
        Some(if others != 0 {
            finding.with_help(format!("{} have it", list(others)))
        } else if near {
            finding
        } else {
            let more = if has.len() > MOST_NAMES { " and others" } else { "" };
            finding.with_help(format!("they have {}{more}", has[..has.len().min(MOST_NAMES)].join(", ")))
        })
    }

    fn not_of_state(&self, at: TextRange, name: &str, object: TextRange) -> Option<Diagnostic> {
        let known = self.classes.as_ref()?;
        let message = format!("`{}` has no `{name}`", self.written(object));
        let finding = Diagnostic::error(codes::UNKNOWN_ATTRIBUTE, self.span(at), message);
        let (finding, near) = suggest::with_nearest(finding, name, self.span(at), known.state_names());
        let all: Vec<String> = known.state_names().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
        Some(if near { finding } else { finding.with_help(format!("it has {}", all.join(", "))) })
    }

    fn mismatch(&self, at: TextRange, operator: &str, [left, right]: [&'static str; 2]) -> Diagnostic {
        if operator == "isinstance" {
            let message = format!("the second argument of `isinstance` is {right}, which raises `TypeError`");
            let finding = Diagnostic::error(codes::WRONG_OPERANDS, self.span(at), message);
            return finding.with_help(match right {
                "a string" => "remove the quotes around the class",
                "a list" => "replace the list with a tuple: `(Player, Ball)`",
                _ => "use a class or a tuple of classes",
            });
        }
        let message = format!("`{operator}` of {left} and {right} raises `TypeError`");
        let finding = Diagnostic::error(codes::WRONG_OPERANDS, self.span(at), message);
        finding.with_help(match (left, right) {
            _ if operator == "[..]" => "lists have integer indices: iterate over the list to find an element",
            ("a tuple", _) | (_, "a tuple") => "use the elements of the tuple, such as `xy[0]`, or `np.array(xy)`",
            ("an object", _) | (_, "an object") => "use an attribute of the object, such as `x`",
            ("a list", _) | (_, "a list") => "use an element of the list, or its length with `len`",
            _ => "use operands of compatible types",
        })
    }

    fn no_class(&self, at: TextRange, text: &str, compared: TextRange) -> Diagnostic {
        let message = format!("unknown category `{text}`");
        let finding = Diagnostic::warning(codes::UNKNOWN_CLASS, self.span(at), message);
        let finding = if compared.contains_range(at) {
            finding
        } else {
            finding.with_related(self.span(compared), "compared with a category here")
        };
        let Some(known) = &self.classes else { return finding };
        let Some(near) = suggest::nearest(text, known.names()) else {
            return finding.with_help(format!("available: {}", known.names().collect::<Vec<_>>().join(", ")));
        };
        let finding = finding.with_help(format!("did you mean `{near}`?"));
        let whole = self.span(at);
        if whole.end - whole.start != text.len() as u32 + 2 {
            return finding;
        }
        // The quotes stay. The fix is unsafe: whether the other name was meant is unknown.
        let inside = Span { start: whole.start + 1, end: whole.end - 1, ..whole };
        finding.with_fix(Fix::replace(format!("replace with `{near}`"), Applicability::Unsafe, inside, near))
    }
}

/// Conventional attribute names, the attribute of objects that corresponds to them, and its use in code.
const USUAL: [(&[&str], &str, &str); 17] = [
    (&["name", "type", "kind", "label", "cls", "class_name", "obj_type"], "category", "`category`"),
    (&["width"], "w", "`w`"),
    (&["height"], "h", "`h`"),
    (&["pos", "position", "coords", "coordinates", "location", "loc"], "xy", "`xy`"),
    (&["size", "shape", "dimensions"], "wh", "`wh`"),
    (&["bbox", "box", "rect", "bounding_box"], "xywh", "`xywh`"),
    (&["velocity", "speed", "vel", "v", "motion"], "dx", "`dx` and `dy`"),
    (&["vx", "dx_", "x_speed", "speed_x", "velocity_x", "vel_x"], "dx", "`dx`"),
    (&["vy", "dy_", "y_speed", "speed_y", "velocity_y", "vel_y"], "dy", "`dy`"),
    (
        &["prev_pos", "prev_position", "previous_position", "last_pos", "last_position", "old_xy"],
        "prev_xy",
        "`prev_xy`",
    ),
    (&["color", "colour"], "rgb", "`rgb`"),
    (&["active", "alive", "present", "exists", "is_visible"], "visible", "`visible`"),
    (&["direction", "facing", "heading"], "orientation", "`orientation`"),
    (&["left", "x_min", "xmin"], "x", "`x`"),
    (&["top", "y_min", "ymin"], "y", "`y`"),
    (&["right", "x_max", "xmax"], "w", "`x + w`"),
    (&["bottom", "y_max", "ymax"], "h", "`y + h`"),
];

/// Returns a hint for an attribute with a conventional name that objects do not have.
fn usual(name: &str, has: &[&str]) -> Option<String> {
    let (_, _, written) =
        USUAL.iter().find(|(names, attribute, _)| names.contains(&name) && has.contains(attribute))?;
    Some(format!("they have {written}"))
}

/// Returns the comparisons that only guard a clamp: `if reward > 1: reward = 1`.
fn clamps(module: &ModModule) -> FxHashSet<TextRange> {
    struct Walk(FxHashSet<TextRange>);
    impl<'a> Visitor<'a> for Walk {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            if let Stmt::If(branch) = statement {
                let clauses =
                    branch.elif_else_clauses.iter().filter_map(|clause| Some((clause.test.as_ref()?, &clause.body)));
                for (test, body) in std::iter::once((&*branch.test, &branch.body)).chain(clauses) {
                    if let (Expr::Compare(compare), [Stmt::Assign(assign)]) = (test, &body[..])
                        && let (Expr::Name(left), [Expr::Name(target)]) = (&*compare.left, &assign.targets[..])
                        && left.id == target.id
                    {
                        self.0.insert(compare.range);
                    }
                }
            }
            visitor::walk_stmt(self, statement);
        }
    }
    let mut walk = Walk(FxHashSet::default());
    walk.visit_body(&module.body);
    walk.0
}

/// A pass that reports unreachable code and comparisons with a constant outcome.
struct Dead<'d> {
    flow: &'d Flow<'d>,
    found: Vec<Diagnostic>,
    /// The conditions that have been reported.
    told: FxHashSet<TextRange>,
    clamps: FxHashSet<TextRange>,
}

impl Dead<'_> {
    fn comparisons(&mut self) {
        for (&at, seen) in &self.flow.facts.comparisons {
            let [yes, no] = seen.compared.may_be;
            if yes && no {
                continue;
            }
            let finding = match seen.compared.why {
                Reason::Kinds(kinds) => Some(self.of_kinds(at, yes, kinds)),
                // Guards of clamps may be redundant.
                Reason::Numbers if self.clamps.contains(&at) => None,
                Reason::Numbers => self.of_numbers(at, yes, seen),
                _ => continue,
            };
            self.told.insert(at);
            self.found.extend(finding);
        }
    }

    fn way(&self, at: TextRange, yes: bool) -> String {
        format!("`{}` is {} true", self.flow.written(at), if yes { "always" } else { "never" })
    }

    fn of_kinds(&self, at: TextRange, yes: bool, [left, right]: [&'static str; 2]) -> Diagnostic {
        let message = format!("{}: it compares {left} with {right}", self.way(at, yes));
        let finding = Diagnostic::warning(codes::CONSTANT_COMPARISON, self.flow.span(at), message);
        finding.with_help(match (left, right) {
            ("an object", "a string") | ("a string", "an object") => "compare its `category`",
            ("an object", "a class") | ("a class", "an object") => "use `isinstance`",
            ("a class", "a string") | ("a string", "a class") => "compare the `__name__` of the class, or `category`",
            ("an object", _) | (_, "an object") => "compare an attribute of the object",
            ("a Boolean", _) | (_, "a Boolean") => "use the Boolean itself, or `not`",
            _ => "compare values of one type",
        })
    }

    /// Reports a comparison of numbers, unless both are constants of the program.
    fn of_numbers(&self, at: TextRange, yes: bool, seen: &Seen) -> Option<Diagnostic> {
        let [left, right] = [seen.sides[0]?, seen.sides[1]?];
        if left.is_one() && right.is_one() {
            return None;
        }
        let message = format!("{}: it compares {} with {}", self.way(at, yes), shown(left), shown(right));
        let finding = Diagnostic::note(codes::CONSTANT_COMPARISON, self.flow.span(at), message);
        let on_screen =
            [left, right].iter().any(|side| *side == super::objects::ACROSS || *side == super::objects::DOWN);
        Some(if on_screen {
            finding.with_help("the screen is 160 pixels wide and 210 high")
        } else {
            finding.with_help(format!("the left side ranges over {}", shown(left)))
        })
    }

    /// Visits the statements of a reachable function or branch.
    fn body(&mut self, body: &[Stmt]) {
        for (place, statement) in body.iter().enumerate() {
            let reached = self.flow.facts.reached.contains(&statement.start());
            if reached || matches!(statement, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
                self.inside(statement);
                continue;
            }
            // The first statement of a branch is reported together with its condition.
            if let Some(before) = place.checked_sub(1).map(|place| &body[place]) {
                self.behind(before, &body[place..]);
            }
            return;
        }
    }

    fn inside(&mut self, statement: &Stmt) {
        match statement {
            Stmt::If(branch) => self.branches(branch),
            Stmt::For(each) => {
                self.body(&each.body);
                self.body(&each.orelse);
            }
            Stmt::While(repeat) => {
                self.dead_branch(&repeat.test, &repeat.body);
                self.body(&repeat.body);
                self.body(&repeat.orelse);
            }
            Stmt::Try(guarded) => {
                self.body(&guarded.body);
                for handler in &guarded.handlers {
                    let ruff_python_ast::ExceptHandler::ExceptHandler(handler) = handler;
                    self.body(&handler.body);
                }
                self.body(&guarded.orelse);
                self.body(&guarded.finalbody);
            }
            Stmt::FunctionDef(function) => self.body(&function.body),
            Stmt::ClassDef(class) => {
                let methods = class.body.iter().filter(|inner| inner.is_function_def_stmt());
                methods.for_each(|method| self.inside(method));
            }
            _ => {}
        }
    }

    fn is_dead(&self, body: &[Stmt]) -> bool {
        body.first().is_some_and(|first| !self.flow.facts.reached.contains(&first.start()))
    }

    fn branches(&mut self, branch: &StmtIf) {
        if is_main_guard(&branch.test) && branch.elif_else_clauses.is_empty() {
            return;
        }
        // The lookup by source text keeps long chains linear.
        let mut earlier: FxHashMap<String, &Expr> = FxHashMap::default();
        let mut always: Option<&Expr> = None;
        let clauses: Vec<(Option<&Expr>, &[Stmt])> = std::iter::once((Some(&*branch.test), &branch.body[..]))
            .chain(
                branch.elif_else_clauses.iter().map(|clause: &ElifElseClause| (clause.test.as_ref(), &clause.body[..])),
            )
            .collect();
        for (test, body) in clauses {
            let text = test.map(|test| self.flow.written(test.range()));
            let again = text.as_ref().and_then(|text| earlier.get(text)).copied();
            if let (Some(test), Some(first)) = (test, again) {
                let message =
                    format!("`{}` was tested before: this branch is unreachable", self.flow.written(test.range()));
                let finding = Diagnostic::warning(codes::UNREACHABLE, self.flow.span(test.range()), message);
                let finding = finding.with_related(self.flow.span(first.range()), "first tested here");
                self.found.push(finding.with_help("test another condition, or remove the branch"));
                self.told.insert(test.range());
            } else if let (Some(test), None) = (test, always) {
                self.dead_branch(test, body);
            } else if let Some(always) = always.filter(|_| self.is_dead(body) && !is_nothing(body)) {
                self.after_always(always, test, body);
            }
            if !self.is_dead(body) {
                self.body(body);
            }
            if let Some(test) = test {
                earlier.entry(text.unwrap_or_default()).or_insert(test);
                let ways = self.flow.facts.tests.get(&test.range());
                always = always.or_else(|| (ways == Some(&[true, false])).then_some(test));
            }
        }
    }

    /// Reports a branch whose condition never holds.
    fn dead_branch(&mut self, test: &Expr, body: &[Stmt]) {
        let ways = self.flow.facts.tests.get(&test.range());
        if ways != Some(&[false, true]) || !self.is_dead(body) || self.is_told(test) || is_switch(test) {
            return;
        }
        self.told.insert(test.range());
        let (reason, harmless) = self.reason(test);
        let message =
            format!("`{}` is never true{reason}: this branch is unreachable", self.flow.written(test.range()));
        let at = self.flow.span(test.range());
        let finding = if harmless {
            Diagnostic::note(codes::UNREACHABLE, at, message)
        } else {
            Diagnostic::warning(codes::UNREACHABLE, at, message)
        };
        self.found.push(finding.with_help("remove the branch, or test another condition"));
    }

    /// Explains why a condition never holds, and returns whether it is merely a redundant guard.
    fn reason(&self, test: &Expr) -> (String, bool) {
        match test {
            Expr::Compare(compare) => match (&*compare.left, &compare.comparators[..]) {
                (left, [Expr::NoneLiteral(_)]) => {
                    (format!(", because `{}` is never `None` here", self.flow.written(left.range())), true)
                }
                _ => (String::new(), false),
            },
            Expr::UnaryOp(operation) => {
                (format!(", because `{}` is always true here", self.flow.written(operation.operand.range())), true)
            }
            _ => (String::new(), false),
        }
    }

    fn is_told(&self, test: &Expr) -> bool {
        self.told.iter().any(|told| test.range().contains_range(*told))
    }

    /// Reports a branch behind one whose condition always holds, except at the end of an exhaustive chain of class tests.
    fn after_always(&mut self, always: &Expr, test: Option<&Expr>, body: &[Stmt]) {
        if self.is_told(always) || is_switch(always) || asks_for_class(always) {
            return;
        }
        self.told.insert(always.range());
        let at = test.map_or_else(|| whole(body), Ranged::range);
        let message = "this branch is unreachable";
        let finding = Diagnostic::note(codes::UNREACHABLE, self.flow.span(at), message);
        let finding = finding.with_related(self.flow.span(always.range()), "this is always true");
        self.found.push(finding.with_help("remove the branch, or test another condition before"));
    }

    /// Reports statements behind one that never completes.
    fn behind(&mut self, before: &Stmt, rest: &[Stmt]) {
        if is_nothing(rest) || before.as_if_stmt().is_some_and(is_switched) {
            return;
        }
        let (what, at) = match before {
            Stmt::Return(_) => ("`return` ends the function", before.range()),
            Stmt::Raise(_) => ("`raise` ends the function", before.range()),
            Stmt::Continue(_) => ("`continue` ends the iteration", before.range()),
            Stmt::Break(_) => ("`break` ends the loop", before.range()),
            Stmt::If(branch) => {
                ("every branch ends the function or the loop", TextRange::new(before.start(), branch.test.end()))
            }
            Stmt::While(repeat) => ("this loop never ends", TextRange::new(before.start(), repeat.test.end())),
            _ => ("this never completes", TextRange::new(before.start(), before.start())),
        };
        let message = "unreachable code";
        // A final `return` as a fallback is harmless.
        let fallback = matches!(rest, [Stmt::Return(_)]) && !before.is_return_stmt();
        let at_rest = self.flow.span(whole(rest));
        let finding = if fallback {
            Diagnostic::note(codes::UNREACHABLE, at_rest, message)
        } else {
            Diagnostic::warning(codes::UNREACHABLE, at_rest, message)
        };
        let finding = finding.with_related(self.flow.span(at), what);
        self.found.push(finding.with_help("remove it, or move it to where it is reachable"));
    }
}

/// Returns whether a configuration switch decides between the branches.
fn is_switched(branch: &StmtIf) -> bool {
    let others = branch.elif_else_clauses.iter().filter_map(|clause| clause.test.as_ref());
    std::iter::once(&*branch.test).chain(others).any(is_switch)
}

fn whole(body: &[Stmt]) -> TextRange {
    match body {
        [first, .., last] => TextRange::new(first.start(), last.end()),
        [one] => one.range(),
        [] => TextRange::default(),
    }
}

/// Returns whether statements have no effect.
fn is_nothing(body: &[Stmt]) -> bool {
    body.iter().all(|statement| match statement {
        Stmt::Pass(_) | Stmt::Continue(_) => true,
        Stmt::Expr(expression) => expression.value.is_literal_expr(),
        _ => false,
    })
}

/// Returns whether a condition is a configuration switch, one of whose outcomes is disabled on purpose: a name in capitals, or a comparison
/// of such a name with a literal or another one.
fn is_switch(test: &Expr) -> bool {
    match test {
        Expr::Name(name) => name.id.chars().all(|character| !character.is_lowercase()),
        Expr::UnaryOp(operation) => is_switch(&operation.operand),
        Expr::Compare(compare) => match &compare.comparators[..] {
            [other] => {
                let (left, right) = (&*compare.left, other);
                (left.is_name_expr() && is_switch(left) && is_setting(right))
                    || (right.is_name_expr() && is_switch(right) && is_setting(left))
            }
            _ => false,
        },
        Expr::BoolOp(operation) => operation.values.iter().any(is_switch),
        _ => false,
    }
}

/// Returns whether an expression is the value of a configuration switch: a literal, a collection of literals, or another constant.
fn is_setting(expression: &Expr) -> bool {
    match expression {
        Expr::List(ExprList { elts, .. }) | Expr::Tuple(ExprTuple { elts, .. }) | Expr::Set(ExprSet { elts, .. }) => {
            elts.iter().all(is_setting)
        }
        Expr::UnaryOp(operation) => is_setting(&operation.operand),
        Expr::Name(_) => is_switch(expression),
        _ => expression.is_literal_expr(),
    }
}

/// Returns whether a condition tests the class of an object.
fn asks_for_class(test: &Expr) -> bool {
    match test {
        Expr::Call(call) => call.func.as_name_expr().is_some_and(|name| name.id.as_str() == "isinstance"),
        Expr::Compare(compare) => match &*compare.left {
            Expr::Attribute(attribute) => matches!(attribute.attr.as_str(), "category" | "__name__" | "__class__"),
            Expr::Call(_) => true,
            _ => false,
        },
        Expr::BoolOp(operation) => operation.values.iter().all(asks_for_class),
        _ => false,
    }
}
