//! The base game of the recordings, reconstructed from their rows, and the parsing of rows.

/// The base game: each row of a recording varies one section.
pub(crate) const BASE: [(&str, &str); 9] = [
    ("metadata", "{id: base, description: a base}"),
    ("teams", "[s, t]"),
    ("board", "\n  nodes: [a, b, c]\n  vectors: [{from: a, to: b}, {from: a, to: c}, {from: b, to: c}]"),
    (
        "resourceSpace",
        "\n  a: {observable: set(s), x: int(5), own: true, f: float(1.5), name: string(foo), tags: set(p), e: 'string.enum(u; u,v)'}
  b: {observable: set(t), x: int(2), own: false}\n  c: {x: int(3), own: false}",
    ),
    ("actionSpace", "{s: {act: , wait: , nothing: }, t: {wait: }}"),
    ("actions", "{act: {cost: {}, requires: {}}, wait: {cost: {}, requires: {}}}"),
    ("rewards", "{s: {Field: a.x}, t: {Field: a.x}}"),
    ("completed", "{a.x: 99}"),
    ("metrics", "[a.x]"),
];

pub(crate) fn text<'a>(sections: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    sections.into_iter().map(|(key, value)| format!("{key}: {value}\n")).collect()
}

/// Returns the base game with some sections replaced or left out.
pub(crate) fn varied(changes: &[(&str, Option<&str>)]) -> String {
    text(BASE.into_iter().filter_map(|(key, base)| {
        let change = changes.iter().find(|(section, _)| *section == key);
        change.map_or(Some(base), |(_, value)| *value).map(|value| (key, value))
    }))
}

/// Returns the base game with one section replaced or left out.
pub(crate) fn with(section: &str, value: Option<&str>) -> String {
    varied(&[(section, value)])
}

/// Returns the base game with a section moved to the front.
pub(crate) fn first(section: &str) -> String {
    let (moved, others): (Vec<_>, Vec<_>) = BASE.into_iter().partition(|(key, _)| *key == section);
    text(others[..1].iter().chain(&moved).chain(&others[1..]).copied())
}

/// Returns the section of actions, with the given action `act`.
pub(crate) fn actions(act: &str) -> String {
    format!("\n  {act}\n  wait: {{cost: {{}}, requires: {{}}}}")
}

/// Returns the base game with the given action `act`.
pub(crate) fn acting(act: &str) -> String {
    with("actions", Some(&actions(act)))
}

/// Returns the base game with the given resources of the node c.
pub(crate) fn resources(c: &str) -> String {
    let (_, base) = BASE[3];
    let (others, _) = base.rsplit_once('\n').expect("lines");
    with("resourceSpace", Some(&format!("{others}\n  c: {c}")))
}

pub(crate) fn board(vectors: &str) -> String {
    with("board", Some(&format!("{{nodes: [a, b, c], vectors: {vectors}}}")))
}

/// Returns the rows that begin with `prefix`, each as the input and the outcome.
pub(crate) fn rows<'a>(table: &'a str, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let rows = table.lines().filter_map(move |line| line.strip_prefix(prefix));
    rows.map(|row| {
        let ends = [": V a{", ": VV a{", ": I a{", ": ERR "].into_iter().filter_map(|end| row.find(end));
        let end = ends.min().expect("an outcome");
        (&row[..end], &row[end + 2..])
    })
}

/// Returns the rows of a section, each as the text in backquotes and the rest.
pub(crate) fn section<'a>(table: &'a str, title: &str) -> Vec<(&'a str, &'a str)> {
    let rows = table.lines().skip_while(|line| !line.starts_with(title)).skip(1);
    let rows =
        rows.take_while(|line| !line.starts_with("##") && !line.starts_with("--")).filter(|line| !line.is_empty());
    rows.map(|row| row.strip_prefix('`').and_then(|row| row.split_once('`')).expect("a row begins with a text"))
        .collect()
}

/// Indents a text as a block.
pub(crate) fn indented(text: &str, by: usize) -> String {
    text.replace("\\n", "\n").replace('\n', &format!("\n{}", " ".repeat(by)))
}

/// Returns the base game with an additional node, which the tables of assignments write to.
pub(crate) fn assigning(key: &str, entries: &str) -> String {
    let result = if entries.starts_with('{') {
        format!("{{Resources: {{{key}: {entries}}}}}")
    } else {
        format!("\n          Resources:\n            {key}:\n              {}", indented(entries, 14))
    };
    let act = format!("act:\n    cost: {{}}\n    requires: {{}}\n    consequences:\n      - result: {result}");
    acting(&act).replace("nodes: [a, b, c]", "nodes: [a, b, c, n]")
}
