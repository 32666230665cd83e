//! Comments on lines of their own, whose indentation shows which block they belong to.

use goalspec_syntax::SourceFile;
use rustc_hash::FxHashSet;

use crate::yaml::Tree;

/// A map or list, as a block of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Block {
    /// The indentation of its entries, in columns.
    column: usize,
    /// Whether its entries begin with a dash.
    is_list: bool,
}

/// A line with only a comment.
struct CommentLine {
    /// The index of the line.
    line: usize,
    /// The indentation of the line, in columns.
    column: usize,
    /// The blocks that contain the content line above, outermost first.
    above: Vec<Block>,
    /// The indentation of the content line below, in columns; 0 at the end of the text.
    below: usize,
}

impl CommentLine {
    /// Returns the index of the block above that the comment ends, if any.
    fn ends_block(&self) -> Option<usize> {
        self.above.iter().rposition(|block| block.column > self.below && self.column >= block.column)
    }
}

/// Returns the formatted text with every comment that ended a block in the original moved back to the end of that block: the
/// underlying formatter attaches some of them to the following content.
pub(super) fn restore_comments(before: (&Tree, &SourceFile), after: (&Tree, &SourceFile)) -> String {
    let [old, new] = [before, after].map(|(tree, source)| comment_lines(tree, source));
    let mut lines: Vec<String> = after.1.text().split('\n').map(str::to_owned).collect();
    for (old, new) in old.iter().zip(&new) {
        if let Some(block) = old.ends_block().and_then(|place| new.above.get(place)) {
            let line = &mut lines[new.line];
            *line = format!("{}{}", " ".repeat(block.column), line.trim_start());
        }
    }
    lines.join("\n")
}

fn comment_lines(tree: &Tree, source: &SourceFile) -> Vec<CommentLine> {
    let comments: FxHashSet<usize> = tree.comments().iter().map(|span| span.start as usize).collect();
    let (mut found, mut pending): (Vec<CommentLine>, usize) = (Vec::new(), 0);
    let (mut start, mut blocks) = (0, Vec::new());
    for (line, text) in source.text().split('\n').enumerate() {
        let column = text.len() - text.trim_start().len();
        if comments.contains(&(start + column)) {
            found.push(CommentLine { line, column, above: blocks.clone(), below: 0 });
        } else if !text.trim().is_empty() {
            found[pending..].iter_mut().for_each(|own| own.below = column);
            pending = found.len();
            update_blocks(&mut blocks, column, text.trim_start());
        }
        start += text.len() + 1;
    }
    found
}

/// Leaves the blocks that end before a content line, and enters those that begin with it.
fn update_blocks(blocks: &mut Vec<Block>, mut column: usize, mut text: &str) {
    loop {
        let is_list = text.starts_with("- ") || text == "-";
        blocks.retain(|block| block.column < column || (block.column == column && (is_list || !block.is_list)));
        let block = Block { column, is_list };
        if !blocks.contains(&block) {
            blocks.push(block);
        }
        let Some(item) = text.strip_prefix('-').filter(|_| is_list).map(str::trim_start) else { return };
        if item.is_empty() {
            return;
        }
        column += text.len() - item.len();
        text = item;
    }
}
