//! Tables of texts.

use std::fmt::Write as _;

/// A table with a title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The title.
    pub title: String,
    /// The names of the columns.
    pub header: Vec<String>,
    /// The rows, as long as the header.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table without rows.
    pub fn new(title: &str, header: &[&str]) -> Self {
        let header = header.iter().map(|&name| name.to_owned()).collect();
        Self { title: title.to_owned(), header, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = String>) {
        let row: Vec<String> = row.into_iter().collect();
        debug_assert_eq!(row.len(), self.header.len());
        self.rows.push(row);
    }

    /// Returns the table as aligned text, columns two spaces apart.
    pub fn to_text(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().chain([&self.header]).map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.header.len()).map(width).collect();
        let mut text = format!("{}\n", self.title);
        for row in std::iter::once(&self.header).chain(&self.rows) {
            let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
            let line = cells.collect::<Vec<_>>().join("  ");
            let _ = writeln!(text, "  {}", line.trim_end());
        }
        text
    }

    /// Returns the table as HTML, with its title as a heading.
    pub fn to_html(&self) -> String {
        let row = |cells: &[String], tag: &str| {
            let cells: String = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
            format!("<tr>{cells}</tr>\n")
        };
        let rows: String = self.rows.iter().map(|cells| row(cells, "td")).collect();
        format!("<h2>{}</h2>\n<table>\n{}{rows}</table>\n", escaped(&self.title), row(&self.header, "th"))
    }

    /// Returns the table as CSV, without its title.
    pub fn to_csv(&self) -> String {
        let line = |row: &Vec<String>| row.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",");
        std::iter::once(&self.header).chain(&self.rows).map(|row| line(row) + "\n").collect()
    }
}

/// Returns a text as content of HTML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns a text as a field of CSV.
pub(super) fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
