//! Diagnostics from the facts of an analysis.

use goalspec_syntax::diagnostic::{Applicability, Fix};
use goalspec_syntax::suggest;
use goalspec_syntax::{Diagnostic, Span};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ElifElseClause, Expr, ExprList, ExprSet, ExprTuple, ModModule, Stmt, StmtIf};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Analyzer;
use super::conditions::format_interval;
use super::facts::{AttributeAccess, ComparisonFact, NoneSensitiveUse, NoneUse};
use super::numbers::ConstantReason;
use super::statements::is_main_guard;
use super::value::{NoneOrigin, NoneReason};
use crate::codes;
use crate::parse::span;

/// The maximum number of names in a list.
const MAX_LISTED_NAMES: usize = 10;

pub(super) fn report(flow: &Analyzer<'_>, module: &ModModule) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (&(written, origin), used) in &flow.facts.none_uses {
        found.push(flow.report_none_use(written, origin, used));
    }
    for (&at, name) in &flow.facts.unbound_variables {
        found.push(flow.report_unbound(name, at));
    }
    found.extend(
        flow.facts.attribute_accesses.iter().filter_map(|(&at, access)| flow.report_missing_attribute(at, access)),
    );
    for (&at, &(name, object)) in &flow.facts.missing_state_attributes {
        found.extend(flow.report_missing_state_attribute(at, name, object));
    }
    for (&at, mismatch) in &flow.facts.operand_mismatches {
        found.extend(mismatch.map(|(operator, kinds)| flow.report_operand_mismatch(at, operator, kinds)));
    }
    for (&at, (text, compared)) in &flow.facts.unknown_class_names {
        found.push(flow.report_unknown_class(at, text, *compared));
    }
    if flow.is_incomplete {
        return found;
    }
    let mut dead = DeadCodePass {
        analysis: flow,
        diagnostics: Vec::new(),
        reported: FxHashSet::default(),
        clamp_guards: clamp_guards(module),
    };
    // Comparisons with a string that names no class are reported above.
    dead.reported.extend(flow.facts.unknown_class_names.values().map(|(_, compared)| *compared));
    dead.check_comparisons();
    dead.visit_block(&module.body);
    found.extend(dead.diagnostics);
    found
}

impl Analyzer<'_> {
    fn span(&self, at: TextRange) -> Span {
        span(self.source, at)
    }

    fn source_text(&self, at: TextRange) -> String {
        self.source.text()[at.to_std_range()].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn report_none_use(&self, written: &str, origin: NoneOrigin, used: &NoneUse<'_>) -> Diagnostic {
        let raises = match used.operation {
            NoneSensitiveUse::Attribute(name) => format!("`.{name}` raises `AttributeError`"),
            NoneSensitiveUse::Subscript => "`[..]` raises `TypeError`".to_owned(),
            NoneSensitiveUse::Index => "using it as an index raises `TypeError`".to_owned(),
            NoneSensitiveUse::Operator(operator) => format!("`{operator}` raises `TypeError`"),
            NoneSensitiveUse::Unpack => "unpacking it raises `TypeError`".to_owned(),
            NoneSensitiveUse::Iterate => "iterating over it raises `TypeError`".to_owned(),
            NoneSensitiveUse::Argument(name) if used.operation.raises_attribute_error() => {
                format!("`{name}` raises `AttributeError`")
            }
            NoneSensitiveUse::Argument(name) => format!("`{name}` raises `TypeError`"),
        };
        if written == "None" {
            let message = format!("`None` is not a valid operand: {raises}");
            return Diagnostic::warning(codes::POSSIBLY_NONE, self.span(used.range), message);
        }
        let is = if self.facts.non_none_values.contains(&used.range) { "may be" } else { "is" };
        let message =
            format!("`{}` {is} `None` here: {raises}", written.split_whitespace().collect::<Vec<_>>().join(" "));
        let from = match origin.reason {
            NoneReason::Literal => "`None` is assigned here",
            NoneReason::NotFound => "this returns `None` if nothing is found",
            NoneReason::MissingReturn => "this function may end without `return` and then returns `None`",
            NoneReason::AbsentObject => "it is `None` in frames without such an object",
        };
        let finding = Diagnostic::warning(codes::POSSIBLY_NONE, self.span(used.range), message);
        let finding = finding.with_related(self.span(origin.range), from);
        let name = written.chars().all(|character| character.is_alphanumeric() || character == '_');
        finding.with_help(if name {
            format!("check first: `if {written} is not None:`, or return early")
        } else {
            "assign it to a variable, and check that the variable is not `None`".to_owned()
        })
    }

    fn report_unbound(&self, name: &str, at: TextRange) -> Diagnostic {
        let has = if self.facts.bound_variables.contains(&at) { "may have" } else { "has" };
        let message = format!("`{name}` {has} no value here: using it raises `UnboundLocalError`");
        let finding = Diagnostic::warning(codes::POSSIBLY_UNBOUND, self.span(at), message);
        finding.with_help(format!("assign `{name}` on every path to this line"))
    }

    fn report_missing_attribute(&self, at: TextRange, access: &AttributeAccess<'_>) -> Option<Diagnostic> {
        let known = self.classes.as_ref()?;
        if access.unknown {
            return None;
        }
        let object = self.source_text(access.object);
        let name = access.name;
        if let Some(other) = access.non_object_kind {
            let message = format!("`{object}` is {other}, which has no `{name}`");
            let finding = Diagnostic::error(codes::UNKNOWN_ATTRIBUTE, self.span(at), message);
            return Some(finding.with_help(match other {
                "a list" => format!("use an element of the list: `{object}[0].{name}`"),
                "a tuple" => format!("use an index: `{object}[0]`"),
                _ => "use one of the objects".to_owned(),
            }));
        }
        if access.classes_without == 0 {
            return known.may_lack(access.classes_with, name).then(|| {
                let message = format!("`{object}` may lack `{name}`: it has no value until a trace assigns one");
                let finding = Diagnostic::note(codes::UNKNOWN_ATTRIBUTE, self.span(at), message);
                finding.with_help(format!(
                    "declare a default in the world, or check `hasattr({object}, \"{name}\")` first"
                ))
            });
        }
        let list = |classes: u64| {
            let names = known.class_names(classes);
            let listed: Vec<String> = names.iter().take(3).map(|name| format!("`{name}`")).collect();
            let more = names.len() - listed.len();
            if more == 0 { listed.join(", ") } else { format!("{} and {more} more", listed.join(", ")) }
        };
        if access.classes_with != 0 {
            if access.maybe_narrowed {
                return None;
            }
            let message =
                format!("`{object}` may be an object without `{name}`: {} lack it", list(access.classes_without));
            let finding = Diagnostic::warning(codes::UNKNOWN_ATTRIBUTE, self.span(at), message);
            return Some(finding.with_help(format!("{} have it: check the class first", list(access.classes_with))));
        }
        let message = if access.classes_without == known.all() {
            format!("objects have no `{name}`")
        } else {
            format!("objects of {} have no `{name}`", list(access.classes_without))
        };
        let finding = Diagnostic::error(codes::UNKNOWN_ATTRIBUTE, self.span(at), message);
        let others = known.classes_with_attribute(known.all(), name);
        let has = known.attribute_names(access.classes_without);
        if let Some(usual) = conventional_name_hint(name, &has).filter(|_| others == 0) {
            return Some(finding.with_help(usual));
        }
        let valued = known.class_names(known.classes_with_attribute(known.all(), "value") & !known.base_classes());
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
            let more = if has.len() > MAX_LISTED_NAMES { " and others" } else { "" };
            finding.with_help(format!("they have {}{more}", has[..has.len().min(MAX_LISTED_NAMES)].join(", ")))
        })
    }

    fn report_missing_state_attribute(&self, at: TextRange, name: &str, object: TextRange) -> Option<Diagnostic> {
        let known = self.classes.as_ref()?;
        let message = format!("`{}` has no `{name}`", self.source_text(object));
        let finding = Diagnostic::error(codes::UNKNOWN_ATTRIBUTE, self.span(at), message);
        let (finding, near) = suggest::with_nearest(finding, name, self.span(at), known.state_attribute_names());
        let all: Vec<String> =
            known.state_attribute_names().take(MAX_LISTED_NAMES).map(|name| format!("`{name}`")).collect();
        Some(if near { finding } else { finding.with_help(format!("it has {}", all.join(", "))) })
    }

    fn report_operand_mismatch(&self, at: TextRange, operator: &str, [left, right]: [&'static str; 2]) -> Diagnostic {
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

    fn report_unknown_class(&self, at: TextRange, text: &str, compared: TextRange) -> Diagnostic {
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
const CONVENTIONAL_NAMES: [(&[&str], &str, &str); 17] = [
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
fn conventional_name_hint(name: &str, has: &[&str]) -> Option<String> {
    let (_, _, written) =
        CONVENTIONAL_NAMES.iter().find(|(names, attribute, _)| names.contains(&name) && has.contains(attribute))?;
    Some(format!("they have {written}"))
}

/// Returns the comparisons that only guard a clamp: `if reward > 1: reward = 1`.
fn clamp_guards(module: &ModModule) -> FxHashSet<TextRange> {
    struct ClampGuards(FxHashSet<TextRange>);
    impl<'a> Visitor<'a> for ClampGuards {
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
    let mut walk = ClampGuards(FxHashSet::default());
    walk.visit_body(&module.body);
    walk.0
}

/// A pass that reports unreachable code and comparisons with a constant outcome.
struct DeadCodePass<'d> {
    analysis: &'d Analyzer<'d>,
    diagnostics: Vec<Diagnostic>,
    /// The conditions that have been reported.
    reported: FxHashSet<TextRange>,
    clamp_guards: FxHashSet<TextRange>,
}

impl DeadCodePass<'_> {
    fn check_comparisons(&mut self) {
        for (&at, fact) in &self.analysis.facts.comparisons {
            let [yes, no] = fact.result.possible_outcomes;
            if yes && no {
                continue;
            }
            let finding = match fact.result.reason {
                ConstantReason::Kinds(kinds) => Some(self.report_kind_comparison(at, yes, kinds)),
                // Guards of clamps may be redundant.
                ConstantReason::Intervals if self.clamp_guards.contains(&at) => None,
                ConstantReason::Intervals => self.report_number_comparison(at, yes, fact),
                _ => continue,
            };
            self.reported.insert(at);
            self.diagnostics.extend(finding);
        }
    }

    fn describe_outcome(&self, at: TextRange, yes: bool) -> String {
        format!("`{}` is {} true", self.analysis.source_text(at), if yes { "always" } else { "never" })
    }

    fn report_kind_comparison(&self, at: TextRange, yes: bool, [left, right]: [&'static str; 2]) -> Diagnostic {
        let message = format!("{}: it compares {left} with {right}", self.describe_outcome(at, yes));
        let finding = Diagnostic::warning(codes::CONSTANT_COMPARISON, self.analysis.span(at), message);
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
    fn report_number_comparison(&self, at: TextRange, yes: bool, fact: &ComparisonFact) -> Option<Diagnostic> {
        let [left, right] = [fact.intervals[0]?, fact.intervals[1]?];
        if left.is_point() && right.is_point() {
            return None;
        }
        let message = format!(
            "{}: it compares {} with {}",
            self.describe_outcome(at, yes),
            format_interval(left),
            format_interval(right)
        );
        let finding = Diagnostic::note(codes::CONSTANT_COMPARISON, self.analysis.span(at), message);
        let on_screen = [left, right]
            .iter()
            .any(|side| *side == super::class_table::X_RANGE || *side == super::class_table::Y_RANGE);
        Some(if on_screen {
            finding.with_help("the screen is 160 pixels wide and 210 high")
        } else {
            finding.with_help(format!("the left side ranges over {}", format_interval(left)))
        })
    }

    /// Visits the statements of a reachable function or branch.
    fn visit_block(&mut self, body: &[Stmt]) {
        for (place, statement) in body.iter().enumerate() {
            let reached = self.analysis.facts.reachable_statements.contains(&statement.start());
            if reached || matches!(statement, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
                self.visit_statement(statement);
                continue;
            }
            // The first statement of a branch is reported together with its condition.
            if let Some(before) = place.checked_sub(1).map(|place| &body[place]) {
                self.report_unreachable_statements(before, &body[place..]);
            }
            return;
        }
    }

    fn visit_statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::If(branch) => self.visit_if(branch),
            Stmt::For(each) => {
                self.visit_block(&each.body);
                self.visit_block(&each.orelse);
            }
            Stmt::While(repeat) => {
                self.check_dead_branch(&repeat.test, &repeat.body);
                self.visit_block(&repeat.body);
                self.visit_block(&repeat.orelse);
            }
            Stmt::Try(guarded) => {
                self.visit_block(&guarded.body);
                for handler in &guarded.handlers {
                    let ruff_python_ast::ExceptHandler::ExceptHandler(handler) = handler;
                    self.visit_block(&handler.body);
                }
                self.visit_block(&guarded.orelse);
                self.visit_block(&guarded.finalbody);
            }
            Stmt::With(with) => self.visit_block(&with.body),
            Stmt::Match(statement) => statement.cases.iter().for_each(|case| self.visit_block(&case.body)),
            Stmt::FunctionDef(function) => self.visit_block(&function.body),
            Stmt::ClassDef(class) => {
                let methods = class.body.iter().filter(|inner| inner.is_function_def_stmt());
                methods.for_each(|method| self.visit_statement(method));
            }
            _ => {}
        }
    }

    fn is_dead(&self, body: &[Stmt]) -> bool {
        body.first().is_some_and(|first| !self.analysis.facts.reachable_statements.contains(&first.start()))
    }

    fn visit_if(&mut self, branch: &StmtIf) {
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
            let text = test.map(|test| self.analysis.source_text(test.range()));
            let again = text.as_ref().and_then(|text| earlier.get(text)).copied();
            if let (Some(test), Some(first)) = (test, again) {
                let message = format!(
                    "`{}` was tested before: this branch is unreachable",
                    self.analysis.source_text(test.range())
                );
                let finding = Diagnostic::warning(codes::UNREACHABLE, self.analysis.span(test.range()), message);
                let finding = finding.with_related(self.analysis.span(first.range()), "first tested here");
                self.diagnostics.push(finding.with_help("test another condition, or remove the branch"));
                self.reported.insert(test.range());
            } else if let (Some(test), None) = (test, always) {
                self.check_dead_branch(test, body);
            } else if let Some(always) = always.filter(|_| self.is_dead(body) && !is_no_op(body)) {
                self.report_after_always_true(always, test, body);
            }
            if !self.is_dead(body) {
                self.visit_block(body);
            }
            if let Some(test) = test {
                earlier.entry(text.unwrap_or_default()).or_insert(test);
                let ways = self.analysis.facts.condition_outcomes.get(&test.range());
                always = always.or_else(|| (ways == Some(&[true, false])).then_some(test));
            }
        }
    }

    /// Reports a branch whose condition never holds.
    fn check_dead_branch(&mut self, test: &Expr, body: &[Stmt]) {
        let ways = self.analysis.facts.condition_outcomes.get(&test.range());
        if ways != Some(&[false, true]) || !self.is_dead(body) || self.is_reported(test) || is_config_switch(test) {
            return;
        }
        self.reported.insert(test.range());
        let (reason, harmless) = self.explain_never_true(test);
        let message =
            format!("`{}` is never true{reason}: this branch is unreachable", self.analysis.source_text(test.range()));
        let at = self.analysis.span(test.range());
        let finding = if harmless {
            Diagnostic::note(codes::UNREACHABLE, at, message)
        } else {
            Diagnostic::warning(codes::UNREACHABLE, at, message)
        };
        self.diagnostics.push(finding.with_help("remove the branch, or test another condition"));
    }

    /// Explains why a condition never holds, and returns whether it is merely a redundant guard.
    fn explain_never_true(&self, test: &Expr) -> (String, bool) {
        match test {
            Expr::Compare(compare) => match (&*compare.left, &compare.comparators[..]) {
                (left, [Expr::NoneLiteral(_)]) => {
                    (format!(", because `{}` is never `None` here", self.analysis.source_text(left.range())), true)
                }
                _ => (String::new(), false),
            },
            Expr::UnaryOp(operation) => (
                format!(", because `{}` is always true here", self.analysis.source_text(operation.operand.range())),
                true,
            ),
            _ => (String::new(), false),
        }
    }

    fn is_reported(&self, test: &Expr) -> bool {
        self.reported.iter().any(|reported| test.range().contains_range(*reported))
    }

    /// Reports a branch behind one whose condition always holds, except at the end of an exhaustive chain of class tests.
    fn report_after_always_true(&mut self, always: &Expr, test: Option<&Expr>, body: &[Stmt]) {
        if self.is_reported(always) || is_config_switch(always) || is_object_class_test(always) {
            return;
        }
        self.reported.insert(always.range());
        let at = test.map_or_else(|| block_range(body), Ranged::range);
        let message = "this branch is unreachable";
        let finding = Diagnostic::note(codes::UNREACHABLE, self.analysis.span(at), message);
        let finding = finding.with_related(self.analysis.span(always.range()), "this is always true");
        self.diagnostics.push(finding.with_help("remove the branch, or test another condition before"));
    }

    /// Reports statements behind one that never completes.
    fn report_unreachable_statements(&mut self, before: &Stmt, rest: &[Stmt]) {
        if is_no_op(rest) || before.as_if_stmt().is_some_and(has_switch_condition) {
            return;
        }
        let (statement, at) = match before {
            Stmt::Return(_) => ("`return` ends the function", before.range()),
            Stmt::Raise(_) => ("`raise` ends the function", before.range()),
            Stmt::Continue(_) => ("`continue` ends the iteration", before.range()),
            Stmt::Break(_) => ("`break` ends the loop", before.range()),
            Stmt::If(branch) => {
                ("every branch ends the function or the loop", TextRange::new(before.start(), branch.test.end()))
            }
            Stmt::Match(choice) => {
                ("every case ends the function or the loop", TextRange::new(before.start(), choice.subject.end()))
            }
            Stmt::While(repeat) => ("this loop never ends", TextRange::new(before.start(), repeat.test.end())),
            _ => ("this never completes", TextRange::new(before.start(), before.start())),
        };
        let message = "unreachable code";
        // A final `return` as a fallback is harmless.
        let fallback = matches!(rest, [Stmt::Return(_)]) && !before.is_return_stmt();
        let at_rest = self.analysis.span(block_range(rest));
        let finding = if fallback {
            Diagnostic::note(codes::UNREACHABLE, at_rest, message)
        } else {
            Diagnostic::warning(codes::UNREACHABLE, at_rest, message)
        };
        let finding = finding.with_related(self.analysis.span(at), statement);
        self.diagnostics.push(finding.with_help("remove it, or move it to where it is reachable"));
    }
}

/// Returns whether a configuration switch decides between the branches.
fn has_switch_condition(branch: &StmtIf) -> bool {
    let others = branch.elif_else_clauses.iter().filter_map(|clause| clause.test.as_ref());
    std::iter::once(&*branch.test).chain(others).any(is_config_switch)
}

fn block_range(body: &[Stmt]) -> TextRange {
    match body {
        [first, .., last] => TextRange::new(first.start(), last.end()),
        [one] => one.range(),
        [] => TextRange::default(),
    }
}

/// Returns whether statements have no effect.
fn is_no_op(body: &[Stmt]) -> bool {
    body.iter().all(|statement| match statement {
        Stmt::Pass(_) | Stmt::Continue(_) => true,
        Stmt::Expr(expression) => expression.value.is_literal_expr(),
        _ => false,
    })
}

/// Returns whether a condition is a configuration switch, one of whose outcomes is disabled on purpose: a name in capitals, or a comparison
/// of such a name with a literal or another one.
fn is_config_switch(test: &Expr) -> bool {
    match test {
        Expr::Name(name) => name.id.chars().all(|character| !character.is_lowercase()),
        Expr::UnaryOp(operation) => is_config_switch(&operation.operand),
        Expr::Compare(compare) => match &compare.comparators[..] {
            [other] => {
                let (left, right) = (&*compare.left, other);
                (left.is_name_expr() && is_config_switch(left) && is_switch_value(right))
                    || (right.is_name_expr() && is_config_switch(right) && is_switch_value(left))
            }
            _ => false,
        },
        Expr::BoolOp(operation) => operation.values.iter().any(is_config_switch),
        _ => false,
    }
}

/// Returns whether an expression is the value of a configuration switch: a literal, a collection of literals, or another constant.
fn is_switch_value(expression: &Expr) -> bool {
    match expression {
        Expr::List(ExprList { elts, .. }) | Expr::Tuple(ExprTuple { elts, .. }) | Expr::Set(ExprSet { elts, .. }) => {
            elts.iter().all(is_switch_value)
        }
        Expr::UnaryOp(operation) => is_switch_value(&operation.operand),
        Expr::Name(_) => is_config_switch(expression),
        _ => expression.is_literal_expr(),
    }
}

/// Returns whether a condition tests the class of an object.
fn is_object_class_test(test: &Expr) -> bool {
    match test {
        Expr::Call(call) => call.func.as_name_expr().is_some_and(|name| name.id.as_str() == "isinstance"),
        Expr::Compare(compare) => match &*compare.left {
            Expr::Attribute(attribute) => matches!(attribute.attr.as_str(), "category" | "__name__" | "__class__"),
            Expr::Call(_) => true,
            _ => false,
        },
        Expr::BoolOp(operation) => operation.values.iter().all(is_object_class_test),
        _ => false,
    }
}
