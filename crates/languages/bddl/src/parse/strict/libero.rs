//! Parser of the sections that only LIBERO's problems have.

use goalspec_syntax::Diagnostic;
use goalspec_syntax::sexp::{List, Sexp};

use super::parser::{Form, Parser, describe};
use super::problem::GroupKind;
use crate::ast::{Libero, Name, Region};
use crate::codes;
use crate::parse::keywords::LiberoSection;

const REGION: &str = "a region such as `(shelf (:target cabinet_1) (:ranges ((0 0 1 1))))`";

impl Parser {
    pub(super) fn libero_section(&mut self, section: LiberoSection, form: &Form<'_>, libero: &mut Libero) {
        match section {
            LiberoSection::Language => libero.language = self.words(form),
            LiberoSection::Regions => libero.regions.extend(form.parts.iter().filter_map(|part| self.region(part))),
            LiberoSection::Fixtures => libero.fixtures.extend(self.groups(form, GroupKind::Instances)),
            LiberoSection::OfInterest => {
                let names = form.parts.iter().filter_map(|part| self.name_of(part, "an instance"));
                libero.of_interest.extend(names);
            }
            LiberoSection::SceneProperties => {
                form.parts.iter().for_each(|part| self.flat(part, &mut libero.scene_properties));
            }
        }
    }

    /// Parses the words of a section as a single text.
    fn words(&mut self, form: &Form<'_>) -> Option<Name> {
        let (Some(first), Some(last)) = (form.parts.first(), form.parts.last()) else {
            self.missing(form, "the words of the instruction");
            return None;
        };
        let span = first.span().to(last.span());
        let mut words = Vec::with_capacity(form.parts.len());
        for part in &form.parts {
            match part {
                Sexp::Atom(atom) => words.push(atom.text()),
                Sexp::List(_) => self.unexpected(part, "a word"),
            }
        }
        let text = words.join(" ").to_lowercase();
        Some(Name { text: text.into(), origin: span.into() })
    }

    fn region(&mut self, part: &Sexp<'_>) -> Option<Region> {
        let Some(list) = part.as_list() else {
            self.unexpected(part, REGION);
            return None;
        };
        let form = self.form(list, REGION)?;
        let mut region = Region {
            name: form.word.clone(),
            qualified: form.word.clone(),
            target: None,
            ranges: Vec::new(),
            yaw: Vec::new(),
            rgba: None,
            origin: form.span.into(),
        };
        for part in &form.parts {
            let Some(list) = part.as_list() else {
                self.unexpected(part, "`(:target ..)`, `(:ranges ..)`, `(:yaw_rotation ..)` or `(:rgba ..)`");
                continue;
            };
            let Some(inner) = self.form(list, "a property of the region") else { continue };
            match &*inner.word.text {
                ":target" => region.target = self.header(&inner),
                ":ranges" => region.ranges = self.rows(&inner),
                ":yaw_rotation" => region.yaw = self.rows(&inner),
                ":rgba" => region.rgba = self.rgba(&inner),
                _ => self.unknown_section(&inner, &[":target", ":ranges", ":yaw_rotation", ":rgba"]),
            }
        }
        if let Some(target) = &region.target {
            region.qualified.text = format!("{}_{}", target.text, region.name.text).into();
        }
        Some(region)
    }

    /// Parses rows of numbers `((a b ..) ..)`, the only part.
    fn rows<const N: usize>(&mut self, form: &Form<'_>) -> Vec<[f64; N]> {
        self.no_more(form, 1);
        let Some(Sexp::List(list)) = form.parts.first() else {
            self.missing(form, "a list of lists of numbers");
            return Vec::new();
        };
        let rows: Vec<Sexp> = list.items().collect();
        rows.iter().filter_map(|row| self.numbers(row)).collect()
    }

    /// Parses `(r g b a)`: as the only part, nested in a further list, or as the parts themselves.
    fn rgba(&mut self, form: &Form<'_>) -> Option<[f64; 4]> {
        if form.parts.iter().all(|part| part.as_atom().is_some()) {
            return self.sequence(&form.parts, form.span);
        }
        let Some(Sexp::List(list)) = form.parts.first() else {
            self.missing(form, "four numbers");
            return None;
        };
        let inner = list.items().next().filter(|item| item.as_list().is_some());
        self.no_more(form, 1);
        self.numbers(&inner.unwrap_or(Sexp::List(*list)))
    }

    fn numbers<const N: usize>(&mut self, row: &Sexp<'_>) -> Option<[f64; N]> {
        let items: Vec<Sexp> = row.as_list().map(List::items)?.collect();
        self.sequence(&items, row.span())
    }

    fn sequence<const N: usize>(&mut self, items: &[Sexp<'_>], span: goalspec_syntax::Span) -> Option<[f64; N]> {
        if items.len() != N {
            let message = format!("expected {N} numbers, found {}", items.len());
            self.report(Diagnostic::error(codes::INVALID_NUMBER, span, message));
            return None;
        }
        let mut numbers = [0.0; N];
        for (number, item) in numbers.iter_mut().zip(items) {
            let value = item.as_atom().and_then(|atom| atom.text().parse::<f64>().ok());
            let Some(value) = value.filter(|value| value.is_finite()) else {
                let message = format!("expected a number, found {}", describe(item));
                self.report(Diagnostic::error(codes::INVALID_NUMBER, item.span(), message));
                return None;
            };
            *number = value;
        }
        Some(numbers)
    }

    /// Collects the words of a part, including those of nested lists.
    fn flat(&mut self, part: &Sexp<'_>, words: &mut Vec<Name>) {
        match part {
            Sexp::Atom(atom) => words.extend(self.name(*atom)),
            Sexp::List(list) => list.items().for_each(|item| self.flat(&item, words)),
        }
    }
}
