//! Location of surplus closing parentheses, judged by layout.
//!
//! A surplus closing parenthesis ends a list early, and everything behind it stands one level too high. Counting alone notices this only at
//! the end of the program; the layout shows it earlier. In a consistent layout, a line that is indented further than the line of a list
//! belongs to that list and to the lists still open at the end of that line, the closing parentheses at the start of a line close lists
//! that opened on one line, and sections stand directly in the program. Each violation makes a suspect of the parenthesis that closed the
//! list. The suspect without which the layout has the fewest violations is the surplus parenthesis.

use super::kind::TokenKind;
use super::lexer::{Lexer, Notation};
use super::reader::definition_follows;
use super::repair::line_indent;
use crate::limits::MAX_TOKENS;

/// Maximum number of surplus parentheses of one program that are located; with more, the layout is no longer reliable.
const MAX_EXCESS: usize = 4;

/// Maximum number of suspects tried per surplus parenthesis.
const MAX_SUSPECTS: usize = 16;

/// A surplus closing parenthesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SurplusParenthesis {
    /// Its offset.
    pub(super) at: u32,
    /// The offset of the opening parenthesis of the list that it ends early, if it ends one.
    pub(super) opened: Option<u32>,
}

/// Returns the surplus closing parentheses of a text in order. A program whose parentheses match in number, or that has more than
/// [`MAX_EXCESS`] surplus ones, contributes none.
pub(super) fn locate(text: &str) -> Vec<SurplusParenthesis> {
    let mut extras = Vec::new();
    for program in programs(text) {
        let opened = program.iter().filter(|mark| matches!(mark.kind, MarkKind::Open { .. })).count();
        let closed = program.iter().filter(|mark| mark.kind == MarkKind::Close).count();
        let Some(excess) = closed.checked_sub(opened).filter(|excess| (1..=MAX_EXCESS).contains(excess)) else {
            continue;
        };
        let mut excluded = Vec::new();
        for _ in 0..excess {
            excluded.extend(likeliest_suspect(&program, &excluded));
        }
        extras.extend(excluded.into_iter().map(|(at, opened)| SurplusParenthesis {
            at: program[at].start,
            opened: opened.map(|opened| program[opened].start),
        }));
    }
    extras.sort_unstable_by_key(|extra| extra.at);
    extras
}

/// A token by which the layout is judged.
#[derive(Debug, Clone, Copy)]
struct Mark {
    start: u32,
    kind: MarkKind,
    /// The indentation of its line, if it is the first token on it.
    column: Option<usize>,
    /// The indentation of its line.
    indent: usize,
    /// The number of lines with marks before its own.
    line: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MarkKind {
    Open {
        /// Whether a keyword follows, as in `(:goal`.
        section: bool,
    },
    Close,
    /// An atom that is the first token on its line.
    Atom,
}

/// Returns the marks of each program of a text; none if the text has too many tokens.
fn programs(text: &str) -> Vec<Vec<Mark>> {
    let mut programs: Vec<Vec<Mark>> = vec![Vec::new()];
    let mut lexer = Lexer::new(text, Notation::Program);
    let (mut count, mut indent, mut line) = (0, 0, 0);
    while let Some(token) = lexer.next() {
        count += 1;
        if count > MAX_TOKENS {
            return Vec::new();
        }
        if token.kind.is_trivia() {
            continue;
        }
        let column = line_indent(text, token.start);
        indent = column.unwrap_or(indent);
        line += usize::from(column.is_some());
        let kind = match token.kind {
            TokenKind::LeftParenthesis => MarkKind::Open { section: lexer.keyword_follows() },
            TokenKind::RightParenthesis => MarkKind::Close,
            TokenKind::Atom(_) if column.is_some() => MarkKind::Atom,
            _ => continue,
        };
        let starts = matches!(kind, MarkKind::Open { .. }) && column == Some(0) && definition_follows(&lexer);
        if starts && programs.last().is_some_and(|program| !program.is_empty()) {
            programs.push(Vec::new());
        }
        if let Some(program) = programs.last_mut() {
            program.push(Mark { start: token.start, kind, column, indent, line });
        }
    }
    programs
}

/// A suspect: the indices of the marks of a closing parenthesis and of the opening parenthesis that it closes.
type Suspect = (usize, Option<usize>);

/// Returns the suspect without which the layout has the fewest violations; ties go to the earliest line, then to the first suspect.
fn likeliest_suspect(program: &[Mark], excluded: &[Suspect]) -> Option<Suspect> {
    let suspects = LayoutCheck::of(program, excluded).suspects;
    let violations = |suspect: &Suspect| {
        let with_suspect: Vec<Suspect> = excluded.iter().copied().chain([*suspect]).collect();
        (LayoutCheck::of(program, &with_suspect).misfits, program[suspect.0].line)
    };
    suspects.into_iter().min_by_key(violations)
}

/// A list, as indices: the marks of its parentheses, and the list around it.
#[derive(Debug, Clone, Copy)]
struct MarkedList {
    open: usize,
    around: Option<usize>,
    closed: Option<usize>,
}

/// The consistency of the parentheses of a program with its layout.
#[derive(Debug, Default)]
struct LayoutCheck {
    lists: Vec<MarkedList>,
    /// The open lists, innermost last.
    open: Vec<usize>,
    /// The lists that enclose the current line by indentation: each is first on its line, or was open at the end of it, and the current
    /// line is indented further. Innermost last.
    enclosing: Vec<usize>,
    /// The lists that opened on the current line but are not first on it.
    opened_on_line: Vec<usize>,
    /// The first list closed by the parentheses at the start of the current line, as long as no list or atom follows them.
    ending: Option<usize>,
    misfits: usize,
    suspects: Vec<Suspect>,
}

/// The number of violations for which an unmatched parenthesis counts.
const UNMATCHED: usize = 4;

impl LayoutCheck {
    fn of(program: &[Mark], excluded: &[Suspect]) -> Self {
        let mut layout = Self::default();
        for (index, mark) in program.iter().enumerate() {
            if excluded.iter().any(|&(at, _)| at == index) {
                continue;
            }
            if let Some(column) = mark.column {
                layout.line(program, mark.kind, column);
            }
            match mark.kind {
                MarkKind::Open { section } => layout.open(index, section, mark.column.is_some()),
                MarkKind::Close => layout.close(index, program),
                MarkKind::Atom => layout.ending = None,
            }
        }
        layout.misfits += UNMATCHED * layout.open.len();
        layout
    }

    /// Processes the start of a line whose indentation is `column`.
    fn line(&mut self, program: &[Mark], kind: MarkKind, column: usize) {
        let open_ones =
            std::mem::take(&mut self.opened_on_line).into_iter().filter(|&list| self.lists[list].closed.is_none());
        self.enclosing.extend(open_ones);
        self.ending = None;
        let column_of = |list: &MarkedList| program[list.open].indent;
        // A closing parenthesis is indented like the line of its list.
        let ended =
            |list: &MarkedList| column_of(list) > column || kind != MarkKind::Close && column_of(list) == column;
        while let Some(&last) = self.enclosing.last()
            && ended(&self.lists[last])
        {
            self.enclosing.pop();
            // An open list that does not enclose the line has not been closed in time.
            self.misfits += usize::from(self.lists[last].closed.is_none() && kind != MarkKind::Atom);
        }
        // A closing parenthesis at the start of a line may close only the list that is first on its line.
        let counts = |list: &&usize| kind != MarkKind::Close || program[self.lists[**list].open].column.is_some();
        let Some(&innermost) = self.enclosing.iter().rev().find(counts) else { return };
        let list = self.lists[innermost];
        let Some(closed) = list.closed else { return };
        let on_one_line = program[closed].line == program[list.open].line;
        if kind != MarkKind::Close || column_of(&list) == column && !on_one_line {
            self.misfits += 1;
            self.suspect(innermost);
        }
    }

    /// Adds the parentheses that closed `list` and the lists around it to the suspects, outermost list first.
    fn suspect(&mut self, list: usize) {
        let ended = |list: usize| Some(self.lists[list]).filter(|list| list.closed.is_some());
        let chain = std::iter::successors(ended(list), |list| list.around.and_then(ended)).take(MAX_SUSPECTS);
        let chain: Vec<MarkedList> = chain.collect();
        for list in chain.iter().rev() {
            if let Some(closed) = list.closed {
                self.add(closed, Some(list.open));
            }
        }
    }

    fn add(&mut self, closed: usize, open: Option<usize>) {
        if self.suspects.len() < MAX_SUSPECTS && self.suspects.iter().all(|&(known, _)| known != closed) {
            self.suspects.push((closed, open));
        }
    }

    fn open(&mut self, index: usize, section: bool, first: bool) {
        let before = self.lists.len().checked_sub(1);
        // A program directly contains its name, which comes first, and sections.
        let misplaced = match (self.open.len(), section) {
            (0 | 2.., true) => true,
            (0, false) => before.is_some(),
            (1, false) => before.is_some_and(|before| self.lists[before].closed.is_some()),
            (1, true) | (2.., false) => false,
        };
        if misplaced {
            self.misfits += 1;
            if let Some(before) = before.filter(|_| self.open.len() < 2) {
                self.suspect(before);
            }
        }
        let list = self.lists.len();
        self.lists.push(MarkedList { open: index, around: self.open.last().copied(), closed: None });
        self.open.push(list);
        (if first { &mut self.enclosing } else { &mut self.opened_on_line }).push(list);
        self.ending = None;
    }

    fn close(&mut self, index: usize, program: &[Mark]) {
        let Some(list) = self.open.pop() else {
            self.misfits += UNMATCHED;
            return self.add(index, None);
        };
        self.lists[list].closed = Some(index);
        let (mark, open) = (program[index], program[self.lists[list].open]);
        self.misfits += usize::from(mark.column.is_some_and(|column| column != open.indent));
        if mark.column.is_some() {
            self.ending = Some(list);
        } else if let Some(first) = self.ending {
            let line = program[self.lists[first].open].line;
            if open.line != line {
                self.misfits += 1;
                let is_beside = |&list: &usize| program[self.lists[list].open].line == line;
                let before = (0..first).rev().take_while(is_beside);
                let beside = before.chain((first + 1..self.lists.len()).take_while(is_beside));
                if let Some(early) = beside.max_by_key(|&list| self.lists[list].closed) {
                    self.suspect(early);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "\
(define (problem tea-0)
    (:domain omnigibson)
    (:objects
        pot_1 pot_2 - pot
        cup_1 - cup
    )
    (:init
        (ontop pot_1 table_1)
        (not (open pot_2))
        (inside cup_1 table_1)
    )
    (:goal
        (and
            (forall (?pot - pot)
                (or (ontop ?pot cup_1)
                    (inside ?pot cup_1)))
            (forn (2) (?cup - cup) (open ?cup))
            (imply
                (open pot_1)
                (not
                    (open pot_2)
                )
            )
        )
    )
)
";

    /// The conjunction opens on the line of its section, and one line closes both.
    const SHORT: &str = "\
(define (problem supper-0)
    (:domain omnigibson)
    (:objects
        pan_1 - pan
        bowl_1 bowl_2 - bowl
    )
    (:init
        (ontop pan_1 stove_1)
        (inside bowl_1 cabinet_1)
    )
    (:goal (and
        (forn (2) (?bowl - bowl) (ontop ?bowl table_1))
        (ontop ?pan_1 ?table_1)
        (or (open ?cabinet_1) (and
            (inside ?bowl_1 ?cabinet_1)
            (not (open ?pan_1))
        ))
        (not (open ?cabinet_1))
    ))
)
";

    fn line(text: &str, at: u32) -> usize {
        text[..at as usize].matches('\n').count() + 1
    }

    #[test]
    fn a_program_that_matches_has_none() {
        assert_eq!(locate(PROGRAM), []);
        assert_eq!(locate(""), []);
        assert_eq!(locate("(a (b)"), []);
    }

    /// A parenthesis added behind any token is located on the line to which it was added. Added before the first token of a line, it
    /// would change the layout by which it is judged.
    #[test]
    fn the_line_of_one_too_many_is_named() {
        assert!(named_at_their_lines(PROGRAM) > 50);
        assert!(named_at_their_lines(SHORT) > 50);
    }

    /// A published activity with such a layout, if the conformance data is available on this machine.
    #[test]
    fn the_line_of_one_too_many_is_named_in_a_published_activity() {
        let file = "../shared/conformance/found/bddl/tea.bddl";
        let mut folders = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
        match folders.find_map(|folder| std::fs::read_to_string(folder.join(file)).ok()) {
            Some(text) => assert!(named_at_their_lines(&text) > 50),
            None => eprintln!("skipped: there is no conformance data on this machine"),
        }
    }

    /// Adds a parenthesis at each place in turn, and returns the number of places.
    fn named_at_their_lines(program: &str) -> usize {
        let places = program.match_indices([')', '(', ' ', '\n']).map(|(at, _)| at);
        let behind = |at: &usize| !program[..*at].rsplit('\n').next().is_none_or(|before| before.trim().is_empty());
        let mut tried = 0;
        for at in places.filter(behind) {
            let text = format!("{}){}", &program[..at], &program[at..]);
            let added = line(&text, at as u32);
            let found: Vec<usize> = locate(&text).iter().map(|extra| line(&text, extra.at)).collect();
            assert_eq!(found, [added], "one too many in line {added}:\n{text}");
            tried += 1;
        }
        tried
    }
}
