//! Escapes of surrogates in string literals, which strings here cannot represent.

use goalspec_syntax::SourceFile;
use ruff_python_ast::{FString, InterpolatedStringElements, StringLiteral};
use ruff_text_size::{Ranged, TextRange, TextSize};

/// Returns the first escape of a surrogate in a string literal.
pub(crate) fn find_surrogate(literal: &StringLiteral, source: &SourceFile) -> Option<TextRange> {
    if literal.flags.prefix().is_raw() { None } else { find_surrogate_in_range(literal.range, source) }
}

/// Returns the first escape of a surrogate in an f-string, outside of its values.
pub(crate) fn find_fstring_surrogate(text: &FString, source: &SourceFile) -> Option<TextRange> {
    if text.flags.prefix().is_raw() { None } else { find_element_surrogate(&text.elements, source) }
}

/// Searches the literals of the elements and of their format specifications; the parser limits the nesting of the latter.
fn find_element_surrogate(elements: &InterpolatedStringElements, source: &SourceFile) -> Option<TextRange> {
    let own = elements.literals().find_map(|literal| find_surrogate_in_range(literal.range(), source));
    own.or_else(|| {
        let mut formats = elements.interpolations().filter_map(|element| element.format_spec.as_ref());
        formats.find_map(|format| find_element_surrogate(&format.elements, source))
    })
}

fn find_surrogate_in_range(range: TextRange, source: &SourceFile) -> Option<TextRange> {
    let text = source.text().get(range.start().to_usize()..range.end().to_usize())?;
    let bytes = text.as_bytes();
    let mut place = 0;
    while let Some(found) = bytes[place..].iter().position(|&byte| byte == b'\\') {
        let start = place + found;
        let digits = match bytes.get(start + 1) {
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => 0,
        };
        let end = start + 2 + digits;
        let code = text.get(start + 2..end).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        if code.is_some_and(|code| (0xd800..0xe000).contains(&code)) {
            let at = |place: usize| range.start() + TextSize::from(place as u32);
            return Some(TextRange::new(at(start), at(end)));
        }
        // The character behind a backslash begins no escape of its own.
        place = (start + 2).min(bytes.len());
    }
    None
}
