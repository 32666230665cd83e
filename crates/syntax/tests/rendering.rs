//! Diagnostics in every output format.

use goalspec_syntax::code_table::CodeTable;
use goalspec_syntax::diagnostic::{Applicability, Edit, Fix, QuotedLine};
use goalspec_syntax::limits::MAX_QUOTE_BYTES;
use goalspec_syntax::render::{self, OutputFormat, RenderContext, github, human, json, line, sarif};
use goalspec_syntax::{Code, Diagnostic, Severity, SourceId, Sources, Span, codes};
use proptest::prelude::*;
use serde_json::{Value, json};

mod demo {
    goalspec_syntax::codes! {
        /// A variable that no quantifier binds.
        UNBOUND = "demo/unbound", Error, "Bind it.";
        /// A part that has no effect.
        IDLE = "demo/idle", Warning, "Leave it out.";
    }
}

/// A text of several lines with three diagnostics: an error with every optional part, a warning, and a note without a place.
fn example() -> (Sources, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let text = "(define (game öde)\n  (exists (?b - ball)\n    (in ?b ?x)))\n";
    let id = sources.add("games/a b.game", text);
    let place = |part: &str| {
        let start = text.find(part).expect("a part of the text") as u32;
        Span::new(id, start, start + part.len() as u32)
    };
    let unbound = Diagnostic::error(demo::UNBOUND, place("?x"), "the variable `?x` is not bound")
        .with_label("not bound")
        .with_related(place("?b - ball"), "this is bound")
        .with_help("did you mean `?b`?")
        .with_fix(Fix::replace("rename it to `?b`", Applicability::Unsafe, place("?x"), "?b"));
    let idle = Diagnostic::warning(demo::IDLE, place("öde"), "this name, 100%: idle");
    let note = Diagnostic::new(Code("demo/remark"), Severity::Note, "nothing\nmore");
    (sources, vec![unbound, idle, note])
}

#[test]
fn human_output_has_source_lines_help_and_fixes() {
    let (sources, diagnostics) = example();
    let expected = "\
error[demo/unbound]: the variable `?x` is not bound
 --> games/a b.game:3:12
  |
2 |   (exists (?b - ball)
  |            --------- this is bound
3 |     (in ?b ?x)))
  |            ^^ not bound
  |
  = help: did you mean `?b`?
help: rename it to `?b`
  |
3 -     (in ?b ?x)))
3 +     (in ?b ?b)))
  |

warning[demo/idle]: this name, 100%: idle
 --> games/a b.game:1:15
  |
1 | (define (game öde)
  |               ^^^

note[demo/remark]: nothing
                   more

";
    let plain = human::render(&diagnostics, &sources, false);
    assert_eq!(plain, expected);
    let colored = human::render(&diagnostics, &sources, true);
    assert!(colored.contains("\u{1b}["), "{colored}");
}

#[test]
fn human_output_has_one_of_several_notes_of_the_same_code() {
    let mut sources = Sources::new();
    let [one, other] = ["one", "other"].map(|name| sources.add(name, "(a b c d)"));
    let at = |source, start| Span::new(source, start, start + 1);
    let note = |source, start| Diagnostic::note(demo::IDLE, at(source, start), format!("note {start}"));
    let all = [
        note(one, 1),
        Diagnostic::warning(demo::IDLE, at(one, 1), "a warning"),
        note(one, 3),
        Diagnostic::note(demo::UNBOUND, at(one, 3), "another kind"),
        note(other, 5),
        Diagnostic::new(demo::IDLE, Severity::Note, "nowhere"),
        note(one, 7),
        Diagnostic::warning(demo::IDLE, at(one, 3), "a warning"),
        Diagnostic::new(demo::IDLE, Severity::Note, "nowhere"),
    ];
    // Notes come last, so that none of them hides an error.
    let mut expected = [1, 7, 0, 3, 5, 8].map(|index| all[index].clone());
    expected[2].help = vec!["3 more of this kind in 2 files".to_owned()];
    assert_eq!(render::condense(&all), expected);
    let alone = [note(one, 1), note(one, 3)];
    assert_eq!(render::condense(&alone)[0].help, ["1 more of this kind in this file"]);
}

#[test]
fn distant_places_are_not_drawn_together() {
    let mut sources = Sources::new();
    let text = format!("(a\n{}b)\n{}", "\n".repeat(40_000), "c".repeat(40_000));
    let id = sources.add("far", text);
    let far = Diagnostic::error(demo::UNBOUND, Span::new(id, 1, 2), "far")
        .with_related(Span::new(id, 40_003, 40_004), "over there")
        .with_related(Span::new(id, 40_010, 40_011), "in an endless line");
    let expected = "\
error[demo/unbound]: far
     --> far:1:2
      |
    1 | (a
      |  ^
      |
     ::: far:40002:1
      |
40002 | b)
      | - over there
     ::: far:40003:5
      = note: in an endless line

";
    assert_eq!(human::render(&[far], &sources, false), expected);
}

#[test]
fn of_large_places_and_odd_fixes_only_a_part_is_drawn() {
    let mut sources = Sources::new();
    let id = sources.add("large", format!("(a\n{})\n", "    (b)\n".repeat(10_000)));
    let overlapping = |start| Edit { span: Span::new(id, start, start + 2), replacement: String::new() };
    let large = Diagnostic::error(demo::UNBOUND, Span::new(id, 0, 80_004), "large").with_fix(Fix {
        title: "mend it".to_owned(),
        applicability: Applicability::Safe,
        edits: vec![overlapping(0), overlapping(1)],
    });
    let expected = "\
error[demo/unbound]: large
 --> large:1:1
  |
1 | (a
  | ^^
  |
help: mend it

";
    assert_eq!(human::render(&[large], &sources, false), expected);
}

#[test]
fn lines_stay_lines() {
    let (sources, diagnostics) = example();
    let expected = "\
games/a b.game:3:12: error[demo/unbound]: the variable `?x` is not bound
games/a b.game:1:15: warning[demo/idle]: this name, 100%: idle
note[demo/remark]: nothing\\nmore
";
    assert_eq!(line::render(&diagnostics, &sources), expected);
}

#[test]
fn json_has_every_field() {
    let (sources, diagnostics) = example();
    let place = |(line, column, offset): (u32, u32, u32), (end_line, end_column, end_offset): (u32, u32, u32)| {
        json!({
            "file": "games/a b.game",
            "start": { "line": line, "column": column, "offset": offset },
            "end": { "line": end_line, "column": end_column, "offset": end_offset },
        })
    };
    let variable = place((3, 12, 53), (3, 14, 55));
    let expected = json!([
        {
            "code": "demo/unbound",
            "severity": "error",
            "message": "the variable `?x` is not bound",
            "span": variable,
            "label": "not bound",
            "related": [{ "message": "this is bound", "span": place((2, 12, 31), (2, 21, 40)) }],
            "help": ["did you mean `?b`?"],
            "fixes": [{
                "title": "rename it to `?b`",
                "applicability": "unsafe",
                "edits": [{ "span": variable, "replacement": "?b" }],
            }],
        },
        {
            "code": "demo/idle",
            "severity": "warning",
            "message": "this name, 100%: idle",
            "span": place((1, 15, 14), (1, 18, 18)),
            "label": null,
            "related": [],
            "help": [],
            "fixes": [],
        },
        {
            "code": "demo/remark",
            "severity": "note",
            "message": "nothing\nmore",
            "span": null,
            "label": null,
            "related": [],
            "help": [],
            "fixes": [],
        },
    ]);
    let text = json::render(&diagnostics, &sources);
    assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), expected);
    assert_eq!(json::render(&[], &sources), "[]\n");
}

#[test]
fn github_commands_are_escaped() {
    let (sources, diagnostics) = example();
    let expected = "\
::error title=demo/unbound,file=games/a b.game,line=3,col=12,endLine=3,endColumn=14::the variable `?x` is not bound%0Ahelp: did you mean `?b`?
::warning title=demo/idle,file=games/a b.game,line=1,col=15,endLine=1,endColumn=18::this name, 100%25: idle
::notice title=demo/remark::nothing%0Amore
";
    assert_eq!(github::render(&diagnostics, &sources), expected);
}

#[test]
fn sarif_carries_rules_places_and_fixes() {
    let (sources, diagnostics) = example();
    let text = sarif::render(&diagnostics, &sources, &CodeTable::new([demo::ALL]));
    let log: Value = serde_json::from_str(&text).expect("JSON");
    let run = &log["runs"][0];
    let at = |pointer: &str| run.pointer(pointer).unwrap_or(&Value::Null).clone();
    let ids: Vec<_> = (0..3).map(|rule| at(&format!("/tool/driver/rules/{rule}/id"))).collect();
    assert_eq!(
        (log["version"].as_str(), ids.as_slice()),
        (Some("2.1.0"), &[json!("demo/idle"), json!("demo/remark"), json!("demo/unbound")][..])
    );
    assert_eq!(at("/tool/driver/rules/0/defaultConfiguration/level"), "warning");
    let page = at("/tool/driver/rules/0/helpUri");
    assert!(
        page.as_str().is_some_and(|page| page.starts_with("https://") && page.ends_with("/codes/demo/idle.md")),
        "{page}"
    );
    let region = json!({
        "startLine": 3, "startColumn": 12, "endLine": 3, "endColumn": 14, "byteOffset": 53, "byteLength": 2,
    });
    let artifact = json!({ "uri": "games/a%20b.game" });
    let expected = json!({
        "ruleId": "demo/unbound",
        "ruleIndex": 2,
        "level": "error",
        "message": { "text": "the variable `?x` is not bound\ndid you mean `?b`?" },
        "locations": [{
            "physicalLocation": { "artifactLocation": artifact, "region": region },
            "message": { "text": "not bound" },
        }],
        "relatedLocations": [{
            "physicalLocation": {
                "artifactLocation": artifact,
                "region": {
                    "startLine": 2, "startColumn": 12, "endLine": 2, "endColumn": 21, "byteOffset": 31, "byteLength": 9,
                },
            },
            "message": { "text": "this is bound" },
        }],
        "fixes": [{
            "description": { "text": "rename it to `?b`" },
            "artifactChanges": [{
                "artifactLocation": artifact,
                "replacements": [{ "deletedRegion": region, "insertedContent": { "text": "?b" } }],
            }],
        }],
    });
    assert_eq!(at("/results/0"), expected);
    assert_eq!(at("/results/2/locations"), json!([]));
}

#[test]
fn diagnostics_are_sorted_by_place_and_weight() {
    let id = SourceId(0);
    let at = |start, severity, code| Diagnostic {
        span: Some(Span::new(id, start, start + 1)),
        ..Diagnostic::new(code, severity, "")
    };
    let mut diagnostics = vec![
        at(5, Severity::Warning, demo::IDLE),
        at(5, Severity::Error, demo::UNBOUND),
        at(1, Severity::Note, demo::IDLE),
        Diagnostic::new(codes::NOT_UTF8, Severity::Error, ""),
    ];
    render::sort(&mut diagnostics);
    let order: Vec<_> = diagnostics.iter().map(|diagnostic| (diagnostic.severity, diagnostic.code)).collect();
    let expected = [
        (Severity::Error, codes::NOT_UTF8),
        (Severity::Note, demo::IDLE),
        (Severity::Error, demo::UNBOUND),
        (Severity::Warning, demo::IDLE),
    ];
    assert_eq!(order, expected);
    assert_eq!(render::summary(&diagnostics), "2 errors, 1 warning, 1 note");
    assert_eq!(render::summary(&[]), "no diagnostics");
}

#[test]
fn formats_are_selected_by_name() {
    for format in OutputFormat::ALL {
        assert_eq!(format.name().parse(), Ok(format));
    }
    let message = "unknown output format `xml`; the formats are human, line, json, github, sarif";
    assert_eq!("xml".parse::<OutputFormat>().unwrap_err().to_string(), message);
}

/// A span that need not fit any text.
fn span() -> impl Strategy<Value = Span> {
    (0..3_u32, 0..40_u32, 0..40_u32).prop_map(|(file, start, end)| Span::new(SourceId(file), start, end))
}

fn any_fix() -> impl Strategy<Value = Fix> {
    let edit = (span(), "[a(\n]{0,4}").prop_map(|(span, replacement)| Edit { span, replacement });
    prop::collection::vec(edit, 0..4).prop_map(|edits| Fix {
        title: "mend".to_owned(),
        applicability: Applicability::Unsafe,
        edits,
    })
}

fn any_diagnostic() -> impl Strategy<Value = Diagnostic> {
    let related = prop::collection::vec((span(), "[a\n\0]{0,3}"), 0..4);
    (prop::option::of(span()), "[a\n\0ö]{0,5}", related, prop::collection::vec(any_fix(), 0..3)).prop_map(
        |(span, message, related, fixes)| {
            let mut diagnostic = Diagnostic::new(demo::UNBOUND, Severity::Error, message.clone()).with_help(message);
            diagnostic.span = span;
            for (span, message) in related {
                diagnostic = diagnostic.with_related(span, message);
            }
            fixes.into_iter().fold(diagnostic, Diagnostic::with_fix)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn unusual_diagnostics_are_rendered(texts in prop::collection::vec("[a(ö€\r\n\t\0\u{200b}\u{1b}]{0,40}", 2), diagnostic in any_diagnostic()) {
        let mut sources = Sources::new();
        for text in texts {
            sources.add("dir/file: 1", text);
        }
        let codes = CodeTable::new([demo::ALL]);
        let diagnostics = [diagnostic];
        for format in OutputFormat::ALL {
            for color in [false, true] {
                let text = render::render(format, &diagnostics, RenderContext { sources: &sources, codes: &codes, color });
                prop_assert!(text.contains("demo/unbound"));
            }
        }
        prop_assert_eq!(line::render(&diagnostics, &sources).lines().count(), 1);
        prop_assert_eq!(github::render(&diagnostics, &sources).lines().count(), 1);
    }
}

/// A line of a stream, whose text is in no table of sources.
#[test]
fn quoted_lines_are_shown_where_no_text_is_kept() {
    let line = "{\"set\":{\"Böll\":{\"color\":1}}}";
    let start = line.find("\"Böll").expect("it is there");
    let quote = QuotedLine::new("<trace>", line, 4711, start..start + 7).expect("it is short");
    let mut found = Diagnostic::new(demo::UNBOUND, Severity::Error, "there is no object `Böll`").with_quote(quote);
    found.quote.as_mut().expect("it was given").rename("play.jsonl");
    let sources = Sources::new();
    let found = [found];
    assert_eq!(line::render(&found, &sources), "play.jsonl:4711:9: error[demo/unbound]: there is no object `Böll`\n");
    let expected = "error[demo/unbound]: there is no object `Böll`
    --> play.jsonl:4711:9
     |
4711 | {\"set\":{\"Böll\":{\"color\":1}}}
     |         ^^^^^^

";
    assert_eq!(human::render(&found, &sources, false), expected);
    let value = json::value(&found[0], &sources);
    let place = |column: usize| json!({ "line": 4711, "column": column, "offset": null });
    assert_eq!(value["span"], json!({ "file": "play.jsonl", "start": place(9), "end": place(15) }));
    assert_eq!(value["quote"], json!(line));
    assert!(github::render(&found, &sources).contains(",file=play.jsonl,line=4711,col=9,endLine=4711,endColumn=15::"));
    let log: Value =
        serde_json::from_str(&sarif::render(&found, &sources, &CodeTable::new([demo::ALL]))).expect("JSON");
    let region = log.pointer("/runs/0/results/0/locations/0/physicalLocation/region").expect("a region");
    assert_eq!((&region["startLine"], &region["byteOffset"]), (&json!(4711), &Value::Null));
    // A range beyond the line is moved into it, and lines that are too long are not quoted.
    let beyond = QuotedLine::new("s", "ab", 1, 5..9).expect("it is short");
    let found = [Diagnostic::new(demo::IDLE, Severity::Warning, "it ends").with_quote(beyond)];
    assert!(line::render(&found, &sources).starts_with("s:1:3: "));
    assert_eq!(QuotedLine::new("s", &"x".repeat(MAX_QUOTE_BYTES + 1), 1, 0..1), None);
}
