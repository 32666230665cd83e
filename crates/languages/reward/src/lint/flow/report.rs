//! Diagnostics from the facts of an analysis.

use goalspec_syntax::diagnostic::{Applicability, Fix};
use goalspec_syntax::suggest;
use goalspec_syntax::{Diagnostic, Span};
use ruff_python_ast::ModModule;
use ruff_text_size::TextRange;

use super::Analyzer;
use super::class_table::ClassTable;
use super::dead_code::report_dead_code;
use super::facts::{AttributeAccess, NoneSensitiveUse, NoneUse};
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
    found.extend(report_dead_code(flow, module));
    found
}

impl Analyzer<'_> {
    pub(super) fn span(&self, at: TextRange) -> Span {
        span(self.source, at)
    }

    pub(super) fn source_text(&self, at: TextRange) -> String {
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
        let list = |classes: u64| listed_classes(&known.class_names(classes));
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
        Some(self.with_attribute_hint(finding, at, access, known))
    }

    /// Adds the most likely correction of an attribute that no object of some classes has.
    fn with_attribute_hint(
        &self,
        finding: Diagnostic,
        at: TextRange,
        access: &AttributeAccess<'_>,
        known: &ClassTable<'_>,
    ) -> Diagnostic {
        let name = access.name;
        let others = known.classes_with_attribute(known.all(), name);
        let has = known.attribute_names(access.classes_without);
        if let Some(usual) = conventional_name_hint(name, &has).filter(|_| others == 0) {
            return finding.with_help(usual);
        }
        let valued = known.class_names(known.classes_with_attribute(known.all(), "value") & !known.base_classes());
        let valued = valued.iter().filter(|class| class.to_lowercase().contains(name));
        let valued: Vec<String> = valued.map(|class| format!("`{class}`")).collect();
        if others == 0 && name.len() > 3 && !valued.is_empty() {
            return finding.with_help(format!("it is the `value` of separate objects: of {}", valued.join(", ")));
        }
        let (finding, near) = suggest::with_nearest(finding, name, self.span(at), has.iter().copied());
        if others != 0 {
            finding.with_help(format!("{} have it", listed_classes(&known.class_names(others))))
        } else if near {
            finding
        } else {
            let more = if has.len() > MAX_LISTED_NAMES { " and others" } else { "" };
            finding.with_help(format!("they have {}{more}", has[..has.len().min(MAX_LISTED_NAMES)].join(", ")))
        }
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

/// Returns the first names of classes as a list, with the number of the others.
fn listed_classes<T: std::fmt::Display>(names: &[T]) -> String {
    let listed: Vec<String> = names.iter().take(3).map(|name| format!("`{name}`")).collect();
    let more = names.len() - listed.len();
    if more == 0 { listed.join(", ") } else { format!("{} and {more} more", listed.join(", ")) }
}
