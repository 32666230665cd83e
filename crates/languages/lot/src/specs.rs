//! Problem specs: a YAML list with one record for each problem.

use goalspec_syntax::{Diagnostic, SourceFile, Span, suggest};
use granit_parser::{Event, Parser};

use crate::codes;
use crate::problem::MAX_OBJECTS;
use crate::vocabulary::Vocabularies;

/// The maximum number of problems in a set.
pub const MAX_PROBLEMS: usize = 100_000;

/// The maximum depth of collections in a spec file; specs need two.
const MAX_DEPTH: usize = 16;

/// The description of one problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProblemSpec {
    /// The number of objects.
    pub objects: usize,
    /// Whether the problem is a test; otherwise it is a training example for prompts.
    pub is_test: bool,
    /// The place of the record.
    pub span: Span,
}

/// The specs of a problem set, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProblemSpecs {
    specs: Vec<ProblemSpec>,
}

impl ProblemSpecs {
    /// Returns the specs, in order.
    pub fn specs(&self) -> &[ProblemSpec] {
        &self.specs
    }

    /// Returns the id of the problem with this index: at least three digits, counted from 0.
    pub fn id(index: usize) -> String {
        format!("{index:03}")
    }

    /// Returns the name of the problem with this index, which is the name of its file without extension.
    pub fn name(index: usize) -> String {
        format!("problem_{}", Self::id(index))
    }

    /// Iterates over the indices of the training examples or of the tests.
    pub fn indices(&self, of_tests: bool) -> impl Iterator<Item = usize> {
        (0..self.specs.len()).filter(move |&index| self.specs[index].is_test == of_tests)
    }

    /// Reads a spec file: a YAML list of records `{num_obj: int, test: bool = false}`.
    ///
    /// # Errors
    /// The diagnostics of an invalid file.
    pub fn from_yaml(file: &SourceFile) -> Result<Self, Vec<Diagnostic>> {
        let mut reader = SpecReader { file, diagnostics: Vec::new(), specs: Vec::new() };
        let events = events(file).map_err(|error| vec![*error])?;
        reader.document(&events);
        if reader.specs.is_empty() && reader.diagnostics.is_empty() {
            reader.error(Span::new(file.id(), 0, file.text().len() as u32), "no problems; expected a list of records");
        }
        if reader.diagnostics.is_empty() { Ok(Self { specs: reader.specs }) } else { Err(reader.diagnostics) }
    }

    /// Returns the errors of specs with more objects than a vocabulary has names.
    pub fn check(&self, vocabularies: &Vocabularies) -> Vec<Diagnostic> {
        let sizes = [("simple", vocabularies.simple().len()), ("complex", vocabularies.complex().len())];
        let too_large = |spec: &ProblemSpec| {
            let (name, size) = sizes.into_iter().find(|&(_, size)| spec.objects > size)?;
            let message = format!("{} objects, but the {name} vocabulary has {size} names", spec.objects);
            Some(Diagnostic::error(codes::SPECS, spec.span, message))
        };
        self.specs.iter().filter_map(too_large).collect()
    }
}

/// A YAML event with its place.
type LocatedEvent<'t> = (Event<'t>, Span);

/// Returns the events of a file.
fn events(file: &SourceFile) -> Result<Vec<LocatedEvent<'_>>, Box<Diagnostic>> {
    let options = granit_parser::options! { flow_nesting_limit: MAX_DEPTH, block_nesting_limit: MAX_DEPTH };
    let length = file.text().len();
    let span = |start: usize, end: usize| {
        Span::new(file.id(), start.min(length) as u32, end.clamp(start.min(length), length) as u32)
    };
    let mut events = Vec::new();
    for event in Parser::new_from_str_with_options(file.text(), options) {
        let (event, place) = event.map_err(|error| {
            let at = error.marker().byte_offset().unwrap_or_default();
            Box::new(Diagnostic::error(codes::SPECS, span(at, at + 1), format!("invalid YAML: {}", error.info())))
        })?;
        let range = place.byte_range().unwrap_or_default();
        events.push((event, span(range.start, range.end)));
        if events.len() > MAX_PROBLEMS * 8 {
            let message = format!("the file exceeds the limit of {MAX_PROBLEMS} problems");
            return Err(Box::new(Diagnostic::error(codes::SPECS, span(range.start, range.end), message)));
        }
    }
    Ok(events)
}

struct SpecReader<'f> {
    file: &'f SourceFile,
    diagnostics: Vec<Diagnostic>,
    specs: Vec<ProblemSpec>,
}

impl SpecReader<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        let help = "a spec is a record such as `{num_obj: 4, test: true}`";
        self.diagnostics.push(Diagnostic::error(codes::SPECS, span, message).with_help(help));
    }

    fn document(&mut self, events: &[LocatedEvent<'_>]) {
        let is_content = |event: &Event<'_>| {
            matches!(
                event,
                Event::Scalar(..)
                    | Event::SequenceStart(..)
                    | Event::SequenceEnd
                    | Event::MappingStart(..)
                    | Event::MappingEnd
                    | Event::Alias(..)
            )
        };
        let mut content = events.iter().filter(|(event, _)| is_content(event));
        match content.next() {
            None => {}
            Some((Event::SequenceStart(..), _)) => self.list(&mut content),
            Some((_, span)) => self.error(*span, "expected a list of records"),
        }
        if let Some((_, span)) = content.next().filter(|_| self.diagnostics.is_empty()) {
            self.error(*span, "unexpected text after the list of records");
        }
    }

    fn list<'e>(&mut self, events: &mut impl Iterator<Item = &'e LocatedEvent<'e>>) {
        while let Some((event, span)) = events.next() {
            match event {
                Event::SequenceEnd => return,
                Event::MappingStart(..) => self.record(*span, events),
                _ => {
                    self.error(*span, "expected a record");
                    skip_value(event, events);
                }
            }
        }
    }

    fn record<'e>(&mut self, start: Span, events: &mut impl Iterator<Item = &'e LocatedEvent<'e>>) {
        let (mut objects, mut is_test, mut end) = (None, None, start);
        while let Some((key, key_span)) = events.next() {
            let Event::Scalar(key, ..) = key else {
                if matches!(key, Event::MappingEnd) {
                    break;
                }
                self.error(*key_span, "expected a key");
                skip_value(key, events);
                continue;
            };
            let Some((value, span)) = events.next() else { break };
            end = *span;
            let text = if let Event::Scalar(text, ..) = value { Some(&**text) } else { None };
            match &**key {
                "num_obj" if objects.is_none() => objects = Some(self.objects(text, *span)),
                "test" if is_test.is_none() => is_test = Some(self.flag(text, *span)),
                "num_obj" | "test" => self.error(*key_span, format!("duplicate key `{key}`")),
                _ => self.unknown_key(key, *key_span),
            }
            skip_value(value, events);
        }
        let span = start.to(end);
        match objects {
            Some(_) if self.specs.len() == MAX_PROBLEMS => {
                let message = format!("the file exceeds the limit of {MAX_PROBLEMS} problems");
                if self.diagnostics.last().is_none_or(|last| last.message != message) {
                    self.diagnostics.push(Diagnostic::error(codes::SPECS, span, message));
                }
            }
            Some(objects) => {
                self.specs.push(ProblemSpec { objects, is_test: is_test.unwrap_or(false), span });
            }
            None => self.error(span, "the record has no `num_obj`"),
        }
    }

    /// Reads a number of objects; reports another value and returns 1.
    fn objects(&mut self, text: Option<&str>, span: Span) -> usize {
        let number = text.and_then(|text| text.parse().ok()).filter(|number| (1..=MAX_OBJECTS).contains(number));
        number.unwrap_or_else(|| {
            let written = self.file.slice(span).to_owned();
            self.error(span, format!("`num_obj` is `{written}`; expected a number from 1 to {MAX_OBJECTS}"));
            1
        })
    }

    fn flag(&mut self, text: Option<&str>, span: Span) -> bool {
        match text.map(str::to_ascii_lowercase).as_deref() {
            Some("true" | "yes" | "on") => true,
            Some("false" | "no" | "off") => false,
            _ => {
                let written = self.file.slice(span).to_owned();
                self.error(span, format!("`test` is `{written}`; expected `true` or `false`"));
                false
            }
        }
    }

    fn unknown_key(&mut self, key: &str, span: Span) {
        let error = Diagnostic::error(codes::SPECS, span, format!("unknown key `{key}`"));
        let (error, is_near) = suggest::with_nearest(error, key, span, ["num_obj", "test"]);
        self.diagnostics.push(if is_near { error } else { error.with_help("the keys are `num_obj` and `test`") });
    }
}

/// Skips the rest of a value that starts with this event.
fn skip_value<'e>(first: &Event<'_>, events: &mut impl Iterator<Item = &'e LocatedEvent<'e>>) {
    let change = |event: &Event<'_>| match event {
        Event::SequenceStart(..) | Event::MappingStart(..) => 1,
        Event::SequenceEnd | Event::MappingEnd => -1,
        _ => 0,
    };
    let mut depth = change(first);
    while depth > 0 {
        let Some((event, _)) = events.next() else { return };
        depth += change(event);
    }
}
