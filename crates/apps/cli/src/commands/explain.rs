//! The `goalspec explain` command: documentation of diagnostic codes, and JSON Schemas.

use std::io::Write;

use goalspec::code_examples;
use goalspec::syntax::code_table::CodeTable;

use crate::args::{ExplainArgs, SchemaLanguage};
use crate::output::{CommandError, CommandResult, Output};

pub(crate) fn run(args: &ExplainArgs, output: &mut Output) -> CommandResult {
    match args.schema {
        Some(SchemaLanguage::Rgg) => {
            writeln!(output, "{:#}", goalspec::rgg::schema::schema())?;
            return Ok(true);
        }
        Some(SchemaLanguage::Report) => {
            output.write_all(goalspec::schema::REPORT.as_bytes())?;
            return Ok(true);
        }
        None => {}
    }
    let docs = goalspec::codes::all();
    let table = CodeTable::new([&docs[..]]);
    match &args.code {
        Some(code) => {
            let doc = table.find(code).map_err(|error| CommandError::Usage(error.to_string()))?;
            writeln!(output, "{}", doc.to_markdown().trim_end())?;
            if let Some(example) = code_examples::find(doc.code.0) {
                writeln!(output, "\n{}", example.to_markdown().trim_end())?;
            }
        }
        None => {
            for doc in table.iter() {
                writeln!(output, "{:<36} {}", doc.code.0, doc.summary)?;
            }
        }
    }
    Ok(true)
}
