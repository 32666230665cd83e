//! Folding and selection ranges, from the lists and comments of a document.

use goalspec::syntax::SourceFile;
use goalspec::syntax::sexp::{Atom, Comment, Token};
use goalspec::syntax::source::PositionEncoding;

use crate::TextRange;
use crate::analysis::Analysis;

/// Lines that an editor can hide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FoldingRange {
    /// The first line, counted from 0, which stays visible.
    pub start_line: u32,
    /// The last line.
    pub end_line: u32,
    /// Whether the lines are a comment.
    pub is_comment: bool,
}

/// Returns the lists and comments of a document that have several lines; in other languages, the blocks of lines with equal indentation.
pub fn folding_ranges(analysis: &Analysis) -> Vec<FoldingRange> {
    let Some(file) = analysis.file() else { return Vec::new() };
    let Some(tree) = analysis.tree() else { return indented_blocks(file) };
    // Lines do not depend on the encoding, and the columns of this one need no counting.
    let line = |offset: u32| file.position(offset, PositionEncoding::Utf8).line;
    let mut ranges: Vec<FoldingRange> = Vec::new();
    for list in tree.tree.lists() {
        let span = list.span();
        let (start_line, end_line) = (line(span.start), line(span.end));
        // Of several lists that start on a line, the outermost is folded.
        let is_new = ranges.last().is_none_or(|last| last.start_line != start_line);
        if start_line < end_line && is_new {
            ranges.push(FoldingRange { start_line, end_line, is_comment: false });
        }
    }
    let comments = tree.tree.tokens().filter_map(|token| match token {
        Token::Comment(comment) => Some(line(Comment::span(comment).start)),
        Token::Atom(_) => None,
    });
    ranges.extend(comment_blocks(comments));
    ranges.sort_unstable();
    ranges
}

/// Returns the blocks of comments on successive lines.
fn comment_blocks(lines: impl Iterator<Item = u32>) -> Vec<FoldingRange> {
    let mut blocks: Vec<FoldingRange> = Vec::new();
    for line in lines {
        match blocks.last_mut() {
            Some(last) if last.end_line + 1 == line => last.end_line = line,
            _ => blocks.push(FoldingRange { start_line: line, end_line: line, is_comment: true }),
        }
    }
    blocks.retain(|block| block.start_line < block.end_line);
    blocks
}

/// Returns the blocks of lines that are indented more than the line before them.
fn indented_blocks(file: &SourceFile) -> Vec<FoldingRange> {
    let mut ranges = Vec::new();
    // The lines that may start a block, with their indentation.
    let mut open: Vec<(usize, u32)> = Vec::new();
    let mut last = 0;
    let mut close = |open: &mut Vec<(usize, u32)>, indentation: usize, last: u32| {
        while open.last().is_some_and(|&(own, _)| own >= indentation) {
            if let Some((_, start_line)) = open.pop().filter(|&(_, start)| start < last) {
                ranges.push(FoldingRange { start_line, end_line: last, is_comment: false });
            }
        }
    };
    for (number, line) in goalspec::syntax::source::lines(file.text()).enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let indentation = line.len() - line.trim_start().len();
        close(&mut open, indentation, last);
        open.push((indentation, number as u32));
        last = number as u32;
    }
    close(&mut open, 0, last);
    ranges.sort_unstable();
    ranges
}

/// Returns the ranges around an offset, each in the next: word, list, the list around it, and so on up to the whole document.
pub fn selection_ranges(analysis: &Analysis, offset: u32) -> Vec<TextRange> {
    let Some(file) = analysis.file() else { return Vec::new() };
    let mut ranges: Vec<TextRange> = Vec::new();
    if let Some(tree) = analysis.tree() {
        let cursor = tree.tree.cursor(offset);
        let token = cursor.atom.map(Atom::span).or(cursor.comment.map(Comment::span));
        ranges.extend(token.map(|span| span.start..span.end));
        for list in cursor.lists.iter().rev() {
            let span = list.span();
            let end = span.end - u32::from(list.is_closed());
            ranges.extend([span.start + 1..end, span.start..span.end]);
        }
    }
    ranges.push(0..file.text().len() as u32);
    // A range may equal the one around it, or, in broken text, end before the offset.
    ranges.retain(|range| range.start <= offset && offset <= range.end);
    ranges.dedup();
    ranges
}
